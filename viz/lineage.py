"""Figures of the lineage: maps of systems, states of their encoders, and curves over length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from core.layout import spread
from core.lineage import window_boxes
from core.records.attention import AttentionSite
from core.records.tokens import distinct_labels
from core.weights.tables import edge, matrix_cells, with_columns
from words.numbers import fixed, percent

from . import recipes as r
from .figure import Figure, drawn
from .labels import text_width
from .matrix import MatrixOptions, Tokens, small_matrix
from .raster import pictured
from .style import say
from .theme import CHOICES, INK, SELECTION, diverging_ramp, palette_of, system_colour

PAPER = "paper"  # name of the selection of a clicked paper
_DASHES = ([1, 0], [6, 3], [2, 2])  # for systems whose colour repeats
_ACROSS = 208  # pixels of a map's width, three beside each other
_DOWN = 285  # pixels of a map's height
_HEIGHT = 230  # pixels of the states
_LENGTH_DOWN = 380  # pixels of curves over a growing sentence
_MOST_NAMED = 4  # curves with names at their ends
_SHARES = (350, 420)  # pixels across and down of a panel of shares
_SHARE_STEP = (11.0, 52.0)  # least and most pixels of one
# The first and last year of the axis, and its pixels.
_YEARS = (2014.0, 2020.0)
_LINE = 880


def system_map(
    values: np.ndarray,
    *tokens: Tokens,
    site: AttentionSite | None = None,
    limit: float | None = None,
    title: str = "figures-weight",
    heading: str = "figures-lineage-axes",
    centres: np.ndarray | None = None,
    room: float = _ACROSS,
) -> Figure:
    """Draw the map of one system on one pair of sentences, (T_tgt, T_src).

    Parameters
    ----------
    tokens : tokens of the rows and of the columns
    site : AttentionSite, optional
        Site of the weights, for their colours from 0 to 1 and its window.
    limit : float, optional
        For drops or differences: coloured from `-limit` to `limit`.
    title, heading : str
        Of the colours, and above the map.
    centres : ndarray, optional
        Source position, from 0, around which each row attends; drawn as a line, with the
        window of `site` as a box.
    room : float
        Pixels across.
    """
    step = _cell(values.shape, room)
    window = site.window if site else None
    windows = None if centres is None else _window_table(centres, window or 0, len(tokens[1]), step)
    options = MatrixOptions(
        title=title,
        scale=_scale(site, limit),
        axes=(None, heading),
        over=list if windows is None else _windows,
        step=step,
    )
    cells = matrix_cells(values, *tokens, seen=~np.isnan(values))
    rows, columns = map(distinct_labels, tokens)
    return small_matrix(cells, rows, columns, options, windows)


def _scale(site: AttentionSite | None, limit: float | None) -> tuple[str, ...] | float:
    """Return the ramp of a site's weights, or without a site the limit of signed numbers."""
    if site is not None:
        return palette_of(site).ramp
    return 1.0 if limit is None else limit


def _cell(shape: tuple[int, ...], room: float) -> tuple[float, float]:
    """Return pixels across and down of a cell; all columns take `room` where they can."""
    # Below 11 pixels the names of the tokens would overlap.
    across = max(11.0, min(26.0, room / shape[1]))
    return across, max(11.0, min(1.6 * across, _DOWN / shape[0]))


def _window_table(
    centres: np.ndarray, window: int, n_keys: int, step: tuple[float, float]
) -> pd.DataFrame:
    """Return the boxes around the `centres` in pixels, and the centres as positions from 1."""
    across, down = step
    boxes = window_boxes(centres, window, n_keys)
    pixels = boxes * [down if axis.startswith("y") else across for axis in boxes]
    return pixels.assign(centre=centres + 1)


def _windows() -> list[alt.Chart]:
    """Return the marks of the windows: two sides and the line at the centre."""
    rows = r.source("windows").encode(r.pixels(alt.Y, "y"), y2="y2")
    side = rows.mark_rule(color=INK, opacity=0.7, tooltip=None, aria=False)
    line = rows.mark_rule(color=SELECTION, strokeWidth=2, aria=False)
    line = line.encode(r.tips(centre=("figures-lineage-centre", ".2f")))
    marks = {"x": side, "x2": side, "middle": line}
    return [mark.encode(r.pixels(alt.X, at)) for at, mark in marks.items()]


def unit_bars(values: np.ndarray) -> Figure:
    """Draw a vector as a strip of thin bars, one a unit, in the order of its units."""
    units = pd.DataFrame({"unit": np.arange(1, len(values) + 1), "value": values})
    return drawn(_units, {"units": units}, n=len(values))


def _units(n: int) -> alt.LayerChart:
    unit = "figures-lineage-unit"
    value = "figures-lineage-value"
    colour = palette_of("cross").accent
    wide = max(1.0, 336 / n)
    bars = r.source("units").mark_rule(color=colour, strokeWidth=wide, aria=False)
    bars = bars.encode(
        r.x("unit", unit, domain=(0.5, n + 0.5), grid=False, format="d"),
        r.y("value", value, zero=True, tickCount=3),
        alt.Y2Datum(0),
        r.tips(unit=(unit, "d"), value=(value, "+.4f")),
    )
    return r.layered(bars, width=420, height=90)


def state_picture(states: np.ndarray, tokens: Tokens, order: np.ndarray, *, limit: float) -> Figure:
    """Draw the states of an encoder, (T_src, n): units down in this order, tokens across.

    Colours run from `-limit` to `limit`.
    """
    shares = (states[:, order].T / limit + 1) / 2  # (n, T)
    step = max(9.0, min(24.0, 400 / len(tokens)))
    columns = edge(tokens, "k", largest=np.abs(states).max(axis=1))
    # As an image: a rectangle for each unit and token would be thousands.
    tables = {"picture": pictured(shares, diverging_ramp(), round(step), 1), "columns": columns}
    return drawn(_states, tables, n=len(tokens), step=step, limit=limit)


def _states(n: int, step: float, limit: float) -> alt.LayerChart:
    colour = r.signed_colour("value", diverging_ramp(), limit, "figures-lineage-value")
    axis = r.label_axis("columns", step, slanted=True)
    x = alt.X("k:O", title=None, scale=r.places(n, 0.0), axis=axis)
    tooltip = r.tips(label="figures-token", largest=("figures-lineage-largest", ".3f"))
    area = r.touched("columns", tooltip).encode(x=x, y=alt.YValue(0), y2=alt.Y2Value(_HEIGHT))
    width = n * step
    picture = r.picture(colour, width, _HEIGHT)
    return r.layered(*picture, area, width=width, height=_HEIGHT)


def length_lines(lines: pd.DataFrame, systems: Mapping[str, str], opened: str) -> Figure:
    """Draw a share against the length of the source, a line each system, the open one bold.

    Few lines have their names and ends written at them; more have a legend.

    `lines` has the columns system, words (length of the source) and share (probability of a token,
    0 to 1), in the order of each curve; `systems` holds the id of each system by its label.
    """
    lines = lines.assign(opened=lines["system"] == opened)
    tables = {"lines": lines}
    is_named = len(systems) <= _MOST_NAMED
    if is_named:
        of_system = lines.groupby("system", sort=False)
        tables["first"] = _line_ends(of_system.head(1), named=False)
        tables["last"] = _line_ends(of_system.tail(1), named=True)
    return drawn(_length_lines, tables, colours=_colours_of(systems), is_named=is_named)


def _line_ends(ends: pd.DataFrame, *, named: bool) -> pd.DataFrame:
    """Return ends of curves with the columns label and y, pixels of a text above the end."""
    ends = ends.sort_values("share", ascending=False, ignore_index=True)
    above = [[((1 - share) * _LENGTH_DOWN - 12.0, 1.0)] for share in ends["share"]]
    shares = [percent(share, 0) for share in ends["share"]]
    names = [f"{name}: " if named else "" for name in ends["system"]]
    return ends.assign(
        y=spread(above, gap=17.0, highest=_LENGTH_DOWN),
        label=[name + share for name, share in zip(names, shares, strict=True)],
    )


def _length_lines(colours: tuple[tuple[str, str], ...], is_named: bool) -> alt.LayerChart:
    words = "figures-lineage-words"
    share = "figures-lineage-share"
    x = r.x("words", words, nice=False, padding=6, tickMinStep=1, format="d")
    y = r.y("share", share, domain=(0, 1), nice=False, format=".0%", values=r.QUARTERS)
    tips = r.tips(system="figures-lineage-system", words=(words, "d"), share=(share, ".1%"))
    # An expression, so that another open system changes no scale and no legend.
    bold = alt.ExprRef("datum.opened ? 4 : 1.6")
    colour, dash = _looks("system", colours, () if is_named else [label for label, _ in colours])
    ends = [_written_ends(x, "first", "left"), _written_ends(x, "last", "right")]
    rows = r.source("lines").encode(x, y, colour)
    size = (820, _LENGTH_DOWN)
    more = ends if is_named else []
    return r.lines(rows, tips, size=size, dash=dash, points=28, more=more, strokeWidth=bold)


def _written_ends(x: alt.X, table: str, align: Literal["left", "right"]) -> alt.Chart:
    """Return the words of a table of `_line_ends` at these ends of the curves."""
    words = r.text(r.source(table), align=align, fontSize=13, fontWeight=600)
    return words.encode(x=x, y=r.pixels(alt.Y, "y"), text="label:N")


def length_curves(
    rows: pd.DataFrame,
    systems: Mapping[str, str],
    *,
    along: str,
    measure: str,
    form: str = ".1f",
    seen: float | None = None,
) -> Figure:
    """Draw a line with its 95 % band for each system.

    Raises ValueError if there are no rows.

    Parameters
    ----------
    rows : DataFrame
        One row a point: label (of the system), at, value, low, high, texts.
    systems : mapping of str to str
        The id of each system by its label, in the order of the legend.
    along, measure : str
        Titles of the axes.
    form : str
        Format of the measure's numbers.
    seen : float, optional
        Largest length in training, to be marked.
    """
    tables = {"rows": with_columns(rows)}
    if seen is not None:
        tables["seen"] = pd.DataFrame({"at": [seen], "label": [say("lineage-curve-seen")]})
    return drawn(
        _length_curves,
        tables,
        colours=_colours_of(systems),
        there=tuple(label for label in systems if label in set(rows["label"])),
        seen=seen is not None,
        along=along,
        measure=measure,
        form=form,
    )


def _length_curves(
    colours: tuple[tuple[str, str], ...],
    there: Tokens,
    seen: bool,
    along: str,
    measure: str,
    form: str,
) -> alt.LayerChart:
    x = r.x("at", along, padding=10, grid=False, format=",.0f")
    y = r.y("value", measure, padding=6)
    tooltip = r.tips(
        label="lineage-curve-system",
        at=(along, ".1f"),
        value=(measure, form),
        low=("lineage-curve-low", form),
        high=("lineage-curve-high", form),
        texts=("lineage-curve-texts", ",.0f"),
    )
    colour, dash = _looks("label", colours, there)
    return r.lines(
        r.source("rows").encode(x, y, colour),
        tooltip,
        size=(820, 400),
        dash=dash,
        band=("low", "high"),
        points=50,
        more=r.rule("seen", along=x, label="label") if seen else (),
    )


def share_bars(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw shares as bars, one panel for each table.

    `panels`: by the message of its title a table with `label` and `value`, from 0 to 1. The message
    ``<title>-heading`` stands above the panel.
    """
    tables = {
        f"bars{at}": shares.assign(place=range(len(shares)), text=shares["value"].map(percent))
        for at, shares in enumerate(panels.values())
    }
    # The chart depends on titles and sizes alone, and the cache of `drawn` serves it again.
    sizes = tuple((title, len(shares)) for title, shares in panels.items())
    return drawn(_share_bars, tables, panels=sizes)


def _share_bars(panels: tuple[tuple[str, int], ...]) -> alt.HConcatChart:
    drawings = []
    for at, (title, n) in enumerate(panels):
        tooltip = r.tips(label="figures-token", value=(title, ".2%"))
        least, most = _SHARE_STEP
        step = max(least, min(most, _SHARES[1] / n))
        table = f"bars{at}"
        x = r.x("value", title, domain=(0, 1), values=r.QUARTERS, format=".0%")
        bars = r.bars(
            r.NamedLines(n, step, width=_SHARES[0], names=table, inner=0.2 if step < 30 else 0.5),
            r.source(table).encode(x),
            tooltip,
            colour=palette_of("cross").accent,
            numbers="text",
        )
        bars.title = alt.TitleParams(say(f"{title}-heading"), anchor="start", offset=8, fontSize=13)
        drawings.append(bars)
    return r.beside(*drawings, spacing=24)


def gain_dots(gains: pd.DataFrame, papers: pd.DataFrame, seed: float) -> Figure:
    """Draw the gain of each change in BLEU, with its 95 % interval, and published gains.

    `gains`: one row a change: label, value, low, high. `papers`: one row a published number: place
    (the row of `gains`, from 0), value, source. `seed`: effect of another seed, drawn as a band to
    either side of 0.
    """
    labels = [r.cut(label, 380, 12) for label in gains["label"]]
    gains = gains.assign(
        label=labels, place=range(len(gains)), kind=say("lineage-gain-column-bleu")
    )
    papers = papers.assign(kind=say("lineage-gain-column-published_bleu"))
    ends = {"low": -seed, "high": seed, "label": say("figures-lineage-seed", bleu=fixed(seed, 1))}
    tables = {"gains": gains, "papers": papers, "seed": pd.DataFrame([ends])}
    return drawn(_gain_dots, tables, n=len(gains))


def _gain_dots(n: int) -> alt.LayerChart:
    x, low, high = (
        r.x(of, "figures-lineage-gain", padding=12, format="+~f") for of in ("value", "low", "high")
    )
    y = r.line_places(n, "gains", 24, labelLimit=0, labelFontSize=12)
    height = n * 24
    names = [say(f"lineage-gain-column-{name}") for name in ("bleu", "published_bleu")]
    legend = r.swatches(orient="bottom", labelLimit=290)
    colours = alt.Color, (palette_of("encoder").accent, CHOICES[2])
    # Shapes tell both apart without colours.
    shapes = alt.Shape, ("circle", "diamond")
    looks = r.looks("kind", names, colours, shapes, legend=legend)
    band = r.source("seed").mark_rect(color=INK, opacity=0.1, tooltip=None, aria=False)
    name = r.text(r.source("seed"), align="left", baseline="bottom", fontSize=11, dx=4, dy=-3)
    gains, papers = (r.source(table).encode(y=y) for table in ("gains", "papers"))
    gain_tips = r.tips(
        label="lineage-gain-column-step",
        value=("lineage-gain-column-bleu", "+.1f"),
        low=("lineage-curve-low", "+.1f"),
        high=("lineage-curve-high", "+.1f"),
    )
    paper_tips = r.tips(source="lineage-gain-column-papers", value=("figures-lineage-gain", "+.1f"))
    line = gains.mark_rule(
        color=palette_of("encoder").accent, strokeWidth=2, tooltip=None, aria=False
    )
    return r.layered(
        band.encode(low, alt.X2("high:Q"), alt.YValue(0), alt.Y2Value(height)),
        name.encode(high, alt.YValue(0), text="label:N"),
        r.source("seed")
        .mark_rule(color=INK, opacity=0.5, tooltip=None, aria=False)
        .encode(x=alt.XDatum(0)),
        line.encode(low, alt.X2("high:Q")),
        papers.mark_point(filled=True, size=90, opacity=1).encode(x, *looks, paper_tips),
        gains.mark_point(filled=True, size=90, opacity=1).encode(x, *looks, gain_tips),
        width=520,
        height=height,
    )


def paper_line(papers: pd.DataFrame, groups: Tokens, *, click: int = 0) -> Figure:
    """Draw papers on a line of years.

    Columns: label, at (in years), kind (one of `groups`), system (its id), name and marked.
    The selection `paper` reports the `name` of a clicked paper with `click`, any number that tells
    this click from others. A paper without a name is paler, and its click reports nothing.
    """
    papers = papers.sort_values("at", ignore_index=True)
    papers["x"] = (papers["at"] - _YEARS[0]) / (_YEARS[1] - _YEARS[0]) * _LINE
    # Positions are computed here, because Vega cannot place labels by their widths.
    ends = papers["x"] + papers["label"].map(lambda label: text_width(label, 13)) + 12
    levels = [0] * len(papers)
    for i in reversed(papers.index):  # no stem may cross the name of an earlier paper
        crossing = [levels[j] for j in papers.index[i + 2 :: 2] if papers["x"][j] < ends[i]]
        levels[i] = 1 + max(crossing, default=0)
    room = 30 * max(levels, default=1) + 12
    # Papers alternate above and below the line, so that twice as many labels fit.
    sides = np.where(papers.index % 2, 1, -1)
    papers = papers.assign(y=room + sides * 30 * np.array(levels, int), middle=room, click=click)
    papers["colour"] = papers["system"].map(system_colour)
    return drawn(_paper_line, {"papers": papers}, groups=tuple(groups), room=room)


def _paper_line(groups: Tokens, room: int) -> alt.LayerChart:
    x = r.x("at", None, domain=_YEARS, nice=False, format="d", tickCount=6, grid=True)
    legend = r.swatches(labelLimit=0, symbolFillColor=INK)
    shape = r.series(alt.Shape, "kind", groups, ("circle", "square", "diamond"), legend=legend)
    colour = alt.Color("colour:N", scale=None)
    papers = r.source("papers").encode(x=x)
    y = r.pixels(alt.Y, "y")
    middle = r.pixels(alt.Y, "middle")
    ring = r.outline("datum.marked")
    dots = papers.mark_point(filled=True, size=220, strokeWidth=3, cursor="pointer")
    return r.layered(
        papers.mark_rule(color=INK, opacity=0.5, tooltip=None, aria=False).encode(
            y, alt.Y2("middle:Q")
        ),
        papers.mark_rule(color=INK, strokeWidth=2, tooltip=None, aria=False).encode(
            alt.XValue(0), middle, alt.X2Value(_LINE)
        ),
        dots.add_params(r.click(PAPER, "name", "click")).encode(
            middle,
            colour,
            shape,
            ring,
            r.when(alt.OpacityValue, ("datum.name == ''", 0.35), otherwise=1),
            r.tips(label="figures-lineage-paper", told="figures-lineage-at"),
        ),
        r.text(papers, align="left", dx=5, fontSize=13).encode(y, text="label:N"),
        width=_LINE,
        height=2 * room,
    )


def _colours_of(systems: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return label and colour of each system."""
    return tuple((label, system_colour(id)) for label, id in systems.items())


def _looks(column: str, colours: Sequence[tuple[str, str]], there: Tokens) -> list[Any]:
    """Return colour and dash of each system, with a legend of those that are `there`.

    Systems of one colour differ by their dashes.
    """
    palette = [colour for _, colour in colours]
    dashes = [
        _DASHES[palette[:at].count(colour) % len(_DASHES)] for at, colour in enumerate(palette)
    ]
    # Symbols of lines and dashes: bands are too pale for a legend.
    legend = r.swatches(
        orient="bottom",
        columns=3,
        labelLimit=270,
        values=there,
        symbolType="stroke",
        symbolOpacity=1,
        symbolSize=300,
        symbolStrokeWidth=3,
    )
    channels = (alt.Color, palette), (alt.StrokeDash, dashes)
    return r.looks(
        column, [label for label, _ in colours], *channels, legend=legend if there else None
    )
