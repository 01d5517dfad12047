"""The play page in a real browser: its encoder against ours and tiktoken's, and the page by mouse and keys.

Needs Debian's chromium (or one at $CHROMIUM); skipped where there is none.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import bpelab
from bpelab import corpora, play

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
browsed = pytest.mark.skipif(not CHROMIUM, reason="no chromium here")
encoding = cache(play.encoding)
NAMES = play.available()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of the play page, built alone (its links to chapters lead nowhere)."""
    folder = tmp_path_factory.mktemp("web")
    only = ["-D", "include_patterns=play.md", "-D", "master_doc=play", "-D", "suppress_warnings=myst.xref_missing"]
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", *only, str(NOTEBOOKS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (folder / "play.html").as_uri()


@pytest.fixture
def page(browser, address):
    """The open page; at the end nothing has gone wrong, and nothing outside the folder was asked for."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    wrong, asked = [], []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("request", lambda request: asked.append(request.url))
    visit(page, address)
    yield page
    page.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def visit(page, address, fragment=""):
    page.goto("about:blank")
    page.goto(address + fragment)
    page.wait_for_selector("#bpelab-play[data-ready]", timeout=60_000)


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
def test_ids_equal_tiktoken_at_every_size(page, name):
    import tiktoken

    full = encoding(name)
    tokens = sorted(full._mergeable_ranks, key=full._mergeable_ranks.get)
    sizes = np.geomspace(256, len(tokens), 10).round().astype(int).tolist()
    found, size, curve = page.evaluate(IDS, [name, TEXTS_JS, sizes])
    assert size == len(tokens)
    for at, (size, ids) in enumerate(zip(sizes, json.loads(found), strict=True)):
        ranks = {token: rank for rank, token in enumerate(tokens[:size])}
        cut = tiktoken.Encoding(name, pat_str=full._pat_str, mergeable_ranks=ranks, special_tokens={})
        expected = cut.encode_ordinary_batch(TEXTS, num_threads=1)
        wrong = [(text, a, b) for text, a, b in zip(TEXTS, ids, expected, strict=True) if a != b]
        assert wrong == [], f"{name} at {size}: {len(wrong)} texts"
        assert curve[at] == sum(map(len, expected[:20]))
