# %% [markdown]
# # 04 Bytes and Unicode
#
# The characters of chapter 03 ran out: a rare kanji became `<unk>` and didn't come back. Here the smallest piece is a
# byte, and nothing is unknown. After this chapter you can read tokens that are pieces of characters, say why two
# texts that look the same get different ids, keep control tokens out of user text, and print a model's output as it
# arrives. About 45 minutes. No Japanese needed.

# %%
import random
import tempfile
from collections import Counter
from itertools import accumulate
from pathlib import Path
from unicodedata import name, normalize

import regex
import tokenizers
from sudachipy import Dictionary, SplitMode
from sudachipy.errors import SudachiError

import bpelab
from bpelab.efficiency import KINDS, kind
from bpelab.show import label

# %% [markdown]
# ## A character is one to four bytes
#
# Unicode gives each character a number, its **code point**, written U+ and hexadecimal digits. A **byte** is a number
# from 0 to 255, and there are more characters than that. **UTF-8** is the usual way to write a code point as bytes.
# 猫 is "cat" in Japanese.

# %%
rows = []
for text in ("cat", "猫", "é", "🐈"):
    row = {"text": text, "code points": " ".join(f"U+{ord(character):04X}" for character in text)}
    row |= {"characters": len(text), "bytes": len(text.encode()), "values": list(text.encode())}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# How does a reader of bytes know where a character ends? In bits:

# %%
for character in "aé猫🐈":
    print(character, " ".join(f"{byte:08b}" for byte in character.encode()))

# %% [markdown]
# The first byte tells the length: it begins with 0 (one byte), 110 (two), 1110 (three) or 11110 (four). All others
# begin with 10; they are **continuation bytes**. We check the rule on all code points. Left out are the
# *surrogates*, 2,048 numbers reserved for another encoding (UTF-16), which never stand for a character.


# %%
def size(first):
    """The bytes of a character, read off its first byte."""
    return 1 if first < 0b11000000 else 2 if first < 0b11100000 else 3 if first < 0b11110000 else 4


points = [*range(0xD800), *range(0xE000, 0x110000)]
lengths = Counter()
for point in points:
    first, *rest = chr(point).encode()
    assert size(first) == 1 + len(rest) and all(byte >> 6 == 0b10 for byte in rest)
    lengths[1 + len(rest)] += 1
bpelab.show.table([{"bytes": n, "code points": lengths[n]} for n in sorted(lengths)])

# %% [markdown]
# English letters, digits and the blank are among the 128 with one byte. Kana (the letters of Japanese) and nearly all
# kanji (its characters from Chinese) take three.
#
# Now real text. "parallel" is 480 sentences in English and the same 480 in Japanese, written for this book;
# "jupyterlab" is JupyterLab's interface messages in both. Every tenth pair is kept for testing. To train on your own
# file, change the first line.

# %%
japanese = bpelab.corpora.text("parallel", "ja", "train")  # or: bpelab.corpora.read("my.txt")
tests = {}
for corpus in ("parallel", "jupyterlab"):
    for lang in ("en", "ja"):
        tests[f"{corpus} {lang}"] = bpelab.corpora.text(corpus, lang, "test")

# %%
rows = []
for title, text in tests.items():
    row = {"test text": title, "characters": len(text), "bytes": len(text.encode())}
    row["bytes per character"] = row["bytes"] / row["characters"]
    row["three-byte %"] = 100 * sum(len(character.encode()) == 3 for character in text) / len(text)
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# English is one byte a character, nearly always. In Japanese 94 % of the characters take three bytes in the sentences,
# 83 % in the messages, where names and digits in plain letters are mixed in.
#
# ## With bytes as the base nothing is unknown
#
# `base="byte"` starts from the 256 values of a byte. The rest of the algorithm stays as it was. Beside it the
# character-based tokenizer of chapter 03, with as many merges:

# %%
tok = bpelab.train(japanese, 2000, base="byte", chunking="gpt2")
by_characters = bpelab.train(japanese, 2000, chunking="gpt2")
for tokenizer in (tok, by_characters):
    print(tokenizer)


# %%
def damaged(tokenizer, text):
    """How many lines don't come back."""
    return sum(tokenizer.decode(tokenizer.encode(line)) != line for line in text.splitlines())


rows = []
for title, text in tests.items():
    row = {"test text": title, "lines": len(text.splitlines())}
    row |= {"damaged, characters": damaged(by_characters, text), "damaged, bytes": damaged(tok, text)}
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# The 26 damaged sentences of chapter 03 come back, and all other lines too. (The tokenizer saw Japanese only; the
# characters lack many English letters, the bytes don't.) It holds for any text. Random code points from all of
# Unicode, hardly any of them in the training text:

# %%
draw = random.Random(4)
for _ in range(1000):
    text = "".join(map(chr, draw.choices(points, k=draw.randint(0, 40))))
    assert tok.decode(tok.encode(text)) == text
try:
    tok.encode("cat \ud83d")
except ValueError as error:
    print(error)

# %% [markdown]
# All 1,000 came back. The only thing refused is a lone surrogate: Python can hold one in a string, but UTF-8 can't
# write it.
#
# Now the price. How many ids are in the vocabulary, and how many tokens does the Japanese test text take, with more and
# more merges?

# %%
text, rows = tests["parallel ja"], []
most = min(len(tok.merges), len(by_characters.merges))
for n in [n for n in (0, 4, 100, 500, 1000, 2000) if n <= most]:
    row = {"merges": n}
    for base, tokenizer in (("characters", by_characters.truncate(n)), ("bytes", tok.truncate(n))):
        row |= {f"{base}: ids": tokenizer.vocab_size, f"{base}: tokens": len(tokenizer.encode(text))}
    rows.append(row)
bpelab.show.table(rows)

# %%
print(by_characters.encode(text).count(0), "of the tokens by characters are <unk>")

# %% [markdown]
# Before any merge the characters need 1,317 ids, and still 47 characters of the test text are unknown. The bytes need
# 256, once and for all. But then each byte is a token, three for a kana: 5,443 against 1,889. Merges make up for it
# slowly. At about equal size (1,000 merges on characters, 2,000 on bytes) it is 1,432 against 1,648 on this small text,
# though 47 of the 1,432 say nothing but "unknown".
#
# ## Tokens can be pieces of characters
#
# A token whose bytes are no whole characters can't be printed as text. The book writes each such byte as `<0xE7>`. 猫 in
# the beginning and after 2,000 merges:

# %%
print(tok.truncate(0).tokens("猫"), tok.tokens("猫"))

# %% [markdown]
# How do such tokens come about? The first merges:

# %%
bpelab.show.table(tok.merge_table(8))

# %%
block = [chr(point) for point in range(0x3040, 0x3080)]
assert all(character.encode()[:2] == b"\xe3\x81" for character in block)
print("".join(block[1:]))

# %% [markdown]
# The most frequent pair is no character but the first two of three bytes, shared by all these kana. Merges 2 to 4 are
# such beginnings as well. The fifth adds the last byte of の and makes the first whole character.

# %%
sentence = text.splitlines()[1]
bpelab.show.tokens(tok, sentence)

# %% [markdown]
# ("A new species of frog has been found in a cave at the western tip of the island, a research team announced.") Pieces
# that only together make whole characters stand in a frame, below the characters. Frequent kana and endings are
# tokens, 西 (west) is still three bytes. And `の<0xE8>` is の with the first byte of 西. Nothing in the algorithm knows
# where a character ends.

# %%
made = [merge.left + merge.right for merge in tok.merges]
counts = Counter(map(kind, made))
print(", ".join(f"{what}: {counts[what]}" for what in KINDS))

# %%
rows = []
for step in [step for step in (1, 42, 70, 482, 1535) if step <= len(made)]:
    token = made[step - 1]
    rows.append({"step": step, "token": label(token), "bytes": token.hex(" ")})
print("ファイル:", "ファイル".encode().hex(" "))
bpelab.show.table(rows)

# %% [markdown]
# 876 of the 2,000 merges make two or more whole characters. 541 make one, which is where the character base begins, and
# 583 make pieces. Five of these are in the table: a beginning; の and the first byte of some kanji; ー and the beginning
# of a katakana; the last byte of ァ and then イル, as in ファイル ("file"); the last byte of one character and two of the
# next. In hexadecimal a continuation byte begins with 8, 9, a or b.

# %%
pieces = [token for token in made if kind(token) == KINDS[0]]
across = [token for token in pieces if any(byte >> 6 != 0b10 for byte in token[1:])]
print(len(across), "of", len(pieces), "pieces reach over the border of a character")

# %% [markdown]
# That isn't peculiar to our small text. We meet `の<0xE5>` again in the vocabulary of GPT-2.
#
# ## Ġ: bytes written as characters
#
# Vocabulary files are text: JSON, or a merge a line. But a token may be a blank, a line end, or half a kanji. GPT-2's
# way out is a table that gives each byte a visible character of its own.

# %%
characters = bpelab.spelling.byte_characters()
print(sum(character == chr(byte) for byte, character in enumerate(characters)), "bytes stand for themselves")
moved = [(byte, character) for byte, character in enumerate(characters) if character != chr(byte)]
print(len(moved), "are moved:", moved[:3], "...", moved[32:34], "...", moved[-1:])
assert len(set(characters)) == 256


# %%
def in_file(token):
    return "".join(characters[byte] for byte in token)


def from_file(spelling):
    return bytes(characters.index(character) for character in spelling)


for text in (" low", "\n", "猫"):
    print(repr(text), "→", in_file(text.encode()), "→", repr(from_file(in_file(text.encode())).decode()))

# %% [markdown]
# Printable characters of the first 256 code points stay; control characters, blanks and a few more are counted up from
# Ā. The blank is the 33rd of those and becomes **Ġ**. So Ġ at the start of a token says "a blank stands before", and 猫
# is three odd characters. They are byte names, not text; a token has to go back through the table before one reads it.
#
# Some tokens of GPT-2's real vocabulary, read both ways. (`bpelab.vocabularies` reads it out of an installed package;
# where that is missing, the error says what to install.)

# %%
gpt2 = bpelab.vocabularies.tokens("gpt2")
rows = []
for i in (262, 1877, 198, 5641, 31965, 15474, 30266):
    assert from_file(in_file(gpt2[i])) == gpt2[i]
    rows.append({"id": i, "in the file": in_file(gpt2[i]), "bytes": gpt2[i].hex(" "), "read": label(gpt2[i])})
bpelab.show.table(rows)

# %% [markdown]
# ãģ® is the kana の, çī two bytes of a kanji, and id 15,474 is our `の<0xE5>`. Japanese in such a file looks broken and
# isn't.
#
# ## One look, several spellings: normalization
#
# が (*ga*) has two spellings in Unicode: one code point, or か (*ka*) followed by a voicing mark. Chapter 01 met both,
# as **NFC** (composed) and **NFD** (decomposed). On the screen they are the same.

# %%
real = {title: bpelab.vocabularies.load(title) for title in ("gpt2", "cl100k_base", "o200k_base")}
rows = []
for form in ("NFC", "NFD"):
    text = normalize(form, "が")
    row = {"form": form, "text": text, "code points": " + ".join(map(name, text)), "bytes": len(text.encode())}
    rows.append(row | {title: real[title].encode_ordinary(text) for title in ("gpt2", "o200k_base")})
bpelab.show.table(rows)

# %% [markdown]
# One code point and 3 bytes, or two and 6; one token, or three others. To a model these are different texts.
# (o200k_base is the vocabulary of GPT-4o.)
#
# Two more forms, **NFKC** and **NFKD**, also replace *compatibility characters*, variants of others: half-width kana,
# full-width digits and letters, a 1 in a circle, an era name (*Heisei*) squeezed into one character, a raised 2.

# %%
forms = ("NFC", "NFD", "NFKC", "NFKD")
rows = []
for given in ("が", "ｶﾞ", "２０２４", "ＡＰＩ", "①", "㍻", "x²"):
    results = {form: normalize(form, given) for form in forms}
    for text in dict.fromkeys(results.values()):
        row = {"given": given, "forms": " ".join(form for form in forms if results[form] == text)}
        row |= {"result": text, "code points": len(text), "bytes": len(text.encode())}
        rows.append(row | {"o200k tokens": len(real["o200k_base"].encode_ordinary(text))})
bpelab.show.table(rows)

# %% [markdown]
# NFC and NFD are at odds over が alone. Half-width ｶﾞ is a *variant* of ガ, so it takes a K form, and then C or D says
# whether it is composed. The K forms need fewer tokens here, or as many. But ① and x² now mean something else.
#
# The split pattern joins in. Chapter 01 counted the chunks of this text ("ga, gi, gu, ge, go are voiced sounds") under
# three patterns; here are the tokens as well:

# %%
rows = []
for form in ("NFC", "NFD"):
    text = normalize(form, "ガギグゲゴは濁音")
    row = {"form": form}
    for title, encoding in real.items():
        row[f"{title}: chunks"] = len(bpelab.chunk(text, title.removesuffix("_base")))
        row[f"{title}: tokens"] = len(encoding.encode_ordinary(text))
    rows.append(row)
bpelab.show.table(rows)

# %% [markdown]
# o200k no longer cuts at the marks, and still takes 19 tokens for 9: its longer tokens are composed. The same on all 480
# Japanese sentences of "parallel":

# %%
whole = bpelab.corpora.text("parallel", "ja")
rows = []
for form in forms:
    changed = normalize(form, whole)
    lines = sum(normalize(form, line) != line for line in whole.splitlines())
    row = {"form": form, "lines changed": lines, "code points": len(changed)}
    rows.append(row | {"o200k tokens": len(real["o200k_base"].encode_ordinary(changed))})
bpelab.show.table(rows)

# %% [markdown]
# Our text is NFC already. Decomposed (file names from a Mac often are) it costs o200k 17,210 tokens instead of 14,065 for
# the same words. NFKC saves nothing here, and changes 34 lines.
#
# `train` takes `normalization=` and applies it before chunking, to the training text and to every text encoded later.

# %%
folded = bpelab.train(japanese, 2000, base="byte", chunking="gpt2", normalization="NFKC")
rows = []
for text in ("ガ", "ｶﾞ", "2024", "２０２４", "1", "①", "㍻"):
    ids = folded.encode(text)
    row = {"text": text, "ids without": tok.encode(text)}
    rows.append(row | {"ids with NFKC": ids, "decoded": folded.decode(ids)})
bpelab.show.table(rows)

# %%
for corpus in ("parallel", "jupyterlab"):
    lines = bpelab.corpora.text(corpus, "ja")
    lost = [f"{c} → {normalize('NFKC', c)}" for c in sorted(set(lines)) if normalize("NFKC", c) != c]
    print(corpus, damaged(folded, lines), "of", len(lines.splitlines()), "lines don't come back")
    print("   ", ", ".join(lost))

# %% [markdown]
# With NFKC, ガ and ｶﾞ have the same ids, and so have the two 2024. Decoding gives the plain one; what was given is lost,
# in real lines too. That may be right for search, and is wrong where the text must come back, such as code. So nothing
# is normalized unless you ask: the default is `None`. NFC is the mild choice; it changed no line of ours.
#
# ## Special tokens are ids that no text spells
#
# A **special token** marks what text can't say: here a document ends, here the user speaks. It has a name to write it
# down and an id after the vocabulary.

# %%
special = tok.with_special_tokens(["<|endoftext|>", "<|user|>"])
print(special)
assert special.vocab[: tok.vocab_size] == tok.vocab
assert all(special.encode(text) == tok.encode(text) for text in tests.values())

# %% [markdown]
# No id that was there has changed. What if a user types such a name? ("This book explains <|endoftext|>.")

# %%
user = "この本は<|endoftext|>を説明する。"
print(special.tokens(user))
print(special.encode(user))
print(special.encode(user, allowed_special=["<|endoftext|>"]))

# %% [markdown]
# By default it is ordinary text. Only a caller who passes `allowed_special` gets the id 2256. If user text became
# control ids by itself, a visitor could end the document, or speak in another role. The libraries have other defaults:

# %%
as_tiktoken, as_huggingface = special.to_tiktoken("ours"), special.to_huggingface()
ordinary, controlled = special.encode(user), special.encode(user, allowed_special="all")
try:
    as_tiktoken.encode(user)
except ValueError as error:
    print(str(error).splitlines()[0])
assert as_tiktoken.encode_ordinary(user) == as_tiktoken.encode(user, disallowed_special=()) == ordinary
assert as_tiktoken.encode(user, allowed_special="all") == controlled

# %%
fresh = tokenizers.Tokenizer(tokenizers.models.BPE())
print("a new one:", fresh.encode_special_tokens, "/ our export:", as_huggingface.encode_special_tokens)
assert as_huggingface.encode(user).ids == ordinary
as_huggingface.encode_special_tokens = False
assert as_huggingface.encode(user).ids == controlled

# %% [markdown]
# tiktoken refuses such text until told what to do. A new Hugging Face tokenizer turns the name into the id; what we
# export has `encode_special_tokens` set, so that it reads ordinary text as bpelab does.
#
# Three rules keep names and ids apart. Where one name begins another, the longer one wins, in whichever order they
# are given:

# %%
for names in (["<a>", "<a><b>"], ["<a><b>", "<a>"]):
    two = bpelab.train("", base="byte", special_tokens=names)
    print(two.special_tokens, two.encode("<a><b>", allowed_special="all"))

# %% [markdown]
# An id is given once:

# %%
for wrong in ({"<x>": 300}, {"<x>": 3000, "<y>": 3000}):
    try:
        tok.with_special_tokens(wrong)
    except ValueError as error:
        print(error)

# %% [markdown]
# And no merge makes a special id, even if the training text is full of the name:

# %%
full = bpelab.train({"<end>": 5}, base="byte", special_tokens=["<end>"])
print([label(token) for token in full.vocab[256:]])
print(full.encode("<end>"), full.encode("<end>", allowed_special="all"))

# %% [markdown]
# The learned `<end>` is id 259, the special one 260. They look the same and are two things; text gives the first.
#
# ## Decoding a stream
#
# A model gives one id after the other, and a program wants to print at once. 西端の洞窟 is "the cave on the western tip".

# %%
ids = tok.encode("西端の洞窟")
print([tok.decode([i]) for i in ids])
decoder = tok.stream_decoder()
print([decoder.feed(i) for i in ids], repr(decoder.finish()))

# %% [markdown]
# Alone, a piece of a character becomes U+FFFD (�), the replacement character. And bytes turned into � are gone:
# joining the pieces doesn't bring 西 back. The **stream decoder** holds incomplete bytes until the rest arrives. If the
# stream is cut, the � comes at the end, from `finish()`:

# %%
decoder = tok.stream_decoder()
print([decoder.feed(i) for i in ids[:-1]], repr(decoder.finish()))

# %% [markdown]
# However the text was cut into tokens, the stream gives it back. And for any ids at all, the pieces join to what
# `decode` gives for the whole list:


# %%
def streamed(tokenizer, ids):
    decoder = tokenizer.stream_decoder()
    return "".join([decoder.feed(i) for i in ids]) + decoder.finish()


for n in range(0, len(tok.merges) + 1, 100):
    smaller = tok.truncate(n)
    assert streamed(smaller, smaller.encode(sentence)) == sentence
for _ in range(500):
    ids = draw.choices(range(tok.vocab_size), k=20)
    assert streamed(tok, ids) == tok.decode(ids)
print("the same for", n // 100 + 1, "sizes of vocabulary and for 500 lists of random ids")

# %% [markdown]
# How often does it matter? Tokens of the Japanese test text that show a � when decoded alone:

# %%
rows = []
for title, encoding in {"ours": tok, **real}.items():
    ids = encoding.encode(tests["parallel ja"])
    broken = sum("\ufffd" in encoding.decode([i]) for i in ids)
    row = {"vocabulary": title, "tokens": len(ids), "with � alone": broken}
    rows.append(row | {"%": 100 * broken / len(ids)})
bpelab.show.table(rows)

# %% [markdown]
# More than half with GPT-2. The newer vocabularies have more whole kanji, but even o200k has 64 pieces in 48 sentences.
#
# ## Which characters does a token cover?
#
# `offsets` gives, for each token, the characters from start to end (not included).

# %%
text = "西端の洞窟"
rows = []
for token, (start, end) in zip(tok.tokens(text), tok.offsets(text), strict=True):
    rows.append({"token": token, "start": start, "end": end, "covers": text[start:end]})
bpelab.show.table(rows)

# %%
bpelab.show.tokens({"ours": tok, **real}, text)

# %% [markdown]
# A piece covers its whole character, so `text[start:end]` never holds half of one; in return neighbours overlap. 窟, the
# second kanji of "cave", is three tokens for GPT-2 and two for o200k.
#
# What a reader takes for one character can be several code points: a **grapheme cluster**. A family emoji:

# %%
family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
clusters = regex.findall(r"\X", family)
print(family, len(family), "code points,", len(family.encode()), "bytes,", len(clusters), "cluster")
print([name(character) for character in family])
bpelab.show.tokens({"ours": tok, **real}, family)

# %% [markdown]
# `len` gives 5, and the joiners between the persons are characters of their own. The package `regex` finds clusters with
# `\X`; the frames are drawn around them. Cutting a text at any token, or any code point, may break up a family.
#
# ## Out to other libraries and back
#
# A byte-based tokenizer can be handed to tiktoken or Hugging Face, or written as a merges.txt (GPT-2's file: Ġ and its
# kind). Files go into a temporary folder.

# %%
with tempfile.TemporaryDirectory() as folder:
    model, merges = Path(folder) / "tokenizer.json", Path(folder) / "merges.txt"
    tok.to_huggingface().save(str(model))
    tok.save_merges_txt(merges)
    print(merges.read_text(encoding="utf-8").splitlines()[:8])
    huggingface = tokenizers.Tokenizer.from_file(str(model))
    from_merges = bpelab.load_merges_txt(merges)

# %%
as_tiktoken = tok.to_tiktoken("ours")
back = bpelab.from_tiktoken(as_tiktoken)
for text in (*tests.values(), japanese):
    ids = tok.encode(text)
    assert ids == as_tiktoken.encode(text) == huggingface.encode(text).ids
    assert ids == from_merges.encode(text) == back.encode(text)
print(f"same ids on {sum(map(len, tests.values())) + len(japanese):,} characters, English and Japanese")

# %% [markdown]
# An export gives the same ids on every text, or it is refused with the reason:

# %%
refused = {
    "characters to tiktoken": lambda: by_characters.to_tiktoken("ours"),
    "NFKC to tiktoken": lambda: folded.to_tiktoken("ours"),
    "characters to merges.txt": lambda: by_characters.save_merges_txt(merges),
}
for title, export in refused.items():
    try:
        export()
    except ValueError as error:
        print(f"{title}\n    {error}")

# %% [markdown]
# tiktoken looks tokens up by their bytes, and its base is bytes. A line of merges.txt is divided at its blank, so a
# token can't contain one, unless it is written Ġ.
#
# ## A morphological analyser as the chunker
#
# Chapter 01 left a promise: Japanese has no blanks, so let a program that knows Japanese words do the cutting. SudachiPy
# is such a **morphological analyser**. It looks words up in a dictionary and finds the likeliest row of words. Mode C
# keeps units long, mode A short; the `surface` is a word as it stands in the text. (Without the packages SudachiPy and
# sudachidict_small, the import at the top fails; take it out, and this section.)

# %%
dictionary = Dictionary(dict="small")
analyser, shorter = dictionary.tokenizer(SplitMode.C), dictionary.tokenizer(SplitMode.A)


def words(text):
    return [morpheme.surface() for morpheme in analyser.tokenize(text)]


print("gpt2  ", "|".join(bpelab.chunk(sentence, "gpt2")))
print("mode C", "|".join(bpelab.chunk(sentence, words)))
differ = sum(len(words(line)) != len(shorter.tokenize(line)) for line in whole.splitlines())
print("mode A cuts", differ, "of", len(whole.splitlines()), "sentences further")

# %% [markdown]
# Words and endings, 見つかっ|た ("found") among them. The chunks join back to the text; bpelab checks that of any function.
# The analyser has a limit of its own:

# %%
try:
    words(whole)
except SudachiError as error:
    print(error)

# %% [markdown]
# So we hand over documents, a sentence each. Three tokenizers, 2,000 merges each, and what happens to their chunks.
# (`kept` is the share of the characters that is left when each distinct chunk is written once, as in chapter 01.)

# %%
documents = japanese.splitlines(keepends=True)
trained, rows = {}, []
for title, chunking in (("whole", "whole"), ("gpt2", "gpt2"), ("analyser", words)):
    trained[title] = bpelab.train(documents, 2000, base="byte", chunking=chunking)
    counts = bpelab.count_chunks(documents, chunking)
    row = {"chunking": title, "chunks per sentence": sum(counts.values()) / len(documents)}
    row["kept %"] = 100 * sum(map(len, counts)) / len(japanese)
    longest = sorted(trained[title].vocab, key=len)[:-4:-1]
    rows.append(row | {"longest tokens": " ".join(map(label, longest))})
bpelab.show.table(rows)

# %% [markdown]
# From 7 chunks a sentence to 24, and they repeat: the table keeps 38 % of the characters instead of 88 %. The longest
# tokens were polite phrases ("could I have you …", "thank you very much") and are now words: エレベーター is "elevator".
#
# Is the text shorter? Tokens on the training text, on its test sentences, and on all of JupyterLab's messages, of which
# none was trained on:

# %%
texts = {"training": japanese, "test": tests["parallel ja"]}
texts["jupyterlab"] = bpelab.corpora.text("jupyterlab", "ja")
rows = []
for title, tokenizer in trained.items():
    row = {"chunking": title}
    for which, text in texts.items():
        row[which] = sum(map(len, tokenizer.encode_batch(text.splitlines(keepends=True))))
    rows.append(row)
bpelab.show.table(rows)

# %%
for title, tokenizer in trained.items():
    over = count = 0
    for line in tests["parallel ja"].splitlines(keepends=True):
        borders = set(accumulate(map(len, words(line))))
        for start, end in tokenizer.offsets(line):
            over += any(start < border < end for border in borders)
            count += 1
    print(f"{title}: {over} of {count:,} test tokens lie over a border between words")

# %% [markdown]
# No. On sentences of the same kind the analyser takes 2 % more tokens than "gpt2" (1,680 against 1,648), on JupyterLab's
# messages 2 % fewer (24,231 against 24,769). Phrases pay where they recur; both differences are small. What changes for
# sure is where tokens end. With "gpt2" 217 of 1,648 lie over a border between words, with the analyser none.
#
# The price: whoever encodes needs the same analyser with the same dictionary, for ever. And no file can hold it:

# %%
with tempfile.TemporaryDirectory() as folder:
    try:
        trained["analyser"].save(Path(folder) / "model.json")
    except ValueError as error:
        print(error)

# %% [markdown]
# ## What was simplified
#
# - UTF-8 is one encoding among several. Older Japanese files are often in Shift_JIS; `bpelab.corpora.read` says so
#   when a file isn't UTF-8, and at which byte.
# - Not every list of bytes is UTF-8, so ids can spell broken text. A model trained on good text seldom writes it.
# - The production vocabularies were trained on other texts than ours. Compare their rows as examples only.
# - An analyser looks at the whole sentence, so one word may be cut in different ways in different places.
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
# **2.** A tokenizer with base "byte" was trained on Japanese only. What does it do with an emoji it has never seen?
#
# <details><summary>Answer</summary>
#
# It writes it with byte tokens, 18 for the family. Decoding gives it back exactly.
#
# </details>
#
# **3.** Two file names look the same, but one has twice the tokens. What do you look at first?
#
# <details><summary>Answer</summary>
#
# The code points: one is probably decomposed (NFD). Bringing both into NFC makes them equal.
#
# </details>
#
# **4.** A chat program prints `tok.decode([i])` for each id as it arrives. What goes wrong in Japanese, and what helps?
#
# <details><summary>Answer</summary>
#
# Pieces of characters become � and can't be joined again. `stream_decoder()` waits for the rest.
#
# </details>
#
# **5.** Why is text that spells a special token ordinary text by default?
#
# <details><summary>Answer</summary>
#
# Because text may come from anybody. Only the program should be able to give control ids, by `allowed_special`.
#
# </details>
#
# **6.** Does a morphological analyser make Japanese shorter?
#
# <details><summary>Answer</summary>
#
# Not in general: 2 % longer on one text, 2 % shorter on another. It makes tokens end where words end.
#
# </details>
#
# ## Words of this chapter
#
# - **Code point**: the number that Unicode gives to a character.
# - **UTF-8**: the usual way to write code points as bytes, one to four for each.
# - **Continuation byte**: a byte that doesn't begin a character; its bits begin with 10.
# - **Ġ**: the visible name of the blank in GPT-2's table of bytes.
# - **Normalization**: bringing text into one of the forms NFC, NFD, NFKC, NFKD.
# - **Special token**: an id with a name that marks what text can't say.
# - **Stream decoder**: turns ids into text one by one and keeps incomplete characters back.
# - **Grapheme cluster**: what a reader takes for one character; one or more code points.
#
# ## Sources
#
# - F. Yergeau, *UTF-8, a transformation format of ISO 10646*, RFC 3629, 2003.
# - A. Radford and others, *Language Models are Unsupervised Multitask Learners*, 2019 (the GPT-2 report: bytes as the
#   base).
# - C. Wang, K. Cho, J. Gu, *Neural Machine Translation with Byte-Level Subwords*, 2019,
#   [arXiv:1909.03341](https://arxiv.org/abs/1909.03341).
# - Unicode Standard Annexes 15 (*Unicode Normalization Forms*) and 29 (*Unicode Text Segmentation*: clusters).
# - The documentation of tiktoken (special tokens), Hugging Face tokenizers and SudachiPy.
