"""Model files: JSON of every family, written a row a line, read with every field checked.

A model file is untrusted: it is parsed as JSON and never run; a bad one is refused whole.
"""

import json

from bpelab import checks, files

VERSION = 1


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
    files.write(path, "{\n" + ",\n".join(lines) + "\n}\n")


def read_model(path, kind, fields, build, defaults=None):
    """Read what `write_model` wrote: `build(document)`, with all fields there and of the right type.

    fields: name -> type; defaults: what older files leave out. ValueError, which says where, for a file
    that is no such model.
    """
    document = read_document(path, kind)
    try:
        document = {**(defaults or {}), **document} if isinstance(document, dict) else document
        model = build(_checked(document, kind, fields))
        if model.vocab_size != document["vocab_size"]:
            raise ValueError(
                f'the field "vocab_size" says {document["vocab_size"]}, but there are {model.vocab_size} ids; '
                "lines may be missing"
            )
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} is no valid {kind} model: {error}") from None
    return model


def read_document(path, kind):
    """The JSON in a model file; ValueError for what is none, for repeated fields and for NaN."""
    try:
        source = files.read(path).decode("utf-8-sig")
        return json.loads(source, object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError(f"{path} is no valid {kind} model: nested too deeply") from None
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


def whole_numbers(name, values, most=None):
    """Refuse a list that holds anything but whole numbers from 0 (to `most`)."""
    for index, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0 or (most and value > most):
            raise ValueError(f"{name}[{index}] must be a whole number from 0, got {checks.shown(value)}")
