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
    """Sentences of one range of the measure, and how well they were translated.

    Attributes
    ----------
    name : one of `BANDS`.
    below : the mean log p under which a sentence belongs here; None where there is no bound.
    chrf : mean chrF of these sentences, 0 to 100.
    good : share of them at chrF 50 or more.
    sentences : how many were measured.
    """

    name: str
    below: float | None
    chrf: float
    good: float
    sentences: int


@dataclass(frozen=True)
class Profile:
    """How a language is written: its frequent words, and which letter follows which.

    Attributes
    ----------
    code : of the language, as "en".
    alphabet : the symbols that are usual in it, first the space between words.
    spelling : for each symbol a string of one hexadecimal digit a symbol, in the alphabet's order:
        the bits it takes to say that this one comes next.
    words : share of each frequent word among all words, in 100,000ths.
    """

    code: str
    alphabet: str
    spelling: tuple[str, ...]
    words: Mapping[str, int]


@dataclass(frozen=True)
class LanguageCheck:
    """Profiles of languages, and the limits beyond which a text is not taken for the first.

    Attributes
    ----------
    profiles : of the language that the model reads, then of others.
    bits_per_letter : what a letter of the model's language takes by its own profile.
    most_excess : bits a letter more than that, shrunk towards none for short texts.
    most_behind : bits by which another language may be the better guess.
    """

    profiles: tuple[Profile, ...]
    bits_per_letter: float
    most_excess: float
    most_behind: float


@dataclass(frozen=True)
class Confidence:
    """What ``python -m training confidence`` measured, see `training.confidence`.

    Attributes
    ----------
    bands : of the mean log p a token, lowest first.
    auc : share of pairs of a good and a bad translation in which the good one has the higher
        mean log p; None where all were good or all bad.
    check : None where a text of the source says nothing of its language.
    command : what measured it.
    auc_bounds : where 95 % of the AUCs of drawn sentences lie; None where that was not measured.
    auc_within : the AUC of pairs out of the same set alone; None likewise.
    good_by_set : of sentences in the highest band the least and the largest share at chrF 50 or
        more of a set, of those with `FEWEST` sentences there; None likewise.
    """

    bands: tuple[Band, ...]
    auc: float | None
    check: LanguageCheck | None
    command: str
    auc_bounds: tuple[float, float] | None = None
    auc_within: float | None = None
    good_by_set: tuple[float, float] | None = None

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Confidence:
        """Read what `confidence.json` holds; entries beside these are for people.

        Raises
        ------
        ValueError : an entry is missing or not what it should be; the message names it.
        """
        try:
            bands = tuple(
                Band(
                    str(band["name"]),
                    None if band["below"] is None else float(band["below"]),
                    float(band["chrf"]),
                    float(band["good"]),
                    int(band["sentences"]),
                )
                for band in values["bands"]
            )
            check = values["language"] and _check_of(values["language"])
            auc = None if values["auc"] is None else float(values["auc"])
            found = cls(bands, auc, check, str(values["command"]), **_beyond(values))
        except KeyError as error:
            raise ValueError(f"{error} is missing") from error
        except TypeError as error:
            raise ValueError(str(error)) from error
        bounds = [band.below for band in bands]
        inner = [bound for bound in bounds[:-1] if bound is not None]
        if not bands or bounds[-1] is not None or len(inner) != len(bounds) - 1:
            raise ValueError("every band but the last needs 'below'")
        if not {band.name for band in bands} <= set(BANDS):
            raise ValueError(f"a band is called otherwise than {', '.join(BANDS)}")
        if inner != sorted(inner):
            raise ValueError("the bands are not in order")
        return found


def _beyond(values: Mapping[str, Any]) -> dict[str, Any]:
    """What older measurements lack."""
    if values.get("auc_within") is None or values.get("auc_low") is None:
        return {}
    sure = dict(values["sure"]).values()
    good = [float(each["good"]) for each in sure if int(each["sentences"]) >= FEWEST]
    return {
        "auc_bounds": (float(values["auc_low"]), float(values["auc_high"])),
        "auc_within": float(values["auc_within"]),
        "good_by_set": (min(good), max(good)) if good else None,
    }


def _check_of(values: Mapping[str, Any]) -> LanguageCheck:
    profiles = tuple(
        Profile(
            str(each["code"]),
            str(each["alphabet"]),
            tuple(map(str, each["spelling"])),
            {str(word): int(share) for word, share in dict(each["words"]).items()},
        )
        for each in values["profiles"]
    )
    for profile in profiles:
        size = len(profile.alphabet)
        if [len(row) for row in profile.spelling] != [size] * size or profile.alphabet[:1] != " ":
            raise ValueError(f"the spelling of {profile.code!r} does not fit its alphabet")
        for row in profile.spelling:
            int(row, 16)
        if min((0, *profile.words.values())) < 0 or sum(profile.words.values()) > 100_000:
            raise ValueError(f"the words of {profile.code!r} are more than all words")
    if not profiles:
        raise ValueError("'profiles' is empty")
    limits = (float(values[name]) for name in ("bits_per_letter", "most_excess", "most_behind"))
    return LanguageCheck(profiles, *limits)
