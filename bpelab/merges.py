"""Merge lists: what one merge is, and the checks that make a list of them usable."""

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from bpelab import checks
from bpelab.spelling import label, readable

#: Tokens together are not longer than this (bytes); some hundred bytes of merges could ask for gigabytes.
MOST_TOKEN_BYTES = 1 << 26


class Merge(NamedTuple):
    """One learned rule: join `left` and `right` (bytes); `count` is how often they stood together."""

    left: bytes
    right: bytes
    count: int = 0


class Learned:
    """Merges that were learned here, as arrays: they need no check, and are spelled out when someone looks.

    symbols: the base symbols, list of bytes; pairs: (left id, right id) of each merge, int32[merges, 2];
    counts: of each pair, int64.
    """

    def __init__(self, symbols, pairs, counts):
        self.symbols, self.pairs, self.counts = symbols, pairs, counts

    def __len__(self):
        return len(self.pairs)

    def __iter__(self):
        spelled = list(self.symbols)
        for (left, right), count in zip(self.pairs.tolist(), self.counts.tolist(), strict=True):
            yield Merge(spelled[left], spelled[right], count)
            spelled.append(spelled[left] + spelled[right])


def checked(merges):
    """Merges as a list of `Merge`: each given as (left, right) or (left, right, count), parts str or bytes."""
    if isinstance(merges, str | bytes) or not isinstance(merges, Iterable):
        raise TypeError(f"merges must be a list of (left, right), got {checks.shown(merges)}")
    return [_merge(index, merge) for index, merge in enumerate(merges)]


def _merge(index, merge):
    parts = tuple(merge) if isinstance(merge, Iterable) and not isinstance(merge, str | bytes) else ()
    if len(parts) not in (2, 3):
        raise ValueError(f"merges[{index}] must be (left, right) or (left, right, count), got {checks.shown(merge)}")
    left, right = (checks.text(f"merges[{index}]", p).encode() if isinstance(p, str) else p for p in parts[:2])
    if not (isinstance(left, bytes) and isinstance(right, bytes)):
        raise TypeError(f"merges[{index}] must join two str or bytes, got {checks.shown(merge)}")
    return Merge(left, right, checks.whole(f"merges[{index}] count", parts[2], 0) if len(parts) == 3 else 0)


def in_ids(merges, alphabet):
    """Each merge as (left id, right id), all checked: parts that exist, no token made twice, none too long."""
    ids, pairs, size = dict(alphabet.ids), [], 0
    endings = {i for symbol, i in ids.items() if alphabet.is_end(symbol)}
    for index, (left, right, _) in enumerate(merges):
        for part in (left, right):
            if part not in ids:
                raise ValueError(
                    f"merges[{index}] uses {checks.shown(readable(part))}, which is neither a base symbol "
                    "nor made by an earlier merge"
                )
        size += len(left) + len(right)
        check_size(index, size)
        token, new = left + right, len(alphabet.symbols) + index
        if token in ids:
            raise ValueError(
                f"merges[{index}] makes {checks.shown(readable(token))} again, which already has id "
                f"{ids[token]}; each token needs one id"
            )
        if alphabet.marker and ids[right] in endings:
            endings.add(new)
        elif alphabet.marker and token.endswith(alphabet.marker):
            raise ValueError(
                f"merges[{index}] spells the end-of-word marker {readable(alphabet.marker)!r} with characters, so "
                "decoding would drop it; choose another end_of_word"
            )
        pairs.append((ids[left], ids[right]))
        ids[token] = new
    return pairs


def check_size(index, size):
    """Refuse merges whose tokens together take `size` bytes, if that is too much to hold."""
    if size > MOST_TOKEN_BYTES:
        raise ValueError(
            f"merges[{index}]: the tokens so far have more than {MOST_TOKEN_BYTES >> 20} MiB; use fewer merges"
        )


def table(merges, lengths=None):
    """Merges as a pandas DataFrame for people; lengths: the corpus in tokens before and after each, where known."""
    import pandas as pd

    columns = {
        "step": range(1, len(merges) + 1),
        "left": [label(merge.left) for merge in merges],
        "right": [label(merge.right) for merge in merges],
        "token": [label(merge.left + merge.right) for merge in merges],
        "count": [merge.count for merge in merges],
    }
    if lengths is not None:
        columns["length"] = lengths[1 : len(merges) + 1]
    return pd.DataFrame(columns)


def spans(tokens, chunks):
    """Yield (start, end) in characters for each token; tokens: for each chunk (str) its tokens (bytes).

    >>> list(spans([["猫".encode()[:2], "猫".encode()[2:]], [b"a"]], ["猫", "a"]))
    [(0, 1), (0, 1), (1, 2)]
    """
    done = 0
    for spelled, chunk in zip(tokens, chunks, strict=True):
        starts = list(accumulate((byte & 0xC0 != 0x80 for byte in chunk.encode()), initial=0))
        at = 0
        for token in spelled:
            end = min(at + len(token), len(starts) - 1)
            first = starts[at + 1] - 1 if at + 1 < len(starts) else len(chunk)
            yield done + first, done + starts[end]
            at = end
        done += len(chunk)
