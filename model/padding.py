"""Two sentences of different length in one batch: padded, and read with or without the mask."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from records import (
    TRANSFORMER_SITES,
    AttentionMap,
    AttentionRecord,
    PaddedPair,
    PaddedRun,
    TokenSequence,
)

from .capture import capture_attention
from .masks import attention_mask, causal_mask
from .transformer import Transformer

Decode = Callable[[Sequence[int]], TokenSequence]
TokenOf = Callable[[int], str]


@torch.inference_mode()
def padded_pair(
    model: Transformer,
    sources: tuple[TokenSequence, TokenSequence],
    *,
    max_lens: tuple[int, int],
    decode: Decode,
    token_of: TokenOf,
) -> PaddedPair:
    """Translate two sentences alone, and as one batch with and without its padding mask.

    Parameters
    ----------
    max_lens : most tokens to produce for either sentence, ``</s>`` included
    decode : makes a sequence of produced ids
    token_of : spells an id
    """
    outputs = [
        greedy_batch(model, _padded(model, [src.ids])[0], None, [max_len])[0]
        for src, max_len in zip(sources, max_lens, strict=True)
    ]
    targets = [decode(ids) for ids in outputs]
    alone = [
        _read(model, [src], [tgt], None, [tgt], token_of)[0]
        for src, tgt in zip(sources, targets, strict=True)
    ]
    batch, _ = _padded(model, [src.ids for src in sources])
    both = []
    for padding in (model.source_padding(batch), None):
        found = [decode(ids) for ids in greedy_batch(model, batch, padding, max_lens)]
        both.append(_read(model, sources, targets, padding, found, token_of))
    masked, unmasked = both
    return PaddedPair(tuple(alone), tuple(masked), tuple(unmasked))


def greedy_batch(
    model: Transformer, src: Tensor, padding: Tensor | None, max_lens: Sequence[int]
) -> list[tuple[int, ...]]:
    """The likeliest token at every step, for every sentence of a batch.

    Parameters
    ----------
    src : ids (B, T_src)
    padding : bool (B, T_src), True = is padding; None lets every query look at everything
    max_lens : B numbers, most tokens to produce, ``</s>`` included

    Returns
    -------
    B sequences of ids, without ``<s>``; they end with ``</s>`` where the limit allows.
    """
    config = model.config
    memory = model.encode(src, padding)
    ids = torch.full((len(src), 1), config.bos_id, dtype=torch.long, device=src.device)
    limits = torch.tensor(list(max_lens), device=src.device)
    ended = limits < 1
    while not bool(ended.all()):
        hidden = model.decode_hidden(ids, memory, padding)[:, -1]
        likeliest = model.logits(hidden).argmax(-1).masked_fill(ended, config.pad_id)
        ids = torch.cat((ids, likeliest[:, None]), dim=1)
        ended = ended | (likeliest == config.eos_id) | (ids.shape[1] > limits)
    produced = []
    for row, limit in zip(ids[:, 1:].tolist(), max_lens, strict=True):
        stop = row.index(config.eos_id) + 1 if config.eos_id in row else limit
        produced.append(tuple(row[: min(stop, limit)]))
    return produced


def target_masks(n_tokens: int, n_padding: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The masks of a decoder that reads `n_tokens` and then `n_padding` padding tokens.

    Returns
    -------
    causal, padding, and both joined: bool arrays (T, T), True = may look.
    """
    length = n_tokens + n_padding
    causal = causal_mask(length)
    padding = torch.arange(length)[None] >= n_tokens  # (1, T)
    only = attention_mask(padding)[0, 0].expand(length, length)
    both = attention_mask(padding, causal)[0, 0]
    return causal.numpy(), only.numpy().copy(), both.numpy()


def _read(
    model: Transformer,
    sources: Sequence[TokenSequence],
    targets: Sequence[TokenSequence],
    padding: Tensor | None,
    outputs: Sequence[TokenSequence],
    token_of: TokenOf,
) -> tuple[PaddedRun, ...]:
    """Teacher-force `targets` as one batch; `outputs` is what was found for it by a search."""
    config = model.config
    src, n_src_padding = _padded(model, [sequence.ids for sequence in sources])
    read_ids = [(config.bos_id, *tgt.ids[:-1]) for tgt in targets]
    tgt_in, n_tgt_padding = _padded(model, read_ids)
    with capture_attention(model) as captured:
        logits = model.decode(tgt_in, model.encode(src, padding), padding)
    log_probs = logits.log_softmax(dim=-1)
    weights = {kind: captured.weights(kind) for kind in captured.kinds}
    causal = causal_mask(tgt_in.shape[1]).numpy()
    allowed = attention_mask(padding)
    pad = token_of(config.pad_id)
    runs = []
    for item, (source, target) in enumerate(zip(sources, targets, strict=True)):
        n_rows = {"encoder": len(source), "decoder": len(target), "cross": len(target)}
        read = tuple(map(token_of, read_ids[item]))
        keys = (*source.tokens, *(pad,) * n_src_padding[item])
        seen = None
        if allowed is not None and n_src_padding[item]:
            seen = allowed[item, 0, 0].cpu().numpy()
        maps = tuple(
            AttentionMap(
                site=site,
                weights=weights[kind][item, :, :, : n_rows[kind]],
                query_tokens=source.tokens if kind == "encoder" else read,
                key_tokens=(*read, *(pad,) * n_tgt_padding[item]) if kind == "decoder" else keys,
                output_tokens=None if kind == "encoder" else target.tokens,
                mask=causal[: len(target)]
                if kind == "decoder"
                else None
                if seen is None
                else np.tile(seen, (n_rows[kind], 1)),
            )
            for kind, site in TRANSFORMER_SITES.items()
        )
        of_target = torch.tensor(target.ids, device=log_probs.device)
        picked = log_probs[item, torch.arange(len(target)), of_target]
        runs.append(
            PaddedRun(
                n_padding=n_src_padding[item],
                n_target_padding=n_tgt_padding[item],
                attention=AttentionRecord(source, target, maps),
                log_probs=picked.cpu().numpy(),
                output=outputs[item],
            )
        )
    return tuple(runs)


def _padded(model: Transformer, ids: Sequence[Sequence[int]]) -> tuple[Tensor, list[int]]:
    """The sequences as one batch, and how many ``<pad>`` each got at its end."""
    longest = max(map(len, ids))
    missing = [longest - len(sequence) for sequence in ids]
    rows = [
        [*sequence, *[model.config.pad_id] * n] for sequence, n in zip(ids, missing, strict=True)
    ]
    device = model.embedding.weight.device
    return torch.tensor(rows, dtype=torch.long, device=device), missing
