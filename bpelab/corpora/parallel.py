"""Files of the same content in two languages: two plain files, tab-separated ones, TMX.

Each becomes a list of (first, second), without the rows that are blank on both sides.
"""

import re
from xml.parsers import expat

from bpelab import checks
from bpelab.corpora.reading import decoded, lines, located, read, spelled

#: Elements of a TMX segment that hold another program's codes, not text.
CODES = ("bpt", "ept", "it", "ph", "ut")


def two_files(first, second, encoding=None):
    """Line n of the one file beside line n of the other; unequal numbers of lines are an error."""
    sides = [lines(read(path, encoding)) for path in (first, second)]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"parallel files must have as many lines as each other: {spelled(first)} has {len(sides[0]):,}, "
            f"{spelled(second)} {len(sides[1]):,}; one missing line would put each sentence beside the wrong one"
        )
    return _kept(zip(*sides, strict=True))


def tab_separated(path, encoding=None):
    """Two columns of a tab-separated file; quotes are text.

    The columns named en and ja, where a first line names them; else the first two that hold more than
    numbers: Tatoeba's and ManyThings' files have ids before the sentences, or credits after them.
    """
    rows = [line.split("\t") for line in lines(read(path, encoding))]
    heads = [name.strip().lower() for name in rows[0]] if rows else []
    if {"en", "ja"} <= set(heads):
        chosen, start = [heads.index("en"), heads.index("ja")], 1
    else:
        chosen, start = _text_columns(rows), 0
    found = []
    for number, row in enumerate(rows[start:], start + 1):
        if row == [""]:
            continue
        if len(row) <= max(chosen):
            raise ValueError(
                f"{spelled(path)}: line {number} has {len(row)} of at least {max(chosen) + 1} tab-separated columns, "
                f"{checks.shown(chr(9).join(row))}; each line is an English text, a tab and its translation"
            )
        found.append(tuple(row[column].strip() for column in chosen))
    return _kept(found)


def _text_columns(rows):
    """The first two columns that hold more than numbers, such as ids and scores."""
    widths = [len(row) for row in rows if row != [""]]
    columns = range(min(widths, default=0))
    texts = [c for c in columns if not all(_is_number(row[c]) for row in rows if row != [""])]
    return texts[:2] if len(texts) > 1 else [0, 1]


def _is_number(field):
    return re.fullmatch(r"\s*-?[0-9]*\.?[0-9]*\s*", field)


def tmx(path, language=None, encoding=None):
    """The units of a Translation Memory eXchange file: English, and `language` (None: the only other one).

    Where there is no English, the two languages in the order in which they come. A file from a stranger
    may be hostile: one that declares entities is refused, and nothing outside the file is read.
    """
    units = _Units(path, encoding).units
    names = list(dict.fromkeys(name for unit in units for name in unit))
    first = "en" if "en" in names else next(iter(names), None)
    others = [name for name in names if name != first]
    second = language or ("ja" if "ja" in others else others[0] if len(others) == 1 else None)
    if second not in others:
        raise ValueError(
            f"{spelled(path)} holds the languages {', '.join(names) or 'of no unit'}; "
            "a pair takes two: say which one stands beside the first with language="
        )
    return _kept((unit[first], unit[second]) for unit in units if first in unit and second in unit)


class _Units:
    """Reads a TMX file: `units` is a list of {language: text}, languages as in "en" (not "en-US")."""

    def __init__(self, path, encoding):
        self.units, self._language, self._open, self._name = [], None, [], spelled(path)
        data = located(path).read_bytes()
        declared = re.match(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding=["']([\w.-]+)""", data)
        if encoding is None and declared and not declared[1].lower().startswith(b"utf"):
            encoding = declared[1].decode()
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = parser.SkippedEntityHandler = self._entity
        try:
            parser.Parse(decoded(data, self._name, encoding), True)
        except expat.ExpatError as error:
            raise ValueError(f"{self._name} is no valid TMX: {error}") from None

    def _start(self, name, attributes):
        if not self._open and name != "tmx":
            raise ValueError(f"{self._name} is no TMX: its outermost element is {checks.shown(name)}, not tmx")
        self._open.append(name)
        if name == "tu":
            self.units.append({})
        elif name == "tuv":
            said = attributes.get("xml:lang") or attributes.get("lang") or ""
            self._language = re.split("[-_]", said.lower())[0]
        elif name == "seg" and self._language and self.units:
            self.units[-1][self._language] = ""

    def _end(self, name):
        self._open.pop()

    def _text(self, text):
        inside = "seg" in self._open and not any(name in CODES for name in self._open)
        if inside and self.units and self._language in self.units[-1]:
            self.units[-1][self._language] += text

    def _entity(self, name, *_):
        raise ValueError(f"{self._name} declares or uses the entity {checks.shown(name)}, which is not read")


def _kept(rows):
    """The rows as pairs, each side a line, without the rows that are blank on both sides."""
    pairs = [tuple(" ".join(side.split("\n")).strip() for side in row) for row in rows]
    return [pair for pair in pairs if any(pair)]
