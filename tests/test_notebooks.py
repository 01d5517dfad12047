"""What nbval does not see: notebooks that were never run, are stale, warn, or hold a failed promise."""

import importlib.util
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
CHAPTERS, SOLUTIONS = sorted(NOTEBOOKS.glob("*.ipynb")), sorted(NOTEBOOKS.glob("solutions/*.ipynb"))
BUILT = CHAPTERS + SOLUTIONS

spec = importlib.util.spec_from_file_location("build", NOTEBOOKS / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)


def name(path):
    return path.relative_to(NOTEBOOKS).with_suffix("").as_posix()


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_every_source_is_built_and_no_notebook_is_stale():
    assert BUILT
    assert build.stale() == []


@pytest.mark.parametrize("path", BUILT, ids=name)
def test_every_cell_was_run_in_order(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_most_cells_show_something(path):
    cells = code_cells(path)
    assert sum(bool(cell.outputs) for cell in cells) > 0.6 * len(cells)


@pytest.mark.parametrize("path", BUILT, ids=name)
def test_outputs(path):
    for cell in code_cells(path):
        raised = [output for output in cell.outputs if output.output_type == "error"]
        assert bool(raised) == ("raises-exception" in cell.metadata.get("tags", [])), cell.source
        for output in cell.outputs:
            assert output.get("name") != "stderr", cell.source
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {}), cell.source


@pytest.mark.parametrize("path", BUILT, ids=name)
def test_the_file_is_normalised(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata == {"kernelspec": build.KERNEL, "language_info": build.LANGUAGE}
    source = path.read_text(encoding="utf-8")
    assert str(NOTEBOOKS.parent) not in source and "\\u001b" not in source


def verdicts(path):
    """What the checks of a notebook printed last."""
    cells = [cell for cell in code_cells(path) if "bpelab.exercises.check(" in cell.source]
    return [cell.outputs[-1].text.splitlines() for cell in cells]


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_nothing_is_solved_in_a_chapter(path):
    assert [lines for lines in verdicts(path) if not (len(lines) == 1 and lines[0].startswith("○ "))] == []


@pytest.mark.parametrize("path", SOLUTIONS, ids=name)
def test_every_solution_is_right(path):
    solved = verdicts(path)
    assert solved
    assert [lines for lines in solved if not any(line.startswith("● ") for line in lines)] == []


SOURCE = """# %% [markdown]
# # 01 A title
#
# Text.

# %% tags=["setup"]
n = 1

# %%
print(n)

# %% [markdown] tags=["exercise"]
# What comes after?

# %% tags=["exercise"]
def after(n):
    #: ...
    # solution
    # end of the number
    return n + 1  # end of it
    # end


print(after(n))

# %% [markdown] tags=["solution"]
# One more.
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A source in a book of its own."""
    monkeypatch.setattr(build, "HERE", tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "solutions").mkdir()
    path = tmp_path / "src" / "01_a.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_a_source_makes_a_chapter_and_its_solutions(source, tmp_path):
    made = build.editions(source)
    chapter, solutions = (made[tmp_path / name] for name in ("01_a.ipynb", "solutions/01_a.ipynb"))
    assert [cell.source for cell in chapter.cells[1:]] == [
        "n = 1",
        "print(n)",
        "What comes after?",
        "def after(n):\n    ...\n\n\nprint(after(n))",
        "Compare with the [solutions](solutions/01_a.ipynb).",
    ]
    assert "[01 A title](../01_a.ipynb)" in solutions.cells[0].source
    assert [cell.source for cell in solutions.cells[1:]] == [
        "n = 1",
        "What comes after?",
        "def after(n):\n    # end of the number\n    return n + 1  # end of it\n\n\nprint(after(n))",
        "One more.",
    ]
    assert chapter.cells[4].metadata == {"tags": ["exercise"]}


def test_marks_outside_exercises_are_comments(source, tmp_path):
    source.write_text("# %%\n#: a comment\n# solution\nn = 1\n# end\n", encoding="utf-8")
    [(path, notebook)] = build.editions(source).items()
    assert path == tmp_path / "01_a.ipynb"
    assert notebook.cells[0].source == "#: a comment\n# solution\nn = 1\n# end"


def test_the_guard_sees_what_is_stale_missing_or_left_over(source, tmp_path):
    both = ["01_a.ipynb", "solutions/01_a.ipynb"]
    assert build.stale() == both
    for path, notebook in build.editions(source).items():
        nbformat.write(notebook, path)
    assert build.stale() == []
    source.write_text(SOURCE.replace("n + 1", "1 + n"), encoding="utf-8")
    assert build.stale() == both[1:]
    source.write_text(SOURCE.replace("print(n)", "print(-n)"), encoding="utf-8")
    assert build.stale() == both[:1]
    source.write_text("# %%\nn = 1\n", encoding="utf-8")
    assert build.stale() == both


def test_only_code_that_changed_is_run_again(source, tmp_path, monkeypatch):
    ran = []

    def execute(notebook, path):
        ran.append(path.relative_to(tmp_path).as_posix())
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = [nbformat.v4.new_output("stream", text=cell.source)]
        return notebook

    monkeypatch.setattr(build, "execute", execute)
    build.build(())
    assert ran == ["01_a.ipynb", "solutions/01_a.ipynb"]
    source.write_text(SOURCE.replace("Text.", "Another text."), encoding="utf-8")
    build.build(())
    assert len(ran) == 2 and build.stale() == []
    assert [cell.outputs[0].text for cell in code_cells(tmp_path / "01_a.ipynb")][:2] == ["n = 1", "print(n)"]
    source.write_text(SOURCE.replace("print(n)", "print(-n)"), encoding="utf-8")
    build.build(())
    assert ran[2:] == ["01_a.ipynb"]
    build.build(("01",))
    assert ran[3:] == ["01_a.ipynb", "solutions/01_a.ipynb"]


@pytest.mark.parametrize(
    "old, new",
    [
        ("    # end\n", ""),
        ("    # end\n", "    # ende\n"),
        ("    # solution\n", ""),
        ("# solution\n", "# solution\n    # solution\n"),
        ("# solution\n", "# Solution\n"),
        ("# end\n", "# end \n"),
        ("    #: ...\n", ""),
        ("    # solution\n    # end of the number\n    return n + 1  # end of it\n    # end\n", ""),
    ],
)
def test_an_exercise_that_would_show_its_solution_or_no_stub_is_an_error(source, old, new):
    source.write_text(SOURCE.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=r"01_a.py: an exercise needs a stub .* 'def after"):
        build.editions(source)


def test_a_source_may_come_from_windows(source):
    wanted = build.editions(source)
    source.write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    assert build.editions(source) == wanted


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["1"], "no chapter is 1; there are 01_a"),
        (["01", "nope"], "no chapter is nope"),
        (["01_a.ipynb"], "no chapter is 01_a.ipynb"),
        (["--check", "01"], "leave the chapters out"),
        (["--check", "--renew"], "not allowed with"),
    ],
)
def test_what_is_not_a_chapter_is_named(source, monkeypatch, capsys, arguments, said):
    monkeypatch.setattr("sys.argv", ["build.py", *arguments])
    with pytest.raises(SystemExit):
        build.main()
    assert said in capsys.readouterr().err


def test_a_chapter_is_named_by_its_number_or_name():
    path = NOTEBOOKS / "01_a.ipynb"
    assert build.is_named(path, ("01",)) and build.is_named(path, ("02", "01_a"))
    assert not build.is_named(NOTEBOOKS / "10_b.ipynb", ("1", "01"))
