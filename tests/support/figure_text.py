"""Text of a figure, for specifications and numbers that people read as a difference."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from viz.theme import altair_theme

NESTED = ("layer", "hconcat", "vconcat", "concat")
OF_ALL = {"$schema", "datasets", *altair_theme()}
MOST_VALUES = 8


def chart_text(part: Mapping, indent: str = "", seen: set[str] | None = None) -> str:
    """A specification of Altair, a line for each channel of a layer and each other property.

    A channel that is as it was in a layer above is only named.
    """
    seen = set() if seen is None else seen
    rows, channels = [], part.get("encoding", {})
    for key in sorted(part.keys() - OF_ALL - {"encoding"}):
        if key in NESTED:
            for each in part[key]:
                rows += [f"{indent}{key}:", chart_text(each, indent + "  ", seen).rstrip("\n")]
        else:
            rows.append(f"{indent}{key}: {_json(part[key])}")
    before = [name for name in channels if _channel(name, channels) in seen]
    new = [_channel(name, channels) for name in sorted(channels.keys() - {*before})]
    seen.update(new)
    rows += [indent + line for line in new]
    rows += [f"{indent}as above: {', '.join(sorted(before))}"] if before else []
    return "\n".join(rows) + "\n"


def _channel(name: str, channels: Mapping) -> str:
    return f"{name} {_json(channels[name])}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def table_lines(name: str, tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """A line a table: its length, of each column of numbers their mean, of others a value.

    Numbers are weighted by their rows, counted from 1, so that two that change places are seen.
    """
    for table, frame in tables.items():
        columns = ", ".join(f"{column} {_digest(frame[column])}" for column in frame)
        yield f"{name}.{table} ({len(frame)}): {columns}"


def _digest(column: pd.Series) -> str:
    if column.dtype.kind in "iuf":
        values, rows = column.to_numpy(float), np.arange(1, 1 + len(column))
        finite = np.isfinite(values)
        return short((values * rows)[finite].sum() / max(1, rows[finite].sum()))
    return short(column.iloc[-1]) if len(column) else "-"


def plot_text(figure: Mapping) -> str:
    """A figure of Plotly as a dictionary: a line a property, of arrays the first numbers."""
    layout = {key: value for key, value in figure["layout"].items() if key != "template"}
    parts = {"layout": layout} | {f"trace {n}": trace for n, trace in enumerate(figure["data"])}
    return "".join(f"{at}{key}: {text}\n" for at in parts for key, text in _properties(parts[at]))


def _properties(part: object, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(part, dict) and "bdata" in part:
        # Numbers, not their bits: another processor rounds otherwise.
        part = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
    if isinstance(part, list | tuple) and part and isinstance(part[0], dict):
        part = dict(enumerate(part))
    if isinstance(part, dict):
        for name in sorted(part):
            yield from _properties(part[name], f"{key}.{name}")
    elif isinstance(part, np.ndarray | list | tuple):
        values = np.asarray(part, object).ravel()
        yield key, f"{', '.join(map(short, values[:MOST_VALUES]))} ({len(values)})"
    else:
        yield key, short(part)


def short(value: object) -> str:
    """Three digits of a number; of a picture that it is one."""
    if isinstance(value, float | np.floating):
        return f"{value + 0:.3g}"
    if isinstance(value, int | np.integer | np.bool_):
        return str(value)
    text = str(value)
    return "a picture" if text.startswith("data:") else json.dumps(text[:60], ensure_ascii=False)
