"""A merge list at work on texts: cut into chunks, encoded, several at a time where there is much to do."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import chain, pairwise

import numpy as np

from bpelab import chunking, merging, scanner
from bpelab.hashing import in_eights

#: Chunks of short texts, up to this many characters, are remembered with their ids, up to this many chunks.
LONGEST_REMEMBERED, MOST_REMEMBERED = 64, 1 << 16
#: From this many characters on, a second thread is worth its start.
MANY = 1 << 19


class Encoder:
    """Applies merges (pairs of numbers, int32[merges, 2]) to texts, normalized already; safe to share among threads.

    ids: the id of each number, base symbols first, where it is not the number itself.

    Each thread borrows one of the memories (`merging.Memory`): no two have the same at a time. The first share of a
    text gets the first one, and so on, so that a text that comes again finds its chunks.
    """

    def __init__(self, alphabet, pairs, chunking, ids=None):
        self.alphabet, self.chunking = alphabet, chunking
        self.ids = None if ids is None else np.array(ids, np.int32)
        self.pairs, self.size = pairs, len(alphabet.symbols) + len(pairs)
        self.remembered = {}  # chunk of a short text -> ids; replaced, never emptied: another thread may be reading
        self.memories = {}

    @cached_property
    def merges(self):
        """The merges for `merging`, which takes them in the order of their numbers."""
        return merging.prepared(self.pairs, self.alphabet)

    # --- texts ---

    def arrays(self, texts):
        """The ids of all texts, end to end, int32, and where those of each end, int64."""
        numbers, bounds = self._numbers_of(texts)
        return numbers if self.ids is None else self.ids[numbers], bounds

    def batch(self, texts):
        """The ids of each text: a list of lists."""
        numbers, bounds = self._numbers_of(texts)
        ids = self._listed(numbers)
        return [ids] if len(texts) == 1 else [ids[start:end] for start, end in pairwise([0, *bounds.tolist()])]

    def _listed(self, numbers):
        """The ids of some numbers as a list; of many, of ints that are made once, in less time and memory."""
        if len(numbers) < self.size:
            return (numbers if self.ids is None else self.ids[numbers]).tolist()
        return self._ints[numbers].tolist()

    @cached_property
    def _ints(self):
        return (np.arange(self.size) if self.ids is None else self.ids).astype(object)

    def counts(self, texts):
        """The number of tokens of each text: a list of int."""
        return np.diff(self._numbers_of(texts)[1], prepend=0).tolist()

    def used(self, texts):
        """The numbers of the tokens that some texts hold, each once: a list of int."""
        return np.unique(self._numbers_of(texts)[0]).tolist()

    def _numbers_of(self, texts):
        total = sum(map(len, texts))
        threads = min(cores(), total // MANY)
        if threads < 2:
            return self._encoded(texts)
        pieces, counts = list(texts), [1] * len(texts)
        size = total // threads + 1
        if self.chunking in scanner.RULES and max(map(len, texts)) > size:
            cut = [scanner.parts(text, self.chunking, size) if len(text) > size else [text] for text in texts]
            pieces, counts = list(chain.from_iterable(cut)), list(map(len, cut))
        with ThreadPoolExecutor(threads) as pool:
            done = list(pool.map(self._encoded, shares(pieces, threads), range(threads)))
        offsets = np.cumsum([0, *(len(numbers) for numbers, _ in done)])
        bounds = np.concatenate([bounds + offset for (_, bounds), offset in zip(done, offsets, strict=False)])
        return np.concatenate([numbers for numbers, _ in done]), bounds[np.cumsum(counts) - 1]

    def _encoded(self, texts, share=0):
        """`_numbers_of` in one thread; share: the number of its memory."""
        if (
            isinstance(self.chunking, str)
            and self.chunking in scanner.RULES
            and sum(map(len, texts)) >= chunking.SCANNED_FROM
        ):
            spelled = [text.encode() for text in texts]
            stops = np.cumsum(list(map(len, spelled)), dtype=np.int64)
            data, words = in_eights(spelled)
            return self._applied(data, words, scanner.cut(data, stops, self.chunking), stops, share)
        split = chunking.splitter(self.chunking)
        cut = [split(text) for text in texts]
        numbers, ends = self._numbers(list(chain.from_iterable(cut)), share)
        return numbers, np.append(0, ends)[np.cumsum(list(map(len, cut)), dtype=np.int64)]

    # --- chunks ---

    def lists(self, chunks):
        """The ids of each chunk, in turn: a list of lists."""
        known = self.remembered
        missing = [chunk for chunk in dict.fromkeys(chunks) if chunk not in known]
        if not missing:
            return [known[chunk] for chunk in chunks]
        if "" in missing:  # no chunker makes one
            return [ids for chunk in chunks for ids in (self.lists([chunk]) if chunk else [self._marker])]
        numbers, ends = self._numbers(missing)
        ids, ends = self._listed(numbers), ends.tolist()
        fresh = {chunk: ids[start:end] for chunk, start, end in zip(missing, [0, *ends], ends, strict=False)}
        kept = {chunk: ids for chunk, ids in fresh.items() if len(chunk) <= LONGEST_REMEMBERED}
        self.remembered = {**known, **kept} if len(known) + len(kept) <= MOST_REMEMBERED else kept
        return [fresh[chunk] if chunk in fresh else known[chunk] for chunk in chunks]

    @property
    def _marker(self):
        """The ids of an empty chunk: its end-of-word marker, if it has one."""
        end = [] if self.alphabet.end_id is None else [self.alphabet.end_id]
        return end if self.ids is None else self.ids[end].tolist()

    def _numbers(self, chunks, share=0):
        """The numbers of all chunks, and where those of each end."""
        spelled = [chunk.encode() for chunk in chunks]
        symbols = spelled if self.alphabet.base == "byte" else chunks
        work = merging.plain_work(map(len, symbols)) + len(self.pairs) * ("_ranks" not in vars(self))
        if merging.encode_chunks.can_wait(work):
            encoded = list(map(self._encode_plainly, chunks))
            return np.array(list(chain.from_iterable(encoded)), np.int32), np.cumsum(
                list(map(len, encoded)), dtype=np.int64
            )
        ends = np.cumsum(list(map(len, spelled)), dtype=np.int64)
        return self._applied(*in_eights(spelled), ends, ends, share)

    def _applied(self, data, words, ends, stops, share):
        memory = self.memories.pop(share, None) or merging.Memory.new()
        numbers, bounds, self.memories[share] = merging.apply(self.merges, memory, data, words, ends, stops)
        return numbers, bounds

    @cached_property
    def _ranks(self):
        return merging.ranks_of(self.pairs)

    def _encode_plainly(self, chunk):
        """A chunk with nothing to compile."""
        ids, end = self.alphabet.encode([chunk])[0].tolist(), self.alphabet.end_id
        ids += [] if end is None else [end]
        return merging.merge_plainly(ids, self._ranks, len(self.alphabet.symbols))

    # --- all sizes at once ---

    def curve(self, texts):
        """The number of tokens of all texts at every number of merges: int64[merges + 1].

        A merge that was applied k times takes k tokens away. How often it was, the ids at the end tell: each
        holds all the merges that made it.
        """
        base = len(self.alphabet.symbols)
        made = np.bincount(self._numbers_of(texts)[0], minlength=base + len(self.pairs))
        if merging.take_apart.can_wait(len(self.pairs)):
            merging.take_apart.py_func(self.pairs, base, made)
        else:
            merging.take_apart(self.pairs, base, made)
        return made[:base].sum() - np.cumsum(np.append(0, made[base:]))


def cores():
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shares(texts, n):
    """The texts in turn as at most n lists of about the same number of characters."""
    ends = np.cumsum([len(text) for text in texts])
    cuts = np.unique(np.searchsorted(ends, ends[-1] * np.arange(1, n) / n) + 1).tolist()
    return [texts[start:stop] for start, stop in pairwise([0, *cuts, len(texts)]) if start < stop]
