"""Masked words: the choice of hidden pieces, and the loss of predicting them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from model.tokenizer import TextTokenizer

from ..corpora.text_pairs import TextPair
from .batching import TrainingExample, pad
from .loss import summed_losses
from .objective import Objective

CHOSEN = 0.15
"""Share of pieces to predict."""
MASKED = 0.8
"""Share of the chosen pieces that become ``[MASK]``."""
REPLACED = 0.1
"""Share of the chosen pieces that become any random piece.

The rest stays as it is (Devlin et al. 2019, section 3.1).
"""


@dataclass(frozen=True)
class TextBatch:
    """Padded ids (B, T) of several texts."""

    ids: Tensor

    def to(self, device: torch.device) -> TextBatch:
        """Return the batch with its ids on `device`."""
        return replace(self, ids=self.ids.to(device))


def mask_pieces(
    ids: Tensor, config: Any, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """Return the ids that the model reads, and the positions at which it has to predict.

    `ids`: int64 Tensor (B, T); special tokens are never chosen. `generator`: draws the choice;
    torch's own by default. If no piece happens to be chosen, all are. Returns ids (B, T) and bool
    (B, T), True at chosen pieces.
    """
    special = [config.pad_id, config.unk_id, config.cls_id, config.sep_id, config.mask_id]
    eligible = torch.isin(ids, torch.tensor(special, device=ids.device), invert=True)
    # Drawn on the CPU: a generator belongs to one device, and the draw must not depend on it.
    draw, fate = torch.rand((2, *ids.shape), generator=generator).to(ids.device)
    chosen = eligible & (draw < CHOSEN)
    # A batch without a prediction would have a loss of 0 / 0.
    if not bool(chosen.any()):
        chosen = eligible
    pieces = torch.randint(0, config.vocab_size, ids.shape, generator=generator).to(ids.device)
    masked_ids = ids.masked_fill(chosen & (fate < MASKED), config.mask_id)
    replaced = chosen & (fate >= MASKED) & (fate < MASKED + REPLACED)
    return torch.where(replaced, pieces, masked_ids), chosen


class MaskedWords:
    """Training of a masked language model: cross-entropy of the chosen pieces.

    The model takes ids (B, T) and offers `hidden` and `logits`. Pieces are drawn anew whenever a
    text is read (Liu et al. 2019, section 4.1), except in validation, where they stay the same.
    """

    def encode(
        self, pairs: Sequence[TextPair], tokenizer: TextTokenizer, max_len: int
    ) -> list[Any]:
        """Return the ids of every source, except those beyond `max_len`."""
        rows = tokenizer.encode_batch([pair.source for pair in pairs])
        # Without a target, since the text is its own answer.
        return [TrainingExample(row, []) for row in rows if len(row) <= max_len]

    def batch(self, examples: Sequence[TrainingExample], config: Any) -> TextBatch:
        return TextBatch(pad([example.src for example in examples], config.pad_id))

    def losses(
        self, model: Any, batch: TextBatch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """Return the values of `TrainingHook.losses`, summed over the chosen pieces."""
        generator = None
        if not model.training:
            # Seeded by the text itself, so that validation losses of all steps are comparable.
            generator = torch.Generator().manual_seed(int(batch.ids.sum()))
        masked_ids, chosen = mask_pieces(batch.ids, model.config, generator)
        with torch.autocast(masked_ids.device.type, dtype=torch.bfloat16, enabled=bf16):
            # Only chosen positions go through the output layer, the most expensive one.
            logits = model.logits(model.hidden(masked_ids)[chosen])
        return summed_losses(logits, batch.ids[chosen], objective.smoothing)
