"""Drawings of ideas: a text cut by several vocabularies, how a token was merged, the way from text to numbers."""

import re
from itertools import pairwise

import numpy as np

from bpelab import checks
from bpelab.look import canvas, described, drawable, drawing, non_empty, say, theme
from bpelab.spelling import label, readable

#: More than this is too much for one picture.
MOST_BYTES, MOST_LEAVES, MOST_TOKENS = 48, 24, 24


def short(token):
    """A token (bytes) as a label; stray bytes as two digits each.

    >>> short("猫".encode()[:2]), short(b" low")
    ('E7 8C', '␣low')
    """
    return re.sub(r"<0x(..)>", r"\1 ", label(token)).rstrip() if not _is_text(token) else label(token)


def _is_text(token):
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True


def _columns(text):
    """How wide a text is, in letters."""
    return sum(2 if ord(character) > 0x1100 else 1 for character in text)


def _size(text, points, most=11):
    """The largest font size (points) at which a text is at most so wide."""
    return max(min(most, points / (0.58 * _columns(text) + 0.8)), 3)


def _box(axes, x, y, width, height, text, fill, size=9, edge=None):
    """A box with a text in it."""
    from matplotlib.patches import FancyBboxPatch

    shape = f"round,pad=0,rounding_size={min(width, height) * 0.18:.3f}"
    axes.add_patch(
        FancyBboxPatch(
            (x, y), width, height, boxstyle=shape, facecolor=fill, edgecolor=edge or theme().paper, linewidth=1
        )
    )
    axes.text(x + width / 2, y + height / 2, drawable(text), ha="center", va="center", fontsize=size, clip_on=True)


@drawing
def grid(text, rows, *, title):
    """The bytes of a text in a row, and below them how vocabularies cut them: {name: tokens (list of bytes)}.

    rows: such as {"gpt2": tok.token_bytes(text)}; the tokens must join to the text, which has at most 48 bytes.
    """
    data = checks.text("text", non_empty("text", text)).encode()
    if len(data) > MOST_BYTES:
        raise ValueError(f"text must have at most {MOST_BYTES} bytes to be drawn byte by byte, got {len(data)}")
    for name, tokens in non_empty("rows", rows).items():
        if b"".join(tokens) != data:
            raise ValueError(f"rows[{name!r}]: these tokens do not join to the text")
    figure, axes = canvas(title, len(data) + 5, len(rows) * 1.25 + 2.6, (7.2, 0.5 + 0.36 * (len(rows) * 1.25 + 2.6)))
    axes.set_xlim(-0.15 * len(data) - 2.5, len(data) * 1.09 + 1)
    small = min(9, 250 / len(data))
    at = 0
    for character in text:
        size = len(character.encode())
        _box(axes, at + 0.04, 0, size - 0.08, 1, label(character), theme().grid, min(12, small * 1.7))
        at += size
    for place, byte in enumerate(data):
        axes.text(place + 0.5, 1.5, f"{byte:02X}", ha="center", va="center", fontsize=small * 0.85, color=theme().grey)
    names = [say("characters"), say("bytes"), *rows]
    for y, name in zip([0.5, 1.5, *(2.9 + 1.25 * n for n in range(len(rows)))], names, strict=True):
        axes.text(-0.4, y, drawable(name), ha="right", va="center", fontsize=9)
    for row, tokens in enumerate(rows.values()):
        at, y = 0, 2.4 + 1.25 * row
        for number, token in enumerate(tokens):
            shown, fill = short(token), theme().fills[number % len(theme().fills)]
            _box(axes, at + 0.04, y, len(token) - 0.08, 1, shown, fill, _size(shown, 430 / len(data) * len(token), 10))
            at += len(token)
        axes.text(len(data) + 0.3, y + 0.5, f"{len(tokens)}", ha="left", va="center", fontsize=9)
    body = "; ".join(f"{name}: {say('{n:,} tokens', n=len(tokens))}" for name, tokens in rows.items())
    return figure, described("Grid", title, body)


@drawing
def tree(tok, token, *, title):
    """How a token was made: its two parts above it joined, down to the base symbols, with the rank of each merge.

    tok: a `Tokenizer`; token: bytes, or str for its UTF-8 bytes, of at most 24 base symbols.
    """
    token = token.encode() if isinstance(token, str) else token
    made = {left + right: (rank, left, right) for rank, (left, right, *_) in enumerate(tok.merges, 1)}
    if token not in made:
        raise ValueError(f"token: {checks.shown(readable(token))} is made by no merge of tok")
    leaves, joins = [], []
    _grow(made, token, leaves, joins)
    if len(leaves) > MOST_LEAVES:
        raise ValueError(f"token is made of {len(leaves)} base symbols, more than a picture shows ({MOST_LEAVES})")
    depth = max(join[2] for join in joins)
    figure, axes = canvas(title, len(leaves), depth + 1.1, (7.2, 0.6 + 0.62 * (depth + 1.1)))
    each = 490 / len(leaves)
    ranks = "merge {rank:,}" if len(leaves) < 10 else "#{rank:,}"
    for (x, y), (parent_x, parent_y) in ((child, join[1:3]) for join in joins for child in join[4]):
        axes.plot([x + 0.5, parent_x + 0.5], [depth - y + 0.5, depth - parent_y + 0.5], color=theme().grey, linewidth=1)
    for x, leaf in enumerate(leaves):
        _node(axes, x, depth, short(leaf), theme().grid, _size(short(leaf), each))
    for name, x, y, rank, _ in joins:
        text = f"{short(name)}\n{say(ranks, rank=rank)}"
        _node(axes, x, depth - y, text, theme().fills[0], _size(max(text.split("\n"), key=_columns), (y + 1) * each))
    text = "{token} is made of {left} and {right}"
    body = "; ".join(
        say(text, token=short(n), left=short(made[n][1]), right=short(made[n][2])) for n, *_ in joins[::-1]
    )
    return figure, described("Tree", title, body)


def _grow(made, token, leaves, joins):
    """Add a token's leaves and joins, parts first; its place: (x, height above the leaves)."""
    if token not in made:
        leaves.append(token)
        return len(leaves) - 1, 0
    rank, left, right = made[token]
    places = [_grow(made, part, leaves, joins) for part in (left, right)]
    place = (places[0][0] + places[1][0]) / 2, max(places[0][1], places[1][1]) + 1
    joins.append((token, *place, rank, places))
    return place


def _node(axes, x, y, text, fill, size):
    box = {"boxstyle": "round,pad=0.3", "facecolor": fill, "edgecolor": theme().paper}
    axes.text(x + 0.5, y + 0.5, drawable(text), ha="center", va="center", fontsize=size, bbox=box, linespacing=1.25)


@drawing
def pipeline(tok, text, *, title):
    """The way of a text to a model: normalized, cut into chunks, merged into tokens, as ids, as rows of numbers.

    tok: a `Tokenizer`; text: at most 24 tokens long. The squares of a row stand for its numbers, which
    only training fixes.
    """
    chunks = tok.chunks(checks.text("text", non_empty("text", text)))
    encoded = tok.encode_chunks(chunks)
    if sum(map(len, encoded)) > MOST_TOKENS:
        raise ValueError(f"text must have at most {MOST_TOKENS} tokens to be drawn, got {sum(map(len, encoded))}")
    shown = [[short(tok.id_to_token(i)) for i in ids] for ids in encoded]
    widths = [[max(1.6, 0.62 * max(_columns(name), len(f"{i}"))) + 0.5 for name, i in zip(names, ids, strict=True)]
              for names, ids in zip(shown, encoded, strict=True)]  # fmt: skip
    whole = sum(map(sum, widths)) + 0.4 * (len(chunks) - 1)
    figure, axes = canvas(title, whole, 11.2, (7.2, 3.9))
    axes.set_xlim(-0.2 * whole - 1, whole)
    unit = 430 / whole  # points
    heads = ["text", "normalized", "chunks", "tokens", "ids", "embedding rows"]
    tops = [0, 1.9, 3.8, 5.7, 7.6, 9.2]
    for y, head in zip(tops, heads, strict=True):
        axes.text(-0.4, y + 0.6, drawable(say(head)), ha="right", va="center", fontsize=9, color=theme().grey)
    for y, line in zip(tops[:2], (text, "".join(chunks)), strict=True):
        _box(axes, 0, y, whole, 1.2, label(line), theme().grid, _size(label(line), whole * unit))
    x = 0
    for chunk, names, ids, sizes in zip(chunks, shown, encoded, widths, strict=True):
        _box(axes, x, tops[2], sum(sizes), 1.2, label(chunk), theme().fills[1], _size(label(chunk), sum(sizes) * unit))
        for at, (name, i, width) in enumerate(zip(names, ids, sizes, strict=True)):
            left = x + sum(sizes[:at])
            _box(axes, left + 0.05, tops[3], width - 0.1, 1.2, name, theme().fills[0], _size(name, width * unit))
            axes.text(
                left + width / 2, tops[4] + 0.6, f"{i}", ha="center", va="center", fontsize=_size(f"{i}", width * unit)
            )
            _row(axes, i, left + width / 2, tops[5])
        x += sum(sizes) + 0.4
    for start, end in pairwise(tops):
        axes.annotate(
            "", (-0.1 * whole - 0.5, end + 0.15), (-0.1 * whole - 0.5, start + 1.1),
            arrowprops={"arrowstyle": "->", "color": theme().grey},
        )  # fmt: skip
    parts = [f"{say('chunks')}: {' | '.join(map(label, chunks))}"]
    parts.append(f"{say('tokens')}: {' | '.join(name for names in shown for name in names)}")
    parts.append(f"{say('ids')}: {', '.join(str(i) for ids in encoded for i in ids)}")
    return figure, described("Drawing", title, "; ".join(parts))


def _row(axes, i, x, y):
    """Four squares that stand for the numbers of row i."""
    from matplotlib.patches import Rectangle

    for place, shade in enumerate(np.random.default_rng(i).uniform(0.15, 0.9, 4)):
        square = Rectangle((x - 0.3, y + 0.45 * place), 0.6, 0.4, facecolor=theme().lines[0], alpha=shade, linewidth=0)
        axes.add_patch(square)
