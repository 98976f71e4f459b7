"""Masks of attention: their effect on the softmax, and the model without them."""

from __future__ import annotations

import streamlit as st

from ui.frame.choices import AddressForm, choose
from ui.frame.reasons import offers
from ui.frame.run import Run
from ui.kit.controls import button, choice, toggle
from ui.kit.layout import bar
from ui.pages.masks.causal_mask import show_causal
from ui.pages.masks.draft import begin_empty
from ui.pages.masks.padding_mask import show_both, show_padding

# The switch tells that the mask is on, the address what was taken away.
LIFTED = AddressForm({"true": False, "false": True}.get, lambda on: str(not on).lower())


def show(run: Run) -> None:
    pictures = {"causal": show_causal, "padding": show_padding, "both": show_both}
    pictures[_switches(run)](run)


def _switches(run: Run) -> str:
    """Draw the switches of both masks and the doors to other changes; return the mask shown."""
    offered = offers(run.translator)
    pads = "padding" in offered
    with bar("masks"):
        # What is chosen here can change by the switches after it.
        part = choice("seen_part", ("causal", "padding", "both")) if pads else "causal"
        # The switch needs a model whose mask can be lifted.
        if "change-causal" in offered:
            toggle("seen_peek", True, form=LIFTED, on_change=_switched, args=("causal",))
        if pads:
            toggle("seen_padding_mask", True, on_change=_switched, args=("padding",))
        for tool, need in (("tokens", "leave-out"), ("heads", "change-ablate")):
            if need in offered:
                button(f"seen_{tool}", _open_tool, run, tool, icon="arrow_forward")
    return part


def _open_tool(run: Run, tool: str) -> None:
    """Open the interventions with a tool; the example hides a word, so only that tool keeps it."""
    if tool != "tokens":
        begin_empty(run)
    choose({"mask_look": "change", "change_tool": tool})


def _switched(mask: str) -> None:
    """Show the mask that was switched off; the other one is then on."""
    state = st.session_state
    off = {"causal": not state.get("seen_peek", True)}
    off["padding"] = not state.get("seen_padding_mask", True)
    if off[mask]:
        state["seen_part"] = mask
        other = "seen_padding_mask" if mask == "causal" else "seen_peek"
        if other in state:
            state[other] = True
