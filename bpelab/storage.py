"""Tokenizers in files: our own JSON, written atomically, read with every field checked.

A model file is untrusted: it is parsed as JSON and never run; a bad one is refused whole.
"""

import json
import os
import tempfile
from pathlib import Path

import bpelab
from bpelab import checks
from bpelab.tokenizer import Tokenizer, check_size

FORMAT, VERSION = "bpelab", 1
#: The formats of the other families, and the class that reads each.
OTHERS = {"bpelab-unigram": "Unigram", "bpelab-wordpiece": "WordPiece"}
PARTS_OF_ALPHABET = ("base", "characters", "byte_order", "end_of_word", "fuse_end_of_word")
FIELDS = {
    "base": str,
    "characters": str | None,
    "byte_order": list | None,
    "chunking": str,
    "end_of_word": str | None,
    "fuse_end_of_word": bool,
    "special_tokens": dict,
    "normalization": str | None,
    "lengths": list | None,
    "merges": list,
}


def save(tokenizer, path):
    """Write `tokenizer` to `path` as JSON; a merge is [left id, right id, count], one a line.

    ValueError for a chunking that is a function, which no file can hold. Whatever interrupts the
    writing, the old file stays whole or the new one stands.
    """
    head = {
        "base": tokenizer.base,
        "characters": tokenizer.characters,
        "byte_order": None if tokenizer.byte_order in (None, bytes(range(256))) else list(tokenizer.byte_order),
        "chunking": tokenizer.chunking,
        "end_of_word": tokenizer.end_of_word,
        "fuse_end_of_word": tokenizer.fuse_end_of_word,
        "special_tokens": tokenizer.special_tokens,
        "normalization": tokenizer.normalization,
        "lengths": tokenizer.lengths,
    }
    merges = zip(tokenizer._pairs, tokenizer._merges, strict=True)
    write_model(path, tokenizer, FORMAT, head, "merges", ([*pair, merge.count] for pair, merge in merges))


def load(path):
    """Read a tokenizer, Unigram or WordPiece that `save` wrote. ValueError where the file is none, and says where.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "model.json"
    ...     tok = bpelab.train("low low lower", 3)
    ...     tok.save(path)
    ...     bpelab.load(path) == tok
    True
    """
    document = read_document(path)
    if isinstance(document, dict) and document.get("format") in OTHERS:
        return getattr(bpelab, OTHERS[document["format"]]).load(path)
    return built(path, document, FORMAT, FIELDS, _tokenizer)


def write_model(path, model, kind, head, name, rows):
    """Write a model of any family: the fields of `head` (a dict), then a long list `name`, a row a line."""
    if not isinstance(model.chunking, str):
        raise ValueError(
            "chunking is a function, which a file cannot hold; train with a name or a pattern, or save the "
            f"{name} and rebuild with bpelab.{type(model).__name__}({name}, chunking=your_function)"
        )
    fields = {"format": kind, "version": VERSION, "vocab_size": model.vocab_size, **head}
    lines = [f"{json.dumps(field)}: {json.dumps(value, ensure_ascii=False)}" for field, value in fields.items()]
    body = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    lines.append(f"{json.dumps(name)}: [\n{body}\n]")
    write(path, "{\n" + ",\n".join(lines) + "\n}\n")


def read_model(path, kind, fields, build):
    """Read what `write_model` wrote: `build(document)`, with all fields there and of the right type.

    fields: name -> type. ValueError, which says where, for a file that is no such model.
    """
    return built(path, read_document(path, kind), kind, fields, build)


def built(path, document, kind, fields, build):
    """The model that `build` makes of a checked document, if it has as many ids as the document says."""
    try:
        model = build(_checked(document, kind, fields))
        if model.vocab_size != document["vocab_size"]:
            raise ValueError(
                f'the field "vocab_size" says {document["vocab_size"]}, but there are {model.vocab_size} ids; '
                "lines may be missing"
            )
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} is no valid {kind} model: {error}") from None
    return model


def read_document(path, kind=FORMAT):
    """The JSON in a model file; ValueError for what is none, for repeated fields and for NaN."""
    try:
        source = Path(path).read_bytes().decode()
        return json.loads(source, object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply for a bpelab model") from None
    except ValueError as error:
        raise ValueError(f"{path} is no valid {kind} model: {error}") from None


def _checked(document, kind, fields):
    """The document, if it has just the fields that it must have, each of its type."""
    fields = {"format": str, "version": int, "vocab_size": int, **fields}
    if not isinstance(document, dict) or document.get("format") != kind:
        raise ValueError(f'the field "format" must be "{kind}"')
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        raise ValueError(f"version must be {VERSION}, got {checks.shown(document.get('version'))}")
    if set(document) != set(fields):
        raise ValueError(f"fields must be {sorted(fields)}, got {checks.shown(sorted(document))}")
    for name, wanted in fields.items():
        if not isinstance(document[name], wanted) or isinstance(document[name], bool) != (wanted is bool):
            raise ValueError(f'the field "{name}" is of the wrong type, {type(document[name]).__name__}')
    return document


def _no_repeats(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"a field is given twice among {checks.shown([name for name, _ in pairs])}")
    return dict(pairs)


def _no_constant(name):
    raise ValueError(f"{name} is not a number that a model can hold")


def _tokenizer(document):
    """The Tokenizer of a document whose fields are all there."""
    _whole_numbers("lengths", document["lengths"] or [])
    _whole_numbers("byte_order", document["byte_order"] or [], most=255)
    order = document["byte_order"] and bytes(document["byte_order"])
    parts = {name: document[name] for name in FIELDS if name != "merges"} | {"byte_order": order}
    return Tokenizer(list(_merges(document | {"byte_order": order})), **parts)


def _merges(document):
    """The merges as bytes, each id looked up among those before it."""
    empty = Tokenizer([], **{name: document[name] for name in PARTS_OF_ALPHABET})
    vocab, unknown, size = empty.vocab, 0 if empty.base == "char" else -1, 0
    for index, merge in enumerate(document["merges"]):
        if not isinstance(merge, list) or len(merge) != 3:
            raise ValueError(f"merges[{index}] must be [left id, right id, count], got {checks.shown(merge)}")
        _whole_numbers(f"merges[{index}]", merge)
        left, right, count = merge
        for part in (left, right):
            if part >= len(vocab) or part == unknown:
                raise ValueError(f"merges[{index}] uses id {part}, which no base symbol or earlier merge has")
        size += len(vocab[left]) + len(vocab[right])
        check_size(index, size)
        vocab.append(vocab[left] + vocab[right])
        yield vocab[left], vocab[right], count


def _whole_numbers(name, values, most=None):
    for index, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0 or (most and value > most):
            raise ValueError(f"{name}[{index}] must be a whole number from 0, got {checks.shown(value)}")


def write(path, text):
    """Write a text file atomically: into a new file beside it, which then takes its name."""
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o644)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
