"""Figures of leave-one-out ablation: the effect of each head on a translation and on one choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from core import ablation
from core.ablation import HeadAblation
from core.records.attention import HEAD, Head
from core.records.tokens import token_labels, visible
from words.numbers import fixed

from . import recipes as r
from .figure import Figure, drawn
from .labels import full_head_name, renamed, site_title
from .style import has_words, say
from .theme import CHOICES, INK

SELECTION_NAME = "head"
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
_STEP = 13  # pixels from one head to the next
_HEIGHT = 190  # pixels of the drawing


def head_bars(
    heads: Sequence[Head],
    values: np.ndarray,
    *,
    title: str,
    ranked: bool = True,
    pale: Sequence[bool] | bool = False,
    outputs: Sequence[str] = "",
    selected: Head | None = None,
    click: int = 0,
) -> Figure:
    """Draw a bar for each head, in the colour of its site; a click reports kind, layer and head.

    Parameters
    ----------
    heads : sequence of Head
    values : ndarray of shape (N,)
        One number a head, of any sign.
    title : str
        Title of the axis, with its unit.
    ranked : bool
        Lowest first, or in the order of `heads`.
    pale : sequence of bool
        True for the heads to draw pale.
    outputs : sequence of str
        Output of the model without each head, for the tooltip.
    selected : Head, optional
        Head with the red frame.
    click : int
        Any number that differs from drawing to drawing, so that the same head can be clicked again.

    Raises
    ------
    ValueError : there are no heads, or not one value for each.
    """
    if not len(heads) == len(values) or not len(heads):
        raise ValueError(f"expected a value for each head, found {len(values)} for {len(heads)}")
    tables = _tables(heads, values, ranked, selected, click)
    bars = tables["bars"].assign(value=np.asarray(values, float), pale=pale, text=outputs)
    # The name of a site stands over the middle of its bars.
    sites = bars.groupby("kind", sort=False)["place"].median().astype(int).reset_index()
    sites["title"] = sites["kind"].map(site_title)
    tables |= {"bars": bars, "kinds": sites[: 0 if ranked else None]}
    return drawn(
        _bars,
        tables,
        n=len(tables["places"]),
        written=len(outputs) > 0,
        sites=tuple(sites["kind"]),
        title=title,
        ranked=ranked,
    )


def _tables(
    heads: Sequence[Head],
    values: np.ndarray,
    ranked: bool,
    selected: Head | None,
    click: int,
) -> dict[str, pd.DataFrame]:
    """Return `bars`: a row a head with its place and what a click reports; `places`: the labels."""
    bars = ablation.head_places(heads, values, ranked=ranked).assign(
        name=[full_head_name(*head) for head in heads],
        selected=[tuple(head) == selected for head in heads],
        click=np.int32(click),
    )
    return {"bars": bars, "places": ablation.every_place(bars)}


def _bars(
    n: int, written: bool, sites: tuple[str, ...], title: str, ranked: bool
) -> alt.LayerChart:
    """Build the bars, with sites named above them if they are not ranked."""
    short = {
        site: say(word) if has_words(word := f"site-{site}-short") else visible(site)
        for site in sites
    }
    legend = r.swatches(symbolType="square", labelExpr=renamed(short)) if ranked else None
    colour = r.of_sites("kind", sites, legend=legend)
    pale = r.when(alt.OpacityValue, ("datum.pale", 0.45), otherwise=1.0)
    y = r.y("value", title, zero=True, tickCount=5, format="~g")
    bars = r.source("bars").mark_bar(tooltip=None, aria=False).encode(colour, pale, _x(n), y)
    # Filtered to one row, else the rule would be drawn once a head.
    zero = r.source("bars", "datum.place === 0").mark_rule(
        color=INK, opacity=0.6, tooltip=None, aria=False
    )
    names = r.text(r.source("kinds"), baseline="bottom", fontSize=11, opacity=0.85, y=-4)
    layers = bars, zero.encode(y=alt.YDatum(0)), names.encode(_x(n), text="title:N")
    columns: dict[str, r.Tip] = {"value": (title, "+.4f")}
    columns |= {"text": "figures-knockout-output"} if written else {}
    return _columns(n, *layers, columns=columns)


def _x(n: int) -> alt.X:
    axis = r.label_axis("places", _STEP, chosen="selected", labelAngle=-90, labelFontSize=10)
    return alt.X("place:O", title=None, scale=r.places(n), axis=axis)


def _columns(n: int, *layers: alt.Chart, columns: Mapping[str, r.Tip]) -> alt.LayerChart:
    """Layer marks with full-height areas that the pointer finds: small bars are hard to hit.

    `columns` are those of the tooltip, besides the name of the head.
    """
    over = r.hover("over", "place")
    clicks = r.click(SELECTION_NAME, *HEAD, "click"), over
    tooltip = r.tips({"name": "figures-knockout-without"} | dict(columns))
    framed = r.touched("bars", tooltip, clicks).encode(_x(n), r.outline("datum.selected", over))
    layers = *layers, r.kept("places", x=_x(n)), framed
    return r.layered(*layers, width=n * _STEP, height=_HEIGHT)


def choice_dots(
    record: HeadAblation, *, ranked: bool = True, selected: Head | None = None, click: int = 0
) -> Figure:
    """Draw the probabilities of the choices without each head, and with all heads as dashed lines.

    Heads stand where `head_bars` of the changes of log P puts them; a click reports the same.
    `selected` and `click` are those of `head_bars`.

    Raises
    ------
    ValueError : `record` follows no choice.
    """
    if record.position is None or not record.choices:
        raise ValueError("no choice was followed")
    tables = _tables(record.heads, record.changes, ranked, selected, click)
    bars = tables["bars"]
    plain = ablation.plain_choices(record, _HEIGHT)
    for at, shares in enumerate(record.choice_probs.T.astype(float)):
        bars[f"p{at}"] = shares
    plain["label"] = [
        say("figures-knockout-all-heads", token=line.choice, probability=fixed(line.probability, 3))
        for line in plain.itertuples()
    ]
    tables |= {"dots": ablation.choice_lines(record, bars["place"]), "plain": plain}
    return drawn(_dots, tables, n=len(tables["places"]), labels=tuple(token_labels(record.choices)))


def _dots(n: int, labels: tuple[str, ...]) -> alt.LayerChart:
    title = "figures-knockout-probability"
    y, beside = (r.share(alt.Y, column, title) for column in ("probability", "place"))
    colour, shape = r.looks("choice", labels, (alt.Color, CHOICES), (alt.Shape, SHAPES))
    plain = r.source("plain").encode(colour)
    rules = plain.mark_rule(
        strokeDash=[5, 4], strokeWidth=1.2, opacity=0.8, tooltip=None, aria=False
    ).encode(y)
    dots = r.source("dots").mark_point(filled=True, size=48, opacity=0.95, tooltip=None, aria=False)
    dots = dots.encode(colour, shape, _x(n), y)
    # In the colours of the lines, which each label names, words would have too little contrast.
    names = r.source("plain").mark_text(
        x=n * _STEP - 2, color=INK, align="right", fontSize=11, tooltip=None
    )
    names = names.encode(beside, text="label:N")
    columns = {f"p{at}": (f"P({label})", ".4f") for at, label in enumerate(labels)}
    return _columns(n, rules, dots, names, columns=columns)
