"""Global and local attention with four scores, and input feeding (Luong, Pham and Manning 2015)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn

from core.records.architecture import Drawing, Lane
from core.records.attention import CROSS, AttentionSite
from core.records.step import Equation
from model.config import size_faults
from model.families.base import Family, Paper
from model.hooks.value_probes import ValueProbe
from model.nets.attention import AttentionProbe, attention_weights
from words import Message

from .lstm import StackedConfig, StackedDecoder, StackedState, stacked_encoder
from .stepwise import WITH_ATTENTION, Stepwise

Score = Literal["dot", "general", "concat", "location"]
Where = Literal["global", "local-m", "local-p"]


@dataclass(frozen=True)
class LuongConfig(StackedConfig):
    """Score, range of attention, and input feeding: the attentional vector enters the next step."""

    score: Score = "general"
    attention: Where = "global"
    input_feeding: bool = True
    window: int = 5  # D: local attention spans D tokens on either side of its centre; sigma = D/2

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        faults = [*super().faults(), *size_faults(self, ("window",))]
        if self.score == "location" and self.attention != "global":
            faults.append(Message.of("model-config-location", attention=repr(self.attention)))
        return faults


def site_of(config: LuongConfig) -> AttentionSite:
    """Return the site of this configuration.

    Local attention has a window, and a Gaussian makes its rows sum to less than one.
    """
    site = replace(CROSS, has_values=True)
    if config.attention == "global":
        return site
    return replace(site, window=config.window, normalised=config.attention == "local-m")


_SCORES = {
    "dot": r"\mathbf{h}_t^\top \bar{\mathbf{h}}_s",
    "general": r"\mathbf{h}_t^\top W_a \bar{\mathbf{h}}_s",
    "concat": r"\mathbf{v}_a^\top \tanh(W_a [\mathbf{h}_t ; \bar{\mathbf{h}}_s])",
    "location": r"(W_a \mathbf{h}_t)_s",
}
_CENTRES = {
    "local-m": r"p_t = t",
    "local-p": r"p_t = S \cdot \mathrm{sigmoid}(\mathbf{v}_p^\top \tanh(W_p \mathbf{h}_t))",
}
_NEAR = r"{s' \in [p_t - D,\, p_t + D]}"
_SHARE = r"a_t(s) = \frac{\exp(e_{ts})}{\sum_%s \exp(e_{ts'})}"


def equations_of(config: LuongConfig) -> tuple[Equation, ...]:
    """Return the equations of one step under this configuration."""
    where = config.attention
    share = _SHARE % ("{s'}" if where == "global" else _NEAR)
    if where == "local-p":
        share += r"\,\exp\left(-\frac{(s - p_t)^2}{2 (D/2)^2}\right)"
    fed = r", \tilde{\mathbf{h}}_{t-1}" if config.input_feeding else ""
    return (
        Equation(
            "annotations-one", r"\bar{\mathbf{h}}_s, \quad s = 1 \dots S", "sources", "annotations"
        ),
        Equation(
            "state-fed" if config.input_feeding else "state-unfed",
            rf"\mathbf{{h}}_t = \mathrm{{LSTM}}(y_{{t-1}}{fed}, \mathbf{{h}}_{{t-1}})",
            "vector",
            "state",
        ),
        Equation(f"score-{config.score}", rf"e_{{ts}} = {_SCORES[config.score]}", "terms"),
        *(
            (Equation(f"centre-{where}", _CENTRES[where], "number", "centre"),)
            if where in _CENTRES
            else ()
        ),
        Equation("softmax" if where == "global" else f"softmax-{where}", share, "softmax"),
        Equation(
            "context", r"\mathbf{c}_t = \sum_s a_t(s)\, \bar{\mathbf{h}}_s", "context", "context"
        ),
        Equation(
            "attentional",
            r"\tilde{\mathbf{h}}_t = \tanh(W_c [\mathbf{c}_t ; \mathbf{h}_t])",
            "vector",
            "attentional",
        ),
        Equation(
            "output-attentional",
            r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}(W_s \tilde{\mathbf{h}}_t)",
            "output",
        ),
    )


@dataclass(frozen=True)
class LuongState:
    """State of the hypotheses, and the source as it was read."""

    stacked: StackedState
    attentional: Tensor  # (B, hidden), h~ of the step before
    annotations: Tensor  # (1 or B, T_src, hidden)
    lengths: Tensor  # (1 or B, 1) of the sources in tokens
    may_look: Tensor | None  # (1 or B, 1, 1, T_src), None when nothing is padding
    time: int  # steps taken

    def select(self, rows: Tensor) -> LuongState:
        """Keep and reorder hypotheses by `rows`."""
        return replace(self, stacked=self.stacked.select(rows), attentional=self.attentional[rows])


class LuongAttention(Stepwise):
    """Decoder with h_t, then a_t and c_t, then h~_t = tanh(W_c [c_t; h_t]) (eq. 5 to 10)."""

    config: LuongConfig

    def __init__(self, config: LuongConfig) -> None:
        super().__init__(config)
        width = config.d_model
        hidden = config.hidden_size
        site = site_of(config)
        self.sites = (site,)
        self.equations = equations_of(config)
        self.encoder = stacked_encoder(config)
        n_inputs = width + (hidden if config.input_feeding else 0)
        self.decoder = StackedDecoder(n_inputs, hidden, config.n_layers, config.dropout)
        if config.score == "general":
            self.general = nn.Linear(hidden, hidden, bias=False)
        elif config.score == "concat":
            self.concat = nn.Linear(2 * hidden, hidden, bias=False)
            self.energy = nn.Linear(hidden, 1, bias=False)
        elif config.score == "location":
            # One output for each source position, so the longest source is fixed (eq. 8).
            self.location = nn.Linear(hidden, config.max_len, bias=False)
        if config.attention == "local-p":
            self.predict = nn.Linear(hidden, hidden, bias=False)
            self.centre = nn.Linear(hidden, 1, bias=False)
        self.attend = nn.Linear(2 * hidden, hidden, bias=False)
        # The shared embedding is the output layer, so widths have to agree.
        self.output = nn.Identity() if hidden == width else nn.Linear(hidden, width, bias=False)
        self.probe = AttentionProbe(site, one_call="step")
        self.state_value = ValueProbe("state")
        self.centre_value = ValueProbe("centre")
        self.gaussian_value = ValueProbe("gaussian")
        self.context_value = ValueProbe("context")
        self.attentional_value = ValueProbe("attentional")
        self.reset_parameters()

    def start(self, src: Tensor, unread: Tensor | None = None) -> LuongState:
        """Read sources; the decoder begins in the encoder's last states."""
        unread = self.left_out(src, unread)
        annotations, (hidden, cell) = self.encoder(self.embed(src), unread)
        may_look = None if unread is None else ~unread[:, None, None]
        # A hidden token keeps its place and counts; padding does not.
        lengths = (src != self.config.pad_id).sum(dim=1, keepdim=True)
        # Input feeding needs an attentional vector before the first step.
        nothing = torch.zeros_like(hidden[-1])
        return LuongState(StackedState(hidden, cell), nothing, annotations, lengths, may_look, 0)

    def scores(self, hidden: Tensor, annotations: Tensor) -> Tensor:
        """Score annotations (1 or B, T_src, hidden) against hidden (B, hidden): (B, T_src).

        Equation 8; "location" ignores the annotations.
        """
        match self.config.score:
            case "dot":
                return (annotations @ hidden[:, :, None])[..., 0]
            case "general":
                return (annotations @ self.general(hidden)[:, :, None])[..., 0]
            case "concat":
                n_rows = len(hidden)
                length = annotations.shape[1]
                both = torch.cat(
                    (hidden[:, None].expand(-1, length, -1), annotations.expand(n_rows, -1, -1)),
                    dim=-1,
                )
                return self.energy(self.concat(both).tanh())[..., 0]
            case _:
                # Outputs for positions beyond this source exist, but nothing stands there.
                return self.location(hidden)[:, : annotations.shape[1]]

    def score_terms(self, values: Mapping[str, Tensor]) -> Tensor:
        """Return the terms of each score of a step, (T_src, hidden), from `values` by probe."""
        hidden = values["state"]
        annotations = values["annotations"]
        match self.config.score:
            case "dot":
                return annotations * hidden
            case "general":
                return annotations * self.general(hidden)
            case "concat":
                both = torch.cat((hidden.expand(len(annotations), -1), annotations), dim=-1)
                return self.concat(both).tanh() * self.energy.weight[0]
            case _:
                # Row s of the matrix scores position s, so the terms of a score are those of a
                # product.
                return self.location.weight[: len(annotations)] * hidden

    def centres(self, state: LuongState, hidden: Tensor) -> Tensor:
        """Return p_t (B, 1): the step's number (local-m), or S sigmoid(v . tanh(W h)) (eq. 9).

        A step beyond the source is centred on the last token.
        """
        if self.config.attention == "local-m":
            # p_t = t assumes roughly monotone alignment (section 3.2).
            reached = (state.lengths - 1).clamp(max=state.time)
            return reached.expand(len(hidden), -1).to(hidden.dtype)
        share = self.centre(self.predict(hidden).tanh()).sigmoid().float()
        return state.lengths * share

    def weights(self, state: LuongState, hidden: Tensor) -> Tensor:
        """Return a_t (B, 1, 1, T_src), eq. 7 and 10."""
        scores = self.scores(hidden, state.annotations)[:, None, None]
        may_look = state.may_look
        values = state.annotations[:, None]
        if self.config.attention == "global":
            return self.probe(attention_weights(scores, may_look), scores, may_look, values)
        centres = self.centre_value(self.centres(state, hidden))
        positions = torch.arange(scores.shape[-1], device=scores.device)
        away = positions - centres  # (B, T_src)
        near = (away.abs() <= self.config.window)[:, None, None]
        near = near if may_look is None else near & may_look
        weights = attention_weights(scores, near)
        if self.config.attention == "local-p":
            sigma = self.config.window / 2
            gaussian = self.gaussian_value((-(away**2) / (2 * sigma**2)).exp())
            # Not normalised again: the paper multiplies after the softmax (eq. 10).
            weights = weights * gaussian[:, None, None].to(weights.dtype)
        return self.probe(weights, scores, near, values)

    def advance(self, state: LuongState, embedded: Tensor) -> tuple[Tensor, LuongState]:
        """Take one step: LSTM, attention, then the attentional vector."""
        n_rows = len(embedded)
        if self.config.input_feeding:
            fed = state.attentional.expand(n_rows, -1)
            embedded = torch.cat((embedded, fed.to(embedded.dtype)), dim=-1)
        hidden, stacked = self.decoder(embedded, state.stacked)
        hidden = self.state_value(hidden)
        weights = self.weights(state, hidden)
        context = self.context_value((weights[:, 0] @ state.annotations)[:, 0])
        attentional = self.attend(torch.cat((context, hidden), dim=-1)).tanh()
        attentional = self.dropout(self.attentional_value(attentional))
        moved = replace(state, stacked=stacked, attentional=attentional, time=state.time + 1)
        return self.output(attentional), moved


FAMILY = Family(
    name="luong-attention",
    config=LuongConfig,
    build=LuongAttention,
    capabilities=WITH_ATTENTION,
    drawing=lambda config: Drawing(
        Lane(("embedding",), ("recurrence",), config.n_layers),
        Lane(("embedding",), ("recurrence",), config.n_layers, ("cross", "softmax", "search")),
    ),
    training="shared-output",
    paper=Paper(
        at=2015.7,
        sources="attention",
        attention="global",
        equation=r"\mathrm{score}(\mathbf{h}_t, \bar{\mathbf{h}}_s) = \mathbf{h}_t^\top W "
        r"\bar{\mathbf{h}}_s, \quad \tilde{\mathbf{h}}_t = \tanh(W_c [\mathbf{c}_t; \mathbf{h}_t])",
        shown_by="lineage-luong-global-general",
    ),
)
