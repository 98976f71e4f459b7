"""Recurrent encoder-decoder with additive attention (Bahdanau, Cho and Bengio 2015)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from core.records.architecture import Drawing, Lane
from core.records.attention import CROSS
from core.records.step import Equation
from model.families.base import Family, Paper
from model.hooks.value_probes import ValueProbe
from model.nets.attention import AttentionProbe, attention_weights

from .stepwise import WITH_ATTENTION, Maxout, SourceEncoder, Stepwise, StepwiseConfig


@dataclass(frozen=True)
class AdditiveState:
    """State of the hypotheses, and the source as it was read."""

    hidden: Tensor  # (B, hidden)
    annotations: Tensor  # (1 or B, T_src, 2 hidden)
    keys: Tensor  # U_a h_j (1 or B, T_src, hidden)
    may_look: Tensor | None  # (1 or B, 1, 1, T_src), None when nothing is padding

    def select(self, rows: Tensor) -> AdditiveState:
        """Keep and reorder hypotheses by `rows`."""
        return replace(self, hidden=self.hidden[rows])


class AdditiveAttention(Stepwise):
    """Encoder-decoder that scores e_ij = v . tanh(W_a s_{i-1} + U_a h_j) (appendix A).

    The context c_i enters both step and output. The output sees s_i as in eq. 4; the paper's
    appendix has s_{i-1} there. The gated unit is torch's GRU, whose reset gate acts on U s instead
    of s.
    """

    sites = (replace(CROSS, has_values=True),)
    equations = (
        Equation(
            "annotations-both",
            r"\mathbf{h}_j = [\overrightarrow{\mathbf{h}}_j ; \overleftarrow{\mathbf{h}}_j]",
            "sources",
            "annotations",
        ),
        Equation(
            "score-additive",
            r"e_{ij} = \mathbf{v}^\top \tanh(W_a \mathbf{s}_{i-1} + U_a \mathbf{h}_j)",
            "terms",
            "query",
        ),
        Equation("softmax", r"\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k} \exp(e_{ik})}", "softmax"),
        Equation(
            "context", r"\mathbf{c}_i = \sum_j \alpha_{ij} \mathbf{h}_j", "context", "context"
        ),
        Equation(
            "state-context",
            r"\mathbf{s}_i = f(\mathbf{s}_{i-1}, y_{i-1}, \mathbf{c}_i)",
            "vector",
            "state",
        ),
        Equation(
            "output-context",
            r"p(y_i \mid y_{<i}, x) = g(y_{i-1}, \mathbf{s}_i, \mathbf{c}_i)",
            "output",
        ),
    )

    def __init__(self, config: StepwiseConfig) -> None:
        super().__init__(config)
        width = config.d_model
        hidden = config.hidden_size
        self.encoder = SourceEncoder(nn.GRU(width, hidden, batch_first=True, bidirectional=True))
        self.initial = nn.Linear(hidden, hidden)
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(2 * hidden, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)
        self.cell = nn.GRUCell(width + 2 * hidden, hidden)
        self.maxout = Maxout(hidden + width + 2 * hidden, width)
        self.probe = AttentionProbe(self.sites[0], one_call="step")
        self.before_value = ValueProbe("state-before")
        self.query_value = ValueProbe("query")
        self.keys_value = ValueProbe("keys", one_call="pass")
        self.context_value = ValueProbe("context")
        self.state_value = ValueProbe("state")
        self.reset_parameters()

    def start(self, src: Tensor, unread: Tensor | None = None) -> AdditiveState:
        """Compute annotations h_j = [forward; backward] and s_0 = tanh(W_s backward h_1)."""
        unread = self.left_out(src, unread)
        annotations, last = self.encoder(self.embed(src), unread)
        may_look = None if unread is None else ~unread[:, None, None]
        # U_a h_j does not depend on the step, so it is computed once (appendix A.1.2).
        keys = self.keys_value(self.key(annotations))
        # The last state of the backward direction is the one at the first word.
        return AdditiveState(self.initial(last[-1]).tanh(), annotations, keys, may_look)

    def look(self, state: AdditiveState, hidden: Tensor) -> Tensor:
        """Attend with hidden (B, hidden); return the context (B, 2 hidden), eq. 5 and 6."""
        query = self.query_value(self.query(self.before_value(hidden)))
        energies = (query[:, None] + state.keys).tanh()  # (B, T_src, hidden)
        scores = self.energy(energies)[:, None, :, 0][:, None]  # (B, 1, 1, T_src)
        may_look = state.may_look
        values = state.annotations[:, None]
        weights = self.probe(attention_weights(scores, may_look), scores, may_look, values)
        return self.context_value((weights[:, 0] @ state.annotations)[:, 0])

    def score_terms(self, values: Mapping[str, Tensor]) -> Tensor:
        """Return the terms of each score of a step, (T_src, hidden), from `values` by probe."""
        return (values["query"] + values["keys"]).tanh() * self.energy.weight[0]

    def advance(self, state: AdditiveState, embedded: Tensor) -> tuple[Tensor, AdditiveState]:
        """Take one step: the context of s_{i-1} enters the GRU and the output."""
        # One source state serves several hypotheses at the first step.
        hidden = state.hidden.expand(len(embedded), -1)
        context = self.look(state, hidden)
        hidden = self.cell(torch.cat((embedded, context), dim=-1), hidden)
        output = self.maxout(self.state_value(hidden), embedded, context)
        return self.dropout(output), replace(state, hidden=hidden)


FAMILY = Family(
    name="additive-attention",
    config=StepwiseConfig,
    build=AdditiveAttention,
    capabilities=WITH_ATTENTION,
    drawing=lambda config: Drawing(
        Lane(("embedding", "recurrence")),
        Lane(("embedding", "cross", "recurrence", "softmax", "search")),
    ),
    training="shared-output",
    paper=Paper(
        at=2015.35,
        sources="attention",
        attention="additive",
        equation=r"e_{ij} = \mathbf{v}^\top \tanh(W \mathbf{s}_{i-1} + U \mathbf{h}_j), \quad "
        r"\mathbf{c}_i = \sum_j \alpha_{ij} \mathbf{h}_j",
    ),
)
