"""Renderer of charts in notebooks, which needs no network."""

from __future__ import annotations

from typing import Any

import altair as alt

from .export import VEGA_LITE, drawing, on_paper


def in_a_notebook(spec: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Return the chart for notebooks that draw Vega-Lite, and its picture for others."""
    mime = f"application/vnd.vegalite.v{VEGA_LITE.split('.')[0]}+json"
    spec = on_paper(spec)
    return {mime: spec, "image/svg+xml": drawing(spec)}


# Altair's default renderer loads its library from a network.
alt.renderers.register("attention-lab", in_a_notebook)
alt.renderers.enable("attention-lab")
