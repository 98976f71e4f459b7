"""Figures of the inside of a block: lengths, norms, logit lens and gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.block import (
    gradient_changes,
    gradient_facts,
    gradients_table,
    lens_facts,
    lens_table,
    norm_tables,
    powers_of,
    strip_tables,
)
from core.records.attention import CROSS, DECODER, ENCODER
from core.records.sublayers import Gradients, Lens, SubLayer, sublayer_title
from core.weights.tables import edge, labelled
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .grid import Grid
from .labels import SMALLEST_FONT, font_size
from .style import say
from .theme import (
    CHOICES,
    GREY,
    INK,
    NEGATIVE,
    POSITIVE,
    SELECTION_TEXT,
    ink_on,
    palette_of,
    signed_ramp,
)

SELECTION_NAME = "place"
_STRIP = 72  # pixels of one strip of numbers
_STREAM_ROOM = (912, 440)  # pixels of all panels of the stream
_STREAM_KEY = 78  # pixels of the key above them
_KEY_TRIANGLE = ((10, 66), (128, 66), (168, 12))  # start, end of the stream, end of the sum
_KEY_RING = 0.62  # part of the sum at which the key has its ring
_KEY_COLUMNS = (206, 420, 634)  # pixels at which the signs of the key begin
_KEY_SIGN = 30  # pixels of a sign
_MOST_ACROSS = 6  # layers beside each other
_LEAST_DOWN = 104  # pixels of a panel
_MOST_DOWN = 210
_GAP = 8  # pixels between panels
_LINES_WIDTH = 720  # pixels of the lines of gradients
_REASON = 260  # pixels of the reason beside the crosses
_NAME_STEP = 16  # pixels from the name of one run to the next
_MARGIN = 16  # pixels around the arrows of a panel
_HEAD = 40  # pixels of a panel's words
_NUMBERS = 185  # pixels that the numbers of a panel need
_ROW_PADDING = 0.3  # parts of a row of sub-layers, between rows and around all
_ENDS = ((alt.X, "x"), (alt.Y, "y"), (alt.X, "x2"), (alt.Y, "y2"))
_LENS_FONT = 10.5
_LENS_TWO = 30  # least pixels of a row with room for a token and its probability
_LENS_LINE = 7  # pixels of each from the middle of the cell
_LENS_WIDTH = 800  # pixels for all columns
_LENS_HEIGHT = 330  # pixels for all rows
# Sub-layers have the colours of the attention sites that readers know from other pages.
_COLOURS = {"self": ENCODER, "recurrence": ENCODER, "cross": CROSS, "feed_forward": DECODER}
_VALUE = ("block-value", "+.4f")
# Size of a whole number of at most two digits, raised as an exponent, in the language of Vega.
_RAISED = (
    "(abs(datum.value) > 9 ? '⁰¹²³⁴⁵⁶⁷⁸⁹'[floor(abs(datum.value) / 10)] : '')"
    " + '⁰¹²³⁴⁵⁶⁷⁸⁹'[abs(datum.value) % 10]"
)


def sublayer_name(sublayer: SubLayer) -> str:
    """Return the name of a sub-layer, counted from 1: "1 · self-attention"."""
    return say("block-place", layer=sublayer.layer + 1, name=sublayer_title(sublayer.name))


def state_names(sublayers: Sequence[SubLayer]) -> list[str]:
    """Return the names of the states: the input, and the output of every sub-layer."""
    return [say("block-input"), *map(sublayer_name, sublayers)]


def stream_arrows(
    table: pd.DataFrame,
    sublayers: Sequence[SubLayer],
    *,
    chosen: int | None = None,
    pre_norm: bool = False,
    click: int = 0,
) -> Figure:
    """Draw what every sub-layer adds to the stream as one triangle each, all in one scale.

    Grey is the stream before, the coloured arrow what the sub-layer adds, the dark one their sum,
    and the ring the length after the norm; a key above names all four. Layers stand side by side. A
    click reports the `place`. `table`: from `core.block.stream_turns`. `chosen`: the sub-layer to
    mark. `pre_norm`: no norm follows the sum.
    """
    panels, size = _panels_of(sublayers)
    panels = panels.join(table.drop(columns="place"))
    panels["label"] = list(map(sublayer_name, sublayers))
    panels["numbers"] = [
        say("block-stream-numbers", ratio=at.added / at.before if at.before else 0.0, turn=at.turn)
        for at in panels.itertuples()
    ]
    panels = panels.assign(chosen=panels["place"] == chosen, click=click)
    words = _key_words(sublayers, pre_norm)
    tables = {
        "panels": panels,
        "arrows": _arrows(panels, sublayers),
        "key": _key_arrows(sublayers),
        "key_words": words,
    }
    named = (panels["right"] - panels["left"]).min() >= _NUMBERS
    return drawn(_stream, tables, size=size, named=bool(named))


def _key_places(sublayers: Sequence[SubLayer]) -> list[tuple[float, float, str, str]]:
    """Return the signs of the key: where each begins, its kind, and its colour, "" for ink."""
    (_, floor), _, (_, top) = _KEY_TRIANGLE
    middle = (floor + top) / 2
    kinds = {at.name: _accent(at) for at in sublayers}
    added = zip(_KEY_COLUMNS, kinds.values(), strict=False)
    return [
        (_KEY_COLUMNS[0], top, "summed", ""),
        (_KEY_COLUMNS[1], top, "ring", ""),
        *((x, middle, "added", colour) for x, colour in added),
        (_KEY_COLUMNS[0], floor, "before", GREY),
        (_KEY_COLUMNS[1], floor, "turn", ""),
    ]


def _key_words(sublayers: Sequence[SubLayer], pre_norm: bool) -> pd.DataFrame:
    """Return the words of the key and their places in pixels."""
    kinds = list(dict.fromkeys(at.name for at in sublayers))[: len(_KEY_COLUMNS)]
    words = [
        say("block-key-summed"),
        say("block-key-ring", order="pre" if pre_norm else "post"),
        *(say("block-key-added", name=sublayer_title(name)) for name in kinds),
        say("block-key-before"),
        say("block-key-turn"),
    ]
    places = _key_places(sublayers)[: len(words)]
    return pd.DataFrame(
        {
            # The angle has no sign of its own.
            "x": [x + (0 if sign == "turn" else _KEY_SIGN + 10) for x, _, sign, _ in places],
            "y": [y for _, y, _, _ in places],
            "text": words,
        }
    )


def _key_arrows(sublayers: Sequence[SubLayer]) -> pd.DataFrame:
    """Return the arrows of the key, as `_arrows` does: an example, and the signs of the words."""
    start, corner, tip = _KEY_TRIANGLE
    ring = [a + _KEY_RING * (b - a) for a, b in zip(start, tip, strict=True)]
    first = _accent(sublayers[0])
    lines = [
        ("before", *start, *corner, GREY, *ring),
        ("added", *corner, *tip, first, *ring),
        ("summed", *start, *tip, "", *ring),
    ]
    for x, y, sign, colour in _key_places(sublayers):
        if sign == "ring":
            lines.append(("ring", x, y, x, y, "", x + _KEY_SIGN / 2, y))
        elif sign != "turn":
            lines.append((sign, x, y, x + _KEY_SIGN, y, colour, None, None))
    columns = ["of", "x", "y", "x2", "y2", "colour", "ring_x", "ring_y"]
    return _turned(pd.DataFrame(lines, columns=columns))


def _panels_of(sublayers: Sequence[SubLayer]) -> tuple[pd.DataFrame, tuple[float, float]]:
    """Return the place of every sub-layer's panel in pixels, and the size of the whole."""
    kinds = list(dict.fromkeys(at.name for at in sublayers))
    layers = 1 + max(at.layer for at in sublayers)
    # The sub-layers of a single layer stand beside each other.
    flat = layers == 1
    columns = len(kinds) if flat else min(_MOST_ACROSS, layers)
    bands = -(-layers // columns)
    rows = 1 if flat else bands * len(kinds)
    across = _STREAM_ROOM[0] / columns
    down = max(_LEAST_DOWN, min(_MOST_DOWN, _STREAM_ROOM[1] / rows))
    lines = []
    for index, at in enumerate(sublayers):
        row = kinds.index(at.name)
        left = (row if flat else at.layer % columns) * across
        top = 0.0 if flat else (at.layer // columns * len(kinds) + row) * down
        top += _STREAM_KEY
        lines.append((index, left, left + across - _GAP, top, top + down - _GAP))
    panels = pd.DataFrame(lines, columns=["place", "left", "right", "top", "bottom"])
    return panels, (_STREAM_ROOM[0], _STREAM_KEY + rows * down)


def _arrows(panels: pd.DataFrame, sublayers: Sequence[SubLayer]) -> pd.DataFrame:
    """Return three arrows a panel in pixels, with the ring of the length after on the third."""
    sums = panels["before"] + panels["along"]
    room = panels["right"] - panels["left"] - 2 * _MARGIN
    height = panels["bottom"] - panels["top"] - _HEAD - _MARGIN
    # The ring lies on the sum, or beyond its end.
    reach = (panels["after"] / panels["summed"]).replace(np.inf, np.nan).fillna(0.0)
    farthest = sums * reach.clip(lower=1.0)
    widths = np.maximum(panels["before"], farthest) - np.minimum(0, farthest)
    heights = (panels["across"] * reach.clip(lower=1.0)).clip(lower=1e-9)
    # One scale for all panels, so that lengths can be compared.
    scale = float(np.minimum(room / widths.clip(lower=1e-9), height / heights).min())
    lines = []
    for at, end, far, beyond, sublayer in zip(
        panels.itertuples(), sums, farthest, reach, sublayers, strict=True
    ):
        start = at.left + _MARGIN - scale * min(0.0, far)
        floor = at.bottom - _MARGIN
        corner = start + scale * at.before
        tip = start + scale * end, floor - scale * at.across
        ring = start + beyond * (tip[0] - start), floor + beyond * (tip[1] - floor)
        lines += [
            (at.place, "before", start, floor, corner, floor, GREY, *ring),
            (at.place, "added", corner, floor, *tip, _accent(sublayer), *ring),
            (at.place, "summed", start, floor, *tip, "", *ring),
        ]
    columns = ["place", "of", "x", "y", "x2", "y2", "colour", "ring_x", "ring_y"]
    return _turned(pd.DataFrame(lines, columns=columns))


def _turned(arrows: pd.DataFrame) -> pd.DataFrame:
    """Add the direction of each arrow in degrees."""
    # Vega turns a mark clockwise from upright, and its pixels count down.
    rise = arrows["y"] - arrows["y2"]
    return arrows.assign(angle=90 - np.degrees(np.arctan2(rise, arrows["x2"] - arrows["x"])))


def _accent(sublayer: SubLayer) -> str:
    """Return the colour of a sub-layer; `palette_of` knows those of other families by name."""
    return palette_of(_COLOURS.get(sublayer.name, sublayer.name)).accent


def _stream(size: tuple[float, float], named: bool) -> alt.LayerChart:
    tooltip = r.tips(
        label="block-sublayer",
        before=("block-before", ".2f"),
        added=("block-added", ".2f"),
        cosine=("block-cosine", "+.2f"),
        turn=("block-turn", ".0f"),
        summed=("block-summed", ".2f"),
        after=("block-after", ".2f"),
    )
    left = r.pixels(alt.X, "left")
    top = r.pixels(alt.Y, "top")
    sides = {"x": left, "x2": "right:Q", "y": top, "y2": "bottom:Q"}
    panels = r.source("panels").encode(**sides)
    ground = panels.mark_rect(color=GREY, opacity=0.07, tooltip=None, aria=False)
    clicks = r.click(SELECTION_NAME, "place", "click")
    area = r.touched("panels", tooltip, clicks).encode(r.outline("datum.chosen"), **sides)
    words = r.source("panels").encode(x=left, y=top)
    style = {"align": "left", "baseline": "top", "dx": 8, "aria": False}
    title = r.text(words, fontSize=12, fontWeight="bold", dy=7, **style)
    title = title.encode(text="label:N", color=_red_if_chosen())
    numbers = r.text(words, fontSize=11, dy=24, **style).encode(text="numbers:N")
    key = r.text(r.source("key_words"), align="left", fontSize=12, aria=False)
    key = key.encode(x=r.pixels(alt.X, "x"), y=r.pixels(alt.Y, "y"), text="text:N")
    layers = [ground, *_arrow_marks("arrows"), *_arrow_marks("key"), key]
    layers += [title, *[numbers] * named, area]
    return r.layered(*layers, width=size[0], height=size[1])


def _red_if_chosen() -> alt.ColorValue:
    return r.when(alt.ColorValue, ("datum.chosen", SELECTION_TEXT), otherwise=INK)


def _arrow_marks(table: str) -> list[alt.Chart]:
    """Draw the arrows of a table with their heads, and a ring on each sum that has one."""
    arrows = r.source(table, "datum.of !== 'ring'")
    # The ink stands in the specification, where a saved picture replaces it, not in the data.
    colour = alt.condition(
        "datum.of === 'summed'", alt.value(INK), alt.Color("colour:N", scale=None)
    )
    shaft = arrows.mark_rule(strokeWidth=2.5, tooltip=None, aria=False)
    head = arrows.mark_point(
        shape="triangle", filled=True, size=70, opacity=1, tooltip=None, aria=False
    )
    ringed = "isValid(datum.ring_x) && (datum.of === 'summed' || datum.of === 'ring')"
    ring = r.source(table, ringed).mark_point(
        color=INK, size=80, strokeWidth=1.6, filled=False, opacity=1, tooltip=None, aria=False
    )
    x, y, end_x, end_y = (r.pixels(*at) for at in _ENDS)
    ring_at = r.pixels(alt.X, "ring_x"), r.pixels(alt.Y, "ring_y")
    return [
        shaft.encode(x, y, alt.X2("x2:Q"), alt.Y2("y2:Q"), color=colour),
        head.encode(end_x, end_y, alt.Angle("angle:Q", scale=None), color=colour),
        ring.encode(*ring_at),
    ]


def norm_strips(stages: Mapping[str, np.ndarray]) -> Figure:
    """Draw all numbers of one vector before and after a layer norm, one strip of ticks a stage.

    The wide bar runs one standard deviation to either side of the mean.
    """
    ticks, spans = strip_tables(stages, [say(f"block-stage-{name}") for name in stages])
    deviations = [say("block-strip-sd", sd=float(stage.std())) for stage in stages.values()]
    spans = spans.assign(deviation=deviations)
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
        r.text(spans, fontSize=13, fontWeight=600, dy=-0.46 * _STRIP, aria=False).encode(
            x="mean:Q", text="deviation:N"
        ),
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

    Beside the rows stand mean and standard deviation of each token, below the columns those of each
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
    moments = r.tips(label="block-of", mean=mean, sd=("block-sd", ".4f"))
    panels = []
    # All three panels read one table; each takes the rows of its number.
    for panel, name in enumerate(("given", norm, "batch")):
        grid = Grid(
            n_rows, n_columns, step, chosen="chosen", where=f"datum.panel === {panel}",
            query=None, key="block-dimensions-axis", bare="y" if panel else "",
        )  # fmt: skip
        beside = r.text(
            r.source("rows", grid.where), align="left", fontSize=font_size(step[1], 11)
        ).encode(text="moments:N", tooltip=moments)
        # Deviations alone: pairs of numbers on their heads are hard to tell apart.
        below = r.text(
            r.source("columns", grid.where), align="right", angle=270, fontSize=SMALLEST_FONT
        ).encode(text=alt.Text("sd:Q", format=".2f"), tooltip=moments)
        panels.append(
            grid.drawn(
                grid.cells().encode(color=colour, tooltip=cell),
                beside.encode(x=alt.XValue(grid.width + 6), y=grid.y),
                below.encode(x=grid.x, y=alt.YValue(grid.height + 6)),
                *_moments_headings(grid),
                title=say(f"block-norm-{name}"),
            )
        )
    return r.beside(*panels, spacing=30)


def _moments_headings(grid: Grid) -> list[alt.Chart]:
    """Return the words above the means and deviations of rows, and before those of columns."""
    first = r.source("rows", f"{grid.where} && datum.q === 0")
    style = {"fontSize": SMALLEST_FONT, "aria": False}
    above = r.text(first, align="left", baseline="bottom", **style)
    before = r.text(first, align="right", **style)
    return [
        above.encode(
            x=alt.XValue(grid.width + 6),
            y=alt.YValue(-4),
            text=alt.TextValue(say("block-moments-heading")),
        ),
        before.encode(
            x=alt.XValue(-6),
            y=alt.YValue(grid.height + 16),
            text=alt.TextValue(say("block-moments-below")),
        ),
    ]


def gradient_lines(gradients: Gradients, vanished: float) -> Figure:
    """Draw the size of the loss gradient at every sub-layer, one line a run of `gradients`.

    A grey band covers gradients below the share `vanished` of the full model's, and a cross in it
    stands for a gradient too small to be told from rounding.
    """
    lines, names, runs = _gradient_rows(gradients)
    powers = lines["power_size"].astype(float)
    # Where a gradient counts as vanished, at every sub-layer.
    full = lines[lines["run"] == "plain"]
    least = full.assign(power_size=full["power_size"].astype(float) + np.log10(vanished))
    least = least.dropna(subset=["power_size"])[["place", "label", "power_size"]]
    smallest = np.nanmin([powers.min(), least["power_size"].min(), 0.0])
    # Left of the smallest, so that crosses stand apart from every point, and runs from each other.
    floor = float(np.floor(smallest)) - 0.5 if powers.notna().any() else 0.0
    gone = lines[powers.isna()]
    runs_gone = list(gone["name"].unique())
    gone = gone.assign(power_size=[floor - 0.12 * runs_gone.index(name) for name in gone["name"]])
    edge = pd.DataFrame({"power_size": [floor]})
    named = _named_tops(lines.assign(at=powers), middle=(floor + powers.max()) / 2)
    changes = dict(zip(Gradients.RUNS, gradient_changes(gradients), strict=True))
    named["text"] = [_with_change(at.name, changes[at.run]) for at in named.itertuples()]
    tables = {"lines": lines, "gone": gone, "edge": edge, "least": least, "named": named}
    crossed = gone if _bypassed(gradients, vanished) else gone[:0]
    tables["bypass"] = _beside_crosses(crossed, least, float(powers.max()) - floor)
    return drawn(_sizes, tables, names=names, runs=runs, vanished=vanished, any_gone=not gone.empty)


def _bypassed(gradients: Gradients, vanished: float) -> bool:
    """Return True if gradients vanish in the decoder without residuals and not in the encoder."""
    facts = gradient_facts(gradients, vanished)
    return facts["decoder"] > 0 and facts["n_encoder"] > 0 and facts["encoder"] == 0


def _beside_crosses(gone: pd.DataFrame, least: pd.DataFrame, span: float) -> pd.DataFrame:
    """Return the row of `least` beside the middle cross of the decoder, if it has room for words.

    The room ends at the line of the full model, three powers of ten right of the band. `span`:
    powers of ten of the whole axis.
    """
    crosses = gone[(gone["run"] == "residual") & (gone["stack"] == "decoder")]["place"]
    middle = crosses.sort_values().iloc[(len(crosses) - 1) // 2 :][:1]
    if _REASON * span > 3 * _LINES_WIDTH:
        middle = middle[:0]
    return least[least["place"].isin(middle)]


def alike_lines(gradients: Gradients) -> Figure:
    """Draw how alike the outputs of all positions are at every sub-layer, one line a run."""
    lines, names, runs = _gradient_rows(gradients)
    named = _named_tops(lines.assign(at=lines["alike"]), middle=0.5)
    tables = {"lines": lines, "named": named.assign(text=named["name"])}
    return drawn(_alike, tables, names=names, runs=runs)


def _with_change(name: str, change: float) -> str:
    """Return the name of a run with the change of its gradient from the last sub-layer up."""
    if not np.isfinite(change):
        return name
    return say("block-gradients-named", name=name, change=change_words(change))


def change_words(change: float) -> str:
    """Write the ratio of two norms: a loss in percent, a growth as a factor."""
    if change < 1:
        return say("block-gradients-share", share=change)
    return say("block-gradients-fold", growth=float(np.log(change)))


def _named_tops(lines: pd.DataFrame, middle: float) -> pd.DataFrame:
    """Return the upper end of each run's line, with a height for its name above the drawing.

    No name touches another or lies on the stem of one. Columns: those of `lines`, with y (pixels)
    and is_right (True beyond the `middle` of the drawing: names end at the line, not begin).
    """
    tops = lines.dropna(subset=["at"]).sort_values("place").groupby("name", sort=False).head(1)
    tops = tops.assign(is_right=tops["at"] > middle)
    # Names run over the stems of neighbours, which must be shorter: of those that begin at their
    # line, the first is the highest, and of those that end there, the last.
    order = tops["at"].where(tops["is_right"], -tops["at"])
    tops = tops.assign(order=order).sort_values(["is_right", "order"], ignore_index=True)
    return tops.drop(columns="order").assign(y=-10.0 - _NAME_STEP * tops.index)


def _gradient_rows(
    gradients: Gradients,
) -> tuple[pd.DataFrame, tuple[str, ...], tuple[str, ...]]:
    """Return the table of lines, the names of the sub-layers and those of the runs."""
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
    return lines, tuple(names), tuple(runs.values())


def _sizes(
    names: tuple[str, ...], runs: tuple[str, ...], vanished: float, any_gone: bool
) -> alt.LayerChart:
    x = _powers_axis()
    rows = _sublayer_rows(names, "block-gradient-rows")
    band = r.source("least").mark_rule(
        # From one row to the next, whose padding shares the height with them.
        strokeWidth=_line_step(names) * len(names) / (len(names) + _ROW_PADDING),
        color=INK,
        opacity=0.09,
        tooltip=None,
        aria=False,
    )
    more = [
        band.encode(x=x, x2=alt.X2Value(0), y=rows),
        r.source("edge").mark_point(size=0, opacity=0, tooltip=None, aria=False).encode(x=x),
        *_words_of_signs(len(runs), vanished, any_gone),
    ]
    if any_gone:
        gone = r.source("gone").mark_point(
            shape="cross", angle=45, size=90, filled=True, opacity=1, aria=False
        )
        gone = gone.encode(x=x, y=rows)
        tooltip = _run_tips("size", "block-gradient-axis")
        more.append(gone.encode(color=_run_colour(runs), tooltip=tooltip))
        reason = r.text(
            r.source("bypass"), align="left", dx=8, fontSize=13, lineBreak="\n", lineHeight=17
        )
        more.append(reason.encode(x=x, y=rows, text=alt.TextValue(say("block-gradients-bypass"))))
    more += _names_above(x, runs)
    return _sublayer_lines(names, runs, x, "size", "block-gradient-axis", more)


def _powers_axis() -> alt.X:
    """Return the x channel of the gradients' sizes, labelled in powers of ten."""
    # The column holds log10, null for a gradient of 0, which a log scale could not place.
    power = f"'10' + (datum.value < 0 ? '⁻' : '') + {_RAISED}"
    # Crosses stand outside the scale, so it has no numbers there.
    power = f"datum.value < data('edge')[0].power_size ? '' : {power}"
    return r.x(
        "power_size",
        "block-gradient-axis",
        labelExpr=power,
        tickMinStep=1,
        format="d",
        padding=14,
    )


def _words_of_signs(n_runs: int, vanished: float, any_gone: bool) -> list[alt.Chart]:
    """Return the words on percentages, band and crosses, in two lines above the names of runs."""
    signs = [say("block-gradients-vanished", share=vanished)]
    if any_gone:
        signs.append(say("block-gradients-none"))
    words = r.text(r.source("edge"), fontSize=11, align="left", baseline="bottom", aria=False)
    lines = (say("block-gradients-beside"), "  ·  ".join(signs))
    return [
        words.encode(
            x=alt.XValue(0),
            y=alt.YValue(-6 - _NAME_STEP * (n_runs + above)),
            text=alt.TextValue(line),
        )
        for above, line in enumerate(lines)
    ]


def _alike(names: tuple[str, ...], runs: tuple[str, ...]) -> alt.LayerChart:
    x = r.x("alike", "block-alike-axis", domain={"unionWith": [0, 1]}, nice=False)
    more = _names_above(x, runs)
    return _sublayer_lines(names, runs, x, "alike", "block-alike-axis", more, "block-alike-rows")


def _names_above(x: alt.X, runs: tuple[str, ...]) -> list[alt.Chart]:
    """Return the names of the runs above their lines, each with a thin line down to its own."""
    named = r.source("named").encode(x=x)
    y = r.pixels(alt.Y, "y")
    stem = named.mark_rule(strokeWidth=1.5, opacity=0.8, tooltip=None, aria=False)
    marks = [stem.encode(y=y, y2=alt.Y2Value(0), color=_run_colour(runs))]
    for is_right, align, dx in ((False, "left", 5), (True, "right", -5)):
        side = r.source("named", f"datum.is_right === {str(is_right).lower()}").encode(x=x)
        words = r.text(side, align=align, dx=dx, fontSize=13, fontWeight=600)
        marks.append(words.encode(y=y, text="text:N"))
    return marks


def _sublayer_lines(
    names: tuple[str, ...],
    runs: tuple[str, ...],
    x: alt.X,
    column: str,
    title: str,
    more: Sequence[alt.Chart],
    down: str = "block-gradient-rows",
) -> alt.LayerChart:
    """Draw lines down the sub-layers, one colour a run; they break between the stacks."""
    rows = r.source("lines").encode(
        x,
        _sublayer_rows(names, down),
        _run_colour(runs),
        alt.Detail("stack:N"),
    )
    return r.lines(
        rows,
        _run_tips(column, title),
        size=(_LINES_WIDTH, _line_step(names) * len(names)),
        points=50,
        more=more,
        invalid="filter",
    )


def _line_step(names: tuple[str, ...]) -> int:
    """Return the pixels from one sub-layer to the next."""
    return max(14, min(34, 400 // len(names)))


def _sublayer_rows(names: tuple[str, ...], title: str | None = None) -> alt.Y:
    places = alt.Scale(domain=names, padding=_ROW_PADDING)
    named = alt.Axis(ticks=False, labelPadding=6, labelLimit=190, grid=True, gridOpacity=0.3)
    return alt.Y("label:N", title=r.title_of(title), sort=None, scale=places, axis=named)


def _run_colour(runs: tuple[str, ...]) -> alt.Color:
    colours = (palette_of(ENCODER).accent, CHOICES[2], POSITIVE, NEGATIVE)
    return r.series(alt.Color, "name", runs, colours, legend=None)


def _run_tips(column: str, title: str) -> list[alt.Tooltip]:
    return r.tips({"name": "block-run", "label": "block-sublayer", column: (title, ".3~g")})


def lens_grid(lens: Lens, tokens: Sequence[str], *, chosen: int | None = None) -> Figure:
    """Draw the likeliest token after every sub-layer at every position, with its probability.

    A frame marks the wanted token where it is the likeliest. `tokens` names the T positions, of
    which `chosen` is marked: from where its token stays the likeliest, its frames are thick and
    red, and the probability is written if the rows have room.
    """
    names = state_names(lens.places)
    cells = lens_table(lens, names, tokens)
    room = _lens_cell(*lens.wanted_probs.shape)[0] - 5
    # `text_width` assumes an average letter; tokens are mostly small ones, which are narrower.
    narrow = 0.82 * _LENS_FONT
    cells = cells.assign(
        text=[r.cut(label, room, narrow) for label in cells.pop("best")],
        ink=ink_on(_lens_ramp(), cells["prob"].to_numpy()),
        percent=[percent(prob, 0) for prob in cells["prob"]],
    )
    stays = len(names) if chosen is None else lens_facts(lens, chosen)[0]
    cells["stays"] = (cells["k"] == chosen) & (cells["q"] >= stays)
    # A token moves up where its probability stands below it.
    cells["two"] = cells["stays"] & (_lens_cell(*lens.wanted_probs.shape)[1] >= _LENS_TWO)
    columns = edge(tokens, "k", chosen=np.arange(len(tokens)) == chosen)
    tables = {"cells": cells, "rows": labelled(names, "q"), "columns": columns}
    return drawn(_lens, tables, size=lens.wanted_probs.shape, stack=lens.places[0].stack)


def _lens_ramp() -> tuple[str, ...]:
    """Return the colours of a cell, pale enough for words in one ink."""
    return palette_of(CROSS).ramp[:2]


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
        key=f"block-lens-columns-{stack}",
    )
    prob, wanted, rank = (
        say(f"block-lens-{name}", stack=stack) for name in ("prob", "wanted", "rank")
    )
    tooltip = r.tips(
        query="block-lens-after", key="block-token", five="block-lens-five",
        wanted=(wanted, ".4f"), rank=(rank, ",d"),
    )  # fmt: skip
    colour = r.share_colour("prob", _lens_ramp(), prob, titleLimit=460)
    likeliest = grid.cells(where="datum.rank === 1").mark_rect(
        filled=False, stroke=INK, strokeWidth=1.2, strokeOpacity=0.55, tooltip=None, aria=False
    )
    up = alt.ExprRef(f"datum.two ? -{_LENS_LINE} : 0")
    words = r.text(grid.cells(), fontSize=_LENS_FONT, dy=up, aria=False)
    shares = r.text(
        grid.cells(where="datum.two"), fontSize=12, fontWeight="bold", dy=_LENS_LINE, aria=False
    )
    return grid.drawn(
        grid.cells().encode(color=colour, tooltip=tooltip),
        likeliest,
        r.frame(grid.cells(where="datum.stays"), 3.5),
        words.encode(text="text:N", fill=r.own_ink()),
        shares.encode(text="percent:N", fill=r.own_ink()),
    )
