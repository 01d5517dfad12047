"""Hugging Face's normalizers: each a function str -> str, as that library (0.23) does it.

It follows older versions of Unicode than Python does; `classes` has what differs.
"""

import base64
import binascii
import unicodedata
from functools import partial, reduce

import regex

from bpelab.readers import charsmap, oniguruma
from bpelab.readers.classes import WHITE, lowered, members
from bpelab.spelling import byte_level

#: Where BERT puts blanks around each character: the ideographs.
IDEOGRAPHS = regex.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf"
    "\U0002f800-\U0002fa1f]"
)
NMT_GONE = frozenset(map(chr, [*range(1, 9), 11, *range(14, 32), 127, 143, 159]))
NMT_BLANK = frozenset("\t\n\f\r \u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd")


def normalizer(fields):
    """The function that a "normalizer" of tokenizer.json stands for; None for none.

    fields: `Fields` or None. ValueError names what can't be read.
    """
    return None if fields is None else fields.type(READERS)(fields)


def _form(form, fields):
    return partial(in_form, form)


def in_form(form, text):
    """A Unicode form, as of the older Unicode: characters that it doesn't know stay and part their neighbours.

    >>> in_form("NFKC", "ﾃﾞ㋿")
    'デ㋿'
    """
    if text.isascii():
        return text
    parts = _newer().split(text)
    parts[::2] = [unicodedata.normalize(form, part) for part in parts[::2]]
    return "".join(parts)


def _newer():
    return _one_of("inert")


def _one_of(name):
    """The pattern of one character of a class, as a group."""
    if name not in _patterns:
        _patterns[name] = regex.compile(f"([{''.join(map(regex.escape, sorted(members(name))))}])")
    return _patterns[name]


_patterns = {}


def lower(text):
    """Small letters, character by character: a Greek sigma at the end of a word is no other than elsewhere.

    >>> lower("ΑΣ"), "ΑΣ".lower()
    ('ασ', 'ας')
    """
    if text.isascii():
        return text.lower()
    return "".join(map(str.lower, text.translate(lowered())))


def without(name, text):
    """The text without the characters of a class."""
    return text if text.isascii() and name != "control" else _one_of(name).sub("", text)


def _bert(fields):
    clean, ideographs = fields.get("clean_text", bool, True), fields.get("handle_chinese_chars", bool, True)
    lowercase = fields.get("lowercase", bool, True)
    strip = fields.get("strip_accents", bool, lowercase)
    steps = [clean and _clean, ideographs and _spaced, strip and _unaccented, lowercase and lower]
    return partial(_in_turn, tuple(step for step in steps if step))


def _in_turn(steps, text):
    return reduce(lambda text, step: step(text), steps, text)


def _clean(text):
    kept = without("control", text)
    return "".join(" " if character in WHITE else character for character in kept)


def _spaced(text):
    return IDEOGRAPHS.sub(r" \g<0> ", text)


def _unaccented(text):
    return without("nonspacing_mark", in_form("NFD", text))


def _strip(fields):
    left, right = fields.get("strip_left", bool, True), fields.get("strip_right", bool, True)
    return partial(_stripped, left, right)


def _stripped(left, right, text):
    white = "".join(WHITE)
    text = text.lstrip(white) if left else text
    return text.rstrip(white) if right else text


def _replace(fields):
    pattern, content = pattern_of(fields, "pattern"), fields.get("content", str)
    if isinstance(pattern, str):
        return partial(_exchanged, pattern, content) if pattern else str
    return partial(_replaced, pattern, content)


def _exchanged(pattern, content, text):
    return text.replace(pattern, content)


def _replaced(pattern, content, text):
    parts, done = [], 0
    for start, end in oniguruma.spans(pattern, text):
        parts += [text[done:start], content]
        done = end
    return "".join([*parts, text[done:]])


def pattern_of(fields, name):
    """A pattern: {"String": text} as str, {"Regex": pattern} compiled."""
    pattern = fields.part(name)
    if pattern is None or len(pattern.value) != 1:
        fields.refuse(name)
    if "String" in pattern.value:
        return pattern.get("String", str)
    try:
        return oniguruma.compiled(pattern.get("Regex", str))
    except oniguruma.Unreadable as error:
        raise ValueError(f"{pattern.place('Regex')} has {error}, which can't be read here") from None


def _prepend(fields):
    return partial(_prepended, fields.get("prepend", str))


def _prepended(prefix, text):
    return prefix + text if text else text


def _nmt(text):
    kept = (" " if character in NMT_BLANK else character for character in text if character not in NMT_GONE)
    return "".join(kept)


def _precompiled(fields):
    try:
        blob = base64.b64decode(fields.get("precompiled_charsmap", str), validate=True)
        mapped = charsmap.table(blob) if blob else {}
    except (ValueError, binascii.Error) as error:
        raise ValueError(f"{fields.place('precompiled_charsmap')}: {error}") from None
    return Precompiled(mapped)


class Precompiled:
    """SentencePiece's table as Hugging Face applies it: by grapheme clusters, each replaced by its first entry.

    A cluster of fewer than 6 bytes becomes what its shortest prefix in the table becomes; longer ones go
    character by character. That isn't what SentencePiece does, but what this library does.
    """

    def __init__(self, mapped):
        self.mapped, self.first = mapped, frozenset(key[0] for key in mapped)

    def __call__(self, text):
        if self.first.isdisjoint(text):
            return text
        return "".join(map(self.cluster, regex.findall(r"\X", text)))

    def cluster(self, cluster):
        if self.first.isdisjoint(cluster):
            return cluster
        if len(cluster.encode()) < 6:
            found = next(
                (self.mapped[cluster[:n]] for n in range(1, len(cluster) + 1) if cluster[:n] in self.mapped), None
            )
            if found is not None:
                return found
        return "".join(self.mapped.get(character, character) for character in cluster)


def _byte_level(text):
    return byte_level(text.encode())


def _sequence(fields):
    return partial(_in_turn, tuple(normalizer(part) for part in fields.parts("normalizers")))


def _constant(function, fields):
    return function


READERS = {form: partial(_form, form) for form in ("NFC", "NFD", "NFKC", "NFKD")} | {
    "Lowercase": partial(_constant, lower),
    "StripAccents": partial(_constant, partial(without, "mark")),
    "Nmt": partial(_constant, _nmt),
    "ByteLevel": partial(_constant, _byte_level),
    "BertNormalizer": _bert,
    "Strip": _strip,
    "Replace": _replace,
    "Prepend": _prepend,
    "Precompiled": _precompiled,
    "Sequence": _sequence,
}
