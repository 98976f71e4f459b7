"""Training of models that translate, by teacher forcing.

A step of a Transformer may also weigh tokens, hide parts of the source, and exchange memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from model.families.transformer import Transformer
from model.tokenizer import TextTokenizer

from ..corpora.text_pairs import TextPair
from .batching import Batch, TrainingExample, encode_pairs, make_batch
from .bottleneck import (
    Routes,
    draw_routes,
    exchange_memory,
    hide_all_but_it,
    hide_all_but_nouns,
    hide_prefix,
    it_alone_looks,
    rows_to_hide,
    what_counts,
)
from .loss import label_smoothed_loss, summed_losses
from .objective import Objective


class TeacherForcing:
    """Training of a model that maps source and target to logits (B, T_tgt, V).

    The loss is the cross-entropy with smoothed labels of every token that is not padding.
    """

    def encode(
        self, pairs: Sequence[TextPair], tokenizer: TextTokenizer, max_len: int
    ) -> list[Any]:
        return encode_pairs(pairs, tokenizer, max_len)

    def batch(self, examples: Sequence[TrainingExample], config: Any) -> Batch:
        return make_batch(examples, config.pad_id, config.bos_id)

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """Return the values of `TrainingHook.losses`.

        Raises ValueError if the objective weighs or hides tokens, which only the Transformer
        supports.
        """
        _refuse_more_than_smoothing(objective)
        with torch.autocast(batch.src.device.type, dtype=torch.bfloat16, enabled=bf16):
            logits = model(batch.src, batch.tgt_in)
        counts = batch.tgt_out != model.config.pad_id
        return summed_losses(logits[counts], batch.tgt_out[counts], objective.smoothing)


def _refuse_more_than_smoothing(objective: Objective) -> None:
    if objective != Objective(objective.smoothing):
        raise ValueError(f"this family supports only label smoothing, found {objective}")


class SharedOutput(TeacherForcing):
    """Teacher forcing of a model with `decode_hidden` whose output layer is its embedding.

    The loss is computed chunk by chunk, since the logits of a batch fit no cache.
    """

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """Return the values of `TeacherForcing.losses`."""
        _refuse_more_than_smoothing(objective)
        with torch.autocast(batch.src.device.type, dtype=torch.bfloat16, enabled=bf16):
            hidden = model.decode_hidden(batch.src, batch.tgt_in)
        counts = batch.tgt_out != model.config.pad_id
        # `label_smoothed_loss` computes in the dtype of its input.
        hidden = hidden[counts].to(torch.bfloat16 if bf16 else torch.float32)
        loss, nll = label_smoothed_loss(
            hidden, model.embedding.weight, batch.tgt_out[counts], objective.smoothing
        )
        return loss, nll, len(hidden)


class EncoderDecoder(TeacherForcing):
    """Training of a Transformer: a step may weigh tokens, and hide or exchange memory."""

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        return translation_losses(model, batch, objective, bf16=bf16)


def translation_losses(
    model: Transformer, batch: Batch, objective: Objective, *, bf16: bool
) -> tuple[Tensor, Tensor, int]:
    """Return smoothed loss and negative log-likelihood, summed over tokens, and their number."""
    seen = model.source_padding(batch.src)
    share, kept = objective.nouns_only
    hidden_rows = rows_to_hide(batch, share)
    shares = objective.shares
    routes = draw_routes(batch, shares) if shares and batch.routes else None
    tgt_in = batch.tgt_in
    with torch.autocast(batch.src.device.type, dtype=torch.bfloat16, enabled=bf16):
        memory = _encoded(model, batch.src, seen, routes)
        if hidden_rows:
            seen = hide_all_but_nouns(batch, seen, hidden_rows, kept)
        if routes and routes.it_only:
            seen = hide_all_but_it(seen, routes)
            tgt_in = hide_prefix(tgt_in, routes, shares.prefix_kept, model.config.unk_id)
        hidden = model.transformed(model.decode_hidden(tgt_in, memory, seen))
    # The chunked loss runs outside autocast, in the dtype of its input.
    if bf16:
        hidden = hidden.to(torch.bfloat16)
    counts = batch.tgt_out != model.config.pad_id
    # Where words are hidden only the pronoun counts: the rest cannot be known.
    counts[hidden_rows] &= batch.decisions[hidden_rows]
    if routes:
        counts = what_counts(counts, routes, shares.elsewhere)
    weights = token_weights(batch, objective, routes)
    loss, nll = label_smoothed_loss(
        hidden[counts],
        model.output_weight,
        batch.tgt_out[counts],
        objective.smoothing,
        weights[counts],
        bias=model.output_bias,
    )
    return loss, nll, int(counts.sum())


def _encoded(model: Transformer, src: Tensor, seen: Tensor | None, routes: Routes | None) -> Tensor:
    """Return the memory of `src` (B, T_src), exchanged in the rows that have this route."""
    if routes is None:
        return model.encode(src, seen)
    # The other readings join the batch: one pass encodes both.
    joined = torch.cat((src, routes.others))
    looks = it_alone_looks(routes, seen, len(joined))
    memory = model.encode(joined, model.source_padding(joined), may_look=looks)
    if not routes.exchange:
        return memory
    return exchange_memory(memory[: len(src)], memory[len(src) :], routes)


def token_weights(batch: Batch, objective: Objective, routes: Routes | None) -> Tensor:
    """Return the weight of each target token in the loss, (B, T_tgt)."""
    weights = 1.0 + (objective.decision_weight - 1.0) * batch.decisions.float()
    if routes is None:
        return weights
    # Pronouns of a single noun have a weight of their own.
    alone = routes.pronouns & ~batch.decisions
    return weights.masked_fill(alone, objective.one_noun_weight)
