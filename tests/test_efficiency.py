import math

import pytest

import bpelab
from bpelab import efficiency


class Counted:
    """An encoder that gives as many ids as it is told."""

    def __init__(self, table):
        self.table = table

    def encode(self, text):
        return [0] * self.table[text]


def test_the_premium_is_a_ratio_of_sums():
    encoder = Counted({"e" * 100: 10, "j" * 100: 10, "e" * 2: 2, "j" * 2: 20})
    row = bpelab.premium({"x": encoder}, [("e" * 100, "j" * 100), ("ee", "jj")]).iloc[0]
    assert row["premium"] == 30 / 12  # the mean of the ratios would be 5.5
    assert row["vocab_size"] is None


def test_premium_is_byte_ratio_times_compression_gap():
    pairs = bpelab.corpora.pairs("parallel")
    toks = {
        lang: bpelab.train(bpelab.corpora.text("jupyterlab", lang), 500, base="byte", chunking="gpt2")
        for lang in ("en", "ja")
    }
    for _, row in bpelab.premium(toks, pairs).iterrows():
        assert math.isclose(row["byte_ratio"] * row["compression_gap"], row["premium"], rel_tol=1e-15)
        assert row["low"] < row["premium"] < row["high"]
        assert row["ja_tokens"] == sum(len(toks[row["encoder"]].encode(pair.ja)) for pair in pairs)
    again = bpelab.premium(toks, pairs)
    assert again.equals(bpelab.premium(toks, pairs))


def test_compare():
    texts = {"en": "The cat reads a book in the library.", "ja": "猫が図書館で本を読む。"}
    frame = bpelab.compare({"bytes": bpelab.train("", base="byte")}, texts).set_index("text")
    assert frame["chars"].tolist() == [36, 11]
    assert frame["bytes"].tolist() == frame["tokens"].tolist() == [36, 33]
    assert frame["tokens_per_char"].tolist() == [1.0, 3.0]
    assert frame["vocab_size"].tolist() == [256, 256]
    empty = bpelab.compare({"bytes": bpelab.train("", base="byte")}, {"nothing": ""}).iloc[0]
    assert empty["tokens"] == 0 and math.isnan(empty["chars_per_token"])


def test_any_encoder_is_measured_without_control_tokens():
    text = "この本は <|endoftext|> を説明する"
    ours = bpelab.train(text, 30, base="byte", chunking="gpt2", special_tokens=["<|endoftext|>"])
    encoders = {"ours": ours, "tiktoken": ours.to_tiktoken("x"), "hf": ours.to_huggingface()}
    frame = bpelab.compare(encoders, {"text": text})
    assert frame["tokens"].nunique() == 1
    assert frame["vocab_size"].tolist() == [ours.vocab_size] * 3


def test_kinds_and_slots():
    assert [efficiency.kind(t) for t in ("猫".encode(), b"\x97\xe3\x81", "猫が".encode(), b"a", b"ab")] == [
        "one character", "piece of a character", "longer", "one character", "longer",
    ]  # fmt: skip
    text = (
        "日本語の文章では、漢字とひらがなとカタカナが混ざっている。猫が好きな人も犬が好きな人もいる。"
        "ありがとうございます。よろしくお願いいたします。"
    ) * 3
    tok = bpelab.train(text, 60, base="byte", chunking=r"[^。]*。", tie="first")
    frame = efficiency.slots(tok, groups=4)
    assert frame["piece of a character"].sum() == 37
    assert frame[list(efficiency.KINDS)].sum(axis=1).tolist() == [15] * 4
    assert (frame["first"].iloc[0], frame["last"].iloc[-1]) == (1, 60)
    assert efficiency.slots(bpelab.train("a")).empty


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: bpelab.compare([1], {"a": "b"}), TypeError, "encoders must be a dict with a name for each, got list"),
        (lambda: bpelab.compare({}, {"a": "b"}), ValueError, "encoders must not be empty"),
        (lambda: bpelab.compare({"x": 5}, {"a": "b"}), TypeError, r"needs a method encode\(str\), which int has not"),
        (lambda: bpelab.compare({"x": Counted({})}, {"a": 5}), TypeError, "text must be a str, got int"),
        (lambda: bpelab.premium({"x": Counted({})}, ["ab"]), ValueError, r"pairs\[0\] must be \(English, Japanese\)"),
        (lambda: bpelab.premium({"x": Counted({})}, [("a", "")]), ValueError, "text on both sides"),
        (lambda: bpelab.premium({"x": Counted({})}, [(1, "a")]), TypeError, r"pairs\[0\]\[0\] must be a str, got int"),
        (lambda: bpelab.premium({"x": Counted({})}, []), ValueError, "text on both sides"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
