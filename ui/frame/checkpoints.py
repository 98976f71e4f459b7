"""Checkpoints on offer: installed ones and those opened by path, before any is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG

import streamlit as st

from core.card import Outline
from model import CheckpointError, list_checkpoints
from model.io.checkpoint import CARD, CONFIG, checkpoint_path, outline_of

from .admission import once_a_turn
from .messages import current_words
from .run import RECORDING

OPENED = "opened_models"
"""Session key: outlines of the models opened by path, by that path."""


@dataclass(frozen=True)
class CheckpointFolder:
    """Folder of a checkpoint and the stamp of its files."""

    path: str
    stamp: str
    at: str = ""  # the path as given, if it was opened by path


def opened() -> dict[str, Outline]:
    """Return the outlines of the models opened by path in this session."""
    return st.session_state.get(OPENED, {})


def outlines() -> dict[str, Outline | None]:
    """Return the outline of each model on offer, None if it cannot be read.

    "en-de" stands in if nothing is installed, so that loading it explains the problem.
    """
    return _installed() | opened()


@once_a_turn
def _installed() -> dict[str, Outline | None]:
    installed: dict[str, Outline | None] = {}
    for name in list_checkpoints() or ["en-de"]:
        try:
            folder = checkpoint_path(name)
        except CheckpointError:
            installed[name] = None
        else:
            stamp = stamp_of(folder / file for file in (CONFIG, CARD))
            # A folder of this name must not be taken for the session's recording.
            id = f"./{name}" if name == RECORDING else name
            installed[id] = _outline(CheckpointFolder(str(folder), stamp))
    return installed


@lru_cache(maxsize=256)
def _outline(folder: CheckpointFolder) -> Outline | None:
    return outline_of(folder.path)


def by_preference(offered: Mapping[str, Outline | None] | None = None) -> tuple[str, ...]:
    """Return the names of `outlines`, those first that search and read the page's language."""
    outlined = outlines() if offered is None else offered
    language = current_words().language

    def is_other(name: str) -> bool:
        outline = outlined[name]
        # sorted is stable: among the others, and among these, the order of installation stays.
        return outline is None or not outline.searches or outline.languages[:1] != (language,)

    return tuple(sorted(outlined, key=is_other))


def stamp_of(files: Iterable[Path]) -> str:
    """Return a cache key of files: name, size and modification time of those that exist."""
    stamps = []
    for file in files:
        # A file may vanish between listing and stat.
        with suppress(OSError):
            facts = file.stat()
            # Folders change their times without a change of the weights.
            if S_ISREG(facts.st_mode):
                stamps.append(f"{file.name}/{facts.st_size}/{facts.st_mtime_ns}")
    return "\n".join(stamps)


def open_checkpoint(name: str) -> None:
    """Open another checkpoint (for callbacks)."""
    st.session_state["checkpoint"] = name
