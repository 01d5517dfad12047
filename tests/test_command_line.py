import json
import subprocess
import sys

import pandas as pd
import pytest

import bpelab


def run(*arguments, stdin=b""):
    done = subprocess.run([sys.executable, "-m", "bpelab", *map(str, arguments)], input=stdin, capture_output=True)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A text and a model trained on it by the command line."""
    folder = tmp_path_factory.mktemp("command")
    (folder / "text.txt").write_text("low low lower 猫が好き 猫が好き\n" * 3, encoding="utf-8")
    code, out, err = run("train", folder / "text.txt", "-o", folder / "m.json", "--merges", 12, "--special", "<end>")
    assert code == 0 and "12 merges, 269 ids" in out and "bpelab.train" in err
    return folder


def test_train_encode_decode_tokens(folder):
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


def test_sweep_and_compare(folder):
    _, out, _ = run("sweep", folder / "m.json", folder / "text.txt", "--csv", "--plot", folder / "curve.png")
    frame = pd.read_csv(__import__("io").StringIO(out))
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
        (["encode", "none.json"], 1, "No such file"),
        (["train", "none.txt", "-o", "m.json", "--merges", "1"], 1, "No such file"),
        (["encode", "gpt5"], 1, "gpt5"),
        (["decode", "gpt2"], 1, "ids must be whole numbers"),
    ],
)
def test_errors_are_one_line(arguments, code, message, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "bpelab", *arguments], input=b"x", capture_output=True, cwd=tmp_path
    )  # fmt: skip
    assert done.returncode == code
    assert message in done.stderr.decode() and "Traceback" not in done.stderr.decode()
    if code == 1:
        assert done.stderr.count(b"\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_other_encodings_are_refused(folder):
    code, _, err = run("encode", folder / "m.json", stdin="猫".encode("cp932"))
    assert code == 1 and "standard input is not UTF-8" in err and "at byte 0" in err


@pytest.mark.parametrize("command", ["train", "encode", "decode", "tokens", "sweep", "compare"])
def test_each_command_has_help_with_an_example(command):
    code, out, _ = run(command, "--help")
    assert code == 0 and "example:\n  " in out
