"""Count a corpus of 200 MB in six ways: seconds, CPU seconds and peak memory, each way in a process of its own.

    python tests/bench/scale.py            all of them; a table
    python tests/bench/scale.py --megabytes 50

The corpus is made of real text: the built-in texts, and what is text among the files of the Python packages installed
here. Resident memory is read from /proc, so it runs on Linux. The load of the machine is printed beside the times.
"""

import argparse
import contextlib
import itertools
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import bpelab
from bpelab import scale

#: Name -> (with workers, memory of a task in MB).
WAYS = {
    f"{name}{spilled}": (workers, memory)
    for name, workers in (("streaming", False), ("two workers", True))
    for spilled, memory in (("", 1 << 20), (", spilled at 256 MB", 256), (", spilled at 32 MB", 32))
}
TEXT = "*.py *.pyi *.js *.json *.css *.html *.md *.rst *.txt *.po *.ipynb *.csv *.xml".split()
FILES = 8


def make_corpus(folder, size):
    """About `size` bytes of text in a few files."""
    texts = [bpelab.corpora.text(name, lang) for name in bpelab.corpora.available() for lang in ("en", "ja")]
    places = [Path(sysconfig.get_path(name)) for name in ("purelib", "stdlib")]
    sources = sorted({path for place in places for kind in TEXT for path in place.rglob(kind)}, key=os.path.basename)
    written = 0
    with contextlib.ExitStack() as stack:
        outputs = [stack.enter_context(open(folder / f"{number}.txt", "wb")) for number in range(FILES)]
        for number, text in enumerate(itertools.chain(texts, map(read, sources))):
            if written >= size:
                return
            written += outputs[number % FILES].write(text.encode())


def read(path):
    return path.read_bytes().decode("utf-8", "replace")


def peak():
    """The most memory that this process has held (MB)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def measure(way, folder):
    """Count once, and print what it took."""
    workers, memory = WAYS[way]
    options = {"memory": memory << 20, "part_size": 32 << 20}
    scale.count_files(folder / "0.txt", "gpt2", **options)  # compiled code is loaded
    start_memory = peak()
    if not workers:
        start, cpu = time.perf_counter(), time.process_time()
        table = scale.count_files(folder / "*.txt", "gpt2", **options)
        took = time.perf_counter() - start, time.process_time() - cpu
        row = {"here": peak(), "worker": None}
    else:
        from distributed import Client, LocalCluster

        local = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": ":0"}
        with LocalCluster(**local) as cluster, Client(cluster) as client:
            scale.count_files(folder / "0.txt", "gpt2", client=client, **options)
            before = time.process_time() + sum(client.run(time.process_time).values())
            start = time.perf_counter()
            table = scale.count_files(folder / "*.txt", "gpt2", client=client, **options)
            took = (
                time.perf_counter() - start,
                time.process_time() + sum(client.run(time.process_time).values()) - before,
            )
            row = {"here": peak(), "worker": max(client.run(peak).values())}
    row |= {
        "before": start_memory,
        "way": way,
        "seconds": round(took[0], 1),
        "CPU": round(took[1], 1),
        "MB read": table.bytes // 10**6,
    }
    row |= {"distinct": len(table), "chunks": int(table.counts.sum()), "sum": hash(tuple(table.items()))}
    print(json.dumps(row))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--way", choices=[*WAYS], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.way:
        measure(arguments.way, arguments.folder)
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        make_corpus(Path(folder), arguments.megabytes * 10**6)
        for way in WAYS:
            command = [sys.executable, __file__, "--way", way, "--folder", folder]
            environment = os.environ | {"PYTHONHASHSEED": "0"}
            done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
            rows.append(json.loads(done.stdout.splitlines()[-1]) | {"load": round(os.getloadavg()[0], 1)})
    assert len({row.pop("sum") for row in rows}) == 1, "the tables differ"
    columns = ["way", "seconds", "CPU", "before", "here", "worker", "load", "MB read", "chunks", "distinct"]
    print(bpelab.show.table([{name: row[name] for name in columns} for row in rows]))
    print(
        "here: peak MB of this process, the scheduler's too, which had `before` at the start; worker: of the larger one"
    )


if __name__ == "__main__":
    main()
