"""Exercises that check themselves: `check` says whether an answer is right, `progress` shows what is done."""

import difflib
import html

from bpelab import checks, show
from bpelab.exercises import (  # noqa: F401  (each chapter registers its checks)
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
    record,
)
from bpelab.exercises.checking import EXERCISES, judge
from bpelab.exercises.layout import laid_out
from bpelab.words import LANGUAGES, word
from bpelab.words import language as readers_language

NOT_KEPT = "Not kept beyond this session: {path} can't be used. Move it away, or name another file in {variable}."
SIGNS = {"right": "●", "wrong": "✗", "open": "○"}


def check(number, answer, language=None):
    """Print whether an answer is right, or what is wrong with it and a hint; never the answer.

    `answer` is a value or a function, as the exercise asks. A stub is no error, and neither is anything that
    the reader's code does: it is stopped after ten seconds, and its exceptions are shown as its own.
    language: "en" or "ja"; if None, as BPELAB_LANGUAGE says, or "ja" in a notebook of the Japanese edition.
    ValueError for a number that no exercise has.

    >>> check("01.1", ...)
    ○ 01.1  not tried yet
    """
    if not isinstance(number, str) or number not in EXERCISES:
        got = checks.shown(number)
        likely = (*difflib.get_close_matches(got.strip("'"), EXERCISES, 1), "01.1")[0]
        raise ValueError(
            f"number must be that of an exercise, such as '{likely}'; got {got}; bpelab.exercises.progress() lists them"
        )
    language = _language(language)
    verdict = judge(number, answer)
    if verdict.state != "open":
        record.note(number, verdict.state)
    print(verdict.printed, end="")
    print(f"{SIGNS[verdict.state]} {number}  {laid_out(verdict.words[language])}")


def progress(language=None):
    """All exercises of the book with their stars, minutes and state, as a table: ● right, ✗ tried, ○ not tried.

    What was right is remembered across notebooks and kernels, in a file of your own (see `record`).
    """
    language, states = _language(language), record.read()
    rows = [
        {
            word("state", language): SIGNS[states.get(number, "open")],
            word("exercise", language): number,
            word("level", language): "★" * exercise.level,
            word("minutes", language): exercise.minutes,
            word("what", language): exercise.names[language],
        }
        for number, exercise in sorted(EXERCISES.items())
    ]
    left = sum(exercise.minutes for number, exercise in EXERCISES.items() if states.get(number) != "right")
    done = sum(states.get(number) == "right" for number in EXERCISES)
    lines = [
        word("{done} of {all} done; about {minutes} minutes to go.", language).format(
            done=done, all=len(EXERCISES), minutes=left
        )
    ]
    if record.trouble():
        lines.append(word(NOT_KEPT, language).format(path=record.path(), variable=record.VARIABLE))
    table = show.table(rows)
    return show.Shown(
        table.html + "".join(f"<p>{html.escape(line)}</p>" for line in lines), "\n".join([table.text, *lines])
    )


def _language(language):
    return readers_language() if language is None else checks.choice("language", language, LANGUAGES)
