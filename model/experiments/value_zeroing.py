"""Value zeroing: a layer's output when one token has no value (Mohebbi et al. 2023)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.records.sources import TokenSequence

from ..hooks.activations import changing, hook_points
from ..readers.experiment import experiment
from .block import streams_of
from .protocol import LoadedTranslator

MOST_ROWS = 4096  # positions of all items of a batch together


@experiment("teacher-forcing", "block")
@torch.inference_mode()
def value_zeroing(
    reader: LoadedTranslator, src: TokenSequence, tgt: TokenSequence, layer: int
) -> np.ndarray:
    """Return how far each position's output turns when one token's values are 0 in a layer.

    The layer is one of the encoder and ends after its feed-forward sub-layer; keys and weights stay
    as they were. The result is 1 - cos(y_i, y_i without j), float64 (T, T), row i, column j.
    """
    block: Any = reader.model.encoder_layers[layer]
    # Two sub-layers a layer: self-attention and feed-forward.
    states = streams_of(reader, src, tgt)[0].before[2 * layer]
    x = torch.from_numpy(states).to(reader.model.embedding.weight.device)
    n = len(x)
    columns = []
    bias = reader.model.encoder_bias(n)
    points = hook_points(block)

    def whole(without: Tensor | None = None) -> Tensor:
        def zero(values: Tensor, _name: str) -> Tensor | None:
            if without is None:
                return None
            items = torch.arange(len(without), device=values.device)
            zeroed = values.clone()
            # Item i of the batch loses the value of one token.
            zeroed[items, :, without] = 0
            return zeroed

        items = 1 if without is None else len(without)
        with changing(points, {f"encoder.{layer}.v": zero}):
            return block(x.expand(items, -1, -1), None, bias).double()

    # The unchanged output takes the same path, so that rounding is equal in both.
    plain = whole()
    for tokens in torch.arange(n).split(max(1, MOST_ROWS // n)):
        columns.append(1 - F.cosine_similarity(whole(tokens), plain, dim=-1))
    return torch.cat(columns).T.clamp(min=0).cpu().numpy()
