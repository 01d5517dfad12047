# %% [markdown]
# # Build your own: GPT-2's tokenizer from an empty file
#
# Six steps from nothing to a tokenizer that gives the same ids as GPT-2's on
# any text, and a seventh to train a large one. You write every function
# yourself, with Python and the package `regex`; each step uses what the steps
# before it made. After each step a check tries your functions on inputs that
# you don't see, and shows the first one on which they fail.
#
# You need chapters [01](01_chunking.ipynb) to [05](05_ties.ipynb). The minutes
# are estimates for somebody who has read them; a weekend is enough for all.
#
# | you write | builds on | minutes |
# |---|---|---|
# | 1. `count_pairs`, `merge` | [chapter 02](02_training.ipynb), "Count" and "Merge" | 25 |
# | 2. `train` | [chapter 02](02_training.ipynb), "Repeat" | 30 |
# | 3. `encode` | [chapter 03](03_encoding.ipynb), "Three ways to encode" | 30 |
# | 4. `byte_characters`, `visible`, `text_of` | [chapter 04](04_bytes.ipynb), on Ġ | 40 |
# | 5. `split`, `numbered` | [chapter 01](01_chunking.ipynb), on GPT-2's pattern | 45 |
# | 6. the class `GPT2` | [chapter 04](04_bytes.ipynb), on special tokens | 60 |
# | 7. `train_fast` | [chapter 06](06_speed.ipynb), if you like | 120 |
#
# How to work: read the step, close the chapters, replace `...` by code, run the
# cell. `○` means not written yet, `✗` is followed by a call, what it gave and
# what was wanted, `●` means right. Run the failing call in a cell of your own
# and print what happens in between. Only then open a hint; they go from a
# nudge to nearly the code. Whole solutions are in
# [their own notebook](solutions/build_your_own.ipynb).

# %% tags=["setup"]
from itertools import pairwise

import bpelab

# %% [markdown]
# ## Step 1: count pairs, and merge one
#
# *25 minutes. Builds on nothing but lists and dicts.*
#
# A **word** here is a pair `(tokens, n)`: a list of str, and how often this
# word occurs. The tokens are single characters at first, and grow.
#
# - `count_pairs(words)`: a dict from each pair `(left, right)` of neighbours to
#   the number of times it stands in all words. In `aaa` the pair `a+a` stands
#   twice. No pair reaches from one word into the next.
# - `merge(tokens, pair)`: a new list in which each place of the pair has become
#   one token, from left to right.
#
# <details><summary>Hint 1: counting</summary>
#
# `pairwise(tokens)`, imported above, gives each token with its right neighbour.
# How much does a pair count in a word that occurs n times?
#
# </details>
# <details><summary>Hint 2: merging</summary>
#
# Walk with an index that steps by one, and by two after a merge. A `for` loop
# over places can't skip one; a `while` loop can.
#
# </details>
# <details><summary>Hint 3: merging without an index</summary>
#
# Keep a list of what is done. Take the tokens one by one: if the last one kept
# and the new one are the pair, replace the last one by both together. (A
# token that was just made is longer than the pair's left part, so it isn't used
# again.)
#
# </details>


# %% tags=["exercise"]
def count_pairs(words):
    """How often each pair of neighbours stands in the words.

    >>> count_pairs([(["l", "o", "w"], 3), (["l", "o"], 2)])
    {('l', 'o'): 5, ('o', 'w'): 3}
    """
    #: ...
    # solution
    counts = {}
    for tokens, n in words:
        for pair in pairwise(tokens):
            counts[pair] = counts.get(pair, 0) + n
    return counts
    # end


def merge(tokens, pair):
    """The tokens with each place of the pair joined, from left to right.

    >>> merge(["l", "o", "w", "l", "o"], ("l", "o"))
    ['lo', 'w', 'lo']
    """
    #: ...
    # solution
    done = []
    for token in tokens:
        if done and (done[-1], token) == pair:
            done[-1] += token
        else:
            done.append(token)
    return done
    # end


bpelab.exercises.check("build.1", (count_pairs, merge))

# %% [markdown] tags=["solution"]
# The loop over `done` never merges a token that it has just made, since that is
# longer than the left part of the pair: in `a a a` the first two become `aa`, and `(aa, a)` isn't
# the pair.

# %% [markdown]
# ## Step 2: train
#
# *30 minutes. Builds on step 1.*
#
# `train(chunks, num_merges)` learns merges. `chunks` is a dict from a str to
# how often it occurs. Cut each into its characters; then count the pairs, take
# the most frequent, merge it in all words, and count again, until there are
# `num_merges` merges or no pair is left. Among equally frequent pairs take the
# one that sorts first, as [chapter 05](05_ties.ipynb) calls *lexicographic*.
# Return the pairs in the order in which you learned them.
#
# <details><summary>Hint 1: the shape</summary>
#
# Before the loop, make `words` as step 1 wants them. In the loop, three lines:
# count, choose, merge all.
#
# </details>
# <details><summary>Hint 2: the tie</summary>
#
# `max(counts, key=counts.get)` takes the first that it meets, which is another
# rule. One `min` can say "largest count, and then smallest pair", if the key is
# a tuple and the count has a minus sign.
#
# </details>
# <details><summary>Hint 3: the end</summary>
#
# `min` of an empty dict raises ValueError. When is `counts` empty?
#
# </details>


# %% tags=["exercise"]
def train(chunks, num_merges):
    """The merges, in the order learned.

    >>> train({"low": 3, "lower": 2}, 2)
    [('l', 'o'), ('lo', 'w')]
    """
    #: ...
    # solution
    words, merges = [(list(chunk), n) for chunk, n in chunks.items()], []
    while len(merges) < num_merges and (counts := count_pairs(words)):
        pair = min(counts, key=lambda pair: (-counts[pair], pair))
        words = [(merge(tokens, pair), n) for tokens, n in words]
        merges.append(pair)
    return merges
    # end


bpelab.exercises.check("build.2", train)

# %% [markdown]
# ## Step 3: encode by rank
#
# *30 minutes. Builds on step 1.*
#
# The **rank** of a pair is its place in the list of merges. `encode(tokens,
# ranks)` gets a chunk as a list of characters and a dict from pair to rank. Of
# all pairs that stand in the chunk it merges the one with the lowest rank, and
# looks again, until no pair in it has a rank.
#
# Don't walk down the whole list: GPT-2's has 50,000 merges, and a chunk has a
# few pairs. The check notices.
#
# <details><summary>Hint 1: the question to ask in each round</summary>
#
# Which of the pairs of `pairwise(tokens)` are in `ranks`? If none, you are done.
#
# </details>
# <details><summary>Hint 2: the lowest rank</summary>
#
# `min(pairs, key=ranks.get)`. What does `ranks.get` give for a pair that isn't
# there, and what does `min` say to it? Leave such pairs out first.
#
# </details>


# %% tags=["exercise"]
def encode(tokens, ranks):
    """The tokens of a chunk.

    >>> encode(["l", "o", "w", "s"], {("l", "o"): 0, ("lo", "w"): 1})
    ['low', 's']
    """
    #: ...
    # solution
    while True:
        pairs = set(pairwise(tokens))
        known = [pair for pair in pairs if pair in ranks]
        if not known:
            return tokens
        tokens = merge(tokens, min(known, key=ranks.get))
    # end


bpelab.exercises.check("build.3", encode)

# %% [markdown] tags=["solution"]
# Each round looks up as many pairs as the chunk has, and makes it shorter. For
# the lists that training makes this gives the same as replaying all merges.

# %% [markdown]
# ## Step 4: bytes, and Ġ
#
# *40 minutes. Builds on UTF-8 and nothing you have written so far.*
#
# GPT-2 merges bytes, so that no text is unknown. Its files write each byte as a
# character that can be seen. Then tokens are str, and your functions of steps
# 1 to 3 work as they are.
#
# - `byte_characters()`: a dict from each of the 256 bytes (int) to a character.
#   The bytes from `!` to `~`, from `¡` to `¬` and from `®` to `ÿ` stand for the
#   characters with these numbers. The others can't be seen: in their order, they
#   get the characters number 256, 257, 258 and so on. So the blank, byte 32, is
#   `Ġ`, number 288.
# - `visible(chunk)`: the bytes of a str in UTF-8, each as its character.
# - `text_of(tokens)`: the text of a list of such tokens. Tokens may end inside of
#   a character; what isn't UTF-8 at the end of it all becomes `�`.
#
# <details><summary>Hint 1: the table</summary>
#
# Two passes are easiest to read. First the bytes that stand for themselves:
# three ranges of `range`, with `ord` for their ends. Then the rest, with a
# counter that starts at 256. The byte between `¬` and `®`, 173, is a soft hyphen
# and belongs to the rest.
#
# </details>
# <details><summary>Hint 2: from a text to characters</summary>
#
# `chunk.encode()` is a sequence of ints.
#
# </details>
# <details><summary>Hint 3: from characters to a text</summary>
#
# Turn the table round. Join all tokens to one str, look up each character,
# make `bytes(...)` of the list, and decode once: `.decode(errors="replace")`.
# Decoding token by token loses characters that lie in two tokens.
#
# </details>


# %% tags=["exercise"]
def byte_characters():
    """byte -> character, for 256 bytes.

    >>> byte_characters()[32], byte_characters()[33]
    ('Ġ', '!')
    """
    #: ...
    # solution
    ends = ("!~", "¡¬", "®ÿ")
    seen = [b for a, z in ends for b in range(ord(a), ord(z) + 1)]
    table = {byte: chr(byte) for byte in seen}
    for byte in range(256):
        if byte not in table:
            table[byte] = chr(256 + len(table) - len(seen))
    return table
    # end


def visible(chunk):
    """A text as byte characters.

    >>> visible(" é")
    'ĠÃ©'
    """
    #: ...
    # solution
    return "".join(TABLE[byte] for byte in chunk.encode())
    # end


def text_of(tokens):
    """The text that tokens of byte characters stand for.

    >>> text_of(["Ġ", "Ã", "©"])
    ' é'
    """
    #: ...
    # solution
    codes = bytes(BACK[character] for character in "".join(tokens))
    return codes.decode(errors="replace")


TABLE = byte_characters()
BACK = {character: byte for byte, character in TABLE.items()}
# end

bpelab.exercises.check("build.4", (byte_characters, visible, text_of))

# %% [markdown]
# ## Step 5: GPT-2's pattern, and ids
#
# *45 minutes. Builds on steps 3 and 4.*
#
# From here on you use what GPT-2 was published with: `ranks`, from a pair of
# tokens to its rank, and `vocab`, from a token to its id. Both are written in
# byte characters, as yours are.

# %% tags=["setup"]
from bpelab.spelling import byte_level

published = bpelab.vocabularies.tokenizer("gpt2")
both = [(byte_level(m.left), byte_level(m.right)) for m in published.merges]
ranks = {pair: rank for rank, pair in enumerate(both)}
tokens = bpelab.vocabularies.tokens("gpt2")
vocab = {byte_level(token): i for i, token in enumerate(tokens)}
special = dict(published.special_tokens)
print(len(ranks), "ranks, the first:", list(ranks)[:4])
print(len(vocab), "tokens;", special)

# %% [markdown]
# `split(text)` cuts a text into chunks. Write a pattern for `regex.findall`; at
# each place the first alternative that fits is taken:
#
# 1. an apostrophe with one of s, t, re, ve, m, ll, d after it (small letters);
# 2. letters of any script, and one blank before them if there is one;
# 3. numerals of any kind, likewise;
# 4. characters that are neither white space nor letter nor numeral, likewise;
# 5. white space that nothing but white space follows: of a run before a word it
#    leaves the last character;
# 6. any other white space.
#
# `numbered(text)` is everything so far: split; spell each chunk with `visible`;
# `encode` its characters by `ranks`; look each token up in `vocab`. One list of
# ids for the whole text.
#
# <details><summary>Hint 1: kinds of characters</summary>
#
# In `regex`, `\p{L}` is a letter and `\p{N}` a numeral; `\s` is white space; a
# `^` at the start of brackets means "none of these". An optional blank is ` ?`.
#
# </details>
# <details><summary>Hint 2: findall gives strange pieces?</summary>
#
# With round brackets, `findall` returns what is inside of them only. Write
# `(?:...)` for brackets that just group.
#
# </details>
# <details><summary>Hint 3: white space before a word</summary>
#
# `\s+(?!\S)`: as much white space as can be had so that no other character
# follows. Before a word that gives up the last one, which the word then takes,
# or, if it isn't a blank, alternative 6: `\s+`.
#
# </details>
# <details><summary>Hint 4: the pattern, nearly</summary>
#
# `'(?:s|t|…)| ?\p{L}+| ?\p{N}+|…|\s+(?!\S)|\s+`, in a raw string: `r"…"`.
#
# </details>

# %% tags=["exercise"]
import regex


def split(text):
    """The chunks of a text, which join to it.

    >>> split("It's  me")
    ['It', "'s", ' ', ' me']
    """
    #: ...
    # solution
    ending = r"'(?:s|t|re|ve|m|ll|d)"
    runs = r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+"
    return regex.findall(rf"{ending}|{runs}|\s+(?!\S)|\s+", text)
    # end


def numbered(text):
    """GPT-2's ids of a text.

    >>> numbered("Hello world")
    [15496, 995]
    """
    #: ...
    # solution
    chunks = [list(visible(chunk)) for chunk in split(text)]
    return [vocab[token] for chunk in chunks for token in encode(chunk, ranks)]
    # end


bpelab.exercises.check("build.5", (split, numbered))

# %% [markdown]
# ## Step 6: special tokens, and the whole
#
# *60 minutes. Builds on everything.*
#
# Put it together in a class without the global names `ranks` and `vocab`.
#
# - `GPT2(ranks, vocab, special)`: `special` is a dict from a name such as
#   `<|endoftext|>` to its id.
# - `encode(text, allowed_special=())`: the ids. Where a name stands in the text
#   and is in `allowed_special`, it becomes its id, and the parts before and
#   after it are cut by themselves. Any other name is text like any other.
# - `decode(ids)`: the text. A special id becomes its name.
#
# The check compares you with tiktoken on texts in English, Japanese and Python.
#
# <details><summary>Hint 1: finding the names</summary>
#
# `regex.split` with brackets around the pattern returns the names between the
# parts. Names hold `|`, which means "or" in a pattern: `regex.escape(name)`.
#
# </details>
# <details><summary>Hint 2: no name is allowed</summary>
#
# A pattern made from no names is empty and fits everywhere. Treat that case
# first.
#
# </details>
# <details><summary>Hint 3: decoding</summary>
#
# Turn `vocab` and `special` round into one dict from id to token, once, in
# `__init__`. `text_of` does the rest: the characters of `<|endoftext|>` stand
# for themselves.
#
# </details>
# <details><summary>Hint 4: slow?</summary>
#
# The same chunks come again and again. Keep the ids of each chunk in a dict.
#
# </details>


# %% tags=["exercise"]
class GPT2:
    """A tokenizer with GPT-2's ids.

    >>> gpt2 = GPT2(ranks, vocab, special)
    >>> gpt2.encode("Hi<|endoftext|>", allowed_special=["<|endoftext|>"])
    [17250, 50256]
    >>> gpt2.decode([17250, 50256])
    'Hi<|endoftext|>'
    """

    def __init__(self, ranks, vocab, special):
        #: ...
        # solution
        self.ranks, self.vocab, self.special = ranks, vocab, special
        self.token_of = {i: t for t, i in (vocab | special).items()}
        self.known = {}
        # end

    def encode(self, text, allowed_special=()):
        #: ...
        # solution
        names = [name for name in self.special if name in allowed_special]
        if not names:
            return self.encode_ordinary(text)
        ids, either = [], "|".join(map(regex.escape, names))
        for part in regex.split(f"({either})", text):
            if part in names:
                ids.append(self.special[part])
            else:
                ids += self.encode_ordinary(part)
        return ids
        # end

    def decode(self, ids):
        #: ...
        # solution
        return text_of([self.token_of[i] for i in ids])

    def encode_ordinary(self, text):
        return [i for chunk in split(text) for i in self.encode_chunk(chunk)]

    def encode_chunk(self, chunk):
        if chunk not in self.known:
            found = encode(list(visible(chunk)), self.ranks)
            self.known[chunk] = [self.vocab[token] for token in found]
        return self.known[chunk]
        # end


bpelab.exercises.check("build.6", GPT2)

# %% [markdown]
# That is a whole tokenizer, in about a hundred lines. For the vocabularies of
# today the pattern and the lists are others; the algorithm is the same.
#
# ## Step 7, the extra mile: a fast trainer
#
# *120 minutes. Builds on steps 1 and 2;
# [chapter 06](06_speed.ipynb) has all of it.*
#
# `train` counts all words again after each merge, though most of them haven't
# changed. `train_fast(chunks, num_merges)` returns the same merges, ties
# included, and looks only where something changes. The check compares it with
# recounting on random corpora. Then it counts your work by how often tokens are
# hashed, as each look-up of a pair in a dict does: at most a fifth of what
# recounting takes is wanted. Seconds aren't measured. (To be counted, use the
# tokens themselves in the keys, and join them by `left + right`.)
#
# <details><summary>Hint 1: what to remember</summary>
#
# Beside the words: the counts of all pairs, and for each pair the numbers of the
# words that hold it. Both are made once, at the start.
#
# </details>
# <details><summary>Hint 2: what a merge changes</summary>
#
# Only the words that hold the pair. For each of them take its pairs out of the
# counts, merge, and put its new pairs in. Note the word under its new pairs. Old
# notes may stay: a word that no longer holds the pair just isn't changed.
#
# </details>
# <details><summary>Hint 3: the most frequent pair</summary>
#
# Looking through all counts in each step is a part of the work that is left.
# `heapq` keeps `(-count, pair)` with the smallest first. When a count changes,
# push the pair again. When you pop an entry whose count is no longer true, throw
# it away.
#
# </details>
# <details><summary>Hint 4: too many entries in the heap?</summary>
#
# Push only pairs whose counts changed in this merge, once for each, after all
# words are done.
#
# </details>

# %% tags=["exercise"]
# solution
from heapq import heapify, heappop, heappush


# end
def train_fast(chunks, num_merges):
    """What `train` returns, with less work."""
    #: ...
    # solution
    words = [list(chunk) for chunk in chunks]
    weights = list(chunks.values())
    counts, places = {}, {}
    note(range(len(words)), words, weights, counts, places)
    queue = [(-n, pair) for pair, n in counts.items()]
    heapify(queue)
    merges = []
    while queue and len(merges) < num_merges:
        n, pair = heappop(queue)
        if n == 0 or counts[pair] != -n:
            continue
        merges.append(pair)
        for changed in change(pair, words, weights, counts, places):
            heappush(queue, (-counts[changed], changed))
    return merges


def note(numbers, words, weights, counts, places):
    """Count the pairs of these words, and note where they stand."""
    for number in numbers:
        for pair in pairwise(words[number]):
            counts[pair] = counts.get(pair, 0) + weights[number]
            places.setdefault(pair, set()).add(number)


def change(pair, words, weights, counts, places):
    """Merge a pair in the words that hold it; the pairs whose counts changed."""
    changed, numbers = set(), places.pop(pair)
    for number in numbers:
        for old in pairwise(words[number]):
            counts[old] -= weights[number]
            changed.add(old)
        words[number] = merge(words[number], pair)
    note(numbers, words, weights, counts, places)
    for number in numbers:
        changed.update(pairwise(words[number]))
    return changed


# end

bpelab.exercises.check("build.7", train_fast)

# %% [markdown]
# ## What to do with it
#
# Put your functions into a file `mine.py`, and train a vocabulary of your own,
# in bytes, on any text you have:
#
# ```python
# from collections import Counter
#
# chunks = Counter(visible(chunk) for chunk in split(text))
# merges = train_fast(chunks, 2000)
# ```
#
# The ids are yours to give: 256 bytes, then a token for each merge, then the
# special ones. Give them to your `GPT2`. What to look at next: whether it is
# fast enough ([chapter 06](06_speed.ipynb)), how many merges are worth it
# ([chapter 07](07_vocabulary_size.ipynb)), and what it must never do
# ([chapter 10](10_failures.ipynb)).
