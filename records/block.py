"""What happens inside the blocks of a Transformer: sub-layers, states, gradients, units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from words import Message, named

STACKS = ("encoder", "decoder")
SUBLAYERS = ("self", "cross", "feed_forward")


@dataclass(frozen=True, order=True)
class SubLayer:
    """One sub-layer of a stack: its attention to itself, to the other stack, or feed-forward."""

    stack: str  # one of `STACKS`
    layer: int  # from 0
    name: str  # one of `SUBLAYERS`, or what another family calls a sub-layer of its own

    @property
    def code(self) -> str:
        """Short and in one word, from 1: ``encoder.1.self``."""
        return f"{self.stack}.{self.layer + 1}.{self.name}"


def sublayer_title(name: str) -> Message | str:
    """What a sub-layer is called, by its name."""
    return named(f"block-sublayer-{name}", name)


@dataclass(frozen=True, eq=False)
class Stream:
    """The vectors of every position of one stack on their way through its S sub-layers.

    Where the norm comes after the sum (post-norm, Vaswani et al. 2017), the block is
    ``after = norm(before + added)``; where it comes before the sub-layer (pre-norm, Xiong et al.
    2020), ``after = before + added`` and what is added was made from ``norm(before)``.
    """

    places: tuple[SubLayer, ...]  # the sub-layers in their order
    # before, added, after: float32 (S, T, d_model): what goes in, what the sub-layer makes, and
    # what goes on to the next
    before: np.ndarray
    added: np.ndarray
    after: np.ndarray
    gains: np.ndarray  # gains, biases: float32 (S, d_model), of the layer norms
    biases: np.ndarray
    eps: float  # added to the variance under the root
    pre_norm: bool  # the norm comes before the sub-layer
    has_residual: np.ndarray  # has_residual, has_norm: bool (S,); False where a change left it out
    has_norm: np.ndarray

    @property
    def sums(self) -> np.ndarray:
        """What goes on before any norm, (S, T, d_model)."""
        return self.before * self.has_residual[:, None, None] + self.added

    @property
    def norm_inputs(self) -> np.ndarray:
        """What the norms are given, (S, T, d_model)."""
        return self.before if self.pre_norm else self.sums


@dataclass(frozen=True, eq=False)
class Lens:
    """The states of a stack put through the output layer as if nothing came after them.

    R states: the input of the stack, then the output of each sub-layer.
    """

    places: tuple[SubLayer, ...]  # the R - 1 sub-layers
    # for each state and position the k likeliest tokens, R tuples of T tuples of k
    tokens: tuple[tuple[tuple[str, ...], ...], ...]
    probs: np.ndarray  # float32 (R, T, k), their probabilities, falling
    wanted_probs: np.ndarray  # float32 (R, T), of the tokens that were asked for
    wanted_ranks: np.ndarray  # int (R, T), from 1


@dataclass(frozen=True, eq=False)
class Gradients:
    """How much the loss of a pair changes with the output of every sub-layer, in four runs."""

    places: tuple[SubLayer, ...]  # the S sub-layers of the encoder, then of the decoder
    # float64 (4, S), the mean over positions of the Euclidean norm of the gradient; the runs in the
    # order of `RUNS`. NaN where it is too small to be told from rounding
    sizes: np.ndarray
    # float32 (4, S), the mean cosine between the outputs of any two positions; NaN for a sentence
    # of one
    alike: np.ndarray
    losses: np.ndarray  # float32 (4,), the mean of -log p over the tokens of the target
    pre_norm: bool = False  # the norm comes before the sub-layer

    RUNS: ClassVar[tuple[str, ...]] = ("plain", "residual", "norm", "both")
    """As it is, without residuals, without layer norms, without either."""


@dataclass(frozen=True, eq=False)
class Units:
    """How the hidden units of the feed-forward layers of one stack fire."""

    stack: str
    activations: np.ndarray  # float32 (L, T, d_ff), after the ReLU
    # float32 (L, d_ff), the Euclidean length of what a unit adds for each 1 it fires
    lengths: np.ndarray
