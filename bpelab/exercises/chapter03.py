"""The checks of chapter 03: encoding by hand, what an order of merges decides, and ids that move."""

import re
from collections.abc import ItemsView, KeysView, ValuesView
from functools import cache
from itertools import pairwise
from random import Random

from bpelab import corpora, reference
from bpelab.exercises.checking import (
    Right,
    Wrong,
    call,
    exercise,
    function,
    items,
    shown,
    shown_call,
    text,
    texts,
    whole_number,
)
from bpelab.training import train

# --- 03.1 -----------------------------------------------------------------------------------------------

WORD = " newer"
#: A blank as this book, SentencePiece and GPT-2 draw it.
BLANKS = re.compile("[␣▁Ġ]")


@cache
def small_merges():
    """The merges of `low low low lower lower newest`."""
    chunks = [(list(word), n) for word, n in {"low": 1, " low": 2, " lower": 2, " newest": 1}.items()]
    return [pair for pair, _, _ in reference.learn_merges(chunks)]


@exercise("03.1", level=1, minutes=3, ja="学習にない単語を手でエンコードする。")
def tokens_of_a_word(answer):
    """Encode a word that training never saw, by hand."""
    tokens, merges = tokens_in(answer), small_merges()
    if tokens == reference.encode(list(WORD), merges):
        return
    if "".join(tokens) != WORD:
        raise Wrong(
            f"Your tokens join to {shown(''.join(tokens))}, not to {WORD!r}. Hint: nothing is lost, and the blank is "
            "part of the chunk.",
            ja=f"トークンをつなぐと {shown(''.join(tokens))} になり、{WORD!r} に戻りません。ヒント：何も失われません。"
            "空白もチャンクの一部です。",
        )
    made = {left + right for left, right in merges}
    strange = [token for token in tokens if len(token) > 1 and token not in made]
    if strange:
        raise Wrong(
            f"No merge makes {shown(strange[0])}. Hint: look for it in the list: letters that stood together in a "
            "longer "
            "word needn't have a merge of their own.",
            ja=f"{shown(strange[0])} を作るマージはありません。ヒント：リストの中を探してください。"
            "長い単語の中で隣り合って"
            "いても、その文字どうしのマージがあるとは限りません。",
        )
    left = [pair for pair in pairwise(tokens) if pair in merges]
    raise Wrong(
        f"You stopped too early: {shown('+'.join(left[0] if left else tokens))} still stands there. Hint: go down the "
        "list to its end.",
        ja=f"途中で止まっています。{shown('+'.join(left[0] if left else tokens))} がまだ残っています。ヒント："
        "リストの最後まで"
        "たどってください。",
    )


def tokens_in(answer):
    """The tokens of an answer: a list, or one str with | between them; a blank may be drawn."""
    if isinstance(answer, str):
        answer = answer.split("|")
    tokens = items(answer, en="a list of tokens", ja="トークンのリスト")
    tokens = [token.decode("utf-8", "replace") if isinstance(token, bytes) else token for token in tokens]
    return [BLANKS.sub(" ", token) for token in texts(tokens)]


# --- 03.2 -----------------------------------------------------------------------------------------------


@cache
def english():
    """The tokenizer of the exercises: 2,000 merges on the English of the book's sentences."""
    return train(corpora.text("parallel", "en", "train"), 2000, chunking="gpt2")


@exercise("03.2", level=2, minutes=10, ja="最長一致とマージで切り方が違うテキストを探す。")
def longest_match_differs(answer):
    """Find a text that longest match cuts in another way than the merges do."""
    given, tokenizer = text(answer), english()
    if len(given) > 1000:
        raise Wrong(
            "That text is too long to look at. Hint: one word is enough.",
            ja="長すぎて確かめにくいテキストです。ヒント：1つの単語で十分です。",
        )
    unknown = sorted(set(given) - set(tokenizer.characters))
    if "<unk>" in given:
        raise Wrong(
            "<unk> is a token, but no text spells it: its five characters are encoded as such. Hint: leave id 0 out of "
            "the tokens that can match.",
            ja="<unk> はトークンですが、これを綴るテキストはなく、5文字としてエンコードされます。"
            "ヒント：一致するトークンからID 0を除いてください。",
        )
    if unknown:
        raise Wrong(
            f"{shown(unknown[0])} is <unk> to this tokenizer. Hint: use characters of the English training text.",
            ja=f"{shown(unknown[0])} はこのトークナイザーでは <unk> です。ヒント：英語の学習テキストにある文字"
            "だけを使います。",
        )
    chunks, known = tokenizer.chunks(given), {token.decode() for token in tokenizer.vocab[1:]}
    by_merges = [tokenizer.tokens(chunk) for chunk in chunks]
    by_length = [longest_match(chunk, known) for chunk in chunks]
    if by_merges != by_length:
        at = next(i for i, (a, b) in enumerate(zip(by_merges, by_length, strict=True)) if a != b)
        merged, matched = drawn(by_merges[at][:12]), drawn(by_length[at][:12])
        return Right(
            f"right: merges {merged}, longest match {matched}", ja=f"正解です。マージ：{merged}、最長一致：{matched}"
        )
    if longest_match(given, known) != [token for chunk in by_merges for token in chunk]:
        raise Wrong(
            "They differ only where your longest match goes across the border of two chunks. Hint: cut the text into "
            "chunks first, as the tokenizer does.",
            ja="違うのは、最長一致がチャンクの境目をまたいだ場所だけです。ヒント：先にチャンクに切ってください。",
        )
    cut = drawn([token for chunk in by_merges for token in chunk][:12])
    raise Wrong(
        f"Both give {shown(cut)}. Hint: let a program try the words of a text, one after the other.",
        ja=f"どちらも {shown(cut)} になります。ヒント：テキストの単語を1つずつプログラムで試してください。",
    )


def longest_match(chunk, known):
    """From left to right, the longest token that fits."""
    tokens, longest = [], max(map(len, known))
    while chunk:
        fits = (n for n in range(min(longest, len(chunk)), 1, -1) if chunk[:n] in known)
        tokens.append(chunk[: next(fits, 1)])
        chunk = chunk[len(tokens[-1]) :]
    return tokens


def drawn(tokens):
    return "|".join(tokens).replace(" ", "␣")


# --- 03.3 -----------------------------------------------------------------------------------------------

RULES = [tuple(rule.split("+")) for rule in "t+h th+e e+r r+e i+n o+n in+g".split()]


@exercise("03.3", level=2, minutes=8, ja="隣どうしの入れ替えで、害のないものと害のあるものを見つける。")
def two_swaps(answer):
    """Find a swap of neighbours that changes nothing, and one that does, with a text."""
    parts = items(answer, en="(harmless, harmful, text)", ja="（害のない入れ替え、害のある入れ替え、テキスト）")
    if len(parts) != 3:
        raise Wrong(
            f"Three things are asked for: two numbers and a text; yours are {len(parts)}.",
            ja=f"2つの番号と1つのテキストを答えてください（今は{len(parts)}個）。",
        )
    harmless, harmful = swap_in(parts[0]), swap_in(parts[1])
    witness = text(parts[2])
    for number in (harmless, harmful):
        if depends(number):
            first, second = ("+".join(rule) for rule in RULES[number - 1 : number + 1])
            raise Wrong(
                f"{second} is built on {first}: with {number} and {number + 1} swapped this is no list of merges any "
                "more, and `bpelab.Tokenizer` refuses it. Hint: take two merges that don't need each other.",
                ja=f"{second} は {first} の上に作られます。{number}と{number + 1}を入れ替えるとマージリストで"
                "はなくなり、"
                "bpelab.Tokenizer も受け付けません。ヒント：互いを必要としない2つを選んでください。",
            )
    if not commute(*RULES[harmless - 1 : harmless + 1]):
        raise Wrong(
            f"Swapping {harmless} and {harmless + 1} isn't harmless. Hint: is there a text where both want the same "
            "letter, one from its left and one from its right?",
            ja=f"{harmless}と{harmless + 1}の入れ替えには害があります。ヒント：左右から同じ文字を取り合うテ"
            "キストはありませんか。",
        )
    if commute(*RULES[harmful - 1 : harmful + 1]):
        raise Wrong(
            f"Swapping {harmful} and {harmful + 1} changes no text at all. Hint: two merges are in each other's way "
            "when "
            "one ends with what the other begins with.",
            ja=f"{harmful}と{harmful + 1}を入れ替えても、どのテキストも変わりません。ヒント："
            "一方の右側がもう一方の左側と"
            "同じとき、2つのマージはぶつかります。",
        )
    before, after = (drawn(reference.encode(list(witness), rules)) for rules in (RULES, swapped(harmful)))
    if before == after:
        raise Wrong(
            f"That swap does harm, but not to your text: {shown(before)} with either list. Hint: put the tokens of the "
            "two merges side by side, so that they overlap.",
            ja=f"その入れ替えには害がありますが、このテキストはどちらのリストでも {shown(before)} です。"
            "ヒント：2つのマージのトークンが重なるように並べてください。",
        )
    return Right(
        f"right: {before} before the swap, {after} after it", ja=f"正解です。入れ替え前は {before}、後は {after}"
    )


def swap_in(value):
    """The number of the first of two neighbours: a number, or both numbers."""
    numbers = [whole_number(n) for n in value] if isinstance(value, list | tuple | set) else [whole_number(value)]
    number = min(numbers, default=0)
    if sorted(numbers) not in ([number], [number, number + 1]) or not 1 <= number < len(RULES):
        raise Wrong(
            f"A swap is written as the number of its first merge, 1 to {len(RULES) - 1}; yours is {shown(value)}.",
            ja=f"入れ替えは、前のほうのマージの番号（1から{len(RULES) - 1}）で書いてください（今は {shown(value)}）。",
        )
    return number


def swapped(number):
    rules = RULES.copy()
    rules[number - 1 : number + 1] = rules[number], rules[number - 1]
    return rules


def depends(number):
    """Whether the second of two neighbours is built on the first."""
    return "".join(RULES[number - 1]) in RULES[number]


def commute(one, two):
    """Whether two merges that don't build on each other give the same in either order, on every text.

    Their places can only overlap where one ends with what the other begins with.
    """
    return one[1] != two[0] and two[1] != one[0]


# --- 03.4 -----------------------------------------------------------------------------------------------

FEW_LOOKUPS, MANY_LOOKUPS = 3, 100


class Ranks(dict):
    """Ranks that count how often they are looked up, and note when someone goes through all of them."""

    looked, walked = 0, False

    def __getitem__(self, pair):
        self.looked += 1
        return super().__getitem__(pair)

    def __contains__(self, pair):
        self.looked += 1
        return super().__contains__(pair)

    def get(self, pair, default=None):
        self.looked += 1
        return super().get(pair, default)

    def __iter__(self):
        self.walked = True
        return super().__iter__()

    def keys(self):
        return KeysView(self)

    def values(self):
        return ValuesView(self)

    def items(self):
        return ItemsView(self)

    def copy(self):
        return dict(self)

    def __or__(self, other):
        return dict(self) | other

    def __deepcopy__(self, memo):
        return self


@exercise("03.4", level=2, minutes=15, ja="リストをたどらず、順位を引いてエンコードする関数を書く。")
def encoder_by_rank(answer):
    """Write encode so that it looks pairs up and never walks down the list."""
    encode, failed, walked = function(answer), [], False
    for symbols, pairs in encoder_cases():
        ranks = Ranks((pair, rank) for rank, pair in enumerate(pairs))
        tokens = texts(call(encode, symbols, ranks), shown_call(encode, (symbols, ranks)))
        walked |= ranks.walked
        if tokens != reference.encode(symbols, pairs):
            failed.append((symbols, pairs, tokens))
    if failed:
        raise_encoded_wrongly(failed)
    if walked:
        raise Wrong(
            f"The tokens are right, but you went through all the ranks ({len(ranks)} here, 200,000 in a real list). "
            "Hint: go through the pairs of the text, and look each one up.",
            ja=f"トークンは合っていますが、順位をすべてたどっています（ここでは{len(ranks)}個、"
            "実際のリストでは20万個）。"
            "ヒント：テキストのペアのほうをたどり、1つずつ引いてください。",
        )
    if ranks.looked > MANY_LOOKUPS * len(symbols):
        raise Wrong(
            f"{ranks.looked:,} look-ups for {len(symbols)} characters. Hint: only neighbours can be a pair.",
            ja=f"{len(symbols)}文字に{ranks.looked:,}回も引いています。ヒント：ペアになるのは隣どうしだけです。",
        )
    few = ranks.looked <= FEW_LOOKUPS * len(symbols)
    note = "" if few else ". After a merge only two pairs are new: about three for each character would be enough"
    ja = "" if few else "。マージのあとに新しくなるペアは2つだけなので、1文字あたり3回ほどで足ります"
    return Right(
        f"right, with {ranks.looked} look-ups for {len(symbols)} characters{note}",
        ja=f"正解です。{len(symbols)}文字に対し、引いた回数は{ranks.looked}回です{ja}",
    )


@cache
def encoder_cases():
    """(symbols, merges): small lists and short texts first, last one long text with a longer list."""
    draw, cases = Random(3), [([], [("a", "b")]), (["a"], [("a", "b")])]
    for _ in range(60):
        letters = draw.choice(["ab", "abc", "abcd", "xyz"])
        words = [(draw.choices(letters, k=6), draw.randint(1, 3)) for _ in range(4)]
        pairs = [pair for pair, _, _ in reference.learn_merges(words, draw.randint(2, 12))]
        cases += [(draw.choices(letters, k=draw.randint(2, 9)), pairs) for _ in range(3)]
    cases.sort(key=lambda case: len(case[0]) + 2 * len(case[1]))
    words = [(draw.choices("abcde", k=20), 1) for _ in range(6)]
    return [*cases, (draw.choices("abcde", k=40), [pair for pair, _, _ in reference.learn_merges(words, 60)])]


def step_by_step(symbols, ranks, key):
    """Symbols merged as long as a pair is known, the one that `key` prefers first."""
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        symbols = reference.apply_merge(symbols, min(known, key=lambda pair: key(pair, ranks)))
    return symbols


def leftmost_first(symbols, ranks):
    """The first known pair from the left, at one place, again and again."""
    while at := [i for i, pair in enumerate(pairwise(symbols)) if pair in ranks]:
        symbols = [*symbols[: at[0]], symbols[at[0]] + symbols[at[0] + 1], *symbols[at[0] + 2 :]]
    return symbols


def one_merge(symbols, ranks):
    known = [pair for pair in pairwise(symbols) if pair in ranks]
    return reference.apply_merge(symbols, min(known, key=ranks.get)) if known else symbols


#: Slips: what is encoded with each, and the words for it.
SLIPS = [
    (
        leftmost_first,
        "You merged the leftmost known pair first. Hint: of all pairs in the chunk, the one learned earliest goes "
        "first.",
        "いちばん左の既知のペアからマージしています。ヒント：チャンクのすべてのペアのうち、最も早く学んだものが先です。",
    ),
    (
        lambda symbols, ranks: step_by_step(symbols, ranks, lambda pair, _: -len("".join(pair))),
        "You made the longest token first. Hint: the rank decides, not the length.",
        "いちばん長いトークンから作っています。ヒント：決めるのは長さではなく順位です。",
    ),
    (
        lambda symbols, ranks: longest_match("".join(symbols), {left + right for left, right in ranks} | {""}),
        "That is longest match: it took the longest token that fits. Hint: merge two neighbours at a time, by rank.",
        "それは最長一致です。合うなかで最も長いトークンを取っています。ヒント：順位に従い、隣どうしをマージします。",
    ),
    (
        lambda symbols, ranks: step_by_step(symbols, ranks, lambda pair, ranks: -ranks[pair]),
        "You merged the pair with the highest rank first. Hint: rank 0 was learned first, and goes first.",
        "順位の数が最も大きいペアからマージしています。ヒント：順位0が最初に学ばれたもので、先に使います。",
    ),
    (
        one_merge,
        "You stopped after one merge. Hint: look again as long as a pair is known.",
        "1回のマージで止まっています。ヒント：既知のペアがある限り、繰り返してください。",
    ),
]


def raise_encoded_wrongly(failed):
    """Wrong, with the smallest text that failed, and the slip that explains most of them."""
    symbols, pairs, tokens = failed[0]
    merges = ", ".join(map("+".join, pairs))
    shows = f"For {shown(symbols)} with {merges} your tokens are {shown(tokens)}. "
    shows_ja = f"{shown(symbols)} を {merges} で切った結果は {shown(tokens)} でした。"
    for slip, en, ja in SLIPS:
        same = sum(slip(old, {p: i for i, p in enumerate(rules)}) == new for old, rules, new in failed)
        if same > 0.9 * len(failed):
            raise Wrong(shows + en, ja=shows_ja + ja)
    if "".join(tokens) != "".join(symbols):
        raise Wrong(
            shows + "They don't join to the text. Hint: every symbol is kept.",
            ja=shows_ja + "つないでも元に戻りません。ヒント：記号は一つも失われません。",
        )
    right = reference.encode(symbols, pairs)
    raise Wrong(
        f"{shows}By hand they are {right}. Hint: of the pairs that stand there, join the one with the lowest rank, "
        "from "
        "left to right, then look again.",
        ja=f"{shows_ja}手で切ると {right} です。ヒント：そこにあるペアのうち順位の数が最も小さいものを左からマージし、"
        "また調べます。",
    )


# --- 03.5 -----------------------------------------------------------------------------------------------

KEPT, DROPPED = 500, 9


@exercise("03.5", level=1, minutes=5, ja="マージを切り捨てたり削除したりしたあと、同じトークンを指すIDの数を予想する。")
def ids_that_survive(answer):
    """Predict how many ids keep their token when merges are cut off or dropped."""
    numbers = [whole_number(n) for n in items(answer, en="two whole numbers", ja="2つの整数")]
    if len(numbers) != 2:
        raise Wrong(
            f"Two numbers are asked for; yours are {len(numbers)}.",
            ja=f"2つの数を答えてください（今は{len(numbers)}個）。",
        )
    base = 1 + len(english().characters)
    check_truncated(numbers[0], base)
    check_dropped(numbers[1], base)


def check_truncated(number, base):
    """Ids 0 to base − 1 are <unk> and the characters; then come the merges that are kept."""
    if number == KEPT:
        raise Wrong(
            f"After truncate, more than {KEPT} ids keep their token. Hint: which ids come before the first merge?",
            ja=f"truncateのあとで同じトークンを指すIDは{KEPT}個より多いです。ヒント：最初のマージの前にはどのIDが"
            "ありますか。",
        )
    if number == base - 1 + KEPT:
        raise Wrong(
            "After truncate: nearly; the characters and the merges are there. Hint: what is id 0?",
            ja="truncateのあと：文字とマージは数えてありますが、少し違います。ヒント：ID 0 は何ですか。",
        )
    if number == english().vocab_size - base - KEPT:
        raise Wrong(
            "After truncate: that many are gone. Hint: asked is how many stay.",
            ja="truncateのあと：それはなくなるIDの数です。ヒント：残るIDの数を答えてください。",
        )
    if number != base + KEPT:
        raise Wrong(
            f"After truncate it isn't {number}. Hint: in what order are ids given out, and which tokens are left?",
            ja=f"truncateのあとは{number}個ではありません。ヒント：IDはどの順に付き、どのトークンが残りますか。",
        )


def check_dropped(number, base):
    """All ids behind the dropped merge move up, so each of them stands for another token."""
    tokenizer = english()
    built = built_on(tokenizer.merges, DROPPED)
    if number in (tokenizer.vocab_size - 1, tokenizer.vocab_size - built, tokenizer.vocab_size - built - 1):
        raise Wrong(
            "After the drop: you took off only the merges that are gone. Hint: which ids do the merges behind them "
            "have now?",
            ja="削除のあと：なくなったマージしか引いていません。ヒント：その後ろのマージのIDはどうなりますか。",
        )
    if number in (DROPPED, DROPPED + 1):
        raise Wrong(
            "After the drop: you counted merges only. Hint: ids begin with <unk> and the characters.",
            ja="削除のあと：マージしか数えていません。ヒント：IDは <unk> と文字から始まります。",
        )
    if number == base + DROPPED + 1:
        raise Wrong(
            f"After the drop: one too many. Hint: `english.merges[{DROPPED}]` itself is gone, and its id goes to the "
            "next token.",
            ja=f"削除のあと：1つ多いです。ヒント：english.merges[{DROPPED}] 自身がなくなり、そのIDは次のトークンに移り"
            "ます。",
        )
    if number == tokenizer.vocab_size - base - DROPPED:
        raise Wrong(
            "After the drop: that many stand for another token or for none. Hint: asked is how many stay the same.",
            ja="削除のあと：それは別のトークンを指すか、なくなるIDの数です。ヒント：変わらないIDの数を答えてください。",
        )
    if number != base + DROPPED:
        raise Wrong(
            f"After the drop it isn't {number}. Hint: find the first id that stands for another token; what about all "
            "those behind it?",
            ja=f"削除のあとは{number}個ではありません。ヒント：別のトークンを指す最初のIDはどれですか。"
            "その後ろはどうなりますか。",
        )


def built_on(merges, index):
    """How many merges need the token of one merge, or of one that needs it."""
    lost = {merges[index].left + merges[index].right}
    for merge in merges[index + 1 :]:
        if merge.left in lost or merge.right in lost:
            lost.add(merge.left + merge.right)
    return len(lost) - 1
