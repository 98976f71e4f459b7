"""The search tree of a translation, its hypotheses, and how the length penalty ranks them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from records import PENALTIES, BeamNode, BeamTree, Hypothesis, PenaltyKind

from .figure import Figure, table
from .labels import SPACE, text_width, token_label, visible
from .theme import INK, SELECTION, palette_of

Side = Literal["first", "second"]

SELECTION_NAME = "node"
SIDE_COLOURS: dict[Side, str] = {"first": "#9c6d9b", "second": "#4e9c57"}
GREY = "#8b9099"

_STEP = 116  # pixels from one step to the next
_CURVE = 40  # the part of them in which links rise and fall, free of text
_LEFT, _TOP = 14, 34
_RADIUS = {"kept": 6.0, "finished": 6.0, "pruned": 3.5}
_FONT = {"kept": 11.0, "finished": 11.0, "pruned": 10.0}
_SMALLEST_FONT = 8.5
_THIN, _THICKEST, _WINNER = 1.0, 9.0, 3.5
_GHOST, _PALE = 0.12, 0.6
_KEY_SAMPLE, _KEY_LINE, _KEY_FONT = 26, 18, 11.0
_SWEEPS = 12
_PRUNED_PULL = 0.1  # a bent link to a kept node costs as much as ten to pruned ones
_UNDER_POINTER = (
    "isValid(over.pre) && isValid(over.pre[0]) "
    "&& datum.pre <= over.pre[0] && over.pre[0] <= datum.last"
)
_LINES = 240  # least height of the plot of scores, in pixels
_LINES_ACROSS = 420
_LABEL_GAP = 15.0
_LABEL_ROOM = 270
_LABEL_LEAD = 26


@dataclass(frozen=True, eq=False)
class BeamLayout:
    """Where every node of a search tree is drawn.

    Attributes
    ----------
    nodes : DataFrame, one line a node in the order of the tree, with the columns id; x (the
        step); y (0 at the top, growing downwards, one unit a row); parent (id, -1 for a root),
        parent_x and parent_y (NaN for a root); status; on_best_path; share (probability of the
        whole path among the nodes of its step, which sum to one); pre and last (the descendants
        of a node, itself included, are those with `pre` from its own `pre` to its `last`).
    n_steps : the last step.
    height : the largest y.
    """

    nodes: pd.DataFrame
    n_steps: int
    height: float


def beam_layout(tree: BeamTree) -> BeamLayout:
    """A place for each node: one column a step, no two nodes of a column closer than one unit.

    Every column lists its nodes in the same depth-first order, so links never cross (as in tidy
    trees, Reingold and Tilford 1981). Within that order the nodes stand where the links bend
    least, found column by column, in whole rows and no more of them than the fullest column
    needs. The best path comes first everywhere: a straight line along the top.
    """
    nodes = tree.nodes
    best = {node.id for node in tree.path(tree.best)}
    children: list[list[BeamNode]] = [[] for _ in nodes]
    roots = []
    for node in nodes:
        (roots if node.parent is None else children[node.parent]).append(node)
    pre, last = _depth_first(roots, children, best)
    columns: dict[int, list[int]] = {}
    for node_id in np.argsort(pre).tolist():
        columns.setdefault(nodes[node_id].step, []).append(node_id)
    y = _heights(nodes, [columns[step] for step in sorted(columns)], children, best)
    parents = [-1 if node.parent is None else node.parent for node in nodes]
    x = np.array([node.step for node in nodes], np.int32)
    is_root = np.array(parents) < 0
    frame = pd.DataFrame(
        {
            "id": np.arange(len(nodes), dtype=np.int32),
            "x": x,
            "y": y,
            "parent": np.array(parents, np.int32),
            "parent_x": np.where(is_root, np.nan, x[parents]),
            "parent_y": np.where(is_root, np.nan, y[parents]),
            "status": [node.status for node in nodes],
            "on_best_path": [node.id in best for node in nodes],
            "share": _shares(nodes),
            "pre": pre,
            "last": last,
        }
    )
    return BeamLayout(frame, n_steps=int(x.max()), height=float(y.max()))


def spread(
    wanted: Sequence[Sequence[tuple[float, float]]],
    *,
    gap: float = 1.0,
    lowest: float = 0.0,
    highest: float = math.inf,
) -> list[float]:
    """Places in the given order, at least `gap` apart, as near as can be to those wanted.

    Every item names places that pull at it, each with a weight; the sum of weighted distances is
    least. With the gaps taken off this is isotonic regression in absolute distance, solved by
    pooling neighbours that are out of order; the bounds then only clip. Where they leave too
    little room, places run past `highest`.
    """
    pools: list[tuple[float, list[tuple[float, float]], int]] = []  # place, pulls, how many
    for i, pulls in enumerate(wanted):
        joint, count = [(place - i * gap, weight) for place, weight in pulls], 1
        place = _weighted_median(joint)
        while pools and pools[-1][0] > place:
            _, before, n = pools.pop()
            joint, count = before + joint, count + n
            place = _weighted_median(joint)
        pools.append((place, joint, count))
    top = max(lowest, highest - gap * (len(wanted) - 1))
    clipped = [min(max(place, lowest), top) for place, _, count in pools for _ in range(count)]
    return [place + i * gap for i, place in enumerate(clipped)]


def _weighted_median(pulls: list[tuple[float, float]]) -> float:
    """The smallest place with at least half of the weight at or below it."""
    ordered = sorted(pulls)
    reached = list(accumulate(weight for _, weight in ordered))
    return ordered[bisect_left(reached, reached[-1] / 2 - 1e-9)][0]


def _depth_first(
    roots: Sequence[BeamNode], children: Sequence[Sequence[BeamNode]], best: set[int]
) -> tuple[np.ndarray, np.ndarray]:
    """When each node is first met, and the last number met below it."""

    def order(node: BeamNode) -> tuple[bool, bool, int, int]:
        return node.id not in best, node.status == "pruned", node.rank, node.id

    pre, last = np.zeros(len(children), np.int32), np.zeros(len(children), np.int32)
    pending = sorted(roots, key=order, reverse=True)
    met = []
    while pending:
        node = pending.pop()
        pre[node.id] = last[node.id] = len(met)
        met.append(node)
        pending += sorted(children[node.id], key=order, reverse=True)
    for node in reversed(met):
        if node.parent is not None:
            last[node.parent] = max(last[node.parent], last[node.id])
    return pre, last


def _heights(
    nodes: Sequence[BeamNode],
    columns: Sequence[Sequence[int]],
    children: Sequence[Sequence[BeamNode]],
    best: set[int],
) -> np.ndarray:
    """y of each node: downwards from the parents first, then to and fro until it settles."""
    rows = max(map(len, columns)) - 1
    pull = [_PRUNED_PULL if node.status == "pruned" else 1.0 for node in nodes]
    y = [0.0] * len(nodes)

    def pulls_at(i: int, look_ahead: bool) -> list[tuple[float, float]]:
        if i in best:
            return [(0.0, 1.0)]
        parent = nodes[i].parent
        pulls = [] if parent is None else [(y[parent], pull[i])]
        if look_ahead:
            pulls += [(y[child.id], pull[child.id]) for child in children[i]]
        return pulls or [(y[i], 1.0)]

    def settle(column: Sequence[int], look_ahead: bool) -> bool:
        places = spread([pulls_at(i, look_ahead) for i in column], highest=rows)
        changed = any(y[i] != place for i, place in zip(column, places, strict=True))
        for i, place in zip(column, places, strict=True):
            y[i] = place
        return changed

    for column in columns:
        settle(column, look_ahead=False)
    for _ in range(_SWEEPS):
        back = [settle(column, look_ahead=True) for column in reversed(columns)]
        forth = [settle(column, look_ahead=True) for column in columns]
        if not any(back + forth):
            break
    return np.array(y)


def _shares(nodes: Sequence[BeamNode]) -> np.ndarray:
    """exp(cum_log_prob), divided by its sum over the nodes of the same step."""
    steps = np.array([node.step for node in nodes])
    sums = np.array([node.cum_log_prob for node in nodes], dtype=np.float64)
    largest = np.full(steps.max() + 1, -np.inf)
    np.maximum.at(largest, steps, sums)
    finite = np.isfinite(sums)
    terms = np.zeros(len(nodes))
    terms[finite] = np.exp(sums[finite] - largest[steps[finite]])
    totals = np.bincount(steps, weights=terms)
    return terms / np.where(totals > 0, totals, 1.0)[steps]


def is_forced(tree: BeamTree, node: BeamNode) -> bool:
    """Whether the reader, not the search, chose this token."""
    return 1 <= node.id <= len(tree.prefix) or "forced" in node.reason


def beam_tree(
    tree: BeamTree,
    *,
    upto_step: int | None = None,
    selected: int | None = None,
    dark: bool = False,
    click: int = 0,
    compare: BeamTree | None = None,
    side: Side = "second",
    layout: BeamLayout | None = None,
) -> Figure:
    """The tree from left to right, each token beside its node.

    The selection `node` reports the `id` of a clicked node with `click`. The pointer lights the
    way from the root to the node under it, in the browser alone.

    Parameters
    ----------
    upto_step : nodes of later steps stay where they are and only shimmer through.
    selected : id of a node to ring, with the way to it in red.
    click : any number that tells this drawing from the last, see `viz.heatmap.attention_cells`.
    compare : another tree; what only `tree` has is drawn in the colour of its `side` of the
        comparison, purple for the first and green for the second.
    layout : `beam_layout` of the tree, where it is at hand.
    """
    layout = layout or beam_layout(tree)
    row = _row_height(layout.height)
    nodes = _node_table(tree, layout, row, upto_step, selected, compare, click)
    bottom = round(_TOP + layout.height * row + row / 2)
    width = _LEFT + (layout.n_steps + 1) * _STEP - _CURVE
    key, key_room = _key(
        min(max(width, 320), 760),
        bottom + 18,
        forced=bool(nodes["forced"].any()),
        compared=compare is not None,
    )
    rings = nodes.loc[nodes["status"] == "finished", ["px", "py", "radius", "opacity"]]
    chosen = nodes.loc[nodes["id"] == (-1 if selected is None else selected), ["px", "py"]]
    colour = SIDE_COLOURS[side] if compare is not None else ""
    chart = _tree_chart(width, bottom + key_room, row, dark, colour)
    tables = {
        "nodes": nodes.drop(columns=["radius"]),
        "rings": rings.assign(size=4 * (rings["radius"] + 3) ** 2).drop(columns=["radius"]),
        "chosen": chosen.reset_index(drop=True),
        "steps": _step_table(layout.n_steps, upto_step),
        "key": key,
    }
    tables["rings"] = tables["rings"].reset_index(drop=True)
    return Figure(chart, tables, SELECTION_NAME, width=max(width, 320) + 40)


def _row_height(height: float) -> float:
    return max(17.0, min(24.0, 460 / (height + 1)))


def _node_table(
    tree: BeamTree,
    layout: BeamLayout,
    row: float,
    upto_step: int | None,
    selected: int | None,
    compare: BeamTree | None,
    click: int,
) -> pd.DataFrame:
    """One line a node, the ones to be drawn last at the end: place, looks and ledger."""
    nodes, places = tree.nodes, layout.nodes
    n = len(nodes)
    pruned = np.array([node.status == "pruned" for node in nodes])
    forced = np.array([is_forced(tree, node) for node in nodes])
    on_best = places["on_best_path"].to_numpy()
    later = np.zeros(n, bool) if upto_step is None else places["x"].to_numpy() > upto_step
    radius = np.array([_RADIUS[node.status] for node in nodes])
    room = _STEP - _CURVE - max(_RADIUS.values()) - 8
    fitted = [_fitted(node.token, room, _FONT[node.status]) for node in nodes]
    share = places["share"].to_numpy()
    width = np.where(pruned, _THIN, _THIN + (_THICKEST - _THIN) * share)
    width = np.where(on_best, np.maximum(width, _WINNER), width)
    on_way = _on_way(places, selected)
    scores = np.array([node.score for node in nodes], dtype=np.float64)
    sums = np.array([node.cum_log_prob for node in nodes], dtype=np.float64)
    log_probs = np.array([node.log_prob for node in nodes], dtype=np.float64)
    frame = pd.DataFrame(
        {
            "id": places["id"],
            "pre": places["pre"],
            "last": places["last"],
            "px": (_LEFT + places["x"] * _STEP).astype(np.float32),
            "py": (_TOP + places["y"] * row).astype(np.float32),
            "radius": radius,
            "size": (4 * radius**2).astype(np.float32),
            "link": _links(places, row, radius, fitted),
            "link_width": width.astype(np.float32),
            "label": pd.Categorical([text for text, _ in fitted]),
            "font": np.array([size for _, size in fitted], np.float32),
            "opacity": np.where(later, _GHOST, np.where(pruned & ~on_way, _PALE, 1.0)).astype(
                np.float32
            ),
            "status": pd.Categorical([node.status for node in nodes]),
            "best": on_best,
            "forced": forced,
            "on_way": on_way,
            "only_here": _only_here(tree, compare),
            "click": np.full(n, click, np.int32),
            "token": pd.Categorical([token_label(node.token, max_length=48) for node in nodes]),
            "step": places["x"],
            "log_prob": log_probs.astype(np.float32),
            "probability": np.exp(log_probs).astype(np.float32),
            "sum": sums.astype(np.float32),
            "share": share.astype(np.float32),
            "penalty": _penalties_of(sums, scores).astype(np.float32),
            "score": scores.astype(np.float32),
            "rank": np.array([node.rank + 1 for node in nodes], np.int32),
            "fate": pd.Categorical([_fate(node) for node in nodes]),
        }
    )
    on_top = np.where(pruned, 0, 1) + 2 * on_best + 4 * on_way
    return frame.iloc[np.argsort(on_top, kind="stable")].reset_index(drop=True)


def _on_way(places: pd.DataFrame, selected: int | None) -> np.ndarray:
    """True for the nodes from the root to the selected one."""
    if selected is None:
        return np.zeros(len(places), bool)
    target = places["pre"].to_numpy()[selected]
    return ((places["pre"] <= target) & (target <= places["last"])).to_numpy()


def _only_here(tree: BeamTree, compare: BeamTree | None) -> np.ndarray:
    """True for the nodes whose path of tokens the other tree does not hold."""
    if compare is None:
        return np.zeros(len(tree.nodes), bool)
    there = set(_paths(compare))
    return np.array([path not in there for path in _paths(tree)])


def _paths(tree: BeamTree) -> list[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = []
    for node in tree.nodes:  # parents come first
        before = () if node.parent is None else paths[node.parent]
        paths.append((*before, node.token_id))
    return paths


def _penalties_of(sums: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """What each sum was divided by to give its score; 1 where either says nothing."""
    known = (scores != 0) & np.isfinite(scores) & np.isfinite(sums)
    return np.where(known, sums / np.where(known, scores, 1.0), 1.0)


def _fate(node: BeamNode) -> str:
    return f"{node.status}: {visible(node.reason)}" if node.reason else node.status


@lru_cache(maxsize=8192)
def _fitted(token: str, room: float, size: float) -> tuple[str, float]:
    """The label of a token and its font size, so that it fits `room` pixels.

    Smaller letters first, then fewer.
    """
    label = token_label(token)
    while text_width(label, size) > room and size > _SMALLEST_FONT:
        size -= 0.5
    if text_width(label, size) > room:
        label = label.removesuffix("…")
        while label and text_width(label + "…", size) > room:
            label = label[:-1]
        label += "…"
    return label, size


def _links(
    places: pd.DataFrame, row: float, radius: np.ndarray, fitted: Sequence[tuple[str, float]]
) -> list[str]:
    """The way from the parent's label to each node as an SVG path around the node."""
    paths = []
    columns = (places[name] for name in ("x", "y", "parent", "parent_x", "parent_y"))
    for i, (x, y, parent, parent_x, parent_y) in enumerate(zip(*columns, strict=True)):
        if parent < 0:
            paths.append("M0,0")
            continue
        start = radius[parent] + 7 + text_width(*fitted[parent]) - (x - parent_x) * _STEP
        up = (parent_y - y) * row
        bend, end = -float(_CURVE), -radius[i]
        half = (bend + end) / 2
        paths.append(
            f"M{min(start, bend):.0f},{up:.1f}H{bend:.0f}C{half:.1f},{up:.1f} {half:.1f},0 {end},0"
        )
    return paths


def _step_table(n_steps: int, upto_step: int | None) -> pd.DataFrame:
    steps = np.arange(n_steps + 1)
    return pd.DataFrame(
        {
            "px": (_LEFT + steps * _STEP).astype(np.float32),
            "label": ["start" if step == 0 else f"step {step}" for step in steps],
            "now": steps == (-1 if upto_step is None else upto_step),
            "later": np.zeros(n_steps + 1, bool) if upto_step is None else steps > upto_step,
        }
    )


def _key(width: int, top: float, *, forced: bool, compared: bool) -> tuple[pd.DataFrame, int]:
    """The words for the drawing's signs, flowing into lines of `width`, and their height."""
    line, ring = f"M0,0H{_KEY_SAMPLE}", "M10,0A6,6,0,1,0,22,0A6,6,0,1,0,10,0Z"
    signs = [
        ("best", line, 5.0, "best hypothesis"),
        ("kept", line, 2.0, "kept"),
        ("pruned", line, _THIN, "pruned"),
        ("ring", ring, 1.5, "finished"),
        *([("ring", "M10,-6H22V6H10Z", 1.5, "forced")] if forced else []),
        *([("only", line, 3.0, "only in this tree")] if compared else []),
        ("none", "M0,0", 0.0, "the wider the link, the likelier the path among those of its step"),
    ]
    lines, x, y = [], 0.0, top
    for kind, path, stroke, words in signs:
        sample = _KEY_SAMPLE + 6 if stroke else 0
        needed = sample + text_width(words, _KEY_FONT)
        if x and x + needed > width:
            x, y = 0.0, y + _KEY_LINE
        lines.append((x, x + sample, y, kind, path, stroke, words))
        x += needed + 14
    names = ["px", "text_px", "py", "kind", "path", "stroke", "words"]
    return pd.DataFrame(lines, columns=names), round(y - top + 18 + _KEY_LINE)


def _tree_chart(width: int, height: int, row: float, dark: bool, colour: str) -> dict[str, Any]:
    """The chart of any tree with the sizes of this one put in: building it takes much longer."""
    chart = _any_tree_chart(dark, colour)
    layers = [
        {**layer, "mark": {**layer["mark"], "shape": _hit_shape(row)}}
        if layer["mark"].get("cursor") == "pointer"
        else layer
        for layer in chart["layer"]
    ]
    return {**chart, "layer": layers, "width": width, "height": height}


@lru_cache(maxsize=8)
def _any_tree_chart(dark: bool, colour: str) -> dict[str, Any]:
    palette = palette_of("decoder", dark=dark)
    node = alt.selection_point(
        name=SELECTION_NAME,
        fields=["id", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    over = alt.selection_point(
        name="over", fields=["pre"], on="pointerover", clear="pointerout", empty=False
    )
    layers = [
        _step_labels(),
        _tree_links(palette.accent, colour),
        _lit_links(),
        _rings(),
        _circles(list(palette.ramp), colour),
        _chosen(),
        _tokens(),
        _hit_areas().add_params(node, over),
        *_key_marks(palette.accent, colour),
    ]
    return (
        alt.layer(*layers)
        .resolve_scale(color="independent")
        .properties(
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 24, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )


def _x(field: str = "px") -> alt.X:
    return alt.X(f"{field}:Q", scale=None, axis=None)


def _y(field: str = "py") -> alt.Y:
    return alt.Y(f"{field}:Q", scale=None, axis=None)


def _step_labels() -> alt.Chart:
    return (
        alt.Chart(table("steps"))
        .mark_text(align="left", baseline="middle", fontSize=11, dx=-6, tooltip=None)
        .encode(
            x=_x(),
            y=alt.value(10),
            text="label:N",
            color=alt.when("datum.now").then(alt.value(SELECTION)).otherwise(alt.value(INK)),
            opacity=alt.when("datum.later")
            .then(alt.value(0.3))
            .when("datum.now")
            .then(alt.value(1))
            .otherwise(alt.value(0.7)),
        )
    )


def _tree_links(accent: str, colour: str) -> alt.Chart:
    stroke = alt.when("datum.on_way").then(alt.value(SELECTION))
    if colour:
        stroke = stroke.when("datum.only_here").then(alt.value(colour))
    stroke = stroke.when("datum.best").then(alt.value(accent))
    links = _link_marks(alt.Chart(table("nodes")))
    return links.encode(stroke=stroke.otherwise(alt.value(GREY)), opacity=_opacity())


def _lit_links() -> alt.Chart:
    """The way to the node under the pointer: a layer of its own, so that the others stay put."""
    marks = _link_marks(alt.Chart(table("nodes")).transform_filter(_UNDER_POINTER))
    return marks.encode(stroke=alt.value(SELECTION), opacity=alt.value(1))


def _link_marks(data: alt.Chart) -> alt.Chart:
    return data.mark_point(filled=False, size=4, tooltip=None, aria=False).encode(
        x=_x(),
        y=_y(),
        shape=alt.Shape("link:N", scale=None),
        strokeWidth=alt.StrokeWidth("link_width:Q", scale=None),
        strokeDash=alt.when("datum.status == 'pruned'")
        .then(alt.value([3, 3]))
        .otherwise(alt.value([1, 0])),
    )


def _opacity() -> alt.Opacity:
    return alt.Opacity("opacity:Q", scale=None, legend=None)


def _rings() -> alt.Chart:
    return (
        alt.Chart(table("rings"))
        .mark_point(filled=False, stroke=INK, strokeWidth=1.5, tooltip=None, aria=False)
        .encode(
            x=_x(),
            y=_y(),
            size=alt.Size("size:Q", scale=None),
            opacity=alt.Opacity("opacity:Q", scale=None),
        )
    )


def _circles(ramp: list[str], colour: str) -> alt.Chart:
    fill = alt.Fill(
        "probability:Q",
        title="probability of the token",
        scale=alt.Scale(domain=[0, 1], range=ramp, clamp=True),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            gradientLength=180,
            gradientThickness=10,
            gradientOpacity=1,
            values=[0, 0.25, 0.5, 0.75, 1],
            format=".2f",
            offset=6,
            titleLimit=240,
        ),
    )
    stroke = alt.when("datum.on_way").then(alt.value(SELECTION))
    if colour:
        stroke = stroke.when("datum.only_here").then(alt.value(colour))
    stroke = stroke.otherwise(alt.value(INK))
    return (
        alt.Chart(table("nodes"))
        .mark_point(filled=True, tooltip=None, aria=False)
        .encode(
            x=_x(),
            y=_y(),
            size=alt.Size("size:Q", scale=None),
            shape=alt.when("datum.forced").then(alt.value("square")).otherwise(alt.value("circle")),
            fill=fill,
            stroke=stroke,
            strokeWidth=alt.when("datum.on_way || datum.only_here")
            .then(alt.value(2))
            .otherwise(alt.value(0.8)),
            opacity=_opacity(),
        )
    )


def _chosen() -> alt.Chart:
    return (
        alt.Chart(table("chosen"))
        .mark_point(
            filled=False,
            stroke=SELECTION,
            strokeWidth=2.5,
            size=440,
            opacity=1,
            tooltip=None,
            aria=False,
        )
        .encode(x=_x(), y=_y())
    )


def _tokens() -> alt.Chart:
    return (
        alt.Chart(table("nodes"))
        .mark_text(
            align="left",
            baseline="middle",
            dx=max(_RADIUS.values()) + 4,
            dy=0.5,
            limit=_STEP - _CURVE - max(_RADIUS.values()) - 4,
            color=INK,
            tooltip=None,
        )
        .encode(
            x=_x(),
            y=_y(),
            text="label:N",
            size=alt.Size("font:Q", scale=None),
            opacity=_opacity(),
        )
    )


def _hit_shape(row: float) -> str:
    left, right, half = -10, _STEP - _CURVE - 2, row / 2
    return f"M{left},{-half}H{right}V{half}H{left}Z"


def _hit_areas() -> alt.Chart:
    """Invisible, one a node with its label: they take the clicks and show the ledger."""
    numbers = (
        ("log_prob", "log p", ".4f"),
        ("probability", "probability", ".4f"),
        ("sum", "running sum of log p", ".4f"),
        ("penalty", "÷ length penalty", ".4f"),
        ("score", "= normalised score", ".4f"),
        ("share", "share of its step", ".2%"),
    )
    return (
        alt.Chart(table("nodes"))
        .mark_point(
            shape=_hit_shape(24.0),
            size=4,
            fill="transparent",
            stroke=None,
            opacity=1,
            cursor="pointer",
            aria=False,
        )
        .encode(
            x=_x(),
            y=_y(),
            tooltip=[
                alt.Tooltip("token:N", title="token"),
                alt.Tooltip("step:Q", title="step"),
                *(alt.Tooltip(f"{name}:Q", title=title, format=f) for name, title, f in numbers),
                alt.Tooltip("rank:Q", title="rank at its step"),
                alt.Tooltip("fate:N", title="status"),
            ],
        )
    )


def _key_marks(accent: str, colour: str) -> list[alt.Chart]:
    stroke = alt.when("datum.kind == 'best'").then(alt.value(accent))
    stroke = stroke.when("datum.kind == 'ring'").then(alt.value(INK))
    stroke = stroke.when("datum.kind == 'only'").then(alt.value(colour or GREY))
    samples = (
        alt.Chart(table("key"))
        .mark_point(filled=False, size=4, tooltip=None, aria=False, opacity=1)
        .encode(
            x=_x(),
            y=_y(),
            shape=alt.Shape("path:N", scale=None),
            stroke=stroke.otherwise(alt.value(GREY)),
            strokeWidth=alt.StrokeWidth("stroke:Q", scale=None),
            strokeDash=alt.when("datum.kind == 'pruned'")
            .then(alt.value([3, 3]))
            .otherwise(alt.value([1, 0])),
        )
    )
    words = (
        alt.Chart(table("key"))
        .mark_text(
            align="left",
            baseline="middle",
            fontSize=_KEY_FONT,
            color=INK,
            opacity=0.8,
            tooltip=None,
        )
        .encode(x=_x("text_px"), y=_y(), text="words:N")
    )
    return [samples, words]


def penalty_of(length: int, alpha: float, penalty: PenaltyKind) -> float:
    """What the summed log-probability of `length` tokens, ``</s>`` included, is divided by.

    "none": 1; "length": length ** alpha; "wu": ((5 + length) / 6) ** alpha (Wu et al. 2016,
    eq. 14).

    Raises
    ------
    ValueError : `penalty` is none of these.
    """
    if penalty not in PENALTIES:
        raise ValueError(f"penalty is {penalty!r}, expected one of {', '.join(PENALTIES)}")
    return _base(length, penalty) ** alpha


def _base(length: int, penalty: PenaltyKind) -> float:
    """The number whose power alpha is the penalty."""
    return {"none": 1.0, "length": float(length), "wu": (5.0 + length) / 6.0}[penalty]


def hypotheses_table(tree: BeamTree) -> pd.DataFrame:
    """The hypotheses of `BeamTree.hypotheses`, best first, as the search scored them.

    Returns
    -------
    DataFrame with the columns rank (from 1), node (id of the last token), text, tokens (as the
    vocabulary spells them), log_prob (natural, summed), length (tokens, ``</s>`` included),
    penalty (what log_prob is divided by), score, finished.
    """
    found = tree.hypotheses()
    sums = np.array([hypothesis.cum_log_prob for hypothesis in found], dtype=np.float64)
    scores = np.array([hypothesis.score for hypothesis in found], dtype=np.float64)
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(found) + 1),
            "node": [hypothesis.node for hypothesis in found],
            "text": [hypothesis_text(hypothesis) for hypothesis in found],
            "tokens": [hypothesis.tokens for hypothesis in found],
            "log_prob": sums,
            "length": [len(hypothesis.ids) for hypothesis in found],
            "penalty": _penalties_of(sums, scores),
            "score": scores,
            "finished": [hypothesis.finished for hypothesis in found],
        }
    )


def hypothesis_text(hypothesis: Hypothesis) -> str:
    """The pieces as one text, without the ``</s>`` that ends a finished hypothesis."""
    tokens = hypothesis.tokens[:-1] if hypothesis.finished else hypothesis.tokens
    return "".join(tokens).replace(SPACE, " ").strip()


def rerank(tree: BeamTree, alpha: float, penalty: PenaltyKind) -> pd.DataFrame:
    """`hypotheses_table` with the scores of another penalty, best first; nothing is searched.

    Another search might have finished other hypotheses; these are the ones that this search
    found. The column was holds the rank that each had there.

    Raises
    ------
    ValueError : `penalty` is no known one.
    """
    frame = hypotheses_table(tree)
    frame["was"] = frame["rank"]
    frame["penalty"] = [penalty_of(length, alpha, penalty) for length in frame["length"]]
    frame["score"] = frame["log_prob"] / frame["penalty"]
    frame = frame.sort_values(["score", "node"], ascending=[False, True], ignore_index=True)
    frame["rank"] = np.arange(1, len(frame) + 1)
    return frame


def score_crossings(
    frame: pd.DataFrame, lowest: float, highest: float, penalty: PenaltyKind
) -> pd.DataFrame:
    """Where two hypotheses change places as alpha grows from `lowest` to `highest`.

    Two scores P / b ** alpha are equal at alpha = log(P_1 / P_2) / log(b_1 / b_2), with b the
    length or (5 + length) / 6.

    Parameters
    ----------
    frame : what `hypotheses_table` or `rerank` returns.

    Returns
    -------
    DataFrame with the columns alpha, score, winner and loser (ids of their nodes: the winner is
    ahead beyond this alpha), leads (whether the best score of all changes hands), in order of
    alpha.
    """
    lines = list(zip(frame["node"], frame["log_prob"], frame["length"], strict=True))
    found = []
    for i, (first, first_sum, first_length) in enumerate(lines):
        for second, second_sum, second_length in lines[i + 1 :]:
            bases = _base(first_length, penalty), _base(second_length, penalty)
            if bases[0] == bases[1] or not -math.inf < min(first_sum, second_sum) < 0:
                continue
            if max(first_sum, second_sum) >= 0:
                continue
            alpha = math.log(first_sum / second_sum) / math.log(bases[0] / bases[1])
            if lowest <= alpha <= highest:
                # The larger the base, the faster its negative score rises to 0.
                winner, loser = (first, second) if bases[0] > bases[1] else (second, first)
                score = first_sum / bases[0] ** alpha
                best = max(total / _base(n, penalty) ** alpha for _, total, n in lines)
                found.append((alpha, score, winner, loser, math.isclose(score, best)))
    names = ["alpha", "score", "winner", "loser", "leads"]
    return pd.DataFrame(sorted(found), columns=names)


def score_lines(
    tree: BeamTree,
    alphas: Iterable[float],
    *,
    penalty: PenaltyKind | None = None,
    alpha: float | None = None,
    dark: bool = False,
) -> Figure:
    """Score against alpha, one line a hypothesis, dots where two change places.

    Penalty and alpha are the tree's own unless given. The line that leads at `alpha` is gold,
    others that lead somewhere teal, the rest grey. Labels give the rank at `alpha`. Nothing to
    click.

    Raises
    ------
    ValueError : fewer than two different alphas, or `penalty` is no known one.
    """
    grid = sorted({float(a) for a in alphas})
    if len(grid) < 2:
        raise ValueError("expected at least two alphas to draw a line")
    alpha = tree.alpha if alpha is None else alpha
    penalty = tree.penalty if penalty is None else penalty
    ranked = rerank(tree, alpha, penalty)
    crossings = score_crossings(ranked, grid[0], grid[-1], penalty)
    leaders = {int(ranked["node"].iloc[0]), *crossings.loc[crossings["leads"], "winner"]}
    leaders |= set(crossings.loc[crossings["leads"], "loser"])
    names = {row.node: f"{row.rank} · {_shown(row.text)}" for row in ranked.itertuples()}
    first = ranked["text"].iloc[0]
    short = {row.node: f"{row.rank} · {_differing(row.text, first)}" for row in ranked.itertuples()}
    role = {
        row.node: "first" if row.rank == 1 else "leads" if row.node in leaders else "other"
        for row in ranked.itertuples()
    }
    lines = pd.DataFrame(
        [
            (row.node, names[row.node], role[row.node], a, score, row.log_prob, row.length)
            for row in ranked[::-1].itertuples()
            for a in grid
            if math.isfinite(score := row.log_prob / penalty_of(row.length, a, penalty))
        ],
        columns=["node", "name", "role", "alpha", "score", "log_prob", "length"],
    )
    crossings["winner"] = [names[node] for node in crossings["winner"]]
    crossings["loser"] = [names[node] for node in crossings["loser"]]
    axis = _ScoreAxis.of(lines["score"])
    height = max(_LINES, round(_LABEL_GAP * (len(ranked) + 1)))
    now = [(alpha, f"α = {alpha:g}")] if grid[0] <= alpha <= grid[-1] else []
    tables = {
        "lines": lines,
        "crossings": crossings,
        "labels": _line_labels(lines, short, axis, height),
        "now": pd.DataFrame(now, columns=["alpha", "label"]),
    }
    chart = _lines_chart(grid[0], grid[-1], axis, height, dark)
    return Figure(chart, tables, "", width=_LINES_ACROSS + _LABEL_LEAD + _LABEL_ROOM + 70)


@dataclass(frozen=True)
class _ScoreAxis:
    """Where a score stands between the two ends of the axis.

    On a log scale P / b ** alpha is a straight line; where a score is 0 or more the scale is
    linear.
    """

    low: float
    high: float
    log: bool
    ticks: tuple[float, ...]

    @classmethod
    def of(cls, scores: pd.Series) -> _ScoreAxis:
        if scores.empty:
            return cls(-1.0, 0.0, False, ())
        low, high = float(scores.min()), float(scores.max())
        if high >= 0:
            room = 0.04 * (high - low) or 0.1
            return cls(low - room, high + room, False, ())
        room = (low / high) ** 0.04 if low < high else 1.1
        low, high = low * room, high / room
        ticks = [float(f"-{digit}e{power}") for power in range(-8, 9) for digit in (1, 2, 5)]
        return cls(low, high, True, tuple(t for t in sorted(ticks) if low <= t <= high))

    def from_top(self, scores: pd.Series) -> np.ndarray:
        """0 at the upper end of the axis, 1 at the lower."""
        if not self.log:
            return ((self.high - scores) / (self.high - self.low)).to_numpy()
        return (np.log(scores / self.high) / np.log(self.low / self.high)).to_numpy()


def _shown(text: str) -> str:
    return visible(text) or "(empty)"


def _differing(text: str, first: str) -> str:
    """`text` from the first word that is not as in `first`; all of it where all is."""
    words = text.split(" ")
    same = 0
    for mine, other in zip(words, first.split(" "), strict=False):
        if mine != other:
            break
        same += 1
    rest = " ".join(words[same:])
    return f"… {visible(rest)}" if same and rest else _shown(text)


def _line_labels(
    lines: pd.DataFrame, short: dict[int, str], axis: _ScoreAxis, height: float
) -> pd.DataFrame:
    """The labels at the right end, moved apart where lines end close to each other."""
    ends = lines[lines["alpha"] == lines["alpha"].max()].sort_values(
        ["score", "node"], ascending=[False, True], ignore_index=True
    )
    exact = (axis.from_top(ends["score"]) * height).tolist()
    places = spread([[(place, 1.0)] for place in exact], gap=_LABEL_GAP, highest=height)
    return pd.DataFrame(
        {
            "end": exact,
            "place": places,
            "role": ends["role"],
            "label": [_cut(short[node], _LABEL_ROOM, 11.0) for node in ends["node"]],
        }
    )


def _cut(text: str, room: float, size: float) -> str:
    """`text`, or as much of its beginning as fits `room` pixels with an ellipsis."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


@lru_cache(maxsize=64)
def _lines_chart(
    lowest: float, highest: float, axis: _ScoreAxis, height: int, dark: bool
) -> dict[str, Any]:
    gold = palette_of("decoder", dark=dark).accent
    teal = palette_of("cross", dark=dark).accent
    x = alt.X(
        "alpha:Q",
        title="α, exponent of the length penalty",
        scale=alt.Scale(domain=[lowest, highest], nice=False),
        axis=alt.Axis(grid=False, tickCount=6),
    )
    y = alt.Y(
        "score:Q",
        title="score = log P ÷ penalty" + (" (log scale)" if axis.log else ""),
        scale=alt.Scale(
            type="log" if axis.log else "linear", domain=[axis.low, axis.high], nice=False
        ),
        axis=alt.Axis(
            gridOpacity=0.3,
            labelExpr="datum.value",
            labelOverlap=False,
            **({"values": list(axis.ticks)} if axis.log else {"tickCount": 6}),
        ),
    )
    colour = alt.Color(
        "role:N",
        scale=alt.Scale(domain=["first", "leads", "other"], range=[gold, teal, GREY]),
        legend=None,
    )
    over = alt.selection_point(
        name="over", fields=["node"], on="pointerover", clear="pointerout", empty=False
    )
    lines = (
        alt.Chart(table("lines"))
        .mark_line()
        .encode(
            x=x,
            y=y,
            detail="node:N",
            color=colour,
            strokeWidth=alt.when(over)
            .then(alt.value(4))
            .when("datum.role == 'first'")
            .then(alt.value(3))
            .otherwise(alt.value(1.6)),
            tooltip=[
                alt.Tooltip("name:N", title="hypothesis"),
                alt.Tooltip("log_prob:Q", title="log P", format=".4f"),
                alt.Tooltip("length:Q", title="tokens"),
            ],
        )
        .add_params(over)
    )
    crossings = (
        alt.Chart(table("crossings"))
        .mark_point(filled=True, fill=INK, stroke=INK, opacity=0.9)
        .encode(
            x=x,
            y=y,
            size=alt.when("datum.leads").then(alt.value(70)).otherwise(alt.value(22)),
            tooltip=[
                alt.Tooltip("alpha:Q", title="equal at α", format=".3f"),
                alt.Tooltip("score:Q", title="score there", format=".4f"),
                alt.Tooltip("winner:N", title="ahead beyond it"),
                alt.Tooltip("loser:N", title="behind"),
            ],
        )
    )
    now = alt.Chart(table("now")).encode(x=x)
    rule = now.mark_rule(color=SELECTION, strokeDash=[4, 3], strokeWidth=1.5, tooltip=None)
    words = now.mark_text(
        color=SELECTION, align="center", baseline="bottom", dy=-3, fontSize=11, tooltip=None
    ).encode(y=alt.value(0), text="label:N")
    labels = alt.Chart(table("labels"))
    leaders = labels.mark_rule(opacity=0.5, tooltip=None).encode(
        x=alt.value(_LINES_ACROSS + 2),
        x2=alt.value(_LINES_ACROSS + _LABEL_LEAD),
        y=alt.Y("end:Q", scale=None, axis=None),
        y2="place:Q",
        color=colour,
    )
    names = labels.mark_text(
        align="left", baseline="middle", fontSize=11, color=INK, tooltip=None
    ).encode(
        x=alt.value(_LINES_ACROSS + _LABEL_LEAD + 4),
        y=alt.Y("place:Q", scale=None, axis=None),
        text="label:N",
        opacity=alt.when("datum.role == 'other'").then(alt.value(0.7)).otherwise(alt.value(1)),
    )
    plot = alt.layer(lines, rule, crossings, words)
    return (
        alt.layer(plot, leaders, names)
        .resolve_scale(y="independent")
        .properties(
            width=_LINES_ACROSS,
            height=height,
            autosize="pad",
            padding={"left": 4, "top": 18, "right": 8, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )
