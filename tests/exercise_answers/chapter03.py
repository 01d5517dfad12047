"""Answers to the exercises of chapter 03."""

import heapq
from itertools import pairwise

import numpy as np

from bpelab import reference
from bpelab.exercises import chapter03

ENGLISH = chapter03.english()
BASE = 1 + len(ENGLISH.characters)
#: Sentences full of words that the two cut differently, so that a change of the corpus doesn't matter.
DIFFERENT = ("Discussed: lines, cases, a conference.", " The machines apologized and compared their misconduct.")
SAME = "the"


# --- 03.4 -----------------------------------------------------------------------------------------------


def by_pair(symbols, ranks):
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        symbols = reference.apply_merge(symbols, min(known, key=ranks.get))
    return symbols


def one_place_at_a_time(symbols, ranks):
    while True:
        best, at = min(
            ((ranks.get(pair, len(ranks)), i) for i, pair in enumerate(pairwise(symbols))), default=(len(ranks), 0)
        )
        if best == len(ranks):
            return tuple(symbols)
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]


def by_keys(symbols, ranks):
    while known := [pair for pair in pairwise(symbols) if pair in ranks.keys()]:  # noqa: SIM118
        symbols = reference.apply_merge(symbols, sorted(known, key=lambda pair: ranks[pair])[0])
    return iter(symbols)


def with_a_heap(symbols, ranks):
    """Neighbours as linked places, the pairs in a heap: only new pairs are looked up."""
    after = dict(enumerate(range(1, len(symbols))))
    before = {b: a for a, b in after.items()}
    queue = []

    def push(i):
        if i in after and (rank := ranks.get((symbols[i], symbols[after[i]]))) is not None:
            heapq.heappush(queue, (rank, i, symbols[i], symbols[after[i]]))

    for i in range(len(symbols)):
        push(i)
    while queue:
        _, i, left, right = heapq.heappop(queue)
        j = after.get(i)
        if j is None or (symbols[i], symbols[j]) != (left, right):
            continue
        symbols[i], symbols[j] = left + right, None
        if (k := after.pop(j, None)) is not None:
            after[i], before[k] = k, i
        else:
            del after[i]
        push(i)
        if i in before:
            push(before[i])
    return [symbol for symbol in symbols if symbol is not None]


def walking(symbols, ranks):
    for pair in ranks:
        symbols = reference.apply_merge(symbols, pair)
    return symbols


def walking_sorted(symbols, ranks):
    for pair, _ in sorted(ranks.items(), key=lambda item: item[1]):
        symbols = reference.apply_merge(symbols, pair)
    return symbols


def walking_a_copy(symbols, ranks):
    return walking(symbols, dict(ranks))


def leftmost(symbols, ranks):
    i = 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) in ranks:
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            i = 0
        else:
            i += 1
    return symbols


def longest_token(symbols, ranks):
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        symbols = reference.apply_merge(symbols, max(known, key=lambda pair: len("".join(pair))))
    return symbols


def longest_match(symbols, ranks):
    return chapter03.longest_match("".join(symbols), {left + right for left, right in ranks} | {""})


def highest_rank(symbols, ranks):
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        symbols = reference.apply_merge(symbols, max(known, key=ranks.get))
    return symbols


def once(symbols, ranks):
    known = [pair for pair in pairwise(symbols) if pair in ranks]
    return reference.apply_merge(symbols, min(known, key=ranks.get)) if known else symbols


def from_the_right(symbols, ranks):
    return [token[::-1] for token in by_pair([s[::-1] for s in symbols[::-1]], _turned(ranks))][::-1]


def _turned(ranks):
    class Turned:
        def __contains__(self, pair):
            return (pair[1][::-1], pair[0][::-1]) in ranks

        def get(self, pair):
            return ranks.get((pair[1][::-1], pair[0][::-1]))

    return Turned()


def losing(symbols, ranks):
    return by_pair(symbols, ranks)[:-1]


def looking_everywhere(symbols, ranks):
    for _ in range(3):
        for left in symbols:
            for right in symbols:
                (left, right) in ranks  # noqa: B015
    return by_pair(symbols, ranks)


ACCEPTED = {
    "03.1": [
        [" newe", "r"],
        ["␣newe", "r"],
        ("␣newe", "r"),
        "␣newe|r",
        ["Ġnewe", "r"],
        np.array([" newe", "r"]),
        [b" newe", b"r"],
    ],
    "03.2": [*DIFFERENT],
    "03.3": [
        (4, 3, "ere"),
        [5, 2, "there"],
        (6, 3, "rer"),
        ((4, 5), (3, 4), "rerun"),
        (np.int64(5), 2.0, "other"),
    ],
    "03.4": [by_pair, one_place_at_a_time, by_keys, with_a_heap],
    "03.5": [(BASE + 500, BASE + 9), [BASE + 500.0, np.int64(BASE + 9)]],
}
REJECTED = {
    "03.1": [
        (["␣new", "er"], "No merge makes 'er'"),
        (list(" newer"), "stopped too early: ' +n'"),
        (["␣", "n", "e", "w", "e", "r"], "stopped too early"),
        (["n", "e", "w", "e", "r"], "not to ' newer'"),
        (["␣new", "e", "r"], "' new+e' still stands"),
        (["␣newer"], "No merge makes ' newer'"),
        (["newe", "r"], "not to ' newer'"),
        (["␣newe", "er"], "not to ' newer'"),
        (5, "a list of tokens"),
    ],
    "03.2": [
        (SAME, "Both give 'the'"),
        ("", "Both give ''"),
        ("naïve 猫", "is <unk>"),
        ("<unk>", "no text spells it"),
        ("Discussed 猫", "'猫' is <unk>"),
        ("misconduct " * 200, "too long"),
        (3, "a string"),
    ],
    "03.3": [
        ((3, 2, "there"), "Swapping 3 and 4 isn't harmless"),
        ((2, 3, "there"), "Swapping 2 and 3 isn't harmless"),
        ((4, 1, "the"), "th+e is built on t+h"),
        ((1, 3, "ere"), "th+e is built on t+h"),
        ((4, 5, "inon"), "Swapping 5 and 6 changes no text"),
        ((4, 3, "her"), "with either list"),
        ((4, 3), "yours are 2"),
        ((0, 3, "ere"), "1 to 6"),
        ((4, 7, "ere"), "1 to 6"),
        ((4, (1, 3), "ere"), "1 to 6"),
        ((4, 3, 3), "a string"),
    ],
    "03.4": [
        (walking, "went through all the ranks"),
        (walking_sorted, "went through all the ranks"),
        (walking_a_copy, "went through all the ranks"),
        (leftmost, "leftmost known pair first"),
        (longest_token, "longest token first"),
        (longest_match, "longest match"),
        (highest_rank, "highest rank first"),
        (once, "after one merge"),
        (from_the_right, "from left to right"),
        (losing, "don't join to the text"),
        (looking_everywhere, "only neighbours"),
        (lambda symbols, ranks: [ranks[pair] for pair in pairwise(symbols)], "KeyError"),
        (lambda symbols, ranks: len(symbols), "must give a list of strings"),
    ],
    "03.5": [
        ((500, BASE + 9), "more than 500 ids"),
        ((BASE + 499, BASE + 9), "what is id 0"),
        ((BASE + 2000, BASE + 9), "After truncate it isn't"),
        ((BASE + 500, ENGLISH.vocab_size - 1), "only the merges that are gone"),
        ((BASE + 500, ENGLISH.vocab_size - 1 - chapter03.built_on(ENGLISH.merges, 9)), "only the merges that are gone"),
        ((BASE + 500, 9), "counted merges only"),
        ((1500, BASE + 9), "that many are gone"),
        ((BASE + 500, 1991), "another token or for none"),
        ((BASE + 500, BASE + 10), "one too many"),
        ((BASE + 500, 0), "After the drop it isn't 0"),
        ((BASE + 500,), "yours are 1"),
        (500, "two whole numbers"),
    ],
}
