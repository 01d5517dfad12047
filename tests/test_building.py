"""Build your own: the examples in the stubs are true of the solutions, and a reader who is half way is told so."""

import ast
import doctest
import re

import pytest
from test_exercises import FOLDER, load

from bpelab.exercises.checking import judge

MINE = load(FOLDER / "building.py").MINE
NAMES = "count_pairs merge train encode byte_characters visible text_of split numbered GPT2".split()


@pytest.mark.parametrize("name", NAMES)
def test_examples(name):
    example = doctest.DocTestParser().get_doctest(MINE[name].__doc__, dict(MINE), name, None, 0)
    assert doctest.DocTestRunner().run(example)[:2] == (0, len(example.examples)) != (0, 0)


def test_half_a_step_is_open_until_its_first_half_is_wrong():
    def unwritten(*args): ...

    verdict = judge("build.1", (MINE["count_pairs"], unwritten))
    assert (verdict.state, verdict.words["en"]) == ("open", "merge isn't written yet")
    assert judge("build.1", (lambda words: {}, unwritten)).state == "wrong"
    assert judge("build.1", (unwritten, unwritten)).words["en"] == "not tried yet"


def test_a_class_without_decode_is_half_way():
    class Half(MINE["GPT2"]):
        def encode(self, text, allowed_special=()):
            return super().encode(text, allowed_special)

        def decode(self, ids): ...

    assert judge("build.6", Half).words["en"] == "decode isn't written yet"


ENGLISH = r"\b(the|gives|wanted|with|more|nothing|number|entries|for|must)\b"


@pytest.mark.parametrize("step", [f"build.{n}" for n in range(1, 8)])
def test_messages_in_japanese_hold_no_english_words(step):
    for answer, _ in load(FOLDER / "building.py").REJECTED[step]:
        words = re.sub(r"'[^']*'|例外を出しました：[^\n]*|行：[^\n]*", "", judge(step, answer).words["ja"])
        assert not re.search(ENGLISH, words), words


def test_a_failing_text_is_shown_whole():
    def split(text):
        return MINE["split"](text) if len(text) < 100 or "an" not in text else [text]

    words = judge("build.5", (split, MINE["numbered"])).words["en"]
    given = ast.literal_eval(re.match(r"split\((.*)\)$", words.splitlines()[0])[1])
    assert split(given) != MINE["split"](given) and len(given) == 100
