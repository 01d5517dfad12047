"""Cases about files, measuring, tables and figures. Each with two more of its kind."""

import html
import json
import warnings
from html.parser import HTMLParser
from io import StringIO

import pandas as pd
import pytest
import toys
from cases import FIRST, WHOLE, joins, run
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import look, plot, show


def kept(tok, folder):
    """The tokenizer after a trip through a file, equal to what was saved."""
    tok.save(folder / "m.json")
    again = bpelab.load(folder / "m.json")
    assert (again, again.merges, again.vocab) == (tok, tok.merges, tok.vocab)
    return again


@pytest.mark.parametrize(
    ("text", "merges"),
    [
        ("\n\n\n\n\n\n x", ["\n+\n", "\n\n+\n\n", "\n\n\n\n+\n\n"]),
        ("\r\n\r\n\r\n\r\n", ["\r+\n", "\r\n+\r\n", "\r\n\r\n+\r\n\r\n"]),
        (",\u2028,\u2028,\u2028", [",+<0xE2>", ",<0xE2>+<0x80>", ",<0xE2><0x80>+<0xA8>"]),
    ],
)
def test_J01_tokens_with_line_ends_survive(text, merges, tmp_path):
    tok = bpelab.train(text, 3, tie=FIRST, **WHOLE)
    assert joins(tok) == merges
    assert kept(tok, tmp_path).encode(text) == tok.encode(text)


@pytest.mark.parametrize(
    "text", ["# # ## ## ### #version: #version:", "// // //x //x //xy //xy", '" "" "", \\ \\\\ \\\\']
)
@pytest.mark.parametrize("base", ["byte", "char"])
def test_J03_no_character_is_a_comment(text, base, tmp_path):
    tok = bpelab.train(text, 9, base=base)
    assert len(kept(tok, tmp_path).merges) == len(tok.merges) > 3
    gpt2 = bpelab.train(text, 9, base="byte", chunking="gpt2")
    gpt2.save_merges_txt(tmp_path / "merges.txt")
    again = bpelab.load_merges_txt(tmp_path / "merges.txt")
    assert joins(again) == joins(gpt2)


@pytest.mark.parametrize(
    "merges",
    [
        # The case gives (b"10", b"0") alone; a merge can only use a part that stands before it.
        [(b"\xe7", b"\x8c"), (b"9", b"9"), (b"1", b"0"), (b"10", b"0")],
        [(b"\xff", b"\xfe"), (b"\x00", b"\x00"), (b"\x00\x00", b"\xff\xfe")],
        [(b"b", b"a"), (b"a", b"b"), (b"2", b"0"), (b"1", b"0")],
    ],
)
def test_J05_order_types_and_bytes_survive(merges, tmp_path):
    again = kept(bpelab.Tokenizer(merges, base="byte"), tmp_path)
    assert [merge[:2] for merge in again.merges] == merges
    assert all(type(part) is bytes for merge in again.merges for part in merge[:2])
    assert [again.token_to_id(left + right) for left, right in merges] == list(range(256, 256 + len(merges)))
    assert all(type(i) is int for i in again.encode("1099"))


@pytest.mark.parametrize(("one", "two", "text"), [("ab", "bc", "abc"), ("aa", "ab", "aab"), ("猫犬", "犬鳥", "猫犬鳥")])
def test_J07_swapped_rules_are_another_model(one, two, text, tmp_path):
    tok = bpelab.Tokenizer([tuple(one), tuple(two)])
    path = tmp_path / "m.json"
    tok.save(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["merges"].reverse()
    path.write_text(json.dumps(document), encoding="utf-8")
    swapped = bpelab.load(path)
    assert swapped != tok
    assert swapped.tokens(text) != tok.tokens(text)


@pytest.mark.parametrize("text", ["abc abcd bcd 猫の本", "aaaa aaa aa a", "12 123 1234 がか\u3099"])
def test_J08_exported_ranks_give_the_same_ids(text):
    for chunking in ("gpt2", "cl100k", "o200k", "space"):
        tok = bpelab.train(text * 2, base="byte", chunking=chunking)
        encoding = tok.to_tiktoken("toy")
        for other in (text, text[::-1], text.upper(), " ".join(text), "", "xyz 犬\n"):
            assert encoding.encode_ordinary(other) == tok.encode(other)


def test_K01_every_encoding_is_named(tmp_path):
    texts = ["猫が好き。", "é\r\n", "🐈\ufeff"]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.txt").write_bytes(text.encode())
    program = (
        "import warnings, bpelab, pathlib\n"
        "warnings.simplefilter('error', EncodingWarning)\n"
        "warnings.filterwarnings('ignore', category=EncodingWarning, module='regex')\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "for number in range(3):\n"
        "    text = bpelab.corpora.read(folder / f'{number}.txt')\n"
        "    tok = bpelab.train(text * 2, base='byte', chunking='gpt2')\n"
        "    tok.save(folder / 'm.json'); tok.save_merges_txt(folder / 'm.txt'); tok.save_minbpe(folder / 'm.model')\n"
        "    assert bpelab.load(folder / 'm.json') == tok == bpelab.load_minbpe(folder / 'm.model')\n"
        "    assert bpelab.load_merges_txt(folder / 'm.txt').encode(text) == tok.encode(text)\n"
        "    print(ascii(text))\n"
        "for name in bpelab.corpora.available(): bpelab.corpora.pairs(name)"
    )
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    shown = run(program, "-X", "warn_default_encoding", **locale).splitlines()
    assert shown == [ascii(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "encoding", "at"),
    [("猫が好き。", "cp932", 0), ("ok 日本", "euc-jp", 3), ("naïve", "cp1252", 2), ("a 語", "utf-16-be", 4)],
)
def test_K02_another_encoding_is_an_error_that_helps(text, encoding, at, tmp_path):
    path = tmp_path / "sample.txt"
    path.write_bytes(text.encode(encoding))
    with pytest.raises(ValueError, match=rf'sample.txt is not UTF-8: .* at byte {at} .*encoding="{encoding}"'):
        bpelab.corpora.read(path)


@pytest.mark.parametrize(
    ("data", "at"),
    [
        ("前半".encode() + b"\xff\xfe" + "後半".encode(), 6),
        (b"a" * 1_000_000 + b"\xc3" + b"b" * 9, 1_000_000),
        ("猫".encode() * 2 + "猫".encode()[:2], 6),
        (b"ok\xed\xa0\xbd", 2),
    ],
)
def test_K04_bad_bytes_never_cut_a_corpus_short(data, at, tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_bytes(data)
    for read in (bpelab.corpora.read, bpelab.load_merges_txt, bpelab.load_minbpe):
        with pytest.raises(ValueError, match=f"corpus.txt is not UTF-8: .* at byte {at}"):
            read(path)
    with pytest.raises(ValueError, match=f"corpus.txt is no valid model: .*position {at}"):
        bpelab.load(path)


@pytest.mark.parametrize(
    ("corpus", "test", "share"),
    [
        (*toys.japanese_sentences(), 1.0),
        (["a b", "c d"], ["a b", "e f", "a b ", "A B"], 0.25),
        (("x", "y"), iter(["z"]), 0.0),
    ],
)
def test_L01_documents_of_the_training_set_are_found(corpus, test, share):
    assert bpelab.overlap(corpus, test) == share


@pytest.mark.parametrize(
    ("english", "japanese", "chars", "sizes"),
    [
        ("The cat reads a book in the library.", "猫が図書館で本を読む。", (36, 11), (36, 33)),
        ("Hello", "こんにちは", (5, 5), (5, 15)),
        ("It is 5°C.", "5℃です。", (10, 5), (11, 13)),
    ],
)
def test_L02_three_measures_rank_languages_differently(english, japanese, chars, sizes):
    tok = bpelab.train([english, japanese], 0, base="byte")
    frame = bpelab.compare({"bytes": tok}, {"en": english, "ja": japanese})
    assert tuple(frame["chars"]) == chars
    assert tuple(frame["bytes"]) == tuple(frame["tokens"]) == sizes
    assert frame["tokens_per_char"].tolist() == [size / n for size, n in zip(sizes, chars, strict=True)]
    assert frame["bytes_per_token"].tolist() == [1.0, 1.0]
    row = bpelab.premium({"bytes": tok}, [(english, japanese)]).iloc[0]
    assert row["premium"] == row["byte_ratio"] == sizes[1] / sizes[0]


def test_L04_unequal_vocabularies_show_in_the_table():
    texts = {lang: bpelab.corpora.text("parallel", lang) for lang in ("en", "ja")}
    encoders = {
        "en": bpelab.train(texts["en"], 300, base="byte"),
        "ja": bpelab.train(texts["ja"][:4000], 900, base="byte"),
        "gpt2": bpelab.vocabularies.load("gpt2"),
        "unknown": str,  # an encoder that doesn't say its size
    }
    sizes = {name: bpelab.efficiency.size_of(encoder) for name, encoder in encoders.items()}
    assert sizes == {"en": 556, "ja": 1156, "gpt2": 50257, "unknown": None}
    del encoders["unknown"]
    frame = bpelab.compare(encoders, {"text": "猫 cat"})
    assert dict(zip(frame["encoder"], frame["vocab_size"], strict=True)) == {"en": 556, "ja": 1156, "gpt2": 50257}
    pair = bpelab.premium(encoders, [("cat", "猫")])
    assert pair["vocab_size"].tolist() == frame["vocab_size"].tolist()


@pytest.mark.parametrize("name", ["en", "ja"])
def test_L04_training_sizes_can_be_told(name):
    text = bpelab.corpora.text("parallel", name)
    assert bpelab.train(text, 5, base="byte").lengths[0] == len(text.encode())


@pytest.mark.parametrize(
    "text",
    ["low low low lower lower newest 猫が好き 猫が好き 犬が好き", "aaaa aaab aab ab b", "東京都 京都 東京 都に住む"],
)
@pytest.mark.parametrize("base", ["byte", "char"])
def test_L05_one_training_serves_all_sizes(text, base):
    whole = bpelab.train(text, 20, base=base)
    lengths = bpelab.sweep(whole, text)["tokens"].tolist()
    for size in (0, 1, 2, 5, 10, 20):
        tok = bpelab.train(text, size, base=base)
        assert tok.merges == whole.merges[:size]
        assert len(tok.encode(text)) == lengths[min(size, len(whole.merges))]
    for other in (text, text[::-1], "unseen 未知 low 猫"):
        counts = bpelab.sweep(whole, other)["tokens"].tolist()
        assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("sizes", [[0, 10, 100], [0, 1, 2], [0, 5_000]])
def test_L08_every_point_is_visible_at_its_true_size(sizes):
    text = bpelab.corpora.text("parallel", "en")[:3000]
    frame = bpelab.sweep(bpelab.train(text, sizes[-1], base="byte"), text)
    frame = frame[frame["merges"].isin([*sizes, frame["merges"].iloc[-1]])]
    assert (frame["merges"].iloc[0], frame["vocab_size"].iloc[0]) == (0, 256)
    for x, label in (("merges", "merges"), ("vocab_size", "vocabulary size (tokens)")):
        axes = plot.curves({"English": frame}, title="Curve", x=x, xlabel=label).figure.axes[0]
        (line,) = axes.lines
        low, high = axes.get_xlim()
        assert line.get_xdata().tolist() == frame[x].tolist()
        assert all(low <= value <= high for value in line.get_xdata())
        assert all(abs(axes.transData.transform((value, 1))[0]) < 1e5 for value in line.get_xdata())
        assert axes.get_xlabel() == label


JAPANESE = "日本語の文章では、漢字とひらがなとカタカナが混ざっている。猫が好きな人も犬が好きな人もいる。"
JAPANESE += "ありがとうございます。よろしくお願いいたします。"


@pytest.mark.parametrize(
    ("text", "merges", "pieces"),
    [(JAPANESE * 3, 60, 37), ("ascii only, plain words. " * 3, 20, 0), ("猫。" * 3, 9, 3)],
)
def test_L09_merges_that_are_no_whole_characters_are_counted(text, merges, pieces):
    tok = bpelab.train(text, merges, base="byte", chunking=r"[^。]*。|[^。]+", tie=FIRST)
    slots = bpelab.efficiency.slots(tok, groups=1)
    assert slots["piece of a character"].sum() == pieces
    broken = [left + right for left, right, _ in tok.merges if "\ufffd" in (left + right).decode(errors="replace")]
    assert len(broken) == pieces


def draw(text):
    """A figure with the text in every place, drawn; warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return plot.bars({text: 1.0}, title=text, xlabel=text, reference=(1, text)).png()


@pytest.mark.parametrize("font", [True, False])
@pytest.mark.parametrize("text", ["語彙サイズ", "Ġの ▁猫 ␣犬", "ｶﾞ～①㈱ー々", "<0xE3> naïve Ω"])
def test_M01_japanese_labels_warn_of_nothing(text, font, monkeypatch):
    if not font:
        monkeypatch.setattr(look, "japanese_font", lambda: None)
        assert set(plot.drawable(text)).isdisjoint("語彙サイズの猫犬々ー㈱")
    assert draw(text).startswith(b"\x89PNG")


@pytest.mark.skipif(plot.japanese_font() is None, reason="without a Japanese font everything is escaped")
@pytest.mark.parametrize("text", ["𠮷野家", "猫🐈", "한국어"])
def test_M01_characters_the_font_lacks_warn_of_nothing(text):
    assert draw(text)


@pytest.mark.parametrize("text", ["$\\猫$", "$\\frac$", "a$^$b"])
def test_M01_a_label_is_no_formula(text):
    assert draw(text)


class Visible(HTMLParser):
    """The text that a page shows, and its tags."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tags = [], set()
        self.feed(page)
        self.close()

    def handle_data(self, data):
        self.text.append(data)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style", "class", "dir"}


HOSTILE = ["</w>", "<b>", "a<b<c", "&amp;", '"q"', "<script>alert('1')</script>", "--><img src=x onerror=y>", "&lt;"]
MARKUP = st.text(st.sampled_from("<>&\"'/=;!-abgltmp#x0猫"), min_size=1, max_size=12)


@given(st.sampled_from(HOSTILE) | MARKUP)
def test_M04_html_shows_what_the_token_is(text):
    table = Visible(show.table([{text: text}])._repr_html_())
    assert table.text == [text, text]
    assert table.tags <= {"table", "thead", "tbody", "tr", "th", "td"}
    tok = bpelab.train([text] * 2, **WHOLE)
    shown = Visible(show.tokens(tok, text)._repr_html_())
    assert shown.text[0] == show.label(text) and shown.tags <= {"div", "span", "sub", "br"}
    named = Visible(show.tokens({text: tok}, text)._repr_html_())
    assert (named.text[0], named.text[2]) == (text, show.label(text))
    assert named.tags <= {"table", "tbody", "tr", "td", "small", "div", "span", "sub", "br"}


@given(st.sampled_from(HOSTILE) | MARKUP)
def test_M04_parity_is_escaped(text):
    corpus = [text, text]
    page = show.parity([text[:1] + "猫"], corpus, ["minbpe"])._repr_html_()
    assert Visible(page).tags <= {"p", "table", "thead", "tbody", "tr", "th", "td"}
    assert html.unescape(page).count("minbpe") == 2


@pytest.mark.parametrize(
    ("token", "escaped"), [("</w>", "&lt;/w&gt;"), ("<b>", "&lt;b&gt;"), ("&amp;", "&amp;amp;"), ("<i", "&lt;i")]
)
def test_M04_the_values_of_the_case(token, escaped):
    assert escaped in show.table([{"token": token}])._repr_html_()
    assert escaped in show.tokens(bpelab.train([token] * 2, **WHOLE), token)._repr_html_()


BLANKS = [" ", "  ", "\t", "\n", "\r\n", "\u3000", "\u200b", "\u3099", ""]
MORE_BLANKS = ["\u00a0", "\u2009", "\u00ad", "\u2028", "\x85", "\ufeff", "\u202e", "\u200d", "\ufe0f", "\u0301"]


@pytest.mark.parametrize("tokens", [BLANKS, MORE_BLANKS, [" ", "␣", "\\n", "\n", "\\", "\\\\", "\\t", "∅ "]])
def test_M05_every_label_is_distinct_and_seen(tokens):
    labels = [show.label(token) for token in tokens]
    assert len(set(labels)) == len(tokens)
    assert labels == [show.label(token.encode()) for token in tokens]
    for label in labels:
        assert label and label.isprintable() and label == label.strip()


def test_M05_the_empty_token_has_a_label_of_its_own():
    assert show.label("") != show.label("∅")


@pytest.mark.parametrize("token", ["\u3164", "\u2800", "\u115f", "\uffa0"])
def test_M05_blank_letters_are_seen(token):
    assert show.label(token) != token


GUESSED = ["NA", "null", "nan", "None", " a", "", "1e5", "007", "a\nb", 'q"u', "True"]


@pytest.mark.parametrize("tokens", [GUESSED, ["N/A", "NaN", "-inf", "0x1F"], ["1,000", "'x", "\ta", "猫\r\n"]])
def test_M08_a_table_of_tokens_comes_back_from_csv(tokens):
    words = [token for token in tokens if len(token) > 1]
    tok = bpelab.train({word: 2**40 >> at for at, word in enumerate(words)}, base="char")
    table = tok.merge_table()
    assert {show.label(word) for word in words} <= set(table["token"])
    again = pd.read_csv(StringIO(table.to_csv(index=False)), keep_default_na=False, dtype=str)
    for column in ("left", "right", "token"):
        assert again[column].tolist() == table[column].tolist()


@pytest.mark.parametrize(
    ("tokens", "lines"),
    [
        (["ab", "猫が", "東京で", "ｶﾞ"], ["token   n", "ab      1", "猫が    1", "東京で  1", "ｶﾞ      1"]),
        (["か\u3099", "e\u0301"], ["token  n", "か\u3099     1", "e\u0301      1"]),
        (["ＡＢＣ", "abc", "①"], ["token   n", "ＡＢＣ  1", "abc     1", "①       1"]),
    ],
)
def test_M09_columns_stand_under_each_other(tokens, lines):
    assert repr(show.table([{"token": token, "n": 1} for token in tokens])).split("\n") == lines


@pytest.mark.parametrize("token", ["a\nb", "猫\r\n", "\u2028x"])
def test_M09_a_row_is_one_line(token):
    assert len(repr(show.table([{"token": token, "n": 1}])).splitlines()) == 2
