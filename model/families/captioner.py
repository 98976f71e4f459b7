"""Show, Attend and Tell: captions with soft, hard or no attention (Xu et al. 2015)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.records.architecture import Drawing, Lane
from core.records.attention import AttentionSite
from core.records.scenes import GRID
from model.config import size_faults
from model.families.base import Family, Paper
from model.hooks.value_probes import ValueProbe
from model.nets.attention import AttentionProbe
from model.sources import SCENE
from words import Message

from .stepwise import Stepwise, StepwiseConfig

GAZE = AttentionSite("gaze", "target", "source", grid=GRID)
Attention = Literal["soft", "hard", "mean"]
_CHANNELS = (32, 64)  # channels of the layers before the annotations
_WHOLE = 127.5  # half of the brightest pixel; maps 0..255 to -1..1


@dataclass(frozen=True)
class CaptionerConfig(StepwiseConfig):
    """Kind of attention, sizes, and weights of the training objectives."""

    # "soft": the expected annotation (section 4.2); "hard": one of them (4.1); "mean": their mean,
    # whatever the gaze, a control in which the gaze means nothing.
    attention: Attention = "soft"
    annotation_size: int = 96
    attention_size: int = 48  # width of the layer that scores an annotation
    penalty: float = 0.02  # weight of the doubly stochastic penalty (eq. 14)
    entropy: float = 0.002  # weight of the gaze's entropy in hard attention
    reinforce: float = 0.1  # weight of the sampled gradient in hard attention (eq. 12)
    max_len: int = GRID[0] * GRID[1]

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        return [*super().faults(), *size_faults(self, ("annotation_size", "attention_size"))]


class CaptionerState(NamedTuple):
    """State of the hypotheses, and the picture as it was read."""

    hidden: Tensor  # (1 or B, hidden), as cell
    cell: Tensor
    annotations: Tensor  # (1 or B, 196, annotation)
    keys: Tensor  # their part of the scores (1 or B, 196, attention)
    drawn: Tensor | None  # (B, 1), True where hard attention samples; None outside training

    def select(self, rows: Tensor) -> CaptionerState:
        """Keep and reorder hypotheses by `rows`."""
        return self._replace(hidden=self.hidden[rows], cell=self.cell[rows])


class StepGaze(NamedTuple):
    """Attention of one step."""

    context: Tensor  # (B, annotation), z after the gate
    weights: Tensor  # (B, 196), alpha
    chosen: Tensor  # (B, 196), weights in use: alpha, one cell, or uniform


class Annotations(nn.Module):
    """Encoder of a picture into 14 x 14 annotation vectors.

    The paper takes a layer of a network trained on photographs; here a small one is trained with
    the rest. A vector of its place is added to each cell before the last layer, since convolutions
    alone do not know where they are.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        first, second = _CHANNELS
        self.narrowing = nn.ModuleList(
            (nn.Conv2d(3, first, 4, stride=4), nn.Conv2d(first, second, 3, stride=2, padding=1))
        )
        self.places = nn.Parameter(torch.zeros(1, second, *GRID))
        self.last = nn.Conv2d(second, size, 3, padding=1)
        self.own = nn.Linear(size, size)

    def forward(self, pixels: Tensor) -> Tensor:
        """Encode pixels (B, 112, 112, 3), 0 to 255, into annotations (B, 196, size)."""
        features = pixels.permute(0, 3, 1, 2).float() / _WHOLE - 1.0
        for layer in self.narrowing:
            features = layer(features).relu()
        features = self.last(features + self.places).relu()
        cells = features.flatten(2).transpose(1, 2)
        return cells + self.own(cells).relu()


class Captioner(Stepwise):
    """Attention LSTM of Xu et al. 2015 (eq. 1 to 7; beta in section 4.2.1).

    alpha_t from h_{t-1}, z_t = beta_t phi(a, alpha_t), h_t = LSTM(E y_{t-1}, h_{t-1}, z_t), and
    p(y_t) ~ exp(L_o (E y_{t-1} + L_h h_t + L_z z_t)). In training, hard attention samples a cell
    for some pictures and takes the expected annotation for the others; afterwards it takes the cell
    with the largest weight.
    """

    config: CaptionerConfig

    def __init__(self, config: CaptionerConfig) -> None:
        super().__init__(config)
        width = config.d_model
        hidden = config.hidden_size
        size = config.annotation_size
        attention = config.attention_size
        # The weights of a site with values must be those that mix them, which only soft attention
        # ensures.
        site = replace(GAZE, has_values=config.attention == "soft")
        self.sites = (site,)
        self.encoder = Annotations(size)
        self.initial_hidden = nn.Linear(size, hidden)
        self.initial_cell = nn.Linear(size, hidden)
        self.key = nn.Linear(size, attention, bias=False)
        self.query = nn.Linear(hidden, attention)
        self.energy = nn.Linear(attention, 1, bias=False)
        self.gate = nn.Linear(hidden, 1)
        self.decoder = nn.LSTMCell(width + size, hidden)
        self.of_hidden = nn.Linear(hidden, width, bias=False)
        self.of_context = nn.Linear(size, width, bias=False)
        self.output = nn.Linear(width, config.vocab_size, bias=False)
        self.probe = AttentionProbe(site, one_call="step")
        self.context_value = ValueProbe("context")
        # Running mean of log p of a word, b of eq. 12: the baseline of sampled gazes.
        self.register_buffer("baseline", torch.zeros(()))
        self.reset_parameters()
        with torch.no_grad():
            # Fan-in initialisation, since ReLUs follow the convolutions. The bias of 2 opens the
            # gate at the start: sigmoid(2) = 0.88.
            for layer in (*self.encoder.narrowing, self.encoder.last):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.normal_(self.encoder.places, std=0.5)
            self.gate.bias.fill_(2.0)

    def logits(self, output: Tensor) -> Tensor:
        """Project output (..., d_model) to logits (..., V) by L_o."""
        return self.output(output)

    def start(self, src: Tensor, unread: Tensor | None = None) -> CaptionerState:
        """Read pictures, uint8 (B, 112, 112, 3); h_0 and c_0 come from the mean annotation."""
        annotations = self.encoder(src)
        mean = annotations.mean(dim=1)
        hidden = self.initial_hidden(mean).tanh()
        cell = self.initial_cell(mean).tanh()
        return CaptionerState(hidden, cell, annotations, self.key(annotations), None)

    def look(self, state: CaptionerState) -> StepGaze:
        """Return alpha_t and z_t, given the state before the step (eq. 4 to 6)."""
        energies = (state.keys + self.query(state.hidden)[:, None]).tanh()
        # float32: training may run in lower precision.
        scores = self.energy(energies)[..., 0][:, None, None].float()  # (B, 1, 1, 196)
        values = state.annotations[:, None]
        weights = self.probe(scores.softmax(dim=-1), scores, None, values)[:, 0, 0]
        chosen = self.choose(weights, state.drawn)
        context = (chosen[:, None].to(state.annotations.dtype) @ state.annotations)[:, 0]
        context = self.context_value(context)
        return StepGaze(self.gate(state.hidden).sigmoid() * context, weights, chosen)

    def choose(self, weights: Tensor, drawn: Tensor | None) -> Tensor:
        """Return the weights of the annotations, (B, 196): alpha, a drawn cell, or uniform."""
        if self.config.attention == "soft":
            return weights
        if self.config.attention == "mean":
            return torch.full_like(weights, 1 / weights.shape[-1])
        if drawn is None:
            cells = weights.argmax(dim=-1)
        else:
            cells = torch.multinomial(weights.detach(), 1)[:, 0]
        one = F.one_hot(cells, weights.shape[-1]).to(weights.dtype)
        return one if drawn is None else torch.where(drawn, one, weights)

    def advance(self, state: CaptionerState, embedded: Tensor) -> tuple[Tensor, CaptionerState]:
        """Take one step; return the output and the new state."""
        output, state, _ = self.step_with_gaze(state, embedded)
        return output, state

    def step_with_gaze(
        self, state: CaptionerState, embedded: Tensor
    ) -> tuple[Tensor, CaptionerState, StepGaze]:
        """Take one step as `advance` does, and return its gaze as well."""
        n_rows = len(embedded)
        state = state._replace(
            hidden=state.hidden.expand(n_rows, -1), cell=state.cell.expand(n_rows, -1)
        )
        gaze = self.look(state)
        inputs = torch.cat((embedded, gaze.context.to(embedded.dtype)), dim=-1)
        hidden, cell = self.decoder(inputs, (state.hidden, state.cell))
        output = embedded + self.of_hidden(self.dropout(hidden)) + self.of_context(gaze.context)
        return self.dropout(output), state._replace(hidden=hidden, cell=cell), gaze

    def training_outputs(
        self, src: Tensor, tgt: Tensor, share: float = 0.5
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        """Teacher-force a batch and return what the training objectives need.

        Parameters
        ----------
        src : pictures, uint8 (B, 112, 112, 3)
        tgt : ids (B, T_tgt)
        share : float
            Share of the pictures for which hard attention samples a cell in training.

        Returns
        -------
        outputs : Tensor of shape (B, T_tgt, d_model), before the output layer
        weights, chosen : Tensors of shape (B, T_tgt, 196), as in `StepGaze`
        drawn : as in `CaptionerState`
        """
        state = self.start(src)
        outputs = []
        gazes = []
        drawn = None
        if self.training and self.config.attention == "hard":
            drawn = torch.rand(len(src), 1, device=src.device) < share
            state = state._replace(drawn=drawn)
        for embedded in self.embed(tgt).unbind(dim=1):
            output, state, gaze = self.step_with_gaze(state, embedded)
            outputs.append(output)
            gazes.append(gaze)
        weights = torch.stack([gaze.weights for gaze in gazes], dim=1)
        chosen = torch.stack([gaze.chosen for gaze in gazes], dim=1)
        return torch.stack(outputs, dim=1), weights, chosen, drawn


FAMILY = Family(
    name="captioner",
    config=CaptionerConfig,
    build=Captioner,
    capabilities=frozenset({"search", "teacher-forcing", "scores", "scene"}),
    reads=SCENE,
    vocabularies={"target": "vocab_size"},
    drawing=lambda config: Drawing(
        Lane(("scene",)),
        Lane(("embedding", "gaze", "recurrence", "softmax", "search")),
        joins=("gaze",),
    ),
    training="captions",
    paper=Paper(
        at=2015.5,
        sources="attention",
        attention="additive",
        equation=r"\hat{\mathbf{z}}_t = \sum_{i=1}^{L} \alpha_{ti}\, \mathbf{a}_i",
        shown_by="captions-soft",
    ),
)
