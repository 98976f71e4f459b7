"""Capture attention weights and scores from the probes of a model, as maps of a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.records.attention import AttentionMap, AttentionSite
from core.records.sources import Sides, Source

from ..nets.attention import AttentionProbe, causal_mask

# torch numbers hook handles with an unguarded counter: two threads that register at once may get
# the same number, and one would lose its hook.
_REGISTRATION = threading.Lock()

ForwardHook = Callable[[nn.Module, tuple[Tensor, ...], Tensor], Tensor | None]
"""Called with (module, inputs, output); a result other than None replaces the output."""
Hooks = Mapping[nn.Module, ForwardHook]
ForwardPreHook = Callable[[nn.Module, tuple[Tensor, ...]], Tensor | tuple[Tensor, ...] | None]
"""Called with (module, inputs) before the module; a result other than None replaces the inputs."""

OWNER = "listening_thread"
"""Attribute of a registered hook: the only thread whose calls it serves."""

MayLook = Callable[[str, int, int], np.ndarray]
"""Function of a site's name and the numbers of queries and keys to where its heads may attend.

The result is bool (L, H, n_queries, n_keys).
"""


def owner_of(hook: Callable[..., Any]) -> int | None:
    """Return the thread that a registered hook serves, None if it serves all."""
    return getattr(hook, OWNER, None)


class Captured:
    """Weights and scores of the latest forward pass inside the `with`.

    A new pass begins whenever the model itself is called. Calls of a probe with ``one_call="step"``
    are joined along the queries; those of a probe with "item" stay separate items.
    """

    def __init__(self, *, scores: bool) -> None:
        self.keeps_scores = scores
        self._weights: _Calls = {}
        self._scores: _Calls = {}
        self._with_values: set[str] = set()

    def _record(self, probe: AttentionProbe, weights: Tensor, inputs: tuple[Any, ...]) -> None:
        """Store the output of one call of a probe, and its scores if `keeps_scores`."""
        _keep(self._weights, probe, weights)
        if self.keeps_scores and inputs[1] is not None:
            _keep(self._scores, probe, inputs[1])
        # The fourth argument of a probe is `values`, which families may omit.
        if len(inputs) > 3:
            self._with_values.add(probe.site_id)

    def _begin(self) -> None:
        self._weights.clear()
        self._scores.clear()

    @property
    def site_ids(self) -> tuple[str, ...]:
        """Names of the sites that were captured."""
        return tuple(dict.fromkeys(probe.site_id for probe in self._weights))

    def n_items(self, site: str) -> int:
        """Return how many maps the site called `site` has; 0 if nothing was captured there."""
        by_probe = (maps for probe, maps in self._weights.items() if probe.site_id == site)
        return max(map(len, by_probe), default=0)

    def has_scores(self, site: str) -> bool:
        """Return True if scores were recorded at `site`; attention by position alone has none."""
        return any(probe.site_id == site for probe in self._scores)

    def received_values(self, site: str) -> bool:
        """Return True if a probe of `site` received the values that it weights."""
        return site in self._with_values

    def weights(self, site: str, item: int = 0) -> np.ndarray:
        """Return the weights of `site` as a float32 array (B, L, H, T_q, T_k).

        Each row sums to one if the site is `normalised`. Raises KeyError if no such site or item
        ran inside the `with`.
        """
        return _stack(self._weights, site, item)

    def scores(self, site: str, item: int = 0) -> np.ndarray:
        """Return the scores of `site` before the mask, float32 (B, L, H, T_q, T_k).

        They are q.k / sqrt(d_k) plus a bias of positions, if there is one. Raises KeyError as
        `weights` does, or if the capture was opened without ``scores=True``.
        """
        return _stack(self._scores, site, item)


# The maps of each probe, each a list of the parts that its calls delivered.
_Calls = dict[AttentionProbe, list[list[Tensor]]]


def _keep(store: _Calls, probe: AttentionProbe, part: Tensor) -> None:
    """Add the output of one call to `store`, as the probe's `one_call` says."""
    # Detached, or a capture during training would keep the graph of every pass alive.
    part = part.detach()
    if probe.one_call == "pass" or probe not in store:
        store[probe] = [[part]]
    elif probe.one_call == "step":
        store[probe][0].append(part)
    else:
        store[probe].append([part])


def _stack(store: _Calls, site: str, item: int) -> np.ndarray:
    """Stack the maps of `site` over layers, (B, L, H, T_q, T_k), joining steps."""
    layers = sorted(
        (
            (probe.layer, maps[item])
            for probe, maps in store.items()
            if probe.site_id == site and item < len(maps)
        ),
        key=lambda layer: layer[0],
    )
    if not layers:
        sites = sorted({probe.site_id for probe in store})
        raise KeyError(f"nothing captured for {site!r}, item {item}; found {sites}")
    joined = (torch.cat(parts, dim=-2) if len(parts) > 1 else parts[0] for _, parts in layers)
    return stacked(joined, axis=1)


def stacked(tensors: Iterable[Tensor], axis: int = 0) -> np.ndarray:
    """Stack tensors of one shape into a float32 array along a new axis."""
    # `float` first: NumPy has no bfloat16.
    return np.stack([tensor.detach().float().cpu().numpy() for tensor in tensors], axis=axis)


def probes_of(model: nn.Module) -> list[AttentionProbe]:
    """Return all probes of a model in the order of its modules."""
    return [module for module in model.modules() if isinstance(module, AttentionProbe)]


@contextmanager
def listening(
    hooks: Hooks, before: Mapping[nn.Module, ForwardPreHook] | None = None
) -> Iterator[None]:
    """Register forward hooks `hooks` and pre-hooks `before` for the calls of this thread only.

    One cached model serves many threads, so each hook ignores calls of the others. Hooks are
    removed when the ``with`` closes, after errors as well.

    Parameters
    ----------
    hooks : mapping from module to ForwardHook
    before : mapping from module to ForwardPreHook, optional
    """
    owner = threading.get_ident()

    def in_this_thread(hook: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            return hook(*arguments) if threading.get_ident() == owner else None

        setattr(call, OWNER, owner)
        return call

    with _REGISTRATION:
        handles = [
            module.register_forward_hook(in_this_thread(hook)) for module, hook in hooks.items()
        ]
        handles += [
            module.register_forward_pre_hook(in_this_thread(hook))
            for module, hook in (before or {}).items()
        ]
    try:
        yield
    finally:
        with _REGISTRATION:
            for handle in handles:
                handle.remove()


@contextmanager
def capture_attention(model: nn.Module, *, scores: bool = False) -> Iterator[Captured]:
    """Record every head's weights of forward passes that this thread makes inside the ``with``.

    Other threads may use the model meanwhile (see `listening`). A later forward pass replaces an
    earlier one; families that run in steps or items are joined as their probes declare
    (`AttentionProbe`).

    Parameters
    ----------
    model : nn.Module
        A model whose attention passes through probes: one of this project, or one that
        `open_attention` has opened.
    scores : bool
        Also record the scores before mask and softmax.

    Yields
    ------
    Captured
        Filled by the passes; read it inside the ``with`` or after.
    """
    captured = Captured(scores=scores)

    def listen(probe: nn.Module, inputs: tuple[Tensor, ...], weights: Tensor) -> None:
        if isinstance(probe, AttentionProbe):
            captured._record(probe, weights, inputs)

    # Only a call of the model begins a pass; `encode` or `step` alone do not.
    def begin(_model: nn.Module, _inputs: tuple[Tensor, ...]) -> None:
        captured._begin()

    with listening(dict.fromkeys(probes_of(model), listen), {model: begin}):
        yield captured


def sides_of(src: Source, read_tokens: tuple[str, ...] = ()) -> Sides:
    """Return the labels of all positions on every side of a run."""
    return {**src.sides, "target": (read_tokens,)}


def maps_of(
    captured: Captured,
    sites: Sequence[AttentionSite],
    sides: Sides,
    produced: tuple[str, ...] | None = None,
    *,
    row: int = 0,
    may_look: MayLook | None = None,
) -> tuple[AttentionMap, ...]:
    """Build the attention maps of a run, in the order of `sites`.

    Parameters
    ----------
    captured : Captured
    sites : sequence of AttentionSite
        Sites that were not captured are skipped.
    sides : Sides
        Labels of the positions on each side, see `sides_of`.
    produced : tuple of str, optional
        Tokens that the rows of the target produce.
    row : int
        Item of the batch.
    may_look : MayLook, optional
        Where an intervention lets the heads attend; by default the model's own masks.

    Raises
    ------
    ValueError
        If a captured map has not as many rows or columns as its sides have positions.
    """
    return tuple(
        _map(captured, site, item, sides, produced, row, may_look)
        for site in sites
        for item in range(captured.n_items(site.name))
    )


def _map(
    captured: Captured,
    site: AttentionSite,
    item: int,
    sides: Sides,
    produced: tuple[str, ...] | None,
    row: int,
    may_look: MayLook | None,
) -> AttentionMap:
    """Build the map of one item of a site."""
    queries, keys = (
        side[item] if len(side) > 1 else side[0] for side in (sides[site.query], sides[site.key])
    )
    mask: np.ndarray | None = causal_mask(len(queries)).numpy() if site.causal else None
    head_masks = None
    if may_look is not None:
        seen = may_look(site.name, len(queries), len(keys))
        anywhere = np.asarray(seen.any(axis=(0, 1)))
        # Masks of single heads are kept only if they differ, so that most records stay small.
        head_masks = None if (seen == anywhere).all() else seen
        mask = None if anywhere.all() else anywhere
    return AttentionMap(
        site=site,
        weights=captured.weights(site.name, item)[row],
        query_tokens=queries,
        key_tokens=keys,
        output_tokens=produced if site.query == "target" else None,
        scores=captured.scores(site.name, item)[row] if captured.has_scores(site.name) else None,
        mask=mask,
        head_masks=head_masks,
        item=item,
    )
