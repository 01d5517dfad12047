"""Checks on what a caller hands in. Each error names the argument, the value and the remedy."""

import operator


def shown(value):
    """A value for an error message, cut when it is long."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def whole(name, value, minimum, remedy=""):
    """`value` as an int of at least `minimum`; True, 3.0 and "3" are not whole numbers here."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, got {shown(value)}")
    number = operator.index(value)
    if number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {number}{remedy}")
    return number


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
    for index, document in enumerate(value):
        yield text(f"{name}[{index}]", document)
