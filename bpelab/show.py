"""What a notebook shows: tables, tokens in colour, source code.

HTML is plain and escaped: text may come from anywhere. Each object has a text form too, which is
what a terminal shows and what nbval compares.
"""

import html
import inspect
import re
import unicodedata

from bpelab.tokenizer import readable

# Light backgrounds that people with any colour vision tell apart, side by side; dark text on them.
COLOURS = ("#cfe8fa", "#fbe3b5", "#d3efd9", "#f6d3e3")
NAMES = {" ": "␣", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\", "␣": r"\u2423"}


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


def label(token):
    """A token (bytes or str) as a one-line label: blanks and invisible characters become visible.

    >>> [label(t) for t in (" low", b"\\n", "\\u200b", "猫".encode()[:2], "")]
    ['␣low', '\\\\n', '\\\\u200b', '<0xE7><0x8C>', '∅']
    """
    shown = readable(token) if isinstance(token, bytes) else token
    shown = "".join(NAMES.get(character) or _visible(character) for character in shown)
    if shown and unicodedata.category(shown[0]).startswith("M"):
        shown = _escaped(shown[0]) + shown[1:]
    return shown or "∅"


def _visible(character):
    return character if character.isprintable() else _escaped(character)


def _escaped(character):
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def table(data):
    """Rows as a table without an index: a DataFrame, or anything `pandas.DataFrame` takes.

    >>> table([{"token": "猫", "count": 3}, {"token": "low", "count": 12}])
    token  count
    猫         3
    low       12
    """
    import pandas as pd

    frame = data if isinstance(data, pd.DataFrame) else pd.DataFrame(data)
    names = [str(name) for name in frame.columns]
    numeric = [pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    rows = [[_cell(value) for value in row] for row in frame.itertuples(index=False)]
    return Shown(_html_table(names, rows, numeric), _text_table(names, rows, numeric))


def _cell(value):
    if isinstance(value, float):
        return "" if value != value else f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _html_table(names, rows, numeric):
    def cells(tag, values):
        sides = ("right" if is_number else "left" for is_number in numeric)
        return "".join(
            f'<{tag} style="text-align:{side}">{html.escape(value)}</{tag}>'
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
    """The tokens of `text` in colour, the id below each.

    The text form joins them with |.

    >>> from bpelab import train
    >>> tokens(train("low low lower", 3), "low lower")
    low|␣low|e|r
    """
    ids, labels = tok.encode(text), [label(token) for token in tok.token_bytes(text)]
    boxes = [
        f'<span style="display:inline-block;margin:0 1px 2px 0;padding:1px 4px;border-radius:3px;'
        f'background:{COLOURS[at % len(COLOURS)]};color:#111;text-align:center;line-height:1.25">'
        f"{html.escape(shown)}"
        f'<span style="display:block;font-size:0.7em;color:#444">{number}</span></span>'
        for at, (shown, number) in enumerate(zip(labels, ids, strict=True))
    ]
    breaks = [box + "<br>" if shown.endswith("\\n") else box for box, shown in zip(boxes, labels, strict=True)]
    return Shown(f'<div style="font-family:monospace">{"".join(breaks)}</div>', "|".join(labels))


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
