"""Attention maps, the vectors they are computed from, and the sites where attention happens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from .sources import Source, TokenSequence

ROW_SUM_TOLERANCE = 1e-3
"""Largest accepted distance of a row sum from one, for captured and for hand-typed rows."""
Head = tuple[str, int, int]
"""Name of a site, layer and head."""
Measure = Literal["weight", "length", "normed", "zeroing"]
"""Quantity that a map holds.

"weight" is the attention weight. The others are shares of a row: "length" of the lengths of the
added vectors, head by head; "normed" the same for all heads of a layer together, after residual and
norm; "zeroing" of how far the output of a layer turns when the value of a key is zeroed.
"""
MEASURES: tuple[Measure, ...] = ("weight", "length", "normed")
"""Measures of every site; value zeroing is measured in the encoder alone."""
OF_LAYERS: tuple[Measure, ...] = ("normed", "zeroing")
"""Measures of all heads of a layer together: their maps have one head."""
HEAD = ["kind", "layer", "head"]
"""Columns that identify a head in a table."""


@dataclass(frozen=True)
class AttentionSite:
    """Place in a model where attention happens, over all its layers and heads."""

    name: str  # name in code, addresses and messages (``site-<name>`` in the message files)
    # The side whose positions look: "source", "target", or a family's own, such as "sentences".
    query: str
    key: str  # the side whose positions are looked at
    causal: bool = False  # True if a query attends only to keys up to its own position
    n_layers: int = 1
    n_heads: int = 1  # also for an attention without heads
    # True if rows sum to one by design; a Gaussian window (Luong et al. 2015, section 3.2) makes
    # them sum to less
    normalised: bool = True
    # rows and columns of keys that form a grid (patches of an image), in row-major order
    grid: tuple[int, int] | None = None
    window: int | None = None  # keys on either side of its centre that a query may attend to
    # True if the probe also receives the value vectors that these weights sum
    has_values: bool = field(default=False, compare=False)

    @property
    def is_self(self) -> bool:
        """True if queries and keys are positions of one side."""
        return self.query == self.key


ENCODER = AttentionSite("encoder", "source", "source")
DECODER = AttentionSite("decoder", "target", "target", causal=True)
CROSS = AttentionSite("cross", "target", "source")
TRANSFORMER_SITES = {site.name: site for site in (ENCODER, DECODER, CROSS)}
"""Sites of Vaswani et al. 2017 by name, before layers and heads are counted."""


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Attention weights of every head of one site for one input.

    Raises ValueError at construction if shapes of weights, tokens and masks do not agree.
    """

    site: AttentionSite  # where the attention happens
    # float32 (L, H, T_q, T_k) as the model used them; rows sum to one where the site is
    # `normalised`
    weights: np.ndarray
    # the T_q tokens *read* at each position
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]  # the T_k tokens attended to
    # the T_q tokens *produced* at each position; None for a side that produces none
    output_tokens: tuple[str, ...] | None = None
    # float32 array like `weights`: q.k / sqrt(d_k) before the mask, or None
    scores: np.ndarray | None = None
    # bool (T_q, T_k), True where a query may attend; None if it may attend everywhere
    mask: np.ndarray | None = None
    # bool array like `weights` when an intervention masked cells of single heads, or None; then
    # `mask` is True where any head may attend
    head_masks: np.ndarray | None = None
    # index among several maps of the site, from 0, for example of a sentence in a document
    item: int = 0
    measure: Measure = "weight"  # quantity in `weights`

    def __post_init__(self) -> None:
        if self.weights.ndim != 4:
            raise ValueError(
                f"{self.site_id} weights must be (L, H, T_q, T_k), found {self.weights.shape}"
            )
        expected = (len(self.query_tokens), len(self.key_tokens))
        if self.weights.shape[2:] != expected:
            raise ValueError(
                f"{self.site_id} weights are {self.weights.shape[2:]} but the tokens are {expected}"
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
    def site_id(self) -> str:
        """Name of the site."""
        return self.site.name

    @property
    def n_layers(self) -> int:
        return self.weights.shape[0]

    @property
    def n_heads(self) -> int:
        return self.weights.shape[1]

    @property
    def row_tokens(self) -> tuple[str, ...]:
        """Row labels: output tokens for cross-attention, input tokens for self-attention."""
        named = None if self.site.is_self else self.output_tokens
        return named or self.query_tokens

    def head(self, layer: int, head: int) -> np.ndarray:
        """Return the (T_q, T_k) weights of one head; layers and heads count from 0."""
        return self.weights[layer, head]

    @property
    def allowed(self) -> np.ndarray:
        """Mask of shape (T_q, T_k), True where a query may attend; all True if `mask` is None."""
        return np.ones(self.weights.shape[2:], bool) if self.mask is None else self.mask

    def mask_of(self, layer: int, head: int) -> np.ndarray:
        """Return the mask of one head, bool (T_q, T_k), True where a query may attend."""
        return self.allowed if self.head_masks is None else self.head_masks[layer, head]


@dataclass(frozen=True, eq=False)
class AttentionVectors:
    """Queries, keys and values of the heads of one site, and its output projection."""

    site_id: str
    queries: np.ndarray  # float32 (L, H, T_q, d_k), after the projections of section 3.2.2
    keys: np.ndarray  # keys, values: float32 (L, H, T_k, d_k)
    values: np.ndarray
    # float32 (L, d_model, H d_k), W_O as torch keeps it: output = W_O @ concat
    out_weight: np.ndarray
    out_bias: np.ndarray  # float32 (L, d_model)
    # float32 (H, T_q, T_k), relative position bias added to the scores; None if there
    # is none
    relative: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """Attention of one forward pass: source alone, or source and target.

    `maps` come in the order of the model's sites; a site may have several, told apart by `item`.
    """

    src: Source
    tgt: TokenSequence | None
    maps: tuple[AttentionMap, ...]

    def of(self, site: str, item: int = 0) -> AttentionMap:
        """Return a map of the site of that name.

        Raises
        ------
        KeyError : the run had no attention there, or not so many maps of it.
        """
        for attention in self.maps:
            if (attention.site_id, attention.item) == (site, item):
                return attention
        maps = [(attention.site_id, attention.item) for attention in self.maps]
        raise KeyError(f"no {site!r} attention with item {item} here; found {maps}")

    @property
    def sites(self) -> tuple[AttentionSite, ...]:
        """Sites with attention, each once."""
        return tuple({attention.site_id: attention.site for attention in self.maps}.values())

    @property
    def site_ids(self) -> tuple[str, ...]:
        """Names of `sites`."""
        return tuple(site.name for site in self.sites)

    @property
    def target_read(self) -> tuple[str, ...] | None:
        """Tokens read at each position of the target; None if no query comes from the target."""
        return next((m.query_tokens for m in self.maps if m.site.query == "target"), None)

    def between(self, query: str, key: str) -> str | None:
        """Return the name of the first site from side `query` to side `key`, or None."""
        return next((s.name for s in self.sites if (s.query, s.key) == (query, key)), None)

    @property
    def across(self) -> AttentionMap | None:
        """First map from the target to the source, or None."""
        name = self.between("target", "source")
        return None if name is None else self.of(name)

    @property
    def causal(self) -> AttentionMap | None:
        """First map whose queries may not attend to later positions, or None."""
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
