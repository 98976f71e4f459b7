"""The formula of the encoding with numbers put in, and what the model makes of it."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from analysis.labels import distinct_labels
from analysis.positions import (
    encoding_table,
    frequencies,
)
from records import PositionTable
from ui.words import plain, say
from words.numbers import fixed, scientific

from .encoding_scene import Scene


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
    st.markdown("## " + say("positions-adds-title"))
    st.markdown(
        say(
            adds_message(difference),
            rows=n_positions,
            columns=d_model,
            difference=scientific(difference),
        )
    )
    st.markdown(
        say(
            "positions-lengths",
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
