"""The vectors that every attention adds up, and what they add up to."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from core.attention import AttentionMap, AttentionRecord
from core.contributions import Contributions

from ..attention import AttentionProbe
from ..block import Residual, residuals_of
from ..capture import ForwardHook, listening, stacked
from ..read import read_ids, tensor_of
from ..reader import Reader
from . import experiment


@experiment("vectors")
@torch.inference_mode()
def contributions_of(reader: Reader, record: AttentionRecord) -> tuple[Contributions, ...]:
    """What every head adds to its queries, one entry a map of `record`, whose ids are read again as
    they stand."""
    model = reader.model
    src = reader.input_of(record.src)
    heard = _Heard(model)
    with listening(heard.hooks()):
        if record.tgt is not None:
            model(src, tensor_of(model, read_ids(model.config, record.tgt.ids)))
        elif reader.writes:
            model.encode(src)
        else:
            model(src)
    return tuple(map(heard.of, record.maps))


class _Heard:
    """What came to the probes of a model, left the parts they stand in and went into the residual
    stream. Of a part, `out_proj` is what mixes its heads, and `context_value` passes on what they
    give where nothing does."""

    def __init__(self, model: nn.Module) -> None:
        self._parts: dict[AttentionProbe, Any] = {
            part.probe: part
            for part in model.modules()
            if isinstance(getattr(part, "probe", None), AttentionProbe)
        }
        self._residuals = residuals_of(model)
        self._values: dict[AttentionProbe, list[Tensor]] = defaultdict(list)
        self._given: dict[AttentionProbe, list[Tensor]] = defaultdict(list)
        self._after: dict[AttentionProbe, tuple[Residual, Tensor, Tensor]] = {}

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        hooks: dict[nn.Module, ForwardHook] = dict.fromkeys(self._residuals, self._hear_residual)
        for probe, part in self._parts.items():
            hooks[probe] = self._hear_values
            hooks[_end(part)] = partial(self._hear_given, probe)
        return hooks

    def _hear_values(self, probe: Any, inputs: tuple[Tensor, ...], _: Tensor) -> None:
        self._values[probe].append(inputs[3][0])

    def _hear_given(self, probe: AttentionProbe, _: nn.Module, __: Any, given: Tensor) -> None:
        self._given[probe].append(given)

    def _hear_residual(self, residual: Any, inputs: tuple[Tensor, ...], after: Tensor) -> None:
        # A sub-layer is known by what it gave: its name and its part are the family's own.
        for probe, given in self._given.items():
            if given[-1] is inputs[1]:
                self._after[probe] = residual, inputs[0][0], after[0]

    def of(self, attention: AttentionMap) -> Contributions:
        """What is added at the places of a map."""
        item = attention.item
        probes = sorted(
            (probe for probe in self._values if probe.kind == attention.kind),
            key=lambda probe: probe.layer,
        )
        parts = [self._parts[probe] for probe in probes]
        vectors = [
            _projected(
                part, self._values[probe][attention.item if probe.one_call == "item" else -1]
            )
            for probe, part in zip(probes, parts, strict=True)
        ]
        biases = [_bias(part, made) for part, made in zip(parts, vectors, strict=True)]
        made = {"vectors": vectors, "out_bias": biases}
        norms = {}
        if all(probe in self._after for probe in probes):
            residuals, inputs, outputs = zip(*(self._after[p] for p in probes), strict=True)
            made |= {"inputs": inputs, "outputs": outputs}
            if not residuals[0].pre_norm:
                made["gain"] = [residual.norm.weight for residual in residuals]
                made["shift"] = [residual.norm.bias for residual in residuals]
                norms["eps"] = residuals[0].norm.eps
        else:
            made["outputs"] = [
                _joined(probe, self._given[probe], attention.item) for probe in probes
            ]
        return Contributions(
            site=attention.site,
            weights=attention.weights,
            item=item,
            **{name: stacked(tensors) for name, tensors in made.items()},
            **norms,
        )


def _end(part: Any) -> nn.Module:
    """What gives the result of a part that attends."""
    return getattr(part, "out_proj", None) or part.context_value


def _projected(part: Any, values: Tensor) -> Tensor:
    """Values (H, T_k, d_v) -> what each adds to the result, (H, T_k, d)."""
    linear = getattr(part, "out_proj", None)
    if linear is None:
        return values
    return torch.einsum("hkv,dhv->hkd", values, linear.weight.unflatten(1, (len(values), -1)))


def _bias(part: Any, vectors: Tensor) -> Tensor:
    linear = getattr(part, "out_proj", None)
    return vectors.new_zeros(vectors.shape[-1]) if linear is None else linear.bias


def _joined(probe: AttentionProbe, given: list[Tensor], item: int) -> Tensor:
    """What a part gave at every query, (T_q, d)."""
    if probe.one_call == "step":
        return torch.cat(given)
    return given[item] if probe.one_call == "item" else given[-1][0]
