"""Queries, keys and values of every head, for following the arithmetic of attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from core.records.attention import AttentionRecord, AttentionVectors

from ..hooks.activations import Activation, hook_points, recording
from ..hooks.capture import stacked
from ..nets.multi_head import MultiHeadAttention
from ..readers.experiment import experiment
from ..teacher_forcing import read_ids, tensor_of
from .protocol import LoadedModel

_READ = ("q", "k", "v", "position_bias")


@experiment("vectors")
@torch.inference_mode()
def vectors_of(reader: LoadedModel, record: AttentionRecord) -> tuple[AttentionVectors, ...]:
    """Return queries, keys and values of every layer and head behind `record`, one entry a site.

    The ids of `record` are read again as they stand. A record without a target has only the
    encoder's.
    """
    model = reader.model
    src = tensor_of(model, record.src.ids)
    points = hook_points(model)
    names = [name for name in points if name.rpartition(".")[2] in _READ]
    with recording(points, names) as cache:
        if record.tgt is None:
            model.encode(src)
        else:
            model(src, tensor_of(model, read_ids(model.config, record.tgt.ids)))
    by_site: dict[str, list[MultiHeadAttention]] = {}
    for module in model.modules():
        if isinstance(module, MultiHeadAttention) and f"{module.probe.site_id}.0.q" in cache:
            by_site.setdefault(module.probe.site_id, []).append(module)
    return tuple(_vectors(site, layers, cache) for site, layers in by_site.items())


def _vectors(
    site: str, layers: Sequence[MultiHeadAttention], cache: Mapping[str, Activation]
) -> AttentionVectors:
    """Return the vectors of the first sentence of the batch at a site."""
    layers = sorted(layers, key=lambda layer: layer.probe.layer)
    # The bias is the same for every item and layer, (1, H, T_q, T_k).
    bias = cache.get(f"{site}.position_bias")

    def of_layers(name: str) -> np.ndarray:
        return stacked(cache[f"{site}.{layer.probe.layer}.{name}"][0] for layer in layers)

    return AttentionVectors(
        site_id=site,
        queries=of_layers("q"),
        keys=of_layers("k"),
        values=of_layers("v"),
        out_weight=stacked(layer.out_proj.weight for layer in layers),
        out_bias=stacked(layer.out_proj.bias for layer in layers),
        relative=None if bias is None else bias[0].float().cpu().numpy(),
    )
