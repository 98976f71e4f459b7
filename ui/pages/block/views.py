"""Views of one block: its sub-layers, norms, states through the logit lens, and gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.block import (
    Gradients,
    Stream,
    encoder_shares,
    gradient_facts,
    lens_facts,
    lens_rows,
    moments_table,
    moved_by_others,
    norm_stages,
    recurrence_map,
    stream_table,
    stream_turns,
)
from core.records.tokens import numbered_labels, token_label, token_labels
from model.experiments.block import (
    gates_of,
    gradients_of,
    lens_of,
    streams_of,
)
from ui.frame.messages import plain, say, token_text
from ui.frame.state import Run
from ui.kit.blocks import picture, table
from ui.kit.clicks import click_count, take_click
from ui.kit.controls import menu, place_menu
from ui.kit.layout import caption, controls, finding, folded, paragraph, subtitle
from viz.block import (
    alike_lines,
    gradient_lines,
    lens_grid,
    norm_matrices,
    norm_strips,
    state_names,
    stream_arrows,
    sublayer_name,
)
from viz.heatmap import HeatmapOptions, attention_heatmap

STACKS = ("encoder", "decoder")
ADDING = {
    False: r"x \;\leftarrow\; \mathrm{LayerNorm}\big(x + \mathrm{Sublayer}(x)\big)",
    True: r"x \;\leftarrow\; x + \mathrm{Sublayer}\big(\mathrm{LayerNorm}(x)\big)",
}
NORMS = {
    False: r"\mathrm{LayerNorm}(z)_i = g_i\,\frac{z_i-\mu}{\sqrt{\sigma^2+\epsilon}} + b_i,\quad "
    r"\mu = \frac1d\sum_i z_i,\quad \sigma^2 = \frac1d\sum_i (z_i-\mu)^2",
    True: r"\mathrm{RMSNorm}(z)_i = g_i\,\frac{z_i}{\sqrt{\frac1d\sum_j z_j^2+\epsilon}}",
}
RECURRENCE = (  # Kim et al. 2019, section 3.1
    r"f_t = \sigma(x_t W_f + b_f),\quad c_t = f_t \odot c_{t-1} + (1 - f_t) \odot x_t W,\quad "
    r"\mathrm{Sublayer}(x)_t = \mathrm{ReLU}(c_t)"
)
MOST_ROWS = 40  # rows of the batch in the picture
SEED = 0  # of the randomly initialised weights
VANISHED = 1e-3  # ratio to the gradient with residual connections below which it counts as vanished


@dataclass(frozen=True, eq=False)
class BlockScene:
    stack: str
    tokens: tuple[str, ...]  # input of the encoder, or output of the decoder
    read: tuple[str, ...]  # input tokens at these positions
    labels: tuple[str, ...]  # labels of the menu; for the decoder both input and output
    position: int

    @property
    def label(self) -> str:
        return self.labels[self.position]


def make_scene(
    run: Run, *, token: bool = True, stacks: tuple[str, ...] = STACKS, width: int = 112
) -> BlockScene:
    """Draw the menus for stack and token; without `token` the first position is chosen."""
    with controls():
        stack = stacks[0]
        if len(stacks) > 1:
            stack = menu("block_stack", stacks, words="block-stack", width=104)
        if stack == "encoder":
            side = run.src
            read = side.tokens
            labels = numbered_labels(side.tokens)
            pronoun = run.example.pronoun if run.example else ""
        else:
            side = run.tgt
            read = run.record.target_read
            pairs = zip(token_labels(read), token_labels(side.tokens), strict=True)
            labels = [f"{i} · {first} → {second}" for i, (first, second) in enumerate(pairs, 1)]
            pronoun = ""
        position = 0
        if token:
            # Initially the pronoun, else the longest token, which is rarely a function word.
            lengths = list(map(len, side.tokens))
            first = side.pieces_of(pronoun) if pronoun else ()
            position = place_menu(
                f"block_{stack}_token",
                labels,
                words="block-token",
                default=first[0] if first else lengths.index(max(lengths)),
                width=width,
                title=False,
            )
    return BlockScene(stack, side.tokens, read, tuple(labels), position)


def stream_of(run: Run, stack: str) -> Stream:
    return run.ask(streams_of, run.src, run.tgt)[STACKS.index(stack)]


def _spoken(run: Run, scene: BlockScene) -> str:
    """Return the chosen token as a sentence writes it."""
    side = "source" if scene.stack == "encoder" else "target"
    return run.spoken(side, token_text(scene.tokens[scene.position]))


# -- sub-layers ----------------------------------------------------------------------------


def show_stream(run: Run) -> None:
    """Draw the residual stream at one token: what every sub-layer adds to it."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    rows, index = _sublayer(scene, stream)
    turns = stream_turns(rows)
    chosen = turns.loc[index]
    finding(
        "block-stream-found",
        sublayer=sublayer_name(stream.places[index]),
        token=_spoken(run, scene),
        most=bool(index == rows["added"].idxmax()),
        ratio=chosen["added"] / chosen["before"] if chosen["before"] else 0.0,
        turn=chosen["turn"],
    )
    picture(
        "block-stream",
        stream_arrows(
            turns,
            stream.places,
            chosen=index,
            pre_norm=stream.pre_norm,
            click=click_count("block_stream"),
        ),
        key="block_stream",
        clicks=True,
        numbers=lambda: turns.assign(place=[sublayer.code for sublayer in stream.places]),
        token=scene.label,
        n=len(rows),
    )
    sublayer = stream.places[index]
    gates = run.ask(gates_of, run.src, run.tgt) if sublayer.name == "recurrence" else ()
    if gates:  # a model of somebody else may call anything a recurrence
        _gates(run, scene, sublayer.layer, gates[sublayer.layer])
        _formulas(stream, RECURRENCE)
    else:
        _formulas(stream)


def _gates(run: Run, scene: BlockScene, layer: int, kept: np.ndarray) -> None:
    """Draw how far back a recurrent layer looks; `kept` (T, d_model) are its forget gates."""
    at = scene.position
    left = recurrence_map(kept, scene.read)
    token = plain(token_label(scene.read[at]))
    row = left.weights[0, 0, at]
    subtitle("block-gates", layer=layer + 1)
    paragraph(
        "block-gates-told",
        layer=layer + 1,
        token=token,
        kept=kept[at].mean(),
        own=row[at],
        before=row.sum() - row[at],
    )
    picture(
        "block-gates",
        attention_heatmap(
            left,
            0,
            0,
            locked_rows=(at,),
            options=HeatmapOptions(
                title=say("block-gates-left"),
                highest=420,
                query="block-gates-row",
                key="block-gates-column",
            ),
        ),
        key="block_gates",
        numbers="cells",
        text=run.record.src.text,
        layer=layer + 1,
        token=token,
    )


def show_norm(run: Run) -> None:
    """Draw one position before and after its layer norm, beside a batch norm of it."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    _, index = _sublayer(scene, stream)
    stages = norm_stages(stream, index, scene.position)
    moments = moments_table(stages)
    norm = _norm_name(stream)
    # An RMSNorm divides by the root of variance + mean²; a LayerNorm centres first. The roots are
    # told, as the band of the picture is that of the standard deviation.
    squared = moments["variance"] + stream.rms * moments["mean"] ** 2
    finding(
        "block-norm-found",
        sublayer=sublayer_name(stream.places[index]),
        token=plain(scene.label),
        given=squared[0] ** 0.5,
        scaled=squared[2] ** 0.5,
        kind=norm,
    )
    picture(
        "block-norm",
        norm_strips(stages),
        key="block_norm_strips",
        numbers=lambda: pd.DataFrame(stages),
        token=scene.label,
        kind=norm,
    )
    moments["stage"] = [say(f"block-stage-{stage}") for stage in stages]
    formats = dict.fromkeys(moments.columns[1:], "%.2f")
    gains = stream.gains[index]
    eps = f"{stream.eps:g}"
    # The picture shows the same as the table, without its digits.
    with folded("reading"):
        table("block-moments", moments, formats=formats)
        paragraph("block-norm-told", low=gains.min(), high=gains.max(), eps=eps, kind=norm)
    _beside_batch_norm(scene, stream.norm_inputs[index], stream)
    _formulas(stream, NORMS[stream.rms])


def _norm_name(stream: Stream) -> str:
    return "rms" if stream.rms else "layer"


def _sublayer(scene: BlockScene, stream: Stream) -> tuple[pd.DataFrame, int]:
    """Draw the menu of sub-layers; return the stream at the chosen token, and the chosen index."""
    rows = stream_table(stream, scene.position)
    codes = [sublayer.code for sublayer in stream.places]
    key = f"block_{scene.stack}_step"
    take_click(key, range(len(codes)), "block_stream", "place", ["place"])
    with controls():
        index = place_menu(
            key,
            [sublayer_name(sublayer) for sublayer in stream.places],
            words="block-sublayer",
            default=int(rows["added"].idxmax()),
            spell=codes.__getitem__,
            width=190,
            title=False,
        )
    return rows, index


def _formulas(stream: Stream, *formulas: str) -> None:
    adding = ADDING[stream.pre_norm].replace("LayerNorm", "RMSNorm" if stream.rms else "LayerNorm")
    with folded("reading"):
        for formula in (adding, *formulas):
            st.latex(formula)
        caption("block-order", order="pre" if stream.pre_norm else "post")


def _beside_batch_norm(scene: BlockScene, vectors: Any, stream: Stream) -> None:
    """Draw `vectors` (T, d_model) normalised over features, and over tokens as in a batch norm."""
    n = len(vectors)
    norm = _norm_name(stream)
    # The window of rows keeps the chosen token in its middle where it can.
    first = max(0, min(scene.position - MOST_ROWS // 2, n - MOST_ROWS))
    subtitle("block-batch", kind=norm)
    if n > MOST_ROWS:
        caption("block-batch-cut", n=MOST_ROWS, of=n)
    layer, batch = moved_by_others(vectors, stream.eps, scene.position, rms=stream.rms)
    picture(
        "block-batch",
        norm_matrices(
            vectors,
            scene.tokens,
            stream.eps,
            rows=slice(first, first + MOST_ROWS),
            chosen=scene.position - first,
            rms=stream.rms,
        ),
        key="block_norm_matrices",
        numbers="cells",
        leave_out=["shade"],
        token=plain(scene.label),
        n=n,
        layer=layer,
        batch=batch,
        kind=norm,
    )


# -- the logit lens ------------------------------------------------------------------------


def show_lens(run: Run) -> None:
    # The output layer has no word for a source that is read with another vocabulary.
    one = run.translator.tokenizers["source"] is run.translator.tokenizer
    scene = make_scene(run, stacks=STACKS[::-1] if one else STACKS[1:], width=187)
    position = scene.position
    side = run.src if scene.stack == "encoder" else run.tgt
    stream = stream_of(run, scene.stack)
    lens = run.ask(lens_of, stream, side.ids, key=(run.identity, scene.stack))
    states = state_names(lens.places)
    first, rank = lens_facts(lens, position)
    finding(
        "block-lens-found",
        place=states[first] if first < len(states) else "none",
        rank=rank,
        token=_spoken(run, scene),
        stack=scene.stack,
    )
    picture(
        "block-lens",
        lens_grid(lens, scene.tokens, chosen=position),
        key="block_lens",
        numbers="cells",
        leave_out=["ink", "text"],
        stack=scene.stack,
        text=run.record.src.text,
    )
    rows = lens_rows(lens, position)
    rows.insert(0, "after", states)
    subtitle("block-lens-position", token=plain(scene.label))
    table(
        "block-lens-table",
        rows,
        key="block_lens_table",
        words="block-lens",
        formats={"wanted": "%.4f", "rank": "%d"},
        stack=scene.stack,
    )


# -- gradients -----------------------------------------------------------------------------


def show_gradients(run: Run) -> None:
    kinds = ("random", "trained")
    with controls():
        weights = menu("block_weights", kinds, words="block-weights", width=180)
    # A seed means: fresh random weights instead of the trained ones.
    seed = SEED if weights == "random" else None
    gradients = run.ask(gradients_of, run.src, run.tgt, seed=seed, words="block-gradients-working")
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
    full = gradients.sizes[Gradients.RUNS.index("plain")]
    kept = say("block-gradients-kept", share=float(full[0] / full[-1]))
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
