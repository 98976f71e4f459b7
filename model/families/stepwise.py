"""Base classes of the families before the Transformer: reading a source, and a decoder's steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from core.records.attention import AttentionSite
from core.records.step import Equation
from model.config import size_faults, special_faults
from model.hooks.effects import OF_ATTENTION, UnreadTokens
from model.hooks.interventions import Intervened
from model.hooks.value_probes import ValueProbe
from model.nets.attention import key_padding_mask
from words import Message


@dataclass(frozen=True)
class ChangedState:
    """State of the model, and the `length` read so far, which is the row of the next step."""

    inner: Any
    length: int


class ChangedStepwise(Intervened):
    """`Stepwise` model under interventions (see `Intervened`).

    Attention contributes its context to a step, so a head is ablated there. A row given by hand
    replaces window and Gaussian as well, and sums to one.
    """

    effects = (UnreadTokens, *OF_ATTENTION)

    @staticmethod
    def head_size(model: Any) -> int:
        network = model.encoder.network
        return network.hidden_size * (2 if network.bidirectional else 1)

    @staticmethod
    def activations(model: Any, n_src: int, n_tgt: int) -> int:
        # Gates and inputs of every step, and one comparison for every pair of tokens.
        return model.config.hidden_size * (8 * (n_src + n_tgt) + 2 * n_src * n_tgt)

    def hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Return the outputs of all steps, (B, T_tgt, d_model)."""
        self._begin()
        return self.model.decode_hidden(self._for_all(src), self._for_all(tgt), self._unread())

    def start(self, src: Tensor) -> ChangedState:
        """Begin a search; several interventions give a state of several hypotheses."""
        return ChangedState(self.model.start(self._for_all(src), self._unread()), 0)

    def step(self, state: ChangedState, prev: Tensor) -> tuple[Tensor, ChangedState]:
        """Read one token a hypothesis, `prev` (K,); return log-probabilities (K, V) and state."""
        self._begin(state.length)
        log_probs, inner = self.model.step(state.inner, prev)
        return log_probs, ChangedState(inner, state.length + 1)

    def select(self, state: ChangedState, rows: Tensor) -> ChangedState:
        """Keep and reorder hypotheses by `rows` (K,); for a single intervention only."""
        return ChangedState(self.model.select(state.inner, rows), state.length)

    def _unread(self) -> Tensor | None:
        """Return the unread tokens of each item, bool (B, T_src), or None."""
        return self.effect(UnreadTokens).tokens


CAPABILITIES = frozenset({"search", "teacher-forcing", "values", "changes", "change-unread"})
"""Capabilities of every family here."""
WITH_ATTENTION = CAPABILITIES | ChangedStepwise.offers | {"scores"}
"""Capabilities of the families here that attend to their source."""


@dataclass(frozen=True)
class StepwiseConfig:
    """Sizes that every family here has."""

    vocab_size: int
    d_model: int = 256  # width of embedding and output
    hidden_size: int = 256  # width of a recurrent state
    dropout: float = 0.1
    max_len: int = 160  # longest source or target in tokens, special ones included
    pad_id: int = 0
    unk_id: int = 1
    bos_id: int = 2
    eos_id: int = 3

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        sizes = ("vocab_size", "d_model", "hidden_size", "max_len")
        return [*size_faults(self, sizes), *special_faults(self)]


class SourceEncoder(nn.Module):
    """Recurrent encoder that skips padding and unread tokens.

    `network` is `nn.GRU` or `nn.LSTM` with ``batch_first=True``. Skipped tokens are left out
    altogether: the states of the others are those of the sentence without them. `reverse` reads the
    words backwards, ``</s>`` last (Sutskever et al. 2014, section 3.3).
    """

    def __init__(self, network: nn.GRU | nn.LSTM, *, reverse: bool = False) -> None:
        super().__init__()
        self.network = network
        self.reverse = reverse
        # Names of the halves of a state, for figures.
        directions = ["backwards" if reverse else "forwards"]
        directions += ["backwards"] if network.bidirectional else []
        self.states = ValueProbe("annotations", one_call="pass", parts=tuple(directions))

    def forward(self, embedded: Tensor, unread: Tensor | None) -> tuple[Tensor, Any]:
        """Read embedded sources (B, T_src, d_model), skipping those that `unread` (B, T_src) marks.

        Returns states (B, T_src, D * hidden), each at the place of its token and zero at skipped
        ones, and the last states as torch's network gives them.
        """
        # Only skipped tokens and another order need packing.
        if unread is None and not self.reverse:
            states, last = self.network(embedded)
            return self.states(states), last
        if unread is None:
            unread = torch.zeros(embedded.shape[:2], dtype=torch.bool, device=embedded.device)
        order = reading_order(unread, reverse=self.reverse)
        packed = pack_padded_sequence(
            embedded.gather(1, wide(order, embedded)),
            # Lengths must be on the CPU, wherever the data is.
            (~unread).sum(dim=1).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        read, last = self.network(packed)
        read, _ = pad_packed_sequence(read, batch_first=True, total_length=embedded.shape[1])
        # Back from reading order to the places of the tokens.
        states = torch.zeros_like(read).scatter(1, wide(order, read), read)
        return self.states(states), last


def wide(index: Tensor, like: Tensor) -> Tensor:
    """Repeat indices (B, T) for all channels of `like` (B, T, n)."""
    return index[:, :, None].expand(-1, -1, like.shape[-1])


def reading_order(unread: Tensor, *, reverse: bool) -> Tensor:
    """Return the order in which the places of each row are read, unread ones last: (B, T).

    Backwards the last place read keeps its turn: it holds ``</s>``.
    """
    n_positions = unread.shape[1]
    positions = torch.arange(n_positions, device=unread.device).expand_as(unread)
    # -1 is below every position, so the maximum is the last place that is read.
    last = torch.where(unread, -1, positions).amax(dim=1, keepdim=True)
    turn = torch.where(positions == last, n_positions, -positions) if reverse else positions
    # Twice the length puts unread places behind every turn and keeps their order.
    return torch.where(unread, 2 * n_positions + positions, turn).argsort(dim=1)


class Maxout(nn.Module):
    """Larger value of each pair of ``W x`` (Goodfellow et al. 2013), before the output layer.

    Both Cho et al. 2014 and Bahdanau et al. 2015 have it.
    """

    def __init__(self, n_inputs: int, n_outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(n_inputs, 2 * n_outputs)

    def forward(self, *inputs: Tensor) -> Tensor:
        """Join inputs (..., n), n_inputs wide together, and return (..., n_outputs)."""
        return self.linear(torch.cat(inputs, dim=-1)).unflatten(-1, (-1, 2)).amax(dim=-1)


class Stepwise(nn.Module):
    """Encoder-decoder that writes one token a step, as a `Seq2SeqModel`.

    One embedding serves source, target and output. Subclasses define `start`, which reads sources,
    and `advance`, one step. A state has a row for each hypothesis, its source part one for each
    source, and its `select` reorders the former. `equations` are those of the paper's step; each of
    their values passes through a `ValueProbe`.
    """

    sites: tuple[AttentionSite, ...] = ()
    changed_as = ChangedStepwise
    equations: tuple[Equation, ...] = ()

    def __init__(self, config: StepwiseConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.dropout = nn.Dropout(config.dropout)

    def reset_parameters(self) -> None:
        """Draw weights: Xavier for matrices, zeros for biases.

        Embeddings have variance 1 / d_model, so that the logits start near one.
        """
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            elif "bias" in name:
                nn.init.zeros_(parameter)
        nn.init.normal_(self.embedding.weight, std=self.config.d_model**-0.5)

    def embed(self, ids: Tensor) -> Tensor:
        """Embed ids (...) as (..., d_model), scaled to variance one as in the Transformer."""
        return self.dropout(self.embedding(ids) * self.config.d_model**0.5)

    def left_out(self, src: Tensor, unread: Tensor | None) -> Tensor | None:
        """Return the padding and unread tokens of `src` (B, T_src), or None if there are none."""
        padding = key_padding_mask(src, self.config.pad_id)
        unread = padding if unread is None else padding | unread
        return unread if bool(unread.any()) else None

    def logits(self, output: Tensor) -> Tensor:
        """Project output (..., d_model) to logits (..., V) through the shared embedding."""
        return F.linear(output, self.embedding.weight)

    def start(self, src: Tensor, unread: Tensor | None = None) -> Any:
        """Read sources (B, T_src); `unread` as in `SourceEncoder`, by default their padding."""
        raise NotImplementedError

    def advance(self, state: Any, embedded: Tensor) -> tuple[Tensor, Any]:
        """Take one step from the embedded token (B, d_model); return output and new state."""
        raise NotImplementedError

    def step(self, state: Any, prev: Tensor) -> tuple[Tensor, Any]:
        """Read one token a hypothesis, `prev` (K,); return log-probabilities (K, V) and state."""
        output, state = self.advance(state, self.embed(prev))
        return self.logits(output).log_softmax(dim=-1), state

    def select(self, state: Any, rows: Tensor) -> Any:
        """Keep and reorder hypotheses by `rows` (K,); the source part stays."""
        return state.select(rows)

    def decode_hidden(self, src: Tensor, tgt: Tensor, unread: Tensor | None = None) -> Tensor:
        """Return the outputs (B, T_tgt, d_model) of reading `tgt` (B, T_tgt), before logits."""
        state = self.start(src, unread)
        outputs = []
        # One step after another, as a step reads the state of the one before.
        for embedded in self.embed(tgt).unbind(dim=1):
            output, state = self.advance(state, embedded)
            outputs.append(output)
        return torch.stack(outputs, dim=1)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Compute logits (B, T_tgt, V) of ids (B, T_src), (B, T_tgt), padded at the end."""
        return self.logits(self.decode_hidden(src, tgt))
