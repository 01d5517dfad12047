"""Build the notebooks: src/NN_name.py (percent format) -> executed, normalised NN_name.ipynb.

    python notebooks/build.py            build what is stale
    python notebooks/build.py 02 07      build these chapters
    python notebooks/build.py --check    say what is stale, exit 1 if anything is

A notebook is stale when its cells are not those of its source. Outputs are checked by
`pytest --nbval`, which runs every cell again.
"""

import argparse
import base64
import hashlib
import re
import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
#: What nbconvert and editors want to know; no version, which would differ from machine to machine.
LANGUAGE = {
    "name": "python",
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
IN_README = ("07_vocabulary_size",)
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def read_source(source):
    """The cells of a source as a notebook without outputs, ids taken from their content."""
    notebook = jupytext.read(source, fmt="py:percent")
    notebook.metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen = {}
    for cell in notebook.cells:
        cell.metadata = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
        digest = hashlib.sha256(f"{cell.cell_type}:{cell.source}".encode()).hexdigest()[:12]
        seen[digest] = seen.get(digest, 0) + 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    return notebook


def execute(notebook, name):
    """Run all cells in a fresh kernel that starts in this folder."""
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3", record_timing=False, coalesce_streams=True,
        resources={"metadata": {"path": str(HERE)}},
    )  # fmt: skip
    print(f"running {name}", file=sys.stderr)
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                output.traceback = [f"{output.ename}: {ANSI.sub('', output.evalue)}"]
    notebook.metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE}
    return notebook


def save_picture(notebook, target):
    """Write the first figure of a notebook to a file, for the README."""
    pictures = (
        o.data["image/png"]
        for cell in notebook.cells
        for o in cell.get("outputs", [])
        if "image/png" in o.get("data", {})
    )
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(base64.b64decode(next(pictures)))


def is_stale(source, target):
    """Whether the built notebook has other cells than the source."""
    if not target.exists():
        return True
    built, wanted = nbformat.read(target, as_version=4), read_source(source)

    def cells(notebook):
        return [(cell.id, cell.cell_type, cell.source, cell.metadata.get("tags")) for cell in notebook.cells]

    return cells(built) != cells(wanted)


def stale():
    """The notebooks that are not as their source, and those without one."""
    sources = sorted((HERE / "src").glob("*.py"))
    named = {source.stem for source in sources}
    orphans = [path.name for path in sorted(HERE.glob("*.ipynb")) if path.stem not in named]
    return [s.stem + ".ipynb" for s in sources if is_stale(s, HERE / f"{s.stem}.ipynb")] + orphans


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", help="numbers or names; without them, what is stale")
    parser.add_argument("--check", action="store_true", help="build nothing, name what is stale")
    arguments = parser.parse_args()
    if arguments.check:
        names = stale()
        print("\n".join(names) or "all notebooks are as their sources", file=sys.stderr if names else sys.stdout)
        sys.exit(bool(names))
    wanted = tuple(arguments.chapters)
    for source in sorted((HERE / "src").glob("*.py")):
        target = HERE / f"{source.stem}.ipynb"
        if source.name.startswith(wanted) if wanted else is_stale(source, target):
            notebook = execute(read_source(source), source.stem)
            nbformat.write(notebook, target)
            if source.stem in IN_README:
                save_picture(notebook, HERE / "images" / f"{source.stem}.png")


if __name__ == "__main__":
    main()
