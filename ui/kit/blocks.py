"""Blocks of a view: pictures with their files, and tables.

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

import pandas as pd
import streamlit as st

from core.records.tokens import visible
from ui.frame.messages import current_words
from ui.frame.run import run_on_screen
from ui.kit.export import ExportData, export_menu, file_stem
from viz.figure import Figure, selection_of, spec_of, tables_of
from words.numbers import fixed, percent, scientific, signed

if TYPE_CHECKING:
    from streamlit.elements.arrow import DataframeStateInput

    from viz.figure import Plot

ROW = 35  # pixels of a table's row and of its head
FRAME = 2  # pixels of a table's border, above and below
ONE_LINE = 64  # pixels; Streamlit breaks the texts of higher rows into lines
_FORMAT = re.compile(r"%(\+)?(?:\.(\d))?([def])")


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
    numbers : function that makes the table for the files, called on another thread; or the table
        itself; or the name of a table of the figure. Columns in `leave_out` are dropped, and the
        column ``weight`` is named by the value ``measure``.
    data : in place of `numbers`, all data of the files.
    saved : figure for the files, by default the one on screen.
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
        _draw_plotly(figure, key=key, alt=alt, name=name, on_point=on_point)
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
    rows : a data frame, or what `pandas.DataFrame` makes one from.
    words : prefix of the column messages, by default `id`.
    width, widths : pixels of every column, and of the columns that differ.
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
        _with_own_fonts(styled, rows) if row > ONE_LINE else styled,
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


def _with_own_fonts(styled: Any, rows: pd.DataFrame) -> Any:
    """Return `styled`, the styled or plain `rows`, with another font weight in each text column.

    The table breaks a text into lines by the mean width of the letters that it has drawn in that
    font so far. English after Korean would be taken for as wide, and not be broken. Font weights
    that differ by 1 look alike, but count as different fonts.
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


def _draw_plotly(
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
