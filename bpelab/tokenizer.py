"""`Tokenizer`: text to tokens and ids, and back.

Tokens are bytes inside, for both bases. For people a token is text where its bytes are valid
UTF-8, and each stray byte is written <0xE3>.
"""

import codecs
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
import regex

from bpelab import checks, engine, scanner
from bpelab.alphabet import BASES, UNKNOWN, Alphabet
from bpelab.chunking import BLANK, LOSSY, splitter

#: Chunks up to this many characters are remembered with their ids, up to this many chunks.
LONGEST_REMEMBERED, MOST_REMEMBERED = 64, 1 << 16
#: From this many characters on, a text with a published pattern is cut and encoded in compiled code.
SCANNED_FROM = 2000
#: The largest id a special token may have.
LARGEST_ID = (1 << 24) - 1
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}".encode()


class Merge(NamedTuple):
    """One learned rule: join `left` and `right` (bytes); `count` is how often they stood together."""

    left: bytes
    right: bytes
    count: int = 0


def normalizer(form):
    """The function str -> str that a normalization stands for."""
    if form is None:
        return str
    return partial(unicodedata.normalize, checks.choice("normalization", form, FORMS))


def end_marker(end_of_word, fuse, base, chunks=()):
    """The end-of-word marker, checked: text, for base "char", and in no chunk."""
    if not isinstance(fuse, bool):
        raise TypeError(f"fuse_end_of_word must be True or False, got {checks.shown(fuse)}")
    if end_of_word is None:
        if fuse:
            raise ValueError("fuse_end_of_word needs an end_of_word to fuse; give one, such as '</w>'")
        return None
    checks.text("end_of_word", end_of_word)
    if not end_of_word:
        raise ValueError("end_of_word must not be empty; give a marker such as '</w>', or None")
    if base != "char":
        raise ValueError(f"end_of_word needs base='char', got base={base!r}")
    for text in chunks:
        if end_of_word in text:
            raise ValueError(
                f"end_of_word: the text holds the marker {end_of_word!r}, in {checks.shown(text)}; choose another one"
            )
    return end_of_word


def special_names(special_tokens):
    """The names of special tokens, checked."""
    if isinstance(special_tokens, str | bytes) or not isinstance(special_tokens, Iterable):
        raise TypeError(f"special_tokens must be a list of names or a mapping name -> id, got {special_tokens!r}")
    names = [checks.text("special_tokens name", name) for name in special_tokens]
    if "" in names:
        raise ValueError("special_tokens: a name must not be empty, since it would stand everywhere")
    if len(set(names)) < len(names):
        raise ValueError(f"special_tokens: each name once, got {checks.shown(names)}")
    return names


def readable(token):
    """A token (bytes) for people: text, and each stray byte as <0xE3>.

    >>> readable("猫".encode()), readable("猫".encode()[:2])
    ('猫', '<0xE7><0x8C>')
    """
    return token.decode("utf-8", "bpelab.stray")


def _stray(error):
    return "".join(f"<0x{byte:02X}>" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("bpelab.stray", _stray)


def _character_size(first_byte):
    """How many bytes a UTF-8 character has that starts with this one."""
    return 1 + (first_byte >= 0xC0) + (first_byte >= 0xE0) + (first_byte >= 0xF0)


class Tokenizer:
    """A merge list and all that is needed to apply it: base alphabet, chunking, special tokens.

    `bpelab.train` makes one; so does a merge list from anywhere, parts as str or bytes, in order:

    >>> tok = Tokenizer([("l", "o"), ("lo", "w")], characters="lower")
    >>> tok.tokens("lower"), tok.encode("lower")
    (['low', 'e', 'r'], [7, 1, 4])

    merges: (left, right) or (left, right, count); each part is a base symbol or made by an earlier
    merge, and no two merges make the same token.
    characters: the base alphabet for base "char"; None takes those of the merges.
    byte_order: for base "byte", the 256 bytes in the order of their ids; None is 0 to 255. Other
        libraries' vocabularies have other orders.
    lengths: the corpus length in tokens before and after each merge, where it is known.
    Two tokenizers are equal when they turn every text into the same ids (and ids into text).
    """

    def __init__(
        self,
        merges,
        *,
        base="char",
        characters=None,
        byte_order=None,
        chunking="space",
        end_of_word=None,
        fuse_end_of_word=False,
        special_tokens=(),
        normalization=None,
        lengths=None,
    ):
        checks.choice("base", base, BASES)
        pairs = [_merge(index, merge) for index, merge in enumerate(merges)]
        marker = end_marker(end_of_word, fuse_end_of_word, base)
        self._alphabet = _alphabet(base, characters, byte_order, marker, fuse_end_of_word, pairs)
        self.chunking = chunking
        self.end_of_word = end_of_word
        self.normalization = normalization
        self._normalize = normalizer(normalization)
        self._split = splitter(chunking)
        self._ids, self._pairs = _numbered(pairs, self._alphabet)
        self._merges = pairs
        self.special_tokens = _special_ids(special_tokens, self._ordinary)
        self.lengths = None if lengths is None else list(lengths)
        if self.lengths is not None and len(self.lengths) != len(pairs) + 1:
            raise ValueError(
                f"lengths must have {len(pairs) + 1} entries, one more than merges; got {len(self.lengths)}"
            )
        self._remembered = {}

    # --- what it is ---

    @property
    def base(self):
        """ "char" or "byte"."""
        return self._alphabet.base

    @property
    def merges(self):
        """The merges in learned order: a list of `Merge(left, right, count)`."""
        return list(self._merges)

    @property
    def characters(self):
        """The base alphabet of base "char" as one sorted str, without <unk> and marker; else None."""
        return self._alphabet.characters if self.base == "char" else None

    @property
    def fuse_end_of_word(self):
        """Whether the end-of-word marker is part of the last character of a chunk."""
        return self._alphabet.fused

    @property
    def byte_order(self):
        """The 256 bytes of base "byte" in the order of their ids, as bytes; else None."""
        return b"".join(self._alphabet.symbols) if self.base == "byte" else None

    @property
    def _ordinary(self):
        """The number of ids that are no special token."""
        return len(self._alphabet.symbols) + len(self._merges)

    @property
    def vocab_size(self):
        """The number of ids, special tokens included; ids run from 0 to one less."""
        return max([self._ordinary - 1, *self.special_tokens.values()]) + 1

    @property
    def vocab(self):
        """All tokens as bytes; the index is the id. b"" where an id below a special one is unused."""
        return list(self._vocab)

    @cached_property
    def _vocab(self):
        vocab = [*self._alphabet.symbols, *(left + right for left, right, _ in self._merges)]
        vocab += [b""] * (self.vocab_size - len(vocab))
        for name, special in self.special_tokens.items():
            vocab[special] = name.encode()
        return vocab

    @cached_property
    def _rules(self):
        return engine.Rules.of(self._pairs, len(self._alphabet.symbols))

    def __repr__(self):
        special = f", special_tokens={self.special_tokens!r}" if self.special_tokens else ""
        return (
            f"Tokenizer(base={self.base!r}, merges={len(self._merges)}, vocab_size={self.vocab_size}, "
            f"chunking={self.chunking!r}{special})"
        )

    @property
    def _identity(self):
        steps = self.normalization, self.chunking, self.special_tokens
        return self._alphabet.symbols, self._alphabet.marker, self._alphabet.fused, self._pairs, steps

    def __eq__(self, other):
        return self._identity == other._identity if isinstance(other, Tokenizer) else NotImplemented

    def __hash__(self):
        return hash((self.vocab_size, tuple(self._pairs)))

    # --- text to tokens ---

    def tokens(self, text):
        """The tokens of `text` as people read them: a list of str.

        >>> from bpelab import train
        >>> train("猫猫", 1, base="byte").tokens("猫")
        ['<0xE7>', '<0x8C><0xAB>']
        """
        return [readable(token) for token in self.token_bytes(text)]

    def token_bytes(self, text):
        """The tokens of `text` as bytes; an unknown character stands as itself."""
        encoded = self._encoded(checks.text("text", text))
        return [token for ids, chunk in encoded for token in self._spelled(ids, chunk)]

    def encode(self, text, allowed_special=()):
        """The ids of `text`: a list of int.

        Text that spells a special token is ordinary text, unless `allowed_special` names it (an
        iterable of names, or "all"); where one name is a prefix of another, the longer one wins.

        >>> from bpelab import train
        >>> tok = train("ab ab", 1, special_tokens=["<end>"])
        >>> tok.encode("ab<end>"), tok.encode("ab<end>", allowed_special="all")
        ([4, 0, 0, 0, 0, 0], [4, 5])
        """
        special = self._special_pattern(allowed_special)
        if special is None:
            return self._encode(checks.text("text", text))
        ids = []
        for at, part in enumerate(special.split(checks.text("text", text))):
            ids += [self.special_tokens[part]] if at % 2 else self._encode(part)
        return ids

    def offsets(self, text):
        """The characters that each token of `text` covers: a list of (start, end) in characters.

        A token that holds a piece of a character covers all of it. Positions are those of the
        normalized text. ValueError for a lossy chunking, whose tokens do not cover the text.

        >>> from bpelab import train
        >>> train("猫", 1, base="byte").offsets("a猫")
        [(0, 1), (1, 2), (1, 2)]
        """
        if self.chunking in LOSSY:
            raise ValueError(f"chunking {self.chunking!r} is lossy: its tokens do not cover the text")
        offsets, done = [], 0
        for ids, chunk in self._encoded(checks.text("text", text)):
            starts = list(accumulate((byte & 0xC0 != 0x80 for byte in chunk.encode()), initial=0))
            at = 0
            for token in self._spelled(ids, chunk):
                end = min(at + len(token), len(starts) - 1)
                first = starts[at + 1] - 1 if at + 1 < len(starts) else len(chunk)
                offsets.append((done + first, done + starts[end]))
                at = end
            done += len(chunk)
        return offsets

    def encode_batch(self, texts, allowed_special=()):
        """`encode` for each text of an iterable: a list of lists of ids."""
        if isinstance(texts, str):
            raise TypeError("texts must be an iterable of str, got one str; use encode for one text")
        return [self.encode(text, allowed_special) for text in checks.documents("texts", texts)]

    def _encode(self, text):
        if len(text) >= SCANNED_FROM and self.chunking in scanner.CODES:
            return self._scanned(text)
        ids = []
        for chunk_ids, _ in self._encoded(text):
            ids += chunk_ids
        return ids

    def _scanned(self, text):
        """The ids of a long text: each distinct chunk encoded once, all in compiled code."""
        chunks, numbers = scanner.scan([self._normalize(text)], self.chunking)
        ids, sizes, _ = self._replay(chunks)
        target = np.empty(int(sizes[numbers].sum()), np.int32)
        engine.gather(ids, np.cumsum(sizes) - sizes, sizes, numbers, target)
        return target.tolist()

    def _encoded(self, text):
        """(ids, chunk) for each chunk of a checked text."""
        chunks = self._split(self._normalize(text))
        known = self._remembered
        missing = [chunk for chunk in dict.fromkeys(chunks) if chunk not in known]
        known.update(self._replayed(missing))
        encoded = [(known[chunk], chunk) for chunk in chunks]
        for chunk in missing:
            if len(chunk) > LONGEST_REMEMBERED:
                del known[chunk]
        if len(known) > MOST_REMEMBERED:
            known.clear()
        return encoded

    def _replayed(self, chunks):
        """Pairs (chunk, list of ids)."""
        if not chunks:
            return
        ids, sizes, _ = self._replay(chunks)
        ids, end = ids.tolist(), 0
        for chunk, size in zip(chunks, sizes.tolist(), strict=True):
            yield chunk, ids[end : end + size]
            end += size

    def _replay(self, chunks, weights=None):
        """What `engine.encode` says of these chunks (list of str), each counted once or by its weight."""
        weights = np.ones(len(chunks), np.int64) if weights is None else weights
        return engine.encode(*self._alphabet.encode(chunks), weights, self._alphabet, self._rules)

    def _split_tokens(self):
        """The tokens that the merges don't make from their own symbols: ids, none for a trained list."""
        base = len(self._alphabet.symbols)
        symbols = [[i] for i in range(base)]
        for left, right in self._pairs:
            symbols.append(symbols[left] + symbols[right])
        made = symbols[base:]
        ids = np.fromiter(chain.from_iterable(made), np.int32)
        plain = Alphabet(self.base, self._alphabet.symbols)
        sizes = np.fromiter(map(len, made), np.int64, len(made))
        _, counts, _ = engine.encode(ids, sizes, np.ones_like(sizes), plain, self._rules)
        return (base + np.flatnonzero(counts > 1)).tolist()

    def _spelled(self, ids, chunk):
        """The bytes of each id, <unk> as the character it stands for."""
        if self.base == "byte" or 0 not in ids:
            return [self._vocab[i] for i in ids]
        tokens, spelling, at = [], chunk.encode(), 0
        for i in ids:
            token = self._vocab[i] if i else spelling[at : at + _character_size(spelling[at])]
            tokens.append(token)
            at += len(token)
        return tokens

    def _special_pattern(self, allowed):
        """The compiled alternation of the special tokens allowed, longest first; None for none."""
        if isinstance(allowed, str) and allowed != "all":
            raise TypeError(f"allowed_special must be an iterable of names or 'all', got {allowed!r}")
        names = list(self.special_tokens) if isinstance(allowed, str) else list(allowed)
        for name in names:
            if name not in self.special_tokens:
                raise ValueError(
                    f"allowed_special: {name!r} is no special token of this tokenizer, "
                    f"which has {list(self.special_tokens)!r}"
                )
        if not names:
            return None
        return regex.compile("(" + "|".join(map(regex.escape, sorted(names, key=len, reverse=True))) + ")")

    # --- ids to text ---

    def decode(self, ids, errors="replace", unknown="error"):
        """The text that the ids spell.

        errors: what broken UTF-8 and <unk> become: "replace" U+FFFD, "strict" ValueError.
        unknown: ids outside 0 to vocab_size - 1: "error" ValueError, "replace" U+FFFD.

        >>> from bpelab import train
        >>> tok = train("low low low lower lower newest", 8)
        >>> tok.decode([0, 5, 0, 14])
        '\ufffdo\ufffd lower'
        """
        checks.choice("errors", errors, ("replace", "strict"))
        ids = self._checked(ids, unknown)
        if errors == "strict" and self.base == "char" and 0 in ids:
            raise ValueError(
                f"ids[{ids.index(0)}] is 0, <unk>, which stands for no character; errors='replace' writes U+FFFD"
            )
        data = self._join(ids)
        try:
            return data.decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise ValueError(
                f"ids spell no valid UTF-8: {error.reason} at byte {error.start}; errors='replace' writes U+FFFD"
            ) from None

    def decode_bytes(self, ids):
        """The bytes that the ids spell; <unk> is U+FFFD."""
        return self._join(self._checked(ids, "error"))

    def stream_decoder(self):
        """A decoder to feed ids one by one; its pieces of text join to `decode(ids)`.

        >>> from bpelab import train
        >>> tok = train("猫", 0, base="byte")
        >>> decoder = tok.stream_decoder()
        >>> [decoder.feed(i) for i in tok.encode("猫a")], decoder.finish()
        (['', '', '猫', 'a'], '')
        """
        return StreamDecoder(self)

    def _checked(self, ids, unknown):
        """A list of int ids, those outside the vocabulary refused or made None."""
        checks.choice("unknown", unknown, ("error", "replace"))
        if isinstance(ids, str | bytes) or not isinstance(ids, Iterable):
            raise TypeError(f"ids must be a sequence of ids (int), got {type(ids).__name__}")
        size, checked = self.vocab_size, []
        for index, value in enumerate(ids.tolist() if isinstance(ids, np.ndarray) else ids):
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                raise TypeError(f"ids[{index}] must be an int, got {checks.shown(value)} ({type(value).__name__})")
            value = value.__index__()
            known = 0 <= value < size and (value < self._ordinary or self._vocab[value] != b"")
            if not known and unknown == "error":
                raise ValueError(
                    f"ids[{index}] is {value}, but this vocabulary has ids 0 to {size - 1}"
                    f"{' with gaps' if 0 <= value < size else ''}; unknown='replace' writes U+FFFD"
                )
            checked.append(value if known else None)
        return checked

    def _join(self, ids):
        return b"".join(self._written(ids, Words(self)))

    def _written(self, ids, words):
        for i in ids:
            yield words.write(i)

    # --- vocabulary ---

    @cached_property
    def _special_bytes(self):
        return {name.encode(): special for name, special in self.special_tokens.items()}

    def token_to_id(self, token):
        """The id of a token (bytes, or str for its UTF-8 bytes); ValueError where there is none."""
        if not isinstance(token, bytes | str):
            raise TypeError(f"token must be bytes, got {type(token).__name__}")
        spelled = checks.text("token", token).encode() if isinstance(token, str) else token
        found = self._ids.get(spelled, self._special_bytes.get(spelled))
        if found is None and self.base == "char" and spelled == UNKNOWN:
            found = 0
        if found is None:
            raise ValueError(f"token {token!r} is not in the vocabulary")
        return found

    def id_to_token(self, id):
        """The token (bytes) of an id; ValueError where there is none."""
        number = checks.whole("id", id, 0)
        if number >= self.vocab_size:
            raise ValueError(f"id must be below the vocabulary size, {self.vocab_size}; got {number}")
        return self._vocab[number]

    def truncate(self, num_merges):
        """The tokenizer of the first `num_merges` merges, equal to one trained that far.

        Special ids that directly follow the vocabulary move with its end.
        """
        kept = checks.whole("num_merges", num_merges, 0)
        if kept > len(self._merges):
            raise ValueError(f"num_merges must be at most {len(self._merges)}, the merges there are; got {kept}")
        cut, specials = len(self._merges) - kept, dict(self.special_tokens)
        follow = self._ordinary
        for name, special in sorted(self.special_tokens.items(), key=lambda item: item[1]):
            if special == follow:
                specials[name] = special - cut
                follow += 1
        return self._changed(
            merges=self._merges[:kept], special_tokens=specials, lengths=self.lengths and self.lengths[: kept + 1]
        )

    def with_special_tokens(self, special_tokens):
        """This tokenizer with more special tokens (names, or name -> id); no id that it has changes.

        >>> from bpelab import train
        >>> tok = train("abab", 1)
        >>> tok.with_special_tokens(["<end>"]).special_tokens
        {'<end>': 4}
        """
        added = _special_ids(special_tokens, self.vocab_size)
        for name in added:
            if name in self.special_tokens:
                raise ValueError(f"special_tokens: {name!r} is one already, with id {self.special_tokens[name]}")
        return self._changed(special_tokens=self.special_tokens | added)

    def _changed(self, **parts):
        """A tokenizer with some parts exchanged."""
        kept = ("base", "characters", "byte_order", "chunking", "end_of_word", "fuse_end_of_word")
        kept += ("normalization", "lengths")
        same = {"merges": self._merges, "special_tokens": self.special_tokens}
        return Tokenizer(**{**{name: getattr(self, name) for name in kept}, **same, **parts})

    def merge_table(self, n=None):
        """The first n merges (all of them for None) as a pandas DataFrame for people.

        Columns: step, left, right, token, count, and, where the tokenizer was trained here, length:
        the tokens of the training corpus after the step, from the real number of replacements.
        """
        import pandas as pd

        from bpelab.show import label

        shown = self._merges if n is None else self._merges[: checks.whole("n", n, 0)]
        table = {
            "step": range(1, len(shown) + 1),
            "left": [label(merge.left) for merge in shown],
            "right": [label(merge.right) for merge in shown],
            "token": [label(merge.left + merge.right) for merge in shown],
            "count": [merge.count for merge in shown],
        }
        if self.lengths is not None:
            table["length"] = self.lengths[1 : len(shown) + 1]
        return pd.DataFrame(table)

    def save(self, path):
        """Write the tokenizer to a JSON file that `bpelab.load` reads; whole or not at all."""
        from bpelab import storage

        storage.save(self, path)

    def to_tiktoken(self, name):
        """A `tiktoken.Encoding` with the same ids: see `bpelab.exchange.to_tiktoken`."""
        from bpelab import exchange

        return exchange.to_tiktoken(self, name)

    def to_huggingface(self):
        """A `tokenizers.Tokenizer` with the same ids: see `bpelab.exchange.to_huggingface`."""
        from bpelab import exchange

        return exchange.to_huggingface(self)

    def save_merges_txt(self, path):
        """Write GPT-2's merges.txt: see `bpelab.exchange.save_merges_txt`."""
        from bpelab import exchange

        exchange.save_merges_txt(self, path)

    def save_minbpe(self, path):
        """Write minbpe's .model file: see `bpelab.exchange.save_minbpe`."""
        from bpelab import exchange

        exchange.save_minbpe(self, path)


class Words:
    """Ids to bytes, one by one: drops end-of-word markers, and writes blanks between words.

    After chunking "words" or "subword-nmt" a marker means that a blank stands before the next token;
    after SentencePiece's, each visible blank (▁) becomes a blank, except the first.
    """

    def __init__(self, tokenizer):
        self._vocab, self._ordinary = tokenizer._vocab, tokenizer._ordinary
        self._unknown = 0 if tokenizer.base == "char" else None
        self._marker = tokenizer._alphabet.marker
        self._blank = b" " if tokenizer.chunking in ("words", "subword-nmt") else b""
        self._visible = str(tokenizer.chunking).startswith("sentencepiece")
        self._pending, self._first = b"", True

    def write(self, i):
        """The bytes that id i (None: U+FFFD) adds."""
        token = REPLACEMENT if i is None or i == self._unknown else self._vocab[i]
        before, self._pending = self._pending, b""
        if self._marker and i is not None and i < self._ordinary and token.endswith(self._marker):
            token, self._pending = token[: -len(self._marker)], self._blank
        if self._visible:
            token = token.replace(BLANK.encode(), b" ")
            token = token.removeprefix(b" ") if self._first else token
        self._first = False
        return before + token


class StreamDecoder:
    """Feed ids, get text: a character comes out when its last byte is in."""

    def __init__(self, tokenizer):
        self._tokenizer = tokenizer
        self._words = Words(tokenizer)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, id):
        """The text that became certain with this id."""
        (checked,) = self._tokenizer._checked([id], "error")
        return self._decoder.decode(self._words.write(checked))

    def finish(self):
        """What is left at the end of the stream: U+FFFD where a character stayed incomplete."""
        return self._decoder.decode(b"", final=True)


# --- checks on the parts of a tokenizer ---


def _merge(index, merge):
    """One entry of `merges` as a Merge of bytes."""
    parts = tuple(merge) if isinstance(merge, Iterable) and not isinstance(merge, str | bytes) else ()
    if len(parts) not in (2, 3):
        raise ValueError(f"merges[{index}] must be (left, right) or (left, right, count), got {checks.shown(merge)}")
    left, right = (checks.text(f"merges[{index}]", p).encode() if isinstance(p, str) else p for p in parts[:2])
    if not (isinstance(left, bytes) and isinstance(right, bytes)):
        raise TypeError(f"merges[{index}] must join two str or bytes, got {checks.shown(merge)}")
    return Merge(left, right, checks.whole(f"merges[{index}] count", parts[2], 0) if len(parts) == 3 else 0)


def _alphabet(base, characters, byte_order, marker, fused, merges):
    """The Alphabet, its characters checked or read off the merges."""
    if base == "byte":
        if characters is not None:
            raise ValueError("characters belong to base='char'; base 'byte' always has 256 symbols")
        order = range(256) if byte_order is None else byte_order
        if not isinstance(order, bytes | range) or sorted(order) != list(range(256)):
            raise ValueError(f"byte_order must be bytes that hold each byte once, got {checks.shown(byte_order)}")
        return Alphabet.from_bytes(order)
    if byte_order is not None:
        raise ValueError("byte_order belongs to base='byte'")
    if characters is not None:
        characters = checks.text("characters", "".join(characters))
        return Alphabet.from_characters(set(characters), marker, fused)
    end = marker.encode() if marker else b""
    made, characters = {end}, set()
    for left, right, _ in merges:
        for part in (left, right):
            if part not in made:
                characters.update(readable(part.removesuffix(end) if end else part))
        made.add(left + right)
    return Alphabet.from_characters(characters, marker, fused)


def _numbered(merges, alphabet):
    """Token -> id for base symbols and merges, and each merge as (left id, right id); all checked."""
    ids, pairs, size = dict(alphabet.ids), [], 0
    for index, (left, right, _) in enumerate(merges):
        for part in (left, right):
            if part not in ids:
                raise ValueError(
                    f"merges[{index}] uses {checks.shown(readable(part))}, which is neither a base symbol "
                    "nor made by an earlier merge"
                )
        size += len(left) + len(right)
        check_size(index, size)
        if left + right in ids:
            raise ValueError(
                f"merges[{index}] makes {checks.shown(readable(left + right))} again, which already has id "
                f"{ids[left + right]}; each token needs one id"
            )
        pairs.append((ids[left], ids[right]))
        ids[left + right] = len(alphabet.symbols) + index
    return ids, pairs


def check_size(index, size):
    """Refuse merges whose tokens together take `size` bytes, if that is too much to hold."""
    if size > engine.MOST_TOKEN_BYTES:
        raise ValueError(
            f"merges[{index}]: the tokens so far have more than {engine.MOST_TOKEN_BYTES >> 20} MiB; use fewer merges"
        )


def _special_ids(special_tokens, first):
    """Name -> id: given ids checked against the vocabulary, which ends before `first`; names numbered."""
    names = special_names(special_tokens)
    if not isinstance(special_tokens, Mapping):
        return {name: first + at for at, name in enumerate(names)}
    ids = {name: checks.whole(f"special_tokens[{name!r}]", special_tokens[name], 0) for name in names}
    taken = {}
    for name, special in ids.items():
        if special < first:
            raise ValueError(f"special_tokens[{name!r}]: id {special} belongs to the vocabulary, ids 0 to {first - 1}")
        if special > LARGEST_ID:
            raise ValueError(f"special_tokens[{name!r}] must be at most {LARGEST_ID}, got {special}")
        if special in taken:
            raise ValueError(f"special_tokens: {name!r} and {taken[special]!r} have the same id, {special}")
        taken[special] = name
    return ids
