"""Attention beside two other measures of what a produced token depends on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from records import CROSS, AttentionSite
from words.numbers import signed

from . import chart
from .bars import FONT, Lines
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, head_name, text_width
from .look import say
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, diverging_ramp, ink_on, palette_of

SELECTION_NAME = "head"
_LINE = 20
_SMALLEST_LINE, _ROOM = 13, 900
_MOST_LABEL = 110.0
_PANEL = 190
_CELL, _CELL_DOWN = 50, 30


def measures_table(
    tokens: Sequence[str], weights: np.ndarray | None, drops: np.ndarray, gradient: np.ndarray
) -> pd.DataFrame:
    """One line a source token: place (from 0), token, attention, drop and gradient.

    Parameters
    ----------
    tokens : T_src source tokens.
    weights : (T_src,) of one head's row, 0 to 1; None where there are none, nor a column of them.
    drops : (T_src,) how much log p falls when the token is hidden, natural; NaN where it cannot be.
    gradient : (T_src,) gradient times input.

    Raises
    ------
    ValueError : the lengths differ.
    """
    measures = {"attention": weights, "drop": drops, "gradient": gradient}
    measures = {name: measure for name, measure in measures.items() if measure is not None}
    lengths = {len(tokens), *map(len, measures.values())}
    if len(lengths) != 1:
        raise ValueError(f"tokens and measures differ in length: {sorted(lengths)}")
    return pd.DataFrame(
        {
            "place": np.arange(len(tokens), dtype=np.int32),
            "token": distinct_labels(tokens),
            **{name: np.asarray(measure, np.float64) for name, measure in measures.items()},
        }
    )


def measure_bars(
    tokens: Sequence[str],
    weights: np.ndarray | None,
    drops: np.ndarray,
    gradient: np.ndarray,
    *,
    kind: AttentionSite | str = CROSS,
    names: tuple[str, str] = ("figures-source-token", "figures-explain-drop"),
) -> Figure:
    """The measures of one prediction side by side, one line a source token.

    `names` are the messages that name a line and what is lost without it. Attention has the colour
    of its site `kind` on a scale from 0 to 1; the other two are green above 0 and purple below,
    each on its own scale. Nothing to click. Parameters and errors are those of `measures_table`.
    """
    lines = measures_table(tokens, weights, drops, gradient)
    for name in ("drop", "gradient"):
        lines[f"{name}_sign"] = np.where(lines[name] < 0, "below", "above")
    room = round(min(_MOST_LABEL, max(text_width(label, FONT) for label in lines["token"]))) + 8
    down = max(_SMALLEST_LINE, min(_LINE, _ROOM // len(lines)))
    accent = palette_of(kind).accent
    looked = weights is not None
    return Figure(
        _bars_chart(len(lines), down, accent if looked else "", names),
        {"lines": lines},
        "",
        width=room + (2 + looked) * (_PANEL + 20),
    )


def _bars_chart(n: int, down: int, accent: str, called: tuple[str, str]) -> Part:
    """`accent` is the colour of attention, empty where there is none."""
    lines = Lines("lines", n)
    token, drop = called
    names = ["figures-explain-attention", drop, "figures-explain-gradient"]
    looked = [("attention:Q", say("figures-explain-attention-short"), ".4f")] if accent else []
    tooltip = chart.told(
        ("token:N", say(token)),
        *looked,
        ("drop:Q", say(names[1]), "+.4f"),
        ("gradient:Q", say(names[2]), "+.4f"),
    )

    def panel(name: str, title: str, scale: Part, colour: Part, *more: Part) -> Part:
        axis = {"gridOpacity": 0.3, "tickCount": 4}
        x = chart.field(f"{name}:Q", title=title, scale=scale, axis=axis)
        bars = lines.bars(x, x2=chart.datum(0), tooltip=tooltip, color=colour)
        return chart.layered(bars, *more, width=_PANEL, height=n * down)

    def signed_panel(name: str, title: str, *more: Part) -> Part:
        below = chart.when((f"datum.{name}_sign === 'below'", NEGATIVE), otherwise=POSITIVE)
        return panel(name, title, {"zero": True}, below, *more)

    tokens = lines.names(size=min(FONT, down * 0.7), room=_MOST_LABEL, text="token:N")
    panels = [signed_panel("gradient", say(names[2]))]
    if accent:
        weights = say(names[0]), {"domain": [0, 1]}, chart.value(accent)
        panels = [
            panel("attention", *weights, tokens),
            signed_panel("drop", say(names[1])),
            *panels,
        ]
    else:
        panels = [signed_panel("drop", say(names[1]), tokens), *panels]
    return chart.whole({"hconcat": panels, "spacing": 20}, right=12)


def correlation_table(correlations: np.ndarray) -> pd.DataFrame:
    """One line a head: layer and head (from 0), name (from 1), correlation."""
    layers, heads = (axis.ravel() for axis in np.indices(correlations.shape))
    return pd.DataFrame(
        {
            "layer": layers.astype(np.int16),
            "head": heads.astype(np.int16),
            "name": [head_name(*place) for place in np.ndindex(correlations.shape)],
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
        signed(value) if ok else "–" for value, ok in zip(cells["correlation"], known, strict=True)
    ]
    inks = ink_on(diverging_ramp(), cells["correlation"].fillna(0.0) / 2 + 0.5)
    cells["ink"] = np.where(known, inks, INK)
    cells["selected"] = [
        place == selected for place in zip(cells["layer"], cells["head"], strict=True)
    ]
    cells["click"] = np.int32(click)
    n_layers, n_heads = correlations.shape
    size = {"width": n_heads * _CELL, "height": n_layers * _CELL_DOWN}
    layers = _grid_layers(n_layers, n_heads, title, clickable)
    return Figure(
        chart.whole(chart.layered(*layers, **size), right=12, autosize="pad"),
        {"cells": cells},
        SELECTION_NAME if clickable else "",
        width=n_heads * _CELL + 80,
    )


def _grid_layers(n_layers: int, n_heads: int, title: str, clickable: bool) -> list[Part]:
    def axis(name: str, count: int, **more: str) -> Part:
        ticks = {"labelExpr": "datum.value + 1", "ticks": False, "domain": False, "labelAngle": 0}
        return chart.field(
            f"{name}:O",
            title=say(f"figures-{name}"),
            scale=chart.places(count, 0.04),
            axis={**ticks, **more},
        )

    at = {"x": axis("head", n_heads, orient="top"), "y": axis("layer", n_layers)}
    colour = chart.signed_colour(
        "correlation:Q",
        diverging_ramp(),
        1,
        title=title,
        form="+.1f",
        gradientLength=220,
        titleLimit=360,
        offset=8,
    )
    unknown = {"fill": "transparent", "stroke": INK, "strokeDash": [2, 3], "strokeOpacity": 0.5}
    return [
        chart.draw(
            "cells",
            chart.mark("rect", tooltip=None),
            where="isValid(datum.correlation)",
            **at,
            color=colour,
        ),
        chart.draw(
            "cells", chart.mark("rect", **unknown), where="!isValid(datum.correlation)", **at
        ),
        chart.draw(
            "cells",
            chart.text(fontSize=11),
            **at,
            text="text:N",
            **chart.OWN_INK,
        ),
        chart.draw(
            "cells",
            chart.mark(
                "rect",
                fill="transparent",
                strokeWidth=2,
                cursor="pointer" if clickable else "default",
            ),
            params=[chart.click(SELECTION_NAME, "layer", "head", "click")] if clickable else (),
            **at,
            stroke=chart.when(("datum.selected", SELECTION), otherwise="transparent"),
            tooltip=chart.told(
                ("name:N", say("figures-head")),
                ("correlation:Q", say("figures-explain-correlation"), "+.4f"),
            ),
        ),
    ]
