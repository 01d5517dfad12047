"""How a reader's code is stopped that runs too long, in any thread, on any system, whatever it catches."""

import contextlib
import ctypes
import re
import sys
import threading
import time

#: So often the clock is read (seconds), and these files are at work when code is compiled or imported.
TICK, COMPILING = 0.05, re.compile(r"[\\/](numba|llvmlite)[\\/]|^<frozen importlib")
#: "call": the call of the reader's function that is running, as text; "file": where the function stands.
running = {}


class TimeUp(BaseException):
    """Put into a thread that ran too long; no Exception, so that a reader's `except Exception` lets it pass.

    A bare `except:` catches it. So it comes again at the reader's very next line, which is outside of that `try`:
    in Python 3.11 by tracing, which only the thread itself can begin; later versions see `_at_every_line`.
    """

    def __init__(self):
        if hasattr(sys, "monitoring"):
            return
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == running.get("file"):
                frame.f_trace = _again
            frame = frame.f_back
        sys.settrace(_again)


def _again(frame, event, value):
    if frame.f_code.co_filename == running.get("file"):
        raise TimeUp


def within(seconds, work):
    """Run `work()` in a thread of its own and stop it after so many seconds, those of compiling not counted.

    No signal is needed, so it works in any thread and on any system.
    """
    thread = threading.Thread(target=_quietly, args=[work], daemon=True)
    size = threading.stack_size(64 << 20)  # a thread's own stack is small on some systems, and readers recur
    try:
        thread.start()
    finally:
        threading.stack_size(size)
    try:
        while thread.is_alive() and seconds > 0:
            before = time.monotonic()
            thread.join(TICK)
            if not _is_compiling(thread):
                seconds -= time.monotonic() - before
    finally:  # also when the reader interrupts the kernel
        _stop(thread)


def _is_compiling(thread):
    """Whether a thread compiles or imports: on a new machine that takes long, and an exception there spoils locks."""
    frame = sys._current_frames().get(thread.ident)
    while frame is not None and not COMPILING.search(frame.f_code.co_filename):
        frame = frame.f_back
    return frame is not None


def _stop(thread):
    """Put `TimeUp` into a thread until it ends, or for two seconds: what waits inside of C code can't be stopped."""
    if not thread.is_alive():
        return
    end = time.monotonic() + 2
    with _at_every_line(thread):
        while thread.is_alive() and time.monotonic() < end:
            if not _is_compiling(thread):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(TimeUp))
            thread.join(TICK / 5)


@contextlib.contextmanager
def _at_every_line(thread, tool=4):
    """Raise `TimeUp` at every line and jump of the reader's in a thread, where Python can: from 3.12 on."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None or monitoring.get_tool(tool) is not None:
        yield
        return

    def again(code, *where):
        if threading.get_ident() == thread.ident and code.co_filename == running.get("file"):
            raise TimeUp

    monitoring.use_tool_id(tool, __name__)
    for event in (monitoring.events.LINE, monitoring.events.JUMP):
        monitoring.register_callback(tool, event, again)
    monitoring.set_events(tool, monitoring.events.LINE | monitoring.events.JUMP)
    try:
        yield
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)


def _quietly(work):
    try:
        work()
    except TimeUp:
        sys.settrace(None)
