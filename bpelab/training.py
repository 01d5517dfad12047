"""`train`: text to merges. What is learned is `reference.py`'s; how fast, `engine.py`'s."""

from collections import Counter
from collections.abc import Iterable, Mapping

from bpelab import checks, engine, reference, specials, ties
from bpelab import chunking as split_by
from bpelab.alphabet import BASES, ORDERS, Alphabet, end_marker
from bpelab.growing import Grown, grown_ids
from bpelab.normalization import normalizer
from bpelab.progress import Progress
from bpelab.scanner import Chunks
from bpelab.storage import PARTS
from bpelab.tokenizer import Tokenizer

#: Counts have 63 bits, token lengths 31; larger limits are none.
MOST, LONGEST = (1 << 63) - 1, (1 << 31) - 1


def train(
    corpus,
    num_merges=None,
    *,
    vocab_size=None,
    base="char",
    chunking="space",
    tie="lexicographic",
    count="overlap",
    end_of_word=None,
    fuse_end_of_word=False,
    min_frequency=1,
    max_token_length=None,
    base_order=None,
    special_tokens=(),
    normalization=None,
    start=None,
    progress=False,
):
    """Learn byte-pair merges from `corpus` and return a `Tokenizer`.

    corpus: a str; an iterable of str (documents: no merge crosses two); or a mapping chunk ->
        frequency (the chunks as they are; frequencies are positive whole numbers with a sum below
        2**63).
    num_merges, vocab_size: when to stop, in merges or in tokens (base symbols, merges and special
        tokens together); neither: when no pair is left. Training ends early where pairs run out.
    base: "char" (ids: <unk> is 0, then the characters sorted, then the merges) or "byte" (ids 0 to
        255 are the bytes, then the merges).
    chunking: as for `bpelab.chunk`; the tokenizer keeps it for encoding.
    tie: which of the most frequent pairs wins: "lexicographic" (smallest left, then right bytes),
        "first" (first seen in a scan), "lowest-id", "largest", "shortest" or "youtokentome".
    count: "overlap" (aaa holds aa twice) or "runs" (once: what one merge can use).
    end_of_word: a marker that ends each chunk as a symbol of its own (base "char"); text that holds
        it is refused; decoding drops it, and after chunking "words" writes a blank between words.
    fuse_end_of_word: whether the marker is part of a chunk's last character ("w</w>") instead.
    min_frequency: pairs that occur less often are not merged.
    max_token_length: the most characters that a merge may make; None for no limit.
    base_order: what "lowest-id" and "youtokentome" compare base symbols by: None, their ids;
        "byte-level", the order of GPT-2's byte characters; "frequency", the most frequent first.
    special_tokens: names, which get the ids after the vocabulary, or a mapping name -> id.
    normalization: "NFC", "NFD", "NFKC" or "NFKD": the Unicode form into which the corpus, and every
        text encoded later, is brought first; what it changes doesn't come back on decoding.
    start: a Tokenizer to go on from. Its merges and ids stay; new merges follow, learned on the corpus as
        it is tokenized so far, with ids behind all that it has. Base, chunking, markers and
        normalization are those of `start`, and vocab_size counts its tokens too.
    progress: whether to draw a progress bar on stderr.

    >>> tok = train("low low low lower lower newest", 8)
    >>> [merge.left + merge.right for merge in tok.merges[:3]]
    [b'lo', b'low', b' low']
    >>> tok.encode("box lower")
    [0, 5, 0, 14]

    TypeError or ValueError names the argument, what was given and what would do.
    Source: Sennrich, Haddow & Birch 2016, arXiv:1508.07909.
    """
    return train_by(engine.learn, **locals())


def train_by(
    learn,
    corpus,
    num_merges,
    *,
    vocab_size,
    base,
    chunking,
    tie,
    count,
    end_of_word,
    fuse_end_of_word,
    min_frequency,
    max_token_length,
    base_order,
    special_tokens,
    normalization,
    start,
    progress,
):
    """`train`, by one of the two learners: `engine.learn` or `reference.learn`."""
    checks.choice("base", base, BASES)
    checks.choice("tie", tie, ties.TIES)
    checks.choice("count", count, ties.COUNTS)
    min_frequency = min(checks.whole("min_frequency", min_frequency, 1), MOST)
    if max_token_length is not None:
        max_token_length = min(checks.whole("max_token_length", max_token_length, 1), LONGEST)
    if base_order is not None and checks.choice("base_order", base_order, ORDERS) == "byte-level" != base + "-level":
        raise ValueError(f"base_order 'byte-level' needs base='byte', got base={base!r}")
    names = specials.names_of(special_tokens)
    if start is not None:
        same = ("base", "chunking", "end_of_word", "fuse_end_of_word", "normalization")
        given = (base, chunking, end_of_word, fuse_end_of_word, normalization)
        base, chunking, end_of_word, fuse_end_of_word, normalization = _of_start(start, same, given)
    _fits(corpus, chunking, tie)
    chunks = chunk_counts(corpus, chunking, normalizer(normalization))
    marker = end_marker(end_of_word, fuse_end_of_word, base, chunks)
    alphabet = Grown(start) if start else Alphabet.of(chunks, base, marker, fuse_end_of_word)
    if not isinstance(chunks, Chunks) and sum(len(text.encode()) * n + n for text, n in chunks.items()) > MOST:
        learn = reference.learn  # counts that only Python's own integers hold
    goal = goal_of(num_merges, vocab_size, start.vocab_size if start else len(alphabet.symbols), len(names))
    with Progress(progress, goal, "bpelab.train", " merges") as advance:
        merges, lengths = learn(
            chunks,
            alphabet,
            goal,
            tie=tie,
            count=count,
            min_frequency=min_frequency,
            ranks=alphabet.ranks(base_order, chunks),
            max_token_length=max_token_length,
            progress=advance,
        )
    special_tokens = special_tokens if isinstance(special_tokens, Mapping) else names
    if start:
        return _continued(start, merges, special_tokens)
    return Tokenizer(
        merges,
        base=base,
        characters=alphabet.characters if base == "char" else None,
        chunking=chunking,
        end_of_word=end_of_word,
        fuse_end_of_word=fuse_end_of_word,
        special_tokens=special_tokens,
        normalization=normalization,
        lengths=lengths,
    )


def _of_start(start, names, given):
    """What `start` has for these arguments; ValueError where a caller asks for something else."""
    if not isinstance(start, Tokenizer):
        raise TypeError(f"start must be a Tokenizer, got {type(start).__name__}")
    for name, value in zip(names, given, strict=True):
        if value not in (train.__kwdefaults__[name], getattr(start, name)):
            raise ValueError(f"{name} is that of start, {getattr(start, name)!r}; got {checks.shown(value)}")
    return tuple(getattr(start, name) for name in names)


def _continued(start, merges, special_tokens):
    """`start` with more merges, whose ids follow all that it has, and then more special tokens."""
    parts = {name: getattr(start, name) for name in PARTS} | {"lengths": None, "ids": grown_ids(start, len(merges))}
    grown = Tokenizer([*start.merges, *merges], **parts)
    return grown.with_special_tokens(special_tokens) if special_tokens else grown


def _fits(corpus, chunking, tie):
    """Refuse what a table of `bpelab.scale` can't answer: it was cut one way, and is sorted by chunk."""
    if tie == "first" and not getattr(corpus, "first_seen_order", True):
        raise ValueError(
            "tie 'first' needs the order in which chunks were first seen, which a sorted table of counts doesn't "
            "have; choose another rule, such as 'lexicographic', or train on the text itself"
        )
    counted = getattr(corpus, "chunking", None)
    if counted is not None and counted != chunking:
        raise ValueError(f"chunking must be that of the table of counts, {counted!r}; got {chunking!r}")


def chunk_counts(corpus, chunking, normalize=str):
    """Distinct chunks with their frequencies, in the order first seen."""
    split_by.splitter(chunking)
    if isinstance(corpus, Mapping):
        counts = Counter()
        for text, n in corpus.items():
            good = type(n) is int and n > 0  # the name for an error takes longer than the check: millions of chunks
            n = n if good else checks.whole(f"corpus[{text!r}]", n, 1)
            counts[normalize(checks.text("corpus key", text))] += n
        if sum(counts.values()) >= 1 << 63:
            raise ValueError(f"corpus: frequencies must sum to less than 2**63, got {sum(counts.values())}")
        return dict(counts)
    if not isinstance(corpus, Iterable) or isinstance(corpus, bytes | bytearray):
        raise TypeError(
            f"corpus must be a str, an iterable of str or a mapping str -> frequency, got {type(corpus).__name__}"
            " (bpelab.corpora.read(path) reads a file)"
        )
    documents = (normalize(checks.no_file("corpus", text)) for text in checks.documents("corpus", corpus))
    return split_by.counted(documents, chunking)


def goal_of(num_merges, vocab_size, base_size, specials):
    """How many merges to learn; None to go on until no pair is left."""
    if num_merges is not None and vocab_size is not None:
        raise ValueError(f"give num_merges or vocab_size, not both; got {num_merges!r} and {vocab_size!r}")
    if num_merges is not None:
        return min(checks.whole("num_merges", num_merges, 0), LONGEST)
    if vocab_size is None:
        return None
    least = base_size + specials
    made_of = f" (the base alphabet has {base_size} entries, special tokens {specials})"
    return min(checks.whole("vocab_size", vocab_size, least, remedy=made_of) - least, LONGEST)
