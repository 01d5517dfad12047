"""Files of any size: the same tables, merges and ids however the work is cut up, spread, spilled or interrupted."""

import gzip
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise

import numpy as np
import pytest

import bpelab
from bpelab import files, scale
from bpelab.scale import counting, encoding, reading, work

MISSING = [name for name in ("distributed", "fsspec", "pyarrow", "zstandard") if not importlib.util.find_spec(name)]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs the extra `scale`: {', '.join(MISSING)}")
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
ENGLISH, JAPANESE = (bpelab.corpora.text("parallel", language) for language in ("en", "ja"))
#: Part sizes that cut inside words, characters, records, line ends; and one that cuts nothing.
SIZES = (1, 7, 1000, 1 << 20)


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture
def corpus(tmp_path):
    """A text of English and one of Japanese."""
    for name, text in (("en", ENGLISH), ("ja", JAPANESE)):
        (tmp_path / f"{name}.txt").write_bytes(text.encode())
    return tmp_path


def write_records(folder, documents):
    """The same documents in each kind of file: name -> path."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    import zstandard

    lines = "".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(documents)).encode()
    half = lines.index(b"\n", len(lines) // 2) + 1
    two_frames = b"".join(zstandard.ZstdCompressor().compress(part) for part in (lines[:half], lines[half:]))
    (folder / "a.jsonl").write_bytes(lines)
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(lines[:half]) + gzip.compress(lines[half:]))
    (folder / "a.jsonl.zst").write_bytes(two_frames)
    pq.write_table(pa.table({"text": documents, "id": range(len(documents))}), folder / "a.parquet", row_group_size=10)
    return {path.name: str(path) for path in folder.glob("a.*")}


DOCUMENTS = ["low lower", "", "猫が。\r\n猫", "a\n\nb\u2028c", "\ufeffx", *ENGLISH.splitlines()[:40]]


# --- counting ---


@pytest.mark.parametrize("chunking", sorted(reading.BORDERS))
def test_a_text_cut_anywhere_has_the_chunks_of_the_whole(tmp_path, monkeypatch, chunking):
    draw = random.Random(0)
    pieces = "a b é 猫 ね 12 ' 's 'll . 。 、 ! / \u0301 が ー 👩\u200d👧 \u00a0 ς Σ".split(" ")
    pieces += [" ", "  ", "\n", "\n\n", "\r\n", "\r", "\t"]
    for _ in range(8):
        text = "".join(draw.choices(pieces, k=150))
        (tmp_path / "a.txt").write_bytes(text.encode())
        expected = bpelab.count_chunks(text.removeprefix("\ufeff"), chunking)
        for size in (1, 5, 64):
            monkeypatch.setattr(reading, "BATCH", size)
            table = scale.count_files(tmp_path / "a.txt", chunking, part_size=2 * size + 1)
            assert dict(table) == expected
            assert (table.documents, table.characters, table.bytes) == (1, len(text), len(text.encode()))


@pytest.mark.parametrize("chunking", ["whole", r"\w+|\W", lambda text: list(text)])
@pytest.mark.parametrize("lines", [False, True])
def test_other_chunkings_see_a_text_whole_or_by_lines(corpus, chunking, lines):
    table = scale.count_files(corpus / "en.txt", chunking, lines=lines, part_size=100)
    assert dict(table) == bpelab.count_chunks(ENGLISH.splitlines(keepends=True) if lines else ENGLISH, chunking)
    assert table.documents == (ENGLISH.count("\n") if lines else 1)


@pytest.mark.parametrize("size", SIZES)
def test_every_kind_of_file_gives_the_same_table(tmp_path, size):
    paths = write_records(tmp_path, DOCUMENTS)
    assert len(paths) == 4
    expected = bpelab.count_chunks(DOCUMENTS, "gpt2")
    for path in paths.values():
        table = scale.count_files(path, "gpt2", part_size=size)
        assert dict(table) == expected
        assert table.documents == len(DOCUMENTS)


def test_texts_are_read_packed_by_pattern_and_through_fsspec(corpus):
    import fsspec
    import zstandard

    (corpus / "en.txt.gz").write_bytes(gzip.compress(ENGLISH.encode()))
    (corpus / "en.txt.zst").write_bytes(zstandard.ZstdCompressor().compress(ENGLISH.encode()))
    memory = fsspec.filesystem("memory")
    memory.pipe({"/bpelab/en.txt": ENGLISH.encode(), "/bpelab/ja.txt": JAPANESE.encode()})
    one = bpelab.count_chunks(ENGLISH, "gpt2")
    assert dict(scale.count_files(corpus / "en.txt.gz", "gpt2")) == one
    assert dict(scale.count_files(str(corpus / "en.*.zst"), "gpt2")) == one
    both = bpelab.count_chunks([ENGLISH, JAPANESE], "gpt2")
    assert dict(scale.count_files(corpus / "*.txt", "gpt2")) == both
    assert dict(scale.count_files("memory://bpelab/*.txt", "gpt2", part_size=5000)) == both
    assert reading.found([corpus / "ja.txt", "memory://bpelab/en.txt"])[1] == "memory:///bpelab/en.txt"


def test_what_spills_comes_back(corpus):
    whole = scale.count_files(corpus / "*.txt", "gpt2")
    for memory in (1, 20_000, 200_000):
        spilled = scale.count_files(corpus / "*.txt", "gpt2", memory=memory, folder=corpus, part_size=30_000)
        assert list(spilled.items()) == list(whole.items())
        assert spilled.bytes == whole.bytes
    assert sorted(os.listdir(corpus)) == ["en.txt", "ja.txt"]
    assert list(whole) == sorted(whole)


def test_workers_count_what_one_process_counts(corpus, client):
    whole = scale.count_files(corpus / "*.txt", "gpt2")
    for memory in (1 << 20, 20_000):
        spread = scale.count_files(
            corpus / "*.txt", "gpt2", client=client, part_size=20_000, memory=memory, folder=corpus
        )
        assert list(spread.items()) == list(whole.items())
        assert (spread.documents, spread.characters, spread.bytes) == (2, whole.characters, whole.bytes)
    trained = bpelab.train(spread, 300, base="byte", chunking="gpt2")
    assert trained == bpelab.train([ENGLISH, JAPANESE], 300, base="byte", chunking="gpt2")


@POSIX
@pytest.mark.parametrize("memory", [1 << 20, 20_000])
def test_a_killed_worker_loses_no_count(corpus, client, memory):
    killed = corpus / "killed"

    def dies_once(text):
        if "gray" in text or "雨" in text:
            try:
                os.close(os.open(killed, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                pass
        return [text]

    options = {"lines": True, "part_size": 20_000, "memory": memory}
    counted = scale.count_files(corpus / "*.txt", dies_once, client=client, folder=corpus, **options)
    assert killed.exists()
    assert dict(counted) == bpelab.count_chunks(ENGLISH + JAPANESE, "lines")


def test_min_count_says_what_it_drops(corpus):
    whole = scale.count_files(corpus / "en.txt", "gpt2")
    for memory in (1 << 30, 10_000):
        cut = scale.count_files(corpus / "en.txt", "gpt2", min_count=3, memory=memory)
        assert dict(cut) == {chunk: n for chunk, n in whole.items() if n >= 3}
        rare = {chunk: n for chunk, n in whole.items() if n < 3}
        size = sum(len(chunk.encode()) * n for chunk, n in rare.items())
        assert cut.dropped == {"chunks": len(rare), "occurrences": sum(rare.values()), "bytes": size}
        assert cut.min_count == 3


def test_an_empty_file_is_an_empty_document(tmp_path):
    (tmp_path / "a.txt").touch()
    table = scale.count_files(tmp_path / "a.txt", "gpt2")
    assert (len(table), table.documents, list(table)) == (0, 1, [])
    table.save(tmp_path / "a.counts")
    assert dict(scale.load_counts(tmp_path / "a.counts")) == {}
    manifest = scale.encode_files(bpelab.train("ab", 1), tmp_path / "a.txt", tmp_path / "out")
    assert (manifest["documents"], manifest["tokens"]) == (1, 0)


# --- the table ---


def test_a_table_is_a_mapping():
    table = scale.Counts.of({"猫": 3, "b": 2, "a": 1}, "space")
    assert list(table.items()) == [("a", 1), ("b", 2), ("猫", 3)]
    assert (table["b"], table.get("c"), "猫" in table, 1 in table, "\ud800" in table) == (2, None, True, False, False)
    assert (len(table), list(table.values())) == (3, [1, 2, 3])
    with pytest.raises(KeyError, match="c"):
        table["c"]


def test_train_takes_a_table_and_refuses_what_it_cannot_answer():
    table = scale.Counts.of(bpelab.count_chunks(ENGLISH, "gpt2"), "gpt2")
    for tie in set(bpelab.ties.TIES) - {"first"}:
        assert bpelab.train(table, 50, chunking="gpt2", tie=tie) == bpelab.train(ENGLISH, 50, chunking="gpt2", tie=tie)
    with pytest.raises(ValueError, match="tie 'first' needs the order"):
        bpelab.train(table, 50, chunking="gpt2", tie="first")
    with pytest.raises(ValueError, match="chunking must be that of the table of counts, 'gpt2'; got 'space'"):
        bpelab.train(table, 50)


def test_a_saved_table_comes_back(tmp_path):
    bad = [scale.BadRecord("ä.txt", 3, "why")]
    table = scale.Counts.of({"a": 1, "猫": 1 << 40}, "gpt2", totals=(1, 2, 3), min_count=1, bad=bad)
    table.save(tmp_path / "t")
    again = scale.load_counts(tmp_path / "t")
    assert list(again.items()) == list(table.items())
    assert (again.chunking, again.documents, again.bytes, again.bad) == ("gpt2", 1, 3, tuple(bad))
    scale.Counts.of({"a": 1}, str.split).save(tmp_path / "t")
    assert scale.load_counts(tmp_path / "t").chunking is None


def test_a_damaged_table_is_refused(tmp_path):
    path = tmp_path / "t"
    scale.Counts.of({"a": 1, "b": 2, "猫": 3}, "gpt2").save(path)
    whole = path.read_bytes()
    line, rest = whole.split(b"\n", 1)
    header = json.loads(line)
    for at in (0, 1, 10, len(line), len(line) + 9, len(whole) - 1):
        path.write_bytes(whole[:at])
        with pytest.raises(ValueError, match=r"no table of counts|damaged"):
            scale.load_counts(path)
    changes = [
        {"distinct": 2}, {"distinct": -1}, {"distinct": 1 << 60}, {"distinct": "3"}, {"chunking": 3}, {"version": 9},
        {"dropped": {}}, {"bad": [[1]]}, {"bytes": None}, {"format": "x"},
    ]  # fmt: skip
    for change in changes:
        path.write_bytes(json.dumps(header | change).encode() + b"\n" + rest)
        with pytest.raises(ValueError, match=r"no table of counts|damaged|version 9"):
            scale.load_counts(path)
    numbers = np.frombuffer(rest[:48], np.int64)
    for at, value in ((0, 0), (0, 1 << 62), (3, 2), (4, 1), (5, 9)):
        changed = numbers.copy()
        changed[at] = value
        changed[1] = (1 << 62) if value == 1 << 62 else changed[1]
        path.write_bytes(line + b"\n" + changed.tobytes() + rest[48:])
        with pytest.raises(ValueError, match="damaged"):
            scale.load_counts(path)
    for data in (b"ba\xe7\x8c\xab", b"ab\xff\x8c\xab", b"aa\xe7\x8c\xab"):
        path.write_bytes(line + b"\n" + rest[:48] + data)
        with pytest.raises(ValueError, match="damaged"):
            scale.load_counts(path)


def test_a_table_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "t"
    scale.Counts.of({"a": 1}, "gpt2").save(path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        scale.Counts.of({"b": 1}, "gpt2").save(path)
    assert list(scale.load_counts(path)) == ["a"]


# --- encoding ---


def ids_in(folder):
    """The ids of each document, by the manifest of a folder of .npy shards."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for shard in manifest["shards"]:
        ids = np.load(folder / shard["files"][0], mmap_mode="r")
        offsets = np.load(folder / shard["files"][1])
        assert (ids.dtype, len(ids), len(offsets)) == (manifest["dtype"], shard["tokens"], shard["documents"] + 1)
        yield from (ids[start:end].tolist() for start, end in pairwise(offsets))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


TOK = bpelab.train([ENGLISH, JAPANESE], 300, base="byte", chunking="gpt2")


@pytest.mark.parametrize("size", [500, 1 << 20])
def test_encoded_documents_are_those_of_encode(tmp_path, size):
    expected = [TOK.encode(text) for text in DOCUMENTS]
    for name, path in write_records(tmp_path, DOCUMENTS).items():
        manifest = scale.encode_files(TOK, path, tmp_path / f"{name}-{size}", part_size=size)
        assert list(ids_in(tmp_path / f"{name}-{size}")) == expected
        assert (manifest["documents"], manifest["tokens"]) == (len(DOCUMENTS), sum(map(len, expected)))
        assert bpelab.load(tmp_path / f"{name}-{size}" / manifest["tokenizer"]) == TOK


def test_encoded_texts_are_whole_or_by_lines(corpus, monkeypatch):
    monkeypatch.setattr(reading, "BATCH", 1000)
    scale.encode_files(TOK, corpus / "*.txt", corpus / "whole", part_size=9000)
    assert list(ids_in(corpus / "whole")) == [TOK.encode(ENGLISH), TOK.encode(JAPANESE)]
    scale.encode_files(TOK, corpus / "*.txt", corpus / "lines", part_size=9000, lines=True)
    assert list(ids_in(corpus / "lines")) == TOK.encode_batch((ENGLISH + JAPANESE).splitlines(keepends=True))


def test_parquet_shards_hold_the_same_ids(corpus, monkeypatch):
    import pyarrow.parquet as pq

    monkeypatch.setattr(reading, "BATCH", 1000)
    manifest = scale.encode_files(TOK, corpus / "*.txt", corpus / "out", format="parquet")
    rows = [row for shard in manifest["shards"] for row in pq.read_table(corpus / "out" / shard["files"][0])["ids"]]
    assert [row.as_py() for row in rows] == [TOK.encode(ENGLISH), TOK.encode(JAPANESE)]
    assert rows[0].type.value_type == "uint16"


def test_the_ids_fit_their_type(tmp_path):
    (tmp_path / "a.txt").write_text("<last>ab", encoding="utf-8")
    for last, dtype in ((65_535, "uint16"), (65_536, "uint32")):
        tok = bpelab.train("ab", 1, special_tokens={"<last>": last})
        assert scale.encode_files(tok, tmp_path / "a.txt", tmp_path / dtype)["dtype"] == dtype
        assert list(ids_in(tmp_path / dtype)) == [tok.encode("<last>ab")]


@pytest.mark.parametrize("format", encoding.FORMATS)
def test_interrupted_and_resumed_is_the_same_to_the_byte(corpus, monkeypatch, format):
    options = {"lines": True, "part_size": len(ENGLISH) // 8, "format": format}
    scale.encode_files(TOK, corpus / "*.txt", corpus / "at once", **options)
    encode_part, done = encoding.encode_part, []

    def stops(part, number, *arguments):
        if number == 5 and len(done) == 5:
            raise KeyboardInterrupt
        done.append(number)
        encode_part(part, number, *arguments)

    monkeypatch.setattr(encoding, "encode_part", stops)
    out = corpus / "resumed"
    with pytest.raises(KeyboardInterrupt):
        scale.encode_files(TOK, corpus / "*.txt", out, **options)
    assert not (out / "manifest.json").exists()
    (out / ".shard-00005.npy-abc.tmp").write_bytes(b"left by a killed process")
    done.append("again")
    scale.encode_files(TOK, corpus / "*.txt", out, **options)
    assert done[:6] == [0, 1, 2, 3, 4, "again"] and done[6:] == list(range(5, done[-1] + 1))
    assert contents(out) == contents(corpus / "at once")


def test_an_interruption_within_a_shard_leaves_no_part_of_it(corpus, monkeypatch):
    monkeypatch.setattr(reading, "BATCH", 1000)

    def stops(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(encoding.os, "replace", stops)
        with pytest.raises(KeyboardInterrupt):
            scale.encode_files(TOK, corpus / "en.txt", corpus / "out")
    assert not list((corpus / "out").glob("*shard*"))
    scale.encode_files(TOK, corpus / "en.txt", corpus / "out")
    assert list(ids_in(corpus / "out")) == [TOK.encode(ENGLISH)]


@POSIX
def test_workers_encode_in_order_and_a_killed_one_loses_nothing(corpus, client):
    (corpus / "en.txt").write_bytes(20 * ENGLISH.encode())
    options = {"lines": True, "part_size": 50_000}
    scale.encode_files(TOK, corpus / "*.txt", corpus / "alone", **options)
    killed = []

    def kill():
        until = time.monotonic() + 30
        while not list(corpus.glob("spread/shard-*.json")) and time.monotonic() < until:
            time.sleep(0.002)
        pid = next(iter(client.run(os.getpid).values()))
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    scale.encode_files(TOK, corpus / "*.txt", corpus / "spread", client=client, **options)
    thread.join()
    assert killed
    whole = {name: data for name, data in contents(corpus / "spread").items() if not name.endswith(".tmp")}
    assert whole == contents(corpus / "alone")  # what was being written when it died stays under a name of its own


def test_another_job_in_the_same_folder_is_refused(corpus):
    scale.encode_files(TOK, corpus / "en.txt", corpus / "out")
    before = contents(corpus / "out")
    for tok, path, options in [
        (TOK.truncate(10), "en.txt", {}),
        (TOK, "ja.txt", {}),
        (TOK, "en.txt", {"lines": True}),
        (TOK, "en.txt", {"format": "parquet"}),
    ]:
        with pytest.raises(ValueError, match="holds another job's shards"):
            scale.encode_files(tok, corpus / path, corpus / "out", **options)
    (corpus / "en.txt").write_bytes(ENGLISH.encode() + b"x")
    with pytest.raises(ValueError, match=r"plan\.json differs"):
        scale.encode_files(TOK, corpus / "en.txt", corpus / "out")
    assert contents(corpus / "out") == before


def test_other_families_encode_too(corpus):
    tok = bpelab.Unigram.train(ENGLISH, 600)
    scale.encode_files(tok, corpus / "en.txt", corpus / "out")
    assert list(ids_in(corpus / "out")) == [tok.encode(ENGLISH)]


# --- measuring ---


def test_sweeps_and_comparisons_are_those_of_texts_in_memory(corpus, client):
    columns = ["merges", "vocab_size", "tokens", "chars_per_token", "bytes_per_token"]
    expected = bpelab.sweep(TOK, ENGLISH)[columns]
    for where in (None, client):
        frame = scale.sweep_files(TOK, corpus / "en.txt", part_size=1000, client=where)
        assert frame.equals(expected)
    encoders = {"all": TOK, "few": TOK.truncate(9)}
    texts = {"en": corpus / "en.txt", "ja": corpus / "ja.txt"}
    expected = bpelab.compare(encoders, {"en": ENGLISH, "ja": JAPANESE})
    for where in (None, client):
        frame = scale.compare_files(encoders, texts, client=where)
        rows = frame.drop(columns="documents").sort_values(["encoder", "text"], ignore_index=True)
        assert rows[expected.columns].equals(expected)
        assert frame["documents"].tolist() == [1, 1, 1, 1]


# --- what goes wrong ---


def bad_files(folder):
    import pyarrow as pa
    import pyarrow.parquet as pq

    good = '{"text": "good"}\n'
    lines = [good, "{\n", good, "\n", '{"txt": "x"}\n', '"x"\n', '{"text": 3}\n', '{"text": "\\ud800"}\n', good, "x"]
    (folder / "a.jsonl").write_bytes("".join(lines).encode() + b'\n{"text": "\xff"}\n[[[')
    (folder / "a.jsonl.gz").write_bytes(gzip.compress((folder / "a.jsonl").read_bytes()))
    pq.write_table(pa.table({"text": ["good", None, "good", None]}), folder / "a.parquet", row_group_size=3)
    (folder / "a.txt").write_bytes(b"good\nb\xffd\xfe\ngood\n\xe3\x81\n")


BAD = {
    "a.jsonl": [2, 5, 6, 7, 8, 10, 11, 12],
    "a.jsonl.gz": [2, 5, 6, 7, 8, 10, 11, 12],
    "a.parquet": [2, 4],
    "a.txt": [2, 4],
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_records_are_named_or_listed(tmp_path, name, size):
    bad_files(tmp_path)
    path, unit = tmp_path / name, "row" if name == "a.parquet" else "line"
    with pytest.raises(ValueError, match=rf"{name}, {unit} {BAD[name][0]}: .*bad='list' goes on"):
        scale.count_files(path, "gpt2", part_size=size)
    table = scale.count_files(path, "gpt2", bad="list", part_size=size)
    assert [record.record for record in table.bad] == BAD[name]
    assert {record.path for record in table.bad} == {str(path)}
    if name != "a.txt":
        assert dict(table) == {"good": 2 if name == "a.parquet" else 3}
    with pytest.raises(ValueError, match=rf"{unit} {BAD[name][0]}"):
        scale.encode_files(TOK, path, tmp_path / "out", part_size=20 * size)
    manifest = scale.encode_files(TOK, path, tmp_path / "list", bad="list", part_size=20 * size)
    assert [record for _, record, _ in manifest["bad"]] == BAD[name]
    assert len(scale.sweep_files(TOK, path, bad="list").attrs["bad"]) == len(BAD[name])
    assert len(scale.compare_files({"a": TOK}, {"b": path}, bad="list").attrs["bad"]) == len(BAD[name])


def test_a_record_nested_too_deeply_is_bad(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"[" * 200_000)
    with pytest.raises(ValueError, match="line 1: "):
        scale.count_files(tmp_path / "a.jsonl", "gpt2")


def test_bytes_that_are_no_text_become_replacement_characters(tmp_path):
    bad_files(tmp_path)
    for lines in (False, True):
        table = scale.count_files(tmp_path / "a.txt", "lines", bad="list", lines=lines)
        assert dict(table) == {"good\n": 2, "b\ufffdd\ufffd\n": 1, "\ufffd\n": 1}


def test_workers_name_bad_records_too(tmp_path, client):
    bad_files(tmp_path)
    with pytest.raises(ValueError, match=r"a\.jsonl, line 2: .*bad='list' goes on"):
        scale.count_files(tmp_path / "a.jsonl", "gpt2", client=client)
    table = scale.count_files(tmp_path / "*.jsonl*", "gpt2", client=client, bad="list", part_size=20)
    assert [record.record for record in table.bad] == 2 * BAD["a.jsonl"]


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_damaged_archive_is_an_error_that_names_it(tmp_path, suffix):
    import zstandard

    text = random.Random(0).randbytes(30_000).hex().encode()
    whole = gzip.compress(text) if suffix == "gz" else zstandard.ZstdCompressor(write_checksum=True).compress(text)
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 255
    path = tmp_path / f"a.txt.{suffix}"
    for data in (whole[:-10], whole[: len(whole) // 2], bytes(changed), b"no archive at all", whole + b"more"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=rf"a\.txt\.{suffix}: its \w+ data is damaged"):
            scale.count_files(path, "gpt2", bad="list")


def test_damaged_parquet_is_an_error_that_names_it(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    data = pa.array([b"good", b"b\xff", b"good"]).cast(pa.binary())
    text = pa.StringArray.from_buffers(3, data.buffers()[1], data.buffers()[2])
    pq.write_table(pa.table({"text": text}), path, compression="gzip")
    with pytest.raises(ValueError, match=r"a\.parquet, row 2: not UTF-8"):
        scale.count_files(path, "gpt2")
    assert dict(scale.count_files(path, "gpt2", bad="list")) == {"good": 2}
    pq.write_table(pa.table({"text": [ENGLISH]}), path, compression="gzip", use_dictionary=False)
    changed = bytearray(path.read_bytes())
    changed[len(changed) // 2 - 50 : len(changed) // 2] = bytes(50)
    path.write_bytes(changed)
    with pytest.raises(ValueError, match=r"a\.parquet"):
        scale.count_files(path, "gpt2", bad="list")


def test_a_missing_package_is_named(corpus, monkeypatch):
    (corpus / "a.txt.zst").touch()
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(ImportError, match=r"zstandard is missing; pip install -e"):
        scale.count_files(corpus / "a.txt.zst", "gpt2")


def test_wrong_arguments_say_what_would_do(corpus):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = corpus / "en.txt"
    (corpus / "a.csv").touch()
    (corpus / "none.parquet").write_bytes(b"PAR1 not really")
    pq.write_table(pa.table({"n": [1]}), corpus / "a.parquet")
    for error, match, call in [
        (FileNotFoundError, r"missing\.txt' names no file", lambda: scale.count_files(corpus / "missing.txt", "gpt2")),
        (FileNotFoundError, "names no file", lambda: scale.count_files(corpus / "*.jsonl", "gpt2")),
        (IsADirectoryError, "is a folder; name its files", lambda: scale.count_files(corpus, "gpt2")),
        (ValueError, r"no known kind; the name must end in \.txt", lambda: scale.count_files(corpus / "a.csv", "gpt2")),
        (ValueError, "must not be empty", lambda: scale.count_files([], "gpt2")),
        (TypeError, "got int", lambda: scale.count_files(3, "gpt2")),
        (TypeError, "got int", lambda: scale.count_files([3], "gpt2")),
        (ValueError, "chunking must be one of", lambda: scale.count_files(path, "gtp2")),
        (ValueError, "no Parquet file", lambda: scale.count_files(corpus / "none.parquet", "gpt2")),
        (ValueError, "no column 'text'; it has n", lambda: scale.count_files(corpus / "a.parquet", "gpt2")),
        (ValueError, "holds int64, not text", lambda: scale.count_files(corpus / "a.parquet", "gpt2", field="n")),
        (ValueError, "min_count must be at least 1", lambda: scale.count_files(path, "gpt2", min_count=0)),
        (ValueError, "memory must be at least 1", lambda: scale.count_files(path, "gpt2", memory=0)),
        (ValueError, "part_size must be at least 1", lambda: scale.count_files(path, "gpt2", part_size=0)),
        (ValueError, "bad must be one of", lambda: scale.count_files(path, "gpt2", bad="skip")),
        (TypeError, "lines must be True or False", lambda: scale.count_files(path, "gpt2", lines="yes")),
        (TypeError, "field must be a str", lambda: scale.count_files(path, "gpt2", field=3)),
        (TypeError, "client must be a dask", lambda: scale.count_files(path, "gpt2", client="tcp://x")),
        (FileNotFoundError, "nowhere", lambda: scale.count_files(path, "gpt2", folder=corpus / "nowhere")),
        (TypeError, "tok must be a tokenizer", lambda: scale.encode_files(str, path, corpus / "o")),
        (ValueError, "format must be one of", lambda: scale.encode_files(TOK, path, corpus / "o", format="bin")),
        (TypeError, "tok must be a bpelab.Tokenizer", lambda: scale.sweep_files(str, path)),
        (TypeError, "encoders must be a dict", lambda: scale.compare_files([TOK], {"a": path})),
        (TypeError, "texts must be a dict", lambda: scale.compare_files({"a": TOK}, path)),
    ]:
        with pytest.raises(error, match=match):
            call()
    assert not (corpus / "o").exists()


def test_a_folder_that_workers_do_not_share_is_named(corpus):
    growing = counting.Accumulator("run", counting.Spill(str(corpus / "elsewhere"), 1))
    with pytest.raises(ValueError, match=r"a worker doesn't see .*elsewhere; give one that all workers share"):
        growing.add(["a"], [1])


def test_progress_and_what_is_imported(corpus, capsys):
    scale.count_files(corpus / "en.txt", "gpt2", progress=True)
    assert "bpelab.count_files: 100%" in capsys.readouterr().err
    assert work.itself(3) == 3
    program = (
        "import sys, bpelab; sys.exit(any(m in sys.modules for m in ('dask', 'distributed', 'fsspec', 'pyarrow')))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
