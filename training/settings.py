"""Contents of a training config: sections, variants, and the family that it names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.storage import AtLeastOne, Count, NotNegative, Part, Positive, Share, entry
from model.errors import CheckpointError
from model.families.base import Family
from model.io.registry import families
from words import Message

from .corpora.text_pairs import CorpusError
from .files import read


class TextSet(Part):
    """One set of sentence pairs in a folder of the data."""

    folder: str
    repeats: Any = None
    reversed: bool = False
    source_only: bool = False
    tag: str = ""


class Data(Part):
    """Sets of a run; generated ones have further sections of their own."""

    sets: list[TextSet]
    share: Share = 1.0
    validation_limit: AtLeastOne = 1000


class Tokenizer(Part):
    vocab_size: AtLeastOne | None = None
    file: str = ""


class Guide(Part):
    """A head that is trained to look from "it" at its antecedent."""

    layer: Count
    head: Count
    weight: NotNegative


class Training(Part, kw_only=True):
    """Settings of the optimisation."""

    seed: Count
    max_len: AtLeastOne
    batch_tokens: AtLeastOne
    max_steps: AtLeastOne
    warmup: AtLeastOne
    factor: NotNegative
    label_smoothing: Share
    clip_norm: Positive
    log_every: AtLeastOne
    validate_every: AtLeastOne
    save_every: AtLeastOne
    patience: AtLeastOne
    average: AtLeastOne
    dropout: Share = 0.0
    bpe_dropout: Share = 0.0
    bf16: bool = True
    compile: bool = False
    start_from: str = ""
    guided: Guide | None = None
    rate_points: tuple[tuple[Count, NotNegative], ...] = ()


class RunConfig(Part, kw_only=True):
    """Contents of a config, of a run or of all its variants."""

    name: str
    model: dict[str, Any]
    data: Data
    tokenizer: Tokenizer
    training: Training
    title: str = ""
    description: str = ""
    licence: str = ""
    languages: tuple[str, ...] = ()
    architecture: str = "transformer"
    variants: dict[str, dict[str, Any]] = entry(default_factory=dict)


def read_config(path: Path) -> dict[str, Any]:
    """Return the contents of a config.

    Raises CorpusError if it is missing or damaged.
    """
    return read(path, RunConfig)


def variant_of(settings: dict[str, Any], name: str | None) -> dict[str, Any]:
    """Return a config with one of its variants applied.

    A section of the variant is merged into the config's, any other value replaces it. Sets under
    ``with`` are added, or replace the set of the same folder; sets under ``without`` are removed.
    The variant's run has a folder of its own, unless it names one to continue.

    Raises CorpusError if there is no such variant, or if none is named and the config alone is no
    model.
    """
    variants = settings.pop("variants", {})
    settings.pop("gains", None)  # compare variants, and mean nothing to a single run
    if name is None and "architecture" not in settings and not settings["model"]:
        raise CorpusError(f"choose one of the config's models by --variant: {', '.join(variants)}")
    if name is None:
        return settings
    if name not in variants:
        raise CorpusError(f"there is no variant {name!r}; the config names {', '.join(variants)}")
    changes = {
        key: settings.get(key, {}) | value if isinstance(value, dict) else value
        for key, value in variants[name].items()
        if key not in ("with", "without")
    }
    more, without = (variants[name].get(key, []) for key in ("with", "without"))
    if more or without:
        # By folder, so that a set of ``with`` replaces the one of the same folder.
        sets = {entry["folder"]: entry for entry in [*settings["data"]["sets"], *more]}
        kept = [entry for folder, entry in sets.items() if folder not in without]
        changes["data"] = changes.get("data", settings["data"]) | {"sets": kept}
    config = settings["name"]
    # In this order: a variant may name its run, but not what it is a variant of.
    return settings | {"name": f"{config}-{name}"} | changes | {"config": config, "variant": name}


STEPPED = ("rate_points", "decision_weights", "one_noun_weights", "nouns_only", "drawn_gazes")
"""Settings that are lists of (step, ...)."""


def shortened(settings: Mapping[str, Any], share: float) -> dict[str, Any]:
    """Return the settings of the same run in a `share` of its steps, 0 to 1.

    Epochs, warm-up and rates shrink in proportion: the rate at a share of the way is that of the
    whole run, so the factor of warm-up's root law (Vaswani et al. 2017, eq. 3) shrinks with the
    root of the share. Checks come as often as before and read fewer sentences; maps are not
    recorded.

    Raises CorpusError unless the share is above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise CorpusError(f"a share of a run is above 0 and at most 1, found {share:g}")

    def fewer(count: int) -> int:
        return max(1, round(count * share))

    training = {
        key: value
        for key, value in settings["training"].items()
        if not key.startswith("formation_")
    }
    for key in ("max_steps", "warmup", "validate_every"):
        training[key] = fewer(training[key])
    for key in STEPPED:
        if key in training:
            training[key] = [[round(first * share), *values] for first, *values in training[key]]
    if "routes" in training:
        training["routes"] = [
            route | {"from_step": round(route["from_step"] * share)} for route in training["routes"]
        ]
    # Rates fall with step ** -0.5: a quarter of the steps takes half the factor.
    training["factor"] *= share**0.5
    data = settings["data"]
    data = data | {"share": share, "validation_limit": fewer(data.get("validation_limit", 1000))}
    return {**settings, "name": f"{settings['name']}-short", "data": data, "training": training}


def family_of(settings: dict[str, Any]) -> Family:
    """Return the family that a training config names, the Transformer if it names none.

    Raises CheckpointError if there is no such family, or if it declares no training.
    """
    name = settings.get("architecture", "transformer")
    trained = {family.name: family for family in families().values() if family.training}
    if name in trained:
        return trained[name]
    # A misspelt name is far likelier than a family that does not exist.
    near = difflib.get_close_matches(str(name), trained, n=1)
    raise CheckpointError(
        Message.of("model-checkpoint-architecture-near", name=repr(name), near=repr(near[0]))
        if near
        else Message.of("model-checkpoint-architecture", name=repr(name), known=", ".join(trained))
    )
