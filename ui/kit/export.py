"""Menu beside a figure that offers the picture and its numbers as files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import pandas as pd
import streamlit as st

from core.files import (
    UNSIGNED,
    Signature,
    attention_npz,
    attention_table,
    bertviz_json,
    map_npz,
    table_csv,
    table_npz,
)
from core.records.attention import AttentionMap, AttentionRecord
from ui import VERSION
from ui.frame.messages import say
from ui.frame.run import run_on_screen
from viz.export import (
    chart_json,
    figure_html,
    figure_png,
    figure_svg,
    has_browser,
    plot_html,
    plot_image,
    plot_json,
)
from viz.figure import Figure
from viz.style import PLAIN, Look, current_look

from .layout import paragraph

if TYPE_CHECKING:
    from viz.figure import Plot

Numbers: TypeAlias = AttentionMap | pd.DataFrame
# Characters; with an ending it stays below the limits of file systems, also in UTF-8.
MOST_NAME = 60
BOM = "\ufeff"
"""Sign by which Excel knows UTF-8; without it, Korean Windows reads the file as CP949."""
PLACES = ("q", "k", "j", "row", "column", "strip", "place")
"""Columns of a drawing's table that count from 0."""


@dataclass(frozen=True)
class Download:
    """A file on offer; `make` computes its content and uses no Streamlit.

    `make` runs on another thread when the file is requested, long after the page was drawn.
    """

    label: str
    file_name: str
    mime: str
    make: Callable[[], str | bytes]


def file_stem(*parts: str, limit: int = MOST_NAME) -> str:
    """Return a file name without ending, never empty: ASCII, Hangul, digits and single hyphens.

    >>> file_stem("Straße & Müll", "layer 2"), file_stem("1층 2번 헤드")
    ('strasse-mull-layer-2', '1층-2번-헤드')
    """
    words = []
    for part in parts:
        # NFKD splits off the accents; NFC puts the jamo of Hangul together again.
        folded = unicodedata.normalize("NFKD", part.replace("ß", "ss"))
        bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
        words += re.findall(r"[a-z0-9가-힣]+", unicodedata.normalize("NFC", bare).lower())
    stem = "-".join(words)
    if len(stem) > limit:
        stem = stem[:limit].rstrip("-")
    return stem or "figure"


@dataclass(frozen=True)
class ExportData:
    """Data behind a figure, for the files that hold no picture.

    Attributes
    ----------
    numbers : function that returns the table or map of the figure, for CSV and NPZ.
    record : all attention of the run, for BertViz and NPZ. The NPZ file holds the whole `record` if
        the figure shows one of its maps as computed, else the `numbers`.
    row_tokens : row labels of a map in the CSV file.
    layer, head : the head of a map in the CSV file; None for all.
    table : function that returns the rows of the CSV file, counted from 1, if they are not
        those of `numbers`.
    choices : settings of this figure alone, which its signature lists before those of the page.
    """

    numbers: Callable[[], Numbers] | None = None
    record: AttentionRecord | None = None
    row_tokens: Sequence[str] | None = None
    layer: int | None = None
    head: int | None = None
    table: Callable[[], pd.DataFrame] | None = None
    choices: Mapping[str, str] = field(default_factory=dict)


NO_DATA = ExportData()


def downloads(
    figure: Figure | Plot | Callable[[], Figure],
    *,
    name: str,
    data: ExportData = NO_DATA,
    look: Look = PLAIN,
    signature: Signature = UNSIGNED,
) -> list[Download]:
    """Return the files that a figure can be exported as; nothing is computed yet.

    Parameters
    ----------
    figure : a chart or plot, or a function that makes it.
    name : title in the HTML file; the file names are derived from it.
    data : numbers behind the figure; a kind of file whose data is missing is left out.
    look : theme in which the figure is made.
    signature : provenance, written into every file but BertViz's.

    PNG and SVG of a Plotly figure need a browser on this machine and are left out without one.
    """
    stem = file_stem(name)
    record = data.record
    files = _pictures(figure, stem, name, signature)
    if data.numbers is not None:
        csv = partial(_csv, data, signature)
        files.append(Download("CSV", f"{stem}.csv", "text/csv", csv))
    if data.numbers is not None or record is not None:
        npz = partial(_npz, data, signature)
        files.append(Download("NPZ", f"{stem}.npz", "application/octet-stream", npz))
    if record is not None:
        bertviz = partial(bertviz_json, record)
        files.append(Download("BertViz", f"{stem}-bertviz.json", "application/json", bertviz))
    # The theme is a context variable and does not reach the exporting thread by itself.
    return [replace(file, make=partial(look, file.make)) for file in files]


def export_menu(
    figure: Figure | Plot | Callable[[], Figure],
    *,
    key: str,
    name: str,
    words: str = "export",
    numbers: Callable[[], Numbers] | None = None,
    data: ExportData | None = None,
) -> None:
    """Draw a popover with a button for each of `downloads`.

    `numbers` is a short form of `data` that has nothing else. `words` is the message on the button.

    Nothing is drawn before the popover is opened, and a file is computed when its button is
    pressed. The functions that make the figure and the numbers run on another thread and must not
    use Streamlit.
    """
    menu = st.popover(say(words), icon=":material/download:", key=key, on_change="rerun")
    if not menu.open:
        return
    data = data or ExportData(numbers=numbers)
    # Look and signature are read now: the session is out of reach on the exporting thread.
    files = downloads(
        figure, name=name, data=data, look=current_look(), signature=signature(data.choices)
    )
    with menu:
        with st.container(horizontal=True, gap="small"):
            for file in files:
                download(file, key)
        paragraph("export_files")
        if data.record is not None:
            paragraph("export_bertviz")


def download(file: Download, key: str) -> None:
    """Draw a button for a file; its key is that of the menu and the file's label."""
    st.download_button(
        file.label,
        file.make,
        file_name=file.file_name,
        mime=file.mime,
        key=f"{key}_{file.label.lower()}",
        on_click="ignore",
    )


def signature(choices: Mapping[str, str]) -> dict[str, str]:
    """Return the provenance of the page's figures, for whoever finds an exported file later.

    `choices` are settings of one figure. Those of the page are read from the address, which leaves
    out every setting that has its default.
    """
    run = run_on_screen()
    signed = {"program": f"Attention Lab {VERSION}"}
    if run is not None and run.choices.reads:
        card = run.card
        signed["checkpoint"] = f"{card.name} ({card.fingerprint})"
        signed["sentence"] = run.src.text
        if run.tgt is not None:
            signed["output"] = run.tgt.text
    signed |= choices
    # The sentence is signed above, and may be long.
    chosen = {name: st.query_params.get_all(name) for name in st.query_params if name != "text"}
    if address := "&".join(f"{name}={','.join(values)}" for name, values in chosen.items()):
        signed["choices"] = address
    return signed


def _pictures(
    figure: Figure | Plot | Callable[[], Figure], stem: str, name: str, signature: Signature
) -> list[Download]:
    # Functions make Altair figures; a Plotly figure comes as it is.
    altair = not hasattr(figure, "to_plotly_json")

    def file(label: str, mime: str, write: Callable[..., str | bytes], *args: str) -> Download:
        def make() -> str | bytes:
            return write(figure() if callable(figure) else figure, *args, signature=signature)

        return Download(label, f"{stem}.{label.lower()}", mime, make)

    pictures = [
        file("PNG", "image/png", *((figure_png,) if altair else (plot_image, "png"))),
        file("SVG", "image/svg+xml", *((figure_svg,) if altair else (plot_image, "svg"))),
    ]
    return [
        *(pictures if altair or has_browser() else []),
        file("HTML", "text/html", figure_html if altair else plot_html, name),
        file("JSON", "application/json", chart_json if altair else plot_json),
    ]


def from_one(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with positions of a drawing counted from 1."""
    integers = table.select_dtypes("integer").columns
    counted = table.copy()
    for name in PLACES:
        if name in integers:
            counted[name] += 1
    return counted


def counted_from_one(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with layers and heads counted from 1."""
    return table.assign(layer=table["layer"] + 1, head=table["head"] + 1)


def _csv(data: ExportData, signature: Signature) -> str:
    if data.table is not None:
        return BOM + table_csv(data.table(), signature)
    assert data.numbers is not None  # such a file is offered with numbers only
    numbers = data.numbers()
    if isinstance(numbers, AttentionMap):
        table = attention_table(numbers, data.layer, data.head, data.row_tokens)
    else:
        table = from_one(numbers)
    return BOM + table_csv(table, signature)


def _npz(data: ExportData, signature: Signature) -> bytes:
    numbers = data.numbers() if data.numbers is not None else None
    record = data.record
    if isinstance(numbers, pd.DataFrame):
        return table_npz(from_one(numbers), signature)
    # The page may have merged pieces or cut the map: then the record is not what the figure shows.
    is_whole = numbers is None or (record is not None and any(numbers is m for m in record.maps))
    if record is not None and is_whole:
        return attention_npz(record, signature)
    assert numbers is not None  # such a file is offered with numbers or a record
    return map_npz(numbers, signature)
