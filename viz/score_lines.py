"""How the length penalty ranks hypotheses: score against alpha."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.hypotheses import rerank, score_crossings
from analysis.layout import spread
from analysis.penalties import length_penalty, penalty_base
from records import CROSS, DECODER, BeamTree, PenaltyKind

from . import chart
from .chart import Part, draw, field, mark, pixels, text, value, when
from .figure import Figure
from .labels import text_width, visible
from .look import say
from .theme import GREY, INK, SELECTION, SELECTION_TEXT, palette_of

ALPHA_SIGNAL = "penalised"  # the alpha at which the hypotheses are ranked
_UNIT = 0.05
_RANK = "#"  # stands in a label for what the browser works out
_SCORE = {"now": f"datum.log_prob / pow(datum.base, {ALPHA_SIGNAL})"}
_BEST = ({"joinaggregate": [{"op": "max", "field": "now", "as": "best"}]},)
_FIRST = "datum.now >= datum.best"
_RANKED = {
    "window": [{"op": "row_number", "as": "rank"}],
    "sort": [{"field": "now", "order": "descending"}, {"field": "node", "order": "ascending"}],
}
_LINES = 240  # least height of the plot of scores, in pixels
_LINES_ACROSS = 420
_LABEL_GAP = 15.0
_LABEL_ROOM = 270
_LABEL_LEAD = 26


def score_lines(
    tree: BeamTree,
    alphas: Iterable[float],
    *,
    penalty: PenaltyKind | None = None,
    alpha: float | None = None,
) -> Figure:
    """Score against alpha, one line a hypothesis, dots where two change places.

    Penalty and alpha are the tree's own unless given. The line that leads at `alpha` is gold,
    others that lead somewhere teal, the rest grey. Labels give the rank at `alpha`, which
    `ALPHA_SIGNAL` of the specification moves. Nothing to click.

    Raises
    ------
    ValueError : fewer than two different alphas, or `penalty` is no known one.
    """
    grid = sorted({float(a) for a in alphas})
    if len(grid) < 2:
        raise ValueError("expected at least two alphas to draw a line")
    alpha = tree.alpha if alpha is None else alpha
    penalty = tree.penalty if penalty is None else penalty
    ranked = rerank(tree, alpha, penalty)
    crossings = score_crossings(ranked, grid[0], grid[-1], penalty)
    lowest = rerank(tree, grid[0], penalty)["node"].iloc[0]
    leaders = {int(lowest), *crossings.loc[crossings["leads"], "winner"]}
    first = ranked["text"].iloc[0]

    empty, ranks = say("beam-empty"), list(ranked.itertuples())
    names = {row.node: visible(row.text) or empty for row in ranks}
    shown = {row.node: _differing(row.text, first) or empty for row in ranks}
    labels = {n: say("beam-lines-name", rank=_RANK, text=text) for n, text in shown.items()}
    lines = pd.DataFrame(
        [
            (row.node, names[row.node], row.node in leaders, a, score, row.log_prob, row.length)
            for row in ranked[::-1].itertuples()
            for a in grid
            if math.isfinite(score := row.log_prob / length_penalty(row.length, a, penalty))
        ],
        columns=["node", "name", "leads", "alpha", "score", "log_prob", "length"],
    )
    lines["base"] = [penalty_base(length, penalty) for length in lines["length"]]
    crossings["winner"] = [names[node] for node in crossings["winner"]]
    crossings["loser"] = [names[node] for node in crossings["loser"]]
    axis = _ScoreAxis.of(lines["score"])
    height = max(_LINES, round(_LABEL_GAP * (len(ranked) + 1)))
    tables = {
        "lines": lines,
        "crossings": crossings,
        "labels": _line_labels(lines, labels, axis, height),
        "now": pd.DataFrame({"here": [0]}),
    }
    drawn = _lines_chart(grid, alpha, axis, height)
    return Figure(drawn, tables, "", width=_LINES_ACROSS + _LABEL_LEAD + _LABEL_ROOM + 70)


@dataclass(frozen=True)
class _ScoreAxis:
    """Where a score stands between the two ends of the axis.

    On a log scale P / b ** alpha is a straight line; where a score is 0 or more the scale is
    linear.
    """

    low: float
    high: float
    log: bool
    ticks: tuple[float, ...]

    @classmethod
    def of(cls, scores: pd.Series) -> _ScoreAxis:
        if scores.empty:
            return cls(-1.0, 0.0, False, ())
        low, high = float(scores.min()), float(scores.max())
        if high >= 0:
            room = 0.04 * (high - low) or 0.1
            return cls(low - room, high + room, False, ())
        room = (low / high) ** 0.04 if low < high else 1.1
        low, high = low * room, high / room
        ticks = [float(f"-{digit}e{power}") for power in range(-8, 9) for digit in (1, 2, 5)]
        return cls(low, high, True, tuple(t for t in sorted(ticks) if low <= t <= high))

    def from_top(self, scores: pd.Series) -> np.ndarray:
        """0 at the upper end of the axis, 1 at the lower."""
        if not self.log:
            return ((self.high - scores) / (self.high - self.low)).to_numpy()
        return (np.log(scores / self.high) / np.log(self.low / self.high)).to_numpy()


def _differing(text: str, first: str) -> str:
    """`text` from the first word that is not as in `first`; all of it where all is."""
    words = text.split(" ")
    same = 0
    for mine, other in zip(words, first.split(" "), strict=False):
        if mine != other:
            break
        same += 1
    rest = " ".join(words[same:])
    return f"… {visible(rest)}" if same and rest else visible(text)


def _line_labels(
    lines: pd.DataFrame, names: dict[int, str], axis: _ScoreAxis, height: float
) -> pd.DataFrame:
    """The labels at the right end, moved apart where lines end close to each other."""
    ends = lines[lines["alpha"] == lines["alpha"].max()].sort_values(
        ["score", "node"], ascending=[False, True], ignore_index=True
    )
    exact = (axis.from_top(ends["score"]) * height).tolist()
    places = spread([[(place, 1.0)] for place in exact], gap=_LABEL_GAP, highest=height)
    return pd.DataFrame(
        {
            "end": exact,
            "place": places,
            **{name: ends[name] for name in ("node", "leads", "log_prob", "base")},
            "label": [_cut(names[node], _LABEL_ROOM, 11.0) for node in ends["node"]],
        }
    )


def _cut(text: str, room: float, size: float) -> str:
    """`text`, or as much of its beginning as fits `room` pixels with an ellipsis."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


def _lines_chart(grid: Sequence[float], alpha: float, axis: _ScoreAxis, height: int) -> Part:
    lowest, highest = grid[0], grid[-1]
    gold = palette_of(DECODER).accent
    teal = palette_of(CROSS).accent
    x = field(
        "alpha:Q",
        title=say("beam-lines-alpha"),
        scale={"domain": [lowest, highest], "nice": False},
        axis={"grid": False, "tickCount": 6},
    )
    ticks = {"values": list(axis.ticks)} if axis.log else {"tickCount": 6}
    y = field(
        "score:Q",
        title=say("beam-lines-log-score" if axis.log else "beam-lines-score"),
        scale={
            "type": "log" if axis.log else "linear",
            "domain": [axis.low, axis.high],
            "nice": False,
        },
        axis={"gridOpacity": 0.3, "labelExpr": "datum.value", "labelOverlap": False, **ticks},
    )
    colour = when((_FIRST, gold), ("datum.leads", teal), otherwise=GREY)
    over = chart.hover("over", "node")
    lines = draw(
        "lines",
        mark("line"),
        params=(over,),
        x=x,
        y=y,
        calculate=_SCORE,
        transform=_BEST,
        detail="node:N",
        color=colour,
        strokeWidth=when((over, 4), (_FIRST, 3), otherwise=1.6),
        tooltip=chart.told(
            ("name:N", say("beam-hypothesis")),
            ("log_prob:Q", say("beam-log-sum"), ".4f"),
            ("length:Q", say("beam-tokens")),
        ),
    )
    here = {**x, **chart.datum({"expr": ALPHA_SIGNAL})}
    del here["field"]
    inside = f"{ALPHA_SIGNAL} >= {lowest} && {ALPHA_SIGNAL} <= {highest}"
    dashed = {"strokeDash": [4, 3], "strokeWidth": 1.5}
    rule = draw("now", mark("rule", color=SELECTION, **chart.QUIET, **dashed), where=inside, x=here)
    crossings = draw(
        "crossings",
        mark("point", filled=True, fill=INK, stroke=INK, opacity=0.9),
        x=x,
        y=y,
        size=when(("datum.leads", 70), otherwise=22),
        tooltip=chart.told(
            ("alpha:Q", say("beam-lines-equal"), ".3f"),
            ("score:Q", say("beam-lines-there"), ".4f"),
            ("winner:N", say("beam-lines-ahead")),
            ("loser:N", say("beam-lines-behind")),
        ),
    )
    above = {"align": "center", "baseline": "bottom", "dy": -3, "fontSize": 11}
    written = json.dumps(say("beam-lines-now", alpha=_RANK), ensure_ascii=False)
    now = draw(
        "now",
        text(**above | {"color": SELECTION_TEXT}),
        where=inside,
        calculate={"label": f"replace({written}, '{_RANK}', format({ALPHA_SIGNAL}, '.3~g'))"},
        x=here,
        y=value(0),
        text="label:N",
    )
    leaders = draw(
        "labels",
        mark("rule", opacity=0.5, tooltip=None),
        x=value(_LINES_ACROSS + 2),
        x2=value(_LINES_ACROSS + _LABEL_LEAD),
        y=pixels("end"),
        y2="place:Q",
        calculate=_SCORE,
        transform=_BEST,
        color=colour,
    )
    names = draw(
        "labels",
        text(align="left", fontSize=11),
        x=value(_LINES_ACROSS + _LABEL_LEAD + 4),
        y=pixels("place"),
        calculate=_SCORE,
        transform=(
            *_BEST,
            _RANKED,
            {"calculate": f"replace(datum.label, '{_RANK}', datum.rank)", "as": "ranked"},
        ),
        text="ranked:N",
        opacity=when((f"!datum.leads && !({_FIRST})", 0.7), otherwise=1),
    )
    return chart.whole(
        chart.layered(chart.layered(lines, rule, crossings, now), leaders, names),
        resolve={"scale": {"y": "independent"}},
        dials=(chart.dial(ALPHA_SIGNAL, alpha, highest, _UNIT),),
        width=_LINES_ACROSS,
        height=height,
        autosize="pad",
        padding={"left": 4, "top": 18, "right": 8, "bottom": 4},
    )
