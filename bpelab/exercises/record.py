"""What a reader has done, kept in one small file of theirs across notebooks and kernels.

It is `progress.json` in the folder that the system has for a user's data, or the file that BPELAB_PROGRESS names;
with an empty BPELAB_PROGRESS nothing is kept. A file that can't be read or written is no error: the rest of
the session then knows what it has seen. A file of anything else is left alone.
"""

import json
import os
from pathlib import Path

from bpelab import files

VARIABLE, KIND = "BPELAB_PROGRESS", "bpelab.exercises"
LARGEST, MOST = 1 << 20, 1000
#: Number -> state, of this session.
SEEN = {}


def path():
    """The reader's file, or None if nothing is to be kept."""
    if VARIABLE in os.environ:
        return Path(os.path.expanduser(os.environ[VARIABLE])) if os.environ[VARIABLE] else None
    import platformdirs

    return Path(platformdirs.user_data_dir("bpelab", appauthor=False)) / "progress.json"


def read():
    """Number -> state, of the file and of this session: what was right once stays right."""
    try:
        kept = _kept(path())
    except (OSError, ValueError):
        kept = {}
    return kept | {number: state for number, state in SEEN.items() if kept.get(number) != "right"}


def note(number, state):
    """Remember an exercise that was tried."""
    if SEEN.get(number) != "right":
        SEEN[number] = state
    keep()


def keep():
    """Write what this session has seen, if the file doesn't hold it: two kernels may write at the same moment."""
    where, states = path(), read()
    try:
        if where is None or _kept(where) == states:
            return
        where.parent.mkdir(parents=True, exist_ok=True)
        files.write(where, json.dumps({"format": KIND, "exercises": dict(sorted(states.items()))}, indent=1) + "\n")
    except (OSError, ValueError):
        return  # `trouble` says it where the reader asks


def trouble():
    """Whether there is a file that doesn't hold what this session has seen, and can't be made to."""
    keep()
    try:
        where = path()
        return where is not None and _kept(where) != read()
    except (OSError, ValueError):
        return True


def _kept(where):
    """What a file of ours holds; ValueError for another's."""
    if where is None or not where.exists():
        return {}
    data = files.read(where, LARGEST)
    if not data:
        return {}
    try:
        document = json.loads(data)
    except RecursionError:
        raise ValueError(f"{where} is nested too deep") from None
    if not isinstance(document, dict) or document.get("format") != KIND:
        raise ValueError(f"{where} is no file of {KIND}")
    found = document.get("exercises")
    found = list(found.items())[:MOST] if isinstance(found, dict) else []
    return {number: state for number, state in found if len(number) < 20 and state in ("wrong", "right")}
