"""Prediction of masked words, from both sides or from the left only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.records.attention import AttentionRecord
from core.records.masked_lm import BothSides, Guess, RestsOn
from core.records.sources import TokenSequence
from words import Message

from ..errors import InputError
from ..hooks.activations import Activation, HookPoint, recording
from ..hooks.capture import capture_attention, maps_of, sides_of
from ..special_tokens import MASK
from ..teacher_forcing import in_batches, tensor_of
from .reader import Reader

SIDES = {"both": False, "left": True}
"""Visible side of a sentence, and whether everything to the right is hidden."""
CANDIDATES = 10
MOST_TOKENS = 2**13
"""Most tokens in one batch while one piece after another is masked."""


def maskable(src: TokenSequence) -> tuple[int, ...]:
    """Return the positions of all pieces that are not special tokens."""
    return tuple(position for position, special in enumerate(src.special) if not special)


class MaskedReader(Reader):
    """Loaded checkpoint that predicts masked words (capability "masked-words").

    `left_only` hides everything after a position from it. The model was never trained that way: its
    predictions then show what is left of it, and are not those of a language model that reads from
    the left.
    """

    def sentence(self, text: str) -> TokenSequence:
        """Parse `text` into a sentence, in which ``[MASK]`` is a masked position.

        Raises InputError if it is empty or longer than the model takes.
        """
        src = self.source_of(text, "sentence")
        if all(src.special):
            raise InputError(Message("model-masked-empty"))
        return src

    def typed_masks(self, src: TokenSequence) -> tuple[int, ...]:
        """Return the positions at which a mask was typed."""
        mask = self.model.config.mask_id
        return tuple(position for position, id in enumerate(src.ids) if id == mask)

    def masked(self, src: TokenSequence, positions: Iterable[int]) -> TokenSequence:
        """Return `src` with ``[MASK]`` at `positions`.

        Raises ValueError if one is out of range or holds a special token.
        """
        hidden = set(positions)
        if not hidden.issubset(maskable(src)):
            raise ValueError(
                f"expected positions among {sorted(maskable(src))}, found {sorted(hidden)}"
            )
        mask = self.model.config.mask_id
        ids = (mask if i in hidden else id for i, id in enumerate(src.ids))
        tokens = (MASK if i in hidden else token for i, token in enumerate(src.tokens))
        return TokenSequence(src.text, tuple(ids), tuple(tokens), src.offsets)

    @torch.inference_mode()
    def guess(
        self,
        src: TokenSequence,
        positions: Iterable[int] = (),
        *,
        left_only: bool = False,
        k: int = CANDIDATES,
    ) -> tuple[Guess, ...]:
        """Predict the `k` likeliest pieces at each of `positions` and wherever a mask was typed.

        All positions are masked at once, and each is predicted independently of the others, as in
        Devlin et al. 2019.
        """
        hidden = set(positions)
        log_probs = self.log_probs(self.masked(src, hidden), left_only)
        masked_ids = {position: src.ids[position] for position in hidden}
        return tuple(
            self._guess(position, masked_ids.get(position), log_probs[position], k)
            for position in sorted(hidden.union(self.typed_masks(src)))
        )

    def _guess(self, position: int, masked_id: int | None, log_probs: Tensor, k: int) -> Guess:
        """Build the record of one position; `masked_id` is None for a typed mask."""
        values, ids = log_probs.topk(min(k, len(log_probs)))
        tokenizer = self.tokenizers["source"]
        token_ids = tuple(map(int, ids))
        return Guess(
            position,
            token_ids,
            tuple(map(tokenizer.token_of, token_ids)),
            values.numpy(),
            masked_id,
            float(log_probs[masked_id]) if masked_id is not None else float("nan"),
            int((log_probs > log_probs[masked_id]).sum()) + 1 if masked_id is not None else 0,
            # 0 log 0 is NaN in floating point and 0 in an entropy.
            float(-(log_probs.exp() * log_probs).nansum()),
        )

    def attend_to(
        self, src: TokenSequence, positions: Iterable[int] = (), *, left_only: bool = False
    ) -> AttentionRecord:
        """Record the attention of every head while it reads `src` with `positions` masked."""
        masked = self.masked(src, positions)
        with torch.inference_mode(), capture_attention(self.model, scores=True) as captured:
            self.model(self.input_of(masked), left_only=left_only)
        return AttentionRecord(masked, None, maps_of(captured, self.sites, sides_of(masked)))

    def replay(
        self, record: AttentionRecord, change: Any, points: Mapping[str, HookPoint]
    ) -> dict[str, Activation]:
        """Run the model as for `record`; a true `change` means left only. Return activations."""
        with recording(points) as cache:
            self.model(self.input_of(record.src), left_only=bool(change))
        return cache

    @torch.inference_mode()
    def both_sides(self, src: TokenSequence) -> BothSides:
        """Mask each piece alone and return its log-probability, from both sides and from the left.

        The former are the terms of the text's pseudo-log-likelihood (Salazar et al. 2020).
        """
        positions = maskable(src)
        rows = tensor_of(self.model, src.ids).repeat(len(positions), 1)
        # Row i masks position i of the list, so that one batch scores all pieces.
        rows[torch.arange(len(positions)), torch.tensor(positions)] = self.model.config.mask_id
        log_probs = [
            self._own_log_probs(src, rows, positions, left_only=left) for left in SIDES.values()
        ]
        return BothSides(src, positions, *log_probs)

    def choose(
        self, src: TokenSequence, position: int, words: Sequence[str], *, left_only: bool = False
    ) -> np.ndarray:
        """Return log p of each of `words` at `position`, (n,); NaN for words of several pieces."""
        tokenizer = self.tokenizers["source"]
        config = self.model.config
        # A word alone is one piece between ``[CLS]`` and ``[SEP]``.
        around = (config.cls_id, config.sep_id)
        ids = [[i for i in row if i not in around] for row in tokenizer.encode_batch(words)]
        with torch.inference_mode():
            log_probs = self.log_probs(self.masked(src, [position]), left_only)[position]
        single = (row[0] if len(row) == 1 else None for row in ids)
        return np.array(
            [float("nan") if i is None else float(log_probs[i]) for i in single], dtype=np.float32
        )

    @torch.inference_mode()
    def leave_one_out(self, src: TokenSequence, positions: Iterable[int], position: int) -> RestsOn:
        """Measure how the prediction at `position` depends on every other piece.

        All of `positions` stay masked. The result is log p of the piece at `position` while each
        other piece is masked in turn. Raises ValueError if `position` is none of `positions`.
        """
        hidden = set(positions)
        if position not in hidden:
            raise ValueError(f"expected a position among {sorted(hidden)}, found {position}")
        masked = self.masked(src, hidden)
        mask = self.model.config.mask_id
        others = [i for i, id in enumerate(masked.ids) if id != mask and not masked.special[i]]
        # The first row masks nothing more: the reference of the others.
        rows = tensor_of(self.model, masked.ids).repeat(1 + len(others), 1)
        rows[torch.arange(1, len(rows)), torch.tensor(others, dtype=torch.long)] = mask
        log_probs = self._own_log_probs(src, rows, [position] * len(rows), left_only=False)
        return RestsOn(src, position, tuple(others), float(log_probs[0]), log_probs[1:])

    def _own_log_probs(
        self, src: TokenSequence, rows: Tensor, positions: Sequence[int], *, left_only: bool
    ) -> np.ndarray:
        """Return log p (n,) of the piece of `src` at each of `positions`.

        Each is read off its own row of ids of `rows` (n, T).
        """
        ids = tensor_of(self.model, src.ids)[0]
        batches = []
        for part in in_batches(len(positions), len(src), MOST_TOKENS):
            at = torch.tensor([positions[i] for i in part])
            logits = self.model(rows[part], left_only=left_only)
            log_probs = logits[torch.arange(len(part)), at].log_softmax(dim=-1)
            batches.append(log_probs.gather(1, ids[at][:, None])[:, 0])
        return torch.cat(batches).cpu().numpy()

    def log_probs(self, masked: TokenSequence, left_only: bool) -> Tensor:
        """Return log-probabilities (T, V) at every position, on the CPU."""
        logits = self.model(self.input_of(masked), left_only=left_only)[0]
        return logits.log_softmax(dim=-1).cpu()
