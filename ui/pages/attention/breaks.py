"""Failures of the shipped models, each with a link to the view that shows its cause."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from ui.frame import address
from ui.frame.messages import plain, say
from ui.frame.run import Run
from ui.kit.controls import button


@cache
def breaks() -> dict[str, dict[str, dict[str, Any]]]:
    """Return by model fingerprint and id the output of each failure and the link to it."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def breaks_menu(run: Run) -> None:
    """Draw a menu of links to the failures of the model on screen, if it has any."""
    blunders = breaks().get(run.card.fingerprint)
    if blunders is None:
        return
    pair = "-".join(run.card.languages)
    # The model stays in the address only if it was there, so that a default model remains one.
    along = {"checkpoint": run.card.at} if "checkpoint" in st.query_params else {}
    with st.popover(say("attention-breaks"), key="breaks"):
        for id, blunder in blunders.items():
            page, values = blunder["link"]
            # The input that the output translates.
            text = plain(values.get("seen_second", values["text"]))
            output = plain(blunder["output"])
            cause = say(f"attention-breaks-{pair}-{id}")
            opens = say("attention-breaks-opens", page=say(f"page-{page}"))
            button(
                f"breaks_{id}",
                address.go,
                page,
                {**along, **values},
                words="attention-breaks-chip",
                values={"name": say(f"attention-breaks-{id}")},
                help=f"{text} → **{output}** {cause} {opens}",
            )
