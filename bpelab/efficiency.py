"""What text costs in tokens: by tokenizer, by language, and where a vocabulary's slots go.

An encoder is anything with `.encode(str)` that returns ids: ours, tiktoken's, Hugging Face's,
SentencePiece's, or your own; or the name of a production vocabulary. It is counted without control
tokens, cuts and fillings, however it is set (see `bpelab.counting`).
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
import regex

from bpelab import checks, counting
from bpelab.counting import size_of

#: More draws than this say nothing more, and take the memory.
MOST_DRAWS = 1 << 24
KINDS = ("piece of a character", "one character", "longer")
#: A run of letters, digits and marks, an apostrophe between two of them, and the blank before it.
WORDS = r" ?[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}\p{N}_]+)*"


def count_tokens(encoder, text):
    """The number of tokens of `text`: control tokens neither added nor recognised.

    >>> from bpelab import train
    >>> count_tokens(train("low low", 2), "low low")
    3
    """
    return counting.counts(counting.encoder(encoder), [checks.text("text", text)])[0]


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

    rows, labels = [], _named("texts", texts)
    listed = [checks.text(f"texts[{label!r}]", text) for label, text in labels.items()]
    for name, encoder in _encoders(encoders).items():
        for label, text, tokens in zip(labels, listed, counting.counts(encoder, listed), strict=True):
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


# --- the premium: two languages, the same content ---


def premium(encoders, pairs, *, resamples=1000, seed=0):
    """How many tokens the Japanese takes for each of the English, over aligned pairs.

    The word is that of Petrov et al. 2023, arXiv:2305.15425.

    encoders: {name: encoder}; pairs: (English, Japanese) of the same content (any two languages will
    do). Columns: encoder, vocab_size, en_tokens, ja_tokens, premium (the ratio of the two sums, not a
    mean of ratios), low and high (95% bootstrap interval over pairs, the same draws for all encoders),
    byte_ratio (Japanese to English UTF-8 bytes), compression_gap (English to Japanese bytes per token),
    en_chars_per_token, ja_chars_per_token.
    premium = byte_ratio * compression_gap: what the text brings, and what the vocabulary adds.

    ValueError where a side has no text, or no token under an encoder.

    >>> from bpelab import train
    >>> tok = train("", base="byte")
    >>> premium({"bytes": tok}, [("cat", "猫"), ("a dog", "犬")])["premium"].tolist()
    [0.75]
    """
    import pandas as pd

    sides = _sides(pairs)
    resamples = checks.whole("resamples", resamples, 1, most=MOST_DRAWS)
    chars, sizes = _sizes(sides)
    byte_ratio = sizes[1] / sizes[0]
    rows = []
    for name, encoder in _encoders(encoders).items():
        counts = _counts(name, encoder, sides)
        en_tokens, ja_tokens = counts.sum(axis=1).tolist()
        ratio = ja_tokens / en_tokens
        low, high = _interval(_ratios(counts, resamples, seed))
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


def premium_curve(tok, pairs):
    """The premium at every vocabulary size, exactly, from one pass over each side.

    tok: a `Tokenizer`, or anything else with a `.curve`; pairs: as for `premium`. A DataFrame whose row
    k stands for k merges: vocab_size, en_tokens, ja_tokens, premium, byte_ratio, compression_gap. Each row is
    what `premium` says of the truncated tokenizer.

    >>> from bpelab import train
    >>> tok = train("猫 cat 猫 cat", base="byte")
    >>> premium_curve(tok, [("cat", "猫")])["premium"].round(2).tolist()
    [1.0, 1.0, 1.0, 1.0, 0.67, 0.33, 0.33]
    """
    import pandas as pd

    sides = _sides(pairs)
    _, sizes = _sizes(sides)
    en_tokens, ja_tokens = (counting.curve_of(tok, side) for side in sides)
    if not (en_tokens[-1] and ja_tokens[-1]):
        raise _no_token("tok", en_tokens[-1])
    ratio, byte_ratio = ja_tokens / en_tokens, sizes[1] / sizes[0]
    return pd.DataFrame(
        {
            "vocab_size": np.array(counting.sizes_of(tok, len(ratio))),
            "en_tokens": en_tokens,
            "ja_tokens": ja_tokens,
            "premium": ratio,
            "byte_ratio": byte_ratio,
            "compression_gap": ratio / byte_ratio,
        }
    )


def premium_intervals(tok, pairs, sizes, *, resamples=1000, seed=0):
    """The premium of a merge list at some vocabulary sizes, with 95% intervals; pairs are drawn jointly.

    sizes: in tokens, each between the size without merges and that with all. A DataFrame with one row a size:
    vocab_size, premium, low, high.

    >>> from bpelab import train
    >>> tok = train("猫 cat 猫 cat", base="byte")
    >>> premium_intervals(tok, [("cat", "猫"), ("cat cat", "猫 猫")], [256, 257])["vocab_size"].tolist()
    [256, 257]
    """
    every = list(counting.sizes_of(tok, len(counting.curve_of(tok, ""))))
    sizes = [checks.whole("sizes", size, every[0]) for size in sizes]
    for size in sizes:
        if size > every[-1]:
            raise ValueError(f"sizes must be at most {every[-1]:,}, all that tok has; got {size:,}")
    cut = {size: tok.truncate(size - every[0]) for size in sizes}
    frame = premium(cut, pairs, resamples=resamples, seed=seed)
    return frame.assign(vocab_size=sizes)[["vocab_size", "premium", "low", "high"]]


class Difference(NamedTuple):
    """Two premiums, the first less the second, and the 95% interval of that; it is clear where 0 is outside."""

    first: float
    second: float
    difference: float
    low: float
    high: float

    @property
    def clear(self):
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


def premium_difference(a, b, pairs, *, resamples=1000, seed=0):
    """The premium of encoder `a` less that of `b` on the same pairs, with its 95% interval: a `Difference`.

    Pairs are drawn jointly: what makes a sentence dear under both encoders cancels. Two intervals
    that overlap may still differ clearly.

    >>> from bpelab import train
    >>> a, b = train("", base="byte"), train("猫猫", base="byte")
    >>> premium_difference(a, b, [("cat", "猫"), ("a cat", "猫")]).difference
    0.5
    """
    sides = _sides(pairs)
    named = {"a": counting.encoder(a, "a"), "b": counting.encoder(b, "b")}
    resamples = checks.whole("resamples", resamples, 1, most=MOST_DRAWS)
    return _difference(*(_counts(name, encoder, sides) for name, encoder in named.items()), resamples, (seed, seed))


def premium_by(encoder, pairs, groups, *, resamples=1000, seed=0):
    """The premium of one encoder in each group of pairs, such as their registers: a DataFrame.

    groups: the label of each pair, in turn. Columns: group, pairs (their number), en_tokens, ja_tokens,
    premium, low, high (95% interval), least premium first. The intervals don't say which of two groups is
    dearer: `group_differences` does.

    >>> from bpelab import train
    >>> tok = train("", base="byte")
    >>> premium_by(tok, [("cat", "猫"), ("dog", "犬犬")], ["a", "b"])[["group", "premium"]].values.tolist()
    [['a', 1.0], ['b', 2.0]]
    """
    import pandas as pd

    rows = []
    for label, counts in _groups(encoder, pairs, groups).items():
        en_tokens, ja_tokens = counts.sum(axis=1).tolist()
        low, high = _interval(_ratios(counts, checks.whole("resamples", resamples, 1, most=MOST_DRAWS), seed))
        row = {"group": label, "pairs": counts.shape[1], "en_tokens": en_tokens, "ja_tokens": ja_tokens}
        rows.append(row | {"premium": ja_tokens / en_tokens, "low": low, "high": high})
    return pd.DataFrame(sorted(rows, key=lambda row: row["premium"]))


def group_differences(encoder, pairs, groups, *, resamples=1000, seed=0):
    """The difference of the premiums of every two groups, with its 95% interval: a DataFrame.

    Columns: first, second, difference (first less second, at least 0), low, high, clear (whether the interval
    leaves out 0); the greatest difference first. Each group's pairs are drawn by themselves. Of many
    intervals at 95%, one in twenty misses its value.

    >>> from bpelab import train
    >>> tok = train("", base="byte")
    >>> frame = group_differences(tok, [("cat", "猫"), ("dog", "犬犬")], ["a", "b"])
    >>> frame[["first", "second", "difference"]].values.tolist()
    [['b', 'a', 1.0]]
    """
    import pandas as pd

    resamples = checks.whole("resamples", resamples, 1, most=MOST_DRAWS)
    counts = _groups(encoder, pairs, groups)
    ordered = sorted(counts, key=lambda label: -_ratio(counts[label]))
    ratios = {label: _ratios(counts[label], resamples, (seed, at)) for at, label in enumerate(ordered)}
    rows = []
    for first, second in combinations(ordered, 2):
        low, high = _interval(ratios[first] - ratios[second])
        row = {"first": first, "second": second, "difference": _ratio(counts[first]) - _ratio(counts[second])}
        rows.append(row | {"low": low, "high": high, "clear": low > 0 or high < 0})
    columns = ["first", "second", "difference", "low", "high", "clear"]
    return pd.DataFrame(sorted(rows, key=lambda row: -row["difference"]), columns=columns)


def _groups(encoder, pairs, groups):
    """{label: token counts, int64[2, pairs]}, in the order first seen."""
    sides, labels = _sides(pairs), list(groups)
    if len(labels) != len(sides[0]):
        raise ValueError(f"groups must have a label for each of {len(sides[0]):,} pairs, got {len(labels):,}")
    encoder = counting.encoder(encoder)
    counts = np.array([counting.counts(encoder, side) for side in sides])
    places = {label: [at for at, other in enumerate(labels) if other == label] for label in dict.fromkeys(labels)}
    found = {label: counts[:, chosen] for label, chosen in places.items()}
    for label, part in found.items():
        if not part.sum(axis=1).all():
            raise _no_token(f"the group {label!r}", part[0].sum())
    return found


def _counts(name, encoder, sides):
    """The tokens of every text of both sides, int64[2, pairs]; neither side without any."""
    counts = np.array([counting.counts(encoder, side) for side in sides], np.int64)
    if not counts.sum(axis=1).all():
        raise _no_token(f"the encoder {name!r}", counts[0].sum())
    return counts


def _no_token(name, english):
    side = "Japanese (second)" if english else "English (first)"
    return ValueError(f"{name} has no token on the {side} side of pairs, so there is no premium; see what it drops")


def _ratio(counts):
    en_tokens, ja_tokens = counts.sum(axis=1).tolist()
    return ja_tokens / en_tokens


def _ratios(counts, resamples, seed):
    """The ratio of sums (Japanese to English) each time that pairs are drawn anew, with replacement.

    A draw without one English token has none: NaN.
    """
    draw, n = np.random.default_rng(seed), counts.shape[1]
    sums = np.empty((resamples, 2))
    for i in range(resamples):
        sums[i] = counts[:, draw.integers(0, n, n)].sum(axis=1)
    return np.divide(sums[:, 1], sums[:, 0], out=np.full(resamples, np.nan), where=sums[:, 0] > 0)


def _interval(values):
    """The 2.5% and the 97.5% point of those values that are numbers."""
    return np.quantile(values[~np.isnan(values)], [0.025, 0.975]).tolist()


def _difference(first, second, resamples, seeds):
    """The `Difference` of two counts, each drawn by its seed: by the same one, jointly."""
    drawn = [_ratios(counts, resamples, seed) for counts, seed in zip((first, second), seeds, strict=True)]
    ratios = _ratio(first), _ratio(second)
    return Difference(*ratios, ratios[0] - ratios[1], *_interval(drawn[0] - drawn[1]))


# --- words ---


def fertility(encoders, texts, *, words=WORDS):
    """Tokens per word, and the share of words that are split, as a DataFrame.

    A word is a run of letters, digits and marks (an apostrophe may stand between two of them), encoded by
    itself with the blank before it. Scripts without blanks need another definition:

    words: a regular expression (its matches are the words), or a callable str -> list of str, such as a
    morphological analyser for Japanese. Columns: encoder, vocab_size, text, words, tokens, fertility (tokens per
    word; Rust et al. 2021, arXiv:2012.15613), split (the share of words with more than one token).

    >>> from bpelab import train
    >>> tok = train("low low lower", 3)
    >>> fertility({"ours": tok}, {"en": "low lower, low"})[["words", "fertility", "split"]].round(2).values.tolist()
    [[3.0, 1.67, 0.33]]
    """
    import pandas as pd

    rows, counted = [], {label: _words(label, text, words) for label, text in _named("texts", texts).items()}
    for name, encoder in _encoders(encoders).items():
        for label, frequency in counted.items():
            total = sum(frequency.values())
            tokens = dict(zip(frequency, counting.counts(encoder, list(frequency)), strict=True))
            made = sum(tokens[word] * n for word, n in frequency.items())
            split = sum(n for word, n in frequency.items() if tokens[word] > 1)
            row = {"encoder": name, "vocab_size": size_of(encoder), "text": label, "words": total, "tokens": made}
            rows.append(row | {"fertility": made / total, "split": split / total})
    return pd.DataFrame(rows)


def most_split(encoder, text, n=10, *, words=WORDS):
    """The words of a text with the most tokens, as a DataFrame: word, count, tokens; words as in `fertility`.

    >>> from bpelab import train
    >>> most_split(train("low low lower", 3), "low lower", 1).values.tolist()
    [[' lower', 1, 3]]
    """
    import pandas as pd

    frequency = _words("text", text, words)
    tokens = counting.counts(counting.encoder(encoder), list(frequency))
    rows = sorted(zip(frequency, frequency.values(), tokens, strict=True), key=lambda row: (-row[2], -row[1]))
    return pd.DataFrame(rows[: checks.whole("n", n, 0)], columns=["word", "count", "tokens"])


def _words(label, text, words):
    """word -> how often it stands in the text; there must be one."""
    checks.text(f"texts[{label!r}]", text)
    found = words(text) if callable(words) else regex.findall(words, text)
    frequency = Counter(word for word in found if word)
    if not frequency:
        raise ValueError(f"the text {label!r} holds no word as words defines them; a callable may cut it otherwise")
    return frequency


# --- where the slots go ---


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
    character, one character, longer. ValueError for a tok without merges.

    >>> from bpelab import train
    >>> slots(train("猫猫 the the", base="byte"), groups=1).values.tolist()
    [[1, 6, 1, 1, 4]]
    """
    import pandas as pd

    if not hasattr(tok, "merges"):
        shown = repr(tok) if isinstance(tok, str) else type(tok).__name__
        raise ValueError(f"tok must be a merge list, such as bpelab.train makes; got {shown}, which has no merges")
    kinds = [kind(merge.left + merge.right) for merge in tok.merges]
    groups = min(checks.whole("groups", groups, 1), len(kinds))
    edges = np.linspace(0, len(kinds), groups + 1).round().astype(int).tolist()
    rows = []
    for start, stop in pairwise(edges):
        part = kinds[start:stop]
        rows.append({"first": start + 1, "last": stop} | {name: part.count(name) for name in KINDS})
    return pd.DataFrame(rows, columns=["first", "last", *KINDS])


# --- checks ---


def _named(name, value):
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a dict with a name for each, got {type(value).__name__}")
    if not value:
        raise ValueError(f"{name} must not be empty")
    return value


def _encoders(encoders):
    """{name: encoder}, each found by its name where it is one."""
    return {name: counting.encoder(one, f"encoders[{name!r}]") for name, one in _named("encoders", encoders).items()}


def _sides(pairs):
    """The English and the Japanese texts, each checked; neither side empty."""
    if isinstance(pairs, str | Mapping) or hasattr(pairs, "columns") or not hasattr(pairs, "__iter__"):
        raise TypeError(
            f"pairs must be an iterable of (English, Japanese), such as bpelab.corpora.pairs('parallel'), got "
            f"{checks.shown(pairs) if isinstance(pairs, str) else type(pairs).__name__}; two columns of a table are "
            "zip(table['en'], table['ja'])"
        )
    rows = list(pairs)
    for index, row in enumerate(rows):
        if isinstance(row, str | Mapping) or not hasattr(row, "__len__") or len(row) != 2:
            raise ValueError(f"pairs[{index}] must be (English, Japanese), got {checks.shown(row)}")
    sides = [[checks.text(f"pairs[{i}][{at}]", row[at]) for i, row in enumerate(rows)] for at in (0, 1)]
    if not all(map(any, sides)):
        raise ValueError("pairs must hold text on both sides")
    return sides


def _sizes(sides):
    """The characters and the UTF-8 bytes of each side."""
    return [sum(map(len, side)) for side in sides], [sum(len(text.encode()) for text in side) for side in sides]
