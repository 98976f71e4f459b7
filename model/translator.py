"""Text in, records out: the one class that pages and scripts talk to."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from records import (
    AttentionMap,
    AttentionRecord,
    CheckpointCard,
    Decoding,
    TokenSequence,
    Translation,
)

from .capture import Captured, capture_attention
from .checkpoint import LoadedCheckpoint, load_checkpoint
from .errors import InputError
from .masks import causal_mask
from .search import beam_search


class Translator:
    """A loaded checkpoint that translates and shows what it looked at.

    Nothing is remembered between calls, so one instance serves any number of threads.
    """

    def __init__(self, checkpoint: LoadedCheckpoint) -> None:
        self._model = checkpoint.model
        self._tokenizer = checkpoint.tokenizer
        self._card = checkpoint.card

    @property
    def card(self) -> CheckpointCard:
        return self._card

    @property
    def max_source_len(self) -> int:
        """Longest source in tokens, ``</s>`` included."""
        return self._model.config.max_len

    def tokenize(self, text: str) -> TokenSequence:
        """The pieces of any text, ``</s>`` included, however long."""
        return self._tokenizer.encode(text)

    def translate(self, text: str, decoding: Decoding | None = None) -> Translation:
        """Search for a translation and capture the attention behind it.

        Raises
        ------
        InputError : the text is empty or longer than the model takes.
        """
        decoding = decoding or Decoding()
        began = time.perf_counter()
        src = self._read(text, "The sentence")
        src_ids = self._ids(src.ids)
        tree = beam_search(
            self._model,
            src_ids,
            beam_size=decoding.beam_size,
            alpha=decoding.alpha,
            max_len=self._output_limit(len(src), decoding.max_len),
            n_runners_up=decoding.n_runners_up,
            token_of=self._tokenizer.token_of,
        )
        searched = time.perf_counter()
        best = tree.hypothesis(tree.best)
        tgt = self._tokenizer.decode(best.ids)
        attention, _ = self._teacher_force(src, tgt)
        return Translation(
            src=src,
            tgt=tgt,
            log_probs=np.array(best.log_probs, dtype=np.float32),
            score=best.score,
            attention=attention,
            tree=tree,
            seconds=time.perf_counter() - began,
            search_seconds=searched - began,
        )

    def attend(self, src_text: str, tgt_text: str, *, scores: bool = False) -> AttentionRecord:
        """Attention while teacher-forcing `tgt_text`, any pair, no search.

        Raises
        ------
        InputError : either text is empty or longer than the model takes.
        """
        src = self._read(src_text, "The sentence")
        tgt = self._read(tgt_text, "The given translation")
        return self._teacher_force(src, tgt, scores=scores)[0]

    def score(self, src_text: str, tgt_text: str) -> np.ndarray:
        """Natural log-probability of each token of `tgt_text`, ``</s>`` included: (T_tgt,).

        Raises
        ------
        InputError : as for `attend`.
        """
        src = self._read(src_text, "The sentence")
        tgt = self._read(tgt_text, "The given translation")
        return self._teacher_force(src, tgt)[1]

    @torch.inference_mode()
    def _teacher_force(
        self, src: TokenSequence, tgt: TokenSequence, *, scores: bool = False
    ) -> tuple[AttentionRecord, np.ndarray]:
        read_ids = (self._model.config.bos_id, *tgt.ids[:-1])
        with capture_attention(self._model, scores=scores) as captured:
            logits = self._model(self._ids(src.ids), self._ids(read_ids))
        picked = logits[0].log_softmax(dim=-1)[torch.arange(len(tgt)), self._ids(tgt.ids)[0]]
        read_tokens = (self._tokenizer.token_of(read_ids[0]), *tgt.tokens[:-1])
        maps = (
            _attention_map("encoder", captured, src.tokens, src.tokens),
            _attention_map("decoder", captured, read_tokens, read_tokens, tgt.tokens),
            _attention_map("cross", captured, read_tokens, src.tokens, tgt.tokens),
        )
        return AttentionRecord(src, tgt, maps), picked.cpu().numpy()

    def _read(self, text: str, what: str) -> TokenSequence:
        """Pieces of a text the model can take."""
        pieces = self._tokenizer.encode(text)
        if len(pieces) == 1:
            found = "holds no visible characters" if text else "is empty"
            raise InputError(f"{what} {found}.", hint="Type a sentence, or choose an example.")
        if len(pieces) > self.max_source_len:
            raise InputError(
                f"{what} is {len(pieces)} tokens long; the model takes {self.max_source_len}.",
                hint="Shorten it, or split it into sentences.",
            )
        return pieces

    def _output_limit(self, n_src: int, wanted: int | None) -> int:
        """Twice the source and a few more is plenty; a hypothesis that never ends stops there."""
        limit = self._model.config.max_len
        return min(wanted, limit) if wanted is not None else min(2 * n_src + 10, limit)

    def _ids(self, ids: Sequence[int]) -> Tensor:
        device = next(self._model.parameters()).device
        return torch.tensor([list(ids)], dtype=torch.long, device=device)


def _attention_map(
    kind: str,
    captured: Captured,
    query_tokens: tuple[str, ...],
    key_tokens: tuple[str, ...],
    output_tokens: tuple[str, ...] | None = None,
) -> AttentionMap:
    return AttentionMap(
        kind=kind,
        weights=captured.weights(kind)[0],
        query_tokens=query_tokens,
        key_tokens=key_tokens,
        output_tokens=output_tokens,
        scores=captured.scores(kind)[0] if captured.keeps_scores else None,
        mask=causal_mask(len(query_tokens)).numpy() if kind == "decoder" else None,
    )


def load_translator(name_or_path: str | Path, device: str = "cpu") -> Translator:
    """A `Translator` for a name under ``checkpoints/`` or the path of a checkpoint folder.

    Raises
    ------
    CheckpointError : the checkpoint is missing, damaged or does not fit its config.
    """
    return Translator(load_checkpoint(name_or_path, device))
