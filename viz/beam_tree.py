"""The search tree of a translation, from left to right, with every number of its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
import pandas as pd

from analysis.hypotheses import is_forced, only_here, penalties_of
from analysis.layout import BeamLayout, beam_layout
from records import BeamTree, NodeStatus
from words import Message, Words

from .figure import Figure
from .labels import text_width, token_label
from .look import current_look, say
from .theme import NEGATIVE, POSITIVE
from .tree_marks import (
    KEY_FONT,
    RADIUS,
    SELECTION_NAME,
    STEP_SIGNAL,
    TreeMarks,
    curve_of,
    hit_area,
    step_width,
    text_room,
)

__all__ = ["SELECTION_NAME", "STEP_SIGNAL", "Side", "beam_tree"]

Side = Literal["first", "second"]

SIDE_COLOURS: dict[Side, str] = {"first": NEGATIVE, "second": POSITIVE}

_LEFT, _TOP = 14, 34
_FONT = {"kept": 11.0, "finished": 11.0, "pruned": 10.0}
_SMALLEST_FONT = 8.5
_THIN, _THICKEST, _WINNER = 1.0, 9.0, 3.5
_PALE = 0.6
_KEY_SAMPLE, _KEY_LINE = 26, 18


def beam_tree(
    tree: BeamTree,
    *,
    upto_step: int | None = None,
    selected: int | None = None,
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
    upto_step : nodes of later steps stay where they are and only shimmer through; `STEP_SIGNAL` of
        the specification moves it.
    selected : id of a node to ring, with the way to it in red.
    click : any number that tells this drawing from the last, see `viz.heatmap.attention_cells`.
    compare : another tree; what only `tree` has is drawn in the colour of its `side` of the
        comparison, purple for the first and green for the second.
    layout : `beam_layout` of the tree, where it is at hand.
    """
    layout = layout or beam_layout(tree)
    row = _row_height(layout.height)
    apart = step_width(layout.n_steps)
    nodes = _node_table(tree, layout, row, apart, selected, compare, click)
    bottom = round(_TOP + layout.height * row + row / 2)
    width = _LEFT + (layout.n_steps + 1) * apart - curve_of(apart)
    key = _key(
        min(max(width, 320), 760),
        bottom + 18,
        forced=bool(nodes["forced"].any()),
        compared=compare is not None,
    )
    rings = nodes.loc[nodes["status"] == "finished", ["px", "py", "radius", "opacity", "step"]]
    chosen = nodes.loc[nodes["id"] == (-1 if selected is None else selected), ["px", "py"]]
    colour = SIDE_COLOURS[side] if compare is not None else ""
    upto = layout.n_steps if upto_step is None else upto_step
    marks = TreeMarks(apart, colour, upto, layout.n_steps)
    chart = marks.chart(width)
    tables = {
        "nodes": nodes.drop(columns=["radius"]),
        "rings": rings.assign(size=4 * (rings["radius"] + 3) ** 2).drop(columns=["radius"]),
        "chosen": chosen.reset_index(drop=True),
        "steps": _step_table(layout.n_steps, apart),
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
    apart: int,
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
    radius = np.array([RADIUS[node.status] for node in nodes])
    room = text_room(apart) - max(RADIUS.values()) - 8
    fitted = [_fitted(node.token, room, _FONT[node.status]) for node in nodes]
    share = places["share"].to_numpy()
    width = np.where(pruned, _THIN, _THIN + (_THICKEST - _THIN) * share)
    width = np.where(on_best, np.maximum(width, _WINNER), width)
    on_way = _on_way(places, selected)
    scores = np.array([node.score for node in nodes], dtype=np.float64)
    sums = np.array([node.cum_log_prob for node in nodes], dtype=np.float64)
    log_probs = np.array([node.log_prob for node in nodes], dtype=np.float64)
    language = current_look().words
    frame = pd.DataFrame(
        {
            "id": places["id"],
            "pre": places["pre"],
            "last": places["last"],
            "px": (_LEFT + places["x"] * apart).astype(np.float32),
            "py": (_TOP + places["y"] * row).astype(np.float32),
            "radius": radius,
            "size": (4 * radius**2).astype(np.float32),
            "link": _links(places, row, apart, radius, fitted),
            "area": pd.Categorical([hit_area(row, apart)] * n),
            "link_width": width.astype(np.float32),
            "label": pd.Categorical([text for text, _ in fitted]),
            "font": np.array([size for _, size in fitted], np.float32),
            "opacity": np.where(pruned & ~on_way, _PALE, 1.0).astype(np.float32),
            "status": pd.Categorical([node.status for node in nodes]),
            "best": on_best,
            "forced": forced,
            "on_way": on_way,
            "only_here": only_here(tree, compare),
            "click": np.full(n, click, np.int32),
            "token": pd.Categorical([token_label(node.token, max_length=48) for node in nodes]),
            "step": places["x"],
            "log_prob": log_probs.astype(np.float32),
            "probability": np.exp(log_probs).astype(np.float32),
            "sum": sums.astype(np.float32),
            "share": share.astype(np.float32),
            "penalty": penalties_of(sums, scores).astype(np.float32),
            "score": scores.astype(np.float32),
            "rank": np.array([node.rank + 1 for node in nodes], np.int32),
            "fate": pd.Categorical([_fate(node.status, node.reason, language) for node in nodes]),
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


@lru_cache(maxsize=256)
def _fate(status: NodeStatus, reason: Message | None, say: Words) -> str:
    named = say(f"beam-status-{status}")
    return say("beam-fate", status=named, reason=reason) if reason else named


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
    places: pd.DataFrame,
    row: float,
    apart: int,
    radius: np.ndarray,
    fitted: Sequence[tuple[str, float]],
) -> list[str]:
    """The way from the parent's label to each node as an SVG path around the node."""
    paths = []
    columns = (places[name] for name in ("x", "y", "parent", "parent_x", "parent_y"))
    for i, (x, y, parent, parent_x, parent_y) in enumerate(zip(*columns, strict=True)):
        if parent < 0:
            paths.append("M0,0")
            continue
        start = radius[parent] + 7 + text_width(*fitted[parent]) - (x - parent_x) * apart
        up = (parent_y - y) * row
        bend, end = -float(curve_of(apart)), -radius[i]
        half = (bend + end) / 2
        paths.append(
            f"M{min(start, bend):.0f},{up:.1f}H{bend:.0f}C{half:.1f},{up:.1f} {half:.1f},0 {end},0"
        )
    return paths


def _step_table(n_steps: int, apart: int) -> pd.DataFrame:
    steps = np.arange(n_steps + 1)
    return pd.DataFrame(
        {
            "px": (_LEFT + steps * apart).astype(np.float32),
            "label": [
                say("beam-step", n=step) if step else say("beam-start")
                for step in range(n_steps + 1)
            ],
            "step": steps,
        }
    )


def _key(width: int, top: float, *, forced: bool, compared: bool) -> pd.DataFrame:
    """The words for the drawing's signs, flowing into lines of `width`, and what is below."""
    line, ring = f"M0,0H{_KEY_SAMPLE}", "M10,0A6,6,0,1,0,22,0A6,6,0,1,0,10,0Z"
    signs = [
        ("best", line, 5.0, "best"),
        ("kept", line, 2.0, "kept"),
        ("pruned", line, _THIN, "pruned"),
        ("ring", ring, 1.5, "finished"),
        *([("ring", "M10,-6H22V6H10Z", 1.5, "forced")] if forced else []),
        *([("only", line, 3.0, "only")] if compared else []),
        ("none", "M0,0", 0.0, "width"),
    ]
    lines, x, y = [], 0.0, top
    for kind, path, stroke, meaning in signs:
        words = say(f"beam-tree-key-{meaning}")
        sample = _KEY_SAMPLE + 6 if stroke else 0
        needed = sample + text_width(words, KEY_FONT)
        if x and x + needed > width:
            x, y = 0.0, y + _KEY_LINE
        lines.append((x, x + sample, y, kind, path, stroke, words))
        x += needed + 14
    names = ["px", "text_px", "py", "kind", "path", "stroke", "words"]
    return pd.DataFrame(lines, columns=names).assign(below=y + _KEY_LINE)
