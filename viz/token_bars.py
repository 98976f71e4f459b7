"""What could come next as bars, and the tokens of two translations side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from records import DECODER
from words.numbers import fixed, percent

from . import chart
from .bars import FONT, Lines
from .chart import QUIET, Part, draw, field, mark, value, when
from .figure import Figure
from .labels import text_width, token_label
from .look import say
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, SELECTION_TEXT, palette_of

SELECTION_NAME = "candidate"

_LINE = 22
_BAR_ROOM = 200
_LOG_ROOM = 150
_MOST_LABEL = 110.0


def candidates_chart(
    tokens: Sequence[str],
    log_probs: Sequence[float],
    token_ids: Sequence[int],
    *,
    taken: Sequence[int] = (),
    click: int = 0,
    title: str = "",
) -> Figure:
    """The next tokens as horizontal bars in the order given, and what is left for all others.

    The selection `candidate` reports the `token_id` of a clicked bar with `click`.

    Parameters
    ----------
    tokens, log_probs, token_ids : of the candidates; natural log-probabilities.
    taken : ids of the tokens that the search kept here, with a red outline.
    click : any number that tells this drawing from the last, see `viz.heatmap.attention_cells`.
    title : of the axis; what is asked is what comes next where it is not given.

    Raises
    ------
    ValueError : the three sequences differ in length or are empty.
    """
    if not len(tokens) == len(log_probs) == len(token_ids) or not len(tokens):
        raise ValueError(
            f"expected as many log_probs and token_ids as tokens, and one at least; found "
            f"{len(tokens)}, {len(log_probs)} and {len(token_ids)}"
        )
    logs = np.asarray(log_probs, dtype=np.float64)
    probabilities = np.exp(logs)
    n = len(tokens)
    bars = pd.DataFrame(
        {
            "place": np.arange(n, dtype=np.int32),
            "token_id": np.asarray(token_ids, np.int32),
            "click": np.full(n, click, np.int32),
            "label": [token_label(token) for token in tokens],
            "token": [token_label(token, max_length=48) for token in tokens],
            "probability": probabilities,
            "log_prob": logs,
            "rank": np.arange(1, n + 1),
            "taken": np.isin(token_ids, list(taken)),
            "percent": [percent(probability) for probability in probabilities],
        }
    )
    left = max(0.0, 1.0 - float(probabilities.sum()))
    others = say("beam-candidates-others")
    rest = pd.DataFrame(
        {"place": [n], "label": [others], "probability": [left], "percent": [percent(left)]}
    )
    room = _label_room([*bars["label"], others])
    drawn = _candidate_bars(n, room, title or say("beam-candidates-axis"))
    return Figure(drawn, {"bars": bars, "rest": rest}, SELECTION_NAME, width=room + _BAR_ROOM + 70)


def _label_room(labels: Sequence[str]) -> int:
    return round(min(_MOST_LABEL, max(text_width(label, FONT) for label in labels))) + 10


def _lines(table: str, n: int) -> Lines:
    return Lines(table, n, inner=0.22)


def _candidate_bars(n: int, room: int, title: str) -> Part:
    ramp = list(palette_of(DECODER).ramp)
    tokens, others = _lines("bars", n + 1), _lines("rest", n + 1)
    x = field(
        "probability:Q",
        title=title,
        scale={"domain": [0, 1]},
        axis={"values": [0, 0.25, 0.5, 0.75, 1], "format": ".2f", "gridOpacity": 0.3},
    )
    over = chart.hover("over", "place")
    scale = {"domain": [0, 1], "range": ramp, "clamp": True}
    bars = tokens.bars(
        x,
        {"strokeWidth": 1.5, **QUIET},
        fill=field("probability:Q", scale=scale, legend=None),
        stroke=when((over, INK), ("datum.taken", SELECTION), otherwise=ramp[2]),
    )
    rest = others.bars(
        x,
        {"fill": "transparent", "stroke": INK, "strokeDash": [3, 3], "strokeOpacity": 0.6},
        tooltip=chart.told(("probability:Q", say("beam-probability"), ".4f")),
    )
    areas = tokens.areas(
        -room,
        _BAR_ROOM + 46,
        chart.told(
            ("token:N", say("beam-token")),
            ("probability:Q", say("beam-probability"), ".4f"),
            ("log_prob:Q", say("beam-log-p"), ".4f"),
            ("rank:Q", say("beam-rank")),
        ),
        params=(chart.click(SELECTION_NAME, "token_id", "click"), over),
    )
    names = [
        others.names(room=_MOST_LABEL, opacity=value(0.7)),
        tokens.names(room=_MOST_LABEL),
    ]
    numbers = [each.numbers(x, "percent:N", dx=5, opacity=0.8) for each in (others, tokens)]
    return chart.whole(
        chart.layered(rest, bars, *names, *numbers, areas),
        width=_BAR_ROOM,
        height=(n + 1) * _LINE,
        autosize="pad",
    )


def log_prob_lines(tokens: Sequence[str], log_probs: Sequence[float]) -> pd.DataFrame:
    """One line a token: place (from 0), label, token, log_prob and sum (of all so far).

    Raises
    ------
    ValueError : the two differ in length.
    """
    if len(tokens) != len(log_probs):
        raise ValueError(f"{len(log_probs)} log-probabilities for {len(tokens)} tokens")
    logs = np.asarray(log_probs, dtype=np.float64)
    return pd.DataFrame(
        {
            "place": np.arange(len(tokens), dtype=np.int32),
            "label": [token_label(token) for token in tokens],
            "token": [token_label(token, max_length=48) for token in tokens],
            "log_prob": logs,
            "sum": np.cumsum(logs),
        }
    )


def token_log_probs(
    hypothesis_tokens: Sequence[str],
    hypothesis_log_probs: Sequence[float],
    reference_tokens: Sequence[str],
    reference_log_probs: Sequence[float],
    *,
    fell_out: int | None = None,
) -> Figure:
    """Log-probability of every token of two translations, side by side, with running sums.

    The hypothesis is green and the reference purple; bars of both share one scale, and the sum
    so far stands right of each bar. A token of probability 0 has a bar to the edge.

    Parameters
    ----------
    fell_out : place (from 0) of the reference's token with which it left the beam.

    Raises
    ------
    ValueError : tokens and log-probabilities differ in length, or both translations are empty.
    """
    both = {
        "hypothesis": log_prob_lines(hypothesis_tokens, hypothesis_log_probs),
        "reference": log_prob_lines(reference_tokens, reference_log_probs),
    }
    n = max(map(len, both.values()))
    if n == 0:
        raise ValueError("no tokens to draw")
    logs = np.concatenate([lines["log_prob"] for lines in both.values()])
    lowest = min(-1.0, float(logs[np.isfinite(logs)].min(initial=-1.0)))
    for name, lines in both.items():
        lines["bar"] = lines["log_prob"].clip(lower=lowest)
        lines["sum_text"] = [fixed(total) for total in lines["sum"]]
        lines["fell"] = (lines["place"] == fell_out) if name == "reference" else False
    room = _label_room([label for lines in both.values() for label in lines["label"]])
    drawn = _log_prob_bars(n, room, lowest)
    return Figure(drawn, both, "", width=2 * (room + _LOG_ROOM + 100))


def _log_prob_bars(n: int, room: int, lowest: float) -> Part:
    x = field(
        "bar:Q",
        title=say("beam-errors-log-p"),
        scale={"domain": [lowest, 0], "nice": False},
        axis={"gridOpacity": 0.3, "tickCount": 4},
    )
    at_the_right = value(_LOG_ROOM + 54)

    def panel(name: str, colour: str) -> Part:
        lines = _lines(name, n)
        bars = lines.bars(
            x,
            {"color": colour, "strokeWidth": 2},
            x2=chart.datum(0),
            stroke=when(("datum.fell", SELECTION), otherwise=colour),
            tooltip=chart.told(
                ("token:N", say("beam-token")),
                ("log_prob:Q", say("beam-log-p"), ".4f"),
                ("sum:Q", say("beam-errors-sum"), ".4f"),
            ),
        )
        names = lines.names(
            room=_MOST_LABEL, color=when(("datum.fell", SELECTION_TEXT), otherwise=INK)
        )
        pale = {"align": "right", "opacity": 0.8}
        sums = lines.numbers(at_the_right, "sum_text:N", **pale)
        head = draw(
            name,
            mark("text", color=INK, fontSize=11, tooltip=None, **pale),
            where="datum.place == 0",
            x=at_the_right,
            y=value(-8),
            text=value(say("beam-errors-sum")),
        )
        title = {"text": say(f"beam-{name}"), "color": colour, "anchor": "start", "orient": "top"}
        return chart.layered(
            *(bars, names, sums, head),
            width=_LOG_ROOM,
            height=n * _LINE,
            title={**title, "fontSize": 13, "offset": 18},
        )

    panels = [panel("hypothesis", POSITIVE), panel("reference", NEGATIVE)]
    return chart.whole(
        {"hconcat": panels, "spacing": room + 20}, resolve={"scale": {"y": "independent"}}
    )
