"""Building blocks of figures: marks of Altair on named tables, and recipes of whole charts.

`bars`, `columns` and `lines` each draw one kind of picture, `viz.grid` a matrix; `source`, `tips`,
the scales and the selections serve a figure's own parts. A title is a message id, or a text if
there is no such message. Labels stand in the tables (column `label`), so that the chart of a shape
serves every sentence: an axis looks up the label of its position.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import altair as alt
import numpy as np

from .labels import MOST_ROOM, font_size, text_width
from .style import has_words, say
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, SELECTION_TEXT, Site, palette_of

Tip = str | tuple[str, str]
"""Title of a line of a tooltip, with the format of its number."""
Colour = alt.Color
Whole = TypeVar("Whole", bound=alt.SchemaBase)

QUARTERS = (0, 0.25, 0.5, 0.75, 1)
"""Ticks of a scale of shares."""
INSIDE = 0.06
"""Part of a place that is left free between neighbours."""
_SLANT = -50  # degrees
_PLAIN_ZERO = "datum.value === 0 ? '0' : datum.label"
"""Label expression for signed numbers: a zero has no sign and no decimals."""


# -- marks on tables -----------------------------------------------------------------------


def source(table: str, where: Any = None, **calculate: str) -> alt.Chart:
    """Return the rows of a table that pass a test, with columns computed in the browser."""
    chart = alt.Chart(alt.NamedData(name=table))
    chart = chart if where is None else chart.transform_filter(where)
    return chart.transform_calculate(**calculate) if calculate else chart


def text(where: alt.Chart, **style: Any) -> alt.Chart:
    """Return words in the page's ink, vertically centred, without a tooltip."""
    return where.mark_text(**{"baseline": "middle", "color": INK, "tooltip": None, **style})


def title_of(title: str | None) -> str | None:
    """Return the message of a title that is an id, else the title itself."""
    return say(title) if title and has_words(title) else title


def tips(columns: Mapping[str, Tip] = MappingProxyType({}), /, **more: Tip) -> list[alt.Tooltip]:
    """Return a tooltip: for each column its title, and for a number its format.

    Columns are passed as those of a `dict`: by a mapping, by keyword, or both.
    """
    lines = []
    for column, line in dict(columns, **more).items():
        title, form = (line, None) if isinstance(line, str) else line
        name = f"{column}:{'Q' if form else 'N'}"
        lines.append(alt.Tooltip(name, title=title_of(title), format=form or alt.Undefined))
    return lines


def pair_tips(
    columns: Mapping[str, Tip] = MappingProxyType({}), /, **more: Tip
) -> list[alt.Tooltip]:
    """Return the tooltip of a cell, which begins with its query and its key."""
    return tips(query="figures-query", key="figures-key") + tips(columns, **more)


def frame(rows: alt.Chart, width: float = 2) -> alt.Chart:
    """Return a red rectangle around each of the rows, to mark them."""
    return rows.mark_rect(
        filled=False, stroke=SELECTION, strokeWidth=width, tooltip=None, aria=False
    )


def ring(rows: alt.Chart, size: float = 110) -> alt.Chart:
    """Return a red circle around each of the rows, to mark them."""
    return rows.mark_point(
        size=size,
        filled=False,
        stroke=SELECTION,
        strokeWidth=2.5,
        opacity=1,
        tooltip=None,
        aria=False,
    )


def whole_percent(column: str) -> str:
    """Return the expression that writes a column of shares as `percent(share, 0)` does.

    >>> whole_percent("weight")
    "datum.weight > 0 && datum.weight < 0.005 ? '< 1%' : format(datum.weight, '.0%')"
    """
    value = f"datum.{column}"
    return f"{value} > 0 && {value} < 0.005 ? '< 1%' : format({value}, '.0%')"


def pixels(channel: type, column: str) -> Any:
    """Return a channel of a column in pixels, with neither scale nor axis."""
    return channel(field=column, type="quantitative", scale=None, axis=None)


def own_ink() -> alt.Fill:
    """Return a fill with the colours that stand in the column `ink`."""
    # Not `color`: that would share the scale of the cells.
    return alt.Fill("ink:N", scale=None)


def when(channel: type, *cases: tuple[Any, Any], otherwise: Any) -> Any:
    """Return the constant of the first test that a row passes, an expression or a selection.

    `channel` is one of Altair's for constants: ``alt.ColorValue``, ``alt.OpacityValue`` ...
    """
    tests = [
        {**({"test": test} if isinstance(test, str) else only(test)), "value": then}
        for test, then in cases
    ]
    return channel(otherwise, condition=tests)


def outline(chosen: Any, *over: alt.Parameter) -> alt.StrokeValue:
    """Return a red line around selected marks, one in ink around those under the pointer."""
    cases = (chosen, SELECTION), *((pointer, INK) for pointer in over)
    return when(alt.StrokeValue, *cases, otherwise="transparent")


def click(name: str, *fields: str, on: str = "click") -> alt.Parameter:
    """Return a selection of the row clicked last, which reports the `fields` to the page.

    It stays selected when another place is clicked.
    """
    # clear=False: a click beside all marks must not empty the page's state.
    return alt.selection_point(name=name, fields=list(fields), on=on, clear=False, toggle=False)


def hover(name: str, *fields: str) -> alt.Parameter:
    """Return a selection of the row under the pointer; it never leaves the browser."""
    return alt.selection_point(name=name, fields=list(fields), on="pointerover", clear="pointerout")


def only(selection: alt.Parameter) -> dict[str, Any]:
    """Return a condition on the rows of a selection that is empty before the first event."""
    # By default an empty selection of Vega-Lite contains every row.
    return {"param": selection.name, "empty": False}


def dial(name: str, start: float, last: float, unit: float = 1) -> alt.Parameter:
    """Return a variable of the chart that a slider moves, from 0 to `last` by `unit`."""
    return alt.param(name=name, value=start, bind=alt.binding_range(min=0, max=last, step=unit))


# -- putting together ----------------------------------------------------------------------


def _put_together(chart_class: type[Whole], name: str, *parts: Any, **properties: Any) -> Whole:
    """Combine parts as ``alt.layer`` and ``alt.hconcat`` do, without copying each part four times.

    Selections are moved from the parts to the whole, each with the names of the views it starts on,
    named as Altair names them: with the index of a part appended.
    """
    params: dict[str, Any] = {}
    for i, part in enumerate(parts):
        suffix = "" if chart_class is alt.LayerChart or len(parts) == 1 else f"_{i}"
        for param in () if part.params is alt.Undefined else part.params:
            if isinstance(param, alt.VariableParameter):
                params[param.name] = param
            else:
                before = params.get(param.name)
                params[param.name] = _selection_of_the_whole(param, part, suffix, before)
        part.params = alt.Undefined
        if suffix and isinstance(part, alt.LayerChart):
            for layer in part.layer:
                if layer.name is not alt.Undefined:
                    layer.name += suffix
    chart = chart_class(**properties)
    chart[name] = list(parts)
    chart["params"] = list(params.values()) or alt.Undefined
    return chart


def _selection_of_the_whole(
    param: Any, part: Any, suffix: str, before: Any
) -> alt.TopLevelSelectionParameter:
    """Return a part's selection for the whole; `before` is that of earlier parts, or None.

    A part without a name gets one.
    """
    if isinstance(part, alt.LayerChart):
        views = [view + suffix for view in param.views]
    else:
        if part.name is alt.Undefined:
            part.name = f"{param.name}_view{suffix}"
        views = [part.name]
    # A selection that starts on several parts keeps the views of all.
    if suffix and before:
        views = [*before.views, *views]
    return alt.TopLevelSelectionParameter(name=param.name, select=param.select, views=views)


layered = partial(_put_together, alt.LayerChart, "layer")
"""Layers over each other, the first at the bottom."""
beside = partial(_put_together, alt.HConcatChart, "hconcat", spacing=20)
"""Parts side by side."""
below = partial(_put_together, alt.VConcatChart, "vconcat", spacing=14)
"""Parts one below the other."""
wrapped = partial(_put_together, alt.ConcatChart, "concat")
"""Parts in several columns."""


def apart(*channels: str) -> dict[str, Any]:
    """Return the `resolve` of a whole whose parts have scales of their own."""
    return {"scale": dict.fromkeys(channels, "independent")}


# -- scales and axes -----------------------------------------------------------------------


def quantity(
    channel: type,
    column: str,
    title: str | None,
    *,
    domain: Any = alt.Undefined,
    zero: bool = False,
    nice: Any = alt.Undefined,
    padding: Any = alt.Undefined,
    **axis: Any,
) -> Any:
    """Return a channel of numbers along ``alt.X`` or ``alt.Y``; `axis` is Altair's."""
    scale = alt.Scale(domain=domain, zero=zero, nice=nice, padding=padding)
    return channel(f"{column}:Q", title=title_of(title), scale=scale, axis=_ticks(**axis))


def logarithmic(
    channel: type,
    column: str,
    title: str | None,
    *,
    domain: Any = alt.Undefined,
    nice: Any = alt.Undefined,
    clamp: Any = alt.Undefined,
    padding: Any = alt.Undefined,
    **axis: Any,
) -> Any:
    """Return a channel like `quantity`, whose ticks are powers: equal steps are equal factors."""
    scale = alt.Scale(type="log", domain=domain, nice=nice, clamp=clamp, padding=padding)
    return channel(f"{column}:Q", title=title_of(title), scale=scale, axis=_ticks(**axis))


def _ticks(**axis: Any) -> alt.Axis:
    """Return an axis of numbers with these options of Altair."""
    options: dict[str, Any] = {"gridOpacity": 0.3, "tickCount": 6}
    if str(axis.get("format", "")).startswith("+"):
        options["labelExpr"] = _PLAIN_ZERO
    return alt.Axis(**{**options, **axis})


x = partial(quantity, alt.X)
y = partial(quantity, alt.Y)


def share(channel: type, column: str, title: str | None, *, form: str = ".2f") -> Any:
    """Return a `quantity` from 0 to 1 with ticks at quarters."""
    return quantity(channel, column, title, domain=(0, 1), values=QUARTERS, format=form)


def places(n: int | None, inner: float = INSIDE, outer: float = 0.0) -> alt.Scale:
    """Return a scale of `n` positions from 0, with `inner` of each left free between neighbours.

    `n` is None if the chart is the same for any number.
    """
    # All positions, also those without a mark, keep their place.
    domain = alt.Undefined if n is None else list(range(n))
    return alt.Scale(domain=domain, paddingInner=inner, paddingOuter=outer)


def label_axis(
    table: str,
    step: float,
    *,
    start: int = 0,
    chosen: str = "",
    slanted: bool = False,
    broken: bool = False,
    **axis: Any,
) -> alt.Axis:
    """Return an axis whose labels are the column `label` of a table, by the index of its row.

    `step`: pixels from one position to the next; where they are too few for a line of text, only
    every second, third … label is written, and those that are `chosen`. `start`: row of the first
    position. `chosen`: a boolean column; its labels are red. `slanted`: labels of columns, above
    them, upright if slanted ones would touch. `broken`: newlines begin another line of a label.
    """
    row = f"data('{table}')[datum.value{f' + {start}' if start else ''}]"
    options: dict[str, Any] = {
        "ticks": False,
        "domain": False,
        "grid": False,
        "labelOverlap": False,
        "labelFontSize": font_size(step),
        "labelLimit": MOST_ROOM,
        "labelPadding": 6,
    }
    size = axis.get("labelFontSize", options["labelFontSize"])
    if slanted:
        options["orient"] = "top"
        options["labelAngle"] = _slant(step, size)
        options["labelAlign"] = "left"
    if chosen:
        marked = {"test": f"{row} && {row}.{chosen}", "value": SELECTION_TEXT}
        options["labelColor"] = {"condition": marked, "value": INK}
    label = f"split({row}.label, '\\n')" if broken else f"{row}.label"
    written = _is_written(row, math.ceil(size / step), chosen)
    return alt.Axis(labelExpr=f"{written} ? {label} : ''", **{**options, **axis})


def _is_written(row: str, every: int, chosen: str) -> str:
    """Return the test that a label is written: one of `every`, or in the column `chosen`."""
    # While the browser exchanges data, old positions may have no row in the new table.
    if every <= 1:
        return row
    also = f" || {row}.{chosen}" if chosen else ""
    return f"{row} && (datum.value % {every} === 0{also})"


def _slant(step: float, size: float) -> float:
    """Return the angle of labels above columns: slanted if the lines of text stay apart."""
    apart = step * math.sin(math.radians(-_SLANT))
    return _SLANT if apart >= size else -90


def kept(table: str, **axis: Any) -> alt.Chart:
    """Return an invisible mark, without which the browser would drop a table of labels."""
    return source(table, "false").mark_point(tooltip=None, aria=False).encode(**axis)


def colour_bar(
    values: Sequence[float] | alt.ExprRef | None, form: str, **options: Any
) -> alt.Legend:
    """Return a legend below the drawing that runs through a ramp."""
    bar = {
        "orient": "bottom",
        "direction": "horizontal",
        "titleLimit": 240,
        "offset": 8,
        "gradientLength": 180,
        "gradientThickness": 10,
        "format": form,
    }
    if form.startswith("+"):
        bar["labelExpr"] = _PLAIN_ZERO
    return alt.Legend(values=values or alt.Undefined, **{**bar, **options})


UNSEEN: dict[str, Any] = {"titleOpacity": 0, "labelOpacity": 0, "gradientOpacity": 0}
"""Options of a colour bar that keeps its room and draws nothing."""


def swatches(**options: Any) -> alt.Legend:
    """Return a legend above the drawing that names each colour or shape."""
    return alt.Legend(**{"orient": "top", "direction": "horizontal", "offset": 8, **options})


def share_colour(
    column: str,
    ramp: Sequence[str],
    title: str | None = "figures-weight",
    *,
    values: Sequence[float] = QUARTERS,
    form: str = ".2f",
    top: float = 1.0,
    **bar: Any,
) -> Colour:
    """Return a colour channel of numbers from 0 to `top` on a ramp; `bar` changes the legend."""
    scale = alt.Scale(domain=[0, top], range=ramp, clamp=True)
    legend = colour_bar([value * top for value in values], form, **bar)
    return alt.Color(f"{column}:Q", title=title_of(title), scale=scale, legend=legend)


def signed_colour(
    column: str,
    ramp: Sequence[str],
    limit: float,
    title: str | None = None,
    *,
    form: str = "",
    **bar: Any,
) -> Colour:
    """Return a colour channel from `-limit` to `limit` on a ramp through the page's ground at 0."""
    values = [-limit, -limit / 2, 0, limit / 2, limit]
    form = form or ("+.3~f" if limit < 0.1 else "+.2f")
    scale = alt.Scale(domain=[-limit, limit], range=ramp, clamp=True, interpolate="lab")
    legend = colour_bar(values, form, **bar)
    return alt.Color(f"{column}:Q", title=title_of(title), scale=scale, legend=legend)


def symmetric_limit(differences: Sequence[float] | np.ndarray) -> float:
    """Return the limit of a scale for these differences: 0.02, 0.05, 0.1, 0.2, 0.5 or 1.

    A few fixed steps, so that figures of several heads can be compared.
    """
    largest = np.abs(differences).max() if len(differences) else 0
    return next((limit for limit in (0.02, 0.05, 0.1, 0.2, 0.5) if largest <= limit), 1.0)


def series(
    channel: type,
    column: str,
    names: Sequence[Any],
    values: Sequence[Any],
    title: str | None = None,
    legend: Any = alt.Undefined,
) -> Any:
    """Return a channel with one of `values` for each name of a column, in turn, and a legend.

    `channel` is ``alt.Color``, ``alt.Shape`` or ``alt.StrokeDash``; channels with the same column,
    title and names share one legend. `legend` is a `swatches`, by default the plain one; None for
    none.
    """
    scale = alt.Scale(domain=names, range=[values[i % len(values)] for i in range(len(names))])
    legend = swatches() if legend is alt.Undefined else legend
    return channel(field=column, type="nominal", title=title_of(title), scale=scale, legend=legend)


def looks(
    column: str,
    names: Sequence[str],
    *channels: tuple[type, Sequence[Any]],
    title: str | None = None,
    legend: Any = alt.Undefined,
) -> list[Any]:
    """Return a `series` for each channel and its values, with one legend for all."""
    return [series(channel, column, names, values, title, legend) for channel, values in channels]


def of_sites(
    column: str,
    sites: Sequence[Site],
    names: Sequence[str] | None = None,
    *,
    legend: Any = alt.Undefined,
) -> Colour:
    """Return a `series` in the colours of the sites, whose names stand in the column."""
    accents = [palette_of(site).accent for site in sites]
    return series(alt.Color, column, names or sites, accents, legend=legend)


# -- bars, lines and dots ------------------------------------------------------------------


@dataclass(frozen=True)
class NamedLines:
    """Lines of a chart, one below the other, a row of a table each, with their names."""

    n: int
    step: float = 22  # pixels from one line to the next
    width: float = 200  # pixels of the drawing beside the names
    names: str = "bars"  # table of the names, in its column `label`; "" for none
    inner: float = 0.2  # part of a line that is left free
    chosen: str = ""  # boolean column of that table; the names of its rows are red
    room: float = MOST_ROOM  # pixels of the longest name

    @property
    def height(self) -> float:
        return self.n * self.step

    @property
    def y(self) -> alt.Y:
        """Channel of the column `place`, with the names."""
        return line_places(
            self.n, self.names, self.step, self.inner, self.chosen, labelLimit=self.room
        )


def bars(
    lines: NamedLines,
    rows: alt.Chart,
    tooltip: list[alt.Tooltip],
    *,
    colour: Any = INK,
    numbers: str = "",
    clicks: Any = None,
    more: Sequence[alt.Chart] = (),
    **style: Any,
) -> alt.LayerChart:
    """Draw horizontal bars from 0, one a row at its column `place`, on `lines`.

    The whole line, from a little before the bar to the end of its number, carries the tooltip and
    takes the click: bars of small numbers are too thin for a finger.

    Parameters
    ----------
    lines : NamedLines
    rows : alt.Chart
        Rows of a table with the channel x.
    tooltip : list of alt.Tooltip
    colour : str, or one or several channels of Altair
        A constant, or colour, fill, stroke, opacity.
    numbers : str
        Column of texts at the end of each bar.
    clicks : selection, optional
        Selection that a click changes; with others, it comes first.
    more : sequence of alt.Chart
        Layers between the bars and the area that the pointer finds.
    """
    y = lines.y
    table = _table_of(rows)
    rows = rows.encode(y=y)
    layers = [_from_0(rows, colour, **style).encode(x2=alt.X2Datum(0)), *more]
    layers += [] if lines.names in (table, "") else [kept(lines.names, y=y)]
    if numbers:
        words = text(rows, align="left", dx=5, fontSize=font_size(lines.step, 12), aria=False)
        layers.append(words.encode(text=f"{numbers}:N"))
    # 46 pixels hold the number at the end of a bar.
    end = lines.width + 46 * bool(numbers)
    area = touched(table, tooltip, clicks)
    layers.append(area.encode(y=y, x=alt.XValue(-30 if lines.names else 0), x2=alt.X2Value(end)))
    return layered(*layers, width=lines.width, height=lines.height)


def _table_of(rows: alt.Chart) -> str:
    """Return the name of the table from which the rows are."""
    data: Any = rows.data
    return str(data.name)


def _from_0(rows: alt.Chart, colour: Any, **style: Any) -> alt.Chart:
    """Return bars without tooltips."""
    looks = [alt.ColorValue(colour)] if isinstance(colour, str) else several(colour)
    return rows.mark_bar(tooltip=None, aria=False, **style).encode(*looks)


def several(values: Any) -> Sequence[Any]:
    """Return one value, a list of them, or None as a sequence."""
    return values if isinstance(values, list | tuple) else [values] if values else []


def line_places(
    n: int | None, table: str, step: float, inner: float = 0.2, chosen: str = "", **axis: Any
) -> alt.Y:
    """Return a channel of lines one below the other, named by `table` if one is given."""
    names = label_axis(table, step, chosen=chosen, **axis) if table else None
    return alt.Y("place:O", title=None, scale=places(n, inner, 0.1), axis=names)


def touched(table: str | alt.Chart, tooltip: list[alt.Tooltip], clicks: Any = None) -> alt.Chart:
    """Return the area that the pointer finds, still without a position; it is invisible."""
    rows = source(table) if isinstance(table, str) else table
    area = rows.mark_rect(
        fill="transparent",
        strokeWidth=2,
        cursor="pointer" if clicks else alt.Undefined,
        aria=alt.Undefined if clicks else False,
    )
    return area.encode(tooltip=tooltip).add_params(*several(clicks))


def columns(
    n: int,
    y: alt.Y,
    tooltip: list[alt.Tooltip],
    *,
    colour: Any = INK,
    step: float = 26,
    height: float = 150,
    more: Sequence[alt.Chart] = (),
) -> alt.LayerChart:
    """Draw upright bars from 0 of the table `bars`, as `bars` does, with slanted names below."""
    names = label_axis("bars", step, labelAngle=-50, labelAlign="right")
    x = alt.X("place:O", title=None, scale=places(n, 0.2, 0.1), axis=names)
    upright = _from_0(source("bars"), colour).encode(x=x, y=y, y2=alt.Y2Datum(0))
    area = touched("bars", tooltip).encode(x=x, y=alt.YValue(0), y2=alt.Y2Value(height))
    return layered(upright, *more, area, width=n * step, height=height)


def lines(
    rows: alt.Chart,
    tooltip: list[alt.Tooltip],
    *,
    size: tuple[float, float],
    dash: Any = alt.Undefined,
    band: tuple[str, str] | None = None,
    points: float = 40,
    more: Sequence[alt.TopLevelSpec] = (),
    **style: Any,
) -> alt.LayerChart:
    """Draw rows with the channels x, y and colour as curves, with points that the pointer finds.

    A channel `alt.Detail` separates curves of one colour. `size`: pixels across and down. `band`:
    two columns, the ends of an interval around each curve. `points`: their size; 0 for invisible
    ones.
    """
    width, height = size
    style = {"strokeWidth": 2, **style}
    curve = rows.mark_line(tooltip=None, aria=False, **style).encode(strokeDash=dash)
    # Invisible points still carry the tooltip of a curve.
    dots = rows.mark_point(filled=True, size=points or 60, opacity=float(points > 0))
    layers = [curve, dots.encode(tooltip=tooltip), *more]
    if band is not None:
        # The band shares scale and title with the curve, but reads another column.
        encoding: Any = rows.encoding
        low = encoding.y.copy()
        low.shorthand = f"{band[0]}:Q"
        area = rows.mark_area(opacity=0.13, line=False, tooltip=None, aria=False)
        layers.insert(0, area.encode(y=low, y2=band[1]))
    return layered(*layers, width=width, height=height)


def rule(
    table: str | alt.Chart,
    *,
    along: Any,
    label: str = "",
    above: bool = False,
    colour: str = INK,
    opacity: float = 0.7,
) -> list[alt.Chart]:
    """Draw a dashed line across the drawing at each row of a table, and its label at the top."""
    rows = source(table) if isinstance(table, str) else table
    line = rows.mark_rule(
        strokeDash=[4, 3],
        strokeWidth=1.5,
        color=colour,
        opacity=opacity,
        tooltip=None,
        aria=False,
    )
    marks = [line.encode(x=along)]
    if label:
        # Words need more contrast than lines.
        ink = SELECTION_TEXT if colour == SELECTION else INK
        if above:
            words = text(rows, fontSize=11, color=ink, align="center", baseline="bottom", dy=-3)
        else:
            words = text(rows, fontSize=11, color=ink, align="left", baseline="top", dx=4)
        marks.append(words.encode(x=along, y=alt.YValue(0), text=f"{label}:N"))
    return marks


def two_signs(column: str) -> alt.ColorValue:
    """Return purple below 0 and green above, for bars."""
    return when(alt.ColorValue, (f"datum.{column} < 0", NEGATIVE), otherwise=POSITIVE)


def picture(colour: Colour, width: float, height: float, where: Any = None) -> list[alt.Chart]:
    """Return the image of the table `picture`, and an invisible mark that brings its colour bar."""
    corner = source("picture", where).encode(x=alt.XValue(0), y=alt.YValue(0))
    image = corner.mark_image(
        width=width,
        height=height,
        align="left",
        baseline="top",
        aspect=False,
        tooltip=None,
        aria=False,
    )
    bar = corner.mark_point(size=0, opacity=0, tooltip=None, aria=False)
    return [image.encode(url="image:N"), bar.encode(color=colour)]


def cut(label: str, room: float, size: float) -> str:
    """Shorten a label to `room` pixels; Vega may cut an emoji in half, which no file can encode."""
    if text_width(label, size) <= room:
        return label
    while label and text_width(label + "…", size) > room:
        label = label[:-1]
    return label + "…"


def paths(table: str, where: Any = None, *, size: float = 4, **style: Any) -> alt.Chart:
    """Return links: for each row its column `link`, an SVG path in pixels from the row's place."""
    # No fill: with one the pointer would find the space below a curve.
    marks = source(table, where).mark_point(filled=False, fill=None, size=size, **style)
    return marks.encode(shape=alt.Shape("link:N", scale=None))
