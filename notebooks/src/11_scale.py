# %% [markdown]
# # 11 Past one machine
#
# After this chapter you can train on more text than memory holds, spread the counting over processes or machines
# without changing one merge, write the ids of a corpus to disk so that an interruption costs nothing, and say where
# one machine ends. About 40 minutes. It builds on chapters
# [02](02_training.ipynb), [06](06_speed.ipynb) and [07](07_vocabulary_size.ipynb).
#
# Seconds and memory differ from machine to machine. A cell that prints them says so; all others print the same
# everywhere.

# %%
import importlib.util
import os
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import bpelab
from bpelab import scale

# %% [markdown]
# ## What can be done apart
#
# Training has two steps: count the distinct chunks, then merge. Merging looks at the whole table for every merge. But
# counting doesn't look at anything twice. Cut a corpus in two, count each part, and add.

# %%
parts = ["low low lower", "lower newest low"]
tables = [bpelab.count_chunks(part) for part in parts]
rows = []
for chunk in sorted({chunk for table in tables for chunk in table}):
    counts = [table.get(chunk, 0) for table in tables]
    row = {"chunk": chunk, "first": counts[0], "second": counts[1]}
    rows.append(row | {"sum": sum(counts)})
bpelab.show.table(rows)

# %% [markdown]
# The sum is the table of both, and from the table alone come all the merges:

# %%
table = {row["chunk"]: row["sum"] for row in rows}
print("counts equal:", table == bpelab.count_chunks(parts))
print("merges equal:", bpelab.train(table) == bpelab.train(parts))

# %% [markdown]
# So the large text need never be in one place. Only the table must be.
#
# That holds if the parts are cut where a chunk ends. In the middle of a word, two chunks would be counted that the text
# doesn't have:

# %%
text = "low lower newest"
whole = bpelab.count_chunks(text)
for at in (3, 6, 9):
    cut = bpelab.count_chunks([text[:at], text[at:]])
    print(f"{text[:at]!r} | {text[at:]!r}: equal {cut == whole}")

# %% [markdown]
# For each named chunking but "whole", `bpelab.scale` knows places that are always safe: under GPT-2's pattern, for one,
# between a letter and a blank, a newline or a Japanese full stop. A file is cut there and nowhere else.
#
# ## The same from files
#
# Real text now: the Bible in English and in literary, old Japanese, 4 MB each. Put a source of your own in the first
# line of the next cell. Each language is written as eight files, as a crawler would leave them.

# %%
source = "bible"  # or a file of yours: "my.txt"
texts = {
    "English": bpelab.corpora.text(source, "en"),
    "Japanese": bpelab.corpora.text(source, "ja"),
}
scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
folder = Path(scratch.name)
print({language: len(text) for language, text in texts.items()}, "characters")

# %%
for language, text in texts.items():
    lines = text.splitlines(keepends=True)
    for k in range(8):
        piece = lines[len(lines) * k // 8 : len(lines) * (k + 1) // 8]
        path = folder / f"{language}-{k}.txt"
        path.write_text("".join(piece), encoding="utf-8", newline="")
print(len(list(folder.iterdir())), "files")

# %%
counts = {}
for language in texts:
    counts[language] = scale.count_files(folder / f"{language}-*.txt", "gpt2")
    print(language, counts[language])

# %% [markdown]
# `count_files` reads a few megabytes at a time. It returns a mapping chunk → frequency, which `train` takes, and which a
# file keeps: one counts once and trains as often as one likes.

# %%
counts["English"].save(folder / "english.counts")
table = scale.load_counts(folder / "english.counts")
options = {"base": "byte", "chunking": "gpt2"}
tok = bpelab.train(table, 2000, **options)
print("merges equal:", tok == bpelab.train(texts["English"], 2000, **options))
print(list(table.items())[5000:5004])

# %% [markdown]
# The table is sorted by the bytes of the chunks. With several workers there is no order in which chunks were *first
# seen*, or a different one on each run. The tie rule "first" ([chapter 05](05_ties.ipynb)) asks for that order. It is
# refused, since any answer would be made up:

# %% tags=["raises-exception"]
bpelab.train(table, 2000, tie="first", **options)

# %% [markdown]
# All other tie rules compare tokens or ids, and give the same merges from a table as from the text.
#
# ## Two workers
#
# Dask starts processes here or on other machines, and hands out tasks. Each counts one part of one file; partial tables
# are added eight at a time, in a tree. Without Dask the next cells run in one process.

# %%
client = None
if importlib.util.find_spec("distributed"):
    from distributed import Client, LocalCluster

    here = {"host": "127.0.0.1", "dashboard_address": ":0"}
    two = {"n_workers": 2, "threads_per_worker": 1, "silence_logs": 50}
    cluster = LocalCluster(**here, **two)
    client = Client(cluster)
else:
    print('Dask is missing; pip install -e ".[scale]" brings it.')

# %%
spread = {}
for language in texts:
    small = {"client": client, "part_size": 300_000}
    path = folder / f"{language}-*.txt"
    spread[language] = scale.count_files(path, "gpt2", **small)
    one, two = counts[language], spread[language]
    print(language, "counts equal:", list(one.items()) == list(two.items()))

# %%
again = bpelab.train(spread["English"], 2000, **options)
print("merges equal:", again == tok)

# %% [markdown]
# Every file was cut in two here, by size, and the next safe place was looked for. `part_size` is 64 MB otherwise.
#
# What is it worth? This cell prints seconds, so yours are others. For 8 MB, talking to the workers costs more than
# the counting:

# %% tags=["nbval-ignore-output"]
rows = []
for name, where in (("one process", None), ("two workers", client)):
    start = time.perf_counter()
    for language in texts:
        path = folder / f"{language}-*.txt"
        scale.count_files(path, "gpt2", client=where)
    rows.append({"": name, "seconds": time.perf_counter() - start})
bpelab.show.table(rows)

# %% [markdown]
# ## A worker dies
#
# On many machines some machine always fails. Here is a chunking that ends its own process when it meets a certain
# verse, once. Dask starts another worker, and works out again what the dead one held.


# %%
def deadly(line):
    """Each line is a chunk; the first to read 'Nineveh' doesn't survive."""
    flag = folder / "died"
    if "Nineveh" in line and not flag.exists():
        flag.touch()
        os._exit(1)
    return [line]


# %%
if client:
    path = folder / "English-*.txt"
    survived = scale.count_files(path, deadly, client=client, lines=True)
    print("a worker died:", (folder / "died").exists())
    print("counts equal:", survived == scale.count_files(path, "lines"))

# %% [markdown]
# Nothing is counted twice: a part's table is the result of one task, and a task that is done again gives the same one.
#
# ## When the table outgrows memory
#
# `memory` says how many bytes of chunks a task may hold. Past that, its table *spills*: it goes to disk in 64 sections,
# by a hash of the chunk; equal chunks land in equal sections. At the end each section is added up by itself. The result
# is exact:

# %%
for language in texts:
    path = folder / f"{language}-*.txt"
    spilled = scale.count_files(path, "gpt2", memory=2_000_000)
    print(language, "equal:", spilled == counts[language])

# %% [markdown]
# ## How the table grows
#
# How large does the table become? Take every 64th line, every 32nd, and so on to all, and count.


# %%
def byte_size(pieces):
    """UTF-8 bytes of some texts."""
    return sum(len(piece.encode()) for piece in pieces)


def measured(sample):
    found = bpelab.count_chunks(sample, "gpt2")
    sizes = {"text bytes": byte_size(sample), "table bytes": byte_size(found)}
    share = 100 * sizes["table bytes"] / sizes["text bytes"]
    return sizes | {"distinct chunks": len(found), "share (%)": share}


# %%
growth = {}
for language, text in texts.items():
    lines = text.splitlines(keepends=True)
    samples = [lines[::step] for step in (64, 32, 16, 8, 4, 2, 1)]
    growth[language] = pd.DataFrame([measured(sample) for sample in samples])
bpelab.show.table(pd.concat(growth, names=["language"]).reset_index(0))

# %%
bpelab.plot.curves(
    growth,
    "share (%)",
    x="text bytes",
    title="English repeats its chunks, Japanese hardly does",
    xlabel="text (bytes)",
    ylabel="distinct chunks' share of it (%)",
)

# %% [markdown]
# Herdan and Heaps found that the number of distinct words grows as a power of the length of a text, a · n^b, with b
# well below 1. English follows: of 4 MB of text, 2.8% are left in the table. Japanese has no blanks, so a chunk is a
# phrase up to the next punctuation. Most phrases are new, 95% are left, and counting saves next to nothing.
#
# The fit is a straight line through the logarithms of text bytes and table bytes. As a measure of doubt, the exponents
# between neighbouring points:

# %%
fits, rows = {}, []
for language, frame in growth.items():
    x, y = np.log(frame["text bytes"]), np.log(frame["table bytes"])
    b, a = np.polyfit(x, y, 1)
    steps = np.diff(y) / np.diff(x)
    fits[language] = (np.exp(a), b, steps.min(), steps.max())
    row = {"language": language, "a": np.exp(a), "b": b}
    rows.append(row | {"b, least": steps.min(), "b, most": steps.max()})
bpelab.show.table(rows)

# %% [markdown]
# ## Where one machine ends
#
# Suppose that merging takes 20 bytes of memory for each byte of the table, and that the machine has 64 GB. (The engine
# is measured in [chapter 06](06_speed.ipynb); put your own numbers in.) How large is the table of a terabyte, and how
# much text fits? The low and the high figure go on from the largest sample with the least and the greatest exponent,
# and the text that fits is reckoned with the greatest.

# %%
room, rows = 64e9 / 20, []
for language, (_, _, low, high) in fits.items():
    n, found = growth[language][["text bytes", "table bytes"]].iloc[-1]
    entry = {"language": language}
    for name, b in (("low", low), ("high", high)):
        entry[f"table of 1 TB, {name} (GB)"] = found * (1e12 / n) ** b / 1e9
    fits_in = n * (room / found) ** (1 / high) / 1e9
    rows.append(entry | {"text that fits, at least (GB)": fits_in})
bpelab.show.table(rows)

# %% [markdown]
# English bends: the exponent between neighbours falls from 0.588 to 0.374 as the text grows, so the fitted line, 0.480,
# is too steep for what follows. That is why the table of estimates has two figures and no single one.
#
# Read it with suspicion. It goes from 4 MB to a terabyte, a factor of 250,000, on the word of one old book; a crawl
# holds names, numbers, code and typing errors without end. (240 MB of mixed English, measured once and not here,
# gave an exponent of 0.53, and a table of 0.2 to 0.5 GB for a terabyte.) For English not even the order of magnitude is
# sure. What stands is the difference: the table of a terabyte of English fits, with room to spare. Of Japanese under
# this pattern 3.4 GB of text are enough, and the machine is full.
#
# Three ways on: a finer chunking, so that chunks repeat; a cut of rare chunks; a sample.
#
# ## Leaving out what is rare
#
# `min_count=2` drops the chunks that were seen once, and the table says what is gone. No pair can be miscounted by more
# than the dropped bytes. That bound is exact and of little use; so measure. Up to 32,000 merges (English runs out of
# pairs before):

# %%
rows, few = [], {}
for language in texts:
    cut = scale.count_files(folder / f"{language}-*", "gpt2", min_count=2)
    whole = bpelab.train(counts[language], 32_000, **options)
    few[language] = bpelab.train(cut, 32_000, **options)
    one, other = ([m[:2] for m in t.merges] for t in (whole, few[language]))
    differ = [a != b for a, b in zip(one, other, strict=False)]
    row = {"language": language, "chunks": len(counts[language])}
    row |= {"kept": len(cut), "merges": len(one), "merges, cut": len(other)}
    row |= {"first different": [*differ, True].index(True) + 1}
    rows.append(row | {"shared": len({*one} & {*other})})
bpelab.show.table(rows)

# %% [markdown]
# A third of the English chunks goes. The merges part ways early, at the 22nd, but of 14,901 merges 13,590 are in the
# full list too. The Japanese table falls apart: 1,880 of 56,095 chunks were seen at least twice.
# The very first merge is another one, and pairs run out at 7,598.
#
# Lists that differ may serve equally well. So: the length of the same text, with equally many merges from the full table
# and from the cut one.

# %%
rows = []
for language, text in texts.items():
    size = len(few[language].merges)
    fair = bpelab.train(counts[language], size, **options)
    row = {"language": language, "merges": size}
    row |= {"tokens": fair.count_tokens([text])[0]}
    row |= {"tokens, cut": few[language].count_tokens([text])[0]}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# English: 0.1% more tokens. Japanese: 46% more. A cut of what is rare is safe where the rare is a small part of the
# text, and ruinous where it is most of it. `dropped` in the table says which of the two it is, before any training:

# %%
for language in texts:
    path = folder / f"{language}-*.txt"
    gone = scale.count_files(path, "gpt2", min_count=2).dropped
    share = gone["bytes"] / counts[language].bytes
    print(f"{language}: {gone['bytes']:,} bytes dropped, {share:.1%}")

# %% [markdown]
# ## A sample instead
#
# Train on every 64th line, every 16th, every 4th and all of the training part, and measure on lines that none of them
# saw ([chapter 07](07_vocabulary_size.ipynb)):

# %%
held_out = bpelab.corpora.text(source, "ja", split="test")
lines = bpelab.corpora.text(source, "ja", split="train")
lines = lines.splitlines(keepends=True)
curves = {}
for step in (64, 16, 4, 1):
    sample = bpelab.train("".join(lines[::step]), 8000, **options)
    name = f"1/{step}" if step > 1 else "all"
    curves[name] = bpelab.sweep(sample, held_out)

# %%
rows = []
for merges in (500, 1000, 2000, 4000, 8000):
    row = {"merges": merges}
    for name, frame in curves.items():
        found = frame[frame["merges"] == merges]["bytes_per_token"]
        row[name] = found.iloc[0] if len(found) else float("nan")
    rows.append(row)
bpelab.show.table(rows)

# %%
bpelab.plot.curves(
    curves,
    "bytes_per_token",
    title="Japanese: a sample does for the first merges",
    ylabel="bytes per token, held-out text",
)

# %% [markdown]
# At 1,000 merges, a 64th of the text gives 97% of what all of it gives, and a 16th 99%. At 8,000, a quarter gives 98%,
# a 16th 92%, and the 64th has long run out of pairs that occur twice: its line goes flat. The rarer the pair, the more
# text it takes to see it. So a sample is the way on for Japanese: choose it as large as memory allows, at random over
# the whole corpus, and compare its curve with that of a quarter of it. Where the two agree, more text would change
# little.
#
# ## Ids on disk
#
# Encoding needs no table at all: each document is by itself. `encode_files` writes *shards*, files of ids; beside each,
# where its documents start; and a *manifest*, which says what was made from what.

# %%
out = folder / "ids"
paths = folder / "English-*.txt"
done = scale.encode_files(tok, paths, out, client=client, lines=True)
for name in ("vocab_size", "dtype", "documents", "tokens"):
    print(name, done[name])
print(sorted(path.name for path in out.iterdir())[:6])

# %% [markdown]
# Ids up to 65,535 fit two bytes, so the shards take two bytes for each of the 1,131,313 tokens, a little more than half
# of the 4 MB of text. NumPy maps a shard, and reads only what one looks at:

# %%
ids = np.load(out / "shard-00003.npy", mmap_mode="r")
starts = np.load(out / "shard-00003.offsets.npy")
third = ids[starts[2] : starts[3]]
print(type(ids).__name__, ids.dtype, len(starts) - 1, "documents")
print(tok.decode(third))

# %% [markdown]
# An interruption leaves whole shards and nothing else: each is written under another name, and then renamed. Called
# again, `encode_files` makes what is missing. Remove a shard's record, and it alone is made again, the same to the byte:

# %%
before = {path.name: path.read_bytes() for path in out.iterdir()}
(out / "shard-00003.json").unlink()
scale.encode_files(tok, paths, out, lines=True)
after = {path.name: path.read_bytes() for path in out.iterdir()}
print("equal to the byte:", after == before)

# %% [markdown]
# With other files or another tokenizer, the folder would hold a mixture that no one could decode. That is refused:

# %%
try:
    scale.encode_files(tok.truncate(1000), paths, out, lines=True)
except ValueError as error:
    print("out:", str(error).partition(" holds ")[2])

# %% [markdown]
# ## What it takes
#
# Measured once by `tests/bench/scale.py`, on two cores that others were using too: 200 MB of mixed text (the built-in
# texts and the files of installed packages), 51 million chunks, 619 thousand of them distinct. Memory is the peak, of
# which 300 MB are Python, NumPy and compiled code before anything is counted.
#
# | way | seconds | CPU seconds | peak here (MB) | peak of a worker (MB) |
# |---|---|---|---|---|
# | one process | 6–8 | 5–6 | 425–437 | – |
# | one process, spilled at 32 MB | 6–8 | 6–7 | 356 | – |
# | two workers | 7–15 | 10–11 | 305–325 | 408–419 |
# | two workers, spilled at 32 MB | 12–19 | 12 | 315–330 | 335–339 |
#
# All tables were equal, and at 256 MB nothing had to be spilled: the table took less. Sending and adding tables doubles
# the work, so for 200 MB stay in one process. Workers pay when there is far more to read than tables to add, or when
# each machine reads its own disk.

# %%
if client:
    client.close()
    cluster.close()
print("texts:", ", ".join(texts), "| files:", len(list(folder.glob("*.txt"))))

# %% [markdown]
# ## What was simplified
#
# - A line, a record or a file is a document; a real corpus is also cleaned and freed of duplicates first.
# - The estimates know one book. Fit your own text before you rent a machine.
# - Merging on many machines at once has been tried by others; here it stays on one.
# - Folders are local here. Workers on several machines need a `folder` and an `out` that all of them see. `s3://` and
#   the like can be read, not written.
#
# ## Questions
#
# **1.** Why may the partial tables be added in any order?
#
# <details><summary>Answer</summary>
#
# Sums don't depend on it, and the table is sorted at the end.
#
# </details>
#
# **2.** Why is cutting at any newline wrong under GPT-2's pattern?
#
# <details><summary>Answer</summary>
#
# White space before and after the newline can be one chunk.
#
# </details>
#
# **3.** What would have to be kept with each chunk for `tie="first"`?
#
# <details><summary>Answer</summary>
#
# The file and the place where it was first seen; the least of two survives a sum.
#
# </details>
#
# **4.** Your table has 90% of its bytes in chunks that were seen once. Cut, or sample?
#
# <details><summary>Answer</summary>
#
# Sample. A cut would drop most of the text, as it did with the Japanese table.
#
# </details>
#
# ## Words of this chapter
#
# Heaps' law, sample, spill: see the [glossary](glossary.md).
#
# ## Sources
#
# - G. Herdan: *Type-token Mathematics*, 1960, and H. S. Heaps: *Information Retrieval*, 1978, for the law of growth.
# - M. Rocklin: *Dask: Parallel Computation with Blocked Algorithms and Task Scheduling*, SciPy 2015,
#   [doi:10.25080/Majora-7b98e3ed-013](https://doi.org/10.25080/Majora-7b98e3ed-013).
# - J. Dean, S. Ghemawat: *MapReduce: Simplified Data Processing on Large Clusters*, 2004: counting apart, adding and
#   going on from the sums, [OSDI 2004](https://www.usenix.org/legacy/events/osdi04/tech/dean.html).
