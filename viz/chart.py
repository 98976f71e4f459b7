"""The grammar of the charts: Vega-Lite, written down table by table and mark by mark.

Altair takes a third of a second to build and check a chart of ten layers, whatever the data. What
stands here writes the same specification in a millisecond, so a chart can be written anew for
every drawing and nothing has to be kept; that it obeys Vega-Lite's schema is checked in the tests.
A specification names its tables and never holds what is in them: equal shapes give equal charts,
under which the browser exchanges the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .theme import INK

VEGA_LITE = "6.4.1"
"""The version that specifications are written for and saved with."""

Part = dict[str, Any]
"""A piece of a specification: a unit, a layer, an encoding, a legend."""

QUIET: Part = {"tooltip": None, "aria": False}
"""Of a mark that says nothing, neither to the pointer nor to a screen reader."""

# Words around a drawing in the page's ink; what Streamlit gives them is too pale to read.
_CONFIG: Part = {
    "view": {"stroke": None},
    **{name: {"labelColor": INK, "titleColor": INK} for name in ("axis", "legend", "header")},
}
_QUARTERS = [0, 0.25, 0.5, 0.75, 1]
_LIMITS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal"}


# -- marks and what they show --------------------------------------------------------------


def draw(
    table: str,
    mark: Part,
    *,
    where: str | Part | None = None,
    calculate: Mapping[str, str] | None = None,
    transform: Sequence[Part] = (),
    params: Sequence[Part] = (),
    **encoding: Any,
) -> Part:
    """One mark for each line of a table.

    Parameters
    ----------
    mark : as of `mark`.
    where : only lines that pass this test, an expression or a selection.
    calculate : columns worked out in the browser, by their expressions; after `where`.
    transform : further steps, after those.
    params : selections that start on these marks.
    encoding : channels; a text such as ``"label:N"`` stands for `field` of it.
    """
    steps = [] if where is None else [{"filter": _test(where)}]
    steps += [{"calculate": how, "as": name} for name, how in (calculate or {}).items()]
    steps += transform
    return {
        "data": {"name": table},
        **({"transform": steps} if steps else {}),
        "mark": mark,
        "encoding": {name: _channel(name, shown) for name, shown in encoding.items()},
        **({"params": list(params)} if params else {}),
    }


def mark(type: str, **style: Any) -> Part:
    return {"type": type, **style}


def text(**style: Any) -> Part:
    """Words in the page's ink, half way up, with no tooltip of their own."""
    return {"type": "text", "baseline": "middle", "color": INK, "tooltip": None, **style}


def field(name: str, **options: Any) -> Part:
    """A column with its type: ``"weight:Q"``, or N for names, O for places in an order."""
    column, _, kind = name.partition(":")
    return {"field": column, **({"type": _TYPES[kind]} if kind else {}), **options}


def pixels(name: str) -> Part:
    """A column that counts pixels, with neither scale nor axis."""
    return field(f"{name}:Q", scale=None, axis=None)


BOX: Part = {"x": pixels("x"), "x2": "x2:Q", "y": pixels("y"), "y2": "y2:Q"}
"""A rectangle or a line whose two corners are columns of pixels."""


OWN_INK: Part = {"fill": field("ink:N", scale=None)}
"""Words in the colours of a column; `color` would share the scale of the cells they stand on."""


def value(constant: Any) -> Part:
    return {"value": constant}


def datum(constant: float | Part) -> Part:
    """A place on the axis that is the same for every line, a number or ``{"expr": ...}``."""
    return {"datum": constant}


def when(*cases: tuple[str | Part, Any], otherwise: Any) -> Part:
    """The constant of the first test that a line passes, an expression or a selection."""
    tests = [
        {**({"test": test} if isinstance(test, str) else _test(test)), "value": then}
        for test, then in cases
    ]
    return {"condition": tests, "value": otherwise}


def told(*lines: tuple[str, str] | tuple[str, str, str]) -> list[Part]:
    """A tooltip: for each line a column, its title and for a number its format."""
    return [
        field(name, title=title, **({"format": form[0]} if form else {}))
        for name, title, *form in lines
    ]


# -- selections ----------------------------------------------------------------------------


def selection(name: str, fields: Sequence[str], **how: Any) -> Part:
    return {"name": name, "select": {"type": "point", "fields": list(fields), **how}}


def click(name: str, *fields: str) -> Part:
    """The line clicked last; it stays, and the page is told the `fields`."""
    return selection(name, fields, on="click", clear=False, toggle=False)


def hover(name: str, *fields: str) -> Part:
    """The line under the pointer; it never leaves the browser."""
    return selection(name, fields, on="pointerover", clear="pointerout")


# -- scales and legends --------------------------------------------------------------------


def places(count: int, inner: float = 0.06, outer: float | None = 0.0) -> Part:
    """A scale of `count` places from 0, `inner` of a place left free between neighbours."""
    scale = {"domain": list(range(count)), "paddingInner": inner}
    return scale if outer is None else {**scale, "paddingOuter": outer}


def share_axis(**options: Any) -> Part:
    """Ticks at quarters from 0 to 1."""
    return {"values": _QUARTERS, "format": ".2f", "gridOpacity": 0.3, **options}


def colour_bar(values: Sequence[float], form: str, **options: Any) -> Part:
    """A legend below the drawing that runs through a ramp."""
    bar = {
        "orient": "bottom",
        "direction": "horizontal",
        "gradientLength": 180,
        "gradientThickness": 10,
        "values": list(values),
        "format": form,
    }
    return bar | options


def swatches(**options: Any) -> Part:
    """A legend above the drawing that names each colour or shape."""
    return {"orient": "top", "direction": "horizontal", "offset": 8, **options}


def share_colour(name: str, ramp: Sequence[str], *, title: str, **bar: Any) -> Part:
    """Numbers from 0 to 1 on a ramp of one hue; `bar` changes the legend."""
    return field(
        name,
        title=title,
        scale={"domain": [0, 1], "range": list(ramp), "clamp": True},
        legend=colour_bar(_QUARTERS, ".2f", **bar),
    )


def signed_colour(
    name: str, ramp: Sequence[str], limit: float, *, title: str, clamp: bool = True, **bar: Any
) -> Part:
    """Numbers from `-limit` to `limit` on a ramp through the page's ground at 0."""
    scale = {"domain": [-limit, limit], "range": list(ramp), "interpolate": "lab"}
    values = [-limit, -limit / 2, 0, limit / 2, limit]
    form = "+.3~f" if limit < 0.1 else "+.2f"
    return field(
        name,
        title=title,
        scale={**scale, "clamp": True} if clamp else scale,
        legend=colour_bar(values, **{"form": form, **bar}),
    )


def symmetric_limit(differences: Sequence[float]) -> float:
    """The end of a scale for these differences: the next of 0.02, 0.05, 0.1, 0.2, 0.5 and 1."""
    largest = float(np.abs(differences).max()) if len(differences) else 0.0
    return next((limit for limit in _LIMITS if largest <= limit), 1.0)


# -- putting together ----------------------------------------------------------------------


def layered(*layers: Part, **properties: Any) -> Part:
    """Layers over each other, the first at the bottom."""
    return {"layer": list(layers), **properties}


def dial(name: str, start: float, last: float, unit: float = 1) -> Part:
    """A variable of the specification that a slider moves, from 0 to `last` by `unit`."""
    return {
        "name": name,
        "value": start,
        "bind": {"input": "range", "min": 0, "max": last, "step": unit},
    }


def whole(part: Part, *, right: int = 8, dials: Sequence[Part] = (), **properties: Any) -> Part:
    """A part as the whole specification of a figure; `right` pixels stay free beside it."""
    selections: list[Part] = []
    hoisted = _hoisted(part, selections)
    params = [*dials, *selections]
    return {
        "$schema": f"https://vega.github.io/schema/vega-lite/v{VEGA_LITE}.json",
        "config": _CONFIG,
        "padding": {"left": 4, "top": 4, "right": right, "bottom": 4},
        **hoisted,
        **({"params": params} if params else {}),
        **properties,
    }


def _test(test: str | Part) -> str | Part:
    if isinstance(test, Mapping) and "select" in test:
        return {"param": test["name"], "empty": False}
    return test


def _channel(name: str, shown: Any) -> Any:
    if not isinstance(shown, str):
        return shown
    return {"field": shown.partition(":")[0]} if name in ("x2", "y2") else field(shown)


def _hoisted(part: Part, selections: list[Part]) -> Part:
    """The part with its selections taken out into the list, each with the view it starts on."""
    kept = {name: shown for name, shown in part.items() if name != "params"}
    for name in ("layer", "hconcat", "vconcat", "concat"):
        if name in kept:
            kept[name] = [_hoisted(each, selections) for each in kept[name]]
    if part.get("params"):
        view = f"view_{len(selections)}"
        selections += [{**param, "views": [view]} for param in part["params"]]
        kept["name"] = view
    return kept
