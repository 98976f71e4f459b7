"""What the encoder knows of the order of its tokens, and which heads look at places, not words."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from core.attention import AttentionRecord, AttentionSite
from core.changes import Positions
from core.intervention import Intervention
from core.order import Equivariance, Reordered
from core.positions import SINES, PositionHeads, PositionTable, turning_base
from core.tokens import TokenSequence

from ..capture import Captured, ForwardHook, capture_attention, listening
from ..intervene import intervening
from ..read import maps_of, read_ids, sides_of, tensor_of
from ..reader import Reader
from ..tokenizer import SPACE, TextTokenizer
from ..transformer import Transformer
from ..writer import Writer
from . import experiment
from .block import in_double

N_SHOWN = 2
WITHOUT_POSITIONS = Intervention(*(Positions("absent", side=side) for side in ("source", "target")))


@torch.inference_mode()
def encoder_outputs(
    model: Transformer, ids: Tensor, *, positions: bool = True, double: bool = False
) -> Tensor:
    """What goes into the first encoder layer, and what comes out of every one, of the last after a
    norm that the encoder ends in, of unpadded `ids` (B, T): (L + 1, B, T, d_model). Positions are
    added where asked, or to the scores. `double` works in float64, with a copy of the model that is
    thrown away afterwards."""
    model = in_double(model) if double else model
    states: list[Tensor] = []

    def hear(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        states.extend((output,) if states else (inputs[0], output))

    hooks: dict[nn.Module, ForwardHook] = dict.fromkeys(model.encoder_layers, hear)
    if not positions:
        hooks[model.positions] = lambda _, inputs, output: inputs[0]
        if model.encoder_relative is not None:
            hooks[model.encoder_relative] = lambda _, inputs, output: torch.zeros_like(output)
    with listening(hooks):
        memory = model.encode(ids)
    return torch.stack((*states[:-1], memory))


@experiment("positions")
@torch.inference_mode()
def embeddings(reader: Reader, src: TokenSequence) -> np.ndarray:
    """Embeddings, scaled where the model scales them, before positions: float32 (T, d_model)."""
    model = reader.model
    embedded = model.embedding_of("source")(tensor_of(model, src.ids))[0] * model.scale
    return embedded.cpu().numpy()


@experiment("positions")
def position_table(reader: Reader) -> PositionTable:
    """The positions that the model adds to its embeddings: its own buffer, read-only. Sines that
    stand before all cosines are put by turns with them."""
    model, config = reader.model, reader.model.config
    values = model.positions.table.detach().cpu().numpy()
    if config.positions in SINES[1:]:
        values = values.reshape(len(values), 2, -1).swapaxes(1, 2).reshape(values.shape)
    values.flags.writeable = False
    base = turning_base(config.d_model, config.position_base, config.positions)
    return PositionTable(values, base, model.scale, config.position_offset, config.positions)


@experiment("learned-positions")
def learned_positions(reader: Reader) -> dict[str, np.ndarray]:
    """The vectors that were learned for the positions of "source" and "target" and are added to the
    embeddings there, float32 (n_positions, d_model)."""
    model = reader.model
    tables = {"source": model.source_positions, "target": model.target_positions}
    return {
        side: getattr(table, "table", getattr(table, "weight", None)).detach().cpu().numpy()
        for side, table in tables.items()
    }


@experiment("relative-positions")
@torch.inference_mode()
def relative_positions(reader: Reader, reach: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By site what is added to every score by the place of its key, counted from the query: the
    offsets up to `reach`, (n,), and the bias of each head there, float32 (H, n)."""
    model, n = reader.model, reach + 1
    found = {}
    for site, bias in (("encoder", model.encoder_bias(n)), ("decoder", model.decoder_bias(n, n))):
        if bias is not None:
            rows = bias[0].cpu().numpy()
            behind, ahead = rows[:, -1], rows[:, 0, 1:] if site == "encoder" else rows[:, 0, :0]
            values = np.concatenate((behind, ahead), axis=1)
            found[site] = np.arange(values.shape[1]) - reach, values
    return found


@experiment("order")
@torch.inference_mode()
def reorder(
    reader: Writer, src: TokenSequence, order: Sequence[int], *, positions: bool
) -> Reordered:
    """The encoder's vectors and weights for the same tokens in two orders, with positional
    encodings or without; place i of the second holds token ``order[i]``. ValueError where `order`
    is no permutation of the tokens."""
    reader.refuse_long(src, "sentence")
    model, order = reader.model, tuple(order)
    if sorted(order) != list(range(len(src))):
        raise ValueError(f"expected each of 0 to {len(src) - 1} once, found {order}")
    first = tensor_of(model, src.ids)[0]
    with capture_attention(model) as captured:
        vectors = encoder_outputs(
            model, torch.stack((first, first[list(order)])), positions=positions
        )
    vectors = vectors.transpose(0, 1).cpu().numpy()
    back = np.argsort(order)
    return Reordered(
        src,
        order,
        positions,
        np.stack((vectors[0], vectors[1][:, back])),
        captured.weights("encoder"),
    )


@experiment("order", slow=True)
@torch.inference_mode()
def equivariance(
    reader: Writer, src: TokenSequence, *, n_orders: int = 8, seed: int = 0
) -> tuple[Equivariance, ...]:
    """How far encode(P x) is from P encode(x) for random permutations P of all tokens of `src`: one
    entry each for float32 and float64 without positions, then for both with them. Without
    self-attention's positions the two are equal for every P (Vaswani et al. 2017, section 3.5, say
    why encodings are added); what is left is rounding."""
    model, generator = reader.model, np.random.default_rng(seed)
    orders = np.stack([generator.permutation(len(src)) for _ in range(n_orders)])
    ids = tensor_of(model, src.ids)[0]
    batch = torch.stack((ids, *(ids[torch.from_numpy(order)] for order in orders)))
    entries = []
    for positions in (False, True):
        for double in (False, True):
            last = encoder_outputs(model, batch, positions=positions, double=double)[-1]
            last = last.double().cpu().numpy()
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


def overlap(first: np.ndarray, second: np.ndarray, *, skip: int = 0) -> np.ndarray:
    """How much of their weight two maps (..., T_q, T_k) put in the same places, mean over all rows
    but the first `skip`: (...), NaN when none is left. 1 minus the total variation of two rows,
    that is 1 minus half the sum of the absolute differences: 1 for equal rows, 0 for rows with
    nothing in common."""
    rows = 1.0 - np.abs(first - second)[..., skip:, :].sum(-1) / 2
    return rows.mean(-1) if rows.shape[-1] else np.full(rows.shape[:-1], np.nan)


def chance_overlap(weights: np.ndarray, *, skip: int = 0) -> float:
    """Mean `overlap` over all pairs of different heads of (L, H, T_q, T_k); NaN for one head."""
    heads = weights.reshape(-1, *weights.shape[2:])
    pairs = [overlap(heads[i], heads[i + 1 :], skip=skip) for i in range(len(heads) - 1)]
    return float(np.concatenate(pairs).mean()) if pairs else float("nan")


def rows_without_choice(site: AttentionSite) -> int:
    """Rows at the top that every head must fill alike: the first of a causal site sees itself."""
    return 1 if site.causal else 0


def replaced_words(
    ids: Sequence[int], keep: Sequence[bool], pool: Sequence[int], generator: np.random.Generator
) -> tuple[int, ...]:
    """`ids` with every one that is not kept drawn from `pool`, none for itself; ValueError where
    `pool` holds fewer than two different ids."""
    if len(set(pool)) < 2:
        raise ValueError(f"expected two ids or more to draw from, found {len(set(pool))}")
    drawn = list(ids)
    for position, kept in enumerate(keep):
        while not kept and drawn[position] == ids[position]:
            drawn[position] = int(pool[generator.integers(len(pool))])
    return tuple(drawn)


@experiment("order", "change-positions", slow=True)
@torch.inference_mode()
def position_heads(
    reader: Writer,
    src: TokenSequence,
    tgt: TokenSequence,
    *,
    n_others: int = 12,
    seed: int = 0,
    intervention: Intervention | None = None,
) -> PositionHeads:
    """Hold every head's map against those of `n_others` pairs of other words, pieces of the
    vocabulary that begin words, drawn at random, and against that without positions, under an
    intervention or not. The attention of `N_SHOWN` of the others is kept.

    All runs are one batch, which teacher-forces the target. On both sides every token but the
    special ones is replaced; what the replaced decoder reads is no translation of what the encoder
    reads, and need not be. InterventionError where the intervention fits neither the model nor the
    pair."""
    began = time.perf_counter()
    model, tokenizer = reader.model, reader.tokenizer
    sides = (src, reader.tokenizers["source"]), (tgt, tokenizer)
    pools, generator = [_word_starts(each) for _, each in sides], np.random.default_rng(seed)
    pairs = [(src, tgt)]
    for _ in range(n_others):
        drawn = (
            each.decode(replaced_words(side.ids, side.special, pool, generator))
            for (side, each), pool in zip(sides, pools, strict=True)
        )
        pairs.append(tuple(drawn))
    intervention = intervention or Intervention()
    captured = _read_all(reader, pairs, intervention)
    weights = {site.name: captured.weights(site.name) for site in model.sites}

    def record(item: int) -> AttentionRecord:
        read, written = pairs[item] if item >= 0 else pairs[0]
        sides = sides_of(read, (tokenizer.token_of(model.config.bos_id), *written.tokens[:-1]))
        # Without a causal mask every head may look everywhere.
        may_look = None if intervention.causal else lambda _, *size: np.ones((1, 1, *size), bool)
        maps = maps_of(captured, model.sites, sides, written.tokens, row=item, may_look=may_look)
        return AttentionRecord(read, written, maps)

    skip = {site.name: rows_without_choice(site) for site in model.sites}
    return PositionHeads(
        plain=record(0),
        others=tuple(pairs[1:]),
        shown=tuple(record(item) for item in range(1, min(N_SHOWN, n_others) + 1)),
        absent=record(-1),
        other_words={k: overlap(w[0], w[1:-1], skip=skip[k]) for k, w in weights.items()},
        without_positions={k: overlap(w[0], w[-1], skip=skip[k]) for k, w in weights.items()},
        sharpness={k: w[0].max(-1).mean(-1) for k, w in weights.items()},
        chance={k: chance_overlap(w[0], skip=skip[k]) for k, w in weights.items()},
        seconds=time.perf_counter() - began,
    )


def _word_starts(tokenizer: TextTokenizer) -> list[int]:
    """Ids of the pieces that begin a word and are made of letters."""
    every = enumerate(map(tokenizer.token_of, range(tokenizer.vocab_size)))
    return [i for i, token in every if token[:1] == SPACE and token[1:].isalpha()]


def _read_all(
    reader: Writer,
    pairs: Sequence[tuple[TokenSequence, TokenSequence]],
    intervention: Intervention,
) -> Captured:
    """What N pairs, then the first without positions on either side, looked at: N + 1 places."""
    model = reader.model
    runs = [intervention] * len(pairs) + [intervention | WITHOUT_POSITIONS]
    pairs = (*pairs, pairs[0])
    src = torch.cat([tensor_of(model, read.ids) for read, _ in pairs])
    tgt = torch.cat([tensor_of(model, read_ids(model.config, made.ids)) for _, made in pairs])
    size = {"n_src": src.shape[1], "n_tgt": tgt.shape[1]}
    with (
        intervening(model, runs, **size, means=reader.means) as intervened,
        capture_attention(model) as captured,
    ):
        intervened.hidden(src, tgt)
    return captured
