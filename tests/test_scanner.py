"""The compiled scanner against the published patterns themselves."""

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import bpelab
from bpelab import scanner
from bpelab.chunking import PATTERNS

# What the patterns tell apart: kinds of white space, letters of each case and without, marks, numerals,
# apostrophes, letters that equal those of a contraction in another case (ſ), joiners, control characters.
LETTERS = " \t\n\r\u3000\xa0\x1c\x85'’sdmtlverSDMTLVERſKaAbB1２½Ⅷ/!.-_\u0301\u3099猫がカー々ǅʰßéÉ😀\u200d\ufe0f\x00ª"
TEXT = st.text(st.one_of(st.sampled_from(LETTERS), st.sampled_from("'sS tT\n /lLveE1Aa"), st.characters(codec="utf-8")))


def by_pattern(documents, name):
    return [chunk for document in documents for chunk in regex.findall(PATTERNS[name], document)]


@pytest.mark.parametrize("name", scanner.RULES)
@given(st.lists(TEXT, max_size=3))
@settings(max_examples=700)
def test_any_text(name, documents):
    chunks, numbers = scanner.scan(documents, name)
    wanted = by_pattern(documents, name)
    assert [chunks[number] for number in numbers] == wanted
    assert chunks == list(dict.fromkeys(wanted))


@pytest.mark.parametrize("name", scanner.RULES)
def test_every_code_point(name):
    every = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    for around in ("", "A", " ", "'"):
        text = "".join(around + character for character in every)
        chunks, numbers = scanner.scan([text], name)
        assert [chunks[number] for number in numbers] == by_pattern([text], name)


@pytest.mark.parametrize("name", scanner.RULES)
@pytest.mark.parametrize("corpus", ["parallel", "jupyterlab", "bible"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_real_text_as_one_and_as_lines(name, corpus, lang):
    text = bpelab.corpora.text(corpus, lang)
    for documents in ([text], text.splitlines(keepends=True)):
        chunks, numbers = scanner.scan(documents, name)
        assert [chunks[number] for number in numbers] == by_pattern(documents, name)


@pytest.mark.parametrize("name", scanner.RULES)
def test_long_texts_are_encoded_as_short_ones_are(name, real_text):
    for text in real_text.values():
        tok = bpelab.train(text, 800, base="byte", chunking=name)
        assert tok.encode(text) == [i for chunk in bpelab.chunk(text, name) for i in tok.encode(chunk)]
        assert bpelab.count_chunks([text] * 3, name) == {c: 3 * n for c, n in bpelab.count_chunks(text, name).items()}
