"""Charts of Altair, cached by shape: equal shapes share one chart, whatever the numbers.

    def log_prob_bars(tokens, log_probs):
        return drawn(_bars, {"bars": table}, n=len(table))

    def _bars(n):
        return bars(...)

A chart names its tables and holds none, so building it, which takes Altair tens of milliseconds,
is done once for every shape, look and language; under the same specification the browser only
exchanges the data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import altair as alt
import pandas as pd
from altair.utils.schemapi import debug_mode

from .style import Look, current_look, looking
from .theme import altair_theme

if TYPE_CHECKING:
    from plotly import graph_objects

    Plot: TypeAlias = graph_objects.Figure
    """Figure of Plotly, for pages that show either."""

Figure: TypeAlias = alt.TopLevelMixin
"""Chart of Altair with its tables under ``datasets``."""
Build = Callable[..., Any]
"""Function of module level that builds a chart from its shape."""
_PADDING = {"left": 4, "top": 4, "right": 8, "bottom": 4}
_LABELS = 90  # pixels beside the panels of a chart


class Table:
    """Rows of a frame, converted only when the chart is written."""

    # `_schema` and `to_dict` make it a `SchemaLike`, which Altair converts by `to_dict`.
    _schema: ClassVar[dict[str, Any]] = {"type": "array"}

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def to_dict(self) -> list[dict[str, Any]]:
        # Through pandas' own JSON: NaN becomes null and NumPy types become plain, both fast.
        return json.loads(self.frame.to_json(orient="records", double_precision=15))


def drawn(build: Build, tables: Mapping[str, pd.DataFrame], **shape: Any) -> Figure:
    """Build the chart of a shape with `build`, or take it from the cache, and attach `tables`.

    Parameters
    ----------
    build : function of module level
        Reads its tables by `viz.recipes.source`.
    tables : mapping of str to DataFrame
    shape : hashable values
        All that the chart depends on besides the look.
    """
    kept, spec = _kept(build, current_look(), tuple(shape.items()))
    datasets = {name: Table(frame) for name, frame in tables.items()}
    figure = copy(kept)  # a shallow copy: Altair's own would copy all layers
    # Past Altair's `__setattr__`, which would write `_kwds` and `_specification` as properties of
    # the chart.
    vars(figure).update(_kwds={**kept._kwds, "datasets": datasets}, _specification=spec)
    return figure


@lru_cache(maxsize=512)
def _kept(
    build: Build, look: Look, shape: tuple[tuple[str, Any], ...]
) -> tuple[Any, dict[str, Any]]:
    """Build a chart and its specification, once for each shape and look."""
    # Validation against the schema is left to the tests; it takes three times as long.
    with looking(look), debug_mode(False):
        chart = build(**dict(shape))
        if chart.autosize is alt.Undefined:
            chart.autosize = "pad"  # "fit" would take axes and legends from the size of the drawing
        if chart.padding is alt.Undefined:
            chart.padding = _PADDING
        return chart, {"$schema": alt.SCHEMA_URL, **altair_theme(), **_written(chart)}


def _written(part: Any) -> dict[str, Any]:
    """Convert a chart to a dictionary, layer by layer; Altair's own way would copy every layer."""
    # `_kwds` holds a chart's properties; `to_dict` of the whole is what copies.
    for name in {"layer", "hconcat", "vconcat", "concat"} & part._kwds.keys():
        rest = {key: value for key, value in part._kwds.items() if key != name}
        around = alt.TopLevelLayerSpec(**rest).to_dict(validate=False)
        return {**around, name: [_written(inner) for inner in part[name]]}
    return part.to_dict(validate=False, context={"top_level": False})


def tables_of(figure: Figure) -> dict[str, pd.DataFrame]:
    """Return the frames behind a figure, by the names that the chart uses."""
    return {
        name: table.frame if isinstance(table, Table) else pd.DataFrame(table)
        for name, table in vars(figure)["_kwds"]["datasets"].items()
    }


def spec_of(figure: Figure) -> dict[str, Any]:
    """Return the Vega-Lite specification with frames under ``datasets``, as Streamlit takes it."""
    spec = vars(figure).get("_specification") or figure.to_dict(validate=False)
    return {**spec, "datasets": tables_of(figure)}


def written(figure: Figure) -> dict[str, Any]:
    """Return the specification with its tables as rows, for a file."""
    tables = {name: Table(frame).to_dict() for name, frame in tables_of(figure).items()}
    return {**spec_of(figure), "datasets": tables}


def selection_of(figure: Figure) -> str:
    """Return the name of the selection that a click changes, "" if there is none."""
    params = spec_of(figure).get("params", ())
    return next((p["name"] for p in params if p.get("select", {}).get("on") == "click"), "")


def width_of(figure: Figure) -> float:
    """Estimate the width of the whole drawing in pixels."""
    return _width(spec_of(figure))


def _width(part: Mapping[str, Any]) -> float:
    if "hconcat" in part:
        return sum(map(_width, part["hconcat"]))
    if "vconcat" in part:
        return max(map(_width, part["vconcat"]))
    if "concat" in part:
        return max(map(_width, part["concat"])) * min(part["columns"], len(part["concat"]))
    width = part.get("width", 0)
    return _LABELS + (width if isinstance(width, int | float) else 0)


def side_by_side(figures: Mapping[str, Figure]) -> Figure:
    """Combine several figures in one, each under its title and with tables of its own."""
    parts = []
    tables = {}
    for at, (title, figure) in enumerate(figures.items()):
        part = {k: v for k, v in spec_of(figure).items() if k not in _OF_THE_WHOLE}
        text = json.dumps({**part, "title": title})
        # In reverse, because a table "rows0" may exist beside "rows".
        for name, frame in sorted(tables_of(figure).items(), reverse=True):
            tables[f"{name}{at}"] = Table(frame)
            text = text.replace(f'"data": {{"name": "{name}"', f'"data": {{"name": "{name}{at}"')
            text = text.replace(f"data('{name}')", f"data('{name}{at}')")
        parts.append(json.loads(text))
    # Figures share nothing: their axes may count different things.
    apart = {"scale": dict.fromkeys(("x", "y", "color"), "independent")}
    with debug_mode(False):
        # The bounds of a title beside an axis are a little smaller than the title is drawn.
        room = {"padding": {**_PADDING, "left": 8}}
        whole = {"hconcat": parts, "spacing": 50, "autosize": "pad", "resolve": apart, **room}
        chart = alt.HConcatChart.from_dict(whole, validate=False)
    chart.datasets = tables
    return chart


_OF_THE_WHOLE = ("$schema", "config", "autosize", "padding", "params", "background", "datasets")
