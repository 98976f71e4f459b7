"""The map of the model: small in the head of every page, and on a click whole, a door in every box.

What is lit is what the page explains. A token's way through the model is worked out when somebody
asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from core.architecture import Box, Frame
from core.attention import TRANSFORMER_SITES, AttentionSite
from core.block import Stream
from core.tokens import TokenSequence, token_label
from model.checkpoint import outline_of
from model.experiments.block import streams_of
from viz.plan import plan_of

from . import address
from .components import template
from .components.plan import mount_plan
from .controls import checkpoint_label
from .focus import link_at
from .guard import fragment
from .state import SHOWN, Run
from .words import say

ATTENTION = "attention"
DOORS: dict[str, tuple[str, dict[str, str]]] = {
    "positions": ("positions", {"position_look": "encoding"}),
    "encoder": (ATTENTION, {"kind": "encoder"}),
    "decoder": ("masks", {"mask_look": "seen"}),
    "cross": (ATTENTION, {"kind": "cross"}),
    "feed-forward": ("block", {"block_look": "units"}),
    "norm": ("block", {"block_look": "norm"}),
    "softmax": ("training", {"training_look": "smoothing"}),
    "search": ("beam", {"beam_look": "tree"}),
    "recurrence": ("lineage", {"lineage_look": "step"}),
    "vector": ("lineage", {"lineage_look": "bottleneck"}),
    "convolution": ("cost", {"cost_look": "paths"}),
    "scene": ("captions", {"captions_look": "gaze"}),
    "gaze": ("captions", {"captions_look": "gaze"}),
    "words": ("documents", {"documents_look": "read"}),
    "sentences": ("documents", {"documents_look": "agree"}),
    "classes": ("documents", {"documents_look": "measured"}),
    "guess": ("masked", {"masked_look": "guess"}),
    "layer": ("cost", {"cost_look": "counted"}),
    "model": ("lineage", {"lineage_look": "timeline"}),
}
"""Where a part is explained: the page, and what is chosen there."""
SUBLAYERS = {"encoder": "self", "decoder": "self", "cross": "cross", "feed-forward": "feed_forward"}
"""What `core.block` calls a part."""
SIDES = ("source", "target")
LEAST_ARC = 0.03  # a weight below it has no arc
ASKED = "map_asked"
"""In the session: the run whose way was asked for."""
WORDS = ("open", "close", "play", "pause", "step", "hint")


@fragment
def show_map(run: Run, page: str) -> None:
    """The map of the model on a page, where its family has a drawing."""
    reader = st.session_state.get(SHOWN, run.translator)
    drawing_of, name = reader.family.drawing, reader.card.name
    if drawing_of is None:
        return
    plan = plan_of(drawing_of(reader.model.config), reader.sites, reader.capabilities)
    walks = run if reader is run.translator else None
    identity = (reader.card.fingerprint, walks and walks.identity)
    asked = st.session_state.get(ASKED) == identity
    mount_plan(
        identity=f"{reader.card.fingerprint} {page}",
        data={
            "boxes": [
                _door(each.part, page, each.name)
                | _place(each.box)
                | {"part": each.part, "heads": each.heads, "colour": each.colour}
                for each in plan.parts
            ],
            "frames": [_door("layer", page, name) | _place(frame) for frame, name in plan.frames],
            "joins": list(plan.joins),
            "lanes": list(plan.lanes),
            "model": _door("model", page, checkpoint_label(name, outline_of(name))),
            "chosen": {"kind": next((site.name for site in reader.sites), "")},
            "way": way_of(walks, plan.boxes) if asked else None,
            "words": {
                **{name: say(f"architecture-{name}") for name in WORDS},
                "length": template("architecture-length", "part", "length"),
            },
        },
        doors=[*(each.part for each in plan.parts), "layer", "model"],
        on_door=_go,
        on_way=lambda: st.session_state.update({ASKED: identity}),
    )


def _go(part: str) -> None:
    page, values = DOORS[part]
    address.go(page, address.of_frame() | values)


def _door(part: str, page: str, name: str) -> dict[str, Any]:
    """What it is called and where it leads; ``lights``: what has to be chosen on this page for the
    part to be what it explains, None where it is not about the part."""
    if part not in DOORS:
        return {"name": name, "hint": name, "door": "", "lights": None}
    behind, values = DOORS[part]
    lights = dict(values) if behind == page else None
    if page == ATTENTION and part in TRANSFORMER_SITES:
        lights = {"kind": part}
    hint = say("architecture-door", part=name, page=say(f"page-{behind}"))
    return {"name": name, "hint": hint, "door": part, "lights": lights}


def _place(of: Box | Frame) -> dict[str, Any]:
    return {"at": of.at, "size": of.size, "lane": of.lane}


def way_of(run: Run | None, boxes: Sequence[Box]) -> dict[str, Any]:
    """What happens to one token, box by box: how long its vector is after it, where it attends.

    It is the pronoun of the sentence, else its longest token; on the side of the target that
    position which attends to it most. ``length`` is the Euclidean norm, None where the model has
    no residual stream; ``weights`` are those of the position's row, the mean over the heads.
    Without a run there are the boxes alone.
    """
    if run is None:
        steps = [{"box": number, "length": None, "weights": None} for number in range(len(boxes))]
        return {"steps": steps, "tokens": [], "chosen": []}
    sites = {site.name: site for site in run.translator.sites}
    chosen = _positions(run)
    streams = run.ask(streams_of, run.src, run.tgt) if "block" in run.capabilities else ()
    steps = []
    for number, box in enumerate(boxes):
        position = chosen[box.lane] if box.lane < len(chosen) else None
        stream = streams[box.lane] if box.lane < len(streams) and position is not None else None
        site = sites.get(box.part)
        weights = _row(run, site, box.layer or 0, position)
        steps.append(
            {
                "box": number,
                "length": None if stream is None else _length(stream, boxes, number, position),
                "weights": weights,
                "sides": [site.query, site.key] if site and weights else None,
            }
        )
    return {"steps": steps, "tokens": _tokens(run), "chosen": list(chosen)}


def _tokens(run: Run) -> list[list[str]]:
    if not isinstance(run.src, TokenSequence):
        return []
    read = [run.src.tokens]
    if run.tgt is not None:
        read.append(run.record.target_read or run.tgt.tokens)
    return [[token_label(token) for token in tokens] for tokens in read]


def _positions(run: Run) -> tuple[int | None, ...]:
    if not isinstance(run.src, TokenSequence):
        return ()
    lengths = [len(token) for token in run.src.tokens]
    encoder = next((site for site in run.translator.sites if site.is_self), None)
    link = link_at(encoder, run.src, run.tgt, run.pack) if encoder else None
    source = link.rows[0] if link and link.rows else int(np.argmax(lengths))
    if run.tgt is None:
        return (source,)
    cross = run.record.between(SIDES[1], SIDES[0])
    if cross is None:
        return source, int(np.argmax([len(token) for token in run.tgt.tokens]))
    return source, int(run.record.of(cross).weights.mean((0, 1))[:, source].argmax())


def _row(
    run: Run, site: AttentionSite | None, layer: int, position: int | None
) -> list[float] | None:
    """Who is attended to, (T_k,), the mean over the heads of a layer."""
    if site is None or position is None or site.grid or {site.query, site.key} - set(SIDES):
        return None
    weights = run.record.of(site.name).weights
    row = weights[min(layer, len(weights) - 1), :, position].mean(0)
    return [round(float(weight), 3) if weight >= LEAST_ARC else 0.0 for weight in row]


def _length(stream: Stream, boxes: Sequence[Box], number: int, position: int) -> float | None:
    """The norm of the vector that leaves a box: what a sub-layer adds, and after the norm behind it
    the stream."""
    box = boxes[number]
    if box.layer is None:
        vector = stream.before[0] if box.at == 0 else None
    else:
        part, vectors = box.part, stream.added
        if part == "norm":
            part, vectors = boxes[number - 1].part, stream.after
        wanted = box.layer, SUBLAYERS[part]
        vector = vectors[[(each.layer, each.name) for each in stream.places].index(wanted)]
    return None if vector is None else round(float(np.linalg.norm(vector[position])), 2)
