"""Blocks of a view: pictures with their files, tables, and menus of heads.

    layer, head = head_picker("seen", attention.n_layers, attention.n_heads)
    picture("seen-stages", stages, numbers=table, head=head_name(0, 1))
    table("knock-table", rows, formats={"change": "%.3f"})

The messages of a block derive from its id: ``<id>-alt`` describes the picture or table,
``<id>-file`` names its files, ``<id>-caption``, if there is one, stands below it, and
``<id>-<column>`` heads a column. The key is the id with underscores; blocks that share an id on a
page each need a key of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from core.records.tokens import visible
from core.weights.measures import strongest_head
from viz.figure import Figure, selection_of, spec_of, tables_of
from viz.labels import full_head_name

if TYPE_CHECKING:
    from streamlit.elements.arrow import DataframeStateInput

    from viz.figure import Plot

from ui.frame.choices import choose
from ui.frame.messages import current_words, head_name, say, site_name
from ui.frame.run import run_on_screen
from ui.kit.controls import Style, button, choice, number
from ui.kit.export import ExportData, export_menu, file_stem
from words.numbers import fixed, percent, scientific, signed

ROW = 35  # pixels of a table's row and of its head
FRAME = 2  # pixels of a table's border, above and below
WHOLE = 10_000  # pixels, more than any table is high
ONE_LINE = 64  # pixels; Streamlit breaks the texts of higher rows into lines
_FORMAT = re.compile(r"%(\+)?(?:\.(\d))?([def])")
EVERY = -1  # a head menu's entry for all layers, or all heads


def picture(
    id: str,
    figure: Figure | Plot,
    *,
    key: str = "",
    clicks: bool = False,
    wide: bool = False,
    on_point: Callable[[Any], None] | None = None,
    below: str = "",
    numbers: Any = None,
    leave_out: Sequence[str] = (),
    data: ExportData | None = None,
    saved: Figure | None = None,
    **values: Any,
) -> None:
    """Draw a figure of Altair or Plotly with its alternative text and the menu of its files.

    Parameters
    ----------
    id : of its messages.
    key : of the figure, by default the id's; the menu's is ``<key>_export``.
    clicks : make clicks available to `ui.kit.clicks.clicked` in the next run.
    wide : draw one panel as wide as the page; files keep the figure's own width.
    on_point : for Plotly, called with the first custom value of a clicked point.
    below : Markdown between the figure and the menu.
    numbers : makes the table of the figure, on another thread; or that table; or the name of a
        table of the figure. Columns in `leave_out` are dropped, and ``weight`` is named by
        ``measure``.
    data : in place of `numbers`, all data of the files.
    saved : the figure of the files, if it is not the one on screen.
    values : of the messages; ``text`` is the run's sentence by default.
    """
    run = run_on_screen()
    if run is not None:
        values = {"text": run.src.text, **values}
    # A function, because the menu makes the table only when a file is asked for.
    if isinstance(numbers, str | pd.DataFrame):
        numbers = partial(_table, figure, numbers, leave_out, values.get("measure", "weight"))
    key = key or key_of(id)
    words = current_words()
    alt = words(f"{id}-alt", **values)
    name = words(f"{id}-file", **values)
    if hasattr(figure, "to_plotly_json"):
        _turned(figure, key=key, alt=alt, name=name, on_point=on_point)
    else:
        draw(figure, key=key, alt=alt, clicks=clicks, wide=wide)
    if below:
        st.markdown(below)
    if words.has(f"{id}-caption"):
        st.caption(words(f"{id}-caption", **values))
    export_menu(saved or figure, key=f"{key}_export", name=name, numbers=numbers, data=data)


def _table(
    figure: Figure, numbers: str | pd.DataFrame, leave_out: Sequence[str], measure: str
) -> pd.DataFrame:
    table = tables_of(figure)[numbers] if isinstance(numbers, str) else numbers
    return table.drop(columns=list(leave_out)).rename(columns={"weight": measure})


def table(
    id: str,
    rows: Any,
    *,
    key: str = "",
    words: str = "",
    width: int | None = None,
    widths: Mapping[str, int] = MappingProxyType({}),
    formats: Mapping[str, str] = MappingProxyType({}),
    shares: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    charts: Sequence[str] = (),
    height: int = 11 * ROW + FRAME,
    row: int = ROW,
    on_pick: Callable[[int], None] | None = None,
    picked: int | None = None,
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
    shares : columns drawn as bars, each with the numbers at the two ends.
    charts : columns of lists of numbers between 0 and 1, each drawn as a small bar chart.
    height : at most so many pixels; a longer table scrolls.
    row : pixels of a row; Streamlit breaks texts into lines if there are more than 64.
    on_pick : called with the position of a row that is picked.
    picked : position of the row that is picked when the table appears.
    values : of the messages, besides the number of rows `n`.
    """
    rows = pd.DataFrame(rows)
    say = current_words()
    key = key or key_of(id)
    values = {"n": len(rows), **values}
    columns = {
        name: _column(
            *_column_words(f"{words or id}-{name}", str(name), values),
            width=widths.get(name, width),
            format=formats.get(name) if name in shares else None,
            ends=shares.get(name),
            is_chart=name in charts,
        )
        for name in rows.columns
    }
    selection: DataframeStateInput | None = None
    if picked is not None:
        selection = {"selection": {"rows": [picked]}}
    styled = _formatted(rows, formats, shares)
    st.dataframe(
        _measured_apart(styled, rows) if row > ONE_LINE else styled,
        key=key,
        hide_index=True,
        column_config=columns,
        # Set at once, or the page would move when the table arrives.
        height=min(ROW + row * len(rows) + FRAME, height),
        row_height=row,
        alt=say(f"{id}-alt", **values),
        on_select=partial(_pick, key, len(rows), on_pick) if on_pick else "ignore",
        selection_mode="single-row",
        selection_default=selection,
        placeholder="",
    )
    if say.has(f"{id}-caption"):
        st.caption(say(f"{id}-caption", **values))


def _column_words(id: str, name: str, values: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return title and help of a column; without a message `id` it is titled by its `name`."""
    say = current_words()
    title = say(id, **values) if say.has(id) else visible(name)
    return title, say(f"{id}-help", **values) if say.has(f"{id}-help") else None


def _column(
    title: str,
    help: str | None,
    *,
    width: int | None,
    format: str | None,
    ends: tuple[float, float] | None,
    is_chart: bool,
) -> Any:
    """Return the configuration of a column; with `ends` its numbers are drawn as bars."""
    if is_chart:
        return st.column_config.BarChartColumn(title, width=width, help=help, y_min=0, y_max=1)
    if ends is not None:
        least, most = ends
        return st.column_config.ProgressColumn(
            title, width=width, help=help, format=format, min_value=least, max_value=most
        )
    # Other columns keep the type that Streamlit infers; `_formatted` writes their numbers.
    return st.column_config.Column(title, width=width, help=help)


def _formatted(rows: pd.DataFrame, formats: Mapping[str, str], shares: Collection[str]) -> Any:
    """Return `rows` with the texts of their numbers, as `words.numbers` writes them.

    Streamlit sorts by the numbers and shows the texts; its own formats know no minus sign.
    """
    writers = {
        name: partial(_write, form)
        for name, form in formats.items()
        if name in rows and name not in shares
    }
    return rows.style.format(writers, na_rep="") if writers else rows


def _measured_apart(styled: Any, rows: pd.DataFrame) -> Any:
    """Return `styled`, the styled or plain `rows`, with a font weight of its own for every text.

    The browser guesses by the mean width of the letters that it has drawn in a font how many of
    them fill a line. Narrow letters after wide ones, such as English after Korean, would not be
    broken into lines. Weights that differ by one look alike, and count as fonts of their own.
    """
    styler = rows.style if styled is rows else styled
    texts = rows.select_dtypes(["object", "string"]).columns
    for weight, name in enumerate(texts, start=400):
        styler = styler.set_properties(subset=[name], **{"font-weight": str(weight)})
    return styler


def _write(form: str, value: Any) -> str:
    """Write a number in a format of C, "percent" or "whole percent"; texts stay as they are.

    >>> _write("%.2f", -0.5), _write("%+.1f", 2), _write("%d", -3), _write("percent", 0.25)
    ('−0.50', '+2.0', '−3', '25.0%')
    """
    if isinstance(value, str):
        return value
    if form == "percent":
        return percent(value)
    if form == "whole percent":
        return percent(value, 0)
    match = _FORMAT.fullmatch(form)
    if match is None:
        raise ValueError(
            f"Expected a format such as '%.2f', '%+.1f', '%d' or 'percent', got {form!r}"
        )
    sign, digits, letter = match.groups()
    if letter == "e":
        return scientific(value)
    return (signed if sign else fixed)(value, int(digits or 0))


def key_of(id: str) -> str:
    return id.replace("-", "_")


def _pick(key: str, n_rows: int, on_pick: Callable[[int], None]) -> None:
    picked = st.session_state[key]["selection"]["rows"]
    # The browser may answer about an older and longer table.
    if picked and 0 <= picked[0] < n_rows:
        on_pick(picked[0])


def text_table(titles: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a small table as Markdown; all columns but the first are aligned right."""
    lines = [titles, [":--", *["--:"] * (len(titles) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def draw(figure: Figure, *, key: str, alt: str, clicks: bool = False, wide: bool = False) -> None:
    """Draw the picture alone; narrow screens scroll it, because shrunk it would be illegible."""
    spec = spec_of(figure)
    if wide:
        # With "pad" the drawing alone, without its axes, would be as wide as the page.
        spec = {**spec, "autosize": {"type": "fit-x", "contains": "padding"}}
    with st.container(key=f"scroll_{key}_wide" if wide else f"scroll_{key}"):
        st.vega_lite_chart(
            spec=spec,
            key=key,
            width="stretch" if wide else "content",
            alt=alt,
            on_select="rerun" if clicks else "ignore",
            selection_mode=[selection_of(figure)] if clicks else None,
        )


def _turned(
    plot: Plot, *, key: str, alt: str, name: str, on_point: Callable[[Any], None] | None
) -> None:
    """Draw a Plotly figure; its own toolbar saves the picture as the reader has turned it."""
    # Twice the resolution of the screen, for print.
    saved = {"filename": file_stem(name), "format": "png", "scale": 2}
    config = {
        "displaylogo": False,
        "toImageButtonOptions": saved,
        "responsive": True,
        "showTips": False,  # Plotly has these tips in English only
    }
    with st.container(key=f"plot_{key}"):
        st.plotly_chart(
            plot,
            key=key,
            theme=None,
            config=config,
            alt=alt,
            on_select=partial(_point, key, on_point) if on_point else "ignore",
            selection_mode="points",
        )


def _point(key: str, on_point: Callable[[Any], None]) -> None:
    if points := st.session_state[key]["selection"]["points"]:
        on_point(points[-1]["customdata"][0])


def head_picker(
    key: str,
    n_layers: int,
    n_heads: int,
    *,
    default: tuple[int, int] | None = None,
    of: object = None,
    every: bool = False,
) -> tuple[int, int]:
    """Draw menus of layer and head, counted from 1 on the page and from 0 here.

    A menu with one entry is left out, unless `every` is set. Heads that are chosen `of` something
    are not kept in the address.

    Parameters
    ----------
    key : prefix of the menus' keys, ``<key>_layer`` and ``<key>_head``.
    default, of : as in `choice`.
    every : also offer all layers and all heads, `EVERY` in the result.
    """
    if n_layers * n_heads == 1 and not every:
        # A layer-wise measure has one head too, and keeps the open one for later.
        choose({f"{key}_layer": 0, f"{key}_head": 0})
    first_layer, first_head = default or (None, None)
    layer = _index_menu(key, "layer", n_layers, default=first_layer, of=of, every=every)
    head = _index_menu(key, "head", n_heads, default=first_head, of=of, every=every)
    return layer, head


def _index_menu(
    key: str, name: str, count: int, *, default: int | None, of: object, every: bool
) -> int:
    """Draw a menu of `head_picker`, unless there is nothing to choose."""
    if count == 1 and not every:
        return 0
    return choice(
        f"{key}_{name}",
        range(EVERY if every else 0, count),
        words=name,
        style="select",
        address=of is None,
        default=default,
        of=of,
        text=_counted,
        spell=lambda index: str(index + 1),
        width=84,
    )


def full_head_menu(key: str, heads: Sequence[tuple[str, int, int]], **choice_kwargs: Any) -> Any:
    """Draw a menu of heads of several sites, "encoder-4-8" in the address."""
    names = {head: full_head_name(*head) for head in heads}
    ids = {head: f"{head[0]}-{head[1] + 1}-{head[2] + 1}" for head in heads}
    return choice(
        key,
        heads,
        style="select",
        text=names.__getitem__,
        spell=ids.__getitem__,
        # Older addresses hold the label instead of the id.
        old={names[head]: id for head, id in ids.items()},
        **choice_kwargs,
    )


def _counted(index: int) -> str:
    return say("every") if index == EVERY else str(index + 1)


def seed_box(key: str, most: int, *, width: int = 130, **kwargs: Any) -> int:
    """Draw a box for a seed from 0 to `most`, kept in the address; `kwargs` as in `number`."""
    return number(key, 0, most, 0, width=width, **kwargs)


def next_seed(key: str, most: int) -> None:
    """Advance the seed of `seed_box` by one, from `most` back to 0."""
    # Before the first run of the box its key is not in the session.
    st.session_state[key] = (st.session_state.get(key, 0) + 1) % (most + 1)


def site_menu(
    key: str,
    sites: Sequence[str],
    *,
    style: Style = "select",
    address: bool = False,
    width: int | str = 120,
    **choice_kwargs: Any,
) -> str:
    """Draw a menu of sites, ``<key>_kind``, if there are several; arguments as in `choice`."""
    if len(sites) == 1:
        return sites[0]
    return choice(
        f"{key}_kind",
        sites,
        words="kind",
        style=style,
        address=address,
        width=width,
        text=lambda name: site_name(name, "short"),
        **choice_kwargs,
    )


def open_best(key: str, per_head: np.ndarray, opened: tuple[int, int]) -> None:
    """Draw a button to the head with the largest number, unless it is open.

    `key` is that of `head_picker`; the message ``<key>_best`` names the number.
    """
    best = strongest_head(per_head)
    if best != opened and per_head[best] > 0:
        button(
            f"{key}_best",
            choose,
            {f"{key}_layer": best[0], f"{key}_head": best[1]},
            icon="arrow_forward",
            values={"head": head_name(*best), "share": per_head[best]},
        )
