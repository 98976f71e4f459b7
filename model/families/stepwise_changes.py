"""A recurrent encoder-decoder with some of what it may see, or compute, changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from model.attention import AttentionProbe
from model.capture import ForwardHook, probes_of
from model.intervene import Intervened


@dataclass(frozen=True)
class ChangedState:
    """The model's own state, and the `length` of what was read: which row the next step is."""

    own: Any
    length: int


class ChangedStepwise(Intervened):
    """A recurrent encoder-decoder under interventions (see `Intervened`). What attention gives a
    step is its context, so a head is silenced there (`context_value`). A row given by hand stands
    in the place of window and Gaussian too, and sums to one."""

    offers = frozenset(
        {"change-hide", "change-unread", "change-mask", "change-ablate", "change-row"}
    )

    @staticmethod
    def head_size(model: Any) -> int:
        network = model.encoder.network
        return network.hidden_size * (2 if network.bidirectional else 1)

    @staticmethod
    def activations(model: Any, n_src: int, n_tgt: int) -> int:
        # Gates and inputs of every step, and what is compared for every pair.
        return model.config.hidden_size * (8 * (n_src + n_tgt) + 2 * n_src * n_tgt)

    def hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        self._begin()
        return self._model.decode_hidden(self._for_all(src), self._for_all(tgt), self._unread)

    def start(self, src: Tensor) -> ChangedState:
        """As `Stepwise.start`; several interventions give a state of several hypotheses."""
        return ChangedState(self._model.start(self._for_all(src), self._unread), 0)

    def step(self, state: ChangedState, prev: Tensor) -> tuple[Tensor, ChangedState]:
        """Read one token per hypothesis, `prev` (K,) -> log-probabilities (K, V), new state."""
        self._begin(state.length)
        log_probs, own = self._model.step(state.own, prev)
        return log_probs, ChangedState(own, state.length + 1)

    def select(self, state: ChangedState, rows: Tensor) -> ChangedState:
        """Keep and reorder hypotheses by `rows` (K,); for a single intervention only."""
        return ChangedState(self._model.select(state.own, rows), state.length)

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        hooks = super().hooks()
        for probe in probes_of(self._model):
            if self._changed(probe).changes_output:
                hooks[self._model.context_value] = self._context_hook(probe)
        return hooks

    def _context_hook(self, probe: AttentionProbe) -> ForwardHook:
        changes = self._changed(probe)

        def change(_: nn.Module, _inputs: tuple[Tensor, ...], context: Tensor) -> Tensor:
            heads = context[:, None, None]  # (B, T_q = 1, H = 1, d)
            return self._silenced(heads, changes, probe.kind, probe.layer)[:, 0, 0]

        return change
