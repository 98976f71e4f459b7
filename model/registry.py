"""Which architectures a checkpoint may name: those of the modules in `model.families`."""

from __future__ import annotations

import logging
import os
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import MappingProxyType
from typing import Any

from words import Message
from words.message import said_by

from . import families as own_families
from .family import Family

_MODULES = [
    import_module(f"{own_families.__name__}.{module.name}")
    for module in pkgutil.iter_modules(own_families.__path__)
]
_OWN: dict[str, Family] = {
    module.FAMILY.name: module.FAMILY for module in _MODULES if hasattr(module, "FAMILY")
}
_FAMILIES = dict(_OWN)
VARIABLE = "ATTENTION_LAB_FAMILIES"
FAULTS: list[Message] = []
"""What kept a module of `VARIABLE` from bringing a family."""


def _bring(module: str) -> None:
    """The families that a module exports as ``FAMILY`` or ``FAMILIES``."""
    try:
        brought = import_module(module)
    except Exception as error:  # whatever a module of somebody else may raise
        # Where it was raised, for who writes the module.
        logging.getLogger(__name__).warning("%s is not imported", module, exc_info=error)
        fault = said_by(error)
        FAULTS.append(Message.of("model-families-import", module=module, error=fault))
        return
    found: Sequence[Any] = getattr(brought, "FAMILIES", ()) or (getattr(brought, "FAMILY", None),)
    if not all(isinstance(family, Family) for family in found):
        FAULTS.append(Message.of("model-families-none", module=module))
        return
    taken = ", ".join(family.name for family in found if family.name in _FAMILIES)
    if taken:
        FAULTS.append(Message.of("model-families-taken", module=module, names=taken))
        return
    _FAMILIES.update((family.name, family) for family in found)


for _module in filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))):
    _bring(_module)
for _fault in FAULTS:
    logging.getLogger(__name__).warning(str(_fault))


def is_own(family: Family) -> bool:
    """Whether it is one of the project, whose claims its tests hold."""
    return _OWN.get(family.name) is family


def families() -> Mapping[str, Family]:
    """Every family there is, by the name that a checkpoint calls it."""
    return MappingProxyType(_FAMILIES)


@contextmanager
def registered(*more: Family) -> Iterator[None]:
    """Further families inside the `with`, as a test or a script of one's own needs them; ValueError
    where a family of that name is there already."""
    taken = sorted(family.name for family in more if family.name in _FAMILIES)
    if taken:
        raise ValueError(f"families called {', '.join(taken)} are there already")
    _FAMILIES.update((family.name, family) for family in more)
    try:
        yield
    finally:
        for family in more:
            _FAMILIES.pop(family.name, None)
