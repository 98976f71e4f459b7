"""A document shaded by its weights; take a sentence or a word out and see the decision move."""

from __future__ import annotations

import numpy as np
import streamlit as st

from records import Judgement
from ui import address
from ui.address import LONG
from ui.components.document import show_document
from ui.kit.controls import button
from ui.kit.layout import finding
from ui.words import say
from words.numbers import percent, signed

from .scene import COMPONENT, Scene, class_name, colours, kept, put_back, spelt, take_answer

METRIC = 103  # px, with room for how far it moved: a click pushes nothing down


def show(scene: Scene) -> None:
    answer = kept(scene.reader, scene.src)
    plain, judged = scene.plain, scene.judged if scene.changed else scene.plain
    finding(f"{decision_words(plain, judged)} {largest_words(scene.judged)}")
    left, right = st.columns([4, 1], gap="medium")
    with left:
        show_document(
            scene.judged,
            key=COMPONENT,
            identity=scene.identity,
            colours=colours(scene.reader),
            taken=answer.taken,
            answered=answer.number,
            truth=scene.truth,
            on_change=lambda: take_answer(scene.reader, scene.src),
        )
        if scene.truth is not None:
            st.caption(say("documents-truth", label=class_name(scene.label)))
    address.write("document_left", spelt(answer.taken) or None, LONG)
    with right:
        for name, before, now in zip(plain.classes, plain.probs, scene.judged.probs, strict=True):
            moved = say("documents-moved", points=signed(100 * float(now - before), 1))
            st.metric(
                class_name(name),
                percent(float(now)),
                moved if scene.judged is not plain else None,
                delta_color="off",
                delta_arrow="off",
                height=METRIC,
            )
        how = {"icon": "undo", "disabled": not answer.taken}
        button("document_put_back", put_back, scene.src, words="documents-put-back", **how)


def decision_words(plain: Judgement, judged: Judgement) -> str:
    """The decision in a sentence, with what it was before."""
    now, before = (class_name(each.classes[each.decided]) for each in (judged, plain))
    how = "turned" if now != before else "judged" if judged is plain else "stays"
    return say(f"documents-{how}", label=now, before=before)


def largest_words(judged: Judgement) -> str:
    """The sentence with the largest weight."""
    weights = np.nan_to_num(judged.sentences)
    most = int(weights.argmax())
    return say("documents-largest", n=most + 1, share=percent(float(weights[most]), 0))
