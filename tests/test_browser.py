"""The book in a real browser: the web edition, the stepper, and a chapter run in JupyterLab.

Needs Debian's chromium (or one at $CHROMIUM); skipped where there is none.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no chromium here")


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """The folder of the web edition, built by the command that conf.py names."""
    folder = tmp_path_factory.mktemp("web")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", str(NOTEBOOKS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def page(browser):
    """A page that remembers what went wrong and what it asked for."""
    page = browser.new_page()
    page.wrong, page.asked = [], []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda message: page.wrong.append(message.text) if message.type == "error" else None)
    page.on("requestfailed", lambda request: page.wrong.append(request.url))
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    page.close()


def test_the_web_edition(web, page):
    names = ["index", *(path.stem for path in sorted(NOTEBOOKS.glob("*_*.ipynb")))]
    for name in names:
        page.goto((web / f"{name}.html").as_uri())
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            inner, outer = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
            assert inner <= outer, (name, width)
    assert page.wrong == []
    assert [url for url in page.asked if not url.startswith(("file:", "data:"))] == []


def test_japanese_is_drawn_and_the_book_can_be_searched(web, page):
    page.goto((web / "04_bytes.html").as_uri())
    assert page.get_by_text("猫").count() > 3
    page.goto((web / "search.html").as_uri() + "?q=premium")
    page.wait_for_selector("#search-results li", timeout=20_000)


def test_the_stepper_moves_by_mouse_and_keyboard(web, page):
    page.goto((web / "02_training.html").as_uri())
    stepper = page.locator(".bpelab-stepper").first
    said, cells = stepper.locator("output"), stepper.locator("tbody tr:visible td:nth-child(3)")
    assert said.inner_text() == "step 0 of 8" and "9 tokens" in cells.inner_text()
    for _ in range(3):
        stepper.get_by_label("next step").click()
    assert said.inner_text() == "step 3 of 8" and "4 tokens" in cells.inner_text()
    stepper.focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert said.inner_text() == "step 8 of 8" and "2 tokens" in cells.inner_text()
    page.keyboard.press("ArrowLeft")
    assert said.inner_text() == "step 7 of 8"
    stepper.get_by_label("sample").select_option(index=3)
    assert stepper.locator("thead th:visible").all_inner_texts()[2:] == ["box␣lower"]


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab server on a copy of the notebooks: (address, token, folder)."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    shutil.copy(NOTEBOOKS / "02_training.ipynb", folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    private = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    options = [
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        "--IdentityProvider.token=t",
        f"--ServerApp.root_dir={folder}",
    ]
    options.append("--LabApp.expose_app_in_browser=True")
    log = (tmp_path / "lab.log").open("w", encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options], env=os.environ | private, stdout=log, stderr=log
    )
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token=t", timeout=2)
                break
            except OSError:
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}", "t", folder
    finally:
        server.terminate()
        server.wait(timeout=20)
        log.close()


def test_jupyterlab_runs_chapter_02(lab, page):
    address, token, folder = lab
    path = folder / "02_training.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, path)
    page.goto(f"{address}/lab/tree/02_training.ipynb?token={token}&reset", timeout=90_000)
    page.wait_for_function(
        "window.jupyterapp && window.jupyterapp.shell.currentWidget?.context?.isReady", timeout=90_000
    )
    kernel = "window.jupyterapp.shell.currentWidget.context.sessionContext.session?.kernel"
    page.wait_for_function(f"{kernel}?.status === 'idle'", timeout=90_000)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_timeout(1000)
    page.wait_for_function(f"{kernel}?.status === 'idle'", timeout=120_000)
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    for _ in range(60):
        saved = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        if all(cell.execution_count for cell in saved):
            break
        time.sleep(1)
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    assert [cell.source for cell in saved if not cell.execution_count] == []
    errors = [output for cell in saved for output in cell.outputs if output.output_type == "error"]
    assert errors == []
