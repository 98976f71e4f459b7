"""Bare weights of attention without names: a table of numbers, a JSON list, or an NPY array.

Tokens come from the header and the first column of a table, and are otherwise numbered from 1.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from words import Message

from ..errors import InputError
from .recording_sizes import few, refused

_DELIMITERS = "\t;,"  # in this order: a decimal comma may stand beside a semicolon


def named(name: str, weights: Any, shape: Sequence[int]) -> dict[str, Any]:
    """Return the entries of a recording for weights whose last two axes are queries and keys.

    `name` is that of the file. Raises InputError for an axis of too many tokens.
    """
    n_queries, n_keys = shape[-2:]
    for n in (n_queries, n_keys):
        few(name, "tokens", n)
    return _entries(weights, _numbers(n_queries), _numbers(n_keys))


def table_entries(name: str, text: str) -> dict[str, Any]:
    """Return the entries of a recording for the table `text`, one row of weights a query.

    Cells are separated by tabs, semicolons, commas or spaces. Raises InputError if the table has
    no numbers, or rows of different length.
    """
    queries, keys, rows = _split(_cells_of(name, text))
    if not rows or not any(rows) or all(_number(cell) is None for row in rows for cell in row):
        raise neither(name)
    lengths = sorted({len(row) for row in rows} | ({len(keys)} if keys is not None else set()))
    if len(lengths) > 1:
        raise refused("ragged", name, least=lengths[0], most=lengths[-1])
    few(name, "tokens", lengths[0])
    return _entries(_weights(name, rows), *_labels(queries, keys, len(rows), lengths[0]))


def _split(rows: list[list[str]]) -> tuple[list[str] | None, list[str] | None, list[list[str]]]:
    """Return the names of queries and keys, each None if there are none, and the other cells."""
    keys = _header(rows)
    if keys is not None:
        rows = rows[1:]
    if not rows:
        return None, keys, rows
    in_corner = keys is not None and len(keys) == len(rows[0]) and not keys[0]
    if not in_corner and not any(_is_name(row[0]) for row in rows):
        return None, keys, rows
    queries = [row[0] for row in rows]
    rows = [row[1:] for row in rows]
    if keys is not None and len(keys) > len(rows[0]):
        keys = keys[1:]
    return queries, keys, rows


def neither(name: str) -> InputError:
    """Build the error about a file of no known form."""
    return refused("damaged", name, told=Message("recording-neither"))


def _cells_of(name: str, text: str) -> list[list[str]]:
    """Return the cells of the lines that are not empty; InputError if there are too many."""
    lines = [line for line in text.splitlines() if line.strip()]
    # The first line may be a header, and the first cell of a line a name.
    few(name, "tokens", max(1, len(lines) - 1))
    few(name, "tokens", max(1, max(map(_least_cells, lines), default=1) - 1))
    first = lines[0] if lines else ""
    delimiter = next((sign for sign in _DELIMITERS if sign in first), "")
    if not delimiter:
        return [line.split() for line in lines]
    rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)
    ]
    if delimiter == ";":
        return [[_with_point(cell) for cell in row] for row in rows]
    return rows


def _least_cells(line: str) -> int:
    """Return a number of cells that a line cannot fall short of, but for quoted separators."""
    return max(line.count(sign) for sign in _DELIMITERS) + 1


def _with_point(cell: str) -> str:
    """Return a number that has a decimal comma with a point; other cells as they are."""
    number = cell.replace(",", ".")
    return cell if _number(number) is None else number


def _header(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Return the first row if it names the keys, else None."""
    if not rows:
        return None
    first = list(rows[0])
    # pandas writes a header of 0, 1, 2, ... for columns without names.
    if len(first) > 2 and _counts(first):
        return first
    if all(map(_is_weight, first[1:])) and not _counts(first[1:]):
        # A name, or nothing, before weights: as a header it would cost the matrix its first row.
        is_row = not first[0] or all(_is_name(row[0]) for row in rows)
        if len(first) > 1 and is_row:
            return None
    has_corner = not first[0] and all(first[1:])
    return first if has_corner or any(map(_is_name, first)) else None


def _is_name(cell: str) -> bool:
    """Return True for a text that is no number; an empty cell may be a weight that is missing."""
    return bool(cell) and _number(cell) is None


def _is_weight(cell: str) -> bool:
    """Return True for a number from 0 to 1."""
    number = _number(cell)
    return number is not None and 0 <= number <= 1


def _counts(cells: Sequence[str]) -> bool:
    """Return True if the cells are the numbers 0, 1, 2, ..."""
    return list(cells) == [str(i) for i in range(len(cells))]


def _labels(
    queries: list[str] | None, keys: list[str] | None, n_queries: int, n_keys: int
) -> tuple[list[str], list[str]]:
    """Return the tokens of queries and keys; one side names the other if there are as many."""
    sides = [None if names is None or _counts(names) else names for names in (queries, keys)]
    if n_queries == n_keys:
        either = sides[0] or sides[1]
        sides = [side or either for side in sides]
    return sides[0] or _numbers(n_queries), sides[1] or _numbers(n_keys)


def _weights(name: str, rows: Sequence[Sequence[str]]) -> list[list[float]]:
    """Return the numbers of a table; InputError names the first cell that is none."""
    weights = []
    for i, row in enumerate(rows, start=1):
        numbers = [_number(cell) for cell in row]
        for j, number in enumerate(numbers, start=1):
            if number is None:
                raise refused("cell", name, row=i, column=j, found=row[j - 1])
        weights.append([number for number in numbers if number is not None])
    return weights


def _number(cell: str) -> float | None:
    """Return the number that a cell is, None if it is none."""
    try:
        return float(cell)
    except ValueError:
        return None


def _numbers(n: int) -> list[str]:
    return [str(i + 1) for i in range(n)]


def _entries(weights: Any, queries: list[str], keys: list[str]) -> dict[str, Any]:
    """Return the entries of self-attention if both sides are the same, else of cross-attention."""
    if queries == keys:
        return {"tokens": keys, "attentions": weights}
    return {"source_tokens": keys, "target_tokens": queries, "cross": weights}
