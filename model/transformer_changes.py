"""The Transformer with some of what it may see, or compute, changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from core.changes import LeftOut, NoNorm, NoResidual, Positions
from core.intervention import Intervention

from .attention import MultiHeadAttention
from .block import Residual, residuals_of, sinusoidal_encoding
from .capture import ForwardHook, ForwardPreHook
from .intervene import HeadMeans, Intervened

if TYPE_CHECKING:
    from .transformer import Transformer, TransformerState


@dataclass(frozen=True)
class PeekingState:
    """Where a search without causal mask stands: every step reads all of `ids` (K, t) again."""

    memory: Tensor
    ids: Tensor


class ChangedTransformer(Intervened):
    """A Transformer under interventions (see `Intervened`)."""

    offers = frozenset(
        {
            "change-hide", "change-mask", "change-ablate", "change-row", "change-positions",
            "change-causal", "change-residual", "change-norm",
        }
    )  # fmt: skip

    def __init__(
        self,
        model: Transformer,
        interventions: Sequence[Intervention],
        n_src: int,
        n_tgt: int,
        means: HeadMeans | None,
    ) -> None:
        super().__init__(model, interventions, n_src, n_tgt, means)
        self._causal = all(i.causal for i in interventions)
        self._side = "source"
        # For each residual connection, or its norm, the items that go without, bool (B, 1, 1).
        self._no_residual = self._left_out(interventions, NoResidual)
        self._no_norm = self._left_out(interventions, NoNorm)
        self._encodings = {
            side: self._positions([i.positions(side) for i in interventions], length)
            for side, length in self._lengths.items()
        }

    @staticmethod
    def head_size(model: Transformer) -> int:
        return model.config.d_k

    @staticmethod
    def activations(model: Transformer, n_src: int, n_tgt: int) -> int:
        config = model.config
        return (n_src + n_tgt) * (config.d_ff + config.n_heads * max(n_src, n_tgt))

    def encode(self, src: Tensor) -> Tensor:
        """ids (1 or B, T_src) -> memory (B, T_src, d_model)."""
        self._begin_side("source")
        return self._model.encode(self._for_all(src))

    def decode_hidden(self, tgt: Tensor, memory: Tensor) -> Tensor:
        """ids (1 or B, T_tgt) that start with ``<s>`` -> (B, T_tgt, d_model)."""
        self._begin_side("target")
        return self._model.decode_hidden(self._for_all(tgt), memory)

    def hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        return self.decode_hidden(tgt, self.encode(src))

    def start(self, src: Tensor) -> TransformerState | PeekingState:
        """As `Transformer.start`; several interventions give a state of several hypotheses."""
        self._begin_side("source")
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
        cached and the whole prefix is read again."""
        if not isinstance(state, PeekingState):
            self._begin_side("target", state.length)
            return self._model.step(state, prev)
        self._begin_side("target")
        ids = torch.cat((state.ids.expand(len(prev), -1), prev[:, None]), dim=1)
        memory = state.memory.expand(len(prev), -1, -1)
        hidden = self._model.decode_hidden(ids, memory)[:, -1]
        return self._model.logits(hidden).log_softmax(dim=-1), PeekingState(state.memory, ids)

    def select(
        self, state: TransformerState | PeekingState, rows: Tensor
    ) -> TransformerState | PeekingState:
        """Keep and reorder hypotheses by `rows` (K,); for a single intervention only."""
        if isinstance(state, PeekingState):
            return PeekingState(state.memory, state.ids[rows])
        return self._model.select(state, rows)

    def leaves_out(self, residual: Residual) -> tuple[bool, bool]:
        """Whether the first intervention takes this connection away, and whether its norm."""
        cut, passed = self._no_residual.get(residual), self._no_norm.get(residual)
        return cut is not None and bool(cut[0]), passed is not None and bool(passed[0])

    def _left_out(
        self, interventions: Sequence[Intervention], kind: type[LeftOut]
    ) -> dict[Residual, Tensor]:
        """The connections that some item does without what this kind leaves out."""
        found = {
            residual: [
                any(each.covers(residual.place) for each in intervention.of(kind))
                for intervention in interventions
            ]
            for residual in residuals_of(self._model)
        }
        return {
            residual: torch.tensor(items, device=self._device)[:, None, None]
            for residual, items in found.items()
            if any(items)
        }

    def _begin_side(self, side: str, first_query: int = 0) -> None:
        self._side = side
        self._begin(first_query)

    # What the hooks do

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        hooks = super().hooks()
        if any(table is not None for table in self._encodings.values()):
            hooks[self._model.positions] = self._positions_hook
        return hooks | {
            residual.norm: _passing_by(items) for residual, items in self._no_norm.items()
        }

    def pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        cut = {residual: _cutting(items) for residual, items in self._no_residual.items()}
        return cut | {
            module.out_proj: self._output_hook(module)
            for module in self._model.modules()
            if isinstance(module, MultiHeadAttention) and self._changed(module.probe).changes_output
        }

    def _output_hook(self, module: MultiHeadAttention) -> ForwardPreHook:
        probe = module.probe
        changes = self._changed(probe)

        def change(_: nn.Module, inputs: tuple[Tensor, ...]) -> Tensor:
            heads = inputs[0].unflatten(-1, (module.n_heads, -1))  # (B, T, H, d_k)
            return self._silenced(heads, changes, probe.kind, probe.layer).flatten(-2)

        return change

    def _positions_hook(self, _: nn.Module, inputs: tuple, output: Tensor) -> Tensor:
        table = self._encodings[self._side]
        if table is None:
            return output
        x, start = inputs
        return x + table[:, start : start + x.shape[1]].to(x.dtype)

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


def _cutting(items: Tensor) -> ForwardPreHook:
    """Nothing comes past the sub-layer for these items, bool (B, 1, 1)."""
    return lambda _, inputs: (inputs[0].masked_fill(items, 0.0), inputs[1])


def _passing_by(items: Tensor) -> ForwardHook:
    """The norm does nothing for these items, bool (B, 1, 1)."""
    return lambda _, inputs, output: torch.where(items, inputs[0], output)
