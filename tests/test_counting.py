"""Other libraries' encoders, set as people set them: the same counts as without."""

import io
import json
import random

import pytest
import sentencepiece
import tiktoken
import tokenizers

import bpelab
from bpelab import counting
from bpelab.efficiency import count_tokens

TEXT = "The cat reads a book in the library. 猫が図書館で本を読む。\n" * 20


@pytest.fixture(scope="module")
def ours():
    return bpelab.train(TEXT, 60, base="byte", chunking="gpt2", special_tokens=["<end>"])


def count(encoder, text=TEXT):
    return int(bpelab.compare({"x": encoder}, {"t": text})["tokens"].iloc[0])


def truncated(tokenizer):
    tokenizer.enable_truncation(32)


def padded(tokenizer):
    tokenizer.enable_padding(length=4096)


def both(tokenizer):
    truncated(tokenizer)
    padded(tokenizer)


def dropping(tokenizer):
    tokenizer.model.dropout = 0.5


@pytest.mark.parametrize("change", [truncated, padded, both, dropping])
def test_a_huggingface_tokenizer_is_counted_without_its_settings(change, ours):
    changed = ours.to_huggingface()
    change(changed)
    again = tokenizers.Tokenizer.from_str(changed.to_str())
    before = changed.to_str()
    for one in (changed, again):
        assert count(one) == len(ours.encode(TEXT)) > 100
        assert count(one, "cat") == len(ours.encode("cat"))
    assert changed.to_str() == before
    pairs = [("The cat reads.", "猫が読む。"), ("A book.", "本。")]
    frame = bpelab.premium({"ours": ours, "theirs": changed}, pairs)
    assert frame["premium"].nunique() == 1


def test_special_tokens_are_ordinary_text(ours):
    text = "a <end> b<end>"
    wanted = len(ours.encode(text))
    hf = ours.to_huggingface()
    hf.encode_special_tokens = False
    assert len(hf.encode(text).ids) < wanted
    assert count(hf, text) == count(ours, text) == count(ours.to_tiktoken("x"), text) == wanted


def test_added_control_tokens_are_not_counted(ours):
    hf = ours.to_huggingface()
    end = hf.token_to_id("<end>")
    hf.post_processor = tokenizers.processors.TemplateProcessing(
        single="<end> $A <end>", special_tokens=[("<end>", end)]
    )
    assert len(hf.encode("cat").ids) == count(ours, "cat") + 2
    assert count(hf, "cat") == count(ours, "cat")


def test_the_wrappers_of_tokenizers(ours):
    wrapped = tokenizers.ByteLevelBPETokenizer()
    wrapped.train_from_iterator([TEXT], vocab_size=300, show_progress=False)
    plain = count(wrapped)
    wrapped.enable_truncation(5)
    assert count(wrapped) == plain > 5


def test_a_tokenizer_that_cannot_be_copied(ours):
    class Whole:
        def pre_tokenize(self, text):
            text.split(lambda i, part: [part])

    hf = tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 1}, []))
    hf.pre_tokenizer = tokenizers.pre_tokenizers.PreTokenizer.custom(Whole())
    assert count(hf, "abab") == 4
    hf.enable_truncation(2)
    with pytest.raises(ValueError, match=r"can't be copied .* no_truncation"):
        count(hf, "abab")


@pytest.fixture(scope="module")
def model():
    target = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT.split("\n")), model_writer=target, vocab_size=32, model_type="unigram",
        minloglevel=2,
    )  # fmt: skip
    return target.getvalue()


def test_sentencepiece_is_counted_without_its_settings(model):
    plain = sentencepiece.SentencePieceProcessor(model_proto=model)
    wanted = len(plain.encode("The cat reads."))
    for options in ({"add_bos": True, "add_eos": True}, {"reverse": True}, {"enable_sampling": True, "alpha": 0.01}):
        other = sentencepiece.SentencePieceProcessor(model_proto=model, **options)
        assert count(other, "The cat reads.") == count_tokens(other, "The cat reads.") == wanted
        assert count(other, "") == 0


def test_tiktoken_counts_text_that_spells_a_special_token():
    gpt2 = bpelab.vocabularies.load("gpt2")
    with pytest.raises(ValueError):
        gpt2.encode("<|endoftext|>")
    assert count(gpt2, "<|endoftext|>") == count("gpt2", "<|endoftext|>") == 7
    assert isinstance(gpt2, tiktoken.Encoding)


def test_a_name_is_looked_up_or_refused():
    assert count("gpt2", "low lower lowest") == 3
    for call in (
        lambda: count("gpt9"),
        lambda: bpelab.premium({"x": "my.json"}, [("a", "b")]),
        lambda: count_tokens("x", ""),
    ):
        with pytest.raises(ValueError, match=r"must be an encoder or one of 'gpt2', 'cl100k_base', .*; got"):
            call()


@pytest.mark.parametrize("thing", [5, None, str, b"gpt2", ["gpt2"], dict])
def test_what_is_no_encoder(thing):
    with pytest.raises(TypeError, match=r"encoders\['x'\]: an encoder needs a method encode\(str\), which \w+ has not"):
        bpelab.compare({"x": thing}, {"a": "b"})


def test_other_encoders_are_told_to_leave_control_tokens_out():
    class Guarded:
        def encode(self, text, allowed_special=(), disallowed_special="all", add_bos=True, truncation=True):
            if disallowed_special == "all" and "<end>" in text:
                raise ValueError
            return [1] * add_bos + [0] * min(len(text), 3 if truncation else 100)

    assert count(Guarded(), "a<end>") == 6


def test_batches_keep_the_order(ours):
    texts = ["a" * n for n in range(2500)]
    random.Random(0).shuffle(texts)
    plain = bpelab.train("", base="byte")
    for encoder in (plain, plain.to_tiktoken("x"), plain.to_huggingface()):
        assert counting.counts(encoder, texts) == list(map(len, texts))


def test_the_settings_survive_in_a_file(ours, tmp_path):
    """What `compare` of the command line reads is set by strangers."""
    hf = ours.to_huggingface()
    both(hf)
    hf.save(str(tmp_path / "tokenizer.json"))
    assert json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))["truncation"]["max_length"] == 32
    assert count(tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))) == count(ours)
