import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab

TEXTS = st.lists(st.text("abcあ猫 ", max_size=30), min_size=1, max_size=4)


@given(TEXTS, TEXTS, st.sampled_from(["char", "byte"]), st.sampled_from(["space", "whole", "gpt2"]))
def test_the_sweep_is_encoding_with_every_truncated_tokenizer(corpus, documents, base, chunking):
    tok = bpelab.train(corpus, base=base, chunking=chunking, special_tokens=["<end>"])
    frame = bpelab.sweep(tok, documents, layers=3, width=7)
    assert frame["merges"].tolist() == list(range(len(tok.merges) + 1))
    for merges, row in frame.iterrows():
        small = tok.truncate(merges)
        lengths = [len(ids) for ids in small.encode_batch(documents)]
        assert row["tokens"] == sum(lengths)
        assert row["vocab_size"] == small.vocab_size
        assert row["attention_cost"] == 2 * 3 * 7 * sum(n * n for n in lengths)
        assert row["total_cost"] == row["attention_cost"] + row["body_cost"] + row["output_cost"]
    assert frame["tokens"].is_monotonic_decreasing


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_real_text_at_ten_sizes(lang):
    tok = bpelab.train(bpelab.corpora.text("parallel", lang, "train"), 1800, base="byte", chunking="gpt2")
    test = bpelab.corpora.text("parallel", lang, "test")
    frame = bpelab.sweep(tok, test)
    for merges in range(0, len(tok.merges) + 1, 200):
        assert frame["tokens"][merges] == len(tok.truncate(merges).encode(test))


def test_costs_and_units():
    tok = bpelab.train("ab ab", 1)
    row = bpelab.sweep(tok, ["ab", "a b"], layers=2, width=10, bytes_per_parameter=4).iloc[1]
    assert row["tokens"] == 1 + 3
    assert row["vocab_size"] == 5
    assert row["attention_cost"] == 2 * 2 * 10 * (1 + 9)
    assert row["body_cost"] == 12 * 2 * 100 * 4
    assert row["output_cost"] == 10 * 5 * 4
    assert (row["embedding_parameters"], row["embedding_bytes"]) == (50, 200)
    assert (row["chars_per_token"], row["bytes_per_token"]) == (5 / 4, 5 / 4)


@pytest.mark.parametrize("name", ["layers", "width", "bytes_per_parameter"])
def test_bad_shapes(name):
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        bpelab.sweep(bpelab.train("ab"), "ab", **{name: 0})


def test_overlap():
    assert bpelab.overlap(["a", "b"], ["b", "c", "b"]) == 2 / 3
    with pytest.raises(TypeError, match="train_documents must be an iterable of str, got one str"):
        bpelab.overlap("ab", ["a"])
    with pytest.raises(ValueError, match="test_documents must not be empty"):
        bpelab.overlap(["a"], [])


def test_the_template_sentences_are_all_in_the_training_set():
    import toys

    train, test = toys.japanese_sentences()
    assert bpelab.overlap(train, test) == 1.0
