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
    with folded("breaks"), st.container(gap="xsmall"):
        for each in known["found"]:
            id, text, output = each["id"], plain(each["address"]["text"]), plain(each["output"])
            way, told = st.columns([2, 9], vertical_alignment="center")
            with way:
                how = {
                    "words": f"attention-breaks-{id}",
                    "icon": "arrow_forward",
                    "type": "tertiary",
                }
                values = {**along, **each["address"]}
                button(f"breaks_{id}", address.go, each["page"], values, **how)
            why = say(f"attention-breaks-{known['pair']}-{id}")
            told.markdown(f"{text} → **{output}**  \n:gray[:small[{why}]]")
