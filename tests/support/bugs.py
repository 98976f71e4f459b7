"""Bugs planted in a function: one piece of its source replaced by another."""

from __future__ import annotations

import inspect
import textwrap
from importlib import import_module
from types import CodeType
from typing import Any

import pytest


def plant(patch: pytest.MonkeyPatch, place: str, right: str, wrong: str) -> None:
    """Write `wrong` for the piece `right` of the function at `place`, "module:Class.function".

    The function keeps its identity, so whoever has imported it calls the changed code.
    """
    module, _, path = place.partition(":")
    found: Any = import_module(module if module.startswith("core.") else f"model.{module}")
    *owners, name = path.split(".")
    for each in (*owners, name):
        found = getattr(found, each)
    found = inspect.unwrap(getattr(found, "fget", found))
    source = textwrap.dedent(inspect.getsource(found))
    assert source.count(right) == 1, f"{place} has {source.count(right)} times {right!r}"
    source = source.replace(right, wrong)
    if owners:  # `super()` needs a class around it
        source = "class Owner:\n" + textwrap.indent(source, "    ")
    patch.setattr(found, "__code__", _code(compile(source, place, "exec"), name))


def _code(compiled: CodeType, name: str) -> CodeType:
    inner = [each for each in compiled.co_consts if isinstance(each, CodeType)]
    own = next((each for each in inner if each.co_name == name), None)
    return own or next(_code(each, name) for each in inner if each.co_name == "Owner")
