"""Two sentences of different length in one batch, with the padding mask and without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.records.attention import AttentionMap, AttentionRecord
from core.records.sources import TokenSequence
from core.weights.padding import PaddedPair, PaddedRun, PaddingEffect

from ..config import TransformerConfig
from ..hooks.capture import capture_attention, maps_of
from ..nets.attention import attention_mask, causal_mask
from ..readers.experiment import experiment
from ..teacher_forcing import likeliest_outputs, output_limits, read_ids, tensor_of, token_log_probs
from .protocol import LoadedTranslator, StackedModel


@experiment("padding")
@torch.inference_mode()
def padded_pair(reader: LoadedTranslator, first: TokenSequence, second: str) -> PaddedPair:
    """Translate two sentences alone, and as one batch with and without its padding mask."""
    model = reader.model
    tokenizer = reader.tokenizer
    sources = (first, reader.source_of(second, "second"))
    max_lens = [output_limits(reader.max_source_len, len(src))[1] for src in sources]
    # A sentence alone has nothing to pad.
    outputs = [
        greedy_batch(model, _padded(model, [src.ids])[0], None, [max_len])[0]
        for src, max_len in zip(sources, max_lens, strict=True)
    ]
    targets = list(map(tokenizer.decode, outputs))
    alone = [
        _read(model, [src], [tgt], None, [tgt], tokenizer.token_of)[0]
        for src, tgt in zip(sources, targets, strict=True)
    ]
    batch, _ = _padded(model, [src.ids for src in sources])
    both = []
    for padding in (model.source_padding(batch), None):
        written = list(map(tokenizer.decode, greedy_batch(model, batch, padding, max_lens)))
        both.append(_read(model, sources, targets, padding, written, tokenizer.token_of))
    masked, unmasked = both
    return PaddedPair(tuple(alone), tuple(masked), tuple(unmasked))


def greedy_batch(
    model: StackedModel, src: Tensor, padding: Tensor | None, max_lens: Sequence[int]
) -> list[tuple[int, ...]]:
    """Decode a batch greedily (see `likeliest_outputs`).

    `padding` (B, T_src) is True at padding; None lets every query attend to everything.
    """
    return likeliest_outputs(_Uncached(model, padding), src, max_lens)


@dataclass(frozen=True)
class _Uncached:
    """Decoder without caches, so that padding may be masked or visible; `step` returns logits.

    A state is the memory and the ids (B, t) read so far.
    """

    model: StackedModel
    padding: Tensor | None

    @property
    def config(self) -> TransformerConfig:
        """Config of the model."""
        return self.model.config

    def start(self, src: Tensor) -> tuple[Tensor, Tensor]:
        """Encode the batch; no target token is read yet."""
        return self.model.encode(src, self.padding), src[:, :0]

    def step(
        self, state: tuple[Tensor, Tensor], prev: Tensor
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Read one token a sentence and return logits (B, V) and the new state."""
        memory, ids = state
        # The whole prefix is read at every step, O(T^2), for two short sentences.
        ids = torch.cat((ids, prev[:, None]), dim=1)
        hidden = self.model.decode_hidden(ids, memory, self.padding)[:, -1]
        return self.model.logits(hidden), (memory, ids)


@experiment("padding")
@torch.inference_mode()
def padding_effect(
    reader: LoadedTranslator, record: AttentionRecord, n_padding: int = 3
) -> PaddingEffect:
    """Read the pair of `record` again with ``<pad>`` tokens at the end of both sides.

    The padding mask of the source and the causal mask must leave no weight on them. Sentences so
    long that the model has no positions for `n_padding` tokens get as many as fit. Raises
    ValueError if `record` has no target.
    """
    if record.tgt is None:
        raise ValueError("padding_effect needs a record with a target")
    model = reader.model
    sides = (record.src.ids, read_ids(model.config, record.tgt.ids))
    added = [max(0, min(n_padding, model.config.max_len - len(ids))) for ids in sides]
    longer = [(*ids, *(model.config.pad_id,) * n) for ids, n in zip(sides, added, strict=True)]
    with capture_attention(model) as plain:
        model(*(tensor_of(model, ids) for ids in sides))
    with capture_attention(model) as padded:
        model(*(tensor_of(model, ids) for ids in longer))
    on_padding = [0.0]
    change = [0.0]
    for site in plain.site_ids:
        n_rows, n_columns = plain.weights(site).shape[-2:]
        # Rows of padding carry no meaning; columns of padding must have no weight.
        rows = padded.weights(site)[..., :n_rows, :]
        on_padding.append(rows[..., n_columns:].max(initial=0.0))
        change.append(np.abs(rows[..., :n_columns] - plain.weights(site)).max())
    return PaddingEffect(*added, float(max(on_padding)), float(max(change)))


def target_masks(n_tokens: int, n_padding: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return causal mask, padding mask and both joined, bool (T, T), True = may attend.

    The decoder reads `n_tokens`, then `n_padding` padding tokens.
    """
    length = n_tokens + n_padding
    causal = causal_mask(length)
    padding = torch.arange(length)[None] >= n_tokens  # (1, T)
    only = attention_mask(padding)[0, 0].expand(length, length)
    both = attention_mask(padding, causal)[0, 0]
    # Copied, because `expand` repeats one row without memory of its own.
    return causal.numpy(), only.numpy().copy(), both.numpy()


def _read(
    model: StackedModel,
    sources: Sequence[TokenSequence],
    targets: Sequence[TokenSequence],
    padding: Tensor | None,
    outputs: Sequence[TokenSequence],
    token_of: Callable[[int], str],
) -> tuple[PaddedRun, ...]:
    """Teacher-force `targets` as one batch; `outputs` are the results of a search on it."""
    src, n_src_padding = _padded(model, [sequence.ids for sequence in sources])
    read = [read_ids(model.config, tgt.ids) for tgt in targets]
    tgt_in, n_tgt_padding = _padded(model, read)
    with capture_attention(model) as captured:
        logits = model.decode(tgt_in, model.encode(src, padding), padding)
    allowed = attention_mask(padding)
    pad = (token_of(model.config.pad_id),)
    runs = []
    for item, (source, target) in enumerate(zip(sources, targets, strict=True)):
        on_source = pad * n_src_padding[item]
        on_target = pad * n_tgt_padding[item]
        sides = {
            "source": ((*source.tokens, *on_source),),
            "target": ((*map(token_of, read[item]), *on_target),),
        }
        maps = maps_of(captured, model.sites, sides, (*target.tokens, *on_target), row=item)
        if allowed is not None and on_source:
            # `maps_of` knows only masks of interventions, so the padding mask is added here.
            maps = _with_key_mask(maps, allowed[item, 0, 0].cpu().numpy())
        n_rows = {"source": len(source), "target": len(target)}
        log_probs = token_log_probs(logits[item, : len(target)], target.ids)
        runs.append(
            PaddedRun(
                n_padding=n_src_padding[item],
                n_target_padding=n_tgt_padding[item],
                attention=AttentionRecord(source, target, _first_rows(maps, n_rows)),
                log_probs=log_probs.cpu().numpy(),
                output=outputs[item],
            )
        )
    return tuple(runs)


def _with_key_mask(maps: Sequence[AttentionMap], seen: np.ndarray) -> tuple[AttentionMap, ...]:
    """Return the maps over the source with one mask for all queries; `seen` is bool (T_src,)."""
    return tuple(
        m if m.site.causal else replace(m, mask=np.tile(seen, (len(m.query_tokens), 1)))
        for m in maps
    )


def _first_rows(
    maps: Sequence[AttentionMap], n_rows: Mapping[str, int]
) -> tuple[AttentionMap, ...]:
    """Return the maps without the rows of padding at the end; `n_rows` is given by query side."""
    shorter = []
    for attention in maps:
        n = n_rows[attention.site.query]
        produced = attention.output_tokens
        mask = attention.mask
        shorter.append(
            replace(
                attention,
                weights=attention.weights[:, :, :n],
                query_tokens=attention.query_tokens[:n],
                output_tokens=None if produced is None else produced[:n],
                mask=None if mask is None else mask[:n],
            )
        )
    return tuple(shorter)


def _padded(model: StackedModel, ids: Sequence[Sequence[int]]) -> tuple[Tensor, list[int]]:
    """Return the sequences as one batch, and the number of ``<pad>`` at the end of each."""
    longest = max(map(len, ids))
    missing = [longest - len(sequence) for sequence in ids]
    rows = [
        [*sequence, *[model.config.pad_id] * n] for sequence, n in zip(ids, missing, strict=True)
    ]
    device = model.embedding.weight.device
    return torch.tensor(rows, dtype=torch.long, device=device), missing
