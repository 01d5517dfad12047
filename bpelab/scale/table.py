"""`Counts`: distinct chunks with their frequencies, sorted, as arrays; and its file."""

import json
import os
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from bpelab import checks, files
from bpelab.scale.reading import BadRecord

FORMAT, VERSION = "bpelab counts", 1
#: Chunks that were left out: how many distinct ones, how often they occurred together, and their UTF-8 bytes in all
#: of these occurrences.
NOTHING_DROPPED = {"chunks": 0, "occurrences": 0, "bytes": 0}
MOST = (1 << 63) - 1


class Counts(Mapping):
    """A mapping chunk (str) -> frequency (int) that `bpelab.train` takes, in the order of the chunks' UTF-8 bytes.

    The order is the same however the files were split and whoever counted them. It is not the order in which the
    chunks were first seen, which several workers don't share: `train` refuses tie="first" with it.

    chunking: as given to `count_files`; None where it was a callable and the table comes from a file.
    documents, characters, bytes: what was counted (UTF-8 bytes).
    min_count, dropped: chunks seen less often were left out; `dropped` says how many "chunks", how many
        "occurrences" of them, and the "bytes" of these. No pair's frequency is off by more than dropped["bytes"].
    bad: the records that could not be read, a tuple of `BadRecord`.

    >>> table = Counts.of({"low": 2, " lower": 1}, "space")
    >>> list(table.items())
    [(' lower', 1), ('low', 2)]
    """

    first_seen_order = False

    def __init__(self, data, ends, counts, chunking, *, totals=None, min_count=1, dropped=NOTHING_DROPPED, bad=()):
        self.data, self.ends, self.counts, self.chunking = data, ends, counts, chunking
        self.documents, self.characters, self.bytes = totals or (0, 0, 0)
        self.min_count, self.dropped, self.bad = min_count, dict(dropped), tuple(bad)

    @classmethod
    def of(cls, counts, chunking, **about):
        """From a dict chunk -> frequency."""
        return cls(*packed(counts), chunking, **about)

    def __len__(self):
        return len(self.counts)

    def __iter__(self):
        return (key.decode() for key in keys(self.data, self.ends))

    def __getitem__(self, chunk):
        at = self._place(chunk) if isinstance(chunk, str) else None
        if at is None:
            raise KeyError(chunk)
        return int(self.counts[at])

    def __contains__(self, chunk):
        return isinstance(chunk, str) and self._place(chunk) is not None

    def items(self):
        return zip(self, self.counts.tolist(), strict=True)

    def values(self):
        return self.counts.tolist()

    def _key(self, at):
        return self.data[self.ends[at - 1] if at else 0 : self.ends[at]]

    def _place(self, chunk):
        """Where a chunk stands, by bisection; None where it doesn't."""
        wanted, low, high = chunk.encode("utf-8", "surrogatepass"), 0, len(self)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._key(middle) < wanted else (low, middle)
        return low if low < len(self) and self._key(low) == wanted else None

    def __repr__(self):
        return (
            f"Counts({len(self):,} distinct chunks, {int(self.counts.sum()):,} in all, chunking={self.chunking!r}, "
            f"documents={self.documents:,}, bytes={self.bytes:,}, bad={len(self.bad):,})"
        )

    def save(self, path):
        """Write the table to a file, whole or not at all. A callable chunking is written by its name only."""
        named = isinstance(self.chunking, str)
        header = {
            "format": FORMAT,
            "version": VERSION,
            "chunking": self.chunking if named else None,
            "callable": None if named else getattr(self.chunking, "__qualname__", repr(self.chunking)),
            "distinct": len(self),
            "documents": self.documents,
            "characters": self.characters,
            "bytes": self.bytes,
            "min_count": self.min_count,
            "dropped": self.dropped,
            "bad": [[bad.path, bad.record, bad.reason] for bad in self.bad],
        }
        line = json.dumps(header, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        arrays = [self.counts.astype("<i8").tobytes(), self.ends.astype("<i8").tobytes()]
        files.write(path, b"".join([line, *arrays, self.data]))


def packed(counts):
    """A dict chunk -> frequency as (bytes of all chunks, sorted; int64 ends; int64 counts)."""
    chunks = sorted(counts)
    encoded = [chunk.encode() for chunk in chunks]
    ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)))
    return b"".join(encoded), ends, np.fromiter(map(counts.__getitem__, chunks), np.int64, len(chunks))


def keys(data, ends):
    """The chunks of a packed table, as bytes."""
    return (data[start:end] for start, end in pairwise([0, *ends.tolist()]))


def load_counts(path):
    """The table that `Counts.save` wrote. ValueError for a file that is none, or is damaged."""
    data = files.read(path, largest=os.stat(path).st_size)
    line, newline, rest = data.partition(b"\n")
    try:
        header = json.loads(line) if newline else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"{path} is no table of counts; bpelab.scale.count_files(...).save(path) writes one")
    if header.get("version") != VERSION:
        raise ValueError(f"{path} has version {header.get('version')!r}; this bpelab reads {VERSION}")
    try:
        return _table(header, rest)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {error}; count the files again") from None


def _table(header, rest):
    """The checked table of a header and what follows it."""
    size = checks.whole("distinct", header["distinct"], 0)
    if len(rest) < 16 * size:
        raise ValueError("it is cut off")
    counts, ends = np.frombuffer(rest, "<i8", 2 * size).astype(np.int64).reshape(2, size)
    data = rest[16 * size :]
    if len(data) != (ends[-1] if size else 0):
        raise ValueError("the chunks have another length than their table says")
    if size and (ends[0] < 1 or (np.diff(ends) < 1).any()):
        raise ValueError("the ends of the chunks do not rise")
    if (counts < 1).any() or sum(counts.tolist()) > MOST:
        raise ValueError("frequencies must be positive, and below 2**63 together")
    found = list(keys(data, ends))
    if any(one >= other for one, other in pairwise(found)):
        raise ValueError("the chunks are not sorted")
    for chunk in found:
        chunk.decode()
    chunking = header["chunking"]
    if chunking is not None and not isinstance(chunking, str):
        raise TypeError(f"chunking is {checks.shown(chunking)}")
    totals = [checks.whole(name, header[name], 0) for name in ("documents", "characters", "bytes")]
    dropped = {name: checks.whole(name, header["dropped"][name], 0) for name in NOTHING_DROPPED}
    bad = [BadRecord(str(path), checks.whole("record", record, 1), str(why)) for path, record, why in header["bad"]]
    least = checks.whole("min_count", header["min_count"], 1)
    return Counts(data, ends, counts, chunking, totals=totals, min_count=least, dropped=dropped, bad=bad)
