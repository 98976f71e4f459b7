"""Blocks that many views are made of: a figure with its files, and the menus for a head.

layer, head = head_picker("seen", attention.n_layers, attention.n_heads, address=True)
figure_block(matrix, key="seen_matrix", alt=say("..."), name=say("..."), numbers=table)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from viz.figure import Figure, selection_of, spec_of, width_of

if TYPE_CHECKING:
    from viz.figure import Plot

from .choice import choice
from .export import export_menu, file_stem
from .words import say

MOST_TO_SHRINK = 540
EVERY = -1  # of a head menu: all layers, or all heads


def figure_block(
    figure: Figure,
    *,
    key: str,
    alt: str,
    name: str,
    clicks: bool = False,
    below: str = "",
    caption: str = "",
    **files: Any,
) -> None:
    """A picture, what a screen reader says in its place, and the menu of files to save.

    Parameters
    ----------
    key : of the picture; the keys of the menu begin with ``<key>_export``.
    alt : the picture in words.
    name : what the picture shows, for the files' names.
    clicks : what is clicked is read by `ui.focus.clicked` at the next run.
    below, caption : Markdown between the picture and the menu, and in small print.
    files : what `ui.export.export_menu` takes besides: ``scene``, ``numbers``, ``record`` ...
    """
    draw(figure, key=key, alt=alt, clicks=clicks)
    if below:
        st.markdown(below)
    if caption:
        st.caption(caption)
    export_menu(figure, key=f"{key}_export", name=name, **files)


def draw(figure: Figure, *, key: str, alt: str, clicks: bool = False) -> None:
    """The picture alone. On a narrow screen a small one shrinks, a large one scrolls in its box."""
    clicking = {"on_select": "rerun", "selection_mode": [selection_of(figure)]} if clicks else {}
    with st.container(key=f"{'shrink' if width_of(figure) <= MOST_TO_SHRINK else 'scroll'}_{key}"):
        st.vega_lite_chart(spec=spec_of(figure), key=key, width="content", alt=alt, **clicking)


def plot_block(
    plot: Plot, *, key: str, alt: str, name: str, caption: str = "", **files: Any
) -> None:
    """As `figure_block`, for a figure of Plotly: one that is turned or zoomed.

    Its own bar saves the picture as it is turned.
    """
    saved = {"filename": file_stem(name), "format": "png", "scale": 2}
    config = {"displaylogo": False, "toImageButtonOptions": saved, "responsive": True}
    config["showTips"] = False  # Plotly knows them in English alone
    with st.container(key=f"plot_{key}"):
        st.plotly_chart(plot, key=key, theme=None, config=config, alt=alt)
    if caption:
        st.caption(caption)
    export_menu(plot, key=f"{key}_export", name=name, **files)


def command_line(line: str) -> None:
    """A line for a terminal, to copy; wrapped, and in one colour that can be read."""
    st.code(line, None, wrap_lines=True)


def head_picker(
    key: str,
    n_layers: int,
    n_heads: int,
    *,
    chosen: tuple[int, int] | None = None,
    every: bool = False,
    address: bool = False,
    on_change: Callable[..., None] | None = None,
    args: tuple = (),
) -> tuple[int, int]:
    """Menus for a layer and a head, counted from 1 on the page, from 0 here; none for one head.

    Parameters
    ----------
    key : begins the keys of the menus, ``<key>_layer`` and ``<key>_head``.
    chosen : the place to show, where something else than the menus decides it.
    every : offer all layers and all heads too, `EVERY` in the result.
    address : keep both in the address.
    on_change : called with `args` and the name of the menu, "layer" or "head".
    """
    places = []
    for at, (name, count) in enumerate((("layer", n_layers), ("head", n_heads))):
        menu = f"{key}_{name}"
        if chosen is not None:
            st.session_state[menu] = chosen[at]
        if n_layers * n_heads == 1 and not every:  # nothing to choose
            st.session_state[menu] = 0
            places.append(0)
            continue
        place = choice(
            menu,
            range(EVERY if every else 0, count),
            words=name,
            style="select",
            address=address,
            text=_counted,
            spell=lambda place: str(place + 1),
            width=84,
            on_change=on_change,
            args=(*args, name),
        )
        places.append(place)
    return places[0], places[1]


def _counted(place: int) -> str:
    return say("every") if place == EVERY else str(place + 1)


def seed_box(key: str, label: str, most: int, *, width: int = 130, **options: Any) -> int:
    """A seed from 0 to `most`, kept in the address."""
    return st.number_input(label, 0, most, 0, key=key, bind="query-params", width=width, **options)


def next_seed(key: str, most: int) -> None:
    """The seed after that of `seed_box`, and after the last the first."""
    st.session_state[key] = (st.session_state.get(key, 0) + 1) % (most + 1)
