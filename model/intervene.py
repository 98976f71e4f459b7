"""Run a model with some of what it may see, or compute, changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from core.attention import AttentionSite
from core.card import CheckpointCard
from core.change import Room
from core.changes import ABLATIONS, HiddenToken, LiftedMask, UnreadToken
from core.intervention import Intervention
from words import Message, site_title

from .attention import AttentionProbe, attention_weights, causal_mask
from .block import sublayers_of
from .capture import ForwardHook, ForwardPreHook, listening, probes_of
from .errors import InterventionError

HeadMeans = Mapping[str, Tensor]
"""For each kind the mean output of every head, (L, H, d_k)."""


@dataclass
class _Layer:
    """What is changed in one layer of one kind; None where nothing is."""

    allowed: Tensor | None = None  # bool (B, H, T_q, T_k), joined to the model's own mask
    lifted: Tensor | None = None  # bool (B, 1, 1, 1), where that mask is dropped
    uniform: Tensor | None = None  # bool (B, H), as `zero` and `mean`
    given: Tensor | None = None  # bool (B, H, T_q), where `rows` stand in the place of the weights
    rows: Tensor | None = None  # (B, H, T_q, T_k)
    zero: Tensor | None = None
    mean: Tensor | None = None

    @property
    def changes_weights(self) -> bool:
        parts = (self.allowed, self.lifted, self.uniform, self.given)
        return any(part is not None for part in parts)

    @property
    def changes_output(self) -> bool:
        return self.zero is not None or self.mean is not None


class Intervened:
    """A model under interventions, itself a `Seq2SeqModel`: what all families have in common. Made
    by `intervening`; good inside its `with` and on its thread only. With several interventions item
    b of every batch is run under the b-th; a source or target given once serves them all.

    An heir runs a family's models: `start`, `step`, `select`, `forward`, and `hidden`, which gives
    `forward` before the output layer. It calls `_begin` before every pass, and `offers` the
    capabilities of the changes that it can lay out."""

    offers: ClassVar[frozenset[str]] = frozenset()

    def __init__(
        self,
        model: Any,
        interventions: Sequence[Intervention],
        n_src: int,
        n_tgt: int,
        means: HeadMeans | None,
    ) -> None:
        self.config = model.config
        self.sites = tuple(model.sites)
        self.n_items = len(interventions)
        self._model = model
        self._sites = {site.name: site for site in self.sites}
        self._lengths = {"source": n_src, "target": n_tgt}
        self._means = means
        self._device = model.embedding.weight.device
        self._layers: dict[tuple[str, int], _Layer] = {}
        self._unread: Tensor | None = None  # bool (B, T_src) where tokens are not read
        self._first_query = 0  # position of the first query row of the pass under way
        self._calls: Counter[AttentionProbe] = Counter()  # in it, of those that go step by step
        for item, intervention in enumerate(interventions):
            self._check(intervention)
            self._lay_out(item, intervention)
        self._refuse_empty_rows()

    # Running the model

    def hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        """ids (1 or B, T_src), (1 or B, T_tgt), nothing padded -> (B, T_tgt, d_model)."""
        raise NotImplementedError

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """ids (1 or B, T_src), (1 or B, T_tgt), nothing padded -> logits (B, T_tgt, V)."""
        return self._model.logits(self.hidden(src, tgt))

    def __call__(self, src: Tensor, tgt: Tensor) -> Tensor:
        return self.forward(src, tgt)

    @staticmethod
    def head_size(model: Any) -> int:
        """How many numbers a head of the model gives for each query."""
        raise NotImplementedError

    @staticmethod
    def activations(model: Any, n_src: int, n_tgt: int) -> int:
        """About how many numbers the largest step of a pass keeps for a gradient."""
        raise NotImplementedError

    def may_look(self, kind: str, n_queries: int, n_keys: int) -> np.ndarray:
        """Where the heads may look under the first intervention: bool (L, H, n_queries, n_keys)."""
        site = self._sites[kind]
        full = np.ones((site.n_layers, site.n_heads, n_queries, n_keys), dtype=bool)
        if self._unread is not None and site.key == "source":
            full[..., self._unread[0].cpu().numpy()] = False
        for layer in range(site.n_layers):
            changes = self._layers.get((kind, layer), _Layer())
            if site.causal and changes.lifted is None:
                full[layer] &= causal_mask(n_queries).numpy()
            if changes.allowed is not None:
                full[layer] &= changes.allowed[0, :, :n_queries, :n_keys].cpu().numpy()
        return full

    def _begin(self, first_query: int = 0) -> None:
        """A pass begins whose first row of the target is `first_query`."""
        self._first_query = first_query
        self._calls.clear()

    def _for_all(self, ids: Tensor) -> Tensor:
        return ids.expand(self.n_items, -1) if len(ids) == 1 else ids

    # What the hooks do

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        """What to call after which module."""
        return {
            probe: self._weights_hook(changes)
            for probe in probes_of(self._model)
            if (changes := self._changed(probe)).changes_weights
            or (self._unread is not None and probe.site.key == "source")
        }

    def pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        """What to call before which module."""
        return {}

    def _changed(self, probe: AttentionProbe) -> _Layer:
        return self._layers.get((probe.kind, probe.layer), _Layer())

    def _weights_hook(self, changes: _Layer) -> ForwardHook:
        def change(probe: AttentionProbe, inputs: tuple, weights: Tensor) -> Tensor:
            _, scores, own = inputs
            n_queries, n_keys = weights.shape[-2:]
            first = self._first_row(probe)
            rows = slice(first, first + n_queries)
            mask = own
            if changes.lifted is not None and mask is not None:
                mask = mask | changes.lifted
            if changes.allowed is not None:
                allowed = changes.allowed[:, :, rows, :n_keys]
                mask = allowed if mask is None else mask & allowed
            if mask is not None and not bool(mask.any(-1).all()):
                raise InterventionError(
                    Message.of("model-change-nothing-left", site=site_title(probe.kind)),
                    hint=LEAVE_ONE,
                )
            if changes.lifted is not None or changes.allowed is not None:
                weights = _weighed_anew(probe.site, weights, scores, own, mask)
            if changes.uniform is not None:
                seen = torch.ones_like(weights) if mask is None else mask.expand_as(weights)
                even = seen / seen.sum(-1, keepdim=True)
                weights = torch.where(changes.uniform[:, :, None, None], even, weights)
            if changes.given is not None:
                given = changes.given[:, :, rows, None]
                if changes.rows[:, :, rows, n_keys:].any():
                    raise InterventionError(
                        Message.of("model-change-unwritten", site=site_title(probe.kind)),
                        hint=Message("model-change-unwritten-hint"),
                    )
                weights = torch.where(given, changes.rows[:, :, rows, :n_keys], weights)
            return weights

        return change

    def _first_row(self, probe: AttentionProbe) -> int:
        """Which row of the target the first query of this call is."""
        if probe.site.query != "target":
            return 0
        if probe.one_call != "step":
            return self._first_query
        self._calls[probe] += 1
        return self._first_query + self._calls[probe] - 1

    def _silenced(self, heads: Tensor, changes: _Layer, kind: str, layer: int) -> Tensor:
        """Outputs of heads (B, T, H, d) with those put to zero or to their mean that are off."""
        if changes.mean is not None:
            means = self._means[kind][layer].to(heads)
            heads = torch.where(changes.mean[:, None, :, None], means, heads)
        if changes.zero is not None:
            heads = heads.masked_fill(changes.zero[:, None, :, None], 0.0)
        return heads

    # Laying out what is changed

    def _lay_out(self, item: int, intervention: Intervention) -> None:
        for change in intervention.of(LiftedMask):
            for layer in range(self._sites[change.kind].n_layers):
                self._part(change.kind, layer, "lifted", (1, 1, 1), False)[item] = True
        for change in intervention.of(HiddenToken):
            for layer in range(self._sites[change.kind].n_layers):
                self._allowed(change.kind, layer)[item, ..., change.position] = False
        for unread in intervention.of(UnreadToken):
            if self._unread is None:
                size = (self.n_items, self._lengths["source"])
                self._unread = torch.zeros(size, dtype=torch.bool, device=self._device)
            self._unread[item, unread.position] = True
        for cell in intervention.masked:
            n_rows, n_columns = self._size(cell.kind)
            if (cell.query or 0) >= n_rows or (cell.key or 0) >= n_columns:
                continue  # a target position this run does not reach
            place = tuple(map(_at, (cell.head, cell.query, cell.key)))
            for layer in cell.layers(self._sites[cell.kind]):
                self._allowed(cell.kind, layer)[(item, *place)] = False
        # The general first, so that the particular counts.
        for entry in sorted(intervention.ablated, key=attrgetter("n_open"), reverse=True):
            n_heads = self._sites[entry.kind].n_heads
            for layer in entry.layers(self._sites[entry.kind]):
                for how in ABLATIONS:
                    if how == entry.how or getattr(self._layer(entry.kind, layer), how) is not None:
                        flags = self._part(entry.kind, layer, how, (n_heads,), False)
                        flags[item, _at(entry.head)] = how == entry.how
        for row in sorted(intervention.overridden, key=attrgetter("n_open"), reverse=True):
            n_rows, n_columns = self._size(row.kind)
            if row.query >= n_rows:
                continue
            size = (self._sites[row.kind].n_heads, n_rows)
            weights = torch.zeros(n_columns)
            n_given = min(n_columns, len(row.weights))
            weights[:n_given] = torch.tensor(row.weights[:n_given])
            for layer in row.layers(self._sites[row.kind]):
                place = (item, _at(row.head), row.query)
                self._part(row.kind, layer, "given", size, False)[place] = True
                self._part(row.kind, layer, "rows", (*size, n_columns), 0.0)[place] = weights

    def _layer(self, kind: str, layer: int) -> _Layer:
        return self._layers.setdefault((kind, layer), _Layer())

    def _part(
        self, kind: str, layer: int, name: str, shape: tuple[int, ...], empty: bool | float
    ) -> Tensor:
        changes = self._layer(kind, layer)
        if getattr(changes, name) is None:
            made = torch.full((self.n_items, *shape), empty, device=self._device)
            setattr(changes, name, made)
        return getattr(changes, name)

    def _allowed(self, kind: str, layer: int) -> Tensor:
        size = (self._sites[kind].n_heads, *self._size(kind))
        return self._part(kind, layer, "allowed", size, True)

    def _size(self, kind: str) -> tuple[int, int]:
        """T_q and T_k, at most."""
        site = self._sites[kind]
        return self._lengths[site.query], self._lengths[site.key]

    # What cannot be done

    def _check(self, intervention: Intervention) -> None:
        most = self.config.max_len
        # A target position may lie beyond what this run reaches.
        lengths = {"source": self._lengths["source"], "target": most}
        means = self._means is not None
        room = Room(tuple(self._sites.values()), lengths, most, means, sublayers_of(self._model))
        faults = intervention.faults(room)
        faults += tuple(
            Message.of("model-change-lacks", capability=capability)
            for capability in sorted(intervention.needs - self.offers)
        )
        if faults:
            raise InterventionError(
                Message.of("model-change-unfit", faults=faults),
                hint=Message("model-change-unfit-hint"),
            )

    def _refuse_empty_rows(self) -> None:
        for (kind, layer), changes in self._layers.items():
            seen = self._all_seen(kind, changes)
            if seen is None:
                continue
            single = self._sites[kind].n_layers * self._sites[kind].n_heads == 1
            site = {"site": site_title(kind), "single": "yes" if single else "no"}
            _, heads, queries = np.nonzero(~seen.any(-1).cpu().numpy())
            if len(heads):
                n_rows = self._size(kind)[0]
                whole = len(heads) == seen.shape[1] * n_rows
                row = {} if whole else {"row": int(queries[0]) + 1, "head": int(heads[0]) + 1}
                raise InterventionError(
                    Message.of(
                        f"model-change-nothing-left-{'layer' if whole else 'row'}",
                        layer=layer + 1,
                        **site,
                        **row,
                    ),
                    hint=LEAVE_ONE,
                )
            if changes.given is None:
                continue
            lost = (changes.given[..., None] & ~seen & (changes.rows > 0)).nonzero()
            if len(lost):
                _, head, query, key = lost[0].tolist()
                raise InterventionError(
                    Message.of(
                        "model-change-masked-weight",
                        row=query + 1,
                        **site,
                        layer=layer + 1,
                        head=head + 1,
                        key=key + 1,
                    ),
                    hint=Message("model-change-masked-weight-hint"),
                )

    def _all_seen(self, kind: str, changes: _Layer) -> Tensor | None:
        """Where may be looked, (B, H, T_q, T_k); None when that was not changed."""
        if changes.allowed is None and changes.given is None:
            return None
        site = self._sites[kind]
        size = (self.n_items, site.n_heads, *self._size(kind))
        seen = torch.ones(size, dtype=torch.bool, device=self._device)
        if changes.allowed is not None:
            seen = seen & changes.allowed
        if self._unread is not None and site.key == "source":
            seen = seen & ~self._unread[:, None, None]
        if site.causal:
            own = causal_mask(size[-1], device=self._device)
            seen = seen & (own if changes.lifted is None else own | changes.lifted)
        return seen


LEAVE_ONE = Message("model-change-nothing-left-hint")


def _at(position: int | None) -> int | slice:
    return slice(None) if position is None else position


def _weighed_anew(
    site: AttentionSite, weights: Tensor, scores: Tensor, own: Tensor | None, mask: Tensor | None
) -> Tensor:
    """The softmax under another mask; what a site multiplies its softmax by, a Gaussian, stays."""
    anew = attention_weights(scores, mask)
    if site.normalised:
        return anew
    softmax = attention_weights(scores, own)
    return anew * torch.where(softmax > 0, weights / softmax, 0.0)


def head_means_of(card: CheckpointCard, model: Any) -> HeadMeans | None:
    """The stored mean outputs of the heads, where there are such of this model's shape."""
    stored = card.interventions.get("head_means")
    if not isinstance(stored, dict):
        return None
    try:
        means = {s.name: torch.tensor(stored[s.name], dtype=torch.float32) for s in model.sites}
    except (KeyError, TypeError, ValueError):
        return None
    size = model.changed_as.head_size(model)
    sound = all(
        means[site.name].shape == (site.n_layers, site.n_heads, size)
        and bool(means[site.name].isfinite().all())
        for site in model.sites
    )
    return means if sound else None


@contextmanager
def intervening(
    model: Any,
    interventions: Intervention | Sequence[Intervention],
    *,
    n_src: int,
    n_tgt: int,
    means: HeadMeans | None = None,
) -> Iterator[Intervened]:
    """The model with something changed, for this thread and inside the `with` only: one
    intervention, or one for every item of a batch, for sources of `n_src` tokens, ``</s>``
    included, and decoders that read at most `n_tgt`, ``<s>`` included. `means` is what "mean" puts
    in the place of a head's output.

    How, the model's `changed_as` says, an heir of `Intervened`. Changes go through hooks that keep
    to this thread (see `listening`); `capture_attention` opened inside hears the changed weights.
    Where a layer has nothing changed it has no hook, so no intervention computes bit for bit what
    the model does. InterventionError where a layer, head or position does not exist, a row is left
    with nothing to look at, or a given row looks where it may not."""
    if isinstance(interventions, Intervention):
        interventions = (interventions,)
    intervened = model.changed_as(model, tuple(interventions), n_src, n_tgt, means)
    with listening(intervened.hooks(), intervened.pre_hooks()):
        yield intervened
