"""Sub-layers of the blocks of a Transformer, and the records of what passes through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from words import Message, named

STACKS = ("encoder", "decoder")
SUBLAYERS = ("self", "cross", "feed_forward")
"""Names of the Transformer's sub-layers, in their order."""


@dataclass(frozen=True, order=True)
class SubLayer:
    """One sub-layer of a stack: its attention to itself, to the other stack, or feed-forward."""

    stack: str  # one of `STACKS`
    layer: int  # from 0
    name: str  # one of `SUBLAYERS`, or what another family calls a sub-layer of its own

    @property
    def code(self) -> str:
        """Identifier without blanks, counted from 1: ``encoder.1.self``."""
        return f"{self.stack}.{self.layer + 1}.{self.name}"


def sublayer_title(name: str) -> Message | str:
    """Return the displayed name of a sub-layer."""
    return named(f"block-sublayer-{name}", name)


@dataclass(frozen=True, eq=False)
class Stream:
    """Vectors of every position of one stack on their way through its S sub-layers.

    In post-norm blocks (Vaswani et al. 2017) ``after = norm(before + added)``; in pre-norm blocks
    (Xiong et al. 2020) ``after = before + added``, and `added` was computed from ``norm(before)``.
    """

    places: tuple[SubLayer, ...]  # the sub-layers in their order
    # before, added, after: float32 (S, T, d_model): input and output of the sub-layer, and
    # the input of the next one
    before: np.ndarray
    added: np.ndarray
    after: np.ndarray
    gains: np.ndarray  # gains, biases: float32 (S, d_model), of the layer norms
    biases: np.ndarray
    eps: float  # added to the variance under the root
    pre_norm: bool  # the norm comes before the sub-layer
    # has_residual, has_norm: bool (S,); False where an intervention removed it
    has_residual: np.ndarray
    has_norm: np.ndarray
    rms: bool = False  # RMSNorm: divides by the root mean square, subtracts no mean

    @property
    def states(self) -> np.ndarray:
        """Residual stream: the input, then the state after each sub-layer, (S + 1, T, d_model)."""
        return np.concatenate((self.before[:1], self.after))

    @property
    def sums(self) -> np.ndarray:
        """Sums of residual and output before any norm, (S, T, d_model)."""
        return self.before * self.has_residual[:, None, None] + self.added

    @property
    def norm_inputs(self) -> np.ndarray:
        """Inputs of the layer norms, (S, T, d_model)."""
        return self.before if self.pre_norm else self.sums


@dataclass(frozen=True, eq=False)
class Lens:
    """Logit lens: the states of a stack put through the output layer.

    R states: the input of the stack, then the output of each sub-layer.
    """

    places: tuple[SubLayer, ...]  # the R - 1 sub-layers
    # for each state and position the k likeliest tokens, R tuples of T tuples of k
    tokens: tuple[tuple[tuple[str, ...], ...], ...]
    probs: np.ndarray  # float32 (R, T, k), their probabilities, falling
    wanted_probs: np.ndarray  # float32 (R, T), of the wanted tokens
    wanted_ranks: np.ndarray  # int (R, T), from 1


@dataclass(frozen=True, eq=False)
class Gradients:
    """Size of the loss gradient at the output of every sub-layer, in four runs."""

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
    """Unchanged, without residual connections, without layer norms, without either."""
