"""Source or target? What each produced token is owed to: ALTI+ (Ferrando et al. 2022, section 3).

The shares of one attention after another are multiplied: through the layers of the encoder, and
through those of the decoder, where a share of the source is that of cross-attention and a share of
what was written before passes by its residual. What feed-forward layers mix is left out, as there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .attention import AttentionRecord
from .contributions import Contributions
from .tokens import distinct_labels, token_lines

TENTHS = 10
WHOLE = 0.995  # shown as 100 %
SIDES = ("source", "prefix")


@dataclass(frozen=True, eq=False)
class Shares:
    """Of every produced token the shares of the source tokens and of those that were read before
    it, ``<s>`` among them. Both sides of a row sum to one, or to less where in some attention no
    vector brings the output nearer: that belongs to the biases."""

    source: np.ndarray  # float64 (T_tgt, T_src)
    prefix: np.ndarray  # float64 (T_tgt, T_tgt), 0 above the diagonal

    @property
    def of_source(self) -> np.ndarray:
        """The share of the whole source, (T_tgt,)."""
        return self.source.sum(axis=1)

    @property
    def total(self) -> np.ndarray:
        """The share of source and prefix together, (T_tgt,), at most one."""
        return self.of_source + self.prefix.sum(axis=1)


def source_and_prefix(found: Sequence[Contributions]) -> Shares:
    """ALTI+ of an encoder and a decoder, whose three sites are known by their sides.

    Raises ValueError: a site is missing, or its queries have no residual.
    """
    by_sides = {(each.site.query, each.site.key): each for each in found}
    sides = ("source", "source"), ("target", "target"), ("target", "source")
    if not all(pair in by_sides and by_sides[pair].inputs is not None for pair in sides):
        raise ValueError(f"expected residual attention at {sides}, found {sorted(by_sides)}")
    encoder, decoder, cross = (by_sides[pair].shares.astype(np.float64) for pair in sides)
    memory = np.eye(encoder.shape[-1])
    for layer in encoder:
        memory = layer @ memory
    source, prefix = np.zeros((len(cross[0]), len(memory))), np.eye(len(cross[0]))
    for looked, read in zip(decoder, cross, strict=True):
        kept = read[:, -1:]  # of the residual
        source = read[:, :-1] @ memory + kept * (looked @ source)
        prefix = kept * (looked @ prefix)
    return Shares(source, prefix)


def tenths_of(n: int) -> np.ndarray:
    """The tenth of its text that each of `n` tokens lies in, from 0."""
    return np.arange(n) * TENTHS // n


def share_lines(
    tokens: Sequence[str], shares: Shares, tenths: Sequence[Mapping[str, float]] = ()
) -> pd.DataFrame:
    """One line a produced token: place, label, token, source and prefix, the shares; with the
    stored `tenths`, mean, low and high of the tenth that it lies in."""
    lines = token_lines(tokens)
    lines = lines.assign(source=shares.of_source, prefix=shares.prefix.sum(axis=1))
    if not tenths:
        return lines
    here = [tenths[tenth] for tenth in tenths_of(len(lines))]
    names = {"mean": "value", "low": "low", "high": "high"}
    return lines.assign(**{name: [each[of] for each in here] for name, of in names.items()})


def share_cells(record: AttentionRecord, shares: Shares) -> pd.DataFrame:
    """A row for each share: side, q and k (places), share, and the labels query and key.

    What no token was there to be read for is left out.
    """
    tgt, read = record.tgt, record.target_read
    if tgt is None or read is None:
        raise ValueError("expected a record with a target")
    produced, tokens = distinct_labels(tgt.tokens), distinct_labels(read)
    parts = []
    for side, keys, values in zip(
        SIDES,
        (distinct_labels(record.src.tokens), tokens),
        (shares.source, shares.prefix),
        strict=True,
    ):
        q, k = np.nonzero(np.ones_like(values) if side == "source" else np.tri(len(values)))
        labels = {"query": [produced[i] for i in q], "key": [keys[i] for i in k]}
        parts.append(pd.DataFrame({"side": side, "q": q, "k": k, "share": values[q, k], **labels}))
    return pd.concat(parts, ignore_index=True)


def share_facts(tokens: Sequence[str], shares: Shares) -> dict[str, float | int | str]:
    """Where the source counts for most and for least, its mean and that of the prefix, and whether
    both are the `whole`."""
    of_source, labels = shares.of_source, distinct_labels(tokens)
    most, least = int(of_source.argmax()), int(of_source.argmin())
    return {
        "mean": float(of_source.mean()),
        "prefix": float((shares.total - of_source).mean()),
        "whole": bool((shares.total > WHOLE).all()),
        "most": float(of_source[most]),
        "least": float(of_source[least]),
        "most_token": labels[most],
        "least_token": labels[least],
    }


def agreement_facts(stored: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored of rank correlations with hiding: of ALTI+ and of the mean weight, and whether
    ALTI+ lies above, its interval beyond the other's."""
    alti, weights = (stored["agreement"][name] for name in ("alti", "weights"))
    told = {f"alti_{name}": value for name, value in alti.items()}
    told |= {f"weights_{name}": value for name, value in weights.items()}
    return {
        **told,
        "n": stored["hidden_sentences"],
        "truer": alti["low"] > weights["high"],
    }
