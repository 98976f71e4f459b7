"""Files of measurements: their kinds, where they are shipped and shown, and how to damage them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core import measurements
from core.atlas import ATLAS
from core.storage import DamageError, Kind, checked
from support.models import ROOT, read_json
from ui.pages.cost.costs import FOLDER
from ui.pages.training.recordings import SMALL

KINDS = {name: each for name, each in vars(measurements).items() if isinstance(each, Kind)}
KINDS["ATLAS"] = ATLAS  # of a topic that reads other measurements
BESIDE = {"ui.pages.training.recordings.SMALL": SMALL, "ui.pages.cost.costs.FOLDER": FOLDER}
"""Measurements without a checkpoint, by the name that the pages read them from."""
CHECKPOINTS = ROOT / "checkpoints"
SHIPPED = [
    (kind, folder)
    for kind in KINDS.values()
    for folder in (*BESIDE.values(), CHECKPOINTS, *sorted(CHECKPOINTS.iterdir()))
    if (folder / kind.file).is_file()
]
FIRST = {kind.file: folder for kind, folder in reversed(SHIPPED)}
SHOWN = {
    "ROLES": ("attention", "matrix", "en-de", "role-table-alt"),
    "GOLD": ("worth", "gold", "en-de", "gold-found"),
    "SHARES": ("worth", "share", "en-de", "share-agreement-stored"),
    "ATLAS": ("worth", "atlas", "en-de", "atlas-found"),
    "SEARCH": ("beam", "width", "en-de", "beam-sweep-alt"),
    "INTERVENTIONS": ("masks", "knockout", "en-de", "knock_how-mean"),
    "LINEAGE": ("lineage", "bottleneck", "", "lineage-curve-system"),
    "DOCUMENTS": ("documents", "agree", "", "documents-tau-mean-polarity"),
    "MASKED": ("masked", "agreement", "masked-lm", "masked-agreement-measured"),
    "KNOCK_OUTS": ("training", "forming", "en-de", "training-knock-alt"),
    "SMALL_RUNS": ("training", "warmup", "en-de", ""),
    "COSTS": ("cost", "measured", "", ""),
}
"""By the name of a kind a page, its view, the checkpoint with which it shows such a file, and a
message that is said with the file alone."""
ASKED = {
    ("training", "forming"): {"forming_of": "checkpoint"},
    ("lineage", "bottleneck"): {"length_part": "joined"},
    ("worth", "gold"): {"gold_part": "heads"},
}
"""Address entries with which a view needs the measurements of a model."""
GONE = object()


def leaves(values: Any, keys: tuple = ()) -> list[tuple]:
    """The places of all values, of a list those of its first three entries."""
    if not isinstance(values, dict | list) or not values:
        return [keys]
    parts = values.items() if isinstance(values, dict) else list(enumerate(values))[:3]
    return [found for key, value in parts for found in leaves(value, (*keys, key))]


def put(values: Any, keys: tuple, new: Any) -> Any:
    """Put a value at a place, or none where it is `GONE`; return what was there."""
    for key in keys[:-1]:
        values = values[key]
    before = values[keys[-1]]
    if new is GONE:
        del values[keys[-1]]
    else:
        values[keys[-1]] = new
    return before


def spelled(keys: tuple) -> str:
    parts = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return "".join(parts).removeprefix(".")


def damage_within(values: dict[str, Any], kind: Kind) -> str:
    """Damages one field deep within a file; returns where that is."""
    for keys in reversed(leaves(values)):
        before = put(values, keys, "?")
        try:
            if not isinstance(before, str):
                checked(json.dumps(values).encode(), kind.type)
        except DamageError as error:
            return str(dict(error.fault.values)["field"])
        put(values, keys, before)
    raise AssertionError


def spoil(kind: Kind, folders: Sequence[Path], state: str) -> tuple[Path, str]:
    """Bring a file of one of the folders into a state; return its folder and the damaged field."""
    folder = next(each for each in folders if (each / kind.file).is_file())
    path, field = folder / kind.file, ""
    values = read_json(path)
    path.unlink()
    if state == "damaged":
        field = damage_within(values, kind)
    if state == "foreign":
        values |= {"fingerprint": "0" * 12}
    if state != "missing":
        path.write_text(json.dumps(values), encoding="utf-8")
    return folder, field
