"""Masked words said, from both sides or from the left alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from core.attention import AttentionRecord
from core.masked import BothSides, Guess, RestsOn
from core.tokens import TokenSequence
from words import Message

from .capture import capture_attention
from .errors import InputError
from .read import in_batches, maps_of, sides_of
from .reader import Reader
from .tokenizer import MASK

SIDES = {"both": False, "left": True}
"""What may be seen of a sentence, and whether what stands to the right is hidden."""
CANDIDATES = 10
MOST_TOKENS = 2**13
"""Tokens that are read at once while one piece after another is masked."""


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
        return tuple(place for place, id in enumerate(src.ids) if id == mask)

    def masked(self, src: TokenSequence, places: Iterable[int]) -> TokenSequence:
        """The same with ``[MASK]`` at `places`; ValueError where one is outside, or holds a special
        token."""
        hidden = set(places)
        if not hidden <= {i for i, special in enumerate(src.special) if not special}:
            raise ValueError(f"{sorted(hidden)} are no places of the {len(src)} pieces")
        mask = self.model.config.mask_id
        ids = (mask if i in hidden else id for i, id in enumerate(src.ids))
        tokens = (MASK if i in hidden else token for i, token in enumerate(src.tokens))
        return TokenSequence(src.text, tuple(ids), tuple(tokens), src.offsets)

    @torch.inference_mode()
    def guess(
        self,
        src: TokenSequence,
        places: Iterable[int] = (),
        *,
        left_only: bool = False,
        k: int = CANDIDATES,
    ) -> tuple[Guess, ...]:
        """The likeliest pieces at each of `places` (see `masked`), all masked at once, and where a
        mask was typed. Several masks are said independently of each other, as in the paper."""
        hidden = set(places)
        log_probs = self._log_probs(self.masked(src, hidden), left_only)
        every = sorted(hidden | set(self.typed_masks(src)))
        return tuple(
            self._guess(place, src.ids[place] if place in hidden else None, log_probs[place], k)
            for place in every
        )

    def _guess(self, place: int, own: int | None, log_probs: Tensor, k: int) -> Guess:
        values, ids = log_probs.topk(min(k, len(log_probs)))
        tokenizer = self.tokenizers["source"]
        found = tuple(map(int, ids))
        return Guess(
            place,
            found,
            tuple(map(tokenizer.token_of, found)),
            values.numpy(),
            own,
            float(log_probs[own]) if own is not None else float("nan"),
            int((log_probs > log_probs[own]).sum()) + 1 if own is not None else 0,
            float(-(log_probs.exp() * log_probs).nansum()),
        )

    def attend_to(
        self, src: TokenSequence, places: Iterable[int] = (), *, left_only: bool = False
    ) -> AttentionRecord:
        """What every head looks at while it reads the text with `places` masked."""
        shown = self.masked(src, places)
        with torch.inference_mode(), capture_attention(self.model, scores=True) as captured:
            self.model(self.input_of(shown), left_only=left_only)
        return AttentionRecord(shown, None, maps_of(captured, self.sites, sides_of(shown)))

    @torch.inference_mode()
    def both_sides(self, src: TokenSequence) -> BothSides:
        """Each piece masked alone: the parts of the pseudo-log-likelihood of the text (Salazar et
        al. 2020), from both sides and from the left alone."""
        places = [place for place, special in enumerate(src.special) if not special]
        rows = torch.tensor(src.ids).repeat(len(places), 1)
        rows[torch.arange(len(places)), torch.tensor(places)] = self.model.config.mask_id
        found = [self._said(src, rows, places, left_only=left) for left in SIDES.values()]
        return BothSides(src, tuple(places), *found)

    def choose(
        self, src: TokenSequence, place: int, words: Sequence[str], *, left_only: bool = False
    ) -> np.ndarray:
        """log p of each of `words` at a place, the words being single pieces: (n,); NaN for one
        that is more than a piece."""
        tokenizer, config = self.tokenizers["source"], self.model.config
        around = (config.cls_id, config.sep_id)
        ids = [[i for i in row if i not in around] for row in tokenizer.encode_batch(words)]
        with torch.inference_mode():
            log_probs = self._log_probs(self.masked(src, [place]), left_only)[place]
        single = (row[0] if len(row) == 1 else None for row in ids)
        return np.array(
            [float("nan") if i is None else float(log_probs[i]) for i in single], dtype=np.float32
        )

    @torch.inference_mode()
    def leave_one_out(self, src: TokenSequence, places: Iterable[int], place: int) -> RestsOn:
        """What the guess at `place`, one of `places` (ValueError if not), rests on: log p of the
        piece that was masked there while every other piece is masked too, one after another."""
        hidden = set(places)
        if place not in hidden:
            raise ValueError(f"{place} is none of the masked places {sorted(hidden)}")
        shown, mask = self.masked(src, hidden), self.model.config.mask_id
        others = [i for i, id in enumerate(shown.ids) if id != mask and not shown.special[i]]
        # The first with nothing more masked.
        rows = torch.tensor(shown.ids).repeat(1 + len(others), 1)
        rows[torch.arange(1, len(rows)), torch.tensor(others, dtype=torch.long)] = mask
        found = self._said(src, rows, [place] * len(rows), left_only=False)
        return RestsOn(src, place, tuple(others), float(found[0]), found[1:])

    def _said(
        self, src: TokenSequence, rows: Tensor, places: Sequence[int], *, left_only: bool
    ) -> np.ndarray:
        """log p of what stands in `src` at each of `places`, (n,), each read off its own of `rows`,
        ids (n, T)."""
        own, found = torch.tensor(src.ids), []
        for part in in_batches(len(places), len(src), MOST_TOKENS):
            at = torch.tensor([places[i] for i in part])
            logits = self.model(rows[part], left_only=left_only)
            log_probs = logits[torch.arange(len(part)), at].log_softmax(dim=-1)
            found.append(log_probs.gather(1, own[at][:, None])[:, 0])
        return torch.cat(found).numpy()

    def _log_probs(self, shown: TokenSequence, left_only: bool) -> Tensor:
        return self.model(self.input_of(shown), left_only=left_only)[0].log_softmax(dim=-1)
