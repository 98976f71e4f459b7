"""Folders of runs: what was trained, and how far."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.storage import Count, Part
from model.io.formation import METRICS

from .corpora.text_pairs import CorpusError
from .cost import training_facts
from .files import sound
from .settings import read_config


class Line(Part):
    """Numbers that a run logs at a step; those of another kind of line keep their defaults."""

    step: Count
    seconds: float = 0.0
    epoch: Count = 0
    tokens_per_second: float = 0.0
    val_loss: float = 0.0


def systems_in(runs: Path, names: Sequence[str] = ()) -> dict[str, Path]:
    """Return the folders of runs with weights, by name of their variant; only `names`, if any.

    Raises CorpusError if there are none, or if one of `names` is missing.
    """
    folders = {}
    for folder in sorted(runs.iterdir()) if runs.is_dir() else ():
        if (folder / "config.json").exists() and any(folder.glob("weights-*.safetensors")):
            settings = settings_of_run(folder)
            # A copied or renamed folder would stand for another run.
            if folder.name in (settings.get("variant"), settings["name"]):
                folders[settings.get("variant", settings["name"])] = folder
    missing = [name for name in names if name not in folders]
    if missing or not folders:
        raise CorpusError(
            f"{runs} holds no trained weights of {', '.join(missing) or 'any system'}; "
            f"it has {', '.join(folders) or 'none'}"
        )
    return {name: folders[name] for name in names or folders}


def is_finished(run: Path) -> bool:
    """Return True if a run made all the steps that its config asks for."""
    return training_facts(metrics_of(run))["steps"] >= settings_of_run(run)["training"]["max_steps"]


def settings_of_run(run: Path) -> dict[str, Any]:
    """Return the config that a run was begun with."""
    return read_config(run / "config.json")


def metrics_of(run: Path) -> list[dict[str, Any]]:
    """Return the lines of a run's log."""
    lines = (run / METRICS).read_bytes().splitlines()
    return [
        sound(line, f"{run / METRICS}, line {n}", Line, finite=False)
        for n, line in enumerate(lines, 1)
        if line
    ]
