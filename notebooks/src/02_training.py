# %% [markdown]
# # 02 Training
#
# After this chapter you can train a byte-pair encoding by hand: count the pairs, pick one, merge it, repeat.
# You will know what each merge costs and saves, where training stops, and how a common one-line shortcut
# learns the wrong merges. Then you train on real English and Japanese. About 35 minutes.

# %%
import random
import re

from IPython.display import display

import bpelab
from bpelab import reference
from bpelab.show import label

# %% [markdown]
# ## The starting point: chunks with counts, cut into characters
#
# Chapter 01 cut text into *chunks*. A merge never crosses the border of two chunks, and two equal chunks behave
# in the same way, so each distinct chunk is kept once, together with how often it occurs: its *frequency*.

# %%
corpus = "low low low lower lower newest"
bpelab.count_chunks(corpus)

# %% [markdown]
# The blank belongs to the word after it, so the first `low` and the two later ones are different chunks.
# Each chunk now becomes a list of single characters, its first *symbols*.

# %%
words = [(list(chunk), frequency) for chunk, frequency in bpelab.count_chunks(corpus).items()]
for symbols, frequency in words:
    print(frequency, symbols)

# %% [markdown]
# ## Count: which two symbols stand side by side most often?
#
# A *pair* is two symbols that stand next to each other in a chunk. This is the function of the package that
# counts them (`ties.pairs_in` gives the pairs of one chunk, from left to right):

# %%
bpelab.show.source(reference.count_pairs)

# %%
counts = reference.count_pairs(words)
bpelab.show.table([{"pair": "+".join(map(label, pair)), "count": n} for pair, n in counts.items()])

# %% [markdown]
# `l+o` counts 5: 1 from `low`, 2 from `␣low`, 2 from `␣lower`, since each chunk counts with its frequency. In tables a blank is drawn as
# `␣`; in the data it stays a blank.
#
# ## Pick: the most frequent pair
#
# Two pairs have the highest count here, `l+o` and `o+w`. A rule has to decide, a *tie rule*. By default the pair
# that sorts first wins.

# %%
bpelab.show.source(reference.best_pair)

# %%
reference.best_pair(counts)

# %% [markdown]
# ## Merge: write the two symbols as one
#
# The winning pair becomes one new symbol, everywhere. The function goes through a chunk from left to right.

# %%
bpelab.show.source(reference.apply_merge)

# %%
words_after = [(reference.apply_merge(symbols, ("l", "o")), frequency) for symbols, frequency in words]
for symbols, frequency in words_after:
    print(frequency, symbols)

# %% [markdown]
# The next count sees `lo` as one symbol. The pairs `l+o` and `o+w` are gone; `lo+w` is new, and `␣+l` has become
# `␣+lo`.

# %%
{pair: n for pair, n in reference.count_pairs(words_after).items() if n > 1}

# %% [markdown]
# ## Repeat, until no pair is left
#
# That is the whole of training. `learn_merges` does the three steps in a loop. (Its `ids` and `allowed` serve
# chapter 05; skip them here.)

# %%
bpelab.show.source(reference.learn_merges)


# %%
def steps(words, num_merges=None, tie="lexicographic"):
    """A row for each merge: the pair, its count, and every chunk after it, cut at the |."""
    for step, (pair, n, after) in enumerate(reference.learn_merges(words, num_merges, tie), 1):
        chunks = {label("".join(symbols)): "|".join(map(label, symbols)) for symbols, _ in after}
        yield {"step": step, "merge": "+".join(map(label, pair)), "count": n, **chunks}


bpelab.show.table(steps(words))

# %% [markdown]
# Read the columns downwards and watch each chunk close up. After step 5 both forms of `low` and `␣lower` are one
# symbol each. The remaining six merges have count 1: they spell out `␣newest`, a chunk seen once.
#
# The ordered list of pairs, the *merge list*, is what training produces. `bpelab.train` gives the same list,
# only faster.

# %%
tok = bpelab.train(corpus)
learned = [(merge.left.decode(), merge.right.decode(), merge.count) for merge in tok.merges]
assert learned == [(*pair, n) for pair, n, _ in reference.learn_merges(words)]
learned

# %% [markdown]
# ## The vocabulary: base alphabet first, then one entry for each merge
#
# The *base alphabet* is all characters of the training text. Ids are given out in a fixed order: 0 is `<unk>`, which
# stands for any character that training never saw; then come the characters, sorted; then the merges, as learned.

# %%
entries = [f"{i} {label(token)}" for i, token in enumerate(tok.vocab)]
for part in (entries[:1], entries[1:10], entries[10:]):
    print("   ".join(part))
assert tok.vocab_size == 1 + 9 + 11

# %% [markdown]
# The first k merges of a list are what training for k merges would have learned, because a step only looks at what
# earlier steps did. So `truncate` can show the tokens of `low lower` after each number of merges.

# %%
assert bpelab.train(corpus, 3).merges == tok.merges[:3]
rows = []
for k in range(len(tok.merges) + 1):
    tokens = tok.truncate(k).tokens("low lower")
    rows.append({"merges": k, "tokens": len(tokens), "low lower": "|".join(map(label, tokens))})
bpelab.show.table(rows)

# %% [markdown]
# The same, one step at a time, with two more texts: move the slider, or click and use the arrow keys. (`b` and `x`
# never stood in the training text.)

# %%
bpelab.show.stepper(tok.truncate(8), ["low lower", "newest lowest", "box lower"])

# %% [markdown]
# Nine characters shrink to two tokens in five merges. The six later merges change nothing in this text: it has no
# `n`. (How a tokenizer uses the list on new text is chapter 03.)
#
# ## A merge adds one entry and shortens the corpus by its count
#
# The merge table of a tokenizer has a column `length`: how many symbols the whole training text has after that step.
# Each chunk counts as often as it occurs.

# %%
print("length before any merge:", tok.lengths[0])
bpelab.show.table(tok.merge_table())

# %% [markdown]
# Every replacement turns two symbols into one. So the length falls by the count, 30 to 25 to 20 to 16, and the
# vocabulary grows by one. That is the trade: a larger vocabulary for a shorter text. It ends at
# 6, since the text has six chunks and no merge can join two of them. The savings never rise along this list.
# Early merges buy much, late ones little.
#
# There is one exception to "by its count".

# %%
rows, pair = [], ("a", "a")
for text in ("aaa", "aaaa"):
    counted = {rule: reference.count_pairs([(list(text), 1)], rule)[pair] for rule in ("overlap", "runs")}
    after = "|".join(reference.apply_merge(list(text), pair))
    rows.append({"chunk": text} | counted | {"after the merge": after})
bpelab.show.table(rows)

# %% [markdown]
# In `aaa` the pair `a+a` stands twice, at the first and at the second `a`. The two share the middle `a`, so only one
# can be replaced: count 2, saving 1. A run of equal symbols is the one place where the count ("overlap", the default)
# promises too much. With `count="runs"` a pair is counted only where it can be replaced. This can change what is
# learned:

# %%
runs = {"aaa": 2, "bc": 3}
print("length before any merge:", bpelab.train(runs).lengths[0])
bpelab.show.table(bpelab.train(runs).merge_table())

# %%
bpelab.show.table(bpelab.train(runs, count="runs").merge_table())

# %% [markdown]
# With overlapping counts, `a+a` has 4 and goes first, yet the length falls only from 12 to 10. Counted by runs, `b+c`
# goes first and the length falls from 12 to 9. Libraries differ in this rule too; chapter 05 compares them.
#
# ## Training is greedy: it never looks back
#
# Each step takes the best pair of the moment. It keeps no alternatives and undoes nothing. Is the best first step also
# the start of the best two steps? Four words are enough to find out: try every possible first merge with every
# possible second one.

# %%
four = [(list("then"), 2), (list("he"), 3), (list("path"), 2), (list("pen"), 2)]
print("length before any merge:", reference.corpus_length(four))
print({"+".join(pair): n for pair, n in reference.count_pairs(four).items()})
bpelab.show.table(steps(four, 2))

# %%
rows = []
for first in reference.count_pairs(four):
    once = [(reference.apply_merge(symbols, first), n) for symbols, n in four]
    for second in reference.count_pairs(once):
        twice = [(reference.apply_merge(symbols, second), n) for symbols, n in once]
        names = {"first": "+".join(first), "second": "+".join(second)}
        rows.append({"length": reference.corpus_length(twice)} | names)
print(len(rows), "ways to do two merges; the shortest first:")
bpelab.show.table(sorted(rows, key=lambda row: row["length"])[:5])

# %%
greedy = [reference.corpus_length(after) for _, _, after in reference.learn_merges(four, 2)]
print("greedy:", greedy[-1], "  best:", min(row["length"] for row in rows))

# %% [markdown]
# `h+e` has the highest count, 5. Taking it breaks `t+h` and `e+n` apart inside `then`, so each is left with 2. Starting
# with `t+h` saves only 4, but it leaves `e+n` whole, which saves 4 more. After two merges the text is one symbol
# shorter: 20 against 21.
#
# Greedy training doesn't promise the shortest text. Finding the best merge sequence is a hard problem in general
# (NP-complete, see the sources); one pass of best next steps is what can be afforded.
#
# ## Frequencies are weights
#
# The counts multiply each chunk by its frequency. So a table of chunks with frequencies holds all that training
# needs, and the text itself can be thrown away.

# %%
table = bpelab.count_chunks(corpus)
assert bpelab.train(table).merges == bpelab.train(corpus).merges
assert bpelab.train({"low": 5, "lower": 2}).merges == bpelab.train(["low"] * 5 + ["lower"] * 2).merges
print(len(corpus.split()), "chunks in the text,", len(table), "rows in the table, same merges")

# %% [markdown]
# ## An end-of-word marker
#
# Next, the four words, with frequencies, from the paper that brought BPE from compression to translation. It marks the
# *end* of each word with a symbol of its own, here `_`. With it, `est` at the end of a word can become `est_`, a
# token that says "and the word ends here". In this and the next two examples `tie="first"` decides among equally
# frequent pairs: the one that a scan of the corpus meets first wins. Chapter 05 explains that choice and its rivals.

# %%
paper = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
marked = [([*word, "_"], frequency) for word, frequency in paper.items()]
bpelab.show.table(steps(marked, tie="first"))

# %%
tok = bpelab.train(paper, end_of_word="_", tie="first")
learned = ["+".join(map(label, merge[:2])) for merge in tok.merges]
assert learned == [row["merge"] for row in steps(marked, tie="first")]
for word in ("lowest", "newer", "wider"):
    print(word, tok.truncate(10).tokens(word), tok.tokens(word))

# %% [markdown]
# After fifteen merges each word of the corpus is one symbol. None of the three test words is in the corpus; their
# tokens are shown after 10 merges and after all 15. `lowest` gets two, because `low` and `est_` were learned, one from
# `low` and one from `newest` and `widest`. `newer` and `wider` keep `e`, `r` and `_` apart: the list has no merge
# `e+r`. It learned the `er` of `lower` only as `low+e` and `lowe+r`.
#
# ## A longer list: 49 words
#
# The words of a short paragraph about tokenizers, lower-cased, in the order in which they first occur. Those
# that occur more than once get their frequency in the last two statements.

# %%
in_order = """
neural networks learn useful representations from raw data through repeated training a
tokenizer converts text into sequence of tokens before it is fed network byte pair encoding
one the most common tokenization algorithms used in modern based language models requires
large amount and resulting vocabulary reflects statistical structure that
"""
paragraph = dict.fromkeys(in_order.split(), 1)
paragraph |= {"neural": 3, "raw": 2, "training": 2, "a": 5, "tokenizer": 2, "text": 3}
paragraph |= {"into": 2, "of": 4, "is": 2, "network": 2, "the": 3}
print(len(paragraph), "words, total frequency", sum(paragraph.values()))

# %%
tok = bpelab.train(paragraph, end_of_word="</w>", tie="first")
print(len(tok.merges), "merges to exhaustion")
bpelab.show.table(tok.merge_table(12))

# %% [markdown]
# Five of the first twelve tokens end in `</w>`: how words end is what even a short list of English repeats.
# *Exhaustion* means that no pair is left. That takes 187 merges here.
#
# ## Merging with `str.replace` is a bug
#
# There is a well-known shortcut: keep each word as text with blanks between its symbols, and let
# `str.replace` do the merge. It is shorter and looks the same.


# %%
def merges_by_replace(words):
    texts = {" ".join([*word, "</w>"]): n for word, n in words.items()}
    while counts := reference.count_pairs([(text.split(), n) for text, n in texts.items()]):
        pair = max(counts, key=counts.get)  # the first one seen, as with tie="first"
        texts = {text.replace(" ".join(pair), "".join(pair)): n for text, n in texts.items()}
        yield pair, counts[pair], texts


# %%
by_replace = list(merges_by_replace(paragraph))
print(len(by_replace), "merges to exhaustion, by symbols", len(tok.merges))

# %% [markdown]
# 179 instead of 187. It goes wrong first at step 5, the merge of `r` and `e`, in the word `before`. By then
# step 2 has made `e</w>` one symbol.

# %%
pair, n, _ = by_replace[4]
text = next(text for text in by_replace[3][2] if text.replace(" ", "") == "before</w>")
print("pair:      ", pair, n)
print("before:    ", text)
print("by replace:", text.replace("r e", "re"))
print("by symbols:", " ".join(reference.apply_merge(text.split(), pair)))

# %% [markdown]
# `str.replace` looks for the three characters `r`, blank, `e` and finds them where a longer symbol *begins* with `e`.
# It sticks `r` to `e</w>`, although `r` and `e</w>` were never the pair. A pair is made of symbols, and text with
# blanks in it has no borders that `replace` would respect.
#
# The list itself shows nothing for a while. Here are the first 30 merges of both, with their counts:

# %%
rows = []
for step, (merge, (pair, n, _)) in enumerate(zip(tok.merges[:30], by_replace, strict=False), 1):
    left = {"step": step, "by symbols": "+".join(map(label, merge[:2])), "count": merge.count}
    right = {"by replace": "+".join(pair), "count ": n}
    same = left["by symbols"] == right["by replace"]
    rows.append(left | right | {" ": "" if same else "differs"})
bpelab.show.table(rows)

# %% [markdown]
# Twelve steps agree. At step 13 the correct trainer takes `o+r` with count 5; the other one has lost an `o+r`
# (in `before`, at step 5) and takes `a+t`. After these 30 merges some of the words are split differently:

# %%
rules = [(merge.left.decode(), merge.right.decode()) for merge in tok.merges[:30]]
correct = ["|".join(reference.encode([*word, "</w>"], rules)) for word in paragraph]
wrong = [text.replace(" ", "|") for text in by_replace[29][2]]
differ = [(a, b) for a, b in zip(correct, wrong, strict=True) if a != b]
print(len(differ), "of", len(paragraph), "words")
bpelab.show.table([{"by symbols": a, "by replace": b} for a, b in differ])

# %% [markdown]
# And the damage doesn't stay in training. Some symbols of the right-hand column were never learned: no
# merge makes them, so they are not in the vocabulary. A tokenizer that applies the 30 merges properly can't
# reproduce what the trainer counted.

# %%
rules = [pair for pair, _, _ in by_replace[:30]]
made = {left + right for left, right in rules} | set("".join(paragraph)) | {"</w>"}
print("never learned:", sorted({symbol for text in wrong for symbol in text.split("|")} - made))
replayed = ["|".join(reference.encode([*word, "</w>"], rules)) for word in paragraph]
print("words not reproduced:", sum(a != b for a, b in zip(replayed, wrong, strict=True)))

# %% [markdown]
# Work on lists of symbols, as `apply_merge` does, and none of this can happen.
#
# ## Japanese: 2,000 sentences without a blank
#
# Each sentence is put together at random from one of six subjects, five places and six actions:
#
# | | |
# |---|---|
# | who | 私は I, 彼は he, 猫が the cat, 犬が the dog, 先生は the teacher, 学生が the student |
# | where | 東京で in Tokyo, 学校で at school, 公園で in the park, 図書館で in the library, 家で at home |
# | does what | 本を読みます reads a book, ご飯を食べます eats a meal, 友達と話します talks with friends, 走ります runs, 勉強します studies, 寝ます sleeps |

# %%
rng = random.Random(0)
who = ["私は", "彼は", "猫が", "犬が", "先生は", "学生が"]
where = ["東京で", "学校で", "公園で", "図書館で", "家で"]
does = ["本を読みます", "ご飯を食べます", "友達と話します", "走ります", "勉強します", "寝ます"]
sentences = [rng.choice(who) + rng.choice(where) + rng.choice(does) + "。" for _ in range(2000)]
print(sentences[:3], len(set(sentences)), "distinct")

# %% [markdown]
# There are no blanks to cut at, so each sentence is one chunk (`chunking="whole"`).

# %%
tok = bpelab.train(sentences, chunking="whole", tie="first")
print(len(tok.characters), "characters,", len(tok.merges), "merges to exhaustion")
print(tok.vocab_size, "vocabulary entries")
bpelab.show.table(tok.merge_table(12))

# %% [markdown]
# The first two merges have count 2,000: every sentence ends in `ます。`, the polite verb ending and the full stop.
# The vocabulary is 40 characters, 249 merges and `<unk>`. The next merges, more briefly, with their counts:

# %%
for at in range(12, 60, 6):
    print("  ".join(f"{label(m.left + m.right)} {m.count}" for m in tok.merges[at : at + 6]))

# %%
sizes = (0, 10, 30, 39, 40, 60, 249)
rows = [{"merges": k, "length": tok.lengths[k]} for k in sizes]
bpelab.show.table([row | {"per sentence": row["length"] / 2000} for row in rows])

# %% [markdown]
# Look at the row of 39 merges: three tokens a sentence. Are they the three parts?

# %%
at_39 = tok.truncate(39)
assert all(len(at_39.encode(sentence)) == 3 for sentence in sentences)
parts = {*who, *where, *(action + "。" for action in does)}
assert {token for sentence in sentences for token in at_39.tokens(sentence)} == parts
print(at_39.tokens(sentences[0]))

# %% [markdown]
# They are. Nobody told the trainer about words; it found them because their characters always stand together. The next
# count drops from 312 to 88: the 40th merge, `学校で本を読みます。` (reads a book at school), is the first that joins
# two parts. From there on the merges learn phrases, and at exhaustion each sentence is one token. With blanks in the
# text, the chunks would have stopped that at the word.
#
# Two sentences after 60 merges: "the cat reads a book in the library" and "the cat read a book at the station". Training
# never saw 駅 (station) nor the past tense ました.

# %%
for sentence in ("猫が図書館で本を読みます。", "猫が駅で本を読みました。"):
    print(tok.truncate(60).tokens(sentence))

# %% [markdown]
# ## Where training stops
#
# There are four ways to end: a number of merges, a vocabulary size, a least frequency, or no pair left.

# %%
rows = []
for options in ({"num_merges": 3}, {"vocab_size": 13}, {"min_frequency": 2}, {}, {"num_merges": 1000}):
    tok = bpelab.train(corpus, **options)
    asked = " ".join(f"{name}={value}" for name, value in options.items()) or "nothing"
    got = {"merges": len(tok.merges), "vocab_size": tok.vocab_size, "last count": tok.merges[-1].count}
    rows.append({"asked": asked} | got)
bpelab.show.table(rows)

# %% [markdown]
# `vocab_size` counts everything: `<unk>`, the nine characters, the merges. So 13 entries are 3 merges. `min_frequency=2`
# ends before the six merges that only spell out `␣newest`. Asking for more merges than there are is no error; training
# ends early. Asking for fewer entries than the base alphabet has is one:

# %%
try:
    bpelab.train(corpus, vocab_size=5)
except ValueError as error:
    print(error)

# %% [markdown]
# ## Slow and fast trainers agree
#
# `reference` recounts all pairs at every step. `bpelab.train` updates only what a merge touches (chapter 06). They
# must give the same merges, counts and lengths, and they do:

# %%
examples = {
    "six chunks": (corpus, {}),
    "aaa and bc": (runs, {"count": "runs"}),
    "four words": (paper, {"end_of_word": "_", "tie": "first"}),
    "49 words": (paragraph, {"end_of_word": "</w>", "tie": "first"}),
    "2,000 sentences": (sentences, {"chunking": "whole", "tie": "first"}),
}
for name, (data, options) in examples.items():
    slow, fast = reference.train(data, **options), bpelab.train(data, **options)
    assert slow == fast and slow.merges == fast.merges and slow.lengths == fast.lengths
    print(f"{name}: {len(fast.merges)} merges, the same")

# %% [markdown]
# ## Real text
#
# The text "parallel" is 480 English sentences and their Japanese versions, written for this book, from news to recipes.
# We train on its `train` part and keep the rest unseen. To use your own text, change one of the two
# lines. The messages of JupyterLab, `bpelab.corpora.text("jupyterlab", "ja", "train")`, work in the same way.

# %%
text_en = bpelab.corpora.text("parallel", "en", "train")
text_ja = bpelab.corpora.text("parallel", "ja", "train")  # or: bpelab.corpora.read("my.txt")

# %% [markdown]
# Each line is a document of its own, so no merge crosses two sentences. What does the trainer get to see?

# %%
rows = []
for name, text in {"English": text_en, "Japanese": text_ja}.items():
    lines, table = text.splitlines(), bpelab.count_chunks(text.splitlines())
    row = {"text": name, "lines": len(lines), "characters": sum(map(len, lines))}
    row |= {"alphabet": len(set("".join(lines))), "chunks": sum(table.values()), "distinct": len(table)}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# In English, 7,094 chunks are 2,877 distinct ones. In Japanese, 442 chunks are 442 distinct ones: nearly every
# line is one chunk, and none comes twice, so the table of chunks saves nothing. The Japanese alphabet is 15 times as
# large.

# %%
english = bpelab.train(text_en.splitlines(), 1000)
japanese = bpelab.train(text_ja.splitlines(), 1000)
some = text_ja.splitlines()[:100]  # the slow trainer needs patience with more
assert reference.train(some, 100).merges == bpelab.train(some, 100).merges
print(english, japanese, sep="\n")

# %%
bpelab.show.table(english.merge_table(15))

# %%
bpelab.show.table(japanese.merge_table(15))

# %% [markdown]
# English starts mostly with beginnings of words: a blank and a letter. By merge 5 it has `␣the`. Japanese starts with
# the ends of phrases and sentences: `は、` (the topic particle "as for" and a comma), `ます。` (polite ending),
# `た。` (past tense), `ない` (not), `して` (doing), `から` (from). A comma or full stop is stuck to the word
# before it, since only a blank ends a chunk here; the split patterns of chapter 01 would keep them apart.
#
# The counts differ by a factor of nine at the top, 1,119 against 124. Later merges:

# %%
rows = []
for k in (100, 250, 500, 750, 1000):
    en, ja = english.merges[k - 1], japanese.merges[k - 1]
    english_side = {"English": label(en.left + en.right), "count": en.count}
    japanese_side = {"Japanese": label(ja.left + ja.right), "count ": ja.count}
    rows.append({"merge": k} | english_side | japanese_side)
bpelab.show.table(rows)

# %% [markdown]
# At merge 1,000 the English pair was seen 3 times, the Japanese pair twice. Where do such late
# tokens come from?

# %%
print(re.findall(r"\w* bak\w*", text_en))
print(re.findall(r"[a-z_]*ort[a-z_]*", text_ja))
print(re.findall(r"\w\w?\w?に指\w", text_ja))

# %% [markdown]
# One *bakery*, one *baker*, one *baking*; a command and a file name inside the Japanese text; two places where に
# happens to stand before 指 (特に指定 "specially designated", 従業員に指示 "instructed the employees"). For a text this
# small, 1,000 merges are many: the late ones learn accidents. Real vocabularies learn from gigabytes.
#
# ## An unseen sentence
#
# A sentence from the `test` part in both languages, after 0, 100, 500 and 1,000 merges, from top to bottom. The small
# number below a token is its id; a token keeps its id when more merges follow.

# %%
pair = bpelab.corpora.pairs("parallel", "test")[18]
for k in (0, 100, 500, 1000):
    display(bpelab.show.tokens(english.truncate(k), pair.en))

# %%
for k in (0, 100, 500, 1000):
    display(bpelab.show.tokens(japanese.truncate(k), pair.ja))

# %%
rows = []
for k in (0, 100, 500, 1000):
    en, ja = english.truncate(k).encode(pair.en), japanese.truncate(k).encode(pair.ja)
    rows.append({"merges": k, "English tokens": len(en), "Japanese tokens": len(ja)})
bpelab.show.table(rows)

# %% [markdown]
# English falls from 81 tokens to 26, Japanese from 25 to 19. After 1,000 merges `␣under`, `␣years` and `␣18` are tokens,
# and so are `未満` (under), `場合` (case) and `する。` (does). Rare words stay in pieces: *guardian* is `gu ard i an`,
# and `保護者` (guardian) is three single characters. How often did training see the two?

# %%
print(text_en.count("guardian"), text_ja.count("保護者"))

# %% [markdown]
# *guardian* never, `保護者` once.
#
# Don't read this as "Japanese needs fewer tokens". The 1,315 characters of its alphabet cost no merge, and
# a single sentence is no measurement. Chapter 08 measures it properly.

# %% [markdown]
# ## What was simplified
#
# - Ties: this chapter used two tie rules and hardly said why. Chapter 05 shows how much they matter.
# - Recounting every pair at each step is far too slow for real corpora. Chapter 06 shows what is done instead.
# - The base alphabet was characters. Characters that training never saw become `<unk>`; chapter 04 starts
#   from bytes and has no unknowns.
# - The 2,000 sentences come from a template of 180. No real text is that regular.
# - "Shorter training text" was the only goal. Whether a model learns better from it is another question.
#
# ## Questions
#
# **1.** A corpus has 500 symbols and the next merge has count 40, its two symbols being different. How long is
# the corpus afterwards, and how much larger is the vocabulary?
#
# <details><summary>Answer</summary>460 symbols; the vocabulary has one entry more. Two places of a pair can
# overlap only when its symbols are equal, so each of the 40 is replaced.</details>
#
# **2.** In `aaaa`, what is the count of `a+a` by "overlap" and by "runs", and how many symbols are left after the
# merge?
#
# <details><summary>Answer</summary>3 and 2. Two symbols are left: aa aa.</details>
#
# **3.** You train for 1,000 merges and then want the tokenizer with 400. Must you train again?
#
# <details><summary>Answer</summary>No. The first 400 merges of the list are the same: a step depends only on the steps
# before it. Use truncate(400).</details>
#
# **4.** Why did `str.replace("r e", "re")` change `b e f o r e</w>`?
#
# <details><summary>Answer</summary>It compares characters, not symbols. The symbol e&lt;/w&gt; begins with e, so the text
# holds "r e" although the pair (r, e) isn't there.</details>
#
# **5.** Why does training on the sentences without blanks end with whole sentences as tokens, and the training on
# `low low low lower lower newest` with words?
#
# <details><summary>Answer</summary>A merge never crosses the border of two chunks. The chunk is the sentence there
# and the word here.</details>
#
# **6.** Runs like `aaa` aside, the pair with the highest count shortens the text most in one step. Why not always in two
# steps?
#
# <details><summary>Answer</summary>A merge uses up its symbols. In "then", merging h e takes the h from t h and the e
# from e n, and those two together would have saved more.</details>
#
# ## Words of this chapter
#
# - **symbol**: an entry of the list that a chunk is cut into; at first a character, later a merge result.
# - **pair**: two symbols that stand side by side in a chunk.
# - **merge**: the rule that a pair becomes one symbol. The **merge list** holds them in learned order.
# - **vocabulary**: `<unk>`, the **base alphabet** (all characters of the training text) and one entry for each merge;
#   the position is the id.
# - **frequency**: how often a chunk occurs; its weight in counting.
# - **tie rule**: what decides among equally frequent pairs.
# - **greedy**: taking the best next step, without looking ahead or back.
# - **exhaustion**: the end of training because no pair is left.
#
# ## Sources
#
# - Philip Gage, "A New Algorithm for Data Compression", The C Users Journal 12(2), 1994: byte-pair encoding as a
#   compression method.
# - Rico Sennrich, Barry Haddow, Alexandra Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016,
#   arXiv:1508.07909: BPE for words, and the four-word example.
# - Vilém Zouhar et al., "A Formal Perspective on Byte-Pair Encoding", 2023, arXiv:2306.16837: how far greedy can be
#   from the best sequence.
# - Philip Whittington, Gregor Bachmann, Tiago Pimentel, "Tokenisation is NP-Complete", 2024, arXiv:2412.15210.
