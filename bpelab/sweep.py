"""Vocabulary size against sequence length, at every size, from one training and one pass.

A smaller vocabulary is a prefix of a larger one, and a merge that is applied k times shortens the
text by k tokens. So one replay of all merges over a text gives its length at every size.
"""

import numpy as np

from bpelab import checks


def sweep(tok, text, *, layers=12, width=768, bytes_per_parameter=2):
    """The length of `text` with the first 0, 1, 2, ... merges of `tok`, and what it costs a model.

    tok: a `Tokenizer`. text: a str, or an iterable of documents, each a sequence of its own.
    layers, width, bytes_per_parameter: the shape of a decoder-only transformer (the defaults are
    GPT-2 small's, with 16-bit parameters).

    A DataFrame with one row for each number of merges, 0 to len(tok.merges):

    - merges, vocab_size (tokens; special tokens included)
    - tokens: of the whole text, exactly what the truncated tokenizer gives
    - chars_per_token, bytes_per_token
    - attention_cost: 2 * layers * width * n**2, summed over documents of n tokens (multiply-adds)
    - body_cost: 12 * layers * width**2 * tokens, the weight matrices of all layers (multiply-adds)
    - output_cost: width * vocab_size * tokens, the scores of every possible next token (multiply-adds)
    - total_cost: the sum of these three, for reading the text once
    - embedding_parameters: vocab_size * width; embedding_bytes: times bytes_per_parameter

    Formulas: Kaplan et al. 2020, arXiv:2001.08361, table 1, in multiply-adds and with the output layer.

    >>> from bpelab import train
    >>> sweep(train("low low low lower lower newest"), "low lower")["tokens"].tolist()
    [9, 7, 5, 4, 3, 2, 2, 2, 2, 2, 2, 2]
    """
    import pandas as pd

    layers, width = checks.whole("layers", layers, 1), checks.whole("width", width, 1)
    bytes_per_parameter = checks.whole("bytes_per_parameter", bytes_per_parameter, 1)
    steps = len(tok.merges) + 1
    tokens, squares = np.zeros(steps, np.int64), np.zeros(steps, np.float64)
    characters = size = 0
    for document in checks.documents("text", text):
        lengths = tok.curve(document)
        tokens += lengths
        squares += lengths.astype(np.float64) ** 2
        characters += len(document)
        size += len(document.encode())
    merges = np.arange(steps)
    vocab_size = len(tok.alphabet.symbols) + len(tok.special_tokens) + merges
    per_token = np.maximum(tokens, 1)
    attention = 2.0 * layers * width * squares
    body = 12.0 * layers * width**2 * tokens
    output = float(width) * vocab_size * tokens
    return pd.DataFrame(
        {
            "merges": merges,
            "vocab_size": vocab_size,
            "tokens": tokens,
            "chars_per_token": characters / per_token,
            "bytes_per_token": size / per_token,
            "attention_cost": attention,
            "body_cost": body,
            "output_cost": output,
            "total_cost": attention + body + output,
            "embedding_parameters": vocab_size * width,
            "embedding_bytes": vocab_size * width * bytes_per_parameter,
        }
    )


def overlap(train_documents, test_documents):
    """The share (0 to 1) of the test documents that stand in the training set, word for word.

    A curve measured on text that was trained on shows memory, not compression.

    >>> overlap(["a cat", "a dog"], ["a cat", "a cow"])
    0.5
    """
    for name, value in (("train_documents", train_documents), ("test_documents", test_documents)):
        if isinstance(value, str):
            raise TypeError(f"{name} must be an iterable of str, got one str; put it in a list")
    seen = set(checks.documents("train_documents", train_documents))
    test = list(checks.documents("test_documents", test_documents))
    if not test:
        raise ValueError("test_documents must not be empty")
    return sum(document in seen for document in test) / len(test)
