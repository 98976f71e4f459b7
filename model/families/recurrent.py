"""RNN encoder-decoder with one vector for the whole source (Cho et al. 2014)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from core.records.architecture import Drawing, Lane
from core.records.step import Equation
from model.families.base import Family, Paper
from model.hooks.value_probes import ValueProbe

from .stepwise import CAPABILITIES, Maxout, SourceEncoder, Stepwise, StepwiseConfig


@dataclass(frozen=True)
class RecurrentState:
    """States `hidden` (B, hidden), and the `summary` c (1 or B, hidden) of the source."""

    hidden: Tensor
    summary: Tensor

    def select(self, rows: Tensor) -> RecurrentState:
        """Keep and reorder hypotheses by `rows`."""
        return replace(self, hidden=self.hidden[rows])


class RecurrentEncoderDecoder(Stepwise):
    """Encoder-decoder whose every step sees the summary c of the source (eq. 2 and 3, appendix A).

    h_t = f(h_{t-1}, y_{t-1}, c) and p(y_t) = g(h_t, y_{t-1}, c). The gated unit is torch's GRU,
    whose reset gate acts on U h instead of h.
    """

    equations = (
        Equation("summary", r"\mathbf{c} = \tanh(V \mathbf{h}_N)", "vector", "summary"),
        Equation(
            "state-summary",
            r"\mathbf{h}'_t = f(\mathbf{h}'_{t-1}, y_{t-1}, \mathbf{c})",
            "vector",
            "state",
        ),
        Equation(
            "output-summary",
            r"p(y_t \mid y_{<t}, \mathbf{c}) = g(\mathbf{h}'_t, y_{t-1}, \mathbf{c})",
            "output",
        ),
    )

    def __init__(self, config: StepwiseConfig) -> None:
        super().__init__(config)
        width = config.d_model
        hidden = config.hidden_size
        self.encoder = SourceEncoder(nn.GRU(width, hidden, batch_first=True))
        self.summarise = nn.Linear(hidden, hidden)
        self.initial = nn.Linear(hidden, hidden)
        self.cell = nn.GRUCell(width + hidden, hidden)
        self.maxout = Maxout(hidden + width + hidden, width)
        self.summary_value = ValueProbe("summary", one_call="pass")
        self.state_value = ValueProbe("state")
        self.reset_parameters()

    def start(self, src: Tensor, unread: Tensor | None = None) -> RecurrentState:
        """Compute c = tanh(V h_N) and h'_0 = tanh(V' c)."""
        _, last = self.encoder(self.embed(src), self.left_out(src, unread))
        summary = self.summary_value(self.summarise(last[-1]).tanh())
        return RecurrentState(self.initial(summary).tanh(), summary)

    def advance(self, state: RecurrentState, embedded: Tensor) -> tuple[Tensor, RecurrentState]:
        """Take one step; the summary enters the GRU and the output."""
        # One summary serves all hypotheses.
        summary = state.summary.expand(len(embedded), -1)
        hidden = self.cell(
            torch.cat((embedded, summary), dim=-1), state.hidden.expand(len(embedded), -1)
        )
        output = self.maxout(self.state_value(hidden), embedded, summary)
        return self.dropout(output), RecurrentState(hidden, state.summary)


FAMILY = Family(
    name="rnn-encoder-decoder",
    config=StepwiseConfig,
    build=RecurrentEncoderDecoder,
    capabilities=CAPABILITIES,
    drawing=lambda config: Drawing(
        Lane(("embedding", "recurrence")),
        Lane(("embedding", "vector", "recurrence", "softmax", "search")),
        joins=("vector",),
    ),
    training="shared-output",
    paper=Paper(
        at=2014.8,
        sources="vector",
        attention="none",
        equation=r"\mathbf{c} = \tanh(V \mathbf{h}_N), \quad "
        r"\mathbf{s}_t = f(\mathbf{s}_{t-1}, y_{t-1}, \mathbf{c})",
    ),
)
