"""The play page in a real browser: its encoder against ours and tiktoken's, and the page by mouse and keys.

Needs Debian's chromium (or one at $CHROMIUM); skipped where there is none.
"""

import json
import os
import random
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from edition import CONTRAST, browsed

import bpelab
from bpelab import corpora, play, vocabularies
from bpelab.__main__ import main
from bpelab.readers.tiktoken_files import Ranks

encoding = cache(play.encoding)
NAMES = play.available()


@pytest.fixture
def address(web):
    return (web / "play.html").as_uri()


@pytest.fixture
def page(tab, address):
    """The open page."""
    visit(tab, address)
    return tab


def visit(page, address, fragment=""):
    page.goto("about:blank")
    page.goto(address + fragment)
    page.wait_for_selector("#bpelab-play[data-ready]", timeout=60_000)


def drawn(page):
    """Wait for the frame in which the page draws."""
    page.evaluate("() => new Promise((done) => { requestAnimationFrame(() => done()); })")


def samples(count=1000):
    """Texts of all kinds: both languages, code, emoji, marks, white and control characters, random Unicode."""
    draw = random.Random(20)
    pairs = corpora.pairs("parallel")
    source = Path(bpelab.__file__).with_name("scanner.py").read_text(encoding="utf-8").split("\n\n")
    emoji = ["👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇯🇵", "☕️", "1️⃣", "🤷🏻‍♀️", " ", "ok"]
    marks = [*"aeuoかはAÅñ", "\u0301", "\u0308", "\u3099", "\u309a", "\u20dd", "\u0345", " ", "\u05b0", "א", "ก", "ำ"]
    white = [
        *" \t\n\r\v\f\x85\xa0\u2028\u3000\u1680\u180e\u200b\ufeff\x1c\x1f\0\x7f",
        "a",
        "'s",
        "9",
        "!",
        "/",
        "\r\n",
        "  ",
    ]
    cased = ["'S", "'ſ", "'LL", "'Ve", "'rE", "K", "ß", "İ", "ǅ", "ʰ", "Don't", "XMLHttp", "aB", "12345", "²Ⅷ٣", "…/\n"]
    kinds = [
        lambda: draw.choice(pairs).en,
        lambda: draw.choice(pairs).ja,
        lambda: draw.choice(source)[:200],
        lambda: "".join(draw.choices(emoji, k=6)),
        lambda: "".join(draw.choices(marks, k=16)),
        lambda: "".join(draw.choices(white, k=12)),
        lambda: "".join(draw.choices(cased, k=8)),
        lambda: "".join(chr(draw.choice(points)) for _ in range(12)),
        lambda: "".join(draw.choices("aab", k=40)),
        lambda: "".join(draw.choices([" ", "nghiệp", "thời", ".:", ":.", "...", " nhiều", "人力", "资源"], k=9)),
    ]
    points = [
        point for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF and (point < 0x3400 or draw.random() < 0.02)
    ]
    return ["", *(kinds[i % len(kinds)]() for i in range(1, count))]


TEXTS = samples()
TEXTS_JS = json.dumps(TEXTS)
IDS = """async ([name, texts, sizes]) => {
  const vocabulary = await bpelabPlay.vocabulary(name);
  const readings = JSON.parse(texts).map((text) => vocabulary.read(text));
  const ids = (size) => readings.map((reading) => vocabulary.tokens(reading, size - 256).map((token) => token[2]));
  const curves = new Int32Array(vocabulary.merges + 1);
  for (const reading of readings.slice(0, 20)) vocabulary.curve(reading).forEach((count, n) => { curves[n] += count; });
  return [JSON.stringify(sizes.map(ids)), vocabulary.size, sizes.map((size) => curves[size - 256])];
}"""


@browsed
@pytest.mark.parametrize("name", NAMES)
def test_ids_equal_ours_and_tiktoken_at_every_size(page, name):
    import tiktoken

    full = encoding(name)
    tokens = sorted(full._mergeable_ranks, key=full._mergeable_ranks.get)
    sizes = np.geomspace(256, len(tokens), 10).round().astype(int).tolist()
    found, size, curve = page.evaluate(IDS, [name, TEXTS_JS, sizes])
    assert size == len(tokens)
    tok = play.own() if name == play.OWN else vocabularies.tokenizer(name)
    for at, (size, ids) in enumerate(zip(sizes, json.loads(found), strict=True)):
        ranks = {token: rank for rank, token in enumerate(tokens[:size])}
        theirs = tiktoken.Encoding(name, pat_str=full._pat_str, mergeable_ranks=ranks, special_tokens={})
        expected = theirs.encode_ordinary_batch(TEXTS, num_threads=1)
        ours = tok.truncate(size - 256) if hasattr(tok, "truncate") else Ranks(ranks, tok.chunking)
        for who, answer in (("tiktoken", expected), ("bpelab", ours.encode_batch(TEXTS))):
            wrong = [(text, a, b) for text, a, b in zip(TEXTS, ids, answer, strict=True) if a != b]
            assert wrong == [], f"{name} at {size}, {who}: {len(wrong)} texts"
        assert curve[at] == sum(map(len, expected[:20]))


@browsed
def test_training_in_the_page_learns_what_we_learn(page):
    texts = [corpora.text("parallel", language, "test")[:1500] for language in corpora.LANGUAGES]
    learn = """([texts, name]) => {
      const trainer = new bpelabPlay.Trainer(texts, bpelabPlay.patterns[name]);
      while (trainer.step());
      return trainer.steps;
    }"""
    for name in ("o200k", "gpt2", "whole"):
        tok = bpelab.train([*texts, "aaa aaaa"], base="byte", chunking=name, min_frequency=2)
        ids = {token: i for i, token in enumerate(tok.vocab)}
        expected = [[ids[m.left], ids[m.right], m.count] for m in tok.merges]
        assert [step[:3] for step in page.evaluate(learn, [[*texts, "aaa aaaa"], name])] == expected, name


@browsed
def test_hostile_text_stays_text_and_moves_by_mouse_and_keys(page):
    hostile = "<img src=x onerror=alert(1)>\u202e</li><script>\ud83d\0 e\u0301 猫"
    page.evaluate("(text) => { const area = document.querySelector('textarea'); area.value = text; "
                  "area.dispatchEvent(new Event('input')); }", hostile)  # fmt: skip
    view = page.get_by_role("region", name="Vocabulary 1")
    assert page.locator(".bpelab-play img, .bpelab-play script").count() == 0
    slider, exact = view.get_by_role("slider"), view.get_by_role("spinbutton")
    tokens = view.get_by_role("list").first.locator("li")
    page.wait_for_function("document.querySelector('.tokens li bdi').textContent.includes('<')")
    slider.focus()
    page.keyboard.press("Home")
    drawn(page)
    assert exact.input_value() == "256" and tokens.nth(1).locator("bdi").inner_text() == "i"
    assert "U+202E" not in tokens.first.inner_text() and "EF" in view.inner_text()  # a lone surrogate is U+FFFD
    view.get_by_label("next merge in these texts").click()
    drawn(page)
    assert int(exact.input_value()) > 256 and view.locator(".fresh").count() > 0
    view.get_by_label("undo one merge").press("Enter")
    assert view.get_by_label("undo one merge").is_disabled()
    page.keyboard.press("Tab")
    slider.focus()
    page.keyboard.press("End")
    assert exact.input_value() == str(play.OWN_SIZE)
    assert "English" in slider.evaluate("node => node.closest('section').querySelector('[role=status]').textContent")


@browsed
def test_the_slider_redraws_what_changes_and_no_more(page):
    """Every size shows its tokens; one merge replaces a few elements; what is far below is drawn when it is reached."""
    text = corpora.text("parallel", "en")[:4500]
    page.locator("textarea").first.fill(text)
    view = page.get_by_role("region", name="Vocabulary 1")
    exact, shown = view.get_by_role("spinbutton"), "[...document.querySelector('.tokens').querySelectorAll('small')]"
    ids = {size: play.own().truncate(size - 256).encode(text) for size in (256, 300, 2000, 9000, play.OWN_SIZE)}
    for size in (play.OWN_SIZE, 256, 2000, 300, 9000, 300, play.OWN_SIZE, 2000):
        exact.fill(str(size))
        exact.press("Enter")
        drawn(page)
        assert page.evaluate(f"{shown}.map((node) => Number(node.textContent))") == ids[size][:250], size
    watch = """() => { window.before = new Set(SHOWN), window.drawings = 0;
      const observer = new MutationObserver(() => { window.drawings++; });
      observer.observe(document.querySelector('.tokens'), { childList: true }); }"""
    page.evaluate(watch.replace("SHOWN", shown))
    exact.fill("1900")
    exact.press("Enter")
    drawn(page)
    kept = page.evaluate(f"{shown}.filter((node) => window.before.has(node)).length")
    assert 200 < kept < 250 and page.evaluate("window.drawings") == 1
    page.evaluate("""() => { const slider = document.querySelector("input[type=range]");
      for (let i = 0; i < 30; i++) { slider.value = 900 - 20 * i; slider.dispatchEvent(new Event("input")); } }""")
    drawn(page)
    assert page.evaluate("window.drawings") == 2
    page.evaluate("document.querySelector('.tokens').scrollTop = 1e6")
    page.wait_for_function(f"{shown}.length === 500")


@browsed
def test_the_link_holds_the_state(page, address):
    page.locator("textarea").first.fill("low low lower & 100% #猫")
    page.get_by_role("button", name="start with these texts").click()
    page.get_by_role("button", name="10 merges").click()
    page.locator("textarea").last.fill("低い")
    view = page.get_by_role("region", name="Vocabulary 1")
    view.get_by_role("combobox").select_option("gpt2")
    view.get_by_role("spinbutton").fill("777")
    view.get_by_role("spinbutton").press("Enter")
    page.get_by_label("price per million tokens").fill("2.5")
    page.get_by_label("show ids").uncheck()
    page.get_by_role("button", name="copy link").click()
    said = page.locator("#bpelab-play").inner_text()
    link = page.evaluate("location.hash")
    visit(page, address, link)
    assert page.evaluate("location.hash") == link and "ten" not in link and "tja=" in link
    assert view.get_by_role("spinbutton").input_value() == "777"
    page.wait_for_function("document.querySelectorAll('.view [role=status]')[1].textContent.includes('266')")
    assert (
        said.split("Figures")[0].split()[-9:]
        == page.locator("#bpelab-play").inner_text().split("Figures")[0].split()[-9:]
    )
    visit(page, address, "#a=__proto__&b=nothing&an=-5&t=toString&tn=1e9&price=x")  # a link that someone mistyped
    assert view.get_by_role("combobox").input_value() == "own"


@browsed
def test_the_link_holds_the_state_where_the_browser_keeps_its_address(tab, address):
    tab.add_init_script("history.replaceState = () => { throw new DOMException('no', 'SecurityError'); }")
    visit(tab, address)
    tab.locator("textarea").first.fill("low & 猫")
    link = tab.get_by_role("textbox", name="Link to this page")
    tab.wait_for_function("input => input.value.includes('#en=low+%26+%E7%8C%AB&')", arg=link.element_handle())


@browsed
def test_the_page_alone(tab, tmp_path, monkeypatch, capsys):
    """`bpelab play` writes the page, opens it, and it works without the rest of a web edition."""
    monkeypatch.setattr(play, "available", lambda: [play.OWN, "gpt2"])
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *name, **options: tmp_path)
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda page: not opened.append(page))
    assert main(["play"]) == 0 and "no browser" not in capsys.readouterr().err
    (page,) = opened
    visit(tab, page)
    assert tab.locator(".tokens").first.locator("li").count() > 10
    assert tab.locator("select").nth(1).locator("option").count() == 2


def test_a_script_that_was_interrupted_is_not_kept_as_a_half(tmp_path, monkeypatch):
    def interrupted(*paths):
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "encoding", lambda name: None)
    monkeypatch.setattr(play, "script", lambda name, encoding: "x")
    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play.write(tmp_path, ["gpt2"])
    assert list((tmp_path / "vocabularies").iterdir()) == []


def test_a_script_is_kept_unless_an_earlier_version_wrote_it(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "encoding", lambda name: None)
    path = tmp_path / "vocabularies" / "gpt2.js"
    for text, wanted in (("1", "1"), ("2", "1"), ("3", "3")):
        monkeypatch.setattr(play, "script", lambda name, encoding, text=text: text)
        play.write(tmp_path, ["gpt2"])
        assert path.read_text() == wanted
        if text == "2":
            os.utime(path, (0, 0))


def test_play_says_where_the_page_is_if_no_browser_opens(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(play, "available", lambda: [play.OWN])
    monkeypatch.setattr(play, "write", lambda folder, names: None)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *name, **options: tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda page: False)
    assert main(["play"]) == 0
    said = capsys.readouterr()
    assert said.out.strip().endswith("index.html") and "no browser" in said.err


def test_a_folder_for_the_page_is_found_or_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(play, "available", lambda: [])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert main(["play", "-o", "~/page"]) == 0 and (tmp_path / "page" / "index.html").exists()
    assert main(["play", "-o", ""]) == 1
    assert "-o must not be empty" in capsys.readouterr().err
    assert main(["play", "-o", str(tmp_path / "page" / "index.html")]) == 1
    assert "name another folder by -o" in capsys.readouterr().err


POOR = """() => { CONTRAST
  const all = document.querySelectorAll("#bpelab-play *");
  const found = poor([...all].filter((node) => !node.disabled && hasText(node)));
  const list = document.querySelector(".tokens");
  for (let hue = 0; hue < 360; hue += 20) { // every colour that a token can have
    const item = list.firstElementChild.cloneNode(true);
    item.style.setProperty("--h", hue);
    list.append(item);
    item.firstChild.append(Object.assign(document.createElement("span"), { className: "sign", textContent: "␣" }));
    found.push(...poor(item.querySelectorAll("small, bdi, .sign")));
  }
  return found;
}""".replace("CONTRAST", CONTRAST)


@browsed
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_can_be_read_in_any_light_and_width(page, width, theme):
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    page.get_by_role("button", name="start with these texts").click()
    page.get_by_role("button", name="1 merge").click()
    assert page.evaluate(POOR) == []
    inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert inner <= outer
    unnamed = "[...document.querySelectorAll('#bpelab-play :is(input, select, textarea, button)')].filter((node) => " \
        "!node.labels?.length && !node.ariaLabel && !node.textContent.trim()).length"  # fmt: skip
    assert page.evaluate(unnamed) == 0


def test_words_are_complete_in_both_languages():
    text = (play.PAGE / "words.js").read_text(encoding="utf-8")
    english, japanese = (set(re.findall(r"(\w+): \"", part)) for part in text.split("  ja: {"))
    assert english == japanese
