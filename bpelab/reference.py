"""Byte-pair encoding as the book prints it: plain lists and dicts, every pair recounted every time.

Slow, and the oracle for everything fast. A *word* here is a chunk with its frequency:
(list of symbols, frequency). Symbols may be str or bytes; training uses bytes.
Source: Sennrich, Haddow & Birch 2016, arXiv:1508.07909; Gage 1994.
"""

from bpelab import ties


def count_pairs(words, count="overlap"):
    """How often each pair of neighbours occurs, each word weighted by its frequency.

    >>> count_pairs([(list("low"), 3), (list("lower"), 2)])
    {('l', 'o'): 5, ('o', 'w'): 5, ('w', 'e'): 2, ('e', 'r'): 2}
    """
    counts = {}
    for symbols, frequency in words:
        for pair in ties.pairs_in(symbols, count):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def best_pair(counts, tie="lexicographic", ids=None):
    """The most frequent pair; `ties.pick` decides among equals.

    >>> best_pair({("l", "o"): 5, ("e", "r"): 2, ("o", "w"): 5})
    ('l', 'o')
    """
    top = max(counts.values())
    return ties.pick([pair for pair, n in counts.items() if n == top], tie, ids)


def apply_merge(symbols, pair):
    """Replace each occurrence of `pair` by one symbol, left to right, without overlap.

    >>> apply_merge(["l", "o", "l", "o", "l"], ("l", "o"))
    ['lo', 'lo', 'l']
    >>> apply_merge(["a", "a", "a"], ("a", "a"))
    ['aa', 'a']
    """
    merged, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def learn_merges(words, num_merges=None, tie="lexicographic", count="overlap", ids=None, allowed=None):
    """Yield (pair, count, words after the merge) until no pair is left, or none that is `allowed`.

    >>> for pair, n, words in learn_merges([(list("low"), 3), (list("lower"), 2)], 2):
    ...     print(*pair, n, [symbols for symbols, _ in words])
    l o 5 [['lo', 'w'], ['lo', 'w', 'e', 'r']]
    lo w 5 [['low'], ['low', 'e', 'r']]
    """
    if ids is None:
        ids = {symbol: i for i, symbol in enumerate(sorted({s for symbols, _ in words for s in symbols}))}
    while num_merges is None or num_merges > 0:
        counts = {pair: n for pair, n in count_pairs(words, count).items() if allowed is None or allowed(pair, n)}
        if not counts:
            return
        pair = best_pair(counts, tie, ids)
        words = [(apply_merge(symbols, pair), frequency) for symbols, frequency in words]
        ids = {**ids, pair[0] + pair[1]: max(ids.values()) + 1}
        yield pair, counts[pair], words
        num_merges = None if num_merges is None else num_merges - 1


def encode(symbols, merges):
    """Apply the merges to one chunk, in the order they were learned.

    >>> encode(list("lowest"), [("l", "o"), ("lo", "w"), ("e", "s")])
    ['low', 'es', 't']
    """
    for left, right, *_ in merges:
        symbols = apply_merge(symbols, (left, right))
    return symbols


def train(corpus, num_merges=None, **options):
    """The slow twin of `bpelab.train`: the same arguments, the same Tokenizer.

    >>> train("low low lower", 2).merges[1].left
    b'lo'
    """
    from bpelab import training

    return training.train_by(learn, corpus, num_merges, **training.train.__kwdefaults__ | options)


def learn(chunks, alphabet, num_merges, *, tie, count, min_frequency, ranks, max_token_length, progress):
    """What `engine.learn` does, by `learn_merges`: (left, right, count) of each merge, corpus lengths."""
    words = [(alphabet.split(text), frequency) for text, frequency in chunks.items()]
    ids = dict(zip(alphabet.symbols, ranks.tolist(), strict=True))

    def allowed(pair, n):
        short = max_token_length is None or ties.width(pair[0] + pair[1]) <= max_token_length
        return n >= min_frequency and short

    steps = learn_merges(words, num_merges, tie, count, ids, allowed)
    merges, lengths = [], [corpus_length(words)]
    for (left, right), n, after in steps:
        merges.append((left, right, n))
        lengths.append(corpus_length(after))
        progress(1)
    return merges, lengths


def corpus_length(words):
    """The number of tokens in all words, each weighted by its frequency.

    >>> corpus_length([(["lo", "w"], 3)])
    6
    """
    return sum(len(symbols) * frequency for symbols, frequency in words)
