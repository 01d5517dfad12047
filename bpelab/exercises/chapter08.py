"""The checks of chapter 08: premiums, their intervals, and the choice of a tokenizer."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bpelab import corpora, vocabularies
from bpelab.characters import Bytes
from bpelab.exercises.checking import Right, Wrong, call, exercise, function, items, real, shown, text
from bpelab.training import train


@exercise("08.1", level=1, minutes=3, ja="2つの言語の1トークンあたりの文字数から、割増率を求める。")
def premium_by_hand(answer):
    """Find a premium from the characters per token of two languages."""
    value, (en, ja, fewer) = real(answer), (4.592, 1.255, 0.409)
    _recognise(
        value,
        [
            (
                en / ja,
                "You took both texts to have equally many characters. Hint: the same content takes fewer in Japanese.",
                "両方の文章の文字数が同じだと考えています。ヒント：同じ内容でも、日本語の文字数は少なくなります。",
            ),
            (
                ja / en,
                "That compares the characters of one token, upside down, and leaves out how many characters the "
                "content takes. Hint: count the tokens of 1,000 English characters first.",
                "トークン1つの文字数を逆向きに比べていて、同じ内容が何文字になるかも入っていません。"
                "ヒント：まず英語1,000文字のトークン数を求めましょう。",
            ),
            (
                en / ja / fewer,
                "You divided by the ratio of characters. Hint: does fewer Japanese characters mean more tokens, or "
                "fewer?",
                "文字数の比で割っています。ヒント：日本語の文字数が少ないと、トークンは増えますか、減りますか。",
            ),
            (
                ja / en / fewer,
                "That is English tokens for each Japanese one. Hint: which language stands above the line in the "
                "definition of the premium?",
                "それは日本語1トークンに対する英語のトークン数です。"
                "ヒント：割増率の定義で分子になるのはどちらの言語ですか。",
            ),
            (
                fewer * ja / en,
                "A token that holds more characters makes a text shorter, not longer. Hint: divide the characters of "
                "each language by its characters per token.",
                "1トークンの文字数が多いほど、トークン数は少なくなります。"
                "ヒント：言語ごとに、文字数を1トークンあたりの文字数で割りましょう。",
            ),
        ],
    )
    right = fewer * en / ja
    _no_percents(value, right)
    if abs(value - right) > 0.007:
        raise Wrong(
            f"The premium isn't {shown(value)}. Hint: take an English text of 1,000 characters. How many tokens is "
            "it? How many characters has the same content in Japanese, and how many tokens are those?",
            ja=f"割増率は {shown(value)} ではありません。ヒント：英語で1,000文字の文章を考えます。"
            "それは何トークンですか。同じ内容は日本語で何文字になり、それは何トークンですか。",
        )


@exercise("08.2", level=1, minutes=2, ja="割増率のうち、語彙による部分を求める。")
def compression_gap(answer):
    """Find the part of a premium that comes from the vocabulary."""
    value, (premium, byte_ratio) = real(answer), (2.006, 1.184)
    _recognise(
        value,
        [
            (
                premium * byte_ratio,
                "You multiplied. Hint: the premium is already the product of the two.",
                "掛け算をしています。ヒント：割増率は、すでに2つを掛けた値です。",
            ),
            (
                byte_ratio / premium,
                "That is upside down: it says that the vocabulary treats Japanese better than English. Hint: premium "
                "= byte ratio × gap.",
                "分子と分母が逆です。これでは、語彙が英語より日本語に有利だということになります。"
                "ヒント：割増率＝バイト比×圧縮率の差です。",
            ),
            (
                premium - byte_ratio,
                "You subtracted. Hint: the two parts of a premium are multiplied, not added.",
                "引き算をしています。ヒント：割増率の2つの部分は、足すのではなく掛けます。",
            ),
            (
                byte_ratio,
                "That is the part of the text. Hint: which part is left to the vocabulary?",
                "それは文章による部分です。ヒント：語彙による部分はどれだけですか。",
            ),
            (
                premium,
                "That is the whole premium. Hint: part of it would be there without any vocabulary.",
                "それは割増率全体です。ヒント：その一部は、語彙がなくても生じます。",
            ),
        ],
    )
    right = premium / byte_ratio
    _no_percents(value, right)
    if abs(value - right) > 0.007:
        raise Wrong(
            f"The gap isn't {shown(value)}: times the byte ratio it doesn't give the premium. Hint: solve premium = "
            "byte ratio × gap for the gap.",
            ja=f"圧縮率の差は {shown(value)} ではありません。バイト比を掛けても割増率になりません。"
            "ヒント：「割増率＝バイト比×圧縮率の差」を圧縮率の差について解きましょう。",
        )


# --- intervals ----------------------------------------------------------------------------------------

#: Half of a 95% interval in standard errors.
HALF = 1.96


@exercise("08.3", level=2, minutes=15, ja="同じペアでの2つの割増率の差をブートストラップする。")
def interval_of_a_difference(answer):
    """Bootstrap the difference of two premiums on the same pairs."""
    low, high = ends = _ends(answer)
    first, second = (_tokens(name) for name in ("o200k_base", "qwen2"))
    (one, of_one), (two, of_two) = _premium(first), _premium(second)
    middle, per_pair = one - two, of_one - of_two
    half = HALF * _error(per_pair)
    if all(
        round(end, 2) == end and abs(end - true) < 0.006
        for end, true in zip(ends, (middle - half, middle + half), strict=True)
    ):
        raise Wrong(
            "Two decimals say too little here. Hint: give the ends as they are, or to three decimals.",
            ja="小数点以下2桁では足りません。ヒント：両端を丸めずに、または3桁で書きましょう。",
        )
    ratios = first[1] / first[0] - second[1] / second[0]
    alone = _error(of_one), _error(of_two)
    _judge_interval(
        (low, high),
        (middle, _error(per_pair)),
        [
            (
                (middle, math.hypot(*alone)),
                "Too wide: as wide as if each vocabulary had pairs drawn of its own. Hint: a sentence that is dear "
                "under both cancels only if both are measured on the same draw.",
                "区間が広すぎます。語彙ごとに別々にペアを引いたときの広さです。"
                "ヒント：どちらの語彙でも高くつく文は、同じ標本で測ったときだけ打ち消し合います。",
            ),
            (
                (middle, sum(alone)),
                "Too wide: you compared the low end of one interval with the high end of the other. Hint: take the "
                "difference in each draw, and the interval of those differences.",
                "区間が広すぎます。片方の下端ともう片方の上端を比べています。"
                "ヒント：標本を引くたびに差を求め、その差の区間を取りましょう。",
            ),
            (
                (middle, abs(alone[0] - alone[1])),
                "You subtracted the ends of two intervals from each other. Hint: take the difference in each draw, "
                "and the interval of those differences.",
                "2つの区間の端どうしを引いています。ヒント：標本を引くたびに差を求め、その差の区間を取りましょう。",
            ),
            (
                (ratios.mean(), _error(ratios)),
                "Shifted: this is the mean of the ratios of single messages, where a message of two tokens counts as "
                "much as one of a hundred. Hint: add up the tokens of a draw first, then divide.",
                "区間がずれています。1文ごとの比の平均になっていて、2トークンの文も100トークンの文も同じ重みです。"
                "ヒント：先に標本のトークンを合計し、それから割りましょう。",
            ),
            (
                (one, alone[0]),
                "That is the interval of one premium. Hint: subtract the other one in each draw.",
                "それは1つの割増率の区間です。ヒント：標本を引くたびに、もう一方を引きましょう。",
            ),
            (
                (two, alone[1]),
                "That is the interval of one premium. Hint: subtract it from the other one in each draw.",
                "それは1つの割増率の区間です。ヒント：標本を引くたびに、もう一方から引きましょう。",
            ),
        ],
    )
    return Right(
        "right. 0 lies outside, so the two can be ranked, on this text.",
        ja="正解です。0は区間の外にあるので、この文章については2つに順位を付けられます。",
    )


def _judge_interval(ends, truth, mistakes):
    """Wrong where (low, high) isn't 95% about truth, a pair (middle, standard error), within the noise of a bootstrap.

    mistakes: ((middle, error), English, Japanese) of intervals to recognise.
    """
    low, high = ends
    middle, error = truth
    if _is_interval(ends, truth):
        return
    for wrong, en, ja in mistakes:
        if _is_interval(ends, wrong):
            raise Wrong(en, ja=ja)
    if _is_interval((-high, -low), truth):
        raise Wrong(
            "The sign is turned round. Hint: what is to be subtracted from what?",
            ja="符号が逆です。ヒント：どちらからどちらを引くのかを確かめましょう。",
        )
    if abs((low + high) / 2 - middle) > 0.5 * error:
        raise Wrong(
            f"The interval from {low:.4g} to {high:.4g} lies in the wrong place. Hint: its middle must be near the "
            "difference on all the pairs as they are.",
            ja=f"区間 {low:.4g}〜{high:.4g} の位置が違います。ヒント：区間の中央は、元のペア全部での差に近いはずです。",
        )
    wide = high - low > 2 * HALF * error
    raise Wrong(
        f"The place is right, but the interval is too {'wide' if wide else 'narrow'}. Hint: draw as many pairs as "
        "there are, with replacement, at least 1,000 times; each pair keeps all its counts; then cut 2.5% off each "
        "end.",
        ja=f"位置は合っていますが、区間が{'広' if wide else '狭'}すぎます。"
        "ヒント：元と同じ数のペアを復元抽出で引き、これを1,000回以上繰り返します。1つのペアの数値は離しません。"
        "最後に両端を2.5%ずつ除きます。",
    )


def _is_interval(ends, truth):
    """Whether (low, high) is 95% about truth (middle, standard error); a thousand draws move an end by 0.08 errors."""
    (low, high), (middle, error) = ends, truth
    near = max(abs(low - middle + HALF * error), abs(high - middle - HALF * error)) <= 0.45 * error
    return near and abs((high - low) / (2 * HALF * error) - 1) <= 0.13


def _ends(answer):
    """(low, high) as floats."""
    ends = [real(end) for end in items(answer, en="a pair (low, high)", ja="（下端, 上端）の組")]
    if len(ends) != 2:
        raise Wrong(
            f"An interval has two ends; the answer has {len(ends)} numbers. Hint: (low, high).",
            ja=f"区間には端が2つあります。答えには数が{len(ends)}個あります。ヒント：（下端, 上端）の形です。",
        )
    if ends[0] >= ends[1]:
        raise Wrong(
            f"The low end {ends[0]:.4g} must be below the high end {ends[1]:.4g}. Hint: (low, high).",
            ja=f"下端 {ends[0]:.4g} は上端 {ends[1]:.4g} より小さくなければなりません。"
            "ヒント：（下端, 上端）の順です。",
        )
    return ends


@lru_cache
def _tokens(name):
    """The tokens of each pair of "parallel", float[2, pairs]: English, Japanese."""
    encoder = vocabularies.load(name)
    sides = zip(*corpora.pairs("parallel"), strict=True)
    return np.array([list(map(len, encoder.encode_ordinary_batch(list(side)))) for side in sides], float)


def _premium(tokens):
    """The ratio of sums, and how far each pair pulls it (the delta method: its spread is what draws would give)."""
    en, ja = tokens
    ratio = ja.sum() / en.sum()
    return ratio, (ja - ratio * en) / en.mean()


def _error(values):
    """The standard error of a mean."""
    return values.std() / math.sqrt(len(values))


# --- the premium at every size --------------------------------------------------------------------------

SIZES = (256, 300, 400, 600)


@lru_cache
def _warm_up():
    """Train and count once, so that compiling isn't the reader's time."""
    _rules(*_messages()[:2])
    for case in _cases():
        case.ranking()


@exercise("08.4", level=2, minutes=12, ja="両言語での一度の学習から、多くのサイズでの割増率を測る。", before=_warm_up)
def premium_at_sizes(answer):
    """Measure the premium at many sizes, from one training on both languages."""
    learn, judge = (list(part) for part in _messages()[:2])
    premium_at = function(answer)
    found = _premiums(call(premium_at, learn, judge, list(SIZES)), len(SIZES))
    rules = _rules(tuple(learn), tuple(judge))
    for name, values in rules.items():
        if np.allclose(found, values, atol=1e-6):
            if name == "right":
                break
            raise Wrong(MISTAKES_AT_SIZES[name][0], ja=MISTAKES_AT_SIZES[name][1])
    toy = [("cat cat", "猫 猫")], [("cat", "猫")], [256, 258, 260]
    small, wanted = _premiums(call(premium_at, *toy), len(toy[2])), _toy_premiums(*toy)
    if not np.allclose(small, wanted, atol=1e-6):
        small, wanted = ([round(value, 3) for value in values] for values in (small, wanted))
        raise Wrong(
            f"For learn={toy[0]}, test={toy[1]}, sizes={toy[2]} you give {small}, and it should be {wanted}. Hint: "
            "which entry of tok.curve(...) belongs to a vocabulary of that size?",
            ja=f"learn={toy[0]}、test={toy[1]}、sizes={toy[2]} に対して {small} になりますが、正しくは {wanted} "
            "です。ヒント：その語彙サイズに当たるのは tok.curve(...) のどの要素ですか。",
        )
    if not np.allclose(found, rules["right"], atol=1e-6):
        at = next(i for i, pair in enumerate(zip(found, rules["right"], strict=True)) if abs(pair[0] - pair[1]) > 1e-6)
        raise Wrong(
            f"On {len(learn)} messages of JupyterLab to learn from, your premium at size {SIZES[at]} is "
            f"{found[at]:.4f}, which is wrong. Hint: one training on both sides, then the tokens of all of test, "
            "Japanese over English.",
            ja=f"JupyterLabの{len(learn)}文で学習すると、サイズ{SIZES[at]}での割増率が {found[at]:.4f} になりますが、"
            "正しくありません。ヒント：両方の言語で一度だけ学習し、testの全部のトークン数を求め、"
            "日本語を英語で割ります。",
        )


MISTAKES_AT_SIZES = {
    "two vocabularies": (
        "You trained a vocabulary for each language. In a product both share one list and compete for its places. "
        "Hint: train once, on the texts of both sides.",
        "言語ごとに別の語彙を学習しています。実際には両言語が1つの語彙を分け合います。"
        "ヒント：両方の文章で一度だけ学習しましょう。",
    ),
    "merges for sizes": (
        "Your sizes are off by 256: you took a vocabulary size for a number of merges. Hint: with base='byte', how "
        "many tokens are there before the first merge?",
        "サイズが256ずれています。語彙サイズをマージの数として使っています。"
        "ヒント：base='byte'では、最初のマージの前にトークンはいくつありますか。",
    ),
    "English only": (
        "You learned from the English side only. Hint: both sides of learn go into one training.",
        "英語側だけで学習しています。ヒント：learnの両方の言語を、一度の学習に入れましょう。",
    ),
    "Japanese only": (
        "You learned from the Japanese side only. Hint: both sides of learn go into one training.",
        "日本語側だけで学習しています。ヒント：learnの両方の言語を、一度の学習に入れましょう。",
    ),
    "trained on test": (
        "You learned from the pairs that you measure. Hint: learn is for training, test for measuring.",
        "測る対象のペアで学習しています。ヒント：学習にはlearn、測定にはtestを使います。",
    ),
    "measured on learn": (
        "You measured the pairs that you learned from. Hint: learn is for training, test for measuring.",
        "学習に使ったペアで測っています。ヒント：学習にはlearn、測定にはtestを使います。",
    ),
    "upside down": (
        "That is English over Japanese. Hint: the premium has the Japanese tokens above the line.",
        "それは英語÷日本語です。ヒント：割増率の分子は日本語のトークン数です。",
    ),
    "means of ratios": (
        "That is the mean of the ratios of single messages. Hint: add up the tokens of each side, then divide.",
        "1文ごとの比の平均になっています。ヒント：言語ごとにトークン数を合計してから割りましょう。",
    ),
}


@lru_cache(maxsize=2)
def _rules(learn, judge):
    """What a right function gives for SIZES, and what the known mistakes give, by name."""
    (en, ja), measured = zip(*learn, strict=True), tuple(zip(*judge, strict=True))
    shared, more = _learn(en + ja), _learn(en + ja, max(SIZES) + 256)
    single = np.array([[list(more.curve(text)) for text in side] for side in measured], float)
    apart = [_learn(side).curve(texts) for side, texts in zip((en, ja), measured, strict=True)]
    return {
        "right": _at(shared, measured),
        "two vocabularies": _ratio_at(*apart),
        "merges for sizes": _ratio_at(*map(more.curve, measured), offset=0),
        "English only": _at(_learn(en), measured),
        "Japanese only": _at(_learn(ja), measured),
        "trained on test": _at(_learn(measured[0] + measured[1]), measured),
        "measured on learn": _at(shared, (en, ja)),
        "upside down": [1 / value for value in _at(shared, measured)],
        "means of ratios": _ratio_at(np.ones(single.shape[2]), (single[1] / single[0]).mean(axis=0)),
    }


def _learn(texts, size=SIZES[-1]):
    return train(texts, vocab_size=size, base="byte", chunking="gpt2")


def _at(tok, sides):
    return _ratio_at(*map(tok.curve, sides))


def _ratio_at(en, ja, offset=256, sizes=SIZES):
    """Japanese over English tokens at each size; where the merges ran out, at the end."""
    return [float(ja[min(size - offset, len(ja) - 1)] / en[min(size - offset, len(en) - 1)]) for size in sizes]


def _toy_premiums(learn, judge, sizes):
    tok = _learn([side for pair in learn for side in pair], max(sizes))
    return _ratio_at(*(tok.curve(side) for side in zip(*judge, strict=True)), sizes=sizes)


def _premiums(answer, size):
    """The numbers that a reader's function returned, one for each size."""
    if hasattr(answer, "items") and not hasattr(answer, "to_numpy"):
        answer = answer.values()
    found = [
        real(value, "premium_at(...)")
        for value in items(
            answer, "premium_at(...)", "a list with a premium for each size", "サイズごとの割増率のリスト"
        )
    ]
    if len(found) != size:
        raise Wrong(
            f"Premiums returned for {size} sizes: {len(found)}. Hint: one premium for each size, in turn.",
            ja=f"{size}個のサイズに対して、{len(found)}個の数を返しています。"
            "ヒント：サイズごとに1つの割増率を、順に返します。",
        )
    return found


@lru_cache
def _messages():
    """Three parts of JupyterLab's messages that share none: to learn from, to measure, and others."""
    pairs = [pair for pair in corpora.pairs("jupyterlab") if min(map(len, pair)) > 3]
    return tuple(pairs[:150]), tuple(pairs[150:450]), tuple(pairs[450:])


# --- a choice -------------------------------------------------------------------------------------------


@exercise(
    "08.5", level=3, minutes=20, ja="言語の割合に合わせてトークナイザーを選び、節約の区間を添える。", before=_warm_up
)
def choice_for_a_workload(answer):
    """Choose a tokenizer for a mix of languages, with the interval of its saving."""
    choose, cases = function(answer), _cases()
    given = [_choice(call(choose, case.candidates, *case.pairs, case.share), case) for case in cases]
    _judge_names([name for name, _ in given], cases)
    for (_, ends), case in zip(given, cases, strict=True):
        _judge_saving(ends, case)
    return Right(
        "right. Now call it with candidates and pairs of your own, and say the interval when you say the winner.",
        ja="正解です。次は自分の候補とペアで呼び出し、勝者を言うときは区間も添えましょう。",
    )


class Case(NamedTuple):
    """What the reader's function is called with."""

    candidates: dict
    pairs: tuple  # (learn, test)
    share: float

    def tokens(self, name, part=1):
        """The tokens of each pair of a part under a candidate: float[2, pairs]."""
        tok, sides = self.candidates[name], zip(*self.pairs[part], strict=True)
        return np.array([tok.count_tokens(side) for side in sides], float)

    def cost(self, name, part=1, share=None):
        """The tokens per message of each pair, at the share of Japanese."""
        share = self.share if share is None else share
        en, ja = self.tokens(name, part)
        return (1 - share) * en + share * ja

    def ranking(self, **how):
        """The candidates by tokens per message, the fewest first."""
        return sorted(self.candidates, key=lambda name: self.cost(name, **how).mean())


@lru_cache
def _cases():
    """Workloads in which the usual mistakes choose another tokenizer than the cheapest one."""
    learn, judge, others = _messages()
    (en, ja), seen = zip(*others, strict=True), [side for pair in learn for side in pair]
    english, japanese, both = (_learn(texts, 1500) for texts in (en, ja, en + ja))
    own = train(seen, vocab_size=6000, base="byte", chunking="lines")
    pairs = list(learn), list(judge)
    return (
        Case({"English": english, "both": both, "Japanese": japanese}, pairs, 0.6),
        Case({"own": own, "both": both, "bytes": Bytes()}, pairs, 0.6),
        Case({"English": english, "Japanese": japanese}, pairs, 0.2),
        Case({"English": english, "Japanese": japanese}, pairs, 0.9),
    )


#: What `choose` must give.
FORM = ("choose(...)", "(name, low, high)", "（名前, 下端, 上端）")


def _choice(answer, case):
    """(name, (low, high)) from (name, low, high)."""
    parts = items(answer, *FORM)
    if len(parts) == 2:
        parts = [parts[0], *items(parts[1], *FORM)]
    if len(parts) != 3:
        raise Wrong(
            f"Your function must return (name, low, high), but returned {shown(answer)}.",
            ja=f"関数は（名前, 下端, 上端）を返す必要がありますが、{shown(answer)} を返しました。",
        )
    name = text(parts[0], "choose(...)", "the name of a candidate first", "候補の名前を先頭に置いた結果")
    if name not in case.candidates:
        raise Wrong(
            f"{shown(name)} is none of the candidates {', '.join(case.candidates)}.",
            ja=f"{shown(name)} は候補（{'、'.join(case.candidates)}）にありません。",
        )
    return name, _ends(parts[1:])


def _judge_names(names, cases):
    """Wrong unless each name is the cheapest of its case; a rule that explains all names is recognised."""
    if names == [case.ranking()[0] for case in cases]:
        return
    for rule, en, ja in CHOICES:
        if names == [rule(case) for case in cases]:
            raise Wrong(en, ja=ja)
    name, case = next((name, case) for name, case in zip(names, cases, strict=True) if name != case.ranking()[0])
    cost = case.cost(name).mean()
    raise Wrong(
        f"Of {', '.join(case.candidates)}, with {case.share:.0%} of the messages in Japanese, you choose {name}: "
        f"{cost:.2f} tokens per message of test. Another one needs fewer. Hint: weight the two means by the shares.",
        ja=f"候補 {'、'.join(case.candidates)}、日本語の割合 {case.share:.0%} で {name} を選んでいます。"
        f"testの1文あたり{cost:.2f}トークンですが、もっと少ない候補があります。"
        "ヒント：2つの平均を割合で重み付けしましょう。",
    )


def _premium_of(case, name):
    return _premium(case.tokens(name))[0]


CHOICES = (
    (
        lambda case: min(case.candidates, key=lambda name: _premium_of(case, name)),
        "You rank by the premium. A list that is bad at English has a low one, and still costs more. Hint: count "
        "tokens per message of the workload.",
        "割増率で順位を付けています。英語が苦手な語彙は割増率が低くなりますが、それでも費用は高くつきます。"
        "ヒント：想定する利用での1文あたりのトークン数を数えましょう。",
    ),
    (
        lambda case: case.ranking(part=0)[0],
        "You measured on learn, which some candidates have seen: whoever learned it by heart wins there. Hint: "
        "measure on text that no candidate has seen.",
        "一部の候補が学習に使ったlearnで測っています。そこでは丸暗記した候補が勝ちます。"
        "ヒント：どの候補も見ていない文章で測りましょう。",
    ),
    (
        lambda case: case.ranking(share=0.5)[0],
        "You give both languages the same weight. Hint: share is the part of the messages that are Japanese.",
        "両方の言語を同じ重みにしています。ヒント：shareは、日本語のメッセージの割合です。",
    ),
    (
        lambda case: case.ranking(share=1 - case.share)[0],
        "You turned the share round. Hint: share is the part of the messages that are Japanese.",
        "割合が逆です。ヒント：shareは、日本語のメッセージの割合です。",
    ),
    (
        lambda case: case.ranking()[-1],
        "You chose the one with the most tokens per message. Hint: fewer is cheaper.",
        "1文あたりのトークンが最も多い候補を選んでいます。ヒント：少ないほど安くなります。",
    ),
)


def _judge_saving(ends, case):
    """Wrong unless (low, high) is the interval of what the best saves against the second best."""
    first, second, *others = case.ranking()
    best, next_best = case.cost(first), case.cost(second)
    saved, n = next_best - best, len(best)
    ratios = [_premium(case.tokens(name)) for name in (second, first)]
    worst = case.cost(others[-1]) if others else next_best
    learned = case.cost(second, part=0) - case.cost(first, part=0)
    _judge_interval(
        ends,
        (saved.mean(), _error(saved)),
        [
            (
                (saved.mean(), math.hypot(_error(best), _error(next_best))),
                "Too wide: as wide as if each candidate had messages drawn of its own. Hint: measure both candidates "
                "on the same draw.",
                "区間が広すぎます。候補ごとに別々のメッセージを引いたときの広さです。"
                "ヒント：2つの候補を同じ標本で測りましょう。",
            ),
            (
                (best.mean(), _error(best)),
                "That is the interval of what the best one needs. Hint: is it better than the next one? That asks "
                "for the interval of the difference.",
                "それは最良の候補のトークン数の区間です。ヒント：知りたいのは次点より良いかどうかなので、"
                "差の区間を求めます。",
            ),
            (
                (learned.mean(), _error(learned)),
                "Your interval is that of learn, which some candidates have seen. Hint: measure on test.",
                "一部の候補が学習に使ったlearnでの区間です。ヒント：testで測りましょう。",
            ),
            (
                (saved.sum(), _error(saved) * n),
                "That is what all messages together save. Hint: the workload is priced per message: divide by their "
                "number.",
                "それは全メッセージを合わせた節約です。ヒント：1文あたりにするため、メッセージの数で割りましょう。",
            ),
            (
                ((worst - best).mean(), _error(worst - best)),
                "You compare the best with the worst. Hint: the close race is that with the second best.",
                "最良と最悪を比べています。ヒント：競り合っているのは2番目の候補です。",
            ),
            (
                (ratios[0][0] - ratios[1][0], _error(ratios[0][1] - ratios[1][1])),
                "That is the interval of a difference of premiums. Hint: the difference of tokens per message is "
                "wanted.",
                "それは割増率の差の区間です。ヒント：求めるのは、1文あたりのトークン数の差です。",
            ),
            *(
                (
                    (wrong.mean(), _error(wrong)),
                    "Your saving doesn't weight the languages by the workload. Hint: (1 - share) of the messages are "
                    "English, share of them Japanese.",
                    "節約の計算で、言語が利用の割合どおりに重み付けされていません。"
                    "ヒント：メッセージの (1 - share) が英語、shareが日本語です。",
                )
                for wrong in (case.cost(second, share=s) - case.cost(first, share=s) for s in (0.5, 1 - case.share))
            ),
        ],
    )


# --- recognising numbers --------------------------------------------------------------------------------


def _recognise(value, mistakes):
    """Wrong where a number is one that a known mistake gives: (number, English, Japanese)."""
    for wrong, en, ja in mistakes:
        if abs(value - wrong) <= 0.005 * max(1, abs(wrong)):
            raise Wrong(en, ja=ja)


def _no_percents(value, right):
    if abs(value - 100 * right) <= 1:
        raise Wrong(
            "That looks like percent. Hint: write the ratio itself; 1 means as many tokens as English.",
            ja="パーセントになっているようです。ヒント：比の値そのものを書きましょう。"
            "1は英語と同数のトークンという意味です。",
        )
    if min(abs(value - right + 1), abs(value - 100 * (right - 1)) / 100) <= 0.007:
        raise Wrong(
            "That is how much there is on top. Hint: write the ratio itself; 1 means as many tokens as English.",
            ja="それは上乗せ分です。ヒント：比の値そのものを書きましょう。1は英語と同数のトークンという意味です。",
        )
