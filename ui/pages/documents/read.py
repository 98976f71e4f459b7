"""A document shaded by weight, with its decision before and after a change."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.documents import Judgement
from ui.components.document import show_document
from ui.frame.messages import plain, say
from ui.kit.blocks import picture
from ui.kit.controls import button
from ui.kit.layout import caption, finding
from ui.kit.norm import name_lacking, tell_measure
from viz.documents import attention_shares, shares_table
from words.numbers import percent

from .scene import (
    ANSWERED,
    COMPONENT,
    DocumentScene,
    class_name,
    colours,
    identity_of,
    put_back,
    take_answer,
)

METRIC = 92  # pixels, with room for the change: a click moves nothing


def show(scene: DocumentScene) -> None:
    before = scene.plain
    judged = scene.judged
    finding(f"{decision_words(before, judged)} {largest_words(scene)}")
    left, right = st.columns([4, 1], gap="medium")
    with left:
        show_document(
            judged,
            key=COMPONENT,
            identity=identity_of(scene.reader, scene.src),
            colours=colours(scene.reader),
            taken=scene.taken,
            answered=st.session_state.get(ANSWERED, 0),
            truth=scene.truth,
            measure=scene.measure,
            on_change=lambda: take_answer(scene.reader, scene.src),
        )
        if scene.truth is not None:
            caption("documents-truth", label=class_name(scene.label))
        tell_measure(judged.attention.of("sentences"), scene.error)
        name_lacking(scene.reader)
    with right:
        _show_probabilities(before, judged)
        button("document_put_back", put_back, icon="undo", disabled=not scene.taken)
    sentences = scene.src.sentences
    texts = [[row.text[start:end] for start, end in row.offsets] for row in sentences]
    picture(
        "documents-shares",
        attention_shares(texts, judged.words, judged.sentences),
        numbers=shares_table(texts, judged.words, judged.sentences),
        n=len(sentences),
        measure=scene.measure,
    )


def _show_probabilities(before: Judgement, judged: Judgement) -> None:
    """Draw the probability of each class, and by how many points the change moved it."""
    caption("documents-probabilities")
    for name, first, now in zip(before.classes, before.probs, judged.probs, strict=True):
        moved = say("documents-moved", points=100 * float(now - first))
        st.metric(
            class_name(name),
            percent(now),
            moved if judged is not before else None,
            delta_color="off",
            delta_arrow="off",
            height=METRIC,
        )


def decision_words(plain: Judgement, judged: Judgement) -> str:
    before = class_name(plain.classes[plain.decided])
    now = class_name(judged.classes[judged.decided])
    outcome = "turned" if now != before else "judged" if judged is plain else "stays"
    prob = float(judged.probs[judged.decided])
    return say(f"documents-{outcome}", label=now, before=before, prob=prob)


def largest_words(scene: DocumentScene) -> str:
    """Return a sentence on the largest weight of a sentence and of its words."""
    weights = np.nan_to_num(scene.judged.sentences)
    most = int(weights.argmax())
    word = int(np.nan_to_num(scene.judged.words[most]).argmax())
    row = scene.src.sentences[most]
    start, end = row.offsets[word]
    truth = scene.truth
    deciding = truth is not None and truth.sentence == most and word in truth.words
    return say(
        "documents-largest",
        n=most + 1,
        share=weights[most],
        measure=scene.measure,
        word=plain(row.text[start:end]),
        deciding="yes" if deciding else "no",
    )
