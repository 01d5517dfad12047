"""Exports in the real libraries: the same ids, or a refusal that says why."""

import pytest
import tiktoken
import toys
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as HuggingFace

import bpelab
from bpelab import spelling


@pytest.fixture(scope="module", params=["en", "ja"])
def big(request):
    train = bpelab.corpora.text("bible", request.param, "train")
    options = {"base": "byte", "chunking": "gpt2", "special_tokens": ["<|end|>"]}
    return bpelab.train(train, vocab_size=8000, **options)


@pytest.fixture(scope="module")
def held_out():
    return "".join(bpelab.corpora.text("bible", lang, "test")[:100_000] for lang in ("en", "ja"))


def test_real_text_in_the_real_libraries(big, held_out, tmp_path):
    ids = big.encode(held_out)
    encoding = big.to_tiktoken("big")
    assert encoding.encode_ordinary(held_out) == ids
    assert encoding.encode("a<|end|>", allowed_special="all") == big.encode("a<|end|>", allowed_special="all")
    exported = big.to_huggingface()
    exported.save(str(tmp_path / "tokenizer.json"))
    for tok in (exported, HuggingFace.from_file(str(tmp_path / "tokenizer.json"))):
        assert tok.encode(held_out).ids == ids
        assert tok.decode(ids) == held_out
    assert exported.encode("a<|end|>").ids == big.encode("a<|end|>")
    big.save_merges_txt(tmp_path / "merges.txt")
    assert bpelab.load_merges_txt(tmp_path / "merges.txt", chunking="gpt2").encode(held_out) == ids
    big.save_minbpe(tmp_path / "m.model")
    assert bpelab.load_minbpe(tmp_path / "m.model") == big
    assert bpelab.from_tiktoken(encoding) == big


@pytest.mark.parametrize("chunking", ["gpt2", "cl100k", "o200k", "space", "lines", "whole"])
@pytest.mark.parametrize("base", ["byte", "char"])
def test_every_chunking_and_base(base, chunking, real_text):
    text = real_text["en"][:9000] + real_text["ja"][:9000] + "  \t# \r\n\n猫 𠮷 12345 it's IT'S"
    tok = bpelab.train(text[:12_000], 400, base=base, chunking=chunking, special_tokens=["<end>"])
    assert tok.to_huggingface().encode(text).ids == tok.encode(text)
    if base == "byte":
        assert tok.to_tiktoken("x").encode_ordinary(text) == tok.encode(text)


@given(st.text(st.characters(codec="utf-8"), max_size=40), st.text(st.characters(codec="utf-8"), max_size=40))
@settings(max_examples=60)
def test_any_tokens_survive_every_format(tmp_path_factory, corpus, text):
    folder = tmp_path_factory.mktemp("exchange")
    tok = bpelab.train(corpus + " \n# a#\n", base="byte", chunking="gpt2")
    ids = tok.encode(text)
    assert bpelab.from_tiktoken(tok.to_tiktoken("x")) == tok
    assert tok.to_huggingface().encode(text).ids == ids
    tok.save_merges_txt(folder / "m.txt")
    tok.save_minbpe(folder / "m.model")
    assert bpelab.load_merges_txt(folder / "m.txt").encode(text) == ids
    assert bpelab.load_minbpe(folder / "m.model").encode(text) == ids


@given(toys.edited_merges(), st.text("abc", max_size=14))
@settings(max_examples=300)
def test_edited_lists_are_equal_in_tiktoken_or_refused(merges, text):
    tok = bpelab.Tokenizer(merges, base="byte", chunking="gpt2")
    try:
        encoding = tok.to_tiktoken("x")
    except ValueError as error:
        assert "the merges cut its text in two or more" in str(error)
    else:
        assert encoding.encode_ordinary(text) == tok.encode(text)
        assert tok.to_huggingface().encode(text).ids == tok.encode(text)


def test_special_tokens_move_too(tmp_path):
    tok = bpelab.train("abab", 1, base="byte", chunking="gpt2", special_tokens=["<a>", "<a><b>"])
    exported = tok.to_huggingface()
    exported.encode_special_tokens = False
    assert exported.encode("<a><b>ab").ids == tok.encode("<a><b>ab", allowed_special="all")
    tok.save_minbpe(tmp_path / "m.model")
    assert bpelab.load_minbpe(tmp_path / "m.model").special_tokens == tok.special_tokens


def byte_tok(**options):
    return bpelab.train("ab ab", base="byte", **options)


@pytest.mark.parametrize(
    ("export", "message"),
    [
        (lambda p: bpelab.train("ab").to_tiktoken("x"), "tiktoken holds only base='byte', got 'char'"),
        (lambda p: bpelab.train("ab").save_minbpe(p), "minbpe holds only base='byte'"),
        (lambda p: byte_tok(normalization="NFC").to_tiktoken("x"), "normalization: tiktoken has no such step"),
        (lambda p: byte_tok(chunking=list).to_tiktoken("x"), "tiktoken takes a regular expression, not 'list'"),
        (lambda p: byte_tok(special_tokens=["<a>", "<a><b>"]).to_tiktoken("x"), "'<a>' begins '<a><b>'"),
        (lambda p: byte_tok(chunking="words").to_huggingface(), "Hugging Face takes a regular expression, not 'words'"),
        (lambda p: byte_tok(chunking=r"[\s\S]{1,2}+").to_huggingface(), r"the possessive \{1,2\}\+ otherwise"),
        (lambda p: byte_tok(chunking=r"^ +|[\s\S]").to_huggingface(), r"the anchor \^ otherwise"),
        (lambda p: byte_tok(chunking=r"\h+|[^\h]+").to_tiktoken("x"), r"the escape \\h otherwise"),
        (lambda p: byte_tok(chunking=r"[[:punct:]]+|[\s\S]").to_tiktoken("x"), "a named class"),
        (lambda p: byte_tok(chunking=r"\w+|\W+").to_huggingface(), "cuts otherwise by"),
        (lambda p: byte_tok(chunking=r"(?i:ß)+|[\s\S]").to_huggingface(), "letters that fold"),
        (lambda p: byte_tok(chunking=r"a\Z|[\s\S]").to_tiktoken("x"), r"the escape \\Z otherwise"),
        (lambda p: byte_tok(chunking=r"(?P<x>a)|[\s\S]").to_huggingface(), "the group"),
        (lambda p: bpelab.train("ab", end_of_word="_").to_huggingface(), "end_of_word"),
        (lambda p: byte_tok(special_tokens=["ab"]).to_huggingface(), "'ab' was also learned as ordinary text"),
        (lambda p: bpelab.train("<unk><unk>", chunking="whole").to_huggingface(), "'<unk>' was also learned"),
        (lambda p: byte_tok(special_tokens={"<x>": 999}).to_huggingface(), "would get id 258, not 999"),
        (lambda p: bpelab.train("a b a b", chunking="whole").save_merges_txt(p), r"merges\[0\].*holds white space"),
        (lambda p: byte_tok(special_tokens=["<a b>"]).save_minbpe(p), "cannot hold '<a b>'"),
        (lambda p: byte_tok(chunking=r" ?\w+|(?s:.)").save_minbpe(p), r"chunking: minbpe's file cannot hold ' \?"),
        (
            lambda p: bpelab.Tokenizer([("b", "c"), ("a", "b"), ("ab", "c")], base="byte").to_tiktoken("x"),
            "'abc' is a token, but the merges cut its text",
        ),
        (
            lambda p: bpelab.from_tiktoken(bpelab.vocabularies.load("qwen3.6")),
            "rank 99655, '人力资源', does not come from two tokens of lower rank, but from 3",
        ),
        (
            lambda p: bpelab.from_tiktoken(
                tiktoken.Encoding("x", pat_str=".", mergeable_ranks={b"a": 0, b"b": 1}, special_tokens={})
            ),
            "its first 256 tokens are not the single bytes",
        ),
    ],
)
def test_what_a_format_cannot_hold_is_refused(export, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        export(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line must be a header"),
        ("a b\n", "the first line must be a header"),
        ("#version: 0.2\na\n", "line 2: two tokens with one blank between, got 'a'"),
        ("#version: 0.2\na b c\n", "line 2: two tokens"),
        ("#version: 0.2\na b\n\na c\n", "line 3: two tokens"),
        ("#version: 0.2\n猫 b\n", "line 2: '猫' is no byte"),
        ("#version: 0.2\nab c\n", r"merges\[0\] uses 'ab'"),
    ],
)
def test_bad_merges_txt(text, message, tmp_path):
    path = tmp_path / "m.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        bpelab.load_merges_txt(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no minbpe model"),
        ("minbpe v1\n\nx\n", "no minbpe model"),
        ("minbpe v1\n\n5\n<a> 300\n", "5 lines with a special token"),
        ("minbpe v1\n\n99999999999\n", "99999999999 lines with a special token"),
        ("minbpe v1\n\n1\n<a>\n", "1 lines with a special token"),
        ("minbpe v1\n\n0\n97\n", "line 4: two ids"),
        ("minbpe v1\n\n0\n97 999\n", "line 4: id 999 is made by no earlier line"),
        ("minbpe v1\n\n0\n97 -1\n", "line 4: two ids"),
        ("minbpe v1\n\n0\n97 97\n" + "".join(f"{n} {n}\n" for n in range(256, 320)), "more than 64 MiB"),
    ],
)
def test_bad_minbpe_models(text, message, tmp_path):
    path = tmp_path / "m.model"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        bpelab.load_minbpe(path)


def test_an_imported_vocabulary_keeps_its_byte_order_in_our_file(tmp_path):
    tok = bpelab.from_tiktoken(bpelab.vocabularies.load("gpt2")).truncate(500)
    tok.save(tmp_path / "m.json")
    assert bpelab.load(tmp_path / "m.json") == tok
    assert tok.encode("!") == [0]
    assert tok.byte_order != bytes(range(256))
    with pytest.raises(ValueError, match="in minbpe the id of a byte is the byte"):
        tok.save_minbpe(tmp_path / "m.model")


def test_the_byte_characters_are_gpt2s():
    from tokenizers import pre_tokenizers

    assert sorted(spelling.byte_characters()) == sorted(pre_tokenizers.ByteLevel.alphabet())


PARTS = [
    r"\p{L}+",
    r" ?\p{N}{1,3}",
    r"\s+",
    r"[^\s\p{L}]",
    r"(?i:'s|'t)",
    r"[a-z]+(?=x)",
    r"a|b",
    r"\w+",
    r"^a",
    r"[ぁ-ん]+",
]
PROBES = "aAbxzſ'ſts'S 12½\n\r\t\u200d\u0301猫ねこ。ß_-  "


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), st.text(PROBES, max_size=24))
@settings(max_examples=5)
def test_patterns_of_ones_own_give_the_same_ids_or_are_refused(parts, text):
    """Random patterns and texts, three engines."""
    pattern = "|".join([*parts, r"[\s\S]"])
    tok = bpelab.train(PROBES * 3 + text, 30, base="byte", chunking=pattern)
    for export, encode in (
        (tok.to_huggingface, lambda exported: exported.encode(text).ids),
        (lambda: tok.to_tiktoken("x"), lambda exported: exported.encode_ordinary(text)),
    ):
        try:
            exported = export()
        except ValueError as error:
            assert "chunking: " in str(error)
        else:
            assert encode(exported) == tok.encode(text)


def test_the_name_of_an_encoding_is_kept():
    tok = bpelab.train("abab", 1, base="byte", chunking="gpt2", special_tokens=["<a>"])
    assert tok.to_tiktoken("mine").name == "mine"


def test_a_pattern_that_is_a_name_here_is_refused():
    ranks = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("x", pat_str="words", mergeable_ranks=ranks, special_tokens={})
    with pytest.raises(ValueError, match="the pattern 'words' is the name of a chunking here"):
        bpelab.from_tiktoken(encoding)
    with pytest.raises(TypeError, match=r"encoding must be a tiktoken.Encoding, got 'gpt2'"):
        bpelab.from_tiktoken("gpt2")
