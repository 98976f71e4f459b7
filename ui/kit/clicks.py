"""Clicks on the marks of charts, each read once.

take_click("seen_row", range(len(tokens)), "seen_stages", "cell", ["q"])
row = place_menu("seen_row", tokens)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st


def clicked(chart: str, selection: str) -> dict[str, Any]:
    """Return the fields of the newest click on a chart, only once; empty without a new click.

    Each drawing carries the number of clicks so far, and a click sends it back, so the same cell
    can be clicked again and an old selection is not taken for a new one.
    """
    event = st.session_state.get(chart)
    chosen = (event or {}).get("selection", {}).get(selection)
    # The browser may send anything, so the shape is checked.
    if not isinstance(chosen, list) or not chosen or not isinstance(chosen[-1], dict):
        return {}
    if chosen[-1].get("click") != click_count(chart):
        return {}
    # Counted, so that the next run does not read the same click again.
    st.session_state["clicks"][chart] += 1
    return chosen[-1]


def click_count(chart: str) -> int:
    return st.session_state.setdefault("clicks", {}).setdefault(chart, 0)


def take_click(
    key: str, options: Sequence[Any], chart: str, selection: str, fields: Sequence[str]
) -> None:
    """Choose the option that was clicked in a chart, before the `choice` of `key` is drawn.

    `fields` of the `selection` make up the option: one is the option itself, several are a tuple.
    """
    values = tuple(map(clicked(chart, selection).get, fields))
    option = values[0] if len(fields) == 1 else values
    if option in options:
        st.session_state[key] = option
