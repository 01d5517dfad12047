"""The decorator: kept code that is lost, damaged or can't be written is a miss, and never an error."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bpelab import compiled

numba = pytest.importorskip("numba")

SOURCE = """
from bpelab.compiled import njit

@njit
def twice(n):
    return 2 * n

@njit
def twice_and_one(n):
    return twice(n) + 1
"""


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A function that imports the same small module anew, as another process would; `fresh.folder` holds the cache."""
    source, folder = tmp_path / "small.py", tmp_path / "cache"
    source.write_text(SOURCE, encoding="utf-8")
    folder.mkdir()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))

    def module():
        spec = importlib.util.spec_from_file_location("small", source)
        small = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(small)
        return small.twice_and_one

    module.folder = folder
    return module


def hits(function):
    return sum(function.dispatcher.stats.cache_hits.values())


def kept(folder, ending):
    return sorted(folder.rglob(f"*{ending}"))


def test_compiled_once_and_then_loaded(fresh):
    assert fresh()(20) == 41
    again = fresh()
    assert again(20) == 41 and hits(again) == 1


def test_what_only_compiled_code_calls_is_not_kept(fresh):
    function = fresh()
    assert function(20) == 41
    assert [path.name.split("-")[0] for path in kept(fresh.folder, ".nbc")] == ["small.twice_and_one"]
    assert function.py_func.__globals__["twice"](20) == 40  # Python may call it all the same
    assert len(kept(fresh.folder, ".nbc")) == 2


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[: len(data) // 2], lambda data: b"\x80" * 99])
def test_damaged_files_are_made_anew(fresh, ending, damage):
    fresh()(20)
    for path in kept(fresh.folder, ending):
        path.write_bytes(damage(path.read_bytes()))
    assert fresh()(20) == 41
    mended = fresh()
    assert mended(20) == 41 and hits(mended) == 1


def test_one_wrong_byte_of_machine_code_is_noticed(fresh):
    fresh()(20)
    for path in kept(fresh.folder, ".nbc"):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    again = fresh()
    assert again(20) == 41 and hits(again) == 0


def test_a_folder_in_place_of_a_file(fresh):
    fresh()(20)
    for path in kept(fresh.folder, ".nbi"):
        path.unlink()
        path.mkdir()
    assert fresh()(20) == 41


def test_no_room_on_the_disk(fresh, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._open_for_write", full)
    assert fresh()(20) == 41


def test_where_numba_finds_no_place_a_temporary_folder_is_one(fresh, tmp_path, monkeypatch):
    usual, numbas = str(fresh.folder), compiled.cache_class()

    class Refusing(numbas):
        def __init__(self, function):
            if usual == numba.config.CACHE_DIR:
                raise RuntimeError("cannot cache function: no locator available")
            super().__init__(function)

    monkeypatch.setattr(compiled, "cache_class", lambda: Refusing)
    monkeypatch.setattr(compiled, "temporary_folder", lambda: str(tmp_path / "elsewhere"))
    assert fresh()(20) == 41
    assert kept(tmp_path / "elsewhere", ".nbc") and not kept(fresh.folder, ".nbc")
    monkeypatch.setattr(compiled, "temporary_folder", lambda: usual)
    assert fresh()(20) == 41
    assert usual == numba.config.CACHE_DIR


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX rights")
def test_a_temporary_folder_that_others_can_write_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(compiled.tempfile, "tempdir", str(tmp_path))
    find = compiled.temporary_folder.__wrapped__
    own = Path(find())
    assert own.parent == tmp_path and own.stat().st_mode & 0o777 == 0o700 and find() == str(own)
    own.chmod(0o777)
    assert find() != str(own)


@pytest.mark.parametrize("fault", ["ImportError('none')", "SystemError('wrong ABI')", "AttributeError('np.bool8')"])
def test_a_numba_that_fails_on_import_is_said_once(tmp_path, fault):
    (tmp_path / "numba.py").write_text(f"raise {fault}\n", encoding="utf-8")
    program = (
        "import warnings, bpelab\n"
        "from bpelab import compiled, engine\n"
        "compiled.PATIENCE = 0\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    tok = bpelab.train('low low low lower lower newest', 8)\n"
        "    assert tok.encode('box lower') == [0, 5, 0, 14]\n"
        "print(*(w.message for w in caught), sep='\\n')\n"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1 and "pip install --upgrade numba" in done.stdout


def test_small_jobs_add_up_and_what_is_compiled_is_used():
    @compiled.njit
    def double(n):
        return 2 * n

    @compiled.njit
    def halve(n):
        return n // 2

    assert double.can_wait(110_000) and not double.can_wait(110_000)
    assert halve.can_wait(110_000)
    assert halve(6) == 3 and not halve.can_wait(1)


def test_nothing_is_said_where_output_is_kept(capfd):
    compiled.say_once.__wrapped__("compiling")
    assert capfd.readouterr().err == ""
