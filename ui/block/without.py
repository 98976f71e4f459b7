"""A residual connection or a layer norm left out, and the translation that results."""

from __future__ import annotations

import streamlit as st

from analysis.block import lengths_table
from model.errors import InterventionError
from records import Intervention, LeftOut, NoNorm, NoResidual
from ui.choice import choice
from ui.effect import show_effect
from ui.kit.blocks import figure_block
from ui.state import Run, show_problem
from ui.words import named, say
from viz.block import length_lines
from viz.figure import tables_of
from words import numbers

from .scene import STACKS, streams

KINDS: dict[str, type[LeftOut]] = {"residual": NoResidual, "norm": NoNorm}
ALL = "all"


def show(run: Run) -> None:
    kind, change, stack = chosen(run)
    try:
        plain, changed = (
            streams(run, each)[STACKS.index(stack)] for each in (Intervention(), change)
        )
    except InterventionError as error:
        show_problem(error)
        return
    before, after = lengths_table(plain), lengths_table(changed)
    figure = length_lines(before, after, plain.places)
    show_effect(run, change, key="block_effect")
    st.markdown("## " + say("block-without-title"))
    last = after.iloc[-1]
    st.markdown(
        say(
            "block-without-told",
            kind=kind,
            stack=stack,
            length=numbers.fixed(float(last["length"])),
            plain=numbers.fixed(float(before["length"].iloc[-1])),
            alike=numbers.fixed(float(last["alike"])),
            plain_alike=numbers.fixed(float(before["alike"].iloc[-1])),
        )
    )
    figure_block(
        figure,
        key="block_lengths",
        alt=say("block-without-alt"),
        name=say("block-without-name", text=run.record.src.text),
        numbers=lambda: tables_of(figure)["lines"],
    )


def chosen(run: Run) -> tuple[str, Intervention, str]:
    """What is left out, and the stack to look at: the one it is in, the encoder where in both.

    Returns
    -------
    which of `KINDS`, the change, the stack
    """
    first, second = streams(run, Intervention())
    layers = {"encoder": first.places[-1].layer + 1, "decoder": second.places[-1].layer + 1}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = choice("block_cut", tuple(KINDS), words="block-cut")
        stack = choice(
            "block_cut_stack", (ALL, *STACKS), words="block-cut-stack", style="select",
            default="encoder", width=200,
        )  # fmt: skip
        n_layers = max(layers.values()) if stack == ALL else layers[stack]
        layer = choice(
            "block_cut_layer",
            (ALL, *map(str, range(1, n_layers + 1))),
            words="block-cut-layer",
            style="select",
            default="1",
            text=lambda number: say("block-cut-layer-all") if number == ALL else number,
            width=140,
        )
        there = (*first.places, *second.places)
        names = tuple(dict.fromkeys(each.name for each in there if stack in (ALL, each.stack)))
        name = choice(
            "block_cut_name",
            (ALL, *names),
            words="block-cut-name",
            style="select",
            default=names[0],
            text=lambda name: (
                say("block-cut-name-all") if name == ALL else named(f"block-sublayer-{name}", name)
            ),
            width=220,
        )
    place = (
        None if stack == ALL else stack,
        None if layer == ALL else int(layer) - 1,
        None if name == ALL else name,
    )
    return kind, Intervention(KINDS[kind](*place)), "encoder" if stack == ALL else stack
