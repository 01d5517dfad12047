"""Answers to the exercises of chapter 02."""

import re
from collections import Counter
from itertools import pairwise

import numpy as np

import bpelab
from bpelab import reference

SLANG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


# --- 02.3 -----------------------------------------------------------------------------------------------


def by_lookarounds(text, pair):
    whole = re.escape(" ".join(pair))
    return re.sub(rf"(?<!\S){whole}(?!\S)", lambda _: "".join(pair), text)


def by_lookarounds_and_text(text, pair):
    return re.sub(r"(?<!\S)" + re.escape(" ".join(pair)) + r"(?!\S)", "".join(pair), text)


def by_tokens(text, pair):
    return " ".join(reference.apply_merge(text.split(" "), tuple(pair)))


def by_anchors(text, pair):
    return re.sub(rf"(^|(?<= )){re.escape(' '.join(pair))}(?= |$)", lambda _: "".join(pair), text)


def by_doubled_blanks(text, pair):
    doubled = "  ".join(["", *text.split(), ""])
    return " ".join(doubled.replace(" {}  {} ".format(*pair), f" {''.join(pair)} ").split())


def by_replace(text, pair):
    return text.replace(" ".join(pair), "".join(pair))


def by_word_borders(text, pair):
    return re.sub(rf"\b{re.escape(' '.join(pair))}\b", lambda _: "".join(pair), text)


def unescaped(text, pair):
    return re.sub(rf"(?<!\S){' '.join(pair)}(?!\S)", lambda _: "".join(pair), text)


def escaping_plus_only(text, pair):
    return re.sub(rf"(?<!\S){' '.join(pair).replace('+', '[+]')}(?!\S)", lambda _: "".join(pair), text)


def looking_ahead_only(text, pair):
    return re.sub(rf"{re.escape(' '.join(pair))}(?!\S)", lambda _: "".join(pair), text)


def looking_behind_only(text, pair):
    return re.sub(rf"(?<!\S){re.escape(' '.join(pair))}", lambda _: "".join(pair), text)


def using_up_blanks(text, pair):
    return f" {text} ".replace(f" {' '.join(pair)} ", f" {''.join(pair)} ").strip()


def first_place_only(text, pair):
    return re.sub(rf"(?<!\S){re.escape(' '.join(pair))}(?!\S)", lambda _: "".join(pair), text, count=1)


def joining_everything(text, pair):
    return text.replace(" ", "")


# --- 02.5 -----------------------------------------------------------------------------------------------


def joined(tokens, pair, step=2):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += step
        else:
            out.append(tokens[i])
            i += 1
    return out


def plain_train(words, num_merges, *, step=2, key=lambda item: (-item[1], item[0]), weighted=True, pairs=pairwise):
    chunks = [(list(word), n if weighted else 1) for word, n in words.items()]
    merges = []
    while len(merges) < num_merges:
        counts = Counter()
        for tokens, n in chunks:
            for pair in pairs(tokens):
                counts[pair] += n
        if not counts:
            break
        pair, n = min(counts.items(), key=key)
        merges.append((*pair, n))
        chunks = [(joined(tokens, pair, step), f) for tokens, f in chunks]
    return merges


def lists_of_lists(words, num_merges):
    return [list(merge) for merge in plain_train(words, num_merges)]


def a_generator(words, num_merges):
    yield from plain_train(words, num_merges)


def pairs_and_counts(words, num_merges):
    return tuple(((left, right), n) for left, right, n in plain_train(words, num_merges))


def a_dict(words, num_merges):
    return {(left, right): n for left, right, n in plain_train(words, num_merges)}


def of_the_package(words, num_merges):
    return bpelab.reference.train(words, num_merges).merges if words else []


def without_weights(words, num_merges):
    return plain_train(words, num_merges, weighted=False)


def using_tokens_twice(words, num_merges):
    return plain_train(words, num_merges, step=1)


def across_chunks(words, num_merges):
    return plain_train({"".join(word * n for word, n in words.items()): 1}, num_merges)


def first_seen(words, num_merges):
    return plain_train(words, num_merges, key=lambda item: -item[1])


def joined_sorted(words, num_merges):
    return plain_train(words, num_merges, key=lambda item: (-item[1], "".join(item[0])))


def last_sorted(words, num_merges):
    return [(*pair, n) for pair, n, _ in reference.learn_merges(chunks(words), num_merges, tie="largest")]


def by_runs(words, num_merges):
    return [(*pair, n) for pair, n, _ in reference.learn_merges(chunks(words), num_merges, count="runs")]


def chunks(words):
    return [(list(word), n) for word, n in words.items()]


def crashing_when_exhausted(words, num_merges):
    merges, tokens = [], chunks(words)
    for _ in range(num_merges):
        counts = reference.count_pairs(tokens)
        pair = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append((*pair, counts[pair]))
        tokens = [(reference.apply_merge(old, pair), n) for old, n in tokens]
    return merges


def one_too_many(words, num_merges):
    return plain_train(words, num_merges + 1)


def only_frequent(words, num_merges):
    return [merge for merge in plain_train(words, num_merges) if merge[2] > 1]


def never_counting_again(words, num_merges):
    counts = reference.count_pairs(chunks(words))
    return [(*pair, n) for pair, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))][:num_merges]


def without_counts(words, num_merges):
    return [merge[:2] for merge in plain_train(words, num_merges)]


ACCEPTED = {
    "02.1": [
        [("u", "g", 20), ("u", "n", 16)],
        (["u", "g", 20.0], ["u", "n", np.int64(16)]),
        [(("u", "g"), 20), (("u", "n"), 16)],
        {("u", "g"): 20, ("u", "n"): 16},
        [("u+g", 20), ("u+n", 16)],
        {"ug": 20, "un": 16},
        [["u g", 20], ["u n", 16]],
        bpelab.reference.train(SLANG, 2).merges,
    ],
    "02.2": [[12, 10, 7, 5], (12, 10.0, 7, 5), np.array([12, 10, 7, 5]), [10, 7, 5]],
    "02.3": [by_lookarounds, by_lookarounds_and_text, by_tokens, by_anchors, by_doubled_blanks],
    "02.4": [
        {"then": 3, "he": 4, "path": 3, "pen": 3},
        {"then": 3, "hehe": 2, "path": 3, "pen": 3},
        [("then", 3), ("he", 4), ("path", 3), ("pen", 3)],
        {"then": 4, "he": 6, "path": 4, "pen": 4},
        ["abcd"] * 3 + ["bc"] * 4 + ["xab"] * 3 + ["cdx"] * 3,
        {"thenthen": 2, "he": 5, "path": 4, "pen": np.int64(4)},
        Counter({"aaa": 4, "bc": 7, "de": 7}),
    ],
    "02.5": [plain_train, lists_of_lists, a_generator, pairs_and_counts, a_dict, of_the_package],
}
REJECTED = {
    "02.1": [
        ([("u", "g", 3), ("h", "ug", 2)], "each word once"),
        ([("u", "g", 3), ("u", "n", 2)], "each word once"),
        ([("u", "g", 20), ("h", "ug", 15)], "h+ug isn't the second"),
        ([("u", "g", 20), ("p", "u", 17)], "runner-up of the first count"),
        ([("p", "u", 17), ("u", "n", 16)], "'pu' isn't the most frequent"),
        ([("u", "n", 16), ("u", "g", 20)], "'un' isn't the most frequent"),
        ([("u", "g", 15), ("u", "n", 16)], "the count 15"),
        ([("u", "g", 20), ("b", "u", 4)], "'bu'"),
        ([("u", "g"), ("u", "n")], "(left, right, count)"),
        ([("u", "g", 20)], "yours are 1"),
        ("ug, un", "a list of (left, right, count)"),
        (20, "a list of (left, right, count)"),
    ],
    "02.2": [
        ([12, 8, 5, 3], "took the count off"),
        ([12, 9, 7, 5], "began with b+c"),
        ([5, 4, 3, 2], "each chunk once"),
        ([12, 10, 7], "a pair is left"),
        ([12, 10, 7, 5, 4], "too many"),
        ([12, 10, 8, 5], "Right up to 10"),
        ([11, 10, 7, 5], "doesn't begin with 11"),
        (12, "a list of whole numbers"),
    ],
    "02.3": [
        (by_replace, "longer token"),
        (by_word_borders, r"`\b` stands between"),
        (unescaped, "nothing was joined"),
        (escaping_plus_only, "what do . and + mean"),
        (looking_ahead_only, "on both sides"),
        (looking_behind_only, "on both sides"),
        (using_up_blanks, "use up the blank"),
        (first_place_only, "a place of the pair was left"),
        (joining_everything, "longer token"),
        (lambda text, pair: pair, "return the text"),
        (lambda text: text, "Your code raised TypeError"),
    ],
    "02.4": [
        ({"then": 2, "he": 3, "path": 2, "pen": 2}, "a loss of 1"),
        ({"then": 3, "he": 2, "path": 2, "pen": 2}, "only by bad luck"),
        ({"then": 3, "he": 1, "path": 1, "pen": 1, "hex": 0}, "at least 1"),
        ({"abc": 3}, "a loss of 0"),
        ({"a": 3}, "Two merges aren't possible"),
        ({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}, "One to 5 words"),
        ({"abcdefghij" * 7: 1}, "at most 60 letters"),
        ("then he path pen", "a dict"),
    ],
    "02.5": [
        (without_weights, "Each chunk was counted once"),
        (using_tokens_twice, "a token was used twice"),
        (across_chunks, "across the border of two chunks"),
        (first_seen, "met first"),
        (last_sorted, "sorts last"),
        (joined_sorted, "is a tie"),
        (by_runs, "Overlapping places"),
        (crashing_when_exhausted, "no pair is left there"),
        (one_too_many, "`num_merges` at the most"),
        (only_frequent, "pairs are left"),
        (never_counting_again, "count again after each merge"),
        (without_counts, "(left, right, count)"),
        (lambda words, num_merges: num_merges, "must give a list of (left, right, count)"),
    ],
}
