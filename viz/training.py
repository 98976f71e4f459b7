"""Figures of training: curves, learning rate, smoothed targets, calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from core.records.tokens import token_labels, visible
from core.weights.tables import labelled
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .plots import harmless, panels
from .style import say
from .theme import GREY, POSITIVE, RUNS, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_RUNS = len(RUNS)
_ROW = 46

Points = Sequence[tuple[int, float]]


def run_curves(
    lines: pd.DataFrame, runs: Sequence[str], titles: Mapping[str, str], *, log: Sequence[str] = ()
) -> Plot:
    """Draw numbers of several trainings over their steps, a panel for each kind.

    The pointer reads every run at its step. Drag to zoom, double-click for all.

    Parameters
    ----------
    lines : DataFrame
        One row a logged number: run, measure, step and value.
    runs : sequence of str
        All possible runs; each keeps its colour, whichever are drawn.
    titles : mapping
        Titles of the measures that get a panel, in their order.
    log : sequence of str
        Measures on a logarithmic scale, which leaves out values not above 0.

    Raises
    ------
    ValueError : there are more than `MOST_RUNS` runs, or nothing to draw.
    """
    drawable = lines["run"].isin(runs) & lines["measure"].isin(titles)
    lines = lines[drawable & ((lines["value"] > 0) | ~lines["measure"].isin(log))]
    measures = [name for name in titles if name in set(lines["measure"])]
    if not measures or len(runs) > MOST_RUNS:
        raise ValueError(
            f"expected 1 to {MOST_RUNS} runs with numbers, "
            f"found {len(runs)} with {len(measures)} measures"
        )
    figure = panels(
        [titles[name] for name in measures],
        x=say("training-step-axis"),
        pointer=f"{say('training-step')} %{{x:,}}",
        height={1: 260, 2: 180}.get(len(measures), 125),
        hoversubplots="axis" if len(runs) < 3 else "single",  # more would hide the curves
        # A zoom is kept until the range of steps changes.
        uirevision=str((lines["step"].min(), lines["step"].max())),
    )
    named: set[str] = set()
    for (run, measure), curve in lines.groupby(["run", "measure"], sort=False):
        # Plotly numbers axes from 1.
        panel = measures.index(measure) + 1
        # A run has a curve in every panel, but one entry in the legend.
        in_legend = len(runs) > 1 and run not in named
        _add_curve(figure, curve, panel, runs.index(run), titles[measure], in_legend)
        named.add(run)
        if measure in log:
            figure.layout[f"yaxis{panel}"].update(type="log", tickformat=".0e", nticks=4)
    return figure.update_xaxes(tickformat=",")


def _add_curve(
    figure: Plot, curve: pd.DataFrame, panel: int, run: int, title: str, in_legend: bool
) -> None:
    """Draw one measure of the run with index `run` in a panel, which counts from 1."""
    figure.add_scatter(
        x=curve["step"].tolist(),
        y=curve["value"].tolist(),
        yaxis=f"y{panel}",
        mode="lines" if len(curve) > 1 else "markers",
        line={"color": RUNS[run], "width": 1.8},
        name=harmless(curve["run"].iloc[0]),
        legendgroup=str(run),
        showlegend=in_legend,
        hovertemplate=f"{title} %{{y:.4~g}}",
    )


def rate_curves(formula: Points, logged: Points, *, warmup: int, name: str) -> Figure:
    """Draw the rate of eq. 3 over the steps, and the rate that the run `name` logged."""
    names = (say("training-rate-formula"), name)
    # An explicit type, because a run without logged rates gives an empty column.
    logged_rates = pd.DataFrame(logged, columns=["step", "rate"], dtype=float)
    tables = {
        "formula": pd.DataFrame(formula, columns=["step", "rate"]).assign(whose=names[0]),
        "own": logged_rates.assign(whose=name),
        "peak": pd.DataFrame({"step": [warmup], "label": [say("training-warmup-ends", n=warmup)]}),
    }
    return drawn(_rates, tables, names=names[: 1 + bool(len(logged_rates))])


def _rates(names: tuple[str, ...]) -> alt.LayerChart:
    rate = "training-measure-lr"
    x = r.x(
        "step",
        "training-step-axis",
        zero=True,
        nice=False,
        grid=False,
        format=",.0f",
        tickCount=8,
    )
    y = r.y("rate", rate, zero=True, format=".1~e")
    tooltip = r.tips(whose="training-run", step=("training-step", ",.0f"), rate=(rate, ".3~e"))
    accents = [palette_of(site).accent for site in ("encoder", "decoder")]
    colour = r.series(alt.Color, "whose", names, accents)
    curves = partial(r.lines, x, y, colour, tooltip, width=820, height=360)
    logged = curves(table="own", points=30, strokeDash=[5, 3])
    marks = [logged, *r.rule("peak", along=x, label="label", above=True)]
    return curves(table="formula", points=0, more=marks)


def target_bars(
    tokens: Sequence[str],
    model: Sequence[float],
    target: Sequence[float],
    *,
    rest: tuple[int, float, float],
) -> Figure:
    """Draw for the likeliest tokens the model's probability above that of the smoothed target.

    `rest`: number of all other tokens, and their sums in the model and in the target. Without this
    line the share that smoothing takes from the label would be nowhere in the picture.
    """
    labels = [f"{rank}. {label}" for rank, label in enumerate(token_labels(tokens), start=1)]
    labels.append(say("training-target-rest", n=rest[0]))
    names = (say("training-target-model"), say("training-target-smoothed"))
    values = {names[0]: [*model, rest[1]], names[1]: [*target, rest[2]]}
    table = labelled(labels, "place", **values)
    table = table.melt(["place", "label"], var_name="whose", value_name="probability")
    table["text"] = table["probability"].map(percent)
    return drawn(_targets, {"bars": table}, n=len(labels), names=names)


def _targets(n: int, names: tuple[str, str]) -> alt.LayerChart:
    title = "training-probability"
    x = r.x("probability", title, domain=(0, 1), format=".0%", values=r.QUARTERS)
    y = r.line_places(n, "bars", _ROW, labelLimit=200)
    # The model above the target: without `sort` Vega orders by the translated names.
    offset = alt.YOffset("whose:N", sort=list(names))
    bars = r.source("bars").mark_bar()
    bars = bars.encode(
        x,
        y,
        offset,
        r.series(alt.Color, "whose", names, (POSITIVE, GREY)),
        r.tips(label="figures-token", whose="training-whose", probability=(title, ".3~e")),
    )
    numbers = r.text(r.source("bars"), align="left", dx=5, fontSize=11, aria=False)
    numbers = numbers.encode(x, y, offset, text="text:N")
    return r.layered(bars, numbers, width=470, height=_ROW * n)


def calibration_chart(runs: Mapping[str, Mapping[str, Sequence[float]]]) -> Figure:
    """Draw confidence against accuracy, one line a run; on the diagonal a model is calibrated.

    `runs`: by name the bins of `core.calibration.calibration`.
    """
    bins = [pd.DataFrame(binned).assign(run=visible(run)) for run, binned in runs.items()]
    # A table and not a rule, because it must follow both scales.
    diagonal = pd.DataFrame({"confidence": [0.0, 1.0], "accuracy": [0.0, 1.0]})
    tables = {"bins": pd.concat(bins, ignore_index=True), "diagonal": diagonal}
    return drawn(_calibration, tables, runs=tuple(map(visible, runs)))


def _calibration(runs: tuple[str, ...]) -> alt.LayerChart:
    sure = "training-sure"
    right = "training-right"
    x = r.share(alt.X, "confidence", sure)
    y = r.share(alt.Y, "accuracy", right)
    tooltip = r.tips(
        run="training-run",
        confidence=(sure, ".3f"),
        accuracy=(right, ".3f"),
        count=("training-tokens", ",.0f"),
    )
    colour = r.series(alt.Color, "run", runs, RUNS, legend=r.swatches(labelLimit=320, columns=1))
    true = r.source("diagonal").mark_line(color=GREY, strokeDash=[4, 3], tooltip=None, aria=False)
    curves = r.lines(x, y, colour, tooltip, table="bins", points=60, width=240, height=240)
    return r.layered(true.encode(x, y), curves, width=240, height=240)
