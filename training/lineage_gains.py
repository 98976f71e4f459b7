"""What each step of the lineage buys: two systems, what they differ in, and what its paper says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from torch import nn

from core.bootstrap import bleu, compared, perplexity
from core.schedule import rate_multiplier, warmup_learning_rate
from core.stored import Part, Percent, Perplexity
from model.config import config_from_dict
from model.family import sites_of

from .card import CONFIGS
from .families import family_of
from .settings import RunConfig, read_config, variant_of
from .storing import interval_values, read_as

Traits = dict[str, Any]
SETS = ("captions", "joined")
CONFIG = CONFIGS / "lineage.json"
OTHER_SEED = 1.7
"""BLEU by which the sets of the one training that was done with two seeds differ at most: "all of
it" and "again" among the practices of docs/ko-en.md. Every system here was trained once."""


class Published(Part, kw_only=True):
    """What a paper prints of two of its systems, without and with a step.

    `rows`: what the paper calls the two systems, without and with it. `others`, `ours`: their
    traits, as far as the design is concerned (`training.lineage_gains`). `more`: the second
    perplexity is printed as more than this.
    """

    source: str
    rows: tuple[str, str]
    others: Traits
    ours: Traits
    bleu: tuple[Percent, Percent] | None = None
    perplexity: tuple[Perplexity, Perplexity] | None = None
    more: bool = False

    def is_near(self, ours: Traits, others: Traits) -> bool:
        """Whether it only comes near the comparison of our two systems: it varies something else,
        or the same in other systems."""
        pairs = ((self.ours, ours), (self.others, others))
        alike = all(of[name] == value for known, of in pairs for name, value in known.items())
        return not alike or differences(self.ours, self.others) != differences(ours, others)


class Gain(Part):
    """`ours` less `others`; `id` names the step in the words of the page."""

    id: str
    ours: str
    others: str
    published: tuple[Published, ...] = ()


class LineageConfig(RunConfig, kw_only=True):
    gains: tuple[Gain, ...]


GAINS = read_as(CONFIG, LineageConfig).gains


@cache
def traits(variant: str) -> Traits:
    """What a variant of the lineage's config is made of."""
    return traits_of(variant_of(read_config(CONFIG), variant))


def gains(measured: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One entry for each step both of whose systems are `measured`, in the order of `GAINS`.

    `measured`: by system its stored parts. Of each set ``bleu``, ours minus the others', and
    ``perplexity``, ours divided by theirs, with paired bootstrap intervals, and what
    `described` says of the two.
    """
    return [
        described(gain, _sets(measured[gain.ours], measured[gain.others]))
        for gain in GAINS
        if gain.ours in measured and gain.others in measured
    ]


def described_again(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stored entries of `gains` as they are described now; what was measured stays."""
    sets = {entry["id"]: entry["sets"] for entry in entries}
    return [described(gain, sets[gain.id]) for gain in GAINS if gain.id in sets]


def _sets(ours: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    sets = {}
    for name in SETS:
        counts = (np.array(parts[f"bleu {name}"]["rows"]) for parts in (ours, others))
        log_probs = (np.array(parts["probabilities"]["rows"][name]) for parts in (ours, others))
        sets[name] = {
            "bleu": interval_values(compared(*counts, bleu), 2),
            "perplexity": interval_values(compared(*log_probs, perplexity, np.divide)),
        }
    return sets


def described(gain: Gain, sets: dict[str, Any]) -> dict[str, Any]:
    """A gain with what is to be known of it.

    ``differs``: by trait what it is in ours and in the other system. ``published`` figures,
    each with the ``sign`` of ours: "same", "opposite", "open" where the interval holds no
    difference too, or None where the paper has none or is ``near`` alone.
    """
    ours, others = traits(gain.ours), traits(gain.others)
    published = []
    for figures in gain.published:
        near = figures.is_near(ours, others)
        signs = {
            name: None if near else sign(getattr(figures, name), sets["captions"][name], nothing)
            for name, nothing in (("bleu", 0.0), ("perplexity", 1.0))
        }
        printed = ("source", "rows", "bleu", "perplexity", "more")
        entry = {name: getattr(figures, name) for name in printed}
        published.append(entry | {"near": near, "sign": signs})
    return {
        "id": gain.id,
        "ours": gain.ours,
        "others": gain.others,
        "differs": differences(ours, others),
        "sets": sets,
        "published": published,
    }


def sign(
    published: tuple[float, float] | None, ours: Mapping[str, float], nothing: float
) -> str | None:
    """Whether ours lies on the paper's side of `nothing`; None where there is none to compare.

    >>> sign((25.9, 30.6), {"low": 0.4, "high": 2.1}, 0.0)
    'same'
    """
    if published is None or published[0] == published[1]:
        return None
    if ours["low"] <= nothing <= ours["high"]:
        return "open"
    rises = published[1] > published[0]
    return "same" if rises == (ours["low"] > nothing) else "opposite"


_PIECES = 8  # nothing asked here hangs on the vocabulary


def traits_of(settings: Mapping[str, Any]) -> Traits:
    """What can differ between two systems, None where it has no meaning for one.

    ``attention``, its ``score``, number of ``heads`` and ``feeding`` (Luong et al. 2015, section
    3.3); ``cell``, ``layers`` and ``hidden`` units of the encoder, in how many ``directions`` it
    reads and in which ``order`` where that is one; ``width`` of the embedding; ``steps`` and peak
    ``rate`` of the training.
    """
    settings = dict(settings)
    family = family_of(settings)
    values = dict.fromkeys(family.vocabularies.values(), _PIECES) | settings["model"]
    config = config_from_dict(family.config, values, name="model")
    model = family.build(config)
    read_by = next((part for part in model.modules() if isinstance(part, nn.RNNBase)), None)
    attends = family.paper.attention if family.paper else "none"
    attention = getattr(config, "attention", attends)
    sites, convolutional = sites_of(model), hasattr(config, "kernel")
    one_way = read_by is not None and not read_by.bidirectional
    backwards = getattr(config, "reverse_source", False)
    return {
        "attention": attention,
        "score": getattr(config, "score", None),
        "heads": max((site.n_heads for site in sites), default=None),
        "feeding": None if read_by is None else getattr(config, "input_feeding", False),
        "cell": read_by.mode if read_by else "convolution" if convolutional else "none",
        "layers": config.n_encoder_layers if read_by is None else read_by.num_layers,
        "hidden": None if read_by is None else read_by.hidden_size,
        "directions": None if read_by is None else 1 + read_by.bidirectional,
        "order": ("backwards" if backwards else "forwards") if one_way else None,
        "width": config.d_model,
        "steps": settings["training"]["max_steps"],
        "rate": peak_rate(settings["training"], config.d_model),
    }


def peak_rate(training: Mapping[str, Any], d_model: int) -> float:
    """The highest rate of a training, to two digits."""
    rates = (
        warmup_learning_rate(step, d_model, training["warmup"], training["factor"])
        * rate_multiplier(step, training.get("rate_points", ()))
        for step in range(1, training["max_steps"] + 1)
    )
    return float(f"{max(rates):.2g}")


def differences(ours: Traits, others: Traits) -> dict[str, list[Any]]:
    """The traits that differ, ours first; what has no meaning for one of the two is left out."""
    return {
        name: [ours[name], others[name]]
        for name in ours
        if None not in (ours[name], others.get(name)) and ours[name] != others[name]
    }
