import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import show

HOSTILE = ["</w>", "<b>", "a<b<c", "&amp;", '"q"', "<script>alert(1)</script>"]


@pytest.mark.parametrize("text", HOSTILE)
def test_html_is_escaped(text):
    tok = bpelab.train(text, 0)
    for shown in (
        show.table([{text: text}]),
        show.tokens(tok, text),
        show.tokens(bpelab.train(text, chunking="whole"), text),
    ):
        page = shown._repr_html_()
        for tag in ("<b>", "<script", "</w>", "&amp;</"):
            assert tag not in page.replace("&amp;amp;", "")
    assert show.table([{"t": text}])._repr_html_().count(__import__("html").escape(text)) == 1


def test_labels_are_distinct_visible_and_of_one_line():
    tokens = [
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\u3000",
        "\u200b",
        "\u3099",
        "",
        "\\n",
        "␣",
        "\x00",
        "\x1b[31m",
        "low",
        " low",
    ]
    labels = [show.label(token) for token in tokens]
    assert len(set(labels)) == len(labels)
    assert all(label and label.isprintable() and not label.isspace() for label in labels)


@given(st.binary(max_size=8))
def test_any_token_has_a_label(token):
    assert show.label(token).isprintable()


def test_text_tables_align_wide_characters():
    lines = repr(show.table([{"token": t, "n": 1} for t in ("ab", "猫が", "東京で", "ｶﾞ")])).split("\n")
    assert len({show._columns(line) for line in lines}) == 1


def test_numbers_in_tables():
    shown = repr(show.table([{"a": 12345, "b": 1.23456, "c": float("nan"), "d": True}]))
    assert "12,345" in shown and "1.235" in shown and "nan" not in shown and "True" in shown


def test_tokens_show_partial_characters_and_ids():
    tok = bpelab.train("猫", 1, base="byte")
    shown = show.tokens(tok, "猫 猫\n")
    assert repr(shown) == r"<0xE7>|<0x8C><0xAB>|␣|<0xE7>|<0x8C><0xAB>|\n"
    assert ">256</sub>" in shown._repr_html_() and "<br>" in shown._repr_html_()


def test_source():
    shown = show.source(bpelab.reference.apply_merge)
    assert shown.startswith("def apply_merge") and ">>>" not in shown
    assert shown._repr_markdown_().startswith("```python\ndef")


def test_the_stepper_holds_every_step():
    tok = bpelab.train("low low low lower lower newest", 8)
    shown = show.stepper(tok, ["low lower", "newest lowest", "box lower"])
    rows = repr(shown).split("\n")[1:]
    assert len(rows) == 9 and shown.html.count("<tr>") == 10
    first = [int(row.split(" tokens")[0].split()[-1]) for row in rows]
    assert first == [9, 7, 5, 4, 3, 2, 2, 2, 2]
    assert shown.html == show.stepper(tok, ["low lower", "newest lowest", "box lower"]).html


def test_the_stepper_escapes_and_checks():
    text = "</script><b> $body $last"
    page = show.stepper(bpelab.train(text, 2), [text, text]).html
    assert page.count("</script>") == 1 and "<b>" not in page and "$last" in page
    with pytest.raises(TypeError, match="samples must be a list of str"):
        show.stepper(bpelab.train("ab"), "ab")
    with pytest.raises(ValueError, match="samples must not be empty"):
        show.stepper(bpelab.train("ab"), [])


def test_added_tokens_of_hugging_face_are_shown():
    tok = bpelab.train("猫が好き", 2, base="byte", chunking="gpt2").to_huggingface()
    tok.add_tokens(["京都"])
    assert repr(show.tokens(tok, "京都a")) == "京都|a"


def luminance(colour):
    """Relative luminance of #rrggbb, as the W3C's contrast guidelines define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("background", show.COLOURS)
def test_tokens_can_be_read_on_every_colour(background):
    for ink in ("#111111", "#444444"):
        assert (luminance(background) + 0.05) / (luminance(ink) + 0.05) > 7


def test_long_displays_are_cut_and_say_so():
    tok = bpelab.train("", base="byte")
    shown = show.tokens(tok, "a" * 5000)
    assert len(shown.html) < 500_000 and "… 4,000 more tokens" in shown.html
    assert repr(shown).endswith("… 4,000 more tokens")
    shown = show.table([{"n": n} for n in range(1000)])
    assert "… 800 more rows" in shown.html and repr(shown).count("\n") == 201
    long = bpelab.train([chr(0x4E00 + n) * 2 for n in range(210)], chunking="whole")
    assert "… 5 more steps" in repr(show.stepper(long.truncate(205), ["a"]))


def test_a_token_keeps_its_colour_and_the_next_pair_is_marked():
    page = show.stepper(bpelab.train("low low lower", 3), ["low low"]).html
    for token in ("l", "low"):
        assert len(set(re.findall(rf'background:(#\w+)[^">]*">{token}<', page))) == 1
    assert page.count("box-shadow") == 2 * 2 + 2 * 2 + 2  # l+o twice, lo+w twice, ␣+low once


@pytest.mark.parametrize("hostile", ["\u202e", "\u200b", "\u2066", "\x1b[31m", "\U000e0100", "\x9b"])
def test_what_steers_a_screen_is_escaped_everywhere(hostile):
    tok = bpelab.train("ab", base="byte")
    for shown in (
        show.table([{f"a{hostile}b": f"a{hostile}b"}]),
        show.tokens(tok, f"a{hostile}b"),
        show.stepper(tok, [f"a{hostile}b"]),
    ):
        assert hostile not in shown.html and hostile not in repr(shown)


def test_dollars_are_no_formula_and_text_runs_its_own_way():
    tok = bpelab.train("$x^2$ $5", base="byte")
    for page in (show.table([{"a": "$5 and $6"}]).html, show.tokens(tok, "$x$").html, show.stepper(tok, ["$x$"]).html):
        assert "mathjax_ignore" in page.split(">")[0] and 'dir="auto"' in page


def test_without_styles_tokens_stay_apart_and_no_control_is_dead():
    page = show.stepper(bpelab.train("low low lower", 2), ["low"]).html
    bare = re.sub(r"<(script|style)>.*?</\1>", "", page, flags=re.DOTALL)
    assert "<button" not in bare and "<input" not in bare and "hidden" not in bare
    assert "l<sub" in bare and "</sub></span> <span" in bare


def test_settings_of_another_library_do_not_count():
    tok = bpelab.train("low low", base="byte", chunking="gpt2").to_huggingface()
    tok.enable_truncation(1)
    assert repr(show.tokens(tok, "low low")) == "low|␣low"
    assert repr(show.tokens("gpt2", "low low")) == "low|␣low"
    with pytest.raises(ValueError, match="tok must be an encoder or one of"):
        show.tokens("gpt9", "low")


def test_columns_whose_names_look_alike_stay_two():
    composed, decomposed = "ガ", "カ\u3099"
    shown = str(bpelab.show.table([{composed: 1, decomposed: 2}]))
    assert composed in shown and decomposed in shown and "1" in shown and "2" in shown
