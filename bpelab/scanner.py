"""The published split patterns, compiled: the same chunks as the regular expressions, many times faster.

Each function reads one pattern aloud: where does the chunk that starts at i end? What a letter, a
numeral or white space is, the `regex` package itself is asked, once, for every code point. Tests
hold this equal to the patterns, on fuzzed and on real text.

Compiled functions here call none outside this file (Numba's cache would not see changes there).
"""

from functools import cache

import numpy as np
import regex

from bpelab.compiled import njit

GPT2, CL100K, O200K = range(3)
CODES = {"gpt2": GPT2, "cl100k": CL100K, "o200k": O200K}
SPACE, NEWLINE, LETTER, NUMERAL, UPPER, LOWER = 1, 2, 4, 8, 16, 32
CLASSES = {
    SPACE: r"\s",
    NEWLINE: r"[\r\n]",
    LETTER: r"\p{L}",
    NUMERAL: r"\p{N}",
    UPPER: r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]",
    LOWER: r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
}
BLANK, APOSTROPHE, SLASH = ord(" "), ord("'"), ord("/")
S, D, M, T, L, V, E, R = map(ord, "sdmtlver")


@cache
def tables():
    """For each code point its classes (uint8) and the letter of "sdmtlver" it is in any case (uint8)."""
    every = "".join(map(chr, range(0x110000)))
    classes = np.zeros(len(every), np.uint8)
    for bit, pattern in CLASSES.items():
        for match in regex.finditer(f"(?:{pattern})+", every):
            classes[match.start() : match.end()] |= bit
    folded = np.zeros(len(every), np.uint8)
    for letter in "sdmtlver":
        for match in regex.finditer(f"(?i:{letter})", every):
            folded[match.start()] = ord(letter)
    return classes, folded


def code_points(text):
    """The characters of a text as uint32."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


# --- where a chunk ends ---------------------------------------------------------------------------


@njit
def run(points, classes, i, stop, bits):
    """The end of the run of characters, from i on, that have any of these classes."""
    while i < stop and classes[points[i]] & bits:
        i += 1
    return i


@njit
def run_without(points, classes, i, stop, bits):
    """The end of the run of characters, from i on, that have none of these classes."""
    while i < stop and not classes[points[i]] & bits:
        i += 1
    return i


@njit
def contraction(points, folded, i, stop, any_case):
    """The end of 's, 'd, 'm, 't, 'll, 've or 're at i; i where there is none."""
    if i + 1 >= stop or points[i] != APOSTROPHE:
        return i
    first = folded[points[i + 1]]
    if not any_case and points[i + 1] != first:
        return i
    if first in (S, D, M, T):
        return i + 2
    if i + 2 >= stop:
        return i
    second = folded[points[i + 2]]
    if not any_case and points[i + 2] != second:
        return i
    if (first == L and second == L) or (first in (V, R) and second == E):
        return i + 3
    return i


@njit
def signs(points, classes, i, stop):
    r"""The end of a blank, if there is one, and then signs: ` ?[^\s\p{L}\p{N}]+`; i where there is no sign."""
    first = i + 1 if points[i] == BLANK else i
    end = run_without(points, classes, first, stop, SPACE | LETTER | NUMERAL)
    return end if end > first else i


@njit
def white(points, classes, i, stop, newlines):
    r"""The end of a chunk of white space: \s++$, then \s*[\r\n] if `newlines`, then \s+(?!\S), then \s."""
    end = run(points, classes, i, stop, SPACE)
    if newlines:
        last = end
        while last > i and not classes[points[last - 1]] & NEWLINE:
            last -= 1
        if last > i:
            return last
    return end if end == stop or end == i + 1 else end - 1


@njit
def end_gpt2(points, classes, folded, i, stop):
    end = contraction(points, folded, i, stop, False)
    if end > i:
        return end
    first = i + 1 if points[i] == BLANK else i
    if first < stop:
        kind = classes[points[first]]
        if kind & LETTER:
            return run(points, classes, first, stop, LETTER)
        if kind & NUMERAL:
            return run(points, classes, first, stop, NUMERAL)
        if not kind & SPACE:
            return run_without(points, classes, first, stop, SPACE | LETTER | NUMERAL)
    return white(points, classes, i, stop, False)


@njit
def end_cl100k(points, classes, folded, i, stop):
    end = contraction(points, folded, i, stop, True)
    if end > i:
        return end
    kind = classes[points[i]]
    first = i if kind & (LETTER | NUMERAL | NEWLINE) else i + 1
    if first < stop and classes[points[first]] & LETTER:
        return run(points, classes, first, stop, LETTER)
    if kind & NUMERAL:
        return run(points, classes, i, min(stop, i + 3), NUMERAL)
    end = signs(points, classes, i, stop)
    if end > i:
        return run(points, classes, end, stop, NEWLINE)
    if run(points, classes, i, stop, SPACE) == stop:
        return stop
    return white(points, classes, i, stop, True)


@njit
def word_o200k(points, classes, i, stop):
    """Capitals, then small letters, from i on: the end by the first two alternatives; i for none.

    [upper]*[lower]+ gives back capitals until one that is also lower (a letter without case) is left
    to be the last; where there is none, [upper]+ takes them all.
    """
    end = run(points, classes, i, stop, UPPER)
    if end < stop and classes[points[end]] & LOWER:
        return run(points, classes, end, stop, LOWER), True
    last = end
    while last > i and not classes[points[last - 1]] & LOWER:
        last -= 1
    if last > i:
        return last, True
    return end, False


@njit
def end_o200k(points, classes, folded, i, stop):
    kind = classes[points[i]]
    first = i if kind & (LETTER | NUMERAL | NEWLINE) else i + 1
    end, whole = word_o200k(points, classes, first, stop)
    if not whole and first > i:  # the first alternative without its first character, before the second with it
        bare, bare_whole = word_o200k(points, classes, i, stop)
        if bare_whole:
            end, whole = bare, True
        elif end == first:
            end = bare
            first = i
    if end > first or whole:
        return contraction(points, folded, end, stop, True)
    if kind & NUMERAL:
        return run(points, classes, i, min(stop, i + 3), NUMERAL)
    end = signs(points, classes, i, stop)
    if end > i:
        while end < stop and (classes[points[end]] & NEWLINE or points[end] == SLASH):
            end += 1
        return end
    return white(points, classes, i, stop, True)


# --- chunks, and how often each occurs ------------------------------------------------------------


@njit
def same(points, a, b, size):
    for k in range(size):
        if points[a + k] != points[b + k]:
            return False
    return True


@njit
def home(points, i, size, table):
    """The place in the hash table where the search for a chunk starts."""
    code = np.int64(0)
    for k in range(i, i + size):
        code = (code ^ np.int64(points[k])) * 0x01000193 & 0x7FFFFFFF
    return (code ^ (code >> 15)) & (len(table) - 1)


@njit
def find_chunks(points, stops, classes, folded, pattern, table, starts, sizes, numbers, made):
    """Cut documents into chunks and number the distinct ones, in the order first seen.

    stops: where each document ends; table: hash table of chunk numbers, -1 where free, its size a
    power of two; starts, sizes: of each distinct chunk; numbers: of each chunk; made: [document, position,
    chunks, distinct], where to go on, since this returns when the table is half full.
    """
    document, i, n, distinct = made
    while document < len(stops):
        stop = stops[document]
        while i < stop:
            if 2 * distinct >= len(table):
                made[:] = document, i, n, distinct
                return
            if pattern == GPT2:
                end = end_gpt2(points, classes, folded, i, stop)
            elif pattern == CL100K:
                end = end_cl100k(points, classes, folded, i, stop)
            else:
                end = end_o200k(points, classes, folded, i, stop)
            size = end - i
            slot = home(points, i, size, table)
            while table[slot] >= 0:
                other = table[slot]
                if sizes[other] == size and same(points, starts[other], i, size):
                    break
                slot = (slot + 1) & (len(table) - 1)
            if table[slot] < 0:
                table[slot] = distinct
                starts[distinct] = i
                sizes[distinct] = size
                distinct += 1
            numbers[n] = table[slot]
            n += 1
            i = end
        document += 1
    made[:] = document, i, n, distinct


@njit
def fill_table(points, table, starts, sizes, distinct):
    """Put chunks 0 to distinct - 1 into an empty, larger table."""
    for chunk in range(distinct):
        slot = home(points, starts[chunk], sizes[chunk], table)
        while table[slot] >= 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = chunk


def scan(documents, name):
    """The distinct chunks of some documents (list of str), in the order first seen, and the number of
    each chunk in turn: (list of str, int32 array). name: "gpt2", "cl100k" or "o200k".

    >>> chunks, numbers = scan(["low low", " low"], "gpt2")
    >>> chunks, numbers.tolist()
    (['low', ' low'], [0, 1, 1])
    """
    classes, folded = tables()
    text = "".join(documents)
    points = code_points(text)
    stops = np.cumsum(np.fromiter(map(len, documents), np.int64, len(documents)))
    numbers, made = np.empty(len(text), np.int32), np.zeros(4, np.int64)
    starts, sizes = np.empty(1 << 13, np.int64), np.empty(1 << 13, np.int32)
    table = np.full(1 << 13, -1, np.int32)
    while True:
        find_chunks(points, stops, classes, folded, CODES[name], table, starts, sizes, numbers, made)
        if made[0] == len(stops):
            break
        table = np.full(len(table) * 4, -1, np.int32)
        starts, sizes = np.resize(starts, len(table)), np.resize(sizes, len(table))
        fill_table(points, table, starts, sizes, made[3])
    chunks, distinct = int(made[2]), int(made[3])
    found = [text[i : i + n] for i, n in zip(starts[:distinct].tolist(), sizes[:distinct].tolist(), strict=True)]
    return found, numbers[:chunks]
