# %% [markdown]
# # 06 Speed
#
# The trainer of [chapter 02](02_training.ipynb) counts all pairs again after
# each merge. After this chapter you can say why that is slow, write a fast
# trainer in about forty lines of Python, and say what the engine of this
# package and the fastest libraries do beyond it. About 35 minutes, and 50 for
# the five exercises. If you came for curves, go on to
# [chapter 07](07_vocabulary_size.ipynb); nothing there needs this.

# %% tags=["setup"]
import random
import time
from collections import Counter
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import log

import regex

import bpelab
from bpelab import reference
from bpelab.show import label

# %% tags=["setup"]
source = "bible"  # or a file of yours: "my.txt"

# %% [markdown]
# The shipped text is the Bible in English and in Japanese, 4 MB each. Its
# Japanese is *literary and old*; it is here for its size. Numbers in the prose
# are those of this text. A file of yours stands under both names.
#
# ## What recounting looks at
#
# `recount` follows the trainer of [chapter 02](02_training.ipynb). For each
# merge it says how many pairs were looked at, and how many chunks the merge
# changed.


# %%
def recount(chunks, num_merges=None):
    """A row for each merge; chunks: chunk -> frequency."""
    words = [(list(chunk), n) for chunk, n in chunks.items()]
    for pair, _, after in reference.learn_merges(words, num_merges):
        row = {"merge": "+".join(map(label, pair))}
        row["pairs looked at"] = sum(len(s) - 1 for s, _ in words)
        row["chunks"] = len(words)
        changes = zip(words, after, strict=True)
        row["chunks changed"] = sum(old != new for old, new in changes)
        words = after
        yield row


# %% [markdown] tags=["exercise"]
# **Exercise 06.1** ★ · 4 minutes. `low low lower` has three chunks: `low`,
# `␣low` and `␣lower`. Its five merges are `l+o`, `lo+w`, `␣+low`, `␣low+e` and
# `␣lowe+r`. How many pairs does `recount` look at in all five together? Predict
# before you run the next cell.

# %% tags=["exercise"]
#: looked = ...
# solution
looked = 10 + 7 + 4 + 2 + 1
# end
bpelab.exercises.check("06.1", looked)

# %% [markdown] tags=["solution"]
# Before a merge, a chunk of n symbols has n − 1 pairs: 2 + 3 + 5 at first. Each
# merge makes each chunk that holds it one shorter, so the sums are 10, 7, 4, 2
# and 1. A text is counted again for every merge, though ever less is new.

# %%
mini = bpelab.count_chunks("low low lower")
rows = list(recount(mini))
bpelab.show.table(rows)

# %% [markdown]
# Three chunks: `low`, `␣low`, `␣lower`. From the fourth merge on only one of
# them changes. The others are counted again, to find what was known before.
#
# Now real text. The table of distinct chunks with their frequencies is all
# that training needs; it is the first saving, and `reference` has it too.

# %%
languages = {"English": "en", "Japanese": "ja"}
texts = {name: bpelab.corpora.text(source, c) for name, c in languages.items()}
tables, rows = {}, []
for name, text in texts.items():
    tables[name] = chunks = bpelab.count_chunks(text, "gpt2")
    row = {"text": name, "bytes": len(text.encode())}
    row |= {"chunks": sum(chunks.values()), "distinct": len(chunks)}
    row["bytes in them"] = sum(len(chunk.encode()) for chunk in chunks)
    rows.append(row)
bpelab.show.table(rows)

# %%
lengths = {name: [len(c) for c in tables[name]] for name in tables}
bpelab.plot.histogram(
    lengths,
    title="A Japanese chunk is a phrase",
    alt="Histogram of the lengths of the distinct chunks, in characters: "
    "English words are short, Japanese chunks reach far beyond.",
)

# %% [markdown]
# For English the saving is large: of four million bytes about a hundred
# thousand are left. Japanese has no blanks between words, so a chunk is a
# phrase, hardly any comes twice, and nearly the whole text stays.
#
# ## An estimate before the big run
#
# Recount on small parts of the text, and see how the work grows:

# %%
rows = []
for size, merges in ((2500, 50), (5000, 50), (10_000, 50), (10_000, 100)):
    row = {"characters": size, "merges": merges}
    for name, text in texts.items():
        steps = recount(bpelab.count_chunks(text[:size], "gpt2"), merges)
        row[name] = sum(step["pairs looked at"] for step in steps)
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# Twice the Japanese text is about twice the work, and so are twice the merges:
# work grows with *text × merges*. So for the whole text and 32,000 merges:

# %%
last = rows[-1]
for name, text in texts.items():
    pairs = last[name] / last["merges"] / last["characters"]
    whole = pairs * len(text) * 32_000
    print(f"{name}: about 10^{len(f'{whole:.0f}') - 1} pairs to look at")

# %% [markdown]
# Python looks at a few million pairs a second, so this would take hours. (For
# English the guess is too high: there the table of distinct chunks grows more
# slowly than the text.) And how much of the text does a merge change?

# %%
rows = []
for name, text in texts.items():
    steps = list(recount(bpelab.count_chunks(text[:10_000], "gpt2"), 300))
    for at in (1, 10, 100, 300):
        for step in steps[at - 1 : at]:
            share = 100 * step["chunks changed"] / step["chunks"]
            rows.append({"text": name, "step": at, "changed %": share})
bpelab.show.table(rows)

# %% [markdown]
# Late merges change about one chunk in a hundred. All others are recounted for
# nothing.
#
# ## A fast trainer in forty lines
#
# Three ideas. Remember for each pair the **places** where it stands, here the
# numbers of the words that hold it. Keep the counts, and correct them only
# where a merge changes something. And keep the pairs in a **queue** that gives
# the most frequent first. The start counts once:


# %%
def start(chunks):
    """Words, their weights, the pairs' counts, and the pairs' places."""
    words, weights = [list(chunk) for chunk in chunks], list(chunks.values())
    counts, places = Counter(), {}
    for number, word in enumerate(words):
        for pair in pairwise(word):
            counts[pair] += weights[number]
            places.setdefault(pair, set()).add(number)
    return words, weights, counts, places


# %% [markdown]
# A count can only fall, once a pair is there: later merges take its parts away.
# So an entry of the queue is never too low. If the top one is out of date
# (**stale**), it goes back with its true count; the first that is up to date is
# the best. `heapq` gives the smallest entry, hence the minus sign; among equals
# it gives the lexicographically smallest pair, the rule of [chapter
# 02](02_training.ipynb).


# %%
def best(queue, counts):
    """The most frequent pair; entries out of date go back."""
    while queue:
        count, pair = heappop(queue)
        if -count == counts[pair]:
            return pair
        if counts[pair] > 0:
            heappush(queue, (-counts[pair], pair))
    return None


# %% [markdown]
# A merge goes through the words that hold the pair, takes their old pairs out
# of the counts, and puts the new ones in:


# %%
def merge(pair, words, weights, counts, places):
    fresh = {}
    for number in places.pop(pair):
        for old in pairwise(words[number]):
            counts[old] -= weights[number]
        words[number] = reference.apply_merge(words[number], pair)
        for new in pairwise(words[number]):
            counts[new] += weights[number]
            if "".join(pair) in new:
                fresh.setdefault(new, set()).add(number)
    places |= fresh
    return fresh


# %%
def train_fast(chunks, num_merges):
    """(left, right, count) of each merge, as `reference` learns them."""
    words, weights, counts, places = start(chunks)
    queue = [(-n, pair) for pair, n in counts.items() if n > 0]
    heapify(queue)
    merges = []
    while len(merges) < num_merges and (pair := best(queue, counts)):
        merges.append((*pair, counts[pair]))
        for new in merge(pair, words, weights, counts, places):
            heappush(queue, (-counts[new], new))
    return merges


# %%
for left, right, n in train_fast(mini, 3):
    print(label(left), "+", label(right), n)

# %% [markdown]
# That is all. Is it right? Two hundred random corpora, against `reference`:


# %%
def slow(chunks, num_merges):
    words = [(list(chunk), n) for chunk, n in chunks.items()]
    steps = reference.learn_merges(words, num_merges)
    return [(*pair, n) for pair, n, _ in steps]


# %%
draw, equal = random.Random(6), 0
for _ in range(200):
    corpus = ["".join(draw.choices("abc", k=draw.randint(1, 9)))] * 2
    corpus += ["".join(draw.choices("aab猫", k=6)) for _ in range(8)]
    chunks = {chunk: draw.randint(1, 4) for chunk in corpus}
    equal += train_fast(chunks, 30) == slow(chunks, 30)
print(equal, "of 200 equal")

# %% [markdown]
# And on real text it equals `bpelab.train`, count by count:

# %%
chunks = bpelab.count_chunks(texts["Japanese"][:60_000], "gpt2")
merges = train_fast(chunks, 400)
theirs = bpelab.train(chunks, 400, chunking="gpt2").merges
same = [(a.encode(), b.encode(), n) for a, b, n in merges] == theirs
print(len(merges), "merges, the same:", same)

# %% [markdown] tags=["exercise"]
# **Exercise 06.2** ★★★ · 20 minutes. Of equals `best` takes the smallest pair,
# since `heapq` sorts so. The tokenizer subword-nmt takes the largest. Write
# that: return the most frequent pair of the queue, of equals the largest; None
# when no pair is left. The entries are `(-count, pair)`, and may be out of
# date. All that isn't returned must still be found by later calls. Don't go
# through all of `counts`.


# %% tags=["exercise"]
def best_largest(queue, counts):
    """The most frequent pair, of equals the largest."""
    #: ...
    # solution
    equals = []
    while queue and (not equals or queue[0][0] == equals[0][0]):
        count, pair = heappop(queue)
        if -count == counts[pair]:
            equals.append((count, pair))
        elif counts[pair] > 0:
            heappush(queue, (-counts[pair], pair))
    winner = max(equals, default=None)
    for entry in equals:
        if entry != winner:
            heappush(queue, entry)
    return winner and winner[1]
    # end


bpelab.exercises.check("06.2", best_largest)

# %% [markdown] tags=["solution"]
# No count in the queue is too small. So when the top is lower than an entry that is up to
# date, all equals of that one have come out. The largest is returned, the
# others go back. An entry out of date goes back with its true count. Dropped,
# its pair would be lost, though it may be frequent, and the list of merges
# would differ from there on.

# %% [markdown]
# ## The work, counted
#
# How many pairs do `recount` and `train_fast` look at? `train_fast` reads the
# pairs of the words that it touches, twice:


# %%
def touched(chunks, num_merges):
    """Pairs that `train_fast` looks at in its merges."""
    looked, words = 0, [(list(c), n) for c, n in chunks.items()]
    for _, _, after in reference.learn_merges(words, num_merges):
        for (old, _), (new, _) in zip(words, after, strict=True):
            looked += len(old) + len(new) - 2 if old != new else 0
        words = after
    return looked


# %%
values, rows = {}, []
for name, text in texts.items():
    chunks = bpelab.count_chunks(text[:20_000], "gpt2")
    all_pairs = sum(step["pairs looked at"] for step in recount(chunks, 200))
    values[f"{name}, recounting"] = all_pairs
    values[f"{name}, touched words"] = touched(chunks, 200)
for way, pairs in values.items():
    rows.append({"way": way, "pairs looked at in 200 merges": pairs})
bpelab.show.table(rows)

# %%
bpelab.plot.bars(
    values,
    title="A merge needs to look where its pair stands",
    xlabel="pairs looked at in 200 merges, 20,000 characters",
    alt="Bars of the pairs looked at: "
    + ", ".join(f"{way} {pairs:,}" for way, pairs in values.items()),
)

# %% [markdown]
# ## From words to positions: the engine
#
# In a long chunk one place changes, and the whole word is read. The engine
# (`bpelab/engine.py`) remembers *positions* instead, an idea from a
# compressor, Re-Pair (1999):
#
# - All chunks lie in one array. A token of k base symbols keeps its k places:
#   its id stands at the first, and −k at the last, so that both neighbours are
#   one look away.
# - The list of a pair's positions is written once, in the step that makes the
#   pair. Later steps only take occurrences away; an entry that is out of date
#   is passed over when its turn comes. So the queue's idea serves the lists,
#   too.

# %% [markdown] tags=["exercise"]
# **Exercise 06.3** ★ · 4 minutes. Here are the three chunks of `low low lower`
# in such an array, `▪` for a border. Every list of a pair is written.
#
#     position  0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
#     symbol    ▪ l o w ▪ ␣ l o w ▪  ␣  l  o  w  e  r  ▪
#
# Now `l+o` is merged. Which positions stand in the list of `o+w` after that,
# and at which of them is there still `o+w`?

# %% tags=["exercise"]
#: written, still = ..., ...
# solution
written, still = [2, 7, 12], []
# end
bpelab.exercises.check("06.3", (written, still))

# %% [markdown] tags=["solution"]
# A merge visits the places of its own pair. It doesn't go through the lists of
# the neighbours, it only lowers their counts. So the list of `o+w` still has
# its three positions, and at none of them a token `o` starts: each o is the end
# of `lo`. If the list is ever read, its entries are passed over.

# %% [markdown] tags=["exercise"]
# **Exercise 06.4** ★★ · 8 minutes. `symbols` is such an array: an id (0 or
# more) at a token's first position, −k at the last one of a token of k > 1
# symbols, −1 for a border. Between first and last stands what stood there
# before the merge. A token starts at `i`. Where does its left neighbour start?
# Return None if it has none. One look is enough.


# %% tags=["exercise"]
def left_of(symbols, i):
    """Where the token to the left of the one at i starts, or None."""
    #: ...
    # solution
    before = symbols[i - 1]
    if before == -1:
        return None
    return i - 1 if before >= 0 else i + before
    # end


bpelab.exercises.check("06.4", left_of)

# %% [markdown] tags=["solution"]
# At i − 1 the left neighbour ends. An id there means that it is one symbol
# long; −k, that it starts k positions before i. Walking left to the first id
# goes wrong: in `[-1, 8, 7, -3, 6, -1]` the 7 is a leftover inside the token 8.
# The engine's `before` is this function.

# %% [markdown]
# Otherwise the engine is `train_fast`, with numbers in arrays in place of
# Python's lists and dicts, and compiled by Numba. Here is its loop:

# %%
bpelab.show.source(bpelab.engine.learn_steps)

# %% [markdown]
# `best` is ours from above, `merge` visits positions. With one chunk of many
# characters the difference is greatest. A Japanese text without its
# punctuation is a single chunk:

# %%
line = regex.sub(r"\P{L}", "", texts["Japanese"])[:200_000] or "あ" * 10
whole = bpelab.train(line, 500, chunking="whole")
print(f"one chunk of {len(line):,} characters, {len(whole.merges)} merges:")
print(f"{whole.lengths[0]:,} tokens before, {whole.lengths[-1]:,} after")

# %% [markdown]
# How the time grows with such a line (this cell's output isn't compared by the
# tests, as times differ from machine to machine):

# %% tags=["nbval-ignore-output"]
seconds = {}
for size in (50_000, 100_000, 200_000):
    begin = time.process_time()
    bpelab.train(line[:size], 500, chunking="whole")
    seconds[size] = time.process_time() - begin
for size in (100_000, 200_000):
    ratio = seconds[size] / max(seconds[size // 2], 1e-9)
    print(f"{size:,} characters: {ratio:.1f} times the time of half of it")

# %% [markdown]
# About twice: the work grows no faster than the chunk. Each replacement
# makes the text one token shorter, so there were about 75,000 of them in the
# 500 merges above. A trainer that reads the whole chunk for each merge looks at
# more than 100,000 tokens 500 times.

# %% [markdown] tags=["exercise"]
# **Exercise 06.5** ★★ · 15 minutes. How does this work grow with *your* text?
# Take a text of your own, up to a million characters, and its first sixteenth,
# its first quarter, and all of it. Cut each with `count_chunks(part, "gpt2")`,
# and learn 500 merges from it with `base="byte"` and `chunking="gpt2"`. Make of
# each a point: the bytes in its distinct chunks, and the places that were
# visited in them, which are these bytes less the tokens that are left. What is
# the exponent b in *places = c · bytes^b*?

# %% tags=["exercise"]
#: own, points, exponent = ..., ..., ...
# solution
own, points = bpelab.corpora.text(source, "en")[:1_000_000], []
for share in (16, 4, 1):
    chunks = bpelab.count_chunks(own[: len(own) // share], "gpt2")
    learned = bpelab.train(chunks, 500, base="byte", chunking="gpt2")
    size = sum(len(chunk.encode()) for chunk in chunks)
    points.append((size, size - sum(learned.count_tokens(list(chunks)))))
(x, y), _, (larger, more) = points
exponent = log(more / y) / log(larger / x)
print(points, f"exponent {exponent:.2f}")
# end
bpelab.exercises.check("06.5", (own, points, exponent))

# %% [markdown] tags=["solution"]
# Close to 1: twice the bytes in distinct chunks, about twice the places. In
# English these bytes grow far more slowly than the text, since most words have
# come before; against the bytes of the text the exponent would be about a half.
# Seconds would show the same, less exactly, and differently on each machine.

# %% [markdown]
# ## Side by side with a library
#
# The same text, the same split pattern, to 8,000 entries. Times again, so look
# at your own; the README has a table of many peers, made by
# `tests/bench/run.py` in one run.

# %% tags=["nbval-ignore-output"]
import tokenizers

text = texts["Japanese"][:400_000]
parts = bpelab.corpora.lines(text)


# %% tags=["nbval-ignore-output"]
def with_tokenizers():
    tok = tokenizers.Tokenizer(tokenizers.models.BPE())
    level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok.pre_tokenizer = level
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=8000)
    trainer.show_progress = False
    tok.train_from_iterator(parts, trainer)


# %% tags=["nbval-ignore-output"]
options = {"vocab_size": 8000, "base": "byte", "chunking": "gpt2"}
ways = {"bpelab": lambda: bpelab.train(parts, **options)}
ways["tokenizers"] = with_tokenizers
taken = {}
for name, train in ways.items():
    train()  # once for compiling
    begin = time.process_time()
    train()
    taken[name] = time.process_time() - begin
ratio = taken["tokenizers"] / taken["bpelab"]
print(f"tokenizers takes {ratio:.1f} times the processor time of bpelab")

# %% [markdown]
# `tests/bench/run.py` compared them to 32,000 entries on 4 and 16 MB, three
# and two times: tokenizers took 24 to 37 times as long as bpelab in English
# and 6 to 11 times in Japanese, rustbpe 3 to 6 times and 2 to 3 times.
#
# Past one machine only the counting is large: the table of distinct chunks can
# be counted in parts and added up. [Chapter 11](11_scale.ipynb) does it.
#
# ## Why the newest encoders are fast
#
# Encoding meets the same chunks again and again. So *remember* them: how many
# of a text's chunks were seen before?

# %%
rows = []
for name, chunks in tables.items():
    every = sum(chunks.values())
    row = {"text": name, "chunks": every, "distinct": len(chunks)}
    rows.append(row | {"seen before %": 100 * (1 - len(chunks) / every)})
bpelab.show.table(rows)

# %% [markdown]
# In English nearly every chunk was seen before. In Japanese almost half are
# new, and must be encoded. There a second idea helps, **walls**. A merge joins
# two neighbours into a token; if no token of the whole vocabulary holds these
# two characters side by side, no merge ever crosses between them. So a long
# chunk falls into pieces of a few characters, which repeat:

# %%
tok = bpelab.train(texts["Japanese"], vocab_size=4000, chunking="gpt2")
inside = {pair for t in tok.vocab[1:] for pair in pairwise(t.decode())}
pieces = Counter()
for chunk in tables["Japanese"]:
    walls = [pair not in inside for pair in pairwise(chunk)]
    ends = [i + 1 for i, wall in enumerate(walls) if wall]
    for a, b in pairwise([0, *ends, len(chunk)]):
        pieces[chunk[a:b]] += 1
total = max(1, pieces.total())
print(f"{total:,} pieces, {100 * (1 - len(pieces) / total):.0f}% seen before")

# %% [markdown]
# The third idea is not to cut with a regular expression. A published pattern
# can be read aloud as rules, "in a word, a letter goes on, a blank ends it",
# and the rules make a table, an **automaton**: one look for each character. The
# chunks must be the same:

# %%
sample = texts["Japanese"][:50_000] + texts["English"][:50_000]
found = bpelab.chunking.distinct([sample], "gpt2")[0]
pattern = regex.compile(bpelab.chunking.PATTERNS["gpt2"])
print(list(found) == list(dict.fromkeys(pattern.findall(sample))))

# %% [markdown]
# Why does a tokenizer's speed matter at all, when the model is so much slower?
# Training data of terabytes are encoded once per experiment; a service counts
# tokens before it sends them; and who measures vocabularies, as this book
# does, encodes a text hundreds of times.
#
# ## What was simplified
#
# - `train_fast` knows one tie rule and one way to count; the engine has all of
#   [chapter 05](05_ties.ipynb).
# - Its counts of work are of pairs; the queue comes on top, and Python's own
#   time for each look.
# - The engine rebuilds its arrays when they are full, and keeps counts of 64
#   bits; corpora beyond that are learned by `reference`.
#
# ## Questions
#
# **1.** Why is an entry of the queue never too low?
#
# <details><summary>Answer</summary>
#
# New occurrences of a pair arise only in the step that makes one of its parts,
# and then it enters the queue. All later merges can only take occurrences
# away.
#
# </details>
#
# **2.** Why does Japanese train slower than English of the same size?
#
# <details><summary>Answer</summary>
#
# Its chunks are phrases that hardly repeat, so nearly the whole text is in the
# table of distinct chunks, against a few percent in English.
#
# </details>
#
# ## Words of this chapter
#
# Place, queue, stale entry, wall, automaton: see the [glossary](glossary.md).
#
# ## Sources
#
# - N. Jesper Larsson, Alistair Moffat: *Offline Dictionary-Based Compression*
#   (Re-Pair), Data Compression Conference, 1999.
# - Vilém Zouhar and others: *A Formal Perspective on Byte-Pair Encoding*,
#   [arXiv:2306.16837](https://arxiv.org/abs/2306.16837): training in
#   O(N log M).
# - The packages gigatoken and fastokens, their source: remembering whole chunks.
