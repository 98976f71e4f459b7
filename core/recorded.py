"""Attention of other people's models as records: from arrays, or from outputs of transformers.

    rec = record(model(**inputs, output_attentions=True), tokens)
    rec = record(model.generate(..., output_attentions=True, return_dict_in_generate=True), tokens)

Tensors are recognised by their methods; neither torch nor transformers is imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .records.attention import ROW_SUM_TOLERANCE, AttentionMap, AttentionRecord, AttentionSite
from .records.head_weights import rounding_of_sums, row_sums
from .records.sources import TokenSequence
from .spelling import spelt

SITES = ("encoder", "decoder", "cross")
_NO_WEIGHTS = (
    "{name} is empty: load the model with attn_implementation='eager' and call it with "
    "output_attentions=True; other implementations compute no weights"
)


def record(
    output: Any,
    tokens: Sequence[str],
    target_tokens: Sequence[str] | None = None,
    *,
    row: int = 0,
    mask: Any = None,
) -> AttentionRecord:
    """Return the attention in an output of transformers, for one text of a batch.

    Parameters
    ----------
    output : ModelOutput, mapping, or the attentions alone
        Of an encoder, a decoder or an encoder-decoder, called with ``output_attentions=True``, or
        of ``generate`` with ``return_dict_in_generate=True`` as well. Steps are joined, along the
        path of ``beam_indices`` if there are beams.
    tokens : sequence of str
        Tokens of the source, from ``tokenizer.convert_ids_to_tokens``. For ``generate`` with a
        decoder alone, those of ``output.sequences[row]``.
    target_tokens : sequence of str, optional
        For an encoder-decoder, the tokens that the decoder read, and after them its last output
        if it is known. For ``generate``, those of ``output.sequences[row]``; without the last of
        them, such as padding, the steps that wrote these are left out.
    row : int
        Text of the batch, from 0; after ``generate``, the row of ``output.sequences``.
    mask : array of shape (B, T) or (T,), optional
        Attention mask of `tokens`; positions with 0, which are padding, are left out.

    Raises
    ------
    ValueError
        If there are no weights, or they fit neither the tokens nor 0 to 1.
    IndexError
        If the batch has no such row.
    """
    alone = _entry(output, "attentions")
    entries = {site: _entry(output, f"{site}_attentions") for site in SITES}
    if entries["encoder"] is None and entries["decoder"] is None and alone is not None:
        if entries["cross"] is None:
            return _one_stack(output, alone, tokens, row, mask)
        entries["decoder"] = alone
    if all(value is None for value in entries.values()):
        raise ValueError(_NO_WEIGHTS.format(name="output"))
    return _two_stacks(output, entries, tokens, target_tokens, row, mask)


def as_map(
    weights: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    row: int = 0,
) -> AttentionMap:
    """Return weights of any model as a map.

    Parameters
    ----------
    weights : array or tensor
        (queries, keys), (heads, queries, keys), (layers, heads, queries, keys) or, with a batch,
        (layers, batch, heads, queries, keys); or a sequence of the layers, each with or without a
        batch, as transformers gives them. A map is returned as it is.
    tokens : sequence of str
        Tokens of the queries, and of the keys unless `key_tokens` names them.
    row : int
        Text of the batch.

    Raises
    ------
    ValueError
        If the weights fit neither the tokens nor 0 to 1.
    IndexError
        If the batch has no such row.
    """
    if isinstance(weights, AttentionMap):
        return weights
    if tokens is None:
        raise ValueError("expected tokens, since weights alone do not name their rows")
    stacked = _checked(_stacked(weights, row, "weights"), "weights")
    return map_of_weights(
        "cross" if key_tokens is not None else None,
        stacked,
        ("target", "source") if key_tokens is not None else ("source", "source"),
        _labels(tokens, stacked.shape[2], "tokens", "rows"),
        _labels(tokens if key_tokens is None else key_tokens, stacked.shape[3], *_KEYS),
    )


_KEYS = ("tokens of the keys", "columns")


def map_of_weights(
    name: str | None,
    weights: np.ndarray,
    sides: tuple[str, str],
    queries: tuple[str, ...],
    keys: tuple[str, ...],
    outputs: tuple[str, ...] | None = None,
) -> AttentionMap:
    """Build the map of weights (L, H, T_q, T_k) that somebody recorded.

    Without a `name` it is "decoder" if nothing lies above the diagonal, else "encoder". Rows may
    sum to anything: the site is then not `normalised`.
    """
    # A file does not say whether a mask was used; weights above the diagonal would contradict one.
    of_one_side = sides[0] == sides[1]
    causal = of_one_side and name != "encoder" and not _looks_ahead(weights)
    # Summed in float64, so that the tolerance is spent on the weights and not on the sum.
    furthest = np.abs(row_sums(weights) - 1.0).max(axis=-1)
    tolerance = ROW_SUM_TOLERANCE + rounding_of_sums(weights)
    site = AttentionSite(
        name=name or ("decoder" if causal else "encoder"),
        query=sides[0],
        key=sides[1],
        causal=causal,
        n_layers=weights.shape[0],
        n_heads=weights.shape[1],
        normalised=bool((furthest <= tolerance).all()),
    )
    mask = np.tri(len(queries), dtype=bool) if causal else None
    return AttentionMap(site, weights, queries, keys, outputs, mask=mask)


def _looks_ahead(weights: np.ndarray) -> bool:
    """Return True if some query has weight on a later key."""
    return any(np.triu(weights[head], 1).any() for head in np.ndindex(*weights.shape[:2]))


# -- outputs of transformers -----------------------------------------------------------------


def _one_stack(
    output: Any, value: Any, tokens: Sequence[str], row: int, mask: Any
) -> AttentionRecord:
    """Return the record of an encoder or a decoder alone."""
    n_tokens = len(tokens)
    if _is_steps(value):
        # The last token was produced, but never read.
        weights = _joined(value, _path(output, value, row), "attentions")
        weights = weights[:, :, : n_tokens - 1, : n_tokens - 1]
        tokens = tokens[: weights.shape[2]]
    else:
        weights = _stacked(value, row, "attentions")
    kept = _kept(mask, row, weights.shape[2])
    labels = _labels(_selected(tokens, kept), int(kept.sum()), "tokens", "rows")
    weights = _checked(weights[:, :, kept][..., kept], "attentions")
    attention = map_of_weights(None, weights, ("source", "source"), labels, labels)
    return AttentionRecord(spelt(_selected(tokens, kept)).sequence, None, (attention,))


def _two_stacks(
    output: Any,
    entries: Mapping[str, Any],
    tokens: Sequence[str],
    target_tokens: Sequence[str] | None,
    row: int,
    mask: Any,
) -> AttentionRecord:
    """Return the record of an encoder-decoder."""
    weights = _decoder_weights(output, entries, target_tokens, row)
    source_row = _source_row(output, entries, row)
    if entries["encoder"] is not None:
        weights["encoder"] = _stacked(entries["encoder"], source_row, "encoder_attentions")
    n_source = next(
        (weights[site].shape[3] for site in ("encoder", "cross") if site in weights), len(tokens)
    )
    kept = _kept(mask, source_row, n_source)
    for site in ("encoder", "cross"):
        if site in weights:
            weights[site] = weights[site][..., kept]
    if "encoder" in weights:
        weights["encoder"] = weights["encoder"][:, :, kept]
    source_tokens = _selected(tokens, kept)
    source = _labels(source_tokens, int(kept.sum()), "tokens", "positions of the source")
    read, written = _target(list(target_tokens or ()), weights)
    side = "read" if written is None else "target"
    sides = {"encoder": ("source", "source"), "decoder": (side, side), "cross": (side, "source")}
    maps = tuple(
        map_of_weights(
            site,
            _checked(weights[site], f"{site}_attentions"),
            sides[site],
            source if site == "encoder" else read,
            read if site == "decoder" else source,
            None if written is None or site == "encoder" else written.tokens,
        )
        for site in SITES
        if site in weights
    )
    return AttentionRecord(spelt(source_tokens).sequence, written, maps)


def _decoder_weights(
    output: Any, entries: Mapping[str, Any], target_tokens: Sequence[str] | None, row: int
) -> dict[str, np.ndarray]:
    """Return the weights of the decoder and of cross-attention, steps joined."""
    weights = {}
    for site in ("decoder", "cross"):
        value = entries[site]
        if value is None:
            continue
        if target_tokens is None:
            raise ValueError("expected target_tokens, since the output has weights of a decoder")
        name = f"{site}_attentions"
        if _is_steps(value):
            # The last token was produced, but never read.
            path = _path(output, value, row)[: max(0, len(target_tokens) - 1)]
            weights[site] = _joined(value, path, name, cross=site == "cross")
        else:
            weights[site] = _stacked(value, row, name)
    return weights


def _target(
    tokens: Sequence[str], weights: Mapping[str, np.ndarray]
) -> tuple[tuple[str, ...], TokenSequence | None]:
    """Return the labels of the tokens read, and those written if the last one is named."""
    n_read = next((weights[site].shape[2] for site in ("decoder", "cross") if site in weights), 0)
    if not n_read:
        return (), None
    _check_texts(tokens, "target_tokens")
    if len(tokens) not in (n_read, n_read + 1):
        raise ValueError(
            f"{len(tokens)} target_tokens for {n_read} rows of the decoder; expected those that it "
            "read, and one more if the last output is named"
        )
    written = spelt(tokens[1:]).sequence if len(tokens) > n_read else None
    return spelt(tokens[:n_read]).labels, written


def _entry(output: Any, name: str) -> Any:
    """Return the entry of an output called `name`, None if it is missing or empty."""
    if isinstance(output, Mapping):
        value = output.get(name)
    elif isinstance(output, list | tuple) or hasattr(output, "shape"):
        value = output if name == "attentions" else None
    else:
        value = getattr(output, name, None)
    # transformers returns an empty tuple for attention that a model does not have or compute.
    return value if value is not None and len(value) else None


def _is_steps(value: Any) -> bool:
    """Return True if attentions come in the steps of `generate`, each with its layers."""
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], list | tuple)


def _path(output: Any, steps: Any, row: int) -> list[int]:
    """Return the row of the batch at each step that leads to `row` of the sequences."""
    indices = _entry(output, "beam_indices")
    if indices is None:
        return [row] * len(steps)
    of_rows = _array(indices)
    _check_row(row, len(of_rows), "output.sequences")
    # -1 stands behind the end of a hypothesis.
    return [int(index) for index in of_rows[row] if index >= 0][: len(steps)]


def _source_row(output: Any, entries: Mapping[str, Any], row: int) -> int:
    """Return the row of the source from which `row` of the sequences was generated.

    They differ if `generate` returned several sequences for each source.
    """
    sequences = _entry(output, "sequences")
    encoder = entries["encoder"]
    if sequences is None or encoder is None or not len(encoder) or not hasattr(encoder[0], "shape"):
        return row
    return row * encoder[0].shape[0] // len(sequences)


def _joined(steps: Any, path: Sequence[int], name: str, *, cross: bool = False) -> np.ndarray:
    """Join the steps of `generate` as (L, H, T_q, T_k); later keys of a step have weight 0."""
    rows = [_stacked(step, at, name) for step, at in zip(steps, path, strict=False)]
    if not rows:
        raise ValueError(f"expected at least two tokens for {name}, the first being read")
    if cross:
        return np.concatenate(rows, axis=2)
    n_read = sum(weights.shape[2] for weights in rows)
    padded = []
    n_before = 0
    for weights in rows:
        n_before += weights.shape[2]
        # A static cache has room behind the last key, a sliding window has lost the first ones.
        fitting = weights[..., :n_before]
        n_lost = n_before - fitting.shape[-1]
        padded.append(np.pad(fitting, ((0, 0),) * 3 + ((n_lost, n_read - n_before),)))
    return np.concatenate(padded, axis=2)


# -- arrays ----------------------------------------------------------------------------------


def _array(value: Any) -> np.ndarray:
    """Return a tensor of any library as an array; half precision becomes float32."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        # NumPy has no bfloat16.
        value = value.float() if value.is_floating_point() else value
        return value.numpy()
    array = np.asarray(value)
    return array if array.dtype.kind in "biu" else array.astype(np.float32)


def _stacked(value: Any, row: int, name: str) -> np.ndarray:
    """Return weights as (L, H, T_q, T_k), of one text if there is a batch."""
    if _is_steps(value) and hasattr(next(iter(value[0]), None), "shape"):
        raise ValueError(f"{name} are steps of generate; record(output, tokens) joins them")
    if isinstance(value, list | tuple) and (
        not value or hasattr(value[0], "shape") or value[0] is None
    ):
        # Layers without attention, such as those of a state-space model, have none.
        layers = [_array(layer) for layer in value if layer is not None]
        if not layers:
            raise ValueError(_NO_WEIGHTS.format(name=name))
        layers = [_of_row(layer, row, name) if layer.ndim == 4 else layer for layer in layers]
        shapes = {layer.shape for layer in layers}
        if len(shapes) > 1:
            listed = ", ".join(map(str, sorted(shapes)))
            raise ValueError(f"layers of {name} differ in shape: {listed}; pass those of one shape")
        weights = np.stack(layers)
    else:
        weights = _array(value)
        if weights.ndim == 5:
            weights = np.stack([_of_row(layer, row, name) for layer in weights])
    if not 2 <= weights.ndim <= 4 or not weights.size:
        raise ValueError(
            f"{name} has the shape {weights.shape}; expected (layers, heads, queries, keys), with "
            "a batch behind the layers, or without layers and heads"
        )
    return weights.reshape((1,) * (4 - weights.ndim) + weights.shape)


def _of_row(layer: np.ndarray, row: int, name: str) -> np.ndarray:
    """Return one text of a layer (B, H, T_q, T_k)."""
    _check_row(row, len(layer), name)
    return layer[row]


def _check_row(row: int, n: int, name: str) -> None:
    if not 0 <= row < n:
        raise IndexError(f"row {row} of {name}, which has {n}; rows count from 0")


def _checked(weights: np.ndarray, name: str) -> np.ndarray:
    """Return weights as float32; raises ValueError unless they are from 0 to 1."""
    least = float(weights.min())
    most = float(weights.max())
    if not np.isfinite(least + most):
        raise ValueError(f"{name} has NaN or infinite values; compute the weights in float32")
    if least < 0 or most > 1 + 1e-2:
        raise ValueError(
            f"{name} has values from {least:.3g} to {most:.3g}, but weights are between 0 and 1; "
            "call model.eval(), and pass the weights after the softmax"
        )
    return weights.astype(np.float32, copy=False)


def _kept(mask: Any, row: int, n: int) -> np.ndarray:
    """Return True for the positions that `mask` keeps, bool (n,); positions behind it are kept."""
    kept = np.ones(n, bool)
    if mask is None:
        return kept
    values = _array(mask)
    if values.ndim == 2:
        _check_row(row, len(values), "mask")
        values = values[row]
    if values.ndim != 1 or len(values) > n:
        raise ValueError(f"mask has the shape {values.shape}, expected at most {n} positions")
    kept[: len(values)] = values != 0
    if not kept.any():
        raise ValueError("mask leaves no position")
    return kept


def _selected(tokens: Sequence[str], kept: np.ndarray) -> list[str]:
    """Return the tokens at `kept` positions; tokens of another number are returned as they are."""
    if len(tokens) != len(kept):
        return list(tokens)
    return [token for token, is_kept in zip(tokens, kept, strict=True) if is_kept]


def _labels(tokens: Sequence[str], n: int, name: str, what: str) -> tuple[str, ...]:
    """Return the labels of `n` tokens; raises TypeError for ids, ValueError for another number."""
    _check_texts(tokens, name)
    if len(tokens) != n:
        raise ValueError(f"{len(tokens)} {name} for {n} {what} of weights")
    return spelt(tokens).labels


def _check_texts(tokens: Sequence[str], name: str) -> None:
    if isinstance(tokens, str) or not all(isinstance(token, str) for token in tokens):
        raise TypeError(
            f"expected {name} as a list of texts; tokenizer.convert_ids_to_tokens(ids) gives them"
        )
