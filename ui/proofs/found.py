"""How far every identity is off: stored of all checkpoints, worked out anew for the open one."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pandas as pd
import streamlit as st

from core.measurements import PROOFS, Proofs
from core.proofs import NOW, OPEN, proof_facts, proof_table
from core.stored import read_stored
from model.check import CLAIMS, SUMS, TOLERANCE
from model.checkpoint import checkpoint_path, fingerprint_at
from model.experiments.proofs import prove
from model.registry import families
from ui.kit.controls import button
from ui.kit.layout import controls, finding
from ui.shared import cached
from ui.state import Folder, Run, outlines, stamp_of
from ui.stored import values_of
from ui.words import say

KEPT = "proofs_here"
SHARED = 60  # seconds in which all who press the button are given the same numbers


def found_rows(run: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`core.proofs.proof_table` of all checkpoints, and the rows of the open one that count: those
    of now where there are any. The page says what they come to."""
    stored, now, withdrawn = stored_proofs(), _proved_here(run), run.translator.withdrawn
    known = now is not None or run.card.name in stored
    if withdrawn and not known:
        now = _proofs_of(run, withdrawn, "")
    rows, order = proof_table(stored, run.card.name, now), [*CLAIMS, *SUMS]
    rows = rows[rows["claim"].isin(order)]
    rows = rows.sort_values("claim", key=lambda claims: claims.map(order.index), kind="stable")
    own = rows[rows["of"] == (NOW if now else OPEN)]
    if known:
        facts = proof_facts(own, TOLERANCE)
        facts["claim"] = say(f"proof-{facts['claim']}")
        finding(say("proofs-found", **facts, most=f"{TOLERANCE:g}", now="yes" if now else "no"))
    elif withdrawn:
        finding(say("proofs-withdrawn", n=len(withdrawn)))
    return rows, own


def tell_missing(run: Run) -> None:
    """Why nothing is stored of the open model, if that is so."""
    values_of(PROOFS, checkpoint_path(run.choices.checkpoint), run.card.fingerprint)


def stored_proofs() -> dict[str, Proofs]:
    """What is stored of the very weights that lie in each folder, as far as it is."""
    found = {}
    for name, outline in outlines().items():
        folder = checkpoint_path(name).absolute()
        if outline is not None and (folder / PROOFS.file).is_file():
            stamp = stamp_of(sorted(folder.iterdir()))
            found[name] = _stored(Folder(str(folder), stamp), outline.architecture)
    return {name: proofs for name, proofs in found.items() if proofs is not None}


@cached("path", "stamp")
def _stored(folder: Folder, architecture: str) -> Proofs | None:
    path = Path(folder.path)
    try:
        fingerprint = fingerprint_at(path, families()[architecture])
    except OSError:
        return None
    values = read_stored(PROOFS, path, fingerprint).values
    return Proofs.from_values(values) if values else None


def _proved_here(run: Run) -> Proofs | None:
    """What came of the button of the open model."""
    with controls():
        asked = button("proofs_check", words="proofs-check", icon="refresh")
    if asked:
        with controls():  # whatever is clicked ends it
            button("proofs_stop", words="proofs-stop", icon="stop_circle")
            minute = int(time.time() // SHARED)
            found = run.ask(prove, key=(minute,), words="proofs-working")
        st.session_state[KEPT] = _proofs_of(run, found, f"{datetime.now():%Y-%m-%d %H:%M}")
        st.rerun()
    kept = st.session_state.get(KEPT)
    return kept if kept and kept.fingerprint == run.card.fingerprint else None


def _proofs_of(run: Run, found: Mapping[str, float], when: str) -> Proofs:
    claims = {name: apart if math.isfinite(apart) else None for name, apart in found.items()}
    told = {"fingerprint": run.card.fingerprint, "when": when, "hardware": say("proofs-here")}
    return Proofs(command="", claims=claims, **told)
