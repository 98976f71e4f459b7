"""What was measured about searching with a checkpoint."""

from __future__ import annotations

from typing import Any

import pandas as pd

from records import VERDICTS, CheckpointCard
from ui.panels import set_title
from viz.sweep import MEASURES

EXACT = ("not_best", "best", "undecided")


def sweep_rows(card: CheckpointCard) -> list[dict[str, float]]:
    """One line a width: beam_size and the measures."""
    return [
        {"beam_size": line["beam_size"]} | {name: float(line[name]) for name, *_ in MEASURES}
        for line in card.searches.get("sweep", [])
    ]


def tally_rows(card: CheckpointCard, *, normalised: bool) -> pd.DataFrame:
    """One line a set and width: set, beam_size, sentences and the share of each verdict (0 to 1).

    Verdicts are by score where `normalised`, else by log-probability.
    """
    shares = "normalised" if normalised else "plain"
    rows = [
        {"set": set_name(line["set"]), "beam_size": line["beam_size"]}
        | {"sentences": line["sentences"]}
        | {name: float(line[shares][name]) for name in VERDICTS}
        for line in _errors(card, "tally")
    ]
    return pd.DataFrame(rows, columns=["set", "beam_size", "sentences", *VERDICTS])


def exact_rows(card: CheckpointCard) -> pd.DataFrame:
    """One line a set, alpha and width: set, alpha, beam_size, not_best, best, undecided.

    The last three count sentences whose output is certainly not the best there is, certainly the
    best, or neither.
    """
    rows = [
        {"set": set_name(line["set"]), "alpha": float(line["alpha"])}
        | {"beam_size": each["beam_size"]}
        | {name: each[name] for name in EXACT}
        for line in _errors(card, "exact")
        for each in line["widths"]
    ]
    return pd.DataFrame(rows, columns=["set", "alpha", "beam_size", *EXACT])


def set_name(name: str) -> str:
    return set_title(name, name.replace("_", " "))


def _errors(card: CheckpointCard, name: str) -> list[dict[str, Any]]:
    return card.searches.get("errors", {}).get(name, [])
