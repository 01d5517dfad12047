"""The book in a real browser: every page of the web edition, and what a notebook shows in JupyterLab.

Needs Debian's chromium (or one at $CHROMIUM); skipped where there is none.
"""

import http.server
import os
import re
import runpy
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from functools import partial

import nbformat
import pytest
from edition import CONTRAST, NOTEBOOKS, REPOSITORY, browsed

from bpelab import show, train

pytestmark = browsed
NOTEBOOK_NAMES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
SOLUTIONS = sorted(f"solutions/{path.stem}" for path in NOTEBOOKS.glob("solutions/*.ipynb"))
PAGES = [*sorted(path.stem for path in NOTEBOOKS.glob("*.md")), *NOTEBOOK_NAMES]
JAPANESE = [f"ja/{name}" for name in PAGES + SOLUTIONS]


def visit(page, web, name):
    page.goto((web / f"{name}.html").as_uri())


#: What is wrong with how a page stands in its window.
CLIPPED = """() => {
  const wrong = [], article = document.querySelector("article");
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page scrolls sideways");
  const shown = (node) => node.textContent.trim().slice(0, 60) || node.src;
  for (const node of article.querySelectorAll("pre, table, img, figure")) {
    if (!node.getClientRects().length) continue;
    let box = node;
    while (box !== article && getComputedStyle(box).overflowX === "visible") box = box.parentElement;
    const style = getComputedStyle(box), right = node.getBoundingClientRect().right;
    const over = box === node ? node.scrollWidth > node.clientWidth + 1
      : right > box.getBoundingClientRect().right + 1;
    if (!over) continue;
    if (box === article || style.overflowX === "hidden") wrong.push(`cut off: ${shown(node)}`);
    else if (style.backgroundImage === "none") wrong.push(`scrolls and doesn't say so: ${shown(node)}`);
    else if (innerWidth >= 1280) wrong.push(`has to be scrolled: ${shown(node)}`);
  }
  const search = [...document.querySelectorAll("[aria-label^='Search'], [aria-label^='検索']")];
  const boxes = search.filter((node) => node.getClientRects().length).length;
  if (boxes !== 1) wrong.push(`${boxes} search boxes`);
  return wrong;
}"""
#: Text that stands out from its background too little.
FAINT = """() => { CONTRAST
  const page = document.querySelectorAll("article *, nav *, .bd-header-article *, footer *");
  return poor([...page].filter((node) => hasText(node) && node.getClientRects().length
    && !node.matches(".headerlink, option, :disabled") && !node.closest(".bpelab-play")));
}""".replace("CONTRAST", CONTRAST)
#: Alternative texts of the page's figures.
ALTS = "[...document.querySelectorAll('article img')].map((image) => image.alt)"
#: Names of chapters in prose that lead nowhere.
UNLINKED = """() => {
  const found = [], texts = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (/chapter \\d\\d/i.test(node.data) && !node.parentElement.closest("a, pre, code, h1, .cell_output, script"))
      found.push(node.data.trim());
  }
  return found;
}"""


@pytest.mark.parametrize("name", [*PAGES, *SOLUTIONS[:1]])
def test_every_page(web, tab, name):
    loaded = []
    tab.on("response", lambda response: loaded.append(response))
    tab.set_viewport_size({"width": 390, "height": 900})
    visit(tab, web, name)
    if name == "play":
        tab.wait_for_selector("#bpelab-play[data-ready]", timeout=60_000)
    assert sum(len(response.body()) for response in loaded) < 1_000_000
    alts = tab.evaluate(ALTS)
    assert all(len(alt) > 20 and not alt.endswith(".png") for alt in alts) and len(set(alts)) == len(alts)
    assert tab.evaluate(UNLINKED) == []
    for theme in ("light", "dark"):
        tab.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert tab.evaluate(FAINT) == [], theme
    for width in (390, 1280):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate(CLIPPED) == [], width


def test_links_lead_to_pages(web):
    for name in PAGES + SOLUTIONS + JAPANESE:
        page = web / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        for href in set(re.findall(r'href="([^"#:?]+)[#?"]', text)):
            assert (page.parent / href).exists(), (name, href)
        assert name not in NOTEBOOK_NAMES or f'href="_sources/{name}.ipynb"' in text


def test_the_repository_is_linked(web):
    """Source, issues, edit, Binder and Colab, to files that are there."""
    text = (web / "08_japanese_and_english.html").read_text(encoding="utf-8")
    notebook = "notebooks/08_japanese_and_english.ipynb"
    links = set(re.findall(r'href="(https://[^"]+)"', text))
    owner = REPOSITORY.removeprefix("https://github.com/")
    assert {
        REPOSITORY,
        f"{REPOSITORY}/edit/main/notebooks/src/08_japanese_and_english.py",
        f"https://mybinder.org/v2/gh/{owner}/launch?urlpath=lab/tree/{notebook}",
        f"https://colab.research.google.com/github/{owner}/blob/launch/{notebook}",
    } <= links, links
    assert any(link.startswith(f"{REPOSITORY}/issues/new") for link in links)
    assert (NOTEBOOKS.parent / notebook).exists() and (NOTEBOOKS.parent / "environment.yml").exists()


def test_without_a_repository_nothing_is_linked(monkeypatch):
    monkeypatch.delenv("BPELAB_REPOSITORY", raising=False)
    options = runpy.run_path(str(NOTEBOOKS / "conf.py"))["html_theme_options"]
    assert "launch_buttons" not in options and "repository_url" not in options


def test_every_icon_is_drawn(web):
    """The font of the theme's icons isn't there: each has its drawing in icons.css."""
    css = (NOTEBOOKS / "static" / "icons.css").read_text(encoding="utf-8")
    drawn = {*re.findall(r"^\.(fa-[a-z-]+)", css, re.MULTILINE), "fa-solid", "fa-brands", "fa-fw", "fa-lg"}
    for name in PAGES + SOLUTIONS:
        icons = re.findall(r'class="(fa[sb]? [^"]*|fa-[^"]*)"', (web / f"{name}.html").read_text(encoding="utf-8"))
        assert {icon for icon in " ".join(icons).split() if icon.startswith("fa-")} <= drawn, name


def test_japanese_is_drawn_and_the_book_can_be_searched(web, browser):
    tab = browser.new_page()  # from files, the browser refuses the search its excerpts, and says so
    visit(tab, web, "04_bytes")
    assert tab.get_by_text("猫").count() > 3
    tab.get_by_role("button", name="Search").first.click()
    tab.keyboard.type("premium")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#search-results li", timeout=20_000)
    assert tab.locator("#search-results li a").first.get_attribute("href")
    tab.close()


def test_japanese_pages_fit(web, tab):
    for name in ("index", "01_chunking", "cheat_sheet", "glossary", "parallel_text"):
        visit(tab, web, f"ja/{name}")
        for width in (390, 1280):
            tab.set_viewport_size({"width": width, "height": 900})
            assert tab.evaluate(CLIPPED) == [], (name, width)
    for name in JAPANESE:
        text = (web / f"{name}.html").read_text(encoding="utf-8")
        assert '<html lang="ja"' in text and not re.search("<h1>[ -~]+<", text), name


def test_the_other_language_shows_the_same_section(web, tab):
    heads = "[...document.querySelectorAll('article h2')]"
    shown = f"{heads}.findIndex((head) => Math.abs(head.getBoundingClientRect().top) < 160)"
    visit(tab, web, "04_bytes")
    for link, page in (("日本語", "/ja/04_bytes.html#s"), ("English", "/04_bytes.html#s")):
        tab.evaluate(f"{heads}[3].scrollIntoView({{ behavior: 'instant' }})")
        box = tab.get_by_role("link", name=link, exact=True).bounding_box()
        tab.mouse.click(box["x"] + 9, box["y"] + 9)  # click() of the link would scroll first
        tab.wait_for_url(f"**{page}*")
        tab.wait_for_function(f"{shown} === 3")
        tab.evaluate("scrollTo({ top: 0, behavior: 'instant' })")


@pytest.fixture
def served(web):
    """The address of the web edition on a server, where the search can fetch its excerpts."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=web)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("word", ["トークン", "語彙"])
def test_japanese_is_found(served, tab, word):
    tab.goto(f"{served}/ja/search.html?q={word}")
    tab.wait_for_selector("#search-results li", timeout=20_000)
    tab.get_by_role("link", name="用語集", exact=True).last.wait_for()
    tab.wait_for_function("word => document.querySelector('#search-results').textContent.includes(word)", arg=word)


def test_the_play_page_in_japanese(web, tab):
    visit(tab, web, "ja/play")
    tab.wait_for_selector("#bpelab-play[data-ready]", timeout=60_000)
    tab.get_by_label("日本語", exact=True).fill("東京に行く")
    tokens = "[...document.querySelectorAll('#bpelab-play li bdi')].map((token) => token.textContent).join('')"
    tab.wait_for_function(f"{tokens}.includes('東京に行く')")
    assert tab.get_by_text(re.compile(r"^日本語: \d+トークン$")).count() == 2


def stepped(web):
    """The first page with a stepper."""
    return next(name for name in NOTEBOOK_NAMES if "bpelab-stepper" in (web / f"{name}.html").read_text("utf-8"))


def test_the_stepper_moves_by_mouse_and_keys(web, tab):
    visit(tab, web, stepped(web))
    stepper = tab.locator(".bpelab-stepper").first
    said, slider = stepper.locator("output"), stepper.get_by_role("slider")
    last = int(slider.get_attribute("max"))

    def at(step):
        rows = stepper.locator("tbody tr:visible")
        return said.inner_text().strip() == f"step {step} of {last}" and rows.count() == 1

    assert at(0)
    stepper.get_by_label("next step").click()
    assert at(1)
    for where in (stepper, slider):
        where.focus()
        for key, step in (("End", last), ("ArrowLeft", last - 1), ("ArrowRight", last), ("Home", 0)):
            tab.keyboard.press(key)
            assert at(step), (where, key)
    stepper.get_by_label("sample").select_option(index=1)
    assert stepper.locator("thead th:visible").count() == 3


def test_print_shows_every_step_and_answer(web, tab):
    visit(tab, web, stepped(web))
    tab.emulate_media(media="print")
    hidden = """[...document.querySelectorAll("article details > *, .bpelab-stepper tr, .bpelab-stepper td")]
      .filter((node) => !node.checkVisibility({ contentVisibilityAuto: true })).length"""
    assert tab.evaluate(hidden) == 0
    assert tab.locator(".bpelab-stepper .controls").first.is_hidden()


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab server on a notebook that nobody has trusted: (address, path)."""
    path = tmp_path / "shown.ipynb"
    outputs = {
        "bpelab.show.stepper(bpelab.train('low low lower', 2), ['low lower'])": show.stepper(
            train("low low lower", 2), ["low lower"]
        ),
        "bpelab.show.table([{'price': 'from $5 to $6', 'token': '$x^2$'}])": show.table(
            [{"price": "from $5 to $6", "token": "$x^2$"}]
        ),
        "bpelab.show.tokens(bpelab.train('', base='byte'), '$x^2$')": show.tokens(train("", base="byte"), "$x^2$"),
    }
    cells = [nbformat.v4.new_code_cell("import bpelab", execution_count=1)]
    for code, shown in outputs.items():
        data = {"text/html": shown._repr_html_(), "text/plain": repr(shown)}
        output = nbformat.v4.new_output("execute_result", data, execution_count=1)
        cells.append(nbformat.v4.new_code_cell(code, outputs=[output], execution_count=1))
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    private = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    options = f"--no-browser --allow-root --port={port} --IdentityProvider.token=t --ServerApp.root_dir={tmp_path}"
    command = [sys.executable, "-m", "jupyterlab", *options.split(), "--LabApp.expose_app_in_browser=True"]
    with (tmp_path / "lab.log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(command, env=os.environ | private, stdout=log, stderr=log)
        try:
            for _ in range(120):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token=t", timeout=2)
                    break
                except OSError:
                    time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/lab/tree/{path.name}?token=t&reset", path
        finally:
            server.terminate()
            server.wait(timeout=20)


def test_jupyterlab(lab, browser):
    """Untrusted: no dead controls, no mathematics out of $; run: controls whose keys stay with them."""
    address, path = lab
    page = browser.new_page()
    page.goto(address, timeout=90_000)
    current = "window.jupyterapp.shell.currentWidget"
    page.wait_for_function(f"window.jupyterapp && {current}?.context?.isReady", timeout=90_000)
    page.wait_for_selector(".bpelab-stepper", timeout=60_000)
    kernel = f"{current}.context.sessionContext.session?.kernel"
    page.wait_for_function(f"{kernel}?.status === 'idle'", timeout=90_000)
    shown = ".jp-OutputArea-output"
    assert page.locator(f"{shown} :is(button, input, select)").count() == 0
    assert page.locator(".bpelab-stepper tbody tr:visible").count() == 3
    run = "window.jupyterapp.commands.execute('notebook:run-all-cells')"
    page.evaluate(run)
    slider = page.locator(".bpelab-stepper").get_by_role("slider")
    slider.wait_for(timeout=120_000)
    page.wait_for_function(f"{kernel}?.status === 'idle'", timeout=90_000)
    active = f"{current}.content.activeCellIndex"
    slider.focus()
    before = page.evaluate(active)
    for key, step in (("ArrowRight", 1), ("End", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        assert page.locator(".bpelab-stepper output").inner_text().strip() == f"step {step} of 2"
        assert page.evaluate(active) == before
    text = page.locator(shown).all_inner_texts()
    assert any("from $5 to $6" in one and "$x^2$" in one for one in text)
    assert page.locator(f"{shown} :is(mjx-container, .MathJax)").count() == 0
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    for _ in range(20):
        saved = nbformat.read(path, as_version=4).cells
        if all(cell.execution_count and cell.outputs for cell in saved[1:]):
            break
        time.sleep(0.5)
    assert [output.output_type for cell in saved for output in cell.outputs] == ["execute_result"] * 3
    page.close()


def test_the_cheat_sheet_is_one_printed_page(web, tab):
    visit(tab, web, "cheat_sheet")
    for paper in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf(format=paper))) == 1, paper
