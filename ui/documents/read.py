"""A document shaded by its weights; what moves its decision; and what a map of it is worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from analysis.documents import MOST_DIVERGENCE, joint_weights
from analysis.explain import measures_table
from model import InputError
from model.documents import EPSILON
from model.experiments.explain import rank_correlation
from records import Importance, Judgement
from ui import address
from ui.address import LONG
from ui.components.document import show_document
from ui.kit.blocks import picture
from ui.kit.controls import button
from ui.kit.layout import finding
from ui.state import show_problem
from ui.words import say
from viz.explain import measure_bars
from words.numbers import fixed, grouped, percent, signed

from .measured import SETS, in_number, measured_documents
from .scene import (
    COMPONENT,
    Scene,
    class_name,
    colours,
    importance,
    kept,
    other_map,
    put_back,
    spelt,
    take_answer,
)

METRIC = 103  # px, with room for how far it moved: a click pushes nothing down
MOST_WORDS = 1200
MOST_BARS = 30


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
    now, before = (class_name(each.classes[each.decided]) for each in (judged, plain))
    how = "turned" if now != before else "judged" if judged is plain else "stays"
    return say(f"documents-{how}", label=now, before=before)


def largest_words(judged: Judgement) -> str:
    weights = np.nan_to_num(judged.sentences)
    most = int(weights.argmax())
    return say("documents-largest", n=most + 1, share=percent(float(weights[most]), 0))


def show_agreement(scene: Scene) -> None:
    if not _fits(scene):
        return
    found = importance(scene.reader, scene.src)
    names, weights, drops, gradients = measures(scene, found)
    if len(names) < 2:
        st.info(say("documents-agree-one"))
        return
    kept = np.sort(np.argsort(-weights, kind="stable")[:MOST_BARS])
    rows = [names[place] for place in kept], weights[kept], drops[kept], gradients[kept]
    sizes, taus = {"drops": np.abs(drops), "gradient": np.abs(gradients)}, {}
    taus = {name: rank_correlation(weights, size, "kendall") for name, size in sizes.items()}
    taus["both"] = rank_correlation(*sizes.values(), "kendall")
    told = [
        say(
            f"documents-tau-{name}",
            tau=say("documents-tau-none") if np.isnan(tau) else f"**{signed(tau)}**",
        )
        for name, tau in taus.items()
    ]
    finding(told[0])
    titles = f"documents-agree-{scene.level}", "documents-agree-drop"
    picture(
        "documents-agree",
        measure_bars(*rows, kind=scene.level, names=titles),
        key="document_bars",
        numbers=lambda: measures_table(*rows),
        level=scene.level,
        n=len(kept),
        text=scene.src.text[:60],
    )
    if len(kept) < len(names):
        st.caption(say(f"documents-agree-most-{scene.level}", n=len(kept), of=len(names)))
    for part, row in _stored(scene, "correlation").items():
        if row["drops"] and row["gradient"]:
            means = {name: in_number(row[name]) for name in ("drops", "gradient")}
            told.append(say(f"documents-tau-mean-{part}", n=row["documents"], **means))
    st.markdown("\n".join(f"- {each}" for each in told[1:]))


def measures(
    scene: Scene, found: Importance
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Names, weights, drops and gradients of all sentences or of all words of a document."""
    judged = scene.plain
    if scene.level == "sentences":
        names = [f"▁{place + 1}" for place in range(len(scene.src.sentences))]
        return names, judged.sentences, found.sentence_drops, found.sentence_gradients
    return (
        list(scene.src.tokens),
        joint_weights(judged.words, judged.sentences),
        np.concatenate(found.word_drops),
        np.concatenate(found.word_gradients),
    )


def show_other(scene: Scene) -> None:
    if not _fits(scene):
        return
    try:
        found = other_map(scene.reader, scene.src, scene.level, 0)
    except InputError as error:
        show_problem(error)
        return
    own, other = scene.plain, found.judgement
    finding(
        say(
            "documents-other-found" if found.divergence > 0 else "documents-other-none",
            divergence=fixed(found.divergence, 2),
            most=fixed(MOST_DIVERGENCE, 2),
            label=class_name(own.classes[own.decided]),
            before=percent(float(own.probs[own.decided]), 1),
            after=percent(float(other.probs[own.decided]), 1),
            epsilon=percent(EPSILON, 0),
        )
    )
    for column, name, judged in zip(st.columns(2), ("own", "other"), (own, other), strict=True):
        with column:
            st.markdown(f"**{say(f'documents-map-{name}')}**")
            show_document(
                judged,
                key=f"document_map_{name}",
                identity=f"{scene.identity} {scene.level}",
                colours=colours(scene.reader),
                truth=scene.truth,
            )
    for part, row in _stored(scene, "other").items():
        if row["divergence"]:
            told = {"n": row["documents"], "divergence": in_number(row["divergence"])}
            share = percent(row["far"]["value"], 0)
            st.markdown(say(f"documents-other-mean-{part}", share=share, **told))


def _fits(scene: Scene) -> bool:
    n, fits = len(scene.src), len(scene.src) <= MOST_WORDS
    if not fits:
        st.info(say("documents-agree-long", n=grouped(n), most=grouped(MOST_WORDS)))
    return fits


def _stored(scene: Scene, what: str) -> dict[str, dict[str, Any]]:
    systems = measured_documents().get("systems", {}).values()
    fingerprint = scene.reader.card.fingerprint
    system = next((each for each in systems if each.get("fingerprint") == fingerprint), {})
    rows = {part: system.get(part, {}).get(what, {}).get(scene.level) for part in SETS}
    return {part: row for part, row in rows.items() if row}
