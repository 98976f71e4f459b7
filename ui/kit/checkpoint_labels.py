"""Labels of the checkpoints on offer, for menus and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.card import Outline

from ..frame.checkpoints import outlines
from ..frame.messages import called, say, system_name
from ..frame.run import RECORDING
from .controls import labels_apart


def checkpoint_labels(offered: Mapping[str, Outline | None] | None = None) -> dict[str, str]:
    """Return labels of all `outlines`; paths get as many folders as tell them apart."""
    outlined = {**(outlines() if offered is None else offered), RECORDING: None}
    most = max(len(Path(name).parts) for name in outlined) - 1

    def label(name: str, folders: int) -> str:
        return checkpoint_label(name, outlined[name], folders)

    return labels_apart(outlined, label, most)


def checkpoint_label(name: str, outline: Outline | None, folders: int = 0) -> str:
    """Return the label of a checkpoint.

    For a system of the lineage, paper and kind of attention; for others family and name. `folders`
    is the number of parent folders shown before the name of a path.
    """
    if outline is None:
        return say("checkpoint-recording") if name == RECORDING else name
    if outline.of_lineage:
        return system_name(name, name)
    family = called(f"family-{outline.architecture}", outline.architecture)
    last = str(Path(*Path(name).parts[-1 - folders :]))
    return say("checkpoint-of-family", name=last, family=family)


def installed_with(capability: str, first: Sequence[str] = ()) -> dict[str, str]:
    """Return labels of the installed checkpoints with `capability`; `first` come first."""
    labels = checkpoint_labels()
    names = [
        name
        for name, outline in outlines().items()
        if outline is not None and capability in outline.capabilities
    ]
    # Sorting by a list of booleans is stable: the order of `first`, then the order of installation.
    names.sort(key=lambda name: [name != other for other in first])
    return {name: labels[name] for name in names}
