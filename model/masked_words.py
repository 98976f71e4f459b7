"""Masked words said, from both sides or from the left alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.attention import AttentionRecord
from core.masked import BothSides, Guess, RestsOn
from core.tokens import TokenSequence
from words import Message

from .capture import Hooks, capture_attention, listening
from .errors import InputError
from .read import in_batches, maps_of, sides_of
from .reader import Reader
from .tokenizer import MASK

SIDES = {"both": False, "left": True}
"""What may be seen of a sentence, and whether what stands to the right is hidden."""
CANDIDATES = 10
MOST_TOKENS = 2**13
"""Tokens that are read at once while one piece after another is masked."""


def maskable(src: TokenSequence) -> tuple[int, ...]:
    """Positions of all but the special tokens."""
    return tuple(position for position, special in enumerate(src.special) if not special)


class MaskedReader(Reader):
    """A loaded checkpoint that says what stood in a masked place (capability "masked-words").
    `left_only` hides from every position what stands after it. The model was never trained so: what
    it says then is what is left of it, and no language model that reads from the left."""

    def sentence(self, text: str) -> TokenSequence:
        """The sentence that a text is; ``[MASK]`` in it is a masked place. InputError where it is
        empty or longer than the model takes."""
        src = self.source_of(text, "sentence")
        if all(src.special):
            raise InputError(Message("model-masked-empty"))
        return src

    def typed_masks(self, src: TokenSequence) -> tuple[int, ...]:
        """Positions where a mask was typed."""
        mask = self.model.config.mask_id
        return tuple(position for position, id in enumerate(src.ids) if id == mask)

    def masked(self, src: TokenSequence, positions: Iterable[int]) -> TokenSequence:
        """The same with ``[MASK]`` at `positions`; ValueError where one is outside, or holds a
        special token."""
        hidden = set(positions)
        if not hidden.issubset(maskable(src)):
            raise ValueError(f"{sorted(hidden)} are no places of the {len(src)} pieces")
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
        """The likeliest pieces at each of `positions` (see `masked`), all masked at once, and where
        a mask was typed. Several masks are said independently of each other, as in the paper."""
        hidden = set(positions)
        log_probs = self._log_probs(self.masked(src, hidden), left_only)
        own = {position: src.ids[position] for position in hidden}
        return tuple(
            self._guess(position, own.get(position), log_probs[position], k)
            for position in sorted(hidden.union(self.typed_masks(src)))
        )

    def _guess(self, position: int, own: int | None, log_probs: Tensor, k: int) -> Guess:
        values, ids = log_probs.topk(min(k, len(log_probs)))
        tokenizer = self.tokenizers["source"]
        token_ids = tuple(map(int, ids))
        return Guess(
            position,
            token_ids,
            tuple(map(tokenizer.token_of, token_ids)),
            values.numpy(),
            own,
            float(log_probs[own]) if own is not None else float("nan"),
            int((log_probs > log_probs[own]).sum()) + 1 if own is not None else 0,
            float(-(log_probs.exp() * log_probs).nansum()),
        )

    def attend_to(
        self, src: TokenSequence, positions: Iterable[int] = (), *, left_only: bool = False
    ) -> AttentionRecord:
        """What every head looks at while it reads the text with `positions` masked."""
        masked = self.masked(src, positions)
        with torch.inference_mode(), capture_attention(self.model, scores=True) as captured:
            self.model(self.input_of(masked), left_only=left_only)
        return AttentionRecord(masked, None, maps_of(captured, self.sites, sides_of(masked)))

    def pass_again(self, record: AttentionRecord, change: Any, hooks: Hooks) -> None:
        with listening(hooks):
            self.model(self.input_of(record.src), left_only=bool(change))

    @torch.inference_mode()
    def both_sides(self, src: TokenSequence) -> BothSides:
        """Each piece masked alone: the parts of the pseudo-log-likelihood of the text (Salazar et
        al. 2020), from both sides and from the left alone."""
        positions = maskable(src)
        rows = torch.tensor(src.ids).repeat(len(positions), 1)
        rows[torch.arange(len(positions)), torch.tensor(positions)] = self.model.config.mask_id
        log_probs = [
            self._own_log_probs(src, rows, positions, left_only=left) for left in SIDES.values()
        ]
        return BothSides(src, positions, *log_probs)

    def choose(
        self, src: TokenSequence, position: int, words: Sequence[str], *, left_only: bool = False
    ) -> np.ndarray:
        """log p of each of `words` at a place, the words being single pieces: (n,); NaN for one
        that is more than a piece."""
        tokenizer, config = self.tokenizers["source"], self.model.config
        around = (config.cls_id, config.sep_id)
        ids = [[i for i in row if i not in around] for row in tokenizer.encode_batch(words)]
        with torch.inference_mode():
            log_probs = self._log_probs(self.masked(src, [position]), left_only)[position]
        single = (row[0] if len(row) == 1 else None for row in ids)
        return np.array(
            [float("nan") if i is None else float(log_probs[i]) for i in single], dtype=np.float32
        )

    @torch.inference_mode()
    def leave_one_out(self, src: TokenSequence, positions: Iterable[int], position: int) -> RestsOn:
        """What the guess at `position`, one of `positions` (ValueError if not), rests on: log p of
        the piece that was masked there while every other piece is masked too, one after another."""
        hidden = set(positions)
        if position not in hidden:
            raise ValueError(f"{position} is none of the masked places {sorted(hidden)}")
        masked, mask = self.masked(src, hidden), self.model.config.mask_id
        others = [i for i, id in enumerate(masked.ids) if id != mask and not masked.special[i]]
        # The first with nothing more masked.
        rows = torch.tensor(masked.ids).repeat(1 + len(others), 1)
        rows[torch.arange(1, len(rows)), torch.tensor(others, dtype=torch.long)] = mask
        log_probs = self._own_log_probs(src, rows, [position] * len(rows), left_only=False)
        return RestsOn(src, position, tuple(others), float(log_probs[0]), log_probs[1:])

    def _own_log_probs(
        self, src: TokenSequence, rows: Tensor, positions: Sequence[int], *, left_only: bool
    ) -> np.ndarray:
        """log p of what stands in `src` at each of `positions`, (n,), each read off its own of
        `rows`, ids (n, T)."""
        own, batches = torch.tensor(src.ids), []
        for part in in_batches(len(positions), len(src), MOST_TOKENS):
            at = torch.tensor([positions[i] for i in part])
            logits = self.model(rows[part], left_only=left_only)
            log_probs = logits[torch.arange(len(part)), at].log_softmax(dim=-1)
            batches.append(log_probs.gather(1, own[at][:, None])[:, 0])
        return torch.cat(batches).numpy()

    def _log_probs(self, masked: TokenSequence, left_only: bool) -> Tensor:
        return self.model(self.input_of(masked), left_only=left_only)[0].log_softmax(dim=-1)
