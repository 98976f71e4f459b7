"""Sentences that show what a head does, read by the model at hand."""

from __future__ import annotations

from collections.abc import Sequence

from core.atlas import HeadExample, example_of

from ..readers.experiment import experiment
from .protocol import LoadedModel


@experiment()
def examples(
    reader: LoadedModel, texts: Sequence[Sequence[str]], kind: str, layer: int, head: int
) -> tuple[HeadExample, ...]:
    """Return a head's strongest row in each of several texts, a source and a target each."""
    return tuple(example_of(reader.attention_over(text).of(kind), layer, head) for text in texts)
