"""Other people's files: a format reads what lies somewhere into what a checkpoint holds."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from torch import Tensor

from ..config import TransformerConfig
from ..tokenizer import TextTokenizer

Options = Mapping[str, str]
"""Facts that no file holds, as a person gives them: ``heads``, ``norm``."""


@dataclass(frozen=True)
class Converted:
    """What somebody's files say, in the words of this project."""

    config: TransformerConfig
    tensors: Mapping[str, Tensor]  # by the names of the parameters of `model.transformer`
    tokenizers: Mapping[str, TextTokenizer]  # of "source" and "target", one object where both share
    card: Mapping[str, Any] = field(default_factory=dict)  # as card.json: title, languages, guided


@dataclass(frozen=True)
class Format:
    """One layout of files. A layout is a renaming of tensors: no other module knows of it."""

    name: str  # as people call it: "CTranslate2"
    recognises: Callable[[Path], bool]  # a folder or a file, by names and first bytes alone
    # CheckpointError where something is missing, damaged or not representable: it names the field.
    read: Callable[[Path, Options], Converted]
    options: tuple[str, ...] = ()  # which `Options` it asks for


def formats() -> tuple[Format, ...]:
    """Every format there is: a module of this package with a ``FORMAT``."""
    modules = (import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    return tuple(module.FORMAT for module in modules if hasattr(module, "FORMAT"))


def recognised(path: Path) -> Format | None:
    """The format of what lies at `path`; None where none knows it."""
    return next((each for each in formats() if each.recognises(path)), None)
