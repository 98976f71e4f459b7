"""Blocks that views are made of: pictures with their files, tables, and the menus for a head.

    layer, head = head_picker("seen", attention.n_layers, attention.n_heads, address=True)
    picture("seen-stages", stages, numbers=table, head=head_name(0, 1))
    table("knock-table", rows, formats={"change": "%.3f"})

What a block says hangs on its id: ``<id>-alt`` in the place of the picture or table, ``<id>-file``
in the names of its files, ``<id>-caption`` below it where there is such a message, and
``<id>-<column>`` over a column. Its key is the id with underscores; where a page has several of one
id, each is given one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from core.tokens import visible
from viz.figure import Figure, selection_of, spec_of, tables_of
from viz.labels import full_head_name

if TYPE_CHECKING:
    from viz.figure import Plot

from ui.export import export_menu, file_stem
from ui.kit.controls import choice, number
from ui.words import current_words, say

ROW = 36  # pixels of a line of a table
WHOLE = 10_000  # pixels, more than any table is high
EVERY = -1  # of a head menu: all layers, or all heads


def picture(
    id: str,
    figure: Figure | Plot,
    *,
    key: str = "",
    clicks: bool = False,
    on_point: Callable[[Any], None] | None = None,
    below: str = "",
    numbers: Any = None,
    leave_out: Sequence[str] = (),
    files: Mapping[str, Any] = MappingProxyType({}),
    **values: Any,
) -> None:
    """A figure of Altair or Plotly, what is said in its place, and the menu of its files.

    Parameters
    ----------
    id : of its messages.
    key : of the figure, where it is not the id's; the menu's is ``<key>_export``.
    clicks : what is clicked is read by `ui.kit.controls.clicked` at the next run.
    on_point : of a figure of Plotly, called with what a point tells first when it is clicked.
    below : Markdown between the figure and the menu.
    numbers : what gives the table behind the figure on another thread; or that table, or the name
        of one that is drawn, without the columns `leave_out`, and ``weight`` called what the place
        ``measure`` of the messages says.
    files : what `ui.export.export_menu` takes besides: ``scene``, ``record`` ...
    values : places of the messages; ``text`` is the sentence on screen where it is not given.
    """
    if "run" in st.session_state:
        values = {"text": st.session_state["run"].src.text, **values}
    if isinstance(numbers, str | pd.DataFrame):
        numbers = partial(_table, figure, numbers, leave_out, values.get("measure", "weight"))
    key, words = key or key_of(id), current_words()
    alt, name = (words(f"{id}-{what}", **values) for what in ("alt", "file"))
    if hasattr(figure, "to_plotly_json"):
        _turned(figure, key=key, alt=alt, name=name, on_point=on_point)
    else:
        draw(figure, key=key, alt=alt, clicks=clicks)
    if below:
        st.markdown(below)
    if words.has(f"{id}-caption"):
        st.caption(words(f"{id}-caption", **values))
    export_menu(figure, key=f"{key}_export", name=name, numbers=numbers, **files)


def _table(
    figure: Figure, numbers: str | pd.DataFrame, leave_out: Sequence[str], measure: str
) -> pd.DataFrame:
    found = tables_of(figure)[numbers] if isinstance(numbers, str) else numbers
    return found.drop(columns=list(leave_out)).rename(columns={"weight": measure})


def table(
    id: str,
    rows: Any,
    *,
    key: str = "",
    words: str = "",
    width: int | None = None,
    widths: Mapping[str, int] = MappingProxyType({}),
    formats: Mapping[str, str] = MappingProxyType({}),
    shares: Sequence[str] = (),
    ends: tuple[float, float] = (0, 1),
    hidden: Sequence[str] = (),
    height: int = 11 * ROW,
    on_pick: Callable[[int], None] | None = None,
    **values: Any,
) -> None:
    """A table whose columns are named by messages, by themselves where there is none.

    Parameters
    ----------
    id : of its messages.
    rows : a frame, or what one is made of.
    words : begins the ids of the columns; `id` where it is not given.
    width, widths : pixels of all columns, and of those with another width.
    formats : of numbers, as ``"%.3f"``.
    shares : columns of numbers that are drawn as bars, from one of the `ends` to the other.
    hidden : columns of the frame that are not shown.
    height : at most so many pixels; a longer table scrolls.
    on_pick : called with the place of a row when it is picked.
    values : places of the messages, besides the number of rows `n`.
    """
    rows = pd.DataFrame(rows)
    key, values = key or key_of(id), {"n": len(rows), **values}
    height = min(ROW * (len(rows) + 1), height)  # told at once, or the page would move
    say, configs = current_words(), {}
    for name in rows.columns:
        title = f"{words or id}-{name}"
        said = say(title, **values) if say.has(title) else visible(str(name))
        told: dict[str, Any] = {"width": widths.get(name, width)}
        told |= {"help": say(f"{title}-help", **values)} if say.has(f"{title}-help") else {}
        kind = st.column_config.Column
        if name in shares:
            kind = st.column_config.ProgressColumn
            told |= {"min_value": ends[0], "max_value": ends[1]}
        elif name in formats:
            kind = st.column_config.NumberColumn
        told |= {"format": formats[name]} if name in formats else {}
        configs[name] = kind(said, **told)
    shown = rows.drop(columns=list(hidden))
    alt = say(f"{id}-alt", **values)
    how: dict[str, Any] = {"column_config": configs, "height": height, "alt": alt}
    if on_pick:
        how |= {"on_select": partial(_pick, key, len(rows), on_pick)}
        how |= {"selection_mode": "single-row"}
    st.dataframe(shown, key=key, hide_index=True, **how)
    if say.has(f"{id}-caption"):
        st.caption(say(f"{id}-caption", **values))


def key_of(id: str) -> str:
    return id.replace("-", "_")


def _pick(key: str, n_rows: int, on_pick: Callable[[int], None]) -> None:
    picked = st.session_state[key]["selection"]["rows"]
    if picked and 0 <= picked[0] < n_rows:
        on_pick(picked[0])


def text_table(titles: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """A small table as Markdown; all but the first column stand to the right."""
    lines = [titles, [":--", *["--:"] * (len(titles) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def draw(figure: Figure, *, key: str, alt: str, clicks: bool = False) -> None:
    """The picture alone. On a narrow screen it scrolls in its box; shrunk, it could not be read."""
    clicking = {"on_select": "rerun", "selection_mode": [selection_of(figure)]} if clicks else {}
    with st.container(key=f"scroll_{key}"):
        st.vega_lite_chart(spec=spec_of(figure), key=key, width="content", alt=alt, **clicking)


def _turned(
    plot: Plot, *, key: str, alt: str, name: str, on_point: Callable[[Any], None] | None
) -> None:
    """A figure that is turned or zoomed; its own bar saves the picture as it is turned."""
    saved = {"filename": file_stem(name), "format": "png", "scale": 2}
    config = {"displaylogo": False, "toImageButtonOptions": saved, "responsive": True}
    config["showTips"] = False  # Plotly knows them in English alone
    how: dict[str, Any] = {}
    if on_point:
        how = {"on_select": partial(_point, key, on_point), "selection_mode": "points"}
    with st.container(key=f"plot_{key}"):
        st.plotly_chart(plot, key=key, theme=None, config=config, alt=alt, **how)


def _point(key: str, on_point: Callable[[Any], None]) -> None:
    if points := st.session_state[key]["selection"]["points"]:
        on_point(points[-1]["customdata"][0])


def command_line(line: str) -> None:
    """A line for a terminal, to copy; wrapped, and in one colour that can be read."""
    st.code(line, None, wrap_lines=True)


def head_picker(
    key: str,
    n_layers: int,
    n_heads: int,
    *,
    chosen: tuple[int, int] | None = None,
    default: tuple[int, int] | None = None,
    of: object = None,
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
    default, of : as of `choice`.
    every : offer all layers and all heads too, `EVERY` in the result.
    address : keep both in the address.
    on_change : called with `args` and the name of the menu, "layer" or "head".
    """
    places = []
    for at, (name, count) in enumerate((("layer", n_layers), ("head", n_heads))):
        menu = f"{key}_{name}"
        if count == 1 and not every:  # nothing to choose
            if n_layers * n_heads == 1:  # of all heads together an open one waits
                st.session_state[menu] = 0
            places.append(0)
            continue
        place = choice(
            menu,
            range(EVERY if every else 0, count),
            words=name,
            style="select",
            address=address,
            shown=None if chosen is None else chosen[at],
            default=None if default is None else default[at],
            of=of,
            text=_counted,
            spell=lambda place: str(place + 1),
            width=84,
            on_change=on_change,
            args=(*args, name),
        )
        places.append(place)
    return places[0], places[1]


def full_head_menu(key: str, places: Sequence[tuple[str, int, int]], **how: Any) -> Any:
    """A menu of heads of several sites, "encoder-4-8" in the address; `how` is that of `choice`."""
    names = {place: full_head_name(*place) for place in places}
    spelt = {place: f"{place[0]}-{place[1] + 1}-{place[2] + 1}" for place in places}
    old = {names[place]: id for place, id in spelt.items()}
    how = {"style": "select", "text": names.get, "spell": spelt.get, "old": old, **how}
    return choice(key, places, **how)


def _counted(place: int) -> str:
    return say("every") if place == EVERY else str(place + 1)


def seed_box(key: str, most: int, *, width: int = 130, **how: Any) -> int:
    """A seed from 0 to `most`, kept in the address."""
    return number(key, 0, most, 0, width=width, **how)


def next_seed(key: str, most: int) -> None:
    """The seed after that of `seed_box`, and after the last the first."""
    st.session_state[key] = (st.session_state.get(key, 0) + 1) % (most + 1)
