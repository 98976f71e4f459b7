"""Which hidden units of a feed-forward layer fire for a token, and what else they fire on."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.block import firing
from analysis.labels import token_label
from records import Units
from records.measurements import UNITS
from ui.choice import choice
from ui.focus import click_count, clicked
from ui.kit.blocks import figure_block
from ui.shared import cached
from ui.state import Run
from ui.stored import source_line, stored_box
from ui.words import plain, say
from viz.block import unit_bars
from words import numbers

from .scene import STACKS, Scene, make_scene

CHART = "block_units"
SHOWN = 16
MOST_TOKENS = 4  # of a unit that are named beside its bar
MOST_CONTEXT = 60  # characters


def show(run: Run) -> None:
    scene = make_scene(run)
    units = units_of(run)[STACKS.index(scene.stack)]
    n_layers, _, d_ff = units.activations.shape
    layer = choice(
        f"block_{scene.stack}_layer",
        range(n_layers),
        words="block-layer",
        text=lambda place: str(place + 1),
        spell=lambda place: str(place + 1),
    )
    here = units.activations[layer, scene.position]
    every = units.activations[layer]
    st.markdown(
        say(
            "block-units-told",
            token=plain(scene.label),
            n=numbers.grouped(int((here > 0).sum())),
            of=numbers.grouped(d_ff),
            share=numbers.percent(float((here > 0).mean())),
            mean=numbers.percent(float((every > 0).mean())),
        )
    )
    table = firing(here, units.lengths[layer], SHOWN)
    if table.empty:
        st.info(say("block-units-none"), icon=":material/power_off:")
        return
    stored = stored_units(run.translator.card.units, scene.stack, layer)
    unit = _chosen_unit(scene, layer, table)
    figure = unit_bars(
        table.assign(told=[tokens_told(stored.get(each)) for each in table["unit"]]),
        chosen=unit,
        click=click_count(CHART),
    )
    figure_block(
        figure,
        key=CHART,
        alt=say("block-units-alt", token=scene.label, n=len(table)),
        name=say("block-units-name", token=scene.label),
        clicks=True,
        numbers=lambda: table.assign(unit=table["unit"] + 1),
    )
    one_unit(scene, layer, unit, stored.get(unit))


@cached("identity")
def units_of(run: Run) -> tuple[Units, ...]:
    return run.translator.units(run.translation.src, run.translation.tgt)


@cached("translator.card.fingerprint", max_entries=256)
def promoted_by(run: Run, stack: str, layer: int, unit: int) -> tuple[str, ...]:
    return run.translator.promoted_by(stack, layer, [unit])[0]


def _chosen_unit(scene: Scene, layer: int, table: pd.DataFrame) -> int:
    """The unit of the last click on the chart or of the menu; at first the one that adds most."""
    key, units = f"block_{scene.stack}_unit", [int(unit) for unit in table["unit"]]
    cell = clicked(CHART, "unit") or {}
    if cell.get("unit") in units:
        st.session_state[key] = cell["unit"]
    return choice(
        key,
        units,
        words="block-unit-title",
        style="select",
        text=lambda unit: str(unit + 1),
        spell=lambda unit: str(unit + 1),
        width=140,
    )


def one_unit(scene: Scene, layer: int, unit: int, stored: dict[str, Any] | None) -> None:
    """What a unit speaks for, and where it fires most."""
    place = {"unit": str(unit + 1), "layer": layer + 1, "stack": scene.stack}
    st.markdown("## " + say("block-unit-heading", **place))
    if scene.stack == "decoder":
        tokens = promoted_by(scene.run, scene.stack, layer, unit)
        st.markdown(say("block-unit-promotes", tokens=quoted(tokens)))
    card = scene.run.translator.card
    if not card.units:
        stored_box(card.lies(UNITS))
    elif stored is None:
        st.markdown(say("block-unit-unknown"))
    else:
        st.markdown(say("block-unit-fires", share=numbers.percent(stored["share"])))
        st.dataframe(
            places_table(stored),
            key="block_unit_places",
            hide_index=True,
            width="content",
            column_config={
                name: st.column_config.Column(say(f"block-unit-{title}"))
                for name, title in (
                    ("before", "before"), ("token", "token"), ("after", scene.stack),
                    ("fires", "activation"),
                )
            },
            alt=say("block-unit-places-alt"),
        )  # fmt: skip
        st.caption(source_line(card.units))


def places_table(stored: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "before": before[-MOST_CONTEXT:],
                "token": token_label(token),
                "after": after[:MOST_CONTEXT],
                "fires": numbers.fixed(fires),
            }
            for before, token, after, fires in stored["places"]
        ],
        columns=["before", "token", "after", "fires"],
    )


def tokens_told(stored: dict[str, Any] | None) -> str:
    """The tokens that a unit fires most on, each once."""
    tokens = dict.fromkeys(token_label(token) for _, token, *_ in (stored or {}).get("places", ()))
    return ", ".join(list(tokens)[:MOST_TOKENS])


def quoted(tokens: tuple[str, ...]) -> str:
    return ", ".join(say("quoted", text=plain(token_label(token))) for token in tokens)


def stored_units(values: dict[str, Any], stack: str, layer: int) -> dict[int, dict[str, Any]]:
    """What was measured of the units of a layer, by their numbers."""
    layers = values.get("layers", {}).get(stack, [])
    return {each["unit"]: each for each in layers[layer]} if layer < len(layers) else {}
