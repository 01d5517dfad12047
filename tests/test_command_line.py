"""The command line: called in this process, but for one test of `python -m bpelab` and one of the installed script."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import bpelab
from bpelab.__main__ import main


@pytest.fixture
def run(monkeypatch, capsysbinary):
    """Run a command: (exit code, standard output, standard error)."""

    def command(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="ascii"))
        try:
            code = main([*map(str, arguments)])
        except SystemExit as left:  # argparse, for --help and wrong usage
            code = left.code
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A text and a model trained on it by the command line, in a process of its own."""
    folder = tmp_path_factory.mktemp("command")
    (folder / "text.txt").write_text("low low lower 猫が好き 猫が好き\n" * 3, encoding="utf-8")
    options = ["--merges", "12", "--special", "<end>"]
    done = subprocess.run(
        [sys.executable, "-m", "bpelab", "train", "text.txt", "-o", "m.json", *options], cwd=folder, capture_output=True
    )
    assert done.returncode == 0 and b"12 merges, 269 ids" in done.stdout and b"bpelab.train" in done.stderr
    return folder


SCRIPT = shutil.which("bpelab", path=str(Path(sys.executable).parent))


@pytest.mark.skipif(not SCRIPT, reason="the installed script is not beside this Python")
@pytest.mark.parametrize(("arguments", "code"), [(["encode", "m.json", "text.txt"], 0), (["encode", "none.json"], 1)])
def test_the_installed_script(folder, arguments, code):
    done = subprocess.run([SCRIPT, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == code
    if code == 0:
        text = (folder / "text.txt").read_text(encoding="utf-8")
        assert bpelab.load(folder / "m.json").decode(map(int, done.stdout.split())) == text


def test_train_encode_decode_tokens(run, folder):
    tok = bpelab.load(folder / "m.json")
    text = "low 猫\r\n"
    code, out, err = run("encode", folder / "m.json", stdin=text.encode())
    assert (code, err) == (0, "")
    assert list(map(int, out.split())) == tok.encode(text)
    assert run("decode", folder / "m.json", stdin=out.encode()) == (0, text, "")
    code, out, _ = run("encode", folder / "m.json", "--json", stdin=text.encode())
    assert json.loads(out) == tok.encode(text)
    assert run("decode", folder / "m.json", stdin=out.encode())[1] == text
    assert run("tokens", folder / "m.json", folder / "text.txt")[1].endswith(" tokens\n")
    code, out, _ = run("tokens", "gpt2", "--json", stdin="猫".encode())
    assert json.loads(out) == [{"id": i, "token": t} for i, t in ((163, "<0xE7>"), (234, "<0x8C>"), (104, "<0xAB>"))]


def test_sweep_and_compare(run, folder):
    _, out, _ = run("sweep", folder / "m.json", folder / "text.txt", "--csv", "--plot", folder / "curve.png")
    frame = pd.read_csv(io.StringIO(out))
    tok, text = bpelab.load(folder / "m.json"), bpelab.corpora.read(folder / "text.txt")
    assert frame["tokens"].tolist() == bpelab.sweep(tok, text)["tokens"].tolist()
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    rows = json.loads(run("compare", folder / "m.json", "gpt2", "--text", folder / "text.txt", "--json")[1])
    assert [row["vocab_size"] for row in rows] == [269, 50257]
    assert rows[0]["tokens"] == len(tok.encode(text))
    assert "vocab_size" in run("compare", "gpt2", "--text", folder / "text.txt")[1]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "COMMAND"),
        (["train"], 2, "required"),
        (["encode", "none.json"], 1, "none.json"),
        (["train", "none.txt", "-o", "m.json", "--merges", "1"], 1, "none.txt"),
        (["encode", "gpt5"], 1, "gpt5"),
        (["decode", "gpt2"], 1, "ids must be whole numbers"),
    ],
)
def test_errors_are_one_line(run, arguments, code, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    left, _, err = run(*arguments, stdin=b"x")
    assert left == code
    assert message in err and "Traceback" not in err
    if code == 1:
        assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_other_encodings_are_refused(run, folder):
    code, _, err = run("encode", folder / "m.json", stdin="猫".encode("cp932"))
    assert code == 1 and "standard input is not UTF-8" in err and "at byte 0" in err


@pytest.mark.parametrize("command", ["train", "encode", "decode", "tokens", "sweep", "compare"])
def test_each_command_has_help_with_an_example(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0 and "example:\n  " in out
