"""Run a model with some of what it may see, or compute, changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import torch
from torch import Tensor, nn

from records import (
    ABLATIONS,
    CheckpointCard,
    HiddenToken,
    Intervention,
    LeftOut,
    LiftedMask,
    NoNorm,
    NoResidual,
    Positions,
    Room,
)
from words import Message, site_title

from .attention import AttentionProbe, MultiHeadAttention, attention_weights
from .block import residuals_of
from .capture import ForwardHook, ForwardPreHook, listening
from .errors import InterventionError
from .masks import causal_mask
from .positional import sinusoidal_encoding
from .transformer import Transformer, TransformerState

HeadMeans = Mapping[str, Tensor]
"""For each kind the mean output of every head, (L, H, d_k)."""


@dataclass
class _Layer:
    """What is changed in one layer of one kind; None where nothing is.

    `allowed` bool (B, H, T_q, T_k), joined to the model's own mask; `lifted` bool (B, 1, 1, 1)
    where that mask is dropped; `uniform` bool (B, H); `given` bool (B, H, T_q) with `rows`
    (B, H, T_q, T_k); `zero`, `mean` bool (B, H).
    """

    allowed: Tensor | None = None
    lifted: Tensor | None = None
    uniform: Tensor | None = None
    given: Tensor | None = None
    rows: Tensor | None = None
    zero: Tensor | None = None
    mean: Tensor | None = None

    @property
    def changes_weights(self) -> bool:
        parts = (self.allowed, self.lifted, self.uniform, self.given)
        return any(part is not None for part in parts)

    @property
    def changes_output(self) -> bool:
        return self.zero is not None or self.mean is not None


@dataclass(frozen=True)
class PeekingState:
    """Where a search without causal mask stands: every step reads all of `ids` (K, t) again."""

    memory: Tensor
    ids: Tensor


class Intervened:
    """A Transformer under interventions, itself a `Seq2SeqModel`.

    Made by `intervening`; good inside its `with` and on its thread only. With several
    interventions item b of every batch is run under the b-th; a source or target given once
    serves them all.
    """

    def __init__(
        self,
        model: Transformer,
        interventions: Sequence[Intervention],
        n_src: int,
        n_tgt: int,
        means: HeadMeans | None,
    ) -> None:
        self.config = model.config
        self.n_items = len(interventions)
        self._model = model
        self._sites = {site.name: site for site in model.sites}
        self._lengths = {"source": n_src, "target": n_tgt}
        self._means = means
        self._device = model.embedding.weight.device
        self._causal = all(i.causal for i in interventions)
        self._layers: dict[tuple[str, int], _Layer] = {}
        self._side = "source"
        self._first_query = 0  # position of the first query row of the pass under way
        # For each residual connection, or its norm, the items that go without, bool (B, 1, 1).
        self._no_residual = self._left_out(interventions, NoResidual)
        self._no_norm = self._left_out(interventions, NoNorm)
        for item, intervention in enumerate(interventions):
            self._check(intervention)
            self._lay_out(item, intervention)
        self._refuse_empty_rows()
        self._encodings = {
            side: self._positions([i.positions(side) for i in interventions], length)
            for side, length in self._lengths.items()
        }

    # Running the model

    def encode(self, src: Tensor) -> Tensor:
        """ids (1 or B, T_src) -> memory (B, T_src, d_model)."""
        self._side, self._first_query = "source", 0
        return self._model.encode(self._for_all(src))

    def decode_hidden(self, tgt: Tensor, memory: Tensor) -> Tensor:
        """ids (1 or B, T_tgt) that start with ``<s>`` -> (B, T_tgt, d_model)."""
        self._side, self._first_query = "target", 0
        return self._model.decode_hidden(self._for_all(tgt), memory)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """ids (1 or B, T_src), (1 or B, T_tgt), nothing padded -> logits (B, T_tgt, V)."""
        return self._model.logits(self.decode_hidden(tgt, self.encode(src)))

    __call__ = forward

    def start(self, src: Tensor) -> TransformerState | PeekingState:
        """As `Transformer.start`; several interventions give a state of several hypotheses."""
        self._side, self._first_query = "source", 0
        src = self._for_all(src)
        if self._causal:
            return self._model.start(src)
        none_read = torch.empty((self.n_items, 0), dtype=torch.long, device=src.device)
        return PeekingState(self._model.encode(src), none_read)

    def step(
        self, state: TransformerState | PeekingState, prev: Tensor
    ) -> tuple[Tensor, TransformerState | PeekingState]:
        """Read one token per hypothesis, `prev` (K,) -> log-probabilities (K, V), new state.

        Without the causal mask every earlier position looks at the new one too, so nothing can be
        cached and the whole prefix is read again.
        """
        self._side = "target"
        if isinstance(state, TransformerState):
            self._first_query = state.length
            return self._model.step(state, prev)
        self._first_query = 0
        ids = torch.cat((state.ids.expand(len(prev), -1), prev[:, None]), dim=1)
        memory = state.memory.expand(len(prev), -1, -1)
        hidden = self._model.decode_hidden(ids, memory)[:, -1]
        return self._model.logits(hidden).log_softmax(dim=-1), PeekingState(state.memory, ids)

    def select(
        self, state: TransformerState | PeekingState, rows: Tensor
    ) -> TransformerState | PeekingState:
        """Keep and reorder hypotheses by `rows` (K,); for a single intervention only."""
        if isinstance(state, TransformerState):
            return self._model.select(state, rows)
        return PeekingState(state.memory, state.ids[rows])

    def may_look(self, kind: str, n_queries: int, n_keys: int) -> np.ndarray:
        """Where the heads may look under the first intervention: bool (L, H, n_queries, n_keys)."""
        site = self._sites[kind]
        full = np.ones((site.n_layers, site.n_heads, n_queries, n_keys), dtype=bool)
        for layer in range(site.n_layers):
            changes = self._layers.get((kind, layer), _Layer())
            if site.causal and changes.lifted is None:
                full[layer] &= causal_mask(n_queries).numpy()
            if changes.allowed is not None:
                full[layer] &= changes.allowed[0, :, :n_queries, :n_keys].cpu().numpy()
        return full

    def left_out(self, residual: nn.Module) -> tuple[bool, bool]:
        """Whether the first intervention takes this connection away, and whether its norm."""
        cut, passed = self._no_residual.get(residual), self._no_norm.get(residual)
        return cut is not None and bool(cut[0]), passed is not None and bool(passed[0])

    # What the hooks do

    def _hooks(self) -> dict[nn.Module, ForwardHook]:
        hooks: dict[nn.Module, ForwardHook] = {}
        for module in self._attentions():
            changes = self._layers.get((module.probe.kind, module.probe.layer))
            if changes is not None and changes.changes_weights:
                hooks[module.probe] = self._weights_hook(changes)
        if any(table is not None for table in self._encodings.values()):
            hooks[self._model.positions] = self._positions_hook
        return hooks | {
            residual.norm: _passing_by(items)
            for residual in residuals_of(self._model)
            if (items := self._no_norm.get(residual)) is not None
        }

    def _pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        cut = {residual: _cutting(items) for residual, items in self._no_residual.items()}
        return cut | {
            module.out_proj: self._output_hook(module, changes)
            for module in self._attentions()
            if (changes := self._layers.get((module.probe.kind, module.probe.layer))) is not None
            and changes.changes_output
        }

    def _weights_hook(self, changes: _Layer) -> ForwardHook:
        def change(probe: AttentionProbe, inputs: tuple, weights: Tensor) -> Tensor:
            _, scores, own = inputs
            n_queries, n_keys = weights.shape[-2:]
            first = self._first_query if self._sites[probe.kind].query == "target" else 0
            rows = slice(first, first + n_queries)
            mask = own
            if changes.lifted is not None and mask is not None:
                mask = mask | changes.lifted
            if changes.allowed is not None:
                allowed = changes.allowed[:, :, rows, :n_keys]
                mask = allowed if mask is None else mask & allowed
            if changes.lifted is not None or changes.allowed is not None:
                if mask is not None and not bool(mask.any(-1).all()):
                    raise InterventionError(
                        Message.of("model-change-nothing-left", site=site_title(probe.kind)),
                        hint=LEAVE_ONE,
                    )
                weights = attention_weights(scores, mask)
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

    def _output_hook(self, module: MultiHeadAttention, changes: _Layer) -> ForwardPreHook:
        def change(_: nn.Module, inputs: tuple[Tensor, ...]) -> Tensor:
            heads = inputs[0].unflatten(-1, (module.n_heads, -1))  # (B, T, H, d_k)
            if changes.mean is not None:
                means = self._means[module.probe.kind][module.probe.layer].to(heads)
                heads = torch.where(changes.mean[:, None, :, None], means, heads)
            if changes.zero is not None:
                heads = heads.masked_fill(changes.zero[:, None, :, None], 0.0)
            return heads.flatten(-2)

        return change

    def _positions_hook(self, _: nn.Module, inputs: tuple, output: Tensor) -> Tensor:
        table = self._encodings[self._side]
        if table is None:
            return output
        x, start = inputs
        return x + table[:, start : start + x.shape[1]].to(x.dtype)

    # Laying out what is changed

    def _left_out(
        self, interventions: Sequence[Intervention], kind: type[LeftOut]
    ) -> dict[nn.Module, Tensor]:
        """The connections that some item does without what this kind leaves out."""
        found = {
            residual: [
                any(each.covers(residual.place) for each in i.of(kind)) for i in interventions
            ]
            for residual in residuals_of(self._model)
        }
        return {
            residual: torch.tensor(items, device=self._device)[:, None, None]
            for residual, items in found.items()
            if any(items)
        }

    def _lay_out(self, item: int, intervention: Intervention) -> None:
        for change in intervention.of(LiftedMask):
            for layer in range(self._sites[change.kind].n_layers):
                self._part(change.kind, layer, "lifted", (1, 1, 1), False)[item] = True
        for change in intervention.of(HiddenToken):
            for layer in range(self._sites[change.kind].n_layers):
                self._allowed(change.kind, layer)[item, ..., change.position] = False
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

    def _attentions(self) -> list[MultiHeadAttention]:
        return [m for m in self._model.modules() if isinstance(m, MultiHeadAttention)]

    def _positions(self, changes: Sequence[Positions], length: int) -> Tensor | None:
        """Encodings (B, T, d_model), or None when every one of them is normal."""
        if all(change.mode == "normal" for change in changes):
            return None
        length = max(length, *(change.span or 1 for change in changes))
        orders = [change.order(length) for change in changes]
        n_positions = max(int(order.max()) for order in orders) + 1
        config = self.config
        encoding = sinusoidal_encoding(n_positions, config.d_model, config.position_base)
        tables = torch.stack(
            [
                torch.zeros(length, config.d_model)
                if change.mode == "absent"
                else encoding[torch.from_numpy(order)]
                for change, order in zip(changes, orders, strict=True)
            ]
        )
        return tables.to(self._device)

    def _for_all(self, ids: Tensor) -> Tensor:
        return ids.expand(self.n_items, -1) if len(ids) == 1 else ids

    # What cannot be done

    def _check(self, intervention: Intervention) -> None:
        most = self.config.max_len
        # A target position may lie beyond what this run reaches.
        lengths = {"source": self._lengths["source"], "target": most}
        room = Room(tuple(self._sites.values()), lengths, most, self._means is not None)
        faults = intervention.faults(room)
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
            _, heads, queries = np.nonzero(~seen.any(-1).cpu().numpy())
            if len(heads):
                n_rows = self._size(kind)[0]
                whole = len(heads) == seen.shape[1] * n_rows
                row = {} if whole else {"row": int(queries[0]) + 1, "head": int(heads[0]) + 1}
                raise InterventionError(
                    Message.of(
                        f"model-change-nothing-left-{'layer' if whole else 'row'}",
                        site=site_title(kind),
                        layer=layer + 1,
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
                        site=site_title(kind),
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
        if site.causal:
            own = causal_mask(size[-1], device=self._device)
            seen = seen & (own if changes.lifted is None else own | changes.lifted)
        return seen


LEAVE_ONE = Message("model-change-nothing-left-hint")


def _at(position: int | None) -> int | slice:
    return slice(None) if position is None else position


def _cutting(items: Tensor) -> ForwardPreHook:
    """Nothing comes past the sub-layer for these items, bool (B, 1, 1)."""
    return lambda _, inputs: (inputs[0].masked_fill(items, 0.0), inputs[1])


def _passing_by(items: Tensor) -> ForwardHook:
    """The norm does nothing for these items, bool (B, 1, 1)."""
    return lambda _, inputs, output: torch.where(items, inputs[0], output)


def head_means_of(card: CheckpointCard, model: Transformer) -> HeadMeans | None:
    """The stored mean outputs of the heads, where there are such of this model's shape."""
    stored = card.interventions.get("head_means")
    if not isinstance(stored, dict):
        return None
    try:
        means = {s.name: torch.tensor(stored[s.name], dtype=torch.float32) for s in model.sites}
    except (KeyError, TypeError, ValueError):
        return None
    sound = all(
        means[site.name].shape == (site.n_layers, site.n_heads, model.config.d_k)
        and bool(means[site.name].isfinite().all())
        for site in model.sites
    )
    return means if sound else None


@contextmanager
def intervening(
    model: Transformer,
    interventions: Intervention | Sequence[Intervention],
    *,
    n_src: int,
    n_tgt: int,
    means: HeadMeans | None = None,
) -> Iterator[Intervened]:
    """The model with something changed, for this thread and inside the `with` only.

    Changes go through hooks on probes, projections and positions that keep to this thread (see
    `listening`); `capture_attention` opened inside hears the changed weights. Where a layer has
    nothing changed it has no hook, so no intervention computes bit for bit what the model does.

    Parameters
    ----------
    interventions : one, or one for every item of a batch
    n_src : tokens of the source, ``</s>`` included
    n_tgt : most tokens the decoder will read, ``<s>`` included
    means : what "mean" puts in the place of a head's output

    Raises
    ------
    InterventionError : a layer, head or position does not exist, a row is left with nothing to
        look at, or a given row looks where it may not.
    """
    if isinstance(interventions, Intervention):
        interventions = (interventions,)
    intervened = Intervened(model, tuple(interventions), n_src, n_tgt, means)
    with listening(intervened._hooks(), intervened._pre_hooks()):
        yield intervened
