"""Figure of leave-one-out ablation: the effect of each head on a translation or on one choice."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import HEAD, Head
from words.numbers import percent, signed

from . import recipes as r
from .figure import Figure, drawn
from .labels import full_head_name, site_word
from .style import is_dark, say
from .theme import INK, SURE, diverging_ramp, ink_on

SELECTION_NAME = "head"
_WIDTH = 800  # pixels of all heads of a layer
_HEIGHT = 36  # pixels of a layer
_SLIGHT = 0.05  # change below which a number is pale


def head_grid(
    lines: pd.DataFrame,
    values: np.ndarray,
    *,
    title: str,
    shares: bool = False,
    selected: Head | None = None,
    click: int = 0,
) -> Figure:
    """Draw a coloured and numbered cell for each head, a row for each layer of each site.

    Parameters
    ----------
    lines : DataFrame
        One row a head: kind, layer and head, and if there are any, as in
        `core.ablation.ablation_table`: text for the tooltip, changed for a frame in ink.
    values : ndarray of shape (N,)
        One number a head.
    title : str
        Title of the colour bar.
    shares : bool
        The numbers are shares from 0 to 1; else they have signs.
    selected : Head, optional
        Head with the red frame.
    click : int
        Any number that differs from drawing to drawing, so that the same head can be clicked again.

    Raises
    ------
    ValueError : there are no heads, or not one value for each.
    """
    if not len(lines) == len(values) or not len(lines):
        raise ValueError(f"expected a value for each head, found {len(values)} for {len(lines)}")
    values = np.asarray(values, float)
    limit = float(np.abs(values).max()) or 1.0
    ramp = tuple(SURE[is_dark()] if shares else diverging_ramp())
    inks = ink_on(ramp, values if shares else (values / limit + 1) / 2)
    labels = [percent(value, 0) if shares else signed(value) for value in values]
    cells = _cells(lines, values, labels, inks).assign(
        selected=[tuple(head) == selected for head in lines[HEAD].itertuples(index=False)],
        click=np.int32(click),
    )
    layers = _layers_of(cells)
    cells["row"] = cells.merge(layers.assign(row=layers.index), on=["kind", "layer"])["row"]
    tables = {"cells": cells, "layers": layers}
    if not shares:
        tables["limits"] = pd.DataFrame({"value": [-limit, limit]})
    size = (len(layers), int(cells["head"].max()) + 1)
    written = "text" in lines
    return drawn(_heads, tables, size=size, title=title, ramp=ramp, shares=shares, written=written)


def _cells(
    lines: pd.DataFrame, values: np.ndarray, labels: Sequence[str], inks: Sequence[str]
) -> pd.DataFrame:
    """Return one row a head: its name, number and label, and its text and change if any."""
    heads = lines[HEAD].reset_index(drop=True)
    return heads.assign(
        name=[full_head_name(*head) for head in heads.itertuples(index=False)],
        value=values,
        label=labels,
        ink=inks,
        changed=lines["changed"].to_numpy() if "changed" in lines else False,
        text=lines["text"].to_numpy() if "text" in lines else "",
    )


def _layers_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the layers of the heads, each once, with their labels."""
    layers = cells[["kind", "layer"]].drop_duplicates(ignore_index=True)
    layers["label"] = [
        f"{site_word(site)} {say('figures-layer-code', layer=layer + 1)}"
        for site, layer in zip(layers["kind"], layers["layer"], strict=True)
    ]
    return layers


def _looks(title: str, ramp: tuple[str, ...], shares: bool) -> tuple[alt.Color, alt.OpacityValue]:
    """Return the colour of cells and the opacity of their numbers, which is low for slight changes.

    Shares have colours from 0 to 1, and no slight ones.
    """
    if shares:
        return r.share_colour("value", ramp, title, form=".0%", titleLimit=480), alt.OpacityValue(1)
    # The limit is in the data, so that one chart serves all sentences; ticks at round numbers would
    # end before the largest change.
    scale = alt.Scale(range=[*ramp], domainMid=0, interpolate="lab")
    ends = "[data('limits')[0].value, 0, data('limits')[1].value]"
    bar = r.colour_bar(alt.ExprRef(ends), "+.2f", titleLimit=480)
    slight = f"abs(datum.value) < {_SLIGHT}"
    return (
        alt.Color("value:Q", title=r.title_of(title), scale=scale, legend=bar),
        r.when(alt.OpacityValue, (slight, 0.6), otherwise=1),
    )


def _heads(
    size: tuple[int, int], title: str, ramp: tuple[str, ...], shares: bool, written: bool
) -> alt.LayerChart:
    n_rows, n_heads = size
    left = r.label_axis("layers", _HEIGHT, labelFontSize=12)
    top = alt.Axis(
        ticks=False, domain=False, labelAngle=0, labelExpr="datum.value + 1", orient="top"
    )
    at = (
        alt.Y("row:O", title=None, scale=r.places(n_rows, 0.1), axis=left),
        alt.X("head:O", title=r.title_of("figures-head"), scale=r.places(n_heads, 0.04), axis=top),
    )
    colour, opacity = _looks(title, ramp, shares)
    cells = r.source("cells")
    limits = r.source("limits").mark_rect(x=0, y=0, opacity=0, tooltip=None, aria=False)
    columns: dict[str, r.Tip] = {"value": (title, ".1%" if shares else ".4f")}
    columns |= {"text": "figures-knockout-output"} if written else {}
    clicks = r.click(SELECTION_NAME, *HEAD, "click")
    # Wide, so that it can be seen around the red frame of the selected head.
    changed = r.source("cells", "datum.changed").mark_rect(
        filled=False, stroke=INK, strokeWidth=6, tooltip=None, aria=False
    )
    tooltip = r.tips({"name": "figures-knockout-without"} | columns)
    return r.layered(
        cells.mark_rect(tooltip=None, aria=False).encode(*at, colour),
        *[limits.encode(color=colour)] * (not shares),
        changed.encode(*at),
        r.text(cells, fontSize=12).encode(*at, r.own_ink(), text="label:N", opacity=opacity),
        r.touched("cells", tooltip, clicks).encode(*at, r.outline("datum.selected")),
        r.kept("layers", y=at[0]),
        width=_WIDTH,
        height=n_rows * _HEIGHT,
    )
