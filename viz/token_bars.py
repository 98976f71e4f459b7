"""What could come next as bars, and the tokens of two translations side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from .beam_tree import SIDE_COLOURS
from .figure import Figure, table
from .labels import text_width, token_label
from .theme import INK, SELECTION, palette_of

SELECTION_NAME = "candidate"

_LINE, _FONT = 22, 12.0
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
    dark: bool = False,
) -> Figure:
    """The next tokens as horizontal bars in the order given, and what is left for all others.

    The selection `candidate` reports the `token_id` of a clicked bar with `click`.

    Parameters
    ----------
    tokens, log_probs, token_ids : of the candidates; natural log-probabilities.
    taken : ids of the tokens that the search kept here, with a red outline.
    click : any number that tells this drawing from the last, see `viz.heatmap.attention_cells`.

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
            "percent": [_percent(probability) for probability in probabilities],
        }
    )
    left = max(0.0, 1.0 - float(probabilities.sum()))
    rest = pd.DataFrame(
        {"place": [n], "label": ["all others"], "probability": [left], "percent": [_percent(left)]}
    )
    room = _label_room([*bars["label"], "all others"])
    chart = _candidate_bars(n, room, dark)
    return Figure(chart, {"bars": bars, "rest": rest}, SELECTION_NAME, width=room + _BAR_ROOM + 70)


def _percent(probability: float) -> str:
    """Percent with one decimal; what that would round away is not called nothing."""
    return "< 0.1%" if 0 < probability < 0.0005 else f"{probability:.1%}"


def _label_room(labels: Sequence[str]) -> int:
    return round(min(_MOST_LABEL, max(text_width(label, _FONT) for label in labels))) + 10


def _places(n: int) -> alt.Y:
    return alt.Y("place:O", scale=alt.Scale(domain=list(range(n)), paddingInner=0.22), axis=None)


@lru_cache(maxsize=64)
def _candidate_bars(n: int, room: int, dark: bool) -> dict[str, Any]:
    ramp = list(palette_of("decoder", dark=dark).ramp)
    y = _places(n + 1)
    x = alt.X(
        "probability:Q",
        title="probability of being next",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f", gridOpacity=0.3),
    )
    candidate = alt.selection_point(
        name=SELECTION_NAME,
        fields=["token_id", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    over = alt.selection_point(
        name="over", fields=["place"], on="pointerover", clear="pointerout", empty=False
    )
    tooltip = [
        alt.Tooltip("token:N", title="token"),
        alt.Tooltip("probability:Q", title="probability", format=".4f"),
        alt.Tooltip("log_prob:Q", title="log p", format=".4f"),
        alt.Tooltip("rank:Q", title="rank"),
    ]
    bars, rest = alt.Chart(table("bars")), alt.Chart(table("rest"))
    stroke = alt.when(over).then(alt.value(INK)).when("datum.taken").then(alt.value(SELECTION))
    drawn = bars.mark_bar(strokeWidth=1.5, tooltip=None, aria=False).encode(
        x=x,
        y=y,
        fill=alt.Fill(
            "probability:Q", scale=alt.Scale(domain=[0, 1], range=ramp, clamp=True), legend=None
        ),
        stroke=stroke.otherwise(alt.value(ramp[2])),
    )
    left = rest.mark_bar(fill="transparent", stroke=INK, strokeDash=[3, 3], strokeOpacity=0.6)
    left = left.encode(x=x, y=y, tooltip=[alt.Tooltip("probability:Q", format=".4f")])
    # The whole line takes the click: bars of small probabilities are too thin for a finger.
    areas = (
        bars.mark_rect(fill="transparent", cursor="pointer")
        .encode(x=alt.value(-room), x2=alt.value(_BAR_ROOM + 46), y=y, tooltip=tooltip)
        .add_params(candidate, over)
    )

    def labels(data: alt.Chart, opacity: float) -> alt.LayerChart:
        text = {"baseline": "middle", "fontSize": _FONT, "color": INK, "tooltip": None}
        names = data.mark_text(align="right", limit=_MOST_LABEL, opacity=opacity, **text).encode(
            x=alt.value(-8), y=y, text="label:N"
        )
        numbers = data.mark_text(align="left", dx=5, opacity=0.8, **text).encode(
            x=x, y=y, text="percent:N"
        )
        return alt.layer(names, numbers)

    return (
        alt.layer(left, drawn, labels(rest, 0.7), labels(bars, 1.0), areas)
        .properties(
            width=_BAR_ROOM,
            height=(n + 1) * _LINE,
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 8, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
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
        lines["sum_text"] = [_number(total) for total in lines["sum"]]
        lines["fell"] = (lines["place"] == fell_out) if name == "reference" else False
    room = _label_room([label for lines in both.values() for label in lines["label"]])
    chart = _log_prob_bars(n, room, lowest)
    return Figure(chart, both, "", width=2 * (room + _LOG_ROOM + 100))


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−").replace("inf", "∞")


@lru_cache(maxsize=64)
def _log_prob_bars(n: int, room: int, lowest: float) -> dict[str, Any]:
    y = _places(n)
    x = alt.X(
        "bar:Q",
        title="log p of the token",
        scale=alt.Scale(domain=[lowest, 0], nice=False),
        axis=alt.Axis(gridOpacity=0.3, tickCount=4),
    )

    def panel(name: str, colour: str) -> alt.LayerChart:
        lines = alt.Chart(table(name))
        text = {"baseline": "middle", "fontSize": _FONT, "tooltip": None}
        bars = lines.mark_bar(color=colour, strokeWidth=2).encode(
            x=x,
            x2=alt.X2Datum(0),
            y=y,
            stroke=alt.when("datum.fell").then(alt.value(SELECTION)).otherwise(alt.value(colour)),
            tooltip=[
                alt.Tooltip("token:N", title="token"),
                alt.Tooltip("log_prob:Q", title="log p", format=".4f"),
                alt.Tooltip("sum:Q", title="sum so far", format=".4f"),
            ],
        )
        names = lines.mark_text(align="right", limit=_MOST_LABEL, **text).encode(
            x=alt.value(-8),
            y=y,
            text="label:N",
            color=alt.when("datum.fell").then(alt.value(SELECTION)).otherwise(alt.value(INK)),
        )
        sums = lines.mark_text(align="right", color=INK, opacity=0.8, **text).encode(
            x=alt.value(_LOG_ROOM + 54), y=y, text="sum_text:N"
        )
        head = (
            lines.transform_filter("datum.place == 0")
            .mark_text(align="right", color=INK, opacity=0.8, fontSize=11, tooltip=None)
            .encode(x=alt.value(_LOG_ROOM + 54), y=alt.value(-8), text=alt.value("sum so far"))
        )
        title = alt.TitleParams(
            name, color=colour, anchor="start", orient="top", fontSize=13, offset=18
        )
        return alt.layer(bars, names, sums, head).properties(
            width=_LOG_ROOM, height=n * _LINE, title=title
        )

    panels = [
        panel("hypothesis", SIDE_COLOURS["second"]),
        panel("reference", SIDE_COLOURS["first"]),
    ]
    return (
        alt.hconcat(*panels, spacing=room + 20)
        .resolve_scale(y="independent")
        .properties(padding={"left": 4, "top": 4, "right": 8, "bottom": 4})
        .configure_view(stroke=None)
        .to_dict()
    )
