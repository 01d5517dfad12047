"""Normalization: the Unicode form into which a text is brought before it is cut into chunks."""

import unicodedata
from functools import partial

from bpelab import checks

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def normalizer(form):
    """The function str -> str that a normalization stands for; None leaves the text as it is.

    >>> normalizer("NFKC")("ﾃﾞｰﾀ")
    'データ'
    """
    if form is None:
        return str
    return partial(unicodedata.normalize, checks.choice("normalization", form, FORMS))
