"""The columns that the tables of the beam page share."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.words import say


def columns(**own: Any) -> dict[str, Any]:
    """What `st.dataframe` takes as ``column_config``: numbers of a hypothesis, and a table's own.

    A text stands for the id of a column's title.
    """
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    shared = {
        "text": text(say("beam-output"), width=430),
        "log_prob": number(say("beam-log-sum"), format="%.4f"),
        "length": number(say("beam-tokens")),
        "penalty": number(say("beam-divided"), format="%.4f"),
        "score": number(say("beam-score"), format="%.4f"),
        "finished": st.column_config.CheckboxColumn(say("beam-ended"), width=84),
    }
    return shared | {name: say(to) if isinstance(to, str) else to for name, to in own.items()}
