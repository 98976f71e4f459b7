"""Attention beside two other measures of what a produced token depends on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from .figure import Figure, table
from .labels import distinct_labels, text_width
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, diverging_ramp, palette_of

SELECTION_NAME = "head"
ABOVE, BELOW = POSITIVE, NEGATIVE
_LINE, _FONT = 20, 12.0
_SMALLEST_LINE, _ROOM = 13, 900
_MOST_LABEL = 110.0
_PANEL = 190
_CELL, _CELL_DOWN = 50, 30


def measures_table(
    tokens: Sequence[str], weights: np.ndarray, drops: np.ndarray, gradient: np.ndarray
) -> pd.DataFrame:
    """One line a source token: place (from 0), token, attention, drop and gradient.

    Parameters
    ----------
    tokens : T_src source tokens.
    weights : (T_src,) of one head's row, 0 to 1.
    drops : (T_src,) how much log p falls when the token is hidden, natural.
    gradient : (T_src,) gradient times input.

    Raises
    ------
    ValueError : the lengths differ.
    """
    lengths = {len(tokens), len(weights), len(drops), len(gradient)}
    if len(lengths) != 1:
        raise ValueError(f"tokens and measures differ in length: {sorted(lengths)}")
    return pd.DataFrame(
        {
            "place": np.arange(len(tokens), dtype=np.int32),
            "token": distinct_labels(tokens),
            "attention": np.asarray(weights, np.float64),
            "drop": np.asarray(drops, np.float64),
            "gradient": np.asarray(gradient, np.float64),
        }
    )


def measure_bars(
    tokens: Sequence[str],
    weights: np.ndarray,
    drops: np.ndarray,
    gradient: np.ndarray,
    *,
    dark: bool = False,
) -> Figure:
    """The three measures of one produced token side by side, one line a source token.

    Attention has the colour of its kind on a scale from 0 to 1; the other two are green above 0
    and purple below, each on its own scale. Nothing to click. Parameters and errors are those of
    `measures_table`.
    """
    lines = measures_table(tokens, weights, drops, gradient)
    for name in ("drop", "gradient"):
        lines[f"{name}_sign"] = np.where(lines[name] < 0, "below", "above")
    room = round(min(_MOST_LABEL, max(text_width(label, _FONT) for label in lines["token"]))) + 8
    down = max(_SMALLEST_LINE, min(_LINE, _ROOM // len(lines)))
    return Figure(
        _bars_chart(len(lines), down, dark), {"lines": lines}, "", width=room + 3 * (_PANEL + 20)
    )


@lru_cache(maxsize=64)
def _bars_chart(n: int, down: int, dark: bool) -> dict[str, Any]:
    y = alt.Y("place:O", scale=alt.Scale(domain=list(range(n)), paddingInner=0.2), axis=None)
    base = alt.Chart(table("lines"))
    tooltip = [
        alt.Tooltip("token:N", title="source token"),
        alt.Tooltip("attention:Q", title="attention", format=".4f"),
        alt.Tooltip("drop:Q", title="drop of log p when hidden", format="+.4f"),
        alt.Tooltip("gradient:Q", title="gradient × input", format="+.4f"),
    ]

    def panel(name: str, title: str) -> alt.LayerChart:
        signed = name != "attention"
        scale = alt.Scale(zero=True) if signed else alt.Scale(domain=[0, 1])
        x = alt.X(
            f"{name}:Q", title=title, scale=scale, axis=alt.Axis(gridOpacity=0.3, tickCount=4)
        )
        colour: dict[str, Any] = {"color": alt.value(palette_of("cross", dark=dark).accent)}
        if signed:
            below = alt.when(f"datum.{name}_sign === 'below'").then(alt.value(BELOW))
            colour = {"color": below.otherwise(alt.value(ABOVE))}
        bars = base.mark_bar().encode(x=x, x2=alt.X2Datum(0), y=y, tooltip=tooltip, **colour)
        layers = [bars]
        if not signed:
            size = min(_FONT, down * 0.7)
            layers.append(
                base.mark_text(
                    align="right", baseline="middle", fontSize=size, limit=_MOST_LABEL, color=INK,
                    tooltip=None,
                ).encode(x=alt.value(-8), y=y, text="token:N")
            )  # fmt: skip
        return alt.layer(*layers).properties(width=_PANEL, height=n * down)

    panels = [
        panel("attention", "attention weight"),
        panel("drop", "drop of log p when hidden"),
        panel("gradient", "gradient × input"),
    ]
    return (
        alt.hconcat(*panels, spacing=20)
        .properties(padding={"left": 4, "top": 4, "right": 12, "bottom": 4})
        .configure_view(stroke=None)
        .to_dict()
    )


def mean_correlations(per_token: np.ndarray) -> np.ndarray:
    """(L, H, T_tgt) rank correlations -> (L, H), averaged over the tokens that have one.

    NaN where no token has one.
    """
    known = ~np.isnan(per_token)
    counts = known.sum(axis=-1)
    totals = np.where(known, per_token, 0.0).sum(axis=-1, dtype=np.float64)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def correlation_table(correlations: np.ndarray) -> pd.DataFrame:
    """One line a head: layer and head (from 0), name (from 1), correlation."""
    layers, heads = (axis.ravel() for axis in np.indices(correlations.shape))
    return pd.DataFrame(
        {
            "layer": layers.astype(np.int16),
            "head": heads.astype(np.int16),
            "name": [f"layer {i + 1}, head {j + 1}" for i, j in zip(layers, heads, strict=True)],
            "correlation": correlations.ravel().astype(np.float64),
        }
    )


def correlation_grid(
    correlations: np.ndarray,
    *,
    title: str,
    selected: tuple[int, int] | None = None,
    clickable: bool = True,
    click: int = 0,
    dark: bool = False,
) -> Figure:
    """Layers by heads, the colour and the number of each cell its rank correlation, -1 to 1.

    A click on a cell reports its layer and head with `click`. A head without a number is hatched.

    Parameters
    ----------
    correlations : (L, H), NaN where there is none.
    title : what is correlated, above the colour bar.
    selected : the layer and head with the red frame.

    Raises
    ------
    ValueError : `correlations` is not (L, H).
    """
    if correlations.ndim != 2:
        raise ValueError(f"expected correlations of (L, H), found {correlations.shape}")
    cells = correlation_table(correlations)
    known = cells["correlation"].notna()
    cells["text"] = [
        f"{value:+.2f}".replace("-", "−") if ok else "–"
        for value, ok in zip(cells["correlation"], known, strict=True)
    ]
    cells["strong"] = cells["correlation"].abs() > 0.55
    cells["selected"] = [
        place == selected for place in zip(cells["layer"], cells["head"], strict=True)
    ]
    cells["click"] = np.int32(click)
    n_layers, n_heads = correlations.shape
    chart = _grid_chart(n_layers, n_heads, title, clickable, dark)
    name = SELECTION_NAME if clickable else ""
    return Figure(chart, {"cells": cells}, name, width=n_heads * _CELL + 80)


@lru_cache(maxsize=32)
def _grid_chart(
    n_layers: int, n_heads: int, title: str, clickable: bool, dark: bool
) -> dict[str, Any]:
    def scale(n: int) -> alt.Scale:
        return alt.Scale(domain=list(range(n)), paddingInner=0.04, paddingOuter=0.0)

    axis = {"labelExpr": "datum.value + 1", "ticks": False, "domain": False, "labelAngle": 0}
    x = alt.X("head:O", title="head", scale=scale(n_heads), axis=alt.Axis(orient="top", **axis))
    y = alt.Y("layer:O", title="layer", scale=scale(n_layers), axis=alt.Axis(**axis))
    colour = alt.Color(
        "correlation:Q",
        title=title,
        scale=alt.Scale(
            domain=[-1, 1], range=list(diverging_ramp(dark)), interpolate="lab", clamp=True
        ),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            gradientLength=220,
            gradientThickness=10,
            values=[-1, -0.5, 0, 0.5, 1],
            format="+.1f",
            titleLimit=360,
            offset=8,
        ),
    )
    base = alt.Chart(table("cells"))
    tooltip = [
        alt.Tooltip("name:N", title="head"),
        alt.Tooltip("correlation:Q", title="rank correlation", format="+.4f"),
    ]
    known = (
        base.transform_filter("isValid(datum.correlation)")
        .mark_rect(tooltip=None)
        .encode(x=x, y=y, color=colour)
    )
    unknown = (
        base.transform_filter("!isValid(datum.correlation)")
        .mark_rect(fill="transparent", stroke=INK, strokeDash=[2, 3], strokeOpacity=0.5)
        .encode(x=x, y=y)
    )
    # Strong cells are dark on a light page and light on a dark one.
    strong = alt.when("datum.strong").then(alt.value("#1b1c22" if dark else "#ffffff"))
    numbers = base.mark_text(baseline="middle", fontSize=11, tooltip=None).encode(
        x=x, y=y, text="text:N", color=strong.otherwise(alt.value(INK))
    )
    frame = alt.when("datum.selected").then(alt.value(SELECTION))
    frames = base.mark_rect(
        fill="transparent", strokeWidth=2, cursor="pointer" if clickable else "default"
    ).encode(x=x, y=y, stroke=frame.otherwise(alt.value("transparent")), tooltip=tooltip)
    if clickable:
        frames = frames.add_params(
            alt.selection_point(
                name=SELECTION_NAME,
                fields=["layer", "head", "click"],
                on="click",
                clear=False,
                empty=False,
                toggle=False,
            )
        )
    return (
        alt.layer(known, unknown, numbers, frames)
        .properties(
            width=n_heads * _CELL,
            height=n_layers * _CELL_DOWN,
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 12, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )
