"""Card of a checkpoint: `card.json` for programs, `README.md` for people."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import torch

from core.card import fingerprint_of
from core.measurements import GAZE, INTERVENTIONS, MASKED, PROOFS
from core.storage import Command, Count, Kind, NotNegative, Part, entry
from model.io.checkpoint import CARD, REQUIRED
from model.verify.claims import TOLERANCE

from .files import store, stored_values
from .settings import read_config
from .templating import head, rendered

CONFIGS = Path(__file__).parent / "configs"
CARD_KINDS = (INTERVENTIONS, GAZE, MASKED, PROOFS)
"""Stored measurements that the README of a checkpoint reports beside its card."""
LICENCE = (
    "Weights: research use only. Trained on Multi30k task 1 (captions from Flickr30k, research "
    "use), on Tatoeba sentence pairs (CC BY 2.0 FR, tatoeba.org through manythings.org/anki) and "
    "on generated coreference pairs (MIT, like the code)."
)


class TrainedFor(Part):
    """Provenance of the weights: command, hardware, time, steps and settings."""

    command: Command = ""
    hardware: str = ""
    minutes: NotNegative = 0.0
    steps: Count = 0
    epochs: Count = 0
    averaged_steps: tuple[Count, ...] = ()
    settings: dict[str, Any] = entry(default_factory=dict)


class CardContents(Part):
    """Contents of ``card.json``: description of a checkpoint and scores of `evaluation.scores`."""

    name: str = ""
    title: str = ""
    description: str = ""
    licence: str = ""
    languages: tuple[str, ...] = ()
    data: dict[str, Any] = entry(default_factory=dict)
    training: TrainedFor | None = None
    fingerprint: str = ""  # of the weights that the scores belong to
    scores: dict[str, dict[str, Any]] = entry(default_factory=dict)
    heads: dict[str, Any] = entry(default_factory=dict)


CARD_FILE = Kind(
    CARD, CardContents, "python -m evaluation scores --checkpoint {name} --data DIR --write"
)


def card_of(
    settings: dict[str, Any], metrics: list[dict[str, Any]], averaged: list[int]
) -> dict[str, Any]:
    """Return the entries of a card that are known before the checkpoint is evaluated."""
    steps = [m for m in metrics if "seconds" in m]
    checks = [m for m in metrics if "val_loss" in m]
    n_steps = max((m["step"] for m in metrics), default=0)
    command = command_of(settings)
    # A run that ended early is repeated by naming its last step.
    if n_steps < settings["training"]["max_steps"]:
        command += f" --max-steps {n_steps}"
    return {
        "name": settings["name"],
        "title": settings["title"],
        "description": settings.get("description", ""),
        "languages": settings["languages"],
        "licence": settings.get("licence", LICENCE),
        **{name: settings[name] for name in ("words", "examples") if name in settings},
        "guided": settings["training"].get("guided"),
        **({"lineage": lineage_of(settings)} if lineage_of(settings) else {}),
        "data": settings["data"],
        # Empty until the checkpoint is measured; `write_card` merges the scores in.
        "training": {
            "command": command,
            "hardware": trained_on(settings),
            "minutes": round(steps[-1]["seconds"] / 60, 1) if steps else 0.0,
            "steps": n_steps,
            "epochs": steps[-1]["epoch"] if steps else 0,
            "averaged_steps": averaged,
            "last_val_loss": checks[-1]["val_loss"] if checks else None,
            "settings": settings["training"],
        },
        "scores": {},
        "heads": {},
    }


def command_of(settings: dict[str, Any]) -> str:
    """Return the command that trains a run with these settings."""
    config = settings.get("config", settings["name"])
    variant = f" --variant {settings['variant']}" if "variant" in settings else ""
    return f"python -m training --config training/configs/{config}.json{variant}"


def lineage_of(settings: dict[str, Any]) -> dict[str, Any]:
    """Return year and paper of a run's model; {} if its config names none.

    They describe a run and change nothing in it, so a run that began before its config named them
    has them too.
    """
    path = CONFIGS / f"{settings.get('config', settings['name'])}.json"
    if "lineage" in settings or not path.exists():
        return settings.get("lineage", {})
    variants = read_config(path).get("variants", {})
    return variants.get(settings.get("variant"), {}).get("lineage", {})


def trained_on(settings: dict[str, Any]) -> str:
    """Return the device of a run: this machine's, unless the run was restored from a checkpoint."""
    return settings.get("hardware") or hardware()


def hardware() -> str:
    """Return a description of this machine's device."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    cpu = platform.processor() or platform.machine()
    # `platform.processor()` says only "x86_64" on Linux; the kernel knows the model.
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = names[0].split(":", 1)[1].strip() if names else cpu
    n_threads = torch.get_num_threads()
    return f"{cpu}, {n_threads} thread{'s' if n_threads > 1 else ''}"


def write_card(folder: Path, entries: dict[str, Any]) -> dict[str, Any]:
    """Merge `entries` into the card of a checkpoint folder and rewrite its README."""
    card = stored_card(folder) | entries
    store(folder / CARD, card)
    write_readme(folder)
    return card


def write_readme(folder: Path) -> None:
    """Write the README of a checkpoint folder from what is stored there."""
    text = readme_of(
        stored_card(folder),
        *(measured_in(folder, file_kind) for file_kind in CARD_KINDS),
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


def stored_card(folder: Path) -> dict[str, Any]:
    """Return the contents of ``card.json`` in a checkpoint folder; {} without one."""
    return stored_values(CARD_FILE, folder)


def measured_in(folder: Path, file_kind: Kind) -> dict[str, Any]:
    """Return the stored measurement of the very weights in `folder`; {} if there is none."""
    # Without weights there is no fingerprint to compare with.
    if not all((folder / name).exists() for name in REQUIRED):
        return {}
    fingerprint = fingerprint_of(*((folder / name).read_bytes() for name in REQUIRED))
    return stored_values(file_kind, folder, fingerprint)


def readme_of(
    card: dict[str, Any],
    interventions: dict[str, Any] | None = None,
    gaze: dict[str, Any] | None = None,
    masked: dict[str, Any] | None = None,
    proofs: dict[str, Any] | None = None,
) -> str:
    """Return the card as Markdown, with a section for each measurement that is given."""
    tried = ((interventions or {}).get("pronoun") or {}).get("heads") or {}
    text = rendered(
        "card.md.j2",
        card=card,
        interventions=interventions,
        gaze=gaze,
        masked=masked,
        proofs=proofs,
        tolerance=TOLERANCE,
        heads_tried={name: head(entry) for name, entry in tried.items() if entry},
        by_where=_by_where,
        best_head=_best_head,
    )
    return text + "\n"


def _by_where(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the counts over all sentences by place and by hidden word."""
    cells: dict[str, dict[str, Any]] = {}
    for row in rows:
        cells.setdefault(row["where"], {})[row["word"]] = row["all"]
    return cells


def _best_head(heads: dict[str, Any]) -> dict[str, Any] | None:
    """Return the head with the largest mean, beside the mean of all; None if no head has one."""
    means = [
        # Negated, so that `max` breaks a tie in favour of the lowest layer and head.
        (mean, -layer, -head)
        for layer, row in enumerate(heads["mean"])
        for head, mean in enumerate(row)
        if mean is not None
    ]
    if not means:
        return None
    mean, layer, head = max(means)
    return {
        "layer": -layer,
        "head": -head,
        "mean": mean,
        "std": heads["std"][-layer][-head],
        "of_all": sum(mean for mean, *_ in means) / len(means),
    }
