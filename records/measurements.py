"""What the files of measurements hold: every kind with its ranges, and the command that makes it.

Fields that are not named here may be there too. `records.stored.read_stored` holds a file against
its kind.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from .confidence import BANDS
from .costs import LAYERS, SCORES
from .stored import Kind

Share = Annotated[float, Meta(ge=0, le=1)]
Percent = Annotated[float, Meta(ge=0, le=100)]
Correlation = Annotated[float, Meta(ge=-1, le=1)]
LogProb = Annotated[float, Meta(le=0)]
Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
AtLeastOne = Annotated[int, Meta(ge=1)]
Command = Annotated[str, Meta(pattern="^[^`]*$")]


class Part(msgspec.Struct):
    """Fields by their names, others beside them."""


class Made(Part):
    """With what it was measured."""

    command: Command
    hardware: str = ""
    fingerprint: str = ""


class Interval(Part):
    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"Expected low to be at most high, got {self.low} and {self.high}")


class ShareInterval(Interval):
    value: Share
    low: Share
    high: Share


# -- confidence.json -----------------------------------------------------------------------


class Band(Part):
    name: Literal[BANDS]  # type: ignore[valid-type]
    below: LogProb | None
    chrf: Percent
    good: Share
    sentences: Count


class Profile(Part):
    code: str
    alphabet: Annotated[str, Meta(pattern="^ ")]
    spelling: list[Annotated[str, Meta(pattern="^[0-9a-f]+$")]]
    words: dict[str, Count]

    def __post_init__(self) -> None:
        size = len(self.alphabet)
        if [len(row) for row in self.spelling] != [size] * size:
            raise ValueError(f"Expected {size} digits a row and {size} rows, as in the alphabet")
        if sum(self.words.values()) > 100_000:
            raise ValueError("Expected words that are no more than 100,000 100,000ths")


class LanguageCheck(Part):
    profiles: Annotated[list[Profile], Meta(min_length=1)]
    bits_per_letter: Positive
    most_excess: float
    most_behind: float


class Sure(Part):
    good: Share
    sentences: Count


class Confidence(Made, kw_only=True):
    bands: Annotated[list[Band], Meta(min_length=1)]
    auc: Share | None
    language: LanguageCheck | None
    auc_low: Share | None = None
    auc_high: Share | None = None
    auc_within: Share | None = None
    sure: dict[str, Sure] = {}

    def __post_init__(self) -> None:
        bounds = [band.below for band in self.bands]
        inner = [bound for bound in bounds[:-1] if bound is not None]
        if bounds[-1] is not None or len(inner) != len(bounds) - 1 or inner != sorted(inner):
            raise ValueError("Expected bands in order, each but the last with 'below'")


# -- search.json ---------------------------------------------------------------------------


class Width(Part):
    beam_size: AtLeastOne
    bleu: Percent
    mean_log_prob: LogProb
    length_ratio: NotNegative
    seconds: NotNegative
    unfinished: Count
    sentences: AtLeastOne


class Verdicts(Part, rename={each: each.replace("_", " ") for each in (
    "search_error", "model_error", "length_penalty",
)}):  # fmt: skip
    same: Share
    search_error: Share
    model_error: Share
    length_penalty: Share
    void: Share


class Tally(Part):
    set: str
    beam_size: AtLeastOne
    sentences: AtLeastOne
    normalised: Verdicts
    plain: Verdicts


class Proven(Part):
    beam_size: AtLeastOne
    not_best: Count
    best: Count
    undecided: Count


class Exact(Part):
    set: str
    alpha: NotNegative
    sentences: AtLeastOne
    proven: Count
    widths: list[Proven]


class Errors(Part):
    tally: list[Tally]
    exact: list[Exact]


class Search(Made, kw_only=True):
    sweep: list[Width]
    errors: Errors


# -- interventions.json --------------------------------------------------------------------


class Flips(Part):
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
    where: str
    word: str
    all: Flips
    first: Flips
    second: Flips


class Place(Part):
    layer: Count
    head: Count


class Plain(Part):
    sentences: Count = 0
    right: Count = 0
    followed: Count = 0


class Pronoun(Part):
    plain: Plain
    heads: dict[str, Place | None]
    forced: list[Hidden]
    searched: list[Hidden]


class OverSentences(Part):
    mean: Correlation | None
    std: NotNegative | None
    n: Count


class OverHeads(Part):
    mean: list[list[Correlation | None]]
    std: list[list[NotNegative | None]]
    n: list[list[Count]]


class OverLayers(Part):
    mean: list[Correlation | None]
    std: list[NotNegative | None]
    n: list[Count]


class Explained(Part):
    against: Literal["both", "cross", "gradient"]
    method: Literal["spearman", "kendall"]
    gradient: OverSentences | None
    heads: OverHeads
    layers: OverLayers
    average: OverSentences
    permuted_heads: OverSentences
    permuted_average: OverSentences


class Explain(Part):
    sentences: Count = 0
    rows: list[Explained] = []


class HowSearched(Part):
    beam_size: AtLeastOne


class ControlWord(Part):
    control: str


class HowIntervened(Part):
    decoding: HowSearched
    pronoun: ControlWord


class HeadMeans(Part):
    encoder: list[list[list[float]]] = []
    decoder: list[list[list[float]]] = []
    cross: list[list[list[float]]] = []


class Interventions(Made, kw_only=True):
    settings: HowIntervened
    head_means: HeadMeans
    pronoun: Pronoun
    explain: Explain


# -- units.json ----------------------------------------------------------------------------


class Unit(Part):
    unit: Count
    share: Share
    places: list[tuple[str, str, str, float]]


class UnitLayers(Part):
    encoder: list[list[Unit]]
    decoder: list[list[Unit]]


class Units(Made, kw_only=True):
    layers: UnitLayers


# -- gaze.json -----------------------------------------------------------------------------


class Judged(Part):
    n: Count
    share: Share | None
    low: Share | None
    high: Share | None

    def __post_init__(self) -> None:
        if self.n and None in (self.share, self.low, self.high):
            raise ValueError("Expected a share with its bounds")


class Looked(Judged):
    mass: Share | None
    even: Share | None
    first: Share | None
    random: Share | None


class Truths(Part):
    caption: Judged
    thing: Judged
    noun: Judged
    colour: Judged
    size: Judged
    pattern: Judged
    relation: Judged


class Gazes(Part):
    all: Looked
    noun: Looked
    colour: Looked
    size: Looked
    pattern: Looked


class Bleu(Part):
    bleu: Percent


class Scenes(Part):
    scenes: AtLeastOne
    exact: Truths
    bleu: Bleu
    read: Gazes
    own: Gazes
    still: NotNegative
    movement: NotNegative | None
    cells: NotNegative | None


class Gaze(Made, kw_only=True):
    beam: AtLeastOne
    seen: Scenes
    held_out: Scenes


# -- masked.json ---------------------------------------------------------------------------


class Guessed(ShareInterval):
    perplexity: Annotated[float, Meta(ge=1)]


class GuessedSet(Part):
    pieces: AtLeastOne
    both: Guessed
    left: Guessed


class Agreeing(ShareInterval):
    sentences: AtLeastOne


class BothSides(Part):
    both: Agreeing
    left: Agreeing


class Agreement(BothSides):
    singular: BothSides
    plural: BothSides


class AgreementKinds(Part):
    plain: Agreement
    same: Agreement
    other: Agreement
    preposition: Agreement
    phrases: Agreement
    clause: Agreement


class Riddle(Place):
    sentences: AtLeastOne
    margin: Correlation
    first: Correlation
    second: Correlation
    right: ShareInterval


class Masked(Made, kw_only=True):
    sets: dict[str, GuessedSet]
    agreement: AgreementKinds
    it: Riddle
    verbs: BothSides | None = None


# -- documents.json ------------------------------------------------------------------------


class Reweighted(Part):
    same: ShareInterval
    distance: Interval
    accuracy: ShareInterval


class OtherMap(Part):
    divergence: Interval
    distance: Interval
    far: ShareInterval


class Correlated(Part):
    drops: Interval
    gradient: Interval
    each_other: Interval


class JudgedSet(Part):
    accuracy: ShareInterval
    documents: AtLeastOne
    weights: dict[str, Reweighted] = {}
    other: dict[str, OtherMap] = {}
    correlation: dict[str, Correlated] = {}

    def __post_init__(self) -> None:
        if not self.correlation.keys() <= self.other.keys():
            raise ValueError("Expected another map of every level with a correlation")


class Folds(Part):
    accuracy: ShareInterval
    documents: AtLeastOne
    folds: AtLeastOne


class Pointed(Part):
    sentence: ShareInterval
    word: ShareInterval
    word_there: ShareInterval | None


class PointedBy(Part):
    attention: Pointed
    drops: Pointed
    gradient: Pointed
    chance: Pointed


class JudgingSystem(Part):
    polarity: JudgedSet
    reviews: JudgedSet
    fingerprint: str = ""
    pointing: PointedBy | None = None
    folds: Folds | None = None


class Differences(Part):
    polarity: Interval
    reviews: Interval


class Documents(Made, kw_only=True):
    systems: dict[str, JudgingSystem]
    differences: dict[str, Differences]


# -- formation_knockout.json, runs.json, layers.json ---------------------------------------


class AtPronoun(Part):
    sentences: AtLeastOne
    log_prob: list[LogProb]
    noun_hidden: list[float]
    other_hidden: list[float]
    changes: dict[str, list[list[list[float]]]]


class KnockOuts(Made, kw_only=True):
    steps: Annotated[list[Count], Meta(min_length=1)]
    changes: Annotated[dict[str, list[list[list[float]]]], Meta(min_length=1)]
    run: Command = ""
    pronoun: AtPronoun | None = None

    def __post_init__(self) -> None:
        at = self.pronoun
        lines: list[Sized] = [*self.changes.values()]
        if at is not None:
            lines += [at.log_prob, at.noun_hidden, at.other_hidden, *at.changes.values()]
        if {len(line) for line in lines} != {len(self.steps)}:
            raise ValueError(f"Expected {len(self.steps)} entries a line, one for each step")


class Bins(Part):
    count: list[Count]
    confidence: list[Share]
    accuracy: list[Share]


Curve = Annotated[list[tuple[Count, float]], Meta(min_length=1)]


class Curves(Part):
    loss: Curve
    val_loss: Curve
    lr: Curve
    gradient_norm: Curve


class SmallRun(Part):
    curves: Curves
    bins: Bins
    perplexity: Annotated[float, Meta(ge=1)]
    accuracy: Share
    bleu: Percent
    calibration_error: Share


class SmallModel(Part):
    d_model: AtLeastOne
    n_heads: AtLeastOne
    n_encoder_layers: AtLeastOne
    n_decoder_layers: AtLeastOne
    d_ff: AtLeastOne
    max_len: AtLeastOne


class SmallRuns(Made, kw_only=True):
    pieces: AtLeastOne
    pairs: AtLeastOne
    model: SmallModel
    runs: dict[str, SmallRun]


LayerName = Literal[(*LAYERS, *SCORES)]  # type: ignore[valid-type]


class LayerCosts(Made, kw_only=True):
    width: AtLeastOne
    window: AtLeastOne
    rows: Annotated[
        list[tuple[LayerName, AtLeastOne, AtLeastOne, Positive, Positive, Count]],
        Meta(min_length=1),
    ]
    when: str = ""


# -- lineage.json --------------------------------------------------------------------------


class Scored(Part):
    captions: Interval
    everyday: Interval
    generated: Interval
    joined: Interval


class Group(Interval):
    words: NotNegative
    group: Count
    sentences: AtLeastOne


class Stretch(Interval, rename={"first": "from", "last": "to"}):
    first: Count
    last: Count
    texts: AtLeastOne


class Lengths(Part):
    captions: list[Group]
    joined: list[Group]


class ByMap(ShareInterval):
    layer: Count
    head: Count


class Pointing(Part):
    links: Count
    uniform: Share
    left_out: ShareInterval
    map: ByMap | None


class Trained(Part):
    steps: Count
    seconds: NotNegative
    tokens_per_second: NotNegative
    hardware: str


class Speed(Part):
    greedy: NotNegative
    beam: NotNegative


class System(Part):
    title: str
    checkpoint: str
    family: str
    year: int
    paper: str
    command: Command
    parameters: AtLeastOne
    operations: Count
    training: Trained
    perplexity: dict[str, Interval]
    bleu: dict[str, Interval]
    lengths: Lengths
    places: list[Stretch]
    pointing: Pointing
    speed: Speed


class BleuAndPerplexity(Part):
    bleu: Interval
    perplexity: Interval


Sign = Literal["same", "opposite", "open"] | None
Setting = str | int | float | bool


class Signs(Part):
    bleu: Sign
    perplexity: Sign


class Published(Part):
    source: str
    rows: tuple[str, str]
    bleu: tuple[float, float] | None
    perplexity: tuple[float, float] | None
    more: bool
    near: bool
    sign: Signs


class Gain(Part):
    id: str
    ours: str
    others: str
    differs: dict[str, tuple[Setting, Setting]]
    sets: dict[str, BleuAndPerplexity]
    published: list[Published]


class JoinedTexts(Part):
    seen: Count


class HowCompared(Part):
    joined: JoinedTexts


class Lineage(Made, kw_only=True):
    settings: HowCompared
    seed: NotNegative
    systems: Annotated[dict[str, System], Meta(min_length=1)]
    gains: list[Gain]

    def __post_init__(self) -> None:
        named = {name for gain in self.gains for name in (gain.ours, gain.others)}
        if unknown := sorted(named - self.systems.keys()):
            raise ValueError(f"Expected gains of systems that are there, got {unknown[0]}")


_OF = "--checkpoint {name} --data DIR --write"
CONFIDENCE = Kind("confidence.json", Confidence, f"python -m training confidence {_OF}")
SEARCH = Kind("search.json", Search, f"python -m training sweep {_OF}")
INTERVENTIONS = Kind("interventions.json", Interventions, f"python -m training intervene {_OF}")
UNITS = Kind("units.json", Units, f"python -m training units {_OF}")
GAZE = Kind("gaze.json", Gaze, "python -m training captions --checkpoint {name} --write")
MASKED = Kind("masked.json", Masked, "python -m training masked --checkpoint {name} --write")
LINEAGE = Kind(
    "lineage.json", Lineage, "python -m training lineage --runs runs/lineage --data data --write"
)
DOCUMENTS = Kind("documents.json", Documents, "python -m training documents --data DIR --write")
KNOCK_OUTS = Kind(
    "formation_knockout.json",
    KnockOuts,
    "python -m training knock-out-steps --run DIR --checkpoint checkpoints/{name}",
)
SMALL_RUNS = Kind("runs.json", SmallRuns, "python -m training small-runs --write")
COSTS = Kind("layers.json", LayerCosts, "python -m benchmarks.layers --write")
OF_WEIGHTS = (CONFIDENCE, SEARCH, INTERVENTIONS, UNITS)
"""What is measured of every model that writes text, and read with its card."""
