"""What every view shows with every checkpoint that fits, in every language, written down small.

    python tests/recorded/freeze.py FILE                  write it
    python tests/recorded/freeze.py FILE --against OTHER   and list what differs from another

For each view: the address it writes, the numbers behind every figure and table (how many, their
sum, the least and the largest), what a screen reader is told of each figure and the names of the
files that are offered, both as short digests. A redesign is held against it: made before and after,
on one machine, the list of differences is to be read line by line. Of a second language stands what
differs from the first.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import harness  # noqa: E402

from model import list_checkpoints  # noqa: E402
from ui.pages import pages  # noqa: E402
from words import languages  # noqa: E402

DIGITS = 5
# Of a table of a figure: where things are drawn, and what differs from run to run.
DRAWING = {
    *("x", "y", "x2", "y2", "px", "py", "text_px", "left", "right", "start", "end", "place"),
    *("size", "font", "link_width", "opacity", "stroke", "click", "pre", "last", "seconds", "ms"),
}


def frozen(names: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """For each view, checkpoint and language its name and what it shows."""
    for checkpoint in names:
        for page in pages():
            for view in page.views:
                for language in languages():
                    name = f"{page.id}/{view.id or '-'}/{checkpoint}/{language}"
                    with Listening() as heard:
                        screen = harness.open_view(page, view, checkpoint=checkpoint, lang=language)
                    if screen is None:
                        continue
                    found = shown(screen, [name for name, _ in heard.files])
                    if language == languages()[0]:
                        first = found
                    yield name, {k: v for k, v in found.items() if found is first or v != first[k]}


def shown(screen: Any, files: list[str]) -> dict[str, Any]:
    charts = harness.charts(screen)
    plots = [each.proto for each in screen.get("plotly_chart")]
    return {
        "address": {name: str(value) for name, value in sorted(screen.query_params.items())},
        "figures": [
            {name: columns(table) for name, table in sorted(harness.tables(each).items())}
            for each in charts
        ],
        "plots": [traces(json.loads(each.spec)) for each in plots],
        "tables": [columns(each.value) for each in screen.dataframe],
        "alts": digest([getattr(each, "alt", "") for each in (*charts, *plots)]),
        "files": digest(sorted(files)),
    }


def columns(table: pd.DataFrame) -> dict[str, str]:
    return {
        str(name): numbers(column)
        for name, column in table.items()
        if column.dtype.kind in "iuf" and name not in DRAWING
    }


def traces(spec: dict[str, Any]) -> list[int]:
    """How many points each trace has; a redesign of Plotly's own arrays is theirs."""
    return [len(trace.get("x") or trace.get("z") or []) for trace in spec["data"]]


def numbers(values: Any) -> str:
    """ "n sum least largest", of those that are finite."""
    array = np.asarray(values, dtype=np.float64)
    finite = array[np.isfinite(array)]
    parts = (finite.sum(), finite.min(), finite.max()) if len(finite) else ()
    return " ".join([str(len(array)), *(f"{part:.{DIGITS}g}" for part in parts)])


def digest(texts: list[str]) -> list[str]:
    return [hashlib.sha256(text.encode()).hexdigest()[:6] for text in texts]


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


def differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """A line for each part of each view that differs; numbers that agree to 0.1 % are equal."""
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            yield f"{name}: only {'after' if name in after else 'before'}"
            continue
        yield from _within(name, before[name], after[name])


def _within(where: str, before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from _within(f"{where}.{key}", before.get(key), after.get(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for at, pair in enumerate(zip(before, after, strict=True)):
            yield from _within(f"{where}[{at}]", *pair)
    elif not _same(before, after):
        yield f"{where}: {before} -> {after}"


def _same(before: Any, after: Any) -> bool:
    try:
        pair = [[float(part) for part in text.split()] for text in (before, after)]
        return len(pair[0]) == len(pair[1]) and bool(np.allclose(*pair, rtol=1e-3, atol=1e-6))
    except (AttributeError, ValueError):
        return before == after


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
        both = (
            json.loads(file.read_text(encoding="utf-8")) for file in (asked.against, asked.file)
        )
        print("\n".join(differences(*both)))


if __name__ == "__main__":
    main()
