"""What a notebook shows: tables, tokens in colour, source code.

HTML is plain and escaped: text may come from anywhere. Each object has a text form too, which is
what a terminal shows and what nbval compares.
"""

import html
import inspect
import re
import unicodedata
import zlib
from collections.abc import Mapping
from itertools import accumulate
from string import Template

import regex

from bpelab import checks, counting
from bpelab.parity import recipes
from bpelab.spelling import INVISIBLE, NAMES, character_bytes, escaped, label, readable

# Light backgrounds that people with any colour vision tell apart; dark text on them. A token keeps its own.
COLOURS = ("#cfe8fa", "#fbe3b5", "#d3efd9", "#f6d3e3", "#e2dcf7", "#e8e8e0")
#: Longer displays are cut, and say so: tokens of a text, rows of a table, steps of a stepper.
MOST_TOKENS, MOST_ROWS, MOST_STEPS = 1000, 200, 200
#: Of a sample, at each step of a stepper.
MOST_STEPPED = 100
#: Outer elements have this class, or JupyterLab takes what stands between two $ for a formula.
NO_MATH = "mathjax_ignore tex2jax_ignore"
CODE = "font-family:monospace;white-space:normal"
BOX = (
    "display:inline-block;margin:0 1px 2px 0;padding:1px 4px;border-radius:3px;color:#111;"
    "text-align:center;vertical-align:bottom;line-height:1.25"
)
FRAME = (
    "display:inline-block;margin:0 3px 2px 0;padding:0 1px;border:1px solid #888;border-radius:4px;"
    "text-align:center;vertical-align:bottom;line-height:1.25"
)


EMOJI = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}")


class Shown:
    """HTML for a notebook, text for everything else."""

    def __init__(self, html, text):
        self.html, self.text = html, text

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return self.text


class Source(str):
    """Source code, highlighted where the front end can."""

    def _repr_markdown_(self):
        return f"```python\n{self}\n```"

    def __repr__(self):
        return str(self)


def table(data):
    """Rows as a table without an index: a DataFrame, or anything `pandas.DataFrame` takes.

    >>> table([{"token": "猫", "count": 3}, {"token": "low", "count": 12}])
    token  count
    猫         3
    low       12
    """
    import pandas as pd

    frame = data if isinstance(data, pd.DataFrame) else pd.DataFrame(data)
    more = len(frame) - MOST_ROWS
    frame = frame.head(MOST_ROWS) if more > 0 else frame
    names = [_cell(str(name)) for name in frame.columns]
    numeric = [pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    left_out = f"… {more:,} more rows" if more > 0 else ""
    page, text = _html_table(names, rows, numeric), _text_table(names, rows, numeric)
    return Shown(f"{page}<p>{left_out}</p>", f"{text}\n{left_out}") if left_out else Shown(page, text)


def _cell(value):
    if isinstance(value, float):
        return "" if value != value else f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return in_line(str(value))


def in_line(text):
    """A text as one line of a table: what breaks the line, steers a terminal or can't be seen is escaped.

    >>> in_line("a\\tb\\u202ec"), in_line("❤️")
    ('a\\\\tb\\\\u202ec', '❤️')
    """
    clusters = regex.findall(r"\X", text)
    return "".join(part if EMOJI.search(part) else "".join(map(_character, part)) for part in clusters)


def _character(character):
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") or INVISIBLE.match(character)
    return (NAMES.get(character) or escaped(character)) if hidden else character


def _html_table(names, rows, numeric):
    def cells(tag, values):
        sides = ("right" if is_number else "left" for is_number in numeric)
        return "".join(
            f'<{tag} dir="auto" style="text-align:{side};white-space:pre-wrap">{html.escape(value)}</{tag}>'
            for side, value in zip(sides, values, strict=True)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    head = f"<thead><tr>{cells('th', names)}</tr></thead>"
    return f'<table class="{NO_MATH}">{head}<tbody>{body}</tbody></table>'


def _text_table(names, rows, numeric):
    columns = list(zip(names, *rows, strict=True))
    widths = [max(map(_columns, column)) for column in columns]
    lines = []
    for row in [names, *rows]:
        padded = []
        for value, width, is_number in zip(row, widths, numeric, strict=True):
            blanks = " " * (width - _columns(value))
            padded.append(blanks + value if is_number else value + blanks)
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _columns(value):
    """How many columns of a terminal the text takes; wide characters take two, marks none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in value)


def tokens(tok, text):
    """The tokens of `text` in colour, the id below each; {name: tokenizer} shows one row for each.

    A tokenizer is ours, tiktoken's or Hugging Face's. Tokens that only together make whole characters
    (as people see them: grapheme clusters) share a frame, with the character above its pieces.
    The text form joins the tokens with |.

    >>> from bpelab import train
    >>> tokens(train("low low lower", 3), "low lower")
    low|␣low|e|r
    >>> tokens({"bytes": train("", base="byte"), "chars": train("猫 a")}, "猫a")
    bytes (4): <0xE7>|<0x8C>|<0xAB>|a
    chars (2): 猫|a
    """
    if not isinstance(tok, Mapping):
        ids, spelled = pieces(tok, text)
        boxes = f'<div class="{NO_MATH}" dir="auto" style="{CODE}">{_boxes(ids, spelled)}</div>'
        return Shown(boxes, _text_tokens(spelled))
    rows, lines = [], []
    for name, one in tok.items():
        ids, spelled = pieces(one, text)
        title = f"{html.escape(str(name))}<br><small>{len(ids):,} tokens</small>"
        rows.append(
            f'<tr><td style="text-align:left;vertical-align:top">{title}</td>'
            f'<td dir="auto" style="text-align:left;{CODE}">{_boxes(ids, spelled)}</td></tr>'
        )
        lines.append(f"{name} ({len(ids)}): {_text_tokens(spelled)}")
    return Shown(f'<table class="{NO_MATH}"><tbody>{"".join(rows)}</tbody></table>', "\n".join(lines))


def _text_tokens(spelled):
    more = len(spelled) - MOST_TOKENS
    return "|".join(map(label, spelled[:MOST_TOKENS])) + (f"|… {more:,} more tokens" if more > 0 else "")


def pieces(tok, text):
    """The ids and the tokens (bytes) of `text` under a tokenizer of ours or a library's."""
    tok = counting.encoder(tok, "tok")
    if hasattr(tok, "token_bytes"):
        return tok.encode(text), tok.token_bytes(text)
    if hasattr(tok, "decode_single_token_bytes"):
        ids = tok.encode_ordinary(text)
        return ids, [tok.decode_single_token_bytes(i) for i in ids]
    name_of = _named(tok)
    (ids,) = counting.encoded(tok, [text])
    byte_of = character_bytes()
    level = isinstance(getattr(tok, "decoder", None), _byte_level_decoder())
    spelled = [
        bytes(byte_of[c] for c in token) if level and byte_of.keys() >= set(token) else token.encode()
        for token in map(name_of, ids)  # added tokens stand as they are
    ]
    return list(ids), spelled


def _named(tok):
    """The function id -> token (str) of Hugging Face's, of its wrappers in transformers, of SentencePiece's."""
    for name in ("id_to_token", "convert_ids_to_tokens", "id_to_piece"):
        if hasattr(tok, name):
            return getattr(tok, name)
    raise TypeError(f"tok must be a tokenizer that names its tokens, such as by id_to_token; got {type(tok).__name__}")


def _byte_level_decoder():
    from tokenizers.decoders import ByteLevel

    return ByteLevel


def clusters(spelled):
    """Group tokens (bytes) into the smallest runs that end where a grapheme cluster of the text ends.

    >>> clusters([b"a", "猫".encode()[:2], "猫".encode()[2:]])
    [[b'a'], [b'\\xe7\\x8c', b'\\xab']]
    """
    text = b"".join(spelled).decode("utf-8", "surrogateescape")
    ends = set(accumulate(len(c.encode("utf-8", "surrogateescape")) for c in regex.findall(r"\X", text)))
    groups, done = [[]], 0
    for token in spelled:
        groups[-1].append(token)
        done += len(token)
        if done in ends:
            groups.append([])
    return [group for group in groups if group]


def _whole(cluster):
    """Pieces of one character put together, as it looks; joiners inside an emoji stay what they are."""
    return in_line(readable(cluster).replace(" ", NAMES[" "])) or label(b"")


def _boxes(ids, spelled, marked=(), most=MOST_TOKENS):
    """Each token as a box, in its own colour; pieces of one character in a frame.

    marked: the places of tokens that are about to be merged. Without styles, as on some sites, a blank stands
    between two tokens, and the id is a subscript.
    """
    boxes, at = [], 0
    for group in clusters(spelled[:most]):
        inner = []
        for token in group:
            edge = ";box-shadow:inset 0 -3px #c1272d" if at in marked else ""
            inner.append(
                f'<span dir="auto" style="{BOX};background:{_colour(token)}{edge}">{html.escape(_spelled(token))}'
                f'<sub style="display:block;font-size:0.7em;line-height:1.25;color:#444">{ids[at]}</sub></span>'
            )
            at += 1
        if len(group) > 1:
            whole = html.escape(_whole(b"".join(group)))
            boxes.append(f'<span style="{FRAME}"><span style="display:block">{whole}</span>{" ".join(inner)}</span>')
        else:
            boxes += inner
        if group[-1].endswith(b"\n"):
            boxes.append("<br>")
    more = len(spelled) - most
    return " ".join(boxes) + (f"<p>… {more:,} more tokens</p>" if more > 0 else "")


def _colour(token):
    """The colour of a token (bytes), the same wherever it stands."""
    return COLOURS[zlib.crc32(token) % len(COLOURS)]


def _spelled(token):
    """A token's label; one that is only bytes of a character is short, E3·81."""
    try:
        token.decode()
    except UnicodeDecodeError:
        if all(byte >= 0x80 for byte in token):
            return "·".join(f"{byte:02X}" for byte in token)
    return label(token)


def parity(theirs, corpus, names=None):
    """Which recipe's merges agree with `theirs`, and where the others part: `bpelab.parity.recipes`.

    theirs: merges or tokens of another trainer, or the path of its file; corpus: what it was trained on.

    >>> from bpelab import train
    >>> corpus = "low low low lower lower newest"
    >>> parity(train(corpus, tie="lowest-id"), corpus, ["rustbpe", "minbpe"])
    rustbpe agrees in all 11 merges
    recipe   agree  of  first difference
    rustbpe     11  11  none
    minbpe       3  11  merge 4: ␣lowe (2) against er (2), a tie
    """
    frame = recipes(theirs, corpus, names)
    best = frame.iloc[0]
    of = "all" if best["agree"] == best["of"] else f"the first {best['agree']:,} of"
    sentence = f"{best['recipe']} agrees in {of} {best['of']:,} merges"
    rows = [
        {"recipe": row["recipe"], "agree": row["agree"], "of": row["of"], "first difference": _first_difference(row)}
        for _, row in frame.iterrows()
    ]
    shown = table(rows)
    return Shown(f"<p>{html.escape(sentence)}</p>{shown.html}", f"{sentence}\n{shown.text}")


def _first_difference(row):
    if row["ours"] is None and row["theirs"] is None:
        return "none"
    sides = []
    for side in ("ours", "theirs"):
        token, count = row[side], row[f"{side}_count"]
        sides.append("the end" if token is None else f"{label(token)} ({'no pair' if count is None else f'{count:,}'})")
    return f"merge {row['agree'] + 1:,}: {sides[0]} against {sides[1]}{', a tie' if row['tie'] else ''}"


def source(thing):
    """The source of a function or class, its docstring cut to the first line.

    >>> from bpelab import reference
    >>> print(source(reference.corpus_length))
    def corpus_length(words):
        \"\"\"The number of tokens in all words, each weighted by its frequency.\"\"\"
        return sum(len(symbols) * frequency for symbols, frequency in words)
    """
    code = inspect.getsource(thing).rstrip()
    return Source(re.sub(r'"""(.+?)\n.*?"""', r'"""\1"""', code, count=1, flags=re.DOTALL))


def stepper(tok, samples):
    """Training, step by step: which pair each merge joins, and how the samples' cuts get coarser.

    samples: a list of str (one may hold characters that are unknown). Every step, from no merge to all
    of them (the first 200), stands in the page as a table; where scripts run, a little one makes a slider,
    buttons and a choice of sample, and shows one step at a time. No kernel is needed. A red line marks
    the pair that the next merge joins.

    >>> from bpelab import train
    >>> stepper(train("low low lower", 2), ["low lower"])
    step  merge   count  low␣lower
       0                  9 tokens
       1  l + o       3   7 tokens
       2  lo + w      3   5 tokens
    """
    if isinstance(samples, str):
        raise TypeError("samples must be a list of str, got one str; put it in a list")
    if not hasattr(tok, "merges"):
        raise TypeError(f"tok must be a Tokenizer, whose merges are the steps; got {type(tok).__name__}")
    samples = list(checks.documents("samples", samples))
    if not samples:
        raise ValueError("samples must not be empty")
    merges, body, rows = tok.merges, [], []
    last = min(len(merges), MOST_STEPS)
    for step in range(last + 1):
        merge = merges[step - 1] if step else None
        name = f"{label(merge.left)} + {label(merge.right)}" if merge else ""
        count = f"{merge.count:,}" if merge else ""
        cuts = [pieces(tok.truncate(step), sample) for sample in samples]
        body.append(_step_row(step, name, count, cuts, merges[step] if step < len(merges) else None))
        rows.append([str(step), name, count, *(f"{len(ids)} tokens" for ids, _ in cuts)])
    names = [_whole(sample.encode()) for sample in samples]
    more = f"… {len(merges) - last:,} more steps" if len(merges) > last else ""
    page = STEPPER.substitute(
        no_math=NO_MATH,
        heads="".join(f'<th dir="auto" style="text-align:left">{html.escape(name)}</th>' for name in names),
        body="".join(body),
        more=f"<p>{more}</p>" if more else "",
    )
    numeric = [True, False, True, *(True for _ in samples)]
    text = _text_table(["step", "merge", "count", *names], rows, numeric)
    return Shown(page, f"{text}\n{more}" if more else text)


def _step_row(step, name, count, cuts, upcoming):
    cells = "".join(
        f'<td dir="auto" style="text-align:left;{CODE}">'
        f"{_boxes(ids, spelled, _about_to_merge(spelled, upcoming), MOST_STEPPED)}"
        f"<div>{len(ids)} tokens</div></td>"
        for ids, spelled in cuts
    )
    merge = html.escape(f"{name}, {count}×" if name else "characters")
    return f'<tr><td>{step}</td><td style="text-align:left;{CODE}">{merge}</td>{cells}</tr>'


def _about_to_merge(spelled, merge):
    """The places of the tokens that the next merge joins."""
    places, at = set(), 0
    while merge and at + 1 < len(spelled):
        joins = (spelled[at], spelled[at + 1]) == (merge.left, merge.right)
        places |= {at, at + 1} if joins else set()
        at += 1 + joins
    return places


STEPPER = Template("""<div class="bpelab-stepper $no_math" tabindex="0"
 role="group" aria-label="Training, step by step">
<table><caption style="text-align:left">Each row is a step; a red line marks the pair that the next one joins.</caption>
<thead><tr><th>step</th><th style="text-align:left">merge, count</th>$heads</tr></thead>
<tbody>$body</tbody></table>$more
<style>@media print {
.bpelab-stepper tr[hidden] { display: table-row !important }
.bpelab-stepper td[hidden], .bpelab-stepper th[hidden] { display: table-cell !important }
.bpelab-stepper .controls { display: none } }</style>
<script>
document.querySelectorAll(".bpelab-stepper:not([data-ready])").forEach(function (root) {
  root.dataset.ready = "yes";
  function make(tag, label, text) {
    var element = document.createElement(tag);
    if (label) { element.setAttribute("aria-label", label); }
    if (text) { element.textContent = text; }
    return element;
  }
  var rows = root.querySelectorAll("tbody tr"), last = rows.length - 1, timer = null;
  var controls = make("p"), slider = make("input", "step"), said = make("output"), choice = make("select", "sample");
  var back = make("button", "previous step", "\u25c0"), next = make("button", "next step", "\u25b6");
  var play = make("button", "play", "\u25b6\u25b6");
  controls.className = "controls";
  slider.type = "range"; slider.min = 0; slider.max = last; slider.value = 0;
  said.setAttribute("aria-live", "polite");
  [back, play, next].forEach(function (button) { button.type = "button"; });
  choice.append(make("option", "", "all samples"));
  root.querySelectorAll("thead th").forEach(function (head, i) {
    if (i > 1) { choice.append(make("option", "", head.textContent)); }
  });
  controls.append(back, slider, next, play, said, choice);
  root.prepend(controls);
  function show() {
    rows.forEach(function (row, step) { row.hidden = step !== Number(slider.value); });
    root.querySelectorAll("tr").forEach(function (row) {
      for (var i = 2; i < row.cells.length; i++) {
        row.cells[i].hidden = choice.selectedIndex > 0 && choice.selectedIndex !== i - 1;
      }
    });
    said.textContent = " step " + slider.value + " of " + last + " ";
  }
  function go(step) { slider.value = Math.max(0, Math.min(last, step)); show(); }
  function stop() {
    clearInterval(timer); timer = null; play.textContent = "\u25b6\u25b6"; play.setAttribute("aria-label", "play");
  }
  function step() { if (Number(slider.value) >= last) { stop(); } else { go(Number(slider.value) + 1); } }
  back.onclick = function () { go(Number(slider.value) - 1); };
  next.onclick = function () { go(Number(slider.value) + 1); };
  play.onclick = function () {
    if (timer) { stop(); return; }
    if (Number(slider.value) >= last) { go(0); }
    play.textContent = "\u275a\u275a"; play.setAttribute("aria-label", "pause"); timer = setInterval(step, 900);
  };
  slider.oninput = choice.onchange = show;
  root.addEventListener("keydown", function (event) {
    if (event.target === choice) { return; }
    var now = Number(slider.value);
    var to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (to === undefined) { return; }
    go(to); event.preventDefault(); event.stopPropagation();
  });
  show();
});
</script>
</div>""")
