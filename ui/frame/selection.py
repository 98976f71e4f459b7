"""Selection in attention maps: the open head and the chosen tokens, by position."""

from __future__ import annotations

from dataclasses import dataclass

Head = tuple[int, int]
"""A layer and a head, both from 0."""


@dataclass(frozen=True)
class HeadSelection:
    """The open head of a site, and its chosen queries (rows) and keys (columns) as positions.

    In the session they are positions of the map as computed (`ui.kit.focus`); on the way to and
    from the browser they are those on screen, where words may be merged (`ui.components.heads`).
    """

    layer: int = 0
    head: int = 0
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    @property
    def place(self) -> Head:
        return self.layer, self.head

    @property
    def row(self) -> int | None:
        return self.rows[0] if self.rows else None

    @property
    def column(self) -> int | None:
        return self.columns[0] if self.columns else None
