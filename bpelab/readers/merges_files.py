"""Lists of merges without a tokenizer.json: vocab.json + merges.txt, subword-nmt's and fastBPE's codes."""

import json

from bpelab import checks
from bpelab.readers import huggingface
from bpelab.spelling import byte_characters
from bpelab.tokenizer import Tokenizer

END = "</w>"


def gpt2_pair(vocab, lines):
    """GPT-2's two files: vocab (dict token -> id) and the lines of merges.txt, as GPT-2's own encoder reads them.

    What is neither a byte nor made by a merge is a special token: nothing else can give it.
    """
    merges = [line.rstrip("\r") for line in lines if line.strip() and not line.startswith("#version")]
    made = {line.replace(" ", "") for line in merges} | set(byte_characters())
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    special = sorted((i, token) for token, i in vocab.items() if token not in made)
    return huggingface.read(
        {
            "added_tokens": [{"id": i, "content": token, "special": True} | flags for i, token in special],
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": vocab, "merges": merges},
        },
        "vocab.json and merges.txt, read as GPT-2's",
    )


def codes(lines, path):
    """A `Tokenizer` of subword-nmt's codes (with its header, version 0.2) or fastBPE's (pairs with counts)."""
    if lines and lines[0].startswith("#version:"):
        if lines[0].strip() != "#version: 0.2":
            raise ValueError(
                f"{path}: codes of {lines[0].strip()!r} end words otherwise; only '#version: 0.2' can be read"
            )
        lines, fields = lines[1:], 2
    else:
        fields = 3
    merges = []
    for number, line in enumerate(lines, 1):
        parts = line.strip("\r\n ").split(" ")
        if parts == [""]:
            continue
        if len(parts) != fields or not all(parts) or (fields == 3 and not parts[2].isdecimal()):
            raise ValueError(
                f"{path}, merge {number}: two parts{' and a count' * (fields == 3)}, got {checks.shown(line)}"
            )
        merges.append((parts[0], parts[1], *map(int, parts[2:])))
    return Tokenizer(merges, chunking="subword-nmt", end_of_word=END, fuse_end_of_word=True)


def pair_beside(path, name):
    """The file of this name in the same folder."""
    other = path.with_name(name)
    if not other.is_file():
        raise ValueError(f"{path} belongs to a {name}, which must lie beside it")
    return other


def vocab_of(data, path):
    """token -> id, in the bytes of a vocab.json."""
    vocab = json.loads(data)
    if not isinstance(vocab, dict) or not all(isinstance(i, int) and not isinstance(i, bool) for i in vocab.values()):
        raise ValueError(f"{path} is no vocab.json: it must be an object, token to id")
    return vocab
