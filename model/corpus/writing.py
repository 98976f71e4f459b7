"""Results of a corpus, written row by row: TSV, JSON lines, Parquet, and links alone."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

from core.replacement import replacement

from ..sentence_tables import cell_of
from .protocol import Values

TableFormat = Literal["tsv", "jsonl", "parquet", "links"]
"""Format of results; ``links`` has the links of a row and nothing else (Pharaoh)."""
Write = Callable[[Values], object]
FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)
ROW_GROUP = 1024
"""Rows of a Parquet file that are written at once."""


def format_at(path: Path | None, default: TableFormat) -> TableFormat:
    """Return the format that the ending of a file asks for."""
    suffix = "" if path is None else path.suffix[1:]
    return next((name for name in FORMATS if name == suffix), default)


@contextmanager
def written(path: Path | None, columns: Sequence[str], table: TableFormat) -> Iterator[Write]:
    """Yield a function that writes one row to the file at `path`, or to standard output.

    The file is there once the block has ended without an error.
    """
    if path is None:
        yield _text_writer(sys.stdout, columns, table)
        return
    with replacement(path) as unfinished:
        if table == "parquet":
            with _parquet_writer(unfinished, columns) as write:
                yield write
        else:
            with unfinished.open("w", encoding="utf-8", newline="\n") as file:
                yield _text_writer(file, columns, table)


def _text_writer(file: TextIO, columns: Sequence[str], table: TableFormat) -> Write:
    """Return a function that writes a row as text."""
    if table == "jsonl":
        return lambda values: print(json.dumps(values, ensure_ascii=False), file=file)
    if table == "links":
        return lambda values: print(values.get("links", ""), file=file)
    rows = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n")
    rows.writeheader()
    return lambda values: rows.writerow({name: cell_of(value) for name, value in values.items()})


@contextmanager
def _parquet_writer(path: Path, columns: Sequence[str]) -> Iterator[Write]:
    """Yield a function that writes a row of a Parquet file; roles are written as in TSV."""
    import pyarrow
    import pyarrow.parquet as parquet

    types = {
        "line": pyarrow.int64(),
        **dict.fromkeys(("log_prob", "score", "end_share"), pyarrow.float64()),
        "tokens": pyarrow.list_(pyarrow.string()),
        "probabilities": pyarrow.list_(pyarrow.float64()),
    }
    schema = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in columns])
    waiting: list[dict[str, Any]] = []

    def flush() -> None:
        table.write_table(pyarrow.Table.from_pylist(waiting, schema=schema))
        waiting.clear()

    def write(values: Values) -> None:
        roles = {"roles": cell_of(values["roles"])} if "roles" in values else {}
        waiting.append(values | roles)
        if len(waiting) == ROW_GROUP:
            flush()

    with parquet.ParquetWriter(path, schema) as table:
        yield write
        if waiting:
            flush()
