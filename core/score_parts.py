"""Decomposition of a head's scores: queries and keys are sums of parts, so a score is one, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from words import Message

from .block import spread
from .records.sublayers import Stream, SubLayer
from .weights.measures import row_shares
from .weights.tables import array_table, matrix_cells

# Parts beside the outputs of sub-layers.
CONTENT = "content"
POSITION = "position"
BIASES = "biases"
Part = SubLayer | str
MOST_PAIRS = 9
"""Pairs that a table of one score lists at most."""


@dataclass(frozen=True, eq=False)
class ScoreSplit:
    """Queries and keys of one self-attention of the encoder as sums of P parts.

    A score is q_i . k_j / sqrt(d_k); with q and k sums, it is a sum over pairs of parts.
    """

    layer: int
    parts: tuple[Part, ...]
    queries: np.ndarray  # queries, keys: float64 (P, H, T, d_k)
    keys: np.ndarray
    scores: np.ndarray  # float32 (H, T, T), as the model computed them
    # float64 (H, T, T), relative position bias of the scores; it counts as the pair
    # of position and position. None if positions are added to the embeddings
    bias: np.ndarray | None = None

    def of(self, head: int) -> np.ndarray:
        """Return the score of each pair of query part and key part: float64 (P, P, T_q, T_k)."""
        d_k = self.queries.shape[-1]
        pairs = np.einsum("aid,bjd->abij", self.queries[:, head], self.keys[:, head], optimize=True)
        pairs /= np.sqrt(d_k)
        if self.bias is not None:
            at = self.parts.index(POSITION)
            pairs[at, at] += self.bias[head]
        return pairs

    def error(self, head: int) -> float:
        """Return the largest distance of the sum of all parts from the score of the model."""
        return float(np.abs(self.of(head).sum((0, 1)) - self.scores[head]).max())

    @property
    def segments(self) -> list[Message]:
        """Titles of `shares`: the pairs of parts if there are two parts, else the parts of keys."""
        titles = list(map(part_title, self.parts))
        if len(titles) > 2:
            return titles
        return [pair_title(query, key) for query in titles for key in titles]

    def shares(self) -> np.ndarray:
        """Return the share of each segment in the variance of each head's scores, (H, S).

        Variance about the mean of a row; a share is the covariance of the part with the score, so
        that all sum to one. It is below 0 if a part works against the others.
        """
        every = []
        for head in range(self.queries.shape[1]):
            parts = centred(self.of(head))
            covariances = (parts * parts.sum((0, 1))).mean((2, 3))
            every.append(covariances.ravel() if len(parts) == 2 else covariances.sum(0))
        return row_shares(np.stack(every))


def part_title(part: Part) -> Message:
    """Return the displayed name of a part."""
    if isinstance(part, SubLayer):
        return Message.of("why-part", layer=part.layer + 1, name=part.name)
    return Message(f"why-part-{part}")


def pair_title(query: Message, key: Message) -> Message:
    """Return the displayed name of a pair of parts."""
    return Message.of("why-pair", query=query, key=key)


def norm_parts(stream: Stream, at: int, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Apply a layer norm to parts of its input, (T, d) each; the last part takes its shift.

    With the sigma of their sum the norm is linear: g (v - mean v) / sigma.
    """
    inputs = stream.norm_inputs[at].astype(np.float64)
    return through_norm(
        parts, inputs, stream.gains[at], stream.biases[at], stream.eps, rms=stream.rms
    )


def through_norm(
    parts: Sequence[np.ndarray],
    inputs: np.ndarray,
    gain: np.ndarray,
    bias: np.ndarray,
    eps: float,
    *,
    rms: bool,
) -> list[np.ndarray]:
    """Apply any norm to parts of its `inputs`, (T, d), as `norm_parts` does."""
    scale = gain / np.sqrt(spread(inputs, -1, rms=rms) + eps)
    scaled = [scale * (part if rms else part - part.mean(-1, keepdims=True)) for part in parts]
    # The shift comes from no part of the input; the last part takes it.
    return [*scaled[:-1], scaled[-1] + bias]


def centred(scores: np.ndarray) -> np.ndarray:
    """Subtract from scores (..., T_k) the mean of their row, which a softmax ignores."""
    return scores - scores.mean(-1, keepdims=True)


def pair_table(split: ScoreSplit, head: int, query: int, key: int) -> pd.DataFrame:
    """Return one row for each pair of parts of one score, then the rest, then the score.

    If there are more than `MOST_PAIRS`, the largest come first and the others are summed. Columns:
    place; title (`Message`); segment, an index into `ScoreSplit.segments`, -1 for none; value; mean
    (of the values for all keys of this query).
    """
    row = split.of(head)[:, :, query]
    lines = array_table(row[..., key], "a", "b", dtype=int)
    lines["mean"] = row.mean(-1).ravel()
    titles = list(map(part_title, split.parts))
    lines["title"] = [pair_title(titles[a], titles[b]) for a, b in lines[["a", "b"]].to_numpy()]
    lines["segment"] = lines.index if len(titles) == 2 else lines["b"]
    total = lines[["value", "mean"]].sum()
    if len(lines) > MOST_PAIRS:
        order = np.argsort(-np.abs(lines["value"] - lines["mean"]), kind="stable")
        rest = Message.of("why-rest", n=len(lines) - MOST_PAIRS)
        lines = lines.iloc[order[:MOST_PAIRS]]
        left = total - lines[["value", "mean"]].sum()
        lines = pd.concat([lines, _line(rest, left)], ignore_index=True)
    lines = pd.concat([lines, _line(Message("why-score"), total)], ignore_index=True)
    return lines[["title", "segment", "value", "mean"]].assign(place=range(len(lines)))


def _line(title: Message, sums: pd.Series) -> pd.DataFrame:
    return pd.DataFrame([{"title": title, "segment": -1, **sums}])


def score_cells(
    split: ScoreSplit,
    head: int,
    tokens: Sequence[str],
    query_parts: Sequence[int],
    key_parts: Sequence[int],
) -> pd.DataFrame:
    """Return the cells of a head's scores as far as they come from some parts.

    `query_parts`, `key_parts`: indices into `split.parts`. The mean of its row is subtracted from
    each score, as a softmax ignores it.
    """
    chosen = split.of(head)[np.ix_(query_parts, key_parts)].sum((0, 1))
    return matrix_cells(centred(chosen), tokens, tokens).assign(score=split.scores[head].ravel())


def why_facts(split: ScoreSplit, head: int, query: int, key: int) -> dict[str, Any]:
    """Return the segment with the largest share of a head, and the sum of one score's parts.

    `centred` is that score about the mean of its row.
    """
    shares = split.shares()[head]
    most = int(shares.argmax())
    return {
        "segment": split.segments[most],
        "share": float(shares[most]),
        "value": float(split.of(head)[:, :, query, key].sum()),
        "centred": float(centred(split.of(head).sum((0, 1)))[query, key]),
    }
