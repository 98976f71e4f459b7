"""How one row of one head comes about, stage by stage, with its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from analysis.arithmetic import (
    Stages,
    Strip,
    largest_shares,
    own_sharpness,
    scaling_effect,
    stage_strips,
    staged,
)
from analysis.labels import distinct_labels
from model.alignment import compare_costs, compared_weights
from records import AttentionCost, AttentionVectors
from ui.kit.blocks import picture, text_table
from ui.kit.controls import toggle
from ui.kit.layout import finding, folded
from ui.shared import cached
from ui.state import Run
from ui.words import page_text, plain, say
from viz.figure import Figure, tables_of
from viz.stages import (
    ROOM,
    ROOM_BESIDE,
    contribution_matrix,
    most_rows,
    output_figure,
    scaling_curves,
    strips_figure,
    vector_bars,
)
from words import numbers

from .scene import MOST_COLUMNS_BESIDE, Scene

ROUNDING = 1e-5  # float32 sums in another order differ by less
LONGER = (64, 128, 256, 512)


def show(scene: Scene) -> Callable[[], None]:
    """The first two steps, beside all heads; the others are returned, to stand below."""
    row = row_shown(scene)
    stages = staged(vectors_of(scene), scene.raw, *scene.focus.place, row)
    key = int(stages.weights.argmax()) if scene.focus.column is None else scene.focus.column
    named = {"query": query_name(scene, row), "key": _key(scene, key)}
    product = {"d_k": stages.d_k, "dot": numbers.compact(stages.dots[key])}
    told = say("attention-arithmetic-product", **named, **product)
    finding(f"{scene.title}: {told}")
    _draw(scene, vector_bars(stages, key), name="vectors", d_k=stages.d_k)
    _notes(scene, row)
    _softmax(scene, stages, key)
    with folded("reading"):
        st.markdown(page_text("arithmetic_reading"))

    def more() -> None:
        _values(scene, stages, key)
        _output(scene, stages)
        _scaling(scene, stages, key)
        _additive(scene, stages, key)

    return more


def row_shown(scene: Scene) -> int:
    """The first chosen query, or the last there is."""
    row = scene.focus.row
    return scene.raw.weights.shape[2] - 1 if row is None else row


def vectors_of(scene: Scene) -> AttentionVectors:
    """The queries, keys and values of every head of the site on screen."""
    return next(each for each in _vectors(scene.run) if each.kind == scene.kind)


@cached("identity", max_entries=16)
def _vectors(run: Run) -> tuple[AttentionVectors, ...]:
    return run.translator.vectors(run.record)


@cached("d_k")
def _costs(stages: Stages, lengths: tuple[tuple[int, int], ...]) -> tuple[AttentionCost, ...]:
    return compare_costs(lengths, stages.d_k, repeats=3)


def _key(scene: Scene, key: int) -> str:
    return say("quoted", text=plain(distinct_labels(scene.raw.key_tokens)[key]))


def query_name(scene: Scene, row: int) -> str:
    """The token of a row, and which of its two names that is where it has two."""
    read, produced = scene.raw.query_tokens, scene.raw.output_tokens
    named = produced if scene.produced and produced else read
    label = plain(distinct_labels(named)[row])
    if produced is None:
        return say("quoted", text=label)
    return say(f"attention-token-{'produced' if scene.produced else 'read'}", token=label)


def _notes(scene: Scene, row: int) -> None:
    notes = []
    if scene.shown.merged:
        notes.append(say("attention-arithmetic-pieces"))
    n = len(scene.focus.rows)
    if n > 1:
        notes.append(say("attention-arithmetic-first", n=n, query=query_name(scene, row)))
    elif not n:
        notes.append(say("attention-arithmetic-last"))
    if notes:
        st.caption(" ".join(notes))


def _step(name: str, **values: Any) -> str:
    heading, told = (f"attention-arithmetic-{name}{part}" for part in ("-title", ""))
    return f"### {say(heading)}\n{say(told, **values)}"


def _softmax(scene: Scene, stages: Stages, key: int) -> None:
    dot, score, largest = map(
        numbers.compact, (stages.dots[key], stages.scores[key], stages.largest_score)
    )
    root = numbers.fixed(math.sqrt(stages.d_k))
    told = [_step("softmax", dot=dot, d_k=stages.d_k, root=root, score=score)]
    if stages.seen.all():
        told.append(say("attention-arithmetic-unmasked"))
    elif stages.seen[key]:
        told.append(say("attention-arithmetic-masked", n=int((~stages.seen).sum())))
    if stages.seen[key]:
        values = {"term": stages.terms[key], "total": stages.terms.sum()}
        values |= {"weight": stages.weights[key]}
        told.append(
            say(
                "attention-arithmetic-weight",
                largest=largest,
                score=score,
                bracketed=f"({largest})" if largest.startswith("−") else largest,
                **{name: numbers.fixed(value, 4) for name, value in values.items()},
            )
        )
    else:
        told.append(say("attention-arithmetic-future"))
    st.markdown(" ".join(told))
    _strips(scene, stage_strips(stages), key, name="stages")
    difference = numbers.scientific(stages.largest_difference)
    if stages.largest_difference <= ROUNDING:
        equal = say("attention-arithmetic-equal", difference=difference)
        st.caption(f":material/check_circle: {equal}")
    else:
        st.warning(
            say("attention-arithmetic-unequal", difference=difference), icon=":material/error:"
        )


def _values(scene: Scene, stages: Stages, key: int) -> None:
    shares = largest_shares(stages, most_rows(stages.d_k), key)
    best = int(stages.weights.argmax())
    weight = numbers.fixed(stages.weights[best], 4)
    text = _step("values", key=_key(scene, best), weight=weight)
    if shares.n_others:
        text += " " + say("attention-arithmetic-smallest", n=shares.n_others)
    st.markdown(text)
    figure = contribution_matrix(shares, stages, scene.raw.key_tokens, chosen=key)
    _draw(scene, figure, name="values", d_k=stages.d_k)


def _output(scene: Scene, stages: Stages) -> None:
    lengths = np.linalg.norm(stages.head_outputs, axis=-1)
    st.markdown(
        _step(
            "output",
            n=stages.n_heads,
            d_k=stages.d_k,
            d_model=len(stages.output),
            length=numbers.fixed(lengths[stages.head]),
            rank=1 + int((lengths > lengths[stages.head]).sum()),
            whole=numbers.fixed(np.linalg.norm(stages.output)),
        )
    )
    _draw(scene, output_figure(stages), name="output")
    st.markdown(page_text("arithmetic_output"))


def _scaling(scene: Scene, stages: Stages, key: int) -> None:
    st.markdown(f"### {say('attention-arithmetic-scaling-title')}")
    if toggle("scaling", True, words="attention-arithmetic-divide"):
        return
    largest, largest_off = map(numbers.fixed, own_sharpness(stages).largest)
    told = say(
        "attention-arithmetic-scaling", d_k=stages.d_k, largest=largest, largest_off=largest_off
    )
    st.markdown(f"{told}\n\n{scaling_table(stages)}")
    scaled = say("figures-stages-scaled", d_k=stages.d_k)
    strips = (
        Strip(scaled, stages.weights, "share", stages.seen),
        Strip("figures-stages-unscaled", stages.unscaled_weights, "share", stages.seen),
    )
    _strips(scene, strips, key, name="scaling")
    effect = scaling_effect(int(stages.seen.sum()))
    _draw(scene, scaling_curves(effect, stages), name="curves")
    st.markdown(page_text("arithmetic_scaling"))


def scaling_table(stages: Stages) -> str:
    """The sharpness of this row with the division and without it, as a Markdown table."""
    own = own_sharpness(stages)
    titles = say("figures-stages-scaled", d_k=stages.d_k), say("figures-stages-unscaled")
    rows = {
        "largest": map(numbers.fixed, own.largest),
        "entropy": map(numbers.compact, own.entropy),
        "gradient": (numbers.fixed(each, 3) for each in own.gradient),
    }
    lines = ([say(f"figures-stages-{name}"), *cells] for name, cells in rows.items())
    return text_table(["", *titles], lines)


def _additive(scene: Scene, stages: Stages, key: int) -> None:
    st.markdown(f"### {say('attention-arithmetic-additive-title')}")
    st.markdown(page_text("arithmetic_additive"))
    dot_product, additive = compared_weights(stages.query[None], stages.keys, stages.seen[None])
    strips = (
        Strip("attention-arithmetic-dot-product", dot_product[0], "share", stages.seen),
        Strip("attention-arithmetic-additive", additive[0], "share", stages.seen),
    )
    _strips(scene, strips, key, name="additive")
    longer = tuple((length, length) for length in LONGER)
    costs = *_costs(stages, (scene.raw.weights.shape[2:],)), *_costs(stages, longer)
    with st.container(key="scroll_arithmetic_costs"):
        st.markdown(cost_table(costs))
    st.caption(say("attention-arithmetic-costs", d_k=stages.d_k))


def cost_table(costs: tuple[AttentionCost, ...]) -> str:
    """Time and memory as a Markdown table; the first line is the sentence at hand."""
    columns = ("size", "dot-time", "additive-time", "dot-memory", "additive-memory")
    titles = [say(f"attention-costs-{column}") for column in columns]
    sizes = [f"{cost.n_queries} × {cost.n_keys}" for cost in costs]
    sizes[0] = say("attention-costs-here", size=sizes[0])
    rows = (
        (
            size,
            numbers.duration(cost.dot_product_seconds),
            numbers.duration(cost.additive_seconds),
            numbers.size(cost.dot_product_bytes),
            numbers.size(cost.additive_bytes),
        )
        for size, cost in zip(sizes, costs, strict=True)
    )
    return text_table(titles, rows)


def _strips(scene: Scene, strips: tuple[Strip, ...], key: int, *, name: str) -> None:
    site, tokens = scene.raw.site, scene.raw.key_tokens
    beside = name == "stages" and len(tokens) <= MOST_COLUMNS_BESIDE
    room = ROOM_BESIDE if beside else ROOM
    _draw(scene, strips_figure(strips, tokens, kind=site, chosen=key, room=room), name=name)


def _draw(scene: Scene, figure: Figure, *, name: str, **values: Any) -> None:
    picture(
        f"attention-arithmetic-{name}",
        figure,
        key=f"arithmetic_{name}",
        numbers=lambda: max(tables_of(figure).values(), key=len),
        head=scene.file_name,
        **values,
    )
