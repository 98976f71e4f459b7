"""Load models: files in, the reader that fits their family out, its claims verified."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.measurements import PROOFS
from words import Message

from .errors import CheckpointError
from .families.base import Family
from .io.foreign import load
from .io.registry import is_own
from .readers.documents import DocumentReader
from .readers.masked_words import MaskedReader
from .readers.reader import Reader
from .translator import Translator
from .verify.claims import false_claims, proofs_of

READERS: dict[str, type[Reader]] = {"documents": DocumentReader, "masked-words": MaskedReader}
"""Readers of families that write no text, by the capability that calls for them."""


def load_model(
    name_or_path: str | Path,
    device: str = "cpu",
    *,
    check_claims: bool = True,
    options: Mapping[str, str] | None = None,
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
    checkpoint = load(name_or_path, device, options)
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
    options: Mapping[str, str] | None = None,
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
