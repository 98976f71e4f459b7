"""Subject-verb agreement of a masked language model, and its stored measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from model import MaskedReader
from model.masked_words import SIDES
from ui.kit.blocks import table
from ui.kit.layout import caption, finding, subtitle
from ui.masked.guess import Scene, measured
from ui.shared import cached
from ui.stored import tell_source
from ui.words import say, with_interval
from words.numbers import grouped, percent

EXAMPLES = Path(__file__).with_name("agreement.json")
KINDS = ("plain", "same", "other", "preposition", "phrases", "clause")
# Kinds of sentences that training did not have.
UNTRAINED = KINDS[3:]


# -- agreement, as a question of two words ---------------------------------------------------


def show_agreement(scene: Scene) -> None:
    asked = _asked(scene.reader)
    right = {name: int((asked[name] > 0.5).sum()) for name in SIDES}
    finding("masked-agreement-found", n=len(asked), **right)
    table(
        "masked-agreement",
        asked,
        widths={"text": 330, "right": 90},
        shares=tuple(SIDES),
        formats=dict.fromkeys(SIDES, "percent"),
    )
    caption("masked-agreement-how")
    found = measured(scene)
    if not found:
        return
    subtitle("masked-agreement-measured")
    st.markdown(agreement_told(found))
    # Sentences written by people, if they were measured.
    kinds = found["agreement"] | ({"written": found["verbs"]} if "verbs" in found else {})
    lines = [
        {"kind": say(f"masked-agreement-{kind}"), "n": grouped(values["both"]["sentences"])}
        | {"both": with_interval(values["both"], percent)}
        | {
            number: percent(values[number]["both"]["value"])
            for number in ("singular", "plural")
            if number in values
        }
        | {"left": with_interval(values["left"], percent)}
        for kind, values in kinds.items()
    ]
    table(
        "masked-agreement-measured",
        pd.DataFrame(lines).fillna(""),
        words="masked-agreement",
        widths={"kind": 270, "n": 90},
    )
    tell_source(found)


@cached("card.fingerprint", max_entries=8)
def _asked(reader: MaskedReader) -> pd.DataFrame:
    """Return the probability of the right form relative to both forms, from both sides and left."""
    lines = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    for line in lines:
        src = reader.sentence(line["text"])
        forms = [line["right"], line.pop("wrong")]
        (place,) = reader.typed_masks(src)
        for name, left in SIDES.items():
            probs = np.exp(reader.choose(src, place, forms, left_only=left))
            line[name] = float(probs[0] / probs.sum())
    return pd.DataFrame(lines)


def agreement_told(found: dict[str, Any]) -> str:
    """Return a sentence on agreement beyond the frames of training: verbs of plural subjects."""
    plural = {kind: found["agreement"][kind]["plural"]["both"] for kind in KINDS}
    return say(
        "masked-agreement-told",
        **{kind: plural[kind]["value"] for kind in ("other", "clause")},
        # Below 0.5, chance, with 95 % confidence: the model knows its frames, not the rule.
        verdict="frames" if any(plural[kind]["high"] < 0.5 for kind in UNTRAINED) else "open",
    )
