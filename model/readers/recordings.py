"""Recorded attention: tokens and weights from a file, in place of a model.

A file is NPZ (never unpickled) or a JSON object with the names of `NAMES`: those of this app, of
transformers, of BertViz and of `core.files.attention_npz`. Weights have the shape (layers, heads,
queries, keys), or (layers, 1, heads, queries, keys) as a batch of one.
"""

from __future__ import annotations

import codecs
import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from core.card import CheckpointCard, fingerprint_of
from core.recorded import built_map
from core.records.attention import ROW_SUM_TOLERANCE, AttentionMap, AttentionRecord
from core.records.runs import Reading
from core.records.tokens import TokenSequence
from core.spelling import TokenSpelling, spelt
from words import Message
from words.names import said_by

from ..errors import InputError
from ..families.base import Family
from .reader import Reader

MOST_MB = 16  # size of a file
MOST_WEIGHTS = 4_000_000  # weights of all sites together
MOST = {"parts": 64, "layers": 24, "batch": 1, "heads": 24, "tokens": 160, "letters": 64}
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
_AXES: Mapping[str, Mapping[int, str]] = {
    "tokens": {1: "tokens"},
    "weights": {4: "layers heads tokens tokens", 5: "layers batch heads tokens tokens"},
}
# Most occurrences of each character in JSON before it is parsed: lists and values, objects, quotes
# of strings.
_SIGNS = {b"[": MOST_WEIGHTS, b",": MOST_WEIGHTS, b"{": 64, b'"': 10_000}
# Names of JSON types for messages.
_JSON = {bool: "boolean", int: "number", float: "number", type(None): "null", dict: "object"}


@dataclass(frozen=True)
class _NoConfig:
    """Empty config: a recording has no model."""


class Recording(Reader):
    """Recorded attention as a `Reader`: it can be looked at but not queried."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        record: AttentionRecord,
        parted: str = "",
        target_read: TokenSequence | None = None,
    ) -> None:
        self.record = record
        # Tokens that the decoder read, spelt as a text; None if the file names none.
        self.target_read = target_read
        self.sites = record.sites
        self.parted = parted  # label of the first token that is a part of a character
        # `Reader.__init__` needs a checkpoint, so its attributes are set here.
        self.model = None
        self.tokenizers = {}
        self.withdrawn = {}
        self.proofs = None
        self.family = Family("recording", _NoConfig, _NoConfig, vocabularies={}, special_tokens={})
        text = (record.src.text,)
        languages = ("", "")
        self.card = CheckpointCard(name, "recording", languages, 0, {}, fingerprint, examples=text)
        self.has_none = {"model": "model", "several-heads": "several-heads"}

    @property
    def capabilities(self) -> frozenset[str]:
        """Rollout, if every side attends to itself; anything else needs a model."""
        with_self_attention = {site.query for site in self.sites if site.is_self}
        sides = {side for site in self.sites for side in (site.query, site.key)}
        return frozenset({"rollout"} if sides <= with_self_attention else ())

    @property
    def n_bytes(self) -> int:
        """Bytes of the recorded weights."""
        return sum(attention.weights.nbytes for attention in self.record.maps)

    @property
    def target(self) -> TokenSequence | None:
        """Tokens that the decoder wrote, or else those that it read; None if the file has none."""
        return self.record.tgt or self.target_read

    def tokenize(self, text: str) -> Any:
        """Return the recorded source, whatever `text` is."""
        return self.record.src

    def read(self, text: str) -> Reading:
        """Return the recorded attention, whatever `text` is."""
        return Reading(self.record.src, self.record, 0.0)


def read_recording(name: str, data: bytes) -> Recording:
    """Parse the content `data` of a file called `name`.

    Rows may sum to anything; their site is then not `normalised`. Raises InputError, naming the
    field, if the file is neither NPZ nor JSON, or damaged; if something is missing, larger than
    `MOST`, `MOST_WEIGHTS` or `MOST_MB`, of another shape than its tokens, or outside of 0 to 1.
    Declared sizes are verified before anything of that size is allocated.
    """
    if len(data) > MOST_MB * 2**20:
        raise _refused("large", name, most=MOST_MB)
    entries = _fields(name, data)
    sites = [site for site in SITES if site in entries] or [ALONE]
    if not entries.keys() & sites:
        raise _refused("nothing", name, names=", ".join((*SITES, ALONE)))
    if sum(entries[site][1].size for site in sites) > MOST_WEIGHTS:
        raise _refused("many", name, most=MOST_WEIGHTS)
    if sites in ([ALONE], ["decoder"]):
        first = SITES.get(sites[0], (SOURCE, TARGET))
        read = src = next((id for id in (*first, SOURCE) if id in entries), SOURCE)
        maps = [_map(entries, sites[0], (read, read), {read: "source"})]
    else:
        src = SOURCE
        # Without output tokens the rows are no positions of a text that could be drawn.
        sides = {SOURCE: "source", TARGET: "target" if OUTPUT in entries else "read"}
        maps = [_map(entries, site, SITES[site], sides) for site in sites]
    names_outputs = any(site.output_tokens for site in maps)
    tgt = entries[OUTPUT][1].sequence if names_outputs else None
    record = AttentionRecord(entries[src][1].sequence, tgt, tuple(maps))
    spellings = [held for _, held in entries.values() if isinstance(held, TokenSpelling)]
    parted = next(filter(None, (spelling.parted for spelling in spellings)), "")
    read_tokens = entries[TARGET][1].sequence if TARGET in entries else None
    return Recording(name, fingerprint_of(data), record, parted, read_tokens)


def is_recording(path: Path) -> bool:
    """Return True if the file at `path` has attention weights by one of the names of `NAMES`.

    The weights of a model may lie in a file with the same ending.
    """
    names = {name for site in (*SITES, ALONE) for name in NAMES[site]}
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_MB * 2**20 else b""
        return not names.isdisjoint((_of_npz if data.startswith(b"PK") else _of_json)("", data)[1])
    except Exception:  # readers of files raise anything on damaged ones
        return False


_Entries = Mapping[str, tuple[str, Any]]
"""Name in the file and content of each entry, by the ids of `NAMES`."""


def _map(entries: _Entries, id: str, ids: Sequence[str], sides: Mapping[str, str]) -> AttentionMap:
    """Build the map of entry `id` with the token lists `ids` of queries and keys."""
    field, weights = entries[id]
    tokens: list[Any] = []
    query, key = (sides[side] for side in ids)
    outputs = [OUTPUT] if query == "target" else []
    for side, n in zip((*ids, *outputs), (*weights.shape[2:], weights.shape[2]), strict=False):
        if side not in entries:
            raise _refused("no-tokens", field, tokens=side)
        called, spelling = entries[side]
        labels = spelling.labels
        if len(labels) != n:
            raise _refused("unlike", field, tokens=called, n=len(labels), expected=n)
        tokens.append(labels)
    name = None if id == ALONE else id
    return built_map(name, weights, (query, key), *tokens)


# -- files: limits are verified before anything is allocated ----------------------------------


def _fields(name: str, data: bytes) -> _Entries:
    """Parse the entries of a file by the ids of `NAMES`."""
    field = name
    entries = {}
    try:
        zipped, parts = _of_npz(name, data) if data.startswith(b"PK") else _of_json(name, data)
        for id, names in NAMES.items():
            if field := next(filter(parts.__contains__, names), ""):
                values = _array(field, zipped, parts[field]) if zipped else parts[field]
                checked = _tokens if field.endswith("tokens") else _weights
                entries[id] = field, checked(field, values)
    except InputError:
        raise
    except Exception as error:  # readers of files raise anything on damaged ones
        raise _refused("damaged", field, told=said_by(error)) from error
    return entries


def _of_npz(name: str, data: bytes) -> tuple[zipfile.ZipFile, Mapping[str, zipfile.ZipInfo]]:
    """Open an archive and list its members without unpacking them."""
    # Entries of the central directory, counted before `zipfile` builds an object for each.
    _few(name, "parts", data.count(b"PK\1\2") or 1)
    zipped = zipfile.ZipFile(io.BytesIO(data))
    return zipped, {part.filename.removesuffix(".npy"): part for part in zipped.infolist()}


def _array(field: str, zipped: zipfile.ZipFile, part: zipfile.ZipInfo) -> np.ndarray:
    """Read one array of an archive within the limits."""
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile("not deflated")
    expected = "tokens" if field.endswith("tokens") else "weights"
    # Bytes of an element at most; kind "O" would be a pickle.
    kinds, most = ("U", 1024) if expected == "tokens" else ("fiu", 8)
    with zipped.open(part) as file:
        npy.read_magic(file)
        # Version 1.0 alone: another version has a longer length field, which fails here as a
        # damaged header.
        shape, by_column, dtype = npy.read_array_header_1_0(file)
        if dtype.kind not in kinds or dtype.itemsize > most:
            raise _refused("kind", field, found=str(dtype), expected=expected)
        _fit(field, shape)
        values = np.frombuffer(file.read(math.prod(shape) * dtype.itemsize), dtype)
    return values.reshape(shape, order="F" if by_column else "C")


def _of_json(name: str, data: bytes) -> tuple[None, Mapping[str, Any]]:
    """Parse a JSON object, refusing excessive nesting or length beforehand."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if data.lstrip()[:1] != b"{":
        raise _refused("damaged", name, told=Message("recording-neither"))
    for sign, most in _SIGNS.items():
        if data.count(sign) > most:
            raise _refused("many", name, most=most)
    return None, json.loads(data)


def _weights(field: str, values: Any) -> np.ndarray:
    """Return weights as float32 (layers, heads, queries, keys), verifying range and shape."""
    # What overflows float32 becomes infinite and is refused below.
    with np.errstate(over="ignore"):
        weights = np.array(values, np.float32)
    _fit(field, weights.shape)
    least = float(weights.min())
    most = float(weights.max())
    if not math.isfinite(least + most):
        raise _refused("nan", field)
    if least < 0 or most > 1 + ROW_SUM_TOLERANCE:
        raise _refused("range", field, least=least, most=most)
    return weights.reshape(len(weights), *weights.shape[-3:])


def _tokens(field: str, values: Any) -> TokenSpelling:
    """Return tokens as labels, verifying number, type and length."""
    if not isinstance(values, list | np.ndarray):
        raise _refused("rank", field, n=0, expected="tokens")
    _fit(field, (len(values),))
    for token in values:
        if isinstance(token, list):
            raise _refused("rank", field, n=2, expected="tokens")
        if not isinstance(token, str):
            raise _refused("kind", field, found=_JSON[type(token)], expected="tokens")
        try:
            token.encode()
        except UnicodeEncodeError as error:
            raise _refused("text", field) from error
        _few(field, "letters", len(token) or 1)
    return spelt(tuple(map(str, values)))


def _fit(field: str, shape: tuple[int, ...]) -> None:
    """Refuse a shape with too many axes, or with one that is too long or empty."""
    expected = "tokens" if field.endswith("tokens") else "weights"
    axes = _AXES[expected].get(len(shape), "").split()
    if shape == (0,) and not axes:  # an empty list has no other axes
        axes = ["layers"]
    if not axes:
        raise _refused("rank", field, n=len(shape), expected=expected)
    for what, n in zip(axes, shape, strict=True):
        _few(field, what, n)
    if math.prod(shape) > MOST_WEIGHTS:
        raise _refused("many", field, most=MOST_WEIGHTS)


def _few(field: str, what: str, n: int) -> None:
    """Refuse a count `n` of `what` outside of 1 to `MOST`."""
    if not 1 <= n <= MOST[what]:
        raise _refused("size", field, n=n, what=what, most=MOST[what])


def _refused(why: str, field: str, **values: Any) -> InputError:
    """Build the error ``recording-<why>`` about a field."""
    return InputError(
        Message.of(f"recording-{why}", field=field, **values), hint=Message("recording-hint")
    )
