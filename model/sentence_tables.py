"""Tables of many sentences: files that people bring, and those that the commands write.

A file is one of three: sentences, one a line; pairs, source and target separated by a tab or by
"|||"; or a table with a column ``source``, as TSV with a line of names or as JSON with an object a
line. `SentenceTable.with_links` adds alignments from a file in the Pharaoh format. Faults are named
by file, line and field.
"""

from __future__ import annotations

import csv
import json
import math
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from core.alignment import Links, link_counts, pharaoh
from core.gold import Gold, error_rate
from core.roles import LEAST, SeenRoles
from words import Message

from .errors import InputError
from .lines import TranslatedLine
from .pairs import Pair, gold_in, lines_in, links_in, pairs_in, separator_of

MOST_MB = 2
MOST_LINES = 2000
MOST_TRANSLATED = 500
"""Sentences that a page translates."""
MOST_COLUMNS = 40
MOST_LETTERS = 5000  # of a cell or a sentence
DIGITS = 4  # decimals of numbers in files
TRANSLATION_COLUMNS = (
    *("line", "source", "output", "log_prob", "score", "tokens"),
    *("probabilities", "end_share", "roles", "error"),
)
"""Columns of a table of translations."""
ALIGNMENT_COLUMNS = ("line", "source", "target", "links", "gold", "error")
"""Columns of a table of alignments."""
OBJECT_ENDINGS = (".jsonl", ".ndjson", ".json")
"""Endings of files that have an object of JSON a line."""
Origin = Literal["sentences", "pairs", "table"]
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,15})(\.\d{1,15})?(e[-+]?\d{1,2})?", re.ASCII)
_ROLE = re.compile(r"([a-z-]+) (\d{1,6})/(\d{1,6})", re.ASCII)


@dataclass(frozen=True, eq=False)
class SentenceRow:
    """Sentence of a table, with whatever is known of it.

    Attributes
    ----------
    line : its number in the file, from 1.
    target : the translation that came with the sentence; None if there is none.
    output : what a model wrote.
    log_prob, score, tokens, probabilities, end_share, roles : of `model.lines.TranslatedLine`.
    links, gold : an alignment, and the one that it is compared with.
    error : why there is nothing of this sentence.
    others : further columns of the file, numbers or texts.
    """

    line: int
    source: str
    target: str | None = None
    output: str | None = None
    log_prob: float | None = None
    score: float | None = None
    tokens: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()
    end_share: float | None = None
    roles: SeenRoles | None = None
    links: Links | None = None
    gold: Gold | None = None
    error: Message | str | None = None
    others: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def pair(self) -> Pair:
        """Source, and the target that links count: the one given, or else the output."""
        return self.source, (self.output or "") if self.target is None else self.target

    @property
    def roles_share(self) -> float | None:
        """Share of the heads with a role that show it here; None if none was tested."""
        counts = list((self.roles or {}).values())
        tested = sum(n for _, n in counts)
        return sum(active for active, _ in counts) / tested if tested else None

    @property
    def error_rate(self) -> float | None:
        """Alignment error rate of the sentence; None without links and gold."""
        return rate_of([self])


@dataclass(frozen=True, eq=False)
class SentenceTable:
    """Table of sentences with the name of its file."""

    name: str
    origin: Origin
    rows: tuple[SentenceRow, ...]

    @property
    def pairs(self) -> list[Pair]:
        return [row.pair for row in self.rows]

    def with_links(self, name: str, data: bytes) -> SentenceTable:
        """Add the alignment of each sentence from the content of a file in the Pharaoh format.

        Raises InputError if there are not as many lines as sentences, or a line has something other
        than links of the words of its pair.
        """
        aligned = gold_in(name, _lines(name, data), self.pairs)
        rows = (
            replace(row, links=links.possible)
            for row, links in zip(self.rows, aligned, strict=True)
        )
        return replace(self, rows=tuple(rows))

    def with_gold(self, name: str, data: bytes, first: int = 0) -> SentenceTable:
        """Add the gold alignment of each sentence, whose words count from `first`.

        Raises InputError as `with_links`.
        """
        golds = gold_in(name, _lines(name, data), self.pairs, first)
        rows = (replace(row, gold=gold) for row, gold in zip(self.rows, golds, strict=True))
        return replace(self, rows=tuple(rows))

    def with_lines(self, lines: Sequence[TranslatedLine]) -> SentenceTable:
        """Add what a model wrote and measured for each sentence, in the order of the rows."""
        rows = (_measured(row, line) for row, line in zip(self.rows, lines, strict=True))
        return replace(self, rows=tuple(rows))

    def bare(self) -> SentenceTable:
        """Return the table without what a model wrote and measured, to be measured anew."""
        rows = []
        for row in self.rows:
            kept = SentenceRow(row.line, row.source, row.target)
            # Links to the words of an output are void with it.
            if row.target is not None:
                kept = replace(kept, links=row.links, gold=row.gold)
            rows.append(kept)
        return replace(self, rows=tuple(rows))


def _measured(row: SentenceRow, line: TranslatedLine) -> SentenceRow:
    """Return `row` with the results of `line`."""
    if line.error is not None:
        return replace(row, error=line.error.message)
    return replace(
        row,
        output=line.output if row.target is None else None,
        log_prob=line.log_prob,
        score=line.score,
        tokens=line.tokens,
        probabilities=tuple(map(float, line.probabilities)),
        end_share=line.end_share,
        roles=line.roles,
    )


def rate_of(rows: Sequence[SentenceRow]) -> float | None:
    """Return the alignment error rate over all rows with links and gold.

    None without such a row, or if neither has a link in any of them.
    """
    counts = [
        link_counts(row.links, row.gold)
        for row in rows
        if row.links is not None and row.gold is not None
    ]
    sums = np.sum(counts, axis=0) if counts else np.zeros(4, int)
    return float(error_rate(sums)) if sums[2] + sums[3] else None


# -- reading -----------------------------------------------------------------------------------


def read_sentence_table(name: str, data: bytes) -> SentenceTable:
    """Read the content `data` of a file called `name`.

    Raises InputError, naming line and field, if it is larger than `MOST_MB`, `MOST_LINES` or
    `MOST_LETTERS`, is not UTF-8, has no sentences, or holds values that its columns do not take.
    """
    lines = _lines(name, data)
    first = next((line for line in lines if line.strip()), "")
    if has_objects(name, lines):
        rows = [_object_row(name, number, line) for number, line in enumerate(lines, start=1)]
        return SentenceTable(name, "table", tuple(rows))
    if "source" in lines[0].split("\t"):
        return SentenceTable(name, "table", _tsv_rows(name, lines))
    if separator_of(first) is not None:
        pairs = pairs_in(name, lines)
        _refuse_long(name, [max(pair, key=len) for pair in pairs])
        rows = [SentenceRow(n, source, target) for n, (source, target) in enumerate(pairs, 1)]
        return SentenceTable(name, "pairs", tuple(rows))
    _refuse_long(name, lines)
    rows = [SentenceRow(number, line.strip()) for number, line in enumerate(lines, start=1)]
    return SentenceTable(name, "sentences", tuple(rows))


def _lines(name: str, data: bytes) -> list[str]:
    """Return the lines of a file; raises InputError if it is too large or not UTF-8."""
    if len(data) > MOST_MB * 2**20:
        raise InputError(Message.of("table-large", file=name, most=MOST_MB))
    lines = lines_in(name, data)
    if len(lines) > MOST_LINES:
        raise InputError(Message.of("table-lines", file=name, n=len(lines), most=MOST_LINES))
    # The cells of a table have limits of their own; this one is for the parsers.
    _refuse_long(name, lines, MOST_LETTERS * MOST_COLUMNS)
    return lines


def _refuse_long(name: str, texts: Sequence[str], most: int = MOST_LETTERS) -> None:
    """Raise InputError for the first text with more than `most` characters."""
    for number, text in enumerate(texts, start=1):
        if len(text) > most:
            values = {"file": name, "line": number, "n": len(text), "most": most}
            raise InputError(Message.of("table-letters", **values))


def _tsv_rows(name: str, lines: Sequence[str]) -> tuple[SentenceRow, ...]:
    """Return the rows of a table whose first line names the columns."""
    columns = cells_of(name, 1, lines[0])
    if len(columns) > MOST_COLUMNS or len({*columns}) < len(columns):
        twice = next((column for column in columns if columns.count(column) > 1), "")
        if twice:
            raise InputError(Message.of("table-twice", file=name, column=twice[:40]))
        raise _many_columns(name, len(columns))
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        values = cells_by_column(name, number, line, columns)
        # An empty source is a sentence that a model refused, no links are an alignment.
        kept = {"source"} if values.get("error") else {"source", "links", "gold"}
        values = {column: cell for column, cell in values.items() if cell or column in kept}
        rows.append(_row(name, number, number - 1, values))
    if not rows:
        raise InputError(Message.of("lines-none", file=name))
    return tuple(rows)


def _many_columns(name: str, n: int) -> InputError:
    return InputError(Message.of("table-many-columns", file=name, n=n, most=MOST_COLUMNS))


def cells_of(name: str, number: int, line: str) -> list[str]:
    """Return the cells of a line of TSV."""
    try:
        # A carriage return within a line ends no line here, but for `csv` it does.
        lines = [line.replace("\r", " ")]
        return next(csv.reader(lines, delimiter="\t", strict=True), [""])
    except csv.Error as error:
        fault = Message.of("table-quotes", file=name, line=number)
        raise InputError(fault, hint=Message("table-quotes-hint")) from error


def cells_by_column(name: str, number: int, line: str, columns: Sequence[str]) -> dict[str, str]:
    """Return the cells of a line of TSV by column; raises InputError for another number of them."""
    cells = cells_of(name, number, line)
    if len(cells) != len(columns):
        values = {"file": name, "line": number, "n": len(cells), "expected": len(columns)}
        raise InputError(Message.of("table-columns", **values))
    return dict(zip(columns, cells, strict=True))


def has_objects(name: str, lines: Iterable[str]) -> bool:
    """Return True if a file has an object of JSON a line, by its `name` or by its `lines`.

    A first object with a source is enough, so that damage below it is named. Without one, all lines
    must be objects, since a sentence may begin with a brace.
    """
    if name.lower().endswith(OBJECT_ENDINGS):
        return True
    objects = (_object_in(line) for line in lines if line.strip())
    first = next(objects, None)
    return first is not None and ("source" in first or None not in objects)


def object_of(name: str, number: int, line: str) -> dict[str, Any]:
    """Return the object of a line of JSON; raises InputError if it is none."""
    values = _object_in(line)
    if values is None:
        raise InputError(
            Message.of("table-object", file=name, line=number), hint=Message("table-object-hint")
        )
    return values


def _object_in(line: str) -> dict[str, Any] | None:
    """Return the object of a line of JSON, or None if it is none."""
    try:
        values = json.loads(line)
    # RecursionError: JSON may nest deeper than Python reads.
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _object_row(name: str, number: int, line: str) -> SentenceRow:
    """Return the row of a line of JSON."""
    values = object_of(name, number, line)
    if len(values) > MOST_COLUMNS:
        raise _many_columns(name, len(values))
    return _row(name, number, number, values)


def _row(name: str, number: int, position: int, values: Mapping[str, Any]) -> SentenceRow:
    """Return the row of the file's line `number` from its values by column."""
    read: dict[str, Any] = {"line": position, "source": None}
    others: dict[str, float | str] = {}
    for column, value in values.items():
        if value is None:
            continue
        try:
            if column in _READERS:
                read[column] = _READERS[column](value)
            else:
                others[_text(column)] = _other(value)
        except _UnfitError as error:
            raise _fault(name, number, column, str(error), value) from error
    if read["source"] is None:
        raise _fault(name, number, "source", "text", "")
    tokens = read.get("tokens", ())
    probabilities = read.get("probabilities", ())
    if tokens and probabilities and len(tokens) != len(probabilities):
        if isinstance(values["tokens"], list):
            counts = {"n": len(tokens), "expected": len(probabilities)}
            raise InputError(Message.of("table-lengths", file=name, line=number, **counts))
        # In TSV a token that holds a space looks like two, so none of them is certain.
        read["tokens"] = ()
    links = {column: read.pop(column) for column in ("links", "gold") if column in read}
    row = SentenceRow(**read, others=others)
    if "links" in links:
        aligned = links_in(name, number, links["links"], row.pair)
        row = replace(row, links=aligned.possible)
    if "gold" in links:
        row = replace(row, gold=links_in(name, number, links["gold"], row.pair))
    return row


class _UnfitError(ValueError):
    """A value that its column does not take; the text names what is expected."""


def _fault(name: str, number: int, column: str, expected: str, value: Any) -> InputError:
    cell = value if isinstance(value, str) else reprlib.repr(value)
    values = {"file": name, "line": number, "expected": expected}
    texts = {"column": _printable(column)[:40], "found": _printable(cell)[:40]}
    return InputError(Message.of("table-value", **values, **texts))


def _printable(text: str) -> str:
    """Return `text` with half surrogate pairs, which no page can show, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _text(value: Any) -> str:
    """Return a text; half a surrogate pair, which JSON can spell, is none."""
    if not isinstance(value, str) or len(value) > MOST_LETTERS or _printable(value) != value:
        raise _UnfitError("text")
    return value


def _number(
    value: Any, expected: str = "number", least: float = -math.inf, most: float = math.inf
) -> float:
    """Return a finite number from `least` to `most`; `expected` names it for the reader."""
    # A bool is an int for Python.
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _UnfitError(expected)
    try:
        number = float(value)
    except (ValueError, OverflowError) as error:
        raise _UnfitError(expected) from error
    if not (math.isfinite(number) and least <= number <= most):
        raise _UnfitError(expected)
    return number


def _log_prob(value: Any) -> float:
    return _number(value, "log-prob", most=0)


def _share(value: Any) -> float:
    return _number(value, "share", 0, 1)


def _line(value: Any) -> int:
    number = _number(value, "line", 1, 10**9)
    if not number.is_integer():
        raise _UnfitError("line")
    return int(number)


def _several(value: Any) -> list[Any]:
    """Return the parts of a list, which a cell of TSV joins by spaces."""
    if isinstance(value, str):
        return value.split(" ")
    if not isinstance(value, list) or len(value) > MOST_LETTERS:
        raise _UnfitError("list")
    return value


def _tokens(value: Any) -> tuple[str, ...]:
    return tuple(map(_text, _several(value)))


def _shares(value: Any) -> tuple[float, ...]:
    return tuple(map(_share, _several(value)))


def _roles(value: Any) -> SeenRoles:
    """Return roles from an object of JSON, or from a cell such as "next 3/4, end 5/6"."""
    if isinstance(value, str):
        matches = [_ROLE.fullmatch(part) for part in value.split(", ")]
        counts = {m[1]: [int(m[2]), int(m[3])] for m in matches if m is not None}
        if len(counts) < len(matches):
            raise _UnfitError("roles")
    else:
        counts = value
    if not isinstance(counts, dict) or not {*counts} <= {*LEAST}:
        raise _UnfitError("roles")
    roles = {}
    for role, pair in counts.items():
        ints = isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair)
        if not ints or not 0 <= pair[0] <= pair[1] <= 10**6 or not pair[1]:
            raise _UnfitError("roles")
        roles[role] = (pair[0], pair[1])
    return roles


def _other(value: Any) -> float | str:
    """Return a value of a column that the app does not know: a number, or a text."""
    if isinstance(value, str):
        # "007" is a name, not the number 7.
        return _number(value) if _NUMBER.fullmatch(value) else _text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value)
    try:
        return _text(json.dumps(value))
    except RecursionError as error:
        raise _UnfitError("text") from error


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "line": _line,
    **dict.fromkeys(("source", "target", "output", "links", "gold", "error"), _text),
    "log_prob": _log_prob,
    "score": _number,
    "tokens": _tokens,
    "probabilities": _shares,
    "end_share": _share,
    "roles": _roles,
}
"""Readers of the known columns."""


# -- writing -----------------------------------------------------------------------------------


def values_of(line: TranslatedLine) -> dict[str, Any]:
    """Return the columns of a translation, numbers rounded; those that it lacks are missing."""
    values: dict[str, Any] = {"line": line.line, "source": line.source}
    if line.error is not None:
        return {**values, "error": str(line.error)}
    values |= {
        "output": line.output,
        "log_prob": round(line.log_prob, DIGITS),
        "score": round(line.score, DIGITS),
        "tokens": list(line.tokens),
        "probabilities": [round(float(p), DIGITS) for p in line.probabilities],
    }
    if line.end_share is not None:
        values["end_share"] = round(line.end_share, DIGITS)
    if line.roles is not None:
        values["roles"] = {role: list(counts) for role, counts in line.roles.items()}
    return values


def cell_of(value: Any) -> Any:
    """Return a value as a cell of TSV: lists joined by spaces, roles as "next 3/4, end 5/6"."""
    # Pieces of a vocabulary have ▁ for a space, so a space separates them.
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{role} {active}/{n}" for role, (active, n) in value.items())
    return value


def gold_text(gold: Gold) -> str:
    """Write a gold alignment as "0-0 1p2": sure links, then those that are only possible."""
    possible = pharaoh(gold.possible - gold.sure).replace("-", "p")
    return " ".join(filter(None, (pharaoh(gold.sure), possible)))
