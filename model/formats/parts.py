"""Rows of the embedding that a layout of others has not and a search here needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import torch
from torch import Tensor

from ..config import TransformerConfig

NEVER = -1e4  # as a bias; -1e9 would be infinite in float16


def with_rows(
    config: TransformerConfig, tensors: Mapping[str, Tensor], start: int | None, *, pad: bool = True
) -> tuple[TransformerConfig, dict[str, Tensor]]:
    """The same with a row of its own for what begins a target, a copy of the row `start`, or zeros
    where it is None; and, with `pad`, one of zeros for padding. Both are never written. They come
    after the rows that are there, in this order; the ids of `config` are changed to theirs, and
    every other logit stays as it is.
    """
    tables = ["embedding.weight"] + ["source_embedding.weight"] * (not config.shared_embedding)
    tensors = dict(tensors)
    width = config.d_model
    for name in tables:
        table = tensors[name]
        of_start = table[start] if start is not None and name == tables[0] else None
        rows = [torch.zeros(width, dtype=table.dtype) if of_start is None else of_start]
        rows += [torch.zeros(width, dtype=table.dtype)] * pad
        tensors[name] = torch.cat((table, torch.stack(rows)))
    n_more = 1 + pad
    if not config.tied_output:
        output = tensors["output.weight"]
        tensors["output.weight"] = torch.cat((output, output.new_zeros(n_more, width)))
    bias = tensors.get("output_bias", torch.zeros(config.vocab_size))
    tensors["output_bias"] = torch.cat((bias, torch.full((n_more,), NEVER)))
    first = config.vocab_size
    return replace(
        config,
        vocab_size=first + n_more,
        source_vocab_size=0 if config.shared_embedding else config.source_vocab_size + n_more,
        output_bias=True,
        bos_id=first,
        **({"pad_id": first + 1} if pad else {}),
    ), tensors


def zero_biases(tensors: dict[str, Tensor], names: Iterable[str]) -> dict[str, Tensor]:
    """`tensors` with a bias of zeros for every linear layer of `names` that has none."""
    made = {
        f"{name}.bias": torch.zeros(len(tensors[f"{name}.weight"]))
        for name in names
        if f"{name}.bias" not in tensors
    }
    return {**tensors, **made}
