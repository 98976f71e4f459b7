"""The sinusoidal encoding: curves, heat map, wavelengths, similarity, rotation, and its formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.positions import (
    Rotation,
    cosine_matrix,
    encoding_table,
    frequencies,
    offset_similarity,
    rotation,
    rotation_error,
    spread_dimensions,
    wavelengths,
)
from records import PositionTable
from ui.controls import named_switch
from ui.export import export_menu
from ui.panels import show_picture
from ui.state import Run, is_dark
from ui.words import plain
from viz.encoding import (
    MOST_CURVES,
    curves_figure,
    encoding_heatmap,
    wavelength_figure,
)
from viz.encoding_relations import rotation_figure, similarity_curve, similarity_heatmap
from viz.figure import Figure
from viz.labels import distinct_labels

LEAST_D_MODEL, MOST_D_MODEL = 4, 512
LEAST_LENGTH, MOST_LENGTH = 8, 512
MOST_OFFSET = 128
BASES = (
    *(10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000),
    *(7_000, 10_000, 15_000, 20_000, 30_000, 50_000, 70_000, 100_000),
)
PART_NAMES = {
    "curves": "Curves",
    "heatmap": "Heat map",
    "wavelengths": "Wavelengths",
    "similarity": "Similarity",
    "rotation": "Rotation",
}
SOURCE_NAMES = {"formula": "The formula", "model": "The model's own"}


@dataclass(frozen=True, eq=False)
class Scene:
    """What every part of the view is given.

    Attributes
    ----------
    own : what the loaded model adds to its embeddings.
    from_model : `values` are the model's, not worked out by the formula.
    values : (length, d_model), shown.
    tokens : the sentence's, from position 0 on; none where it is not to be marked.
    n_tokens, max_len : length of the sentence, and the longest the model takes.
    position, dimension : the chosen value.
    """

    run: Run
    own: PositionTable
    from_model: bool
    values: np.ndarray
    base: float
    tokens: tuple[str, ...]
    n_tokens: int
    max_len: int
    position: int
    dimension: int
    dark: bool

    @property
    def length(self) -> int:
        return self.values.shape[0]

    @property
    def d_model(self) -> int:
        return self.values.shape[1]

    @property
    def name(self) -> str:
        source = "model" if self.from_model else "formula"
        return f"d_model {self.d_model} base {self.base:g} length {self.length} {source}"


def show(run: Run) -> None:
    own = run.translator.position_table()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        part = part_switch()
        from_model = source_switch()
        mark = mark_toggle()
    length, d_model, base = sliders(own, from_model, len(run.translation.src))
    left, right = st.columns([13, 6], gap="small")
    with right:
        st.markdown("##### The formula")
        position, dimension = chosen_value(length, d_model, max(MOST_D_MODEL, own.values.shape[1]))
    scene = Scene(
        run=run,
        own=own,
        from_model=from_model,
        values=own.values[:length] if from_model else encoding_table(length, d_model, base),
        base=base,
        tokens=run.translation.src.tokens if mark else (),
        n_tokens=len(run.translation.src),
        max_len=run.translator.max_source_len,
        position=position,
        dimension=dimension,
        dark=is_dark(),
    )
    with left:
        PARTS[part](scene)
    with right:
        formula(scene)
        about_the_model(scene)


def part_switch() -> str:
    return named_switch("Part of the encoding", "encoding_part", PART_NAMES)


def source_switch() -> bool:
    return named_switch("Values from", "encoding_values", SOURCE_NAMES) == "model"


def mark_toggle() -> bool:
    return st.toggle(
        "Mark the sentence",
        True,
        key="encoding_mark",
        bind="query-params",
        help="Positions of the sentence's tokens, with their names where there is room.",
    )


def sliders(own: PositionTable, from_model: bool, n_tokens: int) -> tuple[int, int, float]:
    """Length, d_model and base, those of the model on request."""
    n_positions, d_model = own.values.shape
    base = own.base
    columns = st.columns([4, 4, 4, 3], gap="medium")
    if from_model:
        fixed_sliders(d_model, base, columns)
    else:
        with columns[0]:
            d_model = d_model_slider(d_model)
        with columns[1]:
            base = base_slider(base)
    with columns[2]:
        length = length_slider(n_positions, from_model)
    with columns[3], st.container(gap="xsmall"):
        reset_buttons(own, n_tokens)
    return length, d_model, base


def length_slider(n_positions: int, from_model: bool) -> int:
    length = st.slider(
        "Length",
        LEAST_LENGTH,
        MOST_LENGTH,
        _within(n_positions, LEAST_LENGTH, MOST_LENGTH),
        key="encoding_length",
        bind="query-params",
        help="Positions shown, from 0 on.",
    )
    if from_model and length > n_positions:
        st.caption(f"The model's table ends at position {n_positions - 1}.")
        return n_positions
    return length


def reset_buttons(own: PositionTable, n_tokens: int) -> None:
    n_positions, d_model = own.values.shape
    as_in_model = {
        "encoding_d_model": _within(d_model, LEAST_D_MODEL, MOST_D_MODEL),
        "encoding_base": own.base,
        "encoding_length": _within(n_positions, LEAST_LENGTH, MOST_LENGTH),
    }
    st.button(
        "As in the model",
        key="encoding_reset",
        icon=":material/restart_alt:",
        on_click=_set,
        kwargs=as_in_model,
        width="stretch",
        help=f"d_model {d_model}, base {own.base:g}, {n_positions} positions",
    )
    st.button(
        "As the sentence",
        key="encoding_fit",
        icon=":material/fit_width:",
        on_click=_set,
        kwargs={"encoding_length": _within(n_tokens, LEAST_LENGTH, MOST_LENGTH)},
        width="stretch",
        help=f"A length of {n_tokens} positions, one for each token",
    )


def d_model_slider(own: int) -> int:
    asked = st.slider(
        "d_model",
        LEAST_D_MODEL,
        MOST_D_MODEL,
        _within(own, LEAST_D_MODEL, MOST_D_MODEL),
        2,
        key="encoding_d_model",
        bind="query-params",
        help="Numbers in one encoding; even, because sines and cosines come in pairs.",
    )
    if asked % 2:
        st.caption(
            f"d_model must be even, because sines and cosines come in pairs; {asked} was asked "
            f"for, {asked - 1} is shown."
        )
    return asked - asked % 2


def base_slider(own: float) -> float:
    return st.select_slider(
        "Base",
        bases(own),
        own,
        key="encoding_base",
        format_func=lambda base: f"{base:g}",
        bind="query-params",
        help="On a log scale. The longest wavelength comes close to 2π times the base.",
    )


def bases(own: float) -> list[float]:
    """The bases to choose from, the model's among them."""
    return sorted({*map(float, BASES), own})


def fixed_sliders(d_model: int, base: float, columns: Sequence[DeltaGenerator]) -> None:
    """What the model was built with, where the other sliders stand."""
    low, high = min(d_model, LEAST_D_MODEL), max(d_model, MOST_D_MODEL)
    with columns[0]:
        st.slider("d_model", low, high, d_model, 2, key="encoding_own_d_model", disabled=True)
    with columns[1]:
        st.select_slider(
            "Base",
            bases(base),
            base,
            key="encoding_own_base",
            format_func=lambda each: f"{each:g}",
            disabled=True,
        )


def chosen_value(length: int, d_model: int, most: int) -> tuple[int, int]:
    """The position and the dimension whose value is worked out; the nearest there are."""
    columns = st.columns(2)
    with columns[0]:
        position = st.number_input(
            "Position pos", 0, MOST_LENGTH - 1, 4, key="encoding_pos", bind="query-params"
        )
    with columns[1]:
        dimension = st.number_input(
            "Dimension",
            0,
            most - 1,
            spread_dimensions(d_model)[0],
            key="encoding_dim",
            bind="query-params",
        )
    found = min(position, length - 1), min(dimension, d_model - 1)
    beyond = [
        f"{name} {asked} lies beyond the last, {last}"
        for name, asked, last in (
            ("position", position, length - 1),
            ("dimension", dimension, d_model - 1),
        )
        if asked > last
    ]
    if beyond:
        st.caption(f"{'; '.join(beyond).capitalize()}, which is shown instead.")
    return found


def formula(scene: Scene) -> None:
    """The formula, with the numbers of the chosen value put in."""
    st.latex(
        r"\small\begin{aligned}"
        r"PE_{(pos,\,2i)} &= \sin(pos \,/\, base^{\,2i/d_{model}}) \\"
        r"PE_{(pos,\,2i+1)} &= \cos(pos \,/\, base^{\,2i/d_{model}})"
        r"\end{aligned}"
    )
    st.latex(worked_out(scene.position, scene.dimension, scene.d_model, scene.base))
    who = ":"
    if scene.position < scene.n_tokens:
        token = distinct_labels(scene.run.translation.src.tokens)[scene.position]
        who = f" is “{plain(token)}” and"
    computed = encoding_value(scene.position, scene.dimension, scene.d_model, scene.base)
    st.markdown(
        f"Position {scene.position}{who} i = {scene.dimension // 2}. "
        + table_words(scene.own, scene.position, scene.dimension, computed)
    )


def worked_out(position: int, dimension: int, d_model: int, base: float) -> str:
    """LaTeX of one value, step by step."""
    function = r"\cos" if dimension % 2 else r"\sin"
    even = dimension - dimension % 2
    divisor = float(1 / frequencies(d_model, base)[dimension // 2])
    value = encoding_value(position, dimension, d_model, base)
    return (
        r"\small\begin{aligned}"
        rf"PE_{{({position},\,{dimension})}} &= {function}({position} \,/\, "
        rf"{base:g}^{{\,{even}/{d_model}}}) \\"
        rf"&= {function}({position} \,/\, {divisor:.6g}) \\"
        rf"&= {function}({position / divisor:.6g}) \\"
        rf"&= {value:.6f}"
        r"\end{aligned}"
    )


def encoding_value(position: int, dimension: int, d_model: int, base: float) -> float:
    angle = position * float(frequencies(d_model, base)[dimension // 2])
    return math.cos(angle) if dimension % 2 else math.sin(angle)


def table_words(own: PositionTable, position: int, dimension: int, computed: float) -> str:
    """The same value in the model's table."""
    n_positions, d_model = own.values.shape
    if position >= n_positions or dimension >= d_model:
        return "The model's own table does not reach that far."
    value = float(own.values[position, dimension])
    return (
        f"In the model's own table: **{_signed(value)}**, which is {abs(value - computed):.1e} "
        "away."
    )


def about_the_model(scene: Scene) -> None:
    """How far the model's table is from the formula, and how long its vectors are."""
    own = scene.own
    n_positions, d_model = own.values.shape
    exact = encoding_table(n_positions, d_model, own.base)
    difference = float(np.abs(own.values - exact).max())
    embeddings = scene.run.translator.embeddings(scene.run.translation.src)
    lengths = np.linalg.norm(embeddings.astype(np.float64), axis=1)
    positions = np.linalg.norm(own.values[: len(lengths)].astype(np.float64), axis=1)
    st.markdown("##### What the model adds")
    st.markdown(
        f"The loaded model adds a table of {n_positions} × {d_model} numbers, with base "
        f"{own.base:g}. Largest difference from the formula: **{difference:.1e}**"
        f"{rounding_words(difference)}."
    )
    st.markdown(
        f"An encoding has length √({d_model} / 2) = {math.sqrt(d_model / 2):.2f}; measured "
        f"**{positions.mean():.2f}**. The embeddings of this sentence, multiplied by "
        f"√{d_model} = {own.embedding_scale:.2f}, have a mean length of **{lengths.mean():.2f}** "
        f"({lengths.min():.2f} to {lengths.max():.2f})."
    )


def rounding_words(difference: float) -> str:
    """Rounding a number of at most 1 to float32 moves it by up to 2^-25."""
    return ", the rounding of float32" if difference <= 2**-24 else ""


def curves(scene: Scene) -> None:
    dimensions = dimension_menu(scene.d_model)
    figure = curves_figure(
        scene.values,
        dimensions,
        tokens=scene.tokens,
        chosen=_shown(scene, scene.dimension in dimensions),
        dark=scene.dark,
    )
    names = ", ".join(map(str, dimensions))
    _draw(
        scene,
        figure,
        "curves",
        numbers=lambda: figure.tables["lines"],
        alt=f"Values of the dimensions {names} over {scene.length} positions as curves.",
    )


def dimension_menu(d_model: int) -> list[int]:
    chosen = st.multiselect(
        "Dimensions",
        list(range(d_model)),
        list(spread_dimensions(d_model)),
        key="encoding_dims",
        format_func=str,
        max_selections=MOST_CURVES,
        bind="query-params",
        help="Even dimensions are sines, odd ones cosines; 2i and 2i + 1 are a pair of one "
        f"wavelength. {MOST_CURVES} at most.",
    )
    if not chosen:
        st.caption("No dimension is chosen, so a few are shown that lie far apart.")
    return chosen or list(spread_dimensions(d_model))


def heatmap(scene: Scene) -> None:
    figure = encoding_heatmap(
        scene.values,
        base=scene.base,
        tokens=scene.tokens,
        chosen=_shown(scene, True),
        dark=scene.dark,
    )
    values = scene.values
    _draw(
        scene,
        figure,
        "heatmap",
        numbers=lambda: _all_values(values),
        alt=f"Heat map of {scene.length} positions by {scene.d_model} dimensions, from -1 to 1. "
        "The chosen value is written out beside the formula.",
    )
    st.caption(
        "The ring is the value worked out beside it. The fast pairs are on the left; on the right "
        "sines stay near 0 and cosines near 1."
    )


def wavelength_part(scene: Scene) -> None:
    lengths = wavelengths(scene.d_model, scene.base)
    pair = scene.dimension // 2
    figure = wavelength_figure(
        scene.d_model,
        scene.base,
        sentence_length=scene.n_tokens,
        max_len=scene.max_len,
        pair=pair,
        dark=scene.dark,
    )
    _draw(
        scene,
        figure,
        "wavelengths",
        numbers=lambda: figure.tables["points"].drop(columns="chosen"),
        alt=f"Wavelengths of {len(lengths)} pairs on a log scale, from {lengths[0]:.2f} to "
        f"{lengths[-1]:,.0f} positions.",
    )
    st.markdown(
        rf"$\lambda_i = 2\pi \cdot {scene.base:g}^{{\,2i/{scene.d_model}}}$: from "
        f"**{lengths[0]:.2f}** to **{lengths[-1]:,.0f}** positions; pair {pair} has "
        f"**{lengths[pair]:,.2f}**. {turning_words(lengths, scene.n_tokens, 'this sentence')} "
        f"{turning_words(lengths, scene.max_len, 'the longest sentence the model takes')}"
    )


def turning_words(lengths: np.ndarray, n_tokens: int, what: str) -> str:
    whole = int((lengths <= n_tokens).sum())
    verb = "makes" if whole == 1 else "make"
    return f"{whole} of {len(lengths)} pairs {verb} a full turn within {what} ({n_tokens})."


def similarity(scene: Scene) -> None:
    found = offset_similarity(scene.values)
    curve = similarity_curve(
        found, sentence_length=scene.n_tokens if scene.tokens else None, dark=scene.dark
    )
    _draw(
        scene,
        curve,
        "similarity",
        numbers=lambda: curve.tables["curve"],
        alt="Dot product and cosine of two encodings against their offset.",
    )
    st.markdown(
        r"$PE(pos) \cdot PE(pos+k) = \sum_i \cos(\omega_i k)$ does not depend on pos. Measured "
        f"over all {scene.length} positions and all offsets, pos makes a difference of at most "
        f"**{found.spread:.1e}**, on products of up to {found.dots[0]:.2f}."
    )
    cosines = cosine_matrix(scene.values)
    matrix = similarity_heatmap(cosines, tokens=scene.tokens, dark=scene.dark)
    _draw(
        scene,
        matrix,
        "matrix",
        numbers=lambda: pd.DataFrame(cosines, columns=[f"{j}" for j in range(len(cosines))]),
        alt="Cosine of every two positions as a matrix; it is constant along each diagonal.",
    )


def rotation_part(scene: Scene) -> None:
    pair = scene.dimension // 2
    offset = st.slider(
        "Offset k",
        1,
        MOST_OFFSET,
        3,
        key="encoding_offset",
        bind="query-params",
        help="How many positions the rotation goes on. The pair and the position are those of the "
        "formula.",
    )
    if offset > scene.length - 1:
        st.caption(
            f"{scene.length} positions are shown, so the largest offset between two of them, "
            f"{scene.length - 1}, takes the place of {offset}."
        )
        offset = scene.length - 1
    found = rotation(scene.position, pair, offset, scene.d_model, scene.base)
    figure = rotation_figure(found, scene.values, tokens=scene.tokens, dark=scene.dark)
    picture, numbers = st.columns([3, 2], gap="small")
    with picture:
        _draw(
            scene,
            figure,
            "rotation",
            numbers=lambda: figure.tables["points"].drop(columns=["x", "y", "label"]),
            alt=f"Pair {pair} on the unit circle at position {scene.position} and {offset} later.",
        )
    with numbers:
        st.latex(matrix_latex(found))
        turns = found.angle / (2 * math.pi)
        st.markdown(
            f"ω = {found.frequency:.6g} radians a position; k = {offset} "
            f"turns pair {pair} by **{found.angle:.4f}** radians = {math.degrees(found.angle):.2f}°"
            + (f", that is {turns:.2f} turns." if turns >= 1 else ".")
        )
        error = rotation_error(scene.values, offset, scene.base)
        source = "the model's float32 values" if scene.from_model else "the formula"
        st.markdown(
            f"Measured over all {scene.length - offset} pos and all {scene.d_model // 2} "
            f"pairs, with {source}, in float64: max |R·PE(pos) − PE(pos + {offset})| = "
            f"**{error:.1e}**."
        )
    st.caption(f"R depends on k = {offset}, not on pos. Faint dots are the other positions shown.")


def matrix_latex(found: Rotation) -> str:
    """R, and what it makes of the pair."""
    rotated = f"{_latex(found.before[:, None])} = {_latex(found.after[:, None])}"
    return rf"\small\begin{{aligned}} R &= {_latex(found.matrix)} \\ R & {rotated} \end{{aligned}}"


def _latex(matrix: np.ndarray) -> str:
    rows = r" \\ ".join(" & ".join(f"{x:.4f}" for x in row) for row in matrix.round(4) + 0.0)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


PARTS: dict[str, Callable[[Scene], None]] = {
    "curves": curves,
    "heatmap": heatmap,
    "wavelengths": wavelength_part,
    "similarity": similarity,
    "rotation": rotation_part,
}


def _shown(scene: Scene, visible: bool) -> tuple[int, int] | None:
    return (scene.position, scene.dimension) if visible else None


def _all_values(values: np.ndarray) -> pd.DataFrame:
    """One line a position, one column a dimension."""
    table = pd.DataFrame(values, columns=[f"dimension {i}" for i in range(values.shape[1])])
    table.insert(0, "position", np.arange(len(values)))
    return table


def _draw(
    scene: Scene,
    figure: Figure,
    name: str,
    *,
    numbers: Callable[[], pd.DataFrame],
    alt: str,
) -> None:
    """A figure that can be saved."""
    show_picture(figure, key=f"encoding_{name}_figure", alt=alt)
    export_menu(
        figure,
        key=f"encoding_{name}_export",
        name=f"positional encoding {name} {scene.name}",
        numbers=numbers,
    )


def _set(**values: float) -> None:
    for key, value in values.items():
        st.session_state[key] = value


def _within(number: int, low: int, high: int) -> int:
    return max(low, min(high, number))


def _signed(value: float) -> str:
    return f"{value:.6f}".replace("-", "−")
