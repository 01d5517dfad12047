"""Build the notebooks: src/NN_name.py (percent format) -> executed, normalised NN_name.ipynb.

    python notebooks/build.py            build what is stale; run it only if its code has changed
    python notebooks/build.py 02 07      build these chapters
    python notebooks/build.py --check    say what is stale, exit 1 if anything is
    python notebooks/build.py --renew    mark in the Japanese texts what has to be written (see translation.py)

A source holds two editions, told apart by the tags of its cells and by two marks in those tagged `exercise`:

- the chapter, NN_name.ipynb: in an exercise a line after `#: ` is the reader's stub, and what stands between
  `# solution` and `# end` is left out, as is Markdown tagged `solution`;
- solutions/NN_name.ipynb, if there are exercises: the cells tagged `setup`, `exercise` and `solution`, the
  exercises solved.

Then the Japanese edition, ja/NN_name.ipynb and ja/solutions/NN_name.ipynb: the texts of src/ja/NN_name.md
(see translation.py), with the code cells and outputs of the English notebooks.

A notebook is stale when its cells are not those of its source. Outputs are checked by
`pytest --nbval`, which runs every cell again.
"""

import argparse
import base64
import os
import re
import sys
from copy import deepcopy
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

sys.path.insert(0, str(Path(__file__).parent))
import translation

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


#: What an exercise holds for one edition only.
STUB = re.compile(r"^( *)#: ?(.*\n?)", re.MULTILINE)
SOLUTION = re.compile(r"^ *# solution\n(.*?)^ *# end(?:\n|\Z)", re.MULTILINE | re.DOTALL)
#: Their marks, as people may have written them.
MARK = re.compile(r"^ *# *(?:solution|end) *$", re.MULTILINE | re.IGNORECASE)


def all_sources():
    """The files that people edit, in the order of the book."""
    return sorted((HERE / "src").glob("*.py"))


def read_source(source):
    """The cells of a source, of every edition; ValueError for an exercise that would show its solution or no stub."""
    cells = jupytext.reads(source.read_text(encoding="utf-8-sig"), fmt="py:percent").cells
    for cell in cells:
        if cell.cell_type == "code" and "exercise" in tags(cell) and not _is_marked(cell.source):
            raise ValueError(
                f"{source.name}: an exercise needs a stub after `#: ` and a solution between `# solution` and "
                f"`# end`, each mark alone in its line; look at the cell {cell.source[:60]!r}"
            )
    return cells


def _is_marked(text):
    """Whether an exercise holds a stub and a solution, and no other marks."""
    left = (SOLUTION.sub("", text), SOLUTION.sub(r"\1", text))
    return bool(STUB.search(left[0]) and SOLUTION.search(text)) and not any(map(MARK.search, left))


def tags(cell):
    return cell.metadata.get("tags", [])


#: What stands after the last exercise of a chapter, and how its solutions begin.
TO_SOLUTIONS = {
    "en": "Compare with the [solutions](solutions/{name}.ipynb).",
    "ja": "[解答](solutions/{name}.ipynb)と比べてみてください。",
}
SOLVED = {
    "en": "# Solutions: {title}\n\nTo the exercises of [{title}](../{name}.ipynb), which come first.",
    "ja": "# 解答：{title}\n\n[{title}](../{name}.ipynb)の練習問題の解答です。先に自分で解いてみてください。",
}


def chapter(cells, name, language="en"):
    """The cells of the reader's edition: each exercise a stub, no solution; after the last a link to them."""
    kept = [
        _with(cell, STUB.sub(r"\1\2", SOLUTION.sub("", cell.source))) if "exercise" in tags(cell) else cell
        for cell in cells
        if "solution" not in tags(cell)
    ]
    if exercises := [at for at, cell in enumerate(kept) if "exercise" in tags(cell)]:
        kept.insert(exercises[-1] + 1, nbformat.v4.new_markdown_cell(TO_SOLUTIONS[language].format(name=name)))
    return kept


def solutions(cells, name, language="en"):
    """The cells of a chapter's solutions: what they need, and the exercises solved."""
    title = cells[0].source.splitlines()[0].removeprefix("# ")
    head = SOLVED[language].format(title=title, name=name)
    kept = [cell for cell in cells if {"setup", "exercise", "solution"} & set(tags(cell))]
    return [nbformat.v4.new_markdown_cell(head)] + [
        _with(cell, SOLUTION.sub(r"\1", STUB.sub("", cell.source))) if "exercise" in tags(cell) else cell
        for cell in kept
    ]


def _with(cell, text):
    """A copy of a cell with another source."""
    return nbformat.from_dict(cell | {"source": text.rstrip("\n")})


def editions(source):
    """Path of a notebook -> the notebook without outputs, for each one that a source makes."""
    return _chapter_and_solutions(read_source(source), source.stem, HERE, "en")


def japanese_editions(source):
    """Path of a notebook -> the Japanese notebook, outputs from the English one; none before it is written."""
    cells, blocks = read_source(source), translation.blocks(japanese_text(source))
    if translation.missing(translation.pieces(cells), blocks)[0]:
        return {}
    made = _chapter_and_solutions(translation.translated(cells, blocks), source.stem, HERE / "ja", "ja")
    return {
        path: translation.with_outputs(notebook, nbformat.read(HERE / path.relative_to(HERE / "ja"), as_version=4))
        for path, notebook in made.items()
    }


def _chapter_and_solutions(cells, stem, folder, language):
    made = {folder / f"{stem}.ipynb": as_notebook(chapter(cells, stem, language))}
    if any("exercise" in tags(cell) for cell in cells):
        made[folder / "solutions" / f"{stem}.ipynb"] = as_notebook(solutions(cells, stem, language))
    return made


def japanese_text(source):
    """The file that holds a source's Markdown cells in Japanese."""
    return source.parent / "ja" / f"{source.stem}.md"


def translations():
    """(the English pieces, the file with their Japanese) for each source and each page."""
    for source in all_sources():
        yield translation.pieces(read_source(source)), japanese_text(source)
    for page in (*sorted(HERE.glob("*.md")), HERE.parent / "README.md"):
        if page.exists():
            yield translation.sections(page), HERE / "ja" / page.name


def as_notebook(cells):
    """A notebook of these cells without outputs, ids taken from their content."""
    metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE}
    notebook = nbformat.v4.new_notebook(cells=deepcopy(cells), metadata=metadata)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen = {}
    for cell in notebook.cells:
        cell.metadata = {"tags": tags(cell)} if tags(cell) else {}
        digest = translation.hashed(cell.source, cell.cell_type)
        seen[digest] = seen.get(digest, 0) + 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    return notebook


def execute(notebook, path):
    """Run all cells in a fresh kernel that starts in the notebook's folder."""
    client = NotebookClient(
        notebook, timeout=600, kernel_name="python3", record_timing=False, coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )  # fmt: skip
    print(f"running {path.relative_to(HERE)}", file=sys.stderr)
    client.execute(env=os.environ | {"BPELAB_PROGRESS": "", "BPELAB_LANGUAGE": "en"})
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


def is_stale(wanted, target):
    """Whether the built notebook is missing or has other cells than the one wanted."""
    if not target.exists():
        return True

    def cells(notebook):
        return [(cell.id, cell.cell_type, cell.source, cell.metadata.get("tags")) for cell in notebook.cells]

    return cells(nbformat.read(target, as_version=4)) != cells(wanted)


def all_editions():
    """Path of a notebook -> the notebook without outputs, for the whole book."""
    return {path: notebook for source in all_sources() for path, notebook in editions(source).items()}


def stale():
    """The notebooks that are not as their source, and those without one."""
    wanted = all_editions()
    orphans = {*HERE.glob("*.ipynb"), *HERE.glob("solutions/*.ipynb")} - set(wanted)
    found = [path for path, notebook in wanted.items() if is_stale(notebook, path)] + sorted(orphans)
    return [path.relative_to(HERE).as_posix() for path in found]


def stale_japanese():
    """What is not written in Japanese or no longer as the English, a line each.

    The Japanese notebooks are looked at once the English ones are built, whose outputs they have.
    """
    found = [f"{path.name}: {line}" for pieces, path in translations() for line in translation.complaints(pieces, path)]
    if stale():
        return found
    wanted = all_japanese()
    built = {*HERE.glob("ja/*.ipynb"), *HERE.glob("ja/solutions/*.ipynb")}
    as_wanted = {p for p, notebook in wanted.items() if p in built and nbformat.read(p, as_version=4) == notebook}
    return found + [path.relative_to(HERE).as_posix() for path in sorted((built | set(wanted)) - as_wanted)]


def all_japanese():
    """Path of a notebook -> the notebook, for the whole Japanese book."""
    return {path: notebook for source in all_sources() for path, notebook in japanese_editions(source).items()}


def write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", help="numbers or names; without them, what is stale")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--check", action="store_true", help="build nothing, name what is stale")
    only.add_argument("--renew", action="store_true", help="build nothing, mark what has to be written in Japanese")
    only.add_argument("--agree", action="store_true", help="build nothing, compare the Japanese texts with the English")
    arguments = parser.parse_args()
    sources = all_sources()
    if unknown := [name for name in arguments.chapters if not any(is_named(path, (name,)) for path in sources)]:
        parser.error(f"no chapter is {', '.join(unknown)}; there are {', '.join(path.stem for path in sources)}")
    if arguments.chapters and (arguments.check or arguments.renew or arguments.agree):
        parser.error("--check, --renew and --agree look at the whole book; leave the chapters out")
    if arguments.check:
        names = stale() + stale_japanese()
        print("\n".join(names) or "all notebooks are as their sources", file=sys.stderr if names else sys.stdout)
        sys.exit(bool(names))
    if arguments.agree:
        print("\n".join(disagreements()))
    elif arguments.renew:
        renew()
    else:
        build(tuple(arguments.chapters))


def renew():
    """Set the heads of what has to be written into the Japanese texts."""
    for pieces, path in translations():
        path.parent.mkdir(exist_ok=True)
        text = translation.front(path) + translation.renewed(pieces, translation.blocks(path))
        path.write_text(text, encoding="utf-8")


def disagreements():
    """Where the Japanese has other heads, links, code or numbers than the English, a line each."""
    for pieces, path in translations():
        for line in translation.differences(pieces, translation.blocks(path)):
            yield f"{path.relative_to(HERE)}: {line}"


def as_run_before(notebook, target):
    """The notebook with the outputs of the built one, if its code is the same; else it is run."""
    try:
        return translation.with_outputs(notebook, nbformat.read(target, as_version=4))
    except (FileNotFoundError, ValueError):
        return execute(notebook, target)


def is_named(path, names):
    """Whether one of the names is that of a source or notebook, or its number."""
    return any(path.stem == name or path.stem.startswith(f"{name}_") for name in names)


def build(wanted):
    """Write what is wanted, or stale, in English; then the Japanese edition with those outputs."""
    for target, notebook in all_editions().items():
        if is_named(target, wanted) if wanted else is_stale(notebook, target):
            write(execute(notebook, target) if wanted else as_run_before(notebook, target), target)
            if target.parent == HERE and target.stem in IN_README:
                save_picture(notebook, HERE / "images" / f"{target.stem}.png")
    for target, notebook in all_japanese().items():
        write(notebook, target)


if __name__ == "__main__":
    main()
