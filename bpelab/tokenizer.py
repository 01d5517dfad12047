"""`Tokenizer`: a merge list and all that applies it. Text to tokens and ids; the way back is `Vocabulary`'s."""

from functools import cached_property
from itertools import chain, compress

import numpy as np

from bpelab import checks, chunking, exports, growing, specials, storage
from bpelab import merges as merge_lists
from bpelab.alphabet import Alphabet, end_marker
from bpelab.decoding import Writer
from bpelab.encoding import Encoder
from bpelab.normalization import normalizer
from bpelab.spelling import spelled
from bpelab.vocabulary import Vocabulary


class Tokenizer(exports.Exporting, Vocabulary):
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
    ids: the id of each base symbol, then of each merge, where they don't count up from 0.
    Two tokenizers are equal when they turn every text into the same ids (and ids into text). A
    tokenizer never changes: it can be shared among threads, hashed and pickled (a chunking that is
    a function must be importable for that).
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
        ids=None,
    ):
        learned = isinstance(merges, merge_lists.Learned)
        merges = merges if learned else merge_lists.checked(merges)
        marker = end_marker(end_of_word, fuse_end_of_word, base)
        alphabet = Alphabet.given(base, characters, byte_order, marker, fuse_end_of_word, merges)
        pairs = merges.pairs if learned else merge_lists.in_ids(merges, alphabet)
        if lengths is not None and len(lengths) != len(merges) + 1:
            raise ValueError(f"lengths must have {len(merges) + 1} entries, one more than merges; got {len(lengths)}")
        ids = specials.ordinary_ids(ids, len(alphabet.symbols) + len(merges))
        self._set(
            alphabet=alphabet,
            pairs=np.array(pairs, np.int32).reshape(-1, 2),
            chunking=chunking,
            end_of_word=end_of_word,
            normalization=normalization,
            special_tokens=specials.numbered(special_tokens, len(alphabet.symbols) + len(merges), ids),
            ids=ids,
            _lengths=None if lengths is None else tuple(lengths),
            _given=merges,
        )
        self._split, self.normalize  # noqa: B018 - a bad chunking or normalization is said here, not later

    # --- what it is ---

    @property
    def base(self):
        """ "char" or "byte"."""
        return self.alphabet.base

    @property
    def merges(self):
        """The merges in learned order: a list of `Merge(left, right, count)`."""
        return list(self._merges)

    @property
    def characters(self):
        """The base alphabet of base "char" as one sorted str, without <unk> and marker; else None."""
        return self.alphabet.characters if self.base == "char" else None

    @property
    def lengths(self):
        """The training corpus in tokens before and after each merge, a list of int; None where it is not known."""
        return None if self._lengths is None else list(self._lengths)

    @property
    def fuse_end_of_word(self):
        """Whether the end-of-word marker is part of the last character of a chunk."""
        return self.alphabet.fused

    @property
    def byte_order(self):
        """The 256 bytes of base "byte" in the order of their ids, as bytes; else None."""
        return b"".join(self.alphabet.symbols) if self.base == "byte" else None

    @cached_property
    def _merges(self):
        return list(self._given)

    @cached_property
    def merge_ids(self):
        """The merges as pairs of numbers, those of base symbols and earlier merges: a tuple of tuples."""
        return tuple(map(tuple, self.pairs.tolist()))

    @cached_property
    def _tokens(self):
        tokens = [*self.alphabet.symbols, *(left + right for left, right, _ in self._merges)]
        return tokens if self.ids is None else specials.placed(tokens, self.ids)

    @property
    def ordinary_size(self):
        """The number of ids that are no special token: base symbols and merges."""
        return len(self.alphabet.symbols) + len(self.pairs)

    @property
    def unknown_id(self):
        """The id of <unk> for base "char"; None for base "byte", which knows every text."""
        return None if self.base == "byte" else self.ids[0] if self.ids else 0

    unknown_token = "<unk>"

    def __repr__(self):
        special = f", special_tokens={self.special_tokens!r}" if self.special_tokens else ""
        return (
            f"Tokenizer(base={self.base!r}, merges={len(self.pairs)}, vocab_size={self.vocab_size}, "
            f"chunking={self.chunking!r}{special})"
        )

    @property
    def _identity(self):
        steps = self.normalization, self.chunking, self.special_tokens
        return self.alphabet.symbols, self.alphabet.marker, self.alphabet.fused, self.merge_ids, self.ids, steps

    @cached_property
    def _hash(self):
        return hash((self.vocab_size, self.merge_ids))

    # --- text to tokens ---

    @cached_property
    def normalize(self):
        """The function str -> str that brings a text into the tokenizer's Unicode form."""
        return normalizer(self.normalization)

    @cached_property
    def _split(self):
        return chunking.splitter(self.chunking)

    @cached_property
    def _encoder(self):
        return Encoder(self.alphabet, self.pairs, self.chunking, self.ids)

    def curve(self, texts):
        """The number of tokens of some texts at every number of merges, 0 to all: int64[len(merges) + 1].

        texts: a str, or an iterable of str (documents). Each distinct chunk is encoded once, by all merges.

        >>> from bpelab import train
        >>> train("low low lower", 3).curve("low lower").tolist()
        [9, 7, 5, 4]
        """
        return self._encoder.curve([self.normalize(text) for text in checks.documents("texts", texts)])

    def encode_to_numpy(self, text, allowed_special=()):
        """`encode` as a NumPy array, uint32 as tiktoken's: for long texts, whose list costs as much as the encoding.

        >>> from bpelab import train
        >>> train("low low lower", 3).encode_to_numpy("low lower").tolist()
        [8, 9, 2, 5]
        """
        names = specials.allowed_names(self.special_tokens, allowed_special)
        if names:
            return np.array(self._encode(checks.text("text", text), names), np.uint32)
        return self._encoder.arrays([self.normalize(checks.text("text", text))])[0].view(np.uint32)

    def chunks(self, text):
        """The normalized text, cut as the tokenizer cuts it: a list of str."""
        return self._split(self.normalize(checks.text("text", text)))

    def encode_chunks(self, chunks):
        """Chunks (list of str) as they are, each by itself: a list of lists of ids."""
        return self._encoder.lists(chunks)

    def _ids_of(self, text):
        if len(text) >= chunking.SCANNED_FROM:
            return self._batch([text])[0]
        return list(chain.from_iterable(self._encoder.lists(self._split(self.normalize(text)))))

    def _batch(self, texts):
        return self._encoder.batch(list(map(self.normalize, texts)))

    def _counts(self, texts):
        return self._encoder.counts(list(map(self.normalize, texts)))

    def _cut(self, text):
        chunks = self._split(self.normalize(text))
        encoded = self._encoder.lists(chunks)
        tokens = map(self._spell, encoded, chunks)
        return list(chain.from_iterable(encoded)), list(chain.from_iterable(tokens))

    def _spell(self, ids, chunk):
        """The bytes of each id, <unk> as the character it stands for."""
        return spelled(ids, chunk, self._tokens, self.unknown_id)

    def offsets(self, text):
        """The characters that each token of `text` covers: a list of (start, end) in characters.

        A token that holds a piece of a character covers all of it. Positions are those of the
        normalized text. ValueError for a lossy chunking, whose tokens do not cover the text.

        >>> from bpelab import train
        >>> train("猫", 1, base="byte").offsets("a猫")
        [(0, 1), (1, 2), (1, 2)]
        """
        if self.chunking in chunking.LOSSY:
            raise ValueError(f"chunking {self.chunking!r} is lossy: its tokens do not cover the text")
        chunks = self.chunks(text)
        return list(merge_lists.spans(map(self._spell, self._encoder.lists(chunks), chunks), chunks))

    def writer(self):
        """What turns ids to bytes: drops end-of-word markers, writes the blanks that the chunking took."""
        return Writer(
            self._token_of,
            unknown=self.unknown_id,
            specials=self._special_names,
            marker=self.alphabet.marker,
            blank=b" " if self.chunking in ("words", "subword-nmt") else b"",
            visible=str(self.chunking).startswith("sentencepiece"),
        )

    # --- changed ones ---

    def truncate(self, num_merges):
        """The tokenizer of the first `num_merges` merges, equal to one trained that far.

        Special ids that directly follow the vocabulary move with its end.
        """
        kept = checks.whole("num_merges", num_merges, 0)
        if kept > len(self._merges):
            raise ValueError(f"num_merges must be at most {len(self._merges)}, the merges there are; got {kept}")
        end, cut = self.ordinary_size, len(self._merges) - kept
        moved = {name: self.special_tokens[name] - cut for name in specials.following(self.special_tokens, end)}
        return self._changed(
            merges=self._merges[:kept],
            special_tokens=dict(self.special_tokens) | (moved if self.ids is None else {}),
            lengths=self.lengths and self.lengths[: kept + 1],
            ids=self.ids and self.ids[: end - cut],
        )

    def prune(self, corpus, keep=()):
        """A tokenizer without the tokens that `corpus` never uses: (Tokenizer, {old id: new id}).

        corpus: a str or an iterable of str; its tokens stay as they are. Base symbols stay, special
        tokens, the tokens (bytes, str or ids) of `keep`, and all that these are merged from. New ids
        count up from 0 in the old order.

        >>> from bpelab import train
        >>> small, table = train("low low lower lower newest newest").prune("low lower")
        >>> small.tokens("low lower newest")
        ['low', ' lower', ' ', 'n', 'e', 'w', 'e', 's', 't']
        """
        texts = [self.normalize(text) for text in checks.documents("corpus", corpus)]
        kept = growing.kept_merges(self, self._encoder.used(texts), keep)
        names = sorted(self.special_tokens, key=self.special_tokens.get)
        merges = list(compress(self._merges, kept))
        small = self._changed(merges=merges, special_tokens=names, lengths=None, ids=None)
        return small, growing.renumbering(self, small, kept)

    def with_special_tokens(self, special_tokens):
        """This tokenizer with more special tokens (names, or name -> id); no id that it has changes.

        >>> from bpelab import train
        >>> tok = train("abab", 1)
        >>> tok.with_special_tokens(["<end>"]).special_tokens
        {'<end>': 4}
        """
        added = specials.numbered(special_tokens, self.vocab_size)
        for name in added:
            if name in self.special_tokens:
                raise ValueError(f"special_tokens: {name!r} is one already, with id {self.special_tokens[name]}")
        return self._changed(special_tokens=dict(self.special_tokens) | added)

    def _changed(self, **parts):
        """A tokenizer with some parts exchanged."""
        kept = {name: getattr(self, name) for name in storage.PARTS if name not in parts}
        return Tokenizer(**{"merges": self._merges, **kept, **parts})

    # --- tables and files ---

    def merge_table(self, n=None):
        """The first n merges (all of them for None) as a pandas DataFrame for people.

        Columns: step, left, right, token, count, and, where the tokenizer was trained here, length:
        the tokens of the training corpus after the step, from the real number of replacements.
        """
        shown = self._merges if n is None else self._merges[: checks.whole("n", n, 0)]
        return merge_lists.table(shown, self._lengths)

    def save(self, path):
        """Write the tokenizer to a JSON file that `bpelab.load` reads; whole or not at all."""
        storage.save(self, path)

    @classmethod
    def load(cls, path):
        """Read what `save` wrote; ValueError, which says where, for any other file."""
        return storage.load(path, cls)
