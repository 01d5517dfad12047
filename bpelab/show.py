"""What a notebook shows: tables, tokens in colour, source code.

HTML is plain and escaped: text may come from anywhere. Each object has a text form too, which is
what a terminal shows and what nbval compares.
"""

import html
import inspect
import re
import unicodedata
from collections.abc import Mapping
from itertools import accumulate
from string import Template

import regex

from bpelab import checks
from bpelab.parity import recipes
from bpelab.spelling import NAMES, character_bytes, escaped, label, readable

# Light backgrounds that people with any colour vision tell apart, side by side; dark text on them.
COLOURS = ("#cfe8fa", "#fbe3b5", "#d3efd9", "#f6d3e3")
CODE = "font-family:monospace;white-space:normal"
BOX = (
    "display:inline-block;margin:0 1px 2px 0;padding:1px 4px;border-radius:3px;color:#111;"
    "text-align:center;vertical-align:bottom;line-height:1.25"
)
FRAME = (
    "display:inline-block;margin:0 3px 2px 0;padding:0 1px;border:1px solid #888;border-radius:4px;"
    "text-align:center;vertical-align:bottom;line-height:1.25"
)


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
    names = [_cell(str(name)) for name in frame.columns]
    numeric = [pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False)]
    return Shown(_html_table(names, rows, numeric), _text_table(names, rows, numeric))


def _cell(value):
    if isinstance(value, float):
        return "" if value != value else f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "".join(_in_line(character) for character in str(value))


def _in_line(character):
    """A character of a table's cell; what would break the line or the terminal is escaped."""
    if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return NAMES.get(character) or escaped(character)
    return character


def _html_table(names, rows, numeric):
    def cells(tag, values):
        sides = ("right" if is_number else "left" for is_number in numeric)
        return "".join(
            f'<{tag} style="text-align:{side};white-space:pre-wrap">{html.escape(value)}</{tag}>'
            for side, value in zip(sides, values, strict=True)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', names)}</tr></thead><tbody>{body}</tbody></table>"


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
        return Shown(f'<div style="{CODE}">{_boxes(ids, spelled)}</div>', "|".join(map(label, spelled)))
    rows, lines = [], []
    for name, one in tok.items():
        ids, spelled = pieces(one, text)
        title = f"{html.escape(str(name))}<br><small>{len(ids):,} tokens</small>"
        rows.append(
            f'<tr><td style="text-align:left;vertical-align:top">{title}</td>'
            f'<td style="text-align:left;{CODE}">{_boxes(ids, spelled)}</td></tr>'
        )
        lines.append(f"{name} ({len(ids)}): {'|'.join(map(label, spelled))}")
    return Shown(f"<table><tbody>{''.join(rows)}</tbody></table>", "\n".join(lines))


def pieces(tok, text):
    """The ids and the tokens (bytes) of `text` under a tokenizer of ours, tiktoken's or Hugging Face's."""
    if hasattr(tok, "token_bytes"):
        return tok.encode(text), tok.token_bytes(text)
    if hasattr(tok, "decode_single_token_bytes"):
        ids = tok.encode_ordinary(text)
        return ids, [tok.decode_single_token_bytes(i) for i in ids]
    encoded = tok.encode(text, add_special_tokens=False)
    byte_of = character_bytes()
    level = isinstance(getattr(tok, "decoder", None), _byte_level_decoder())
    spelled = [
        bytes(byte_of[c] for c in token) if level and byte_of.keys() >= set(token) else token.encode()
        for token in encoded.tokens  # added tokens stand as they are
    ]
    return encoded.ids, spelled


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
    shown = readable(cluster)
    hidden = any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in shown)
    return label(cluster) if hidden else shown.replace(" ", NAMES[" "])


def _boxes(ids, spelled):
    """Each token as a box, its colour the next of four; pieces of one character in a frame."""
    boxes, at = [], 0
    for group in clusters(spelled):
        inner = []
        for token in group:
            colour = COLOURS[at % len(COLOURS)]
            inner.append(
                f'<span style="{BOX};background:{colour}">{html.escape(label(token))}'
                f'<span style="display:block;font-size:0.7em;color:#444">{ids[at]}</span></span>'
            )
            at += 1
        if len(group) > 1:
            whole = html.escape(_whole(b"".join(group)))
            boxes.append(f'<span style="{FRAME}"><span style="display:block">{whole}</span>{"".join(inner)}</span>')
        else:
            boxes += inner
        if group[-1].endswith(b"\n"):
            boxes.append("<br>")
    return "".join(boxes)


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
    of them, stands in the page as a table; a little script, where scripts run, shows one step at a time
    with a slider, buttons, the arrow keys and a choice of sample. No kernel is needed.

    >>> from bpelab import train
    >>> stepper(train("low low lower", 2), ["low lower"])
    step  merge   count  low␣lower
       0                  9 tokens
       1  l + o       3   7 tokens
       2  lo + w      3   5 tokens
    """
    if isinstance(samples, str):
        raise TypeError("samples must be a list of str, got one str; put it in a list")
    samples = list(checks.documents("samples", samples))
    if not samples:
        raise ValueError("samples must not be empty")
    body, rows = [], []
    for step in range(len(tok.merges) + 1):
        name, count = _step(tok, step)
        cuts = [pieces(tok.truncate(step), sample) for sample in samples]
        body.append(_step_row(step, name, count, cuts))
        rows.append([str(step), name, count, *(f"{len(ids)} tokens" for ids, _ in cuts)])
    names = [_whole(sample.encode()) for sample in samples]
    page = STEPPER.substitute(
        heads="".join(f'<th style="text-align:left">{html.escape(name)}</th>' for name in names),
        options="".join(f"<option>{html.escape(name)}</option>" for name in names),
        body="".join(body),
        last=len(tok.merges),
    )
    numeric = [True, False, True, *(True for _ in samples)]
    return Shown(page, _text_table(["step", "merge", "count", *names], rows, numeric))


def _step(tok, step):
    """The merge of a step as people read it, and its count."""
    if step == 0:
        return "", ""
    merge = tok.merges[step - 1]
    return f"{label(merge.left)} + {label(merge.right)}", f"{merge.count:,}"


def _step_row(step, name, count, cuts):
    cells = "".join(
        f'<td style="text-align:left;{CODE}">{_boxes(ids, spelled)}<div>{len(ids)} tokens</div></td>'
        for ids, spelled in cuts
    )
    merge = html.escape(f"{name}, {count}×" if name else "characters")
    return f'<tr><td>{step}</td><td style="text-align:left;{CODE}">{merge}</td>{cells}</tr>'


STEPPER = Template("""<div class="bpelab-stepper" tabindex="0">
<p class="controls" hidden>
<button type="button" aria-label="previous step">◀</button>
<input type="range" min="0" max="$last" value="0" aria-label="step">
<button type="button" aria-label="next step">▶</button>
<output>step 0 of $last</output>
<select aria-label="sample"><option>all samples</option>$options</select>
</p>
<table><thead><tr><th>step</th><th style="text-align:left">merge, count</th>$heads</tr></thead>
<tbody>$body</tbody></table>
<script>
document.querySelectorAll(".bpelab-stepper:not([data-ready])").forEach(function (root) {
  root.dataset.ready = "yes";
  var slider = root.querySelector("input"), choice = root.querySelector("select");
  var buttons = root.querySelectorAll("button"), rows = root.querySelectorAll("tbody tr");
  function show() {
    rows.forEach(function (row, step) { row.hidden = step !== Number(slider.value); });
    root.querySelectorAll("tr").forEach(function (row) {
      for (var i = 2; i < row.cells.length; i++) {
        row.cells[i].hidden = choice.selectedIndex > 0 && choice.selectedIndex !== i - 1;
      }
    });
    root.querySelector("output").textContent = "step " + slider.value + " of " + slider.max;
  }
  function move(by) { slider.value = Number(slider.value) + by; show(); }
  buttons[0].onclick = function () { move(-1); };
  buttons[1].onclick = function () { move(1); };
  slider.oninput = choice.onchange = show;
  root.onkeydown = function (event) {
    if (event.target === slider || event.target === choice) { return; }
    if (event.key === "ArrowLeft") { move(-1); event.preventDefault(); }
    if (event.key === "ArrowRight") { move(1); event.preventDefault(); }
  };
  root.querySelector(".controls").hidden = false;
  show();
});
</script>
</div>""")
