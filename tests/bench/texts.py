"""Make two texts to measure with, en.txt and ja.txt, of what is installed here: 16 MB each, all of it different.

    python tests/bench/texts.py FOLDER
    python tests/bench/texts.py FOLDER --megabytes 4

English: the built-in texts, then Python's sources. Japanese: the built-in texts, then the translated messages of
installed programs (message catalogues, .mo). Where that is too little, lines are made by drawing clauses of the
Japanese Bible at random: chunks that are real, lines that nobody wrote.
"""

import argparse
import random
import sys
import sysconfig
from pathlib import Path

import regex

import bpelab

NAMES = ("bible", "parallel", "jupyterlab")


def built_in(lang):
    return (bpelab.corpora.text(name, lang) for name in NAMES)


def english():
    yield from built_in("en")
    for place in ("stdlib", "purelib"):
        for path in sorted(Path(sysconfig.get_path(place)).rglob("*.py")):
            yield path.read_bytes().decode("utf-8", "replace")


def japanese():
    yield from built_in("ja")
    places = [Path(sysconfig.get_path("purelib")), Path(sys.prefix, "share/locale"), Path("/usr/share/locale")]
    seen = set()
    for path in sorted(path for place in places for path in place.rglob("*.mo") if "ja" in str(path)):
        for message in path.read_bytes().decode("utf-8", "ignore").split("\0"):
            if message not in seen and regex.search(r"[\p{Hiragana}\p{Katakana}]", message):
                seen.add(message)
                yield message + "\n"
    draw, clauses = random.Random(0), regex.findall(r"[^\s、。]+[、。]?", bpelab.corpora.text("bible", "ja"))
    while True:
        yield "".join(draw.choices(clauses, k=draw.randint(1, 6))) + "\n"


def write(path, pieces, size):
    """Write pieces of text until there are `size` bytes."""
    written = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        for piece in pieces:
            written += len(piece.encode())
            file.write(piece)
            if written >= size:
                break
    print(f"{path}: {written / 1e6:.1f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--megabytes", type=float, default=16)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, pieces in (("en", english()), ("ja", japanese())):
        write(given.folder / f"{name}.txt", pieces, given.megabytes * 1e6)


if __name__ == "__main__":
    main()
