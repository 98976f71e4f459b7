"""Decomposition of encoder scores by the origin of queries and keys."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from core.records.sources import TokenSequence
from core.records.sublayers import Stream
from core.score_parts import BIASES, CONTENT, POSITION, Part, ScoreSplit, norm_parts, through_norm

from ..hooks.capture import capture_attention
from ..nets.sublayers import bias_of
from ..readers.experiment import experiment
from ..teacher_forcing import embedded, read_ids, tensor_of
from .protocol import LoadedTranslator


@experiment("teacher-forcing", "block", "scores", "positions")
@torch.inference_mode()
def split_scores(
    reader: LoadedTranslator, stream: Stream, src: TokenSequence, tgt: TokenSequence, layer: int
) -> ScoreSplit:
    """Split the queries and keys of one encoder layer into parts by origin.

    The residual `stream` of the encoder (from `streams_of`) is followed from the embedding and the
    positions through every earlier sub-layer. A layer norm is linear once its sigma is known, which
    is that of the run; its shift and the biases of the projections are a part of their own, in the
    first layer joined with the positions. A relative bias of the scores counts as the product of
    two positions. Computed in float64; `ScoreSplit.error` compares the sum with the model's scores.
    """
    model = reader.model
    with capture_attention(model, scores=True) as captured:
        model(tensor_of(model, src.ids), tensor_of(model, read_ids(model.config, tgt.ids)))
    parts = _parts_of_input(reader, src, stream)
    names: list[Part] = [CONTENT, POSITION]
    # Two sub-layers a layer: self-attention and feed-forward.
    before = 2 * layer
    for at in range(before):
        # Before the last part, which collects shifts and biases.
        parts.insert(-1, stream.added[at].astype(np.float64))
        names.append(stream.places[at])
        if not stream.pre_norm:
            parts = norm_parts(stream, at, parts)
    if stream.pre_norm:
        parts = norm_parts(stream, before, parts)
    attention = model.encoder_layers[layer].self_attention
    sides = [
        _heads(np.stack(parts), projection, attention.n_heads)
        for projection in (attention.query_proj, attention.key_proj)
    ]
    if layer == 0:
        sides = [np.stack((side[0], side[1] + side[2])) for side in sides]
    else:
        names.append(BIASES)
    scores = captured.scores(attention.probe.site_id)[0, layer]
    bias = model.encoder_bias(len(src))
    bias = None if bias is None else _double(bias[0])
    queries, keys = sides
    return ScoreSplit(layer, tuple(names), queries, keys, scores=scores, bias=bias)


def _parts_of_input(
    reader: LoadedTranslator, src: TokenSequence, stream: Stream
) -> list[np.ndarray]:
    """Split the input of the first layer into embedding, positions, and shifts of a norm."""
    model = reader.model
    first = stream.before[0].astype(np.float64)
    table = _double(model.positions.table[: len(src)])
    norm = model.embedding_norm
    if norm is None:
        return [first - table, table, np.zeros_like(first)]
    total = embedded(model, src.ids) + table
    parts = [total - table, table, np.zeros_like(first)]
    gain = _double(norm.weight)
    shift = _double(bias_of(norm))
    return through_norm(parts, total, gain, shift, norm.eps, rms=stream.rms)


def _heads(parts: np.ndarray, projection: torch.nn.Linear, n_heads: int) -> np.ndarray:
    """Project parts (P, T, d_model) to heads (P, H, T, d_k); the last part takes the bias."""
    weight = _double(projection.weight)
    bias = _double(projection.bias)
    projected = parts @ weight.T
    projected[-1] += bias
    return projected.reshape(*projected.shape[:2], n_heads, -1).swapaxes(1, 2)


def _double(tensor: Tensor) -> np.ndarray:
    """Return a tensor as a float64 array."""
    return tensor.detach().double().cpu().numpy()
