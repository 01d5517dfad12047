"""What text costs in tokens: by tokenizer, by language, and where a vocabulary's slots go.

An encoder is anything with `.encode(str)` that returns ids: ours, tiktoken's, Hugging Face's,
SentencePiece's, or your own.
"""

import inspect
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from bpelab import checks

KINDS = ("piece of a character", "one character", "longer")


def count_tokens(encoder, text):
    """The number of tokens of `text`: control tokens neither added nor recognised.

    >>> from bpelab import train
    >>> count_tokens(train("low low", 2), "low low")
    3
    """
    return _counter(encoder)(checks.text("text", text))


def _counter(encoder):
    """The function text -> number of tokens of an encoder."""
    encode = getattr(encoder, "encode_ordinary", None) or getattr(encoder, "encode", None)
    if encode is None:
        raise TypeError(f"an encoder needs a method encode(str), which {type(encoder).__name__} has not")
    options = {"add_special_tokens": False} if _adds_special(encode) else {}

    def count(text):
        ids = encode(text, **options)
        return len(getattr(ids, "ids", ids))

    return count


def _adds_special(encode):
    """Whether the method adds control tokens unless told not to, as Hugging Face's does."""
    try:
        return "add_special_tokens" in inspect.signature(encode).parameters
    except (TypeError, ValueError):
        return False


def size_of(encoder):
    """The vocabulary size of an encoder (tokens), however its library names it; None where it doesn't say."""
    for name in ("vocab_size", "n_vocab", "get_vocab_size", "get_piece_size"):
        value = getattr(encoder, name, None)
        value = value() if callable(value) else value
        if value is not None:
            return int(value)
    return None


def compare(encoders, texts):
    """Tokens, characters and bytes of each text under each encoder, as a DataFrame.

    encoders: {name: encoder}; texts: {label: str}. Columns: encoder, vocab_size, text, chars,
    bytes, tokens, chars_per_token, bytes_per_token, tokens_per_char. Encoders of unequal vocabulary
    size are not equals: the larger one has an advantage, which vocab_size shows.

    >>> from bpelab import train
    >>> tok = train("", base="byte")
    >>> compare({"bytes": tok}, {"en": "cat", "ja": "猫"})["tokens_per_char"].tolist()
    [1.0, 3.0]
    """
    import pandas as pd

    rows = []
    for name, encoder in _named("encoders", encoders).items():
        for label, text in _named("texts", texts).items():
            tokens = count_tokens(encoder, text)
            chars, size = len(text), len(text.encode())
            rows.append(
                {
                    "encoder": name,
                    "vocab_size": size_of(encoder),
                    "text": label,
                    "chars": chars,
                    "bytes": size,
                    "tokens": tokens,
                    "chars_per_token": chars / tokens if tokens else float("nan"),
                    "bytes_per_token": size / tokens if tokens else float("nan"),
                    "tokens_per_char": tokens / chars if chars else float("nan"),
                }
            )
    return pd.DataFrame(rows)


def premium(encoders, pairs, *, resamples=1000, seed=0):
    """How many tokens the Japanese takes for each of the English, over aligned pairs.

    encoders: {name: encoder}; pairs: (English, Japanese) of the same content. Columns: encoder,
    vocab_size, en_tokens, ja_tokens, premium (the ratio of the two sums, not a mean of ratios), low
    and high (95% bootstrap interval over pairs), byte_ratio (Japanese to English UTF-8 bytes),
    compression_gap (English to Japanese bytes per token), en_chars_per_token, ja_chars_per_token.
    premium = byte_ratio * compression_gap: what the text brings, and what the vocabulary adds.

    >>> from bpelab import train
    >>> tok = train("", base="byte")
    >>> premium({"bytes": tok}, [("cat", "猫"), ("a dog", "犬")])["premium"].tolist()
    [0.75]
    """
    import pandas as pd

    english, japanese = _sides(pairs)
    resamples = checks.whole("resamples", resamples, 1)
    chars = [sum(map(len, side)) for side in (english, japanese)]
    sizes = [sum(len(text.encode()) for text in side) for side in (english, japanese)]
    byte_ratio = sizes[1] / sizes[0]
    rows = []
    for name, encoder in _named("encoders", encoders).items():
        counts = np.array([list(map(_counter(encoder), side)) for side in (english, japanese)])
        en_tokens, ja_tokens = counts.sum(axis=1).tolist()
        ratio = ja_tokens / en_tokens
        low, high = _interval(counts, resamples, seed)
        rows.append(
            {
                "encoder": name,
                "vocab_size": size_of(encoder),
                "en_tokens": en_tokens,
                "ja_tokens": ja_tokens,
                "premium": ratio,
                "low": low,
                "high": high,
                "byte_ratio": byte_ratio,
                "compression_gap": ratio / byte_ratio,
                "en_chars_per_token": chars[0] / en_tokens,
                "ja_chars_per_token": chars[1] / ja_tokens,
            }
        )
    return pd.DataFrame(rows)


def _interval(counts, resamples, seed):
    """The 2.5% and 97.5% points of the ratio of sums when pairs are drawn anew, with replacement."""
    draw, n = np.random.default_rng(seed), counts.shape[1]
    ratios = np.empty(resamples)
    for i in range(resamples):
        en, ja = counts[:, draw.integers(0, n, n)].sum(axis=1)
        ratios[i] = ja / en
    return np.quantile(ratios, [0.025, 0.975]).tolist()


def kind(token):
    """What a token (bytes) is: "piece of a character", "one character" or "longer".

    A token that holds a whole character and a piece of another is "longer" only if all its bytes
    are whole characters; else it is a piece.

    >>> kind("猫".encode()), kind("猫".encode()[:2]), kind(b"the")
    ('one character', 'piece of a character', 'longer')
    """
    try:
        return KINDS[1] if len(token.decode()) == 1 else KINDS[2]
    except UnicodeDecodeError:
        return KINDS[0]


def slots(tok, groups=20):
    """Where a vocabulary's merges go, in learned order: a DataFrame with one row a group of ranks.

    Columns: first, last (ranks, from 1), and the number of tokens of each kind: piece of a
    character, one character, longer.

    >>> from bpelab import train
    >>> slots(train("猫猫 the the", base="byte"), groups=1).values.tolist()
    [[1, 6, 1, 1, 4]]
    """
    import pandas as pd

    kinds = [kind(merge.left + merge.right) for merge in tok.merges]
    groups = min(checks.whole("groups", groups, 1), len(kinds))
    edges = np.linspace(0, len(kinds), groups + 1).round().astype(int).tolist()
    rows = []
    for start, stop in pairwise(edges):
        part = kinds[start:stop]
        rows.append({"first": start + 1, "last": stop} | {name: part.count(name) for name in KINDS})
    return pd.DataFrame(rows, columns=["first", "last", *KINDS])


def _named(name, value):
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a dict with a name for each, got {type(value).__name__}")
    if not value:
        raise ValueError(f"{name} must not be empty")
    return value


def _sides(pairs):
    """The English and the Japanese texts, each checked; neither side empty."""
    rows = list(pairs)
    for index, row in enumerate(rows):
        if isinstance(row, str) or len(row) != 2:
            raise ValueError(f"pairs[{index}] must be (English, Japanese), got {checks.shown(row)}")
    sides = [[checks.text(f"pairs[{i}][{at}]", row[at]) for i, row in enumerate(rows)] for at in (0, 1)]
    if not all(map(any, sides)):
        raise ValueError("pairs must hold text on both sides")
    return sides
