"""A merge list at work on UTF-8 bytes, compiled: chunks in, ids out.

Four ideas make it fast, none of them changes an id.
- *Remember.* Texts repeat their chunks, so what was encoded once is looked up: in a hash table of bounded
  size, which finds a chunk of up to seven bytes by its bytes themselves.
- *Characters at sight.* The bytes of most characters are merged to one token by themselves, before any merge
  takes one of them and a neighbour's: a Japanese chunk starts as characters, a third as many as bytes.
- *Lowest rank first.* The pair whose merge was learned first is joined, again and again. The same as all merges
  in learned order, since what a merge makes can only be joined by a later one.
- *Walls.* Where no token of the whole list holds two neighbouring characters side by side, no merge ever crosses:
  a very long chunk falls into pieces of a few characters, encoded and remembered by themselves.

Compiled functions here allocate nothing: Python makes the arrays, and enlarges them when there is no room.
"""

from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from bpelab.compiled import njit
from bpelab.hashing import (
    HALF,
    ONE,
    SEED,
    SHORT,
    SPREAD,
    fill_table,
    is_kept,
    keep_bytes,
    piece_key,
    short_key,
    slot_of,
)

NONE = -1
NO_RANK = np.int64(2**31 - 1)
#: Ids have this many bits, so that a merge is one number: left id, right id and rank.
ID_BITS = 21
RANK_BITS, MOST_IDS = (1 << ID_BITS) - 1, 1 << ID_BITS
#: Pieces up to this many bytes are remembered; those up to this many symbols are searched for the lowest rank
#: again and again, longer ones have a queue.
LONGEST = 256
#: Slots of a memory, and what is kept beside them in eights of bytes: at first and at most.
FIRST_SLOTS, MOST_SLOTS, MOST_KEPT = 1 << 12, 1 << 20, 1 << 22
#: Code points below this may be tokens that are known at sight: all that is written much.
CHARACTERS = 0x30000
NOTHING, FEW = 2**31 - 1, 256
DONE, ROOM, LONG = range(3)
CHUNK, OUT, AT, DOCUMENT, STOP, SYMBOLS = range(6)  # where an encoding goes on
PIECES, KEPT = range(2)  # how much of a memory is in use


@njit
def rank_of(rules, hints, seed, left, right):
    """The rank of the merge that joins two ids, or NO_RANK.

    rules: int64, hash table of left << 42 | right << 21 | rank; hints: uint8, bits, zero for most pairs without one.
    """
    pair = np.int64(left) << ID_BITS | np.int64(right)
    slot = np.int64(np.uint64(pair) * seed >> HALF)
    if not hints[slot >> 3 & (len(hints) - 1)] >> (slot & 7) & 1:
        return NO_RANK
    slot &= len(rules) - 1
    while rules[slot] >> ID_BITS != pair:
        if rules[slot] == NONE:
            return NO_RANK
        slot = (slot + 1) & (len(rules) - 1)
    return rules[slot] & RANK_BITS


# --- a merge list, prepared -----------------------------------------------------------------------


class Merges(NamedTuple):
    """A merge list and its base symbols as arrays."""

    rules: np.ndarray  # int64, see `rank_of`
    hints: np.ndarray  # uint8, see `rank_of`
    firsts: np.ndarray  # int32, the ranks of pairs of the first FEW ids: left * FEW + right -> rank or NO_RANK
    symbols: np.ndarray  # int32, byte (or, by_character, code point) -> id of the base symbol
    fused: np.ndarray  # int32, id of a character -> the same with the end-of-word marker; empty without
    walls: np.ndarray  # uint8, bits: which neighbours (characters) some token may hold; empty for no walls
    characters: np.ndarray  # int32, code point -> the id that its bytes are merged to, or NONE
    heads: (
        np.ndarray
    )  # int32, last byte << 8 | first byte -> lowest rank whose right part is only the head of a character
    tails: np.ndarray  # int32, the same -> lowest rank whose left part is only the tail of a character
    base: int  # the id that rank 0 makes
    marker: int  # the id of the end-of-word marker, or NONE
    by_character: bool
    seed: np.uint64


def prepared(pairs, alphabet):
    """`Merges` of pairs (left id, right id) in learned order, over an `Alphabet`."""
    pairs = np.array(pairs, np.int64).reshape(-1, 2)
    base, symbols = len(alphabet.symbols), symbol_table(alphabet)
    if base + len(pairs) > MOST_IDS:
        raise ValueError(f"merges: at most {MOST_IDS - base:,} can be applied, got {len(pairs):,}; truncate the list")
    bits = max(4, (2 * len(pairs)).bit_length())
    rules, hints = np.full(1 << bits, NONE, np.int64), np.zeros(1 << bits, np.uint8)
    firsts = np.full(FEW * FEW, NO_RANK, np.int32)
    fill_rules(pairs, rules, hints, firsts, SEED)
    in_bytes, marked = alphabet.base == "byte", alphabet.marker is not None
    walls = np.zeros(0 if marked else 1 << max(13, bits), np.uint8)
    characters = np.full(CHARACTERS if in_bytes else 0, NONE, np.int32)
    heads, tails = np.full((2, 1 << 16), NO_RANK, np.int32)
    begins, finishes = np.zeros((2, base + len(pairs)), np.int64)
    if not marked:
        begins[:base] = [int.from_bytes(b"\1" + symbol[:4], "big") for symbol in alphabet.symbols]
        finishes[:base] = [int.from_bytes(b"\1" + symbol[-4:], "big") for symbol in alphabet.symbols]
        find_walls(pairs, begins, finishes, base, walls, heads, tails)
    if in_bytes:
        characters[:0x80] = symbols[:0x80]
        find_characters(pairs, begins, rules, hints, firsts, symbols, base, characters, new_search(), SEED)
    return Merges(
        rules=rules,
        hints=hints,
        firsts=firsts,
        symbols=symbols,
        fused=fused_table(alphabet),
        walls=walls,
        characters=characters,
        heads=heads,
        tails=tails,
        base=base,
        marker=NONE if alphabet.end_id is None else alphabet.end_id,
        by_character=not in_bytes,
        seed=SEED,
    )


def apply(merges, memory, data, words, ends, stops):
    """The ids of chunks, end to end, where those of each document end, and the memory as it is afterwards.

    data, words: UTF-8 bytes as `hashing.in_eights` gives them; ends: where each chunk ends; stops: where each
    document ends. Int64 all three; ids are int32.
    """
    size = int(ends[-1]) if len(ends) else 0
    out, bounds = np.empty(size + len(ends) + 1, np.int32), np.zeros(len(stops), np.int64)
    search, state = new_search(), np.zeros(6, np.int64)
    while (why := encode_chunks(merges, memory, data, words, ends, stops, bounds, out, search, state)) != DONE:
        if why == ROOM:
            memory = memory.larger()
        else:
            n = int(state[SYMBOLS])
            state[OUT] += merge_queueing(merges, out, int(state[OUT]), n, np.empty(6 * n, np.int64))
            state[AT] = state[STOP]
    return out[: state[OUT]], bounds, memory


def new_search():
    """What `merge_searching` works with."""
    return np.empty((3, LONGEST + 8), np.int32)


def symbol_table(alphabet):
    """Byte, or code point up to the last that is known and one more, -> id of the base symbol; 0 is unknown."""
    if alphabet.base == "byte":
        return np.argsort(alphabet.spelling).astype(np.int32)
    table = np.zeros(max(map(ord, alphabet.characters), default=0) + 2, np.int32)
    for character in alphabet.characters:
        table[ord(character)] = alphabet.ids.get(character.encode(), 0)
    return table


def fused_table(alphabet):
    if not alphabet.fused:
        return np.zeros(0, np.int32)
    with_marker = (alphabet.ids.get(symbol + alphabet.marker, 0) for symbol in alphabet.symbols[1:])
    return np.array([0, *with_marker], np.int32)


@njit
def fill_rules(pairs, rules, hints, firsts, seed):
    for rank in range(len(pairs)):
        left, right = pairs[rank, 0], pairs[rank, 1]
        slot = np.int64(np.uint64(left << ID_BITS | right) * seed >> HALF)
        hints[slot >> 3 & (len(hints) - 1)] |= 1 << (slot & 7)
        slot &= len(rules) - 1
        while rules[slot] != NONE:
            slot = (slot + 1) & (len(rules) - 1)
        rules[slot] = (left << ID_BITS | right) << ID_BITS | rank
        if left < FEW and right < FEW:
            firsts[left * FEW + right] = rank


# --- characters in tokens -------------------------------------------------------------------------


@njit
def character_size(first):
    """The number of bytes of a character in UTF-8, by its first; 0 for a byte that no character starts with."""
    if first < 0x80:
        return 1
    if first < 0xC0:
        return 0
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


@njit
def code_point(data, i, size):
    """The character of so many bytes that starts at i."""
    point = np.int64(data[i]) & (0x7F >> (size if size > 1 else 0))
    for k in range(1, size):
        point = point << 6 | (np.int64(data[i + k]) & 0x3F)
    return point


@njit
def held(edge):
    """How many bytes an edge holds. An edge is up to four bytes as a number, with a one before them."""
    size = 0
    while edge > 1:
        edge >>= 8
        size += 1
    return size


@njit
def byte_of(edge, k):
    """The byte number k of an edge."""
    return edge >> 8 * (held(edge) - 1 - k) & 0xFF


@njit
def point_of(edge):
    """The character whose bytes an edge is; NONE where it is only a piece of one, or more."""
    size = held(edge)
    if character_size(byte_of(edge, 0)) != size:
        return NONE
    point = byte_of(edge, 0) & (0x7F >> (size if size > 1 else 0))
    for k in range(1, size):
        point = point << 6 | byte_of(edge, k) & 0x3F
    return point


@njit
def last_character(edge):
    """The last character in an edge, as an edge, or what there is of it."""
    for size in range(1, held(edge) + 1):
        if character_size(edge >> 8 * (size - 1) & 0xFF) > 0:
            return 1 << 8 * size | edge & ((1 << 8 * size) - 1)
    return edge


@njit
def first_character(edge):
    """The first character in an edge, as an edge, or what there is of it; NONE inside a character."""
    wanted = character_size(byte_of(edge, 0))
    return NONE if wanted == 0 else edge >> 8 * max(0, held(edge) - wanted)


@njit
def first_bytes(left, right):
    """The edge at the beginning of two that are joined."""
    size = held(right)
    taken = min(4 - held(left), size)
    return left << 8 * taken | right >> 8 * (size - taken) & ((1 << 8 * taken) - 1)


@njit
def last_bytes(left, right):
    """The edge at the end of two that are joined."""
    size = min(4, held(left) + held(right))
    whole = left << 8 * held(right) | right & ((1 << 8 * held(right)) - 1)
    return 1 << 8 * size | whole & ((1 << 8 * size) - 1)


@njit
def wall_bit(walls, left, right):
    """The number of the bit for two neighbours, given as code points."""
    return np.int64(np.uint64(left << ID_BITS | right) * SPREAD >> HALF) & (8 * len(walls) - 1)


@njit
def find_walls(pairs, begins, finishes, base, walls, heads, tails):
    """Mark all neighbours that a token holds: each merge adds those where its two parts meet.

    begins, finishes: the edge at the beginning and at the end of each token, those of the base filled in.
    """
    for rank in range(len(pairs)):
        left, right = pairs[rank, 0], pairs[rank, 1]
        begins[base + rank] = first_bytes(begins[left], begins[right])
        finishes[base + rank] = last_bytes(finishes[left], finishes[right])
        before, behind = last_character(finishes[left]), first_character(begins[right])
        if behind == NONE:
            continue  # inside a character
        meeting, last, first = (before & 0xFF) << 8 | byte_of(behind, 0), point_of(before), point_of(behind)
        if last != NONE and first != NONE:
            bit = wall_bit(walls, last, first)
            walls[bit >> 3] |= 1 << (bit & 7)
        if last == NONE:
            tails[meeting] = min(tails[meeting], rank)
        if first == NONE:
            heads[meeting] = min(heads[meeting], rank)


@njit
def find_characters(pairs, begins, rules, hints, firsts, symbols, base, characters, search, seed):
    """Note the tokens that are one character of several bytes, if the merges make them of its bytes."""
    scratch, at = search[2], np.int64(LONGEST)
    for rank in range(len(pairs)):
        edge = begins[base + rank]
        size, point = held(edge), point_of(edge)
        parts = held(begins[pairs[rank, 0]]) + held(begins[pairs[rank, 1]])
        if point < 0x80 or point >= len(characters) or parts > size:
            continue
        for k in range(size):
            scratch[at + k] = symbols[byte_of(edge, k)]
        if merge_searching(rules, hints, firsts, seed, base, scratch, at, size, search) == 1:
            characters[point] = scratch[at]


@njit
def known_character(m, data, start, i, size, stop):
    """The id of the character of so many bytes at i, in a piece from start to stop; NONE where its bytes must be told.

    Its bytes are merged to one token by themselves, before any merge that takes one of them and a neighbour's.
    """
    point = code_point(data, i, size)
    if m.by_character:
        return np.int64(m.symbols[min(point, len(m.symbols) - 1)])
    found = np.int64(m.characters[point]) if point < len(m.characters) else NONE
    rank = found - m.base
    if i > start and rank > m.heads[np.int64(data[i - 1]) << 8 | np.int64(data[i])]:
        return NONE
    if i + size < stop and rank > m.tails[np.int64(data[i + size - 1]) << 8 | np.int64(data[i + size])]:
        return NONE
    return found


# --- memory ---------------------------------------------------------------------------------------


class Memory(NamedTuple):
    """Pieces with their ids. One thread at a time."""

    slots: np.ndarray  # uint64[2 * slots]: key, or 0 where free; and id << 1 | 1, or place in `kept` << 1
    kept: np.ndarray  # uint64, of longer pieces: bytes << 32 | ids, the bytes in eights, the ids two by two
    ids: np.ndarray  # int32, the same as `kept`
    used: np.ndarray  # int64: PIECES and KEPT in use

    @classmethod
    def of(cls, slots, room):
        """An empty one; slots: how many, a power of two; room: to keep longer pieces."""
        kept = np.empty(room, np.uint64)
        return cls(np.zeros(2 * slots, np.uint64), kept, kept.view(np.int32), np.zeros(2, np.int64))

    @classmethod
    def new(cls):
        return cls.of(FIRST_SLOTS, FIRST_SLOTS + LONGEST)

    def crowded(self):
        return 4 * self.used[PIECES] >= len(self.slots)

    def larger(self):
        """One with more room that remembers the same; an empty one when it would get too large."""
        slots, room = len(self.slots) // 2, len(self.kept)
        if slots >= MOST_SLOTS if self.crowded() else room >= MOST_KEPT:
            return Memory.of(slots, room)
        memory = Memory.of(4 * slots, room) if self.crowded() else Memory.of(slots, 2 * room)
        memory.kept[:room] = self.kept
        memory.used[:] = self.used
        fill_table(self.slots, memory.slots, SEED)
        return memory


@njit
def find_key(slots, key, seed):
    """The slot of a short piece, or the free one where it would be."""
    last = (len(slots) >> 1) - 1
    slot = slot_of(key, seed, last + 1)
    while slots[2 * slot] != key and slots[2 * slot] != 0:
        slot = (slot + 1) & last
    return slot


@njit
def find_piece(slots, kept, words, start, size, key, seed):
    """`find_key` of a longer piece, whose key others may have too."""
    slot = find_key(slots, key, seed)
    while slots[2 * slot] != 0 and not is_same(kept, np.int64(slots[2 * slot + 1] >> ONE), words, start, size):
        slot = (slot + 1) & ((len(slots) >> 1) - 1)
        while slots[2 * slot] != key and slots[2 * slot] != 0:
            slot = (slot + 1) & ((len(slots) >> 1) - 1)
    return slot


@njit
def is_same(kept, place, words, start, size):
    """Whether the longer piece that is kept there is this one."""
    return np.int64(kept[place] >> HALF) == size and is_kept(words, start, size, kept, place + 1)


@njit
def remember(slots, kept, ids, used, slot, key, words, start, size, out, at, n):
    """Keep the ids of a piece, n of them from `at` on in `out`."""
    slots[2 * slot], slots[2 * slot + 1] = key, np.uint64(out[at] << 1 | 1)
    used[PIECES] += 1
    if size > SHORT or n != 1:
        place = used[KEPT]
        slots[2 * slot + 1] = np.uint64(place << 1)
        kept[place] = np.uint64(size << 32 | n)
        place = keep_bytes(words, start, size, kept, place + 1) if size > SHORT else place + 1
        for k in range(n):
            ids[2 * place + k] = out[at + k]
        used[KEPT] = place + (n + 1) // 2


# --- encoding -------------------------------------------------------------------------------------


@njit
def write_symbols(m, data, start, stop, last, out, at):
    """The base symbols of a piece, or its characters where they are tokens, into `out` from `at` on; how many.

    last: whether its chunk ends there.
    """
    n, i = at, start
    while i < stop:
        size = character_size(np.int64(data[i]))
        known = known_character(m, data, start, i, size, stop)
        if known != NONE:
            out[n] = known
            n += 1
        else:
            for k in range(size):
                out[n] = m.symbols[data[i + k]]
                n += 1
        i += size
    if last and n > at and len(m.fused) > 0:
        out[n - 1] = m.fused[out[n - 1]]
    if last and m.marker != NONE:
        out[n] = m.marker
        n += 1
    return n - at


@njit
def merge_searching(rules, hints, firsts, seed, base, out, at, n, search):
    """Apply the merges to n symbols where they lie, always the one of lowest rank; how many ids are left.

    search: int32[3, LONGEST + 8], for each place what is wanted there (rank << 8 | place, so that
    the smallest is the earliest place of the lowest rank), the next place and the one before.
    """
    wanted, following, preceding = search[0], search[1], search[2]
    for k in range(n):
        rank = NO_RANK
        if k + 1 < n:
            left, right = out[at + k], out[at + k + 1]
            if left < FEW and right < FEW:
                rank = np.int64(firsts[left * FEW + right])
            else:
                rank = rank_of(rules, hints, seed, left, right)
        wanted[k], following[k], preceding[k] = min(rank << 8 | k, NOTHING), k + 1, k - 1
    kept = n
    while kept > 1:
        best = wanted[0]
        for k in range(1, n):
            best = min(best, wanted[k])
        if best == NOTHING:
            break
        k = best & 0xFF
        gone = following[k]
        after, before = following[gone], preceding[k]
        out[at + k] = base + (best >> 8)
        wanted[gone], following[k], wanted[k] = NOTHING, after, NOTHING
        if after < n:
            preceding[after] = k
            wanted[k] = min(rank_of(rules, hints, seed, out[at + k], out[at + after]) << 8 | k, NOTHING)
        if before >= 0:
            wanted[before] = min(rank_of(rules, hints, seed, out[at + before], out[at + k]) << 8 | before, NOTHING)
        kept -= 1
    if kept < n:
        k = 0
        for place in range(kept):
            out[at + place] = out[at + k]
            k = following[k]
    return kept


@njit
def next_wall(m, data, start, stop):
    """Where the piece that starts at `start` ends: before the first two characters that no token holds."""
    last, last_size, i = np.int64(0), 0, start
    while i < stop:
        size = character_size(np.int64(data[i]))
        point = code_point(data, i, size)
        if i > start:
            bit = wall_bit(m.walls, last, point)
            crossed = m.walls[bit >> 3] >> (bit & 7) & 1
            if not (crossed or is_broken(m, data, start, i - last_size, i, i + size, stop)):
                return i
        last, last_size = point, size
        i += size
    return stop


@njit
def is_broken(m, data, start, before, i, behind, stop):
    """Whether a merge may join only a piece of the character from `before` to i, or of the one from i to `behind`."""
    meeting = np.int64(data[i - 1]) << 8 | np.int64(data[i])
    if m.tails[meeting] != NO_RANK and known_character(m, data, start, before, i - before, stop) == NONE:
        return True
    return m.heads[meeting] != NO_RANK and known_character(m, data, start, i, behind - i, stop) == NONE


@njit
def note(state, chunk, n, i, document, stop, count):
    state[CHUNK], state[OUT], state[AT] = chunk, n, i
    state[DOCUMENT], state[STOP], state[SYMBOLS] = document, stop, count


@njit
def encode_chunks(m, memory, data, words, ends, stops, bounds, out, search, state):
    """Encode chunks: ids end to end into `out`, and where those of each document end into `bounds`.

    data: UTF-8 bytes; words: the same bytes in eights; ends: where each chunk ends; stops: where each
    document ends; state: where to go on. Returns DONE; ROOM, when the memory wants to be enlarged; or LONG, for a
    piece from AT to STOP whose SYMBOLS, in `out` from OUT on, `merge_queueing` should take.
    """
    slots, kept, ids, used, seed = memory.slots, memory.kept, memory.ids, memory.used, m.seed
    chunk, n, i, document = state[CHUNK], state[OUT], state[AT], state[DOCUMENT]
    while chunk < len(ends):
        end = ends[chunk]
        while document < len(stops) and stops[document] <= i:
            bounds[document] = n
            document += 1
        while i < end:
            stop = end if end - i <= LONGEST or len(m.walls) == 0 else next_wall(m, data, i, end)
            size, key, slot = stop - i, np.uint64(0), 0
            if size <= LONGEST:
                if size <= SHORT:
                    key = short_key(words, i, size)
                    slot = find_key(slots, key, seed)
                else:
                    key = piece_key(words, i, size, seed)
                    slot = find_piece(slots, kept, words, i, size, key, seed)
                value = np.int64(slots[2 * slot + 1])
                if value & 1:
                    out[n] = value >> 1
                    n += 1
                    i = stop
                    continue
                if slots[2 * slot] != 0:
                    place, count = value >> 1, np.int64(kept[value >> 1]) & 0xFFFFFFFF
                    first = 2 * (place + 1 + ((size + 7) >> 3 if size > SHORT else 0))
                    for k in range(count):
                        out[n + k] = ids[first + k]
                    n += count
                    i = stop
                    continue
            if 4 * used[PIECES] >= len(slots) or used[KEPT] + LONGEST > len(kept):
                note(state, chunk, n, i, document, stop, 0)
                return ROOM
            count = write_symbols(m, data, i, stop, stop == end, out, n)
            if count > LONGEST:
                note(state, chunk, n, i, document, stop, count)
                return LONG
            count = merge_searching(m.rules, m.hints, m.firsts, m.seed, m.base, out, n, count, search)
            if size <= LONGEST:
                remember(slots, kept, ids, used, slot, key, words, i, size, out, n, count)
            n += count
            i = stop
        chunk += 1
    while document < len(stops):
        bounds[document] = n
        document += 1
    state[OUT] = n
    return DONE


# --- long pieces ----------------------------------------------------------------------------------


@njit
def sift_down(heap, size, at):
    """Put a number where it belongs in a binary heap, smallest first, whose other numbers do."""
    number = heap[at]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= number:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = number


@njit
def push(heap, size, number):
    at = size
    while at > 0 and heap[(at - 1) // 2] > number:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = number


@njit
def merge_queueing(m, out, at, n, queue):
    """`merge_searching` with a queue of rank << 32 | place: about linear, however long the piece. How many are left.

    queue: int64[at least 6 * n], what to work with.
    """
    rules, hints, seed, size, ids = m.rules, m.hints, m.seed, 0, out[at : at + n]
    ranks, following, preceding, heap = queue[:n], queue[n : 2 * n], queue[2 * n : 3 * n], queue[3 * n :]
    for k in range(n):
        ranks[k] = rank_of(rules, hints, seed, ids[k], ids[k + 1]) if k + 1 < n else NO_RANK
        following[k], preceding[k] = k + 1, k - 1
        if ranks[k] != NO_RANK:
            heap[size] = ranks[k] << 32 | k
            size += 1
    for at in range(size // 2 - 1, -1, -1):
        sift_down(heap, size, at)
    while size > 0:
        rank, k = heap[0] >> 32, heap[0] & 0xFFFFFFFF
        size -= 1
        heap[0] = heap[size]
        sift_down(heap, size, 0)
        if ranks[k] != rank:
            continue  # another merge took one of the two
        gone = following[k]
        ids[k], ids[gone] = m.base + rank, NONE
        ranks[gone] = NO_RANK
        following[k] = following[gone]
        if following[k] < n:
            preceding[following[k]] = k
        for left in (preceding[k], k):
            if left >= 0:
                right = following[left]
                ranks[left] = rank_of(rules, hints, seed, ids[left], ids[right]) if right < n else NO_RANK
                if ranks[left] != NO_RANK:
                    push(heap, size, ranks[left] << 32 | left)
                    size += 1
    kept = 0
    for k in range(n):
        if ids[k] != NONE:
            ids[kept] = ids[k]
            kept += 1
    return kept


# --- symbols that are ids already -----------------------------------------------------------------


def merged(pairs, alphabet, ids, sizes):
    """Rows of base symbols, end to end, by all merges: (ids of all rows, int32, and how many each has, int64).

    pairs: as for `prepared`; ids: int32; sizes: int64, of each row. A marker stands at the end of each row.
    """
    if alphabet.end_id is not None:
        ids, sizes = np.insert(ids, np.cumsum(sizes), alphabet.end_id), sizes + 1
    pairs, base = np.array(pairs, np.int64).reshape(-1, 2), len(alphabet.symbols)
    if merge_rows.can_wait(plain_work(sizes) + len(pairs)):
        ends, symbols, ranks = np.cumsum(sizes).tolist(), ids.tolist(), ranks_of(pairs)
        rows = [merge_plainly(symbols[start:end], ranks, base) for start, end in pairwise([0, *ends])]
        return np.array(list(chain.from_iterable(rows)), np.int32), np.array(list(map(len, rows)), np.int64)
    merges, out = prepared(pairs, alphabet), ids.astype(np.int32)
    sizes, longest = sizes.copy(), int(sizes.max(initial=0))
    n = merge_rows(merges, out, sizes, new_search(), np.empty(6 * longest, np.int64))
    return out[:n], sizes


@njit
def merge_rows(m, ids, sizes, search, queue):
    """`merged` where the rows lie, and close up; how many ids are left. sizes become those in tokens."""
    source, target = 0, 0
    for row in range(len(sizes)):
        n = sizes[row]
        for k in range(n):
            ids[target + k] = ids[source + k]
        source += n
        if n <= LONGEST:
            n = merge_searching(m.rules, m.hints, m.firsts, m.seed, m.base, ids, target, n, search)
        else:
            n = merge_queueing(m, ids, target, n, queue)
        sizes[row] = n
        target += n
    return target


def plain_work(sizes):
    """What `merge_plainly` does for rows of these sizes, in units of `compiled.PATIENCE`."""
    return sum(size * size for size in map(int, sizes)) // 2


def ranks_of(pairs):
    """Pair -> its place in a merge list (pairs of ids)."""
    return {pair: rank for rank, pair in enumerate(map(tuple, pairs.tolist()))}


def merge_plainly(ids, ranks, base):
    """A list of ids by the merges that occur in it, in learned order: nothing to compile for a small text."""
    rank = -1
    while later := [(found, pair) for pair in pairwise(ids) if (found := ranks.get(pair, -1)) > rank]:
        rank, pair = min(later)
        ids = replaced(ids, pair, base + rank)
    return ids


def replaced(ids, pair, made):
    """The ids with `made` for each occurrence of `pair`, left to right."""
    left, right = pair
    out, at = [], 0
    while at < len(ids):
        if ids[at] == left and at + 1 < len(ids) and ids[at + 1] == right:
            out.append(made)
            at += 2
        else:
            out.append(ids[at])
            at += 1
    return out


@njit
def take_apart(pairs, base, counts):
    """How often each id was there before it was joined to others, from how often it is at the end: into `counts`."""
    for rank in range(len(pairs) - 1, -1, -1):
        counts[pairs[rank, 0]] += counts[base + rank]
        counts[pairs[rank, 1]] += counts[base + rank]
