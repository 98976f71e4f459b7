"""Card of a checkpoint: its identity, origin, scores and measurements."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from words import Message

from .measurements import LANGUAGE, ROLES
from .roles import HeadRoles
from .storage import Kind, Stored, read_stored
from .text_language import LanguageCheck


@dataclass(frozen=True)
class CheckpointCard:
    """Identity, origin and scores of a checkpoint.

    `scores` and `heads` come from ``python -m evaluation scores``; `heads` names the heads that
    link "it" to its antecedent. `guided` is the attention head that was *trained* to do so, None
    for a free model. `fingerprint` identifies weights, config and tokenizer. `examples` are texts
    to begin with if those of the app do not fit the model. `words` holds title, description and
    licence in other languages, by code. `lineage` names the paper of the architecture and its year,
    ``{"year": 2014, "paper": "Cho et al. 2014"}``, for a model of the comparison of architectures.
    `at` is the name or path that opens it again, `format` the file format it was converted from (""
    for one of our own). `doubts` are warnings about its files. `folder` holds the files of its
    measurements, None if it has none.
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
    folder: Path | None = None
    # A cache in a frozen class: what the card says does not change.
    _measured: dict[Kind, Stored] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def measured(self, measurement: Kind) -> Stored:
        """Return the stored measurement of one kind, or the reason why there is none.

        A file is read when it is first needed: those of one model together took up to 83 ms, and a
        page needs one or two.
        """
        if self.folder is None:
            return Stored(measurement, self.name)
        if measurement not in self._measured:
            self._measured[measurement] = read_stored(measurement, self.folder, self.fingerprint)
        return self._measured[measurement]

    @property
    def language_check(self) -> LanguageCheck | None:
        """Check that a text is in the language the model reads, or None if it was not measured."""
        stored = self.measured(LANGUAGE).part
        return stored.check if stored else None

    @property
    def roles(self) -> HeadRoles | None:
        """Measured roles of the heads, or None."""
        return self.measured(ROLES).part

    def text_in(self, name: str, language: str) -> str:
        """Return `title`, `description` or `licence` in a language, else as the card has it.

        >>> card = CheckpointCard("en-de", "transformer", ("en", "de"), 1, {}, "", title="one",
        ...                       words={"ko": {"title": "하나"}})
        >>> card.text_in("title", "ko"), card.text_in("title", "fr"), card.text_in("licence", "ko")
        ('하나', 'one', '')
        """
        return self.words.get(language, {}).get(name) or getattr(self, name)


@dataclass(frozen=True)
class Outline:
    """Facts of a checkpoint's folder that are known before its weights are read."""

    name: str  # of the folder
    architecture: str  # of the family that reads it
    capabilities: frozenset[str] = frozenset()  # what that family offers
    languages: tuple[str, ...] = ()  # source and target; empty if the card names none
    title: str = ""  # displayed title; the name if there is none
    # the same in other languages, by their codes
    titles: dict[str, str] = field(default_factory=dict, hash=False)
    year: int | None = None  # year of the architecture's paper, if the card names it
    of_lineage: bool = False  # True for a model of the comparison of architectures

    @property
    def searches(self) -> bool:
        """True if the model searches for its output."""
        return "search" in self.capabilities

    def title_in(self, language: str) -> str:
        """Return the title in a language, else as the card has it."""
        return self.titles.get(language) or self.title


def fingerprint_of(*parts: bytes | dict[str, Any]) -> str:
    """Return twelve hexadecimal digits that identify the given bytes and JSON-able dicts."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode()
        # With lengths before them, ("ab", "c") and ("a", "bc") differ.
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.hexdigest()[:12]


def number_in(entry: Any, name: str) -> float | None:
    """Return a number of a card's entry; None if it is missing, no number, or not finite."""
    value = entry.get(name)
    # A bool is an int to Python.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer beyond the largest float
        return None
    return number if math.isfinite(number) else None


def head_facts(entry: Mapping[str, Any], small: float) -> dict[str, Any]:
    """Return the facts of a head's evaluation for a sentence.

    `margin` is the extra weight on the antecedent over all pairs, `first` and `second` that over
    either half. `found` is "little" for a margin below half of `small`.
    """
    margin, *halves = (number_in(entry, name) for name in ("margin", "first", "second"))
    little = margin is not None and margin < small / 2
    measured = margin is not None and None not in halves
    pairs = entry.get("n_pairs")
    first, second = halves if measured else ("", "")
    return {
        "found": "nothing" if margin is None else "little" if little else "best",
        "pairs": pairs if isinstance(pairs, int) else 0,
        "margin": "" if margin is None else margin,
        "halves": "told" if measured else "untold",
        "first": first,
        "second": second,
    }
