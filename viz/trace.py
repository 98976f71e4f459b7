"""Which links carry a decision: the strongest as a path from the decoder down to the source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionKind, Decision, Trace, TracedLink

from .figure import Figure, table
from .labels import distinct_labels, head_title, text_width
from .theme import INK, NEGATIVE, POSITIVE, SELECTION

Side = Literal["source", "target"]

FOR, AGAINST = POSITIVE, NEGATIVE
_ROOM = 600  # pixels for the positions of a sentence of ordinary length
_NARROWEST, _WIDEST_STEP = 15.0, 42.0
_LEFT = 96  # for the names of the layers
_ENCODER_DOWN, _DECODER_DOWN = 46.0, 40.0
_FONT = 11.0
_MOST_LABEL = 96.0
_THIN, _THICK = 1.0, 9.0
_FAN = 1.1  # pixels between links of neighbouring heads, so that none hides another


@dataclass(frozen=True)
class TracePath:
    """A chain of links from the row that makes a decision towards the source.

    Attributes
    ----------
    decision : what was decided.
    links : the links followed, from the decision on; empty when none was strong enough.
    toll : what each link had to be worth, see `trace_path`.
    """

    decision: Decision
    links: tuple[TracedLink, ...]
    toll: float

    @property
    def source_stops(self) -> tuple[int, ...]:
        """Source positions it comes through, in order, each stay counted once."""
        stops: list[int] = []
        for link in self.links:
            if link.kind != "decoder" and stops[-1:] != [link.key]:
                stops.append(link.key)
        return tuple(stops)

    def goes_by(self, pronoun: tuple[int, ...], antecedent: tuple[int, ...]) -> bool:
        """It is the textbook's: straight from the decision to the pronoun, then its antecedent."""
        stops = self.source_stops
        return (
            len(stops) == 2
            and self.links[0].kind == "cross"
            and stops[0] in pronoun
            and stops[1] in antecedent
        )


def trace_path(trace: Trace, share: float = 0.25) -> TracePath:
    """The chain of links that is worth most, from the decision down towards the source.

    It starts at the decision's row on top of the decoder. A link of a position leads to an earlier
    row of the decoder, below the layer of that link, or to a source token on top of the encoder,
    and so on down through the encoder; between links the position stays, which is the residual
    connection. Each link is worth its absolute change and costs a toll, `share` of the largest
    absolute change of all. So a link weaker than the toll is taken only where it leads to others
    that make up for it, and the chain ends where nothing below would. The best chain is found for
    every position and layer, from the bottom up (dynamic programming).

    Raises
    ------
    ValueError : `share` is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}, expected more than 0, at most 1")
    strongest = trace.strongest(1)
    if not strongest:
        return TracePath(trace.decision, (), 0.0)
    toll = share * abs(strongest[0].change)
    source = _no_chains(len(trace.src))
    for layer in range(trace.changes["encoder"].shape[0]):
        source = _through(trace, "encoder", layer, toll, above=source, behind=source)
    target = _no_chains(len(trace.tgt))
    for layer in range(trace.changes["decoder"].shape[0]):
        target = _through(trace, "decoder", layer, toll, above=target, behind=target)
        target = _through(trace, "cross", layer, toll, above=target, behind=source)
    return TracePath(trace.decision, target[trace.decision.position].links, toll)


@dataclass(frozen=True)
class _Chain:
    """The best chain from one position downwards, and its worth."""

    worth: float = 0.0
    links: tuple[TracedLink, ...] = ()


def _no_chains(length: int) -> list[_Chain]:
    return [_Chain()] * length


def _through(
    trace: Trace,
    kind: AttentionKind,
    layer: int,
    toll: float,
    *,
    above: list[_Chain],
    behind: list[_Chain],
) -> list[_Chain]:
    """The best chains one sub-layer higher: those of `above` stay, or a link leads to `behind`."""
    sizes = np.abs(trace.changes[kind][layer]).astype(np.float64)  # (H, T_q, T_k)
    worth = sizes - toll + np.array([chain.worth for chain in behind])
    worth = np.where(np.nan_to_num(sizes) > 0, worth, -np.inf)
    higher = []
    for position, stays in enumerate(above):
        row = worth[:, position]
        head, key = map(int, np.unravel_index(int(row.argmax()), row.shape))
        if row[head, key] <= stays.worth:
            higher.append(stays)
            continue
        change = float(trace.changes[kind][layer, head, position, key])
        weight = float(trace.weights[kind][layer, head, position, key])
        link = TracedLink(kind, layer, head, position, key, weight, change)
        higher.append(_Chain(float(row[head, key]), (link, *behind[key].links)))
    return higher


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
        if link.kind == "encoder":
            return self.source[link.query]
        return self.row(link.query)

    def key(self, link: TracedLink) -> str:
        return self.row(link.key) if link.kind == "decoder" else self.source[link.key]

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
    chart = {**_flow_chart(), "width": round(place.width), "height": round(place.height)}
    return Figure(chart, tables, "", width=round(place.width) + 60)


class _Places:
    """Pixels of every layer and position; levels count from 0, the embeddings."""

    def __init__(self, trace: Trace) -> None:
        self.n_encoder = trace.changes["encoder"].shape[0]
        self.n_decoder = trace.changes["cross"].shape[0]
        longest = max(len(trace.src), len(trace.tgt))
        self.step = max(_NARROWEST, min(_WIDEST_STEP, _ROOM / longest))
        self.n_heads = trace.changes["cross"].shape[1]
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
        if link.kind == "encoder":
            return x, self.y("source", link.layer), x2, self.y("source", link.layer + 1)
        if link.kind == "decoder":
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
            {"y": (self.y("source", i) + self.y("source", i + 1)) / 2, "label": f"encoder {i + 1}"}
            for i in range(self.n_encoder)
        ]
        for i in range(self.n_decoder):
            for half, name in ((0.25, "decoder"), (0.75, "cross")):
                y = self.y("target", i + half)
                lines.append({"y": y, "label": f"{name} {i + 1}"})
        return pd.DataFrame(lines)


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
                "name": head_title(link.kind, link.layer, link.head),
                "from": names.query(link),
                "to": names.key(link),
                "weight": link.weight,
                "change": link.change,
                "size": abs(link.change),
                "speaks": _speaks(link.change),
                "path": link in path.links,
            }
        )  # fmt: skip
    numbers = ["x", "y", "x2", "y2", "weight", "change", "size"]
    columns = [*numbers, "name", "from", "to", "speaks", "path"]
    return pd.DataFrame(lines, columns=columns)


def _speaks(change: float) -> str:
    return "for the token" if change < 0 else "for the rival"


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


def _at(field: str, axis: str = "x") -> Any:
    encoding = alt.X if axis == "x" else alt.Y
    scale = {"scale": None, "axis": None}
    return encoding(f"{field}:Q", **scale)


@lru_cache(maxsize=1)
def _flow_chart() -> dict[str, Any]:
    ends = {"x": _at("x"), "y": _at("y", "y"), "x2": "x2:Q", "y2": "y2:Q"}
    tooltip = [
        alt.Tooltip("from:N", title="token that looks"),
        alt.Tooltip("to:N", title="looks at"),
        alt.Tooltip("name:N", title="head"),
        alt.Tooltip("weight:Q", title="weight", format=".3f"),
        alt.Tooltip("change:Q", title="log-odds without it", format="+.3f"),
    ]
    nodes = (
        alt.Chart(table("nodes"))
        .mark_circle(size=10, color=INK, opacity=0.3, tooltip=None)
        .encode(x=_at("x"), y=_at("y", "y"))
    )
    stays = (
        alt.Chart(table("stays"))
        .mark_rule(color=INK, opacity=0.5, strokeWidth=1.2, tooltip=None)
        .encode(**ends)
    )
    links = (
        alt.Chart(table("links"))
        .mark_rule(strokeCap="round")
        .encode(
            **ends,
            color=alt.Color(
                "speaks:N",
                title="the link speaks",
                scale=alt.Scale(domain=["for the token", "for the rival"], range=[FOR, AGAINST]),
                legend=alt.Legend(orient="bottom", direction="horizontal", symbolType="square"),
            ),
            strokeWidth=alt.StrokeWidth(
                "size:Q",
                title="|change of the log-odds|",
                scale=alt.Scale(domainMin=0, range=[_THIN, _THICK]),
                legend=alt.Legend(
                    orient="bottom", direction="horizontal", tickCount=3, format="~g"
                ),
            ),
            opacity=alt.when("datum.path").then(alt.value(1.0)).otherwise(alt.value(0.3)),
            tooltip=tooltip,
        )
    )
    text = {"fontSize": _FONT, "limit": _MOST_LABEL, "baseline": "middle", "tooltip": None}

    def labels(name: str, align: str, **encodings: Any) -> alt.Chart:
        return (
            alt.Chart(table(name))
            .mark_text(align=align, angle=305, color=INK, **text)
            .encode(x=_at("x"), y=_at("y", "y"), text="label:N", **encodings)
        )

    decides = alt.when("datum.decides").then(alt.value(SELECTION)).otherwise(alt.value(INK))
    layers = (
        alt.Chart(table("layers"))
        .mark_text(align="left", color=INK, opacity=0.7, **text)
        .encode(x=alt.value(4), y=_at("y", "y"), text="label:N")
    )
    rings = (
        alt.Chart(table("ends"))
        .mark_point(size=110, filled=False, stroke=SELECTION, strokeWidth=2, tooltip=None)
        .encode(x=_at("x"), y=_at("y", "y"))
    )
    return (
        alt.layer(
            nodes,
            stays,
            links,
            labels("source", "right"),
            labels("read", "right"),
            labels("produced", "left", color=decides),
            layers,
            rings,
        )
        .properties(autosize="pad", padding={"left": 4, "top": 4, "right": 8, "bottom": 4})
        .configure_view(stroke=None)
        .to_dict()
    )
