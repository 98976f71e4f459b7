"""Probes in, arrays out: every head's weights of the calls made inside a `with`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from torch import Tensor, nn

from .attention import AttentionProbe

# torch numbers hook handles with an unguarded counter: two threads that register at once may get
# the same number, and one would lose its hook.
_REGISTRATION = threading.Lock()

ForwardHook = Callable[[nn.Module, tuple[Tensor, ...], Tensor], Tensor | None]
"""Called with (module, inputs, output); what it returns, unless None, replaces the output."""
ForwardPreHook = Callable[[nn.Module, tuple[Tensor, ...]], Tensor | None]
"""Called with (module, inputs) before the module; what it returns, unless None, is its input."""


class Captured:
    """What the probes saw during the latest forward pass inside the `with`."""

    def __init__(self, *, scores: bool) -> None:
        self.keeps_scores = scores
        self._weights: dict[tuple[str, int], Tensor] = {}
        self._scores: dict[tuple[str, int], Tensor] = {}

    def _record(self, probe: AttentionProbe, weights: Tensor, scores: Tensor) -> None:
        self._weights[probe.kind, probe.layer] = weights.detach()
        if self.keeps_scores:
            self._scores[probe.kind, probe.layer] = scores.detach()

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(kind for kind, _ in self._weights))

    def weights(self, kind: str) -> np.ndarray:
        """float32 array (B, L, H, T_q, T_k), each row sums to one.

        Raises
        ------
        KeyError : no attention of that kind ran inside the `with`.
        """
        return _stack(self._weights, kind)

    def scores(self, kind: str) -> np.ndarray:
        """float32 array (B, L, H, T_q, T_k): q.k / sqrt(d_k) before the mask.

        Raises
        ------
        KeyError : as for `weights`, or the capture was opened without ``scores=True``.
        """
        return _stack(self._scores, kind)


def _stack(store: dict[tuple[str, int], Tensor], kind: str) -> np.ndarray:
    layers = sorted(layer for k, layer in store if k == kind)
    if not layers:
        raise KeyError(f"nothing captured for {kind!r}; found {sorted({k for k, _ in store})}")
    return np.stack([store[kind, layer].float().cpu().numpy() for layer in layers], axis=1)


def probes_of(model: nn.Module) -> list[AttentionProbe]:
    """All probes of a model, in the order of its modules."""
    return [module for module in model.modules() if isinstance(module, AttentionProbe)]


@contextmanager
def listening(
    hooks: Mapping[nn.Module, ForwardHook],
    before: Mapping[nn.Module, ForwardPreHook] | None = None,
) -> Iterator[None]:
    """Hooks that hear the calls of this thread only, and leave when the `with` closes.

    One cached model serves many threads, so the hooks keep to the thread that opened the `with`;
    they leave after errors too.

    Parameters
    ----------
    hooks : for each module, what to call after it
    before : for each module, what to call before it
    """
    owner = threading.get_ident()

    def own(hook: Callable[..., Tensor | None]) -> Callable[..., Tensor | None]:
        def hear(*heard: Any) -> Tensor | None:
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
    """Record every head's weights of forward passes made by this thread inside the `with`.

    Other threads may use the model meanwhile (see `listening`). A later forward pass replaces an
    earlier one.

    Parameters
    ----------
    scores : also record the scores before mask and softmax
    """
    captured = Captured(scores=scores)

    def listen(probe: AttentionProbe, inputs: tuple[Tensor, Tensor], weights: Tensor) -> None:
        captured._record(probe, weights, inputs[1])

    with listening(dict.fromkeys(probes_of(model), listen)):
        yield captured
