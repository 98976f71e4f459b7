"""A picture of one head to go with a link: both sentences, and where the open row looks."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

import vl_convert

from core.attention import AttentionMap
from core.tokens import TokenSequence, token_labels
from words.numbers import fixed

from .fonts import STACK, has_hangul, register_fonts, text_length
from .labels import full_head_name
from .look import current_look, say
from .sheet import XMLNS, element
from .theme import GREY, SELECTION, ground, ink, palette_of

WIDTH, HEIGHT = 1200, 630  # pixels, as Open Graph's pictures have
MARGIN, GAP = 60, 16
ROOM = WIDTH - 2 * MARGIN
LARGEST, SMALLEST = 36, 23  # letters of a sentence
BASELINES = 300, 455  # of the two sentences
LEAST = 0.03  # a weight below it has no arc
MOST_NUMBERS = 3
MOST_TITLE = 46  # characters
Token = tuple[int, int]
"""A sentence, 0 or 1, and a position in it."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Card:
    """What a card shows besides the name of the app."""

    title: str
    caption: str = ""
    site: str = "encoder"
    lines: Sequence[Sequence[str]] = ()  # the labels of both sentences
    chosen: Collection[Token] = ()
    hidden: Collection[Token] = ()
    weights: Sequence[tuple[Token, Token, float]] = ()  # query, key and weight, the largest first


def card_of(
    attention: AttentionMap,
    head: tuple[int, int],
    rows: Sequence[int],
    src: TokenSequence,
    tgt: TokenSequence,
    hidden: Collection[int] = (),
) -> Card:
    """The card of an open head: the weights of `rows`, their mean where there are several, or the
    largest weight of the head where none is chosen.

    A site with another side than the two sentences has a card without them.
    """
    site, weights = attention.site, attention.head(*head)
    title = full_head_name(site.name, *head)
    if not {site.query, site.key} <= {"source", "target"}:
        return Card(title)
    query, key = int(site.query == "target"), int(site.key == "target")
    rows = list(rows) or [int(weights.max(axis=1).argmax())]
    row = weights[rows].mean(axis=0)
    order = row.argsort()[::-1].tolist()
    sides = [src.tokens, tgt.tokens]
    if site.is_self:
        sides[key] = attention.key_tokens
    lines = [token_labels(tokens) for tokens in sides]
    open_row, best = rows[0], order[0]
    labels = {"row": lines[query][open_row], "key": lines[key][best]}
    return Card(
        title,
        say("card-told", **labels, weight=float(row[best])),
        site.name,
        lines,
        chosen={(key, best), *((query, i) for i in rows)},
        hidden={(0, i) for i in hidden},
        weights=[
            ((query, open_row), (key, k), float(row[k]))
            for k in order
            if k == best or row[k] >= LEAST
        ],
    )


def card_png(card: Card) -> bytes:
    """The card as a PNG image of 1200 x 630 pixels, in the language and the colours of the look."""
    register_fonts()
    return vl_convert.svg_to_png(card_svg(card))


def card_svg(card: Card) -> str:
    """The same as SVG; every text in it is text, whatever it holds."""
    texts = "".join((card.title, card.caption, *(label for line in card.lines for label in line)))
    hangul = current_look().words.language == "ko" or has_hangul(texts)
    font = STACK if hangul else "sans-serif"
    parts: list[str] = []

    def add(tag: str, text: str = "", **attributes: str | float) -> None:
        parts.append(element(tag, html.escape(text), **attributes))

    accent = palette_of(card.site).accent
    add("rect", width=WIDTH, height=HEIGHT, fill=ground())
    add("rect", width=WIDTH, height=12, fill=accent)
    bold = {"font_weight": "bold"}
    add("text", say("app-title"), x=MARGIN, y=80, font_size=34, text_anchor="start", **bold)
    title = card.title if len(card.title) <= MOST_TITLE else f"{card.title[: MOST_TITLE - 1]}…"
    title = title[:1].upper() + title[1:]
    add("text", title, x=WIDTH - MARGIN, y=80, font_size=28, text_anchor="end")
    tokens: dict[tuple[int, float], tuple[str, float, Point]] = {}
    for side, labels in enumerate(card.lines):
        chosen = [i for line, i in card.chosen if line == side] or [0]
        tokens |= {(side, i): token for i, token in _line(labels, chosen, BASELINES[side]).items()}
    arcs = [
        (weight, *_arc(*tokens[query][2], *tokens[key][2]))
        for query, key, weight in card.weights
        if {query, key} <= tokens.keys()
    ]
    for weight, path, _ in reversed(arcs):
        line = {"stroke_width": 2 + 12 * weight, "stroke_opacity": 0.35 + weight / 2}
        add("path", d=path, fill="none", stroke=accent, stroke_linecap="round", **line)
    numbers: list[Point] = []
    for weight, _, (x, y) in arcs:
        apart = all(abs(x - left) > 60 or abs(y - top) > 26 for left, top in numbers)
        if apart and len(numbers) < MOST_NUMBERS:
            numbers.append((x, y))
            add("text", fixed(weight), x=x, y=y, font_size=24)
    for token, (label, size, (x, y)) in tokens.items():
        hidden = token in card.hidden
        style = (
            {"fill": SELECTION, **bold}
            if token in card.chosen
            else {"fill": GREY}
            if hidden
            else {}
        )
        add("text", label, x=x, y=y, font_size=size, **style)
        if hidden:
            half, y = text_length(label, size) / 2, y - size / 3
            add("line", x1=x - half, x2=x + half, y1=y, y2=y, stroke=SELECTION, stroke_width=3)
    below = any(query[0] == key[0] == 1 for query, key, _ in card.weights)
    y = 168 if below else 575 if card.lines else HEIGHT / 2
    size = min(34, 34 * ROOM / max(1, text_length(card.caption, 34)))
    add("text", card.caption, x=WIDTH / 2, y=y, font_size=size, fill=accent)
    look = {"fill": ink(), "text_anchor": "middle", "font_family": font}
    return element("svg", "".join(parts), xmlns=XMLNS, width=WIDTH, height=HEIGHT, **look)


def _line(
    labels: Sequence[str], chosen: Collection[int], y: float
) -> dict[float, tuple[str, float, Point]]:
    """By position the label of a token, the size of its letters and its middle.

    Where letters would be too small, tokens far from the chosen ones give way to "…", which stands
    half a position before the next.
    """
    near = sorted(range(len(labels)), key=lambda i: (min(abs(i - c) for c in chosen), -i))
    while True:
        gaps = {i - 0.5: "…" for i in (*near, len(labels)) if i and i - 1 not in near}
        shown = dict(sorted({**gaps, **{i: labels[i] for i in near}}.items()))
        widths = [text_length(label, LARGEST) + GAP for label in shown.values()]
        scale = min(1, ROOM / sum(widths))
        if len(near) <= 2 or scale * LARGEST >= SMALLEST:
            break
        near.pop()
    x = (WIDTH - scale * sum(widths)) / 2
    rows = zip(shown.items(), widths, accumulate(widths), strict=True)
    return {
        i: (label, scale * LARGEST, (x + scale * (end - width / 2), y))
        for (i, label), width, end in rows
    }


def _arc(x: float, y: float, to_x: float, to_y: float) -> tuple[str, Point]:
    """An arc above the first line or below the second, or a curve between them, and where its
    number fits."""
    if y == to_y:
        way, gap = (-1, -44) if y == BASELINES[0] else (1, 20)
        y = to_y = y + gap
        bend = y + way * (30 + min(130, abs(to_x - x) * 0.3))
        number = (x + to_x) / 2, (y + 3 * bend) / 4 - 8
    else:
        y, to_y = (y + 16, to_y - 44) if y < to_y else (y - 44, to_y + 16)
        bend = (y + to_y) / 2
        number = (x + to_x) / 2 + 40, bend + 8
    path = f"M{x:.1f} {y:.1f}C{x:.1f} {bend:.1f} {to_x:.1f} {bend:.1f} {to_x:.1f} {to_y:.1f}"
    return path, number
