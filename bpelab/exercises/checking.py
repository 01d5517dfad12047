"""How an exercise is checked: what authors of checks write with, and how a reader's answer or function is run.

A check is a function of the answer, registered by `exercise`. It returns None (or `Right`) for a right answer
and raises `Wrong` with a hint for any other. Each message is written in English and in Japanese.
"""

import contextlib
import copy
import dis
import io
import itertools
import linecache
import types
from dataclasses import dataclass

from bpelab.exercises.stopping import TimeUp, running, within

#: A check and all that it calls of the reader's may take this long (seconds).
SECONDS = 10
#: What a reader's function prints during a check is shown up to this many characters.
MOST_PRINTED = 1000
#: What an exception of the reader's says is shown up to this many characters.
MOST_SAID = 200
#: An answer that is a sequence is read up to this many items.
MOST_ITEMS = 100_000
#: Number -> Exercise, in the order of the book.
EXERCISES = {}


@dataclass(frozen=True)
class Exercise:
    """One exercise: its number, what it asks in one line by language, its stars (1 to 3), its minutes, its check.

    before: called before the clock starts, or None.
    """

    number: str
    names: dict
    level: int
    minutes: int
    check: object
    before: object = None


@dataclass(frozen=True)
class Verdict:
    """What a check says: state is "right", "wrong" or "open" (not tried); words by language."""

    state: str
    words: dict
    printed: str = ""


class Said(Exception):
    """Words to the reader, in English and in Japanese."""

    def __init__(self, en, *, ja):
        super().__init__(en)
        self.words = {"en": en, "ja": ja}


class Wrong(Said):
    """Raised by a check: what is wrong with the answer, with a hint and without the answer."""


class Right(Said):
    """Returned by a check that has more to say of a right answer than that it is right."""


class Open(Said):
    """Raised where an answer is a stub."""

    def __init__(self, en="not tried yet", *, ja="まだ解いていません"):
        super().__init__(en, ja=ja)


def exercise(number, *, level, minutes, ja, before=None):
    """Register a function of the answer as the check of an exercise.

    Its docstring's first line is what it asks, and `ja` is that in Japanese. before: called before an answer is
    tried, so that what is compiled or loaded once for all is not time of the reader's function.
    """

    def register(function):
        if number in EXERCISES:
            raise ValueError(f"exercise {number} has two checks; give one of them another number")
        en = function.__doc__.splitlines()[0]
        EXERCISES[number] = Exercise(number, {"en": en, "ja": ja}, level, minutes, function, before)
        return function

    return register


# --- judging ------------------------------------------------------------------------------------------


def judge(number, answer):
    """The Verdict on an answer; never an exception, whatever the answer is."""
    printed, said, exercise = Cut(), [], EXERCISES[number]
    running.clear()
    if exercise.before and not is_stub(answer):
        exercise.before()

    def work():
        said.append(_said(exercise.check, answer))

    with contextlib.redirect_stdout(printed):
        within(SECONDS, work)
    words = said[0] if said else _too_slow()
    state = {Right: "right", Open: "open"}.get(type(words), "wrong")
    return Verdict(state, words.words, printed.text())


def _said(check, answer):
    try:
        if is_stub(answer):
            return Open()
        return check(answer) or Right("right", ja="正解です")
    except Said as said:
        return said
    except ImportError as error:  # a package of the extra "book"
        return Open(f"can't be checked here: {error}", ja=f"ここでは確かめられません：{error}")
    except Exception as error:
        kind = type(error).__name__
        return Wrong(
            f"This answer can't be read ({kind}). Hint: look at the form that the stub asks for.",
            ja=f"この答えは読み取れません（{kind}）。ヒント：ひな形が求める形を確かめてください。",
        )


def _too_slow():
    at = running.get("call", "")
    return Wrong(
        f"Stopped after {SECONDS} seconds{at and f', in {at}'}. "
        "Hint: is there a loop that doesn't end, or work that could be done once instead of each time?",
        ja=f"{SECONDS}秒で止めました{at and f'（{at}）'}。"
        "ヒント：終わらないループや、一度で済むのに毎回している仕事はありませんか。",
    )


class Cut(io.TextIOBase):
    """A file that keeps the first of what is written into it."""

    kept = ""

    def write(self, text):
        if len(self.kept) <= MOST_PRINTED:
            self.kept += text[: MOST_PRINTED + 1]
        return len(text)

    def text(self):
        return self.kept if len(self.kept) <= MOST_PRINTED else self.kept[:MOST_PRINTED] + "…\n"


# --- the reader's code --------------------------------------------------------------------------------


def call(function, *args):
    """What the reader's function returns for these inputs, which it can't spoil. Its exceptions become Wrong."""
    text = shown_call(function, args)
    running.update(call=text, file=_file(function))
    try:
        result = function(*map(_own, args))
    except (TimeUp, Said):
        raise
    except NotImplementedError:
        raise Open() from None
    except BaseException as error:
        raise _theirs(error, function, text) from None
    running.clear()
    if result is ...:
        raise Open()
    return result


def _file(function):
    return getattr(getattr(function, "__code__", None), "co_filename", None)


def _own(value):
    """A copy of what a function could change."""
    return copy.deepcopy(value) if isinstance(value, list | dict | set | bytearray | tuple) else value


def _theirs(error, function, text):
    """Wrong, for an exception in the reader's code: its name, its line and the input."""
    path = _file(function)
    at, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            at = step
        step = step.tb_next
    line = linecache.getline(path, at.tb_lineno).strip() if at else ""
    kind = type(error).__qualname__ + (f": {words_of(error)}" if words_of(error) else "")
    if type(error).__module__ not in ("builtins", "__main__"):
        kind = f"{type(error).__module__}.{kind}"
    return Wrong(
        f"Your code raised {kind}" + (f"\nat the line: {line}" if line else "") + f"\nfor the call: {text}",
        ja=f"書いたコードが例外を出しました：{kind}" + (f"\n行：{line}" if line else "") + f"\n呼び出し：{text}",
    )


def words_of(error):
    """What an exception says, in one line of characters that can be printed."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        return ""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: MOST_SAID + 1])
    return text if len(text) <= MOST_SAID else text[: MOST_SAID - 1] + "…"


def shown_call(function, args, most=80):
    """A call as text: `grouped('1234')`."""
    name = getattr(function, "__name__", "")
    name = name if isinstance(name, str) and name.isidentifier() else "f"
    return f"{name}({', '.join(shown(arg, most) for arg in args)})"


def shown(value, most=80):
    """A value as text in one line, cut when it is long; no addresses, and no exception of its own."""
    kind = type(value).__name__
    if callable(value):
        return getattr(value, "__name__", kind)
    try:
        text = " ".join(map(str.strip, repr(value).splitlines()))  # such as that of a DataFrame
    except Exception:
        text = ""
    if not text or " at 0x" in text:
        text = f"{'an' if kind.startswith(tuple('aeiou')) else 'a'} {kind}"
    return text if len(text) <= most else text[: most - 1] + "…"


# --- stubs --------------------------------------------------------------------------------------------


def is_stub(answer):
    """Whether an answer is still the stub: `...`, an empty function, or a group that holds a stub."""
    if answer is ...:
        return True
    if isinstance(answer, type):
        return _is_empty_class(answer)
    if isinstance(answer, types.FunctionType):
        return _is_empty_function(answer)
    if isinstance(answer, dict):
        return any(value is ... for value in answer.values())
    return isinstance(answer, list | tuple) and any(value is ... for value in answer)


def _is_empty_function(function):
    """Whether a function only returns None or `...`, or only raises NotImplementedError."""
    code, steps = function.__code__, list(dis.get_instructions(function))
    if code.co_flags & (0x20 | 0x200):  # a generator
        return False
    if any(step.opname == "RAISE_VARARGS" for step in steps):
        return code.co_names == ("NotImplementedError",) and not any("JUMP" in step.opname for step in steps)
    nothing = {"RESUME", "NOP", "CACHE", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "COPY_FREE_VARS"}
    returned = {step.argval for step in steps if step.opname in ("LOAD_CONST", "RETURN_CONST")}
    return {step.opname for step in steps} <= nothing and returned <= {None, ...}


def _is_empty_class(answer):
    functions = [value for value in vars(answer).values() if isinstance(value, types.FunctionType)]
    return bool(functions) and all(map(_is_empty_function, functions))


# --- readers of answers: generous in form; for what is of another kind they raise Wrong -------------------
# `of` names what was read, such as a call of the reader's function; without it, it is the answer itself.


def _wanted(en, ja, answer, of=None):
    now = shown(answer)
    if of:
        return Wrong(f"{of} must give {en}, but it gives {now}.", ja=f"{of} は{ja}を返してください（今は {now}）。")
    return Wrong(f"The answer must be {en}, but it is {now}.", ja=f"答えは{ja}で書いてください（今は {now}）。")


def whole_number(answer, of=None):
    """An int, from an int, a whole float or a NumPy scalar."""
    value = number(answer, of, "a whole number", "整数")
    if value != int(value):
        raise _wanted("a whole number", "整数", answer, of)
    return int(value)


def number(answer, of=None, en="a number", ja="数"):
    """An int or a float, from a number of any kind but a truth value, NaN or infinity."""
    if isinstance(answer, int) and not isinstance(answer, bool):
        return int(answer)
    if isinstance(answer, bool | str | bytes) or not (hasattr(answer, "__index__") or hasattr(answer, "__float__")):
        raise _wanted(en, ja, answer, of)
    try:
        value = float(answer)
    except Exception:
        raise _wanted(en, ja, answer, of) from None
    if not abs(value) < float("inf") or type(answer).__name__ in ("bool", "bool_"):
        raise _wanted(en, ja, answer, of)
    return value


def real(answer, of=None, en="a number", ja="数"):
    """A float; an int beyond all floats is as good as infinite."""
    value = number(answer, of, en, ja)
    return float(value) if abs(value) < 1e300 else float("inf") if value > 0 else float("-inf")


def text(answer, of=None, en="a string", ja="文字列"):
    """A str that is Unicode text."""
    if not isinstance(answer, str):
        raise _wanted(en, ja, answer, of)
    if not answer.isascii() and any("\ud800" <= c <= "\udfff" for c in answer):
        raise _wanted(
            f"{en} without lone surrogates, which are no characters", f"{ja}（単独のサロゲートなし）", answer, of
        )
    return str(answer)


def items(answer, of=None, en="a list", ja="リスト"):
    """A list, from a list, a tuple, an array, a generator or another iterable; no str, bytes, dict or class."""
    if isinstance(answer, str | bytes | bytearray | dict | type) or not hasattr(answer, "__iter__"):
        raise _wanted(en, ja, answer, of)
    try:
        found = list(itertools.islice(answer, MOST_ITEMS + 1))
    except Exception:
        raise _wanted(en, ja, answer, of) from None
    if len(found) > MOST_ITEMS:
        raise _wanted(f"{en} of at most {MOST_ITEMS:,} items", f"{ja}（{MOST_ITEMS:,}個まで）", answer, of)
    return found


def whole_numbers(answer, of=None):
    """A list of int."""
    found = items(answer, of, "a list of whole numbers", "整数のリスト")
    return [_item(whole_number, item, answer, of, "a list of whole numbers", "整数のリスト") for item in found]


def texts(answer, of=None):
    """A list of str."""
    found = items(answer, of, "a list of strings", "文字列のリスト")
    return [_item(text, item, answer, of, "a list of strings", "文字列のリスト") for item in found]


def _item(read, item, answer, of, en, ja):
    try:
        return read(item)
    except Wrong:
        raise _wanted(en, ja, answer, of) from None


def mapping(answer, of=None):
    """A dict, from a dict or another mapping."""
    try:
        return dict(answer.items())
    except Exception:
        raise _wanted("a dict", "辞書（dict）", answer, of) from None


def function(answer):
    """Something that can be called, but no class."""
    if isinstance(answer, type) or not callable(answer):
        raise _wanted("a function", "関数", answer)
    return answer
