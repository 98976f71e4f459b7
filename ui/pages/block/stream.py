"""Residual stream at one token, with the addition of each sub-layer; gates of a recurrence."""

from __future__ import annotations

import numpy as np

from core.block import recurrence_map, stream_turns
from core.records.tokens import token_label
from model.experiments.block import gates_of
from ui.frame.messages import plain, say
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count
from ui.kit.layout import finding, paragraph, subtitle
from viz.block import stream_arrows, sublayer_name
from viz.heatmap import HeatmapOptions, attention_heatmap

from .scene import BlockScene, chosen_sublayer, chosen_token, make_scene, show_formulas, stream_of

RECURRENCE = (  # Kim et al. 2019, section 3.1
    r"f_t = \sigma(x_t W_f + b_f),\quad c_t = f_t \odot c_{t-1} + (1 - f_t) \odot x_t W,\quad "
    r"\mathrm{Sublayer}(x)_t = \mathrm{ReLU}(c_t)"
)


def show(run: Run) -> None:
    """Draw the residual stream at one token: what every sub-layer adds to it."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    rows, index = chosen_sublayer(scene, stream)
    turns = stream_turns(rows)
    chosen = turns.loc[index]
    finding(
        "block-stream-found",
        sublayer=sublayer_name(stream.places[index]),
        token=chosen_token(run, scene),
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
    gates = ask(run.translator, gates_of, run.src, run.tgt) if sublayer.name == "recurrence" else ()
    if gates:  # a model of somebody else may call anything a recurrence
        _gates(run, scene, sublayer.layer, gates[sublayer.layer])
        show_formulas(stream, RECURRENCE)
    else:
        show_formulas(stream)


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
