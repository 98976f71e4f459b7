"""Registry of model families: the modules of `model.families`, and further ones by name."""

from __future__ import annotations

import logging
import os
import pkgutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import MappingProxyType
from typing import Any

from words import Message
from words.names import said_by

from .. import families as own_families
from ..families.base import Family

_MODULES = [
    import_module(f"{own_families.__name__}.{module.name}")
    for module in pkgutil.iter_modules(own_families.__path__)
]
_OWN: dict[str, Family] = {
    module.FAMILY.name: module.FAMILY for module in _MODULES if hasattr(module, "FAMILY")
}
_FAMILIES = dict(_OWN)
# Names of further modules, separated by commas, each with a ``FAMILY`` or ``FAMILIES``.
VARIABLE = "ATTENTION_LAB_FAMILIES"
FAULTS: list[Message] = []
"""Reasons for which modules named by `VARIABLE` brought no family."""


def _import_families(module: str) -> None:
    """Add the families that a module exports as ``FAMILY`` or ``FAMILIES``, or log a fault."""
    try:
        brought = import_module(module)
    except Exception as error:  # a foreign module may raise anything
        # The traceback is for the author of the module.
        logging.getLogger(__name__).warning("%s is not imported", module, exc_info=error)
        fault = said_by(error)
        FAULTS.append(Message.of("model-families-import", module=module, error=fault))
        return
    exported: Sequence[Any] = getattr(brought, "FAMILIES", ())
    exported = exported or (getattr(brought, "FAMILY", None),)
    if not all(isinstance(family, Family) for family in exported):
        FAULTS.append(Message.of("model-families-none", module=module))
        return
    # A foreign family must not replace one whose claims the tests hold.
    taken = ", ".join(_taken(exported))
    if taken:
        FAULTS.append(Message.of("model-families-taken", module=module, names=taken))
        return
    _FAMILIES.update((family.name, family) for family in exported)


def _taken(more: Sequence[Family]) -> list[str]:
    """Return the names of `more` that are registered already or occur twice, sorted."""
    names = Counter(family.name for family in more)
    return sorted(name for name, n in names.items() if n > 1 or name in _FAMILIES)


for _module in filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))):
    _import_families(_module)
for _fault in FAULTS:
    logging.getLogger(__name__).warning(str(_fault))


def is_own(family: Family) -> bool:
    """Return True if a family belongs to the project, whose tests verify its claims."""
    return _OWN.get(family.name) is family


def families() -> Mapping[str, Family]:
    """Return every family by the name that checkpoints use."""
    return MappingProxyType(_FAMILIES)


@contextmanager
def registered(*more: Family) -> Iterator[None]:
    """Add families inside the ``with``, for a test or a script.

    Parameters
    ----------
    *more : Family

    Raises
    ------
    ValueError
        If a family of that name is registered already, or two of `more` share a name.
    """
    taken = _taken(more)
    if taken:
        raise ValueError(f"families already exist or occur twice: {', '.join(taken)}")
    _FAMILIES.update((family.name, family) for family in more)
    try:
        yield
    finally:
        for family in more:
            _FAMILIES.pop(family.name, None)
