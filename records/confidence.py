"""What was measured of how far a checkpoint's translations and sources may be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

BANDS = ("low", "middle", "high")
FEWEST = 20
"""Sentences of a set from which on a share of them is told."""


@dataclass(frozen=True)
class Band:
    """Sentences of one range of the measure, and how well they were translated."""

    name: str  # one of `BANDS`
    # the mean log p under which a sentence belongs here; None where there is no bound
    below: float | None
    chrf: float  # mean chrF of these sentences, 0 to 100
    good: float  # share of them at chrF 50 or more
    sentences: int  # how many were measured


@dataclass(frozen=True)
class Profile:
    """How a language is written: its frequent words, and which letter follows which."""

    code: str  # of the language, as "en"
    alphabet: str  # the symbols that are usual in it, first the space between words
    # for each symbol a string of one hexadecimal digit a symbol, in the alphabet's order: the bits
    # it takes to say that this one comes next
    spelling: tuple[str, ...]
    words: Mapping[str, int]  # share of each frequent word among all words, in 100,000ths


@dataclass(frozen=True)
class LanguageCheck:
    """Profiles of languages, and the limits beyond which a text is not taken for the first."""

    profiles: tuple[Profile, ...]  # of the language that the model reads, then of others
    bits_per_letter: float  # what a letter of the model's language takes by its own profile
    most_excess: float  # bits a letter more than that, shrunk towards none for short texts
    most_behind: float  # bits by which another language may be the better guess


@dataclass(frozen=True)
class Confidence:
    """What ``python -m training confidence`` measured, see `training.confidence`."""

    bands: tuple[Band, ...]  # of the mean log p a token, lowest first
    # share of pairs of a good and a bad translation in which the good one has the higher mean log
    # p; None where all were good or all bad
    auc: float | None
    check: LanguageCheck | None  # None where a text of the source says nothing of its language
    command: str  # what measured it
    # where 95 % of the AUCs of drawn sentences lie; None where that was not measured
    auc_bounds: tuple[float, float] | None = None
    auc_within: float | None = None  # the AUC of pairs out of the same set alone; None likewise
    # of sentences in the highest band the least and the largest share at chrF 50 or more of a set,
    # of those with `FEWEST` sentences there; None likewise
    good_by_set: tuple[float, float] | None = None

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Confidence:
        """From what a sound `confidence.json` holds; entries beside these are for people."""
        bands = tuple(
            Band(band["name"], band["below"], band["chrf"], band["good"], band["sentences"])
            for band in values["bands"]
        )
        check = values["language"] and _check_of(values["language"])
        return cls(bands, values["auc"], check, values["command"], **_beyond(values))


def _beyond(values: Mapping[str, Any]) -> dict[str, Any]:
    """What older measurements lack."""
    if values.get("auc_within") is None or values.get("auc_low") is None:
        return {}
    sure = values.get("sure", {}).values()
    good = [each["good"] for each in sure if each["sentences"] >= FEWEST]
    return {
        "auc_bounds": (values["auc_low"], values["auc_high"]),
        "auc_within": values["auc_within"],
        "good_by_set": (min(good), max(good)) if good else None,
    }


def _check_of(values: Mapping[str, Any]) -> LanguageCheck:
    profiles = tuple(
        Profile(each["code"], each["alphabet"], tuple(each["spelling"]), each["words"])
        for each in values["profiles"]
    )
    limits = (values[name] for name in ("bits_per_letter", "most_excess", "most_behind"))
    return LanguageCheck(profiles, *limits)
