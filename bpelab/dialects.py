"""Split patterns that other regex engines read as ours does: a safe subset, then the proof on a probe.

The same pattern means different things in `regex`, in Oniguruma (Hugging Face) and in fancy-regex
(tiktoken): `^`, `$`, `\\w`, `[[:alpha:]]`, `{1,3}+` and more. So a pattern of one's own is exported only
if it is made of what all three read alike, and if the other engine then cuts every character of this
Python's Unicode version (`unicodedata.unidata_version`), and a page of tricky neighbours, as ours does.
"""

import sys
import unicodedata
from functools import cache

import regex

from bpelab import checks

#: One construct after another; the name of a group is what an error calls it.
CONSTRUCTS = regex.compile(
    r"""
    (?P<escape>\\[sSdDwWrntfv]|\\[^\p{L}\p{N}]) | (?P<property>\\[pP]\{\^?\w+\}) | (?P<other_escape>\\.)
    | (?P<class_name>\[\[:|\[\.|\[=) | (?P<set>&&|--|~~|\|\|) | (?P<open_class>\[\^?) | (?P<close_class>\])
    | (?P<group>\(\?:) | (?P<case>\(\?i:) | (?P<look>\(\?[=!]) | (?P<other_group>\(\?.{0,2}|\(\*) | (?P<capture>\()
    | (?P<close>\)) | (?P<possessive_count>\{\d*,?\d*\}[+]) | (?P<count>\{\d+(?:,\d*)?\}\??) | (?P<open_count>\{,)
    | (?P<repeat>[*+?][+?]?) | (?P<anchor>[\^$]) | (?P<dot>\.) | (?P<plain>(?s:.))
    """,
    regex.VERBOSE,
)
UNSAFE = {
    "other_escape": "the escape {}",
    "class_name": "a named class, {}",
    "set": "the set operator {}",
    "other_group": "the group {}...)",
    "possessive_count": "the possessive {}",
    "open_count": "the count {}...}}",
    "anchor": "the anchor {}",
    "dot": "{} (write [^\\n] or [\\s\\S])",
}
#: Letters that, in any case, also match one sign that folds to both.
FOLDED_PAIRS = regex.compile(r"(?i)ss|st|ff|fi|fl|[^\x00-\x7f]")
TRICKY = (
    "a b  c\n\n d\r\n\te\x0b\x0cf \n",
    "it's IT'S it’s 's 'S 'ſ x'll",
    "straße STRASSE ẞ ﬁ ﬅ K ſ",
    "0 12 345 6789 ½ ² ３",
    "a\u200db\u200cc\u0301\u0345d",
    "猫が2匹。 ニャー\u3000！",
    "x_y-z.w,(v)[u]{t}",
    " \u00a0\u2003 \u2028\u2029\u0085",
    "\ufeffa\x00b\x1bc",
)


def unsafe(pattern):
    """What in a pattern other engines read otherwise, in words; None where nothing is.

    >>> unsafe(r" ?\\p{L}+|\\s+|[^\\s\\p{L}]+"), unsafe(r"^ +|\\S+")
    (None, 'the anchor ^')
    """
    inside = False
    for match in CONSTRUCTS.finditer(pattern):
        kind, found = match.lastgroup, match.group()
        if inside and kind in ("anchor", "dot", "repeat", "group", "capture", "close", "look", "plain", "other_group"):
            continue
        if kind == "open_class" and inside:
            return "a class inside a class"
        inside = (inside or kind == "open_class") and kind != "close_class"
        if kind in UNSAFE:
            return UNSAFE[kind].format(found)
    folded = regex.search(r"\(\?i:([^()]*)\)", pattern)
    if folded and FOLDED_PAIRS.search(folded.group(1)):
        return "letters that fold to one sign after (?i:"
    return None


@cache
def every_character():
    """All characters of this Python's Unicode version, in order, as one str."""
    points = map(chr, range(sys.maxunicode + 1))
    return "".join(point for point in points if unicodedata.category(point) not in ("Cn", "Cs"))


def check(pattern, cut, their_cut, library):
    """Refuse a pattern that a library's engine reads otherwise than ours.

    cut: the function str -> list of str by which we cut a text; their_cut(pattern) returns the library's.
    """
    construct = unsafe(pattern)
    if construct:
        raise ValueError(
            f"chunking: {library}'s regex engine may read {construct} otherwise, in {checks.shown(pattern)}; write it "
            "with literals, classes, \\p{...}, \\s, groups, counts and look-ahead only"
        )
    theirs = their_cut(pattern)
    for text in (*TRICKY, every_character()):
        ours, other = cut(text), theirs(text)
        if ours != other:
            differ = next(pair for pair in zip([*ours, ""], [*other, ""], strict=False) if pair[0] != pair[1])
            raise ValueError(
                f"chunking: {library}'s regex engine cuts otherwise by {checks.shown(pattern)}: "
                f"{checks.shown(differ[0])} here is {checks.shown(differ[1])} there"
            )
