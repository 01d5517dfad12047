"""Text to train and measure on: our own parallel sentences, text out of installed packages, your files.

| name | what it is |
|---|---|
| "parallel" | English and Japanese sentence pairs in sixteen registers, written for this book, public domain (CC0) |
| "jupyterlab" | JupyterLab's interface messages and their translations: modern, short; BSD |
| "bible" | the World English Bible and a literary Japanese Bible (old kanji, old grammar), by verse, 4 MB each |

The Bible's Japanese is good for size and for showing a gap between domains; it is no picture of
modern Japanese. "jupyterlab" and "bible" need a package; the error says which.

A source is one of these names or a path; for pairs also two paths, a .tsv or a .tmx:

    text("parallel", "ja")   text("my.txt")   pairs(("my.en.txt", "my.ja.txt"))   pairs("my.tmx")
"""

from collections import namedtuple
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bpelab import checks
from bpelab.corpora import packaged, parallel, splits
from bpelab.corpora.packaged import MODULES, available
from bpelab.corpora.reading import decoded, lines, located, read, spelled

__all__ = [
    "LANGUAGES",
    "MODULES",
    "Pair",
    "available",
    "decoded",
    "languages",
    "lines",
    "originals",
    "pairs",
    "read",
    "registers",
    "text",
]
LANGUAGES = ("en", "ja")


class Pair(NamedTuple):
    """The same content in English and in Japanese (of a file: its first and its second side)."""

    en: str
    ja: str


def text(source, language=None, split="all", *, encoding=None):
    """A text as one str: a built-in one, or your file.

    source: a built-in name or a path; also what `pairs` takes.
    language: "en" is the first side of a parallel text, another language the second side; None is
        both, each sentence followed by its translation, a line each. A plain file has one side:
        every language gives the whole of it.
    split: "all", "train" or "test"; the parts share no sentence. A plain file is split by lines:
        every tenth distinct line is for testing (of a single line, its end).
    encoding: of a file, as `read` takes it.

    FileNotFoundError where there is no such file; ValueError for a name that is none, and where a file
    holds no text; ImportError where a built-in text's package is missing.

    >>> text("parallel", "ja").startswith("3月5日未明")
    True
    """
    if _is_plain(source):
        checks.choice("split", split, splits.SPLITS)
        _language(language)
        return splits.text(_plain(source, encoding), split)
    second = None if language in (None, "en") else language
    rows = pairs(source, split, language=second, encoding=encoding)
    sides = (0, 1) if language is None else (0 if language == "en" else 1,)
    return "".join(row[side] + "\n" for row in rows for side in sides)


def pairs(source, split="all", *, language=None, encoding=None):
    """The aligned sentences of a parallel text: a list of `Pair(en, ja)`.

    source: a built-in name; two paths, whose files match line by line; a .tsv, whose columns are the
        text and its translation (ids, credits and a line of names may stand beside and above them);
        a .tmx. A plain file has no translation: each of its lines stands on both sides.
    split: "all"; "test", every tenth pair; "train", the others less those that share a sentence,
        on either side, with the test.
    language: the second side, where a source holds several (see `languages`); the pairs then have
        its name: `pair.en`, `pair.ko`.
    encoding: of files, as `read` takes it.

    Errors as in `text`; files of unequal length are a ValueError with both names and counts.

    >>> pairs("parallel")[0].en.startswith("An earthquake")
    True
    """
    checks.choice("split", split, splits.SPLITS)
    if _language(language) == "en":
        raise ValueError("language is that of the second side of pairs; the first is English")
    made = Pair if language in (None, "ja") else _pair(language)
    if _is_plain(source):
        part = splits.text(_plain(source, encoding), split)
        return [made(line, line) for line in lines(part) if line.strip()]
    rows = _rows(source, language, encoding)
    if not rows:
        raise ValueError(f"{_shown(source)} holds no text")
    return splits.pairs([made(*row) for row in rows], split)


def languages(source):
    """The languages of a text: those of a built-in one that are installed; [] for a plain file.

    Other files of pairs have two sides, called "en" and "ja" here whatever they hold.

    >>> languages("parallel")
    ['en', 'ja']
    """
    if _is_builtin(source):
        return packaged.languages(source)
    if _is_plain(source):
        _found(source)
        return []
    return list(LANGUAGES)


def registers(split="all"):
    """The register ("news", "recipe", ...) of each pair of "parallel", in the order of `pairs`."""
    return _column("register", split)


def originals(split="all"):
    """The language, "en" or "ja", in which each pair of "parallel" was written first, in the order of `pairs`.

    "unknown" for the oldest 480 pairs, of which there is no record.
    """
    return _column("first", split)


def _column(name, split):
    checks.choice("split", split, splits.SPLITS)
    rows = packaged.parallel_rows()
    of = {(row["en"], row["ja"]): row[name] for row in rows}
    return [of[pair] for pair in pairs("parallel", split)]


@lru_cache
def _pair(language):
    """A class like `Pair`, whose second side is another language."""
    return namedtuple("Pair", ["en", language.replace("-", "_")])


def _language(language):
    """`language`, if it looks like a code such as "ko" or "zh-TW"."""
    if language is None:
        return None
    if not isinstance(language, str):
        raise TypeError(f"language must be a str or None, got {type(language).__name__}")
    if not language.replace("-", "").isalnum() or not language[:1].isalpha():
        raise ValueError(f"language must be a code such as 'en' or 'ko', got {checks.shown(language)}")
    return language


def _is_builtin(source):
    return isinstance(source, str) and source in packaged.LOADERS


def _is_plain(source):
    """Whether the source is one file without a translation."""
    if isinstance(source, str | Path):
        return not _is_builtin(source) and Path(source).suffix.lower() not in (".tsv", ".tmx")
    return False


def _found(source):
    """The file of a plain source; a bare word that is no file was meant as a name."""
    path = Path(source).expanduser()
    if isinstance(source, str) and path.name == source and not path.suffix and not path.exists():
        names = ", ".join(map(repr, packaged.LOADERS))
        raise ValueError(
            f"source must be one of {names}, or a path; got {source!r}, and there is no such file in "
            f"{spelled(Path.cwd())} (a notebook looks in its own folder, notebooks/)"
        )
    return located(source)


def _plain(source, encoding):
    """The text of a plain file, which must hold some."""
    text = read(_found(source), encoding)
    if not text.strip():
        raise ValueError(f"{spelled(source)} holds no text")
    return text


def _rows(source, language, encoding):
    """All the pairs of a parallel source, as tuples."""
    if _is_builtin(source):
        if encoding is not None:
            raise ValueError(f"encoding is for files of yours; {source!r} is a built-in text")
        known = list(LANGUAGES) if source != "jupyterlab" else ["en", *packaged.LOCALES]
        chosen = checks.choice("language", "ja" if language is None else language, known)
        return packaged.LOADERS[source](chosen)
    if isinstance(source, str | Path):
        if Path(source).suffix.lower() == ".tmx":
            return parallel.tmx(source, language, encoding)
        return parallel.tab_separated(source, encoding)
    if isinstance(source, tuple | list) and len(source) == 2:
        return parallel.two_files(*source, encoding)
    raise TypeError(f"source must be a built-in name, a path or two paths, got {checks.shown(source)}")


def _shown(source):
    return " and ".join(map(spelled, source)) if isinstance(source, tuple | list) else spelled(source)
