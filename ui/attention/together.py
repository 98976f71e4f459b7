"""All heads of one kind together: mean, largest, spread, rollout or flow, and what that means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from analysis.aggregate import COMBINATIONS, combine, flow_rows, rollout
from analysis.transform import Groups, Regrouped, regroup
from records import AttentionKind, AttentionMap, AttentionRecord
from ui.blocks import figure_block
from ui.choice import choice
from ui.shared import cached
from ui.state import Run
from ui.words import page_text, say
from viz.export import attention_table
from viz.heatmap import attention_heatmap
from viz.overview import KIND_TITLES

from .scene import Scene

HOW = ("mean", "max", "spread", "rollout", "flow")
_WHAT_IS_SHOWN = {
    "mean": "mean weight",
    "max": "largest weight",
    "spread": "standard deviation",
    "rollout": "rollout",
    "flow": "maximum flow",
}
ALL_LAYERS = "all"
# Flows are worked out one pair at a time, and 30 by 30 take about a third of a second.
MOST_TOKENS_FOR_ALL_FLOWS = 30


@dataclass(frozen=True, eq=False)
class Together:
    """One aggregate as shown and what there is to say about it.

    Attributes
    ----------
    attention : map of shape (1, 1, rows shown, columns shown).
    row_tokens : the tokens that name its rows.
    rows : where each of its rows stands in the map on screen, from 0.
    locked : its locked rows, as positions of `attention`.
    told : what was aggregated, in Markdown.
    """

    attention: AttentionMap
    row_tokens: tuple[str, ...]
    rows: tuple[int, ...]
    locked: tuple[int, ...]
    told: str


def show(scene: Scene) -> None:
    how, layer = _controls(scene.raw)
    together = work_out(scene, how, layer)
    matrix = attention_heatmap(
        together.attention,
        0,
        0,
        row_tokens=together.row_tokens,
        locked_rows=together.locked,
        locked_columns=scene.columns,
        contrast=scene.contrast,
        colour_title=_WHAT_IS_SHOWN[how],
        dark=scene.dark,
    )
    n_rows, n_columns = together.attention.weights.shape[2:]
    st.markdown(together.told)
    which = name = say(f"attention-together-{how}")
    if layer is not None:
        which += f" of layer {layer + 1}"
    figure_block(
        matrix,
        key=f"{scene.kind}_together",
        alt=f"{name} over the heads of {KIND_TITLES[scene.kind]}: {n_rows} query rows by "
        f"{n_columns} key columns.",
        name=f"{scene.kind} {which}: {scene.run.translation.src.text}",
        numbers=lambda: table_of(together, _WHAT_IS_SHOWN[how]),
    )


def table_of(together: Together, what: str) -> pd.DataFrame:
    """One line a cell, as `attention_table`, the column of the numbers named `what`."""
    table = attention_table(together.attention, row_tokens=together.row_tokens)
    table["query_position"] = [together.rows[place - 1] + 1 for place in table["query_position"]]
    return table.drop(columns=["layer", "head"]).rename(columns={"weight": what})


def work_out(scene: Scene, how: str, layer: int | None) -> Together:
    """The aggregate `how` for what is on screen; `layer` (from 0) only matters to `COMBINATIONS`.

    Mean, largest and spread are taken over the weights as shown, after words are merged; rollout
    and flow follow the pieces the model works with, and are merged at the end.
    """
    record, kind = scene.run.translation.attention, scene.kind
    shown, locked, row_tokens = scene.shown, scene.rows, scene.row_tokens
    rows = tuple(range(len(shown.query_groups)))
    if how in COMBINATIONS:
        attention = combine(shown.attention, how, layer)
        words = page_text(f"together_{how}").format(heads=_heads(scene.raw, layer, kind))
    elif how == "rollout":
        rolled = rollout(record, kind)
        attention = regroup(
            rolled.attention,
            query_groups=shown.query_groups,
            key_groups=shown.key_groups,
            special=shown.special,
        ).attention
        share = None if rolled.prefix_share is None else float(rolled.prefix_share.mean())
        words = _rollout_words(record, kind, share)
    else:
        whole = max(scene.raw.weights.shape[2:]) <= MOST_TOKENS_FOR_ALL_FLOWS
        if not whole:
            rows = (locked[0] if locked else rows[-1],)
            row_tokens, locked = (row_tokens[rows[0]],), (0,)
        attention = _flow_shown(scene, rows)
        words = _flow_words(record, kind)
        if not whole:
            words += (
                " In a sentence of this length only one row is worked out: the chosen one, or else "
                "the last."
            )
        locked = locked or (len(rows) - 1,)
    told = " ".join((words.strip(), _sums_told(attention), _shown_told(shown, how)))
    return Together(attention, row_tokens, rows, locked, told.strip())


def _controls(raw: AttentionMap) -> tuple[str, int | None]:
    """The aggregate, and the layer from 0 (None for all)."""
    layers = [ALL_LAYERS, *(str(n + 1) for n in range(raw.n_layers))]
    if st.session_state.get("together_layer", ALL_LAYERS) not in layers:
        del st.session_state["together_layer"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = choice("together", HOW, words="attention-together")
        if how not in COMBINATIONS:
            return how, None
        layer = st.selectbox(
            "Layers",
            layers,
            key="together_layer",
            bind="query-params",
            filter_mode=None,
            width=110,
        )
    return how, None if layer == ALL_LAYERS else int(layer) - 1


@cached("identity")
def _flows(run: Run, kind: AttentionKind, rows: tuple[int, ...], key_groups: Groups) -> np.ndarray:
    return flow_rows(run.translation.attention, kind, rows, key_groups)


def _flow_shown(scene: Scene, rows: tuple[int, ...]) -> AttentionMap:
    """Flow for rows as shown: the mean over the pieces of a row, a column's pieces together."""
    shown, raw = scene.shown.attention, scene.raw
    pieces = tuple(sorted({piece for row in rows for piece in scene.shown.query_groups[row]}))
    flows = _flows(scene.run, scene.kind, pieces, scene.shown.key_groups)
    weights = np.stack(
        [
            flows[[pieces.index(piece) for piece in scene.shown.query_groups[row]]].mean(axis=0)
            for row in rows
        ]
    )
    output = shown.output_tokens
    return AttentionMap(
        site=raw.site,
        weights=weights[None, None],
        query_tokens=tuple(shown.query_tokens[row] for row in rows),
        key_tokens=shown.key_tokens,
        output_tokens=None if output is None else tuple(output[row] for row in rows),
        mask=None if shown.mask is None else shown.mask[list(rows)],
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _all(number: int, thing: str) -> str:
    return f"the only {thing}" if number == 1 else f"all {number} {thing}s"


def _heads(raw: AttentionMap, layer: int | None, kind: AttentionKind) -> str:
    if layer is None:
        heads = _all(raw.n_layers * raw.n_heads, "head")
        each = f"{_count(raw.n_layers, 'layer')} of {_count(raw.n_heads, 'head')}"
        return f"{heads} of {KIND_TITLES[kind]} ({each})"
    return f"{_all(raw.n_heads, 'head')} of layer {layer + 1} of {KIND_TITLES[kind]}"


def _layer_counts(record: AttentionRecord) -> dict[str, str]:
    return {
        "decoder_layers": f"{_all(record.decoder.n_layers, 'layer')} of the decoder",
        "encoder_layers": _all(record.encoder.n_layers, "layer"),
    }


def _rollout_words(record: AttentionRecord, kind: AttentionKind, share: float | None) -> str:
    attention = record.of(kind)
    heads = _all(attention.n_heads, "head")
    if kind == "cross":
        return page_text("together_rollout_cross").format(
            heads=heads,
            source=f"{1 - share:.2f}",
            prefix=f"{share:.2f}",
            **_layer_counts(record),
        )
    words = page_text("together_rollout_self").format(
        heads=heads, layers=_all(attention.n_layers, "layer"), title=KIND_TITLES[kind]
    )
    return words + page_text("together_rollout_decoder") if kind == "decoder" else words


def _flow_words(record: AttentionRecord, kind: AttentionKind) -> str:
    attention = record.of(kind)
    network = f"{_all(attention.n_layers, 'layer')} of {KIND_TITLES[kind]}"
    if kind == "cross":
        network = page_text("together_flow_cross").strip().format(**_layer_counts(record))
    heads = _all(attention.n_heads, "head")
    return page_text("together_flow").format(heads=heads, network=network)


def _sums_told(attention: AttentionMap) -> str:
    """Whether rows sum to one, as measured on what is drawn."""
    sums = attention.weights.sum(axis=-1, dtype=np.float64)
    if np.abs(sums - 1.0).max() < 1e-3:
        return "Rows sum to one."
    low, high = f"{sums.min():.2f}", f"{sums.max():.2f}"
    found = f"to {low}" if low == high else f"to between {low} and {high}"
    return f"Rows do *not* sum to one here, but {found}."


def _shown_told(shown: Regrouped, how: str) -> str:
    """What was done to words and special tokens before or after."""
    parts = []
    merged = any(len(group) > 1 for group in (*shown.query_groups, *shown.key_groups))
    if merged and how in COMBINATIONS:
        parts.append("Pieces were merged into words before the heads were put together.")
    elif merged and how == "rollout":
        parts.append("Pieces were merged into words at the end: columns summed, rows averaged.")
    elif merged:
        parts.append("The pieces of a column's word share one flow; those of a row are averaged.")
    if shown.special == "hide":
        parts.append("Special tokens are left out and the rest is as it was.")
    elif shown.special == "renormalise" and how == "flow":
        parts.append("Special tokens are left out; flow is not re-normalised.")
    elif shown.special == "renormalise" and how in COMBINATIONS:
        parts.append(
            "Special tokens are left out, and each head's rows were divided by what is left first."
        )
    elif shown.special == "renormalise":
        parts.append("Special tokens are left out, and rows are divided by what is left of them.")
    return " ".join(parts)
