"""Figure of a document's attention: sentences and their words, each as wide as its share."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import CROSS
from core.records.tokens import visible
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .labels import line_width
from .style import say
from .theme import ground, ink_on, palette_of

# Pixels.
_WIDTH = 800
_ROW = 46
_GAP = 4  # between the rows
_TEXT = 12
_MARGIN = 6  # kept free beside words, and used up by a number alone
_LEAST = 14  # width of a block that has room for a letter
_FRAMED = 4  # least width of a block with a frame, which would cover a narrower one


def attention_shares(
    words: Sequence[Sequence[str]], weights: Sequence[np.ndarray], sentences: np.ndarray
) -> Figure:
    """Draw the shares of a document's attention: sentences above, their words below.

    A word has the share of its sentence times its own share of it.

    Parameters
    ----------
    words : words of each sentence
    weights : weight of each word, an array for each sentence; NaN where it was not read
    sentences : ndarray of shape (S,)
        Weight of each sentence; NaN where it was not read.
    """
    table = shares_table(words, weights, sentences)
    table["x"] = table["start"] * _WIDTH
    table["end"] = (table["start"] + table["share"]) * _WIDTH
    table["y"] = np.where(table["level"] == "sentence", 0, _ROW + _GAP)
    table["below"] = table["y"] + _ROW
    table["middle"] = (table["x"] + table["end"]) / 2
    rooms = table["end"] - table["x"] - 8
    table["short"] = [
        _heading(block.text, block.sentence if block.level == "sentence" else None, room)
        for block, room in zip(table.itertuples(), rooms, strict=True)
    ]
    table["written"] = [
        _share(share) if room > line_width("0.0%", _TEXT) else ""
        for share, room in zip(table["share"], rooms, strict=True)
    ]
    table["percent"] = table["share"].map(_share)
    return drawn(_shares, {"blocks": table})


def shares_table(
    words: Sequence[Sequence[str]], weights: Sequence[np.ndarray], sentences: np.ndarray
) -> pd.DataFrame:
    """Return a row for each sentence and each of its words, with its share of the attention.

    Columns level ("sentence" or "word"), sentence (from 1), text, start and share: of one, and the
    shares of each level sum to one.
    """
    sentences = np.nan_to_num(np.asarray(sentences, dtype=np.float64))
    sentences = sentences / (sentences.sum() or 1.0)
    rows = []
    start = 0.0
    for at, (texts, row, share) in enumerate(zip(words, weights, sentences, strict=True), start=1):
        rows.append(("sentence", at, f"{at} · {visible(' '.join(texts))}", start, share))
        inner = np.nan_to_num(np.asarray(row, dtype=np.float64))
        inner = share * inner / (inner.sum() or 1.0)
        begins = start + np.cumsum(inner) - inner
        rows += [
            ("word", at, visible(text), begin, part)
            for text, begin, part in zip(texts, begins, inner, strict=True)
        ]
        start += share
    return pd.DataFrame(rows, columns=["level", "sentence", "text", "start", "share"])


def _share(share: float) -> str:
    """Write a share as the text above the figure does: two digits."""
    return percent(share, 0 if share >= 0.1 else 1)


def _heading(text: str, number: int | None, room: float) -> str:
    """Shorten the text of a block to `room` pixels, or that of a sentence to its `number`."""
    short = _fitting(text, room)
    # A number alone says more than a number with the beginning of a point.
    if number is None or len(short) > len(f"{number} · …"):
        return short
    return str(number) if line_width(str(number), _TEXT) <= room + _MARGIN else ""


def _fitting(text: str, room: float) -> str:
    """Shorten a text to `room` pixels; empty if not even a letter fits."""
    if line_width(text, _TEXT) <= room:
        return text
    if room < _LEAST:
        return ""
    while text and line_width(text + "…", _TEXT) > room:
        text = text[:-1]
    return text + "…" if text else ""


def _shares() -> alt.LayerChart:
    colours = [palette_of(site).ramp[1] for site in ("sentences", CROSS)]
    names = [say(f"documents-level-{level}") for level in ("sentence", "word")]
    blocks = r.source("blocks")
    fill = r.when(alt.ColorValue, ("datum.level == 'sentence'", colours[0]), otherwise=colours[1])
    ends = {"x2": "end", "y2": "below"}
    at = (r.pixels(alt.X, "x"), r.pixels(alt.Y, "y"))
    frame = r.when(alt.StrokeWidthValue, (f"datum.end - datum.x < {_FRAMED}", 0), otherwise=1)
    block = blocks.mark_rect(stroke=ground(), aria=False).encode(*at, fill, frame, **ends)
    tooltip = r.tips(
        text="documents-share-of", percent="documents-share", sentence=("documents-sentence", "d")
    )
    area = r.touched("blocks", tooltip).encode(*at, **ends)
    middle = r.pixels(alt.X, "middle")
    inks = ink_on(colours, np.array([0.0, 1.0]))
    ink = r.when(alt.ColorValue, ("datum.level == 'sentence'", inks[0]), otherwise=inks[1])
    text = r.text(blocks, fontSize=_TEXT, dy=15, align="center").encode(ink)
    number = r.text(blocks, fontSize=11, dy=32, align="center").encode(ink)
    heads = [
        r.text(
            blocks.transform_filter("datum.start == 0 && datum.level == 'sentence'"),
            align="right",
            fontSize=13,
        ).encode(
            x=alt.XValue(-8), y=alt.YValue(row * (_ROW + _GAP) + _ROW / 2), text=alt.value(name)
        )
        for row, name in enumerate(names)
    ]
    return r.layered(
        block,
        text.encode(middle, at[1], text="short:N"),
        number.encode(middle, at[1], text="written:N"),
        *heads,
        area,
        width=_WIDTH,
        height=2 * _ROW + _GAP,
    )
