"""The simplest tokenizers: one token a character, one token a byte. Both are a `Tokenizer` without merges."""

from collections import Counter

from bpelab import checks, storage
from bpelab.tokenizer import Tokenizer
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
        loaded = storage.load(path, Tokenizer)
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
        return _same(path, cls(), storage.load(path, Tokenizer))

    def __repr__(self):
        return "Bytes()"


def _same(path, made, loaded):
    """`made`, if it is all that was loaded."""
    if made != loaded:
        raise ValueError(f"{path} holds {loaded!r}, which is more than {made!r}; bpelab.load reads it")
    return made
