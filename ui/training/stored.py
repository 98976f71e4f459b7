"""What was stored of trainings: beside a checkpoint, and of the small runs beside this file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.attention import AttentionMap, AttentionSite
from core.formation import Formation, Metrics
from core.measurements import KNOCK_OUTS, SMALL_RUNS
from core.stored import Kind, Stored, read_stored
from model.checkpoint import checkpoint_path
from model.config import TransformerConfig
from model.formation import FORMATION, METRICS, read_formation, read_metrics
from model.transformer import transformer_sites
from ui.shared import cached
from ui.state import Run, stamp_of
from ui.stored import stored_box

SMALL = Path(__file__).with_name("small")
PLAIN = "plain"


@dataclass(frozen=True)
class Folder:
    """A folder with what a training left, and the sites of the model it is about."""

    path: str
    stamp: str
    sites: tuple[AttentionSite, ...] = ()

    @classmethod
    def at(cls, folder: Path, sites: Sequence[AttentionSite] = ()) -> Folder:
        names = (FORMATION, METRICS, KNOCK_OUTS.file, SMALL_RUNS.file)
        stamp = stamp_of(folder / name for name in names)
        return cls(str(folder.resolve()), stamp, tuple(sites))


def of_checkpoint(name: str, sites: Sequence[AttentionSite] = ()) -> Folder:
    return Folder.at(checkpoint_path(name), sites)


def of_small_run() -> Folder | None:
    """The plain one of the small runs; None where they are not there, which is said."""
    if not runs_of(PLAIN):
        return None
    found = small_runs().values
    config = TransformerConfig(vocab_size=found["pieces"], **found["model"])
    return Folder.at(SMALL, transformer_sites(config))


def settings_of(run: Run) -> dict[str, Any]:
    """With which a model was trained, as far as its card says."""
    found = run.card.training.get("settings")
    return found if isinstance(found, dict) else {}


@cached("path", "stamp", max_entries=8)
def formation_of(stored: Folder) -> Formation | None:
    return read_formation(Path(stored.path) / FORMATION, stored.sites)


@cached("path", "stamp", max_entries=16)
def frames_of(stored: Folder, sentence: int) -> tuple[tuple[AttentionMap, ...], ...]:
    formation = formation_of(stored)
    assert formation is not None
    return tuple(formation.maps(sentence, at) for at in range(len(formation.steps)))


@cached("path", "stamp", max_entries=32)
def metrics_of(stored: Folder) -> Metrics | None:
    return read_metrics(Path(stored.path) / METRICS)


@cached("path", "stamp", max_entries=8)
def stored_in(stored: Folder, kind: Kind) -> Stored:
    return read_stored(kind, Path(stored.path))


def small_runs() -> Stored:
    """What ``python -m training small-runs`` stored."""
    return stored_in(Folder.at(SMALL), SMALL_RUNS)


def runs_of(*names: str) -> dict[str, Any]:
    """The small runs with these names, or all; where one is not there, none, and the page says
    why."""
    stored = small_runs()
    runs = stored.values.get("runs", {})
    if not runs or not runs.keys() >= set(names):
        stored_box(stored)
        return {}
    return {name: runs[name] for name in names or runs}


def curves_of(run: dict[str, Any]) -> Metrics:
    """The curves of a small run as if they had been read line by line."""
    lines = [
        {"step": step, measure: float(value)}
        for measure, points in run["curves"].items()
        for step, value in points
    ]
    return Metrics(tuple(lines))
