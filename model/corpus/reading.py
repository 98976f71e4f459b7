"""Files of sentences or pairs, read row by row: plain lines, TSV, JSON lines and Parquet."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from words import Message

from ..errors import InputError
from ..pairs import decoded_lines, pair_in
from ..sentence_tables import cells_by_column, cells_of, has_objects, object_of
from .protocol import Row

PARQUET = b"PAR1"
"""First bytes of a Parquet file."""
ROWS_READ = 1024
"""Rows of a Parquet file that are read at once."""


@dataclass(frozen=True)
class CorpusFacts:
    """Number of rows of a file, and the SHA-256 of its bytes."""

    n_rows: int
    digest: str


class Corpus(Protocol):
    """Rows that can be read more than once."""

    def facts(self) -> CorpusFacts: ...

    def rows(self) -> Iterator[Row]: ...


@dataclass(frozen=True)
class CorpusRows:
    """Rows in memory."""

    texts: tuple[Row, ...]

    def facts(self) -> CorpusFacts:
        return CorpusFacts(len(self.texts), hashlib.sha256(repr(self.texts).encode()).hexdigest())

    def rows(self) -> Iterator[Row]:
        return iter(self.texts)


@dataclass(frozen=True)
class CorpusFile:
    """File with a text in each of `columns` for each row.

    The content tells the format, and of objects the name does, too (`has_objects`). A table has a
    line of names (TSV), an object a line (JSON) or a schema (Parquet), and needs columns of these
    names; further ones are ignored. Other files have a sentence a line or, for two columns, a pair.
    """

    path: Path
    columns: tuple[str, ...]

    def facts(self) -> CorpusFacts:
        """Read the whole file once, so that faults are found before anything is computed.

        Raises InputError for an empty file or a damaged row, and OSError.
        """
        n_rows = sum(1 for _ in self.rows())
        if not n_rows:
            raise InputError(Message.of("lines-none", file=str(self.path)))
        with self.path.open("rb") as file:
            return CorpusFacts(n_rows, hashlib.file_digest(file, "sha256").hexdigest())

    def rows(self) -> Iterator[Row]:
        """Yield the rows; raises InputError that names file and line for a damaged one."""
        with self.path.open("rb") as file:
            first = file.readline().removeprefix(codecs.BOM_UTF8)
            file.seek(0)
            if first.startswith(PARQUET):
                yield from self._parquet_rows(file)
                return
            is_of_objects = has_objects(str(self.path), decoded_lines(str(self.path), file))
            file.seek(0)
            if is_of_objects:
                yield from self._object_rows(file)
            elif self.columns[0].encode() in first.rstrip(b"\r\n").split(b"\t"):
                yield from self._tsv_rows(file)
            else:
                yield from self._plain_rows(file)

    def _plain_rows(self, file: IO[bytes]) -> Iterator[Row]:
        are_pairs = len(self.columns) > 1
        for number, line in enumerate(decoded_lines(str(self.path), file), start=1):
            yield pair_in(str(self.path), number, line) if are_pairs else (line,)

    def _tsv_rows(self, file: IO[bytes]) -> Iterator[Row]:
        lines = decoded_lines(str(self.path), file)
        names = cells_of(str(self.path), 1, next(lines))
        self._refuse_unfit(names)
        for number, line in enumerate(lines, start=2):
            values = cells_by_column(str(self.path), number, line, names)
            yield tuple(values[column] for column in self.columns)

    def _object_rows(self, file: IO[bytes]) -> Iterator[Row]:
        for number, line in enumerate(decoded_lines(str(self.path), file), start=1):
            values = object_of(str(self.path), number, line)
            yield tuple(self._text(values.get(column), column, number) for column in self.columns)

    def _parquet_rows(self, file: IO[bytes]) -> Iterator[Row]:
        rows = (row for texts in self._parquet_texts(file) for row in zip(*texts, strict=True))
        for number, row in enumerate(rows, start=1):
            yield tuple(
                self._text(value, column, number)
                for column, value in zip(self.columns, row, strict=True)
            )

    def _parquet_texts(self, file: IO[bytes]) -> Iterator[list[list[Any]]]:
        """Yield the values of each column for some rows; raises InputError for a damaged file."""
        # Loaded here: most runs read no Parquet, and loading it takes longer than a short file.
        import pyarrow.parquet as parquet

        try:
            table = parquet.ParquetFile(file)
            self._refuse_unfit(table.schema_arrow.names)
            for batch in table.iter_batches(ROWS_READ, columns=list(self.columns)):
                yield [batch.column(column).to_pylist() for column in self.columns]
        # Values are decoded as they are read, so damage may come to light in any of these calls.
        except (OSError, ValueError) as error:
            raise InputError(Message.of("corpus-parquet", file=str(self.path))) from error

    def _refuse_unfit(self, names: list[str]) -> None:
        """Raise InputError unless a table has each of the columns once."""
        for column in self.columns:
            if names.count(column) > 1:
                raise InputError(Message.of("table-twice", file=str(self.path), column=column))
            if column not in names:
                values = {"file": str(self.path), "column": column, "names": ", ".join(names)}
                raise InputError(Message.of("corpus-column", **values))

    def _text(self, value: Any, column: str, number: int) -> str:
        """Return a value that must be a text; a missing one is empty, which its row will say."""
        if value is None:
            return ""
        if not isinstance(value, str):
            values = {"file": str(self.path), "line": number, "column": column}
            raise InputError(Message.of("corpus-text", **values, value=repr(value)[:40]))
        return value
