"""How large the gradients are at every sub-layer, with residual connections and without."""

from __future__ import annotations

import numpy as np
import streamlit as st

from records import Gradients
from ui.blocks import figure_block
from ui.choice import choice
from ui.shared import cached
from ui.state import Run, is_dark
from ui.words import current_words, say
from viz.block import gradient_lines
from words import numbers

SEED = 0  # of the random weights
WEIGHTS = ("random", "trained")


def show(run: Run) -> None:
    weights = choice("block_weights", WEIGHTS, words="block-weights")
    found = gradients_of(run, SEED if weights == "random" else None)
    figure = gradient_lines(found, dark=is_dark(), say=current_words())
    st.markdown(told(found, weights))
    figure_block(
        figure,
        key="block_gradients",
        alt=say("block-gradients-alt"),
        name=say("block-gradients-name", text=run.record.src.text),
        numbers=lambda: figure.tables["lines"],
        caption=say("block-gradients-how", n=len(run.translation.tgt)),
    )


def told(found: Gradients, weights: str) -> str:
    """Losses, and how much smaller the decoder's first gradient is than its last, in both runs."""
    own = np.array([place.stack == "decoder" for place in found.places])
    ratio = {
        run: float(sizes[own][0] / sizes[own][-1]) if sizes[own][-1] else 0.0
        for run, sizes in zip(Gradients.RUNS, found.sizes, strict=True)
    }
    plain, cut = (found.losses[Gradients.RUNS.index(run)] for run in ("plain", "residual"))
    return say(
        "block-gradients-told",
        weights=weights,
        plain=numbers.scientific(ratio["plain"]),
        cut=numbers.scientific(ratio["residual"]),
        loss=numbers.fixed(float(plain)),
        cut_loss=numbers.fixed(float(cut)),
    )


@cached("identity", spinner="block-gradients-working")
def gradients_of(run: Run, seed: int | None) -> Gradients:
    """For the sentence on screen and its translation; random weights where a seed is given."""
    return run.translator.gradients(run.translation.src, run.translation.tgt, seed=seed)
