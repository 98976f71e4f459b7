"""What was measured of a model of masked words."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from model.checkpoint import checkpoint_path
from model.masked_words import SIDES
from records import Interval
from records.measurements import MASKED
from ui.kit.blocks import table
from ui.kit.layout import finding
from ui.stored import values_of
from ui.words import named, say, with_interval
from words.numbers import fixed, grouped, percent

from .scene import Scene

KINDS = ("plain", "same", "other", "preposition", "phrases", "clause")
UNTRAINED = KINDS[3:]
NUMBERS = ("singular", "plural")


def show(scene: Scene) -> None:
    found = measured(scene)
    if not found:
        return
    lines = [
        {"set": named(f"set-{name}", name), "pieces": values["pieces"]}
        | {f"{side}_right": _share(values[side]) for side in SIDES}
        | {f"{side}_perplexity": fixed(values[side]["perplexity"], 1) for side in SIDES}
        for name, values in found["sets"].items()
    ]
    name, first = next(iter(found["sets"].items()))
    right = {side: percent(first[side]["value"], 1) for side in SIDES}
    finding(say("masked-measured-found", set=named(f"set-{name}", name), **right))
    table("masked-measured", pd.DataFrame(lines), key="masked_sets", n=len(lines))
    st.caption(say("training-made", command=found["command"]))


def _share(found: dict[str, Any]) -> str:
    return with_interval(Interval.from_values(found), percent)


def agreement_table(found: dict[str, Any]) -> pd.DataFrame:
    """One line for what stands between subject and verb: shares right from both sides and left,
    and from both sides by the subject's number."""
    return pd.DataFrame(
        [
            {"kind": say(f"masked-agreement-{kind}"), "n": grouped(values["both"]["sentences"])}
            | {"both": _share(values["both"])}
            | {
                number: percent(values[number]["both"]["value"], 1)
                for number in NUMBERS
                if number in values
            }
            | {"left": _share(values["left"])}
            for kind, values in _agreeing(found).items()
        ]
    ).fillna("")


def agreement_told(found: dict[str, Any]) -> str:
    """Whether agreement leaves the frames of the training: the verbs of plural subjects."""
    plural = {kind: found["agreement"][kind]["plural"]["both"] for kind in KINDS}
    return say(
        "masked-agreement-told",
        **{kind: percent(plural[kind]["value"], 1) for kind in ("other", "clause")},
        verdict="frames" if any(plural[kind]["high"] < 0.5 for kind in UNTRAINED) else "open",
    )


def _agreeing(found: dict[str, Any]) -> dict[str, Any]:
    """By what stands between, and of sentences that people wrote where they were asked too."""
    return found["agreement"] | ({"written": found["verbs"]} if "verbs" in found else {})


def measured(scene: Scene) -> dict[str, Any]:
    """What lies beside a checkpoint; nothing where it is missing, of others or damaged, which is
    said."""
    return values_of(MASKED, checkpoint_path(scene.name), scene.reader.card.fingerprint)
