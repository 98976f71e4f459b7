"""Probes in, arrays out: every head's weights of the calls made inside a `with`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .attention import AttentionProbe

# torch numbers hook handles with an unguarded counter: two threads that register at once may get
# the same number, and one would lose its hook.
_REGISTRATION = threading.Lock()

ForwardHook = Callable[[nn.Module, tuple[Tensor, ...], Tensor], Tensor | None]
"""Called with (module, inputs, output); what it returns, unless None, replaces the output."""
Hooks = Mapping[nn.Module, ForwardHook]
ForwardPreHook = Callable[[nn.Module, tuple[Tensor, ...]], Tensor | tuple[Tensor, ...] | None]
"""Called with (module, inputs) before the module; what it returns, unless None, is its input."""


class Captured:
    """What the probes saw during the latest forward pass inside the `with`. A probe that is called
    once a query has its calls joined along the queries; one that is called once a map has as many
    items as calls. Such a pass begins where the model itself is called."""

    def __init__(self, *, scores: bool) -> None:
        self.keeps_scores = scores
        self._weights: _Calls = {}
        self._scores: _Calls = {}
        self._told: set[str] = set()

    def _record(self, probe: AttentionProbe, weights: Tensor, inputs: tuple[Any, ...]) -> None:
        _keep(self._weights, probe, weights)
        if self.keeps_scores and inputs[1] is not None:
            _keep(self._scores, probe, inputs[1])
        if len(inputs) > 3:
            self._told.add(probe.kind)

    def _begin(self) -> None:
        self._weights.clear()
        self._scores.clear()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the sites that were heard."""
        return tuple(dict.fromkeys(probe.kind for probe in self._weights))

    def n_items(self, site: str) -> int:
        """How many maps the site of that name has; 0 when nothing was heard there."""
        calls = (calls for probe, calls in self._weights.items() if probe.kind == site)
        return max((len(heard) for heard in calls), default=0)

    def has_scores(self, site: str) -> bool:
        """Whether scores were recorded there; attention by position alone has none."""
        return any(probe.kind == site for probe in self._scores)

    def tells_values(self, site: str) -> bool:
        """Whether a probe there was given the values that it weighs."""
        return site in self._told

    def weights(self, site: str, item: int = 0) -> np.ndarray:
        """float32 array (B, L, H, T_q, T_k), each row sums to one where the site is `normalised`.
        KeyError where no attention of that kind, or no such item, ran inside the `with`."""
        return _stack(self._weights, site, item)

    def scores(self, site: str, item: int = 0) -> np.ndarray:
        """float32 array (B, L, H, T_q, T_k): q.k / sqrt(d_k) before the mask. KeyError as for
        `weights`, or where the capture was opened without ``scores=True``."""
        return _stack(self._scores, site, item)


# For each probe its maps, each in the parts that its calls held.
_Calls = dict[AttentionProbe, list[list[Tensor]]]


def _keep(store: _Calls, probe: AttentionProbe, heard: Tensor) -> None:
    heard = heard.detach()
    if probe.one_call == "pass" or probe not in store:
        store[probe] = [[heard]]
    elif probe.one_call == "step":
        store[probe][0].append(heard)
    else:
        store[probe].append([heard])


def _stack(store: _Calls, site: str, item: int) -> np.ndarray:
    layers = sorted(
        (
            (probe.layer, maps[item])
            for probe, maps in store.items()
            if probe.kind == site and item < len(maps)
        ),
        key=lambda layer: layer[0],
    )
    if not layers:
        sites = sorted({probe.kind for probe in store})
        raise KeyError(f"nothing captured for {site!r}, item {item}; found {sites}")
    joined = (torch.cat(parts, dim=-2) if len(parts) > 1 else parts[0] for _, parts in layers)
    return stacked(joined, axis=1)


def stacked(tensors: Iterable[Tensor], axis: int = 0) -> np.ndarray:
    """Tensors of one shape as one float32 array, along a new axis."""
    return np.stack([tensor.detach().float().cpu().numpy() for tensor in tensors], axis=axis)


def probes_of(model: nn.Module) -> list[AttentionProbe]:
    """All probes of a model, in the order of its modules."""
    return [module for module in model.modules() if isinstance(module, AttentionProbe)]


@contextmanager
def listening(
    hooks: Hooks, before: Mapping[nn.Module, ForwardPreHook] | None = None
) -> Iterator[None]:
    """Hooks after the modules `hooks` and before those of `before`, that hear the calls of this
    thread only, since one cached model serves many, and leave when the `with` closes, after errors
    too."""
    owner = threading.get_ident()

    def own(hook: Callable[..., Any]) -> Callable[..., Any]:
        def hear(*heard: Any) -> Any:
            return hook(*heard) if threading.get_ident() == owner else None

        return hear

    with _REGISTRATION:
        handles = [module.register_forward_hook(own(hook)) for module, hook in hooks.items()]
        handles += [
            module.register_forward_pre_hook(own(hook)) for module, hook in (before or {}).items()
        ]
    try:
        yield
    finally:
        with _REGISTRATION:
            for handle in handles:
                handle.remove()


@contextmanager
def capture_attention(model: nn.Module, *, scores: bool = False) -> Iterator[Captured]:
    """Record every head's weights of forward passes made by this thread inside the `with`, with the
    scores before mask and softmax where asked. Other threads may use the model meanwhile (see
    `listening`). A later forward pass replaces an earlier one; what a pass in steps or items holds
    is told by each probe (`AttentionProbe`)."""
    captured = Captured(scores=scores)

    def listen(probe: nn.Module, inputs: tuple[Tensor, ...], weights: Tensor) -> None:
        if isinstance(probe, AttentionProbe):
            captured._record(probe, weights, inputs)

    def begin(_model: nn.Module, _inputs: tuple[Tensor, ...]) -> None:
        captured._begin()

    with listening(dict.fromkeys(probes_of(model), listen), {model: begin}):
        yield captured
