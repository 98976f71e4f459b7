"""One token in one layer: what is added to its residual stream, its layer norm, its neurons."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.block import firing, moments_table, moved_by_others, norm_stages, stream_table
from analysis.labels import token_label
from records import Stream, Units
from records.measurements import UNITS
from ui.focus import click_count, take_click
from ui.kit.blocks import note, picture, table
from ui.kit.controls import choice, place_menu
from ui.kit.layout import finding, folded, settings, subtitle
from ui.shared import cached
from ui.state import Run
from ui.stored import source_line, stored_box
from ui.words import plain, say
from viz.block import norm_matrices, norm_strips, stream_bars, sublayer_name, unit_bars
from words.numbers import fixed, grouped, percent

from .scene import STACKS, Scene, make_scene, stream_of

ADDING = {
    False: r"x \;\leftarrow\; \mathrm{LayerNorm}\big(x + \mathrm{Sublayer}(x)\big)",
    True: r"x \;\leftarrow\; x + \mathrm{Sublayer}\big(\mathrm{LayerNorm}(x)\big)",
}
NORM = (
    r"\mathrm{LayerNorm}(z)_i = g_i\,\frac{z_i-\mu}{\sqrt{\sigma^2+\epsilon}} + b_i,\quad "
    r"\mu = \frac1d\sum_i z_i,\quad \sigma^2 = \frac1d\sum_i (z_i-\mu)^2"
)
MOST_ROWS = 40  # tokens in the picture of the batch
MOST_UNITS = 16
MOST_TOKENS = 4  # of a unit that are named beside its bar
MOST_CONTEXT = 60  # characters


# -- sub-layers ----------------------------------------------------------------------------


def show_stream(run: Run) -> None:
    """The residual stream at one token: what every sub-layer adds to what was there."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    rows, place, here = _sublayer(scene, stream)
    most = "yes" if place == rows["added"].idxmax() else "no"
    norms = {name: fixed(rows[name][place]) for name in ("before", "added")}
    finding(say("block-stream-found", most=most, n=len(rows), **norms, **here))
    picture(
        "block-stream",
        stream_bars(rows, stream.places, chosen=place, click=click_count("block_stream")),
        key="block_stream",
        clicks=True,
        numbers=lambda: rows.assign(place=[each.code for each in stream.places]),
        token=scene.label,
        n=len(rows),
    )
    _formulas(stream, ADDING[stream.pre_norm])


def show_norm(run: Run) -> None:
    """A layer norm before and after, and beside a batch norm of the same numbers."""
    scene = make_scene(run)
    stream = stream_of(run, scene.stack)
    _, place, here = _sublayer(scene, stream)
    stages = norm_stages(stream, place, scene.position)
    moments = moments_table(stages)
    given, _, scaled = map(fixed, moments["variance"])
    finding(say("block-norm-found", given=given, scaled=scaled, **here))
    strips, numbers = norm_strips(stages), lambda: pd.DataFrame(stages)
    picture("block-norm", strips, key="block_norm_strips", numbers=numbers, token=scene.label)
    moments["stage"] = [say(f"block-stage-{stage}") for stage in stages]
    formats = dict.fromkeys(moments.columns[1:], "%.4f")
    table("block-moments", moments, key="block_moments", words="block", formats=formats)
    low, high = map(fixed, (stream.gains[place].min(), stream.gains[place].max()))
    st.markdown(say("block-norm-told", low=low, high=high, eps=f"{stream.eps:g}"))
    _beside_batch_norm(scene, stream.norm_inputs[place], stream.eps)
    _formulas(stream, ADDING[stream.pre_norm], NORM)


def _sublayer(scene: Scene, stream: Stream) -> tuple[pd.DataFrame, int, dict[str, str]]:
    rows, places = stream_table(stream, scene.position), range(len(stream.places))
    most, key = int(rows["added"].idxmax()), f"block_{scene.stack}_step"
    names = [sublayer_name(place) for place in stream.places]
    take_click(key, places, "block_stream", "place", "place")
    with settings():
        codes = [each.code for each in stream.places]
        words = "block-sublayer"
        place = place_menu(key, names, words=words, default=most, spell=codes.__getitem__)
    return rows, place, {"sublayer": names[place], "token": plain(scene.label)}


def _formulas(stream: Stream, *formulas: str) -> None:
    with folded("reading"):
        for formula in formulas:
            st.latex(formula)
        st.caption(say("block-order", order="pre" if stream.pre_norm else "post"))


def _beside_batch_norm(scene: Scene, given: Any, eps: float) -> None:
    n, position = len(given), scene.position
    first = max(0, min(position - MOST_ROWS // 2, n - MOST_ROWS))
    subtitle("block-batch")
    if n > MOST_ROWS:
        st.caption(say("block-batch-cut", n=MOST_ROWS, of=n))
    rows = slice(first, first + MOST_ROWS)
    figure = norm_matrices(given, scene.tokens, eps, rows=rows, chosen=position - first)
    layer, batch = map(fixed, moved_by_others(given, eps, position))
    picture(
        "block-batch",
        figure,
        key="block_norm_matrices",
        numbers="cells",
        leave_out=["shade"],
        token=plain(scene.label),
        n=n,
        layer=layer,
        batch=batch,
    )


# -- neurons -------------------------------------------------------------------------------


def show_units(run: Run) -> None:
    """Which hidden units of a feed-forward layer fire for a token."""
    scene = make_scene(run)
    stack = scene.stack
    units = units_of(run)[STACKS.index(stack)]
    with settings():
        numbers = [str(layer + 1) for layer in range(len(units.lengths))]
        layer = place_menu(f"block_{stack}_layer", numbers, words="block-layer")
    active = units.activations[layer] > 0
    here, card = active[scene.position], run.translator.card
    count = {"n": grouped(int(here.sum())), "of": grouped(len(here))}
    count |= {"share": percent(here.mean()), "mean": percent(active.mean())}
    finding(say("block-units-found", token=plain(scene.label), layer=layer + 1, **count))
    rows = firing(units.activations[layer, scene.position], units.lengths[layer], MOST_UNITS)
    if rows.empty:
        note("block-units-none", "power_off")
        return
    found, key = rows["unit"].tolist(), f"block_{stack}_unit"
    take_click(key, found, "block_units", "unit", "unit")
    counted = {name: lambda place: str(place + 1) for name in ("text", "spell")}
    with settings():
        unit = choice(key, found, words="block-unit-title", style="select", **counted)
    # What was measured of the units of the layer.
    measured = card.units.get("layers", {}).get(stack, [])[layer : layer + 1]
    stored = {each["unit"]: each for each in (measured[0] if measured else ())}
    told = rows.assign(told=[_fires_on(stored.get(each)) for each in found])
    picture(
        "block-units",
        unit_bars(told, chosen=unit, click=click_count("block_units")),
        key="block_units",
        clicks=True,
        numbers=lambda: rows.assign(unit=rows["unit"] + 1),
        token=scene.label,
        n=len(rows),
    )
    subtitle("block-unit-heading", unit=str(unit + 1), layer=layer + 1, stack=stack)
    if stack == "decoder":
        names = map(token_label, promoted_by(run, stack, layer, unit))
        tokens = ", ".join(say("quoted", text=plain(name)) for name in names)
        st.markdown(say("block-unit-promotes", tokens=tokens))
    if not card.units:
        stored_box(card.lies(UNITS))
    elif unit not in stored:
        st.markdown(say("block-unit-unknown"))
    else:
        _places(stored[unit], stack)
        st.caption(source_line(card.units))


@cached("identity")
def units_of(run: Run) -> tuple[Units, ...]:
    return run.translator.units(run.translation.src, run.translation.tgt)


@cached("translator.card.fingerprint", max_entries=256)
def promoted_by(run: Run, stack: str, layer: int, unit: int) -> tuple[str, ...]:
    return run.translator.promoted_by(stack, layer, [unit])[0]


def _places(stored: dict[str, Any], stack: str) -> None:
    st.markdown(say("block-unit-fires", share=percent(stored["share"])))
    rows = [
        (before[-MOST_CONTEXT:], token_label(token), after[:MOST_CONTEXT], fixed(activation))
        for before, token, after, activation in stored["places"]
    ]
    shown = pd.DataFrame(rows, columns=["before", "token", "after", "activation"])
    table("block-unit-places", shown, key="block_unit_places", words="block-unit", stack=stack)


def _fires_on(stored: dict[str, Any] | None) -> str:
    tokens = dict.fromkeys(token_label(token) for _, token, *_ in (stored or {}).get("places", ()))
    return ", ".join(list(tokens)[:MOST_TOKENS])
