"""The checks of "Build your own", step by step: each shows the first input on which two results differ."""

import random
from functools import cache
from itertools import pairwise
from pathlib import Path

from bpelab import corpora, reference, vocabularies
from bpelab.chunking import chunk
from bpelab.exercises.checking import (
    Open,
    Right,
    Wrong,
    call,
    exercise,
    function,
    is_stub,
    items,
    mapping,
    shown,
    shown_call,
    text,
    texts,
    whole_number,
    whole_numbers,
    words_of,
)
from bpelab.spelling import byte_characters, byte_level, label

#: As many corpora are drawn for a trainer; as many tokens are shown of a long list.
CORPORA, MOST_SHOWN = 60, 8
#: A text or list that `on_smallest` has found is shown up to this many characters.
LONGEST = 400


def functions(answer, *names):
    """Each of the reader's functions in turn; Open where one is a stub."""
    wanted = f"({', '.join(names)})"
    found = items(answer, en=f"the functions {wanted}", ja=f"関数 {wanted}")
    if len(found) != len(names):
        raise Wrong(f"The answer must be the functions {wanted}.", ja=f"答えは関数 {wanted} にしてください。")
    if all(map(is_stub, found)):
        raise Open()
    for name, each in zip(names, found, strict=True):
        if is_stub(each):
            raise Open(f"{name} isn't written yet", ja=f"{name}はまだ書かれていません")
        yield function(each)


def differs(called, theirs, wanted, hint, tip):
    """Wrong, for a call whose result is another one than wanted (all as text)."""
    return Wrong(
        f"{called}\ngives  {theirs}\nwanted {wanted}\nHint: {hint}",
        ja=f"{called}\n結果：{theirs}\n正解：{wanted}\nヒント：{tip}",
    )


def in_line(tokens, first=0):
    """Tokens in one line, from shortly before the first one of interest."""
    start = max(0, first - 2) if len(tokens) > MOST_SHOWN else 0
    part = "|".join(map(label, tokens[start : start + MOST_SHOWN]))
    return ("…|" if start else "") + (part or "[]") + ("|…" if len(tokens) > start + MOST_SHOWN else "")


def compare_tokens(called, theirs, wanted, hint, tip):
    """Wrong unless two lists of tokens are equal."""
    if theirs != wanted:
        at = first_difference(theirs, wanted)
        raise differs(called, in_line(theirs, at), in_line(wanted, at), hint, tip)


def first_difference(one, two):
    """The place where two lists differ first."""
    return next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def on_smallest(check, whole):
    """Check a text or a list; where it fails, fail on a small part of it, which can be shown whole and tried."""
    try:
        check(whole)
    except Wrong:
        for step in sorted({len(whole) // 2, len(whole) // 8, 1}, reverse=True):
            if 0 < step < len(whole):
                on_smallest(check, whole[step:])
                on_smallest(check, whole[:-step])
        raise


# --- 1: count and merge ---------------------------------------------------------------------------------

COUNTED = (
    ([(list("low"), 1)], "each two neighbours of a word are a pair", "単語の中で隣り合う2つがペアです"),
    ([(list("ab"), 1), (list("cd"), 1)], "no pair crosses words", "単語をまたぐペアはありません"),
    ([(list("low"), 3), (list("lower"), 2)], "a word that occurs three times brings each of its pairs three times",
     "3回出る単語は、どのペアも3回分になります"),
    ([(["lo", "w"], 2), (["lo", "w", "er"], 1)], "a token may be longer", "トークンは1文字とは限りません"),
    ([(list("aaa"), 1)], "in aaa the pair stands at two places", "aaaでは、そのペアが2か所にあります"),
    ([(["a"], 5), (["b"], 2)], "a word of one token has no pair", "1つのトークンだけの単語にペアはありません"),
    ([], "without words there are no pairs", "単語がなければペアもありません"),
)  # fmt: skip
MERGED = (
    ("l o w e r", ("l", "o"), "join the two where they stand side by side", "隣り合っている所でつなぎます"),
    ("lo w lo w", ("lo", "w"), "every place, also the last one", "最後も含めて、すべての所でつなぎます"),
    ("a b c", ("a", "c"), "only direct neighbours", "すぐ隣のものだけです"),
    ("ab c a bc", ("a", "bc"), "compare tokens, not the text they make", "つないだ文字列ではなく、トークンを比べます"),
    ("a a a", ("a", "a"), "from left to right, and no token is used twice", "左から右へ、同じトークンは二度使いません"),
    ("a a a a a", ("a", "a"), "from left to right, and no token is used twice", "左から右へ、二度は使いません"),
    ("aa a a", ("a", "a"), "a token made before is another one", "前にできたトークンは別のものです"),
    ("a", ("a", "b"), "one token stays as it is", "1つだけなら、そのままです"),
)


@exercise("build.1", level=1, minutes=25, ja="ペアを数え、1つのペアをつなぐ。")
def count_and_merge(answer):
    """Count the pairs of neighbours, and merge one pair."""
    written = functions(answer, "count_pairs", "merge")
    count = next(written)
    for words, hint, tip in COUNTED:
        check_counts(count, words, hint, tip)
    merge = next(written)
    for tokens, pair, hint, tip in MERGED:
        check_merge(merge, tokens.split(), pair, hint, tip)
    draw = random.Random(1)
    for _ in range(CORPORA):
        words = [(draw.choices("abc", k=draw.randint(1, 7)), draw.randint(1, 9)) for _ in range(3)]
        check_counts(count, words, "count this one by hand", "この例を手で数えてみましょう")
        check_merge(merge, words[0][0], ("a", draw.choice("ab")), "do this one by hand", "この例を手で試してみましょう")


def check_counts(count, words, hint, tip):
    called = shown_call(count, [words])
    found = mapping(call(count, words), called)
    theirs = {as_pair(pair, called): whole_number(n, called) for pair, n in found.items()}
    wanted = reference.count_pairs(words)
    for pair in wanted | theirs:
        if theirs.get(pair, 0) != wanted.get(pair, 0):
            raise differs(called, f"{pair}: {theirs.get(pair, 0)}", f"{pair}: {wanted.get(pair, 0)}", hint, tip)


class Given(list):
    """A list that a reader's function gets itself, no copy, so that it is seen when it is changed."""

    def __deepcopy__(self, memo):
        return self


def check_merge(merge, tokens, pair, hint, tip):
    called, given = shown_call(merge, [tokens, pair]), Given(tokens)
    theirs = texts(call(merge, given, pair), called)
    if "".join(theirs) != "".join(tokens):
        hint, tip = (
            "the tokens still make the same text, to its end",
            "トークンをつなげば、最後まで元の文字列のままです",
        )
    compare_tokens(called, theirs, reference.apply_merge(tokens, pair), hint, tip)
    if given != tokens:
        raise Wrong(
            f"{called} changes the list that it was given. Hint: make a new list, and leave that one as it is.",
            ja=f"{called} は、渡されたリストを書き換えています。ヒント：新しいリストを作ってください。",
        )


def as_pair(value, called):
    """(left, right), of str."""
    found = texts(value, called) if isinstance(value, list | tuple) else []
    if len(found) != 2:
        raise Wrong(
            f"{called} must give pairs such as ('l', 'o'), but it gives {shown(value)}.",
            ja=f"{called} は('l', 'o')のようなペアを返してください（今は {shown(value)}）。",
        )
    return tuple(found)


# --- 2 and 7: train -------------------------------------------------------------------------------------

TIE = "among equally frequent pairs take the one that sorts first: its left token counts before its right one"
TIE_JA = "同点なら、並べて先に来るペアです。まず左のトークンを、次に右のトークンを比べます"
TRAINED = (
    ({"low": 3, "lower": 2}, 2, "count, take the most frequent pair, merge it in all words, and count again",
     "数え、最も多いペアを取り、すべての単語でつなぎ、また数えます"),
    ({"ab": 1, "cd": 1, "ba": 1}, 3, TIE, TIE_JA),
    ({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 4, "count again after each merge, with frequencies",
     "つなぐたびに、頻度をかけて数え直します"),
    ({"ab": 5, "abc": 2, "az": 2}, 2, TIE, TIE_JA),
    ({"low": 1}, 9, "stop when no pair is left", "ペアがなくなったら終わりです"),
    ({"lower": 1}, 2, "no more merges than were asked for", "求められた数より多くは要りません"),
    ({"low": 1}, 0, "no merges were asked for", "求められたマージは0個です"),
    ({}, 3, "there are no pairs", "ペアがありません"),
    ({"aaaa": 1, "aaa": 2}, 3, "count the tokens as they are after a merge",
     "つないだ後のトークンを数えます"),
    ({" 猫が": 2, "猫を": 3, "が": 1}, 5, "a blank is a character like any other", "空白も1つの文字です"),
)  # fmt: skip


@exercise("build.2", level=2, minutes=30, ja="マージの列を学習する。")
def train_by_recounting(answer):
    """Learn a list of merges from chunks."""
    train = function(answer)
    check_trainer(train)


def check_trainer(train):
    for chunks, most, hint, tip in TRAINED:
        check_merges(train, chunks, most, hint, tip)
    draw = random.Random(2)
    for _ in range(CORPORA):
        drawn = {"".join(draw.choices("abc猫", k=draw.randint(1, 8))): draw.randint(1, 5) for _ in range(5)}
        check_merges(train, drawn, 12, "do this one by hand, or by your first trainer", "この例を手で試してみましょう")


def check_merges(train, chunks, most, hint, tip):
    called = shown_call(train, [chunks, most])
    found = items(call(train, chunks, most), called, "a list of pairs", "ペアのリスト")
    theirs = [as_pair(pair, called) for pair in found[: most + 1]]
    wanted = learned(chunks, most)
    if theirs != wanted:
        at = first_difference(theirs, wanted)
        hint, tip = why_another(chunks, theirs[at:], wanted[:at], wanted[at:]) or (hint, tip)
        if at in (len(theirs), len(wanted)):
            raise differs(f"len({called})", len(theirs), len(wanted), hint, tip)
        raise differs(f"{called}[{at}]", shown(theirs[at]), shown(wanted[at]), hint, tip)


def why_another(chunks, theirs, before, wanted):
    """(hint, its Japanese) for two lists that differ after the merges `before`; None if the case's own says more."""
    if not theirs:
        return "go on as long as there is a pair, also one that stands once", "1回しか出ないペアでも、ある限り続けます"
    if not wanted:
        return "no more merges than were asked for", "求められた数より多くは要りません"
    words = [(list(chunk), n) for chunk, n in chunks.items()]
    for pair in before:
        words = [(reference.apply_merge(tokens, pair), n) for tokens, n in words]
    counts = reference.count_pairs(words)
    if theirs[0] not in counts:
        return (
            "this pair stands nowhere now: after each merge all words change, and are counted again",
            "このペアはもうどこにもありません。マージのたびにすべての単語を書き換え、数え直します",
        )
    return (TIE, TIE_JA) if counts[theirs[0]] == counts[wanted[0]] else None


def learned(chunks, most):
    """The merges that recounting learns."""
    words = [(list(chunk), n) for chunk, n in chunks.items()]
    return [pair for pair, _, _ in reference.learn_merges(words, most)]


class Counted(str):
    """A str whose characters, and what they are joined to by +, count how often they are hashed."""

    hashed = 0

    def __hash__(self):
        Counted.hashed += 1
        return super().__hash__()

    def __iter__(self):
        return map(Counted, super().__iter__())

    def __add__(self, other):
        return Counted(super().__add__(other))

    def __deepcopy__(self, memo):
        return self


@exercise("build.7", level=3, minutes=120, ja="速い学習を書く。結果は同じ、見るペアはずっと少ない。")
def train_fast(answer):
    """A trainer that learns the same, and looks only where something changes."""
    train = function(answer)
    check_trainer(train)
    draw = random.Random(7)
    syllables = [a + b for a in "bdgklmnprst" for b in "aeiou"]
    chunks = {"".join(draw.choices(syllables, k=draw.randint(2, 4))): draw.randint(1, 50) for _ in range(500)}
    check_merges(train, chunks, 150, "compare with your first trainer", "最初の学習関数と比べてみましょう")
    looked, whole = (look_ups(each, chunks, 150) for each in (train, learned))
    if looked < 2 * sum(len(chunk) - 1 for chunk in chunks):
        raise Wrong(
            "The merges are right, but your work can't be counted. Hint: use pairs of the tokens themselves as keys, "
            "and join two tokens by left + right.",
            ja="マージは正しいのですが、仕事量を数えられません。"
            "ヒント：トークンそのもののペアをキーにし、left + right でつないでください。",
        )
    if looked * 5 > whole:
        raise Wrong(
            f"The merges are right. But for 150 merges of 500 words it hashed tokens {looked:,} times, and recounting "
            f"{whole:,} times; at most a fifth is wanted. Hint: which words change in a merge, and which counts?",
            ja=f"マージは正しいです。しかし500語から150回のマージで、トークンを{looked:,}回ハッシュしています"
            f"（数え直す方法では{whole:,}回。5分の1以下が目標です）。"
            "ヒント：1回のマージで変わるのは、どの単語と、どの数ですか。",
        )
    return Right(
        f"right. It hashed tokens {looked:,} times, where recounting does {whole:,} times",
        ja=f"正解です。トークンのハッシュは{looked:,}回でした（数え直す方法では{whole:,}回）",
    )


def look_ups(train, chunks, most):
    """How often a trainer hashes tokens, mostly to look up pairs: a count of its work."""
    counted = {Counted(chunk): n for chunk, n in chunks.items()}
    before = Counted.hashed
    items(call(train, counted, most))
    return Counted.hashed - before


# --- 3: encode by rank ----------------------------------------------------------------------------------


class Ranks(dict):
    """Ranks of pairs, which notice when someone walks through all of them."""

    walked = False

    def _walk(self, rows):
        self.walked = True
        return rows

    def __iter__(self):
        return self._walk(super().__iter__())

    def keys(self):
        return self._walk(super().keys())

    def items(self):
        return self._walk(super().items())

    def __deepcopy__(self, memo):
        return self


LOWEST = "of all pairs in the chunk the lowest rank goes first, not the leftmost or the longest"
SMALLEST = "チャンクの中で順位の最も小さいペアからです。左端や最長のものではありません"
ENCODED = (
    ("low", "l+o lo+w", "join what the ranks know, again and again", "順位のあるペアをつなぐことを繰り返します"),
    ("lowest", "l+o lo+w e+s es+t", "go on until no pair has a rank", "順位のあるペアがなくなるまで続けます"),
    ("est", "s+t e+s es+t", LOWEST, SMALLEST),
    ("abcd", "c+d b+cd a+b", LOWEST, SMALLEST),
    (
        "aaaaa",
        "a+a aa+aa",
        "merge all places of the pair, from left to right",
        "左から右へ、そのペアの所をすべてつなぎます",
    ),
    ("abc", "a+b b+c a+bc", "look up the pair, not the text that it makes", "つないだ文字列ではなく、ペアを引きます"),
    (
        "abc",
        "ab+c a+b",
        "a merge can make a pair of a lower rank: look at all pairs again",
        "マージで、順位のもっと小さいペアができることもあります。毎回すべてのペアを見ます",
    ),
    ("xyz", "a+b", "what has no rank stays as it is", "順位のないものはそのままです"),
    ("", "a+b", "no tokens, no pairs", "トークンがなければペアもありません"),
    ("猫が", "猫+が", "one pair is enough", "ペアは1つでも十分です"),
)


@exercise("build.3", level=2, minutes=30, ja="順位に従ってエンコードする。")
def encode_by_rank(answer):
    """Turn the characters of a chunk into tokens, lowest rank first."""
    encode, walked = function(answer), False
    for word, merges, hint, tip in ENCODED:
        pairs = [tuple(merge.split("+")) for merge in merges.split()]
        walked |= check_encoder(encode, word, pairs, hint, tip)
    draw = random.Random(3)
    for _ in range(CORPORA):
        words = ["".join(draw.choices("abc", k=7)) for _ in range(4)]
        merges = learned(dict.fromkeys(words[:3], 1), 8)
        walked |= check_encoder(encode, words[3], merges, "do this one by hand", "この例を手で試してみましょう")
    if walked:
        raise Wrong(
            "The tokens are right, but you walk through all ranks. GPT-2 has 50,000 of them, and a chunk a few pairs. "
            "Hint: look up the pairs that stand in the chunk.",
            ja="トークンは正しいのですが、すべての順位を順に見ています。GPT-2では5万もありますが、"
            "チャンクの中のペアはわずかです。ヒント：チャンクの中のペアだけを引いてください。",
        )


def check_encoder(encode, word, merges, hint, tip):
    """Whether the reader's function walked through all ranks; Wrong for other tokens."""
    ranks = Ranks({pair: rank for rank, pair in enumerate(merges)})
    called = shown_call(encode, [list(word), dict(ranks)])
    ranks.walked = False
    theirs = texts(call(encode, list(word), ranks), called)
    compare_tokens(called, theirs, by_rank(list(word), merges), hint, tip)
    return ranks.walked


def by_rank(tokens, merges):
    """What is wanted."""
    known = {pair: rank for rank, pair in enumerate(merges)}
    while pairs := [pair for pair in pairwise(tokens) if pair in known]:
        tokens = reference.apply_merge(tokens, min(pairs, key=known.get))
    return tokens


# --- 4: bytes and Ġ -------------------------------------------------------------------------------------

SPELLED = ("low", " low", "é", "猫が好き", "🐈", "\n\t", "\x00\x7f\xad", "")


@exercise("build.4", level=2, minutes=40, ja="バイトを見える文字で書き、また戻す。")
def bytes_as_characters(answer):
    """Spell bytes as visible characters, and read them again."""
    written = functions(answer, "byte_characters", "visible", "text_of")
    table = next(written)
    check_table(table)
    visible = next(written)
    for line in SPELLED:
        called, wanted = shown_call(visible, [line]), spelled(line)
        theirs = text(call(visible, line), called)
        if theirs != wanted:
            hint, tip = (
                "first the bytes of UTF-8, then a character for each",
                "まずUTF-8のバイト、次に1バイト1文字です",
            )
            raise differs(called, shown(theirs), shown(wanted), hint, tip)
    text_of = next(written)
    for line in SPELLED:
        whole = spelled(line)
        for tokens in ([whole], list(whole), [whole[:2], whole[2:]]):
            check_read(text_of, tokens, line)
    check_read(text_of, ["a", "ã", "ģ"], "a\ufffd")


def spelled(line):
    """A text as GPT-2's byte characters."""
    return byte_level(line.encode())


def check_table(table):
    called, found = shown_call(table, []), call(table)
    theirs = dict(enumerate(found)) if isinstance(found, list | tuple | str) else mapping(found, called)
    wanted = dict(enumerate(byte_characters()))
    if len(theirs) != 256:
        raise differs(f"len({called})", len(theirs), 256, "one for each byte", "バイトごとに1つです")
    for byte in wanted:
        if byte not in theirs:
            raise Wrong(
                f"{called} must have all bytes, the ints 0 to 255, as its keys; {byte} is missing. "
                f"One of yours is {shown(next(iter(theirs)))}.",
                ja=f"{called} は、すべてのバイト（0から255の整数）をキーにしてください。{byte}がありません。"
                f"今のキーの1つは{shown(next(iter(theirs)))}です。",
            )
        if text(theirs[byte], called) != wanted[byte]:
            hint, tip = why_byte(byte, ord(wanted[byte]))
            raise differs(f"{called}[{byte}]", shown(theirs[byte]), shown(wanted[byte]), hint, tip)


def why_byte(byte, number):
    """(hint, its Japanese) for a byte that got another character."""
    if byte == number:
        return (
            "this byte stands for itself; does a range of yours end too early?",
            "このバイトはそのままの文字です。rangeの終わりは足りていますか",
        )
    if byte == 173:
        return "173 can't be seen: it lies between ¬ and ®", "173は見えません。¬と®の間にあります"
    return (
        "what can't be seen is numbered on from 256, in the order of the bytes",
        "見えないバイトには、バイトの順に256から番号を付けます",
    )


def check_read(text_of, tokens, wanted):
    called = shown_call(text_of, [tokens])
    theirs = text(call(text_of, tokens), called)
    if theirs != wanted:
        hint = "join the bytes of all tokens before you decode them, with errors='replace'"
        tip = "すべてのトークンのバイトをつないでから、errors='replace'でデコードします"
        raise differs(called, shown(theirs), shown(wanted), hint, tip)


# --- 5: the split pattern -------------------------------------------------------------------------------

SPLIT = (
    ("low lower", "a blank belongs to the letters after it", "空白は後ろの文字に付きます"),
    ("It's we'll I'd", "an apostrophe with s, t, re, ve, m, ll or d is a chunk", "短縮形の語尾は1つのチャンクです"),
    ("IT'S o'clock", "the endings are small letters, and letters after others go on", "語尾は小文字だけです"),
    ("it’s", "only the straight apostrophe of ASCII has endings", "語尾が付くのはASCIIのまっすぐな「'」だけです"),
    ("12345 + 6789年", "letters, numerals and other characters are three kinds", "文字・数字・その他は別の種類です"),
    ("猫が本を2冊読む。", "letters of any script: \\p{L}", "あらゆる文字体系の文字：\\p{L}"),
    ("2² 3½!", "numerals of any kind are one kind: \\p{N}", "どの数字も同じ種類です：\\p{N}"),
    ("x² ½ Ⅷ 二", "numerals of any kind: \\p{N}", "あらゆる数字：\\p{N}"),
    ("a  b   c", "of a run of blanks the last one goes with the word", "続いた空白の最後だけが単語に付きます"),
    ("a\n\n b\t\tc", "white space is more than blanks, but only a blank goes with a word",
     "空白文字はいろいろありますが、単語に付くのは半角空白だけです"),
    ("end  \n", "white space at the end is one chunk", "末尾の空白文字は1つのチャンクです"),
    ("snake_case(x)==1;", "_ is no letter: \\w would take it", "_は文字ではありません（\\wなら含まれます）"),
    ("か\u3099 🐈\u200d⬛", "a mark is no letter", "結合文字は\\p{L}ではありません"),
    ("a\u3000b\xa0c\r\nd", "white space of Unicode: \\s", "Unicodeの空白文字：\\s"),
    ("", "nothing gives nothing", "空の文字列からは何も出ません"),
)  # fmt: skip


@exercise("build.5", level=2, minutes=45, ja="GPT-2のように切り、IDを求める。")
def split_and_number(answer):
    """Cut text as GPT-2 does, and number the tokens."""
    written = functions(answer, "split", "numbered")
    split = next(written)
    for line, hint, tip in SPLIT:
        check_split(split, line, hint, tip)
    hidden = hidden_texts(20)
    for line in hidden:
        on_smallest(lambda part: check_split(split, part), line)
    number, gpt2 = next(written), published()
    for line, _, _ in SPLIT:
        check_ids(number, [line], gpt2, gpt2.encode_ordinary(line))
    for line in hidden:
        on_smallest(lambda part: check_ids(number, [part], gpt2, gpt2.encode_ordinary(part)), line)
    return Right("right. Your chunks and ids are GPT-2's", ja="正解です。チャンクもIDもGPT-2と同じです")


def check_split(
    split, line, hint="where does GPT-2 cut here, and by which alternative?", tip="どの選択肢がここで切りますか"
):
    called = shown_call(split, [line], LONGEST)
    theirs = items(call(split, line), called)
    if any(isinstance(piece, tuple) or piece == "" for piece in theirs):
        raise Wrong(
            f"{called} gives {shown(theirs)}: pieces that aren't the chunks. "
            "Hint: findall returns what round brackets hold; (?:...) only groups.",
            ja=f"{called} は{shown(theirs)}を返し、チャンクになっていません。"
            "ヒント：findallは丸括弧の中だけを返します。(?:...)なら、まとめるだけです。",
        )
    compare_tokens(called, texts(theirs, called), chunk(line, "gpt2"), hint, tip)


def published():
    """GPT-2's tokenizer by tiktoken."""
    try:
        return vocabularies.load("gpt2")
    except ImportError as error:
        reason = words_of(error)
        raise Wrong(f"GPT-2's list isn't there: {reason}.", ja=f"GPT-2の語彙がありません：{reason}。") from None


@cache
def published_lists():
    """GPT-2's (pair -> rank, token -> id), in byte characters."""
    merges = vocabularies.tokenizer("gpt2").merges
    ranks = {(byte_level(merge.left), byte_level(merge.right)): rank for rank, merge in enumerate(merges)}
    return ranks, {byte_level(token): i for i, token in enumerate(vocabularies.tokens("gpt2"))}


def hidden_texts(pairs):
    """Lines in English, Japanese and Python."""
    both = corpora.pairs("parallel", "test")[:pairs]
    code = Path(reference.__file__).read_text(encoding="utf-8").split("\n\n\n")[:pairs]
    return [line for pair in both for line in pair[:2]] + code


def check_ids(number, args, gpt2, wanted, hint="cut, spell, encode, look up: which of the four differs?",
              tip="切る・綴る・エンコードする・引く。4つのうちどれが違いますか"):  # fmt: skip
    called = shown_call(number, args, LONGEST)
    theirs = whole_numbers(call(number, *args), called)
    if theirs != wanted:
        names = {i: gpt2.decode_single_token_bytes(i) if 0 <= i < gpt2.n_vocab else f"#{i}" for i in theirs + wanted}
        compare_tokens(called, [names[i] for i in theirs], [names[i] for i in wanted], hint, tip)


# --- 6: special tokens, and the whole -------------------------------------------------------------------

END = "<|endoftext|>"
SPECIAL = (
    ("Hello", (), "no special token here", "特殊トークンはありません"),
    (f"One.{END}Two.", (), "not allowed, so it is text like any other", "許可がなければ、ただの文です"),
    (
        f"One.{END}Two.",
        (END,),
        "allowed, so it is one id: find the names before you cut the parts between them",
        "許可があれば、1つのIDです。まず名前を見つけ、それからその間を切ります",
    ),
    (
        f"{END}{END} a",
        (END,),
        "nothing stands between two special tokens",
        "2つの特殊トークンの間には何もありません",
    ),
    (f"blank {END} blank", (END,), "each part is cut by itself", "それぞれの部分を別々に切ります"),
    ("<|endoftext|", (END,), "only the whole name is special", "名前が完全なときだけ特別です"),
    (
        "a|b <|x|>",
        (END,),
        "| means something else in a pattern: regex.escape",
        "|はパターンで別の意味です：regex.escape",
    ),
    ("", (END,), "nothing gives nothing", "空の文字列からは何も出ません"),
)


OWN = "it was made with other lists: use what __init__ got, no global names, and nothing that another GPT2 keeps"
OWN_JA = (
    "別のリストで作ったものです。使うのは__init__が受け取ったものだけで、グローバル変数やほかのGPT2の値は使いません"
)


@exercise("build.6", level=3, minutes=60, ja="特殊トークンを扱い、全体を1つのクラスにする。")
def whole_tokenizer(answer):
    """Special tokens, and all of it in one class that equals GPT-2's."""
    if not callable(answer):
        raise Wrong("The answer must be a class.", ja="答えはクラスにしてください。")
    gpt2 = published()
    made = call(answer, *published_lists(), {END: gpt2.eot_token})
    encode, hidden = method(made, "encode"), hidden_texts(80)
    for line, allowed, hint, tip in SPECIAL:
        wanted = gpt2.encode(line, allowed_special=set(allowed), disallowed_special=())
        check_ids(encode, [line, allowed], gpt2, wanted, hint, tip)
    for line in hidden:
        on_smallest(lambda part: check_ids(encode, [part], gpt2, gpt2.encode_ordinary(part)), line)
    decode = method(made, "decode")
    for ids in ([15496, 995], [162], [162, 234, 104], [50256], [15496, 50256, 15496], []):
        check_text(decode, ids, gpt2.decode(ids))
    for line in hidden:
        on_smallest(lambda ids: check_text(decode, ids, gpt2.decode(ids)), gpt2.encode_ordinary(line))
    check_own_lists(answer)
    return Right(
        "right. On English, Japanese and code your tokenizer is GPT-2's",
        ja="正解です。英語・日本語・プログラムで、GPT-2とまったく同じです",
    )


def check_own_lists(answer):
    """The class must use what it is given: other lists than GPT-2's, and two special tokens."""
    table = byte_characters()
    ranks, vocab = {("l", "o"): 0}, {"lo": 256} | {character: byte for byte, character in enumerate(table)}
    special = {"<a>": 257, "<b>": 258}
    made, made_by = call(answer, ranks, vocab, special), f"{shown(answer)}({ranks}, …, {special})"
    encode, decode = method(made, "encode"), method(made, "decode")
    spell = {i: name for name, i in (vocab | special).items()}
    for line, allowed, wanted in (
        ("low", (), [256, 119]),
        ("Hello", (), [72, 101, 108, 256]),
        ("lo<b><a>", ("<b>",), [256, 258, 60, 97, 62]),
        ("<a>lo<b>", ("<a>", "<b>"), [257, 256, 258]),
    ):
        called = f"{made_by}.{shown_call(encode, [line, allowed])}"
        theirs = whole_numbers(call(encode, line, allowed), called)
        compare_tokens(called, [spell.get(i, f"#{i}") for i in theirs], [spell[i] for i in wanted], OWN, OWN_JA)
        called = f"{made_by}.{shown_call(decode, [wanted])}"
        theirs = text(call(decode, wanted), called)
        if theirs != line:
            raise differs(called, shown(theirs), shown(line), OWN, OWN_JA)


def method(made, name):
    """A method of what the reader's class made."""
    try:
        found = getattr(made, name)
    except Exception:
        found = None
    if not callable(found):
        raise Wrong(f"The class has no method {name}.", ja=f"クラスに{name}というメソッドがありません。")
    if is_stub(getattr(found, "__func__", found)):
        raise Open(f"{name} isn't written yet", ja=f"{name}はまだ書かれていません")
    return found


def check_text(decode, ids, wanted):
    called = shown_call(decode, [ids], LONGEST)
    theirs = text(call(decode, ids), called)
    if theirs != wanted:
        at = max(0, first_difference(theirs, wanted) - 10)
        hint, tip = (
            "join the bytes of all tokens first, and decode once",
            "まずすべてのトークンのバイトをつなぎ、一度にデコードします",
        )
        if END in wanted:
            hint, tip = "a special token becomes its own name", "特殊トークンは、その名前になります"
        raise differs(called, shown(theirs[at : at + 60]), shown(wanted[at : at + 60]), hint, tip)
