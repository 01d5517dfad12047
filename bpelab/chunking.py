"""Text to chunks. A merge never crosses the border of two chunks.

The field calls this pre-tokenization. The published patterns are those of tiktoken's
`openai_public.py` (0.14), character for character.
"""

from collections import Counter
from functools import lru_cache

import numpy as np
import regex

from bpelab import checks, scanner

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
BLANK = "\u2581"  # ▁, SentencePiece's visible blank


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
    return [BLANK + word for word in _compiled(r"[^ \t\n\v\f\r]+").findall(text)]


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
    split, counts = splitter(chunking), Counter()
    documents = checks.documents("texts", texts)
    if chunking in scanner.CODES:
        for batch in batches(documents):
            chunks, numbers = scanner.scan(batch, chunking)
            for chunk, n in zip(chunks, np.bincount(numbers).tolist(), strict=True):
                counts[chunk] += n
    else:
        for document in documents:
            counts.update(split(document))
    return dict(counts)


def batches(documents, size=1 << 22):
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
        return lambda text: _joined(text, chunking(text))
    if not isinstance(chunking, str):
        raise TypeError(f"chunking must be a name, a pattern or a callable, got {type(chunking).__name__}")
    if chunking in LOSSY_CHUNKERS:
        return LOSSY_CHUNKERS[chunking]
    if chunking in PATTERNS:
        return _compiled(PATTERNS[chunking]).findall
    if not chunking or regex.fullmatch(r"[\w-]+", chunking):
        raise ValueError(
            f"chunking must be one of {', '.join(map(repr, NAMES))}, a regular expression "
            f"or a callable; got {chunking!r}"
        )
    pattern = _compiled(chunking)
    return lambda text: _covered(text, pattern)


@lru_cache(maxsize=64)
def _compiled(pattern):
    try:
        return regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError) as error:
        raise ValueError(f"chunking is not a valid pattern: {error}; got {pattern!r}") from None


def _covered(text, pattern):
    """All non-empty matches, or the ValueError that names the first span left uncovered."""
    chunks, end = [], 0
    for match in pattern.finditer(text):
        if match.start() > end:
            raise _uncovered(text, pattern, end, match.start())
        if match.end() > end:
            chunks.append(match.group())
            end = match.end()
    if end < len(text):
        raise _uncovered(text, pattern, end, len(text))
    return chunks


def _uncovered(text, pattern, start, stop):
    return ValueError(
        f"chunking: the pattern {pattern.pattern!r} leaves characters {start} to {stop} uncovered, "
        f"{checks.shown(text[start:stop])}; add an alternative for them, such as |(?s:.)"
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
