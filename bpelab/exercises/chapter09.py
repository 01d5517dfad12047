"""The checks of chapter 09: WordPiece, Unigram and SentencePiece."""

import io
import math
import re
from collections import Counter
from itertools import pairwise

from bpelab.exercises.checking import Wrong, call, exercise, function, items, mapping, real, shown, text
from bpelab.reference import apply_merge
from bpelab.unigram import Unigram
from bpelab.wordpiece import INSIDE, symbols

#: The five words of the chapter and how often each occurs.
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def tokens_of(answer):
    """The tokens of one cut: a list of str, or a str with | between them."""
    if isinstance(answer, str):
        return [token.strip() for token in text(answer).split("|")]
    wanted = None, "a cut such as 'a|b' or ['a', 'b']", "'a|b' や ['a', 'b'] の形の分割"
    found = items(answer, *wanted)
    if len(found) == 2 and not isinstance(found[0], str) and not isinstance(found[1], str):
        return tokens_of(found[0])  # what Unigram.viterbi returns
    return [text(token, *wanted) for token in found]


# --- WordPiece ------------------------------------------------------------------------------------------

WORDS = ("hug", "bugs", "hun")
CUTS = {
    "WordPiece": (("hu", "##g"), ("b", "##u", "##gs"), ("hu", "##n")),
    "BPE": (("hug",), ("b", "ug", "s"), ("h", "un")),
}
TOKENS = {
    "WordPiece": {"b", "h", "p", "##g", "##n", "##s", "##u", "##gs", "hu", "hugs"},
    "BPE": {*"bghnpsu", "ug", "un", "hug"},
}


@exercise("09.1", level=1, minutes=5, ja="3つの単語を、WordPieceの最長一致とBPEのマージで切る。")
def two_ways_to_cut(answer):
    """Cut three words by WordPiece's longest match and by BPE's merges."""
    given = {name: _cuts(part) for name, part in zip(CUTS, _both(answer), strict=True)}
    if all(given[name] == [*CUTS[other]] for name, other in (("WordPiece", "BPE"), ("BPE", "WordPiece"))):
        raise Wrong(
            "The two are exchanged. Hint: only WordPiece writes ## before what stands inside a word.",
            ja="2つが入れ替わっています。ヒント：単語の途中の部分に ## を付けるのはWordPieceだけです。",
        )
    for name, right in CUTS.items():
        for word, cut, wanted in zip(WORDS, given[name], right, strict=True):
            if cut != wanted:
                raise _bad_cut(name, word, cut, wanted)


def _both(answer):
    """WordPiece's cuts and BPE's."""
    if hasattr(answer, "items"):
        found = {str(name).lower(): cuts for name, cuts in mapping(answer).items() if isinstance(name, str)}
        parts = [found.get(name.lower()) for name in CUTS]
    else:
        parts = items(answer, en="a dict with 'WordPiece' and 'BPE'", ja="'WordPiece' と 'BPE' の辞書")
    if len(parts) != 2 or any(part is None for part in parts):
        raise Wrong(
            "The answer must hold three cuts by 'WordPiece' and three by 'BPE'.",
            ja="答えには、'WordPiece' による3つの分割と 'BPE' による3つの分割が必要です。",
        )
    return parts


def _cuts(answer):
    """The cuts of the three words, in turn or by word: a list of tuples."""
    if hasattr(answer, "items"):
        found = mapping(answer)
        answer = [found.get(word) for word in WORDS]
    cuts = [tuple(tokens_of(cut)) for cut in items(answer, en="a list of three cuts", ja="3つの分割のリスト")]
    if len(cuts) != len(WORDS):
        raise Wrong(
            f"There are {len(WORDS)} words, and {len(cuts)} cuts. Hint: one cut for each of {', '.join(WORDS)}.",
            ja=f"単語は{len(WORDS)}個、分割は{len(cuts)}個です。ヒント：{'、'.join(WORDS)} "
            "のそれぞれに1つずつ必要です。",
        )
    return cuts


def _bad_cut(name, word, cut, wanted):
    """What is wrong with the cut of a word."""
    said, plain = "|".join(cut), [token.removeprefix(INSIDE) for token in cut]
    if "".join(plain) != word:
        return Wrong(
            f"{name}: {shown(said)} doesn't spell {word!r}. Hint: a cut loses nothing, and [UNK] is for unknown "
            "letters.",
            ja=f"{name}：{shown(said)} をつなげても {word!r} になりません。ヒント：分割しても何も失われません。"
            "[UNK] は未知の文字のためのものです。",
        )
    if name == "BPE" and plain != [*cut]:
        return Wrong(
            f"BPE: {said} holds ##. Hint: that mark is WordPiece's.",
            ja=f"BPE：{said} に ## があります。ヒント：この印はWordPieceのものです。",
        )
    if name == "WordPiece" and [*cut] != [*plain[:1], *(INSIDE + token for token in plain[1:])]:
        return Wrong(
            f"WordPiece: in {said} a mark is missing or in the wrong place. Hint: every token but a word's first "
            "starts with ##.",
            ja=f"WordPiece：{said} の印が足りないか、場所が違います。"
            "ヒント：単語の先頭以外のトークンは、すべて ## で始まります。",
        )
    strange = [token for token in cut if token not in TOKENS[name]]
    if strange and name == "WordPiece":
        return Wrong(
            f"WordPiece: {strange[0]} is no token of its list. Hint: the table above shows the three tokens that it "
            "learned; all others are single characters. What BPE merged doesn't count here.",
            ja=f"WordPiece：{strange[0]} は語彙にありません。ヒント：学習した3つのトークンは上の表にあり、"
            "残りは1文字です。BPEのマージはここでは使えません。",
        )
    if strange:
        return Wrong(
            f"BPE: {strange[0]} is no token of its list. Hint: the table above shows its three merges; all other "
            "tokens are single characters.",
            ja=f"BPE：{strange[0]} は語彙にありません。ヒント：3つのマージは上の表にあり、残りのトークンは1文字です。",
        )
    if name == "WordPiece":
        at = next(i for i, pair in enumerate(zip(cut, wanted, strict=False)) if pair[0] != pair[1])
        return Wrong(
            f"WordPiece: in {said} a longer token fits where {cut[at]} stands. Hint: always the longest match.",
            ja=f"WordPiece：{said} の {cut[at]} の位置には、もっと長いトークンが入ります。ヒント：いつも最長一致です。",
        )
    return Wrong(
        f"BPE: in {said} a merge is left that can be applied. Hint: apply the merges in the order learned, wherever "
        "they fit.",
        ja=f"BPE：{said} には、まだ適用できるマージが残っています。"
        "ヒント：学習した順に、当てはまる所すべてに適用します。",
    )


# --- Unigram ----------------------------------------------------------------------------------------------

TOKYO = "東京都に住む"
PIECES = {
    "東京": 0.05, "京都": 0.05, "東": 0.02, "京": 0.02, "都": 0.03, "に": 0.08, "住": 0.02, "住む": 0.04,
    "む": 0.02, "東京都": 0.003, "都に": 0.01,
}  # fmt: skip


@exercise("09.2", level=1, minutes=5, ja="1つのピースの確率が下がったとき、最も確率の高い分割を見つける。")
def most_probable_cut(answer):
    """Find the most probable segmentation when one piece gets rarer."""
    cut = tokens_of(answer)
    if "".join(cut) != TOKYO:
        raise Wrong(
            f"{shown('|'.join(cut))} doesn't spell '{TOKYO}'. Hint: write | between the pieces.",
            ja=f"{shown('|'.join(cut))} をつなげても {TOKYO} になりません。ヒント：ピースの間に | を書きます。",
        )
    strange = [piece for piece in cut if piece not in PIECES]
    if strange:
        raise Wrong(
            f"{shown(strange[0])} is none of the eleven pieces. Hint: they stand in the cell above.",
            ja=f"{shown(strange[0])} は11個のピースにありません。ヒント：ピースは上のセルにあります。",
        )
    value = math.prod(PIECES[piece] for piece in cut)
    if "東京都" in cut:
        raise Wrong(
            f"That one won while 東京都 had 0.03. With 0.003 its product is {value:.3g}, and there is a larger one. "
            "Hint: few pieces help only if they are probable.",
            ja=f"それは東京都が0.03のときの勝者です。0.003では積が {value:.3g} になり、もっと大きいものがあります。"
            "ヒント：ピースが少なくても、確率が低ければ勝てません。",
        )
    if cut == ["東京", "都", "に", "住む"]:
        raise Wrong(
            f"Its product is {value:.3g}. Hint: compare what '都' and 'に' cost as two pieces with what one piece in "
            "their place costs.",
            ja=f"その積は {value:.3g} です。ヒント：「都」と「に」を2つのピースにした場合と、"
            "1つのピースにした場合を比べましょう。",
        )
    if value < 0.999 * _segmentations(PIECES, TOKYO)[0][1]:
        raise Wrong(
            f"Its product is {value:.3g}, and there is a larger one. Hint: go from left to right, and keep for each "
            "position only the best way to get there.",
            ja=f"その積は {value:.3g} で、もっと大きいものがあります。"
            "ヒント：左から右へ、位置ごとに最良の道だけを残しましょう。",
        )


#: Pieces with a probability, and words with a frequency: what an EM round is tried on.
ROUNDS = (
    ({"a": 0.5, "aa": 0.3, "b": 0.1, "ab": 0.1}, {"aab": 2, "ab": 1}),
    (
        {"h": 0.1, "u": 0.16, "g": 0.1, "s": 0.03, "p": 0.08, "n": 0.08, "b": 0.03, "hug": 0.16, "un": 0.1, "ug": 0.1}
        | {"hugs": 0.06},
        HUGS,
    ),
    ({"東": 0.1, "京": 0.2, "都": 0.1, "東京": 0.3, "京都": 0.3}, {"東京都": 3, "京都": 2, "東京": 1}),
)


@exercise("09.3", level=2, minutes=15, ja="Unigramの期待値最大化法（EM）の1回分を書く。")
def em_round(answer):
    """Write one round of expectation maximization for Unigram."""
    one_round = function(answer)
    for pieces, words in ROUNDS:
        given = _probabilities(call(one_round, pieces, words))
        known = _mistakes_of_a_round(pieces, words)
        right = known.pop("right")
        if _same(given, right):
            continue
        for name, values in known.items():
            if _same(given, values):
                raise Wrong(ROUND_MISTAKES[name][0], ja=ROUND_MISTAKES[name][1])
        raise _bad_round(given, right, pieces, words)


def _probabilities(answer):
    """Piece -> number, from a dict or a Unigram; a piece with 0 may stand there or not."""
    if isinstance(answer, Unigram):
        answer = {piece: math.exp(logp) for piece, logp in answer.pieces.items()}
    found = {}
    for piece, value in mapping(answer).items():
        if not isinstance(piece, str):
            raise Wrong(
                f"A key of your dict is {shown(piece)}, and each must be a piece.",
                ja=f"辞書のキー {shown(piece)} がピースではありません。",
            )
        found[piece] = real(value, "em_round(...)")
    return {piece: value for piece, value in found.items() if abs(value) > 1e-12}


def _same(given, right):
    return given.keys() == right.keys() and all(
        abs(given[piece] - value) <= 1e-6 * max(1, abs(value)) for piece, value in right.items()
    )


def _segmentations(pieces, word):
    """All ways to cut a word, the likeliest first: (pieces, probability)."""
    return sorted(_ways(pieces, word), key=lambda way: -way[1])


def _ways(pieces, word):
    if not word:
        return [((), 1.0)]
    starts = [word[:end] for end in range(1, len(word) + 1) if word[:end] in pieces]
    return [((start, *cut), pieces[start] * p) for start in starts for cut, p in _ways(pieces, word[len(start) :])]


def _counted(pieces, words, weights):
    """Piece -> count; weights(segmentations) says for each segmentation of a word how much it counts."""
    counts = Counter()
    for word, n in words.items():
        ways = _segmentations(pieces, word)
        for (cut, _), weight in zip(ways, weights(ways), strict=True):
            for piece in cut:
                counts[piece] += n * weight
    return {piece: n for piece, n in counts.items() if n}


def _shares(ways):
    total = sum(p for _, p in ways)
    return [p / total for _, p in ways]


def _normalized(counts):
    total = sum(counts.values())
    return {piece: n / total for piece, n in counts.items()}


def _mistakes_of_a_round(pieces, words):
    """What a round gives, by the right rule and by those of known mistakes."""
    expected = _counted(pieces, words, _shares)
    best = _counted(pieces, words, lambda ways: [1] + [0] * (len(ways) - 1))
    ones = Counter()
    for word, n in words.items():
        ways = _segmentations(pieces, word)
        for (cut, _), share in zip(ways, _shares(ways), strict=True):
            for piece in set(cut):
                ones[piece] += n * share
    joint = _counted(pieces, words, lambda ways: [p for _, p in ways])
    return {
        "right": _normalized(expected),
        "not normalized": expected,
        "best only": _normalized(best),
        "best only, not normalized": best,
        "joint": _normalized(joint),
        "joint, not normalized": joint,
        "equal": _normalized(_counted(pieces, words, lambda ways: [1 / len(ways)] * len(ways))),
        "frequency": _normalized(_counted(pieces, dict.fromkeys(words, 1), _shares)),
        "once": _normalized(ones),
        "logarithms": {piece: math.log(p) for piece, p in _normalized(expected).items()},
        "unchanged": dict(pieces),
    }


_JOINT = (
    "You add up the probabilities of the segmentations themselves. Hint: a word that stands there once must count "
    "once, so divide by the sum over all its segmentations.",
    "分割の確率をそのまま足しています。ヒント：1回現れた単語は1回分です。その単語の全分割の和で割りましょう。",
)
_BEST = (
    "You count only the best segmentation of each word: those are Viterbi counts. Hint: expected counts take all of "
    "them, each by its share.",
    "各単語の最良の分割だけを数えています（ビタビの回数）。ヒント：期待回数では、すべての分割を割合に応じて数えます。",
)
ROUND_MISTAKES = {
    "not normalized": (
        "These are the expected counts; they don't add up to 1. Hint: one step is missing to make probabilities of "
        "them.",
        "それは期待回数で、合計が1になりません。ヒント：確率にするには、もう一段階必要です。",
    ),
    "best only": _BEST,
    "best only, not normalized": _BEST,
    "joint": _JOINT,
    "joint, not normalized": _JOINT,
    "equal": (
        "You count all segmentations of a word alike. Hint: a likelier one has a larger share.",
        "単語のどの分割も同じ重みで数えています。ヒント：確率の高い分割ほど、割合が大きくなります。",
    ),
    "frequency": (
        "You count each word once. Hint: what is the number beside each word for?",
        "どの単語も1回しか数えていません。ヒント：単語に付いている数は何のためでしょう。",
    ),
    "once": (
        "A piece that stands twice in a segmentation counts twice. Hint: look at 'a' in a|a|b.",
        "1つの分割に2回出るピースは2回と数えます。ヒント：a|a|b の 'a' を見ましょう。",
    ),
    "logarithms": (
        "You return logarithms. Hint: pieces holds probabilities, and so must what you return.",
        "対数を返しています。ヒント：piecesの値は確率です。返す値も確率にしましょう。",
    ),
    "unchanged": (
        "You return the probabilities as they came. Hint: the new ones come from the expected counts.",
        "元の確率をそのまま返しています。ヒント：新しい確率は期待回数から作ります。",
    ),
}


def _bad_round(given, right, pieces, words):
    """Wrong, with what the result breaks; a counter-example where it is small."""
    total = sum(given.values())
    if abs(total - 1) > 1e-6:
        return Wrong(
            f"For the words {shown(words)} your probabilities add up to {total:.4g}. Hint: they must add up to 1.",
            ja=f"単語 {shown(words)} で、確率の合計が {total:.4g} になります。ヒント：合計は1でなければなりません。",
        )
    if given.keys() <= pieces.keys() and min(given.values()) > 0:
        before, after = _log_likelihood(pieces, words), _log_likelihood(given, words)
        if after < before - 1e-9:
            return Wrong(
                f"For the words {shown(words)} the log-likelihood falls from {before:.3f} to {after:.3f}; a round of "
                "EM never lowers it. Hint: all segmentations of a word, each by its share.",
                ja=f"単語 {shown(words)} で、対数尤度が {before:.3f} から {after:.3f} に下がります。"
                "EMで下がることはありません。ヒント：単語のすべての分割を、割合に応じて数えます。",
            )
    if len(pieces) > 5:
        return Wrong(
            "On small words you are right; on the chapter's five words you aren't. Hint: is anything fixed to the "
            "small ones?",
            ja="小さな例では正しいのですが、この章の5つの単語では違います。"
            "ヒント：小さな例に固定した部分はありませんか。",
        )
    values, wanted = ({piece: round(p, 4) for piece, p in sorted(each.items())} for each in (given, right))
    return Wrong(
        f"For pieces={pieces}, words={words} you give {shown(values, 200)}, and it should be {wanted}. Hint: all "
        "segmentations of a word, each by its share, times the word's frequency.",
        ja=f"pieces={pieces}、words={words} に対して {shown(values, 200)} になりますが、正しくは {wanted} です。"
        "ヒント：単語のすべての分割を割合に応じて数え、単語の頻度を掛けます。",
    )


def _log_likelihood(pieces, words):
    """The logarithm of the probability of all words; -inf where one can't be cut."""
    total = 0.0
    for word, n in words.items():
        ways = [p for _, p in _segmentations(pieces, word)]
        total += n * math.log(sum(ways)) if ways else -math.inf
    return total


# --- the likelihood of WordPiece ----------------------------------------------------------------------------


def _corpus(words, *joins):
    """(symbols, frequency) of each word after some joins."""
    corpus = [(symbols(word), n) for word, n in words.items()]
    for left, right in joins:
        made = left + right.removeprefix(INSIDE)
        corpus = [
            ([made if part == left + right else part for part in apply_merge(parts, (left, right))], n)
            for parts, n in corpus
        ]
    return corpus


#: On the first three the rules of the known mistakes part; none has two best pairs.
CORPORA = (
    _corpus({"bee": 3, "car": 7, "sew": 12, "tree": 11}),
    _corpus({"seen": 3, "then": 7, "her": 6, "tree": 10}),
    _corpus({"been": 4, "queen": 8, "slow": 3, "sow": 3}),
    _corpus(HUGS),
    _corpus(HUGS, ("##u", "##g")),
    _corpus(HUGS, ("##u", "##g"), ("##u", "##n")),
)


@exercise("09.4", level=2, minutes=10, ja="WordPieceが尤度で次のペアを選ぶ関数を書く。")
def likelihood_wordpiece(answer):
    """Write WordPiece's choice of the next pair by likelihood."""
    next_pair = function(answer)
    given = [_pair(call(next_pair, corpus), corpus) for corpus in CORPORA]
    gains = [_gains(corpus) for corpus in CORPORA]
    if all(gain[pair] >= max(gain.values()) - 1e-9 for pair, gain in zip(given, gains, strict=True)):
        return
    once = [_gains([(parts, 1) for parts, _ in corpus]) for corpus in CORPORA]
    if all(gain[pair] >= max(gain.values()) - 1e-9 for pair, gain in zip(given, once, strict=True)):
        raise Wrong(
            "You count each word once. Hint: what is the number beside the symbols for?",
            ja="どの単語も1回しか数えていません。ヒント：記号の列に付いている数は何のためでしょう。",
        )
    for score, en, ja in SCORES:
        if all(_is_best(pair, corpus, score) for pair, corpus in zip(given, CORPORA, strict=True)):
            raise Wrong(en, ja=ja)
    for pair, corpus, gain in zip(given, CORPORA, gains, strict=True):
        best = max(gain, key=gain.get)
        if gain[pair] < gain[best] - 1e-9:
            raise Wrong(
                f"For corpus={corpus} you choose {pair}, which gains {gain[pair]:.2f}; {best} gains "
                f"{gain[best]:.2f}. Hint: count · log(N · count(xy) / (count(x) · count(y))), all counts weighted by "
                "the words' frequencies.",
                ja=f"corpus={corpus} で {pair} を選んでいますが、増加は {gain[pair]:.2f} です。"
                f"{best} なら {gain[best]:.2f} です。ヒント：count · log(N · count(xy) / (count(x) · count(y)))。"
                "どの回数も単語の頻度で重み付けします。",
            )


def _pair(answer, corpus):
    """A pair of neighbours in a corpus."""
    found = items(answer, "next_pair(...)", "a pair (left, right)", "組（左, 右）")
    if len(found) != 2 or not all(isinstance(part, str) for part in found):
        raise Wrong(
            f"Your function must return a pair (left, right) of symbols, but returned {shown(answer)}.",
            ja=f"関数は記号のペア（左, 右）を返す必要がありますが、{shown(answer)} を返しました。",
        )
    pair = tuple(found)
    if pair not in _counts(corpus)[1]:
        raise Wrong(
            f"{shown(pair)} are no neighbours in corpus={shown(corpus)}. Hint: a symbol inside a word keeps its ##.",
            ja=f"{shown(pair)} は corpus={shown(corpus)} の中で隣り合っていません。"
            "ヒント：単語の途中の記号は ## を付けたままにします。",
        )
    return pair


def _counts(corpus):
    """How often each symbol and each pair of neighbours occurs."""
    single, pairs = Counter(), Counter()
    for parts, n in corpus:
        for part in parts:
            single[part] += n
        for pair in pairwise(parts):
            pairs[pair] += n
    return single, pairs


def _gains(corpus):
    """Pair -> what merging it adds to the log-likelihood, about."""
    single, pairs = _counts(corpus)
    total = single.total()
    return {(x, y): n * math.log(total * n / (single[x] * single[y])) for (x, y), n in pairs.items()}


def _is_best(pair, corpus, score):
    single, pairs = _counts(corpus)
    scores = {(x, y): score(n, single[x], single[y], single, pairs) for (x, y), n in pairs.items()}
    return scores[pair] >= max(scores.values()) - 1e-9


SCORES = (
    (
        lambda n, x, y, single, pairs: n,
        "You choose the most frequent pair; that is BPE. Hint: a pair of frequent parts would meet often by chance "
        "alone.",
        "最も頻度の高いペアを選んでいます。それはBPEです。ヒント：頻度の高い部分どうしは、"
        "偶然だけでもよく隣り合います。",
    ),
    (
        lambda n, x, y, single, pairs: n / (x * y),
        "You choose by the ratio alone, which prefers rare parts. Hint: the likelihood also asks how often the merge "
        "is used.",
        "比だけで選んでいるので、まれな部分が有利になります。ヒント：尤度には、そのマージが何回使われるかも効きます。",
    ),
    (
        lambda n, x, y, single, pairs: n * math.log(n / (x * y)),
        "Your logarithm leaves out N, so every gain is negative and rare pairs win. Hint: counts must become "
        "probabilities.",
        "対数の中にNがないため、増加がどれも負になり、まれなペアが勝ちます。ヒント：回数を確率に直しましょう。",
    ),
    (
        lambda n, x, y, single, pairs: n * math.log(pairs.total() * n / (x * y)),
        "Your N is the number of pairs. Hint: N is the number of symbols, all words by their frequencies.",
        "Nがペアの総数になっています。ヒント：Nは記号の総数で、単語の頻度も掛けます。",
    ),
    (
        lambda n, x, y, single, pairs: -n * math.log(single.total() * n / (x * y)),
        "You take the pair that gains least. Hint: the greatest gain wins.",
        "増加が最小のペアを選んでいます。ヒント：増加が最大のペアが勝ちます。",
    ),
)


# --- SentencePiece ------------------------------------------------------------------------------------------

CODE = (
    "def total(rows):\n    s = 0\n    for row in rows:\n        s += row['price']  # ¥\n    return s\n",
    "if x  ==  1:\n\treturn None\n",
    "class Queue:\n    def __init__(self):\n        self.items = []\n",
)
#: What each one tries: indentation, runs of blanks, a blank at the end, compatibility forms, NFD, what is unknown.
ROUND_TRIPS = (
    "    return x",
    "a  =  b    # why",
    "s += 1 ",
    "label = '①ＡＢＣ'",
    "cafe\u0301 = 'é'",
    "print('🐈')\r\n\tx",
)
GIVEN = {"input", "sentence_iterator", "model_prefix", "model_writer", "vocab_size", "input_format", "num_threads"}


@exercise("09.5", level=2, minutes=10, ja="SentencePieceがソースコードを元に戻せるオプションを見つける。")
def options_for_code(answer):
    """Find the options with which SentencePiece gives source code back."""
    model = _trained(_options(answer))
    lost = [(each, back) for each in ROUND_TRIPS if (back := model.decode(model.encode(each))) != each]
    for rule, en, ja in LOSSES:
        for each, back in lost:
            if rule(each, back):
                raise Wrong(f"{each!r} comes back as {back!r}. {en}", ja=f"{each!r} が {back!r} になって戻ります。{ja}")


def _options(answer):
    """Options as SentencePiece takes them, without those that the check sets."""
    options = mapping(answer)
    for name in options:
        if not isinstance(name, str) or name in GIVEN:
            raise Wrong(
                f"The option {shown(name)} is none to set here: texts, size and target are given. Hint: what is "
                "wanted changes how a text is prepared.",
                ja=f"オプション {shown(name)} はここでは指定できません。文章、サイズ、出力先は決まっています。"
                "ヒント：文章の前処理を変えるオプションを探しましょう。",
            )
    return options


def _trained(options):
    try:
        import sentencepiece
    except ImportError:
        raise Wrong(
            "This check needs the package sentencepiece: pip install 'bpelab[book]'.",
            ja="この確認にはsentencepieceが必要です：pip install 'bpelab[book]'",
        ) from None
    model = io.BytesIO()
    fixed = {"vocab_size": 400, "hard_vocab_limit": False, "num_threads": 1, "minloglevel": 3}
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(CODE), model_writer=model, **fixed | {"character_coverage": 1.0} | options
        )
        return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    except Exception as error:
        said = re.sub(r".*\.(cc|h)\(\d+\) ", "", str(error)).strip() or type(error).__name__
        raise Wrong(
            f"SentencePiece refuses these options: {shown(said)}. Hint: names and values as in the list that the "
            "exercise links to.",
            ja=f"SentencePieceがこのオプションを受け付けません：{shown(said)}。"
            "ヒント：名前と値を、問題文のリンク先の一覧で確かめましょう。",
        ) from None


LOSSES = (
    (
        lambda each, back: "⁇" in back,
        "What is no piece is lost as unknown. Hint: there is an option that writes its bytes instead.",
        "ピースにない文字が未知として失われています。ヒント：代わりにバイトで書くオプションがあります。",
    ),
    (
        lambda each, back: each.startswith(" ") or "  " in each or each.endswith(" "),
        "Blanks are lost, and in code they have a meaning. Hint: without any normalization, an option still removes "
        "extra ones.",
        "空白が失われています。コードでは空白に意味があります。"
        "ヒント：正規化をなくしても、余分な空白を取り除くオプションが残っています。",
    ),
    (
        lambda each, back: True,
        "Characters became others: a normalization runs first. Hint: which rule changes nothing?",
        "文字が別の文字に変わっています。先に正規化が行われています。ヒント：何も変えない規則はどれですか。",
    ),
)
