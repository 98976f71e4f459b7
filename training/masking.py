"""Masked words: which pieces are hidden, and the loss of saying what stood there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from model.tokenizer import TextTokenizer

from .batching import Example, pad
from .corpus import Pair
from .loss import summed_losses
from .objective import Objective

CHOSEN, MASKED, REPLACED = 0.15, 0.8, 0.1
"""The share of pieces that must be said, and of these how many become ``[MASK]`` and how many any
piece at random; the rest stays (Devlin et al. 2019, section 3.1)."""


@dataclass(frozen=True)
class TextBatch:
    """Padded ids (B, T) of several texts."""

    ids: Tensor

    def to(self, device: torch.device) -> TextBatch:
        """The same batch with its ids on `device`."""
        return replace(self, ids=self.ids.to(device))


def mask_pieces(
    ids: Tensor, config: Any, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """What the model is shown, and where it must say what stood there.

    `ids`: int64 Tensor (B, T); of special tokens none is chosen. `generator`: of the choice;
    torch's own where it is not given. Where it happens to choose nothing at all, everything is
    chosen. Returns what is shown, int64 (B, T), and what is chosen, bool (B, T).
    """
    special = [config.pad_id, config.unk_id, config.cls_id, config.sep_id, config.mask_id]
    eligible = torch.isin(ids, torch.tensor(special, device=ids.device), invert=True)
    draw, fate = torch.rand((2, *ids.shape), generator=generator).to(ids.device)
    chosen = eligible & (draw < CHOSEN)
    if not bool(chosen.any()):
        chosen = eligible
    pieces = torch.randint(0, config.vocab_size, ids.shape, generator=generator).to(ids.device)
    shown = ids.masked_fill(chosen & (fate < MASKED), config.mask_id)
    replaced = chosen & (fate >= MASKED) & (fate < MASKED + REPLACED)
    return torch.where(replaced, pieces, shown), chosen


class MaskedWords:
    """For a model that is called with ids (B, T) and offers `hidden` and `logits`: cross-entropy of
    the chosen pieces. They are drawn anew whenever a text is read (Liu et al. 2019, section 4.1);
    of a text that is held back they are always the same."""

    def encode(self, pairs: Sequence[Pair], tokenizer: TextTokenizer, max_len: int) -> list[Any]:
        """Ids of every source, without those beyond `max_len`."""
        rows = tokenizer.encode_batch([pair.source for pair in pairs])
        return [Example(row, []) for row in rows if len(row) <= max_len]

    def batch(self, examples: Sequence[Example], config: Any) -> TextBatch:
        return TextBatch(pad([example.src for example in examples], config.pad_id))

    def losses(
        self, model: nn.Module, batch: TextBatch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """As `TrainingHook.losses`, summed over the chosen pieces."""
        generator = None
        if not model.training:
            generator = torch.Generator().manual_seed(int(batch.ids.sum()))
        shown, chosen = mask_pieces(batch.ids, model.config, generator)
        with torch.autocast(shown.device.type, dtype=torch.bfloat16, enabled=bf16):
            logits = model.logits(model.hidden(shown)[chosen])
        return summed_losses(logits, batch.ids[chosen], objective.smoothing)
