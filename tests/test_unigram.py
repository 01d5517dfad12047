import io
import json
import math
import random
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import unigram
from bpelab.lattice import log_sums
from bpelab.unigram import Unigram

TOKYO = {
    **{"東京": 0.05, "京都": 0.05, "東": 0.02, "京": 0.02, "都": 0.03, "に": 0.08},
    **{"住": 0.02, "住む": 0.04, "む": 0.02, "東京都": 0.03, "都に": 0.01},
}
TEXT = st.text(st.characters(codec="utf-8"), max_size=60)
PIECES = st.dictionaries(st.text("ab猫 ", min_size=1, max_size=4), st.floats(0.001, 1), min_size=1, max_size=12)
SHORT = st.text("ab猫 x", max_size=9)


@pytest.fixture(scope="module")
def trained(real_text):
    return Unigram.train(real_text.values(), 3000)


def by_hand(model, chunk):
    """All segmentations of one chunk, by recursion: (tokens, log-probability)."""
    if not chunk:
        return [([], 0.0)]
    pieces = {chunk[:n]: model.pieces[chunk[:n]] for n in range(1, len(chunk) + 1) if chunk[:n] in model.pieces}
    if chunk[0] not in pieces:
        pieces[chunk[0]] = min(model.pieces.values()) - 10
    return [
        ([piece, *rest], logp + more)
        for piece, logp in pieces.items()
        for rest, more in by_hand(model, chunk[len(piece) :])
    ]


# --- the worked example ---


def test_the_worked_example(expected):
    values = expected["toy_corpora"]["stdout_exact_on_3.11"]
    uni = Unigram(TOKYO)
    segmentations = uni.segmentations("東京都に住む")
    lines = [f"{tokens} {logp:.2f}" for tokens, logp in segmentations[:4]]
    assert "\n".join([str(len(segmentations)), *lines]) == values["segs"]
    assert str(uni.viterbi("東京都に住む")) == values["viterbi"]
    draw, weights = random.Random(0), [math.exp(logp) for _, logp in segmentations]
    drawn = [draw.choices(segmentations, weights=weights)[0][0] for _ in range(5)]
    assert "\n".join(map(str, drawn)) == values["sample"]
    assert uni.encode("東京都に住む") == [10, 6, 8]
    assert uni.decode([10, 6, 8]) == "東京都に住む"


# --- against all segmentations, one by one ---


@given(PIECES, SHORT)
def test_best_and_all_segmentations(pieces, text):
    uni = Unigram(pieces, chunking="whole")
    wanted = by_hand(uni, text)
    found = uni.segmentations(text)
    assert uni.count_segmentations(text) == len(wanted) == len(found)
    assert sorted((tokens, round(logp, 9)) for tokens, logp in found) == sorted((t, round(p, 9)) for t, p in wanted)
    scores = [logp for _, logp in found]
    assert scores == sorted(scores, reverse=True)
    tokens, logp = uni.viterbi(text)
    assert (tokens, logp) == found[0]
    assert logp == pytest.approx(max(p for _, p in wanted))


@given(PIECES, st.text("ab猫 x", max_size=14), st.integers(1, 20))
def test_n_best_is_the_head_of_all(pieces, text, n):
    uni = Unigram(pieces)  # a blank starts a chunk: lists of several chunks are joined
    best, every = uni.n_best(text, n), uni.segmentations(text, most=10**6)
    assert len(best) == min(n, len(every))
    assert [logp for _, logp in best] == pytest.approx([logp for _, logp in every[:n]])
    assert len({tuple(tokens) for tokens, _ in best}) == len(best)
    assert all("".join(tokens) == text for tokens, _ in best)
    assert best[0][1] == pytest.approx(uni.viterbi(text)[1])


@given(PIECES, st.dictionaries(SHORT.filter(lambda text: "x" not in text), st.integers(1, 5), max_size=3))
def test_expected_counts_are_sums_over_segmentations(pieces, chunks):
    uni, wanted = Unigram(pieces, chunking="whole"), Counter()
    for chunk, n in chunks.items():
        every = by_hand(uni, chunk)
        total = sum(math.exp(logp) for _, logp in every)
        for tokens, logp in every:
            for token in tokens:
                wanted[token] += n * math.exp(logp) / total
    found = uni.expected_counts(chunks)
    assert found == pytest.approx({piece: wanted[piece] for piece in found}, abs=1e-9)
    assert sum(n for piece, n in wanted.items() if piece in uni.pieces and piece not in found) == pytest.approx(0)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0, math.inf])
def test_samples_come_with_their_probability(temperature):
    uni, draw, n = Unigram(TOKYO), np.random.default_rng(0), 4000
    weights = {"|".join(tokens): math.exp(logp / temperature) for tokens, logp in uni.segmentations("東京都に住む")}
    drawn = Counter("|".join(uni.sample("東京都に住む", temperature, draw)) for _ in range(n))
    assert set(drawn) <= set(weights)
    for tokens, weight in weights.items():
        p = weight / sum(weights.values())
        assert abs(drawn[tokens] - n * p) <= 4 * math.sqrt(n * p * (1 - p)) + 1


def test_seeds():
    uni = Unigram(TOKYO)
    draws = [uni.sample("東京都に住む", 5.0, seed) for seed in range(20)]
    assert draws == [uni.sample("東京都に住む", 5.0, seed) for seed in range(20)]
    assert len(set(map(tuple, draws))) > 5
    assert uni.sample("東京都に住む", 1e-6, seed=1) == uni.viterbi("東京都に住む")[0]


def test_of_equals_the_longer_last_piece_wins():
    uni = Unigram({"a": -2, "aa": -1, "aaa": -3}, log=True)
    assert [tokens for tokens, _ in uni.n_best("aaa", 3)] == [["aaa"], ["a", "aa"], ["aa", "a"]]
    assert uni.viterbi("aaa")[0] == ["aaa"]


# --- long texts ---


def test_long_texts(trained, monkeypatch):
    text = "猫が犬を見た。The cat saw a dog. " * 3000
    tokens = trained.tokens(text)
    assert len(trained.sample(text, 2.0, 1)) > len(tokens)
    assert trained.n_best(text[:3000], 2)[0][0] == trained.viterbi(text[:3000])[0]
    monkeypatch.setattr(unigram, "BATCH", 1000)
    assert trained.tokens(text) == tokens


def test_numbers_too_large_are_refused_by_name():
    uni = Unigram({"a": 0.5, "aa": 0.2})
    assert len(uni.segmentations("a" * 10)) == uni.count_segmentations("a" * 10) == 89
    with pytest.raises(ValueError, match="text has 89 segmentations, more than most=88; n_best"):
        uni.segmentations("a" * 10, most=88)
    with pytest.raises(ValueError, match=r"text has about 10\^4180 segmentations, more than most=10,000"):
        uni.segmentations("a" * 20_000)


# --- unknown characters, bytes, blanks ---


def test_unknown_characters():
    uni = Unigram({"low": 0.1, "lo": 0.2, "er": 0.1})
    assert uni.tokens("lowxyer猫") == ["low", "xy", "er", "猫"]
    assert uni.encode("lowxyer猫") == [1, 0, 3, 0]
    assert uni.viterbi("lowxy") == (["low", "x", "y"], pytest.approx(3 * math.log(0.1) - 20))
    assert uni.decode([1, 0, 3]) == "low\ufffder"
    with pytest.raises(ValueError, match=r"ids\[1\] is 0, <unk>"):
        uni.decode([1, 0], errors="strict")
    assert Unigram({"ab": 0.1}, unknown=-1).tokens("ab") == ["ab"]  # two unknown ones, run together
    assert Unigram({"ab": 0.1}, unknown=-1).encode("ab") == [0]


def test_byte_fallback():
    uni = Unigram({"low": 0.1, "A": 0.1}, byte_fallback=True)
    assert uni.vocab_size == len(uni.vocab) == 1 + 256 + 2
    assert uni.tokens("low猫") == ["low", "<0xE7>", "<0x8C>", "<0xAB>"]
    assert uni.encode("lowé") == [257, 1 + 0xC3, 1 + 0xA9]
    assert uni.token_to_id("A") == 258 and uni.id_to_token(1 + ord("A")) == b"A"
    assert uni.token_to_id(b"B") == 1 + ord("B")


@given(TEXT)
def test_with_bytes_any_text_comes_back(text):
    uni = Unigram({"ab": 0.1, "猫": 0.1, "<unk>": 0.1}, byte_fallback=True)
    ids = uni.encode(text)
    assert uni.decode(ids, errors="strict") == text
    assert b"".join(uni.token_bytes(text)) == text.encode()
    assert uni.decode_bytes(ids) == text.encode()
    assert 0 not in ids


def as_words(text):
    """What comes back of a text: its words, one blank between them."""
    return " ".join(re.findall("[^ \t\n\v\f\r]+", text))


@given(st.text("ab猫が、 \n\t", max_size=40))
def test_words_come_back(trained, text):
    assert trained.decode(trained.encode(text), errors="strict") == as_words(text)


@given(TEXT)
def test_tokens_join_to_the_chunks(trained, text):
    assert len(trained.tokens(text)) == len(trained.encode(text))
    assert "".join(trained.tokens(text)) == "".join(bpelab.chunk(text, "sentencepiece-scripts"))


def test_real_text_comes_back(trained, real_text):
    for text in real_text.values():
        assert trained.decode(trained.encode(text), errors="strict") == as_words(text)


def test_the_text_unk_is_ordinary():
    uni = Unigram({"<unk>": 0.5})
    assert uni.encode("<unk>") == [1]
    assert uni.token_to_id("<unk>") == 1
    assert Unigram({"a": 1.0}).token_to_id("<unk>") == 0


# --- training ---


def test_training_keeps_what_it_promises(trained, real_text):
    assert trained.vocab_size == 3000
    characters = {c for text in real_text.values() for chunk in bpelab.chunk(text, trained.chunking) for c in chunk}
    assert characters <= set(trained.pieces)
    assert max(map(len, trained.pieces)) <= 16
    scores = list(trained.pieces.values())
    assert scores == sorted(scores, reverse=True)
    assert 0.9 < sum(map(math.exp, scores)) <= 1
    short = Unigram.train(real_text["en"], 800, max_piece_length=3)
    assert max(map(len, short.pieces)) == 3
    assert len(Unigram.train(real_text["en"], 800, byte_fallback=True).pieces) == 800 - 257


@pytest.mark.parametrize("corpus", ["", [], [""], {}, {"": 2}, " "])
def test_nothing_to_learn(corpus):
    uni = Unigram.train(corpus, 4)
    assert uni.pieces == {}
    assert uni.encode("") == [] and uni.decode([]) == "" and uni.viterbi("") == ([], 0.0)
    assert uni.segmentations("") == [([], 0.0)] and uni.sample("", seed=0) == []
    assert uni.encode("ab") == [0]


def test_one_character_and_mappings():
    assert Unigram.train({"aaaa": 5}, 4, chunking="whole").tokens("aaaa") == ["aaaa"]
    assert Unigram.train({"low": 5, "lower": 2}, 8).pieces == Unigram.train({"low": 5, "lower": 2}, 8).pieces
    assert Unigram.train("low low low lower", 16) == Unigram.train({"▁low": 3, "▁lower": 1}, 16)


@given(st.dictionaries(st.text("ab猫", max_size=8), st.integers(1, 3), min_size=1, max_size=4), st.integers(1, 6))
def test_seeds_are_the_maximal_repeats(chunks, most):
    counts = Counter()
    for chunk, n in chunks.items():
        for i in range(len(chunk)):
            for j in range(i + 1, len(chunk) + 1):
                counts[chunk[i:j]] += n
    alphabet = {piece for piece in counts if len(piece) == 1}

    def maximal(piece):
        longer = [c + piece for c in alphabet] + [piece + c for c in alphabet]
        return counts[piece] >= 2 and all(counts[other] < counts[piece] for other in longer)

    wanted = {p: n * len(p) for p, n in counts.items() if len(p) == 1 or (len(p) <= most and maximal(p))}
    pieces, scores = unigram.seed_pieces(chunks, most, 1000)
    assert dict(zip(pieces, scores.tolist(), strict=True)) == wanted
    assert len(set(pieces)) == len(pieces)
    few, _ = unigram.seed_pieces(chunks, most, 2)
    assert few == pieces[: len(alphabet) + 2]


def test_digamma():
    euler = 0.5772156649015329
    points = {1.0: -euler, 0.5: -euler - 2 * math.log(2), 2.0: 1 - euler, 1e-3: -1000.5755719318103}
    assert unigram.digamma(np.array([*points])) == pytest.approx(list(points.values()), rel=1e-10)
    assert unigram.digamma(np.array(1e6)) == pytest.approx(math.log(1e6 - 0.5), rel=1e-10)


def test_the_loss_of_a_piece_is_what_the_likelihood_loses():
    pieces, chunks = ["a", "b", "c", "ab", "abc"], {"ab": 6, "c": 3, "abc": 1, "b": 2}
    scores = np.log(np.array([0.1, 0.2, 0.2, 0.3, 0.01]))
    trie = unigram.Trie(pieces)
    loss = unigram.losses(
        unigram.Lattice(trie, chunks),
        unigram.Lattice(trie, pieces, whole=False),
        scores,
        np.array([*chunks.values()], float),
    )
    # Used: ab 7 times, c 4 times, b twice; abc loses to ab + c.
    total = 13
    wanted = 7 * (math.log(7 / total) - math.log(7 / (total + 7)) - math.log((2 + 7) / (total + 7)))
    assert loss[3] == pytest.approx(wanted)
    assert loss[4] == -np.inf and loss[0] == -np.inf
    kept = unigram.final_pieces(["a", "b", "ab", "ba", "aa"], np.array([-1.0, -9.0, -3.0, -2.0, -3.0]), 4)
    assert kept == {"a": -1.0, "ba": -2.0, "aa": -3.0, "b": -9.0}


def test_fitting_raises_the_likelihood():
    chunks = bpelab.count_chunks(bpelab.corpora.text("parallel", "ja"), "sentencepiece-scripts")
    pieces, counts = unigram.seed_pieces(chunks, 8, 2000)
    lattice, weights = unigram.Lattice(unigram.Trie(pieces), chunks), np.array([*chunks.values()], float)
    likelihoods, scores = [], np.append(np.log(counts / counts.sum()), 0.0)
    for _ in range(6):
        sums = log_sums(*lattice.edges, scores)
        starts = np.flatnonzero(np.r_[True, np.diff(lattice.first)[:-1] == 0])
        likelihoods.append(float(sums[starts] @ weights))
        counts = np.maximum(lattice.expected(scores, weights)[:-1], 1e-12)
        scores = np.append(np.log(counts / counts.sum()), 0.0)  # plain EM, which never makes it worse
    assert all(after >= before - 1e-6 for before, after in pairwise(likelihoods))
    assert likelihoods[-1] > likelihoods[0] + 1000


def test_progress_is_silent_unless_asked_for(capsys):
    Unigram.train("low lower lowest newest newest", 20)
    assert capsys.readouterr() == ("", "")
    Unigram.train("low lower lowest newest newest", 20, progress=True)
    assert "Unigram.train" in capsys.readouterr().err


# --- SentencePiece ---


def sentencepiece_model(lines, **options):
    spm = pytest.importorskip("sentencepiece")
    model = io.BytesIO()
    options = {"model_type": "unigram", "character_coverage": 1.0, "hard_vocab_limit": False, **options}
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        normalization_rule_name="identity",
        minloglevel=2,
        **options,
    )
    return model.getvalue()


@pytest.mark.parametrize("byte_fallback", [False, True])
@pytest.mark.parametrize("coverage", [1.0, 0.98])
def test_sentencepiece_gives_the_same_tokens(tmp_path, real_text, byte_fallback, coverage):
    lines = [line for text in real_text.values() for line in text.splitlines()]
    data = sentencepiece_model(lines[::2], vocab_size=4000, byte_fallback=byte_fallback, character_coverage=coverage)
    path = tmp_path / "m.model"
    path.write_bytes(data)
    import sentencepiece as spm

    theirs, ours = spm.SentencePieceProcessor(model_proto=data), Unigram.from_sentencepiece(path)
    assert ours.vocab_size == theirs.get_piece_size() - 2  # without <s> and </s>
    for line in [*lines, "", "  a  b  ", "🐈🐈‍⬛猫🐈", "ÿþ þ", "zzz!?…‥ ｶﾞ １２", "齉齾龘 齉a齉"]:
        tokens = theirs.encode(line, out_type=str)
        if not byte_fallback:  # it writes <0x41> for a byte that has a character
            assert ours.tokens(line) == tokens
        assert ours.encode(line) == [max(0, i - 2) for i in theirs.encode(line)]
        assert ours.decode(ours.encode(line)).count("\ufffd") == sum(theirs.is_unknown(i) for i in theirs.encode(line))


def test_training_is_close_to_sentencepiece(real_text):
    import sentencepiece as spm

    for lang, text in real_text.items():
        lines, held_out = text.splitlines()[::2], text.splitlines()[1::2]
        theirs = spm.SentencePieceProcessor(model_proto=sentencepiece_model(lines, vocab_size=2400))
        ours = Unigram.train(lines, theirs.get_piece_size())
        assert ours.vocab_size == theirs.get_piece_size()
        ratio = sum(map(len, ours.encode_batch(held_out))) / sum(map(len, theirs.encode(held_out)))
        assert 0.9 < ratio < 1.05, (lang, ratio)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model_type": "bpe"}, "another type than unigram"),
        ({"model_type": "char"}, "no valid SentencePiece model: .*model_type is 4"),
        ({"user_defined_symbols": ["<x>"]}, "user-defined symbol '<x>'"),
        ({"add_dummy_prefix": False}, "must write blanks as one ▁ before each word"),
        ({"treat_whitespace_as_suffix": True}, "must write blanks as one ▁ before each word"),
    ],
)
def test_sentencepiece_models_that_have_no_like_here(tmp_path, options, message):
    path = tmp_path / "m.model"
    path.write_bytes(sentencepiece_model(["low lower newest widest low"] * 5, vocab_size=30, **options))
    with pytest.raises(ValueError, match=message):
        Unigram.from_sentencepiece(path)


@pytest.mark.parametrize("data", [b"", b"abc", b"\x00" * 100, b"{}"])
def test_files_that_are_no_sentencepiece_model(tmp_path, data):
    pytest.importorskip("sentencepiece")
    path = tmp_path / "m.model"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="no valid SentencePiece model"):
        Unigram.from_sentencepiece(path)
    with pytest.raises(FileNotFoundError):
        Unigram.from_sentencepiece(tmp_path / "none")


def test_a_sentencepiece_model_keeps_its_own_normalization(tmp_path):
    """Also on runs of one letter, whose sums in 32 bits along the line decide ties."""
    import io

    import sentencepiece as spm

    model, path = io.BytesIO(), tmp_path / "m.model"
    lines = ["low lower newest widest", "moo mooo moooo", "猫が（好き）です。どう？"] * 30
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, vocab_size=60, hard_vocab_limit=False, minloglevel=2
    )
    path.write_bytes(model.getvalue())
    theirs, ours = spm.SentencePieceProcessor(model_proto=model.getvalue()), Unigram.from_sentencepiece(path)
    for line in [*lines[:3], "ﾓｰ（猫）ＬＯＷ？", *("m" + "o" * n for n in range(1, 60))]:
        assert ours.tokens(line) == theirs.encode(line, out_type=str)
    with pytest.raises(ValueError, match=r"keep its \.model"):
        ours.save(tmp_path / "m.json")


# --- manners ---


def test_equality_and_repr():
    one = Unigram(TOKYO)
    assert one == Unigram(dict(TOKYO)) and hash(one) == hash(Unigram(TOKYO))
    others = [
        Unigram(dict(reversed(TOKYO.items()))),
        Unigram(TOKYO, byte_fallback=True),
        Unigram(TOKYO, chunking="whole"),
        Unigram(TOKYO, unknown=-3),
        Unigram({**TOKYO, "東": 0.03}),
        "one",
    ]
    assert all(one != other for other in others)
    assert repr(one) == "Unigram(pieces=11, vocab_size=12, chunking='space')"
    one.pieces.clear()
    one.vocab.clear()
    assert one == Unigram(TOKYO)


def test_logarithms():
    logs = Unigram({"a": math.log(0.5), "b": -3}, log=True)
    assert logs.pieces == {"a": math.log(0.5), "b": -3.0}
    assert Unigram({"a": 0.5, "b": np.float64(math.exp(-3))}).pieces == pytest.approx(logs.pieces)


def test_tables_and_pictures(trained):
    table = bpelab.compare({"unigram": trained}, {"ja": "猫が犬を見た。"})
    assert table["vocab_size"].tolist() == [3000]
    assert table["tokens"].tolist() == [len(trained.encode("猫が犬を見た。"))]
    shown = bpelab.show.tokens({"unigram": Unigram(TOKYO)}, "東京都に住む")
    assert repr(shown) == "unigram (3): 東京都|に|住む"


@pytest.mark.parametrize(
    ("pieces", "options", "error", "message"),
    [
        (["a"], {}, TypeError, "pieces must be a mapping piece -> probability, got list"),
        ({3: 0.1}, {}, TypeError, "pieces key must be a str, got int"),
        ({"": 0.1}, {}, ValueError, "a piece must not be empty"),
        ({"a\ud83d": 0.1}, {}, ValueError, r"lone surrogate, U\+D83D, at character 1"),
        ({"a": 0}, {}, ValueError, r"pieces\['a'\] must be a probability above 0 and at most 1, got 0"),
        ({"a": 1.5}, {}, ValueError, r"pieces\['a'\] must be a probability above 0 and at most 1, got 1.5"),
        ({"a": math.nan}, {}, ValueError, "got nan"),
        ({"a": True}, {}, TypeError, "got True"),
        ({"a": "0.1"}, {}, TypeError, "got '0.1'"),
        ({"a": 0.1}, {"log": True}, ValueError, "a log-probability, finite and at most 0, got 0.1"),
        ({"a": -math.inf}, {"log": True}, ValueError, "finite and at most 0, got -inf"),
        ({"a": -(10**400)}, {"log": True}, ValueError, "finite and at most 0"),
        ({"a": 0.1}, {"unknown": 1}, ValueError, "unknown must be a log-probability"),
        ({"a": 0.1}, {"byte_fallback": 1}, TypeError, "byte_fallback must be True or False, got 1"),
        ({"a": 0.1}, {"chunking": "gtp2"}, ValueError, "chunking must be one of"),
    ],
)
def test_bad_models(pieces, options, error, message):
    with pytest.raises(error, match=message):
        Unigram(pieces, **options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"vocab_size": 3}, ValueError, r"vocab_size must be at least 5, got 3 \(<unk> and the 4 characters"),
        ({"vocab_size": 200, "byte_fallback": True}, ValueError, "at least 261, got 200 .*256 bytes"),
        ({"vocab_size": 10.0}, TypeError, "vocab_size must be a whole number, got 10.0"),
        ({"max_piece_length": 0}, ValueError, "max_piece_length must be at least 1"),
        ({"seed_size": 0}, ValueError, "seed_size must be at least 1"),
        ({"sub_iterations": 0}, ValueError, "sub_iterations must be at least 1"),
        ({"shrinking_factor": 1}, ValueError, "shrinking_factor must be between 0 and 1, got 1"),
        ({"shrinking_factor": "1"}, TypeError, "shrinking_factor must be a number between 0 and 1, got '1'"),
        ({"byte_fallback": None}, TypeError, "byte_fallback must be True or False"),
        ({"chunking": "gtp2"}, ValueError, "chunking must be one of"),
    ],
)
def test_bad_training_options(options, error, message):
    with pytest.raises(error, match=message):
        Unigram.train("abc", **options)


@pytest.mark.parametrize(
    ("corpus", "error", "message"),
    [
        (None, TypeError, "corpus must be a str, an iterable"),
        (b"abc", TypeError, "corpus must be a str, an iterable"),
        (["a", b"b"], TypeError, r"corpus\[1\] must be a str, got bytes"),
        ("ab\ud83d", ValueError, "corpus holds a lone surrogate"),
        ({"a": 0}, ValueError, r"corpus\['a'\] must be at least 1"),
    ],
)
def test_bad_corpora(corpus, error, message):
    with pytest.raises(error, match=message):
        Unigram.train(corpus)


def test_bad_calls():
    uni = Unigram(TOKYO)
    calls = (uni.encode, uni.tokens, uni.token_bytes, uni.viterbi, uni.segmentations, uni.sample)
    for call in (*calls, uni.count_segmentations, lambda text: uni.n_best(text, 2)):
        with pytest.raises(TypeError, match="text must be a str, got bytes"):
            call(b"ab")
        with pytest.raises(ValueError, match=r"lone surrogate, U\+DC4D, at character 3"):
            call("ok \udc4d end")
    for bad, error in ((0, ValueError), (-1.0, ValueError), (math.nan, ValueError), ("1", TypeError)):
        with pytest.raises(error, match="temperature must be"):
            uni.sample("東京", bad)
    with pytest.raises(ValueError, match="temperature is too close to 0"):
        uni.sample("東京", 1e-308)
    for bad, error in ((-1, ValueError), (1.5, TypeError), ("a", TypeError)):
        with pytest.raises(error, match="seed must be"):
            uni.sample("東京", seed=bad)
    with pytest.raises(ValueError, match="n must be at least 1"):
        uni.n_best("東京", 0)
    with pytest.raises(ValueError, match="most must be at least 1"):
        uni.segmentations("東京", most=0)
    with pytest.raises(TypeError, match="texts must be an iterable of str, got one str"):
        uni.encode_batch("ab")


def test_bad_ids():
    uni = Unigram(TOKYO)
    assert uni.decode(np.array([1, 2])) == "東京京都"
    assert uni.decode([1, 99, -1], unknown="replace") == "東京\ufffd\ufffd"
    for ids, error, message in (
        ([12], ValueError, r"ids\[0\] is 12, but this vocabulary has ids 0 to 11"),
        ([-1], ValueError, r"ids\[0\] is -1"),
        ([True], TypeError, r"ids\[0\] must be an int, got True"),
        ("ab", TypeError, "ids must be a sequence of ids"),
    ):
        with pytest.raises(error, match=message):
            uni.decode(ids)
    with pytest.raises(ValueError, match="token '猫' is not in the vocabulary"):
        uni.token_to_id("猫")
    with pytest.raises(ValueError, match="id must be below the vocabulary size, 12; got 12"):
        uni.id_to_token(12)


# --- files ---


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@given(
    pieces=st.dictionaries(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), st.floats(1e-300, 1), max_size=9
    ),
    unknown=st.none() | st.floats(-1e9, 0),
    byte_fallback=st.booleans(),
    chunking=st.sampled_from(["space", "whole", "sentencepiece", r" ?\w+|(?s:.)"]),
)
def test_what_is_loaded_is_what_was_saved(tmp_path_factory, pieces, **options):
    path = tmp_path_factory.mktemp("models") / "m.json"
    uni = Unigram(pieces, **options)
    uni.save(path)
    again = Unigram.load(path)
    assert again == uni
    assert (again.vocab, again.pieces, again.unknown) == (uni.vocab, uni.pieces, uni.unknown)


def test_a_trained_model_comes_back(trained, path, real_text):
    trained.save(path)
    assert Unigram.load(path) == trained
    assert Unigram.load(path).encode(real_text["ja"]) == trained.encode(real_text["ja"])


def changed(document, **fields):
    return json.dumps(document | fields)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d, s: "", "no valid bpelab-unigram model"),
        (lambda d, s: s[: len(s) // 2], "no valid bpelab-unigram model"),
        (lambda d, s: "[" * 100_000, "too deeply"),
        (lambda d, s: s.replace('"version": 1', '"version": 1, "version": 1'), "given twice"),
        (lambda d, s: s.replace('"unknown": null', '"unknown": NaN'), "NaN is not a number"),
        (lambda d, s: "[]", '"format" must be "bpelab-unigram"'),
        (lambda d, s: changed(d, format="bpelab"), '"format" must be "bpelab-unigram"'),
        (lambda d, s: changed(d, version=2), "version must be 1, got 2"),
        (lambda d, s: changed(d, version=True), "version must be 1, got True"),
        (lambda d, s: changed(d, extra=1), "fields must be"),
        (lambda d, s: changed(d, pieces=d["pieces"][:-1]), '"vocab_size" says 12, but there are 11 ids'),
        (lambda d, s: changed(d, pieces=[*d["pieces"][:-1], d["pieces"][0]]), r"pieces\[10\] gives '東京' again"),
        (lambda d, s: changed(d, pieces=[["a", 0.5]]), r"pieces\['a'\] must be a log-probability"),
        (lambda d, s: changed(d, pieces=[["a", "-1"]]), r"pieces\['a'\] must be a log-probability"),
        (lambda d, s: changed(d, pieces=[["a", None]]), r"pieces\['a'\] must be a log-probability"),
        (lambda d, s: s.replace("-2.5257286443082556", "-1e999"), "must be a log-probability, finite"),
        (lambda d, s: s.replace("-2.5257286443082556", "-" + "9" * 5000), "no valid bpelab-unigram model"),
        (lambda d, s: changed(d, pieces=[["", -1]]), "a piece must not be empty"),
        (lambda d, s: changed(d, pieces=[["a\ud83d", -1]]), "lone surrogate"),
        (lambda d, s: changed(d, pieces=[[1, -1]]), r"pieces\[0\] must be \[piece, log-probability\]"),
        (lambda d, s: changed(d, pieces={"a": -1}), '"pieces" is of the wrong type'),
        (lambda d, s: changed(d, byte_fallback=0), '"byte_fallback" is of the wrong type'),
        (lambda d, s: changed(d, unknown=True), '"unknown" is of the wrong type'),
        (lambda d, s: changed(d, chunking="("), "chunking is not a valid pattern"),
        (lambda d, s: changed(d, vocab_size=10**9), '"vocab_size" says 1000000000'),
        (lambda d, s: b"\xff\xfe" + s.encode(), "no valid bpelab-unigram model"),
    ],
)
def test_bad_files(path, change, message):
    Unigram(TOKYO).save(path)
    source = path.read_text(encoding="utf-8")
    new = change(json.loads(source), source)
    assert new != source
    path.write_bytes(new if isinstance(new, bytes) else new.encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError, match=message):
        Unigram.load(path)


@given(st.binary(max_size=200))
def test_any_bytes_load_or_raise_value_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("models") / "m.json"
    path.write_bytes(data)
    with pytest.raises(ValueError):
        Unigram.load(path)


def test_a_function_cannot_be_saved(path):
    with pytest.raises(ValueError, match="chunking is a function, which a file cannot hold"):
        Unigram(TOKYO, chunking=lambda text: [text]).save(path)
    assert not path.exists()
