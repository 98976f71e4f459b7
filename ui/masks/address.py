"""A change as text that fits into an address and can be read there.

Parts stand between ``~`` and count from 1 as on the page; ``all`` names every layer, head, row or
key. Only letters, digits and ``. - _ ~`` occur, which an address needs not escape:

    peek                            no causal mask
    hide-both-2.5                   tokens 2 and 5, from encoder, cross or both
    mask-cross-2.1-8.2_9.2          layer 2 head 1: row 8 may not look at key 2, row 9 neither
    zero-encoder-1.3_2.all          heads off; also mean and uniform
    row-cross-2.1-8-0.2_0.8         the weights of row 8 of layer 2 head 1, from key 1 on
    source-shifted-3                positions: absent, permuted-<seed>, shifted-<by>, reversed
    target-permuted-7-12            the last number is how many positions are rearranged
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from records import (
    ABLATIONS,
    ATTENTION_KINDS,
    AblatedHead,
    Intervention,
    MaskedCell,
    OverriddenRow,
    Positions,
    hide,
)

MOST_ADDRESS = 6000  # characters of a change in an address
MOST_QUOTED = 60
MOST_NUMBER = 10**18
_ALL = "all"


def change_text(change: Intervention) -> str:
    """`change` as text; empty when nothing is changed. `read_change` gives it back."""
    return "~".join(_parts(change))


def read_change(text: str) -> Intervention:
    """The change that a text names, as far as it can be read."""
    return read_parts(text)[0]


def read_parts(text: str) -> tuple[Intervention, tuple[str, ...]]:
    """The change that a text names, and a sentence for each part that cannot be read."""
    change, faults = Intervention(), []
    if len(text) > MOST_ADDRESS:
        return change, (
            f"The change in the address is {len(text)} characters long; {MOST_ADDRESS} are read "
            "at most, so it was left out.",
        )
    for part in filter(None, text.split("~")):
        try:
            change = change | _read_part(part)
        except ValueError as error:
            quoted = part if len(part) <= MOST_QUOTED else part[: MOST_QUOTED - 1] + "…"
            why = str(error)
            faults.append(f"“{quoted}” in the address was left out: {why[:1].lower() + why[1:]}.")
    return change, tuple(faults)


# Writing


def _parts(change: Intervention) -> Iterator[str]:
    if not change.causal:
        yield "peek"
    encoder, cross = set(change.hidden_from_encoder), set(change.hidden_from_cross)
    for where, positions in (
        ("both", encoder & cross),
        ("encoder", encoder - cross),
        ("cross", cross - encoder),
    ):
        if positions:
            yield f"hide-{where}-" + ".".join(str(i + 1) for i in sorted(positions))
    for place, cells in groupby(change.masked, key=lambda c: (c.kind, c.layer, c.head)):
        pairs = "_".join(f"{_number(c.query)}.{_number(c.key)}" for c in cells)
        yield f"mask-{_place(*place)}-{pairs}"
    for how in ABLATIONS:
        for kind in ATTENTION_KINDS:
            heads = [h for h in change.ablated if (h.how, h.kind) == (how, kind)]
            if heads:
                names = "_".join(f"{_number(h.layer)}.{_number(h.head)}" for h in heads)
                yield f"{how}-{kind}-{names}"
    for row in change.overridden:
        weights = "_".join(repr(float(weight)).removesuffix(".0") for weight in row.weights)
        yield f"row-{_place(row.kind, row.layer, row.head)}-{row.query + 1}-{weights}"
    for side in ("source", "target"):
        positions = getattr(change, f"{side}_positions")
        if positions.mode != "normal":
            yield "-".join((side, positions.mode, *_settings(positions)))


def _place(kind: str, layer: int | None, head: int | None) -> str:
    return f"{kind}-{_number(layer)}.{_number(head)}"


def _number(position: int | None) -> str:
    return _ALL if position is None else str(position + 1)


def _settings(positions: Positions) -> Iterator[str]:
    if positions.mode == "permuted":
        yield str(positions.seed)
    if positions.mode == "shifted":
        yield str(positions.offset)
    if positions.span is not None:
        yield str(positions.span)


# Reading


def _read_part(part: str) -> Intervention:
    """The change that one part names.

    Raises
    ------
    ValueError : what is wrong with it, in words.
    """
    word, _, rest = part.partition("-")
    if part == "peek":
        return Intervention(causal=False)
    if word == "hide":
        where, positions = _split(rest, 2, "hide-both-2.5")
        if where not in ("encoder", "cross", "both"):
            raise ValueError(f"it hides from {where!r}, expected encoder, cross or both")
        return hide(*(_whole(p) for p in positions.split(".")), where=where)
    if word == "mask":
        kind, place, cells = _split(rest, 3, "mask-cross-2.1-8.2")
        layer, head = _pair(place)
        pairs = map(_pair, cells.split("_"))
        return Intervention(
            masked=tuple(MaskedCell(_kind(kind), layer, head, *pair) for pair in pairs)
        )
    if word in ABLATIONS:
        kind, heads = _split(rest, 2, f"{word}-cross-2.1")
        pairs = map(_pair, heads.split("_"))
        return Intervention(ablated=tuple(AblatedHead(_kind(kind), *pair, word) for pair in pairs))
    if word == "row":
        kind, place, query, weights = _split(rest, 4, "row-cross-2.1-8-0.2_0.8")
        layer, head = _pair(place)
        given = tuple(_decimal(weight) for weight in weights.split("_"))
        row = OverriddenRow(_kind(kind), layer, head, _whole(query), given)
        return Intervention(overridden=(row,))
    if word in ("source", "target"):
        return replace(Intervention(), **{f"{word}_positions": _positions(word, rest)})
    raise ValueError(
        "it begins with no known word, expected peek, hide, mask, zero, mean, uniform, row, source "
        "or target"
    )


def _positions(side: str, rest: str) -> Positions:
    mode, *settings = rest.split("-")
    takes = {
        "absent": (),
        "shifted": ("offset",),
        "permuted": ("seed", "span"),
        "reversed": ("span",),
    }
    if mode not in takes:
        raise ValueError(f"it makes positions {mode!r}, expected one of {', '.join(takes)}")
    if len(settings) > len(takes[mode]):
        raise ValueError(f"positions that are {mode} take {len(takes[mode])} numbers at most")
    if side == "target" and mode in ("permuted", "reversed") and len(settings) < len(takes[mode]):
        raise ValueError("the target needs to know how many positions, as in target-reversed-12")
    found = {name: _digits(value) for name, value in zip(takes[mode], settings, strict=False)}
    return Positions(mode, **found)


def _split(text: str, count: int, example: str) -> list[str]:
    found = text.split("-", count - 1)
    if len(found) != count or not all(found):
        raise ValueError(f"it is not complete, expected something like {example}")
    return found


def _kind(text: str) -> str:
    if text not in ATTENTION_KINDS:
        raise ValueError(f"the attention is {text!r}, expected encoder, decoder or cross")
    return text


def _pair(text: str) -> tuple[int | None, int | None]:
    found = text.split(".")
    if len(found) != 2:
        raise ValueError(f"{text!r} is no pair of numbers such as 2.1")
    return _whole_or_all(found[0]), _whole_or_all(found[1])


def _whole_or_all(text: str) -> int | None:
    return None if text == _ALL else _whole(text)


def _whole(text: str) -> int:
    """A position from 0 for one that counts from 1."""
    number = _digits(text)
    if number < 1:
        raise ValueError("it holds 0, expected numbers from 1 on")
    return number - 1


def _digits(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MOST_NUMBER):
        raise ValueError(f"{text!r} is no number from 0 on that makes sense here")
    return int(text)


def _decimal(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None
