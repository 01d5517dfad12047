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
        (["encode", "gpt5"], 1, "gpt5 is no file here, nor a vocabulary; those are gpt2, cl100k_base"),
        (["compare", "gpt9", "--text", "none.txt"], 1, "gpt9 is no file here, nor a vocabulary"),
        (["train", "none.txt", "-o", "", "--merges", "1"], 1, "-o must not be empty"),
        (["train", "none.txt", "-o", "no/m.json", "--merges", "1"], 1, "does not exist; make it first"),
        (["sweep", "gpt2", "none.txt", "--plot", "curve"], 1, "--plot must end in .png, .svg, .pdf, got curve"),
        (["encode", "gpt2", "a\x1b[31mb"], 1, r"a\x1b[31mb"),
        (["premium", "none.tsv"], 1, "none.tsv"),
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


@pytest.mark.parametrize("ids", ["999999", "-1", "9" * 30, "[" * 100_000, "[1.5]", "[[1]]", '["a"]', "1 x"])
def test_ids_that_are_none_are_one_line(run, ids):
    code, out, err = run("decode", "gpt2", stdin=ids.encode())
    assert (code, out, err.count("\n")) == (1, "", 1) and "ids" in err


def test_an_input_is_never_overwritten(run, folder, tmp_path):
    text = tmp_path / "mine.txt"
    text.write_text("low low", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to(text)
    (tmp_path / "hard.txt").hardlink_to(text)
    for name in ("mine.txt", "link.txt", "hard.txt", "./mine.txt"):
        code, _, err = run("train", text, "-o", f"{tmp_path}/{name}", "--merges", 1)
        assert code == 1 and "is an input, and would be lost" in err
    assert run("sweep", folder / "m.json", text, "--plot", text)[0] == 1
    model = tmp_path / "m.json"
    assert run("train", text, "-o", model, "--merges", 1, "--quiet")[0] == 0
    assert run("train", text, "-o", model, "--start", model, "--merges", 1)[0] == 1
    assert text.read_text(encoding="utf-8") == "low low"


def test_a_model_can_go_to_standard_output(run, tmp_path):
    (tmp_path / "a.txt").write_text("low low", encoding="utf-8")
    code, out, err = run("train", tmp_path / "*.txt", "-o", "-", "--merges", 9, "--quiet")
    assert code == 0 and "no pair is left after 3 merges" in err
    (tmp_path / "m.json").write_text(out, encoding="utf-8")
    assert len(bpelab.load(tmp_path / "m.json").merges) == 3
    assert run("train", tmp_path / "a.txt", "-o", tmp_path / "n.json", "--vocab-size", 300)[1].endswith(
        "259 ids; no pair is left after 259 entries\n"
    )


def test_going_on_from_a_model(run, folder, tmp_path):
    (tmp_path / "a.txt").write_text("newest newest", encoding="utf-8")
    code, out, _ = run(
        "train", tmp_path / "a.txt", "-o", tmp_path / "n.json", "--start", folder / "m.json", "--merges", 2
    )
    assert code == 0 and "14 merges, 271 ids" in out
    assert bpelab.load(tmp_path / "n.json").merges[:12] == bpelab.load(folder / "m.json").merges


def test_encodings_and_names_of_files(run, folder, tmp_path, monkeypatch):
    (tmp_path / "猫.txt").write_bytes("猫が好き".encode("cp932"))
    (tmp_path / "u.txt").write_bytes("猫が好き".encode("utf-16"))
    for name, options in (("猫.txt", ["--encoding", "cp932"]), ("u.txt", [])):
        code, out, _ = run("encode", folder / "m.json", tmp_path / name, *options)
        assert code == 0 and bpelab.load(folder / "m.json").decode(map(int, out.split())) == "猫が好き"
    strange = tmp_path / "=cmd\x1b.txt"
    strange.write_text("low", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    _, out, _ = run("compare", "gpt2", "--text", strange.name, "--csv")
    assert "\x1b" not in out and "'=cmd" in out
    (tmp_path / "home.txt").write_text("low", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run("encode", folder / "m.json", "~/home.txt")[0] == 0


def test_tokens_a_line_a_line_and_in_colour_on_a_terminal(run, folder, monkeypatch):
    assert run("tokens", folder / "m.json", stdin=b"low\nlow")[1] == "low|\\n\nlow\n3 tokens\n"
    monkeypatch.setattr("os.environ", {})
    from bpelab import __main__

    shown = __main__._coloured([(4, b"low"), (8, b"\x1b[0m")])
    assert shown.count("\x1b[30;48") == 2 and "\\u001b[0m" in shown and "4 8" in shown


def test_premium(run, tmp_path):
    (tmp_path / "en.txt").write_text("cat\ndog\n", encoding="utf-8")
    (tmp_path / "ja.txt").write_text("猫\n犬\n", encoding="utf-8")
    rows = json.loads(run("premium", tmp_path / "en.txt", tmp_path / "ja.txt", "--models", "gpt2", "--json")[1])
    assert (rows[0]["en_tokens"], rows[0]["ja_tokens"], rows[0]["premium"]) == (2, 6, 3.0)
    (tmp_path / "ja.txt").write_text("猫\n", encoding="utf-8")
    code, _, err = run("premium", tmp_path / "en.txt", tmp_path / "ja.txt")
    assert code == 1 and "en.txt" in err and "ja.txt" in err and "2" in err and "1" in err


@pytest.mark.parametrize("command", ["train", "encode", "decode", "tokens", "sweep", "compare", "premium", "count"])
def test_each_command_has_help_with_an_example(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0 and "example:\n  " in out


def test_counting_and_encoding_of_many_files(run, tmp_path):
    lines = ["low lower", "猫が好き", "newest low"]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": line}) + "\n" for line in lines), encoding="utf-8")
    (tmp_path / "b.txt").write_text("low low", encoding="utf-8")
    code, out, err = run("count", tmp_path / "*.*", "-o", tmp_path / "counts.npz", "--quiet")
    assert (code, err) == (0, "") and "distinct chunks" in out
    code, out, _ = run(
        "train", "--counts", tmp_path / "counts.npz", "-o", tmp_path / "m.json", "--merges", 9, "--quiet"
    )
    assert code == 0 and "9 merges" in out
    tok = bpelab.load(tmp_path / "m.json")
    assert tok == bpelab.train(sorted([*lines, "low low"]), 9, base="byte", chunking="gpt2")
    code, out, err = run(
        "encode", tmp_path / "m.json", tmp_path / "a.jsonl", tmp_path / "b.txt", "-o", tmp_path / "ids", "--quiet"
    )
    assert code == 0, err
    assert f"{sum(map(len, tok.encode_batch([*lines, 'low low'])))} tokens" in out
    for wrong in (["train", "-o", "x.json", "--merges", 1], ["encode", "gpt2", "a", "b"]):
        assert run(*wrong)[0] == 1


@pytest.mark.parametrize("name", ["qwen3.6", "gpt2"])
def test_every_vocabulary_encodes_and_decodes(run, name):
    text = "人力资源 low 猫"
    code, out, _ = run("encode", name, stdin=text.encode())
    assert code == 0 and list(map(int, out.split())) == bpelab.vocabularies.load(name).encode(text)
    assert run("decode", name, stdin=out.encode())[1] == text


def test_another_librarys_file_is_measured(run, tmp_path):
    bpelab.from_tiktoken(bpelab.vocabularies.load("gpt2")).to_huggingface().save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "t.txt").write_text("low lower 猫", encoding="utf-8")
    rows = json.loads(run("compare", tmp_path / "tokenizer.json", "gpt2", "--text", tmp_path / "t.txt", "--json")[1])
    assert rows[0]["tokens"] == rows[1]["tokens"]
    assert run("sweep", tmp_path / "tokenizer.json", tmp_path / "t.txt", "--csv")[0] == 0
