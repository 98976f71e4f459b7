"""What every part of the view of the encoding is given, and how it is chosen beside the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.labels import distinct_labels
from analysis.positions import encoding_table, spread_dimensions
from records import PositionTable
from ui.kit.blocks import picture
from ui.kit.controls import button, choice, number, slider, stops, toggle
from ui.kit.layout import settings, subtitle
from ui.state import Run
from ui.words import plain, say
from words.numbers import fixed, scientific

MOST_D_MODEL, MOST_LENGTH = 512, 512
BASES = (
    *(10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000),
    *(7_000, 10_000, 15_000, 20_000, 30_000, 50_000, 70_000, 100_000),
)


@dataclass(frozen=True, eq=False)
class Scene:
    """What every part of the view is given."""

    run: Run
    own: PositionTable
    from_model: bool
    values: np.ndarray
    base: float
    marked: bool
    position: int
    dimension: int
    beside: DeltaGenerator

    @property
    def length(self) -> int:
        return self.values.shape[0]

    @property
    def d_model(self) -> int:
        return self.values.shape[1]

    @property
    def n_tokens(self) -> int:
        return len(self.run.translation.src)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence's, where it is to be marked."""
        return self.run.translation.src.tokens if self.marked else ()

    def draw(
        self, part: str, figure: Any, numbers: str | Callable[[], pd.DataFrame], **values: Any
    ) -> None:
        """A picture of the encoding, whose files tell what it was made with."""
        sizes = {"d_model": self.d_model, "base": f"{self.base:g}", "length": self.length}
        source = "model" if self.from_model else "formula"
        what = say(f"positions-encoding-what-{source}", **sizes)
        told = {"what": what, "n": self.length, "columns": self.d_model, **values}
        picture(f"positions-{part}", figure, key=f"encoding_{part}", numbers=numbers, **told)


def chosen_scene(run: Run, *, as_long: bool) -> Scene:
    """What the controls choose; at first as many positions as the model has, or the sentence."""
    own = run.translator.position_table()
    n_positions, d_model = own.values.shape
    base, n_tokens = own.base, len(run.translation.src)
    most = max(MOST_D_MODEL, d_model)
    with settings():
        source = choice("encoding_values", ("formula", "model"), words="encoding_values")
        from_model = source == "model"
        if not from_model:
            how = {"words": "encoding_base", "format_func": "{:g}".format}
            base = stops("encoding_base", bases(base), base, **how)
        marked = toggle("encoding_mark", True, words="encoding_mark")
        _match(own, n_tokens)
    first = min(n_tokens if as_long else n_positions, MOST_LENGTH)
    for_length, for_d_model = st.columns(2)
    with for_length:
        length = slider("encoding_length", 1, MOST_LENGTH, first, words="encoding_length")
        if from_model and length > n_positions:
            st.caption(say("encoding_length-ends", last=n_positions - 1))
            length = n_positions
    if not from_model:
        with for_d_model:
            ends = 2, MOST_D_MODEL, min(d_model, MOST_D_MODEL)
            asked = slider("encoding_d_model", *ends, 2, words="encoding_d_model")
            d_model = asked - asked % 2
            if asked % 2:
                st.caption(say("encoding_d_model-odd", asked=asked, shown=d_model))
    for_position, for_dimension = st.columns(2)
    with for_position:
        position = _place("encoding_pos", MOST_LENGTH, 4, length)
    with for_dimension:
        dimension = _place("encoding_dim", most, spread_dimensions(d_model)[0], d_model)
    values = own.values[:length] if from_model else encoding_table(length, d_model, base)
    return Scene(run, own, from_model, values, base, marked, position, dimension, st.container())


def _place(key: str, most: int, first: int, there: int) -> int:
    asked = number(key, 0, most - 1, first, words=key)
    if asked >= there:
        st.caption(say(f"{key}-beyond", asked=asked, last=there - 1))
    return min(asked, there - 1)


def bases(own: float) -> list[float]:
    """The bases to choose from, the model's among them."""
    return sorted({*map(float, BASES), own})


def _match(own: PositionTable, n_tokens: int) -> None:
    n, d_model = own.values.shape
    told = {"d_model": d_model, "base": f"{own.base:,g}", "n": n}
    sizes = {"encoding_d_model": min(d_model, MOST_D_MODEL), "encoding_base": own.base}
    give = st.session_state.update
    sizes["encoding_length"] = min(n, MOST_LENGTH)
    button("encoding_reset", give, sizes, icon="restart_alt", values=told)
    length = {"encoding_length": min(n_tokens, MOST_LENGTH)}
    button("encoding_fit", give, length, icon="fit_width", values={"n": n_tokens})


# The formula with numbers put in, and what the model makes of it


def formula(scene: Scene) -> None:
    """The formula, with the numbers of the chosen value put in."""
    position, dimension = scene.position, scene.dimension
    st.latex(
        r"\small\begin{aligned}"
        r"PE_{(pos,\,2i)} &= \sin(pos \,/\, base^{\,2i/d_{model}}) \\"
        r"PE_{(pos,\,2i+1)} &= \cos(pos \,/\, base^{\,2i/d_{model}})"
        r"\end{aligned}"
    )
    st.latex(worked_out(position, dimension, scene.d_model, scene.base))
    computed = encoding_value(position, dimension, scene.d_model, scene.base)
    labels = distinct_labels(scene.run.translation.src.tokens)
    who, told = "positions-who", {"position": position, "i": dimension // 2}
    if position < scene.n_tokens:
        who, told = "positions-who-token", {**told, "token": plain(labels[position])}
    st.markdown(f"{say(who, **told)} {table_words(scene.own, position, dimension, computed)}")


def worked_out(position: int, dimension: int, d_model: int, base: float) -> str:
    """LaTeX of one value, step by step."""
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
    return float(encoding_table(position + 1, d_model, base)[position, dimension])


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
    difference = float(np.abs(own.values - encoding_table(n_positions, d_model, own.base)).max())
    embeddings = scene.run.translator.embeddings(scene.run.translation.src).astype(np.float64)
    encodings = own.values[: len(embeddings)].astype(np.float64)
    lengths, measured = (np.linalg.norm(each, axis=1) for each in (embeddings, encodings))
    told = {"rows": n_positions, "columns": d_model, "difference": scientific(difference)}
    told |= {"measured": fixed(measured.mean()), "scale": fixed(own.embedding_scale)}
    told |= {"shortest": fixed(lengths.min()), "longest": fixed(lengths.max())}
    subtitle("positions-adds-title")
    st.markdown(say(adds_message(difference), **told))
    st.markdown(say("positions-lengths", mean=fixed(lengths.mean()), **told))


def adds_message(difference: float) -> str:
    """Rounding a number of at most 1 to float32 moves it by up to 2^-25."""
    return "positions-adds-rounded" if difference <= 2**-24 else "positions-adds"
