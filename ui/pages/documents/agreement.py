"""Weights of a document beside other measures of importance, or beside another map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.documents import MOST_DIVERGENCE, Importance, joint_weights
from core.explain import measures_table
from core.measurements import DOCUMENTS
from core.records.attention import Measure
from core.records.tokens import visible
from model import DocumentReader
from model.experiments.explain import rank_correlation
from model.io.checkpoint import checkpoints_folder
from model.readers.documents import EPSILON
from ui.components.document import show_document
from ui.frame.messages import say, token_text, with_interval
from ui.frame.model_cache import ask
from ui.kit.blocks import picture
from ui.kit.layout import caption, finding, folded, paragraph
from ui.kit.measurements import stored_of
from ui.kit.norm import tell_measure
from viz.explain import measure_bars
from viz.recipes import cut
from words.numbers import signed

from .scene import DocumentScene, class_name, colours, identity_of

# Each word is left out once, so the work grows with their number.
MOST_WORDS = 1200
# Pixels for the beginning of a sentence beside its bars, and the size of its letters.
NAME = 280
NAME_FONT = 12
# Bars that fit on one screen.
MOST_BARS = 30
BARS = 400  # pixels of all bars, if there are few
MOST_ROW = 44
SETS = ("polarity", "reviews")
# A large weight whose removal changes the prediction by so little has no effect.
LARGE = 0.1
SMALL = 0.05


def show(scene: DocumentScene) -> None:
    """Draw the weights beside other measures, or beside another map of the same prediction."""
    if len(scene.src) > MOST_WORDS:
        st.info(say("documents-agree-long", n=len(scene.src), most=MOST_WORDS))
    elif scene.test == "adversarial":
        _show_other(scene)
    else:
        _show_agreement(scene)


def _show_agreement(scene: DocumentScene) -> None:
    importance = ask(scene.reader, DocumentReader.importance, scene.src)
    names, weights, drops, gradients = measures(scene, importance)
    if len(names) < 2:
        st.info(say("documents-agree-one"))
        return
    _tell_largest(scene, names, weights, drops)
    # The largest weights, back in the order of the text.
    kept = np.sort(np.argsort(-weights, kind="stable")[:MOST_BARS])
    tokens = [names[i] for i in kept]
    _draw_bars(scene, tokens, measures_table(tokens, weights[kept], drops[kept], gradients[kept]))
    tell_measure(scene.plain.attention.of("sentences"), scene.error)
    if len(kept) < len(names):
        id = f"documents-agree-most-{scene.level}"
        caption(id, n=len(kept), of=len(names), measure=scene.measure)
    stored = _stored(scene, "correlation")
    if often := stored.get("reviews", {}).get("drops"):
        paragraph("documents-agree-often", n=stored["reviews"]["documents"], tau=often["value"])
    sentences = _correlation_words(weights, drops, gradients, scene.measure)
    sentences += _measured_correlations(stored)
    with folded("table"):
        st.markdown("\n".join(f"- {sentence}" for sentence in sentences))


def _tell_largest(
    scene: DocumentScene, names: list[str], weights: np.ndarray, drops: np.ndarray
) -> None:
    """Draw the finding: the largest weight, the largest drop, and a large weight without effect."""
    weights = np.nan_to_num(weights)
    changes = np.abs(np.nan_to_num(drops))
    most = int(weights.argmax())
    needed = int(changes.argmax())
    result = say(
        "documents-agree-same" if most == needed else "documents-agree-differ",
        level=scene.level,
        most=_name(scene, names[most], most),
        share=weights[most],
        needed=_name(scene, names[needed], needed),
        points=100 * changes[needed],
        label=class_name(scene.plain.classes[scene.plain.decided]),
        measure=scene.measure,
    )
    idle = np.where((weights >= LARGE) & (changes < SMALL), weights, 0)
    other = int(idle.argmax())
    fact = ""
    if idle[other]:
        sentence = say(
            "documents-agree-idle",
            level=scene.level,
            name=_name(scene, names[other], other),
            share=weights[other],
            change=changes[other],
            measure=scene.measure,
        )
        fact = f"  \n:gray[:small[{sentence}]]"
    finding(result + fact)


def _draw_bars(scene: DocumentScene, tokens: list[str], lines: pd.DataFrame) -> None:
    """Draw weights, drops and gradients of the words or sentences `tokens`, one bar each."""
    if scene.level == "sentences":
        # The table has shortened its names to the length of a token.
        lines["token"] = tokens
    picture(
        "documents-agree",
        measure_bars(
            lines,
            site=scene.level,
            names=(f"documents-agree-{scene.level}", "documents-agree-drop"),
            measure=scene.measure,
            room=NAME + NAME_FONT,
            row=max(20, min(MOST_ROW, BARS // len(tokens))),
            shares=True,
        ),
        numbers=lines,
        level=scene.level,
        n=len(tokens),
        text=scene.src.text[:60],
        measure=scene.measure,
    )


def _measured_correlations(stored: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each set on which Kendall's tau was measured."""
    return [
        say(
            f"documents-tau-mean-{part}",
            n=row["documents"],
            drops=with_interval(row["drops"]),
            gradient=with_interval(row["gradient"]),
        )
        for part, row in stored.items()
        if row["drops"] and row["gradient"]
    ]


def _name(scene: DocumentScene, name: str, at: int) -> str:
    """Return a name of `measures` at an index as Markdown: of a sentence its number."""
    return str(at + 1) if scene.level == "sentences" else token_text(name)


def _correlation_words(
    weights: np.ndarray, drops: np.ndarray, gradients: np.ndarray, measure: Measure
) -> list[str]:
    """Return sentences on Kendall's tau of weights and drops, weights and gradients, and both."""

    def tau(first: np.ndarray, second: np.ndarray) -> str:
        value = rank_correlation(first, second, "kendall")
        return say("documents-tau-none") if np.isnan(value) else f"**{signed(value)}**"

    # Magnitudes, because weights have no sign.
    drops = np.abs(drops)
    gradients = np.abs(gradients)
    return [
        say("documents-tau-drops", measure=measure, tau=tau(weights, drops)),
        say("documents-tau-gradient", measure=measure, tau=tau(weights, gradients)),
        # Both measures without the weights, for comparison (Jain and Wallace 2019).
        say("documents-tau-both", tau=tau(drops, gradients)),
    ]


def measures(
    scene: DocumentScene, importance: Importance
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return names, weights, drops and gradients of all sentences or all words of a document."""
    judged = scene.plain
    if scene.level == "sentences":
        # A heading of the sentence; its number stands first, as in the reading view.
        texts = (" ".join(sentence.text.split()) for sentence in scene.src.sentences)
        names = [f"{n} · {cut(visible(text), NAME, NAME_FONT)}" for n, text in enumerate(texts, 1)]
        return names, judged.sentences, importance.sentence_drops, importance.sentence_gradients
    return (
        list(scene.src.tokens),
        # Weight of the word times that of its sentence (Yang et al. 2016).
        joint_weights(judged.words, judged.sentences),
        np.concatenate(importance.word_drops),
        np.concatenate(importance.word_gradients),
    )


def _show_other(scene: DocumentScene) -> None:
    adversary = ask(scene.reader, DocumentReader.other_map, scene.src, scene.level)
    plain = scene.plain
    other = adversary.judgement
    finding(
        "documents-other-found" if adversary.divergence > 0 else "documents-other-none",
        divergence=adversary.divergence,
        most=MOST_DIVERGENCE,
        label=class_name(plain.classes[plain.decided]),
        before=plain.probs[plain.decided],
        after=other.probs[plain.decided],
        epsilon=EPSILON,
    )
    for column, name, judged in zip(st.columns(2), ("own", "other"), (plain, other), strict=True):
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
            paragraph(
                f"documents-other-mean-{part}",
                n=row["documents"],
                divergence=with_interval(row["divergence"]),
                share=row["far"]["value"],
            )
    caption(
        "view-unfit",
        views=say("attention-measure-length"),
        why=say("documents-other-no-norms"),
    )


def _stored(scene: DocumentScene, test: str) -> dict[str, dict[str, Any]]:
    """Return the stored results of a test by data set, for this model and level."""
    systems = measured_documents().get("systems", {}).values()
    fingerprint = scene.reader.card.fingerprint
    system = next((stored for stored in systems if stored.get("fingerprint") == fingerprint), {})
    rows = {part: system.get(part, {}).get(test, {}).get(scene.level) for part in SETS}
    return {part: row for part, row in rows.items() if row}


def measured_documents() -> dict[str, Any]:
    """Return the measurements under ``checkpoints/``; if there are none, the page explains why."""
    return stored_of(DOCUMENTS, checkpoints_folder()).values
