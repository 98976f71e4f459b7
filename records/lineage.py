"""What was measured of the systems that led to the Transformer, all alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measured:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Measured:
        """Read what measured files hold of a number: ``value``, ``low`` and ``high``."""
        return cls(float(values["value"]), float(values["low"]), float(values["high"]))

    def holds(self, value: float) -> bool:
        """Whether a value lies within the interval."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class CurvePoint:
    """A point of a curve over the length of a text, or over the places in it."""

    at: float  # mean words of the sources, or the last token of a stretch
    group: int  # number of captions that were joined, the number of a bucket, or the first token
    texts: int  # how many texts the point is of
    measured: Measured


@dataclass(frozen=True)
class Pointing:
    """Shares of linked target words at which the right source word has most."""

    links: int  # how many linked words
    uniform: float  # what uniform attention would give
    left_out: Measured  # by the word that is missed most when it is not read
    # layer and head of the map, chosen on other sentences; None without attention
    place: tuple[int, int] | None
    map: Measured | None  # by the weights of that map


@dataclass(frozen=True)
class MeasuredSystem:
    """One system of the lineage."""

    name: str  # of its variant in the config
    title: str
    checkpoint: str  # name of the folder that its weights are exported to
    family: str
    year: int
    paper: str
    command: str
    hardware: str
    parameters: int
    operations: int  # a target token, of matrix products
    steps: int  # of training
    seconds: float  # of training
    tokens_per_second: float  # of the target meanwhile
    # perplexity, bleu: by set: "captions", "everyday", "generated", "joined"
    perplexity: dict[str, Measured]
    bleu: dict[str, Measured]
    # captions, joined: BLEU by words of a caption, and by how many captions were joined
    captions: tuple[CurvePoint, ...]
    joined: tuple[CurvePoint, ...]
    places: tuple[CurvePoint, ...]  # mean log p a token by its place in a joined text
    pointing: Pointing
    greedy: float  # greedy, beam: sentences a second of processor time
    beam: float


@dataclass(frozen=True)
class PublishedGain:
    """What a paper prints without and with a step."""

    source: str
    rows: tuple[str, str]  # what the paper calls the two systems, without and with the step
    bleu: tuple[float, float] | None
    perplexity: tuple[float, float] | None
    more: bool  # the second perplexity is printed as more than this
    near: bool  # it only comes near our comparison: it varies something else, or in other systems
    # bleu_sign, perplexity_sign: whether ours is on the same side: "same", "opposite", "open" where
    # our interval holds no difference too, None where the paper has none or is `near`
    bleu_sign: str | None
    perplexity_sign: str | None


@dataclass(frozen=True)
class MeasuredGain:
    """What one step of the lineage adds: the system `ours` against `others`.

    `bleu` by set is ours minus theirs, `perplexity` ours divided by theirs; `differs` has, by what
    the two differ in, what it is in ours and in the other.
    """

    id: str
    ours: str
    others: str
    differs: dict[str, tuple[str | int | float | bool, str | int | float | bool]]
    bleu: dict[str, Measured]
    perplexity: dict[str, Measured]
    published: tuple[PublishedGain, ...]


def beyond_a_seed(bleu: float, seed: float) -> bool:
    """Whether a difference is larger than what another seed changed, which is known to a tenth."""
    return round(abs(bleu), 1) > seed


@dataclass(frozen=True)
class MeasuredLineage:
    """What ``python -m training lineage`` measured, see `training.lineage`.

    `seen` is the largest number of captions that training joined, `hardware` what the speeds were
    taken on, `seed` the BLEU by which another seed changed a training, where one was tried.
    """

    command: str
    hardware: str
    seen: int
    seed: float
    systems: dict[str, MeasuredSystem]
    gains: tuple[MeasuredGain, ...]

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> MeasuredLineage:
        """From what a sound ``lineage.json`` holds."""
        return cls(
            values["command"],
            values.get("hardware", ""),
            values["settings"]["joined"]["seen"],
            values["seed"],
            {name: _system(name, each) for name, each in values["systems"].items()},
            tuple(map(_gain, values["gains"])),
        )


def _by_set(values: Mapping[str, Any]) -> dict[str, Measured]:
    return {name: Measured.from_values(each) for name, each in values.items()}


def _system(name: str, values: Mapping[str, Any]) -> MeasuredSystem:
    training, lengths, pointing = values["training"], values["lengths"], values["pointing"]
    by_map = pointing["map"]
    told = ("title", "checkpoint", "family", "year", "paper", "command")
    return MeasuredSystem(
        name=name,
        **{each: values[each] for each in (*told, "parameters", "operations")},
        **{each: training[each] for each in ("hardware", "steps", "seconds", "tokens_per_second")},
        perplexity=_by_set(values["perplexity"]),
        bleu=_by_set(values["bleu"]),
        captions=_points(lengths["captions"], "words", "group", "sentences"),
        joined=_points(lengths["joined"], "words", "group", "sentences"),
        places=_points(values["places"], "to", "from", "texts"),
        pointing=Pointing(
            links=pointing["links"],
            uniform=pointing["uniform"],
            left_out=Measured.from_values(pointing["left_out"]),
            place=None if by_map is None else (by_map["layer"], by_map["head"]),
            map=None if by_map is None else Measured.from_values(by_map),
        ),
        greedy=values["speed"]["greedy"],
        beam=values["speed"]["beam"],
    )


def _points(values: Any, at: str, group: str, texts: str) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(float(each[at]), each[group], each[texts], Measured.from_values(each))
        for each in values
    )


def _gain(values: Mapping[str, Any]) -> MeasuredGain:
    sets = values["sets"]
    return MeasuredGain(
        values["id"],
        values["ours"],
        values["others"],
        {name: (ours, others) for name, (ours, others) in values["differs"].items()},
        _by_set({name: each["bleu"] for name, each in sets.items()}),
        _by_set({name: each["perplexity"] for name, each in sets.items()}),
        tuple(
            PublishedGain(
                each["source"],
                tuple(each["rows"]),
                _pair(each["bleu"]),
                _pair(each["perplexity"]),
                each["more"],
                each["near"],
                each["sign"]["bleu"],
                each["sign"]["perplexity"],
            )
            for each in values["published"]
        ),
    )


def _pair(values: Any) -> tuple[float, float] | None:
    return None if values is None else (float(values[0]), float(values[1]))
