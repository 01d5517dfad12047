"""Give every notebook a cell that installs bpelab where it can't be imported, as on Colab.

    python notebooks/launch.py https://github.com/OWNER/bpelab

The workflow that publishes the web edition does so on the branch `launch`, to which the launch buttons lead. The
notebooks of the branch `main` stay without that cell.
"""

import sys
from pathlib import Path

import nbformat

HERE = Path(__file__).parent
INSTALL = """\
# Colab has no bpelab yet: install it (a minute or two). Elsewhere, nothing.
try:
    import bpelab
except ImportError:
    %pip install -q "bpelab[chapters,scale] @ git+{address}"\
"""


def launchable(notebook, address):
    """A notebook with the cell after its title, which may stand there already."""
    cell = nbformat.v4.new_code_cell(INSTALL.format(address=address), id="install", metadata={"tags": ["launch"]})
    title, *cells = [cell for cell in notebook.cells if "launch" not in cell.metadata.get("tags", [])]
    return nbformat.from_dict(notebook | {"cells": [title, cell, *cells]})


def main(address):
    for path in sorted(HERE.rglob("*.ipynb")):
        nbformat.write(launchable(nbformat.read(path, as_version=4), address), path)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].startswith("https://"):
        sys.exit(__doc__)
    main(sys.argv[1])
