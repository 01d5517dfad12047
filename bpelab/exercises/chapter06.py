"""The checks of chapter 06: speed."""

import random
from collections import Counter
from heapq import heapify, heappush
from itertools import pairwise
from math import log
from statistics import linear_regression

from bpelab import chunking, reference, training
from bpelab.exercises.checking import (
    Right,
    Wrong,
    call,
    exercise,
    function,
    items,
    number,
    real,
    shown,
    shown_call,
    text,
    whole_number,
    whole_numbers,
)

BORDER = -1
MOST_TEXT, MERGES, SHARES = 1_000_000, 500, (16, 4, 1)


@exercise("06.1", level=1, minutes=4, ja="5個のマージで数え直しが見るペアの数を予想する。")
def pairs_looked_at(answer):
    """Predict how many pairs a recount looks at in five merges."""
    looked = whole_number(answer)
    if looked == 10:
        raise Wrong(
            "So many are looked at for the first merge. Hint: before the second, all are counted again; how many "
            "pairs are left then?",
            ja="それは1回目のマージの分だけです。"
            "ヒント：2回目の前にもう一度すべて数えます。そのとき、ペアはいくつ残っていますか。",
        )
    if looked == 50:
        raise Wrong(
            "That is five times the first count. Hint: each merge makes the chunks shorter.",
            ja="それは1回目の5倍です。ヒント：マージのたびにチャンクは短くなります。",
        )
    if looked == 39:
        raise Wrong(
            "You added up the symbols. Hint: a chunk of n symbols has n − 1 pairs.",
            ja="記号の数を足しています。ヒント：記号がn個のチャンクには、ペアがn−1個あります。",
        )
    if looked != 24:
        raise Wrong(
            "Not that many. Hint: write the three chunks, low, ␣low and ␣lower, anew after each merge. Count the "
            "neighbours in each; none stands across two chunks.",
            ja="その数ではありません。ヒント：3つのチャンクlow、␣low、␣lowerをマージのたびに書き直し、"
            "それぞれの中で隣り合うペアを数えましょう。チャンクをまたぐペアはありません。",
        )


# --- the queue ----------------------------------------------------------------------------------------


class Shared:
    """What the reader's function works on, call after call: it isn't copied."""

    def __deepcopy__(self, memo):
        return self


class Queue(Shared, list):
    """A heap of (-count, pair), entries perhaps out of date."""


class Counts(Shared, Counter):
    """The true counts: look up one, but don't go through all."""

    def _all(self, *_):
        raise Wrong(
            "You go through all the counts. So does `recount`, and that is what the queue saves. "
            "Hint: start at the top of the queue, and look up `counts[pair]` of what comes from there.",
            ja="すべての回数を見ています。それでは`recount`と同じで、キューを使う意味がありません。"
            "ヒント：キューの先頭から始めて、出てきたペアの`counts[pair]`だけを調べましょう。",
        )

    __iter__ = keys = values = items = most_common = _all
    __repr__ = dict.__repr__

    def true(self):
        """The pairs that occur, with their counts, as a dict."""
        return {pair: n for pair, n in dict.items(self) if n > 0}


def start(chunks):
    """Words, weights, counts and places, as the chapter makes them."""
    words, weights = [list(chunk) for chunk in chunks], list(chunks.values())
    counts, places = Counts(), {}
    for at, word in enumerate(words):
        for pair in pairwise(word):
            counts[pair] += weights[at]
            places.setdefault(pair, set()).add(at)
    return words, weights, counts, places


def merge(pair, words, weights, counts, places):
    """The chapter's merge; returns the new pairs."""
    fresh = {}
    for at in places.pop(pair):
        for old in pairwise(words[at]):
            counts[old] -= weights[at]
        words[at] = reference.apply_merge(words[at], pair)
        for new in pairwise(words[at]):
            counts[new] += weights[at]
            if "".join(pair) in new:
                fresh.setdefault(new, set()).add(at)
    places |= fresh
    return fresh


def tables_of_chunks():
    """Two hundred tables of chunks; the smallest first, so that a witness is small."""
    tables = [{"low": 1, " low": 1, " lower": 1}, {"aab": 2, "ba": 2}, {"abc": 2, "bcd": 1, "xyz": 2}]
    draw = random.Random(63)
    for at in range(197):
        letters = draw.choice(("ab", "abc", "abcd", "aab猫"))
        words = ["".join(draw.choices(letters, k=draw.randint(2, 7))) for _ in range(2 + at // 20)]
        tables.append({word: draw.randint(1, 4) for word in words})
    return tables


def claims(queue):
    """{pair: the highest count that an entry of the queue gives it}"""
    claimed = {}
    for entry in list.__iter__(queue):
        if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[1], tuple):
            claimed[entry[1]] = max(claimed.get(entry[1], 0), -entry[0])
    return claimed


def is_heap(queue):
    """Whether no entry is smaller than the one above it."""
    entries = list(list.__iter__(queue))
    return all(entries[(at - 1) // 2] <= entries[at] for at in range(1, len(entries)))


def check_choice(best, queue, counts):
    """One call of the reader's function, judged; the pair."""
    true, claimed, heap = counts.true(), claims(queue), is_heap(queue)
    wanted = reference.best_pair(true, "largest") if true else None
    seen = shown([*list.__iter__(queue)], 120)
    where, ja = f"For the queue {seen}: ", f"キュー {seen} で、"
    pair = call(best, queue, counts)
    if counts.true() != true:
        raise Wrong(
            f"{where}the function has changed the counts. Hint: only the queue is its to change.",
            ja=f"{ja}関数が回数を変えています。ヒント：変えてよいのはキューだけです。",
        )
    if pair is None and wanted is None:
        return None
    if pair is None:
        raise Wrong(
            f"{where}None came back, but the pair {wanted} still occurs. Hint: None is for the end, when no pair of "
            "the queue occurs any more.",
            ja=f"{ja}None が返りましたが、ペア{wanted}はまだあります。"
            "ヒント：None を返すのは、キューのどのペアも現れなくなったときだけです。",
        )
    pair = tuple(pair) if isinstance(pair, list) else pair
    if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair)):
        raise Wrong(
            f"{where}a pair of two strings must come back, or None; yours returned {shown(pair)}.",
            ja=f"{ja}文字列2つの組か None を返してください（今は {shown(pair)}）。",
        )
    if pair != wanted:
        raise why_not(pair, wanted, true, claimed if heap else None, where, ja)
    check_queue(queue, pair, true, claimed, where, ja)
    return pair


def why_not(pair, wanted, true, claimed, where, ja):
    """What is wrong with a pair that isn't the wanted one; claimed: None if an earlier call left no heap."""
    count = true.get(pair, 0)
    if claimed is None:
        return Wrong(
            f"{where}you took {pair}. An earlier call has left the queue in disorder, so its first entry needn't be "
            "the smallest. Hint: put entries back with `heappush`.",
            ja=f"{ja}{pair}を選びました。前の呼び出しでキューがヒープでなくなり、先頭が最小とは限らなくなっています。"
            "ヒント：要素は`heappush`で戻しましょう。",
        )
    if wanted is not None and count == true[wanted]:
        return Wrong(
            f"{where}you took {pair}; {wanted} is as frequent (count {count}), and larger. Hint: `heapq` gives the "
            "smallest of equals first, so the first entry that is up to date needn't be the one.",
            ja=f"{ja}{pair}が返りましたが、{wanted}も同じ{count}回で、こちらのほうが大きいペアです。"
            "ヒント：`heapq`は同点のペアのうち最小のものを先に出します。最初に見つかった古くない要素が答えとは限りません。",
        )
    if claimed.get(pair, count) != count:
        return Wrong(
            f"{where}you took {pair}, whose entry says {claimed[pair]}; its count is {count} now. "
            "Hint: compare an entry with `counts` before you believe it.",
            ja=f"{ja}{pair}を選びました。要素では{claimed[pair]}回ですが、今の本当の回数は{count}回です。"
            "ヒント：要素を信じる前に`counts`と比べましょう。",
        )
    return Wrong(
        f"{where}you took {pair} (count {count}), and another pair is more frequent. Hint: an entry that goes back "
        "with its true count may no longer be first; look at the top anew.",
        ja=f"{ja}{count}回の{pair}を選びましたが、もっと多いペアがあります。"
        "ヒント：本当の回数を付けて戻した要素は、もう先頭ではないかもしれません。もう一度先頭を見ましょう。",
    )


def check_queue(queue, pair, true, claimed, where, ja):
    """No pair is lost by a right call."""
    kept = claims(queue)
    for other, count in true.items():
        if other == pair or kept.get(other, 0) >= count:
            continue
        if claimed[other] > count:
            raise Wrong(
                f"{where}{pair} is right, but {other} was dropped. Its entry was out of date, yet the pair still "
                f"occurs (count {count}), and a later call will miss it. Hint: it goes back with its true count.",
                ja=f"{ja}{pair}は正解ですが、{other}が捨てられました。"
                f"要素は古くても、ペアはまだ{count}回現れるので、あとで見つからなくなります。"
                "ヒント：本当の回数を付けて戻しましょう。",
            )
        raise Wrong(
            f"{where}{pair} is right, but {other} (count {count}) has gone from the queue, though its entry was up to "
            "date. Hint: what you pop and don't return goes back.",
            ja=f"{ja}{pair}は正解ですが、古くなっていない要素だった{other}（{count}回）がキューから消えました。"
            "ヒント：取り出して返さなかったものは戻しましょう。",
        )


@exercise("06.2", level=3, minutes=20, ja="別の同点規則で、古い要素を含むキューから選ぶ`best`を書く。")
def queue_of_the_largest(answer):
    """Write `best` for another tie rule, with a queue whose entries may be stale."""
    best = function(answer)
    for chunks in tables_of_chunks():
        words, weights, counts, places = start(chunks)
        queue = Queue((-n, pair) for pair, n in dict.items(counts))
        heapify(queue)
        while (pair := check_choice(best, queue, counts)) is not None:
            for new in merge(pair, words, weights, counts, places):
                heappush(queue, (-counts[new], new))
    return Right(
        "right. With it the trainer equals `reference` on 200 corpora, and ties go as in subword-nmt",
        ja="正解です。これで学習プログラムは200個のコーパスで`reference`と一致し、同点のときはsubword-nmtと同じペアを選びます。",
    )


# --- the array of positions ---------------------------------------------------------------------------


@exercise("06.3", level=1, minutes=4, ja="マージのあと、ペアのリストに何が残り、どれが今も正しいかを答える。")
def list_of_a_pair(answer):
    """Say what a pair's list holds after another merge, and which of it is true."""
    halves = items(answer, en="a pair of two lists", ja="2つのリストの組")
    if len(halves) != 2:
        raise Wrong(
            f"Two lists are asked for: what is written, and what is still true; here are {len(halves)} things.",
            ja=f"書かれているものと、今も正しいもの、2つのリストを答えてください（今は{len(halves)}個です）。",
        )
    written, still = map(whole_numbers, halves)
    if sorted(written) == [1, 6, 11]:
        raise Wrong(
            "There stands the new pair, lo+w. Asked is o+w, which was there from the start. "
            "Hint: where did each o with a w behind it stand?",
            ja="それは新しいペアlo+wの位置です。問いは、最初からあったo+wです。"
            "ヒント：後ろにwが続くoは、どこにありましたか。",
        )
    if not written:
        raise Wrong(
            "A list is written once, and nobody goes through it to erase. Hint: a merge looks at the places of its "
            "own pair; the lists of the neighbours are left as they are.",
            ja="リストは一度だけ書かれ、あとから消しに行くことはありません。"
            "ヒント：マージが見るのは自分のペアの位置だけで、隣のペアのリストには触れません。",
        )
    if sorted(written) != [2, 7, 12]:
        raise Wrong(
            "The list isn't so. Hint: a pair's place is the position of its left symbol; position 0 is a border.",
            ja="リストはそうなりません。ヒント：ペアの位置とは、左の記号の位置です。位置0は境界です。",
        )
    if sorted(still) == sorted(written):
        raise Wrong(
            "Are these all still true? Hint: to which token does the o at position 2 belong after the merge?",
            ja="それらは今も正しいでしょうか。ヒント：マージのあと、位置2のoはどのトークンの一部ですか。",
        )
    if still:
        raise Wrong(
            "Some of these are no longer true. Hint: every o of this text has an l before it.",
            ja="もう正しくないものが入っています。ヒント：この文章では、どのoの前にもlがあります。",
        )


def layout(chunks, merges):
    """(symbols, starts of each chunk's tokens): the array after some merges, as the engine keeps it.

    merges: (left, right, id of the new token). What stands inside a longer token is what stood there before.
    """
    symbols, starts = [BORDER], []
    for chunk in chunks:
        starts.append(list(range(len(symbols), len(symbols) + len(chunk))))
        symbols += [*chunk, BORDER]
    for left, right, token in merges:
        for at, places in enumerate(starts):
            end, kept = symbols.index(BORDER, places[0]), []
            while places:
                first, *rest = places
                if rest and (symbols[first], symbols[rest[0]]) == (left, right):
                    last = (rest[1] if len(rest) > 1 else end) - 1
                    symbols[first], symbols[last] = token, first - last - 1
                    rest = rest[1:]
                kept.append(first)
                places = rest
            starts[at] = kept
    return symbols, starts


def arrays():
    """Arrays to look left in; the smallest first."""
    made = [
        layout([[5, 6]], []),
        layout([[5, 6, 7], [5, 6]], [(5, 6, 9)]),
        layout([[2, 3, 4, 6], [3, 4]], [(3, 4, 7), (2, 7, 8)]),
        layout([[1, 1, 1, 1, 1, 2], [4]], [(1, 1, 3), (3, 3, 5)]),
    ]
    draw = random.Random(64)
    for _ in range(20):
        chunks = [draw.choices((0, 1, 2), k=draw.randint(1, 9)) for _ in range(3)]
        merges = [(0, 1, 3), (3, 2, 4), (4, 0, 5), (1, 1, 6), (5, 3, 7), (2, 2, 8), (6, 1, 9)]
        made.append(layout(chunks, merges[: draw.randint(0, 7)]))
    return made


def walked(symbols, i):
    """Where one comes by walking left to the first id."""
    i -= 1
    while i > 0 and symbols[i] < 0:
        i -= 1
    return i


def why_left(symbols, i, wanted, got):
    """What kind of mistake leads to `got`: a hint in English, one in Japanese."""
    before = symbols[i - 1]
    if wanted is None:
        return "at i − 1 is a border: the token is the first of its chunk.", (
            "位置i−1は境界です。このトークンはチャンクの先頭です。"
        )
    if before >= 0 and got == i - before:
        return "at i − 1 stands an id; you took it for a length.", "位置i−1にあるのはIDです。長さとして読んでいます。"
    if got == symbols[wanted]:
        return "that is the token's id; asked is where it starts.", "それはトークンのIDです。問いは始まりの位置です。"
    if before < 0 and got == i - 1:
        return "the token on the left is longer than one symbol.", "左のトークンは記号1つより長いものです。"
    if before < 0 and got == walked(symbols, i):
        return "you walk left to the first id, but inside a long token old ids are still there. What does −k tell?", (
            "左へ進んで最初のIDで止まっていますが、長いトークンの中には古いIDが残っています。−kは何を表しますか。"
        )
    return "one look at i − 1 is enough: is it an id, a border, or −k?", (
        "見るのは位置i−1だけで足ります。ID、境界、−kのどれですか。"
    )


@exercise("06.4", level=2, minutes=8, ja="左隣のトークンの始まりを、1か所だけ見て求める。")
def left_neighbour(answer):
    """Find where the left neighbour of a token starts, in one look."""
    left_of = function(answer)
    for symbols, starts in arrays():
        for places in starts:
            for wanted, i in zip([None, *places], places, strict=False):
                got = call(left_of, symbols, i)
                got = None if got is None else whole_number(got, shown_call(left_of, (symbols, i)))
                if got != wanted:
                    en, ja = why_left(symbols, i, wanted, got)
                    raise Wrong(
                        f"For symbols={symbols} and i={i} yours gives {shown(got)}; it should be {wanted}. Hint: {en}",
                        ja=f"symbols={symbols}、i={i} では {shown(got)} が返りますが、正しくは {wanted} です。"
                        f"ヒント：{ja}",
                    )


# --- how the work grows -------------------------------------------------------------------------------


def measured(part):
    """(bytes in the distinct chunks, places visited, the same by weight, characters in the chunks) of a text."""
    chunks = chunking.count_chunks(part, "gpt2")
    tok = training.train(chunks, MERGES, base="byte", chunking="gpt2")
    size = sum(len(chunk.encode()) for chunk in chunks)
    visited = size - sum(tok.count_tokens(list(chunks)))
    return size, visited, int(tok.lengths[0] - tok.lengths[-1]), sum(map(len, chunks))


def slope(xs, ys):
    """The exponent of a power through points."""
    return linear_regression(list(map(log, xs)), list(map(log, ys))).slope


def too_short():
    return Wrong(
        "This text is too short to see how anything grows. Hint: hand over the text itself, not a file's name, "
        "20,000 characters or more.",
        ja="この文章は短すぎて、増え方が見えません。"
        "ヒント：ファイル名ではなく文章そのものを、2万文字以上渡しましょう。",
    )


def handed_over(answer):
    """(text, points, exponent) as the reader hands them over."""
    given = items(answer, en="text, points and exponent", ja="text、points、exponentの組")
    if len(given) != 3:
        raise Wrong(
            f"Hand over three things: text, points and exponent; here are {len(given)}.",
            ja=f"text、points、exponentの3つを渡してください（今は{len(given)}個です）。",
        )
    whole, points = text(given[0]), [items(point) for point in items(given[1])]
    if len(whole) > MOST_TEXT:
        raise Wrong(
            f"Take the first million characters at most; this text has {len(whole):,}. Hint: text[:1_000_000]",
            ja=f"文章は先頭の100万文字までにしてください（今は{len(whole):,}文字）。ヒント：text[:1_000_000]",
        )
    if len(whole) < 4 * SHARES[0]:
        raise too_short()
    if len(points) != 3 or any(len(point) != 2 for point in points):
        raise Wrong(
            "Points must be three pairs (bytes in distinct chunks, places): of a sixteenth, of a quarter, of all.",
            ja="pointsは（異なるチャンクのバイト数, 位置の数）の組を3つ、16分の1、4分の1、全体の順に並べてください。",
        )
    return whole, [(number(size), number(places)) for size, places in points], real(given[2])


def judge_point(share, part, true, size, places):
    """One of the reader's points against what was measured."""
    distinct, visited, weighted, characters = true
    of, no = f"Of 1/{share} of the text", f"文章の{share}分の1で"
    if size == len(part.encode()) != distinct:
        raise Wrong(
            f"{of}, you counted the bytes of the text. A chunk that comes again costs nothing. "
            "Hint: add up the bytes of the keys of `count_chunks`.",
            ja=f"{no}、文章のバイト数を数えています。もう一度出てくるチャンクに仕事は要りません。"
            "ヒント：`count_chunks`のキーのバイト数を足しましょう。",
        )
    if size == characters != distinct:
        raise Wrong(
            f"{of}, you counted characters. Hint: the merges start from bytes.",
            ja=f"{no}、文字数を数えています。ヒント：マージはバイトから始まります。",
        )
    if size != distinct:
        raise Wrong(
            f'{of}, the distinct chunks don\'t have {shown(size)} bytes. Hint: cut with chunking="gpt2"; the parts are '
            "the first sixteenth, the first quarter, and all of the characters.",
            ja=f'{no}、異なるチャンクは{shown(size)}バイトではありません。ヒント：chunking="gpt2"で切り、'
            "先頭から16分の1、4分の1、全体の文字を使います。",
        )
    if places != int(places):
        raise Wrong(
            f"{of}, the places are {shown(places)}. Are these seconds? They differ from run to run and from machine "
            "to machine. Hint: each replacement makes a chunk one token shorter; count those.",
            ja=f"{no}、位置の数が{shown(places)}です。秒数でしょうか。秒数は実行ごと、マシンごとに変わります。"
            "ヒント：1か所を置き換えるたびにチャンクは1トークン短くなります。それを数えましょう。",
        )
    if places == weighted != visited:
        raise Wrong(
            f"{of}, you weighted the places by how often a chunk comes. The trainer visits a distinct chunk once. "
            "Hint: encode each key of the table once.",
            ja=f"{no}、チャンクの出現回数で重みを付けています。学習プログラムは異なるチャンクを一度だけ訪れます。"
            "ヒント：表のキーを一度ずつエンコードしましょう。",
        )
    if places != visited:
        raise Wrong(
            f'{of}, not {shown(places)} places are visited. Hint: train 500 merges with base="byte" on this part; the '
            "places are the bytes of the distinct chunks less the tokens in them.",
            ja=f"{no}、訪れる位置の数は{shown(places)}ではありません。"
            'ヒント：この部分でbase="byte"のマージを500個学習します。'
            "位置の数は、異なるチャンクのバイト数から、そのトークン数を引いたものです。",
        )


@exercise("06.5", level=2, minutes=15, ja="文章が長くなると学習の仕事量がどう増えるかを、手元の文章で測る。")
def growth_of_the_work(answer):
    """Measure on your own text how a trainer's work grows."""
    whole, points, exponent = handed_over(answer)
    parts = [whole[: len(whole) // share] for share in SHARES]
    true = list(map(measured, parts))
    for share, part, row, point in zip(SHARES, parts, true, points, strict=True):
        judge_point(share, part, row, *point)
    sizes, places, texts = [row[0] for row in true], [row[1] for row in true], [len(p.encode()) for p in parts]
    if not (sizes[0] < sizes[1] < sizes[2] and all(places)):
        raise too_short()
    near = slope(sizes, places), slope(sizes[::2], places[::2])
    if min(near) - 0.02 <= exponent <= max(near) + 0.02:
        return Right(
            f"right. Of the text's {texts[2]:,} bytes {sizes[2]:,} are in distinct chunks",
            ja=f"正解です。文章{texts[2]:,}バイトのうち、異なるチャンクにあるのは{sizes[2]:,}バイトです。",
        )
    if abs(exponent - slope(texts, places)) <= 0.02:
        raise Wrong(
            "The points are right, but you fitted against the bytes of the text. Hint: the first number of each point.",
            ja="pointsは正しいのですが、文章のバイト数に対して当てはめています。ヒント：各点の最初の数を使います。",
        )
    raise Wrong(
        "The points are right, the exponent isn't. Hint: places = c · bytes^b is a straight line in logarithms; "
        "b is its slope, log(places) over log(bytes).",
        ja="pointsは正しいのですが、指数が違います。"
        "ヒント：位置の数 = c · バイト数^b は、両方の対数をとると直線になります。bはその傾きです。",
    )
