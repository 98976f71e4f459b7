"""Weights of one row of one head, computed step by step with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.arithmetic import (
    Stages,
    Strip,
    largest_contributions,
    output_facts,
    row_sharpness,
    score_facts,
    staged,
    weight_facts,
)
from core.cost import AttentionCost
from core.records.attention import AttentionVectors
from core.records.tokens import distinct_labels
from core.softmax import scaling_effect
from model.experiments import arithmetic as experiments
from model.nets.additive import compare_costs, compared_weights
from ui.frame.choices import choose
from ui.frame.messages import plain, quoted, say
from ui.frame.model_cache import ask, cached
from ui.kit.blocks import picture, text_table
from ui.kit.controls import choice, place_menu
from ui.kit.focus import change_focus
from ui.kit.layout import bar, caption, finding, folded, paragraph
from ui.pages.attention.scene import MOST_COLUMNS_BESIDE, AttentionScene
from viz.arithmetic import (
    ROOM,
    ROOM_BESIDE,
    contribution_matrix,
    most_rows,
    output_figure,
    scaling_curves,
    strips_figure,
    weight_figure,
)
from viz.figure import Figure, tables_of
from words.numbers import compact, duration, fixed, size

ROUNDING = 1e-5  # float32 sums in another order differ by less
LONGER = tuple((length, length) for length in (64, 128, 256, 512))
"""Queries and keys of longer sentences, at which both scores are measured as well."""
STEPS = ("weight", "output", "scaling", "additive")
"""Parts of the arithmetic, of which one is on screen."""


def show(scene: AttentionScene) -> None:
    """Draw one step of the arithmetic beside all heads, with menus of the query and the key."""
    with bar("arithmetic"):
        step = choice("arithmetic_step", STEPS, words="attention-arithmetic-step", title=False)
        row = query_row(scene)
        stages = staged(vectors_of(scene), scene.raw, *scene.focus.place, row)
        # Without a chosen key, the one with the largest weight.
        key = int(stages.weights.argmax()) if scene.focus.column is None else scene.focus.column
        _place_menus(scene, row, key)
    drawn = {"weight": _weight, "output": _output, "scaling": _scaling, "additive": _additive}
    drawn[step](scene, stages, key)
    with folded("reading"):
        paragraph("arithmetic_reading")


def _place_menus(scene: AttentionScene, row: int, key: int) -> None:
    """Draw the menus of the query and the key; they change the chosen tokens of all views."""
    raw = scene.raw
    produced = raw.output_tokens if scene.produced else None
    menus = {
        "rows": (distinct_labels(produced or raw.query_tokens), row),
        "columns": (distinct_labels(raw.key_tokens), key),
    }
    for side, (labels, current) in menus.items():
        name = f"{scene.site_id}_{side}_menu"
        choose({name: current})
        place_menu(
            name,
            list(map(plain, labels)),
            words="figures-query" if side == "rows" else "figures-key",
            address=False,
            on_change=_take_place,
            args=(scene.site_id, side, name),
        )


def _take_place(site_id: str, side: str, name: str) -> None:
    change_focus(site_id, **{side: (st.session_state[name],)})


def query_row(scene: AttentionScene) -> int:
    """Return the first chosen query, or the last position."""
    row = scene.focus.row
    # The last row of a causal site sees the most keys.
    return scene.raw.weights.shape[2] - 1 if row is None else row


def vectors_of(scene: AttentionScene) -> AttentionVectors:
    """Return the queries, keys and values of all heads of the site."""
    vectors = ask(
        scene.run.translator, experiments.vectors_of, scene.run.record, key=scene.run.identity
    )
    return next(of_site for of_site in vectors if of_site.site_id == scene.site_id)


@cached("d_k")
def _costs(stages: Stages, lengths: tuple[tuple[int, int], ...]) -> tuple[AttentionCost, ...]:
    """Measure both scores at these lengths, once per key width for all sessions."""
    return compare_costs(lengths, stages.d_k, repeats=3)


def _key(scene: AttentionScene, key: int) -> str:
    return quoted(distinct_labels(scene.raw.key_tokens)[key])


def query_name(scene: AttentionScene, row: int) -> str:
    """Return the token that names a row, and if rows have two, whether it is read or produced."""
    read = scene.raw.query_tokens
    produced = scene.raw.output_tokens
    named = produced if scene.produced and produced else read
    label = plain(distinct_labels(named)[row])
    if produced is None:
        return say("quoted", text=label)
    return say(f"attention-token-{'produced' if scene.produced else 'read'}", token=label)


def _weight(scene: AttentionScene, stages: Stages, key: int) -> None:
    query = query_name(scene, stages.row)
    sentence = say(
        "attention-arithmetic-product",
        query=query,
        key=_key(scene, key),
        n=int(stages.seen.sum()),
        weight=stages.weights[key],
        **{"quotient": stages.scores[key]} | score_facts(stages, key),
    )
    finding(f"{scene.title}: {sentence}")
    tokens = scene.raw.key_tokens
    figure = weight_figure(stages, key, tokens, site=scene.raw.site, room=_width(tokens))
    _draw(scene, figure, name="stages", table="cells")
    n = len(scene.focus.rows)
    notes = [say("attention-arithmetic-pieces")] if scene.regrouped.merged else []
    if n > 1:
        notes.append(say("attention-arithmetic-first", n=n, query=query))
    elif not n:
        notes.append(say("attention-arithmetic-last"))
    if notes:
        st.caption(" ".join(notes))
    facts = weight_facts(stages, key)
    weight = say(f"attention-arithmetic-{'weight' if facts else 'future'}", **facts)
    st.markdown(f"{say('attention-arithmetic-softmax', **score_facts(stages, key))} {weight}")
    difference = stages.largest_difference
    if difference <= ROUNDING:
        equal = say("attention-arithmetic-equal", difference=difference)
        st.caption(f":material/check_circle: {equal}")
    else:
        unequal = say("attention-arithmetic-unequal", difference=difference)
        st.warning(unequal, icon=":material/error:")


def _output(scene: AttentionScene, stages: Stages, key: int) -> None:
    shares = largest_contributions(stages, most_rows(stages.d_k), key)
    best = int(stages.weights.argmax())
    text = say("attention-arithmetic-values", key=_key(scene, best), weight=stages.weights[best])
    if shares.n_others:
        text += " " + say("attention-arithmetic-smallest", n=shares.n_others)
    finding(f"{scene.title}: {text}")
    figure = contribution_matrix(shares, stages, scene.raw.key_tokens, chosen=key)
    _draw(scene, figure, name="values", d_k=stages.d_k)
    st.markdown(say("attention-arithmetic-output", **output_facts(stages)))
    _draw(scene, output_figure(stages), name="output")
    paragraph("arithmetic_output")


def _scaling(scene: AttentionScene, stages: Stages, key: int) -> None:
    sharpness = row_sharpness(stages)
    largest, largest_off = map(fixed, sharpness.largest)
    titles = say("figures-arithmetic-scaled", d_k=stages.d_k), say("figures-arithmetic-unscaled")
    rows = {
        "largest": (largest, largest_off),
        "entropy": map(compact, sharpness.entropy),
        "gradient": (fixed(gradient, 3) for gradient in sharpness.gradient),
    }
    lines = ([say(f"figures-arithmetic-{name}"), *cells] for name, cells in rows.items())
    table = text_table(["", *titles], lines)
    sentence = say(
        "attention-arithmetic-scaling",
        d_k=stages.d_k,
        largest=largest,
        largest_off=largest_off,
    )
    finding(f"{scene.title}: {sentence}")
    strips = (
        Strip(titles[0], stages.weights, "share", stages.seen),
        Strip("figures-arithmetic-unscaled", stages.unscaled_weights, "share", stages.seen),
    )
    _strips(scene, strips, key, name="scaling")
    st.markdown(table)
    effect = scaling_effect(int(stages.seen.sum()))
    _draw(scene, scaling_curves(effect, stages), name="curves")
    paragraph("arithmetic_scaling")


def _additive(scene: AttentionScene, stages: Stages, key: int) -> None:
    weights = compared_weights(stages.query[None], stages.keys, stages.seen[None])
    dot_product, additive = weights
    largest = [int(of[0].argmax()) for of in weights]
    sentence = say(
        "attention-arithmetic-additive-largest",
        key=_key(scene, largest[0]),
        weight=dot_product[0, largest[0]],
        other=_key(scene, largest[1]),
        same="yes" if largest[0] == largest[1] else "no",
        additive=additive[0, largest[1]],
    )
    finding(f"{scene.title}: {sentence}")
    strips = (
        Strip("attention-arithmetic-dot-product", dot_product[0], "share", stages.seen),
        Strip("attention-arithmetic-additive", additive[0], "share", stages.seen),
    )
    _strips(scene, strips, key, name="additive")
    paragraph("arithmetic_additive")
    # Two calls, so that the longer lengths are cached across sentences.
    costs = *_costs(stages, (scene.raw.weights.shape[2:],)), *_costs(stages, LONGER)
    with st.container(key="scroll_arithmetic_costs"):
        st.markdown(cost_table(costs))
    caption("attention-arithmetic-costs", d_k=stages.d_k)


def cost_table(costs: tuple[AttentionCost, ...]) -> str:
    """Return time and memory as a Markdown table; the first line is the current sentence."""
    columns = ("size", "dot-time", "additive-time", "dot-memory", "additive-memory")
    titles = [say(f"attention-costs-{column}") for column in columns]
    shapes = [f"{cost.n_queries} × {cost.n_keys}" for cost in costs]
    shapes[0] = say("attention-costs-here", size=shapes[0])
    rows = (
        (
            shape,
            duration(cost.dot_product_seconds),
            duration(cost.additive_seconds),
            size(cost.dot_product_bytes),
            size(cost.additive_bytes),
        )
        for shape, cost in zip(shapes, costs, strict=True)
    )
    return text_table(titles, rows)


def _strips(scene: AttentionScene, strips: tuple[Strip, ...], key: int, *, name: str) -> None:
    site = scene.raw.site
    tokens = scene.raw.key_tokens
    figure = strips_figure(strips, tokens, site=site, chosen=key, room=_width(tokens))
    _draw(scene, figure, name=name)


def _width(tokens: Sequence[str]) -> int:
    """Return the pixels for the cells of all keys: only short sentences share a line with heads."""
    return ROOM_BESIDE if len(tokens) <= MOST_COLUMNS_BESIDE else ROOM


def _draw(
    scene: AttentionScene, figure: Figure, *, name: str, table: str = "", **values: Any
) -> None:
    picture(
        f"attention-arithmetic-{name}",
        figure,
        key=f"arithmetic_{name}",
        numbers=table or (lambda: max(tables_of(figure).values(), key=len)),
        head=scene.file_name,
        **values,
    )
