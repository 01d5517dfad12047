"""Answers to the exercises of chapter 04."""

import codecs
import re
from itertools import pairwise

import numpy as np

from bpelab import reference, spelling

# --- 04.2: right ones ----------------------------------------------------------------------------------


def by_decoder(data):
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    decoder.decode(data)
    return len(data) - len(decoder.getstate()[0])


def by_last_first_byte(data):
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte & 0b11000000 != 0b10000000:
            size = 4 if 0xF0 <= byte < 0xF8 else 3 if 0xE0 <= byte < 0xF0 else 2 if 0xC0 <= byte < 0xE0 else 1
            return len(data) - back if size > back else len(data)
    return len(data)


def by_pattern(data):
    tail = re.search(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z", data)
    return tail.start() if tail else len(data)


def by_error(data):
    try:
        data.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return error.start
        return error.end + by_error(data[error.end :])
    return len(data)


# ... and wrong ones


def only_ascii(data):
    return sum(byte < 0x80 for byte in data)


def all_of_it(data):
    return len(data)


def in_characters(data):
    return len(data.decode(errors="ignore"))


def longest_good_prefix(data):
    for n in range(len(data), -1, -1):
        try:
            data[:n].decode()
            return n
        except UnicodeDecodeError:
            pass


def by_size_alone(data):
    at = 0
    while at < len(data):
        size = 1 + sum(data[at] >= first for first in (0xC0, 0xE0, 0xF0))
        if at + size > len(data):
            break
        at += size
    return at


def without_last(data):
    return max(0, len(data) - 1)


def the_bytes(data):
    return data[: by_decoder(data)]


def strict(data):
    return len(data.decode().encode())


# --- 04.3 ----------------------------------------------------------------------------------------------


def merges_by_limit(ranks):
    merges = []
    for token, limit in sorted(ranks.items(), key=lambda item: item[1]):
        parts = [bytes([byte]) for byte in token]
        while True:
            known = [(ranks.get(a + b, limit), at) for at, (a, b) in enumerate(pairwise(parts))]
            rank, at = min(known, default=(limit, 0))
            if rank >= limit:
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        if len(parts) == 2:
            merges.append(tuple(parts))
    return merges


def merges_by_replay(ranks):
    merges = []
    for token in sorted(ranks, key=ranks.get):
        if len(token) > 1:
            merges.append(reference.encode([bytes([byte]) for byte in token], merges))
    return merges


def merges_one_by_one(ranks):
    yield from merges_by_limit(ranks)


def splits(token, ranks):
    return [(token[:at], token[at:]) for at in range(1, len(token)) if {token[:at], token[at:]} <= ranks.keys()]


def first_split(ranks):
    return [splits(token, ranks)[0] for token in ranks if len(token) > 1]


def last_split(ranks):
    return [splits(token, ranks)[-1] for token in ranks if len(token) > 1]


def lowest_parts(ranks):
    return [min(splits(t, ranks), key=lambda s: max(map(ranks.get, s))) for t in ranks if len(t) > 1]


def all_splits(ranks):
    return [split for token in ranks for split in splits(token, ranks)]


def highest_left(ranks):
    """No limit: the parts with the highest rank, though they came later."""
    right = dict(zip((a + b for a, b in merges_by_limit(ranks)), merges_by_limit(ranks), strict=True))
    for token in right:
        late = [split for split in splits(token, ranks) if max(map(ranks.get, split)) > ranks[token]]
        right[token] = late[0] if late else right[token]
    return list(right.values())


def no_limit(ranks):
    """Encodes each token with all ranks, and so down to the token itself."""
    merges = []
    for token in ranks:
        parts = [bytes([byte]) for byte in token]
        while known := [(ranks[a + b], at) for at, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]:
            at = min(known)[1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        if len(parts) == 2:
            merges.append(tuple(parts))
    return merges


def backwards(ranks):
    return merges_by_limit(ranks)[::-1]


def bytes_too(ranks):
    return [(bytes([byte]), b"") for byte in range(256)] + merges_by_limit(ranks)


def as_text(ranks):
    return [(str(a), str(b)) for a, b in merges_by_limit(ranks)]


# --- 04.4 ----------------------------------------------------------------------------------------------


def table(stays, moved=lambda byte, count: chr(256 + count)):
    found = []
    for byte in range(256):
        count = sum(not stays(earlier) for earlier in range(byte))
        found.append(chr(byte) if stays(byte) else moved(byte, count))
    return found


def visible(byte):
    return chr(byte).isprintable() and byte != 32


TABLE = table(visible)

# --- 04.5 ----------------------------------------------------------------------------------------------


def by_lookup(tok, messages):
    ids = []
    for role, text in messages:
        ids += [tok.special_tokens[f"<|{role}|>"], *tok.encode(text), tok.special_tokens["<|end|>"]]
    return ids


def by_allowing_own_names(tok, messages):
    def name(of):
        return tok.encode(f"<|{of}|>", allowed_special="all")

    return np.array([i for role, text in messages for i in (*name(role), *tok.encode(text), *name("end"))])


def joined_string(tok, messages):
    return tok.encode("".join(f"<|{role}|>{text}<|end|>" for role, text in messages), allowed_special="all")


def joined_and_listed(tok, messages):
    names = [f"<|{role}|>" for role, _ in messages] + ["<|end|>"]
    return tok.encode("".join(f"<|{role}|>{text}<|end|>" for role, text in messages), allowed_special=names)


def names_deleted(tok, messages):
    def clean(text):
        for name in tok.special_tokens:
            text = text.replace(name, "")
        return text

    return by_lookup(tok, [(role, clean(text)) for role, text in messages])


def deleted_and_joined(tok, messages):
    def clean(text):
        for name in tok.special_tokens:
            text = text.replace(name, "")
        return text

    return joined_string(tok, [(role, clean(text)) for role, text in messages])


def names_rewritten(tok, messages):
    return joined_string(tok, [(role, text.replace("<|", "< |")) for role, text in messages])


def nothing_special(tok, messages):
    return tok.encode("".join(f"<|{role}|>{text}<|end|>" for role, text in messages))


def assistant_forgotten(tok, messages):
    ids = []
    for role, text in messages:
        ids += tok.encode(f"<|{role}|>", ["<|system|>", "<|user|>"]) + tok.encode(text)
        ids.append(tok.special_tokens["<|end|>"])
    return ids


def only_users_are_hostile(tok, messages):
    ids = []
    for role, text in messages:
        allowed = () if role == "user" else "all"
        ids += [tok.special_tokens[f"<|{role}|>"], *tok.encode(text, allowed), tok.special_tokens["<|end|>"]]
    return ids


def with_line_ends(tok, messages):
    return [i for message in messages for i in (*by_lookup(tok, [message]), *tok.encode("\n"))]


def ids_by_heart(tok, messages):
    known = {"system": 268, "user": 269, "assistant": 270}
    return [i for role, text in messages for i in (known[role], *tok.encode(text), 271)]


def a_list_each(tok, messages):
    return [by_lookup(tok, [message]) for message in messages]


def a_string(tok, messages):
    return "".join(f"<|{role}|>{text}<|end|>" for role, text in messages)


ACCEPTED = {
    "04.1": [(10, 11), [10.0, 11], np.array([10, 11])],
    "04.2": [by_decoder, by_last_first_byte, by_pattern, by_error],
    "04.3": [merges_by_limit, merges_by_replay, merges_one_by_one],
    "04.4": [
        TABLE,
        "".join(TABLE),
        dict(enumerate(TABLE)),
        {c: byte for byte, c in enumerate(TABLE)},
        {bytes([byte]): c for byte, c in enumerate(TABLE)},
        spelling.byte_characters(),
        lambda: TABLE,
    ],
    "04.5": [by_lookup, by_allowing_own_names],
}
REJECTED = {
    "04.1": [
        ((4, 4), "counted characters"),
        ((4, 5), "counted characters"),
        ((10, 10), "another length"),
        ((10, 12), "UTF-16"),
        ((16, 20), "UTF-32"),
        ((11, 10), "wrong way round"),
        ((9, 10), "NFC isn't right"),
        ((10, 13), "NFD isn't"),
        (10, "list of whole numbers"),
        ([10, 11, 4], "Two numbers"),
    ],
    "04.2": [
        (only_ascii, "belong to characters too"),
        (all_of_it, "half a character"),
        (in_characters, "its characters"),
        (longest_good_prefix, "the stream hangs"),
        (by_size_alone, "the stream hangs"),
        (without_last, "whole characters"),
        (the_bytes, "a whole number"),
        (lambda data: -1, "a number of bytes"),
        (strict, "Your code raised UnicodeDecodeError"),
        (lambda data: by_decoder(data) if b"\xff" not in data else len(data), "may still become"),
        (3, "a function"),
    ],
    "04.3": [
        (first_split, "never stood side by side"),
        (last_split, "never stood side by side"),
        (lowest_parts, "never stood side by side"),
        (highest_left, "wasn't there yet"),
        (no_limit, "No merge of yours"),
        (all_splits, "more than one merge"),
        (backwards, "aren't in order"),
        (bytes_too, "single bytes have no merge"),
        (as_text, "pair of tokens (bytes)"),
    ],
    "04.4": [
        ([chr(256 + byte) for byte in range(256)], "moved all 256"),
        ([chr(byte) for byte in range(256)], "moved none"),
        (table(lambda byte: 33 <= byte < 127 or byte > 160), "let byte 173 stay"),
        (table(lambda byte: visible(byte) or byte == 32), "let the blank stay"),
        (table(visible, lambda byte, count: chr(256 + byte)), "the rule counts"),
        (table(visible, lambda byte, count: chr(257 + count)), "68 bytes are wrong"),
        (table(lambda byte: 33 <= byte < 127), "the first is 161"),
        (table(visible, lambda byte, count: "?"), "the same character"),
        (TABLE[:255], "256 bytes need 256"),
        (dict(enumerate(TABLE[:255])), "Byte 255 needs"),
        ([*TABLE[:-1], 255], "Byte 255 needs"),
    ],
    "04.5": [
        (joined_string, "out of the text"),
        (joined_and_listed, "out of the text"),
        (deleted_and_joined, "out of the text"),
        (only_users_are_hostile, "out of the text"),
        (names_deleted, "don't come back"),
        (names_rewritten, "don't come back"),
        (nothing_special, "is ordinary text there, not a special id"),
        (assistant_forgotten, "<|assistant|> is ordinary text"),
        (with_line_ends, "not role, text, end"),
        (ids_by_heart, "has not"),
        (a_list_each, "a list of whole numbers"),
        (a_string, "a list of whole numbers"),
    ],
}
