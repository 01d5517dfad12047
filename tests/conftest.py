import json
import os
from pathlib import Path

import edition
import pytest
from hypothesis import settings

import bpelab

EXAMPLES = 100
settings.register_profile("default", deadline=None, derandomize=True, max_examples=EXAMPLES)
settings.load_profile("default")
os.environ |= {"BPELAB_PROGRESS": "", "BPELAB_LANGUAGE": "en"}  # no test writes into the file of who runs it


def pytest_addoption(parser):
    parser.addoption(
        "--fuzz", type=int, default=1, metavar="N", help="N times as many examples in property tests, newly drawn"
    )
    parser.addoption(
        "--own-texts", choices=("one", "all"), default="one", help="run each chapter on one of the own texts, or on all"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Two processes for a run of more than one file, where pytest-xdist is installed and -n isn't given.

    Not in `addopts`, which `-p no:xdist` would then refuse. A file stays in one process: nbval needs that.
    """
    option, paths = config.option, [str(path).split("::")[0] for path in config.option.file_or_dir]
    one_file = len(paths) == 1 and os.path.isfile(paths[0])
    here = hasattr(config, "workerinput") or option.usepdb or option.capture == "no" or os.cpu_count() == 1
    if getattr(option, "numprocesses", 0) is None and not one_file and not here:
        option.numprocesses, option.dist, option.loadscopereorder = 2, "loadfile", False


def pytest_collection_modifyitems(items):
    """Chapters and the browser first, so that no process is left alone with a long file at the end."""
    items.sort(key=lambda item: item.path.suffix != ".ipynb" and item.path.name != "test_browser.py")


def pytest_configure(config):
    times = config.getoption("--fuzz")
    if times < 1:
        raise pytest.UsageError(f"--fuzz must be at least 1, got {times}")
    if times > 1:
        settings.register_profile("fuzz", deadline=None, derandomize=False, max_examples=EXAMPLES * times)
        settings.load_profile("fuzz")


@pytest.fixture(scope="session")
def expected():
    """Values worked out elsewhere: merges as [left, right, count], token lists, ids."""
    return json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def real_text():
    """Language -> real text: our own sentences and JupyterLab's messages."""
    return {
        lang: bpelab.corpora.text("parallel", lang) + bpelab.corpora.text("jupyterlab", lang) for lang in ("en", "ja")
    }


@pytest.fixture(scope="session")
def web(tmp_path_factory):
    """The folder of the web edition, which the workers of a test run share."""
    root = tmp_path_factory.getbasetemp()
    return edition.build(root.parent if "PYTEST_XDIST_WORKER" in os.environ else root)


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=edition.CHROMIUM, args=edition.FLAGS.split())


@pytest.fixture
def tab(browser):
    """A page of the browser; at the end nothing has gone wrong, and no other host was asked."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    wrong, asked = [], []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert wrong == []
    here = ("file:", "data:", "blob:", "http://127.0.0.1:", "ws://127.0.0.1:")
    assert [url for url in asked if not url.startswith(here)] == []
