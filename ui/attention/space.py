"""The queries and keys of the open head as points of one space."""

from __future__ import annotations

import streamlit as st

from analysis.labels import distinct_labels
from analysis.query_key import LEAST_EDGE, edges, query_key_space, space_table
from ui.kit.blocks import picture
from ui.kit.controls import choice
from ui.kit.layout import finding, folded, settings
from ui.words import head_name, page_text, say
from viz.query_key import space_plot
from words import numbers

from .arithmetic import query_name, row_shown, vectors_of
from .scene import Scene

DIMENSIONS = {"2d": 2, "3d": 3}


def show(scene: Scene) -> None:
    with settings():
        k = DIMENSIONS[choice("space_dims", tuple(DIMENSIONS), words="attention-space-dims")]
    attention, vectors, focus = scene.raw, vectors_of(scene), scene.focus
    head, row = focus.place, row_shown(scene)
    space = query_key_space(vectors.queries[head], vectors.keys[head], k, attention.mask_of(*head))
    if not space.drawn:
        st.info(say("attention-space-none"), icon=":material/scatter_plot:")
        return
    found = edges(attention, *head, row)
    weights, query = attention.head(*head)[row], query_name(scene, row)
    share = numbers.percent(float(weights[list(found)].sum()))
    least = numbers.percent(LEAST_EDGE, 0)
    said = say("attention-space-edges", n=len(found), query=query, least=least, share=share)
    finding(f"{scene.title}: {said}")
    picture(
        "attention-space",
        space_plot(space, attention, *head, row=row, column=focus.column, produced=scene.produced),
        key="space",
        numbers=lambda: space_table(space, attention, *head, row),
        head=head_name(*head),
        file=scene.file_name,
        dims=say(f"attention-space-dims-{k}d"),
        n_queries=len(attention.query_tokens),
        n_keys=len(attention.key_tokens),
        n=len(found),
        **_named(scene, row, found),
    )
    told = []
    if space.agreement == space.agreement:
        told.append(say("attention-space-agreement", rho=numbers.fixed(space.agreement)))
    if scene.shown.merged:
        told.append(say("attention-arithmetic-pieces"))
    if told:
        st.caption(" ".join(told))
    with folded("reading"):
        st.markdown(page_text("space"))


def _named(scene: Scene, row: int, keys: tuple[int, ...]) -> dict[str, str]:
    attention = scene.raw
    named = attention.output_tokens if scene.produced else None
    queries = distinct_labels(named or attention.query_tokens)
    labels, weights = distinct_labels(attention.key_tokens), attention.head(*scene.focus.place)
    ends = [f"{say('quoted', text=labels[key])} {numbers.fixed(weights[row, key])}" for key in keys]
    return {"query": say("quoted", text=queries[row]), "keys": ", ".join(ends)}
