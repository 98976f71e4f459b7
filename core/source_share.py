"""Shares of source and prefix in each produced token: ALTI+ (Ferrando et al. 2022, section 3).

Shares of successive attentions are multiplied: through the layers of the encoder, and through those
of the decoder, where the source's share comes from cross-attention and the share of the prefix
passes by its residual. The mixing by feed-forward layers is ignored, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .contributions import Contributions
from .records.attention import AttentionRecord
from .records.tokens import distinct_labels, token_lines

TENTHS = 10
"""Parts of a text over which stored shares are averaged."""
WHOLE = 0.995  # shown as 100 %
SIDES = ("source", "prefix")


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of the source tokens and of the tokens read before, for every produced token.

    ``<s>`` is among the latter. Both sides of a row sum to one, or to less if in some attention no
    vector brings the output nearer: that part belongs to the biases.
    """

    source: np.ndarray  # float64 (T_tgt, T_src)
    prefix: np.ndarray  # float64 (T_tgt, T_tgt), 0 above the diagonal

    @property
    def of_source(self) -> np.ndarray:
        """Share of the whole source, (T_tgt,)."""
        return self.source.sum(axis=1)

    @property
    def total(self) -> np.ndarray:
        """Share of source and prefix together, (T_tgt,), at most one."""
        return self.of_source + self.prefix.sum(axis=1)


def source_and_prefix(contributions: Sequence[Contributions]) -> Shares:
    """Compute ALTI+ of an encoder and a decoder, whose three sites are identified by their sides.

    Raises
    ------
    ValueError : a site is missing, or its queries have no residual.
    """
    by_sides = {(of_map.site.query, of_map.site.key): of_map for of_map in contributions}
    sides = ("source", "source"), ("target", "target"), ("target", "source")
    if not all(pair in by_sides and by_sides[pair].inputs is not None for pair in sides):
        raise ValueError(f"expected residual attention at {sides}, found {sorted(by_sides)}")
    encoder, decoder, cross = (by_sides[pair].shares.astype(np.float64) for pair in sides)
    # Before the first layer a position consists of its own token alone.
    memory = np.eye(encoder.shape[-1])
    for layer in encoder:
        memory = layer @ memory
    # Likewise a position of the target: of the token read there, and of no source.
    source = np.zeros((len(cross[0]), len(memory)))
    prefix = np.eye(len(cross[0]))
    for looked, read in zip(decoder, cross, strict=True):
        kept = read[:, -1:]  # the residual's column
        # Through the residual a position takes what self-attention read from earlier positions, and
        # with it the source's share in them.
        source = read[:, :-1] @ memory + kept * (looked @ source)
        prefix = kept * (looked @ prefix)
    return Shares(source, prefix)


def tenths_of(n: int) -> np.ndarray:
    """Return the tenth of its text that each of `n` tokens lies in, from 0."""
    return np.arange(n) * TENTHS // n


def share_lines(
    tokens: Sequence[str],
    read: Sequence[str],
    shares: Shares,
    tenths: Sequence[Mapping[str, float]] = (),
) -> pd.DataFrame:
    """Return one row a produced token: place, label, token, and the shares source and prefix.

    `part` is the largest share of a single source token, and `from` its label. `read` are the
    source tokens. With the stored `tenths`, also mean, low and high of the tenth that the token
    lies in.
    """
    labels = distinct_labels(read)
    lines = token_lines(tokens).assign(
        source=shares.of_source,
        prefix=shares.prefix.sum(axis=1),
        part=shares.source.max(axis=1),
        **{"from": [labels[at] for at in shares.source.argmax(axis=1)]},
    )
    if not tenths:
        return lines
    # Stored means are over texts of all lengths, which only a relative position compares.
    here = [tenths[index] for index in tenths_of(len(lines))]
    return lines.assign(
        mean=[tenth["value"] for tenth in here],
        low=[tenth["low"] for tenth in here],
        high=[tenth["high"] for tenth in here],
    )


def share_cells(record: AttentionRecord, shares: Shares) -> pd.DataFrame:
    """Return one row a share: side, q and k (positions), share, and the labels query and key.

    Prefix cells of tokens that were not read yet are left out.

    Raises
    ------
    ValueError : the record has no target.
    """
    tgt = record.tgt
    read = record.target_read
    if tgt is None or read is None:
        raise ValueError("expected a record with a target")
    produced = distinct_labels(tgt.tokens)
    tokens = distinct_labels(read)
    parts = []
    for side, keys, values in zip(
        SIDES,
        (distinct_labels(record.src.tokens), tokens),
        (shares.source, shares.prefix),
        strict=True,
    ):
        # By position, not by value: a share of exactly 0 gets its cell, too.
        q, k = np.nonzero(np.ones_like(values) if side == "source" else np.tri(len(values)))
        labels = {"query": [produced[i] for i in q], "key": [keys[i] for i in k]}
        parts.append(pd.DataFrame({"side": side, "q": q, "k": k, "share": values[q, k], **labels}))
    return pd.concat(parts, ignore_index=True)


def share_facts(tokens: Sequence[str], shares: Shares) -> dict[str, float | int | str]:
    """Return the tokens with the largest and smallest share of the source, and mean shares.

    `whole` is True if source and prefix together account for every token.
    """
    of_source = shares.of_source
    labels = distinct_labels(tokens)
    most = int(of_source.argmax())
    least = int(of_source.argmin())
    return {
        "mean": float(of_source.mean()),
        "prefix": float((shares.total - of_source).mean()),
        "whole": bool((shares.total > WHOLE).all()),
        "most": float(of_source[most]),
        "least": float(of_source[least]),
        "most_token": labels[most],
        "least_token": labels[least],
    }


def token_facts(
    tokens: Sequence[str], read: Sequence[str], shares: Shares, at: int
) -> dict[str, float | str]:
    """Return the share of the source in the produced token `at`, and what brings most of it.

    `tokens` are the produced tokens, `read` those of the source.
    """
    of_source = shares.source[at]
    largest = int(of_source.argmax())
    return {
        "token": distinct_labels(tokens)[at],
        "share": float(shares.of_source[at]),
        "source": distinct_labels(read)[largest],
        "part": float(of_source[largest]),
    }


def agreement_facts(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored rank correlations of ALTI+ and of the mean weight with leave-one-out.

    `truer` is True if the interval of ALTI+ lies above the other's.
    """
    alti, weights = (stored["agreement"][name] for name in ("alti", "weights"))
    facts = {f"alti_{name}": value for name, value in alti.items()}
    facts |= {f"weights_{name}": value for name, value in weights.items()}
    return {
        **facts,
        "n": stored["hidden_sentences"],
        "truer": alti["low"] > weights["high"],
    }
