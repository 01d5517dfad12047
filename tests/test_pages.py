"""The pages for looking things up: every source is in the bibliography, and the cheat sheet's lines run."""

import re
import shlex
from pathlib import Path

import pytest

import bpelab
from bpelab import __main__ as command_line

ROOT = Path(__file__).parent.parent
NOTEBOOKS = ROOT / "notebooks"
SHEET = (NOTEBOOKS / "cheat_sheet.md").read_text(encoding="utf-8")
PAGE = re.sub(r"\n  ", " ", (NOTEBOOKS / "bibliography.md").read_text(encoding="utf-8"))
ENTRIES = [line for line in PAGE.split("\n") if line.startswith("- ")]
LINK = re.compile(r"\]\(\s*(https?://[^)\s]+)\)")
CHAPTER = re.compile(r"\[[\w ]+\]\((\w+\.(?:ipynb|md))\)")
SOURCES = sorted((NOTEBOOKS / "src").glob("[0-9]*.py"))


def cited(source):
    """The links under "Sources" of a chapter."""
    prose = re.sub(r"\n# ?", "\n", source.read_text(encoding="utf-8").split("# ## Sources\n")[1])
    return set(LINK.findall(prose))


def used_in(name):
    """The entries that say that a chapter uses them."""
    return [entry for entry in ENTRIES if name in CHAPTER.findall(entry)]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_every_source_of_a_chapter_is_in_the_bibliography(source):
    listed = {link for entry in used_in(f"{source.stem}.ipynb") for link in LINK.findall(entry)}
    assert cited(source) - listed == set()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry[2:40])
def test_an_entry_says_why_and_where(entry):
    """Its links stand in the chapters it names; a text for which a chapter has no link is named there by its author."""
    chapters = CHAPTER.findall(entry)
    assert chapters and re.search(r"\. (\[[\w ]+\]\(\w+\.\w+\)(, )?)+\.$", entry)
    assert len(CHAPTER.sub("", entry).rstrip(",. ").rsplit(". ", 1)[1].split()) > 3, "a sentence on why"
    links, author = LINK.findall(entry), entry[2:].split(":")[0].split(",")[0].split()[-1]
    for name in chapters:
        path = NOTEBOOKS / "src" / name.replace(".ipynb", ".py") if name.endswith(".ipynb") else NOTEBOOKS / name
        text = path.read_text(encoding="utf-8")
        assert any(link in text for link in links) or author in text, name


def test_every_work_stands_once():
    links = [link for entry in ENTRIES for link in LINK.findall(entry)]
    assert len(links) == len(set(links))


def test_the_package_in_ten_lines_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", SHEET, re.DOTALL)
    assert len(code.splitlines()) == 10
    exec(code, {})
    assert (tmp_path / "my.json").exists()


def test_the_commands_are_commands():
    (commands,) = re.findall(r"```sh\n(.*?)```", SHEET, re.DOTALL)
    for line in commands.splitlines():
        name, command, *rest = shlex.split(line, comments=True)
        assert name == "bpelab" and command_line.parser().parse_args([command, *rest])


def test_links_of_the_pages_lead_to_chapters():
    for name in set(CHAPTER.findall(SHEET)) | set(CHAPTER.findall(PAGE)):
        assert (NOTEBOOKS / name).exists(), name


def test_the_citation_names_this_version_and_licence():
    lines = (ROOT / ".github" / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    fields = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    assert fields["version"] == bpelab.__version__ and fields["cff-version"] == "1.2.0"
    assert fields["license"] == (ROOT / "LICENSE").read_text(encoding="utf-8").split()[0]
    assert {"title", "message"} <= set(fields) and "authors:" in lines
