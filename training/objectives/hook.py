"""Interface of the training of one model family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from torch import Tensor, nn

from model.tokenizer import TextTokenizer

from ..corpora.text_pairs import TextPair
from .batching import Batch, TrainingExample
from .objective import Objective


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
