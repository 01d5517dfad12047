"""Print pip constraints: the lowest version that pyproject.toml allows of each package that users need.

    python .ci/lowest.py > lowest.txt && pip install -e ".[book,test]" -c lowest.txt

The tools of the extras "test" and "web" stay at their newest: the style that ruff asks for depends on its version.
"""

import re
import tomllib
from pathlib import Path

text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
project = tomllib.loads(text)["project"]
extras = [extra for name, extra in project["optional-dependencies"].items() if name not in ("test", "web")]
for requirement in [*project["dependencies"], *(requirement for extra in extras for requirement in extra)]:
    if requirement.startswith("bpelab["):
        continue
    name, lowest = re.match(r"([\w.-]+)(?:\[.*\])?[>=]=([^,;]+)", requirement).groups()
    print(f"{name}=={lowest}")
