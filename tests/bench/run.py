"""Side by side in one run: bpelab and its peers on the same text, with the same split pattern.

    python tests/bench/run.py                  the Bible in both languages (4 MB each)
    python tests/bench/run.py FILE ...         any other UTF-8 text

Prints one table of ratios to bpelab, least and most over the repeats: 2.0 means that the peer takes
twice the time. Times on shared machines are noise; ratios within one run are less so. Compiling
(once, about 15 s) is left out. tokenizers, rustbpe and sentencepiece use all cores, bpelab one.
"""

import argparse
import contextlib
import importlib.metadata
import io
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bpelab
from bpelab.chunking import PATTERNS

VOCAB = 32_000
OPTIONS = {"base": "byte", "chunking": "gpt2"}


def train_bpelab(text, size=VOCAB):
    return bpelab.train(text, vocab_size=size, **OPTIONS)


def train_tokenizers(text, size=VOCAB):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tok.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    )


def train_rustbpe(text, size=VOCAB):
    import rustbpe

    rustbpe.Tokenizer().train_from_iterator([text], size, pattern=PATTERNS["gpt2"])


def train_bpeasy(text, size=VOCAB):
    import bpeasy

    bpeasy.train_bpe(iter([text]), PATTERNS["gpt2"].replace("++", "+"), 10_000, size)


def train_sentencepiece(text, size=VOCAB):
    import sentencepiece

    options = {"character_coverage": 1.0, "hard_vocab_limit": False, "max_sentence_length": 1 << 20, "minloglevel": 2}
    lines, model = iter(text.split("\n")), io.BytesIO()
    size += len(set(text))
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=lines, model_writer=model, model_type="bpe", vocab_size=size, **options
    )


TRAINERS = {
    "bpelab": train_bpelab,
    "tokenizers": train_tokenizers,
    "rustbpe": train_rustbpe,
    "bpeasy": train_bpeasy,
    "sentencepiece (characters)": train_sentencepiece,
}


def measure(work, repeats):
    """{name: function} -> {name: list of seconds}; the functions take turns."""
    seconds = {name: [] for name in work}
    for _ in range(repeats):
        for name, run in work.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def ratios(what, seconds, ours="bpelab"):
    """One row for each peer: its time over ours, least and most over the repeats."""
    for name, times in seconds.items():
        each = [a / b for a, b in zip(times, seconds[ours], strict=True)]
        yield {
            "work": what,
            "who": name,
            "seconds (best)": round(min(times), 3),
            "ratio, least": round(min(each), 2),
            "ratio, most": round(max(each), 2),
        }


def training(texts, repeats):
    for label, text in texts.items():
        train_bpelab(text[:10_000])
        work = {name: (lambda run=run, text=text: run(text)) for name, run in TRAINERS.items()}
        yield from ratios(f"train to {VOCAB:,}, {label}", measure(work, repeats))


def one_line(text, repeats):
    """A text without a blank as one chunk: what others do with the square of its length."""
    from tokenizers import Tokenizer, models, trainers

    def others(line):
        Tokenizer(models.BPE()).train_from_iterator([line], trainers.BpeTrainer(vocab_size=4000, show_progress=False))

    line = "".join(text.split())
    for size in (4_000, 8_000, 16_000, 32_000, 350_000):
        part = line[:size]
        work = {"bpelab": lambda part=part: bpelab.train(part, 2000, base="char", chunking="whole")}
        if size <= 16_000:
            work["tokenizers"] = lambda part=part: others(part)
        yield from ratios(f"one line of {len(part.encode()):,} bytes, 2,000 merges", measure(work, repeats))


def encoding(texts, repeats):
    for label, text in texts.items():
        tok = train_bpelab(text)
        encoding, exported, lines = tok.to_tiktoken("bench"), tok.to_huggingface(), text.split("\n")
        assert encoding.encode_ordinary(text) == tok.encode(text)
        work = {
            "bpelab": lambda tok=tok, text=text: tok.encode(text),
            "tiktoken": lambda encoding=encoding, text=text: encoding.encode_ordinary(text),
            "tokenizers, batch of lines": lambda exported=exported, lines=lines: exported.encode_batch_fast(lines),
            f"bpelab, curve over {len(tok.merges):,} sizes": lambda tok=tok, text=text: bpelab.sweep(tok, text),
        }
        yield from ratios(f"encode, {label}", measure(work, repeats))


def growth(text, repeats):
    """Ours alone: the same work on more text, and with more merges."""
    for share in (8, 4, 2, 1):
        part = text[: len(text) // share]
        seconds = min(measure({"x": lambda part=part: train_bpelab(part, 8_000)}, repeats)["x"])
        name = f"train to 8,000 on {len(part.encode()) / 1e6:.1f} MB"
        yield {"work": name, "who": "bpelab", "seconds (best)": round(seconds, 3)}
    for size in (2_000, 8_000, VOCAB):
        seconds = min(measure({"x": lambda size=size: train_bpelab(text, size)}, repeats)["x"])
        yield {"work": f"train to {size:,}", "who": "bpelab", "seconds (best)": round(seconds, 3)}


def recounting(text):
    """The algorithm that recounts all pairs at each step (minbpe's; our reference): measured small, extrapolated."""
    part, merges = text[:30_000], 30
    start = time.perf_counter()
    bpelab.reference.train(part, merges, **OPTIONS)
    seconds = time.perf_counter() - start
    hours = seconds / merges / len(part) * len(text) * VOCAB / 3600
    yield {
        "work": f"train to {VOCAB:,}, extrapolated from {merges} merges on {len(part):,} characters",
        "who": "recounting (reference)",
        "seconds (best)": round(hours * 3600),
    }


MEMORY = """
import re, sys, bpelab
path, size = sys.argv[1], int(sys.argv[2])
def held(name):
    return int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status", encoding="utf-8").read())[1]) * 1024
bpelab.train("warm up", 3, base="byte", chunking="gpt2")
text = bpelab.corpora.read(path)
open("/proc/self/clear_refs", "w", encoding="utf-8").write("5")  # the peak starts anew
before = held("VmRSS")
bpelab.train(text, vocab_size=size, base="byte", chunking="gpt2")
print((held("VmHWM") - before) / len(text.encode()))
"""


def memory(texts):
    """Peak memory of training above what was there before, in bytes for each byte of text (Linux only)."""
    if not Path("/proc/self/clear_refs").exists():
        return
    for label, text in texts.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "text.txt"
            path.write_text(text, encoding="utf-8")
            command = [sys.executable, "-c", MEMORY, str(path), str(VOCAB)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        yield {"work": f"peak memory, {label}", "who": "bpelab", "bytes per byte of text": round(float(done.stdout), 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="UTF-8 texts; none: the Bible, English and Japanese")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=("train", "line", "encode", "growth", "recount", "memory"))
    arguments = parser.parse_args()
    if arguments.files:
        texts = {Path(path).name: bpelab.corpora.read(path) for path in arguments.files}
    else:
        texts = {name: bpelab.corpora.text("bible", lang) for name, lang in (("English", "en"), ("Japanese", "ja"))}
    last = list(texts.values())[-1]
    parts = {
        "train": lambda: training(texts, arguments.repeats),
        "encode": lambda: encoding(texts, arguments.repeats),
        "line": lambda: one_line(last, arguments.repeats),
        "growth": lambda: growth(last, arguments.repeats),
        "recount": lambda: recounting(last),
        "memory": lambda: memory(texts),
    }
    rows = []
    for name, part in parts.items():
        if not arguments.only or name in arguments.only:
            print(f"{name} ...", file=sys.stderr)
            with contextlib.redirect_stdout(io.StringIO()):
                rows += list(part())
    names = ("numba", "tokenizers", "rustbpe", "bpeasy", "sentencepiece", "tiktoken")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {versions}")
    print(
        f"{arguments.repeats} repeats; texts: " + ", ".join(f"{n} {len(t.encode()):,} bytes" for n, t in texts.items())
    )
    print(bpelab.show.table(rows))


if __name__ == "__main__":
    main()
