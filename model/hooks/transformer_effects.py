"""Transformer under interventions on positions, masks, residual connections and norms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.interventions.intervention import Intervention
from core.interventions.kinds import LeftOut, NoNorm, NoResidual, Positions
from core.positions import SINES
from words import Message

from ..errors import InterventionError
from ..nets.sublayers import (
    RelativeBias,
    Residual,
    TransformerState,
    residuals_of,
    sinusoidal_encoding,
)
from .capture import ForwardHook, ForwardPreHook
from .effects import OF_ATTENTION, ChangeEffect, HeadMeans, LiftedMasks
from .interventions import Intervened


@dataclass(frozen=True)
class PeekingState:
    """State of a search without causal mask, where every step reads all of `ids` (K, t) again."""

    memory: Tensor
    ids: Tensor


class MovedPositions(ChangeEffect):
    """Tokens at other positions, in the embeddings as well as in a relative bias."""

    change_type = Positions
    run: ChangedTransformer

    def __init__(self, run: ChangedTransformer, interventions: Sequence[Intervention]) -> None:
        super().__init__(run, interventions)
        self.config = run.model.config
        self.orders: dict[str, Tensor] = {}  # by side, (B, T), -1 for no position
        for side, length in run.lengths.items():
            changes = [i.positions(side) for i in interventions]
            if any(change.mode != "normal" for change in changes):
                self.orders[side] = self._orders(changes, length)
        self.encodings = {side: self._encoding(side) for side in self.orders}

    def add(self, item: int, change: Positions) -> None:
        """Do nothing: all positions of a side are set together in `__init__`."""
        pass

    def _orders(self, changes: Sequence[Positions], length: int) -> Tensor:
        """Return the positions (B, T) that the changes of one side assign, -1 for none."""
        # `Positions.order` refuses a length below its span; rows beyond this run are never read.
        length = max(length, *(change.span or 1 for change in changes))
        orders = [
            np.full(length, -1) if change.mode == "absent" else change.order(length)
            for change in changes
        ]
        return torch.from_numpy(np.stack(orders)).to(self.run.device)

    def _encoding(self, side: str) -> Tensor:
        """Return the encodings of the new positions, (B, T, d_model)."""
        config = self.config
        orders = self.orders[side]
        table = getattr(self.run.model, f"{side}_positions").table
        n_positions = max(1, int(orders.max()) + 1)
        # Shifted positions may lie beyond the table; sines can be continued, learned vectors
        # cannot.
        if config.positions in SINES:
            table = sinusoidal_encoding(
                n_positions,
                config.d_model,
                config.position_base,
                config.positions,
                config.position_offset,
            ).to(self.run.device)
        return table[orders.clamp(0, len(table) - 1)].masked_fill((orders < 0)[..., None], 0.0)

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        model = self.run.model
        hooks: dict[nn.Module, ForwardHook] = {}
        for side in self.orders:
            relative = model.encoder_relative if side == "source" else model.decoder_relative
            hooks[getattr(model, f"{side}_positions")] = self._move
            if relative is not None:
                hooks[relative] = partial(self._bias, self.orders[side])
        return hooks

    def _move(self, _: nn.Module, inputs: tuple[Any, ...], output: Tensor) -> Tensor:
        """Hook of a positional encoding: add the encodings of the new positions instead."""
        encoding = self.encodings.get(self.run.side)
        if encoding is None:
            return output
        x, start = inputs
        places = slice(start, start + x.shape[1])
        n_positions = int(self.orders[self.run.side][:, places].max()) + 1
        most = self.config.max_len
        if self.config.positions == "learned" and n_positions > most:
            raise InterventionError(
                Message.of("model-change-unlearned", n=n_positions, most=most),
                hint=Message("model-change-unlearned-hint"),
            )
        return x + encoding[:, places].to(x.dtype)

    @staticmethod
    def _bias(orders: Tensor, relative: RelativeBias, inputs: tuple[Any, ...], _: Tensor) -> Tensor:
        """Hook of a relative bias: return that of the new positions, (B, H, T_q, T_k)."""
        n_queries, n_keys, start = (*inputs, 0)[:3]
        keys = orders[:, None, :n_keys]
        queries = orders[:, start : start + n_queries, None]
        added = F.embedding(relative.buckets(keys - queries), relative.weight)
        # A first position of -1 means that the item has no positions at all.
        return added.masked_fill((orders[:, :1, None] < 0)[..., None], 0.0).permute(0, 3, 1, 2)


class _LeftOut(ChangeEffect):
    """Sub-layers without a part of their connection, by residual."""

    def __init__(self, run: ChangedTransformer, interventions: Sequence[Intervention]) -> None:
        self.items: dict[Residual, Tensor] = {}  # bool (B, 1, 1), True for items without it
        super().__init__(run, interventions)

    def add(self, item: int, change: LeftOut) -> None:
        for residual in residuals_of(self.run.model):
            if change.covers(residual.sublayer):
                none = torch.zeros(self.run.n_items, 1, 1, dtype=torch.bool, device=self.run.device)
                self.items.setdefault(residual, none)[item] = True


class CutResiduals(_LeftOut):
    """Removed residual connections."""

    change_type = NoResidual

    def pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        """Return hooks that zero the input of the connection, leaving the sub-layer's output."""
        return {residual: partial(_cut, items) for residual, items in self.items.items()}


def _cut(items: Tensor, _: nn.Module, inputs: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    # x + sublayer(x) with x = 0 leaves the sub-layer's output.
    return inputs[0].masked_fill(items, 0.0), inputs[1]


class SkippedNorms(_LeftOut):
    """Removed norms."""

    change_type = NoNorm

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        """Return hooks that pass the input of the norm on."""
        return {residual.norm: partial(_skip, items) for residual, items in self.items.items()}


def _skip(items: Tensor, _: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> Tensor:
    return torch.where(items, inputs[0], output)


class ChangedTransformer(Intervened):
    """Transformer under interventions (see `Intervened`)."""

    # Lifted masks first: later masks must restrict what they open.
    effects = (LiftedMasks, *OF_ATTENTION, MovedPositions, CutResiduals, SkippedNorms)

    def __init__(
        self,
        model: Any,
        interventions: Sequence[Intervention],
        n_src: int,
        n_tgt: int,
        means: HeadMeans | None,
    ) -> None:
        super().__init__(model, interventions, n_src, n_tgt, means)
        self._causal = all(i.causal for i in interventions)
        self.side = "source"  # side that is being read

    @staticmethod
    def head_size(model: Any) -> int:
        return model.config.d_k

    @staticmethod
    def activations(model: Any, n_src: int, n_tgt: int) -> int:
        config = model.config
        return (n_src + n_tgt) * (config.d_ff + config.n_heads * max(n_src, n_tgt))

    def encode(self, src: Tensor) -> Tensor:
        """Read ids (1 or B, T_src) into a memory (B, T_src, d_model)."""
        self._begin_side("source")
        return self.model.encode(self._for_all(src))

    def decode_hidden(self, tgt: Tensor, memory: Tensor) -> Tensor:
        """Read ids (1 or B, T_tgt) that begin with ``<s>``; return states (B, T_tgt, d_model)."""
        self._begin_side("target")
        return self.model.decode_hidden(self._for_all(tgt), memory)

    def hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        return self.decode_hidden(tgt, self.encode(src))

    def start(self, src: Tensor) -> TransformerState | PeekingState:
        """Begin a search; several interventions give a state of several hypotheses."""
        self._begin_side("source")
        src = self._for_all(src)
        if self._causal:
            return self.model.start(src)
        # Nothing is read yet; `step` appends.
        none_read = torch.empty((self.n_items, 0), dtype=torch.long, device=src.device)
        return PeekingState(self.model.encode(src), none_read)

    def step(
        self, state: TransformerState | PeekingState, prev: Tensor
    ) -> tuple[Tensor, TransformerState | PeekingState]:
        """Read one token a hypothesis, `prev` (K,); return log-probabilities (K, V) and state.

        Without the causal mask every earlier position attends to the new one too, so nothing can be
        cached and the whole prefix is read again.
        """
        if not isinstance(state, PeekingState):
            self._begin_side("target", state.length)
            return self.model.step(state, prev)
        self._begin_side("target")
        ids = torch.cat((state.ids.expand(len(prev), -1), prev[:, None]), dim=1)
        memory = state.memory.expand(len(prev), -1, -1)
        hidden = self.model.decode_hidden(ids, memory)[:, -1]
        return self.model.logits(hidden).log_softmax(dim=-1), PeekingState(state.memory, ids)

    def select(
        self, state: TransformerState | PeekingState, rows: Tensor
    ) -> TransformerState | PeekingState:
        """Keep and reorder hypotheses by `rows` (K,); for a single intervention only."""
        if isinstance(state, PeekingState):
            return PeekingState(state.memory, state.ids[rows])
        return self.model.select(state, rows)

    def leaves_out(self, residual: Residual) -> tuple[bool, bool]:
        """Return two flags: the first intervention removes this connection, or its norm."""
        cut, skipped = (
            self.effect(effect).items.get(residual) for effect in (CutResiduals, SkippedNorms)
        )
        return cut is not None and bool(cut[0]), skipped is not None and bool(skipped[0])

    def _begin_side(self, side: str, first_query: int = 0) -> None:
        """Begin a pass over `side` whose first row is `first_query`."""
        self.side = side
        self._begin(first_query)
