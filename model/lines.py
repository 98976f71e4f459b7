"""Lines of a file of texts: the translation of each, and how many are read ahead."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from core.roles import SeenRoles

from .errors import ModelError

WINDOW = 1024
"""Texts that are read ahead and grouped by length."""


@dataclass(frozen=True, eq=False)
class TranslatedLine:
    """Translation of one text, or the error that stands in its place.

    Attributes
    ----------
    line : number of the text, from 1.
    output : the translation, or the target that was given; None if there is an error.
    log_prob, score : natural log-probability of the output, and the same divided by the length
        penalty.
    tokens, log_probs : pieces of the output, ``</s>`` included, and their natural
        log-probabilities, float32 (T_tgt,).
    end_share : mean attention weight on special tokens of the source such as ``</s>``, over all
        layers, heads and output tokens, 0 to 1; None without such attention.
    roles : the roles that heads show in this sentence (`core.roles.seen_roles`); None if the roles
        of the model are not measured.
    """

    line: int
    source: str
    output: str | None = None
    log_prob: float = 0.0
    score: float = 0.0
    tokens: tuple[str, ...] = ()
    log_probs: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))
    end_share: float | None = None
    roles: SeenRoles | None = None
    error: ModelError | None = None

    @property
    def probabilities(self) -> np.ndarray:
        """Probability of each token, (T_tgt,), 0 to 1."""
        return np.exp(self.log_probs)
