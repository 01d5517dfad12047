# %% [markdown]
# # 03 Encoding
#
# Training left us with a list of merges; here we use it. After this chapter you can turn text into ids by hand, turn
# ids back into text, say when the way back fails, and explain why a tokenizer can't be edited once a model has been
# trained with it. About 30 minutes.
#
# The *id* of a token is its number in the vocabulary. To *encode* is to go from text to ids, to *decode* is to go
# back.

# %%
import random
import tempfile
from itertools import pairwise, product
from pathlib import Path

from IPython.display import display

import bpelab
from bpelab.show import label

# %% [markdown]
# ## Encoding replays the merges in the order they were learned
#
# The small corpus of chapter 02, trained until no pair is left:

# %%
tok = bpelab.train("low low low lower lower newest")
bpelab.show.table(tok.merge_table())

# %% [markdown]
# The encoder needs only the pairs of these 11 lines, not the counts. It cuts a text into chunks (chapter 01), cuts
# each chunk into characters, and walks down the list. For each merge it joins every place where the pair stands, from
# left to right. That is the whole of it:

# %%
bpelab.show.source(bpelab.reference.encode)

# %% [markdown]
# One chunk, watched. The package keeps tokens as bytes, so we turn the merges into text first. A line is printed when
# a merge changed something.

# %%
merges = [(merge.left.decode(), merge.right.decode()) for merge in tok.merges]
symbols = list(" lower")
print("start", symbols)
for step, pair in enumerate(merges, 1):
    before, symbols = symbols, bpelab.reference.apply_merge(symbols, pair)
    if symbols != before:
        print(f"{step:5} {symbols}")

# %% [markdown]
# Five merges fit, the other six find nothing. The same walk for three texts, every step:

# %%
rows = []
for n in range(len(merges) + 1):
    row = {"step": n, "merge": " + ".join(map(label, merges[n - 1])) if n else "(characters)"}
    for text in ("lower", "low lower", "newest lowest"):
        row[text] = "|".join(map(label, tok.truncate(n).tokens(text)))
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# `tok.truncate(n)` is the tokenizer with the first n merges only. Three things to see in the table:
#
# - "low lower" is two tokens after step 5. The merges from step 6 on build `␣newest` and don't touch it.
# - "lowest" isn't in the corpus and is still encoded, from parts: `␣lowe` was learned on the way to `␣lower`, and the
#   rest stays letters.
# - A word at the start of a text is treated differently. "lower" alone ends as three tokens, and "newest" stays six
#   letters, although steps 6 to 11 were learned from that very word. The next section says why.
#
# Last, each token is replaced by its id. Id 0 is `<unk>`, then come the characters, sorted, then the merges in
# learned order.

# %%
print([label(token) for token in tok.vocab])
for text in ("low lower", "newest lowest", "box lower"):
    print(tok.tokens(text), tok.encode(text), repr(tok.decode(tok.encode(text))))

# %% [markdown]
# ("b" and "x" are no characters of the corpus; we come back to them.) With 8 merges instead of 11 the three texts
# give the same ids, since none of them uses the last three merges:

# %%
eight = bpelab.train("low low low lower lower newest", 8)
for text in ("low lower", "newest lowest", "box lower"):
    assert eight.encode(text) == tok.encode(text)
    print(eight.encode(text))
print(eight.tokens(" newest"), tok.tokens(" newest"))

# %% [markdown]
# `␣newest` does use them: four tokens with 8 merges, one with 11.
#
# ## A word at the start of a text is another chunk
#
# A blank belongs to the word after it. So the word is the chunk `␣newest` in the middle of a text, and `newest` at
# the very start. In colour, with the id below each token:

# %%
for text in ("newest", " newest", "low newest", "newest low"):
    display(bpelab.show.tokens(tok, text))

# %% [markdown]
# The corpus holds this word once, after a blank. There the blank was merged with the `n` first (step 6), and each
# later merge builds on that one. A merge that starts from `n` alone was never learned:

# %%
print([pair for pair in merges if pair[0].startswith("n")])
print([pair for pair in merges if pair[0].startswith((" n", "l"))])

# %% [markdown]
# The word "low" was luckier: `l` + `o` and `lo` + `w` were learned before the blank joined, so `low` and `␣low` are
# both tokens. Some tokenizers put a blank before every text, so that the first word looks like the others.
#
# ## The order is the product
#
# Is it enough to know which tokens exist? Take two lists of three merges. The second is the first with its first two
# lines swapped.

# %%
first = bpelab.Tokenizer([("e", "s"), ("s", "t"), ("es", "t")])
second = bpelab.Tokenizer([("s", "t"), ("e", "s"), ("es", "t")])
print("same set of tokens:", set(first.vocab) == set(second.vocab))
print(first.tokens("est"), second.tokens("est"))

# %% [markdown]
# Same vocabulary, different tokens. In the second list `s` + `t` comes first and takes the `s` away; when `e` + `s`
# has its turn, there is nothing left to join. And so it is in every text. We try all texts of up to seven letters,
# each an `e`, `s` or `t`:

# %%
texts = ["".join(letters) for n in range(1, 8) for letters in product("est", repeat=n)]
for name, tokenizer in (("first", first), ("second", second)):
    used = sum("est" in tokenizer.tokens(text) for text in texts)
    print(f"{name}: {used} of {len(texts)} texts have the token est")

# %% [markdown]
# In the second list the token has an id, and no text leads to it. So a set of tokens is not a tokenizer: it doesn't
# say in which order to build them. "Always take the longest token that fits" needs no order, but it is another
# algorithm (chapter 09):


# %%
def longest_match(text, vocab):
    if not text:
        return []
    end = max(n for n in range(1, len(text) + 1) if text[:n].encode() in vocab)
    return [text[:end], *longest_match(text[end:], vocab)]


print(longest_match("est", second.vocab), second.tokens("est"))
print(longest_match("newest lowest", tok.vocab), tok.tokens("newest lowest"))

# %% [markdown]
# They disagree on "est" and agree on the other text.
#
# ## Lowest rank first gives the same
#
# Real encoders seldom walk down the whole list. They look at the pairs that stand in the chunk, and merge the one
# that was learned earliest; its place in the list is called its *rank*. Then they look again, until no pair of the
# chunk is in the list.


# %%
def lowest_rank_first(symbols, ranks):
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        symbols = bpelab.reference.apply_merge(symbols, min(known, key=ranks.get))
    return symbols


ranks = {pair: rank for rank, pair in enumerate(merges)}
print(lowest_rank_first(list(" lowest"), ranks), bpelab.reference.encode(list(" lowest"), merges))

# %% [markdown]
# Both ways on 500 random words over the letters of the corpus:

# %%
draw = random.Random(3)
words = ["".join(draw.choices(tok.characters, k=draw.randint(1, 20))) for _ in range(500)]
for word in words:
    assert lowest_rank_first(list(word), ranks) == bpelab.reference.encode(list(word), merges)
print("same for", len(words), "words, the first of them", words[:3])

# %% [markdown]
# Why: a join makes one new symbol, so all new pairs contain that symbol, and merges that use it stand further down
# the list. So lowest-rank-first never goes back up. It makes the same joins in the same order as the walk, without
# the lines that find nothing.
#
# The argument needs a list in which each merge uses only what stands above it, and no token is made twice. Trained
# lists are like that, and `bpelab.Tokenizer` refuses any other:

# %%
try:
    bpelab.Tokenizer([("a", "b"), ("abc", "d"), ("ab", "c")], characters="abcd")
except ValueError as error:
    print(error)

# %% [markdown]
# Lists edited by hand can break the rule. Chapter 05 shows some for which the two ways, and libraries that use them,
# give different tokens.
#
# ## Decoding joins the tokens, and the text comes back
#
# To decode, look up each id and join what you find. Chunks join back to their text, and a merge only removes a border
# between symbols. So the text returns exactly, if all its characters are known:

# %%
texts = ["".join(draw.choices(tok.characters, k=draw.randint(0, 30))) for _ in range(1000)]
for text in texts:
    assert tok.decode(tok.encode(text)) == text
doubled = sum("  " in text for text in texts)
print(len(texts), "texts came back,", doubled, "of them with two blanks in a row")

# %% [markdown]
# The other direction has no such guarantee.  Many lists of ids spell the same text, and encoding gives one of them:

# %%
ids = [3, 5, 9]
print(repr(tok.decode(ids)), "→", tok.encode(tok.decode(ids)))

# %% [markdown]
# With `base="byte"` the smallest units are the 256 values of a byte instead of characters, and any text can be
# spelled with them (chapter 04). 猫 is "cat" in Japanese.

# %%
by_bytes = bpelab.train("low low low lower lower newest", base="byte")
rows = []
for text in ("low lower", "two\nlines\r\n", "  two blanks\tand a tab ", "猫", "🐈 lower", ""):
    ids = by_bytes.encode(text)
    assert by_bytes.decode(ids) == text
    rows.append({"text": label(text), "characters": len(text), "tokens": len(ids), "came back": "yes"})
bpelab.show.table(rows)

# %% [markdown]
# All come back: line ends, a tab, an emoji, the empty text (drawn as ∅). The price: the one character 猫 takes three
# tokens.
#
# ## Unknown characters become `<unk>`
#
# Back to characters as the base.

# %%
print(tok.tokens("box lower"), tok.encode("box lower"), tok.decode(tok.encode("box lower")))
bpelab.show.tokens(tok, "box lower")

# %% [markdown]
# `b` and `x` get id 0, `<unk>` for "unknown". `tokens()` still shows the letters, since it has the text before it.
# The ids don't hold them any more: `decode` writes U+FFFD (�), Unicode's replacement character. To a model "box" and
# "fog" are now the same:

# %%
print(tok.encode("box"), tok.encode("fog"))

# %% [markdown]
# Where a silent � is not good enough, `errors="strict"` asks for an error. An id that isn't in the vocabulary is an
# error anyway:

# %%
size = tok.vocab_size
for ids, options in (([0, 5, 0, 14], {"errors": "strict"}), ([14, -1], {}), ([14, size], {})):
    try:
        tok.decode(ids, **options)
    except ValueError as error:
        print(f"{ids} {options}\n    {error}")

# %% [markdown]
# An id equal to the vocabulary size is one too many, since counting starts at 0. In plain Python `vocab[-1]` is no
# error but the last token. To read such ids anyway, `unknown="replace"`:

# %%
print(tok.decode([14, -1, size, 14], unknown="replace"))
print(repr(tok.vocab[-1].decode()), "is what plain indexing makes of -1")

# %% [markdown]
# `<unk>` is the name of an id and not a spelling. A text that holds these five characters is ordinary text. Here only
# the `n` is known:

# %%
print(tok.encode("<unk>"), tok.decode(tok.encode("<unk>")))
spelled = bpelab.train("<unk> <unk>")
print(spelled.encode("<unk>"), spelled.decode(spelled.encode("<unk>")))

# %% [markdown]
# The second tokenizer was trained on them, and learned them like any other word, with an id of its own.
#
# ## Asking the vocabulary, and encoding many texts
#
# `vocab` is a list of bytes, and the index is the id. Two methods look up one entry, in either direction:

# %%
print(tok.token_to_id(" lower"), tok.id_to_token(14), tok.vocab[14])
for wrong in (lambda: tok.token_to_id("lowest"), lambda: tok.id_to_token(21)):
    try:
        wrong()
    except ValueError as error:
        print(error)

# %% [markdown]
# `encode_batch` gives one list of ids for each text. A single string would be read letter by letter, so it is
# refused:

# %%
print(tok.encode_batch(["low", "low lower", ""]))
try:
    tok.encode_batch("low lower")
except TypeError as error:
    print(error)

# %% [markdown]
# ## What a file must hold
#
# To encode on another machine we need the base characters, the merges in order, and the way of cutting into chunks.
# Here is the file of our tokenizer, in a temporary folder:

# %%
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "model.json"
tok.save(path)
lines = path.read_text(encoding="utf-8").splitlines()
print("\n".join([*lines[:18], "..."]))

# %% [markdown]
# A merge is one line: the left id, the right id, and the count. The tokens themselves needn't be stored: the first
# merge joins ids 3 and 5, "l" and "o", and makes id 10, which the second merge uses. Counts and `lengths` aren't
# needed for encoding; they are kept for the merge table. Reading the file back:

# %%
loaded = bpelab.load(path)
print(loaded)
print(loaded == tok, loaded.encode("low lower") == tok.encode("low lower"))

# %% [markdown]
# A file can break on the way. A bad one is refused as a whole. Each message begins with the path, which we cut off
# here:

# %%
broken = {
    "cut in the middle": "\n".join(lines[:17]),
    "a merge with id 99": "\n".join(lines).replace("[3, 5, 5]", "[3, 99, 5]"),
    "the last merge lost": "\n".join([*lines[:-4], lines[-4].rstrip(","), *lines[-2:]]),
}
for name, content in broken.items():
    path.write_text(content, encoding="utf-8")
    try:
        bpelab.load(path)
    except ValueError as error:
        print(name, "→", str(error).split(": ", 1)[1])
folder.cleanup()

# %% [markdown]
# The third file is proper JSON with proper merges. The loss shows because other fields say how many there should be.
#
# ## Real text
#
# Now real sentences: 480 in English and the same 480 in Japanese, written for this book in twelve registers (chapter
# 01). Every tenth pair is kept for testing. Change the first line to train the second tokenizer on your own file; it
# is still tested on our Japanese sentences.

# %%
japanese = bpelab.corpora.text("parallel", "ja", "train")  # or: bpelab.corpora.read("my.txt")
english = bpelab.corpora.text("parallel", "en", "train")
tests = {
    "English": bpelab.corpora.text("parallel", "en", "test"),
    "Japanese": bpelab.corpora.text("parallel", "ja", "test"),
}
for text in tests.values():
    print(text.splitlines()[1])

# %% [markdown]
# The two lines say the same. We train 2,000 merges on each language, with the chunk pattern of GPT-2 (chapter 01),
# which makes a line end or a full stop a chunk of its own. No test sentence is among the training sentences.

# %%
toks = {
    "English": bpelab.train(english, 2000, chunking="gpt2"),
    "Japanese": bpelab.train(japanese, 2000, chunking="gpt2"),
}
for lang, tokenizer in toks.items():
    print(f"{lang}: {len(tokenizer.characters):,} characters, {tokenizer.vocab_size:,} ids")

# %%
for lang, tokenizer in toks.items():
    display(bpelab.show.tokens(tokenizer, tests[lang].splitlines()[1]))

# %% [markdown]
# The Japanese vocabulary is larger because its base is: 1,316 characters against 87. Three tokens of the Japanese
# sentence have id 0; more on them at the end.
#
# The start of a text matters here too. How often do four forms of one word occur as chunks of the training text, and
# how are they encoded?

# %%
counts = bpelab.count_chunks(english, "gpt2")
for text in ("the", " the", "The", " The"):
    print(repr(text), counts.get(text, 0), toks["English"].tokens(text))

# %% [markdown]
# Lines of our text often open with "The", so it became a token without a blank. "the" without a blank never occurs in
# it, and takes two tokens.
#
# Now the round trip, on the training text, where every character is known:

# %%
for tokenizer, text in ((toks["English"], english), (toks["Japanese"], japanese)):
    assert tokenizer.decode(tokenizer.encode(text)) == text
    print(f"{len(text):,} characters, {text.count(chr(10))} line ends: came back")

# %% [markdown]
# Then the two ways of encoding, and the fast encoder of the package, with the first 500 merges, on each distinct
# chunk of the test text. A join is two neighbours becoming one token:

# %%
rows = []
for lang, tokenizer in toks.items():
    small = tokenizer.truncate(min(500, len(tokenizer.merges)))
    pairs = [(merge.left.decode(), merge.right.decode()) for merge in small.merges]
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    chunks = list(bpelab.count_chunks(tests[lang], "gpt2"))
    joins = 0
    for chunk in chunks:
        pieces = bpelab.reference.encode(list(chunk), pairs)
        assert pieces == lowest_rank_first(list(chunk), ranks) == small.tokens(chunk)
        joins += len(chunk) - len(pieces)
    rows.append({"text": lang, "chunks": len(chunks), "joins per chunk": joins / len(chunks)})
bpelab.show.table(rows)

# %% [markdown]
# All three agree on every chunk. The walk reads each chunk 500 times, once for every merge, to make these few joins.
# Lowest-rank-first looks only as often as it finds something, and once more.
#
# ## Fewer merges: the smaller vocabulary is the start of the larger one
#
# Merges are learned one after the other, so the first 500 of 2,000 are the 500 that a shorter training would have
# found. One training gives every smaller tokenizer:

# %%
large = toks["English"]
small = large.truncate(500)
assert small == bpelab.train(english, 500, chunking="gpt2")
assert small.vocab == large.vocab[: small.vocab_size]
print(f"all {small.vocab_size:,} tokens of the small one are the first of {large.vocab_size:,}")

# %% [markdown]
# How many tokens does the test text take with more and more merges?

# %%
rows = []
for n in (0, 100, 200, 500, 1000, 2000):
    row = {"merges": n}
    for lang, tokenizer in toks.items():
        if n <= len(tokenizer.merges):
            count = len(tokenizer.truncate(n).encode(tests[lang]))
            row |= {f"{lang} tokens": count, f"{lang} characters per token": len(tests[lang]) / count}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# More merges, fewer tokens, in both languages. The first 100 merges save more tokens than the next 1,900, in both.
# With 2,000 merges an English token holds 3.017 characters on average, a Japanese one 1.362. But the content is the
# same, and Japanese needs fewer characters for it to begin with: 1,889 against 4,550, in the first row. Chapter 08
# compares the two properly.
#
# The count can never rise, on any text. Encoding with n + 1 merges is encoding with n merges and one more pass over
# the result, and a pass only joins. Checked at every twentieth size:

# %%
for lang, tokenizer in toks.items():
    counts = [len(tokenizer.truncate(n).encode(tests[lang])) for n in range(0, len(tokenizer.merges) + 1, 20)]
    assert all(more <= fewer for fewer, more in pairwise(counts))
    print(lang, "never rises over", len(counts), "sizes")

# %% [markdown]
# Fewer tokens is not the same as a better model; chapter 07 has more on that.
#
# ## A tokenizer belongs to its model
#
# A language model sees ids and nothing else. If the tokenizer changes after the model was trained, even by one line,
# some ids stand for other tokens. We count them:


# %%
def renamed(old, new, ids):
    """How many of these ids stand for another token, or for none, in the new vocabulary."""
    before, after = old.vocab, dict(enumerate(new.vocab))
    return sum(after.get(number) != before[number] for number in ids)


# %% [markdown]
# A light change first. Numbers 8 and 9 of the English merges change places:

# %%
merges = large.merges
for merge in merges[7:9]:
    print(label(merge.left), "+", label(merge.right), merge.count)
merges[7], merges[8] = merges[8], merges[7]
swapped = bpelab.Tokenizer(merges, characters=large.characters, chunking="gpt2")
ids = large.encode(tests["English"])
print("ids that are renamed:", renamed(large, swapped, range(large.vocab_size)), "of", large.vocab_size)
print("ids of the test text that meet them:", renamed(large, swapped, ids), "of", len(ids))

# %% [markdown]
# Two entries of the table and 12 ids of the text look harmless. But the order decides more than ids. Which tokens no
# longer come out when we encode their own text?

# %%
for tokenizer in (large, swapped):
    spelled = [token.decode() for token in tokenizer.vocab[1:]]
    lost = [text for text in spelled if tokenizer.tokens(text) != [text]]
    print(len(lost), lost)
for text in (" were", " interest"):
    print("|".join(map(label, large.tokens(text))), "→", "|".join(map(label, swapped.tokens(text))))

# %% [markdown]
# In the trained list none; after the swap seven, `␣were` and `␣interest` among them. They are built on `r` + `e`
# inside `ere`, and now `e` + `r` is joined first. It is the `est` of the mini example, in a real list.
#
# A heavier change: drop the tenth merge. Others are built on it, and they have to go too.


# %%
def without(tokenizer, dropped):
    """The tokenizer less one merge (by its index) and all merges that need it."""
    made, kept = {character.encode() for character in tokenizer.characters}, []
    for index, merge in enumerate(tokenizer.merges):
        if index != dropped and merge.left in made and merge.right in made:
            kept.append(merge)
            made.add(merge.left + merge.right)
    return bpelab.Tokenizer(kept, characters=tokenizer.characters, chunking=tokenizer.chunking)


edited = {lang: without(tokenizer, 9) for lang, tokenizer in toks.items()}

# %%
rows = []
for lang, old in toks.items():
    new, ids = edited[lang], old.encode(tests[lang])
    row = {"text": lang, "dropped": label(old.merges[9].left + old.merges[9].right)}
    row["merges gone"] = len(old.merges) - len(new.merges)
    row["ids renamed"] = f"{renamed(old, new, range(old.vocab_size)):,} of {old.vocab_size:,}"
    row["in the test text"] = f"{renamed(old, new, ids):,} of {len(ids):,}"
    row["tokens, old and new"] = f"{len(ids):,}, {len(new.encode(tests[lang])):,}"
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# (さい is the end of ください, "please".) Dropping one line costs 57 merges in English and 14 in Japanese. In both, 1,991
# ids are renamed: all but the characters, `<unk>` and the first nine merges. That hits 1,088 of the 1,508 ids of the
# English text, and 325 of 1,387 in Japanese, where more tokens are single characters. The number of tokens changes
# much less. Now read the old ids with the new table:

# %%
for lang, tokenizer in toks.items():
    ids = tokenizer.encode(tests[lang].splitlines()[1])
    print(f"largest id {max(ids):,}, new table up to {edited[lang].vocab_size - 1:,}")
    print(edited[lang].decode(ids, unknown="replace"))

# %% [markdown]
# The text was the sentence about the frog. This comes out when ids are read with the wrong tokenizer, and this is
# what a model reads when it is fed by one. Nothing warns: all these ids exist in the new table too. So save the
# tokenizer together with the model, load it from there, and leave it alone. New tokens can only go at the end
# (chapter 10).
#
# ## What is left to repair
#
# The test text holds characters that no training sentence had. As a third text we take JupyterLab's interface
# messages in Japanese. A line is *damaged* when it doesn't come back.

# %%
jupyterlab = bpelab.corpora.text("jupyterlab", "ja", "test")
named = {f"{lang} test": text for lang, text in tests.items()} | {"Japanese JupyterLab": jupyterlab}
rows = []
for name, text in named.items():
    lines, tokenizer = text.splitlines(), toks[name.split()[0]]
    unknown = sum(character not in tokenizer.characters for character in text)
    damaged = sum(tokenizer.decode(tokenizer.encode(line)) != line for line in lines)
    row = {"text": name, "unknown": unknown, "% of characters": 100 * unknown / len(text)}
    rows.append(row | {"lines": len(lines), "damaged": damaged})
bpelab.show.table(rows)

# %%
sentence = tests["Japanese"].splitlines()[1]
print(sentence)
print(toks["Japanese"].decode(toks["Japanese"].encode(sentence)))

# %% [markdown]
# In English one character in 48 sentences is unknown. In Japanese it is only 2.488 % of the characters, and still 26
# of 48 sentences are damaged. In the one above, 西 (west) and 洞窟 (cave) are gone. A larger training text would help,
# but there will always be another rare character, name or emoji.
#
# The next chapter changes the base. Every character is written with bytes, and a byte has only 256 values. With these
# as the base nothing is unknown and every text comes back. In exchange, a token can be a part of a character.
#
# ## What was simplified
#
# - `tok.encode` runs compiled code that gives the same tokens as `reference.encode`. Chapter 06 is about the speed.
# - The round trip holds for chunkings that keep every character. "words" lower-cases the text and drops punctuation,
#   so its text doesn't come back.
# - Special tokens (chapter 04) and the end-of-word marker (chapter 02) are left out; the file stores them too.
# - 432 sentences are a very small training text.
# - That a model suffers from a changed tokenizer is argued, not measured. No model is trained here.
#
# ## Questions
#
# **1.** Why does "newest low" take seven tokens and "low newest" only two?
#
# <details><summary>Answer</summary>
#
# At the start "newest" has no blank, but all merges that build it begin with the blank. So six letters stay, and
# `␣low` is the seventh token. In "low newest" both chunks are tokens.
#
# </details>
#
# **2.** Two tokenizers have the same set of tokens. What else must be equal, so that they cut every text alike?
#
# <details><summary>Answer</summary>
#
# The merges in their order, and the chunking. `est` with two lines swapped shows that the tokens are not enough.
#
# </details>
#
# **3.** Why can lowest-rank-first ignore the merges that it has passed?
#
# <details><summary>Answer</summary>
#
# A join only creates pairs that hold the new symbol, and merges that use it stand further down the list.
#
# </details>
#
# **4.** `decode(encode(text)) == text` holds. Does `encode(decode(ids)) == ids` hold?
#
# <details><summary>Answer</summary>
#
# Not always. With the mini tokenizer [3, 5, 9] spells "low", but "low" is encoded as [11].
#
# </details>
#
# **5.** Someone cuts a tokenizer down from 2,000 merges to 1,000. Do the ids that are left keep their meaning? And if
# she drops one merge from the middle?
#
# <details><summary>Answer</summary>
#
# After cutting the end, all ids below the cut are as they were; texts may take more of them. Dropping one from the
# middle gives every later token another id.
#
# </details>
#
# ## Words of this chapter
#
# - **encode, decode**: from text to ids, from ids to text.
# - **id**: the number of a token, its index in the vocabulary.
# - **rank**: the place of a merge in the list; the first merge learned has the lowest.
# - **merge list**: the pairs in the order learned; with characters and chunking it is the tokenizer.
# - **`<unk>`**: id 0 of a tokenizer based on characters; stands for any character it doesn't know.
# - **round trip**: encoding a text and decoding the ids again; it should give the same text.
#
# ## Sources
#
# - Rico Sennrich, Barry Haddow, Alexandra Birch: *Neural Machine Translation of Rare Words with Subword Units*, 2016,
#   [arXiv:1508.07909](https://arxiv.org/abs/1508.07909). Applies the learned merges to new words in order.
# - Philip Gage: *A New Algorithm for Data Compression*, The C Users Journal, 1994.
# - The Unicode Standard, on U+FFFD REPLACEMENT CHARACTER.
