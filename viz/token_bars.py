"""Figures of next tokens as bars, and of the tokens of two translations side by side."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import DECODER
from core.records.tokens import candidate_lines, log_prob_lines
from words.numbers import fixed, percent

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, palette_of

SELECTION_NAME = "candidate"
_LINE = 22  # pixels of a row
_INNER = 0.22  # part of a row that is left free
_LOG_ROOM = 150


def candidates_chart(
    tokens: Sequence[str],
    log_probs: Sequence[float],
    token_ids: Sequence[int],
    *,
    taken: Sequence[int] = (),
    click: int = 0,
    title: str = "beam-candidates-axis",
    ranks: Sequence[int] = (),
) -> Figure:
    """Draw next tokens as horizontal bars in the order given, and the rest for all others.

    The selection `candidate` reports the `token_id` of a clicked bar with `click`, any number that
    differs from drawing to drawing. Parameters and errors are those of `candidate_lines`, and

    taken : ids of the tokens that the search kept here, with an outline.
    title : title of the axis.
    ranks : rank of each token, by default its place; one that does not follow stands at its token.
    """
    bars = candidate_lines(tokens, log_probs, token_ids)
    if ranks:
        names = zip(bars["label"], bars["rank"], ranks, strict=True)
        labels = [
            label if rank == line else say("beam-candidates-ranked", token=label, rank=rank)
            for label, line, rank in names
        ]
        bars = bars.assign(rank=ranks, label=labels)
    bars = bars.assign(click=np.int32(click), taken=bars["token_id"].isin(taken))
    # Rounding may bring the sum of all tokens above one.
    n = len(bars)
    left = max(0.0, 1.0 - float(bars["probability"].sum()))
    others = {"place": [n], "label": say("beam-candidates-others"), "probability": left}
    tables = {"bars": bars, "rest": pd.DataFrame(others)}
    for lines in tables.values():
        lines["percent"] = lines["probability"].map(percent)
    tables["names"] = pd.concat(tables.values(), ignore_index=True)[["place", "label"]]
    return drawn(_candidates, tables, n=n + 1, title=title)


def _candidates(n: int, title: str) -> alt.LayerChart:
    """Build the bars of `bars` and, below them, the hollow one of `rest`."""
    x = r.x("probability", title, domain=(0, 1), values=r.QUARTERS, format=".0%")
    lines = r.NamedLines(n, _LINE, names="names", inner=_INNER)
    ramp = palette_of(DECODER).ramp
    over = r.hover("over", "place")
    scale = alt.Scale(domain=[0, 1], range=ramp, clamp=True)
    outline = r.when(alt.StrokeValue, (over, INK), ("datum.taken", INK), otherwise=ramp[2])
    rest = r.source("rest").encode(x, lines.y)
    hollow = rest.mark_bar(
        stroke=INK, strokeDash=[3, 3], strokeOpacity=0.6, fill="transparent"
    ).encode(tooltip=r.tips(probability=("beam-probability", ".4f")))
    left = r.text(rest, align="left", dx=5, fontSize=12).encode(text="percent:N")
    tooltip = r.tips(
        token="beam-token",
        probability=("beam-probability", ".4f"),
        log_prob=("beam-log-p", ".4f"),
        rank=("beam-rank", "d"),
    )
    return r.bars(
        lines,
        r.source("bars").encode(x),
        tooltip,
        colour=(alt.Fill("probability:Q", scale=scale, legend=None), outline),
        numbers="percent",
        clicks=(r.click(SELECTION_NAME, "token_id", "click"), over),
        more=[hollow, left],
        strokeWidth=1.5,
    )


def token_log_probs(
    hypothesis_tokens: Sequence[str],
    hypothesis_log_probs: Sequence[float],
    reference_tokens: Sequence[str],
    reference_log_probs: Sequence[float],
    *,
    fell_out: int | None = None,
) -> Figure:
    """Draw the log-probability of every token of two translations, with running sums.

    The hypothesis is green and the reference purple; bars of both share one scale, and the sum so
    far stands right of each bar. A token of probability 0 has a bar to the edge. `fell_out`:
    position (from 0) of the reference's token with which it left the beam.

    Raises
    ------
    ValueError : tokens and log-probabilities differ in length, or both translations are empty.
    """
    both = {
        "hypothesis": log_prob_lines(hypothesis_tokens, hypothesis_log_probs).assign(fell=False),
        "reference": log_prob_lines(reference_tokens, reference_log_probs),
    }
    both["reference"]["fell"] = both["reference"]["place"] == fell_out
    logs = pd.concat(both)["log_prob"]
    if logs.empty:
        raise ValueError("no tokens to draw")
    # At least one nat, so that a confident translation does not fill the picture.
    lowest = min(-1.0, float(logs[np.isfinite(logs)].min()))
    for lines in both.values():
        # A log-probability of minus infinity ends at the edge.
        lines["bar"] = lines["log_prob"].clip(lower=lowest)
        lines["sum_text"] = lines["sum"].map(fixed)
    return drawn(_log_probs, both, n=max(map(len, both.values())), lowest=lowest)


def _log_probs(n: int, lowest: float) -> alt.HConcatChart:
    log_prob = "beam-log-p"
    total = "beam-errors-sum"
    x = r.x("bar", log_prob, domain=(lowest, 0), nice=False, tickCount=4)
    tooltip = r.tips(token="beam-token", log_prob=(log_prob, ".4f"), sum=(total, ".4f"))
    right = _LOG_ROOM + 54
    panels = []
    for name, colour in (("hypothesis", POSITIVE), ("reference", NEGATIVE)):
        lines = r.NamedLines(n, _LINE, _LOG_ROOM, names=name, inner=_INNER, chosen="fell")
        sums = r.text(r.source(name), fontSize=12, x=right, align="right", opacity=0.8)
        head = r.text(
            r.source(name, "datum.place == 0"),
            fontSize=11,
            x=right,
            y=-8,
            align="right",
            opacity=0.8,
            text=say(total),
        )
        fell = r.when(alt.StrokeValue, ("datum.fell", SELECTION), otherwise=colour)
        panel = r.bars(
            lines,
            r.source(name).encode(x),
            tooltip,
            colour=(alt.ColorValue(colour), fell),
            more=[sums.encode(lines.y, text="sum_text:N"), head],
            strokeWidth=2,
        )
        panel.title = alt.TitleParams(say(f"beam-{name}"), color=colour, fontSize=13, offset=18)
        panels.append(panel)
    return r.beside(*panels)
