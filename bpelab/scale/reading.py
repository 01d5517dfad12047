"""Files of any size as parts, and a part as batches of documents, in bounded memory.

A part is what one worker reads: bytes of a text or JSON Lines file, some row groups of a Parquet file, or
the whole of a compressed one. Where a text file is cut, no chunk is: see `BORDERS`.
"""

import codecs
import glob
import gzip
import importlib
import json
import os
import zlib
from dataclasses import dataclass, replace
from itertools import pairwise

import regex

from bpelab import checks

#: Name endings -> (kind, compression).
KINDS = {
    f".{kind}{suffix}": (kind, compression)
    for kind in ("txt", "jsonl")
    for suffix, compression in (("", None), (".gz", "gzip"), (".zst", "zstd"))
} | {".parquet": ("parquet", None)}
#: A part has about this many bytes, a batch about this many.
PART, BATCH = 64 << 20, 4 << 20
#: Where a text may be cut so that its chunks are those of the whole: a letter or numeral ends its chunk
#: before a blank, a newline or a Japanese comma or full stop, and no pattern looks back across that place.
LINE = r"(?<=\n)"
_WORD = r"(?<=[\p{L}\p{N}])(?= |\r?\n)"
_LETTER = r"(?<=[\p{L}\p{N}])(?=[ 、。]|\r?\n)"
BORDERS = {
    "gpt2": _LETTER,
    "cl100k": _LETTER,
    "o200k": _LETTER,
    "words": _LETTER,
    "subword-nmt": LINE,
    "sentencepiece": _WORD,
    "sentencepiece-scripts": _WORD,
    "space": r"(?<=[^ ])(?= )",
    "lines": LINE,
}


@dataclass(frozen=True, order=True)
class BadRecord:
    """A record that could not be read: its file, where in it ("line 3", "row 3", counted from 1), and why."""

    path: str
    record: int
    reason: str

    def __str__(self):
        return f"{self.path}, {'row' if self.path.endswith('.parquet') else 'line'} {self.record}: {self.reason}"


@dataclass(frozen=True)
class Part:
    """A part of a file: from `start` to `stop`, in bytes or row groups; stop None: to the end.

    border: the regular expression of the places where a text may be cut; None where there is none.
    lines: whether each line of a text is a document. field: the field or column of a record.
    """

    path: str
    kind: str
    compression: str | None
    field: str
    lines: bool
    border: str | None
    start: int = 0
    stop: int | None = None


def found(paths):
    """The files that paths (one, or an iterable; str or Path; with * and ?; local, or of fsspec) name, as str.

    Those of one pattern are sorted by name. ValueError for a path that names no file, or of unknown kind.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    if not hasattr(given, "__iter__") or isinstance(given, bytes):
        raise TypeError(f"paths must be a path or an iterable of paths, got {type(paths).__name__}")
    names = []
    for path in given:
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"paths must hold str or Path, got {type(path).__name__}")
        matches = _matches(os.fspath(path))
        if not matches:
            raise FileNotFoundError(f"paths: {os.fspath(path)!r} names no file")
        names += matches
    if not names:
        raise ValueError("paths must not be empty; name a file")
    for name in names:
        kind_of(name)
    return names


def package(name):
    """A package of the extra `scale`, loaded when it is needed; ImportError says how to get it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ImportError(f'{name} is missing; pip install -e ".[scale]" brings it') from error


def _matches(path):
    if "://" in path:
        system, inner = _remote(path)
        return [system.unstrip_protocol(name) for name in sorted(system.glob(inner)) if system.isfile(name)]
    if os.path.isfile(path):
        return [path]
    if os.path.isdir(path):
        raise IsADirectoryError(f"paths: {path!r} is a folder; name its files, such as {os.path.join(path, '*.txt')!r}")
    return sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))


def _remote(path):
    return package("fsspec").core.url_to_fs(path)


def kind_of(path):
    """(kind, compression) by the end of a file's name."""
    for suffix, kind in KINDS.items():
        if path.lower().endswith(suffix):
            return kind
    raise ValueError(f"paths: {path!r} is of no known kind; the name must end in {', '.join(KINDS)}")


def opened(path):
    """A local or fsspec file, to read bytes from."""
    if "://" in path:
        system, inner = _remote(path)
        return system.open(inner, "rb")
    return open(path, "rb")


def size_of(path):
    """The size of a file in bytes."""
    if "://" in path:
        system, inner = _remote(path)
        return system.size(inner)
    return os.stat(path).st_size


def parts(paths, *, field="text", lines=False, border=None, size=PART, whole=False):
    """The parts of some files, in order. whole: leave text files whole that are one document."""
    checks.text("field", field)
    checks.flag("lines", lines)
    listed = []
    for path in found(paths):
        kind, compression = kind_of(path)
        cut = LINE if lines or kind == "jsonl" else border
        part = Part(path, kind, compression, field, lines, cut)
        if kind == "parquet":
            listed += _row_groups(part, size)
        elif compression or cut is None or (whole and kind == "txt" and not lines):
            listed.append(part)
        else:
            starts = [*range(0, max(size_of(path), 1), size), None]
            listed += [replace(part, start=start, stop=stop) for start, stop in pairwise(starts)]
    return listed


def _row_groups(part, size):
    with opened(part.path) as file:
        table = _parquet(part, file)
        start, held = 0, 0
        for group in range(table.num_row_groups):
            held += table.metadata.row_group(group).total_byte_size
            if held >= size or group == table.num_row_groups - 1:
                yield replace(part, start=start, stop=group + 1)
                start, held = group + 1, 0


def batches(part, bad):
    """Batches of the documents of a part: pairs (list of str, list of bool: whether the document ends there).

    Only a text that is one document as a whole goes on from one batch to the next, cut at a border. `bad` is called
    with a place in the file (a byte; in a Parquet file a row) and a reason for each record that cannot be read.
    """
    with opened(part.path) as file:
        if part.kind == "parquet":
            yield from _rows(part, file, bad)
        elif part.kind == "jsonl" or part.lines:
            yield from _lines(part, file, bad)
        else:
            yield from _text(part, file, bad)


def _text(part, file, bad):
    """A text in pieces: the last one ends the document, if it is the last of the file."""
    piece = ""
    for at, data in _pieces(part, file):
        if piece:
            yield [piece], [False]
        piece = _decoded(data, at, bad)
        piece = piece.removeprefix("\ufeff") if at == 0 else piece
    yield [piece], [part.stop is None]


def _lines(part, file, bad):
    """The lines of a text, or the records of JSON Lines: of blank lines, a text has some and JSON Lines none."""
    for at, data in _pieces(part, file):
        documents = []
        for line in data.splitlines(keepends=True) if b"\r" not in data else _split(data):
            if part.kind == "txt":
                text = _decoded(line, at, bad)
                documents.append(text.removeprefix("\ufeff") if at == 0 else text)
            elif line.strip():
                document = _record(line.removeprefix(codecs.BOM_UTF8) if at == 0 else line, part.field, at, bad)
                if document is not None:
                    documents.append(document)
            at += len(line)
        yield documents, [True] * len(documents)


def _split(data):
    """Lines with their ends, where only a newline ends one."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _record(line, field, at, bad):
    """The text in a field of a JSON object, or None, and `bad` told why."""
    try:
        record = json.loads(line)
        if not isinstance(record, dict):
            raise ValueError(f"a JSON {type(record).__name__} instead of an object")
        if field not in record:
            raise ValueError(f"no field {field!r}; it has {checks.shown(list(record))}")
        return checks.text(f"field {field!r}", record[field])
    except UnicodeDecodeError as error:
        bad(at, f"not UTF-8: {error.reason}")
    except json.JSONDecodeError as error:
        bad(at, f"no JSON: {error.msg} at character {error.pos}")
    except RecursionError:
        bad(at, "nested too deeply")
    except (ValueError, TypeError) as error:
        bad(at, str(error))


def _decoded(data, at, bad):
    """Bytes as text; of what is not UTF-8 each line is a bad record, and each broken sequence becomes U+FFFD."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    for line in _split(data):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            bad(at + error.start, f"not UTF-8: {error.reason}; U+FFFD stands in its place")
        at += len(line)
    return data.decode("utf-8", "replace")


def _rows(part, file, bad):
    table = _parquet(part, file)
    row = sum(table.metadata.row_group(group).num_rows for group in range(part.start))
    groups = list(range(part.start, part.stop))
    for column in _columns(part, table.iter_batches(4096, row_groups=groups, columns=[part.field])):
        documents = []
        for value in column:
            try:
                text = value.as_py()
            except UnicodeDecodeError as error:
                bad(row, f"not UTF-8: {error.reason}")
            else:
                if text is None:
                    bad(row, f"column {part.field!r} holds nothing")
                else:
                    documents.append(text)
            row += 1
        yield documents, [True] * len(documents)


def _columns(part, table_batches):
    """The one column of each batch; damaged data is a ValueError that names the file."""
    pa = package("pyarrow")
    try:
        for batch in table_batches:
            yield batch.column(0)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{part.path}: its Parquet data is damaged: {error}") from None


def _parquet(part, file):
    """An open Parquet file that has the column, or a ValueError that names the file."""
    pa, pq = package("pyarrow"), package("pyarrow.parquet")
    try:
        table = pq.ParquetFile(file)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{part.path} is no Parquet file: {error}") from None
    schema = table.schema_arrow
    if part.field not in schema.names:
        raise ValueError(f"{part.path} has no column {part.field!r}; it has {', '.join(schema.names)}: give field=...")
    kind = schema.field(part.field).type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise ValueError(f"{part.path}: column {part.field!r} holds {kind}, not text; give field=...")
    return table


def _pieces(part, file):
    """(place, bytes) of pieces of a part, cut at its borders; the place in bytes, unpacked."""
    at = part.start and _border(file, part.start, part.border)
    stop = part.stop and _border(file, part.stop, part.border)
    file.seek(at)
    stream = _unpacked(part, file)
    held = b""
    while True:
        data = _read(part, stream, BATCH if stop is None else min(BATCH, stop - at - len(held)))
        held += data
        cut = len(held) if not data else _last_border(held, part.border)
        if cut:
            yield at, held[:cut]
            at, held = at + cut, held[cut:]
        if not data:
            return


def _unpacked(part, file):
    if part.compression == "gzip":
        return gzip.open(file)
    if part.compression == "zstd":
        return _Frames(file)
    return file


class _Frames:
    """What Zstandard frames, one after the other, hold; EOFError where the last one is cut off."""

    def __init__(self, file):
        self.file, self.held = file, b""
        self.fresh = package("zstandard").ZstdDecompressor().decompressobj
        self.frame = None

    def read(self, size):
        while not self.held and (data := self.file.read(1 << 16)):
            while data:
                self.frame = self.frame or self.fresh()
                self.held += self.frame.decompress(data)
                data = self.frame.unused_data
                self.frame = None if self.frame.eof else self.frame
        if not self.held and self.frame:
            raise EOFError("the last frame is cut off")
        got, self.held = self.held[:size], self.held[size:]
        return got


def _read(part, stream, size):
    """Up to `size` bytes, fewer only at the end; broken compression is a ValueError that names the file."""
    got = []
    try:
        while size > 0 and (data := stream.read(size)):
            got.append(data)
            size -= len(data)
    except _damage(part.compression) as error:
        raise ValueError(f"{part.path}: its {part.compression} data is damaged: {error}") from None
    return b"".join(got)


def _damage(compression):
    """What reading damaged compressed data raises."""
    if compression == "gzip":
        return EOFError, gzip.BadGzipFile, zlib.error
    if compression == "zstd":
        return EOFError, package("zstandard").ZstdError
    return ()


def _last_border(data, border):
    """Where the last border lies in some bytes; 0 for none."""
    if border is None:
        return 0
    if border == LINE:
        return data.rfind(b"\n") + 1
    text = data.decode("utf-8", "surrogateescape")
    last = regex.search(f"(?r){border}", text)
    return len(text[: last.start()].encode("utf-8", "surrogateescape")) if last else 0


def _border(file, start, border):
    """The first border after byte `start`, or the end of the file: what lies before belongs to the part before."""
    file.seek(start)
    held, size = b"", 1 << 16
    while data := file.read(size):
        held += data
        skipped = next((i for i, byte in enumerate(held[:4]) if byte & 0xC0 != 0x80), 0)
        if border == LINE:
            at = held.find(b"\n") + 1
        else:
            text = held[skipped:].decode("utf-8", "surrogateescape")
            match = next((match for match in regex.finditer(border, text) if match.start() > 0), None)
            at = match and skipped + len(text[: match.start()].encode("utf-8", "surrogateescape"))
        if at:
            return start + at
        size = len(held)
    return start + len(held)


def lines_of(path, places):
    """The numbers, from 1, of the lines of a file in which some bytes (sorted) lie."""
    kind, compression = kind_of(path)
    part = Part(path, kind, compression, "", False, None)
    numbers, line, at = {}, 1, 0
    waiting = list(places)
    with opened(path) as file:
        stream = _unpacked(part, file)
        while waiting and (data := _read(part, stream, BATCH)):
            while waiting and waiting[0] < at + len(data):
                place = waiting.pop(0)
                numbers[place] = line + data.count(b"\n", 0, place - at)
            line, at = line + data.count(b"\n"), at + len(data)
    return numbers
