"""Interrupted and concurrent work: whatever happens during save, one whole file stands."""

import builtins
import errno
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

import bpelab
from bpelab import files

POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and limits of POSIX")
CORPUS = bpelab.corpora.text("parallel", "en")
OLD, NEW = bpelab.train(CORPUS, 100), bpelab.train(CORPUS, 900, base="byte")
#: Loads models, says that it is ready, and saves them in turn until it is ended, or for a minute.
SAVER = """
import bpelab, itertools, sys, time
folder, names = sys.argv[1], sys.argv[2:]
toks = [bpelab.load(f"{folder}/{name}.json") for name in names]
toks[0].save(f"{folder}/models/m.json")
print("ready", flush=True)
until = time.monotonic() + 60
for tok in itertools.cycle(toks):
    tok.save(f"{folder}/models/m.json")
    if time.monotonic() > until: break
"""
#: Kills itself, with no chance to clean up, at one step of the second save.
KILLED = """
import bpelab, os, signal, sys
from bpelab import files
folder, step = sys.argv[1:]
tok = bpelab.load(f"{folder}/new.json")
def die(*arguments, **options): os.kill(os.getpid(), signal.SIGKILL)
if step == "half written":
    class Half:
        def __init__(self, file): self.file = file
        def __enter__(self): return self
        def __exit__(self, *error): self.file.close()
        def write(self, text):
            self.file.write(text[: len(text) // 2]); self.file.flush(); die()
    files.open = lambda *arguments, **options: Half(open(*arguments, **options))
else:
    setattr(files.os, step, die)
tok.save(f"{folder}/models/m.json")
"""


@pytest.fixture
def folder(tmp_path):
    """old.json and new.json, and the folder models/ in which m.json is saved."""
    OLD.save(tmp_path / "old.json")
    NEW.save(tmp_path / "new.json")
    (tmp_path / "models").mkdir()
    return tmp_path


@contextmanager
def saving(folder, *names):
    """A process that saves these models in turn; killed at the end of the block."""
    command = [sys.executable, "-c", SAVER, str(folder), *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as saver:
        try:
            assert saver.stdout.readline() == "ready\n"
            yield saver
        finally:
            saver.kill()


def test_a_save_killed_at_any_moment_leaves_a_whole_file(folder):
    path, draw, seen = folder / "models" / "m.json", random.Random(0), []
    for _ in range(4):
        with saving(folder, "old", "new"):
            time.sleep(draw.uniform(0, 0.03))
        seen.append(bpelab.load(path))
        assert seen[-1] in (OLD, NEW)
    OLD.save(path)  # what the killed left behind is in nobody's way
    assert bpelab.load(path) == OLD


@POSIX
@pytest.mark.parametrize("step", ["half written", "fsync", "chmod", "replace"])
def test_a_save_killed_at_a_known_step_leaves_the_old_file(folder, step):
    path = folder / "models" / "m.json"
    OLD.save(path)
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), step], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert path.read_bytes() == before
    NEW.save(path)
    assert bpelab.load(path) == NEW


def test_two_savers_leave_one_of_the_two(folder):
    path, seen = folder / "models" / "m.json", set()
    with saving(folder, "old") as one, saving(folder, "new") as other:
        until = time.monotonic() + 10
        while len(seen) < 2 and time.monotonic() < until:
            seen |= {bpelab.load(path) for _ in range(20)}
        assert one.poll() is other.poll() is None  # neither got in the other's way
    assert seen == {OLD, NEW}
    assert bpelab.load(path) in (OLD, NEW)


class FullFile:
    """A file on a disk that is full after some characters."""

    def __init__(self, room, *arguments, **options):
        self.file, self.room = builtins.open(*arguments, **options), room  # noqa: SIM115

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.close()

    def __getattr__(self, name):
        return getattr(self.file, name)

    def write(self, text):
        self.file.write(text[: self.room])
        self.file.flush()
        full()


def full(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fill(monkeypatch, step):
    """Let the disk be full at this step of writing."""
    if step == "create":
        monkeypatch.setattr(files.os, "open", full)
    elif step in ("fsync", "replace"):
        monkeypatch.setattr(files.os, step, full)
    else:
        room = {"write": 0, "write half": 200}[step]
        monkeypatch.setattr(files, "open", lambda *a, **k: FullFile(room, *a, **k), raising=False)


@pytest.mark.parametrize("step", ["create", "write", "write half", "fsync", "replace"])
@pytest.mark.parametrize("save", ["save", "save_merges_txt", "save_minbpe"])
def test_a_full_disk_is_an_error_that_keeps_the_old_file(tmp_path, monkeypatch, save, step):
    path, old = tmp_path / "m", bpelab.train("low low", base="byte", chunking="gpt2")
    new = bpelab.train(CORPUS, 200, base="byte", chunking="gpt2")
    getattr(old, save)(path)
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        fill(patched, step)
        with pytest.raises(OSError) as caught:
            getattr(new, save)(path)
        assert caught.value.errno == errno.ENOSPC
        with pytest.raises(OSError):
            getattr(new, save)(tmp_path / "another")
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["m"]
    getattr(new, save)(path)
    assert path.read_bytes() != before


@POSIX
def test_a_limit_of_the_system_is_like_a_full_disk(folder):
    path = folder / "models" / "m.json"
    OLD.save(path)
    program = (
        "import bpelab, resource, sys\n"
        f"tok = bpelab.load({str(folder / 'new.json')!r})\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        f"try: tok.save({str(path)!r})\n"
        "except OSError as error: print(error.errno)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == f"{errno.EFBIG}\n", done.stderr
    assert bpelab.load(path) == OLD
    assert os.listdir(path.parent) == ["m.json"]
