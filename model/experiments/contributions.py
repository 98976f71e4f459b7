"""Vectors that attention adds up, and their sum in the residual stream."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.contributions import Contributions
from core.interventions.draft import ablations_of
from core.interventions.intervention import Intervention
from core.records.attention import AttentionMap, AttentionRecord
from words import Message

from ..errors import ModelError
from ..hooks.capture import ForwardHook, Hooks, stacked
from ..hooks.effects import HeadMeans
from ..nets.attention import AttentionProbe
from ..nets.sublayers import Residual, bias_of, residuals_of
from ..readers.experiment import experiment


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
    recorder = _Recorder(reader, change)
    reader.replay(record, change, recorder.hooks())
    return tuple(map(recorder.of, record.maps))


class _Recorder:
    """Values that probes weighted, outputs of the attention, and residual states around it.

    An attention module ends in `out_proj`, which mixes its heads, or else in `context_value`.
    """

    def __init__(self, reader: Any, change: Any) -> None:
        model = reader.model
        self._change = change if isinstance(change, Intervention) else Intervention()
        self._means: HeadMeans = getattr(reader, "means", None) or {}
        self._ends: dict[AttentionProbe, nn.Module] = {
            part.probe: getattr(part, "out_proj", None) or part.context_value
            for part in model.modules()
            if isinstance(getattr(part, "probe", None), AttentionProbe)
        }
        self._residuals = residuals_of(model)
        self._values: dict[AttentionProbe, list[Tensor]] = defaultdict(list)
        self._outputs: dict[AttentionProbe, list[Tensor]] = defaultdict(list)
        # Residual, state before and state after, for attention inside a residual stream.
        self._after: dict[AttentionProbe, tuple[Residual, Tensor, Tensor]] = {}

    def hooks(self) -> Hooks:
        """Return the hooks that record a pass."""
        hooks: dict[nn.Module, ForwardHook] = dict.fromkeys(self._residuals, self._record_residual)
        for probe, end in self._ends.items():
            hooks |= {probe: self._record_values, end: partial(self._record_output, probe)}
        return hooks

    def _record_values(self, probe: Any, inputs: tuple[Tensor, ...], _: Tensor) -> None:
        """Record the values of one call of a probe."""
        self._values[probe].append(inputs[3][0])

    def _record_output(self, probe: AttentionProbe, _: nn.Module, __: Any, output: Tensor) -> None:
        """Record the output of an attention module."""
        self._outputs[probe].append(output)

    def _record_residual(self, residual: Any, inputs: tuple[Tensor, ...], after: Tensor) -> None:
        """Record the states around the sub-layer that received a recorded output."""
        # A sub-layer is recognised by the tensor it received: names and structure of modules are
        # the family's own.
        for probe, outputs in self._outputs.items():
            if outputs[-1] is inputs[1]:
                self._after[probe] = residual, inputs[0][0], after[0]

    def of(self, attention: AttentionMap) -> Contributions:
        """Build the contributions behind one map."""
        by_layer: dict[str, list[Tensor]] = defaultdict(list)
        eps = 0.0
        rms = False
        probes = (probe for probe in self._values if probe.site_id == attention.site_id)
        off = ablations_of(self._change, attention.site)
        for probe in sorted(probes, key=lambda probe: probe.layer):
            vectors, bias = self._vectors(probe, attention.item, off[probe.layer])
            by_layer["vectors"].append(vectors)
            by_layer["out_bias"].append(bias)
            if probe not in self._after:
                by_layer["outputs"].append(self._output_rows(probe, attention.item))
                continue
            residual, before, after = self._after[probe]
            by_layer["inputs"].append(before)
            by_layer["outputs"].append(after)
            if not residual.pre_norm:
                norm: Any = residual.norm
                by_layer["gain"].append(norm.weight)
                by_layer["shift"].append(bias_of(norm))
                eps = norm.eps
                rms = isinstance(norm, nn.RMSNorm)
        return Contributions(
            site=attention.site,
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

    def _vectors(self, probe: AttentionProbe, item: int, off: np.ndarray) -> tuple[Tensor, Tensor]:
        """Return the vector that each key adds, (H, T_k, d), and what is added besides, (d,).

        `off` (H,) holds the ablation of each head.
        """
        values = self._values[probe][item]
        end = self._ends[probe]
        instead = torch.zeros_like(values[:, 0])
        if (means := torch.tensor(off == "mean")).any():
            instead[means] = self._means[probe.site_id][probe.layer].to(values)[means]
        silent = torch.tensor(np.isin(off, ("zero", "mean")), device=values.device)
        values = values.masked_fill(silent[:, None, None], 0)
        if not isinstance(end, nn.Linear):
            return values, instead.sum(0)
        # W_O applied head by head: the sum over heads is then explicit.
        by_head = end.weight.unflatten(1, (len(values), -1))
        vectors = torch.einsum("hkv,dhv->hkd", values, by_head)
        return vectors, end.bias + torch.einsum("hv,dhv->d", instead, by_head)

    def _output_rows(self, probe: AttentionProbe, item: int) -> Tensor:
        """Return the output of an attention module at every query, (T_q, d)."""
        outputs = self._outputs[probe]
        rows = torch.cat(outputs) if probe.one_call == "step" else outputs[item]
        return rows[0] if rows.ndim == 3 else rows


def _stacked_or_none(layers: list[Tensor]) -> np.ndarray | None:
    """Stack one tensor of each layer; None if the model has no such tensors."""
    return stacked(layers) if layers else None
