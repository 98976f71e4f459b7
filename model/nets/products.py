"""Products of a few rows with a weight matrix, each in the form that is fastest on this processor.

A step of a search multiplies as many rows as it has hypotheses with every weight of the decoder, so
it waits for memory, not for arithmetic, and the order in which a weight is stored decides its time.
No form is the fastest everywhere: of a table of 12,000 words and five rows, one AMD processor takes
2.7 ms by `torch.nn.functional.linear`, 1.9 ms with the transposed table, and 0.9 ms packed for
oneDNN; for a single row the transposed table is the fastest. So they are measured
(`fastest_products`). All are sums in float32 of the same numbers, in another order.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SEVERAL = 5
"""Rows that stand for all numbers above one when forms are measured: the usual beam."""
SECONDS = 0.08
"""Time of one measurement; there are two, for one row and for `SEVERAL`."""
MOST_ROUNDS = 4
GAIN = 1.2
"""Factor by which a form must be faster than one before it in `FORMS`; less may be the noise of a
busy machine."""
TOLERANCE = 1e-5
"""Furthest distance from `F.linear` relative to the largest number of a product; a form that rounds
to half precision exceeds it."""

LEAST_ROWS = 8
LEAST_NUMBERS = 2**17
"""Rows and elements of a weight from which `linear` may leave `F.linear`; below, a call of oneDNN
takes longer than it saves."""
ROW_STEP = 8
MOST_ROWS = 64
"""Numbers of rows that `linear` passes to oneDNN: multiples of `ROW_STEP` up to `MOST_ROWS`. For
each number of rows and size of a weight, oneDNN makes machine code and never frees it, about 1 MB:
texts of all lengths would take a gigabyte."""

Weights = tuple[Tensor, Tensor | None]
"""Weight (d_out, d_in) and bias (d_out,) of a linear layer."""


Multiply = Callable[[Tensor, Tensor, Tensor | None], Tensor]
"""Function of x (K, d_in), a stored weight and a bias to (K, d_out)."""

LAYOUTS: dict[str, Callable[[Tensor], Tensor]] = {
    # No copy of the weights of a loaded model, which are stored like that.
    "transposed": lambda weight: weight.t().contiguous(),
    # The operators behind compiled models; torch offers no others for packed weights.
    "packed": lambda weight: torch.ops.mkldnn._reorder_linear_weight(weight.contiguous()),
    "rows": lambda weight: weight.contiguous(),
}
"""Orders in which a weight (d_out, d_in) can be stored; two of them are copies."""


@dataclass(frozen=True)
class Form:
    """Way to compute x W^T + b: `multiply` takes x, W in a layout of `LAYOUTS`, and b."""

    layout: str
    multiply: Multiply


def _transposed(x: Tensor, stored: Tensor, bias: Tensor | None) -> Tensor:
    return torch.mm(x, stored) if bias is None else torch.addmm(bias, x, stored)


def _packed(x: Tensor, stored: Tensor, bias: Tensor | None) -> Tensor:
    return torch.ops.mkldnn._linear_pointwise.default(x, stored, bias, "none", [], "")


def _reversed(x: Tensor, stored: Tensor, bias: Tensor | None) -> Tensor:
    # Contiguous, as the other forms return it.
    product = (stored @ x.t()).t().contiguous()
    return product if bias is None else product.add_(bias)


FORMS = {
    "transposed": Form("transposed", _transposed),
    "packed": Form("packed", _packed),
    "reversed": Form("rows", _reversed),
    "linear": Form("rows", F.linear),
}
"""Forms that are tried, those without a copy first; what this build of torch lacks is left out."""


@dataclass(frozen=True)
class Product:
    """Linear layer as a function of x (K, d_in), in one form for one row and one for several.

    `single` and `several` are the `multiply` of a form and the weight in its layout.
    """

    bias: Tensor | None
    single: tuple[Multiply, Any]
    several: tuple[Multiply, Any]

    def __call__(self, x: Tensor) -> Tensor:
        multiply, stored = self.single if x.shape[0] == 1 else self.several
        return multiply(x, stored, self.bias)


class Linear(nn.Linear):
    """Linear layer that multiplies by `linear`, with the parameters of torch's own."""

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return x W^T + b of x (..., d_in), as `F.linear` does within rounding.

    In inference mode, products of many rows go to oneDNN on processors for which the library behind
    `F.linear` is slow: of 16 rows and the weights of a small encoder, one AMD processor takes 1.3
    ms instead of 2.4 ms. No weight is copied.
    """
    if (
        # oneDNN's operator has no gradient in either direction, and autocast does not know it.
        torch.is_inference_mode_enabled()
        and weight.numel() >= LEAST_NUMBERS
        and x.numel() >= LEAST_ROWS * weight.shape[1]
        and x.shape[-1] == weight.shape[1]
        and x.dtype == weight.dtype == torch.float32
        and x.device.type == weight.device.type == "cpu"
        # It reads a bias as if its numbers were neighbours in memory.
        and (bias is None or bias.is_contiguous())
        and not torch.is_autocast_enabled("cpu")
        and is_onednn_faster(torch.get_num_threads())
    ):
        return _by_onednn(x, weight, bias)
    return F.linear(x, weight, bias)


def _by_onednn(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Return x W^T + b of x (..., d_in), computed in numbers of rows that recur."""
    rows = x.flatten(0, -2)
    n_rows = rows.shape[0]
    n_missing = -n_rows % ROW_STEP
    if n_missing:
        rows = F.pad(rows, (0, 0, 0, n_missing))
    parts = [_packed(part, weight, bias) for part in rows.split(MOST_ROWS)]
    product = parts[0] if len(parts) == 1 else torch.cat(parts)
    return product[:n_rows].unflatten(0, x.shape[:-1])


@cache
def is_onednn_faster(n_threads: int) -> bool:
    """Return True if oneDNN multiplies faster than `F.linear`, measured once in a few ms.

    The answer is kept for each number of threads, and holds for the process.
    """
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(16, 256, generator=generator, device="cpu", dtype=torch.float32)
    # Column by column, as weights of a loaded model are stored.
    weight = torch.randn(256, 1024, generator=generator, device="cpu", dtype=torch.float32).t()
    layer = weight, None
    form = Form("dense", _packed)
    with torch.inference_mode():
        if not _is_exact(form, [x], [layer], [layer[0]], [F.linear(x, *layer)]):
            return False
        seconds = {"linear": [math.inf], "onednn": [math.inf]}
        for _ in range(MOST_ROUNDS):
            _time(FORMS["linear"], [x], [layer], [layer[0]], seconds["linear"])
            _time(form, [x], [layer], [layer[0]], seconds["onednn"])
    return seconds["linear"][0] > GAIN * seconds["onednn"][0]


def fastest_products(layers: Sequence[Weights]) -> list[Product]:
    """Return the layers as products, each in its fastest forms, measured for about 0.1 s.

    All layers run one after another, as in a step of a search: a weight that is still in the cache
    from its last product would be measured as faster than it is. Layers of one size get the same
    form. A weight in another layout than its own is a copy of the same size.
    """
    stored = {layout: [_stored(layout, weight) for weight, _ in layers] for layout in LAYOUTS}
    single = _fastest(layers, stored, 1)
    several = _fastest(layers, stored, SEVERAL)
    products = []
    for i, (_, bias) in enumerate(layers):
        of_one = FORMS[single[i]]
        of_several = FORMS[several[i]]
        products.append(
            Product(
                bias,
                (of_one.multiply, stored[of_one.layout][i]),
                (of_several.multiply, stored[of_several.layout][i]),
            )
        )
    return products


def _stored(layout: str, weight: Tensor) -> Tensor | None:
    """Return `weight` in a layout, None if this build of torch does not offer it."""
    try:
        return LAYOUTS[layout](weight)
    except (AttributeError, RuntimeError):
        return None


def _fastest(
    layers: Sequence[Weights], stored: Mapping[str, Sequence[Tensor | None]], n_rows: int
) -> list[str]:
    """Return the name of the fastest form of each layer for `n_rows` rows."""
    generator = torch.Generator().manual_seed(0)
    inputs = [torch.randn(n_rows, weight.shape[1], generator=generator) for weight, _ in layers]
    expected = [F.linear(x, *layer) for x, layer in zip(inputs, layers, strict=True)]
    forms = {
        name: form
        for name, form in FORMS.items()
        if _is_exact(form, inputs, layers, stored[form.layout], expected)
    }
    seconds = {name: [math.inf] * len(layers) for name in forms}
    for name, form in forms.items():
        # The rounds of a form follow one another, as steps of a search do: between rounds of other
        # forms its weights would have left the cache.
        end = time.perf_counter() + SECONDS / len(forms)
        for turn in range(MOST_ROUNDS):
            # Once in any case; the set-up work of a first product was done by `_is_exact`.
            if turn and time.perf_counter() > end:
                break
            _time(form, inputs, layers, stored[form.layout], seconds[name])
    sizes = [weight.shape for weight, _ in layers]
    return [_first_fast(size, sizes, seconds) for size in sizes]


def _first_fast(size: torch.Size, sizes: Sequence[torch.Size], seconds: Mapping[str, Any]) -> str:
    """Return the first form that is not slower by `GAIN` than the fastest for layers of `size`."""
    total = {
        name: sum(time for time, other in zip(times, sizes, strict=True) if other == size)
        for name, times in seconds.items()
    }
    return next(name for name in total if total[name] <= GAIN * min(total.values()))


def _is_exact(
    form: Form,
    inputs: Sequence[Tensor],
    layers: Sequence[Weights],
    stored: Sequence[Tensor | None],
    expected: Sequence[Tensor],
) -> bool:
    """Return True if `form` can be computed, and differs from `expected` by rounding only."""
    for x, (_, bias), laid_out, exact in zip(inputs, layers, stored, expected, strict=True):
        if laid_out is None:
            return False
        try:
            product = form.multiply(x, laid_out, bias)
        except (AttributeError, RuntimeError):
            return False
        furthest = float((product - exact).abs().max())
        # "not <=" also catches NaN.
        if not furthest <= TOLERANCE * max(1.0, float(exact.abs().max())):
            return False
    return True


def _time(
    form: Form,
    inputs: Sequence[Tensor],
    layers: Sequence[Weights],
    stored: Sequence[Tensor | None],
    fastest: list[float],
) -> None:
    """Run all layers once in `form`, and lower `fastest` (seconds) where one took less."""
    for i, (x, (_, bias), weight) in enumerate(zip(inputs, layers, stored, strict=True)):
        assert weight is not None  # a form without its layout is no candidate
        began = time.perf_counter()
        form.multiply(x, weight, bias)
        fastest[i] = min(fastest[i], time.perf_counter() - began)
