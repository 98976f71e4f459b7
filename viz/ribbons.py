"""Heads as ribbons between two columns of tokens: their picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.links import Links, Side
from records import AttentionMap
from words.numbers import percent

from . import chart
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, numbered_labels, text_width
from .look import say
from .theme import INK, SELECTION_TEXT

# Each as far as possible from the others in CIELAB, taking the nearest of four views: ordinary,
# protan, deutan and tritan (Machado et al. 2009), the first eight farther than the rest. All stand
# out at 3:1 from white and from the dark page, and from the red of a selection.
HEAD_COLOURS: tuple[str, ...] = (
    *("#3377cc", "#889955", "#cc66aa", "#bb44ff", "#886622", "#cc0077", "#007744", "#8811ff"),
    *("#00aa33", "#6655dd", "#aa3399", "#aa8877", "#666677", "#9988cc", "#bb7722", "#bb5555"),
)

_WIDTH = 300
_LABEL_LIMIT = 150


def head_colour(head: int) -> str:
    """The colour of a head, in every picture; past the last colour they start again."""
    return HEAD_COLOURS[head % len(HEAD_COLOURS)]


def ribbon_step(n_rows: int) -> float:
    """Pixels from one token to the next: fewer for long sentences, but never unreadable."""
    return max(15.0, min(26.0, 620.0 / max(n_rows, 1)))


def curve_table(shown: Links, at: np.ndarray, step: float) -> pd.DataFrame:
    """Four points for each link where `at` is True, the corners of its curve.

    Returns
    -------
    DataFrame with the columns link (number of the curve), point (0 to 3), x (0 to 1), y (pixels),
    query, key (positions from 0), head (from 1), weight, breadth (pixels), colour.
    """
    head, query, key, weight = (a[at] for a in (shown.head, shown.query, shown.key, shown.weight))
    apart = min(2.5, 0.6 * step / max(len(shown.heads), 1))
    n_heads = max(shown.heads, default=0) + 1
    beside = np.zeros(n_heads)
    beside[list(shown.heads)] = (np.arange(len(shown.heads)) - (len(shown.heads) - 1) / 2) * apart
    left, right = ((position + 0.5) * step + beside[head] for position in (query, key))
    columns = {
        "link": np.arange(len(weight), dtype=np.int32),
        "query": query,
        "key": key,
        "head": head + 1,
        "weight": weight,
        "breadth": (0.5 + weight * step * 0.5).astype(np.float32),
    }
    repeated = {name: np.repeat(values, 4) for name, values in columns.items()}
    codes = np.repeat(head % len(HEAD_COLOURS), 4)
    return pd.DataFrame(
        repeated
        | {
            "colour": pd.Categorical.from_codes(codes, list(HEAD_COLOURS)),
            "point": np.tile(np.arange(4, dtype=np.int8), len(weight)),
            "x": np.tile(np.array([0, 1 / 3, 2 / 3, 1], np.float32), len(weight)),
            "y": np.stack([left, left, right, right], axis=1).ravel().astype(np.float32),
        }
    )


def ribbon_figure(
    attention: AttentionMap,
    shown: Links,
    *,
    row_tokens: Sequence[str] | None = None,
    rows: Sequence[int] = (),
    columns: Sequence[int] = (),
    side: Side = "query",
) -> Figure:
    """The ribbons as a picture nobody clicks: queries on the left, keys on the right.

    Parameters
    ----------
    shown : the links and the heads to draw.
    row_tokens : the T_q tokens to name the queries by, `attention.query_tokens` unless given.
    rows, columns : what is singled out; only its links are drawn, as `Links.at` says.
    """
    named = row_tokens or attention.query_tokens
    queries = distinct_labels(named)
    keys = distinct_labels(attention.key_tokens)
    at = shown.at(rows, columns, side)
    n_rows = max(len(queries), len(keys))
    step = ribbon_step(n_rows)
    size = _font_size(step)
    rooms = [
        round(min(_LABEL_LIMIT, max(text_width(label, size) for label in labels)))
        for labels in (queries, keys)
    ]
    note = pd.DataFrame({"text": [_note(shown, int(at.sum()))]})
    curves = curve_table(shown, at, step)
    for name, tokens in (("query", named), ("key", attention.key_tokens)):
        curves[name] = pd.Categorical.from_codes(curves[name], numbered_labels(tokens))
    tables = {
        "curves": curves,
        "queries": _tokens(queries, rows, step),
        "keys": _tokens(keys, columns, step),
        "note": note,
        "heads": _legend(shown.heads, n_rows * step),
    }
    part = chart.layered(*_layers(n_rows), width=_WIDTH, height=n_rows * step)
    return Figure(chart.whole(part), tables, "", width=_WIDTH + sum(rooms) + 40)


def _note(shown: Links, n_drawn: int) -> str:
    """How many links there are, how many of them are drawn, and the weight on the others."""
    part = "" if n_drawn == len(shown) else "-part"
    return say(
        f"figures-ribbons-note{part}",
        layer=shown.layer + 1,
        n=len(shown),
        links=f"{len(shown):,}",
        drawn=f"{n_drawn:,}",
        hidden=percent(shown.hidden_share()),
    )


def _tokens(labels: Sequence[str], chosen: Sequence[int], step: float) -> pd.DataFrame:
    places = np.arange(len(labels))
    return pd.DataFrame(
        {
            "label": np.array(labels, dtype=object),
            "y": ((places + 0.5) * step).astype(np.float32),
            "chosen": np.isin(places, list(chosen)),
        }
    )


def _legend(heads: Sequence[int], height: float) -> pd.DataFrame:
    """The names of the heads in their colours, eight a line below the picture."""
    lines = [list(heads[i : i + 8]) for i in range(0, len(heads), 8)]
    places = [
        ((i + 0.5) / len(line), height + 34 + 18 * row)
        for row, line in enumerate(lines)
        for i in range(len(line))
    ]
    return pd.DataFrame(
        {
            "x": [x for x, _ in places],
            "y": [y for _, y in places],
            "text": [say("figures-ribbons-head", head=head + 1) for head in heads],
            "colour": [head_colour(head) for head in heads],
        }
    )


def _font_size(step: float) -> float:
    return max(10.0, min(13.0, step * 0.62))


def _layers(n_rows: int) -> list[Part]:
    step = ribbon_step(n_rows)
    height = n_rows * step
    x = chart.field("x:Q", axis=None, scale={"domain": [0, 1], "nice": False})
    y = chart.field("y:Q", axis=None, scale={"domain": [0, height], "reverse": True, "nice": False})
    own_colour = chart.field("colour:N", scale=None)
    curves = chart.draw(
        "curves",
        chart.mark("line", interpolate="basis", strokeCap="butt"),
        x=x,
        y=y,
        order="point:Q",
        detail="link:N",
        color=own_colour,
        strokeWidth=chart.field("breadth:Q", scale=None),
        opacity=chart.field(
            "weight:Q", scale={"domain": [0, 1], "range": [0.15, 0.95]}, legend=None
        ),
        tooltip=chart.told(
            ("head:N", say("figures-head")),
            ("query:N", say("figures-query")),
            ("key:N", say("figures-key")),
            ("weight:Q", say("figures-weight"), ".4f"),
        ),
    )
    titles = [
        chart.draw(
            "note",
            chart.mark(
                "text", align=align, fontSize=12, fontWeight="bold", color=INK, dy=-10, dx=dx,
                text=say(id),
            ),
            x=chart.value(place),
            y=chart.value(0),
        )
        for id, align, place, dx in (
            ("figures-ribbons-query", "right", 0, -8),
            ("figures-ribbons-key", "left", _WIDTH, 8),
        )
    ]  # fmt: skip
    note = chart.draw(
        "note",
        chart.mark("text", align="center", fontSize=11, color=INK, dy=12),
        x=chart.value(_WIDTH / 2),
        y=chart.value(height),
        text="text:N",
    )
    heads = chart.draw(
        "heads",
        chart.mark("text", align="center", fontSize=12, fontWeight="bold", clip=False),
        x="x:Q",
        y="y:Q",
        text="text:N",
        color=own_colour,
    )
    names = [_names("queries", y, step, 0, "right", -8), _names("keys", y, step, _WIDTH, "left", 8)]
    return [curves, *names, *titles, note, heads]


def _names(name: str, y: Part, step: float, place: float, align: str, dx: float) -> Part:
    words = chart.text(align=align, dx=dx, fontSize=_font_size(step), limit=_LABEL_LIMIT)
    chosen = chart.when(("datum.chosen", SELECTION_TEXT), otherwise=INK)
    return chart.draw(name, words, x=chart.value(place), y=y, text="label:N", color=chosen)
