"""What kind of file is this, and what does it hold: the one call that reads any of them."""

import json
from pathlib import Path

import regex

from bpelab import checks, files, imports
from bpelab.chunking import LOSSY
from bpelab.readers import bert, huggingface, merges_files, sentencepiece, tiktoken_files

KINDS = (
    "a bpelab model, Hugging Face's tokenizer.json, a SentencePiece .model, a .tiktoken file, Tekken's JSON, "
    "vocab.json with merges.txt, codes of subword-nmt or fastBPE, a minbpe .model, or BERT's vocab.txt"
)


def read(path, data, document=None, chunking=None, special_tokens=(), lowercase=None):
    """The tokenizer in a file of another library.

    data: its bytes; document: the JSON in it, if that is what it holds. The others as for `bpelab.load`.
    """
    try:
        if document is not None:
            return _json(path, document)
        return _other(Path(path), data, chunking, special_tokens, lowercase)
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply") from None
    except (ValueError, TypeError) as error:
        message = str(error)
        raise ValueError(message if message.startswith(str(path)) else f"{path} is no valid model: {message}") from None


def json_in(data):
    """The JSON in a file's bytes; None where it holds something else. ValueError for broken JSON."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start not in (b"{", b"["):
        return None
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        if start == b"[":  # as [PAD], BERT's first line
            return None
        raise


def _no_constant(name):
    raise ValueError(f"{name} is not a number that a model can hold")


def _json(path, document):
    if not isinstance(document, dict):
        raise ValueError(f"the JSON in it is a list, and none of those that can be read: {KINDS}")
    if isinstance(document.get("model"), dict):
        return huggingface.read(document)
    if "config" in document and "vocab" in document:
        return tiktoken_files.tekken(document)
    if document and all(isinstance(i, int) for i in document.values()):
        merges = merges_files.pair_beside(Path(path), "merges.txt")
        return merges_files.gpt2_pair(document, _lines(files.read(merges)))
    raise ValueError(f"the JSON in it is none of those that can be read: {KINDS}")


def _other(path, data, chunking, special_tokens, lowercase):
    if data[:2] == b"\x1f\x8b":
        raise ValueError("it is compressed with gzip; unpack it first")
    if data[:1] == b"\x0a" and data[1:2] != b"\x0a":
        return sentencepiece.SentencePiece(data)
    lines = _lines(data)
    start = lines[0] if lines else ""
    if start == "minbpe v1":
        return imports.load_minbpe(path)
    if regex.fullmatch(r"[A-Za-z0-9+/]+={0,2} \d+", start.strip()):
        return _ranks(data, chunking, special_tokens)
    if (start.startswith("#version:") or path.name == "merges.txt") and path.with_name("vocab.json").is_file():
        vocab = merges_files.vocab_of(files.read(path.with_name("vocab.json")), path.with_name("vocab.json"))
        return merges_files.gpt2_pair(vocab, lines)
    if any(merges_files.END in line for line in lines):
        return merges_files.codes(lines, path)
    if start.startswith("#version:"):
        raise ValueError(
            "a merges.txt holds no ids; put its vocab.json beside it, or say what the bytes and the chunks are: "
            "bpelab.load_merges_txt(path, base=..., chunking=...)"
        )
    if "[UNK]" in lines:
        return bert.vocab_txt(lines, path, lowercase)
    raise ValueError(f"no kind of file that can be read: it must be {KINDS}")


def _lines(data):
    try:
        return data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"neither text in UTF-8 (position {error.start}) nor a model: it must be {KINDS}") from None


def _ranks(data, chunking, special_tokens):
    if chunking is None:
        raise ValueError(
            "a .tiktoken file holds no pattern; say how text is cut, with chunking= one of the names of bpelab.chunk "
            "or the pattern, and special_tokens= name -> id"
        )
    if chunking in LOSSY or not isinstance(chunking, str):
        raise ValueError(f"chunking must be a pattern or the name of one, got {checks.shown(chunking)}")
    ranks = tiktoken_files.read_ranks(data)
    return tiktoken_files.tokenizer(ranks, chunking, special_tokens, f"tiktoken file, {len(ranks):,} ranks")
