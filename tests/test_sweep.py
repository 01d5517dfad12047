import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab.sweep import Least, least

TEXTS = st.lists(st.text("abcあ猫 ", max_size=30), min_size=1, max_size=4)


@given(TEXTS, TEXTS, st.sampled_from(["char", "byte"]), st.sampled_from(["space", "whole", "gpt2"]))
def test_the_sweep_is_encoding_with_every_truncated_tokenizer(corpus, documents, base, chunking):
    tok = bpelab.train(corpus, base=base, chunking=chunking, special_tokens=["<end>"])
    frame = bpelab.sweep(tok, documents, layers=3, width=7)
    full = bpelab.sweep(tok, documents, layers=3, width=7, attention="full")
    assert frame["merges"].tolist() == list(range(len(tok.merges) + 1))
    for merges, row in frame.iterrows():
        small = tok.truncate(merges)
        lengths = [len(ids) for ids in small.encode_batch(documents)]
        assert row["tokens"] == sum(lengths)
        assert row["vocab_size"] == small.vocab_size
        assert row["attention_cost"] == 2 * 3 * 7 * sum(n * (n + 1) / 2 for n in lengths)
        assert full["attention_cost"][merges] == 2 * 3 * 7 * sum(n * n for n in lengths)
        assert row["total_cost"] == row["attention_cost"] + row["body_cost"] + row["output_cost"]
        assert row["cache_bytes_per_document"] == row["cache_bytes_per_token"] * max(lengths)
    assert frame["tokens"].is_monotonic_decreasing


def test_costs_and_units():
    tok = bpelab.train("ab ab", 1)
    row = bpelab.sweep(tok, ["ab", "a b"], layers=2, width=10, bytes_per_parameter=4).iloc[1]
    assert row["tokens"] == 1 + 3
    assert row["vocab_size"] == 5
    assert row["attention_cost"] == 2 * 2 * 10 * (1 + 6)
    assert row["body_cost"] == 12 * 2 * 100 * 4
    assert row["output_cost"] == 10 * 5 * 4
    assert (row["embedding_parameters"], row["embedding_bytes"]) == (50, 200)
    assert (row["chars_per_token"], row["bytes_per_token"]) == (5 / 4, 5 / 4)
    assert row["output_bytes_per_token"] == 10 * 5 * 4
    assert row["cache_bytes_per_token"] == 2 * 2 * 10 * 4
    assert row["cache_bytes_per_document"] == 3 * 160
    weights = (12 * 2 * 100 + 10 * 5) * 4
    assert row["writing_bytes"] == 4 * weights + 160 * (1 + 1 + 2 + 3)


@pytest.mark.parametrize(("layers", "width"), [(4, 256), (12, 768)])
def test_the_cost_is_the_count_of_kaplan_and_others(layers, width):
    """2N + 2 * layers * n * width operations a token; the one more is the token itself."""
    n = 1000
    row = bpelab.sweep(bpelab.train("", base="byte"), "a" * n, layers=layers, width=width).iloc[0]
    operations = 2 * (row["body_cost"] + row["attention_cost"]) / n
    assert operations == 2 * (12 * layers * width**2) + 2 * layers * (n + 1) * width


@pytest.mark.parametrize("name", ["layers", "width", "bytes_per_parameter"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (0, ValueError, "must be at least 1, got 0"),
        (2**62, ValueError, "must be at most 16,777,216, got 4611686018427387904"),
        (2**70, ValueError, "must be at most 16,777,216"),
        (1.5, TypeError, "must be a whole number"),
    ],
)
def test_bad_shapes(name, value, error, message):
    with pytest.raises(error, match=f"{name} {message}"):
        bpelab.sweep(bpelab.train("ab"), "ab", **{name: value})


def test_the_largest_shape_overflows_nothing():
    frame = bpelab.sweep(bpelab.train("ab ab"), "ab" * 50, layers=2**24, width=2**24, bytes_per_parameter=8)
    assert (frame > 0).loc[:, "vocab_size":].all(axis=None)


@pytest.mark.parametrize("tok", ["x", "gpt2", None, 5, bpelab.vocabularies.load("gpt2")])
def test_what_has_no_curve_is_refused(tok):
    with pytest.raises(ValueError, match=r"tok must be a merge list, .* is none"):
        bpelab.sweep(tok, "ab")


def test_anything_with_a_curve_is_swept():
    class Halves:
        vocab_size = 3

        def curve(self, text):
            return np.array([len(text), (len(text) + 1) // 2])

    frame = bpelab.sweep(Halves(), ["abc", "de"])
    assert frame["tokens"].tolist() == [5, 3]
    assert frame["vocab_size"].tolist() == [2, 3]


def test_a_wrong_attention():
    with pytest.raises(ValueError, match="attention must be one of 'causal', 'full'; got 'linear'"):
        bpelab.sweep(bpelab.train("ab"), "ab", attention="linear")


def frame(costs):
    return pd.DataFrame({"vocab_size": range(256, 256 + len(costs)), "total_cost": costs})


@pytest.mark.parametrize(
    ("costs", "found", "text"),
    [
        ([5.0, 1.01, 1.0, 1.02, 3], Least(258, 257, 259, True), "258 (nearly as low: 257 to 259)"),
        ([5.0, 3.0, 1.0], Least(258, 258, None, False), "not reached at 258 (nearly as low: 258 to the end)"),
        ([5.0, 1.0, 1.0005], Least(257, 257, None, False), "not reached at 257 (nearly as low: 257 to the end)"),
        ([5.0, 1.0, 1.01], Least(257, 257, None, True), "257 (nearly as low: 257 to the end)"),
        ([1.0], Least(256, 256, None, False), "not reached at 256 (nearly as low: 256 to the end)"),
    ],
)
def test_the_least_size_and_its_range(costs, found, text):
    assert least(frame(costs)) == found
    assert str(least(frame(costs))) == text


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: least(frame([])), ValueError, "frame must be rows of a sweep"),
        (lambda: least(frame([1.0]), "cost"), ValueError, "with the columns 'vocab_size' and 'cost'"),
        (lambda: least("x"), ValueError, "frame must be rows of a sweep"),
        (lambda: least(frame([1.0]), within=-1), ValueError, "within must be a share of 0 or more"),
        (lambda: least(frame([1.0]), within="2%"), TypeError, "within must be a number"),
    ],
)
def test_the_least_of_what_is_no_sweep(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_the_least_sizes_of_a_chapter():
    """Costs of causal attention on 30 verses a document; half the scores move the least sizes down."""
    train, test = (bpelab.corpora.pairs("bible", split) for split in ("train", "test"))
    found = []
    for side in (1, 0):
        lines = [[pair[side] for pair in part] for part in (train, test)]
        texts = [["\n".join(part[i : i + 30]) for i in range(0, len(part), 30)] for part in lines]
        tok = bpelab.train(texts[0], vocab_size=16_384, base="byte", chunking="gpt2")
        found.append(least(bpelab.sweep(tok, texts[1], layers=4, width=256)).vocab_size)
    assert found == [5168, 3379]
    assert least(bpelab.sweep(tok, texts[1])).vocab_size == 8302
    assert not least(bpelab.sweep(tok, texts[1], layers=48, width=8192)).reached


def test_overlap():
    assert bpelab.overlap(["a", "b"], ["b", "c", "b"]) == 2 / 3
    with pytest.raises(TypeError, match="train_documents must be an iterable of str, got one str"):
        bpelab.overlap("ab", ["a"])
    with pytest.raises(ValueError, match="test_documents must not be empty"):
        bpelab.overlap(["a"], [])


def test_overlap_refuses_tables_but_takes_their_columns():
    table = pd.DataFrame({"text": ["a", "b"]})
    for wrong in (table, {"a": "b"}, table.T):
        with pytest.raises(TypeError, match="train_documents must be a str or an iterable of str, got a"):
            bpelab.overlap(wrong, ["a"])
        with pytest.raises(TypeError, match="test_documents must be a str or an iterable of str, got a"):
            bpelab.overlap(["a"], wrong)
    assert bpelab.overlap(table["text"], ["a", "c"]) == 0.5


def test_the_template_sentences_are_all_in_the_training_set():
    import toys

    train, test = toys.japanese_sentences()
    assert bpelab.overlap(train, test) == 1.0
