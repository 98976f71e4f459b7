"""How large the gradients are at every sub-layer, with residual connections and without."""

from __future__ import annotations

import numpy as np
import streamlit as st

from records import Gradients
from ui.choice import choice
from ui.kit.blocks import figure_block
from ui.shared import cached
from ui.state import Run
from ui.words import say
from viz.block import gradient_lines
from viz.figure import tables_of
from words import numbers

SEED = 0  # of the random weights
VANISHED = 1e-3  # of a gradient with residual connections, below which it is gone without
WEIGHTS = ("random", "trained")


def show(run: Run) -> None:
    weights = choice("block_weights", WEIGHTS, words="block-weights")
    found = gradients_of(run, SEED if weights == "random" else None)
    figure = gradient_lines(found)
    st.markdown(told(found, weights))
    figure_block(
        figure,
        key="block_gradients",
        alt=say("block-gradients-alt"),
        name=say("block-gradients-name", text=run.record.src.text),
        numbers=lambda: tables_of(figure)["lines"],
        caption=losses(found, len(run.translation.tgt)),
    )


def told(found: Gradients, weights: str) -> str:
    """How many sub-layers lose their gradient without residual connections."""
    in_decoder = np.array([place.stack == "decoder" for place in found.places])
    plain, cut = (Gradients.RUNS.index(run) for run in ("plain", "residual"))
    # NaN is less than can be told from rounding.
    gone = ~(found.sizes[cut] >= VANISHED * found.sizes[plain])
    found_out = say(
        "block-gradients-told",
        weights=weights,
        decoder=int((gone & in_decoder).sum()),
        n_decoder=int(in_decoder.sum()),
        encoder=int((gone & ~in_decoder).sum()),
        n_encoder=int((~in_decoder).sum()),
        vanished=numbers.fixed(VANISHED, 3),
    )
    way = say("block-gradients-way", order="pre" if found.pre_norm else "post")
    return f"{found_out}\n\n{way}"


def losses(found: Gradients, n_tokens: int) -> str:
    """What the gradient is of, with residual connections and without."""
    plain, cut = (float(found.losses[Gradients.RUNS.index(run)]) for run in ("plain", "residual"))
    told = {"loss": numbers.fixed(plain), "cut_loss": numbers.fixed(cut)}
    return say("block-gradients-how", n=n_tokens, **told)


@cached("identity", spinner="block-gradients-working")
def gradients_of(run: Run, seed: int | None) -> Gradients:
    """For the sentence on screen and its translation; random weights where a seed is given."""
    return run.translator.gradients(run.translation.src, run.translation.tgt, seed=seed)
