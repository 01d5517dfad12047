"""The house: who may import whom. No circle, nothing against the current, nothing hidden in a function."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bpelab

PACKAGE = Path(bpelab.__file__).parent
#: From the ground up: a module imports only what stands before it.
ORDER = """
    checks compiled hashing progress spelling words files merges models normalization specials decoding
    scanner merging chunking ties reach alphabet reference engine dialects exports storage growing
    vocabulary encoding tokenizer training characters corpora imports readers lattice unigram
    wordpiece loading vocabularies counting sweep efficiency scale parity show look drawings plot
    exercises play
""".split()
#: The one call up: the slow twin of `train` fills in `train`'s own checks.
ALLOWED = {("reference", "training")}
MODULES = {".".join(p.relative_to(PACKAGE).with_suffix("").parts) for p in PACKAGE.rglob("*.py")}
FILES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__main__.py" and p != PACKAGE / "__init__.py")


def room(path):
    """The module, or the folder below bpelab/, that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(tree):
    """(node, room of bpelab that it imports) for each import in a syntax tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "bpelab":
            parts = node.module.split(".")
            names = [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
            yield from ((node, name) for name in names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "bpelab":
                    yield node, ([*alias.name.split("."), ""])[1]
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node, "." * node.level  # relative imports are not used here


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_with_the_current(path):
    own, tree = room(path), ast.parse(path.read_text(encoding="utf-8"))
    assert own in ORDER, f"{own} has no place in the house; give it one in ORDER"
    top = set(tree.body)
    for node, other in imports(tree):
        if (own, other) in ALLOWED:
            continue
        assert node in top, f"line {node.lineno}: an import of bpelab.{other} is hidden in a function"
        if own == other and path.parent != PACKAGE:
            continue  # files of one folder; their own order is tested below
        assert other in ORDER and ORDER.index(other) < ORDER.index(own), f"{own} imports {other}, which is above it"


def test_folders_have_no_circle_inside():
    graph = {}
    for path in FILES:
        if path.parent == PACKAGE:
            continue
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        graph[name] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"bpelab.{room(path)}"):
                base = node.module.removeprefix("bpelab.")
                files = {f"{base}.{alias.name}" for alias in node.names} & MODULES
                graph[name] |= files if len(files) == len(node.names) else files | {base}
    graph = {name: (found & set(graph)) - {name} for name, found in graph.items()}
    while free := [name for name, needs in graph.items() if not needs]:
        graph = {name: needs - set(free) for name, needs in graph.items() if name not in free}
    assert not graph, f"these import each other: {graph}"


def test_importing_bpelab_loads_nothing_heavy():
    heavy = "pandas matplotlib numba tqdm tiktoken tokenizers sentencepiece dask pyarrow IPython".split()
    code = f"import sys, bpelab; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
