"""Files of measurements: each kind with its fields and ranges, and the command that makes it.

A topic with a module declares its fields there, all others are declared here. Unknown fields are
allowed. `core.storage.read_stored` validates a file against its kind.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import Annotated, Literal

from msgspec import Meta, field

from .cost import Costs
from .explain import Explain
from .gaze import Gaze
from .gold import Aligning
from .lineage import MeasuredLineage
from .pruning import Pruning
from .records.search import Search
from .roles import HeadRoles
from .storage import (
    AtLeastOne,
    Command,
    Correlation,
    Count,
    Interval,
    Kind,
    LogProb,
    MeasuredFile,
    NotNegative,
    Part,
    Percent,
    Perplexity,
    Share,
    ShareInterval,
)
from .text_language import TextLanguage

# -- interventions.json --------------------------------------------------------------------


class Flips(Part):
    """Pronouns that an intervention changed, and how many became right."""

    n: Count
    flips: Count
    right: Count
    share: Share | None
    low: Share | None
    high: Share | None
    share_right: Share | None
    log_odds_change: float | None = None
    other_gender: Count | None = None


class Hidden(Part):
    """Flips by hiding one word from one site, over all sentences and either half."""

    where: str  # one of `evaluation.pronoun.WHERES`
    word: str  # one of `evaluation.pronoun.WORDS`
    all: Flips
    first: Flips
    second: Flips


class Place(Part):
    """Layer and head."""

    layer: Count
    head: Count


class Plain(Part):
    """Pronouns of the unchanged model."""

    sentences: Count = 0
    right: Count = 0
    followed: Count = 0  # whose output has one form of the pronoun, so that flips can be counted


class Pronoun(Part):
    """Interventions on the antecedent of a pronoun."""

    plain: Plain
    heads: dict[str, Place | None]  # by site, and "guided"
    forced: list[Hidden]  # the output before the pronoun is kept
    searched: list[Hidden]  # the whole output is written anew


class HowSearched(Part):
    """Settings of the search."""

    beam_size: AtLeastOne


class ControlWord(Part):
    """Settings of the control word."""

    control: str


class HowIntervened(Part):
    """Settings of the interventions."""

    decoding: HowSearched
    pronoun: ControlWord


class HeadMeans(Part):
    """Mean outputs of heads, (L, H, d_k) for each site."""

    encoder: list[list[list[float]]] = field(default_factory=list)
    decoder: list[list[list[float]]] = field(default_factory=list)
    cross: list[list[list[float]]] = field(default_factory=list)


class Interventions(MeasuredFile, kw_only=True):
    """Content of ``interventions.json``."""

    settings: HowIntervened
    head_means: HeadMeans
    pronoun: Pronoun
    explain: Explain


# -- masked.json ---------------------------------------------------------------------------


class Guessed(ShareInterval):
    """Share of right guesses and perplexity."""

    perplexity: Perplexity


class GuessedSet(Part):
    """Guesses of a set, from both sides and from the left."""

    pieces: AtLeastOne
    both: Guessed
    left: Guessed


class Agreeing(ShareInterval):
    """Share of sentences in which the right verb form is likelier."""

    sentences: AtLeastOne


class AgreementSides(Part):
    """Agreement from both sides and from the left."""

    both: Agreeing
    left: Agreeing


class AgreementByNumber(AgreementSides):
    """Agreement by number of the subject."""

    singular: AgreementSides
    plural: AgreementSides


class AgreementKinds(Part):
    """Agreement by the words between subject and verb."""

    plain: AgreementByNumber
    same: AgreementByNumber
    other: AgreementByNumber
    preposition: AgreementByNumber
    phrases: AgreementByNumber
    clause: AgreementByNumber


class Riddle(Place):
    """Head that links "it" to its antecedent, and the margin to its weight on the other noun.

    `margin` is the mean over all sentences, `first` and `second` that over either half.
    """

    sentences: AtLeastOne
    margin: Correlation
    first: Correlation
    second: Correlation
    right: ShareInterval


class Masked(MeasuredFile, kw_only=True):
    """Content of ``masked.json``."""

    sets: dict[str, GuessedSet]
    agreement: AgreementKinds
    it: Riddle
    verbs: AgreementSides | None = None


# -- documents.json ------------------------------------------------------------------------


class Reweighted(Part):
    """Judgements with other weights."""

    same: ShareInterval
    distance: Interval
    accuracy: ShareInterval


class OtherMapSummary(Part):
    """Other weights that leave the judgement as it is, and their distance from the model's own."""

    divergence: Interval
    distance: Interval
    far: ShareInterval  # documents with such weights at a large divergence


class Correlated(Part):
    """Rank correlations of weights, drops and gradients."""

    drops: Interval  # weights with leave-one-out
    gradient: Interval  # weights with the gradient
    each_other: Interval  # leave-one-out with the gradient


class JudgedSet(Part):
    """Accuracy on a set, and tests of its attention."""

    accuracy: ShareInterval
    documents: AtLeastOne
    weights: dict[str, Reweighted] = field(default_factory=dict)
    other: dict[str, OtherMapSummary] = field(default_factory=dict)
    correlation: dict[str, Correlated] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.correlation.keys() <= self.other.keys():
            raise ValueError("Expected adversarial attention for every level with a correlation")


class Folds(Part):
    """Accuracy of a cross-validation."""

    accuracy: ShareInterval
    documents: AtLeastOne
    folds: AtLeastOne


class PointingShares(Part):
    """Shares of documents whose largest value lies at the right sentence or word."""

    sentence: ShareInterval
    word: ShareInterval
    word_there: ShareInterval | None  # the word, within the right sentence alone


class PointedBy(Part):
    """Shares by method, and by chance."""

    attention: PointingShares
    drops: PointingShares
    gradient: PointingShares
    chance: PointingShares


class JudgingSystem(Part):
    """One model of documents."""

    polarity: JudgedSet
    reviews: JudgedSet
    fingerprint: str = ""
    pointing: PointedBy | None = None
    folds: Folds | None = None


class Differences(Part):
    """Differences of accuracy between two models."""

    polarity: Interval
    reviews: Interval


class Documents(MeasuredFile, kw_only=True):
    """Content of ``documents.json``."""

    systems: dict[str, JudgingSystem]
    differences: dict[str, Differences]


# -- formation_knockout.json, runs.json ---------------------------------------


class AtPronoun(Part):
    """Curves of the pronoun at recorded steps, each list one entry a step."""

    sentences: AtLeastOne
    log_prob: list[LogProb]  # of the right form
    noun_hidden: list[float]  # change of it if the antecedent is hidden
    other_hidden: list[float]  # change of it if the other noun is hidden
    changes: dict[str, list[list[list[float]]]]  # by site (S, L, H), as in `KnockOuts`


class KnockOuts(MeasuredFile, kw_only=True):
    """Content of ``formation_knockout.json``: ablations at recorded steps of a training."""

    steps: Annotated[list[Count], Meta(min_length=1)]
    # by site (S, L, H): change of log p per token without each head
    changes: Annotated[dict[str, list[list[list[float]]]], Meta(min_length=1)]
    run: Command = ""
    pronoun: AtPronoun | None = None

    def __post_init__(self) -> None:
        pronoun = self.pronoun
        curves: list[Sized] = [*self.changes.values()]
        if pronoun is not None:
            curves += [pronoun.log_prob, pronoun.noun_hidden, pronoun.other_hidden]
            curves += pronoun.changes.values()
        if {len(curve) for curve in curves} != {len(self.steps)}:
            raise ValueError(f"Expected {len(self.steps)} entries per line, one for each step")


class Bins(Part):
    """Bins of `core.calibration`."""

    count: list[Count]
    confidence: list[Share]
    accuracy: list[Share]


Curve = Annotated[list[tuple[Count, float]], Meta(min_length=1)]
"""Pairs of step and value."""


class Curves(Part):
    """Curves of a training."""

    loss: Curve
    val_loss: Curve
    lr: Curve
    gradient_norm: Curve


class SmallRun(Part):
    """Curves and scores of one small training."""

    curves: Curves
    bins: Bins
    perplexity: Perplexity
    accuracy: Share
    bleu: Percent
    calibration_error: Share


class SmallModel(Part):
    """Size of the small models."""

    d_model: AtLeastOne
    n_heads: AtLeastOne
    n_encoder_layers: AtLeastOne
    n_decoder_layers: AtLeastOne
    d_ff: AtLeastOne
    max_len: AtLeastOne


class SmallRuns(MeasuredFile, kw_only=True):
    """Content of ``runs.json``."""

    pieces: AtLeastOne
    pairs: AtLeastOne
    model: SmallModel
    runs: dict[str, SmallRun]


# -- share.json ----------------------------------------------------------------------------


class CorrelationInterval(Interval):
    """Correlation with its interval."""

    value: Correlation
    low: Correlation
    high: Correlation


class SourceShares(MeasuredFile, kw_only=True):
    """Content of ``share.json``."""

    set: str
    sentences: AtLeastOne
    tenths: Annotated[list[ShareInterval], Meta(min_length=10, max_length=10)]  # of the target
    # rank correlation with leave-one-out importance of ALTI+ and of the mean weight of all heads
    agreement: dict[Literal["alti", "weights"], CorrelationInterval]
    hidden_sentences: AtLeastOne


# -- proofs.json ---------------------------------------------------------------------------


class Proofs(MeasuredFile, kw_only=True):
    """Distances between two ways to the same number, by claim of `model.verify.claims`.

    None if one of the ways gives no number.
    """

    when: str  # the day, ISO 8601
    claims: dict[str, NotNegative | None]
    sentences: Count = 0  # sentences that were read; 0 if not known


_OF = "--checkpoint {name} --data DIR --write"
LANGUAGE = Kind("language.json", TextLanguage, f"python -m evaluation language {_OF}")
SEARCH = Kind("search.json", Search, f"python -m evaluation sweep {_OF}")
INTERVENTIONS = Kind("interventions.json", Interventions, f"python -m evaluation intervene {_OF}")
ROLES = Kind("roles.json", HeadRoles, f"python -m evaluation roles {_OF}")
SHARES = Kind("share.json", SourceShares, f"python -m evaluation share {_OF}")
GOLD = Kind("gold.json", Aligning, f"python -m evaluation align {_OF}")
PRUNING = Kind("pruning.json", Pruning, f"python -m evaluation pruning {_OF}")
GAZE = Kind("gaze.json", Gaze, "python -m evaluation captions --checkpoint {name} --write")
PROOFS = Kind("proofs.json", Proofs, "python -m evaluation proofs --checkpoint {name} --write")
MASKED = Kind("masked.json", Masked, "python -m evaluation masked --checkpoint {name} --write")
LINEAGE = Kind(
    "lineage.json",
    MeasuredLineage,
    "python -m evaluation lineage --runs runs/lineage --data data --write",
)
DOCUMENTS = Kind("documents.json", Documents, "python -m evaluation documents --data DIR --write")
KNOCK_OUTS = Kind(
    "formation_knockout.json",
    KnockOuts,
    "python -m evaluation knock-out-steps --run DIR --checkpoint checkpoints/{name}",
)
SMALL_RUNS = Kind("runs.json", SmallRuns, "python -m evaluation small-runs --write")
COSTS = Kind("layers.json", Costs, "python -m benchmarks.layers --write")
