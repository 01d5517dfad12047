"""Held-out text of any size: tokens at every vocabulary size, and tokens under several encoders."""

from collections.abc import Mapping

import numpy as np

from bpelab import checks
from bpelab.efficiency import count_tokens, size_of
from bpelab.scale import reading
from bpelab.scale.encoding import border_of
from bpelab.scale.work import BadRecords, checked, numbered, run
from bpelab.tokenizer import Tokenizer


def sweep_files(
    tok, paths, *, client=None, field="text", lines=False, part_size=reading.PART, bad="error", progress=False
):
    """The number of tokens of some files with the first 0, 1, 2, ... merges of `tok`: a DataFrame.

    Columns as in `bpelab.sweep`: merges, vocab_size, tokens, chars_per_token, bytes_per_token. What a model pays
    depends on the sequences it reads, so the costs are left to `sweep`. `frame.attrs["bad"]` holds the bad records.
    Other arguments as for `count_files`.
    """
    import pandas as pd

    checked(client, bad)
    if not isinstance(tok, Tokenizer):
        raise TypeError(f"tok must be a bpelab.Tokenizer, got {type(tok).__name__}; it needs its merges in order")
    parts = _parts(paths, field, lines, border_of(tok), part_size)
    rows = run(client, curve_of_part, parts, tok, bad, title="bpelab.sweep_files", progress=progress)
    curves, characters, sizes, listed = zip(*rows, strict=True)
    merges, tokens = np.arange(len(tok.merges) + 1), np.sum(curves, axis=0)
    columns = {
        "merges": merges,
        "vocab_size": len(tok.alphabet.symbols) + len(tok.special_tokens) + merges,
        "tokens": tokens,
        "chars_per_token": sum(characters) / np.maximum(tokens, 1),
        "bytes_per_token": sum(sizes) / np.maximum(tokens, 1),
    }
    return _framed(pd.DataFrame(columns), listed)


def compare_files(
    encoders, texts, *, client=None, field="text", lines=False, part_size=reading.PART, bad="error", progress=False
):
    """Documents, tokens, characters and bytes of texts of any size under each encoder: a DataFrame.

    encoders: {name: encoder}, as for `bpelab.compare`. texts: {label: path or paths}. Columns as there, and documents.
    No place is known where any encoder may be cut: a .txt file that is one document is read whole; see `lines`.
    `frame.attrs["bad"]` holds the bad records. Other arguments as for `count_files`.
    """
    import pandas as pd

    checked(client, bad)
    for name, value in (("encoders", encoders), ("texts", texts)):
        if not isinstance(value, Mapping) or not value:
            raise TypeError(f"{name} must be a dict with a name for each, got {checks.shown(value)}")
    rows, listed = [], []
    for label, paths in texts.items():
        parts, title = _parts(paths, field, lines, None, part_size), f"bpelab.compare_files, {label}"
        measured = run(client, compare_part, parts, encoders, bad, title=title, progress=progress)
        sums = np.sum([sums for sums, _ in measured], axis=0).tolist()
        rows += [(name, label, *sums[:3], tokens) for name, tokens in zip(encoders, sums[3:], strict=True)]
        listed += [some for _, some in measured]
    frame = pd.DataFrame(rows, columns=["encoder", "text", "documents", "chars", "bytes", "tokens"])
    frame.insert(1, "vocab_size", [size_of(encoders[name]) for name in frame["encoder"]])
    tokens, chars = frame["tokens"].where(frame["tokens"] > 0), frame["chars"].where(frame["chars"] > 0)
    frame["chars_per_token"], frame["bytes_per_token"] = frame["chars"] / tokens, frame["bytes"] / tokens
    frame["tokens_per_char"] = frame["tokens"] / chars
    return _framed(frame, listed)


def _parts(paths, field, lines, border, part_size):
    size = checks.whole("part_size", part_size, 1)
    return [(part,) for part in reading.parts(paths, field=field, lines=lines, border=border, size=size)]


def _framed(frame, listed):
    frame.attrs["bad"] = [str(record) for record in numbered([entry for some in listed for entry in some])]
    return frame


def curve_of_part(part, tok, bad):
    """(tokens at every number of merges, characters, bytes, bad records) of a part."""
    listed = BadRecords(part.path, bad)
    curve, characters, size = np.zeros(len(tok.merges) + 1, np.int64), 0, 0
    for texts, _ in reading.batches(part, listed):
        curve += tok.curve(texts)
        characters += sum(map(len, texts))
        size += sum(len(text.encode()) for text in texts)
    return curve, characters, size, listed.listed


def compare_part(part, encoders, bad):
    """(array of documents, characters, bytes and the tokens of each encoder; bad records) of a part."""
    listed = BadRecords(part.path, bad)
    sums = np.zeros(3 + len(encoders), np.int64)
    for texts, ends in whole_documents(reading.batches(part, listed)):
        sizes = [ends, sum(map(len, texts)), sum(len(text.encode()) for text in texts)]
        sums += [*sizes, *(sum(count_tokens(encoder, text) for text in texts) for encoder in encoders.values())]
    return sums, listed.listed


def whole_documents(batches):
    """Batches as (list of whole documents, how many)."""
    pieces = []
    for texts, ends in batches:
        if texts and not ends[-1]:
            pieces += texts
            continue
        texts, pieces = ["".join([*pieces, *texts])] if pieces else texts, []
        yield texts, len(texts)
