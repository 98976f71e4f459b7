"""Compute one row of one head stage by stage; `viz.arithmetic` draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from words.numbers import compact

from .records.attention import AttentionMap, AttentionVectors
from .softmax import Sharpness, sharpness_of, softmax
from .weights.tables import array_table, labelled


@dataclass(frozen=True, eq=False)
class Stages:
    """Attention from one query's vectors to its output (Vaswani et al. 2017, section 3.2).

    All arrays are float64, worked out from the vectors alone.
    """

    site_id: str  # site, layer, head, row: which query of which head; all count from 0
    layer: int
    head: int
    row: int
    query: np.ndarray  # (d_k,)
    keys: np.ndarray  # keys, values: (T_k, d_k)
    values: np.ndarray
    dots: np.ndarray  # (T_k,) q.k of each key
    # (T_k,) relative position bias added to each score, 0 where positions are in the vectors
    relative: np.ndarray
    scores: np.ndarray  # (T_k,) dots / sqrt(d_k) + relative, before the mask
    # (T_k,) added to the scores: 0 where the query may attend, else minus infinity
    mask: np.ndarray
    # the largest of `masked`; subtracting it before exp leaves the weights unchanged and
    # keeps exp from overflowing
    largest_score: float
    terms: np.ndarray  # (T_k,) exp(masked - largest_score)
    weights: np.ndarray  # (T_k,) terms / sum of terms
    # (H, d_k) contexts of all heads of the layer; concatenated they are the input of W_O
    contexts: np.ndarray
    # (H, d_model) each head's part W_O^h context_h of the sub-layer's output
    head_outputs: np.ndarray
    bias: np.ndarray  # (d_model,) of W_O
    captured: np.ndarray  # (T_k,) weights of this row in the model's own run

    @property
    def d_k(self) -> int:
        return len(self.query)

    @property
    def n_heads(self) -> int:
        return len(self.contexts)

    @property
    def seen(self) -> np.ndarray:
        """Mask of shape (T_k,), True where the query may attend."""
        return np.isfinite(self.mask)

    @property
    def masked(self) -> np.ndarray:
        """Scores after the mask, (T_k,)."""
        return self.scores + self.mask

    @property
    def contributions(self) -> np.ndarray:
        """Weight times value of each key, (T_k, d_k)."""
        return self.weights[:, None] * self.values

    @property
    def context(self) -> np.ndarray:
        """Sum of the contributions, (d_k,)."""
        return self.contexts[self.head]

    @property
    def output(self) -> np.ndarray:
        """Output of the sub-layer, (d_model,)."""
        return self.head_outputs.sum(axis=0) + self.bias

    @property
    def concatenated(self) -> np.ndarray:
        """Contexts of all heads end to end, (H d_k,)."""
        return self.contexts.reshape(-1)

    @property
    def unscaled_weights(self) -> np.ndarray:
        """Weights without the division by sqrt(d_k), (T_k,)."""
        return softmax(self.dots + self.relative + self.mask)[2]

    @property
    def largest_difference(self) -> float:
        """Largest absolute difference between `weights` and `captured`."""
        return float(np.abs(self.weights - self.captured).max())

    def product(self, key: int) -> np.ndarray:
        """Return query times one key, element by element, (d_k,); its sum is ``dots[key]``."""
        return self.query * self.keys[key]

    @property
    def parts(self) -> dict[str, np.ndarray]:
        """Summands of the output by name, and last the output itself, each (d_model,)."""
        this_head = self.head_outputs[self.head]
        parts = {"this-head": this_head}
        if self.n_heads > 1:
            parts["other-heads"] = self.head_outputs.sum(axis=0) - this_head
        return parts | {"bias": self.bias, "output": self.output}


def staged(
    vectors: AttentionVectors, attention: AttentionMap, layer: int, head: int, row: int
) -> Stages:
    """Compute one row of one head from its vectors; layer, head and row count from 0.

    `attention`, of the same run (else ValueError), gives the mask and the captured weights.
    """
    _refuse_other_run(vectors, attention)
    queries = vectors.queries[layer, :, row].astype(np.float64)  # (H, d_k)
    keys = vectors.keys[layer].astype(np.float64)  # (H, T_k, d_k)
    values = vectors.values[layer].astype(np.float64)
    mask = np.where(attention.allowed[row], 0.0, -np.inf)
    dots = np.einsum("hd,hkd->hk", queries, keys)
    relative = np.zeros_like(dots)
    if vectors.relative is not None:
        relative += vectors.relative[:, row]
    scores = dots / math.sqrt(keys.shape[-1]) + relative
    # All heads at once: the sub-layer's output needs all contexts.
    largest, terms, weights = softmax(scores + mask)
    contexts = np.einsum("hk,hkd->hd", weights, values)
    return Stages(
        site_id=attention.site_id,
        layer=layer,
        head=head,
        row=row,
        query=queries[head],
        keys=keys[head],
        values=values[head],
        dots=dots[head],
        relative=relative[head],
        scores=scores[head],
        mask=mask,
        largest_score=float(largest[head, 0]),
        terms=terms[head],
        weights=weights[head],
        contexts=contexts,
        head_outputs=_head_outputs(contexts, vectors.out_weight[layer].astype(np.float64)),
        bias=vectors.out_bias[layer].astype(np.float64),
        captured=attention.weights[layer, head, row].astype(np.float64),
    )


def _refuse_other_run(vectors: AttentionVectors, attention: AttentionMap) -> None:
    """Raise ValueError unless vectors and map have the same site and sizes."""
    expected = (*vectors.queries.shape[:3], vectors.keys.shape[2])
    if vectors.site_id != attention.site_id or attention.weights.shape != expected:
        raise ValueError(
            f"{vectors.site_id} vectors are for weights of shape {expected}, found "
            f"{attention.site_id} weights of shape {attention.weights.shape}"
        )


def _head_outputs(contexts: np.ndarray, out_weight: np.ndarray) -> np.ndarray:
    """Return each head's part of W_O times its context (H, d_k) as (H, d_model).

    Concatenation followed by W_O, `out_weight` (d_model, H d_k), equals the sum of W_O^h context_h
    over blocks of d_k columns (Vaswani et al. 2017, section 3.2.2).
    """
    blocks = out_weight.reshape(-1, *contexts.shape)
    return np.einsum("mhd,hd->hm", blocks, contexts)


def row_sharpness(stages: Stages) -> Sharpness:
    """Return the `Sharpness` of the row at hand; its arrays have shape (2,)."""
    largest, entropy, gradient = sharpness_of(np.stack((stages.weights, stages.unscaled_weights)))
    return Sharpness(np.array(stages.d_k), largest, entropy, gradient)


@dataclass(frozen=True, eq=False)
class LargestContributions:
    """Largest contributions, and one line for the sum of all others, so that they still add up."""

    keys: tuple[int, ...]  # positions of the keys shown one by one, in order
    # (n, d_k) their contributions, and last the sum of all other keys, if there are any
    parts: np.ndarray
    weights: np.ndarray  # (n,) their weights, the last one summed likewise
    n_others: int  # how many keys the last line stands for, 0 when every key is shown


def largest_contributions(stages: Stages, most: int, always: int) -> LargestContributions:
    """Return the `most` keys of largest weight, with the key `always` among them.

    A single key left over is shown as itself. Masked keys contribute nothing and are left out.
    """
    seen = [int(k) for k in np.argsort(-stages.weights, kind="stable") if stages.seen[k]]
    # A line "one other key" would take the room of that key.
    keys = seen if len(seen) == most + 1 else seen[:most]
    if always in seen and always not in keys:
        keys[-1] = always
    keys.sort()
    others = [k for k in seen if k not in set(keys)]
    parts = stages.contributions[keys]
    weights = stages.weights[keys]
    if others:
        parts = np.vstack((parts, stages.contributions[others].sum(axis=0)))
        weights = np.append(weights, stages.weights[others].sum())
    return LargestContributions(tuple(keys), parts, weights, len(others))


@dataclass(frozen=True, eq=False)
class Strip:
    """One row of cells, one cell a key."""

    title: str  # name of the numbers: a message id or a text
    values: np.ndarray  # (T_k,) numbers
    # "signed" centres the colours on 0, "share" runs from 0 to 1, "mask" has no colours and prints
    # 0 or minus infinity
    scale: Literal["signed", "share", "mask"]
    # (T_k,) bool; cells that are not seen are left empty. None when all are
    seen: np.ndarray | None = None


def stage_strips(stages: Stages) -> tuple[Strip, ...]:
    """Return the stages from dot products to weights; the mask only if it hides a key."""
    seen = stages.seen
    masks = () if seen.all() else (Strip("figures-arithmetic-mask", stages.mask, "mask", seen),)
    biases = (Strip("figures-arithmetic-relative", stages.relative, "signed"),)
    return (
        Strip("q · k", stages.dots, "signed"),
        Strip(f"÷ √{stages.d_k}", stages.scores - stages.relative, "signed"),
        *(biases if stages.relative.any() else ()),
        *masks,
        Strip("figures-arithmetic-exp", stages.terms, "share", seen),
        Strip("figures-arithmetic-weight", stages.weights, "share", seen),
    )


def strip_cells(strip: Strip, keys: Sequence[str]) -> pd.DataFrame:
    """Return one row a visible key: k, key (its label), value (NaN if masked), text."""
    seen = np.ones(len(keys), bool) if strip.seen is None else strip.seen
    cells = pd.DataFrame({"k": np.arange(len(keys)), "key": keys})
    cells["value"] = np.where(seen, strip.values, np.nan)
    if strip.scale == "mask":
        return cells.assign(text=np.where(seen, "0", "−∞"))
    return cells.assign(text=list(map(compact, strip.values)))[seen]


def ends_of(values: Sequence[float] | np.ndarray) -> pd.DataFrame:
    """Return the ends of a scale symmetric about 0; 1 if all `values` are 0."""
    top = float(np.abs(values).max()) or 1.0
    return pd.DataFrame({"value": [-top, top]})


def component_table(stages: Stages, key: int) -> pd.DataFrame:
    """Return one row a component of the query and one key.

    Columns: j (from 0), component (from 1), q, k and product.
    """
    j = np.arange(stages.d_k, dtype=np.int16)
    numbers = {"q": stages.query, "k": stages.keys[key], "product": stages.product(key)}
    return pd.DataFrame({"j": j, "component": j + 1, **numbers})


def contribution_tables(
    largest: LargestContributions, stages: Stages, labels: Sequence[str], chosen: int | None
) -> dict[str, pd.DataFrame]:
    """Return the tables of weight times value; the last row is the context.

    `cells`: row, j (from 0), component (from 1), value and the label with its number. `rows`: row,
    label, chosen (True for the key `chosen`), sum (True for the context), weight. `limits`: the
    ends of their scale.
    """
    rows = labelled(labels, "row")
    rows["chosen"] = np.isin(rows["row"], [i for i, k in enumerate(largest.keys) if k == chosen])
    rows["sum"] = rows["row"] == len(rows) - 1
    rows["weight"] = [compact(weight) for weight in (*largest.weights, largest.weights.sum())]
    cells = array_table(np.vstack((largest.parts, stages.context)), "row", "j")
    cells.insert(2, "component", cells["j"] + 1)
    numbered = [f"{number} · {label}" for number, label in enumerate(labels, start=1)]
    cells["label"] = pd.Categorical.from_codes(cells["row"], numbered)
    return {"cells": cells, "rows": rows, "limits": ends_of(cells["value"])}


def output_tables(stages: Stages, names: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the tables of the input and output of W_O; `names` are those of `stages.parts`.

    `blocks`: start, stop, label, chosen and norm (of its part of the output) of each head.
    `concatenated`: j, stop, head (from 1) and value of each component of all contexts. `parts`:
    part, name, j, stop and value of each component of each part. `limits`, `part_limits`:
    the ends of the scales of the last two.
    """
    heads = np.arange(stages.n_heads)
    blocks = {
        "start": heads * stages.d_k,
        "stop": (heads + 1) * stages.d_k,
        "label": (heads + 1).astype(str),
        "chosen": heads == stages.head,
        "norm": np.linalg.norm(stages.head_outputs, axis=1),
    }
    # H d_k components, which differ from d_model in models with wide heads.
    joined = np.arange(stages.n_heads * stages.d_k)
    concatenated = {
        "j": joined,
        "stop": joined + 1,
        "head": 1 + joined // stages.d_k,
        "value": stages.concatenated,
    }
    parts = _part_table(stages, names)
    return {
        "blocks": pd.DataFrame(blocks),
        "concatenated": pd.DataFrame(concatenated),
        "parts": parts,
        "limits": ends_of(stages.concatenated),
        "part_limits": ends_of(parts["value"]),
    }


def _part_table(stages: Stages, names: Sequence[str]) -> pd.DataFrame:
    """Return the table `parts` of `output_tables`."""
    d_model = len(stages.output)
    components = np.arange(d_model)
    return pd.DataFrame(
        {
            "part": np.arange(len(names)).repeat(d_model),
            "name": np.repeat(names, d_model),
            "j": np.tile(components, len(names)),
            "stop": np.tile(components + 1, len(names)),
            "value": np.concatenate(list(stages.parts.values())),
        }
    )


# -- facts for sentences -------------------------------------------------------------------


def score_facts(stages: Stages, key: int) -> dict[str, Any]:
    """Return the numbers from the product of query and key to the score."""
    root = math.sqrt(stages.d_k)
    facts: dict[str, Any] = {
        "dot": stages.dots[key],
        "score": stages.scores[key],
        "d_k": stages.d_k,
        "root": root,
        "biased": "no",
    }
    if stages.relative.any():
        facts["biased"] = "yes"
        facts["quotient"] = stages.dots[key] / root
        facts["relative"] = stages.relative[key]
    return facts


def weight_facts(stages: Stages, key: int) -> dict[str, Any]:
    """Return the numbers from the score of a key to its weight; empty if the key is masked."""
    if not stages.seen[key]:
        return {}
    largest = stages.largest_score
    written = compact(largest)
    return {
        "masked": int((~stages.seen).sum()),
        "largest": largest,
        "score": stages.scores[key],
        "bracketed": f"({written})" if written.startswith("−") else written,
        "term": stages.terms[key],
        "total": stages.terms.sum(),
        "weight": stages.weights[key],
    }


def output_facts(stages: Stages) -> dict[str, Any]:
    """Return the size of the output of W_O, and the length and rank of this head's part."""
    lengths = np.linalg.norm(stages.head_outputs, axis=-1)
    length = lengths[stages.head]
    return {
        "n": stages.n_heads,
        "d_k": stages.d_k,
        "d_model": len(stages.output),
        "length": length,
        "rank": 1 + int((lengths > length).sum()),
        "whole": np.linalg.norm(stages.output),
    }
