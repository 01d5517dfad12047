"""Answers to the exercises of chapter 06: what must pass, and what must fail with which words."""

from functools import cache
from heapq import heapify, heappop, heappush
from math import log

import numpy as np

import bpelab

# --- 06.2 ---


def lazy(queue, counts):
    """All of the equals come out; the largest stays out."""
    tied = []
    while queue and (not tied or queue[0][0] == tied[0][0]):
        count, pair = heappop(queue)
        if -count == counts[pair]:
            tied.append((count, pair))
        elif counts[pair] > 0:
            heappush(queue, (-counts[pair], pair))
    if not tied:
        return None
    tied.sort()
    *others, (_, pair) = tied
    for entry in others:
        heappush(queue, entry)
    return pair


def looking_on(queue, counts):
    """The winner stays in the queue; it is out of date the next time. A list comes back in place of a tuple."""
    while queue and -queue[0][0] != counts[queue[0][1]]:
        _, pair = heappop(queue)
        if counts[pair] > 0:
            heappush(queue, (-counts[pair], pair))
    if not queue:
        return None
    top, aside = queue[0][0], []
    while queue and queue[0][0] == top:
        aside.append(heappop(queue))
    true = [pair for n, pair in aside if counts[pair] == -n]
    for _, pair in aside:
        if counts[pair]:
            heappush(queue, (-counts[pair], pair))
    return list(max(true))


def smallest(queue, counts):
    """The chapter's own `best`."""
    while queue:
        count, pair = heappop(queue)
        if -count == counts[pair]:
            return pair
        if counts[pair] > 0:
            heappush(queue, (-counts[pair], pair))
    return None


def dropping(queue, counts):
    """Entries out of date are thrown away."""
    tied = []
    while queue and (not tied or queue[0][0] == tied[0][0]):
        count, pair = heappop(queue)
        if -count == counts[pair]:
            tied.append((count, pair))
    if not tied:
        return None
    for entry in sorted(tied)[:-1]:
        heappush(queue, entry)
    return max(tied)[1]


def trusting(queue, counts):
    """Each entry is believed."""
    tied = [heappop(queue)] if queue else []
    while queue and queue[0][0] == tied[0][0]:
        tied.append(heappop(queue))
    tied = [entry for entry in tied if counts[entry[1]] > 0]
    for entry in sorted(tied)[:-1]:
        heappush(queue, entry)
    return max(tied)[1] if tied else None


def losing_equals(queue, counts):
    """The equals that aren't taken don't go back."""
    tied = []
    while queue and (not tied or queue[0][0] == tied[0][0]):
        count, pair = heappop(queue)
        if -count == counts[pair]:
            tied.append((count, pair))
        elif counts[pair] > 0:
            heappush(queue, (-counts[pair], pair))
    return max(tied)[1] if tied else None


def recounting(queue, counts):
    top = max(counts.values())
    return max(pair for pair in counts if counts[pair] == top)


def appending(queue, counts):
    """What goes back is put at the end, so that the heap is none any more."""
    found = lazy(queue, counts)
    queue.reverse()
    return found


def too_early(queue, counts):
    """Gives up at the first entry that is out of date."""
    return lazy(queue, counts) if queue and -queue[0][0] == counts[queue[0][1]] else None


def taking_the_next(queue, counts):
    """An entry out of date is skipped, and so is the look whether what comes next is less."""
    aside = []
    while queue and -queue[0][0] != counts[queue[0][1]]:
        aside.append(heappop(queue))
    found = lazy(queue, counts)
    for _, pair in aside:
        if counts[pair]:
            heappush(queue, (-counts[pair], pair))
    return found


def count_too(queue, counts):
    pair = smallest(queue, counts)
    return pair and (*pair, counts[pair])


def spoiling(queue, counts):
    pair = lazy(queue, counts)
    if pair:
        counts[pair] = 0
    return pair


def rebuilding(queue, counts):
    """Right, though slow: all entries are brought up to date each time."""
    queue[:] = [(-counts[pair], pair) for _, pair in queue if counts[pair] > 0]
    heapify(queue)
    return lazy(queue, counts)


# --- 06.4 ---


def left_of(symbols, i):
    before = symbols[i - 1]
    if before == -1:
        return None
    return i - 1 if before >= 0 else i + before


def left_of_by_slice(symbols, i):
    *_, before = symbols[:i]
    return {True: i + before, before == -1: None, before >= 0: i - 1}[True]


def id_as_span(symbols, i):
    before = abs(symbols[i - 1])
    return None if symbols[i - 1] == -1 else i - before


def crossing(symbols, i):
    return i - 1 if symbols[i - 1] >= 0 else i + symbols[i - 1]


def walking(symbols, i):
    if symbols[i - 1] == -1:
        return None
    i -= 1
    while symbols[i] < 0:
        i -= 1
    return i


def one_back(symbols, i):
    return None if symbols[i - 1] == -1 else i - 1


def the_id(symbols, i):
    return None if symbols[i - 1] == -1 else symbols[left_of(symbols, i)]


def minus_one(symbols, i):
    return -1 if symbols[i - 1] == -1 else left_of(symbols, i)


# --- 06.5 ---

SHARES, SHORT = (16, 4, 1), "a " * 50


@cache
def english():
    return bpelab.corpora.text("parallel", "en")[:60_000]


def parts():
    return [english()[: len(english()) // share] for share in SHARES]


def point(part, weighted=False):
    chunks = bpelab.count_chunks(part, "gpt2")
    tok = bpelab.train(chunks, 500, base="byte", chunking="gpt2")
    size = sum(len(chunk.encode()) for chunk in chunks)
    visited = tok.lengths[0] - tok.lengths[-1] if weighted else size - sum(tok.count_tokens(list(chunks)))
    return size, int(visited)


@cache
def points():
    return [point(part) for part in parts()]


def slope(xs, ys):
    return np.polyfit(np.log(xs), np.log(ys), 1)[0]


def sizes():
    return [len(part.encode()) for part in parts()]


def fitted():
    return slope(*zip(*points(), strict=True))


def ends():
    (x, y), _, (other, last) = points()
    return log(last / y) / log(other / x)


def with_first(values):
    return [(value, n) for value, (_, n) in zip(values, points(), strict=True)]


def with_last(values):
    return [(n, value) for value, (n, _) in zip(values, points(), strict=True)]


def sorting(queue, counts):
    """Right, though slow, and the queue is no heap between the calls."""
    queue.sort(key=lambda entry: (-counts[entry[1]], entry[1]))
    top = counts[queue[0][1]]
    return max(pair for _, pair in queue if counts[pair] == top) if top else None


ACCEPTED = {
    "06.1": [24, 24.0, np.int64(24)],
    "06.2": [lazy, looking_on, rebuilding, sorting],
    "06.3": [([2, 7, 12], []), [(2, 7, 12), ()], (np.array([2, 7, 12]), []), [[12.0, 2, 7], set()], ({2, 7, 12}, [])],
    "06.4": [
        left_of,
        left_of_by_slice,
        lambda symbols, i: None if symbols[i - 1] == -1 else np.int64(left_of(symbols, i)),
    ],
    "06.5": [
        (english(), points(), fitted()),
        [english(), np.array(points()), round(ends(), 2)],
        (english(), tuple(map(list, points())), np.float32(fitted())),
    ],
}
REJECTED = {
    "06.1": [
        (10, "for the first merge"),
        (50, "five times"),
        (39, "added up the symbols"),
        (25, "none stands across two chunks"),
        ("many", "whole number"),
    ],
    "06.2": [
        (dropping, "was dropped"),
        (smallest, "smallest of equals first"),
        (trusting, "before you believe it"),
        (losing_equals, "has gone from the queue"),
        (recounting, "go through all the counts"),
        (appending, "in disorder"),
        (count_too, "a pair of two strings"),
        (spoiling, "changed the counts"),
        (lambda queue, counts: queue[0].pair, "AttributeError"),
        (too_early, "None is for the end"),
        (taking_the_next, "look at the top anew"),
    ],
    "06.3": [
        (([], []), "nobody goes through it to erase"),
        (([2, 7, 12], [2, 7, 12]), "Are these all still true"),
        (([2, 7, 12], [12]), "no longer true"),
        (([1, 6, 11], [1, 6, 11]), "new pair"),
        (([1, 5, 9], []), "position 0 is a border"),
        ([2, 7, 12], "Two lists"),
        (([2, 7, 12], None), "whole numbers"),
    ],
    "06.4": [
        (id_as_span, "took it for a length"),
        (crossing, "is a border"),
        (walking, "old ids are still there"),
        (one_back, "longer than one symbol"),
        (the_id, "token's id"),
        (minus_one, "is a border"),
        (lambda symbols, i: symbols[i + 99], "IndexError"),
        (lambda symbols, i: "left", "whole number"),
    ],
    "06.5": [
        ((english(), with_first(sizes()), slope(sizes(), [n for _, n in points()])), "bytes of the text"),
        ((english(), points(), slope(sizes(), [n for _, n in points()])), "fitted against the bytes of the text"),
        ((english(), with_last([0.011, 0.025, 0.071]), 0.9), "seconds"),
        ((english(), [point(part, weighted=True) for part in parts()], 1.2), "weighted"),
        ((english(), with_last([500, 500, 500]), 0.0), "not 500 places"),
        ((english(), points(), 3.0), "exponent isn't"),
        ((english(), points()[::-1], fitted()), "first sixteenth"),
        ((english(), points()), "three things"),
        ((english(), points()[:2], fitted()), "three pairs"),
        ((SHORT, [point(SHORT[: len(SHORT) // share]) for share in SHARES], 1.0), "too short"),
        (("three lines", [(1, 0)] * 3, 1.0), "too short"),
    ],
}
