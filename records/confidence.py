"""What was measured of how far a checkpoint's translations and sources may be trusted."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from .stored import Count, LogProb, Made, Part, Percent, Positive, Share

BANDS = ("low", "middle", "high")
FEWEST = 20
"""Sentences of a set from which on a share of them is told."""


class Band(Part):
    """Sentences of one range of the measure, and how well they were translated."""

    name: Literal[BANDS]  # type: ignore[valid-type]
    below: LogProb | None  # the mean log p under which a sentence belongs here; None without bound
    chrf: Percent  # mean chrF of these sentences
    good: Share  # of them at chrF 50 or more
    sentences: Count


class Profile(Part):
    """How a language is written: its frequent words, and which letter follows which."""

    code: str  # of the language, as "en"
    # the symbols that are usual in it, first the space between words
    alphabet: Annotated[str, Meta(pattern="^ ")]
    # for each symbol a string of one hexadecimal digit a symbol, in the alphabet's order: the bits
    # it takes to say that this one comes next
    spelling: tuple[Annotated[str, Meta(pattern="^[0-9a-f]+$")], ...]
    words: dict[str, Count]  # share of each frequent word among all words, in 100,000ths

    def __post_init__(self) -> None:
        size = len(self.alphabet)
        if [len(row) for row in self.spelling] != [size] * size:
            raise ValueError(f"Expected {size} digits a row and {size} rows, as in the alphabet")
        if sum(self.words.values()) > 100_000:
            raise ValueError("Expected words that are no more than 100,000 100,000ths")


class LanguageCheck(Part):
    """Profiles of languages, and the limits beyond which a text is not taken for the first."""

    # of the language that the model reads, then of others
    profiles: Annotated[tuple[Profile, ...], Meta(min_length=1)]
    bits_per_letter: Positive  # what a letter of the model's language takes by its own profile
    most_excess: float  # bits a letter more than that, shrunk towards none for short texts
    most_behind: float  # bits by which another language may be the better guess


class Sure(Part):
    good: Share
    sentences: Count


class Confidence(Made, kw_only=True, rename={"check": "language"}):
    """What ``python -m training confidence`` measured, see `training.confidence`.

    Older measurements lack what has a default.
    """

    # of the mean log p a token, lowest first
    bands: Annotated[tuple[Band, ...], Meta(min_length=1)]
    # share of pairs of a good and a bad translation in which the good one has the higher mean log
    # p; None where all were good or all bad
    auc: Share | None
    check: LanguageCheck | None  # None where a text of the source says nothing of its language
    auc_low: Share | None = None  # auc_low, auc_high: between them 95 % of those of drawn sentences
    auc_high: Share | None = None
    auc_within: Share | None = None  # the AUC of pairs out of the same set alone
    sure: dict[str, Sure] = field(default_factory=dict)  # by set its sentences in the highest band

    def __post_init__(self) -> None:
        bounds = [band.below for band in self.bands]
        inner = [bound for bound in bounds[:-1] if bound is not None]
        if bounds[-1] is not None or len(inner) != len(bounds) - 1 or inner != sorted(inner):
            raise ValueError("Expected bands in order, each but the last with 'below'")

    @property
    def good_by_set(self) -> tuple[float, float] | None:
        """The least and the largest share of `sure`, of sets with `FEWEST` sentences there."""
        good = [each.good for each in self.sure.values() if each.sentences >= FEWEST]
        return (min(good), max(good)) if good else None
