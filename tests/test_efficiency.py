import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


WORDS = ["cat", "a dog", "猫", "犬が", " ", "low lower"]
PAIRS = st.lists(st.tuples(*[st.lists(st.sampled_from(WORDS), min_size=1).map("".join)] * 2), min_size=1, max_size=4)


@given(PAIRS, st.sampled_from(["byte", "char"]), st.sampled_from(["space", "gpt2", "whole"]))
def test_the_curve_is_the_premium_of_every_truncated_tokenizer(pairs, base, chunking):
    tok = bpelab.train(WORDS * 3, base=base, chunking=chunking, special_tokens=["<end>"])
    curve = efficiency.premium_curve(tok, pairs)
    cut = {k: tok.truncate(k) for k in range(len(tok.merges) + 1)}
    frame = bpelab.premium(cut, pairs, resamples=1)
    assert curve.index.tolist() == frame["encoder"].tolist()
    columns = ["vocab_size", "en_tokens", "ja_tokens", "premium", "byte_ratio", "compression_gap"]
    assert list(curve.columns) == columns
    assert curve.to_dict("list") == frame[columns].to_dict("list")


def test_the_intervals_at_some_sizes_are_those_of_the_premium():
    pairs = bpelab.corpora.pairs("parallel", "test")
    tok = bpelab.train(bpelab.corpora.text("parallel", split="train"), 400, base="byte", chunking="gpt2")
    frame = efficiency.premium_intervals(tok, pairs, [256, 400, 656], resamples=50)
    curve = efficiency.premium_curve(tok, pairs).set_index("vocab_size")
    assert frame["premium"].tolist() == [curve["premium"][size] for size in (256, 400, 656)]
    assert (frame["low"] < frame["premium"]).all() and (frame["premium"] < frame["high"]).all()
    for wrong, message in (([255], "sizes must be at least 256, got 255"), ([657], "sizes must be at most 656")):
        with pytest.raises(ValueError, match=message):
            efficiency.premium_intervals(tok, pairs, wrong)


def test_a_difference_is_clearer_than_two_intervals():
    pairs = bpelab.corpora.pairs("parallel", "test")
    found = efficiency.premium_difference("cl100k_base", "o200k_base", pairs)
    rows = bpelab.premium({"a": "cl100k_base", "b": "o200k_base"}, pairs)
    assert (found.first, found.second) == tuple(rows["premium"])
    assert found.difference == found.first - found.second and found.clear
    assert found.low < found.difference < found.high
    assert found.high - found.low < (rows["high"] - rows["low"]).max()
    same = efficiency.premium_difference("gpt2", "gpt2", pairs)
    assert (same.difference, same.low, same.high, same.clear) == (0, 0, 0, False)


def test_the_premium_of_groups_and_their_differences():
    pairs, groups = bpelab.corpora.pairs("parallel"), bpelab.corpora.registers()
    frame = efficiency.premium_by("o200k_base", pairs, groups, resamples=50)
    assert set(frame["group"]) == set(groups) and frame["pairs"].sum() == len(pairs)
    assert frame["premium"].is_monotonic_increasing
    one = [pair for pair, group in zip(pairs, groups, strict=True) if group == frame["group"][0]]
    assert bpelab.premium({"x": "o200k_base"}, one)["premium"][0] == frame["premium"][0]
    between = efficiency.group_differences("o200k_base", pairs, groups, resamples=50)
    assert len(between) == len(frame) * (len(frame) - 1) // 2
    assert between["difference"].is_monotonic_decreasing and between["difference"].min() >= 0
    first = between.iloc[0]
    assert (first["first"], first["second"]) == (frame["group"].iloc[-1], frame["group"].iloc[0])
    assert first["clear"] and not between.iloc[-1]["clear"]
    with pytest.raises(ValueError, match="groups must have a label for each of 2 pairs, got 1"):
        efficiency.premium_by("gpt2", [("a", "b")] * 2, ["x"])


def test_draws_without_english_warn_of_nothing():
    tok = bpelab.train("", base="byte")
    row = bpelab.premium({"x": tok}, [("cat", "猫"), ("", "犬")]).iloc[0]
    assert row["premium"] == 2 and row["low"] == 1 and math.isfinite(row["high"])
    found = efficiency.premium_difference(tok, tok, [("cat", "猫"), ("", "犬")])
    assert (found.low, found.high) == (0, 0)


@pytest.mark.parametrize(("pairs", "side"), [([("cat", "猫")], "English"), ([("猫", "cat")], "Japanese")])
def test_a_side_without_a_token_is_an_error(pairs, side):
    dropping = Counted({"cat": 0, "猫": 2})
    for call in (
        lambda: bpelab.premium({"x": dropping}, pairs),
        lambda: efficiency.premium_difference(dropping, dropping, pairs),
        lambda: efficiency.premium_by(dropping, pairs, ["a"]),
        lambda: efficiency.premium_curve(
            bpelab.train("a b", chunking="words"), [tuple(t.replace("cat", "!!") for t in p) for p in pairs]
        ),
    ):
        with pytest.raises(ValueError, match=f"has no token on the {side}"):
            call()


@pytest.mark.parametrize("pairs", ["parallel", {"a": "b"}, pd.DataFrame({"en": ["a"], "ja": ["b"]}), 5])
def test_pairs_are_no_name_and_no_table(pairs):
    with pytest.raises(TypeError, match=r"pairs must be an iterable of .*corpora.pairs"):
        bpelab.premium({"x": "gpt2"}, pairs)


def test_pairs_may_come_from_a_table():
    table = pd.DataFrame({"en": ["cat", "dog"], "ja": ["猫", "犬"]})
    tok = bpelab.train("", base="byte")
    for pairs in (zip(table["en"], table["ja"], strict=True), table.to_numpy(), table.to_numpy().tolist()):
        assert bpelab.premium({"x": tok}, pairs)["premium"].tolist() == [1.0]


def test_fertility():
    tok = bpelab.train("low low lower", 3)
    text = "low lower, low's 猫が好き\n(low)"
    frame = efficiency.fertility({"ours": tok, "bytes": bpelab.train("", base="byte")}, {"t": text})
    words = ["low", " lower", " low's", " 猫が好き", "low"]
    assert frame["words"].tolist() == [5, 5]
    assert frame["tokens"].tolist() == [sum(len(tok.encode(w)) for w in words), sum(len(w.encode()) for w in words)]
    assert frame["split"].tolist() == [3 / 5, 1]
    cut = efficiency.fertility({"ours": tok}, {"t": "猫が好き"}, words=lambda text: list(text)).iloc[0]
    assert (cut["words"], cut["fertility"], cut["split"]) == (4, 1, 0)
    most = efficiency.most_split(tok, text, 2)
    assert most.values.tolist() == [[" 猫が好き", 1, 5], [" lower", 1, 3]]
    for text in ("", "...", "\n"):
        with pytest.raises(ValueError, match="holds no word"):
            efficiency.fertility({"ours": tok}, {"t": text})


@pytest.mark.parametrize("tok", ["gpt2", None, bpelab.vocabularies.load("gpt2")])
def test_what_has_no_merges_has_no_curve_and_no_slots(tok):
    with pytest.raises(ValueError, match="tok must be a merge list"):
        efficiency.slots(tok)
    with pytest.raises(ValueError, match="tok must be a merge list"):
        efficiency.premium_curve(tok, [("a", "b")])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: bpelab.compare([1], {"a": "b"}), TypeError, "encoders must be a dict with a name for each, got list"),
        (lambda: bpelab.compare({}, {"a": "b"}), ValueError, "encoders must not be empty"),
        (lambda: bpelab.compare({"x": 5}, {"a": "b"}), TypeError, r"needs a method encode\(str\), which int has not"),
        (lambda: bpelab.compare({"x": Counted({})}, {"a": 5}), TypeError, r"texts\['a'\] must be a str, got int"),
        (lambda: bpelab.premium({"x": Counted({})}, ["ab"]), ValueError, r"pairs\[0\] must be \(English, Japanese\)"),
        (lambda: bpelab.premium({"x": Counted({})}, [("a", "")]), ValueError, "text on both sides"),
        (lambda: bpelab.premium({"x": Counted({})}, [(1, "a")]), TypeError, r"pairs\[0\]\[0\] must be a str, got int"),
        (lambda: bpelab.premium({"x": Counted({})}, []), ValueError, "text on both sides"),
        (
            lambda: bpelab.premium({"x": Counted({})}, [5]),
            ValueError,
            r"pairs\[0\] must be \(English, Japanese\), got 5",
        ),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
