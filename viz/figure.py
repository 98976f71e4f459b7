"""What the drawing functions return: a Vega-Lite specification and its tables.

The specification names its tables and holds nothing of them, so figures of the same shape have the
same one, and the browser exchanges the data under a chart that stays where it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from altair import TopLevelMixin
    from plotly.graph_objects import Figure as Plot  # noqa: F401 - for who shows either


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart and its data.

    Attributes
    ----------
    chart : Vega-Lite specification that refers to the tables by name.
    tables : the tables, by the names the specification uses.
    selection : name of the selection a click changes.
    width : rough width of the whole drawing in pixels.
    """

    chart: dict[str, Any]
    tables: dict[str, pd.DataFrame]
    selection: str
    width: int

    @property
    def spec(self) -> dict[str, Any]:
        """The specification with its tables under ``datasets``, as Streamlit takes it."""
        return {**self.chart, "datasets": dict(self.tables)}

    def altair(self) -> TopLevelMixin:
        """The figure as a chart of Altair with its data: to change, to save, to lay beside others.

        Ink and ground are those of the current look.
        """
        import altair as alt

        from .export import export_spec

        return alt.Chart.from_dict(export_spec(self))

    def _repr_mimebundle_(self, **_asked: Any) -> dict[str, Any]:
        """What a notebook shows: the chart where it can draw one, else the picture; no network."""
        from .export import VEGA_LITE, export_spec, figure_svg

        kind = f"application/vnd.vegalite.v{VEGA_LITE.split('.')[0]}+json"
        return {kind: export_spec(self), "image/svg+xml": figure_svg(self)}

    def to_dict(self) -> dict[str, Any]:
        """The specification on its own, for saving: plain JSON, the tables written out."""
        datasets = {
            name: json.loads(t.to_json(orient="records")) for name, t in self.tables.items()
        }
        return {**self.chart, "datasets": datasets}
