"""Reader of `config.json` that names every fault at once."""

from __future__ import annotations

import dataclasses
import difflib
from typing import Any, Literal, get_args, get_origin, get_type_hints

from words import Message

from ..config import entry_fault
from ..errors import CheckpointError

_TYPES: dict[type, tuple[str, tuple[type, ...]]] = {
    int: ("whole", (int,)),
    float: ("number", (int, float)),
    bool: ("truth", (bool,)),
    str: ("text", (str,)),
}


def config_from_dict(config_class: type, values: dict[str, Any], *, name: str = "config") -> Any:
    """Build a config from the entries of a JSON file.

    Fields have the types int, float, bool, str, ``Literal`` of these, or ``tuple[..., ...]`` of one
    of them, which is a list in JSON. Raises one CheckpointError that lists every entry that is
    unknown (similar names are suggested), missing, of the wrong type or out of range.
    """
    fields = {f.name: f for f in dataclasses.fields(config_class)}
    types = get_type_hints(config_class)
    faults = []
    for key in values:
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            faults.append(
                Message.of("model-config-unknown-near", entry=repr(key), near=repr(near[0]))
                if near
                else Message.of("model-config-unknown", entry=repr(key))
            )
    accepted = {}
    for key, f in fields.items():
        if key not in values:
            if f.default is dataclasses.MISSING:
                faults.append(Message.of("model-config-missing", entry=repr(key)))
            continue
        value, fault = _read(types[key], repr(key), values[key])
        if fault is None:
            accepted[key] = value
        else:
            faults.append(fault)
    if all(key in accepted or f.default is not dataclasses.MISSING for key, f in fields.items()):
        config = config_class(**accepted)
        # An entry that could not be read has its default here, whose faults are not the file's.
        unread = values.keys() - accepted.keys()
        faults += [f for f in config.faults() if not unread.intersection(str(f).split())]
        if not faults:
            return config
    raise CheckpointError(
        Message.of("model-config-unfit", name=name, faults=tuple(faults)),
        hint=Message("model-checkpoint-same-run"),
    )


def _read(field_type: Any, entry: str, value: Any) -> tuple[Any, Message | None]:
    """Return a JSON value as a field of `field_type` holds it, and its fault or None."""
    if get_origin(field_type) is Literal:
        allowed = get_args(field_type)
        # Types are compared as well: 1 == True in Python.
        if any(type(value) is type(option) and value == option for option in allowed):
            return value, None
        return None, entry_fault("one-of", entry, value, allowed=", ".join(map(repr, allowed)))
    if get_origin(field_type) is tuple:
        if not isinstance(value, list | tuple):
            return None, entry_fault("list", entry, value)
        parts = [_read(get_args(field_type)[0], entry, part) for part in value]
        return tuple(part for part, _ in parts), next((f for _, f in parts if f), None)
    expected, types = _TYPES[field_type]
    # In Python a bool is an int; in JSON it is not.
    if isinstance(value, types) and (field_type is bool or not isinstance(value, bool)):
        return field_type(value), None
    return None, entry_fault(expected, entry, value)
