# %% [markdown]
# # 01 Cutting text into chunks
#
# A tokenizer works in two steps. First the text is cut into *chunks*; then each chunk is cut into *tokens*. This
# chapter is about the first step.
#
# After it you can say why tokens are neither words nor characters, cut any text with the published patterns or with
# your own, and see what a cut does to Japanese. About 30 minutes. No Japanese needed.

# %%
import re
import unicodedata
from collections import Counter
from functools import partial
from random import Random

import regex

import bpelab
from bpelab.show import label

# %% [markdown]
# ## Words are too many, characters are too small
#
# A language model reads numbers. So a text becomes a sequence of pieces, and each piece has a number: its place in a
# list, the **vocabulary**. What should a piece be?
#
# Here is a text of six words, and then a new word: *lowest*.

# %%
corpus = "low low low lower lower newest"
words, characters = sorted(set(corpus.split())), sorted(set(corpus))
print(words, len(corpus.split()), "words long")
print(characters, len(corpus), "characters long")
print("lowest" in words, set("lowest") <= set(characters))

# %% [markdown]
# With words the sequence is short (6), but the new word isn't in the list. With characters all of it is known, but
# the sequence is five times as long (30).
#
# **Subwords** lie between: single characters, plus longer pieces that were frequent in the training text. Byte-pair
# encoding (BPE) finds them by joining two neighbouring pieces again and again. Each joining is a **merge**. Chapter
# 02 shows how merges are chosen; here we only use five.

# %%
tok = bpelab.train(corpus, 5)
print([merge.left.decode() + "+" + merge.right.decode() for merge in tok.merges])
print(tok.tokens("low lowest"))

# %% [markdown]
# *lowest* was never seen, and still needs no unknown piece: ` lowe`, `s`, `t`. The frequent *low* is one piece.
#
# ## The same on real text
#
# Our text is 480 sentences in English and the same 480 in Japanese, written for this book (news, conversation, law,
# recipes and so on). For your own file as further rows of most tables, take the `#` off the second line.

# %%
texts = {"en": bpelab.corpora.text("parallel", "en"), "ja": bpelab.corpora.text("parallel", "ja")}
# texts["mine"] = bpelab.corpora.read("my.txt")
sentences = {name: text.splitlines(keepends=True) for name, text in texts.items()}
rows = []
for name, text in texts.items():
    rows.append({"text": name, "sentences": len(sentences[name]), "characters": len(text)})
bpelab.show.table(rows)

# %% [markdown]
# Every tenth sentence is put aside as the **test** text. The vocabulary comes from the rest, the **training** text.
# How large is it, how many pieces does the test text have, and how many of those were never seen in training?
# ("Chunks" are cut by the pattern of GPT-2, which we read below. "Subwords" are the characters plus 1,000 merges.)


# %%
def row(text, unit, vocabulary, pieces):
    unseen = sum(piece not in vocabulary for piece in pieces)
    sizes = {"vocabulary": len(vocabulary), "test pieces": len(pieces), "never seen": unseen}
    return {"text": text, "unit": unit, **sizes}


def pieces(documents, split):
    return [piece for document in documents for piece in split(document)]


# %%
units = {"characters": list}
for unit, chunking in (("words", "words"), ("chunks", "gpt2")):
    units[unit] = partial(bpelab.chunk, chunking=chunking)

# %%
rows = []
for name, every in sentences.items():
    test = every[9::10]
    train = [sentence for sentence in every if sentence not in test]
    for unit, split in units.items():
        rows.append(row(name, unit, set(pieces(train, split)), pieces(test, split)))
    tok = bpelab.train(train, 1000, chunking="gpt2")
    rows.append(row(name, "subwords", set(tok.vocab), pieces(test, tok.token_bytes)))
bpelab.show.table(rows)

# %% [markdown]
# English first. Of 848 words in the test text, 189 were never seen: more than one in five. Of the characters one, at
# the price of 4,550 pieces instead of 848. Subwords need 1,657 pieces, and again only one is unknown: the characters
# are still there to fall back on. And we choose the size of their vocabulary: 1,088 is the 87 characters, 1,000
# merges and one entry for "unknown". ("Words" leaves out blanks and punctuation; the 1,003 chunks leave out
# nothing.)
#
# So subwords are the middle. A large vocabulary is more for the model to learn, a long sequence more to compute;
# chapter 07 measures both.
#
# In Japanese "words" fails: 126 of 127 are new, and below we see why. Characters don't quite solve it either,
# because there are so many: 47 in the test text never stood in the training text. Chapter 04 goes below the
# character, to bytes, and then nothing is unknown.
#
# ## A blank belongs to the next word
#
# A **chunk** is a piece of text that no merge may leave. Cutting text into chunks is called *pre-tokenization* in
# the field; we say **chunking**. The plainest one, `"space"`, starts a new chunk at each blank.

# %%
print(bpelab.chunk("low lower"))
print(bpelab.chunk("a  b"))

# %% [markdown]
# The blank isn't thrown away. It is the first character of the next chunk. Of two blanks in a row, the first is a
# chunk by itself and the second belongs to `b`.
#
# The gain: chunks **re-join**. One after the other they are the text again, every character. Such a chunking is
# **lossless**. We test it on nasty strings and whole texts.

# %%
lossless = [name for name in bpelab.chunking.NAMES if name not in bpelab.chunking.LOSSY]
nasty = ["", " ", "a  b ", "\ttab\n\n\nend \r\n", "def f():\n    return 1", "e\u0301", "\x00"]
nasty += ["日本語　全角の空白", "\U0001f468\u200d\U0001f469\u200d\U0001f467 family emoji", "zero\u200bwidth"]
real = [bpelab.corpora.text(name, "en") for name in ("parallel", "jupyterlab")]
real += [bpelab.corpora.text(name, "ja") for name in ("parallel", "jupyterlab")]
for chunking in lossless:
    for text in nasty + real:
        assert "".join(bpelab.chunk(text, chunking)) == text
print(lossless)
print("re-join on", len(nasty), "short strings and", sum(map(len, real)), "characters of real text")

# %% [markdown]
# (`"jupyterlab"` is the interface messages of JupyterLab, in English and in Japanese.)
#
# The price: a word at the start of a text has no blank before it, so it is another chunk than the same word later on.

# %%
print(bpelab.count_chunks("low low lower"))
counts = bpelab.count_chunks(sentences["en"], "space")
both = [chunk for chunk in counts if " " + chunk in counts]
print(len(both), "chunks occur with and without a blank")
rows = []
for low in both[:5]:
    with_blank = {"with": label(" " + low), "its count": counts[" " + low]}
    rows.append({"without": low, "count": counts[low], **with_blank})
bpelab.show.table(rows)

# %% [markdown]
# To a tokenizer `low` and ` low` are two strings, as different as `low` and `tow`. So one word can stand twice in a
# vocabulary. In tables a leading blank is drawn as ␣; in the data it is a blank.
#
# ## "words" loses text, and says so
#
# `bpelab.chunking.LOSSY` lists the names that do not re-join. `"words"` lower-cases and keeps only runs of
# letters, digits and underscores. (The other names do what certain libraries do; chapter 05 uses them.)

# %%
print(bpelab.chunking.LOSSY)
print(bpelab.chunk("The cat, the dog. Don't!", "words"))
print("".join(bpelab.chunk("The cat, the dog. Don't!", "words")))

# %% [markdown]
# Gone are the capital, the blanks and all punctuation; nobody can rebuild the sentence. Even lower-casing alone is
# no harmless step:

# %%
city = "İstanbul"
assert bpelab.chunk(city, "words") == [city.lower()]
for text in (city, city.lower(), city.lower().upper()):
    print(text, len(text), [f"U+{ord(character):04X}" for character in text[:2]])

# %% [markdown]
# The Turkish İ becomes two characters in lower case, an i and a combining dot, and upper-casing doesn't bring the
# first string back. In this book `"words"` is for small demonstrations only.
#
# ## The pattern of GPT-2, read aloud
#
# `"space"` leaves the comma on the word: `here,` and `here` are different chunks. Real tokenizers use a **regular
# expression**, a pattern whose matches are the chunks. Here is that of GPT-2 (2019), as OpenAI's library tiktoken
# has it today. The alternatives, separated by `|`, are tried from left to right; the first that fits wins.

# %%
alternatives = [
    r"'(?:[sdmt]|ll|ve|re)",
    r" ?\p{L}++",
    r" ?\p{N}++",
    r" ?[^\s\p{L}\p{N}]++",
    r"\s++$",
    r"\s+(?!\S)",
    r"\s",
]  # fmt: skip
assert "|".join(alternatives) == bpelab.chunking.PATTERNS["gpt2"]
print(bpelab.chunking.PATTERNS["gpt2"])

# %% [markdown]
# 1. An apostrophe and one of *s, d, m, t, ll, ve, re*: the endings of English contractions.
# 2. Perhaps one blank, then letters, as many as there are. `\p{L}` is a letter of any script: a, é, 猫 ("cat"), ね.
# 3. Perhaps one blank, then digits and other numerals (`\p{N}`), as many as there are.
# 4. Perhaps one blank, then a run of what is neither white space nor letter nor numeral: punctuation, symbols, emoji.
# 5. White space up to the end of the text.
# 6. White space that isn't followed by something visible. Before a word this is all of the run but its last character.
# 7. One character of white space: what is left of the run.
#
# A `++` is a `+` that never gives characters back. It saves time; it cuts in the same places.
#
# `\p{L}` isn't known to Python's own `re`. bpelab uses the package `regex`, where it is.

# %%
try:
    re.compile(r"\p{L}+")
except re.error as error:
    print("re:", error)
print("regex:", regex.findall(r"\p{L}+", "a cat, 猫"))
plain = "|".join(alternatives).replace("++", "+")
assert all(bpelab.chunk(text, plain) == bpelab.chunk(text, "gpt2") for text in texts.values())

# %% [markdown]
# Which alternative cuts what? A group around each one tells.

# %%
grouped = regex.compile("|".join(f"({alternative})" for alternative in alternatives))
rows = []
for match in grouped.finditer("It's 12 cats,\n  isn't\tit?\n"):
    number = match.lastindex
    alternative = alternatives[number - 1].replace(" ", "␣")
    rows.append({"chunk": label(match.group()), "number": number, "alternative": alternative})
bpelab.show.table(rows)

# %% [markdown]
# Before `isn't` stand a newline and two blanks. Alternative 6 takes the newline and the first blank and leaves the
# last one to ` isn`. So a blank belongs to the next word in indented code too.
#
# ## What the patterns do to prose, code, digits and contractions
#
# Two newer patterns are `"cl100k"` (GPT-3.5 and GPT-4) and `"o200k"` (GPT-4o). A small function puts them side by
# side; `|` marks the cuts.


# %%
patterns = ("gpt2", "cl100k", "o200k")


def cut(text, chunking):
    return "|".join(map(label, bpelab.chunk(text, chunking)))


print(cut("low, lower", "gpt2"))


# %%
def cuts(text):
    rows = []
    for name in ("space", *patterns):
        count = len(bpelab.chunk(text, name))
        rows.append({"chunking": name, "chunks": count, "cut": cut(text, name)})
    return bpelab.show.table(rows)


cuts("The cats are here, aren't they?")

# %% [markdown]
# On prose they nearly agree: words with their blank, apart from punctuation. Only o200k keeps `aren't` whole.

# %%
cuts("def f(x_1):\n    return getUserName(x_1)\n")

# %% [markdown]
# Three differences. GPT-2 lets only a blank stand before letters; cl100k and o200k allow *one* character that is no
# letter, numeral or line end, so that `(x` is one chunk. They also let punctuation take the line end after it, as in
# `):\n`. And only o200k looks at capitals: `getUserName` falls into three.

# %%
digits = ("12345", "2024年12月")
bpelab.show.table([{name: cut(text, name) for name in patterns} for text in digits])

# %% [markdown]
# (2024年12月 is "December 2024".) GPT-2 takes a number whole. The newer patterns cut after every third digit **from
# the left**: `123|45`, although we group 12,345 from the right, and `202|4`. The year falls apart before training
# has begun.

# %%
contracted = ("It's", "IT'S", "It’s", "İstanbul'da")
bpelab.show.table([{name: cut(text, name) for name in patterns} for text in contracted])

# %% [markdown]
# GPT-2 knows the ending `'s` only in small letters and with the straight apostrophe: IT'S becomes three chunks, and
# so does It’s. cl100k and o200k ignore case. The last line is Turkish for "in Istanbul": its apostrophe is no
# English contraction, but all three patterns see `'d` and leave an `a` alone.
#
# ## Japanese, and two ways to write が
#
# Japanese puts no blanks between words.

# %%
cuts("猫が東京で本を読みます。だから、静かです。")

# %% [markdown]
# (It means "The cat reads a book in Tokyo. So it is quiet.") Under `"space"` it is one chunk. The patterns cut at
# `。` and `、`, the Japanese full stop and comma, which are no letters; all between is one run of letters. And
# cl100k's "one character before letters" now takes the mark of the phrase *before*: `。だから`, `、静かです`. So 静かです with
# and without a comma are two chunks, as ` low` and `low` are.
#
# Many kana have a second spelling. が (*ga*) is one character, or か (*ka*) followed by a combining voicing mark. Both
# look alike. Unicode calls the composed form **NFC** and the decomposed one **NFD**.

# %%
composed = "ガギグゲゴは濁音"
decomposed = unicodedata.normalize("NFD", composed)
print(len(composed), len(decomposed), composed == decomposed)
print(label(decomposed[1]), unicodedata.name(decomposed[1]), unicodedata.category(decomposed[1]))
rows = []
for form, text in (("NFC", composed), ("NFD", decomposed)):
    rows.append({"form": form, **{name: len(bpelab.chunk(text, name)) for name in patterns}})
bpelab.show.table(rows)

# %%
cuts(decomposed)

# %% [markdown]
# ("Ga, gi, gu, ge, go are voiced sounds.") Composed, the text is one chunk for all. Decomposed, it is 11 for GPT-2
# and 6 for cl100k: the voicing mark has the category Mn, a mark and not a letter, so `\p{L}` ends before it. GPT-2
# makes each mark a chunk; cl100k gives it, as the "one character before letters", to the *following* kana, where it
# doesn't belong. o200k counts marks (`\p{M}`) among the letters. Chapter 04 says how to normalize such text first.
#
# ## How long is a chunk?
#
# Now all sentences, as one long string.

# %%
whole = {name: bpelab.chunk(text, "space") for name, text in texts.items()}
rows = [(name, len(chunks), max(map(len, chunks))) for name, chunks in whole.items()]
bpelab.show.table([{"text": name, "chunks": n, "longest": most} for name, n, most in rows])

# %% [markdown]
# 480 Japanese sentences in 11 chunks, the longest of 9,241 characters? It is right. `"space"` cuts at blanks and
# nowhere else, not even at the end of a line. It shows in English too:

# %%
across = [chunk for chunk in whole["en"] if "\n" in chunk[:-1]]
print(len(across), across[:3])

# %% [markdown]
# A merge could learn `tsunami.\nThe`. So give bpelab **documents**, an iterable of strings, here one for each line.
# No chunk, and so no merge, crosses from one into the next. From here on we use `sentences`.


# %%
def length(found):
    return sum(map(len, found)) / len(found), max(map(len, found))


# %%
rows = []
for chunking in (*lossless, "words"):
    row_of = {"chunking": chunking}
    for name, documents in sentences.items():
        found = pieces(documents, partial(bpelab.chunk, chunking=chunking))
        row_of[f"{name}: chunks"] = len(found)
        row_of[f"{name}: mean"], row_of[f"{name}: longest"] = length(found)
    rows.append(row_of)
bpelab.show.table(rows)

# %% [markdown]
# (A document is one line here, so `"lines"` and `"whole"` are the same.) All others give English chunks of 4 to 6
# characters on average. In Japanese `"space"` gives 490 chunks for 480 sentences: nearly every sentence is one
# chunk, 37 characters on average, 117 at most. And `"words"` finds 13 characters to a "word", because `\w+` runs on
# to the next punctuation mark. That is why 126 of 127 were new.
#
# GPT-2's mean is 4.6 and 5.2, almost the same. It deceives. Commas, full stops and line ends are chunks of one character and pull the mean down. Ask instead: how long is the chunk that an average *character* stands in?

# %%
rows = []
for chunking in ("space", "gpt2", "cl100k", "o200k"):
    row_of = {"chunking": chunking}
    for name, documents in sentences.items():
        lengths = [len(p) for p in pieces(documents, partial(bpelab.chunk, chunking=chunking))]
        row_of[name] = sum(n * n for n in lengths) / sum(lengths)
    rows.append(row_of)
bpelab.show.table(rows)

# %% [markdown]
# About 6 characters in English. In Japanese 13 to 14 with the patterns, 42 under `"space"`. The longest one of GPT-2:

# %%
print(max(bpelab.count_chunks(sentences["ja"], "gpt2"), key=len))

# %% [markdown]
# (From a law sentence: "as for agricultural vehicles traveling at less than … kilometers and vehicles that the mayor
# specially designates". Many words, and no cut.)
#
# ## Merges can span a phrase
#
# A merge never crosses the border of a chunk. So the chunking decides how long a token *can* become. The longest
# tokens of four trainings, 1,000 merges each:

# %%
rows = []
for name, chunking in (("en", "gpt2"), ("en", "lines"), ("ja", "gpt2"), ("ja", "space")):
    tok = bpelab.train(sentences[name], 1000, chunking=chunking)
    longest = sorted((token.decode() for token in tok.vocab), key=len, reverse=True)[:4]
    total = sum(map(len, tok.encode_batch(sentences[name])))
    shown = " · ".join(map(label, longest))
    rows.append({"text": name, "chunking": chunking, "longest tokens": shown, "tokens": total})
bpelab.show.table(rows)

# %% [markdown]
# English in GPT-2's chunks gives single words. English without borders inside a line gives pieces of phrases
# (`␣the␣station`) and cuts through words (`etween␣the␣two␣`). Japanese has hardly any borders to begin with:
# `ありがとうございました` is a whole "thank you very much", `いただけますでしょうか` a polite "could you please". Under `"space"` the full
# stop and the line end are glued on as well.
#
# Does that make the text shorter? Japanese yes; English no (15,096 tokens with the phrases, 15,017 without).
# Whether phrases recur in another text is for chapter 07.
#
# ## Your own pattern, your own function
#
# `chunking` may be any regular expression that covers the text, or any function from a string to a list of strings.
# A pattern first: cut Japanese after `。` and `、`.

# %%
after_marks = r"[^。、]*[。、]|[^。、]+"
milk = "コンビニ行くなら、ついでに牛乳買ってきてくれない？"
print(bpelab.chunk(milk, after_marks))

# %% [markdown]
# ("If you're going to the convenience store anyway, could you grab some milk?") The mark ends its own phrase now.
# The next pattern cuts where the script changes: kanji (Han), katakana, hiragana, and everything else.

# %%
scripts = r"\p{Han}+|[\p{Katakana}ー]+|\p{Hiragana}+|[^\p{Han}\p{Katakana}\p{Hiragana}ー]+"
print(bpelab.chunk(milk, scripts))

# %% [markdown]
# コンビニ (convenience store) is found. But 牛乳 (milk) is glued to 買, the stem of *buy*, whose ending って begins the next
# chunk. A change of script hints at a word, no more.
#
# A function can cut twice: by cl100k, then by script.


# %%
def finer(text):
    return [part for piece in bpelab.chunk(text, "cl100k") for part in bpelab.chunk(piece, scripts)]


print(bpelab.chunk("version 3.2を使う", finer))

# %%
ways = {"cl100k": "cl100k", "after marks": after_marks, "scripts": scripts, "finer": finer}
rows = []
for name, way in ways.items():
    found = pieces(sentences["ja"], partial(bpelab.chunk, chunking=way))
    mean, longest = length(found)
    rows.append({"chunking": name, "chunks": len(found), "mean": mean, "longest": longest})
bpelab.show.table(rows)

# %% [markdown]
# (The example says "use version 3.2".) Any callable works; later the book uses a morphological analyser, a program
# that knows Japanese words.
#
# Three mistakes, and what bpelab says. A pattern that doesn't cover the text:

# %%
print("re.findall:", re.findall(r"\w+|\s+", "low, lower"))
try:
    bpelab.chunk("low, lower", r"\w+|\s+")
except ValueError as error:
    print(error)
print(bpelab.chunk("low, lower", r"\w+|\s+|(?s:.)"))

# %% [markdown]
# `findall` drops the comma without a word. In bpelab that is an error; the added alternative takes any single
# character. Next, a function that loses something:

# %%
try:
    bpelab.chunk("low lower", lambda text: text.split())
except ValueError as error:
    print(error)

# %% [markdown]
# `split` drops the blanks. And a misspelt name. As a regular expression it would be valid, so bpelab refuses a bare
# word that is no name:

# %%
try:
    bpelab.chunk("low lower", "gtp2")
except ValueError as error:
    print(error)

# %% [markdown]
# ## Text becomes a table
#
# Training never asks where a chunk stands, only how often it occurs. `count_chunks` makes a table of distinct chunks
# and counts, in the order first seen.

# %%
bpelab.show.source(bpelab.count_chunks)

# %% [markdown]
# The last two lines before the `return` say what it does: split each document, and count. For the three published
# patterns a compiled scanner finds the same chunks faster; chapter 06 shows that it does.

# %%
counts = {name: bpelab.count_chunks(documents, "gpt2") for name, documents in sentences.items()}
print(list(counts["en"].items())[:5])
print(list(counts["ja"].items())[:5])

# %% [markdown]
# (The Japanese begins "3 / month / 5 / day, before dawn / comma", that is, early on March 5.) The ten commonest
# chunks of each text:

# %%
top = {name: Counter(table).most_common(10) for name, table in counts.items()}
rows = []
for (english, n), (japanese, m) in zip(top["en"], top["ja"], strict=True):
    rows.append({"en": label(english), "en count": n, "ja": label(japanese), "ja count": m})
bpelab.show.table(rows)

# %%
rows = []
for name, table in counts.items():
    chunks, in_ten = sum(table.values()), sum(n for _, n in top[name])
    characters, held = len(texts[name]), sum(len(chunk) * n for chunk, n in top[name])
    chunk_share, character_share = f"{in_ten / chunks:.1%}", f"{held / characters:.1%}"
    rows.append({"top ten of": name, "of chunks": chunk_share, "of characters": character_share})
bpelab.show.table(rows)

# %% [markdown]
# In English the top ten are a full stop, a comma, the line end and seven little words with their blank: 29.2% of the
# chunks and 14.5% of the characters. In Japanese there is no word among them, only marks and digits. They are half
# of the chunks (50.5%) but 9.7% of the characters; the words are inside the long chunks.
#
# So how much smaller is the table than the text?

# %%
rows = []
for name, documents in sentences.items():
    shuffled = Random(0).sample(documents, len(documents))
    for size in (60, 120, 240, 480):
        table = bpelab.count_chunks(shuffled[:size], "gpt2")
        characters, kept = sum(map(len, shuffled[:size])), sum(map(len, table))
        sizes = {"sentences": size, "chunks": sum(table.values()), "distinct": len(table)}
        sizes |= {"characters": characters, "in the table": kept}
        rows.append({"text": name, **sizes, "share": f"{kept / characters:.0%}"})
bpelab.show.table(rows)

# %% [markdown]
# Of 60 English sentences the table keeps 64% of the characters, of 480 it keeps 43%: the longer the text, the more
# it repeats. In Japanese the share hardly moves, from 90% to 88%. Long chunks seldom come twice.
#
# This is one reason why training is fast, on English above all: a trainer counts the pairs inside each distinct
# chunk once and multiplies by the chunk's count. The merges are the same:

# %%
for name, documents in sentences.items():
    from_text = bpelab.train(documents, 500, chunking="gpt2")
    from_table = bpelab.train(counts[name], 500, chunking="gpt2")
    assert from_text.merges == from_table.merges
    print(name, len(from_text.merges), "merges, the same from the text and from the table")

# %% [markdown]
# ## What was simplified
#
# - The sample is small; shares of unseen words and sizes of tables depend on the amount of text.
# - The patterns are those of three OpenAI vocabularies. Other models have their own, and SentencePiece needs none
#   (chapter 09).
# - A "character" here is one Unicode code point. The family emoji in our list is several.
#
# ## Questions
#
# 1. You train with `"space"` on one string of 480 lines. Which tokens do you risk?
#
# <details><summary>Answer</summary>Tokens across the end of a line, out of chunks such as <code>tsunami.\nThe</code>. Hand over documents, or use a pattern that cuts there.</details>
#
# 2. Into how many chunks does GPT-2's pattern cut `DON'T`, and why?
#
# <details><summary>Answer</summary>Three: <code>DON</code>, <code>'</code>, <code>T</code>. Its first alternative knows only small letters, as with IT'S.</details>
#
# 3. GPT-2's mean chunk is 4.6 characters in English and 5.2 in Japanese. Why is "about the same" wrong?
#
# <details><summary>Answer</summary>One-character marks hide the long phrases. The chunk around an average character is more than twice as long in Japanese.</details>
#
# 4. Two files look the same, but GPT-2's pattern makes 11 chunks of one and a single chunk of the other. What is
#    different?
#
# <details><summary>Answer</summary>One is decomposed (NFD). Its voicing marks are no letters, so each run of letters ends there.</details>
#
# 5. Why does counting chunks first help less in Japanese?
#
# <details><summary>Answer</summary>Hardly any long chunk occurs twice: the table keeps 88% of the characters of the text.</details>
#
# ## Words of this chapter
#
# - **Vocabulary**: the numbered list of pieces that a tokenizer knows.
# - **Subword**: a piece between a character and a word, learned from text.
# - **Merge**: the joining of two neighbouring pieces into one.
# - **Chunk**: a piece of text that no merge leaves. **Chunking** (pre-tokenization) cuts text into chunks.
# - **Lossless**: the chunks join back to the text. **Lossy**: they don't.
# - **Document**: a text that stands alone; no chunk crosses into the next.
# - **NFC, NFD**: the composed and the decomposed way to write a character such as が.
#
# ## Sources
#
# - R. Sennrich, B. Haddow, A. Birch, *Neural Machine Translation of Rare Words with Subword Units*, 2016,
#   arXiv:1508.07909.
# - A. Radford and others, *Language Models are Unsupervised Multitask Learners*, 2019 (the GPT-2 report).
# - tiktoken, `tiktoken_ext/openai_public.py`: the three patterns.
# - Unicode Standard Annexes 15 (*Unicode Normalization Forms*) and 24 (*Unicode Script Property*).
# - The documentation of the Python package `regex`.
