# %% [markdown]
# # 01 Cutting text into chunks
#
# A tokenizer cuts text in two steps: first into *chunks*, then each chunk into
# *tokens*. This chapter shows the whole way once and then takes the first
# step. After it you can say why tokens are neither words nor characters, cut
# any text with the published patterns or with your own, and see what a cut
# does to Japanese. About 35 minutes, and 45 for the exercises
# ([solutions](solutions/01_chunking.ipynb)). It builds on nothing but a little
# Python; no Japanese needed.

# %% tags=["setup"]
import re
import unicodedata
from collections import Counter
from functools import partial

import regex

import bpelab
from bpelab.show import label

# %% [markdown]
# ## Three puzzles
#
# Language models are paid for by the **token**, the unit in which they read
# and write. Here are two sentences with one meaning, counted with the
# vocabulary of GPT-4:

# %%
cl100k = bpelab.vocabularies.load("cl100k_base")
english, japanese = (
    "Please reply by Friday.",
    "金曜日までにお返事をお願いします。",
)
for sentence in (english, japanese):
    print(len(cl100k.encode(sentence)), "tokens:", sentence)

# %% [markdown]
# **Why does the same sentence cost more than three times as much in Japanese?**
#
# A model is asked how many *r* there are in *strawberry*. This is what it gets
# to read: numbers, and what they stand for.

# %%
ids = cl100k.encode("strawberry")
print(ids, [cl100k.decode([i]) for i in ids])
print(cl100k.encode(" strawberry"), "with a blank before it")

# %% [markdown]
# **Where in these numbers are the letters?**
#
# And two texts that look alike on the screen:

# %%
composed = "ガギグゲゴ"
decomposed = unicodedata.normalize("NFD", composed)
print(composed, decomposed, composed == decomposed)
print(len(cl100k.encode(composed)), len(cl100k.encode(decomposed)), "tokens")

# %% [markdown]
# **What is different?** This chapter answers the third puzzle. The first is
# measured in [chapter 08](08_japanese_and_english.ipynb), the second in
# [chapter 10](10_failures.ipynb).
#
# ## The way of a text into a model
#
# A small tokenizer, trained on six words, shows all stations.

# %%
corpus = "low low low lower lower newest"
tok = bpelab.train(corpus, 5)
bpelab.plot.pipeline(
    tok,
    "low lowest",
    title="From a text to the numbers that a model reads",
)

# %%
chunks = tok.chunks("low lowest")
for chunk, ids in zip(chunks, tok.encode_chunks(chunks), strict=True):
    print(label(chunk), ids, [label(tok.id_to_token(i)) for i in ids])

# %% [markdown]
# 1. The text may be **normalized**: two spellings of one thing become one.
#    Here nothing changes.
# 2. It is cut into **chunks** (this chapter). ␣ stands for a blank.
# 3. Inside each chunk, neighbouring pieces are joined by **merges**, rules
#    learned from text ([chapter 02](02_training.ipynb)). What results are the
#    tokens.
# 4. Each token has a number, its **id**: its place in the **vocabulary**, the
#    list of all tokens.
# 5. An id does one thing: it picks a row of a table, the **embedding**. A row
#    is a list of numbers that the model learned. The model computes with rows;
#    it never sees letters.
#
# ## Who reads what
#
# | You want to | read, in this order |
# |---|---|
# | know how a tokenizer works | 01, [02](02_training.ipynb), [03](03_encoding.ipynb), [04](04_bytes.ipynb) |
# | know what tokens cost, in Japanese above all | 01, [07](07_vocabulary_size.ipynb), [08](08_japanese_and_english.ipynb) |
# | know why a model fails at spelling or sums | 01, [03](03_encoding.ipynb), [10](10_failures.ipynb) |
# | train a tokenizer of your own | 01 to 04, [05](05_ties.ipynb), [07](07_vocabulary_size.ipynb), [09](09_other_tokenizers.ipynb) |
# | make it fast, or match a library exactly | [02](02_training.ipynb), [05](05_ties.ipynb), [06](06_speed.ipynb), [11](11_scale.ipynb) |
#
# ## Japanese for this book
#
# - Three scripts stand in one sentence. **Kanji** (Unicode calls them *Han*)
#   came from China and carry meaning: 猫 "cat", 本 "book". There are thousands.
#   **Hiragana** writes endings and small words, by syllable: は, を, ます.
#   **Katakana** writes foreign words: コンビニ "convenience store". Hiragana
#   and katakana together are **kana**.
# - There are **no blanks** between words. `。` is the full stop, `、` the comma.
# - **Particles** follow a word and say what it does: は "as for", が marks who
#   acts, を what is acted on, で "at", に "to, in".
# - Verbs come last, and their endings are long: 読む "read", 読みます (polite),
#   読みました (past), 読まなければならない "must read".
# - In UTF-8, the usual way to store text, an English letter is one byte; a
#   kana or a kanji is nearly always **three**.
#
# So 猫が東京で本を読みます。 is cat-*ga* Tokyo-*de* book-*o* read: "The cat reads a
# book in Tokyo."
#
# ## Words are too many, characters are too small
#
# What should a token be? Back to the six words, and a new one: *lowest*.

# %%
words, characters = sorted(set(corpus.split())), sorted(set(corpus))
print(words, len(corpus.split()), "words long")
print(characters, len(corpus), "characters long")
print("lowest" in words, set("lowest") <= set(characters))
print(tok.tokens("low lowest"))

# %% [markdown]
# With words the sequence is short, but the new word isn't in the list. With
# characters everything is known, but the sequence is five times as long.
#
# **Subwords** lie between: single characters, plus longer pieces that were
# frequent in the training text. Byte-pair encoding (BPE) finds them. *lowest*
# was never seen and needs no unknown piece; the frequent *low* is one token.
#
# Now real text. The book's own has more than two thousand sentences, each in
# English and in Japanese, written for it (news, talk, law, recipes and so on). To
# read a chapter on a text of your own, change this line and run all its cells:

# %%
source = "parallel"  # or a file of yours: "my.txt"

# %%
sides = bpelab.corpora.languages(source)[:2] or [None]  # None: a plain file


def sentences(split="all"):
    texts = {s or "text": bpelab.corpora.text(source, s, split) for s in sides}
    return {name: bpelab.corpora.lines(text) for name, text in texts.items()}


documents, train, test = map(sentences, ("all", "train", "test"))
for name, lines in documents.items():
    print(name, len(lines), "lines,", sum(map(len, lines)), "characters")

# %% [markdown]
# Every tenth sentence is put aside as the **test** text; the rest is for
# **training**. How long is the test text in each unit, and how much of it was
# never seen? ("Chunks" are cut by the pattern of GPT-2, which we read below.
# "Subwords" are the characters plus up to 1,000 merges.)


# %%
def row(name, unit, vocabulary, found):
    new = sum(piece not in vocabulary for piece in found)
    sizes = {"vocabulary": len(vocabulary), "test pieces": len(found)}
    share = f"{new / max(1, len(found)):.1%}"
    return {"text": name, "unit": unit} | sizes | {"unseen": new, "%": share}


def pieces(lines, cut):
    return [piece for line in lines for piece in cut(line)]


# %%
cuts = {"characters": list}
for unit, chunking in (("words", "words"), ("chunks", "gpt2")):
    cuts[unit] = partial(bpelab.chunk, chunking=chunking)
rows = []
for name in documents:
    for unit, cut in cuts.items():
        known = set(pieces(train[name], cut))
        rows.append(row(name, unit, known, pieces(test[name], cut)))
    tok = bpelab.train(train[name], 1000, chunking="gpt2")
    found = pieces(test[name], tok.token_bytes)
    rows.append(row(name, "subwords", set(tok.vocab), found))
bpelab.show.table(rows)

# %% [markdown]
# On the shipped text: English words are few, but about one in ten was never
# seen. Characters are nearly all known and make the sequence about five times
# as long. Subwords lie between in length and are as well known as characters,
# because the characters are still there to fall back on. And we choose the
# size of their vocabulary.
#
# In Japanese "words" fails: nearly all are new, and below we see why.
# Characters are no full answer either, because there are so many: some of the
# test text's were never seen in training. [Chapter 04](04_bytes.ipynb) goes
# below the character, to bytes, and then nothing is unknown.
#
# ## A blank belongs to the next word
#
# A **chunk** is a stretch of text that no merge may leave. Cutting into chunks
# is called *pre-tokenization* in the field; we say **chunking**. The plainest,
# `"space"`, starts a new chunk at each blank.

# %%
print(bpelab.chunk("low lower"))
print(bpelab.chunk("a  b"))
print(bpelab.count_chunks("low low lower"))

# %% [markdown]
# The blank isn't thrown away: it is the first character of the next chunk. So
# `low` at the start of a text is a different chunk from ` low` later on, as
# different as `low` and `tow`; one word can stand twice in a vocabulary.
#
# The gain: one after the other, the chunks are the text again, every
# character. Such a chunking is **lossless**. We test it on nasty strings and
# on the whole text.

# %%
lossy = bpelab.chunking.LOSSY
lossless = [name for name in bpelab.chunking.NAMES if name not in lossy]
nasty = ["", " ", "a  b ", "\ttab\n\n\nend \r\n", "def f():\n    return 1"]
family = "👨\u200d👩\u200d👧"  # one picture, five code points
nasty += ["e\u0301", "\x00", "全角　の空白", "zero\u200bwidth", family]
real = ["\n".join(lines) for lines in documents.values()]
for chunking in lossless:
    for text in nasty + real:
        assert "".join(bpelab.chunk(text, chunking)) == text
print("re-join:", lossless)
print("do not:", list(lossy))

# %% [markdown]
# `"words"` lower-cases and keeps only runs of letters, digits and underscores.
# (The other lossy names do what certain libraries do; [chapter
# 05](05_ties.ipynb) uses them.) Even lower-casing alone is no harmless step:

# %%
print(bpelab.chunk("The cat, the dog. Don't!", "words"))
city = "İstanbul"
for text in (city, city.upper(), city.lower(), city.lower().upper()):
    print(text, len(text), [f"U+{ord(c):04X}" for c in text[:2]])

# %% [markdown]
# Gone are the capitals, the blanks and all punctuation. And the Turkish İ
# becomes two characters in lower case, an i and a combining dot: in capitals
# the city has 8 characters, but 9 if it was lower-cased before.
#
# ## The pattern of GPT-2, read aloud
#
# `"space"` leaves the comma on the word: `here,` and `here` are different
# chunks. Real tokenizers use a **regular expression**, a pattern whose matches
# are the chunks. Here is GPT-2's (2019), as OpenAI's library tiktoken has it
# today. The alternatives, separated by `|`, are tried from left to right; the
# first that fits wins. A group around each one tells which cut what.

# %%
alternatives = [r"'(?:[sdmt]|ll|ve|re)", r" ?\p{L}++", r" ?\p{N}++"]
alternatives += [r" ?[^\s\p{L}\p{N}]++", r"\s++$", r"\s+(?!\S)", r"\s"]
assert "|".join(alternatives) == bpelab.chunking.PATTERNS["gpt2"]
grouped = regex.compile("|".join(f"({one})" for one in alternatives))
rows = []
for match in grouped.finditer("It's 12 cats,\n  isn't\tit?\n"):
    number = match.lastindex
    by = alternatives[number - 1].replace(" ", "␣")
    rows.append({"chunk": label(match.group()), "number": number, "by": by})
bpelab.show.table(rows)

# %% [markdown]
# 1. An apostrophe and one of *s, d, m, t, ll, ve, re*: the endings of English
#    contractions.
# 2. Perhaps one blank, then letters, as many as there are. `\p{L}` is a letter
#    of any script: a, é, 猫, ね. (Python's own `re` doesn't know it; the
#    package `regex` does.)
# 3. Perhaps one blank, then digits and other numerals.
# 4. Perhaps one blank, then a run of what is neither white space nor letter
#    nor numeral: punctuation, symbols, emoji.
# 5. White space up to the end of the text.
# 6. White space that isn't followed by something visible. Before a word this
#    is all of the run but its last character.
# 7. One character of white space: what is left of the run.
#
# A `++` is a `+` that never gives characters back. It saves time; in this
# pattern it cuts in the same places.
#
# Before `isn't` stand a newline and two blanks. Alternative 6 takes the
# newline and the first blank and leaves the last one to ` isn`. So a blank
# belongs to the next word in indented code too.

# %% [markdown] tags=["exercise"]
# **Exercise 01.1** ★ · 3 minutes. Into how many chunks does this pattern cut
# `It's␣␣5␣o'clock⏎` (␣ a blank, ⏎ a newline)? Read the seven alternatives;
# don't run them.

# %% tags=["exercise"]
#: number = ...
# solution
number = 8
# end
bpelab.exercises.check("01.1", number)

# %% [markdown] tags=["solution"]
# `It`, `'s`, `␣`, `␣5`, `␣o`, `'`, `clock`, `⏎`. Of the two blanks alternative
# 6 takes the first and leaves the second to `␣5`. The second apostrophe is
# followed by a `c`, so it is no ending but punctuation (alternative 4), and
# the letters start anew after it.

# %% [markdown]
# ## What the patterns do to prose, code, digits and contractions
#
# Two newer patterns are `"cl100k"` (GPT-3.5 and GPT-4) and `"o200k"` (GPT-4o).
# `|` marks the cuts.


# %%
def cut(text, chunking):
    return "|".join(map(label, bpelab.chunk(text, chunking)))


def compare(*texts):
    names = ("space", "gpt2", "cl100k", "o200k")
    rows = [
        {"chunking": name} | {text: cut(text, name) for text in texts}
        for name in names
    ]
    return bpelab.show.table(rows)


# %%
compare("The cats aren't here?", "def f(x_1):\n    return getName(x_1)\n")

# %% [markdown]
# On prose the three patterns nearly agree; only o200k keeps `aren't` whole. On
# code there are three differences. GPT-2 lets only a blank stand before
# letters; the others allow *one* character that is no letter, numeral or line
# end, so that `(x` is one chunk. They also let punctuation take the line end
# after it, as in `):\n`. And only o200k looks at capitals: `getName` falls in
# two.

# %%
compare("12345", "2024年12月", "IT'S", "It’s", "İstanbul'da")

# %% [markdown]
# GPT-2 takes a number whole. The newer patterns cut after every third digit
# **from the left**: `123|45`, although we group 12,345 from the right, and
# `202|4`. (2024年12月 is "December 2024".) What that does to sums is in
# [chapter 10](10_failures.ipynb).
#
# GPT-2 knows `'s` only in small letters: IT'S falls in three. None of them has a
# rule for the typographic `’`. GPT-2 makes it a chunk of its own; the newer
# ones take it as the one character before letters. The last word is Turkish
# for "in Istanbul". It is no English contraction, yet all three see `'d` and
# leave an `a` alone.

# %% [markdown] tags=["exercise"]
# **Exercise 01.2** ★★ · 8 minutes. Change GPT-2's pattern so that `’` takes
# the same endings as `'`, both in small letters and in capitals. All other
# cuts stay. The old pattern: `bpelab.chunking.PATTERNS["gpt2"]`.

# %% tags=["exercise"]
#: pattern = ...
# solution
gpt2 = bpelab.chunking.PATTERNS["gpt2"]
old, new = r"'(?:[sdmt]|ll|ve|re)", r"['’](?i:[sdmt]|ll|ve|re)"
pattern = gpt2.replace(old, new)
# end
bpelab.exercises.check("01.2", pattern)

# %% [markdown] tags=["solution"]
# Only the first alternative changes, and it must stay the first: a new one at
# the end would never be asked, because the fourth (punctuation) takes `’`
# first. `(?i:…)` ignores case inside its brackets only.

# %% [markdown] tags=["exercise"]
# **Exercise 01.3** ★★ · 10 minutes. Write a pattern (or a function) that cuts
# digits in threes **from the right**, `12|345`, at any length and inside other
# text, such as `2024年`. No chunk mixes digits with other characters; how it
# cuts the rest is free.

# %% tags=["exercise"]
#: from_the_right = ...
# solution
ahead = r"(?=(?:\p{N}{3})*(?!\p{N}))"
from_the_right = rf"\p{{N}}{{1,3}}{ahead}|\P{{N}}+"
print(bpelab.chunk("2024年 1234567", from_the_right))
# end
bpelab.exercises.check("01.3", from_the_right)

# %% [markdown] tags=["solution"]
# One to three digits, if behind them stand only whole threes up to the end of
# the *digits*: `(?=…)` looks ahead and takes nothing, `(?!\p{N})` says that no
# digit follows. It holds at any length, since `*` counts no groups.

# %% [markdown]
# ## Japanese, and the third puzzle
#
# "The cat reads a book in Tokyo. So it is quiet." And the look-alikes of the
# beginning, the decomposed one last:

# %%
compare("猫が東京で本を読みます。だから、静かです。", composed, decomposed)

# %%
print(len(composed), len(decomposed), "characters")
for c in decomposed[:2]:
    print(label(c), unicodedata.name(c), unicodedata.category(c))

# %% [markdown]
# Under `"space"` the Japanese sentence is one chunk. The patterns cut at `。`
# and `、`, which are no letters; all between is one run of letters. And
# cl100k's "one character before letters" takes the mark of the phrase
# *before*: 静かです with and without a comma are two chunks, as ` low` and `low`
# are.
#
# The puzzle: ガ (*ga*) is one character, or カ (*ka*) and a combining voicing
# mark. Unicode calls the composed form **NFC** and the decomposed one **NFD**.
# The mark has the category Mn, a mark and not a letter, so `\p{L}` ends before
# it. GPT-2 makes each mark a chunk; cl100k gives it to the *following* kana,
# where it doesn't belong; o200k counts marks among the letters. How to
# normalize such text first is in [chapter 04](04_bytes.ipynb).
#
# ## How long is a chunk?
#
# First the whole text as one long string, cut at its blanks.

# %%
for name, lines in documents.items():
    found = bpelab.chunk("\n".join(lines), "space")
    across = [chunk for chunk in found if "\n" in chunk[:-1]]
    print(name, len(found), "chunks, longest", max(map(len, found)))
    print("   over a line end:", len(across), [c[:30] for c in across[:2]])

# %% [markdown]
# `"space"` cuts at blanks and nowhere else, not even at the end of a line. In
# the shipped Japanese a chunk can run over more than a hundred lines, and in
# English a merge could learn the end of one sentence with the beginning of the
# next. So give bpelab **documents**, an iterable of strings, here one for each
# line. No chunk, and so no merge, crosses from one into the next.

# %%
lengths, rows = {}, []
for chunking in ("space", "gpt2", "cl100k", "o200k", "words"):
    by = partial(bpelab.chunk, chunking=chunking)
    row = {"chunking": chunking}
    for name, lines in documents.items():
        n = lengths[chunking, name] = list(map(len, pieces(lines, by))) or [0]
        row[f"{name}: chunks"], row[f"{name}: mean"] = len(n), sum(n) / len(n)
        around = sum(k * k for k in n) / max(1, sum(n))
        row[f"{name}: around a character"] = around
    rows.append(row)
bpelab.show.table(rows)

# %%
bpelab.plot.histogram(
    {name: lengths["gpt2", name] for name in documents},
    title="How long are the chunks of GPT-2's pattern?",
)

# %% [markdown]
# By the mean, GPT-2's chunks are about as long in the shipped English as in the
# Japanese. These means mislead. Commas, stops and single digits are chunks of
# one character and pull the mean down: in Japanese they are the tall first bar.
# Ask instead how long the chunk is that an average *character* stands in (the
# last column of each text). Now Japanese has more than twice the length, and
# under `"space"` nearly every sentence is one chunk.
#
# A merge never crosses the border of a chunk, so the chunking decides how long
# a token *can* become: a word in English, a phrase in Japanese.
#
# ## Text becomes a table
#
# Training never asks where a chunk stands, only how often it occurs. So it
# works on a table of distinct chunks and their counts. The ten commonest:

# %%
counts = {n: bpelab.count_chunks(d, "gpt2") for n, d in documents.items()}
rows = []
for name, table in counts.items():
    top = Counter(table).most_common(10)
    held = sum(len(chunk) * n for chunk, n in top)
    whole, kept = sum(map(len, documents[name])), sum(map(len, table))
    row = {"text": name, "top ten": " ".join(label(c) for c, _ in top)}
    chunks, in_ten = sum(table.values()), sum(n for _, n in top)
    row["of chunks"] = f"{in_ten / chunks:.0%}"
    row["of characters"] = f"{held / whole:.0%}"
    rows.append(row | {"table keeps": f"{kept / whole:.0%}"})
bpelab.show.table(rows)

# %% [markdown]
# In the shipped English the top ten are marks and little words with their
# blank. In Japanese there is no word among them, only marks, blanks and
# digits: a large share of the chunks and a small one of the characters. The
# words are inside the long chunks.
#
# "Table keeps" is the share of the text's characters that the distinct chunks
# still hold: about a quarter in English, by far the most in Japanese, since
# long chunks seldom come twice. That is one reason why training is fast, on
# English above all.
#
# ## Your own pattern, your own function
#
# `chunking` may be any regular expression that covers the text, or any
# function from a string to a list of strings. Cut Japanese after `。` and `、`;
# or where the script changes, between kanji, katakana, hiragana and the rest:

# %%
after_marks = r"[^。、]*[。、]|[^。、]+"
han, katakana, hiragana = r"\p{Han}", r"\p{Katakana}ー", r"\p{Hiragana}"
scripts = rf"{han}+|[{katakana}]+|{hiragana}+|[^{han}{katakana}{hiragana}]+"
milk = "コンビニ行くなら、ついでに牛乳買ってきてくれない？"
for way in (after_marks, scripts):
    print(cut(milk, way))

# %% [markdown]
# ("If you're going to the convenience store anyway, could you grab some
# milk?") The mark ends its own phrase now. By scripts, コンビニ is found. But 牛乳
# (milk) is glued to 買, the stem of *buy*, whose ending って begins the next
# chunk. A change of script hints at a word, no more.

# %% [markdown] tags=["exercise"]
# **Exercise 01.4** ★★ · 12 minutes. Cut Japanese so that kanji keep the
# hiragana after them (`読みます`), the next kanji begin a new chunk, and marks
# (`。、？「」`) stand apart from letters. A pattern or a function; lossless.


# %% tags=["exercise"]
#: def with_endings(text):
#:     ...
# solution
def with_endings(text):
    words = r"\p{Han}+\p{Hiragana}*|\p{Hiragana}+|[\p{Katakana}ー]+"
    rest = r"[^\p{Han}\p{Hiragana}\p{Katakana}ー]"
    return regex.findall(f"{words}|{rest}", text)


# end


bpelab.exercises.check("01.4", with_endings)

# %% [markdown] tags=["solution"]
# Kanji and hiragana in one alternative, in this order; the later ones take
# what has no kanji before it. The last takes every other character, or the
# cut would lose the marks. 猫が|東京で|本を|読みます|。: a word with its particle.

# %% [markdown]
# What if a pattern doesn't cover the text, or a function loses something?

# %%
for way in (r"\w+|\s+", str.split, "gtp2"):
    try:
        bpelab.chunk("low, lower", way)
    except ValueError as error:
        print(error)

# %% [markdown]
# Silently, `re.findall` with the first would drop the comma, and `split` drops
# the blank. In bpelab that is an error, and so is a bare word that is no name:
# as a regular expression it would be valid.

# %% tags=["setup"]
five = {
    "runs": lambda text: re.findall(r"\S+|\s+", text),
    "threes": lambda text: re.findall(r".{1,3}", text),
    "lines": lambda text: text.splitlines(keepends=True),
    "lower": lambda text: re.findall(r"\w+|\W+", text.lower()),
    "composed": lambda text: list(unicodedata.normalize("NFC", text)),
}

# %% [markdown] tags=["exercise"]
# **Exercise 01.5** ★★ · 10 minutes. Which of these five are lossy? Give a
# witness for each: a text that its chunks don't re-join to, as a dict from name
# to text.

# %% tags=["exercise"]
#: witnesses = ...
# solution
witnesses = {"threes": "a\nb", "lower": "A", "composed": "e\u0301"}
for name, text in witnesses.items():
    print(name, [text], five[name](text))
# end
bpelab.exercises.check("01.5", witnesses)

# %% [markdown] tags=["solution"]
# In a regular expression `.` takes no line end. Lower case loses the capitals.
# NFC writes e and its accent as one character, which looks the same and isn't.
# `runs` takes blank or not blank, which is everything, and `keepends` keeps
# what `splitlines` would drop.

# %% [markdown]
# ## What was simplified
#
# - The sample is small; shares of unseen words and sizes of tables depend on
#   the amount of text.
# - The patterns are those of three OpenAI vocabularies. Other models have
#   their own, and SentencePiece needs none
#   ([chapter 09](09_other_tokenizers.ipynb)).
# - A "character" here is one Unicode code point. The family emoji in our list
#   is several.
#
# ## Questions
#
# **1.** You train with `"space"` on one string of many lines. Which tokens do
# you risk?
#
# <details><summary>Answer</summary>
#
# Tokens across the end of a line, such as the last word of one sentence with
# the first of the next. Hand over documents, or use a pattern that cuts there.
#
# </details>
#
# **2.** The mean chunk of GPT-2's pattern is about as long in English as in
# Japanese. Why is "about the same" wrong?
#
# <details><summary>Answer</summary>
#
# One-character marks hide the long phrases. The chunk around an average
# character is more than twice as long in Japanese.
#
# </details>
#
# **3.** Two files look the same, but GPT-2's pattern makes many chunks of one
# and a single chunk of the other. What is different?
#
# <details><summary>Answer</summary>
#
# One is decomposed (NFD). Its voicing marks are no letters, so each run of
# letters ends there.
#
# </details>
#
# **4.** Why does counting chunks first help less in Japanese?
#
# <details><summary>Answer</summary>
#
# Hardly any long chunk occurs twice, so the table is nearly as long as the
# text.
#
# </details>
#
# ## Words of this chapter
#
# Token, vocabulary, id, embedding, subword, merge, chunk, chunking
# (pre-tokenization), lossless, lossy, document, kanji, hiragana, katakana,
# kana, particle, NFC, NFD: see the [glossary](glossary.md).
#
# ## Sources
#
# - R. Sennrich, B. Haddow, A. Birch: *Neural Machine Translation of Rare Words
#   with Subword Units*, 2016, [arXiv:1508.07909](https://arxiv.org/abs/1508.07909).
# - A. Radford and others: *Language Models are Unsupervised Multitask
#   Learners*, 2019 (the GPT-2 report).
# - OpenAI, [tiktoken](https://github.com/openai/tiktoken):
#   `tiktoken_ext/openai_public.py`, the three patterns.
# - Unicode Standard Annexes [15](https://www.unicode.org/reports/tr15/)
#   (*Unicode Normalization Forms*) and
#   [24](https://www.unicode.org/reports/tr24/) (*Unicode Script Property*).
# - The documentation of the Python package
#   [regex](https://github.com/mrabarnett/mrab-regex).
