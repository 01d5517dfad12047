"""Every check with the answers that it must accept and those that it must reject, and with what no one expects."""

import importlib
import importlib.util
import itertools
import re
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import bpelab
from bpelab.exercises import checking
from bpelab.exercises.checking import EXERCISES, Wrong, call, judge

FOLDER = Path(__file__).parent / "exercise_answers"


def load(path):
    spec = importlib.util.spec_from_file_location(f"exercise_answers_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FILES = [load(path) for path in sorted(FOLDER.glob("*.py"))]
ACCEPTED = {number: answers for file in FILES for number, answers in file.ACCEPTED.items()}
REJECTED = {number: answers for file in FILES for number, answers in file.REJECTED.items()}
JAPANESE = re.compile(r"[\u3040-\u30ff]")
UNREADABLE = "can't be read"


class Hostile:
    """Raises whatever is done with it."""

    def _raise(self, *args, **named):
        raise ValueError("hostile")

    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __iter__ = __bool__ = __index__ = __float__ = __call__ = _raise
    __getitem__ = __contains__ = __lt__ = _raise


ZOO = {
    "None": None, "True": True, "empty": "", "blank": " ", "word": "the", "surrogate": "\ud800", "bytes": b"low",
    "bytearray": bytearray(b"l"), "list": [], "lists": [[[]]], "nones": [None, None], "mixed": [1, "a", None, 2.5],
    "dict": {}, "odd dict": {1: None, "a": [], (): {}}, "tuple": (), "pairs": [(1, 2), (3, 4)], "set": set(),
    "zero": 0, "minus": -1, "huge": 10**400, "nan": float("nan"), "inf": float("-inf"), "complex": 1j,
    "int64": np.int64(-5), "array": np.arange(6).reshape(2, 3), "no array": np.array([]), "bools": np.array([True]),
    "class": int, "own class": Hostile, "hostile": Hostile(), "hostile list": [Hostile()], "object": object(),
    "lambda": lambda *args: [None], "identity": lambda *args: args[0] if args else None, "raises": lambda *args: 1 / 0,
    "exits": lambda *args: exit(), "wants more": lambda a, b, c, d, e: 1, "no arguments": lambda: 1,
    "module": bpelab, "print": print, "module's function": bpelab.chunk, "range": range(3),
    "nested function": lambda *args: lambda *more: None, "returns odd": lambda *args: [None, object()],
    "returns hostile": lambda *args: Hostile(), "deep": [[[[[[1]]]]]], "many": list(range(5000)), "slice": slice(1),
}  # fmt: skip
ENDLESS = {"count": itertools.count, "cycle": lambda: itertools.cycle("ab")}  # made anew: they are used up


def loops(*args):
    while True:
        pass


def loops_and_catches(*args):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def loops_and_catches_all(*args):
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722  (what a reader may write)
            pass


def words_of(verdict):
    """Both languages are there, and the Japanese is Japanese."""
    assert set(verdict.words) == {"en", "ja"}
    assert JAPANESE.search(verdict.words["ja"]), verdict.words
    assert len(re.findall(r"[A-Za-z]{2,}", verdict.words["en"])) >= 3, verdict.words
    return verdict.words["en"]


@pytest.mark.parametrize("number", EXERCISES)
def test_every_exercise_has_its_answers(number):
    exercise = EXERCISES[number]
    assert re.fullmatch(r"(\d\d|build)\.[1-9]", number)
    assert exercise.level in (1, 2, 3) and 1 <= exercise.minutes <= 240
    assert len(exercise.names["en"]) <= 80 and exercise.names["en"].endswith(".")
    assert ACCEPTED[number]
    assert len({words for _, words in REJECTED[number]}) >= 2


def test_the_book_has_fifty_and_the_steps_of_build_your_own():
    chapters = [f"{chapter:02}.{number}" for chapter in range(1, 11) for number in range(1, 6)]
    assert [number for number in sorted(EXERCISES) if number[0].isdigit()] == chapters
    steps = [number for number in sorted(EXERCISES) if not number[0].isdigit()]
    assert steps == [f"build.{step}" for step in range(1, len(steps) + 1)] and len(steps) >= 6
    assert all(JAPANESE.search(exercise.names["ja"]) for exercise in EXERCISES.values())


def test_no_answers_without_an_exercise():
    assert set(ACCEPTED) == set(REJECTED) == set(EXERCISES)


@pytest.mark.parametrize("number", EXERCISES)
def test_right_answers_are_accepted(number):
    for answer in ACCEPTED[number]:
        verdict = judge(number, answer)
        assert verdict.state == "right", (answer, words_of(verdict))


@pytest.mark.parametrize("number", EXERCISES)
def test_wrong_answers_are_rejected_in_words(number):
    for answer, part in REJECTED[number]:
        verdict = judge(number, answer)
        words = words_of(verdict)
        assert verdict.state == "wrong", answer
        assert part in words, (answer, words)
        assert UNREADABLE not in words, (answer, words)


@pytest.mark.parametrize("number", EXERCISES)
def test_no_message_holds_the_answer(number):
    for right in ACCEPTED[number]:
        if isinstance(right, int | str) and len(str(right)) > 1:
            for answer, _ in REJECTED[number]:
                for words in judge(number, answer).words.values():
                    assert not re.search(rf"(?<!\w){re.escape(str(right))}(?!\w)", words), words


@pytest.mark.parametrize("number", EXERCISES)
def test_odd_answers_are_wrong_in_words(number, monkeypatch):
    monkeypatch.setattr(checking, "SECONDS", 5)
    for name, answer in [*ZOO.items(), *((name, make()) for name, make in ENDLESS.items())]:
        verdict = judge(number, answer)
        assert verdict.state == "wrong", name
        assert UNREADABLE not in words_of(verdict), (name, verdict.words)
    for stub in (..., (...,), {"a": ...}, lambda text: ...):
        assert judge(number, stub).state == "open"


@pytest.mark.parametrize("number", EXERCISES)
def test_a_loop_without_an_end_is_stopped(number, monkeypatch):
    if callable(ACCEPTED[number][0]):
        monkeypatch.setattr(checking, "SECONDS", 0.2)
        verdict = judge(number, loops)
        assert verdict.state == "wrong" and "Stopped after" in words_of(verdict)


# --- the machinery ------------------------------------------------------------------------------------


@pytest.fixture
def wants_double(monkeypatch):
    """The number of an exercise that wants a function from n to 2 n."""

    def doubled(answer):
        numbers = [1, 2]
        if call(checking.function(answer), numbers, 3) != [2, 4]:
            raise Wrong("Not double. Hint: twice.", ja="二倍ではありません。ヒント：二回です。")

    monkeypatch.setitem(EXERCISES, "99.1", checking.Exercise("99.1", {"en": "Double.", "ja": "二倍。"}, 1, 1, doubled))
    monkeypatch.setattr(checking, "SECONDS", 0.3)
    return "99.1"


def test_what_check_prints(wants_double, capsys):
    for answer in (..., lambda ns, n: [2 * n for n in ns], lambda ns, n: ns):
        bpelab.exercises.check(wants_double, answer)
    assert capsys.readouterr().out.splitlines() == [
        "○ 99.1  not tried yet",
        "● 99.1  right",
        "✗ 99.1  Not double.",
        "        Hint: twice.",
    ]
    for odd in ("99.2", 1.1, None, ["01.1"]):
        with pytest.raises(ValueError, match=rf"number must be that of an exercise.*; got {re.escape(repr(odd))}"):
            bpelab.exercises.check(odd, 1)
    for odd, likely in (("2.1", "02.1"), (2.1, "02.1"), ("02.01", "02.1"), ("Build.1", "build.1"), (" 10.5 ", "10.5")):
        with pytest.raises(ValueError, match=f"such as '{likely}'"):
            bpelab.exercises.check(odd, 1)


def test_a_language_that_there_is_not_is_named_before_an_answer_is_tried(wants_double):
    tried = []
    with pytest.raises(ValueError, match="language must be one of 'en', 'ja'; got 'fr'"):
        bpelab.exercises.check(wants_double, tried.append, "fr")
    assert tried == []


def test_a_value_is_shown_in_one_line():
    class Table:
        def __repr__(self):
            return "   a\n0  1\r\n1  2"

    values = ("It's  5 o'clock\n", Table(), object(), type("", (), {})(), [Table()])
    assert list(map(checking.shown, values))[:3] == [repr(values[0]), "a 0  1 1  2", "an object"]
    assert all(len(checking.shown(value).splitlines()) == 1 for value in values)


@pytest.mark.parametrize("function", [loops, loops_and_catches, loops_and_catches_all])
def test_endless_loops_are_stopped_in_any_thread(wants_double, function):
    before, verdicts = time.perf_counter(), []
    thread = threading.Thread(target=lambda: verdicts.append(judge(wants_double, function)))
    thread.start()
    thread.join()
    verdicts.append(judge(wants_double, function))
    for verdict in verdicts:
        assert f"Stopped after 0.3 seconds, in {function.__name__}([1, 2], 3)." in words_of(verdict)
    assert time.perf_counter() - before < 10
    for _ in range(100):
        if threading.active_count() == 1:
            break
        time.sleep(0.05)
    assert not any(thread.daemon and "_quietly" in thread.name for thread in threading.enumerate())


def test_what_comes_before_is_not_the_readers_time(monkeypatch):
    times = []

    def before():
        times.append(1)
        time.sleep(0.4)

    exercise = checking.Exercise("99.2", {"en": "Any.", "ja": "何でも。"}, 1, 1, lambda answer: None, before)
    monkeypatch.setitem(EXERCISES, "99.2", exercise)
    monkeypatch.setattr(checking, "SECONDS", 0.2)
    assert [judge("99.2", answer).state for answer in (..., 1)] == ["open", "right"]
    assert times == [1]


def test_compiling_is_neither_counted_nor_disturbed(wants_double):
    """An exception in the middle of it would leave locks behind that nobody opens."""
    scope = {}
    source = "import time\ndef wait():\n    end = time.monotonic() + 1\n    while time.monotonic() < end: pass"
    exec(compile(source, "/lib/numba/core/compiler.py", "exec"), scope)

    def own(numbers, n):
        scope["wait"]()
        return [2 * n for n in numbers]

    assert judge(wants_double, own).state == "right"


def test_an_exception_is_the_readers(wants_double):
    def own(numbers, n):
        numbers.clear()
        return 1 / 0

    words = words_of(judge(wants_double, own))
    assert words == (
        "Your code raised ZeroDivisionError: division by zero\nat the line: return 1 / 0\nfor the call: own([1, 2], 3)"
    )


def test_what_an_exception_says_is_shown_as_python_shows_it(wants_double):
    def own(numbers, n):
        raise (re.error if n else KeyError)(r"bad \p" + "\n\ud800\x1b[1m")

    words = words_of(judge(wants_double, own)).splitlines()[0]
    assert re.fullmatch(r"Your code raised re\.\w+: bad \\p \\ud800\\x1b\[1m", words), words


def test_inputs_cannot_be_spoiled(wants_double):
    given = []
    assert judge(wants_double, lambda numbers, n: given.append(numbers) or [2 * numbers.pop(0), 4]).state == "right"
    assert given == [[2]]


def test_a_missing_package_is_not_the_answers_fault(monkeypatch):
    def check(answer):
        importlib.import_module("no_such_package")

    monkeypatch.setitem(EXERCISES, "99.3", checking.Exercise("99.3", {"en": "Any.", "ja": "何でも。"}, 1, 1, check))
    verdict = judge("99.3", 1)
    assert verdict.state == "open" and "No module named 'no_such_package'" in words_of(verdict)


def test_a_printed_flood_is_cut(wants_double, capsys):
    def own(numbers, n):
        print("x" * 10**6)
        return [2, 4]

    bpelab.exercises.check(wants_double, own)
    out = capsys.readouterr().out
    assert len(out) < 1100 and out.endswith("x…\n● 99.1  right\n")


STUBS = {
    "dots": "def f(a): ...",
    "docstring": 'def f(a):\n    "Words."',
    "both": 'def f(a):\n    "Words."\n    ...',
    "pass": "def f(a): pass",
    "returns": "def f(a): return ...",
    "raises": "def f(a): raise NotImplementedError",
    "raises with words": "def f(a): raise NotImplementedError('later')",
    "some lines": "def f(*a):\n    n = 1\n    return ...",
    "a class": "class f:\n    def train(self): ...\n    def encode(self): pass",
    "a tuple": "f = (..., ...)",
    "a part": "f = {'a': 1, 'b': ...}",
}


@pytest.mark.parametrize("name", STUBS)
def test_stubs_are_not_tried(wants_double, name):
    scope = {}
    exec(STUBS[name], scope)
    assert judge(wants_double, scope["f"]).state == "open"


@pytest.mark.parametrize(
    "code",
    ["def f(a): return 1", "def f(a): return a", "f = (1, 2)", "def f(a):\n    yield", "f = len", "class f: pass"],
)
def test_attempts_are_no_stubs(code):
    scope = {}
    exec(code, scope)
    assert not checking.is_stub(scope["f"])


def test_forms_of_numbers():
    assert [checking.whole_number(n) for n in (8, 8.0, np.int8(8), np.float32(8), np.array(8), 10**30)][-2:] == [
        8,
        10**30,
    ]
    for odd in (
        True,
        np.True_,
        "8",
        b"8",
        None,
        8.5,
        float("nan"),
        float("inf"),
        1j,
        [8],
        Hostile(),
    ):
        with pytest.raises(Wrong):
            checking.whole_number(odd)
    assert checking.whole_numbers(np.arange(3)) == checking.whole_numbers((0.0, 1, 2)) == [0, 1, 2]
    assert checking.texts(word for word in "ab") == ["a", "b"]
