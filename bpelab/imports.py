"""Tokenizers from other libraries: tiktoken's ranks, merges.txt, minbpe's .model."""

from bpelab import checks, corpora, merges
from bpelab.chunking import NAMES, PATTERNS
from bpelab.exports import HEADER
from bpelab.merges import Merge
from bpelab.spelling import character_bytes, readable
from bpelab.tokenizer import Tokenizer


def from_tiktoken(encoding):
    """The Tokenizer of a `tiktoken.Encoding`: the same ids, its merges recovered from the ranks.

    A token's merge joins the two parts into which the earlier tokens cut it. Counts are unknown (0).
    ValueError where the ranks are no merge list: a single byte is missing, a token does not come from
    two earlier ones, or ranks have gaps.

    >>> from bpelab import train
    >>> tok = train("low low lower", base="byte", chunking="gpt2")
    >>> from_tiktoken(tok.to_tiktoken("low")) == tok
    True
    """
    if not hasattr(encoding, "_mergeable_ranks"):
        raise TypeError(
            f"encoding must be a tiktoken.Encoding, got {checks.shown(encoding)}; "
            "bpelab.vocabularies.load(name) and tiktoken.get_encoding(name) give one"
        )
    ranks = encoding._mergeable_ranks
    tokens = sorted(ranks, key=ranks.get)
    if [ranks[token] for token in tokens] != list(range(len(tokens))):
        raise ValueError("encoding: its ranks have gaps, which a merge list has not")
    if any(len(token) != 1 for token in tokens[:256]) or len(tokens) < 256:
        raise ValueError("encoding: its first 256 tokens are not the single bytes")
    learned = [Merge(*_parts(token, ranks)) for token in tokens[256:]]
    return Tokenizer(
        learned,
        base="byte",
        byte_order=b"".join(tokens[:256]),
        chunking=_chunking_of(encoding._pat_str),
        special_tokens=dict(encoding._special_tokens),
    )


def _parts(token, ranks):
    """The two tokens that were joined to `token`: those that the earlier ranks cut it into."""
    parts = cut(token, ranks, ranks[token])
    if len(parts) != 2:
        raise ValueError(
            f"encoding: rank {ranks[token]}, {readable(token)!r}, does not come from two tokens of lower rank, "
            f"but from {len(parts)}: {[readable(part) for part in parts]}"
        )
    return parts


def cut(token, ranks, limit):
    """The parts into which the ranks below a limit cut a token, down to the last two.

    >>> cut(b"abc", {b"a": 0, b"b": 1, b"c": 2, b"bc": 3, b"abc": 4}, 4)
    [b'a', b'bc']
    """
    parts = [token[i : i + 1] for i in range(len(token))]
    joins = [ranks.get(token[i : i + 2], limit) for i in range(len(token) - 1)]
    while len(parts) > 2:
        rank = min(joins)
        if rank >= limit:
            break
        at = joins.index(rank)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del joins[at]
        for i in range(max(at - 1, 0), min(at + 1, len(joins))):
            joins[i] = ranks.get(parts[i] + parts[i + 1], limit)
    return parts


def _chunking_of(pattern):
    """The name of a pattern, where it has one; a pattern that reads like the name of a chunking is refused."""
    if pattern in NAMES:
        raise ValueError(f"the pattern {pattern!r} is the name of a chunking here; write it ({pattern})")
    return next((name for name, known in PATTERNS.items() if known == pattern), pattern)


def load_merges_txt(path, *, base="byte", chunking="gpt2"):
    """A Tokenizer from a merges.txt. The file holds neither ids nor chunking: bytes (or characters)
    come first, in order, then the merges; `chunking` is what you say it is. Counts are unknown (0).
    """
    checks.choice("base", base, ("char", "byte"))
    lines = corpora.read(path).split("\n")
    if not lines[0].startswith("#version:"):
        raise ValueError(f"{path}: the first line must be a header such as {HEADER!r}, got {checks.shown(lines[0])}")
    byte_of = character_bytes()
    learned = []
    for number, line in enumerate(lines[1:], 2):
        parts = line.rstrip("\r").split(" ")
        if parts == [""] and number == len(lines):
            break
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"{path}, line {number}: two tokens with one blank between, got {checks.shown(line)}")
        if base == "byte":
            strange = [character for part in parts for character in part if character not in byte_of]
            if strange:
                raise ValueError(f"{path}, line {number}: {strange[0]!r} is no byte; is this a file of characters?")
            parts = [bytes(byte_of[character] for character in part) for part in parts]
        learned.append(tuple(parts))
    return Tokenizer(learned, base=base, chunking=chunking)


def load_minbpe(path):
    """A Tokenizer from minbpe's .model file. Counts are unknown (0)."""
    lines = corpora.read(path).split("\n")
    if lines[0] != "minbpe v1" or len(lines) < 3 or not lines[2].isdecimal():
        raise ValueError(f"{path} is no minbpe model: it must start with 'minbpe v1', a pattern and a number")
    first = 3 + int(lines[2]) if len(lines[2]) < 8 else len(lines) + 1
    rows = [_numbers(path, number, line) for number, line in enumerate(lines[first:], first + 1) if line]
    special = [line.rsplit(" ", 1) for line in lines[3:first]]
    if len(lines) < first or any(len(row) != 2 or not row[1].isdecimal() for row in special):
        raise ValueError(f"{path}: {lines[2]} lines with a special token and its id must follow the third")
    vocab = [bytes([byte]) for byte in range(256)]
    pairs, size = [], 0
    for number, (left, right) in enumerate(rows):
        if max(left, right) >= len(vocab):
            raise ValueError(f"{path}, line {first + 1 + number}: id {max(left, right)} is made by no earlier line")
        size += len(vocab[left]) + len(vocab[right])
        merges.check_size(number, size)
        pairs.append((vocab[left], vocab[right]))
        vocab.append(vocab[left] + vocab[right])
    return Tokenizer(
        pairs,
        base="byte",
        chunking=_chunking_of(lines[1]) if lines[1] else "whole",
        special_tokens={name: int(number) for name, number in special},
    )


def _numbers(path, number, line):
    parts = line.split(" ")
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        raise ValueError(f"{path}, line {number}: two ids with one blank between, got {checks.shown(line)}")
    return int(parts[0]), int(parts[1])
