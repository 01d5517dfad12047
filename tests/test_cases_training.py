"""Cases about training: sizes, degenerate corpora, ties, counting. Each with two more of its kind."""

import itertools
import json
import random

import pytest
from cases import FIRST, LEXICOGRAPHIC, LOWEST_ID, TIES, WHOLE, joins, run

import bpelab

PIECES = ["日本", "語の", "文は", "空白", "が無", "いの", "で一", "塊に", "なる", "猫"]
UNSPACED = "".join(random.Random(0).choices(PIECES, k=40_000))
#: Counts the lines of compiled code that run: time without a clock.
OPERATIONS = """
import json, random, sys
sys.modules["numba"] = None
import bpelab
bpelab.compiled.PATIENCE = 0  # no job is small

FILES = ("engine.py", "hashing.py", "merging.py", "scanner.py")

def operations(call, *arguments, **options):
    lines = 0
    def local(frame, event, argument):
        nonlocal lines
        lines += 1
        return local
    sys.settrace(lambda frame, *_: local if frame.f_code.co_filename.endswith(FILES) else None)
    call(*arguments, **options)
    sys.settrace(None)
    return lines
"""


def test_A03_unspaced_japanese_is_learned_and_comes_back():
    tok = bpelab.train(UNSPACED, 300, base="byte")
    assert len(bpelab.chunk(UNSPACED, "gpt2")) == 1
    assert len(tok.merges) == 300
    assert tok.decode(tok.encode(UNSPACED)) == UNSPACED


def test_A03_one_long_chunk_takes_no_more_work_than_short_lines():
    program = OPERATIONS + (
        "counts = []\n"
        f"for pieces in ({PIECES!r}, ['ab', 'cde', 'f'], ['あ', 'い', 'うえ']):\n"
        "    text = ''.join(random.Random(0).choices(pieces, k=200))\n"
        "    lines = [text[i : i + 30] for i in range(0, len(text), 30)]\n"
        "    options = dict(num_merges=15, base='byte', chunking='whole')\n"
        "    counts.append([operations(bpelab.train, corpus, **options) for corpus in (text, lines)])\n"
        "print(json.dumps(counts))"
    )
    for whole, cut in json.loads(run(program)):
        assert 0 < whole < 2 * cut


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("n", [3, 7, 11])
@pytest.mark.parametrize(
    "words", [("low ", "lower ", "newest "), ("猫が好き ", "犬が好き ", "猫と犬 "), ("aaa ", "aaaaa ", "aab ")]
)
def test_A05_the_fast_trainer_is_the_naive_one(words, n, tie):
    corpus = words[0] * n + words[1] * (n // 2) + words[2] * n
    fast, naive = (train(corpus, 40, base="byte", tie=tie) for train in (bpelab.train, bpelab.reference.train))
    assert fast.merges == naive.merges
    assert fast.lengths == naive.lengths


@pytest.mark.parametrize("base", ["byte", "char"])
@pytest.mark.parametrize("corpus", ["", [], [""], ["", "", ""], {}, iter(())], ids=lambda corpus: ascii(corpus)[:15])
def test_B01_an_empty_corpus_has_no_merges(corpus, base):
    assert bpelab.train(corpus, 4, base=base).merges == []


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(
    ("text", "merges"),
    [
        ("a", {"": []}),
        (" ", {"": []}),
        ("   ", {"": [" + ", "  + "]}),
        ("\n\n", {"": ["\n+\n"]}),
        ("aaaa", {"": ["a+a", "aa+aa"]}),
        ("猫", {FIRST: ["<0xE7>+<0x8C>", "<0xE7><0x8C>+<0xAB>"], "": ["<0x8C>+<0xAB>", "<0xE7>+<0x8C><0xAB>"]}),
        ("é", {"": ["<0xC3>+<0xA9>"]}),
        ("zzz", {"": ["z+z", "zz+z"]}),
    ],
)
def test_B02_training_ends_with_the_last_pair(text, merges, tie):
    assert joins(bpelab.train(text, 4, tie=tie, **WHOLE)) == merges.get(tie, merges[""])


@pytest.mark.parametrize(
    ("corpus", "size", "special", "least"),
    [("ab ab", 50, (), 256), ("ab ab", 256, ["<end>"], 257), ("猫", 0, (), 256), ("", 255, ["<a>", "<b>"], 258)],
)
def test_B04_a_vocabulary_below_the_base_alphabet_is_refused(corpus, size, special, least):
    with pytest.raises(ValueError, match=f"vocab_size must be at least {least}, got {size}.*256 entries"):
        bpelab.train(corpus, vocab_size=size, base="byte", special_tokens=special)


@pytest.mark.parametrize("corpus", ["abc def", "猫犬", ["ab", "cd", ""]])
def test_B06_zero_merges_are_a_model(corpus, tmp_path):
    tok = bpelab.train(corpus, 10, base="byte", min_frequency=2)
    tok.save(tmp_path / "m.json")
    again, text = bpelab.load(tmp_path / "m.json"), "".join(corpus)
    assert again.merges == tok.merges == []
    assert again.encode(text) == list(text.encode())


@pytest.mark.parametrize(
    ("text", "merges"),
    [
        ("abababab", ["a+b", "ab+ab", "abab+abab"]),
        ("mmmmmmmm", ["m+m", "mm+mm", "mmmm+mmmm"]),
        ("éééé", ["<0xC3>+<0xA9>", "é+é", "éé+éé"]),
    ],
)
def test_B08_a_bare_str_is_one_document(text, merges):
    for corpus in (text, [text], iter([text]), {text: 1}):
        assert joins(bpelab.train(corpus, 3, base="byte", tie=FIRST)) == merges
    assert bpelab.train(list(text), 3, base="char").merges == []  # documents of one character


@pytest.mark.parametrize(
    ("text", "first", "sorted_"),
    [
        ("bbbaaaddddcccc", ["d+d", "c+c", "b+b", "a+a"], ["c+c", "d+d", "a+a", "b+b"]),
        ("aaabbbccccdddd", ["c+c", "d+d", "a+a", "b+b"], ["c+c", "d+d", "a+a", "b+b"]),
        ("dddaaabbbb", ["b+b", "d+d", "a+a", "dd+d"], ["b+b", "a+a", "d+d", "a+bb"]),
        ("zzyyxx", ["z+z", "zz+y", "zzy+y", "zzyy+x"], ["x+x", "y+xx", "y+yxx", "z+yyxx"]),
    ],
)
def test_C01_ties_follow_their_rule(text, first, sorted_):
    assert joins(bpelab.train(text, 4, tie=FIRST, **WHOLE)) == first
    assert joins(bpelab.train(text, 4, tie=LEXICOGRAPHIC, **WHOLE)) == sorted_


@pytest.mark.parametrize("text", ["bbbaaaddddcccc", "aaabbbccccdddd"])
def test_C01_lowest_id_follows_the_bytes(text):
    assert joins(bpelab.train(text, 4, tie=LOWEST_ID, **WHOLE)) == ["c+c", "d+d", "a+a", "b+b"]


@pytest.mark.parametrize(
    ("text", "first", "lexicographic", "lowest_id", "final"),
    [
        ("aaabdaaabac", ["a+a", "aa+a", "aaa+b"], ["a+a", "a+b", "aa+ab"], ["a+a", "a+b", "aa+ab"], 5),
        ("xxyxxy", ["x+x", "xx+y", "xxy+xxy"], ["x+x", "xx+y", "xxy+xxy"], ["x+x", "xx+y", "xxy+xxy"], 1),
        ("cabcab", ["c+a", "ca+b", "cab+cab"], ["a+b", "c+ab", "cab+cab"], ["a+b", "c+ab", "cab+cab"], 1),
    ],
)
def test_C02_the_wikipedia_example_and_its_like(text, first, lexicographic, lowest_id, final):
    for tie, wanted in zip(TIES, (first, lexicographic, lowest_id), strict=True):
        tok = bpelab.train(text, 3, tie=tie, **WHOLE)
        assert joins(tok) == wanted
        assert len(tok.encode(text)) == tok.lengths[-1] == final


def test_C03_every_hash_seed_gives_the_same_model():
    program = (
        "import bpelab\n"
        "text = bpelab.corpora.text('parallel', 'ja')[:3000]\n"
        "for tie in bpelab.ties.TIES:\n"
        "    print(bpelab.train(text, 80, base='byte', tie=tie).merges)\n"
        "    for corpus in (['ab', 'cd', 'ef', 'ab', 'cd', 'ef'], 'zy xw vu zy xw vu', {'猫犬': 2, '鳥魚': 2}):\n"
        "        tok = bpelab.train(corpus, 3, tie=tie)\n"
        "        print(ascii((tok.merges, tok.vocab)))\n"
        "print(ascii(list(bpelab.Unigram.train(text, 900).pieces.items())))\n"
        "print(ascii(bpelab.WordPiece.train(text, 900).vocab))"
    )
    one, other = (run(program, PYTHONHASHSEED=seed) for seed in ("0", "1"))
    assert one == other
    for tie in TIES:
        tok = bpelab.train(["ab", "cd", "ef", "ab", "cd", "ef"], 3, base="byte", tie=tie)
        assert joins(tok) == ["a+b", "c+d", "e+f"]


@pytest.mark.parametrize(
    ("documents", "merges"),
    [
        (["ab", "cd", "ef"], ["a+b", "c+d", "e+f"]),
        (["zy", "xw", "vu"], ["v+u", "x+w", "z+y"]),
        (["èa", "éa", "êa"], ["<0xA8>+a", "<0xA9>+a", "<0xAA>+a"]),
    ],
)
def test_C06_the_order_of_documents_decides_nothing(documents, merges):
    for tie in (LEXICOGRAPHIC, LOWEST_ID):
        learned = [joins(bpelab.train(order, 3, base="byte", tie=tie)) for order in itertools.permutations(documents)]
        assert learned == [merges] * 6


def test_C06_but_first_seen_is_what_it_says():
    assert joins(bpelab.train(["ef", "ab", "cd"], 3, base="byte", tie=FIRST)) == ["e+f", "a+b", "c+d"]


@pytest.mark.parametrize(
    ("corpus", "vocab"),
    [
        (["𠮷", "～", "あ"], ["あ", "～", "𠮷"]),
        ("zåäöÅ", ["z", "Å", "ä", "å", "ö"]),
        ("\U00010000\uffee\ue000", ["\ue000", "\uffee", "\U00010000"]),
    ],
)
def test_C07_the_vocabulary_is_in_code_point_order(corpus, vocab):
    assert [token.decode() for token in bpelab.train(corpus, 0).vocab[1:]] == vocab


@pytest.mark.parametrize(
    ("text", "overlap", "runs"),
    [
        ("aaaaabcbcbc", ("a+a", 4, 9), ("b+c", 3, 8)),
        ("zzzzxyxyxy", ("x+y", 3, 7), ("x+y", 3, 7)),
        ("ねねねねはひはひはひ", ("ね+ね", 3, 8), ("は+ひ", 3, 7)),
        ("oooooo", ("o+o", 5, 3), ("o+o", 3, 3)),
    ],
)
def test_D01_counts_in_a_run_and_real_totals(text, overlap, runs):
    for count, wanted in (("overlap", overlap), ("runs", runs)):
        tok = bpelab.train(text, 1, chunking="whole", count=count)
        assert (joins(tok)[0], tok.merges[0].count, tok.lengths[1]) == wanted
        assert len(tok.encode(text)) == tok.merge_table()["length"][0] == wanted[2]


D02_MERGES = {
    FIRST: ["x+y", "y+z", " +a", "xy+z", "yz+w", "xy+w", "b+c", "bc+ a", "bc a+ a", "bc a a+a", "bc a aa+a"],
    LEXICOGRAPHIC: ["x+y", " +a", "y+z", " a+ a", " a a+a", " a aa+a", "b+c", "bc+ a aaa", "xy+w", "xy+z", "yz+w"],
    LOWEST_ID: ["x+y", " +a", "y+z", "a+a", "b+c", "xy+w", "xy+z", " a+ a", "yz+w", "bc+ a a", "bc a a+aa"],
}
D02_DOCUMENTS = ["xy", "xyz", "yzw", "yz", "xyw", "bc a aaa"]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(
    "documents", [D02_DOCUMENTS, ["aaaa", "aaab", "baaa", "abab"], ["ねこ", "ねこねこ", "こねこ", "ね"]]
)
def test_D02_every_merge_is_a_most_frequent_pair(documents, tie):
    tok = bpelab.train(documents, tie=tie, **WHOLE)
    words = [([bytes([byte]) for byte in text.encode()], 1) for text in documents]
    for left, right, count in tok.merges:
        counts = bpelab.reference.count_pairs(words)
        assert counts[left, right] == count == max(counts.values()) > 0
        words = [(bpelab.reference.apply_merge(symbols, (left, right)), n) for symbols, n in words]
    assert bpelab.reference.count_pairs(words) == {}


@pytest.mark.parametrize("tie", TIES)
def test_D02_values(tie):
    assert joins(bpelab.train(D02_DOCUMENTS, 12, tie=tie, **WHOLE)) == D02_MERGES[tie]


@pytest.mark.parametrize(
    ("text", "first", "lexicographic", "lowest_id", "never"),
    [
        ("abcabcabd", ["a+b", "ab+c", "abc+abc"], ["a+b", "ab+c", "ab+d"], ["a+b", "c+ab", "ab+cab"], "b+c"),
        ("xyzxyzxyw", ["x+y", "xy+z", "xyz+xyz"], ["x+y", "xy+z", "xy+w"], ["x+y", "z+xy", "xy+zxy"], "y+z"),
        ("mnomnomno", ["m+n", "mn+o", "mno+mno"], ["m+n", "mn+o", "mno+mno"], ["m+n", "mn+o", "mno+mno"], "n+o"),
    ],
)
def test_D04_one_merge_for_each_count(text, first, lexicographic, lowest_id, never):
    for tie, wanted in zip(TIES, (first, lexicographic, lowest_id), strict=True):
        tok = bpelab.train(text, 3, tie=tie, **WHOLE)
        assert joins(tok) == wanted
        assert never not in joins(bpelab.train(text, tie=tie, **WHOLE))


@pytest.mark.parametrize(
    ("symbols", "pair", "wanted"),
    [
        ("xa b c", ("a", "b"), "xa b c"),
        ("a b", ("a", "b"), "ab"),
        ("q \\ .", ("\\", "."), "q \\."),
        ("a .* b", ("a", "b"), "a .* b"),
        ("a bc a b", ("a", "b"), "a bc ab"),
    ],
)
def test_D06_a_merge_keeps_to_the_borders_of_symbols(symbols, pair, wanted):
    assert bpelab.reference.apply_merge(symbols.split(), pair) == wanted.split()


@pytest.mark.parametrize("corpus", [{"xabc": 4, "ab": 6, "q\\.": 2}, {"a+b(": 3, "+b": 5}, {"$^": 2, "\\n\\": 3}])
def test_D06_symbols_are_base_symbols_or_made_by_a_rule(corpus):
    tok = bpelab.train(corpus)
    known = {character.encode() for text in corpus for character in text}
    for left, right, _ in tok.merges:
        assert {left, right} <= known
        known.add(left + right)
    assert set(tok.vocab[1:]) == known


@pytest.mark.parametrize("alphabet", ["aab ", "猫犬 ", "aあ\n"])
def test_D07_order_lowest_rank_and_tiktoken_agree(alphabet):
    texts = ["".join(random.Random(seed).choices(alphabet, k=40)) for seed in range(50)]
    tok = bpelab.train(texts, 60, base="byte", chunking="gpt2")
    encoding = tok.to_tiktoken("toy")
    for text in texts:
        chunks = [[bytes([b]) for b in chunk.encode()] for chunk in bpelab.chunk(text, "gpt2")]
        in_order = [token for chunk in chunks for token in bpelab.reference.encode(chunk, tok.merges)]
        assert tok.token_bytes(text) == in_order
        assert [token for chunk in chunks for token in lowest_rank_first(chunk, tok.merges)] == in_order
        assert encoding.encode_ordinary(text) == tok.encode(text)


def lowest_rank_first(symbols, merges):
    ranks = {(left, right): rank for rank, (left, right, _) in enumerate(merges)}
    while known := [pair for pair in itertools.pairwise(symbols) if pair in ranks]:
        symbols = bpelab.reference.apply_merge(symbols, min(known, key=ranks.get))
    return symbols


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("letters", ["abあ", "aaaaab", "éあ猫"])
def test_D09_no_two_ids_spell_the_same(letters, tie):
    texts = ["".join(random.Random(seed).choices(letters, k=60)) for seed in range(30)]
    for corpus in (texts, *texts[:5]):
        tok = bpelab.train(corpus, 40, tie=tie, **WHOLE)
        assert len(set(tok.vocab)) == len(tok.vocab) == tok.vocab_size > 256 + 15


@pytest.mark.parametrize(
    "twice", [[[97, 98, 1]] * 2, [[97, 98, 1], [98, 99, 1], [256, 99, 1], [97, 257, 1]], [[0, 0, 1]] * 3]
)
def test_D09_a_file_with_a_token_twice_is_refused(twice, tmp_path):
    path = tmp_path / "m.json"
    bpelab.train("", base="byte").save(path)
    document = json.loads(path.read_text(encoding="utf-8")) | {"merges": twice, "lengths": None}
    path.write_text(json.dumps(document | {"vocab_size": 256 + len(twice)}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"merges\[\d\] makes .* again"):
        bpelab.load(path)


@pytest.mark.parametrize(
    ("corpus", "first"),
    [
        ({"the": 3_000_000_000, "he": 5, "th": 5}, 3_000_000_005),
        ({"ab": 2**62, "bc": 2**61, "ac": 1}, 2**62),
        ({"aaaa": 2**62, "b": 1}, 3 * 2**62),
    ],
)
def test_D10_counts_do_not_wrap(corpus, first):
    tok = bpelab.train(corpus)
    assert tok.merges[0].count == first
    assert all(0 < merge.count <= first for merge in tok.merges)


@pytest.mark.parametrize(
    ("document", "apart", "joined"),
    [
        ("ab", ["a+b"], ["a+b", "ab+ab", "abab+ab"]),
        ("é", ["<0xC3>+<0xA9>"], ["<0xC3>+<0xA9>", "é+é", "éé+é"]),
        ("x ", ["x+ "], ["x+ ", "x +x ", "x x +x "]),
    ],
)
def test_E08_no_merge_crosses_two_documents(document, apart, joined):
    assert joins(bpelab.train([document] * 3, 5, tie=FIRST, **WHOLE)) == apart
    assert joins(bpelab.train(document * 3, 5, tie=FIRST, **WHOLE)) == joined


@pytest.mark.parametrize(("size", "special", "merges"), [(1000, 1, 743), (300, 0, 44), (512, 6, 250)])
def test_I07_vocabulary_is_base_merges_and_special_tokens(size, special, merges):
    names = [f"<|{n}|>" for n in range(special)]
    text = bpelab.corpora.text("parallel", "en")
    tok = bpelab.train(text, vocab_size=size, base="byte", special_tokens=names)
    assert len(tok.merges) == merges
    assert tok.vocab_size == len(tok.vocab) == 256 + merges + special == size
