"""Files on disk: written whole or not at all, read only where a regular file of a bounded size stands."""

import contextlib
import hashlib
import os
import secrets
import stat
import time
from pathlib import Path

#: Model files are not larger than this (bytes); what is, is no model.
LARGEST = 1 << 30
#: A temporary file that a killed process left is removed by the next save of the same file, after this long.
STALE_AFTER = 3600


def write(path, text):
    """Write a file (bytes, or a str as UTF-8, line ends as they are): the old file stays whole, or the new one stands.

    It is written under another name beside its target, which it then takes over, mode and owner kept; a
    new file gets the mode that the umask allows. What is no regular file (a device, a pipe) is written
    in place. FileNotFoundError names a folder that is missing.
    """
    data = text.encode() if isinstance(text, str) else text
    if not os.fspath(path):
        raise ValueError("path must not be empty; name a file")
    path = os.path.expanduser(path)
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        Path(path).write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"the folder {target.parent} does not exist; make it first, or write elsewhere")
    _replace(target, data)


def _replace(target, data):
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()[:12]
    _sweep(target.parent.glob(f".bpelab-{digest}-*.tmp"))
    name = target.parent / f".bpelab-{digest}-{secrets.token_hex(6)}.tmp"
    try:
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _same_access(target, name)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _same_access(target, name):
    """Give a new file the mode and the owner of the one that it replaces."""
    if not target.exists():
        return
    old = target.stat()
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (os.stat(name).st_uid, os.stat(name).st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(name, old.st_uid, old.st_gid)
    os.chmod(name, stat.S_IMODE(old.st_mode))


def _sweep(leftovers):
    """Remove what processes that were killed left behind."""
    for path in leftovers:
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > STALE_AFTER:
                path.unlink()


def read(path, largest=LARGEST):
    """The bytes of a file. ValueError for what is no regular file, and for one of more than `largest` bytes."""
    path = os.path.expanduser(path)
    status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(f"{path} is a folder; name a file")
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{path} is no regular file, but a device or a pipe; copy it into a file first")
    if status.st_size > largest:
        raise ValueError(f"{path} has {status.st_size:,} bytes, more than the {largest:,} that a model may have")
    return Path(path).read_bytes()
