"""SentencePiece's compiled normalization: a table of texts and what they become, in a double-array trie."""

import struct
from array import array
from functools import lru_cache

#: A table has at most this many entries, and none is longer than this (bytes).
MOST_ENTRIES, LONGEST = 1 << 20, 32


@lru_cache(maxsize=8)
def table(blob):
    """The table in a `precompiled_charsmap` (bytes): {text: what it becomes}.

    ValueError for bytes that are no such table.
    """
    if len(blob) < 4:
        raise ValueError("precompiled_charsmap is cut off")
    (size,) = struct.unpack_from("<I", blob)
    if size % 4 or size > len(blob) - 4:
        raise ValueError("precompiled_charsmap is cut off")
    units, texts = array("I", blob[4 : 4 + size]), blob[4 + size :]
    try:
        return {key.decode(): _text(texts, at) for key, at in _entries(units)}
    except UnicodeDecodeError:
        raise ValueError("precompiled_charsmap holds what is no UTF-8") from None


def _text(texts, at):
    end = texts.find(b"\0", at)
    if at > len(texts) or end < 0:
        raise ValueError("precompiled_charsmap points outside itself")
    return texts[at:end].decode()


def _entries(units):
    """(key, value) of each entry of the trie, as darts-clone lays it out."""
    stack, seen = [(0, b"")] if units else [], 0
    while stack:
        node, key = stack.pop()
        base = node ^ _offset(units[node])
        for byte in range(256):
            child = base ^ byte
            if child >= len(units) or units[child] & 0x800000FF != byte or not (byte or key):
                continue
            if byte == 0:
                continue
            seen += 1
            if seen > MOST_ENTRIES or len(key) >= LONGEST:
                raise ValueError("precompiled_charsmap has too many or too long entries")
            longer = key + bytes([byte])
            if units[child] >> 8 & 1:
                leaf = child ^ _offset(units[child])
                if leaf >= len(units):
                    raise ValueError("precompiled_charsmap points outside itself")
                yield longer, units[leaf] & 0x7FFFFFFF
            stack.append((child, longer))


def _offset(unit):
    return unit >> 10 << ((unit & 0x200) >> 6)
