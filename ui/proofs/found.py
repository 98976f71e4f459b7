"""How far every identity is off: stored of all checkpoints, worked out anew for the open one."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import streamlit as st

from core.measurements import PROOFS, Proofs
from core.proofs import NOW, OPEN, proof_table
from core.stored import read_stored
from model.check import CLAIMS, SUMS, TOLERANCE, check, claims_of
from model.checkpoint import checkpoint_path, fingerprint_at
from ui.kit.controls import button
from ui.kit.layout import controls, finding
from ui.shared import cached
from ui.state import Folder, Run, outlines, stamp_of
from ui.stored import stored_of
from ui.words import say

KEPT = "proofs_here"
SHARED = 60  # seconds in which all who press the button are given the same numbers


def found_rows(run: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`core.proofs.proof_table` of all checkpoints, and the rows of the open one that count: those
    of now where there are any. The page says what they come to, and what is not stored."""
    stored, here, name = stored_proofs(), _checked_here(run), run.card.name
    now = here or ({} if name in stored else run.translator.withdrawn)
    rows = proof_table(stored, name, now, (*CLAIMS, *SUMS))
    own = rows[rows["of"] == (NOW if now else OPEN)]
    if len(own):
        worst = own.loc[own["difference"].idxmax()]
        told = {"n": len(own), "false": int((own["difference"] > TOLERANCE).sum())}
        told |= {"difference": f"{worst['difference']:.1e}".replace("inf", "∞")}
        told |= {"claim": say(f"proof-{worst['claim']}"), "now": bool(now)}
        finding(say("proofs-found", **told, most=f"{TOLERANCE:g}"))
    stored_of(PROOFS, checkpoint_path(run.choices.checkpoint), run.card.fingerprint)
    return rows, own


def stored_proofs() -> dict[str, Proofs]:
    """What is stored of the very weights that lie in each folder, as far as it is."""
    found = {}
    for name in outlines():
        folder = checkpoint_path(name).absolute()
        if (folder / PROOFS.file).is_file():
            found[name] = _stored(Folder(str(folder), stamp_of(sorted(folder.iterdir()))))
    return {name: proofs for name, proofs in found.items() if proofs}


@cached("path", "stamp")
def _stored(folder: Folder) -> Proofs | None:
    path = Path(folder.path)
    return read_stored(PROOFS, path, fingerprint_at(path)).part


def _checked_here(run: Run) -> Mapping[str, float]:
    """What came of the button for the open model."""
    with controls():
        if button("proofs_check", words="proofs-check", icon="refresh"):
            button("proofs_stop", words="proofs-stop", icon="stop_circle")  # as any click does
            how = {"key": (int(time.time() // SHARED),), "words": "proofs-working"}
            found = run.ask(check, claims_of(run.translator), **how)
            apart = {each.capability: each.difference for each in found}
            st.session_state[KEPT] = run.card.fingerprint, apart
            st.rerun()
    fingerprint, apart = st.session_state.get(KEPT, ("", {}))
    return apart if fingerprint == run.card.fingerprint else {}
