"""The links that carry a decision, drawn between the layers from the source to the decision."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from analysis.trace import TracePath
from records import CROSS, DECODER, ENCODER, Trace, TracedLink

from . import chart
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, head_at, head_title, text_width
from .look import say
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, SELECTION_TEXT

Side = Literal["source", "target"]

_SPEAKS = ("figures-trace-for-token", "figures-trace-for-rival")
_ROOM = 600  # pixels for the positions of a sentence of ordinary length
_NARROWEST, _WIDEST_STEP = 15.0, 42.0
_LEFT = 96  # for the names of the layers
_ENCODER_DOWN, _DECODER_DOWN = 46.0, 40.0
_FONT = 11.0
_MOST_LABEL = 96.0
_THIN, _THICK = 1.0, 9.0
_FAN = 1.1  # pixels between links of neighbouring heads, so that none hides another


def links_table(trace: Trace, n: int) -> pd.DataFrame:
    """The `n` strongest links, one line each, strongest first.

    Returns
    -------
    DataFrame with the columns from and to (labels of the token that looks and of the one looked
    at; a decoder row is named by what it produces where it decides, else by what it reads), name
    (of the head, from 1), kind, layer, head, query, key (all from 0), weight (0 to 1) and change
    (of the log-odds without the link).
    """
    names = _Names(trace)
    lines = [
        {
            "from": names.query(link),
            "to": names.key(link),
            "name": head_title(link.kind, link.layer, link.head),
            **vars(link),
        }
        for link in trace.strongest(n)
    ]
    columns = ["from", "to", "name", "kind", "layer", "head", "query", "key", "weight", "change"]
    return pd.DataFrame(lines, columns=columns)


def link_ends(trace: Trace, link: TracedLink) -> tuple[str, str]:
    """Labels of the token that looks and of the one it looks at, as in `links_table`."""
    names = _Names(trace)
    return names.query(link), names.key(link)


class _Names:
    """Labels of both sentences, repeated words numbered."""

    def __init__(self, trace: Trace) -> None:
        self.source = distinct_labels(trace.src.tokens)
        self.produced = distinct_labels(trace.tgt.tokens)
        self.read = distinct_labels(("<s>", *trace.tgt.tokens[:-1]))
        self._decides = trace.decision.position

    def query(self, link: TracedLink) -> str:
        if link.kind == ENCODER.name:
            return self.source[link.query]
        return self.row(link.query)

    def key(self, link: TracedLink) -> str:
        return self.row(link.key) if link.kind == DECODER.name else self.source[link.key]

    def row(self, position: int) -> str:
        """A decoder row: only the one that decides is known by what it produces."""
        return self.produced[position] if position == self._decides else self.read[position]


def trace_flow(trace: Trace, path: TracePath, *, n_links: int = 24) -> Figure:
    """The strongest links between the layers of encoder and decoder, bottom up; nothing to click.

    The source stands at the bottom and goes up through the encoder, the target above it through
    the decoder. A link runs from what is looked at up to what looks, as wide as its change, green
    where it speaks for the token and purple where it speaks for the rival. Links of `path` are
    drawn full, the `n_links` strongest others pale; grey lines are positions that stay.
    """
    place = _Places(trace)
    links = _link_lines(trace, path, place, n_links)
    stays = _stay_lines(trace, path, place)
    names = _Names(trace)
    source = pd.DataFrame(
        {"x": place.xs(len(trace.src)), "y": place.y("source", 0) + 9, "label": names.source}
    )
    read = pd.DataFrame(
        {"x": place.xs(len(trace.tgt)), "y": place.y("target", 0) + 9, "label": names.read}
    )
    top = place.y("target", place.n_decoder)
    decides = trace.decision.position
    produced = pd.DataFrame(
        {"x": place.xs(len(trace.tgt)), "y": top - 9, "label": names.produced}
    ).assign(decides=np.arange(len(trace.tgt)) == decides)
    ends = _path_ends(trace, path, place)
    tables = {
        "links": links,
        "stays": stays,
        "nodes": place.nodes(len(trace.src), len(trace.tgt)),
        "source": source,
        "read": read,
        "produced": produced,
        "layers": place.layers(),
        "ends": ends,
    }
    size = {"width": round(place.width), "height": round(place.height)}
    part = chart.whole(chart.layered(*_layers(), **size), autosize="pad")
    return Figure(part, tables, "", width=round(place.width) + 60)


class _Places:
    """Pixels of every layer and position; levels count from 0, the embeddings."""

    def __init__(self, trace: Trace) -> None:
        self.n_encoder = trace.changes[ENCODER.name].shape[0]
        self.n_decoder = trace.changes[CROSS.name].shape[0]
        longest = max(len(trace.src), len(trace.tgt))
        self.step = max(_NARROWEST, min(_WIDEST_STEP, _ROOM / longest))
        self.n_heads = trace.changes[CROSS.name].shape[1]
        names = _Names(trace)
        self.top = 0.8 * _room(names.produced) + 22
        self.middle = 0.8 * _room(names.read) + 46
        self.width = _LEFT + longest * self.step + 0.6 * _room(names.produced)
        self.height = self.y("source", 0) + 0.8 * _room(names.source) + 14

    def x(self, position: float) -> float:
        return _LEFT + (position + 0.5) * self.step

    def xs(self, length: int) -> np.ndarray:
        return _LEFT + (np.arange(length) + 0.5) * self.step

    def y(self, side: Side, level: float) -> float:
        """Levels of the decoder have halves: after self-attention, before cross-attention."""
        if side == "target":
            return self.top + 2 * _DECODER_DOWN * (self.n_decoder - level)
        bottom = self.top + 2 * _DECODER_DOWN * self.n_decoder + self.middle
        return bottom + _ENCODER_DOWN * (self.n_encoder - level)

    def link(self, link: TracedLink) -> tuple[float, float, float, float]:
        """x and y of the key, then of the query."""
        fan = (link.head - (self.n_heads - 1) / 2) * _FAN
        x, x2 = self.x(link.key) + fan, self.x(link.query) + fan
        if link.kind == ENCODER.name:
            return x, self.y("source", link.layer), x2, self.y("source", link.layer + 1)
        if link.kind == DECODER.name:
            return x, self.y("target", link.layer), x2, self.y("target", link.layer + 0.5)
        return x, self.y("source", self.n_encoder), x2, self.y("target", link.layer + 1)

    def nodes(self, n_src: int, n_tgt: int) -> pd.DataFrame:
        levels = [("source", n_src, level) for level in range(self.n_encoder + 1)]
        levels += [("target", n_tgt, half / 2) for half in range(2 * self.n_decoder + 1)]
        return pd.DataFrame(
            [
                {"x": self.x(position), "y": self.y(side, level)}
                for side, length, level in levels
                for position in range(length)
            ]
        )

    def layers(self) -> pd.DataFrame:
        """The name of each sub-layer, half way up."""
        lines = [
            (ENCODER, i, (self.y("source", i) + self.y("source", i + 1)) / 2)
            for i in range(self.n_encoder)
        ]
        lines += [
            (site, i, self.y("target", i + half))
            for i in range(self.n_decoder)
            for half, site in ((0.25, DECODER), (0.75, CROSS))
        ]
        return pd.DataFrame(
            [
                {"y": y, "label": say(f"figures-trace-{site.name}", layer=layer + 1)}
                for site, layer, y in lines
            ]
        )


def _room(labels: list[str]) -> float:
    return min(_MOST_LABEL, max(text_width(label, _FONT) for label in labels))


def _link_lines(trace: Trace, path: TracePath, place: _Places, n_links: int) -> pd.DataFrame:
    names = _Names(trace)
    on_path = {(k.kind, k.layer, k.head, k.query, k.key) for k in path.links}
    others = [
        link
        for link in trace.strongest(n_links + len(on_path))
        if (link.kind, link.layer, link.head, link.query, link.key) not in on_path
    ][:n_links]
    lines = []
    for link in (*others[::-1], *path.links):  # the strongest last, so on top
        x, y, x2, y2 = place.link(link)
        lines.append(
            {
                "x": x, "y": y, "x2": x2, "y2": y2,
                "name": head_at(link.kind, link.layer, link.head),
                "from": names.query(link),
                "to": names.key(link),
                "weight": link.weight,
                "change": link.change,
                "size": abs(link.change),
                "speaks": say(_SPEAKS[link.change >= 0]),
                "path": link in path.links,
            }
        )  # fmt: skip
    numbers = ["x", "y", "x2", "y2", "weight", "change", "size"]
    columns = [*numbers, "name", "from", "to", "speaks", "path"]
    return pd.DataFrame(lines, columns=columns)


def _stay_lines(trace: Trace, path: TracePath, place: _Places) -> pd.DataFrame:
    """The stretches of the path on which nothing but the layer changes."""
    lines = []
    x, y = place.x(trace.decision.position), place.y("target", place.n_decoder)
    for link in path.links:
        below_x, below, above_x, above = place.link(link)
        lines.append({"x": x, "y": y, "x2": above_x, "y2": above})
        x, y = below_x, below
    return pd.DataFrame(lines, columns=["x", "y", "x2", "y2"])


def _path_ends(trace: Trace, path: TracePath, place: _Places) -> pd.DataFrame:
    x, y = place.x(trace.decision.position), place.y("target", place.n_decoder)
    ends = [{"x": x, "y": y}]
    if path.links:
        x, y, _, _ = place.link(path.links[-1])
        ends.append({"x": x, "y": y})
    return pd.DataFrame(ends)


def _layers() -> list[Part]:
    """The chart of any trace; where everything goes is in the tables."""
    at = {"x": chart.pixels("x"), "y": chart.pixels("y")}
    legend = {"orient": "bottom", "direction": "horizontal"}
    links = chart.draw(
        "links",
        chart.mark("rule", strokeCap="round"),
        **chart.BOX,
        color=chart.field(
            "speaks:N",
            title=say("figures-trace-speaks"),
            scale={"domain": [say(id) for id in _SPEAKS], "range": [POSITIVE, NEGATIVE]},
            legend={**legend, "symbolType": "square"},
        ),
        strokeWidth=chart.field(
            "size:Q",
            title=say("figures-trace-size"),
            scale={"domainMin": 0, "range": [_THIN, _THICK]},
            legend={**legend, "tickCount": 3, "format": "~g"},
        ),
        opacity=chart.when(("datum.path", 1.0), otherwise=0.3),
        tooltip=chart.told(
            ("from:N", say("figures-trace-from")),
            ("to:N", say("figures-looks-at")),
            ("name:N", say("figures-head")),
            ("weight:Q", say("figures-weight"), ".3f"),
            ("change:Q", say("figures-trace-change"), "+.3f"),
        ),
    )
    stays = chart.mark("rule", color=INK, opacity=0.5, strokeWidth=1.2, **chart.QUIET)
    nodes = chart.mark("circle", size=10, color=INK, opacity=0.3, **chart.QUIET)
    rings = chart.mark(
        "point", size=110, filled=False, stroke=SELECTION, strokeWidth=2, tooltip=None
    )
    text = {"fontSize": _FONT, "limit": _MOST_LABEL}

    def labels(name: str, align: str, **shown: Part) -> Part:
        words = chart.text(align=align, angle=305, **text)
        return chart.draw(name, words, **at, text="label:N", **shown)

    return [
        chart.draw("nodes", nodes, **at),
        chart.draw("stays", stays, **chart.BOX),
        links,
        labels("source", "right"),
        labels("read", "right"),
        labels(
            "produced", "left", color=chart.when(("datum.decides", SELECTION_TEXT), otherwise=INK)
        ),
        chart.draw(
            "layers",
            chart.text(align="left", opacity=0.7, **text),
            x=chart.value(4),
            y=at["y"],
            text="label:N",
        ),
        chart.draw("ends", rings, **at),
    ]
