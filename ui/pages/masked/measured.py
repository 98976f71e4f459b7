"""Subject-verb agreement of a masked language model, and its stored measurements."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.storage import Stored
from model import MaskedReader
from model.readers.masked_words import SIDES
from ui.frame import address
from ui.frame.messages import say, with_interval
from ui.frame.model_cache import cached
from ui.kit.blocks import picture, table
from ui.kit.controls import button
from ui.kit.layout import bar, caption, finding, folded
from ui.kit.measurements import tell_source
from ui.pages.masked.guess import MaskedScene, measured
from viz.agreement import two_readings
from words.numbers import grouped, percent

EXAMPLES = Path(__file__).with_name("agreement.json")
# Sentences by the words between subject and verb.
FRAMES = ("plain", "same", "other", "preposition", "phrases", "clause")
MOST_OPENED = 3  # sentences to open
# Frames that training did not have.
UNTRAINED = FRAMES[3:]


# -- agreement, as a question of two words ---------------------------------------------------


def show_agreement(scene: MaskedScene) -> None:
    """Draw eight sentences with a masked verb, and below them the accuracy over many."""
    questions = _questions(scene.reader)
    # The easiest first, as their dots descend.
    questions = questions.sort_values("left", ascending=False, ignore_index=True)
    stored = measured(scene)
    measurement = stored.values
    accuracy = say(
        "masked-agreement-found",
        n=len(questions),
        both=int((questions["both"] > 0.5).sum()),
        left=int((questions["left"] > 0.5).sum()),
    )
    lowest = _lowest(questions)
    finding(accuracy + (f"  \n:gray[:small[{lowest}]]" if lowest else ""))
    _hardest(scene, questions)
    _examples(questions)
    if measurement:
        st.markdown(agreement_words(measurement))
        _accuracies(_sets(measurement))
    with folded("table"):
        _tables(questions, stored)


def _hardest(scene: MaskedScene, questions: pd.DataFrame) -> None:
    """Draw a button to each of the sentences that are hardest from the left, to fill their mask."""
    with bar("agreement_open"):
        st.markdown(f"**{say('masked-agreement-open')}**")
        for n, question in enumerate(questions.nsmallest(MOST_OPENED, "left").to_dict("records")):
            values = {"masked_look": "guess", "checkpoint": scene.name, "text": question["text"]}
            button(
                f"masked_agreement_{n}",
                address.go,
                "masked",
                values,
                words="masked-agreement-sentence",
                values={"text": question["text"].replace("[MASK]", "…")},
            )


def _sets(measurement: dict[str, Any]) -> dict[str, Any]:
    """Return the measured sets of sentences, written ones last if they were measured."""
    written = {"written": measurement["verbs"]} if "verbs" in measurement else {}
    return measurement["agreement"] | written


def _examples(questions: pd.DataFrame) -> None:
    """Draw the share of the correct form in every sentence."""
    labels = [
        text.replace("[MASK]", f"[{right}]")
        for text, right in zip(questions["text"], questions["right"], strict=True)
    ]
    shares = pd.concat(
        [pd.DataFrame({"label": labels, "side": side, "share": questions[side]}) for side in SIDES],
        ignore_index=True,
    )
    figure = two_readings(
        shares.assign(low=np.nan, high=np.nan),
        "masked-agreement-axis",
        "masked-agreement-examples",
        "masked-agreement-edge",
    )
    picture(
        "masked-agreement-dots",
        figure,
        key="masked_agreement_dots",
        wide=True,
        numbers=questions,
        n=len(questions),
    )


def _accuracies(sets: Mapping[str, Any]) -> None:
    """Draw the accuracy on every set of sentences, with its interval."""
    rows = [
        {
            "label": say(f"masked-agreement-{name}"),
            "side": side,
            "share": values[side]["value"],
            "low": values[side]["low"],
            "high": values[side]["high"],
        }
        for name, values in sets.items()
        for side in SIDES
    ]
    # What the headline says of plural verbs is hidden in the accuracy of all.
    plurals = [
        {
            "label": say(f"masked-agreement-{name}"),
            "side": "plural",
            "share": values["plural"]["both"]["value"],
            "low": np.nan,
            "high": np.nan,
        }
        for name, values in sets.items()
        if "plural" in values
    ]
    shares = pd.DataFrame(rows + plurals)
    figure = two_readings(
        shares,
        "masked-agreement-accuracy",
        "masked-agreement-measured",
        "masked-agreement-chance",
    )
    picture(
        "masked-agreement-accuracies",
        figure,
        key="masked_agreement_accuracies",
        wide=True,
        numbers=shares,
    )


def _tables(questions: pd.DataFrame, stored: Stored) -> None:
    """Draw the numbers of both pictures, and how they were made."""
    table(
        "masked-agreement",
        questions,
        widths={"text": 330, "right": 90},
        formats=dict.fromkeys(SIDES, "percent"),
    )
    caption("masked-agreement-how")
    if stored.values:
        table(
            "masked-agreement-measured",
            pd.DataFrame([_row(*named) for named in _sets(stored.values).items()]).fillna(""),
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


def _lowest(questions: pd.DataFrame) -> str:
    """Return a sentence on the question answered worst from the left; "" if all are correct."""
    hardest = questions.iloc[-1]
    if hardest["left"] > 0.5:
        return ""
    text = hardest["text"].replace("[MASK]", f"[{hardest['right']}]")
    return say("masked-agreement-lowest", share=hardest["left"], text=text)


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
