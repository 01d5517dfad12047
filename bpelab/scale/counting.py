"""`count_files`: the frequencies of all chunks of a corpus, in one process or on many workers."""

import heapq
import os
import shutil
import sys
import tempfile
import zlib
from array import array
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from bpelab import checks, files
from bpelab.chunking import distinct, splitter
from bpelab.scale import reading
from bpelab.scale.table import Counts, keys, packed
from bpelab.scale.work import BadRecords, checked, numbered, run

#: What spills goes into so many sections, by a hash of the chunk; a section is merged as a whole, in memory.
SECTIONS = 64
#: So many partial tables become one.
FAN_IN = 8
#: What a chunk costs in a dict beside its own bytes: its slot and its number (bytes).
SLOT = 100


def count_files(
    paths,
    chunking,
    *,
    client=None,
    field="text",
    lines=False,
    min_count=1,
    memory=256 << 20,
    folder=None,
    part_size=reading.PART,
    bad="error",
    progress=False,
):
    """Count the chunks of files of any size: a `Counts` table that `bpelab.train` takes and `save` writes.

    paths: a path or several (str, Path), with * and ? where wanted, of .txt and .jsonl (both also .gz and .zst) and
        .parquet files; local, or of fsspec ("s3://...").
    chunking: as for `bpelab.chunk`.
    client: a `dask.distributed.Client`, over whose workers the work is spread; None: this process alone, a few MB of
        text at a time.
    field: the field of a JSON Lines record, or the column of a Parquet file, that holds the text.
    lines: whether each line of a .txt file (with its end) is a document; otherwise the file is one. Where a file
        is cut for several workers, no chunk is: the table is that of `count_chunks`. No such place is known for
        "whole", a pattern of your own or a callable: without `lines` such a .txt file is read into memory as a whole.
    min_count: leave out chunks that occur less often; the table says how many they were.
    memory: how many bytes of chunks one task may hold before they go to disk; exact all the same.
    folder: where they go (a new folder there, removed at the end); the workers must share it. None: the
        system's folder for temporary files.
    part_size: bytes of a file that one task reads.
    bad: "error" raises at a record that can't be read, and names file and line or row; "list" leaves it out and lists
        it in the table's `bad`. Bytes that are not UTF-8 are such a record in a .txt file; U+FFFD stands for them.
    progress: whether to draw a progress bar on stderr; Dask's own pictures are at `client.dashboard_link`.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("low low lower")
    >>> count_files(path, "space")
    Counts(3 distinct chunks, 3 in all, chunking='space', documents=1, bytes=13, bad=0)
    """
    checked(client, bad)
    splitter(chunking)
    min_count, memory = checks.whole("min_count", min_count, 1), checks.whole("memory", memory, 1)
    border = reading.BORDERS.get(chunking) if isinstance(chunking, str) else None
    size = checks.whole("part_size", part_size, 1)
    parts = reading.parts(paths, field=field, lines=lines, border=border, size=size)
    own = tempfile.mkdtemp(prefix="bpelab-", dir=folder)
    try:
        top = _counted(client, parts, chunking, Spill(own, memory), bad, progress)
        table, dropped = _finished(client, top, own, min_count, progress)
    finally:
        shutil.rmtree(own, ignore_errors=True)
    about = {"totals": top.totals, "min_count": min_count, "dropped": dropped, "bad": numbered(top.bad)}
    return Counts(*table, chunking, **about)


@dataclass(frozen=True)
class Spill:
    """Where chunks go when they hold more than `memory` bytes."""

    folder: str
    memory: int


@dataclass
class Partial:
    """A partial count: a packed table, the names of the runs on disk, (documents, characters, bytes), bad records."""

    table: tuple
    runs: list = field(default_factory=list)
    totals: tuple = (0, 0, 0)
    bad: list = field(default_factory=list)


class Accumulator:
    """A growing table that goes to disk, as a run of its own, whenever it holds too much."""

    def __init__(self, name, spill):
        self.name, self.spill = name, spill
        self.counts, self.held, self.runs = {}, 0, []

    def add(self, chunks, numbers):
        counts, known = self.counts, len(self.counts)
        for chunk, n in zip(chunks, numbers, strict=True):
            counts[chunk] = counts.get(chunk, 0) + n
        fresh = islice(reversed(counts), len(counts) - known)
        self.held += sum(map(sys.getsizeof, fresh)) + SLOT * (len(counts) - known)
        if self.held > self.spill.memory:
            self.write()

    def write(self):
        """Put the table on disk. The name is that of the task: done again, it writes the same file again."""
        if not os.path.isdir(self.spill.folder):
            raise ValueError(f"folder: a worker doesn't see {self.spill.folder}; give one that all workers share")
        sections = [[] for _ in range(SECTIONS)]
        for chunk in self.counts:
            sections[zlib.crc32(chunk.encode()) % SECTIONS].append(chunk)
        name = f"{self.name}-{len(self.runs)}"
        tables = (packed({chunk: self.counts.pop(chunk) for chunk in section}) for section in sections)
        write_run(os.path.join(self.spill.folder, name), tables)
        self.runs.append(name)
        self.counts, self.held = {}, 0

    def partial(self, runs=(), totals=(0, 0, 0), bad=()):
        return Partial(packed(self.counts), [*runs, *self.runs], totals, list(bad))


def write_run(path, sections):
    """A file of packed tables; it begins with where each starts (int64)."""
    blocks = [b"".join([np.int64(len(n)).tobytes(), n.tobytes(), ends.tobytes(), data]) for data, ends, n in sections]
    starts = np.cumsum([8 * (len(blocks) + 1), *map(len, blocks)])
    files.write(path, b"".join([starts.astype(np.int64).tobytes(), *blocks]))


def read_section(path, section):
    """One packed table of a run."""
    with open(path, "rb") as file:
        file.seek(8 * section)
        start, stop = np.frombuffer(file.read(16), np.int64).tolist()
        file.seek(start)
        block = file.read(stop - start)
    size = int(np.frombuffer(block, np.int64, 1)[0])
    counts, ends = np.frombuffer(block, np.int64, 2 * size, 8).reshape(2, size)
    return block[8 + 16 * size :], ends, counts


def _counted(client, parts, chunking, spill, bad, progress):
    """The one partial count of all parts."""
    options = {"title": "bpelab.count_files", "progress": progress}
    if client is None:
        growing = Accumulator("run", spill)
        counted = run(None, count_part, [(part, growing) for part in parts], chunking, bad, **options)
        totals, listed = _sums(counted)
        if growing.runs:
            growing.write()
        return growing.partial(totals=totals, bad=listed)
    tasks = [(part, f"part-{number}") for number, part in enumerate(parts)]
    partials = run(client, partial_of_part, tasks, spill, chunking, bad, keep=True, **options)
    level = 0
    while len(partials) > 1 or level == 0:
        groups = [partials[i : i + FAN_IN] for i in range(0, len(partials), FAN_IN)]
        level += 1
        tasks = [(f"level-{level}-{number}", len(groups) == 1, *group) for number, group in enumerate(groups)]
        partials = [client.submit(combine, spill, *task, pure=False) for task in tasks]
    return partials[0].result()


def count_part(part, growing, chunking, bad):
    """Count a part into a growing table; returns its totals and its bad records."""
    listed = BadRecords(part.path, bad)
    documents = characters = size = 0
    for texts, ends in reading.batches(part, listed):
        chunks, numbers, _ = distinct(texts, chunking)
        growing.add(chunks, np.bincount(numbers, minlength=len(chunks)).tolist())
        documents += sum(ends)
        characters += sum(map(len, texts))
        size += sum(len(text.encode()) for text in texts)
    return (documents, characters, size), listed.listed


def partial_of_part(part, name, spill, chunking, bad):
    """A part as a partial count of its own: what a worker does."""
    growing = Accumulator(name, spill)
    totals, listed = count_part(part, growing, chunking, bad)
    return growing.partial(totals=totals, bad=listed)


def combine(spill, name, last, *partials):
    """Several partial counts as one. The last one of all goes to disk as a whole, if any part of it has."""
    growing = Accumulator(name, spill)
    for partial in partials:
        data, ends, counts = partial.table
        rows = zip(keys(data, ends), counts.tolist(), strict=True)
        while some := list(islice(rows, 1 << 16)):
            growing.add([key.decode() for key, _ in some], [n for _, n in some])
    runs = [name for partial in partials for name in partial.runs]
    if last and (runs or growing.runs):
        growing.write()
    return growing.partial(runs, *_sums((partial.totals, partial.bad) for partial in partials))


def _sums(counted):
    totals, listed = (0, 0, 0), []
    for some, bad in counted:
        totals = tuple(a + b for a, b in zip(totals, some, strict=True))
        listed += bad
    return totals, listed


def _finished(client, top, folder, min_count, progress):
    """(packed table, what was dropped) of the one partial count."""
    if not top.runs:
        return kept(top.table, min_count)
    title = "bpelab.count_files, merging"
    sections = [(section,) for section in range(SECTIONS)]
    done = run(client, merge_section, sections, folder, top.runs, min_count, title=title, progress=progress)
    tables, dropped = zip(*done, strict=True)
    return joined(tables), {name: sum(some[name] for some in dropped) for name in dropped[0]}


def merge_section(section, folder, runs, min_count):
    """One section of all runs as one packed table."""
    counts = {}
    for name in runs:
        data, ends, numbers = read_section(os.path.join(folder, name), section)
        for key, n in zip(keys(data, ends), numbers.tolist(), strict=True):
            counts[key] = counts.get(key, 0) + n
    order = sorted(counts)
    ends = np.cumsum(np.fromiter(map(len, order), np.int64, len(order)))
    return kept((b"".join(order), ends, np.fromiter(map(counts.get, order), np.int64, len(order))), min_count)


def kept(table, min_count):
    """(table of the chunks that occur often enough, what was dropped)."""
    data, ends, counts = table
    few = counts < min_count
    sizes = np.diff(ends, prepend=0)
    dropped = {
        "chunks": int(few.sum()),
        "occurrences": int(counts[few].sum()),
        "bytes": int((counts * sizes)[few].sum()),
    }
    if not few.any():
        return table, dropped
    bytes_kept = np.frombuffer(data, np.uint8)[np.repeat(~few, sizes)].tobytes()
    return (bytes_kept, np.cumsum(sizes[~few]), counts[~few]), dropped


def joined(tables):
    """Packed tables that share no chunk as one, in order."""
    data, ends, counts = bytearray(), array("q"), array("q")
    for key, n in heapq.merge(*(zip(keys(t[0], t[1]), t[2].tolist(), strict=True) for t in tables)):
        data += key
        ends.append(len(data))
        counts.append(n)
    return bytes(data), np.array(ends, np.int64), np.array(counts, np.int64)
