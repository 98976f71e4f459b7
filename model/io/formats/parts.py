"""Helpers that formats share: extra rows of tables, missing biases, kinds of positions, cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.positions import SINES, encoding_table
from words import Message, Words, languages

from ...config import PositionKind, TransformerConfig

NEVER = -1e4  # bias of a forbidden token; -1e9 would be infinite in float16


def with_rows(
    config: TransformerConfig, tensors: Mapping[str, Tensor], start: int | None, *, pad: bool = True
) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """Append a row for the start of a target and, with `pad`, one for padding.

    The start row is a copy of the row `start`, or zeros if it is None; neither is ever produced.
    Both come after the existing rows, which are filled up with zeros in the shorter vocabulary. The
    ids of `config` point to them, and every other logit stays the same.
    """
    tensors = dict(tensors)
    # Both tables get the same length, since a config has one id for each special token.
    first = max(config.vocab_size, config.source_vocab_size)
    size = first + 1 + pad

    def grown(table: Tensor, value: float = 0.0) -> Tensor:
        more = table.new_full((size - len(table), *table.shape[1:]), value)
        return torch.cat((table, more))

    for name in ("embedding.weight", "source_embedding.weight", "output.weight"):
        if name in tensors:
            tensors[name] = grown(tensors[name])
    if start is not None:
        tensors["embedding.weight"][first] = tensors["embedding.weight"][start]
    # The bias keeps the new rows from ever being produced.
    bias = tensors.get("output_bias", torch.zeros(config.vocab_size))
    tensors["output_bias"] = grown(bias, NEVER)
    config = replace(
        config,
        output_bias=True,
        vocab_size=size,
        source_vocab_size=size,
        bos_id=first,
        pad_id=first + 1 if pad else config.pad_id,
    )
    return config, tensors


def with_unread_rows(
    config: TransformerConfig, tensors: Mapping[str, Tensor], n_source: int, n_target: int
) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """Append rows for tokens that are read as the unknown token and never produced."""
    tensors = dict(tensors)
    if config.shared_embedding:
        n_source = n_target = max(n_source, n_target)
    added = {"source_embedding.weight": n_source, "embedding.weight": n_target}
    for name, n in {**added, "output.weight": n_target}.items():
        if name in tensors:
            table = tensors[name]
            tensors[name] = torch.cat((table, table[config.unk_id].expand(n, -1)))
    bias = tensors.get("output_bias", torch.zeros(config.vocab_size))
    tensors["output_bias"] = torch.cat((bias, bias.new_full((n_target,), NEVER)))
    config = replace(
        config,
        output_bias=True,
        vocab_size=config.vocab_size + n_target,
        source_vocab_size=config.source_vocab_size + n_source,
    )
    return config, tensors


class Sines(NamedTuple):
    """Layout of a table of sines, one of `core.positions.SINES`, and its first position."""

    layout: PositionKind
    offset: int


def sines_of(
    tables: Sequence[Tensor], within: float, offsets: Sequence[int] = (0,)
) -> Sines | None:
    """Return the layout of positions whose stored tables (n, d_model) are sines.

    They may start at any of `offsets` and differ by `within`, the rounding of their library.
    Returns None for learned positions.
    """
    width = tables[0].shape[-1]
    for layout, offset in product(SINES if width % 2 == 0 else (), offsets):
        longest = encoding_table(max(map(len, tables)), width, layout=layout, offset=offset)
        if all(np.allclose(t, longest[: len(t)], rtol=0.0, atol=within) for t in tables):
            return Sines(layout, offset)
    return None


def zero_biases(tensors: dict[str, Tensor], names: Iterable[str]) -> dict[str, Tensor]:
    """Return `tensors` with a zero bias for every linear layer of `names` that has none."""
    zeros = {
        f"{name}.bias": torch.zeros(len(tensors[f"{name}.weight"]))
        for name in names
        if f"{name}.bias" not in tensors
    }
    return {**tensors, **zeros}


def n_layers(tensors: Iterable[str], stack: str) -> int:
    """Return the number of layers of "encoder" or "decoder" among names of tensors."""
    names = (name for name in tensors if name.startswith(f"{stack}_layers."))
    return len({name.split(".")[1] for name in names})


def described(message: Message) -> dict[str, Any]:
    """Return a message as the description of a card, in every language."""
    # Cards are files: the text is written out, not its id.
    texts = {language: {"description": Words(language).of(message)} for language in languages()}
    return {**texts.pop("en"), "words": texts}
