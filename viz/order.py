"""Order and position: what a change of order does, and which heads follow places."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from analysis.measures import special_mass
from records import ATTENTION_KINDS, AttentionKind, AttentionMap, Equivariance, PositionHeads

from .figure import Figure, table
from .labels import distinct_labels, font_size, numbered_labels, text_width
from .overview import KIND_TITLES
from .theme import INK, SELECTION, diverging_ramp, palette_of

Measure = Literal["distance", "cosine"]

SELECTION_NAME = "head"
MEASURE_TITLES: dict[Measure, str] = {
    "distance": "Euclidean distance",
    "cosine": "cosine of the angle",
}
_LABEL_LIMIT = 110.0
_LAYER = 44  # pixels of a column of layers
_LAYER_ROW = 21
_MOST_NUMBERED = 30  # tokens; beyond, the cells are too many for numbers
_STRIP, _STRIP_ROW = 11, 24
_MAP_ROOM = 190
_SCATTER = 330
_TINY = 1e-18
_PAD = {"autosize": "pad", "padding": {"left": 4, "top": 4, "right": 24, "bottom": 4}}


def layer_table(
    panels: Mapping[str, np.ndarray], tokens: Sequence[str], measure: Measure
) -> pd.DataFrame:
    """One line for each panel, layer and token.

    Parameters
    ----------
    panels : for each title an array (L + 1, T), layer 0 the embedding.

    Returns
    -------
    DataFrame with the columns panel, layer, t (from 0), token (label with its position from 1),
    value and text (the number as it stands in its cell).

    Raises
    ------
    ValueError : no panels, or a panel that is not (L + 1, T).
    """
    shapes = {values.shape for values in panels.values()}
    if len(shapes) != 1 or next(iter(shapes))[1:] != (len(tokens),):
        raise ValueError(f"expected panels of (L + 1, {len(tokens)}), found {sorted(shapes)}")
    labels = np.array(numbered_labels(tokens), dtype=object)
    lines = []
    for place, values in enumerate(panels.values()):
        layers, rows = (axis.ravel() for axis in np.indices(values.shape))
        lines.append(
            pd.DataFrame(
                {
                    "panel": np.full(len(rows), place, np.int16),
                    "layer": layers.astype(np.int16),
                    "t": rows.astype(np.int16),
                    "token": labels[rows],
                    "value": values.ravel().astype(np.float64),
                    "text": [_cell_text(value, measure) for value in values.ravel()],
                }
            )
        )
    return pd.concat(lines, ignore_index=True)


def _cell_text(value: float, measure: Measure) -> str:
    """Short enough for a cell; a small distance is not called nothing."""
    if value == 0 or abs(value) >= 0.005:
        return f"{value:.2f}"
    return f"{value:.2f}" if measure == "cosine" else f"{value:.0e}".replace("e-0", "e-")


def layer_panels(
    panels: Mapping[str, np.ndarray],
    tokens: Sequence[str],
    *,
    measure: Measure = "distance",
    dark: bool = False,
) -> Figure:
    """Tokens by layers, one matrix a title beside each other, on one scale of colours.

    Strong colours mean far apart: large distances, small cosines. The other arguments and errors
    are those of `layer_table`.
    """
    cells = layer_table(panels, tokens, measure)
    n_layers = int(cells["layer"].max()) + 1
    low, high = float(cells["value"].min()), float(cells["value"].max())
    domain = (0.0, max(high, 1e-6)) if measure == "distance" else (min(low, 0.9), 1.0)
    # Dark cells carry light numbers in a light page, and the other way round.
    share = (cells["value"] - domain[0]) / (domain[1] - domain[0])
    cells["strong"] = (share if measure == "distance" else 1 - share) > 0.6
    labels = distinct_labels(tokens)
    rows = pd.DataFrame({"t": np.arange(len(tokens), dtype=np.int16), "label": labels})
    room = _room(labels, 13.0)
    chart = _layer_chart(tuple(panels), len(tokens), n_layers, measure, room, dark)
    legend = {"domain": list(domain)}
    width = len(panels) * (n_layers * _LAYER + room + 16) + 30
    return Figure(
        _with_domain(chart, legend), {"cells": cells, "rows": rows}, "", width=round(width)
    )


def _with_domain(chart: dict[str, Any], domain: dict[str, list[float]]) -> dict[str, Any]:
    """A chart that refers to a domain by parameter, with the domain of this drawing."""
    ends = domain["domain"]
    return {
        **chart,
        "params": [
            *chart.get("params", []),
            {"name": "low", "value": ends[0]},
            {"name": "high", "value": ends[1]},
        ],
    }


def _scale_by_parameters(ramp: Sequence[str]) -> alt.Scale:
    return alt.Scale(
        domainMin=alt.ExprRef("low"), domainMax=alt.ExprRef("high"), range=list(ramp), clamp=True,
        nice=False, zero=False, interpolate="lab",
    )  # fmt: skip


def _legend(title: str, form: str, *, offset: int = 8, **more: Any) -> alt.Legend:
    return alt.Legend(
        title=title,
        orient="bottom",
        direction="horizontal",
        gradientLength=180,
        gradientThickness=10,
        format=form,
        offset=offset,
        titleLimit=260,
        **more,
    )


@lru_cache(maxsize=32)
def _layer_chart(
    titles: tuple[str, ...], n_tokens: int, n_layers: int, measure: Measure, room: int, dark: bool
) -> dict[str, Any]:
    ramp = palette_of("encoder", dark=dark).ramp
    form = ".2f" if measure == "cosine" else ".2~f"
    names = "datum.value == 0 ? 'emb' : datum.label"
    x = alt.X(
        "layer:O",
        title="layer",
        scale=_bands(n_layers),
        axis=alt.Axis(
            orient="top",
            labelAngle=0,
            labelExpr=names,
            ticks=False,
            domain=False,
            labelPadding=4,
            titlePadding=4,
        ),
    )
    y = alt.Y(
        "t:O",
        title="token",
        scale=_bands(n_tokens),
        axis=alt.Axis(labels=False, ticks=False, domain=False, titlePadding=room + 18),
    )
    what = MEASURE_TITLES[measure]

    def panel(place: int, title: str) -> alt.LayerChart:
        cells = alt.Chart(table("cells")).transform_filter(f"datum.panel === {place}")
        drawn = cells.mark_rect().encode(
            x=x,
            y=y,
            color=alt.Color(
                "value:Q",
                scale=_scale_by_parameters(ramp if measure == "distance" else ramp[::-1]),
                legend=_legend(what, form, tickCount=4),
            ),
            tooltip=[
                alt.Tooltip("token:N", title="token"),
                alt.Tooltip("layer:Q", title="layer (0: embedding)"),
                alt.Tooltip("value:Q", title=what, format=".3~g"),
            ],
        )
        layers = [drawn, _row_labels("t", y, 13.0)]
        if n_tokens <= _MOST_NUMBERED:
            strong, weak = ("#10151c", INK) if dark else ("#ffffff", INK)
            colour = alt.when("datum.strong").then(alt.value(strong)).otherwise(alt.value(weak))
            numbers = cells.mark_text(fontSize=10, tooltip=None)
            layers.append(numbers.encode(x=x, y=y, text="text:N", color=colour))
        return alt.layer(*layers).properties(
            width=n_layers * _LAYER,
            height=n_tokens * _LAYER_ROW,
            title=alt.Title(title, anchor="start", fontSize=12),
        )

    return (
        alt.hconcat(*(panel(place, title) for place, title in enumerate(titles)), spacing=16)
        .resolve_scale(color="shared")
        .properties(**_PAD)
        .configure_view(stroke=None)
        .to_dict()
    )


def _bands(count: int) -> alt.Scale:
    return alt.Scale(domain=list(range(count)), paddingInner=0.06, paddingOuter=0.0)


def _room(labels: Sequence[str], size: float) -> int:
    return round(min(_LABEL_LIMIT, max(text_width(label, size) for label in labels)))


def _row_labels(position: str, y: alt.Y, size: float, **where: Any) -> alt.Chart:
    chart = alt.Chart(table("rows"))
    if where:
        chart = chart.transform_filter(where["only"])
    return chart.mark_text(
        align="right", baseline="middle", fontSize=size, limit=_LABEL_LIMIT, color=INK, tooltip=None
    ).encode(y=y, x=alt.value(-6), text="label:N")


def vector_strips(rows: Mapping[str, np.ndarray], *, dark: bool = False) -> Figure:
    """Vectors as strips of colour, one below the other, purple below 0 and green above.

    Parameters
    ----------
    rows : for each name a vector; all of the same length.

    Raises
    ------
    ValueError : no vectors, or vectors of different lengths.
    """
    lengths = {len(vector) for vector in rows.values()}
    if len(lengths) != 1:
        raise ValueError(f"expected vectors of one length, found {sorted(lengths)}")
    n = lengths.pop()
    values = np.stack([np.asarray(vector, np.float64) for vector in rows.values()])
    places, dims = (axis.ravel() for axis in np.indices(values.shape))
    names = list(rows)
    cells = pd.DataFrame(
        {
            "r": places.astype(np.int16),
            "dimension": (dims + 1).astype(np.int16),
            "name": [names[place] for place in places],
            "value": values.ravel(),
        }
    )
    labels = pd.DataFrame({"r": np.arange(len(names), dtype=np.int16), "label": names})
    limit = max(float(np.abs(values).max()), 1e-6)
    chart = _strip_chart(len(names), n, max(text_width(name, 12.0) for name in names), dark)
    return Figure(
        _with_domain(chart, {"domain": [-limit, limit]}),
        {"cells": cells, "rows": labels},
        "",
        width=n * _STRIP + round(max(text_width(name, 12.0) for name in names)) + 30,
    )


@lru_cache(maxsize=32)
def _strip_chart(n_rows: int, n: int, room: float, dark: bool) -> dict[str, Any]:
    x = alt.X(
        "dimension:O",
        title="number of the vector (first ones)",
        scale=alt.Scale(domain=list(range(1, n + 1)), paddingInner=0.0, paddingOuter=0.0),
        axis=alt.Axis(
            labelAngle=0, values=[1, *range(8, n + 1, 8)], ticks=False, domain=False, grid=False
        ),
    )
    y = alt.Y(
        "r:O",
        title=None,
        scale=alt.Scale(domain=list(range(n_rows)), paddingInner=0.22),
        axis=alt.Axis(labels=False, ticks=False, domain=False),
    )
    cells = (
        alt.Chart(table("cells"))
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "value:Q",
                scale=_scale_by_parameters(diverging_ramp(dark)),
                legend=_legend("value", ".2~f", tickCount=5),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="vector"),
                alt.Tooltip("dimension:Q", title="number"),
                alt.Tooltip("value:Q", title="value", format=".6f"),
            ],
        )
    )
    labels = (
        alt.Chart(table("rows"))
        .mark_text(align="right", baseline="middle", fontSize=12, color=INK, tooltip=None)
        .encode(y=y, x=alt.value(-6), text="label:N")
    )
    return (
        alt.layer(cells, labels)
        .properties(
            width=n * _STRIP,
            height=n_rows * _STRIP_ROW,
            **_PAD,
        )
        .configure_view(stroke=None)
        .to_dict()
    )


def equivariance_table(found: Sequence[Equivariance]) -> pd.DataFrame:
    """One line for each case and permutation.

    Returns
    -------
    DataFrame with the columns case (in words), positions, bits, permutation (from 1), difference
    (largest absolute difference), rounding (the distance between neighbouring floating-point
    numbers at the largest number of the output).
    """
    lines = []
    for entry in found:
        kind = np.float32 if entry.bits == 32 else np.float64
        step = float(np.spacing(kind(entry.largest_value)))
        lines += [
            {
                "case": f"{'with' if entry.positions else 'without'} positions, float{entry.bits}",
                "positions": entry.positions,
                "bits": entry.bits,
                "permutation": number,
                "difference": float(difference),
                "rounding": step,
            }
            for number, difference in enumerate(entry.differences, start=1)
        ]
    return pd.DataFrame(lines)


def equivariance_plot(found: Sequence[Equivariance], *, dark: bool = False) -> Figure:
    """The largest difference of every permutation as a dot, on a logarithmic axis.

    A tick in each row is one rounding step at the size of the output. Differences of exactly 0
    stand at the left end.
    """
    lines = equivariance_table(found)
    cases = tuple(dict.fromkeys(lines["case"]))
    lines["shown"] = lines["difference"].clip(lower=_TINY)
    lowest = lines[["shown", "rounding"]].min().min()
    first = math.floor(math.log10(lowest)) if lowest > _TINY else -18
    last = math.ceil(math.log10(max(1.0, float(lines["shown"].max()))) + 0.01)
    return Figure(_equivariance_chart(cases, first, last, dark), {"lines": lines}, "", width=530)


@lru_cache(maxsize=32)
def _equivariance_chart(
    cases: tuple[str, ...], first: int, last: int, dark: bool
) -> dict[str, Any]:
    ticks = [10.0**power for power in range(first, last + 1, 2)]
    x = alt.X(
        "shown:Q",
        title="largest absolute difference",
        scale=alt.Scale(type="log", domain=[10.0**first, 10.0**last], nice=False),
        axis=alt.Axis(values=ticks, format=".0e", gridOpacity=0.3, labelOverlap="greedy"),
    )
    y = alt.Y(
        "case:N",
        title=None,
        scale=alt.Scale(domain=list(cases), padding=0.4),
        axis=alt.Axis(
            labelLimit=220,
            labelFontSize=12,
            labelOverlap=False,
            ticks=False,
            domain=False,
            grid=False,
        ),
    )
    tooltip = [
        alt.Tooltip("case:N", title="encoder"),
        alt.Tooltip("permutation:Q", title="permutation"),
        alt.Tooltip("difference:Q", title="largest difference", format=".3e"),
        alt.Tooltip("rounding:Q", title="one rounding step", format=".3e"),
    ]
    base = alt.Chart(table("lines"))
    dots = base.mark_point(
        filled=True,
        size=70,
        color=palette_of("encoder", dark=dark).accent,
        opacity=0.75,
        stroke=INK,
        strokeWidth=0.5,
    )
    steps = base.transform_filter("datum.permutation === 1").mark_tick(
        color=SELECTION, thickness=2, size=22
    )
    return (
        alt.layer(
            steps.encode(x="rounding:Q", y=y, tooltip=tooltip),
            dots.encode(x=x, y=y, tooltip=tooltip),
        )
        .properties(width=350, height=len(cases) * 34 + 70, **_PAD)  # axis and title included
        .configure_view(stroke=None)
        .to_dict()
    )


@dataclass(frozen=True, eq=False)
class NamedMap:
    """One head's weights (T_q, T_k) and what to write above and beside them."""

    title: str
    weights: np.ndarray
    row_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    mask: np.ndarray | None = None

    @classmethod
    def of(
        cls, title: str, attention: AttentionMap, layer: int, head: int, *, produced: bool = False
    ) -> NamedMap:
        """A head of a map; `produced` names rows by the token they produce."""
        rows = attention.output_tokens if produced else attention.query_tokens
        return cls(
            title,
            attention.head(layer, head),
            tuple(rows or attention.query_tokens),
            tuple(attention.key_tokens),
            attention.mask_of(layer, head),
        )


def map_cells(maps: Sequence[NamedMap]) -> pd.DataFrame:
    """One line for each map and cell that a query may look at.

    Returns
    -------
    DataFrame with the columns panel, q, k (from 0), map (its title), query, key (labels with
    positions from 1) and weight.
    """
    lines = []
    for place, entry in enumerate(maps):
        seen = np.ones(entry.weights.shape, bool) if entry.mask is None else entry.mask
        rows, columns = np.nonzero(seen)
        query = np.array(numbered_labels(entry.row_tokens), dtype=object)
        key = np.array(numbered_labels(entry.key_tokens), dtype=object)
        lines.append(
            pd.DataFrame(
                {
                    "panel": np.full(len(rows), place, np.int16),
                    "q": rows.astype(np.int16),
                    "k": columns.astype(np.int16),
                    "map": entry.title,
                    "query": query[rows],
                    "key": key[columns],
                    "weight": entry.weights[rows, columns].astype(np.float32),
                }
            )
        )
    return pd.concat(lines, ignore_index=True)


def map_row(
    maps: Sequence[NamedMap],
    kind: AttentionKind,
    *,
    columns: int = 2,
    room: int = _MAP_ROOM,
    dark: bool = False,
) -> Figure:
    """Several maps of one kind as small matrices with one scale from 0 to 1. Nothing to click.

    Parameters
    ----------
    columns : maps side by side.
    room : pixels for the cells of a sentence of ordinary length.

    Raises
    ------
    ValueError : no maps.
    """
    if not maps:
        raise ValueError("no maps to draw")
    cells = map_cells(maps).drop(columns=["map"])
    sizes = tuple(entry.weights.shape for entry in maps)
    cell = max(8.0, min(26.0, room / max(max(size) for size in sizes)))
    edges = {
        name: pd.concat(
            [
                pd.DataFrame(
                    {
                        "panel": np.full(len(tokens), place, np.int16),
                        position: np.arange(len(tokens), dtype=np.int16),
                        "label": distinct_labels(tokens),
                    }
                )
                for place, tokens in enumerate(getattr(entry, f"{side}_tokens") for entry in maps)
            ],
            ignore_index=True,
        )
        for name, position, side in (("rows", "q", "row"), ("columns", "k", "key"))
    }
    size = font_size(cell)
    row_room, column_room = (_room(edges[name]["label"], size) for name in ("rows", "columns"))
    chart = _map_chart(
        tuple(entry.title for entry in maps),
        sizes,
        kind,
        cell,
        row_room,
        column_room,
        columns,
        dark,
    )
    across = min(columns, len(maps))
    width = across * (max(s[1] for s in sizes) * cell + row_room + 50)
    return Figure(chart, {"cells": cells, **edges}, "", width=round(width) + 20)


@lru_cache(maxsize=64)
def _map_chart(
    titles: tuple[str, ...],
    sizes: tuple[tuple[int, int], ...],
    kind: AttentionKind,
    cell: float,
    row_room: int,
    column_room: int,
    columns: int,
    dark: bool,
) -> dict[str, Any]:
    quiet = {"labels": False, "ticks": False, "domain": False}
    size = font_size(cell)

    def panel(place: int, title: str, n_rows: int, n_columns: int) -> alt.LayerChart:
        only = f"datum.panel === {place}"
        x = alt.X(
            "k:O",
            title="key (column)",
            scale=_bands(n_columns),
            axis=alt.Axis(orient="top", titlePadding=column_room * 0.78 + 10, **quiet),
        )
        y = alt.Y(
            "q:O",
            title="query (row)",
            scale=_bands(n_rows),
            axis=alt.Axis(titlePadding=row_room + 16, **quiet),
        )
        cells = (
            alt.Chart(table("cells"))
            .transform_filter(only)
            .mark_rect()
            .encode(
                x=x,
                y=y,
                color=alt.Color(
                    "weight:Q",
                    scale=alt.Scale(
                        domain=[0, 1], range=list(palette_of(kind, dark=dark).ramp), clamp=True
                    ),
                    legend=_legend("weight", ".2f", values=[0, 0.25, 0.5, 0.75, 1]),
                ),
                tooltip=[
                    alt.Tooltip("query:N", title="query"),
                    alt.Tooltip("key:N", title="key"),
                    alt.Tooltip("weight:Q", title="weight", format=".4f"),
                ],
            )
        )
        column_labels = (
            alt.Chart(table("columns"))
            .transform_filter(only)
            .mark_text(
                align="left", baseline="middle", fontSize=size, limit=_LABEL_LIMIT, angle=310,
                color=INK, tooltip=None,
            )
            .encode(x=x, y=alt.value(-8), text="label:N")
        )  # fmt: skip
        return alt.layer(cells, _row_labels("q", y, size, only=only), column_labels).properties(
            width=n_columns * cell,
            height=n_rows * cell,
            title=alt.Title(title, anchor="start", fontSize=12, offset=6),
        )

    panels = [
        panel(place, title, *shape)
        for place, (title, shape) in enumerate(zip(titles, sizes, strict=True))
    ]
    return (
        alt.concat(*panels, columns=columns, spacing={"row": 16, "column": 20})
        .resolve_scale(x="independent", y="independent", color="shared")
        .properties(**_PAD)
        .configure_view(stroke=None)
        .to_dict()
    )


def position_head_table(found: PositionHeads) -> pd.DataFrame:
    """One line a head, the one whose map survives other words best first.

    Returns
    -------
    DataFrame with the columns kind, layer, head (from 1), name, words (overlap with the maps of
    other words, mean), spread (their standard deviation), positions (overlap with the map without
    positions), sharpness (largest weight of a row, mean), special (weight of a row on special
    tokens, mean) and chance (of the kind). Heads of a kind without a row that leaves a choice are
    left out.
    """
    lines = []
    for kind in ATTENTION_KINDS:
        words = found.other_words[kind]
        special = special_mass(found.plain.of(kind))
        for layer, head in np.ndindex(words.shape[1:]):
            lines.append(
                {
                    "kind": kind,
                    "layer": layer + 1,
                    "head": head + 1,
                    "name": f"{KIND_TITLES[kind]}, layer {layer + 1}, head {head + 1}",
                    "words": float(words[:, layer, head].mean()),
                    "spread": float(words[:, layer, head].std()),
                    "positions": float(found.without_positions[kind][layer, head]),
                    "sharpness": float(found.sharpness[kind][layer, head]),
                    "special": float(special[layer, head]),
                    "chance": found.chance[kind],
                }
            )
    lines = pd.DataFrame(lines).dropna(subset=["words", "positions"])
    return lines.sort_values("words", ascending=False, kind="stable").reset_index(drop=True)


def head_scatter(
    heads: pd.DataFrame,
    *,
    selected: tuple[AttentionKind, int, int] | None = None,
    click: int = 0,
    dark: bool = False,
) -> Figure:
    """Every head as a dot: across, how its map survives other words; up, the loss of positions.

    Dots grow with the sharpness of the head. Dashed lines stand at the chance level of each kind.
    The selection `head` reports the clicked kind, layer and head (from 0) with `click`.

    Parameters
    ----------
    heads : as of `position_head_table`.
    selected : kind, layer and head (from 0) to mark.

    Raises
    ------
    ValueError : there are no heads.
    """
    if heads.empty:
        raise ValueError("no heads to draw")
    dots = heads.assign(layer=heads["layer"] - 1, head=heads["head"] - 1, click=np.int32(click))
    place = zip(dots["kind"], dots["layer"], dots["head"], strict=True)
    dots["selected"] = [entry == selected for entry in place]
    dots = dots.sort_values(["selected", "sharpness"], ascending=[True, False])
    kinds = tuple(kind for kind in ATTENTION_KINDS if (dots["kind"] == kind).any())
    levels = dots.dropna(subset=["chance"]).groupby("kind", as_index=False)["chance"].first()
    return Figure(
        _scatter_chart(kinds, dark),
        {"dots": dots.reset_index(drop=True), "levels": levels},
        SELECTION_NAME,
        width=_SCATTER + 70,
    )


@lru_cache(maxsize=16)
def _scatter_chart(kinds: tuple[AttentionKind, ...], dark: bool) -> dict[str, Any]:
    colour = alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(
            domain=list(kinds), range=[palette_of(kind, dark=dark).accent for kind in kinds]
        ),
        legend=alt.Legend(orient="top", symbolType="circle", symbolSize=90),
    )

    def axis(channel: type, field: str, title: str) -> Any:
        return channel(
            f"{field}:Q",
            title=title,
            scale=alt.Scale(domain=[0, 1], nice=False),
            axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f", gridOpacity=0.3),
        )

    x = axis(alt.X, "words", "survives other words (overlap)")
    y = axis(alt.Y, "positions", "survives without positions (overlap)")
    picked = alt.selection_point(
        name=SELECTION_NAME,
        fields=["kind", "layer", "head", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    dots = (
        alt.Chart(table("dots"))
        .mark_point(filled=True, opacity=0.85, cursor="pointer")
        .encode(
            x=x,
            y=y,
            color=colour,
            size=alt.Size(
                "sharpness:Q",
                title="largest weight, mean of rows",
                scale=alt.Scale(domain=[0, 1], range=[25, 260]),
                legend=alt.Legend(
                    orient="bottom", values=[0.25, 0.5, 1.0], format=".2f", symbolFillColor="gray"
                ),
            ),
            stroke=alt.when("datum.selected").then(alt.value(SELECTION)).otherwise(alt.value(INK)),
            strokeWidth=alt.when("datum.selected").then(alt.value(3)).otherwise(alt.value(0.6)),
            description="name:N",
            tooltip=[
                alt.Tooltip("name:N", title="head"),
                alt.Tooltip("words:Q", title="survives other words", format=".3f"),
                alt.Tooltip("spread:Q", title="± over the other sentences", format=".3f"),
                alt.Tooltip("positions:Q", title="survives without positions", format=".3f"),
                alt.Tooltip("sharpness:Q", title="largest weight, mean of rows", format=".3f"),
                alt.Tooltip("special:Q", title="weight on special tokens", format=".3f"),
            ],
        )
        .add_params(picked)
    )
    levels = alt.Chart(table("levels"))
    tooltip = [
        alt.Tooltip("kind:N", title="chance level of"),
        alt.Tooltip("chance:Q", title="two different heads", format=".3f"),
    ]
    rule = {"strokeDash": [4, 4], "strokeWidth": 1.5, "opacity": 0.8}
    up = levels.mark_rule(**rule).encode(x="chance:Q", color=colour, tooltip=tooltip)
    across = levels.mark_rule(**rule).encode(y="chance:Q", color=colour, tooltip=tooltip)
    return (
        alt.layer(up, across, dots)
        .properties(width=_SCATTER, height=_SCATTER, **_PAD)
        .configure_view(stroke=None)
        .to_dict()
    )


def offset_lines(
    lines: pd.DataFrame, *, longest: int, chosen: Mapping[str, int], dark: bool = False
) -> Figure:
    """Log P of the plain translation against the offset of the positions, one line a side.

    Parameters
    ----------
    lines : with the columns side ("source" or "target"), offset and log_prob (natural).
    longest : the positions the model has; a dashed line stands there.
    chosen : for a side the offset to mark.
    """
    marked = lines.assign(
        chosen=[
            chosen.get(side) == offset
            for side, offset in zip(lines["side"], lines["offset"], strict=True)
        ]
    )
    limit = pd.DataFrame({"offset": [longest]})
    return Figure(_offset_chart(dark), {"lines": marked, "limit": limit}, "", width=500)


@lru_cache(maxsize=4)
def _offset_chart(dark: bool) -> dict[str, Any]:
    colours = [palette_of(kind, dark=dark).accent for kind in ("encoder", "decoder")]
    x = alt.X("offset:Q", title="offset added to every position", axis=alt.Axis(gridOpacity=0.3))
    y = alt.Y(
        "log_prob:Q",
        title="log P of the plain translation",
        scale=alt.Scale(zero=False),
        axis=alt.Axis(gridOpacity=0.3),
    )
    colour = alt.Color(
        "side:N",
        title="positions of the",
        scale=alt.Scale(domain=["source", "target"], range=colours),
        legend=alt.Legend(orient="top", symbolType="stroke", symbolStrokeWidth=3),
    )
    base = alt.Chart(table("lines")).encode(x=x, y=y, color=colour)
    tooltip = [
        alt.Tooltip("side:N"),
        alt.Tooltip("offset:Q"),
        alt.Tooltip("log_prob:Q", title="log P", format=".3f"),
    ]
    marked = alt.when("datum.chosen")
    dots = base.mark_point(filled=True, opacity=1, strokeWidth=2.5).encode(
        size=marked.then(alt.value(110)).otherwise(alt.value(28)),
        stroke=marked.then(alt.value(SELECTION)).otherwise(alt.value("transparent")),
        tooltip=tooltip,
    )
    limit = (
        alt.Chart(table("limit"))
        .mark_rule(color=INK, strokeDash=[4, 4], opacity=0.6)
        .encode(x="offset:Q", tooltip=[alt.Tooltip("offset:Q", title="positions of the model")])
    )
    return (
        alt.layer(limit, base.mark_line(strokeWidth=2, tooltip=None), dots)
        .properties(width=420, height=190, **_PAD)
        .configure_view(stroke=None)
        .to_dict()
    )
