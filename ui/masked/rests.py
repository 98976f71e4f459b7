"""What a guess rests on: log p of what stood there while every other piece is masked too."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.effect import log_prob_changes
from analysis.labels import token_label
from model.experiments.explain import rank_correlation
from ui.kit.blocks import figure_block
from ui.words import plain, say
from viz.effect import log_prob_bars
from words.numbers import fixed, signed

from .scene import Scene, looked, rests_on


def show_rests(scene: Scene, place: int) -> None:
    """Leave-one-out for the piece that is masked at `place`, beside what the heads look at."""
    found = rests_on(scene.reader, scene.src, scene.places, place)
    st.markdown("## " + say("masked-rests-title"))
    if not found.others:
        st.caption(say("masked-rests-nothing"))
        return
    tokens = [scene.src.tokens[i] for i in found.others]
    changes = found.without - found.log_prob
    least = int(changes.argmin())
    st.markdown(
        say(
            "masked-rests-found" if changes[least] < 0 else "masked-rests-none",
            token=plain(token_label(tokens[least])),
            drop=fixed(-float(changes[least])),
        )
        + _agreement(scene, place, found.others, changes)
    )
    sides = tokens, [found.log_prob] * len(tokens), list(map(float, found.without))
    figure_block(
        log_prob_bars(*sides),
        key="masked_rests",
        alt=say("masked-rests-alt", n=len(tokens)),
        name=say("masked-rests-name"),
        caption=say("masked-rests-caption"),
        numbers=lambda: log_prob_changes(*sides),
    )


def _agreement(scene: Scene, place: int, others: tuple[int, ...], changes: np.ndarray) -> str:
    """Whether the heads, averaged, look at what the guess rests on; nothing where that has no
    order."""
    (attention,) = looked(scene.reader, scene.src, scene.places, False).maps
    weights = attention.weights[:, :, place].mean(axis=(0, 1))[list(others)]
    number = float(rank_correlation(weights, -changes))
    return "" if np.isnan(number) else " " + say("masked-rests-heads", number=signed(number, 2))
