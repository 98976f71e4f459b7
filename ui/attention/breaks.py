"""What breaks the model: its blunders, each a way to the view that shows where it comes from."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from ui import address
from ui.kit.controls import button
from ui.kit.layout import folded
from ui.state import Run
from ui.words import plain, say


@cache
def breaks() -> dict[str, dict[str, Any]]:
    """By the fingerprint of a model its pair of languages and what was found of it."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def breaks_fold(run: Run) -> None:
    """A fold of them, where the model on screen is one of those that they were found of."""
    known = breaks().get(run.card.fingerprint)
    if known is None:
        return
    along = {"checkpoint": run.card.name} if "checkpoint" in st.query_params else {}
    with folded("breaks"):
        for each in known["found"]:
            words, text = f"attention-breaks-{each['id']}", plain(each["address"]["text"])
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                how = {"words": words, "icon": "arrow_forward", "type": "tertiary", "width": 190}
                key, values = f"breaks_{each['id']}", {**along, **each["address"]}
                button(key, address.go, each["page"], values, **how)
                told = say(f"attention-breaks-{known['pair']}-{each['id']}")
                line = f"{text} → **{plain(each['output'])}** :gray[:small[{told}]]"
                st.markdown(line, width="stretch")
