"""Positional encodings in numbers: tables, similarities, rotations and wavelengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from .records.tokens import distinct_labels
from .weights.tables import array_table


@dataclass(frozen=True, eq=False)
class PositionTable:
    """Vectors that a model adds to its scaled embeddings, one a position."""

    values: np.ndarray  # float32 (n_positions, d_model), read-only
    base: float  # wavelengths run from 2 pi towards base times 2 pi positions
    embedding_scale: float  # factor of the embeddings before `values` are added
    offset: int = 0  # the number of the first position
    layout: str = "sines"  # one of `SINES`


LEAST_HALVED = 4
"""Smallest number of dimensions whose even and odd ones are drawn as two surfaces."""
_LABELS_APART = 0.3  # radians


@dataclass(frozen=True, eq=False)
class OffsetSimilarity:
    """Products of encodings by their offset k, over all positions that have a pos + k."""

    offsets: np.ndarray  # int (L,), k from 0
    # dots, lowest, highest: (L,), mean, smallest and largest PE(pos)·PE(pos + k) over pos
    dots: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    cosines: np.ndarray  # (L,), mean of the same divided by both lengths

    @property
    def spread(self) -> float:
        """Largest difference that pos makes to a product, over all offsets."""
        return float((self.highest - self.lowest).max())

    @property
    def table(self) -> pd.DataFrame:
        """Table with one row an offset: offset, dot, cosine, lowest, highest."""
        numbers = {"dot": self.dots, "cosine": self.cosines}
        numbers |= {"lowest": self.lowest, "highest": self.highest}
        return pd.DataFrame({"offset": self.offsets.astype(np.int16), **numbers})


@dataclass(frozen=True, eq=False)
class Rotation:
    """Rotation of one pair from a position to the one `offset` later."""

    position: int
    pair: int
    offset: int
    frequency: float  # radians a position
    # (2, 2), carries (sin, cos) at `position` to (sin, cos) at `position + offset`
    matrix: np.ndarray
    before: np.ndarray  # before, after: (2,), (sin, cos) before and after
    after: np.ndarray

    @property
    def angle(self) -> float:
        """Angle of the rotation in radians, full turns included."""
        return self.frequency * self.offset


SINES: tuple[Literal["sines", "halves", "tensor2tensor"], ...] = (
    "sines",
    "halves",
    "tensor2tensor",
)
"""Layouts of a table of sines.

"sines" alternates sines and cosines (Vaswani et al. 2017, section 3.5); "halves" has all sines,
then all cosines; "tensor2tensor" does the same with the base as the slowest wavelength, as in the
library of that paper's authors.
"""


def encoding_table(
    n_positions: int,
    d_model: int,
    base: float = 10_000.0,
    layout: str = "sines",
    offset: int = 0,
) -> np.ndarray:
    """Return the table of sinusoidal encodings, float64 (n_positions, d_model).

    ``PE[pos, 2i] = sin(pos / base^(2i / d_model))``, ``PE[pos, 2i + 1]`` its cosine (Vaswani et al.
    2017, section 3.5), or as the other `SINES`. The first position has the number `offset`.

    Raises
    ------
    ValueError : `d_model` is odd.
    """
    positions = np.arange(offset, offset + n_positions)[:, None]
    angles = positions * frequencies(d_model, base, layout)
    # On the last axis sines and cosines alternate; on the axis before, all sines come first.
    turns = np.stack((np.sin(angles), np.cos(angles)), axis=-1 if layout == "sines" else 1)
    return turns.reshape(n_positions, d_model)


def frequencies(d_model: int, base: float = 10_000.0, layout: str = "sines") -> np.ndarray:
    """Return the radians per position of each pair, (d_model / 2,).

    ``base^(-2i / d_model)``, or ``base^(-i / (d_model / 2 - 1))`` for "tensor2tensor".

    Raises
    ------
    ValueError : `d_model` is odd.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, found {d_model}")
    pairs = d_model // 2
    return base ** (-np.arange(pairs) / (max(1, pairs - 1) if layout == "tensor2tensor" else pairs))


def turning_base(d_model: int, base: float, layout: str) -> float:
    """Return the base with which "sines" have the frequencies of one of `SINES`."""
    pairs = d_model // 2
    return base ** (pairs / max(1, pairs - 1)) if layout == "tensor2tensor" else base


def wavelengths(d_model: int, base: float = 10_000.0) -> np.ndarray:
    """Return the positions per full turn of each pair: 2 pi base^(2i / d_model), (d_model / 2,)."""
    return 2 * np.pi / frequencies(d_model, base)


def spread_dimensions(d_model: int) -> tuple[int, ...]:
    """Return a few dimensions to begin with: fast and medium pairs, and a slow sine.

    >>> spread_dimensions(256)
    (16, 17, 64, 65, 128)
    """
    pairs = d_model // 2
    fast = pairs // 16
    middling = pairs // 4
    slow = pairs // 2
    chosen = (2 * fast, 2 * fast + 1, 2 * middling, 2 * middling + 1, 2 * slow)
    return tuple(sorted({dimension for dimension in chosen if dimension < d_model}))


def offset_similarity(values: np.ndarray) -> OffsetSimilarity:
    """Return products and cosines of the rows of `values` (L, d_model) by their offset."""
    values = values.astype(np.float64)
    dots = values @ values.T
    lengths = np.sqrt(dots.diagonal())
    cosines = dots / np.outer(lengths, lengths)
    # Positions that are k apart meet on the k-th diagonal.
    of_offset = [dots.diagonal(k) for k in range(len(values))]
    return OffsetSimilarity(
        offsets=np.arange(len(values)),
        dots=np.array([products.mean() for products in of_offset]),
        lowest=np.array([products.min() for products in of_offset]),
        highest=np.array([products.max() for products in of_offset]),
        cosines=np.array([cosines.diagonal(k).mean() for k in range(len(values))]),
    )


def cosine_matrix(values: np.ndarray) -> np.ndarray:
    """Return the cosine of all pairs of rows of `values` (L, d_model): (L, L), 0 for a row of 0."""
    unit = values.astype(np.float64)
    lengths = np.linalg.norm(unit, axis=1, keepdims=True)
    unit /= np.where(lengths > 0, lengths, 1.0)
    return unit @ unit.T


def rotation(
    position: int, pair: int, offset: int, d_model: int, base: float = 10_000.0
) -> Rotation:
    """Return the rotation that carries `pair` from `position` to `position + offset`."""
    frequency = float(frequencies(d_model, base)[pair])
    turn = frequency * offset
    # The vector is (sin, cos), so the signs are those of a clockwise rotation.
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    before = np.array([np.sin(frequency * position), np.cos(frequency * position)])
    return Rotation(position, pair, offset, frequency, matrix, before, matrix @ before)


def rotation_error(values: np.ndarray, offset: int, base: float = 10_000.0) -> float:
    """Return the largest component of R_k PE(pos) - PE(pos + k) over all positions and pairs.

    `values`: (L, d_model), the encoding. `offset`: k, from 0 to L - 1.

    Raises
    ------
    ValueError : no position has another `offset` later.
    """
    if not 0 <= offset < len(values):
        raise ValueError(f"expected an offset from 0 to {len(values) - 1}, found {offset}")
    values = values.astype(np.float64)
    turn = frequencies(values.shape[1], base) * offset
    sines = values[:, 0::2]
    cosines = values[:, 1::2]
    n = len(values) - offset
    errors = (
        sines[:n] * np.cos(turn) + cosines[:n] * np.sin(turn) - sines[offset:],
        cosines[:n] * np.cos(turn) - sines[:n] * np.sin(turn) - cosines[offset:],
    )
    return float(max(np.abs(error).max() for error in errors))


# -- tables that are drawn -----------------------------------------------------------------


def value_cells(values: np.ndarray, row: str, column: str, value: str) -> pd.DataFrame:
    """Return one row a cell of a matrix: its row, its column, its value."""
    return array_table(values.astype(np.float32), row, column, name=value)


def arc(start: float, end: float, radius: float = 1.0) -> pd.DataFrame:
    """Return points from one angle to another about 0: step, sine, cosine."""
    angles = np.linspace(start, end, 121)
    points = {"sine": radius * np.sin(angles), "cosine": radius * np.cos(angles)}
    return pd.DataFrame({"step": np.arange(len(angles), dtype=np.int16), **points})


def rotation_points(rotation: Rotation) -> pd.DataFrame:
    """Return the pair before and after: position, sine, cosine, and the place of a label (x, y).

    Labels are outside the unit circle, and apart along it if the points are close together.
    """
    points = pd.DataFrame([rotation.before, rotation.after], columns=["sine", "cosine"])
    points.insert(0, "position", [rotation.position, rotation.position + rotation.offset])
    angles = np.arctan2(*np.stack((rotation.before, rotation.after), axis=1))
    # The complex angle wraps the difference to (-pi, pi].
    apart = float(np.angle(np.exp(1j * (angles[1] - angles[0]))))
    more = max(0.0, _LABELS_APART - abs(apart)) / 2 * (1 if apart >= 0 else -1)
    # Half of what is missing to either side, so that both labels stay near their points.
    angles = angles + np.array([-more, more])
    return points.assign(x=1.1 * np.cos(angles), y=1.1 * np.sin(angles))


def token_column(tokens: Sequence[str], length: int) -> list[str]:
    """Return the token at each position, "" beyond the sentence."""
    labels = distinct_labels(tokens)[:length]
    return labels + [""] * (length - len(labels))


def curve_table(values: np.ndarray, dimensions: Sequence[int]) -> pd.DataFrame:
    """Return one row a dimension and position: dimension, position, value."""
    lines = value_cells(values[:, list(dimensions)].T, "dimension", "position", "value")
    return lines.assign(dimension=np.array(dimensions)[lines["dimension"]])


def position_table(
    values: np.ndarray, dimensions: Sequence[int], tokens: Sequence[str]
) -> pd.DataFrame:
    """Return one row a position: position, token, and "dimension d" for each of the dimensions."""
    named = {"position": range(len(values)), "token": token_column(tokens, len(values))}
    return pd.DataFrame(named | {f"dimension {d}": values[:, d].round(4) for d in dimensions})


def heatmap_table(
    values: np.ndarray, base: float, tokens: Sequence[str], most: int
) -> pd.DataFrame:
    """Return one row a value: position, dimension, value, token if there are any, and wavelength.

    For more than `most` values it has one row a dimension, without position, value and token.
    """
    length, d_model = values.shape
    if values.size > most:
        # A mark for every value would stall the browser; columns still answer the pointer.
        table = pd.DataFrame({"dimension": range(d_model)})
    else:
        table = value_cells(values, "position", "dimension", "value")
        if tokens:
            table["token"] = np.repeat(token_column(tokens, length), d_model)
    lengths = wavelengths(d_model, base)[table["dimension"] // 2]
    return table.assign(wavelength=lengths.astype(np.float32))


def chosen_value(values: np.ndarray, chosen: tuple[int, int] | None) -> pd.DataFrame:
    """Return the value at (position, dimension): position, dimension, value; no row for None."""
    marked = [] if chosen is None else [(*chosen, values[chosen])]
    return pd.DataFrame(marked, columns=["position", "dimension", "value"])


def wavelength_table(d_model: int, base: float, n_tokens: int) -> pd.DataFrame:
    """Return one row a pair: pair, wavelength, and its turns in a sentence."""
    lengths = wavelengths(d_model, base)
    columns = {"wavelength": lengths, "turns": n_tokens / lengths}
    return pd.DataFrame({"pair": range(len(lengths)), **columns})


def numbered_positions(labels: Sequence[str], length: int) -> list[str]:
    """Return each position as text, with its token if there is one."""
    named = [f"{position} ({label})" for position, label in enumerate(labels)]
    return named + [str(position) for position in range(len(labels), length)]


def halves(d_model: int) -> list[np.ndarray]:
    """Return even and odd dimensions, or all together if a half would be no surface."""
    every = np.arange(d_model)
    return [every[0::2], every[1::2]] if d_model >= LEAST_HALVED else [every]


def drawn_pairs(d_model: int, most: int, pair: int = 0) -> tuple[int, int]:
    """Return the first of at most about `most` pairs and the step between them; `pair` is one.

    >>> drawn_pairs(256, 32, pair=6)
    (2, 4)
    """
    step = -(-(d_model // 2) // most)
    return pair % step, step


def near_and_far(values: np.ndarray, position: int) -> tuple[int, float, int, float]:
    """Return the next position and the least similar one, each with its cosine to `position`.

    `values`: (L, d_model) with L of at least 2. The last position has only one before it.
    """
    cosines = cosine_matrix(values)[position]
    near = position + 1 if position + 1 < len(values) else position - 1
    far = int(cosines.argmin())
    return near, float(cosines[near]), far, float(cosines[far])


def round_steps(count: int, most: int) -> list[int]:
    """Return about `most` round numbers from 0 to below `count`."""
    steps = (1, 2, 4, 5, 10, 20, 25, 50, 100)
    return list(range(0, count, next((step for step in steps if step * most >= count - 1), 200)))


def frame_around(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of the cells on the border of a matrix, in order around it."""
    down = np.arange(n_rows)
    across = np.arange(n_columns)
    rows = np.r_[0 * across, down, 0 * across + n_rows - 1, down[::-1]]
    return rows, np.r_[across, 0 * down + n_columns - 1, across[::-1], 0 * down]


def far_apart(points: np.ndarray, apart: float, most: int) -> list[int]:
    """Return points (N, k) with room for a label: the first, and those `apart` from all before."""
    chosen: list[int] = []
    # Greedy, because the first points matter most and few labels fit anyway.
    for index, point in enumerate(points):
        away = np.linalg.norm(points[chosen] - point, axis=1)
        if np.isfinite(point).all() and len(chosen) < most and (away >= apart).all():
            chosen.append(index)
    return chosen


# -- with numbers put in -------------------------------------------------------------------


def worked_out(position: int, dimension: int, d_model: int, base: float) -> str:
    """Write the formula of one value with its numbers filled in, as LaTeX."""
    function = r"\cos" if dimension % 2 else r"\sin"
    even = dimension - dimension % 2
    divisor = base ** (even / d_model)
    return (
        r"\small\begin{aligned}"
        rf"PE_{{({position},\,{dimension})}} &= {function}({position} \,/\, "
        rf"{base:g}^{{\,{even}/{d_model}}}) \\"
        rf"&= {function}({position} \,/\, {divisor:.6g}) \\"
        rf"&= {function}({position / divisor:.6g}) \\"
        rf"&= {encoding_value(position, dimension, d_model, base):.6f}"
        r"\end{aligned}"
    )


def encoding_value(position: int, dimension: int, d_model: int, base: float) -> float:
    """Return PE(position, dimension) of Vaswani et al. 2017, section 3.5."""
    return float(encoding_table(position + 1, d_model, base)[position, dimension])


def matrix_latex(rotation: Rotation) -> str:
    """Write the matrix of a rotation and its effect on a pair, as LaTeX."""
    rotated = f"{_latex(rotation.before[:, None])} = {_latex(rotation.after[:, None])}"
    matrix = _latex(rotation.matrix)
    return rf"\small\begin{{aligned}} R &= {matrix} \\ R & {rotated} \end{{aligned}}"


def _latex(matrix: np.ndarray) -> str:
    """Write a matrix as LaTeX, with four decimals."""
    # Adding 0.0 turns -0.0 into 0.0.
    rows = r" \\ ".join(" & ".join(f"{x:.4f}" for x in row) for row in matrix.round(4) + 0.0)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def values_table(values: np.ndarray) -> pd.DataFrame:
    """Return one row a position from 0, with all its dimensions."""
    table = pd.DataFrame(values, columns=[f"dimension {i}" for i in range(values.shape[1])])
    table.insert(0, "position", np.arange(len(values)))
    return table
