"""Answers to the exercises of chapter 10."""

import json
import unicodedata
from collections import Counter

import numpy as np

RIGHT = r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))|\P{N}+"
SPARING = r"(?<=\p{N}\.(?:\p{N}{3})*)\p{N}{1,3}|" + RIGHT


def by_parts(tok, messages):
    control, ids = tok.special_tokens, []
    for role, text in messages:
        ids += [control[f"<|{role}|>"], *tok.encode(text), control["<|end|>"]]
    return [*ids, control["<|assistant|>"]]


def by_numpy(tok, messages):
    return np.array(by_parts(tok, messages))


def by_string(tok, messages, clean=lambda text: text):
    parts = [f"<|{role}|>{clean(text)}<|end|>" for role, text in messages]
    return tok.encode("".join(parts) + "<|assistant|>", allowed_special="all")


def deleting(tok, messages):
    def clean(text):
        for name in tok.special_tokens:
            text = text.replace(name, "")
        return text

    return by_string(tok, messages, clean)


def deleting_well(tok, messages):
    """Deletes until nothing is left, and loses what people wrote."""
    cleaned = []
    for role, text in messages:
        while any(name in text for name in tok.special_tokens):
            for name in tok.special_tokens:
                text = text.replace(name, "")
        cleaned.append((role, text))
    return by_parts(tok, cleaned)


def letter_by_letter(tok, messages):
    control, ids = tok.special_tokens, []
    for role, text in messages:
        ids += [control[f"<|{role}|>"], *(i for c in text for i in tok.encode(c)), control["<|end|>"]]
    return [*ids, control["<|assistant|>"]]


def without_turn(tok, messages):
    return by_parts(tok, messages)[:-1]


def audit(lines, form="NFC", decode=lambda line: line.decode(), blank=lambda text: text != text.rstrip()):
    counts = {"not UTF-8": 0, "decomposed": 0, "half-width": 0, "blank at the end": 0}
    for line in lines:
        try:
            text = decode(line)
        except UnicodeDecodeError:
            counts["not UTF-8"] += 1
            continue
        counts["decomposed"] += text != unicodedata.normalize(form, text)
        counts["half-width"] += any("\uff61" <= c <= "\uff9f" for c in text)
        counts["blank at the end"] += blank(text)
    return counts


def audit_by_width(lines):
    counts = audit(lines)
    texts = [line.decode("utf-8", "ignore") for line in lines]
    counts["half-width"] = sum(any(unicodedata.east_asian_width(c) == "H" for c in text) for text in texts)
    return counts


def by_nfkc(lines):
    return audit(lines, "NFKC")


def through_replacement(lines):
    return audit(lines, decode=lambda line: line.decode(errors="replace"))


def by_replacement_sign(lines):
    broken = [line for line in lines if "\ufffd" in line.decode(errors="replace")]
    return audit([line for line in lines if line not in broken]) | {"not UTF-8": len(broken)}


def ascii_blank(lines):
    return audit(lines, blank=lambda text: text.endswith(" "))


WITNESSES = ["we'll", None, "あ", "xy", "yz", None, "  "]
ACCEPTED = {
    "10.1": [[1_230_000, 4_560, 7], (1.23e6, 4560, 7), np.array([1230000, 4560, 7])],
    "10.2": [SPARING, SPARING.replace(r"\P{N}+", r"[^\p{N}]")],
    "10.3": [WITNESSES, tuple(WITNESSES), ["'ll", None, "ぁ。", "axy", "ayz", None, "a   b"]],
    "10.4": [by_parts, by_numpy],
    "10.5": [
        audit,
        audit_by_width,
        lambda lines: +Counter(audit(lines)),
        lambda lines: json.loads(json.dumps(audit(lines))),
    ],
}
REJECTED = {
    "10.1": [
        ([1_000_000, 234_000, 567], "from which end"),
        ([123_000_000, 456_000, 7], "don't make"),
        ([123, 456, 7], "tokens themselves"),
        ([7, 4_560, 1_230_000], "keep its order"),
        ("1230000", "a list"),
    ],
    "10.2": [
        (RIGHT, "lookbehind"),
        (r"\p{N}{1,3}|\P{N}+", "how many digits may follow"),
        (r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))|[^\p{N}.]+", "needs an alternative"),
        (r"\p{N}{1,3}(?=(?:\p{N}{3})*\.?(?!\p{N}))\.?|\P{N}+", "holds digits and more"),
        (r"\p{N}+\.\p{N}+|" + RIGHT, "holds digits and more"),
        ("(", "can't cut"),
    ],
    "10.3": [
        ([None, None, "あ", "xy", "yz", None, "  "], "own text"),
        (["'ll", None, None, "xy", "yz", None, "  "], "bytes make a character"),
        (["'ll", "1a", "あ", "xy", "yz", None, "  "], "where does the pattern cut"),
        (["'ll", None, "あ", "xy", "yz", "xyz", "  "], "its tokens are xy|z"),
        (["'ll", None], "2 entries"),
        (["'ll", "", "あ", "xy", "yz", "", "  "], "An empty text"),
    ],
    "10.4": [
        (by_string, "speaks for another role"),
        (deleting, "speaks for another role"),
        (deleting_well, "the text has changed"),
        (letter_by_letter, "cut into other tokens"),
        (without_turn, "whose turn"),
        (lambda tok, messages: [10**6], "doesn't have"),
    ],
    "10.5": [
        (by_nfkc, "You count"),
        (through_replacement, "You miss"),
        (by_replacement_sign, "a lost character"),
        (ascii_blank, "a blank of its own"),
        (lambda lines: {}, "no entry"),
        (lambda lines: audit(lines) | {"half-width": 0}, "a block of Unicode"),
    ],
}
