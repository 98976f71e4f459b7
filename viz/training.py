"""Curves of trainings, the rate of a schedule, smoothed targets, and how far to trust a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import pandas as pd

from analysis.labels import token_labels, visible

from . import recipes as r
from .figure import Figure, drawn
from .look import say
from .plots import harmless, panels
from .theme import GREY, RUNS, SELECTION, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_RUNS = len(RUNS)
_ROW = 26

Points = Sequence[tuple[int, float]]


def run_curves(
    lines: pd.DataFrame,
    runs: Sequence[str],
    titles: Mapping[str, str],
    *,
    log: Sequence[str] = (),
) -> Plot:
    """Numbers of several trainings over their steps, a panel for each kind over one axis of steps.

    The pointer tells what every run has at its step. Drag to zoom, double-click for all.

    Parameters
    ----------
    lines : one line a number that was noted, with run, measure, step and value.
    runs : all there may be; each keeps its colour, whichever are drawn.
    titles : of the measures that get a panel, in their order.
    log : measures on a logarithmic scale, on which only what is above 0 has a place.

    Raises ValueError for more than `MOST_RUNS` runs, or nothing to draw.
    """
    if not 1 <= len(runs) <= MOST_RUNS:
        raise ValueError(f"expected 1 to {MOST_RUNS} runs, found {len(runs)}")
    lines = lines[(lines["value"] > 0) | ~lines["measure"].isin(log)]
    measures = [name for name in titles if (lines["measure"] == name).any()]
    if not measures:
        raise ValueError("expected something to draw")
    figure = panels(
        [titles[name] for name in measures],
        x=say("training-step-axis"),
        pointer=f"{say('training-step')} %{{x:,}}",
        height={1: 260, 2: 180}.get(len(measures), 125),
        hoversubplots="axis" if len(runs) < 3 else "single",  # more would hide the curves
        uirevision=str((lines["step"].min(), lines["step"].max())),
    )
    colours = dict(zip(runs, RUNS, strict=False))
    named = set()
    for (place, measure), run in product(enumerate(measures, start=1), runs):
        own = lines[(lines["run"] == run) & (lines["measure"] == measure)]
        if own.empty:
            continue
        figure.add_scatter(
            x=own["step"].tolist(),
            y=own["value"].tolist(),
            yaxis=f"y{place}",
            mode="lines" if len(own) > 1 else "markers",
            line={"color": colours[run], "width": 1.8},
            name=harmless(run),
            legendgroup=harmless(run),
            showlegend=len(runs) > 1 and run not in named,
            hovertemplate=f"{titles[measure]} %{{y:.4~g}}",
        )
        named.add(run)
        if measure in log:
            axis = {"type": "log", "tickformat": ".0e", "nticks": 4}
            figure.update_layout({f"yaxis{place}": axis})
    return figure.update_xaxes(tickformat=",")


def rate_curves(formula: Points, own: Points, *, warmup: int) -> Figure:
    """The rate of eq. 3 over the steps, and beside it the rate that a run really used."""
    tables = {
        "formula": pd.DataFrame(formula, columns=["step", "rate"]),
        "own": pd.DataFrame(own, columns=["step", "rate"], dtype=float),
        "peak": pd.DataFrame({"step": [warmup], "label": [say("training-warmup-ends", n=warmup)]}),
    }
    return drawn(_rates, tables)


def _rates() -> alt.LayerChart:
    rate, step = "training-measure-lr", "training-step"
    steps = {"zero": True, "nice": False, "grid": False, "format": ",.0f", "tickCount": 8}
    x = alt.X("step:Q", **r.measure("training-step-axis", **steps))
    y = alt.Y("rate:Q", **r.measure(rate, zero=True, format=".1~e"))
    tooltip = r.tips(step=(step, ",.0f"), rate=(rate, ".3~e"))
    blue, sand = (alt.ColorValue(palette_of(site).accent) for site in ("encoder", "decoder"))
    size = {"width": 620, "height": 240}
    asked = r.lines(x, y, blue, tooltip, table="formula", points=0, **size)
    used = r.lines(x, y, sand, tooltip, table="own", points=30, strokeDash=[5, 3], **size)
    return r.layered(asked, used, *r.rule("peak", along=x, label="label"), **size)


def target_bars(tokens: Sequence[str], model: Sequence[float], target: Sequence[float]) -> Figure:
    """For each token, the likeliest first, the probability that the model gives it and the one that
    the smoothed target asks for, both above 0.

    On a logarithmic scale, because the target gives nearly nothing to nearly all.
    """
    labels = [f"{place}. {label}" for place, label in enumerate(token_labels(tokens), start=1)]
    names = tuple(say(f"training-target-{whose}") for whose in ("model", "smoothed"))
    both = [
        pd.DataFrame({"label": labels, "whose": name, "probability": list(numbers)})
        for name, numbers in zip(names, (model, target), strict=True)
    ]
    table = pd.concat(both).rename_axis("place").reset_index()
    power = int(np.floor(np.log10(max(table["probability"].min(), 1e-12))))
    return drawn(_targets, {"bars": table}, n=len(tokens), names=names, power=power)


def _targets(n: int, names: tuple[str, str], power: int) -> alt.LayerChart:
    least, title = 10.0**power, "training-probability"
    bars = r.source("bars").mark_bar()
    bars = bars.encode(
        x=alt.X("probability:Q", **r.measure(title, domain=(least, 1), log=True, format=".0~e")),
        x2=alt.X2Datum(least),
        y=r.line_places(n, "bars", _ROW, labelLimit=200),
        yOffset=alt.YOffset("whose:N", sort=list(names)),
        color=r.series(alt.Color, "whose", names, (palette_of("encoder").accent, SELECTION)),
        tooltip=r.tips(label="figures-token", whose="training-whose", probability=(title, ".3~e")),
    )
    return r.layered(bars, width=460, height=_ROW * n)


def calibration_chart(runs: Mapping[str, Mapping[str, Sequence[float]]]) -> Figure:
    """How sure against how often right, a line a run; on the diagonal every number is true.

    Parameters
    ----------
    runs : by name the bins of `analysis.calibration.calibration`.
    """
    bins = [
        pd.DataFrame(found)[["confidence", "accuracy", "count"]].assign(run=visible(run))
        for run, found in runs.items()
    ]
    diagonal = pd.DataFrame({"confidence": [0.0, 1.0], "accuracy": [0.0, 1.0]})
    tables = {"bins": pd.concat(bins, ignore_index=True), "diagonal": diagonal}
    return drawn(_calibration, tables, runs=tuple(map(visible, runs)))


def _calibration(runs: tuple[str, ...]) -> alt.LayerChart:
    sure, right = "training-sure", "training-right"
    x, y = alt.X("confidence:Q", **r.shares(sure)), alt.Y("accuracy:Q", **r.shares(right))
    told = r.tips(
        run="training-run",
        confidence=(sure, ".3f"),
        accuracy=(right, ".3f"),
        count=("training-tokens", ",.0f"),
    )
    legend = {"labelLimit": 320, "columns": 1}
    colour = r.series(alt.Color, "run", runs, RUNS, legend=legend)
    true = r.source("diagonal").mark_line(color=GREY, strokeDash=[4, 3], **r.QUIET)
    size = {"width": 240, "height": 240}
    curves = r.lines(x, y, colour, told, table="bins", points=60, **size)
    return r.layered(true.encode(x=x, y=y), curves, **size)
