"""Figures are charts of Altair, kept by shape: equal shapes share one chart, whatever the numbers.

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
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import altair as alt
import pandas as pd
from altair.utils.schemapi import debug_mode

from .look import Look, current_look, looking
from .theme import altair_theme

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot  # noqa: F401 - for who shows either

Figure: TypeAlias = alt.TopLevelMixin
"""A chart of Altair with its tables under ``datasets``."""
Build = Callable[..., Any]
_PADDING = {"left": 4, "top": 4, "right": 8, "bottom": 4}
_LABELS = 90  # pixels beside the panels of a chart


class Table:
    """The rows of a frame, written out only when the chart is."""

    _schema: ClassVar[dict[str, Any]] = {"type": "array"}

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def to_dict(self) -> list[dict[str, Any]]:
        return json.loads(self.frame.to_json(orient="records", double_precision=15))


def drawn(build: Build, tables: Mapping[str, pd.DataFrame], **shape: Any) -> Figure:
    """The chart that `build` makes of this shape, with these tables.

    Parameters
    ----------
    build : a function of module level; reads its tables by `viz.recipes.source`.
    shape : all that the chart depends on beside the look, hashable.
    """
    kept, spec = _kept(build, current_look(), tuple(shape.items()))
    # Altair's own copy would look through all layers anew.
    figure = object.__new__(type(kept))
    object.__setattr__(figure, "_args", kept._args)
    datasets = {name: Table(frame) for name, frame in tables.items()}
    object.__setattr__(figure, "_kwds", {**kept._kwds, "datasets": datasets})
    object.__setattr__(figure, "_specification", spec)
    return figure


@lru_cache(maxsize=512)
def _kept(build: Build, look: Look, shape: tuple[tuple[str, Any], ...]) -> tuple[Any, dict]:
    # Checking every part against the schema is the tests' business, and takes three times as long.
    with looking(look), debug_mode(False):
        chart = build(**dict(shape))
        if alt.utils.is_undefined(chart.autosize):
            chart.autosize = "pad"  # fitted, axes and legends would be taken out of the drawing
        if alt.utils.is_undefined(chart.padding):
            chart.padding = _PADDING
        return chart, {"$schema": alt.SCHEMA_URL, **altair_theme(), **_written(chart)}


def _written(part: Any) -> dict[str, Any]:
    """A chart as a dictionary; Altair would copy all that layers hold on the way."""
    name = next(
        (each for each in ("layer", "hconcat", "vconcat", "concat") if each in part._kwds), ""
    )
    if not name:
        return part.to_dict(validate=False, context={"top_level": False})
    rest = {key: value for key, value in part._kwds.items() if key != name}
    around = alt.TopLevelLayerSpec(**rest).to_dict(validate=False)
    return {**around, name: [_written(each) for each in part[name]]}


def _in_a_notebook(spec: dict[str, Any], **_asked: Any) -> dict[str, Any]:
    """The chart where the notebook can draw one, else its picture; neither asks a network."""
    from .export import VEGA_LITE, drawing, on_paper

    kind = f"application/vnd.vegalite.v{VEGA_LITE.split('.')[0]}+json"
    spec = on_paper(spec)
    return {kind: spec, "image/svg+xml": drawing(spec)}


alt.renderers.register("attention-lab", _in_a_notebook)
alt.renderers.enable("attention-lab")


def tables_of(figure: Figure) -> dict[str, pd.DataFrame]:
    """The frames behind a figure, by the names the chart uses."""
    return {
        name: table.frame if isinstance(table, Table) else pd.DataFrame(table)
        for name, table in figure.datasets.items()
    }


def spec_of(figure: Figure) -> dict[str, Any]:
    """The Vega-Lite specification with frames under ``datasets``, as Streamlit takes it."""
    kept = figure.__dict__.get("_specification")
    return {**(kept or figure.to_dict(validate=False)), "datasets": tables_of(figure)}


def written(figure: Figure) -> dict[str, Any]:
    """The specification with its tables as rows, as it is saved."""
    spec = spec_of(figure)
    tables = {name: Table(frame).to_dict() for name, frame in spec["datasets"].items()}
    return {**spec, "datasets": tables}


def selection_of(figure: Figure) -> str:
    """The name of the selection that a click changes, "" where there is none."""
    params = spec_of(figure).get("params", [])
    on = (each["name"] for each in params if each.get("select", {}).get("on") == "click")
    return next(on, "")


def width_of(figure: Figure) -> float:
    """Roughly how many pixels the whole drawing is wide."""
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
    """Several figures as one, each under its title."""
    parts, tables = [], {}
    for at, (title, figure) in enumerate(figures.items()):
        own = {name: f"{name}{at}" for name in tables_of(figure)}
        tables |= {own[name]: frame for name, frame in tables_of(figure).items()}
        spec = {k: v for k, v in spec_of(figure).items() if k not in _OF_THE_WHOLE}
        parts.append({**_renamed(spec, own), "title": title})
    scales = {"scale": {name: "independent" for name in ("x", "y", "color")}}
    both = {"hconcat": parts, "spacing": 50, "resolve": scales}
    with debug_mode(False):
        chart = alt.HConcatChart.from_dict(both, validate=False)
    chart.datasets = {name: Table(frame) for name, frame in tables.items()}
    return chart


_OF_THE_WHOLE = ("$schema", "config", "autosize", "padding", "params", "background", "datasets")


def _renamed(part: Any, names: Mapping[str, str]) -> Any:
    """A copy that reads its tables under other names."""
    if isinstance(part, list):
        return [_renamed(each, names) for each in part]
    if isinstance(part, str):
        for old, new in names.items():
            part = part.replace(f"data('{old}')", f"data('{new}')")
        return part
    if not isinstance(part, dict):
        return part
    return {
        key: {"name": names[value["name"]]}
        if key == "data" and isinstance(value, dict) and "name" in value
        else _renamed(value, names)
        for key, value in part.items()
    }
