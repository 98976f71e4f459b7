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
from ui.blocks import figure_block
from ui.choice import choice
from ui.state import Run, is_dark
from ui.words import current_words, plain, say
from viz.encoding import (
    MOST_CURVES,
    curves_figure,
    encoding_heatmap,
    wavelength_figure,
)
from viz.encoding_relations import rotation_figure, similarity_curve, similarity_heatmap
from viz.figure import Figure
from viz.labels import distinct_labels
from words.numbers import fixed, scientific

LEAST_D_MODEL, MOST_D_MODEL = 4, 512
LEAST_LENGTH, MOST_LENGTH = 8, 512
MOST_OFFSET = 128
BASES = (
    *(10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000),
    *(7_000, 10_000, 15_000, 20_000, 30_000, 50_000, 70_000, 100_000),
)


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
        part = choice("encoding_part", tuple(PARTS), words="encoding_part", title=False)
        source = choice(
            "encoding_values", ("formula", "model"), words="encoding_values", title=False
        )
        from_model = source == "model"
        mark = mark_toggle()
    length, d_model, base = sliders(own, from_model, len(run.translation.src))
    left, right = st.columns([13, 6], gap="small")
    with right:
        st.markdown("##### " + say("positions-formula-title"))
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


def mark_toggle() -> bool:
    return st.toggle(
        say("positions-mark-label"),
        True,
        key="encoding_mark",
        bind="query-params",
        help=say("positions-mark-help"),
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
        say("positions-length-label"),
        LEAST_LENGTH,
        MOST_LENGTH,
        _within(n_positions, LEAST_LENGTH, MOST_LENGTH),
        key="encoding_length",
        bind="query-params",
        help=say("positions-length-help"),
    )
    if from_model and length > n_positions:
        st.caption(say("positions-table-ends", last=n_positions - 1))
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
        say("positions-as-model-label"),
        key="encoding_reset",
        icon=":material/restart_alt:",
        on_click=_set,
        kwargs=as_in_model,
        width="stretch",
        help=say("positions-as-model-help", d_model=d_model, base=f"{own.base:g}", n=n_positions),
    )
    st.button(
        say("positions-as-sentence-label"),
        key="encoding_fit",
        icon=":material/fit_width:",
        on_click=_set,
        kwargs={"encoding_length": _within(n_tokens, LEAST_LENGTH, MOST_LENGTH)},
        width="stretch",
        help=say("positions-as-sentence-help", n=n_tokens),
    )


def d_model_slider(own: int) -> int:
    asked = st.slider(
        say("positions-d-model-label"),
        LEAST_D_MODEL,
        MOST_D_MODEL,
        _within(own, LEAST_D_MODEL, MOST_D_MODEL),
        2,
        key="encoding_d_model",
        bind="query-params",
        help=say("positions-d-model-help"),
    )
    if asked % 2:
        st.caption(say("positions-d-model-odd", asked=asked, shown=asked - 1))
    return asked - asked % 2


def base_slider(own: float) -> float:
    return st.select_slider(
        say("positions-base-label"),
        bases(own),
        own,
        key="encoding_base",
        format_func=lambda base: f"{base:g}",
        bind="query-params",
        help=say("positions-base-help"),
    )


def bases(own: float) -> list[float]:
    """The bases to choose from, the model's among them."""
    return sorted({*map(float, BASES), own})


def fixed_sliders(d_model: int, base: float, columns: Sequence[DeltaGenerator]) -> None:
    """What the model was built with, where the other sliders stand."""
    low, high = min(d_model, LEAST_D_MODEL), max(d_model, MOST_D_MODEL)
    with columns[0]:
        label = say("positions-d-model-label")
        st.slider(label, low, high, d_model, 2, key="encoding_own_d_model", disabled=True)
    with columns[1]:
        st.select_slider(
            say("positions-base-label"),
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
            say("positions-pos-label"),
            0,
            MOST_LENGTH - 1,
            4,
            key="encoding_pos",
            bind="query-params",
        )
    with columns[1]:
        dimension = st.number_input(
            say("positions-dim-label"),
            0,
            most - 1,
            spread_dimensions(d_model)[0],
            key="encoding_dim",
            bind="query-params",
        )
    found = min(position, length - 1), min(dimension, d_model - 1)
    for name, asked, last in (
        ("pos", position, length - 1),
        ("dim", dimension, d_model - 1),
    ):
        if asked > last:
            st.caption(say(f"positions-{name}-beyond", asked=asked, last=last))
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
    position, dimension = scene.position, scene.dimension
    computed = encoding_value(position, dimension, scene.d_model, scene.base)
    in_table = table_words(scene.own, position, dimension, computed)
    if position < scene.n_tokens:
        token = plain(distinct_labels(scene.run.translation.src.tokens)[position])
        who = say("positions-who-token", position=position, token=token, i=dimension // 2)
    else:
        who = say("positions-who", position=position, i=dimension // 2)
    st.markdown(f"{who} {in_table}")


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
        return say("positions-in-table-not")
    value = float(own.values[position, dimension])
    away = scientific(abs(value - computed))
    return say("positions-in-table", value=fixed(value, 6), away=away)


def about_the_model(scene: Scene) -> None:
    """How far the model's table is from the formula, and how long its vectors are."""
    own = scene.own
    n_positions, d_model = own.values.shape
    exact = encoding_table(n_positions, d_model, own.base)
    difference = float(np.abs(own.values - exact).max())
    embeddings = scene.run.translator.embeddings(scene.run.translation.src)
    lengths = np.linalg.norm(embeddings.astype(np.float64), axis=1)
    positions = np.linalg.norm(own.values[: len(lengths)].astype(np.float64), axis=1)
    st.markdown("##### " + say("positions-adds-title"))
    st.markdown(
        say(
            adds_message(difference),
            rows=n_positions,
            columns=d_model,
            base=f"{own.base:g}",
            difference=scientific(difference),
        )
    )
    st.markdown(
        say(
            "positions-lengths",
            d_model=d_model,
            expected=fixed(math.sqrt(d_model / 2)),
            measured=fixed(positions.mean()),
            scale=fixed(own.embedding_scale),
            mean=fixed(lengths.mean()),
            shortest=fixed(lengths.min()),
            longest=fixed(lengths.max()),
        )
    )


def adds_message(difference: float) -> str:
    """Rounding a number of at most 1 to float32 moves it by up to 2^-25."""
    return "positions-adds-rounded" if difference <= 2**-24 else "positions-adds"


def curves(scene: Scene) -> None:
    dimensions = dimension_menu(scene.d_model)
    figure = curves_figure(
        scene.values,
        dimensions,
        tokens=scene.tokens,
        chosen=_shown(scene, scene.dimension in dimensions),
        dark=scene.dark,
        say=current_words(),
    )
    names = ", ".join(map(str, dimensions))
    _draw(
        scene,
        figure,
        "curves",
        numbers=lambda: figure.tables["lines"],
        alt=say("positions-curves-alt", names=names, n=scene.length),
    )


def dimension_menu(d_model: int) -> list[int]:
    chosen = st.multiselect(
        say("positions-dims-label"),
        list(range(d_model)),
        list(spread_dimensions(d_model)),
        key="encoding_dims",
        format_func=str,
        max_selections=MOST_CURVES,
        bind="query-params",
        help=say("positions-dims-help", most=MOST_CURVES),
    )
    if not chosen:
        st.caption(say("positions-dims-none"))
    return chosen or list(spread_dimensions(d_model))


def heatmap(scene: Scene) -> None:
    figure = encoding_heatmap(
        scene.values,
        base=scene.base,
        tokens=scene.tokens,
        chosen=_shown(scene, True),
        dark=scene.dark,
        say=current_words(),
    )
    values = scene.values
    _draw(
        scene,
        figure,
        "heatmap",
        numbers=lambda: _all_values(values),
        alt=say("positions-heatmap-alt", rows=scene.length, columns=scene.d_model),
    )
    st.caption(say("positions-heatmap-caption"))


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
        say=current_words(),
    )
    _draw(
        scene,
        figure,
        "wavelengths",
        numbers=lambda: figure.tables["points"].drop(columns="chosen"),
        alt=say("positions-wavelengths-alt", n=len(lengths), **_ends(lengths)),
    )
    formula_of_it = rf"$\lambda_i = 2\pi \cdot {scene.base:g}^{{\,2i/{scene.d_model}}}$"
    st.markdown(
        say(
            "positions-wavelengths",
            formula=formula_of_it,
            pair=pair,
            own=f"{lengths[pair]:,.2f}",
            **_ends(lengths),
        )
        + " "
        + say("positions-turns-sentence", **_turning(lengths, scene.n_tokens))
        + " "
        + say("positions-turns-longest", **_turning(lengths, scene.max_len))
    )


def _ends(lengths: np.ndarray) -> dict[str, str]:
    return {"shortest": fixed(lengths[0]), "longest": f"{lengths[-1]:,.0f}"}


def _turning(lengths: np.ndarray, n_tokens: int) -> dict[str, int]:
    """How many pairs make a full turn within so many tokens."""
    return {"n": int((lengths <= n_tokens).sum()), "pairs": len(lengths), "tokens": n_tokens}


def similarity(scene: Scene) -> None:
    found = offset_similarity(scene.values)
    curve = similarity_curve(
        found,
        sentence_length=scene.n_tokens if scene.tokens else None,
        dark=scene.dark,
        say=current_words(),
    )
    _draw(
        scene,
        curve,
        "similarity",
        numbers=lambda: curve.tables["curve"],
        alt=say("positions-similarity-alt"),
    )
    st.markdown(
        say(
            "positions-similarity",
            formula=r"$PE(pos) \cdot PE(pos+k) = \sum_i \cos(\omega_i k)$",
            n=scene.length,
            spread=scientific(found.spread),
            largest=fixed(found.dots[0]),
        )
    )
    cosines = cosine_matrix(scene.values)
    matrix = similarity_heatmap(cosines, tokens=scene.tokens, dark=scene.dark, say=current_words())
    _draw(
        scene,
        matrix,
        "matrix",
        numbers=lambda: pd.DataFrame(cosines, columns=[f"{j}" for j in range(len(cosines))]),
        alt=say("positions-similarity-matrix-alt"),
    )


def rotation_part(scene: Scene) -> None:
    pair = scene.dimension // 2
    offset = st.slider(
        say("positions-offset-label"),
        1,
        MOST_OFFSET,
        3,
        key="encoding_offset",
        bind="query-params",
        help=say("positions-offset-help"),
    )
    if offset > scene.length - 1:
        st.caption(
            say("positions-offset-beyond", n=scene.length, largest=scene.length - 1, asked=offset)
        )
        offset = scene.length - 1
    found = rotation(scene.position, pair, offset, scene.d_model, scene.base)
    figure = rotation_figure(
        found, scene.values, tokens=scene.tokens, dark=scene.dark, say=current_words()
    )
    picture, numbers = st.columns([3, 2], gap="small")
    with picture:
        _draw(
            scene,
            figure,
            "rotation",
            numbers=lambda: figure.tables["points"].drop(columns=["x", "y", "label"]),
            alt=say("positions-rotation-alt", pair=pair, position=scene.position, offset=offset),
        )
    with numbers:
        st.latex(matrix_latex(found))
        turns = found.angle / (2 * math.pi)
        st.markdown(
            say(
                "positions-turned" if turns >= 1 else "positions-turned-less",
                frequency=f"{found.frequency:.6g}",
                offset=offset,
                pair=pair,
                radians=fixed(found.angle, 4),
                degrees=fixed(math.degrees(found.angle)),
                turns=fixed(turns),
            )
        )
        st.markdown(
            say(
                f"positions-rotation-error-{'model' if scene.from_model else 'formula'}",
                positions=scene.length - offset,
                pairs=scene.d_model // 2,
                offset=offset,
                error=scientific(rotation_error(scene.values, offset, scene.base)),
            )
        )
    st.caption(say("positions-rotation-caption", offset=offset))


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
    figure_block(
        figure,
        key=f"encoding_{name}",
        alt=alt,
        name=f"positional encoding {name} {scene.name}",
        numbers=numbers,
    )


def _set(**values: float) -> None:
    for key, value in values.items():
        st.session_state[key] = value


def _within(number: int, low: int, high: int) -> int:
    return max(low, min(high, number))
