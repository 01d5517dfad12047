"""Tokens that no text reaches.

A token is reached when some text is encoded to it. It is looked for alone, with other characters on
either side, since a pattern may cut elsewhere there, and where it is a piece of a character, with the
bytes that make it whole. What is found by none of these is listed: for merge lists whose pattern looks
no further than a character or two that is the same as "no text reaches it", as far as we know.
"""

import string
from itertools import chain, product

from bpelab.spelling import character_size

#: Characters to stand before a token and after it: all of ASCII's, and of kinds that patterns tell apart.
LEFT = ["", "\0", "\u2603", " ", "a", "\n", "1", "\u3042", "\u0e17", "\u0301", "  ", "x'", *string.printable]
RIGHT = ["", "\0", " ", "\n", "a", "A", "s", "1", ".", "\u3042", "\u0301"]
#: Bytes that begin a character, to stand before one that goes on.
LEADS = [bytes([byte]) for byte in (0xC3, 0xD0, 0xD7, 0xE3, 0xE4, 0xE8, 0xF0, 0xE0, 0xEF, 0xC2, 0xF4)]


def unreachable(tok):
    """The ordinary tokens of a vocabulary (list of bytes, in the order of their ids) that nothing tried reaches."""
    special = set(tok.special_tokens.values()) | {tok.unknown_id}
    known = ((i, tok.id_to_token(i)) for i in range(tok.vocab_size) if i not in special)
    return [token for i, token in known if token and not _reached(tok, i, token)]


def _reached(tok, i, token):
    blank = "\u2581".encode()
    for text in _texts(token):
        for shown in {text, text.replace("\u2581", " ")} if blank in token else (text,):
            if i in tok.encode(shown):
                return True
    return False


def _texts(token):
    """Texts in which the token may be found, the likeliest first."""
    wholes = list(_wholes(token))
    yield from wholes
    for whole in wholes[:2]:
        for left, right in chain(product(LEFT, RIGHT[:1]), product(LEFT[:8], RIGHT)):
            yield left + whole + right


def _wholes(token):
    """The token as text; with bytes before and after it where it begins or ends within a character."""
    before = next((n for n, byte in enumerate(token) if byte & 0xC0 != 0x80), len(token))
    for head in _heads(before) if before else [b""]:
        last = next(at for at in range(len(head + token) - 1, -1, -1) if (head + token)[at] & 0xC0 != 0x80)
        missing = last + character_size((head + token)[last]) - len(head + token)
        for tail in _tails(missing) if missing > 0 else [b""]:
            try:
                yield (head + token + tail).decode()
            except UnicodeDecodeError:
                continue


def _heads(before):
    """Bytes that may stand before `before` bytes that go on a character."""
    for lead, n in product(LEADS, range(3)):
        if 1 + n + before <= character_size(lead[0]):
            yield from (lead + middle for middle in _tails(n))


def _tails(n):
    """n bytes that may go on a character: all of them in the first place, some in the others."""
    return (bytes(tail) for tail in product(*[range(0x80, 0xC0), b"\x80\xa0\xbf", b"\x80\xa0\xbf"][:n]))
