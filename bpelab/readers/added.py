"""Added tokens of tokenizer.json: found in the text before the model sees it."""

from typing import NamedTuple

import regex

from bpelab.readers.classes import WHITE, stand_ins
from bpelab.readers.oniguruma import WORD

WORD_CHARACTER = regex.compile(rf"[{WORD}\u200c\u200d]")
BLANKS = "".join(WHITE)


class Added(NamedTuple):
    """One added token and its flags, as the file has them."""

    content: str
    id: int
    special: bool
    single_word: bool
    lstrip: bool
    rstrip: bool


class Finder:
    """Finds added tokens in a text; the leftmost wins, then the longest.

    tokens: {how it is spelled in the text searched: Added}.
    """

    def __init__(self, tokens):
        self.tokens = tokens
        longest_first = sorted(tokens, key=lambda spelled: -len(spelled.encode()))
        self.pattern = regex.compile("|".join(map(regex.escape, longest_first))) if tokens else None

    def parts(self, text, names):
        """(text, Added or None, start) for each part; special tokens count where `names` has them."""
        if self.pattern is None:
            return [(text, None, 0)]
        parts, done = [], 0
        for match in self.pattern.finditer(text):
            token = self.tokens[match.group()]
            start, stop = match.span()
            if (token.special and token.content not in names) or (token.single_word and not _alone(text, start, stop)):
                continue
            if token.lstrip:
                start = max(len(text[:start].rstrip(BLANKS)), done)
            if token.rstrip:
                stop += len(text[stop:]) - len(text[stop:].lstrip(BLANKS))
            if done < start:
                parts.append((text[done:start], None, done))
            if start < stop:  # not if the token before has taken it all
                parts.append((text[start:stop], token, start))
            done = stop
        return [*parts, (text[done:], None, done)] if done < len(text) else parts


def _alone(text, start, stop):
    """Whether no word character stands on either side."""
    sides = (text[max(0, start - 1) : start] + text[stop : stop + 1]).translate(stand_ins())
    return not WORD_CHARACTER.search(sides)
