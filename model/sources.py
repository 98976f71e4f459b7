"""Kinds of source: from typed text to the input of a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from core.records.attention import AttentionSite
from core.records.scenes import SceneError, SceneSource, picture, scene_source
from core.records.sources import DocumentSource, GridSource, TokenSequence
from words import Message

from .errors import InputError

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_ROW_END = re.compile(r"[\n/;]+")
_CELL_END = re.compile(r"[\s,]+")


class SentenceSplitter(Protocol):
    """Splitter of a sentence into the tokens that a model reads."""

    def encode(self, text: str, /) -> TokenSequence: ...


@dataclass(frozen=True)
class SourceKind:
    """Kind of source that families read."""

    # Parses typed text, with the vocabulary of the source if there is one; raises `InputError` if
    # it is impossible.
    parse: Callable[[str, SentenceSplitter | None], Any]
    tensor: Callable[[Any], Tensor | tuple[Tensor, ...]]  # input of the model, on the CPU
    # Returns a short text that fits a model with these sites, for the trial pass of a checkpoint.
    sample: Callable[[Sequence[AttentionSite]], str]


def _parse_text(text: str, tokenizer: SentenceSplitter | None) -> TokenSequence:
    """Tokenise one sentence."""
    if tokenizer is None:
        raise ValueError("a family that reads text needs a vocabulary of the source")
    return tokenizer.encode(text)


def _parse_document(text: str, tokenizer: SentenceSplitter | None) -> DocumentSource:
    """Split a document into sentences and tokenize each."""
    sentences = (_parse_text(part, tokenizer) for part in _SENTENCE_END.split(text) if part.strip())
    # A sentence of invisible characters has no pieces.
    return DocumentSource(text, tuple(filter(len, sentences)))


def _parse_grid(text: str, _tokenizer: SentenceSplitter | None) -> GridSource:
    """Parse rows of numbers into a grid; raises InputError unless all rows are of one length."""
    rows = [_CELL_END.split(row.strip(" ,")) for row in _ROW_END.split(text.strip()) if row.strip()]
    try:
        cells = tuple(float(cell) for row in rows for cell in row)
    except ValueError:
        cells = ()
    if not cells or len({len(row) for row in rows}) > 1:
        raise InputError(Message("model-grid"), hint=Message("model-grid-hint"))
    return GridSource(text, (len(rows), len(rows[0])), cells)


def _grid_sample(sites: Sequence[AttentionSite]) -> str:
    """Return a grid of ones in the shape that a site declares."""
    rows, columns = next((site.grid for site in sites if site.grid), (2, 2))
    return " / ".join([" ".join("1" * columns)] * rows)


def _parse_scene(text: str, _tokenizer: SentenceSplitter | None) -> SceneSource:
    """Parse the description of a scene, turning SceneError into InputError."""
    try:
        return scene_source(text)
    except SceneError as error:
        raise InputError(error.message, hint=error.hint) from error


def _ids(sequence: TokenSequence) -> Tensor:
    """Return the ids of a sequence, (1, T)."""
    return torch.tensor([sequence.ids], dtype=torch.long)


TEXT = SourceKind(_parse_text, _ids, lambda _sites: "A.")
"""One sentence; the model receives ids (1, T_src)."""
DOCUMENT = SourceKind(
    _parse_document, lambda document: tuple(map(_ids, document.sentences)), lambda _sites: "A. B."
)
"""Sentences, which end at a full stop or a line; the model receives ids (1, T) for each."""
GRID = SourceKind(_parse_grid, lambda grid: torch.tensor([grid.cells]), _grid_sample)
"""Numbers row by row, ``0 9 / 9 0``; the model receives their brightness (1, rows x columns)."""
SCENE = SourceKind(
    _parse_scene,
    lambda source: torch.from_numpy(picture(source.scene))[None],
    lambda _sites: "large red circle at 1 1; small blue square at 2 3",
)
"""Objects and their places, ``large red circle at 1 1``; the model receives a picture.

The picture is uint8 (1, 112, 112, 3).
"""
