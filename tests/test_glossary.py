"""The glossary: in order, complete lines, and every word that a chapter says is in it."""

import re
import unicodedata
from pathlib import Path

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
TEXT = re.sub(r"\n  ", " ", (NOTEBOOKS / "glossary.md").read_text(encoding="utf-8"))
JAPANESE = (NOTEBOOKS / "ja" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(  # **English** · Japanese（reading）: a sentence. [Chapter NN](its notebook).
    r"- \*\*(.+?)\*\* · ([^（:]+)(?:（([\u3040-\u30ff]+)）)?.*: (\S.+\.) \[Chapter (\d\d)\]\((\5_\w+\.ipynb)\)\."
)


def test_every_entry_has_its_parts_and_place():
    lines = [line for line in TEXT.split("\n") if line.startswith("- ")]
    entries = [ENTRY.fullmatch(line) for line in lines]
    assert [line for line, entry in zip(lines, entries, strict=True) if not entry] == []
    for entry in entries:
        assert (NOTEBOOKS / entry[6]).exists(), entry[1]
        assert entry[3] or not re.search(r"[\u4e00-\u9fff]", entry[2]), f"no reading: {entry[1]}"
    plain = [unicodedata.normalize("NFD", e[1]).encode("ascii", "ignore").lower().replace(b"-", b" ") for e in entries]
    assert plain == sorted(plain)


def test_words_of_every_chapter_are_explained():
    for source in sorted((NOTEBOOKS / "src").glob("[0-9]*.py")):
        part = re.search(r"Words of this chapter\n#\n((?:# ?.*\n)+?)#\n# ##", source.read_text(encoding="utf-8"))
        assert part, source.name
        listed = re.sub(r"\n?# ?", " ", part[1]).split(" A *")[0]
        listed = re.sub(r"(see|explained in) the \[glossary\]\(glossary.md\)", "", listed, flags=re.IGNORECASE)
        words = [word.split(" (")[0].strip(" :.*`()").lower() for word in re.split(r"[,;:]", listed)]
        unknown = [word for word in words if word and word.rstrip("s") not in TEXT.lower()]
        assert unknown == [], source.name


def test_the_japanese_page_has_the_same_entries():
    """Each heads its line by the Japanese term and reading that the English page gives, then the English term."""
    english = re.findall(r"^- \*\*(.+?)\*\* · (.+?): .*?\((\d\d\w+\.ipynb)\)\.$", TEXT, re.MULTILINE)
    japanese = re.findall(r"^- \*\*(.+?)\*\*(.*?) · (.+?)：.*\((\d\d\w+\.ipynb)\)。$", JAPANESE, re.MULTILINE)
    assert [(term + more, word, link) for term, more, word, link in japanese] == [
        (terms, word, link) for word, terms, link in english
    ]


def test_words_of_every_japanese_chapter_are_explained():
    for path in sorted((NOTEBOOKS / "src" / "ja").glob("[0-9]*.md")):
        part = re.search(r"## この章の用語\n\n(.*?)[。：]\[用語集\]", path.read_text(encoding="utf-8"))
        assert part, path.name
        words = re.split(r"[、（）]", part[1].replace("`", ""))
        assert [word for word in words if word and word not in JAPANESE] == [], path.name
