"""States of tokens on their way through a stack, in few dimensions (PCA, Pearson 1901)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .block import Stream, SubLayer


class Projection(NamedTuple):
    """Points along the directions in which they spread most."""

    # float64 (N, k), of each point less the mean; NaN for a point that has a number that is not
    # finite
    coordinates: np.ndarray
    # float64 (k, D), orthonormal rows; the largest number of each is positive
    components: np.ndarray
    shares: np.ndarray  # float64 (k,), of the whole variance, falling, at most 1 together


def principal(points: np.ndarray, k: int = 3) -> Projection:
    """The first k principal components of points (N, D), by the singular values of what is centred.

    Points with a number that is not finite take no part. Where the points spread in fewer than k
    directions, the rest of the coordinates, components and shares is 0. Raises ValueError: `points`
    is not an array (N, D).
    """
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2:
        raise ValueError(f"points must be an array (N, D), not of shape {points.shape}")
    coordinates = np.full((len(points), k), np.nan)
    components, shares = np.zeros((k, points.shape[1])), np.zeros(k)
    finite = np.isfinite(points).all(axis=1)
    if not finite.any() or not points.shape[1]:
        return Projection(coordinates, components, shares)
    # Of equal points the mean is off by rounding; less the first of them, they are 0 exactly.
    moved = points[finite] - points[finite][0]
    centred = moved - moved.mean(axis=0)
    _, sizes, rows = np.linalg.svd(centred, full_matrices=False)
    rounding = max(centred.shape) * np.finfo(np.float64).eps * sizes[0]
    n = min(k, int((sizes > rounding).sum()))
    signs = np.sign(rows[np.arange(n), np.abs(rows[:n]).argmax(axis=1)])
    components[:n] = rows[:n] * signs[:, None]
    shares[:n] = np.square(sizes[:n]) / np.square(sizes).sum() if n else 0
    coordinates[finite] = centred @ components.T
    return Projection(coordinates, components, shares)


@dataclass(frozen=True, eq=False)
class Trajectories:
    """R = S + 1 states of T tokens: the input of the stack, then the output of each sub-layer."""

    places: tuple[SubLayer, ...]  # the S sub-layers in their order
    # float64 (R, T, 3), in the first three principal components of all states
    coordinates: np.ndarray
    shares: np.ndarray  # (3,), of the variance of all states in each component
    norms: np.ndarray  # (R, T), Euclidean lengths of the states as they are
    # (R, T), between each state and the input of its token; NaN where one of them is 0
    cosines: np.ndarray


def trajectories(stream: Stream, *, unit: bool = False) -> Trajectories:
    """The way of every token through a stack; with `unit` every state is first made of length one.

    The components are those of all R * T states together, so all paths share their axes. Norms and
    cosines are of the d_model dimensions, not of the three.
    """
    states = stream.states.astype(np.float64)
    norms = np.linalg.norm(states, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        directions = states / norms[..., None]
    points = np.where(norms[..., None] > 0, directions, states) if unit else states
    projection = principal(points.reshape(-1, points.shape[-1]))
    return Trajectories(
        places=stream.places,
        coordinates=projection.coordinates.reshape(*norms.shape, -1),
        shares=projection.shares,
        norms=norms,
        cosines=np.einsum("rtd,td->rt", directions, directions[0]),
    )


def layer_ends(sublayers: tuple[SubLayer, ...]) -> np.ndarray:
    """Of the R states, which are the output of a whole layer; bool (R,), False for the input."""
    after = [sublayer.layer for sublayer in sublayers[1:]] + [-1]
    ends = [sublayer.layer != other for sublayer, other in zip(sublayers, after, strict=True)]
    return np.array([False, *ends])


def states_of(sublayers: tuple[SubLayer, ...]) -> dict[str, np.ndarray]:
    """Of the R states, by what they are the output of: input, sublayer, layer; kinds there are."""
    outputs = np.where(layer_ends(sublayers), "layer", "sublayer")
    outputs[0] = "input"
    every = {name: np.flatnonzero(outputs == name) for name in ("input", "sublayer", "layer")}
    return {name: states for name, states in every.items() if len(states)}


def trajectory_table(paths: Trajectories) -> pd.DataFrame:
    """A line for each state of each token, in the order of the states.

    Columns state (0 for the input), sublayer (its code), token (position from 1), pc1, pc2, pc3,
    norm, cosine.
    """
    n_states, n_tokens = paths.norms.shape
    at, token = (axis.ravel() for axis in np.indices((n_states, n_tokens)))
    codes = np.array(["input", *(sublayer.code for sublayer in paths.places)], dtype=object)
    return pd.DataFrame(
        {
            "state": at,
            "sublayer": codes[at],
            "token": token + 1,
            **{f"pc{i + 1}": paths.coordinates[..., i].ravel() for i in range(3)},
            "norm": paths.norms.ravel(),
            "cosine": paths.cosines.ravel(),
        }
    )


def component_table(projection: Projection, tokens: Sequence[str]) -> pd.DataFrame:
    """One line a position: its token, where the sentence has one, and its place in space."""
    length = len(projection.coordinates)
    table = pd.DataFrame(projection.coordinates, columns=["pc1", "pc2", "pc3"])
    table.insert(0, "position", np.arange(length))
    table.insert(1, "token", [*tokens[:length], *[""] * (length - len(tokens))])
    return table


def turn_facts(paths: Trajectories, position: int) -> dict[str, float]:
    """The norm of a token's first and last state, and the cosine between them."""
    before, norm = paths.norms[[0, -1], position]
    return {"before": before, "norm": norm, "cosine": paths.cosines[-1][position]}


def turned_facts(paths: Trajectories, labels: Sequence[str]) -> dict[str, Any]:
    """Of `n` tokens those whose last state is turned most and least from the first."""
    cosines = paths.cosines[-1]
    ends = {"most": int(cosines.argmin()), "least": int(cosines.argmax())}
    facts: dict[str, Any] = {name: labels[at] for name, at in ends.items()}
    facts |= {f"{name}_cosine": cosines[at] for name, at in ends.items()}
    return {"n": len(cosines), **facts}
