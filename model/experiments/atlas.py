"""Sentences that show what a head does, read by the model at hand."""

from __future__ import annotations

from collections.abc import Sequence

from core.atlas import Example, example_of
from core.attention import AttentionMap

from ..experiment import experiment
from ..reader import Reader
from ..translator import Translator


def map_of(reader: Reader, text: Sequence[str], site: str) -> AttentionMap:
    """Return the map of `site` while a stored source and its target are read."""
    if isinstance(reader, Translator):
        return reader.attend(*text).of(site)
    return reader.read(text[0]).attention.of(site)


@experiment()
def examples(
    reader: Reader, texts: Sequence[Sequence[str]], site: str, layer: int, head: int
) -> tuple[Example, ...]:
    """Return a head's strongest row in each of several texts, a source and a target each."""
    return tuple(example_of(map_of(reader, text, site), layer, head) for text in texts)
