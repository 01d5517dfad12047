"""What is kept of the exercises, in which file, and in which language a check speaks."""

import json
import os
import stat
import subprocess
import sys

import pytest

import bpelab
from bpelab import words
from bpelab.exercises import checking, record


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A reader's file that isn't there yet, in a session that has seen nothing."""
    path = tmp_path / "folder" / "progress.json"
    monkeypatch.setenv(record.VARIABLE, str(path))
    monkeypatch.setattr(record, "SEEN", {})
    return path


def first_line():
    return str(bpelab.exercises.progress()).splitlines()[1]


def summary():
    return str(bpelab.exercises.progress()).splitlines()[len(checking.EXERCISES) + 1 :]


def test_progress_is_kept_across_kernels(kept, monkeypatch):
    assert first_line().startswith("○      01.1") and not kept.exists()
    bpelab.exercises.check("01.1", ...)
    assert not kept.exists()
    bpelab.exercises.check("01.1", 4)
    assert first_line().startswith("✗      01.1")
    bpelab.exercises.check("01.1", 8)
    bpelab.exercises.check("01.1", 4)
    monkeypatch.setattr(record, "SEEN", {})  # another kernel
    assert first_line().startswith("●      01.1")
    bpelab.exercises.check("01.1", 4)
    assert first_line().startswith("●      01.1")
    minutes = sum(exercise.minutes for exercise in checking.EXERCISES.values()) - checking.EXERCISES["01.1"].minutes
    assert summary() == [f"1 of {len(checking.EXERCISES)} done; about {minutes} minutes to go."]
    assert json.loads(kept.read_text(encoding="utf-8"))["exercises"] == {"01.1": "right"}


def test_what_another_kernel_wrote_over_is_written_again(kept):
    bpelab.exercises.check("01.1", 8)
    kept.write_text(json.dumps({"format": record.KIND, "exercises": {"02.1": "right"}}), encoding="utf-8")
    assert len(summary()) == 1 and summary()[0].startswith("2 of")
    assert json.loads(kept.read_text(encoding="utf-8"))["exercises"] == {"01.1": "right", "02.1": "right"}


def test_another_process_sees_it(kept):
    code = "import bpelab; bpelab.exercises.check('01.1', 8); print(bpelab.exercises.progress())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert "●      01.1" in done.stdout and "●      01.1" in str(bpelab.exercises.progress())


@pytest.mark.parametrize(
    "text",
    [
        "my thesis",
        "{",
        "[]",
        "3",
        '{"exercises": {"01.1": "right"}}',
        '{"format": "bpelab", "exercises": {}}',
        "[" * 100_000,
        "x" * (2 << 20),
    ],
    ids=lambda text: text[:20],
)
def test_a_file_of_another_kind_is_left_alone(kept, text):
    kept.parent.mkdir()
    kept.write_text(text, encoding="utf-8")
    bpelab.exercises.check("01.1", 8)
    assert kept.read_text(encoding="utf-8") == text
    assert first_line().startswith("●      01.1")  # for this session
    assert summary()[1:] == [
        f"Not kept beyond this session: {kept} can't be used. Move it away, or name another file in BPELAB_PROGRESS."
    ]


@pytest.mark.parametrize(
    "exercises", [{"01.1": "<b>"}, {"01.1": ["right"]}, {"01.1": None}, ["01.1"], "right", {"x" * 9999: "right"}, None]
)
def test_odd_contents_of_our_own_file_are_passed_over(kept, exercises):
    kept.parent.mkdir()
    kept.write_text(json.dumps({"format": record.KIND, "exercises": exercises}), encoding="utf-8")
    assert first_line().startswith("○      01.1")
    bpelab.exercises.check("01.1", 8)
    assert json.loads(kept.read_text(encoding="utf-8"))["exercises"] == {"01.1": "right"}


def test_an_empty_file_is_filled_and_no_utf8_is_no_error(kept):
    kept.parent.mkdir()
    kept.write_bytes(b"\xff\xfe")
    bpelab.exercises.check("01.1", 8)
    assert kept.read_bytes() == b"\xff\xfe"
    kept.write_bytes(b"")
    bpelab.exercises.check("01.1", 8)
    assert json.loads(kept.read_text(encoding="utf-8"))["exercises"] == {"01.1": "right"}


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_place_that_cannot_be_written_is_no_error(kept, monkeypatch):
    def refuse(path, text):
        raise PermissionError(13, "no", str(path))

    monkeypatch.setattr(record.files, "write", refuse)
    bpelab.exercises.check("01.1", 8)
    assert first_line().startswith("●      01.1") and "Not kept" in summary()[1]
    for odd in ("/dev/null", "/dev/null/folder/file", str(kept.parent), "~no-such-user/x.json"):
        monkeypatch.setenv(record.VARIABLE, odd)
        bpelab.exercises.check("01.1", 8)
        assert first_line().startswith("●      01.1")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_without_a_file_nothing_is_kept_and_nothing_is_said(monkeypatch):
    monkeypatch.setattr(record, "SEEN", {})
    monkeypatch.setenv(record.VARIABLE, "")
    bpelab.exercises.check("01.1", 8)
    assert first_line().startswith("●      01.1") and len(summary()) == 1


def test_the_file_stands_in_the_users_own_folder(monkeypatch, tmp_path):
    monkeypatch.delenv(record.VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert record.path().name == "progress.json" and record.path().parent.name == "bpelab"


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/home/ann/book/notebooks/01_chunking.ipynb", "en"),
        ("/home/ann/book/notebooks/ja/01_chunking.ipynb", "ja"),
        (r"C:\book\notebooks\ja\solutions\01_chunking.ipynb", "ja"),
        ("ja/01_chunking.ipynb", "ja"),
        ("/home/ja/book/notebooks/01_chunking.ipynb", "en"),
        ("/home/ann/ja.ipynb", "en"),
        ("ja", "en"),
        ("", "en"),
    ],
)
def test_the_notebooks_folder_decides_the_language(monkeypatch, path, language):
    monkeypatch.delenv("BPELAB_LANGUAGE")
    monkeypatch.setenv("JPY_SESSION_NAME", path)
    assert words.language() == language
    monkeypatch.delenv("JPY_SESSION_NAME")
    assert words.language() == "en"
    monkeypatch.setattr(sys.modules["__main__"], "__vsc_ipynb_file__", path, raising=False)
    assert words.language() == language
    monkeypatch.setenv("BPELAB_LANGUAGE", "ja")
    assert words.language() == "ja"


def test_the_variable_and_the_argument_name_a_language(monkeypatch, capsys):
    monkeypatch.setenv("BPELAB_LANGUAGE", "ja")
    bpelab.exercises.check("01.1", ...)
    bpelab.exercises.check("01.1", ..., "en")
    assert capsys.readouterr().out == "○ 01.1  まだ解いていません\n○ 01.1  not tried yet\n"
    assert "練習問題" in str(bpelab.exercises.progress()) and "exercise" in str(bpelab.exercises.progress("en"))
    monkeypatch.setenv("BPELAB_LANGUAGE", "fr")
    with pytest.raises(ValueError, match="BPELAB_LANGUAGE must be one of 'en', 'ja'; got 'fr'"):
        bpelab.exercises.check("01.1", ...)
    with pytest.raises(ValueError, match="language must be one of"):
        bpelab.exercises.check("01.1", ..., "fr")
    with pytest.raises(ValueError, match="language must be one of"):
        bpelab.exercises.progress("fr")


def test_progress_is_a_table_in_html_too():
    page = bpelab.exercises.progress("ja")._repr_html_()
    assert "<table" in page and "★" in page and "問が正解" in page
