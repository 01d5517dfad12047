"""Train and test: two parts of one text that share no sentence."""

from bpelab import checks

SPLITS = ("all", "train", "test")
#: Every tenth line, or pair, is for testing.
EVERY = 10


def pairs(every, split):
    """A part of some aligned sentences.

    "test" is every tenth pair (of fewer than ten, the last); "train" the others, less those that share
    a sentence of either side with the test. Where nothing would be left to train on, that is all of
    them, and the test is empty.
    """
    checks.choice("split", split, SPLITS)
    if split == "all":
        return list(every)
    test = every[EVERY - 1 :: EVERY] or every[-1:]
    seen = [set(side) - {""} for side in zip(*test, strict=True)]
    train = [pair for pair in every if not any(side in held for side, held in zip(pair, seen, strict=True))]
    if not train:
        train, test = list(every), []
    return list(test) if split == "test" else train


def text(whole, split):
    """A part of a text, by lines; the two parts hold every line, and share none that isn't blank.

    "test" is every tenth distinct line, wherever it stands (of fewer than ten, the last); a text of one
    line is cut near its end. A text too short to cut is all for training.
    """
    checks.choice("split", split, SPLITS)
    if split == "all":
        return whole
    pieces = [line + "\n" for line in whole.split("\n")]
    pieces[-1] = pieces[-1][:-1]
    distinct = list(dict.fromkeys(line.strip() for line in pieces if line.strip()))
    if len(distinct) < 2:
        return _cut(whole, split)
    test = set(distinct[EVERY - 1 :: EVERY] or distinct[-1:])
    return "".join(piece for piece in pieces if (piece.strip() in test) == (split == "test"))


def _cut(whole, split):
    """A text of one line (which may stand there several times), its last tenth for testing."""
    body = whole.rstrip()
    start = body.rfind("\n") + 1
    at = len(body) - max(1, (len(body) - start) // EVERY)
    held = {line.strip() for line in whole[:at].split("\n")}
    at = at if body[start:at] and body[at:].strip() not in held else len(whole)
    return whole[:at] if split == "train" else whole[at:]
