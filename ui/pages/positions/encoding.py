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
    near_and_far,
    offset_similarity,
    rotation,
    rotation_error,
    spread_dimensions,
    values_table,
    wavelengths,
    worked_out,
)
from core.principal import component_table, principal
from core.records.tokens import distinct_labels
from model.experiments.word_order import embeddings, position_table
from ui.frame.choices import choose
from ui.frame.messages import plain, quoted, say
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import button, choice, menu, number, several, slider, stops, toggle
from ui.kit.layout import (
    caption,
    control_row,
    controls,
    finding,
    note,
    paragraph,
    settings,
    subtitle,
)
from ui.pages.positions.trained import learned, relative
from viz.encoding import MOST_CURVES, curves_figure, encoding_heatmap, wavelength_figure
from viz.encoding_relations import rotation_figure, similarity_curve, similarity_heatmap
from viz.encoding_space import encoding_curve, encoding_surface

MOST_D_MODEL = 512
MOST_LENGTH = 512
# Round numbers, so that the slider of bases reads well; 10000 is that of the paper.
BASES = {step * 10.0**power for power in (1, 2, 3, 4) for step in (1, 1.5, 2, 3, 5, 7)} | {1e5}
MOST_OFFSET = 128
BOX = 150  # pixels of a slider or number box


@dataclass(frozen=True, eq=False)
class EncodingScene:
    """An encoding table with the choices of the page."""

    run: Run
    model_table: PositionTable  # the table that the loaded model adds to its embeddings
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
    def cell(self) -> tuple[int, int]:
        return self.position, self.dimension

    @property
    def number(self) -> int:
        """Number of the position in the formula.

        Some models begin to count at an offset.
        """
        return self.position + self.model_table.offset

    @property
    def n_tokens(self) -> int:
        return len(self.run.src)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Tokens of the sentence if it is marked, else empty."""
        return self.run.src.tokens if self.marked else ()

    def name_of(self, position: int) -> str:
        """Return a position in words: its token in quotes, or its number beyond the sentence."""
        if position >= self.n_tokens:
            return say("positions-named", position=position)
        return quoted(distinct_labels(self.run.src.tokens)[position])

    def draw(
        self, part: str, figure: Any, numbers: str | Callable[[], pd.DataFrame], **values: Any
    ) -> None:
        """Draw a picture of the encoding; its files name the choices it was made with."""
        # The values of a part win: its own `n` may count something else.
        values = {"n": self.length, "columns": self.d_model, **values}
        what = say(
            f"positions-encoding-what-{'model' if self.from_model else 'formula'}",
            d_model=self.d_model,
            base=f"{self.base:g}",
            length=self.length,
        )
        picture(f"encoding-{part}", figure, numbers=numbers, what=what, **values)


def chosen_scene(run: Run, *, as_long: bool) -> EncodingScene:
    """Draw the controls and return their choices.

    Initially the length is that of the model's table, or with `as_long` that of the sentence.
    """
    table = position_table(run.translator)
    n_positions, d_model = table.values.shape
    base = table.base
    most = max(MOST_D_MODEL, d_model)
    with settings():
        from_model = choice("encoding_values", ("formula", "model")) == "model"
        if not from_model:
            base = stops("encoding_base", sorted(BASES | {base}), base, format_func="{:g}".format)
        marked = toggle("encoding_mark", True)
        _size_buttons(run, table)
    beside = control_row()
    with beside:
        default = min(len(run.src) if as_long else n_positions, MOST_LENGTH)
        length = _length(default, n_positions if from_model else MOST_LENGTH)
        if not from_model:
            d_model = _d_model(d_model)
        position = _index_box("encoding_pos", MOST_LENGTH, _opening_position(run), length)
        dimension = _index_box("encoding_dim", most, spread_dimensions(d_model)[0], d_model)
    values = table.values[:length]
    if not from_model:
        values = encoding_table(length, d_model, base=base, offset=table.offset)
    return EncodingScene(
        run=run,
        model_table=table,
        from_model=from_model,
        values=values,
        base=base,
        marked=marked,
        position=position,
        dimension=dimension,
        beside=beside,
    )


def _opening_position(run: Run) -> int:
    """Return the position of the pronoun of an example, else 4."""
    pieces = run.src.pieces_of(run.example.pronoun) if run.example and run.example.pronoun else ()
    return pieces[0] if pieces else 4


def _size_buttons(run: Run, table: PositionTable) -> None:
    """Draw a button for the sizes of the model's table, and one for the sentence's length."""
    n_positions, d_model = table.values.shape
    n_tokens = len(run.src)
    button(
        "encoding_reset",
        choose,
        {
            "encoding_d_model": min(d_model, MOST_D_MODEL),
            "encoding_base": table.base,
            "encoding_length": min(n_positions, MOST_LENGTH),
        },
        icon="restart_alt",
        values={"d_model": d_model, "base": f"{table.base:,g}", "n": n_positions},
    )
    button(
        "encoding_fit",
        choose,
        {"encoding_length": min(n_tokens, MOST_LENGTH)},
        icon="fit_width",
        values={"n": n_tokens},
    )


def _length(default: int, n_positions: int) -> int:
    """Draw the slider of the length and return it, at most `n_positions`."""
    length = slider("encoding_length", 1, MOST_LENGTH, default, width=BOX)
    if length > n_positions:
        caption("encoding_length-ends", last=n_positions - 1)
    return min(length, n_positions)


def _d_model(default: int) -> int:
    """Draw the slider of d_model and return an even width: sine and cosine come in pairs."""
    width = slider("encoding_d_model", 2, MOST_D_MODEL, min(default, MOST_D_MODEL), 2, width=BOX)
    even = width - width % 2
    if even != width:
        caption("encoding_d_model-odd", asked=width, shown=even)
    return even


def _index_box(key: str, most: int, default: int, count: int) -> int:
    """Draw a number box and return an index below `count`."""
    # The box keeps a number beyond the table's end, and the caption explains.
    index = number(key, 0, most - 1, default, width=BOX)
    if index >= count:
        caption(f"{key}-beyond", asked=index, last=count - 1)
    return min(index, count - 1)


# The formula with numbers, and its use by the model.


def formula(scene: EncodingScene) -> None:
    position = scene.position
    dimension = scene.dimension
    number = scene.number
    general, worked = st.columns(2)
    general.latex(
        r"\begin{aligned}"
        r"PE_{(pos,\,2i)} &= \sin(pos \,/\, base^{\,2i/d_{model}}) \\"
        r"PE_{(pos,\,2i+1)} &= \cos(pos \,/\, base^{\,2i/d_{model}})"
        r"\end{aligned}"
    )
    worked.latex(worked_out(number, dimension, scene.d_model, scene.base))
    computed = encoding_value(number, dimension, scene.d_model, scene.base)
    pair = dimension // 2
    if position < scene.n_tokens:
        token = plain(distinct_labels(scene.run.src.tokens)[position])
        subject = say(
            "positions-who-token", position=position, nth=position + 1, i=pair, token=token
        )
    else:
        subject = say("positions-who", position=position, i=pair)
    in_table = table_words(scene.model_table, position, dimension, computed)
    general.markdown(f"{subject} {in_table}")


def table_words(table: PositionTable, position: int, dimension: int, computed: float) -> str:
    n_positions, d_model = table.values.shape
    if position >= n_positions or dimension >= d_model:
        return say("positions-in-table-not")
    value = float(table.values[position, dimension])
    return say("positions-in-table", value=value, away=abs(value - computed))


def about_the_model(scene: EncodingScene) -> None:
    table = scene.model_table
    n_positions, d_model = table.values.shape
    formula = encoding_table(n_positions, d_model, table.base, offset=table.offset)
    difference = float(np.abs(table.values - formula).max())
    # float64: the table is compared with the formula to the last bit of float32.
    vectors = embeddings(scene.run.translator, scene.run.src).astype(np.float64)
    encodings = table.values[: len(vectors)].astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1)
    encoding_lengths = np.linalg.norm(encodings, axis=1)
    facts = {
        "rows": n_positions,
        "columns": d_model,
        "difference": difference,
        "measured": encoding_lengths.mean(),
        "scale": table.embedding_scale,
        "shortest": lengths.min(),
        "longest": lengths.max(),
    }
    subtitle("positions-adds-title")
    paragraph(adds_message(difference), **facts)
    if table.layout != "sines" or table.offset:
        base = f"{table.base:,.0f}"
        paragraph("positions-kept", kind=table.layout, first=table.offset, base=base)
    scaled = table.embedding_scale != 1
    paragraph("positions-lengths", mean=lengths.mean(), scaled=scaled, **facts)


def adds_message(difference: float) -> str:
    """Return the message id for a difference between table and formula.

    Rounding a number of at most 1 to float32 moves it by up to 2^-25; 2^-24 leaves room for one
    more rounding.
    """
    return "positions-adds-rounded" if difference <= 2**-24 else "positions-adds"


def show(run: Run) -> None:
    if "learned-positions" in run.capabilities:
        learned(run)
        return
    if "relative-positions" in run.capabilities:
        relative(run)
        return
    with controls():
        part = menu("encoding_part", tuple(PARTS), default="heatmap", width=140)
    scene = chosen_scene(run, as_long=part == "heatmap")
    if scene.length < 2 and part in OF_TWO:
        note("positions-one-position", "looks_two")
    else:
        PARTS[part](scene)
    formula(scene)
    about_the_model(scene)


def _tell_turns(scene: EncodingScene) -> None:
    finding(
        "positions-turns-within", **_turning(wavelengths(scene.d_model, scene.base), scene.n_tokens)
    )


def _turning(lengths: np.ndarray, n_tokens: int) -> dict[str, int]:
    return {"turning": int((lengths <= n_tokens).sum()), "pairs": len(lengths), "tokens": n_tokens}


def curves(scene: EncodingScene) -> None:
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
    drawn = dimensions or few
    chosen = scene.cell if scene.dimension in drawn else None
    figure = curves_figure(scene.values, drawn, tokens=scene.tokens, chosen=chosen)
    scene.draw("curves", figure, "lines", names=", ".join(map(str, drawn)))


def heatmap(scene: EncodingScene) -> None:
    if scene.length > 1:
        near, near_cosine, far, far_cosine = near_and_far(scene.values, scene.position)
        finding(
            "positions-near-far",
            here=scene.name_of(scene.position),
            near=scene.name_of(near),
            near_cosine=near_cosine,
            far=scene.name_of(far),
            far_cosine=far_cosine,
        )
    figure = encoding_heatmap(scene.values, base=scene.base, tokens=scene.tokens, chosen=scene.cell)
    scene.draw("heatmap", figure, lambda: values_table(scene.values))


def wavelength_part(scene: EncodingScene) -> None:
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


def similarity(scene: EncodingScene) -> None:
    by_offset = offset_similarity(scene.values)
    # The offset from the first token of the sentence to its last.
    apart = min(scene.n_tokens, scene.length) - 1
    headline = say(
        "positions-similarity",
        near=by_offset.cosines[:2][-1],
        apart=apart,
        far=by_offset.cosines[apart],
    )
    proof = say(
        "positions-similarity-formula",
        # Only the distance k remains (Vaswani et al. 2017, section 3.5).
        formula=r"$PE(pos) \cdot PE(pos+k) = \sum_i \cos(\omega_i k)$",
        n=scene.length,
        spread=by_offset.spread,
    )
    finding(f"{headline}  \n:gray[:small[{proof}]]")
    curve = similarity_curve(by_offset, sentence_length=scene.n_tokens if scene.marked else None)
    scene.draw("similarity", curve, "curve")
    cosines = cosine_matrix(scene.values)
    matrix = similarity_heatmap(cosines, tokens=scene.tokens)
    scene.draw("matrix", matrix, lambda: pd.DataFrame(cosines).rename(columns=str))


def rotation_part(scene: EncodingScene) -> None:
    offset = _offset(scene)
    pair = scene.dimension // 2
    turn = rotation(scene.number, pair, offset, scene.d_model, scene.base)
    # The formula counts from the model's offset, the page from 0.
    turn = replace(turn, position=scene.position)
    turns = turn.angle / (2 * math.pi)
    # The finding, the figure and the paragraph state the same facts.
    facts = {
        "pair": pair,
        "position": scene.position,
        "offset": offset,
        "turns": turns,
        "error": rotation_error(scene.values, offset, scene.base),
        "frequency": turn.frequency,
        "radians": turn.angle,
        "degrees": math.degrees(turn.angle),
        "pairs": scene.d_model // 2,
    }
    finding("positions-turned" if turns >= 1 else "positions-turned-less", **facts)
    figure = rotation_figure(turn, scene.values, tokens=scene.tokens)
    picture, numbers = st.columns([3, 2], gap="small")
    with picture:
        scene.draw("rotation", figure, "points", leave_out=["x", "y", "label"], **facts)
    with numbers:
        st.latex(matrix_latex(turn))
        source = "model" if scene.from_model else "formula"
        positions = scene.length - offset
        paragraph(f"positions-rotation-error-{source}", positions=positions, **facts)


def _offset(scene: EncodingScene) -> int:
    """Draw the slider of the offset and return it, at most the last position."""
    last = scene.length - 1
    with scene.beside:
        offset = slider("encoding_offset", 1, MOST_OFFSET, 3, width=BOX)
        if offset > last:
            caption("encoding_offset-beyond", n=scene.length, largest=last, asked=offset)
    return min(offset, last)


def surface(scene: EncodingScene) -> None:
    _tell_turns(scene)
    figure = encoding_surface(scene.values, tokens=scene.tokens, chosen=scene.cell)
    halved = scene.d_model >= LEAST_HALVED
    scene.draw("surface", figure, lambda: values_table(scene.values), halved=halved)


def helix(scene: EncodingScene) -> None:
    """Draw the encodings in their principal components, of which there may be fewer than three."""
    components = principal(scene.values)
    n_components = int(np.count_nonzero(components.shares))
    if not n_components:
        note("positions-helix-none", "conversion_path")
        return
    finding(
        # Fewer than three components: the curve lies in a plane or on a line.
        "positions-helix-flat" if n_components < 3 else "positions-helix",
        k=n_components,
        share=components.shares.sum(),
        n=scene.length,
    )
    first, second, third = components.shares
    scene.draw(
        "helix",
        encoding_curve(components, tokens=scene.tokens, chosen=scene.position),
        lambda: component_table(components, scene.run.src.tokens),
        bunched=0 < 2 * len(scene.tokens) < scene.length,
        first=first,
        second=second,
        third=third,
    )


PARTS: dict[str, Callable[[EncodingScene], None]] = {
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
