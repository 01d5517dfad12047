"""Why doesn't my BPE match? Two merge lists compared, and the recipe that comes closest.

A list made by exact training never makes one token twice, so lists are compared by the tokens they
make, which is all that some libraries export.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bpelab import checks, files, imports, loading, ties
from bpelab.spelling import byte_characters, readable
from bpelab.training import chunk_counts, train
from bpelab.vocabulary import Vocabulary


class Difference(NamedTuple):
    """The first step at which two lists part, and how often each choice stood in the corpus then.

    step counts from 1; a count is None where the token is no pair of two at that step.
    """

    step: int
    ours: str | None
    theirs: str | None
    ours_count: int | None
    theirs_count: int | None

    @property
    def tie(self):
        """Whether both choices occurred equally often: only the tie rule tells them apart."""
        return self.ours_count is not None and self.ours_count == self.theirs_count


def tokens_of(merges):
    """The tokens (bytes) that a merge list makes, in order.

    merges: a Tokenizer; a list of (left, right, ...) or of whole tokens, str or bytes; or the path of
    a merges.txt, a Hugging Face tokenizer.json or a bpelab model.

    >>> tokens_of([("l", "o"), ("lo", "w")]), tokens_of(["lo", b"low"])
    ([b'lo', b'low'], [b'lo', b'low'])
    """
    if isinstance(merges, Vocabulary):
        return [merge.left + merge.right for merge in merges.merges]
    if isinstance(merges, str | Path):
        return tokens_of(_read(Path(merges)))
    tokens = []
    for index, merge in enumerate(merges):
        several = isinstance(merge, Iterable) and not isinstance(merge, str | bytes)
        parts = list(merge)[:2] if several else [merge]
        if not parts or not all(isinstance(part, str | bytes) for part in parts):
            raise TypeError(f"merges[{index}] must be a token or (left, right), got {checks.shown(merge)}")
        tokens.append(b"".join(part.encode() if isinstance(part, str) else part for part in parts))
    return tokens


def agreement(ours, theirs):
    """How many merges two lists have in common before they part.

    >>> agreement(["lo", "low", "er"], ["lo", "low", " low"])
    2
    """
    ours, theirs = tokens_of(ours), tokens_of(theirs)
    equal = [a == b for a, b in zip(ours, theirs, strict=False)]
    return equal.index(False) if False in equal else len(equal)


def difference(tok, theirs, corpus):
    """Where the merges of `tok` and another list first part, as a `Difference`; None where they don't.

    tok: a Tokenizer trained on `corpus` (str, documents, or a mapping chunk -> frequency), in whose
    chunks and base symbols the counts are taken. Lists of unequal length part at the shorter one's end.

    >>> corpus = "low low low lower lower newest"
    >>> difference(train(corpus), train(corpus, tie="lowest-id"), corpus)
    Difference(step=4, ours=' lowe', theirs='er', ours_count=2, theirs_count=2)
    """
    ours, theirs = tokens_of(tok), tokens_of(theirs)
    at = agreement(ours, theirs)
    if at == len(ours) == len(theirs):
        return None
    counts = _counts(tok.truncate(at), corpus)
    choices = [tokens[at] if at < len(tokens) else None for tokens in (ours, theirs)]
    names = [None if token is None else readable(token) for token in choices]
    return Difference(at + 1, *names, *(counts.get(token) for token in choices))


def recipes(theirs, corpus, names=None):
    """How far the merges of each of `ties.RECIPES` agree with `theirs`, best first, as a DataFrame.

    corpus: the text that both are trained on. Columns: recipe, agree, of, and at the first difference
    ours, theirs, ours_count, theirs_count, tie.

    >>> corpus = "low low low lower lower newest"
    >>> frame = recipes(train(corpus, tie="lowest-id"), corpus)
    >>> frame["recipe"][0], int(frame["agree"][0])
    ('huggingface-characters', 11)
    """
    import pandas as pd

    theirs, rows = tokens_of(theirs), []
    for name in ties.RECIPES if names is None else names:
        checks.choice("names", name, tuple(ties.RECIPES))
        tok = train(corpus, len(theirs), **ties.RECIPES[name])
        found = difference(tok, theirs, corpus)
        row = {"recipe": name, "agree": agreement(tok, theirs), "of": len(theirs)}
        if found:
            row |= found._asdict() | {"tie": found.tie}
            del row["step"]
        rows.append(row)
    columns = ["recipe", "agree", "of", "ours", "theirs", "ours_count", "theirs_count", "tie"]
    frame = pd.DataFrame(rows, columns=columns, dtype=object)
    return frame.where(frame.notna(), None).sort_values("agree", ascending=False, kind="stable", ignore_index=True)


def _counts(tok, corpus):
    """Joined token -> how often its two parts stand side by side in the corpus, cut by `tok` (overlap)."""
    chunks = chunk_counts(corpus, tok.chunking, tok.normalize)
    vocab, counts = tok.vocab, {}
    for ids, weight in zip(tok.encode_chunks(list(chunks)), chunks.values(), strict=True):
        for left, right in ties.pairs_in([vocab[i] for i in ids]):
            counts[left + right] = counts.get(left + right, 0) + weight
    return counts


def _read(path):
    """The merges in a file, whoever wrote it: anything that `bpelab.load` reads, or a merges.txt by itself."""
    data = files.read(path)
    if data.startswith(b"#version:") and b"</w>" not in data and not path.with_name("vocab.json").is_file():
        return imports.load_merges_txt(path, base=_base(data.decode("utf-8", "replace")))
    loaded = loading.load(path, chunking="gpt2") if path.suffix == ".tiktoken" else loading.load(path)
    if not hasattr(loaded, "merges"):
        raise ValueError(f"{path} holds {loaded!r}, which has no merges")
    prefix = getattr(getattr(loaded, "model", None), "prefix", "").encode()
    return [(merge.left.removeprefix(prefix), merge.right.removeprefix(prefix)) for merge in loaded.merges]


def _base(text):
    """How a merges.txt is spelled: "byte" where byte characters stand that no other spelling uses, Ġ or ã and Ĥ."""
    hidden = set(byte_characters()) - {chr(i) for i in range(256)}
    return "byte" if text.isascii() or any(character in hidden for character in text) else "char"
