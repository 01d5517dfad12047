# %% [markdown]
# # 02 Training
#
# After this chapter you have written byte-pair encoding yourself, in twenty
# lines. You know what each merge costs and saves, where training stops, why
# its list isn't the best possible, and how a well-known one-line shortcut
# learns the wrong merges. About 40 minutes, and as long again for the five
# exercises (★ a few minutes' thought, ★★ some code, ★★★ hard). It builds on
# [chapter 01](01_chunking.ipynb).

# %% tags=["setup"]
import random
import re
from collections import Counter
from itertools import pairwise

from IPython.display import display

import bpelab
from bpelab import reference
from bpelab.show import label

# %% [markdown]
# Philip Gage published byte-pair encoding in 1994, to compress files: replace
# the commonest pair of bytes by a byte that isn't used, again and again. In
# 2016 Sennrich, Haddow and Birch took it into machine translation: the pairs
# are joined inside words, and what results is not a shorter file but a
# vocabulary. Language models do the same today.
#
# ## Count
#
# [Chapter 01](01_chunking.ipynb) cut text into *chunks*. Equal chunks behave
# in the same way, so each distinct one is kept once, with its *frequency*: how
# often it occurs. Then it is cut into characters, its first **tokens**.

# %%
corpus = "low low low lower lower newest"
table = bpelab.count_chunks(corpus)
chunks = [(list(chunk), n) for chunk, n in table.items()]
for tokens, n in chunks:
    print(n, tokens)

# %% [markdown]
# The blank belongs to the word after it, so the first `low` and the two later
# ones are different chunks. In tables a blank is drawn as `␣`.
#
# A **pair** is two tokens side by side in a chunk. Which pair is the most
# frequent?


# %%
def count_pairs(chunks):
    counts = Counter()
    for tokens, n in chunks:
        for pair in pairwise(tokens):
            counts[pair] += n
    return counts


counts = count_pairs(chunks)
print({"+".join(map(label, pair)): n for pair, n in counts.items()})

# %% [markdown]
# `l+o` counts 5: 1 from `low`, 2 from `␣low`, 2 from `␣lower`. `o+w` has 5 too.
# A rule has to decide, a **tie rule**: here the pair that sorts first wins.
#
# ## Merge
#
# The winning pair becomes one token, wherever it stands. Go through the chunk
# from left to right; when the last token kept and the next one are the pair,
# join them.


# %%
def merge(tokens, pair):
    kept = []
    for token in tokens:
        if kept and (kept[-1], token) == pair:
            kept[-1] += token
        else:
            kept.append(token)
    return kept


print(merge(list(" lower"), ("l", "o")))

# %% [markdown]
# ## Repeat
#
# Count, pick, merge, until no pair is left. That is the whole of training.


# %%
def learn(chunks):
    while counts := count_pairs(chunks):
        pair = min(counts, key=lambda pair: (-counts[pair], pair))
        chunks = [(merge(tokens, pair), n) for tokens, n in chunks]
        yield pair, counts[pair], chunks


def length(chunks):
    return sum(len(tokens) * n for tokens, n in chunks)


# %%
print("length before any merge:", length(chunks))
rows = []
for step, (pair, n, after) in enumerate(learn(chunks), 1):
    row = {"step": step, "merge": "+".join(map(label, pair)), "count": n}
    row["length"] = length(after)
    for tokens, _ in after:
        row[label("".join(tokens))] = "|".join(map(label, tokens))
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# Read the columns downwards and watch each chunk close up. After step 5 both
# forms of `low` and `␣lower` are one token each. The remaining six merges have
# count 1: they spell out `␣newest`, a chunk seen once.

# %% [markdown] tags=["exercise"]
# **Exercise 02.1** ★ · 4 minutes. Five words and their frequencies: hug 10,
# pug 5, pun 12, bun 4, hugs 5. Which two merges come first, and with which
# counts? Work on paper; the check says where you went astray.

# %% tags=["exercise"]
#: two_merges = ...  # [(left, right, count), (left, right, count)]
# solution
two_merges = [("u", "g", 20), ("u", "n", 16)]
# end
bpelab.exercises.check("02.1", two_merges)

# %% [markdown] tags=["solution"]
# `u+g` stands in hug, pug and hugs: 10 + 5 + 5 = 20. The runner-up was `p+u`
# with 17, but the merge has taken the `u` of pug away, and only the 12 of pun
# are left. `h+ug` has 15. So `u+n`, 12 + 4 = 16, comes second: counts are of
# the text as it is now.

# %% [markdown]
# From here on, a **merge** is the rule "this pair becomes one token", and the
# **merge list**, in the order learned, is what training produces. The
# package's list is the same as that of your twenty lines. (The package is
# faster, see [chapter 06](06_speed.ipynb).)

# %%
tok = bpelab.train(corpus)
ours = [(*pair, n) for pair, n, _ in learn(chunks)]
theirs = [(m.left.decode(), m.right.decode(), m.count) for m in tok.merges]
assert ours == theirs
assert ours == [(*p, n) for p, n, _ in reference.learn_merges(chunks)]
print(len(ours), "merges, the same")

# %% [markdown]
# How did `␣lower` come about? Each blue box is a merge; its number is its
# **rank**, its place in the list.

# %%
bpelab.plot.tree(
    tok, " lower", title="Five merges make ␣lower of six characters"
)

# %% [markdown]
# The same on texts, a step at a time: move the slider, or click and use the
# arrow keys. (`b` and `x` never stood in the training text.)

# %%
samples = ["low lower", "newest lowest", "box lower"]
bpelab.show.stepper(tok.truncate(8), samples)

# %% [markdown]
# `truncate(8)` keeps the first eight merges. They are what training for eight
# would have learned, because a step only looks at what earlier steps did. The
# nine characters of `low lower` shrink to two tokens in five merges; the later
# ones change nothing there. (How a list is used on new text is
# [chapter 03](03_encoding.ipynb).)
#
# ## The vocabulary: an alphabet, then one token for each merge
#
# The **base alphabet** is all characters of the training text. Ids are given
# out in a fixed order: 0 is `<unk>`, which stands for any character that
# training never saw; then the characters, sorted; then what the merges make.

# %%
entries = [f"{i} {label(token)}" for i, token in enumerate(tok.vocab)]
for part in (entries[:10], entries[10:16], entries[16:]):
    print("   ".join(part))
assert tok.vocab_size == 1 + 9 + 11
assert bpelab.train(corpus, 3).merges == tok.merges[:3]

# %% [markdown]
# ## One token more, a text shorter by the count
#
# Every replacement turns two tokens into one. So in the table above the length
# falls by the count, 30 to 25 to 20 to 16, and the vocabulary grows by one.
# That is the trade. It ends at 6, since the text has six chunks.
#
# The exception is a run of equal tokens.

# %%
rows, pair = [], ("a", "a")
for text in ("aaa", "aaaa"):
    counted = {
        rule: reference.count_pairs([(list(text), 1)], rule)[pair]
        for rule in ("overlap", "runs")
    }
    after = "|".join(merge(list(text), pair))
    rows.append({"chunk": text} | counted | {"after the merge": after})
bpelab.show.table(rows)

# %% [markdown]
# In `aaa` the pair `a+a` stands twice, but the two share the middle `a`: count
# 2, saving 1. The usual count, "overlap", promises too much; "runs" counts a
# pair only where it can be replaced.

# %% [markdown] tags=["exercise"]
# **Exercise 02.2** ★ · 4 minutes. Predict, then look below: the chunks `aaa`
# (twice in the text) and `bc` (three times), the usual count, no pair left at
# the end. How long is the text before any merge, and after each?

# %% tags=["exercise"]
#: my_lengths = ...  # a list of numbers
# solution
my_lengths = [12, 10, 7, 5]
# end
bpelab.exercises.check("02.2", my_lengths)

# %% [markdown] tags=["solution"]
# 2 × 3 + 3 × 2 = 12 characters. `a+a` counts 4 and goes first, but in each
# `aaa` only one place can be replaced: 2 tokens are saved, not 4. Then `b+c`
# saves 3, and `aa+a` 2. Five tokens are left, one for each chunk.

# %% [markdown]
# The rule of counting can change what is learned:

# %%
runs, rows = {"aaa": 2, "bc": 3}, []
for rule in ("overlap", "runs"):
    learned = bpelab.train(runs, count=rule)
    for step, m in enumerate(learned.merges, 1):
        name = label(m.left) + "+" + label(m.right)
        row = {"count by": rule, "step": step, "merge": name, "count": m.count}
        row["saved"] = learned.lengths[step - 1] - learned.lengths[step]
        rows.append(row | {"length": learned.lengths[step]})
print("length before any merge:", learned.lengths[0])
bpelab.show.table(rows)

# %% [markdown]
# With overlapping counts `a+a` has 4 and goes first, yet the length falls only
# from 12 to 10; the next merge saves more than the first. Counted by runs,
# `b+c` goes first. Along any list the counts never rise, but under "overlap"
# the savings can. Libraries differ in this rule too:
# [chapter 05](05_ties.ipynb).
#
# *A question in between: 500 tokens, and the next merge, of two different
# tokens, has count 40. How long is the text afterwards?* (Answer 1 below.)
#
# ## An end-of-word marker
#
# These four words stand in the paper of 2016. It marks the *end* of each word
# with a token of its own, here `_`, so that `est` at the end of a word can
# become `est_`. Here, and in the two longer examples that follow, `tie="first"`
# decides among equally frequent pairs: the one that a scan of the corpus meets
# first.

# %%
paper = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
tok = bpelab.train(paper, end_of_word="_", tie="first")
bpelab.show.table(tok.merge_table())

# %%
for word in ("lowest", "newer", "wider"):
    print(word, tok.truncate(10).tokens(word), tok.tokens(word))

# %% [markdown]
# None of the three test words is in the corpus; their tokens are shown after
# 10 merges and after all 15. `lowest` gets two, `low` from *low* and `est_`
# from *newest* and *widest*. `newer` and `wider` keep `e`, `r` and `_` apart:
# the list has no merge `e+r`. It learned the `er` of *lower* only as `low+e`
# and `lowe+r`.
#
# ## Merging with `str.replace` is a bug
#
# The words of a short paragraph about tokenizers, with frequencies:

# %%
in_order = """
neural networks learn useful representations from raw data through repeated
training a tokenizer converts text into sequence of tokens before it is fed
network byte pair encoding one the most common tokenization algorithms used in
modern based language models requires large amount and resulting vocabulary
reflects statistical structure that
"""
paragraph = dict.fromkeys(in_order.split(), 1)
paragraph |= {"neural": 3, "raw": 2, "training": 2, "a": 5, "tokenizer": 2}
paragraph |= {"text": 3, "into": 2, "of": 4, "is": 2, "network": 2, "the": 3}
tok = bpelab.train(paragraph, end_of_word="</w>", tie="first")
print(len(paragraph), "words,", len(tok.merges), "merges to exhaustion")

# %% [markdown]
# (**Exhaustion** means that no pair is left.) A well-known shortcut keeps each
# word as text with blanks between its tokens, and lets `str.replace` do the
# merge.


# %%
def replaced(text, pair):
    return text.replace(" ".join(pair), "".join(pair))


def merges_in_text(join):
    texts = {" ".join([*word, "</w>"]): n for word, n in paragraph.items()}
    while counts := count_pairs([(t.split(), n) for t, n in texts.items()]):
        pair = max(counts, key=counts.get)  # the first seen, as tie="first"
        texts = {join(text, pair): n for text, n in texts.items()}
        yield pair, counts[pair], texts


# %%
by_replace = list(merges_in_text(replaced))
pair, n, _ = by_replace[4]
texts = by_replace[3][2]
text = next(t for t in texts if t.replace(" ", "") == "before</w>")
print(len(by_replace), "merges by str.replace; the fifth:", pair, n)
print("before:    ", text)
print("by replace:", replaced(text, pair))
print("by tokens: ", " ".join(merge(text.split(), pair)))

# %% [markdown]
# It ends with 179 merges instead of 187, and goes wrong first at step 5, in
# *before*. `str.replace` looks for the three characters `r`, blank, `e` and
# finds them where a longer token *begins* with `e`. It sticks `r` to `e</w>`,
# although `r` and `e</w>` were never the pair. The list shows nothing for a
# while:

# %%
rows = []
for step in range(11, 15):
    m, (pair, n, _) = tok.merges[step], by_replace[step]
    row = {"step": step + 1, "by tokens": label(m.left) + "+" + label(m.right)}
    row |= {"count": m.count, "by replace": "+".join(pair), "count ": n}
    rows.append(row)
bpelab.show.table(rows)

# %%
rules = [pair for pair, _, _ in by_replace[:30]]
made = {a + b for a, b in rules} | set("".join(paragraph)) | {"</w>"}
used = {token for text in by_replace[29][2] for token in text.split()}
print("in the text after 30 merges, never learned:", sorted(used - made))

# %% [markdown]
# Twelve steps agree. At step 13 the right trainer takes `o+r` with count 5;
# the other has lost an `o+r` in *before*. Worse, its text holds tokens that no
# merge makes: they aren't in the vocabulary. Work on lists of tokens, and none
# of this can happen. Sennrich's own code does merge in the text, with a regular
# expression, and learns the right list.

# %% [markdown] tags=["exercise"]
# **Exercise 02.3** ★★ · 8 minutes. Repair `replaced` in one line. `text` is
# tokens with a blank between them, `pair` two tokens; the words may hold any
# characters, such as `a.b` and `c++`.


# %% tags=["exercise"]
def repaired(text, pair):
    """`text` with the two tokens joined, wherever both stand whole."""
    #: ...
    # solution
    whole = rf"(?<!\S){re.escape(' '.join(pair))}(?!\S)"
    return re.sub(whole, lambda _: "".join(pair), text)
    # end


bpelab.exercises.check("02.3", repaired)

# %% [markdown] tags=["solution"]
# *Lookarounds*: before and after the pair there must be a blank or nothing,
# and a lookaround doesn't use that blank up, so the next place can need it too.
# `re.escape` takes `.` and `+` as they are; a function as the replacement does
# the same for a backslash. Or leave the text alone:
# `" ".join(merge(text.split(), pair))`. Both learn all 187 merges of the list
# version; Sennrich's code is like the first.

# %% [markdown]
# ## Training is greedy: it never looks back
#
# Each step takes the best pair of the moment and undoes nothing. Is the best
# first step also the start of the best two? Four words are enough to find out:
# try every possible first merge with every possible second one.

# %%
four = {"then": 2, "he": 3, "path": 2, "pen": 2}
four = [(list(word), n) for word, n in four.items()]
print("length before any merge:", length(four))
print({"+".join(pair): n for pair, n in count_pairs(four).items()})

# %%
rows = []
for first in count_pairs(four):
    once = [(merge(tokens, first), n) for tokens, n in four]
    for second in count_pairs(once):
        twice = [(merge(tokens, second), n) for tokens, n in once]
        row = {"length": length(twice), "first": "+".join(first)}
        rows.append(row | {"second": "+".join(second)})
rows.sort(key=lambda row: row["length"])
greedy = [length(after) for _, _, after in learn(four)][1]
print("greedy:", greedy, "  best of", len(rows), "ways:", rows[0]["length"])
bpelab.show.table(rows[:3])

# %% [markdown]
# `h+e` has the highest count, 5. Taking it breaks `t+h` and `e+n` apart inside
# `then`, so each is left with 2. Starting with `t+h` saves only 4, but leaves
# `e+n` whole, which saves 4 more: 20 against 21.
#
# Greedy training doesn't promise the shortest text. Finding the best sequence
# of merges is hard (NP-complete, and even hard to come arbitrarily close to);
# greedy is proved to save at least a third of what the best sequence would
# save (the sources say where).

# %% [markdown] tags=["exercise"]
# **Exercise 02.4** ★★★ · 15 minutes. Find a corpus where greedy loses *two*
# tokens: at most five words (60 letters in all) in which its two merges leave
# at least two tokens more than the best two, whichever of equally frequent
# pairs it takes. Write it as a dict from word to frequency.

# %% tags=["exercise"]
#: my_words = ...
# solution
my_words = {"then": 3, "he": 4, "path": 3, "pen": 3}
# end
bpelab.exercises.check("02.4", my_words)

# %% [markdown] tags=["solution"]
# Let the frequencies be *a* of then, *b* of he, *c* of path, *d* of pen.
# `h+e` saves *a* + *b*, and after it no pair saves more than the largest of
# *a*, *c*, *d*. `t+h` and `e+n` don't touch each other and save *a* + *c* and
# *a* + *d*. With *a* = *c* = *d* = 3, and *b* = 4 to make `h+e` the first
# choice, that is 10 against 12.

# %% [markdown]
# ## Japanese: 2,000 sentences without a blank
#
# Each sentence is put together at random from one of six subjects, five places
# and six actions:
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
does = ["本を読みます", "ご飯を食べます", "友達と話します"]
does += ["走ります", "勉強します", "寝ます"]
parts = (who, where, does)
sentences = ["".join(map(rng.choice, parts)) + "。" for _ in range(2000)]
print(sentences[:2], len(set(sentences)), "distinct")
tok = bpelab.train(sentences, chunking="whole", tie="first")
print(len(tok.characters), "characters,", len(tok.merges), "merges")
bpelab.show.table(tok.merge_table(5))

# %% [markdown]
# Each sentence is one chunk (`chunking="whole"`). The first two merges have
# count 2,000: every sentence ends in `ます。`, the polite verb ending and the
# full stop. How does the text shrink after that?

# %%
bpelab.plot.lengths(
    tok.lengths,
    mark=39,
    note="39 merges: three tokens a sentence",
    title="After the 39th merge, each merge saves far less",
)

# %%
rows = []
for k in (0, 10, 30, 38, 39, 40, 41, 60, 249):
    m = tok.merges[k - 1] if k else None
    row = {"merges": k, "last token": label(m.left + m.right) if k else ""}
    row |= {"its count": m.count if k else "", "length": tok.lengths[k]}
    rows.append(row | {"per sentence": tok.lengths[k] / 2000})
bpelab.show.table(rows)

# %% [markdown]
# The curve bends at 39. The count drops from 312 to 88 from one merge to the
# next, and the text has exactly three tokens a sentence. Are they the three
# parts?

# %%
at_39 = tok.truncate(39)
assert all(len(at_39.encode(sentence)) == 3 for sentence in sentences)
known = {*who, *where, *(action + "。" for action in does)}
assert {t for s in sentences for t in at_39.tokens(s)} == known
print(at_39.tokens(sentences[0]))

# %% [markdown]
# They are. Nobody told the trainer about words; it found them because their
# characters always stand together. The 40th merge, `学校で本を読みます。` (reads a
# book at school), is the first that joins two parts. From there on it learns
# phrases, and at exhaustion each sentence is one token.
#
# Two sentences after 60 merges: "the cat reads a book in the library" and "the
# cat read a book at the station". Training never saw 駅 (station) nor the た of
# the past tense ました.

# %%
for sentence in ("猫が図書館で本を読みます。", "猫が駅で本を読みました。"):
    print(tok.truncate(60).tokens(sentence))
    print(tok.truncate(60).encode(sentence))

# %% [markdown]
# Both unknown characters get id 0, `<unk>`: what they were is lost.
#
# ## Where training stops
#
# There are four ways to end: a number of merges, a vocabulary size, a least
# frequency, or no pair left.

# %%
ways = ({"num_merges": 3}, {"vocab_size": 13}, {"min_frequency": 2})
rows = []
for options in (*ways, {"num_merges": 1000}):
    small = bpelab.train(corpus, **options)
    asked = " ".join(f"{name}={value}" for name, value in options.items())
    row = {"asked": asked, "merges": len(small.merges)}
    rows.append(row | {"vocab_size": small.vocab_size})
bpelab.show.table(rows)

# %% [markdown]
# `vocab_size` counts everything, `<unk>` and the characters too: 13 tokens are
# 3 merges. `min_frequency=2` leaves out the six merges that only spell
# `␣newest`. Asking for more merges than there are is no error.

# %% [markdown] tags=["exercise"]
# **Exercise 02.5** ★★ · 15 minutes. Write the trainer yourself, without looking
# at the cells above. `words` maps chunks to frequencies; the result is a list
# of (left, right, count): `num_merges` merges, fewer if no pair is left. Count
# and break ties as `learn` does. The check compares 200 corpora.


# %% tags=["exercise"]
def my_train(words, num_merges):
    """my_train({"low": 3}, 1) is [("l", "o", 3)]"""
    #: ...
    # solution
    chunks, merges = [(list(word), n) for word, n in words.items()], []
    while len(merges) < num_merges:
        counts = Counter()
        for tokens, n in chunks:
            for pair in pairwise(tokens):
                counts[pair] += n
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append((*best, counts[best]))
        for tokens, _ in chunks:
            for i in range(len(tokens) - 1):
                if tuple(tokens[i : i + 2]) == best:
                    tokens[i : i + 2] = ["".join(best)]
    return merges
    # end


bpelab.exercises.check("02.5", my_train)

# %% [markdown] tags=["solution"]
# Each chunk's frequency weighs all its pairs; a chunk keeps a list of its own,
# so nothing crosses its border; a joined pair is one token, which the loop has
# passed, so the middle of `aaa` isn't used twice (the last rounds of the inner
# loop look behind the shortened list and find nothing).

# %% [markdown]
# ## Real text

# %%
source = "parallel"  # or a file of yours: "my.txt"

# %%
sides = bpelab.corpora.languages(source)[:2] or [None]  # None: a plain file


def sentences_of(split):
    texts = {s or "text": bpelab.corpora.text(source, s, split) for s in sides}
    return {name: bpelab.corpora.lines(text) for name, text in texts.items()}


# %%
train, test = sentences_of("train"), sentences_of("test")
trained = {name: bpelab.train(lines, 1000) for name, lines in train.items()}
for name, lines in train.items():
    counted = bpelab.count_chunks(lines)
    print(name, sum(counted.values()), "chunks,", len(counted), "distinct")
    print("  ", trained[name])

# %% [markdown]
# Each line is a document of its own, so no merge crosses two sentences. In the
# shipped English most chunks come again; in Japanese nearly every line is one
# chunk and comes once. Your twenty lines agree with the package here too; to
# save time, on a hundred lines:

# %%
for name, lines in train.items():
    some = bpelab.count_chunks(lines[:100])
    slow = learn([(list(chunk), n) for chunk, n in some.items()])
    fast = bpelab.train(some, 50).merges
    for m, (pair, n, _) in zip(fast, slow, strict=False):
        assert (m.left.decode(), m.right.decode(), m.count) == (*pair, n)
    print(name, len(fast), "merges of 100 lines, the same")

# %%
rows = []
for k in (*range(1, 11), 100, 250, 500, 1000):
    row = {"merge": k}
    for name, tok in trained.items():
        m = tok.merges[k - 1] if k <= len(tok.merges) else None
        row[name] = label(m.left + m.right) if m else ""
        row[f"{name} count"] = m.count if m else ""
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# On the shipped text, English starts with beginnings of words, a blank and a
# letter, and soon has `␣the`. Japanese starts with the ends of phrases and
# sentences: `ます。` (polite ending), `た。` (past), `は、` ("as for" and a comma),
# `して` (doing), `ない` (not). A full stop sticks to the word before it, since only a blank
# ends a chunk here; the patterns of [chapter 01](01_chunking.ipynb) would keep
# them apart.
#
# The late merges rest on few places. For a text this small, 1,000
# merges are many: the late ones learn accidents. Real vocabularies learn from
# gigabytes.
#
# An unseen sentence after 0, 100 and all merges, from top to bottom; the small
# number is the id:

# %%
for name, tok in trained.items():
    for k in (0, 100, len(tok.merges)):
        for line in test[name][18:19] or test[name][:1]:
            display(
                bpelab.show.tokens(tok.truncate(min(k, len(tok.merges))), line)
            )

# %%
rows = []
for k in (0, 100, 250, 500, 1000):
    row = {"merges": k}
    for name, tok in trained.items():
        curve = tok.curve(test[name])
        row[f"{name}: test tokens"] = int(curve[min(k, len(curve) - 1)])
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# The test text shrinks too, the first merges saving most. Don't read the
# shorter Japanese as "Japanese needs fewer tokens": its alphabet of thousands
# of characters costs no merge here. [Chapter 08](08_japanese_and_english.ipynb)
# measures it properly.
#
# ## What was simplified
#
# - Ties: this chapter used two tie rules and hardly said why.
#   [Chapter 05](05_ties.ipynb) shows how much they matter.
# - Recounting every pair at each step is far too slow for real corpora.
#   [Chapter 06](06_speed.ipynb) shows what is done instead.
# - The base alphabet was characters. Characters that training never saw become
#   `<unk>`; [chapter 04](04_bytes.ipynb) starts from bytes and has no unknowns.
# - The 2,000 sentences come from a template that can make 180. No real text is that
#   regular.
# - "Shorter text" was the only goal. Whether a model learns better from it is
#   another question.
#
# ## Questions
#
# **1.** A corpus has 500 tokens and the next merge has count 40, its two tokens
# being different. How long is the corpus afterwards, and how much larger is
# the vocabulary?
#
# <details><summary>Answer</summary>
#
# 460 tokens; one more in the vocabulary. Two places of a pair can overlap only
# when its tokens are equal, so each of the 40 is replaced.
#
# </details>
#
# **2.** You train for 1,000 merges and then want the tokenizer with 400. Must
# you train again?
#
# <details><summary>Answer</summary>
#
# No. A step depends only on the steps before it. Use `truncate(400)`.
#
# </details>
#
# **3.** Why does training on the sentences without blanks end with whole
# sentences as tokens, and the training on `low low low lower lower newest`
# with words?
#
# <details><summary>Answer</summary>
#
# A merge never crosses the border of two chunks. The chunk is the sentence
# there and the word here.
#
# </details>
#
# **4.** Runs like `aaa` aside, the pair with the highest count shortens the
# text most in one step. Why not always in two steps?
#
# <details><summary>Answer</summary>
#
# A merge uses up its tokens. In *then*, merging h e takes the h from t h and
# the e from e n, and those two together would have saved more.
#
# </details>
#
# ## Words of this chapter
#
# Token, pair, merge, merge list, rank, vocabulary, base alphabet, frequency,
# tie rule, greedy, exhaustion, end-of-word marker: see the
# [glossary](glossary.md).
#
# ## Sources
#
# - P. Gage: *A New Algorithm for Data Compression*, The C Users Journal 12(2),
#   1994.
# - R. Sennrich, B. Haddow, A. Birch: *Neural Machine Translation of Rare Words
#   with Subword Units*, 2016,
#   [arXiv:1508.07909](https://arxiv.org/abs/1508.07909): BPE for words, and the
#   four-word example. Their code, with the regular expression:
#   [subword-nmt](https://github.com/rsennrich/subword-nmt).
# - V. Zouhar and others: *A Formal Perspective on Byte-Pair Encoding*, 2023,
#   [arXiv:2306.16837](https://arxiv.org/abs/2306.16837): a bound for greedy
#   from the curvature measured on data.
# - L. Kozma, J. Voderholzer: *Theoretical Analysis of Byte-Pair Encoding*,
#   2024, [arXiv:2411.08671](https://arxiv.org/abs/2411.08671): in the
#   worst case greedy saves at least a third and at most five eighths of what
#   the best sequence saves; the problem is APX-complete.
# - P. Whittington, G. Bachmann, T. Pimentel: *Tokenisation is NP-Complete*,
#   2024, [arXiv:2412.15210](https://arxiv.org/abs/2412.15210).
