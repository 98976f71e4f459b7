"""The map of the model: small in the head of every page, and on a click whole, a door in every box.

What is lit is what the page explains. A token's way through the model is worked out when somebody
asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from core.architecture import Box
from core.attention import TRANSFORMER_SITES
from core.block import Stream, standardised
from core.tokens import TokenSequence, token_labels
from model.experiments.block import streams_of
from viz.plan import plan_of

from . import address
from .components import template
from .components.plan import mount_plan
from .controls import checkpoint_labels
from .focus import link_at
from .guard import fragment
from .pages import page_of
from .state import SHOWN, Run
from .words import say

DOORS = {
    "positions": ("positions", "encoding"),
    "encoder": ("attention", "encoder"),
    "decoder": ("masks", "seen"),
    "cross": ("attention", "cross"),
    "feed-forward": ("block", "stream"),
    "norm": ("block", "norm"),
    "only-norm": ("block", "norm"),
    "softmax": ("training", "smoothing"),
    "search": ("beam", "tree"),
    "ssru": ("block", "stream"),
    "recurrence": ("lineage", "step"),
    "vector": ("lineage", "bottleneck"),
    "convolution": ("cost", "counted"),
    "scene": ("captions", "gaze"),
    "gaze": ("captions", "gaze"),
    "words": ("documents", "read"),
    "sentences": ("documents", "agree"),
    "classes": ("documents", "read"),
    "guess": ("masked", "guess"),
    "layer": ("worth", "why"),
    "model": ("lineage", "systems"),
}
"""Where a part is explained: the page, and the view of it or the kind of attention."""
SIDES = ("source", "target")
LEAST_ARC = 0.03  # a weight below it has no arc
ASKED = "map_asked"
"""In the session: the run whose way was asked for."""
WORDS = ("open", "close", "play", "pause", "step", "hint")


@fragment
def show_map(run: Run, page: str) -> None:
    """The map of the model on a page, where its family has a drawing."""
    reader = st.session_state.get(SHOWN, run.translator)
    drawing_of, card = reader.family.drawing, reader.card
    if drawing_of is None:
        return
    plan = plan_of(drawing_of(reader.model.config), reader.sites, reader.capabilities)
    walks = run if reader is run.translator else None
    identity = (card.fingerprint, walks and walks.identity)
    asked = st.session_state.get(ASKED) == identity
    name = checkpoint_labels().get(card.at, card.at)

    def hear(said: dict[str, Any]) -> None:
        part = said.get("door")
        if part in [*DOORS]:
            address.go(DOORS[part][0], address.of_frame() | _chosen(part))
        elif said.get("way") is True:
            st.session_state[ASKED] = identity

    words = {name: say(f"architecture-{name}") for name in WORDS}
    mount_plan(
        identity=f"{card.fingerprint} {page}",
        data={
            "boxes": [{**vars(part), **_door(part.part, page, part.name)} for part in plan.parts],
            "frames": [{**vars(part), **_door("layer", page, part.name)} for part in plan.frames],
            "joins": list(plan.joins),
            "lanes": list(plan.lanes),
            "model": _door("model", page, name),
            "chosen": {"kind": next((site.name for site in reader.sites), "")},
            "way": way_of(walks, plan.parts) if asked else None,
            "words": words | {"length": template("architecture-length", "part", "length")},
        },
        on_said=hear,
    )


def _chosen(part: str) -> dict[str, str]:
    """What a door chooses on its page, as the address spells it."""
    page, value = DOORS[part]
    return {"kind" if value in TRANSFORMER_SITES else page_of(page).key: value}


def _door(part: str, page: str, name: str) -> dict[str, Any]:
    """What it is called and where it leads; ``lights``: what has to be chosen on this page for the
    part to be what it explains, None where it is not about the part."""
    if part not in DOORS:
        return {"name": name, "hint": name, "door": "", "lights": None}
    behind, _ = DOORS[part]
    lights = _chosen(part) if behind == page else None
    if page == "attention" and part in TRANSFORMER_SITES:
        lights = {"kind": part}
    hint = say("architecture-door", part=name, page=say(f"page-{behind}"))
    return {"name": name, "hint": hint, "door": part, "lights": lights}


def way_of(run: Run | None, boxes: Sequence[Box]) -> dict[str, Any]:
    """What happens to one token, box by box: how long its vector is after it, where it attends.

    It is the pronoun of the sentence, else its longest token; on the side of the target that
    position which attends to it most. ``length`` is the Euclidean norm, None where the model has
    no residual stream; ``weights`` are those of the position's row, the mean over the heads, from
    the one of ``sides`` to the other. Without a run, or a text, there are the boxes alone.
    """
    if run is None or not isinstance(run.src, TokenSequence):
        return {"steps": [{"length": None} for _ in boxes], "tokens": [], "chosen": []}
    read = [run.src.tokens]
    if run.tgt is not None:
        read.append(run.record.target_read or run.tgt.tokens)
    chosen, sites = _positions(run), {site.name: site for site in run.translator.sites}
    streams = run.ask(streams_of, run.src, run.tgt) if "block" in run.capabilities else ()
    steps: list[dict[str, Any]] = []
    for number, box in enumerate(boxes):
        vectors = _leaving(streams[box.lane], boxes, number) if streams else None
        position, site = chosen[box.lane], sites.get(box.part)
        norm = None if vectors is None else round(float(np.linalg.norm(vectors[position])), 2)
        steps.append({"length": norm})
        if site and {site.query, site.key} <= set(SIDES):
            weights = run.record.of(site.name).weights
            row = weights[min(box.layer or 0, len(weights) - 1), :, position].mean(0)
            shown = np.where(row < LEAST_ARC, 0, row.astype(float).round(3)).tolist()
            steps[-1] |= {"weights": shown, "sides": list(map(SIDES.index, (site.query, site.key)))}
    return {"steps": steps, "tokens": list(map(token_labels, read)), "chosen": chosen}


def _positions(run: Run) -> list[int]:
    encoder = next((site for site in run.translator.sites if site.is_self), None)
    link = link_at(encoder, run.src, run.tgt, run.pack) if encoder else None
    source = link.rows[0] if link and link.rows else _longest(run.src)
    if run.tgt is None:
        return [source]
    cross = run.record.between("target", "source")
    if cross is None:
        return [source, _longest(run.tgt)]
    return [source, int(run.record.of(cross).weights.mean((0, 1))[:, source].argmax())]


def _longest(sequence: TokenSequence) -> int:
    return int(np.argmax(list(map(len, sequence.tokens))))


def _leaving(stream: Stream, boxes: Sequence[Box], number: int) -> np.ndarray | None:
    """The vectors that leave a box, (T, d_model): what a sub-layer adds, and after the norm behind
    it the stream; where norms come before, what they make, and after the sub-layer the stream."""
    box = boxes[number]
    if box.layer is None:
        return stream.before[0] if box.at == 0 else None
    layers = [each for each in boxes[: number + 1] if each.layer is not None]
    is_norm = box.part in ("norm", "only-norm")
    at = sum(each.lane == box.lane and each.part not in ("norm", "only-norm") for each in layers)
    if stream.pre_norm and is_norm:
        made = standardised(stream.before[at], stream.eps, -1, rms=stream.rms)
        return made * stream.gains[at] + stream.biases[at]
    return (stream.after if is_norm or stream.pre_norm else stream.added)[at - 1]
