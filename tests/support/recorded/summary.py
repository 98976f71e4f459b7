"""What is written down of what models and pages show, small, and where two of these differ."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from support import app as harness
from support.number_text import ABS_TOL, REL_TOL, texts_alike

# Of a table of a figure: where things are drawn, and what differs from run to run.
UNRECORDED = {
    *("x", "y", "x2", "y2", "px", "py", "text_px", "left", "right", "start", "end", "place"),
    *("size", "font", "link_width", "opacity", "stroke", "click", "pre", "last", "seconds", "ms"),
}
AROUND = {"attention_lab_frame", "attention_lab_history", "attention_lab_plan"}
"""Components that stand around every page and show nothing of a model."""


def number(value: float) -> float | str:
    """Seven digits; JSON knows no infinity."""
    return float(f"{value:.7g}") if math.isfinite(value) else str(float(value))


def numbers(values: Any, n: int = 5) -> dict[str, Any]:
    """The shape, what it sums to and `n` values at even distances; those not finite are counted."""
    values = np.asarray(values)
    if values.dtype.kind not in "fc":
        values = values.astype(np.int64)
    flat = values.ravel()
    finite = flat[np.isfinite(flat)].astype(np.float64)
    places = np.linspace(0, len(finite) - 1, min(n, len(finite))).astype(int)
    found = {
        "shape": list(values.shape),
        "sum": number(finite.sum()),
        "abs": number(np.abs(finite).sum()),
        "at": [number(v) for v in finite[places].tolist()],
    }
    if len(finite) < len(flat):
        found["odd"] = len(flat) - len(finite)
    return found


def ranked(values: Any) -> dict[str, Any]:
    """Of correlations of ranks the means: two nearly equal numbers may change places anywhere."""
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    return {
        "shape": list(values.shape),
        "about": [number(finite.mean()), number(np.abs(finite).mean())],
    }


def exactly(values: Any) -> list:
    return [number(v) for v in np.asarray(values, dtype=np.float64).tolist()]


def crc(*values: Any) -> int:
    return zlib.crc32(repr(values).encode())


def columns(table: pd.DataFrame) -> dict[str, Any]:
    """The numbers of a table, truth values counted."""
    return {
        str(name): (ranked if name == "correlation" else numbers)(column)
        for name, column in table.items()
        if str(name) not in UNRECORDED and column.dtype.kind in "biuf"
    }


PASSED_OVER = ("weights", "links", "labels", "projector")


def component(proto: Any) -> dict[str, Any]:
    """What a component of our own is given, without what is packed for its script."""
    packed = json.dumps(harness.given(proto), default=lambda raw: base64.b64encode(raw).decode())
    given = json.loads(packed)
    found: dict[str, Any] = {"name": proto.component_name}
    for name, value in given.items():
        if isinstance(value, list) and value and isinstance(value[0], bool | int | float):
            found[name] = exactly(value)
        elif isinstance(value, int | float | dict) and name not in PASSED_OVER:
            found[name] = value
    return found


def differences(now: Any, then: Any, where: str = "") -> Iterator[str]:
    """Where two values differ: numbers with a comma by more than another processor explains."""
    if isinstance(now, dict) and isinstance(then, dict):
        if {"sum", "abs", "shape"} <= then.keys() <= now.keys() | {"odd"}:
            yield from _differing_numbers(now, then, where)
            return
        for name in sorted({*now, *then}):
            if name not in then and where == "/chosen":
                continue  # a control that was not there yet
            if name not in now or name not in then:
                yield f"{where}/{name} is {'new' if name in now else 'gone'}"
            else:
                yield from differences(now[name], then[name], f"{where}/{name}")
    elif isinstance(now, list) and isinstance(then, list):
        if len(now) != len(then):
            yield f"{where} has {len(now)} entries, had {len(then)}"
        for place, pair in enumerate(zip(now, then, strict=False)):
            yield from differences(*pair, f"{where}/{place}")
    elif where.endswith("/packed"):
        pair = [np.frombuffer(base64.b64decode(each), "<f4") for each in (now, then)]
        if pair[0].shape != pair[1].shape or not np.allclose(*pair, equal_nan=True, **NEAR):
            yield f"{where} holds other numbers"
    elif isinstance(now, float) or isinstance(then, float):
        close = {"abs_tol": 0.01} if any(name in where for name in OF_RANKS) else CLOSE
        if not (_is_number(now) and _is_number(then) and math.isclose(now, then, **close)):
            yield f"{where} is {now}, was {then}"
    elif not _written_alike(now, then):
        yield f"{where} is {now!r}, was {then!r}"


CLOSE = {"rel_tol": REL_TOL, "abs_tol": ABS_TOL}
OF_RANKS = ("/about/", "/masks-explain-number/", "/masks-explain-signed/")
"""Where correlations of ranks stand: two nearly equal numbers may change places."""
NEAR = {"rtol": CLOSE["rel_tol"], "atol": CLOSE["abs_tol"]}


def _written_alike(now: Any, then: Any) -> bool:
    """Return True if two values are one, or two texts whose numbers are close."""
    if isinstance(now, str) and isinstance(then, str):
        return texts_alike(now, then, **CLOSE)
    return bool(now == then)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _differing_numbers(now: dict, then: dict, where: str) -> Iterator[str]:
    for name in ("shape", "at"):
        yield from differences(now[name], then[name], f"{where}/{name}")
    if now.get("odd") != then.get("odd"):
        yield f"{where} has {now.get('odd')} odd values, had {then.get('odd')}"
    room = CLOSE["abs_tol"] + CLOSE["rel_tol"] * then["abs"]
    for name in ("sum", "abs"):
        if abs(now[name] - then[name]) > room:
            yield f"{where}/{name} is {now[name]}, was {then[name]}"


def check(now: Any, then: Any) -> None:
    # Through JSON, as what was recorded went.
    found = list(differences(json.loads(json.dumps(now)), then))
    assert not found, f"{len(found)} differ: " + "\n".join(found[:20])
