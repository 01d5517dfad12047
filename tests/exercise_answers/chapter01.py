"""Answers to the exercises of chapter 01."""

import re
import unicodedata

import numpy as np
import regex

import bpelab

GPT2 = bpelab.chunking.PATTERNS["gpt2"]
REST = GPT2.removeprefix(r"'(?:[sdmt]|ll|ve|re)")
RIGHT_TO_LEFT = r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))|\P{N}+"
KEPT = r"\p{Han}+\p{Hiragana}*|\p{Hiragana}+|[\p{Katakana}ー]+|[^\p{Han}\p{Hiragana}\p{Katakana}ー]"


def by_hand(text):
    """Digits in groups, without a pattern for the groups."""
    found = []
    for run in re.findall(r"\d+|\D+", text):
        if run[0].isdigit():
            while len(run) > 3:
                first = len(run) % 3 or 3
                found.append(run[:first])
                run = run[first:]
        found.append(run)
    return found


def keeping(text):
    """Kanji with the hiragana after them, by a loop."""
    found, script = [], None
    for c in text:
        kind = next((k for k in ("Han", "Hiragana", "Katakana") if regex.match(rf"\p{{{k}}}", c)), None)
        if found and kind and (kind == script or (script, kind) == ("Han", "Hiragana")):
            found[-1] += c
        else:
            found.append(c)
        script = kind
    return found


def drops_marks(text):
    return regex.findall(r"\p{Han}+\p{Hiragana}*|\p{Hiragana}+|[\p{Katakana}ー]+", text)


ACCEPTED = {
    "01.1": [8, 8.0, np.int64(8)],
    "01.2": [
        r"['’](?i:[sdmt]|ll|ve|re)" + REST,
        r"['’](?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE])" + REST,
        r"['’](?:[sdmtSDMT]|ll|ve|re|LL|VE|RE)" + REST,
        r"(?i:'(?:[sdmt]|ll|ve|re))|(?i:’(?:[sdmt]|ll|ve|re))" + REST,
        regex.compile(r"['’](?i:[sdmt]|ll|ve|re)" + REST),
        lambda text: regex.findall(r"['’](?i:[sdmt]|ll|ve|re)" + REST, text),
    ],
    "01.3": [
        RIGHT_TO_LEFT,
        r"\d{1,3}(?=(?:\d{3})*(?!\d))|\D+",
        r"[0-9]{1,3}(?=(?:[0-9]{3})*(?![0-9]))|[^0-9]+",
        r"\d{1,3}(?=(?:\d{3})*(?:\D|$))|\D",
        r" ?\p{N}{1,3}(?=(?:\p{N}{3})*+(?!\p{N}))|[^\p{N}]",
        by_hand,
    ],
    "01.4": [KEPT, keeping, lambda text: regex.findall(KEPT, text), lambda text: tuple(regex.findall(KEPT, text))],
    "01.5": [
        {"threes": "\n", "lower": "A", "composed": "e\u0301"},
        {"composed": unicodedata.normalize("NFD", "ガ"), "lower": "İstanbul", "threes": "one\ntwo"},
    ],
}
REJECTED = {
    "01.1": [(4, "blanks only"), (7, "o200k"), (9, "Not that many"), ("8", "a whole number"), (8.5, "whole")],
    "01.2": [
        (GPT2 + r"|’(?i:[sdmt]|ll|ve|re)", "Nothing has changed"),
        (GPT2, "Nothing has changed"),
        ("gpt2", "Nothing has changed"),
        (r"['’](?:[sdmt]|ll|ve|re)" + REST, "capitals"),
        (r"'(?:[sdmt]|ll|ve|re)|’(?i:[sdmt]|ll|ve|re)" + REST, "capitals"),
        (r"(?i:'(?:[sdmt]|ll|ve|re))|’(?:[sdmt]|ll|ve|re)" + REST, "capitals"),
        (r"['’](?i:\p{L}+)" + REST, "was to stay"),
        ("(?i)['’](?:[sdmt]|ll|ve)" + REST, "An ending isn't a chunk"),
        (r"['’](?i:[sdmt]|ll|ve|re)", "can't cut with it"),
        ("words", "another text"),
        (lambda text: [text], "An ending isn't a chunk"),
    ],
    "01.3": [
        (r"\p{N}{1,3}|\P{N}+", "from the left"),
        (r"\p{N}{1,3}(?=\p{N}{3}(?!\p{N}))|\p{N}{1,3}|\P{N}+", "Right up to six"),
        (r"\p{N}{1,3}(?=(?:\p{N}{3})?(?!\p{N}))|\p{N}{1,3}|\P{N}+", "Right up to six"),
        (r"\d{1,3}(?=(?:\d{3})*$)|\d{1,3}|\D+", "Bare numbers"),
        (r"\d{1,3}(?=(?:\d{3})*$)|.", "Bare numbers"),
        (r"\p{N}+|\P{N}+", "You cut"),
        ("cl100k", "from the left"),
        (lambda text: [f"{int(text):,}"] if text.isdigit() else [text], "another text"),
        (lambda text: [text[::-1][i : i + 3][::-1] for i in range(0, len(text), 3)][::-1], "share the chunk"),
    ],
    "01.4": [
        (r"\p{Han}+|[\p{Katakana}ー]+|\p{Hiragana}+|[^\p{Han}\p{Katakana}ー\p{Hiragana}]+", "cut from the kanji"),
        (drops_marks, "another text"),
        (r"[^。、]*[。、]|[^。、]+", "beside other characters"),
        (r"[^。、？！「」]+|[。、？！「」]", "into the next kanji"),
        (list, "cut from the kanji"),
        (lambda text: [text], "beside other characters"),
        (lambda text: text, "a list of strings"),
    ],
    "01.5": [
        ({"threes": "abc", "lower": "A", "composed": "e\u0301"}, "no witness"),
        (dict.fromkeys(("runs", "threes", "lines", "lower", "composed"), "A\n e\u0301"), "no witness"),
        ({"composed": "é", "threes": "\n"}, "no witness"),
        ({"threes": "\n", "lower": "A"}, "isn't all"),
        ({}, "isn't all"),
        ({"upper": "a"}, "no chunker"),
        (["threes", "lower"], "a dict"),
        ({"threes": 3}, "a dict of texts"),
    ],
}
