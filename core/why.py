"""Why a head looks where it does: its scores split by what each side's vectors are sums of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from words import Message

from .block import Stream, SubLayer, spread
from .measures import row_shares
from .tables import array_table, matrix_cells

CONTENT, POSITION, BIASES = "content", "position", "biases"
"""The parts beside what sub-layers wrote."""
Part = SubLayer | str
MOST_PAIRS = 9


@dataclass(frozen=True, eq=False)
class ScoreSplit:
    """The queries and keys of one self-attention of the encoder as sums of P parts.

    A score is q_i . k_j / sqrt(d_k); with q and k sums, it is a sum over pairs of parts.
    """

    layer: int
    parts: tuple[Part, ...]
    queries: np.ndarray  # queries, keys: float64 (P, H, T, d_k)
    keys: np.ndarray
    scores: np.ndarray  # float32 (H, T, T), as the model computed them
    # float64 (H, T, T), what the distance of two tokens adds to their score; it counts as what
    # their positions make of each other. None where positions are added to the embeddings
    bias: np.ndarray | None = None

    def of(self, head: int) -> np.ndarray:
        """What each part of a query makes of each part of a key: float64 (P, P, T_q, T_k)."""
        d_k = self.queries.shape[-1]
        pairs = np.einsum("aid,bjd->abij", self.queries[:, head], self.keys[:, head], optimize=True)
        pairs /= np.sqrt(d_k)
        if self.bias is not None:
            at = self.parts.index(POSITION)
            pairs[at, at] += self.bias[head]
        return pairs

    def error(self, head: int) -> float:
        """The largest distance of the sum of all parts from the score of the model."""
        return float(np.abs(self.of(head).sum((0, 1)) - self.scores[head]).max())

    @property
    def segments(self) -> list[Message]:
        """What shares are told of: with two parts their pairs, else the parts of the keys."""
        titles = list(map(part_title, self.parts))
        if len(titles) > 2:
            return titles
        return [pair_title(query, key) for query in titles for key in titles]

    def shares(self) -> np.ndarray:
        """Of the variance of each head's scores about the mean of their row, the share of each of
        the `segments`, (H, S): the covariance of the part with the score, so that they sum to one.
        Below 0 where a part works against the others."""
        every = []
        for head in range(self.queries.shape[1]):
            parts = centred(self.of(head))
            covariances = (parts * parts.sum((0, 1))).mean((2, 3))
            every.append(covariances.ravel() if len(parts) == 2 else covariances.sum(0))
        return row_shares(np.stack(every))


def part_title(part: Part) -> Message:
    """What a part is called."""
    if isinstance(part, SubLayer):
        return Message.of("why-part", layer=part.layer + 1, name=part.name)
    return Message(f"why-part-{part}")


def pair_title(query: Message, key: Message) -> Message:
    return Message.of("why-pair", query=query, key=key)


def norm_parts(stream: Stream, at: int, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Parts of the vectors that a layer norm is given, (T, d) each, behind it; the last takes its
    shift. With the sigma of their sum the norm is linear: g (v - mean v) / sigma."""
    given = stream.norm_inputs[at].astype(np.float64)
    return through_norm(
        parts, given, stream.gains[at], stream.biases[at], stream.eps, rms=stream.rms
    )


def through_norm(
    parts: Sequence[np.ndarray],
    given: np.ndarray,
    gain: np.ndarray,
    bias: np.ndarray,
    eps: float,
    *,
    rms: bool,
) -> list[np.ndarray]:
    """As `norm_parts`, of any norm and what it is `given`, (T, d)."""
    scale = gain / np.sqrt(spread(given, -1, rms=rms) + eps)
    scaled = [scale * (part if rms else part - part.mean(-1, keepdims=True)) for part in parts]
    return [*scaled[:-1], scaled[-1] + bias]


def centred(scores: np.ndarray) -> np.ndarray:
    """What a softmax sees of scores (..., T_k): how far each is from the mean of its row."""
    return scores - scores.mean(-1, keepdims=True)


def pair_table(split: ScoreSplit, head: int, query: int, key: int) -> pd.DataFrame:
    """What the pairs of parts make of one score: a line a pair, the largest first where there are
    more than `MOST_PAIRS`, then what is left of the others, then the score.

    Columns place, title (`Message`), segment (see `ScoreSplit.segments`, -1 for what is of none),
    value, mean (of the row: all keys of this query).
    """
    row = split.of(head)[:, :, query]
    lines = array_table(row[..., key], "a", "b", dtype=int)
    lines["mean"] = row.mean(-1).ravel()
    titles = list(map(part_title, split.parts))
    lines["title"] = [pair_title(titles[a], titles[b]) for a, b in lines[["a", "b"]].to_numpy()]
    lines["segment"] = lines.index if len(titles) == 2 else lines["b"]
    total = lines[["value", "mean"]].sum()
    shown = lines
    if len(lines) > MOST_PAIRS:
        order = np.argsort(-np.abs(lines["value"] - lines["mean"]), kind="stable")
        shown = lines.iloc[order[:MOST_PAIRS]]
        rest = Message.of("why-rest", n=len(lines) - MOST_PAIRS)
        left = total - shown[["value", "mean"]].sum()
        shown = pd.concat([shown, _line(rest, left)], ignore_index=True)
    shown = pd.concat([shown, _line(Message("why-score"), total)], ignore_index=True)
    return shown[["title", "segment", "value", "mean"]].assign(place=range(len(shown)))


def _line(title: Message, sums: pd.Series) -> pd.DataFrame:
    return pd.DataFrame([{"title": title, "segment": -1, **sums}])


def map_cells(
    split: ScoreSplit, head: int, tokens: Sequence[str], asks: Sequence[int], answers: Sequence[int]
) -> pd.DataFrame:
    """The cells of a head: its scores as far as they come from these parts of queries and keys,
    about the mean of their row."""
    chosen = split.of(head)[np.ix_(asks, answers)].sum((0, 1))
    return matrix_cells(centred(chosen), tokens, tokens).assign(score=split.scores[head].ravel())


def why_facts(split: ScoreSplit, head: int, query: int, key: int) -> dict[str, Any]:
    """For a sentence: the segment with the largest share of a head, and what a score is made of."""
    shares = split.shares()[head]
    most = int(shares.argmax())
    return {
        "segment": split.segments[most],
        "share": float(shares[most]),
        "value": float(split.of(head)[:, :, query, key].sum()),
    }
