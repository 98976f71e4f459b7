"""Gain of each step of the lineage: two systems, their differences, and the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from torch import nn

from core.bootstrap import bleu, compared, perplexity
from core.storage import Part, Percent, Perplexity
from model.families.base import sites_of
from model.io.config_files import config_from_dict
from training.card import CONFIGS
from training.files import interval_values, read_as
from training.loop import learning_rate
from training.settings import RunConfig, family_of, read_config, variant_of

Traits = dict[str, Any]
SETS = ("captions", "joined")
CONFIG = CONFIGS / "lineage.json"
OTHER_SEED = 1.7
"""Largest difference of BLEU on a set between two seeds of the same training.

Measured once: "all of it" and "again" among the practices of docs/ko-en.md. Every system here was
trained once, so a smaller gain may be chance.
"""


class Published(Part, kw_only=True):
    """Figures that a paper prints of two of its systems, without and with a step.

    `rows`: the paper's names of the two systems. `others`, `ours`: their traits as far as the
    design is concerned (`evaluation.lineage_gains`). `more`: the second perplexity is printed as
    "more than" this.
    """

    source: str
    rows: tuple[str, str]
    others: Traits
    ours: Traits
    bleu: tuple[Percent, Percent] | None = None
    perplexity: tuple[Perplexity, Perplexity] | None = None
    more: bool = False

    def is_near(self, ours: Traits, others: Traits) -> bool:
        """Return True if the paper's comparison only resembles that of our two systems.

        It then varies something else, or the same in other systems.
        """
        pairs = ((self.ours, ours), (self.others, others))
        alike = all(
            our_system[name] == value
            for paper_system, our_system in pairs
            for name, value in paper_system.items()
        )
        return not alike or differences(self.ours, self.others) != differences(ours, others)


class Gain(Part):
    """A step of the lineage: system `ours` against `others`; `id` selects its words on the page."""

    id: str
    ours: str
    others: str
    published: tuple[Published, ...] = ()


class LineageConfig(RunConfig, kw_only=True):
    """Config of the lineage, with the gains between its variants."""

    gains: tuple[Gain, ...]


# Read on import, so that a faulty config stops the command before it measures for hours.
GAINS = read_as(CONFIG, LineageConfig).gains


@cache
def traits(variant: str) -> Traits:
    """Return the traits of a variant of the lineage's config."""
    return traits_of(variant_of(read_config(CONFIG), variant))


def gains(measured: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return an entry for each step of which both systems are `measured`, in the order of `GAINS`.

    `measured`: by system its stored parts. Each set has ``bleu``, ours minus the others', and
    ``perplexity``, ours divided by theirs, with paired bootstrap intervals, and the entries of
    `described`.
    """
    return [
        described(gain, _sets(measured[gain.ours], measured[gain.others]))
        for gain in GAINS
        if gain.ours in measured and gain.others in measured
    ]


def described_again(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return stored entries of `gains` with new descriptions; measured numbers stay."""
    sets = {entry["id"]: entry["sets"] for entry in entries}
    return [described(gain, sets[gain.id]) for gain in GAINS if gain.id in sets]


def _sets(ours: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    sets = {}
    for name in SETS:
        our_counts, their_counts = (
            np.array(parts[f"bleu {name}"]["rows"]) for parts in (ours, others)
        )
        our_log_probs, their_log_probs = (
            np.array(parts["probabilities"]["rows"][name]) for parts in (ours, others)
        )
        ratio = compared(our_log_probs, their_log_probs, perplexity, np.divide)
        sets[name] = {
            "bleu": interval_values(compared(our_counts, their_counts, bleu), 2),
            # A ratio, since perplexities are exponentials: 1 means no difference.
            "perplexity": interval_values(ratio),
        }
    return sets


def described(gain: Gain, sets: dict[str, Any]) -> dict[str, Any]:
    """Return a gain with its differences and the figures of papers.

    ``differs``: by trait the values in ours and in the other system. ``published``: figures, each
    with the ``sign`` of ours: "same", "opposite", "open" if the interval includes no difference, or
    None if the paper has none or is only ``near``.
    """
    ours = traits(gain.ours)
    others = traits(gain.others)
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
    """Return if ours lies on the paper's side of `nothing`, as a word; None without a comparison.

    >>> sign((25.9, 30.6), {"low": 0.4, "high": 2.1}, 0.0)
    'same'
    """
    if published is None or published[0] == published[1]:
        return None
    if ours["low"] <= nothing <= ours["high"]:
        return "open"
    rises = published[1] > published[0]
    return "same" if rises == (ours["low"] > nothing) else "opposite"


_PIECES = 8  # any small number: no trait depends on the vocabulary


def traits_of(settings: Mapping[str, Any]) -> Traits:
    """Return the traits in which two systems can differ, None if one has no meaning for a system.

    ``attention``, its ``score``, number of ``heads`` and ``feeding`` (Luong et al. 2015, section
    3.3); ``cell``, ``layers`` and ``hidden`` units of the encoder, the number of ``directions`` in
    which it reads, and its ``order`` if there is one direction; ``width`` of the embedding;
    ``steps`` and peak ``rate`` of the training.
    """
    settings = dict(settings)
    family = family_of(settings)
    # The built model is asked, not the config: families name the same thing differently.
    values = dict.fromkeys(family.vocabularies.values(), _PIECES) | settings["model"]
    config = config_from_dict(family.config, values, name="model")
    model = family.build(config)
    # In a recurrent family the first recurrent layer is the encoder's.
    read_by = next((part for part in model.modules() if isinstance(part, nn.RNNBase)), None)
    attends = family.paper.attention if family.paper else "none"
    attention = getattr(config, "attention", attends)
    sites = sites_of(model)
    convolutional = hasattr(config, "kernel")
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
    """Return the highest learning rate of a training, to two digits."""
    # By trying every step: multipliers at rate points may move the peak of the warm-up.
    steps = range(1, training["max_steps"] + 1)
    rates = (learning_rate(step, d_model, training) for step in steps)
    return float(f"{max(rates):.2g}")


def differences(ours: Traits, others: Traits) -> dict[str, list[Any]]:
    """Return the traits that differ, ours first, except those without a meaning for one system."""
    return {
        name: [ours[name], others[name]]
        for name in ours
        if None not in (ours[name], others.get(name)) and ours[name] != others[name]
    }
