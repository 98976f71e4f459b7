"""One row of every head of the encoder: where a position looks."""

from __future__ import annotations

from records import AttentionRecord
from ui.kit.blocks import figure_block
from ui.words import say
from viz.figure import tables_of
from viz.maps import head_rows


def show_rows(record: AttentionRecord, place: int, *, key: str, name: str, caption: str) -> None:
    """The weights from `place` in every head, with the files to save.

    Parameters
    ----------
    key, name : of the figure, as `ui.kit.blocks.figure_block` takes them.
    caption : what the rows are.
    """
    (attention,) = record.maps
    figure = head_rows(
        attention.weights[:, :, place],
        attention.key_tokens,
        kind=attention.site,
    )
    figure_block(
        figure,
        key=key,
        alt=say("masked-heads-alt", n=attention.n_layers * attention.n_heads),
        name=name,
        caption=caption,
        numbers=lambda: tables_of(figure)["cells"],
    )
