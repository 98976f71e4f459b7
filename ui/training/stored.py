"""What was stored of trainings: beside a checkpoint, and of the small runs beside this file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.checkpoint import checkpoint_path
from model.config import TransformerConfig
from model.formation import FORMATION, KNOCK_OUTS, METRICS, read_formation, read_metrics
from model.transformer import transformer_sites
from records import AttentionMap, AttentionSite, Formation, Metrics
from ui.shared import cached

SMALL = Path(__file__).with_name("small")
RUNS = "runs.json"
PLAIN = "plain"


@dataclass(frozen=True)
class Stored:
    """A folder with what a training left, and the sites of the model it is about."""

    path: str
    stamp: tuple
    sites: tuple[AttentionSite, ...] = ()

    @classmethod
    def at(cls, folder: Path, sites: Sequence[AttentionSite] = ()) -> Stored:
        files = (folder / name for name in (FORMATION, METRICS, KNOCK_OUTS, RUNS))
        stamp = tuple(
            (file.name, file.stat().st_size, file.stat().st_mtime_ns)
            for file in files
            if file.is_file()
        )
        return cls(str(folder.resolve()), stamp, tuple(sites))


def of_checkpoint(name: str, sites: Sequence[AttentionSite] = ()) -> Stored:
    """The folder of a checkpoint.

    Raises
    ------
    ModelError : there is no such checkpoint.
    """
    return Stored.at(checkpoint_path(name), sites)


def of_small_run() -> Stored:
    """The plain one of the small runs; without sites where the runs are not there."""
    found = small_runs()
    try:
        config = TransformerConfig(vocab_size=found["pieces"], **found["model"])
    except (KeyError, TypeError):
        return Stored.at(SMALL)
    return Stored.at(SMALL, transformer_sites(config))


@cached("path", "stamp", max_entries=8)
def formation_of(stored: Stored) -> Formation | None:
    """As `model.formation.read_formation`."""
    return read_formation(Path(stored.path) / FORMATION, stored.sites)


@cached("path", "stamp", max_entries=16)
def frames_of(stored: Stored, sentence: int) -> tuple[tuple[AttentionMap, ...], ...]:
    """The maps of a sentence at every recorded step."""
    formation = formation_of(stored)
    assert formation is not None
    return tuple(formation.maps(sentence, at) for at in range(len(formation.steps)))


@cached("path", "stamp", max_entries=32)
def metrics_of(stored: Stored) -> Metrics | None:
    """As `model.formation.read_metrics`."""
    return read_metrics(Path(stored.path) / METRICS)


@cached("path", "stamp", max_entries=8)
def knock_outs_of(stored: Stored) -> dict[str, Any]:
    """What ``python -m training knock-out-steps`` stored; empty where nothing sound is there."""
    return _sound_knock_outs(_json(Path(stored.path) / KNOCK_OUTS))


def _sound_knock_outs(found: dict[str, Any]) -> dict[str, Any]:
    steps, changes = found.get("steps"), found.get("changes")
    if not isinstance(steps, list) or not isinstance(changes, dict) or not steps:
        return {}
    sound = _sound_changes(changes, len(steps))
    if not sound or not all(type(step) is int for step in steps):
        return {}
    texts = {key: found[key] if _is_text(found.get(key)) else "" for key in ("command", "run")}
    pronoun = _sound_pronoun(found.get("pronoun"), len(steps))
    return {"steps": steps, "changes": sound, **texts, "pronoun": pronoun}


def _sound_changes(changes: Any, n_steps: int) -> dict[str, list]:
    if not isinstance(changes, dict):
        return {}
    return {
        name: values
        for name, values in changes.items()
        if isinstance(values, list) and len(values) == n_steps and _are_numbers(values)
    }


def _sound_pronoun(found: Any, n_steps: int) -> dict[str, Any]:
    """What was measured at the pronoun; empty where anything of it is missing or unsound."""
    if not isinstance(found, dict) or type(found.get("sentences")) is not int:
        return {}
    lines = {name: found.get(name) for name in ("log_prob", "noun_hidden", "other_hidden")}
    sound = (
        isinstance(line, list) and len(line) == n_steps and _are_numbers([[line]])
        for line in lines.values()
    )
    changes = _sound_changes(found.get("changes"), n_steps)
    return (
        {"sentences": found["sentences"], **lines, "changes": changes}
        if (all(sound) and changes)
        else {}
    )


def _are_numbers(values: Any) -> bool:
    """Numbers three lists deep, every list of one depth as long as its neighbours."""
    for depth in range(3):
        if not isinstance(values, list) or not values:
            return False
        if depth < 2 and len({len(each) if isinstance(each, list) else -1 for each in values}) > 1:
            return False
        values = [x for each in values for x in each] if depth < 2 else values
    return all(isinstance(x, int | float) and not isinstance(x, bool) for x in values)


def small_runs() -> Mapping[str, Any]:
    """What ``python -m training small-runs`` stored; empty where it did not."""
    return _small_runs(Stored.at(SMALL))


@cached("path", "stamp", max_entries=2)
def _small_runs(stored: Stored) -> dict[str, Any]:
    return _json(Path(stored.path) / RUNS)


def small_metrics(name: str) -> Metrics | None:
    """The curves of a small run as if they had been read line by line."""
    run = small_runs().get("runs", {}).get(name)
    if not isinstance(run, dict):
        return None
    lines = [
        {"step": int(step), measure: float(value)}
        for measure, points in run.get("curves", {}).items()
        for step, value in points
    ]
    return Metrics(tuple(lines))


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "`" not in value
