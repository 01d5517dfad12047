"""What every chapter keeps to: its length, its width, its pictures, its links, and the reader's own text."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import nbformat
import pytest
from test_notebooks import build

import bpelab

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
SOURCES = sorted((NOTEBOOKS / "src").glob("[0-9][0-9]_*.py"))
CHAPTERS = [NOTEBOOKS / f"{source.stem}.ipynb" for source in SOURCES]
MOST_CELLS, MOST_WORDS, LONGEST_CELL, LONGEST_LINE, LEAST_FIGURES = 40, 2600, 12, 80, 2
SOURCE_LINE = re.compile(
    r'^source = "\w+"  # or (?:a file of yours: "my\.txt"|\("my\.en\.txt", "my\.ja\.txt"\)).*$', re.M
)


def stem(path):
    return path.stem


def read(path):
    """(code cells, all prose as one str) of a built chapter."""
    cells = nbformat.read(path, as_version=4).cells
    prose = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return [cell for cell in cells if cell.cell_type == "code"], prose


@pytest.mark.parametrize("path", CHAPTERS, ids=stem)
def test_a_chapter_is_short_and_narrow(path):
    code, prose = read(path)
    assert len(code) <= MOST_CELLS
    assert len(prose.split()) <= MOST_WORDS
    for cell in code:
        lines = cell.source.strip().split("\n")
        assert len(lines) <= LONGEST_CELL, cell.source
        assert max(map(len, lines)) <= LONGEST_LINE, cell.source


@pytest.mark.parametrize("path", CHAPTERS, ids=stem)
def test_a_chapter_has_pictures_that_are_told_in_words_too(path):
    code, _ = read(path)
    told = [
        output.metadata.get("image/png", {}).get("alt", "")
        for cell in code
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    assert len(told) >= LEAST_FIGURES
    assert all(len(words) > 20 and "Figure(" not in words for words in told), told


@pytest.mark.parametrize("path", CHAPTERS, ids=stem)
def test_chapters_are_named_by_links(path):
    _, prose = read(path)
    assert not re.findall(r"(?<!\[)\bchapters? \d\d", prose, re.IGNORECASE)
    for target in re.findall(r"\]\(([\w./-]+\.(?:ipynb|md))(?:#[\w-]+)?\)", prose):
        assert (NOTEBOOKS / target).exists(), target


@pytest.mark.parametrize("path", SOURCES, ids=stem)
def test_the_readers_text_is_one_line(path):
    assert len(SOURCE_LINE.findall(path.read_text(encoding="utf-8"))) == 1


# --- on the reader's own text -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_texts(tmp_path_factory):
    """Four files such as readers have, by name."""
    folder = tmp_path_factory.mktemp("own")
    package = Path(bpelab.__file__).parent
    korean = [pair[1] for pair in bpelab.corpora.pairs("jupyterlab", language="ko")]
    table = ["id,name,price", *(f"{i},item {i % 17},{i * 37 % 997}.50" for i in range(1500))]
    texts = {
        "python": (package / "engine.py").read_text(encoding="utf-8"),
        "korean": "\n".join(korean)[:60_000],
        "csv": "\r\n".join(table) + "\r\n",
        "three": "The first line.\n二行目です。\nA third line, and the end.\n",
    }
    for name, text in texts.items():
        (folder / f"{name}.txt").write_bytes(text.encode())
    return folder


def pytest_generate_tests(metafunc):
    """Each chapter with one of the four texts; with --own-texts all, each with each."""
    if "own_text" in metafunc.fixturenames:
        names = ("python", "korean", "csv", "three")
        every = metafunc.config.getoption("--own-texts") == "all"
        cases = [(path, name) for at, path in enumerate(SOURCES) for name in (names if every else [names[at % 4]])]
        metafunc.parametrize(("chapter", "own_text"), cases, ids=[f"{path.stem}-{name}" for path, name in cases])


def test_a_chapter_runs_to_its_end_on_any_text(chapter, own_text, own_texts):
    """In a process of its own, as a kernel is."""
    program = []
    for cell in build.chapter(build.read_source(chapter), chapter.stem):
        code = SOURCE_LINE.sub(f"source = {str(own_texts / f'{own_text}.txt')!r}", cell.source)
        if cell.cell_type == "code" and "raises-exception" in cell.metadata.get("tags", []):
            program.append(f"try:\n{textwrap.indent(code, '    ')}\nexcept Exception:\n    pass")
        elif cell.cell_type == "code":
            program.append(code)
    script = own_texts / f"{chapter.stem}-{own_text}.py"
    script.write_text("\n".join(program), encoding="utf-8")
    # Not as a script, which the workers of chapter 11 would run again.
    start = f"exec(compile(open({str(script)!r}, encoding='utf-8').read(), {chapter.stem!r}, 'exec'))"
    done = subprocess.run(
        [sys.executable, "-c", start], cwd=NOTEBOOKS, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
