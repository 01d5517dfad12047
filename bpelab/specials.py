"""Special tokens: names with ids of their own, which no text spells unless the caller allows it."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import regex

from bpelab import checks

#: The largest id a special token may have.
LARGEST_ID = (1 << 24) - 1
#: Ordinary ids leave not more than this many numbers out.
MOST_UNUSED = 1 << 20


class SpecialTokens(dict):
    """Name -> id, and closed to changes, as the tokenizer is that it belongs to.

    >>> SpecialTokens({"<end>": 7})["<end>"]
    7
    """

    def _closed(self, *arguments, **named):
        raise TypeError(
            "the special tokens of a tokenizer do not change; tok.with_special_tokens(...) returns one that has more"
        )

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _closed

    def __reduce__(self):
        return SpecialTokens, (dict(self),)

    def __hash__(self):
        return hash(frozenset(self.items()))


def names_of(special_tokens):
    """The names of special tokens (an iterable of str, or a mapping name -> id) as a list, checked."""
    if isinstance(special_tokens, str | bytes) or not isinstance(special_tokens, Iterable):
        raise TypeError(f"special_tokens must be a list of names or a mapping name -> id, got {special_tokens!r}")
    names = [checks.text("special_tokens name", name) for name in special_tokens]
    if "" in names:
        raise ValueError("special_tokens: a name must not be empty, since it would stand everywhere")
    if len(set(names)) < len(names):
        raise ValueError(f"special_tokens: each name once, got {checks.shown(names)}")
    return names


def ordinary_ids(ids, size):
    """The ids of `size` ordinary tokens as a tuple of int, checked; None where they count up from 0."""
    if ids is None:
        return None
    ids = tuple(checks.whole(f"ids[{index}]", i, 0) for index, i in enumerate(ids))
    if len(ids) != size:
        raise ValueError(f"ids must have {size} entries, one for each base symbol and merge; got {len(ids)}")
    if len(set(ids)) < len(ids):
        raise ValueError("ids must be different from each other")
    if max(ids, default=0) > size + MOST_UNUSED:
        raise ValueError(f"ids may leave at most {MOST_UNUSED} numbers unused, got {max(ids)} for {size} tokens")
    return None if ids == tuple(range(size)) else ids


def placed(tokens, ids):
    """Tokens in a list where each stands at its id; b"" elsewhere."""
    by_id = [b""] * (max(ids, default=-1) + 1)
    for token, i in zip(tokens, ids, strict=True):
        by_id[i] = token
    return by_id


def numbered(special_tokens, first, ordinary=None):
    """Special tokens as SpecialTokens: given ids checked, none below `first`; names alone numbered from there.

    ordinary: the ids that are taken where they don't simply end at `first`.

    >>> numbered(["<a>", "<b>"], 256), numbered({"<a>": 300}, 256)
    ({'<a>': 256, '<b>': 257}, {'<a>': 300})
    """
    names = names_of(special_tokens)
    first = first if ordinary is None else max(ordinary, default=-1) + 1
    if not isinstance(special_tokens, Mapping):
        return SpecialTokens({name: first + at for at, name in enumerate(names)})
    ids = {name: checks.whole(f"special_tokens[{name!r}]", special_tokens[name], 0) for name in names}
    taken, own = {}, range(first) if ordinary is None else frozenset(ordinary)
    for name, special in ids.items():
        if special in own:
            if ordinary is not None:
                raise ValueError(f"special_tokens[{name!r}]: id {special} is that of an ordinary token")
            raise ValueError(f"special_tokens[{name!r}]: id {special} belongs to the vocabulary, ids 0 to {first - 1}")
        if special > LARGEST_ID:
            raise ValueError(f"special_tokens[{name!r}] must be at most {LARGEST_ID}, got {special}")
        if special in taken:
            raise ValueError(f"special_tokens: {name!r} and {taken[special]!r} have the same id, {special}")
        taken[special] = name
    return SpecialTokens(ids)


def following(special_tokens, end):
    """The names whose ids directly follow a vocabulary that ends before `end`, in order of their ids."""
    names = []
    for name, special in sorted(special_tokens.items(), key=lambda item: item[1]):
        if special == end + len(names):
            names.append(name)
    return names


def allowed_names(special_tokens, allowed):
    """The names that `allowed_special` stands for: a tuple of str; "all" for every one of `special_tokens`."""
    if allowed == "all" and isinstance(allowed, str):
        return tuple(special_tokens)
    if isinstance(allowed, str | bytes) or not isinstance(allowed, Iterable):
        raise TypeError(f"allowed_special must be an iterable of names or 'all', got {allowed!r}")
    names = tuple(allowed)
    for name in names:
        if name not in special_tokens:
            raise ValueError(
                f"allowed_special: {name!r} is no special token of this tokenizer, which has {list(special_tokens)!r}"
            )
    return names


@lru_cache(maxsize=64)
def pattern_of(names):
    """The compiled alternation of special tokens (tuple of str) as one group; the longest that fits wins."""
    return regex.compile("(" + "|".join(map(regex.escape, sorted(names, key=len, reverse=True))) + ")")
