"""Tokenizers for other libraries: tiktoken, Hugging Face tokenizers, merges.txt, minbpe.

Each export gives the same ids as ours on every text (of characters that this Python's Unicode version
has), or is refused with the reason. What the other library does with special tokens in text is its own
affair: tiktoken refuses them unless told otherwise, Hugging Face's is set here to read them as ordinary
text, which its file doesn't keep (see `to_huggingface`).
"""

from itertools import chain, pairwise

import numpy as np

from bpelab import dialects, files, merging
from bpelab.alphabet import Alphabet
from bpelab.chunking import LOSSY, PATTERNS, splitter
from bpelab.spelling import byte_level, readable

HEADER = "#version: 0.2"
#: Longer tokens (bytes) take other libraries minutes to look up.
LONGEST_TOKEN = 1 << 16


# --- tiktoken -------------------------------------------------------------------------------------


def to_tiktoken(tok, name):
    """A `tiktoken.Encoding` called `name` with the ids of `tok`.

    ValueError for what tiktoken cannot hold: base "char", a chunking that is no pattern, a
    normalization, a special token that begins another, and a merge list that training would not make
    (tiktoken looks tokens up by their bytes and ignores how they were made).
    """
    import tiktoken

    _only_bytes(tok, "tiktoken")
    pattern = _pattern(tok, "tiktoken")
    if tok.chunking not in PATTERNS:
        dialects.check(pattern, splitter(pattern), _tiktoken_cuts, "tiktoken")
    _trained(tok, "tiktoken")
    for special in tok.special_tokens:
        longer = [other for other in tok.special_tokens if other.startswith(special) and other != special]
        if longer:
            raise ValueError(
                f"special_tokens: {special!r} begins {longer[0]!r}; tiktoken may take the shorter one, not the longer"
            )
    ranks = {tok.id_to_token(i): i for i in _ids(tok)}
    if sorted(ranks.values()) != list(ranks.values()):
        raise ValueError("ids: in tiktoken the id of a token is its rank; here later merges have smaller ids")
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=dict(tok.special_tokens))


def _tiktoken_cuts(pattern):
    """How tiktoken cuts a text: it shows no cuts, but a chunk that is a token of its own comes back whole."""
    import tiktoken

    split, bytes_alone = splitter(pattern), {bytes([byte]): byte for byte in range(256)}

    def cut(text):
        ours = split(text)
        crossing = {(one[-1] + two[0]).encode() for one, two in pairwise(ours)} - {chunk.encode() for chunk in ours}
        tokens = dict.fromkeys([*(chunk.encode() for chunk in ours), *sorted(crossing)])
        ranks = bytes_alone | {token: 256 + i for i, token in enumerate(t for t in tokens if t not in bytes_alone)}
        encoding = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        return [
            token.decode("utf-8", "replace") for token in encoding.decode_tokens_bytes(encoding.encode_ordinary(text))
        ]

    return cut


# --- Hugging Face ---------------------------------------------------------------------------------


def to_huggingface(tok):
    """A `tokenizers.Tokenizer` with the ids of `tok`; its `.save` writes tokenizer.json.

    Base "byte" becomes a ByteLevel BPE, base "char" a BPE with unk_token. ValueError for an
    end-of-word marker, a chunking that is no pattern, a token spelled like a control token (the
    library would give both one id), and a pattern that its regex engine reads otherwise. A normalization
    agrees for characters up to Unicode 12.0 (the library's tables are older than Python's).

    Special tokens in text are ordinary text in the object returned, as they are here. The file can't hold
    that: after `tokenizers.Tokenizer.from_file(path)`, set `loaded.encode_special_tokens = True` again.
    """
    from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers
    from tokenizers import Tokenizer as Exported

    if tok.end_of_word:
        raise ValueError("end_of_word: Hugging Face has no marker that is a symbol of its own")
    pattern = _pattern(tok, "Hugging Face")
    if tok.chunking in PATTERNS:
        pattern = pattern.replace("{1,3}+", "{1,3}")  # {n,m}+ means another thing there
    else:
        dialects.check(pattern, splitter(pattern), _huggingface_cuts, "Hugging Face")
    _trained(tok, "Hugging Face")
    spell = byte_level if tok.base == "byte" else bytes.decode
    spelled = [spell(tok.id_to_token(i)) for i in _ids(tok)]
    taken = sorted(set(tok.special_tokens) & set(spelled)) or [
        token for token in ("<unk>",) if spelled.count(token) > 1
    ]
    if taken:
        raise ValueError(f"special_tokens: {taken[0]!r} was also learned as ordinary text; rename the special token")
    merges = [(spell(left), spell(right)) for left, right, _ in tok.merges]
    vocab = dict(zip(spelled, _ids(tok), strict=True))
    exported = Exported(models.BPE(vocab, merges, unk_token=None if tok.base == "byte" else "<unk>"))
    splits = [] if tok.chunking == "whole" else [pre_tokenizers.Split(Regex(pattern), "isolated")]
    if tok.base == "byte":
        splits.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False))
        exported.decoder = decoders.ByteLevel()
    else:
        exported.decoder = decoders.Fuse()
    exported.pre_tokenizer = pre_tokenizers.Sequence(splits)
    if tok.normalization:
        exported.normalizer = getattr(normalizers, tok.normalization)()
    _add_special(exported, tok.special_tokens, AddedToken)
    return exported


def _huggingface_cuts(pattern):
    """How Hugging Face cuts a text; ValueError in place of its bare Exception for a pattern that it refuses."""
    from tokenizers import Regex, pre_tokenizers

    try:
        split = pre_tokenizers.Split(Regex(pattern), "isolated")
    except Exception as error:
        raise ValueError(f"chunking: Hugging Face's regex engine refuses {pattern!r}: {error}") from None
    return lambda text: [chunk for chunk, _ in split.pre_tokenize_str(text)]


def _add_special(exported, special_tokens, added_token):
    """Add the special tokens in the order of their ids, which the library hands out itself."""
    names = sorted(special_tokens, key=special_tokens.get)
    exported.add_special_tokens([added_token(name, special=True, normalized=False) for name in names])
    exported.encode_special_tokens = True
    for name in names:
        if exported.token_to_id(name) != special_tokens[name]:
            raise ValueError(
                f"special_tokens: Hugging Face numbers added tokens itself, right after the vocabulary; "
                f"{name!r} would get id {exported.token_to_id(name)}, not {special_tokens[name]}"
            )


# --- files of merges ------------------------------------------------------------------------------


def save_merges_txt(tok, path):
    """Write the merges as GPT-2's merges.txt: a header, then "left right" a line, written atomically.

    Base "byte" is spelled with `byte_characters`, so every token survives; base "char" is spelled
    as it is, and ValueError names a token with a blank or a line end, which a line cannot hold.
    """
    spell = byte_level if tok.base == "byte" else bytes.decode
    lines = [HEADER]
    for index, (left, right, _) in enumerate(tok.merges):
        parts = [spell(left), spell(right)]
        if any(len(part.split()) != 1 or part.split()[0] != part for part in parts):
            raise ValueError(f"merges[{index}], {parts}, holds white space, which merges.txt cannot; use base='byte'")
        lines.append(" ".join(parts))
    files.write(path, "\n".join(lines) + "\n")


def save_minbpe(tok, path):
    """Write minbpe's .model file ("minbpe v1"): pattern, special tokens, pairs of ids.

    ValueError for what it cannot hold: base "char", other ids for the bytes, a pattern or a special
    token with white space at its ends or a line end in it.
    """
    _only_bytes(tok, "minbpe")
    if tok.byte_order != bytes(range(256)):
        raise ValueError("byte_order: in minbpe the id of a byte is the byte")
    pattern = "" if tok.chunking == "whole" else _pattern(tok, "minbpe")
    for name, text in [("chunking", pattern), *(("special_tokens", name) for name in tok.special_tokens)]:
        if text != text.strip() or len(text.splitlines()) > 1 or (name == "special_tokens" and len(text.split()) != 1):
            raise ValueError(f"{name}: minbpe's file cannot hold {text!r}, since white space would be lost")
    longest_first = sorted(tok.special_tokens.items(), key=lambda item: -len(item[0]))  # its first match wins
    special = [f"{name} {i}" for name, i in longest_first]
    pairs = [f"{left} {right}" for left, right in tok.merge_ids]
    files.write(path, "\n".join(["minbpe v1", pattern, str(len(special)), *special, *pairs]) + "\n")


# --- what a format cannot hold --------------------------------------------------------------------


def _only_bytes(tok, library):
    if tok.base != "byte":
        raise ValueError(f"base: {library} holds only base='byte', got {tok.base!r}; train with base='byte'")
    if tok.normalization:
        raise ValueError(f"normalization: {library} has no such step; normalize the text yourself, and export without")


def _pattern(tok, library):
    """The chunking as a regular expression."""
    if not isinstance(tok.chunking, str) or tok.chunking in LOSSY:
        given = tok.chunking if isinstance(tok.chunking, str) else getattr(tok.chunking, "__name__", "a function")
        raise ValueError(f"chunking: {library} takes a regular expression, not {given!r}")
    return PATTERNS.get(tok.chunking, tok.chunking)


def _ids(tok):
    """The ids of the base symbols, then of the merges."""
    return tok.ids or range(tok.ordinary_size)


def _trained(tok, library):
    """Refuse a list that cuts the text of some token otherwise: other encoders would take it whole."""
    longest = max(map(len, tok.vocab), default=0)
    if longest > LONGEST_TOKEN:
        raise ValueError(
            f"merges: a token has {longest:,} bytes; {library} gets at most {LONGEST_TOKEN:,}, use fewer merges"
        )
    split = split_tokens(tok)
    if split:
        raise ValueError(
            f"merges: {readable(tok.vocab[split[0]])!r} is a token, but the merges cut its text in two or more; "
            f"{library} would take it whole. Only a list as training makes it can be exported"
        )


def split_tokens(tok):
    """The tokens that the merges don't make from their own symbols: ids, none for a trained list."""
    base = len(tok.alphabet.symbols)
    symbols = [[i] for i in range(base)]
    for left, right in tok.merge_ids:
        symbols.append(symbols[left] + symbols[right])
    made = symbols[base:]
    ids = np.fromiter(chain.from_iterable(made), np.int32)
    sizes = np.fromiter(map(len, made), np.int64, len(made))
    plain = Alphabet(tok.base, tok.alphabet.symbols)
    counts = merging.merged(tok.pairs, plain, ids, sizes)[1]
    return (base + np.flatnonzero(counts > 1)).tolist()


class Exporting:
    """The exports as methods of a tokenizer."""

    def to_tiktoken(self, name):
        """A `tiktoken.Encoding` with the same ids: see `bpelab.exports.to_tiktoken`."""
        return to_tiktoken(self, name)

    def to_huggingface(self):
        """A `tokenizers.Tokenizer` with the same ids: see `bpelab.exports.to_huggingface`.

        Its file can't hold that special tokens in text are ordinary text: after loading the file set
        `loaded.encode_special_tokens = True`.
        """
        return to_huggingface(self)

    def save_merges_txt(self, path):
        """Write GPT-2's merges.txt: see `bpelab.exports.save_merges_txt`."""
        save_merges_txt(self, path)

    def save_minbpe(self, path):
        """Write minbpe's .model file: see `bpelab.exports.save_minbpe`."""
        save_minbpe(self, path)
