"""Whatever lies at a path, opened: a checkpoint, or the files of others through `model.formats`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from core.card import fingerprint_of
from words import Message, english

from .checkpoint import (
    REQUIRED,
    LoadedCheckpoint,
    checkpoint_path,
    is_checkpoint,
    listed,
    load_checkpoint,
    loaded,
    model_of,
    unfit,
    vocabulary_faults,
)
from .errors import CheckpointError
from .formats import Converted, Format, Options, formats, recognised
from .registry import families

MOST_FILES = 1000
"""In a folder of a model; more lie in one that holds much else."""


def load(
    name_or_path: str | Path, device: str = "cpu", options: Options | None = None
) -> LoadedCheckpoint:
    """A checkpoint by its name or path, or the files of others, converted in memory and held
    against the same. One CheckpointError names everything that is wrong, and the command that
    helps.

    `options`: facts that no file holds, by the names of `Format.options`.
    """
    path, options = checkpoint_path(name_or_path), options or {}
    layout = None if is_checkpoint(path) else _layout_of(path)
    name, known = (layout.name, layout.options) if layout else ("Attention Lab", ())
    if unknown := ", ".join(sorted(options.keys() - {*known})):
        raise _refusal("options", names=unknown, format=name, known=", ".join(known) or "–")
    try:
        if layout is not None:
            return converted(path, layout, options, device)
        if any((path / file).is_file() for file in REQUIRED):
            return load_checkpoint(path, device)
        files = sorted(file.name for file in path.iterdir()) if path.is_dir() else [path.name]
        names = ", ".join(layout.name for layout in formats())
        raise _refusal("unknown", name=repr(path.name), found=listed(files), known=names)
    except CheckpointError as error:
        hint = error.hint if layout else _lies_here(path) or error.hint
        raise CheckpointError(error.message, hint=hint) from error
    except Exception as error:  # whatever the files of somebody else may cause
        fault = f"{type(error).__name__}: {error}"
        raise _refusal("fails", name=repr(path.name), format=name, error=fault) from error


def _refusal(id: str, **values: Any) -> CheckpointError:
    """With the hint that goes with it, if there is one."""
    hint = Message(f"format-{id}-hint", values) if english.has(f"format-{id}-hint") else None
    return CheckpointError(Message(f"format-{id}", values), hint=hint)


def _layout_of(path: Path) -> Format | None:
    """The format of what lies at a path; CheckpointError where it lies elsewhere in truth."""
    inside = path.rglob("*") if path.is_dir() else iter(())
    there = list(islice(inside, MOST_FILES + 1))
    if len(there) > MOST_FILES:
        raise _refusal("many", name=str(path), n=MOST_FILES)
    for each in there:
        if each.is_symlink() and not each.resolve().is_relative_to(path.resolve()):
            raise _refusal("link", file=str(each.relative_to(path)), path=str(path))
    return recognised(path)


def _lies_here(path: Path) -> Message | None:
    """The command for a file of others in a folder that is no checkpoint."""
    for file in sorted(path.glob("*")):
        if file.is_file() and recognised(file):
            return Message.of("format-lies-here", file=file.name, path=str(file))
    return None


def converted(path: Path, layout: Format, options: Options, device: str) -> LoadedCheckpoint:
    """What a format reads at a path, held against all that a checkpoint is held against."""
    found = layout.read(path, options)
    family, faults = families()["transformer"], list(found.config.faults())
    files = dict.fromkeys(found.tokenizers, path.name)
    faults += vocabulary_faults(files, family, found.config, found.tokenizers)
    own = family, found.config, found.tensors, found.tokenizers
    model = None if faults else model_of(*own, faults)
    if faults or model is None:
        raise unfit(path, faults, Message.of("format-unfit-hint", format=layout.name))
    details = {"title": path.stem, **found.card, "format": layout.name}
    mark = fingerprint_of(asdict(found.config), *_marks(found))
    return loaded(path, mark, family, model, found.tokenizers, details, {}, device)


def _marks(found: Converted) -> Iterator[bytes]:
    """What tells vocabularies and weights from others."""
    for side, tokenizer in sorted(found.tokenizers.items()):
        yield f"{side} {tokenizer.spec}".encode()
    for name, tensor in sorted(found.tensors.items()):
        yield name.encode()
        yield hashlib.sha256(tensor.detach().float().contiguous().numpy().tobytes()).digest()
