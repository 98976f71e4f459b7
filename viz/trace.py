"""The links that carry a decision, drawn between the layers from the source to the decision."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from core.attention import CROSS, DECODER, ENCODER
from core.tables import labelled
from core.tokens import distinct_labels
from core.trace import GAP, Trace, TracePath, flow_tables, read_labels

from . import recipes as r
from .figure import Figure, drawn
from .labels import head_at
from .look import say
from .theme import INK, NEGATIVE, POSITIVE

_SPEAKS = ("figures-trace-for-token", "figures-trace-for-rival")
_DOWN = 39.0  # pixels for a sub-layer


def trace_flow(trace: Trace, path: TracePath, *, n_links: int = 24) -> Figure:
    """The strongest links between the layers of encoder and decoder, bottom up; nothing to click.

    The source stands at the bottom and goes up through the encoder, the target above it through
    the decoder. A link runs from what is looked at up to what looks, as wide as its change, green
    where it speaks for the token and purple where it speaks for the rival. Links of `path` are
    drawn full, the `n_links` strongest others pale; grey lines are positions that stay.
    """
    n_src, n_tgt = len(trace.src), len(trace.tgt)
    step = max(15.0, min(54.0, 800 / max(n_src, n_tgt)))
    tables = flow_tables(trace, path, n_links, fan=1.1 / step)
    links = tables["links"]
    tables["links"] = links.assign(
        name=list(map(head_at, links["kind"], links["layer"], links["head"])),
        size=links["change"].abs(),
        speaks=[say(_SPEAKS[change >= 0]) for change in links["change"]],
    )
    n_encoder, n_decoder = (len(trace.changes[site.name]) for site in (ENCODER, CROSS))
    layers = [(ENCODER, i) for i in range(n_encoder)]
    layers += [(site, i) for i in range(n_decoder) for site in (DECODER, CROSS)]
    names = [say(f"figures-trace-{site.name}", layer=layer + 1) for site, layer in layers]
    names[n_encoder:n_encoder] = [""] * GAP
    decides = np.arange(n_tgt) == trace.decision.position
    tables |= {
        "source": labelled(distinct_labels(trace.src.tokens), "x"),
        "read": labelled(read_labels(trace), "x"),
        "produced": labelled(distinct_labels(trace.tgt.tokens), "x", decides=decides),
        "layers": labelled(names, "y"),
    }
    return drawn(_flow, tables, shape=(n_src, n_tgt, n_encoder, n_decoder), step=step)


def _flow(shape: tuple[int, int, int, int], step: float) -> alt.LayerChart:
    n_src, n_tgt, n_encoder, n_decoder = shape
    n, high = max(n_src, n_tgt), n_encoder + GAP + 2 * n_decoder
    across, up = (alt.Scale(domain=[-0.5, last - 0.5]) for last in (n, high))
    at = {"x": alt.X("x:Q", scale=across, axis=None), "y": alt.Y("y:Q", scale=up, axis=None)}

    def labels(table: str, length: int, **axis: Any) -> alt.Axis:
        return r.label_axis(table, step, values=list(range(length)), labelFontSize=11, **axis)

    def tokens(table: str, length: int, **axis: Any) -> alt.Chart:
        shown = labels(table, length, labelAngle=-55, labelPadding=10, zindex=1, **axis)
        return r.kept(table, x=alt.X("x:Q", title=None, scale=across, axis=shown))

    names = alt.Y("y:Q", title=None, scale=up, axis=labels("layers", high, labelOpacity=0.7))
    legend = {"orient": "bottom", "symbolType": "square"}
    sides = [say(id) for id in _SPEAKS]
    stays, nodes, links, ends = (
        r.source(table).encode(**at) for table in ("stays", "nodes", "links", "ends")
    )
    return r.layered(
        nodes.mark_circle(size=10, color=INK, opacity=0.3, **r.QUIET),
        stays.mark_rule(color=INK, opacity=0.5, strokeWidth=1.2, **r.QUIET).encode(
            x2="x2", y2="y2"
        ),
        links.mark_rule(strokeCap="round").encode(
            x2="x2",
            y2="y2",
            color=r.series(
                alt.Color, "speaks", sides, (POSITIVE, NEGATIVE), "figures-trace-speaks", legend
            ),
            strokeWidth=alt.StrokeWidth(
                "size:Q",
                title=say("figures-trace-size"),
                scale=alt.Scale(domainMin=0, range=[1, 9]),
                legend=r.swatches(orient="bottom", tickCount=3, format="~g"),
            ),
            opacity=r.when(alt.OpacityValue, ("datum.path", 1), otherwise=0.3),
            tooltip=r.tips(
                **{"from": "figures-trace-from"},
                to="figures-looks-at",
                name="figures-head",
                weight=("figures-weight", ".3f"),
                change=("figures-trace-change", "+.3f"),
            ),
        ),
        ends.mark_point(size=110, strokeWidth=2, **r.FRAME),
        tokens("source", n_src),
        tokens("read", n_tgt, orient="bottom", offset=-(n_encoder + GAP) * _DOWN),
        tokens("produced", n_tgt, orient="top", chosen="decides"),
        r.kept("layers", y=names),
        width=n * step,
        height=high * _DOWN,
        resolve={"axis": {"x": "independent", "y": "independent"}},
    )
