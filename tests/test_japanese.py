"""The Japanese edition: the same cells and outputs, a Japanese text for every English one, none of them stale."""

import importlib.util
import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def load(path):
    """A file of notebooks/ as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = load(NOTEBOOKS / "build.py")
translation = build.translation

SOURCE = """# %% [markdown]
# # 01 A title
#
# Takes 20 minutes, with [a link](02_b.ipynb).

# %%
print(1)

# %% [markdown] tags=["exercise"]
# What comes after 1,024?

# %% tags=["exercise"]
#: n = ...
# solution
n = 1025
# end
print(n)

# %% [markdown] tags=["solution"]
# One more.
"""
WORDS = {
    "# 01 A title": "# 01 題\n\n20分。[リンク](02_b.ipynb)です。",
    "What comes": "1,024の次は何ですか。",
    "One more": "1を足します。",
}


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A small book of one chapter, built in English and written in Japanese."""
    monkeypatch.setattr(build, "HERE", tmp_path / "notebooks")
    (tmp_path / "notebooks" / "src").mkdir(parents=True)
    source = tmp_path / "notebooks" / "src" / "01_a.py"
    source.write_text(SOURCE, encoding="utf-8")
    (tmp_path / "notebooks" / "page.md").write_text("---\nwide: true\n---\n\n# Page\n\nHead.\n\n## Part\n\nText.\n")
    run_by_hand(source)
    write(build.japanese_text(source), build.translation.pieces(build.read_source(source)), WORDS)
    page = {"# Page": "# 頁\n\n頭。", "## Part": "## 部\n\n文。"}
    write(tmp_path / "notebooks" / "ja" / "page.md", translation.sections(tmp_path / "notebooks" / "page.md"), page)
    build.build(("none",))
    return source


def run_by_hand(source):
    """Build the English notebooks, with outputs that need no kernel."""
    for path, notebook in build.editions(source).items():
        for count, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), 1):
            cell.execution_count, cell.outputs = count, [nbformat.v4.new_output("stream", text=f"{count}\n")]
        build.write(notebook, path)


def write(path, english, words):
    """A file of blocks, the Japanese found by how the English begins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    blocks = {name: next(w for start, w in words.items() if text.startswith(start)) for name, text in english.items()}
    path.write_text(translation.renewed(english, blocks), encoding="utf-8")


def test_a_japanese_notebook_is_the_english_one_with_other_words(book):
    folder = build.HERE
    for name in ("01_a.ipynb", "solutions/01_a.ipynb"):
        english, japanese = (nbformat.read(folder / part / name, as_version=4) for part in (".", "ja"))
        codes = [[cell for cell in n.cells if cell.cell_type == "code"] for n in (english, japanese)]
        assert codes[0] == codes[1]
        assert [cell.cell_type for cell in english.cells] == [cell.cell_type for cell in japanese.cells]
    assert japanese.cells[0].source.startswith("# 解答：01 題\n\n[01 題](../01_a.ipynb)")
    assert [c.source for c in japanese.cells if c.cell_type == "markdown"][1:] == [
        WORDS["What comes"],
        WORDS["One more"],
    ]
    assert build.stale() + build.stale_japanese() == []


def test_a_changed_english_cell_is_named(book):
    book.write_text(SOURCE.replace("One more", "Two more"), encoding="utf-8")
    old = translation.hashed("One more.")
    named = ["01_a.md: not in Japanese: Two more.", f"01_a.md: no English text has hash {old}"]
    assert build.stale_japanese() == named  # before the English is built as well
    run_by_hand(book)
    assert build.stale_japanese() == [
        *named,
        "ja/01_a.ipynb",
        "ja/solutions/01_a.ipynb",
    ]


def test_a_changed_section_of_a_page_is_named(book):
    (build.HERE / "page.md").write_text("# Page\n\nHead.\n\n## Part\n\nText!\n", encoding="utf-8")
    assert build.stale_japanese() == [
        "page.md: not in Japanese: ## Part",
        f"page.md: no English text has hash {translation.hashed('## Part' + chr(10) * 2 + 'Text.')}",
    ]


def test_outputs_that_changed_make_the_japanese_stale(book):
    path = build.HERE / "01_a.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace('"1\\n"', '"2\\n"'), encoding="utf-8")
    assert build.stale_japanese() == ["ja/01_a.ipynb"]


def test_what_is_new_is_marked_between_what_stays(book):
    book.write_text(SOURCE.replace("What comes after", "What follows"), encoding="utf-8")
    build.renew()
    text = build.japanese_text(book).read_text(encoding="utf-8")
    assert "TODO\n<!--\nWhat follows 1,024?\n-->\n1,024の次は何ですか。\n" in text
    assert text.index("# 01 題") < text.index("TODO") < text.index("1を足します。")
    assert build.stale_japanese()[0] == "01_a.md: not in Japanese: What follows 1,024?"


def test_blocks_may_come_from_windows(book):
    for path in (build.japanese_text(book), build.HERE / "ja" / "page.md"):
        text = path.read_text(encoding="utf-8").replace(" -->\n", " --> \n", 1)
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert build.stale_japanese() == []


def test_an_empty_block_is_not_written(book):
    path = build.japanese_text(book)
    path.write_text(path.read_text(encoding="utf-8").replace(WORDS["One more"], " "), encoding="utf-8")
    assert "01_a.md: not in Japanese: One more." in build.stale_japanese()
    build.renew()
    assert "TODO" in path.read_text(encoding="utf-8")


def test_two_blocks_with_one_head_are_an_error(book):
    path = build.japanese_text(book)
    head = translation.HEAD.search(path.read_text(encoding="utf-8"))
    path.write_text(path.read_text(encoding="utf-8") + f"\n{head[0]}別の題\n", encoding="utf-8")
    with pytest.raises(ValueError, match=f"01_a.md has more than one block with the head {head[1]}"):
        build.stale_japanese()


def test_an_english_notebook_that_was_not_built_is_an_error(book):
    book.write_text(SOURCE.replace("print(1)", "print(2)"), encoding="utf-8")
    with pytest.raises(ValueError, match="the English notebook has to be built first"):
        build.japanese_editions(book)


@pytest.mark.parametrize(
    ("english", "japanese", "said"),
    [
        ("# A\n\ntext", "## あ\n\n文", "heads"),
        ("see [a](b.md)", "[あ](c.md)を参照", "links"),
        ("it takes 3.66 times", "3.67倍です", "numbers"),
        ("| a |\n|---|\n| b |", "| あ |\n|---|", "rows"),
        ("<details><summary>A</summary>\n\nb\n\n</details>", "い", "folds"),
    ],
)
def test_what_must_agree_is_compared(english, japanese, said):
    [line] = translation.differences({"x": english}, {"x": japanese})
    assert said in line
    assert translation.differences({"x": english}, {"x": english}) == []


def test_the_search_cuts_japanese_by_twos():
    pytest.importorskip("sphinx")
    japanese = load(NOTEBOOKS / "ja" / "conf.py").Japanese({})
    assert japanese.split("語彙サイズはBPE 2") == ["語彙", "彙サ", "サイ", "イズ", "ズは", "BPE", "2"]


def test_everything_is_in_japanese_and_nothing_is_stale():
    assert build.stale_japanese() == []


ENGLISH = sorted(p.relative_to(NOTEBOOKS) for p in (*NOTEBOOKS.glob("*.ipynb"), *NOTEBOOKS.glob("solutions/*.ipynb")))


@pytest.mark.parametrize("name", ENGLISH, ids=str)
def test_each_notebook_in_japanese_is_the_english_one_cell_by_cell(name):
    english, japanese = (nbformat.read(folder / name, as_version=4) for folder in (NOTEBOOKS, NOTEBOOKS / "ja"))
    nbformat.validate(japanese)
    assert english.metadata == japanese.metadata
    for ours, theirs in zip(japanese.cells, english.cells, strict=True):
        if theirs.cell_type == "code":
            assert ours == theirs
        else:
            assert re.search("[ぁ-ヿ一-鿿]", ours.source), ours.source


def test_heads_links_folds_and_tables_agree():
    """The words go another way; these may not. Numbers are compared by hand (build.py --agree): 12 may be "a dozen"."""
    assert [line for line in build.disagreements() if " numbers: " not in line] == []
