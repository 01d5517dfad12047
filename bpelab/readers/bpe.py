"""BPE as Hugging Face's model does it, with all its options: one piece of text to ids."""

from heapq import heapify, heappop, heappush

from bpelab.readers.models import Model, fallback_ids


class BPE(Model):
    """Symbols of a piece, then merges of two neighbours (ids), the lowest rank first, the leftmost of equals.

    vocab: token (str) -> id. merges: (left, right) texts in order.
    prefix: put before each character but the first (continuing_subword_prefix); suffix: after the last
        (end_of_word_suffix). unknown: the token for a character that is none, or None: such a one is dropped.
    fuse: whether neighbouring unknown characters are one. fallback: whether they are written as bytes.
    whole: whether a piece that is a token is taken whole (ignore_merges).
    """

    def __init__(self, vocab, merges, *, prefix="", suffix="", unknown=None, fuse=False, fallback=False, whole=False):
        self.vocab, self.prefix, self.suffix = vocab, prefix, suffix
        self.unknown, self.fuse, self.whole = unknown, fuse, whole
        self.bytes = fallback_ids(vocab) if fallback else None
        self.merges = merges
        # A pair given twice has its last rank.
        self.rules = {
            (vocab[left], vocab[right]): (rank, vocab[left + right[len(prefix) :]])
            for rank, (left, right) in enumerate(merges)
        }
        self.cache = {}

    def symbols(self, piece):
        """The ids before any merge."""
        ids, pending, last = [], 0, len(piece) - 1
        for at, character in enumerate(piece):
            symbol = (self.prefix if at else "") + character + (self.suffix if at == last else "")
            known = self.vocab.get(symbol)
            if known is not None:
                ids += [self.unknown] * pending + [known]
                pending = 0
                continue
            # Bytes go before an unknown character that waits, as in the library.
            written = None if self.bytes is None else [self.bytes.get(byte) for byte in symbol.encode()]
            if written is not None and None not in written:
                ids += written
            elif self.unknown is not None:
                ids += [] if self.fuse else [self.unknown] * pending
                pending = 1
        return ids + [self.unknown] * pending

    def encode(self, piece):
        if self.whole and piece in self.vocab:
            return [self.vocab[piece]]
        return merged(self.symbols(piece), self.rules)


def merged(ids, rules, ranks=None):
    """The ids after all merges. rules: (left id, right id) -> (rank, new id); ranks: a list, notes those applied."""
    heap = []
    for at in range(len(ids) - 1):
        if (rule := rules.get((ids[at], ids[at + 1]))) is not None:
            heap.append((rule[0], at, rule[1]))
    if not heap:
        return ids
    heapify(heap)
    ids, size = list(ids), len(ids)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    while heap:
        rank, at, new = heappop(heap)
        right = after[at]
        if ids[at] is None or right >= size:
            continue
        rule = rules.get((ids[at], ids[right]))
        if rule is None or rule[1] != new:  # stale; another pair that makes the same token is not
            continue
        if ranks is not None:
            ranks.append(rank)
        ids[at], ids[right] = new, None
        after[at] = after[right]
        if after[at] < size:
            before[after[at]] = at
            if (rule := rules.get((new, ids[after[at]]))) is not None:
                heappush(heap, (rule[0], at, rule[1]))
        if before[at] >= 0 and (rule := rules.get((ids[before[at]], new))) is not None:
            heappush(heap, (rule[0], before[at], rule[1]))
    return [i for i in ids if i is not None]
