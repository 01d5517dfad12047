"""Vocabulary size against sequence length, at every size, from one training and one pass.

A smaller vocabulary is a prefix of a larger one, and a merge that is applied k times shortens the
text by k tokens. So one replay of all merges over a text gives its length at every size.
"""

from typing import NamedTuple

import numpy as np

from bpelab import checks
from bpelab.counting import curve_of, sizes_of

ATTENTION = ("causal", "full")
#: A curve whose end is less than this share above its least point has not turned.
RISE = 0.001
#: The largest shape that is taken for meant.
LARGEST = 1 << 24


def sweep(tok, text, *, layers=12, width=768, bytes_per_parameter=2, attention="causal"):
    """The length of `text` with the first 0, 1, 2, ... merges of `tok`, and what it costs a model.

    tok: a `Tokenizer`, or anything else with a `.curve`. text: a str, or an iterable of documents, each
    a sequence of its own.
    layers, width, bytes_per_parameter: the shape of a decoder-only transformer (the defaults are
    GPT-2 small's, with 16-bit parameters).
    attention: "causal", each token looks at itself and those before it, n(n+1)/2 scores a layer for a
    document of n tokens; or "full", at all of them, n**2 scores.

    A DataFrame with one row for each number of merges, 0 to len(tok.merges):

    - merges, vocab_size (tokens; special tokens included)
    - tokens: of the whole text, exactly what the truncated tokenizer gives
    - chars_per_token, bytes_per_token

    Reading the text once, in multiply-adds (one is two floating-point operations):

    - attention_cost: 2 * layers * width * scores, summed over documents
    - body_cost: 12 * layers * width**2 * tokens, the weight matrices of all layers
    - output_cost: width * vocab_size * tokens, the scores of every possible next token
    - total_cost: the sum of these three

    Memory, in bytes; writing one token after the other is bound by how much of it is read:

    - embedding_parameters: vocab_size * width (a number); embedding_bytes: times bytes_per_parameter
    - output_bytes_per_token: the weights of the output layer, read for each token written
    - cache_bytes_per_token: 2 * layers * width * bytes_per_parameter, a key and a value in each layer
    - cache_bytes_per_document: that times the tokens of the longest document
    - writing_bytes: all weights and the cache up to there, read for each token of the text

    Kaplan et al. 2020 (arXiv:2001.08361, section 2.1) count 2N + 2 * layers * n * width floating-point
    operations a token, N = 12 * layers * width**2, without the output layer: twice body_cost plus
    causal attention_cost, per token, but for n + 1 in place of n. Sharing of keys and values among
    heads, which shortens the cache, is left out.

    TypeError or ValueError for a shape that is none; ValueError for a `tok` without a curve.

    >>> from bpelab import train
    >>> sweep(train("low low low lower lower newest"), "low lower")["tokens"].tolist()
    [9, 7, 5, 4, 3, 2, 2, 2, 2, 2, 2, 2]
    """
    import pandas as pd

    layers, width, size = (
        _shape(name, value)
        for name, value in (("layers", layers), ("width", width), ("bytes_per_parameter", bytes_per_parameter))
    )
    checks.choice("attention", attention, ATTENTION)
    measured = _measure(tok, text)
    tokens, causal = measured.tokens, (measured.squares + measured.tokens) / 2
    merges = np.arange(len(tokens))
    vocab_size = np.array(sizes_of(tok, len(tokens)))
    per_token = np.maximum(tokens, 1)
    attention_cost = 2.0 * layers * width * (causal if attention == "causal" else measured.squares)
    body_cost = 12.0 * layers * width**2 * tokens
    output_cost = float(width) * vocab_size * tokens
    cache = 2 * layers * width * size
    return pd.DataFrame(
        {
            "merges": merges,
            "vocab_size": vocab_size,
            "tokens": tokens,
            "chars_per_token": measured.chars / per_token,
            "bytes_per_token": measured.bytes / per_token,
            "attention_cost": attention_cost,
            "body_cost": body_cost,
            "output_cost": output_cost,
            "total_cost": attention_cost + body_cost + output_cost,
            "embedding_parameters": vocab_size * width,
            "embedding_bytes": vocab_size * width * size,
            "output_bytes_per_token": vocab_size * width * size,
            "cache_bytes_per_token": cache,
            "cache_bytes_per_document": cache * measured.longest,
            "writing_bytes": size * (body_cost + output_cost) + cache * causal,
        }
    )


class Measured(NamedTuple):
    """A text at every number of merges (arrays), and its size."""

    tokens: np.ndarray
    squares: np.ndarray
    longest: np.ndarray
    chars: int
    bytes: int


def _measure(tok, text):
    """The tokens of all documents, the sum of their squares, and the tokens of the longest one."""
    tokens = curve_of(tok, "")
    squares, longest, chars, size = tokens.astype(np.float64), tokens.copy(), 0, 0
    for document in checks.documents("text", text):
        lengths = curve_of(tok, document)
        tokens = tokens + lengths
        squares += lengths.astype(np.float64) ** 2
        np.maximum(longest, lengths, out=longest)
        chars += len(document)
        size += len(document.encode())
    return Measured(tokens, squares, longest, chars, size)


def _shape(name, value):
    return checks.whole(name, value, 1, most=LARGEST)


class Least(NamedTuple):
    """Where a cost is least, and the range of sizes that cost hardly more; all in tokens of vocabulary."""

    vocab_size: int
    low: int
    high: int | None
    reached: bool

    def __str__(self):
        end = "the end" if self.high is None else f"{self.high:,}"
        place = f"{self.vocab_size:,}" if self.reached else f"not reached at {self.vocab_size:,}"
        return f"{place} (nearly as low: {self.low:,} to {end})"


def least(frame, column="total_cost", within=0.02):
    """The vocabulary size at which a column of a `sweep` is least, and the sizes that cost hardly more.

    frame: of `sweep`, or some of its rows. A `Least`: vocab_size; low and high, the first and the last
    size within that share (0.02 is 2%) of the least, high None where the last row is within it; reached,
    False where the column does not rise again (the last row is less than 0.1% above the least): training
    ended first, and the least size may be larger than all of these.

    >>> from bpelab import train
    >>> tok = train("low low low lower lower newest")
    >>> print(least(sweep(tok, "low lower", layers=1, width=1)))
    15 (nearly as low: 15 to 15)
    >>> print(least(sweep(tok, " newest")))
    not reached at 21 (nearly as low: 21 to the end)
    """
    if not {"vocab_size", column} <= set(getattr(frame, "columns", ())) or not len(frame):
        raise ValueError(f"frame must be rows of a sweep, with the columns 'vocab_size' and {column!r}")
    costs, sizes = frame[column].to_numpy(float), frame["vocab_size"].to_numpy()
    lowest = costs.min()
    near = np.flatnonzero(costs <= lowest * (1 + _share(within)))
    high = None if near[-1] == len(costs) - 1 else int(sizes[near[-1]])
    return Least(int(sizes[costs.argmin()]), int(sizes[near[0]]), high, bool(costs[-1] > lowest * (1 + RISE)))


def _share(within):
    """`within`, if it is a share of 0 or more."""
    checks.number("within", within)
    if not 0 <= within < float("inf"):
        raise ValueError(f"within must be a share of 0 or more, such as 0.02; got {within}")
    return within


def overlap(train_documents, test_documents):
    """The share (0 to 1) of the test documents that stand in the training set, word for word.

    Documents: a list of str, or a column of a table. A curve measured on text that was trained on shows
    memory, not compression.

    >>> overlap(["a cat", "a dog"], ["a cat", "a cow"])
    0.5
    """
    seen = set(checks.batch("train_documents", train_documents))
    test = checks.batch("test_documents", test_documents)
    if not test:
        raise ValueError("test_documents must not be empty")
    return sum(document in seen for document in test) / len(test)
