"""Queries, keys and values of every head, for following the arithmetic of attention."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.records.attention import AttentionRecord, AttentionVectors

from ..hooks.capture import ForwardHook, listening, stacked
from ..nets.attention import MultiHeadAttention
from ..readers.experiment import experiment
from ..readers.reader import Reader
from ..teacher_forcing import read_ids, tensor_of

_PROJECTIONS = {"query_proj": "queries", "key_proj": "keys", "value_proj": "values"}


class CapturedVectors:
    """Queries, keys and values of the latest forward pass inside the ``with``."""

    def __init__(self, layers: list[MultiHeadAttention]) -> None:
        self._layers = layers
        self._projected: dict[tuple[str, int, str], Tensor] = {}
        self._relative: dict[str, np.ndarray] = {}  # by site, (H, T_q, T_k)

    @property
    def site_ids(self) -> tuple[str, ...]:
        """Names of the sites that were captured."""
        return tuple(dict.fromkeys(site for site, _, _ in self._projected))

    def of(self, site: str) -> AttentionVectors:
        """Return the vectors of the first sentence of the batch at `site`.

        Raises KeyError if no such attention ran inside the ``with``.
        """
        if site not in self.site_ids:
            raise KeyError(f"nothing captured for {site!r}; found {sorted(self.site_ids)}")
        layers = sorted(
            (layer for layer in self._layers if layer.probe.site_id == site),
            key=lambda layer: layer.probe.layer,
        )

        def of_layers(name: str) -> np.ndarray:
            return stacked(self._projected[site, layer.probe.layer, name][0] for layer in layers)

        return AttentionVectors(
            site_id=site,
            queries=of_layers("queries"),
            keys=of_layers("keys"),
            values=of_layers("values"),
            out_weight=stacked(layer.out_proj.weight for layer in layers),
            out_bias=stacked(layer.out_proj.bias for layer in layers),
            relative=self._relative.get(site),
        )


@experiment("vectors")
@torch.inference_mode()
def vectors_of(reader: Reader, record: AttentionRecord) -> tuple[AttentionVectors, ...]:
    """Return queries, keys and values of every layer and head behind `record`, one entry a site.

    The ids of `record` are read again as they stand. A record without a target has only the
    encoder's.
    """
    model = reader.model
    src = tensor_of(model, record.src.ids)
    with capture_vectors(model) as captured:
        if record.tgt is None:
            model.encode(src)
        else:
            model(src, tensor_of(model, read_ids(model.config, record.tgt.ids)))
    return tuple(captured.of(site) for site in captured.site_ids)


@contextmanager
def capture_vectors(model: nn.Module) -> Iterator[CapturedVectors]:
    """Record q, k and v of forward passes that this thread makes inside the ``with``.

    Hooks sit on the projections themselves, so nothing is computed twice (see `listening`). A later
    pass replaces an earlier one.
    """
    layers = [module for module in model.modules() if isinstance(module, MultiHeadAttention)]
    captured = CapturedVectors(layers)

    def keep_bias(site: str, *call: Any) -> None:
        # The bias is the same for every item, (1, H, T_q, T_k).
        captured._relative[site] = call[-1][0].float().cpu().numpy()

    def keep(layer: MultiHeadAttention, name: str, *call: Any) -> None:
        heads = layer.split_heads(call[-1].detach())  # the output, after module and inputs
        captured._projected[layer.probe.site_id, layer.probe.layer, name] = heads

    hooks: dict[nn.Module, ForwardHook] = {
        getattr(layer, projection): partial(keep, layer, name)
        for layer in layers
        for projection, name in _PROJECTIONS.items()
    }
    for site in (layer.probe.site_id for layer in layers):
        # One table serves all layers of a stack, so its bias is recorded once a site.
        if (relative := getattr(model, f"{site}_relative", None)) is not None:
            hooks[relative] = partial(keep_bias, site)
    with listening(hooks):
        yield captured
