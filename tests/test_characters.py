import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import files
from bpelab.characters import Bytes, Characters

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@given(TEXT)
def test_bytes_are_utf8(text):
    tok = Bytes()
    assert tok.encode(text) == list(text.encode())
    assert tok.token_bytes(text) == [bytes([byte]) for byte in text.encode()]
    assert tok.decode(tok.encode(text), errors="strict") == text


@given(TEXT, TEXT)
def test_characters_are_code_points(corpus, text):
    tok = Characters.train(corpus)
    assert tok.characters == "".join(sorted(set(corpus)))
    assert tok.vocab_size == len(set(corpus)) + 1
    assert tok.tokens(text) == list(text)
    assert tok.encode(text) == [1 + tok.characters.find(c) for c in text]
    assert tok.decode(tok.encode(corpus), errors="strict") == corpus
    assert tok == bpelab.train(corpus, 0, chunking="whole")


def test_the_most_frequent_characters():
    assert Characters.train("BBAACCC猫", 4).characters == "ABC"
    assert Characters.train("BBAACCC猫", 3).characters == "AC"
    assert Characters.train({"ab": 1, "b": 5, "c": 3}, 2).characters == "b"
    assert Characters.train("abc", 100).vocab_size == 4
    assert Characters.train("", 1).encode("a") == [0]
    with pytest.raises(ValueError, match="vocab_size must be at least 1, got 0"):
        Characters.train("abc", 0)


def test_training_bytes_checks_the_corpus():
    assert Bytes.train("abc") == Bytes.train() == Bytes()
    for train in (Bytes.train, Characters.train):
        with pytest.raises(TypeError, match="corpus must be a str, an iterable"):
            train(5)
        with pytest.raises(ValueError, match="lone surrogate"):
            train("\ud83d")
    with pytest.raises(TypeError, match="characters must be a str, got list"):
        Characters(["a"])


def test_files(tmp_path):
    for tok in (Bytes(), Characters("猫 a"), Characters("")):
        tok.save(tmp_path / "m.json")
        again = type(tok).load(tmp_path / "m.json")
        assert again == tok and type(again) is type(tok)
        assert bpelab.load(tmp_path / "m.json") == tok
    more = (
        bpelab.train("abab", 1, chunking="whole"),
        bpelab.train("ab", 0),
        bpelab.train("ab", 0, chunking="whole", special_tokens=["<x>"]),
        bpelab.train("ab", 0, chunking="whole", normalization="NFC"),
        bpelab.train("ab", 0, base="byte"),
    )
    for tok in more:
        tok.save(tmp_path / "m.json")
        for kind in (Bytes, Characters):
            with pytest.raises(ValueError, match="which is more than"):
                kind.load(tmp_path / "m.json")
    files.write(tmp_path / "m.json", "{}")
    with pytest.raises(ValueError, match="no valid bpelab model"):
        Bytes.load(tmp_path / "m.json")


def test_manners():
    assert (repr(Bytes()), repr(Characters("abc"))) == ("Bytes()", "Characters(vocab_size=4)")
    assert Characters("ab") == Characters("ba") and Characters("ab") != Characters("abc") and Bytes() != Characters("a")
    assert len({Bytes(), Bytes(), Characters("a")}) == 2
    assert Bytes().decode(np.array([231, 140, 171])) == "猫"
    with pytest.raises(ValueError, match=r"ids\[0\] is 256, but this vocabulary has ids 0 to 255"):
        Bytes().decode([256])
    table = bpelab.compare({"bytes": Bytes(), "characters": Characters("猫")}, {"ja": "猫猫"})
    assert table["tokens"].tolist() == [6, 2]
    assert repr(bpelab.show.tokens(Characters("猫"), "猫x")) == "猫|x"
