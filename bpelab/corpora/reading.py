"""Files to text: which encoding, where a line ends, and what is no text."""

import codecs
import re
from pathlib import Path

from bpelab import checks

#: Byte-order marks and what they announce, the longer ones first.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
#: What a file that is not UTF-8 may be in, and characters that text in that encoding holds.
GUESSES = {
    "iso-2022-jp": "[ぁ-ヿ一-鿿]",
    "utf-16-le": r"[\n\r -~]",
    "utf-16-be": r"[\n\r -~]",
    "euc-jp": "[ぁ-ヿ一-鿿]",
    "cp932": "[ぁ-ヿ一-鿿]",
    "euc-kr": "[가-힣]",
    "gb18030": "[一-鿿]",
    "cp1252": "[A-Za-z][À-ÿ]|[À-ÿ][A-Za-z]",
}
#: Signs that bytes were read in the wrong encoding: controls, private use, noncharacters.
WRONG = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\ufffe\uffff]")


def read(path, encoding=None):
    """The text of a file, newlines and all as they are; a byte-order mark is no part of it.

    path: a str or Path; "~" is your home folder. encoding: as Python names them ("cp932"); None is
    UTF-8, or what a byte-order mark says.

    FileNotFoundError names the folder that was searched. ValueError names the first bad byte, and
    encodings in which the whole file makes sense. NUL and ESC are no text: they stand in files of
    other encodings, and are an error unless you give the encoding.
    """
    path = located(path)
    return decoded(path.read_bytes(), spelled(path), encoding)


def located(path):
    """`path` as a Path to a file that is there."""
    if not isinstance(path, str | Path):
        raise TypeError(f"path must be a str or a Path, got {type(path).__name__}")
    path = Path(path).expanduser()
    if path.is_dir():
        raise IsADirectoryError(f"{spelled(path)} is a folder; give the path of a file in it")
    if not path.exists():
        folder = spelled((Path.cwd() / path).parent)
        raise FileNotFoundError(
            f"there is no file {spelled(path.name)} in {folder}, where it was looked for. A notebook looks in its own "
            "folder, notebooks/; put the file there, or give its whole path"
        )
    return path


def spelled(path):
    """A path for a message: what would act on a terminal, and what no encoding has, as escapes."""
    return repr(str(path))[1:-1]


def decoded(data, name, encoding=None):
    """The text of some bytes, which errors call `name`: see `read`."""
    chosen = known(encoding) or next((e for mark, e in MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(chosen)
    except UnicodeDecodeError as error:
        at = f"{error.reason} at byte {error.start} (0x{data[error.start]:02X})"
        called = "UTF-8" if chosen == "utf-8" else chosen
        raise ValueError(f"{name} is not {called}: {at}. {advice(data)}") from None
    text = text.removeprefix("\ufeff")
    control = re.search("[\0\x1b]", text)
    if control and encoding is None:
        sign = "NUL" if control[0] == "\0" else "ESC"
        raise ValueError(
            f"{name} holds {sign} at character {control.start()}, which is no text. {advice(data)}; "
            f'encoding="{chosen}" reads it as it is'
        )
    return checks.text(name, text)


def known(encoding):
    """The encoding, if Python knows it as one of text; None stays None."""
    if encoding is None:
        return None
    if not isinstance(encoding, str):
        raise TypeError(f"encoding must be a str or None, got {type(encoding).__name__}")
    try:
        found = codecs.lookup(encoding)
    except (LookupError, ValueError):
        found = None
    if found is None or not found._is_text_encoding:
        raise ValueError(f"encoding must be one that Python knows, such as 'cp932'; got {checks.shown(encoding)}")
    return encoding


def advice(data):
    """How to read bytes that are not UTF-8: the encodings in which all of them make sense."""
    found = []
    for encoding, sign in GUESSES.items():
        text = _tried(data, encoding)
        if re.search(sign, text) and _makes_sense(text):
            sample = re.search(f".{{0,5}}(?:{sign}).{{0,8}}", text, re.DOTALL)[0]
            found.append(f'encoding="{encoding}" (which reads {sample!r})')
    if not found:
        return "No usual encoding fits all of it: it may be damaged, or no text"
    return f"Convert the file, or read it with {' or '.join(found[:3])}"


def _tried(data, encoding):
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _makes_sense(text):
    """Whether a decoding has no signs of a mistake, such as more half-width kana than other Japanese."""
    half_width, full = (len(re.findall(kind, text)) for kind in ("[\uff61-\uff9f]", "[ぁ-ヿ一-鿿]"))
    return half_width <= full and not WRONG.search(text)


def lines(text):
    """The lines of a text without their ends: they end at "\\n" or "\\r\\n", and nowhere else.

    str.splitlines also cuts at form feeds and at U+2028, which are part of a line here.

    >>> lines("a\\r\\nb\\u2028c\\n")
    ['a', 'b\\u2028c']
    """
    parts = text.split("\n")
    if parts[-1] == "":
        parts.pop()
    return [part.removesuffix("\r") for part in parts]
