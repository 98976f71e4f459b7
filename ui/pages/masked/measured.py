"""Subject-verb agreement of a masked language model, and its stored measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from model import MaskedReader
from model.readers.masked_words import SIDES
from ui.frame.messages import say, with_interval
from ui.frame.model_cache import cached
from ui.kit.blocks import table
from ui.kit.layout import caption, finding, subtitle
from ui.kit.measurements import tell_source
from ui.pages.masked.guess import MaskedScene, measured
from words.numbers import grouped, percent

EXAMPLES = Path(__file__).with_name("agreement.json")
# Sentences by the words between subject and verb.
FRAMES = ("plain", "same", "other", "preposition", "phrases", "clause")
# Frames that training did not have.
UNTRAINED = FRAMES[3:]


# -- agreement, as a question of two words ---------------------------------------------------


def show_agreement(scene: MaskedScene) -> None:
    questions = _questions(scene.reader)
    finding(
        "masked-agreement-found",
        n=len(questions),
        both=int((questions["both"] > 0.5).sum()),
        left=int((questions["left"] > 0.5).sum()),
    )
    table(
        "masked-agreement",
        # In hundredths: Streamlit's own "percent" writes 98.23% beside 50.5%.
        questions.assign(**{side: 100 * questions[side] for side in SIDES}),
        widths={"text": 330, "right": 90},
        shares=tuple(SIDES),
        ends=(0, 100),
        formats=dict.fromkeys(SIDES, "%.1f%%"),
    )
    caption("masked-agreement-how")
    stored = measured(scene)
    measurement = stored.values
    if not measurement:
        return
    subtitle("masked-agreement-measured")
    st.markdown(agreement_words(measurement))
    sets = dict(measurement["agreement"])
    # Sentences written by people, if they were measured.
    if "verbs" in measurement:
        sets["written"] = measurement["verbs"]
    table(
        "masked-agreement-measured",
        pd.DataFrame([_row(name, values) for name, values in sets.items()]).fillna(""),
        words="masked-agreement",
        widths={"kind": 270, "n": 90},
    )
    tell_source(stored)


def _row(name: str, values: dict[str, Any]) -> dict[str, str]:
    """Return the line of a set of sentences in the table of stored measurements."""
    row = {
        "kind": say(f"masked-agreement-{name}"),
        "n": grouped(values["both"]["sentences"]),
        "both": with_interval(values["both"], percent),
    }
    for number in ("singular", "plural"):
        if number in values:
            row[number] = percent(values[number]["both"]["value"])
    return row | {"left": with_interval(values["left"], percent)}


@cached("card.fingerprint", max_entries=8)
def _questions(reader: MaskedReader) -> pd.DataFrame:
    """Return the probability of the right form relative to both forms, from both sides and left."""
    lines = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    for line in lines:
        src = reader.sentence(line["text"])
        forms = [line["right"], line.pop("wrong")]
        (position,) = reader.typed_masks(src)
        for name, left in SIDES.items():
            probs = np.exp(reader.choose(src, position, forms, left_only=left))
            line[name] = float(probs[0] / probs.sum())
    return pd.DataFrame(lines)


def agreement_words(measurement: dict[str, Any]) -> str:
    """Return a sentence on agreement beyond the frames of training: verbs of plural subjects."""
    plural = {frame: measurement["agreement"][frame]["plural"]["both"] for frame in FRAMES}
    return say(
        "masked-agreement-told",
        other=plural["other"]["value"],
        clause=plural["clause"]["value"],
        # Below 0.5, chance, with 95 % confidence: the model knows its frames, not the rule.
        verdict="frames" if any(plural[frame]["high"] < 0.5 for frame in UNTRAINED) else "open",
    )
