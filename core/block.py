"""Inside of a Transformer block: tables of its states, norms and gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from words.numbers import fixed

from .records.attention import AttentionMap, AttentionSite
from .records.sublayers import STACKS, Gradients, Lens, Stream
from .records.tokens import distinct_labels, token_label
from .weights.tables import array_table, cell_places, labelled, spread_places


def stream_table(stream: Stream, position: int) -> pd.DataFrame:
    """Return the lengths of what every sub-layer reads and adds at one position.

    One row a sub-layer: place (from 0), before, added, summed, after (Euclidean lengths), cosine
    (between `before` and `added`; NaN if one of them is zero).
    """
    before = stream.before[:, position]
    added = stream.added[:, position]
    vectors = {
        "before": before,
        "added": added,
        "summed": stream.sums[:, position],
        "after": stream.after[:, position],
    }
    # float64: a residual stream of many layers can be large beside what a sub-layer adds.
    lengths = {name: np.linalg.norm(of.astype(np.float64), axis=-1) for name, of in vectors.items()}
    product = lengths["before"] * lengths["added"]
    dots = np.einsum("sd,sd->s", before.astype(np.float64), added.astype(np.float64))
    # A zero vector has no direction; its cosine is NaN.
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(product > 0, dots / product, np.nan)
    return pd.DataFrame({"place": np.arange(len(before)), **lengths, "cosine": cosine})


def stream_turns(table: pd.DataFrame) -> pd.DataFrame:
    """Return `stream_table` with the triangle of stream, output and sum.

    Columns along and across: the output in the direction of the stream and at a right angle to it,
    exact whatever the number of dimensions. Column turn: degrees from the stream to the sum, 0 if
    either is zero.
    """
    # A zero vector has no direction, and no length either.
    cosine = table["cosine"].fillna(0.0).clip(-1, 1)
    along = table["added"] * cosine
    across = table["added"] * np.sqrt(1 - cosine**2)
    turn = np.degrees(np.arctan2(across, table["before"] + along))
    seen = (table["before"] > 0) & (table["summed"] > 0)
    return table.assign(along=along, across=across, turn=turn.where(seen, 0.0))


def mean_cosine(vectors: np.ndarray) -> float:
    """Return the mean cosine of all pairs of the vectors (T, d); NaN for a single vector."""
    n = len(vectors)
    if n < 2:
        return float("nan")
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    # The squared length of the sum holds all n^2 dot products; without the n squares the pairs
    # stay.
    total = float(np.square(unit.sum(axis=0)).sum() - np.square(unit).sum())
    return total / (n * (n - 1))


def standardised(values: np.ndarray, eps: float, axis: int, *, rms: bool = False) -> np.ndarray:
    """Return ``(x - mean) / sqrt(variance + eps)`` along an axis, before gain and bias.

    Along the last axis of vectors (T, d) this is layer norm (Ba et al. 2016), along the first batch
    norm (Ioffe and Szegedy 2015); with `rms` it is RMSNorm, ``x / sqrt(mean of x^2 + eps)`` (Zhang
    and Sennrich 2019). The variance is divided by n.
    """
    values = values.astype(np.float64)
    centred = values if rms else values - values.mean(axis=axis, keepdims=True)
    return centred / np.sqrt(spread(values, axis, rms=rms) + eps)


def spread(values: np.ndarray, axis: int, *, rms: bool) -> np.ndarray:
    """Return the variance along `axis`, or with `rms` the mean square; the axis has length 1."""
    if rms:
        return np.square(values).mean(axis=axis, keepdims=True)
    return values.var(axis=axis, keepdims=True)


def norm_stages(stream: Stream, sublayer: int, position: int) -> dict[str, np.ndarray]:
    """Return one vector on its way through a layer norm, each stage (d_model,).

    Stages: given, standardised, and scaled (by gain and bias) or, for RMSNorm, gained (by its
    gain).
    """
    vector = stream.norm_inputs[sublayer, position].astype(np.float64)
    middle = standardised(vector, stream.eps, 0, rms=stream.rms)
    last = "gained" if stream.rms else "scaled"
    output = middle * stream.gains[sublayer] + stream.biases[sublayer]
    return {"given": vector, "standardised": middle, last: output}


def strip_tables(
    stages: Mapping[str, np.ndarray], names: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return tables of all numbers of the stages, and of the mean and deviation of each.

    Numbers: strip, j, value, stage. Spans: strip, label, mean, low and high, one standard deviation
    to either side.
    """
    values = np.stack(list(stages.values()))
    numbers = array_table(values, "strip", "j", dtype=int)
    mean = values.mean(1)
    deviation = values.std(1)
    spans = labelled(names, "strip", mean=mean, low=mean - deviation, high=mean + deviation)
    return numbers.assign(stage=np.array(names, object)[numbers["strip"]]), spans


def moments_table(stages: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return one row a stage: stage, mean, variance (divided by n), smallest, largest."""
    lines = [(name, v.mean(), v.var(), v.min(), v.max()) for name, v in stages.items()]
    return pd.DataFrame(lines, columns=["stage", "mean", "variance", "smallest", "largest"])


def moved_by_others(
    vectors: np.ndarray, eps: float, position: int, *, rms: bool = False
) -> tuple[float, float]:
    """Return how far one position moves under layer norm and batch norm if another is removed.

    The last of the vectors (T, d) is removed, or the first if `position` is the last. Returns the
    largest change of any dimension under layer norm, and under batch norm; 0 for a single vector.
    """
    if len(vectors) < 2:
        return 0.0, 0.0
    # The position itself must stay.
    gone = 0 if position == len(vectors) - 1 else len(vectors) - 1
    left = np.delete(vectors, gone, axis=0)
    at = position - (gone < position)
    moved = (
        np.abs(
            standardised(vectors, eps, axis, rms=rms)[position]
            - standardised(left, eps, axis, rms=rms)[at]
        ).max()
        # Batch norm always subtracts the mean, whatever norm the model has.
        for axis, rms in ((1, rms), (0, False))
    )
    layer, batch = map(float, moved)
    return layer, batch


def left_of(kept: np.ndarray) -> np.ndarray:
    """Return the weight with which each token's input remains in the cells of a recurrence.

    `kept` are the forget gates, (T, d), of ``c_t = f_t c_(t-1) + (1 - f_t) (x_t W)`` (Kim et al.
    2019), which unrolled weighs ``x_s W`` by ``(1 - f_s) f_(s+1) ... f_t``. Returns these weights,
    mean over the d units: float64 (T, T), 0 above the diagonal.
    """
    weights = np.zeros((len(kept), *kept.shape))
    for now, gate in enumerate(kept.astype(np.float64)):
        if now:
            weights[now] = weights[now - 1] * gate
        weights[now, now] = 1 - gate
    return weights.mean(-1)


def recurrence_map(kept: np.ndarray, tokens: Sequence[str]) -> AttentionMap:
    """Wrap `left_of` as the map of one layer with one head, in the place of self-attention."""
    site = AttentionSite("recurrence", "target", "target", causal=True, normalised=False)
    weights = left_of(kept)[None, None].astype(np.float32)
    seen = np.tri(len(kept), dtype=bool)
    return AttentionMap(site, weights, tuple(tokens), tuple(tokens), mask=seen)


def norm_tables(
    vectors: np.ndarray,
    tokens: Sequence[str],
    eps: float,
    rows: slice,
    count: int,
    *,
    rms: bool = False,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return tables of vectors (T, d) as given, after layer norm and after batch norm.

    Panels 0, 1 and 2, in that order. The norms use all tokens, of which the tables show `rows`, and
    `count` dimensions. `rms` takes RMSNorm instead of layer norm.

    Returns
    -------
    cells : panel, q, k (from 0), value, token (label), dimension (from 0)
        and shade, the value divided by the usual size in its panel
    rows : panel, q, label, mean and sd (divided by n) over all dimensions, moments (as text)
    columns : the same of each dimension, k, over all tokens
    """
    vectors = vectors.astype(np.float64)
    layer = standardised(vectors, eps, 1, rms=rms)
    batch = standardised(vectors, eps, 0)
    every = np.stack([vectors, layer, batch])
    dims = spread_places(vectors.shape[1], count)
    labels = distinct_labels(tokens)[rows]
    cells = array_table(every[:, rows][:, :, dims], "panel", "q", "k", dtype=int)
    # Divisor of the colour scale: given vectors have any size, normalised ones variance 1.
    usual = np.where(cells["panel"] == 0, vectors.std(), 1.0)
    cells["token"] = np.array(labels, object)[cells["q"]]
    return (
        cells.assign(dimension=dims[cells["k"]], shade=cells["value"] / usual),
        _moments("q", labels, every[:, rows]),
        _moments("k", list(map(str, dims)), every[:, :, dims].swapaxes(1, 2)),
    )


def _moments(axis: str, labels: Sequence[str], values: np.ndarray) -> pd.DataFrame:
    """Tabulate mean and standard deviation over the last of three axes of `values`."""
    lines = array_table(values.mean(-1), "panel", axis, name="mean", dtype=int)
    lines.insert(2, "label", np.array(labels, object)[lines[axis]])
    lines["sd"] = values.std(-1).ravel()
    pairs = zip(lines["mean"], lines["sd"], strict=True)
    return lines.assign(moments=[f"{fixed(mean)}  {fixed(sd)}" for mean, sd in pairs])


def powers_of(values: pd.Series) -> pd.Series:
    """Return log10, None for values not above 0: files store tiny gradients rounded to 0."""
    # JSON has no infinity; null makes a gap in the line.
    powers = np.log10(values.where(values > 0)).astype(object)
    return powers.where(powers.notna(), None)


def gradients_table(gradients: Gradients) -> pd.DataFrame:
    """Return one row a run and sub-layer: run, place (from 0), stack, size, alike."""
    lines = array_table(gradients.sizes, "run", "place", name="size", dtype=int)
    lines.insert(2, "stack", [gradients.places[at].stack for at in lines["place"]])
    lines["run"] = np.array(Gradients.RUNS)[lines["run"]]
    return lines.assign(alike=gradients.alike.ravel().astype(float))


def lens_table(lens: Lens, names: Sequence[str], tokens: Sequence[str]) -> pd.DataFrame:
    """Return one row a state (named by `names`) and position (by `tokens`).

    Columns q, k, query, key, best (label of the likeliest token), prob (its probability), wanted,
    rank (probability and rank of the wanted token), five (the likeliest tokens as text).
    """
    shape = lens.wanted_probs.shape
    labels = [[token_label(token) for token in lens.tokens[q][k]] for q, k in np.ndindex(*shape)]
    likeliest = zip(labels, lens.probs.reshape(len(labels), -1), strict=True)
    return pd.DataFrame(cell_places(shape, names, tokens)).assign(
        query=np.repeat(list(names), len(tokens)),
        best=[five[0] for five in labels],
        prob=lens.probs[..., 0].ravel(),
        wanted=lens.wanted_probs.ravel(),
        rank=lens.wanted_ranks.ravel(),
        five=[", ".join(map("{} {:.2f}".format, *five)) for five in likeliest],
    )


# -- facts for sentences -------------------------------------------------------------------


def lens_facts(lens: Lens, position: int) -> tuple[int, int]:
    """Return the first state from which on the wanted token stays the likeliest, and its last rank.

    The state is the number of states if the token is not the likeliest at the end; ranks count from
    1.
    """
    ranks = lens.wanted_ranks[:, position]
    later = np.flatnonzero(ranks != 1)
    return int(later[-1]) + 1 if len(later) else 0, int(ranks[-1])


def lens_rows(lens: Lens, position: int) -> pd.DataFrame:
    """Return one row a state: likeliest tokens, probability and rank of the wanted token.

    Columns of the tokens are "1", "2" and so on.
    """
    lines = [
        map("{} {:.2f}".format, map(token_label, tokens[position]), probs[position])
        for tokens, probs in zip(lens.tokens, lens.probs, strict=True)
    ]
    rows = pd.DataFrame(lines).rename(columns=lambda rank: str(rank + 1))
    wanted = lens.wanted_probs[:, position]
    ranks = lens.wanted_ranks[:, position]
    return rows.assign(wanted=wanted, rank=ranks)


def encoder_shares(gradients: Gradients) -> tuple[float, float]:
    """Return the share of the norm that is left at the first sub-layer of the encoder.

    It is relative to the last one, first without residual connections, then without norms as well.
    NaN for a gradient that is less than can be told from rounding, or without an encoder.
    """
    inside = [i for i, at in enumerate(gradients.places) if at.stack == "encoder"]
    if not inside:
        return float("nan"), float("nan")
    rows = (gradients.sizes[Gradients.RUNS.index(run)] for run in ("residual", "both"))
    cut, both = (float(row[inside[0]] / row[inside[-1]]) for row in rows)
    return cut, both


def gradient_changes(gradients: Gradients) -> np.ndarray:
    """Return the norm at the first sub-layer relative to that at the last, one number a run.

    NaN for a run whose gradient is less than can be told from rounding at either end.
    """
    first = gradients.sizes[:, 0]
    last = gradients.sizes[:, -1]
    is_measurable = (first > 0) & (last > 0)
    return np.divide(first, last, out=np.full(len(first), np.nan), where=is_measurable)


def gradient_facts(gradients: Gradients, vanished: float) -> dict[str, int]:
    """Count, by stack, the sub-layers whose gradient vanishes without residual connections.

    A gradient vanishes if it falls below the share `vanished` of its size. Returns the counts by
    stack, and the numbers of sub-layers as ``n_<stack>``.
    """
    plain, cut = (gradients.sizes[Gradients.RUNS.index(run)] for run in ("plain", "residual"))
    gone = ~(cut >= vanished * plain)  # NaN is less than can be told from rounding
    inside = {name: np.array([at.stack == name for at in gradients.places]) for name in STACKS}
    counts = {name: int((gone & there).sum()) for name, there in inside.items()}
    return counts | {f"n_{name}": int(there.sum()) for name, there in inside.items()}
