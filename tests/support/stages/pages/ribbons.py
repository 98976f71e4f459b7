"""The ribbons and nothing else: random weights, no model."""

from types import SimpleNamespace

import numpy as np
import streamlit as st

from core.records.attention import ENCODER, AttentionMap
from core.weights.groups import single_groups
from core.weights.transform import Regrouped
from ui.frame.choices import WATCHED
from ui.kit.focus import HeadSelection, SiteFocus, change_focus, focus_of
from ui.pages.attention.ribbons import show
from ui.pages.attention.scene import AttentionScene, Display

st.set_page_config(layout="wide")
state = st.session_state
state[WATCHED] = True  # what is chosen goes into the address at once
state["runs"] = state.get("runs", 0) + 1
size = state.setdefault("size", int(st.query_params.get("size", 12)))
n_heads = state.setdefault("n_heads", int(st.query_params.get("n_heads", 4)))
words = ("<b>one</b>", "two", "three", "four", "five", "six", "seven", "it")
tokens = tuple(f"▁{words[i % len(words)]}" for i in range(size))
raised = np.exp(np.random.default_rng(size).normal(size=(2, n_heads, size, size)) * 2)
weights = (raised / raised.sum(-1, keepdims=True)).astype(np.float32)
raw = AttentionMap(ENCODER, weights, tokens, tokens)
state.setdefault("focus", {"encoder": SiteFocus((), HeadSelection(), (0, 0))})
st.button("open head 3", on_click=change_focus, args=("encoder",), kwargs={"head": 2})
st.button("lock row 2", on_click=change_focus, args=("encoder",), kwargs={"rows": (1,)})
focus = focus_of("encoder")
st.text(f"runs {state['runs']} head {focus.head} rows {focus.rows} columns {focus.columns}")
record = SimpleNamespace(src=SimpleNamespace(text="random"), sites=(raw.site,))
view = SimpleNamespace(record=record, card=SimpleNamespace(guided=None, roles=None))
groups = single_groups(size)
display = Display(produced=False, contrast=False, words=False, special="show")
shown = Regrouped(raw, groups, groups)
show(AttentionScene(view, "encoder", raw, raw, shown, focus, None, display))
st.text("drawn to the end")
