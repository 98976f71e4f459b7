"""What was measured about searching with a checkpoint, as far as it is sound."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from records import VERDICTS, CheckpointCard
from ui.blocks import command_line
from ui.panels import set_title
from ui.words import plain, say
from viz.sweep import MEASURES

EXACT = ("not_best", "best", "undecided")


def sweep_rows(card: CheckpointCard) -> list[dict[str, float]]:
    """One line a width: beam_size and the measures that were taken."""
    rows = []
    for line in card.searches.get("sweep", []):
        width = line.get("beam_size")
        measures = {name: float(line[name]) for name, *_ in MEASURES if _is_number(line.get(name))}
        if _is_width(width) and measures:
            rows.append({"beam_size": width, **measures})
    return rows


def tally_rows(card: CheckpointCard, *, normalised: bool) -> pd.DataFrame:
    """One line a set and width: set, beam_size, sentences and the share of each verdict (0 to 1).

    Verdicts are by score where `normalised`, else by log-probability.
    """
    rows = []
    for line in _errors(card, "tally"):
        shares = line.get("normalised" if normalised else "plain")
        if not _is_width(line.get("beam_size")) or not _is_width(line.get("sentences")):
            continue
        if isinstance(shares, dict) and all(_is_number(shares.get(name)) for name in VERDICTS):
            row = {"set": set_name(line), "beam_size": line["beam_size"]}
            row |= {"sentences": line["sentences"]}
            rows.append(row | {name: float(shares[name]) for name in VERDICTS})
    return pd.DataFrame(rows, columns=["set", "beam_size", "sentences", *VERDICTS])


def exact_rows(card: CheckpointCard) -> pd.DataFrame:
    """One line a set, alpha and width: set, alpha, beam_size, not_best, best, undecided.

    The last three count sentences whose output is certainly not the best there is, certainly the
    best, or neither.
    """
    rows = []
    for line in _errors(card, "exact"):
        widths = line.get("widths")
        if not _is_number(line.get("alpha")) or not isinstance(widths, list):
            continue
        for each in widths:
            if not isinstance(each, dict) or not _is_width(each.get("beam_size")):
                continue
            if all(type(each.get(name)) is int for name in EXACT):
                row = {"set": set_name(line), "alpha": float(line["alpha"])}
                row |= {"beam_size": each["beam_size"]} | {name: each[name] for name in EXACT}
                rows.append(row)
    return pd.DataFrame(rows, columns=["set", "alpha", "beam_size", *EXACT])


def set_name(line: dict[str, Any]) -> str:
    name = str(line.get("set", ""))
    return set_title(name, name.replace("_", " "))


def source_words(card: CheckpointCard) -> str:
    """With what the stored numbers were made."""
    made, hardware = card.searches.get("command"), card.searches.get("hardware")
    known = {"command": made} if isinstance(made, str) and "`" not in made else {}
    known |= {"hardware": plain(hardware, 120)} if isinstance(hardware, str) else {}
    if not known:
        return ""
    part = "source" if len(known) > 1 else next(iter(known))
    return say(f"beam-stored-{part}", **known)


def show_command(card: CheckpointCard) -> None:
    """How to measure it, where it has not been measured."""
    st.info(say("beam-stored-missing", name=plain(card.name)), icon=":material/terminal:")
    command_line(f"python -m training sweep --checkpoint {card.name} --data DIR --write")


def _errors(card: CheckpointCard, name: str) -> list[dict[str, Any]]:
    return card.searches.get("errors", {}).get(name, [])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_width(value: Any) -> bool:
    return type(value) is int and value >= 1
