"""A picture of one head to go with a link: both sentences, and where the open row looks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

import vl_convert

from core.attention import AttentionMap
from core.tokens import TokenSequence, token_label, token_labels
from words.numbers import fixed

from .fonts import STACK, has_hangul, register_fonts, text_length
from .labels import full_head_name
from .look import current_look, say
from .theme import GREY, SELECTION, ground, ink, palette_of

WIDTH, HEIGHT = 1200, 630  # pixels, as Open Graph's pictures have
MARGIN, GAP = 60, 16
LARGEST, SMALLEST = 36, 23  # letters of a sentence
LINES = 300, 455  # base lines of the two sentences
LEAST = 0.03  # a weight below it has no line
MOST_NAMED = 3  # weights that stand as numbers
MOST_TITLE = 46  # characters


@dataclass(frozen=True)
class Line:
    """A sentence on the card: its tokens, those that are singled out, and those that are hidden."""

    tokens: tuple[str, ...]
    chosen: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Link:
    """A weight from a token to another, each as line and place; the lines are 0 and 1."""

    query: tuple[int, int]
    key: tuple[int, int]
    weight: float


@dataclass(frozen=True)
class Card:
    """What a card shows besides the name of the app."""

    title: str
    lines: tuple[Line, ...] = ()
    links: tuple[Link, ...] = ()
    site: str = ""
    told: str = ""


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

    A site with another side than the two sentences is told without them.
    """
    site, weights = attention.site, attention.head(*head)
    title = full_head_name(site.name, *head)
    if not {site.query, site.key} <= {"source", "target"}:
        return Card(title)
    query, key = (("source", "target").index(side) for side in (site.query, site.key))
    rows = list(rows) or [int(weights.max(axis=1).argmax())]
    row = weights[rows].mean(axis=0)
    best, *others = row.argsort()[::-1].tolist()
    found = [best, *(k for k in others if row[k] >= LEAST)]
    sides = [src.tokens, tgt.tokens]
    if site.is_self:
        sides[key] = attention.key_tokens
    lines = [Line(tuple(token_labels(tokens))) for tokens in sides]
    names = attention.query_tokens if site.is_self else tgt.tokens
    said = {"row": token_label(names[rows[0]]), "key": token_label(attention.key_tokens[best])}
    chosen = [frozenset(rows) if side == query else frozenset() for side in (0, 1)]
    chosen[key] |= {best}
    lines = [Line(line.tokens, own) for line, own in zip(lines, chosen, strict=True)]
    lines[0] = Line(lines[0].tokens, lines[0].chosen, frozenset(hidden))
    links = tuple(Link((query, rows[0]), (key, k), float(row[k])) for k in found)
    told = say("card-told", **said, weight=float(row[best]))
    return Card(title, tuple(lines), links, site.name, told)


def card_png(card: Card) -> bytes:
    """The card as a PNG image of 1200 x 630 pixels, in the language and the colours of the look."""
    register_fonts()
    return vl_convert.svg_to_png(card_svg(card))


def card_svg(card: Card) -> str:
    """The same as SVG; every text in it is text, whatever it holds."""
    size = {"width": str(WIDTH), "height": str(HEIGHT)}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    words = [card.title, card.told, *(token for line in card.lines for token in line.tokens)]
    hangul = current_look().words.language == "ko" or has_hangul("".join(words))
    svg.set("font-family", STACK if hangul else "sans-serif")
    SubElement(svg, "rect", {**size, "fill": ground()})
    accent = palette_of(card.site or "encoder").accent
    SubElement(svg, "rect", {"width": str(WIDTH), "height": "12", "fill": accent})
    _text(svg, say("app-title"), MARGIN, 80, size=34, weight="bold")
    title = card.title if len(card.title) <= MOST_TITLE else f"{card.title[: MOST_TITLE - 1]}…"
    _text(svg, title[:1].upper() + title[1:], WIDTH - MARGIN, 80, size=28, anchor="end")
    placed = [_placed(line, y) for line, y in zip(card.lines, LINES, strict=False)]
    middles = [_link(svg, link, placed, accent) for link in reversed(card.links)]
    named: list[tuple[float, float]] = []
    for link, middle in zip(card.links, reversed(middles), strict=True):
        if middle is not None and len(named) < MOST_NAMED and _apart(middle, named):
            named.append(middle)
            _text(svg, fixed(link.weight), *middle, size=24, anchor="middle")
    for line, (letters, at) in zip(card.lines, placed, strict=True):
        for place, (x, y) in at.items():
            text = line.tokens[place] if place >= 0 else "…"
            chosen, hidden = place in line.chosen, place in line.hidden
            how = {"fill": SELECTION if chosen else GREY if hidden else ink()}
            how |= {"weight": "bold"} if chosen else {}
            _text(svg, text, x, y, size=letters, anchor="middle", **how)
            if hidden:
                half, middle = text_length(text, letters) / 2, y - letters / 3
                ends = {"x1": x - half, "x2": x + half, "y1": middle, "y2": middle}
                SubElement(svg, "line", {**_spelt(ends), "stroke": SELECTION, "stroke-width": "3"})
    below = any(link.query[0] == link.key[0] == 1 for link in card.links)
    y = 168 if below else 575 if card.lines else HEIGHT / 2
    size = min(34, 34 * (WIDTH - 2 * MARGIN) / max(1, text_length(card.told, 34)))
    _text(svg, card.told, WIDTH / 2, y, size=size, anchor="middle", fill=accent)
    return tostring(svg, encoding="unicode")


def _placed(line: Line, y: float) -> tuple[float, dict[int, tuple[float, float]]]:
    """The size of the letters, and where each token stands, those far from what is chosen left out
    where all would be too small; a negative place is a gap."""
    kept, wanted = list(range(len(line.tokens))), line.chosen or frozenset([0])
    room = WIDTH - 2 * MARGIN
    while len(kept) > 2 and _width(line, kept) * SMALLEST > room * LARGEST:
        kept.remove(max(kept, key=lambda place: min(abs(place - each) for each in wanted)))
    letters = min(LARGEST, LARGEST * room / _width(line, kept))
    x, at = (WIDTH - _width(line, kept) * letters / LARGEST) / 2, {}
    for place in _with_gaps(line, kept):
        wide = _wide(line, place) * letters / LARGEST
        at[place] = x + wide / 2, y
        x += wide
    return letters, at


def _with_gaps(line: Line, kept: Sequence[int]) -> list[int]:
    n = len(line.tokens)
    gaps = [-place for place in (*kept, n) if place and place - 1 not in kept]
    return sorted([*kept, *gaps], key=abs)


def _width(line: Line, kept: Sequence[int]) -> float:
    return sum(_wide(line, place) for place in _with_gaps(line, kept))


def _wide(line: Line, place: int) -> float:
    return text_length(line.tokens[place] if place >= 0 else "…", LARGEST) + GAP


def _link(
    svg: Element,
    link: Link,
    placed: Sequence[tuple[float, dict[int, tuple[float, float]]]],
    colour: str,
) -> tuple[float, float] | None:
    """An arc above the first line or below the second, or a curve between them, and where its
    number fits; nothing where an end was left out."""
    (upper, i), (lower, j) = link.query, link.key
    if i not in placed[upper][1] or j not in placed[lower][1]:
        return None
    (x, y), (to_x, to_y) = placed[upper][1][i], placed[lower][1][j]
    if upper == lower:
        way = -1 if upper == 0 else 1
        y = to_y = y + (way * 44 if upper == 0 else 20)
        high = y + way * (30 + min(130, abs(to_x - x) * 0.3))
        control, label = (x, high, to_x, high), ((x + to_x) / 2, (y + 3 * high) / 4 - 8)
    else:
        y, to_y = (y + 16, to_y - 44) if y < to_y else (y - 44, to_y + 16)
        middle = (y + to_y) / 2
        control, label = (x, middle, to_x, middle), ((x + to_x) / 2 + 40, middle + 8)
    path = "M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}"
    drawn = {"d": path.format(x, y, *control, to_x, to_y), "fill": "none", "stroke": colour}
    drawn |= _spelt(
        {"stroke-width": 2 + 12 * link.weight, "stroke-opacity": 0.35 + link.weight / 2}
    )
    SubElement(svg, "path", {**drawn, "stroke-linecap": "round"})
    return label


def _apart(label: tuple[float, float], others: Sequence[tuple[float, float]]) -> bool:
    """Whether a number has room beside others that stand already."""
    return all(abs(label[0] - x) > 60 or abs(label[1] - y) > 26 for x, y in others)


def _text(
    svg: Element,
    text: str,
    x: float,
    y: float,
    *,
    size: float,
    anchor: str = "start",
    weight: str = "normal",
    fill: str = "",
) -> None:
    how = {"text-anchor": anchor, "font-weight": weight, "fill": fill or ink()}
    SubElement(svg, "text", {**_spelt({"x": x, "y": y, "font-size": size}), **how}).text = text


def _spelt(numbers: dict[str, float]) -> dict[str, str]:
    return {name: f"{number:.1f}" for name, number in numbers.items()}
