"""Attention maps and records of random weights, and maps of weights by hand."""

from __future__ import annotations

import math

import numpy as np
import torch

from core.records.attention import (
    DECODER,
    TRANSFORMER_SITES,
    AttentionMap,
    AttentionRecord,
    AttentionVectors,
)
from core.records.sources import TokenSequence


def attention_of(weights, mask=None) -> AttentionMap:
    """A map of one layer from (H, T_q, T_k) weights."""
    weights = np.asarray(weights, np.float32)[None]
    queries, keys = (
        tuple(f"▁{name}{i}" for i in range(n))
        for name, n in zip("qk", weights.shape[2:], strict=True)
    )
    return AttentionMap(DECODER, weights, queries, keys, mask=mask)


def random_attention(seed, n_heads=3, n_queries=5, n_keys=7, sharpness=2.0) -> AttentionMap:
    scores = np.random.default_rng(seed).normal(size=(n_heads, n_queries, n_keys)) * sharpness
    raised = np.exp(scores)
    return attention_of(raised / raised.sum(-1, keepdims=True))


def random_map(kind="encoder", n_keys=6, d_k=4, n_heads=3, seed=0):
    """Vectors of one layer and the map that they lead to."""
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, 1, n_heads, n_keys, d_k)).astype(np.float32)
    d_model = n_heads * d_k
    out_weight = rng.normal(size=(1, d_model, d_model)).astype(np.float32)
    out_bias = rng.normal(size=(1, d_model)).astype(np.float32)
    scores = torch.from_numpy(q @ k.swapaxes(-1, -2) / math.sqrt(d_k))
    mask = np.tri(n_keys, dtype=bool) if kind == "decoder" else None
    if mask is not None:
        scores = scores.masked_fill(~torch.from_numpy(mask), -torch.inf)
    tokens = tuple(f"▁w{i}" for i in range(n_keys))
    weights = scores.softmax(-1).numpy()
    attention = AttentionMap(TRANSFORMER_SITES[kind], weights, tokens, tokens, mask=mask)
    return AttentionVectors(kind, q, k, v, out_weight, out_bias), attention


def random_record(seed=0, n_src=3, n_tgt=2, encoder_layers=3, decoder_layers=2) -> AttentionRecord:
    """Three heads a layer over tokens without text."""
    rng = np.random.default_rng(seed)
    shapes = {
        "encoder": (encoder_layers, n_src, n_src),
        "decoder": (decoder_layers, n_tgt, n_tgt),
        "cross": (decoder_layers, n_tgt, n_src),
    }
    maps = []
    for kind, (layers, rows, columns) in shapes.items():
        mask = np.tri(rows, columns, dtype=bool) if kind == "decoder" else None
        weights = rng.random((layers, 3, rows, columns)) ** 3 + 1e-3
        weights *= 1 if mask is None else mask
        weights /= weights.sum(-1, keepdims=True)
        tokens = (
            tuple(f"▁{side}{i}" for i in range(n)) for side, n in (("q", rows), ("k", columns))
        )
        site = TRANSFORMER_SITES[kind]
        maps.append(AttentionMap(site, weights.astype(np.float32), *tokens, mask=mask))
    src, tgt = (
        TokenSequence("", (0,) * n, ("▁x",) * n, ((0, 1),) * n) for n in (n_src, n_tgt)
    )  # fmt: skip
    return AttentionRecord(src, tgt, tuple(maps))
