"""Weights of many heads in 8 or 16 bits, decoded one head at a time.

Large recordings do not fit into memory as float32 for every reader. Here they keep the size that
they have in the file, are shared, and are read like an array: ``weights[layer, head]`` is float32.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

Storage = Literal["float32", "float16", "uint8"]
"""Numbers in which weights are written to a file."""
T = TypeVar("T")
STEPS = 255  # of an 8-bit code
# Of the roots, not of the weights: the many small weights of a long row would all become 0 in
# equal steps, and the row would lose up to a sixth of its sum.
_SHARES = (np.arange(STEPS + 1, dtype=np.float32) / np.float32(STEPS)) ** 2
# Results that weights keep, and their bytes; the oldest leave first.
_MOST_KEPT = 40
_MOST_KEPT_BYTES = 32 * 10**6
_ABSENT = object()  # in place of a result that is not kept
_HALF_STEP = 2.0**-12  # largest rounding of a float16 from 0.5 to 1


class HeadWeights(NDArrayOperatorsMixin, ABC):
    """Weights (L, H, T_q, T_k) that are computed when they are read, as float32.

    An index selects heads by its first two entries and cells by the others, as in an array. NumPy's
    functions see a float32 array, of all heads at once, so loop over `heads` where it is large.
    """

    ndim: ClassVar[int] = 4
    dtype: ClassVar[np.dtype] = np.dtype(np.float32)
    shape: tuple[int, int, int, int]

    @abstractmethod
    def of_head(self, layer: int, head: int) -> np.ndarray:
        """Return the weights of one head, float32 (T_q, T_k)."""

    @abstractmethod
    def error_of_sum(self, layer: int, head: int) -> float:
        """Return the most by which rounding can have changed the sum of a row of this head."""

    @property
    def size(self) -> int:
        """Number of weights."""
        return int(np.prod(self.shape))

    @property
    def heads(self) -> Iterator[np.ndarray]:
        """Weights of one head after the other, float32 (T_q, T_k)."""
        n_layers, n_heads = self.shape[:2]
        return (self.of_head(layer, head) for layer in range(n_layers) for head in range(n_heads))

    @property
    def layers(self) -> Iterator[np.ndarray]:
        """Weights of one layer after the other, float32 (H, T_q, T_k)."""
        return (self[layer] for layer in range(len(self)))

    def kept(self, name: object, compute: Callable[[], T]) -> T:
        """Return `compute()`, kept for everybody who holds these weights.

        Threads that ask at the same time may each compute it.
        """
        kept = self._kept.get(name, _ABSENT)
        if kept is not _ABSENT:
            value: T = kept
            return value
        value = compute()
        # A copy of the names, since other threads keep results meanwhile.
        names = [*self._kept]
        for oldest in names[: max(0, len(names) + 1 - _MOST_KEPT)]:
            self._kept.pop(oldest, None)
        self._kept[name] = value
        # The new result stays, however large.
        for oldest in names:
            if self.kept_bytes <= _MOST_KEPT_BYTES:
                break
            self._kept.pop(oldest, None)
        return value

    def drop_kept(self) -> None:
        """Drop all results that `kept` holds; they are computed again when they are needed."""
        self._kept.clear()

    @property
    def kept_bytes(self) -> int:
        """Bytes of all results that `kept` holds."""
        # A copy, since other threads keep results meanwhile.
        return sum(map(_bytes_of, [*self._kept.values()]))

    def per_head(self, measure: Callable[[np.ndarray], Any]) -> np.ndarray:
        """Return `measure` of every head, (L, H) and the axes of its result."""
        values = np.stack([np.asarray(measure(weights)) for weights in self.heads])
        return values.reshape(*self.shape[:2], *values.shape[1:])

    # NumPy's functions call the methods of their names, and pass them `out`.
    def sum(
        self, axis: int | None = None, dtype: Any = None, out: None = None, keepdims: bool = False
    ) -> Any:
        """Sum as `numpy.sum` does; along a row or a column head by head."""
        return self._reduced(np.sum, axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Any = None, dtype: Any = None, out: None = None) -> Any:
        """Average as `numpy.mean` does; along a row, a column or the heads of a layer piecewise."""
        if axis == 1:
            return np.stack([layer.mean(axis=0, dtype=dtype) for layer in self.layers])
        if axis == (0, 1):
            total = np.zeros(self.shape[2:], dtype or np.float64)
            for weights in self.heads:
                total += weights
            return total / (self.shape[0] * self.shape[1])
        return self._reduced(np.mean, axis, dtype=dtype)

    def max(self, axis: int | None = None, out: None = None) -> Any:
        """Return the largest weights, as `numpy.max` does."""
        return self._reduced(np.max, axis) if axis is not None else max(h.max() for h in self.heads)

    def min(self, axis: int | None = None, out: None = None) -> Any:
        """Return the smallest weights, as `numpy.min` does."""
        return self._reduced(np.min, axis) if axis is not None else min(h.min() for h in self.heads)

    def astype(self, dtype: Any, **options: Any) -> np.ndarray:
        """Return all weights as an array of this type."""
        return np.asarray(self).astype(dtype, **options)

    def __init__(self) -> None:
        self._kept: dict[object, Any] = {}

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        whole = self[:]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = (np.asarray(i) if isinstance(i, HeadWeights) else i for i in inputs)
        return getattr(ufunc, method)(*arrays, **options)

    def __getitem__(self, index: Any) -> np.ndarray:
        at = _expanded(index)
        n_layers, n_heads = self.shape[:2]
        numbers = np.arange(n_layers * n_heads).reshape(n_layers, n_heads)[at[:2]]
        if np.ndim(numbers) == 0:
            return self._cells(*divmod(int(numbers), n_heads), at[2:])
        # NumPy joins fancy indices of both halves; no caller means that.
        picked = [self._cells(*divmod(int(n), n_heads), at[2:]) for n in numbers.ravel()]
        stacked = np.stack(picked) if picked else np.empty((0, *self.shape[2:]), np.float32)
        return stacked.reshape(*numbers.shape, *stacked.shape[1:])

    def _cells(self, layer: int, head: int, at: tuple[Any, ...]) -> np.ndarray:
        """Return chosen cells of one head."""
        return self.of_head(layer, head)[at]

    def _reduced(self, reduce: Callable[..., Any], axis: Any, **options: Any) -> Any:
        within = {-1: -1, 3: -1, -2: -2, 2: -2}
        if not isinstance(axis, int) or axis not in within:
            return reduce(np.asarray(self), axis=axis, **options)
        return self.per_head(lambda head: reduce(head, axis=within[axis], **options))


class StoredWeights(HeadWeights):
    """Weights as they were stored: float16, or 8-bit codes with the largest weight of each row.

    An 8-bit code c stands for ``scale * (c / 255) ** 2``, where `scale` is the largest weight of
    the row. `error` is the largest difference to the weights that were stored, if it is known;
    `rounded_here` is True if they were rounded when they were read, not when they were written.
    """

    def __init__(
        self,
        codes: np.ndarray,
        scale: np.ndarray | None = None,
        error: float | None = None,
        *,
        rounded_here: bool = False,
    ) -> None:
        super().__init__()
        n_layers, n_heads, n_queries, n_keys = codes.shape
        if (codes.dtype == np.uint8) != (scale is not None):
            raise ValueError(f"expected a scale for uint8 alone, found {codes.dtype}")
        if scale is not None and scale.shape != codes.shape[:3]:
            raise ValueError(f"scale is {scale.shape} for weights of {codes.shape}")
        self.shape = (n_layers, n_heads, n_queries, n_keys)
        self.codes = codes
        self.scale = scale
        self.error = error
        self.rounded_here = rounded_here

    @property
    def storage(self) -> Storage:
        """Name of the form of storage."""
        return "float16" if self.scale is None else "uint8"

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self.codes.nbytes + (0 if self.scale is None else self.scale.nbytes)

    @property
    def error_bound(self) -> float:
        """Largest error that this storage can have, by arithmetic."""
        if self.scale is None:
            return _HALF_STEP
        return bound_of_codes(float(self.scale.max()))

    def of_head(self, layer: int, head: int) -> np.ndarray:
        return self._cells(layer, head, ())

    def error_of_sum(self, layer: int, head: int) -> float:
        codes = self.codes[layer, head]
        if self.scale is None:
            # Half a unit in the last place of each weight, or of the smallest normal number.
            sums = codes.sum(axis=-1, dtype=np.float64)
            return float(sums.max()) * 2.0**-11 + codes.shape[-1] * 2.0**-25
        # Half a step up from code c is a distance of (c + 1/4) / 255 squared.
        steps = codes.sum(axis=-1, dtype=np.float64) + codes.shape[-1] / 4
        return float((self.scale[layer, head] * steps).max()) / STEPS**2

    def _cells(self, layer: int, head: int, at: tuple[Any, ...]) -> np.ndarray:
        codes = self.codes[layer, head][at]
        if self.scale is None:
            return codes.astype(np.float32)
        rows = self.scale[layer, head][:, None]
        return _SHARES[codes] * np.broadcast_to(rows, self.shape[2:])[at]


def _bytes_of(result: Any) -> int:
    """Return the bytes of the arrays in a result, and of what weights computed from others keep."""
    if isinstance(result, HeadWeights):
        # They read the weights that keep them, whose bytes count once.
        return result.kept_bytes
    if isinstance(result, np.ndarray):
        return result.nbytes
    return sum(map(_bytes_of, result)) if isinstance(result, tuple | list) else 0


def row_sums(weights: Any, dtype: Any = np.float64) -> np.ndarray:
    """Return the sums of all rows (L, H, T_q); those of stored weights are computed once."""
    if isinstance(weights, HeadWeights):
        return weights.kept("row sums", lambda: weights.sum(axis=-1, dtype=np.float64))
    sums: np.ndarray = weights.sum(axis=-1, dtype=dtype)
    return sums


def rounding_of_sums(weights: Any) -> np.ndarray:
    """Return the most by which storage can have changed the sum of a row of each head, (L, H)."""
    shape = weights.shape[:2]
    if not isinstance(weights, HeadWeights):
        return np.zeros(shape)

    def compute() -> np.ndarray:
        errors = [weights.error_of_sum(*head) for head in np.ndindex(*shape)]
        return np.array(errors).reshape(shape)

    return weights.kept("rounding of sums", compute)


def stored(weights: Any, storage: Storage) -> StoredWeights:
    """Return weights (L, H, T_q, T_k) of 0 to 1 as float16 or uint8, with the error measured.

    Raises ValueError for another `storage`.
    """
    if storage not in ("float16", "uint8"):
        raise ValueError(f"storage is {storage!r}, expected 'float16' or 'uint8'")
    shape = weights.shape
    codes = np.empty(shape, storage)
    scale = np.empty(shape[:3], np.float32) if storage == "uint8" else None
    result = StoredWeights(codes, scale)
    error = 0.0
    for head in np.ndindex(*shape[:2]):
        exact = np.asarray(weights[head], np.float32)
        if scale is None:
            codes[head] = exact
        else:
            scale[head] = exact.max(axis=-1)
            codes[head] = encoded(exact, scale[head])
        error = max(error, float(np.abs(result.of_head(*head) - exact).max()))
    # The weights may have been rounded before.
    result.error = error + (getattr(weights, "error", None) or 0.0)
    return result


def encoded(weights: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the 8-bit codes of weights (T_q, T_k) whose rows have the largest weights `scale`."""
    largest = scale[:, None]
    shares = np.divide(weights, largest, out=np.zeros_like(weights), where=largest > 0)
    return np.rint(np.sqrt(np.clip(shares, 0, 1)) * STEPS).astype(np.uint8)


def bound_of_codes(largest: float) -> float:
    """Return the largest error of 8-bit codes in rows of at most this weight.

    It is at the top of the row, where half a step of the root is ``1 - (254.5 / 255) ** 2``.
    """
    return largest * (1 - ((STEPS - 0.5) / STEPS) ** 2)


def _expanded(index: Any) -> tuple[Any, ...]:
    """Return an index with an entry for each of four axes."""
    at = index if isinstance(index, tuple) else (index,)
    if any(entry is Ellipsis for entry in at):
        nth = next(i for i, entry in enumerate(at) if entry is Ellipsis)
        rest = len(at) - 1
        at = (*at[:nth], *[slice(None)] * (4 - rest), *at[nth + 1 :])
    at = (*at, *[slice(None)] * (4 - len(at)))
    if len(at) > 4 or any(entry is None for entry in at):
        raise IndexError(f"expected at most four indices, found {len(at)}")
    return at
