"""Patterns in Oniguruma's dialect (Ruby's), as Hugging Face reads them, in that of the `regex` package.

A safe subset is translated, construct by construct, to what matches the same text; every other
construct is refused by its name. Matching stops after `TIMEOUT` seconds.
"""

from functools import lru_cache

import regex

from bpelab import checks
from bpelab.readers.classes import stand_ins

#: Longer patterns are refused; the published ones have some hundred characters.
LONGEST = 20_000
#: Seconds that one match may take: a pattern can be made to try exponentially many ways.
TIMEOUT = 10.0
#: The largest count in {n,m}.
MOST_REPEATS = 1000
DEEPEST = 30

WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
#: Inside a class: escape -> members, and the members of its negation.
ESCAPES = {
    "s": (r"\s", r"\S"),
    "d": (r"\p{Nd}", r"\P{Nd}"),
    "h": ("0-9A-Fa-f", None),
    "w": (WORD + "\u00b2\u00b3\u00b9\u00bc\u00bd\u00be", None),
}
POSIX = {
    "alpha": r"\p{Alphabetic}",
    "digit": r"\p{Nd}",
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "punct": r"\p{P}\p{S}",
    "space": r"\s",
    "upper": r"\p{Uppercase}",
    "lower": r"\p{Lowercase}",
    "word": WORD,
    "cntrl": r"\p{Cc}",
    "xdigit": "0-9A-Fa-f",
}
CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
CATEGORIES = set(
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf".split()
)
SCRIPTS = {
    "Han", "Hiragana", "Katakana", "Hangul", "Latin", "Cyrillic", "Arabic", "Thai", "Greek", "Hebrew", "Devanagari",
}  # fmt: skip
#: Where case doesn't count, these match too: the long s and the sign for kelvin.
ALSO = {"s": "\u017f", "k": "\u212a"}
#: What may stand in a class where case doesn't count: it holds both cases of every letter.
CASELESS = ("N", "Nd", "Nl", "No", "P", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf")
#: Two letters in a row that Oniguruma matches with one character when case doesn't count: ß, ligatures.
FOLDED_PAIRS = ("ss", "ff", "fi", "fl", "st")


#: What engines read differently; none of the published patterns has it.
DIALECT = ("$", r"\h", r"\w", r"\W", r"\Z", r"\z", r"\A", r"\b", "[[", "&&", "(?P", "(?R", "(?s", "(?m", ".")


def dialect(pattern):
    """The first construct in a pattern that engines read differently; None for none."""
    plain = pattern.replace(r"\.", "").replace(r"[^\r\n", "")
    inside = regex.sub(r"\[[^\]]*\]", "", plain)
    if counted := regex.search(r"\{\d+,?\d*\}\+", plain):
        return counted.group()
    found = (construct for construct in DIALECT if construct in (inside if construct in "$." else plain))
    return next(found, "^" if "^" in inside else None)


class Unreadable(ValueError):
    """A construct that can't be translated; the message names it."""


@lru_cache(maxsize=64)
def compiled(pattern):
    """The pattern, translated and compiled; ValueError names a construct that can't be read.

    >>> print(compiled(r"(?i:'s)|\\h{1,3}+").pattern)
    (?:'[sSſ])|(?:(?:[0-9A-Fa-f]{1,3}))+
    """
    if len(pattern) > LONGEST:
        raise Unreadable(f"a pattern of {len(pattern):,} characters, more than {LONGEST:,}")
    try:
        return regex.compile(_Reader(pattern).whole())
    except (regex.error, OverflowError, RecursionError) as error:
        raise Unreadable(f"the pattern {checks.shown(pattern)}, which doesn't compile here: {error}") from None


def spans(pattern, text):
    """The matches of a translated pattern in `text`: (start, end) of each, none empty."""
    try:
        found = [match.span() for match in pattern.finditer(text.translate(stand_ins()), timeout=TIMEOUT)]
    except TimeoutError:
        raise ValueError(f"the pattern {checks.shown(pattern.pattern)} takes more than {TIMEOUT:g} seconds") from None
    if any(start == end for start, end in found):
        raise ValueError(f"the pattern {checks.shown(pattern.pattern)} matches empty text, which can't be read here")
    return found


class _Reader:
    """One pattern, read from left to right."""

    def __init__(self, pattern):
        self.pattern, self.at, self.depth, self.ignore_case = pattern, 0, 0, False

    def whole(self):
        translated = self.alternatives()
        if self.at < len(self.pattern):
            self.refuse("an unmatched )")
        return translated

    def refuse(self, construct):
        raise Unreadable(f"{construct} at character {self.at} of the pattern {checks.shown(self.pattern)}")

    def peek(self, text):
        return self.pattern.startswith(text, self.at)

    def take(self, *texts):
        for text in texts:
            if self.peek(text):
                self.at += len(text)
                return text
        return ""

    def next(self):
        if self.at >= len(self.pattern):
            self.refuse("an unfinished construct")
        self.at += 1
        return self.pattern[self.at - 1]

    def alternatives(self):
        """Up to the end of the group or the pattern."""
        translated, ignored = [], self.ignore_case
        while self.at < len(self.pattern) and not self.peek(")"):
            translated.append("|" if self.take("|") else self.quantified())
        self.ignore_case = ignored
        return "".join(translated)

    def quantified(self):
        atom = self.atom()
        if self.ignore_case:
            self.check_pair()
        first = True
        while quantifier := self.quantifier():
            if not first:
                atom = f"(?:{atom})"
            atom = self.repeated(atom, quantifier)
            first = False
        return atom

    def quantifier(self):
        if simple := self.take("??", "*?", "+?", "?+", "*+", "++", "?", "*", "+"):
            return simple
        counted = regex.compile(r"\{(\d{1,4})(,?)(\d{0,4})\}").match(self.pattern, self.at)
        if counted is None:
            if self.peek("{"):
                self.refuse("a brace that is no {n,m}")
            return ""
        least, _, most = counted.groups()
        if int(least) > MOST_REPEATS or int(most or 0) > MOST_REPEATS or (most and int(most) < int(least)):
            self.refuse(f"the count {counted.group()}")
        self.at = counted.end()
        return counted.group()

    def repeated(self, atom, quantifier):
        """In Ruby's dialect {n,m}+ is a repeat of {n,m}, and {n}? makes it optional."""
        if not quantifier.startswith("{"):
            return atom + quantifier
        if "," not in quantifier and self.take("?"):
            return f"(?:{atom}{quantifier})?"
        if lazy := self.take("?"):
            return atom + quantifier + lazy
        return f"(?:{atom}{quantifier})" if self.peek("+") else atom + quantifier

    def atom(self):
        character = self.next()
        if character == "(":
            return self.group()
        if character == "[":
            return self.characters()
        if character == "\\":
            return self.escape()
        if character == ".":
            return r"[^\n]"
        if character == "^":
            return r"(?:(?<![\s\S])|(?<=\n)(?=[\s\S]))"
        if character == "$":
            return r"(?=\n|(?![\s\S]))"
        if character in "?*+{":
            self.refuse("a repeat of nothing")
        return self.literal(character)

    def literal(self, character):
        self.known(character)
        return f"[{_both(character)}]" if self.ignore_case and character.isalpha() else regex.escape(character)

    def known(self, character):
        """Refuse a character that engines may take for another."""
        if self.ignore_case and not character.isascii() and character.lower() != character.upper():
            self.refuse(f"{character!r} where case doesn't count")
        if ord(character) in stand_ins():
            self.refuse(f"the character {character!r}, newer than Unicode 16")

    def check_pair(self):
        pair = self.pattern[self.at - 1 : self.at + 1].lower()
        if pair in FOLDED_PAIRS:
            self.refuse(f"{pair!r} where case doesn't count (one character may match both)")

    def group(self):
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse("groups nested too deeply")
        ignored = self.ignore_case
        translated = self.opening() + self.alternatives() + ")"
        if self.next() != ")":
            self.refuse("an unclosed group")
        self.ignore_case = ignored
        self.depth -= 1
        return translated

    def opening(self):
        """What a group begins with."""
        if not self.take("?"):
            return "(?:"
        if plain := self.take(":", "=", "!", "<=", "<!", ">"):
            return f"(?{plain}"
        if self.take("i:"):
            self.ignore_case = True
            return "(?:"
        if self.take("-i:"):
            self.ignore_case = False
            return "(?:"
        self.refuse(f"the group (?{self.pattern[self.at : self.at + 3]}")

    def escape(self):
        character = self.next()
        if character == "Z":
            return r"(?=\n?(?![\s\S]))"
        if character == "z":
            return r"(?![\s\S])"
        if character == "A":
            return r"(?<![\s\S])"
        if character in "pP":
            return self.property(character == "P")
        if character.lower() in ESCAPES:
            inside = ESCAPES[character.lower()][0]
            return f"[{'^' if character.isupper() else ''}{inside}]"
        return self.literal(self.escaped(character))

    def escaped(self, character):
        """The one character that an escape stands for."""
        if character in CONTROLS:
            return CONTROLS[character]
        if character == "x" and (
            code := regex.compile(r"[0-9A-Fa-f]{2}|\{[0-9A-Fa-f]{1,6}\}").match(self.pattern, self.at)
        ):
            self.at = code.end()
            return self.coded(code.group().strip("{}"))
        if character == "u" and (code := regex.compile(r"[0-9A-Fa-f]{4}").match(self.pattern, self.at)):
            self.at = code.end()
            return self.coded(code.group())
        if character.isalnum():
            self.refuse(f"the escape \\{character}")
        return character

    def coded(self, digits):
        point = int(digits, 16)
        if point > 0x10FFFF or 0xD800 <= point < 0xE000 or (len(digits) == 2 and point > 0x7F):
            self.refuse(f"the code {digits}")
        return chr(point)

    def property(self, negated):
        found = regex.compile(r"\{(\^?)([A-Za-z_ ]+)\}").match(self.pattern, self.at)
        name = found and found.group(2)
        if name not in CATEGORIES and name not in SCRIPTS:
            self.refuse(f"the property {self.pattern[self.at : self.at + 16]!r}")
        if self.ignore_case and name not in CASELESS:
            self.refuse(f"the property {name} where case doesn't count")
        self.at = found.end()
        negated ^= found.group(1) == "^"
        return rf"\{'P' if negated else 'p'}{{{name}}}"

    def characters(self):
        """A class in brackets: single characters, ranges, escapes and properties."""
        negated = self.take("^")
        members = []
        while not self.peek("]") or not members:
            members.append(self.member())
        self.at += 1
        if self.ignore_case and negated:
            self.refuse("a negated class where case doesn't count")
        return f"[{negated}{''.join(members)}]"

    def member(self):
        if name := regex.compile(r"\[:(\^?)([a-z]+):\]").match(self.pattern, self.at):
            if name.group(1) or name.group(2) not in POSIX or self.ignore_case:
                self.refuse(f"the class {name.group()}")
            self.at = name.end()
            return POSIX[name.group(2)]
        if self.peek("[") or self.peek("&&"):
            self.refuse("a class inside a class")
        first = self.one()
        if len(first) > 1 or not self.peek("-") or self.peek("-]"):
            if self.peek("-") and not self.peek("-]"):
                self.refuse("a - that may be a range or itself")
            return first if len(first) > 1 else self.single(first)
        self.at += 1
        last = self.one()
        if len(last) > 1 or ord(last) < ord(first):
            self.refuse("a range that ends nowhere")
        if self.ignore_case and not (first.isascii() and last.isascii()):
            self.refuse("a range where case doesn't count")
        if self.ignore_case:
            return "".join(self.single(chr(point)) for point in range(ord(first), ord(last) + 1))
        self.known(first)
        self.known(last)
        return f"{regex.escape(first, special_only=False)}-{regex.escape(last, special_only=False)}"

    def single(self, character):
        """One character of a class."""
        self.known(character)
        return (
            _both(character)
            if self.ignore_case and character.isalpha()
            else regex.escape(character, special_only=False)
        )

    def one(self):
        """A single character as itself, or several as they are written in a class."""
        character = self.next()
        if character != "\\":
            return character
        character = self.next()
        if character in "pP":
            return self.property(character == "P")
        if character.lower() in ESCAPES:
            members = ESCAPES[character.lower()][character.isupper()]
            if members is None:
                self.refuse(f"\\{character} inside a class")
            return members
        return self.escaped(character)


def _both(letter):
    """A letter in both cases, and what else Oniguruma matches with it."""
    return letter.lower() + letter.upper() + ALSO.get(letter.lower(), "") if letter.isascii() else letter
