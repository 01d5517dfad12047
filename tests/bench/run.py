"""Side by side in one run: bpelab and its peers on the same text, with the same split pattern (GPT-2's).

    python tests/bench/run.py                  the Bible in both languages (4 MB each)
    python tests/bench/run.py FILE ...         any other UTF-8 text, such as what `tests/bench/texts.py` makes
    python tests/bench/run.py --quick          the first 400 kB of each, once

Prints one Markdown table. Seconds of wall time, the best of the repeats, and how many times as long as bpelab the
peer took, least to most over the repeats, which take turns: ratios within one run are less noisy than times.
Peers that are not installed, or can't read the vocabulary, are left out and named. Compiling is left out;
all but gigabpe and tiktoken's `encode_ordinary` may use all cores, and bpelab does for encoding a large text.
A "first call" is that of a tokenizer just made; later ones remember chunks, as several peers do. Ids are compared in
the form in which a peer returns them: a list with `encode`, an array with `encode_to_numpy`.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time

import peers

import bpelab

VOCAB = 32_000
PARTS = ("train", "encode", "batch", "small", "sweep", "growth", "memory", "ids")


def seconds(run, *arguments):
    start = time.perf_counter()
    result = run(*arguments)
    return time.perf_counter() - start, result


def turns(work, repeats):
    """{name: function} -> {name: list of seconds}; the functions take turns, and who fails is left out, with a note."""
    times = {name: [] for name in work}
    for _ in range(repeats):
        for name, run in work.items():
            if name in times:
                try:
                    times[name].append(seconds(run)[0])
                except Exception as error:
                    del times[name]
                    print(f"{name}: {type(error).__name__}: {str(error)[:90]}", file=sys.stderr)
    return times


def ratios(what, times, ours="bpelab", arrays=()):
    """One row for each: its best time, and its time over ours, least and most over the repeats.

    arrays: those which return one, and are compared with ours that does.
    """
    for name, each in times.items():
        over = sorted(a / b for a, b in zip(each, times["bpelab, array" if name in arrays else ours], strict=True))
        yield what, name, f"{min(each):.3f} s", f"{over[0]:.2f} to {over[-1]:.2f}"


def train(texts, repeats):
    for label, text in texts.items():
        peers.train_bpelab(text, VOCAB)
        work = {name: (lambda run=run, text=text: run(text, VOCAB)) for name, run in peers.TRAINERS.items()}
        yield from ratios(f"train to {VOCAB:,}, {label}", turns(work, repeats))


def made(tok, folder):
    """Name -> (encode one text, encode a batch) of each peer that there is."""
    found = {}
    for name, make in peers.ENCODERS.items():
        try:
            found[name] = make(tok, folder)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:90]}", file=sys.stderr)
    return found


def twice(name, one, text):
    """What `seconds` gives for the first and for the second call; None, and a note, where a peer fails."""
    try:
        return seconds(one, text), seconds(one, text)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # Rust's panics are no Exception
        print(f"{name}: {type(error).__name__}: {str(error)[:90]}", file=sys.stderr)
        return None


def encode(texts, repeats):
    for label, text in texts.items():
        tok = peers.train_bpelab(text, VOCAB)
        tok.encode(text)
        first, later, arrays = {}, {}, set()
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(repeats):
                for name, (one, _) in made(tok, folder).items():
                    if one is None or (both := twice(name, one, text)) is None:
                        continue
                    (took, ids), (again, _) = both
                    arrays |= set() if isinstance(ids, list) else {name}
                    first.setdefault(name, []).append(took)
                    later.setdefault(name, []).append(again)
        yield from ratios(f"encode, first call, {label}", first, arrays=arrays)
        yield from ratios(f"encode, later calls, {label}", later, arrays=arrays)


def batch(texts, repeats):
    for label, text in texts.items():
        tok, lines = peers.train_bpelab(text, VOCAB), text.splitlines(keepends=True)
        with tempfile.TemporaryDirectory() as folder:
            work = {name: many for name, (_, many) in made(tok, folder).items() if many is not None}
            work = {name: (lambda many=many, lines=lines: many(lines)) for name, many in work.items()}
            yield from ratios(f"encode a batch of {len(lines):,} lines, {label}", turns(work, repeats))


def small(texts, repeats):
    """What must not depend on the vocabulary: a short word that is new, and a batch of short texts."""
    published = bpelab.vocabularies.load("o200k_base")
    large = bpelab.from_tiktoken(published)
    little = large.truncate(1_000)
    for tok in (large, little):
        tok.encode_batch(["warm up " * 400] * 4)
    words = [f"{'abcdefghij'[i % 10]}zq{i:x}w" for i in range(4_000)]
    work = {
        "1,000 merges": lambda: [little.encode(word) for word in words],
        f"{len(large.merges):,} merges": lambda: [large.encode(word) for word in words],
    }
    once = {name: [seconds(run)[0]] for name, run in work.items()}
    yield from ratios("encode 4,000 short words, each new", once, "1,000 merges")
    sides = [side for pair in bpelab.corpora.pairs("parallel") for side in pair][:960]
    work = {
        "bpelab": lambda: large.encode_batch(sides),
        "tiktoken": lambda: published.encode_ordinary_batch(sides),
    }
    yield from ratios(f"encode a batch of {len(sides)} sentences, o200k", turns(work, repeats + 2))


def sweep(texts, repeats):
    for label, text in texts.items():
        tok = peers.train_bpelab(text, VOCAB)
        tok.curve("warm up")
        work = {"bpelab": lambda tok=tok, text=text: tok.curve(text)}
        yield from ratios(f"the curve over {len(tok.merges):,} sizes, {label}", turns(work, repeats))


def growth(texts, repeats):
    """Ours alone: the same work on 1, 2, 4, 8 times the text, with more merges, and in one chunk."""
    label, text = list(texts.items())[-1]
    base, line = len(text) // 8, "".join(text.split())
    shares = {f"{n} x {label}": (lambda n=n: peers.train_bpelab(text[: n * base], 8_000)) for n in (1, 2, 4, 8)}
    yield from ratios(f"train to 8,000 on 1, 2, 4, 8 x {base:,} characters", turns(shares, repeats), next(iter(shares)))
    sizes = {f"{n:,}": (lambda n=n: peers.train_bpelab(text, n)) for n in (1_000, 8_000, 32_000, 128_000)}
    yield from ratios(f"train to different sizes, {label}", turns(sizes, repeats), "1,000")
    piece = len(line) // 8

    def chunk(n):
        return bpelab.train(line[: n * piece], 2_000, base="byte", chunking="whole")

    chunks = {f"{n} x": (lambda n=n: chunk(n)) for n in (1, 2, 4, 8)}
    yield from ratios(f"2,000 merges in one chunk of {piece:,} characters", turns(chunks, repeats), "1 x")


MEMORY = """
import re, resource, sys, bpelab
from pathlib import Path

def peak():
    # in bytes; Linux's ru_maxrss begins with what the process that started this one held, VmHWM doesn't
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

bpelab.compiled.PATIENCE = 0
bpelab.train("warm up, low low lower " * 900, 9, base="byte", chunking="gpt2")
text = bpelab.corpora.read(sys.argv[1])
size = len(text.encode())
before = peak()
bpelab.train(text, vocab_size=int(sys.argv[2]), base="byte", chunking="gpt2")
print((peak() - before) / size)
"""


def memory(texts, repeats):
    """Peak memory of a training, above what its process had before, in bytes for each byte of text."""
    for label, text in texts.items():
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", suffix=".txt") as file:
            file.write(text)
            file.flush()
            command = [sys.executable, "-c", MEMORY, file.name, str(VOCAB)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        yield f"peak memory of training, {label}", "bpelab", f"{float(done.stdout):.1f} bytes a byte", ""


def ids(texts, repeats):
    """Not a race: whether ids are those of tiktoken, for every published merge list that is installed."""
    for name in bpelab.vocabularies.available():
        published, tok = bpelab.vocabularies.load(name), bpelab.vocabularies.tokenizer(name)
        if hasattr(published, "encode_ordinary") and isinstance(tok, bpelab.Tokenizer):
            for label, text in texts.items():
                equal = tok.encode_to_numpy(text).tolist() == published.encode_ordinary(text)
                yield f"ids of {name}, {label}", "bpelab", "equal" if equal else "NOT EQUAL", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="UTF-8 texts; none: the Bible, English and Japanese")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="the first 400 kB of each text, one repeat")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    given = parser.parse_args()
    texts = {path: bpelab.corpora.read(path) for path in given.files}
    texts = texts or {name: bpelab.corpora.text("bible", name) for name in ("en", "ja")}
    if given.quick:
        texts, given.repeats = (
            {label: text.encode()[:400_000].decode("utf-8", "ignore") for label, text in texts.items()},
            1,
        )
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {peers.versions()}")
    sizes = ", ".join(f"{label}: {len(text.encode()) / 1e6:.1f} MB" for label, text in texts.items())
    print(f"{given.repeats} repeats; {sizes}")
    print("\n| work | who | best | times ours |\n|---|---|---:|---:|")
    for part in given.only:
        for row in globals()[part](texts, given.repeats):
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
