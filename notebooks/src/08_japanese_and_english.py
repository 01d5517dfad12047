# %% [markdown]
# # 08 Japanese and English
#
# Models are billed, limited and slowed down by tokens, and the same content often takes more of them in Japanese than
# in English. After this chapter you can measure how many more, with your own vocabulary and with those from GPT-2 to
# today, and say which part comes from the text and which from the vocabulary. About 50 minutes. No Japanese needed.

# %%
import math
import random
import tempfile
from collections import Counter
from itertools import accumulate
from pathlib import Path
from unittest.mock import patch

import matplotlib
from IPython.display import display
from matplotlib.figure import Figure

import bpelab
from bpelab.efficiency import KINDS, kind, slots
from bpelab.show import label

# %% [markdown]
# ## One sentence, three units
#
# To have tokens at all, we train a small tokenizer on the 432 training pairs of "parallel", our own modern sentences,
# in both languages. It starts from the 256 bytes (chapter 04). Then we take a pair it has not seen. Both lines say
# the same.

# %%
lines = [text for pair in bpelab.corpora.pairs("parallel", "train") for text in pair]
small = bpelab.train(lines, vocab_size=2000, base="byte", chunking="gpt2")
leftovers = bpelab.corpora.pairs("parallel", "test")[29]
for text in leftovers:
    display(bpelab.show.tokens(small, text))

# %%
en, ja = leftovers
rows = [
    {"unit": "characters", "English": len(en), "Japanese": len(ja)},
    {"unit": "bytes", "English": len(en.encode()), "Japanese": len(ja.encode())},
    {"unit": "tokens", "English": len(small.encode(en)), "Japanese": len(small.encode(ja))},
]
bpelab.show.table([row | {"JA / EN": row["Japanese"] / row["English"]} for row in rows])

# %% [markdown]
# Three units, three answers. In characters the Japanese is about half as long. In bytes it is longer, because UTF-8
# writes an English letter with one byte and most Japanese characters with three. In tokens it depends on the
# tokenizer; here 残 and 翌 are still two and three tokens (a stray byte is shown as <0xE6>).
#
# The tokens of the Japanese, divided by those of the English *for the same content*, are called the **premium**. Here
# it is 19 / 16 = 1.188. One sentence proves little, so many come next.
#
# ## Three texts
#
# - "parallel": 480 pairs in twelve registers (news, law, recipes and so on), modern, written for this book.
# - "jupyterlab": interface messages of JupyterLab and their Japanese translation, modern and short.
# - "bible": verses. The Japanese is literary and old, in grammar and in its kanji (the characters that come from
#   Chinese). It is here because it is large; it is no picture of modern Japanese. We measure on its test split: every
#   tenth verse, spread over the whole book.
#
# The last two lie in packages. Where one is missing, the loader says what to install. We pretend:

# %%
print(bpelab.corpora.available())
with patch.dict(bpelab.corpora.MODULES, bible="a_package_that_is_not_there"):
    print(bpelab.corpora.available())
    try:
        bpelab.corpora.pairs("bible")
    except ImportError as error:
        print(error)

# %% [markdown]
# Without the Bible the training below needs another large text. The first line of the next cell is the one to change
# for measuring your own pairs.

# %%
modern = bpelab.corpora.pairs("parallel")  # or your own list of (English, Japanese), see the end
corpora = {
    "parallel": modern,
    "jupyterlab": bpelab.corpora.pairs("jupyterlab"),
    "bible": bpelab.corpora.pairs("bible", "test"),
}

# %%
rows = []
for name, pairs in corpora.items():
    en, ja = ("".join(side) for side in zip(*pairs, strict=True))
    row = {"text": name, "pairs": len(pairs), "EN characters": len(en), "JA characters": len(ja)}
    row |= {"EN bytes/char": len(en.encode()) / len(en), "JA bytes/char": len(ja.encode()) / len(ja)}
    row |= {"JA/EN characters": len(ja) / len(en), "JA/EN bytes": len(ja.encode()) / len(en.encode())}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# Japanese takes 0.358 to 0.599 characters for an English one, and still 1.069 to 1.545 bytes. The **byte ratio**, in
# the last column, belongs to the text: no tokenizer is involved yet.
#
# ## Three tokenizers of one size
#
# Now the vocabularies. Three tokenizers of 8,000 tokens, each trained on 1.5 million bytes of the Bible's training
# split, verses in random order: English only, Japanese only, half and half. Nothing else differs.


# %%
def take(texts, size):
    """The first texts, as many as fit into `size` bytes."""
    ends = accumulate(len(text.encode()) for text in texts)
    return [text for text, end in zip(texts, ends, strict=True) if end <= size]


def train_mix(share, budget=1_500_000):
    """A tokenizer whose training text is `share` percent Japanese, by bytes."""
    english = take([verse.en for verse in verses], budget * (100 - share) // 100)
    japanese = take([verse.ja for verse in verses], budget * share // 100)
    return bpelab.train(english + japanese, vocab_size=8000, base="byte", chunking="gpt2")


# %%
verses = bpelab.corpora.pairs("bible", "train")
random.Random(0).shuffle(verses)
mixes = {share: train_mix(share) for share in (0, 50, 100)}
toks = {"English": mixes[0], "half": mixes[50], "Japanese": mixes[100]}
assert all(tok.vocab_size == 8000 for tok in toks.values())
for side in (0, 1):
    shared = bpelab.overlap([verse[side] for verse in verses], [verse[side] for verse in corpora["bible"]])
    print(("English", "Japanese")[side], "test verses that stand in the training split:", shared)

# %%
compared = bpelab.compare(toks, {"leftovers en": leftovers.en, "leftovers ja": leftovers.ja})
bpelab.show.table(compared[["encoder", "vocab_size", "text", "chars", "bytes", "tokens"]])

# %%
for tok in toks.values():
    display(bpelab.show.tokens(tok, leftovers.ja))

# %% [markdown]
# The sentence about leftovers again. The English tokenizer knows no Japanese and falls back on bytes: 66 tokens. The
# other two have the kana (the phonetic letters of Japanese) and some groups of them. The Japanese one in turn spells
# English letter by letter.
#
# `bpelab.compare` again, over whole texts, one sentence a line, line ends included:

# %%
texts = {}
for name in ("bible", "parallel"):
    for side, lang in enumerate(("en", "ja")):
        texts[f"{name} {lang}"] = "\n".join(pair[side] for pair in corpora[name])
compared = bpelab.compare(toks, texts)
bpelab.show.table(compared[["encoder", "text", "chars", "tokens", "chars_per_token", "tokens_per_char"]])

# %% [markdown]
# Look at "half" on "parallel": 1.037 tokens per character in Japanese, 0.339 in English. Dividing one by the other
# says that Japanese costs three times as much. It doesn't: a Japanese character carries more, and the same content
# takes 18,798 tokens against 14,816. Which question needs which unit:
#
# | question | unit |
# |---|---|
# | Which of two tokenizers is better on this text? | tokens, or characters per token, within one language |
# | What does the same content cost in two languages? | tokens for the same content: the premium |
# | Is a low premium good Japanese or bad English? | characters per token of each language, beside the premium |
# | How many tokens will my 10,000 characters take? | tokens per character, of that language and kind of text |
#
# Another thing in the table: on unseen verses the Japanese tokenizer reaches 1.886 characters per token, on modern
# sentences 1.018. The English one loses less (4.122 and 3.251). We come back to that.
#
# ## The premium, with an interval
#
# `bpelab.premium` takes pairs. We add two encoders that need no training, single characters and single bytes. (An
# encoder is anything with a method `encode`.)


# %%
class Characters:
    def encode(self, text):
        return list(text)


encoders = {"characters": Characters(), "bytes": bpelab.train("", base="byte"), **toks}
measured = {name: bpelab.premium(encoders, pairs) for name, pairs in corpora.items()}
columns = ["encoder", "en_tokens", "ja_tokens", "premium", "low", "high"]
columns += ["en_chars_per_token", "ja_chars_per_token"]
print("bible")
bpelab.show.table(measured["bible"][columns])

# %%
print("parallel")
bpelab.show.table(measured["parallel"][columns])

# %% [markdown]
# `low` and `high` are a 95 % **bootstrap interval**. Pairs are drawn from our list again, with replacement, as many as
# there are; the premium is computed anew; this 1,000 times, and the middle 95 % of the results lie between the two. It
# says how much the number depends on which sentences happened to be in the list. It knows nothing of other kinds of
# text: for "half" the Bible's interval ends at 0.836, and that of the modern sentences begins at 1.257.
#
# Read the premium beside the characters per token. The Japanese tokenizer has 0.401 on modern sentences, which is no
# merit: it spells English letter by letter. And no unit is neutral: on these pairs characters give 0.409, bytes 1.184.
#
# ## Premium = byte ratio × compression gap
#
# The premium is JA tokens / EN tokens. Put the bytes in between:
#
#     premium = (JA bytes / EN bytes) × (EN bytes per token / JA bytes per token)
#             =      byte ratio       ×            compression gap
#
# The first factor comes with the text, and no vocabulary changes it. The second is the vocabulary's: how many times
# more bytes it packs into an English token than into a Japanese one, on this text.

# %%
rows = []
for name, frame in measured.items():
    for row in frame.to_dict("records"):
        assert math.isclose(row["premium"], row["byte_ratio"] * row["compression_gap"])
        if row["encoder"] in ("bytes", *toks):
            parts = {key: row[key] for key in ("byte_ratio", "compression_gap", "premium")}
            rows.append({"text": name, "encoder": row["encoder"]} | parts)
bpelab.show.table(rows)

# %% [markdown]
# For bytes the gap is 1; only the text is left. The English tokenizer adds a factor of 2.496 to 4.225. For "half" the
# gap is closer to 1. Its premium of 1.370 on "jupyterlab" comes from the text alone (1.545); the vocabulary takes a
# part back.
#
# On the Bible "half" needs *fewer* tokens for Japanese, with a gap of 0.776. Can that be right? Here are the longest
# tokens of two tokenizers:

# %%
for name in ("Japanese", "English"):
    print(name, [label(token) for token in sorted(toks[name].vocab, key=len)[-3:]])

# %% [markdown]
# The first of the Japanese ones means "which the LORD had commanded Moses". The chunking "gpt2" cuts English at each
# blank, so a token is one word at most. Japanese has no blanks (chapter 01), a merge can run over many words, and the
# Bible repeats its phrases. That is one reason. Modern sentences don't have these phrases; on "parallel" the gap is
# 1.079.
#
# ## Ratio of sums, not mean of ratios
#
# Two pairs, a long one and a short one, in tokens:


# %%
def three_ways(counts):
    """The premium from (English, Japanese) token counts, and two ways that look like it."""
    english, japanese = zip(*counts, strict=True)
    print(f"ratio of sums         {sum(japanese) / sum(english):.3f}")
    print(f"mean of JA / EN       {sum(ja / en for en, ja in counts) / len(counts):.3f}")
    print(f"1 / (mean of EN / JA) {len(counts) / sum(en / ja for en, ja in counts):.3f}")


three_ways([(100, 110), (2, 8)])

# %% [markdown]
# The Japanese side costs 118 tokens against 102, so 1.157 is what a bill says. The mean of the two ratios is 2.550,
# because the two-token sentence counts as much as the long one. And it contradicts itself: seen from the other side,
# the same two pairs give 1.725. On real messages, with "half":

# %%
three_ways([tuple(len(toks["half"].encode(text)) for text in pair) for pair in corpora["jupyterlab"]])

# %% [markdown]
# Again the two means differ, 1.364 and 1.250. The ratio of sums has one value, whichever side one begins with.
#
# ## The mix of languages is a second axis
#
# Chapter 07 moved the vocabulary size. Now the size and the number of training bytes stay fixed, and the share of
# Japanese in the training text goes from 0 to 100 %.

# %%
mixes |= {share: train_mix(share) for share in (10, 25, 75, 90)}
mixes = dict(sorted(mixes.items()))
for tok in mixes.values():
    tok.encode_batch(texts.values())  # chunks seen once are remembered: this saves seconds in the next cell

# %%
frames = {}
for name in ("bible", "parallel"):
    frame = bpelab.premium(mixes, corpora[name]).rename(columns={"encoder": "Japanese %"})
    frame["both"] = frame["en_tokens"] + frame["ja_tokens"]
    frames[name] = frame[["Japanese %", "en_tokens", "ja_tokens", "both", "premium", "low", "high"]]
print("bible")
bpelab.show.table(frames["bible"])

# %%
print("parallel")
bpelab.show.table(frames["parallel"])

# %%
lines = [("en_tokens", "English", "#0072b2", (-8, -3)), ("ja_tokens", "Japanese", "#d55e00", (-2, -19))]
with matplotlib.rc_context(bpelab.plot.style()):
    figure = Figure(figsize=(8.4, 3.4), layout="constrained")
    for axes, (name, frame) in zip(figure.subplots(1, 2), frames.items(), strict=True):
        for column, lang, colour, move in lines:
            per_pair = frame[column] / len(corpora[name])
            axes.plot(frame["Japanese %"], per_pair, "o-", color=colour)
            axes.annotate(lang, (100, per_pair[6]), move, textcoords="offset points", color=colour, ha="right")
        axes.set(title=f"{name}: a tenth goes a long way", xlim=(-2, 102), ylim=(0, None))
        axes.set(xlabel="Japanese in training (% of bytes)", ylabel="tokens per pair")
alt = "Two line charts: tokens per pair in English and in Japanese against the share of Japanese in training."
bpelab.plot.Picture(figure, alt)

# %%
for name, frame in frames.items():
    share, premium = frame["Japanese %"], frame["premium"]
    above, below, best = share[premium > 1].max(), share[premium < 1].min(), share[frame["both"].idxmin()]
    print(f"{name}: premium 1 between {above} and {below} % Japanese; fewest tokens in all at {best} %")

# %% [markdown]
# - The first tenth does most of the work. With 10 % Japanese in training, the Japanese of "parallel" falls from 51,058
#   tokens to 20,112, and the English pays 13,302 instead of 12,948. The last tenth does the same for English.
# - The premium is 1 at different mixes: between 10 and 25 % for the Bible, between 90 and 100 % for modern sentences.
# - Parity is not thrift. From 25 to 90 % the premium of "parallel" sinks from 1.362 to 1.050, and more of that comes
#   from English getting longer (13,725 to 16,651) than from Japanese getting shorter (18,698 to 17,476). The sum of
#   both is least at 25 %.
#
# ## Where the slots go
#
# A vocabulary of 8,000 has 256 bytes and 7,744 merges. What did the merges make? We call a token a *piece of a
# character* when its bytes aren't whole characters, then there is *one character*, and *longer*.

# %%
rows = []
for name, tok in toks.items():
    counts = Counter(kind(merge.left + merge.right) for merge in tok.merges)
    rows.append({"tokenizer": name, "merges": len(tok.merges)} | {name: counts[name] for name in KINDS})
    rows[-1]["pieces %"] = 100 * counts[KINDS[0]] / len(tok.merges)
bpelab.show.table(rows)

# %%
bpelab.plot.slots(slots(toks["Japanese"]), title="Japanese: a third of the early merges make pieces")

# %%
bpelab.plot.slots(slots(toks["half"]), title="Half and half: pieces at every rank")

# %%
bpelab.plot.slots(slots(toks["English"]), title="English: every merge makes something longer")

# %% [markdown]
# The numbers behind the first two, in five groups instead of twenty (`first` and `last` are ranks: a merge's place in
# the list):

# %%
print("Japanese")
bpelab.show.table(slots(toks["Japanese"], groups=5))

# %%
print("half and half")
bpelab.show.table(slots(toks["half"], groups=5))

# %% [markdown]
# In the first picture the group near rank 6,800 looks odd. Which counts do its merges have?

# %%
print(Counter(merge.count for merge in toks["Japanese"].merges[6582:6970]))

# %% [markdown]
# All 388 were counted nine times. Ties are broken by the order of the bytes (chapter 02), which brings tokens of one
# kind together. The dip says nothing about the language.
#
# An English letter is a byte, so the first English merge already joins two letters. Japanese has to rebuild its
# characters first: 1,298 of 7,744 merges (16.761 %) end as pieces, and 1,127 as single characters. In the mixed
# vocabulary it is 965 and 777. Which pieces? Here are the first that lie inside one character, with the characters of
# the training split that begin so:

# %%
ranked = [(rank, merge.left + merge.right) for rank, merge in enumerate(toks["Japanese"].merges, 1)]
pieces = [(rank, token) for rank, token in ranked if kind(token) == KINDS[0]]
inside = [(rank, token) for rank, token in pieces if all(byte >> 6 == 0b10 for byte in token[1:])]
common = [character for character, _ in Counter("".join(verse.ja for verse in verses)).most_common()]
rows = []
for rank, token in inside[:8]:
    begin = [character for character in common if character.encode().startswith(token)]
    rows.append({"rank": rank, "piece": label(token), "begins": len(begin), "commonest": " ".join(begin[:8])})
bpelab.show.table(rows)

# %% [markdown]
# (A byte whose first two bits are 10 continues a character; any other starts one. That is the test in the third
# line.) The first three begin kana, 56, 46 and 54 of them, and serve in nearly every word. Later ones begin a few kanji
# each. But most pieces are of another sort:

# %%
print(len(inside), "pieces lie inside a character,", len(pieces) - len(inside), "reach over a border")
print([(rank, label(token)) for rank, token in pieces if (rank, token) not in inside][:9])

# %% [markdown]
# の ("of") stands so often before a kanji that starts with the byte E5 that the two were merged at rank 18, before any
# kanji was whole. BPE sees bytes and counts; that a character ends there, it doesn't know.
#
# When do the first whole ones appear?


# %%
def first_whole(tok, low, high, size):
    """Rank and text of the first merge that makes `size` characters, all between low and high."""
    for rank, merge in enumerate(tok.merges, 1):
        token = merge.left + merge.right
        text = token.decode() if kind(token) != KINDS[0] else ""
        if len(text) == size and all(low <= character <= high for character in text):
            return f"{rank}: {text}"
    return "none"


rows = []
for name, tok in toks.items():
    row = {"tokenizer": name, "kana": first_whole(tok, "\u3041", "\u30ff", 1)}
    row["kanji"] = first_whole(tok, "\u4e00", "\u9fff", 1)
    row["two characters"] = first_whole(tok, "\u3041", "\u9fff", 2)
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# Rank 4 for a kana, 31 for a kanji, 53 for two characters; in the mixed vocabulary 6, 79 and 121. The two winners tell
# what was trained on: 汝 is "thou", なり a literary "is". How does such a vocabulary do on modern text?


# %%
def kanji(text):
    return [character for character in text if "\u4e00" <= character <= "\u9fff"]


vocabulary, rows = set(toks["Japanese"].vocab), []
for name, pairs in corpora.items():
    used = Counter(kind(token) for pair in pairs for token in toks["Japanese"].token_bytes(pair.ja))
    counts = Counter(kanji("".join(pair.ja for pair in pairs)))
    missing = [character for character, _ in counts.most_common() if character.encode() not in vocabulary]
    row = {"text": name} | {f"{size} %": 100 * used[size] / used.total() for size in KINDS}
    row["kanji without a token %"] = 100 * sum(counts[character] for character in missing) / counts.total()
    rows.append(row | {"commonest of them": " ".join(missing[:6])})
bpelab.show.table(rows)

# %%
for new, old in ("数數", "気氣", "会會", "変變"):
    print(new, new.encode() in vocabulary, " ", old, old.encode() in vocabulary)

# %% [markdown]
# On verses 53.146 % of the tokens are longer than a character. On modern sentences it is 13.089 %, and 32.999 % are
# bytes and pieces. More than a third of the modern kanji have no token of their own. Some are simplified forms that
# became the standard after 1945 (数 "number", 気 "spirit", 会 "meet", 変 "change"); the vocabulary knows the old ones.
# So the premium on modern text also measures how far our training text is from it.
#
# ## By register
#
# "parallel" has 40 pairs in each of twelve registers. The premium of "half" in each, least first:

# %%
groups = {}
for register, pair in zip(bpelab.corpora.registers(), bpelab.corpora.pairs("parallel"), strict=True):
    groups.setdefault(register, []).append(pair)
rows = []
for register, pairs in groups.items():
    row = bpelab.premium({"half": toks["half"]}, pairs).to_dict("records")[0]
    row = {key: row[key] for key in ("premium", "low", "high", "byte_ratio", "compression_gap")}
    text = "".join(pair.ja for pair in pairs)
    rows.append({"register": register} | row | {"kanji %": 100 * len(kanji(text)) / len(text)})
rows.sort(key=lambda row: row["premium"])
bpelab.show.table(rows)

# %%
premiums, low, high = ({row["register"]: row[key] for row in rows} for key in ("premium", "low", "high"))
bpelab.plot.bars(
    premiums,
    low=low,
    high=high,
    reference=(1, ""),
    title="Science and law cost least, essays most; the middle can't be ranked",
    xlabel="premium of the half-and-half tokenizer, with 95 % intervals (dashed: as many tokens as English)",
)

# %% [markdown]
# What 40 pairs can say: the intervals of science and law end at 1.183, that of essays begins at 1.379, so these
# differ. They can't say that recipes (1.199) are cheaper than news (1.214): the two intervals are nearly the same.
# Each interval is about three times as wide as that of all 480 pairs (1.257 to 1.301).
#
# The two factors say why. Law, news and science have the lowest byte ratios, 1.013 to 1.076, and the most kanji: a word
# in kanji is short. Interface messages have the highest byte ratio, 1.407, and the only gap below 1.
#
# ## From GPT-2 to today
#
# So far the vocabularies were ours. Five **production vocabularies**, those of models in use, lie in packages. Where one
# is missing, `load` says what to install, and the cells below go on with the others. We pretend:

# %%
models = {"gpt2": "GPT-2, 2019", "cl100k_base": "GPT-4, 2023", "o200k_base": "GPT-4o, 2024"}
models |= {"qwen2": "Qwen2, 2024", "qwen3.6": "Qwen 3.6, newest here"}
sources = bpelab.vocabularies.SOURCES
with patch.dict(sources, gpt2=sources["gpt2"]._replace(module="a_package_that_is_not_there")):
    print([name for name in models if name in bpelab.vocabularies.available()])
    try:
        bpelab.vocabularies.load("gpt2")
    except ImportError as error:
        print(error)

# %%
real = {name: bpelab.vocabularies.load(name) for name in models if name in bpelab.vocabularies.available()}
bpelab.show.tokens(real, leftovers.en)

# %%
bpelab.show.tokens(real, leftovers.ja)

# %% [markdown]
# The English is nine tokens every time, the Japanese 28, 24, 15, 14 and 12. Framed tokens make whole characters only
# together. Now the three texts, with "half" for comparison:

# %%
today = {name: bpelab.premium({"half": toks["half"], **real}, pairs) for name, pairs in corpora.items()}
columns = {"encoder": "vocabulary", "premium": "premium", "low": "low", "high": "high"}
columns |= {"en_chars_per_token": "EN chars/token", "ja_chars_per_token": "JA chars/token"}
rows = []
for text, frame in today.items():
    rows += [{"text": text} | row for row in frame[[*columns]].rename(columns=columns).to_dict("records")]
bpelab.show.table(rows)

# %%
bars = {row["encoder"]: row for row in today["parallel"].to_dict("records")[1:]}
bars = {f"{name} ({models[name]})": row for name, row in bars.items()}
premiums, low, high = ({name: row[key] for name, row in bars.items()} for key in ("premium", "low", "high"))
bpelab.plot.bars(
    premiums,
    low=low,
    high=high,
    reference=(1, ""),
    title="From GPT-2 to today: from 2.7 Japanese tokens for an English one to 1.1",
    xlabel='premium on "parallel", with 95 % intervals (dashed: as many tokens as English)',
)

# %% [markdown]
# From gpt2 down, the premium falls with every line, in all three texts, and no interval touches the next. (Qwen2 took
# its list over from the first Qwen of 2023. That list is older than o200k_base, and still better at Japanese.)
#
# The characters per token say which side moved. On "parallel" English stays between 4.482 and 4.592, while Japanese
# goes from 0.696 to 1.710. English didn't pay for it, as it did with our mixes.
#
# The ratio alone hides two things. On "parallel" the premium of "half", 1.278, is as low as qwen2's, 1.287; but "half"
# cuts *both* languages finer, at 3.011 and 0.963 characters per token against 4.482 and 1.424. On "jupyterlab"
# cl100k_base raises Japanese from 0.885 to 1.162, but its English rises too, from 4.459 to 4.964, so the premium falls
# by less. A vocabulary that is good at English looks worse at Japanese.
#
# On verses "half", with 8,000 tokens but trained on such text, has longer Japanese tokens than qwen3.6: 1.686 against
# 1.291. (We don't know what the five learned from. "parallel" is new; the other two texts may have been in it.)
#
# The premium divided by the byte ratio leaves the gap:

# %%
rows = [{"": "byte ratio of the text"} | {text: frame["byte_ratio"][0] for text, frame in today.items()}]
for i, encoder in enumerate(today["parallel"]["encoder"]):
    gaps = {text: frame["compression_gap"][i] for text, frame in today.items()}
    rows.append({"": f"gap of {encoder}"} | gaps)
    assert all(math.isclose(rows[0][text] * gaps[text], today[text]["premium"][i]) for text in today)
bpelab.show.table(rows)

# %% [markdown]
# On both modern texts the gap of qwen3.6 is below 1: a Japanese token of it holds more bytes than an English one, and
# only the text still makes Japanese longer.
#
# How many slots do they give to Japanese? Of the tokens that are whole characters, we count those with a kana (a
# character of Unicode's two kana blocks) and those with a kanji, which Chinese needs as well. Second table: what the
# Japanese of "parallel" is cut into, and which of eight kanji have a token. 対発両転 (against, start, both, turn) are
# the Japanese forms; mainland China writes the same four 对发两转.

# %%
with_kana, rows = {}, []
for name in real:
    every = bpelab.vocabularies.tokens(name)
    whole = [token.decode() for token in every if kind(token) != KINDS[0]]
    kana = [text for text in whole if any("\u3040" <= character <= "\u30ff" for character in text)]
    row = {"vocabulary": name, "tokens": len(every), "with kana": len(kana)}
    row |= {"kana %": 100 * len(kana) / len(every), "with kanji": sum(1 for text in whole if kanji(text))}
    rows.append(row)
    with_kana[name] = kana
bpelab.show.table(rows)

# %%
rows = []
for name, encoding in real.items():
    used = Counter(kind(token) for pair in modern for token in bpelab.show.pieces(encoding, pair.ja)[1])
    row = {"vocabulary": name} | {f"{size} %": 100 * used[size] / used.total() for size in KINDS}
    for four in ("対発両転", "对发两转"):
        single = [character for character in four if len(encoding.encode_ordinary(character)) == 1]
        row[f"tokens among {four}"] = "".join(single) or "none"
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# GPT-2 gives 127 tokens to kana and 43 to kanji, and writes modern Japanese almost in bytes: 58.992 % of the tokens are
# pieces. qwen3.6 gives 5,455 and 55,328; pieces are rare, and 45.202 % are longer than a character. It pays with size:
# 248,044 for 50,256 (chapter 07).
#
# The share of kana doesn't decide alone. In cl100k_base it is smaller than in gpt2, 0.163 % against 0.253 %, and yet its
# premium is lower; kanji went from 43 to 840. But tokens for Chinese serve Japanese only where both write alike:
# cl100k_base and qwen2 have the four Chinese forms and none of the Japanese.
#
# A curiosity, the longest tokens with kana:

# %%
longest = {name: sorted(tokens, key=len)[-3:] for name, tokens in with_kana.items()}
bpelab.show.table([{"vocabulary": name, "longest": "  ".join(map(label, longest[name]))} for name in longest])

# %% [markdown]
# GPT-2 has "dragon" and "thirty-one", in Japan the name of an ice-cream chain. VIPがお送りします is part of the name that
# a message board gave to anonymous writers. Most others are polite: "thank you very much", "with kind regards".
#
# ## What it means for the bill and for the context window
#
# A **context window** is the number of tokens that a model can look at. Set your own vocabularies and numbers; the
# prices are made up.

# %%
prices = {"gpt2": 3.0, "o200k_base": 3.0, "qwen3.6": 3.0}  # for a million tokens, in your currency
messages = 1_000_000  # like the sentences of `modern`
context = 8_000  # tokens

# %%
chosen = today["parallel"][today["parallel"]["encoder"].isin(prices)]
rows = []
for row in chosen.to_dict("records"):
    cells = {"vocabulary": row["encoder"]}
    for lang in ("en", "ja"):
        per_message = row[f"{lang}_tokens"] / len(modern)
        cells[f"{lang} bill"] = round(messages * per_message * prices[row["encoder"]] / 1e6)
        cells[f"{lang} characters"] = int(context * row[f"{lang}_chars_per_token"])
        cells[f"{lang} messages"] = int(context / per_message)
    rows.append(cells)
bpelab.show.table(rows)

# %% [markdown]
# "bill" is for all messages; "characters" and "messages" are what the window holds. With o200k_base it holds 36,739
# English characters or 10,039 Japanese ones, but 408 messages against 273. The premium works twice: the bill is
# multiplied by it, the window divided. And at one price per token the same Japanese costs 158, 88 or 64: prices per
# token can't be compared without the vocabulary.
#
# ## Published figures beside ours
#
# First, premiums of well-known tokenizers on FLORES-200, 2,009 sentences translated by people, computed from the
# lengths that Petrov and others published in 2023. The byte ratio of these sentences is 1.269. Three of the
# vocabularies are among ours (Qwen is qwen2); our columns are those of "parallel".

# %%
published = {"GPT-2": 3.00, "cl100k": 2.30, "LLaMA": 2.24, "BLOOM": 1.81, "Qwen": 1.46, "ByT5": 1.27}
published |= {"XLM-R": 1.11, "NLLB": 1.01, "mT5": 0.90}
same = {"GPT-2": "gpt2", "cl100k": "cl100k_base", "Qwen": "qwen2"}
ours = {row["encoder"]: row for row in today["parallel"].to_dict("records")}
rows = []
for name, value in published.items():
    row, mine = {"tokenizer": name, "premium": value, "gap": value / 1.269}, ours.get(same.get(name), {})
    row |= {"our premium": mine.get("premium", math.nan), "our gap": mine.get("compression_gap", math.nan)}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# Same vocabulary, other text: all three of our premiums are lower. Our byte ratio is too, 1.184. Without it the numbers
# come nearer (gaps of 2.364 and 2.258, 1.812 and 1.693, 1.151 and 1.086), but not together. So the gap isn't the
# vocabulary's alone: how well it fits the text is in it too.
#
# ByT5 works on bytes: its gap is 1, and its premium is the byte ratio. XLM-R, NLLB and mT5 were each made for a hundred
# languages or more, and have gaps below 1.
#
# Second, a mix of languages: tokenizers of the llm-jp project with nominally 50,000 tokens, trained on 50 GB of
# Japanese and English, also measured on FLORES-200. Ours is the column of "parallel" from above.

# %%
llm_jp = {20: 1.42, 40: 1.31, 60: 1.23, 80: 1.13}
mine = dict(zip(frames["parallel"]["Japanese %"], frames["parallel"]["premium"], strict=True))
rows = []
for share in sorted(llm_jp | mine):
    row = {"ours": mine.get(share, math.nan), "llm-jp": llm_jp.get(share, math.nan)}
    rows.append({"Japanese %": share} | row)
bpelab.show.table(rows)

# %% [markdown]
# The two columns fit together surprisingly well. Partly that is chance, since nearly everything else differs.
#
# Third, SentencePiece's own experiment: one vocabulary for both languages (of the Unigram kind, chapter 09), on KFTT,
# which is Wikipedia articles about Kyoto. BLEU is a score for translations, here into Japanese; higher is better.

# %%
kftt = [(4000, 43.7478, 29.6998, 0.2940), (8000, 30.9734, 25.0540, 0.2955)]
kftt += [(16000, 27.1827, 21.5326, 0.2862), (32000, 25.0592, 19.0840, 0.2849)]
rows = []
for size, en, ja, bleu in kftt:
    row = {"vocabulary": size, "EN tokens/sentence": en, "JA tokens/sentence": ja}
    rows.append(row | {"JA / EN": ja / en, "BLEU": bleu})
bpelab.show.table(rows)

# %% [markdown]
# Here Japanese takes fewer tokens at every size, as with "half" on the Bible, where training and test text are of one
# kind too. And with fewer Japanese tokens a sentence, 19.084 instead of 29.700, translations got no better.
#
# None of these numbers should equal ours. A premium needs its text and its tokenizer beside it.
#
# ## Your own files
#
# Two files with the same sentences, one a line, make a list of pairs. We write two small ones; put your own paths in
# the line with `zip`, and use the list as `modern` at the top.

# %%
with tempfile.TemporaryDirectory() as folder:
    en, ja = Path(folder) / "en.txt", Path(folder) / "ja.txt"
    en.write_text("Good morning.\nWhere is the station?\n", encoding="utf-8")
    ja.write_text("おはようございます。\n駅はどこですか。\n", encoding="utf-8")
    mine = list(zip(*(bpelab.corpora.read(path).splitlines() for path in (en, ja)), strict=True))
print(mine)

# %% [markdown]
# `strict=True` refuses files of unequal length: one lost line would put each sentence beside the wrong one. An encoder
# of your own, from Hugging Face or SentencePiece for instance, is one more entry of the dict.

# %%
encoders = {"half": toks["half"], "small": small, **real}  # and yours
frame = bpelab.premium(encoders, mine)
bpelab.show.table(frame[["encoder", "vocab_size", "en_tokens", "ja_tokens", "premium", "low", "high"]])

# %% [markdown]
# Two pairs are enough to see that it runs, and for nothing else: look at the interval of "half".
#
# ## What was simplified
#
# - 8,000 tokens and 1.5 MB of text are small, and the Japanese we train on is old. Our own vocabularies show how things
#   work; for values, take those of models in use.
# - The five differ in size, training text and split pattern at once. We see what happened, not which of these did it.
# - "The same content" means a translation. Translators choose longer or shorter words, and no two choose alike.
# - Our own tokenizers use one chunking, "gpt2", which holds back English at blanks and Japanese only at punctuation.
# - The bootstrap treats pairs as independent. Neighbouring verses aren't quite.
# - Real price lists differ between what a model reads and what it writes.
# - Fewer tokens is cheaper, not better. Whether a model understands Japanese well isn't measured here.
#
# ## Questions
#
# **1.** A tokenizer needs 1.0 token per character in Japanese and 0.25 in English. Does Japanese cost four times as
# much?
#
# <details><summary>Answer</summary>
#
# That can't be said from these numbers. The same content takes fewer characters in Japanese: about 0.4 of the English
# in "parallel". With that ratio the premium would be 0.4 × 1.0 / 0.25 = 1.6.
#
# </details>
#
# **2.** Which part of the premium can a better vocabulary remove?
#
# <details><summary>Answer</summary>
#
# Most of the compression gap. qwen3.6 even pushes it below 1 on modern text. The byte ratio belongs to the text.
#
# </details>
#
# **3.** On "parallel" our "half" has about the premium of qwen2. Are they equally good at it?
#
# <details><summary>Answer</summary>
#
# No. "half" needs about one and a half times as many tokens in both languages (characters per token: 3.011 against
# 4.482, and 0.963 against 1.424). The ratio hides that.
#
# </details>
#
# **4.** The mean of the ratios of single sentences is easy to compute. What is wrong with it?
#
# <details><summary>Answer</summary>
#
# A sentence of two tokens counts as much as one of a hundred, though the bill adds tokens. And the mean of JA / EN
# isn't the inverse of the mean of EN / JA.
#
# </details>
#
# **5.** On "parallel" the premium falls to 1 when about nine tenths of the training text are Japanese. Is that the best
# mix?
#
# <details><summary>Answer</summary>
#
# Not for the sum of tokens, which is least at 25 % among the mixes tried. Near parity English has become longer, while
# Japanese hardly got shorter.
#
# </details>
#
# ## Words of this chapter
#
# - **premium**: tokens of the Japanese divided by tokens of the English, for the same content, as a ratio of sums.
# - **byte ratio**: the same with bytes; belongs to the text.
# - **compression gap**: English bytes per token divided by Japanese bytes per token; what the vocabulary adds.
# - **bootstrap interval**: where a number lies when the pairs are drawn anew many times.
# - **production vocabulary**: the list of tokens that a model in use works with.
# - **piece of a character**: a token whose bytes aren't whole characters.
# - **kana, kanji**: the phonetic letters of Japanese; its characters of Chinese origin.
# - **register**: the kind of language of a situation, such as law or conversation.
#
# ## Sources
#
# The ratios on FLORES-200, those of llm-jp among them, come from the notes to this book and are not recomputed here.
#
# - Aleksandar Petrov, Emanuele La Malfa, Philip Torr, Adel Bibi: *Language Model Tokenizers Introduce Unfairness
#   Between Languages*, 2023, [arXiv:2305.15425](https://arxiv.org/abs/2305.15425).
# - Orevaoghene Ahia and others: *Do All Languages Cost the Same? Tokenization in the Era of Commercial Language
#   Models*, 2023, [arXiv:2305.13707](https://arxiv.org/abs/2305.13707). Prices, in 22 languages.
# - NLLB Team: *No Language Left Behind: Scaling Human-Centered Machine Translation*, 2022,
#   [arXiv:2207.04672](https://arxiv.org/abs/2207.04672). FLORES-200.
# - Jinze Bai and others: *Qwen Technical Report*, 2023, [arXiv:2309.16609](https://arxiv.org/abs/2309.16609), and
#   An Yang and others: *Qwen2 Technical Report*, 2024, [arXiv:2407.10671](https://arxiv.org/abs/2407.10671).
# - LLM-jp: *A Cross-organizational Project for the Research and Development of Fully Open Japanese LLMs*, 2024,
#   [arXiv:2407.03963](https://arxiv.org/abs/2407.03963), and its tokenizers,
#   [llm-jp/llm-jp-tokenizer](https://github.com/llm-jp/llm-jp-tokenizer).
# - SentencePiece, [doc/experiments.md](https://github.com/google/sentencepiece/blob/master/doc/experiments.md), first
#   table; KFTT is the Kyoto Free Translation Task.
# - Bradley Efron, Robert Tibshirani: *An Introduction to the Bootstrap*, 1993.
