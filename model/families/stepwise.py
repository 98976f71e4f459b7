"""What the recurrent families share: how a source is read and how a decoder goes step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from model.config import size_faults, special_faults
from model.masks import key_padding_mask
from model.values import ValueProbe
from words import Message


@dataclass(frozen=True)
class StepwiseConfig:
    """Sizes that every recurrent family has.

    `d_model` is the width of embedding and output, `hidden_size` that of a recurrent state;
    `max_len` is the longest source or target in tokens, special tokens included.
    """

    vocab_size: int
    d_model: int = 256
    hidden_size: int = 256
    dropout: float = 0.1
    max_len: int = 160
    pad_id: int = 0
    unk_id: int = 1
    bos_id: int = 2
    eos_id: int = 3

    def faults(self) -> list[Message]:
        """Everything that is wrong with these sizes, one sentence each."""
        sizes = ("vocab_size", "d_model", "hidden_size", "max_len")
        return [*size_faults(self, sizes), *special_faults(self)]


class SourceEncoder(nn.Module):
    """A recurrent network over the source; padding at the end of a row changes nothing in it.

    Parameters
    ----------
    network : `nn.GRU` or `nn.LSTM` with ``batch_first=True``
    """

    def __init__(self, network: nn.GRU | nn.LSTM) -> None:
        super().__init__()
        self.network = network
        self.states = ValueProbe("annotations", one_call="pass")

    def forward(self, embedded: Tensor, padding: Tensor | None) -> tuple[Tensor, Any]:
        """embedded (B, T_src, d_model) -> states (B, T_src, D * hidden) and the last ones, as
        torch's network gives them; `padding` (B, T_src) is True at padding, None when there is
        none."""
        if padding is None:
            states, last = self.network(embedded)
        else:
            lengths = (~padding).sum(dim=1).cpu()
            packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
            states, last = self.network(packed)
            states, _ = pad_packed_sequence(
                states, batch_first=True, total_length=embedded.shape[1]
            )
        return self.states(states), last


def reversed_words(src: Tensor, padding: Tensor | None) -> Tensor:
    """ids (B, T_src) with the words of each row backwards; ``</s>`` and padding stay behind them
    (Sutskever et al. 2014, section 3.3)."""
    length = src.shape[1]
    lengths = (
        torch.full((len(src), 1), length, device=src.device)
        if padding is None
        else (~padding).sum(dim=1, keepdim=True)
    )
    places = torch.arange(length, device=src.device).expand(len(src), -1)
    words = lengths - 1
    return src.gather(1, torch.where(places < words, words - 1 - places, places))


class Maxout(nn.Module):
    """The larger of each pair of ``W x`` (Goodfellow et al. 2013), as Cho et al. and Bahdanau et
    al. have it before the output layer."""

    def __init__(self, n_inputs: int, n_outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(n_inputs, 2 * n_outputs)

    def forward(self, *inputs: Tensor) -> Tensor:
        """inputs (..., n) that are n_inputs wide together -> (..., n_outputs)."""
        return self.linear(torch.cat(inputs, dim=-1)).unflatten(-1, (-1, 2)).amax(dim=-1)


class Stepwise(nn.Module):
    """A recurrent encoder-decoder that writes a token a step, as a `Seq2SeqModel`.

    One embedding serves source, target and output. Heirs give `start`, which reads sources, and
    `advance`, one step; a state is a tuple whose tensors have a row for each hypothesis, those
    named in `SHARED` one for each source.
    """

    sites: tuple = ()

    def __init__(self, config: StepwiseConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.dropout = nn.Dropout(config.dropout)

    def reset_parameters(self) -> None:
        """Xavier for matrices, zeros for biases; embeddings so that the logits start near one."""
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            elif "bias" in name:
                nn.init.zeros_(parameter)
        nn.init.normal_(self.embedding.weight, std=self.config.d_model**-0.5)

    def embed(self, ids: Tensor) -> Tensor:
        """ids (...) -> (..., d_model), scaled to variance one as the Transformer's."""
        return self.dropout(self.embedding(ids) * self.config.d_model**0.5)

    def source_padding(self, src: Tensor) -> Tensor | None:
        """Where `src` (B, T_src) is padding, or None when nothing is."""
        padding = key_padding_mask(src, self.config.pad_id)
        return padding if bool(padding.any()) else None

    def logits(self, output: Tensor) -> Tensor:
        """output (..., d_model) -> (..., V), through the shared embedding."""
        return F.linear(output, self.embedding.weight)

    def start(self, src: Tensor) -> Any:
        raise NotImplementedError

    def advance(self, state: Any, embedded: Tensor) -> tuple[Tensor, Any]:
        """One step: the embedded previous token (B, d_model) -> output (B, d_model), new state."""
        raise NotImplementedError

    def step(self, state: Any, prev: Tensor) -> tuple[Tensor, Any]:
        """Read one token per hypothesis, `prev` (K,) -> log-probabilities (K, V), new state."""
        output, state = self.advance(state, self.embed(prev))
        return self.logits(output).log_softmax(dim=-1), state

    def select(self, state: Any, rows: Tensor) -> Any:
        """Keep and reorder hypotheses by `rows` (K,); what belongs to the source stays."""
        return state.select(rows)

    def decode_hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Outputs (B, T_tgt, d_model) while `tgt` (B, T_tgt) is read, before the output layer."""
        state, outputs = self.start(src), []
        for embedded in self.embed(tgt).unbind(dim=1):
            output, state = self.advance(state, embedded)
            outputs.append(output)
        return torch.stack(outputs, dim=1)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """ids (B, T_src), (B, T_tgt), padded with `pad_id` at the end -> logits (B, T_tgt, V)."""
        return self.logits(self.decode_hidden(src, tgt))
