import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import files


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@given(
    corpus=st.text(st.characters(codec="utf-8"), max_size=60),
    text=st.text(st.characters(codec="utf-8"), max_size=30),
    base=st.sampled_from(["char", "byte"]),
    chunking=st.sampled_from(["space", "whole", "gpt2", r" ?\w+|(?s:.)"]),
    special=st.sampled_from([[], ["<|行\n末|>", "<| end of text |>"], {"<x>": 4000}]),
)
def test_what_is_loaded_is_what_was_saved(tmp_path_factory, corpus, text, **options):
    path = tmp_path_factory.mktemp("models") / "m.json"
    tok = bpelab.train(
        corpus, 20, **{k: v for k, v in options.items() if k != "special"}, special_tokens=options["special"]
    )
    tok.save(path)
    again = bpelab.load(path)
    assert again == tok
    assert (again.merges, again.vocab, again.lengths) == (tok.merges, tok.vocab, tok.lengths)
    assert again.encode(text, allowed_special="all") == tok.encode(text, allowed_special="all")


@pytest.mark.parametrize("text", ["\n\n\n\n\n\n x", "# # ## ## ### #version: #version:", "猫\r\n猫\t\x00", "abc def"])
def test_tokens_no_line_could_hold(path, text):
    for options in ({"chunking": "whole", "base": "byte"}, {"min_frequency": 2}, {"end_of_word": "</w>"}):
        tok = bpelab.train(text, 9, **options)
        tok.save(path)
        assert bpelab.load(path).merges == tok.merges
        assert bpelab.load(path).decode(tok.encode(text)) == tok.decode(tok.encode(text))


def changed(document, **fields):
    return json.dumps(document | fields)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d, s: "", "no valid model"),
        (lambda d, s: s[: len(s) // 2], "no valid model"),
        (lambda d, s: "[" * 100_000, "too deeply"),
        (lambda d, s: '{"format": "bpelab", "format": "bpelab"}', "given twice"),
        (lambda d, s: s.replace('"version": 1', '"version": NaN'), "NaN is not a number"),
        (lambda d, s: "[]", "a list"),
        (lambda d, s: changed(d, format="other"), '"format" must be "bpelab"'),
        (lambda d, s: changed(d, version=2), "version must be 1, got 2"),
        (lambda d, s: changed(d, version=True), "version must be 1, got True"),
        (lambda d, s: changed(d, extra=1), "fields must be"),
        (lambda d, s: changed(d, merges=d["merges"][:-1]), "lengths must have"),
        (lambda d, s: changed(d, merges=d["merges"][:-1], lengths=None), '"vocab_size" says 12, but there are 11'),
        (lambda d, s: changed(d, merges=[[999, 1, 2]]), r"merges\[0\] uses id 999"),
        (lambda d, s: changed(d, merges=[[0, 1, 2]]), r"merges\[0\] uses id 0"),
        (lambda d, s: changed(d, merges=[[-1, 1, 2]]), r"merges\[0\]\[0\] must be a whole number"),
        (lambda d, s: changed(d, merges=[[1.0, 1, 2]]), r"merges\[0\]\[0\] must be a whole number"),
        (lambda d, s: changed(d, merges=[d["merges"][0]] * 2), r"merges\[1\] makes .* again"),
        (lambda d, s: changed(d, merges=[[1, 2]]), r"merges\[0\] must be \[left id, right id, count\]"),
        (lambda d, s: changed(d, merges=[[1, 1, 1], *([n, n, 1] for n in range(6, 60))]), "more than 64 MiB"),
        (lambda d, s: changed(d, merges="abc"), '"merges" is of the wrong type'),
        (lambda d, s: changed(d, base="bits"), "base must be one of"),
        (lambda d, s: changed(d, base="byte"), "characters belong to base='char'"),
        (lambda d, s: changed(d, chunking="("), "chunking is not a valid pattern"),
        (lambda d, s: changed(d, chunking=None), '"chunking" is of the wrong type'),
        (lambda d, s: changed(d, special_tokens={"<x>": 1}), "belongs to the vocabulary"),
        (lambda d, s: changed(d, special_tokens={"<x>": 2**70}), "must be at most"),
        (lambda d, s: changed(d, lengths=[-1]), r"lengths\[0\] must be a whole number"),
        (lambda d, s: changed(d, characters="\ud83d"), "lone surrogate"),
        (lambda d, s: b"\xff\xfe" + s.encode(), "no valid model"),
    ],
)
def test_bad_files(path, change, message):
    bpelab.train("low low lower").save(path)
    source = path.read_text(encoding="utf-8")
    new = change(json.loads(source), source)
    path.write_bytes(new if isinstance(new, bytes) else new.encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError, match=message):
        bpelab.load(path)


@given(st.binary(max_size=200))
def test_any_bytes_load_or_raise_value_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("models") / "m.json"
    path.write_bytes(data)
    with pytest.raises(ValueError):
        bpelab.load(path)


def test_a_function_cannot_be_saved(path):
    with pytest.raises(ValueError, match="chunking is a function, which a file cannot hold"):
        bpelab.train("a b", chunking=list).save(path)
    assert not path.exists()


def test_an_interrupted_save_leaves_the_old_file(path, monkeypatch):
    bpelab.train("low low").save(path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError("no space left on device")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patched, pytest.raises(OSError, match="no space"):
            patched.setattr(files.os, step, fail)
            bpelab.train("newest").save(path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.skipif(os.name == "nt", reason="file modes and links are POSIX")
def test_the_file_keeps_its_mode_and_link(path, tmp_path):
    tok = bpelab.train("low low")
    tok.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    tok.save(link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        bpelab.load(tmp_path / "none.json")


def test_load_knows_the_other_families(path):
    for model in (bpelab.Unigram({"a": 0.5, "b": 0.25}), bpelab.WordPiece(["a", "##b"])):
        model.save(path)
        assert bpelab.load(path) == model
    path.write_text('{"format": "bpelab-unigram"}', encoding="utf-8")
    with pytest.raises(ValueError, match="no valid bpelab-unigram model: version must be 1"):
        bpelab.load(path)
