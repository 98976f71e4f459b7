"""Training of each model family: the loss of a batch, and the examples that a batch needs."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from model.families.base import Family, Training
from model.io.config_files import config_from_dict
from model.tokenizer import TextTokenizer

from ..settings import family_of
from .batching import Batch
from .captioning import Captioning
from .documents import Judging
from .hook import TrainingHook
from .masking import MaskedWords
from .objective import Objective
from .translation import EncoderDecoder, SharedOutput, TeacherForcing

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
