"""Foreign model files: a format converts them into the content of a checkpoint."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from torch import Tensor

from ...config import TransformerConfig
from ...tokenizer import TextTokenizer

Options = Mapping[str, str]
"""Facts that no file states, given by a person: ``heads``, ``norm``."""


@dataclass(frozen=True)
class Converted:
    """Content of foreign files in the terms of this project."""

    config: TransformerConfig
    tensors: Mapping[str, Tensor]  # by parameter names of `model.families.transformer`
    tokenizers: Mapping[str, TextTokenizer]  # by "source" and "target", one object if shared
    card: Mapping[str, Any] = field(default_factory=dict)  # as card.json: title, languages, guided


@dataclass(frozen=True)
class Format:
    """Layout of files: a renaming of tensors that no other module knows of."""

    name: str  # as people call it: "CTranslate2"
    recognises: Callable[[Path], bool]  # True for a folder or file, by names and first bytes alone
    # Raises CheckpointError, naming the field, if something is missing, damaged or not
    # representable.
    read: Callable[[Path, Options], Converted]
    options: tuple[str, ...] = ()  # names of `Options` that it may need


def formats() -> tuple[Format, ...]:
    """Return every format: the modules of this package with a ``FORMAT``."""
    modules = (import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    return tuple(module.FORMAT for module in modules if hasattr(module, "FORMAT"))


def recognised(path: Path) -> Format | None:
    """Return the format of what lies at `path`, or None if no format recognises it."""
    return next((layout for layout in formats() if layout.recognises(path)), None)
