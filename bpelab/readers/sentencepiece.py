"""SentencePiece's .model: pieces with scores, its normalization, and both ways to cut a line, BPE and Unigram.

What is done here follows its source (0.2): normalizer.cc, bpe_model.cc, unigram_model.cc.
"""

import math
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np
import regex

from bpelab import checks, specials
from bpelab.decoding import Writer
from bpelab.merges import Merge
from bpelab.readers import charsmap, protobuf
from bpelab.readers.models import ends_by_start
from bpelab.readers.reading import Reading
from bpelab.spelling import VISIBLE_BLANK

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
PIECE = {1: ("piece", str), 2: ("score", float), 3: ("type", int)}
TRAINER = {3: ("model_type", int), 24: ("treat_whitespace_as_suffix", bool), 35: ("byte_fallback", bool)}
NORMALIZER = {
    1: ("name", str),
    2: ("precompiled_charsmap", bytes),
    3: ("add_dummy_prefix", bool),
    4: ("remove_extra_whitespaces", bool),
    5: ("escape_whitespaces", bool),
}
MODELS = {1: "Unigram", 2: "BPE"}
PENALTY = np.float32(10.0)


class Piece(NamedTuple):
    """One piece of the vocabulary; its id is its place."""

    piece: str
    score: float
    type: int


class Spec(NamedTuple):
    """What a .model holds, as its messages name it."""

    pieces: list
    model_type: int
    treat_whitespace_as_suffix: bool
    byte_fallback: bool
    name: str
    precompiled_charsmap: bytes
    add_dummy_prefix: bool
    remove_extra_whitespaces: bool
    escape_whitespaces: bool


def spec(data):
    """The `Spec` in the bytes of a .model; ValueError says what is wrong or can't be read."""
    pieces, trainer, normalizer = [], {}, {}
    for number, value in protobuf.fields(data):
        if number == 1:
            piece = {"score": 0.0, "type": NORMAL} | protobuf.message(value, PIECE)
            pieces.append(Piece(piece.get("piece", ""), piece["score"], piece["type"]))
        elif number == 2:
            trainer = protobuf.message(value, TRAINER)
        elif number == 3:
            normalizer = protobuf.message(value, NORMALIZER)
    trainer = {"model_type": 1, "treat_whitespace_as_suffix": False, "byte_fallback": False} | trainer
    normalizer = {
        "name": "",
        "precompiled_charsmap": b"",
        "add_dummy_prefix": True,
        "remove_extra_whitespaces": True,
        "escape_whitespaces": True,
    } | normalizer
    read = Spec(pieces, **trainer, **normalizer)
    _check(read)
    return read


def _check(read):
    if read.model_type not in MODELS:
        raise ValueError(f"trainer_spec.model_type is {read.model_type}; Unigram (1) and BPE (2) can be read")
    if not read.pieces:
        raise ValueError("there are no pieces")
    for i, piece in enumerate(read.pieces):
        if not piece.piece or not NORMAL <= piece.type <= BYTE or not math.isfinite(piece.score):
            raise ValueError(f"pieces[{i}] is {checks.shown(tuple(piece))}, which is no piece")
    if len({piece.piece for piece in read.pieces}) < len(read.pieces):
        raise ValueError("pieces: one is given twice")
    if sum(piece.type == UNKNOWN for piece in read.pieces) != 1:
        raise ValueError("pieces: exactly one must be of the type UNKNOWN")
    for i, piece in enumerate(read.pieces):
        if piece.type == BYTE and not regex.fullmatch("<0x[0-9A-F]{2}>", piece.piece):
            raise ValueError(f"pieces[{i}] is {piece.piece!r}, which is no byte")
        if piece.type in (CONTROL, UNKNOWN) and len(piece.piece) == 1 and read.model_type == 2:
            raise ValueError(
                f"pieces[{i}]: the control symbol {piece.piece!r} is a single character, which can't be read"
            )
    if read.byte_fallback and sum(piece.type == BYTE for piece in read.pieces) != 256:
        raise ValueError("trainer_spec.byte_fallback is set, but there aren't 256 pieces of the type BYTE")


class Normalizer:
    """A line as the model sees it: the table applied, user-defined symbols kept, blanks made ▁."""

    def __init__(self, read):
        self.spec, self.mapped = read, charsmap.table(read.precompiled_charsmap) if read.precompiled_charsmap else {}
        self.kept = frozenset(piece.piece for piece in read.pieces if piece.type == USER_DEFINED)
        self.lengths = {character: sizes[::-1] for character, sizes in ends_by_start(self.mapped).items()}
        self.symbols = {character: sizes[::-1] for character, sizes in ends_by_start(self.kept).items()}
        self.blank = VISIBLE_BLANK if read.escape_whitespaces else " "

    def __call__(self, text):
        read, parts, start = self.spec, self.steps(text), 0
        while read.remove_extra_whitespaces and start < len(parts) and parts[start] == " ":
            start += 1
        if start == len(parts):
            return ""
        if read.remove_extra_whitespaces:
            parts = _single_blanks(parts[start:])
        prefix = self.blank if read.add_dummy_prefix and not read.treat_whitespace_as_suffix else ""
        suffix = self.blank if read.add_dummy_prefix and read.treat_whitespace_as_suffix else ""
        line = prefix + "".join(parts).replace(" ", self.blank)
        return (line.rstrip(self.blank) if read.remove_extra_whitespaces else line) + suffix

    def steps(self, text):
        """What each step over the text gives: a user-defined symbol, an entry of the table, a character."""
        parts, at, size = [], 0, len(text)
        while at < size:
            character = text[at]
            length = self.longest(text, at, self.symbols.get(character, ()), self.kept)
            if length:
                parts.append(text[at : at + length])
            elif length := self.longest(text, at, self.lengths.get(character, ()), self.mapped):
                parts.append(self.mapped[text[at : at + length]])
            else:
                parts.append(character)
                length = 1
            at += length
        return parts

    @staticmethod
    def longest(text, at, lengths, known):
        """The length of the longest known text that starts here; 0 for none. lengths: falling."""
        return next((n for n in lengths if text[at : at + n] in known and len(text) - at >= n), 0)


def _single_blanks(parts):
    """One blank between words: those at the start and after a blank go."""
    kept, blank = [], True
    for part in parts:
        part = part.lstrip(" ") if blank else part
        if part:
            kept.append(part)
            blank = part.endswith(" ")
    return kept


class SentencePiece(Reading):
    """A SentencePiece model: the ids of its `encode`, without bos and eos.

    Control symbols are the special tokens; SentencePiece itself never reads them in text. Of the bonus
    that user-defined symbols get in Unigram, versions have different ideas; this is that of 0.2.3.
    """

    def __init__(self, data):
        read = spec(data)
        control = {piece.piece: i for i, piece in enumerate(read.pieces) if piece.type == CONTROL}
        tokens = {
            i: bytes([int(piece.piece[3:5], 16)]) if piece.type == BYTE else piece.piece.encode()
            for i, piece in enumerate(read.pieces)
        }
        unknown = next(i for i, piece in enumerate(read.pieces) if piece.type == UNKNOWN)
        super().__init__(tokens, control, _source(read), unknown)
        self._set(spec=read, normalize=Normalizer(read))

    @property
    def _identity(self):
        return SentencePiece, self.spec

    @cached_property
    def model(self):
        """What cuts a normalized line: line -> list of (piece, id)."""
        return (Viterbi if self.spec.model_type == 1 else Pairs)(self.spec, self.unknown_id)

    @cached_property
    def _bytes(self):
        return {int(piece.piece[3:5], 16): i for i, piece in enumerate(self.spec.pieces) if piece.type == BYTE}

    def _cut_with(self, text, names):
        ids = []
        for at, part in enumerate(specials.pattern_of(names).split(text) if names else [text]):
            ids += [self.special_tokens[part]] if at % 2 else self._line(part)
        return ids, list(map(self._token_of, ids))

    def _line(self, text):
        ids, before = [], False
        for piece, i in self.model(self.normalize(text)):
            unknown = i == self.unknown_id
            if unknown and self.spec.byte_fallback:
                ids += [self._bytes[byte] for byte in piece.encode()]
            elif not (unknown and before):
                ids.append(i)
            before = unknown
        return ids

    def unknown_runs(self, text):
        """The stretches of a normalized text that are one unknown token each: a list of str."""
        runs, before = [], False
        for piece, i in self.model(self.normalize(text)):
            unknown = i == self.unknown_id
            if unknown and before:
                runs[-1] += piece
            elif unknown:
                runs.append(piece)
            before = unknown
        return runs

    def writer(self):
        return Writer(self._token_of, unknown=self.unknown_id, visible=True)

    @property
    def merges(self):
        """The merges, where the pieces are those of BPE: a list of `Merge`; ValueError where they are not."""
        return [Merge(left.encode(), right.encode()) for left, right in self._merge_list[0]]

    @cached_property
    def _merge_list(self):
        """(pairs of texts in the order of falling score, the vocabulary's rank of each piece)."""
        if self.spec.model_type != 2:
            raise ValueError(f"{self!r} is no list of merges: Unigram has a probability for each piece instead")
        model = self.model
        ranked = sorted(
            (-score, i, piece)
            for piece, (i, score) in model.pieces.items()
            if len(piece) > 1 and piece not in model.frozen
        )
        ranks, pairs = {piece: rank for rank, (_, _, piece) in enumerate(ranked)}, []
        for _, _, piece in ranked:
            parts = model.cut(piece, below=ranks, limit=ranks[piece])
            if len(parts) != 2:
                raise ValueError(f"{self!r} is no list of merges: {piece!r} is not made of two earlier pieces")
            pairs.append(tuple(parts))
        return pairs, ranks

    def curve(self, texts):
        """The number of tokens of some texts at every number of merges, 0 to all: int64[merges + 1].

        ValueError where the list isn't one of merges in rank order.
        """
        pairs, ranks = self._merge_list
        applied, start = np.zeros(len(pairs) + 1, np.int64), 0
        for text in checks.documents("texts", texts):
            line, used = self.normalize(text), []
            self.model.cut(line, used=used)
            order = [ranks[piece] for piece in used]
            if order != sorted(order):
                raise ValueError(
                    f"{self!r}: {checks.shown(text)} is not cut by its merges in turn, so there is no curve"
                )
            start += len(self._line(text)) + len(order)
            for rank in order:
                applied[rank + 1] += 1
        return start - np.cumsum(applied)


def _source(read):
    words = [f"SentencePiece model, {MODELS[read.model_type]}, {len(read.pieces):,} pieces"]
    words += [f"normalization {read.name or 'none'}"] + (["byte_fallback"] if read.byte_fallback else [])
    symbols = sum(piece.type == USER_DEFINED for piece in read.pieces)
    words += [f"{symbols} user-defined symbols"] if symbols else []
    return ", ".join([*words, "bos and eos not added"])


# --- BPE ------------------------------------------------------------------------------------------


class Pairs:
    """BPE by pieces: of all neighbours that are a piece together, those with the best score are joined first."""

    def __init__(self, read, unknown):
        known = {NORMAL, USER_DEFINED, UNUSED}
        self.pieces = {piece.piece: (i, piece.score) for i, piece in enumerate(read.pieces) if piece.type in known}
        self.unused = frozenset(piece.piece for piece in read.pieces if piece.type == UNUSED)
        self.frozen = frozenset(piece.piece for piece in read.pieces if piece.type == USER_DEFINED)
        self.lengths = {character: sizes[::-1] for character, sizes in ends_by_start(self.frozen).items()}
        self.unknown = unknown

    def symbols(self, line):
        """Characters and user-defined symbols: (text, whether it takes no part in merges)."""
        symbols, at = [], 0
        while at < len(line):
            length = Normalizer.longest(line, at, self.lengths.get(line[at], ()), self.frozen)
            symbols.append((line[at : at + (length or 1)], bool(length)))
            at += length or 1
        return symbols

    def __call__(self, line):
        made = {}
        return [out for piece in self.cut(line, made=made) for out in self.resolved(piece, made)]

    def resolved(self, piece, made):
        """An unused piece as those it was made of."""
        stack, out = [piece], []
        while stack:
            top = stack.pop()
            if top in self.unused and top in made:
                stack += made[top][::-1]
            else:
                out.append((top, self.pieces[top][0] if top in self.pieces else self.unknown))
        return out

    def cut(self, line, below=None, limit=0, used=None, made=None):
        """The texts of the symbols after all joins. below, limit: only pieces of a rank below the limit.

        used: a list to note joined pieces in; made: {unused piece: the two it was last made of}.
        """
        pieces, symbols = self.pieces, self.symbols(line)
        texts, frozen = [text for text, _ in symbols], [kept for _, kept in symbols]
        size, heap = len(texts), []
        after, before = list(range(1, size + 1)), list(range(-1, size - 1))

        def add(left, right, push):
            if frozen[left] or frozen[right]:
                return
            piece = texts[left] + texts[right]
            found = pieces.get(piece)
            if found is None or (below is not None and below.get(piece, limit) >= limit):
                return
            push((-found[1], left, right, len(piece)))
            if made is not None and piece in self.unused:
                made[piece] = texts[left], texts[right]

        for left in range(size - 1):
            add(left, left + 1, heap.append)
        heapify(heap)
        while heap:
            _, left, right, length = heappop(heap)
            if not texts[left] or not texts[right] or len(texts[left]) + len(texts[right]) != length:
                continue
            texts[left] += texts[right]
            texts[right] = ""
            if used is not None:
                used.append(texts[left])
            after[left] = after[right]
            if after[right] < size:
                before[after[right]] = left
            if before[left] >= 0:
                add(before[left], left, lambda entry: heappush(heap, entry))
            if after[left] < size:
                add(left, after[left], lambda entry: heappush(heap, entry))
        return [text for text in texts if text]


# --- Unigram --------------------------------------------------------------------------------------


class Viterbi:
    """The best path over a whole line, its sums kept in 32 bits, as SentencePiece keeps them."""

    def __init__(self, read, unknown):
        normal = [np.float32(piece.score) for piece in read.pieces if piece.type == NORMAL] or [np.float32(0)]
        self.least = float(min(normal) - PENALTY)
        self.unknown, self.scores = unknown, {}
        for i, piece in enumerate(read.pieces):
            score = piece.score
            if piece.type == USER_DEFINED:  # a bonus that grows with the bytes, by which it nearly always wins
                score = 0.1 * len(piece.piece.encode()) - 0.1
            if piece.type in (NORMAL, USER_DEFINED):
                self.scores[piece.piece] = i, score
            elif piece.type == UNUSED:
                self.scores[piece.piece] = i, None
        self.ends = ends_by_start(self.scores)

    def __call__(self, line):
        size, scores, least = len(line), self.scores, np.float32(self.least)
        best, back, which = [np.float32(0)] * (size + 1), [-1] * (size + 1), [0] * (size + 1)
        for start in range(size):
            here, single = best[start], False
            wide = float(here)
            for length in self.ends.get(line[start], ()):
                end = start + length
                if end > size:
                    break
                found = scores.get(line[start:end])
                if found is None or found[1] is None:
                    continue
                single |= length == 1
                score = found[1] + wide  # compared in 64 bits, kept in 32
                if back[end] < 0 or score > best[end]:
                    best[end], back[end], which[end] = np.float32(score), start, found[0]
            if not single:
                score = least + here
                if back[start + 1] < 0 or score > best[start + 1]:
                    best[start + 1], back[start + 1], which[start + 1] = score, start, self.unknown
        path, end = [], size
        while end > 0:
            path.append((line[back[end] : end], which[end]))
            end = back[end]
        return path[::-1]
