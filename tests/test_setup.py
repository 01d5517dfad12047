"""What a fresh machine relies on."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_environment_yml_agrees_with_pyproject():
    """conda brings Python and pip; pip brings what pyproject.toml names, with all extras but the bench's peers."""
    lines = [line.strip() for line in (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()]
    items = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    python = f"python{PROJECT['requires-python']},<3.14"  # three peers have no wheels for later ones
    assert items == ["conda-forge", python, "pip", "pip:", "-e .[book,test]"]
    extras = PROJECT["optional-dependencies"]
    ours = [requirement for extra in extras.values() for requirement in extra if requirement.startswith("bpelab[")]
    inside = {name for requirement in ours for name in re.findall(r"\w+", requirement)[1:]}
    assert {"book", "test", "bench"} | inside == set(extras)


def test_every_dependency_is_bounded():
    extras = PROJECT["optional-dependencies"].values()
    for requirement in [*PROJECT["dependencies"], *(r for extra in extras for r in extra)]:
        assert re.search(r">=[\d.]+|==|^bpelab\[", requirement), requirement


TOOL = """#!/bin/sh
echo "$(basename "$0") $*" >> "$LOG"
[ "$FAILS" != "$(basename "$0")" ] || exit 3
"""
VENV = """#!/bin/sh
mkdir -p "$3/bin"
cp "$TOOLS"/* "$3/bin"
echo "PATH='$3/bin':$PATH" > "$3/bin/activate"
"""


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
@pytest.mark.parametrize(
    ("fails", "last"), [("", "pytest --nbval"), ("pytest", "pytest --nbval"), ("python", "python -m pip")]
)
@pytest.mark.parametrize("versions", [[], ["lowest"]])
def test_ci_stops_at_the_first_failure(tmp_path, fails, last, versions):
    """.ci/run with tools that only note how they are called."""
    for folder, script in (("bin/python3", VENV), *((f"tools/{name}", TOOL) for name in ("python", "ruff", "pytest"))):
        path = tmp_path / folder
        path.parent.mkdir(exist_ok=True)
        path.write_text(script, encoding="utf-8")
        path.chmod(0o755)
    log, shadow = tmp_path / "log", {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    names = {"LOG": str(log), "TOOLS": str(tmp_path / "tools"), "FAILS": fails}
    done = subprocess.run([ROOT / ".ci" / "run", *versions], env=os.environ | shadow | names, capture_output=True)
    called = log.read_text(encoding="utf-8").splitlines()
    assert done.returncode == (3 if fails else 0), done.stderr
    assert called[-1].startswith(last if fails != "python" or not versions else "python .ci/lowest.py")
    if not fails:
        (installed,) = [call for call in called if "pip install" in call]
        assert "-e .[book,test]" in installed and ("-c " in installed) == bool(versions)


def test_the_lowest_versions_are_those_of_the_project():
    lines = subprocess.run([sys.executable, ROOT / ".ci" / "lowest.py"], capture_output=True, text=True).stdout.split()
    extras = PROJECT["optional-dependencies"]
    pinned = [extra for name, extra in extras.items() if name not in ("test", "web")]
    wanted = PROJECT["dependencies"] + [r for extra in pinned for r in extra if not r.startswith("bpelab[")]
    assert len(lines) == len(wanted)
    for line, requirement in zip(lines, wanted, strict=True):
        assert requirement.replace(">=", "==").split(",")[0] == line


def test_the_top_of_the_project_holds_what_the_design_names():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    tops = {path.split("/")[0] for path in tracked}
    named = {"LICENSE", "README.md", "bpelab", "environment.yml", "notebooks", "pyproject.toml", "tests"}
    assert {top for top in tops if not top.startswith(".")} <= named


def test_launched_notebooks_install_bpelab_only_where_it_is_missing(monkeypatch, capsys):
    """The cell that Colab runs first: as a shell would run it, with and without bpelab."""
    from IPython.core.inputtransformer2 import TransformerManager

    address, launchable = "https://github.com/someone/bpelab", run_path(str(ROOT / "notebooks/launch.py"))["launchable"]
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        made = launchable(launchable(notebook, address), address)
        nbformat.validate(made)
        assert made.cells[:1] + made.cells[2:] == notebook.cells
    calls, code = [], TransformerManager().transform_cell(made.cells[1].source)
    shell = {"get_ipython": lambda: SimpleNamespace(run_line_magic=lambda *call: calls.append(call))}
    exec(code, dict(shell))
    assert calls == [] and capsys.readouterr().out == ""
    monkeypatch.setitem(sys.modules, "bpelab", None)
    exec(code, dict(shell))
    assert calls == [("pip", f'install -q "bpelab[chapters,scale] @ git+{address}"')]
    assert {"chapters", "scale"} <= set(PROJECT["optional-dependencies"])
