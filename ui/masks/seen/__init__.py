"""The masks as what they are: what they take from a softmax, and what happens without them."""

from __future__ import annotations

from ui.kit.controls import choice
from ui.kit.layout import settings
from ui.state import Run

from . import causal, padding

PARTS = {"causal": causal.show, "padding": padding.show, "both": padding.show_both}


def show(run: Run) -> None:
    offered = [part for part in PARTS if part == "causal" or "padding" in run.capabilities]
    with settings():
        part = choice("seen_part", offered, words="masks-seen-part")
    PARTS[part](run)
