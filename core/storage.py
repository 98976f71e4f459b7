"""Files of measurements: valid as a whole, or not shown at all.

    stored = read_stored(SEARCH, folder, fingerprint)
    stored.state, stored.values, stored.fault

The content of a kind of file is declared once, as a `Part` with its ranges
(`core.measurements`); unknown entries are ignored.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, dataclass_transform

import msgspec
from msgspec import Meta

from words import Message
from words.names import said_by

entry = msgspec.field
Value = TypeVar("Value")
State = Literal["found", "missing", "foreign", "damaged"]
"""State of a file; "foreign" if it was measured with other weights."""
Keys = tuple[str | int, ...]
"""Path to a value inside nested mappings and lists."""
Share = Annotated[float, Meta(ge=0, le=1)]
Percent = Annotated[float, Meta(ge=0, le=100)]
Correlation = Annotated[float, Meta(ge=-1, le=1)]
LogProb = Annotated[float, Meta(le=0)]
Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
AtLeastOne = Annotated[int, Meta(ge=1)]
Perplexity = Annotated[float, Meta(ge=1)]
Command = Annotated[str, Meta(pattern="^[^`]*$")]
"""Shell command; no backtick, because pages print it as code in Markdown."""


@dataclass_transform(frozen_default=True, field_specifiers=(entry,))
class Part(msgspec.Struct, frozen=True):
    """Base class of stored records: named fields with ranges, unknown ones ignored."""

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Build the record from the values of a valid file."""
        return msgspec.convert(values, cls)

    def to_values(self) -> dict[str, Any]:
        """Return the record as a file holds it."""
        return msgspec.to_builtins(self)


class MeasuredFile(Part):
    """Base class of files of measurements: command, hardware and model fingerprint behind it."""

    command: Command
    hardware: str = ""
    fingerprint: str = ""


class Interval(Part):
    """Number and its 95 % interval."""

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        # The value may lie outside: a percentile interval need not hold the estimate.
        if self.low > self.high:
            raise ValueError(f"Expected low to be at most high, got {self.low} and {self.high}")


class ShareInterval(Interval):
    """Interval of a share, 0 to 1."""

    value: Share
    low: Share
    high: Share


@dataclass(frozen=True)
class Kind:
    """Kind of stored file."""

    file: str  # name of the file
    type: Any  # type of the content, ranges included
    command: str  # command that makes it, with ``{name}`` for its folder


@dataclass(frozen=True)
class Stored:
    """Content of a folder's file of one kind, or the reason why nothing of it is shown."""

    file_kind: Kind
    name: str  # of the folder
    state: State = "missing"  # "foreign" if the file was measured with other weights
    values: dict[str, Any] = field(default_factory=dict, hash=False)  # empty unless "found"
    fault: Message | None = None  # what is damaged, and where

    @property
    def command(self) -> str:
        """Command that makes the file."""
        return self.file_kind.command.format(name=self.name)

    @cached_property
    def part(self) -> Any:
        """Values as the type of their kind; None if there are none."""
        return msgspec.convert(self.values, self.file_kind.type) if self.values else None


class DamageError(ValueError):
    """Invalid stored values; `fault` names the field and the reason."""

    def __init__(self, fault: Message) -> None:
        super().__init__(str(fault))
        self.fault = fault


def read_stored(file_kind: Kind, folder: Path, fingerprint: str | None = None) -> Stored:
    """Read the file of a kind in a folder; problems are reported in the result, not raised.

    `fingerprint`: expected model fingerprint; None if the file belongs to no model.
    """
    try:
        values = checked((folder / file_kind.file).read_bytes(), file_kind.type)
    except (FileNotFoundError, NotADirectoryError):
        return Stored(file_kind, folder.name)
    except OSError as error:
        fault = Message.of("stored-unreadable", error=error.strerror or said_by(error))
        return Stored(file_kind, folder.name, "damaged", fault=fault)
    except DamageError as error:
        return Stored(file_kind, folder.name, "damaged", fault=error.fault)
    if fingerprint is not None and values.get("fingerprint") != fingerprint:
        # Numbers of other weights would be believed on a page, so they are not even returned.
        return Stored(file_kind, folder.name, "foreign")
    return Stored(file_kind, folder.name, "found", values)


def checked(raw: bytes, type: Any, *, finite: bool = True) -> dict[str, Any]:
    """Parse a JSON file and validate it against a type; returns its values.

    Parameters
    ----------
    raw : bytes
    type : type of the content
    finite : bool
        Reject NaN and infinity.

    Raises
    ------
    DamageError : the file is no JSON, or a field is missing or invalid.
    """
    try:
        # Not msgspec's decoder: it rejects NaN, which some files may hold (`finite`).
        values = json.loads(raw.decode())
    except UnicodeDecodeError as error:
        raise DamageError(Message.of("stored-no-text", byte=error.start + 1)) from error
    except json.JSONDecodeError as error:
        fault = Message.of("stored-no-json", line=error.lineno, column=error.colno)
        raise DamageError(fault) from error
    # Deeply nested brackets exhaust the parser's stack; Python gives no position for them.
    except RecursionError as error:
        raise DamageError(Message.of("stored-no-json", line=1, column=1)) from error
    # Python converts no longer integer; it gives no position either.
    except ValueError as error:
        reason = f"Expected integers of at most {sys.get_int_max_str_digits()} digits"
        raise DamageError(_unfit((), reason)) from error
    if finite:
        _check_finite(values)
    try:
        msgspec.convert(values, type)
    except msgspec.ValidationError as error:
        # The message names the field apart, so the reason must not repeat its path.
        reason = str(error).partition(" - at `")[0]
        keys = _keys_of(values, type, str(error))
        raise DamageError(_unfit(keys, reason)) from error
    return values


def _check_finite(values: Any) -> None:
    """Raise DamageError if a number is not finite."""
    try:
        json.dumps(values, allow_nan=False)  # many times faster than a loop in Python
    except ValueError:
        for keys, value in _leaves(values):
            if isinstance(value, float) and not math.isfinite(value):
                fault = _unfit(keys, f"Expected a finite number, got {value}")
                raise DamageError(fault) from None


def typed(values: Any, type: type[Value]) -> Value:
    """Convert valid values to a type."""
    return msgspec.convert(values, type)


def _unfit(keys: Keys, reason: str) -> Message:
    """Return the message of an invalid field, with its path."""
    parts = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    path = "".join(parts).removeprefix(".")
    return Message.of("stored-unfit" if path else "stored-unfit-whole", field=path, told=reason)


def _leaves(values: Any, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Yield the path and value of every leaf."""
    if not isinstance(values, dict | list):
        yield keys, values
        return
    for key, value in values.items() if isinstance(values, dict) else enumerate(values):
        yield from _leaves(value, (*keys, key))


def _keys_of(values: Any, type: Any, error: str) -> Keys:
    """Return the path that msgspec names, as in "... - at `$.rows[3][...].n`".

    For a value of a mapping it says "[...]"; the key is found as the one that gives the same error
    alone.
    """
    path = error.rpartition("`$")[2].rstrip("`") if "`$" in error else ""
    keys: Keys = ()
    for name, index in re.findall(r"\.([^.\[]+)|\[([^\]]+)\]", path):
        if index != "...":
            keys = (*keys, name or int(index))
            continue
        within = values
        for key in keys:
            within = within[key]
        alone = (k for k, v in within.items() if _refused(_with(values, keys, {k: v}), type, error))
        keys = (*keys, next(alone, index))
        # No key fails alone, so the path cannot be followed any further.
        if keys[-1] == index:
            break
    return keys


def _refused(values: Any, type: Any, error: str) -> bool:
    """Return True if the values raise the same error."""
    try:
        msgspec.convert(values, type)
    except msgspec.ValidationError as other:
        return str(other) == error
    return False


def _with(values: Any, keys: Keys, new: Any) -> Any:
    """Return nested values with the one at `keys` replaced."""
    if not keys:
        return new
    # Only what lies on the path is copied: files may be large, and every key is tried.
    changed = values.copy()
    changed[keys[0]] = _with(values[keys[0]], keys[1:], new)
    return changed
