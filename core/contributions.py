"""Contributions of attention: the vectors it adds up, and their lengths.

A weight says how much of a vector is taken, not how long the vector is. A query gets from a key
``a f(x)``, the weight times the key's value after the output projection (Kobayashi et al. 2020,
eq. 4); with the residual connection and the linear part of the norm this decomposes the sub-layer's
output by key (Kobayashi et al. 2021, eq. 8 to 12).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .block import spread
from .records.attention import AttentionMap, AttentionRecord, AttentionSite, Measure


@dataclass(frozen=True, eq=False)
class Contributions:
    """Vectors that the heads of one map add to their queries, all of one forward pass.

    A family whose attention ends in a context alone has neither residual nor norm: `inputs`, `gain`
    and `shift` are None. In pre-norm models only `inputs` is set.
    """

    site: AttentionSite
    weights: np.ndarray  # float32 (L, H, T_q, T_k), as the model used them
    vectors: np.ndarray  # float32 (L, H, T_k, d): W_O^h v_j, including the bias of the values
    out_bias: np.ndarray  # float32 (L, d), the bias of W_O, which belongs to no key
    outputs: np.ndarray  # float32 (L, T_q, d): sub-layer outputs, after residual and norm
    inputs: np.ndarray | None = None  # float32 (L, T_q, d), the residual stream at the queries
    gain: np.ndarray | None = None  # gain, shift: float32 (L, d), of the norm after the residual
    shift: np.ndarray | None = None
    eps: float = 0.0  # of that norm
    rms: bool = False  # RMSNorm: divides by the root mean square, subtracts no mean
    item: int = 0  # index among several maps of the site, as in `AttentionMap`

    @property
    def site_id(self) -> str:
        """Name of the site."""
        return self.site.name

    @property
    def norms(self) -> np.ndarray:
        """Lengths ||a f(x)|| of every head, float32 (L, H, T_q, T_k)."""
        return self.weights * np.linalg.norm(self.vectors, axis=-1)[:, :, None]

    @property
    def summed_norms(self) -> np.ndarray:
        """Lengths ||sum_h a f(x)||, the heads of a layer together: float32 (L, T_q, T_k)."""
        return self._of_layers(lambda layer: np.linalg.norm(self._summed(layer), axis=-1))

    @property
    def normed_norms(self) -> np.ndarray:
        """Lengths after residual and norm (see `parts`), float32 (L, T_q, T_k)."""
        return self._of_layers(self._lengths)[..., : self.weights.shape[-1]]

    @property
    def shares(self) -> np.ndarray:
        """Shares of the output by proximity, ``max(0, ||y||_1 - ||y - T||_1)``; rows sum to one.

        Ferrando et al. 2022, eq. 8 and 9. float32 (L, T_q, T_k); if `parts` have a residual column,
        it comes after the keys.
        """
        return self._of_layers(self._shares)

    @property
    def error(self) -> float:
        """Largest distance of the summed parts from `outputs`, as share of the output's length."""
        distances = []
        for layer, output in enumerate(self.outputs):
            total = self.parts(layer).sum(1, np.float64) + self._rest(layer)
            length = np.maximum(np.linalg.norm(output, axis=-1), np.finfo(np.float32).tiny)
            distances.append(np.linalg.norm(total - output, axis=-1) / length)
        return float(np.max(distances))

    def parts(self, layer: int) -> np.ndarray:
        """Return the part of the output that is due to each key, float32 (T_q, T_k, d).

        ``sum_h a f(x)`` plus the query's own residual, both through the linear part of the norm,
        ``(x - mean(x)) gain / sigma`` with the sigma of the whole. In cross-attention the residual
        belongs to no key and is one more column: (T_q, T_k + 1, d).
        """
        parts = self._summed(layer)
        if self.inputs is None:
            return parts
        residual = self.inputs[layer]
        if self.site.is_self:
            diagonal = np.arange(len(residual))
            # In self-attention the residual belongs to the key that is the query itself.
            parts[diagonal, diagonal] += residual
        else:
            parts = np.concatenate([parts, residual[:, None]], axis=1)
        return self._normed(layer, parts)

    def shown(self, attention: AttentionMap, measure: Measure) -> AttentionMap:
        """Return the map with shares of vector lengths in the place of its weights.

        Shares are of all that is added to the query, including its residual if `measure` is
        "normed".
        """
        site = replace(self.site, normalised=True)
        # Lengths of single heads ignore the residual, so the cells are those of the map.
        if measure == "length":
            weights = _row_shares(self.norms)
            return replace(attention, weights=weights, site=site, measure=measure, scores=None)
        shares = _row_shares(self._of_layers(self._lengths))[:, None, :, : self.weights.shape[-1]]
        mask = attention.mask
        if mask is not None and site.is_self and self.inputs is not None:
            # The residual counts even if the token may not attend to itself.
            mask = mask | np.eye(len(mask), dtype=bool)
        normalised = site.is_self or self.inputs is None
        site = replace(site, n_heads=1, normalised=normalised)
        return replace(
            attention,
            weights=shares,
            site=site,
            mask=mask,
            head_masks=None,
            measure=measure,
            scores=None,
        )

    def _lengths(self, layer: int) -> np.ndarray:
        return np.linalg.norm(self.parts(layer), axis=-1)

    def _of_layers(self, numbers: Callable[[int], np.ndarray]) -> np.ndarray:
        return np.stack([numbers(layer) for layer in range(len(self.weights))])

    def _summed(self, layer: int) -> np.ndarray:
        """Sum a f(x) over the heads, float32 (T_q, T_k, d)."""
        # One product a key sums over the heads; an array (H, T_q, T_k, d) is never made.
        by_key = self.weights[layer].transpose(2, 1, 0) @ self.vectors[layer].transpose(1, 0, 2)
        return by_key.transpose(1, 0, 2)

    def _normed(self, layer: int, x: np.ndarray) -> np.ndarray:
        """Apply the linear part of the norm to x (T_q, N, d)."""
        if self.gain is None or self.inputs is None:
            return x
        # Cast both: NumPy multiplies mixed types without BLAS.
        whole = (
            self.weights[layer].astype(np.float64) @ self.vectors[layer].astype(np.float64)
        ).sum(0)
        variance = spread(whole + self.out_bias[layer] + self.inputs[layer], -1, rms=self.rms)
        sigma = np.sqrt(variance + self.eps).astype(np.float32)[:, None]
        centred = x.copy() if self.rms else x - x.mean(-1, keepdims=True)
        scale = self.gain[layer] / sigma
        return np.multiply(centred, scale, out=centred if len(x) == len(scale) else None)

    def _rest(self, layer: int) -> np.ndarray:
        """Return the part of the output that belongs to no key or residual, (T_q, d) or (1, d)."""
        # The bias passes the norm like every part; the shift comes after it.
        rest = self._normed(layer, self.out_bias[layer][None, None])[:, 0]
        return rest if self.shift is None else rest + self.shift[layer]

    def _shares(self, layer: int) -> np.ndarray:
        output = self.outputs[layer][:, None]
        apart = self.parts(layer)  # a fresh array, so it can be overwritten in place
        np.abs(np.subtract(output, apart, out=apart), out=apart)
        nearer = np.abs(output).sum(-1) - apart.sum(-1)
        return _row_shares(nearer.clip(min=0.0))


def measured(
    record: AttentionRecord, contributions: Sequence[Contributions], measure: Measure
) -> AttentionRecord:
    """Return `record` with lengths of vectors as its weights (see `Contributions.shown`)."""
    maps = [
        of_map.shown(attention, measure)
        for attention, of_map in zip(record.maps, contributions, strict=True)
    ]
    return replace(record, maps=tuple(maps))


def _row_shares(lengths: np.ndarray) -> np.ndarray:
    """Divide rows by their sums; rows of zeros stay zeros."""
    return lengths / np.maximum(lengths.sum(-1, keepdims=True), np.finfo(np.float32).tiny)
