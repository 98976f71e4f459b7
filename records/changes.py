"""What can be changed in a run, one class a kind of change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .attention import ATTENTION_KINDS, ROW_SUM_TOLERANCE

Ablation = Literal["zero", "mean", "uniform"]
ABLATIONS: tuple[Ablation, ...] = ("zero", "mean", "uniform")
PositionMode = Literal["normal", "absent", "permuted", "shifted", "reversed"]
POSITION_MODES: tuple[PositionMode, ...] = (
    "normal", "absent", "permuted", "shifted", "reversed",
)  # fmt: skip


def _refuse(faults: Sequence[str]) -> None:
    if faults:
        raise ValueError("; ".join(faults))


@dataclass(frozen=True)
class MaskedCell:
    """A cell that a query may not look at; None stands for every layer, head, query or key.

    Layers, heads and positions count from 0. A query of "decoder" and "cross" is the position in
    what the decoder reads, ``<s>`` being 0; it produces the token of the same number.
    """

    kind: str
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    key: int | None = None

    def __post_init__(self) -> None:
        _refuse(_place_faults(self, "layer", "head", "query", "key"))


@dataclass(frozen=True)
class AblatedHead:
    """A head switched off; None stands for every layer or head.

    `how`: "zero" and "mean" put zeros, or the head's mean output over validation sentences, in
    the place of its output (its weights stay as they are); "uniform" gives the same weight to
    every key that may be looked at.
    """

    kind: str
    layer: int | None = None
    head: int | None = None
    how: Ablation = "zero"

    def __post_init__(self) -> None:
        faults = _place_faults(self, "layer", "head")
        if self.how not in ABLATIONS:
            faults.append(f"how is {self.how!r}, expected one of {', '.join(ABLATIONS)}")
        _refuse(faults)


@dataclass(frozen=True)
class OverriddenRow:
    """A row of weights given by hand; None stands for every layer or head.

    `weights` are those of the keys from 0 on, no key beyond them gets any.
    """

    kind: str
    layer: int | None
    head: int | None
    query: int
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        faults = _place_faults(self, "layer", "head", "query")
        if self.query is None:
            faults.append("query is None, expected a position")
        total = math.fsum(self.weights)
        if not self.weights or not all(math.isfinite(w) for w in self.weights):
            faults.append("the weights of a row must be finite numbers")
        elif min(self.weights) < 0:
            faults.append(f"the weights of a row hold {min(self.weights):g}, expected 0 or more")
        elif abs(total - 1) > ROW_SUM_TOLERANCE:
            faults.append(f"the weights of a row sum to {total:g}, expected 1")
        _refuse(faults)


@dataclass(frozen=True)
class Positions:
    """Which positional encoding each token of one side gets.

    Attributes
    ----------
    mode : "normal"; "absent": none is added; "permuted": shuffled by `seed`; "shifted": `offset`
        more than the true position; "reversed": the last one first.
    offset : of "shifted", 0 or more.
    seed : of "permuted".
    span : how many positions from 0 on are permuted or reversed; those beyond keep theirs. None
        means the whole source; the target, whose length a search does not know, needs a number.
    """

    mode: PositionMode = "normal"
    offset: int = 0
    seed: int = 0
    span: int | None = None

    def __post_init__(self) -> None:
        faults = []
        if self.mode not in POSITION_MODES:
            faults.append(f"mode is {self.mode!r}, expected one of {', '.join(POSITION_MODES)}")
        if self.offset < 0:
            faults.append(f"offset is {self.offset}, expected 0 or more")
        if self.seed < 0:
            faults.append(f"seed is {self.seed}, expected 0 or more")
        if self.span is not None and self.span < 1:
            faults.append(f"span is {self.span}, expected 1 or more")
        _refuse(faults)
        # What a mode does not use must not tell equal ones apart.
        if self.mode != "shifted":
            object.__setattr__(self, "offset", 0)
        if self.mode != "permuted":
            object.__setattr__(self, "seed", 0)
        if self.mode not in ("permuted", "reversed"):
            object.__setattr__(self, "span", None)

    def order(self, length: int) -> np.ndarray:
        """The position that each of `length` tokens gets: int array (length,); "absent" as normal.

        Raises
        ------
        ValueError : "permuted" or "reversed" for a length below `span`.
        """
        order = np.arange(length)
        if self.mode == "shifted":
            return order + self.offset
        if self.mode in ("permuted", "reversed"):
            span = length if self.span is None else self.span
            if span > length:
                raise ValueError(f"span is {span}, more than the {length} tokens")
            order[:span] = (
                np.random.default_rng(self.seed).permutation(span)
                if self.mode == "permuted"
                else order[:span][::-1].copy()
            )
        return order


@dataclass(frozen=True)
class Intervention:
    """What is changed in a run of the model; the same changes in any order are equal.

    Masks act before the softmax, which makes the row sum to one again; then uniform heads, then
    overridden rows, then zero and mean outputs. Of two entries for the same head or row the one
    with fewer None counts.

    Attributes
    ----------
    causal : False lets the decoder look at later positions.
    hidden_from_encoder, hidden_from_cross : source positions no query of that kind may look at,
        in any layer and head.
    masked : single cells, or rows and columns of them.
    ablated : heads switched off.
    overridden : rows given by hand.
    source_positions, target_positions : the positional encodings of either side.
    """

    causal: bool = True
    hidden_from_encoder: tuple[int, ...] = ()
    hidden_from_cross: tuple[int, ...] = ()
    masked: tuple[MaskedCell, ...] = ()
    ablated: tuple[AblatedHead, ...] = ()
    overridden: tuple[OverriddenRow, ...] = ()
    source_positions: Positions = Positions()
    target_positions: Positions = Positions()

    def __post_init__(self) -> None:
        faults = [
            f"{name} holds {position}, expected positions from 0 on"
            for name in ("hidden_from_encoder", "hidden_from_cross")
            for position in getattr(self, name)
            if position < 0
        ]
        target = self.target_positions
        if target.mode in ("permuted", "reversed") and target.span is None:
            faults.append(f"target_positions are {target.mode} and need a span")
        _refuse(faults)
        for name, place in (
            ("hidden_from_encoder", None),
            ("hidden_from_cross", None),
            ("masked", None),
            ("ablated", lambda a: (a.kind, a.layer, a.head)),
            ("overridden", lambda r: (r.kind, r.layer, r.head, r.query)),
        ):
            entries = {place(e) if place else e: e for e in getattr(self, name)}
            ordered = tuple(sorted(entries.values(), key=_sortable))
            object.__setattr__(self, name, ordered)

    def __bool__(self) -> bool:
        """False when nothing is changed."""
        return self != Intervention()

    def __or__(self, other: Intervention) -> Intervention:
        """Both sets of changes; where they contradict each other, `other` counts."""
        return Intervention(
            self.causal and other.causal,
            self.hidden_from_encoder + other.hidden_from_encoder,
            self.hidden_from_cross + other.hidden_from_cross,
            self.masked + other.masked,
            self.ablated + other.ablated,
            self.overridden + other.overridden,
            *(
                mine if theirs.mode == "normal" else theirs
                for mine, theirs in (
                    (self.source_positions, other.source_positions),
                    (self.target_positions, other.target_positions),
                )
            ),
        )


def hide(*positions: int, where: Literal["encoder", "cross", "both"] = "both") -> Intervention:
    """The intervention that hides source positions from the encoder, cross-attention or both."""
    return Intervention(
        hidden_from_encoder=positions if where != "cross" else (),
        hidden_from_cross=positions if where != "encoder" else (),
    )


def _sortable(entry: Any) -> Any:
    """Orders entries in which None stands beside numbers, None first."""
    if isinstance(entry, int):
        return entry
    return tuple((value is not None, value) for value in vars(entry).values())


def _place_faults(entry: Any, *names: str) -> list[str]:
    faults = []
    if entry.kind not in ATTENTION_KINDS:
        faults.append(f"kind is {entry.kind!r}, expected one of {', '.join(ATTENTION_KINDS)}")
    for name in names:
        value = getattr(entry, name)
        if value is not None and value < 0:
            faults.append(f"{name} is {value}, expected 0 or more")
    return faults
