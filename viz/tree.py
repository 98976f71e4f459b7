"""Figure of a search tree, from left to right, with every number of its nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from core.layout import link_paths, tree_table
from core.records.attention import DECODER
from core.records.search import BeamNode, BeamTree
from core.records.tokens import token_label
from words.numbers import fixed

from . import recipes as r
from .figure import Figure, drawn
from .labels import SMALLEST_FONT, text_width
from .style import say
from .theme import GREY, INK, NEGATIVE, POSITIVE, SELECTION, SELECTION_TEXT, palette_of

Side = Literal["first", "second"]

SELECTION_NAME = "node"
STEP_SIGNAL = "upto"  # variable of the step up to which the tree is drawn; later ones are pale
_LEFT = 14  # pixels before the first step
# Pixels of a tree before its steps or rows move closer.
_WIDE = 926
_HIGH = 440
_RADIUS = 6.0
_SMALL = 3.5
# Pixels from a node to its label, more where a ring is around it.
_BESIDE = {"expr": f"datum.chosen || datum.status === 'finished' ? {_RADIUS + 8} : {_RADIUS + 4}"}
_OVER = 10.0  # pixels that a number may take of the gap before the next links
_FONT = 11.0
_LINE = "M0,0H26"
_DASHED = [3, 3]
_PALE = 0.4  # opacity of the links and circles of pruned nodes
_LEGIBLE = 0.6  # that of their words, which have to be read
_PRUNED = "datum.status === 'pruned'"
# A node is on the way to another if the other's `pre` lies between its own `pre` and `last`.
_UNDER_POINTER = (
    "isValid(over.pre) && isValid(over.pre[0]) "
    "&& datum.pre <= over.pre[0] && over.pre[0] <= datum.last"
)


class _Layout(NamedTuple):
    """Size of a tree: its steps, the pixels from one step to the next, and those of a row."""

    n_steps: int
    apart: int
    row: int

    @property
    def free(self) -> int:
        """Pixels of a step for a node and its words; links rise and fall in the rest."""
        return self.apart - min(self.apart * 2 // 5, self.apart - 46) + 6

    @property
    def room(self) -> float:
        """Pixels of a step for the words beside a node."""
        return self.free - _RADIUS - 8

    @property
    def width(self) -> int:
        return _LEFT + self.n_steps * self.apart + self.free


@dataclass(frozen=True)
class TreeMarks:
    """Marks on a tree that a text beside it refers to."""

    # Numbers behind the tokens of some nodes, by their ids. Finished ones have their score instead
    # of the end token, which their ring says.
    numbers: Mapping[int, str] = field(default_factory=dict)
    # ids of the nodes that greedy search takes, as far as the tree has them; a thin dark line
    greedy: Sequence[int] = ()
    greedy_score: float | None = None  # score at which greedy search ends, for the legend


NO_MARKS = TreeMarks()


def beam_tree(
    tree: BeamTree,
    *,
    upto_step: int | None = None,
    selected: int | None = None,
    click: int = 0,
    compare: BeamTree | None = None,
    side: Side = "second",
    marks: TreeMarks = NO_MARKS,
) -> Figure:
    """Draw the tree from left to right, each token beside its node.

    The selection `node` reports the `id` of a clicked node with `click`. The browser highlights the
    path from the root to the node under the pointer.

    Parameters
    ----------
    upto_step : int, optional
        Nodes of later steps are pale; `STEP_SIGNAL` of the specification moves it.
    selected : int, optional
        Id of a node to ring, with its path in red as far as it leaves the best hypothesis.
    click : int
        Differs from drawing to drawing, so that the same node can be clicked again.
    compare : BeamTree, optional
        Another tree; nodes of `tree` alone have the colour of its `side`, purple or green.
    marks : TreeMarks
        Numbers of some nodes, and the path of greedy search.
    """
    table = tree_table(tree, compare)
    layout = _layout_of(table)
    nodes = _nodes(tree, table, layout, selected, marks, click)
    return drawn(
        _tree,
        {"nodes": nodes, "steps": _steps(layout)},
        layout=layout,
        upto=layout.n_steps if upto_step is None else upto_step,
        signs=_signs(table, picked=bool(nodes["on_way"].any())),
        greedy=_greedy_name(marks),
        new={"first": NEGATIVE, "second": POSITIVE}[side] if compare else "",
    )


def _layout_of(table: pd.DataFrame) -> _Layout:
    """Return the widest layout at which all steps fit; if none does, the figure scrolls."""
    n_steps = int(table["step"].max())
    row = max(16, min(22, int(_HIGH / (table["y"].max() + 1))))
    layouts = (_Layout(n_steps, apart, row) for apart in range(116, 56, -1))
    fitting = (layout for layout in layouts if layout.width <= _WIDE)
    return next(fitting, _Layout(n_steps, 80, row))


def _steps(layout: _Layout) -> pd.DataFrame:
    """Return the steps from the start on, with their pixels and words."""
    steps = np.arange(layout.n_steps + 1)
    words = [say("beam-step", n=int(step)) if step else say("beam-start") for step in steps]
    return pd.DataFrame({"step": steps, "px": _LEFT + layout.apart * steps, "label": words})


def _nodes(
    tree: BeamTree,
    table: pd.DataFrame,
    layout: _Layout,
    selected: int | None,
    marks: TreeMarks,
    click: int,
) -> pd.DataFrame:
    """Return the nodes with their words and looks; later rows are drawn on top."""
    pruned = table["status"] == "pruned"
    best = table["on_best_path"]
    target = -1 if selected is None else table["pre"][selected]
    on_way = table["pre"].le(target) & table["last"].ge(target)
    labels = _labels(tree.nodes, layout, marks.numbers)
    widths = np.array([text_width(label, 1) for label in labels])
    most = np.where(pruned, SMALLEST_FONT, _FONT)
    # Long labels get a smaller font before they are cut.
    font = np.clip(layout.room / np.maximum(widths, 1), SMALLEST_FONT, most)
    radius = np.where(pruned, _SMALL, _RADIUS)
    # Width in pixels follows the probability of the path; pruned ones stay thin.
    breadth = 1 + 8 * table["share"].mask(pruned, 0)
    nodes = table.assign(
        y=table["y"].round().astype(int),
        link=link_paths(table, (layout.apart, layout.row), layout.free, radius, widths * font),
        link_width=breadth.mask(best, breadth.clip(3.5)),
        label=labels,
        font=font,
        best=best,
        # The best hypothesis keeps its colour: there the ring alone is red.
        on_way=on_way & ~best,
        chosen=table["id"] == selected,
        fate=[_fate(node) for node in tree.nodes],
        click=click,
        greedy=table["id"].isin(list(marks.greedy)),
        on_top=1 - pruned + 2 * best + 4 * on_way,
    )
    nodes = nodes.sort_values("on_top", kind="stable", ignore_index=True)
    return nodes.drop(columns=["on_best_path", "parent", "parent_x", "parent_y", "on_top"])


def _labels(nodes: Sequence[BeamNode], layout: _Layout, numbers: Mapping[int, str]) -> list[str]:
    """Return the words beside the nodes, with their `numbers` where these fit."""
    labels = []
    for node in nodes:
        # No link begins at a pruned node, so a number takes the room of one.
        both_room = layout.apart - 22 if node.status == "pruned" else layout.room
        labels.append(_label(node, numbers.get(node.id, ""), layout.room, both_room))
    return labels


def _label(node: BeamNode, number: str, room: float, both_room: float) -> str:
    """Return the token of a node, shortened to `room` pixels.

    Its number follows if both fit into `both_room`.
    """
    if node.status == "finished":
        return fixed(node.score)
    token = token_label(node.token)
    both = f"{token} {number}"
    fits = text_width(both, SMALLEST_FONT) <= both_room + _OVER
    return both if number and fits else r.cut(token, room, SMALLEST_FONT)


def _fate(node: BeamNode) -> str:
    """Return the status of a node, with its reason if there is one."""
    named = say(f"beam-status-{node.status}")
    return say("beam-fate", status=named, reason=node.reason) if node.reason else named


def _signs(table: pd.DataFrame, *, picked: bool) -> tuple[str, ...]:
    """Return the signs of the legend that the tree has, in its order."""
    pruned = ("pruned",) if (table["status"] == "pruned").any() else ()
    chosen = ("chosen",) if picked else ()
    forced = ("forced",) if table["forced"].any() else ()
    return ("best", "kept", *pruned, "finished", *chosen, *forced)


def _greedy_name(marks: TreeMarks) -> str:
    """Return the legend's words on the path of greedy search; empty without one."""
    if not marks.greedy:
        return ""
    if marks.greedy_score is None:
        return say("beam-tree-key-greedy")
    return say("beam-tree-key-greedy-score", score=marks.greedy_score)


def _tree(
    layout: _Layout, upto: int, signs: tuple[str, ...], greedy: str, new: str
) -> alt.LayerChart:
    """Build the chart of all trees of as many steps: its height follows from the table's rows."""
    palette = palette_of(DECODER)
    x = _steps_axis(layout)
    y = alt.Y("y:O", scale=alt.Scale(type="band"), axis=None)
    opacity = _opacity(_PALE)
    best = ("datum.best", palette.accent)
    stroke = r.when(alt.StrokeValue, *_marked(new), best, otherwise=GREY)
    width = alt.StrokeWidth("link_width:Q", scale=None)
    dash = r.when(alt.StrokeDashValue, (_PRUNED, _DASHED), otherwise=[1, 0])
    links = r.paths("nodes", tooltip=None, aria=False)
    # Inside the thicker link of the best hypothesis, as far as both go together.
    alone = r.paths("nodes", "datum.greedy", tooltip=None, aria=False, stroke=INK, strokeWidth=1.5)
    # A layer of its own, so that hovering does not redraw the other links.
    way = r.paths("nodes", _UNDER_POINTER, tooltip=None, aria=False, stroke=SELECTION, opacity=1)
    return r.layered(
        links.encode(x, y, opacity, width, dash, stroke),
        *([alone.encode(x, y, opacity)] if greedy else []),
        way.encode(x, y, width, dash),
        _finished_rings().encode(x, y, opacity),
        _node_marks(new).encode(x, y, opacity),
        r.ring(r.source("nodes", "datum.chosen"), 300).encode(x, y),
        r.text(r.source("nodes"), align="left", dx=_BESIDE).encode(
            x, y, _opacity(_LEGIBLE), alt.Size("font:Q", scale=None), text="label:N"
        ),
        _areas(layout).encode(x, y),
        r.kept("steps", x=x),
        _key(palette.accent, signs, greedy, new).add_params(
            r.dial(STEP_SIGNAL, upto, layout.n_steps)
        ),
        width=layout.width,
        height=alt.Step(layout.row),
    )


def _opacity(pruned: float) -> alt.OpacityValue:
    """Return the opacity of marks: `pruned` for pruned ones, least after the step of the dial."""
    later = (f"datum.step > {STEP_SIGNAL}", 0.12)
    left_out = (f"{_PRUNED} && !datum.on_way && !datum.greedy", pruned)
    return r.when(alt.OpacityValue, later, left_out, otherwise=1)


def _marked(new: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the colours of the selected path, and of nodes of this tree alone."""
    return ("datum.on_way", SELECTION), ("datum.only_here", new)


def _node_marks(new: str) -> alt.Chart:
    """Draw nodes in the colour of their probability; forced ones are squares, pruned ones small."""
    marks = r.source("nodes").mark_point(filled=True, tooltip=None, aria=False)
    return marks.encode(
        r.when(alt.SizeValue, (_PRUNED, 4 * _SMALL**2), otherwise=4 * _RADIUS**2),
        r.when(alt.ShapeValue, ("datum.forced", "square"), otherwise="circle"),
        r.share_colour("probability", palette_of(DECODER).ramp, "beam-tree-probability"),
        r.when(alt.StrokeValue, *_marked(new), otherwise=INK),
        r.when(alt.StrokeWidthValue, ("datum.on_way || datum.only_here", 2), otherwise=0.8),
    )


def _finished_rings() -> alt.Chart:
    """Draw a circle around finished hypotheses."""
    return r.source("nodes", "datum.status === 'finished'").mark_point(
        size=324, filled=False, stroke=INK, strokeWidth=1.5, tooltip=None, aria=False
    )


def _steps_axis(layout: _Layout) -> alt.X:
    """Return the x channel of the steps."""
    n_steps = layout.n_steps
    apart = layout.apart
    later = {"test": f"datum.value > {STEP_SIGNAL}", "value": 0.62}
    # The whole tree has no step of its own.
    is_now = f"datum.value == {STEP_SIGNAL} && {STEP_SIGNAL} < {n_steps}"
    now = {"test": is_now, "value": SELECTION_TEXT}
    axis = r.label_axis(
        "steps",
        apart,
        values=list(range(n_steps + 1)),
        orient="top",
        labelAlign="left",
        labelFontSize=_FONT,
        labelOffset=-_RADIUS,
        labelOpacity={"condition": later, "value": 0.9},
        labelColor={"condition": now, "value": INK},
    )
    # In steps: the margins left of the first node and right of the last words.
    across = alt.Scale(domain=[-_LEFT / apart, n_steps + layout.free / apart])
    return alt.X("x:Q", title=None, scale=across, axis=axis)


def _areas(layout: _Layout) -> alt.Chart:
    """Return invisible areas, one a node with its label, for clicks and tooltips."""
    areas = r.source("nodes").mark_point(
        shape=f"M-10,{-layout.row // 2}H{layout.free - 2}V{layout.row // 2}H-10Z",
        size=4,
        aria=False,
        fill="transparent",
        stroke=None,
        opacity=1,
        cursor="pointer",
    )
    tooltip = r.tips(
        token="beam-token",
        step=("beam-step-title", "d"),
        log_prob=("beam-log-p", ".4f"),
        probability=("beam-probability", ".4f"),
        sum=("beam-tree-sum", ".4f"),
        penalty=("beam-tree-penalty", ".4f"),
        score=("beam-tree-score", ".4f"),
        share=("beam-tree-share", ".2%"),
        rank=("beam-tree-rank", "d"),
        fate="beam-status",
    )
    return areas.encode(tooltip=tooltip).add_params(
        r.click(SELECTION_NAME, "id", "click"), r.hover("over", "pre")
    )


def _key(accent: str, occurring: tuple[str, ...], greedy: str, new: str) -> alt.Chart:
    """Return the legend of links and rings, without a visible mark."""
    every = {
        "best": (_LINE, accent),
        "kept": (_LINE, GREY),
        "pruned": (_LINE, GREY),
        "finished": ("M7,0A6,6,0,1,0,19,0A6,6,0,1,0,7,0Z", INK),
        "chosen": (_LINE, SELECTION),
        "forced": ("M7,-6H19V6H7Z", INK),
    }
    signs = {sign: every[sign] for sign in occurring}
    signs |= {"only": (_LINE, new)} if new else {}
    names = [say(f"beam-tree-key-{sign}") for sign in signs]
    dashes = [_DASHED if sign == "pruned" else [1, 0] for sign in signs]
    if greedy:
        signs["greedy"] = (_LINE, INK)
        names.append(greedy)
        dashes.append([1, 0])
    shapes, colours = zip(*signs.values(), strict=True)
    # Legends of several channels are one only as long as nobody styles legends, as Streamlit does.
    legend = r.swatches(
        orient="bottom",
        columns=3,
        titleLimit=400,
        labelLimit=210,
        labelOffset=30,
        symbolOpacity=1,
        symbolSize=4,
        symbolStrokeWidth=2,
        symbolStrokeColor={"expr": f"{json.dumps(colours)}[datum.index]"},
        symbolType={"expr": f"{json.dumps(shapes)}[datum.index]"},
    )
    dash = r.series(alt.StrokeDash, "status", names, dashes, "beam-tree-key-width", legend)
    return r.kept("nodes").encode(dash)
