"""What a run asks of the family of its model: the loss of a batch, and what a batch needs."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from model.config import config_from_dict
from model.errors import CheckpointError
from model.family import Family, Training
from model.registry import families
from model.tokenizer import TextTokenizer
from words import Message

from .batching import Batch, Example, encode_pairs, make_batch
from .captioning import Captioning
from .corpus import Pair
from .documents import Judging
from .loss import label_smoothed_loss, summed_losses
from .masking import MaskedWords
from .objective import Objective, translation_losses


class TrainingHook(Protocol):
    """How the models of a family are trained."""

    def encode(self, pairs: Sequence[Pair], tokenizer: TextTokenizer, max_len: int) -> list[Any]:
        """What is kept of these pairs; each has ids `src` and `tgt` to make batches by."""

    def batch(self, examples: Sequence[Example], config: Any) -> Batch:
        """What one step needs of these examples."""

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """Loss and negative log-likelihood, summed over tokens, and how many these are.

        Only the loss carries a gradient; both are in nats.
        """


class TeacherForcing:
    """For a model that is called with source and target and gives logits (B, T_tgt, V).

    The loss is the cross-entropy with smoothed labels of every token that is not padding.
    """

    def encode(self, pairs: Sequence[Pair], tokenizer: TextTokenizer, max_len: int) -> list[Any]:
        return encode_pairs(pairs, tokenizer, max_len)

    def batch(self, examples: Sequence[Example], config: Any) -> Batch:
        return make_batch(examples, config.pad_id, config.bos_id)

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """As `TrainingHook.losses`.

        Raises ValueError where the objective weighs or hides tokens, which is the Transformer's
        alone.
        """
        _refuse_more_than_smoothing(objective)
        with torch.autocast(batch.src.device.type, dtype=torch.bfloat16, enabled=bf16):
            logits = model(batch.src, batch.tgt_in)
        counts = batch.tgt_out != model.config.pad_id
        return summed_losses(logits[counts], batch.tgt_out[counts], objective.smoothing)


def _refuse_more_than_smoothing(objective: Objective) -> None:
    if objective != Objective(objective.smoothing):
        raise ValueError(f"{objective} asks for more than smoothed labels")


class SharedOutput(TeacherForcing):
    """The same for a model that offers `decode_hidden` from source and target, and whose output
    layer is its embedding: chunk by chunk, since the logits of a batch fit no cache."""

    def losses(
        self, model: nn.Module, batch: Batch, objective: Objective, *, bf16: bool
    ) -> tuple[Tensor, Tensor, int]:
        """As `TeacherForcing.losses`."""
        _refuse_more_than_smoothing(objective)
        with torch.autocast(batch.src.device.type, dtype=torch.bfloat16, enabled=bf16):
            hidden = model.decode_hidden(batch.src, batch.tgt_in)
        counts = batch.tgt_out != model.config.pad_id
        hidden = hidden[counts].to(torch.bfloat16 if bf16 else torch.float32)
        loss, nll = label_smoothed_loss(
            hidden, model.embedding.weight, batch.tgt_out[counts], objective.smoothing
        )
        return loss, nll, len(hidden)


class EncoderDecoder(TeacherForcing):
    """Encoder and decoder apart, so that a step may weigh tokens and hide or exchange memory."""

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
"""By what a family says of its `training`."""


class BatchLosses(nn.Module):
    """The losses of a batch as one forward pass, as DistributedDataParallel needs it."""

    def __init__(self, model: nn.Module, hook: TrainingHook, *, bf16: bool) -> None:
        super().__init__()
        self.model = model
        self.hook = hook
        self.bf16 = bf16

    def forward(self, batch: Batch, objective: Objective) -> tuple[Tensor, Tensor, int]:
        return self.hook.losses(self.model, batch, objective, bf16=self.bf16)


def hook_of(family: Family) -> TrainingHook:
    """How the models of a family that is trained here are trained."""
    if family.training is None:
        raise ValueError(f"{family.name} does not say how it is trained")
    return HOOKS[family.training]


def family_of(settings: dict[str, Any]) -> Family:
    """The family that a training config names; the Transformer where it names none.

    Raises CheckpointError where there is no such family, or it does not say how it is trained.
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
    """The model of a training config, with random weights.

    Its sizes are those of the config's "model", its dropout is the training's, and every
    vocabulary is the tokenizer's.

    Raises CheckpointError where the family is unknown, or the sizes do not fit it; all faults in
    one message.
    """
    family = family_of(settings)
    values = dict.fromkeys(family.vocabularies.values(), tokenizer.vocab_size)
    if "dropout" in settings["training"]:
        values["dropout"] = settings["training"]["dropout"]
    return family.build(config_from_dict(family.config, values | settings["model"], name="model"))
