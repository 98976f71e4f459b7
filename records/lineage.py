"""What was measured of the systems that led to the Transformer, all alike."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, structs

from .stored import (
    AtLeastOne,
    Command,
    Count,
    Interval,
    Made,
    NotNegative,
    Part,
    Share,
    ShareInterval,
)


class Group(Interval, rename={"at": "words", "texts": "sentences"}):
    """A point of a curve over the length of a text."""

    at: NotNegative  # mean words of the sources
    group: Count  # number of captions that were joined, or the number of a bucket
    texts: AtLeastOne  # how many texts the point is of


class Stretch(Interval, rename={"at": "to", "group": "from"}):
    """A point of a curve over the places in a text."""

    at: Annotated[float, Meta(ge=0, multiple_of=1)]  # the last token of the stretch
    group: Count  # the first token
    texts: AtLeastOne


class Lengths(Part):
    """BLEU by words of a caption, and by how many captions were joined."""

    captions: tuple[Group, ...]
    joined: tuple[Group, ...]


class ByMap(ShareInterval):
    layer: Count
    head: Count


class Pointing(Part):
    """Shares of linked target words at which the right source word has most."""

    links: Count
    uniform: Share  # what uniform attention would give
    left_out: ShareInterval  # by the word that is missed most when it is not read
    map: ByMap | None  # by a map, chosen on other sentences; None without attention


class Trained(Part):
    steps: Count
    seconds: NotNegative
    tokens_per_second: NotNegative  # of the target
    hardware: str


class Speed(Part):
    """Sentences a second of processor time."""

    greedy: NotNegative
    beam: NotNegative


class MeasuredSystem(Part):
    """One system of the lineage."""

    title: str
    checkpoint: str  # name of the folder that its weights are exported to
    family: str
    year: int
    paper: str
    command: Command
    parameters: AtLeastOne
    operations: Count  # a target token, of matrix products
    training: Trained
    perplexity: dict[str, Interval]
    bleu: dict[str, Interval]
    lengths: Lengths
    places: tuple[Stretch, ...]  # mean log p a token by its place in a joined text
    pointing: Pointing
    speed: Speed
    name: str = ""  # of its variant in the config, by which the file has it


class BleuAndPerplexity(Part):
    """Of our system the BLEU minus the other's, and the perplexity divided by the other's."""

    bleu: Interval
    perplexity: Interval


Sign = Literal["same", "opposite", "open"] | None
"""Whether ours is on the same side as what was published: "open" where our interval holds no
difference too, None where the paper has none or only comes near."""
Setting = str | int | float | bool


class Signs(Part):
    bleu: Sign
    perplexity: Sign


class PublishedGain(Part):
    """What a paper prints without and with a step."""

    source: str
    rows: tuple[str, str]  # what the paper calls the two systems
    bleu: tuple[float, float] | None
    perplexity: tuple[float, float] | None
    more: bool  # the second perplexity is printed as more than this
    near: bool  # it only comes near our comparison: it varies something else, or in other systems
    sign: Signs


class MeasuredGain(Part):
    """What one step of the lineage adds: the system `ours` against `others`."""

    id: str
    ours: str
    others: str
    differs: dict[str, tuple[Setting, Setting]]  # by what they differ in, what it is in either
    sets: dict[str, BleuAndPerplexity]
    published: tuple[PublishedGain, ...]


class JoinedTexts(Part):
    seen: Count  # largest number of captions that training joined


class HowCompared(Part):
    joined: JoinedTexts


class MeasuredLineage(Made, kw_only=True):
    """What ``python -m training lineage`` measured, see `training.lineage`."""

    settings: HowCompared
    seed: NotNegative  # BLEU by which another seed changed a training, where one was tried
    systems: Annotated[dict[str, MeasuredSystem], Meta(min_length=1)]
    gains: tuple[MeasuredGain, ...]

    def __post_init__(self) -> None:
        named = {name for gain in self.gains for name in (gain.ours, gain.others)}
        if unknown := sorted(named - self.systems.keys()):
            raise ValueError(f"Expected gains of systems that are there, got {unknown[0]}")
        for name, system in self.systems.items():
            self.systems[name] = structs.replace(system, name=name)


def beyond_a_seed(bleu: float, seed: float) -> bool:
    """Whether a difference is larger than what another seed changed, which is known to a tenth."""
    return round(abs(bleu), 1) > seed
