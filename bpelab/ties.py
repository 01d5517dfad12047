"""Which pair wins when several occur equally often, and what counts as an occurrence.

Two trainers that differ in these two rules learn different merges from the same text.
"""

from itertools import pairwise

TIES = ("lexicographic", "first", "lowest-id", "largest", "shortest", "youtokentome")
COUNTS = ("overlap", "runs")

GPT4 = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)
#: Keyword arguments of `bpelab.train` that learn what another implementation learns, as it is usually
#: called. The split pattern is the library's default where it has one; put your own in its place.
#: Exceptions. "sentencepiece": its nmt_nfkc differs from NFKC in 158 characters below U+30000, among them ～ (U+FF5E);
#: both of SentencePiece: white space other than blanks and line ends, and a ▁ in the text. "gigabpe": lines that
#: lost their line end, or have \r\n. `max_token_length` counts characters, Hugging Face's byte characters.
RECIPES = {
    "article-characters": {"base": "char", "chunking": "space", "tie": "lexicographic"},
    "article-first-seen": {"base": "char", "chunking": "words", "end_of_word": "</w>", "tie": "first"},
    "minbpe": {"base": "byte", "chunking": GPT4, "tie": "first"},
    "minbpe-basic": {"base": "byte", "chunking": "whole", "tie": "first"},
    "tiktoken-educational": {"base": "byte", "chunking": "gpt2", "tie": "first"},
    "subword-nmt": {
        "base": "char",
        "chunking": "subword-nmt",
        "end_of_word": "</w>",
        "fuse_end_of_word": True,
        "tie": "largest",
        "min_frequency": 2,
    },
    "huggingface": {"base": "byte", "chunking": "gpt2", "tie": "lowest-id", "base_order": "byte-level"},
    "huggingface-characters": {"base": "char", "chunking": "space", "tie": "lowest-id"},
    "rustbpe": {"base": "byte", "chunking": GPT4, "tie": "lowest-id"},
    "bpeasy": {"base": "byte", "chunking": "gpt2", "tie": "lowest-id"},
    "gigabpe": {"base": "byte", "chunking": "gpt2", "tie": "lowest-id", "base_order": "byte-level"},
    "sentencepiece": {
        "base": "char",
        "chunking": "sentencepiece-scripts",
        "tie": "shortest",
        "max_token_length": 16,
        "normalization": "NFKC",
    },
    "sentencepiece-unconstrained": {"base": "char", "chunking": "sentencepiece", "tie": "shortest"},
    "youtokentome": {
        "base": "char",
        "chunking": "sentencepiece",
        "tie": "youtokentome",
        "count": "runs",
        "base_order": "frequency",
    },
}


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
