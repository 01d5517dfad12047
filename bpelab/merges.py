"""Merge lists: what one merge is, and the checks that make a list of them usable."""

from collections.abc import Iterable
from typing import NamedTuple

from bpelab import checks
from bpelab.spelling import readable

#: Tokens together are not longer than this (bytes); some hundred bytes of merges could ask for gigabytes.
MOST_TOKEN_BYTES = 1 << 26


class Merge(NamedTuple):
    """One learned rule: join `left` and `right` (bytes); `count` is how often they stood together."""

    left: bytes
    right: bytes
    count: int = 0


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
