"""The JSON file of a `Tokenizer`: its fields, and the merges as pairs of ids, one a line."""

from bpelab import checks, merges, models
from bpelab.alphabet import Alphabet, end_marker

KIND = "bpelab"
#: What a tokenizer is made of, besides its merges: arguments of `Tokenizer`.
PARTS = (
    "base",
    "characters",
    "byte_order",
    "chunking",
    "end_of_word",
    "fuse_end_of_word",
    "special_tokens",
    "normalization",
    "lengths",
    "ids",
)
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
    "ids": list | None,
    "merges": list,
}


def save(tokenizer, path):
    """Write `tokenizer` to `path` as JSON; a merge is [left id, right id, count], one a line.

    ValueError for a chunking that is a function, which no file can hold. Whatever interrupts the
    writing, the old file stays whole or the new one stands.
    """
    head = {name: getattr(tokenizer, name) for name in PARTS}
    order = tokenizer.byte_order
    head["byte_order"] = None if order in (None, bytes(range(256))) else list(order)
    rows = zip(tokenizer.merge_ids, tokenizer.merges, strict=True)
    models.write_model(path, tokenizer, KIND, head, "merges", ([*pair, merge.count] for pair, merge in rows))


def load(path, family):
    """Read what `save` wrote, as a `family` (the class Tokenizer); ValueError for any other file, and says where."""
    return models.read_model(path, KIND, FIELDS, lambda document: family(**parts(document)), defaults={"ids": None})


def parts(document):
    """The arguments of `Tokenizer` in a document whose fields are all there and of the right type."""
    models.whole_numbers("lengths", document["lengths"] or [])
    models.whole_numbers("ids", document["ids"] or [])
    models.whole_numbers("byte_order", document["byte_order"] or [], most=255)
    checks.text("chunking", document["chunking"])
    characters = document["characters"]
    if characters is not None and list(characters) != sorted(set(characters)):
        raise ValueError('the field "characters" must have each character once, sorted by code point')
    order = document["byte_order"] and bytes(document["byte_order"])
    given = {name: document[name] for name in PARTS} | {"byte_order": order}
    return given | {"merges": list(_merges(document, order))}


def _merges(document, order):
    """The merges as bytes, each id looked up among those before it."""
    base, fused = document["base"], document["fuse_end_of_word"]
    marker = end_marker(document["end_of_word"], fused, base)
    vocab = list(Alphabet.given(base, document["characters"], order, marker, fused, []).symbols)
    unknown, size = 0 if base == "char" else -1, 0
    for index, merge in enumerate(document["merges"]):
        if not isinstance(merge, list) or len(merge) != 3:
            raise ValueError(f"merges[{index}] must be [left id, right id, count], got {checks.shown(merge)}")
        models.whole_numbers(f"merges[{index}]", merge)
        left, right, count = merge
        for part in (left, right):
            if part >= len(vocab) or part == unknown:
                raise ValueError(f"merges[{index}] uses id {part}, which no base symbol or earlier merge has")
        size += len(vocab[left]) + len(vocab[right])
        merges.check_size(index, size)
        vocab.append(vocab[left] + vocab[right])
        yield vocab[left], vocab[right], count
