"""Part of a long text for pictures that cannot show all of its tokens at once."""

from __future__ import annotations

from dataclasses import replace

from core.weights.transform import cut_out, window_around
from ui.kit.controls import slider
from ui.kit.layout import caption
from ui.pages.attention.scene import AttentionScene, Window

MOST_SHOWN = 160  # tokens of a picture that shows all
MOST_IN_WINDOW = 80  # tokens of the part that is shown of more


def windowed(scene: AttentionScene) -> AttentionScene:
    """Return the scene of a part of the text, and draw the sliders that move it.

    A text of at most `MOST_SHOWN` tokens is returned whole. The part opens around the chosen query;
    of cross-attention the keys are around the chosen key, else around the largest weight.
    """
    attention = scene.attention
    n_rows, n_columns = attention.weights.shape[2:]
    if max(n_rows, n_columns) <= MOST_SHOWN:
        return scene
    row = scene.rows[0] if scene.rows else 0
    largest = int(attention.head(*scene.focus.place)[row].argmax())
    column = scene.columns[0] if scene.columns else largest
    rows = _part(f"{scene.site_id}_queries", row, n_rows, "window-queries")
    together = scene.raw.site.is_self and n_rows == n_columns
    columns = rows if together else _part(f"{scene.site_id}_keys", column, n_columns, "window-keys")
    part = scene_of_part(scene, rows, columns)
    weights = attention.head(*scene.focus.place)[rows.start : rows.stop]
    total = float(weights.sum())
    inside = float(weights[:, columns.start : columns.stop].sum())
    caption(
        "window-shown",
        first=rows.start + 1,
        last=rows.stop,
        of=n_rows,
        first_key=columns.start + 1,
        last_key=columns.stop,
        of_keys=n_columns,
        head=scene.head_name(),
        measure=scene.raw.measure,
        outside=1 - inside / total if total else 0.0,
    )
    return part


def _part(key: str, position: int, length: int, words: str) -> range:
    """Return the part that a slider selects, by default around a position."""
    if length <= MOST_SHOWN:
        return range(length)
    default = window_around(position, length, MOST_IN_WINDOW)
    last = length - MOST_IN_WINDOW + 1
    first = slider(key, 1, last, default.start + 1, 1, words=words, width=420)
    return range(first - 1, first - 1 + MOST_IN_WINDOW)


def scene_of_part(scene: AttentionScene, rows: range, columns: range) -> AttentionScene:
    """Return the scene with these rows and columns of the map on screen alone."""
    regrouped = scene.regrouped
    part = replace(
        regrouped,
        attention=cut_out(scene.attention, rows, columns),
        query_groups=regrouped.query_groups[rows.start : rows.stop],
        key_groups=regrouped.key_groups[columns.start : columns.stop],
        empty_rows=tuple(row - rows.start for row in regrouped.empty_rows if row in rows),
    )
    return replace(scene, regrouped=part, window=Window(regrouped, rows, columns))
