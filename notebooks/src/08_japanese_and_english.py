# %% [markdown]
# # 08 Japanese and English
#
# Models are billed, limited and slowed down by tokens, and the same content often takes more of them in Japanese than
# in English. After this chapter you can measure how many more, at every vocabulary size, for the lists of well-known
# models and for your own; say which part comes from the text and which from the vocabulary; and choose a tokenizer for
# a Japanese product. About 45 minutes, and 50 for the exercises ([solutions](solutions/08_japanese_and_english.ipynb)).
# It builds on [chapter 04](04_bytes.ipynb) and [chapter 07](07_vocabulary_size.ipynb). No Japanese needed.

# %% tags=["setup"]
import random
from collections import Counter
from itertools import accumulate

import pandas as pd
from IPython.display import display

import bpelab
from bpelab import corpora, vocabularies
from bpelab import efficiency as measure
from bpelab.plot import curves, dots, premiums, slots
from bpelab.show import table

# %%
source = "parallel"  # or ("my.en.txt", "my.ja.txt")

# %% [markdown]
# "parallel" is modern text in sixteen kinds (**registers**) such as news, law and chat, written for this book. With two
# files of yours, line for line the same content, everything below measures them. (A single file stands on both sides;
# then every premium is 1.)
#
# ## One message, three units

# %%
modern = corpora.pairs(source)
en, ja = modern[min(29, len(modern) - 1)]
gpt4o = vocabularies.load("o200k_base")
sizes = {
    "characters": (len(en), len(ja)),
    "bytes": (len(en.encode()), len(ja.encode())),
    "tokens": tuple(len(gpt4o.encode_ordinary(text)) for text in (en, ja)),
}
rows = []
for unit, (e, j) in sizes.items():
    rows.append({"unit": unit, "EN": e, "JA": j, "JA / EN": j / e})
table(rows)

# %%
display(bpelab.show.tokens({"EN": gpt4o}, en))
display(bpelab.show.tokens({"JA": gpt4o}, ja))

# %% [markdown]
# In characters the Japanese is shorter. In bytes it can be longer, because UTF-8 writes most Japanese characters with
# three bytes. In tokens it depends on the vocabulary. The tokens of the Japanese divided by those of the English, *for
# the same content*, are called the **premium** (the word is that of Petrov et al., 2023). One sentence proves little.

# %% [markdown] tags=["exercise"]
# **Exercise 08.1** ★ · 3 minutes. On some text a token holds 4.592 characters in English and 1.255 in Japanese, and
# the same content takes 0.409 Japanese characters for each English one. What is the premium?

# %% tags=["exercise"]
en_per_token, ja_per_token, ja_for_each_en = 4.592, 1.255, 0.409
#: premium = ...
# solution
premium = (ja_for_each_en / ja_per_token) / (1 / en_per_token)
print(round(premium, 3))
# end
bpelab.exercises.check("08.1", premium)

# %% [markdown] tags=["solution"]
# Take one English character: that is 1 / 4.592 of a token. The same content is 0.409 Japanese characters, and those
# are 0.409 / 1.255 of a token. The premium is the second divided by the first. A token that holds nearly four times as
# many characters doesn't make English nearly four times as cheap, because Japanese says the same with fewer.

# %% [markdown]
# ## The premium at every size
#
# The lists of models in use are merge lists, and the first k merges of one are a smaller vocabulary
# ([chapter 07](07_vocabulary_size.ipynb)). So one pass over the pairs gives the premium of a list at every size:

# %%
names = {"GPT-2": "gpt2", "GPT-4": "cl100k_base", "GPT-4o": "o200k_base"}
lists = {
    label: bpelab.from_tiktoken(vocabularies.load(name))
    for label, name in names.items()
}
growth = {
    label: measure.premium_curve(tok, modern) for label, tok in lists.items()
}

# %%
premiums(
    growth,
    title="The premium rises before it falls",
    alt="Three lines: premium against vocabulary size for GPT-2, GPT-4 and "
    "GPT-4o. Each rises first and falls later.",
)


# %%
def at(frame, size):
    """The row of the largest vocabulary up to this size."""
    return frame.iloc[max((frame["vocab_size"] <= size).sum() - 1, 0)]


for label, frame in growth.items():
    rank = frame["premium"].diff().idxmin()
    merge = lists[label].merges[max(rank, 1) - 1]
    token = bpelab.show.label(merge.left + merge.right)
    print(f"{label}: the greatest fall is merge {rank}, {token}")


# %%
rows = []
for label, frame in growth.items():
    whole = int(frame["vocab_size"].iloc[-1])
    for size in (256, 1024, 4096, 16_384, 65_536, whole):
        if size <= whole:
            row = at(frame, size)
            rows.append({"list": label, "size": int(row["vocab_size"])})
            rows[-1]["EN tokens"] = int(row["en_tokens"])
            rows[-1]["JA tokens"] = int(row["ja_tokens"])
            rows[-1]["premium"] = row["premium"]
table(rows)

# %% [markdown]
# In the first row of each list, bytes and a few special tokens, the premium is low: nothing has been learned yet. Then
# it climbs. The first merges of each list are those of its training text, and that was mostly English: English gets
# short at once, Japanese waits. It falls again when the common English words are done and merges reach Japanese.
#
# The sudden falls are single merges. The greatest joins the two bytes E3 81, with which most hiragana (the letters of
# Japanese grammar) begin; one merge, and the whole text gets shorter.
#
# So a list cut short looks worse at Japanese than the whole of it. For GPT-2 the long fall on the right comes so late
# that the list ends before it has got far. And the other end: from 65,536 entries to all of GPT-4o's list, Japanese
# still gets clearly shorter, English much less.
#
# ## The chunking moves the premium
#
# Now vocabularies of our own. One list for both languages, trained on two million bytes of the Bible, half English,
# half Japanese. (The Japanese of that Bible is *literary and old*. It is here because it is large.) We train twice.
# With the chunking "gpt2" no token crosses a blank ([chapter 01](01_chunking.ipynb)); with "lines" a token may cross
# anything but a line end.

# %%
large = "bible" if "bible" in corpora.available() else source
verses = corpora.pairs(large, "train")
held_out = corpora.pairs(large, "test") or verses


def take(texts, size):
    """The first texts, as many as fit into `size` bytes, at least one."""
    ends = accumulate(len(text.encode()) for text in texts)
    cut = sum(end <= size for end in ends)
    return texts[: max(cut, min(1, size))]


# %%
def mixed(share, seed=0, budget=600_000, size=8000, chunking="gpt2"):
    """A tokenizer trained on text with `share` percent Japanese."""
    order = random.Random(seed).sample(verses, len(verses))
    en = take([pair[0] for pair in order], budget * (100 - share) // 100)
    ja = take([pair[1] for pair in order], budget * share // 100)
    options = {"base": "byte", "chunking": chunking}
    return bpelab.train(en + ja, vocab_size=size, **options)


# %%
shared, two = {}, {"gpt2": "at blanks", "lines": "at line ends"}
for chunking, cut in two.items():
    tok = mixed(50, budget=2_000_000, size=32_000, chunking=chunking)
    shared[f"verses, cut {cut}"] = measure.premium_curve(tok, held_out)
    shared[f"your pairs, cut {cut}"] = measure.premium_curve(tok, modern)
premiums(
    shared,
    title="One text, two chunkings: the premium parts",
    alt="Four lines: premium against size of a shared vocabulary. For verses "
    "it falls far below 1 where English is cut at blanks, and stays at 1 "
    "where both are cut at line ends. Modern text lies above 1 in both.",
)

# %%
rows = []
for name, frame in shared.items():
    row = {"pairs": name}
    for size in (1000, 4000, 16_000, 32_000):
        row[f"{size:,}"] = at(frame, size)["premium"]
    rows.append(row)
table(rows)

# %% [markdown]
# This is the chapter's main result. On unseen verses a shared vocabulary of the usual kind needs far *fewer* tokens for
# Japanese than for English, and fewer with each size in the table. With the other chunking, trained on the same text,
# the premium stays near 1. So it isn't the language that makes Japanese cheap there: "gpt2" forbids English what it
# allows Japanese. Japanese writes no blanks, so its tokens may span several words, and the Bible repeats its phrases:

# %%
for share, language in ((100, "Japanese"), (0, "English")):
    tok = mixed(share, budget=1_000_000)
    longest = sorted(tok.vocab, key=len)[-3:]
    print(language, [bpelab.show.label(token) for token in longest])

# %% [markdown]
# The Japanese tokens are parts of one sentence that returns in a list of offerings (Numbers 7): "… its weight was a
# hundred and thirty shekels, one silver bowl, of seventy shekels". The English ones are single words. Modern sentences
# don't contain such phrases; on them the two chunkings differ less, and the premium is above 1 under both. A premium
# therefore belongs to a list, a chunking *and* a text. Arnett et al. (2025) trained about 7,000 tokenizers in 97
# languages: there too the vocabulary size and the way of cutting matter, and letting tokens cross blanks makes the
# languages more alike.
#
# ## The line to tell a colleague
#
# **Character ratio × bytes-per-character ratio = byte ratio.** Japanese takes fewer characters for the same content, and more bytes for each:

# %%
texts = {"your pairs": modern, "verses": held_out}
texts["JupyterLab"] = corpora.pairs("jupyterlab")
rows = []
for name, pairs in texts.items():
    en, ja = ("".join(side) for side in zip(*pairs, strict=True))
    shorter = len(ja) / len(en)
    wider = (len(ja.encode()) / len(ja)) / (len(en.encode()) / len(en))
    row = {"text": name, "pairs": len(pairs), "characters JA/EN": shorter}
    row |= {"bytes per character JA/EN": wider}
    rows.append(row | {"byte ratio": shorter * wider})
table(rows)

# %% [markdown]
# On the shipped text: four tenths of the characters, nearly three times the bytes for each, a fifth more bytes in all.
# The **byte ratio** is the premium of a tokenizer that learned nothing. It belongs to the text. Then
#
#     premium = byte ratio × compression gap
#
# where the **compression gap** is English bytes per token divided by Japanese bytes per token. This is no law: put
# characters in place of bytes and the same premium falls into two other factors. Bytes are a convention, a good one
# because UTF-8 is where byte-level BPE begins. Nor is the byte ratio a floor: the gap can be below 1.

# %% [markdown] tags=["exercise"]
# **Exercise 08.2** ★ · 2 minutes. A list has a premium of 2.006 on text with a byte ratio of 1.184. Its compression gap?

# %% tags=["exercise"]
its_premium, byte_ratio = 2.006, 1.184
#: gap = ...
# solution
gap = its_premium / byte_ratio
print(round(gap, 3))
# end
bpelab.exercises.check("08.2", gap)

# %% [markdown] tags=["solution"]
# The premium is the product, so divide. A vocabulary that takes as many bytes into a token in both languages would
# bring this premium down to the byte ratio, 1.184; one that is better at Japanese, below it.

# %% [markdown]
# ## Today's lists, with intervals

# %%
listed = lists | {"Qwen2": "qwen2", "Qwen 3.6": "qwen3.6"}
today = measure.premium({**listed, "ours, half": mixed(50)}, modern)
columns = ["encoder", "premium", "low", "high", "compression_gap"]
columns += ["en_chars_per_token", "ja_chars_per_token"]
display(table(today[columns]))
values = today[["encoder", "premium", "low", "high"]].itertuples(index=False)
dots(
    {name: rest for name, *rest in values},
    title="The premium of six vocabularies",
    xlabel="premium, with 95% interval",
    reference=(1, "as many tokens as English"),
)

# %% [markdown]
# `low` and `high` are a 95% **bootstrap interval**: the pairs are drawn anew, with replacement, 1,000 times, and the
# middle 95% of the results lie between the two. It says how much the number depends on which pairs happened to be in
# the list. It knows nothing of other kinds of text.
#
# On the shipped text the premium falls from GPT-2 to Qwen 3.6. That isn't a law of time: these five were picked. English
# didn't pay for the fall: its characters per token hardly move.
#
# And the ratio alone hides something. On the shipped text "ours, half" has about the premium of Qwen2 and cuts *both*
# languages finer: it is bad at English, and that flatters its Japanese. Read the premium beside the characters per
# token.
#
# A ranking of two lists needs the interval of their **difference** on the same pairs, not two intervals side by side.

# %% [markdown] tags=["exercise"]
# **Exercise 08.3** ★★ · 15 minutes. Is the premium of GPT-4o's list clearly above that of Qwen2's? Draw the pairs anew
# 1,000 times, take the difference (GPT-4o less Qwen2) on each draw, and give the two ends of its middle 95%.

# %% tags=["exercise"]
import numpy as np

pairs = corpora.pairs("parallel")
o200k, qwen2 = (  # tokens[pair, side]; side 0 is English, 1 Japanese
    np.array([[measure.count_tokens(name, text) for text in p] for p in pairs])
    for name in ("o200k_base", "qwen2")
)
#: low, high = ..., ...
# solution
draw, n, differences = np.random.default_rng(0), len(pairs), []
for _ in range(1000):
    chosen = draw.integers(0, n, n)
    (a, b), (c, d) = (tokens[chosen].sum(axis=0) for tokens in (o200k, qwen2))
    differences.append(b / a - d / c)
low, high = np.quantile(differences, [0.025, 0.975])
print(f"{low:.3f} to {high:.3f}")
# end
bpelab.exercises.check("08.3", (low, high))

# %% [markdown] tags=["solution"]
# `chosen` is drawn once a round and serves both lists. A sentence that is dear in Japanese is dear under both, and in the
# difference that cancels. With a draw for each list the interval is more than twice as wide, and it answers another
# question: how two lists compare that were measured on different texts. In each draw the tokens are added up first and
# divided then; the mean of the ratios of single pairs lies elsewhere.

# %% [markdown]
# For all neighbours in the table:

# %%
rows = []
for first, second in zip(listed, list(listed)[1:], strict=False):
    pair = listed[first], listed[second]
    found = measure.premium_difference(*pair, modern)
    row = {"first": first, "second": second, "difference": found.difference}
    row |= {"low": found.low, "high": found.high, "clear": found.clear}
    rows.append(row)
table(rows)

# %% [markdown]
# "clear" means that 0 is outside the interval.
#
# ### Two traps
#
# The bill adds tokens. The mean of the ratios of single messages doesn't: a message of two tokens counts as much
# there as one of a hundred. Two messages, with 100 and 2 tokens in English, 110 and 8 in Japanese:

# %%
english, japanese = (100, 2), (110, 8)
ratios = [j / e for e, j in zip(english, japanese, strict=True)]
print(f"ratio of sums {sum(japanese) / sum(english):.3f}")
print(f"mean of ratios {sum(ratios) / len(ratios):.3f}")
print(f"the same, from the other side {2 / sum(1 / r for r in ratios):.3f}")

# %% [markdown]
# Only the ratio of sums is one value whichever side you begin with. The second trap is tokens per *character* (or per
# word, called **fertility**) across languages: a Japanese character carries more than an English one. Within one
# language they are good units.
#
# ## By register: what can be ranked

# %%
alike = ["all"] * len(modern)
groups = corpora.registers() if source == "parallel" else alike
by = measure.premium_by(gpt4o, modern, groups)
display(table(by[["group", "pairs", "premium", "low", "high"]]))
values = by[["group", "premium", "low", "high"]].itertuples(index=False)
dots(
    {name: rest for name, *rest in values},
    title="GPT-4o's list by register: the ends differ",
    xlabel="premium, with 95% interval",
    reference=(1, "as many tokens as English"),
)

# %%
differences = measure.group_differences(gpt4o, modern, groups)
ranks = {name: rank for rank, name in enumerate(by["group"])}
near = [
    row.clear
    for row in differences.itertuples()
    if abs(ranks[row.first] - ranks[row.second]) == 1
]
print(len(differences), "comparisons, clear:", differences["clear"].sum())
print(len(near), "of them between neighbours, clear:", sum(near))

# %% [markdown]
# On the shipped text the two ends can be told apart, and neighbours mostly can't. With over a hundred comparisons some
# are called clear by chance: about one in twenty of those where the registers are equal. So "addresses have a lower
# premium than essays" may be said; a list in order of rank may not.
#
# ## Ten languages, the same messages
#
# JupyterLab's interface is translated by volunteers. We take the messages that all the installed languages
# translate, so that each language says the same.

# %%
spoken = {"de": "German", "fr": "French", "he": "Hebrew", "ja": "Japanese"}
spoken |= {"ko": "Korean", "pl": "Polish", "ru": "Russian"}
spoken |= {"uk": "Ukrainian", "zh": "Chinese"}
languages = corpora.languages("jupyterlab")[1:]
sides = {
    language: dict(corpora.pairs("jupyterlab", language=language))
    for language in languages
}
same = sorted(set.intersection(*map(set, sides.values())))
print(len(same), "messages in English and", len(languages), "more languages")

# %%
rows, values = [], {}
for language in languages:
    pairs = [(text, sides[language][text]) for text in same]
    frame = measure.premium({"GPT-2": "gpt2", "GPT-4o": gpt4o}, pairs)
    old, new = frame.to_dict("records")
    values[spoken[language]] = [new[key] for key in ("premium", "low", "high")]
    row = {"language": spoken[language], "byte ratio": new["byte_ratio"]}
    rows.append(row | {"GPT-2": old["premium"], "GPT-4o": new["premium"]})
rows.sort(key=lambda row: row["GPT-4o"])
table(rows)

# %%
dots(
    dict(sorted(values.items(), key=lambda item: item[1])),
    title="The same messages under GPT-4o's list",
    xlabel="premium over English, with 95% interval",
    reference=(1, "as many tokens as English"),
)

# %% [markdown]
# No language is as cheap as English under this list. The script doesn't decide: German, French and Polish use the Latin
# alphabet and pay too. Under GPT-2's list the languages in another script paid about three to six times as much as English;
# the newer list brought all of them nearer together.
#
# ## The mix of languages
#
# Now the share of Japanese in the training text goes from 0 to 100%, at one size and one number of bytes, three
# times each with other verses.

# %%
shares, seeds = (0, 1, 2, 5, 10, 25, 50, 75, 90, 100), range(3)
grid = {
    (share, seed): measure.premium_curve(mixed(share, seed), modern)
    for share in shares
    for seed in seeds
}

# %%
trained = []
for (share, seed), frame in grid.items():
    en, ja = frame.iloc[-1][["en_tokens", "ja_tokens"]] / len(modern)
    row = {"share": share, "seed": seed, "EN": en, "JA": ja}
    trained.append(row | {"both": en + ja, "premium": ja / en})
trained = pd.DataFrame(trained)
means = trained.groupby("share").mean().drop(columns="seed")
table(means.reset_index())

# %%
lines, bands = {}, {}
for column, name in (("EN", "English"), ("JA", "Japanese")):
    band = trained.groupby("share")[column].agg(["mean", "min", "max"])
    band.columns = ["tokens", "low", "high"]
    lines[name] = bands[name] = band.reset_index()
curves(
    lines,
    x="share",
    bands=bands,
    title="Tokens per message: the first hundredth does most",
    xlabel="Japanese in the training text (% of bytes)",
)

# %%
best = trained.loc[trained.groupby("seed")["both"].idxmin()]
spread = trained.groupby("share")["both"].agg(lambda x: x.max() - x.min())
print("fewest tokens in all at", best["share"].tolist(), "% Japanese")
print(f"between seeds the sum moves by at most {spread.max():.2f}")

# %% [markdown]
# On the shipped text one percent of Japanese nearly halves its length. Nine more bring less than that first one, and
# English hardly notices. From a quarter to three quarters the sum of both hardly moves. The premium comes near 1 only
# at the right end, where English has become long and Japanese hardly shorter. **Equal counts are not low counts.**

# %% [markdown] tags=["exercise"]
# **Exercise 08.4** ★★ · 12 minutes. Learn *one* vocabulary from both sides of `learn`, with
# `bpelab.train(..., base="byte", chunking="gpt2")`, and give the premium of `test` at each vocabulary size. Of use:
# `tok.curve(texts)`, the tokens after 0, 1, 2, … merges.


# %% tags=["exercise"]
def premium_at(learn, test, sizes):
    """A list: the premium of some pairs at each size. learn, test: pairs."""
    #: ...
    # solution
    texts = [text for pair in learn for text in pair]
    options = {"base": "byte", "chunking": "gpt2"}
    tok = bpelab.train(texts, vocab_size=max(sizes), **options)
    en, ja = (tok.curve(side) for side in zip(*test, strict=True))
    return [ja[size - 256] / en[size - 256] for size in sizes]
    # end


bpelab.exercises.check("08.4", premium_at)

# %% [markdown] tags=["solution"]
# The first k merges of a list are a smaller vocabulary, so the largest size is the only one to train. It has 256
# tokens before the first merge: the vocabulary of a given size has made 256 merges fewer, and that is the place in
# the curve.

# %% [markdown]
# ## One number for your traffic
#
# Which mix, at which size? It depends on who writes to you. Set the share of your messages that are Japanese. The
# number is tokens per message:

# %%
traffic = 0.8  # of the messages are Japanese
rows = []
for share in shares:
    frame, row = grid[share, 0], {"Japanese in training %": share}
    for size in (1000, 2000, 4000, 8000):
        here = at(frame, size) / len(modern)
        row[f"{size:,}"] = here["en_tokens"] * (1 - traffic)
        row[f"{size:,}"] += here["ja_tokens"] * traffic
    rows.append(row)
weighted = pd.DataFrame(rows).set_index("Japanese in training %")
table(weighted.reset_index())

# %%
for size, column in weighted.items():
    print(f"{size} entries: {column.min():.1f} tokens at {column.idxmin()}%")
for row in today.to_dict("records"):
    total = row["en_tokens"] * (1 - traffic) + row["ja_tokens"] * traffic
    print(f"{row['encoder']}: {total / len(modern):.1f} tokens")

# %% [markdown]
# The best mix follows your traffic, but not to the end: even with four messages in five in Japanese, training on
# Japanese alone does worse, at each size, than training on a quarter of it. Near the best the number is flat, so don't
# tune it.
#
# Multiply by the price of a token for the bill; divide the context window by it for the messages that fit. Compare
# prices per *message*, never per token, between two vocabularies. (A larger vocabulary also costs:
# [chapter 07](07_vocabulary_size.ipynb).)

# %% [markdown] tags=["exercise"]
# **Exercise 08.5** ★★★ · 20 minutes. Some of the `candidates`, {name: tokenizer}, learned from `learn`, none from `test`
# (both are lists of pairs). The part `share` of your messages is Japanese. Which candidate needs the fewest tokens per
# message, and what does it save against the next best (95% interval, per message)? Then ask for pairs of yours, at 0.6.


# %% tags=["exercise"]
def choose(candidates, learn, test, share):
    """(name, low, high); a tokenizer's count_tokens(texts) is a list."""
    #: ...
    # solution
    cost, n = {}, len(test)
    for name, tok in candidates.items():
        en, ja = (tok.count_tokens(side) for side in zip(*test, strict=True))
        both = zip(en, ja, strict=True)
        cost[name] = [(1 - share) * e + share * j for e, j in both]
    best, second, *_ = sorted(cost, key=lambda name: sum(cost[name]))
    pairs = zip(cost[second], cost[best], strict=True)
    saved, draw = [more - less for more, less in pairs], random.Random(0)
    means = sorted(sum(draw.choices(saved, k=n)) / n for _ in range(1000))
    return best, means[25], means[974]
    # end


bpelab.exercises.check("08.5", choose)

# %% [markdown] tags=["solution"]
# Measured on `learn`, whoever knows that text by heart would win, so it isn't touched. The premium isn't asked either: a
# list that is bad at English has a low one. Both costs belong to the same message, so the saving is taken message by
# message, and the messages are drawn, each with its saving.

# %% [markdown]
# ## Where the slots go
#
# What do the merges of our three lists make? A *piece* is a token whose bytes aren't whole characters.

# %%
three = {
    name: mixed(share, budget=1_500_000)
    for name, share in (("English", 0), ("half", 50), ("Japanese", 100))
}
rows = []
for name, tok in three.items():
    kinds = Counter(measure.kind(m.left + m.right) for m in tok.merges)
    row = {"list": name, "merges": len(tok.merges)}
    rows.append(row | {kind: kinds[kind] for kind in measure.KINDS})
table(rows)

# %%
display(
    slots(
        measure.slots(three["Japanese"]),
        title="Japanese: many early merges make pieces",
    )
)
made = [m.left + m.right for m in three["Japanese"].merges]
pieces = [token for token in made if measure.kind(token) == measure.KINDS[0]]
inside = [t for t in pieces if all(byte >> 6 == 0b10 for byte in t[1:])]
crossing = [bpelab.show.label(t) for t in pieces if t not in set(inside)]
print(len(inside), "inside one character,", len(crossing), "over a border")
print(crossing[:6])

# %% [markdown]
# An English letter is a byte, so the first English merge joins two whole characters. Japanese must rebuild its
# characters first, and spends part of its list on that. Other pieces reach over the border of two characters: の ("of")
# stands so often before a kanji that starts with the byte E5 that the two were merged. BPE sees bytes and counts. (The
# jumps on the right come from ties, [chapter 05](05_ties.ipynb): merges of equal count stand in the order of their bytes.)
#
# ## Extending a vocabulary
#
# Must one train anew? `train(start=...)` keeps a list and its ids, and learns more merges after them. We put up to
# 8,000 merges of Japanese after GPT-2's list, once from the Bible's Japanese and once from the training split of
# `source`, and measure on its test split.

# %%
train, test = corpora.pairs(source, "train"), corpora.pairs(source, "test")
sides = {"old text": verses, "text like yours": train or modern}
extended = {"GPT-2": lists["GPT-2"]}
for name, pairs in sides.items():
    japanese = [pair[1] for pair in pairs]
    options = {"num_merges": 8000, "start": extended["GPT-2"]}
    extended[name] = bpelab.train(japanese, **options)
frame = measure.premium(extended, test or modern)
table(frame[["encoder", "vocab_size", "en_tokens", "ja_tokens", "premium"]])

# %% [markdown]
# On the shipped text the premium falls below half of what it was, and English loses nothing: old merges are applied
# before new ones. (It even gains a little, from Latin letters in the Japanese.) Text like yours does more than a far
# larger text of another kind.
#
# The list is the cheap half. The new rows of the embedding know nothing until the model is trained on. Swallow (Fujii
# et al., 2024) did this with Llama 2: Japanese was added to the vocabulary, and the model was trained on with a large
# Japanese corpus. The authors report that the added vocabulary did no harm to quality, except in summarization.
#
# ## An analyser before the subwords
#
# Japanese has no blanks, so a program that knows words can do the cutting first. Sudachi splits into
# words; then BPE learns inside them, and no token crosses a word. (Mode C keeps the
# compounds of its dictionary whole.)

# %%
from sudachipy import Dictionary, SplitMode

analyser = Dictionary(dict="small").tokenizer(SplitMode.C)


def words(text, step=10_000):
    """The words of a text; the analyser takes 49,149 bytes at a time."""
    parts = [text[i : i + step] for i in range(0, len(text), step)]
    return [w.surface() for part in parts for w in analyser.tokenize(part)]


# %%
learn = [pair[1] for pair in train or modern]
judge = [pair[1] for pair in test or modern]
print(" | ".join(words(judge[0])[:20]))
rows = []
for name, cut in (("BPE alone", lambda text: [text]), ("words first", words)):
    parts = [part for text in learn for part in cut(text)]
    tok = bpelab.train(parts, vocab_size=4000, base="byte", chunking="gpt2")
    seen = [part for text in judge for part in cut(text)]
    row = {"way": name, "entries": tok.vocab_size}
    rows.append(row | {"tokens": sum(tok.count_tokens(seen))})
table(rows)

# %% [markdown]
# On the shipped text words first costs more tokens: fewer merges are allowed. What it buys is tokens that are words or
# parts of words. Is a model better for it? In SentencePiece's own experiments on translation (KFTT), one of three
# analysers before subwords did somewhat better than none, the other two about as well. An analyser also ties you to a
# dictionary and its version: a word that it cuts another way next year gets other ids.
#
# ## Names and their variants
#
# Names are where Japanese practice hurts. 髙橋 is 高橋 with another form of the first character, 𠮷野家 is written with a
# character beyond U+FFFF, and 葛󠄀城 carries an invisible variation selector that
# picks a shape.

# %%
import unicodedata

written = ["高橋", "髙橋", "吉野家", "𠮷野家", "葛城", "葛󠄀城"]
rows = []
for name in written:
    row = {"name": name, "code points": len(name)}
    row["NFKC keeps it"] = unicodedata.is_normalized("NFKC", name)
    for label, known in listed.items():
        row[label] = measure.count_tokens(known, name)
    rows.append(row)
table(rows)

# %% [markdown]
# A variant costs more than the common form or, at best, as much; and for a model, and for your search, it is another
# name. NFKC ([chapter 04](04_bytes.ipynb)) changes none of them. Never "repair" a person's name for the sake of tokens;
# if search must find both, keep a second, folded copy.
#
# ## Published figures
#
# Premiums of Japanese over English that follow from the lengths Petrov et al. (2023) published for FLORES-200, about
# two thousand sentences translated by people. ByT5 works on bytes, so its premium is the byte ratio, and dividing by it
# leaves the gap:

# %%
published = {"GPT-2": 3.00, "cl100k (GPT-4)": 2.30, "LLaMA": 2.24}
published |= {"BLOOM": 1.81, "Qwen": 1.46, "ByT5": 1.27}
published |= {"XLM-R": 1.11, "NLLB": 1.01, "mT5": 0.90}
rows = []
for name, value in published.items():
    gap = value / published["ByT5"]
    rows.append({"tokenizer": name, "premium": value, "gap": gap})
table(rows)

# %% [markdown]
# Same vocabulary, other text, other premium: compare GPT-2, GPT-4 and Qwen with the table above. No premium means
# anything without its text and its tokenizer beside it. The lists made for a hundred languages or more (XLM-R, NLLB,
# mT5) have gaps below 1.
#
# ## Choose a tokenizer for a Japanese product
#
# 1. Collect pairs of *your* kind of text, some hundred of them ([where to get parallel text](parallel_text.md)).
# 2. Measure the premium with its interval, and characters per token of each language beside it.
# 3. Weight by your traffic; compare candidates by tokens per message and price per message.
# 4. Rank two candidates only where the interval of the difference leaves out 0.
# 5. Look at your hard cases: names and variants, addresses, emoji, full-width forms.
# 6. Check what the list does to digits, line ends and normalization ([chapter 10](10_failures.ipynb)).
# 7. A model is chosen already, and its list is poor? Extend it with text like yours, and plan for more training.
# 8. Training your own? A few percent of a language already do most; choose between a quarter and three
#    quarters by your traffic. Decide the chunking before the size.
# 9. Then test the model. Fewer tokens is cheaper, not better.
#
# ## What was simplified
#
# - Our own lists are small, and the Japanese they learn from is old. They show how things work; for values, take those of
#   lists in use.
# - The lists in use differ in size, training text and split pattern at once. We see what happened, not which of
#   these did it. And we don't know what they learned from; JupyterLab's messages may have been in it.
# - "The same content" means a translation, and no two translators choose alike.
# - The bootstrap treats pairs as independent. Neighbouring verses aren't quite.
#
# ## A question
#
# Why is Japanese cheaper than English in the Bible under one chunking and not under the other?
#
# <details><summary>Answer</summary>
#
# "gpt2" stops English tokens at blanks. Japanese has none, so its tokens may become phrases, and the Bible repeats
# phrases. With "lines" English may do the same.
#
# </details>
#
# ## Words of this chapter
#
# premium, byte ratio, compression gap, bootstrap interval, register, fertility, vocabulary extension, morphological
# analyser, variation selector, kana, kanji: see the [glossary](glossary.md).
#
# ## Sources
#
# - Aleksandar Petrov and others: *Language Model Tokenizers Introduce Unfairness Between Languages*, 2023,
#   [arXiv:2305.15425](https://arxiv.org/abs/2305.15425). The premium, and the lengths on FLORES-200.
# - NLLB Team: *No Language Left Behind*, 2022, [arXiv:2207.04672](https://arxiv.org/abs/2207.04672). FLORES-200.
# - Catherine Arnett and others: *Explaining and Mitigating Crosslingual Tokenizer Inequities*, 2025,
#   [arXiv:2510.21909](https://arxiv.org/abs/2510.21909).
# - Kazuki Fujii and others: *Continual Pre-Training for Cross-Lingual LLM Adaptation*, 2024,
#   [arXiv:2404.17790](https://arxiv.org/abs/2404.17790). Swallow.
# - Orevaoghene Ahia and others: *Do All Languages Cost the Same?*, 2023,
#   [arXiv:2305.13707](https://arxiv.org/abs/2305.13707). Prices, in 22 languages.
# - Phillip Rust and others: *How Good is Your Tokenizer?*, 2021,
#   [arXiv:2012.15613](https://arxiv.org/abs/2012.15613). Fertility.
# - SentencePiece: [doc/experiments.md](https://github.com/google/sentencepiece/blob/master/doc/experiments.md). KFTT.
# - Bradley Efron, Robert Tibshirani: *An Introduction to the Bootstrap*, 1993.
