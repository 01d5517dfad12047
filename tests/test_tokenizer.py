import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import encoding, merges

GO = "low low low lower lower newest"
TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@pytest.fixture(scope="module")
def byte_tok(real_text):
    return bpelab.train(real_text.values(), 600, base="byte", chunking="gpt2", special_tokens=["<|end|>"])


@given(TEXT)
def test_any_text_comes_back_from_bytes(byte_tok, text):
    ids = byte_tok.encode(text)
    assert byte_tok.decode(ids) == text
    assert byte_tok.decode(ids, errors="strict") == text
    assert byte_tok.decode_bytes(ids) == text.encode()
    assert b"".join(byte_tok.token_bytes(text)) == text.encode()
    assert len(byte_tok.tokens(text)) == len(ids)
    decoder = byte_tok.stream_decoder()
    assert "".join(map(decoder.feed, ids)) == text
    assert decoder.finish() == ""


@given(st.lists(st.integers(0, 255), max_size=12))
def test_a_stream_is_what_decode_says(byte_tok, ids):
    decoder = byte_tok.stream_decoder()
    assert "".join([*map(decoder.feed, ids), decoder.finish()]) == byte_tok.decode(ids)


@given(TEXT, TEXT)
def test_characters_come_back_where_they_are_known(corpus, text):
    tok = bpelab.train(corpus)
    known = "".join(c for c in text if c in corpus)
    assert tok.decode(tok.encode(known)) == known
    assert b"".join(tok.token_bytes(text)).decode() == text
    assert tok.decode(tok.encode(text)).count("\ufffd") >= sum(c not in corpus for c in text)


def test_unknown_characters():
    tok = bpelab.train(GO, 8)
    assert tok.encode("box lower") == [0, 5, 0, 14]
    assert tok.tokens("box lower") == ["b", "o", "x", " lower"]
    assert tok.decode([0, 5, 0, 14]) == "\ufffdo\ufffd lower"
    with pytest.raises(ValueError, match=r"ids\[0\] is 0, <unk>"):
        tok.decode([0, 5], errors="strict")


def test_the_text_unk_is_ordinary():
    tok = bpelab.train("<unk> <unk> <unk>", chunking="gpt2", base="char")
    learned = bpelab.train("<unk><unk>", chunking="whole", num_merges=4)
    assert b"<unk>" in learned.vocab[1:]
    assert learned.token_to_id(b"<unk>") > 0
    assert learned.decode(learned.encode("<unk>")) == "<unk>"
    assert 0 not in tok.encode("<unk>")


def test_streaming_holds_back_half_a_character():
    tok = bpelab.train("", base="byte")
    decoder = tok.stream_decoder()
    assert [decoder.feed(b) for b in "猫".encode()[:2]] == ["", ""]
    assert decoder.finish() == "\ufffd"


def test_end_of_word():
    tok = bpelab.train("the low tower", end_of_word="</w>", chunking="words")
    assert tok.decode(tok.encode("Low, the tower")) == "low the tower"
    assert bpelab.train({"low": 2}, end_of_word="_").decode([1, 2, 3]) == "lo"
    with pytest.raises(ValueError, match="end_of_word: the text holds the marker '_', in 'a_b'"):
        bpelab.train("a_b", end_of_word="_")
    with pytest.raises(ValueError, match="end_of_word needs base='char'"):
        bpelab.train("ab", end_of_word="_", base="byte")
    with pytest.raises(ValueError, match="end_of_word must not be empty"):
        bpelab.train("ab", end_of_word="")
    assert bpelab.train("ab", end_of_word="_", num_merges=0).encode("a_b") == [2, 0, 3, 1]


def test_special_tokens():
    tok = bpelab.train("abababab", 2, special_tokens=["<|a|>", "<|a|><|b|>"])
    assert tok.vocab_size == len(tok.vocab) == 3 + 2 + 2
    ids = tok.special_tokens
    assert set(ids.values()).isdisjoint(tok.encode("ab<|a|>"))
    assert tok.encode("ab<|a|><|b|>", allowed_special="all") == [3, ids["<|a|><|b|>"]]
    assert tok.encode("ab<|a|>", allowed_special=["<|a|>"]) == [3, ids["<|a|>"]]
    assert tok.decode([3, ids["<|a|>"]]) == "ab<|a|>"
    with pytest.raises(ValueError, match="allowed_special: 'x' is no special token"):
        tok.encode("x", allowed_special=["x"])
    with pytest.raises(TypeError, match="allowed_special must be an iterable"):
        tok.encode("x", allowed_special="<|a|>")


@pytest.mark.parametrize(
    ("special", "error", "message"),
    [
        ({"<x>": 256}, ValueError, "id 256 belongs to the vocabulary, ids 0 to 257"),
        ({"<x>": 300, "<y>": 300}, ValueError, "have the same id, 300"),
        ({"<x>": -1}, ValueError, "must be at least 0, got -1"),
        ({"<x>": 1 << 40}, ValueError, "must be at most"),
        ({2000: "x"}, TypeError, "special_tokens name must be a str, got int"),
        ([""], ValueError, "must not be empty"),
        (["<x>", "<x>"], ValueError, "each name once"),
        ("<x>", TypeError, "must be a list of names"),
        (["\ud83d"], ValueError, "lone surrogate"),
    ],
)
def test_bad_special_tokens(special, error, message):
    with pytest.raises(error, match=message):
        bpelab.train("abababab", 2, base="byte", special_tokens=special)


def test_special_ids_with_a_gap():
    tok = bpelab.train("abab", 1, special_tokens={"<end>": 9})
    assert tok.vocab_size == len(tok.vocab) == 10
    assert tok.decode([3, 9]) == "ab<end>"
    with pytest.raises(ValueError, match=r"ids\[0\] is 5.*with gaps"):
        tok.decode([5])


def test_truncating_moves_the_special_ids_that_follow():
    tok = bpelab.train("abababab", 2, special_tokens=["<a>", "<b>"])
    assert tok.truncate(1).special_tokens == {"<a>": 4, "<b>": 5}
    assert tok.truncate(1) == bpelab.train("abababab", 1, special_tokens=["<a>", "<b>"])
    far = bpelab.train("abababab", 2, special_tokens={"<a>": 100})
    assert far.truncate(0).special_tokens == {"<a>": 100}
    for bad, message in ((3, "at most 2"), (-1, "at least 0")):
        with pytest.raises(ValueError, match=f"num_merges must be {message}"):
            tok.truncate(bad)


def test_vocab_size_counts_everything():
    tok = bpelab.train("abcd" * 50, vocab_size=260, base="byte", chunking="whole", special_tokens=["<end>"])
    assert (tok.vocab_size, len(tok.merges)) == (260, 3)
    assert bpelab.train("abcd", vocab_size=5).vocab_size == 5


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_merges": -1}, ValueError, "num_merges must be at least 0, got -1"),
        ({"num_merges": 2.0}, TypeError, "num_merges must be a whole number, got 2.0"),
        ({"num_merges": True}, TypeError, "num_merges must be a whole number, got True"),
        ({"num_merges": 1, "vocab_size": 300}, ValueError, "num_merges or vocab_size, not both"),
        ({"vocab_size": 50, "base": "byte"}, ValueError, "vocab_size must be at least 256, got 50.*256 entries"),
        ({"vocab_size": 2}, ValueError, "vocab_size must be at least 4, got 2"),
        ({"min_frequency": 0}, ValueError, "min_frequency must be at least 1"),
        ({"base": "bytes"}, ValueError, "base must be one of 'char', 'byte'; got 'bytes'"),
        ({"base": None}, TypeError, "base must be a str"),
        ({"tie": "random"}, ValueError, "tie must be one of 'lexicographic', 'first'"),
        ({"count": "all"}, ValueError, "count must be one of 'overlap', 'runs'"),
        ({"chunking": "gtp2"}, ValueError, "chunking must be one of"),
    ],
)
def test_bad_options(options, error, message):
    for train in (bpelab.train, bpelab.reference.train):
        with pytest.raises(error, match=message):
            train("abc", **options)


@pytest.mark.parametrize(
    ("corpus", "error", "message"),
    [
        (None, TypeError, "corpus must be a str, an iterable of str or a mapping"),
        (5, TypeError, "corpus must be a str, an iterable"),
        (b"abc", TypeError, "corpus must be a str, an iterable of str"),
        (["a", b"b"], TypeError, r"corpus\[1\] must be a str, got bytes.*decode"),
        ("ab\ud83d", ValueError, r"corpus holds a lone surrogate, U\+D83D, at character 2"),
        ({"a": 0}, ValueError, r"corpus\['a'\] must be at least 1, got 0"),
        ({"a": 1.5}, TypeError, r"corpus\['a'\] must be a whole number"),
        ({"a": True}, TypeError, r"corpus\['a'\] must be a whole number"),
        ({"a": 2**63}, ValueError, r"sum to less than 2\*\*63"),
        ({3: 1}, TypeError, "corpus key must be a str, got int"),
    ],
)
def test_bad_corpora(corpus, error, message):
    with pytest.raises(error, match=message):
        bpelab.train(corpus)


@pytest.mark.parametrize("corpus", ["", [], [""], {}, "a", " ", "猫"])
@pytest.mark.parametrize("base", ["char", "byte"])
def test_nothing_to_merge(corpus, base):
    tok = bpelab.train(corpus, 4, base=base, chunking="lines")
    assert len(tok.merges) == (2 if corpus == "猫" and base == "byte" else 0)
    assert tok.decode(tok.encode("")) == ""


def test_ids_may_come_from_numpy_and_may_be_unknown(byte_tok):
    assert byte_tok.decode(np.array([97, 98])) == "ab"
    assert byte_tok.decode([np.int64(97)]) == "a"
    assert byte_tok.decode([97, -5, 10**9], unknown="replace") == "a\ufffd\ufffd"
    with pytest.raises(ValueError, match="unknown must be one of 'error', 'replace'"):
        byte_tok.decode([1], unknown="ignore")
    with pytest.raises(ValueError, match="errors must be one of 'replace', 'strict'"):
        byte_tok.decode([1], errors="ignore")
    with pytest.raises(ValueError, match="no valid UTF-8"):
        byte_tok.decode([0xE7], errors="strict")


def test_the_memory_of_chunks_is_bounded(byte_tok, monkeypatch):
    monkeypatch.setattr(encoding, "MOST_REMEMBERED", 10)
    texts = [chr(0x4E00 + i) * 3 + "猫" * (i % 80) for i in range(300)]
    ids = [byte_tok.encode(text) for text in texts]
    assert len(byte_tok._encoder.remembered) <= 10
    assert ids == [bpelab.Tokenizer(byte_tok.merges, base="byte", chunking="gpt2").encode(text) for text in texts]
    with pytest.raises(TypeError, match="texts must be an iterable of str, got one str"):
        byte_tok.encode_batch("abc")


def test_lookups(byte_tok):
    for i in (0, 97, 300, byte_tok.vocab_size - 1):
        assert byte_tok.token_to_id(byte_tok.id_to_token(i)) == i
    assert byte_tok.token_to_id("a") == 97
    with pytest.raises(ValueError, match="token b'qqqq' is not in the vocabulary"):
        byte_tok.token_to_id(b"qqqq")
    with pytest.raises(ValueError, match="id must be below the vocabulary size, 857; got 857"):
        byte_tok.id_to_token(857)
    with pytest.raises(ValueError, match="id must be at least 0"):
        byte_tok.id_to_token(-1)


def test_equality_and_repr():
    one, two = bpelab.train(GO, 8), bpelab.train(GO, 8)
    assert one == two and hash(one) == hash(two)
    assert one != bpelab.train(GO, 7) and one != bpelab.train(GO, 8, chunking="gpt2") and one != "one"
    assert repr(one) == "Tokenizer(base='char', merges=8, vocab_size=18, chunking='space')"
    one.merges.clear()
    one.vocab.clear()
    assert one == two


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        ([("a", "b"), ("abc", "d"), ("ab", "c")], r"merges\[1\] uses 'abc', which is neither a base symbol"),
        ([("a", "b"), ("b", "c"), ("ab", "c"), ("a", "bc")], r"merges\[3\] makes 'abc' again, which already has id 7"),
        (["ab"], r"merges\[0\] must be \(left, right\)"),
        ([("a", "b", -1)], r"merges\[0\] count must be at least 0"),
    ],
)
def test_bad_merge_lists(merges, message):
    with pytest.raises(ValueError, match=message):
        bpelab.Tokenizer(merges, characters="abcd")


def test_merges_that_double_are_refused_before_memory_is_full(monkeypatch):
    monkeypatch.setattr(merges, "MOST_TOKEN_BYTES", 1 << 20)
    with pytest.raises(ValueError, match=r"merges\[19\]: the tokens so far have more than 1 MiB"):
        bpelab.Tokenizer([("a" * 2**k, "a" * 2**k) for k in range(21)], characters="a")


def test_order_is_the_product():
    one = bpelab.Tokenizer([("e", "s"), ("s", "t"), ("es", "t")])
    two = bpelab.Tokenizer([("s", "t"), ("e", "s"), ("es", "t")])
    assert sorted(one.vocab) == sorted(two.vocab)
    assert (one.tokens("est"), two.tokens("est")) == (["est"], ["e", "st"])


def test_merge_table():
    table = bpelab.train("aaa b", 2).merge_table()
    assert list(table.columns) == ["step", "left", "right", "token", "count", "length"]
    assert table.values.tolist() == [[1, "a", "a", "aa", 2, 4], [2, "␣", "b", "␣b", 1, 3]]
    assert "length" not in bpelab.Tokenizer([("a", "b")]).merge_table()
    assert len(bpelab.train(GO).merge_table(3)) == 3


def test_progress_is_silent_unless_asked_for(capsys):
    bpelab.train(GO)
    assert capsys.readouterr() == ("", "")
    bpelab.train(GO, progress=True)
    assert "11 merges" in capsys.readouterr().err


def test_normalization():
    tok = bpelab.train("ガ１ ガ１", 3, normalization="NFKC")
    assert tok.encode("ガ１") == tok.encode("\uff76\uff9e1") == tok.encode("カ\u30991")
    assert tok.decode(tok.encode("ガ１")) == "ガ1"
    assert tok == bpelab.train({"ガ1": 1, " ガ１": 1}, 3, normalization="NFKC")
    assert tok != bpelab.train("ガ1 ガ1", 3)
    plain = bpelab.train("がか\u3099", base="byte")
    assert plain.encode("が") != plain.encode("か\u3099")
    with pytest.raises(ValueError, match="normalization must be one of 'NFC'"):
        bpelab.train("a", normalization="nfc")


@given(TEXT)
def test_offsets_cover_the_text(byte_tok, text):
    offsets = byte_tok.offsets(text)
    assert len(offsets) == len(byte_tok.encode(text))
    for (start, end), token in zip(offsets, byte_tok.token_bytes(text), strict=True):
        assert token in text[start:end].encode()
    assert "".join(text[start:end] for start, end in offsets if start == end) == ""
    covered = [position for start, end in offsets for position in range(start, end)]
    assert set(covered) == set(range(len(text))) and covered == sorted(covered)


def test_offsets_of_pieces_and_markers():
    tok = bpelab.train("猫猫", 1, base="byte", chunking="whole")
    assert tok.offsets("a猫") == [(0, 1), (1, 2), (1, 2)]
    assert bpelab.train({"ab": 1}, 0, end_of_word="_").offsets("ab") == [(0, 1), (1, 2), (2, 2)]
    assert bpelab.train("ab").offsets("axb") == [(0, 1), (1, 2), (2, 3)]
    with pytest.raises(ValueError, match="'words' is lossy"):
        bpelab.train("ab", chunking="words").offsets("ab")


def test_more_special_tokens_change_no_id():
    tok = bpelab.train("abab", 1, special_tokens=["<a>"])
    more = tok.with_special_tokens(["<b>"])
    assert more.vocab[: tok.vocab_size] == tok.vocab
    assert more.special_tokens == {"<a>": 4, "<b>": 5}
    assert tok.special_tokens == {"<a>": 4}
    for bad, message in ((["<a>"], "is one already, with id 4"), ({"<c>": 3}, "belongs to the vocabulary")):
        with pytest.raises(ValueError, match=message):
            tok.with_special_tokens(bad)
