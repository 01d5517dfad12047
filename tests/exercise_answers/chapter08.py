"""Answers to the exercises of chapter 08."""

import random
from fractions import Fraction
from functools import lru_cache

import numpy as np

import bpelab
from bpelab import corpora, vocabularies
from bpelab import efficiency as measure

# --- 08.3: intervals --------------------------------------------------------------------------------------


@lru_cache
def counts(name):
    """Tokens of each pair: int64[2, pairs]."""
    encoder = vocabularies.load(name)
    sides = zip(*corpora.pairs("parallel"), strict=True)
    return np.array([[len(ids) for ids in encoder.encode_ordinary_batch(list(side))] for side in sides])


def ends(values, cut=2.5):
    return np.percentile(values, [cut, 100 - cut])


def ratio(tokens):
    return tokens[1].sum() / tokens[0].sum()


def draws(of_draw, seed=0, times=1000):
    """`of_draw(first, second, draw)` for each draw of pairs."""
    rng, first, second = np.random.default_rng(seed), counts("o200k_base"), counts("qwen2")
    n = first.shape[1]
    return np.array([of_draw(first, second, lambda: rng.integers(0, n, n)) for _ in range(times)])


def jointly(first, second, draw):
    drawn = draw()
    return ratio(first[:, drawn]) - ratio(second[:, drawn])


def apart(first, second, draw):
    return ratio(first[:, draw()]) - ratio(second[:, draw()])


def sides_apart(first, second, draw):
    en, ja = draw(), draw()
    return first[1, ja].sum() / first[0, en].sum() - second[1, ja].sum() / second[0, en].sum()


def means(first, second, draw):
    drawn = draw()
    return (first[1] / first[0])[drawn].mean() - (second[1] / second[0])[drawn].mean()


def few(first, second, draw):
    drawn = draw()[:100]
    return ratio(first[:, drawn]) - ratio(second[:, drawn])


def one_premium(first, second, draw):
    return ratio(first[:, draw()])


def other_premium(first, second, draw):
    return ratio(second[:, draw()])


RIGHT = draws(jointly)
LIBRARY = measure.premium_difference("o200k_base", "qwen2", corpora.pairs("parallel"), seed=3)
ONE, OTHER = ends(draws(one_premium)), ends(draws(other_premium))

# --- 08.4: the premium at every size ------------------------------------------------------------------------


def trained(texts, size):
    return bpelab.train(texts, vocab_size=size, base="byte", chunking="gpt2")


def sides(pairs):
    return [list(side) for side in zip(*pairs, strict=True)]


def both(pairs):
    return [text for pair in pairs for text in pair]


def premium_at(learn, test, sizes):
    curves = [trained(both(learn), max(sizes)).curve(side) for side in sides(test)]
    return [ja / en for en, ja in zip(*(curve[np.array(sizes) - 256] for curve in curves), strict=True)]


def premium_by_truncation(learn, test, sizes):
    tok = trained([text for pair in learn for text in pair], max(sizes))
    found = {}
    for size in sizes:
        cut = tok.truncate(size - 256)
        en, ja = (sum(len(cut.encode(text)) for text in side) for side in sides(test))
        found[size] = Fraction(ja, en)
    return found


def premium_by_many_trainings(learn, test, sizes):
    return [measure.premium({"": trained(both(learn), size)}, test)["premium"][0] for size in sizes]


def premium_by_library(learn, test, sizes):
    frame = measure.premium_curve(trained(both(learn), max(sizes)), test)
    return frame.set_index("vocab_size").loc[sizes, "premium"]


def two_vocabularies(learn, test, sizes):
    curves = [trained(own, max(sizes)).curve(side) for own, side in zip(sides(learn), sides(test), strict=True)]
    return [
        curves[1][min(size - 256, len(curves[1]) - 1)] / curves[0][min(size - 256, len(curves[0]) - 1)]
        for size in sizes
    ]


def off_by_256(learn, test, sizes):
    tok = bpelab.train(both(learn), num_merges=max(sizes), base="byte", chunking="gpt2")
    en, ja = map(tok.curve, sides(test))
    return [ja[min(size, len(ja) - 1)] / en[min(size, len(en) - 1)] for size in sizes]


def off_by_one(learn, test, sizes):
    en, ja = map(trained(both(learn), max(sizes)).curve, sides(test))
    return [ja[max(0, size - 257)] / en[max(0, size - 257)] for size in sizes]


def always_the_last(learn, test, sizes):
    return premium_at(learn, test, [max(sizes)]) * len(sizes)


def no_room(learn, test, sizes):
    en, ja = map(trained(both(learn), max(sizes)).curve, sides(test))
    return [ja[size] / en[size] for size in sizes]


def english_only(learn, test, sizes):
    en, ja = map(trained(sides(learn)[0], max(sizes)).curve, sides(test))
    return [ja[min(size - 256, len(ja) - 1)] / en[min(size - 256, len(en) - 1)] for size in sizes]


def upside_down(learn, test, sizes):
    return [1 / value for value in premium_at(learn, test, sizes)]


def mean_of_ratios(learn, test, sizes):
    tok, found = trained(both(learn), max(sizes)), []
    for size in sizes:
        cut = tok.truncate(size - 256)
        found.append(np.mean([len(cut.encode(ja)) / len(cut.encode(en)) for en, ja in test]))
    return found


# --- 08.5: a choice -------------------------------------------------------------------------------------------


def costs(candidates, pairs, share):
    en, ja = zip(*pairs, strict=True)
    return {
        name: (1 - share) * np.array(tok.count_tokens(en)) + share * np.array(tok.count_tokens(ja))
        for name, tok in candidates.items()
    }


def drawn(values, seed=0):
    rng = np.random.default_rng(seed)
    return ends([rng.choice(values, len(values)).mean() for _ in range(1000)])


def choose(candidates, learn, test, share):
    cost = costs(candidates, test, share)
    best, second = sorted(cost, key=lambda name: cost[name].sum())[:2]
    return best, *drawn(cost[second] - cost[best])


def choose_plainly(candidates, learn, test, share):
    """Without NumPy, the interval as a list."""
    cost = {}
    for name, tok in candidates.items():
        cost[name] = [(1 - share) * len(tok.encode(en)) + share * len(tok.encode(ja)) for en, ja in test]
    (best, own), (_, other) = sorted(cost.items(), key=lambda item: sum(item[1]))[:2]
    saved, rng = [b - a for a, b in zip(own, other, strict=True)], random.Random(1)
    averages = sorted(sum(rng.choices(saved, k=len(saved))) / len(saved) for _ in range(2000))
    return best, [averages[50], averages[1949]]


def by_normal(candidates, learn, test, share):
    cost = costs(candidates, test, share)
    best, second = sorted(cost, key=lambda name: cost[name].sum())[:2]
    saved = cost[second] - cost[best]
    return (
        best,
        saved.mean() - 1.96 * saved.std(ddof=1) / len(saved) ** 0.5,
        saved.mean() + 1.96 * saved.std() / len(saved) ** 0.5,
    )


def by_premium(candidates, learn, test, share):
    frame = measure.premium(candidates, test).sort_values("premium")
    return tuple(frame.iloc[0][["encoder", "low", "high"]])


def on_training_text(candidates, learn, test, share):
    return choose(candidates, test, learn, share)


def interval_of_training_text(candidates, learn, test, share):
    best = choose(candidates, learn, test, share)[0]
    cost = costs(candidates, learn, share)
    second = sorted(costs(candidates, test, share).items(), key=lambda item: item[1].sum())[1][0]
    own, other = (cost[name] + np.arange(len(learn)) % 3 for name in (best, second))
    return best, *drawn(other - own)


def without_the_share(candidates, learn, test, share):
    return choose(candidates, learn, test, 0.5)


def share_of_english(candidates, learn, test, share):
    return choose(candidates, learn, test, 1 - share)


def independent(candidates, learn, test, share):
    cost = costs(candidates, test, share)
    (best, own), (_, other) = sorted(cost.items(), key=lambda item: item[1].sum())[:2]
    rng, n = np.random.default_rng(0), len(test)
    return best, *ends([rng.choice(other, n).mean() - rng.choice(own, n).mean() for _ in range(1000)])


def its_own_interval(candidates, learn, test, share):
    best = choose(candidates, learn, test, share)[0]
    return best, *drawn(costs(candidates, test, share)[best])


def turned(candidates, learn, test, share):
    name, low, high = choose(candidates, learn, test, share)
    return name, -high, -low


def of_all_messages(candidates, learn, test, share):
    name, low, high = choose(candidates, learn, test, share)
    return name, low * len(test), high * len(test)


def against_the_worst(candidates, learn, test, share):
    cost = sorted(costs(candidates, test, share).items(), key=lambda item: item[1].sum())
    return cost[0][0], *drawn(cost[-1][1] - cost[0][1])


def no_interval(candidates, learn, test, share):
    return choose(candidates, learn, test, share)[0]


ACCEPTED = {
    "08.1": [0.409 * 4.592 / 1.255, 1.496, 1.5, np.float64(1.497), Fraction(3, 2)],
    "08.2": [2.006 / 1.184, 1.69, 1.694, 1.7, np.float32(1.6943)],
    "08.3": [
        tuple(ends(RIGHT)),
        list(ends(draws(jointly, seed=1, times=2000))),
        ends(draws(jointly, seed=2)),
        (LIBRARY.low, LIBRARY.high),
        ends(RIGHT).round(3).tolist(),
        (RIGHT.mean() - 1.96 * RIGHT.std(), RIGHT.mean() + 1.96 * RIGHT.std()),
    ],
    "08.4": [premium_at, premium_by_truncation, premium_by_many_trainings, premium_by_library],
    "08.5": [choose, choose_plainly, by_normal],
}
REJECTED = {
    "08.1": [
        (3.66, "equally many characters"),
        (0.27, "upside down"),
        (8.95, "divided by the ratio"),
        (0.668, "for each Japanese one"),
        (0.112, "more characters makes a text shorter"),
        (149.6, "percent"),
        (0.496, "on top"),
        (2.0, "1,000 characters"),
        ("1.496", "must be a number"),
    ],
    "08.2": [
        (2.38, "multiplied"),
        (0.59, "upside down"),
        (0.822, "subtracted"),
        (1.184, "part of the text"),
        (2.006, "whole premium"),
        (169, "percent"),
        (1.5, "doesn't give the premium"),
    ],
    "08.3": [
        (tuple(ends(draws(apart))), "pairs drawn of its own"),
        (tuple(ends(draws(means))), "mean of the ratios"),
        (tuple(ends(draws(sides_apart))), "too wide"),
        (tuple(ends(draws(few))), "too wide"),
        (tuple(ends(RIGHT, 5)), "too narrow"),
        (tuple(ends(RIGHT, 0.5)), "too wide"),
        (tuple(-ends(RIGHT)[::-1]), "sign"),
        (tuple(ends(RIGHT)[::-1]), "must be below"),
        (tuple(ONE), "of one premium"),
        (tuple(OTHER), "of one premium"),
        ((ONE[0] - OTHER[1], ONE[1] - OTHER[0]), "low end of one"),
        ((ONE[0] - OTHER[0], ONE[1] - OTHER[1]), "subtracted the ends"),
        ((0.1, 0.11), "wrong place"),
        (float(RIGHT.mean()), "a pair"),
        ((0.1, 0.2, 0.3), "two ends"),
        (tuple(ends(RIGHT).round(2)), "Two decimals"),
    ],
    "08.4": [
        (two_vocabularies, "a vocabulary for each language"),
        (off_by_256, "off by 256"),
        (no_room, "IndexError"),
        (off_by_one, "which entry of tok.curve"),
        (always_the_last, "which entry"),
        (english_only, "English side only"),
        (lambda learn, test, sizes: premium_at(learn, learn, sizes), "learned from"),
        (lambda learn, test, sizes: premium_at(test, test, sizes), "learned from the pairs that you measure"),
        (lambda learn, test, sizes: premium_at([(ja, ja) for _, ja in learn], test, sizes), "Japanese side only"),
        (upside_down, "English over Japanese"),
        (mean_of_ratios, "mean of the ratios"),
        (lambda learn, test, sizes: premium_at(learn, test, sizes)[:1], "for 4 sizes: 1"),
        (lambda learn, test, sizes: 1.0, "a list"),
    ],
    "08.5": [
        (by_premium, "rank by the premium"),
        (on_training_text, "some candidates have seen"),
        (interval_of_training_text, "that of learn"),
        (without_the_share, "same weight"),
        (share_of_english, "turned the share round"),
        (independent, "Too wide"),
        (its_own_interval, "what the best one needs"),
        (turned, "sign"),
        (of_all_messages, "all messages together"),
        (against_the_worst, "the best with the worst"),
        (no_interval, "(name, low, high)"),
        (lambda candidates, learn, test, share: (list(candidates)[-1], 0.0, 1.0), "Another one needs fewer"),
        (lambda candidates, learn, test, share: ("gpt2", 0.0, 1.0), "none of the candidates"),
    ],
}
