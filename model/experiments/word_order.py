"""Word order in the encoder: equivariance, reordered words, tables of positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.positions import SINES, PositionTable, turning_base
from core.records.sources import TokenSequence
from core.word_order import Equivariance, Reordered

from ..hooks.activations import hook_points, recording
from ..hooks.capture import ForwardHook, capture_attention, listening
from ..nets.copies import in_double
from ..readers.experiment import experiment
from ..teacher_forcing import embedded, tensor_of
from .protocol import LoadedModel, LoadedTranslator


@torch.inference_mode()
def encoder_outputs(
    model: Any, ids: Tensor, *, positions: bool = True, double: bool = False
) -> Tensor:
    """Return the states of the encoder, (L + 1, B, T, d_model), for unpadded `ids` (B, T).

    `model` has the parts behind "order". The states are the input of the first layer and the output
    of every layer, the last one after the final norm. Without `positions`, none are added to the
    embeddings or the scores. `double` computes in float64, on a temporary copy of the model.
    """
    model = in_double(model) if double else model
    # The copy is on the CPU; some accelerators have no float64.
    ids = ids.to(next(model.parameters()).device)
    names = ["encoder.0.resid_pre", "encoder.*.resid_post"]
    hooks: dict[nn.Module, ForwardHook] = {}
    if not positions:
        hooks[model.positions] = lambda _, inputs, output: inputs[0]
        if model.encoder_relative is not None:
            hooks[model.encoder_relative] = lambda _, inputs, output: torch.zeros_like(output)
    with listening(hooks), recording(hook_points(model), names) as cache:
        memory = model.encode(ids)
    states: list[Any] = list(cache.values())
    return torch.stack((*states[:-1], memory))


@experiment("positions")
@torch.inference_mode()
def embeddings(reader: LoadedModel, src: TokenSequence) -> np.ndarray:
    """Return embeddings before positions, scaled as the model does: float32 (T, d_model)."""
    return embedded(reader.model, src.ids)


@experiment("positions")
def position_table(reader: LoadedModel) -> PositionTable:
    """Return the positions that the model adds to its embeddings, read-only.

    Sines stored before all cosines are interleaved with them.
    """
    model = reader.model
    config = reader.model.config
    values = model.positions.table.detach().cpu().numpy()
    if config.positions in SINES[1:]:
        values = values.reshape(len(values), 2, -1).swapaxes(1, 2).reshape(values.shape)
    # The array shares the memory of the model's buffer.
    values.flags.writeable = False
    base = turning_base(config.d_model, config.position_base, config.positions)
    return PositionTable(values, base, model.scale, config.position_offset, config.positions)


@experiment("learned-positions")
def learned_positions(reader: LoadedModel) -> dict[str, np.ndarray]:
    """Return the learned positions of "source" and "target", float32 (n_positions, d_model)."""
    model = reader.model
    tables = {"source": model.source_positions, "target": model.target_positions}
    return {
        side: (table.table if hasattr(table, "table") else table.weight).detach().cpu().numpy()
        for side, table in tables.items()
    }


@experiment("relative-positions")
@torch.inference_mode()
def relative_positions(reader: LoadedModel, reach: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return each head's bias by offset, for every site with relative positions.

    The offsets (n,), key position minus query position, go up to `reach`; the bias is float32 (H,
    n).
    """
    model = reader.model
    n = reach + 1
    by_offset = {}
    for site, bias in (("encoder", model.encoder_bias(n)), ("decoder", model.decoder_bias(n, n))):
        if bias is not None:
            rows = bias[0].cpu().numpy()
            # The last query sees all keys behind it, the first one all keys ahead; a decoder sees
            # none ahead.
            behind = rows[:, -1]
            ahead = rows[:, 0, 1:] if site == "encoder" else rows[:, 0, :0]
            values = np.concatenate((behind, ahead), axis=1)
            by_offset[site] = np.arange(values.shape[1]) - reach, values
    return by_offset


@experiment("order")
@torch.inference_mode()
def reorder(
    reader: LoadedTranslator, src: TokenSequence, order: Sequence[int], *, positions: bool
) -> Reordered:
    """Encode the same tokens in two orders, with positional encodings or without.

    Position i of the second order holds token ``order[i]``. Raises ValueError if `order` is no
    permutation of the tokens.
    """
    reader.refuse_long(src, "sentence")
    model = reader.model
    order = tuple(order)
    if sorted(order) != list(range(len(src))):
        raise ValueError(f"expected each of 0 to {len(src) - 1} once, found {order}")
    first = tensor_of(model, src.ids)[0]
    with capture_attention(model) as captured:
        vectors = encoder_outputs(
            model, torch.stack((first, first[list(order)])), positions=positions
        )
    by_layer = vectors.transpose(0, 1).cpu().numpy()
    # The inverse permutation brings the second vectors back to the order of the tokens.
    back = np.argsort(order)
    return Reordered(
        src,
        order,
        positions,
        np.stack((by_layer[0], by_layer[1][:, back])),
        captured.weights("encoder"),
    )


@experiment("order", slow=True)
@torch.inference_mode()
def equivariance(
    reader: LoadedTranslator, src: TokenSequence, *, n_orders: int = 8, seed: int = 0
) -> tuple[Equivariance, ...]:
    """Measure how far encode(P x) is from P encode(x) for random permutations P of the tokens.

    Returns one entry for float32 and one for float64 without positions, then both with them.
    Without positions self-attention is equal for every P (Vaswani et al. 2017, section 3.5, give
    this as the reason for encodings); the rest is rounding.
    """
    model = reader.model
    generator = np.random.default_rng(seed)
    orders = np.stack([generator.permutation(len(src)) for _ in range(n_orders)])
    ids = tensor_of(model, src.ids)[0]
    batch = torch.stack((ids, *(ids[torch.from_numpy(order)] for order in orders)))
    entries = []
    for positions in (False, True):
        for double in (False, True):
            outputs = encoder_outputs(model, batch, positions=positions, double=double)
            last = outputs[-1].double().cpu().numpy()
            differences = [
                float(np.abs(permuted - last[0][order]).max())
                for permuted, order in zip(last[1:], orders, strict=True)
            ]
            entries.append(
                Equivariance(
                    positions=positions,
                    bits=64 if double else 32,
                    orders=tuple(tuple(map(int, order)) for order in orders),
                    differences=np.array(differences),
                    largest_value=float(np.abs(last[0]).max()),
                )
            )
    return tuple(entries)
