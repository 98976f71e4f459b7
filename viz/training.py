"""Figures of training: curves, learning rate, smoothed targets, calibration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import pandas as pd

from core.records.tokens import token_label, visible
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .labels import line_width
from .plots import harmless, panels
from .style import say
from .theme import GREY, POSITIVE, RUNS, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_RUNS = len(RUNS)
_RANKS = 160
_LEAST = 1e-12  # probability below which a token is drawn there
_NAME = (11, 14)  # pixels of the letters of a token's name, and of its line
# Pixels from a point to its name, to the right and down. The curve falls, so that all are clear of
# it; a name that goes left ends there.
_NAME_PLACES = ((8, -8), (8, -24), (-8, 10), (8, -38), (-8, 24), (8, -52))
_GOAL = (13, 14)  # pixels of the letters beside the target, and from it to them
_TARGET = (820, 300)  # pixels of the probabilities of all tokens
_PHONE = 350  # pixels across of the same on a phone

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
    lines = _drawable(lines, runs, titles, log)
    measures = [name for name in titles if name in set(lines["measure"])]
    if not measures or len(runs) > MOST_RUNS:
        raise ValueError(
            f"expected 1 to {MOST_RUNS} runs with numbers, "
            f"found {len(runs)} with {len(measures)} measures"
        )
    figure = _measure_panels(
        {name: titles[name] for name in measures}, log, lines["step"], len(runs)
    )
    named: set[str] = set()
    for (run, measure), curve in lines.groupby(["run", "measure"], sort=False):
        panel = measures.index(measure) + 1
        # A run has a curve in every panel, but one entry in the legend.
        in_legend = len(runs) > 1 and run not in named
        _add_curve(figure, curve, panel, runs.index(run), titles[measure], in_legend)
        named.add(run)
    return figure.update_xaxes(tickformat=",")


def _drawable(
    lines: pd.DataFrame, runs: Sequence[str], titles: Mapping[str, str], log: Sequence[str]
) -> pd.DataFrame:
    """Return the numbers that have a panel, without those that a logarithmic scale leaves out."""
    chosen = lines["run"].isin(runs) & lines["measure"].isin(titles)
    return lines[chosen & ((lines["value"] > 0) | ~lines["measure"].isin(log))]


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
    formula, rates = (r.source(table).encode(x, y, colour) for table in ("formula", "own"))
    size = (820, 360)
    logged = r.lines(rates, tooltip, size=size, points=30, strokeDash=[5, 3])
    marks = [logged, *r.rule("peak", along=x, label="label", above=True)]
    return r.lines(formula, tooltip, size=size, points=0, more=marks)


def target_curve(
    probabilities: np.ndarray,
    label: int,
    names: Mapping[int, str],
    *,
    on_label: float,
    on_others: float,
) -> Figure:
    """Draw the model's probability of every token, most likely first, over the smoothed target.

    Both axes are logarithmic, because the target of a token other than the label is tiny. Far ranks
    are drawn at `_RANKS` places.

    Parameters
    ----------
    probabilities : ndarray of shape (V,)
        The model's, by token id.
    label : int
        Id of the right token.
    names : mapping of int to str
        Tokens to be named, by id; the label is always named.
    on_label, on_others : float
        Target probability of the label and of each other token.
    """
    order = np.argsort(-probabilities, kind="stable")
    curve = _rank_rows(probabilities[order])
    ranks = {int(id): rank for rank, id in enumerate(order, start=1)}
    rivals = {ranks[id]: name for id, name in names.items() if id != label}
    named = token_label(names[label])
    lowest = min(float(curve["probability"].min()), on_others or 1.0)
    edge = 10.0 ** math.floor(math.log10(lowest))
    goal = _goal_row(ranks[label], on_label, float(probabilities[label]), named)
    tables = {
        "curve": curve,
        "named": _with_places(_rival_rows(rivals, probabilities[order]), goal, len(order), edge),
        "goal": goal,
        "floor": _floor_row(on_others),
    }
    return drawn(_target_curve, tables, n=len(order), lowest=edge)


def _rank_rows(ordered: np.ndarray) -> pd.DataFrame:
    """Return rank, from 1, and probability at about `_RANKS` ranks, evenly on a logarithm."""
    ranks = np.unique(np.geomspace(1, len(ordered), _RANKS).astype(int))
    return pd.DataFrame({"rank": ranks, "probability": np.maximum(ordered[ranks - 1], _LEAST)})


def _rival_rows(rivals: Mapping[int, str], ordered: np.ndarray) -> pd.DataFrame:
    """Return the named tokens other than the label, by their ranks."""
    shares = [float(ordered[rank - 1]) for rank in rivals]
    labels = [
        f"{token_label(name)} {percent(share)}"
        for name, share in zip(rivals.values(), shares, strict=True)
    ]
    return pd.DataFrame({"rank": list(rivals), "probability": shares, "label": labels})


def _with_places(rivals: pd.DataFrame, goal: pd.DataFrame, n: int, lowest: float) -> pd.DataFrame:
    """Add `dx`, `dy` and `align` of each name: the first of `_NAME_PLACES` that covers no other.

    It covers none on a wide page, nor on a phone, where the points are closer together.
    """
    widths = (_TARGET[0], _PHONE)
    taken = {
        width: [_text_box(goal.iloc[0], (_GOAL[1], 0), _GOAL[0], width, n, lowest)]
        for width in widths
    }
    places = []
    for _, row in rivals.iterrows():
        boxes = {
            spot: {width: _text_box(row, spot, _NAME[0], width, n, lowest) for width in widths}
            for spot in _NAME_PLACES
        }
        free = (
            spot
            for spot, of_spot in boxes.items()
            if all(_is_free(of_spot[width], taken[width], _NAME[1]) for width in widths)
        )
        spot = next(free, _NAME_PLACES[0])
        for width in widths:
            taken[width].append(boxes[spot][width])
        places.append((*spot, "left" if spot[0] > 0 else "right"))
    return rivals.assign(**pd.DataFrame(places, columns=["dx", "dy", "align"]))


def _text_box(
    row: pd.Series, spot: tuple[float, float], letters: float, width: float, n: int, lowest: float
) -> tuple[float, float, float]:
    """Return left end, right end and middle of a point's name, in pixels of a figure of `width`."""
    x = width * math.log(row["rank"]) / math.log(max(n, 2)) + spot[0]
    y = _TARGET[1] * math.log(max(row["probability"], lowest)) / math.log(lowest) + spot[1]
    room = line_width(row["label"], letters)
    return (x, x + room, y) if spot[0] > 0 else (x - room, x, y)


def _is_free(
    box: tuple[float, float, float], taken: Sequence[tuple[float, float, float]], line: float
) -> bool:
    """Return True if a text lies within the figure and covers none of those `taken`."""
    left, right, middle = box
    return left >= 0 <= middle and all(
        right < other_left or other_right < left or abs(middle - other) >= line
        for other_left, other_right, other in taken
    )


def _goal_row(rank: int, target: float, probability: float, token: str) -> pd.DataFrame:
    """Return the label's target above the probability that the model gives it."""
    text = say("training-target-of-label", token=token, target=target, model=probability)
    return pd.DataFrame(
        {"rank": [rank], "probability": [target], "given": probability, "label": text}
    )


def _floor_row(target: float) -> pd.DataFrame:
    """Return the target of every other token; no row without smoothing."""
    text = say("training-target-of-others", share=small_percent(target))
    row = pd.DataFrame({"probability": [target], "label": text})
    # Zero has no place on a logarithmic axis.
    return row[row["probability"] > 0]


def small_percent(share: float) -> str:
    """Write a share of one in hundredths with two significant digits.

    >>> small_percent(8.34e-6), small_percent(0.25), small_percent(0.0)
    ('0.00083%', '25%', '0%')
    """
    digits = 0 if share <= 0 else max(0, 1 - math.floor(math.log10(100 * share)))
    return percent(share, digits)


def _target_curve(n: int, lowest: float) -> alt.LayerChart:
    title = "training-probability"
    x = r.logarithmic(
        alt.X, "rank", "training-target-rank", domain=(1, n), nice=False, format=",.0f"
    )
    y = r.logarithmic(alt.Y, "probability", title, domain=(lowest, 1), format=".8~%", tickCount=6)
    curve = r.source("curve").encode(x=x, y=y)
    line = curve.mark_line(color=POSITIVE, strokeWidth=3, tooltip=None, aria=False)
    dots = curve.mark_point(filled=True, size=28, color=POSITIVE, opacity=0.8)
    tooltip = r.tips(rank=("training-target-rank", ",.0f"), probability=(title, ".2~e"))
    floor = r.source("floor").encode(y=y)
    rule = floor.mark_rule(color=GREY, strokeWidth=3, tooltip=None, aria=False)
    share = r.text(floor, align="left", baseline="bottom", dy=-5, fontSize=13)
    goal = r.source("goal").encode(x=x, y=y)
    gap = goal.mark_rule(color=GREY, strokeWidth=2, tooltip=None, aria=False)
    aim = goal.mark_point(shape="diamond", filled=True, size=180, color=GREY, opacity=1)
    wanted = r.text(goal, align="left", dx=_GOAL[1], fontSize=_GOAL[0])
    reached = r.source("goal").encode(
        x=x, y=r.logarithmic(alt.Y, "given", title, domain=(lowest, 1))
    )
    now = reached.mark_point(
        filled=True, size=90, color=POSITIVE, opacity=1, tooltip=None, aria=False
    )
    return r.layered(
        rule,
        line,
        dots.encode(tooltip=tooltip),
        gap.encode(y2="given:Q"),
        aim.encode(tooltip=r.tips(label="training-target-smoothed", probability=(title, ".3~e"))),
        now,
        *_rivals(x, y),
        wanted.encode(text="label:N"),
        share.encode(x=alt.XValue(6), text="label:N"),
        width=_TARGET[0],
        height=_TARGET[1],
    )


def _rivals(x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Return the marks of named tokens on the curve, and their names."""
    named = r.source("named").encode(x=x, y=y)
    marks = named.mark_point(
        filled=True, size=60, color=POSITIVE, opacity=1, tooltip=None, aria=False
    )
    offset = {name: alt.expr(f"datum.{name}") for name in ("dx", "dy", "align")}
    return [marks, r.text(named, fontSize=_NAME[0], **offset).encode(text="label:N")]


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
    bins = r.source("bins").encode(x, y, colour)
    curves = r.lines(bins, tooltip, size=(240, 240), points=60)
    return r.layered(true.encode(x, y), curves, width=240, height=240)
