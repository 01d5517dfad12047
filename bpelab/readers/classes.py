"""Character classes as other libraries have them: each follows its own version of Unicode."""

import json
from functools import lru_cache
from importlib import resources

#: White space, the same in every library here.
WHITE = frozenset("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | set(map(chr, range(0x2000, 0x200B)))
#: An unassigned character, and one that is assigned as a small letter: what newer ones are taken for.
UNASSIGNED, SMALL = "\u0378", "\u0296"


@lru_cache(maxsize=1)
def _tables():
    return json.loads(resources.files("bpelab.readers").joinpath("classes.json").read_text("utf-8"))


@lru_cache(maxsize=16)
def members(name):
    """The characters (a frozenset of str) of one class in classes.json."""
    spans = (span.split("-") for span in _tables()[name].split())
    return frozenset(chr(point) for span in spans for point in range(int(span[0], 16), int(span[-1], 16) + 1))


@lru_cache(maxsize=1)
def lowered():
    """Capitals that Python may not know: character -> its small letter, for `str.translate`."""
    return {int(upper, 16): chr(int(lower, 16)) for upper, lower in _tables()["lower"].items()}


@lru_cache(maxsize=1)
def stand_ins():
    """What Unicode 16 says of newer characters: a table for `str.translate`, one character for one.

    The `regex` package knows newer letters than Oniguruma and Rust do, so patterns are matched on a
    copy of the text in which those are what they were in Unicode 16: unassigned.
    """
    return dict.fromkeys(map(ord, members("new")), UNASSIGNED) | {0x295: SMALL}
