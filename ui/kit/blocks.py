"""Blocks of a view: pictures with their files, tables, and menus of heads.

    layer, head = head_picker("seen", attention.n_layers, attention.n_heads, address=True)
    picture("seen-stages", stages, numbers=table, head=head_name(0, 1))
    table("knock-table", rows, formats={"change": "%.3f"})

The messages of a block derive from its id: ``<id>-alt`` describes the picture or table,
``<id>-file`` names its files, ``<id>-caption``, if there is one, stands below it, and
``<id>-<column>`` heads a column. The key is the id with underscores; blocks that share an id on a
page each need a key of their own.
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

ROW = 36  # pixels of a table's row
WHOLE = 10_000  # pixels, more than any table is high
EVERY = -1  # a head menu's entry for all layers, or all heads


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
    """Draw a figure of Altair or Plotly with its alternative text and the menu of its files.

    Parameters
    ----------
    id : of its messages.
    key : of the figure, by default the id's; the menu's is ``<key>_export``.
    clicks : make clicks available to `ui.kit.controls.clicked` in the next run.
    on_point : for Plotly, called with the first custom value of a clicked point.
    below : Markdown between the figure and the menu.
    numbers : makes the table of the figure, on another thread; or that table; or the name of a
        table of the figure. Columns in `leave_out` are dropped, and ``weight`` is named by
        ``measure``.
    files : further arguments of `ui.export.export_menu`, such as ``record``; they may bring the
        ``numbers``.
    values : of the messages; ``text`` is the run's sentence by default.
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
    files = {"numbers": numbers, **files}
    export_menu(figure, key=f"{key}_export", name=name, **files)


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
    """Draw a table whose columns are titled by messages, or by their own names.

    Parameters
    ----------
    id : of its messages.
    rows : a frame, or the argument of one.
    words : prefix of the column messages, by default `id`.
    width, widths : pixels of all columns, and of columns with another width.
    formats : number formats by column, such as ``"%.3f"``.
    shares : columns drawn as bars between the two `ends`.
    hidden : columns that are not shown.
    height : at most so many pixels; a longer table scrolls.
    on_pick : called with the position of a row that is picked.
    values : of the messages, besides the number of rows `n`.
    """
    rows = pd.DataFrame(rows)
    key, values = key or key_of(id), {"n": len(rows), **values}
    # Set at once, or the page would move when the table arrives.
    height = min(ROW * (len(rows) + 1), height)
    say, configs = current_words(), {}
    for name in rows.columns:
        title = f"{words or id}-{name}"
        said = say(title, **values) if say.has(title) else visible(str(name))
        told: dict[str, Any] = {"width": widths.get(name, width)}
        told |= {"help": say(f"{title}-help", **values)} if say.has(f"{title}-help") else {}
        # Unformatted columns keep the type that Streamlit infers.
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
    """Return a small table as Markdown; all columns but the first are aligned right."""
    lines = [titles, [":--", *["--:"] * (len(titles) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def draw(figure: Figure, *, key: str, alt: str, clicks: bool = False) -> None:
    """Draw the picture alone; narrow screens scroll it, because shrunk it would be illegible."""
    clicking = {"on_select": "rerun", "selection_mode": [selection_of(figure)]} if clicks else {}
    with st.container(key=f"scroll_{key}"):
        st.vega_lite_chart(spec=spec_of(figure), key=key, width="content", alt=alt, **clicking)


def _turned(
    plot: Plot, *, key: str, alt: str, name: str, on_point: Callable[[Any], None] | None
) -> None:
    """Draw a Plotly figure; its own toolbar saves the picture as the reader has turned it."""
    # Twice the resolution of the screen, for print.
    saved = {"filename": file_stem(name), "format": "png", "scale": 2}
    config = {"displaylogo": False, "toImageButtonOptions": saved, "responsive": True}
    config["showTips"] = False  # Plotly has these tips in English only
    how: dict[str, Any] = {}
    if on_point:
        how = {"on_select": partial(_point, key, on_point), "selection_mode": "points"}
    with st.container(key=f"plot_{key}"):
        st.plotly_chart(plot, key=key, theme=None, config=config, alt=alt, **how)


def _point(key: str, on_point: Callable[[Any], None]) -> None:
    if points := st.session_state[key]["selection"]["points"]:
        on_point(points[-1]["customdata"][0])


def command_line(line: str) -> None:
    """Draw a command to copy, wrapped, in one colour of sufficient contrast."""
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
    """Draw menus of layer and head, counted from 1 on the page and from 0 here.

    A menu with one entry is left out, unless `every` is set.

    Parameters
    ----------
    key : prefix of the menus' keys, ``<key>_layer`` and ``<key>_head``.
    chosen : the head to show, if it is not the menus that decide it.
    default, of : as in `choice`.
    every : also offer all layers and all heads, `EVERY` in the result.
    address : keep both in the address.
    on_change : called with `args` and the name of the menu, "layer" or "head".
    """
    places = []
    for at, (name, count) in enumerate((("layer", n_layers), ("head", n_heads))):
        menu = f"{key}_{name}"
        if count == 1 and not every:  # nothing to choose
            # A layer-wise measure has one head too, and keeps the open one for later.
            if n_layers * n_heads == 1:
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
    """Draw a menu of heads of several sites, "encoder-4-8" in the address; `how` as in `choice`."""
    names = {place: full_head_name(*place) for place in places}
    spelt = {place: f"{place[0]}-{place[1] + 1}-{place[2] + 1}" for place in places}
    # Older addresses hold the label instead of the id.
    old = {names[place]: id for place, id in spelt.items()}
    how = {"style": "select", "text": names.get, "spell": spelt.get, "old": old, **how}
    return choice(key, places, **how)


def _counted(place: int) -> str:
    return say("every") if place == EVERY else str(place + 1)


def seed_box(key: str, most: int, *, width: int = 130, **how: Any) -> int:
    """Draw a box for a seed from 0 to `most`, kept in the address."""
    return number(key, 0, most, 0, width=width, **how)


def next_seed(key: str, most: int) -> None:
    """Advance the seed of `seed_box` by one, from `most` back to 0."""
    st.session_state[key] = (st.session_state.get(key, 0) + 1) % (most + 1)
