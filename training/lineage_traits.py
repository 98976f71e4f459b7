"""What the systems of the lineage are made of, read off their configs and their networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import nn

from analysis.schedule import rate_multiplier, warmup_learning_rate
from model.config import config_from_dict
from model.family import sites_of

from .families import family_of

Traits = dict[str, Any]
ATTENTION = {"transformer": "self", "additive-attention": "additive"}
"""By family, where its config does not name it; else "none"."""
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
    attention = getattr(config, "attention", ATTENTION.get(family.name, "none"))
    sites = sites_of(model)
    one_way = read_by is not None and not read_by.bidirectional
    backwards = getattr(config, "reverse_source", False)
    return {
        "attention": attention,
        "score": getattr(config, "score", None),
        "heads": max((site.n_heads for site in sites), default=None),
        "feeding": None if read_by is None else getattr(config, "input_feeding", False),
        "cell": "none" if read_by is None else read_by.mode,
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
