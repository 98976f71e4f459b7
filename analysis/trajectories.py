"""The states of tokens on their way through a stack, in three dimensions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from records import Stream, SubLayer

from .projection import principal


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
    states = np.concatenate((stream.before[:1], stream.after)).astype(np.float64)
    norms = np.linalg.norm(states, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        directions = states / norms[..., None]
    points = np.where(norms[..., None] > 0, directions, states) if unit else states
    found = principal(points.reshape(-1, points.shape[-1]))
    return Trajectories(
        places=stream.places,
        coordinates=found.coordinates.reshape(*norms.shape, -1),
        shares=found.shares,
        norms=norms,
        cosines=np.einsum("rtd,td->rt", directions, directions[0]),
    )


def layer_ends(places: tuple[SubLayer, ...]) -> np.ndarray:
    """Of the R states, which are the output of a whole layer; bool (R,), False for the input."""
    after = [place.layer for place in places[1:]] + [-1]
    ends = [place.layer != other for place, other in zip(places, after, strict=True)]
    return np.array([False, *ends])


def states_of(places: tuple[SubLayer, ...]) -> dict[str, np.ndarray]:
    """Of the R states, by what they are the output of: input, sublayer, layer; kinds there are."""
    kinds = np.where(layer_ends(places), "layer", "sublayer")
    kinds[0] = "input"
    found = {kind: np.flatnonzero(kinds == kind) for kind in ("input", "sublayer", "layer")}
    return {kind: states for kind, states in found.items() if len(states)}


def trajectory_table(found: Trajectories) -> pd.DataFrame:
    """A line for each state of each token, in the order of the states.

    Columns state (0 for the input), sublayer (its code), token (position from 1), pc1, pc2, pc3,
    norm, cosine.
    """
    n_states, n_tokens = found.norms.shape
    at, token = (axis.ravel() for axis in np.indices((n_states, n_tokens)))
    codes = np.array(["input", *(place.code for place in found.places)], dtype=object)
    return pd.DataFrame(
        {
            "state": at,
            "sublayer": codes[at],
            "token": token + 1,
            **{f"pc{i + 1}": found.coordinates[..., i].ravel() for i in range(3)},
            "norm": found.norms.ravel(),
            "cosine": found.cosines.ravel(),
        }
    )
