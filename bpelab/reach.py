"""Tokens that no text reaches.

A token is reached when some text is encoded to it. It is looked for alone, with other characters on
either side, since a pattern may cut elsewhere there, and where it is a piece of a character, with the
bytes that make it whole. What is found by none of these is listed: for merge lists whose pattern looks
no further than a character or two that is the same as "no text reaches it", as far as we know.
"""

from itertools import product

#: Characters of every kind that the published patterns tell apart, to stand beside a token.
SIDES = ("", " ", "a", "A", "1", "\n", "'", ".", "\u3042", "\u0e17", "\u0301", "  ", "x'", "/")
#: Continuation bytes that are tried to make a piece of a character whole.
TAILS = [bytes([byte]) for byte in (*range(0x80, 0xC0, 5), 0x81, 0x9F, 0xA0, 0xBF)]
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
        for left, right in product(SIDES, SIDES):
            yield left + whole + right


def _wholes(token):
    """The token as text; with bytes before and after it where it begins or ends within a character."""
    try:
        yield token.decode()
        return
    except UnicodeDecodeError:
        pass
    before = next((n for n in range(4) if n == len(token) or token[n] & 0xC0 != 0x80), 4)
    heads = [b""] if not before else [lead + b"".join(mid) for lead in LEADS for n in range(3) for mid in _tails(n)]
    for head in heads:
        for n in range(4):
            for tail in _tails(n):
                try:
                    yield (head + token + b"".join(tail)).decode()
                except UnicodeDecodeError:
                    continue


def _tails(n):
    return product(TAILS, repeat=n) if n < 2 else product(TAILS[:4], repeat=n)
