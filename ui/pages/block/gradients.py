"""Gradients of the loss with and without residual connections and norms."""

from __future__ import annotations

import numpy as np

from core.block import encoder_shares, gradient_changes, gradient_facts
from core.records.sublayers import Gradients
from model.experiments.block import gradients_of
from ui.frame.messages import say
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import menu
from ui.kit.layout import controls, finding, folded, paragraph, subtitle
from viz.block import alike_lines, change_words, gradient_lines

SEED = 0  # of the randomly initialised weights
VANISHED = 1e-3  # ratio to the gradient with residual connections below which it counts as vanished


def show(run: Run) -> None:
    kinds = ("random", "trained")
    with controls():
        weights = menu("block_weights", kinds, words="block-weights", width=180)
    # A seed means: fresh random weights instead of the trained ones.
    seed = SEED if weights == "random" else None
    gradients = ask(
        run.translator, gradients_of, run.src, run.tgt, seed=seed, words="block-gradients-working"
    )
    finding(_gradients_found(gradients, weights))
    loss, cut_loss = (gradients.losses[Gradients.RUNS.index(r)] for r in ("plain", "residual"))
    picture(
        "block-gradients",
        gradient_lines(gradients, VANISHED),
        below=_encoder_spared(gradients),
        key="block_gradients",
        wide=True,
        numbers="lines",
        text=run.record.src.text,
        n=len(run.tgt),
        loss=loss,
        cut_loss=cut_loss,
        weights=weights,
    )
    subtitle("block-alike")
    picture(
        "block-alike",
        alike_lines(gradients),
        key="block_alike",
        wide=True,
        numbers="lines",
        text=run.record.src.text,
    )
    with folded("reading"):
        paragraph("block-gradients-way", order="pre" if gradients.pre_norm else "post")


def _gradients_found(gradients: Gradients, weights: str) -> str:
    """Return Markdown: where gradients vanish without residuals, and how much the model keeps."""
    facts = gradient_facts(gradients, VANISHED)
    sentence = say(
        "block-gradients-found",
        weights=weights,
        vanished=VANISHED,
        encoder=facts["encoder"],
        n_encoder=facts["n_encoder"],
        decoder=facts["decoder"],
        n_decoder=facts["n_decoder"],
    )
    changes = gradient_changes(gradients)
    growth = float(changes[Gradients.RUNS.index("norm")])
    kept = say(
        "block-gradients-kept",
        change=change_words(float(changes[Gradients.RUNS.index("plain")])),
        grows="yes" if growth > 1 else "no",
        growth=change_words(growth) if growth > 1 else "",
    )
    return f"{sentence}  \n:gray[:small[{kept}]]"


def _encoder_spared(gradients: Gradients) -> str:
    """Return why gradients vanish in the decoder alone; empty if they do not."""
    facts = gradient_facts(gradients, VANISHED)
    if facts["decoder"] == 0 or facts["encoder"] > 0:
        return ""
    cut_share, both_share = encoder_shares(gradients)
    # NaN: no encoder, or nothing that can be told from rounding.
    if not np.isfinite([cut_share, both_share]).all():
        return ""
    return say("block-gradients-spared", cut=cut_share, both=both_share)
