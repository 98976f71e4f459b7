"""Weights of attention, what they were worked out from, and where they happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from .sources import Source
from .tokens import TokenSequence

ROW_SUM_TOLERANCE = 1e-3
Head = tuple[str, int, int]
"""A site's name, a layer and a head."""
Measure = Literal["weight", "length", "normed", "zeroing"]
"""What the numbers of a map are: weights, or shares of its rows in how long the vectors are that
are added, head by head, or all heads of a layer together after residual and norm; or shares in how
far the output of a layer turns when a key has no value."""
MEASURES: tuple[Measure, ...] = ("weight", "length", "normed")
"""Measures of every site; value zeroing is measured in the encoder alone."""
OF_LAYERS: tuple[Measure, ...] = ("normed", "zeroing")
"""Measures of all heads of a layer together: their maps have one head."""
HEAD = ["kind", "layer", "head"]
"""The columns that name one."""


@dataclass(frozen=True)
class AttentionSite:
    """A place in a model where attention happens, over all its layers and heads."""

    name: str  # how code, addresses and messages call it (``site-<name>`` in the message files)
    # query, key: the sides whose positions look and are looked at: "source", "target", or a
    # family's own, such as "sentences" or "image"
    query: str
    key: str
    causal: bool = False  # whether a query may look only at keys up to its own position
    n_layers: int = 1  # n_layers, n_heads: an attention without heads has one
    n_heads: int = 1
    # whether rows sum to one by design; a Gaussian window (Luong et al. 2015, section 3.2) makes
    # them sum to less
    normalised: bool = True
    # rows and columns of the keys where they lie on a grid, read row by row
    grid: tuple[int, int] | None = None
    window: int | None = None  # how many keys on either side of its centre a query may look at
    # whether its probe is given the values, of which what is added is the sum by these weights
    has_values: bool = field(default=False, compare=False)

    @property
    def is_self(self) -> bool:
        """Queries and keys are positions of one side."""
        return self.query == self.key


ENCODER = AttentionSite("encoder", "source", "source")
DECODER = AttentionSite("decoder", "target", "target", causal=True)
CROSS = AttentionSite("cross", "target", "source")
TRANSFORMER_SITES = {site.name: site for site in (ENCODER, DECODER, CROSS)}
"""The sites of Vaswani et al. 2017, by name, before layers and heads are counted."""


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Every head of one site for one input."""

    site: AttentionSite  # where it happened
    # float32 (L, H, T_q, T_k) as the model used them; rows sum to one where the site is
    # `normalised`
    weights: np.ndarray
    # the T_q tokens whose rows these are: the tokens *read* at each position
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]  # the T_k tokens that are looked at
    # the T_q tokens *produced* at each position; None where none are
    output_tokens: tuple[str, ...] | None = None
    # float32 array like `weights`: q.k / sqrt(d_k) before the mask, or None
    scores: np.ndarray | None = None
    # bool (T_q, T_k), True where a query may look, or None when every query may look at every key
    mask: np.ndarray | None = None
    # bool array like `weights` when an intervention masked cells of single heads, or None; then
    # `mask` is True where any head may look
    head_masks: np.ndarray | None = None
    # which of several maps of the site this is, from 0: a sentence of a document, say
    item: int = 0
    measure: Measure = "weight"  # what `weights` are

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
    def kind(self) -> str:
        """The name of the site."""
        return self.site.name

    @property
    def n_layers(self) -> int:
        return self.weights.shape[0]

    @property
    def n_heads(self) -> int:
        return self.weights.shape[1]

    def head(self, layer: int, head: int) -> np.ndarray:
        """The (T_q, T_k) weights of one head; layers and heads count from 0."""
        return self.weights[layer, head]

    @property
    def allowed(self) -> np.ndarray:
        """`mask`, True everywhere where there is none."""
        return np.ones(self.weights.shape[2:], bool) if self.mask is None else self.mask

    def mask_of(self, layer: int, head: int) -> np.ndarray:
        """Where one head may look, bool (T_q, T_k)."""
        return self.allowed if self.head_masks is None else self.head_masks[layer, head]


@dataclass(frozen=True, eq=False)
class AttentionVectors:
    """What the heads of one site are worked out from, and what becomes of them."""

    kind: str  # the name of the site
    queries: np.ndarray  # float32 (L, H, T_q, d_k), after the projections of section 3.2.2
    keys: np.ndarray  # keys, values: float32 (L, H, T_k, d_k)
    values: np.ndarray
    # float32 (L, d_model, H d_k), W_O as torch keeps it: output = W_O @ concat
    out_weight: np.ndarray
    out_bias: np.ndarray  # float32 (L, d_model)
    # float32 (H, T_q, T_k), what the distance of query and key adds to the scores; None where
    # nothing is
    relative: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """All attention of one forward pass: source alone, or source and target.

    `maps` come in the order of the model's sites; a site may have several, told apart by `item`.
    """

    src: Source
    tgt: TokenSequence | None
    maps: tuple[AttentionMap, ...]

    def of(self, site: str, item: int = 0) -> AttentionMap:
        """A map of the site of that name.

        Raises KeyError: the run had no attention there, or not so many maps of it.
        """
        for attention in self.maps:
            if (attention.kind, attention.item) == (site, item):
                return attention
        maps = [(attention.kind, attention.item) for attention in self.maps]
        raise KeyError(f"no {site!r} attention with item {item} here; found {maps}")

    @property
    def sites(self) -> tuple[AttentionSite, ...]:
        """Where attention happened, each site once."""
        return tuple({attention.kind: attention.site for attention in self.maps}.values())

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of `sites`."""
        return tuple(site.name for site in self.sites)

    @property
    def target_read(self) -> tuple[str, ...] | None:
        """What is read at each position of the target; None where nothing is asked from there."""
        return next((m.query_tokens for m in self.maps if m.site.query == "target"), None)

    def between(self, query: str, key: str) -> str | None:
        """The first site where one side looks at another."""
        return next((s.name for s in self.sites if (s.query, s.key) == (query, key)), None)

    @property
    def across(self) -> AttentionMap | None:
        """The first map where the target looks at the source."""
        name = self.between("target", "source")
        return None if name is None else self.of(name)

    @property
    def causal(self) -> AttentionMap | None:
        """The first map whose queries may not look at later positions."""
        return next((attention for attention in self.maps if attention.site.causal), None)

    @property
    def encoder(self) -> AttentionMap:
        return self.of("encoder")

    @property
    def decoder(self) -> AttentionMap:
        return self.of("decoder")

    @property
    def cross(self) -> AttentionMap:
        return self.of("cross")
