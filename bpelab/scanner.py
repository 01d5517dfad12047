r"""The published split patterns as automata: the same chunks as the regular expressions, many times faster.

A pattern is read aloud once, as rules: in which *state* is the chunk so far (a word, a run of white
space ...), and what does the *kind* of the next character (a letter, a blank ...) change? The rules make
a table, and compiled code goes through the bytes of a text with one look into it for each character, and
nothing to decide. What kind a character is, the `regex` package itself is asked, once, for every code
point. Tests hold this equal to the patterns, on every code point, on fuzzed and on real text.

"""

from collections.abc import Mapping
from functools import cache, cached_property

import numpy as np
import regex

from bpelab.compiled import njit
from bpelab.hashing import SEED, SHORT, fill_table, in_eights, is_kept, keep_bytes, piece_key, slot_of

# --- kinds of characters --------------------------------------------------------------------------

#: Kind -> the characters of that kind, those that are of no kind before it. Contractions ('s 't 'll 've 're)
#: need letters of their own: those of "sdmt" end one, l wants another l, v and r want an e.
KINDS = {
    "blank": r"[ ]",
    "newline": r"[\r\n]",
    "white": r"\s",
    "numeral": r"\p{N}",
    "apostrophe": r"'",
    "slash": r"/",
    "s": r"[sdmt]",
    "l": r"l",
    "v": r"[vr]",
    "e": r"e",
    "S": r"[SDMT]",
    "L": r"L",
    "V": r"[VR]",
    "E": r"E",
    "long s": r"ſ",
    "upper": r"[\p{Lu}\p{Lt}]",
    "lower": r"\p{Ll}",
    "caseless": r"\p{L}",
    "mark": r"\p{M}",
    "sign": r"(?s:.)",
    "end": None,  # behind the last character of a document
}
COLUMNS = 32  # of the table, for the kinds: a power of two
WHITE = {"blank", "newline", "white"}
UPPER = {"upper", "S", "L", "V", "E"}
LOWER = {"lower", "s", "l", "v", "e", "long s"}
LETTER = UPPER | LOWER | {"caseless"}
SIGN = {"apostrophe", "slash", "mark", "sign"}

# --- what happens at a character ------------------------------------------------------------------

#: A chunk ends before this character; before the one before it; at the mark. The mark is set before or
#: behind this character. Ends come before marks, those further left first.
END_HERE, END_PREVIOUS, END_MARK, MARK_HERE, MARK_BEHIND = 1, 2, 4, 8, 16
SELDOM = END_PREVIOUS | END_MARK | MARK_HERE | MARK_BEHIND


def space(state, kind):
    """[ ][^ ]*|[^ ]+"""
    return "chunk", END_HERE if state and (kind in ("blank", "end")) else 0


def gpt2(state, kind):
    r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
    kind = "white" if kind == "newline" else kind
    if kind in WHITE and state in ("blank", "white", "blanks", "whites"):
        return ("blanks" if kind == "blank" else "whites"), 0
    if state == "'" and kind in ("s", "l", "v"):
        return {"s": "done", "l": "'l", "v": "'v"}[kind], 0
    if (state, kind) in (("'l", "l"), ("'v", "e")):
        return "done", 0
    if state in ("'l", "'v"):  # no contraction: a sign, and a word of one letter so far
        return also(END_PREVIOUS, gpt2("word", kind))
    if state in ("blanks", "whites") and kind != "end":  # the last one may belong to what follows
        return also(END_PREVIOUS, gpt2(state[:-1], kind))
    for name, members in (("word", LETTER), ("number", {"numeral"}), ("signs", SIGN)):
        if kind in members and state in (name, "blank", "'" if name == "signs" else None):
            return name, 0
    return begun(state, kind, "'" if kind == "apostrophe" else "signs" if kind in SIGN else None)


def cl100k(state, kind):
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+
    | ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
    if kind in WHITE and state in WHITE_STATES:
        return white_run(state, kind)
    low = kind.lower()
    if state == "'" and (low in ("s", "l", "v") or kind == "long s"):
        return {"s": "done", "long s": "done", "l": "'l", "v": "'v"}[low], 0
    if (state, low) in (("'l", "l"), ("'v", "e")):
        return "done", 0
    if state in ("'l", "'v"):  # no contraction: a sign before a word
        return cl100k("word", kind)
    if state in WHITE_ENDS and kind != "end":
        actions, last = WHITE_ENDS[state]
        return also(actions, cl100k(last, kind))
    if kind in LETTER and state in ("word", "blank", "white", "sign", "'"):
        return "word", 0
    if kind == "numeral" and state in ("number", "number 2"):
        return ("number 2" if state == "number" else "number 3"), 0
    if kind in SIGN and state in ("blank", "sign", "signs", "'"):
        return "signs", 0
    if kind == "newline" and state in ("sign", "signs", "signs, newlines", "'"):
        return "signs, newlines", 0
    return begun(state, kind, "'" if kind == "apostrophe" else "sign" if kind in SIGN else None)


def o200k(state, kind):
    r"""[^\r\n\p{L}\p{N}]?[upper]*[lower]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[upper]+[lower]*(same)?
    |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+, where upper and lower both have
    the letters without case and the marks, here called caseless.

    Capitals without small letters behind them give back what follows the last caseless one ("日本ABC"
    is two chunks, "日本ABCdef" one): the mark stands there.
    """
    if kind in WHITE and state in WHITE_STATES:
        return white_run(state, kind)
    if state in WHITE_ENDS and (kind != "end" or END_MARK & WHITE_ENDS[state][0]):
        actions, last = WHITE_ENDS[state]
        return also(actions & END_MARK if kind == "end" else actions, o200k(last, kind))
    low = kind.lower()
    if state == "word'" and (low in ("s", "l", "v") or kind == "long s"):
        return {"s": "done", "long s": "done"}.get(low, "word'" + kind), 0
    if (state.lower(), low) in (("word'l", "l"), ("word'v", "e")):
        return "done", 0
    if state.startswith("word'"):  # no contraction: a sign, perhaps before a word
        return also(END_MARK, o200k({"": "sign"}.get(state[5:], "upper" if state[5:] in UPPER else "lower"), kind))
    if state == "caseless, upper" and kind not in LETTER | {"mark"}:
        return also(END_MARK, o200k("upper", kind))
    before_word = state in ("blank", "white", "sign")
    if kind in LOWER and (before_word or state in ("upper", "caseless", "caseless, upper", "lower")):
        return "lower", 0
    if kind in UPPER and (before_word or state in ("upper", "caseless", "caseless, upper")):
        return ("upper" if before_word or state == "upper" else "caseless, upper"), 0
    if kind in ("caseless", "mark") and state == "lower":
        return "lower", 0
    if kind in ("caseless", "mark") and (before_word or state in ("upper", "caseless", "caseless, upper")):
        return "caseless", MARK_BEHIND
    if kind == "apostrophe" and state in ("upper", "caseless", "lower"):
        return "word'", MARK_HERE
    if kind == "numeral" and state in ("number", "number 2"):
        return ("number 2" if state == "number" else "number 3"), 0
    if kind in SIGN and state in ("blank", "sign", "signs"):
        return "signs", 0
    if (kind == "newline" and state in ("sign", "signs")) or (
        kind in ("newline", "slash") and state == "signs, newlines"
    ):
        return "signs, newlines", 0
    if kind in ("caseless", "mark"):
        return "caseless", MARK_BEHIND | (END_HERE if state else 0)
    return begun(state, kind, "upper" if kind in UPPER else "lower" if kind in LOWER else "sign")


#: White space whose newlines end a chunk. Behind the last newline stands the mark; then come none, one or
#: more others, of which the last may belong to what follows: what ends there, and what the rest is.
WHITE_ENDS = {
    "blanks": (END_PREVIOUS, "blank"),
    "whites": (END_PREVIOUS, "white"),
    "newline, blank": (END_MARK, "blank"),
    "newline, white": (END_MARK, "white"),
    "newline, blanks": (END_MARK | END_PREVIOUS, "blank"),
    "newline, whites": (END_MARK | END_PREVIOUS, "white"),
}
WHITE_STATES = {"blank", "white", "newline", *WHITE_ENDS}


def white_run(state, kind):
    """White space after white space."""
    if kind == "newline":
        return "newline", MARK_BEHIND
    if state == "newline":
        return "newline, " + kind, 0
    return ("newline, " if "newline" in state else "") + kind + "s", 0


def also(actions, step):
    """A step with more actions."""
    return step[0], step[1] | actions


def begun(state, kind, other):
    """The chunk so far ends, if there is one, and a new one begins; `other`: its state, if it has its own."""
    if kind == "newline":
        return "newline", MARK_BEHIND | (END_HERE if state else 0)
    name = kind if kind in WHITE else "number" if kind == "numeral" else "word" if kind in LETTER else other
    return (name if other is None or kind in WHITE or kind == "numeral" else other), END_HERE if state else 0


RULES = {"space": space, "gpt2": gpt2, "cl100k": cl100k, "o200k": o200k}


@cache
def automaton(name):
    """The rules of a pattern as two tables: at state + kind stands the next state, uint16, and what to do, uint8.

    State 0 begins.
    """
    rule, numbers = RULES[name], {"": 0}
    for state in states_of(rule):
        numbers.setdefault(state, len(numbers) * COLUMNS)
    states, actions = np.zeros(len(numbers) * COLUMNS, np.uint16), np.zeros(len(numbers) * COLUMNS, np.uint8)
    for state, row in numbers.items():
        for column, kind in enumerate(KINDS):
            after, actions[row + column] = rule(state, kind) if state or kind != "end" else ("", 0)
            states[row + column] = 0 if kind == "end" else numbers[after]
    return states, actions


def states_of(rule):
    """All states that the rules reach from the beginning, in the order found."""
    found = [""]
    for state in found:
        for kind in KINDS:
            if kind != "end" and (after := rule(state, kind)[0]) not in found:
                found.append(after)
    return found


@cache
def kinds():
    """The kind of every code point: uint8[0x110000]."""
    every = "".join(map(chr, range(0x110000)))
    numbers = np.full(len(every), list(KINDS).index("sign"), np.uint8)
    for number, (kind, pattern) in reversed(list(enumerate(KINDS.items()))):
        if kind not in ("sign", "end"):
            stop = len(every) if "\\" in pattern else 0x180  # the others are Latin letters and signs
            for match in regex.finditer(f"{pattern}+", every, endpos=stop):
                numbers[match.start() : match.end()] = number
    return numbers


# --- cutting --------------------------------------------------------------------------------------


@njit
def find_ends(data, stops, kinds, states, actions, last_kind, ends):
    """Write where each chunk of some UTF-8 documents ends into `ends`; how many there are.

    stops: where each document ends.
    """
    n, i = 0, 0
    for document in range(len(stops)):
        stop, state, mark, previous = stops[document], 0, i, i
        while i < stop:
            byte = np.int64(data[i])
            if byte < 0x80:
                point, size = byte, 1
            elif byte < 0xE0:
                point, size = (byte & 0x1F) << 6 | (np.int64(data[i + 1]) & 0x3F), 2
            elif byte < 0xF0:
                point = (byte & 0x0F) << 12 | (np.int64(data[i + 1]) & 0x3F) << 6 | (np.int64(data[i + 2]) & 0x3F)
                size = 3
            else:
                point = (byte & 0x07) << 18 | (np.int64(data[i + 1]) & 0x3F) << 12
                point |= (np.int64(data[i + 2]) & 0x3F) << 6 | (np.int64(data[i + 3]) & 0x3F)
                size = 4
            step = np.int64(actions[state + kinds[point]])
            state = np.int64(states[state + kinds[point]])
            if step & SELDOM:
                if step & END_MARK:
                    ends[n] = mark
                    n += 1
                if step & END_PREVIOUS:
                    ends[n] = previous
                    n += 1
                if step & MARK_HERE:
                    mark = i
                if step & MARK_BEHIND:
                    mark = i + size
            ends[n] = i  # without a branch, which would be guessed wrong at every other word
            n += step & END_HERE
            previous = i
            i += size
        step = np.int64(actions[state + last_kind])
        if step & END_MARK:
            ends[n] = mark
            n += 1
        if step & END_PREVIOUS:
            ends[n] = previous
            n += 1
        if step & END_HERE:
            ends[n] = i
            n += 1
    return n


def parts(text, name, size):
    """A text as some parts of at least `size` characters (the last may be less), cut where chunks end in any case."""
    cuts, at = [], size
    safe = regex.compile(r"(?<=[^ ])(?= )" if name == "space" else r"(?<=\S\n)(?=\p{L})")
    while at < len(text) and (found := safe.search(text, at)):
        cuts.append(found.start())
        at = found.start() + size
    return [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def cut(data, stops, name):
    """Where the chunks of some documents end, int64, in bytes; name: one of RULES.

    data: the UTF-8 bytes of all documents, end to end, uint8; stops: where each ends, int64.

    >>> data = np.frombuffer("low low,猫".encode(), np.uint8).copy()
    >>> cut(data, np.array([11]), "gpt2").tolist()
    [3, 7, 8, 11]
    """
    ends = np.empty(len(data) + 1, np.int64)
    n = find_ends(data, stops, kinds(), *automaton(name), len(KINDS) - 1, ends)
    return ends[:n]


# --- distinct chunks ------------------------------------------------------------------------------


@njit
def number_chunks(words, ends, chunk, table, places, sizes, counts, kept, used, numbers, seed):
    """Number chunks by the order in which they are first seen, and count them; from number `chunk` on.

    words: the bytes in eights; ends: where each chunk ends; table: uint64[2 * slots], hash table of key and
    number; places, sizes, counts: of each distinct chunk, where its bytes stand in `kept`, how many there
    are, how often it was seen; used: [distinct, eights in `kept`]; numbers: of each chunk. Returns the
    chunk where it stopped, which is before the end when the table is half full, or `kept` full.
    """
    slots, start = len(table) >> 1, 0 if chunk == 0 else ends[chunk - 1]
    while chunk < len(ends):
        size = ends[chunk] - start
        if 2 * used[0] >= slots or used[1] + (size >> 3) + 1 > len(kept):
            break
        key = piece_key(words, start, size, seed)
        slot = slot_of(key, seed, slots)
        while table[2 * slot] != 0:
            number = np.int64(table[2 * slot + 1])
            if table[2 * slot] == key and (
                size <= SHORT or (sizes[number] == size and is_kept(words, start, size, kept, places[number]))
            ):
                break
            slot = (slot + 1) & (slots - 1)
        if table[2 * slot] == 0:
            number = used[0]
            table[2 * slot], table[2 * slot + 1] = key, np.uint64(number)
            places[number], sizes[number], counts[number] = used[1], size, 0
            used[1] = keep_bytes(words, start, size, kept, used[1])
            used[0] = number + 1
        number = np.int64(table[2 * slot + 1])
        counts[number] += 1
        numbers[chunk] = number
        start = ends[chunk]
        chunk += 1
    return chunk


def grown(array, size):
    """A copy of an array with room behind it, up to `size`."""
    fresh = np.empty(size, array.dtype)
    fresh[: len(array)] = array
    return fresh


class Chunks(Mapping):
    """A mapping chunk -> how often it was seen, in the order first seen; fed with parts of a text, held in arrays."""

    def __init__(self):
        self.table = np.zeros(2 << 12, np.uint64)
        self.places, self.sizes, self.counts = (np.empty(1 << 11, np.int64) for _ in range(3))
        self.kept, self.used = np.empty(1 << 12, np.uint64), np.zeros(2, np.int64)

    def add(self, data, words, ends):
        """Take in the chunks that end there, in data as `in_eights` gives it; the number of each, int32."""
        numbers, done = np.empty(len(ends), np.int32), 0
        while True:
            arrays = self.table, self.places, self.sizes, self.counts, self.kept, self.used
            done = number_chunks(words, ends, done, *arrays, numbers, SEED)
            if done == len(ends):
                return numbers
            self._enlarge(int(ends[done] - (ends[done - 1] if done else 0)))

    def _enlarge(self, size):
        if 4 * self.used[0] >= len(self.table):
            table = np.zeros(4 * len(self.table), np.uint64)
            fill_table(self.table, table, SEED)
            self.table, distinct = table, len(table) // 4
            self.places, self.sizes, self.counts = (
                grown(array, distinct) for array in (self.places, self.sizes, self.counts)
            )
        if int(self.used[1]) + size // 8 + 1 > len(self.kept):
            self.kept = grown(self.kept, (len(self.kept) + size // 8) * 3 // 2 + 1)

    def scan(self, documents, name):
        """Take in the chunks of some documents (list of str); the number of each, int32."""
        pieces = [document.encode() for document in documents]
        data, words = in_eights(pieces)
        return self.add(data, words, cut(data, np.cumsum(list(map(len, pieces)), dtype=np.int64), name))

    @property
    def frequencies(self):
        """How often each was seen: int64."""
        return self.counts[: len(self)]

    @property
    def lengths(self):
        """The number of bytes of each: int64."""
        return self.sizes[: len(self)]

    def forget(self):
        """Let go of all that was counted: training has it in arrays of its own."""
        self.__init__()

    def texts(self):
        """All distinct chunks: a list of str."""
        data, starts = self.kept.view(np.uint8).tobytes(), (8 * self.places[: len(self)]).tolist()
        return [data[start : start + size].decode() for start, size in zip(starts, self.lengths.tolist(), strict=True)]

    @cached_property
    def _counts(self):
        return dict(zip(self.texts(), self.frequencies.tolist(), strict=True))

    def __len__(self):
        return int(self.used[0])

    def __iter__(self):
        return iter(self._counts)

    def __getitem__(self, chunk):
        return self._counts[chunk]


def scan(documents, name):
    """The distinct chunks of some documents (list of str), in the order first seen, and the number of
    each chunk in turn: (list of str, int32 array). name: one of RULES.

    >>> chunks, numbers = scan(["low low", " low"], "gpt2")
    >>> chunks, numbers.tolist()
    (['low', ' low'], [0, 1, 1])
    """
    chunks = Chunks()
    numbers = chunks.scan(documents, name)
    return chunks.texts(), numbers
