"""Hugging Face's decoders: tokens (bytes) to text, one by one."""

from functools import partial

from bpelab.spelling import REPLACEMENT

#: What WordPiece's clean-up takes out, in its order.
CLEAN = {
    b" .": b".", b" ?": b"?", b" !": b"!", b" ,": b",", b" ' ": b"'", b" n't": b"n't", b" 'm": b"'m",
    b" do not": b" don't", b" 's": b"'s", b" 've": b"'ve", b" 're": b"'re",
}  # fmt: skip


def decoder(fields):
    """The steps that a "decoder" of tokenizer.json stands for: functions (bytes, whether the first) -> bytes."""
    if fields is None:
        return (_spaced,)
    return tuple(fields.type(READERS)(fields))


class Writer:
    """Ids to bytes through the steps of a decoder; `pending` of a step is written before the next token."""

    def __init__(self, token_of, unknown, steps):
        self.token_of, self.unknown, self.steps = token_of, unknown, steps
        self.first, self.pending = True, b""

    def write(self, i):
        """The bytes that id i (None: outside the vocabulary) adds."""
        token = REPLACEMENT if i is None or i == self.unknown else self.token_of(i)
        for step in self.steps:
            token = step(token, self.first)
        before, self.pending = self.pending, b""
        if token.endswith(b"\xff<bpe"):  # the blank of a word's end is due only if another token follows
            token, self.pending = token[: -len(b"\xff<bpe")], b" "
        self.first = False
        return before + token


def _spaced(token, first):
    return token if first else b" " + token


def _replace(old, new, token, first):
    return token.replace(old, new)


def _metaspace(blank, drop, token, first):
    return token.replace(blank, b"" if first and drop else b" ")


def _word_piece(prefix, cleanup, token, first):
    if not first:
        token = token.removeprefix(prefix) if prefix and token.startswith(prefix) else b" " + token
    for old, new in CLEAN.items() if cleanup else ():
        token = token.replace(old, new)
    return token


def _ends(suffix, token, first):
    return token[: -len(suffix)] + b"\xff<bpe" if token.endswith(suffix) else token


def _strip(content, start, only_first, token, first):
    times = start if first or not only_first else 0
    for _ in range(times):
        token = token.removeprefix(content)
    return token


def _read_sequence(fields):
    steps, fused = [], False
    for part in fields.parts("decoders"):
        kind = part.get("type", str)
        if fused and kind not in ("Strip", "Fuse"):
            part.refuse("type", f"{kind} after Fuse")
        steps += _read_strip(part, fused) if kind == "Strip" else part.type(READERS)(part)
        fused |= kind == "Fuse"
    return steps


def _read_strip(fields, fused=False):
    content, start = fields.get("content", str), fields.get("start", int)
    if fields.get("stop", int) or len(content) != 1 or not 0 <= start <= 8:
        fields.refuse("stop")
    return [partial(_strip, content.encode(), start, fused)]


def _read_replace(fields):
    pattern = fields.part("pattern")
    if pattern is None or not pattern.value.get("String"):
        fields.refuse("pattern")
    return [partial(_replace, pattern.get("String", str).encode(), fields.get("content", str).encode())]


def _read_metaspace(fields):
    scheme = fields.choice("prepend_scheme", ("always", "first", "never"), "always")
    drop = scheme != "never" and fields.get("add_prefix_space", bool, True)
    return [partial(_metaspace, fields.get("replacement", str).encode(), drop)]


def _read_word_piece(fields):
    return [partial(_word_piece, fields.get("prefix", str, "##").encode(), fields.get("cleanup", bool, True))]


def _read_bpe(fields):
    suffix = fields.get("suffix", str)
    return [partial(_ends, suffix.encode())] if suffix else [_spaced]


def _nothing(fields):
    """A step that is done already: bytes are spelled as bytes, and tokens are joined anyway."""
    return []


READERS = {
    "ByteLevel": _nothing,
    "ByteFallback": _nothing,
    "Fuse": _nothing,
    "Metaspace": _read_metaspace,
    "WordPiece": _read_word_piece,
    "BPEDecoder": _read_bpe,
    "Replace": _read_replace,
    "Strip": _read_strip,
    "Sequence": _read_sequence,
}
