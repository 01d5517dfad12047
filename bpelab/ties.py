"""Which pair wins when several occur equally often, and what counts as an occurrence.

Two trainers that differ in these two rules learn different merges from the same text.
"""

from itertools import pairwise

TIES = ("lexicographic", "first", "lowest-id", "largest", "shortest", "youtokentome")
COUNTS = ("overlap", "runs")


def pairs_in(symbols, count="overlap"):
    """The neighbouring pairs of one chunk, left to right, as the counting rule sees them.

    "overlap" takes every neighbourhood; "runs" skips a pair that shares a symbol with the equal
    pair before it, since no merge could use both.

    >>> list(pairs_in("aaa"))
    [('a', 'a'), ('a', 'a')]
    >>> list(pairs_in("aaa", count="runs"))
    [('a', 'a')]
    """
    before = None
    for pair in pairwise(symbols):
        if count == "runs" and pair == before:
            before = None
        else:
            yield pair
            before = pair


def pick(tied, tie="lexicographic", ids=None):
    """The pair that `tie` prefers among `tied`, which stand in the order a scan first saw them.

    `ids` maps each symbol to its id; "lowest-id" and "youtokentome" need it. "shortest" compares
    the merged text, first by its `width`.

    >>> pick([("o", "w"), ("l", "o")])
    ('l', 'o')
    >>> pick([("o", "w"), ("l", "o")], "first")
    ('o', 'w')
    """
    if tie == "first":
        return tied[0]
    if tie == "lexicographic":
        return min(tied)
    if tie == "largest":
        return max(tied)
    if tie == "lowest-id":
        return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
    if tie == "shortest":
        return min(tied, key=lambda pair: (width(pair[0] + pair[1]), pair[0] + pair[1]))
    if tie == "youtokentome":
        return min(tied, key=lambda pair: _newest_last(ids[pair[0]], ids[pair[1]]))
    raise ValueError(f"tie must be one of {', '.join(map(repr, TIES))}; got {tie!r}")


def width(token):
    """The length of a token in characters; in bytes, a character counts where its first byte stands.

    >>> width("猫"), width("猫".encode()), width(b"\\xe7\\x8c"), width(b"\\x8c")
    (1, 1, 1, 0)
    """
    if isinstance(token, str):
        return len(token)
    return sum(byte & 0xC0 != 0x80 for byte in token)


def _newest_last(left, right):
    return max(left, right), min(left, right), -left
