"""The one decorator for compiled code: Numba, loaded and used when a function is first called.

What it compiles is kept where Numba keeps it, else in a temporary folder, else nowhere; a kept file that
is damaged or can't be read is as good as none. Where Numba is missing or broken the functions run as plain
Python, which is said once. While a compile is going on, a line on stderr says so, if that is a terminal:
never in a notebook, a file or a pipe, where output is compared.

A compiled function may call one of another file: what is kept is thrown away when either file changes.
"""

import hashlib
import os
import pickle
import sys
import tempfile
import warnings
from functools import cache, cached_property, partial, update_wrapper
from pathlib import Path

#: Work that a process does in plain Python before it loads or compiles what would do it faster; a unit is about
#: a fifth of a microsecond.
PATIENCE = 200_000


class Compiled:
    """A function that runs compiled; `py_func` is the plain one."""

    def __init__(self, function, allocates=False):
        update_wrapper(self, function)
        self.py_func, self.allocates, self.spared = function, allocates, 0

    def can_wait(self, work):
        """Whether a job of so much work is better done in plain Python.

        Loading or compiling takes seconds at worst, a small job milliseconds. But small jobs add up, and
        once the function has run there is nothing to save.
        """
        if "dispatcher" in vars(self):
            return False
        self.spared += work
        return self.spared <= PATIENCE

    def __call__(self, *arguments):
        return self.dispatcher(*arguments)

    def __get__(self, instance, owner=None):
        return self

    @cached_property
    def dispatcher(self):
        """Numba's function, or the plain one where there is no Numba."""
        numba = load_numba()
        if numba is None:
            return wrapping(self.py_func)
        dispatcher = numba.njit(nogil=True, _nrt=self.allocates)(self.py_func)
        kept = kept_code(self.py_func)
        if kept is not None:
            dispatcher._cache = kept
        return dispatcher

    @cached_property
    def inner(self):
        """Numba's function as others call it in compiled code: nothing for Python to call, and nothing to keep.

        What is kept of a function holds those that it calls, and most are only called so.
        """
        unwrapped = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return load_numba().njit(nogil=True, _nrt=self.allocates, **unwrapped)(self.py_func)


def wrapping(function):
    """A function in which 64-bit numbers wrap around silently, as in compiled code: hashes need that."""
    import numpy as np

    def run(*arguments):
        with np.errstate(over="ignore"):
            return function(*arguments)

    return run


#: The decorator, for functions that make no arrays; so nobody must count who still needs one, which takes more
#: time than most of them do, up to four times the whole.
njit = Compiled
#: The decorator for those that make some.
allocating_njit = partial(Compiled, allocates=True)


@cache
def load_numba():
    """The module, taught that a `Compiled` is what it compiles to; None, and a warning, where it doesn't load."""
    try:
        import numba
        from numba.extending import typeof_impl

        typeof_impl.register(Compiled)(lambda value, context: numba.typeof(value.inner))
        return numba
    except Exception as error:
        warnings.warn(
            f"Numba does not load ({type(error).__name__}: {error}); bpelab goes on without, several hundred times "
            "slower. The remedy: pip install --upgrade numba",
            RuntimeWarning,
            stacklevel=2,
        )
        return None


@cache
def say_once(message):
    """One line on stderr, if a person is looking."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(message, file=sys.stderr)


# --- what is kept on disk -------------------------------------------------------------------------


def kept_code(function):
    """Numba's cache of one function: in its usual place, else in a temporary folder; None for neither."""
    from numba import config

    usual = config.CACHE_DIR
    try:
        for folder in (usual, None):
            try:
                config.CACHE_DIR = temporary_folder() if folder is None else folder
                return cache_class()(function)
            except (RuntimeError, OSError):  # no folder there that can be written
                continue
    finally:
        config.CACHE_DIR = usual
    return None


@cache
def temporary_folder():
    """A folder for this user alone: what lies in it is run."""
    if not hasattr(os, "getuid"):
        return tempfile.mkdtemp(prefix="bpelab-")
    folder = Path(tempfile.gettempdir(), f"bpelab-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        return tempfile.mkdtemp(prefix="bpelab-")
    return str(folder)


def sources(function, known=frozenset()):
    """The files of all compiled functions that one can call, its own among them."""
    known = known | {function.__code__.co_filename}
    for other in list(function.__globals__.values()):
        if isinstance(other, Compiled) and other.py_func.__code__.co_filename not in known:
            known = sources(other.py_func, known)
    return known


def stamp(path):
    """What changes when a file does."""
    found = os.stat(path)
    return path, found.st_mtime, found.st_size


@cache
def cache_class():
    """Numba's cache, for which whatever goes wrong on disk is a miss."""
    from numba.core.caching import FunctionCache, IndexDataCacheFile

    class Files(IndexDataCacheFile):
        """Machine code with a checksum behind it (pickle doesn't read that far): damaged code must not run."""

        def _dump(self, obj):
            data = super()._dump(obj)
            return data + hashlib.sha256(data).digest()

        def _load_data(self, name):
            data = Path(self._data_path(name)).read_bytes()
            if hashlib.sha256(data[:-32]).digest() != data[-32:]:
                raise ValueError(f"{name} is damaged")
            return pickle.loads(data)

    class Cache(FunctionCache):
        def __init__(self, function):
            super().__init__(function)
            stamps = [
                self._impl.locator.get_source_stamp(),
                *sorted(map(stamp, sources(function) - {function.__code__.co_filename})),
            ]
            self._cache_file = Files(self._cache_path, self._impl.filename_base, tuple(stamps))

        def load_overload(self, sig, target_context):
            found = None
            try:
                found = super().load_overload(sig, target_context)
            except Exception:  # unpickling what is damaged raises anything
                self._start_anew()
            if found is None:
                say_once("bpelab: compiling for this machine, which takes some seconds, once ...")
            return found

        def save_overload(self, sig, data):
            try:
                super().save_overload(sig, data)
            except Exception:
                self._start_anew()

        def _start_anew(self):
            try:
                self.flush()
            except OSError:  # no room, no right: the next process compiles again
                self.disable()

    return Cache
