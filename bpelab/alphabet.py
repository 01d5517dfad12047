"""The base alphabet: what a tokenizer can say before any merge, and chunks cut into it.

Base "byte": 256 symbols, one a byte, id = byte (imported vocabularies may have another order).
Base "char": <unk> is id 0, then the characters of the training text in code point order (which is
the order of their UTF-8 bytes), an end-of-word marker sorted among them.
"""

from collections import Counter
from functools import cached_property

import numpy as np

from bpelab import checks, ties
from bpelab.spelling import gpt2_order, readable

BASES = ("char", "byte")
#: What "lowest-id" and "youtokentome" compare base symbols by.
ORDERS = ("byte-level", "frequency")
UNKNOWN = b"<unk>"


def end_marker(end_of_word, fuse, base, chunks=()):
    """The end-of-word marker, checked: text, for base "char", and in no chunk."""
    checks.flag("fuse_end_of_word", fuse)
    if end_of_word is None:
        if fuse:
            raise ValueError("fuse_end_of_word needs an end_of_word to fuse; give one, such as '</w>'")
        return None
    if not checks.text("end_of_word", end_of_word):
        raise ValueError("end_of_word must not be empty; give a marker such as '</w>', or None")
    if base != "char":
        raise ValueError(f"end_of_word needs base='char', got base={base!r}")
    for text in chunks:
        if end_of_word in text:
            raise ValueError(
                f"end_of_word: the text holds the marker {end_of_word!r}, in {checks.shown(text)}; choose another one"
            )
    return end_of_word


class Alphabet:
    """The base symbols (bytes, index = id) of a tokenizer, and its end-of-word marker, if any.

    >>> Alphabet.of(["low", " low"], "char").symbols
    [b'<unk>', b' ', b'l', b'o', b'w']
    >>> Alphabet.of([], "byte").symbols[97]
    b'a'
    """

    def __init__(self, base, symbols, marker=None, fused=False):
        self.base, self.symbols, self.marker, self.fused = base, symbols, marker, fused

    @classmethod
    def of(cls, chunks, base, marker=None, fused=False):
        """The alphabet of these chunks; `marker` (str) stands at the end of each, or is fused to it."""
        if base == "byte":
            return cls.from_bytes(range(256))
        characters = {character for text in chunks for character in set(text)}
        return cls.from_characters(characters, marker, fused)

    @classmethod
    def from_bytes(cls, order):
        """A "byte" alphabet with these 256 bytes as ids 0, 1, 2, ...; some models number them otherwise."""
        return cls("byte", [bytes([byte]) for byte in order])

    @classmethod
    def from_characters(cls, characters, marker=None, fused=False):
        """A "char" alphabet of these single characters; fused: and of each with the marker behind it."""
        named = {character.encode() for character in characters}
        encoded = marker.encode() if marker else None
        ends = {character + encoded for character in named} if fused else {encoded} if encoded else set()
        return cls("char", [UNKNOWN, *sorted(named | ends)], encoded, fused)

    @classmethod
    def given(cls, base, characters, byte_order, marker, fused, merges):
        """The alphabet that a caller describes, checked; without `characters`, those that the merges use."""
        if checks.choice("base", base, BASES) == "byte":
            if characters is not None:
                raise ValueError("characters belong to base='char'; base 'byte' always has 256 symbols")
            order = range(256) if byte_order is None else byte_order
            if not isinstance(order, bytes | range) or sorted(order) != list(range(256)):
                raise ValueError(f"byte_order must be bytes that hold each byte once, got {checks.shown(byte_order)}")
            return cls.from_bytes(order)
        if byte_order is not None:
            raise ValueError("byte_order belongs to base='byte'")
        known = _used(merges, marker) if characters is None else checks.text("characters", "".join(characters))
        if marker in set(known):
            raise ValueError(f"end_of_word: the marker {marker!r} is one of the characters; choose another one")
        return cls.from_characters(set(known), marker, fused)

    @cached_property
    def ids(self):
        """Symbol -> id; <unk>, which no text spells, has none."""
        return {symbol: i for i, symbol in enumerate(self.symbols) if self.base == "byte" or i > 0}

    @cached_property
    def characters(self):
        """The characters of a "char" alphabet, as one sorted str; the marker is none of them."""
        return "".join(symbol.decode() for symbol in self.symbols[1:] if not self.is_end(symbol))

    def is_end(self, symbol):
        """Whether a symbol ends a word: the marker, or a character with the marker fused to it."""
        if not self.marker:
            return False
        return symbol != self.marker and symbol.endswith(self.marker) if self.fused else symbol == self.marker

    @cached_property
    def spelling(self):
        """The bytes of all symbols, end to end, as uint8."""
        return np.frombuffer(b"".join(self.symbols), np.uint8)

    @cached_property
    def starts(self):
        """Where each symbol starts in `spelling`, and where the last one ends."""
        return np.concatenate([[0], np.cumsum([len(symbol) for symbol in self.symbols], dtype=np.int64)])

    @cached_property
    def widths(self):
        """The width of each symbol in characters."""
        return np.array([ties.width(symbol) for symbol in self.symbols], np.int32)

    def split(self, text):
        """One chunk as a list of base symbols (bytes), known or not, marker included.

        >>> Alphabet.from_characters("low").split("låw")
        [b'l', b'\\xc3\\xa5', b'w']
        """
        if self.base == "byte":
            return [bytes([byte]) for byte in text.encode()]
        symbols = [character.encode() for character in text]
        if self.fused and symbols:
            symbols[-1] += self.marker
        return symbols if self.fused or not self.marker else [*symbols, self.marker]

    def encode(self, chunks):
        """All chunks as ids of base symbols, end to end without markers, and the length of each."""
        if self.base == "byte":
            pieces = [text.encode() for text in chunks]
            ids = self.byte_ids[np.frombuffer(b"".join(pieces), np.uint8)]
        else:
            pieces = chunks
            points = np.frombuffer("".join(chunks).encode("utf-32-le"), "<u4")
            ids = self._ids_of(points)
        sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
        if self.fused:
            last = np.cumsum(sizes)[sizes > 0] - 1
            ids[last] = self._fused_ids[ids[last]]
        return ids, sizes

    @property
    def end_id(self):
        """The id of the marker where it is a symbol of its own at the end of each chunk; else None."""
        return self.ids[self.marker] if self.marker and not self.fused else None

    @cached_property
    def _fused_ids(self):
        """The id of each character -> its id with the marker behind it: int32[len(symbols)]."""
        return np.array([0, *(self.ids.get(symbol + self.marker, 0) for symbol in self.symbols[1:])], np.int32)

    def ranks(self, order, chunks):
        """What the ids of the base symbols are compared as in a tie: int32[len(symbols)].

        order: None (the ids themselves), "byte-level" (the order of GPT-2's byte characters) or
        "frequency" (most frequent in `chunks`, dict text -> frequency, first; then the larger symbol).
        """
        if order is None:
            return np.arange(len(self.symbols), dtype=np.int32)
        if order == "byte-level":
            key = gpt2_order().index
            sort = sorted(range(256), key=lambda i: key(self.symbols[i][0]))
        else:
            counts = Counter()
            for text, frequency in chunks.items():
                for symbol in self.split(text):
                    counts[symbol] += frequency
            sort = sorted(range(len(self.symbols)), key=lambda i: self.symbols[i], reverse=True)
            sort.sort(key=lambda i: -counts[self.symbols[i]])
        ranks = np.empty(len(self.symbols), np.int32)
        ranks[sort] = np.arange(len(self.symbols))
        return ranks

    @cached_property
    def byte_ids(self):
        """The id of each byte: int32[256]."""
        return np.argsort(self.spelling).astype(np.int32)

    def _ids_of(self, points):
        """Code points -> ids, 0 where a character is unknown."""
        known, ids = self._known
        if not len(known):
            return np.zeros(len(points), np.int32)
        at = np.minimum(np.searchsorted(known, points), len(known) - 1)
        return np.where(known[at] == points, ids[at], 0).astype(np.int32)

    @cached_property
    def _known(self):
        known = np.frombuffer(self.characters.encode("utf-32-le"), "<u4")
        return known, np.fromiter((self.ids[c.encode()] for c in self.characters), np.int32, len(known))


def _used(merges, marker):
    """The characters that a merge list uses: the parts that no earlier merge made."""
    end = marker.encode() if marker else b""
    made, characters = {end}, set()
    for left, right, _ in merges:
        for part in (left, right):
            if part not in made:
                characters.update(readable(part.removesuffix(end)))
        made.add(left + right)
    return characters
