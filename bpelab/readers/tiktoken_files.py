"""tiktoken's ranks (a file of them, or Mistral's Tekken JSON): tokens looked up by their bytes."""

import base64
import binascii
from collections import Counter
from types import SimpleNamespace

import numpy as np
import regex

from bpelab import checks, imports, specials
from bpelab.chunking import PATTERNS, splitter
from bpelab.readers import oniguruma
from bpelab.readers.fields import Fields
from bpelab.readers.models import Model
from bpelab.readers.reading import Reading


class Ranks(Reading):
    """Tokens with ranks: of two neighbours the pair whose bytes together have the lowest rank is joined.

    A chunk that is a token is taken whole. This is what tiktoken does, for any list, with holes or without.
    ranks: token (bytes) -> id. offset: what the ids are larger by than the ranks.
    """

    def __init__(self, ranks, chunking, special_tokens=(), offset=0, source="ranks"):
        tokens = {rank + offset: token for token, rank in ranks.items()}
        missing = [byte for byte in range(256) if bytes([byte]) not in ranks]
        if missing:
            raise ValueError(f"the byte 0x{missing[0]:02X} has no rank, so some text can't be encoded")
        super().__init__(tokens, dict(special_tokens), source)
        splitter(chunking)  # a bad pattern is said here, not later
        self._set(
            chunking=chunking, model=RankModel(ranks, offset), _pattern=regex.compile(PATTERNS.get(chunking, chunking))
        )

    def _split(self, text):
        """The chunks: matches of the pattern, as of Unicode 16, which tiktoken's engine follows."""
        spans = oniguruma.spans(self._pattern, text)
        if sum(end - start for start, end in spans) < len(text):
            raise ValueError(f"the pattern {checks.shown(self.chunking)} leaves some of the text uncovered")
        return [text[start:end] for start, end in spans]

    @property
    def _identity(self):
        return Ranks, tuple(self._tokens), self.special_tokens, self.chunking

    def _cut_with(self, text, names):
        ids = []
        for at, part in enumerate(specials.pattern_of(names).split(text) if names else [text]):
            if at % 2:
                ids.append(self.special_tokens[part])
                continue
            for chunk in self._split(part):
                ids += self.model.ids(chunk)
        return ids, list(map(self._token_of, ids))

    @property
    def merges(self):
        """The merges that make the tokens, in order: a list of `Merge`; ValueError where a token is made by none."""
        return list(imports.from_tiktoken(_encoding(self.model.ranks, r"[\s\S]+", {})).merges)

    def curve(self, texts):
        """The number of tokens of some texts with the first 0, 1, 2, ... ranks after the bytes: int64[ranks - 255].

        A chunk is one token from its own rank on, since it is looked up whole. ValueError where a chunk
        isn't joined in the order of ranks, so that the first k ranks alone give other tokens.
        """
        order = sorted(rank for token, rank in self.model.ranks.items() if len(token) > 1)
        place = {rank: at for at, rank in enumerate(order)}
        chunks = Counter(chunk for text in checks.documents("texts", texts) for chunk in self._split(text))
        start, steps = 0, np.zeros(len(order) + 1, np.int64)
        for chunk, times in chunks.items():
            data, used = chunk.encode(), []
            joined(data, self.model.ranks, used)
            if used != sorted(used):
                raise ValueError(
                    f"{self!r}: {checks.shown(chunk)} isn't joined in the order of ranks, so there is no curve"
                )
            whole = self.model.ranks.get(data, 1 << 32)
            before = [rank for rank in used if rank < whole]
            start += times * len(data)
            for rank in before:
                steps[place[rank] + 1] += times
            if len(data) > 1 and whole in place:
                steps[place[whole] + 1] += times * (len(data) - 1 - len(before))
        return start - np.cumsum(steps)


class RankModel(Model):
    """One chunk to ids."""

    def __init__(self, ranks, offset):
        self.ranks, self.offset, self.cache = ranks, offset, {}

    def encode(self, piece):
        data = piece.encode()
        if data in self.ranks:
            return [self.ranks[data] + self.offset]
        return [self.ranks[part] + self.offset for part in joined(data, self.ranks)]


def joined(data, ranks, used=None):
    """The bytes cut into tokens: the lowest rank is joined first, the leftmost of equals; `used` notes the ranks."""
    parts = [data[at : at + 1] for at in range(len(data))]
    found = [ranks.get(data[at : at + 2]) for at in range(len(data) - 1)]
    while True:
        lowest = min((rank for rank in found if rank is not None), default=None)
        if lowest is None:
            return parts
        at = found.index(lowest)
        if used is not None:
            used.append(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del found[at]
        for near in (at - 1, at):
            if 0 <= near < len(found):
                found[near] = ranks.get(parts[near] + parts[near + 1])


def read_ranks(data):
    """token -> rank, of a .tiktoken file (bytes): base64 of the token, blank, rank."""
    ranks = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        parts = line.split()
        try:
            token, rank = base64.b64decode(parts[0], validate=True), int(parts[1])
        except (ValueError, IndexError, binascii.Error):
            raise ValueError(
                f"line {number} must be base64, a blank and a rank, got {checks.shown(line[:80])}"
            ) from None
        if len(parts) != 2 or not token or token in ranks or not 0 <= rank < 1 << 31:
            raise ValueError(f"line {number}: {checks.shown(line[:80])} is no rank, or gives a token again")
        ranks[token] = rank
    if len(set(ranks.values())) < len(ranks):
        raise ValueError("a rank is given twice")
    return ranks


def tokenizer(ranks, chunking, special_tokens, source, offset=0):
    """A `Tokenizer` where the ranks are a merge list; else `Ranks`, which says so."""
    special, pattern = dict(special_tokens), PATTERNS.get(chunking, chunking)
    try:
        ours = imports.from_tiktoken(_encoding(ranks, pattern, {} if offset else special))
        if not offset:
            ours._set(source=source)
            return ours
        words = f"{source}, a merge list"
    except ValueError as error:
        words = f"{source}, no merge list: {str(error).removeprefix('encoding: ')}"
    name = next((name for name, known in PATTERNS.items() if known == pattern), pattern)
    return Ranks(ranks, name, special, offset, words)


def _encoding(ranks, pattern, special):
    """What `imports.from_tiktoken` needs of an Encoding."""
    return SimpleNamespace(_mergeable_ranks=ranks, _pat_str=pattern, _special_tokens=special)


def tekken(document):
    """The tokenizer in a Tekken JSON (a dict): ids are ranks plus the number of special tokens."""
    fields = Fields(document, "")
    config = fields.part("config")
    if config is None:
        fields.refuse("config")
    pattern, count = config.get("pattern", str), config.get("default_num_special_tokens", int)
    size = config.get("default_vocab_size", int) - count
    vocab = fields.get("vocab", list)
    if not 0 < size <= len(vocab) or not 0 <= count < 1 << 20:
        config.refuse("default_vocab_size")
    ranks = {}
    for index, entry in enumerate(fields.parts("vocab")[:size]):
        try:
            token = base64.b64decode(entry.get("token_bytes", str), validate=True)
        except binascii.Error:
            entry.refuse("token_bytes")
        if entry.get("rank", int) != index or not token or token in ranks:
            entry.refuse("rank")
        ranks[token] = index
    special = {f"<SPECIAL_{i}>": i for i in range(count)}
    named = fields.parts("special_tokens")
    if named:
        names = {entry.get("token_str", str): entry.get("rank", int) for entry in named}
        if len(names) != len(named) or sorted(names.values()) != list(range(len(names))) or len(names) > count:
            fields.refuse("special_tokens")
        special = names | {f"<SPECIAL_{i}>": i for i in range(len(names), count)}
    safe_pattern(pattern, config.place("pattern"))
    source = f"Tekken JSON, {size:,} ranks after {count:,} special tokens"
    return tokenizer(ranks, pattern, special, source, count)


def safe_pattern(pattern, place):
    """Refuse a pattern that engines read differently, and one that may run away."""
    if construct := oniguruma.dialect(pattern):
        raise ValueError(f"{place} has {construct!r}, which engines read differently, so it can't be read here")
    try:
        oniguruma.compiled(pattern)
    except oniguruma.Unreadable as error:
        raise ValueError(f"{place} has {error}, which can't be read here") from None
