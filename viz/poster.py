"""One printable sheet, A3 on its side: a model, a text, what its heads do, the search.

svg = poster_svg(translation, translator.card, drawing)
Path("poster.pdf").write_bytes(poster_pdf(svg))
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import vl_convert

from core.architecture import Drawing
from core.attention import AttentionMap
from core.card import CheckpointCard
from core.files import UNSIGNED, Signature
from core.poster import KeyHead, key_heads
from core.runs import Reading, Translation
from core.scenes import SceneSource, picture
from core.tokens import token_labels

from .export import drawing as drawn_svg
from .export import export_spec, signed_svg
from .figure import Figure
from .formation import one_head
from .gaze import gaze_figure
from .labels import head_at, site_title
from .look import current_look, say
from .plan import plan_of, plan_svg
from .sheet import line, placed, sheet, size_of, wrapped
from .theme import palette_of
from .tree import beam_tree

A3 = (420, 297)  # millimetres
_WIDTH, _HIGH = (each / 25.4 * 96 for each in A3)  # pixels, 96 an inch
_MARGIN, _GAP = 44.0, 20.0
_MILLIMETRES = f'width="{A3[0]}mm" height="{A3[1]}mm"'
_POINTS = 0.75  # of a pixel
_SMALL = 11.0  # pixels of small words
_LARGEST, _TREE = 1.2, 1.6  # times that a head, and the tree, are enlarged at most
_HEADS = {24: 6, 32: 5}  # so many stand side by side up to so many tokens
_MOST_LINES = 6  # of an address
_A_ROW, _WORDS = 12, 35  # pictures of a caption: side by side, and at most


def poster_svg(
    run: Translation | Reading,
    card: CheckpointCard,
    drawing: Drawing | None = None,
    *,
    capabilities: Collection[str] = (),
    address: str = "",
    signature: Signature = UNSIGNED,
) -> str:
    """The model as its family draws it, the text and what was written, heads with the roles that
    were measured of them (`core.poster.key_heads`), the search tree, and whence it is.

    A part that the model does not have is left out. `capabilities`: of the model. `address`: where
    the same can be opened.
    """
    width, parts = _WIDTH - 2 * _MARGIN, []
    y = _title(parts, run, card)
    if drawing is not None:
        plan = plan_svg(plan_of(drawing, run.attention.sites, capabilities), width)
        y = _section(parts, say("architecture-open"), y)
        parts.append(placed(plan, _MARGIN, y, width, size_of(plan)[1]))
        y += size_of(plan)[1] + _GAP
    end = _foot(parts, card, address, signature)
    tree = drawn_svg(export_spec(beam_tree(run.tree))) if isinstance(run, Translation) else ""
    high = min(_TREE, width / size_of(tree)[0]) * size_of(tree)[1] if tree else 0
    if run.attention.maps:
        y = _section(parts, say("poster-attention"), y)
        below = min(high + _GAP + 24, (end - y) * 0.4) if tree else 0
        y += _attention(parts, run, card, y, end - y - below) + _GAP
    if tree:
        y = _section(parts, say("poster-search", n=run.tree.beam_size), y)
        parts.append(placed(tree, _MARGIN, y, width, min(high, end - y)))
    return signed_svg(sheet(_WIDTH, _HIGH, parts, _MILLIMETRES), signature)


def poster_pdf(svg: str) -> bytes:
    """The sheet as PDF, A3, with the fonts of its letters."""
    points = svg.replace(
        _MILLIMETRES, f'width="{_WIDTH * _POINTS:g}" height="{_HIGH * _POINTS:g}"', 1
    )
    return vl_convert.svg_to_pdf(points)


def _title(parts: list[str], run: Translation | Reading, card: CheckpointCard) -> float:
    name = card.told("title", current_look().words.language) or card.name
    size = say("model-size", architecture=card.architecture, millions=card.n_params / 1e6)
    about = f"{name} · {size} · {' → '.join(dict.fromkeys(card.languages))}"
    room, y = _WIDTH - 2 * _MARGIN, _MARGIN + 16
    parts.append(line(about, _MARGIN, y, 15, room=room, opacity="0.8"))
    large = 30 if len(run.src.text) < 90 else 22
    look = {"font_weight": "bold"}
    for text in (run.src.text, run.text if run.tgt is not None else ""):
        for words in wrapped(text, room, large, 2) if text.strip() else ():
            y += large * 1.3
            parts.append(line(words, _MARGIN, y, large, **look))
        look = {"fill": palette_of("cross").accent}
    return y + _GAP + 12


def _section(parts: list[str], title: str, y: float) -> float:
    parts.append(
        line(title, _MARGIN, y + 8, 17, font_weight="bold", fill=palette_of("encoder").accent)
    )
    return y + 24


def _attention(
    parts: list[str], run: Translation | Reading, card: CheckpointCard, y: float, down: float
) -> float:
    """Heads side by side, or a picture for every word, at most so many pixels high; how many."""
    gaze = next((each for each in run.attention.maps if each.site.grid), None)
    if gaze is not None and isinstance(run.src, SceneSource):
        svg = drawn_svg(export_spec(_gaze(run.src, gaze)))
        wide, high = size_of(svg)
        scale = min(down / high, (_WIDTH - 2 * _MARGIN) / wide)
        parts.append(placed(svg, _MARGIN, y, wide * scale, high * scale))
        return high * scale
    heads = key_heads(run.attention, card.roles)
    most_rows, longest = (
        max(each.attention.weights.shape[side] for each in heads) for side in (2, 3)
    )
    n = next((n for most, n in _HEADS.items() if max(most_rows, longest) <= most), 4)
    beside, heads = (2, heads[:8]) if most_rows == 1 else (min(n, len(heads)), heads[:n])
    across = (_WIDTH - 2 * _MARGIN + _GAP) / max(2, beside)
    room, n_lines = across - _GAP, -(-len(heads) // beside)
    told = [(name, wrapped(text, room, _SMALL, 4)) for name, text in map(_told, heads)]
    top = 20 + _SMALL * 1.25 * max(len(lines) for _, lines in told)
    drawn = [drawn_svg(export_spec(_matrix(each))) for each in heads]
    high = down / n_lines - top - (_GAP if n_lines > 1 else 0)
    sizes = [size_of(svg) for svg in drawn]
    scale = min(_LARGEST, *(room / wide for wide, _ in sizes), *(high / deep for _, deep in sizes))
    step = top + scale * max(deep for _, deep in sizes) + _GAP
    for at, ((name, lines), svg, (wide, deep)) in enumerate(zip(told, drawn, sizes, strict=True)):
        x, begun = _MARGIN + at % beside * across, y + at // beside * step
        parts.append(line(name, x, begun + 12, 14, room=room, font_weight="bold"))
        for row, words in enumerate(lines, start=1):
            below = begun + 12 + _SMALL * 1.25 * row
            parts.append(line(words, x, below, _SMALL, opacity="0.85"))
        parts.append(placed(svg, x, begun + top, wide * scale, deep * scale))
    return step * n_lines - _GAP


def _told(each: KeyHead) -> tuple[str, str]:
    """The name of a head, and what was measured of it."""
    attention, tested = each.attention, each.tested
    name = site_title(attention.kind)
    if attention.n_layers * attention.n_heads > 1:
        name = head_at(attention.kind, each.layer, each.head)
    if tested is None:
        return name, say("poster-largest", value=each.largest)
    values = {"over": say("role-over", n=tested.n, of=tested.of), "value": tested.value.value}
    values |= {"control": say(f"role-control-{tested.control}")}
    values |= {"does": say(f"role-does-{tested.name}"), "against": tested.against.value}
    return name, say("poster-role", **values)


def _matrix(each: KeyHead) -> Figure:
    """Rows are named by what was produced where that is what they look for."""
    attention, tested = each.attention, each.tested
    if attention.site.is_self or (tested is not None and tested.name == "aligns-read"):
        attention = replace(attention, output_tokens=None)
    return one_head([attention], each.layer, each.head, at=0)


def _gaze(src: SceneSource, attention: AttentionMap) -> Figure:
    tokens = (attention.output_tokens or attention.query_tokens)[:_WORDS]
    weights, words = attention.weights[0, 0, : len(tokens)], token_labels(tokens)
    how = {"grid": attention.site.grid, "a_row": _A_ROW}
    return gaze_figure(picture(src.scene), words, weights, **how)


def _foot(parts: list[str], card: CheckpointCard, address: str, signature: Signature) -> float:
    """Whence it is and where it can be opened; returns where that begins."""
    room, step = _WIDTH - 2 * _MARGIN, _SMALL * 1.25
    licence = card.told("licence", current_look().words.language)
    program = signature.get("program", say("app-title"))
    made = filter(None, (program, f"{card.name} ({card.fingerprint})", licence))
    # An address has no blanks to break it at.
    many = int(room / (_SMALL * 0.58))
    pieces = [address[at : at + many] for at in range(0, len(address), many)]
    lines = [" · ".join(made), *pieces[:_MOST_LINES]]
    y = _HIGH - _MARGIN - step * len(lines)
    for at, words in enumerate(lines, start=1):
        parts.append(line(words, _MARGIN, y + at * step, _SMALL, room=room, opacity="0.8"))
    return y - 4
