"""Identities of the open model: stored differences, and those computed again on this machine."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

import streamlit as st

from core.measurements import PROOFS
from model import Reader
from model.check import TOLERANCE, check, claims_of

from .kit.blocks import text_table
from .kit.controls import button, toggle
from .kit.layout import caption
from .shared import ask
from .stored import stored_box, tell_source
from .words import say

KEPT = "checks_here"
"""In the session: the fingerprint of a model, and what came of the button for it."""
SHARED = 60  # seconds in which all who press the button are given the same numbers


def numerical_checks(reader: Reader) -> None:
    """A toggle, and below it the identities of a model with the largest difference from each."""
    if reader.model is None or not toggle("identities", words="checks"):  # a recording has no model
        return
    stored, now = reader.card.lies(PROOFS), _checked_here(reader)
    apart = stored.part.claims if stored.part else reader.withdrawn
    if now or apart:
        st.markdown(_finding(now or apart, now=bool(now)))
        st.markdown(_table(apart, now))
        caption("checks-caption")
    if stored.part is None:
        stored_box(stored)
    else:
        tell_source(stored.values)


def _finding(apart: Mapping[str, float | None], *, now: bool) -> str:
    differences = [math.inf if gap is None else gap for gap in apart.values()]
    largest = f"{max(differences):.1e}".replace("inf", "∞")
    false = sum(gap > TOLERANCE for gap in differences)
    told = {"n": len(apart), "false": false, "difference": largest, "most": f"{TOLERANCE:g}"}
    return say("checks-found", **told, now=now)


def _table(apart: Mapping[str, float | None], now: Mapping[str, float | None]) -> str:
    titles = ["checks-identity", "checks-difference", *(["checks-now"] if now else [])]
    columns = [apart, now] if now else [apart]
    rows = (
        [say(f"check-{name}"), *(_difference(name, column) for column in columns)]
        for name in {**apart, **now}
    )
    return text_table([say(title) for title in titles], rows)


def _difference(name: str, apart: Mapping[str, float | None]) -> str:
    if name not in apart:
        return "–"
    gap = apart[name]
    return say("checks-no-number") if gap is None or math.isinf(gap) else f"{gap:.1e}"


def _checked_here(reader: Reader) -> Mapping[str, float | None]:
    """Return the differences computed by the button for this model; empty before a press."""
    if button("checks_again", words="checks-again", icon="refresh"):
        button("checks_stop", words="checks-stop", icon="stop_circle")  # as any click does
        key = (int(time.time() // SHARED),)
        found = ask(reader, check, claims_of(reader), key=key, words="checks-working")
        apart = {each.capability: each.difference for each in found}
        st.session_state[KEPT] = reader.card.fingerprint, apart
        st.rerun()
    fingerprint, apart = st.session_state.get(KEPT, ("", {}))
    return apart if fingerprint == reader.card.fingerprint else {}
