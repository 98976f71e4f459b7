"""What was measured of a model of masked words, and whether its verbs agree with their subjects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from model import MaskedReader
from model.checkpoint import checkpoint_path
from model.masked_words import SIDES
from records import Measured
from records.measurements import MASKED
from ui.kit.blocks import table
from ui.kit.layout import finding
from ui.masked.scene import Scene
from ui.shared import cached
from ui.stored import values_of
from ui.words import named, say, with_interval
from words.numbers import fixed, grouped, percent

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
    return with_interval(Measured.from_values(found), percent)


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
    return found["agreement"] | ({"written": found["verbs"]} if "verbs" in found else {})


def measured(scene: Scene) -> dict[str, Any]:
    """What lies beside a checkpoint; nothing where it is missing, of others or damaged, which is
    said."""
    return values_of(MASKED, checkpoint_path(scene.name), scene.reader.card.fingerprint)


EXAMPLES = Path(__file__).with_name("agreement.json")


def show(scene: Scene) -> None:
    asked = _asked(scene.reader)
    right = {name: int((asked[name] > 0.5).sum()) for name in SIDES}
    finding(say("masked-agreement-found", n=len(asked), **right))
    table(
        "masked-agreement",
        asked,
        key="masked_agreement",
        widths={"text": 330, "right": 90},
        shares=tuple(SIDES),
        formats=dict.fromkeys(SIDES, "percent"),
        n=len(asked),
    )
    st.caption(say("masked-agreement-how"))
    found = measured(scene)
    if not found:
        return
    st.markdown(f"## {say('masked-agreement-measured')}\n\n{agreement_told(found)}")
    table(
        "masked-agreement-measured",
        agreement_table(found),
        key="masked_agreement_measured",
        words="masked-agreement",
        widths={"kind": 270, "n": 90},
    )
    st.caption(say("training-made", command=found["command"]))


@cached("card.fingerprint", max_entries=8)
def _asked(reader: MaskedReader) -> pd.DataFrame:
    lines = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    for line in lines:
        src, forms = reader.sentence(line["text"]), [line["right"], line.pop("wrong")]
        (place,) = reader.typed_masks(src)
        for name, left in SIDES.items():
            probs = np.exp(reader.choose(src, place, forms, left_only=left))
            line[name] = float(probs[0] / probs.sum())
    return pd.DataFrame(lines)
