"""The checks of chapter 07: vocabulary size against sequence length."""

import unicodedata

import numpy as np

from bpelab import training
from bpelab.exercises.checking import (
    Right,
    Wrong,
    call,
    exercise,
    function,
    items,
    number,
    real,
    shown_call,
    texts,
    whole_number,
    whole_numbers,
)
from bpelab.sweep import Least, least, overlap, sweep

#: Of "newest lower" after 0, 1, 2, ... merges, and how the training corpus starts to shrink.
LENGTHS, CORPUS_LENGTHS = [12, 11, 10, 9, 8, *[7] * 7], [30, 25, 20]
MERGES = len(LENGTHS) - 1
MOST_CHARACTERS, VOCAB_SIZE, LARGEST_SHAPE = 5_000_000, 16_384, 1 << 24


@exercise("07.1", level=1, minutes=5, ja="マージを0個、1個、2個、…使ったあとの文章の長さを予想する。")
def curve_of_a_text(answer):
    """Predict the length of a text after 0, 1, 2, ... merges."""
    lengths = whole_numbers(answer)
    if lengths[:3] == CORPUS_LENGTHS:
        raise Wrong(
            'So the training corpus gets shorter. Hint: asked is the text "newest lower"; how many characters has it?',
            ja="それは学習コーパスの長さです。ヒント：問いは文章「newest lower」です。何文字ありますか。",
        )
    if len(lengths) != MERGES + 1:
        raise Wrong(
            f"From 0 to {MERGES} merges there are {MERGES + 1} lengths; here are {len(lengths)}. "
            "Hint: the first is that of the text in single characters.",
            ja=f"マージ0個から{MERGES}個まで、長さは{MERGES + 1}個あります（今は{len(lengths)}個です）。"
            "ヒント：最初は1文字ずつに分けた長さです。",
        )
    if lengths == LENGTHS:
        return
    at = next(k for k in range(MERGES + 1) if lengths[k] != LENGTHS[k])
    if at == 0:
        raise Wrong(
            "Before any merge the text isn't so long. Hint: the blank is a character, too.",
            ja="マージの前の長さが違います。ヒント：空白も1文字です。",
        )
    if at > 5 and lengths[at] < lengths[at - 1]:
        raise Wrong(
            f"Your curve still falls at merge {at}. Does that merge occur in this text? Hint: these merges spell "
            "␣newest, with its blank; what stands before newest here?",
            ja=f"{at}番目のマージでも短くなっていますが、そのマージはこの文章で使われますか。"
            "ヒント：このあたりのマージは、空白の付いた␣newestを綴ります。ここではnewestの前に何がありますか。",
        )
    raise Wrong(
        f"The length after merge {at} is another. Hint: the text gets shorter by one for each place where the merge "
        "is applied; look for its pair in newest and in ␣lower.",
        ja=f"{at}番目のマージのあとの長さが違います。ヒント：マージが使われた場所の数だけ短くなります。"
        "newestと␣lowerの中に、そのペアを探しましょう。",
    )


# --- a doubling ---------------------------------------------------------------------------------------

SMALL, LARGE, BEFORE, AFTER = 4096, 8192, 88_529, 75_989
SAVED = BEFORE - AFTER
PERCENT, EACH = 100 * SAVED / BEFORE, 100 * SAVED / (LARGE - SMALL)


def near(value, wanted, within=0.004):
    """Whether a number is another one, rounded."""
    return abs(value - wanted) <= within * wanted


def percent_hint(percent):
    """What is wrong with the first number, in English and in Japanese."""
    if near(percent, 100 * SAVED / AFTER):
        return (
            "In percent of the shorter text. Hint: the saving is a share of what there was before the doubling.",
            "短くなったあとの長さに対する割合です。ヒント：節約は、倍にする前の長さに対する割合で表します。",
        )
    if near(percent, PERCENT / 100, 0.012):
        return (
            "The first number is a share of 1. Hint: in percent, please.",
            "最初の数は1に対する割合です。ヒント：パーセントで答えてください。",
        )
    if near(percent, 100 - PERCENT):
        return (
            "So much is left. Hint: asked is what is saved.",
            "それは残った割合です。ヒント：問いは節約した割合です。",
        )
    return (
        f"It isn't {percent:g} percent. Hint: tokens saved, divided by the tokens before.",
        f"{percent:g}パーセントではありません。ヒント：節約したトークン数を、前のトークン数で割ります。",
    )


def each_hint(each):
    """What is wrong with the second number, in English and in Japanese."""
    if near(each, 100 * SAVED / LARGE):
        return (
            "You divided by all the entries. Hint: how many are new in this doubling?",
            "語彙全体の数で割っています。ヒント：この倍増で新しく加わったのはいくつですか。",
        )
    if near(each, EACH / 100):
        return (
            "The second number is for one new entry. Hint: asked is for a hundred.",
            "2つ目の数は新しい項目1つあたりです。ヒント：問いは100個あたりです。",
        )
    return (
        f"A hundred new entries don't save {each:g} tokens. Hint: tokens saved, divided by the number of new entries, "
        "times 100.",
        f"新しい100個で節約できるのは{each:g}トークンではありません。"
        "ヒント：節約したトークン数を新しい項目の数で割り、100を掛けます。",
    )


@exercise("07.2", level=1, minutes=4, ja="語彙を倍にしたときの節約を、割合と新しい100項目あたりの数で答える。")
def worth_of_a_doubling(answer):
    """Say what a doubling saves, in percent and for 100 new entries."""
    given = items(
        answer, en="a pair (percent, tokens for 100 entries)", ja="（パーセント, 100個あたりのトークン数）の組"
    )
    if len(given) != 2:
        raise Wrong(
            f"Two numbers are asked for, percent and tokens for 100 entries; here are {len(given)}.",
            ja=f"パーセントと、100個あたりのトークン数の2つを答えてください（今は{len(given)}個です）。",
        )
    percent, each = map(real, given)
    if percent < 0 or each < 0:
        raise Wrong(
            "Asked is what is saved: a positive number where the text gets shorter.",
            ja="問いは節約した量です。短くなったなら正の数で答えてください。",
        )
    if not near(percent, PERCENT, 0.012):
        en, ja = percent_hint(percent)
        raise Wrong(en, ja=ja)
    if not near(each, EACH):
        en, ja = each_hint(each)
        raise Wrong(en, ja=ja)


# --- near twins ---------------------------------------------------------------------------------------


def plain(line, steps="ncs"):
    """A line in NFKC (n), without case (c) and without a final stop (s)."""
    line = unicodedata.normalize("NFKC", line) if "n" in steps else line
    line = line.casefold() if "c" in steps else line
    return line.removesuffix(".").removesuffix("。") if "s" in steps else line


def share(old, new, steps="ncs"):
    """The share of the new lines that have a twin among the old."""
    seen = {plain(line, steps) for line in old}
    return sum(plain(line, steps) in seen for line in new) / len(new)


def distinct(lines):
    """One line of each group of twins."""
    return list({plain(line): line for line in lines}.values())


def inside(old, new):
    """The same, with the mistake of taking a part of a line for its twin."""
    seen = [plain(line) for line in old]
    return sum(any(plain(line) in other for other in seen) for line in new) / len(new)


#: (old lines, new lines): planted twins, and lines that only look like them.
TWINS = (
    (["A cat sleeps."], ["A cat sleeps.", "A dog sleeps."]),
    (["A cat sleeps."], ["a CAT sleeps.", "A dog."]),
    (["猫が寝ます。", "犬"], ["猫が寝ます", "犬。", "犬が", "猫"]),
    (["ＡＢＣ１２３", "ﾈｺが寝る。"], ["ABC123", "ネコが寝る｡", "ネコ"]),
    (["A cat sleeps on the mat.", "猫が東京で寝ます。"], ["A cat", "寝ます。", "cat sleeps on", "mat."]),
    (["It weighs 1.5 kg.", "U.S. law"], ["it weighs 15 kg", "US law", "It weighs 1.5 KG"]),
    (["a b", "ab c"], ["ab", "a bc", "A B."]),
    (["x", "y", "z", "w"], ["X.", "X.", "q"]),
    (["Wait...", "待って。。"], ["Wait", "待って", "wait..", "wait..."]),
)
#: What a function measures that makes one of the mistakes, and what to say of it.
NEARLY = (
    (
        lambda old, new: share(old, new, "cs"),
        "Twins of other width aren't found: ＡＢＣ and ABC. Hint: which Unicode form makes them one?",
        "全角と半角だけが違う行（ＡＢＣとABC）を見逃しています。ヒント：どのUnicode正規形なら同じになりますか。",
    ),
    (
        lambda old, new: share(old, new, "ns"),
        "Twins that differ in case aren't found: CAT and cat. Hint: str.casefold.",
        "大文字と小文字だけが違う行（CATとcat）を見逃しています。ヒント：str.casefold",
    ),
    (
        lambda old, new: share([line.rstrip(".。") for line in old], [line.rstrip(".。") for line in new]),
        'You take all stops away at the end, so that "Wait..." is "Wait". Hint: one stop; str.removesuffix.',
        "最後の句点をすべて取り除いているので、「Wait...」と「Wait」が同じになります。ヒント：取り除くのは一つだけです"
        "（str.removesuffix）。",
    ),
    (
        lambda old, new: share(old, new, "nc"),
        "Twins that differ in their final stop aren't found. Hint: there are two stops, . and 。",
        "末尾の句点だけが違う行を見逃しています。ヒント：句点は「.」と「。」の2つです。",
    ),
    (
        lambda old, new: share(old, new, ""),
        "Only equal lines are found; `bpelab.overlap` does that. Hint: make the lines alike before you compare.",
        "等しい行しか見つけていません。それは`bpelab.overlap`と同じです。ヒント：比べる前に行の形をそろえましょう。",
    ),
    (
        inside,
        'You take a line for a twin when it stands inside another: "A cat" in "A cat sleeps on the mat." '
        "Hint: twins are whole lines.",
        "別の行の一部である行（「A cat sleeps on the mat.」の中の「A cat」）まで数えています。"
        "ヒント：比べるのは行全体です。",
    ),
    (
        lambda old, new: share(old, new) * len(new),
        "That is the number of twins. Hint: asked is their share of the new lines.",
        "それは見つけた行の数です。ヒント：問いは、新しい行のうちの割合です。",
    ),
    (
        lambda old, new: share(old, new) * 100,
        "That is in percent. Hint: `overlap` gives a share of 1, and so should this.",
        "パーセントになっています。ヒント：`overlap`と同じく、1に対する割合で答えてください。",
    ),
    (
        lambda old, new: share(old, distinct(new)),
        "You count a line once that stands twice. Hint: overlap's share is one of all lines; don't make a set of new.",
        "二度現れる行を一度しか数えていません。ヒント：すべての行のうちの割合です。newを集合にしないでください。",
    ),
    (
        lambda old, new: share(old, distinct(new)) * len(distinct(new)) / len(new),
        "You count a twin once that stands twice. Hint: each line of new counts; don't make a set of new.",
        "見つけた行が二度現れても、一度しか数えていません。ヒント：newのどの行も1つと数えます。newを集合にしないでください。",
    ),
    (
        lambda old, new: 1 - share(old, new),
        "That is the share without a twin. Hint: asked is the share with one.",
        "それは`old`にない行の割合です。ヒント：問いは`old`にある行の割合です。",
    ),
)


@exercise(
    "07.3", level=2, minutes=10, ja="全角と半角、大文字と小文字、末尾の句点のほかは学習した行と同じ行を見つける。"
)
def near_twins(answer):
    """Find test lines that were trained on, but for width, case and a final stop."""
    near_overlap = function(answer)
    given = [real(call(near_overlap, *case), shown_call(near_overlap, case)) for case in TWINS]

    def equals(measure):
        return np.allclose(given, [measure(*case) for case in TWINS], rtol=0, atol=1e-6)

    if equals(share):
        return
    for measure, en, ja in NEARLY:
        if equals(measure):
            raise Wrong(en, ja=ja)
    for (old, new), got in zip(TWINS, given, strict=True):
        if abs(got - share(old, new)) > 1e-6:
            raise Wrong(
                f"For old={old} and new={new} yours gives {got:.3g}; it should be {share(old, new):.3g}. "
                "Hint: NFKC, then case, then one stop at the end; and only whole lines.",
                ja=f"old={old}、new={new} では {got:.3g} が返りますが、正しくは {share(old, new):.3g} です。"
                "ヒント：NFKC、大文字と小文字、末尾の句点1つの順にそろえます。比べるのは行全体です。",
            )


# --- the cost of reading ------------------------------------------------------------------------------


def cost(n, size, layers, width, scores=None, body=12, output=True):
    """Multiply-adds for documents of n tokens (an array), as the chapter's table has them, or with a mistake."""
    scores = layers * width * (n * (n + 1)).sum() if scores is None else scores
    return scores + body * layers * width**2 * n.sum() + (width * size * n.sum() if output else 0)


EVERY_TOKEN = (
    "You let each token look at all the tokens of its document. Hint: it looks at itself and at those before it.",
    "どのトークンも文書全体を見ることになっています。ヒント：見るのは自分と、それより前のトークンだけです。",
)
ONE_DOCUMENT = (
    "You squared the sum of all documents, as if they were one. Hint: no token looks into another document.",
    "全文書の合計を2乗していて、1つの文書のように扱っています。ヒント：どのトークンも、ほかの文書は見ません。",
)
#: Mistakes that are known by what they give: (the cost as they have it, words, words in Japanese).
MISTAKES = (
    (lambda n, size, layers, width: cost(n, size, layers, width, 2 * layers * width * (n**2).sum()), *EVERY_TOKEN),
    (
        lambda n, size, layers, width: cost(n, size, layers, width, layers * width * (n**2).sum()),
        "A token looks at itself, too. Hint: 1 + 2 + … + n isn't n²/2.",
        "トークンは自分自身も見ます。ヒント：1 + 2 + … + n は n²/2 ではありません。",
    ),
    (
        lambda n, size, layers, width: cost(n, size, layers, width, layers * width * n.sum() * (n.sum() + 1)),
        *ONE_DOCUMENT,
    ),
    (lambda n, size, layers, width: cost(n, size, layers, width, 2 * layers * width * n.sum() ** 2), *ONE_DOCUMENT),
    (lambda n, size, layers, width: cost(n, size, layers, width, layers * width * n.sum() ** 2), *ONE_DOCUMENT),
    (
        lambda n, size, layers, width: cost(n, size, layers, width, output=False),
        "The output layer is missing. Without it a larger vocabulary would never cost anything. Hint: the last row.",
        "出力層がありません。それがないと、語彙をいくら増やしても費用が増えません。ヒント：表の最後の行です。",
    ),
    (
        lambda n, size, layers, width: cost(n, size, layers, width, 0),
        "Attention is missing. Hint: the first row of the table.",
        "アテンションがありません。ヒント：表の最初の行です。",
    ),
    (
        lambda n, size, layers, width: cost(n, size, layers, width, body=0),
        "The layers are missing. Hint: the middle row of the table.",
        "層の計算がありません。ヒント：表の中央の行です。",
    ),
    (
        lambda n, size, layers, width: cost(n, size, layers, width) + width * size,
        "The embedding table is memory; looking up a row multiplies nothing. Hint: three parts, as in the table.",
        "埋め込み表はメモリであり、行を引くだけでは掛け算をしません。ヒント：表のとおり3つの部分です。",
    ),
    (
        lambda n, size, layers, width: 2 * cost(n, size, layers, width),
        "These are operations, two for each multiply-add. Hint: the table counts multiply-adds.",
        "それは演算の数で、積和演算1回を2つと数えています。ヒント：表にあるのは積和演算の数です。",
    ),
    (
        lambda n, size, layers, width: cost(n, 0, layers, width) + width * size,
        "The output layer is computed for each token, not once. Hint: times n.",
        "出力層は一度だけでなく、トークンごとに計算します。ヒント：n倍です。",
    ),
)
INPUTS = (
    ([3], 10, 1, 2),
    ([3, 1], 10, 1, 2),
    ([5, 2, 4], 300, 2, 8),
    ([], 300, 2, 8),
    ([1200, 800, 1900], 8192, 12, 768),
)


def judge_least(size):
    """Where the shipped English at 12 layers of 768 is cheapest, as the reader has it."""
    if size == 8923:
        raise Wrong(EVERY_TOKEN[0], ja=EVERY_TOKEN[1])
    if size == 21_531:
        raise Wrong(ONE_DOCUMENT[0], ja=ONE_DOCUMENT[1])
    if size != 8302:
        raise Wrong(
            "The sum isn't least at that size. Hint: write the function `reading_cost` and hand that over first.",
            ja="そのサイズでは費用は最小になりません。ヒント：まず関数`reading_cost`を書いて、それを渡してください。",
        )


@exercise("07.4", level=2, minutes=8, ja="与えられた長さの文書を読むときの、モデルの計算量を求める。")
def cost_of_reading(answer):
    """Write what a model computes to read documents of given lengths."""
    if not callable(answer):
        return judge_least(number(answer, en="a function, or the least size", ja="関数か、最小になる語彙サイズ"))
    reading_cost = function(answer)
    given = [real(call(reading_cost, *case), shown_call(reading_cost, case)) for case in INPUTS]

    def found(formula):
        return [float(formula(np.array(lengths, float), *rest)) for lengths, *rest in INPUTS]

    def equals(formula):
        return np.allclose(given, found(formula), rtol=1e-9, atol=0)

    if equals(cost):
        return Right(
            "right. With it the shipped English at 12 layers of 768 is cheapest at 8,302 tokens of vocabulary; if "
            "every token looked at its whole document, at 8,923",
            ja="正解です。これで計算すると、同梱の英語の費用は、12層・幅768のとき語彙サイズ8,302で最小になります。"
            "各トークンが文書全体を見るなら8,923です。",
        )
    for formula, en, ja in MISTAKES:
        if equals(formula):
            raise Wrong(en, ja=ja)
    for case, got, wanted in zip(INPUTS, given, found(cost), strict=True):
        if not np.isclose(got, wanted, rtol=1e-9, atol=0):
            raise Wrong(
                f"For the call reading_cost{case} yours gives {got:,.0f}; it should be {wanted:,.0f}. "
                "Hint: compute the three rows of the table one by one, document by document.",
                ja=f"reading_cost{case} では {got:,.0f} が返りますが、正しくは {wanted:,.0f} です。"
                "ヒント：表の3つの行を、文書ごとに1つずつ計算しましょう。",
            )


# --- your own text ------------------------------------------------------------------------------------


def own_case(answer):
    """(training, held out, (layers, width), (low, high)) as the reader hands them over."""
    given = items(answer, en="training, held-out text, shape and range", ja="学習用、評価用、形、範囲の組")
    if len(given) != 4:
        raise Wrong(
            f"Hand over four things: training, held out, (layers, width) and (low, high); here are {len(given)}.",
            ja=f"学習用、評価用、(layers, width)、(low, high) の4つを渡してください（今は{len(given)}個です）。",
        )
    learned, held_out = (texts([part] if isinstance(part, str) else part) for part in given[:2])
    if not ("".join(learned) and "".join(held_out)):
        raise Wrong(
            "There must be text to train on, and other text to measure on.",
            ja="学習用テキストと、それとは別の評価用テキストが必要です。",
        )
    if sum(map(len, learned + held_out)) > MOST_CHARACTERS:
        raise Wrong(
            f"At most {MOST_CHARACTERS:,} characters in all, so that this stays quick. Hint: take the first documents.",
            ja=f"全部で{MOST_CHARACTERS:,}文字までにしてください。ヒント：最初の文書だけを使いましょう。",
        )
    shape = whole_numbers(given[2])
    if len(shape) != 2 or not all(0 < side <= LARGEST_SHAPE for side in shape):
        raise Wrong(
            "The shape must be (layers, width), two positive numbers.",
            ja="形は(layers, width)、2つの正の数で書いてください。",
        )
    return learned, held_out, shape, own_range(given[3])


def own_range(given):
    """(low, high or None), from a pair or from what `least` gives."""
    ends = items(given[1:3] if isinstance(given, Least) else given, en="a range (low, high)", ja="範囲（low, high）")
    if len(ends) != 2:
        raise Wrong(
            "The range must be (low, high); high is None where it touches the end.",
            ja="範囲は(low, high)で書いてください。終わりまで続くなら、highはNoneです。",
        )
    low, high = ends
    return whole_number(low), None if high is None else whole_number(high)


def agrees(true, low, high):
    """Whether a range is that of a `Least`, but for rounding."""
    if high is None or true.high is None:
        return high is true.high and near(low, true.low, 0.02)
    return near(low, true.low, 0.02) and near(high, true.high, 0.02)


@exercise("07.5", level=2, minutes=15, ja="手元の文章で、費用が最小値とほとんど変わらない語彙サイズの範囲を求める。")
def range_of_sizes(answer):
    """Give the sizes that cost hardly more than the least, on your own text."""
    learned, held_out, (layers, width), (low, high) = own_case(answer)
    known = overlap(learned, held_out)
    if known > 0.5:
        raise Wrong(
            f"{known:.0%} of what you measure on was trained on: this shows memory. Hint: hold some text out, "
            'split="test".',
            ja=f"評価用テキストの{known:.0%}は学習に使ったものです。これでは記憶を測ることになります。"
            'ヒント：split="test"のように、一部を学習から外しましょう。',
        )
    tok = training.train(learned, vocab_size=VOCAB_SIZE, base="byte", chunking="gpt2")
    frame = sweep(tok, held_out, layers=layers, width=width)
    true, last = least(frame), int(frame["vocab_size"].iloc[-1])
    if agrees(true, low, high):
        end, ja = (f"{true.high:,}", f"{true.high:,}") if high else (f"the end at {last:,}", f"終わりの{last:,}")
        return Right(
            f"right. From {true.low:,} to {end} the cost is within 2% of the least",
            ja=f"正解です。{true.low:,}から{ja}まで、費用は最小値の2%以内です。",
        )
    if true.high is None and high is not None and 0.98 * last <= high <= 1.02 * last:
        raise Wrong(
            f"Your range stops at {high:,} only because the list does: the cost there is still within 2%. "
            "Hint: say so, with None for high.",
            ja=f"範囲が{high:,}で終わるのは、リストがそこで終わるからにすぎません。費用はまだ2%以内です。"
            "ヒント：highをNoneにして、そう示しましょう。",
        )
    if true.low <= low and high is not None and low <= high <= (true.high or last):
        raise Wrong(
            "All these sizes are within 2% of the least, but there are more. Hint: go on at both ends, until the cost "
            "is more than 2% above the least.",
            ja="これらのサイズはどれも最小値の2%以内ですが、ほかにもあります。"
            "ヒント：費用が最小値より2%を超えて高くなるところまで、両側に広げましょう。",
        )
    if agrees(least(sweep(tok, learned, layers=layers, width=width)), low, high):
        raise Wrong(
            "That is the range on the training text. Hint: measure on the held-out documents.",
            ja="それは学習用テキストでの範囲です。ヒント：評価用の文書で測りましょう。",
        )
    if agrees(least(sweep(tok, held_out, layers=width, width=layers)), low, high):
        raise Wrong(
            "That is the range with layers and width the other way round. Hint: (layers, width).",
            ja="それは層の数と幅を取り違えた範囲です。ヒント：(layers, width)の順です。",
        )
    if high is None and true.high is not None:
        raise Wrong(
            f"None says that the range touches the end, at {last:,}; there the cost is more than 2% above the least. "
            "Hint: `least(frame).high`.",
            ja=f"Noneは範囲が終わり（{last:,}）まで続くという意味ですが、そこの費用は最小値より2%を超えて高くなっています。"
            "ヒント：`least(frame).high`",
        )
    raise Wrong(
        f"On these documents, with the shape ({layers}, {width}), the range is another. Hint: train to {VOCAB_SIZE:,} "
        'with base="byte" and chunking="gpt2", sweep the held-out documents with this shape, and ask `least`.',
        ja=f"この文書と形({layers}, {width})では、範囲はそうなりません。"
        f'ヒント：base="byte"、chunking="gpt2"で{VOCAB_SIZE:,}まで学習し、'
        "評価用の文書をこの形でスイープして、`least`で範囲を求めましょう。",
    )
