# %% [markdown]
# # 05 Ties
#
# "Why doesn't my BPE match?" Two correct trainers can learn different merges from the same text. After this chapter
# you can name the rules in which libraries differ, reproduce the merges of seven installed ones to the last, and find
# out with which rules a list of merges was made. About 50 minutes.

# %%
import contextlib
import io
import json
import random
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import bpeasy
import gigabpe
import rustbpe
import sentencepiece
import tiktoken
import tokenizers
from IPython.display import display
from subword_nmt import learn_bpe
from tiktoken import _educational
from tokenizers import models, pre_tokenizers, trainers

import bpelab
from bpelab import parity, reference, spelling, ties
from bpelab.show import label

# %% [markdown]
# ## A tie: two pairs with the same count
#
# Training takes the most frequent pair. On the small corpus of chapter 02, the very first step has two of them:

# %%
corpus = "low low low lower lower newest"
words = [(list(chunk), n) for chunk, n in bpelab.count_chunks(corpus).items()]
counts = reference.count_pairs(words)
tied = [pair for pair, n in counts.items() if n == max(counts.values())]
print({"+".join(map(label, pair)): n for pair, n in counts.items()})
print("tied:", tied)

# %% [markdown]
# `l+o` and `o+w` share the `o`, so only one of them can be merged. The definition of BPE doesn't say which. Each
# library does: its *tie rule*. This book knows six, and they cover all the libraries below.
#
# - **first**: the pair that a scan of the corpus meets first. This is what `max(counts, key=counts.get)` does in
#   Python.
# - **lexicographic**: the smallest left symbol, then the smallest right one, compared as text.
# - **largest**: the opposite, the largest left symbol, then the largest right one.
# - **lowest-id**: the smallest id on the left, then on the right. Characters have lower ids than merges, and old
#   merges lower ids than new ones.
# - **shortest**: the pair that makes the shortest token, in characters; among equals, the smallest text.
# - **youtokentome**: compare the larger id of each pair, and take the smallest; then compare the smaller id; then
#   prefer the larger id on the left.

# %%
bpelab.show.source(ties.pick)

# %%
ids = {symbol: i for i, symbol in enumerate(sorted(set(corpus)))}
for rule in ties.TIES:
    print(f"{rule:14}", "+".join(ties.pick(tied, rule, ids)))

# %% [markdown]
# Only "largest" starts with `o+w`. The rules are asked again at every step, so one different answer is not the end of
# it. All six to exhaustion, where `·` means "as in the column first":

# %%
rules = ["first", *(rule for rule in ties.TIES if rule != "first")]


def side_by_side(words):
    """A row for each step, a column for each tie rule."""
    learned = {rule: list(reference.learn_merges(words, tie=rule)) for rule in rules}
    for step, first in enumerate(learned["first"]):
        row = {"step": step + 1, "count": first[1], "first": "+".join(map(label, first[0]))}
        for rule in rules[1:]:
            pair, n, _ = learned[rule][step]
            assert n == first[1]
            row[rule] = "·" if pair == first[0] else "+".join(map(label, pair))
        yield row


bpelab.show.table(side_by_side(words))

# %% [markdown]
# "lexicographic" agrees with "first" all the way, here by luck. Three others part from it at step 4, "largest" at
# step 1. "shortest" and "youtokentome" have the same list.
#
# ## Six rules, six merge tables
#
# The four words of chapter 02, with `_` as the end of a word. This corpus tells all six rules apart:

# %%
paper = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
marked = [([*word, "_"], n) for word, n in paper.items()]
bpelab.show.table(side_by_side(marked))

# %%
toks = {rule: bpelab.train(paper, end_of_word="_", tie=rule) for rule in rules}
lists = {rule: parity.tokens_of(tok) for rule, tok in toks.items()}
assert len(set(map(tuple, lists.values()))) == 6
rows = []
for rule, tok in toks.items():
    row = {"tie rule": rule, "agrees with first": parity.agreement(tok, toks["first"])}
    row["tokens not in first"] = len(set(lists[rule]) - set(lists["first"]))
    row["corpus length"] = tok.lengths[-1]
    rows.append(row | {word: "|".join(tok.tokens(word)) for word in ("lowest", "newer", "wider")})
bpelab.show.table(rows)

# %% [markdown]
# Six different lists of 15 merges. The counts are the same for all six (the function asserts it), and all bring the
# corpus to 16 tokens, one a word: none is better. But words that were not in the corpus come out differently. `newer`
# takes two tokens with one list and four with another.
#
# ## How often it happens
#
# Counts like 5 and 2 are small, so ties are no surprise. What about real text? Ours is "parallel", the 480 sentences
# of this book, followed by "jupyterlab", the interface messages of JupyterLab, in both languages. To use your own
# text, change a line.

# %%
both = ("parallel", "jupyterlab")
english = "".join(bpelab.corpora.text(name, "en") for name in both)
japanese = "".join(bpelab.corpora.text(name, "ja") for name in both)
# or: japanese = bpelab.corpora.read("my.txt")

# %%
texts = {"English": english, "Japanese": japanese}
for name, text in texts.items():
    lines, alphabet = text.count("\n"), len(set(text))
    print(f"{name}: {lines:,} lines, {len(text):,} characters, {alphabet:,} different ones")

# %% [markdown]
# A trainer that writes down, at each step, all pairs that have the highest count. It recounts only the chunks that
# changed (chapter 06 says more about that).


# %%
def tied_at_each_step(text, num_merges):
    words = [(list(chunk), n) for chunk, n in bpelab.count_chunks(text, "gpt2").items()]
    counts = Counter(reference.count_pairs(words))
    for _ in range(num_merges):
        top = max(counts.values())
        tied = sorted(pair for pair, n in counts.items() if n == top)
        yield top, tied
        for at, (symbols, n) in enumerate(words):
            if tied[0][0] in symbols and tied[0][1] in symbols:
                counts.subtract(reference.count_pairs([words[at]]))
                words[at] = reference.apply_merge(symbols, tied[0]), n
                counts.update(reference.count_pairs([words[at]]))


# %%
steps = {name: list(tied_at_each_step(text, 1001)) for name, text in texts.items()}
rows = []
for name in texts:
    for n in (10, 50, 100, 500, 1000):
        row = {"text": name, "merges": n, "count at the last": steps[name][n - 1][0]}
        row["pairs with that count"] = len(steps[name][n - 1][1])
        rows.append(row | {"steps with a tie": sum(len(tied) > 1 for _, tied in steps[name][:n])})
bpelab.show.table(rows)

# %% [markdown]
# The first steps have few ties, the later ones hardly anything else. The count falls quickly, and small counts are
# shared by many pairs: 87 at once in English, 157 in Japanese. Japanese gets there sooner. Its shorter text is spread
# over more characters, so its counts are lower at the same step.
#
# How far do the lists of the six rules agree, and do the ties matter in the end?

# %%
toks, rows = {}, []
for name, text in texts.items():
    toks[name] = {rule: bpelab.train(text, 1000, chunking="gpt2", tie=rule) for rule in rules}
    first, lexicographic = toks[name]["first"], toks[name]["lexicographic"]
    assert [merge.count for merge in lexicographic.merges] == [n for n, _ in steps[name][:1000]]
    for rule in rules[1:]:
        tok = toks[name][rule]
        row = {"text": name, "tie rule": rule, "agrees with first": parity.agreement(tok, first)}
        row["tokens not shared"] = len(set(tok.vocab) - set(first.vocab))
        differ = (tok.tokens(line) != first.tokens(line) for line in text.splitlines())
        row["lines cut differently"] = sum(differ)
        rows.append(row | {"corpus length": tok.lengths[-1]})
print({name: toks[name]["first"].lengths[-1] for name in texts}, "corpus length of first")
bpelab.show.table(rows)

# %% [markdown]
# Three answers in one table. The *lists* part early: after 41 or 55 merges in English, after 5 to 37 in Japanese. The
# *vocabularies* stay close: of 1,000 merges, 19 to 29 make another token in English, 87 to 109 in Japanese. The
# *lengths* are equal within 20 tokens, so no rule compresses noticeably better. Still, nearly a fifth of the Japanese
# lines are cut differently, and each id stands for another token wherever the lists are not in step.
#
# ### Most ties are harmless
#
# Nearly every late step is a tie, and yet few tokens differ. How? Look at the first tie in each text:

# %%
for name in texts:
    at = next(at for at, (_, tied) in enumerate(steps[name]) if len(tied) > 1)
    print(f"{name}: merge {at + 1}, count {steps[name][at][0]}, tied {steps[name][at][1]}")
    for rule in ("lexicographic", "largest"):
        merges = toks[name][rule].merges[at : at + 3]
        print(f"   {rule:13}", [f"{label(m.left + m.right)} {m.count}" for m in merges])

# %% [markdown]
# The tied pairs don't touch each other. Whichever goes first, the other follows with the same count, and the lists
# are in step again. (`フ+ァ` and `イ+ル` are the halves of ファイル, "file", which is the third merge.)
#
# A tie matters when the merge of one pair uses up symbols of another, as `l+o` does with `o+w`. That can be seen in
# the list of ties. A tied pair that isn't chosen is at the top again in the next step. If it is not, the merge has
# taken some of its places: call it a *rival*.


# %%
def rivals_at_each_step(steps):
    return [sorted(set(tied[1:]) - set(after)) for (_, tied), (_, after) in pairwise(steps)]


rivals = {name: rivals_at_each_step(steps[name]) for name in texts}
rows = []
for name in texts:
    for n in (100, 500, 1000):
        row = {"text": name, "merges": n}
        row["with a tie"] = sum(len(tied) > 1 for _, tied in steps[name][:n])
        rows.append(row | {"with a rival": sum(map(bool, rivals[name][:n]))})
bpelab.show.table(rows)

# %%
rows = []
for name in texts:
    for at in [at for at, lost in enumerate(rivals[name]) if lost][:5]:
        row = {"text": name, "merge": at + 1, "count": steps[name][at][0]}
        row["chosen"] = "+".join(map(label, steps[name][at][1][0]))
        rows.append(row | {"rival": ", ".join("+".join(map(label, pair)) for pair in rivals[name][at])})
bpelab.show.table(rows)

# %% [markdown]
# Of the 828 ties in English 33 have a rival, of the 900 in Japanese 140. Some rivals meet by chance, as `er+s` and
# `s+ion` in *version*. Others are parts of one frequent word: `up+y` and `y+ter` in *Jupyter*, か+ど and ど+うか in かどうか
# ("whether or not"). Pairs that occur only inside one word all have the count of that word, until one of them is
# taken.

# %% [markdown]
# In the end two tokenizers cut the same line in different places, for no better reason than their tie rules:

# %%
for name, text in texts.items():
    first, lexicographic = toks[name]["first"], toks[name]["lexicographic"]
    differ = (line for line in text.splitlines() if first.tokens(line) != lexicographic.tokens(line))
    display(bpelab.show.tokens({"first": first, "lexicographic": lexicographic}, next(differ)))

# %% [markdown]
# Both lines say that a city will close two of its elementary schools. "first" has the tokens `ols` and 受け (to
# receive); "lexicographic" lacks them.
#
# ## The order of the documents changes "first" and nothing else
#
# Five of the rules look at symbols and ids. "first" looks at where a pair stands. Turn the documents around, the last
# line first:

# %%
rows = []
for rule in rules:
    row = {"tie rule": rule}
    for name, text in texts.items():
        lines = text.splitlines(keepends=True)
        forward = bpelab.train(lines, 1000, chunking="gpt2", tie=rule)
        backward = bpelab.train(lines[::-1], 1000, chunking="gpt2", tie=rule)
        row[f"{name}: merges equal"] = parity.agreement(forward, backward)
        row[f"{name}: tokens not shared"] = len(set(forward.vocab) - set(backward.vocab))
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# Same lines, same counts. With "first" the list changes at merge 42 in English and at merge 17 in Japanese; the other
# five don't notice. To reproduce a list that was made with "first", you need the files in the same order, and a
# trainer that reads them in parallel can't promise one.
#
# ## Two ways to count `aaa`
#
# Before a tie can be broken, both trainers must agree that there is one. Chapter 02 showed the case where they don't:
# in `aaa`, is `a+a` there twice ("overlap") or once ("runs")?

# %%
for rule in ties.COUNTS:
    tok = bpelab.train({"aaa": 2, "bc": 3}, count=rule)
    merges = [f"{label(m.left + m.right)} {m.count}" for m in tok.merges]
    print(f"{rule:8}", merges, "lengths", tok.lengths)

# %% [markdown]
# "overlap" sees `a+a` four times and takes it first; "runs" sees it twice and starts with `b+c`. On real text:

# %%
for name, text in texts.items():
    by_runs = bpelab.train(text, 1000, chunking="gpt2", tie="first", count="runs")
    found = parity.difference(toks[name]["first"], by_runs, text)
    print(f"{name}: merge {found.step}, {label(found.ours)} ({found.ours_count}) by overlap", end=", ")
    print(f"{label(found.theirs)} ({found.theirs_count}) by runs")
    print("   tokens not shared:", len(set(by_runs.vocab) - set(toks[name]["first"].vocab)))

# %% [markdown]
# The rule bites in runs of equal symbols, and in both texts the first is a run of blanks. This is no tie: by overlap
# the English blanks have 236 and `el` 233. One token differs in the end. Among the libraries of this chapter only
# YouTokenToMe counts by runs.
#
# A third cause of other counts is a bug: merging with `str.replace`, which chapter 02 takes apart.
#
# ## One library in full: Hugging Face tokenizers
#
# First train it. Its ByteLevel pre-tokenizer cuts with the GPT-2 pattern and starts from bytes. A vocabulary of 256 +
# n is n merges.


# %%
def train_huggingface(documents, n, add_prefix_space=False, **options):
    tok = tokenizers.Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    options |= {"vocab_size": 256 + n, "initial_alphabet": alphabet, "show_progress": False}
    tok.train_from_iterator(documents, trainers.BpeTrainer(**options))
    return tok


hf = train_huggingface([english], 1000)
merges = json.loads(hf.to_str())["model"]["merges"]
print(merges[:8])

# %% [markdown]
# Then read its merges. Each byte is spelled as a printable character, `Ġ` for the blank (chapter 04); we turn that
# back.

# %%
BYTE_OF = {character: byte for byte, character in enumerate(spelling.byte_characters())}


def spelled(token):
    return bytes(BYTE_OF[character] for character in token)


theirs = [spelled(left + right) for left, right in merges]
print(theirs[:8])

# %% [markdown]
# Then train ours with the same base and chunking and compare. `parity.difference` names the first step at which two
# lists part, and how often each choice stood in the corpus at that moment. (A list made by exact training never makes
# one token twice, as we will see. So comparing tokens is comparing merges.)

# %%
ours = bpelab.train(english, 1000, base="byte", chunking="gpt2")
print(parity.agreement(ours, theirs), "merges agree")
found = parity.difference(ours, theirs, english)
print(found, "a tie:", found.tie)

# %% [markdown]
# 41 merges agree, then there is a tie: `␣of` and `as`, 254 times each. Ours chose by text, and a blank sorts before
# all letters. Hugging Face chooses the lowest id:

# %%
ours = bpelab.train(english, 1000, base="byte", chunking="gpt2", tie="lowest-id")
print(parity.difference(ours, theirs, english))

# %% [markdown]
# Better, 61. Now `␣e` against `id`: by byte, the blank (32) comes before `i` (105). Which ids does the library give
# to its bytes?

# %%
print({character: hf.token_to_id(character) for character in "!aeiĠĊ"})

# %% [markdown]
# It numbers the *characters* that stand for the bytes. `!` is 0, `i` is 72, and the blank, spelled `Ġ`, comes only at
# 220. So in a tie a pair with a blank loses against letters. `base_order="byte-level"` says that:

# %%
recipe = {"base": "byte", "chunking": "gpt2", "tie": "lowest-id", "base_order": "byte-level"}
ours = bpelab.train(english, 1000, **recipe)
print(parity.difference(ours, theirs, english), "-", parity.agreement(ours, theirs), "merges agree")

# %% [markdown]
# No difference in 1,000 merges. Those four arguments are the library's *recipe*. There is one for each:

# %%
assert bpelab.RECIPES["huggingface"] == recipe
rows = []
for name, recipe in bpelab.RECIPES.items():
    row = {"recipe": name, "base": recipe["base"], "chunking": recipe["chunking"], "tie": recipe["tie"]}
    row["chunking"] = "GPT-4's pattern" if recipe["chunking"] == ties.GPT4 else recipe["chunking"]
    rest = [f"{key}={value}" for key, value in recipe.items() if key not in row]
    rows.append(row | {"and": ", ".join(rest)})
bpelab.show.table(rows)

# %% [markdown]
# ## Each library, and its quirk
#
# Each library in a few lines: a function that trains it and returns the tokens in learned order, and a small proof of
# what is peculiar about it. `in_order` sorts a vocabulary by id and drops the base.


# %%
def in_order(vocab, first):
    return [token for token, i in sorted(vocab.items(), key=lambda item: item[1]) if i >= first]


# %% [markdown]
# **Hugging Face, ByteLevel.** `max_token_length=k` lets tokens of k − 1 characters through, not k:


# %%
def huggingface(text, n):
    return [spelled(token) for token in in_order(train_huggingface([text], n).get_vocab(), 256)]


est = "lowest lowest newest newest"
for k in (3, 4, 5, 6):
    tok = train_huggingface([est], 20, max_token_length=k)
    print("limit", k, "longest token", max(map(len, tok.get_vocab())))

# %% [markdown]
# **Hugging Face, characters.** With another pre-tokenizer the base is the characters of the text, with ids by code
# point. A blank is then the lowest, and wins:


# %%
def huggingface_characters(text, n):
    tok, size = tokenizers.Tokenizer(models.BPE()), len(set(text))
    pattern = tokenizers.Regex(bpelab.chunking.PATTERNS["space"])
    tok.pre_tokenizer = pre_tokenizers.Split(pattern, "isolated")
    tok.train_from_iterator([text], trainers.BpeTrainer(vocab_size=size + n, show_progress=False))
    return in_order(tok.get_vocab(), size)


print("ByteLevel: ", *map(label, huggingface(corpus, 11)))
print("characters:", *map(label, huggingface_characters(corpus, 11)))

# %% [markdown]
# After `␣lower` every count is 1. With characters `␣+n` comes next; with ByteLevel three pairs of letters go first.
#
# **rustbpe.** Also the lowest id, and the id of a byte is the byte: `␣+n` goes early again. It hands back tokens with
# ranks, ready for tiktoken:


# %%
def rust(text, n):
    tok = rustbpe.Tokenizer()
    tok.train_from_iterator([text], 256 + n, pattern=ties.GPT4)
    return in_order({bytes(token): rank for token, rank in tok.get_mergeable_ranks()}, 256)


print(*map(label, rust(corpus, 11)))

# %% [markdown]
# **bpeasy.** The same tie rule. It exports a vocabulary, no merges, and has the same off-by-one in its length limit:


# %%
def easy(text, n, longest=10_000):
    pattern = bpelab.chunking.PATTERNS["gpt2"]
    return in_order(bpeasy.train_bpe(iter([text]), pattern, longest, 256 + n), 256)


print(*map(label, easy(corpus, 11)))
print("longest token with a limit of 5:", max(map(len, easy(est, 20, longest=5))))

# %% [markdown]
# **gigabpe.** Hugging Face's rules, but it reads files line by line, so no merge holds a line end:


# %%
def giga(text, n):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text(text, encoding="utf-8", newline="")
        _, merges = gigabpe.train_bpe([str(path)], 256 + n, special_tokens=[], pretokenizer="bytelevel")
    return [spelled(left + right) for left, right in merges][:n]


gaps = "low\n\n\n\nlow\n\n\n\n"
print("gigabpe:     ", *map(label, giga(gaps, 9)))
print("Hugging Face:", *map(label, huggingface(gaps, 9)))

# %% [markdown]
# **tiktoken's `_educational` module.** tiktoken itself has no trainer; this one is for teaching. It takes the first
# pair seen, recounts everything at each step, and ends with an unhelpful error when the pairs run out:


# %%
def tiktoken_educational(text, n):
    options = {"vocab_size": 256 + n, "pat_str": bpelab.chunking.PATTERNS["gpt2"], "visualise": None}
    return in_order(_educational.bpe_train(data=text, **options), 256)


print(*map(label, tiktoken_educational(corpus, 11)))
try:
    tiktoken_educational(corpus, 12)
except ValueError as error:
    print("ValueError from", str(error).split()[0])

# %% [markdown]
# **subword-nmt.** The original, for translation. Blanks are dropped, the last character of a word carries `</w>` and
# is another symbol than the same letter elsewhere, the largest pair wins, and pairs seen once are left alone:


# %%
def subword_nmt(text, n, **options):
    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):  # it draws a progress bar
        learn_bpe.learn_bpe(io.StringIO(text), codes, n, **options)
    return [line.replace(" ", "") for line in codes.getvalue().splitlines()[1:]]


print("as it is:       ", subword_nmt(corpus, 20))
print("min_frequency=1:", subword_nmt(corpus, 20, min_frequency=1))

# %% [markdown]
# `low` and `low</w>` have nothing in common but the letters: the word ends in `w</w>`, the `w` of `lower` is another
# symbol. So `l+o` is the only pair with 5.
#
# **SentencePiece.** A blank becomes `▁`, and every word gets one in front, the first too. The shortest piece wins:


# %%
def sentencepiece_default(text, n, **options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")), model_writer=model, model_type="bpe", minloglevel=2,
        vocab_size=len(set(text)) + 4 + n, character_coverage=1.0, hard_vocab_limit=False,
        max_sentence_length=1 << 20, **options,
    )  # fmt: skip
    loaded = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [loaded.id_to_piece(i) for i in range(3, loaded.get_piece_size())]
    return [piece for piece in pieces if len(piece) > 1][:n]


print(sentencepiece_default(corpus, 20))
ours = bpelab.train(corpus, 20, **bpelab.RECIPES["sentencepiece"])
print([token.decode() for token in parity.tokens_of(ours)])

# %% [markdown]
# Ours stops after 11 merges, since no pair is left. SentencePiece fills the vocabulary up with leftovers, such as
# `ow`, which occur nowhere any more once all merges are done. Compare up to the exhaustion only.
#
# By default it also applies NFKC (chapter 04), keeps scripts apart and stops at 16 characters. Options switch that
# off:


# %%
def sentencepiece_unconstrained(text, n):
    options = {"normalization_rule_name": "identity", "split_by_unicode_script": False}
    options |= {"split_by_number": False, "max_sentencepiece_length": 512}
    return sentencepiece_default(text, n, **options)


for learn in (sentencepiece_default, sentencepiece_unconstrained):
    pieces = learn(japanese, 1000)
    print(learn.__name__)
    print("   longest piece of the alphabet:", max(map(len, learn("abcdefghijklmnopqrstuvwxyz", 100))))
    print("   Japanese pieces with a full stop:", [piece for piece in pieces if "。" in piece][:8])

# %% [markdown]
# Without the limits, the alphabet becomes one piece of 27 characters (with `▁`), and ます。 (the polite ending with the
# full stop) is a piece. With the defaults neither can be learned: 16 characters are the most, and 。 belongs to no
# script, so it is cut off from the letters beforehand.
#
# **minbpe and YouTokenToMe** can't be installed here: the first is a repository and no package, the second no longer
# builds. Their recipes stand in the table above. These are the first eight tokens that they learned from the small
# corpus elsewhere:

# %%
ran_elsewhere = {
    "minbpe": ["lo", "low", " low", " lowe", " lower", " n", " ne", " new"],
    "youtokentome": ["ow", "▁l", "▁low", "er", "▁lower", "ew", "es", "▁n"],
}
for name, tokens in ran_elsewhere.items():
    print(name, parity.agreement(bpelab.train(corpus, 8, **bpelab.RECIPES[name]), tokens), "of 8")

# %% [markdown]
# YouTokenToMe prefers `o+w` to `l+o`, although the table above had `l+o` for its tie rule. Its base symbols are
# numbered by frequency, so its ids are others. minbpe ends with the same error as tiktoken's module when the pairs
# run out.
#
# ## The table: every installed library, both languages
#
# Now all nine set-ups on both texts. tiktoken's module recounts everything and subword-nmt is plain Python, so they
# get less to do: 60 merges on the first 10,000 characters, and 200 merges. gigabpe's recipe needs the lines as
# documents.

# %%
libraries = {
    "huggingface": huggingface,
    "huggingface-characters": huggingface_characters,
    "rustbpe": rust,
    "bpeasy": easy,
    "gigabpe": giga,
    "tiktoken-educational": tiktoken_educational,
    "subword-nmt": subword_nmt,
    "sentencepiece": sentencepiece_default,
    "sentencepiece-unconstrained": sentencepiece_unconstrained,
}

# %%
rows, learned, trained_on = [], {}, {}
for name, learn in libraries.items():
    n = {"tiktoken-educational": 60, "subword-nmt": 200}.get(name, 1000)
    row = {"library": name, "merges": n}
    for lang, text in texts.items():
        text = text[:10_000] if name == "tiktoken-educational" else text
        learned[name, lang] = learn(text, n)
        trained_on[name, lang] = text.split("\n") if name == "gigabpe" else text
        tok = bpelab.train(trained_on[name, lang], n, **bpelab.RECIPES[name])
        row[lang] = parity.agreement(tok, learned[name, lang])
        assert row[lang] == len(tok.merges) == len(learned[name, lang]) == n
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# All of them, to the last merge. Is the tie rule really needed for that? The same comparison with the tie rule
# exchanged and all else as in the recipe, for Japanese:

# %%
rows = []
for name in libraries:
    theirs, documents = learned[name, "Japanese"], trained_on[name, "Japanese"]
    row = {"library": name, "merges": len(theirs)}
    for rule in ties.TIES:
        tok = bpelab.train(documents, len(theirs), **bpelab.RECIPES[name] | {"tie": rule})
        row[rule] = parity.agreement(tok, theirs)
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# One rule fits each library, and each other rule goes wrong after 66 merges at the latest. So the rule can be read
# off a list of merges. The last section does that.
#
# ## Three ways to encode
#
# A merge list is applied to new text in three ways. Chapter 03 showed two: the rules *in order*, and the lowest rank
# first *by pair*, among the pairs that stand in the chunk. tiktoken knows no pairs, only tokens and their ranks. It
# joins two neighbours when their text is a token: the lowest rank first *by text*. (Before that, it looks whether the
# whole chunk is a token.)


# %%
def by_pair(symbols, ranks):
    """ranks: (left, right) -> place in the list"""
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        symbols = reference.apply_merge(symbols, min(known, key=ranks.get))
    return symbols


def by_text(symbols, ranks):
    """ranks: token -> place in the list"""
    while known := [pair for pair in pairwise(symbols) if "".join(pair) in ranks]:
        symbols = reference.apply_merge(symbols, min(known, key=lambda pair: ranks["".join(pair)]))
    return symbols


# %% [markdown]
# Random corpora of few letters are where ties and runs are thickest. 300 of them, each trained to exhaustion with a
# random tie rule and counting rule, and 10 unseen strings for each:

# %%
draw = random.Random(5)
merges_seen = 0
for _ in range(300):
    letters = draw.choice(["ab", "abc", "abcd"])
    words = ["".join(draw.choices(letters, k=draw.randint(1, 9))) for _ in range(8)]
    chunks = {word: draw.randint(1, 5) for word in words}
    tok = bpelab.train(chunks, tie=draw.choice(ties.TIES), count=draw.choice(ties.COUNTS))
    pairs = [(merge.left.decode(), merge.right.decode()) for merge in tok.merges]
    pair_ranks = {pair: rank for rank, pair in enumerate(pairs)}
    text_ranks = {"".join(pair): rank for pair, rank in pair_ranks.items()}
    assert len(text_ranks) == len(pairs)  # no token is made twice
    merges_seen += len(pairs)
    for _ in range(10):
        text = list("".join(draw.choices(letters, k=draw.randint(1, 15))))
        in_this_order = reference.encode(text, pairs)
        assert in_this_order == by_pair(text, pair_ranks) == by_text(text, text_ranks)
print(f"300 lists, {merges_seen:,} merges, 3,000 strings: the three agree")

# %% [markdown]
# Why? Take the text `s` of some token, and a place where `s` stands in a chunk with no token crossing either end of
# it. Merges only remove borders. So no token crossed those ends earlier either, and what happened inside depends on
# `s` and the rules so far, not on what is around it. At every such place `s` is therefore cut in the same way, at
# every moment. Now look at the first rule that makes `s`. Its pair stands at all those places, and all of them become
# one token. No place is left for a second rule with the same text. And two neighbours whose text is `s` are always
# the pair of that rule, so asking for the text is asking for the pair.
#
# The argument needs a list that exact training made, each rule on top of those before. Lists that were edited,
# reordered or pruned may break it. Two that do:

# %%
edited = {
    "xabc": [("b", "c"), ("a", "b"), ("ab", "c")],
    "abcd": [("a", "b"), ("abc", "d"), ("ab", "c")],
}


def encode_with_huggingface(text, pairs):
    vocab = {token: i for i, token in enumerate([*sorted(set(text)), *map("".join, pairs)])}
    return tokenizers.Tokenizer(models.BPE(vocab, pairs)).encode(text).tokens


def tiktoken_of(tokens):
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {token.encode(): 256 + i for i, token in enumerate(tokens)}
    return tiktoken.Encoding("edited", pat_str=r"(?s:.+)", mergeable_ranks=ranks, special_tokens={})


# %%
rows = []
for text, pairs in edited.items():
    tokens, encoding = list(map("".join, pairs)), tiktoken_of(map("".join, pairs))
    cuts = {
        "in order": reference.encode(list(text), pairs),
        "by pair": by_pair(list(text), {pair: rank for rank, pair in enumerate(pairs)}),
        "by text": by_text(list(text), {token: rank for rank, token in enumerate(tokens)}),
        "Hugging Face": encode_with_huggingface(text, pairs),
        "tiktoken": [encoding.decode([i]) for i in encoding.encode_ordinary(text)],
    }
    row = {"list": ", ".join(map("+".join, pairs)), "text": text}
    rows.append(row | {name: "|".join(cut) for name, cut in cuts.items()})
bpelab.show.table(rows)

# %% [markdown]
# In the first list `b+c` comes before `a+b`, so by the rules `abc` is `a|bc`, and the last rule never has its turn.
# tiktoken sees `a` and `bc`, finds that `abc` is a token, and joins them. In the second list a rule stands above the
# one that it builds on. In order, `abc+d` comes too early; by rank, the encoder goes back up for it. Hugging Face
# encodes by pair, tiktoken by text.
#
# `bpelab.Tokenizer` refuses the second list. It takes the first, since every rule has its parts, but won't export it
# to a library that would read it in another way:

# %%
try:
    bpelab.Tokenizer(edited["abcd"], characters="abcd")
except ValueError as error:
    print(error)
tok = bpelab.Tokenizer(edited["xabc"], base="byte", chunking="gpt2")
print(tok.tokens("xabc"))
try:
    tok.to_tiktoken("edited")
except ValueError as error:
    print(error)

# %% [markdown]
# And the whole-chunk look-up: a token that no join leads to is still found when it is the whole chunk, and only then.

# %%
encoding = tiktoken_of(["abcd"])
for text in ("abcd", "xabcd"):
    print(text, [encoding.decode([i]) for i in encoding.encode_ordinary(text)])

# %% [markdown]
# ### A published list that is no merge list
#
# The vocabulary of Qwen 3.6 is published as tokens with ranks. `bpelab.from_tiktoken` recovers the merges of such a
# list, by cutting each token with those before it; a trained token falls into exactly two.

# %%
qwen = bpelab.vocabularies.load("qwen3.6")
try:
    bpelab.from_tiktoken(qwen)
except ValueError as error:
    print(error)

# %% [markdown]
# That one is Chinese for "human resources". Which two tokens could have made it, whatever their rank? And Canada,
# Singapore and "club"? The last two columns show how tiktoken cuts each word, alone and after 在 ("in").

# %%
rows, ranks = [], qwen._mergeable_ranks
for word in ("人力资源", "加拿大", "新加坡", "俱乐部"):
    splits = [(word[:i], word[i:]) for i in range(1, len(word))]
    pairs = [pair for pair in splits if all(part.encode() in ranks for part in pair)]
    parts = [f"{part} {ranks[part.encode()]}" for pair in pairs for part in pair]
    row = {"word": word, "rank": ranks[word.encode()], "made of": " + ".join(parts) or "no two tokens"}
    alone, after = qwen.encode_ordinary(word), qwen.encode_ordinary("在" + word)
    alone, after = ("|".join(qwen.decode([i]) for i in ids) for ids in (alone, after))
    rows.append(row | {"alone": alone, "after 在": after})
bpelab.show.table(rows)

# %% [markdown]
# Both kinds of edited list, in earnest. 人力资源 is made of a token with a *later* rank, as in `abc+d, ab+c`; tiktoken
# goes back up and finds it. The other three are made of no two tokens. They are one token where the word is the whole
# chunk, and several where it isn't: the look-up at work. No list of pairs holds them, so an encoder that works with
# pairs can't give the same ids. How they got into the list, the file doesn't say.
#
# ## Your own case
#
# Say you have a `merges.txt` and the text it was trained on, and your own trainer gives something else. Here is such
# a file, written by Hugging Face tokenizers from the English lines of "parallel". We pretend not to know how.

# %%
lines = bpelab.corpora.text("parallel", "en").splitlines()
folder = tempfile.TemporaryDirectory()
train_huggingface(lines, 300, add_prefix_space=True).model.save(folder.name)
path = Path(folder.name) / "merges.txt"
print(path.read_text(encoding="utf-8").splitlines()[:5])

# %%
bpelab.show.parity(path, "\n".join(lines))

# %% [markdown]
# Each recipe was trained on our text and compared with the list. The last column shows where they part: our choice
# with its count, and the list's choice with its count in the same corpus.
#
# - **"no pair" at merge 1**: another base or another treatment of blanks.
# - **different counts, no tie**: the text or the chunks differ. `.\n` was possible for ours and not for theirs.
# - **a tie**: only the tie rule, or the order of the base, differs. So it isn't bpeasy's.
#
# The best row parts at merge 43, and not in a tie. The list takes `␣T`, which occurs only 22 times in our text,
# before `ay` with 142. So their text isn't ours: it has many more `T` after a blank. Where does a capital T stand? At
# the start of a line. A blank in front of every line would explain it, and ByteLevel's `add_prefix_space`, on by
# default, writes one. Try it:

# %%
with_blanks = [" " + line for line in lines]
bpelab.show.parity(path, with_blanks, ["huggingface", "bpeasy", "tiktoken-educational"])

# %%
folder.cleanup()

# %% [markdown]
# All 300. For your own list, give `show.parity` a path (`merges.txt`, `tokenizer.json`, a bpelab model) or a list of
# merges or tokens. Then check in this order: base, chunks and normalization, the text and its line ends, the counting
# rule, the tie rule, the order of the base, limits on length and frequency.
#
# ## What was simplified
#
# - A recipe gives the *merges* of a library. What it does with special tokens, unknown characters and ids on encoding
#   is another matter (chapters 03 and 04).
# - The recipes hold for the versions installed here. SentencePiece up to 0.2.1, for one, breaks some ties in another
#   way.
# - Options can leave the recipes. Hugging Face's `end_of_word_suffix` and `continuing_subword_prefix` gave us
#   different merges from run to run. SentencePiece drops lines of more than 4,192 bytes unless told otherwise, as we
#   did.
# - The number of ties was counted along one rule's list, "lexicographic". Another list has slightly different ties.
# - The argument for the three encoders is a sketch; the random corpora are evidence and no proof. It also needs an
#   end-of-word marker that can't stand in the text.
#
# ## Questions
#
# **1.** Two trainers agree for 41 merges and then one takes `␣of` (254) and the other `as` (254). Is one of them
# wrong?
#
# <details><summary>Answer</summary>No. Both counts are the same, a tie; BPE doesn't say which goes first. Here the
# two pairs don't touch each other, and both lists hold both.</details>
#
# **2.** Why are most late merges ties?
#
# <details><summary>Answer</summary>The count falls to small numbers, and a small count is shared by many pairs: after
# 1,000 merges, 157 Japanese pairs have exactly 5.</details>
#
# **3.** You train twice on the same files, listed in another order, and the merges differ. Which tie rule was it?
#
# <details><summary>Answer</summary>"first", the only one that looks at where a pair stands. The other five compare
# symbols or ids.</details>
#
# **4.** Hugging Face ByteLevel and rustbpe both take the lowest id. Why do they differ on `␣e` against `id`?
#
# <details><summary>Answer</summary>The ids of their bytes differ. By byte, the blank (32) is below the letters.
# ByteLevel numbers the characters that stand for the bytes, and there the blank has 220.</details>
#
# **5.** Someone moves one line of a merges.txt up. Which encoders can now disagree?
#
# <details><summary>Answer</summary>All three: in order, lowest rank by pair, lowest rank by text. The argument for
# their agreement holds only for lists as training makes them.</details>
#
# **6.** `show.parity` says: merge 43: `ay` (142) against `␣T` (22). Should you try another tie rule?
#
# <details><summary>Answer</summary>No. It is no tie: in your text 142 against 22. The other trainer saw another text
# or other chunks.</details>
#
# ## Words of this chapter
#
# - **tie**: two or more pairs with the highest count; **tie rule**: what picks one of them.
# - **overlap** and **runs**: counting `a+a` in `aaa` twice, or as often as it can be merged.
# - **recipe**: the arguments of `bpelab.train` that learn what a library learns.
# - **base order**: the ids of the base symbols, as a tie rule sees them.
# - **agreement**: how many merges two lists have in common before they first differ.
# - **rank**: the place of a token or merge in the list.
# - **whole-chunk look-up**: asking first whether a chunk is a token, before any merging.
#
# ## Sources
#
# - Rico Sennrich, Barry Haddow, Alexandra Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016,
#   arXiv:1508.07909: the algorithm; its code is subword-nmt.
# - Taku Kudo, John Richardson, "SentencePiece: A simple and language independent subword tokenizer and detokenizer
#   for Neural Text Processing", 2018, arXiv:1808.06226.
# - The source code of tokenizers 0.23.3, tiktoken 0.14.0, sentencepiece 0.2.3, subword-nmt 0.3.8, rustbpe 0.1.0,
#   bpeasy 0.1.6, gigabpe 0.1.0, minbpe and YouTokenToMe 1.0.6, for their tie rules; all but the last two were run for
#   this chapter.
