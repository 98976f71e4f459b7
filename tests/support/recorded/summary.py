"""Snapshot of pages: what they choose, say and show, small, and compared as numbers."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from support import app as harness
from support.number_text import texts_alike
from ui.frame.choices import OF_BODY, OF_FRAME
from words import Message

CLOSE = {"rel_tol": 1e-4, "abs_tol": 1e-5}
"""A pass adds some thousand numbers of 24 bits one after the other, in an order of the processor's:
a thousand times 6e-8. Five recorded digits are closer than that."""
RANKED = ("correlation", "/masks-explain-number", "/masks-explain-signed")
"""Where correlations of ranks stand: two nearly equal numbers may change places."""
PARTS = ("chosen", "says", "shows")
AROUND = {"attention_lab_frame", "attention_lab_history", "attention_lab_plan"}
"""Components that stand around every page and show nothing of a model."""
# Of a table of a figure: where things are drawn, what differs from run to run, and a logarithm of
# numbers that are recorded.
UNRECORDED = {
    *("x", "y", "x2", "y2", "px", "py", "text_px", "left", "right", "start", "end", "place"),
    *("size", "font", "link_width", "opacity", "stroke", "click", "pre", "last", "seconds", "ms"),
    *("q", "k", "power_size"),
}
OF_NO_MODEL = {"answered", "identity", "words", "colours", "labels", "links", "pixels", "projector"}
"""Of a component: which answer it has, how it looks, and indices in an order of equal numbers."""
FORMATS = {"packed": "<f4", "weights": "<u2", "maps": "<u2"}
"""Arrays of a component, by their names."""
OF_FRAMES = (
    *("app-", "page", "view-", "checkpoint", "example", "sentence", "lesson", "language", "fold"),
    *("model-size", "licence", "score-", "set-", "family-", "system-", "group-"),
    *("search-", "alpha", "penal", "most-tokens", "runners-up", "run-numbers", "settings"),
    *("head", "layer", "kind", "site-", "export"),
    *("loading", "projector", "link-", "quoted"),
    *("architecture-", "checks"),
)
"""Messages of what is around all pages, by how their ids begin."""
PASSING = ("-progress", "positions-order-maps-equal", "positions-order-maps-differ")
"""Ends of messages that are said only while nobody has asked before, or on some processors."""
WITHOUT_VALUES = ("-file", "-help", "masks-seen-longer")
"""Ends of messages whose values another message says too, or are what rounding leaves of zero."""
CLOCKS = {"seconds", "ms"}
WRITTEN_NUMBER = re.compile(r"[+−]?(?:\d[\d.,]*\d|\d)(?:e[+−-]?\d+)?%?")


def page_shown(screen: AppTest, messages: dict[str, dict]) -> dict[str, dict]:
    """Return what a page has chosen, says and shows.

    Parameters
    ----------
    messages : values of each message when it was said first (`support.app.spoken`).
    """
    body, frame = (screen.session_state[name] for name in (OF_BODY, OF_FRAME))
    chosen = {each.key: each.value for each in screen if getattr(each, "key", None) in body}
    clicked = {k: v for k, v in screen.query_params.items() if k not in {*chosen, *frame}}
    found = {
        "chosen": {**chosen, **clicked},
        "says": {
            id: [] if id.endswith(WITHOUT_VALUES) else facts(values)
            for id, values in messages.items()
            if not id.startswith(OF_FRAMES) and not id.endswith(PASSING)
        },
        "shows": dict(pictures(screen)),
    }
    return json.loads(json.dumps(found, default=int))


def facts(values: dict[str, Any]) -> list:
    return [fact(value) for name, value in sorted(values.items()) if name not in CLOCKS]


def fact(value: Any) -> Any:
    """Numbers and words as they are, of sentences the numbers: they may be worded otherwise."""
    if isinstance(value, Message):
        return [value.id, *facts(value.values)]
    if isinstance(value, list | tuple):
        return [*map(fact, value)]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return WRITTEN_NUMBER.findall(value) if re.search(r"\s", value) else value
    return value if value is None else short(float(value))


def short(value: float) -> int | float | str:
    """Five significant digits, as a whole number where it is one; JSON knows no infinity."""
    if not math.isfinite(value):
        return str(value)
    found = float(f"{value:.5g}")
    return int(found) if found.is_integer() else found


def pictures(screen: AppTest) -> Iterator[tuple[str, dict[str, list]]]:
    """The numbers behind all figures, tables and components, column by column."""
    for place, chart in enumerate(harness.charts(screen), 1):
        found = harness.tables(chart).items()
        yield (
            f"chart {place}",
            {f"{name}.{of}": n for name, rows in found for of, n in columns(rows).items()},
        )
    for place, each in enumerate(screen.get("plotly_chart"), 1):
        traces = json.loads(each.proto.spec)["data"]
        n_points = [len(trace.get("x") or trace.get("z") or []) for trace in traces]
        yield f"plot {place}", {"points": digest(n_points)}
    for place, each in enumerate(screen.dataframe, 1):
        yield f"table {place}", columns(each.value)
    for proto in (each.proto for each in screen.get("bidi_component")):
        if proto.component_name not in AROUND:
            given = {of: [*numbers_in(each, of)] for of, each in harness.given(proto).items()}
            yield proto.component_name, {of: digest(each) for of, each in given.items() if each}


def columns(table: pd.DataFrame) -> dict[str, list]:
    """The digest of each column with numbers or truth values."""
    return {
        str(name): digest(column)
        for name, column in table.items()
        if str(name) not in UNRECORDED and column.dtype.kind in "biuf"
    }


def numbers_in(value: Any, name: str) -> Iterator[float]:
    """All numbers below a name in the data of a component."""
    if name in OF_NO_MODEL:
        return
    if isinstance(value, dict):
        for key, each in value.items():
            yield from numbers_in(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from numbers_in(each, name)
    elif isinstance(value, bytes):
        yield from np.frombuffer(value, FORMATS[name]).astype(float)
    elif isinstance(value, int | float):
        yield float(value)


def digest(values: Any) -> list:
    """How many are finite, their sum, and the sum of their sizes weighted by their places.

    The last changes where numbers change their order, as those of a map do on its other side.
    """
    flat = np.asarray(values, dtype=np.float64).ravel()
    flat = flat[np.isfinite(flat)]
    weighted = np.abs(flat) @ np.arange(1, len(flat) + 1) / max(1, len(flat))
    return [len(flat), short(flat.sum()), short(weighted)]


class Snapshot:
    """Pages as they were recorded: a view a line, of a further address what differs from its view.

    Messages without values are packed by the first words of their ids.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.pages: dict[str, dict] = {}
        for name, line in sorted(stored.items()):
            view = self.pages.get(name.partition("?")[0], {})
            gone = {part: {*_unpacked(names)} for part, names in line.get("gone", {}).items()}
            self.pages[name] = {
                part: {k: v for k, v in view.get(part, {}).items() if k not in gone.get(part, ())}
                | line.get(part, {})
                for part in PARTS
            }
            self.pages[name]["says"] |= {id: [] for id in _unpacked(line.get("also", {}))}

    def write(self, names: list[str]) -> None:
        dump = partial(json.dumps, ensure_ascii=False, sort_keys=True, separators=(",", ": "))
        lines = []
        for name in sorted({*names} & self.pages.keys()):
            view = self.pages[name.partition("?")[0]] if "?" in name else {}
            lines.append(f"{dump(name)}: {dump(_beyond(view, self.pages[name]))}")
        self.path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _beyond(view: dict, page: dict) -> dict:
    """Differences of a page from its view as that opens."""
    line: dict[str, Any] = {"gone": {}}
    for part in PARTS:
        before = view.get(part, {})
        line[part] = {
            name: value
            for name, value in page[part].items()
            if name not in before or [*differences(value, before[name], f"/{part}/{name}")]
        }
        line["gone"][part] = _packed(before.keys() - page[part].keys())
    line["also"] = _packed(id for id, values in line["says"].items() if not values)
    line["says"] = {id: values for id, values in line["says"].items() if values}
    line["gone"] = {part: names for part, names in line["gone"].items() if names}
    return {part: found for part, found in line.items() if found}


def _packed(names: Any) -> dict[str, str]:
    found = defaultdict(list)
    for name in sorted(names):
        first, _, rest = name.partition("-")
        found[first].append(rest)
    return {first: "|".join(rest) for first, rest in found.items()}


def _unpacked(found: dict[str, str]) -> Iterator[str]:
    for first, rests in found.items():
        for rest in rests.split("|"):
            yield f"{first}-{rest}" if rest else first


# Comparing


def differences(now: Any, then: Any, where: str = "") -> Iterator[str]:
    """Differences of two values: of floats those that another processor does not explain."""
    close = {"abs_tol": 0.01} if any(name in where for name in RANKED) else CLOSE
    if isinstance(now, dict) and isinstance(then, dict):
        for name in sorted({*now, *then}):
            if name not in now or name not in then:
                yield f"{where}/{name} is {'new' if name in now else 'gone'}"
            else:
                yield from differences(now[name], then[name], f"{where}/{name}")
    elif where.startswith("/shows/"):
        count, *sums = then
        room = close["abs_tol"] * max(1, count * (close is not CLOSE))
        room += close.get("rel_tol", 0) * max(map(abs, sums))
        if now[0] != count or any(abs(a - b) > room for a, b in zip(now[1:], sums, strict=True)):
            yield f"{where} is {now}, was {then}"
    elif isinstance(now, list) and isinstance(then, list):
        if len(now) != len(then):
            yield f"{where} has {len(now)} entries, had {len(then)}"
        for place, pair in enumerate(zip(now, then, strict=False)):
            yield from differences(*pair, f"{where}/{place}")
    elif isinstance(now, str) and isinstance(then, str):
        if not texts_alike(now, then, **CLOSE):
            yield f"{where} is {now!r}, was {then!r}"
    elif float in (kinds := {type(now), type(then)}):
        if not (kinds <= {int, float} and math.isclose(now, then, **close)):
            yield f"{where} is {now}, was {then}"
    elif now != then:
        yield f"{where} is {now!r}, was {then!r}"
