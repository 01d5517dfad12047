"""The play page: its files, and vocabularies as small scripts made out of what is installed.

`bpelab play` writes the page by itself and opens it. As an extension of Sphinx, named in `notebooks/conf.py`,
this writes its files into a web edition. A browser has its own Unicode, older or newer than ours: what a letter
or white space is, the `regex` package says here, and is written down for the page.
"""

import base64
import json
import shutil
import zlib
from functools import cache
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import regex

from bpelab import corpora, files, vocabularies
from bpelab.chunking import PATTERNS
from bpelab.imports import cut
from bpelab.training import train

#: What the patterns ask of a character.
CLASSES = (r"\s", *(rf"\p{{{name}}}" for name in "L Lu Ll Lt Lm Lo M N".split()))
#: The files of the page, hand-written: the encoder is bpe.js.
PAGE = Path(__file__).parent / "page"
OWN = "own"
OWN_SIZE = 32_000
#: Production vocabularies on the page, as people know them.
LABELS = {
    "gpt2": "GPT-2",
    "cl100k_base": "cl100k (GPT-4)",
    "o200k_base": "o200k (GPT-4o)",
    "qwen2": "Qwen2",
    "llama3": "Llama 3",
}


# --- patterns -------------------------------------------------------------------------------------


@cache
def members(pattern):
    """The code points that a pattern of one character matches, as ranges [first, last].

    >>> members("[a-cx]")
    [[97, 99], [120, 120]]
    """
    return [[match.start(), match.end() - 1] for match in regex.finditer(f"(?:{pattern})+", _every_character())]


@cache
def _every_character():
    return "".join(map(chr, range(0x110000)))


def compact(ranges):
    """Ranges as text: the gap before each and how many more it holds, in base 36 ("2p.2 k" is a to c and x).

    >>> compact([[97, 99], [120, 120]])
    '2p.2 k'
    """
    written, end = [], 0
    for first, last in ranges:
        more = f".{np.base_repr(last - first, 36).lower()}" if last > first else ""
        written.append(np.base_repr(first - end, 36).lower() + more)
        end = last + 1
    return " ".join(written)


def javascript(pattern):
    r"""A published pattern as JavaScript's RegExp, with classes only inside brackets, where the page writes them out.

    Possessive quantifiers become greedy ones, which in these patterns match the same; letters in any case
    are listed, those that only Unicode folds too (ſ is an s).

    >>> print(javascript(r"(?i:'s)|\p{L}++|[^\s\p{N}]?\S"))
    (?:'[Ssſ])|[\p{L}]+|[^\s\p{N}]?[^\s]
    """
    pattern = regex.sub(r"([+*?]|\{\d+,?\d*\})\+", r"\1", pattern)
    pattern = regex.sub(r"\(\?i:([^()]*(?:\([^()]*\)[^()]*)*)\)", lambda match: f"(?:{_any_case(match[1])})", pattern)
    classes = regex.compile(r"(\[(?:\\.|[^\]])*\])|\\p\{\w+\}|\\[sS]")
    return classes.sub(lambda match: match[1] or f"[{match[0]}]".replace(r"[\S]", r"[^\s]"), pattern)


def _any_case(pattern):
    """A pattern of plain letters, each as the list of those that are equal but for case; inside brackets too."""

    def listed(match):
        same = "".join(chr(point) for first, last in members(f"(?i:{match[0]})") for point in range(first, last + 1))
        return same if match.start() in inside else f"[{same}]"

    inside = set(chain.from_iterable(range(*match.span()) for match in regex.finditer(r"\[[^\]]*\]", pattern)))
    return regex.sub(r"[a-z]", listed, pattern)


# --- scripts --------------------------------------------------------------------------------------


def packed(pairs):
    """Pairs of ids as base64: all their lowest bytes, then the middle ones, then the highest, deflated."""
    ids = np.array(pairs, np.uint32).reshape(-1, 2).T.ravel()
    planes = np.concatenate([(ids >> shift & 255).astype(np.uint8) for shift in (0, 8, 16)])
    return base64.b64encode(zlib.compress(planes.tobytes(), 9)).decode()


def script(name, encoding):
    """The script that hands a vocabulary to the page; encoding: a `tiktoken.Encoding`, or what has its ranks.

    tiktoken takes a chunk that is a token whole, even one that lower ranks cannot make (Llama 3 has some):
    those are written down as text too. Later merges may bring such a token about; where none do, its own
    id twice holds its place.
    """
    ranks = encoding._mergeable_ranks
    tokens = sorted(ranks, key=ranks.get)
    pairs, whole = [], {}
    for rank, token in enumerate(tokens[256:]):
        parts = cut(token, ranks, ranks[token])
        if len(parts) > 2:
            whole[token.decode("utf-8", "replace")] = rank
            parts = cut(token, ranks, len(ranks))
        pairs.append([ranks[part] for part in parts] if len(parts) == 2 else [ranks[token]] * 2)
    about = {
        "pattern": javascript(encoding._pat_str),
        "bytes": base64.b64encode(b"".join(tokens[:256])).decode(),
        "whole": whole,
    }
    return f"bpelabPlay.add({json.dumps(name)}, {json.dumps(about)}, {json.dumps(packed(pairs))});\n"


@cache
def own():
    """Our English-Japanese vocabulary: the training half of "parallel", and the Bible where it is installed."""
    texts = [corpora.text("parallel", language, "train") for language in corpora.LANGUAGES]
    if "bible" in corpora.available():
        texts += [corpora.text("bible", language) for language in corpora.LANGUAGES]
    return train(texts, vocab_size=OWN_SIZE, base="byte", chunking="o200k", min_frequency=2)


def available():
    """The names of the vocabularies that the page can have here: ours, and those that are installed."""
    return [OWN, *(name for name in vocabularies.available() if name in LABELS)]


def encoding(name):
    """The `tiktoken.Encoding` of a vocabulary on the page; for ours something with its ranks and its pattern."""
    if name != OWN:
        return vocabularies.load(name)
    ranks = {token: rank for rank, token in enumerate(own().vocab)}
    return SimpleNamespace(_mergeable_ranks=ranks, _pat_str=PATTERNS["o200k"])


def write(folder, names=()):
    """Write the files of the page and the scripts of vocabularies, all by default, into a folder.

    The scripts of production vocabularies, which don't change, stay if they were written by this version.
    """
    scripts = Path(folder) / "vocabularies"
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copytree(PAGE, folder, dirs_exist_ok=True)
    for name in names or available():
        path = scripts / f"{name}.js"
        if name == OWN or not path.exists() or path.stat().st_mtime < Path(__file__).stat().st_mtime:
            files.write(path, script(name, encoding(name)))  # whole, or the next run would keep a half
    classes = {pattern: compact(members(pattern)) for pattern in CLASSES}
    patterns = {name: javascript(PATTERNS[name]) for name in ("o200k", "cl100k", "gpt2", "whole")}
    labels = {name: LABELS.get(name, "") for name in available()}
    text = f"bpelabPlay.begin({json.dumps(labels)}, {json.dumps(classes)}, {json.dumps(patterns)});\n"
    (scripts / "list.js").write_text(text, encoding="utf-8")


def setup(app):
    """Called by Sphinx: write the page's files, in a web edition."""
    app.connect("builder-inited", _build)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _build(app):
    if app.builder.format == "html":
        write(Path(app.outdir, "_static", "play"))
