"""Configs that name several runs, each a variant of the others."""

from __future__ import annotations

from typing import Any

from .corpus import CorpusError


def variant_of(settings: dict[str, Any], name: str | None) -> dict[str, Any]:
    """A config with one of its variants taken.

    A section of the variant adds to the config's, what is no section takes its place; the sets
    under ``with`` are added, or take the place of the same set, and those it is ``without`` go. Its
    run has a folder of its own, unless it names one that it goes on from.

    Raises CorpusError where there is no such variant, or none is named where the config alone is no
    model.
    """
    variants = settings.pop("variants", {})
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
        sets = {each["folder"]: each for each in [*settings["data"]["sets"], *more]}
        kept = [each for folder, each in sets.items() if folder not in without]
        changes["data"] = changes.get("data", settings["data"]) | {"sets": kept}
    config = settings["name"]
    return settings | {"name": f"{config}-{name}"} | changes | {"config": config, "variant": name}
