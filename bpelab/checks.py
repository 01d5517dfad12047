"""Checks on what a caller hands in. Each error names the argument, the value and the remedy."""

import numbers
import operator
import os
import re
from collections.abc import Mapping

import numpy as np

#: What a file's name ends like.
FILE_NAME = re.compile(r"\S\.\w{1,8}\Z")


def shown(value):
    """A value for an error message, cut when it is long."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def is_whole(value):
    """Whether a value is an int (NumPy's too) and no truth value."""
    return hasattr(value, "__index__") and not isinstance(value, bool | np.bool_)  # NumPy 2.0's has one


def whole(name, value, minimum, remedy="", most=None):
    """`value` as an int from `minimum` to `most`; True, 3.0 and "3" are not whole numbers here."""
    if not is_whole(value):
        raise TypeError(f"{name} must be a whole number, got {shown(value)}")
    number = operator.index(value)
    if number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {number}{remedy}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {most:,}, got {number}")
    return number


def number(name, value, wanted="a number"):
    """`value`, if it is an int or a float (NumPy's too) and no bool; `wanted` says what would do."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be {wanted}, got {shown(value)}")
    return value


def flag(name, value):
    """`value`, if it is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return value


def choice(name, value, choices):
    """`value`, if it is one of the named choices."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, got {type(value).__name__}")
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}; got {shown(value)}")
    return value


def text(name, value):
    """`value`, if it is a str that UTF-8 can hold (no lone surrogates)."""
    if not isinstance(value, str):
        hint = " (decode it first: .decode('utf-8'))" if isinstance(value, bytes | bytearray) else ""
        raise TypeError(f"{name} must be a str, got {type(value).__name__}{hint}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} holds a lone surrogate, U+{ord(value[error.start]):04X}, at character {error.start}, "
            "which is not Unicode text; repair the source, "
            "or replace it with text.encode('utf-8', 'replace').decode()"
        ) from None
    return value


def documents(name, value):
    """An iterator over the documents in `value`: one str, or any iterable of str."""
    if isinstance(value, str):
        yield text(name, value)
        return
    if isinstance(value, bytes | bytearray) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name} must be a str or an iterable of str, got {type(value).__name__}")
    if isinstance(value, Mapping) or hasattr(value, "columns") or hasattr(value, "column_names"):
        raise TypeError(
            f"{name} must be a str or an iterable of str, got a {type(value).__name__}, whose items are the names of "
            "its columns or keys; hand in the texts themselves, such as frame['text'] or mapping.values()"
        )
    for index, document in enumerate(value):
        yield text(f"{name}[{index}]", document)


def no_file(name, text):
    """`text`, if it isn't the path of a file: who hands in a path means what stands in it."""
    if len(text) < 1024 and FILE_NAME.search(text) and "\0" not in text and os.path.isfile(text):
        raise ValueError(
            f"{name}: {shown(text)} is a file, and its name would be taken as the text; "
            f"read it first: bpelab.corpora.read({shown(text)})"
        )
    return text


def batch(name, value):
    """The texts of an iterable of str as a checked list; one str is no batch."""
    if isinstance(value, str):
        raise TypeError(f"{name} must be an iterable of str, got one str; put it in a list")
    return list(documents(name, value))
