"""Tokens that no text reaches."""


def unreachable(reading):
    return []
