"""Answers to the exercises of chapter 07: what must pass, and what must fail with which words."""

import unicodedata
from functools import cache

import numpy as np

import bpelab
from bpelab.sweep import least

CURVE = [12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7]

# --- 07.3 ---


def near_overlap(old, new, form="NFKC", case=str.casefold, stops=".。", within=False):
    def plain(line):
        line = case(unicodedata.normalize(form, line))
        return line[:-1] if line.endswith(tuple(stops)) else line

    seen = set(map(plain, old))
    if within:
        return sum(any(plain(line) in other for other in seen) for line in new) / len(new)
    return sum(plain(line) in seen for line in new) / len(new)


def all_stops(old, new):
    seen = {unicodedata.normalize("NFKC", line).casefold().rstrip(".。") for line in old}
    return sum(unicodedata.normalize("NFKC", line).casefold().rstrip(".。") in seen for line in new) / len(new)


def by_mean(old, new):
    """Lower case, one stop, white space at the ends; a NumPy scalar."""

    def plain(line):
        line = unicodedata.normalize("NFKC", line).lower().strip()
        return line[:-1] if line.endswith((".", "。")) else line

    return np.mean([plain(line) in [plain(other) for other in old] for line in new])


def equal_only(old, new):
    return bpelab.overlap(old, new)


def without_width(old, new):
    return near_overlap(old, new, form="NFC")


def without_case(old, new):
    return near_overlap(old, new, case=str)


def without_stop(old, new):
    return near_overlap(old, new, stops="")


def inside(old, new):
    return near_overlap(old, new, within=True)


def number_of_twins(old, new):
    return near_overlap(old, new) * len(new)


def percent(old, new):
    return near_overlap(old, new) * 100


def once_each(old, new):
    return near_overlap(old, list({by_hand(line): line for line in new}.values()))


def twins_once(old, new):
    return len(set(map(by_hand, old)) & set(map(by_hand, new))) / len(new)


def by_hand(line):
    return unicodedata.normalize("NFKC", line).casefold().removesuffix(".").removesuffix("。")


def no_stops_at_all(old, new):
    def plain(line):
        return unicodedata.normalize("NFKC", line).casefold().replace(".", "").replace("。", "")

    return sum(plain(line) in set(map(plain, old)) for line in new) / len(new)


def of_the_old(old, new):
    return near_overlap(new, old)


# --- 07.4 ---


def reading_cost(lengths, vocab_size, layers, width):
    attention = sum(layers * width * n * (n + 1) for n in lengths)
    return attention + sum(12 * layers * width**2 * n + width * vocab_size * n for n in lengths)


def reading_cost_of_arrays(lengths, vocab_size, layers, width):
    n = np.array(lengths, dtype=np.float64)
    scores = n * (n + 1) / 2
    return np.sum(2 * layers * width * scores) + n.sum() * width * (12 * layers * width + vocab_size)


def full_attention(lengths, vocab_size, layers, width):
    return reading_cost(lengths, vocab_size, layers, width) + sum(layers * width * n * (n - 1) for n in lengths)


def without_itself(lengths, vocab_size, layers, width):
    return reading_cost(lengths, vocab_size, layers, width) - layers * width * sum(lengths)


def as_one_document(lengths, vocab_size, layers, width):
    return reading_cost([sum(lengths)], vocab_size, layers, width)


def square_of_the_total(lengths, vocab_size, layers, width):
    return full_attention([sum(lengths)], vocab_size, layers, width)


def operations(lengths, vocab_size, layers, width):
    return 2 * reading_cost(lengths, vocab_size, layers, width)


def with_table(lengths, vocab_size, layers, width):
    return reading_cost(lengths, vocab_size, layers, width) + width * vocab_size


def without_output(lengths, vocab_size, layers, width):
    return reading_cost(lengths, 0, layers, width)


def output_once(lengths, vocab_size, layers, width):
    return reading_cost(lengths, 0, layers, width) + width * vocab_size


def without_attention(lengths, vocab_size, layers, width):
    return sum(lengths) * width * (12 * layers * width + vocab_size)


def without_layers(lengths, vocab_size, layers, width):
    return reading_cost(lengths, vocab_size, layers, width) - 12 * layers * width**2 * sum(lengths)


def four_matrices(lengths, vocab_size, layers, width):
    return reading_cost(lengths, vocab_size, layers, width) - 8 * layers * width**2 * sum(lengths)


# --- 07.5 ---


@cache
def documents(split, language="en"):
    lines = bpelab.corpora.text("parallel", language, split).splitlines()
    return ["\n".join(lines[i : i + 20]) for i in range(0, len(lines), 20)]


@cache
def measured(layers, width, on="test"):
    """The `Least` of a shape."""
    tok = bpelab.train(documents("train"), vocab_size=16_384, base="byte", chunking="gpt2")
    return least(bpelab.sweep(tok, documents(on), layers=layers, width=width))


def own(shape, ends, training="train", held_out="test"):
    return documents(training), documents(held_out), shape, ends


SMALL, LARGE = (1, 32), (12, 768)


def ends(shape, on="test"):
    found = measured(*shape, on)
    return found.low, found.high


def measured_end():
    return bpelab.train(documents("train"), vocab_size=16_384, base="byte", chunking="gpt2").vocab_size


ACCEPTED = {
    "07.1": [CURVE, tuple(CURVE), np.array(CURVE), [float(n) for n in CURVE]],
    "07.2": [(14.2, 306), (14.165, 306.15), [14, 306.0], np.array([14.16, 306.2])],
    "07.3": [near_overlap, by_mean],
    "07.4": [reading_cost, reading_cost_of_arrays, 8302, np.int64(8302)],
    "07.5": [
        own(SMALL, ends(SMALL)),
        own(SMALL, measured(*SMALL)),
        own(LARGE, (ends(LARGE)[0], None)),
        list(own(LARGE, list(ends(LARGE)))),
        own(np.array(SMALL), np.array(ends(SMALL))),
    ],
}
REJECTED = {
    "07.1": [
        ([30, 25, 20, 18, 16, 14, 13, 12, 11, 10, 9, 8], "training corpus"),
        (list(range(12, 0, -1)), "still falls at merge 6"),
        (CURVE[1:], "the first is that of the text in single characters"),
        ([11, *CURVE[1:]], "the blank is a character"),
        ([12, 10, 8, 7, 6, 5, *[5] * 6], "after merge 1"),
    ],
    "07.2": [
        ((16.5, 306), "shorter text"),
        ((14.2, 153), "divided by all the entries"),
        ((-14.2, -306), "positive"),
        ((0.142, 306), "share of 1"),
        ((85.8, 306), "So much is left"),
        ((14.2, 3.06), "for one new entry"),
        ((12.2, 306), "12.2 percent"),
        ((14.2, 500), "500 tokens"),
        (14.2, "a pair"),
        ((14.2, 306, 1), "Two numbers"),
    ],
    "07.3": [
        (equal_only, "Only equal lines"),
        (inside, "stands inside another"),
        (without_width, "other width"),
        (without_case, "differ in case"),
        (without_stop, "final stop"),
        (number_of_twins, "number of twins"),
        (percent, "in percent"),
        (once_each, "a line once that stands twice"),
        (twins_once, "a twin once that stands twice"),
        (lambda old, new: 1 - near_overlap(old, new), "without a twin"),
        (no_stops_at_all, "one stop at the end"),
        (all_stops, "all stops"),
        (of_the_old, "it should be"),
        (lambda old, new: old[7], "IndexError"),
    ],
    "07.4": [
        (full_attention, "look at all the tokens"),
        (as_one_document, "as if they were one"),
        (square_of_the_total, "as if they were one"),
        (without_itself, "looks at itself"),
        (operations, "multiply-adds"),
        (with_table, "embedding table"),
        (without_output, "output layer is missing"),
        (output_once, "for each token"),
        (without_attention, "Attention is missing"),
        (without_layers, "layers are missing"),
        (four_matrices, "it should be"),
        (lambda lengths, vocab_size, layers, width: lengths * width, "must give a number"),
        (8923, "look at all the tokens"),
        (21_531, "as if they were one"),
        (8000, "isn't least at that size"),
        ("8,000", "a function, or the least size"),
    ],
    "07.5": [
        (own(SMALL, ends(SMALL), held_out="train"), "was trained on"),
        (own(SMALL, ends(SMALL, "train")), "range on the training text"),
        (own(LARGE, (ends(LARGE)[0], measured_end())), "None for high"),
        (own(SMALL, (ends(SMALL)[0], None)), "touches the end"),
        (own(SMALL[::-1], ends(SMALL)), "the other way round"),
        (own(SMALL, (300, 301)), "the range is another"),
        (own(SMALL, [measured(*SMALL).vocab_size] * 2), "but there are more"),
        (own((0, 768), (300, 400)), "two positive numbers"),
        ((["a"], [""], SMALL, (300, 400)), "text to train on"),
        ((["a"], ["b"], SMALL), "four things"),
        (own(SMALL, (300,)), "(low, high)"),
    ],
}
