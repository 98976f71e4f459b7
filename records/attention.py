"""Weights of attention, what they were worked out from, and where they happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .tokens import TokenSequence

AttentionKind = Literal["encoder", "decoder", "cross"]
ATTENTION_KINDS: tuple[AttentionKind, ...] = ("encoder", "decoder", "cross")
ROW_SUM_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Every head of one kind of attention for one input.

    Attributes
    ----------
    kind : "encoder", "decoder" or "cross".
    weights : float32 array of shape (L, H, T_q, T_k) after the softmax; rows sum to one.
    query_tokens : the T_q tokens whose rows these are: the tokens *read* at each position.
    key_tokens : the T_k tokens that are looked at.
    output_tokens : the T_q tokens *produced* at each position; None for the encoder.
    scores : float32 array like `weights`: q.k / sqrt(d_k) before the mask, or None.
    mask : bool array of shape (T_q, T_k), True where a query may look, or None when every
        query may look at every key.
    head_masks : bool array like `weights` when an intervention masked cells of single heads, or
        None; then `mask` is True where any head may look.
    """

    kind: AttentionKind
    weights: np.ndarray
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...] | None = None
    scores: np.ndarray | None = None
    mask: np.ndarray | None = None
    head_masks: np.ndarray | None = None

    def __post_init__(self) -> None:
        if self.weights.ndim != 4:
            raise ValueError(
                f"{self.kind} weights must be (L, H, T_q, T_k), found {self.weights.shape}"
            )
        expected = (len(self.query_tokens), len(self.key_tokens))
        if self.weights.shape[2:] != expected:
            raise ValueError(
                f"{self.kind} weights are {self.weights.shape[2:]} but the tokens are {expected}"
            )
        if self.output_tokens is not None and len(self.output_tokens) != expected[0]:
            raise ValueError(
                f"{len(self.output_tokens)} output tokens for {expected[0]} query rows"
            )
        if self.mask is not None and self.mask.shape != expected:
            raise ValueError(f"mask is {self.mask.shape} but the tokens are {expected}")
        if self.head_masks is not None and self.head_masks.shape != self.weights.shape:
            raise ValueError(
                f"head_masks are {self.head_masks.shape} but the weights {self.weights.shape}"
            )

    @property
    def n_layers(self) -> int:
        return self.weights.shape[0]

    @property
    def n_heads(self) -> int:
        return self.weights.shape[1]

    def head(self, layer: int, head: int) -> np.ndarray:
        """The (T_q, T_k) weights of one head; layers and heads count from 0."""
        return self.weights[layer, head]

    def mask_of(self, layer: int, head: int) -> np.ndarray | None:
        """Where one head may look, (T_q, T_k), or None when everywhere."""
        return self.mask if self.head_masks is None else self.head_masks[layer, head]


@dataclass(frozen=True, eq=False)
class AttentionVectors:
    """What the heads of one kind of attention are worked out from, and what becomes of them.

    Attributes
    ----------
    kind : "encoder", "decoder" or "cross".
    queries : float32 array (L, H, T_q, d_k), after the projections of section 3.2.2.
    keys, values : float32 arrays (L, H, T_k, d_k).
    out_weight : float32 array (L, d_model, d_model), W_O as torch keeps it: output = W_O @ concat.
    out_bias : float32 array (L, d_model).
    """

    kind: AttentionKind
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    out_weight: np.ndarray
    out_bias: np.ndarray


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """All attention of one forward pass: source alone, or source and target."""

    src: TokenSequence
    tgt: TokenSequence | None
    maps: tuple[AttentionMap, ...]

    def of(self, kind: AttentionKind) -> AttentionMap:
        """The map of one kind.

        Raises
        ------
        KeyError : the run had no attention of that kind.
        """
        for attention in self.maps:
            if attention.kind == kind:
                return attention
        raise KeyError(f"no {kind!r} attention here; found {[m.kind for m in self.maps]}")

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        return tuple(attention.kind for attention in self.maps)

    @property
    def encoder(self) -> AttentionMap:
        return self.of("encoder")

    @property
    def decoder(self) -> AttentionMap:
        return self.of("decoder")

    @property
    def cross(self) -> AttentionMap:
        return self.of("cross")
