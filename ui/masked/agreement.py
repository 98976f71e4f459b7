"""Does the verb agree with its subject? Probed at a masked verb, as a question of two words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from model import MaskedReader
from model.masked_words import SIDES
from ui.kit.blocks import table
from ui.kit.layout import finding
from ui.shared import cached
from ui.words import say

from .measured import agreement_table, agreement_told, measured
from .scene import Scene

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
