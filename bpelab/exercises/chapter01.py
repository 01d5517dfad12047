"""The checks of chapter 01: cutting text into chunks."""

from bpelab.exercises.checking import Wrong, exercise, whole_number


@exercise("01.1", level=1, minutes=3)
def chunks_of_a_sentence(answer):
    """Predict how many chunks GPT-2's pattern makes of a sentence."""
    number = whole_number(answer)
    if number == 4:
        raise Wrong(
            "You cut at blanks only. Hint: GPT-2 also cuts between letters, digits and punctuation.",
            ja="空白でしか切っていません。ヒント：GPT-2のパターンは、文字・数字・記号の境目でも切ります。",
        )
    if number == 7:
        raise Wrong(
            "So cuts o200k, which keeps a contraction whole. Hint: what does GPT-2's first alternative take?",
            ja="それは短縮形を切らないo200kの数です。ヒント：GPT-2の最初の選択肢は何を取りますか。",
        )
    if number != 8:
        raise Wrong(
            "Not that many. Hint: of a run of blanks, the last one belongs to what follows, and the line end is a "
            "chunk as well.",
            ja="その数ではありません。ヒント：続いた空白のうち最後の一つは後ろに付きます。改行も一つのチャンクです。",
        )
