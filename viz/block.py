"""What goes on inside a block: lengths, norms, states read early, gradients, hidden units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.block import spread_places, standardised
from records import CROSS, DECODER, ENCODER, Gradients, Lens, SubLayer, sublayer_title
from words.numbers import fixed

from . import chart
from .bars import FONT, Lines
from .chart import Part, datum, draw, field, mark, text, value, when
from .figure import Figure
from .labels import distinct_labels, renamed, text_width, token_label
from .look import say
from .matrix import Grid, cell_places, labelled
from .theme import (
    GREY,
    INK,
    NEGATIVE,
    POSITIVE,
    SELECTION,
    SELECTION_TEXT,
    ink_on,
    palette_of,
    signed_ramp,
)

SELECTION_NAME = "place"
MOST_DIMS = 12
_LINE, _ROOM_DOWN = 24, 900
_LENGTHS, _COSINE = 330, 190
_STRIP, _STRIP_ACROSS = 46, 520
_PLOT = (370, 220)
_LENS_CELL = (74.0, 24.0)
_MOST_NAME = 150.0
_COLOURS = {"self": ENCODER, "cross": CROSS, "feed_forward": DECODER}
_NORM_LIMIT = 3.0


def sublayer_name(place: SubLayer) -> str:
    """Counted from 1: "1 · self-attention"."""
    return say("block-place", layer=place.layer + 1, name=sublayer_title(place.name))


def sublayer_names(places: Sequence[SubLayer]) -> list[str]:
    return [sublayer_name(place) for place in places]


def _room(labels: Sequence[str]) -> int:
    return round(min(_MOST_NAME, max(text_width(label, FONT) for label in labels))) + 10


def _accents(places: Sequence[SubLayer]) -> list[str]:
    return [palette_of(_COLOURS.get(place.name, place.name)).accent for place in places]


# -- the stream -----------------------------------------------------------------------------


def stream_bars(
    table: pd.DataFrame, places: Sequence[SubLayer], *, chosen: int | None = None, click: int = 0
) -> Figure:
    """What was there and what every sub-layer adds, as lengths, and the cosine between both.

    Grey is the length of what was there, the colour that of what is added, the line that of their
    sum and the ring what goes on. A click tells the `place`.

    Parameters
    ----------
    table : of `analysis.block.stream_table`.
    chosen : the sub-layer to mark.
    """
    names = sublayer_names(places)
    lines = table.assign(
        label=names,
        colour=_accents(places),
        chosen=table["place"] == (-1 if chosen is None else chosen),
        sign=np.where(table["cosine"] < 0, "below", "above"),
        click=click,
    )
    down = max(14, min(_LINE, _ROOM_DOWN // len(lines)))
    room = _room(names)
    part = _stream_panels(len(lines), down, room)
    return Figure(part, {"lines": lines}, SELECTION_NAME, width=room + _LENGTHS + _COSINE + 60)


def _stream_panels(n: int, down: int, room: int) -> Part:
    lines = Lines("lines", n)
    tooltip = chart.told(
        ("label:N", say("block-sublayer")),
        ("before:Q", say("block-before"), ".3f"),
        ("added:Q", say("block-added"), ".3f"),
        ("cosine:Q", say("block-cosine"), "+.3f"),
        ("summed:Q", say("block-summed"), ".3f"),
        ("after:Q", say("block-after"), ".3f"),
    )
    axis = {"gridOpacity": 0.3, "tickCount": 6}
    title = say("block-lengths-axis")

    def x(name: str) -> Part:
        return field(f"{name}:Q", title=title, scale={"zero": True}, axis=axis)

    own = field("colour:N", scale=None, legend=None)
    picked = chart.click(SELECTION_NAME, "place", "click")
    weight = when(("datum.chosen", SELECTION_TEXT), otherwise=INK)
    names = lines.names(size=min(FONT, down * 0.66), room=_MOST_NAME, color=weight)
    tick = {"thickness": 2, "height": down * 0.8, "orient": "vertical"}
    lengths = chart.layered(
        lines.bars(x("before"), {"color": GREY, "opacity": 0.35}, x2=datum(0)),
        draw("lines", mark("bar", height=down * 0.34), x=x("added"), x2=datum(0), y=lines.y,
             color=own),
        draw("lines", mark("tick", color=INK, **tick), x=x("summed"), y=lines.y),
        draw("lines", mark("point", size=down * 2.2, strokeWidth=1.6, color=INK, filled=False),
             x=x("after"), y=lines.y),
        names,
        lines.areas(-room, _LENGTHS, tooltip, params=[picked]),
        width=_LENGTHS,
        height=n * down,
    )  # fmt: skip
    at = field(
        "cosine:Q", title=say("block-cosine-axis"), scale={"domain": [-1, 1]},
        axis={"gridOpacity": 0.3, "values": [-1, -0.5, 0, 0.5, 1], "format": ".1f"},
    )  # fmt: skip
    colour = when(("datum.sign === 'below'", NEGATIVE), otherwise=POSITIVE)
    cosines = chart.layered(
        lines.bars(at, x2=datum(0), color=colour),
        lines.areas(0, _COSINE, tooltip),
        width=_COSINE,
        height=n * down,
    )
    return chart.whole({"hconcat": [lengths, cosines], "spacing": 22}, right=12)


# -- norms ----------------------------------------------------------------------------------


def norm_strips(stages: dict[str, np.ndarray]) -> Figure:
    """All numbers of one vector before and after a layer norm, one strip of ticks a stage.

    The wide bar runs one standard deviation to either side of the mean.
    """
    names = list(stages)
    ticks = pd.concat(
        [
            pd.DataFrame({"strip": i, "j": np.arange(len(values)), "value": values})
            for i, values in enumerate(stages.values())
        ]
    )
    ticks["stage"] = [say(f"block-stage-{names[i]}") for i in ticks["strip"]]
    spans = pd.DataFrame(
        [
            {
                "strip": i,
                "mean": values.mean(),
                "low": values.mean() - values.std(),
                "high": values.mean() + values.std(),
                "label": say(f"block-stage-{name}"),
            }
            for i, (name, values) in enumerate(stages.items())
        ]
    )
    room = _room(list(spans["label"]))
    scale = chart.places(len(names), 0.25)
    y = field("strip:O", scale=scale, axis=None)
    limit = float(np.abs(ticks["value"]).max()) * 1.02
    x = {"title": say("block-value-axis"), "scale": {"domain": [-limit, limit], "nice": False}}
    x["axis"] = {"gridOpacity": 0.3}
    accent = palette_of(ENCODER).accent
    tooltip = chart.told(
        ("stage:N", say("block-stage")),
        ("j:Q", say("block-dimension"), "d"),
        ("value:Q", say("block-value"), "+.4f"),
    )
    drawn = chart.layered(
        draw("spans", mark("bar", color=accent, opacity=0.25), x=field("low:Q", **x), x2="high:Q",
             y=y),
        draw("ticks", mark("tick", color=accent, opacity=0.55, thickness=1.2,
                           height=_STRIP * 0.5), x=field("value:Q", **x), y=y, tooltip=tooltip),
        draw("spans", mark("tick", color=SELECTION, thickness=3, height=_STRIP * 0.75),
             x=field("mean:Q", **x), y=y),
        draw("spans", text(align="right", fontSize=FONT, limit=_MOST_NAME), x=value(-8), y=y,
             text="label:N"),
        width=_STRIP_ACROSS,
        height=len(names) * _STRIP,
    )  # fmt: skip
    return Figure(
        chart.whole(drawn, right=12, autosize="pad"), {"ticks": ticks, "spans": spans}, "",
        width=room + _STRIP_ACROSS + 30,
    )  # fmt: skip


def norm_matrices(
    vectors: np.ndarray,
    tokens: Sequence[str],
    eps: float,
    *,
    rows: slice = slice(None),
    chosen: int | None = None,
) -> Figure:
    """Layer norm beside batch norm on the same numbers: tokens by some dimensions.

    Beside the rows stand mean and variance of each token, below the columns those of each
    dimension, over all T tokens and all dimensions.

    Parameters
    ----------
    vectors : (T, d_model), what the layer norm is given.
    rows : the tokens to draw; all of them count.
    chosen : the token to mark, among those drawn.
    """
    dims = spread_places(vectors.shape[1], MOST_DIMS)
    made = {
        "given": vectors.astype(np.float64),
        "layer": standardised(vectors, eps, 1),
        "batch": standardised(vectors, eps, 0),
    }
    labels = distinct_labels(tokens)[rows]
    cells, beside, below = [], [], []
    for panel, (name, values) in enumerate(made.items()):
        shown = values[rows, dims]
        spread = values.std() if name == "given" else 1.0
        at = np.indices(shown.shape)
        cells.append(
            pd.DataFrame(
                {
                    "panel": panel,
                    "q": at[0].ravel(),
                    "k": at[1].ravel(),
                    "token": np.array(labels, dtype=object)[at[0].ravel()],
                    "dimension": dims[at[1].ravel()],
                    "value": shown.ravel(),
                    "shade": np.clip(shown.ravel() / spread, -_NORM_LIMIT, _NORM_LIMIT),
                }
            )
        )
        moments = values[rows].mean(1), values[rows].var(1)
        beside.append(_moments(panel, "q", *moments, labels))
        below.append(
            _moments(panel, "k", values.mean(0)[dims], values.var(0)[dims], list(map(str, dims)))
        )
    tables = {"cells": pd.concat(cells), "rows": pd.concat(beside), "columns": pd.concat(below)}
    down = max(11.0, min(20.0, 420 / len(labels)))
    room = _room(labels)
    part = _norm_panels(len(labels), len(dims), down, chosen, signed_ramp())
    return Figure(part, tables, "", width=room + 3 * (len(dims) * 14 + 90))


def _moments(
    panel: int, axis: str, mean: np.ndarray, variance: np.ndarray, labels: Sequence[str]
) -> pd.DataFrame:
    told = [f"{fixed(m)}  {fixed(v)}" for m, v in zip(mean, variance, strict=True)]
    frame = pd.DataFrame({"panel": panel, axis: range(len(mean)), "mean": mean})
    return frame.assign(variance=variance, moments=told, label=list(labels))


def _norm_panels(
    n_rows: int, n_columns: int, down: float, chosen: int | None, ramp: Sequence[str]
) -> Part:
    across = 14.0
    width, height = n_columns * across, n_rows * down
    bare = {"labels": False, "ticks": False, "domain": False, "titlePadding": 74}
    x = field("k:O", title=say("block-dimensions-axis"), scale=chart.places(n_columns), axis=bare)
    y = field("q:O", scale=chart.places(n_rows), axis=None)
    tooltip = chart.told(
        ("token:N", say("block-token")),
        ("dimension:Q", say("block-dimension"), "d"),
        ("value:Q", say("block-value"), "+.4f"),
    )
    moments = chart.told(
        ("label:N", say("block-of")),
        ("mean:Q", say("block-mean"), "+.4f"),
        ("variance:Q", say("block-variance"), ".4f"),
    )
    small = {"fontSize": min(11.0, down * 0.72)}
    panels = []
    for panel, name in enumerate(("given", "layer", "batch")):
        only = f"datum.panel === {panel}"
        shade = chart.signed_colour("shade:Q", ramp, _NORM_LIMIT, title=say("block-shade"),
                                    form="+.0f")  # fmt: skip
        layers = [
            draw("cells", mark("rect"), where=only, x=x, y=y, color=shade, tooltip=tooltip),
            draw("rows", {**text(align="left", **small), "tooltip": True}, where=only,
                 x=value(width + 6), y=y, text="moments:N", tooltip=moments),
        ]  # fmt: skip
        if panel == 0:
            inked = when((f"datum.q === {-1 if chosen is None else chosen}", SELECTION_TEXT),
                         otherwise=INK)  # fmt: skip
            names = text(align="right", limit=110, **small)
            layers.append(draw("rows", names, where=only, x=value(-6), y=y, text="label:N",
                               color=inked))  # fmt: skip
        layers.append(
            draw("columns", {**text(align="right", angle=270, fontSize=10), "tooltip": True},
                 where=only, x=x, y=value(height + 6), text="moments:N", tooltip=moments)
        )  # fmt: skip
        title = {"text": say(f"block-norm-{name}"), "anchor": "start", "fontSize": 12, "color": INK}
        panels.append(chart.layered(*layers, width=width, height=height, title=title))
    return chart.whole({"hconcat": panels, "spacing": 84}, right=12)


# -- with something left out ----------------------------------------------------------------


def length_lines(plain: pd.DataFrame, changed: pd.DataFrame, places: Sequence[SubLayer]) -> Figure:
    """How long the states are and how much alike, after every sub-layer, without a change and with.

    Parameters
    ----------
    plain, changed : of `analysis.block.lengths_table`.
    """
    both = pd.concat([plain.assign(run="plain"), changed.assign(run="changed")], ignore_index=True)
    colours = {"plain": GREY, "changed": SELECTION}
    return _along(
        both,
        [say("block-input"), *sublayer_names(places)],
        {"length": ("block-length-axis", "log"), "alike": ("block-alike-axis", "alike")},
        {name: (say(f"block-run-{name}"), colour) for name, colour in colours.items()},
    )


def gradient_lines(found: Gradients) -> Figure:
    """The gradient at every sub-layer in the four runs, and how much alike the positions are."""
    stacks = [place.stack for place in found.places]
    names = [
        say("block-place-in", stack=place.stack, layer=place.layer + 1,
            name=sublayer_title(place.name))
        for place in found.places
    ]  # fmt: skip
    lines = pd.DataFrame(
        [
            {
                "run": run,
                "place": at,
                "stack": stacks[at],
                "size": float(found.sizes[i, at]),
                "alike": float(found.alike[i, at]),
            }
            for i, run in enumerate(Gradients.RUNS)
            for at in range(len(names))
        ]
    )
    colours = dict(zip(Gradients.RUNS, (GREY, SELECTION, POSITIVE, NEGATIVE), strict=True))
    runs = {name: (say(f"block-gradients-{name}"), colour) for name, colour in colours.items()}
    axes = {"size": ("block-gradient-axis", "log"), "alike": ("block-alike-axis", "alike")}
    return _along(lines, names, axes, runs)


def _along(
    lines: pd.DataFrame,
    names: Sequence[str],
    axes: dict[str, tuple[str, str]],
    runs: dict[str, tuple[str, str]],
) -> Figure:
    """Lines over sub-layers, one panel a measure, one colour a run; a gap between the stacks."""
    lines = lines.assign(
        label=[names[at] for at in lines["place"]],
        name=[runs[run][0] for run in lines["run"]],
        stack=lines.get("stack", ""),
    )
    expression = renamed({str(i): name for i, name in enumerate(names)})
    x = field(
        "place:Q", title=None, scale={"domain": [-0.3, len(names) - 0.7], "nice": False},
        axis={"values": list(range(len(names))), "labelExpr": expression, "labelAngle": -50,
              "labelLimit": 150, "labelOverlap": False, "grid": False},
    )  # fmt: skip
    titled = list(runs.values())
    colours = {"domain": [name for name, _ in titled], "range": [colour for _, colour in titled]}
    legend = chart.swatches(title=None, symbolType="circle", columns=4, labelLimit=200)
    colour = field("name:N", scale=colours, legend=legend)
    tooltip = chart.told(
        ("name:N", say("block-run")),
        ("label:N", say("block-sublayer")),
        *((f"{column}:Q", say(title), ".3~g") for column, (title, _) in axes.items()),
    )
    panels = []
    for column, (title, kind) in axes.items():
        if kind == "log":
            # The logarithm, because files round what is smaller than any gradient looks.
            sizes = lines[column].to_numpy(float)
            powers = np.log10(sizes, where=sizes > 0, out=np.full_like(sizes, np.nan))
            lines[f"power_{column}"] = np.where(np.isfinite(powers), powers, None)
            label = "format(pow(10, datum.value), '.0e')"
            axis = {"gridOpacity": 0.3, "labelExpr": label, "tickCount": 6, "tickMinStep": 1}
            column, scale = f"power_{column}", {"zero": False, "nice": True}
        else:
            axis, scale = {"gridOpacity": 0.3}, {"domainMax": 1, "zero": True}
        y = field(f"{column}:Q", title=say(title), scale=scale, axis=axis)
        where = f"isValid(datum.{column})"
        shown = {"where": where, "x": x, "y": y, "color": colour}
        panels.append(
            chart.layered(
                draw("lines", mark("line", strokeWidth=2, tooltip=None), detail="stack:N", **shown),
                draw("lines", mark("point", filled=True, size=46, opacity=1), tooltip=tooltip,
                     **shown),
                width=_PLOT[0],
                height=_PLOT[1],
            )
        )  # fmt: skip
    part = chart.whole({"hconcat": panels, "spacing": 40}, right=12)
    return Figure(part, {"lines": lines}, "", width=2 * (_PLOT[0] + 80))


# -- states read early ----------------------------------------------------------------------


def lens_grid(lens: Lens, tokens: Sequence[str], *, chosen: int | None = None) -> Figure:
    """The likeliest token after every sub-layer at every position; colour is its probability.

    A ring marks where it is the token that was asked for.

    Parameters
    ----------
    tokens : T names of the positions.
    chosen : the position to mark.
    """
    names = [say("block-input"), *sublayer_names(lens.places)]
    stack = lens.places[0].stack
    shape = lens.wanted_probs.shape
    ramp = palette_of(CROSS).ramp
    best = [token_label(lens.tokens[q][k][0], max_length=10) for q, k in np.ndindex(shape)]
    cells = pd.DataFrame(cell_places(shape, names, tokens)).assign(
        text=best,
        prob=lens.probs[..., 0].ravel(),
        wanted=lens.wanted_probs.ravel(),
        rank=lens.wanted_ranks.ravel(),
        five=[
            ", ".join(
                f"{token_label(token)} {prob:.2f}"
                for token, prob in zip(lens.tokens[q][k], lens.probs[q, k], strict=True)
            )
            for q, k in np.ndindex(shape)
        ],
        ink=ink_on(ramp, lens.probs[..., 0].ravel()),
    )
    cells["query"] = [names[q] for q in cells["q"]]
    rows, columns = labelled(names, "q"), labelled(distinct_labels(tokens), "k")
    columns["chosen"] = columns["k"] == (-1 if chosen is None else chosen)
    grid = Grid.of(
        rows, columns, _LENS_CELL, row_title="block-lens-rows", column_title="block-lens-columns",
    )  # fmt: skip
    tooltip = chart.told(
        ("query:N", say("block-after-which")),
        ("key:N", say("block-token")),
        ("five:N", say("block-lens-five")),
        ("wanted:Q", say("block-lens-wanted", stack=stack), ".4f"),
        ("rank:Q", say("block-lens-rank", stack=stack), ",d"),
    )
    title = say("block-lens-prob", stack=stack)
    colour = chart.share_colour("prob:Q", ramp, title=title, titleLimit=460)
    ring = {"filled": False, "fill": None, "stroke": SELECTION, "strokeWidth": 1.4}
    drawn = grid.drawn(
        grid.cells({}, color=colour, tooltip=tooltip),
        grid.cells(ring, where="datum.rank === 1"),
        draw("cells", text(fontSize=10.5, limit=_LENS_CELL[0] - 6), x=grid.x, y=grid.y,
             text="text:N", **chart.OWN_INK),
        grid.row_labels(),
        grid.column_labels(when(("datum.chosen", SELECTION_TEXT), otherwise=INK)),
    )  # fmt: skip
    return Figure(
        chart.whole(drawn, right=12, autosize="pad"),
        {"cells": cells, "rows": rows, "columns": columns}, "",
        width=round(grid.width) + grid.row_room + 90,
    )  # fmt: skip


# -- hidden units ---------------------------------------------------------------------------


def unit_bars(table: pd.DataFrame, *, chosen: int | None = None, click: int = 0) -> Figure:
    """The units that add most at one position; a click tells the `unit`.

    Parameters
    ----------
    table : of `analysis.block.firing`, with a column `told`, what to say of each unit.
    """
    lines = table.assign(
        place=np.arange(len(table)),
        label=[say("block-unit", n=str(unit + 1)) for unit in table["unit"]],
        chosen=table["unit"] == (-1 if chosen is None else chosen),
        click=click,
    )
    room = _room(list(lines["label"]))
    bars = Lines("lines", len(lines))
    accent = palette_of(DECODER).accent
    axis = {"gridOpacity": 0.3, "tickCount": 5}
    x = field("added:Q", title=say("block-unit-axis"), scale={"zero": True}, axis=axis)
    tooltip = chart.told(
        ("label:N", say("block-unit-title")),
        ("activation:Q", say("block-activation"), ".3f"),
        ("added:Q", say("block-unit-added"), ".3f"),
        ("told:N", say("block-unit-told")),
    )
    colour = when(("datum.chosen", SELECTION), otherwise=accent)
    reach = 320
    drawn = chart.layered(
        bars.bars(x, x2=datum(0), color=colour),
        bars.names(size=FONT, room=_MOST_NAME),
        bars.numbers(x, "told:N", dx=6, limit=330),
        bars.areas(-room, reach + 330, tooltip, params=[chart.click("unit", "unit", "click")]),
        width=reach,
        height=max(1, len(lines)) * _LINE,
    )
    return Figure(
        chart.whole(drawn, right=12, autosize="pad"),
        {"lines": lines},
        "unit",
        width=room + reach + 350,
    )
