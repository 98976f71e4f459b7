"""All heads of a site combined: mean, maximum, spread, rollout or flow.

Rollout and flow follow Abnar and Zuidema (2020).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.aggregate import COMBINATIONS, can_roll, combine, flow_rows, rollout
from core.attention import AttentionMap
from core.files import attention_table
from core.tokens import distinct_labels
from core.transform import Groups, regroup
from ui.kit.blocks import picture
from ui.kit.controls import choice
from ui.kit.layout import finding, folded
from ui.shared import cached
from ui.state import Run
from ui.words import page_text, plain, say, site_name
from viz.heatmap import attention_heatmap
from words.numbers import fixed

from .scene import Scene

# Rollout and flow come last, because not every model and measure offers them.
HOW = ("mean", "max", "spread", "rollout", "flow")
ALL_LAYERS = "all"
HIGHEST = 236  # pixels of the cells, so that the whole matrix fits the screen
# Flows are computed pair by pair; 30 by 30 take about a third of a second.
MOST_TOKENS_FOR_ALL_FLOWS = 30


@dataclass(frozen=True, eq=False)
class Together:
    """An aggregate as shown, and its explanation."""

    attention: AttentionMap  # shape (1, 1, rows shown, columns shown)
    row_tokens: tuple[str, ...]
    rows: tuple[int, ...]  # index of each row in the map on screen
    locked: tuple[int, ...]  # positions of `attention`
    told: str  # explanation of the aggregate, as Markdown


def show(scene: Scene) -> None:
    place = st.container()
    how, layer = _controls(scene)
    what = say(f"attention-what-{how}", measure=scene.raw.measure)
    together = work_out(scene, how, layer)
    attention = together.attention
    matrix = attention_heatmap(
        attention,
        0,
        0,
        row_tokens=together.row_tokens,
        locked_rows=together.locked,
        locked_columns=scene.columns,
        contrast=scene.display.contrast,
        colour_title=what,
        highest=HIGHEST,
    )
    finding(f"**{what}**: {_largest(together)}")
    weights = scene.raw.measure == "weight"
    which = name = say(f"attention-together-{how}") if weights else what
    if layer is not None:
        which = say("attention-together-of-layer", how=name, layer=layer + 1)
    n_rows, n_columns = attention.weights.shape[2:]
    with place:
        picture(
            "attention-together",
            matrix,
            key=f"{scene.kind}_together",
            numbers=lambda: table_of(together, what),
            how=name,
            site=site_name(scene.kind, "attention"),
            n_rows=n_rows,
            n_columns=n_columns,
            short=site_name(scene.kind, "short"),
            which=which,
            text=scene.run.record.src.text,
        )
    with folded("reading"):
        st.markdown(together.told)


def _largest(together: Together) -> str:
    weights = together.attention.weights[0, 0]
    row = together.locked[0] if together.locked else int(weights.max(axis=-1).argmax())
    key = int(weights[row].argmax())
    tokens = distinct_labels(together.row_tokens), distinct_labels(together.attention.key_tokens)
    named = {"row": plain(tokens[0][row]), "key": plain(tokens[1][key])}
    return say("attention-together-largest", **named, value=weights[row, key])


def table_of(together: Together, what: str) -> pd.DataFrame:
    """Return one line per cell, as `attention_table`, with the values in a column named `what`."""
    table = attention_table(together.attention, row_tokens=together.row_tokens)
    # attention_table counts the rows that are shown; the file counts those of the sentence.
    table["query_position"] = [together.rows[place - 1] + 1 for place in table["query_position"]]
    return table.drop(columns=["layer", "head"]).rename(columns={together.attention.measure: what})


def work_out(scene: Scene, how: str, layer: int | None) -> Together:
    """Return the aggregate `how` of the scene; `layer` (from 0) only matters to `COMBINATIONS`.

    Mean, maximum and spread use the weights as shown, after words are merged. Rollout and flow
    follow the model's own tokens and are merged at the end.
    """
    shown, locked, row_tokens = scene.shown, scene.rows, scene.row_tokens
    rows, share, whole = tuple(range(len(shown.query_groups))), 0.0, True
    if how in COMBINATIONS:
        attention = combine(shown.attention, how, layer)
    elif how == "rollout":
        rolled = rollout(scene.run.record, scene.kind)
        attention = regroup(
            rolled.attention,
            query_groups=shown.query_groups,
            key_groups=shown.key_groups,
            special=shown.special,
        ).attention
        share = 0.0 if rolled.prefix_share is None else float(rolled.prefix_share.mean())
    else:
        # A long text gets the flow of one row, because each pair of tokens is a problem of its own.
        whole = max(scene.raw.weights.shape[2:]) <= MOST_TOKENS_FOR_ALL_FLOWS
        if not whole:
            rows = (locked[0] if locked else rows[-1],)
            row_tokens, locked = (row_tokens[rows[0]],), (0,)
        attention = _flow_shown(scene, rows)
        # Without a choice the last row is the one explained.
        locked = locked or (len(rows) - 1,)
    told = [_explained(scene, how, layer, share).strip()]
    if not whole:
        told.append(say("attention-flow-one-row"))
    # float64: the sums are compared with one.
    sums = attention.weights.sum(axis=-1, dtype=np.float64)  # as drawn
    low, high = fixed(sums.min()), fixed(sums.max())
    # Rows that lost special tokens no longer sum to one, and the text says so.
    is_one = np.abs(sums - 1.0).max() < 1e-3
    which = "one" if is_one else "other" if low == high else "between"
    told.append(say(f"attention-sums-{which}", low=low, high=high))
    way = "combined" if how in COMBINATIONS else how
    if shown.merged:
        told.append(say(f"attention-merged-{way}"))
    hidden = {"hide": "attention-left-out", "renormalise": f"attention-renormalised-{way}"}
    if shown.special in hidden:
        told.append(say(hidden[shown.special]))
    return Together(attention, row_tokens, rows, locked, " ".join(told))


def _controls(scene: Scene) -> tuple[str, int | None]:
    rolls = "rollout" in scene.run.capabilities and can_roll(scene.run.record, scene.kind)
    offered = HOW if rolls and scene.raw.measure == "weight" else COMBINATIONS
    with st.container(horizontal=True, vertical_alignment="center"):
        how = choice("together", offered, words="attention-together", title=False)
        if how not in COMBINATIONS:
            return how, None
        layers = (ALL_LAYERS, *(str(n + 1) for n in range(scene.raw.n_layers)))
        layer = choice(
            "together_layer",
            layers,
            words="layers",
            style="select",
            text=lambda layer: say("every") if layer == ALL_LAYERS else layer,
            width=110,
        )
    return how, None if layer == ALL_LAYERS else int(layer) - 1


@cached("identity")
def _flows(run: Run, kind: str, rows: tuple[int, ...], key_groups: Groups) -> np.ndarray:
    return flow_rows(run.record, kind, rows, key_groups)


def _flow_shown(scene: Scene, rows: tuple[int, ...]) -> AttentionMap:
    shown, raw = scene.shown.attention, scene.raw
    pieces = tuple(sorted({piece for row in rows for piece in scene.shown.query_groups[row]}))
    flows = _flows(scene.run, scene.kind, pieces, scene.shown.key_groups)
    weights = np.stack(
        # Pieces of a merged row are averaged, so that its sum stays that of one row.
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


def _explained(scene: Scene, how: str, layer: int | None, prefix_share: float) -> str:
    raw, sites = scene.raw, scene.run.record.sites
    site, title = raw.site, site_name(raw.kind, "attention")
    n_layers = {each.query: each.n_layers for each in sites if each.is_self}
    places = {
        "title": title,
        "heads": say("attention-heads", n=raw.n_heads),
        "layers": say("attention-layers", n=raw.n_layers),
        "decoder_layers": say("attention-layers-of-target", n=n_layers.get(site.query, 0)),
        "encoder_layers": say("attention-layers", n=n_layers.get(site.key, 0)),
        "network": say("attention-layers-of-site", n=raw.n_layers, site=title),
        "source": 1 - prefix_share,
        "prefix": prefix_share,
    }
    if how in COMBINATIONS and layer is not None:
        one = {"layer": layer + 1, "site": title}
        places["heads"] = say("attention-heads-of-layer", n=raw.n_heads, **one)
    elif how in COMBINATIONS:
        counts = {"n_layers": raw.n_layers, "n_heads": raw.n_heads, "site": title}
        n = raw.n_layers * raw.n_heads
        places["heads"] = say("attention-heads-of-site", n=n, **counts)
    if not site.is_self:
        places["network"] = page_text("together_flow_cross").strip().format(**places)
    side = f"_{'self' if site.is_self else 'cross'}" if how == "rollout" else ""
    words = page_text(f"together_{how}{side}").format(**places)
    looks_elsewhere = any(each.query == site.query and not each.is_self for each in sites)
    if how == "rollout" and site.is_self and looks_elsewhere:
        words += page_text("together_rollout_decoder")
    return words
