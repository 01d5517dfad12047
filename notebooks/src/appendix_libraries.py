# %% [markdown]
# # Appendix: each library and its quirk
#
# A reference to [chapter 05](05_ties.ipynb): nine set-ups of seven libraries
# that learn merges, each trained in a few lines, with a small proof of what is
# peculiar about it. At the end all of them learn from two texts, and the
# recipes of this package learn the same, to the last merge.

# %%
import contextlib
import io
import tempfile
from pathlib import Path

import bpeasy
import gigabpe
import rustbpe
import sentencepiece
import tokenizers
from subword_nmt import learn_bpe
from tiktoken import _educational
from tokenizers import models, pre_tokenizers, trainers

import bpelab
from bpelab import parity, spelling, ties
from bpelab.show import label

# %% [markdown]
# The corpus of [chapter 02](02_training.ipynb), and the first 60,000 characters
# of the book's parallel text in English and Japanese:

# %%
corpus = "low low low lower lower newest"
japanese = bpelab.corpora.text("parallel", "ja")[:60_000]
texts = {
    "English": bpelab.corpora.text("parallel", "en")[:60_000],
    "Japanese": japanese,
}
BYTE_OF = {
    character: byte for byte, character in enumerate(spelling.byte_characters())
}


def spelled(token):
    return bytes(BYTE_OF[character] for character in token)


def train_huggingface(documents, n, **options):
    tok = tokenizers.Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    options |= {
        "vocab_size": 256 + n,
        "initial_alphabet": alphabet,
        "show_progress": False,
    }
    tok.train_from_iterator(documents, trainers.BpeTrainer(**options))
    return tok


# %% [markdown]
# ## Each library, and its quirk
#
# Each library in a few lines: a function that trains it and returns the tokens
# in learned order, and a small proof of what is peculiar about it. `in_order`
# sorts a vocabulary by id and drops the base.


# %%
def in_order(vocab, first):
    return [
        token
        for token, i in sorted(vocab.items(), key=lambda item: item[1])
        if i >= first
    ]


# %% [markdown]
# **Hugging Face, ByteLevel.** `max_token_length=k` lets tokens of k − 1
# characters through, not k:


# %%
def huggingface(text, n):
    return [
        spelled(token)
        for token in in_order(train_huggingface([text], n).get_vocab(), 256)
    ]


est = "lowest lowest newest newest"
for k in (3, 4, 5, 6):
    tok = train_huggingface([est], 20, max_token_length=k)
    print("limit", k, "longest token", max(map(len, tok.get_vocab())))

# %% [markdown]
# **Hugging Face, characters.** With another pre-tokenizer the base is the
# characters of the text, with ids by code point. A blank is then the lowest,
# and wins:


# %%
def huggingface_characters(text, n):
    tok, size = tokenizers.Tokenizer(models.BPE()), len(set(text))
    pattern = tokenizers.Regex(bpelab.chunking.PATTERNS["space"])
    tok.pre_tokenizer = pre_tokenizers.Split(pattern, "isolated")
    tok.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=size + n, show_progress=False)
    )
    return in_order(tok.get_vocab(), size)


print("ByteLevel: ", *map(label, huggingface(corpus, 11)))
print("characters:", *map(label, huggingface_characters(corpus, 11)))

# %% [markdown]
# After `␣lower` every count is 1. With characters `␣+n` comes next; with
# ByteLevel three pairs of letters go first.
#
# **rustbpe.** Also the lowest id, and the id of a byte is the byte: `␣+n` goes
# early again. It hands back tokens with ranks, ready for tiktoken:


# %%
def rust(text, n):
    tok = rustbpe.Tokenizer()
    tok.train_from_iterator([text], 256 + n, pattern=ties.GPT4)
    return in_order(
        {bytes(token): rank for token, rank in tok.get_mergeable_ranks()}, 256
    )


print(*map(label, rust(corpus, 11)))

# %% [markdown]
# **bpeasy.** The same tie rule. It exports a vocabulary, no merges, and has the
# same off-by-one in its length limit:


# %%
def easy(text, n, longest=10_000):
    pattern = bpelab.chunking.PATTERNS["gpt2"]
    return in_order(
        bpeasy.train_bpe(iter([text]), pattern, longest, 256 + n), 256
    )


print(*map(label, easy(corpus, 11)))
print(
    "longest token with a limit of 5:", max(map(len, easy(est, 20, longest=5)))
)

# %% [markdown]
# **gigabpe.** Hugging Face's rules, but it reads files line by line, so no
# merge holds a line end:


# %%
def giga(text, n):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text(text, encoding="utf-8", newline="")
        _, merges = gigabpe.train_bpe(
            [str(path)], 256 + n, special_tokens=[], pretokenizer="bytelevel"
        )
    return [spelled(left + right) for left, right in merges][:n]


gaps = "low\n\n\n\nlow\n\n\n\n"
print("gigabpe:     ", *map(label, giga(gaps, 9)))
print("Hugging Face:", *map(label, huggingface(gaps, 9)))

# %% [markdown]
# **tiktoken's `_educational` module.** tiktoken itself has no trainer; this one
# is for teaching. It takes the first pair seen, recounts everything at each
# step, and ends with an unhelpful error when the pairs run out:


# %%
def tiktoken_educational(text, n):
    options = {
        "vocab_size": 256 + n,
        "pat_str": bpelab.chunking.PATTERNS["gpt2"],
        "visualise": None,
    }
    return in_order(_educational.bpe_train(data=text, **options), 256)


print(*map(label, tiktoken_educational(corpus, 11)))
try:
    tiktoken_educational(corpus, 12)
except ValueError as error:
    print("ValueError from", str(error).split()[0])

# %% [markdown]
# **subword-nmt.** The original, for translation. Blanks are dropped, the last
# character of a word carries `</w>` and is another symbol than the same letter
# elsewhere, the largest pair wins, and pairs seen once are left alone:


# %%
def subword_nmt(text, n, **options):
    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):  # it draws a progress bar
        learn_bpe.learn_bpe(io.StringIO(text), codes, n, **options)
    return [line.replace(" ", "") for line in codes.getvalue().splitlines()[1:]]


print("as it is:       ", subword_nmt(corpus, 20))
print("min_frequency=1:", subword_nmt(corpus, 20, min_frequency=1))

# %% [markdown]
# `low` and `low</w>` have nothing in common but the letters: the word ends in
# `w</w>`, the `w` of `lower` is another symbol. So `l+o` is the only pair with
# 5.
#
# **SentencePiece.** A blank becomes `▁`, and every word gets one in front, the
# first too. The shortest piece wins:


# %%
def sentencepiece_default(text, n, **options):
    model = io.BytesIO()
    options |= {"model_type": "bpe", "minloglevel": 2}
    options |= {"character_coverage": 1.0, "hard_vocab_limit": False}
    options |= {"vocab_size": len(set(text)) + 4 + n}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")),
        model_writer=model,
        max_sentence_length=1 << 20,
        **options,
    )
    loaded = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [loaded.id_to_piece(i) for i in range(3, loaded.get_piece_size())]
    return [piece for piece in pieces if len(piece) > 1][:n]


print(sentencepiece_default(corpus, 20))
ours = bpelab.train(corpus, 20, **bpelab.RECIPES["sentencepiece"])
print([token.decode() for token in parity.tokens_of(ours)])

# %% [markdown]
# Ours stops after 11 merges, since no pair is left. SentencePiece fills the
# vocabulary up with leftovers, such as `ow`, which occur nowhere any more once
# all merges are done. Compare up to the exhaustion only.
#
# By default it also applies NFKC ([chapter 04](04_bytes.ipynb)), keeps scripts
# apart and stops at 16 characters. Options switch that off:


# %%
def sentencepiece_unconstrained(text, n):
    options = {
        "normalization_rule_name": "identity",
        "split_by_unicode_script": False,
    }
    options |= {"split_by_number": False, "max_sentencepiece_length": 512}
    return sentencepiece_default(text, n, **options)


for learn in (sentencepiece_default, sentencepiece_unconstrained):
    pieces = learn(japanese, 1000)
    print(learn.__name__)
    print(
        "   longest piece of the alphabet:",
        max(map(len, learn("abcdefghijklmnopqrstuvwxyz", 100))),
    )
    print(
        "   Japanese pieces with a full stop:",
        [piece for piece in pieces if "。" in piece][:8],
    )

# %% [markdown]
# Without the limits, the alphabet becomes one piece of 27 characters (with
# `▁`), and ます。 (the polite ending with the full stop) is a piece. With the
# defaults neither can be learned: 16 characters are the most, and 。 has
# the script Common, so it is cut off from the letters beforehand.
#
# **minbpe and YouTokenToMe** can't be installed here: the first is a repository
# and no package, the second no longer builds. Their recipes stand in [chapter
# 05](05_ties.ipynb). These are the first eight tokens that they learned from
# the small corpus elsewhere:

# %%
ran_elsewhere = {
    "minbpe": ["lo", "low", " low", " lowe", " lower", " n", " ne", " new"],
    "youtokentome": ["ow", "▁l", "▁low", "er", "▁lower", "ew", "es", "▁n"],
}
for name, tokens in ran_elsewhere.items():
    print(
        name,
        parity.agreement(
            bpelab.train(corpus, 8, **bpelab.RECIPES[name]), tokens
        ),
        "of 8",
    )

# %% [markdown]
# YouTokenToMe prefers `o+w` to `l+o`, although its tie rule alone takes `l+o`
# ([chapter 05](05_ties.ipynb)). Its base symbols are numbered by frequency, so
# its ids are others. minbpe ends with the same error as tiktoken's module when
# the pairs run out.
#
# ## The table: every installed library, both languages
#
# Now all nine set-ups on both texts. tiktoken's module recounts everything and
# subword-nmt is plain Python, so they get less to do: 60 merges on the first
# 10,000 characters, and 200 merges. gigabpe's recipe needs the lines as
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
# All of them, to the last merge. Is the tie rule really needed for that? The
# same comparison with the tie rule exchanged and all else as in the recipe, for
# Japanese:

# %%
rows = []
for name in libraries:
    theirs, documents = learned[name, "Japanese"], trained_on[name, "Japanese"]
    row = {"library": name, "merges": len(theirs)}
    for rule in ties.TIES:
        tok = bpelab.train(
            documents, len(theirs), **bpelab.RECIPES[name] | {"tie": rule}
        )
        row[rule] = parity.agreement(tok, theirs)
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# One rule fits each library, and each other rule goes wrong early. So the rule
# can be read off a list of merges; [chapter 05](05_ties.ipynb) does that in
# "Your own case".
#
# ## Sources
#
# The source code of tokenizers, tiktoken, sentencepiece, subword-nmt, rustbpe,
# bpeasy, gigabpe, minbpe and YouTokenToMe, for their tie rules. All but the
# last two were run here, in the versions that are installed.
