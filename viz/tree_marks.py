"""The marks of a search tree: links, nodes, labels, what takes the clicks, and the key."""

from __future__ import annotations

from dataclasses import dataclass

from records import DECODER

from . import chart
from .chart import QUIET, Part, draw, field, mark, pixels, value, when
from .look import say
from .theme import GREY, INK, SELECTION, SELECTION_TEXT, palette_of

SELECTION_NAME = "node"
STEP_SIGNAL = "upto"  # the step up to which the tree is drawn; later ones shimmer through
WIDEST, NARROWEST = 116, 80  # pixels from one step to the next
ROOM = 920  # pixels that a tree may take before its steps come closer
LEAST_HEIGHT = 60
RADIUS = {"kept": 6.0, "finished": 6.0, "pruned": 3.5}
KEY_FONT = 11.0

_UNDER_POINTER = (
    "isValid(over.pre) && isValid(over.pre[0]) "
    "&& datum.pre <= over.pre[0] && over.pre[0] <= datum.last"
)
_AT = {"x": pixels("px"), "y": pixels("py")}
_LATER = f"datum.step > {STEP_SIGNAL}"
_OPACITY = {
    "condition": {"test": _LATER, "value": 0.12},
    **field("opacity:Q", scale=None, legend=None),
}


def step_width(n_steps: int) -> int:
    """Pixels from one step of a tree to the next: long trees are drawn closer, to be read whole."""
    return max(NARROWEST, min(WIDEST, ROOM // (n_steps + 1)))


def curve_of(apart: int) -> int:
    """The part of a step in which links rise and fall, free of text."""
    return apart * 2 // 5 - 6


def text_room(apart: int) -> int:
    """What is left of a step for a node and its label."""
    return apart - curve_of(apart)


def hit_area(row: float, apart: int) -> str:
    """A node with its label, as an SVG path around the node; `row` pixels down to the next."""
    return f"M-10,{-row / 2:g}H{text_room(apart) - 2}V{row / 2:g}H-10Z"


@dataclass(frozen=True)
class TreeMarks:
    """All that shapes the chart of a tree; what differs between trees is in the tables.

    So are the rows and with them the height, to which the drawing grows: trees of as many steps
    have one specification, under which the browser exchanges the nodes.

    Attributes
    ----------
    apart : pixels from one step to the next.
    new : colour of what the other tree of a comparison lacks; "" without one.
    step, n_steps : where `STEP_SIGNAL` begins, and how far it goes.
    """

    apart: int
    new: str
    step: int
    n_steps: int

    def chart(self, width: int) -> Part:
        layers = [
            _step_labels(),
            self._links(),
            _lit_links(),
            _rings(),
            self._circles(),
            _chosen(),
            self._tokens(),
            self._hit_areas(),
            *self._key(),
        ]
        size = {"width": width, "height": LEAST_HEIGHT, "autosize": "pad"}
        scales = {"resolve": {"scale": {"color": "independent"}}}
        steps = chart.dial(STEP_SIGNAL, self.step, self.n_steps)
        return chart.whole(chart.layered(*layers, **size, **scales), right=24, dials=(steps,))

    @property
    def _accent(self) -> str:
        return palette_of(DECODER).accent

    def _marked(self) -> list[tuple[str, str]]:
        """The cases in which a link or a node has a colour of its own."""
        return [("datum.on_way", SELECTION), *([("datum.only_here", self.new)] if self.new else [])]

    def _links(self) -> Part:
        stroke = when(*self._marked(), ("datum.best", self._accent), otherwise=GREY)
        return _link_marks(stroke=stroke, opacity=_OPACITY)

    def _circles(self) -> Part:
        fill = chart.share_colour(
            "probability:Q",
            palette_of(DECODER).ramp,
            title=say("beam-tree-probability"),
            gradientOpacity=1,
            titleLimit=240,
            orient="none",
            legendX=0,
            legendY={"expr": "data('key')[0].below"},
        )
        return draw(
            "nodes",
            mark("point", filled=True, **QUIET),
            **_AT,
            size=field("size:Q", scale=None),
            shape=when(("datum.forced", "square"), otherwise="circle"),
            fill=fill,
            stroke=when(*self._marked(), otherwise=INK),
            strokeWidth=when(("datum.on_way || datum.only_here", 2), otherwise=0.8),
            opacity=_OPACITY,
        )

    def _hit_areas(self) -> Part:
        """Invisible, one a node with its label: they take the clicks and show the ledger."""
        area = {"size": 4, "cursor": "pointer"}
        return draw(
            "nodes",
            mark("point", fill="transparent", stroke=None, opacity=1, aria=False, **area),
            shape=field("area:N", scale=None),
            params=(chart.click(SELECTION_NAME, "id", "click"), chart.hover("over", "pre")),
            **_AT,
            tooltip=chart.told(
                ("token:N", say("beam-token")),
                ("step:Q", say("beam-step-title")),
                ("log_prob:Q", say("beam-log-p"), ".4f"),
                ("probability:Q", say("beam-probability"), ".4f"),
                ("sum:Q", say("beam-tree-sum"), ".4f"),
                ("penalty:Q", say("beam-tree-penalty"), ".4f"),
                ("score:Q", say("beam-tree-score"), ".4f"),
                ("share:Q", say("beam-tree-share"), ".2%"),
                ("rank:Q", say("beam-tree-rank")),
                ("fate:N", say("beam-status")),
            ),
        )

    def _tokens(self) -> Part:
        room = max(RADIUS.values()) + 4
        return draw(
            "nodes",
            chart.text(align="left", dx=room, dy=0.5, limit=text_room(self.apart) - room),
            **_AT,
            text="label:N",
            size=field("font:Q", scale=None),
            opacity=_OPACITY,
        )

    def _key(self) -> list[Part]:
        samples = draw(
            "key",
            mark("point", filled=False, size=4, opacity=1, **QUIET),
            **_AT,
            shape=field("path:N", scale=None),
            stroke=when(
                ("datum.kind == 'best'", self._accent),
                ("datum.kind == 'ring'", INK),
                ("datum.kind == 'only'", self.new or GREY),
                otherwise=GREY,
            ),
            strokeWidth=field("stroke:Q", scale=None),
            strokeDash=when(("datum.kind == 'pruned'", [3, 3]), otherwise=[1, 0]),
        )
        words = draw(
            "key",
            chart.text(align="left", fontSize=KEY_FONT, opacity=0.8),
            x=pixels("text_px"),
            y=pixels("py"),
            text="words:N",
        )
        return [samples, words]


def _step_labels() -> Part:
    return draw(
        "steps",
        mark("text", align="left", baseline="middle", fontSize=11, dx=-6, tooltip=None),
        x=pixels("px"),
        y=value(10),
        text="label:N",
        color=when((f"datum.step == {STEP_SIGNAL}", SELECTION_TEXT), otherwise=INK),
        opacity=when((_LATER, 0.62), (f"datum.step == {STEP_SIGNAL}", 1), otherwise=0.8),
    )


def _lit_links() -> Part:
    """The way to the node under the pointer: a layer of its own, so that the others stay put."""
    return _link_marks(where=_UNDER_POINTER, stroke=value(SELECTION), opacity=value(1))


def _link_marks(*, where: str | None = None, **shown: Part) -> Part:
    return draw(
        "nodes",
        mark("point", filled=False, size=4, **QUIET),
        where=where,
        **_AT,
        shape=field("link:N", scale=None),
        strokeWidth=field("link_width:Q", scale=None),
        strokeDash=when(("datum.status == 'pruned'", [3, 3]), otherwise=[1, 0]),
        **shown,
    )


def _rings() -> Part:
    return draw(
        "rings",
        mark("point", filled=False, stroke=INK, strokeWidth=1.5, **QUIET),
        **_AT,
        size=field("size:Q", scale=None),
        opacity=_OPACITY,
    )


def _chosen() -> Part:
    ring = {"stroke": SELECTION, "strokeWidth": 2.5, "size": 440, "opacity": 1}
    return draw("chosen", mark("point", filled=False, **ring, **QUIET), **_AT)
