"""Does the verb agree with its subject? Probed at a masked verb, as a question of two words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from model import MaskedReader
from ui.shared import cached
from ui.words import say

from .measured import NUMBERS, agreement_table, agreement_told, measured
from .scene import Scene

EXAMPLES = Path(__file__).with_name("agreement.json")


def show(scene: Scene) -> None:
    st.markdown(say("masked-agreement-how"))
    table = _asked(scene.reader)
    column = st.column_config
    share = {"min_value": 0.0, "max_value": 1.0, "format": "percent"}
    st.dataframe(
        table,
        key="masked_agreement",
        hide_index=True,
        column_config={
            "text": column.TextColumn(say("masked-agreement-sentence"), width=330),
            "right": column.TextColumn(say("masked-agreement-right"), width=90),
            "both": column.ProgressColumn(say("masked-agreement-both"), **share),
            "left": column.ProgressColumn(say("masked-agreement-left"), **share),
        },
        alt=say("masked-agreement-alt", n=len(table)),
    )
    st.caption(say("masked-agreement-share"))
    found = measured(scene)
    if not found:
        return
    st.markdown("## " + say("masked-agreement-measured"))
    st.markdown(agreement_told(found))
    st.dataframe(
        agreement_table(found),
        key="masked_agreement_measured",
        hide_index=True,
        column_config={
            "kind": column.TextColumn(say("masked-agreement-between"), width=270),
            "n": column.TextColumn(say("masked-agreement-sentences"), width=90),
            "both": column.TextColumn(say("masked-measured-both-right")),
            **{number: column.TextColumn(say(f"masked-agreement-{number}")) for number in NUMBERS},
            "left": column.TextColumn(say("masked-measured-left-right")),
        },
        alt=say("masked-agreement-measured-alt"),
    )
    st.caption(say("training-made", command=found["command"]))


@cached("card.fingerprint", max_entries=8)
def _asked(reader: MaskedReader) -> pd.DataFrame:
    """The share of the right form of what both forms have together, from both sides and left."""
    lines = []
    for row in json.loads(EXAMPLES.read_text(encoding="utf-8")):
        src = reader.sentence(row["text"])
        (place,) = reader.typed_masks(src)
        line = {"text": row["text"], "right": row["right"]}
        for name, left in (("both", False), ("left", True)):
            forms = [row["right"], row["wrong"]]
            probs = np.exp(reader.choose(src, place, forms, left_only=left))
            line[name] = float(probs[0] / probs.sum())
        lines.append(line)
    return pd.DataFrame(lines)
