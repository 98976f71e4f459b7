"""What every view shows with every checkpoint that fits, in every language, written down small.

    python tests/recorded/freeze.py FILE                  write it
    python tests/recorded/freeze.py FILE --against OTHER   and list what differs from another

For each view: what its controls have, what else it writes into the address, the numbers behind
every figure and table, what a screen reader is told of each figure and the names of the files that
are offered. A redesign is held
against it: made before and after, on one machine, the list of differences is to be read line by
line. Of a second language stands what differs from the first.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from harness import charts, kept_names, open_view, tables  # noqa: E402
from recorded.summary import AROUND, columns, component, differences  # noqa: E402

from model import list_checkpoints  # noqa: E402
from ui.pages import pages  # noqa: E402
from words import languages  # noqa: E402


def frozen(names: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """For each view, checkpoint and language its name and what it shows."""
    views = [(page, view) for page in pages() for view in page.views]
    for checkpoint, (page, view), language in product(names, views, languages()):
        with Listening() as heard:
            screen = open_view(page, view, checkpoint=checkpoint, lang=language)
        if screen is None:
            continue
        plots = (each.proto for each in screen.get("plotly_chart"))
        found = shown_on(screen) | {
            "alts": [getattr(each, "alt", "") for each in (*charts(screen), *plots)],
            "files": sorted(name for name, _ in heard.files),
        }
        if language == languages()[0]:
            first = found
        name = f"{page.id}/{view.id or '-'}/{checkpoint}/{language}"
        yield name, {k: v for k, v in found.items() if found is first or v != first[k]}


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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--checkpoint", action="append", choices=list_checkpoints())
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    if not asked.file.exists():
        lines = (
            f"{json.dumps(name)}: {json.dumps(view, ensure_ascii=False)}"
            for name, view in frozen(asked.checkpoint or list_checkpoints())
        )
        asked.file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    if asked.against:
        now, then = (json.loads(each.read_text("utf-8")) for each in (asked.file, asked.against))
        print("\n".join(differences(now, then)))


if __name__ == "__main__":
    main()
