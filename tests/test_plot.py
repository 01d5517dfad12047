import importlib
import inspect
import io
import re
import string
import warnings

import matplotlib.style
import pandas as pd
import pytest

import bpelab
from bpelab import drawings, efficiency, look, plot, words
from bpelab.sweep import Least, least

PAIRS = [("low lower", "猫が好き"), ("newest", "犬が好き"), ("a cat", "猫")]


@pytest.fixture(scope="module")
def toks():
    return {
        "English": bpelab.train("low lower lowest newest", 9),
        "日本語の語彙": bpelab.train("猫が好き犬が好き", base="byte"),
    }


def draw_all(toks, **options):
    """Every kind of picture, by name."""
    english, japanese = toks.values()
    frames = {name: bpelab.sweep(tok, "low 猫") for name, tok in toks.items()}
    premiums = efficiency.premium_curve(japanese, PAIRS)
    sizes = premiums["vocab_size"].tolist()
    bands = efficiency.premium_intervals(japanese, PAIRS, [sizes[0], sizes[2], sizes[-1]], resamples=20)
    rows = {"gpt2": {"piece of a character": 3, "longer": 1}, "猫": {"longer": 2}}
    ties = pd.DataFrame({"step": [1, 2, 3], "count": [5, 3, 3], "rival": [4, 3, 0], "tied": [1, 2, 1]})
    text = "猫 low"
    cuts = {"bytes": [bytes([b]) for b in text.encode()], "日本語": japanese.token_bytes(text)}
    return {
        "curves": plot.curves(frames, title="語彙サイズ Ġ▁", **options),
        "merges": plot.curves(frames, x="merges", title="From 0 merges", **options),
        "marked": plot.curves(frames, title="Marked", mark={"English": 3}, sizes={"GPT": 14, "far": 10**6}, **options),
        "least": plot.curves(frames, "total_cost", title="L", mark={n: least(f) for n, f in frames.items()}, **options),
        "premiums": plot.premiums({"ours": premiums}, title="P", bands={"ours": bands}, sizes={"a": 256}, **options),
        "costs": plot.costs(frames["English"], title="Cost", **options),
        "slots": plot.slots(efficiency.slots(japanese, groups=3), title="Slots", **options),
        "stacked": plot.stacked(rows, title="Bytes", xlabel="bytes", **options),
        "shares": plot.stacked(rows, title="Bytes", xlabel="bytes", share=True, **options),
        "bars": plot.bars({"gpt2": 2.5, "猫": 1.0}, title="Premium", xlabel="JA/EN", low={"gpt2": 2.4, "猫": 0.9},
                          high={"gpt2": 2.6, "猫": 1.1}, **options),
        "dots": plot.dots({"a": (1, 1, 2), "猫": (0.9, 0.8, 1)}, title="D", xlabel="x", reference=(1, "e"), **options),
        "histogram": plot.histogram({"en": [1, 2, 2, 30], "ja": [5]}, title="Lengths", **options),
        "lengths": plot.lengths(english.curve("low lower"), title="Steps", mark=2, **options),
        "grid": plot.grid(text, cuts, title="Grid", **options),
        "tree": plot.tree(english, english.vocab[-1], title="Tree", **options),
        "pipeline": plot.pipeline(english, "low lower", title="Way", **options),
        "rivals": plot.rivals(ties, title="Ties", **options),
    }  # fmt: skip


@pytest.fixture(scope="module")
def pictures(toks):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return draw_all(toks)


def test_every_figure_is_drawn_without_a_warning(pictures, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, picture in pictures.items():
            picture.save(tmp_path / f"{name}.svg")
        assert pictures["curves"].png(dpi=50).startswith(b"\x89PNG")


def test_every_figure_has_alternative_text(pictures):
    for name, picture in pictures.items():
        assert repr(picture) == picture.alt
        assert name == "tree" or any(character.isdigit() for character in picture.alt)
    data, metadata = pictures["bars"]._repr_mimebundle_()
    assert data["text/plain"] == pictures["bars"].alt == metadata["image/png"]["alt"]
    assert "English goes from" in pictures["curves"].alt


def test_counts_on_bars_are_written_as_counts():
    assert "a 1,000; b 2.50" in plot.bars({"a": 1000, "b": 2.5}, title="t", xlabel="x").alt


def test_alternative_text_can_be_set(toks):
    picture = plot.bars({"a": 1.0}, title="t", xlabel="x", alt="A bar.")
    assert picture.alt == "A bar."
    picture.alt = "One bar."
    assert picture._repr_mimebundle_()[1]["image/png"]["alt"] == "One bar."


def colours(picture):
    """The paper, and the colours of all texts that show."""
    figure = picture.figure
    texts = [text for text in figure.findobj(matplotlib.text.Text) if text.get_text() and text.get_visible()]
    return figure.get_facecolor(), {matplotlib.colors.to_hex(text.get_color()) for text in texts}


def contrast(a, b):
    """The contrast of two colours as WCAG 2.2 defines it."""

    def light(colour):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in matplotlib.colors.to_rgb(colour)]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted([light(a), light(b)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_paper_and_ink_are_both_set_whatever_the_style(theme, toks):
    around = "dark_background" if theme == "light" else "default"
    with matplotlib.style.context(around):
        drawn = draw_all(toks, theme=theme)
        pictures = {name: picture for name, picture in drawn.items() if name not in ("stacked", "shares")}
        for picture in pictures.values():
            paper, inks = colours(picture)
            assert matplotlib.colors.to_hex(paper) == look.THEMES[theme].paper
            assert all(contrast(ink, paper) >= 4.5 for ink in inks)
        png = matplotlib.image.imread(io.BytesIO(drawn["bars"].png(dpi=40)))
    assert abs(png[0, 0, :3] - matplotlib.colors.to_rgb(look.THEMES[theme].paper)).max() < 0.01


@pytest.mark.parametrize("theme", look.THEMES)
def test_colours_can_be_read(theme):
    paper, ink, grey, _, lines, fills = look.THEMES[theme]
    assert all(contrast(colour, paper) >= 4.5 for colour in (ink, grey, *lines))
    assert all(contrast(ink, fill) >= 4.5 for fill in fills)


def test_japanese_labels(toks, monkeypatch):
    for name, picture in draw_all(toks, language="ja").items():
        assert re.search("[ぁ-ヿ一-鿿]", picture.alt), name
    picture = plot.curves({"a": bpelab.sweep(toks["English"], "low")}, title="t", language="ja")
    assert picture.figure.axes[0].get_xlabel() == "語彙サイズ（トークン）"
    own = plot.curves({"a": bpelab.sweep(toks["English"], "low")}, title="t", xlabel="mine", language="ja")
    assert own.figure.axes[0].get_xlabel() == "mine"
    monkeypatch.setenv("BPELAB_LANGUAGE", "ja")
    picture = plot.curves({"a": bpelab.sweep(toks["English"], "low")}, title="t")
    assert picture.figure.axes[0].get_xlabel() == "語彙サイズ（トークン）"
    with pytest.raises(ValueError, match="language must be one of 'en', 'ja'; got 'fr'"):
        plot.bars({"a": 1}, title="", xlabel="", language="fr")
    with pytest.raises(ValueError, match="theme must be one of 'light', 'dark'; got 'blue'"):
        plot.bars({"a": 1}, title="", xlabel="", theme="blue")


def test_every_word_of_the_pictures_has_its_japanese():
    source = "".join(inspect.getsource(importlib.import_module(f"bpelab.{m}")) for m in ("plot", "look", "drawings"))
    said = re.findall(r'say\(\s*"([^"]+)"|described\("([^"]+)"|label="([^"]+)"', source)
    used = {word for found in said for word in found if word}
    assert used > {"total", "tie"} or "tie" in used
    assert used <= set(words.JAPANESE)
    fields = string.Formatter().parse
    for english, japanese in words.JAPANESE.items():
        names = [sorted(name for _, name, _, _ in fields(text) if name) for text in (english, japanese)]
        assert names[0] == names[1], english


def test_no_merges_stays_visible(pictures):
    axes = pictures["merges"].figure.axes[0]
    assert axes.get_xscale() == "symlog" and axes.get_xlim()[0] == 0


def test_real_sizes_and_logarithms_where_values_spread():
    frame = pd.DataFrame({"vocab_size": [256, 1024, 4096, 16384], "tokens": [9000, 4000, 2000, 1000]})
    axes = plot.curves({"a": frame}, title="t").figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert {1024, 4096} <= set(axes.get_xticks())
    assert plot.curves({"a": frame}, title="t", log=False).figure.axes[0].get_ylim()[0] == 0


def test_a_long_line_is_thinned_to_what_a_picture_shows():
    size = range(256, 200_256)
    frame = pd.DataFrame({"vocab_size": size, "tokens": [10**9 // n for n in size]})
    (line,) = plot.curves({"a": frame}, title="t").figure.axes[0].lines
    xs = line.get_xdata()
    assert len(xs) <= 502 and (xs[0], xs[-1]) == (256, 200_255)


def test_an_end_that_was_not_reached_is_drawn_open():
    frame = pd.DataFrame({"vocab_size": [256, 512, 1024], "cost": [3.0, 2.0, 1.0]})
    picture = plot.curves({"a": frame}, "cost", title="t", mark={"a": least(frame, "cost")})
    assert "not reached at 1,024" in picture.alt
    assert ">" in [line.get_marker() for line in picture.figure.axes[0].lines]
    closed = plot.curves({"a": frame}, "cost", title="t", mark={"a": Least(512, 512, 512, True)})
    assert "least at 512" in closed.alt
    assert ">" not in [line.get_marker() for line in closed.figure.axes[0].lines]


def test_a_share_of_the_least_does_not_start_below_zero():
    frame = pd.DataFrame({"vocab_size": [256, 512, 1024], "share": [2.2, 1.0, 1.2]})
    axes = plot.curves({"a": frame}, "share", title="t", mark={"a": least(frame, "share")}).figure.axes[0]
    assert 0.6 < axes.get_ylim()[0] < 1
    reference = plot.curves({"a": frame}, "share", title="t", reference=(0.5, "half")).figure.axes[0]
    assert 0.4 < reference.get_ylim()[0] < 0.5


def test_one_point_is_drawn():
    frame = pd.DataFrame({"vocab_size": [256], "tokens": [7]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plot.curves({"a": frame}, title="t").png(dpi=40)
        assert plot.lengths([3], title="t").png(dpi=40)
        assert plot.histogram({"a": [4]}, title="t").png(dpi=40)
        assert plot.dots({"a": (1, 1, 1)}, title="t", xlabel="x").png(dpi=40)
        assert plot.bars({"a": 0.0, "b": -1.0}, title="t", xlabel="x").png(dpi=40)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot.curves({}, title=""), "frames must not be empty"),
        (
            lambda: plot.curves({"a": pd.DataFrame({"vocab_size": [], "tokens": []})}, title=""),
            r"frames\['a'\] must not",
        ),
        (lambda: plot.premiums({}, title=""), "frames must not be empty"),
        (lambda: plot.bars({}, title="", xlabel=""), "values must not be empty"),
        (lambda: plot.dots({}, title="", xlabel=""), "values must not be empty"),
        (lambda: plot.stacked({}, title="", xlabel=""), "rows must not be empty"),
        (lambda: plot.histogram({}, title=""), "lengths must not be empty"),
        (lambda: plot.histogram({"a": []}, title=""), r"lengths\['a'\] must not be empty"),
        (lambda: plot.lengths([], title=""), "values must not be empty"),
        (lambda: plot.lengths([3, 2], title="", mark=2), "mark must be a step from 1 to 1, got 2"),
        (lambda: plot.slots(efficiency.slots(bpelab.train("a")), title=""), "frame must not be empty"),
        (lambda: plot.costs(pd.DataFrame({"total_cost": []}), title=""), "frame must not be empty"),
        (lambda: plot.rivals(pd.DataFrame(), title=""), "rows must not be empty"),
        (lambda: plot.grid("", {"a": []}, title=""), "text must not be empty"),
        (lambda: plot.grid("a", {}, title=""), "rows must not be empty"),
        (lambda: plot.grid("ab", {"a": [b"a"]}, title=""), r"rows\['a'\]: these tokens do not join"),
        (lambda: plot.grid("猫" * 17, {"a": []}, title=""), "text must have at most 48 bytes"),
        (lambda: plot.tree(bpelab.train("ab ab"), "zz", title=""), "token: 'zz' is made by no merge"),
        (lambda: plot.pipeline(bpelab.train(""), "", title=""), "text must not be empty"),
        (lambda: plot.pipeline(bpelab.train("a"), "a" * 25, title=""), "text must have at most 24 tokens"),
        (lambda: plot.bars({"a": 1}, title="", xlabel="").save("noending"), "path needs an ending"),
    ],
)
def test_what_cannot_be_drawn_is_said(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_marks_need_a_line():
    frame = pd.DataFrame({"vocab_size": [256, 512], "tokens": [7, 5]})
    with pytest.raises(ValueError, match="mark and bands take the names of frames, 'a'; got 'b'"):
        plot.curves({"a": frame}, title="", mark={"b": 0})


def test_pictures_are_saved_as_asked(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    picture = plot.bars({"a": 1.0}, title="t", xlabel="x")
    picture.save(tmp_path / "a.png", dpi=50)
    picture.save("~/b.png", dpi=100)
    small, large = (matplotlib.image.imread(tmp_path / name).shape for name in ("a.png", "b.png"))
    assert 1.8 < large[1] / small[1] < 2.2
    picture.save(tmp_path / "a.svg", transparent=True)


HOSTILE = "a\x07\x1b[31m\u202eb\u200bc\ufe0f\U000e0100\x00\u2028"


def test_no_control_character_reaches_a_drawing(tmp_path):
    assert plot.drawable(HOSTILE) == "a\\x07\\x1b[31m\\u202eb\\u200bc\\ufe0f\\U000e0100\\x00\\u2028".replace(
        "\\x07", "\\u0007"
    ).replace("\\x1b", "\\u001b").replace("\\x00", "\\u0000")
    picture = plot.bars({HOSTILE: 1.0}, title=HOSTILE, xlabel=HOSTILE)
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        picture.save(tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\u200b\u202e\u2028\ufe0f]", svg)


def test_without_a_japanese_font_wide_characters_become_escapes(monkeypatch):
    monkeypatch.setattr(look, "japanese_font", lambda: None)
    assert plot.drawable("猫 cat") == "\\u732b cat"
    picture = plot.bars({"猫": 1.0}, title="語彙", xlabel="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert picture.png()


def test_long_titles_are_broken():
    assert look.wrapped("one two three", 8) == "one two\nthree"
    assert look.wrapped("語彙サイズが大きい、ほど", 16) == "語彙サイズが大き\nい、ほど"
    assert look.wrapped("a", 1) == "a" and look.wrapped("", 5) == ""


def test_a_token_in_a_drawing():
    assert [drawings.short(t) for t in (b"<0xE3>", b"\xe3\x81", b" low", b"a\xe3")] == [
        "<0xE3>",
        "E3 81",
        "␣low",
        "aE3",
    ]
