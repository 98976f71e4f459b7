"""Choices that the views of a block share: stack, token, sub-layer, and its formulas."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.block import stream_table
from core.records.sublayers import Stream
from core.records.tokens import numbered_labels, token_labels
from model.experiments.block import streams_of
from ui.frame.messages import token_text
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.clicks import take_click
from ui.kit.controls import menu, place_menu
from ui.kit.layout import caption, controls, folded
from viz.block import sublayer_name

STACKS = ("encoder", "decoder")
# Residual connection with the norm after the addition (False) or before the sub-layer (True).
ADDING = {
    False: r"x \;\leftarrow\; \mathrm{LayerNorm}\big(x + \mathrm{Sublayer}(x)\big)",
    True: r"x \;\leftarrow\; x + \mathrm{Sublayer}\big(\mathrm{LayerNorm}(x)\big)",
}


@dataclass(frozen=True, eq=False)
class BlockScene:
    """Stack and token that the reader has chosen."""

    stack: str  # one of `STACKS`
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
    """Return the residual stream of a stack, computed once a run."""
    return ask(run.translator, streams_of, run.src, run.tgt)[STACKS.index(stack)]


def chosen_token(run: Run, scene: BlockScene) -> str:
    """Return the chosen token as a sentence writes it."""
    side = "source" if scene.stack == "encoder" else "target"
    return run.spoken(side, token_text(scene.tokens[scene.position]))


def chosen_sublayer(scene: BlockScene, stream: Stream) -> tuple[pd.DataFrame, int]:
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


def show_formulas(stream: Stream, *formulas: str) -> None:
    """Draw the residual connection and further `formulas`, folded."""
    adding = ADDING[stream.pre_norm].replace("LayerNorm", "RMSNorm" if stream.rms else "LayerNorm")
    with folded("reading"):
        for formula in (adding, *formulas):
            st.latex(formula)
        caption("block-order", order="pre" if stream.pre_norm else "post")
