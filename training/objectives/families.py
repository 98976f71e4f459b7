"""Training of each model family: the loss of a batch, and the examples that a batch needs."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from model.config import config_from_dict
from model.errors import CheckpointError
from model.families.base import Family, Training
from model.io.registry import families
from model.tokenizer import TextTokenizer
from words import Message

from ..corpora.text_pairs import TextPair
from .batching import Batch, TrainingExample, encode_pairs, make_batch
from .captioning import Captioning
from .documents import Judging
from .loss import label_smoothed_loss, summed_losses
from .masking import MaskedWords
from .objective import Objective, translation_losses


class TrainingHook(Protocol):
    """Training of the models of one family."""

    def encode(
        self, pairs: Sequence[TextPair], tokenizer: TextTokenizer, max_len: int
    ) -> list[Any]:
        """Return the examples to keep of these pairs; each has ids `src` and `tgt` to batch by."""

    def batch(self, examples: Sequence[TrainingExample], config: Any) -> Batch:
        """Return the tensors that one step needs of these examples."""

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """Return loss and negative log-likelihood, summed over tokens, and the number of tokens.

        Only the loss carries a gradient; both are in nats.
        """


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


HOOKS: dict[Training, TrainingHook] = {
    "teacher-forcing": TeacherForcing(),
    "shared-output": SharedOutput(),
    "encoder-decoder": EncoderDecoder(),
    "captions": Captioning(),
    "judging": Judging(),
    "masked-words": MaskedWords(),
}
"""Training hook for each value of a family's `training`."""


class BatchLosses(nn.Module):
    """Losses of a batch as one forward pass, the form that DistributedDataParallel needs."""

    def __init__(self, model: nn.Module, hook: TrainingHook, *, bf16: bool) -> None:
        super().__init__()
        self.model = model
        self.hook = hook
        self.bf16 = bf16

    def forward(self, batch: Batch, objective: Objective) -> tuple[Tensor, Tensor, int]:
        return self.hook.losses(self.model, batch, objective, bf16=self.bf16)


def hook_of(family: Family) -> TrainingHook:
    """Return the training hook of a family.

    Raises ValueError if the family does not declare one.
    """
    if family.training is None:
        raise ValueError(f"the family {family.name!r} does not declare its training")
    return HOOKS[family.training]


def family_of(settings: dict[str, Any]) -> Family:
    """Return the family that a training config names, the Transformer if it names none.

    Raises CheckpointError if there is no such family, or if it declares no training.
    """
    name = settings.get("architecture", "transformer")
    trained = {family.name: family for family in families().values() if family.training}
    if name in trained:
        return trained[name]
    near = difflib.get_close_matches(str(name), trained, n=1)
    raise CheckpointError(
        Message.of("model-checkpoint-architecture-near", name=repr(name), near=repr(near[0]))
        if near
        else Message.of("model-checkpoint-architecture", name=repr(name), known=", ".join(trained))
    )


def model_for(settings: dict[str, Any], tokenizer: TextTokenizer) -> nn.Module:
    """Return the model of a training config, with random weights.

    Sizes are those of the config's "model", dropout is that of its "training", and every vocabulary
    is the tokenizer's.

    Raises CheckpointError if the family is unknown or the sizes do not fit it; all faults in one
    message.
    """
    family = family_of(settings)
    values = dict.fromkeys(family.vocabularies.values(), tokenizer.vocab_size)
    if "dropout" in settings["training"]:
        values["dropout"] = settings["training"]["dropout"]
    return family.build(config_from_dict(family.config, values | settings["model"], name="model"))
