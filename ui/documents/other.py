"""Another map for the same decision: the most different weights that leave it alone."""

from __future__ import annotations

import streamlit as st

from analysis.documents import MOST_DIVERGENCE
from model import InputError
from model.documents import EPSILON
from ui.choice import choice
from ui.components.document import show_document
from ui.state import show_problem
from ui.words import say
from words.numbers import fixed, grouped, percent

from .agree import LEVELS, MOST_WORDS
from .measured import in_number, measured_documents, system_of
from .scene import Scene, class_name, colours, other_map


def show(scene: Scene) -> None:
    if len(scene.src) > MOST_WORDS:
        st.info(say("documents-agree-long", n=grouped(len(scene.src)), most=grouped(MOST_WORDS)))
        return
    level = choice("document_level", LEVELS, words="documents-level")
    try:
        found = other_map(scene.reader, scene.src, level, 0)
    except InputError as error:
        show_problem(error)
        return
    plain, other = scene.plain, found.judgement
    label = class_name(plain.classes[plain.decided])
    st.markdown(
        say(
            "documents-other-found" if found.divergence > 0 else "documents-other-none",
            divergence=fixed(found.divergence, 2),
            most=fixed(MOST_DIVERGENCE, 2),
            label=label,
            before=percent(float(plain.probs[plain.decided]), 1),
            after=percent(float(other.probs[plain.decided]), 1),
            epsilon=percent(EPSILON, 0),
        )
    )
    left, right = st.columns(2)
    for column, name, judged in ((left, "own", plain), (right, "other", other)):
        with column:
            st.markdown(f"**{say(f'documents-map-{name}')}**")
            show_document(
                judged,
                key=f"document_map_{name}",
                identity=f"{scene.identity} {level}",
                colours=colours(scene.reader),
                truth=scene.truth,
            )
    stored = system_of(measured_documents(), scene.reader.card.fingerprint)
    for part in ("polarity", "reviews") if stored else ():
        row = stored[part].get("other", {}).get(level)
        if row and row["divergence"]:
            told = {"n": row["documents"], "divergence": in_number(row["divergence"])}
            share = percent(row["far"]["value"], 0)
            st.markdown(say(f"documents-other-mean-{part}", share=share, **told))
