"""One step of a decoder in numbers, and the states of its encoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .search import Candidate
from .sources import TokenSequence

Part = Literal["sources", "vector", "number", "terms", "softmax", "context", "output"]
"""Quantity that an equation gives."""


@dataclass(frozen=True)
class Equation:
    """One line of a step, as its paper writes it."""

    name: str  # ``equation-<name>`` in the message files describes it
    latex: str  # the equation
    # quantity that it gives: something for each source token, a vector, a number, the terms that a
    # score is the sum of, the softmax over the source, the context, or the output
    part: Part
    # name of the quantity (`model.hooks.value_probes.ValueProbe`); empty if attention or output
    # hold it
    value: str = ""


@dataclass(frozen=True, eq=False)
class StepValues:
    """Quantities of one step of a decoder that reads `tgt` for `src`."""

    src: TokenSequence
    tgt: TokenSequence
    position: int  # of the produced token in `tgt`, from 0
    read: str  # the token that the step reads
    equations: tuple[Equation, ...]  # equations of the step, in order
    # by name the quantities that equations name: (d,) of this step or of the whole source, (1,) for
    # a number, (T_src, d) where each source token has its own
    values: Mapping[str, np.ndarray]
    logits: np.ndarray  # float32 (V,)
    candidates: tuple[Candidate, ...]  # the likeliest tokens and the produced one, likeliest first
    # scores, weights: float32 (T_src,), before and after the softmax; None without attention
    scores: np.ndarray | None = None
    weights: np.ndarray | None = None
    # bool (T_src,), True where the softmax is taken; None without attention
    seen: np.ndarray | None = None
    # float32 (T_src,), factor of the softmax (Luong et al. 2015, section 3.2), or None
    gaussian: np.ndarray | None = None
    # float32 (T_src, n) whose rows add up to `scores`; None if scores are no such sums
    terms: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class SourceStates:
    """States of an encoder, one for each token of the source."""

    src: TokenSequence
    states: np.ndarray  # float32 (T_src, n)
    # names of the directions read in (``value-part-<name>``), each with its number of units
    parts: tuple[tuple[str, int], ...]
