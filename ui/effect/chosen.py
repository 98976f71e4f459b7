"""What the person chose in a menu that otherwise follows the change."""

from __future__ import annotations

import streamlit as st


def chosen(menu: str, identity: object) -> object | None:
    """The person's choice, while what it is about stays the same."""
    entry = st.session_state.get(f"{menu}_chosen")
    return entry[1] if entry is not None and entry[0] == identity else None


def keep(menu: str, identity: object, value: object | None) -> None:
    st.session_state[f"{menu}_chosen"] = (identity, value)
