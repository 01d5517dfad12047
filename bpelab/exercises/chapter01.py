"""The checks of chapter 01: cutting text into chunks."""

import itertools
import re
import unicodedata

import regex

from bpelab.chunking import PATTERNS, chunk
from bpelab.exercises.checking import Wrong, call, exercise, mapping, shown, shown_call, text, texts, whole_number


def chunks_by(answer, sample):
    """The chunks that a reader's pattern or function makes of a sample; Wrong where it can't, or loses something."""
    if callable(answer) and not isinstance(answer, type):
        found = texts(call(answer, sample), of=shown_call(answer, [sample]))
    else:
        try:
            found = chunk(sample, getattr(answer, "pattern", answer))
        except (TypeError, ValueError) as error:
            raise Wrong(
                f"bpelab.chunk can't cut with it: {error}", ja=f"bpelab.chunkではこれで切れません：{error}"
            ) from None
    if "".join(found) != sample:
        raise Wrong(
            f"Re-joined, the chunks of {shown(sample)} are another text: {shown(''.join(found))}. "
            "Hint: every character must come back, blanks and marks too.",
            ja=f"{shown(sample)} のチャンクをつなぐと別の文になります：{shown(''.join(found))}。"
            "ヒント：空白も記号も、すべての文字が戻らなければなりません。",
        )
    return [piece for piece in found if piece]


def cut(found):
    """Chunks as text, with | at the cuts."""
    return "|".join(found).replace(" ", "␣").replace("\n", "⏎")


@exercise("01.1", level=1, minutes=3, ja="GPT-2のパターンがある文を何個に切るかを予想する。")
def chunks_of_a_sentence(answer):
    """Predict how many chunks GPT-2's pattern makes of a sentence."""
    number = whole_number(answer)
    if number == 4:
        raise Wrong(
            "You cut at blanks only. Hint: GPT-2's pattern also cuts between letters, digits and punctuation.",
            ja="空白でしか切っていません。ヒント：GPT-2のパターンは、文字・数字・記号の境目でも切ります。",
        )
    if number == 7:
        raise Wrong(
            "One too few, as o200k would cut. Hint: what does the first alternative take?",
            ja="1つ足りません。それはo200kの切り方です。ヒント：最初の選択肢は何を取りますか。",
        )
    if number != 8:
        raise Wrong(
            "Not that many. Hint: go through the alternatives from left to right. Of a run of blanks the last one "
            "belongs to what follows, and the line end is a chunk as well.",
            ja="その数ではありません。ヒント：選択肢を左から順に当てはめてください。続いた空白は最後の1つだけが"
            "次の語に付き、改行も1つのチャンクです。",
        )


#: What the typographic apostrophe must change, what capitals must change, and what must stay as it was.
TYPOGRAPHIC = ("it’s", "don’t they’ll", "we’ve, you’re; I’m sure he’d")
CAPITALS = ("IT'S", "IT’S", "THEY'RE WE’VE i’M", "I'LL")
UNCHANGED = ("it's they'll", "rock ’n’ roll", "“Go!” he said, ‘now’", "5’ 10  a\n\n b", "’ ’", "猫’が", "x’ve_1’x", "")
ENDINGS = r"['’](?i:[sdmt]|ll|ve|re)" + PATTERNS["gpt2"].removeprefix(r"'(?:[sdmt]|ll|ve|re)")


@exercise("01.2", level=2, minutes=8, ja="GPT-2のパターンで、’ と大文字にも短縮形の語尾を認める。")
def endings_after_both_apostrophes(answer):
    """Give ’ the endings of ' in GPT-2's pattern, in either case."""
    found = {sample: chunks_by(answer, sample) for sample in (*TYPOGRAPHIC, *CAPITALS, *UNCHANGED)}
    wrong = [sample for sample in found if found[sample] != chunk(sample, ENDINGS)]
    if not wrong:
        return
    first, as_before = wrong[0], [sample for sample in wrong if found[sample] == chunk(sample, "gpt2")]
    now_en, now_ja = f"You cut {cut(found[first])}. ", f"今の切り方：{cut(found[first])}。"
    if set(as_before) >= {*TYPOGRAPHIC, *CAPITALS[1:2]}:
        raise Wrong(
            f"{now_en}Nothing has changed there. Hint: alternatives are tried from left to right, and an earlier one "
            "already takes the ’.",
            ja=f"{now_ja}何も変わっていません。ヒント：選択肢は左から順に試され、’ は先にある別の選択肢に取られます。",
        )
    if first in CAPITALS and not set(wrong) & set(UNCHANGED):
        raise Wrong(
            f"{now_en}That isn't yet right for capitals. Hint: (?i:…) makes a part of a pattern blind to case; both "
            "apostrophes need it.",
            ja=f"{now_ja}大文字がまだです。ヒント：(?i:…) で囲むと大文字と小文字を区別しません。2つのアポストロフィの"
            "どちらにも必要です。",
        )
    if first in UNCHANGED:
        raise Wrong(
            f"{now_en}GPT-2 cuts this in another way, and it was to stay. Hint: change the first alternative only.",
            ja=f"{now_ja}ここはGPT-2と同じままのはずです。ヒント：変えるのは最初の選択肢だけです。",
        )
    raise Wrong(
        f"{now_en}An ending isn't a chunk of its own there. Hint: s, d, m, t, ll, ve and re may follow either "
        "apostrophe.",
        ja=f"{now_ja}語尾が1つのチャンクになっていません。ヒント：s、d、m、t、ll、ve、re は、どちらのアポストロフィの"
        "後にも来ます。",
    )


NUMERALS = ("1", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "1234567890123")
AMONG_OTHERS = ("2024年", "in 12345 days", "a1234b56789", "12345, 1234567.", "")


@exercise("01.3", level=2, minutes=10, ja="数字を右から3桁ずつ区切るパターンを書く。")
def digits_from_the_right(answer):
    """Cut digits into groups of three from the right, at any length."""
    for sample in (*NUMERALS, *AMONG_OTHERS):
        found = chunks_by(answer, sample)
        groups = [piece.strip(" ") for piece in found if re.search(r"\d", piece)]
        mixed = [piece for piece in groups if re.search(r"\D", piece)]
        if mixed:
            raise Wrong(
                f"In {shown(sample)}, digits and other characters share the chunk {shown(mixed[0])}. "
                "Hint: digits by one alternative, the rest by another.",
                ja=f"{shown(sample)} で、数字とほかの文字が同じチャンク {shown(mixed[0])} に入っています。"
                "ヒント：数字とそれ以外を別々の選択肢で取ります。",
            )
        if groups == [group for run in re.findall(r"\d+", sample) for group in _grouped(run)]:
            continue
        if sample in AMONG_OTHERS:
            raise Wrong(
                f"Bare numbers are right, but here you cut {cut(found)}. Hint: digits may end before the text does.",
                ja=f"数字だけなら正しいのですが、ここでは {cut(found)} となります。ヒント：数字の並びは文の途中でも"
                "終わります。",
            )
        if groups == re.findall(r"\d{1,3}", sample):
            raise Wrong(
                f"{cut(found)} is grouped from the left. Hint: a group may begin only where a multiple of three "
                "digits follows it; (?=…) looks ahead without taking anything.",
                ja=f"{cut(found)} は左から区切っています。ヒント：後ろに残る桁数が3の倍数になるところで区切ります。"
                "(?=…) は文字を取らずに先を見ます。",
            )
        if len(sample) > 6:
            raise Wrong(
                f"Right up to six digits, but then {cut(found)}. Hint: how many groups may follow? Let a repeat "
                "say it, not a number.",
                ja=f"6桁までは合っていますが、{cut(found)} となります。ヒント：後ろに続く組はいくつでもありえます。"
                "個数を書かず、繰り返しで表してください。",
            )
        raise Wrong(
            f"You cut {cut(found)}. Hint: only the first group may be shorter than three.",
            ja=f"今の切り方：{cut(found)}。ヒント：3桁より短くてよいのは最初の組だけです。",
        )


def _grouped(digits):
    """Groups of three from the right.

    >>> _grouped("1234567")
    ['1', '234', '567']
    """
    first = len(digits) % 3
    return [digits[:first]] * bool(first) + [digits[i : i + 3] for i in range(first, len(digits), 3)]


JAPANESE = (
    "猫が東京で本を読みます。",
    "コンビニ行くなら、ついでに牛乳買ってきてくれない？",
    "人々は「お茶を飲みたい」と言った！",
    "2024年に始まり、今も続く。\n終わりは、まだ見えません。",
    "これは？ ABC社の製品です。",
    "",
)
MARKS = "。、？！「」"


@exercise("01.4", level=2, minutes=12, ja="漢字と続くひらがなを1つに保つ切り方を書く。")
def kanji_with_their_endings(answer):
    """Cut Japanese so that kanji keep the hiragana after them."""
    for sample in JAPANESE:
        found = chunks_by(answer, sample)
        for before, after in itertools.pairwise(found):
            if regex.search(r"\p{Han}$", before) and regex.match(r"\p{Hiragana}", after):
                raise Wrong(
                    f"In {cut(found)}, {after} was cut from the kanji before it. Hint: let one alternative take "
                    "kanji and then hiragana.",
                    ja=f"{cut(found)} では、{after} が前の漢字から切れています。ヒント：漢字に続けてひらがなも取る"
                    "選択肢を作ります。",
                )
        for piece in found:
            if set(piece) & set(MARKS) and regex.search(r"[\p{L}\p{N}]", piece):
                raise Wrong(
                    f"The chunk {cut([piece])} holds a mark beside other characters. Hint: what is no letter goes "
                    "into a chunk of its own.",
                    ja=f"チャンク {cut([piece])} では、記号がほかの文字と一緒です。ヒント：文字でないものは別の"
                    "チャンクにします。",
                )
            if regex.search(r"\p{Hiragana}\p{Han}", piece):
                raise Wrong(
                    f"The chunk {cut([piece])} goes on after the hiragana into the next kanji. Hint: kanji come "
                    "first in a chunk, hiragana last.",
                    ja=f"チャンク {cut([piece])} は、ひらがなの後の漢字まで続いています。ヒント：チャンクの中では漢字が"
                    "先、ひらがなが後です。",
                )


#: The five of the exercise, as its cell has them.
FIVE = {
    "runs": lambda text: re.findall(r"\S+|\s+", text),
    "threes": lambda text: re.findall(r".{1,3}", text),
    "lines": lambda text: text.splitlines(keepends=True),
    "lower": lambda text: re.findall(r"\w+|\W+", text.lower()),
    "composed": lambda text: list(unicodedata.normalize("NFC", text)),
}
LOSSY = ("threes", "lower", "composed")


@exercise("01.5", level=2, minutes=10, ja="5つの切り方から、元に戻せないものを例つきで挙げる。")
def lossy_ones_with_a_witness(answer):
    """Name the lossy ones of five chunkers, each with a text that it loses."""
    witnesses = mapping(answer)
    for name, witness in witnesses.items():
        if not isinstance(name, str) or name not in FIVE:
            raise Wrong(
                f"There is no chunker {shown(name)}. Hint: the answer is a dict, name to text.",
                ja=f"{shown(name)} という切り方はありません。ヒント：答えは「名前: 文」の辞書です。",
            )
        witness = text(witness, en="a dict of texts", ja="文を値とする辞書")
        if "".join(FIVE[name](witness)) == witness:
            raise Wrong(
                f"{shown(witness)} is no witness: {name} gives it back whole. Hint: which characters does it never "
                "take, or change? If there are none, it isn't lossy.",
                ja=f"{shown(witness)} は証拠になりません。{name} で元に戻ります。ヒント：取らない文字や、変えてしまう"
                "文字はありますか。なければ、元に戻せる切り方です。",
            )
    if len(witnesses) < len(LOSSY):
        raise Wrong(
            f"Your witnesses hold, but {len(witnesses)} isn't all. Hint: think of line ends, of capitals, and of "
            "characters that are written in two ways.",
            ja=f"挙げた例は正しいですが、{len(witnesses)}個では足りません。ヒント：改行、大文字、2通りに書ける文字を"
            "考えてください。",
        )
