import json
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import wordpiece
from bpelab.wordpiece import Join, WordPiece

#: The corpus of the Hugging Face course, chapter 6.
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@pytest.fixture(scope="module")
def trained(real_text):
    return WordPiece.train(real_text.values(), 4000)


# --- the five words, worked by hand ---


def test_the_first_scores_of_the_five_words():
    """Counts: h 15, p 17, b 4, ##u 36, ##g 20, ##n 16, ##s 5."""
    corpus = [(wordpiece.symbols(word), n) for word, n in HUGS.items()]
    assert wordpiece.pair_scores(corpus) == {
        ("h", "##u"): Fraction(15, 15 * 36),
        ("##u", "##g"): Fraction(20, 36 * 20),
        ("p", "##u"): Fraction(17, 17 * 36),
        ("##u", "##n"): Fraction(16, 36 * 16),
        ("b", "##u"): Fraction(4, 4 * 36),
        ("##g", "##s"): Fraction(5, 20 * 5),
    }
    # ##u stands in every other pair, and each other symbol only beside it: all of them are 1/36.
    assert sorted(wordpiece.pair_scores(corpus).values()) == [Fraction(1, 36)] * 5 + [Fraction(1, 20)]


def test_the_merges_of_the_five_words():
    wp = WordPiece.train(HUGS, 100)
    assert wp.joins[:4] == [
        Join("##g", "##s", 5, 20, 5),
        Join("h", "##u", 15, 15, 36),  # a tie of six at 1/36; this pair stands first
        Join("hu", "##gs", 5, 15, 5),  # 1/15, against 10/(15*15) = 2/45 for hu + ##g
        Join("hu", "##g", 10, 10, 15),  # 1/15; the course has it right from here on
    ]
    assert [join.token for join in wp.joins] == ["##gs", "hu", "hugs", "hug", "pu", "bu", "bun", "pug", "pun"]
    assert [join.score for join in wp.joins] == [Fraction(1, n) for n in (20, 36, 15, 15, 21, 4, 16, 17, 12)]
    assert wp.vocab[:8] == [b"[UNK]", b"##g", b"##n", b"##s", b"##u", b"b", b"h", b"p"]


def test_encoding_the_five_words():
    wp = WordPiece.train(HUGS, 12)  # up to hug, as in the course
    assert wp.tokens("hugs bugs") == ["hugs", "b", "##u", "##gs"]
    assert wp.tokens("mug bum hug") == ["[UNK]", "[UNK]", "hug"]
    assert wp.encode("mug hug") == [0, wp.token_to_id("hug")]


# --- against the definition ---


def by_definition(words, vocab_size):
    """The training loop with every score counted afresh: the tokens it adds, and their scores."""
    corpus = [(wordpiece.symbols(word), n) for word, n in words.items()]
    tokens, joins = dict.fromkeys(sorted({symbol for parts, _ in corpus for symbol in parts})), []
    while len(tokens) < vocab_size - 1 and (scores := wordpiece.pair_scores(corpus)):
        left, right = max(scores, key=scores.get)  # the first of equals
        token = left + right.removeprefix("##")
        joins.append((token, scores[left, right]))
        tokens[token] = None
        merged = []
        for parts, n in corpus:
            out = []
            for symbol in parts:
                if out and out[-1] == left and symbol == right:
                    out[-1] = token
                else:
                    out.append(symbol)
            merged.append((out, n))
        corpus = merged
    return list(tokens), joins


@given(st.dictionaries(st.text("abc", max_size=9), st.integers(1, 4), max_size=7), st.integers(8, 60))
def test_training_is_the_definition(words, vocab_size):
    wp = WordPiece.train(words, vocab_size)
    tokens, joins = by_definition(words, vocab_size)
    assert [token.decode() for token in wp.vocab[1:]] == tokens
    assert [(join.token, join.score) for join in wp.joins] == joins


def test_training_is_the_definition_on_real_text():
    text = bpelab.corpora.text("parallel", "ja", "test")[:1000] + bpelab.corpora.text("parallel", "en", "test")[:2500]
    wp = WordPiece.train(text, 900)
    words = Counter(wordpiece.words(text))
    tokens, joins = by_definition(words, 900)
    assert [(join.token, join.score) for join in wp.joins] == joins
    assert [token.decode() for token in wp.vocab[1:]] == tokens


def test_rare_pairs_come_first_unless_they_are_left_out():
    words = {"zq": 1, "ab": 50, "ac": 50, "bc": 50}
    assert WordPiece.train(words, 9).joins[0].token == "zq"
    few = WordPiece.train(words, 100, min_frequency=2)
    assert sorted(join.token for join in few.joins) == ["ab", "ac", "bc"]


@given(st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=8), st.text("ab ", max_size=12))
def test_encoding_is_the_longest_match(tokens, text):
    wp = WordPiece({*tokens, *("##" + token for token in tokens[::2])}, chunking="subword-nmt")
    have = {token.decode() for token in wp.vocab[1:]}
    wanted = []
    for word in text.split():
        parts, rest = [], word
        while rest:
            mark = "##" if parts else ""
            fits = [mark + rest[:n] for n in range(len(rest), 0, -1) if mark + rest[:n] in have]
            if not fits:
                parts = ["[UNK]"]
                break
            parts.append(fits[0])
            rest = rest[len(fits[0].removeprefix(mark)) :]
        wanted += parts
    assert wp.tokens(text) == wanted


def test_encoding_is_that_of_huggingface(trained, real_text):
    tokenizers = pytest.importorskip("tokenizers")
    vocab = {token.decode(): i for i, token in enumerate(trained.vocab)}
    model = tokenizers.models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=10**6)
    theirs = tokenizers.Tokenizer(model)
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    for text in real_text.values():
        for line in [*text.splitlines(), "zzz猫zz 🐈 #hash ##s a##b", "naïve  café\u3000㍿"]:
            assert trained.tokens(line) == theirs.encode(line).tokens
            assert trained.encode(line) == theirs.encode(line).ids


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cn", "Cs", "Co"], max_codepoint=0xFFFF), max_size=40))
def test_words_are_those_of_huggingface(text):
    tokenizers = pytest.importorskip("tokenizers")
    cut = tokenizers.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(text)
    assert wordpiece.words(text) == [word for word, _ in cut]


# --- text and back ---


@given(st.text("ab猫、 ' \n", max_size=40))
def test_words_come_back_with_one_blank_between(trained, text):
    known = trained.decode(trained.encode(text))
    assert known.split() == wordpiece.words(text)
    assert known == " ".join(wordpiece.words(text))


def test_other_chunkings_keep_their_blanks():
    for chunking in ("space", "gpt2", "whole"):
        wp = WordPiece.train("low lower  lowest", 60, chunking=chunking)
        assert wp.decode(wp.encode("low  lower lowest")) == "low  lower lowest"
    wp = WordPiece.train("low lower lowest", 60, chunking="sentencepiece")
    assert wp.decode(wp.encode(" low  lower")) == "low lower"
    wp = WordPiece.train("Low lower", 60, chunking="words")
    assert wp.decode(wp.encode("Low, lower")) == "low lower"


def test_decoding():
    wp = WordPiece(["hug", "##s", "##"])
    assert wp.decode([1, 2, 0, 1, 3]) == "hugs \ufffd hug ##"
    assert wp.decode([2, 1]) == "s hug"
    assert wp.decode([]) == ""
    assert wp.decode(np.array([1, 2])) == "hugs"
    assert wp.decode_bytes([1, 2]) == b"hugs"
    assert wp.decode([1, 99], unknown="replace") == "hug \ufffd"
    with pytest.raises(ValueError, match=r"ids\[1\] is 0, \[UNK\]"):
        wp.decode([1, 0], errors="strict")
    with pytest.raises(ValueError, match=r"ids\[0\] is 4, but this vocabulary has ids 0 to 3"):
        wp.decode([4])
    with pytest.raises(TypeError, match=r"ids\[0\] must be an int, got 1.0"):
        wp.decode([1.0])


@given(TEXT)
def test_any_text(trained, text):
    ids, tokens = trained.encode(text), trained.tokens(text)
    assert len(ids) == len(tokens)
    assert [trained.vocab[i].decode() for i in ids] == tokens
    if 0 not in ids:
        assert "".join(token.removeprefix("##") for token in tokens) == "".join(wordpiece.words(text))


def test_long_words():
    wp = WordPiece(["a", "##a", "##aa"])
    assert len(wp.encode("a" * 100_001)) == 50_001


# --- manners ---


@pytest.mark.parametrize("corpus", ["", [], [""], {}, " ", {"": 1}])
def test_nothing_to_learn(corpus):
    wp = WordPiece.train(corpus, 5)
    assert wp.vocab == [b"[UNK]"] and wp.joins == []
    assert wp.encode("") == [] and wp.tokens("a b") == ["[UNK]", "[UNK]"]


def test_training_options(capsys):
    assert WordPiece.train("low low lower", 7) == WordPiece.train({"low": 2, "lower": 1}, 7)
    assert WordPiece.train("low lower", 8).vocab_size == 8
    assert capsys.readouterr() == ("", "")
    WordPiece.train("low lower", 10, progress=True)
    assert "WordPiece.train" in capsys.readouterr().err
    big = WordPiece.train({"ab": 2**61, "bc": 2**61 + 1, "cd": 1}, 100)  # scores no float could tell apart
    assert len(big.joins) == 3


def test_scores_that_floats_take_for_equal():
    n = 2**60
    words = {"ab": n, "cd": n + 1}
    assert float(Fraction(1, n)) == float(Fraction(1, n + 1))
    assert WordPiece.train(words, 100).joins[0].token == "ab"
    assert WordPiece.train({"cd": n + 1, "ab": n}, 100).joins[0].token == "ab"


def test_equality_lookups_and_repr(trained):
    wp = WordPiece(["hug", "##s"])
    assert wp == WordPiece(["hug", "##s"]) and hash(wp) == hash(WordPiece(["hug", "##s"]))
    assert wp != WordPiece(["##s", "hug"]) and wp != WordPiece(["hug", "##s"], chunking="space") and wp != "wp"
    assert repr(wp) == "WordPiece(vocab_size=3, chunking='bert')"
    assert wp.joins is None
    assert wp.token_to_id("##s") == 2 and wp.token_to_id(b"[UNK]") == 0 and wp.id_to_token(1) == b"hug"
    assert wp.encode_batch(["hug", "hugs"]) == [[1], [1, 2]]
    with pytest.raises(ValueError, match="token 's' is not in the vocabulary"):
        wp.token_to_id("s")
    table = bpelab.compare({"wordpiece": trained}, {"en": "The cat saw it."})
    assert table["tokens"].tolist() == [len(trained.encode("The cat saw it."))]
    assert repr(bpelab.show.tokens({"wp": wp}, "hugs 猫")) == "wp (3): hug|##s|[UNK]"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: WordPiece("ab"), TypeError, "tokens must be a list of str, got str"),
        (lambda: WordPiece(None), TypeError, "tokens must be a list of str, got NoneType"),
        (lambda: WordPiece(["a", 1]), TypeError, r"tokens\[1\] must be a str, got int"),
        (lambda: WordPiece(["a", ""]), ValueError, r"tokens\[1\] must not be empty"),
        (lambda: WordPiece(["a", "b", "a"]), ValueError, "tokens: each token once, got 'a' again"),
        (lambda: WordPiece(["\ud83d"]), ValueError, "lone surrogate"),
        (lambda: WordPiece(["a"], chunking="gtp2"), ValueError, "chunking must be one of"),
        (lambda: WordPiece.train("abc", 3), ValueError, r"vocab_size must be at least 4, got 3 \(\[UNK\] and the 3"),
        (lambda: WordPiece.train("abc", 9.0), TypeError, "vocab_size must be a whole number"),
        (lambda: WordPiece.train("abc", 9, min_frequency=0), ValueError, "min_frequency must be at least 1"),
        (lambda: WordPiece.train(5), TypeError, "corpus must be a str, an iterable"),
        (lambda: WordPiece.train({"a": 0}), ValueError, r"corpus\['a'\] must be at least 1"),
        (lambda: WordPiece.train("a\ud83d"), ValueError, "lone surrogate"),
        (lambda: WordPiece.train("ab ##c", chunking="subword-nmt"), ValueError, "'##c' starts with ##"),
        (lambda: WordPiece.train({"##c": 1}), ValueError, "the word '##c' starts with ##"),
        (lambda: WordPiece(["a"]).encode(b"a"), TypeError, "text must be a str, got bytes"),
        (lambda: WordPiece(["a"]).tokens("a\udc4d"), ValueError, "lone surrogate"),
        (lambda: WordPiece(["a"]).encode_batch("a"), TypeError, "texts must be an iterable of str"),
    ],
)
def test_bad_calls(call, error, message):
    with pytest.raises(error, match=message):
        call()


# --- files ---


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@given(
    tokens=st.sets(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), max_size=9),
    chunking=st.sampled_from(["bert", "space", "words", r" ?\w+|(?s:.)"]),
)
def test_what_is_loaded_is_what_was_saved(tmp_path_factory, tokens, chunking):
    path = tmp_path_factory.mktemp("models") / "m.json"
    wp = WordPiece(sorted(tokens), chunking=chunking)
    wp.save(path)
    assert WordPiece.load(path) == wp
    assert WordPiece.load(path).vocab == wp.vocab


def changed(document, **fields):
    return json.dumps(document | fields)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d, s: "", "no valid bpelab-wordpiece model"),
        (lambda d, s: s[:-9], "no valid bpelab-wordpiece model"),
        (lambda d, s: "[" * 100_000, "too deeply"),
        (lambda d, s: s.replace('"version": 1', '"version": Infinity'), "Infinity is not a number"),
        (lambda d, s: changed(d, format="bpelab-unigram"), '"format" must be "bpelab-wordpiece"'),
        (lambda d, s: changed(d, version=0), "version must be 1, got 0"),
        (lambda d, s: changed(d, joins=[]), "fields must be"),
        (lambda d, s: changed(d, tokens=d["tokens"][1:]), '"vocab_size" says 4, but there are 3'),
        (lambda d, s: changed(d, tokens=["hug", "hug", "##s"]), "each token once, got 'hug' again"),
        (lambda d, s: changed(d, tokens=["hug", 1, "##s"]), r"tokens\[1\] must be a str, got int"),
        (lambda d, s: changed(d, tokens="hug"), '"tokens" is of the wrong type'),
        (lambda d, s: changed(d, chunking="nobert"), "chunking must be one of"),
        (lambda d, s: changed(d, vocab_size=True), '"vocab_size" is of the wrong type'),
        (lambda d, s: b"\xff" + s.encode(), "no valid bpelab-wordpiece model"),
    ],
)
def test_bad_files(path, change, message):
    WordPiece(["hug", "##s", "猫"]).save(path)
    source = path.read_text(encoding="utf-8")
    new = change(json.loads(source), source)
    assert new != source
    path.write_bytes(new if isinstance(new, bytes) else new.encode())
    with pytest.raises(ValueError, match=message):
        WordPiece.load(path)


def test_a_function_cannot_be_saved(path):
    with pytest.raises(ValueError, match="chunking is a function, which a file cannot hold"):
        WordPiece(["a"], chunking=lambda text: [text]).save(path)
    assert not path.exists()


def test_pairs_are_kept_as_they_would_be_counted():
    pairs = wordpiece.Pairs({"banana": 2, "bandana": 1, "aaaa": 3}, 1)
    while join := pairs.best():
        pairs.merge(join)
        corpus = list(zip(pairs.words, pairs.frequencies, strict=True))
        counted = Counter()
        for parts, n in corpus:
            for pair in pairwise(parts):
                counted[pair] += n
        assert +pairs.pairs == counted
        assert {pair for pair, places in pairs.places.items() if places} == set(counted)
