"""Text to chunks. A merge never crosses the border of two chunks.

The field calls this pre-tokenization. The published patterns are those of tiktoken's
`openai_public.py` (0.14), character for character.
"""

from collections import Counter
from collections.abc import Hashable
from functools import lru_cache

import numpy as np
import regex

from bpelab import checks, scanner
from bpelab.spelling import VISIBLE_BLANK

PATTERNS = {
    # A blank starts the next chunk.
    "space": r"[ ][^ ]*|[^ ]+",
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "cl100k": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "o200k": "|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
    # A newline ends its line; "\r\n" stays whole, a lone "\r" is no line end.
    "lines": r"[^\n]*\n|[^\n]+",
    "whole": r"(?s:.+)",
}
#: From this many characters on, texts with a published pattern are cut in compiled code.
SCANNED_FROM = 2000
#: About so many characters are cut at a time.
MOST_AT_ONCE = 1 << 20
#: A pattern is not longer than this (characters), repeats nothing more often than this, and gets this long
#: (seconds, and for each character) to cut a text: patterns come in files, and some never end.
LONGEST_PATTERN, MOST_REPEATS, PATIENCE, PATIENCE_A_CHARACTER = 10_000, 10_000, 3.0, 1e-4

SCRIPTS = (
    "Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada "
    "Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Khmer Mongolian Bopomofo Yi"
).split()
LETTERS = [r"[\p{Han}\p{Hiragana}\p{Katakana}ー]", *(rf"\p{{{name}}}" for name in SCRIPTS), r"(?!ー)\p{Common}"]
#: A run of one script, perhaps a visible blank before it; ー belongs to the kana although Unicode calls it
#: common, as it does the blank: common characters come last.
SCRIPT_RUNS = "|".join(rf"▁?(?:{letter}\p{{Inherited}}*)+" for letter in LETTERS)
SCRIPT_RUNS += "|(?s:.)"


def _words(text):
    """Lower-cased runs of word characters; all else is dropped."""
    return _compiled(r"\w+").findall(text.lower())


def _subword_nmt(text):
    """Each line split at its blanks, which are dropped, as line ends are."""
    return [word for line in text.split("\n") for word in line.strip("\r\n ").split(" ") if word]


def _sentencepiece(text):
    """Words between ASCII white space, a visible blank before each: runs of white space count as one."""
    return [VISIBLE_BLANK + word for word in _compiled(r"[^ \t\n\v\f\r]+").findall(text)]


def _sentencepiece_scripts(text):
    """The same, cut where the script changes too; kana count as Han, a mark as what it stands on."""
    return [run for word in _sentencepiece(text) for run in _compiled(SCRIPT_RUNS).findall(word)]


#: Names whose chunks do not join back to the text: they rewrite it or drop parts of it.
LOSSY_CHUNKERS = {
    "words": _words,
    "subword-nmt": _subword_nmt,
    "sentencepiece": _sentencepiece,
    "sentencepiece-scripts": _sentencepiece_scripts,
}
LOSSY = tuple(LOSSY_CHUNKERS)
NAMES = (*PATTERNS, *LOSSY)


def chunk(text, chunking="space"):
    """Cut `text` into chunks (str), which join back to it unless the chunking is lossy.

    `chunking` is a name ("space", "gpt2", "cl100k", "o200k", "lines", "whole"; lossy: "words",
    lower-cased runs of word characters; "subword-nmt", "sentencepiece", "sentencepiece-scripts", what
    those libraries do to blanks and scripts), a regular expression of the `regex` package, or a
    callable str -> list of str.

    >>> chunk("low lower")
    ['low', ' lower']
    >>> chunk("a  b")
    ['a', ' ', ' b']
    >>> chunk("It's 2024.", "gpt2")
    ['It', "'s", ' 2024', '.']
    >>> chunk("The cat, the dog.", "words")
    ['the', 'cat', 'the', 'dog']
    >>> chunk("a  猫が2匹", "sentencepiece-scripts")
    ['▁a', '▁猫が', '2', '匹']

    ValueError: a bare word that is no name, a pattern that does not compile or does not cover the
    text (the first uncovered span is named), a callable whose chunks do not join back.
    """
    return splitter(chunking)(checks.text("text", text))


def count_chunks(texts, chunking="space"):
    """How often each distinct chunk occurs: a dict chunk -> count, in the order first seen.

    `texts` is a str, or an iterable of documents; each is read once and no chunk spans two.

    >>> count_chunks("low low lower")
    {'low': 1, ' low': 1, ' lower': 1}
    """
    splitter(chunking)
    return dict(counted(checks.documents("texts", texts), chunking))


def counted(documents, chunking):
    """`count_chunks` of documents that are checked already: a mapping. Held at a time: a few million characters."""
    counts, scanned = Counter(), scanner.Chunks()
    for batch in batches(documents):
        if chunking in scanner.RULES and (len(scanned) or sum(map(len, batch)) >= SCANNED_FROM):
            if max(map(len, batch), default=0) <= MOST_AT_ONCE:
                scanned.scan(batch, chunking)
                continue
            for text in batch:
                for part in scanner.parts(text, chunking, MOST_AT_ONCE):
                    scanned.scan([part], chunking)
            continue
        chunks, numbers, _ = distinct(batch, chunking)
        for chunk, n in zip(chunks, np.bincount(numbers, minlength=len(chunks)).tolist(), strict=True):
            counts[chunk] += n
    return scanned if len(scanned) else dict(counts)


def distinct(documents, chunking):
    """The distinct chunks of some documents (list of str, checked), each cut once.

    Returns (chunks: list of str in the order first seen; numbers: int array, for each chunk in turn its
    place in that list; counts: int array, how many chunks each document has).

    >>> chunks, numbers, counts = distinct(["low low", " low"], "space")
    >>> chunks, numbers.tolist(), counts.tolist()
    (['low', ' low'], [0, 1, 1], [2, 1])
    """
    sizes = np.fromiter(map(len, documents), np.int64, len(documents))
    if isinstance(chunking, str) and chunking in scanner.RULES and sizes.sum() >= SCANNED_FROM:
        chunks, numbers = scanner.scan(documents, chunking)
        lengths = np.fromiter(map(len, chunks), np.int64, len(chunks))
        ends = np.searchsorted(np.cumsum(lengths[numbers]), np.cumsum(sizes), side="right")
        return chunks, numbers, np.diff(ends, prepend=0)
    split, number_of, numbers, counts = splitter(chunking), {}, [], []
    for document in documents:
        found = split(document)
        numbers += [number_of.setdefault(chunk, len(number_of)) for chunk in found]
        counts.append(len(found))
    return list(number_of), np.array(numbers, np.int64), np.array(counts, np.int64)


def batches(documents, size=MOST_AT_ONCE):
    """Lists of documents with about `size` characters each: enough to scan, little to hold."""
    batch, held = [], 0
    for document in documents:
        batch.append(document)
        held += len(document)
        if held >= size:
            yield batch
            batch, held = [], 0
    yield batch


def splitter(chunking):
    """The function str -> list of str that `chunking` stands for; checked once, used often."""
    if callable(chunking):
        if not isinstance(chunking, Hashable):
            raise TypeError(
                f"chunking: a callable must be hashable, and {type(chunking).__name__} is not; wrap it in a def"
            )
        return lambda text: _joined(text, chunking(text))
    if not isinstance(chunking, str):
        raise TypeError(f"chunking must be a name, a pattern or a callable, got {type(chunking).__name__}")
    if chunking in LOSSY_CHUNKERS:
        return LOSSY_CHUNKERS[chunking]
    if chunking in PATTERNS:
        return _compiled(PATTERNS[chunking]).findall
    checks.text("chunking", chunking)
    if not chunking or regex.fullmatch(r"[\w-]+", chunking):
        raise ValueError(
            f"chunking must be one of {', '.join(map(repr, NAMES))}, a regular expression "
            f"or a callable; got {chunking!r}"
        )
    _bounded(chunking)
    pattern = _compiled(chunking)
    return lambda text: _covered(text, pattern)


def _bounded(pattern):
    """Refuse a pattern that is too long to compile, calls itself, or repeats what is repeated too often."""
    if len(pattern) > LONGEST_PATTERN:
        raise ValueError(
            f"chunking: a pattern may have {LONGEST_PATTERN:,} characters, got {len(pattern):,}; shorten it"
        )
    if regex.search(r"\(\?(?:R|[+-]?\d|&|P>)", pattern):
        raise ValueError(f"chunking: a pattern may not call itself or a group, got {checks.shown(pattern)}")
    repeats = 1
    for least, most in regex.findall(r"\{(\d*)(?:,(\d*))?\}", pattern):
        repeats *= max(1, int((most or least or "1")[:12]))
    if repeats > MOST_REPEATS:
        raise ValueError(
            f"chunking: the counted repeats of the pattern multiply to more than {MOST_REPEATS:,}; "
            f"use * or + in {checks.shown(pattern)}"
        )


@lru_cache(maxsize=64)
def _compiled(pattern):
    try:
        return regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError, MemoryError) as error:
        raise ValueError(f"chunking is not a valid pattern: {error}; got {checks.shown(pattern)}") from None


def _covered(text, pattern):
    """All non-empty matches, or the ValueError that names the first span left uncovered."""
    chunks, end = [], 0
    patience = PATIENCE + PATIENCE_A_CHARACTER * len(text)
    try:
        for match in pattern.finditer(text, timeout=patience):
            if match.start() > end:
                raise _uncovered(text, pattern, end, match.start())
            if match.end() > end:
                chunks.append(match.group())
                end = match.end()
    except TimeoutError:
        raise ValueError(
            f"chunking: the pattern {checks.shown(pattern.pattern)} was not done with {len(text):,} characters "
            f"after {patience:.0f} seconds, at character {end}; it tries too many ways to match: avoid nested repeats"
        ) from None
    if end < len(text):
        raise _uncovered(text, pattern, end, len(text))
    return chunks


def _uncovered(text, pattern, start, stop):
    return ValueError(
        f"chunking: the pattern {pattern.pattern!r} leaves characters {start} to {stop} uncovered, "
        f"{checks.shown(text[start:stop])}; add an alternative for them, such as |[\\s\\S]"
    )


def _joined(text, chunks):
    """The chunks a callable returned, checked: str, and nothing of the text lost."""
    chunks = list(chunks)
    for piece in chunks:
        if not isinstance(piece, str):
            raise TypeError(f"chunking must return str chunks, got {type(piece).__name__}")
    joined = "".join(chunks)
    if joined != text:
        at = next(
            (i for i, (a, b) in enumerate(zip(joined, text, strict=False)) if a != b), min(len(joined), len(text))
        )
        raise ValueError(
            f"chunking: the chunks that the callable returned do not join back to the text; they "
            f"part at character {at}, {checks.shown(text[at : at + 20])}: return every character, blanks too"
        )
    return [piece for piece in chunks if piece]
