"""SentencePiece's compiled normalization: a table of texts and what they become, in a double-array trie."""

import struct
from functools import lru_cache

import numpy as np

#: A trie has at most this many nodes, shared ones counted each time (that of nmt_nfkc has some 300,000), and no
#: entry is longer than this (bytes).
MOST_ENTRIES, LONGEST = 1 << 20, 32
BYTES = np.arange(256, dtype=np.uint32)


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
    units, texts = np.frombuffer(blob, "<u4", size // 4, 4), blob[4 + size :]
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
    stack, seen = [(0, b"")] if len(units) else [], 0
    labels = units & 0x800000FF
    while stack:
        node, key = stack.pop()
        base = node ^ _offset(int(units[node]))
        # The children of a node lie in one block of 256 units, each where its byte says.
        block = base & ~0xFF
        found = np.flatnonzero(labels[block : block + 256] == BYTES[: max(0, len(units) - block)] ^ (base & 0xFF))
        for child in (found + block).tolist():
            byte = child ^ base
            if byte == 0:
                continue
            seen += 1
            if seen > MOST_ENTRIES or len(key) >= LONGEST:
                raise ValueError("precompiled_charsmap has too many or too long entries")
            longer, unit = key + bytes([byte]), int(units[child])
            if unit >> 8 & 1:
                leaf = child ^ _offset(unit)
                if leaf >= len(units):
                    raise ValueError("precompiled_charsmap points outside itself")
                yield longer, int(units[leaf]) & 0x7FFFFFFF
            stack.append((child, longer))


def _offset(unit):
    return unit >> 10 << ((unit & 0x200) >> 6)
