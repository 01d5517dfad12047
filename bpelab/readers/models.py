"""The models of tokenizer.json besides BPE: one piece of text to ids."""

#: Pieces up to this many characters are remembered with their ids, up to this many pieces.
LONGEST_REMEMBERED, MOST_REMEMBERED = 64, 1 << 16
PENALTY = 10.0


def fallback_ids(vocab):
    """byte -> id of its token, such as <0x41>, where there is one."""
    return {byte: vocab[f"<0x{byte:02X}>"] for byte in range(256) if f"<0x{byte:02X}>" in vocab}


class Model:
    """`encode(piece)`, remembered for short pieces in `cache`, which is replaced and never emptied."""

    def ids(self, piece):
        """The ids of a piece: a list, not to be changed."""
        known = self.cache
        ids = known.get(piece)
        if ids is None:
            ids = self.encode(piece)
            if len(piece) <= LONGEST_REMEMBERED:
                if len(known) >= MOST_REMEMBERED:
                    self.cache = known = {}
                known[piece] = ids
        return ids

    def __getstate__(self):
        return self.__dict__ | {"cache": {}}


class WordPiece(Model):
    """The longest token that fits, from left to right; a word that can't be cut so is unknown as a whole."""

    def __init__(self, vocab, unknown, prefix, most):
        self.vocab, self.unknown, self.prefix, self.most = vocab, unknown, prefix, most
        self.longest = max(map(len, vocab), default=0)
        self.cache = {}

    def encode(self, piece):
        ids, start = [], 0
        if len(piece) > self.most:
            return [self.unknown]
        while start < len(piece):
            before = self.prefix if start else ""
            ends = range(min(len(piece), start + self.longest), start, -1)
            end = next((end for end in ends if before + piece[start:end] in self.vocab), None)
            if end is None:
                return [self.unknown]
            ids.append(self.vocab[before + piece[start:end]])
            start = end
        return ids


class WordLevel(Model):
    """A piece is a token, or unknown."""

    def __init__(self, vocab, unknown):
        self.vocab, self.unknown, self.cache = vocab, unknown, {}

    def encode(self, piece):
        return [self.vocab.get(piece, self.unknown)]


class Unigram(Model):
    """The most probable way to cut a piece, in 64 bits, as Hugging Face does it.

    pieces: (text, score) by id; unknown: an id; fallback: whether what is unknown is written as bytes.
    """

    def __init__(self, pieces, unknown, fallback):
        self.scores = dict(pieces)
        self.vocab = {piece: i for i, (piece, _) in enumerate(pieces)}
        self.scores = {piece: pieces[i][1] for piece, i in self.vocab.items()}
        self.unknown, self.longest = unknown, max(map(len, self.vocab), default=0)
        self.bytes = fallback_ids(self.vocab) if fallback else None
        self.least = min((score for _, score in pieces), default=0.0) - PENALTY
        self.ends = ends_by_start(self.vocab)
        self.cache = {}

    def encode(self, piece):
        ids = []
        for token in self.pieces(piece):
            known = self.vocab.get(token)
            if known is not None:
                ids.append(known)
                continue
            written = None if self.bytes is None else [self.bytes.get(byte) for byte in token.encode()]
            ids += [self.unknown] if written is None or None in written else written
        return ids

    def pieces(self, text):
        """The pieces of the best path; a run of unknown characters is one."""
        size, scores, vocab, unknown = len(text), self.scores, self.vocab, self.unknown
        best, back = [0.0] + [None] * size, [0] * (size + 1)
        which = [None] * (size + 1)
        for start in range(size):
            here, single = best[start], False
            for length in self.ends.get(text[start], ()):
                token = text[start : start + length]
                if len(token) < length:
                    break
                score = scores.get(token)
                if score is None:
                    continue
                single |= length == 1
                end, score = start + length, score + here
                if best[end] is None or score > best[end]:
                    best[end], back[end], which[end] = score, start, vocab[token]
            if not single and (best[start + 1] is None or here + self.least > best[start + 1]):
                best[start + 1], back[start + 1], which[start + 1] = here + self.least, start, unknown
        tokens, end, run = [], size, size
        while end > 0:
            start = back[end]
            if which[end] != unknown:
                if run > end:
                    tokens.append(text[end:run])
                tokens.append(text[start:end])
                run = start
            end = start
        if run > 0:
            tokens.append(text[:run])
        return tokens[::-1]


def ends_by_start(pieces):
    """First character -> the lengths that pieces with it have, in rising order."""
    lengths = {}
    for piece in pieces:
        if piece:
            lengths.setdefault(piece[0], set()).add(len(piece))
    return {character: sorted(found) for character, found in lengths.items()}
