"""WordPiece: merge the pair that is likelier than its parts, encode by the longest match.

BPE merges the most frequent pair; WordPiece the one with the largest count(xy) / (count(x) * count(y)),
which is the merge that raises the likelihood of the corpus most for each time it is used. Encoding
knows no merges: each word is cut into the longest token that fits, then the longest that fits
behind it, and so on. A token that stands inside a word is written with ## before it.

Source: Schuster & Nakajima 2012; Devlin et al. 2019 (BERT), arXiv:1810.04805. BERT's trainer was never
published: what is here is the description in the Hugging Face course, chapter 6.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import regex

from bpelab import checks, models
from bpelab.chunking import splitter
from bpelab.decoding import Writer
from bpelab.progress import Progress
from bpelab.training import chunk_counts
from bpelab.vocabulary import Vocabulary

INSIDE = "##"
UNKNOWN = "[UNK]"
#: What BERT counts as punctuation: that of Unicode, and the other ASCII symbols.
PUNCTUATION = r"\p{P}$+<=>^`|~"
BERT_WORDS = regex.compile(rf"[{PUNCTUATION}]|[^\p{{White_Space}}{PUNCTUATION}]+")
#: Chunkings that drop the blanks; decoding writes one between any two words.
BLANK_DROPPED = ("bert", "words", "subword-nmt")
KIND = "bpelab-wordpiece"
FIELDS = {"chunking": str, "tokens": list}


class Join(NamedTuple):
    """One step of training: `left` and `right` (str) became one token, for their counts at that time."""

    left: str
    right: str
    count: int
    left_count: int
    right_count: int

    @property
    def token(self):
        """The new token: the right part loses its ##."""
        return joined(self.left, self.right)

    @property
    def score(self):
        """count / (left_count * right_count), exact."""
        return Fraction(self.count, self.left_count * self.right_count)


def words(text):
    """Words and punctuation marks as BERT's pre-tokenization cuts them; white space is dropped.

    Case and accents stay (lower-case the text first for an uncased model); so do runs of kanji, which
    BERT's own normalizer would pull apart first.

    >>> words("It's 2024, 東京です。")
    ['It', "'", 's', '2024', ',', '東京です', '。']
    """
    return BERT_WORDS.findall(text)


def symbols(word):
    """A word as the symbols that training starts with: its characters, ## before all but the first.

    >>> symbols("hugs")
    ['h', '##u', '##g', '##s']
    """
    return [*word[:1], *(INSIDE + character for character in word[1:])]


def joined(left, right):
    """The token of two neighbouring symbols.

    >>> joined("h", "##u"), joined("##g", "##s")
    ('hu', '##gs')
    """
    return left + right.removeprefix(INSIDE)


def pair_scores(corpus):
    """The score of every pair of neighbours, exact, in the order first seen: {(left, right): Fraction}.

    corpus: a list of (symbols, frequency), one for each word. The next merge is the first pair with
    the largest score: this is the definition, counted afresh; `WordPiece.train` keeps its counts.

    >>> scores = pair_scores([(symbols("hug"), 10), (symbols("hugs"), 5)])
    >>> [(*pair, str(score)) for pair, score in scores.items()]
    [('h', '##u', '1/15'), ('##u', '##g', '1/15'), ('##g', '##s', '1/15')]
    """
    counts, pairs = Counter(), Counter()
    for parts, frequency in corpus:
        for symbol in parts:
            counts[symbol] += frequency
        for pair in pairwise(parts):
            pairs[pair] += frequency
    return {(left, right): Fraction(n, counts[left] * counts[right]) for (left, right), n in pairs.items()}


class WordPiece(Vocabulary):
    """A list of tokens, and longest-match encoding.

    >>> wp = WordPiece(["h", "hug", "##s", "##u", "##g"])
    >>> wp.tokens("hugs hug bug"), wp.encode("hugs hug bug")
    (['hug', '##s', 'hug', '[UNK]'], [2, 3, 2, 0])
    >>> wp.decode([2, 3, 2])
    'hugs hug'

    tokens: list of str, in the order of their ids, from 1 on; id 0 is [UNK]. A token that starts with ## stands
        inside a word, any other at its start.
    chunking: "bert", words and punctuation marks, or as for `bpelab.chunk`. "bert" is lossy: decoding
        writes one blank between any two words, whatever stood there.

    A word that can't be cut is [UNK] as a whole: one unknown character hides the word that holds it. There
    is no limit to a word's length (BERT's own code gives up beyond 100 or 200 characters).
    joins: the steps of training (`Join`), where they are known; files don't hold them.
    """

    def __init__(self, tokens, *, chunking="bert"):
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise TypeError(f"tokens must be a list of str, got {type(tokens).__name__}")
        tokens = [_token(index, token) for index, token in enumerate(tokens)]
        if len(set(tokens)) < len(tokens):
            twice = next(token for token, n in Counter(tokens).items() if n > 1)
            raise ValueError(f"tokens: each token once, got {checks.shown(twice)} again")
        self._set(_tokens=[token.encode() for token in [UNKNOWN, *tokens]], chunking=chunking, joins=None)
        self._split  # noqa: B018 - a bad chunking is said here, not later

    unknown_id, unknown_token = 0, UNKNOWN

    @cached_property
    def _split(self):
        return _splitter(self.chunking)

    @cached_property
    def _inside(self):
        """What follows ## -> id, for the tokens that stand inside a word."""
        tokens = enumerate(map(bytes.decode, self._tokens))
        return {token.removeprefix(INSIDE): i for i, token in tokens if i and _is_inside(token)}

    @cached_property
    def _at_start(self):
        """Token -> id, for the tokens that stand at the start of a word."""
        tokens = enumerate(map(bytes.decode, self._tokens))
        return {token: i for i, token in tokens if i and not _is_inside(token)}

    @cached_property
    def _longest(self):
        return max(map(len, [*self._inside, *self._at_start]), default=0)

    @property
    def _identity(self):
        return WordPiece, self._tokens, self.chunking

    def __repr__(self):
        return f"WordPiece(vocab_size={self.vocab_size}, chunking={self.chunking!r})"

    def _cut(self, text):
        words = self._split(text)
        known = {word: self._ids_of_word(word) for word in dict.fromkeys(words)}
        ids = [i for word in words for i in known[word]]
        return ids, [self._tokens[i] for i in ids]

    def _ids_of_word(self, word):
        """The ids of one word: the longest token that fits, again and again; [UNK] where none does."""
        ids, start = [], 0
        while start < len(word):
            vocab, end = self._inside if start else self._at_start, min(len(word), start + self._longest)
            while end > start and word[start:end] not in vocab:
                end -= 1
            if end == start:
                return [0]
            ids.append(vocab[word[start:end]])
            start = end
        return ids

    def writer(self):
        """What turns ids to bytes: no ## before what goes on, a dropped blank before what starts a word."""
        between = b" " if self.chunking in BLANK_DROPPED else b""
        visible = str(self.chunking).startswith("sentencepiece")
        return Words(self._token_of, between, unknown=self.unknown_id, visible=visible)

    @classmethod
    def train(cls, corpus, vocab_size=8000, *, chunking="bert", min_frequency=1, progress=False):
        """Learn tokens from `corpus`.

        corpus: a str, an iterable of str, or a mapping word -> frequency (the words as they are).
        vocab_size: the number of ids: [UNK], the characters of the corpus at the start of words and
            with ## inside them, and what merging adds; fewer where pairs run out.
        min_frequency: pairs that occur less often are not merged. The score loves rare pairs: two
            characters that stand once each, side by side, have the largest score there is, 1.

        The pair with the largest count(xy) / (count(x) * count(y)) is merged, exactly compared; among
        equals the one that stands first in the words, which are scanned in the order first seen (so
        does the Hugging Face course). Ids: characters sorted, then merges in learned order; a merge
        that makes a token there is already adds none.

        >>> wp = WordPiece.train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 11)
        >>> [(join.token, str(join.score)) for join in wp.joins]
        [('##gs', '1/20'), ('hu', '1/36'), ('hugs', '1/15')]
        """
        counts = _words(corpus, chunking)
        for word in counts:
            if word.startswith(INSIDE):
                raise ValueError(
                    f"corpus: the word {checks.shown(word)} starts with {INSIDE}, which marks tokens inside words"
                )
        alphabet = sorted({symbol for word in counts for symbol in symbols(word)})
        made_of = f" ([UNK] and the {len(alphabet)} characters of the corpus, at the start of words and inside)"
        goal = checks.whole("vocab_size", vocab_size, 1 + len(alphabet), remedy=made_of) - 1
        pairs = Pairs(counts, checks.whole("min_frequency", min_frequency, 1))
        tokens, joins = dict.fromkeys(alphabet), []
        with Progress(progress, goal - len(tokens), "WordPiece.train", " tokens") as advance:
            while len(tokens) < goal and (join := pairs.best()):
                pairs.merge(join)
                joins.append(join)
                advance(join.token not in tokens)
                tokens[join.token] = None
        trained = cls(tokens, chunking=chunking)
        trained._set(joins=joins)
        return trained

    def save(self, path):
        """Write the tokens to a JSON file, whole or not at all; `joins` are not kept."""
        tokens = (token.decode() for token in self._tokens[1:])
        models.write_model(path, self, KIND, {"chunking": self.chunking}, "tokens", tokens)

    @classmethod
    def load(cls, path):
        """Read what `save` wrote; ValueError, which says where, for any other file."""
        return models.read_model(path, KIND, FIELDS, cls._from_document)

    @classmethod
    def _from_document(cls, document):
        return cls(document["tokens"], chunking=document["chunking"])


class Words(Writer):
    """Ids to bytes: a token that goes on loses its ##, one that starts a word gets `between` before it."""

    def __init__(self, token_of, between, **parts):
        super().__init__(token_of, **parts)
        self._between, self._begun = between, False

    def write(self, i):
        """The bytes that id i (None: U+FFFD) adds."""
        begun, self._begun = self._begun, True
        token = super().write(i)
        if i and _is_inside(token.decode()):
            return token.removeprefix(INSIDE.encode())
        return self._between + token if begun else token


class Pairs:
    """The words of a corpus while it is merged: counts of symbols and of pairs, and the best pair at hand.

    A merge of x and y changes the score of every pair with x or y in it, not only of those beside
    it. All of them enter the heap anew; what a pair had there before is known by `entries` to be stale.
    """

    def __init__(self, words, min_frequency):
        self.words = [symbols(word) for word in words]
        self.frequencies, self.min_frequency = list(words.values()), min_frequency
        self.symbols, self.pairs = Counter(), Counter()
        self.places = defaultdict(dict)  # pair -> number of a word -> how often it stands there
        self.partners = defaultdict(set)  # symbol -> pairs that it is part of
        self.heap, self.entries, self.first = [], {}, {}
        for number, parts in enumerate(self.words):
            self._count(number, parts, 1)
        # Two different scores are further apart than 1 / (2 * total) ** 4, so whole multiples of a smaller
        # unit compare as the fractions do.
        self.shift = 4 * (2 * sum(self.symbols.values())).bit_length()
        self._enter(list(self.pairs))

    def best(self):
        """The next `Join`; None where no pair is left."""
        while self.heap:
            entry = heappop(self.heap)
            left, right = pair = entry[-1]
            if self.entries.get(pair) is entry:
                return Join(left, right, self.pairs[pair], self.symbols[left], self.symbols[right])
        return None

    def merge(self, join):
        """Join the pair in all its words, from left to right."""
        symbols = join.left, join.right, join.token
        changed = self._pairs_with(symbols)
        for number in sorted(self.places[join.left, join.right]):
            before, after = self.words[number], _merged(self.words[number], join)
            self.words[number] = after
            same, tail = (max(0, n - 1) for n in (_agree(before, after), _agree(before[::-1], after[::-1])))
            self._count(number, before[same : len(before) - tail], -1)
            self._count(number, after[same : len(after) - tail], 1)
        self._enter(changed | self._pairs_with(symbols))

    def _pairs_with(self, symbols):
        return {pair for symbol in symbols for pair in self.partners[symbol]}

    def _enter(self, pairs):
        """Put pairs into the heap: by falling score, then by where they first stand."""
        for pair in pairs:
            count = self.pairs[pair]
            if count < self.min_frequency:
                self.entries.pop(pair, None)
                continue
            score = (count << self.shift) // (self.symbols[pair[0]] * self.symbols[pair[1]])
            if pair not in self.first:
                self.first[pair] = self._first(pair)
            self.entries[pair] = entry = (-score, self.first[pair], pair)
            heappush(self.heap, entry)

    def _first(self, pair):
        """Where the pair first stands: (number of the word, character), which other merges don't move."""
        number = min(self.places[pair])
        parts = self.words[number]
        at = list(pairwise(parts)).index(pair)
        return number, sum(len(part.removeprefix(INSIDE)) for part in parts[:at])

    def _count(self, number, parts, sign):
        """Count a stretch of a word in (1) or out (-1)."""
        times = sign * self.frequencies[number]
        for symbol in parts:
            self.symbols[symbol] += times
        for pair in pairwise(parts):
            self.pairs[pair] += times
            self.first.pop(pair, None)
            places = self.places[pair]
            places[number] = places.get(number, 0) + sign
            if not places[number]:
                del places[number]
            for symbol in pair:
                (self.partners[symbol].add if places else self.partners[symbol].discard)(pair)


def _agree(one, other):
    """How many symbols agree from the start."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)


def _merged(parts, join):
    """The symbols of a word with every occurrence of the pair joined, from left to right."""
    left, right, last = join.left, join.right, len(parts) - 1
    merged, i = [], 0
    while i <= last:
        both = parts[i] == left and i < last and parts[i + 1] == right
        merged.append(join.token if both else parts[i])
        i += 1 + both
    return merged


def _splitter(chunking):
    return words if chunking == "bert" else splitter(chunking)


def _words(corpus, chunking):
    """The distinct words of a corpus with their frequencies, in the order first seen."""
    split, counts = _splitter(chunking), Counter()
    for text, n in chunk_counts(corpus, "whole").items():
        for word in [text] if isinstance(corpus, Mapping) else split(text):
            counts[word] += n
    return counts


def _is_inside(token):
    return token.startswith(INSIDE) and len(token) > len(INSIDE)


def _token(index, token):
    if not checks.text(f"tokens[{index}]", token):
        raise ValueError(f"tokens[{index}] must not be empty")
    return token
