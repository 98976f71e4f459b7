"""Map of the model: a band on the first view, small at the head of other pages, whole on a click.

Every box is a link, and those that the page explains are lit. A token's way through the model is
computed on demand; the band shows what the run has anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import streamlit as st

from core.block import standardised
from core.records.architecture import Box
from core.records.attention import TRANSFORMER_SITES
from core.records.sources import TokenSequence
from core.records.sublayers import Stream
from core.records.tokens import token_labels
from model import Reader
from model.experiments.block import streams_of
from viz.plan import Plan, PlanPart, plan_of
from viz.style import Look, current_look

from .components import template
from .components.plan import mount_plan
from .frame import address, choices
from .frame.choices import choose
from .frame.messages import called, say
from .frame.model_cache import ask, once_a_model
from .frame.run import SHOWN, Run
from .kit.checkpoint_labels import checkpoint_labels
from .kit.focus import link_at
from .kit.guard import fragment

DOORS = {
    "positions": ("positions", {"position_look": "encoding"}),
    "encoder": ("attention", {"kind": "encoder"}),
    "decoder": ("masks", {"mask_look": "seen"}),
    "cross": ("attention", {"kind": "cross"}),
    "feed-forward": ("block", {"block_look": "stream"}),
    "norm": ("block", {"block_look": "norm"}),
    "only-norm": ("block", {"block_look": "norm"}),
    "softmax": ("training", {"training_look": "smoothing"}),
    "search": ("beam", {"beam_look": "tree"}),
    "ssru": ("block", {"block_look": "stream"}),
    "recurrence": ("lineage", {"lineage_look": "step"}),
    "vector": ("lineage", {"lineage_look": "bottleneck"}),
    "convolution": ("cost", {"cost_look": "counted"}),
    "scene": ("captions", {"captions_look": "gaze"}),
    "gaze": ("captions", {"captions_look": "gaze"}),
    "words": ("documents", {"documents_look": "read"}),
    "sentences": ("documents", {"documents_look": "agree"}),
    "classes": ("documents", {"documents_look": "read"}),
    "guess": ("masked", {"masked_look": "guess"}),
    "layer": ("worth", {"worth_look": "why"}),
    "model": ("lineage", {"lineage_look": "systems"}),
}
"""Target of the link of each part: the page, and the address of its view or attention site."""
NORMS = ("norm", "only-norm")
SIDES = ("source", "target")
LEAST_ARC = 0.03  # weights below it get no arc
ASKED = "map_asked"
"""Session key: identity of the model and run whose token's way was requested."""
WORDS = ("open", "close", "play", "pause", "step", "hint")


@fragment
def show_map(run: Run, page: str, *, wide: bool = False) -> None:
    """Draw the map of the model, a band if `wide`, if the model's family has a drawing."""
    # A page may show another model than the frame; the map follows the page.
    reader = st.session_state.get(SHOWN, run.translator)
    card = reader.card
    if reader.family.drawing is None:
        return
    name = checkpoint_labels().get(card.at, card.at)
    plan, drawing = _drawing(reader, page, name, current_look())
    # The run's vectors belong to the frame's model only.
    walks = run if reader is run.translator else None
    # Without a run of this model, its fingerprint alone tells drawings apart.
    identity = (card.fingerprint, walks and walks.identity)
    is_asked = st.session_state.get(ASKED) == identity

    def hear(message: dict[str, Any]) -> None:
        part = message.get("door")
        # The message comes from the browser, so it is checked before it leads anywhere.
        if part in [*DOORS]:
            behind, values = DOORS[part]
            address.go(behind, choices.of_frame() | values)
        elif message.get("way") is True:
            choose({ASKED: identity})

    with st.container(key="band") if wide else nullcontext():
        mount_plan(
            identity=f"{card.fingerprint} {page}",
            data={
                **drawing,
                "way": way_of(walks, plan.parts) if is_asked else None,
                "glance": way_of(walks, plan.parts, with_norms=False) if wide else None,
            },
            wide=wide,
            on_said=hear,
        )


@once_a_model
def _drawing(reader: Reader, page: str, name: str, look: Look) -> tuple[Plan, dict[str, Any]]:
    """Return the plan of the model `name` in the page's `look`, and what is drawn of it.

    That is the same for every sentence: boxes, frames and lanes, each part with its name and link.
    """
    drawing_of = reader.family.drawing
    assert drawing_of is not None  # else there is no map
    plan = plan_of(drawing_of(reader.model.config), reader.sites, reader.capabilities)
    drawing = {
        "boxes": [
            {**vars(part), "short": _short(part), **_door(part.part, page, part.name)}
            for part in plan.parts
        ],
        "frames": [{**vars(part), **_door("layer", page, part.name)} for part in plan.frames],
        "joins": list(plan.joins),
        "lanes": list(plan.lanes),
        "model": _door("model", page, name),
        "chosen": {"kind": next((site.name for site in reader.sites), "")},
        "words": _words(),
    }
    return plan, drawing


def _words() -> dict[str, str]:
    """Return the messages of the component; some are filled in the browser."""
    return {
        **{name: say(f"architecture-{name}") for name in WORDS},
        "length": template("architecture-length", "part", "length"),
        "at": template("architecture-at", "token", "part"),
        "most": template("architecture-most", "token", "key", "weight"),
    }


def _short(part: PlanPart) -> str:
    """Return the name of a part for a box of two short lines; the box of a norm takes one sign."""
    if part.part in NORMS:
        return "+" if part.part == "norm" else ""
    return called(f"architecture-{part.part}-short", part.name)


def _door(part: str, page: str, name: str) -> dict[str, Any]:
    """Return the name, hint and link of `part`, and the values under ``lights`` that light it.

    ``lights`` is None if `page` does not explain the part.
    """
    if part not in DOORS:
        return {"name": name, "hint": name, "door": "", "lights": None}
    behind, values = DOORS[part]
    lights = values if behind == page else None
    if page == "attention" and part in TRANSFORMER_SITES:
        lights = {"kind": part}
    hint = say("architecture-door", part=name, page=say(f"page-{behind}"))
    return {"name": name, "hint": hint, "door": part, "lights": lights}


def way_of(run: Run | None, boxes: Sequence[Box], *, with_norms: bool = True) -> dict[str, Any]:
    """Follow one token through `boxes`: the norm of its vector and the weights of its row.

    The token is the pronoun of the source, else its longest token; on the target side it is the
    position that attends to it most. `with_norms` costs a pass through the model.

    Returns
    -------
    dict with
        ``steps``: for each box its ``length``, the Euclidean norm of the vector that leaves it, or
        None without a residual stream; for an attention also ``weights``, the row of the chosen
        position averaged over heads, and ``sides``, the indices of its query and key side.
        ``tokens``: labels of each side. ``chosen``: the position on each side. Without a run or a
        text only empty steps.
    """
    if run is None or not isinstance(run.src, TokenSequence):
        return {"steps": [{"length": None} for _ in boxes], "tokens": [], "chosen": []}
    read = [run.src.tokens]
    if run.tgt is not None:
        read.append(run.record.target_read or run.tgt.tokens)
    chosen = _positions(run, run.src)
    sites = {site.name: site for site in run.translator.sites}
    streams: Sequence[Stream] = ()
    if with_norms and "block" in run.capabilities:
        streams = ask(run.translator, streams_of, run.src, run.tgt)
    steps: list[dict[str, Any]] = []
    for number, box in enumerate(boxes):
        position = chosen[box.lane]
        site = sites.get(box.part)
        vectors = _leaving(streams[box.lane], boxes, number) if streams else None
        norm = None if vectors is None else round(float(np.linalg.norm(vectors[position])), 2)
        step: dict[str, Any] = {"length": norm}
        if site and {site.query, site.key} <= set(SIDES):
            weights = run.record.of(site.name).weights
            # A site may have fewer layers than the stack that it belongs to.
            row = weights[min(box.layer or 0, len(weights) - 1), :, position].mean(0)
            step["weights"] = np.where(row < LEAST_ARC, 0, row.astype(float).round(3)).tolist()
            step["sides"] = [SIDES.index(site.query), SIDES.index(site.key)]
        steps.append(step)
    return {"steps": steps, "tokens": list(map(token_labels, read)), "chosen": chosen}


def _positions(run: Run, src: TokenSequence) -> list[int]:
    """Return the position of the token whose way is followed, on each side."""
    encoder = next((site for site in run.translator.sites if site.is_self), None)
    link = link_at(encoder, src, run.tgt, run.pack) if encoder else None
    source = link.rows[0] if link and link.rows else _longest(src)
    if run.tgt is None:
        return [source]
    cross = run.record.between("target", "source")
    if cross is None:
        return [source, _longest(run.tgt)]
    return [source, int(run.record.of(cross).weights.mean((0, 1))[:, source].argmax())]


def _longest(sequence: TokenSequence) -> int:
    return int(np.argmax(list(map(len, sequence.tokens))))


def _leaving(stream: Stream, boxes: Sequence[Box], number: int) -> np.ndarray | None:
    """Return the vectors that leave a box, (T, d_model), or None if the box has none.

    With post-norm: the output of a sub-layer, and the stream after its norm. With pre-norm: the
    normalised input, and the stream after the sub-layer.
    """
    box = boxes[number]
    # Outside the layers only the first box of a lane has vectors: the input of the stack.
    if box.layer is None:
        return stream.before[0] if box.at == 0 else None
    is_norm = box.part in NORMS
    # Norm boxes share the sub-layer index of their neighbour, so only sub-layers are counted.
    at = sum(
        other.layer is not None and other.lane == box.lane and other.part not in NORMS
        for other in boxes[: number + 1]
    )
    if stream.pre_norm and is_norm:
        normalised = standardised(stream.before[at], stream.eps, -1, rms=stream.rms)
        return normalised * stream.gains[at] + stream.biases[at]
    return (stream.after if is_norm or stream.pre_norm else stream.added)[at - 1]
