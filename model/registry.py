"""Which architectures a checkpoint may name: a new paper adds a line here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from .families import (
    additive,
    captioner,
    convolutional,
    hierarchical,
    lstm,
    luong,
    masked,
    recurrent,
)
from .family import Family
from .transformer import FAMILY as TRANSFORMER

_FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        TRANSFORMER,
        recurrent.FAMILY,
        lstm.FAMILY,
        additive.FAMILY,
        luong.FAMILY,
        convolutional.FAMILY,
        captioner.FAMILY,
        hierarchical.FAMILY,
        masked.FAMILY,
    )
}


_OWN = dict(_FAMILIES)


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
