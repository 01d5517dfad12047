"""Tokenizers to and from other libraries: tiktoken, Hugging Face tokenizers, merges.txt, minbpe.

Each export gives the same ids as ours on every text, or is refused with the reason. What the other
library does with special tokens in text is its own affair: tiktoken refuses them unless told
otherwise, Hugging Face's is set here to read them as ordinary text.
"""

from functools import lru_cache

import regex

from bpelab import checks, corpora, storage
from bpelab.alphabet import gpt2_order
from bpelab.chunking import LOSSY, PATTERNS
from bpelab.tokenizer import Merge, Tokenizer, readable

HEADER = "#version: 0.2"


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
    _trained(tok, "tiktoken")
    for name in tok.special_tokens:
        longer = [other for other in tok.special_tokens if other.startswith(name) and other != name]
        if longer:
            raise ValueError(
                f"special_tokens: {name!r} begins {longer[0]!r}; tiktoken may take the shorter one, not the longer"
            )
    ranks = {token: i for i, token in enumerate(tok.vocab[: tok._ordinary])}
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=tok.special_tokens)


def from_tiktoken(encoding):
    """The Tokenizer of a `tiktoken.Encoding`: the same ids, its merges recovered from the ranks.

    A token's merge joins the two parts into which the earlier tokens cut it. Counts are unknown (0).
    ValueError where the ranks are no merge list: a single byte is missing, a token does not come from
    two earlier ones, or ranks have gaps.

    >>> from bpelab import train
    >>> tok = train("low low lower", base="byte", chunking="gpt2")
    >>> from_tiktoken(tok.to_tiktoken("low")) == tok
    True
    """
    ranks = encoding._mergeable_ranks
    tokens = sorted(ranks, key=ranks.get)
    if [ranks[token] for token in tokens] != list(range(len(tokens))):
        raise ValueError("encoding: its ranks have gaps, which a merge list has not")
    if any(len(token) != 1 for token in tokens[:256]) or len(tokens) < 256:
        raise ValueError("encoding: its first 256 tokens are not the single bytes")
    merges = [Merge(*_parts(token, ranks)) for token in tokens[256:]]
    return Tokenizer(
        merges,
        base="byte",
        byte_order=b"".join(tokens[:256]),
        chunking=_chunking_of(encoding._pat_str),
        special_tokens=dict(encoding._special_tokens),
    )


def _parts(token, ranks):
    """The two tokens that were joined to `token`: those that the earlier ranks cut it into."""
    parts, limit = [bytes([byte]) for byte in token], ranks[token]
    while len(parts) > 2:
        joins = [(ranks.get(parts[i] + parts[i + 1], limit), i) for i in range(len(parts) - 1)]
        rank, at = min(joins)
        if rank >= limit:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    if len(parts) != 2:
        raise ValueError(
            f"encoding: rank {limit}, {readable(token)!r}, does not come from two tokens of lower rank, "
            f"but from {len(parts)}: {[readable(part) for part in parts]}"
        )
    return parts


def _chunking_of(pattern):
    """The name of a pattern, where it has one."""
    return next((name for name, known in PATTERNS.items() if known == pattern), pattern)


# --- Hugging Face ---------------------------------------------------------------------------------


def to_huggingface(tok):
    """A `tokenizers.Tokenizer` with the ids of `tok`; its `.save` writes tokenizer.json.

    Base "byte" becomes a ByteLevel BPE, base "char" a BPE with unk_token. ValueError for an
    end-of-word marker, a chunking that is no pattern, a token spelled like a control token (the
    library would give both one id), and a pattern that its regex engine reads otherwise.
    """
    from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers
    from tokenizers import Tokenizer as Exported

    if tok.end_of_word:
        raise ValueError("end_of_word: Hugging Face has no marker that is a symbol of its own")
    pattern = _pattern(tok, "Hugging Face").replace("{1,3}+", "{1,3}")  # {n,m}+ means another thing there
    if regex.search(r"\{\d+,?\d*\}\+", pattern):
        raise ValueError(f"chunking: Hugging Face's regex engine reads {{n,m}}+ otherwise, in {pattern!r}")
    _trained(tok, "Hugging Face")
    spell = _byte_level if tok.base == "byte" else bytes.decode
    spelled = [spell(token) for token in tok.vocab[: tok._ordinary]]
    taken = sorted(set(tok.special_tokens) & set(spelled)) or [
        token for token in ("<unk>",) if spelled.count(token) > 1
    ]
    if taken:
        raise ValueError(f"special_tokens: {taken[0]!r} was also learned as ordinary text; rename the special token")
    merges = [(spell(left), spell(right)) for left, right, _ in tok.merges]
    vocab = {token: i for i, token in enumerate(spelled)}
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


@lru_cache(maxsize=1)
def byte_characters():
    """GPT-2's character for each byte, as a list: printable ones are themselves, the rest count up from Ā.

    >>> byte_characters()[ord("A")], byte_characters()[ord(" ")], byte_characters()[ord("\\n")]
    ('A', 'Ġ', 'Ċ')
    """
    order = gpt2_order()
    visible, hidden = order[:188], order[188:]
    return [chr(byte) if byte in visible else chr(256 + hidden.index(byte)) for byte in range(256)]


@lru_cache(maxsize=1)
def character_bytes():
    """The byte that each of `byte_characters` stands for: its inverse, as a dict.

    >>> character_bytes()["Ġ"]
    32
    """
    return {character: byte for byte, character in enumerate(byte_characters())}


def _byte_level(token):
    return "".join(byte_characters()[byte] for byte in token)


# --- files of merges ------------------------------------------------------------------------------


def save_merges_txt(tok, path):
    """Write the merges as GPT-2's merges.txt: a header, then "left right" a line, written atomically.

    Base "byte" is spelled with `byte_characters`, so every token survives; base "char" is spelled
    as it is, and ValueError names a token with a blank or a line end, which a line cannot hold.
    """
    spell = _byte_level if tok.base == "byte" else bytes.decode
    lines = [HEADER]
    for index, (left, right, _) in enumerate(tok.merges):
        parts = [spell(left), spell(right)]
        if any(len(part.split()) != 1 or part.split()[0] != part for part in parts):
            raise ValueError(f"merges[{index}], {parts}, holds white space, which merges.txt cannot; use base='byte'")
        lines.append(" ".join(parts))
    storage.write(path, "\n".join(lines) + "\n")


def load_merges_txt(path, *, base="byte", chunking="gpt2"):
    """A Tokenizer from a merges.txt. The file holds neither ids nor chunking: bytes (or characters)
    come first, in order, then the merges; `chunking` is what you say it is. Counts are unknown (0).
    """
    checks.choice("base", base, ("char", "byte"))
    lines = corpora.read(path).split("\n")
    if not lines[0].startswith("#version:"):
        raise ValueError(f"{path}: the first line must be a header such as {HEADER!r}, got {checks.shown(lines[0])}")
    byte_of = character_bytes()
    merges = []
    for number, line in enumerate(lines[1:], 2):
        parts = line.rstrip("\r").split(" ")
        if parts == [""] and number == len(lines):
            break
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"{path}, line {number}: two tokens with one blank between, got {checks.shown(line)}")
        if base == "byte":
            strange = [character for part in parts for character in part if character not in byte_of]
            if strange:
                raise ValueError(f"{path}, line {number}: {strange[0]!r} is no byte; is this a file of characters?")
            parts = [bytes(byte_of[character] for character in part) for part in parts]
        merges.append(tuple(parts))
    return Tokenizer(merges, base=base, chunking=chunking)


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
    pairs = [f"{left} {right}" for left, right in tok._pairs]
    storage.write(path, "\n".join(["minbpe v1", pattern, str(len(special)), *special, *pairs]) + "\n")


def load_minbpe(path):
    """A Tokenizer from minbpe's .model file. Counts are unknown (0)."""
    lines = corpora.read(path).split("\n")
    if lines[0] != "minbpe v1" or len(lines) < 3 or not lines[2].isdecimal():
        raise ValueError(f"{path} is no minbpe model: it must start with 'minbpe v1', a pattern and a number")
    first = 3 + int(lines[2]) if len(lines[2]) < 8 else len(lines) + 1
    rows = [_numbers(path, number, line) for number, line in enumerate(lines[first:], first + 1) if line]
    special = [line.rsplit(" ", 1) for line in lines[3:first]]
    if len(lines) < first or any(len(row) != 2 or not row[1].isdecimal() for row in special):
        raise ValueError(f"{path}: {lines[2]} lines with a special token and its id must follow the third")
    vocab = [bytes([byte]) for byte in range(256)]
    merges, size = [], 0
    for number, (left, right) in enumerate(rows):
        if max(left, right) >= len(vocab):
            raise ValueError(f"{path}, line {first + 1 + number}: id {max(left, right)} is made by no earlier line")
        size += len(vocab[left]) + len(vocab[right])
        storage.check_size(number, size)
        merges.append((vocab[left], vocab[right]))
        vocab.append(vocab[left] + vocab[right])
    return Tokenizer(
        merges,
        base="byte",
        chunking=_chunking_of(lines[1]) if lines[1] else "whole",
        special_tokens={name: int(number) for name, number in special},
    )


def _numbers(path, number, line):
    parts = line.split(" ")
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        raise ValueError(f"{path}, line {number}: two ids with one blank between, got {checks.shown(line)}")
    return int(parts[0]), int(parts[1])


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


def _trained(tok, library):
    """Refuse a list that cuts the text of some token otherwise: other encoders would take it whole."""
    split = tok._split_tokens()
    if split:
        raise ValueError(
            f"merges: {readable(tok.vocab[split[0]])!r} is a token, but the merges cut its text in two or more; "
            f"{library} would take it whole. Only a list as training makes it can be exported"
        )
