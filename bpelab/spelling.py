"""Bytes as people read them: tokens as text, as one-line labels, and as GPT-2's byte characters."""

import codecs
import unicodedata
from functools import lru_cache

import regex

VISIBLE_BLANK = "\u2581"  # ▁, as SentencePiece writes a blank
REPLACEMENT = "\N{REPLACEMENT CHARACTER}".encode()
NAMES = {" ": "␣", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\", "␣": r"\u2423", "∅": r"\u2205"}
#: Characters that are drawn as nothing though they count as printable: fillers, variation selectors, an empty cell.
INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u2800]")


def readable(token):
    """A token (bytes) for people: text, and each stray byte as <0xE3>.

    >>> readable("猫".encode()), readable("猫".encode()[:2])
    ('猫', '<0xE7><0x8C>')
    """
    return token.decode("utf-8", "bpelab.stray")


def _stray(error):
    return "".join(f"<0x{byte:02X}>" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("bpelab.stray", _stray)


def label(token):
    """A token (bytes or str) as a one-line label: blanks and invisible characters become visible.

    >>> [label(t) for t in (" low", b"\\n", "\\u200b", "猫".encode()[:2], "")]
    ['␣low', '\\\\n', '\\\\u200b', '<0xE7><0x8C>', '∅']
    """
    shown = readable(token) if isinstance(token, bytes) else token
    shown = "".join(NAMES.get(character) or visible(character) for character in shown)
    if shown and unicodedata.category(shown[0]).startswith("M"):
        shown = escaped(shown[0]) + shown[1:]
    return shown or "∅"


def visible(character):
    r"""A character that can be seen as itself; one that can't, or that steers a terminal, as its code point.

    >>> visible("猫"), visible("\u202e"), visible("\U000e0100")
    ('猫', '\\u202e', '\\U000e0100')
    """
    return character if character.isprintable() and not INVISIBLE.match(character) else escaped(character)


def escaped(character):
    r"""A character as its code point: "\u200b" is written out."""
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def character_size(first_byte):
    """How many bytes a UTF-8 character has that starts with this one."""
    return 1 + (first_byte >= 0xC0) + (first_byte >= 0xE0) + (first_byte >= 0xF0)


def spelled(ids, chunk, tokens, unknown):
    """The bytes of each id of a chunk (str); `unknown` (an id or None) as the character it stands for.

    >>> spelled([0, 1], "é!", [b"<unk>", b"!"], 0)
    [b'\\xc3\\xa9', b'!']
    """
    if unknown not in ids:
        return [tokens[i] for i in ids]
    found, spelling, at = [], chunk.encode(), 0
    for i in ids:
        token = spelling[at : at + character_size(spelling[at])] if i == unknown else tokens[i]
        found.append(token)
        at += len(token)
    return found


@lru_cache(maxsize=1)
def gpt2_order():
    """The 256 bytes in the order of GPT-2's ids: those that stand for a character of their own first."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return (*shown, *(byte for byte in range(256) if byte not in shown))


@lru_cache(maxsize=1)
def byte_characters():
    """GPT-2's character for each byte, in byte order: printable ones are themselves, the rest count up from Ā.

    >>> byte_characters()[ord("A")], byte_characters()[ord(" ")], byte_characters()[ord("\\n")]
    ('A', 'Ġ', 'Ċ')
    """
    hidden = gpt2_order()[188:]
    return tuple(chr(256 + hidden.index(byte)) if byte in hidden else chr(byte) for byte in range(256))


@lru_cache(maxsize=1)
def character_bytes():
    """The byte that each of `byte_characters` stands for: its inverse, as a dict.

    >>> character_bytes()["Ġ"]
    32
    """
    return {character: byte for byte, character in enumerate(byte_characters())}


def byte_level(token):
    """A token (bytes) written with `byte_characters`, as GPT-2's files have it.

    >>> byte_level("␣猫".encode())
    'âĲ£çĮ«'
    """
    return "".join(byte_characters()[byte] for byte in token)
