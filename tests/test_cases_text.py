"""Cases about chunks, Unicode, encoding, decoding, ids and special tokens. Each with two more of its kind."""

import ast
import functools
import json
import random
import re
import sys
import tomllib
import unicodedata
from importlib.metadata import packages_distributions
from pathlib import Path

import numpy as np
import pytest
from cases import WHOLE, run
from test_cases_training import OPERATIONS

import bpelab
from bpelab import encoding, show

ROOT = Path(__file__).parent.parent
LOSSLESS = ("space", "gpt2", "cl100k", "o200k", "lines", "whole")
BYTES = bpelab.train("", base="byte", chunking="gpt2")


def comes_back(text):
    """Whether chunks join and ids decode to the text, trained on it or not, for every lossless chunking."""
    for chunking in LOSSLESS:
        trained = bpelab.train([text], 20, base="byte", chunking=chunking)
        untrained = bpelab.train("", base="byte", chunking=chunking)
        characters = bpelab.train([text], 20, chunking=chunking)
        assert "".join(bpelab.chunk(text, chunking)) == text
        for tok in (trained, untrained, characters):
            assert tok.decode(tok.encode(text), errors="strict") == text
    return True


@pytest.mark.parametrize("unit", ["a", " ", "猫", "=-"])
@pytest.mark.parametrize("chunking", LOSSLESS)
def test_A01_one_long_run(unit, chunking):
    text = unit * 100_000
    tok = bpelab.train(unit * 300, base="byte", chunking=chunking)
    assert tok.decode(tok.encode(text)) == text


def test_A01_twice_the_length_is_twice_the_work():
    program = OPERATIONS + (
        "counts = []\n"
        "for unit in ('a', 'ab', '猫'):\n"
        "    tok = bpelab.train(unit * 100, base='byte', chunking='whole')\n"
        "    units = 3000 // len(unit.encode())\n"
        "    counts.append([operations(tok.encode, unit * n) for n in (units, 2 * units)])\n"
        "print(json.dumps(counts))"
    )
    for single, double in json.loads(run(program)):
        assert 0 < single < double < 3 * single


@pytest.mark.parametrize(("letters", "k"), [("日月火水木金土年時分秒", 200), ("日月火水木金土", 20), ("ab 猫", 60)])
def test_A06_chunks_that_never_repeat_do_not_pile_up(letters, k, monkeypatch):
    monkeypatch.setattr(encoding, "MOST_REMEMBERED", 100)
    texts = ["".join(random.Random(i).choices(letters, k=k)) for i in range(2_000)]
    tok = bpelab.train(texts[:50], 100, base="byte", chunking="gpt2")
    ids, most = [], 0
    for text in texts:
        ids.append(tok.encode(text))
        most = max(most, len(tok._encoder.remembered))
    assert most <= 100
    monkeypatch.setattr(encoding, "MOST_REMEMBERED", 0)
    assert tok.encode_batch(texts) == ids


@pytest.mark.parametrize(
    "text",
    ["  Hello  World.", "hello\nworld", "   def f():\n        return 1\n", "\n\n \t x  ", "　全角　　空白　\n　行"],
)
def test_E01_blanks_and_newlines_come_back(text):
    assert comes_back(text)


@pytest.mark.parametrize("text", ["a\r\nb\r\n\r\n  c\rd", "\r\r\n\n\r", "猫\r\n犬\u2028鳥\u0085"])
def test_E03_line_ends_are_text(text, tmp_path):
    assert comes_back(text)
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    assert bpelab.corpora.read(path) == text
    unix = text.replace("\r\n", "\n")
    assert len(BYTES.encode(text)) - len(BYTES.encode(unix)) == text.count("\r\n") > 0


@pytest.mark.parametrize(
    ("text", "composed", "gpt2", "cl100k"),
    [("ガギグゲゴは濁音", 1, 11, 6), ("がぎぐ", 1, 6, 4), ("パピプペポの半濁音", 1, 11, 6), ("café", 1, 2, 2)],
)
def test_E05_decomposed_letters_fall_apart(text, composed, gpt2, cl100k):
    apart = unicodedata.normalize("NFD", text)
    assert apart != text and comes_back(apart) and comes_back(text)
    chunks = {name: len(bpelab.chunk(apart, name)) for name in ("gpt2", "cl100k", "o200k")}
    assert chunks == {"gpt2": gpt2, "cl100k": cl100k, "o200k": 1}  # o200k has \p{M} among its letters
    assert len(bpelab.chunk(text, "gpt2")) == composed


@pytest.mark.parametrize("text", ["２０２４年12345円", "1234567 12 123", "x1y22z333 it's"])
@pytest.mark.parametrize("chunking", ["gpt2", "cl100k", r"\p{N}{1,2}|\P{N}+", r"\d+|\D"])
def test_E06_one_chunking_for_training_and_encoding(text, chunking, tmp_path):
    tok = bpelab.train([text], base="byte", chunking=chunking)
    tok.save(tmp_path / "m.json")
    again = bpelab.load(tmp_path / "m.json")
    assert again.chunking == tok.chunking == chunking
    chunks = [chunk.encode() for chunk in bpelab.chunk(text, chunking)]
    assert b"".join(chunks) == text.encode()
    assert again.token_bytes(text) == chunks  # trained to exhaustion, each chunk is one token
    for left, right, _ in tok.merges:
        assert any(left + right in chunk for chunk in chunks)


@pytest.mark.parametrize(("word", "text"), [("low", "low low"), ("東京", "東京 東京"), ("=", "= =")])
def test_E09_a_word_with_and_without_its_blank(word, text):
    tok = bpelab.train([text] * 2, base="byte", tie="first")
    assert tok.tokens(text) == [word, " " + word]
    assert len({tok.encode(word)[0], tok.encode(" " + word)[0]}) == 2
    assert tok.encode(text) == tok.encode(word) + tok.encode(" " + word)
    assert "␣" + word in tok.merge_table()["token"].tolist()
    assert repr(show.tokens(tok, text)) == f"{word}|␣{word}"


def imports(code, outer=True):
    """(package, whether at the top of the module) for each import in the code."""
    for node in ast.iter_child_nodes(code):
        top = outer and not isinstance(node, ast.FunctionDef | ast.ClassDef)
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0], top
        yield from imports(node, top)


def undeclared(path, top, inside):
    """Packages that a file imports, but none of these requirements brings; `inside` holds for functions."""
    standard = {*sys.stdlib_module_names, "bpelab", *(p.stem for p in path.parent.glob("*.py"))}
    brought = {outer: {normal(re.match(r"[\w.-]+", r)[0]) for r in group} for outer, group in ((1, top), (0, inside))}
    return {
        package
        for package, outer in imports(ast.parse(path.read_text(encoding="utf-8")))
        if package not in standard and brought[outer].isdisjoint(map(normal, distributions().get(package, [package])))
    }


distributions = functools.cache(packages_distributions)


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_E10_only_declared_packages_are_imported():
    """bpelab imports at the top what it always installs; functions, chapters and tests may need their extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed, extras = project["dependencies"], project["optional-dependencies"]
    book = needed + extras["chapters"] + extras["book"] + extras["scale"]
    everything = book + extras["web"] + extras["test"]
    for folder, top, inside in (
        ("bpelab", needed, book),
        ("notebooks/src", book, book),
        ("notebooks", everything, everything),
        ("tests", everything, everything + extras["bench"]),
    ):
        pattern = "*.py" if folder == "notebooks" else "**/*.py"
        for path in (ROOT / folder).glob(pattern):
            assert undeclared(path, top, inside) == set(), path


def test_E10_an_undeclared_package_is_seen(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("import regex, numpy.random\ndef f():\n    from matplotlib import pyplot\n", encoding="utf-8")
    assert undeclared(path, ["regex>=1", "NumPy"], ["matplotlib"]) == set()
    assert undeclared(path, ["regex>=1", "matplotlib"], ["regex"]) == {"numpy", "matplotlib"}


@pytest.mark.parametrize("letters", [r"\p{L}+", r"\p{Han}+", r"\p{Lu}\p{Ll}*"])
def test_E10_patterns_with_unicode_classes(letters):
    pattern = letters + "|(?s:.)"
    assert "".join(bpelab.chunk("Für 東京, Ａb 1", pattern)) == "Für 東京, Ａb 1"
    with pytest.raises(ValueError, match=r"leaves characters \d+ to \d+ uncovered"):
        bpelab.chunk("Für 東京, Ａb 1", letters)


@pytest.mark.parametrize(("composed", "sizes"), [("が", [3, 6]), ("ポ", [3, 6]), ("é", [2, 3]), ("각", [3, 9])])
def test_F01_composed_and_decomposed_are_two_texts(composed, sizes):
    forms = [composed, unicodedata.normalize("NFD", composed)]
    assert [len(BYTES.decode_bytes(BYTES.encode(form))) for form in forms] == sizes
    for tok in (BYTES, bpelab.train(forms, base="char"), bpelab.train(forms, base="byte")):
        assert tok.encode(forms[0]) != tok.encode(forms[1])
        assert [tok.decode(tok.encode(form)) for form in forms] == forms
    assert show.label(forms[0]) != show.label(forms[1])


def test_F01_the_book_warns_of_texts_that_look_the_same():
    chapters = (ROOT / "notebooks" / "src").glob("0[48]_*.py")
    assert any("NFD" in path.read_text(encoding="utf-8") for path in chapters)


@pytest.mark.parametrize(
    ("text", "cluster", "points", "size"),
    [
        ("👨\u200d👩\u200d👧と🏳\ufe0f\u200d🌈 1\ufe0f⃣", "👨\u200d👩\u200d👧", 5, 18),
        ("x👩🏽\u200d🚀y", "👩🏽\u200d🚀", 4, 15),
        ("🇯🇵と🇬🇧", "🇯🇵", 2, 8),
    ],
)
def test_F03_emoji_sequences_stay_whole(text, cluster, points, size):
    assert (len(cluster), len(cluster.encode())) == (points, size)
    assert comes_back(text)
    groups = [b"".join(group).decode() for group in show.clusters(BYTES.token_bytes(text))]
    assert cluster in groups and "".join(groups) == text
    assert cluster in show.tokens(BYTES, text)._repr_html_()


SURROGATES = {
    "encode": BYTES.encode,
    "encode_batch": lambda text: BYTES.encode_batch([text]),
    "tokens": BYTES.tokens,
    "token_bytes": BYTES.token_bytes,
    "offsets": BYTES.offsets,
    "token_to_id": BYTES.token_to_id,
    "chunk": bpelab.chunk,
    "count_chunks": bpelab.count_chunks,
    "train": bpelab.train,
    "train documents": lambda text: bpelab.train([text]),
    "train chunks": lambda text: bpelab.train({text: 1}),
    "sweep": lambda text: bpelab.sweep(BYTES, text),
    "compare": lambda text: bpelab.compare({"bytes": BYTES}, {"text": text}),
    "premium": lambda text: bpelab.premium({"bytes": BYTES}, [("a", text)]),
    "overlap": lambda text: bpelab.overlap(["a"], [text]),
    "show.tokens": lambda text: show.tokens(BYTES, text),
}


@pytest.mark.parametrize("path", SURROGATES)
@pytest.mark.parametrize(
    ("text", "code", "at"),
    [("\ud83d", "D83D", 0), ("ok \udc4d end", "DC4D", 3), ("\ud83d\udc4d", "D83D", 0), ("猫\udfff", "DFFF", 1)],
)
def test_F05_a_lone_surrogate_is_refused_with_its_place(path, text, code, at):
    with pytest.raises(ValueError, match=rf"lone surrogate, U\+{code}, at character {at}"):
        SURROGATES[path](text)


@pytest.mark.parametrize("text", ["\ud83d", "ok \udc4d end", "\ud83d\udc4d"])
def test_F05_a_label_escapes_what_cannot_be_shown(text):
    assert show.label(text).encode()


@pytest.mark.parametrize("text", ["\ud83d", "ok \udc4d end", "\ud83d\udc4d"])
def test_F05_a_table_refuses_or_escapes_it(text):
    try:
        shown = show.table([{"token": text}])
    except ValueError:
        return
    assert (shown._repr_html_() + repr(shown)).encode()


@pytest.mark.parametrize("text", ["a\x00b\x07c\x1b[31md\x7f", "\x00\x00\x00", "\x80\x9f\u200e猫\ufeff"])
def test_F06_control_characters_are_ordinary_and_shown_as_escapes(text):
    assert comes_back(text)
    tok = bpelab.train([text] * 2, **WHOLE)
    assert tok.tokens(text) == [text]
    page = show.tokens(tok, text)
    for shown in (*tok.merge_table()["token"], repr(page), page._repr_html_()):
        assert shown.isprintable()


@pytest.mark.parametrize("text", ["a\x00b\x07c\x1b[31md\x7f", "\x1b]0;title\x07", "\x08\x08gone"])
def test_F06_tables_show_escapes(text):
    shown = show.table([{"token": text}])
    assert all(line.isprintable() for page in (repr(shown), shown._repr_html_()) for line in page.split("\n"))


@pytest.mark.parametrize("text", ["İstanbul ＡＰＩ C++! Course vs course", "ΣΊΣΥΦΟΣ straße ẞ", "ﬁn Ⅳ ǅ ı"])
def test_F08_the_lossless_track_changes_no_case(text):
    assert comes_back(text)
    words = bpelab.chunk(text, "words")
    assert words == [word.lower() for word in words] and "".join(words) != text  # lossy, and named so
    assert "words" in bpelab.chunking.LOSSY
    cased = bpelab.train(text).merge_table()["token"].str.replace("␣", " ")
    assert all(token in text for token in cased)


@pytest.mark.parametrize("text", ["あ猫🐈", "𠮷野家", "é€🏳\ufe0f"])
def test_G01_bytes_are_joined_and_decoded_once(text):
    ids = list(text.encode())
    assert BYTES.decode(ids) == text
    assert BYTES.tokens(text) == [f"<0x{byte:02X}>" for byte in ids]
    assert [BYTES.id_to_token(i) for i in ids] == [bytes([i]) for i in ids]
    assert "\ufffd" not in "".join(map(show.label, BYTES.token_bytes(text)))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [("猫a", ["", "", "猫", "a"]), ("🐈", ["", "", "", "🐈"]), ("éxあ", ["", "é", "x", "", "", "あ"])],
)
def test_G02_a_stream_holds_back_what_is_incomplete(text, pieces):
    decoder = BYTES.stream_decoder()
    assert [decoder.feed(i) for i in text.encode()] == pieces
    assert decoder.finish() == ""
    cut = BYTES.stream_decoder()
    start = list(text.encode())[: pieces.index(text[0])]
    assert [cut.feed(i) for i in start] == [""] * len(start)
    assert cut.finish() == "\ufffd" == BYTES.decode(start)


@pytest.mark.parametrize(("text", "size"), [("🐕 猫", 8), ("がé", 5), ("👨\u200d👩", 11)])
@pytest.mark.parametrize("merges", [0, 1, 2, 3])
def test_G05_bytes_are_counted_in_tokens_not_in_replacements(text, size, merges):
    tok = bpelab.train(text, merges, **WHOLE)
    assert sum(map(len, tok.token_bytes(text))) == len(text.encode()) == size
    row = bpelab.compare({"tok": tok}, {"text": text}).iloc[0]
    assert row["bytes_per_token"] == size / len(tok.encode(text))
    assert bpelab.sweep(tok, text)["bytes_per_token"].iloc[-1] == row["bytes_per_token"]
    assert len(tok.id_to_token(0xE7)) == 1


@pytest.mark.parametrize(
    "value", [None, b"ab", 5, ["a", "b"], {"t": "a"}, 1.5, bytearray(b"a"), np.array(["a"])], ids=repr
)
@pytest.mark.parametrize("call", [BYTES.encode, BYTES.tokens, BYTES.token_bytes, BYTES.offsets, bpelab.chunk])
def test_G06_encode_takes_text_only(call, value):
    with pytest.raises(TypeError, match=f"text must be a str, got {type(value).__name__}"):
        call(value)


@pytest.mark.parametrize("number", [99999, 2**32, 256, -1, 10**30])
@pytest.mark.parametrize("call", [BYTES.decode, BYTES.decode_bytes, lambda ids: BYTES.stream_decoder().feed(ids[0])])
def test_H01_an_unknown_id_is_named_with_the_size(call, number):
    with pytest.raises(ValueError, match=rf"is {number}, but this vocabulary has ids 0 to 255"):
        call([number])


@pytest.mark.parametrize("value", [True, 97.0, "97", False, None, b"a", np.True_], ids=repr)
@pytest.mark.parametrize("call", [BYTES.decode, BYTES.decode_bytes, lambda ids: BYTES.stream_decoder().feed(ids[0])])
def test_H03_ids_are_whole_numbers(call, value):
    with pytest.raises(TypeError, match=r"ids\[0\] must be an int"):
        call([value])


@pytest.mark.parametrize(
    ("ids", "text"),
    [
        (np.array([97, 98]), "ab"),
        ([np.int64(97)], "a"),
        (np.array([227, 129, 130], np.uint8), "あ"),
        ((np.uint16(97), 98), "ab"),
    ],
)
def test_H04_ids_from_numpy(ids, text):
    assert BYTES.decode(ids) == text
    assert BYTES.decode_bytes(ids) == text.encode()


@pytest.mark.parametrize("ids", [97, np.int64(97), None, "97"])
def test_H04_a_bare_number_is_no_sequence(ids):
    with pytest.raises(TypeError, match="ids must be a sequence of ids"):
        BYTES.decode(ids)


@pytest.mark.parametrize(
    ("text", "name"),
    [("この本は <|endoftext|> を説明する", "<|endoftext|>"), ("<s><s>", "<s>"), ("a [INST] b\n[INST]", "[INST]")],
)
def test_I01_text_cannot_spell_a_control_id(text, name):
    tok = bpelab.train([text] * 3, 30, base="byte", chunking="gpt2", special_tokens={name: 300})
    assert 300 not in tok.encode(text)
    assert tok.decode(tok.encode(text)) == text
    allowed = tok.encode(text, allowed_special={name})
    assert allowed.count(300) == text.count(name) and tok.decode(allowed) == text
    assert bpelab.compare({"tok": tok}, {"t": text})["tokens"][0] == len(tok.encode(text))
    assert bpelab.sweep(tok, text)["tokens"].iloc[-1] == len(tok.encode(text))
    assert bpelab.premium({"tok": tok}, [(text, text)])["premium"][0] == 1
    assert "|" in repr(show.tokens(tok, text)) or len(tok.encode(text)) == 1


@pytest.mark.parametrize(
    ("text", "names", "ids"),
    [
        ("x<|a|><|b|>y", ["<|a|>", "<|a|><|b|>"], [ord("x"), 1001, ord("y")]),
        ("<s><s><s>", ["<s>", "<s><s>"], [1001, 1000]),
        ("*+*", ["*", "*+"], [1001, 1000]),
    ],
)
def test_I02_the_longer_name_wins(text, names, ids):
    special = {name: 1000 + at for at, name in enumerate(names)}
    for order in (special, dict(reversed(special.items()))):
        tok = bpelab.train("", base="byte", special_tokens=order)
        assert tok.encode(text, allowed_special="all") == ids
        assert tok.encode(text, allowed_special=list(order)) == ids


@pytest.mark.parametrize("special", [{"<|x|>": 256}, {"<|x|>": 0}, {"<|ok|>": 300, "<|x|>": 257}])
def test_I03_a_learned_id_is_taken(special):
    message = rf"special_tokens\['<\|x\|>'\]: id {special['<|x|>']} belongs to the vocabulary"
    with pytest.raises(ValueError, match=message):
        bpelab.train("abababab", 2, base="byte", special_tokens=special)
    with pytest.raises(ValueError, match=message):
        bpelab.train("abababab", 2, base="byte").with_special_tokens(special)


@pytest.mark.parametrize(
    "special",
    [{"<| end of text |>": 2000, "<|行\n末|>": 2001}, {"\t": 999, " ": 1000}, {"\r\n\x00": 400, '"\\u0041': 401}],
)
def test_I06_any_name_survives_a_file(special, tmp_path):
    tok = bpelab.train("abab", 2, base="byte", special_tokens=special)
    tok.save(tmp_path / "m.json")
    again = bpelab.load(tmp_path / "m.json")
    assert again.special_tokens == special
    text = "a".join(special)
    assert again.encode(text, allowed_special="all") == tok.encode(text, allowed_special="all")
    assert set(special.values()) <= set(again.encode(text, allowed_special="all"))


@pytest.mark.parametrize(
    ("special", "error"),
    [({"": 2002}, ValueError), ({2000: "x"}, TypeError), ([""], ValueError), ({"x": "2000"}, TypeError)],
)
def test_I06_names_that_stand_everywhere_or_nowhere_are_refused(special, error):
    for build in (lambda: bpelab.train("ab", special_tokens=special), lambda: BYTES.with_special_tokens(special)):
        with pytest.raises(error, match="special_tokens"):
            build()
