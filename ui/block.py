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
    gradient_facts,
    lens_facts,
    lens_rows,
    moments_table,
    moved_by_others,
    norm_stages,
    recurrence_map,
    stream_table,
)
from core.tokens import numbered_labels, token_label, token_labels
from model.experiments.block import (
    gates_of,
    gradients_of,
    lens_of,
    streams_of,
)
from ui.kit.blocks import picture, table
from ui.kit.controls import click_count, menu, place_menu
from ui.kit.layout import caption, controls, finding, folded, paragraph, settings, subtitle
from ui.state import Run
from ui.words import plain, say, token_text
from viz.block import (
    gradient_lines,
    lens_grid,
    norm_matrices,
    norm_strips,
    state_names,
    stream_bars,
    sublayer_name,
)
from viz.heatmap import attention_heatmap

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
class Scene:
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
) -> Scene:
    """Draw the menus for stack and token; without `token` the first position is chosen."""
    with controls():
        stack = stacks[0]
        if len(stacks) > 1:
            stack = menu("block_stack", stacks, words="block-stack", width=104)
        pronoun, position = "", 0
        if stack == "encoder":
            side, pronoun = run.src, run.example.pronoun if run.example else ""
            read, labels = side.tokens, numbered_labels(side.tokens)
        else:
            side = run.tgt
            read = run.record.target_read
            pairs = zip(token_labels(read), token_labels(side.tokens), strict=True)
            labels = [f"{i} · {first} → {second}" for i, (first, second) in enumerate(pairs, 1)]
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
    return Scene(stack, side.tokens, read, tuple(labels), position)


def stream_of(run: Run, stack: str) -> Stream:
    return run.ask(streams_of, run.src, run.tgt)[STACKS.index(stack)]


# -- sub-layers ----------------------------------------------------------------------------


def show_stream(run: Run) -> None:
    """Draw the residual stream at one token: what every sub-layer adds to it."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    rows, place, here = _sublayer(scene, stream)
    most = bool(place == rows["added"].idxmax())
    norms = {name: rows[name][place] for name in ("before", "added")}
    finding(say("block-stream-found", most=most, n=len(rows), **norms, **here))
    picture(
        "block-stream",
        stream_bars(rows, stream.places, chosen=place, click=click_count("block_stream")),
        key="block_stream",
        clicks=True,
        numbers=lambda: rows.assign(place=[each.code for each in stream.places]),
        token=scene.label,
        n=len(rows),
    )
    is_recurrence = stream.places[place].name == "recurrence"
    gates = run.ask(gates_of, run.src, run.tgt) if is_recurrence else ()
    if gates:  # a model of somebody else may call anything a recurrence
        layer = stream.places[place].layer
        _gates(run, scene, layer, gates[layer])
        _formulas(stream, RECURRENCE)
    else:
        _formulas(stream)


def _gates(run: Run, scene: Scene, layer: int, kept: np.ndarray) -> None:
    """Draw how far back a recurrent layer looks; `kept` (T, d_model) are its forget gates."""
    at = scene.position
    left = recurrence_map(kept, scene.read)
    told = {"layer": layer + 1, "token": plain(token_label(scene.read[at]))}
    own, whole = left.weights[0, 0, at, at], left.weights[0, 0, at].sum()
    subtitle("block-gates", layer=layer + 1)
    paragraph("block-gates-told", kept=kept[at].mean(), own=own, before=whole - own, **told)
    how = {"locked_rows": (at,), "colour_title": say("block-gates-left"), "highest": 420}
    how["axes"] = {"query": "block-gates-row", "key": "block-gates-column"}
    picture(
        "block-gates",
        attention_heatmap(left, 0, 0, **how),
        key="block_gates",
        numbers="cells",
        text=run.record.src.text,
        **told,
    )


def show_norm(run: Run) -> None:
    """Draw one position before and after its layer norm, beside a batch norm of it."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    _, place, here = _sublayer(scene, stream)
    stages = norm_stages(stream, place, scene.position)
    moments = moments_table(stages)
    kind = {"kind": "rms" if stream.rms else "layer"}
    # An RMSNorm divides by the root of variance + mean²; a LayerNorm centres first.
    squared = moments["variance"] + stream.rms * moments["mean"] ** 2
    finding(say("block-norm-found", given=squared[0], scaled=squared[2], **kind, **here))
    strips, numbers = norm_strips(stages), lambda: pd.DataFrame(stages)
    told = {"key": "block_norm_strips", "numbers": numbers, "token": scene.label, **kind}
    picture("block-norm", strips, **told)
    moments["stage"] = [say(f"block-stage-{stage}") for stage in stages]
    formats = dict.fromkeys(moments.columns[1:], "%.4f")
    table("block-moments", moments, key="block_moments", words="block", formats=formats)
    gains = stream.gains[place]
    paragraph("block-norm-told", low=gains.min(), high=gains.max(), eps=f"{stream.eps:g}", **kind)
    _beside_batch_norm(scene, stream.norm_inputs[place], stream)
    _formulas(stream, NORMS[stream.rms])


def _sublayer(scene: Scene, stream: Stream) -> tuple[pd.DataFrame, int, dict[str, str]]:
    rows = stream_table(stream, scene.position)
    most, key = int(rows["added"].idxmax()), f"block_{scene.stack}_step"
    names = [sublayer_name(place) for place in stream.places]
    with settings():
        codes = [each.code for each in stream.places]
        how = {"words": "block-sublayer", "spell": codes.__getitem__}
        how |= {"clicks": [("block_stream", "place", "place")]}
        place = place_menu(key, names, default=most, **how)
    return rows, place, {"sublayer": names[place], "token": plain(scene.label)}


def _formulas(stream: Stream, *formulas: str) -> None:
    adding = ADDING[stream.pre_norm].replace("LayerNorm", "RMSNorm" if stream.rms else "LayerNorm")
    with folded("reading"):
        for formula in (adding, *formulas):
            st.latex(formula)
        caption("block-order", order="pre" if stream.pre_norm else "post")


def _beside_batch_norm(scene: Scene, given: Any, stream: Stream) -> None:
    """Draw `given` (T, d_model) normalised over features, and over tokens as in a batch norm."""
    n, position, eps, rms = len(given), scene.position, stream.eps, stream.rms
    kind = "rms" if rms else "layer"
    # The window of rows keeps the chosen token in its middle where it can.
    first = max(0, min(position - MOST_ROWS // 2, n - MOST_ROWS))
    subtitle("block-batch", kind=kind)
    if n > MOST_ROWS:
        caption("block-batch-cut", n=MOST_ROWS, of=n)
    rows = slice(first, first + MOST_ROWS)
    layer, batch = moved_by_others(given, eps, position, rms=rms)
    picture(
        "block-batch",
        norm_matrices(given, scene.tokens, eps, rows=rows, chosen=position - first, rms=rms),
        key="block_norm_matrices",
        numbers="cells",
        leave_out=["shade"],
        token=plain(scene.label),
        n=n,
        layer=layer,
        batch=batch,
        kind=kind,
    )


# -- the logit lens ------------------------------------------------------------------------


def show_lens(run: Run) -> None:
    # The output layer has no word for a source that is read with another vocabulary.
    one = run.translator.tokenizers["source"] is run.translator.tokenizer
    scene = make_scene(run, stacks=STACKS[::-1] if one else STACKS[1:], width=187)
    here, side = scene.position, run.src if scene.stack == "encoder" else run.tgt
    stream = stream_of(run, scene.stack)
    lens = run.ask(lens_of, stream, side.ids, key=(run.identity, scene.stack))
    figure, places = lens_grid(lens, scene.tokens, chosen=here), state_names(lens.places)
    first, rank = lens_facts(lens, here)
    place = places[first] if first < len(places) else "none"
    token = run.spoken(
        "source" if scene.stack == "encoder" else "target", token_text(scene.tokens[here])
    )
    told: dict[str, Any] = {"token": token, "stack": scene.stack}
    finding(say("block-lens-found", place=place, rank=rank, **told))
    picture(
        "block-lens",
        figure,
        key="block_lens",
        numbers="cells",
        leave_out=["ink", "text"],
        stack=scene.stack,
        text=run.record.src.text,
    )
    rows = lens_rows(lens, here)
    rows.insert(0, "after", places)
    subtitle("block-lens-position", token=plain(scene.label))
    how = {"words": "block-lens", "formats": {"wanted": "%.4f", "rank": "%d"}}
    table("block-lens-table", rows, key="block_lens_table", stack=scene.stack, **how)


# -- gradients -----------------------------------------------------------------------------


def show_gradients(run: Run) -> None:
    kinds = ("random", "trained")
    with controls():
        weights = menu("block_weights", kinds, words="block-weights", width=180)
    seed, words = SEED if weights == "random" else None, "block-gradients-working"
    # A seed means: fresh random weights instead of the trained ones.
    found = run.ask(gradients_of, run.src, run.tgt, seed=seed, words=words)
    figure = gradient_lines(found)
    loss, cut_loss = (found.losses[Gradients.RUNS.index(r)] for r in ("plain", "residual"))
    facts = {"weights": weights, "vanished": VANISHED, **gradient_facts(found, VANISHED)}
    finding(say("block-gradients-found", **facts))
    picture(
        "block-gradients",
        figure,
        key="block_gradients",
        numbers="lines",
        text=run.record.src.text,
        n=len(run.tgt),
        loss=loss,
        cut_loss=cut_loss,
    )
    with folded("reading"):
        paragraph("block-gradients-way", order="pre" if found.pre_norm else "post")
