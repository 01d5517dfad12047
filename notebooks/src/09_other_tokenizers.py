# %% [markdown]
# # 09 Other tokenizers
#
# BPE isn't the only way to make tokens. After this chapter you can cut a text
# by WordPiece and by Unigram, by hand and with code, say what SentencePiece
# does to a text before it cuts, and choose among them. About 40 minutes, and 45
# for the exercises ([solutions](solutions/09_other_tokenizers.ipynb)). It
# builds on [chapter 02](02_training.ipynb) and [chapter 04](04_bytes.ipynb).

# %% tags=["setup"]
import io
import math
import random
from collections import Counter
from itertools import islice, pairwise

import sentencepiece
import tokenizers

import bpelab
from bpelab import Bytes, Characters, Unigram, WordPiece, corpora
from bpelab.wordpiece import pair_scores, symbols

# %%
source = "parallel"  # or a file of yours: "my.txt"

# %% [markdown]
# ## The ends of the scale: characters and bytes
#
# The plainest tokenizers learn next to nothing. One takes each character as a token, the other each byte of UTF-8
# ([chapter 04](04_bytes.ipynb)). Characters need a list of those that they know; anything else is `<unk>`. Bytes know everything, and
# make the longest sequences. 東京都 is "Tokyo Metropolis".

# %%
for tok in (Characters.train("東京都に住む"), Bytes()):
    print(tok, tok.tokens("東京都！"), tok.encode("東京都！"))

# %% [markdown]
# The full-width exclamation mark wasn't in the training text: the first tokenizer gives it id 0.
#
# ## WordPiece: rare parts, joined first
#
# WordPiece, the tokenizer of BERT, also merges pairs, but scores them differently: count(xy) / (count(x) · count(y)).
# The question is not "how often?" but "how much more often than its parts would meet by chance?". A symbol inside a
# word is written with `##` before it. Five words with their frequencies show the difference:

# %%
hugs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
corpus = [(symbols(word), n) for word, n in hugs.items()]
scores = pair_scores(corpus)
rows = [
    {"pair": f"{left} + {right}", "score": str(score)}
    for (left, right), score in scores.items()
]
bpelab.show.table(rows)

# %%
wordpiece = WordPiece.train(hugs, vocab_size=11)
bpe = bpelab.train(hugs, num_merges=3)
rows = []
for join, merge in zip(wordpiece.joins, bpe.merges, strict=True):
    row = {"WordPiece": join.token, "count": join.count}
    row |= {"score": str(join.score)}
    row |= {"BPE": bpelab.show.label(merge.left + merge.right)}
    rows.append(row | {"count (BPE)": merge.count})
bpelab.show.table(rows)

# %% [markdown]
# `##u` + `##g` stands there 20 times, and BPE merges it first. But `##u` occurs 36 times and `##g` 20, so its score is
# 20 / 720 = 1/36. `##g` + `##s` stands there only 5 times; yet whenever there is an `##s`, a `##g` is before it:
# 5 / (20 · 5) = 1/20. WordPiece starts there.
#
# (This score is that of courses. The paper has another, which needs the idea of a likelihood; it follows further down.)
#
# Encoding knows no merges. Each word is cut from the left into the **longest
# match**, the longest token that fits. If at some place none fits, the *whole
# word* becomes `[UNK]`.

# %% [markdown] tags=["exercise"]
# **Exercise 09.1** ★ · 5 minutes. Cut `hug`, `bugs` and `hun` by the two lists
# learned above, each with three tokens besides the single letters. Write
# `a|##b`; no code.

# %% tags=["exercise"]
#: cuts = {"WordPiece": ..., "BPE": ...}  # three strings each
# solution
cuts = {
    "WordPiece": ["hu|##g", "b|##u|##gs", "hu|##n"],
    "BPE": ["hug", "b|ug|s", "h|un"],
}
# end
bpelab.exercises.check("09.1", cuts)

# %% [markdown] tags=["solution"]
# WordPiece learned `##gs`, `hu` and `hugs`. So `hug` isn't one token there,
# although it is a word of the corpus: the longest that fits is `hu`. BPE learned
# `ug`, `un` and `hug`; its `s` stays alone, since no merge takes it.

# %%
print(wordpiece.vocab[1:])
rows = []
for word in ("hugs", "bug", "pugs", "mug"):
    row = {"word": word, "WordPiece": "|".join(wordpiece.tokens(word))}
    rows.append(row | {"BPE": "|".join(bpe.tokens(word))})
bpelab.show.table(rows)

# %% [markdown]
# `mug` holds an unknown letter. WordPiece gives up on all of it; BPE loses the `m` only.
#
# Which trainer do people use? That of Hugging Face's `tokenizers` picks pairs
# by frequency, like BPE. One token more than the alphabet, trained ten times:

# %%
words = [word for word, n in hugs.items() for _ in range(n)]
vocabularies = []
for _ in range(10):
    hf = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    options = {"vocab_size": 13, "special_tokens": ["[UNK]"]}
    trainer = tokenizers.trainers.WordPieceTrainer(
        show_progress=False, **options
    )
    hf.train_from_iterator(words, trainer)
    vocabularies.append(set(hf.get_vocab()))
print(all("##ug" in v and "##gs" not in v for v in vocabularies))

# %% [markdown]
# Always `##ug`, the pair of BPE. (Its ids follow the order of a hash table and
# may differ from run to run, so keep the trained file.)
#
# ## Unigram: all ways to cut, and the most probable one
#
# Unigram has no merges at all. Each token (here called a **piece**) has a probability. A **segmentation**, one way to
# cut the text, has the product of those of its pieces, or in logarithms the sum. The most probable one wins. Take
# 東京都に住む, "to live in Tokyo Metropolis", and eleven pieces. 東京 is Tokyo, 京都 is Kyoto, 都 metropolis, に "in",
# 住む "to live".

# %%
text = "東京都に住む"
probabilities = {"東京": 0.05, "京都": 0.05, "東": 0.02, "京": 0.02}
probabilities |= {"都": 0.03, "に": 0.08, "住": 0.02, "住む": 0.04}
probabilities |= {"む": 0.02, "東京都": 0.03, "都に": 0.01}
uni = Unigram(probabilities, chunking="whole")
segmentations = uni.segmentations(text)
rows = [
    {"segmentation": "|".join(pieces), "log-probability": f"{p:.4f}"}
    for pieces, p in segmentations
]
bpelab.show.table(rows)

# %% [markdown]
# Twelve segmentations. The number grows exponentially with the length, so nobody lists them for a real text. The
# **Viterbi algorithm** goes from left to right and keeps for each position only the best way to get there:

# %%
best = {0: (0.0, [])}
for end in range(1, len(text) + 1):
    ways = []
    for start in range(end):
        piece = text[start:end]
        if piece in probabilities:
            logp, before = best[start]
            logp += math.log(probabilities[piece])
            ways.append((logp, [*before, piece]))
    best[end] = max(ways)
    print(end, f"{best[end][0]:.4f}", "|".join(best[end][1]))

# %%
tokens, logp = uni.viterbi(text)
ways = uni.count_segmentations(text * 50)
print(tokens, round(logp, 4))
print(f"50 times the text: about 10^{math.log10(ways):.0f} ways,")
print(f"one of them taken: {len(uni.tokens(text * 50))} tokens")

# %% [markdown] tags=["exercise"]
# **Exercise 09.2** ★ · 5 minutes. 東京都 gets rarer: 0.003 in place of 0.03; all
# else stays. Which segmentation of 東京都に住む is the most probable now? By hand.

# %% tags=["exercise"]
#: best_cut = ...  # pieces with | between them
# solution
best_cut = "東京|都に|住む"
# end
bpelab.exercises.check("09.2", best_cut)

# %% [markdown] tags=["solution"]
# 0.05 · 0.01 · 0.04 = 0.00002. 東京都|に|住む now has 0.003 · 0.08 · 0.04 =
# 0.0000096, less than half of that, and 東京|都|に|住む has 0.05 · 0.03 · 0.08 ·
# 0.04 = 0.0000048. Greedy from the left would still take 東京都.

# %% [markdown]
# The probabilities also allow drawing a segmentation at random. Each has its
# share of the sum:

# %%
weights = [math.exp(p) for _, p in segmentations]
shares = {
    "|".join(pieces): 100 * weight / sum(weights)
    for (pieces, _), weight in zip(segmentations, weights, strict=True)
}
bpelab.plot.bars(
    dict(list(shares.items())[:6]),
    title="Three quarters go to one cut",
    xlabel="share of the probability (%)",
    alt="Shares of the six most probable segmentations: "
    + ", ".join(f"{cut} {x:.1f}%" for cut, x in list(shares.items())[:6]),
)

# %% [markdown]
# Five draws with Python's generator:

# %%
random.seed(0)
for _ in range(5):
    print("|".join(random.choices(segmentations, weights=weights)[0][0]))

# %% [markdown]
# ### Where the probabilities come from
#
# Training starts with far too many pieces, substrings that repeat and all characters, and alternates two things.
# **Expectation maximization (EM)** fits the probabilities: weigh all segmentations of all words by their
# probability, add up how often each piece is expected, the **expected counts**, divide by their sum, repeat. In the
# single sentence above:

# %%
expected = uni.expected_counts(text)
rows = [{"piece": p, "expected": f"{n:.4f}"} for p, n in expected.items()]
bpelab.show.table(rows)

# %% [markdown]
# 東京都 is expected 0.7730 times, the share of the segmentations that use it, by weight.

# %% [markdown] tags=["exercise"]
# **Exercise 09.3** ★★ · 15 minutes. Write one round of EM for words with
# frequencies. `Unigram(pieces).segmentations(word)` lists (pieces, natural
# logarithm of the probability). Do without `expected_counts`.


# %% tags=["exercise"]
def em_round(pieces, words):
    """The new probabilities, {piece: probability}; words: {word: frequency}."""
    #: ...
    # solution
    counts = Counter()
    for word, n in words.items():
        ways = Unigram(pieces).segmentations(word)
        total = sum(math.exp(logp) for _, logp in ways)
        for cut, logp in ways:
            for piece in cut:
                counts[piece] += n * math.exp(logp) / total
    everything = sum(counts.values())
    return {piece: n / everything for piece, n in counts.items()}
    # end


bpelab.exercises.check("09.3", em_round)

# %% [markdown] tags=["solution"]
# Two divisions. The first makes shares of the segmentations of one word, so that
# a rare word counts as much as its frequency says. The second makes
# probabilities of the counts.

# %% [markdown]
# Now EM on the five words. Start: each piece by its frequency times its length. The **log-likelihood** is the logarithm
# of the probability of the whole corpus, over all segmentations.


# %%
def log_likelihood(uni):
    total = 0
    for word, n in hugs.items():
        ways = [math.exp(p) for _, p in uni.segmentations(word)]
        total += n * math.log(sum(ways))
    return total


def normalized(numbers):
    total = sum(numbers.values())
    return Unigram({piece: n / total for piece, n in numbers.items()})


# %%
pieces, weights = bpelab.unigram.seed_pieces(hugs, 16, 100)
start = dict(zip(pieces, weights.tolist(), strict=True))
rounds = [normalized(start)]
for _ in range(3):
    rounds.append(normalized(rounds[-1].expected_counts(hugs)))
rows = []
for i, fitted in enumerate(rounds):
    row = {"round": i, "log-likelihood": f"{log_likelihood(fitted):.2f}"}
    for piece in ("hug", "ug", "u", "pun", "un", "hugs"):
        row[piece] = f"{math.exp(fitted.pieces[piece]):.4f}"
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# The likelihood rises each round; EM never lowers it. Whole words gain, their parts fade. Then **pruning**: for each
# piece longer than a character, how much likelihood would the corpus lose without it? Here exactly, after one round:


# %%
def loss(uni, piece):
    rest = {p: math.exp(logp) for p, logp in uni.pieces.items()}
    del rest[piece]
    return log_likelihood(uni) - log_likelihood(normalized(rest))


fitted = rounds[1]
losses = {p: loss(fitted, p) for p in pieces if len(p) > 1}
rows = sorted(losses.items(), key=lambda item: item[1])
bpelab.show.table([{"piece": p, "loss": f"{x:.3f}"} for p, x in rows])

# %% [markdown]
# `pu`, `ug` and `un` can go: every word that holds them is a piece itself, and without them the likelihood even rises
# (the loss is negative), as their probability goes to the others. `hug`, from two words, is missed most.
#
# Real training drops the quarter with the smallest loss (which it estimates), fits again, and so on down to the
# wanted size. Characters stay, whatever their loss. BPE grows a vocabulary; Unigram shrinks one.
#
# ### The likelihood in WordPiece
#
# WordPiece's score above is a simplification that courses use. The paper's own words are
# "the unit that increases the likelihood on the training data the most". A
# merge raises the log-likelihood by about count · log(N · count(xy) /
# (count(x) · count(y))), where N is the number of symbols: the ratio's
# logarithm, times how often it is used.

# %% [markdown] tags=["exercise"]
# **Exercise 09.4** ★★ · 10 minutes. Write the choice of the next pair by this
# gain. `corpus` is a list of (symbols, frequency), as for the score.


# %% tags=["exercise"]
def next_pair(corpus):
    """(left, right): e.g. of [(["h", "##u", "##g"], 10), (["p", "##u"], 5)]."""
    #: ...
    # solution
    counts = Counter()
    for parts, n in corpus:
        for part in parts:
            counts[part] += n
    total, pairs = sum(counts.values()), bpelab.reference.count_pairs(corpus)

    def gain(pair):
        ratio = pairs[pair] / (counts[pair[0]] * counts[pair[1]])
        return pairs[pair] * math.log(total * ratio)

    return max(pairs, key=gain)
    # end


bpelab.exercises.check("09.4", next_pair)

# %% [markdown] tags=["solution"]
# The ratio alone asks how surprising a pair is, the count alone how often it
# helps; the gain asks both. N turns counts into probabilities. Without it each
# logarithm is negative, and rare pairs win, as they lose least.

# %% [markdown]
# The gain of each pair, beside its count and its ratio:

# %%
counts = Counter()
for parts, n in corpus:
    counts.update(parts * n)
total, rows = sum(counts.values()), []
for pair, n in bpelab.reference.count_pairs(corpus).items():
    ratio = n / (counts[pair[0]] * counts[pair[1]])
    row = {"pair": " + ".join(pair), "count": n, "ratio": ratio}
    rows.append(row | {"likelihood gained": n * math.log(total * ratio)})
bpelab.show.table(sorted(rows, key=lambda row: -row["likelihood gained"]))

# %% [markdown]
# The likelihood keeps frequent pairs in front; the bare ratio prefers rare
# parts that always meet. BERT's trainer was never published; TensorFlow Text
# has a public one that works top down, from words to pieces.
#
# ## Real text: the training
#
# From here on the text is the one you chose at the top; the shipped one is
# "parallel", sentences written for this book, English and Japanese together.
# Nine tenths are for training. Every number below is one of the shipped text.

# %%
lines = corpora.lines(corpora.text(source, None, "train"))
test = {
    language: corpora.lines(corpora.text(source, language, "test"))
    for language in ("en", "ja")
}
different = len(set("".join(lines)))
size = max(8000, 3 * different)
print(f"{len(lines):,} lines, {different:,} different characters")
print(f"a vocabulary of {size:,} tokens, or what the text yields")
if not any(map(any, test.values())):
    test = dict.fromkeys(test, lines)
    print("too short to keep a part for testing: all of it is both")

# %% [markdown]
# ## Greedy merging against the global optimum
#
# BPE applies the merge learned first, wherever it can, and never looks back.
# Longest match looks at one token only. Viterbi finds the best whole. We train
# BPE and Unigram to the same size on the same chunks, and cut each word four
# ways. "Fewest" is Viterbi over BPE's own tokens, all equally probable, so
# that the fewest tokens win.

# %%
QUIET = {"num_threads": 1, "minloglevel": 2}  # for SentencePiece, below
SCRIPTS = "sentencepiece-scripts"  # blank → ▁; cut where the script changes
bpe = bpelab.train(lines, vocab_size=size, chunking=SCRIPTS)
uni = Unigram.train(lines, size)
names = [token.decode() for token in bpe.vocab[1:]]
equal = dict.fromkeys(names, 0.1)
fewest = Unigram(equal, chunking=SCRIPTS, unknown=-20.0)


# %%
def longest_match(text):
    tokens, known = [], set(names)
    for chunk in bpelab.chunk(text, SCRIPTS):
        while chunk:
            ends = range(len(chunk), 0, -1)
            end = next((e for e in ends if chunk[:e] in known), 1)
            tokens.append(chunk[:end])
            chunk = chunk[end:]
    return tokens


# %%
ways = {
    "BPE merges": bpe.tokens,
    "longest match": longest_match,
    "fewest": lambda text: fewest.viterbi(text)[0],
    "Unigram": lambda text: uni.viterbi(text)[0],
}


def differs(word):
    return len({tuple(cut(word)) for cut in ways.values()}) > 2


# %%
chunks = bpelab.count_chunks(test["en"] + test["ja"], SCRIPTS)
found = filter(differs, (chunk.removeprefix("▁") for chunk in chunks))
rows = [
    {name: "|".join(cut(word)) for name, cut in ways.items()}
    for word in islice(found, 8)
]
bpelab.show.table(rows or [{"words that differ": "none in this text"}])

# %%
rows = []
for name, cut in ways.items():
    row = {"way": name}
    for part, texts in (*test.items(), ("training", lines)):
        row[part] = sum(len(cut(line)) for line in texts)
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# The words are the first of the test text that the four ways cut in at least
# three different manners. In number of tokens, greedy merging is close to the
# best that its vocabulary can do: compare "BPE merges" with "fewest". Unigram
# is another matter. It aims at a probable text, not at few tokens. On the
# shipped text it is shorter than BPE on the training lines and longer on the
# test lines, so the training column alone would mislead. [Chapter
# 07](07_vocabulary_size.ipynb) says why only held-out text counts.
#
# ## SentencePiece: the text as it comes, almost
#
# SentencePiece is a library, not an algorithm: it trains BPE or Unigram (its default). Its idea: don't cut a text into
# words first; take it raw, write each blank as the visible `▁`, and treat that like any character. Then languages
# without blanks need nothing special, and joining pieces gives the text back. We train it live:


# %%
def train_sentencepiece(**options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=size,
        hard_vocab_limit=False,
        character_coverage=1.0,
        **QUIET | options,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


# %%
theirs = train_sentencepiece()
sample = " ﾊﾟｿｺﾝ ２０２４  ① ＡＢＣ "  # half-width "PC", full-width signs
pieces = theirs.encode(sample, out_type=str)
print(pieces)
print(repr(sample), "→", repr(theirs.decode(theirs.encode(sample))))

# %% [markdown]
# So much for raw. By default a normalization runs first, NFKC with small
# changes ([chapter 04](04_bytes.ipynb)): half-width kana, full-width letters
# and ① become their usual forms. Runs of blanks shrink to one, blanks at the
# ends go, and a `▁` is put before the text. For a search engine that may be
# welcome. It ruins source code, where two blanks are not one, and it can't be
# undone.

# %% [markdown] tags=["exercise"]
# **Exercise 09.5** ★★ · 10 minutes. Which options make SentencePiece give
# source code back as it was: indentation, ①, NFD, an emoji never seen? Look among
# [all options](https://github.com/google/sentencepiece/blob/master/doc/options.md).

# %% tags=["exercise"]
#: for_code = ...  # {"option": value}
# solution
for_code = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "byte_fallback": True,
}
# end
bpelab.exercises.check("09.5", for_code)

# %% [markdown] tags=["solution"]
# Three losses, three options. "identity" leaves ① and NFD alone, but runs of
# blanks would still shrink: that is an option of its own. Bytes stand in for
# what is no piece. `add_dummy_prefix` may stay: decoding takes its `▁` away
# again. Without it a word has the same token at the start of a text as behind
# a bracket.

# %% [markdown]
# These options keep everything:

# %%
options = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "add_dummy_prefix": False,
    "byte_fallback": True,
}
lossless = train_sentencepiece(**options)
samples = [sample, "  if x:\n\t猫é", "a\r\nb\x00", "<unk> <0x0A>"]
for name, processor in (("default", theirs), ("lossless", lossless)):
    back = [processor.decode(processor.encode(text)) for text in samples]
    print(name, [a == b for a, b in zip(samples, back, strict=True)])
print(repr(lossless.decode(lossless.encode("a▁b"))), "loses ▁ itself")

# %% [markdown]
# With `byte_fallback`, a character that is no piece is written as its bytes,
# such as `<0x0A>`, instead of `<unk>`. Only a text that holds `▁` itself
# doesn't come back. `Unigram.from_sentencepiece(path)` reads such a model.
#
# Two names often go together and mean two things: Llama 2 and Gemma use BPE,
# *trained and run by* SentencePiece; T5 and XLM-R use Unigram in the same
# library.
#
# ## One text through all of them
#
# All of the same size where that is possible (WordPiece's list ends earlier,
# since it joins only pairs seen at least ten times). The chunking differs, as
# it does in practice, so it has a column. We encode line by line, held-out
# lines only. To keep the comparison fair, a character that a tokenizer doesn't
# know is paid for in bytes: the columns "in bytes" have its bytes in place of
# the token for the unknown, as a byte fallback would.

# %%
toks = {"bytes": Bytes(), "characters": Characters.train(lines)}
toks["byte-level BPE"] = bpelab.train(
    lines, vocab_size=size, base="byte", chunking="gpt2"
)
toks["BPE as in SentencePiece"] = bpelab.train(
    lines, vocab_size=size, **bpelab.RECIPES["sentencepiece"]
)
toks["WordPiece"] = WordPiece.train(lines, size, min_frequency=10)
toks["Unigram"] = uni


# %%
def unknown(tok, line):
    """What a tokenizer leaves unknown in a line: a list of bytes."""
    if isinstance(tok, WordPiece):
        return [
            w.encode()
            for w in bpelab.wordpiece.words(line)
            if tok.encode(w) == [0]
        ]
    pairs = zip(tok.encode(line), tok.token_bytes(line), strict=True)
    return [token for i, token in pairs if i == tok.unknown_id]


# %%
rows = []
for name, tok in toks.items():
    row = {"tokenizer": name, "chunking": str(tok.chunking)}
    row["size"] = tok.vocab_size
    for language, texts in test.items():
        lost = [part for line in texts for part in unknown(tok, line)]
        row[language] = sum(tok.count_tokens(texts))
        in_bytes = row[language] - len(lost) + sum(map(len, lost))
        row[f"{language}, in bytes"] = in_bytes
    rows.append(row)
bpelab.show.table(rows)

# %%
shown = {row["tokenizer"]: row for row in rows}
parts = {}
for name, row in shown.items():
    more = row["ja, in bytes"] - row["ja"]
    parts[name] = {"tokens": row["ja"], "more, in bytes": more}
bpelab.plot.stacked(
    parts,
    title="What the second language costs, the unknown included",
    xlabel="tokens of the held-out lines",
    alt="Tokens of the held-out Japanese lines under six tokenizers, with "
    "the bytes of what each leaves unknown; the table above has the numbers",
)

# %% [markdown]
# - **Bytes** need three tokens for most Japanese characters; **characters**
#   need one each, and know only those of the training text.
# - **Byte-level BPE** has nothing unknown. In Japanese it spends places on
#   pieces of characters.
# - **BPE on characters** and **Unigram** pass over what they don't know.
# - **WordPiece** looks short in Japanese, because it gave up on whole
#   stretches: a sentence without blanks is one word to it, and one unknown
#   character hides all up to the next punctuation mark. In bytes it pays.
#
# One sentence in English and in Japanese:

# %%
from IPython.display import display

en, ja = (test[language][0] for language in ("en", "ja"))
display(bpelab.show.tokens(toks, en[:80]))
display(bpelab.show.tokens(toks, ja[:60]))

# %% [markdown]
# Characters and bytes stand at one end. `▁` and `␣` stand for the blanks;
# WordPiece has dropped them. Statistics know no grammar: look for a Japanese
# token that straddles two words.
#
# ## Training on many cuts of the same text
#
# A model that sees each word always cut in the same way learns little about its letters, and stumbles over a typo.
# **Subword regularization** shows it other cuts: in each pass over the training data, a segmentation is drawn at
# random. At use the best one is taken. Unigram can draw by itself; a higher temperature makes the draws more even.

# %%
word = max(en.split(" "), key=len).strip(".,")
for heat in (1, 3, 10):
    draws = ["|".join(uni.sample(word, heat, seed)) for seed in range(4)]
    print(heat, draws)

# %% [markdown]
# For BPE, **BPE-dropout** does the same: at each step every possible merge is skipped with probability p.


# %%
def dropout(word, ranks, p, draw):
    parts = [character.encode() for character in word]
    while True:
        pairs = enumerate(pairwise(parts))
        kept = [(ranks[q], i) for i, q in pairs if q in ranks and draw() >= p]
        if not kept:
            return [part.decode() for part in parts]
        i = min(kept)[1]
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


# %%
ranks = {merge[:2]: rank for rank, merge in enumerate(bpe.merges)}
rng = random.Random(0)
for p in (0, 0.1, 0.5, 1):
    print(
        p,
        ["|".join(dropout(f"▁{word}", ranks, p, rng.random)) for _ in range(4)],
    )

# %% [markdown]
# With p = 0 it is BPE without dropout, with p = 1 characters. The paper uses
# 0.1. Both are for training only; the vocabulary stays as it is.
#
# ## Who uses what
#
# Sizes are those of the released models.

# %%
models = """
BERT, uncased | 2018 | WordPiece | 30,522 | arXiv:1810.04805
GPT-2 | 2019 | byte-level BPE | 50,257 | the package tiktoken
XLM-R | 2019 | Unigram, by SentencePiece | 250,002 | arXiv:1911.02116
ByT5 | 2021 | bytes | 256 + control | arXiv:2105.13626
Llama 2 | 2023 | BPE, by SentencePiece | 32,000 | arXiv:2307.09288
Llama 3 | 2024 | byte-level BPE | 128,256 | arXiv:2407.21783
Gemma 3 | 2025 | SentencePiece | 262,000 | arXiv:2503.19786
"""
columns = ["model", "year", "method", "size", "source"]
rows = [line.split(" | ") for line in models.strip().split("\n")]
bpelab.show.table([dict(zip(columns, row, strict=True)) for row in rows])

# %% [markdown]
# | method | learns | cuts by | unknown |
# |---|---|---|---|
# | BPE | merges, most frequent pair first | the merges, in order | none with bytes |
# | WordPiece | tokens, by gain in likelihood | longest match | the whole word |
# | Unigram | probabilities, by pruning | most probable cut (Viterbi) | a character |
# | bytes | nothing | each byte | none |
#
# The years: byte-pair encoding compressed files in 1994; WordPiece served
# voice search in 2012 and Google's translation in 2016; BPE came to
# translation in 2015, Unigram and SentencePiece in 2018, BPE-dropout in 2019.
# Since then, the Byte Latent Transformer (2024) does without a vocabulary, and
# SuperBPE and BoundlessBPE (both 2025) let merges cross blanks.
#
# ## Which to choose
#
# - **A model that exists**: its own tokenizer, always ([chapter 03](03_encoding.ipynb)).
# - **A new general model**: byte-level BPE, or SentencePiece with byte fallback. Nothing is unknown, nothing is lost if
#   the settings are right, and fast code exists.
# - **Little training data, noisy input**: Unigram with sampling, or BPE with dropout, is worth a trial.
# - **Japanese, Chinese, Thai**: whatever doesn't need blanks. WordPiece needs a word segmenter first.
# - **A BERT-like model**: WordPiece, to be compatible. For something new there is little reason.
# - **Spelling, typos, many scripts, and time to spare**: bytes, with a model made for long sequences.
# - In doubt measure, on your own held-out text, at equal size. The training text often matters more than the family.
#
# ## What was simplified
#
# - The training text is small, and a large part of the vocabulary goes to
#   single characters. With more text the numbers are others.
# - Fewer tokens don't make a better model; no model was trained here.
# - `WordPiece.train` uses the ratio of the courses, here for pairs that occur
#   ten times or more; the likelihood of the paper was shown for one step only.
# - `Unigram.train` fits probabilities as SentencePiece does, with the digamma
#   of the expected count, which makes rare pieces rarer; the five-word example
#   is simple EM.
#
# ## Questions
#
# **1.** Why does WordPiece merge `##g` + `##s` first, when `##u` + `##g` is four times as frequent?
#
# <details><summary>Answer</summary>
#
# Its score divides by the counts of the parts. 5 / (20 · 5) = 1/20 is more than 20 / (36 · 20) = 1/36: an `##s` never
# stands without a `##g` before it.
#
# </details>
#
# **2.** Can BPE need more tokens than necessary, with its own vocabulary?
#
# <details><summary>Answer</summary>
#
# Yes: in the table of the four ways "fewest" is smaller than "BPE merges",
# though only a little.
#
# </details>
#
# **3.** A Japanese sentence without punctuation holds one unknown character. What does WordPiece make of it?
#
# <details><summary>Answer</summary>
#
# One `[UNK]`: the sentence has no blank, so it is one word. In a table of
# tokens alone that looks good.
#
# </details>
#
# ## Words of this chapter
#
# WordPiece, longest match, Unigram, piece, segmentation, Viterbi algorithm,
# expectation maximization (EM), SentencePiece, subword regularization,
# BPE-dropout: see the [glossary](glossary.md).
#
# ## Sources
#
# - Philip Gage: *A New Algorithm for Data Compression*, The C Users Journal,
#   1994.
# - Mike Schuster, Kaisuke Nakajima: *Japanese and Korean Voice Search*, ICASSP
#   2012; Yonghui Wu and others (GNMT):
#   [arXiv:1609.08144](https://arxiv.org/abs/1609.08144).
# - Rico Sennrich, Barry Haddow, Alexandra Birch: BPE for translation,
#   [arXiv:1508.07909](https://arxiv.org/abs/1508.07909).
# - Taku Kudo: Unigram and subword regularization,
#   [arXiv:1804.10959](https://arxiv.org/abs/1804.10959); with John Richardson:
#   SentencePiece, [arXiv:1808.06226](https://arxiv.org/abs/1808.06226).
# - Ivan Provilkov and others: BPE-dropout,
#   [arXiv:1910.13267](https://arxiv.org/abs/1910.13267).
# - Linting Xue and others: ByT5,
#   [arXiv:2105.13626](https://arxiv.org/abs/2105.13626).
# - Alisa Liu and others: SuperBPE,
#   [arXiv:2503.13423](https://arxiv.org/abs/2503.13423); Craig W. Schmidt and
#   others: BoundlessBPE,
#   [arXiv:2504.00178](https://arxiv.org/abs/2504.00178); Artidoro Pagnoni and
#   others: Byte Latent Transformer,
#   [arXiv:2412.09871](https://arxiv.org/abs/2412.09871).
# - The Hugging Face course, chapter 6, for the training of WordPiece.
