"""The Japanese edition: a Japanese text for each piece of English, found by the hash of that piece.

- `src/ja/NN_name.md` holds one block for each Markdown cell of a chapter's source, headed by a comment with the
  cell's hash. `build.py` joins the blocks with the code cells, and the outputs, of the built English notebook.
- `ja/NAME.md` is a page, read as it stands: one block for each section of the English `NAME.md`, headed likewise.

A piece of English that has changed has another hash: its block is stale, and `build.py --check` names it.
`build.py --renew` sets the new hashes in, with the English text and `TODO` above the old Japanese one. A block that
holds `TODO` counts as missing. `build.py --agree` compares heads, links, code and numbers of both languages.
"""

import hashlib
import re
from collections import Counter
from difflib import SequenceMatcher

import nbformat

HEAD = re.compile(r"^ *<!-- *([0-9a-f]{12}) *--> *\n", re.MULTILINE)
#: What a page tells Sphinx stands at its top, in either language as its file has it.
FRONT = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
#: A page is cut before each of its heads of the second level.
SECTION = re.compile(r"^(?=## )", re.MULTILINE)
TODO = "TODO"
#: What has to be the same in both languages.
ALIKE = {
    "heads": re.compile(r"^#+(?= )", re.MULTILINE),
    "links": re.compile(r"\]\((?:[^)\s#]*/)*([^)\s/#]+)"),  # by their last part: a README links from where it stands
    "folds": re.compile(r"</?(?:details|summary)>"),
    "rows": re.compile(r"^\|(?=.*\|$)", re.MULTILINE),
    "fences": re.compile(r"^(?:```|:::)\S*", re.MULTILINE),
}


def hashed(text, kind="markdown"):
    """The name of a piece of English, and the id of a cell of a notebook: twelve hexadecimal digits."""
    return hashlib.sha256(f"{kind}:{text}".encode()).hexdigest()[:12]


def pieces(cells):
    """Hash -> English text of the Markdown cells of a source, in order."""
    return {hashed(cell.source): cell.source for cell in cells if cell.cell_type == "markdown"}


def sections(page):
    """Hash -> English text of the sections of a page, in order."""
    text = FRONT.sub("", page.read_text(encoding="utf-8-sig"))
    parts = (part.rstrip("\n") for part in SECTION.split(text))
    return {hashed(part): part for part in parts if part}


def blocks(path):
    """Hash -> Japanese text of a file of blocks, in order, but empty ones; nothing if there is no file.

    ValueError where two blocks have one head: which of them is meant nobody can say.
    """
    if not path.exists():
        return {}
    _, *parts = HEAD.split(path.read_text(encoding="utf-8-sig"))
    if twice := [name for name, times in Counter(parts[::2]).items() if times > 1]:
        raise ValueError(f"{path.name} has more than one block with the head {', '.join(twice)}; keep one of them")
    return {name: text.strip("\n") for name, text in zip(parts[::2], parts[1::2], strict=True) if text.strip()}


def front(path):
    """What stands above the blocks of a file."""
    return HEAD.split(path.read_text(encoding="utf-8-sig"))[0] if path.exists() else ""


def missing(english, japanese):
    """(the English pieces without a Japanese block, the hashes of blocks without an English piece)."""
    untranslated = [text for name, text in english.items() if TODO in japanese.get(name, TODO)]
    return untranslated, [name for name in japanese if name not in english]


def complaints(english, path):
    """What a person has to do in a file of blocks, a line each."""
    untranslated, left_over = missing(english, blocks(path))
    named = (next(line for line in text.splitlines() if line.strip()) for text in untranslated)
    return [f"not in Japanese: {line[:60]}" for line in named] + [f"no English text has hash {n}" for n in left_over]


def translated(cells, japanese):
    """The cells of a source, Markdown in Japanese."""
    return [
        nbformat.from_dict(cell | {"source": japanese[hashed(cell.source)]}) if cell.cell_type == "markdown" else cell
        for cell in cells
    ]


def with_outputs(notebook, english):
    """The notebook, its code cells with the outputs that the same cells have in the English one."""
    ours, theirs = ([cell for cell in n.cells if cell.cell_type == "code"] for n in (notebook, english))
    for cell, ran in zip(ours, theirs, strict=True):
        if cell.source != ran.source:
            raise ValueError(f"the English notebook has to be built first: {cell.source[:60]!r} isn't what was run")
        cell.outputs, cell.execution_count = ran.outputs, ran.execution_count
    return notebook


def renewed(english, japanese):
    """The text of a file of blocks with a head for each English piece, in order; what is missing is marked."""
    old, new = list(japanese), list(english)
    kept = dict(japanese)
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in ("replace", "insert"):
            before = [japanese[name] for name in old[i:j] if name not in english]
            for place, name in enumerate(n for n in new[k:m] if n not in japanese):
                kept[name] = _to_do(english[name], before[place] if place < len(before) else "")
    return "\n\n".join(f"<!-- {name} -->\n{kept[name]}" for name in english) + "\n"


def _to_do(english, before):
    quoted = english.replace("-->", "-- >")
    return f"{TODO}\n<!--\n{quoted}\n-->\n{before}".rstrip("\n")


def differences(english, japanese):
    """Where a Japanese block has other heads, links, folds, rows or numbers than its English piece, a line each.

    The words may go another way; these may not. Numbers: none in Japanese that the English doesn't print.
    """
    found = []
    for name, text in english.items():
        if TODO in (block := japanese.get(name, TODO)):
            continue
        for kind, pattern in ALIKE.items():
            left, right = Counter(pattern.findall(text)), Counter(pattern.findall(block))
            if left != right:
                found.append(f"{name} {kind}: {dict(left - right)} only in English, {dict(right - left)} in Japanese")
        if extra := numbers(block) - numbers(text):
            found.append(f"{name} numbers: {sorted(extra)} only in Japanese")
    return found


def numbers(text):
    """The numbers of two digits or more, and all with decimals, that stand in a text.

    >>> sorted(numbers("In 2019: 1,024 merges, 3.66 times, 5 of them"))
    ['1024', '2019', '3.66']
    """
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return set(re.findall(r"\d+\.\d+|\d{2,}", plain))
