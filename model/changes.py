"""How the kinds of change in `core.changes` act on attention: one class a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import Tensor, nn

from core.attention import AttentionSite
from core.change import Change, Placed
from core.changes import (
    ABLATIONS,
    AblatedHead,
    HiddenToken,
    LiftedMask,
    MaskedCell,
    OverriddenRow,
    UnreadToken,
)
from core.intervention import Intervention
from words import Message, site_title

from .capture import ForwardHook, ForwardPreHook
from .errors import InterventionError

if TYPE_CHECKING:
    from .intervene import Intervened

HeadMeans = Mapping[str, Tensor]
"""For each site the mean output of every head, (L, H, d_k)."""
Layer = tuple[str, int]
"""The name of a site, and a layer of it."""


class Effect:
    """All changes of one kind in a batch of interventions. An heir names the kind as `of`, lays out
    each change in `add`, and says what becomes of where heads look, of their weights or of their
    outputs, or which modules of its own it hooks. What it leaves out stays as it is."""

    of: ClassVar[type[Change]]
    in_model: ClassVar[bool] = False  # whether the model's own mask holds what it forbids

    def __init__(self, run: Intervened, interventions: Sequence[Intervention]) -> None:
        self.run = run
        self.tables: dict[Layer, Tensor] = {}  # (B, ...), for layers with a change alone
        for item, intervention in enumerate(interventions):
            # The general first, so that the particular counts.
            for change in sorted(intervention.of(self.of), key=_particularity):
                self.add(item, change)

    def add(self, item: int, change: Any) -> None:
        raise NotImplementedError

    def weighs(self, site: AttentionSite, layer: int) -> bool:
        """Whether the weights of that layer have to be heard."""
        return (site.name, layer) in self.tables

    def silences(self, at: Layer) -> bool:
        """Whether outputs of heads of that layer have to be heard."""
        return False

    def seen(self, at: Layer, seen: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        """Where may be looked, broadcastable to (B, H, T_q, T_k); None is everywhere."""
        return seen

    def check(self, site: AttentionSite, layer: int, seen: Tensor) -> None:
        """InterventionError where it contradicts what is `seen`, bool (B, H, T_q, T_k)."""

    def weights(self, at: Layer, weights: Tensor, seen: Tensor | None, rows: slice) -> Tensor:
        """Weights (B, H, T_q, T_k) after the softmax over what is `seen`."""
        return weights

    def outputs(self, at: Layer, heads: Tensor) -> Tensor:
        """Outputs of heads, (B, T_q, H, d)."""
        return heads

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        return {}

    def pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        return {}

    def table(
        self, site: AttentionSite, layer: int, shape: Sequence[int], empty: bool | float
    ) -> Tensor:
        """That of a layer, (B, *shape), made when it is first asked for."""
        if (site.name, layer) not in self.tables:
            full = torch.full((self.run.n_items, *shape), empty, device=self.run.device)
            self.tables[site.name, layer] = full
        return self.tables[site.name, layer]


class LiftedMasks(Effect):
    of = LiftedMask

    def add(self, item: int, change: LiftedMask) -> None:
        site = self.run.site(change.kind)
        for layer in range(site.n_layers):
            self.table(site, layer, (1, 1, 1), False)[item] = True

    def seen(self, at: Layer, seen: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        return seen if seen is None or at not in self.tables else seen | self.tables[at]


class MaskedCells(Effect):
    of: ClassVar[type[Change]] = MaskedCell

    def add(self, item: int, change: MaskedCell) -> None:
        site = self.run.site(change.kind)
        _, n_rows, n_columns = self.run.size(site)
        if (change.query or 0) >= n_rows or (change.key or 0) >= n_columns:
            return  # a target position this run does not reach
        for layer in change.layers(site):
            cells = item, _at(change.head), _at(change.query), _at(change.key)
            self.table(site, layer, self.run.size(site), True)[cells] = False

    def seen(self, at: Layer, seen: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        if at not in self.tables:
            return seen
        allowed = self.tables[at][:, :, rows, :n_keys]
        return allowed if seen is None else seen & allowed


class HiddenTokens(MaskedCells):
    of = HiddenToken

    def add(self, item: int, change: HiddenToken) -> None:
        super().add(item, MaskedCell(change.kind, key=change.position))


class UnreadTokens(Effect):
    of = UnreadToken
    in_model = True

    def __init__(self, run: Intervened, interventions: Sequence[Intervention]) -> None:
        self.tokens: Tensor | None = None  # bool (B, T_src) where tokens are not read
        super().__init__(run, interventions)

    def add(self, item: int, change: UnreadToken) -> None:
        if self.tokens is None:
            size = self.run.n_items, self.run.lengths["source"]
            self.tokens = torch.zeros(size, dtype=torch.bool, device=self.run.device)
        self.tokens[item, change.position] = True

    def weighs(self, site: AttentionSite, layer: int) -> bool:
        return self.tokens is not None and site.key == "source"

    def seen(self, at: Layer, seen: Tensor | None, rows: slice, n_keys: int) -> Tensor | None:
        if self.tokens is None or self.run.site(at[0]).key != "source":
            return seen
        read = ~self.tokens[:, None, None]
        return read if seen is None else seen & read


class AblatedHeads(Effect):
    """Its tables hold for each head, (B, H), the place of what it is off by in `ABLATIONS`."""

    of = AblatedHead
    zero, mean, uniform = range(len(ABLATIONS))

    def add(self, item: int, change: AblatedHead) -> None:
        site = self.run.site(change.kind)
        for layer in change.layers(site):
            off = self.table(site, layer, (site.n_heads,), -1)
            off[item, _at(change.head)] = ABLATIONS.index(change.how)

    def weighs(self, site: AttentionSite, layer: int) -> bool:
        at = site.name, layer
        return at in self.tables and bool((self.tables[at] == self.uniform).any())

    def silences(self, at: Layer) -> bool:
        off = self.tables.get(at)
        return off is not None and bool(((off == self.zero) | (off == self.mean)).any())

    def weights(self, at: Layer, weights: Tensor, seen: Tensor | None, rows: slice) -> Tensor:
        if at not in self.tables:
            return weights
        keys = torch.ones_like(weights) if seen is None else seen.expand_as(weights)
        off = self.tables[at] == self.uniform
        return torch.where(off[:, :, None, None], keys / keys.sum(-1, keepdim=True), weights)

    def outputs(self, at: Layer, heads: Tensor) -> Tensor:
        if at not in self.tables:
            return heads
        off = self.tables[at][:, None, :, None]
        if bool((off == self.mean).any()):
            name, layer = at
            heads = torch.where(off == self.mean, self.run.means[name][layer].to(heads), heads)
        return heads.masked_fill(off == self.zero, 0.0)


class OverriddenRows(Effect):
    """Its tables hold the rows, (B, H, T_q, T_k); `given`, (B, H, T_q), says where there is one."""

    of = OverriddenRow

    def __init__(self, run: Intervened, interventions: Sequence[Intervention]) -> None:
        self.given: dict[Layer, Tensor] = {}
        super().__init__(run, interventions)

    def add(self, item: int, change: OverriddenRow) -> None:
        site = self.run.site(change.kind)
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
            self.given.setdefault((site.name, layer), none)[row] = True

    def check(self, site: AttentionSite, layer: int, seen: Tensor) -> None:
        at = site.name, layer
        if at not in self.tables:
            return
        lost = (self.given[at][..., None] & ~seen & (self.tables[at] > 0)).nonzero()
        if len(lost):
            _, head, query, key = lost[0].tolist()
            cell = {"layer": layer + 1, "head": head + 1, "row": query + 1, "key": key + 1}
            raise InterventionError(
                Message.of("model-change-masked-weight", **site_words(site), **cell),
                hint=Message("model-change-masked-weight-hint"),
            )

    def weights(self, at: Layer, weights: Tensor, seen: Tensor | None, rows: slice) -> Tensor:
        if at not in self.tables:
            return weights
        n_keys, table = weights.shape[-1], self.tables[at][:, :, rows]
        if table[..., n_keys:].any():
            raise InterventionError(
                Message.of("model-change-unwritten", site=site_title(at[0])),
                hint=Message("model-change-unwritten-hint"),
            )
        return torch.where(self.given[at][:, :, rows, None], table[..., :n_keys], weights)


OF_ATTENTION = (HiddenTokens, MaskedCells, AblatedHeads, OverriddenRows)
"""What can be changed wherever heads look, in the order in which it acts."""


def site_words(site: AttentionSite) -> dict[str, Any]:
    """What a message says of a site: its title, and whether it has a single head."""
    single = site.n_layers * site.n_heads == 1
    return {"site": site_title(site.name), "single": single}


def _particularity(change: Change) -> int:
    return -change.n_open if isinstance(change, Placed) else 0


def _at(position: int | None) -> int | slice:
    return slice(None) if position is None else position
