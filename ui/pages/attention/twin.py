"""Buttons to the twin of a sentence, which differs in the deciding word."""

from __future__ import annotations

from ui.frame.choices import choose
from ui.frame.messages import plain
from ui.frame.run import Run
from ui.kit.controls import button


def compare_button(run: Run) -> None:
    """Draw a button to compare the sentence with its twin, which differs in the deciding word."""
    twin = run.pack.twin_of(run.src.text)
    if twin:
        twin_button("twin", "compare", twin)


def twin_button(key: str, words: str, twin: str) -> None:
    values = {"text": plain(twin)}
    chosen = {"second": twin, "look": "pair"}
    button(key, choose, chosen, words=words, icon="compare_arrows", values=values)
