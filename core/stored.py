"""Files of measurements: sound from end to end, or not shown at all.

    stored = read_stored(SEARCH, folder, fingerprint)
    stored.state, stored.values, stored.fault

What a kind of file holds is declared once, as a `Part` with its ranges
(`core.measurements`); entries that it does not name are left alone.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, dataclass_transform

import msgspec
from msgspec import Meta
from msgspec import field as entry

from words import Message
from words.message import said_by

Value = TypeVar("Value")
State = Literal["found", "missing", "foreign", "damaged"]
Keys = tuple[str | int, ...]
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


@dataclass_transform(frozen_default=True, field_specifiers=(entry,))
class Part(msgspec.Struct, frozen=True):
    """Fields by their names, others beside them."""

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """From what a sound file holds."""
        return msgspec.convert(values, cls)

    def to_values(self) -> dict[str, Any]:
        """As a file holds it."""
        return msgspec.to_builtins(self)


class Made(Part):
    """With what it was measured."""

    command: Command
    hardware: str = ""
    fingerprint: str = ""


class Interval(Part):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"Expected low to be at most high, got {self.low} and {self.high}")


class ShareInterval(Interval):
    value: Share
    low: Share
    high: Share


@dataclass(frozen=True)
class Kind:
    """A kind of stored file."""

    file: str  # its name
    type: Any  # what it holds, ranges included
    command: str  # what makes it, ``{name}`` standing for its folder


@dataclass(frozen=True)
class Stored:
    """What lies in a folder of one kind: all of it, or why nothing of it is shown."""

    kind: Kind
    name: str  # of the folder
    state: State = "missing"  # "foreign" where the file was measured of other weights
    values: dict[str, Any] = field(default_factory=dict, hash=False)  # empty unless "found"
    fault: Message | None = None  # what is damaged, and where

    @property
    def command(self) -> str:
        return self.kind.command.format(name=self.name)

    @cached_property
    def part(self) -> Any:
        """The values as the type of their kind; None where there are none."""
        return msgspec.convert(self.values, self.kind.type) if self.values else None


class DamageError(ValueError):
    """Stored values are not what they should be; `fault` says where and what."""

    def __init__(self, fault: Message) -> None:
        super().__init__(str(fault))
        self.fault = fault


def read_stored(kind: Kind, folder: Path, fingerprint: str | None = None) -> Stored:
    """The file of a kind in a folder.

    `fingerprint`: of the model that it has to be measured of; None where it is of none.
    """
    try:
        values = checked((folder / kind.file).read_bytes(), kind.type)
    except (FileNotFoundError, NotADirectoryError):
        return Stored(kind, folder.name)
    except OSError as error:
        fault = Message.of("stored-unreadable", error=error.strerror or said_by(error))
        return Stored(kind, folder.name, "damaged", fault=fault)
    except DamageError as error:
        return Stored(kind, folder.name, "damaged", fault=error.fault)
    if fingerprint is not None and values.get("fingerprint") != fingerprint:
        return Stored(kind, folder.name, "foreign")
    return Stored(kind, folder.name, "found", values)


def checked(raw: bytes, type: Any, *, finite: bool = True) -> dict[str, Any]:
    """The values of a JSON file that are those of a type, its numbers `finite` or any.

    Raises DamageError: it is no JSON, or a field is missing or not what it should be.
    """
    try:
        values = json.loads(raw.decode())
    except UnicodeDecodeError as error:
        raise DamageError(Message.of("stored-no-text", byte=error.start + 1)) from error
    except json.JSONDecodeError as error:
        fault = Message.of("stored-no-json", line=error.lineno, column=error.colno)
        raise DamageError(fault) from error
    except RecursionError as error:
        raise DamageError(Message.of("stored-no-json", line=1, column=1)) from error
    if finite:
        _check_finite(values)
    try:
        msgspec.convert(values, type)
    except msgspec.ValidationError as error:
        reason, keys = str(error).partition(" - at `")[0], _keys_of(values, type, str(error))
        raise DamageError(_unfit(keys, reason)) from error
    return values


def _check_finite(values: Any) -> None:
    """Raises DamageError where one of the numbers is not."""
    try:
        json.dumps(values, allow_nan=False)  # many times faster than to go through all of them
    except ValueError:
        for keys, value in _leaves(values):
            if isinstance(value, float) and not math.isfinite(value):
                fault = _unfit(keys, f"Expected a finite number, got {value}")
                raise DamageError(fault) from None


def typed(values: Any, type: type[Value]) -> Value:
    """Sound values as a type."""
    return msgspec.convert(values, type)


def _unfit(keys: Keys, reason: str) -> Message:
    parts = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    path = "".join(parts).removeprefix(".")
    return Message.of("stored-unfit" if path else "stored-unfit-whole", field=path, told=reason)


def _leaves(values: Any, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    if not isinstance(values, dict | list):
        yield keys, values
        return
    for key, value in values.items() if isinstance(values, dict) else enumerate(values):
        yield from _leaves(value, (*keys, key))


def _keys_of(values: Any, type: Any, error: str) -> Keys:
    """The place that msgspec names, as in "... - at `$.rows[3][...].n`".

    It says "[...]" for a value of a mapping: that without which the error is another one.
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
        if keys[-1] == index:
            break
    return keys


def _refused(values: Any, type: Any, error: str) -> bool:
    try:
        msgspec.convert(values, type)
    except msgspec.ValidationError as other:
        return str(other) == error
    return False


def _with(values: Any, keys: Keys, new: Any) -> Any:
    if not keys:
        return new
    changed = values.copy()
    changed[keys[0]] = _with(values[keys[0]], keys[1:], new)
    return changed
