# %% [markdown]
# # 04 Bytes and Unicode
#
# The characters of [chapter 03](03_encoding.ipynb) ran out: a rare kanji became
# `<unk>` and didn't come back. Here the smallest unit is a byte, and nothing is
# unknown. After this chapter you can read tokens that are pieces of characters,
# say why two texts that look the same get different ids, keep special tokens
# out of user text, and print a model's output as it arrives. About 40 minutes,
# and an hour for the five exercises. No Japanese needed.

# %% tags=["setup"]
import random
from collections import Counter
from unicodedata import name, normalize

import regex
import tokenizers
from tokenizers import models

import bpelab
from bpelab.efficiency import KINDS, kind
from bpelab.show import label, pieces

# %%
source = "parallel"  # or a file of yours: "my.txt"

# %% [markdown]
# ## A character is one to four bytes
#
# Unicode gives each character a number, its **code point**, written U+ and
# hexadecimal digits. A **byte** is a number from 0 to 255, and there are more
# characters than that. **UTF-8** is the usual way to write a code point as
# bytes. 猫 is "cat" in Japanese.

# %%
rows = []
for text in ("cat", "é", "猫", "🐈"):
    points = " ".join(f"U+{ord(character):04X}" for character in text)
    rows.append({"text": text, "characters": len(text), "code points": points})
    rows[-1]["bytes"] = len(text.encode())
    rows[-1]["in bits"] = " ".join(f"{byte:08b}" for byte in text.encode())
bpelab.show.table(rows)

# %% [markdown]
# How does a reader of bytes know where a character ends? The first byte tells
# the length: it begins with 0 (one byte), 110 (two), 1110 (three) or 11110
# (four). All others begin with 10; they are **continuation bytes**. The rule
# holds for all code points. (Left out are the *surrogates*, 2,048 numbers
# reserved for UTF-16.)


# %%
def size(first):
    """The bytes of a character, read off its first byte."""
    return 1 + sum(first >= b for b in (0b11000000, 0b11100000, 0b11110000))


points = [*range(0xD800), *range(0xE000, 0x110000)]
lengths = Counter()
for point in points:
    first, *rest = chr(point).encode()
    assert size(first) == 1 + len(rest) and all(b >> 6 == 0b10 for b in rest)
    lengths[1 + len(rest)] += 1
bpelab.show.table([{"bytes": n, "code points": lengths[n]} for n in lengths])

# %% [markdown]
# English letters, digits and the blank are among the 128 with one byte. Kana
# (the syllable signs of Japanese) and nearly all kanji (its characters from
# China) take three.

# %% [markdown] tags=["exercise"]
# **Exercise 04.1** ★ · 3 minutes. Unicode has two forms of é: one code point
# (NFC), or e followed by an accent, U+0301 (NFD). Predict before you run
# anything: how many bytes are `é猫🐈a` in NFC, and in NFD?

# %% tags=["exercise"]
#: nfc, nfd = ..., ...
# solution
nfc, nfd = 2 + 3 + 4 + 1, 3 + 3 + 4 + 1
# end
bpelab.exercises.check("04.1", (nfc, nfd))

# %% [markdown] tags=["solution"]
# In NFC the four characters have 2, 3, 4 and 1 bytes. NFD takes only é apart:
# e has one byte, the accent U+0301 two, so é grows from two bytes to three.

# %% [markdown]
# ### Why not UTF-16 or UTF-32?
#
# They write each character with units of two or four bytes. The text of this
# book, or yours, in all three. Every tenth line is kept for testing.

# %%
tests, rows = {}, []
for lang in bpelab.corpora.languages(source)[:2] or ["text"]:
    training = bpelab.corpora.text(source, lang, "train")
    test = tests[lang] = bpelab.corpora.text(source, lang, "test") or training
    for encoding in ("utf-8", "utf-16-le", "utf-32-le"):
        data = training.encode(encoding)
        rows.append({"text": lang, "encoding": encoding, "bytes": len(data)})
        rows[-1]["per character"] = len(data) / len(training)
        rows[-1]["zeros %"] = 100 * data.count(0) / len(data)
bpelab.show.table(rows)

# %% [markdown]
# UTF-16 is shorter for the Japanese text, and much longer for English: nearly
# every second byte is a zero. Three more reasons for UTF-8. Both others come
# in two byte orders. Plain English files are UTF-8 as they are. And in UTF-8
# the first byte and the continuation bytes can't be mistaken for each other;
# in UTF-16 nearly any value may stand at either place, so that one lost byte
# spoils the rest:

# %%
for encoding in ("utf-8", "utf-16-le"):
    cut = "猫と犬".encode(encoding)[1:]
    print(encoding, repr(cut.decode(encoding, errors="replace")))

# %% [markdown] tags=["exercise"]
# **Exercise 04.2** ★★ · 15 minutes. Bytes arrive over a network, and `data`
# holds those not shown yet. Write `printable(data)`: how many of them, from the
# front, may be decoded and shown now? Hold back only what later bytes may
# complete to a character. What can become none is shown as � at once.


# %% tags=["exercise"]
def printable(data):
    """How many of these bytes to show now, 0 to len(data)."""
    #: ...
    # solution
    for back, least in ((1, 0xC0), (2, 0xE0), (3, 0xF0)):
        byte = data[-back] if back <= len(data) else 0
        if least <= byte < 0xF8:
            return len(data) - back
        if byte >> 6 != 0b10:
            break
    return len(data)
    # end


bpelab.exercises.check("04.2", printable)

# %% [markdown] tags=["solution"]
# Only the last three bytes can belong to an unfinished character. Go back over
# continuation bytes to a first byte. If it promises more bytes than have come
# (0xC0 and up: two or more; 0xE0: three; 0xF0: four), hold it and what follows;
# else show everything. 0xFF promises nothing, so it is shown (as �) at once.
# Python has this in `codecs.getincrementaldecoder("utf-8")`, with a few more
# rules for bytes that look like a start and aren't.

# %% [markdown]
# And why not code points themselves as the base? There are over a million;
# nearly all rows of a model's table would never be trained.
#
# ## With bytes as the base nothing is unknown
#
# `base="byte"` starts from the 256 values of a byte. The rest of the algorithm
# stays as it was. Beside it the tokenizer of
# [chapter 03](03_encoding.ipynb), on the same text (Japanese, where there are
# two). Bytes get more merges, so that on the shipped text the two vocabularies
# are about equally large:

# %%
tok = bpelab.train(training, 4000, base="byte", chunking="gpt2")
by_characters = bpelab.train(training, 2000, chunking="gpt2")
rows = []
for lang, text in tests.items():
    lines = bpelab.corpora.lines(text)
    rows.append({"test text": lang, "lines": len(lines)})
    for base, t in (("characters", by_characters), ("bytes", tok)):
        lost = sum(t.decode(t.encode(line)) != line for line in lines)
        rows[-1][f"damaged, {base}"] = lost
bpelab.show.table(rows)

# %% [markdown]
# All lines come back, in both languages. So does any text. Random code points,
# hardly any of them in the training text:

# %%
draw = random.Random(4)
for _ in range(1000):
    text = "".join(map(chr, draw.choices(points, k=20)))
    assert tok.decode(tok.encode(text)) == text
try:
    tok.encode("cat \ud83d")
except ValueError as error:
    print(error)

# %% [markdown]
# All 1,000 came back. The only thing refused is a lone surrogate: Python can
# hold one in a string, but UTF-8 can't write it. Now the price, on the test
# text:

# %%
both = {"characters": by_characters, "bytes": tok}
frames = {base: bpelab.sweep(t, test) for base, t in both.items()}
bpelab.plot.curves(
    frames,
    ylabel="tokens of the test text",
    title="Bytes start far longer and catch up",
    alt="Tokens of the test text against vocabulary size. The line of bytes "
    "starts at 256 tokens and very long, and falls; the line of characters "
    "starts at a much larger vocabulary.",
)

# %%
rows = []
for base, frame in frames.items():
    for n in (0, 100, 500, 1000, 2000, 4000):
        if n < len(frame):
            rows.append({"base": base, "merges": n})
            rows[-1]["ids"] = int(frame["vocab_size"][n])
            rows[-1]["tokens"] = int(frame["tokens"][n])
print(by_characters.encode(test).count(0), "tokens by characters are <unk>")
bpelab.show.table(rows)

# %% [markdown]
# Before any merge, characters need an id for every character of the training
# text, and still some of the test text are unknown. Bytes need 256, once and
# for all, but at first a kana is three tokens. Merges make up for it. On the
# shipped text, where characters start, bytes with as many ids already take
# fewer tokens. Further right the characters are a little ahead, though some of
# their tokens say nothing but "unknown".
#
# ### Byte fallback: characters, with bytes for the rest
#
# A third way is used by SentencePiece and Llama 2: characters as the base, 256
# more tokens for the bytes, and whatever is unknown is spelled in those. In
# Hugging Face's library:

# %%
known = ["<unk>", *" elnorstw"]
spelled = [f"<0x{byte:02X}>" for byte in range(256)]
vocab = {token: i for i, token in enumerate(known + spelled)}
model = models.BPE(vocab, [], unk_token="<unk>", byte_fallback=True)
print(tokenizers.Tokenizer(model).encode("box 猫").tokens)

# %% [markdown]
# Nothing is lost either. The difference: these bytes are never merged, so a
# character that training didn't keep always costs its full number of bytes.
#
# ## Tokens can be pieces of characters
#
# 西端の洞窟 is "the cave on the western tip": five characters, fifteen bytes. Each
# vocabulary cuts the same row of bytes in its own way: ours, and those of
# GPT-2, GPT-4 (cl100k_base) and GPT-4o (o200k_base). Bytes that are no whole
# character are written in hexadecimal.

# %%
names = ("gpt2", "cl100k_base", "o200k_base")
real = {title: bpelab.vocabularies.load(title) for title in names}
cave = "西端の洞窟"
cuts = {"no merges": tok.truncate(0), "ours": tok, **real}
rows = {title: pieces(t, cave)[1] for title, t in cuts.items()}
bpelab.plot.grid(cave, rows, title="One text, fifteen bytes, five ways to cut")

# %%
for title, tokens in rows.items():
    print(f"{title:12} {len(tokens):2}", "|".join(map(label, tokens)))

# %% [markdown]
# How do such tokens come about? The first merges of ours:

# %%
block = "".join(map(chr, range(0x3041, 0x3080)))
assert all(character.encode()[:2] == b"\xe3\x81" for character in block)
print(block)
bpelab.show.table(tok.merge_table(8))

# %% [markdown]
# On the shipped text the most frequent pair is not a character but the first two
# of three bytes, `<0xE3><0x81>`, shared by all the kana printed here. Later
# merges add a last byte and make whole kana. Nothing in the algorithm knows
# where a character ends:

# %%
made = [merge.left + merge.right for merge in tok.merges]
counts = Counter(map(kind, made))
print(", ".join(f"{what}: {counts[what]}" for what in KINDS))
parts = [token for token in made if kind(token) == KINDS[0]]
across = [t for t in parts if any(b >> 6 != 0b10 for b in t[1:])]
print(len(across), "of", len(parts), "pieces reach over a border, such as")
print(" ".join(f"{label(token)} ({token.hex(' ')})" for token in across[:3]))

# %% [markdown]
# Some merges only make pieces, and some pieces hold the end of one character
# and the beginning of the next. In hexadecimal a continuation byte begins with
# 8, 9, a or b. **A quick question.** Does a token that is one character with
# part of another do any harm to encoding? (No: the bytes come back. It can
# harm whoever prints tokens one at a time; see below.)

# %% [markdown] tags=["exercise"]
# **Exercise 04.3** ★★ · 20 minutes. tiktoken's files hold no merges, only
# tokens (bytes) and their ranks. Write `merges_of(ranks)`: the pair that
# training joined for each token of two bytes or more, in order of rank. Many
# tokens can be split into two others in several ways; only one is right.


# %% tags=["exercise"]
def merges_of(ranks):
    """[(left, right), ...] of the tokens in {token: rank}."""
    #: ...
    # solution
    merges = []
    for token in sorted(ranks, key=ranks.get):
        symbols = [bytes([byte]) for byte in token]
        if len(symbols) > 1:
            left, right = bpelab.reference.encode(symbols, merges)
            merges.append((left, right))
    return merges
    # end


bpelab.exercises.check("04.3", merges_of)

# %% [markdown] tags=["solution"]
# When a token was made, its bytes had just been cut by all merges before it,
# and by no other. So encode its bytes with these: two parts are left, and they
# are the pair. A split into two known tokens is not enough, since the two may
# never have stood side by side. `bpelab.from_tiktoken` does the same, and
# faster: by rank.

# %% [markdown]
# ## Ġ: bytes written as characters
#
# Vocabulary files are text: JSON, or a merge a line. But a token may be a
# blank, a line end, or half a kanji. GPT-2's way out is a table that gives each
# byte a visible character of its own.

# %%
characters = bpelab.spelling.byte_characters()
moved = [(b, c) for b, c in enumerate(characters) if c != chr(b)]
print(256 - len(moved), "bytes stand for themselves,", len(moved), "are moved:")
print(moved[:2], "...", moved[32:34], "...", moved[-1:])


# %%
def in_file(token):
    return "".join(characters[byte] for byte in token)


def from_file(spelling):
    return bytes(characters.index(character) for character in spelling)


for text in (" low", "\n", "猫"):
    spelling = in_file(text.encode())
    print(repr(text), "→", spelling, "→", repr(from_file(spelling).decode()))

# %% [markdown]
# Printable characters of the first 256 code points stay; control characters,
# blanks and a few more are counted up from Ā. The blank is the 33rd of those
# and becomes **Ġ**. So Ġ at the start of a token says "a blank stands before".

# %% [markdown] tags=["exercise"]
# **Exercise 04.4** ★★ · 10 minutes. Build this table from its rule, without
# `bpelab`: a list of 256 characters in the order of the bytes. Whether Python
# can show a character, `str.isprintable` tells. It calls the blank printable;
# GPT-2 doesn't.

# %% tags=["exercise"]
#: table = ...
# solution
table, hidden = [], 0
for byte in range(256):
    stays = chr(byte).isprintable() and chr(byte) != " "
    table.append(chr(byte) if stays else chr(256 + hidden))
    hidden += not stays
# end
bpelab.exercises.check("04.4", table)

# %% [markdown] tags=["solution"]
# 68 bytes have no visible character: 0 to 32, 127 to 160, and 173, the soft
# hyphen, which shows only where a line is broken. They are counted, so the
# character depends on how many came before. Up to the blank this is the same
# as adding 256; from byte 127 on it is not.

# %% [markdown]
# Some tokens of GPT-2's real vocabulary, read both ways:

# %%
gpt2 = bpelab.vocabularies.tokens("gpt2")
rows = []
for i in (0, 220, 198, 262, 1877, 5641, 31965, 15474):
    rows.append({"id": i, "in the file": in_file(gpt2[i])})
    rows[-1] |= {"bytes": gpt2[i].hex(" "), "read": label(gpt2[i])}
bpelab.show.table(rows)

# %% [markdown]
# ãģ® is the kana の, çī two bytes of a kanji, and id 15,474 is の with the first
# byte of a kanji. Japanese in such a file looks broken and isn't. And the first
# 256 ids are not byte values: `!`, byte 33, is id 0, because GPT-2 numbers the
# bytes in the order of its table. The blank is 220, the line end 198.
#
# ## One look, several spellings: normalization
#
# が (*ga*) has two spellings in Unicode: one code point, or か (*ka*) followed by
# a voicing mark. They are called **NFC** (composed) and **NFD** (decomposed).
# On the screen they are the same.

# %%
o200k = real["o200k_base"]
rows = []
for form in ("NFC", "NFD"):
    text = normalize(form, "が")
    rows.append({"form": form, "code points": " + ".join(map(name, text))})
    rows[-1]["bytes"] = len(text.encode())
    for title in ("gpt2", "o200k_base"):
        rows[-1][title] = real[title].encode_ordinary(text)
bpelab.show.table(rows)

# %% [markdown]
# One code point and 3 bytes, or two and 6; one token, or three others. To a
# model these are different texts.
#
# Two more forms, **NFKC** and **NFKD**, also replace *compatibility
# characters*, variants of others: half-width kana, full-width digits and
# letters, a 1 in a circle, an era name (*Heisei*) squeezed into one character.

# %%
forms = ("NFC", "NFD", "NFKC", "NFKD")
rows = []
for given in ("が", "ｶﾞ", "２０２４", "①", "㍻", "x²"):
    results = {form: normalize(form, given) for form in forms}
    for text in dict.fromkeys(results.values()):
        same = " ".join(form for form in forms if results[form] == text)
        rows.append({"given": given, "forms": same, "result": text})
        rows[-1]["code points"] = len(text)
        rows[-1]["o200k tokens"] = len(o200k.encode_ordinary(text))
bpelab.show.table(rows)

# %% [markdown]
# In this list only が differs between NFC and NFD. With the K, a
# form takes as many tokens here as without, or fewer. But ① and x² now mean something else.
#
# ### Look-alikes
#
# Some pairs look alike and are different characters, often because two keyboards
# or two older character sets disagree. The last column counts them in the training text.

# %%
rows = []
for character in "〜～−－：:神\ufa19":
    rows.append({"": character, "code point": f"U+{ord(character):04X}"})
    rows[-1]["name"] = name(character).capitalize()
    rows[-1]["o200k"] = o200k.encode_ordinary(character)
    for form in ("NFC", "NFKC"):
        changed = normalize(form, character)
        rows[-1][form] = f"U+{ord(changed):04X}" if changed != character else ""
    rows[-1]["in the text"] = training.count(character)
bpelab.show.table(rows)

# %% [markdown]
# The wave dash 〜 and the full-width tilde ～ ("from ... to") have different ids,
# and no form makes them one. NFKC makes the full-width hyphen a plain one, and
# leaves the minus sign. The book's own text holds such characters too.
#
# The last line is a trap. **NFC** is often called harmless, but it rewrites
# *compatibility ideographs*: 神 at U+FA19, an older shape in a person's name,
# becomes the common 神 at U+795E, and doesn't come back. So even NFC can change
# how a name is written.
#
# Now whole texts: what each form does to the training text.

# %%
rows = []
lines = bpelab.corpora.lines(training)
for form in forms:
    folded = normalize(form, training)
    rows.append({"form": form, "code points": len(folded)})
    rows[-1]["lines changed"] = sum(normalize(form, t) != t for t in lines)
    rows[-1]["o200k tokens"] = len(o200k.encode_ordinary(folded))
bpelab.show.table(rows)

# %% [markdown]
# The shipped Japanese is NFC already. Decomposed (file names from older file
# systems often are) it costs about a fifth more tokens, for the same words.
#
# `train` takes `normalization=` and applies it before chunking, to the training
# text and to every text encoded later.

# %%
options = {"base": "byte", "chunking": "gpt2"}
folded = bpelab.train(training, 4000, normalization="NFKC", **options)
rows = []
for text in ("ガ", "ｶﾞ", "2024", "２０２４", "①"):
    rows.append({"text": text, "ids without": tok.encode(text)})
    rows[-1]["ids with NFKC"] = folded.encode(text)
    rows[-1]["decoded"] = folded.decode(folded.encode(text))
bpelab.show.table(rows)

# %% [markdown]
# With NFKC, ガ and ｶﾞ have the same ids, and so have the two 2024. What was given
# is lost. That may be right for search, and is wrong where the text must come
# back, such as code or names. So nothing is normalized unless you ask.
#
# ## Special tokens are ids that text cannot reach by default
#
# A **special token** marks what text can't say: here a document ends, here the
# user speaks. It has a name to write it down and an id after the vocabulary.
# What if a user types such a name? ("This book explains <|endoftext|>.")

# %%
special = tok.with_special_tokens(["<|endoftext|>", "<|user|>"])
assert special.vocab[: tok.vocab_size] == tok.vocab
print(special.special_tokens)
user = "この本は<|endoftext|>を説明する。"
print("|".join(special.tokens(user)))
print(special.encode(user))
print(special.encode(user, allowed_special=["<|endoftext|>"]))

# %% [markdown]
# By default it is ordinary text. Only a caller who passes `allowed_special` gets
# the special id. If user text became special ids by itself, a visitor could end
# the document, or speak in another role. The libraries have other defaults:

# %%
as_tiktoken, as_huggingface = (
    special.to_tiktoken("ours"),
    special.to_huggingface(),
)
ordinary = special.encode(user)
controlled = special.encode(user, allowed_special="all")
try:
    as_tiktoken.encode(user)
except ValueError as error:
    print(str(error).splitlines()[0])
assert as_tiktoken.encode_ordinary(user) == ordinary
assert as_tiktoken.encode(user, allowed_special="all") == controlled

# %%
new = tokenizers.Tokenizer(models.BPE())
print("a new one:", new.encode_special_tokens, end="; ")
print("our export:", as_huggingface.encode_special_tokens)
assert as_huggingface.encode(user).ids == ordinary
as_huggingface.encode_special_tokens = False
assert as_huggingface.encode(user).ids == controlled

# %% [markdown]
# tiktoken refuses such text until told what to do. A new Hugging Face tokenizer
# turns the name into the id; what we export has `encode_special_tokens` set, so
# that it reads ordinary text as bpelab does.
#
# A training text is often documents with such a name between them. Split it
# there first, or the name is learned like any word:

# %%
joined = "low lower<end>low lower<end>low lower"
for corpus in (joined, joined.split("<end>")):
    t = bpelab.train(corpus, base="byte", special_tokens=["<end>"])
    print([label(token) for token in t.vocab[256:]])
    print(t.encode("<end>"), t.encode("<end>", allowed_special="all"))

# %% [markdown]
# In the first list merges run across the end of a document. In the second none
# does: `<end>` is the special token, and part of no other.

# %% [markdown] tags=["exercise"]
# **Exercise 04.5** ★★★ · 20 minutes. Write `chat_ids(tok, messages)`.
# `messages` are pairs (role, text); roles are "system", "user" or "assistant"
# and come from the program, texts from anybody. A message is its role, say
# `<|user|>`, its text, and `<|end|>`; `tok` has these as special tokens. No
# text may speak for another role, and no text may be lost.


# %% tags=["exercise"]
def chat_ids(tok, messages):
    """The ids of a chat, as one list."""
    #: ...
    # solution
    special, ids = tok.special_tokens, []
    for role, text in messages:
        ids.append(special[f"<|{role}|>"])
        ids += tok.encode(text)
        ids.append(special["<|end|>"])
    return ids
    # end


bpelab.exercises.check("04.5", chat_ids)

# %% [markdown] tags=["solution"]
# The program puts special ids into the list itself; texts go through `encode`
# without `allowed_special`, one by one. A joined string has forgotten which
# part came from whom. Deleting names is no way out: it loses text, and
# `<|e<|end|>nd|>` becomes a name by the deletion.

# %% [markdown]
# ## Decoding a stream
#
# A model gives one id after the other, and a program wants to print at once.

# %%
ids = tok.encode(cave)
print("alone: ", [tok.decode([i]) for i in ids])
decoder = tok.stream_decoder()
print("stream:", [decoder.feed(i) for i in ids], repr(decoder.finish()))
decoder = tok.stream_decoder()
cut_short = [decoder.feed(i) for i in ids[:-1]]
print("cut:   ", cut_short, repr(decoder.finish()))

# %% [markdown]
# Alone, a piece of a character becomes U+FFFD (�), the replacement character,
# and joining the pieces doesn't bring the kanji back. The **stream decoder**
# holds incomplete bytes until the rest arrives, as in exercise 04.2. If the
# stream is cut within a character, the � comes at the end, from `finish()`. For
# any ids at all, the parts join to what `decode` gives for the whole list:


# %%
def streamed(tokenizer, ids):
    decoder = tokenizer.stream_decoder()
    return "".join([decoder.feed(i) for i in ids]) + decoder.finish()


assert streamed(tok, tok.encode(test)) == test
for _ in range(500):
    ids = draw.choices(range(tok.vocab_size), k=20)
    assert streamed(tok, ids) == tok.decode(ids)
print("the test text, and 500 lists of random ids")

# %% [markdown]
# How often does it matter? Tokens of the test text that show a � when decoded
# alone:

# %%
rows = []
for title, encoding in {"ours": tok, **real}.items():
    tokens = pieces(encoding, test)[1]
    broken = sum("\ufffd" in t.decode(errors="replace") for t in tokens)
    rows.append({"vocabulary": title, "tokens": len(tokens)})
    rows[-1] |= {"with � alone": broken, "%": 100 * broken / len(tokens)}
bpelab.show.table(rows)

# %% [markdown]
# On the shipped Japanese it is more than half of GPT-2's tokens. The newer
# vocabularies have more whole kanji, but some pieces are left even in
# o200k_base.
#
# ## Which characters does a token cover?
#
# `offsets` gives, for each token, the characters from start to end (not
# included). A piece covers its whole character, so neighbours may overlap:

# %%
rows = []
for token, (start, end) in zip(
    tok.tokens(cave), tok.offsets(cave), strict=True
):
    rows.append({"token": token, "start": start, "end": end})
    rows[-1]["covers"] = cave[start:end]
bpelab.show.table(rows)

# %% [markdown]
# What a reader takes for one character can be several code points: a **grapheme
# cluster**. A family emoji:

# %%
family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
clusters = len(regex.findall(r"\X", family))
print(family, len(family), "code points,", len(family.encode()), "bytes")
print([name(character) for character in family], clusters, "cluster")
bpelab.show.tokens({"ours": tok, **real}, family)

# %% [markdown]
# `len` gives 5, and the joiners between the persons are characters of their own.
# The package `regex` finds clusters with `\X`; the frames are drawn around them.
# Cutting a text at any token, or any code point, may break up a family.
#
# ## What was simplified
#
# - Older Japanese files are often in Shift_JIS; `bpelab.corpora.read` says so
#   when a file isn't UTF-8, and takes `encoding=`.
# - Not every list of bytes is UTF-8, so ids can spell broken text. A model
#   trained on good text seldom writes it.
# - The production vocabularies were trained on other texts than ours. Compare
#   their rows as examples only.
# - Which form of normalization helps a model is not measured here.
#
# ## Questions
#
# **1.** A token list shows `ãģ®`. Is the file damaged?
#
# <details><summary>Answer</summary>
#
# No. Each character stands for a byte: e3 81 ae, the kana の.
#
# </details>
#
# **2.** A tokenizer with base "byte" was trained on Japanese only. What does it
# do with an emoji it has never seen?
#
# <details><summary>Answer</summary>
#
# It writes it with byte tokens, or pieces. Decoding gives it back exactly.
#
# </details>
#
# **3.** Two file names look the same, but one has twice the tokens. What do you
# look at first?
#
# <details><summary>Answer</summary>
#
# The code points: one is probably decomposed (NFD). Bringing both into NFC makes
# them equal; look-alikes such as 〜 and ～ stay different.
#
# </details>
#
# **4.** A chat program prints `tok.decode([i])` for each id as it arrives. What
# goes wrong in Japanese, and what helps?
#
# <details><summary>Answer</summary>
#
# Pieces of characters become � and can't be joined again. `stream_decoder()`
# waits for the rest.
#
# </details>
#
# ## Words of this chapter
#
# Code point, UTF-8, continuation byte, byte fallback, Ġ, normalization (NFC,
# NFD, NFKC, NFKD), compatibility character, special token, stream decoder,
# grapheme cluster: see the [glossary](glossary.md).
#
# ## Sources
#
# - F. Yergeau: *UTF-8, a transformation format of ISO 10646*,
#   [RFC 3629](https://www.rfc-editor.org/rfc/rfc3629), 2003.
# - A. Radford and others: *Language Models are Unsupervised Multitask Learners*,
#   2019 (the GPT-2 report: bytes as the base).
# - C. Wang, K. Cho, J. Gu: *Neural Machine Translation with Byte-Level
#   Subwords*, 2019, [arXiv:1909.03341](https://arxiv.org/abs/1909.03341).
# - Unicode Standard Annexes [15](https://www.unicode.org/reports/tr15/)
#   (normalization forms) and [29](https://www.unicode.org/reports/tr29/)
#   (grapheme clusters).
# - The documentation of [tiktoken](https://github.com/openai/tiktoken) and of
#   [Hugging Face tokenizers](https://huggingface.co/docs/tokenizers), on
#   special tokens.
