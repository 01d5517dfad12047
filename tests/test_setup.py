"""What a fresh machine relies on."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_environment_yml_agrees_with_pyproject():
    """conda brings Python and pip; pip brings what pyproject.toml names, with both extras."""
    lines = [line.strip() for line in (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()]
    items = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    assert items == ["conda-forge", f"python{PROJECT['requires-python']}", "pip", "pip:", "-e .[book,test]"]
    assert set(PROJECT["optional-dependencies"]) == {"book", "test"}


def test_every_dependency_is_bounded():
    extras = PROJECT["optional-dependencies"].values()
    for requirement in [*PROJECT["dependencies"], *(r for extra in extras for r in extra)]:
        assert re.search(r">=[\d.]+|==", requirement), requirement


def test_importing_bpelab_is_light():
    program = "import sys, bpelab; print(sorted({'pandas', 'matplotlib', 'IPython'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


def test_the_top_of_the_project_holds_what_the_design_names():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    tops = {path.split("/")[0] for path in tracked}
    named = {"LICENSE", "README.md", "bpelab", "environment.yml", "notebooks", "pyproject.toml", "tests"}
    assert {top for top in tops if not top.startswith(".")} <= named
