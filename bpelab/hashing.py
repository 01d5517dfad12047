"""Hash tables of pieces of text, in compiled code: keys and where to look for them.

The tables lie in arrays, with free slots to walk on to (linear probing). All start from a number drawn in
each process, so that nobody can prepare keys that collide; what is found doesn't depend on it.
"""

import secrets

import numpy as np

from bpelab.compiled import njit

SEED = np.uint64(secrets.randbits(64) | 1)
#: A number that spreads bits over the upper half of a product.
SPREAD = np.uint64(0x9E3779B97F4A7C15)
#: Pieces up to this many bytes are their own keys.
SHORT = 7
ONE, TOP, HALF, LENGTH = np.uint64(1), np.uint64(63), np.uint64(32), np.uint64(56)


@njit
def mixed(key, seed):
    """Key bits in disorder; the upper half is the better one."""
    key = (key ^ (seed >> ONE)) * seed
    return (key ^ (key >> HALF)) * seed


@njit
def slot_of(key, seed, slots):
    """Where the search for a key starts among `slots` places, a power of two."""
    return np.int64(mixed(key, seed) >> HALF) & (slots - 1)


@njit
def fill_table(old, table, seed):
    """Put all that is in a hash table into an empty, larger one."""
    slots = len(table) >> 1
    for at in range(0, len(old), 2):
        if old[at] != 0:
            slot = slot_of(old[at], seed, slots)
            while table[2 * slot] != 0:
                slot = (slot + 1) & (slots - 1)
            table[2 * slot], table[2 * slot + 1] = old[at], old[at + 1]


@njit
def eight(words, start):
    """Eight bytes from any place, as a number. words: the bytes in eights, with some behind the end."""
    at, shift = start >> 3, np.uint64((start & 7) << 3)
    return words[at] >> shift | (words[at + 1] << (TOP - shift)) << ONE


@njit
def few(words, start, size):
    """Up to seven bytes from any place, as a number."""
    return eight(words, start) & ((ONE << np.uint64(size << 3)) - ONE)


@njit
def short_key(words, start, size):
    """A number for a piece of one to seven bytes: these, and how many they are."""
    return few(words, start, size) | np.uint64(size) << LENGTH


@njit
def piece_key(words, start, size, seed):
    """A number for a piece: `short_key` up to seven bytes, a hash of its bytes above that; never 0."""
    if size <= SHORT:
        return short_key(words, start, size)
    key, at = np.uint64(size), start
    while at + 8 <= start + size:
        key = mixed(key ^ eight(words, at), seed)
        at += 8
    if at < start + size:
        key = mixed(key ^ few(words, at, start + size - at), seed)
    return key | ONE << TOP


@njit
def keep_bytes(words, start, size, kept, at):
    """Copy a piece to `kept`, in eights from `at` on, the last one filled with zeros; where the copy ends."""
    for k in range(0, size, 8):
        kept[at] = eight(words, start + k) if size - k >= 8 else few(words, start + k, size - k)
        at += 1
    return at


@njit
def is_kept(words, start, size, kept, at):
    """Whether `keep_bytes` of this piece wrote what stands from `at` on in `kept`."""
    for k in range(0, size, 8):
        if kept[at] != (eight(words, start + k) if size - k >= 8 else few(words, start + k, size - k)):
            return False
        at += 1
    return True


def in_eights(pieces):
    """Some bytes objects end to end, as uint8 and as uint64, with zeros behind."""
    joined = b"".join(pieces)
    words = np.zeros(len(joined) // 8 + 3, np.uint64)
    data = words.view(np.uint8)
    data[: len(joined)] = np.frombuffer(joined, np.uint8)
    return data, words
