"""Sinusoidal encoding: its controls and figures, from a heat map to a surface."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.positions import (
    LEAST_HALVED,
    PositionTable,
    cosine_matrix,
    encoding_table,
    encoding_value,
    matrix_latex,
    offset_similarity,
    rotation,
    rotation_error,
    spread_dimensions,
    values_table,
    wavelengths,
    worked_out,
)
from core.principal import component_table, principal
from core.tokens import distinct_labels
from model.experiments.order import embeddings, position_table
from ui.kit.blocks import picture
from ui.kit.controls import button, choice, menu, number, several, slider, stops, toggle
from ui.kit.layout import caption, controls, finding, note, paragraph, settings, subtitle
from ui.positions.trained import learned, relative
from ui.state import Run
from ui.words import plain, say
from viz.encoding import MOST_CURVES, curves_figure, encoding_heatmap, wavelength_figure
from viz.encoding_relations import rotation_figure, similarity_curve, similarity_heatmap
from viz.encoding_space import encoding_curve, encoding_surface

MOST_D_MODEL = 512
MOST_LENGTH = 512
# Round numbers, so that the slider of bases reads well; 10000 is that of the paper.
BASES = {step * 10.0**power for power in (1, 2, 3, 4) for step in (1, 1.5, 2, 3, 5, 7)} | {1e5}
MOST_OFFSET = 128


@dataclass(frozen=True, eq=False)
class Scene:
    """An encoding table with the choices of the page."""

    run: Run
    own: PositionTable  # the table that the loaded model adds to its embeddings
    from_model: bool  # `values` are the model's instead of the formula's
    values: np.ndarray  # (length, d_model), as shown
    base: float
    marked: bool  # mark the sentence, from position 0 on
    position: int
    dimension: int
    beside: DeltaGenerator  # container of the controls

    @property
    def length(self) -> int:
        return self.values.shape[0]

    @property
    def d_model(self) -> int:
        return self.values.shape[1]

    @property
    def place(self) -> tuple[int, int]:
        return self.position, self.dimension

    @property
    def number(self) -> int:
        """Number of the position in the formula.

        Some models begin to count at an offset.
        """
        return self.position + self.own.offset

    @property
    def n_tokens(self) -> int:
        return len(self.run.src)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Tokens of the sentence if it is marked, else empty."""
        return self.run.src.tokens if self.marked else ()

    def draw(
        self, part: str, figure: Any, numbers: str | Callable[[], pd.DataFrame], **values: Any
    ) -> None:
        """Draw a picture of the encoding; its files name the choices it was made with."""
        sizes = {"d_model": self.d_model, "base": f"{self.base:g}", "length": self.length}
        source = "model" if self.from_model else "formula"
        what = say(f"positions-encoding-what-{source}", **sizes)
        told = {"what": what, "n": self.length, "columns": self.d_model, **values}
        picture(f"encoding-{part}", figure, numbers=numbers, **told)


def chosen_scene(run: Run, *, as_long: bool) -> Scene:
    """Draw the controls and return their choices.

    Initially the length is that of the model's table, or with `as_long` that of the sentence.
    """
    own = position_table(run.translator)
    n_positions, d_model = own.values.shape
    base = own.base
    n_tokens = len(run.src)
    most = max(MOST_D_MODEL, d_model)
    with settings():
        source = choice("encoding_values", ("formula", "model"))
        from_model = source == "model"
        if not from_model:
            base = stops("encoding_base", sorted(BASES | {base}), base, format_func="{:g}".format)
        marked = toggle("encoding_mark", True)
        told = {"d_model": d_model, "base": f"{own.base:,g}", "n": n_positions}
        sizes = {"encoding_d_model": min(d_model, MOST_D_MODEL), "encoding_base": own.base}
        sizes["encoding_length"] = min(n_positions, MOST_LENGTH)
        give = st.session_state.update
        fit = {"encoding_length": min(n_tokens, MOST_LENGTH)}
        button("encoding_reset", give, sizes, icon="restart_alt", values=told)
        button("encoding_fit", give, fit, icon="fit_width", values={"n": n_tokens})
    first = min(n_tokens if as_long else n_positions, MOST_LENGTH)
    for_length, for_d_model = st.columns(2)
    with for_length:
        length = slider("encoding_length", 1, MOST_LENGTH, first)
        if from_model and length > n_positions:
            caption("encoding_length-ends", last=n_positions - 1)
            length = n_positions
    if not from_model:
        with for_d_model:
            ends = 2, MOST_D_MODEL, min(d_model, MOST_D_MODEL)
            asked = slider("encoding_d_model", *ends, 2)
            # Sine and cosine come in pairs, so d_model is even.
            d_model = asked - asked % 2
            if asked % 2:
                caption("encoding_d_model-odd", asked=asked, shown=d_model)
    for_position, for_dimension = st.columns(2)
    with for_position:
        position = _place("encoding_pos", MOST_LENGTH, 4, length)
    with for_dimension:
        dimension = _place("encoding_dim", most, spread_dimensions(d_model)[0], d_model)
    layout = {"base": base, "offset": own.offset}
    values = own.values[:length] if from_model else encoding_table(length, d_model, **layout)
    return Scene(run, own, from_model, values, base, marked, position, dimension, st.container())


def _place(key: str, most: int, first: int, there: int) -> int:
    # The box keeps what was typed, beyond the table's end too, and the caption explains.
    asked = number(key, 0, most - 1, first)
    if asked >= there:
        caption(f"{key}-beyond", asked=asked, last=there - 1)
    return min(asked, there - 1)


# The formula with numbers, and its use by the model.


def formula(scene: Scene) -> None:
    position = scene.position
    dimension = scene.dimension
    number = scene.number
    st.latex(
        r"\small\begin{aligned}"
        r"PE_{(pos,\,2i)} &= \sin(pos \,/\, base^{\,2i/d_{model}}) \\"
        r"PE_{(pos,\,2i+1)} &= \cos(pos \,/\, base^{\,2i/d_{model}})"
        r"\end{aligned}"
    )
    st.latex(worked_out(number, dimension, scene.d_model, scene.base))
    computed = encoding_value(number, dimension, scene.d_model, scene.base)
    labels = distinct_labels(scene.run.src.tokens)
    who = "positions-who"
    told = {"position": position, "i": dimension // 2}
    if position < scene.n_tokens:
        who = "positions-who-token"
        told = {**told, "token": plain(labels[position])}
    st.markdown(f"{say(who, **told)} {table_words(scene.own, position, dimension, computed)}")


def table_words(own: PositionTable, position: int, dimension: int, computed: float) -> str:
    n_positions, d_model = own.values.shape
    if position >= n_positions or dimension >= d_model:
        return say("positions-in-table-not")
    value = float(own.values[position, dimension])
    return say("positions-in-table", value=value, away=abs(value - computed))


def about_the_model(scene: Scene) -> None:
    own = scene.own
    n_positions, d_model = own.values.shape
    formula = encoding_table(n_positions, d_model, own.base, offset=own.offset)
    difference = float(np.abs(own.values - formula).max())
    # float64: the table is compared with the formula to the last bit of float32.
    vectors = embeddings(scene.run.translator, scene.run.src).astype(np.float64)
    encodings = own.values[: len(vectors)].astype(np.float64)
    lengths, measured = (np.linalg.norm(each, axis=1) for each in (vectors, encodings))
    told = {"rows": n_positions, "columns": d_model, "difference": difference}
    scaled = own.embedding_scale != 1
    told |= {"measured": measured.mean(), "scale": own.embedding_scale}
    told |= {"shortest": lengths.min(), "longest": lengths.max()}
    subtitle("positions-adds-title")
    paragraph(adds_message(difference), **told)
    if own.kind != "sines" or own.offset:
        paragraph("positions-kept", kind=own.kind, first=own.offset, base=f"{own.base:,.0f}")
    paragraph("positions-lengths", mean=lengths.mean(), scaled=scaled, **told)


def adds_message(difference: float) -> str:
    """Return the message id for a difference between table and formula.

    Rounding a number of at most 1 to float32 moves it by up to 2^-25; 2^-24 leaves room for one
    more rounding.
    """
    return "positions-adds-rounded" if difference <= 2**-24 else "positions-adds"


def show(run: Run) -> None:
    for kind, draw in (("learned", learned), ("relative", relative)):
        if f"{kind}-positions" in run.capabilities:
            draw(run)
            return
    with controls():
        part = menu("encoding_part", tuple(PARTS), default="heatmap", width=140)
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
    degrees = 360 * scene.n_tokens / lengths[-1]
    finding("positions-turns-within", degrees=degrees, **_turning(lengths, scene.n_tokens))


def _turning(lengths: np.ndarray, n_tokens: int) -> dict[str, int]:
    return {"turning": int((lengths <= n_tokens).sum()), "pairs": len(lengths), "tokens": n_tokens}


def curves(scene: Scene) -> None:
    _tell_turns(scene)
    few = list(spread_dimensions(scene.d_model))
    with settings():
        dimensions = several(
            "encoding_dims",
            range(scene.d_model),
            few,
            values={"most": MOST_CURVES},
            format_func=str,
            max_selections=MOST_CURVES,
        )
        if not dimensions:
            caption("encoding_dims-none")
    shown = dimensions or few
    chosen = scene.place if scene.dimension in shown else None
    figure = curves_figure(scene.values, shown, tokens=scene.tokens, chosen=chosen)
    scene.draw("curves", figure, "lines", names=", ".join(map(str, shown)))


def heatmap(scene: Scene) -> None:
    _tell_turns(scene)
    how = {"base": scene.base, "tokens": scene.tokens, "chosen": scene.place}
    scene.draw("heatmap", encoding_heatmap(scene.values, **how), lambda: values_table(scene.values))


def wavelength_part(scene: Scene) -> None:
    _tell_turns(scene)
    lengths = wavelengths(scene.d_model, scene.base)
    pair = scene.dimension // 2
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
        shortest=lengths[0],
        longest=f"{lengths[-1]:,.0f}",
        pair=pair,
        own=f"{lengths[pair]:,.2f}",
        **_turning(lengths, most),
    )


def similarity(scene: Scene) -> None:
    found = offset_similarity(scene.values)
    # Only the distance k remains (Vaswani et al. 2017, section 3.5).
    formula_of_it = r"$PE(pos) \cdot PE(pos+k) = \sum_i \cos(\omega_i k)$"
    told = {"spread": found.spread, "largest": found.dots[0]}
    finding("positions-similarity", formula=formula_of_it, n=scene.length, **told)
    curve = similarity_curve(found, sentence_length=scene.n_tokens if scene.marked else None)
    scene.draw("similarity", curve, "curve")
    cosines = cosine_matrix(scene.values)
    matrix = similarity_heatmap(cosines, tokens=scene.tokens)
    scene.draw("matrix", matrix, lambda: pd.DataFrame(cosines).rename(columns=str))


def rotation_part(scene: Scene) -> None:
    last = scene.length - 1
    told = {"pair": scene.dimension // 2, "position": scene.position}
    with scene.beside:
        asked = slider("encoding_offset", 1, MOST_OFFSET, 3)
        offset = min(asked, last)
        if asked > last:
            caption("encoding_offset-beyond", n=scene.length, largest=last, asked=asked)
    found = rotation(scene.number, told["pair"], offset, scene.d_model, scene.base)
    # The formula counts from the model's offset, the page from 0.
    found = replace(found, position=scene.position)
    turns = found.angle / (2 * math.pi)
    error = rotation_error(scene.values, offset, scene.base)
    told |= {"offset": offset, "turns": turns, "error": error}
    told |= {"frequency": found.frequency, "radians": found.angle}
    told |= {"degrees": math.degrees(found.angle), "pairs": scene.d_model // 2}
    finding("positions-turned" if turns >= 1 else "positions-turned-less", **told)
    figure = rotation_figure(found, scene.values, tokens=scene.tokens)
    picture, numbers = st.columns([3, 2], gap="small")
    with picture:
        scene.draw("rotation", figure, "points", leave_out=["x", "y", "label"], **told)
    with numbers:
        st.latex(matrix_latex(found))
        source = "model" if scene.from_model else "formula"
        positions = scene.length - offset
        paragraph(f"positions-rotation-error-{source}", positions=positions, **told)


def surface(scene: Scene) -> None:
    _tell_turns(scene)
    figure = encoding_surface(scene.values, tokens=scene.tokens, chosen=scene.place)
    halved = scene.d_model >= LEAST_HALVED
    scene.draw("surface", figure, lambda: values_table(scene.values), halved=halved)


def helix(scene: Scene) -> None:
    """Draw the encodings in their principal components, of which there may be fewer than three."""
    found = principal(scene.values)
    n_components = int(np.count_nonzero(found.shares))
    if not n_components:
        note("positions-helix-none", "conversion_path")
        return
    told = {"k": n_components, "share": found.shares.sum(), "n": scene.length}
    # Fewer than three components: the curve lies in a plane or on a line.
    finding("positions-helix-flat" if n_components < 3 else "positions-helix", **told)
    names = ("first", "second", "third")
    scene.draw(
        "helix",
        encoding_curve(found, tokens=scene.tokens, chosen=scene.position),
        lambda: component_table(found, scene.run.src.tokens),
        bunched=0 < 2 * len(scene.tokens) < scene.length,
        **dict(zip(names, found.shares, strict=True)),
    )


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
"""Parts that compare or join positions, and need at least two."""
