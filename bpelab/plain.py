"""The plainest tokenizers, characters and bytes, and what every tokenizer that is a plain list of tokens shares."""

from collections import Counter

from bpelab import checks, storage
from bpelab.chunking import BLANK
from bpelab.tokenizer import REPLACEMENT, Tokenizer
from bpelab.training import chunk_counts


class Characters(Tokenizer):
    """One token a character: a `Tokenizer` without merges. Characters that it doesn't know are <unk>, id 0.

    characters: the alphabet, a str; ids go by code point.

    >>> chars = Characters.train("猫と犬と猫")
    >>> chars.tokens("犬 猫"), chars.encode("犬 猫")
    (['犬', ' ', '猫'], [2, 0, 3])
    """

    def __init__(self, characters):
        super().__init__([], characters=checks.text("characters", characters), chunking="whole")

    @classmethod
    def train(cls, corpus, vocab_size=None):
        """The characters of `corpus`: all of them, or the most frequent that fit `vocab_size`, <unk> included.

        corpus: a str, an iterable of str, or a mapping text -> frequency. Of equally frequent
        characters the one with the smaller code point stays.

        >>> Characters.train("ABBAC", vocab_size=3).characters
        'AB'
        """
        counts = Counter()
        for text, n in chunk_counts(corpus, "whole").items():
            for character, times in Counter(text).items():
                counts[character] += times * n
        kept = len(counts) if vocab_size is None else checks.whole("vocab_size", vocab_size, 1) - 1
        return cls("".join(sorted(counts, key=lambda c: (-counts[c], c))[:kept]))

    @classmethod
    def load(cls, path):
        """Read what `save` wrote; ValueError where the file holds anything else."""
        loaded = storage.load(path)
        return _same(path, cls(loaded.characters or ""), loaded)

    def __repr__(self):
        return f"Characters(vocab_size={self.vocab_size})"


class Bytes(Tokenizer):
    """One token a byte of UTF-8, id = byte: a `Tokenizer` without merges, for any text.

    >>> Bytes().tokens("é!"), Bytes().encode("é!")
    (['<0xC3>', '<0xA9>', '!'], [195, 169, 33])
    """

    def __init__(self):
        super().__init__([], base="byte", chunking="whole")

    @classmethod
    def train(cls, corpus=()):
        """The same whatever the corpus, which is only checked."""
        chunk_counts(corpus, "whole")
        return cls()

    @classmethod
    def load(cls, path):
        """Read what `save` wrote; ValueError where the file holds anything else."""
        return _same(path, cls(), storage.load(path))

    def __repr__(self):
        return "Bytes()"


def _same(path, made, loaded):
    """`made`, if it is all that was loaded."""
    if made != loaded:
        raise ValueError(f"{path} holds {loaded!r}, which is more than {made!r}; bpelab.load reads it")
    return made


class Vocabulary:
    """Tokens in the order of their ids, id 0 for what is unknown: the common part of Unigram and WordPiece.

    A subclass says how text is cut, in `_encoded(text)`: a list of (id, bytes), where the bytes of id
    0 are the unknown text itself, or the unknown token's name.
    """

    base = "char"

    def __init__(self, vocab, chunking):
        self._vocab, self.chunking, self._special_bytes = vocab, chunking, {}
        # Of tokens spelled alike (a byte and a piece, the unknown token and its name) the later one is found.
        self._ids = {token: i for i, token in enumerate(vocab)}

    # What these do is the same for any list of tokens.
    vocab = Tokenizer.vocab
    tokens = Tokenizer.tokens
    decode = Tokenizer.decode
    decode_bytes = Tokenizer.decode_bytes
    id_to_token = Tokenizer.id_to_token
    token_to_id = Tokenizer.token_to_id
    _checked = Tokenizer._checked

    @property
    def vocab_size(self):
        """The number of ids; they run from 0 to one less."""
        return len(self._vocab)

    _ordinary = vocab_size

    def token_bytes(self, text):
        """The tokens of `text` as bytes."""
        return [token for _, token in self._encoded(checks.text("text", text))]

    def encode(self, text):
        """The ids of `text`: a list of int."""
        return [i for i, _ in self._encoded(checks.text("text", text))]

    def encode_batch(self, texts):
        """`encode` for each text of an iterable: a list of lists of ids."""
        if isinstance(texts, str):
            raise TypeError("texts must be an iterable of str, got one str; use encode for one text")
        return [self.encode(text) for text in checks.documents("texts", texts)]

    def _join(self, ids):
        """The bytes that checked ids (None: outside the vocabulary) spell, visible blanks made blanks."""
        data = b"".join(map(self._written, ids))
        if str(self.chunking).startswith("sentencepiece"):
            data = data.replace(BLANK.encode(), b" ").removeprefix(b" ")
        return data

    def _written(self, i):
        return self._vocab[i] if i else REPLACEMENT

    def __eq__(self, other):
        return self._identity == other._identity if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash((self.vocab_size, tuple(self._vocab[:100])))
