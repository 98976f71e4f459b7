"""Load a model: find its files, read or convert them, build its reader, verify its claims."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import torch

from core.measurements import PROOFS
from words import Message
from words.names import said_by

from .errors import CheckpointError, ModelError, expect, format_error
from .families.base import Family
from .io.assembly import LoadedCheckpoint
from .io.checkpoint import REQUIRED, checkpoint_path, is_checkpoint, load_checkpoint, typed_path
from .io.formats import Options, convert, find_format, unknown_format, with_advice
from .io.registry import is_own
from .readers.documents import DocumentReader
from .readers.masked_words import MaskedReader
from .readers.reader import Reader
from .readers.translator import Translator
from .verify.claims import false_claims, proofs_of

READERS: dict[str, type[Reader]] = {"documents": DocumentReader, "masked-words": MaskedReader}
"""Readers of families that write no text, by the capability that calls for them."""


def load_model(
    name_or_path: str | Path,
    device: str = "cpu",
    *,
    check_claims: bool = True,
    options: Options | None = None,
) -> Reader:
    """Load a checkpoint, or foreign files in any of `model.io.formats`.

    Returns a `Translator` if the family writes text, else a class of `READERS` or a `Reader`.
    With `check_claims`, the claims of a foreign family or a converted model are verified once a
    checkpoint, and false ones are withdrawn.

    Parameters
    ----------
    name_or_path : str or Path
        Name under ``checkpoints/``, or a path.
    options : mapping, optional
        Facts that foreign files lack, such as ``{"heads": "8"}``.

    Raises
    ------
    CheckpointError
        If the checkpoint is missing, damaged or unfit for its config.
    ModelError
        If torch cannot use `device`.
    """
    checkpoint = _load_files(name_or_path, device, options)
    family = checkpoint.family
    card = checkpoint.card
    reader = _reader_class(family)(checkpoint)
    # The tests hold the claims of the project's own families, but not that a conversion was right.
    if not check_claims or (is_own(family) and not card.format):
        return reader
    # Proofs take many passes; those stored with a converted model spare them.
    stored = card.measured(PROOFS).part if card.format else None
    proofs = stored or proofs_of(reader, family)
    reader.withdraw(proofs, false_claims(proofs))
    return reader


def _load_files(
    name_or_path: str | Path, device: str = "cpu", options: Options | None = None
) -> LoadedCheckpoint:
    """Load a checkpoint by name or path, or convert foreign files in memory.

    Arguments and errors as in `load_model`; an error names the command that helps.
    """
    expect("name_or_path", name_or_path, str, os.PathLike)
    expect("options", options, Mapping, type(None))
    _refuse_device(device)
    path = checkpoint_path(typed_path(name_or_path))
    file_format = None
    if not is_checkpoint(path):
        path, file_format = find_format(path)
    # Options are checked first: a misspelt one should not wait for a conversion.
    options = options or {}
    name = file_format.name if file_format else "Attention Lab"
    accepted = file_format.options if file_format else ()
    if unknown := ", ".join(sorted(options.keys() - {*accepted})):
        raise format_error("options", names=unknown, format=name, known=", ".join(accepted) or "–")
    try:
        if file_format is not None:
            return convert(path, file_format, options, device)
        if any((path / file).is_file() for file in REQUIRED):
            return load_checkpoint(path, device)
        raise unknown_format(path)
    except CheckpointError as error:
        raise with_advice(error, path, file_format) from error
    except Exception as error:  # foreign files may cause anything
        fault = said_by(error)
        raise format_error("fails", name=repr(path.name), format=name, error=fault) from error


def _refuse_device(device: str) -> None:
    """Raise ModelError if torch cannot put a tensor on `device`."""
    expect("device", device, str, torch.device)
    try:
        # Copied back, because an accelerator may fail only when its result is read.
        torch.zeros(1, device=device).cpu()
    except Exception as error:  # torch raises several classes, and asserts
        available = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
        reason = str(error).partition("\n")[0]
        message = Message.of("model-device", device=repr(str(device)), error=reason)
        hint = Message.of("model-device-hint", known=", ".join(available))
        raise ModelError(message, hint=hint) from error


def _reader_class(family: Family) -> type[Reader]:
    """Return the class of a family's loaded models."""
    # First, because a family that writes may also offer a capability of `READERS`.
    if family.writes:
        return Translator
    fitting = (
        reader for capability, reader in READERS.items() if capability in family.capabilities
    )
    return next(fitting, Reader)


def load_translator(
    name_or_path: str | Path,
    device: str = "cpu",
    *,
    check_claims: bool = True,
    options: Options | None = None,
) -> Translator:
    """Load a checkpoint that writes text; arguments as in `load_model`.

    Raises CheckpointError, also if it writes none.
    """
    reader = load_model(name_or_path, device, check_claims=check_claims, options=options)
    if not isinstance(reader, Translator):
        raise CheckpointError(
            Message.of(
                "model-checkpoint-writes-nothing",
                name=repr(reader.card.name),
                architecture=reader.card.architecture,
            ),
            hint=Message("model-checkpoint-writes-nothing-hint"),
        )
    return reader
