"""The lines that a check prints: narrow enough for a page, a hint on a line of its own."""

import unicodedata

import regex

#: Columns of a terminal; a wide character takes two.
WIDTH = 70
INDENT = " " * 8
#: What stays in one line: a word, or one wide character with the brackets and marks that belong to it.
UNIT = regex.compile(
    r" *(?:[「『（]*[\p{ea=W}\p{ea=F}][、。」』）！？：ーっゃゅょッャュョ]*|[^ \p{ea=W}\p{ea=F}]+[、。」』）！？：]*)"
)


def laid_out(words):
    """Words in lines, all but the first indented.

    >>> print(laid_out("You counted words. Hint: a blank is a character too."))
    You counted words.
            Hint: a blank is a character too.
    """
    words = regex.sub(r"(?<=[^\s「]) ?(Hint: |ヒント：)", r"\n\1", words)
    return f"\n{INDENT}".join(part for line in words.split("\n") for part in _wrapped(line))


def _wrapped(line):
    lines = [""]
    for unit in UNIT.findall(line):
        if lines[-1] and _columns(lines[-1] + unit) > WIDTH:
            lines.append(unit.lstrip())
        else:
            lines[-1] += unit
    return lines


def _columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
