"""One head before a change, after it, and the difference, while the original output is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from analysis.effect import HeadPlace, most_moved_head
from analysis.labels import token_label
from analysis.pairs import moved_rows
from records import AttentionMap
from ui.export import export_menu
from ui.kit.blocks import draw, head_picker
from ui.kit.controls import button, choice
from ui.kit.layout import control_row
from ui.state import Run
from ui.words import head_name, plain, say, site_name
from viz.effect import difference_matrix, weight_matrix
from viz.figure import side_by_side, tables_of
from words import numbers

from .reading import Reading


def show_attention(
    run: Run,
    reading: Reading,
    *,
    key: str,
    kind: str | None = None,
    layer: int | None = None,
    head: int | None = None,
) -> None:
    """One head before, after, and the difference, while the original output is read."""
    kind, layer, head = head_menu(run, reading, key=key, kind=kind, layer=layer, head=head)
    before, after = reading.plain_record.of(kind), reading.record.of(kind)
    names = row_names(before), before.key_tokens
    sides = [attention.head(layer, head) for attention in (before, after)]
    seen = [attention.mask_of(layer, head) for attention in (before, after)]
    forbidden = seen[0] & ~seen[1]
    either = {"seen": seen[0] | seen[1], "hatched": forbidden}
    figures = {
        "before": weight_matrix(sides[0], *names, kind=before.site, seen=seen[0]),
        "after": weight_matrix(sides[1], *names, kind=before.site, **either),
        "difference": difference_matrix(*sides, *names, **either),
    }
    titles = {name: say(f"masks-effect-head-{name}") for name in figures}
    who = {"site": site_name(kind, "attention"), "head": head_name(layer, head)}
    size = {"rows": len(names[0]), "columns": len(names[1])}
    with st.container(horizontal=True, wrap=True, gap="small"):
        for name, figure in figures.items():
            with st.container(width="content", gap="xsmall"):
                st.markdown(f"**{titles[name]}**")
                alt = say("masks-effect-head-alt", side=titles[name], site=who["site"], **size)
                draw(figure, key=f"{key}_{name}", alt=alt)
    per_row = moved_rows(sides[1] - sides[0])
    most = int(per_row.argmax())
    if most_moved_head(reading.plain_record, reading.record)[1] == 0:
        st.caption(say("masks-effect-unmoved"))
    else:
        moved = say(
            "masks-effect-moved",
            mean=numbers.percent(per_row.mean()),
            row=most + 1 if per_row[most] > 0 else 0,
            token=plain(token_label(names[0][most])),
            most=numbers.percent(per_row[most]),
            forbidden="yes" if forbidden.any() else "no",
            **who,
        )
        st.caption(moved)
    export_menu(
        lambda: side_by_side({titles[name]: figure for name, figure in figures.items()}),
        key=f"{key}_attention_export",
        name=say("masks-effect-head-file", text=run.translation.src.text, **who),
        numbers=lambda: _head_numbers(tables_of(figures["difference"])["cells"]),
    )


def _head_numbers(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells that either side may look at, with positions counted from 1."""
    named = {"value": "difference", "hatched": "forbidden"}
    columns = ["query", "key", "before", "after", "value", "hatched"]
    return cells[cells["seen"]][columns].rename(columns=named)


def row_names(attention: AttentionMap) -> tuple[str, ...]:
    """Rows that look from one side at another are named by the token they produce, others by the
    one they read."""
    named = None if attention.site.is_self else attention.output_tokens
    return named or attention.query_tokens


def head_menu(
    run: Run,
    reading: Reading,
    *,
    key: str,
    kind: str | None = None,
    layer: int | None = None,
    head: int | None = None,
) -> HeadPlace:
    """Site, layer and head to show: those of the page until the person chooses others."""
    records, model = (reading.plain_record, reading.record), run.translator.card.fingerprint
    default, moved = most_moved_head(*records, kind)
    if None not in (kind, layer, head):
        default = kind, layer, head
    elif moved == 0 and reading.change.ablated:
        off = reading.change.ablated[0]
        default = off.kind, off.layer or 0, off.head or 0
    with control_row():
        site = site_menu(key, reading.record.kinds, default=default[0], of=model)
        shape = reading.record.of(site).weights.shape[:2]
        first = default[1:] if site == default[0] else (0, 0)
        place = site, *head_picker(key, *shape, default=first, of=model)
        most, amount = most_moved_head(*records)
        if most != place and amount > 0:
            names = (f"{key}_{name}" for name in ("kind", "layer", "head"))
            who = {"site": site_name(most[0], "attention"), "head": head_name(*most[1:])}
            button(
                f"{key}_most",
                st.session_state.update,
                dict(zip(names, most, strict=True)),
                words="masks-effect-most-moved",
                icon="open_in_full",
                values={"share": numbers.percent(amount, 0), **who},
            )
    return place


def site_menu(key: str, kinds: Sequence[str], **how: Any) -> str:
    """A menu of sites of attention, ``<key>_kind``, where there are several; `how` as `choice`."""
    if len(kinds) == 1:
        return kinds[0]
    how = {"words": "kind", "style": "select", "address": False, "width": 120, **how}
    return choice(f"{key}_kind", kinds, text=lambda name: site_name(name, "short"), **how)
