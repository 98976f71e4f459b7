"""One printable sheet, A3 on its side: a model, a text, what its heads do, the search.

svg = poster_svg(translation, translator.card, drawing)
Path("poster.pdf").write_bytes(poster_pdf(svg))
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import vl_convert

from core.architecture import Drawing
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
from .sheet import line, lines, placed, sheet, size_of, wrapped
from .theme import palette_of
from .tree import beam_tree

A3 = (420, 297)  # millimetres
_WIDTH, _HIGH = (each / 25.4 * 96 for each in A3)  # pixels, 96 an inch
_MARGIN, _GAP = 44.0, 20.0
_ROOM = _WIDTH - 2 * _MARGIN
_MILLIMETRES = f'width="{A3[0]}mm" height="{A3[1]}mm"'
_POINTS = f'width="{_WIDTH * 0.75:g}" height="{_HIGH * 0.75:g}"'
_SMALL, _STEP = 11.0, 13.75  # pixels of small words and from line to line
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
    parts: list[str] = []
    y = _title(parts, run, card)
    if drawing is not None:
        plan = plan_svg(plan_of(drawing, run.attention.sites, capabilities), _ROOM)
        y = _section(parts, say("architecture-open"), y)
        parts.append(placed(plan, _MARGIN, y, *size_of(plan)))
        y += size_of(plan)[1] + _GAP
    end = _foot(parts, card, address, signature)
    tree = _svg(beam_tree(run.tree)) if isinstance(run, Translation) else ""
    high = min(_TREE, _ROOM / size_of(tree)[0]) * size_of(tree)[1] if tree else 0
    if run.attention.maps:
        y = _section(parts, say("poster-attention"), y)
        below = min(high + _GAP + 24, (end - y) * 0.4) if tree else 0
        y += _attention(parts, run, card, y, end - y - below) + _GAP
    if tree:
        y = _section(parts, say("poster-search", n=run.tree.beam_size), y)
        parts.append(placed(tree, _MARGIN, y, _ROOM, min(high, end - y)))
    return signed_svg(sheet(_WIDTH, _HIGH, parts, _MILLIMETRES), signature)


def poster_pdf(svg: str) -> bytes:
    """The sheet as PDF, A3, with the fonts of its letters."""
    return vl_convert.svg_to_pdf(svg.replace(_MILLIMETRES, _POINTS, 1))


def _svg(figure: Figure) -> str:
    return drawn_svg(export_spec(figure))


def _title(parts: list[str], run: Translation | Reading, card: CheckpointCard) -> float:
    words = current_look().words
    name = card.told("title", words.language) or card.name
    size = say("model-size", architecture=card.architecture, millions=card.n_params / 1e6)
    languages = " → ".join(dict.fromkeys(map(words.language_name, card.languages)))
    about = f"{name} · {size} · {languages}"
    y, large = _MARGIN + 16, 30 if len(run.src.text) < 90 else 22
    parts.append(line(about, _MARGIN, y, 15, room=_ROOM, opacity="0.8"))
    written, accent = run.text if run.tgt is not None else "", palette_of("cross").accent
    for text, look in ((run.src.text, {"font_weight": "bold"}), (written, {"fill": accent})):
        rows = wrapped(text, _ROOM, large, 2) if text.strip() else []
        parts.append(lines(rows, _MARGIN, y, large, large * 1.3, room=_ROOM, **look))
        y += large * 1.3 * len(rows)
    return y + _GAP + 12


def _section(parts: list[str], title: str, y: float) -> float:
    look = {"font_weight": "bold", "fill": palette_of("encoder").accent}
    parts.append(line(title, _MARGIN, y + 8, 17, **look))
    return y + 24


def _attention(
    parts: list[str], run: Translation | Reading, card: CheckpointCard, y: float, down: float
) -> float:
    """Heads side by side, or a picture for every word, at most so many pixels high; how many."""
    gaze = next((each for each in run.attention.maps if each.site.grid), None)
    if gaze is not None and isinstance(run.src, SceneSource):
        words = token_labels((gaze.output_tokens or gaze.query_tokens)[:_WORDS])
        weights, how = gaze.weights[0, 0, : len(words)], {"grid": gaze.site.grid, "a_row": _A_ROW}
        svg = _svg(gaze_figure(picture(run.src.scene), words, weights, **how))
        wide, high = size_of(svg)
        scale = min(down / high, _ROOM / wide)
        parts.append(placed(svg, _MARGIN, y, wide * scale, high * scale))
        return high * scale
    heads = key_heads(run.attention, card.roles)
    shapes = [each.attention.weights.shape[2:] for each in heads]
    n = next((n for most, n in _HEADS.items() if max(map(max, shapes)) <= most), 4)
    flat = all(n_rows == 1 for n_rows, _ in shapes)
    beside, heads = (2, heads[:8]) if flat else (min(n, len(heads)), heads[:n])
    across, n_lines = (_ROOM + _GAP) / max(2, beside), -(-len(heads) // beside)
    room = across - _GAP
    about = [wrapped(_about(each), room, _SMALL, 4) for each in heads]
    top = 20 + _STEP * max(map(len, about))
    drawn = [_svg(_matrix(each)) for each in heads]
    widest, deepest = map(max, zip(*map(size_of, drawn), strict=True))
    high = down / n_lines - top - (_GAP if n_lines > 1 else 0)
    scale = min(_LARGEST, room / widest, high / deepest)
    step = top + scale * deepest + _GAP
    for at, (each, rows, svg) in enumerate(zip(heads, about, drawn, strict=True)):
        x, begun = _MARGIN + at % beside * across, y + at // beside * step
        size = (side * scale for side in size_of(svg))
        parts += (
            line(_name(each), x, begun + 12, 14, room=room, font_weight="bold"),
            lines(rows, x, begun + 12, _SMALL, _STEP, room=room, opacity="0.85"),
            placed(svg, x, begun + top, *size),
        )
    return step * n_lines - _GAP


def _name(head: KeyHead) -> str:
    attention = head.attention
    if attention.n_layers * attention.n_heads > 1:
        return head_at(attention.kind, head.layer, head.head)
    return site_title(attention.kind)


def _about(head: KeyHead) -> str:
    """What was measured of it."""
    tested = head.tested
    if tested is None:
        return say("poster-largest", value=head.largest)
    values = {"over": say("role-over", n=tested.n, of=tested.of), "value": tested.value.value}
    values |= {"control": say(f"role-control-{tested.control}")}
    values |= {"does": say(f"role-does-{tested.name}"), "against": tested.against.value}
    return say("poster-role", **values)


def _matrix(head: KeyHead) -> Figure:
    """Rows are named by what was produced where that is what they look for."""
    attention, tested = head.attention, head.tested
    if attention.site.is_self or (tested is not None and tested.name == "aligns-read"):
        attention = replace(attention, output_tokens=None)
    return one_head([attention], head.layer, head.head, at=0)


def _foot(parts: list[str], card: CheckpointCard, address: str, signature: Signature) -> float:
    """Whence it is and where it can be opened; returns where that begins."""
    licence = card.told("licence", current_look().words.language)
    program = signature.get("program", say("app-title"))
    made = filter(None, (program, f"{card.name} ({card.fingerprint})", licence))
    # An address has no blanks to break it at.
    many = int(_ROOM / (_SMALL * 0.58))
    pieces = [address[at : at + many] for at in range(0, len(address), many)]
    rows = [" · ".join(made), *pieces[:_MOST_LINES]]
    y = _HIGH - _MARGIN - _STEP * len(rows)
    parts.append(lines(rows, _MARGIN, y, _SMALL, _STEP, room=_ROOM, opacity="0.8"))
    return y - 4
