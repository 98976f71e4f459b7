"""The bars of a row and nothing else: no model."""

import streamlit as st

from ui.components.row import draggable_row, read_row

st.set_page_config(layout="wide")
state = st.session_state
labels = ["<b>the</b>", "animal", "street", "it"]
computed = [0.4, 0.3, 0.2, 0.1]
allowed = [True, True, True, st.query_params.get("all") is not None]
if not allowed[3]:
    computed = [0.5, 0.3, 0.2, 0.0]
row = state.setdefault("given", None)
number = state.setdefault("number", 0)


def take():
    found = read_row(state["row"]["row"], state["identity"], allowed)
    if found is not None:
        state["given"], state["number"] = found.weights, found.number


def other():
    state["given"], state["identity"] = [0.0, 0.0, 1.0, 0.0], "other"


identity = state.setdefault("identity", "first")
draggable_row(
    labels,
    row or computed,
    computed=computed,
    allowed=allowed,
    key="row",
    identity=identity,
    answered=number,
    colour="#2f9087",
    on_row=take,
)
st.button("another row", on_click=other)
st.text("given " + ("as computed" if row is None else " ".join(f"{w:.4f}" for w in row)))
