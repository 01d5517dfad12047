import warnings

import pytest

import bpelab
from bpelab import plot


@pytest.fixture(scope="module")
def pictures():
    toks = {"English": bpelab.train("low lower lowest newest", 9), "日本語の語彙": bpelab.train("猫が好き犬が好き", 5)}
    frames = {name: bpelab.sweep(tok, "low 猫") for name, tok in toks.items()}
    tok = bpelab.train("猫が好き犬が好き", base="byte")
    return [
        plot.curves(frames, title="語彙サイズ Ġ▁"),
        plot.curves(frames, x="merges", title="From 0 merges"),
        plot.curves(frames, title="Marked", mark={"English": 3}),
        plot.costs(frames["English"], title="Cost"),
        plot.slots(bpelab.efficiency.slots(tok, groups=3), title="Slots"),
        plot.bars(
            {"gpt2": 2.5, "猫": 1.0},
            title="Premium",
            xlabel="JA/EN",
            low={"gpt2": 2.4, "猫": 0.9},
            high={"gpt2": 2.6, "猫": 1.1},
        ),
    ]


def test_every_figure_is_drawn_without_a_warning(pictures, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, picture in enumerate(pictures):
            assert picture.png().startswith(b"\x89PNG")
            picture.save(tmp_path / f"{number}.svg")


def test_every_figure_has_alternative_text(pictures):
    for picture in pictures:
        data, metadata = picture._repr_mimebundle_()
        assert data["text/plain"] == repr(picture) == metadata["image/png"]["alt"]
        assert any(character.isdigit() for character in picture.alt)
    assert "from 9 at 8 to" in pictures[0].alt or "English goes from" in pictures[0].alt


def test_no_merges_stays_visible(pictures):
    axes = pictures[1].figure.axes[0]
    assert axes.get_xscale() == "symlog" and axes.get_xlim()[0] == 0


def test_without_a_japanese_font_wide_characters_become_escapes(monkeypatch):
    monkeypatch.setattr(plot, "japanese_font", lambda: None)
    assert plot.drawable("猫 cat") == "\\u732b cat"
    picture = plot.bars({"猫": 1.0}, title="語彙", xlabel="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert picture.png()
