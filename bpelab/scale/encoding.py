"""`encode_files`: ids of a corpus as shards on disk, in the order of its documents; goes on where it was stopped."""

import json
import os
import secrets
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from bpelab import checks, files
from bpelab.scale import reading
from bpelab.scale.work import BadRecords, checked, numbered, run
from bpelab.tokenizer import Tokenizer
from bpelab.vocabulary import Vocabulary

FORMAT, VERSION = "bpelab encoded files", 1
FORMATS = ("npy", "parquet")


def encode_files(
    tok,
    paths,
    out,
    *,
    client=None,
    field="text",
    lines=False,
    format="npy",
    part_size=reading.PART,
    bad="error",
    progress=False,
):
    """Encode files of any size into a folder; returns its manifest (dict), which is also `out`/manifest.json.

    tok: any tokenizer of this package that can be saved; it is, as tokenizer.json. Text that spells a special token
        is ordinary text.
    paths, client, field, lines, part_size, bad, progress: as for `count_files`. A .txt file that is one document is
        one shard; of other files, a part is one.
    out: a folder, made if it is missing. Called again after an interruption, finished shards stay; a folder that
        holds another job (tokenizer, files or their sizes, options) is refused.
    format: "npy": shard-00000.npy holds the ids end to end, shard-00000.offsets.npy where each document starts, and
        the end (int64, one more than documents): document k is ids[offsets[k]:offsets[k + 1]], and
        numpy.load(path, mmap_mode="r") reads no more than is looked at. "parquet": shard-00000.parquet, a row for
        each document, column "ids".

    The ids are uint16 where all of the vocabulary's fit (up to 65,536), else uint32. Shards follow the order of the
    files and of the documents in them, whoever made them; each is written whole or not at all.

    The manifest: "dtype", "vocab_size", "documents", "tokens", "shards" (for each its "files", "source", "start" and
    "stop" (bytes or row groups; null: the end), "documents", "tokens"), "bad" ([file, line or row, reason]).
    """
    checked(client, bad)
    if not isinstance(tok, Vocabulary):
        raise TypeError(f"tok must be a tokenizer of bpelab, got {type(tok).__name__}; bpelab.load reads many others")
    checks.choice("format", format, FORMATS)
    size = checks.whole("part_size", part_size, 1)
    parts = reading.parts(paths, field=field, lines=lines, border=border_of(tok), size=size, whole=True)
    dtype = "uint16" if tok.vocab_size <= 1 << 16 else "uint32"
    folder = Path(out)
    _prepare(folder, tok, _plan(parts, format, dtype, bad))
    left = [(part, number) for number, part in enumerate(parts) if not _record_of(folder, number).exists()]
    run(
        client, encode_part, left, str(folder.absolute()), tok, format, dtype, bad,
        title="bpelab.encode_files", progress=progress,
    )  # fmt: skip
    return _manifest(folder, tok, len(parts), format, dtype)


def border_of(tok):
    """Where a text may be cut so that its ids are those of the whole; None where no place is known."""
    own = isinstance(tok, Tokenizer) and isinstance(tok.chunking, str)
    return reading.BORDERS.get(tok.chunking) if own else None


def _plan(parts, format, dtype, bad):
    """What a job is: a folder holds the shards of one."""
    listed = [[p.path, reading.size_of(p.path), p.kind, p.field, p.lines, p.start, p.stop] for p in parts]
    return {"format": FORMAT, "version": VERSION, "shards": format, "dtype": dtype, "bad": bad, "parts": listed}


def _prepare(folder, tok, plan):
    """Make the folder that says what the job is; ValueError where it is another's."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        tok.save(Path(scratch, "tokenizer.json"))
        saved = Path(scratch, "tokenizer.json").read_bytes()
    wanted = {"tokenizer.json": saved, "plan.json": (json.dumps(plan, indent=1) + "\n").encode()}
    for name, data in wanted.items():
        path = folder / name
        if path.exists() and path.read_bytes() != data:
            raise ValueError(
                f"out: {folder} holds another job's shards ({name} differs: another tokenizer, other files or options);"
                " name another folder, or remove this one"
            )
        if not path.exists() and any(folder.glob("shard-*")):
            raise ValueError(f"out: {folder} holds shards, but no {name}; name another folder")
    for name, data in wanted.items():
        if not (folder / name).exists():
            files.write(folder / name, data)


def _record_of(folder, number):
    """The file that says that a shard is done, and what is in it."""
    return folder / f"shard-{number:05}.json"


def encode_part(part, number, folder, tok, format, dtype, bad):
    """Make one shard: what a worker does. Its record is written last."""
    folder, listed = Path(folder), BadRecords(part.path, bad)
    documents = _documents(tok, reading.batches(part, listed), np.dtype(dtype).newbyteorder("<"))
    name = f"shard-{number:05}"
    if format == "npy":
        made, offsets = [f"{name}.npy", f"{name}.offsets.npy"], [0]
        with _written(folder / made[0]) as file:
            _npy_header(file, dtype, 0)
            for ids, sizes in documents:
                file.write(ids.tobytes())
                offsets += sizes
            _npy_header(file, dtype, sum(offsets))
        with _written(folder / made[1]) as file:
            np.save(file, np.cumsum(offsets, dtype=np.int64))
        counts = [len(offsets) - 1, sum(offsets)]
    else:
        made = [f"{name}.parquet"]
        with _written(folder / made[0]) as file:
            counts = _parquet(file, documents, dtype)
    record = {"files": made, "source": part.path, "start": part.start, "stop": part.stop}
    record |= {"documents": counts[0], "tokens": counts[1]}
    record["bad"] = [[entry.path, entry.record, entry.reason] for entry in numbered(listed.listed)]
    files.write(_record_of(folder, number), json.dumps(record, indent=1) + "\n")


def _documents(tok, batches, dtype):
    """Batches as (ids end to end, [number of tokens of each document that ends there])."""
    going_on = 0
    for texts, ends in batches:
        lists = tok.encode_batch(texts)
        sizes = []
        for ids, end in zip(lists, ends, strict=True):
            going_on += len(ids)
            if end:
                sizes.append(going_on)
                going_on = 0
        yield np.array([i for ids in lists for i in ids], dtype), sizes


@contextmanager
def _written(path):
    """A file to write that takes its name when it is whole."""
    scratch = path.with_name(f".{path.name}-{secrets.token_hex(6)}.tmp")
    try:
        with open(scratch, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
    finally:
        with suppress(FileNotFoundError):
            scratch.unlink()


def _npy_header(file, dtype, size):
    """The head of a .npy file of `size` numbers; NumPy leaves room in it for a larger size to be written later."""
    file.seek(0)
    about = {"descr": np.dtype(dtype).newbyteorder("<").str, "fortran_order": False, "shape": (size,)}
    np.lib.format.write_array_header_1_0(file, about)


def _parquet(file, documents, dtype):
    """Write a row for each document: returns [documents, tokens]."""
    pa, pq = reading.package("pyarrow"), reading.package("pyarrow.parquet")
    schema = pa.schema([("ids", pa.large_list(pa.from_numpy_dtype(dtype)))])
    counts, waiting = [0, 0], []
    with pq.ParquetWriter(file, schema) as writer:
        for ids, sizes in documents:
            waiting.append(ids)
            if sizes:
                values = pa.array(np.concatenate(waiting))
                rows = pa.LargeListArray.from_arrays(np.cumsum([0, *sizes], dtype=np.int64), values)
                writer.write_batch(pa.record_batch([rows], schema=schema))
                counts, waiting = [counts[0] + len(sizes), counts[1] + sum(sizes)], []
    return counts


def _manifest(folder, tok, shards, format, dtype):
    """Sum the records of all shards up, in a file, and remove what killed workers left."""
    for scratch in folder.glob(".shard-*.tmp"):
        scratch.unlink(missing_ok=True)
    records = [json.loads(_record_of(folder, number).read_bytes()) for number in range(shards)]
    manifest = {"format": FORMAT, "version": VERSION, "tokenizer": "tokenizer.json", "vocab_size": tok.vocab_size}
    manifest |= {"shard_format": format, "dtype": dtype}
    manifest |= {name: sum(record[name] for record in records) for name in ("documents", "tokens")}
    manifest["bad"] = [entry for record in records for entry in record.pop("bad")]
    manifest["shards"] = records
    files.write(folder / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return manifest
