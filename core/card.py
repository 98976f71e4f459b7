"""What is known of a checkpoint."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from words import Message

from .measurements import LANGUAGE, ROLES, HeadRoles
from .stored import Kind, Stored
from .text_language import LanguageCheck


@dataclass(frozen=True)
class CheckpointCard:
    """What a checkpoint is, where it came from and what it scored.

    `scores` and `heads` are what ``python -m training evaluate`` measured; `heads` names the heads
    that link "it" to its antecedent. `guided` is the attention head that was *trained* to do so,
    None for a free model. `fingerprint` identifies the weights, config and tokenizer. `examples`
    are texts to begin with, where those of the app do not fit what the model reads. `words` are
    title, description and licence in other languages, by their codes. `lineage` is the paper that
    the architecture is of and its year, ``{"year": 2014, "paper": "Cho et al. 2014"}``, of a model
    that was trained to be held against others. `at` is the name or path that opens it again,
    `format` the layout of files that it was converted from, as people call it; empty for one of our
    own. `doubts` are sentences about what its files may not be fit for. `stored` says what lies in
    each file of measurements, or why nothing of it is here.
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
    examples: tuple[str, ...] = ()
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    lineage: dict[str, Any] = field(default_factory=dict)
    at: str = ""
    format: str = ""
    doubts: tuple[Message, ...] = ()
    stored: Mapping[Kind, Stored] = field(default_factory=dict)

    def lies(self, measurement: Kind) -> Stored:
        """What lies beside the weights of one kind of measurement, or why nothing does."""
        return self.stored.get(measurement, Stored(measurement, self.name))

    @property
    def language_check(self) -> LanguageCheck | None:
        """Check of whether a text is in the language that the model reads."""
        measured = self.lies(LANGUAGE).part
        return measured.check if measured else None

    @property
    def roles(self) -> HeadRoles | None:
        """What its heads were found to do."""
        return self.lies(ROLES).part

    def told(self, name: str, language: str) -> str:
        """`title`, `description` or `licence` in a language, or else as the card has it.

        >>> card = CheckpointCard("en-de", "transformer", ("en", "de"), 1, {}, "", title="one",
        ...                       words={"ko": {"title": "하나"}})
        >>> card.told("title", "ko"), card.told("title", "fr"), card.told("licence", "ko")
        ('하나', 'one', '')
        """
        return self.words.get(language, {}).get(name) or getattr(self, name)


@dataclass(frozen=True)
class Outline:
    """What a checkpoint's folder says of itself while its weights are still unread."""

    name: str  # of the folder
    architecture: str  # of the family that reads it
    capabilities: frozenset[str] = frozenset()  # what that family offers
    languages: tuple[str, ...] = ()  # of source and target; empty where the card names none
    title: str = ""  # for people; the name where there is none
    # the same in other languages, by their codes
    titles: dict[str, str] = field(default_factory=dict, hash=False)
    year: int | None = None  # of the paper that the architecture is of, where the card says it
    of_lineage: bool = False  # it was trained to be held against the others of the lineage

    @property
    def searches(self) -> bool:
        """Whether it searches for what it writes."""
        return "search" in self.capabilities

    def told(self, language: str) -> str:
        """The title in a language, or else as the card has it."""
        return self.titles.get(language) or self.title


def fingerprint_of(*parts: bytes | dict[str, Any]) -> str:
    """Twelve hexadecimal digits that identify the given bytes and JSON-able dicts."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode()
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.hexdigest()[:12]


def number_in(entry: Any, name: str) -> float | None:
    """A number that an entry of a card holds; None where it is none, or not finite."""
    value = entry.get(name)
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def head_facts(entry: Mapping[str, Any], small: float) -> dict[str, Any]:
    """What the evaluation found of a head: how much more weight it gives the antecedent, over all
    pairs and over either half of them; "little" is less than half of what is `small`."""
    margin, *halves = (number_in(entry, name) for name in ("margin", "first", "second"))
    little = margin is not None and margin < small / 2
    measured, pairs = margin is not None and None not in halves, entry.get("n_pairs")
    first, second = halves if measured else ("", "")
    return {
        "found": "nothing" if margin is None else "little" if little else "best",
        "pairs": pairs if isinstance(pairs, int) else 0,
        "margin": "" if margin is None else margin,
        "halves": "told" if measured else "untold",
        "first": first,
        "second": second,
    }
