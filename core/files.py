"""Attention weights and tables as files: CSV, NPZ, and JSON for BertViz.

Everything here takes records or tables and returns text or bytes; nothing is written to disk. Every
file but BertViz's, whose reader rejects unknown keys, carries a `Signature`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, get_args

import numpy as np
import pandas as pd

from .records.attention import AttentionMap, AttentionRecord
from .records.head_weights import HeadWeights, Storage, StoredWeights, stored
from .records.sources import Source, TokenSequence

Signature = Mapping[str, str]
"""Provenance of a file: checkpoint, version, sentence, and choices of the page."""
UNSIGNED: Signature = MappingProxyType({})
_BERTVIZ_DECIMALS = 6
# BertViz's names of attention by query side and key side; it knows no others.
_BERTVIZ_NAMES = {
    ("source", "source"): "encoder",
    ("target", "target"): "decoder",
    ("target", "source"): "cross",
}
_ARRAYS = {"weight": "weights"}
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def signature_line(signature: Signature) -> str:
    """Write a signature as one line of text.

    >>> signature_line({"checkpoint": "en-de", "sentence": "A dog."})
    'checkpoint: en-de; sentence: A dog.'
    """
    return "; ".join(f"{name}: {value}" for name, value in signature.items())


def attention_table(
    attention: AttentionMap,
    layer: int | None = None,
    head: int | None = None,
    row_tokens: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return one row for each unmasked cell of one head, one layer or all heads.

    Columns: kind, layer, head, query_position, query_token, key_position, key_token, the map's
    `measure` (a weight of 0 to 1) and, if the map has them, score (before the softmax). Layers,
    heads and positions count from 1, as on the page; `layer` and `head` count from 0, and None
    takes all. `row_tokens` (T_q) names the rows, by default ``attention.query_tokens``.

    Raises
    ------
    IndexError : there is no such layer or head.
    ValueError : `row_tokens` does not name every row.
    """
    queries = attention.query_tokens if row_tokens is None else row_tokens
    if len(queries) != len(attention.query_tokens):
        raise ValueError(f"{len(queries)} row tokens for {len(attention.query_tokens)} rows")
    layers = _chosen(layer, attention.n_layers, "layer")
    heads = _chosen(head, attention.n_heads, "head")
    picked = attention.weights[np.ix_(layers, heads)]
    in_layer, in_head, q, k = np.nonzero(np.broadcast_to(attention.allowed, picked.shape))
    frame = pd.DataFrame(
        {
            "kind": attention.site_id,
            "layer": np.asarray(layers)[in_layer] + 1,
            "head": np.asarray(heads)[in_head] + 1,
            "query_position": q + 1,
            "query_token": _harmless_tokens(queries)[q],
            "key_position": k + 1,
            "key_token": _harmless_tokens(attention.key_tokens)[k],
            attention.measure: picked[in_layer, in_head, q, k],
        }
    )
    if attention.scores is not None:
        frame["score"] = attention.scores[np.ix_(layers, heads)][in_layer, in_head, q, k]
    return frame


def table_csv(frame: pd.DataFrame, signature: Signature = UNSIGNED) -> str:
    """Write a table as comma-separated values, numbers in full.

    A text that a spreadsheet would run as a formula gets an apostrophe in front. The last column
    holds the signature in every row, so that files can be concatenated.
    """
    safe = frame.copy()
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = [_harmless(v) if isinstance(v, str) else v for v in safe[name]]
    if signature:
        safe["signature"] = _harmless(signature_line(signature))
    # The csv module leaves a lone carriage return unquoted, and readers end the row there.
    returns = safe.map(lambda value: isinstance(value, str) and "\r" in value).any(axis=None)
    return safe.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL)


def attention_npz(
    record: AttentionRecord,
    signature: Signature = UNSIGNED,
    *,
    storage: Storage = "float32",
) -> bytes:
    """Write every array of a record as a compressed NPZ file.

    The file holds no pickles: ``np.load(..., allow_pickle=False)`` reads it. For each kind there
    are ``<kind>_weights`` (L, H, T_q, T_k) float32, ``<kind>_query_tokens`` and
    ``<kind>_key_tokens``, and if the map has them ``<kind>_output_tokens``, ``<kind>_scores`` and
    ``<kind>_mask`` (True where a query may attend). ``src_*`` and ``tgt_*`` hold text, tokens, ids
    and, of a sentence, offsets. Tokens are unicode arrays. If a site has several maps, those after
    the first are called ``<kind>_<item>``, counted from 0. ``signature`` is one text.

    With `storage` "float16" or "uint8" the weights take a half or a quarter of the bytes, scores
    are left out, and ``<kind>_error`` is the largest difference to the weights of the record. An
    8-bit code c is the weight ``scale * (c / 255) ** 2``, where ``<kind>_scale`` (L, H, T_q) has
    the largest weight of each row. Raises ValueError for another `storage`.
    """
    if storage not in get_args(Storage):
        raise ValueError(f"storage is {storage!r}, expected one of {get_args(Storage)}")
    arrays = _sequence_arrays("src", record.src)
    if record.tgt is not None:
        arrays |= _sequence_arrays("tgt", record.tgt)
    for attention in record.maps:
        arrays |= _map_arrays(attention, storage)
    return _npz(arrays, signature)


def map_npz(attention: AttentionMap, signature: Signature = UNSIGNED) -> bytes:
    """Write one map alone, with the names that `attention_npz` uses."""
    return _npz(_map_arrays(attention), signature)


def table_npz(frame: pd.DataFrame, signature: Signature = UNSIGNED) -> bytes:
    """Write a table as an NPZ file with one array for each column; texts as unicode arrays."""
    arrays = {}
    for name in frame.columns:
        column = frame[name]
        numeric = pd.api.types.is_numeric_dtype(column)
        arrays[str(name)] = column.to_numpy() if numeric else _texts(column.astype(str))
    return _npz(arrays, signature)


def bertviz_json(record: AttentionRecord) -> str:
    """Write the arguments of BertViz's `head_view` and `model_view` as JSON.

    One expression turns the file back into them::

        arguments = {name: [torch.tensor(layer) for layer in value]
                     if name.endswith("attention") else value
                     for name, value in json.load(file).items()}
        head_view(**arguments)

    ``encoder_attention``, ``decoder_attention`` and ``cross_attention`` are lists with one array
    (1, H, T_q, T_k) a layer, rounded to six decimals; ``encoder_tokens`` and ``decoder_tokens``
    name their positions. BertViz has one name for each decoder position: the token it reads.
    Masked cells are 0 there, for BertViz knows no masks. It also wants as many layers of every
    kind: where an encoder is deeper than its decoder, ``include_layers`` names those that both
    have, and the encoder alone (``encoder_attention`` and ``encoder_tokens``) shows the others.
    """
    arguments: dict[str, Any] = {}
    for attention in record.maps:
        name = _BERTVIZ_NAMES.get((attention.site.query, attention.site.key))
        # BertViz has one slot a name: later maps of a site, and sites of other sides, are left out.
        if name is None or f"{name}_attention" in arguments:
            continue
        # In float64, or rounded numbers would be written with the digits of their float32 error.
        rounded = np.round(attention.weights.astype(np.float64), _BERTVIZ_DECIMALS)
        arguments[f"{name}_attention"] = rounded[:, None].tolist()
        if attention.site.key == "source":
            arguments.setdefault("encoder_tokens", list(attention.key_tokens))
        if attention.site.query == "target":
            arguments.setdefault("decoder_tokens", list(attention.query_tokens))
    # BertViz's model view indexes all kinds by the same layer number.
    depths = {attention.n_layers for attention in record.maps}
    if len(depths) > 1:
        arguments["include_layers"] = list(range(min(depths)))
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


def _chosen(index: int | None, count: int, name: str) -> list[int]:
    """Return the indices of one or of all layers or heads."""
    if index is None:
        return list(range(count))
    if not 0 <= index < count:
        raise IndexError(f"{name} {index} of {count}; {name}s count from 0")
    return [index]


def _harmless(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula."""
    # A lone "+" or "-" is an ordinary token and no formula.
    risky = len(text) > 1 and text.startswith(_FORMULA_STARTS)
    return "'" + text if risky else text


def _harmless_tokens(tokens: Sequence[str]) -> np.ndarray:
    return np.array([_harmless(token) for token in tokens], dtype=object)


def _sequence_arrays(name: str, sequence: Source) -> dict[str, np.ndarray]:
    arrays = {f"{name}_text": np.array(sequence.text), f"{name}_tokens": _texts(sequence.tokens)}
    if not isinstance(sequence, TokenSequence):
        return {**arrays, f"{name}_ids": np.array(sequence.ids)}
    return {
        **arrays,
        f"{name}_ids": np.array(sequence.ids, dtype=np.int64),
        f"{name}_offsets": np.array(sequence.offsets, dtype=np.int64).reshape(-1, 2),
    }


def _map_arrays(attention: AttentionMap, storage: Storage = "float32") -> dict[str, np.ndarray]:
    prefix = f"{attention.site_id}_{attention.item}" if attention.item else attention.site_id
    measure = f"{prefix}_{_ARRAYS.get(attention.measure, attention.measure)}"
    arrays = {
        **_weight_arrays(prefix, measure, attention.weights, storage),
        f"{prefix}_query_tokens": _texts(attention.query_tokens),
        f"{prefix}_key_tokens": _texts(attention.key_tokens),
    }
    if attention.output_tokens is not None:
        arrays[f"{prefix}_output_tokens"] = _texts(attention.output_tokens)
    for name in ("scores", "mask"):
        array = getattr(attention, name)
        if array is not None and (name == "mask" or storage == "float32"):
            arrays[f"{prefix}_{name}"] = array
    return arrays


def _weight_arrays(prefix: str, name: str, weights: Any, storage: Storage) -> dict[str, np.ndarray]:
    """Return weights in the numbers of `storage`; "float32" leaves stored ones as they are."""
    if storage == "float32" and not isinstance(weights, HeadWeights):
        return {name: weights}
    if not isinstance(weights, StoredWeights) or storage not in ("float32", weights.storage):
        weights = stored(weights, "float16" if storage == "float32" else storage)
    arrays = {name: weights.codes}
    if weights.scale is not None:
        arrays[f"{prefix}_scale"] = weights.scale
    if weights.error is not None:
        arrays[f"{prefix}_error"] = np.array(weights.error)
    return arrays


def _texts(texts: Iterable[str]) -> np.ndarray:
    return np.array(list(texts), dtype=np.str_)


def _npz(arrays: dict[str, np.ndarray], signature: Signature) -> bytes:
    buffer = io.BytesIO()
    if signature:
        arrays = {**arrays, "signature": np.array(signature_line(signature))}
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()
