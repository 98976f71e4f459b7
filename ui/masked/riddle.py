"""Which noun "it" looks at in a model of masked words: every head, and what was measured."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.blocks import figure_block
from ui.state import is_dark
from ui.words import current_words, say
from viz.head_rows import head_rows
from viz.labels import head_name
from words.numbers import percent, signed

from .measured import measured
from .scene import Scene, looked

PRONOUN = "it"


def show(scene: Scene) -> None:
    found = measured(scene.name).get("it")
    if found:
        _measured(found)
    places = scene.src.pieces_of(PRONOUN)
    if not places:
        st.info(say("masked-it-none"), icon=":material/search_off:")
        return
    attention = looked(scene.reader, scene.src, (), False).maps[0]
    figure = head_rows(
        attention.weights[:, :, places[0]],
        attention.key_tokens,
        kind=attention.site,
        dark=is_dark(),
        say=current_words(),
    )
    figure_block(
        figure,
        key="masked_it_heads",
        alt=say("masked-heads-alt", n=attention.n_layers * attention.n_heads),
        name=say("masked-it-name"),
        caption=say("masked-it-caption"),
        numbers=lambda: figure.tables["cells"],
    )


def _measured(found: dict[str, Any]) -> None:
    st.markdown(
        say(
            "masked-it-found",
            n=found["sentences"],
            head=head_name(found["layer"], found["head"], current_words()),
            margin=signed(found["margin"], 3),
            first=signed(found["first"], 3),
            second=signed(found["second"], 3),
            right=percent(found["right"]["value"], 1),
        )
    )
