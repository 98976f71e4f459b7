"""Which noun "it" looks at in a model of masked words: every head, and what was measured."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.words import say
from viz.labels import head_name
from words.numbers import percent, signed

from .measured import measured
from .rows import show_rows
from .scene import Scene, looked

PRONOUN = "it"


def show(scene: Scene) -> None:
    found = measured(scene).get("it")
    if found:
        _measured(found)
    places = scene.src.pieces_of(PRONOUN)
    if not places:
        st.info(say("masked-it-none"), icon=":material/search_off:")
        return
    show_rows(
        looked(scene.reader, scene.src, (), False),
        places[0],
        key="masked_it_heads",
        name=say("masked-it-name"),
        caption=say("masked-it-caption"),
    )


def _measured(found: dict[str, Any]) -> None:
    st.markdown(
        say(
            "masked-it-found",
            n=found["sentences"],
            head=head_name(found["layer"], found["head"]),
            margin=signed(found["margin"], 3),
            right=percent(found["right"]["value"], 1),
        )
    )
