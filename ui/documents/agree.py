"""Does the map say what the decision depends on? Leaving out, gradients, and rank correlations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from analysis.documents import joint_weights
from analysis.explain import measures_table
from model.experiments.explain import rank_correlation
from records import Importance
from ui.choice import choice
from ui.kit.blocks import figure_block
from ui.words import say
from viz.explain import measure_bars
from words.numbers import grouped, signed

from .measured import in_number, measured_documents, system_of
from .scene import Scene, importance

LEVELS = ("sentences", "words")
AGAINST = ("drops", "gradient")
MOST_WORDS = 1200
MOST_BARS = 30


def show(scene: Scene) -> None:
    if len(scene.src) > MOST_WORDS:
        st.info(say("documents-agree-long", n=grouped(len(scene.src)), most=grouped(MOST_WORDS)))
        return
    level = choice("document_level", LEVELS, words="documents-level")
    found = importance(scene.reader, scene.src)
    names, weights, drops, gradients = measures(scene, found, level)
    if len(names) < 2:
        st.info(say("documents-agree-one"))
        return
    _bars(scene, level, names, weights, drops, gradients)
    st.markdown(_numbers_words(scene, level, weights, drops, gradients))


def measures(
    scene: Scene, found: Importance, level: str
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Names, weights, drops and gradients of all sentences or of all words of a document."""
    judged = scene.plain
    if level == "sentences":
        names = [f"▁{place + 1}" for place in range(len(scene.src.sentences))]
        return names, judged.sentences, found.sentence_drops, found.sentence_gradients
    return (
        list(scene.src.tokens),
        joint_weights(judged.words, judged.sentences),
        np.concatenate(found.word_drops),
        np.concatenate(found.word_gradients),
    )


def _bars(
    scene: Scene,
    level: str,
    names: list[str],
    weights: np.ndarray,
    drops: np.ndarray,
    gradients: np.ndarray,
) -> None:
    kept = np.sort(np.argsort(-weights, kind="stable")[:MOST_BARS])
    rows = [names[place] for place in kept], weights[kept], drops[kept], gradients[kept]
    if len(kept) < len(names):
        st.caption(say(f"documents-agree-most-{level}", n=len(kept), of=len(names)))
    table: pd.DataFrame = measures_table(*rows)
    figure_block(
        measure_bars(
            *rows,
            kind=level,
            names=(f"documents-agree-{level}", "documents-agree-drop"),
        ),
        key="document_bars",
        alt=say(f"documents-agree-alt-{level}", n=len(table)),
        name=say("documents-agree-file", text=scene.src.text[:60]),
        numbers=lambda: table,
    )


def _numbers_words(
    scene: Scene, level: str, weights: np.ndarray, drops: np.ndarray, gradients: np.ndarray
) -> str:
    """Kendall's tau on this document, and the mean over those that were measured."""
    sizes = dict(zip(AGAINST, (np.abs(drops), np.abs(gradients)), strict=True))
    told = []
    for name, size in sizes.items():
        tau = float(rank_correlation(weights, size, "kendall"))
        told.append(say(f"documents-tau-{name}", tau=_tau(tau)))
    told.append(
        say("documents-tau-both", tau=_tau(float(rank_correlation(*sizes.values(), "kendall"))))
    )
    lines = [f"- {each}" for each in told]
    stored = system_of(measured_documents(), scene.reader.card.fingerprint)
    for part in ("polarity", "reviews") if stored else ():
        row = stored[part].get("correlation", {}).get(level)
        if row and row["drops"] and row["gradient"]:
            lines.append(
                "- "
                + say(
                    f"documents-tau-mean-{part}",
                    n=row["documents"],
                    drops=in_number(row["drops"]),
                    gradient=in_number(row["gradient"]),
                )
            )
    return "\n".join(lines)


def _tau(value: float) -> str:
    return say("documents-tau-none") if np.isnan(value) else f"**{signed(value)}**"
