"""The checks of chapter 02: what training counts, how long the text gets, and the reader's own trainer."""

from functools import cache
from itertools import accumulate
from random import Random

from bpelab import reference
from bpelab.exercises.checking import (
    Right,
    Wrong,
    call,
    exercise,
    function,
    items,
    mapping,
    shown,
    shown_call,
    text,
    whole_number,
    whole_numbers,
)

# --- 02.1 -----------------------------------------------------------------------------------------------

TRIPLES = {"en": "a list of (left, right, count)", "ja": "(左, 右, 回数) のリスト"}
TWO_MERGES = [("ug", 20), ("un", 16)]


@exercise("02.1", level=1, minutes=4, ja="5つの単語から、最初の2つのマージと回数を手で求める。")
def two_merges(answer):
    """Find the first two merges of five words by hand, with their counts."""
    found = [((left + right).replace(" ", ""), count) for left, right, count in map(counted_pair, rows_of(answer))]
    if len(found) != 2:
        raise Wrong(
            f"Two merges are asked for; yours are {len(found)}. Hint: a list of two, each (left, right, count).",
            ja=f"マージは2つ答えてください（今は{len(found)}個）。ヒント：(左, 右, 回数) を2つ並べたリストです。",
        )
    (first, n), (second, m) = found
    if n == 3:
        raise Wrong(
            "You counted each word once. Hint: a pair counts as often as its word occurs; hug alone brings 10.",
            ja="各単語を1回ずつ数えています。ヒント：ペアは単語の頻度だけ数えます。hugだけで10回です。",
        )
    if first != "ug":
        raise Wrong(
            f"{shown(first)} isn't the most frequent pair. Hint: a pair can stand in several words; add up the "
            "frequencies of all of them.",
            ja=f"{shown(first)} は最も多いペアではありません。ヒント：同じペアが複数の単語に現れます。"
            "その頻度をすべて足してください。",
        )
    if second == "hug":
        raise Wrong(
            "h+ug isn't the second merge, though it builds on the first. Hint: count all pairs again, also those in "
            "words that the first merge left alone.",
            ja="h+ug は最初のマージの続きですが、2番目ではありません。ヒント：最初のマージで変わらなかった単語も"
            "含めて、すべてのペアを数え直してください。",
        )
    if second == "pu":
        raise Wrong(
            "p+u is the runner-up of the first count, and that count is out of date. Hint: after the first merge, "
            "which words still hold p and u side by side?",
            ja="p+u は最初の集計での2位ですが、その集計はもう古くなっています。ヒント：最初のマージのあと、pとuが"
            "隣り合う単語はどれですか。",
        )
    if found != TWO_MERGES:
        wrong = shown(second) if second != "un" else f"the count {n if n != 20 else m}"
        ja = shown(second) if second != "un" else f"回数 {n if n != 20 else m}"
        raise Wrong(
            f"Look at {wrong} again. Hint: write out the five words after the first merge, then add up the "
            "frequencies for each pair.",
            ja=f"{ja} を見直してください。ヒント：最初のマージのあとの5つの単語を書き出し、ペアごとに頻度を足します。",
        )


def rows_of(answer, of=None):
    """The merges of an answer: a list of them, or a dict from pair to count."""
    if isinstance(answer, dict):
        return [(*([pair] if isinstance(pair, str) else items(pair)), count) for pair, count in answer.items()]
    return items(answer, of, **TRIPLES)


def counted_pair(row):
    """(left, right, count) of a merge written so, or ((left, right), count), ("left+right", count)."""
    *pair, count = items(row, **TRIPLES) or [None]
    if len(pair) == 1 and not isinstance(count, str):
        pair = pair[0].split("+") if isinstance(pair[0], str) else items(pair[0])
        pair = ["", *pair] if len(pair) == 1 else pair
    if len(pair) != 2:
        raise Wrong(
            f"A merge is written (left, right, count), but yours is {shown(row)}.",
            ja=f"マージは (左, 右, 回数) の形で書いてください（今は {shown(row)}）。",
        )
    left, right = (text(token.decode("utf-8", "replace") if isinstance(token, bytes) else token) for token in pair)
    return left.replace("␣", " "), right.replace("␣", " "), whole_number(count)


# --- 02.2 -----------------------------------------------------------------------------------------------

LENGTHS = [12, 10, 7, 5]


@exercise("02.2", level=1, minutes=4, ja="aaa を含むテキストの長さを、マージごとに予想する。")
def lengths_with_a_run(answer):
    """Predict the length of a text with aaa in it, merge by merge."""
    lengths = whole_numbers(answer)
    if lengths in (LENGTHS, LENGTHS[1:]):
        return
    if lengths[-3:] == [8, 5, 3]:
        raise Wrong(
            "You took the count off each time. Hint: write aaa down after the merge of a+a; how many tokens are gone?",
            ja="毎回、回数をそのまま引いています。ヒント：a+a をマージした後の aaa を書いてみてください。"
            "トークンはいくつ減りましたか。",
        )
    if lengths[-3:] == [9, 7, 5]:
        raise Wrong(
            "You began with b+c, as if overlapping places counted once. Hint: the usual count, `count_pairs`, finds "
            "a+a twice in aaa.",
            ja="重なる場所を1回と数えて、b+c から始めています。ヒント：ふつうの数え方（count_pairs）では、aaa の中に "
            "a+a は2回あります。",
        )
    if lengths and lengths[0] == 5:
        raise Wrong(
            "You counted each chunk once. Hint: aaa stands there twice and bc three times.",
            ja="各チャンクを1回ずつ数えています。ヒント：aaa は2回、bc は3回あります。",
        )
    raise_first_difference(lengths)


def raise_first_difference(lengths):
    """Wrong, saying how many of the lengths are right."""
    good = next((i for i, (a, b) in enumerate(zip(lengths, LENGTHS, strict=False)) if a != b), len(lengths))
    if good == len(lengths) and good < len(LENGTHS):
        raise Wrong(
            f"{good} lengths, and training isn't over. Hint: a pair is left; go on until every chunk is one token.",
            ja=f"長さが{good}個ですが、まだ終わりではありません。ヒント：ペアが残っています。どのチャンクも"
            "1トークンになるまで続けます。",
        )
    if good >= len(LENGTHS):
        raise Wrong(
            "These are too many lengths. Hint: when every chunk is one token, no pair is left.",
            ja="長さの数が多すぎます。ヒント：どのチャンクも1トークンになれば、ペアは残りません。",
        )
    if good == 0:
        raise Wrong(
            f"The text doesn't begin with {lengths[0]} tokens. Hint: before any merge each character is a token, and "
            "each chunk counts with its frequency.",
            ja=f"最初のトークン数は{lengths[0]}ではありません。ヒント：マージの前は1文字が1トークンで、"
            "チャンクは頻度の分だけ数えます。",
        )
    raise Wrong(
        f"Right up to {lengths[good - 1]}; {lengths[good]} can't follow. Hint: write the chunks down after each merge.",
        ja=f"{lengths[good - 1]}までは合っています。次は{lengths[good]}ではありません。ヒント：マージのたびにチャンクを"
        "書き出してください。",
    )


# --- 02.3 -----------------------------------------------------------------------------------------------

#: The paragraph of the chapter, and words with characters that mean something to a regular expression.
PARAGRAPH = """
neural networks learn useful representations from raw data through repeated training a tokenizer converts text into
sequence of tokens before it is fed network byte pair encoding one the most common tokenization algorithms used in
modern based language models requires large amount and resulting vocabulary reflects statistical structure that
"""
ODD_WORDS = ["a.b", "c++", "papaya", "banana"]


@exercise("02.3", level=2, minutes=8, ja="str.replace によるマージを1行で直す。")
def merging_in_text(answer):
    """Repair the merge by str.replace in one line."""
    repaired = function(answer)
    for given, pair, wanted in places():
        got = call(repaired, given, pair)
        if not isinstance(got, str) or got != wanted:
            raise_merged_wrongly(given, pair, got, wanted)
    try:
        careful = call(repaired, "a \\ 1 b", ("\\", "1")) == "a \\1 b"
    except Wrong:
        careful = False
    if not careful:
        return Right(
            r"right, for all these words. One trap is left: a token with a backslash, such as `\`, which `re.sub` "
            "reads as a command in the replacement. A function in its place (`lambda _: …`) is never read so",
            ja=r"これらの単語ではすべて正解です。罠が1つ残っています。`\` を含むトークンは、re.sub の置換文字列では"
            "命令として読まれます。文字列の代わりに関数（`lambda _: …`）を渡せば、そう読まれることはありません",
        )


@cache
def places():
    """(text, pair, the text merged), shortest first: words that hold a pair's characters, as its tokens or not.

    Pairs with a . or + are also tried on every word as characters.
    """
    letters = [([*word, "</w>"], 1) for word in dict.fromkeys(PARAGRAPH.split() + ODD_WORDS)]
    found, words = set(), letters
    for pair, _, after in reference.learn_merges(letters, tie="first"):
        odd = "." in "".join(pair) or "+" in "".join(pair)
        tried = words + letters if odd else [row for row in words if "".join(pair) in "".join(row[0])]
        found |= {(" ".join(old), pair, " ".join(reference.apply_merge(old, pair))) for old, _ in tried}
        words = after
    return sorted(found, key=lambda place: (len(place[0]), place))


def raise_merged_wrongly(given, pair, got, wanted):
    """Wrong, saying what was joined, and in which way that is wrong."""
    shows = f"In {shown(given)}, for the pair {pair!r}, your text is {shown(got)}"
    shows_ja = f"{shown(given)} のペア {pair!r} に対し、結果は {shown(got)} です"
    if not isinstance(got, str):
        raise Wrong(f"{shows}. Hint: return the text.", ja=f"{shows_ja}。ヒント：テキスト（str）を返してください。")
    if got.replace(" ", "") != given.replace(" ", ""):
        raise Wrong(
            f"{shows}: characters were lost or made up. Hint: what do . and + mean in a pattern?",
            ja=f"{shows_ja}。文字が消えたか、増えています。ヒント：パターンの中で . や + は何を意味しますか。",
        )
    if any(symbol in "".join(pair) for symbol in ".+") and got == given:
        raise Wrong(
            f"{shows}: nothing was joined. Hint: . and + are commands in a pattern; `re` has a function that makes "
            "them plain characters.",
            ja=f"{shows_ja}。何もマージされていません。ヒント：. や + はパターンでは命令です。re "
            "にはこれをただの文字にする関数があります。",
        )
    if borders(wanted) - borders(got):
        raise Wrong(
            f"{shows}: a longer token only begins or ends with those characters, and was joined too. Hint: look at "
            "what stands before and after, on both sides; a token ends at a blank or at the end of the text. "
            r"`\b` also stops inside `e</w>`.",
            ja=f"{shows_ja}。同じ文字で始まる（終わる）だけの長いトークンまでマージしています。ヒント：前と後ろの両方を"
            r"確かめます。トークンの境目は空白かテキストの端です。`\b` は `e</w>` の中も境目と見なします。",
        )
    if pair[1].endswith("</w>") and got == given:
        raise Wrong(
            f"{shows}: nothing was joined. Hint: `\\b` stands between a letter and another character, and `</w>` has "
            "no letter at its ends; a token ends at a blank or at the end of the text.",
            ja=f"{shows_ja}。何もマージされていません。ヒント：`\\b` は文字と記号の境目です。`</w>` の端は文字では"
            "ありません。トークンの境目は空白かテキストの端です。",
        )
    raise Wrong(
        f"{shows}: a place of the pair was left. Hint: every place is to be joined, and no match may use up the blank "
        "that the next place needs.",
        ja=f"{shows_ja}。マージされていない場所があります。ヒント：すべての場所をマージします。次の場所に要る空白まで"
        "マッチが使ってはいけません。",
    )


def borders(merged):
    """Where tokens end in a text of tokens with blanks between them, counted without the blanks."""
    return set(accumulate(map(len, merged.split(" "))))


# --- 02.4 -----------------------------------------------------------------------------------------------

MOST_WORDS, MOST_LETTERS, LEAST_LOSS = 5, 60, 2
FOUR = {"then": 2, "he": 3, "path": 2, "pen": 2}


@exercise("02.4", level=3, minutes=15, ja="貪欲法が2回のマージで2トークン損をする、5語以内のコーパスを探す。")
def greedy_loses_two(answer):
    """Find five words or fewer where two greedy merges lose two tokens."""
    words = table_of(answer)
    start, greedy, best = two_steps([(list(word), n) for word, n in words.items()])
    if not greedy:
        raise Wrong(
            "Two merges aren't possible here. Hint: start from then, he, path and pen.",
            ja="ここでは2回のマージができません。ヒント：then、he、path、pen から始めてみてください。",
        )
    (low, *_), (high, *_) = min(greedy), max(greedy)
    if low - best[0] >= LEAST_LOSS:
        return multiple_of_four(words)
    if high - best[0] >= LEAST_LOSS:
        raise Wrong(
            f"Greedy loses {high - best[0]} only by bad luck: pairs are equally frequent, and with "
            f"{'+'.join(min(greedy)[1])} first it loses {low - best[0]}. Hint: one more occurrence decides a tie.",
            ja=f"貪欲法が{high - best[0]}失うのは、同点のペアで運が悪いときだけです。"
            f"{'+'.join(min(greedy)[1])} から始めれば{low - best[0]}です。ヒント：頻度を1つ増やせば、"
            "同点ではなくなります。",
        )
    raise Wrong(
        f"Of {start} tokens, greedy leaves {low}, beginning with {'+'.join(min(greedy)[1])}; the best two merges leave "
        f"{best[0]}: a loss of {low - best[0]}. Hint: the first choice should break two pairs that never touch "
        "each other, as h+e does in then.",
        ja=f"{start}トークンのうち、貪欲法は {'+'.join(min(greedy)[1])} から始めて{low}、最良の2回は{best[0]}に"
        f"なり、差は{low - best[0]}です。ヒント：then の h+e のように、互いに触れない2つのペアを"
        "両方壊すペアが最初に選ばれるようにします。",
    )


def table_of(answer):
    """The words of an answer with their frequencies: a dict, a list of (word, frequency), or a list of words."""
    if isinstance(answer, list | tuple) and answer:
        if all(isinstance(word, str) for word in answer):
            answer = {word: answer.count(word) for word in answer}
        elif all(isinstance(row, list | tuple) and len(row) == 2 and isinstance(row[0], str) for row in answer):
            answer = dict(answer)
    words = {text(word): whole_number(n) for word, n in mapping(answer).items()}
    if not words or len(words) > MOST_WORDS or "" in words:
        raise Wrong(
            f"One to {MOST_WORDS} words are asked for; yours are {shown(list(words))}.",
            ja=f"単語は1個から{MOST_WORDS}個までです（今は {shown(list(words))}）。",
        )
    if min(words.values()) < 1 or sum(map(len, words)) > MOST_LETTERS:
        raise Wrong(
            f"Each word needs a frequency of at least 1, and all words together at most {MOST_LETTERS} letters.",
            ja=f"頻度は1以上、文字数は全部の単語を合わせて{MOST_LETTERS}文字までにしてください。",
        )
    return words


def two_steps(chunks):
    """The length; (length after two merges, first, second) for each way of greedy, and the least of all ways."""
    counts, greedy, best = reference.count_pairs(chunks), [], (float("inf"),)
    for first, n in counts.items():
        once = [(reference.apply_merge(tokens, first), f) for tokens, f in chunks]
        then = reference.count_pairs(once)
        for second, m in then.items():
            twice = [(reference.apply_merge(tokens, second), f) for tokens, f in once]
            way = (reference.corpus_length(twice), first, second)
            best = min(best, way)
            if n == max(counts.values()) and m == max(then.values()):
                greedy.append(way)
    return reference.corpus_length(chunks), greedy, best


def multiple_of_four(words):
    """Right, and one more question for who multiplied the chapter's corpus."""
    if words.keys() == FOUR.keys() and len({words[word] / FOUR[word] for word in FOUR}) == 1:
        return Right(
            "right: with every frequency multiplied, the loss is multiplied. Is there a corpus of yours with a loss "
            "of 2 in which no word occurs more than three times?",
            ja="正解です。頻度をすべて何倍かにすれば、失う数も同じだけ増えます。では、どの単語も3回までで2を失う"
            "コーパスを作れますか",
        )


# --- 02.5 -----------------------------------------------------------------------------------------------


@exercise("02.5", level=2, minutes=15, ja="200個のコーパスで参照実装と一致する学習の関数を書く。")
def trainer(answer):
    """Write train, which learns what the reference learns on 200 corpora."""
    train, corpora = function(answer), two_hundred_corpora()
    for words, number in corpora:
        right = learned(chunks_of(words), number)
        try:
            rows = rows_of(call(train, words, number), shown_call(train, (words, number)))
            got = [counted_pair(row) for row in rows]
        except Wrong as wrong:
            raise explained(wrong, right, number) from None
        if got != right:
            raise_learned_wrongly(train, words, number, got, right)


def chunks_of(words):
    return [(list(word), n) for word, n in words.items()]


def learned(chunks, number, **rules):
    """What the reference learns: [(left, right, count)]."""
    return [(*pair, n) for pair, n, _ in reference.learn_merges(chunks, number, **rules)]


@cache
def two_hundred_corpora():
    """(words, number of merges): one chunk alone first, then more and more; asked for too many merges last."""
    draw = Random(2)
    drawn = []
    for size in range(180):
        letters = draw.choice(["ab", "abc", "のはが", "abcd", " ab"])
        words = ["".join(draw.choices(letters, k=draw.randint(1, 6))) for _ in range(2 + size // 45)]
        drawn.append(({word: draw.randint(1, 5) for word in words}, draw.randint(0, 8)))
    single = [({word: 1}, 2) for word in ("abc", "aaa", "aaaa", "abab", "abcabd", "aaaaa")]
    plain = [({"ab": 1, "ac": 2}, 1), ({"ab": 1, "cd": 1}, 1), ({"aaa": 2, "bc": 3}, 2), ({"hug": 10, "pug": 5}, 2)]
    possible = [(words, min(n, len(learned(chunks_of(words), None)))) for words, n in drawn]
    beyond = [({"ab": 1}, 2), ({"a": 3}, 1), ({}, 1), ({"aaa": 2, "bc": 3}, 5), ({"low": 1, " low": 2}, 99)]
    beyond += [(words, 99) for words, _ in drawn[:5]]
    return single + plain + possible + beyond


def explained(wrong, right, number):
    """The reader's exception, and its reason if the merges had run out."""
    if len(right) == number:
        return wrong
    return Wrong(
        wrong.words["en"] + f"\nHint: after {len(right)} merges no pair is left there. Training ends then.",
        ja=wrong.words["ja"]
        + f"\nヒント：ここでは{len(right)}回のマージでペアがなくなります。学習はそこで終わりです。",
    )


#: Slips: what is learned with each, and the words for it.
SLIPS = [
    (
        lambda words, n: learned([(list(word), 1) for word in words], n),
        "Each chunk was counted once. Hint: a pair counts as often as its chunk occurs.",
        "各チャンクを1回ずつ数えています。ヒント：ペアはチャンクの頻度だけ数えます。",
    ),
    (
        lambda words, n: learned([([c for word, f in words.items() for c in word * f], 1)], n),
        "Pairs were counted across the border of two chunks. Hint: keep one list of tokens for each chunk.",
        "チャンクの境目をまたいでペアを数えています。ヒント：チャンクごとに別のトークン列にしてください。",
    ),
    (
        lambda words, n: learned(chunks_of(words), n, tie="first"),
        "Among equally frequent pairs you took the one that was met first. Hint: here the one that sorts first wins.",
        "同点のペアでは、最初に出会ったものを選んでいます。ヒント：ここでは並べ替えて先に来るペアが勝ちます。",
    ),
    (
        lambda words, n: learned(chunks_of(words), n, tie="largest"),
        "Among equally frequent pairs you took the one that sorts last. Hint: here the one that sorts first wins; "
        "`max` of (count, pair) turns that round.",
        "同点のペアでは、並べ替えて最後のものを選んでいます。ヒント：先に来るペアが勝ちます。(回数, ペア) の max "
        "では逆になります。",
    ),
    (
        lambda words, n: learned(chunks_of(words), n, count="runs"),
        "Overlapping places of a pair were counted once. Hint: here a+a counts 2 in aaa, as `count_pairs` has it.",
        "重なる場所を1回と数えています。ヒント：ここでは count_pairs と同じく、aaa の中の a+a は2です。",
    ),
]


def raise_learned_wrongly(train, words, number, got, right):
    """Wrong, with the corpus, what was learned there, and the slip that explains it."""
    shows = f"From {shown(words)} with {number} merges you learned {written(got)}. "
    shows_ja = f"{shown(words)} を{number}回のマージで学習すると、結果は {written(got)} でした。"
    for slip, en, ja in SLIPS:
        if slip(words, number) == got:
            raise Wrong(shows + en, ja=shows_ja + ja)
    en, ja = property_broken(words, number, got, right)
    raise Wrong(shows + en, ja=shows_ja + ja)


def property_broken(words, number, got, right):
    """What is wrong with merges, in both languages."""
    strange = [(left, right) for left, right, _ in got if not any(left + right in word for word in words)]
    if strange and len(words) == 1:
        return (
            f"No text holds {''.join(strange[0])!r}: a token was used twice. Hint: when a pair is joined, go on "
            "behind it.",
            f"{''.join(strange[0])!r} はどこにもありません。同じトークンを二度使っています。ヒント：ペアをマージしたら"
            "その後ろから続けてください。",
        )
    if strange:
        return (
            f"No chunk holds {''.join(strange[0])!r}. Hint: a token is used once, and no merge crosses the border of "
            "two chunks.",
            f"{''.join(strange[0])!r} はどのチャンクにもありません。ヒント：トークンは一度しか使えず、マージは"
            "チャンクの境目をまたぎません。",
        )
    if len(got) > number:
        return (
            f"Those are {len(got)} merges. Hint: learn `num_merges` at the most.",
            f"マージが{len(got)}個あります。ヒント：多くても num_merges 個までです。",
        )
    if got == right[: len(got)]:
        return (
            "Right as far as it goes, but pairs are left. Hint: what ends your loop?",
            "途中までは合っていますが、ペアが残っています。ヒント：ループは何で終わりますか。",
        )
    if [row[:2] for row in got] == [row[:2] for row in right]:
        return (
            "The pairs are right, a count isn't. Hint: it is the pair's count when it was chosen.",
            "ペアは合っていますが、回数が違います。ヒント：選ばれた時点での回数です。",
        )
    if len(got) > len(right):
        return (
            f"After {len(right)} merges no pair is left. Hint: what ends your loop?",
            f"{len(right)}回のマージでペアはなくなります。ヒント：ループは何で終わりますか。",
        )
    at = next(i for i, (mine, theirs) in enumerate(zip(got, right, strict=False)) if mine != theirs)
    left = chunks_of(words)
    for *pair, _ in right[:at]:
        left = [(reference.apply_merge(symbols, tuple(pair)), n) for symbols, n in left]
    mine = tuple(got[at][:2])
    if mine != tuple(right[at][:2]) and reference.count_pairs(left).get(mine) == right[at][2]:
        return (
            f"Merge {at + 1}, {written(got[at : at + 1])}, is a tie. Hint: pairs are compared as (left, right), not by "
            "the text that they make.",
            f"{at + 1}番目の {written(got[at : at + 1])} は同点です。ヒント：比べるのは(left, right)というペアで、"
            "つないだ文字列ではありません。",
        )
    return (
        f"Merge {at + 1} should be {written(right[at : at + 1])}. Hint: count again after each merge, in the "
        "merged chunks.",
        f"{at + 1}番目は {written(right[at : at + 1])} のはずです。ヒント：マージのたびに、"
        "マージ後のチャンクで数え直します。",
    )


def written(merges):
    """Merges as people write them: `a+b 3, ab+c 2`."""
    return shown(", ".join(f"{left}+{right} {count}" for left, right, count in merges) or "[]")[1:-1]
