"""Hugging Face's tokenizer.json: added tokens, normalizer, pre-tokenizer, model and decoder, read one by one.

The ids are those of `encode(text, add_special_tokens=False)` with special tokens read as ordinary text
(`encode_special_tokens`); with allowed_special="all", those without that setting.
"""

import numpy as np

from bpelab import checks
from bpelab.chunking import NAMES, PATTERNS
from bpelab.merges import Merge
from bpelab.readers import oniguruma
from bpelab.readers.added import Added, Finder
from bpelab.readers.bpe import BPE, merged
from bpelab.readers.decoders import Writer, decoder
from bpelab.readers.fields import Fields
from bpelab.readers.models import Unigram, WordLevel, WordPiece
from bpelab.readers.normalizers import normalizer
from bpelab.readers.pretokenizers import pre_tokenizer
from bpelab.readers.reading import Reading
from bpelab.spelling import character_bytes
from bpelab.tokenizer import Tokenizer

#: Parts that leave the start of a text where it is, so that Metaspace's "first" can be told.
KEEPS_START = ("NFC", "NFKC", "NFD", "NFKD", "Lowercase")
FLAGS = ("special", "single_word", "lstrip", "rstrip", "normalized")


class HuggingFace(Reading):
    """A tokenizer.json, with all its parts."""

    def __init__(self, document):
        fields = Fields(document, "")
        model, vocab, unknown = _model(fields.part("model"))
        _check_first(fields)
        normalize = normalizer(fields.part("normalizer"))
        added = _added(fields, vocab, normalize)
        byte_level, fallback = (
            _has(document, "ByteLevel"),
            _has(document, "ByteFallback") or getattr(model, "bytes", None),
        )
        tokens = {i: _spelled(token, byte_level, fallback) for token, i in vocab.items()}
        tokens |= {token.id: token.content.encode() for token, _ in added}
        special = {token.content: token.id for token, _ in added if token.special}
        super().__init__(tokens, special, _source(fields, vocab, added), unknown)
        self._set(
            model=model,
            normalize=normalize or str,
            pre_tokenize=pre_tokenizer(fields.part("pre_tokenizer")),
            _finders=_finders(added, normalize),
            _steps=() if byte_level and fields.part("decoder") is None else decoder(fields.part("decoder")),
            document={name: document.get(name) for name in ("normalizer", "pre_tokenizer", "added_tokens", "decoder")},
        )

    @property
    def _identity(self):
        return HuggingFace, tuple(self._tokens), self.special_tokens, repr(self.document), repr(self.model.__dict__)

    # --- text to ids ---

    def parts(self, text, names=()):
        """The text as the model sees it: a list of pieces (str), and of added tokens (`Added`)."""
        plain, normalized = self._finders
        found = []
        for part, token, start in plain.parts(text, names):
            if token:
                found.append(token)
                continue
            for piece, inner, at in normalized.parts(self.normalize(part), names):
                if inner:
                    found.append(inner)
                elif piece:
                    found += self.pieces(piece, start + at == 0)
        return found

    def pieces(self, text, first=True):
        """Normalized text without added tokens, cut into the pieces that the model takes one by one: list of str."""
        pieces = [(text, first)]
        return [piece for piece, _ in (self.pre_tokenize(pieces) if self.pre_tokenize else pieces)]

    def _cut_with(self, text, names):
        ids = self._all(text, names)
        return ids, list(map(self._token_of, ids))

    def _encode(self, text, names):
        return self._all(text, names)

    def _ids_of(self, text):
        return self._all(text, ())

    def _all(self, text, names):
        ids, encode = [], self.model.ids
        for part in self.parts(text, names):
            if isinstance(part, str):
                ids += encode(part)
            else:
                ids.append(part.id)
        return ids

    def writer(self):
        return Writer(self._token_of, self.unknown_id, self._steps)

    # --- the list of merges ---

    @property
    def merges(self):
        """The merges in order: a list of `Merge` (bytes); ValueError where the model is no BPE."""
        model = self._bpe("merges")
        spell = self._tokens
        return [Merge(spell[model.vocab[left]], spell[model.vocab[right]]) for left, right in model.merges]

    def _bpe(self, what):
        if not isinstance(self.model, BPE):
            raise ValueError(f"{self!r} has no {what}: its model is no list of merges, but {type(self.model).__name__}")
        return self.model

    def curve(self, texts):
        """The number of tokens of some texts at every number of merges, 0 to all: int64[merges + 1].

        ValueError where the list isn't one of merges in rank order: where a later merge comes before an
        earlier one in some piece, or a piece is looked up whole, the first k merges alone give other tokens.
        """
        model, counts = self._bpe("curve"), {}
        for text in checks.documents("texts", texts):
            for part in self.parts(text):
                counts[part] = counts.get(part, 0) + 1
        start, applied = 0, np.zeros(len(model.merges) + 1, np.int64)
        for part, times in counts.items():
            if not isinstance(part, str):
                start += times
                continue
            symbols, ranks = model.symbols(part), []
            ids = merged(symbols, model.rules, ranks)
            if ranks != sorted(ranks) or ids != model.ids(part):
                raise ValueError(
                    f"{self!r} is no merge list in rank order: {checks.shown(part)} is not cut by its merges in turn, "
                    "so there is no curve over the number of merges"
                )
            start += times * len(symbols)
            for rank in ranks:
                applied[rank + 1] += times
        return start - np.cumsum(applied)


# --- parts of the document --------------------------------------------------------------------------


def _model(fields):
    """(model, vocab: str -> id, id of the unknown token or None)."""
    if fields is None:
        raise ValueError("model is missing")
    kind = fields.get("type", str, "BPE" if "merges" in fields.value else "")
    if kind not in MODELS:
        fields.refuse("type", kind)
    return MODELS[kind](fields)


def _vocab(fields):
    vocab = fields.get("vocab", dict)
    for token, i in vocab.items():
        checks.text(fields.place("vocab"), token)
        if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < 1 << 31:
            raise ValueError(f"{fields.place('vocab')}: the id of {checks.shown(token)} is {checks.shown(i)}")
    if len(set(vocab.values())) < len(vocab):
        raise ValueError(f"{fields.place('vocab')} gives one id to two tokens")
    return vocab


def _unknown(fields, vocab, *default):
    """The id of the unknown token; None where the file has none."""
    name = fields.get("unk_token", str, *default)
    if name is not None and name not in vocab:
        raise ValueError(
            f"{fields.place('unk_token')} is {checks.shown(name)}, which is not in {fields.place('vocab')}"
        )
    return None if name is None else vocab[name]


def _bpe(fields):
    vocab = _vocab(fields)
    if fields.get("dropout", float | int, 0):
        fields.refuse("dropout")
    prefix = fields.get("continuing_subword_prefix", str, "")
    model = BPE(
        vocab,
        list(_merges(fields, vocab, prefix)),
        prefix=prefix,
        suffix=fields.get("end_of_word_suffix", str, ""),
        unknown=_unknown(fields, vocab, None),
        fuse=fields.get("fuse_unk", bool, False),
        fallback=fields.get("byte_fallback", bool, False),
        whole=fields.get("ignore_merges", bool, False),
    )
    return model, vocab, model.unknown


def _merges(fields, vocab, prefix):
    place = fields.place("merges")
    for index, merge in enumerate(fields.get("merges", list)):
        if isinstance(merge, str) and merge.startswith("#version"):
            continue  # the library skips it, too
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) for part in parts):
            raise ValueError(f"{place}[{index}] must be two tokens, got {checks.shown(merge)}")
        left, right = parts
        if not right.startswith(prefix):
            raise ValueError(f"{place}[{index}]: {checks.shown(right)} doesn't start with the prefix {prefix!r}")
        for token in (left, right, left + right[len(prefix) :]):
            if token not in vocab:
                raise ValueError(f"{place}[{index}]: {checks.shown(token)} is not in {fields.place('vocab')}")
        yield left, right


def _word_piece(fields):
    vocab = _vocab(fields)
    unknown, most = _unknown(fields, vocab), fields.get("max_input_chars_per_word", int, 100)
    return WordPiece(vocab, unknown, fields.get("continuing_subword_prefix", str, "##"), most), vocab, unknown


def _word_level(fields):
    vocab = _vocab(fields)
    unknown = _unknown(fields, vocab)
    return WordLevel(vocab, unknown), vocab, unknown


def _unigram(fields):
    pieces = fields.get("vocab", list)
    for index, piece in enumerate(pieces):
        good = isinstance(piece, list) and len(piece) == 2 and isinstance(piece[0], str)
        if not good or isinstance(piece[1], bool) or not isinstance(piece[1], int | float):
            raise ValueError(f"{fields.place('vocab')}[{index}] must be [piece, score], got {checks.shown(piece)}")
        checks.text(f"{fields.place('vocab')}[{index}]", piece[0])
    if len({piece for piece, _ in pieces}) < len(pieces):
        raise ValueError(f"{fields.place('vocab')} gives a piece twice")
    unknown = fields.get("unk_id", int)
    if not 0 <= unknown < len(pieces):
        fields.refuse("unk_id")
    model = Unigram(pieces, unknown, fields.get("byte_fallback", bool, False))
    return model, model.vocab, unknown


MODELS = {"BPE": _bpe, "WordPiece": _word_piece, "WordLevel": _word_level, "Unigram": _unigram}


def _added(fields, vocab, normalize):
    """[(Added, whether it is searched in normalized text)], with the ids that the library gives them."""
    added, taken = [], {}
    for token in fields.parts("added_tokens"):
        content, number = token.get("content", str), token.get("id", int)
        if not content or content in taken:
            token.refuse("content")
        beyond = max(taken.values(), default=-1)
        given = vocab.get(content, beyond + 1 if beyond >= len(vocab) or not vocab else len(vocab))
        if given != number:
            raise ValueError(
                f"{token.place('id')} is {number}, but Hugging Face's library would give {checks.shown(content)} "
                f"the id {given}; the file is at odds with itself"
            )
        if number in taken.values():
            token.refuse("id")
        taken[content] = number
        flags = {name: token.get(name, bool) for name in FLAGS}
        searched = flags.pop("normalized")
        if searched and normalize and not normalize(content):
            raise ValueError(f"{token.place('content')} is {content!r}, of which the normalizer leaves nothing")
        added.append((Added(content, number, **flags), searched))
    return added


def _finders(added, normalize):
    """What finds added tokens in the text as it is, and in normalized text."""
    plain = {token.content: token for token, searched in added if not searched}
    normalized = {}
    for token, searched in added:
        if searched:
            spelled = normalize(token.content) if normalize else token.content
            if spelled in normalized:
                both = f"{normalized[spelled].content!r} and {token.content!r}"
                raise ValueError(
                    f"added_tokens: {both} are the same when normalized, {spelled!r}; which is found is unclear"
                )
            normalized[spelled] = token
    return Finder(plain), Finder(normalized)


def _check_first(fields):
    """Refuse Metaspace's scheme "first" where it can't be told what stands at the start of the text."""
    before, normalize = fields.part("pre_tokenizer"), fields.part("normalizer")
    if before is None or not _has(before.value, "first", "prepend_scheme"):
        return
    steps = before.value.get("pretokenizers") or [before.value]
    first_step = isinstance(steps, list) and isinstance(steps[0], dict) and steps[0].get("prepend_scheme") == "first"
    if not first_step or _has(steps[1:], "first", "prepend_scheme"):
        before.refuse("prepend_scheme", "first, after another step")
    if normalize is not None and normalize.value.get("type") not in KEEPS_START:
        before.refuse("prepend_scheme", "first, after a normalizer that may change the start of the text")
    normalized = any(token.get("normalized", bool) for token in fields.parts("added_tokens"))
    if normalize is not None and normalized:
        before.refuse("prepend_scheme", "first, with a normalizer and added tokens that are normalized")


def _has(value, wanted, key="type"):
    """Whether some object in a part of the document has this value under the key."""
    if isinstance(value, dict):
        return value.get(key) == wanted or any(
            _has(part, wanted, key) for name, part in value.items() if name != "vocab"
        )
    return isinstance(value, list) and any(_has(part, wanted, key) for part in value if isinstance(part, dict | list))


def _spelled(token, byte_level, fallback):
    """The bytes that a token of the file stands for."""
    if byte_level and all(character in character_bytes() for character in token):
        return bytes(character_bytes()[character] for character in token)
    if fallback and len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
        try:
            return bytes([int(token[3:5], 16)])
        except ValueError:
            pass
    return token.encode()


def _source(fields, vocab, added):
    """What was read, in words."""
    model = fields.part("model").value
    kind = model.get("type", "BPE")
    words = [f"Hugging Face tokenizer.json, {kind}, {len(vocab):,} entries"]
    words += [f"{len(added)} added tokens"] if added else []
    words += [name for name in ("ignore_merges", "byte_fallback", "fuse_unk") if model.get(name)]
    for name in ("normalizer", "pre_tokenizer"):
        part = fields.part(name)
        words += [f"{name} {part.get('type', str)}"] if part else []
    words += [f"{name} not applied" for name in ("truncation", "padding") if fields.value.get(name)]
    words += ["no tokens of the post_processor added"] if fields.value.get("post_processor") else []
    return ", ".join(words)


# --- where it is exactly one of our tokenizers ------------------------------------------------------


def read(document, words=""):
    """A tokenizer.json (a dict): our own `Tokenizer` where it is exactly one, which is faster; else `HuggingFace`.

    words: what to call it in `source`, where it isn't a tokenizer.json itself.
    """
    reading = HuggingFace(document)
    reading._set(source=reading.source.replace("Hugging Face tokenizer.json", words) if words else reading.source)
    ours = _tokenizer(reading)
    if ours is None:
        return reading
    ours._set(source=reading.source)
    return ours


def _tokenizer(reading):
    """The `Tokenizer` with the same ids for every text; None where there is none."""
    model, document = reading.model, reading.document
    chunking, byte_level = _chunking(document["pre_tokenizer"])
    if (
        not isinstance(model, BPE)
        or chunking is None
        or document["normalizer"]
        or model.prefix
        or model.suffix
        or model.bytes
    ):
        return None
    if any(
        not token["special"] or token["lstrip"] or token["rstrip"] or token["single_word"]
        for token in document["added_tokens"] or []
    ):
        return None
    if byte_level == (model.unknown is not None) or (not byte_level and (model.unknown != 0 or model.fuse)):
        return None
    if model.whole and any(merged(model.symbols(token), model.rules) != [i] for token, i in model.vocab.items()):
        return None
    first, tokens = 256 if byte_level else len(model.vocab) - len(model.merges), reading._tokens
    special = dict(reading.special_tokens)
    if not byte_level:
        first -= sum(token in special for token in model.vocab if token != UNKNOWN)
        special.pop(UNKNOWN, None)
    parts = (
        {"base": "byte", "byte_order": b"".join(tokens[:first])}
        if byte_level
        else {"characters": _characters(tokens[1:first])}
    )
    try:
        ours = Tokenizer(reading.merges, chunking=chunking, special_tokens=special, **parts)
    except ValueError:
        return None
    same = [ours.id_to_token(i) for i in range(ours.vocab_size)] == [
        reading._token_of(i) for i in range(reading.vocab_size)
    ]
    return ours if same else None


UNKNOWN = "<unk>"


def _characters(tokens):
    return "".join(token.decode("utf-8", "replace") for token in tokens)


def _chunking(steps):
    """(chunking, whether bytes follow) of a pre-tokenizer that cuts by one pattern; chunking None for others."""
    steps = steps["pretokenizers"] if steps and steps["type"] == "Sequence" else [steps] if steps else []
    byte_level = bool(steps) and steps[-1]["type"] == "ByteLevel"
    if byte_level:
        last, steps = steps[-1], steps[:-1]
        if last.get("add_prefix_space", True):
            return None, True
        if last.get("use_regex", True):
            return (None if steps else "gpt2"), True
    if not steps:
        return "whole", byte_level
    pattern = steps[0].get("pattern") or {}
    if len(steps) > 1 or steps[0]["type"] != "Split" or "Regex" not in pattern:
        return None, byte_level
    if steps[0]["behavior"] != "Isolated" or steps[0]["invert"]:
        return None, byte_level
    return _named(pattern["Regex"]), byte_level


def _named(pattern):
    """The name of a published pattern; the pattern itself where every engine reads it alike; else None."""
    for name, known in PATTERNS.items():
        if pattern in (known, known.replace("{1,3}+", "{1,3}")) and name != "whole":
            return name
    return None if pattern in NAMES or oniguruma.dialect(pattern) else pattern
