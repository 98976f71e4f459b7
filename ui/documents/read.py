"""A document shaded by its weights; take a sentence or a word out and see the decision move."""

from __future__ import annotations

import streamlit as st

from records import Judgement
from ui import address
from ui.components.document import show_document
from ui.words import say
from words.numbers import percent, signed

from .scene import (
    COMPONENT,
    Scene,
    answered,
    class_name,
    colours,
    put_back,
    spelt,
    take_answer,
    taken_out,
)

METRIC = 103  # px, with room for how far it moved: a click pushes nothing down


def show(scene: Scene) -> None:
    taken = taken_out(scene.reader, scene.src)
    _decision(scene)
    show_document(
        scene.judged,
        key=COMPONENT,
        identity=scene.identity,
        colours=colours(scene.reader),
        taken=taken,
        answered=answered(scene.reader, scene.src),
        truth=scene.truth,
        on_change=lambda: take_answer(scene.reader, scene.src),
    )
    address.drawn("document_left")
    address.write("document_left", spelt(taken))
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        st.button(
            say("documents-put-back"),
            key="document_put_back",
            icon=":material/undo:",
            disabled=not taken,
            on_click=put_back,
            args=(scene.src,),
        )
        if scene.truth is not None:
            st.caption(say("documents-truth", label=class_name(scene.label)))


def _decision(scene: Scene) -> None:
    """What it is judged to be, and how far that has moved."""
    plain, judged = scene.plain, scene.judged
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        for place, name in enumerate(judged.classes):
            moved = float(judged.probs[place] - plain.probs[place])
            st.metric(
                class_name(name),
                percent(float(judged.probs[place])),
                say("documents-moved", points=signed(100 * moved, 1))
                if judged is not plain
                else None,
                delta_color="off",
                delta_arrow="off",
                width=170,
                height=METRIC,
            )
        st.markdown(decision_words(plain, judged if scene.changed else plain), width="stretch")


def decision_words(plain: Judgement, judged: Judgement) -> str:
    """The decision in a sentence, with what it was before."""
    now, before = (class_name(each.classes[each.decided]) for each in (judged, plain))
    if judged is plain:
        return say("documents-judged", label=now)
    if judged.decided != plain.decided:
        return say("documents-turned", label=now, before=before)
    return say("documents-stays", label=now)
