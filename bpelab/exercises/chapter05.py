"""The checks of chapter 05: ties, and lists that other trainers made."""

from collections import Counter
from functools import cache
from itertools import pairwise

from bpelab import corpora, parity, reference, ties, training
from bpelab.exercises.checking import Right, Wrong, call, exercise, function, items, mapping, shown, text, texts
from bpelab.spelling import gpt2_order, label, readable


def pair_label(pair):
    """A pair as the chapter writes it.

    >>> pair_label(("l", "o"))
    'l+o'
    """
    return "+".join(map(label, pair))


# --- 05.1 ---------------------------------------------------------------------------------------------

FOUR_WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
LISTS = {"A": "lowest-id", "B": "shortest", "C": "youtokentome"}
ALIASES = {"lowest": "lowest-id", "id": "lowest-id", "lex": "lexicographic", "yttm": "youtokentome"}
UNTOLD = ("cannot", "can't", "can’t", "impossible", "unknown", "none", "?")


@exercise("05.1", level=1, minutes=5, ja="4つの単語のコーパスから作った3つのリストの同点規則を答える。")
def three_lists(answer):
    """Name the tie rules of three lists of the four-word corpus."""
    names = [name.strip().lower().replace("_", "-").replace(" ", "-") for name in _three(answer)]
    names = [ALIASES.get(name, name) for name in names]
    if any(word in name for name in names for word in UNTOLD):
        raise Wrong(
            "It can be told. The counts are the same with all rules, but in a tie a list shows what its rule prefers. "
            "Hint: at step 2 `t+_` and `es+t` tie; ask each rule.",
            ja="見分けられます。回数はどの規則でも同じですが、同点のときに何を選んだかで規則がわかります。"
            "ヒント：ステップ2では t+_ と es+t が同点です。規則を1つずつ当てはめてください。",
        )
    strange = [name for name in names if name not in ties.TIES]
    if strange or len(names) != 3:
        raise Wrong(
            f"Three names of rules are asked for, as the chapter writes them; {shown(strange or names)} won't do.",
            ja=f"規則の名前を、この章の書き方で3つ答えてください（{shown(strange or names)} は使えません）。",
        )
    if names == ["lowest-id", "youtokentome", "shortest"]:
        raise Wrong(
            "B and C are the wrong way round. Hint: at step 6, `n+e` and `e+w` tie, and both make two characters. "
            "Which of the two rules looks at the larger id first?",
            ja="BとCが逆です。ヒント：ステップ6では n+e と e+w が同点で、どちらも2文字になります。"
            "大きい方のIDを先に比べる規則はどちらですか。",
        )
    for (letter, right), name in zip(LISTS.items(), names, strict=True):
        if name != right:
            raise _not_the_rule(letter, right, name)


def _three(answer):
    if isinstance(answer, dict):
        answer = [answer.get(letter, "") for letter in LISTS]
    return answer.split(",") if isinstance(answer, str) else texts(answer)


def _not_the_rule(letter, right, name):
    shown_list, other = (training.train(FOUR_WORDS, end_of_word="_", tie=rule).merges for rule in (right, name))
    steps = zip(shown_list, other, strict=True)
    step, (theirs, yours) = next((at, two) for at, two in enumerate(steps, 1) if two[0][:2] != two[1][:2])
    theirs, yours = pair_label(theirs[:2]), pair_label(yours[:2])
    return Wrong(
        f"{letter} isn't {name}: at step {step}, {theirs} and {yours} tie; {letter} takes {theirs}, and {name} would "
        f"take {yours}. Hint: which rule prefers {theirs}?",
        ja=f"{letter}は {name} ではありません。ステップ{step}では {theirs} と {yours} が同点で、{letter}は {theirs} "
        f"を選びますが、{name} なら {yours} を選びます。ヒント：{theirs} を選ぶのはどの規則ですか。",
    )


# --- 05.2 ---------------------------------------------------------------------------------------------

LONGEST_WORD = 40


@exercise("05.2", level=2, minutes=10, ja="lexicographicとlowest-idで結果が分かれる、2語以内のコーパスを探す。")
def two_words(answer):
    """Find at most two words that part lexicographic from lowest-id."""
    words = _words(answer)
    one, other = (
        [merge[:2] for merge in training.train(words, tie=tie).merges] for tie in ("lexicographic", "lowest-id")
    )
    step = next((at for at, two in enumerate(zip(one, other, strict=False)) if two[0] != two[1]), None)
    if step is not None:
        taken = pair_label(one[step]), pair_label(other[step])
        return Right(
            f"They part at merge {step + 1}: {taken[0]} by lexicographic, {taken[1]} by lowest-id.",
            ja=f"マージ{step + 1}で分かれます。lexicographic は {taken[0]}、lowest-id は {taken[1]} を選びます。",
        )
    learned = f"{len(one)} merge{'s' * (len(one) != 1)}"
    same = f"Both rules learn the same {learned} from {shown(words)}."
    same_ja = f"どちらの規則も {shown(words)} から同じ{len(one)}個のマージを学習します。"
    tied = [(at, pairs) for at, pairs in enumerate(_tied(words), 1) if len(pairs) > 1]
    if not tied:
        raise Wrong(
            f"{same} No two pairs ever tie. Hint: a tie needs equal counts.",
            ja=f"{same_ja}同点が一度もありません。ヒント：同点になるには回数が等しくなければなりません。",
        )
    merged = [(at, pairs) for at, pairs in tied if any(len(token) > 1 for pair in pairs for token in pair)]
    if not merged:
        raise Wrong(
            f"{same} All ties are between single characters, and their ids are in the order of the characters. Hint: "
            "for which tokens do text and id give another order?",
            ja=f"{same_ja}同点はすべて1文字どうしで、文字のIDは文字の順に付いています。"
            "ヒント：文字列の順とIDの順が違うのは、どんなトークンですか。",
        )
    at, pairs = merged[0]
    first, second = map(pair_label, pairs[:2])
    raise Wrong(
        f"{same} At merge {at}, {first} and {second} tie, and both rules take {pair_label(one[at - 1])}. Hint: you "
        "need a tied pair whose token comes first as text, though it was made late.",
        ja=f"{same_ja}マージ{at}では {first} と {second} が同点ですが、どちらの規則も {pair_label(one[at - 1])} "
        "を選びます。ヒント：文字列としては前に来るのに、後から作られたトークンを含むペアが必要です。",
    )


def _words(answer):
    """Word -> how often, from a dict, a list of words, or one string."""
    found = mapping(answer) if isinstance(answer, dict) else {}
    if not found:
        for word in answer.split() if isinstance(answer, str) else texts(answer):
            found[word] = found.get(word, 0) + 1
    for word, n in found.items():
        if not 0 < len(text(word)) <= LONGEST_WORD or not isinstance(n, int) or not 0 < n < 1 << 30:
            raise Wrong(
                f"A word has 1 to {LONGEST_WORD} characters and a count from 1 on; you gave {shown({word: n})}.",
                ja=f"単語は1文字から{LONGEST_WORD}文字まで、回数は1以上です（今は {shown({word: n})}）。",
            )
    if not 1 <= len(found) <= 2:
        raise Wrong(
            f"One or two words are asked for; you gave {len(found)}. Hint: two are enough.",
            ja=f"1つか2つの単語を答えてください（今は{len(found)}個）。ヒント：2つで足ります。",
        )
    return found


def _tied(words):
    """The tied pairs of each step of the lexicographic list."""
    symbols = [(list(word), n) for word, n in words.items()]
    for _, count, after in reference.learn_merges(symbols):
        yield [pair for pair, n in reference.count_pairs(symbols).items() if n == count]
        symbols = after


# --- 05.3 ---------------------------------------------------------------------------------------------

#: Of the ties in a list of so many merges, this many are asked.
MERGES, ASKED = 1000, 80


def english():
    """The text that rustbpe's merges are learned from."""
    return corpora.text("parallel", "en")[:15_000]


@cache
def rustbpe_ties():
    """[(tied pairs, merges so far)] for ties among rustbpe's first 1,000 merges, those of few pairs first."""
    found = [(tied, merges) for tied, merges in _steps(english()) if len(tied) > 1]
    return sorted(found[:: max(1, len(found) // ASKED)][:ASKED], key=lambda tie: len(tie[0]))


def _steps(corpus):
    """(pairs with the highest count, merges so far) at each step of rustbpe's training."""
    chunks = training.chunk_counts(corpus, ties.GPT4)
    words = [([bytes([byte]) for byte in chunk.encode()], n) for chunk, n in chunks.items()]
    counts, merges, ids = reference.count_pairs(words), [], ids_after(())
    holding = {symbol: {at for at, (symbols, _) in enumerate(words) if symbol in symbols} for symbol in ids}
    while len(merges) < MERGES:
        top = max(counts.values())
        tied = [pair for pair, n in counts.items() if n == top]
        yield tied, merges.copy()
        pair = ties.pick(tied, "lowest-id", ids)
        merges.append(pair)
        ids[pair[0] + pair[1]] = len(ids)
        _merge(words, counts, holding, pair)


def _merge(words, counts, holding, pair):
    """Apply a merge to the words that hold both its tokens, and keep the counts true."""
    for at in holding[pair[0]] & holding[pair[1]]:
        symbols, n = words[at]
        merged = reference.apply_merge(symbols, pair)
        if len(merged) < len(symbols):
            for gone in pairwise(symbols):
                counts[gone] -= n
            for new in pairwise(merged):
                counts[new] = counts.get(new, 0) + n
            words[at] = merged, n
            holding.setdefault(pair[0] + pair[1], set()).add(at)


def ids_after(merges, byte_order=range(256)):
    """Token -> id: the bytes in their order, then what each merge makes."""
    tokens = [*(bytes([byte]) for byte in byte_order), *(left + right for left, right in merges)]
    return {token: i for i, token in enumerate(tokens)}


def by_frequency(merges):
    """Bytes by how often they stand in the tokens made so far, the most frequent first."""
    counts = Counter(b"".join(left + right for left, right in merges))
    return sorted(range(256), key=lambda byte: -counts[byte])


#: What else a reader may have compared: how it picks; what we say, and a hint, in both languages.
OTHER_RULES = (
    (
        lambda tied, merges: min(tied),
        ("You compare the tokens' bytes.", "the id of a token that a merge made says when, not what it spells."),
        (
            "トークンのバイト列を比べています。",
            "マージで作られたトークンのIDは、綴りではなく作られた順を表します。",
        ),
    ),
    (
        lambda tied, merges: max(tied),
        ("You take the largest bytes.", "ids are asked for, and the lowest."),
        ("最も大きいバイト列を選んでいます。", "比べるのはIDで、選ぶのは最小のものです。"),
    ),
    (
        lambda tied, merges: tied[0],
        ("You take the first of the tied pairs.", "their order says nothing."),
        ("同点のペアのうち先頭のものを選んでいます。", "ペアの並び順に意味はありません。"),
    ),
    (
        lambda tied, merges: ties.pick(tied, "lowest-id", ids_after(merges, gpt2_order())),
        ("You take Hugging Face's ids of the bytes, where a blank is 220.", "a byte's id is its value here."),
        ("空白が220になる、Hugging FaceのバイトのIDを使っています。", "ここでは、バイトのIDはその値です。"),
    ),
    (
        lambda tied, merges: ties.pick(tied, "lowest-id", ids_after(merges, by_frequency(merges))),
        ("You number the bytes by frequency.", "a byte's id is its value, however frequent it is."),
        ("バイトに頻度順の番号を付けています。", "バイトのIDは、頻度にかかわらずその値です。"),
    ),
    (
        lambda tied, merges: ties.pick(tied, "youtokentome", ids_after(merges)),
        ("You compare the larger id of each pair first.", "the left one first, then the right one."),
        ("ペアの大きい方のIDを先に比べています。", "まず左のID、次に右のIDを比べます。"),
    ),
    (
        lambda tied, merges: True,
        ("That isn't the lowest id.", "the left id decides, and only among equals the right one."),
        ("最小のIDではありません。", "左のIDで決まり、等しいときだけ右のIDを比べます。"),
    ),
)


@exercise(
    "05.3", level=2, minutes=15, ja="rustbpeと同じマージを学習するpick(tied, merges)を書く。", before=rustbpe_ties
)
def lowest_id(answer):
    """Write pick(tied, merges), with which a trainer learns what rustbpe learns."""
    answer = function(answer)
    given = [(tied, merges, _picked(answer, tied, merges)) for tied, merges in rustbpe_ties()]
    wrong = [case for case in given if case[2] != ties.pick(case[0], "lowest-id", ids_after(case[1]))]
    if not wrong:
        return Right(
            f"In {len(given)} ties you took what rustbpe takes.",
            ja=f"{len(given)}回の同点で、rustbpeと同じペアを選びました。",
        )
    for rule, (what, hint), (what_ja, hint_ja) in OTHER_RULES:
        if all(rule(tied, merges) in (pair, True) for tied, merges, pair in given):
            en, ja = _witness(*wrong[0])
            raise Wrong(f"{what} {en} Hint: {hint}", ja=f"{what_ja}{ja}ヒント：{hint_ja}")


def _picked(pick, tied, merges):
    found = call(pick, tied, merges)
    found = tuple(found) if isinstance(found, list) else found
    if not isinstance(found, tuple) or not all(isinstance(part, bytes) for part in found) or found not in tied:
        raise Wrong(
            f"`pick` must return one of the tied pairs, {shown(tied)}, but returned {shown(found)}.",
            ja=f"pick は同点のペア {shown(tied)} のどれかを返す必要がありますが、{shown(found)} を返しました。",
        )
    return found


def _witness(tied, merges, given):
    """A tie that was broken otherwise than by rustbpe, in English and in Japanese."""
    ids = ids_after(merges)
    (yours, your_ids), (theirs, their_ids) = (
        (pair_label(pair), tuple(map(ids.get, pair))) for pair in (given, ties.pick(tied, "lowest-id", ids))
    )
    return (
        f"At merge {len(merges) + 1}, {len(tied)} pairs tie: you take {yours} with the ids {your_ids}, rustbpe takes "
        f"{theirs} with {their_ids}.",
        f"マージ{len(merges) + 1}では{len(tied)}個のペアが同点です。pick はIDが {your_ids} の {yours} を選びましたが、"
        f"rustbpeはIDが {their_ids} の {theirs} を選びます。",
    )


# --- 05.4 ---------------------------------------------------------------------------------------------

RECIPE = "rustbpe"


def found_list():
    """(lines, merges): the lines of an English text, and 300 merges that somebody learned from it, somehow."""
    lines, merges = _found()
    return list(lines), list(merges)


@cache
def _found():
    lines = corpora.lines(corpora.text("parallel", "en")[:60_000])
    tok = training.train([" " + line.lower() for line in lines], 300, **ties.RECIPES[RECIPE])
    return lines, [(merge.left, merge.right) for merge in tok.merges]


@exercise("05.4", level=3, minutes=20, ja="マージリストのもとになったレシピと前処理を突き止める。", before=_found)
def recipe_of_a_list(answer):
    """Find the recipe and the preparation behind a list of merges."""
    parts = items(answer, None, "a recipe and documents", "レシピと文書の組")
    if len(parts) != 2:
        raise Wrong(
            "A recipe and documents are asked for, in this order.", ja="レシピと文書を、この順に答えてください。"
        )
    recipe, documents = text(parts[0]), _documents(parts[1])
    if recipe not in ties.RECIPES:
        raise Wrong(
            f"{shown(recipe)} is the name of no recipe. Hint: bpelab.RECIPES has them all.",
            ja=f"{shown(recipe)} というレシピはありません。ヒント：レシピは bpelab.RECIPES にあります。",
        )
    _, merges = _found()
    tok = training.train(documents, len(merges), **ties.RECIPES[recipe])
    found = parity.difference(tok, merges, documents)
    if found is None:
        return Right(f"All {len(merges)} merges are the same.", ja=f"{len(merges)}個のマージがすべて一致します。")
    right_text = training.train(documents, len(merges), **ties.RECIPES[RECIPE])
    en, ja = _what_differs(documents, parity.agreement(right_text, merges) == len(merges), found)
    ours, theirs = (f"{label(name or '')} ({count or 0:,})" for name, count in zip(found[1:3], found[3:], strict=True))
    raise Wrong(
        f"{found.step - 1} of {len(merges)} merges agree; then yours has {ours}, the list {theirs}. {en}",
        ja=f"{len(merges)}個のうち{found.step - 1}個のマージが一致し、その次は答えが {ours}、リストが {theirs} "
        f"です。{ja}",
    )


def _documents(answer):
    documents = [text(answer)] if isinstance(answer, str) else texts(answer)
    if not 0 < sum(map(len, documents)) <= 200_000:
        raise Wrong(
            "The documents must be the lines, prepared in some way: about 60,000 characters.",
            ja="文書は、与えられた行を何らかの形で整えたもの（約6万文字）にしてください。",
        )
    return documents


def _what_differs(documents, right_text, found):
    """A hint in English and Japanese for documents and a recipe that don't give the list."""
    if right_text and found.tie and found.ours not in map(readable, parity.tokens_of(_found()[1])):
        return (
            "The text is right, the recipe isn't. Hint: the list never takes your token. Do its chunks allow it?",
            "テキストは正しいですが、レシピが違います。ヒント：答えのトークンを、リストは一度も選びません。"
            "リストのチャンクで、そのトークンは作れますか。",
        )
    if right_text and found.tie:
        return (
            "The text is right, the recipe isn't. Hint: a tie. Which rule, and which order of the bytes, prefers "
            "theirs?",
            "テキストは正しいですが、レシピが違います。ヒント：同点です。"
            "リストの方を選ぶのは、どの規則と、どのバイトの順序ですか。",
        )
    if right_text:
        return (
            "The text is right, the recipe isn't. Hint: compare the base and the chunks first, then the tie rule.",
            "テキストは正しいですが、レシピが違います。ヒント：まず基本文字集合とチャンク分割、"
            "次に同点規則を比べてください。",
        )
    if any(document != document.lower() for document in documents):
        return (
            "Their text isn't yours. Hint: look for a capital letter in the list.",
            "相手のテキストと違います。ヒント：リストの中に大文字を探してください。",
        )
    if sum(document.startswith(" ") for document in documents) < len(documents) / 2 and "\n " not in documents[0]:
        return (
            "Their text isn't yours: compare the counts. Hint: which words stand without a blank before them here?",
            "相手のテキストと違います。回数を比べてください。ヒント：前に空白のない単語は、どこにありますか。",
        )
    return (
        f"Their text isn't yours{', or is cut otherwise' if len(documents) < 3 else ''}. Hint: keep the lines apart, "
        "and change nothing that the list doesn't ask for.",
        "相手のテキストと違うか、切り方が違います。ヒント：行は1つずつ別の文書にし、必要のない変更はしないでください。",
    )


# --- 05.5 ---------------------------------------------------------------------------------------------

#: The lists of chapter 03.
KNOWN = ((("b", "c"), ("a", "b"), ("ab", "c")), (("a", "b"), ("abc", "d"), ("ab", "c")))
MOST = 50


def three_ways(word, merges):
    """The tokens of a word in order, by pair and by text, as chapter 03 defines them."""
    pairs = {pair: rank for rank, pair in enumerate(merges)}
    joined = {left + right: rank for rank, (left, right) in enumerate(merges)}
    return (
        reference.encode(list(word), merges),
        _by_rank(list(word), pairs.get),
        _by_rank(list(word), lambda pair: joined.get(pair[0] + pair[1])),
    )


def _by_rank(symbols, rank):
    while known := [(rank(pair), pair) for pair in pairwise(symbols) if rank(pair) is not None]:
        symbols = reference.apply_merge(symbols, min(known)[1])
    return symbols


@exercise("05.5", level=2, minutes=15, ja="in orderとby pair、by pairとby textで、結果が違うリストを1つずつ作る。")
def lists_that_differ(answer):
    """Find a list where in order isn't by pair, and one where by pair isn't by text."""
    given = items(answer, None, "two pairs (text, merges)", "（テキスト, マージ）の組2つ")
    if len(given) != 2:
        raise Wrong("Two pairs (text, merges) are asked for.", ja="（テキスト, マージ）の組を2つ答えてください。")
    first, second = (_case(one, number) for one, number in zip(given, (1, 2), strict=True))
    cuts = [three_ways(*first), three_ways(*second)]
    in_order, by_pair, by_text = zip(*cuts, strict=True)
    if in_order[0] == by_pair[0] and by_pair[0] != by_text[0] and in_order[1] != by_pair[1]:
        raise Wrong("The two are the wrong way round.", ja="2つが逆です。")
    if in_order[0] == by_pair[0]:
        raise _agree(
            1,
            *first,
            cuts[0],
            ("in order", "by pair"),
            (
                "Hint: where must a merge stand for the walk down the list to miss it?",
                "ヒント：リストを一度たどるだけでは使われないマージは、どこに置かれていますか。",
            ),
        )
    if by_pair[1] == by_text[1]:
        raise _agree(
            2,
            *second,
            cuts[1],
            ("by pair", "by text"),
            (
                "Hint: by text asks only what two neighbours spell together. When is that a token that this pair "
                "doesn't make?",
                "ヒント：by text は、隣り合う2つをつないだ文字列だけを見ます。"
                "それが、そのペアからは作られないトークンになるのはどんなときですか。",
            ),
        )


def _case(one, number):
    """(text, merges) from an answer, where the list is one that a tokenizer could have."""
    parts = items(one, f"Number {number}", "(text, merges)", "（テキスト, マージ）")
    if len(parts) != 2:
        raise Wrong(
            f"Number {number} must be (text, merges).", ja=f"{number}番目は（テキスト, マージ）にしてください。"
        )
    word, merges = text(parts[0]), [_merge_of(one) for one in items(parts[1], f"List {number}", "merges")]
    if len(word) > MOST or len(merges) > MOST:
        raise Wrong(
            f"At most {MOST} characters and merges, please; three of each are enough.",
            ja=f"文字もマージも{MOST}個までにしてください。それぞれ3つほどで足ります。",
        )
    made = ["".join(pair) for pair in merges]
    twice = next((token for token in made if made.count(token) > 1), None)
    if twice:
        raise Wrong(
            f"List {number} makes {label(twice)} twice, so that one token has two ids; no vocabulary has that. Hint: "
            "let each merge make another token.",
            ja=f"リスト{number}は {label(twice)} を二度作るので、1つのトークンに2つのIDが付きます。"
            "そのような語彙はありません。ヒント：マージごとに別のトークンを作ってください。",
        )
    unmade = next((part for pair in merges for part in pair if len(part) > 1 and part not in made), None)
    if unmade:
        raise Wrong(
            f"In list {number}, no merge makes {label(unmade)}. Hint: each part is a character or made by another "
            "merge.",
            ja=f"リスト{number}には {label(unmade)} を作るマージがありません。"
            "ヒント：部分になれるのは、1文字か、別のマージで作られたトークンです。",
        )
    if _renamed(merges) in map(_renamed, KNOWN):
        raise Wrong(
            f"List {number} is the one of chapter 03, if with other letters. Hint: find one of your own; two or three "
            "merges are enough.",
            ja=f"リスト{number}は第3章のもの（または文字を置き換えたもの）です。"
            "ヒント：自分で考えてください。2つか3つのマージで足ります。",
        )
    return word, merges


def _merge_of(one):
    """A pair of str, from a pair or from "a b" or "a+b"."""
    if isinstance(one, str):
        one = one.split(" " if " " in one else "+")
    pair = tuple(texts(one))
    if len(pair) != 2 or "" in pair:
        raise Wrong(
            f"A merge is a pair (left, right); {shown(one)} is none.",
            ja=f"マージは（左, 右）の組です。{shown(one)} は違います。",
        )
    return pair


def _renamed(merges):
    """A list with its letters named in the order in which they come."""
    letters = list(dict.fromkeys("".join(left + right for left, right in merges)))
    return [tuple("".join(chr(letters.index(c)) for c in part) for part in pair) for pair in merges]


def _agree(number, word, merges, cut, ways, hints):
    one = cut[1]
    everything = cut[0] == cut[1] == cut[2]
    trained = " So they do with every list that training made." if everything else ""
    trained_ja = "学習で作られたリストでは、いつもそうなります。" if everything else ""
    names = "All three ways" if everything else " and ".join(ways)
    names_ja = "3つの方法" if everything else "と".join(ways)
    return Wrong(
        f"List {number}: {names} cut {shown(word)} alike, {'|'.join(map(label, one))}.{trained} {hints[0]}",
        ja=f"リスト{number}：{names_ja}は {shown(word)} を同じように {'|'.join(map(label, one))} と切ります。"
        f"{trained_ja}{hints[1]}",
    )
