"""How a picture looks: paper, ink, fonts and words, light and dark; and what it is to someone who can't see it."""

import io
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from importlib import util
from pathlib import Path
from typing import NamedTuple
from unicodedata import east_asian_width

import regex

from bpelab import checks
from bpelab.spelling import visible
from bpelab.words import LANGUAGES, word
from bpelab.words import language as reader_language


class Theme(NamedTuple):
    """Colours that people with any colour vision tell apart, each readable as text on the paper."""

    paper: str
    ink: str
    grey: str
    grid: str
    lines: tuple
    fills: tuple


THEMES = {
    "light": Theme(
        "#ffffff",
        "#222222",
        "#6b6b6b",
        "#e4e4e4",
        ("#0072b2", "#b84a00", "#007a59", "#9c3d80", "#5555cc", "#7a6000"),
        ("#cfe8fa", "#fbe3b5", "#d3efd9", "#f6d3e3"),
    ),
    "dark": Theme(
        "#16181c",
        "#e8e8e8",
        "#a0a0a0",
        "#33363c",
        ("#56b4e9", "#ff9a57", "#35c99b", "#e58cc5", "#a5a5ff", "#e6b422"),
        ("#1d4a66", "#5c4712", "#1f5236", "#5b2f47"),
    ),
}
INK, GREY, COLOURS = THEMES["light"].ink, THEMES["light"].grey, THEMES["light"].lines
CJK_FONTS = ("IPAexGothic", "Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic", "Meiryo", "TakaoGothic")
#: The theme and the language of the picture that is being drawn.
_CURRENT = ContextVar("current", default=("light", "en"))


class Picture:
    """A figure for a notebook, with alternative text, which is also its text form; `alt` may be set."""

    def __init__(self, figure, alt, theme="light"):
        self.figure, self.alt, self.theme = figure, alt, theme

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/png": self.png(), "text/plain": self.alt}, {"image/png": {"alt": self.alt}}

    def __repr__(self):
        return self.alt

    def png(self, dpi=144):
        """The picture as PNG bytes."""
        target = io.BytesIO()
        self.save(target, format="png", dpi=dpi)
        return target.getvalue()

    def save(self, path, dpi=144, **options):
        """Write the picture to a file, whose ending (.svg, .png, .pdf) says the format.

        dpi: dots per inch of a .png; a picture is about 7 inches wide. options: what matplotlib's
        savefig takes besides.
        """
        import matplotlib

        if isinstance(path, str | Path):
            path = Path(path).expanduser()
            if not path.suffix and "format" not in options:
                raise ValueError(f"path needs an ending that says the format, such as .png or .svg; got {str(path)!r}")
        options = {"bbox_inches": "tight", "pad_inches": 0.12, **options}
        with matplotlib.rc_context(style(self.theme)):
            self.figure.savefig(path, dpi=dpi, **options)


@lru_cache(maxsize=1)
def japanese_font():
    """The name of a font that draws Japanese, or None; matplotlib-fontja brings one."""
    from matplotlib import font_manager

    spec = util.find_spec("matplotlib_fontja")
    if spec:
        for path in Path(spec.submodule_search_locations[0]).rglob("*.ttf"):
            font_manager.fontManager.addfont(path)
    names = set(font_manager.fontManager.get_font_names())
    return next((name for name in CJK_FONTS if name in names), None)


def style(theme="light"):
    """The rcParams of the book: paper and ink both set, so that no other style hides one in the other."""
    paper, ink, grey, grid, lines, _ = THEMES[checks.choice("theme", theme, tuple(THEMES))]
    from matplotlib import cycler

    fonts = [japanese_font(), "DejaVu Sans"] if japanese_font() else ["DejaVu Sans"]
    return {
        "font.family": fonts,
        "font.size": 10,
        "figure.facecolor": paper,
        "figure.edgecolor": paper,
        "savefig.facecolor": paper,
        "savefig.edgecolor": paper,
        "savefig.transparent": False,
        "axes.facecolor": paper,
        "axes.edgecolor": grey,
        "axes.labelcolor": ink,
        "axes.titlecolor": ink,
        "axes.prop_cycle": cycler(color=lines),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 11,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": grid,
        "grid.linestyle": "-",
        "grid.linewidth": 0.8,
        "grid.alpha": 1.0,
        "text.color": ink,
        "xtick.color": ink,
        "ytick.color": ink,
        "xtick.labelcolor": ink,
        "ytick.labelcolor": ink,
        "legend.facecolor": paper,
        "legend.edgecolor": paper,
        "legend.labelcolor": ink,
        "legend.frameon": False,
        "lines.linewidth": 1.8,
        "svg.hashsalt": "bpelab",
        "axes.unicode_minus": False,
        "text.parse_math": False,
        "text.usetex": False,
    }


def drawing(draw):
    """A drawing function: (figure, alternative text) -> `Picture`, in the style of the book.

    It takes three arguments more: language ("en", "ja"; without it the reader's) of the words that are not the
    caller's; theme ("light", "dark"); alt, an alternative text in place of its own.
    """

    @wraps(draw)
    def drawn(*args, language=None, theme="light", alt=None, **kwargs):
        import matplotlib

        language = checks.choice("language", language, LANGUAGES) if language is not None else reader_language()
        with matplotlib.rc_context(style(theme)), _set(theme, language):
            figure, text = draw(*args, **kwargs)
        return Picture(figure, text if alt is None else checks.text("alt", alt), theme)

    return drawn


@contextmanager
def _set(theme, language):
    token = _CURRENT.set((theme, language))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def theme():
    """The `Theme` of the picture that is being drawn."""
    return THEMES[_CURRENT.get()[0]]


def say(text, **parts):
    """A word of the table in the language of the picture, its braces filled."""
    said = word(text, _CURRENT.get()[1])
    return said.format(**parts) if parts else said


def described(kind, title, body):
    """An alternative text."""
    return say("{kind}, {title}. {body}.", kind=say(kind), title=" ".join(title.split()), body=body)


@lru_cache(maxsize=2)
def _glyphs(fonts):
    """The characters that these fonts draw, as code points."""
    from matplotlib import font_manager

    return {point for name in fonts for point in font_manager.get_font(font_manager.findfont(name)).get_charmap()}


def drawable(text):
    """`text` as it can be drawn: what no font here has, and what can't be seen, as escapes."""
    glyphs = _glyphs(tuple(style()["font.family"]))
    return "".join(c if c == "\n" else _drawn(c, glyphs) for c in str(text))


def _drawn(character, glyphs):
    if (
        ord(character) in glyphs
        and (character.isspace() or visible(character) == character)
        and character.isprintable()
    ):
        return character
    return character.encode("ascii", "backslashreplace").decode() if ord(character) > 127 else visible(character)


def wrapped(text, columns):
    """`text` in lines of at most so many columns; a wide character takes two, and may end a line."""
    lines, width = [""], 0
    for part in _breakable(text):
        size = sum(1 + (east_asian_width(c) in "WF") for c in part)
        if width + size > columns and lines[-1]:
            lines.append("")
            part, width = part.lstrip(" "), 0
        lines[-1] += part
        width += size
    return "\n".join(line.rstrip(" ") for line in lines)


def _breakable(text):
    """Words with the blanks before them, and single wide characters."""
    return regex.findall(
        r" *[\u3000-\u9fff\uff00-\uffef][、。，．）」』】！？ー]*| *[^ \u3000-\u9fff\uff00-\uffef]+| +", text
    )


def axes_of(title, xlabel="", ylabel="", size=(7.2, 3.8)):
    """An empty figure and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(wrapped(drawable(title), 84))
    axes.set_xlabel(drawable(say(xlabel)))
    axes.set_ylabel(drawable(say(ylabel)))
    return figure, axes


def canvas(title, width, height, size):
    """An empty figure to draw on: x from 0 to width, y from 0 (top) to height, nothing on the axes."""
    figure, axes = axes_of(title, size=size)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    return figure, axes


def outlined(colour=None):
    """Text options: a rim of paper around the letters, so that a line behind them does no harm."""
    from matplotlib import patheffects

    rim = patheffects.withStroke(linewidth=3, foreground=theme().paper)
    return {"color": colour or theme().ink, "path_effects": [rim]}


def non_empty(name, value):
    """`value`, if there is something to draw."""
    if not len(value):
        raise ValueError(f"{name} must not be empty: there is nothing to draw")
    return value
