"""Exercises that check themselves: `check` says whether an answer is right, `progress` shows what is done."""

from bpelab.exercises import (  # noqa: F401  (each registers its checks)
    building,
    chapter01,
    chapter02,
    chapter03,
    chapter04,
    chapter05,
    chapter06,
    chapter07,
    chapter08,
    chapter09,
    chapter10,
)
from bpelab.exercises.checking import EXERCISES, judge

SIGNS = {"right": "●", "wrong": "✗", "open": "○"}
HINTS = {"en": "Hint:", "ja": "ヒント："}


def check(number, answer, language="en"):
    """Print whether an answer is right, or what is wrong with it and a hint; never the answer.

    `answer` is a value or a function, as the exercise asks. A stub is no error, and neither is anything that
    the reader's code does: it is stopped after ten seconds, and its exceptions are shown as its own.
    ValueError for a number that no exercise has.

    >>> check("01.1", ...)
    ○ 01.1  not tried yet
    """
    if number not in EXERCISES:
        raise ValueError(f"number must be one of {', '.join(EXERCISES)}; got {number!r}")
    verdict = judge(number, answer)
    print(verdict.printed, end="")
    words = verdict.words[language].replace(" " + HINTS["en"], "\nHint:").replace("。ヒント：", "。\nヒント：")
    print(f"{SIGNS[verdict.state]} {number}  " + words.replace("\n", "\n        "))


def progress():
    """The exercises and what is done of them."""
    raise NotImplementedError
