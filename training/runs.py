"""Folders of runs: what was trained, and how far."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from model.formation import METRICS

from .corpus import CorpusError
from .cost import training_facts
from .storing import read


def systems_in(runs: Path, names: Sequence[str] = ()) -> dict[str, Path]:
    """The folders of runs with weights, by the name of their variant; `names` alone, if any.

    Raises CorpusError where there is none, or not all of `names`.
    """
    found = {}
    for folder in sorted(runs.iterdir()) if runs.is_dir() else ():
        if (folder / "config.json").exists() and any(folder.glob("weights-*.safetensors")):
            settings = settings_of_run(folder)
            if folder.name in (settings.get("variant"), settings["name"]):
                found[settings.get("variant", settings["name"])] = folder
    missing = [name for name in names if name not in found]
    if missing or not found:
        raise CorpusError(
            f"{runs} holds no trained weights of {', '.join(missing) or 'any system'}; "
            f"it has {', '.join(found) or 'none'}"
        )
    return {name: found[name] for name in names or found}


def is_finished(run: Path) -> bool:
    """Whether a run made all the steps that its config asks for."""
    return training_facts(metrics_of(run))["steps"] >= settings_of_run(run)["training"]["max_steps"]


def settings_of_run(run: Path) -> dict[str, Any]:
    """The config that a run was begun with."""
    return read(run / "config.json")


def metrics_of(run: Path) -> list[dict[str, Any]]:
    """The lines of a run's log."""
    lines = (run / METRICS).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]
