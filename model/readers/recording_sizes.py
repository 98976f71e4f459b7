"""Limits of recordings, and the lines of Python that thin a file above them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from words import Message

from ..errors import InputError

MOST_WEIGHTS = 40_000_000  # weights of all sites together
MOST = {"parts": 64, "layers": 48, "batch": 1, "heads": 48, "tokens": 512, "letters": 64}
Shape = tuple[int, ...]
_AXES = {
    1: ("tokens",),
    3: ("layers", "heads", "tokens"),
    4: ("layers", "heads", "tokens", "tokens"),
    5: ("layers", "batch", "heads", "tokens", "tokens"),
}


class RecordingSizeError(InputError):
    """File above a limit; `code` are lines of Python that write a smaller one."""

    def __init__(self, message: Message, *, hint: Message | None = None, code: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code


def refused(why: str, field: str, **values: Any) -> InputError:
    """Build the error ``recording-<why>`` about a field."""
    return InputError(
        Message.of(f"recording-{why}", field=field, **values), hint=Message("recording-hint")
    )


def few(field: str, what: str, n: int) -> None:
    """Refuse a count `n` of `what` outside of 1 to `MOST`."""
    if not 1 <= n <= MOST[what]:
        raise refused("size", field, n=n, what=what, most=MOST[what])


def check_sizes(name: str, shapes: Mapping[str, Shape]) -> None:
    """Refuse arrays that are empty, or too long along an axis, or too large together.

    Parameters
    ----------
    name : the file.
    shapes : shape of each field; of one axis for tokens, of three for the scale of 8-bit codes.

    Raises
    ------
    InputError : a size is below 1, or a batch has several texts.
    RecordingSizeError : something is too large; its code thins the file.
    """
    for field, shape in shapes.items():
        for what, n in zip(_AXES[len(shape)], shape, strict=True):
            if n < 1 or (n > MOST[what] and what == "batch"):
                few(field, what, n)
    weights = {field: shape for field, shape in shapes.items() if len(shape) > 3}
    for field, shape in shapes.items():
        for what, n in zip(_AXES[len(shape)], shape, strict=True):
            if n > MOST[what]:
                raise _too_large(name, shapes, "size", field, n=n, what=what, most=MOST[what])
    total = sum(map(math.prod, weights.values()))
    if total > MOST_WEIGHTS:
        fields = " + ".join(weights)
        raise _too_large(name, shapes, "weights", fields, n=total, most=MOST_WEIGHTS)


def _too_large(
    name: str, shapes: Mapping[str, Shape], why: str, field: str, **values: Any
) -> RecordingSizeError:
    message = Message.of(f"recording-{why}", field=field, **values)
    code = thinning(name, shapes)
    hint = Message("recording-thin") if code else Message("recording-hint")
    return RecordingSizeError(message, hint=hint, code=code)


def thinning(name: str, shapes: Mapping[str, Shape]) -> str:
    """Return lines of Python that write a file within the limits; empty for one that is no NPZ.

    The first tokens are kept, and every n-th head and layer, with the smallest n that suffices.
    """
    if not name.endswith(".npz"):
        return ""
    sizes = {field: shape for field, shape in shapes.items() if len(shape) > 3}
    heads = max((math.ceil(shape[-3] / MOST["heads"]) for shape in sizes.values()), default=1)
    layers = max((math.ceil(shape[0] / MOST["layers"]) for shape in sizes.values()), default=1)
    deepest = max((shape[0] for shape in sizes.values()), default=1)
    tokens = MOST["tokens"]
    while _total(sizes, layers, heads, tokens) > MOST_WEIGHTS and layers < deepest:
        layers += 1
    while _total(sizes, layers, heads, tokens) > MOST_WEIGHTS:
        tokens //= 2
    lines = ["import numpy as np", f"file = dict(np.load({name!r}))"]
    for field, shape in shapes.items():
        index = _index(shape, layers, heads, tokens)
        if index:
            lines.append(f'file["{field}"] = file["{field}"][{index}]')
    lines.append('np.savez_compressed("thinner.npz", **file)')
    return "\n".join(lines)


def _total(shapes: Mapping[str, Shape], layers: int, heads: int, tokens: int) -> int:
    """Return the number of weights that are left."""
    return sum(
        math.ceil(shape[0] / layers)
        * math.ceil(shape[-3] / heads)
        * min(shape[-2], tokens)
        * min(shape[-1], tokens)
        for shape in shapes.values()
    )


def _index(shape: Shape, layers: int, heads: int, tokens: int) -> str:
    """Return the index that thins an array of this shape; empty if it stays."""
    sides = {1: 1, 3: 1}.get(len(shape), 2)
    cut = [f":{tokens}" if n > tokens else ":" for n in shape[-sides:]]
    if len(shape) > 1:
        before = [f"::{layers}" if layers > 1 else ":", *[":"] * (len(shape) - sides - 2)]
        cut = [*before, f"::{heads}" if heads > 1 else ":", *cut]
    while cut and cut[-1] == ":":
        cut.pop()
    return ", ".join(cut)
