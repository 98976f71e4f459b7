"""Effects on attention of the kinds of change in `core.interventions.kinds`: one class a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import torch
from torch import Tensor, nn

from core.interventions.base import Change, Placed
from core.interventions.intervention import Intervention
from core.interventions.kinds import (
    ABLATIONS,
    AblatedHead,
    HiddenToken,
    LiftedMask,
    MaskedCell,
    OverriddenRow,
    UnreadToken,
)
from core.records.attention import AttentionSite
from words import Message, site_title

from ..errors import InterventionError
from .capture import ForwardHook, ForwardPreHook

HeadMeans = Mapping[str, Tensor]
"""Mean output of every head by site, each (L, H, d_k)."""
Layer = tuple[str, int]
"""Name of a site, and index of a layer in it."""


class InterventionBatch(Protocol):
    """Model under a batch of interventions, as an effect sees it.

    See `model.hooks.interventions.Intervened`.
    """

    model: Any
    device: torch.device
    n_items: int  # interventions in the batch
    lengths: dict[str, int]  # tokens of "source" and "target"
    means: HeadMeans | None

    def site(self, name: str) -> AttentionSite:
        """Return the site called `name`."""

    def size(self, site: AttentionSite) -> tuple[int, int, int]:
        """Return (H, T_q, T_k) of a site."""


class ChangeEffect:
    """Changes of one kind in a batch of interventions.

    Subclasses set `change_type`, store each change in `add`, and override `allow`, `weights` or
    `outputs`, or return `hooks` on modules of their own. The defaults leave everything unchanged.
    """

    change_type: ClassVar[type[Change]]
    in_model: ClassVar[bool] = False  # True if the model's own mask already applies it

    def __init__(self, run: InterventionBatch, interventions: Sequence[Intervention]) -> None:
        self.run = run
        self.tables: dict[Layer, Tensor] = {}  # (B, ...), only for layers with a change
        for item, intervention in enumerate(interventions):
            # The general first, so that a change of one cell overrides one of its whole head.
            for change in sorted(intervention.of(self.change_type), key=_generality):
                self.add(item, change)

    def add(self, item: int, change: Any) -> None:
        """Store `change` for the intervention `item` of the batch."""
        raise NotImplementedError

    def changes_weights(self, site: AttentionSite, layer: int) -> bool:
        """Return True if this layer's attention weights need a hook."""
        return (site.name, layer) in self.tables

    def changes_outputs(self, at: Layer) -> bool:
        """Return True if the outputs of this layer's heads need a hook."""
        return False

    def allow(self, at: Layer, allowed: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        """Return `allowed` restricted or widened by the changes, True where a query may attend.

        It is broadcastable to (B, H, T_q, T_k), None for everywhere; `rows` are the target rows of
        this call.
        """
        return allowed

    def check(self, site: AttentionSite, layer: int, allowed: Tensor) -> None:
        """Raise InterventionError if a change contradicts `allowed`, bool (B, H, T_q, T_k)."""

    def weights(self, at: Layer, weights: Tensor, allowed: Tensor | None, rows: slice) -> Tensor:
        """Return the changed weights (B, H, T_q, T_k), after the softmax over `allowed`."""
        return weights

    def outputs(self, at: Layer, heads: Tensor) -> Tensor:
        """Return the changed outputs of heads, (B, H, T_q, d)."""
        return heads

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        """Return forward hooks on other modules than the probes."""
        return {}

    def pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        """Return forward pre-hooks on other modules than the probes."""
        return {}

    def table(
        self, site: AttentionSite, layer: int, shape: Sequence[int], empty: bool | float
    ) -> Tensor:
        """Return the table (B, *shape) of a layer, filled with `empty` on first use."""
        if (site.name, layer) not in self.tables:
            full = torch.full((self.run.n_items, *shape), empty, device=self.run.device)
            self.tables[site.name, layer] = full
        return self.tables[site.name, layer]


class LiftedMasks(ChangeEffect):
    """Lifted causal masks; a table holds True for items whose mask is lifted."""

    change_type = LiftedMask

    def add(self, item: int, change: LiftedMask) -> None:
        site = self.run.site(change.site)
        for layer in range(site.n_layers):
            # True where a query may attend: "or" with the model's mask opens every cell.
            self.table(site, layer, (1, 1, 1), False)[item] = True

    def allow(self, at: Layer, allowed: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        return allowed if allowed is None or at not in self.tables else allowed | self.tables[at]


class MaskedCells(ChangeEffect):
    """Masked cells; a table (B, H, T_q, T_k) is False where a change forbids attention."""

    change_type: ClassVar[type[Change]] = MaskedCell

    def add(self, item: int, change: MaskedCell) -> None:
        site = self.run.site(change.site)
        _, n_rows, n_columns = self.run.size(site)
        if (change.query or 0) >= n_rows or (change.key or 0) >= n_columns:
            # Changes hold for a whole search, whose hypotheses may end before the position.
            return
        for layer in change.layers(site):
            cells = item, _at(change.head), _at(change.query), _at(change.key)
            self.table(site, layer, self.run.size(site), True)[cells] = False

    def allow(self, at: Layer, allowed: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        if at not in self.tables:
            return allowed
        unmasked = self.tables[at][:, :, rows, :n_keys]
        return unmasked if allowed is None else allowed & unmasked


class HiddenTokens(MaskedCells):
    """Hidden tokens: every cell of one key column is masked."""

    change_type = HiddenToken

    def add(self, item: int, change: HiddenToken) -> None:
        super().add(item, MaskedCell(change.site, key=change.position))


class UnreadTokens(ChangeEffect):
    """Source tokens that the encoder skips; the model's own `unread` mask removes them."""

    change_type = UnreadToken
    in_model = True

    def __init__(self, run: InterventionBatch, interventions: Sequence[Intervention]) -> None:
        """Set `tokens` before the changes are added."""
        self.tokens: Tensor | None = None  # bool (B, T_src), True at unread tokens
        super().__init__(run, interventions)

    def add(self, item: int, change: UnreadToken) -> None:
        # Most runs have no unread token, and their model gets no mask.
        if self.tokens is None:
            size = self.run.n_items, self.run.lengths["source"]
            self.tokens = torch.zeros(size, dtype=torch.bool, device=self.run.device)
        self.tokens[item, change.position] = True

    def changes_weights(self, site: AttentionSite, layer: int) -> bool:
        return self.tokens is not None and site.key == "source"

    def allow(self, at: Layer, allowed: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        if self.tokens is None or self.run.site(at[0]).key != "source":
            return allowed
        # The same for all heads and queries: an unread token is nowhere.
        read = ~self.tokens[:, None, None]
        return read if allowed is None else allowed & read


class AblatedHeads(ChangeEffect):
    """Ablated heads; a table (B, H) holds each head's index in `ABLATIONS`, -1 for none."""

    change_type = AblatedHead
    zero, mean, uniform = range(len(ABLATIONS))

    def add(self, item: int, change: AblatedHead) -> None:
        site = self.run.site(change.site)
        for layer in change.layers(site):
            off = self.table(site, layer, (site.n_heads,), -1)
            off[item, _at(change.head)] = ABLATIONS.index(change.ablation)

    def changes_weights(self, site: AttentionSite, layer: int) -> bool:
        """Return True for uniform ablation, which replaces weights; the others replace outputs."""
        at = site.name, layer
        return at in self.tables and bool((self.tables[at] == self.uniform).any())

    def changes_outputs(self, at: Layer) -> bool:
        off = self.tables.get(at)
        return off is not None and bool(((off == self.zero) | (off == self.mean)).any())

    def weights(self, at: Layer, weights: Tensor, allowed: Tensor | None, rows: slice) -> Tensor:
        if at not in self.tables:
            return weights
        keys = torch.ones_like(weights) if allowed is None else allowed.expand_as(weights)
        off = self.tables[at] == self.uniform
        # Uniform over what the query may attend to, so that a mask still holds.
        return torch.where(off[:, :, None, None], keys / keys.sum(-1, keepdim=True), weights)

    def outputs(self, at: Layer, heads: Tensor) -> Tensor:
        if at not in self.tables:
            return heads
        off = self.tables[at][:, :, None, None]
        if bool((off == self.mean).any()):
            name, layer = at
            # `to` follows the model to its device and its precision.
            means = self.run.means[name][layer].to(heads)[:, None]
            heads = torch.where(off == self.mean, means, heads)
        return heads.masked_fill(off == self.zero, 0.0)


class OverriddenRows(ChangeEffect):
    """Rows of weights given by hand.

    The tables are (B, H, T_q, T_k); `overridden` (B, H, T_q) is True at those rows.
    """

    change_type = OverriddenRow

    def __init__(self, run: InterventionBatch, interventions: Sequence[Intervention]) -> None:
        self.overridden: dict[Layer, Tensor] = {}
        super().__init__(run, interventions)

    def add(self, item: int, change: OverriddenRow) -> None:
        site = self.run.site(change.site)
        n_heads, n_rows, n_columns = self.run.size(site)
        if change.query >= n_rows:
            return
        weights = torch.zeros(n_columns)
        n_given = min(n_columns, len(change.weights))
        weights[:n_given] = torch.tensor(change.weights[:n_given])
        for layer in change.layers(site):
            row = item, _at(change.head), change.query
            table = self.table(site, layer, (n_heads, n_rows, n_columns), 0.0)
            table[row] = weights
            none = torch.zeros(table.shape[:-1], dtype=torch.bool, device=table.device)
            self.overridden.setdefault((site.name, layer), none)[row] = True

    def check(self, site: AttentionSite, layer: int, allowed: Tensor) -> None:
        at = site.name, layer
        if at not in self.tables:
            return
        # Weight on a masked key would silently lift the mask.
        lost = (self.overridden[at][..., None] & ~allowed & (self.tables[at] > 0)).nonzero()
        if len(lost):
            _, head, query, key = lost[0].tolist()
            raise InterventionError(
                Message.of(
                    "model-change-masked-weight",
                    site=site_title(site.name),
                    single=is_single_head(site),
                    layer=layer + 1,
                    head=head + 1,
                    row=query + 1,
                    key=key + 1,
                ),
                hint=Message("model-change-masked-weight-hint"),
            )

    def weights(self, at: Layer, weights: Tensor, allowed: Tensor | None, rows: slice) -> Tensor:
        if at not in self.tables:
            return weights
        n_keys = weights.shape[-1]
        table = self.tables[at][:, :, rows]
        # In a search the keys after `n_keys` are not written yet.
        if table[..., n_keys:].any():
            raise InterventionError(
                Message.of("model-change-unwritten", site=site_title(at[0])),
                hint=Message("model-change-unwritten-hint"),
            )
        return torch.where(self.overridden[at][:, :, rows, None], table[..., :n_keys], weights)


OF_ATTENTION = (HiddenTokens, MaskedCells, AblatedHeads, OverriddenRows)
"""Effects that every attention supports, in the order in which they act."""


def is_single_head(site: AttentionSite) -> bool:
    """Return True if `site` has one head in all; messages then name neither layer nor head."""
    return site.n_layers * site.n_heads == 1


def _generality(change: Change) -> int:
    """Sort key: the number of places that a change leaves open, most general first."""
    return -change.n_open if isinstance(change, Placed) else 0


def _at(position: int | None) -> int | slice:
    """Return an index of `position`, or a full slice for None."""
    return slice(None) if position is None else position
