"""What is known of a checkpoint."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from .confidence import Confidence


@dataclass(frozen=True)
class CheckpointCard:
    """What a checkpoint is, where it came from and what it scored.

    `scores` and `heads` are what ``python -m training evaluate`` measured; `heads` names the
    heads that link "it" to its antecedent. `guided` is the attention head that was *trained* to
    do so, None for a free model. `searches` is what ``python -m training sweep`` measured of the
    search, see `training.sweep`; `interventions` what ``python -m training intervene`` measured by
    changing what the model may see, see `training.intervene`; `units` what the hidden units of
    its feed-forward layers fire on, see `training.units`; `confidence` how well its own
    probabilities tell good translations from bad, see `training.confidence`. `fingerprint`
    identifies the weights, config and tokenizer. `examples` are texts to begin with, where those of
    the app do not fit what the model reads.
    """

    name: str
    architecture: str
    languages: tuple[str, str]
    n_params: int
    config: dict[str, Any]
    fingerprint: str
    title: str = ""
    description: str = ""
    licence: str = ""
    scores: dict[str, Any] = field(default_factory=dict)
    heads: dict[str, Any] = field(default_factory=dict)
    guided: dict[str, Any] | None = None
    training: dict[str, Any] = field(default_factory=dict)
    searches: dict[str, Any] = field(default_factory=dict)
    interventions: dict[str, Any] = field(default_factory=dict)
    units: dict[str, Any] = field(default_factory=dict)
    confidence: Confidence | None = None
    examples: tuple[str, ...] = ()


def fingerprint_of(*parts: bytes | dict[str, Any]) -> str:
    """Twelve hexadecimal digits that identify the given bytes and JSON-able dicts."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode()
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.hexdigest()[:12]
