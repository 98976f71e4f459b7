"""Views of a document: shaded by weight, compared with importance, and with another map."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from core.attention import Measure
from core.documents import MOST_DIVERGENCE, Importance, Judgement, joint_weights
from core.explain import measures_table
from core.measurements import DOCUMENTS
from model import DocumentReader
from model.checkpoint import checkpoints_folder
from model.documents import EPSILON
from model.experiments.explain import rank_correlation
from ui.components.document import show_document
from ui.kit.blocks import picture
from ui.kit.controls import button
from ui.kit.layout import caption, finding, paragraph
from ui.norm import name_lacking, tell_measure
from ui.shared import ask
from ui.stored import stored_of
from ui.words import say, with_interval
from viz.explain import measure_bars
from words.numbers import percent, signed

from .scene import (
    ANSWERED,
    COMPONENT,
    Scene,
    class_name,
    colours,
    identity_of,
    put_back,
    take_answer,
)

METRIC = 103  # pixels, with room for the change: a click moves nothing
# Each word is left out once, so the work grows with their number.
MOST_WORDS = 1200
# Bars that fit on one screen.
MOST_BARS = 30
SETS = ("polarity", "reviews")


def show(scene: Scene) -> None:
    plain = scene.plain
    judged = scene.judged
    finding(f"{decision_words(plain, judged)} {largest_words(judged, scene.measure)}")
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
        for name, before, now in zip(plain.classes, plain.probs, judged.probs, strict=True):
            moved = say("documents-moved", points=100 * float(now - before))
            st.metric(
                class_name(name),
                percent(now),
                moved if judged is not plain else None,
                delta_color="off",
                delta_arrow="off",
                height=METRIC,
            )
        how = {"icon": "undo", "disabled": not scene.taken}
        button("document_put_back", put_back, **how)


def decision_words(plain: Judgement, judged: Judgement) -> str:
    now, before = (class_name(each.classes[each.decided]) for each in (judged, plain))
    how = "turned" if now != before else "judged" if judged is plain else "stays"
    return say(f"documents-{how}", label=now, before=before)


def largest_words(judged: Judgement, measure: Measure) -> str:
    weights = np.nan_to_num(judged.sentences)
    most = int(weights.argmax())
    return say("documents-largest", n=most + 1, share=weights[most], measure=measure)


def show_explanation(scene: Scene) -> None:
    """Draw the weights beside other measures, or beside another map of the same prediction."""
    if len(scene.src) > MOST_WORDS:
        st.info(say("documents-agree-long", n=len(scene.src), most=MOST_WORDS))
    elif scene.test == "adversarial":
        _show_other(scene)
    else:
        _show_agreement(scene)


def _show_agreement(scene: Scene) -> None:
    found = ask(scene.reader, DocumentReader.importance, scene.src)
    names, weights, drops, gradients = measures(scene, found)
    if len(names) < 2:
        st.info(say("documents-agree-one"))
        return
    # The largest weights, back in the order of the text.
    kept = np.sort(np.argsort(-weights, kind="stable")[:MOST_BARS])
    tokens = [names[place] for place in kept]
    lines = measures_table(tokens, weights[kept], drops[kept], gradients[kept])
    # Magnitudes, because weights have no sign.
    sizes = {"drops": np.abs(drops), "gradient": np.abs(gradients)}
    taus = {}
    taus = {name: rank_correlation(weights, size, "kendall") for name, size in sizes.items()}
    # The agreement of both measures without the weights, for comparison (Jain and Wallace 2019).
    taus["both"] = rank_correlation(*sizes.values(), "kendall")
    measured = {"measure": scene.measure}
    told = [
        say(
            f"documents-tau-{name}",
            **(measured if name != "both" else {}),
            tau=say("documents-tau-none") if np.isnan(tau) else f"**{signed(tau)}**",
        )
        for name, tau in taus.items()
    ]
    finding(told[0])
    titles = f"documents-agree-{scene.level}", "documents-agree-drop"
    picture(
        "documents-agree",
        measure_bars(lines, kind=scene.level, names=titles, **measured),
        numbers=lines,
        level=scene.level,
        n=len(kept),
        text=scene.src.text[:60],
        **measured,
    )
    tell_measure(scene.plain.attention.of("sentences"), scene.error)
    if len(kept) < len(names):
        caption(f"documents-agree-most-{scene.level}", n=len(kept), of=len(names), **measured)
    for part, row in _stored(scene, "correlation").items():
        if row["drops"] and row["gradient"]:
            means = {name: with_interval(row[name]) for name in ("drops", "gradient")}
            told.append(say(f"documents-tau-mean-{part}", n=row["documents"], **means))
    st.markdown("\n".join(f"- {each}" for each in told[1:]))


def measures(
    scene: Scene, found: Importance
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return names, weights, drops and gradients of all sentences or all words of a document."""
    judged = scene.plain
    if scene.level == "sentences":
        names = [f"▁{place + 1}" for place in range(len(scene.src.sentences))]
        return names, judged.sentences, found.sentence_drops, found.sentence_gradients
    return (
        list(scene.src.tokens),
        # Weight of the word times that of its sentence (Yang et al. 2016).
        joint_weights(judged.words, judged.sentences),
        np.concatenate(found.word_drops),
        np.concatenate(found.word_gradients),
    )


def _show_other(scene: Scene) -> None:
    found = ask(scene.reader, DocumentReader.other_map, scene.src, scene.level)
    own = scene.plain
    other = found.judgement
    finding(
        "documents-other-found" if found.divergence > 0 else "documents-other-none",
        divergence=found.divergence,
        most=MOST_DIVERGENCE,
        label=class_name(own.classes[own.decided]),
        before=own.probs[own.decided],
        after=other.probs[own.decided],
        epsilon=EPSILON,
    )
    for column, name, judged in zip(st.columns(2), ("own", "other"), (own, other), strict=True):
        with column:
            st.markdown(f"**{say(f'documents-map-{name}')}**")
            show_document(
                judged,
                key=f"document_map_{name}",
                identity=f"{identity_of(scene.reader, scene.src)} {scene.level}",
                colours=colours(scene.reader),
                truth=scene.truth,
            )
    for part, row in _stored(scene, "other").items():
        if row["divergence"]:
            told = {"n": row["documents"], "divergence": with_interval(row["divergence"])}
            told["share"] = row["far"]["value"]
            paragraph(f"documents-other-mean-{part}", **told)
    why = say("documents-other-no-norms")
    caption("view-unfit", views=say("attention-measure-length"), why=why)


def _stored(scene: Scene, what: str) -> dict[str, dict[str, Any]]:
    systems = measured_documents().get("systems", {}).values()
    fingerprint = scene.reader.card.fingerprint
    system = next((each for each in systems if each.get("fingerprint") == fingerprint), {})
    rows = {part: system.get(part, {}).get(what, {}).get(scene.level) for part in SETS}
    return {part: row for part, row in rows.items() if row}


def measured_documents() -> dict[str, Any]:
    """Return the measurements under ``checkpoints/``; if there are none, the page explains why."""
    return stored_of(DOCUMENTS, checkpoints_folder()).values
