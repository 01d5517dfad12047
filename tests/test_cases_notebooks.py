"""Cases about notebooks and the machine: small notebooks run by nbval, and guards on the book's own.

One notebook is written to a temporary folder, run under one hash seed and checked by nbval, with the
settings of our own folder, under another.
"""

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jupytext
import nbformat
import pytest
import test_notebooks as guard
from cases import run
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).parent.parent
BOOK = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOURCES = sorted([*(ROOT / "notebooks" / "src").glob("*.py"), *(ROOT / "bpelab").rglob("*.py")])

# What would change from run to run, by way of a value, a warning, an order, an error or a random id ...
FAIL = {
    "N01": [
        "import time; t=time.perf_counter(); print(time.perf_counter()-t)",
        "import random; print(random.random())",
    ],
    "N02": ["import warnings\nwarnings.warn('static text')"],
    "N04": ["print({b'ab',b'bc',b'cd',b'de','\u732b','\u72ac'})"],
    "N14": ["from IPython.display import HTML\nimport uuid\nHTML(f'<div id=\"{uuid.uuid4()}\">x</div>')"],
}
# ... and what the book does instead.
N11_TAGGED = ["bpelab.chunk('a', 'gtp2')"]
PASS = {
    "N01": ["print(random.Random(0).random(), round(time.perf_counter() - t) >= 0)"],
    "N02": ["with warnings.catch_warnings(record=True) as caught:\n    warnings.warn('x')\nprint(caught[0].message)"],
    "N04": ["print(sorted(set('日本語の文章')), dict.fromkeys('猫犬猫'))"],
    "N08": ["import bpelab\nprint(bpelab.chunk('low'))", "from bpelab import corpora\nprint(corpora.available()[0])"],
    "N11": ["try:\n    bpelab.train('a', vocab_size=0)\nexcept ValueError as error:\n    print(error)", *N11_TAGGED],
    "N14": [
        "bpelab.show.table([{'token': '</w>', 'n': 1}])",
        "tok = bpelab.train('low 猫 low', 3, base='byte')\nbpelab.show.tokens(tok, 'low 猫')",
        "bpelab.show.parity(tok, 'low 猫 low', ['minbpe'])",
    ],
}


def notebook(path, cells, kernel="python3"):
    """Write a notebook with these code cells, not yet run."""
    written = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    written.metadata.kernelspec = {"name": kernel, "display_name": kernel, "language": "python"}
    for cell in written.cells:
        if cell.source in N11_TAGGED:
            cell.metadata.tags = ["raises-exception"]
    path.parent.mkdir(exist_ok=True)
    nbformat.write(written, path)
    return path


def execute(path):
    ran = nbformat.read(path, as_version=4)
    client = NotebookClient(ran, timeout=60, kernel_name="python3", allow_errors=True)
    client.execute(env=os.environ | {"PYTHONHASHSEED": "0"})
    nbformat.write(ran, path)


def nbval(folder, path):
    """Cell number -> "PASSED", "FAILED" or "ERROR", as nbval says from this folder under another hash seed."""
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-rA", "--color=no", "-p", "no:cacheprovider"]
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [*command, str(path)], cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    found = re.findall(r"^(PASSED|FAILED|ERROR) \S*\.ipynb::Cell (\d+)", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    return {int(cell): outcome for outcome, cell in found}


PERSONAL = "conda-env-bpelab-py"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Source of a cell -> what nbval says of it with our settings, run from a folder elsewhere.

    All cells stand in one notebook, in a folder laid out as ours, and name a kernel that isn't here.
    """
    root = tmp_path_factory.mktemp("checkout")
    cells = [cell for group in (FAIL, PASS) for cells in group.values() for cell in cells]
    path = notebook(root / "notebooks" / "cells.ipynb", cells, PERSONAL)
    for name in ("conftest.py", "nbval_sanitize.cfg"):
        shutil.copy(ROOT / "notebooks" / name, root / "notebooks")
    execute(path)
    said = nbval(tmp_path_factory.mktemp("elsewhere"), path)
    return {cell: said[number] for number, cell in enumerate(cells)}


@pytest.mark.parametrize("cell", [cell for cells in FAIL.values() for cell in cells])
def test_N01_N02_N04_N14_our_sanitize_rules_hide_no_change(outcomes, cell):
    assert outcomes[cell] == "FAILED"


@pytest.mark.parametrize("cell", PASS["N01"])
def test_N01_a_number_that_is_the_same_passes(outcomes, cell):
    assert outcomes[cell] == "PASSED"


@pytest.mark.parametrize("cell", PASS["N02"])
def test_N02_a_warning_that_is_caught_passes(outcomes, cell):
    assert outcomes[cell] == "PASSED"


@pytest.mark.parametrize("cell", PASS["N04"])
def test_N04_a_sorted_set_passes(outcomes, cell):
    assert outcomes[cell] == "PASSED"


@pytest.mark.parametrize("cell", PASS["N08"])
def test_N08_bpelab_is_imported_from_another_folder(outcomes, cell):
    """N07 too: neither the kernel's name nor the folder matters with our settings."""
    assert outcomes[cell] == "PASSED"


@pytest.mark.parametrize("cell", PASS["N11"])
def test_N11_an_error_that_is_caught_or_tagged_passes(outcomes, cell):
    assert outcomes[cell] == "PASSED"


@pytest.mark.parametrize("cell", PASS["N14"])
def test_N14_our_html_holds_no_random_ids(outcomes, cell):
    assert outcomes[cell] == "PASSED"


@pytest.mark.parametrize("path", BOOK, ids=lambda path: path.stem)
def test_N01_no_output_of_the_book_holds_an_address(path):
    """Our sanitize rule would let one pass."""
    for cell in guard.code_cells(path):
        shown = [output.get("text", "") + str(output.get("data", {}).get("text/plain", "")) for output in cell.outputs]
        assert not re.search(r"0x[0-9a-f]{8,16}\b", "".join(shown)), cell.source


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A good notebook, run."""
    path = notebook(tmp_path_factory.mktemp("ran") / "n.ipynb", ["print('merge 1')", "print('merge 2')"])
    copy = nbformat.read(path, as_version=4)
    for number, cell in enumerate(copy.cells, 1):
        cell.execution_count = number
        cell.outputs = [nbformat.v4.new_output("stream", text=f"merge {number}\n")]
    nbformat.write(copy, path)
    return path


def stripped(ran, folder, strip):
    copy = nbformat.read(ran, as_version=4)
    for cell in copy.cells:
        strip(cell)
    nbformat.write(copy, folder / "n.ipynb")
    return folder / "n.ipynb"


def without_both(cell):
    cell.outputs, cell.execution_count = [], None


def without_count(cell):
    cell.execution_count = None


def out_of_order(cell):
    cell.execution_count = 3 - cell.execution_count


@pytest.mark.parametrize("strip", [without_both, without_count, out_of_order])
def test_N05_cells_that_were_not_run_are_seen_by_the_guard(ran, tmp_path, strip):
    guard.test_every_cell_was_run_in_order(ran)
    with pytest.raises(AssertionError):
        guard.test_every_cell_was_run_in_order(stripped(ran, tmp_path, strip))


def test_N05_lost_outputs_are_seen_by_the_guard(ran, tmp_path):
    with pytest.raises(AssertionError):
        guard.test_most_cells_show_something(stripped(ran, tmp_path, without_both))


@pytest.mark.parametrize("kernel", [PERSONAL, "my-venv", "python3.99"])
def test_N07_the_guard_refuses_a_personal_kernel(tmp_path, kernel):
    with pytest.raises(AssertionError):
        guard.test_the_file_is_normalised(notebook(tmp_path / "n.ipynb", ["print(1)"], kernel))


def test_N08_ci_installs_the_package_as_the_readme_says():
    assert "-e .[book,test]" in (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert "environment.yml" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"pip install -e|environment\.yml", (ROOT / "README.md").read_text(encoding="utf-8"))


DECIMAL = re.compile(r"(?<![\w.,-])\d[\d,]*\.\d+(?![\w.]*\.?\d)")


def unprinted(cells):
    """Decimal numbers in Markdown that no code cell holds or prints, rounded as the prose has them."""
    code = [cell for cell in cells if cell.cell_type == "code"]
    printed = "\n".join(
        [cell.source for cell in code]
        + [o.get("text", "") + str(o.get("data", {}).get("text/plain", "")) for c in code for o in c.outputs]
    )
    numbers = [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?", printed)]
    lines = [line for cell in cells if cell.cell_type == "markdown" for line in cell.source.split("\n")]
    quoted = [n for line in lines if "http" not in line and "arXiv" not in line for n in DECIMAL.findall(line)]

    def held(text):
        value, half = float(text.replace(",", "")), 0.500001 * 10 ** -len(text.split(".")[1])
        return any(abs(n * scale - value) <= half for n in numbers for scale in (1, 100, 1e-6))

    return [number for number in quoted if not held(number)]


@pytest.mark.parametrize("path", BOOK, ids=lambda path: path.stem)
def test_N12_decimals_in_the_prose_are_printed_by_a_cell(path):
    assert unprinted(nbformat.read(path, as_version=4).cells) == []


@pytest.mark.parametrize(("prose", "lost"), [("It is 2.97.", ["2.97"]), ("1,234.6 tokens", ["1,234.6"]), ("3.14", [])])
def test_N12_a_number_typed_by_hand_is_seen(prose, lost):
    code = new_code_cell("print(2.53, 3.14159)", outputs=[nbformat.v4.new_output("stream", text="2.53 3.14159\n")])
    assert unprinted([nbformat.v4.new_markdown_cell(prose), code]) == lost


def used(code):
    """The modules that a piece of Python imports, and the names it calls."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            yield ast.unparse(node.func)


@functools.cache
def sources():
    """(file, use) for each use in the book and the package."""
    found = []
    for path in SOURCES:
        code = path.read_text(encoding="utf-8")
        if path.parent.name == "src":
            cells = jupytext.reads(code, fmt="py:percent").cells
            code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        found += [(path.name, use) for use in used(code)]
    return found


def in_sources(wanted):
    return [(name, use) for name, use in sources() if re.search(wanted, use)]


PROCESSES = r"^(multiprocessing|joblib|subprocess)\b|\bProcessPoolExecutor$|\bfork$|\bPool$"


@pytest.mark.parametrize(
    "code",
    [
        "import multiprocessing as mp\ndef f(x): return x\nmp.get_context('spawn').Pool(2).map(f,[1,2])",
        "from concurrent.futures import ProcessPoolExecutor",
        "import os\nos.fork()",
    ],
)
def test_N13_the_book_starts_no_processes(code):
    assert any(re.search(PROCESSES, use) for use in used(code))
    assert in_sources(PROCESSES) == []


FONT_HELPERS = r"^(distutils|japanize_matplotlib)\b"


@pytest.mark.parametrize(
    "code", ["import japanize_matplotlib", "from distutils.version import LooseVersion", "import distutils.util as u"]
)
def test_M02_no_helper_that_needs_distutils(code):
    assert any(re.search(FONT_HELPERS, use) for use in used(code))
    assert in_sources(FONT_HELPERS) == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "japanize" not in str(project)


NO_NETWORK = """
import socket
def refuse(*arguments, **options): raise OSError("the network is off")
socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = refuse
try: socket.create_connection(("example.org", 80))
except OSError as error: print(error)
import bpelab
"""


def test_O01_nothing_needs_the_network():
    """Nor, while all vocabularies are read, the encoding that this machine prefers (K01)."""
    work = """
import warnings
warnings.simplefilter("error", EncodingWarning)
warnings.filterwarnings("ignore", category=EncodingWarning, module="regex")
for name in bpelab.vocabularies.available(): bpelab.vocabularies.load(name).encode('猫 cat')
for name in bpelab.corpora.available(): bpelab.corpora.pairs(name)
tok = bpelab.train('ab ab', base='byte', chunking='gpt2'); tok.to_tiktoken('x'); tok.to_huggingface()
print("done")
"""
    assert run(NO_NETWORK + work, "-X", "warn_default_encoding") == "the network is off\ndone\n"


DOWNLOADS = r"\b(get_encoding|encoding_for_model|from_pretrained|urlopen|urlretrieve)$|^(requests|httpx|urllib)\b"


@pytest.mark.parametrize(
    "code", ["tiktoken.get_encoding('gpt2')", "import urllib.request", "AutoTokenizer.from_pretrained('x')"]
)
def test_O01_nothing_calls_what_downloads(code):
    assert any(re.search(DOWNLOADS, use) for use in used(code))
    assert in_sources(DOWNLOADS) == []
