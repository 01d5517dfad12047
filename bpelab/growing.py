"""From one tokenizer to another: go on learning from its merges, or drop what a corpus never uses.

What is there keeps its meaning: growing leaves old ids as they are, pruning leaves the tokens of its
corpus as they are.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import compress

import numpy as np

from bpelab import checks, merging
from bpelab.alphabet import Alphabet


class Grown(Alphabet):
    """The tokens of a tokenizer as base symbols for further merges; a chunk is split as the tokenizer encodes it.

    >>> from bpelab import train
    >>> Grown(train("low low", 2)).split("low")
    [b'low']
    """

    def __init__(self, tok):
        alphabet = tok.alphabet
        symbols = [*alphabet.symbols, *(left + right for left, right, _ in tok.merges)]
        super().__init__(tok.base, symbols, alphabet.marker, alphabet.fused)
        self._start, self._pairs = alphabet, tok.pairs

    end_id = None  # the tokenizer's encoding has set the markers already

    @cached_property
    def characters(self):
        """The characters of the tokenizer itself."""
        return self._start.characters

    def encode(self, chunks):
        """All chunks as ids, end to end, and the length of each; ValueError for a character without an id."""
        ids, sizes = self._start.encode(chunks)
        if self.base == "char" and not ids.all():
            text, at = "".join(chunks), int(np.argmin(ids != 0))
            raise ValueError(
                f"start: the tokenizer doesn't know the character {text[at]!r} of the corpus, and has no place "
                "for more characters; start from one with base='byte', which knows every text"
            )
        return merging.merged(self._pairs, self._start, ids, sizes)

    def split(self, text):
        """One chunk as a list of tokens (bytes)."""
        return [self.symbols[i] for i in self.encode([text])[0].tolist()]

    def ranks(self, order, chunks):
        """What ids are compared as in a tie: the base symbols by `order`, then the merges as they were learned."""
        base = len(self._start.symbols)
        merged = np.arange(base, len(self.symbols), dtype=np.int32)
        return np.concatenate([self._start.ranks(order, chunks), merged])


def grown_ids(tok, merges):
    """The ids of a tokenizer's tokens, followed by those of `merges` new ones; None where they simply count on."""
    if tok.ids is None and tok.vocab_size == tok.ordinary_size:
        return None
    old = range(tok.ordinary_size) if tok.ids is None else tok.ids
    return [*old, *range(tok.vocab_size, tok.vocab_size + merges)]


def kept_merges(tok, used, keep):
    """Which merges make the tokens `used` (internal numbers) or `keep`, or a part of them: a list of bool."""
    base, kept = len(tok.alphabet.symbols), [False] * tok.ordinary_size
    for number in [*used, *_numbers(tok, keep)]:
        kept[number] = True
    for index in range(len(tok.merge_ids) - 1, -1, -1):
        if kept[base + index]:
            for part in tok.merge_ids[index]:
                kept[part] = True
    return kept[base:]


def _numbers(tok, keep):
    """The internal numbers of tokens to keep, given as bytes, str or ids."""
    if isinstance(keep, str | bytes) or not isinstance(keep, Iterable):
        raise TypeError(f"keep must be a list of tokens (bytes or str) or ids, got {checks.shown(keep)}")
    number_of = {i: number for number, i in enumerate(tok.ids or range(tok.ordinary_size))}
    numbers = []
    for index, token in enumerate(keep):
        i = tok.token_to_id(token) if isinstance(token, str | bytes) else checks.whole(f"keep[{index}]", token, 0)
        if i not in number_of and i not in tok.special_tokens.values():
            raise ValueError(f"keep[{index}] is {i}, which is no id of this tokenizer")
        numbers += [number_of[i]] if i in number_of else []
    return numbers


def renumbering(tok, small, kept):
    """Old id -> new id, from a tokenizer to the one with the merges that `kept` (list of bool) marks."""
    stays = [True] * len(tok.alphabet.symbols) + kept
    old = compress(tok.ids or range(tok.ordinary_size), stays)
    special = {i: small.special_tokens[name] for name, i in tok.special_tokens.items()}
    return dict(zip(old, range(small.ordinary_size), strict=True)) | special
