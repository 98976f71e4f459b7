"""Figures of training: curves, learning rate, smoothed targets, calibration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from core.records.tokens import token_label, visible
from words.numbers import fixed, percent

from . import recipes as r
from .figure import Figure, drawn
from .plots import harmless, panels
from .style import say
from .theme import GREY, ON_OUTCOME, POSITIVE, RUNS, ground, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_RUNS = len(RUNS)
_FEW = 20  # points of a curve that are drawn one by one
_TARGET = 640  # pixels of the bars of a target
_TARGET_NAMES = 160  # pixels of their names
_TARGET_STEP = 38  # pixels from one to the next
_FIRST_GROUP = range(1, 4)
"""Places of the bars of the right token, below a heading."""
_SECOND_GROUP = range(5, 8)
"""Places of those of all other tokens."""

_CALIBRATION = (285, 240)  # pixels of confidence against accuracy

Points = Sequence[tuple[int, float]]


def run_curves(
    lines: pd.DataFrame,
    runs: Sequence[str],
    titles: Mapping[str, str],
    *,
    log: Sequence[str] = (),
    named: bool = False,
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
    named : bool
        Write the name and the last value of each run at its line in the first panel, without a
        legend. Its lines must end apart.

    Raises
    ------
    ValueError : there are more than `MOST_RUNS` runs, or nothing to draw.
    """
    lines = _drawable(lines, runs, titles, log)
    titles = _panel_titles(lines, runs, titles)
    figure = _measure_panels(titles, log, lines["step"], len(runs))
    _add_curves(figure, lines, runs, titles, with_legend=len(runs) > 1 and not named)
    if named:
        first = next(iter(titles))
        _name_curves(figure, lines[lines["measure"] == first])
    return figure.update_xaxes(tickformat=",")


def _drawable(
    lines: pd.DataFrame, runs: Sequence[str], titles: Mapping[str, str], log: Sequence[str]
) -> pd.DataFrame:
    """Return the numbers that have a panel, without those that a logarithmic scale leaves out."""
    chosen = lines["run"].isin(runs) & lines["measure"].isin(titles)
    return lines[chosen & ((lines["value"] > 0) | ~lines["measure"].isin(log))]


def _panel_titles(
    lines: pd.DataFrame, runs: Sequence[str], titles: Mapping[str, str]
) -> dict[str, str]:
    """Return the titles of the measures that `lines` has.

    Raises ValueError if there is none, or if there are more than `MOST_RUNS` runs.
    """
    measures = set(lines["measure"])
    if not measures or len(runs) > MOST_RUNS:
        raise ValueError(
            f"expected 1 to {MOST_RUNS} runs with numbers, "
            f"found {len(runs)} with {len(measures)} measures"
        )
    return {measure: title for measure, title in titles.items() if measure in measures}


def _measure_panels(
    titles: Mapping[str, str], log: Sequence[str], steps: pd.Series, n_runs: int
) -> Plot:
    """Return empty panels of measures over the steps, as high as their number allows."""
    figure = panels(
        list(titles.values()),
        x=say("training-step-axis"),
        pointer=f"{say('training-step')} %{{x:,}}",
        height={1: 260, 2: 180}.get(len(titles), 125),
        hoversubplots="axis" if n_runs < 3 else "single",  # more would hide the curves
        # A zoom is kept until the range of steps changes.
        uirevision=str((steps.min(), steps.max())),
    )
    # Plotly numbers axes from 1.
    for panel, measure in enumerate(titles, start=1):
        if measure in log:
            figure.layout[f"yaxis{panel}"].update(type="log", tickformat="~g", nticks=4)
    return figure


def _add_curves(
    figure: Plot,
    lines: pd.DataFrame,
    runs: Sequence[str],
    titles: Mapping[str, str],
    *,
    with_legend: bool,
) -> None:
    """Draw every measure of every run, each measure in the panel of its title."""
    measures = list(titles)
    entered: set[str] = set()
    for (run, measure), curve in lines.groupby(["run", "measure"], sort=False):
        panel = measures.index(measure) + 1
        # A run has a curve in every panel, but one entry in the legend.
        in_legend = with_legend and run not in entered
        _add_curve(figure, curve, panel, runs.index(run), titles[measure], in_legend)
        entered.add(run)


def _add_curve(
    figure: Plot, curve: pd.DataFrame, panel: int, run: int, title: str, in_legend: bool
) -> None:
    """Draw one measure of the run with index `run` in a panel, which counts from 1."""
    figure.add_scatter(
        x=curve["step"].tolist(),
        y=curve["value"].tolist(),
        yaxis=f"y{panel}",
        mode=_mode(len(curve)),
        line={"color": RUNS[run], "width": 1.8},
        name=harmless(curve["run"].iloc[0]),
        legendgroup=str(run),
        showlegend=in_legend,
        hovertemplate=f"{title} %{{y:.4~g}}",
    )


def _mode(n: int) -> str:
    """Return Plotly's mode of a curve: `n` points that are few show."""
    if n == 1:
        return "markers"
    return "lines+markers" if n <= _FEW else "lines"


def _name_curves(figure: Plot, lines: pd.DataFrame) -> None:
    """Write each run's name and last value above the right end of its line in the first panel."""
    for run, curve in lines.groupby("run", sort=False):
        last = curve.iloc[-1]
        figure.add_annotation(
            x=last["step"],
            y=last["value"],
            xref="x",
            yref="y",
            text=f"<b>{harmless(run)}: {fixed(last['value'])}</b>",
            showarrow=False,
            xanchor="right",
            yanchor="bottom",
            yshift=8,
            # A line that falls runs through its own name.
            bgcolor=ground(),
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
    y = r.y("rate", rate, zero=True, format="~g")
    tooltip = r.tips(whose="training-run", step=("training-step", ",.0f"), rate=(rate, ".3~e"))
    accents = [palette_of(site).accent for site in ("encoder", "decoder")]
    colour = r.series(alt.Color, "whose", names, accents)
    formula, rates = (r.source(table).encode(x, y, colour) for table in ("formula", "own"))
    size = (820, 360)
    logged = r.lines(rates, tooltip, size=size, points=0)
    marks = [logged, *r.rule("peak", along=x, label="label", above=True)]
    return r.lines(formula, tooltip, size=size, points=0, more=marks)


def target_bars(
    token: str, *, probability: float, on_label: float, n_others: int, epsilon: float
) -> Figure:
    """Draw the plain target, the smoothed target and the model's probability, as bars.

    First for the right token, then for all others together.

    Parameters
    ----------
    token : str
        The right token.
    probability : float
        The model's probability of it.
    on_label : float
        Its smoothed target probability.
    n_others : int
        Number of other tokens.
    epsilon : float
        Label smoothing.
    """
    shares = {"plain": 1.0, "smoothed": on_label, "model": probability}
    names = [say(f"training-target-{name}", epsilon=epsilon) for name in shares]
    headings = {
        _FIRST_GROUP[0] - 1: say("training-target-right", token=token_label(token)),
        _SECOND_GROUP[0] - 1: say("training-target-others", n=n_others),
    }
    tables = {
        "bars": _target_table(shares, names),
        "headings": pd.DataFrame(headings.items(), columns=["place", "label"]),
        "names": pd.DataFrame({"label": ["", *names, "", *names]}),
    }
    return drawn(_target_bars, tables)


def _target_table(shares: Mapping[str, float], names: Sequence[str]) -> pd.DataFrame:
    """Return one row a bar: those of `shares`, the right token's, then those of what they leave."""
    probabilities = [*shares.values(), *(1 - share for share in shares.values())]
    return pd.DataFrame(
        {
            "place": [*_FIRST_GROUP, *_SECOND_GROUP],
            "probability": probabilities,
            "whose": [*shares] * 2,
            "name": [*names] * 2,
            "number": [percent(probability) for probability in probabilities],
        }
    )


def _target_bars() -> alt.LayerChart:
    title = "training-probability"
    n = 1 + _SECOND_GROUP[-1]
    y = r.line_places(n, "names", _TARGET_STEP, inner=0.25, labelLimit=_TARGET_NAMES)
    x = r.x("probability", title, domain=(0, 1), values=r.QUARTERS, format=".0%")
    colours = [GREY, palette_of("decoder").accent, POSITIVE]
    colour = r.series(alt.Color, "whose", ("plain", "smoothed", "model"), colours, legend=None)
    tooltip = r.tips(name="training-target-whose", number=title)
    # Not `r.bars`: its area of fixed pixels would leave no room to the bars on a phone.
    bars = r.source("bars").mark_bar(aria=False).encode(x, alt.X2Datum(0), y, colour, tooltip)
    # At the end of a bar: inside one that leaves no room beside it, on any of its colours.
    long = r.source("bars", "datum.probability > 0.5")
    short = r.source("bars", "datum.probability <= 0.5")
    inside = r.text(long, align="right", dx=-8, color=ON_OUTCOME, fontSize=16, fontWeight=600)
    beside = r.text(short, align="left", dx=6, fontSize=16, fontWeight=600)
    numbers = [mark.encode(x=x, y=y, text="number:N") for mark in (inside, beside)]
    heading = r.text(r.source("headings"), align="left", fontSize=15, fontWeight=600, dy=5)
    return r.layered(
        bars,
        r.kept("names", y=y),
        *numbers,
        heading.encode(x=alt.XValue(-_TARGET_NAMES), y=y, text="label:N"),
        width=_TARGET,
        height=n * _TARGET_STEP,
    )


def small_percent(share: float) -> str:
    """Write a share of one in hundredths with two significant digits.

    >>> small_percent(8.34e-6), small_percent(0.25), small_percent(0.0)
    ('0.00083%', '25%', '0%')
    """
    digits = 0 if share <= 0 else max(0, 1 - math.floor(math.log10(100 * share)))
    return percent(share, digits)


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
    x = r.x("confidence", sure, domain=(0, 1), values=r.QUARTERS, format=".0%")
    y = r.y("accuracy", right, domain=(0, 1), values=r.QUARTERS, format=".0%")
    tooltip = r.tips(
        run="training-run",
        confidence=(sure, ".1%"),
        accuracy=(right, ".1%"),
        count=("training-tokens", ",.0f"),
    )
    colour = r.series(alt.Color, "run", runs, RUNS, legend=r.swatches(labelLimit=320, columns=1))
    true = r.source("diagonal").mark_line(color=GREY, strokeDash=[4, 3], tooltip=None, aria=False)
    bins = r.source("bins").encode(x, y, colour)
    curves = r.lines(bins, tooltip, size=_CALIBRATION, points=60)
    return r.layered(true.encode(x, y), curves, width=_CALIBRATION[0], height=_CALIBRATION[1])
