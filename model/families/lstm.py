"""Deep LSTM encoder-decoder that may read its source backwards (Sutskever et al. 2014)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.records.architecture import Drawing, Lane
from core.records.step import Equation
from model.config import size_faults
from model.families.base import Family, Paper
from model.hooks.value_probes import ValueProbe
from words import Message

from .stepwise import CAPABILITIES, SourceEncoder, Stepwise, StepwiseConfig


@dataclass(frozen=True)
class StackedConfig(StepwiseConfig):
    """Sizes: `n_layers` of LSTM on either side; `reverse_source` reads the words backwards."""

    n_layers: int = 2
    reverse_source: bool = False

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        return [*super().faults(), *size_faults(self, ("n_layers",))]


@dataclass(frozen=True)
class StackedState:
    """Hidden and cell states of all layers, each (L, B, hidden)."""

    hidden: Tensor
    cell: Tensor

    def select(self, rows: Tensor) -> StackedState:
        """Keep and reorder hypotheses by `rows`."""
        return StackedState(self.hidden[:, rows], self.cell[:, rows])

    def expand(self, n_rows: int) -> StackedState:
        """Return the state repeated for `n_rows` hypotheses."""
        return StackedState(self.hidden.expand(-1, n_rows, -1), self.cell.expand(-1, n_rows, -1))


class StackedDecoder(nn.Module):
    """Layers of LSTM, one step at a time, with dropout between them (Zaremba et al. 2014)."""

    def __init__(self, n_inputs: int, hidden: int, n_layers: int, dropout: float) -> None:
        super().__init__()
        self.cells = nn.ModuleList(
            nn.LSTMCell(hidden if layer else n_inputs, hidden) for layer in range(n_layers)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, state: StackedState) -> tuple[Tensor, StackedState]:
        """Take one step with x (B, n_inputs); return the top state (B, hidden) and all states."""
        state = state.expand(len(x))
        hidden = []
        cells = []
        for layer, cell in enumerate(self.cells):
            h, c = cell(x, (state.hidden[layer], state.cell[layer]))
            hidden.append(h)
            cells.append(c)
            # Between layers only; the caller drops out the top.
            x = self.dropout(h) if layer + 1 < len(self.cells) else h
        return x, StackedState(torch.stack(hidden), torch.stack(cells))


def stacked_encoder(config: StackedConfig) -> SourceEncoder:
    """Build an encoder of `n_layers` of LSTM."""
    # torch warns about dropout in a single layer, which has nothing between layers.
    between = config.dropout if config.n_layers > 1 else 0.0
    network = nn.LSTM(
        config.d_model, config.hidden_size, config.n_layers, batch_first=True, dropout=between
    )
    return SourceEncoder(network, reverse=config.reverse_source)


class StackedLSTM(Stepwise):
    """Decoder that sees nothing of the source but the encoder's last states (section 2)."""

    equations = (
        Equation("last", r"v = (\mathbf{h}_T, \mathbf{c}_T)", "vector", "last"),
        Equation(
            "state-last",
            r"\mathbf{h}'_t = \mathrm{LSTM}(y_{t-1}, \mathbf{h}'_{t-1}), \quad "
            r"\mathbf{h}'_0 = v",
            "vector",
            "state",
        ),
        Equation(
            "output-last", r"p(y_t \mid v, y_{<t}) = \mathrm{softmax}(W_s \mathbf{h}'_t)", "output"
        ),
    )

    def __init__(self, config: StackedConfig) -> None:
        super().__init__(config)
        self.encoder = stacked_encoder(config)
        self.decoder = StackedDecoder(
            config.d_model, config.hidden_size, config.n_layers, config.dropout
        )
        self.output = nn.Linear(config.hidden_size, config.d_model)
        self.last_value = ValueProbe("last", one_call="pass")
        self.state_value = ValueProbe("state")
        self.reset_parameters()

    def start(self, src: Tensor, unread: Tensor | None = None) -> StackedState:
        """Read sources; the last states of all layers begin the decoder."""
        _, (hidden, cell) = self.encoder(self.embed(src), self.left_out(src, unread))
        # Only shown: the state itself goes on unprobed.
        self.last_value(hidden[-1])
        return StackedState(hidden, cell)

    def advance(self, state: StackedState, embedded: Tensor) -> tuple[Tensor, StackedState]:
        """Take one step from the embedded previous token."""
        top, state = self.decoder(embedded, state)
        return self.output(self.dropout(self.state_value(top))), state


FAMILY = Family(
    name="lstm-seq2seq",
    config=StackedConfig,
    build=StackedLSTM,
    capabilities=CAPABILITIES,
    drawing=lambda config: Drawing(
        Lane(("embedding",), ("recurrence",), config.n_layers),
        Lane(("embedding", "vector"), ("recurrence",), config.n_layers, ("softmax", "search")),
        joins=("vector",),
    ),
    training="shared-output",
    paper=Paper(
        at=2014.95,
        sources="vector",
        attention="none",
        equation=r"p(y_1 \dots y_T \mid x_N, \dots, x_1) = \prod_t p(y_t \mid \mathbf{v}, y_{<t})",
    ),
)
