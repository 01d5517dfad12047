"""Unigram: a probability for each piece, and the most probable way to cut a text into pieces.

A piece has a probability; a segmentation has the product of those of its pieces, and all
segmentations of a text form a lattice (`lattice.py`). Training starts with far too many pieces, fits
their probabilities (expectation maximization), and drops those that are missed least.

Source: Kudo 2018, arXiv:1804.10959; details are those of SentencePiece's unigram_model_trainer.cc.
"""

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from bpelab import checks, files, models
from bpelab.chunking import batches, splitter
from bpelab.decoding import Writer
from bpelab.lattice import STOP, Lattice, Trie, joined
from bpelab.progress import Progress
from bpelab.readers import sentencepiece
from bpelab.readers.sentencepiece import SentencePiece
from bpelab.spelling import VISIBLE_BLANK
from bpelab.training import chunk_counts
from bpelab.vocabulary import Vocabulary

#: How much less likely than the least likely piece an unknown character is (natural logarithm).
UNKNOWN_PENALTY = 10.0
#: Long texts are cut about this many characters at a time.
BATCH = 1 << 18
#: Pieces expected less often than this are not worth keeping; characters are counted at least this often.
LEAST_EXPECTED = 0.5
#: Training prunes to this many times the size that is wanted, and cuts the rest by probability.
MARGIN = 1.1
KIND = "bpelab-unigram"
FIELDS = {"chunking": str, "unknown": float | int | None, "byte_fallback": bool, "pieces": list}


# --- the tokenizer --------------------------------------------------------------------------------


class Unigram(Vocabulary):
    """Pieces with their probabilities, and all that is needed to cut text into them.

    >>> uni = Unigram({"東京": 0.05, "京都": 0.05, "東": 0.02, "京": 0.02, "都": 0.03})
    >>> uni.tokens("東京都"), uni.encode("東京都")
    (['東京', '都'], [1, 5])
    >>> [(tokens, round(logp, 2)) for tokens, logp in uni.segmentations("東京都")]
    [(['東京', '都'], -6.5), (['東', '京都'], -6.91), (['東', '京', '都'], -11.33)]

    pieces: {piece (str): probability above 0, at most 1}; they need not sum to 1. log: the numbers are
        natural logarithms instead. Ids follow the order: 0 is <unk>, then with byte_fallback the 256
        bytes, then the pieces.
    chunking: as for `bpelab.chunk`; no piece crosses the border of two chunks. After SentencePiece's,
        pieces write the blank as ▁, and decoding writes it back as a blank.
    unknown: the log-probability of a character that is no piece. None: 10 less than that of the least
        likely piece, as in SentencePiece.
    byte_fallback: whether such a character is encoded as its UTF-8 bytes instead of <unk>.

    `tokens` and `encode` write neighbouring unknown characters as one <unk>, as SentencePiece does;
    segmentations keep them apart. Of equally probable segmentations the one whose last piece is longer
    wins, at every place of the text. Two models are equal when pieces, scores and all these are.
    """

    def __init__(self, pieces, *, chunking="space", unknown=None, byte_fallback=False, log=False):
        checks.flag("byte_fallback", byte_fallback)
        checks.flag("log", log)
        if not isinstance(pieces, Mapping):
            raise TypeError(f"pieces must be a mapping piece -> probability, got {type(pieces).__name__}")
        pieces = {_piece(piece): _logarithm(f"pieces[{piece!r}]", value, log) for piece, value in pieces.items()}
        fallback = [bytes([byte]) for byte in range(256)] if byte_fallback else []
        self._set(
            _pieces=pieces,
            _tokens=[self.unknown_token.encode(), *fallback, *(piece.encode() for piece in pieces)],
            chunking=chunking,
            byte_fallback=byte_fallback,
            unknown=None if unknown is None else _logarithm("unknown", unknown, True),
        )
        self._split  # noqa: B018 - a bad chunking is said here, not later

    unknown_id, unknown_token = 0, "<unk>"
    _reading = None  # what cuts in place of the lattice, for a model of SentencePiece

    @cached_property
    def _split(self):
        return splitter(self.chunking)

    @cached_property
    def _scores(self):
        """The log-probability of each piece, and behind them that of an unknown character."""
        least = min(self._pieces.values(), default=0.0) - UNKNOWN_PENALTY
        return np.array([*self._pieces.values(), least if self.unknown is None else self.unknown])

    @property
    def _before(self):
        """The number of ids before the pieces: <unk>, and the bytes where there is fallback."""
        return 1 + 256 * self.byte_fallback

    @property
    def pieces(self):
        """Piece -> natural logarithm of its probability, in the order of ids."""
        return dict(self._pieces)

    @cached_property
    def _names(self):
        return list(self._pieces)

    @cached_property
    def _trie(self):
        return Trie(self._names)

    @property
    def _identity(self):
        parts = self.unknown, self.byte_fallback, self.chunking, self._reading
        return Unigram, list(self._pieces.items()), *parts

    def __repr__(self):
        return f"Unigram(pieces={len(self._pieces)}, vocab_size={self.vocab_size}, chunking={self.chunking!r})"

    # --- the best segmentation ---

    def _cut(self, text):
        """Ids and bytes of the tokens; a run of unknown characters is one token."""
        if self._reading is not None:
            ids, spelled = self._reading._cut(text)
            return [self._id_of.get(i, 0) for i in ids], self._unknown_as_it_stands(text, ids, spelled)
        ids, spelled, unknown = [], [], len(self._names)
        for piece, token in self._path(text, lambda lattice: lattice.best(self._scores)):
            data = token.encode()
            if piece != unknown:
                ids.append(self._before + piece)
                spelled.append(data)
            elif self.byte_fallback:
                ids += [1 + byte for byte in data]
                spelled += [bytes([byte]) for byte in data]
            elif ids and ids[-1] == 0:
                spelled[-1] += data
            else:
                ids.append(0)
                spelled.append(data)
        return ids, spelled

    def _unknown_as_it_stands(self, text, ids, spelled):
        """The bytes of SentencePiece's tokens, what is unknown as the text has it."""
        unknown = self._reading.unknown_id
        if unknown not in ids:
            return spelled
        runs = iter(self._reading.unknown_runs(text))
        return [next(runs).encode() if i == unknown else token for i, token in zip(ids, spelled, strict=True)]

    def writer(self):
        """What turns ids to bytes; visible blanks become blanks."""
        return Writer(self._token_of, unknown=0, visible=str(self.chunking).startswith("sentencepiece"))

    def _path(self, text, choose):
        """(number of the piece, its text) for each piece of the path that `choose(lattice)` takes."""
        unknown = len(self._names)
        for chunks in batches(self._split(text), BATCH):
            lattice = Lattice(self._trie, chunks)
            for start, piece in zip(*map(np.ndarray.tolist, choose(lattice)), strict=True):
                yield piece, lattice.text[start] if piece == unknown else self._names[piece]

    def _segmentation(self, path):
        """Tokens and their log-probability, added from left to right."""
        total, tokens = 0.0, []
        for piece, token in path:
            total += float(self._scores[piece])
            tokens.append(token)
        return tokens, total

    def viterbi(self, text):
        """The most probable segmentation: (list of str, its log-probability); linear in the text's length.

        >>> Unigram({"a": 0.1, "aa": 0.2}).viterbi("aaa")
        (['a', 'aa'], -3.9120230054281455)
        """
        return self._segmentation(self._path(checks.text("text", text), lambda lattice: lattice.best(self._scores)))

    # --- all segmentations ---

    def count_segmentations(self, text):
        """How many segmentations there are: a whole number, exact however large.

        >>> Unigram({"a": 0.5, "aa": 0.2}).count_segmentations("a" * 100)
        573147844013817084101
        """
        return math.prod(self._count(chunk) for chunk in self._split(checks.text("text", text)))

    def _count(self, chunk):
        """The number of paths from each node to the end, from the last node to the first."""
        ways = [1]
        for edges in self._edges_by_node(chunk)[::-1]:
            ways.append(sum(ways[-step] for step, _ in edges))
        return ways[-1]

    def segmentations(self, text, most=10_000):
        """All segmentations, (list of str, log-probability), by falling log-probability.

        ValueError, with their number, where there are more than `most`: it grows exponentially with
        the length of the text.
        """
        most, number = checks.whole("most", most, 1), self.count_segmentations(text)
        if number > most:
            shown = f"{number:,}" if number < 10**15 else f"about 10^{number.bit_length() * math.log10(2):.0f}"
            raise ValueError(
                f"text has {shown} segmentations, more than most={most:,}; n_best(text, n) gives the "
                "likeliest, sample(text) draws from all"
            )
        return self.n_best(text, number)

    def n_best(self, text, n):
        """The n most probable segmentations, fewer where there are fewer: (list of str, log-probability).

        The first is that of `viterbi`. Time and memory grow with n times the length of the text.

        >>> [tokens for tokens, _ in Unigram({"a": 0.1, "aa": 0.2}).n_best("aaa", 2)]
        [['a', 'aa'], ['aa', 'a']]
        """
        n, best = checks.whole("n", n, 1), [([], 0.0)]
        for chunk in self._split(checks.text("text", text)):
            paths = self._paths(chunk, n)
            # Both lists fall: what stands at i and j has (i + 1) * (j + 1) - 1 others before it.
            pairs = [(before, path) for i, before in enumerate(best) for path in paths[: n // (i + 1)]]
            joined = [(tokens + more, total + score) for (tokens, total), (more, score) in pairs]
            best = _likeliest(joined, n)
        return best

    def _paths(self, chunk, n):
        """The n best segmentations of one chunk: at each node only the n best paths to it go on."""
        scores = self._scores.tolist()
        paths = [[(None, 0.0)]] + [[] for _ in chunk]  # (last token and the path before it, log-probability)
        for i, edges in enumerate(self._edges_by_node(chunk)):
            for step, piece in edges:
                token = chunk[i : i + step]
                paths[i + step] += [((token, before), total + scores[piece]) for before, total in paths[i]]
            paths[i + 1] = _likeliest(paths[i + 1], n)
            paths[i] = []
        return [(_tokens(path), total) for path, total in paths[-1]]

    def _edges_by_node(self, chunk):
        """For each node of one chunk but the last its edges: lists of (characters, piece)."""
        lattice = Lattice(self._trie, [chunk])
        first, ends, pieces = (part.tolist() for part in lattice.edges)
        return [[(ends[e] - i, pieces[e]) for e in range(first[i], first[i + 1])] for i in range(len(chunk))]

    def sample(self, text, temperature=1.0, seed=None):
        """A segmentation drawn at random: a list of str; linear in the text's length.

        Each is drawn with probability proportional to its own, raised to the power 1 / temperature: 1 as
        the model says, towards 0 always the best, math.inf all alike (SentencePiece's alpha is 1 /
        temperature). seed: a whole number, None for a new one each time, or a NumPy Generator, which
        moves on. Sums over all paths are filtered from one end of the text, and the path is drawn from
        the other (forward filtering, backward sampling, here mirrored).

        >>> uni = Unigram({"東京": 0.05, "東": 0.02, "京": 0.02})
        >>> uni.sample("東京", seed=0), uni.sample("東京", temperature=1e9, seed=3)
        (['東京'], ['東', '京'])
        """
        numbers = _generator(seed)
        with np.errstate(over="ignore"):
            scores = self._scores / _temperature(temperature)
        if not np.isfinite(scores).all():
            raise ValueError(f"temperature is too close to 0, got {temperature!r}; viterbi(text) is the limit")
        path = self._path(
            checks.text("text", text), lambda lattice: lattice.draw(scores, numbers.random(len(lattice.text)))
        )
        return [token for _, token in path]

    def expected_counts(self, corpus):
        """How often each piece is expected, over all segmentations by their probability: {piece: float}.

        corpus: a str, an iterable of str, or a mapping chunk -> count. Pieces that occur in no
        segmentation are left out, and so are unknown characters.

        >>> {p: round(n, 3) for p, n in Unigram({"a": 0.5, "aa": 0.25}).expected_counts("aa").items()}
        {'a': 1.0, 'aa': 0.5}
        """
        chunks = chunk_counts(corpus, self.chunking)
        weights = np.fromiter(chunks.values(), float, len(chunks))
        counts = Lattice(self._trie, chunks).expected(self._scores, weights)
        return {piece: n for piece, n in zip(self._names, counts.tolist(), strict=False) if n > 0}

    # --- from a corpus, from and to files ---

    @classmethod
    def train(
        cls,
        corpus,
        vocab_size=8000,
        *,
        chunking="sentencepiece-scripts",
        max_piece_length=16,
        seed_size=1_000_000,
        shrinking_factor=0.75,
        sub_iterations=2,
        byte_fallback=False,
        progress=False,
    ):
        """Learn pieces and their probabilities from `corpus`.

        corpus: a str, an iterable of str, or a mapping chunk -> frequency.
        vocab_size: the number of ids: <unk>, the bytes where there is fallback, and the pieces, among
            them every character of the corpus. Fewer where the corpus has fewer repeated substrings.
        max_piece_length: in characters, ▁ included.
        seed_size: with how many pieces training starts: the repeated substrings with the largest
            frequency times length.
        shrinking_factor, sub_iterations: a round fits the probabilities this many times, then keeps
            this share of the pieces: those whose loss would cost the most likelihood.

        The fit is the "Bayesian" one of SentencePiece: digamma of the expected count in place of its
        logarithm, which makes rare pieces rarer. Characters are never dropped. The result depends on
        the corpus alone.

        >>> uni = Unigram.train("low low low lower lower newest newest", 16)
        >>> uni.tokens("lower newest")
        ['▁lower', '▁newest']
        """
        checks.flag("byte_fallback", byte_fallback)
        chunks = {chunk: n for chunk, n in chunk_counts(corpus, chunking).items() if chunk}
        max_piece_length = checks.whole("max_piece_length", max_piece_length, 1)
        seed_size = checks.whole("seed_size", seed_size, 1)
        sub_iterations = checks.whole("sub_iterations", sub_iterations, 1)
        shrinking_factor = _share("shrinking_factor", shrinking_factor)
        pieces, counts = seed_pieces(chunks, max_piece_length, seed_size)
        characters = sum(len(piece) == 1 for piece in pieces)
        least = characters + 1 + 256 * byte_fallback
        made_of = f" (<unk>{', 256 bytes' * byte_fallback} and the {characters} characters of the corpus)"
        goal = checks.whole("vocab_size", vocab_size, least, remedy=made_of) - (least - characters)
        if not pieces:
            return cls({}, chunking=chunking, byte_fallback=byte_fallback)
        scores, size = np.log(counts / counts.sum()), max(goal, int(goal * MARGIN))
        pieces, scores = fit(chunks, pieces, scores, size, shrinking_factor, sub_iterations, progress)
        return cls(final_pieces(pieces, scores, goal), chunking=chunking, byte_fallback=byte_fallback, log=True)

    @classmethod
    def from_sentencepiece(cls, path):
        """The model in a SentencePiece .model file of type unigram, with SentencePiece's own tokens for every line.

        `tokens` and `encode` go the library's way: its normalization first, then sums of 32 bits along the
        whole line. `segmentations`, `viterbi` and `sample` are those of the pieces, on text as it comes.
        Control symbols are left out: the first piece that is none follows <unk>, or the bytes.
        ValueError for a file that is no model, for another type of model, and for what has no like here
        (`bpelab.load` reads it): user-defined symbols, blanks that are not one ▁ before each word.
        """
        try:
            reading = SentencePiece(files.read(path))
        except ValueError as error:
            raise ValueError(f"{path} is no valid SentencePiece model: {error}") from None
        _check_likeness(path, reading.spec)
        normal = {i: p for i, p in enumerate(reading.spec.pieces) if p.type == sentencepiece.NORMAL}
        fallback = reading.spec.byte_fallback
        pieces = {piece.piece: min(0.0, float(piece.score)) for piece in normal.values()}
        made = cls(pieces, chunking="sentencepiece", byte_fallback=fallback, log=True)
        ids = dict(zip(normal, range(made._before, made.vocab_size), strict=True))
        if fallback:
            ids |= {i: 1 + byte for byte, i in reading._bytes.items()}
        made._set(_reading=reading, _id_of=ids)
        return made

    def save(self, path):
        """Write the model to a JSON file, whole or not at all; not one of SentencePiece's."""
        if self._reading is not None:
            raise ValueError("this model has SentencePiece's normalization, which our file can't hold; keep its .model")
        head = {"chunking": self.chunking, "unknown": self.unknown, "byte_fallback": self.byte_fallback}
        models.write_model(path, self, KIND, head, "pieces", map(list, self._pieces.items()))

    @classmethod
    def load(cls, path):
        """Read a model that `save` wrote; ValueError, which says where, for any other file."""
        return models.read_model(path, KIND, FIELDS, cls._from_document)

    @classmethod
    def _from_document(cls, document):
        pieces = {}
        for index, row in enumerate(document["pieces"]):
            if not isinstance(row, list) or len(row) != 2 or not isinstance(row[0], str):
                raise ValueError(f"pieces[{index}] must be [piece, log-probability], got {checks.shown(row)}")
            if row[0] in pieces:
                raise ValueError(f"pieces[{index}] gives {checks.shown(row[0])} again")
            pieces[row[0]] = row[1]
        parts = {name: document[name] for name in ("chunking", "unknown", "byte_fallback")}
        return cls(pieces, **parts, log=True)


def _tokens(path):
    """The tokens of a path that is linked from the last token back."""
    tokens = []
    while path:
        token, path = path
        tokens.append(token)
    return tokens[::-1]


def _likeliest(segmentations, n):
    """The n likeliest of some (tokens, log-probability); of equals the earlier one."""
    return sorted(segmentations, key=lambda segmentation: -segmentation[1])[:n]


# --- training -------------------------------------------------------------------------------------


def seed_pieces(chunks, max_length, size):
    """What training starts with: all characters, and the `size` best of the substrings that repeat.

    chunks: chunk -> frequency. Returns the pieces (list of str) and for each its frequency times its
    length, by which "best" goes (then the shorter, then the one seen first).

    >>> pieces, scores = seed_pieces({"low": 3, "lower": 2, "slow": 1}, 16, 100)
    >>> dict(zip(pieces, scores.tolist()))
    {'e': 2.0, 'l': 6.0, 'o': 6.0, 'r': 2.0, 's': 1.0, 'w': 6.0, 'low': 18.0, 'lower': 10.0}
    """
    text, points = joined(chunks)
    weights = np.repeat(np.array([*chunks.values()], float), [len(chunk) + 1 for chunk in chunks])
    inside = points != STOP
    characters, numbers = np.unique(points[inside], return_inverse=True)
    starts, lengths, frequencies = maximal_repeats(points.astype(np.int64), weights, max_length)
    best = np.lexsort((starts, lengths, -frequencies * lengths))[:size]
    spans = zip(starts[best].tolist(), lengths[best].tolist(), strict=True)
    pieces = [*map(chr, characters.tolist()), *(text[start : start + length] for start, length in spans)]
    singles = np.bincount(numbers, weights[inside], len(characters))
    return pieces, np.concatenate([singles, (frequencies * lengths)[best]])


def maximal_repeats(points, weights, max_length):
    """Substrings of 2 to max_length characters that occur twice: arrays (start of one, length, frequency).

    points: chunks, STOP behind each; weights: what each place counts for. A substring that is always a part
    of one and the same longer one is left to that one. Substrings grow by a character a round, and
    only those that occur twice grow on.
    """
    places = np.flatnonzero(points != STOP)
    substring_at = np.zeros(len(points), np.int64)  # the number of the substring of this length that starts here
    _, examples, numbers = np.unique(points[places], return_index=True, return_inverse=True)
    substring_at[places], frequencies = numbers, np.bincount(numbers, weights[places])
    examples, found = places[examples], [np.empty((3, 0))]
    for length in range(1, max_length + 1):
        if not len(places):
            break
        places = places[(frequencies[substring_at[places]] >= 2) & (points[places + length] != STOP)]
        keys = substring_at[places] * 0x110000 + points[places + length]
        _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
        grown, largest = np.bincount(numbers, weights[places], len(first)), np.zeros(len(frequencies))
        repeated = grown >= 2
        for part in (places[first], places[first] + 1):  # the longer one without its last, its first character
            np.maximum.at(largest, substring_at[part[repeated]], grown[repeated])
        own = np.flatnonzero((frequencies >= 2) & (largest < frequencies))
        if length > 1:
            found.append(np.stack([examples[own], np.full(len(own), length), frequencies[own]]))
        substring_at[places], frequencies, examples = numbers, grown, places[first]
    starts, lengths, counts = np.concatenate(found, axis=1)
    return starts.astype(np.int64), lengths.astype(np.int64), counts


def fit(chunks, pieces, scores, size, shrinking_factor, sub_iterations, progress):
    """Expectation maximization and pruning in turn, down to `size` pieces: (pieces, log-probabilities)."""
    weights = np.fromiter(chunks.values(), float, len(chunks))
    with Progress(progress, max(0, len(pieces) - size), "Unigram.train", " pieces") as advance:
        while True:
            trie, single = Trie(pieces), np.array([len(piece) == 1 for piece in pieces], bool)
            lattice = Lattice(trie, chunks)
            for _ in range(sub_iterations):
                scores = maximize(lattice.expected(np.append(scores, 0.0), weights)[:-1], single)
            if len(pieces) <= size:
                return pieces, scores
            loss = losses(lattice, Lattice(trie, pieces, whole=False), scores, weights)
            loss[single] = np.inf
            kept = np.sort(np.argsort(-loss, kind="stable")[: max(size, int(len(pieces) * shrinking_factor))])
            advance(len(pieces) - len(kept))
            pieces, scores = [pieces[i] for i in kept.tolist()], scores[kept]


def maximize(counts, single):
    """Log-probabilities from expected counts; `single` marks the characters, which are never given up."""
    counts = np.maximum(counts, np.where(single, LEAST_EXPECTED, LEAST_EXPECTED / 100))
    return digamma(counts) - digamma(counts.sum())


def digamma(x):
    """The derivative of the logarithm of the gamma function, for x above 0: about log(x - 1/2)."""
    result, x = np.zeros_like(x), np.array(x, float)
    for _ in range(8):
        result, x = result - 1 / x, x + 1
    y = 1 / (x * x)
    return result + np.log(x) - 1 / (2 * x) - y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y / 240)))


def losses(lattice, own, scores, weights):
    """How much log-likelihood the corpus would lose, about, without each piece; -inf for one that it doesn't use.

    lattice: of the corpus; own: of the pieces themselves, each cut into others. A piece is replaced
    by its best other segmentation, everywhere, and the counts of those pieces grow accordingly.
    """
    padded, size = np.append(scores, 0.0), len(scores)
    starts, path = lattice.best(padded)
    uses = np.bincount(path, weights[lattice.chunk_of(starts)], size)
    starts, parts = own.best(padded)
    owners = own.chunk_of(starts)
    used = (uses[owners] > 0) & (parts < size)
    parts, owners, total = parts[used], owners[used], uses.sum()
    longer = total + uses * (np.bincount(owners, minlength=size) - 1)
    instead = np.bincount(owners, np.log(uses[parts] + uses[owners]) - np.log(longer[owners]), size)
    loss = np.full(size, -np.inf)
    some = uses > 0
    loss[some] = uses[some] * (np.log(uses[some] / total) - instead[some])
    return loss


def final_pieces(pieces, scores, size):
    """All characters and the most probable others, `size` in all: {piece: log-probability}, likeliest first."""
    ranked = sorted(zip(pieces, scores.tolist(), strict=True), key=lambda item: (-item[1], item[0]))
    others = [piece for piece, _ in ranked if len(piece) > 1]
    dropped = set(others[max(0, size - (len(ranked) - len(others))) :])
    return {piece: score for piece, score in ranked if piece not in dropped}


# --- checks ---------------------------------------------------------------------------------------


def _piece(piece):
    if not checks.text("pieces key", piece):
        raise ValueError("pieces: a piece must not be empty")
    return piece


def _logarithm(name, value, log):
    """A probability, or its logarithm, as a logarithm."""
    wanted = "a log-probability, finite and at most 0" if log else "a probability above 0 and at most 1"
    checks.number(name, value, wanted)
    if not (-1e300 < value <= 0 if log else 0 < value <= 1):
        raise ValueError(f"{name} must be {wanted}, got {checks.shown(value)}")
    return float(value) if log else math.log(value)


def _share(name, value):
    checks.number(name, value, "a number between 0 and 1")
    if not 0 < value < 1:
        raise ValueError(f"{name} must be between 0 and 1, got {value}")
    return value


def _temperature(value):
    checks.number("temperature", value)
    if not value > 0:
        raise ValueError(f"temperature must be above 0, got {value!r}; viterbi(text) is what it tends to at 0")
    return value


def _generator(seed):
    if seed is None or isinstance(seed, np.random.Generator):
        return np.random.default_rng(seed)
    return np.random.default_rng(checks.whole("seed", seed, 0))


def _check_likeness(path, spec):
    """Refuse a SentencePiece model that cuts otherwise than pieces with probabilities between blanks do."""
    if spec.model_type != 1:
        raise ValueError(f"{path} is a SentencePiece model of another type than unigram; bpelab.load reads it")
    for piece in spec.pieces:
        if piece.type == sentencepiece.USER_DEFINED:
            raise ValueError(f"{path} has the user-defined symbol {piece.piece!r}, unknown here; bpelab.load reads it")
    single = spec.add_dummy_prefix and spec.remove_extra_whitespaces and spec.escape_whitespaces
    if not single or spec.treat_whitespace_as_suffix:
        raise ValueError(
            f"{path} must write blanks as one {VISIBLE_BLANK} before each word, and does not; bpelab.load reads it"
        )
