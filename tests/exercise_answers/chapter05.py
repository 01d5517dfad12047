"""Answers to the exercises of chapter 05."""

from collections import Counter

import numpy as np

import bpelab
from bpelab.exercises.chapter05 import found_list
from bpelab.spelling import gpt2_order

# --- 05.3 ----------------------------------------------------------------------------------------------


def numbered(merges, byte_order=range(256)):
    return [*(bytes([byte]) for byte in byte_order), *(left + right for left, right in merges)]


def by_dict(tied, merges):
    ids = {token: i for i, token in enumerate(numbered(merges))}
    return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))


def by_place(tied, merges):
    tokens = numbered(merges)
    return list(sorted(tied, key=lambda pair: [tokens.index(pair[0]), tokens.index(pair[1])])[0])


def without_a_table(tied, merges):
    made = [left + right for left, right in merges]

    def number(token):
        return token[0] if len(token) == 1 else 256 + made.index(token)

    best = tied[0]
    for pair in tied:
        if tuple(map(number, pair)) < tuple(map(number, best)):
            best = pair
    return best


def token_bytes(tied, merges):
    return min(tied)


def first_of_all(tied, merges):
    return tied[0]


def largest(tied, merges):
    return max(tied)


def byte_level(tied, merges):
    ids = {token: i for i, token in enumerate(numbered(merges, gpt2_order()))}
    return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))


def larger_first(tied, merges):
    ids = {token: i for i, token in enumerate(numbered(merges))}
    return min(tied, key=lambda p: (max(ids[p[0]], ids[p[1]]), min(ids[p[0]], ids[p[1]]), -ids[p[0]]))


def by_frequency(tied, merges):
    counts = Counter(b"".join(left + right for left, right in merges))
    order = sorted(range(256), key=lambda byte: -counts[byte])
    ids = {token: i for i, token in enumerate(numbered(merges, order))}
    return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))


def by_sum(tied, merges):
    ids = {token: i for i, token in enumerate(numbered(merges))}
    return min(tied, key=lambda pair: ids[pair[0]] + ids[pair[1]])


def right_first(tied, merges):
    ids = {token: i for i, token in enumerate(numbered(merges))}
    return min(tied, key=lambda pair: (ids[pair[1]], ids[pair[0]]))


def the_ids(tied, merges):
    ids = {token: i for i, token in enumerate(numbered(merges))}
    return tuple(map(ids.get, by_dict(tied, merges)))


def only_bytes(tied, merges):
    return min(tied, key=lambda pair: ({bytes([b]): b for b in range(256)}[pair[0]], 0))


# --- 05.4 ----------------------------------------------------------------------------------------------

LINES, MERGES = found_list()
LOWER = [line.lower() for line in LINES]
PREPARED = [" " + line for line in LOWER]

# --- 05.5 ----------------------------------------------------------------------------------------------

BACKWARDS = ("abc", [("ab", "c"), ("a", "b")])
TWO_WAYS = ("abc", [("a", "b"), ("b", "c"), ("a", "bc")])
CHAPTER = [
    ("abcd", [("a", "b"), ("abc", "d"), ("ab", "c")]),
    ("xabc", [("b", "c"), ("a", "b"), ("ab", "c")]),
]
trained = [(m.left.decode(), m.right.decode()) for m in bpelab.train("low lower newest widest").merges]


def renamed(case, letters="pqrs"):
    table = str.maketrans("abcd", letters)
    return case[0].translate(table), [tuple(part.translate(table) for part in pair) for pair in case[1]]


ACCEPTED = {
    "05.1": [
        ("lowest-id", "shortest", "youtokentome"),
        ["Lowest ID", " shortest", "YouTokenToMe"],
        {"A": "lowest_id", "B": "shortest", "C": "youtokentome"},
        "lowest-id, shortest, youtokentome",
        np.array(["lowest-id", "shortest", "youtokentome"]),
    ],
    "05.2": [["abd", "cd"], {"abd": 1, "cd": 1}, "abd cd", ("cd", "abd"), {"xyw": 7, "zw": 7}, ["abcdabd"]],
    "05.3": [by_dict, by_place, without_a_table],
    "05.4": [("rustbpe", PREPARED), ["rustbpe", tuple(PREPARED)], ("rustbpe", (line for line in PREPARED))],
    "05.5": [
        (BACKWARDS, TWO_WAYS),
        [["abc", [["ab", "c"], ["a", "b"]]], ["zabcx", ["a b", "b c", "a bc"]]],
        (("aaaa", ["aa+aa", "a+a"]), ("xyz", ["x+y", "y+z", "x+yz"])),
    ],
}  # fmt: skip
REJECTED = {
    "05.1": [
        (("lowest-id", "youtokentome", "shortest"), "wrong way round"),
        (("lowest-id", "can't be told", "can't be told"), "can be told"),
        ("can't be told", "can be told"),
        (("lexicographic", "shortest", "youtokentome"), "A isn't lexicographic"),
        (("lowest-id", "shortest", "largest"), "C isn't largest"),
        (("first", "first", "first"), "A isn't first"),
        (("lowest-id", "longest", "youtokentome"), "won't do"),
        (("lowest-id", "shortest"), "Three names"),
    ],
    "05.2": [
        (["low", "lower"], "both rules take"),
        (["abc"], "single characters"),
        ("hug hugs", "single characters"),
        (["ab"], "No two pairs ever tie"),
        (["abd", "cd", "ef"], "One or two words"),
        ([], "One or two words"),
        ({"abd": 0, "cd": 1}, "a count from 1 on"),
        ([1, 2], "a list of strings"),
    ],
    "05.3": [
        (token_bytes, "compare the tokens' bytes"),
        (by_frequency, "number the bytes by frequency"),
        (byte_level, "Hugging Face's ids"),
        (first_of_all, "the first of the tied pairs"),
        (largest, "the largest bytes"),
        (larger_first, "the larger id of each pair"),
        (by_sum, "the left id decides"),
        (right_first, "the left id decides"),
        (the_ids, "one of the tied pairs"),
        (only_bytes, "Your code raised KeyError"),
        (min(trained), "a function"),
    ],
    "05.4": [
        (("rustbpe", LOWER), "without a blank"),
        (("bpeasy", PREPARED), "never takes your token"),
        (("bpeasy", LOWER), "without a blank"),
        (("huggingface", PREPARED), "which order of the bytes"),
        (("minbpe", PREPARED), "the recipe isn't"),
        (("rustbpe", LINES), "a capital letter"),
        (("rustbpe", [" " + line for line in LINES]), "a capital letter"),
        (("rustbpe", "\n".join(PREPARED)), "keep the lines apart"),
        (("sentencepiece", PREPARED), "compare the base and the chunks"),
        (("HF", PREPARED), "the name of no recipe"),
        ("rustbpe", "a recipe and documents"),
        (("rustbpe", []), "must be the lines"),
    ],
    "05.5": [
        ((("low", trained), TWO_WAYS), "every list that training made"),
        ((BACKWARDS, ("lowest", trained)), "every list that training made"),
        (tuple(CHAPTER), "chapter 03"),
        ((renamed(CHAPTER[0]), TWO_WAYS), "chapter 03"),
        ((BACKWARDS, ("abc", [("a", "b"), ("b", "c"), ("a", "bc"), ("ab", "c")])), "twice"),
        ((TWO_WAYS, BACKWARDS), "wrong way round"),
        ((BACKWARDS, BACKWARDS), "by pair and by text"),
        ((BACKWARDS, ("abc", [("a", "b"), ("a", "bc")])), "no merge makes bc"),
        ((BACKWARDS, ("ab", TWO_WAYS[1])), "cut 'ab' alike"),
        ((BACKWARDS,), "Two pairs"),
        ((("abc", ["abc"]), TWO_WAYS), "A merge is a pair"),
    ],
}
