"""What nbval does not see: notebooks that were never run, are stale, warn, or hold a failed promise."""

import importlib.util
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
BUILT = sorted(NOTEBOOKS.glob("*.ipynb"))

spec = importlib.util.spec_from_file_location("build", NOTEBOOKS / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_every_source_is_built_and_no_notebook_is_stale():
    assert BUILT
    assert build.stale() == []


@pytest.mark.parametrize("path", BUILT, ids=lambda path: path.stem)
def test_every_cell_was_run_in_order(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("path", BUILT, ids=lambda path: path.stem)
def test_most_cells_show_something(path):
    cells = code_cells(path)
    assert sum(bool(cell.outputs) for cell in cells) > 0.6 * len(cells)


@pytest.mark.parametrize("path", BUILT, ids=lambda path: path.stem)
def test_outputs(path):
    for cell in code_cells(path):
        raised = [output for output in cell.outputs if output.output_type == "error"]
        assert bool(raised) == ("raises-exception" in cell.metadata.get("tags", [])), cell.source
        for output in cell.outputs:
            assert output.get("name") != "stderr", cell.source
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {}), cell.source


@pytest.mark.parametrize("path", BUILT, ids=lambda path: path.stem)
def test_the_file_is_normalised(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata == {"kernelspec": build.KERNEL, "language_info": build.LANGUAGE}
    source = path.read_text(encoding="utf-8")
    assert str(NOTEBOOKS.parent) not in source and "\\u001b" not in source


def test_the_guard_sees_a_stale_notebook(tmp_path):
    source, target = tmp_path / "a.py", tmp_path / "a.ipynb"
    source.write_text("# %%\nprint(1)\n", encoding="utf-8")
    assert build.is_stale(source, target)
    nbformat.write(build.read_source(source), target)
    assert not build.is_stale(source, target)
    source.write_text("# %%\nprint(2)\n", encoding="utf-8")
    assert build.is_stale(source, target)
