"""A merge list at work on UTF-8 bytes, compiled: chunks in, ids out.

Three ideas make it fast, none of them changes an id.
- *Remember.* Texts repeat their chunks, so what was encoded once is looked up: in a hash table of bounded
  size, which finds a piece of up to seven bytes by its bytes themselves.
- *Walls.* A merge joins two neighbours into a token. Where no token of the whole list holds these two
  characters side by side, no merge ever crosses: a long chunk without a blank falls into pieces of a few
  characters, which are encoded by themselves, and remembered too.
- *Lowest rank first.* In a piece, the pair whose merge was learned first is joined, again and again. The
  same as all merges in learned order, since what a merge makes can only be joined by a later one.

Compiled functions here allocate nothing: Python makes the arrays, and enlarges them when there is no room.
"""

from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from bpelab.compiled import is_small, njit
from bpelab.hashing import HALF, SEED, SHORT, SPREAD, few, is_kept, keep_bytes, piece_key, slot_of

NONE = -1
NO_RANK = np.int64(2**31 - 1)
#: Pieces up to this many bytes are remembered; pieces up to this many symbols are searched for the lowest rank
#: again and again, longer ones have a queue.
LONGEST_REMEMBERED, LONGEST_SEARCHED = 128, 256
#: Slots of a memory at first and at most, and what a slot holds: the piece's key, its value, where its bytes are.
FIRST_SLOTS, MOST_SLOTS, FIELDS = 1 << 12, 1 << 20, 4
#: Code points below this may be tokens that are known at sight: all that is written much.
CHARACTERS = 0x30000
NOT_ASCII = np.uint64(0x80808080808080)
NOTHING, FEW = 2**31 - 1, 256
DONE, ROOM, LONG = range(3)
CHUNK, OUT, AT, STOP, DOCUMENT = range(5)  # where an encoding goes on
PIECES, SPELLED, IDS = range(3)  # how much of a memory is in use


@njit
def rank_of(rules, seed, left, right):
    """The rank of the merge that joins two ids, or NO_RANK. rules: int64[2 * slots], key and rank in turn."""
    wanted = np.int64(left) << 31 | np.int64(right)
    slots = len(rules) >> 1
    slot = np.int64(np.uint64(wanted) * seed >> HALF) & (slots - 1)
    while rules[2 * slot] != wanted:
        if rules[2 * slot] == NONE:
            return NO_RANK
        slot = (slot + 1) & (slots - 1)
    return rules[2 * slot + 1]


# --- a merge list, prepared -----------------------------------------------------------------------


class Merges(NamedTuple):
    """A merge list and its base symbols as arrays."""

    rules: np.ndarray  # int64, hash table: left << 31 | right, and the rank
    firsts: np.ndarray  # int32, the ranks of pairs of the first FEW ids: left * FEW + right -> rank or NO_RANK
    symbols: np.ndarray  # int32, byte (or, by_character, code point) -> id of the base symbol
    fused: np.ndarray  # int32, id of a character -> the same with the end-of-word marker; empty without
    walls: np.ndarray  # uint8, bits: which neighbours (characters) some token may hold; empty for no walls
    loose: np.ndarray  # uint8, bits: last byte << 8 | first byte, where a token of broken characters may hold them
    characters: np.ndarray  # int32, code point -> the id that its bytes are merged to, or NONE
    base: int  # the id that rank 0 makes
    marker: int  # the id of the end-of-word marker, or NONE
    by_character: bool
    seed: np.uint64


def prepared(pairs, alphabet):
    """`Merges` of pairs (left id, right id) in learned order, over an `Alphabet`."""
    pairs = np.array(pairs, np.int64).reshape(-1, 2)
    if len(pairs) >= NOTHING >> 8:
        raise ValueError(f"merges: at most {NOTHING >> 8:,} can be applied, got {len(pairs):,}; truncate the list")
    rules = np.full(2 << max(4, (2 * len(pairs)).bit_length()), NONE, np.int64)
    firsts = np.full(FEW * FEW, NO_RANK, np.int32)
    fill_rules(pairs, rules, firsts, SEED)
    base, symbols, marked = len(alphabet.symbols), symbol_table(alphabet), alphabet.marker is not None
    walls = np.zeros(0 if marked else 1 << max(13, 1 + len(pairs).bit_length()), np.uint8)
    loose, characters = np.zeros(1 << 13, np.uint8), np.full(CHARACTERS, NONE, np.int32)
    if not marked:
        heads, tails = np.zeros((2, base + len(pairs)), np.int64)
        for i, symbol in enumerate(alphabet.symbols):
            heads[i] = int.from_bytes(b"\1" + symbol[:4], "big")
            tails[i] = int.from_bytes(b"\1" + symbol[-4:], "big")
        find_walls(pairs, heads, tails, base, walls, loose)
        if alphabet.base == "byte":
            find_characters(
                heads, pairs, rules, firsts, symbols, base, characters, np.empty(4, np.int32), new_search(), SEED
            )
    return Merges(
        rules=rules,
        firsts=firsts,
        symbols=symbols,
        fused=fused_table(alphabet),
        walls=walls,
        loose=loose,
        characters=characters,
        base=base,
        marker=NONE if alphabet.end_id is None else alphabet.end_id,
        by_character=alphabet.base == "char",
        seed=SEED,
    )


def apply(merges, memory, data, words, ends, stops):
    """The ids of chunks, end to end, where those of each document end, and the memory as it is afterwards.

    data, words: UTF-8 bytes as `hashing.in_eights` gives them; ends: where each chunk ends; stops: where each
    document ends. Int64 all three; ids are int32.
    """
    size = int(ends[-1]) if len(ends) else 0
    out, bounds = np.empty(size + len(ends) + 1, np.int32), np.zeros(len(stops), np.int64)
    search, state = new_search(), np.zeros(5, np.int64)
    while (why := encode_chunks(merges, memory, data, words, ends, stops, bounds, out, search, state)) != DONE:
        if why == ROOM:
            memory = memory.larger()
        else:
            _apply_to_long(merges, data, out, state, int(ends[state[CHUNK]]))
    return out[: state[OUT]], bounds, memory


def _apply_to_long(merges, data, out, state, end):
    """Encode the piece from AT to STOP, too long to search; end: of its chunk."""
    at, start, stop = (int(state[field]) for field in (OUT, AT, STOP))
    m = merges
    n = write_symbols(
        m.symbols, m.characters, m.fused, m.marker, m.by_character, False, data, start, stop, stop == end, out, at
    )
    arrays = np.empty(3 * n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    state[OUT] = at + merge_queueing(merges, out[at : at + n], n, *arrays)
    state[AT] = stop
    if stop == end:
        state[CHUNK] += 1


def new_search():
    """What `merge_searching` works with."""
    return np.empty((3, LONGEST_SEARCHED + 1), np.int32)


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
def fill_rules(pairs, rules, firsts, seed):
    slots = len(rules) >> 1
    for rank in range(len(pairs)):
        key = pairs[rank, 0] << 31 | pairs[rank, 1]
        slot = np.int64(np.uint64(key) * seed >> HALF) & (slots - 1)
        while rules[2 * slot] != NONE and rules[2 * slot] != key:
            slot = (slot + 1) & (slots - 1)
        rules[2 * slot] = key
        rules[2 * slot + 1] = rank
        if pairs[rank, 0] < FEW and pairs[rank, 1] < FEW:
            firsts[pairs[rank, 0] * FEW + pairs[rank, 1]] = rank


@njit
def character_size(first):
    """The number of bytes of a character in UTF-8, by its first; 0 for a byte that no character starts with."""
    if first < 0x80:
        return 1
    if first < 0xC0:
        return 0
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


@njit
def held(edge):
    """How many bytes an edge holds. An edge is up to four bytes as a number, with a one before them."""
    size = 0
    while edge > 1:
        edge >>= 8
        size += 1
    return size


@njit
def last_character(edge):
    """The last character in an edge, as an edge, or what there is of it."""
    for size in range(1, held(edge) + 1):
        found = character_size(edge >> 8 * (size - 1) & 0xFF)
        if found > 0:
            return 1 << 8 * size | edge & ((1 << 8 * size) - 1)
    return edge


@njit
def first_character(edge):
    """The first character in an edge, as an edge, or what there is of it; NONE inside a character."""
    size = held(edge)
    wanted = character_size(edge >> 8 * (size - 1) & 0xFF)
    return NONE if wanted == 0 else edge >> 8 * max(0, size - wanted)


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
    """The number of the bit for two neighbours, given as edges: characters, or pieces of them."""
    key = (np.uint64(left) << HALF ^ np.uint64(right)) * SPREAD
    return np.int64(key >> HALF) & (8 * len(walls) - 1)


@njit
def loose_bit(left, right):
    """The number of the bit for the last byte of one edge and the first of the next."""
    return (left & 0xFF) << 8 | right >> 8 * (held(right) - 1) & 0xFF


@njit
def is_whole(edge):
    """Whether an edge that is a character, or a piece of one, is all of it."""
    size = held(edge)
    return character_size(edge >> 8 * (size - 1) & 0xFF) == size


@njit
def find_walls(pairs, heads, tails, base, walls, loose):
    """Mark all neighbours that a token holds: each merge adds those where its two parts meet.

    heads, tails: the edge at the beginning and at the end of each token, those of the base filled in.
    """
    for rank in range(len(pairs)):
        left, right = pairs[rank, 0], pairs[rank, 1]
        heads[base + rank] = first_bytes(heads[left], heads[right])
        tails[base + rank] = last_bytes(tails[left], tails[right])
        before, behind = last_character(tails[left]), first_character(heads[right])
        if behind != NONE:
            bit = wall_bit(walls, before, behind)
            walls[bit >> 3] |= 1 << (bit & 7)
            if not (is_whole(before) and is_whole(behind)):
                bit = loose_bit(before, behind)
                loose[bit >> 3] |= 1 << (bit & 7)


@njit
def find_characters(heads, pairs, rules, firsts, symbols, base, characters, scratch, search, seed):
    """Note the tokens that are one character of several bytes, if the merges make them of its bytes."""
    for rank in range(len(pairs)):
        edge = heads[base + rank]
        size = held(edge)
        if size < 2 or not is_whole(edge) or held(heads[pairs[rank, 0]]) + held(heads[pairs[rank, 1]]) > size:
            continue
        point = edge >> 8 * (size - 1) & (0x7F >> size)
        for k in range(size):
            byte = edge >> 8 * (size - 1 - k) & 0xFF
            scratch[k] = symbols[byte]
            if k > 0:
                point = point << 6 | byte & 0x3F
        if (
            point < len(characters)
            and merge_searching(rules, firsts, seed, base, scratch, np.int64(0), size, search) == 1
        ):
            characters[point] = scratch[0]


# --- memory ---------------------------------------------------------------------------------------


class Memory(NamedTuple):
    """Pieces with their ids. One thread at a time."""

    slots: np.ndarray  # uint64[FIELDS * slots]: key, or 0 where free; first id << 16 | ids; where the bytes are
    spelled: np.ndarray  # uint64, the bytes of longer pieces, each from a full eight on
    ids: np.ndarray  # int32, the ids of all pieces, end to end
    used: np.ndarray  # int64: PIECES, SPELLED and IDS in use

    @classmethod
    def of(cls, slots):
        """An empty one; slots: how many, a power of two."""
        return cls(
            np.zeros(FIELDS * slots, np.uint64),
            np.empty(2 * slots, np.uint64),
            np.empty(2 * slots, np.int32),
            np.zeros(3, np.int64),
        )

    def larger(self):
        """One of four times the size that remembers the same; an empty one when it would get too large."""
        slots = len(self.slots) // FIELDS
        if slots >= MOST_SLOTS:
            return Memory.of(slots)
        memory = Memory.of(4 * slots)
        memory.spelled[: len(self.spelled)] = self.spelled
        memory.ids[: len(self.ids)] = self.ids
        memory.used[:] = self.used
        fill_slots(self.slots, memory.slots, SEED)
        return memory


@njit
def fill_slots(old, slots, seed):
    """Put all pieces of a table into an empty, larger one."""
    places = len(slots) // FIELDS
    for at in range(0, len(old), FIELDS):
        if old[at] != 0:
            slot = slot_of(old[at], seed, places)
            while slots[FIELDS * slot] != 0:
                slot = (slot + 1) & (places - 1)
            for field in range(FIELDS):
                slots[FIELDS * slot + field] = old[at + field]


@njit
def find_piece(slots, spelled, words, start, size, key, seed):
    """The slot of a piece, or the free one where it would be."""
    places = len(slots) // FIELDS
    slot = slot_of(key, seed, places)
    while slots[FIELDS * slot] != 0:
        if slots[FIELDS * slot] == key and (
            size <= SHORT
            or (
                slots[FIELDS * slot + 3] == np.uint64(size)
                and is_kept(words, start, size, spelled, np.int64(slots[FIELDS * slot + 2]))
            )
        ):
            return slot
        slot = (slot + 1) & (places - 1)
    return slot


@njit
def remember(slots, spelled, ids, used, slot, key, words, start, size, out, at, n):
    """Keep the ids of a piece, n of them from `at` on in `out`."""
    first = np.int64(out[at])
    if n != 1:
        first = used[IDS]
        for k in range(n):
            ids[first + k] = out[at + k]
        used[IDS] = first + n
    slots[FIELDS * slot], slots[FIELDS * slot + 1] = key, np.uint64(first << 16 | n)
    if size > SHORT:
        slots[FIELDS * slot + 2], slots[FIELDS * slot + 3] = np.uint64(used[SPELLED]), np.uint64(size)
        used[SPELLED] = keep_bytes(words, start, size, spelled, used[SPELLED])
    used[PIECES] += 1


# --- encoding -------------------------------------------------------------------------------------


@njit
def write_symbols(symbols, characters, fused, marker, by_character, whole, data, start, stop, last, out, at):
    """The base symbols of a piece, or its characters where they are whole, into `out` from `at` on; how many.

    last: whether its chunk ends there.
    """
    n = 0
    if by_character or whole:
        i = start
        while i < stop:
            byte = np.int64(data[i])
            size = character_size(byte)
            point = byte if size == 1 else byte & (0x7F >> size)
            for k in range(1, size):
                point = point << 6 | (np.int64(data[i + k]) & 0x3F)
            if by_character:
                out[at + n] = symbols[min(point, len(symbols) - 1)]
                n += 1
            elif size > 1 and point < len(characters) and characters[point] != NONE:
                out[at + n] = characters[point]
                n += 1
            else:
                for k in range(size):
                    out[at + n] = symbols[data[i + k]]
                    n += 1
            i += size
    else:
        for i in range(start, stop):
            out[at + n] = symbols[data[i]]
            n += 1
    if last and n > 0 and len(fused) > 0:
        out[at + n - 1] = fused[out[at + n - 1]]
    if last and marker != NONE:
        out[at + n] = marker
        n += 1
    return n


@njit
def merge_searching(rules, firsts, seed, base, out, at, n, search):
    """Apply the merges to n symbols where they lie, always the one of lowest rank; how many ids are left.

    search: int32[3, LONGEST_SEARCHED + 1], for each place what is wanted there (rank << 8 | place, so that
    the smallest is the earliest place of the lowest rank), the next place and the one before.
    """
    wanted, following, preceding = search[0], search[1], search[2]
    for k in range(n):
        rank = NO_RANK
        if k + 1 < n:
            left, right = np.int64(out[at + k]), np.int64(out[at + k + 1])
            if left < FEW and right < FEW:
                rank = np.int64(firsts[left * FEW + right])
            else:
                rank = rank_of(rules, seed, left, right)
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
            wanted[k] = min(rank_of(rules, seed, np.int64(out[at + k]), np.int64(out[at + after])) << 8 | k, NOTHING)
        if before >= 0:
            wanted[before] = min(
                rank_of(rules, seed, np.int64(out[at + before]), np.int64(out[at + k])) << 8 | before, NOTHING
            )
        kept -= 1
    if kept < n:
        k = 0
        for place in range(kept):
            out[at + place] = out[at + k]
            k = following[k]
    return kept


@njit
def is_broken(walls, before, size, behind, behind_size):
    """Whether some token may hold the last bytes of one character and the first of the next, given as edges."""
    for last in range(1, size + 1):
        end = 1 << 8 * last | before & ((1 << 8 * last) - 1)
        for first in range(1, behind_size + 1):
            bit = wall_bit(walls, end, behind >> 8 * (behind_size - first))
            if walls[bit >> 3] >> (bit & 7) & 1 and last + first < size + behind_size:
                return True
    return False


@njit
def next_wall(walls, loose, data, start, stop):
    """Where the piece that starts at `start` ends: before the first two characters that no token holds.

    Also whether its characters are whole: no token in it may hold only a part of one.
    """
    before, before_size, i, whole = np.int64(0), np.int64(0), start, True
    while i < stop:
        byte = np.int64(data[i])
        size = character_size(byte)
        character = 0x100 | byte
        for k in range(1, size):
            character = character << 8 | np.int64(data[i + k])
        if before_size + size > 2 and i > start:
            bit = wall_bit(walls, before, character)
            crossed = walls[bit >> 3] >> (bit & 7) & 1
            bit = (before & 0xFF) << 8 | byte
            if loose[bit >> 3] >> (bit & 7) & 1 and is_broken(walls, before, before_size, character, size):
                whole = False
            elif not crossed:
                return i, whole
        before, before_size = character, size
        i += size
    return stop, whole


@njit
def note(state, chunk, n, i, stop, document):
    state[CHUNK], state[OUT], state[AT], state[STOP], state[DOCUMENT] = chunk, n, i, stop, document


@njit
def encode_chunks(merges, memory, data, words, ends, stops, bounds, out, search, state):
    """Encode chunks: ids end to end into `out`, and where those of each document end into `bounds`.

    data: UTF-8 bytes; words: the same bytes in eights; ends: where each chunk ends; stops: where each
    document ends; state: CHUNK, OUT, AT, STOP, DOCUMENT, where to go on. Returns DONE; or ROOM, when the memory
    wants to be enlarged; or LONG, for a piece from AT to STOP that `merge_queueing` should take.
    """
    slots, spelled, ids, used = memory.slots, memory.spelled, memory.ids, memory.used
    firsts = merges.firsts
    rules, walls, loose, symbols, characters, fused = (
        merges.rules,
        merges.walls,
        merges.loose,
        merges.symbols,
        merges.characters,
        merges.fused,
    )
    seed, base, marker, by_character = merges.seed, merges.base, merges.marker, merges.by_character
    most_spelled, most_ids = len(spelled) - LONGEST_REMEMBERED, len(ids) - 2 * LONGEST_REMEMBERED
    chunk, n, i, document = state[CHUNK], state[OUT], state[AT], state[DOCUMENT]
    while chunk < len(ends):
        end = ends[chunk]
        while document < len(stops) and stops[document] <= i:
            bounds[document] = n
            document += 1
        while i < end:
            if 2 * FIELDS * used[PIECES] >= len(slots) or used[SPELLED] >= most_spelled or used[IDS] >= most_ids:
                note(state, chunk, n, i, i, document)
                return ROOM
            stop, whole = end, True
            if len(walls) > 0 and (end - i > SHORT or few(words, i, end - i) & NOT_ASCII):
                stop, whole = next_wall(walls, loose, data, i, end)
            size = stop - i
            kept = size <= LONGEST_REMEMBERED
            key, slot = np.uint64(0), 0
            if kept:
                key = piece_key(words, i, size, seed)
                slot = find_piece(slots, spelled, words, i, size, key, seed)
                if slots[FIELDS * slot] != 0:
                    value = np.int64(slots[FIELDS * slot + 1])
                    count, first = value & 0xFFFF, value >> 16
                    if count == 1:
                        out[n] = first
                    else:
                        for k in range(count):
                            out[n + k] = ids[first + k]
                    n += count
                    i = stop
                    continue
            elif size > LONGEST_SEARCHED:
                note(state, chunk, n, i, stop, document)
                return LONG
            whole &= len(walls) > 0
            count = write_symbols(
                symbols, characters, fused, marker, by_character, whole, data, i, stop, stop == end, out, n
            )
            count = merge_searching(rules, firsts, seed, base, out, n, count, search)
            if kept:
                remember(slots, spelled, ids, used, slot, key, words, i, size, out, n, count)
            n += count
            i = stop
        chunk += 1
    while document < len(stops) and stops[document] <= i:
        bounds[document] = n
        document += 1
    note(state, chunk, n, i, i, document)
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
def merge_queueing(merges, ids, n, heap, ranks, following, preceding):
    """`merge_searching` with a queue of rank << 32 | place: about linear, however long the piece. How many are left.

    ids, ranks, following, preceding: as long as the piece; heap: three times that.
    """
    rules, seed, size = merges.rules, merges.seed, 0
    for k in range(n):
        ranks[k] = rank_of(rules, seed, ids[k], ids[k + 1]) if k + 1 < n else NO_RANK
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
        ids[k], ids[gone] = merges.base + rank, NONE
        ranks[gone] = NO_RANK
        following[k] = following[gone]
        if following[k] < n:
            preceding[following[k]] = k
        for left in (preceding[k], k):
            if left >= 0:
                right = following[left]
                ranks[left] = rank_of(rules, seed, ids[left], ids[right]) if right < n else NO_RANK
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
    if is_small(len(ids) * len(pairs)):
        ends, symbols = np.cumsum(sizes).tolist(), ids.tolist()
        rows = [merge_plainly(symbols[start:end], pairs, base) for start, end in pairwise([0, *ends])]
        return np.array(list(chain.from_iterable(rows)), np.int32), np.array(list(map(len, rows)), np.int64)
    merges, out = prepared(pairs, alphabet), ids.astype(np.int32)
    sizes, longest = sizes.copy(), int(sizes.max(initial=0))
    arrays = np.empty(3 * longest, np.int64), *np.empty((3, longest), np.int64)
    n = merge_rows(merges, out, sizes, new_search(), *arrays)
    return out[:n], sizes


@njit
def merge_rows(merges, ids, sizes, search, heap, ranks, following, preceding):
    """`merged` where the rows lie, and close up; how many ids are left. sizes become those in tokens."""
    source, target = 0, 0
    for row in range(len(sizes)):
        n = sizes[row]
        for k in range(n):
            ids[target + k] = ids[source + k]
        source += n
        if n <= LONGEST_SEARCHED:
            n = merge_searching(merges.rules, merges.firsts, merges.seed, merges.base, ids, target, n, search)
        else:
            n = merge_queueing(merges, ids[target : target + n], n, heap, ranks, following, preceding)
        sizes[row] = n
        target += n
    return target


def merge_plainly(ids, pairs, base):
    """A list of ids by one merge after the other: nothing to compile for a toy."""
    for made, pair in enumerate(pairs.tolist(), base):
        ids = replaced(ids, pair, made)
    return ids


def replaced(ids, pair, made):
    """The ids with `made` for each occurrence of `pair`, left to right."""
    left, right = pair
    if left not in ids or right not in ids:
        return ids
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
