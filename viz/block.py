"""Figures of the inside of a block: lengths, norms, logit lens and gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.block import (
    Gradients,
    Lens,
    SubLayer,
    gradients_table,
    lens_table,
    norm_tables,
    powers_of,
    strip_tables,
    sublayer_title,
)
from core.records.attention import CROSS, DECODER, ENCODER
from core.weights.tables import edge, labelled

from . import recipes as r
from .figure import Figure, drawn
from .grid import Grid
from .labels import SMALLEST_FONT, font_size
from .style import say
from .theme import CHOICES, GREY, INK, NEGATIVE, POSITIVE, ink_on, palette_of, signed_ramp

SELECTION_NAME = "place"
_STRIP = 72  # pixels of one strip of numbers
_STREAM = 40  # pixels of one sub-layer at most
_LENS_FONT = 10.5
_LENS_WIDTH = 750  # pixels for all columns
_LENS_HEIGHT = 330  # pixels for all rows
# Sub-layers have the colours of the attention sites that readers know from other pages.
_COLOURS = {"self": ENCODER, "recurrence": ENCODER, "cross": CROSS, "feed_forward": DECODER}
_VALUE = ("block-value", "+.4f")


def sublayer_name(sublayer: SubLayer) -> str:
    """Return the name of a sub-layer, counted from 1: "1 · self-attention"."""
    return say("block-place", layer=sublayer.layer + 1, name=sublayer_title(sublayer.name))


def state_names(sublayers: Sequence[SubLayer]) -> list[str]:
    """Return the names of the states: the input, and the output of every sub-layer."""
    return [say("block-input"), *map(sublayer_name, sublayers)]


def stream_bars(
    table: pd.DataFrame, sublayers: Sequence[SubLayer], *, chosen: int | None = None, click: int = 0
) -> Figure:
    """Draw the lengths of the stream and of what every sub-layer adds, and the cosine between both.

    The grey bar is the length of the stream before the sub-layer, the coloured one the length of
    what it adds; the tick is the length of their sum, the ring that of the stream after. A legend
    says so. A click reports the `place`. `table`: from `core.block.stream_table`. `chosen`: the
    sub-layer to mark.
    """
    lines = table.assign(
        label=list(map(sublayer_name, sublayers)),
        colour=list(map(_accent, sublayers)),
        chosen=table["place"] == chosen,
        click=click,
    )
    signs = _signs_of(sublayers)
    tables = {"lines": lines, "signs": pd.DataFrame({"sign": [name for name, *_ in signs]})}
    return drawn(_stream, tables, n=len(lines), signs=signs)


def _accent(sublayer: SubLayer) -> str:
    """Return the colour of a sub-layer; `palette_of` knows those of other families by name."""
    return palette_of(_COLOURS.get(sublayer.name, sublayer.name)).accent


def _signs_of(sublayers: Sequence[SubLayer]) -> tuple[tuple[str, str, str, str], ...]:
    """Return name, shape, fill and stroke of the signs of a line, one for each kind of output."""
    added = {
        say("block-added-by", name=sublayer_title(at.name)): ("square", _accent(at), "transparent")
        for at in sublayers
    }
    return (
        (say("block-before"), "square", GREY, "transparent"),
        *((name, *looks) for name, looks in added.items()),
        (say("block-summed"), "M0,-1L0,1", "transparent", INK),
        (say("block-after"), "circle", "transparent", INK),
    )


def _stream(n: int, signs: tuple[tuple[str, str, str, str], ...]) -> alt.HConcatChart:
    # All sub-layers of up to 34 fit into 480 pixels; more scroll.
    step = max(14, min(_STREAM, 480 // n))
    tooltip = r.tips(
        label="block-sublayer",
        before=("block-before", ".3f"),
        added=("block-added", ".3f"),
        cosine=("block-cosine", "+.3f"),
        summed=("block-summed", ".3f"),
        after=("block-after", ".3f"),
    )
    lengths = r.bars(
        n,
        r.x("before", "block-lengths-axis", zero=True),
        tooltip,
        table="lines",
        colour=GREY,
        opacity=0.35,
        step=step,
        width=470,
        chosen="chosen",
        clicks=r.click(SELECTION_NAME, "place", "click"),
        more=[*_marks_on_bars(step), _signs(signs)],
    )
    cosines = r.bars(
        n,
        r.x("cosine", "block-cosine-axis", domain=(-1, 1)),
        tooltip,
        table="lines",
        colour=r.two_signs("cosine"),
        step=step,
        width=210,
        names=False,
    )
    return r.beside(lengths, cosines, spacing=40)


def _marks_on_bars(step: float) -> list[alt.Chart]:
    """Draw what a sub-layer adds as a bar, the sum as a tick and the result as a ring."""
    lines = r.source("lines").encode(y="place:O")
    added = lines.mark_bar(height=step * 0.34)
    # Tick and ring are drawn over both bars: sum and result may be shorter than either.
    tick = lines.mark_tick(color=INK, thickness=2, height=step * 0.8, orient="vertical")
    ring = lines.mark_point(color=INK, size=step * 2.2, strokeWidth=1.6, filled=False)
    return [
        added.encode(x="added:Q", color=alt.Color("colour:N", scale=None)),
        tick.encode(x="summed:Q"),
        ring.encode(x="after:Q"),
    ]


def _signs(signs: tuple[tuple[str, str, str, str], ...]) -> alt.Chart:
    """Return invisible marks whose legend names the signs of a line."""
    names, *looks = zip(*signs, strict=True)
    channels = zip((alt.Shape, alt.Fill, alt.Stroke), looks, strict=True)
    # Vega makes a legend of a scale only, so invisible marks carry the scales.
    legend = r.swatches(symbolSize=150, symbolOpacity=1, symbolStrokeWidth=1.6)
    marks = r.source("signs").mark_point(filled=True, size=0, opacity=0, tooltip=None, aria=False)
    return marks.encode(*r.looks("sign", names, *channels, legend=legend))


def norm_strips(stages: Mapping[str, np.ndarray]) -> Figure:
    """Draw all numbers of one vector before and after a layer norm, one strip of ticks a stage.

    The wide bar runs one standard deviation to either side of the mean.
    """
    ticks, spans = strip_tables(stages, [say(f"block-stage-{name}") for name in stages])
    return drawn(_strips, {"ticks": ticks, "spans": spans}, n=len(stages))


def _strips(n: int) -> alt.LayerChart:
    axis = r.label_axis("spans", _STRIP, labelLimit=200)
    y = alt.Y("strip:O", title=None, scale=r.places(n, 0.25), axis=axis)
    x = r.x("value", "block-value-axis", zero=True, nice=False, padding=8)
    accent = palette_of(ENCODER).accent
    # Axis and scale come from this mark; the others share its `strip` channel by name.
    spans = r.source("spans").encode(y=y)
    ticks = r.source("ticks").mark_tick(
        color=accent, opacity=0.55, thickness=1.2, height=_STRIP * 0.5
    )
    mean = spans.mark_tick(color=INK, thickness=3, height=_STRIP * 0.75, tooltip=None, aria=False)
    tooltip = r.tips(stage="block-stage", j=("block-dimension", "d"), value=_VALUE)
    return r.layered(
        spans.mark_bar(color=accent, opacity=0.25, tooltip=None, aria=False).encode(
            x="low:Q", x2="high"
        ),
        ticks.encode(x=x, y="strip:O", tooltip=tooltip),
        mean.encode(x="mean:Q"),
        width=780,
        height=n * _STRIP,
    )


def norm_matrices(
    vectors: np.ndarray,
    tokens: Sequence[str],
    eps: float,
    *,
    rows: slice = slice(None),
    chosen: int | None = None,
    rms: bool = False,
) -> Figure:
    """Draw layer norm or RMSNorm beside batch norm on the same numbers: tokens by some dimensions.

    Beside the rows stand mean and variance of each token, below the columns those of each
    dimension, over all T tokens and all dimensions of `vectors` (T, d_model). The tokens `rows` are
    drawn, and `chosen` is marked.
    """
    cells, beside, below = norm_tables(vectors, tokens, eps, rows, count=12, rms=rms)
    tables = {"cells": cells, "rows": beside.assign(chosen=beside["q"] == chosen), "columns": below}
    return drawn(
        _matrices,
        tables,
        n_rows=cells["q"].max() + 1,
        n_columns=cells["k"].max() + 1,
        norm="rms" if rms else "layer",
    )


def _matrices(n_rows: int, n_columns: int, norm: str) -> alt.HConcatChart:
    # Three matrices of twelve columns stand side by side in the width of a page.
    step = (16.0, max(11.0, min(20.0, 420 / n_rows)))
    colour = r.signed_colour("shade", signed_ramp(), 3.0, "block-shade", form="+.0f")
    cell = r.tips(token="block-token", dimension=("block-dimension", "d"), value=_VALUE)
    mean = ("block-mean", "+.4f")
    variance = ("block-variance", ".4f")
    moments = r.tips(label="block-of", mean=mean, variance=variance)
    panels = []
    # All three panels read one table; each takes the rows of its number.
    for panel, name in enumerate(("given", norm, "batch")):
        grid = Grid(
            n_rows, n_columns, step, chosen="chosen", where=f"datum.panel === {panel}",
            query=None, key="block-dimensions-axis", bare="y" if panel else "",
        )  # fmt: skip
        beside, below = (
            r.source(table, grid.where).encode(text="moments:N", tooltip=moments)
            for table in ("rows", "columns")
        )
        beside = r.text(beside, align="left", fontSize=font_size(step[1], 11))
        below = r.text(below, align="right", angle=270, fontSize=SMALLEST_FONT)
        panels.append(
            grid.drawn(
                grid.cells().encode(color=colour, tooltip=cell),
                beside.encode(x=alt.XValue(grid.width + 6), y=grid.y),
                below.encode(x=grid.x, y=alt.YValue(grid.height + 6)),
                title=say(f"block-norm-{name}"),
            )
        )
    return r.beside(*panels, spacing=30)


def gradient_lines(gradients: Gradients) -> Figure:
    """Draw two panels over the sub-layers: size of the gradient, and similarity of positions.

    Each has a line for every run in `gradients`.
    """
    names = [
        say("block-place-in", stack=at.stack, layer=at.layer + 1, name=sublayer_title(at.name))
        for at in gradients.places
    ]
    lines = gradients_table(gradients)
    runs = {run: say(f"block-gradients-{run}") for run in lines["run"]}
    lines = lines.assign(
        label=[names[at] for at in lines["place"]],
        name=lines["run"].map(runs),
        power_size=powers_of(lines["size"]),
    )
    return drawn(_panels, {"lines": lines}, names=tuple(names), runs=tuple(runs.values()))


def _panels(names: tuple[str, ...], runs: tuple[str, ...]) -> alt.HConcatChart:
    """Draw lines down the sub-layers, one panel a measure, one colour a run.

    Lines break between the stacks.
    """
    legend = r.swatches(symbolType="circle", columns=4, labelLimit=200)
    colour = r.series(
        alt.Color, "name", runs, (GREY, CHOICES[2], POSITIVE, NEGATIVE), legend=legend
    )
    tooltip = r.tips(
        name="block-run",
        label="block-sublayer",
        size=("block-gradient-axis", ".3~g"),
        alike=("block-alike-axis", ".3~g"),
    )
    # The column holds log10, null for a gradient of 0, which a log scale could not place.
    size = r.x(
        "power_size",
        "block-gradient-axis",
        labelExpr="format(pow(10, datum.value), '.0e')",
        tickMinStep=1,
    )
    alike = r.x("alike", "block-alike-axis", domain={"unionWith": [0, 1]}, nice=False)
    places = alt.Scale(domain=names, padding=0.3)
    named = alt.Axis(ticks=False, labelPadding=6, labelLimit=190, grid=True, gridOpacity=0.3)
    panels = [
        r.lines(
            x,
            alt.Y("label:N", title=None, sort=None, scale=places, axis=axis),
            colour,
            tooltip,
            detail="stack:N",
            points=46,
            invalid="filter",
            width=340,
            height=max(14, min(38, 420 // len(names))) * len(names),
        )
        for x, axis in ((size, named), (alike, None))
    ]
    return r.beside(*panels, spacing=30)


def lens_grid(lens: Lens, tokens: Sequence[str], *, chosen: int | None = None) -> Figure:
    """Draw the likeliest token after every sub-layer at every position, with its probability.

    A ring marks the wanted token where it is the likeliest. `tokens` names the T positions, of
    which `chosen` is marked.
    """
    names = state_names(lens.places)
    cells = lens_table(lens, names, tokens)
    room = _lens_cell(*lens.wanted_probs.shape)[0] - 5
    # `text_width` assumes an average letter; tokens are mostly small ones, which are narrower.
    narrow = 0.75 * _LENS_FONT
    cells = cells.assign(
        text=[r.cut(label, room, narrow) for label in cells.pop("best")],
        ink=ink_on(palette_of(CROSS).ramp, cells["prob"].to_numpy()),
    )
    columns = edge(tokens, "k", chosen=np.arange(len(tokens)) == chosen)
    tables = {"cells": cells, "rows": labelled(names, "q"), "columns": columns}
    return drawn(_lens, tables, size=lens.wanted_probs.shape, stack=lens.places[0].stack)


def _lens_cell(n_rows: int, n_columns: int) -> tuple[float, float]:
    """Return the size of a cell; all columns of a sentence of ordinary length fit into the page."""
    across = max(44.0, min(74.0, _LENS_WIDTH / n_columns))
    return across, max(24.0, min(36.0, _LENS_HEIGHT / n_rows))


def _lens(size: tuple[int, int], stack: str) -> alt.LayerChart:
    grid = Grid(
        *size,
        _lens_cell(*size),
        chosen="chosen",
        font=12,
        query="block-lens-after",
        key="block-lens-columns",
    )
    prob, wanted, rank = (
        say(f"block-lens-{name}", stack=stack) for name in ("prob", "wanted", "rank")
    )
    tooltip = r.tips(
        query="block-lens-after", key="block-token", five="block-lens-five",
        wanted=(wanted, ".4f"), rank=(rank, ",d"),
    )  # fmt: skip
    colour = r.share_colour("prob", palette_of(CROSS).ramp, prob, titleLimit=460)
    words = r.text(grid.cells(), fontSize=_LENS_FONT, aria=False)
    return grid.drawn(
        grid.cells().encode(color=colour, tooltip=tooltip),
        r.frame(grid.cells(where="datum.rank === 1"), 1.4),
        words.encode(text="text:N", fill=r.own_ink()),
    )
