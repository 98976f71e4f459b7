"""One head before and after an intervention: its menus, matrices and the weight that moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.interventions.effect import most_moved_head, moved_facts
from core.interventions.intervention import Intervention
from core.records.attention import AttentionMap, AttentionRecord, Head, Measure
from ui.frame.choices import choose
from ui.frame.messages import head_name, plain, say, site_name
from ui.frame.run import Run
from ui.kit.blocks import draw
from ui.kit.controls import button
from ui.kit.export import export_menu
from ui.kit.forced_reading import ForcedReading
from ui.kit.head_menus import head_picker, site_menu
from ui.kit.layout import bar, caption, wide
from ui.kit.norm import in_measure, measure_choice, name_lacking, tell_measure
from viz.effect import difference_matrix, weight_matrix
from viz.figure import Figure, side_by_side, tables_of


def show_attention(
    run: Run,
    reading: ForcedReading,
    *,
    key: str,
    site: str | None = None,
    head: tuple[int, int] | None = None,
) -> None:
    """Draw one head before, after, and the difference, as weights or as vector norms.

    `site` and `head` (layer, head) are shown first.
    """
    menus = bar(f"{key}_head")
    measure = measure_choice(run.translator, lambda: menus)
    plain_record, plain_error = in_measure(run.translator, reading.plain_record, measure)
    record, error = in_measure(run.translator, reading.record, measure, reading.change)
    with menus:
        site, layer, head_index = _head_menu(
            run, reading.change, (plain_record, record), key, site, head
        )
    pair = HeadPair(plain_record.of(site), record.of(site), layer, head_index)
    figures = _draw_pair(pair, key, measure)
    if most_moved_head(plain_record, record)[1] == 0:
        caption("masks-effect-unmoved", measure=measure)
    else:
        _tell_moved(pair)
    tell_measure(pair.before, plain_error, error)
    name_lacking(run.translator)
    export_menu(
        lambda: side_by_side(figures),
        key=f"{key}_attention_export",
        name=say(
            "masks-effect-head-file",
            text=run.src.text,
            site=pair.site,
            head=pair.name,
            measure=measure,
        ),
        numbers=lambda: _cells(pair.figures()["difference"]),
    )


def _draw_pair(pair: HeadPair, key: str, measure: Measure) -> dict[str, Figure]:
    """Draw a head before and after and their difference, side by side; return them by title."""
    figures = pair.figures()
    by_title = {}
    for column, (side, figure) in zip(st.columns(len(figures)), figures.items(), strict=True):
        title = say(f"masks-effect-head-{side}", measure=measure)
        by_title[title] = figure
        with column, wide(f"{key}_{side}"):
            st.markdown(f"**{title}**")
            draw(figure, key=f"{key}_{side}", alt=pair.alt(title))
    return by_title


@dataclass(frozen=True, eq=False)
class HeadPair:
    """One head without and with an intervention."""

    before: AttentionMap
    after: AttentionMap
    layer: int
    head: int

    @property
    def site(self) -> str:
        """Name of the site on the page."""
        return site_name(self.before.site_id, "attention")

    @property
    def name(self) -> str:
        """Name of the head on the page."""
        return head_name(self.layer, self.head, measure=self.before.measure)

    @property
    def rows(self) -> tuple[str, ...]:
        return self.before.row_tokens

    @property
    def columns(self) -> tuple[str, ...]:
        return self.before.key_tokens

    @property
    def weights_before(self) -> np.ndarray:
        return self.before.head(self.layer, self.head)

    @property
    def weights_after(self) -> np.ndarray:
        return self.after.head(self.layer, self.head)

    @property
    def forbidden(self) -> np.ndarray:
        """Cells that only the intervention masks, bool (T_q, T_k)."""
        seen_before = self.before.mask_of(self.layer, self.head)
        return seen_before & ~self.after.mask_of(self.layer, self.head)

    def figures(self) -> dict[str, Figure]:
        """Return the matrices of ``before``, ``after`` and ``difference``."""
        seen_before = self.before.mask_of(self.layer, self.head)
        # Cells of either run: an intervention may lift a mask as well as set one.
        seen = seen_before | self.after.mask_of(self.layer, self.head)
        title = f"figures-{self.before.measure}"
        return {
            "before": weight_matrix(
                self.weights_before,
                self.rows,
                self.columns,
                site=self.before.site,
                title=title,
                seen=seen_before,
            ),
            "after": weight_matrix(
                self.weights_after,
                self.rows,
                self.columns,
                site=self.before.site,
                title=title,
                seen=seen,
                hatched=self.forbidden,
            ),
            "difference": difference_matrix(
                self.weights_before,
                self.weights_after,
                self.rows,
                self.columns,
                measure=self.before.measure,
                seen=seen,
                hatched=self.forbidden,
            ),
        }

    def alt(self, side: str) -> str:
        """Return the alternative text of the figure titled `side`."""
        return say(
            "masks-effect-head-alt",
            side=side,
            site=self.site,
            head=self.name,
            measure=self.before.measure,
            rows=len(self.rows),
            columns=len(self.columns),
        )


def _tell_moved(pair: HeadPair) -> None:
    """Draw a caption of how much weight moved, and in which row most."""
    facts = moved_facts(pair.weights_before, pair.weights_after, pair.rows)
    caption(
        "masks-effect-moved",
        site=pair.site,
        head=pair.name,
        measure=pair.before.measure,
        mean=facts["mean"],
        most=facts["most"],
        token=plain(facts["token"]),
        row=facts["row"],
        forbidden=bool(pair.forbidden.any()),
    )


def _cells(difference: Figure) -> pd.DataFrame:
    # The chart's own table already has both values of every cell.
    cells = tables_of(difference)["cells"]
    columns = ["query", "key", "before", "after", "value", "hatched"]
    names = {"value": "difference", "hatched": "forbidden"}
    return cells[cells["seen"]][columns].rename(columns=names)


def _head_menu(
    run: Run,
    change: Intervention,
    records: tuple[AttentionRecord, AttentionRecord],
    key: str,
    first_site: str | None,
    first_head: tuple[int, int] | None,
) -> Head:
    """Draw the menus of site, layer and head; they follow the page until the reader chooses."""
    model = run.card.fingerprint
    default, moved = most_moved_head(*records, first_site)
    if first_site is not None and first_head is not None:
        default = first_site, *first_head
    elif moved == 0 and change.ablated:
        # An ablated head may move nothing else, and is still the one to look at.
        ablated = change.ablated[0]
        default = ablated.site, ablated.layer or 0, ablated.head or 0
    site = site_menu(key, records[0].site_ids, default=default[0], of=model)
    n_layers, n_heads = records[0].of(site).weights.shape[:2]
    layer, head_index = default[1:] if site == default[0] else (0, 0)
    # The model's sites may differ in their numbers of layers and heads.
    first = min(layer, n_layers - 1), min(head_index, n_heads - 1)
    chosen = site, *head_picker(key, n_layers, n_heads, default=first, of=model)
    most, amount = most_moved_head(*records)
    if most != chosen and amount > 0:
        _offer_most_moved(key, most, amount, records[0].maps[0].measure)
    return chosen


def _offer_most_moved(key: str, most: Head, amount: float, measure: Measure) -> None:
    """Draw a button that opens the head that moved most."""
    site, layer, head = most
    button(
        f"{key}_most",
        choose,
        {f"{key}_kind": site, f"{key}_layer": layer, f"{key}_head": head},
        words="masks-effect-most-moved",
        icon="open_in_full",
        values={
            "share": amount,
            "site": site_name(site, "attention"),
            "head": head_name(layer, head, measure=measure),
        },
    )
