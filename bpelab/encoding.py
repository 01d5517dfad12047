"""A merge list at work: each distinct chunk is encoded once a call, and short ones are remembered."""

from itertools import pairwise

import numpy as np

from bpelab import chunking, engine

#: Chunks up to this many characters are remembered with their ids, up to this many chunks.
LONGEST_REMEMBERED, MOST_REMEMBERED = 64, 1 << 16


class Encoder:
    """Applies merges (pairs of numbers) to texts that are normalized already; safe to share among threads.

    ids: the id of each number, base symbols first, where it is not the number itself.
    """

    def __init__(self, alphabet, merge_ids, chunking, ids=None):
        self.alphabet, self.chunking = alphabet, chunking
        self.ids = None if ids is None else np.array(ids, np.int32)
        self.rules = engine.Rules.of(merge_ids, len(alphabet.symbols))
        self.remembered = {}  # chunk -> ids; replaced, never emptied, since another thread may be reading it

    def encode(self, chunks):
        """Chunks (list of str), each by itself: (ids of all of them end to end, number of ids of each), arrays."""
        numbers, sizes = self._numbers(chunks)
        return numbers if self.ids is None else self.ids[numbers], sizes

    def _numbers(self, chunks):
        weights = np.ones(len(chunks), np.int64)
        return engine.encode(*self.alphabet.encode(chunks), weights, self.alphabet, self.rules)[:2]

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
