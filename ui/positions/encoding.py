"""The sinusoidal encoding: its formula, and its pictures from curves to a surface in space."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from analysis.positions import (
    LEAST_HALVED,
    Rotation,
    cosine_matrix,
    encoding_table,
    offset_similarity,
    rotation,
    rotation_error,
    spread_dimensions,
    wavelengths,
)
from analysis.projection import Projection, principal
from ui.choice import choice
from ui.kit.blocks import figure_block, plot_block
from ui.state import Run
from ui.words import say
from viz.encoding import (
    MOST_CURVES,
    curves_figure,
    encoding_heatmap,
    wavelength_figure,
)
from viz.encoding_relations import rotation_figure, similarity_curve, similarity_heatmap
from viz.encoding_space import encoding_curve, encoding_surface
from viz.figure import Figure, tables_of
from words.numbers import fixed, percent, scientific

from .encoding_formula import about_the_model, formula
from .encoding_scene import Scene
from .encoding_sliders import MOST_D_MODEL, chosen_value, sliders

MOST_OFFSET = 128


def show(run: Run) -> None:
    own = run.translator.position_table()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        part = choice("encoding_part", tuple(PARTS), words="encoding_part", title=False)
        source = choice(
            "encoding_values", ("formula", "model"), words="encoding_values", title=False
        )
        from_model = source == "model"
    length, d_model, base, mark = sliders(own, from_model, len(run.translation.src))
    left, right = st.columns([13, 6], gap="small")
    with right:
        st.markdown("## " + say("positions-formula-title"))
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
    )
    with left:
        if scene.length < 2 and part in OF_TWO:
            st.info(say("positions-one-position"), icon=":material/looks_two:")
        else:
            PARTS[part](scene)
    with right:
        formula(scene)
        about_the_model(scene)


def curves(scene: Scene) -> None:
    dimensions = dimension_menu(scene.d_model)
    figure = curves_figure(
        scene.values,
        dimensions,
        tokens=scene.tokens,
        chosen=_shown(scene, scene.dimension in dimensions),
    )
    names = ", ".join(map(str, dimensions))
    _draw(
        scene,
        figure,
        "curves",
        numbers=lambda: tables_of(figure)["lines"],
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
    )
    _draw(
        scene,
        figure,
        "wavelengths",
        numbers=lambda: tables_of(figure)["points"].drop(columns="chosen"),
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
    )
    _draw(
        scene,
        curve,
        "similarity",
        numbers=lambda: tables_of(curve)["curve"],
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
    matrix = similarity_heatmap(cosines, tokens=scene.tokens)
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
    figure = rotation_figure(found, scene.values, tokens=scene.tokens)
    picture, numbers = st.columns([3, 2], gap="small")
    with picture:
        _draw(
            scene,
            figure,
            "rotation",
            numbers=lambda: tables_of(figure)["points"].drop(columns=["x", "y", "label"]),
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


def surface(scene: Scene) -> None:
    values = scene.values
    halved = scene.d_model >= LEAST_HALVED
    caption = "positions-surface-caption-halves" if halved else "positions-surface-caption"
    plot_block(
        encoding_surface(values, tokens=scene.tokens, chosen=_shown(scene, True)),
        key="encoding_surface",
        alt=say("positions-surface-alt", rows=scene.length, columns=scene.d_model),
        caption=say(caption),
        name=say("positions-encoding-name-surface", what=scene.name),
        numbers=lambda: _all_values(values),
    )


def helix(scene: Scene) -> None:
    """The encodings in their principal components, of which there may be fewer than three."""
    found = principal(scene.values)
    n_components = int(np.count_nonzero(found.shares))
    if not n_components:
        st.info(say("positions-helix-none"), icon=":material/conversion_path:")
        return
    shares = [percent(float(share)) for share in found.shares]
    bunched = 0 < 2 * len(scene.tokens) < scene.length
    caption = "positions-helix-caption-bunched" if bunched else "positions-helix-caption"
    plot_block(
        encoding_curve(found, tokens=scene.tokens, chosen=scene.position),
        key="encoding_helix",
        alt=say(
            "positions-helix-alt",
            n=scene.length,
            first=shares[0],
            second=shares[1],
            third=shares[2],
        ),
        caption=say(caption),
        name=say("positions-encoding-name-helix", what=scene.name),
        numbers=lambda: component_table(found, scene.run.translation.src.tokens),
    )
    if n_components < 3:
        st.markdown(say("positions-helix-flat", k=n_components, n=scene.length))
    else:
        st.markdown(
            say("positions-helix", share=percent(float(found.shares.sum())), n=scene.length)
        )


def component_table(found: Projection, tokens: Sequence[str]) -> pd.DataFrame:
    """One line a position: its token, where the sentence has one, and its place in space."""
    length = len(found.coordinates)
    table = pd.DataFrame(found.coordinates, columns=["pc1", "pc2", "pc3"])
    table.insert(0, "position", np.arange(length))
    table.insert(1, "token", [*tokens[:length], *[""] * (length - len(tokens))])
    return table


PARTS: dict[str, Callable[[Scene], None]] = {
    "curves": curves,
    "heatmap": heatmap,
    "wavelengths": wavelength_part,
    "similarity": similarity,
    "rotation": rotation_part,
    "surface": surface,
    "helix": helix,
}
OF_TWO = ("similarity", "rotation", "surface")
"""Parts that compare or join positions, and have nothing to show of a single one."""


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
        name=say(f"positions-encoding-name-{name}", what=scene.name),
        numbers=numbers,
    )
