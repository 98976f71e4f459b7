"""Documents and their classes: files, batches and the loss of a hierarchical network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from model.tokenizer import TextTokenizer

from ..corpora.text_pairs import BETWEEN, TextPair
from .loss import summed_losses
from .objective import Objective

UNKNOWN_SHARE = 0.1
"""Share of training words that are read as ``<unk>``, so that the model learns to cope with it."""


@dataclass(frozen=True)
class DocumentExample:
    """A document as ids, one sentence after another, and its class."""

    src: list[int]
    lengths: tuple[int, ...]
    tgt: tuple[str, ...]


@dataclass(frozen=True)
class DocumentBatch:
    """Sentences of several documents, one after another.

    `ids` (N, T) are padded; `lengths` holds those of the N sentences, `counts` the number of
    sentences of each of the B documents; `classes` (B,).
    """

    ids: Tensor
    lengths: tuple[int, ...]
    counts: tuple[int, ...]
    classes: Tensor

    def to(self, device: torch.device) -> DocumentBatch:
        """Return the batch with its ids on `device`."""
        return replace(self, ids=self.ids.to(device), classes=self.classes.to(device))


def encode_documents(
    pairs: Sequence[TextPair], tokenizer: TextTokenizer, max_len: int
) -> list[DocumentExample]:
    """Return the ids of all documents, cut at the front to at most `max_len` tokens.

    A review states its verdict at the end more often than at the beginning.
    """
    examples = []
    for pair in pairs:
        rows = [row for row in tokenizer.encode_batch(pair.source.split(BETWEEN.strip())) if row]
        while sum(map(len, rows)) > max_len and len(rows) > 1:
            rows = rows[1:]
        # Nothing is left of a text of blanks.
        if rows:
            rows[0] = rows[0][-max_len:]
            ids = [piece for row in rows for piece in row]
            examples.append(DocumentExample(ids, tuple(map(len, rows)), (pair.target,)))
    return examples


class Judging:
    """Training of document classifiers: cross-entropy of the class, each document counting one."""

    def encode(
        self, pairs: Sequence[TextPair], tokenizer: TextTokenizer, max_len: int
    ) -> list[DocumentExample]:
        return encode_documents(pairs, tokenizer, max_len)

    def batch(self, examples: Sequence[DocumentExample], config: Any) -> DocumentBatch:
        rows = [
            row
            for example in examples
            for row in torch.tensor(example.src).split(list(example.lengths))
        ]
        return DocumentBatch(
            pad_sequence(rows, batch_first=True, padding_value=config.pad_id),
            tuple(map(len, rows)),
            tuple(len(example.lengths) for example in examples),
            torch.tensor([config.classes.index(example.tgt[0]) for example in examples]),
        )

    def losses(
        self, model: nn.Module, batch: DocumentBatch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """Return loss, negative log-likelihood and number of documents (`TrainingHook.losses`)."""
        ids = batch.ids
        if model.training:
            # The vocabulary is learnt from this very text, so ``<unk>`` would never occur in
            # training.
            hidden = torch.rand(ids.shape, device=ids.device) < UNKNOWN_SHARE
            ids = ids.masked_fill(hidden & (ids != model.config.pad_id), model.config.unk_id)
        with torch.autocast(ids.device.type, dtype=torch.bfloat16, enabled=bf16):
            logits = logits_of(model, ids, batch.lengths, batch.counts)
        return summed_losses(logits, batch.classes, objective.smoothing)


def logits_of(
    model: nn.Module, ids: Tensor, lengths: Sequence[int], counts: Sequence[int]
) -> Tensor:
    """Return logits (B, classes) of padded sentences `ids` (N, T) of B documents."""
    vectors = model.sentence_vectors(ids, lengths).split(list(counts))
    return model.judge_many(pad_sequence(list(vectors), batch_first=True), counts)
