"""Which noun "it" looks at in a model of masked words: every head, and what was measured."""

from __future__ import annotations

import streamlit as st

from ui.kit.layout import finding
from ui.words import plain, say
from viz.labels import head_name
from words.numbers import percent, signed

from .guess import show_rows
from .measured import measured
from .scene import Scene, looked

PRONOUN = "it"
OTHERWISE = "The animal didn't cross the street because it was too tired."
"""What is read where a sentence has no pronoun."""


def show(scene: Scene) -> None:
    src, told = scene.src, []
    if not src.pieces_of(PRONOUN):
        src = scene.reader.sentence(OTHERWISE)
        told.append(say("masked-it-none", text=plain(OTHERWISE)))
    if found := measured(scene).get("it"):
        told.append(
            say(
                "masked-it-found",
                n=found["sentences"],
                head=head_name(found["layer"], found["head"]),
                margin=signed(found["margin"], 3),
                right=percent(found["right"]["value"], 1),
            )
        )
    first, *others = told or [say("masked-it-caption")]
    finding(first)
    if places := src.pieces_of(PRONOUN):
        show_rows("masked-it", looked(scene.reader, src, (), False), places[0])
    st.markdown("\n\n".join(others))
