"""The sinusoidal encoding: its pictures, from a heat map to a surface in space."""

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
    offset_similarity,
    rotation,
    rotation_error,
    spread_dimensions,
    wavelengths,
)
from analysis.projection import Projection, principal
from ui.kit.blocks import note
from ui.kit.controls import choice, several, slider
from ui.kit.layout import controls, finding, settings
from ui.state import Run
from ui.words import say
from viz.encoding import MOST_CURVES, curves_figure, encoding_heatmap, wavelength_figure
from viz.encoding_relations import rotation_figure, similarity_curve, similarity_heatmap
from viz.encoding_space import encoding_curve, encoding_surface
from words.numbers import fixed, percent, scientific

from .encoding_scene import Scene, about_the_model, chosen_scene, formula

MOST_OFFSET = 128


def show(run: Run) -> None:
    with controls():
        part = choice(
            "encoding_part",
            tuple(PARTS),
            words="encoding_part",
            style="select",
            default="heatmap",
            title=False,
            width=140,
        )
    left, right = st.columns([13, 6], gap="small")
    with right:
        scene = chosen_scene(run, as_long=part == "heatmap")
    with left:
        if scene.length < 2 and part in OF_TWO:
            note("positions-one-position", "looks_two")
        else:
            PARTS[part](scene)
    with right:
        formula(scene)
    about_the_model(scene)


def _tell_turns(scene: Scene) -> None:
    lengths = wavelengths(scene.d_model, scene.base)
    degrees = fixed(360 * scene.n_tokens / lengths[-1])
    finding(say("positions-turns-within", degrees=degrees, **_turning(lengths, scene.n_tokens)))


def _turning(lengths: np.ndarray, n_tokens: int) -> dict[str, int]:
    return {"turning": int((lengths <= n_tokens).sum()), "pairs": len(lengths), "tokens": n_tokens}


def _ring(scene: Scene) -> tuple[int, int]:
    return scene.position, scene.dimension


def curves(scene: Scene) -> None:
    _tell_turns(scene)
    few = list(spread_dimensions(scene.d_model))
    with settings():
        dimensions = several(
            "encoding_dims",
            range(scene.d_model),
            few,
            words="encoding_dims",
            values={"most": MOST_CURVES},
            format_func=str,
            max_selections=MOST_CURVES,
        )
        if not dimensions:
            st.caption(say("encoding_dims-none"))
    shown = dimensions or few
    chosen = _ring(scene) if scene.dimension in shown else None
    figure = curves_figure(scene.values, shown, tokens=scene.tokens, chosen=chosen)
    names = ", ".join(map(str, shown))
    scene.draw("curves", figure, "lines", names=names)


def heatmap(scene: Scene) -> None:
    _tell_turns(scene)
    how = {"base": scene.base, "tokens": scene.tokens, "chosen": _ring(scene)}
    scene.draw("heatmap", encoding_heatmap(scene.values, **how), lambda: _all_values(scene.values))


def wavelength_part(scene: Scene) -> None:
    _tell_turns(scene)
    lengths, pair = wavelengths(scene.d_model, scene.base), scene.dimension // 2
    most = scene.run.translator.max_source_len
    figure = wavelength_figure(
        scene.d_model, scene.base, sentence_length=scene.n_tokens, max_len=most, pair=pair
    )
    scene.draw(
        "wavelengths",
        figure,
        "points",
        leave_out=["chosen"],
        formula=rf"$\lambda_i = 2\pi \cdot {scene.base:g}^{{\,2i/{scene.d_model}}}$",
        shortest=fixed(lengths[0]),
        longest=f"{lengths[-1]:,.0f}",
        pair=pair,
        own=f"{lengths[pair]:,.2f}",
        **_turning(lengths, most),
    )


def similarity(scene: Scene) -> None:
    found = offset_similarity(scene.values)
    formula_of_it = r"$PE(pos) \cdot PE(pos+k) = \sum_i \cos(\omega_i k)$"
    told = {"spread": scientific(found.spread), "largest": fixed(found.dots[0])}
    finding(say("positions-similarity", formula=formula_of_it, n=scene.length, **told))
    curve = similarity_curve(found, sentence_length=scene.n_tokens if scene.marked else None)
    scene.draw("similarity", curve, "curve")
    cosines = cosine_matrix(scene.values)
    matrix = similarity_heatmap(cosines, tokens=scene.tokens)
    scene.draw("matrix", matrix, lambda: pd.DataFrame(cosines).rename(columns=str))


def rotation_part(scene: Scene) -> None:
    last, told = scene.length - 1, {"pair": scene.dimension // 2, "position": scene.position}
    with scene.beside:
        asked = slider("encoding_offset", 1, MOST_OFFSET, 3, words="encoding_offset")
        offset = min(asked, last)
        if asked > last:
            st.caption(say("encoding_offset-beyond", n=scene.length, largest=last, asked=asked))
    found = rotation(scene.position, told["pair"], offset, scene.d_model, scene.base)
    turns, error = found.angle / (2 * math.pi), rotation_error(scene.values, offset, scene.base)
    told |= {"offset": offset, "turns": fixed(turns), "error": scientific(error)}
    told |= {"frequency": f"{found.frequency:.6g}", "radians": fixed(found.angle, 4)}
    told |= {"degrees": fixed(math.degrees(found.angle)), "pairs": scene.d_model // 2}
    finding(say("positions-turned" if turns >= 1 else "positions-turned-less", **told))
    figure = rotation_figure(found, scene.values, tokens=scene.tokens)
    picture, numbers = st.columns([3, 2], gap="small")
    with picture:
        scene.draw("rotation", figure, "points", leave_out=["x", "y", "label"], **told)
    with numbers:
        st.latex(matrix_latex(found))
        source = "model" if scene.from_model else "formula"
        positions = scene.length - offset
        st.markdown(say(f"positions-rotation-error-{source}", positions=positions, **told))


def matrix_latex(found: Rotation) -> str:
    """R, and what it makes of the pair."""
    rotated = f"{_latex(found.before[:, None])} = {_latex(found.after[:, None])}"
    return rf"\small\begin{{aligned}} R &= {_latex(found.matrix)} \\ R & {rotated} \end{{aligned}}"


def _latex(matrix: np.ndarray) -> str:
    rows = r" \\ ".join(" & ".join(f"{x:.4f}" for x in row) for row in matrix.round(4) + 0.0)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def surface(scene: Scene) -> None:
    _tell_turns(scene)
    figure = encoding_surface(scene.values, tokens=scene.tokens, chosen=_ring(scene))
    halved = "yes" if scene.d_model >= LEAST_HALVED else "no"
    scene.draw("surface", figure, lambda: _all_values(scene.values), halved=halved)


def helix(scene: Scene) -> None:
    """The encodings in their principal components, of which there may be fewer than three."""
    found = principal(scene.values)
    n_components = int(np.count_nonzero(found.shares))
    if not n_components:
        note("positions-helix-none", "conversion_path")
        return
    if n_components < 3:
        finding(say("positions-helix-flat", k=n_components, n=scene.length))
    else:
        share = percent(float(found.shares.sum()))
        finding(say("positions-helix", share=share, n=scene.length))
    names = ("first", "second", "third")
    scene.draw(
        "helix",
        encoding_curve(found, tokens=scene.tokens, chosen=scene.position),
        lambda: component_table(found, scene.run.translation.src.tokens),
        bunched="yes" if 0 < 2 * len(scene.tokens) < scene.length else "no",
        **{name: percent(float(each)) for name, each in zip(names, found.shares, strict=True)},
    )


def component_table(found: Projection, tokens: Sequence[str]) -> pd.DataFrame:
    """One line a position: its token, where the sentence has one, and its place in space."""
    length = len(found.coordinates)
    table = pd.DataFrame(found.coordinates, columns=["pc1", "pc2", "pc3"])
    table.insert(0, "position", np.arange(length))
    table.insert(1, "token", [*tokens[:length], *[""] * (length - len(tokens))])
    return table


def _all_values(values: np.ndarray) -> pd.DataFrame:
    table = pd.DataFrame(values, columns=[f"dimension {i}" for i in range(values.shape[1])])
    table.insert(0, "position", np.arange(len(values)))
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
