# %% [markdown]
# # 03 Encoding
#
# Training left us with a list of merges; here we use it. After this chapter
# you can turn text into ids by hand and back again, say why three encoders
# give the same tokens and when they don't, and explain why a tokenizer can't
# be edited once a model has been trained with it. About 35 minutes, and 40 for
# the exercises; it builds on [chapter 02](02_training.ipynb).
#
# The *id* of a token is its number in the vocabulary. To a model an id is the
# number of a row in a table, its *embedding*: nothing else of the text gets
# in. To *encode* is to go from text to ids, to *decode* is to go back.

# %% tags=["setup"]
import json
import random
from itertools import pairwise, product

import tiktoken
import tokenizers
from IPython.display import display
from tokenizers import models

import bpelab
from bpelab import reference, ties
from bpelab.show import label

# %% [markdown]
# Two texts are used: a very small one, and for the second half the sentences
# of this book, or yours.

# %%
source = "parallel"  # or a file of yours: "my.txt"

# %% [markdown]
# ## Encoding replays the merges in the order they were learned
#
# The small corpus of [chapter 02](02_training.ipynb), trained until no pair is
# left. The blank is drawn as ␣.

# %%
tok = bpelab.train("low low low lower lower newest")
merges = [(m.left.decode(), m.right.decode()) for m in tok.merges]
print(", ".join("+".join(map(label, pair)) for pair in merges))

# %% [markdown]
# The encoder cuts a text into chunks ([chapter 01](01_chunking.ipynb)), cuts
# each chunk into characters, and walks down the list. For each merge it joins
# every place where the pair stands, from left to right. That is the whole of
# it:

# %%
bpelab.show.source(reference.encode)

# %% [markdown]
# One chunk, watched. A line is printed when a merge changed something.

# %%
symbols = list(" lower")
print("start", symbols)
for step, pair in enumerate(merges, 1):
    before, symbols = symbols, reference.apply_merge(symbols, pair)
    if symbols != before:
        print(f"{step:5} {symbols}")

# %% [markdown]
# Five merges fit, the other six find nothing.

# %% [markdown] tags=["exercise"]
# **Exercise 03.1** ★ · 3 minutes. The word *newer* isn't in the corpus. Walk
# down the printed list by hand: into which tokens is `" newer"` cut?

# %% tags=["exercise"]
#: newer = ...  # a list of str
# solution
newer = [" newe", "r"]
# end
bpelab.exercises.check("03.1", newer)

# %% [markdown] tags=["solution"]
# `␣+n`, `␣n+e`, `␣ne+w` and `␣new+e` fit, one after the other; then `r` is
# alone. There is no merge `e+r`: the corpus learned the `er` of *lower* as
# `␣low+e` and `␣lowe+r`.

# %% [markdown]
# The same walk for three texts, every step. (`tok.truncate(n)` is the tokenizer
# with the first n merges.)

# %%
rows = []
for n in range(len(merges) + 1):
    rows.append({"step": n})
    rows[-1]["merge"] = "+".join(map(label, merges[n - 1])) if n else "none"
    for text in ("lower", "low lower", "newest lowest"):
        cut = tok.truncate(n).tokens(text)
        rows[-1] |= {text: "|".join(map(label, cut))}
    rows[-1]["low lower: tokens"] = len(tok.truncate(n).encode("low lower"))
bpelab.show.table(rows)

# %% [markdown]
# "low lower" is two tokens after step 5, and the rest of the list doesn't
# touch it. "lowest" isn't in the corpus and is still encoded, from parts:
# `␣lowe` was learned on the way to `␣lower`, and the rest stays letters.
#
# Last, each token is replaced by its id. Id 0 is `<unk>`, for characters that
# training never saw; then come the characters, sorted, then the merges in
# learned order.

# %%
print([label(token) for token in tok.vocab])
texts = ("low lower", "newest lowest", "box lower")
for text in texts:
    ids = tok.encode(text)
    print(tok.tokens(text), ids, repr(tok.decode(ids)))

# %% [markdown]
# With 8 merges instead of 11 these texts give the same ids, since none of them
# uses the last three. A smaller tokenizer is the start of a larger one.

# %%
eight = bpelab.train("low low low lower lower newest", 8)
assert eight == tok.truncate(8)
for text in texts:
    assert eight.encode(text) == tok.encode(text)
    print(eight.tokens(text), eight.encode(text))
print(eight.tokens(" newest"), tok.tokens(" newest"))

# %% [markdown]
# **A quick question.** Why is "newest" at the start of a text six letters,
# though steps 6 to 11 were learned from that very word?
#
# ## A word at the start of a text is a different chunk
#
# A blank belongs to the word after it. So the word is the chunk `␣newest` in
# the middle of a text, and `newest` at the very start. Below each token stands
# its id:

# %%
for text in ("newest low", "low newest"):
    display(bpelab.show.tokens(tok, text))

# %%
bpelab.plot.tree(tok, " newest", title="Each merge builds on the blank")

# %% [markdown]
# The corpus holds this word once, after a blank. The blank was merged with the
# `n` first, and each later merge builds on that one. A merge that starts from
# `n` alone was never learned. "low" was luckier: `l`+`o` and `lo`+`w` came
# before the blank joined, so `low` and `␣low` are both tokens. Some tokenizers
# put a blank before every text, so that the first word looks like the others.
#
# ## What you ship is the order
#
# Is it enough to know which tokens exist? Two lists of three merges; the
# second is the first with its first two lines swapped.

# %%
first = bpelab.Tokenizer([("e", "s"), ("s", "t"), ("es", "t")])
second = bpelab.Tokenizer([("s", "t"), ("e", "s"), ("es", "t")])
print("same set of tokens:", set(first.vocab) == set(second.vocab))
print(first.tokens("est"), second.tokens("est"))

# %% [markdown]
# In the second list `s`+`t` takes the `s` away; when `e`+`s` has its turn,
# there is nothing left to join. So it is in every text: an `es` before a `t`
# can't exist, because that `s` and that `t` were joined first, wherever they
# stood together. On all texts of up to seven letters `e`, `s`, `t`:

# %%
short = ["".join(t) for n in range(1, 8) for t in product("est", repeat=n)]
for name, tokenizer in (("first", first), ("second", second)):
    used = sum("est" in tokenizer.tokens(text) for text in short)
    print(f"{name}: {used} of {len(short)} texts have the token est")
print("unreachable:", first.unreachable(), second.unreachable())

# %% [markdown]
# A token that has an id, and that no text leads to, is called **unreachable**.
# A model keeps a row for it and never gets to train that row;
# [chapter 10](10_failures.ipynb) finds such tokens in vocabularies that are in
# use. Training alone makes none: each token was made somewhere in the training
# text, and a text that is just this token makes it by the same steps. (Pieces
# of characters, in [chapter 04](04_bytes.ipynb), need neighbours for that.)
#
# So a set of tokens is not a tokenizer. It doesn't say in which order to build
# them. "Always take the longest token that fits" needs no order, but it is
# another algorithm ([chapter 09](09_other_tokenizers.ipynb)), with `est` whole
# here. The exercises look for that in a larger list:

# %% tags=["setup"]
sentences = bpelab.corpora.text("parallel", "en", "train")  # of this book
english = bpelab.train(sentences, 2000, chunking="gpt2")
print(english)

# %% [markdown] tags=["exercise"]
# **Exercise 03.2** ★★ · 10 minutes. *Longest match* goes through each chunk
# from left to right and takes the longest token that fits. Find a text that it
# cuts in another way than `english` does, without unknown characters.
# (`english.vocab` holds the tokens, as bytes; `english.chunks(text)` cuts.)

# %% tags=["exercise"]
#: different = ...  # a str
# solution
known = {token.decode() for token in english.vocab[1:]}  # no <unk>


def longest_match(chunk):
    if not chunk:
        return []
    fits = (n for n in range(len(chunk), 0, -1) if chunk[:n] in known)
    n = next(fits, 1)
    return [chunk[:n], *longest_match(chunk[n:])]


words = english.chunks(sentences)
different = next(w for w in words if longest_match(w) != english.tokens(w))
print(repr(different), english.tokens(different), longest_match(different))
# end
bpelab.exercises.check("03.2", different)

# %% [markdown] tags=["solution"]
# Longest match takes a long token at the start, whatever that leaves for the
# rest of the word. The merges build what is frequent, from the inside, and a
# frequent pair in the middle can take away the letter that the long token at
# the start would need. Many words differ; any of them is right.

# %% [markdown] tags=["exercise"]
# **Exercise 03.3** ★★ · 8 minutes. Seven merges: 1 `t+h`, 2 `th+e`, 3 `e+r`,
# 4 `r+e`, 5 `i+n`, 6 `o+n`, 7 `in+g`. Two neighbours change places. Name a swap
# that changes the tokens of no text, and one that `bpelab.Tokenizer` accepts but
# that cuts some text in another way. A swap is the number of its first merge.

# %% tags=["exercise"]
#: swaps = ...  # (harmless, harmful, a text that shows it)
# solution
swaps = (4, 3, "ere")
# end
bpelab.exercises.check("03.3", swaps)

# %% [markdown] tags=["solution"]
# Two merges meet only where one ends with what the other begins with. `e+r`
# and `r+e` do, in `ere` and `rer`; so do `th+e` and `e+r`, in `ther`. `r+e` and
# `i+n` share nothing; `i+n` and `o+n` share their `n`, but one `n` can't stand
# after both. Swap 1 is no answer: `th+e` needs `th` first.

# %% [markdown]
# ## Three ways to encode
#
# Real encoders seldom walk down the whole list. They look at the pairs that
# stand in the chunk and merge the one learned earliest; its place in the list
# is its *rank*. Then they look again.

# %% [markdown] tags=["exercise"]
# **Exercise 03.4** ★★ · 15 minutes. Write that encoder. `symbols` is a chunk
# as a list of characters, `ranks` a dict from (left, right) to rank. Never go
# through `ranks`, which may hold 200,000 pairs: look pairs up. The check counts
# how often.


# %% tags=["exercise"]
def my_encode(symbols, ranks):
    """my_encode(["l", "o", "w"], {("l", "o"): 0}) is ["lo", "w"]"""
    #: ...
    # solution
    symbols, never = list(symbols), float("inf")
    known = [ranks.get(pair, never) for pair in pairwise(symbols)]
    while min(known, default=never) < never:
        i = known.index(min(known))
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
        del known[i]
        for j in (i - 1, i):
            if 0 <= j < len(known):
                known[j] = ranks.get((symbols[j], symbols[j + 1]), never)
    return symbols
    # end


bpelab.exercises.check("03.4", my_encode)

# %% [markdown] tags=["solution"]
# The chapter's `by_pair` looks all pairs up again after every merge. Here their
# ranks are kept beside the tokens, and only the two pairs with the new
# token are looked up. `index` finds the leftmost of equal ranks, so `aaa`
# becomes `aa|a`.

# %% [markdown]
# That is *by pair*; below in four lines. tiktoken stores no pairs, only tokens
# and their ranks. It joins two neighbours when their text is a token, lowest
# rank first: *by text*.


# %%
def by_pair(symbols, ranks):
    """ranks: (left, right) -> place in the list"""
    while known := [p for p in pairwise(symbols) if p in ranks]:
        best = min(known, key=ranks.get)
        symbols = reference.apply_merge(symbols, best)
    return symbols


# %%
def by_text(symbols, ranks):
    """ranks: token -> place in the list"""
    while known := [p for p in pairwise(symbols) if "".join(p) in ranks]:
        best = min(known, key=lambda pair: ranks["".join(pair)])
        symbols = reference.apply_merge(symbols, best)
    return symbols


# %%
def three_ways(text, pairs):
    pair_ranks = {pair: rank for rank, pair in enumerate(pairs)}
    text_ranks = {"".join(pair): rank for rank, pair in enumerate(pairs)}
    return {
        "in order": reference.encode(list(text), pairs),
        "by pair": by_pair(list(text), pair_ranks),
        "by text": by_text(list(text), text_ranks),
    }


for way, cut in three_ways(" lowest", merges).items():
    print(way, cut)

# %% [markdown]
# The same three on many random lists. Each is trained until no pair is left,
# on few letters, where the ways have most chances to differ:

# %%
draw, seen = random.Random(5), 0
for _ in range(100):
    letters = draw.choice(["ab", "abc", "abcd"])
    words = ["".join(draw.choices(letters, k=6)) for _ in range(8)]
    trained = bpelab.train(words, tie=draw.choice(ties.TIES))
    pairs = [(m.left.decode(), m.right.decode()) for m in trained.merges]
    seen += len(pairs)
    for length in range(1, 11):
        text = "".join(draw.choices(letters, k=length))
        one, two, three = three_ways(text, pairs).values()
        assert one == two == three
print(f"100 lists, {seen:,} merges, 1,000 texts: the three agree")

# %% [markdown]
# Why *in order* is *by pair*: a join makes one new token, all new pairs contain
# it, and merges that use it stand further down the list. So by pair never goes
# back up.
#
# Why *by pair* is *by text*: take the text `s` of a token, where no token
# crosses either end of `s`. Merges only remove borders, so none crossed them
# earlier, and what happens inside depends on `s` alone, not on its
# surroundings. At each such place `s` is cut alike at every moment. The first
# merge that makes `s` finds its pair at all of them. So two neighbours whose
# text is `s` are always that pair.
#
# The first argument needs a list where a merge stands below those that it
# builds on; the second needs a list that exact training made. Lists that were
# edited or reordered can break them:

# %%
edited = {
    "xabc": [("b", "c"), ("a", "b"), ("ab", "c")],
    "abcd": [("a", "b"), ("abc", "d"), ("ab", "c")],
}


def by_huggingface(text, pairs):
    tokens = [*sorted(set(text)), *map("".join, pairs)]
    model = models.BPE({token: i for i, token in enumerate(tokens)}, pairs)
    return tokenizers.Tokenizer(model).encode(text).tokens


# %%
def tiktoken_of(tokens):
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {token.encode(): 256 + i for i, token in enumerate(tokens)}
    return tiktoken.Encoding(
        "edited", pat_str=r"(?s:.+)", mergeable_ranks=ranks, special_tokens={}
    )


def by_tiktoken(text, tokens):
    encoding = tiktoken_of(tokens)
    return [encoding.decode([i]) for i in encoding.encode_ordinary(text)]


# %%
rows = []
for text, pairs in edited.items():
    cuts = three_ways(text, pairs)
    cuts["Hugging Face"] = by_huggingface(text, pairs)
    cuts["tiktoken"] = by_tiktoken(text, map("".join, pairs))
    rows.append({"list": ", ".join(map("+".join, pairs)), "text": text})
    rows[-1] |= {name: "|".join(cut) for name, cut in cuts.items()}
bpelab.show.table(rows)

# %% [markdown]
# In the first list `b`+`c` comes before `a`+`b`, so `abc` is `a|bc`, and the
# last merge never has its turn. tiktoken sees `a` and `bc`, finds that `abc`
# is a token, and joins them. In the second list a merge stands above the one
# that it builds on; by rank, the encoder goes back up for it. Hugging Face
# encodes by pair, tiktoken by text. `bpelab.Tokenizer` refuses the second
# list. It takes the first, and won't export it to a library that would read
# it in another way:

# %%
try:
    bpelab.Tokenizer(edited["abcd"], characters="abcd")
except ValueError as error:
    print(error)
try:
    listed = bpelab.Tokenizer(edited["xabc"], base="byte", chunking="gpt2")
    listed.to_tiktoken("edited")
except ValueError as error:
    print(error)

# %% [markdown]
# A last difference. tiktoken first looks whether the whole chunk is a token.
# Hugging Face does so with `ignore_merges=True`, made for Llama 3. Such a token
# needs no merge, and is found only when it is the whole chunk. Here `abcd` is a
# token without merges:

# %%
vocab = {token: i for i, token in enumerate(["a", "b", "c", "d", "x", "abcd"])}
whole = tokenizers.Tokenizer(models.BPE(vocab, [], ignore_merges=True))
for text in ("abcd", "xabcd"):
    print(by_tiktoken(text, ["abcd"]), whole.encode(text).tokens)

# %% [markdown]
# ## Decoding joins the tokens, and the text comes back
#
# To decode, look up each id and join what you find. Chunks join back to their
# text, and a merge only removes a border. So the text returns exactly, if all
# its characters are known:

# %%
for _ in range(1000):
    text = "".join(draw.choices(tok.characters, k=draw.randint(0, 30)))
    assert tok.decode(tok.encode(text)) == text
print("1,000 random texts came back; the last was", repr(text))
print(repr(tok.decode([3, 5, 9])), "→", tok.encode(tok.decode([3, 5, 9])))

# %% [markdown]
# The other direction has no such guarantee. Many lists of ids spell the same
# text, as in the second line, and encoding gives one of them.
#
# And a character that training never saw is lost:

# %%
for text in ("box", "fog"):
    print(text, tok.encode(text), tok.decode(tok.encode(text)))
try:
    tok.decode(tok.encode("box"), errors="strict")
except ValueError as error:
    print(error)

# %% [markdown]
# Unknown characters get id 0, `<unk>`. `decode` writes U+FFFD (�), Unicode's
# replacement character, or raises with `errors="strict"`. To a model "box" and
# "fog" are now the same.
#
# ## What a file must hold
#
# To encode on another machine we need the base characters, the merges in
# order, and the way of cutting into chunks. The most common file is Hugging
# Face's `tokenizer.json`. Ours, handed over to that library:

# %%
theirs = tok.to_huggingface()
file = json.loads(theirs.to_str())
print(list(file["model"]["vocab"].items())[9:13])
print(file["model"]["merges"][:4])
result = theirs.encode("low lower")
print(result.tokens, result.ids, repr(theirs.decode(result.ids)))

# %% [markdown]
# `vocab` gives each token its id, `merges` is the list in order, and the rest
# of the file says how to cut. `AutoTokenizer` of the transformers library reads
# this file; its `tokenize`, `encode` and `decode` are the three steps of this
# chapter. bpelab's own file (`tok.save(path)`, `bpelab.load(path)`) holds the
# same, and how often each pair was counted.
#
# ## Real text
#
# Now the sentences of this book, in English and Japanese, or your own file.
# Every tenth line is kept for testing; no test line is among the training
# lines. Two thousand merges on each language, with the chunk pattern of GPT-2
# ([chapter 01](01_chunking.ipynb)):

# %%
large, tests = {}, {}
for lang in bpelab.corpora.languages(source)[:2] or ["text"]:
    training = bpelab.corpora.text(source, lang, "train")
    tests[lang] = bpelab.corpora.text(source, lang, "test") or training
    large[lang] = bpelab.train(training, 2000, chunking="gpt2")
    assert large[lang].decode(large[lang].encode(training)) == training
    print(f"{lang}: {len(large[lang].characters):,} characters", end=", ")
    print(f"{len(large[lang].merges):,} merges; training text came back")

# %%
for lang, tokenizer in large.items():
    line = bpelab.corpora.lines(tests[lang])[0]
    display(bpelab.show.tokens(tokenizer, line[:100]))

# %% [markdown]
# The two shipped sentences say the same. The Japanese base is far larger: kanji
# come by the thousand. A token with id 0 is a character that no training
# sentence had.
#
# How many tokens does the test text take with more and more merges? `sweep`
# counts at every size in one pass.

# %%
frames = {lang: bpelab.sweep(large[lang], tests[lang]) for lang in large}
bpelab.plot.curves(
    frames,
    x="merges",
    xlabel="merges",
    ylabel="tokens of the test text",
    title="Each further step down takes many more merges",
    alt="Tokens of the test text against merges, both on logarithmic axes, one "
    "line a language: both fall all the way, English faster than Japanese.",
)

# %%
rows = []
for lang, frame in frames.items():
    assert (frame["tokens"].diff().dropna() <= 0).all()
    for n in (0, 100, 500, 1000, 2000):
        if n < len(frame):
            rows.append({"text": lang, "merges": n})
            rows[-1]["tokens"] = int(frame["tokens"][n])
            rows[-1]["characters per token"] = frame["chars_per_token"][n]
bpelab.show.table(rows)

# %% [markdown]
# The count never rises, on any text: encoding with n + 1 merges is encoding
# with n and one more pass, and a pass only joins. The axes of the picture are
# logarithmic. On the shipped text the first hundred merges save more tokens
# than the next nine hundred. Japanese has fewer characters to begin with, for
# the same content, and fewer of them in a token; [chapter
# 08](08_japanese_and_english.ipynb) compares the two properly. Fewer tokens
# is not the same as a better model ([chapter 07](07_vocabulary_size.ipynb)).
#
# Ids are also a way to store text. With up to 65,536 tokens in the vocabulary,
# two bytes hold an id:

# %%
for lang, frame in frames.items():
    size, stored = len(tests[lang].encode()), 2 * int(frame["tokens"].iloc[-1])
    print(f"{lang}: {size:,} bytes as text, {stored:,} bytes as ids")

# %% [markdown]
# ## A tokenizer belongs to its model
#
# If the tokenizer changes after the model was trained, even by one line, some
# ids stand for other tokens.

# %% [markdown] tags=["exercise"]
# **Exercise 03.5** ★ · 5 minutes. Predict for `english`, with its 2,000 merges
# and `len(english.characters)` characters: how many ids stand for the same token
# as before in `english.truncate(500)`? And how many, if `english.merges[9]` is
# dropped from the list, with all merges built on it?

# %% tags=["exercise"]
#: survivors = ...  # (after truncate, after the drop)
# solution
base = 1 + len(english.characters)  # <unk> too
survivors = (base + 500, base + 9)
# end
bpelab.exercises.check("03.5", survivors)

# %% [markdown] tags=["solution"]
# `truncate` cuts the end off: `<unk>`, the characters and 500 merges stay where
# they are. A dropped merge leaves a gap that closes: all tokens behind it move
# up, whether they use it or not, so only the ids before it keep their token.

# %% [markdown]
# Two edits that look harmless. One drops a single merge, and those that are
# built on it. The other sorts the list, short tokens first, and keeps every
# token. Counted are the ids that now stand for another token: in the vocabulary,
# and as a share of the test text's ids.


# %%
def rebuilt(old, merges):
    kept = {"characters": old.characters, "chunking": old.chunking}
    return bpelab.Tokenizer(merges, **kept)


def dropped(tokenizer, index):
    made, kept = {c.encode() for c in tokenizer.characters}, []
    for i, merge in enumerate(tokenizer.merges):
        if i != index and {merge.left, merge.right} <= made:
            kept.append(merge)
            made.add(merge.left + merge.right)
    return rebuilt(tokenizer, kept)


# %%
def by_length(merge):
    return len(merge.left + merge.right)


edits = {}
for lang, old in large.items():
    edits[lang, "none"] = old
    edits[lang, "one merge dropped"] = dropped(
        old, min(9, len(old.merges) // 2)
    )
    resorted = sorted(old.merges, key=by_length)
    edits[lang, "sorted by length"] = rebuilt(old, resorted)

# %%
rows = []
for (lang, edit), new in edits.items():
    old, ids = large[lang], large[lang].encode(tests[lang])
    table = dict(enumerate(new.vocab))
    other = {i for i, t in enumerate(old.vocab) if table.get(i) != t}
    rows.append({"text": lang, "edit": edit, "merges": len(new.merges)})
    rows[-1]["unreachable"] = len(new.unreachable())
    rows[-1]["other ids"] = f"{len(other):,} of {old.vocab_size:,}"
    rows[-1]["in the text %"] = 100 * sum(i in other for i in ids) / len(ids)
    rows[-1]["tokens"] = len(new.encode(tests[lang]))
bpelab.show.table(rows)

# %% [markdown]
# On the shipped text, either edit gives nearly all merges other ids, and the
# number of tokens shows little of it. Sorting keeps the set of tokens, and
# makes some of them unreachable: the `est` of the small example, in a real
# list. As trained, none is. Now the old ids of one sentence, read with the new
# table:

# %%
for lang, old in large.items():
    line = bpelab.corpora.lines(tests[lang])[0][:60].rstrip("\r\n")
    new = edits[lang, "one merge dropped"]
    print(line)
    print("   ", repr(new.decode(old.encode(line), unknown="replace")))

# %% [markdown]
# This is what a model reads when it is fed by the wrong tokenizer. On the
# shipped text, an English reader sees pieces of words in the wrong places; a
# Japanese reader sees real kanji and endings, but no sentence. Nothing warns:
# the ids exist in the new table too. So save the tokenizer with the model, load
# it from there, and leave it alone. New tokens can only go at the end.
#
# ## What is left to repair
#
# A line is *damaged* when it doesn't come back.

# %%
rows = []
for lang, tokenizer in large.items():
    known, lines = set(tokenizer.characters), bpelab.corpora.lines(tests[lang])
    lost = [tokenizer.decode(tokenizer.encode(t)) != t for t in lines]
    unknown = sum(character not in known for character in tests[lang])
    rows.append({"text": lang, "unknown": unknown})
    rows[-1]["% of characters"] = 100 * unknown / len(tests[lang])
    rows[-1] |= {"lines": len(lines), "damaged": sum(lost)}
    if any(lost):
        print(tokenizer.decode(tokenizer.encode(lines[lost.index(True)])))
bpelab.show.table(rows)

# %% [markdown]
# On the shipped text few characters are unknown, but each damages its line, and
# so a far larger share of the lines doesn't come back. A larger training text
# would help, but there will always be another rare character, name or emoji.
# [Chapter 04](04_bytes.ipynb) changes the base: every character is written
# with bytes, and a byte has only 256 values. Then nothing is unknown.
#
# ## What was simplified
#
# - `tok.encode` runs compiled code that gives the same tokens as
#   `reference.encode`; [chapter 06](06_speed.ipynb) is about the speed.
# - The round trip holds for chunkings that keep every character. "words"
#   lower-cases the text and drops punctuation, so its text doesn't come back.
# - The book's sentences are a very small training text.
# - That a model suffers from a changed tokenizer is argued, not measured. No
#   model is trained here.
#
# ## Questions
#
# **1.** Why does "newest low" take seven tokens and "low newest" only two?
#
# <details><summary>Answer</summary>
#
# At the start "newest" has no blank, but all merges that build it begin with
# the blank. So six letters stay, and `␣low` is the seventh token.
#
# </details>
#
# **2.** Two tokenizers have the same set of tokens. What else must be equal, so
# that they cut every text alike?
#
# <details><summary>Answer</summary>
#
# The merges in their order, and the chunking. `est` with two lines swapped
# shows that the tokens are not enough.
#
# </details>
#
# **3.** tiktoken has no merge list. Why does it give the same tokens for a
# trained vocabulary?
#
# <details><summary>Answer</summary>
#
# After exact training each text of a token is made by one pair only, so asking
# for the text is asking for the pair.
#
# </details>
#
# ## Words of this chapter
#
# Id, encode, decode, embedding, rank, round trip, unknown token,
# replacement character, unreachable token: see the [glossary](glossary.md).
#
# ## Sources
#
# - Rico Sennrich, Barry Haddow, Alexandra Birch: *Neural Machine Translation of
#   Rare Words with Subword Units*, 2016,
#   [arXiv:1508.07909](https://arxiv.org/abs/1508.07909).
# - [tiktoken](https://github.com/openai/tiktoken): tokens with ranks, the lowest
#   first, whole chunks looked up.
# - [Hugging Face tokenizers, pull request
#   1493](https://github.com/huggingface/tokenizers/pull/1493): `ignore_merges`.
