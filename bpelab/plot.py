"""The figures of the book, in one look. Each comes with its alternative text.

A figure shows the table that a cell prints beside it; none computes anything of its own.
"""

import io
from functools import lru_cache, wraps
from importlib import util
from pathlib import Path

# Okabe and Ito's palette, which people with any colour vision tell apart, on white.
INK, GREY = "#222222", "#767676"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4b87", "#56b4e9", "#e69f00")
# Fill and, where it must be darker to be read, text.
SLOT_COLOURS = (("#d55e00", "#b34700"), ("#e69f00", "#8a5a00"), ("#0072b2", "#0072b2"))
#: Behind a number that a line may cross.
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85}
CJK_FONTS = ("IPAexGothic", "Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic", "Meiryo", "TakaoGothic")


class Picture:
    """A figure for a notebook, with alternative text, which is also its text form."""

    def __init__(self, figure, alt):
        self.figure, self.alt = figure, alt

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/png": self.png(), "text/plain": self.alt}, {"image/png": {"alt": self.alt}}

    def __repr__(self):
        return self.alt

    def png(self):
        """The picture as PNG bytes."""
        target = io.BytesIO()
        self.save(target, format="png")
        return target.getvalue()

    def save(self, path, **options):
        """Write the picture to a file, whose ending (.svg, .png, .pdf) says the format."""
        import matplotlib

        with matplotlib.rc_context(style()):
            self.figure.savefig(path, dpi=144, bbox_inches="tight", **options)


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


def style():
    """The rcParams of the book."""
    fonts = [japanese_font(), "DejaVu Sans"] if japanese_font() else ["DejaVu Sans"]
    return {
        "font.family": fonts,
        "font.size": 10,
        "axes.edgecolor": GREY,
        "axes.labelcolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 11,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#e4e4e4",
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "lines.linewidth": 1.8,
        "svg.hashsalt": "bpelab",
        "axes.unicode_minus": False,
        "text.parse_math": False,
    }


@lru_cache(maxsize=2)
def _glyphs(fonts):
    """The characters that these fonts draw, as code points."""
    from matplotlib import font_manager

    return {point for name in fonts for point in font_manager.get_font(font_manager.findfont(name)).get_charmap()}


def drawable(text):
    """`text` as it can be drawn: what no font here has, as escapes."""
    glyphs = _glyphs(tuple(style()["font.family"]))
    kept = (c if ord(c) in glyphs or c == "\n" else c.encode("ascii", "backslashreplace").decode() for c in text)
    return "".join(kept)


def _axes(title, xlabel, ylabel, size=(7.2, 3.8)):
    """An empty figure in the style of the book (call within `_styled`)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(drawable(title))
    axes.set_xlabel(drawable(xlabel))
    axes.set_ylabel(drawable(ylabel))
    return figure, axes


def _styled(draw):
    """Run a drawing function within the style of the book."""

    @wraps(draw)
    def styled(*args, **kwargs):
        import matplotlib

        with matplotlib.rc_context(style()):
            return draw(*args, **kwargs)

    return styled


def _name_lines(axes, ends):
    """Write each line's name at its right end, moved apart where they would overlap.

    ends: (x, y, name, colour); the y of the names keep a distance of one line of text.
    """
    to_fraction = axes.transData + axes.transAxes.inverted()
    places = [(to_fraction.transform((x, y))[1], x, y, name, colour) for x, y, name, colour in ends]
    last = -1.0
    for fraction, x, y, name, colour in sorted(places):
        last = max(fraction, last + 0.07)
        axes.annotate(
            drawable(name),
            (x, y),
            (1.01, last),
            textcoords="axes fraction",
            color=colour,
            va="center",
            annotation_clip=False,
        )


@_styled
def curves(
    frames,
    y="tokens",
    *,
    title,
    xlabel="vocabulary size (tokens)",
    ylabel="sequence length (tokens)",
    x="vocab_size",
    mark=None,
):
    """One line for each sweep: {name: DataFrame of `bpelab.sweep`}, named at its right end.

    mark: {name: row} puts a dot and its x on that line, such as the size of least cost. The x axis
    is logarithmic; where x is 0 (no merges), it is linear up to 1.
    """
    figure, axes = _axes(title, xlabel, ylabel)
    ends, parts = [], []
    for (name, frame), colour in zip(frames.items(), COLOURS * 9, strict=False):
        xs, ys = frame[x].to_numpy(), frame[y].to_numpy()
        axes.plot(xs, ys, color=colour)
        ends.append((xs[-1], ys[-1], name, colour))
        parts.append(f"{name} goes from {ys[0]:,.6g} at {xs[0]:,} to {ys[-1]:,.6g} at {xs[-1]:,}")
        if mark and name in mark:
            row = frame.loc[mark[name]]
            axes.plot(row[x], row[y], "o", color=colour, markersize=7)
            axes.annotate(
                f"{int(row[x]):,}", (row[x], row[y]), (-4, 9), textcoords="offset points", color=colour,
                ha="right", bbox=PAPER, zorder=4,
            )  # fmt: skip
            parts[-1] += f", marked at {int(row[x]):,}"
    first, last = (
        min(frame[x].iloc[0] for frame in frames.values()),
        max(frame[x].iloc[-1] for frame in frames.values()),
    )
    axes.set_xscale("symlog", linthresh=1) if first == 0 else axes.set_xscale("log")
    axes.set_xlim(first, last)
    axes.set_ylim(bottom=0)
    _plain_ticks(axes)
    _name_lines(axes, ends)
    return Picture(figure, f"Line chart, {title}. {xlabel} against {ylabel}: {'; '.join(parts)}.")


def _plain_ticks(axes):
    """Numbers on a logarithmic x axis as people write them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if axes.get_xscale() == "log":
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


@_styled
def costs(frame, *, title):
    """The parts of a sweep's total cost against vocabulary size, each as a share of the least total."""
    figure, axes = _axes(title, "vocabulary size (tokens)", "cost (least total = 1)")
    least = frame["total_cost"].min()
    names = {"total_cost": "total", "body_cost": "layers", "attention_cost": "attention", "output_cost": "output"}
    ends, parts = [], []
    for (column, name), colour in zip(names.items(), (INK, *COLOURS), strict=False):
        share = frame[column] / least
        axes.plot(frame["vocab_size"], share, color=colour)
        ends.append((frame["vocab_size"].iloc[-1], share.iloc[-1], name, colour))
        parts.append(f"{name} from {share.iloc[0]:.2f} to {share.iloc[-1]:.2f}")
    best = frame.loc[frame["total_cost"].idxmin()]
    axes.plot(best["vocab_size"], 1, "o", color=INK)
    axes.annotate(
        f"least at {int(best['vocab_size']):,}",
        (best["vocab_size"], 1),
        (-4, 9),
        textcoords="offset points",
        ha="right",
    )
    axes.set_xscale("log")
    axes.set_xlim(frame["vocab_size"].iloc[0], frame["vocab_size"].iloc[-1])
    axes.set_ylim(bottom=0)
    _plain_ticks(axes)
    _name_lines(axes, ends)
    alt = f"Line chart, {title}. {'; '.join(parts)}; the total is least at a vocabulary of {int(best['vocab_size']):,}."
    return Picture(figure, alt)


@_styled
def slots(frame, *, title):
    """What the merges of a vocabulary make, by rank: bars of `bpelab.efficiency.slots`, stacked to 100%."""
    figure, axes = _axes(title, "rank of the merge", "share of the merges (%)")
    kinds = [name for name in frame.columns if name not in ("first", "last")]
    shares = frame[kinds].div(frame[kinds].sum(axis=1), axis=0) * 100
    widths = frame["last"] - frame["first"] + 1
    bottom, parts, ends = 0 * widths, [], []
    for name, (colour, ink) in zip(kinds, SLOT_COLOURS, strict=True):
        axes.bar(frame["first"] - 1, shares[name], widths, bottom, align="edge", color=colour, edgecolor="white")
        ends.append((frame["last"].iloc[-1], (bottom + shares[name] / 2).iloc[-1], name, ink))
        bottom = bottom + shares[name]
        total = frame[name].sum() / frame[kinds].to_numpy().sum()
        parts.append(
            f"{name} {shares[name].iloc[0]:.0f}% of the first group, "
            f"{shares[name].iloc[-1]:.0f}% of the last, {total:.0%} in all"
        )
    axes.set_xlim(0, frame["last"].iloc[-1])
    axes.set_ylim(0, 100)
    axes.grid(False)
    _plain_ticks(axes)
    _name_lines(axes, ends)
    return Picture(figure, f"Stacked bars, {title}. {'; '.join(parts)}.")


@_styled
def bars(values, *, title, xlabel, low=None, high=None, reference=None):
    """Horizontal bars: {name: value}, the number at the end of each; low and high draw intervals.

    reference: (value, name) draws a vertical line, such as parity at 1.
    """
    names, numbers = list(values), list(values.values())
    figure, axes = _axes(title, xlabel, "", (7.2, 0.9 + 0.42 * len(names)))
    places = range(len(names))[::-1]
    axes.barh(places, numbers, color=COLOURS[4], height=0.66)
    for at, name, number in zip(places, names, numbers, strict=True):
        end = high[name] if high else number
        if high and low:
            axes.plot([low[name], high[name]], [at, at], color=INK, linewidth=1.4)
        axes.annotate(f"{number:.2f}", (end, at), (5, 0), textcoords="offset points", va="center", bbox=PAPER, zorder=4)
    axes.set_yticks(places, [drawable(name) for name in names])
    axes.set_xlim(0, max([*numbers, *(high or {}).values()]) * 1.14)
    axes.grid(axis="y", visible=False)
    if reference:
        axes.axvline(reference[0], color=INK, linestyle="--", linewidth=1, zorder=3)
        axes.annotate(
            drawable(reference[1]), (reference[0], 0), (3, 3), xycoords=("data", "axes fraction"),
            textcoords="offset points", color=INK, fontsize=9, va="bottom",
        )  # fmt: skip
        axes.set_ylim(-1.1, len(names) - 0.4)
    listed = "; ".join(f"{name} {number:.2f}" for name, number in values.items())
    return Picture(figure, f"Bar chart, {title}. {xlabel}: {listed}.")
