import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import chunking

LOSSLESS = ["space", "gpt2", "cl100k", "o200k", "lines", "whole", r"\w+|\W+", r"(a|b)|(?s:.)", list]
NASTY = [
    "  Hello  World.",
    "hello\nworld",
    "   def f():\n        return 1\n",
    "a\r\nb\r\n\r\n  c\rd",
    "ガ\u3099🐈\u200d",
    "\x00\x07\x1b[31m",
]


@given(st.text(), st.sampled_from(LOSSLESS))
def test_chunks_join_back(text, name):
    chunks = bpelab.chunk(text, name)
    assert "".join(chunks) == text
    assert "" not in chunks


@pytest.mark.parametrize("name", LOSSLESS)
def test_chunks_of_nasty_and_real_text_join_back(name, real_text):
    for text in [*NASTY, *real_text.values()]:
        assert "".join(bpelab.chunk(text, name)) == text


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
def test_the_patterns_are_tiktokens(name):
    tiktoken_ext = pytest.importorskip("tiktoken_ext.openai_public")
    source = __import__("inspect").getsource(tiktoken_ext)
    parts = [chunking.PATTERNS[name]] if name != "o200k" else chunking.PATTERNS[name].split("|[^\\r")[:1]
    assert all(part in source for part in parts)


def test_decomposed_kana():
    text = "ガギグゲゴは濁音"
    decomposed = unicodedata.normalize("NFD", text)
    assert [len(bpelab.chunk(t, n)) for t, n in ((text, "gpt2"), (decomposed, "gpt2"), (decomposed, "cl100k"))] == [
        1,
        11,
        6,
    ]


def test_words_are_lossy_and_lower_case():
    assert bpelab.chunk("The cat, THE dog.", "words") == ["the", "cat", "the", "dog"]


def test_lines_keep_their_ends():
    assert bpelab.chunk("a\r\nb\n\nc", "lines") == ["a\r\n", "b\n", "\n", "c"]


def test_counts_are_in_the_order_first_seen_and_documents_stay_apart():
    assert list(bpelab.count_chunks("b a b").items()) == [("b", 1), (" a", 1), (" b", 1)]
    assert bpelab.count_chunks(["ab", "ab"], "whole") == {"ab": 2}
    assert bpelab.train(["ab"] * 3, chunking="whole").merges == [(b"a", b"b", 3)]
    assert len(bpelab.train("ab" * 3, chunking="whole").merges) == 3


@pytest.mark.parametrize("name", ["space", "gpt2", "cl100k", "o200k", "lines", "whole"])
def test_huge_chunks(name):
    for text in ["猫" * 350_000, " " * 1_000_000 + "x", "a" * 1_000_000]:
        assert sum(map(len, bpelab.chunk(text, name))) == len(text)


@pytest.mark.parametrize(
    ("text", "chunking", "error", "message"),
    [
        ("a", "gtp2", ValueError, "chunking must be one of 'space', 'gpt2'.*got 'gtp2'"),
        ("a", "", ValueError, "chunking must be one of"),
        ("a", None, TypeError, "chunking must be a name, a pattern or a callable, got NoneType"),
        ("a", "(", ValueError, "chunking is not a valid pattern"),
        ("ab, cd", r"\w+ ", ValueError, "characters 0 to 6 uncovered"),
        ("ab, cd", r"\w+|!", ValueError, "characters 2 to 4 uncovered, ', '"),
        ("ab!", r"\w+|\?", ValueError, "characters 2 to 3 uncovered, '!'"),
        ("a b", str.split, ValueError, "part at character 1"),
        ("a b", lambda text: [1], TypeError, "must return str chunks, got int"),
        (b"a", "space", TypeError, "text must be a str, got bytes.*decode"),
        (None, "space", TypeError, "text must be a str, got NoneType"),
        ("ok \udc4d", "space", ValueError, r"text holds a lone surrogate, U\+DC4D, at character 3"),
    ],
)
def test_bad_input(text, chunking, error, message):
    with pytest.raises(error, match=message):
        bpelab.chunk(text, chunking)


def test_bad_documents():
    with pytest.raises(TypeError, match=r"texts\[1\] must be a str, got int"):
        bpelab.count_chunks(["a", 2])
    with pytest.raises(TypeError, match="texts must be a str or an iterable of str, got int"):
        bpelab.count_chunks(5)
