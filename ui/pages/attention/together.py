"""All heads of a site combined: mean, maximum, spread, rollout or flow.

Rollout and flow follow Abnar and Zuidema (2020).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from core.files import attention_table
from core.records.attention import AttentionMap
from core.records.tokens import distinct_labels
from core.weights.aggregate import COMBINATIONS, can_roll, combine, flow_rows, rollout
from core.weights.groups import Groups
from core.weights.row_heads import RowOfHeads, row_of_heads
from core.weights.transform import Regrouped, cut_out, regroup
from ui.frame.choices import choose
from ui.frame.messages import page_text, plain, say, site_name
from ui.frame.model_cache import cached
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count, clicked
from ui.kit.controls import choice, place_menu
from ui.kit.focus import choose_in_map, open_head
from ui.kit.layout import bar, explain, finding, folded
from ui.pages.attention.scene import head_menu_of
from viz.figure import Figure
from viz.together import SELECTION_NAME, heads_together
from words.numbers import fixed

from .scene import AttentionScene
from .window import windowed

# Rollout and flow come last, because not every model and measure offers them.
METHODS = ("mean", "max", "spread", "rollout", "flow")
ALL_LAYERS = "all"
# Flows are computed pair by pair; 30 by 30 take about a third of a second.
MOST_TOKENS_FOR_ALL_FLOWS = 30
# The flow of one row to each token of a longer text takes minutes.
MOST_TOKENS_FOR_FLOW = 160


@dataclass(frozen=True, eq=False)
class Together:
    """An aggregate as shown, and its explanation."""

    attention: AttentionMap  # shape (1, 1, rows shown, columns shown)
    row_tokens: tuple[str, ...]
    rows: tuple[int, ...]  # index of each row in the map on screen
    locked: tuple[int, ...]  # positions of `attention`
    explanation: str  # of the aggregate, as Markdown
    start: tuple[int, int] = (0, 0)  # first row and column of the map on screen in the whole text


def show(scene: AttentionScene) -> None:
    _take_click(scene)
    scene = scene.refreshed()
    bar_of_view = bar("together")
    with bar_of_view:
        method, layer = _controls(scene)
        head_menu_of(scene)
    scene = windowed(scene)
    together = work_out(scene, method, layer)
    at = _headline_row(together)
    with bar_of_view:
        _row_menu(scene, together.rows[at])
    # The menu may have framed another row.
    scene = scene.refreshed()
    heads = row_of_heads(scene.attention, together.rows[at], layer)
    agreement = agreement_words(scene, together, heads, at, method)
    finding(f"**{_quantity(scene, method)}**: {_largest(together, at)} {agreement}")
    _draw_aggregate(scene, together, heads, at, method, layer)
    with folded("reading"):
        explain(together.explanation)


def _quantity(scene: AttentionScene, method: str) -> str:
    """Return the name of the numbers that `method` makes of the measure on screen."""
    return say(f"attention-what-{method}", measure=scene.raw.measure)


def _draw_aggregate(
    scene: AttentionScene,
    together: Together,
    heads: RowOfHeads,
    at: int,
    method: str,
    layer: int | None,
) -> None:
    """Draw the aggregate with its texts and files, its row `at` framed and given in every head."""
    quantity = _quantity(scene, method)
    name = say(f"attention-together-{method}") if scene.raw.measure == "weight" else quantity
    aggregate = name
    if layer is not None:
        aggregate = say("attention-together-of-layer", how=name, layer=layer + 1)
    n_rows, n_columns = together.attention.weights.shape[2:]
    picture(
        "attention-together",
        _aggregate_figure(scene, together, heads, at, method),
        key=_key(scene),
        clicks=True,
        numbers=lambda: table_of(together, quantity),
        how=name,
        site=site_name(scene.site_id, "attention"),
        n_rows=n_rows,
        n_columns=n_columns,
        n_heads=len(heads),
        row=plain(distinct_labels(together.row_tokens)[at]),
        short=site_name(scene.site_id, "short"),
        which=aggregate,
        text=scene.run.record.src.text,
    )


def _aggregate_figure(
    scene: AttentionScene, together: Together, heads: RowOfHeads, at: int, method: str
) -> Figure:
    """Return the figure of `_draw_aggregate`; the head that the headline names is labelled."""
    row = together.attention.weights[0, 0, at]
    named = headline_head(heads, row, method)
    return heads_together(
        together.attention,
        heads,
        at,
        row_tokens=together.row_tokens,
        titles=(_quantity(scene, method), say(f"figures-{scene.raw.measure}")),
        # The key of the headline, not the selected one: another may have the largest value.
        locked=((at,), (int(row.argmax()),)),
        opened=scene.focus.place,
        headline=heads.places[named] if named >= 0 else None,
        contrast=scene.display.contrast,
        sums=scene.display.sums,
        click=click_count(_key(scene)),
    )


def _key(scene: AttentionScene) -> str:
    """Return the key of the figure, one for each site."""
    return f"{scene.site_id}_together"


def _take_click(scene: AttentionScene) -> None:
    """Open the head whose row was clicked."""
    head = clicked(_key(scene), SELECTION_NAME)
    if {"layer", "head"} <= head.keys():
        open_head(scene.site_id, head["layer"], head["head"])


def _row_menu(scene: AttentionScene, row: int) -> None:
    """Draw the menu of the framed query, a row on screen, which shows and changes the focus."""
    key = f"{scene.site_id}_together_row"
    choose({key: row})
    place_menu(
        key,
        list(map(plain, distinct_labels(scene.row_tokens))),
        words="figures-query",
        address=False,
        on_change=_take_row,
        args=(scene, key),
    )


def _take_row(scene: AttentionScene, key: str) -> None:
    regrouped = scene.regrouped
    choose_in_map(
        scene.site_id,
        (regrouped.query_groups, regrouped.key_groups),
        replace(scene.selection, rows=(st.session_state[key],)),
    )


def _headline_row(together: Together) -> int:
    """Return the row of the headline: the first chosen one, else that of the largest value."""
    weights = together.attention.weights[0, 0]
    return together.locked[0] if together.locked else int(weights.max(axis=-1).argmax())


def headline_head(heads: RowOfHeads, row: np.ndarray, method: str) -> int:
    """Return the index of the head that the headline names beside the aggregate `row`; -1 if none.

    A maximum comes from one head, a mean hides one, and a deviation names none.
    """
    if method == "max":
        return int(heads.weights[:, int(row.argmax())].argmax())
    return -1 if method == "spread" else heads.hidden_by(row)[0]


def agreement_words(
    scene: AttentionScene, together: Together, heads: RowOfHeads, at: int, method: str
) -> str:
    """Return what single heads do in the row `at` of the aggregate: who agrees, and what it hides.

    A maximum hides nothing, but comes from one head; a deviation is told by its extremes.
    """
    row = together.attention.weights[0, 0, at]
    key = int(row.argmax())
    named = headline_head(heads, row, method)
    if method == "max":
        return say("attention-together-from", head=scene.head_name(heads.places[named]))
    if method == "spread":
        column = heads.weights[:, key]
        return say("attention-together-range", low=column.min(), high=column.max())
    agree = say("attention-together-agree", n=heads.n_at(key), of=len(heads))
    if named < 0:
        return agree
    hides = say(
        "attention-together-hides",
        head=scene.head_name(heads.places[named]),
        key=plain(distinct_labels(together.attention.key_tokens)[heads.heads["key"][named]]),
        weight=heads.heads["weight"][named],
    )
    return f"{agree} {hides}"


def _largest(together: Together, at: int) -> str:
    weights = together.attention.weights[0, 0, at]
    key = int(weights.argmax())
    return say(
        "attention-together-largest",
        row=plain(distinct_labels(together.row_tokens)[at]),
        key=plain(distinct_labels(together.attention.key_tokens)[key]),
        value=weights[key],
    )


def table_of(together: Together, what: str) -> pd.DataFrame:
    """Return one line per cell, as `attention_table`, with the values in a column named `what`."""
    table = attention_table(together.attention, row_tokens=together.row_tokens)
    # attention_table counts the rows that are shown; the file counts those of the sentence.
    first_row, first_column = together.start
    rows = [first_row + together.rows[row - 1] + 1 for row in table["query_position"]]
    table["query_position"] = rows
    table["key_position"] += first_column
    return table.drop(columns=["layer", "head"]).rename(columns={together.attention.measure: what})


def work_out(scene: AttentionScene, method: str, layer: int | None) -> Together:
    """Return the aggregate `method` of the scene; `layer` (from 0) only matters to `COMBINATIONS`.

    Mean, maximum and spread use the weights as shown, after words are merged. Rollout and flow
    follow the model's own tokens and are merged at the end.
    """
    regrouped = scene.regrouped
    locked = scene.rows
    row_tokens = scene.row_tokens
    rows = tuple(range(len(regrouped.query_groups)))
    share = 0.0
    whole = True
    if method in COMBINATIONS:
        attention = combine(regrouped.attention, method, layer)
    elif method == "rollout":
        attention, share = _rollout_shown(scene)
    else:
        # A long text gets the flow of one row, because each pair of tokens is a problem of its own.
        whole = max(scene.raw.weights.shape[2:]) <= MOST_TOKENS_FOR_ALL_FLOWS
        if not whole:
            rows = (locked[0] if locked else rows[-1],)
            row_tokens = (row_tokens[rows[0]],)
            locked = (0,)
        attention = _flow_shown(scene, rows)
        # Without a choice the last row is the one explained.
        locked = locked or (len(rows) - 1,)
    sentences = [_explained(scene, method, layer, share).strip()]
    if not whole:
        sentences.append(say("attention-flow-one-row"))
    sentences += _sums_and_display(attention, scene.regrouped, method)
    window = scene.window
    start = (0, 0) if window is None else (window.rows.start, window.columns.start)
    return Together(attention, row_tokens, rows, locked, " ".join(sentences), start)


def _rollout_shown(scene: AttentionScene) -> tuple[AttentionMap, float]:
    """Return the rollout as shown, and the mean share of the prefix."""
    rolled = rollout(scene.run.record, scene.site_id)
    attention = regroup(
        rolled.attention,
        query_groups=scene.whole.query_groups,
        key_groups=scene.whole.key_groups,
        special=scene.whole.special,
    ).attention
    # Cut last: rows are re-normalised over all keys, not over those of the part.
    if scene.window is not None:
        attention = cut_out(attention, scene.window.rows, scene.window.columns)
    return attention, 0.0 if rolled.prefix_share is None else float(rolled.prefix_share.mean())


def _sums_and_display(attention: AttentionMap, regrouped: Regrouped, method: str) -> list[str]:
    """Return sentences on the sums of the rows, merged words and removed special tokens."""
    # float64: the sums are compared with one.
    sums = attention.weights.sum(axis=-1, dtype=np.float64)  # as drawn
    low = fixed(sums.min())
    high = fixed(sums.max())
    # Rows that lost special tokens no longer sum to one, and the text says so.
    is_one = np.abs(sums - 1.0).max() < 1e-3
    which = "one" if is_one else "other" if low == high else "between"
    sentences = [say(f"attention-sums-{which}", low=low, high=high)]
    way = "combined" if method in COMBINATIONS else method
    if regrouped.merged:
        sentences.append(say(f"attention-merged-{way}"))
    if regrouped.special == "hide":
        sentences.append(say("attention-left-out"))
    elif regrouped.special == "renormalise":
        sentences.append(say(f"attention-renormalised-{way}"))
    return sentences


def _controls(scene: AttentionScene) -> tuple[str, int | None]:
    rolls = "rollout" in scene.run.capabilities and can_roll(scene.run.record, scene.site_id)
    offered = METHODS if rolls and scene.raw.measure == "weight" else COMBINATIONS
    if max(scene.raw.weights.shape[2:]) > MOST_TOKENS_FOR_FLOW:
        offered = tuple(method for method in offered if method != "flow")
    method = choice("together", offered, words="attention-together", title=False)
    if method not in COMBINATIONS:
        return method, None
    layers = (ALL_LAYERS, *(str(n + 1) for n in range(scene.raw.n_layers)))
    layer = choice(
        "together_layer",
        layers,
        words="layers",
        style="select",
        title=False,
        text=lambda layer: (
            say("layers-all") if layer == ALL_LAYERS else say("layer-title", layer=layer)
        ),
        width=120,
    )
    return method, None if layer == ALL_LAYERS else int(layer) - 1


@cached("identity")
def _flows(run: Run, site_id: str, rows: tuple[int, ...], key_groups: Groups) -> np.ndarray:
    return flow_rows(run.record, site_id, rows, key_groups)


def _flow_shown(scene: AttentionScene, rows: tuple[int, ...]) -> AttentionMap:
    drawn = scene.regrouped.attention
    raw = scene.raw
    pieces = tuple(sorted({piece for row in rows for piece in scene.regrouped.query_groups[row]}))
    flows = _flows(scene.run, scene.site_id, pieces, scene.regrouped.key_groups)
    weights = np.stack(
        # Pieces of a merged row are averaged, so that its sum stays that of one row.
        [
            flows[[pieces.index(piece) for piece in scene.regrouped.query_groups[row]]].mean(axis=0)
            for row in rows
        ]
    )
    output = drawn.output_tokens
    return AttentionMap(
        site=raw.site,
        weights=weights[None, None],
        query_tokens=tuple(drawn.query_tokens[row] for row in rows),
        key_tokens=drawn.key_tokens,
        output_tokens=None if output is None else tuple(output[row] for row in rows),
        mask=None if drawn.mask is None else drawn.mask[list(rows)],
    )


def _explained(scene: AttentionScene, method: str, layer: int | None, prefix_share: float) -> str:
    raw = scene.raw
    sites = scene.run.record.sites
    site = raw.site
    title = site_name(raw.site_id, "attention")
    n_layers = {other.query: other.n_layers for other in sites if other.is_self}
    values = {
        "title": title,
        "heads": say("attention-heads", n=raw.n_heads),
        "layers": say("attention-layers", n=raw.n_layers),
        "decoder_layers": say("attention-layers-of-target", n=n_layers.get(site.query, 0)),
        "encoder_layers": say("attention-layers", n=n_layers.get(site.key, 0)),
        "network": say("attention-layers-of-site", n=raw.n_layers, site=title),
        "source": 1 - prefix_share,
        "prefix": prefix_share,
    }
    if method in COMBINATIONS and layer is not None:
        values["heads"] = say(
            "attention-heads-of-layer", n=raw.n_heads, layer=layer + 1, site=title
        )
    elif method in COMBINATIONS:
        values["heads"] = say(
            "attention-heads-of-site",
            n=raw.n_layers * raw.n_heads,
            n_layers=raw.n_layers,
            n_heads=raw.n_heads,
            site=title,
        )
    if not site.is_self:
        values["network"] = page_text("together_flow_cross").strip().format_map(values)
    side = f"_{'self' if site.is_self else 'cross'}" if method == "rollout" else ""
    words = page_text(f"together_{method}{side}").format_map(values)
    looks_elsewhere = any(other.query == site.query and not other.is_self for other in sites)
    if method == "rollout" and site.is_self and looks_elsewhere:
        words += page_text("together_rollout_decoder")
    return words
