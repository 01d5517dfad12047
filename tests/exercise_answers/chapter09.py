"""Answers to the exercises of chapter 09."""

import math
from collections import Counter
from itertools import pairwise

from bpelab import Unigram
from bpelab.reference import count_pairs

# --- 09.3: a round of EM ----------------------------------------------------------------------------------


def normalized(counts):
    total = sum(counts.values())
    return {piece: n / total for piece, n in counts.items()}


def counted(pieces, words, weights):
    counts = Counter()
    for word, n in words.items():
        ways = [(cut, math.exp(logp)) for cut, logp in Unigram(pieces).segmentations(word)]
        for (cut, _), weight in zip(ways, weights(ways), strict=True):
            for piece in cut:
                counts[piece] += n * weight
    return counts


def by_share(ways):
    return [p / sum(p for _, p in ways) for _, p in ways]


def em_round(pieces, words):
    return normalized(counted(pieces, words, by_share))


def em_by_library(pieces, words):
    counts = Unigram(pieces).expected_counts(words)
    return {piece: counts.get(piece, 0) / sum(counts.values()) for piece in pieces}


def em_as_unigram(pieces, words):
    return Unigram(em_round(pieces, words))


def em_by_forward_and_backward(pieces, words):
    """Without listing the segmentations."""
    counts = dict.fromkeys(pieces, 0.0)
    for word, n in words.items():
        ahead, back = [1.0] + [0.0] * len(word), [0.0] * len(word) + [1.0]
        spans = [(i, j, word[i:j]) for j in range(1, len(word) + 1) for i in range(j) if word[i:j] in pieces]
        for i, j, piece in spans:
            ahead[j] += ahead[i] * pieces[piece]
        for i, j, piece in sorted(spans, reverse=True):
            back[i] += back[j] * pieces[piece]
        for i, j, piece in spans:
            counts[piece] += n * ahead[i] * pieces[piece] * back[j] / ahead[-1]
    return normalized(counts)


def viterbi_counts(pieces, words):
    counts = Counter()
    for word, n in words.items():
        for piece in Unigram(pieces).viterbi(word)[0]:
            counts[piece] += n
    return normalized(counts)


def once_a_segmentation(pieces, words):
    counts = Counter()
    for word, n in words.items():
        ways = [(cut, math.exp(logp)) for cut, logp in Unigram(pieces).segmentations(word)]
        for (cut, _), share in zip(ways, by_share(ways), strict=True):
            for piece in set(cut):
                counts[piece] += n * share
    return normalized(counts)


def falling(pieces, words):
    """Nearly all to the longest pieces, whether they can be used or not."""
    return normalized({piece: len(piece) ** 8 for piece in pieces})


def only_right_on_small_words(pieces, words):
    return em_round(pieces, words) if len(pieces) < 5 else em_round(pieces, {**words, "bun": 5})


def slightly_off(pieces, words):
    new = em_round(pieces, {word: n + 1 for word, n in words.items()})
    return new


# --- 09.4: the next pair ------------------------------------------------------------------------------------


def counts_of(corpus):
    counts = Counter()
    for parts, n in corpus:
        for part in parts:
            counts[part] += n
    return counts


def chosen(corpus, score):
    pairs, counts = Counter(count_pairs(corpus)), counts_of(corpus)
    return max(pairs, key=lambda pair: score(pairs[pair], counts[pair[0]], counts[pair[1]], counts, pairs))


def next_pair(corpus):
    return chosen(corpus, lambda n, x, y, counts, pairs: n * math.log(counts.total() * n / (x * y)))


def next_pair_plainly(corpus):
    """Without the library, in bits, as a list."""
    single, double = {}, {}
    for parts, n in corpus:
        for part in parts:
            single[part] = single.get(part, 0) + n
        for pair in pairwise(parts):
            double[pair] = double.get(pair, 0) + n
    size, best, most = sum(single.values()), None, -math.inf
    for (x, y), n in double.items():
        gain = n * (math.log2(n / size) - math.log2(single[x] / size) - math.log2(single[y] / size))
        if gain > most:
            best, most = [x, y], gain
    return best


def unweighted(corpus):
    return next_pair([(parts, 1) for parts, _ in corpus])


LOSSLESS = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "add_dummy_prefix": False,
    "byte_fallback": True,
}


def without(name):
    return {key: value for key, value in LOSSLESS.items() if key != name}


WORDPIECE, BPE = ["hu|##g", "b|##u|##gs", "hu|##n"], ["hug", "b|ug|s", "h|un"]


def cuts(wordpiece=WORDPIECE, bpe=BPE):
    return {"WordPiece": wordpiece, "BPE": bpe}


ACCEPTED = {
    "09.1": [
        cuts(),
        (WORDPIECE, BPE),
        {"bpe": [cut.split("|") for cut in BPE], "wordpiece": tuple(tuple(cut.split("|")) for cut in WORDPIECE)},
        cuts(bpe={"hug": "hug", "bugs": "b | ug | s", "hun": ["h", "un"]}),
    ],
    "09.2": [
        "東京|都に|住む",
        ["東京", "都に", "住む"],
        ("東京", "都に", "住む"),
        (["東京", "都に", "住む"], -10.8),
        " 東京 | 都に | 住む ",
    ],
    "09.3": [em_round, em_by_library, em_as_unigram, em_by_forward_and_backward],
    "09.4": [next_pair, next_pair_plainly],
    "09.5": [
        LOSSLESS,
        without("add_dummy_prefix"),
        LOSSLESS | {"model_type": "bpe"},
        LOSSLESS | {"remove_extra_whitespaces": "false", "split_by_whitespace": False},
    ],
}
REJECTED = {
    "09.1": [
        (cuts(["hug", *WORDPIECE[1:]]), "hug is no token of its list"),
        (cuts(["hu|##g", "b|##ug|##s", "hu|##n"]), "What BPE merged doesn't count"),
        (cuts(["hu|##g", "b|##u|##g|##s", "hu|##n"]), "a longer token fits where ##g stands"),
        (cuts(["hu|##g", "b|##u|##gs", "h|##u|##n"]), "a longer token fits where h stands"),
        (cuts(["hu|g", "b|u|gs", "hu|n"]), "a mark is missing"),
        (cuts(["hu|##g", "[UNK]", "hu|##n"]), "doesn't spell 'bugs'"),
        (cuts(BPE, WORDPIECE), "exchanged"),
        (cuts(bpe=["hug", "b|##ug|##s", "h|##un"]), "holds ##"),
        (cuts(bpe=["h|ug", "b|ug|s", "h|un"]), "a merge is left"),
        (cuts(bpe=["hug", "bug|s", "h|un"]), "bug is no token of its list"),
        (cuts(bpe=BPE[:2]), "3 words, and 2 cuts"),
        ({"WordPiece": WORDPIECE}, "three by 'BPE'"),
    ],
    "09.2": [
        ("東京都|に|住む", "won while"),
        ("東京|都|に|住む", "as two pieces"),
        ("東|京都|に|住む", "there is a larger one"),
        (["東", "京", "都に", "住", "む"], "keep for each position"),
        ("東京|都に", "doesn't spell"),
        ("東京|都に住む", "none of the eleven"),
    ],
    "09.3": [
        (viterbi_counts, "Viterbi counts"),
        (lambda pieces, words: counted(pieces, words, lambda ways: [1] + [0] * (len(ways) - 1)), "Viterbi counts"),
        (lambda pieces, words: counted(pieces, words, by_share), "add up to 1"),
        (lambda pieces, words: Unigram(pieces).expected_counts(words), "add up to 1"),
        (lambda pieces, words: counted(pieces, words, lambda ways: [p for _, p in ways]), "segmentations themselves"),
        (lambda pieces, words: normalized(counted(pieces, words, lambda ways: [1] * len(ways))), "it should be"),
        (lambda pieces, words: normalized(counted(pieces, words, lambda ways: [1 / len(ways)] * len(ways))), "alike"),
        (lambda pieces, words: em_round(pieces, dict.fromkeys(words, 1)), "the number beside each word"),
        (once_a_segmentation, "counts twice"),
        (falling, "the log-likelihood falls"),
        (lambda pieces, words: dict.fromkeys(pieces, 1.0), "add up to 4"),
        (lambda pieces, words: {piece: math.log(p) for piece, p in em_round(pieces, words).items()}, "logarithms"),
        (lambda pieces, words: pieces, "as they came"),
        (only_right_on_small_words, "the chapter's five words"),
        (slightly_off, "it should be"),
        (lambda pieces, words: {1: 1.0}, "each must be a piece"),
        (lambda pieces, words: 1 / 0, "ZeroDivisionError"),
    ],
    "09.4": [
        (lambda corpus: chosen(corpus, lambda n, *rest: n), "the most frequent pair"),
        (lambda corpus: chosen(corpus, lambda n, x, y, *rest: n / (x * y)), "the ratio alone"),
        (lambda corpus: chosen(corpus, lambda n, x, y, *rest: math.log(n / (x * y))), "the ratio alone"),
        (lambda corpus: chosen(corpus, lambda n, x, y, *rest: n * math.log(n / (x * y))), "leaves out N"),
        (
            lambda corpus: chosen(corpus, lambda n, x, y, c, pairs: n * math.log(pairs.total() * n / (x * y))),
            "number of pairs",
        ),
        (
            lambda corpus: chosen(corpus, lambda n, x, y, c, pairs: -n * math.log(c.total() * n / (x * y))),
            "gains least",
        ),
        (unweighted, "each word once"),
        (lambda corpus: next(iter(count_pairs(corpus))), "which gains"),
        (lambda corpus: "".join(next_pair(corpus)), "a pair (left, right)"),
        (lambda corpus: tuple(part.strip("#") for part in next_pair(corpus)), "keeps its ##"),
    ],
    "09.5": [
        ({}, "its bytes"),
        ({"byte_fallback": True}, "removes extra ones"),
        ({"byte_fallback": True, "normalization_rule_name": "identity"}, "removes extra ones"),
        (without("remove_extra_whitespaces"), "removes extra ones"),
        (without("normalization_rule_name"), "which rule changes nothing"),
        (without("byte_fallback"), "its bytes"),
        (LOSSLESS | {"normalization_rule_name": "nfkc"}, "which rule changes nothing"),
        (LOSSLESS | {"normalisation": "none"}, "refuses"),
        (LOSSLESS | {"character_coverage": 7}, "character_coverage"),
        (LOSSLESS | {"vocab_size": 8000}, "none to set here"),
    ],
}
