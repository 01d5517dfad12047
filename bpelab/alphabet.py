"""The base alphabet: what a tokenizer can say before any merge, and chunks cut into it.

Base "byte": 256 symbols, one a byte, id = byte (imported vocabularies may have another order).
Base "char": <unk> is id 0, then the characters of the training text in code point order (which is
the order of their UTF-8 bytes), an end-of-word marker sorted among them.
"""

from functools import cached_property

import numpy as np

from bpelab import ties

BASES = ("char", "byte")
UNKNOWN = b"<unk>"


class Alphabet:
    """The base symbols (bytes, index = id) of a tokenizer, and its end-of-word marker, if any.

    >>> Alphabet.of(["low", " low"], "char").symbols
    [b'<unk>', b' ', b'l', b'o', b'w']
    >>> Alphabet.of([], "byte").symbols[97]
    b'a'
    """

    def __init__(self, base, symbols, marker=None):
        self.base, self.symbols, self.marker = base, symbols, marker

    @classmethod
    def of(cls, chunks, base, marker=None):
        """The alphabet of these chunks; `marker` (str) stands at the end of each."""
        if base == "byte":
            return cls.from_bytes(range(256))
        characters = {character for text in chunks for character in set(text)}
        return cls.from_characters(characters, marker)

    @classmethod
    def from_bytes(cls, order):
        """A "byte" alphabet with these 256 bytes as ids 0, 1, 2, ...; some models number them otherwise."""
        return cls("byte", [bytes([byte]) for byte in order])

    @classmethod
    def from_characters(cls, characters, marker=None):
        """A "char" alphabet of these single characters."""
        named = {character.encode() for character in characters}
        encoded = marker.encode() if marker else None
        return cls("char", [UNKNOWN, *sorted(named | {encoded} if encoded else named)], encoded)

    @cached_property
    def ids(self):
        """Symbol -> id; <unk>, which no text spells, has none."""
        return {symbol: i for i, symbol in enumerate(self.symbols) if self.base == "byte" or i > 0}

    @cached_property
    def characters(self):
        """The characters of a "char" alphabet, as one sorted str; the marker is none of them."""
        return "".join(symbol.decode() for symbol in self.symbols[1:] if symbol != self.marker)

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
        end = [self.marker] if self.marker else []
        return [character.encode() for character in text] + end

    def encode(self, chunks):
        """All chunks as ids of base symbols, end to end without markers, and the length of each."""
        if self.base == "byte":
            pieces = [text.encode() for text in chunks]
            ids = self._byte_ids[np.frombuffer(b"".join(pieces), np.uint8)]
        else:
            pieces = chunks
            points = np.frombuffer("".join(chunks).encode("utf-32-le"), "<u4")
            ids = self._ids_of(points)
        return ids, np.fromiter(map(len, pieces), np.int64, len(pieces))

    @cached_property
    def _byte_ids(self):
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
