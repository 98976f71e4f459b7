"""What formats put together alike: rows of the embedding that a search here needs, biases that a
layout has not, what a table of positions is, and what a card says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.positions import SINES, encoding_table
from words import Message, Words, languages

from ..config import TransformerConfig

NEVER = -1e4  # as a bias; -1e9 would be infinite in float16


def with_rows(
    config: TransformerConfig, tensors: Mapping[str, Tensor], start: int | None, *, pad: bool = True
) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """The same with a row of its own for what begins a target, a copy of the row `start`, or zeros
    where it is None; and, with `pad`, one of zeros for padding. Both are never written. They come
    after the rows that are there, those of the shorter vocabulary filled up with zeros, in this
    order; the ids of `config` are changed to theirs, and every other logit stays as it is.
    """
    tensors = dict(tensors)
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
    bias = tensors.get("output_bias", torch.zeros(config.vocab_size))
    tensors["output_bias"] = grown(bias, NEVER)
    ids = {"bos_id": first, "pad_id": first + 1 if pad else config.pad_id}
    sizes = {"vocab_size": size, "source_vocab_size": size}
    return replace(config, output_bias=True, **sizes, **ids), tensors


def sines_of(
    tables: Sequence[Tensor], within: float, offsets: Sequence[int] = (0,)
) -> dict[str, Any] | None:
    """The entries of a config for positions whose stored tables (n, d_model) are sines, counted
    from one of `offsets`, up to what their own library rounds; None where they were learned."""
    width = tables[0].shape[-1]
    for kind, offset in product(SINES if width % 2 == 0 else (), offsets):
        longest = encoding_table(max(map(len, tables)), width, kind=kind, offset=offset)
        if all(np.allclose(t, longest[: len(t)], rtol=0.0, atol=within) for t in tables):
            return {"positions": kind, "position_offset": offset}
    return None


def zero_biases(tensors: dict[str, Tensor], names: Iterable[str]) -> dict[str, Tensor]:
    """`tensors` with a bias of zeros for every linear layer of `names` that has none."""
    made = {
        f"{name}.bias": torch.zeros(len(tensors[f"{name}.weight"]))
        for name in names
        if f"{name}.bias" not in tensors
    }
    return {**tensors, **made}


def described(message: Message) -> dict[str, Any]:
    """A message as the description of a card, in every language."""
    texts = {language: {"description": Words(language).of(message)} for language in languages()}
    return {**texts.pop("en"), "words": texts}
