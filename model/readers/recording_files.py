"""Files of recorded attention: names, limits, and arrays that are read head by head.

Declared sizes are verified before anything of that size is allocated, and nothing is unpickled.
"""

from __future__ import annotations

import codecs
import io
import json
import math
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from core.records.attention import ROW_SUM_TOLERANCE
from core.records.head_weights import StoredWeights
from core.spelling import TokenSpelling, spelt
from words import Message
from words.names import said_by

from ..errors import InputError
from .recording_matrices import named, neither, table_entries
from .recording_sizes import Shape, check_sizes, few, refused

MOST_MB = 80  # size of a file
MOST_JSON_MB = 16  # JSON is parsed as a whole
MOST_WHOLE = 4_000_000
"""Weights that are kept as float32; more are kept in 16 or 8 bits and read head by head."""
# Tokens that the decoder reads, and those that it writes there.
SOURCE = "source_tokens"
TARGET = "target_tokens"
OUTPUT = "output_tokens"
SITES = {"encoder": (SOURCE, SOURCE), "decoder": (TARGET, TARGET), "cross": (TARGET, SOURCE)}
CROSS_KEYS = "cross_key_tokens"
ALONE = "attentions"  # weights of a model with one stack
ENDS = ("", "_weights", "_attention", "_attentions")
NAMES: Mapping[str, Sequence[str]] = {
    SOURCE: (SOURCE, "src_tokens", "encoder_tokens", "tokens", "encoder_key_tokens", CROSS_KEYS),
    TARGET: (TARGET, "decoder_tokens", "decoder_query_tokens", "cross_query_tokens"),
    OUTPUT: (OUTPUT, "decoder_output_tokens", "cross_output_tokens"),
    **{site: [site + end for end in ENDS] for site in SITES},
    ALONE: (ALONE, "attention", "weights"),
}
"""Accepted names of each entry; the first that a file has counts."""
# Numbers of axes; see `_completed` for weights of fewer than four.
_AXES: Mapping[str, Collection[int]] = {
    "tokens": {1},
    "weights": {2, 3, 4, 5},
}
_DENSEST = 1040  # bytes that deflate can write as one, and a little more
# Most occurrences of each character in JSON before it is parsed: lists and values, objects, quotes
# of strings.
_SIGNS = {b"[": MOST_WHOLE, b",": MOST_WHOLE, b"{": 64, b'"': 10_000}
# Names of JSON types for messages.
_JSON = {bool: "boolean", int: "number", float: "number", type(None): "null", dict: "object"}
Entries = Mapping[str, tuple[str, Any]]
"""Name in the file and content of each entry, by the ids of `NAMES`."""


def entries_of(name: str, data: bytes) -> Entries:
    """Parse the entries of a file by the ids of `NAMES`; only weights of sites that count."""
    field = name
    entries: dict[str, tuple[str, Any]] = {}
    try:
        zipped, parts = opened(name, data)
        fields = _fields_of(parts)
        archive = None if zipped is None else _Archive(len(data), zipped, parts)
        # The headers of all entries come before any content, so that a refusal can say how to
        # thin the whole file.
        for id, name_in_file in fields.items():
            field = name_in_file
            if archive is not None:
                archive.read_header(id, field)
        if archive is not None:
            check_sizes(name, archive.shapes)
        for id, name_in_file in fields.items():
            field = name_in_file
            if archive is not None:
                values = archive.tokens(field) if id.endswith("tokens") else archive.weights(field)
            else:
                values = parts[field]
            entries[id] = field, _checked(id, field, values)
    except InputError:
        raise
    except Exception as error:  # readers of files raise anything on damaged ones
        raise refused("damaged", field, told=said_by(error)) from error
    return entries


def sites_of(ids: Collection[str]) -> list[str]:
    """Return the ids of the weights that count: those of sites, or else of a single stack."""
    return [site for site in SITES if site in ids] or [ALONE]


def opened(name: str, data: bytes) -> tuple[zipfile.ZipFile | None, Mapping[str, Any]]:
    """Return the archive and its members, or None and the values of a JSON object."""
    if data.startswith(b"PK"):
        return _of_npz(name, data)
    if data.startswith(npy.MAGIC_PREFIX):
        return _of_npz(name, _archive_of(name, data))
    return None, _of_text(name, data)


def _fields_of(parts: Collection[str]) -> dict[str, str]:
    """Return the name in the file of each entry that counts."""
    fields = {}
    for id, names in NAMES.items():
        if field := next(filter(parts.__contains__, names), ""):
            fields[id] = field
    unused = {*SITES, ALONE} - {*sites_of(fields)}
    return {id: field for id, field in fields.items() if id not in unused}


def _of_npz(name: str, data: bytes) -> tuple[zipfile.ZipFile, Mapping[str, zipfile.ZipInfo]]:
    """Open an archive and list its members without unpacking them."""
    # Entries of the central directory, counted before `zipfile` builds an object for each.
    few(name, "parts", data.count(b"PK\1\2") or 1)
    zipped = zipfile.ZipFile(io.BytesIO(data))
    return zipped, {part.filename.removesuffix(".npy"): part for part in zipped.infolist()}


def _archive_of(name: str, data: bytes) -> bytes:
    """Return the archive of a recording for one array without tokens."""
    file = io.BytesIO(data)
    npy.read_magic(file)
    shape = npy.read_array_header_1_0(file)[0]
    _check_axes(name, shape)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        for field, values in named(name, data, shape).items():
            part = io.BytesIO()
            if values is data:
                part.write(data)
            else:
                np.save(part, values, allow_pickle=False)
            zipped.writestr(f"{field}.npy", part.getbuffer())
    return archive.getvalue()


def _of_text(name: str, data: bytes) -> Mapping[str, Any]:
    """Parse JSON or a table, refusing excessive nesting or length beforehand."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if len(data) > MOST_JSON_MB * 2**20:
        raise refused("json", name, most=MOST_JSON_MB)
    for sign, most in _SIGNS.items():
        if data.count(sign) > most:
            raise refused("many", name, most=most)
    first = data.lstrip()[:1]
    if first == b"{":
        values: Mapping[str, Any] = json.loads(data)
        return values
    if first == b"[":
        weights = _numbers_in(name, json.loads(data))
        _check_axes(name, weights.shape)
        return named(name, weights, weights.shape)
    if b"\0" in data:
        raise neither(name)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        reason = Message.of("stored-no-text", byte=error.start + 1)
        raise refused("damaged", name, told=reason) from error
    return table_entries(name, text)


# -- arrays of an archive ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Header:
    """Header of an array."""

    shape: Shape
    by_column: bool
    dtype: np.dtype
    start: int  # bytes before the content

    @property
    def n_bytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


class _Archive:
    """Arrays of an NPZ file, whose headers are read before their content."""

    def __init__(
        self, n_bytes: int, zipped: zipfile.ZipFile, parts: Mapping[str, zipfile.ZipInfo]
    ) -> None:
        self._zipped = zipped
        self._n_bytes = n_bytes
        self._parts = parts
        self._ids: dict[str, str] = {}
        self._headers: dict[str, _Header] = {}

    @property
    def shapes(self) -> dict[str, Shape]:
        """Shapes of the arrays whose headers were read."""
        return {field: header.shape for field, header in self._headers.items()}

    @property
    def n_weights(self) -> int:
        """Number of weights of all sites."""
        weights = (shape for shape in self.shapes.values() if len(shape) > 3)
        return sum(map(math.prod, weights))

    def read_header(self, id: str, field: str) -> None:
        """Read the header of an entry; InputError unless its type and its axes fit."""
        is_text = id.endswith("tokens")
        expected = "tokens" if is_text else "weights"
        # Bytes of an element at most; kind "O" would be a pickle.
        kinds, most = ("U", 1024) if is_text else ("fiu", 8)
        with self._at(field) as (_, header):
            if header.dtype.kind not in kinds or header.dtype.itemsize > most:
                raise refused("kind", field, found=str(header.dtype), expected=expected)
            _check_axes(field, header.shape)
            self._check_length(field, header)
            if not is_text:
                header = replace(header, shape=_completed(header.shape))
            self._ids[field] = id
            self._headers[field] = header
        scale = f"{id}_scale"
        if header.dtype == np.uint8 and scale in self._parts:
            with self._at(scale) as (_, of_scale):
                self._headers[scale] = of_scale
            _check_beside(scale, of_scale, (header.shape[0], *header.shape[-3:-1]))
            self._check_length(scale, of_scale)

    def _check_length(self, field: str, header: _Header) -> None:
        """Refuse a header that declares more bytes than the file can contain."""
        part = self._parts[field]
        n = min(part.file_size - header.start, self._n_bytes * _DENSEST)
        if header.n_bytes > n:
            short = Message.of("recording-short", n=n, expected=header.n_bytes)
            raise refused("damaged", field, told=short)

    def tokens(self, field: str) -> np.ndarray:
        """Read an array of texts."""
        with self._at(field) as (file, header):
            return _whole(file, header)

    def weights(self, field: str) -> np.ndarray | StoredWeights:
        """Read the weights of an entry: as an array if the file has few, else as they are stored.

        Codes of 8 bits are always kept as they are stored, and so are numbers of 16 bits: an array
        of float32 would not tell that their rows sum to one only within their rounding.
        """
        id = self._ids[field]
        header = self._headers[field]
        scale = f"{id}_scale"
        coded = scale in self._headers
        halves = header.dtype == np.float16 and not header.by_column
        if not coded and not halves and self.n_weights <= MOST_WHOLE:
            with self._at(field) as (file, _):
                return _whole(file, header)
        if header.by_column:
            raise refused("order", field)
        shape = (header.shape[0], *header.shape[-3:])
        with self._at(field) as (file, _):
            if coded:
                held = StoredWeights(_codes(file, shape), self._numbers(scale, shape[:3]))
            else:
                held = _halved(field, file, header.dtype, shape)
        if not held.rounded_here and f"{id}_error" in self._parts:
            _set_error(held, f"{id}_error", float(self._numbers(f"{id}_error", ())))
        return held

    def _numbers(self, field: str, shape: Shape) -> np.ndarray:
        """Read an array beside the weights: float32 of this shape, from 0 to 1."""
        with self._at(field) as (file, header):
            _check_beside(field, header, shape)
            # What overflows float32 becomes infinite and is refused below.
            with np.errstate(over="ignore"):
                values = _whole(file, header).astype(np.float32).reshape(shape)
        _check_range(field, values)
        return values

    @contextmanager
    def _at(self, field: str) -> Iterator[tuple[IO[bytes], _Header]]:
        """Open a member of the archive behind the header of its array."""
        part = self._parts[field]
        if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile("not deflated")
        with self._zipped.open(part) as file:
            npy.read_magic(file)
            # Version 1.0 alone: another version has a longer length field, which fails here as a
            # damaged header.
            shape, by_column, dtype = npy.read_array_header_1_0(file)
            yield file, _Header(shape, by_column, dtype, file.tell())


def _whole(file: IO[bytes], header: _Header) -> np.ndarray:
    """Read an array at once."""
    values = np.frombuffer(file.read(header.n_bytes), header.dtype)
    return values.reshape(header.shape, order="F" if header.by_column else "C")


def _codes(file: IO[bytes], shape: Shape) -> np.ndarray:
    """Read 8-bit codes."""
    codes = np.empty(shape, np.uint8)
    for head in np.ndindex(*shape[:2]):
        codes[head] = _next_head(file, np.dtype(np.uint8), shape)
    return codes


def _next_head(file: IO[bytes], dtype: np.dtype, shape: Shape) -> np.ndarray:
    n_bytes = shape[2] * shape[3] * dtype.itemsize
    return np.frombuffer(file.read(n_bytes), dtype).reshape(shape[2:])


def _halved(field: str, file: IO[bytes], dtype: np.dtype, shape: Shape) -> StoredWeights:
    """Read weights as float16, head by head, and measure the rounding if they had more digits."""
    codes = np.empty(shape, np.float16)
    rounds = dtype.kind == "f" and dtype.itemsize > 2
    error = 0.0
    for head in np.ndindex(*shape[:2]):
        with np.errstate(over="ignore"):
            exact = _next_head(file, dtype, shape).astype(np.float32)
        _check_range(field, exact)
        codes[head] = exact
        if rounds:
            error = max(error, float(np.abs(codes[head].astype(np.float32) - exact).max()))
    return StoredWeights(codes, None, error if rounds else None, rounded_here=rounds)


def _check_beside(field: str, header: _Header, shape: Shape) -> None:
    """Refuse an array beside the weights that has another shape or no floating-point numbers."""
    sound = {shape} if shape else {(), (1,)}
    if header.dtype.kind != "f" or header.dtype.itemsize > 8 or header.shape not in sound:
        kept = f"{header.dtype} {header.shape}"
        raise refused("beside", field, found=kept, expected=str(shape))


def _set_error(weights: StoredWeights, field: str, error: float) -> None:
    """Set the error that the file names; InputError if it cannot be right."""
    # The float32 of the scale may differ from the numbers that were measured in its last digits.
    if error > weights.error_bound * 1.001 + 1e-6:
        raise refused("error", field, found=error, most=weights.error_bound)
    weights.error = error


# -- content -------------------------------------------------------------------------------------


def _checked(id: str, field: str, values: Any) -> TokenSpelling | np.ndarray | StoredWeights:
    """Return the content of an entry, verified."""
    if id.endswith("tokens"):
        return _tokens(field, values)
    return values if isinstance(values, StoredWeights) else _weights(field, values)


def _weights(field: str, values: Any) -> np.ndarray:
    """Return weights as float32 (layers, heads, queries, keys), verifying range and shape."""
    weights = _numbers_in(field, values)
    _check_axes(field, weights.shape)
    weights = weights.reshape(_completed(weights.shape))
    check_sizes(field, {field: weights.shape})
    if np.asarray(values).dtype == np.uint8 and weights.max() > 1:
        raise refused("no-scale", field)
    _check_range(field, weights)
    return weights.reshape(len(weights), *weights.shape[-3:])


def _numbers_in(field: str, values: Any) -> np.ndarray:
    """Return an array or nested lists as float32; InputError unless they are even, of numbers."""
    try:
        # What overflows float32 becomes infinite, which `_check_range` refuses.
        with np.errstate(over="ignore"):
            return np.array(values, np.float32)
    except (TypeError, ValueError) as error:
        raise refused("uneven", field) from error


def _check_range(field: str, weights: np.ndarray) -> None:
    """Refuse weights that are not finite numbers from 0 to 1."""
    least = float(weights.min())
    most = float(weights.max())
    if not math.isfinite(least + most):
        raise refused("nan", field)
    if least < 0 or most > 1 + ROW_SUM_TOLERANCE:
        raise refused("range", field, least=least, most=most)


def _tokens(field: str, values: Any) -> TokenSpelling:
    """Return tokens as labels, verifying number, type and length."""
    if not isinstance(values, list | np.ndarray):
        raise refused("rank", field, n=0, expected="tokens")
    check_sizes(field, {field: (len(values),)})
    for token in values:
        if isinstance(token, list):
            raise refused("rank", field, n=2, expected="tokens")
        if not isinstance(token, str):
            raise refused("kind", field, found=_JSON[type(token)], expected="tokens")
        try:
            token.encode()
        except UnicodeEncodeError as error:
            raise refused("text", field) from error
        few(field, "letters", len(token) or 1)
    return spelt(tuple(map(str, values)))


def _completed(shape: Shape) -> Shape:
    """Return the shape of weights with an axis of layers and one of heads, if they are missing."""
    return (1,) * (4 - len(shape)) + tuple(shape)


def _check_axes(field: str, shape: Shape) -> None:
    """Refuse a shape with too few or too many axes."""
    expected = "tokens" if field.endswith("tokens") else "weights"
    if shape == (0,) and expected == "weights":  # an empty list has no other axes
        few(field, "layers", 0)
    if len(shape) not in _AXES[expected]:
        raise refused("rank", field, n=len(shape), expected=expected)
