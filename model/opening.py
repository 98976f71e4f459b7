"""Whatever lies at a path, opened: a checkpoint, or the files of others through `model.formats`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from core.card import fingerprint_of
from words import Message

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
    against all that a checkpoint is held against. One CheckpointError names everything that is
    wrong, and the command that helps.

    `options`: facts that no file holds, by the names of `Format.options`.
    """
    path, options = checkpoint_path(name_or_path), options or {}
    layout = None if is_checkpoint(path) else _layout_of(path)
    _refuse_options(options, layout)
    if layout is not None:
        try:
            return converted(path, layout, options, device)
        except CheckpointError:
            raise
        except Exception as error:  # whatever the files of somebody else may cause
            told = {"name": repr(path.name), "format": layout.name}
            fault = f"{type(error).__name__}: {error}"
            raise CheckpointError(Message.of("format-fails", error=fault, **told)) from error
    if path.is_dir() and any((path / name).is_file() for name in REQUIRED):
        try:
            return load_checkpoint(path, device)
        except CheckpointError as error:
            raise CheckpointError(error.message, hint=_lies_here(path) or error.hint) from error
    found = sorted(each.name for each in path.iterdir()) if path.is_dir() else [path.name]
    known = ", ".join(each.name for each in formats())
    message = Message.of("format-unknown", name=repr(path.name), found=listed(found), known=known)
    raise CheckpointError(message, hint=_lies_here(path) or Message("format-unknown-hint"))


def _layout_of(path: Path) -> Format | None:
    """The format of what lies at a path; CheckpointError where it lies elsewhere in truth."""
    root, inside = path.resolve(), path.rglob("*") if path.is_dir() else iter(())
    there = list(islice(inside, MOST_FILES + 1))
    if len(there) > MOST_FILES:
        message = Message.of("format-many", name=str(path), n=MOST_FILES)
        raise CheckpointError(message, hint=Message("format-many-hint"))
    for each in there:
        if each.is_symlink() and not each.resolve().is_relative_to(root):
            message = Message.of("format-link", file=str(each.relative_to(path)))
            raise CheckpointError(message, hint=Message.of("format-link-hint", path=str(path)))
    return recognised(path)


def _refuse_options(options: Options, layout: Format | None) -> None:
    asked = layout.options if layout else ()
    if unknown := sorted(options.keys() - {*asked}):
        raise CheckpointError(
            Message.of(
                "format-options",
                names=", ".join(unknown),
                format=layout.name if layout else "Attention Lab",
                known=", ".join(asked) or "–",
            )
        )


def _lies_here(path: Path) -> Message | None:
    """The command for a file of others in a folder that is no checkpoint."""
    for file in sorted(path.iterdir()) if path.is_dir() else ():
        if file.is_file() and recognised(file):
            return Message.of("format-lies-here", file=file.name, path=str(file))
    return None


def converted(path: Path, layout: Format, options: Options, device: str) -> LoadedCheckpoint:
    """What a format reads at a path, held against all that a checkpoint is held against."""
    found = layout.read(path, options)
    family, faults = families()["transformer"], list(found.config.faults())
    model = None
    if not faults:
        files = dict.fromkeys(found.tokenizers, path.name)
        faults += vocabulary_faults(files, family, found.config, found.tokenizers)
    if not faults:
        model = model_of(family, found.config, found.tensors, found.tokenizers, faults)
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
        yield hashlib.sha256(tensor.detach().float().contiguous().numpy()).digest()
