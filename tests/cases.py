"""What the tests of the cases share."""

import os
import subprocess
import sys

from bpelab.spelling import readable

#: The three tie rules that the cases give values for.
FIRST, LEXICOGRAPHIC, LOWEST_ID = "first", "lexicographic", "lowest-id"
TIES = (FIRST, LEXICOGRAPHIC, LOWEST_ID)
#: One symbol a byte, one chunk a document: what most cases mean.
WHOLE = {"base": "byte", "chunking": "whole"}


def joins(tok):
    """The merges for reading: "e7+8c" as "<0xE7>+<0x8C>", 61+62 as "a+b"."""
    return [f"{readable(left)}+{readable(right)}" for left, right, _ in tok.merges]


def run(program, *options, check=True, **environment):
    """What a program in a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, *options, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0 or not check, done.stderr
    return done.stdout
