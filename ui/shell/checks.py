"""Numerical identities of the open model: stored differences, and those recomputed here."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

import streamlit as st

from core.measurements import PROOFS
from model import Reader
from model.verify.claims import TOLERANCE, check, claims_of

from ..frame.messages import say
from ..frame.model_cache import ask
from ..kit.blocks import text_table
from ..kit.controls import button, toggle
from ..kit.layout import caption
from ..kit.measurements import stored_box, tell_source

KEPT = "checks_here"
"""Session key: fingerprint of a model and the differences recomputed for it."""
SHARED = 60  # seconds during which all who press the button share one computation


def numerical_checks(reader: Reader) -> None:
    """Draw a toggle and, below it, the largest difference from each identity of the model."""
    if reader.model is None or not toggle("identities", words="checks"):  # a recording has no model
        return
    stored = reader.card.measured(PROOFS)
    now = _checked_here(reader)
    # Without a stored check the claims that failed on loading are the only ones known.
    apart = stored.part.claims if stored.part else reader.withdrawn
    if now or apart:
        st.markdown(_finding(now or apart, now=bool(now)))
        st.markdown(_table(apart, now))
        caption("checks-caption")
    if stored.part is None:
        stored_box(stored)
    else:
        tell_source(stored)


def _finding(apart: Mapping[str, float | None], *, now: bool) -> str:
    # None stands for a difference that is not finite.
    differences = [math.inf if gap is None else gap for gap in apart.values()]
    largest = f"{max(differences):.1e}".replace("inf", "∞")
    return say(
        "checks-found",
        n=len(apart),
        false=sum(gap > TOLERANCE for gap in differences),
        difference=largest,
        most=f"{TOLERANCE:g}",
        now=now,
    )


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
    """Return the differences recomputed for this model by the button; empty before a press."""
    if button("checks_again", words="checks-again", icon="refresh"):
        # Any click interrupts the run.
        button("checks_stop", words="checks-stop", icon="stop_circle")
        # The minute is part of the key, so a class that presses together asks once.
        key = (int(time.time() // SHARED),)
        claims = ask(reader, check, claims_of(reader), key=key, words="checks-working")
        apart = {claim.capability: claim.difference for claim in claims}
        st.session_state[KEPT] = reader.card.fingerprint, apart
        # Redraws without the stop button, which is of no use any more.
        st.rerun()
    fingerprint, apart = st.session_state.get(KEPT, ("", {}))
    return apart if fingerprint == reader.card.fingerprint else {}
