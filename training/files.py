"""Measured results: numbers as stored, files beside a checkpoint, tables in the docs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.bootstrap import Measure, bootstrap
from core.replacement import write_whole
from core.storage import DamageError, Interval, Kind, Value, checked, read_stored, typed

from .corpora.text_pairs import CorpusError

LISTS = r"\[[^\[\]{}]*\]"
"""Pattern of lists without inner ones, which read best on a line of their own."""
OBJECTS = r"\{[^\[\]{}]*\}"
"""Pattern of objects without inner ones."""


def store(
    path: Path,
    result: Mapping[str, Any],
    *,
    on_a_line: Sequence[str] = (),
    indent: int | None = 2,
) -> None:
    """Store `result` completely or not at all, whenever the run is killed.

    `on_a_line`: `LISTS` and `OBJECTS`, each of which is put on one line, in this order.
    """
    # Words of other languages stay readable in the file.
    text = json.dumps(result, indent=indent, ensure_ascii=False)
    # In the text, because `json.dumps` cannot indent some lists and join others.
    for inner in on_a_line:
        text = re.sub(inner, lambda match: re.sub(r"\n\s*", " ", match[0]), text)
    write_whole(path, text + "\n")


def store_rows(
    path: Path,
    result: Mapping[str, Any],
    name: str,
    depth: int,
    separators: tuple[str, str] = (", ", ": "),
) -> None:
    """Store `result` like `store`, one line for each entry and for each row of the entry `name`.

    The rows lie `depth` levels down.
    """

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=separators)

    def spread(value: Any, levels: int, indent: int) -> str:
        if not levels:
            return line(value)
        named = isinstance(value, Mapping)
        parts = [
            (f"{line(key)}: " if named else "") + spread(value[key], levels - 1, indent + 1)
            for key in (value if named else range(len(value)))
        ]
        begin, end = "{}" if named else "[]"
        pad = " " * indent
        # Only the outer levels are indented: otherwise a file of maps would have a line a weight.
        return begin + ",".join(f"\n{pad} {part}" for part in parts) + f"\n{pad}{end}"

    entries = (
        f" {line(key)}: {spread(value, depth if key == name else 0, 1)}"
        for key, value in result.items()
    )
    write_whole(path, "{\n" + ",\n".join(entries) + "\n}\n")


def read(path: Path, type: Any = dict[str, Any]) -> Any:
    """Return the contents of a JSON file, checked against a type.

    Raises CorpusError if it is missing or damaged, naming the field.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error
    return sound(raw, path, type)


def read_as(path: Path, type: type[Value]) -> Value:
    """Return the contents of a JSON file as a type. Raises CorpusError like `read`."""
    return typed(read(path, type), type)


def sound(raw: bytes, source: Path | str, type: Any, *, finite: bool = True) -> Any:
    """Return the values of JSON text, checked against a type; `source` is named in errors.

    Raises CorpusError if they are damaged, naming the field.
    """
    try:
        return checked(raw, type, finite=finite)
    except DamageError as error:
        raise CorpusError(f"{source} cannot be read: {error.fault}") from error


def stored_values(file_kind: Kind, folder: Path, fingerprint: str | None = None) -> dict[str, Any]:
    """Return what a folder holds of a kind of file; {} if it holds nothing.

    `fingerprint` as in `read_stored`.

    Raises CorpusError if it is damaged, naming the field.
    """
    stored = read_stored(file_kind, folder, fingerprint)
    if stored.fault is not None:
        raise CorpusError(f"{folder / file_kind.file} cannot be read: {stored.fault}")
    return stored.values


def numbers(values: np.ndarray) -> Any:
    """Return an array as nested lists of rounded numbers, None for NaN."""
    nested = values.tolist()
    # `tolist` of an array without axes is a bare number.
    if isinstance(nested, float):
        return number(nested)
    return [numbers(np.asarray(value)) for value in nested]


SHARE_DIGITS = 6
"""Digits of a stored share, so that a percentage with one decimal is rounded only once."""


def number(value: float, digits: int = 4) -> float | None:
    """Round a value, None for NaN, which JSON lacks; adding zero turns -0.0 into 0.0."""
    return None if math.isnan(value) else round(value, digits) + 0.0


def interval_values(interval: Interval, digits: int = 3) -> dict[str, float | None]:
    """Return value and bounds of an interval, rounded."""
    return {name: number(value, digits) for name, value in interval.to_values().items()}


def drawn_values(rows: Any, measure: Measure, digits: int = 3) -> dict[str, float | None]:
    """Return a measure of sentences with rows (n, k) and its interval (95 %, bootstrap)."""
    return interval_values(bootstrap(np.asarray(rows, dtype=float), measure), digits)


DOCS = Path(__file__).resolve().parent.parent / "docs"
MARKS = BEGIN, END = "<!-- results -->", "<!-- end of results -->"


def write_between(path: Path, text: str, marks: tuple[str, str] = MARKS) -> None:
    """Put `text` between the two marks of a page.

    Raises CorpusError if the page lacks one of them.
    """
    begin, end = marks
    before, has_begin, rest = path.read_text(encoding="utf-8").partition(begin)
    # The end is sought behind the beginning, so marks in the wrong order count as missing.
    _, has_end, after = rest.partition(end)
    if not has_begin or not has_end:
        raise CorpusError(f"{path.name} lacks the lines {begin!r} and {end!r}")
    inside = f"\n{text}\n" if text else "\n"
    path.write_text(f"{before}{begin}{inside}{end}{after}", encoding="utf-8")
