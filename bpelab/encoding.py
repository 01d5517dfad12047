"""A merge list at work: each distinct chunk is encoded once a call, and short ones are remembered."""

from functools import cached_property
from itertools import chain, pairwise

import numpy as np

from bpelab import chunking, engine
from bpelab.compiled import is_small

#: Chunks up to this many characters are remembered with their ids, up to this many chunks.
LONGEST_REMEMBERED, MOST_REMEMBERED = 64, 1 << 16


class Encoder:
    """Applies merges (pairs of numbers) to texts that are normalized already; safe to share among threads.

    ids: the id of each number, base symbols first, where it is not the number itself.
    """

    def __init__(self, alphabet, merge_ids, chunking, ids=None):
        self.alphabet, self.chunking = alphabet, chunking
        self.ids = None if ids is None else np.array(ids, np.int32)
        self.merge_ids = merge_ids
        self.remembered = {}  # chunk -> ids; replaced, never emptied, since another thread may be reading it

    @cached_property
    def rules(self):
        """The merges as the engine takes them."""
        return engine.Rules.of(self.merge_ids, len(self.alphabet.symbols))

    def encode(self, chunks):
        """Chunks (list of str), each by itself: (ids of all of them end to end, number of ids of each), arrays."""
        numbers, sizes = self._numbers(chunks)
        return numbers if self.ids is None else self.ids[numbers], sizes

    def _numbers(self, chunks):
        symbols, sizes = self.alphabet.encode(chunks)
        if is_small((len(symbols) + len(sizes)) * len(self.merge_ids)):
            return self._encode_plainly(symbols, sizes)
        return engine.encode(symbols, sizes, np.ones(len(chunks), np.int64), self.alphabet, self.rules)[:2]

    def _encode_plainly(self, symbols, sizes):
        """What `engine.encode` does, one merge after the other: nothing to compile for a toy."""
        encoded, end = [], [] if self.alphabet.end_id is None else [self.alphabet.end_id]
        for stop, size in zip(np.cumsum(sizes).tolist(), sizes.tolist(), strict=True):
            chunk = [*symbols[stop - size : stop].tolist(), *end]
            for made, pair in enumerate(self.merge_ids, len(self.alphabet.symbols)):
                chunk = replaced(chunk, pair, made)
            encoded.append(chunk)
        sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return np.fromiter(chain.from_iterable(encoded), np.int32, int(sizes.sum())), sizes

    def used(self, texts):
        """The numbers of the tokens that some texts hold, each once: a list of int."""
        return np.unique(self._numbers(chunking.distinct(texts, self.chunking)[0])[0]).tolist()

    def lists(self, chunks):
        """The ids of each chunk, in turn: a list of lists."""
        known = self.remembered
        missing = [chunk for chunk in dict.fromkeys(chunks) if chunk not in known]
        if not missing:
            return [known[chunk] for chunk in chunks]
        ids, sizes = self.encode(missing)
        ids, ends = ids.tolist(), np.cumsum(sizes).tolist()
        fresh = {chunk: ids[start:end] for chunk, start, end in zip(missing, [0, *ends], ends, strict=False)}
        kept = {chunk: ids for chunk, ids in fresh.items() if len(chunk) <= LONGEST_REMEMBERED}
        self.remembered = {**known, **kept} if len(known) + len(kept) <= MOST_REMEMBERED else kept
        return [fresh[chunk] if chunk in fresh else known[chunk] for chunk in chunks]

    def batch(self, texts):
        """The ids of each text: a list of lists."""
        ids, sizes, numbers, bounds = self._distinct(texts)
        target = np.empty(int(sizes[numbers].sum()), np.int32)
        engine.gather(ids, np.cumsum(sizes) - sizes, sizes, numbers, target)
        return [target[start:end].tolist() for start, end in pairwise(bounds)]

    def counts(self, texts):
        """The number of tokens of each text: a list of int."""
        return np.diff(self._distinct(texts)[3]).tolist()

    def curve(self, texts):
        """The number of tokens of all texts at every number of merges: int64[merges + 1]."""
        chunks, numbers, _ = chunking.distinct(texts, self.chunking)
        weights = np.bincount(numbers, minlength=len(chunks))
        return engine.encode(*self.alphabet.encode(chunks), weights, self.alphabet, self.rules)[2]

    def _distinct(self, texts):
        """(ids, sizes) of the distinct chunks, the numbers of all chunks, where each text's ids start."""
        chunks, numbers, counts = chunking.distinct(texts, self.chunking)
        ids, sizes = self.encode(chunks)
        ends = np.append(0, np.cumsum(sizes[numbers]))
        return ids, sizes, numbers, ends[np.append(0, np.cumsum(counts, dtype=np.int64))].tolist()


def replaced(ids, pair, made):
    """The ids with `made` for each occurrence of `pair`, left to right."""
    left, right = pair
    if left not in ids or right not in ids:
        return ids
    out, at = [], 0
    while at < len(ids):
        if ids[at] == left and at + 1 < len(ids) and ids[at + 1] == right:
            out.append(made)
            at += 2
        else:
            out.append(ids[at])
            at += 1
    return out
