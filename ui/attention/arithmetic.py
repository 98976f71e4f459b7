"""How one row of one head comes about, stage by stage, with its numbers."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from analysis.arithmetic import (
    Stages,
    largest_shares,
    own_sharpness,
    scaling_effect,
    staged,
)
from model import Translator
from model.alignment import compare_costs, compared_weights
from records import AttentionCost, AttentionRecord, AttentionVectors
from ui.export import export_menu
from ui.panels import show_picture
from ui.words import head_name, page_text, plain
from viz.figure import Figure
from viz.labels import distinct_labels
from viz.stages import (
    contribution_matrix,
    most_rows,
    output_figure,
    scaling_curves,
    vector_bars,
)
from viz.strips import (
    Strip,
    scaling_strips,
    short_number,
    stage_strips,
    strips_figure,
)

from .scene import Scene

ROUNDING = 1e-5  # float32 sums in another order differ by less
LONGER = (64, 128, 256, 512)


def show(scene: Scene) -> None:
    attention = scene.raw
    row = _first(scene.focus.rows, attention.weights.shape[2])
    row = attention.weights.shape[2] - 1 if row is None else row
    vectors = _vectors_of(scene)
    stages = staged(vectors, attention, scene.focus.layer, scene.focus.head, row)
    key = _first(scene.focus.columns, attention.weights.shape[3])
    key = int(stages.weights.argmax()) if key is None else key

    st.markdown(page_text("arithmetic_reading"))
    _notes(scene, row)
    _products(scene, stages, key)
    _softmax(scene, stages, key)
    _values(scene, stages, key)
    _output(scene, stages)
    _scaling(scene, stages, key)
    _additive(scene, stages, key)


def _first(chosen: tuple[int, ...], length: int) -> int | None:
    return next((position for position in chosen if 0 <= position < length), None)


def _vectors_of(scene: Scene) -> AttentionVectors:
    record = scene.run.translation.attention
    found = _vectors(
        scene.run.translator.card.fingerprint,
        record.src.ids,
        record.tgt.ids if record.tgt else (),
        scene.run.translator,
        record,
    )
    return next(vectors for vectors in found if vectors.kind == scene.kind)


@st.cache_data(show_spinner=False, max_entries=16)
def _vectors(
    fingerprint: str,
    src_ids: tuple[int, ...],
    tgt_ids: tuple[int, ...],
    _translator: Translator,
    _record: AttentionRecord,
) -> tuple[AttentionVectors, ...]:
    return _translator.vectors(_record)


@st.cache_data(show_spinner=False, max_entries=64)
def _costs(lengths: tuple[tuple[int, int], ...], d_k: int) -> tuple[AttentionCost, ...]:
    return compare_costs(lengths, d_k, repeats=3)


def _key(scene: Scene, key: int) -> str:
    return f"“{plain(distinct_labels(scene.raw.key_tokens)[key])}”"


def _query(scene: Scene, row: int) -> str:
    tokens = scene.raw.query_tokens
    verb = "" if scene.kind == "encoder" else " (token read)"
    if scene.produced and scene.raw.output_tokens:
        tokens, verb = scene.raw.output_tokens, " (token produced)"
    return f"“{plain(distinct_labels(tokens)[row])}”{verb}"


def _notes(scene: Scene, row: int) -> None:
    """What is shown, where the choices leave it open."""
    notes = []
    if any(len(group) > 1 for group in (*scene.shown.query_groups, *scene.shown.key_groups)):
        notes.append(
            "Words are merged in the other views. The model computes with pieces, so the "
            "arithmetic shows pieces."
        )
    if len(scene.focus.rows) > 1:
        notes.append(
            f"Of the {len(scene.focus.rows)} chosen queries this is the first, "
            f"{_query(scene, row)}."
        )
    elif not scene.focus.rows:
        notes.append("No query is chosen, so this is the last one.")
    if notes:
        st.caption(" ".join(notes))


def _products(scene: Scene, stages: Stages, key: int) -> None:
    st.markdown(
        f"##### 1 · Query times key\nIn {head_name(stages.layer, stages.head)}, the query of "
        f"{_query(scene, stages.row)} meets the key of {_key(scene, key)}. Both have d_k = "
        f"{stages.d_k} components; multiplied one by one and added up they give "
        f"**q·k = {short_number(stages.dots[key])}**."
    )
    _draw(
        scene,
        vector_bars(stages, key),
        name="vectors",
        alt=f"The {stages.d_k} components of the query, of the key and of their product as bars.",
    )


def _softmax(scene: Scene, stages: Stages, key: int) -> None:
    root, score = math.sqrt(stages.d_k), stages.scores[key]
    text = (
        "##### 2 · Divide, mask, softmax\n"
        f"q·k = {short_number(stages.dots[key])}, divided by √{stages.d_k} = {root:.2f}, is "
        f"{short_number(score)}. "
    )
    if stages.seen.all():
        text += "No key is masked here. "
    elif stages.seen[key]:
        text += f"The mask adds 0 here and −∞ to {int((~stages.seen).sum())} later keys. "
    if stages.seen[key]:
        largest = short_number(stages.largest_score)
        text += (
            f"The largest score, {largest}, is taken off: exp({short_number(score)} − "
            f"{_bracketed(largest)}) = {stages.terms[key]:.4f}. All keys together have "
            f"{stages.terms.sum():.4f}, so the weight is **{stages.weights[key]:.4f}**."
        )
    else:
        text += (
            "This key lies in the future of the query: the mask adds −∞, exp(−∞) = 0, and the "
            "weight is **exactly 0**."
        )
    st.markdown(text)
    _strips(
        scene,
        stage_strips(stages),
        key,
        name="stages",
        alt="For every key: dot product, scaled score, mask, exponential and weight. The numbers "
        "of the chosen key are written out as text.",
    )
    difference = stages.largest_difference
    if difference <= ROUNDING:
        st.caption(
            ":material/check_circle: Worked out from q and k alone, the weights equal those the "
            f"model used; largest difference {difference:.1e}."
        )
    else:
        st.warning(
            "The weights worked out from q and k differ from those the model used by up to "
            f"{difference:.1e}.",
            icon=":material/error:",
        )


def _bracketed(number: str) -> str:
    return f"({number})" if number.startswith("−") else number


def _values(scene: Scene, stages: Stages, key: int) -> None:
    shares = largest_shares(stages, most_rows(stages.d_k), key)
    best = int(stages.weights.argmax())
    text = (
        "##### 3 · Weights times values\nEvery key's value vector is multiplied by its weight, and "
        f"the sum is the context of this query. {_key(scene, best)} has the largest weight, "
        f"{stages.weights[best]:.4f}."
    )
    if shares.n_others:
        text += f" The {shares.n_others} smallest are drawn as one row."
    st.markdown(text)
    _draw(
        scene,
        contribution_matrix(shares, stages, scene.raw.key_tokens, chosen=key, dark=scene.dark),
        name="values",
        alt=f"Weight times value for each key, {stages.d_k} components across; the last row is "
        "their sum.",
    )


def _output(scene: Scene, stages: Stages) -> None:
    lengths = np.linalg.norm(stages.head_outputs, axis=-1)
    rank = 1 + int((lengths > lengths[stages.head]).sum())
    heads = f"{stages.n_heads} heads" if stages.n_heads > 1 else "one head"
    st.markdown(
        f"##### 4 · All heads, then W_O\nThe contexts of {heads} stand end to end: "
        f"{stages.n_heads} × {stages.d_k} = {len(stages.output)} numbers. W_O turns them into the "
        f"output of the sub-layer. This head's part has length {lengths[stages.head]:.2f}, rank "
        f"{rank} of {stages.n_heads}; the whole output has "
        f"{np.linalg.norm(stages.output):.2f}."
    )
    _draw(
        scene,
        output_figure(stages, dark=scene.dark),
        name="output",
        alt="The contexts of all heads end to end, the length of what W_O makes of each, and the "
        "parts that add up to the output.",
    )
    st.markdown(page_text("arithmetic_output"))


def _scaling(scene: Scene, stages: Stages, key: int) -> None:
    st.markdown("##### Without the division")
    divide = st.toggle(
        "Divide by √d_k",
        True,
        key="scaling",
        bind="query-params",
        help="Off: what the softmax makes of the same dot products when they are not divided.",
    )
    if divide:
        return
    own = own_sharpness(stages)
    st.markdown(
        f"Divided by √{stages.d_k}, the largest weight of this row is **{own.largest[0]:.2f}**, "
        f"its entropy {short_number(own.entropy[0])} bits and the gradient of the softmax "
        f"{own.gradient[0]:.3f}. Not divided: **{own.largest[1]:.2f}**, "
        f"{short_number(own.entropy[1])} bits and {own.gradient[1]:.3f}."
    )
    _strips(
        scene,
        scaling_strips(stages),
        key,
        name="scaling",
        alt="The weights of this row with the division by the root of d_k and without it.",
    )
    _draw(
        scene,
        scaling_curves(scaling_effect(int(stages.seen.sum())), stages),
        name="curves",
        alt="Largest weight, entropy and gradient of the softmax for random vectors of 1 to 512 "
        "components, divided by the root of d_k and not.",
    )
    st.markdown(page_text("arithmetic_scaling"))


def _additive(scene: Scene, stages: Stages, key: int) -> None:
    st.markdown("##### Additive attention beside it")
    st.markdown(page_text("arithmetic_additive"))
    dot_product, additive = compared_weights(stages.query[None], stages.keys, stages.seen[None])
    _strips(
        scene,
        (
            Strip("dot product", dot_product[0], "share", stages.seen),
            Strip("additive (untrained)", additive[0], "share", stages.seen),
        ),
        key,
        name="additive",
        alt="The weights of dot-product attention and of untrained additive attention for this "
        "query.",
    )
    n_queries, n_keys = scene.raw.weights.shape[2:]
    costs = (
        *_costs(((n_queries, n_keys),), stages.d_k),
        *_costs(tuple((length, length) for length in LONGER), stages.d_k),
    )
    with st.container(key="scroll_arithmetic_costs"):
        st.markdown(cost_table(costs))
    st.caption(
        f"One head with d_k = {stages.d_k} from vectors to weights, on this machine's CPU in "
        "float32. Time: median of three runs. Memory: all tensors made on the way."
    )


def cost_table(costs: tuple[AttentionCost, ...]) -> str:
    """Time and memory as a Markdown table; the first line is the sentence at hand."""
    lines = [
        "| queries × keys | dot product: time | additive: time | dot product: memory | "
        "additive: memory |",
        "|:--|--:|--:|--:|--:|",
    ]
    for place, cost in enumerate(costs):
        size = f"{cost.n_queries} × {cost.n_keys}" + (" (this sentence)" if place == 0 else "")
        lines.append(
            f"| {size} | {_time(cost.dot_product_seconds)} | {_time(cost.additive_seconds)} | "
            f"{_size(cost.dot_product_bytes)} | {_size(cost.additive_bytes)} |"
        )
    return "\n".join(lines)


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


def _size(n_bytes: int) -> str:
    for unit, step in (("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= step:
            return f"{n_bytes / step:.1f} {unit}"
    return f"{n_bytes} B"


def _strips(scene: Scene, strips: tuple[Strip, ...], key: int, *, name: str, alt: str) -> None:
    figure = strips_figure(
        strips, scene.raw.key_tokens, kind=scene.kind, chosen=key, dark=scene.dark
    )
    _draw(scene, figure, name=name, alt=alt)


def _draw(scene: Scene, figure: Figure, *, name: str, alt: str) -> None:
    """A figure that can be saved, with the longest of its tables as its numbers."""
    show_picture(figure, key=f"arithmetic_{name}", alt=alt)
    export_menu(
        figure,
        key=f"arithmetic_{name}_export",
        name=f"{name} {scene.file_name}",
        numbers=lambda: max(figure.tables.values(), key=len),
    )
