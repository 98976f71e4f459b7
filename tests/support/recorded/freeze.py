"""What a page shows, written down small, and the files that it offers."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st
from streamlit.testing.v1 import AppTest

from support.app import charts, kept_names, tables
from support.recorded.summary import AROUND, columns, component


def shown_on(screen: AppTest) -> dict[str, Any]:
    """What a page has chosen, and the numbers behind all its figures, tables and components, small.

    Beside the controls the address holds what is clicked: the open head, rows, node, step.
    """
    kept = kept_names(screen) - {"lang", "projector"}
    controls = (each for each in screen if getattr(each, "key", None) in kept)
    chosen = {c.key: json.loads(json.dumps(c.value, default=int)) for c in controls}
    given = (each.proto for each in screen.get("bidi_component"))
    return {
        "chosen": chosen,
        "clicked": {k: v for k, v in screen.query_params.items() if k not in chosen},
        "figures": [
            {name: found for name, rows in tables(chart).items() if (found := columns(rows))}
            for chart in charts(screen)
        ],
        "plots": [traces(json.loads(each.proto.spec)) for each in screen.get("plotly_chart")],
        "tables": [columns(each.value) for each in screen.dataframe],
        "components": [component(e) for e in given if e.component_name not in AROUND],
    }


def traces(spec: dict[str, Any]) -> list[int]:
    """How many points each trace has; a redesign of Plotly's own arrays is theirs."""
    return [len(trace.get("x") or trace.get("z") or []) for trace in spec["data"]]


class Listening:
    """Opens the menus of files and notes what they offer: a name, and what makes the file."""

    def __enter__(self) -> Listening:
        self.files: list[tuple[str, Any]] = []
        self.kept = st.popover, st.download_button

        def popover(label: str, *args: Any, key: str | None = None, **options: Any) -> Any:
            menu = self.kept[0](label, *args, key=key, **options)
            return Open(menu) if key and key.endswith("export") else menu

        def button(label: str, data: Any, *args: Any, **options: Any) -> bool:
            self.files.append((options.get("file_name", ""), data))
            return False

        st.popover, st.download_button = popover, button
        return self

    def __exit__(self, *_: Any) -> None:
        st.popover, st.download_button = self.kept


class Open:
    open = True

    def __init__(self, menu: Any) -> None:
        self.menu = menu

    def __enter__(self) -> Any:
        return self.menu.__enter__()

    def __exit__(self, *failed: Any) -> Any:
        return self.menu.__exit__(*failed)
