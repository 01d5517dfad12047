"""Hugging Face's pre-tokenizers: each a function that cuts pieces of text into smaller pieces.

A piece is (text, first): whether it starts where the whole text does, which one Metaspace scheme asks.
"""

from functools import lru_cache, partial

import regex

from bpelab.readers import oniguruma
from bpelab.readers.classes import WHITE, members
from bpelab.readers.normalizers import pattern_of
from bpelab.spelling import byte_characters

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
WORDS = rf"[{oniguruma.WORD}\u200c\u200d]+|[^{oniguruma.WORD}\u200c\u200d\s]+"


def pre_tokenizer(fields):
    """The function list of pieces -> list of pieces that a "pre_tokenizer" stands for; None for none."""
    return None if fields is None else fields.type(READERS)(fields)


def each(cut, pieces):
    """Cut each piece; empty ones go."""
    return [(text, first and not at) for piece, first in pieces for text, at in cut(piece, first) if text]


# --- cutting at what matches ----------------------------------------------------------------------


def matches(found, size):
    """Spans that were found, and what lies between: (start, end, whether it was found), covering all."""
    covered, done = [], 0
    for start, end in found:
        if done < start:
            covered.append((done, start, False))
        covered.append((start, end, True))
        done = end
    return [*covered, (done, size, False)] if done < size else covered


def joined(spans, behavior):
    """The spans (start, end) that a behavior of `Split` leaves of what `matches` returns."""
    if behavior == "Isolated":
        return [span[:2] for span in spans]
    if behavior == "Removed":
        return [span[:2] for span in spans if not span[2]]
    if behavior == "MergedWithNext":
        backwards = [(-end, -start, found) for start, end, found in reversed(spans)]
        return [(-end, -start) for start, end in reversed(joined(backwards, "MergedWithPrevious"))]
    merged, before = [], False
    for start, end, found in spans:
        join = found == before if behavior == "Contiguous" else found and not before
        if join and merged:
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
        before = found
    return merged


def _split(finder, behavior, invert, text, first):
    spans = matches(finder(text), len(text))
    if invert:
        spans = [(start, end, not found) for start, end, found in spans]
    return [(text[start:end], start) for start, end in joined(spans, behavior)]


def splitting(finder, behavior, invert=False):
    """A pre-tokenizer that cuts at what finder(text) -> [(start, end), ...] finds."""
    return partial(each, partial(_split, finder, behavior, invert))


def _literal(wanted, text):
    return [found.span() for found in regex.finditer(regex.escape(wanted), text)] if wanted else []


@lru_cache(maxsize=8)
def _of_class(name):
    return regex.compile(f"[{''.join(map(regex.escape, sorted(WHITE if name == 'white' else members(name))))}]")


def _members(name, text):
    return [found.span() for found in _of_class(name).finditer(text)]


def _read_split(fields):
    pattern = pattern_of(fields, "pattern")
    behavior, invert = fields.choice("behavior", BEHAVIORS), fields.get("invert", bool)
    if isinstance(pattern, str):
        return splitting(partial(_literal, pattern), behavior, invert)
    return splitting(partial(oniguruma.spans, pattern), behavior, invert)


# --- the others -----------------------------------------------------------------------------------


def _read_digits(fields):
    return splitting(partial(_members, "number"), "Isolated" if fields.get("individual_digits", bool) else "Contiguous")


def _read_punctuation(fields):
    return splitting(partial(_members, "punctuation"), fields.choice("behavior", BEHAVIORS, "Isolated"))


def _read_whitespace(fields):
    return splitting(partial(oniguruma.spans, regex.compile(WORDS)), "Removed", True)


def _read_whitespace_split(fields):
    return splitting(partial(_members, "white"), "Removed")


def _read_delimiter(fields):
    delimiter = fields.get("delimiter", str)
    if len(delimiter) != 1:
        fields.refuse("delimiter")
    return splitting(partial(_literal, delimiter), "Removed")


def _read_bert(fields):
    steps = [
        splitting(partial(_members, "white"), "Removed"),
        splitting(partial(_members, "bert_punctuation"), "Isolated"),
    ]
    return partial(_in_turn, tuple(steps))


def _in_turn(steps, pieces):
    for step in steps:
        pieces = step(pieces)
    return pieces


def _read_fixed_length(fields):
    length = fields.get("length", int)
    if length < 1:
        fields.refuse("length")
    return partial(each, partial(_fixed, length))


def _fixed(length, text, first):
    return [(text[at : at + length], at) for at in range(0, len(text), length)]


def _read_metaspace(fields):
    blank = fields.get("replacement", str)
    if len(blank) != 1:
        fields.refuse("replacement")
    scheme = fields.choice("prepend_scheme", ("always", "first", "never"), "always")
    if fields.get("add_prefix_space", bool, scheme != "never") != (scheme != "never"):
        fields.refuse("add_prefix_space")
    return partial(each, partial(_metaspace, blank, scheme, fields.get("split", bool, True)))


def _metaspace(blank, scheme, split, text, first):
    text = text.replace(" ", blank)
    if not text.startswith(blank) and (scheme == "always" or (scheme == "first" and first)):
        text = blank + text
    if not split:
        return [(text, 0)]
    spans = matches(_literal(blank, text), len(text))
    return [(text[start:end], start) for start, end in joined(spans, "MergedWithNext")]


def _read_byte_level(fields):
    cut = oniguruma.compiled(GPT2) if fields.get("use_regex", bool, True) else None
    return partial(each, partial(_byte_level, fields.get("add_prefix_space", bool, True), cut))


def _byte_level(prefix, cut, text, first):
    if prefix and not text.startswith(" "):
        text = " " + text
    spans = [(0, len(text))] if cut is None else [span[:2] for span in matches(oniguruma.spans(cut, text), len(text))]
    return [(_spelled(text[start:end]), start) for start, end in spans]


@lru_cache(maxsize=1 << 16)
def _spelled(text):
    characters = byte_characters()
    return "".join([characters[byte] for byte in text.encode()])


def _read_sequence(fields):
    return partial(_in_turn, tuple(pre_tokenizer(part) for part in fields.parts("pretokenizers")))


READERS = {
    "ByteLevel": _read_byte_level,
    "Metaspace": _read_metaspace,
    "Split": _read_split,
    "Digits": _read_digits,
    "Punctuation": _read_punctuation,
    "Whitespace": _read_whitespace,
    "WhitespaceSplit": _read_whitespace_split,
    "BertPreTokenizer": _read_bert,
    "CharDelimiterSplit": _read_delimiter,
    "FixedLength": _read_fixed_length,
    "Sequence": _read_sequence,
}
