# %% [markdown]
# # 09 Other tokenizers
#
# BPE isn't the only way to make tokens. After this chapter you can cut a text by WordPiece and by Unigram, by hand and
# with code, say what SentencePiece does to a text before it cuts, and choose among them. About 50 minutes.

# %%
import io
import math
import random
import tempfile
from itertools import pairwise
from pathlib import Path

import matplotlib
import sentencepiece
import tokenizers
from matplotlib.figure import Figure

import bpelab
from bpelab import Bytes, Characters, Unigram, WordPiece
from bpelab.unigram import seed_pieces
from bpelab.wordpiece import pair_scores, symbols

# %% [markdown]
# ## The ends of the scale: characters and bytes
#
# The plainest tokenizers learn next to nothing. One takes each character as a token, the other each byte of UTF-8
# (chapter 04). Characters need a list of those that they know; anything else is `<unk>`. Bytes know everything, and
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
scores = pair_scores([(symbols(word), n) for word, n in hugs.items()])
bpelab.show.table([{"pair": f"{left} + {right}", "score": str(score)} for (left, right), score in scores.items()])

# %%
wordpiece, bpe = WordPiece.train(hugs, vocab_size=11), bpelab.train(hugs, num_merges=3)
rows = []
for join, merge in zip(wordpiece.joins, bpe.merges, strict=True):
    row = {"WordPiece": join.token, "count": join.count, "score": str(join.score)}
    rows.append(row | {"BPE": f"{merge.left.decode()}{merge.right.decode()}", "count (BPE)": merge.count})
assert str(wordpiece.joins[0].score) == "1/20"
bpelab.show.table(rows)

# %% [markdown]
# `##u` + `##g` stands there 20 times, and BPE merges it first. But `##u` occurs 36 times and `##g` 20, so its score is
# 20 / 720 = 1/36. `##g` + `##s` stands there only 5 times; yet whenever there is an `##s`, a `##g` is before it:
# 5 / (20 · 5) = 1/20. WordPiece starts there.
#
# Encoding knows no merges either. Each word is cut from the left into the **longest match**, the longest token that
# fits. If at some place none fits, the *whole word* becomes `[UNK]`:

# %%
print(wordpiece.vocab[1:])
rows = [{"word": w, "WordPiece": "|".join(wordpiece.tokens(w)), "BPE": "|".join(bpe.tokens(w))} for w in
        ("hugs", "bug", "pugs", "mug")]  # fmt: skip
bpelab.show.table(rows)

# %% [markdown]
# `mug` holds an unknown letter. WordPiece gives up on all of it; BPE loses the `m` only.
#
# That is the score usually given. The trainer in Hugging Face's `tokenizers` picks pairs by frequency, like
# BPE. One token more than the alphabet, trained twenty times:

# %%
words = [word for word, n in hugs.items() for _ in range(n)]
vocabularies = []
for _ in range(20):
    hf = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    trainer = tokenizers.trainers.WordPieceTrainer(vocab_size=13, special_tokens=["[UNK]"], show_progress=False)
    hf.train_from_iterator(words, trainer)
    vocabularies.append(hf.get_vocab())
print(all("##ug" in v and "##gs" not in v for v in vocabularies), all(v == vocabularies[0] for v in vocabularies))

# %% [markdown]
# Always `##ug`, the pair of BPE (True). And the ids aren't the same each time (False): they follow the order of a hash
# table, so keep the trained file. Ours depend on the corpus alone.
#
# ## Unigram: all ways to cut, and the most probable one
#
# Unigram has no merges at all. Each token (here called a **piece**) has a probability. A **segmentation**, one way to
# cut the text, has the product of those of its pieces, or in logarithms the sum. The most probable one wins. Take
# 東京都に住む, "to live in Tokyo Metropolis", and eleven pieces. 東京 is Tokyo, 京都 is Kyoto, 都 metropolis, に "in",
# 住む "to live".

# %%
probabilities = {"東京": 0.05, "京都": 0.05, "東": 0.02, "京": 0.02, "都": 0.03, "に": 0.08}
probabilities |= {"住": 0.02, "住む": 0.04, "む": 0.02, "東京都": 0.03, "都に": 0.01}
uni = Unigram(probabilities, chunking="whole")
segmentations = uni.segmentations("東京都に住む")
bpelab.show.table([{"segmentation": "|".join(pieces), "log-probability": f"{p:.4f}"} for pieces, p in segmentations])

# %% [markdown]
# Twelve segmentations. The number grows exponentially with the length, so nobody lists them for a real text. The
# **Viterbi algorithm** goes from left to right and keeps for each position only the best way to get there:

# %%
best = {0: (0.0, [])}
for end in range(1, len("東京都に住む") + 1):
    ways = []
    for start in range(end):
        piece = "東京都に住む"[start:end]
        if piece in probabilities:
            ways.append((best[start][0] + math.log(probabilities[piece]), [*best[start][1], piece]))
    best[end] = max(ways)
    print(end, f"{best[end][0]:.4f}", "|".join(best[end][1]))

# %%
tokens, logp = uni.viterbi("東京都に住む")
assert (tokens, round(logp, 4)) == (["東京都", "に", "住む"], -9.2512)
long = "東京都に住む" * 50
print(tokens, round(logp, 4))
print(f"50 times the text: 10^{math.log10(uni.count_segmentations(long)):.0f} ways, {len(uni.tokens(long))} tokens")

# %% [markdown]
# The probabilities also allow drawing a segmentation at random. Five draws with Python's generator:

# %%
random.seed(0)
weights = [math.exp(p) for _, p in segmentations]
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
expected = uni.expected_counts("東京都に住む")
bpelab.show.table([{"piece": piece, "expected": f"{n:.4f}"} for piece, n in expected.items()])

# %% [markdown]
# 東京都 is expected 0.7730 times, the share of the segmentations that use it, by weight. Now EM on the five words.
# Start: each piece by its frequency times its length. The **log-likelihood** is the logarithm of the probability of
# the whole corpus, over all segmentations.


# %%
def log_likelihood(uni):
    return sum(n * math.log(sum(math.exp(p) for _, p in uni.segmentations(word))) for word, n in hugs.items())


def normalized(numbers):
    total = sum(numbers.values())
    return Unigram({piece: n / total for piece, n in numbers.items()})


# %%
pieces, weights = seed_pieces(hugs, 16, 100)
rounds = [normalized(dict(zip(pieces, weights.tolist(), strict=True)))]
for _ in range(3):
    rounds.append(normalized(rounds[-1].expected_counts(hugs)))
rows = [{"round": i, "log-likelihood": f"{log_likelihood(uni):.2f}"} for i, uni in enumerate(rounds)]
for row, uni in zip(rows, rounds, strict=True):
    row |= {piece: f"{math.exp(uni.pieces[piece]):.4f}" for piece in ("hug", "ug", "u", "pun", "un", "hugs")}
bpelab.show.table(rows)

# %% [markdown]
# The likelihood rises each round; EM never lowers it. Whole words gain, their parts fade. Then **pruning**: for each
# piece longer than a character, how much likelihood would the corpus lose without it? Here exactly, after one round:


# %%
def loss(uni, piece):
    rest = {other: math.exp(p) for other, p in uni.pieces.items() if other != piece}
    return log_likelihood(uni) - log_likelihood(normalized(rest))


losses = {piece: loss(rounds[1], piece) for piece in pieces if len(piece) > 1}
bpelab.show.table([{"piece": p, "loss": f"{x:.3f}"} for p, x in sorted(losses.items(), key=lambda item: item[1])])

# %% [markdown]
# `pu`, `ug` and `un` can go: every word that holds them is a piece itself, and without them the likelihood even rises
# (the loss is negative), as their probability goes to the others. `hug`, from two words, is missed most.
#
# Real training drops the quarter with the smallest loss (which it estimates), fits again, and so on down to the
# wanted size. Characters stay, whatever their loss. BPE grows a vocabulary; Unigram shrinks one.
#
# ## Real text: the training
#
# Our training text: the 432 training pairs of "parallel", modern sentences written for this book, and those of
# "jupyterlab", interface messages; both languages together. It is small, on purpose: everything below trains in
# a few seconds. Change the first line for your own text.

# %%
lines = [line for name in ("parallel", "jupyterlab") for pair in bpelab.corpora.pairs(name, "train") for line in pair]
# or: lines = bpelab.corpora.read("my.txt").splitlines()
test = {lang: bpelab.corpora.text("parallel", lang, "test").splitlines() for lang in ("en", "ja")}
print(len(lines), "lines,", sum(map(len, lines)), "characters,", len(set("".join(lines))), "different ones")

# %% [markdown]
# ## Greedy merging against the global optimum
#
# BPE applies the merge learned first, wherever it can, and never looks back. Longest match looks at one token only.
# Viterbi finds the best whole. We train BPE and Unigram to 4,000 tokens on the same chunks, and cut each word four
# ways. "Fewest" is Viterbi over BPE's own tokens, all equally probable, so that the fewest tokens win.

# %%
SCRIPTS = "sentencepiece-scripts"  # blank → ▁ before each word, cut where the script changes
bpe = bpelab.train(lines, vocab_size=4000, chunking=SCRIPTS)
uni = Unigram.train(lines, 4000)
names = [token.decode() for token in bpe.vocab[1:]]
fewest = Unigram(dict.fromkeys(names, 0.1), chunking=SCRIPTS, unknown=-20.0)


# %%
def longest_match(text):
    tokens, known = [], set(names)
    for chunk in bpelab.chunk(text, SCRIPTS):
        while chunk:
            end = next((end for end in range(len(chunk), 0, -1) if chunk[:end] in known), 1)
            tokens, chunk = [*tokens, chunk[:end]], chunk[end:]
    return tokens


# %%
ways = {"BPE merges": bpe.tokens, "longest match": longest_match, "fewest": lambda text: fewest.viterbi(text)[0]}
ways["Unigram"] = lambda text: uni.viterbi(text)[0]
words = ["research", "residents", "western", "discovery", "conference", "apologized", "以上の", "スクラップ"]
bpelab.show.table([{name: "|".join(cut(word)) for name, cut in ways.items()} for word in words])

# %%
texts = test | {"training text": lines}
rows = [{"way": name} | {t: sum(len(cut(x)) for x in texts[t]) for t in texts} for name, cut in ways.items()]
bpelab.show.table(rows)

# %% [markdown]
# The words were picked because the ways differ. `residents` shows why people like Unigram: the stem stays whole, where
# BPE has joined `▁res`. 以上の, "of the above", is cut by BPE as 以|上の; Unigram has the word 以上
# whole and の, "of", apart. `conference` shows the opposite: Unigram lacks a piece for it.
#
# In number of tokens greedy merging is close to the best that its vocabulary can do: 1,592 against 1,575 in English,
# 1,456 against 1,455 in Japanese. `research` is one of the exceptions, where longest match does better than the
# merges.
#
# Unigram is another matter. It aims at a probable text, not at few tokens. On the text it was trained on it needs fewer
# tokens than BPE, 41,904 against 44,199, fewer even than the best cut with BPE's tokens; on the test sentences more.
# Its pieces fit this small training text more closely, most of which is messages, and carry over less well. That is
# one run on one small text; chapter 07 says why only held-out text counts.
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
        sentence_iterator=iter(lines), model_writer=model, vocab_size=4000, character_coverage=1.0,
        num_threads=1, minloglevel=2, **options,
    )  # fmt: skip
    return model.getvalue()


# %%
model = train_sentencepiece()
theirs = sentencepiece.SentencePieceProcessor(model_proto=model)
text = " ﾊﾟｿｺﾝ ２０２４  ① ＡＢＣ "  # half-width "PC", full-width digits and letters, a circled 1
print(theirs.encode(text, out_type=str))
print(repr(text), "→", repr(theirs.decode(theirs.encode(text))))

# %% [markdown]
# So much for raw. By default a normalization runs first, NFKC with small changes (chapter 04): half-width kana, full-width
# letters and ① become their plain forms. Runs of blanks shrink to one, blanks at the ends go, and a `▁` is put before
# the text. For a search engine that may be welcome. It ruins source code, where two blanks are not one, and it can't
# be undone.
#
# These options keep everything:

# %%
options = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False, "add_dummy_prefix": False}
lossless = sentencepiece.SentencePieceProcessor(model_proto=train_sentencepiece(**options, byte_fallback=True))
print(lossless.encode("  if x:\n\t猫é", out_type=str))
samples = [text, "  if x:\n\t猫é", "a\r\nb\x00", "<unk> <0x0A>", *test["en"], *test["ja"]]
assert all(lossless.decode(lossless.encode(sample)) == sample for sample in samples)
print(sum(theirs.decode(theirs.encode(sample)) == sample for sample in samples), "of", len(samples), "by default")
print(repr(lossless.decode(lossless.encode("a▁b"))), "one loss is left: ▁ itself")

# %% [markdown]
# With `byte_fallback`, a character that is no piece is written as its bytes, such as `<0x0A>`, instead of `<unk>`. All
# 100 samples come back unchanged. Only a text that holds `▁` itself doesn't.
#
# ### The same model in our code
#
# `Unigram.from_sentencepiece` reads the pieces and their log-probabilities from the default model's file. The
# normalization stays with SentencePiece; on normalized lines ours must give the same pieces.

# %%
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "ours.model"
    path.write_bytes(model)
    loaded = Unigram.from_sentencepiece(path)
every = [line for lang in ("en", "ja") for line in bpelab.corpora.text("parallel", lang).splitlines()]
plain = [theirs.normalize(line).replace("▁", " ") for line in every]
pairs = [(loaded.tokens(line), theirs.encode(line, out_type=str)) for line in plain]
assert all(sorted(ours) == sorted(other) for ours, other in pairs)
print(sum(ours == other for ours, other in pairs), "of", len(pairs), "lines in the same order too")
print([(a, b) for ours, other in pairs for a, b in zip(ours, other, strict=True) if a != b])

# %% [markdown]
# The same pieces in every line, and once in another order: the line holds `YYYY`, for the year in a date. `Y|YYY` and
# `YYY|Y` are equally probable, and the two programs break the tie differently.
#
# ## One text through all of them
#
# All of 4,000 tokens where that is possible. For WordPiece two rows: by the score alone, and with pairs merged only if
# they occur ten times. We encode line by line, test sentences only; "unknown" counts the tokens for unknown text.

# %%
toks = {
    "bytes": Bytes(),
    "characters": Characters.train(lines),
    "byte-level BPE": bpelab.train(lines, vocab_size=4000, base="byte", chunking="gpt2"),
    "BPE as in SentencePiece": bpelab.train(lines, vocab_size=4000, **bpelab.RECIPES["sentencepiece"]),
    "WordPiece": WordPiece.train(lines, 4000),
    "WordPiece, 10 times": WordPiece.train(lines, 4000, min_frequency=10),
    "Unigram, ours": uni,
    "Unigram, SentencePiece's": loaded,
    "Unigram, byte fallback": Unigram.train(lines, 4000, byte_fallback=True),
}

# %%
rows = []
for name, tok in toks.items():
    row = {"tokenizer": name, "size": tok.vocab_size}
    for lang, sentences in test.items():
        ids = [i for sentence in sentences for i in tok.encode(sentence)]
        row |= {f"{lang} tokens": len(ids), f"{lang} chars/token": sum(map(len, sentences)) / len(ids)}
        row |= {f"{lang} unknown": 0 if tok.base == "byte" else ids.count(0)}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# - **Bytes** need three tokens for most Japanese characters: 0.341 characters per token. **Characters** are 1 by
#   definition; in 42 places of the Japanese test text stands one that the training text lacks.
# - **Byte-level BPE** has nothing unknown, and is best in English (2.921). In Japanese it spends slots on pieces of
#   characters (1.118).
# - **BPE on characters** and **Unigram** need fewer tokens in Japanese, but they pass over what they don't know. (38 for
#   Unigram is no better than 42: it writes neighbouring unknown characters as one token.) With byte fallback Unigram
#   falls to 1.136, and that is the number to hold against 1.118.
# - **WordPiece** looks best in Japanese and worst in English. Both need a closer look.

# %%
wp = toks["WordPiece, 10 times"]
known = sum(len(t.removeprefix("##")) for line in test["ja"] for t in wp.tokens(line) if t != "[UNK]")
print("known Japanese characters:", known, "of", sum(map(len, test["ja"])))
print("tokens of one character:", sum(len(t.decode().removeprefix("##")) == 1 for t in wp.vocab))
first = [token.decode() for token in toks["WordPiece"].vocab if len(token.decode().removeprefix("##")) > 1][1:]
print(first[:12])
print([join.count for join in toks["WordPiece"].joins[:12]])

# %% [markdown]
# In Japanese, WordPiece has few tokens because it gave up on the rest: 732 of 1,841 characters are hidden in `[UNK]`. A
# sentence without blanks is one word to it, and one unknown character hides all up to the next punctuation mark.
#
# In English it is short of tokens. Two characters that occur once each, side by side, have the largest score there is,
# 1 / (1 · 1) = 1, so the first merges join rare kanji, each pair seen once. Frequent pairs of frequent letters come
# last. To ask for ten occurrences helps (2.628), though then the pairs run out at 3,674. And 1,931 of these tokens are
# single characters, since `x` and `##x` are two.
#
# One sentence in English and in Japanese ("Leftovers taste even better the next day."):

# %%
en, ja = next(pair for pair in bpelab.corpora.pairs("parallel", "test") if pair.en.startswith("Leftovers"))
bpelab.show.tokens(toks, en)

# %%
bpelab.show.tokens(toks, ja)

# %% [markdown]
# Characters and bytes at one end, 14 to 16 tokens for most others in English. `▁` and `␣` stand for the blanks;
# WordPiece has dropped them. In Japanese its short row is no success: 翌日になるとさらにおいしくなります, "get even better the next
# day", has become one `[UNK]`. Byte-level BPE writes 翌 ("next") as three tokens. And にお, a token of three of them,
# straddles two words: さらに is "even", おいしく "tasty". Statistics know no grammar.
#
# Why `[UNK]`, when all characters are known?

# %%
spelled = [token.decode() for token in wp.vocab]
print("翌" in spelled, "##翌" in spelled)

# %% [markdown]
# 翌 was never seen at the start of a "word", after a punctuation mark, only inside. So a character that is there may
# still be unknown.
#
# ## Training on many cuts of the same text
#
# A model that sees each word always cut in the same way learns little about its letters, and stumbles over a typo.
# **Subword regularization** shows it other cuts: in each pass over the training data, a segmentation is drawn at
# random. At use the best one is taken. Unigram can draw by itself; a higher temperature makes the draws more even.

# %%
for temperature in (1, 3, 10):
    draws = ["|".join(uni.sample("Leftovers", temperature, seed)) for seed in range(4)]
    print(temperature, draws)

# %% [markdown]
# For BPE, **BPE-dropout** does the same: at each step every possible merge is skipped with probability p.


# %%
def dropout(word, ranks, p, rng):
    parts = [character.encode() for character in word]
    while True:
        pairs = enumerate(pairwise(parts))
        kept = [(ranks[pair], i) for i, pair in pairs if pair in ranks and rng.random() >= p]
        if not kept:
            return [part.decode() for part in parts]
        i = min(kept)[1]
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


# %%
ranks = {(merge.left, merge.right): rank for rank, merge in enumerate(bpe.merges)}
rng = random.Random(0)
for p in (0, 0.1, 0.5, 1):
    print(p, ["|".join(dropout("▁Leftovers", ranks, p, rng)) for _ in range(4)])
assert dropout("▁Leftovers", ranks, 0, rng) == bpe.tokens("Leftovers")

# %% [markdown]
# With p = 0 it is plain BPE, with p = 1 characters. The paper uses 0.1. Both are for training only; the vocabulary stays
# as it is.
#
# ## Who uses what
#
# The sizes are those of the released models; two of the vocabularies lie in packages here, and the cell checks them.

# %%
models = [
    ("GPT-2", 2019, "byte-level BPE", "50,257", "its vocabulary, checked here"),
    ("BERT, base, uncased", 2018, "WordPiece", "30,522", "its vocab.txt; arXiv:1810.04805"),
    ("ALBERT", 2019, "Unigram (SentencePiece)", "30,000", "arXiv:1909.11942"),
    ("T5", 2019, "Unigram (SentencePiece)", "32,000 + 100 extra ids", "arXiv:1910.10683"),
    ("XLM-R", 2019, "Unigram (SentencePiece)", "250,002", "arXiv:1911.02116"),
    ("ByT5", 2021, "bytes", "256 + control ids", "arXiv:2105.13626"),
    ("Llama 2", 2023, "BPE (SentencePiece), byte fallback", "32,000", "arXiv:2307.09288"),
    ("Llama 3", 2024, "byte-level BPE, as in tiktoken", "128,256", "arXiv:2407.21783"),
    ("GPT-4o", 2024, "byte-level BPE (o200k_base)", "200,019", "tiktoken, checked here"),
]
assert bpelab.vocabularies.load("gpt2").n_vocab == 50_257
assert bpelab.vocabularies.load("o200k_base").n_vocab == 200_019
columns = ("model", "year", "method", "size", "source")
bpelab.show.table([dict(zip(columns, map(str, row), strict=True)) for row in models])

# %% [markdown]
# ## Thirty years

# %%
events = [
    (1994, "Gage: byte-pair encoding, to compress files"),
    (2012, "Schuster, Nakajima: WordPiece, for voice search"),
    (2015, "Sennrich et al.: BPE for translation"),
    (2018, "Kudo: Unigram, subword regularization"),
    (2018, "Kudo, Richardson: SentencePiece"),
    (2018, "BERT: WordPiece"),
    (2019, "GPT-2: byte-level BPE"),
    (2019, "Provilkov et al.: BPE-dropout"),
    (2021, "ByT5: bytes, no vocabulary to learn"),
    (2022, "tiktoken: fast BPE, published"),
    (2024, "o200k_base: 200,000 tokens"),
]
bpelab.show.table([{"year": str(year), "event": event} for year, event in events])

# %%
with matplotlib.rc_context(bpelab.plot.style()):
    figure = Figure(figsize=(7.2, 3.8), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title("Most of it happened between 2015 and 2024")
    for row, (year, event) in enumerate(events):
        axes.plot(year, row, "o", color=bpelab.plot.COLOURS[0])
        side, place = (8, "left") if year < 2000 else (-8, "right")
        axes.annotate(event, (year, row), (side, 0), textcoords="offset points", ha=place, va="center")
    axes.set(xlabel="year", xlim=(1993, 2025), ylim=(len(events) - 0.4, -0.6), yticks=[])
    axes.set_xticks([1994, 2000, 2006, 2012, 2018, 2024])
alt = "Timeline of tokenizers: " + "; ".join(f"{year} {event}" for year, event in events) + "."
bpelab.plot.Picture(figure, alt)

# %% [markdown]
# Two decades lie between BPE for compression and BPE for translation. The years are those of the
# first publication; the paper of Sennrich et al. was presented in 2016, that on BPE-dropout in 2020.
#
# ## Which to choose
#
# - **A model that exists**: its own tokenizer, always (chapter 03).
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
# - The training text is tiny, and 1,393 of 4,000 places go to characters. With more text the numbers are others.
# - Fewer tokens don't make a better model; no model was trained here.
# - BERT's trainer was never published. Ours follows the description in the Hugging Face course. BERT itself pulls kanji
#   apart first, ours doesn't.
# - SentencePiece fits probabilities with a small change (digamma of the expected counts, which makes rare pieces rarer),
#   and so does `Unigram.train`; the five-word example is plain EM.
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
# **2.** 東京都 could be 東京|都 or 東|京都. Which does the Unigram model above prefer of the two, and why?
#
# <details><summary>Answer</summary>
#
# 東京|都. 東京 and 京都 are equally probable, but 都 (0.03) is likelier than 東 (0.02). With 東京都 as a piece of its
# own, that wins over both.
#
# </details>
#
# **3.** Can BPE need more tokens than necessary, with its own vocabulary?
#
# <details><summary>Answer</summary>
#
# Yes. It cuts `research` into three, ▁re|se|arch, where ▁res|earch would do. Over the English test sentences it takes
# 1,592 tokens, and 1,575 are possible.
#
# </details>
#
# **4.** Which three things does SentencePiece's default lose?
#
# <details><summary>Answer</summary>
#
# The forms that NFKC replaces, such as ① and full-width letters; runs of blanks; blanks at the ends.
#
# </details>
#
# **5.** A Japanese sentence without punctuation holds one unknown character. What does WordPiece make of it?
#
# <details><summary>Answer</summary>
#
# One `[UNK]`: the sentence has no blank, so it is one word. In the table this makes WordPiece's characters per token
# look good.
#
# </details>
#
# ## Words of this chapter
#
# - **WordPiece**: merges by count(xy) / (count(x) · count(y)), encodes by longest match.
# - **longest match**: from the left, always the longest token that fits.
# - **Unigram**: a probability for each piece; the most probable segmentation wins.
# - **segmentation**: one way to cut a text into pieces.
# - **Viterbi algorithm**: finds the best segmentation by keeping the best way to each position.
# - **expectation maximization (EM)**: count what is expected under the model, fit the model to the counts, repeat.
# - **SentencePiece**: a library for BPE and Unigram on raw text, blanks written as `▁`.
# - **subword regularization**: training on segmentations drawn at random; **BPE-dropout** is its form for BPE.
#
# ## Sources
#
# - Philip Gage: *A New Algorithm for Data Compression*, The C Users Journal, 1994.
# - Mike Schuster, Kaisuke Nakajima: *Japanese and Korean Voice Search*, ICASSP 2012.
# - Rico Sennrich, Barry Haddow, Alexandra Birch: *Neural Machine Translation of Rare Words with Subword Units*,
#   arXiv:1508.07909.
# - Taku Kudo: *Subword Regularization: Improving Neural Network Translation Models with Multiple Subword Candidates*,
#   arXiv:1804.10959.
# - Taku Kudo, John Richardson: *SentencePiece*, arXiv:1808.06226.
# - Jacob Devlin and others: *BERT*, arXiv:1810.04805.
# - Ivan Provilkov, Dmitrii Emelianenko, Elena Voita: *BPE-Dropout: Simple and Effective Subword Regularization*,
#   arXiv:1910.13267.
# - Linting Xue and others: *ByT5: Towards a token-free future with pre-trained byte-to-byte models*, arXiv:2105.13626.
# - The Hugging Face course, chapter 6, for the training of WordPiece.
