"""Vectors that attention adds up, and their sum in the residual stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.contributions import Contributions
from core.interventions.draft import ablations_of
from core.interventions.intervention import Intervention
from core.records.attention import AttentionMap, AttentionRecord
from core.records.sublayers import SubLayer
from words import Message

from ..errors import ModelError
from ..hooks.activations import Activation, HookPoint, has_probe, head_points
from ..hooks.capture import stacked
from ..hooks.effects import HeadMeans
from ..nets.sublayers import bias_of, residuals_of
from ..readers.experiment import experiment

ATTENTION = ("self", "cross")
"""Names of the sub-layers that are attention."""


@experiment()
@torch.inference_mode()
def contributions_of(
    reader: Any, record: AttentionRecord, change: Any = None
) -> tuple[Contributions, ...]:
    """Return what every head adds to its queries, one entry for each map of `record`.

    The ids of `record` are read again as they stand, under the `change` of that run (see
    `Reader.replay`). The replacement of an ablated head belongs to no key. Raises ModelError if
    a site does not pass its values to the probe (see `AttentionSite.has_values`).
    """
    if not record.sites or not all(site.has_values for site in record.sites):
        raise ModelError(Message.of("model-no-values", name=reader.card.name))
    cache = reader.replay(record, change, _points(reader.model))
    run = _RecordedRun(reader, change, cache)
    return tuple(map(run.of, record.maps))


def _points(model: nn.Module) -> dict[str, HookPoint]:
    """Return the points of values, of outputs of attention, and of residual states around it."""
    points: list[HookPoint] = []
    for part in filter(has_probe, model.modules()):
        of_part = {point.name.rpartition(".")[2]: point for point in head_points(part)}
        # An attention without W_O ends in its context.
        points += [of_part["v"], of_part["attn_out" if "attn_out" in of_part else "z"]]
    for residual in residuals_of(model):
        if residual.sublayer.name not in ATTENTION:
            continue
        # The input of the connection itself, since an intervention may remove it.
        points.append(HookPoint(_around(residual.sublayer, "before"), residual, "input"))
        points.append(HookPoint(_around(residual.sublayer, "after"), residual))
    return {point.name: point for point in points}


def _around(sublayer: SubLayer, side: str) -> str:
    """Return the name of the state "before" or "after" a sub-layer."""
    return f"{sublayer.stack}.{sublayer.layer}.{sublayer.name}.{side}"


class _RecordedRun:
    """Values that probes weighted, outputs of attention, and residual states around it."""

    def __init__(self, reader: Any, change: Any, cache: Mapping[str, Activation]) -> None:
        model = reader.model
        self._change = change if isinstance(change, Intervention) else Intervention()
        self._means: HeadMeans = getattr(reader, "means", None) or {}
        self._cache = cache
        self._attention = {
            (part.probe.site_id, part.probe.layer): part
            for part in model.modules()
            if has_probe(part)
        }
        self._residuals = {residual.sublayer: residual for residual in residuals_of(model)}

    def of(self, attention: AttentionMap) -> Contributions:
        """Build the contributions behind one map."""
        by_layer: dict[str, list[Tensor]] = defaultdict(list)
        eps = 0.0
        rms = False
        site = attention.site
        off = ablations_of(self._change, site)
        for layer in range(site.n_layers):
            vectors, bias = self._vectors(site.name, layer, attention.item, off[layer])
            by_layer["vectors"].append(vectors)
            by_layer["out_bias"].append(bias)
            stack, name = ("decoder", "cross") if site.name == "cross" else (site.name, "self")
            residual = self._residuals.get(SubLayer(stack, layer, name))
            if residual is None:
                by_layer["outputs"].append(self._output_rows(site.name, layer, attention.item))
                continue
            for states, side in (("inputs", "before"), ("outputs", "after")):
                by_layer[states].append(self._cache[_around(residual.sublayer, side)][0])
            if not residual.pre_norm:
                norm: Any = residual.norm
                by_layer["gain"].append(norm.weight)
                by_layer["shift"].append(bias_of(norm))
                eps = norm.eps
                rms = isinstance(norm, nn.RMSNorm)
        return Contributions(
            site=site,
            weights=attention.weights,
            vectors=stacked(by_layer["vectors"]),
            out_bias=stacked(by_layer["out_bias"]),
            outputs=stacked(by_layer["outputs"]),
            inputs=_stacked_or_none(by_layer["inputs"]),
            gain=_stacked_or_none(by_layer["gain"]),
            shift=_stacked_or_none(by_layer["shift"]),
            eps=eps,
            rms=rms,
            item=attention.item,
        )

    def _activation(self, name: str, item: int) -> Tensor:
        """Return an activation of one text; of a site with several maps, that of `item`."""
        value = self._cache[name]
        return value[item][0] if isinstance(value, tuple) else value[0]

    def _vectors(self, site: str, layer: int, item: int, off: np.ndarray) -> tuple[Tensor, Tensor]:
        """Return the vector that each key adds, (H, T_k, d), and what is added besides, (d,).

        `off` (H,) holds the ablation of each head.
        """
        values = self._activation(f"{site}.{layer}.v", item)
        instead = torch.zeros_like(values[:, 0])
        if (means := torch.tensor(off == "mean")).any():
            instead[means] = self._means[site][layer].to(values)[means]
        silent = torch.tensor(np.isin(off, ("zero", "mean")), device=values.device)
        values = values.masked_fill(silent[:, None, None], 0)
        out_proj: Any = getattr(self._attention[site, layer], "out_proj", None)
        if out_proj is None:
            return values, instead.sum(0)
        # W_O applied head by head: the sum over heads is then explicit.
        by_head = out_proj.weight.unflatten(1, (len(values), -1))
        vectors = torch.einsum("hkv,dhv->hkd", values, by_head)
        return vectors, out_proj.bias + torch.einsum("hv,dhv->d", instead, by_head)

    def _output_rows(self, site: str, layer: int, item: int) -> Tensor:
        """Return the output of an attention at every query, (T_q, d)."""
        if (mixed := f"{site}.{layer}.attn_out") in self._cache:
            return self._activation(mixed, item)
        return self._activation(f"{site}.{layer}.z", item)[0]


def _stacked_or_none(layers: list[Tensor]) -> np.ndarray | None:
    """Stack one tensor of each layer; None if the model has no such tensors."""
    return stacked(layers) if layers else None
