"""Curves of trainings, the rate of a schedule, smoothed targets, and how far to trust a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from . import chart
from .chart import draw, field, mark, text, value
from .figure import Figure
from .labels import token_label
from .look import say
from .panels import panels
from .plots import harmless
from .theme import GREY, INK, SELECTION, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

RUN_COLOURS = ("#4f80b5", "#b78e1c", "#2f9087", "#b3566a", "#8b6bb1", "#737b88")
MOST_RUNS = len(RUN_COLOURS)
_ACROSS = 620
_DOWN = {1: 260, 2: 180}  # pixels of a panel
_BAR = 230
_SQUARE = 240

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

    Raises
    ------
    ValueError : more than `MOST_RUNS` runs, or nothing to draw.
    """
    if not 1 <= len(runs) <= MOST_RUNS:
        raise ValueError(f"expected 1 to {MOST_RUNS} runs, found {len(runs)}")
    lines = lines[(lines["value"] > 0) | ~lines["measure"].isin(log)]
    measures = [name for name in titles if (lines["measure"] == name).any()]
    if not measures:
        raise ValueError("expected something to draw")
    plot = panels(
        [titles[name] for name in measures],
        x=say("training-step-axis"),
        pointer=f"{say('training-step')} %{{x:,}}",
        height=_DOWN.get(len(measures), 125),
        hoversubplots="axis" if len(runs) < 3 else "single",  # more would hide the curves
        uirevision=str((lines["step"].min(), lines["step"].max())),
    )
    named = set()
    for (place, measure), (run, colour) in product(
        enumerate(measures, start=1), zip(runs, RUN_COLOURS, strict=False)
    ):
        own = lines[(lines["run"] == run) & (lines["measure"] == measure)]
        if own.empty:
            continue
        plot.add_scatter(
            x=own["step"].tolist(),
            y=own["value"].tolist(),
            yaxis=f"y{place}",
            mode="lines" if len(own) > 1 else "markers",
            line={"color": colour, "width": 1.8},
            name=harmless(run),
            legendgroup=run,
            showlegend=len(runs) > 1 and run not in named,
            hovertemplate=f"{titles[measure]} %{{y:.4~g}}",
        )
        named.add(run)
        if measure in log:
            plot.update_layout({f"yaxis{place}": {"type": "log", "tickformat": ".0e", "nticks": 4}})
    return plot.update_xaxes(tickformat=",")


def rate_curves(formula: Points, own: Points, *, warmup: int) -> Figure:
    """The rate of eq. 3 over the steps, and beside it the rate that a run really used."""
    tables = {
        "formula": pd.DataFrame(formula, columns=["step", "rate"]),
        "own": pd.DataFrame(own, columns=["step", "rate"], dtype=float),
        "peak": pd.DataFrame({"step": [warmup], "label": [say("training-warmup-ends", n=warmup)]}),
    }
    last = max(step for step, _ in (*formula, *own))
    x = field(
        "step:Q",
        title=say("training-step-axis"),
        scale={"domain": [0, int(last)], "nice": False},
        axis={"grid": False, "format": ",.0f", "tickCount": 8},
    )
    y = field(
        "rate:Q", title=say("training-measure-lr"), axis={"format": ".1~e", "gridOpacity": 0.3}
    )
    blue, sand = (palette_of(kind).accent for kind in ("encoder", "decoder"))
    tooltip = chart.told(
        ("step:Q", say("training-step"), ",.0f"), ("rate:Q", say("training-measure-lr"), ".3~e")
    )
    layers = [
        draw("formula", mark("line", strokeWidth=2.4, color=blue, tooltip=None), x=x, y=y),
        draw("formula", mark("point", size=60, opacity=0.001), x=x, y=y, tooltip=tooltip),
        draw(
            "own",
            mark("line", strokeWidth=2, strokeDash=[5, 3], color=sand, tooltip=None),
            x=x,
            y=y,
        ),
        draw("own", mark("point", size=30, filled=True, color=sand), x=x, y=y, tooltip=tooltip),
        draw("peak", mark("rule", color=GREY, strokeDash=[2, 3], **chart.QUIET), x=x),
        draw("peak", text(align="left", dx=5, fontSize=11), x=x, y=value(8), text="label:N"),
    ]
    part = chart.layered(*layers, width=_ACROSS, height=240)
    return Figure(chart.whole(part), tables, "", width=_ACROSS + 90)


def target_bars(tokens: Sequence[str], model: Sequence[float], target: Sequence[float]) -> Figure:
    """For each token what the model gives it and what the smoothed target asks for.

    On a logarithmic scale, because the target gives nearly nothing to nearly all.

    Parameters
    ----------
    tokens : pieces, the likeliest first.
    model, target : their probabilities, above 0.
    """
    names = (say("training-target-model"), say("training-target-smoothed"))
    labels = [f"{place}. {token_label(token)}" for place, token in enumerate(tokens, start=1)]
    table = pd.DataFrame(
        {
            "place": np.tile(np.arange(len(tokens), dtype=np.int16), 2),
            "label": labels * 2,
            "whose": np.repeat(names, len(tokens)),
            "probability": np.array([*model, *target], dtype=float),
        }
    )
    least = 10.0 ** np.floor(np.log10(max(table["probability"].min(), 1e-12)))
    table["least"] = least
    y = field(
        "label:O",
        title=None,
        sort=labels,
        axis={"labelLimit": 130, "labelOverlap": False, "ticks": False, "domain": False},
    )
    x = field(
        "probability:Q",
        title=say("training-probability"),
        scale={"type": "log", "domain": [least, 1]},
        axis={"format": ".0~e", "tickCount": 6, "gridOpacity": 0.3},
    )
    colours = [palette_of("encoder").accent, SELECTION]
    colour = field(
        "whose:N", title=None, scale={"domain": list(names), "range": colours},
        legend=chart.swatches(),
    )  # fmt: skip
    told = chart.told(
        ("label:N", say("figures-token")),
        ("whose:N", say("training-whose")),
        ("probability:Q", say("training-probability"), ".3~e"),
    )
    apart = field("whose:N", sort=list(names))
    bars = draw(
        "bars", mark("bar"), x=x, x2="least:Q", y=y, yOffset=apart, color=colour, tooltip=told
    )
    part = chart.layered(bars, width=_BAR * 2, height=26 * len(tokens))
    return Figure(chart.whole(part, autosize="pad"), {"bars": table}, "", width=_BAR * 2 + 200)


def calibration_chart(runs: Mapping[str, Mapping[str, Sequence[float]]]) -> Figure:
    """How sure against how often right, a line a run; on the diagonal every number is true.

    Parameters
    ----------
    runs : by name the bins of `analysis.calibration.calibration`.
    """
    table = pd.DataFrame(
        [
            {"run": run, "confidence": sure, "accuracy": right, "count": count}
            for run, bins in runs.items()
            for sure, right, count in zip(
                bins["confidence"], bins["accuracy"], bins["count"], strict=True
            )
        ]
    )
    scale = {"domain": [0, 1], "nice": False}
    x = field(
        "confidence:Q", title=say("training-sure"), scale=scale, axis=chart.share_axis(),
    )  # fmt: skip
    y = field("accuracy:Q", title=say("training-right"), scale=scale, axis=chart.share_axis())
    colour = field(
        "run:N",
        title=None,
        scale={"domain": list(runs), "range": list(RUN_COLOURS[: len(runs)])},
        legend=chart.swatches(labelLimit=320, columns=1),
    )
    told = chart.told(
        ("run:N", say("training-run")),
        ("confidence:Q", say("training-sure"), ".3f"),
        ("accuracy:Q", say("training-right"), ".3f"),
        ("count:Q", say("training-tokens"), ",.0f"),
    )
    diagonal = pd.DataFrame({"confidence": [0.0, 1.0], "accuracy": [0.0, 1.0]})
    layers = [
        draw("diagonal", mark("line", color=GREY, strokeDash=[4, 3], **chart.QUIET), x=x, y=y),
        draw("bins", mark("line", strokeWidth=1.8, tooltip=None), x=x, y=y, color=colour),
        draw(
            "bins", mark("point", filled=True, opacity=1, size=60, stroke=INK, strokeWidth=0.5),
            x=x, y=y, color=colour, tooltip=told,
        ),
    ]  # fmt: skip
    part = chart.layered(*layers, width=_SQUARE, height=_SQUARE)
    return Figure(
        chart.whole(part, autosize="pad"),
        {"bins": table, "diagonal": diagonal},
        "",
        width=_SQUARE + 100,
    )
