"""The figures of the book, in one look, light and dark. Each comes with its alternative text.

A figure shows the table that a cell prints beside it; none computes anything of its own. Each
function takes three arguments more: language ("en" or "ja", the words that are not yours; without it
the reader's, see `bpelab.words.language`), theme ("light" or "dark") and alt (an alternative text in
place of its own).
"""

import math
from collections import Counter
from numbers import Integral

import numpy as np

from bpelab.drawings import grid, pipeline, tree
from bpelab.look import (
    COLOURS,
    GREY,
    INK,
    Picture,
    axes_of,
    described,
    drawable,
    drawing,
    japanese_font,
    non_empty,
    outlined,
    say,
    style,
    theme,
    wrapped,
)
from bpelab.sweep import Least, least

__all__ = [
    "COLOURS",
    "GREY",
    "INK",
    "Picture",
    "bars",
    "costs",
    "curves",
    "dots",
    "drawable",
    "grid",
    "histogram",
    "japanese_font",
    "lengths",
    "pipeline",
    "premiums",
    "rivals",
    "slots",
    "stacked",
    "style",
    "tree",
]
#: More points than this on a line are more than a picture can show.
MOST_POINTS = 500


# --- lines over vocabulary size ---


@drawing
def curves(
    frames,
    y="tokens",
    *,
    title,
    xlabel="vocabulary size (tokens)",
    ylabel="sequence length (tokens)",
    x="vocab_size",
    mark=None,
    bands=None,
    sizes=None,
    reference=None,
    log=None,
):
    """One line for each sweep: {name: DataFrame of `bpelab.sweep`}, named at its right end.

    mark: {name: row} puts a dot and its x on that line; {name: `bpelab.sweep.least(frame)`} marks the
        least size and the range near it, with an open end where training ended first.
    bands: {name: frame with x, y, low and high}, a band with a dot at each of its rows; between them
        the width in percent is interpolated.
    sizes: {label: x}, vertical lines at the sizes of vocabularies in use.
    reference: (y, label), a horizontal line, such as parity at 1.
    log: whether the y axis is logarithmic; None: where the values spread over more than 3 times.

    The x axis is logarithmic; where x is 0 (no merges), it is linear up to 1. Long frames are thinned.
    """
    return _curves(frames, y, title, xlabel, ylabel, x, mark or {}, bands or {}, sizes or {}, reference, log)


@drawing
def premiums(frames, *, title, bands=None, sizes=None, mark=None):
    """The premium at every size: {name: `efficiency.premium_curve`}, 1 as a line, intervals as bands.

    bands: {name: `efficiency.premium_intervals`}; sizes and mark as for `curves`.
    """
    labels = "vocabulary size (tokens)", "premium (tokens, Japanese / English)"
    parity = (1, "as many tokens as English")
    return _curves(frames, "premium", title, *labels, "vocab_size", mark or {}, bands or {}, sizes or {}, parity, False)


@drawing
def costs(frame, *, title):
    """The parts of a sweep's total cost against vocabulary size, each as a share of the least total."""
    lowest = non_empty("frame", frame)["total_cost"].min()
    names = {"total": "total_cost", "layers": "body_cost", "attention": "attention_cost", "output": "output_cost"}
    x = frame["vocab_size"]
    parts = {say(name): frame[["vocab_size"]].assign(cost=frame[column] / lowest) for name, column in names.items()}
    mark, labels = {say("total"): least(frame)}, ("vocabulary size (tokens)", "cost (least = 1)")
    return _curves(parts, "cost", title, *labels, x.name, mark, {}, {}, None, False)


def _curves(frames, y, title, xlabel, ylabel, x, mark, bands, sizes, reference, log):
    for name, frame in non_empty("frames", frames).items():
        non_empty(f"frames[{name!r}]", frame)
    for name in [*mark, *bands]:
        if name not in frames:
            raise ValueError(f"mark and bands take the names of frames, {', '.join(map(repr, frames))}; got {name!r}")
    figure, axes = axes_of(title, xlabel, ylabel)
    ends, parts, notes = [], [], []
    for at, (name, frame) in enumerate(frames.items()):
        colour = theme().lines[at % len(theme().lines)]
        xs, ys = frame[x].to_numpy(), frame[y].to_numpy()
        kept = _kept(xs)
        dashes = "-" if at < len(theme().lines) else "--"
        axes.plot(xs[kept], ys[kept], dashes, color=colour, marker="o" if len(xs) == 1 else None, markersize=4)
        ends.append((xs[-1], ys[-1], name, colour))
        said = say("{name} goes from {first} at {start} to {last} at {end}", name=name, **_ends(xs, ys))
        if name in bands:
            _band(axes, xs[kept], ys[kept], bands[name], x, y, colour)
        if name in mark:
            notes.append(_mark(axes, xs, ys, mark[name], frame, colour))
            said += f", {say('marked: {mark}', mark=notes[-1][2])}"
        parts.append(said)
    _scales(axes, [frame[x] for frame in frames.values()], [frame[y] for frame in frames.values()], log)
    if reference:
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, reference[0] * 0.92), max(high, reference[0] * 1.08))
        axes.axhline(reference[0], color=theme().ink, linestyle="--", linewidth=1, zorder=1.5)
        notes.append((None, reference[0], drawable(say(reference[1])), theme().ink))
    _make_room(axes, sum(x is not None for x, *_ in notes))
    _size_lines(axes, sizes)
    _name_lines(axes, ends)
    _write_notes(axes, notes)
    against = say("{x} against {y}", x=say(xlabel), y=say(ylabel))
    return figure, described("Line chart", title, f"{against}: {'; '.join(parts)}")


def _band(axes, xs, ys, band, x, y, colour):
    """Intervals around a line: a dot at each size that has one; between them the relative width is interpolated."""
    inside = (xs >= band[x].min()) & (xs <= band[x].max())
    edges = [ys[inside] * np.interp(xs[inside], band[x], band[edge] / band[y]) for edge in ("low", "high")]
    axes.fill_between(xs[inside], *edges, color=colour, alpha=0.22, linewidth=0)
    axes.plot(band[x], band[y], "o", color=colour, markersize=3.5)


def _ends(xs, ys):
    return {"first": f"{ys[0]:,.6g}", "start": f"{xs[0]:,}", "last": f"{ys[-1]:,.6g}", "end": f"{xs[-1]:,}"}


def _kept(xs):
    """The places of the points to draw: all, or evenly many for each doubling, and both ends."""
    if len(xs) <= MOST_POINTS:
        return np.arange(len(xs))
    even = np.searchsorted(xs, np.geomspace(max(xs[0], 1), xs[-1], MOST_POINTS))
    return np.unique(np.concatenate([[0], even.clip(0, len(xs) - 1), [len(xs) - 1]]))


def _mark(axes, xs, ys, mark, frame, colour):
    """Draw a marked row, or a least size and its range; (x, y, what to write, colour)."""
    if not isinstance(mark, Least):
        at = frame.index.get_loc(mark)
        axes.plot(xs[at], ys[at], "o", color=colour, markersize=7)
        return xs[at], ys[at], f"{int(xs[at]):,}", colour
    at = int(np.abs(xs - mark.vocab_size).argmin())
    near = (xs >= mark.low) & (xs <= (xs[-1] if mark.high is None else mark.high))
    axes.plot(xs[near], ys[near], color=colour, linewidth=7, alpha=0.28, solid_capstyle="butt")
    if mark.high is None:
        axes.plot(xs[-1], ys[-1], marker=">", color=colour, markersize=8, clip_on=False, zorder=4)
    if mark.reached:
        axes.plot(xs[at], ys[at], "o", color=colour, markersize=7)
        return xs[at], ys[at], say("least at {size:,}", size=mark.vocab_size), colour
    return xs[-1], ys[-1], say("not reached at {size:,}", size=int(xs[-1])), colour


def _scales(axes, xs, ys, log):
    """The scales and limits of both axes, and their numbers as people write them."""
    first, last = min(x.min() for x in xs), max(x.max() for x in xs)
    axes.set_xscale("symlog", linthresh=1) if first == 0 else axes.set_xscale("log")
    axes.set_xlim(first, last) if first < last else axes.set_xlim(first * 0.9, first * 1.1 + 1)
    low, high = min(y.min() for y in ys), max(y.max() for y in ys)
    if low > 0 and (log or (log is None and high > 3 * low)):
        axes.set_yscale("log")
        if high == low:
            axes.set_ylim(low / 2, high * 2)
    elif 0 <= low < 0.3 * high:
        axes.set_ylim(bottom=0)
    _plain_ticks(axes)


def _plain_ticks(axes):
    """Numbers on logarithmic axes as people write them."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            low, high = axis.get_view_interval()
            subs = (1,) if high / low > 3000 else (1, 2, 5) if high / low > 8 else (1, 1.5, 2, 3, 4, 5, 7)
            axis.set_major_locator(LogLocator(subs=subs))
            axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        axis.set_minor_formatter(NullFormatter())
    if axes.get_xscale() == "log":
        low, high = axes.get_xlim()
        powers = [2**k for k in range(2, 22) if low <= 2**k <= high]
        if len(powers) > 3:
            axes.xaxis.set_major_locator(FixedLocator(powers[:: 1 if len(powers) < 9 else 2]))


def _make_room(axes, lines):
    """Room below the lowest point for so many lines of text."""
    low, high = axes.get_ylim()
    share = min(0.085 * lines, 0.3)
    if lines and axes.get_yscale() == "log":
        axes.set_ylim(low * (low / high) ** share, high)
    elif lines and low != 0:
        axes.set_ylim(low - (high - low) * share, high)


def _size_lines(axes, sizes):
    """Vertical lines at the sizes of vocabularies in use, named along them, lower where they stand close."""
    before, drop = -100.0, 0
    for label, size in sorted(sizes.items(), key=lambda item: item[1]):
        if not axes.get_xlim()[0] <= size <= axes.get_xlim()[1]:
            continue
        at = axes.transData.transform((size, 1))[0] * 72 / axes.figure.dpi
        drop = drop + 52 if at - before < 12 else 0
        before = at
        axes.axvline(size, color=theme().grey, linewidth=0.9, linestyle=":", zorder=1)
        axes.annotate(
            drawable(label), (size, 1), (-2, -2 - drop), xycoords=("data", "axes fraction"), textcoords="offset points",
            rotation=90, ha="right", va="top", fontsize=8, **outlined(theme().grey),
        )  # fmt: skip


def _name_lines(axes, ends):
    """Write each line's name at its right end, moved apart where they would overlap.

    ends: (x, y, name, colour); the y of the names keep a distance of one line of text.
    """
    to_fraction = axes.transData + axes.transAxes.inverted()
    places = sorted((float(to_fraction.transform((x, y))[1]), at) for at, (x, y, _, _) in enumerate(ends))
    gap, heights = min(0.068, 1 / max(len(places) - 1, 1)), []
    for fraction, _ in places:
        heights.append(max(fraction, heights[-1] + gap) if heights else fraction)
    above = max(0.0, heights[-1] - 1) if heights else 0.0
    for at in range(len(heights) - 1, -1, -1):  # what stands too high moves down, and what is below it
        top = 1 if at == len(heights) - 1 else heights[at + 1] - gap
        heights[at] = min(heights[at], top) if above else heights[at]
    for (_, at), height in zip(places, heights, strict=True):
        x, y, name, colour = ends[at]
        axes.annotate(
            drawable(name), (x, y), (1.015, height), textcoords="axes fraction", color=colour, va="center",
            annotation_clip=False,
        )  # fmt: skip


def _write_notes(axes, notes):
    """Write what stands at the marked points, below each (above, where the axis starts at 0), and not on another."""
    taken, step = [], 13 if axes.get_ylim()[0] == 0 else -13
    for x, y, text, colour in sorted(notes, key=lambda note: (note[0] is not None, -note[1])):
        if x is None:
            axes.annotate(text, (0, y), (4, 3), xycoords=("axes fraction", "data"), textcoords="offset points",
                          va="bottom", fontsize=9, **outlined(colour))  # fmt: skip
            continue
        place = axes.transData.transform((x, y))
        at, right = place * 72 / axes.figure.dpi, axes.transAxes.inverted().transform(place)[0] > 0.6
        start, height = at[0] - 6.0 * len(text) * right, at[1] + step
        while any(abs(height - h) < 13 and start < e and s < start + 6.0 * len(text) for s, e, h in taken):
            height += step
        taken.append((start, start + 6.0 * len(text), height))
        axes.annotate(
            drawable(text), (x, y), (-2 if right else 2, height - at[1]), textcoords="offset points", va="center",
            ha="right" if right else "left", fontsize=9, zorder=6, **outlined(colour),
        )  # fmt: skip


# --- bars and dots ---


@drawing
def slots(frame, *, title):
    """What the merges of a vocabulary make, by rank: bars of `bpelab.efficiency.slots`, stacked to 100%."""
    kinds = [name for name in non_empty("frame", frame).columns if name not in ("first", "last")]
    figure, axes = axes_of(title, "rank of the merge", "share of the merges (%)")
    shares = frame[kinds].div(frame[kinds].sum(axis=1), axis=0) * 100
    widths = frame["last"] - frame["first"] + 1
    bottom, parts, ends = 0 * widths, [], []
    for at, name in enumerate(kinds):
        colour = theme().lines[(1, 5, 0)[at % 3]]
        axes.bar(frame["first"] - 1, shares[name], widths, bottom, align="edge", color=colour, edgecolor=theme().paper)
        ends.append((frame["last"].iloc[-1], (bottom + shares[name] / 2).iloc[-1], say(name), colour))
        bottom = bottom + shares[name]
        whole = frame[name].sum() / frame[kinds].to_numpy().sum()
        values = {
            "first": f"{shares[name].iloc[0]:.0f}%",
            "last": f"{shares[name].iloc[-1]:.0f}%",
            "whole": f"{whole:.0%}",
        }
        text = "{name} {first} of the first group, {last} of the last, {whole} in all"
        parts.append(say(text, name=say(name), **values))
    axes.set_xlim(0, frame["last"].iloc[-1])
    axes.set_ylim(0, 100)
    axes.grid(False)
    _plain_ticks(axes)
    _name_lines(axes, ends)
    return figure, described("Stacked bars", title, "; ".join(parts))


@drawing
def stacked(rows, *, title, xlabel, share=False):
    """Horizontal bars made of parts: {name: {part: number}}; share draws each bar as 100%.

    A number stands in each part that is wide enough for it.
    """
    names = list(non_empty("rows", rows))
    parts = list(dict.fromkeys(part for row in rows.values() for part in row))
    figure, axes = axes_of(title, xlabel, size=(7.2, 1.35 + 0.42 * len(names)))
    totals = [sum(rows[name].values()) for name in names]
    left, longest = np.zeros(len(names)), 100 if share else max(max(totals), 1e-300)
    for at, part in enumerate(parts):
        values = np.array([rows[name].get(part, 0) for name in names], float)
        values = values / np.maximum(totals, 1e-300) * 100 if share else values
        colour = theme().lines[at % len(theme().lines)]
        axes.barh(names_at(names), values, 0.68, left, color=colour, edgecolor=theme().paper, label=drawable(say(part)))
        for place, start, value in zip(names_at(names), left, values, strict=True):
            text = f"{value:.0f}%" if share else f"{value:,.6g}"
            if value > longest * 0.011 * (len(text) + 2):
                axes.annotate(
                    text, (start + value / 2, place), ha="center", va="center", fontsize=9, color=theme().paper
                )
        left = left + values
    axes.set_yticks(names_at(names), [drawable(name) for name in names])
    axes.set_xlim(0, longest * 1.02)
    axes.grid(axis="y", visible=False)
    axes.xaxis.set_major_formatter(_plain())
    figure.legend(loc="outside lower left", ncols=min(len(parts), 4), fontsize=9)
    body = "; ".join(
        f"{name}: " + ", ".join(f"{say(p)} {v:,.6g}" for p, v in row.items()) for name, row in rows.items()
    )
    return figure, described("Stacked bars", title, body)


def names_at(names):
    """Where rows stand: the first on top."""
    return list(range(len(names)))[::-1]


def _plain():
    from matplotlib.ticker import FuncFormatter

    return FuncFormatter(lambda value, _: f"{value:,.10g}")


@drawing
def bars(values, *, title, xlabel, low=None, high=None, reference=None):
    """Horizontal bars: {name: value}, the number at the end of each; low and high draw intervals.

    reference: (value, name) draws a vertical line, such as parity at 1.
    """
    names, numbers = list(non_empty("values", values)), list(values.values())
    for name, number in values.items():
        if not math.isfinite(number):
            raise ValueError(f"values[{name!r}] is {number}: there is no bar of that length")
    figure, axes = axes_of(title, xlabel, size=(7.2, 1.0 + 0.42 * len(names)))
    axes.barh(names_at(names), numbers, color=theme().lines[0], alpha=0.75, height=0.66)
    for at, name, number in zip(names_at(names), names, numbers, strict=True):
        end = max(number, high[name]) if high else max(number, 0)
        if high and low:
            axes.plot([low[name], high[name]], [at, at], color=theme().ink, linewidth=1.4)
        axes.annotate(
            _written(number), (end, at), (5, 0), textcoords="offset points", va="center", zorder=4, **outlined()
        )
    edges = [*numbers, *(high or {}).values(), *(low or {}).values()]
    axes.set_xlim(min(0, min(edges) * 1.14), max(max(edges), 0) * 1.14 or 1)
    _rows(axes, names, reference)
    listed = "; ".join(say("{name} {value}", name=name, value=_written(number)) for name, number in values.items())
    return figure, described("Bar chart", title, f"{say(xlabel)}: {listed}")


def _written(number):
    """Counts as they are, other numbers to two places."""
    return f"{number:,}" if isinstance(number, Integral) else f"{number:,.2f}"


@drawing
def dots(values, *, title, xlabel, reference=None):
    """A dot and its interval for each name: {name: (value, low, high)}, the first on top; for rankings.

    reference: (value, name), a vertical line, such as (1, "as many tokens as English") or (0, "equal").
    """
    names = list(non_empty("values", values))
    figure, axes = axes_of(title, xlabel, size=(7.2, 1.0 + 0.3 * len(names)))
    for at, (value, low, high) in zip(names_at(names), values.values(), strict=True):
        axes.plot([low, high], [at, at], color=theme().lines[0], linewidth=2.4, alpha=0.55, solid_capstyle="butt")
        axes.plot(value, at, "o", color=theme().lines[0], markersize=6.5)
        axes.annotate(
            f"{value:,.2f}", (high, at), (6, 0), textcoords="offset points", va="center", fontsize=9, **outlined()
        )
    edges = [edge for row in values.values() for edge in row] + ([reference[0]] if reference else [])
    room = (max(edges) - min(edges)) or 1
    axes.set_xlim(min(edges) - 0.05 * room, max(edges) + 0.12 * room)
    _rows(axes, names, reference)
    text = "{name} {value}, between {low} and {high}"
    shown = {
        name: dict(zip(("value", "low", "high"), (f"{v:,.2f}" for v in row), strict=True))
        for name, row in values.items()
    }
    listed = "; ".join(say(text, name=name, **row) for name, row in shown.items())
    return figure, described("Dots with intervals", title, f"{say(xlabel)}: {listed}")


def _rows(axes, names, reference):
    """The names of the rows, and a vertical line."""
    axes.set_yticks(names_at(names), [drawable(name) for name in names])
    axes.set_ylim(-0.7 - 0.5 * bool(reference), len(names) - 0.4)
    axes.grid(axis="y", visible=False)
    axes.xaxis.set_major_formatter(_plain())
    if reference:
        axes.axvline(reference[0], color=theme().ink, linestyle="--", linewidth=1, zorder=1.5)
        right = axes.transAxes.inverted().transform(axes.transData.transform((reference[0], 0)))[0] > 0.6
        axes.annotate(
            drawable(say(reference[1])), (reference[0], 0), (-4 if right else 4, 3), xycoords=("data", "axes fraction"),
            textcoords="offset points", fontsize=9, va="bottom", ha="right" if right else "left", **outlined(),
        )  # fmt: skip


# --- counts ---


@drawing
def histogram(lengths, *, title, xlabel="length of a chunk (characters)", ylabel="share of the chunks (%)", most=None):
    """How often each length occurs: {name: lengths, a sequence of int}, as shares, side by side.

    most: lengths from here on stand together in the last bars; None: where 99% of all are shorter.
    """
    counts = {name: Counter(map(int, non_empty(f"lengths[{name!r}]", list(found))))
              for name, found in non_empty("lengths", lengths).items()}  # fmt: skip
    every = sorted(length for count in counts.values() for length in count.elements())
    first, most = every[0], most or max(every[0] + 1, every[int(0.99 * (len(every) - 1))])
    figure, axes = axes_of(title, xlabel, ylabel)
    width, places, ends = 0.84 / len(counts), np.arange(first, most + 1), []
    for at, (name, count) in enumerate(counts.items()):
        shares = [100 * count[length] / count.total() for length in places[:-1]]
        shares.append(100 * sum(n for length, n in count.items() if length >= most) / count.total())
        offset = (at - (len(counts) - 1) / 2) * width
        axes.bar(places + offset, shares, width, color=theme().lines[at % len(theme().lines)], label=drawable(name))
        common, longest = f"{count.most_common(1)[0][0]:,}", f"{max(count):,}"
        ends.append(say("{name}: most often {length}, longest {longest}", name=name, length=common, longest=longest))
    step = max(1, len(places) // 12)
    ticks = [*places[:-1][::step], most]
    more = f"≥ {most:,}" if every[-1] > most else f"{most:,}"
    if len(ticks) > 2 and ticks[-1] - ticks[-2] < 2 * step:
        del ticks[-2]
    axes.set_xticks(ticks, [*(f"{tick:,}" for tick in ticks[:-1]), more])
    axes.grid(axis="x", visible=False)
    if len(counts) > 1:
        axes.legend(loc="upper right")
    return figure, described("Histogram", title, "; ".join(ends))


@drawing
def lengths(values, *, title, mark=None, note=None, xlabel="merges", ylabel="length (tokens)"):
    """The length of a text after 0, 1, 2, ... merges (int), with one step marked.

    values: such as `tok.lengths` or `tok.curve(text)`. mark: a step, from 1 on; note: what to write there
    (None: the lengths before and after it).
    """
    values = np.asarray(non_empty("values", values))
    if mark is not None and not 1 <= mark < len(values):
        raise ValueError(f"mark must be a step from 1 to {len(values) - 1}, got {mark}")
    figure, axes = axes_of(title, xlabel, ylabel)
    kept = _kept(np.arange(len(values)))
    axes.step(kept, values[kept], where="post", color=theme().lines[0])
    axes.set_xlim(0, max((len(values) - 1) * 1.02, 1))
    axes.set_ylim(0, max(values.max() * 1.06, 1))
    text = ""
    if mark is not None:
        before, after = int(values[mark - 1]), int(values[mark])
        text = say("step {step:,}: {before:,} to {after:,}", step=mark, before=before, after=after)
        text = text if note is None else str(note)
        axes.plot([mark, mark], [before, after], color=theme().lines[1], linewidth=3)
        axes.plot(mark, after, "o", color=theme().lines[1], markersize=7)
        right = mark > 0.6 * len(values)
        axes.annotate(
            drawable(text), (mark, before), (-8 if right else 8, 10), textcoords="offset points",
            ha="right" if right else "left", **outlined(theme().lines[1]),
        )  # fmt: skip
    _whole_ticks(axes)
    ends = say(
        "{name} goes from {first} at {start} to {last} at {end}",
        name=say(ylabel),
        **_ends(np.arange(len(values)), values),
    )
    return figure, described("Line chart", title, ends + (f"; {text}" if text else ""))


@drawing
def rivals(rows, *, title):
    """What each step chose from: the count of its pair, that of the best other one, and how many had the same.

    rows: a DataFrame with the columns step, count, rival (0 for none) and tied (pairs with the highest count, the
    chosen one among them). A tie is where count and rival are equal.
    """
    from matplotlib.figure import Figure

    rows = non_empty("rows", rows)
    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    upper.set_title(wrapped(drawable(title), 84))
    steps, counts, others = (rows[name].to_numpy() for name in ("step", "count", "rival"))
    is_tie, dot = counts == others, 5 if len(rows) < 80 else 2.5
    upper.plot(steps, counts, color=theme().lines[0], linewidth=1.4)
    upper.plot(
        steps[~is_tie], counts[~is_tie], "o", color=theme().lines[0], markersize=dot, label=drawable(say("merged"))
    )
    upper.plot(steps, others, "x", color=theme().grey, markersize=dot, label=drawable(say("best rival")))
    upper.plot(
        steps[is_tie],
        counts[is_tie],
        "o",
        color=theme().lines[1],
        markersize=dot + 1.5,
        mfc="none",
        mew=1.6,
        label=drawable(say("tie")),
    )
    upper.set_ylabel(drawable(say("count of the pair")))
    if counts.min() > 0 and counts.max() > 20:
        upper.set_yscale("log")
        _plain_ticks(upper)
    upper.legend(loc="upper right", fontsize=9)
    lower.bar(steps, np.where(is_tie, rows["tied"], 0), color=theme().lines[1], width=0.8)
    lower.set_ylabel(drawable(say("pairs in the tie")))
    lower.set_xlabel(drawable(say("step")))
    _whole_ticks(lower)
    lower.set_xlim(steps.min() - 0.6, steps.max() + 0.6)
    body = say("{n:,} of {steps:,} steps were ties", n=int(is_tie.sum()), steps=len(rows))
    return figure, described("Line chart", title, body)


def _whole_ticks(axes):
    """Whole numbers on both axes."""
    from matplotlib.ticker import MaxNLocator

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=8 if axis is axes.xaxis else 6, min_n_ticks=1))
        axis.set_major_formatter(_plain())
