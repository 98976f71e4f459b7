"""Stored results of trainings: in a checkpoint's folder, or in the folder ``small`` here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.formation import Formation, Metrics
from core.measurements import KNOCK_OUTS, SMALL_RUNS
from core.records.attention import AttentionMap, AttentionSite
from core.storage import Kind, Stored, read_stored
from model.config import TransformerConfig
from model.families.transformer import transformer_sites
from model.io.checkpoint import checkpoint_path
from model.io.formation import FORMATION, METRICS, read_formation, read_metrics
from ui.frame.checkpoints import stamp_of
from ui.frame.model_cache import cached
from ui.frame.run import Run
from ui.kit.measurements import stored_box

SMALL = Path(__file__).with_name("small")
PLAIN = "plain"


@dataclass(frozen=True)
class TrainingFolder:
    """Folder with results of a training, and the sites of its model."""

    path: str
    stamp: str
    sites: tuple[AttentionSite, ...] = ()

    @classmethod
    def at(cls, folder: Path, sites: Sequence[AttentionSite] = ()) -> TrainingFolder:
        # The cache key covers these files only: others in the folder change more often.
        names = (FORMATION, METRICS, KNOCK_OUTS.file, SMALL_RUNS.file)
        stamp = stamp_of(folder / name for name in names)
        return cls(str(folder.resolve()), stamp, tuple(sites))


def of_checkpoint(name: str, sites: Sequence[AttentionSite] = ()) -> TrainingFolder:
    return TrainingFolder.at(checkpoint_path(name), sites)


def of_small_run() -> TrainingFolder | None:
    """Return the folder of the small run with usual settings; None, with a note, without one."""
    if not runs_of(PLAIN):
        return None
    stored = small_runs().values
    # The maps are stored without their sites, which follow from the configuration.
    config = TransformerConfig(vocab_size=stored["pieces"], **stored["model"])
    return TrainingFolder.at(SMALL, transformer_sites(config))


def settings_of(run: Run) -> dict[str, Any]:
    """Return the settings of the model's training, as far as its card has them."""
    settings = run.card.training.get("settings")
    return settings if isinstance(settings, dict) else {}


@cached("path", "stamp", max_entries=8)
def formation_of(folder: TrainingFolder) -> Formation | None:
    """Return the recorded attention of a training, or None if the folder has no recording."""
    return read_formation(Path(folder.path) / FORMATION, folder.sites)


@cached("path", "stamp", max_entries=16)
def frames_of(folder: TrainingFolder, sentence: int) -> tuple[tuple[AttentionMap, ...], ...]:
    """Return the maps of one sentence at every recorded step; the folder must have a recording."""
    formation = formation_of(folder)
    assert formation is not None
    return tuple(formation.maps(sentence, at) for at in range(len(formation.steps)))


@cached("path", "stamp", max_entries=32)
def metrics_of(folder: TrainingFolder) -> Metrics | None:
    return read_metrics(Path(folder.path) / METRICS)


@cached("path", "stamp", max_entries=8)
def stored_in(folder: TrainingFolder, measurement: Kind) -> Stored:
    return read_stored(measurement, Path(folder.path))


def small_runs() -> Stored:
    """Return the results of ``python -m evaluation small-runs``."""
    return stored_in(TrainingFolder.at(SMALL), SMALL_RUNS)


def runs_of(*names: str) -> dict[str, Any]:
    """Return small runs by name, or all; empty, with a note, if one is missing."""
    stored = small_runs()
    runs = stored.values.get("runs", {})
    # A comparison that lacks one of its runs would mislead, so none is returned.
    if not runs or not runs.keys() >= set(names):
        stored_box(stored)
        return {}
    return {name: runs[name] for name in names or runs}


def curves_of(run: dict[str, Any]) -> Metrics:
    """Return the curves of a small run in the form of a metrics file."""
    lines = [
        {"step": step, measure: float(value)}
        for measure, points in run["curves"].items()
        for step, value in points
    ]
    return Metrics(tuple(lines))
