"""Checkpoint folders of JSON and safetensors, never pickles: found, read and written."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from core.card import Outline, fingerprint_of
from core.storage import DamageError, checked
from words import Message

from ..errors import CheckpointError, format_error
from ..families.base import Family, config_of
from ..special_tokens import SPECIAL
from ..tokenizer import TextTokenizer
from .assembly import (
    WEIGHTS,
    LoadedCheckpoint,
    card_of,
    entry_as,
    finish_loading,
    model_of,
    stored_tensors,
    unfit,
    vocabulary_faults,
    words_in,
)
from .config_files import config_from_dict
from .registry import FAULTS, families

CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
CARD = "card.json"
REQUIRED = (CONFIG, WEIGHTS, TOKENIZER)
LINEAGE = "configs/lineage.json"  # part of the command that trained a lineage system
FOLDER_VARIABLE = "ATTENTION_LAB_CHECKPOINTS"
# Folder of a model in the cache of Hugging Face: "models--Helsinki-NLP--opus-mt-en-de".
_CACHED = re.compile(r"models--(.+)")
# Name of a model on the hub: "Helsinki-NLP/opus-mt-en-de".
_ON_HUB = re.compile(r"[A-Za-z\d][\w.-]*/[A-Za-z\d][\w.-]*")
SAME_RUN = Message("model-checkpoint-same-run")


# Computed once: resolving links costs a system call for every part of a path, and every rerun of a
# page asks for the folder of each checkpoint.
_CHECKPOINTS = Path(__file__).resolve().parents[2] / "checkpoints"


def checkpoints_folders() -> tuple[Path, ...]:
    """Return the folders named by ATTENTION_LAB_CHECKPOINTS, or ``checkpoints/``.

    The names are separated as in PATH.
    """
    named = os.environ.get(FOLDER_VARIABLE, "").split(os.pathsep)
    return tuple(map(Path, filter(None, named))) or (_CHECKPOINTS,)


def checkpoints_folder() -> Path:
    """Return the first of `checkpoints_folders`, where new checkpoints are written."""
    return checkpoints_folders()[0]


def list_checkpoints(folder: Path | str | None = None) -> list[str]:
    """List the names of the checkpoints in `folder`, or in all of `checkpoints_folders`.

    Damaged ones are included; "en-de" comes first.
    """
    roots = [Path(folder)] if folder else checkpoints_folders()
    # Unlike `iterdir`, `scandir` knows folders without asking the system for each.
    inside = (entry for root in roots if root.is_dir() for entry in os.scandir(root))
    names = {entry.name for entry in inside if _is_folder(entry) and not entry.name.startswith(".")}
    return sorted(names, key=lambda name: (name != "en-de", name))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return True if an entry is a folder or a link to one."""
    try:
        return entry.is_dir()
    # Of a link to itself, for which `Path.is_dir` returns False.
    except OSError:
        return False


def checkpoint_path(name_or_path: str | Path) -> Path:
    """Return the folder of a checkpoint name, or what lies at a path.

    A path wins over a name; of several folders the first that has the name counts. A file inside a
    checkpoint gives the folder. Raises CheckpointError, with similar names as a hint, if nothing is
    found.
    """
    path = Path(name_or_path)
    inside = (folder / path for folder in checkpoints_folders())
    for folder in (path, *inside):
        if folder.is_dir():
            return folder
    if path.exists():
        in_checkpoint = path.is_file() and is_checkpoint(path.parent)
        return path.parent if in_checkpoint else path
    if path.is_absolute():
        raise CheckpointError(Message.of("model-checkpoint-nothing", path=repr(str(path))))
    installed = list_checkpoints()
    near = difflib.get_close_matches(str(name_or_path), installed, n=1)
    if near:
        hint = Message.of("model-checkpoint-unknown-near", name=repr(near[0]))
    elif installed:
        hint = Message.of("model-checkpoint-unknown-known", names=", ".join(installed))
    else:
        hint = Message.of(
            "model-checkpoint-unknown-none",
            files=", ".join(REQUIRED),
            folder=checkpoints_folder().name,
        )
    message = Message.of("model-checkpoint-unknown", name=repr(str(name_or_path)))
    raise CheckpointError(message, hint=hint)


def typed_path(name_or_path: str | os.PathLike[str]) -> Path:
    """Return the path that a user typed or pasted, in the form of this system.

    Quotes of a shell and ``file://`` are removed, ``~`` is expanded, and a folder of the Hugging
    Face cache becomes the snapshot that its ``refs/main`` names. Raises CheckpointError for the
    name of a model on the hub, since nothing is downloaded.
    """
    # Paths are often pasted from a shell or a file manager.
    text = os.fspath(name_or_path).strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1].strip()
    # One slash only: `Path` has already merged those of ``file://``.
    if text.lower().startswith("file:/"):
        text = unquote(urlsplit(text).path)
    path = Path(text).expanduser()
    # "owner/name" may also be a relative path.
    if _ON_HUB.fullmatch(text) and not path.parent.exists() and not _is_installed(path):
        raise format_error("hub", name=text, folder=path.name)
    return _snapshot(path)


def _is_installed(path: Path) -> bool:
    """Return True if a checkpoints folder contains `path`."""
    return any((folder / path).exists() for folder in checkpoints_folders())


def _snapshot(path: Path) -> Path:
    """Return the snapshot in a folder of the Hugging Face cache, or `path` itself."""
    if not (_CACHED.fullmatch(path.name) and (path / "snapshots").is_dir()):
        return path
    snapshots = sorted(entry for entry in (path / "snapshots").iterdir() if entry.is_dir())
    main = path / "refs" / "main"
    if main.is_file():
        named = path / "snapshots" / main.read_text(errors="replace").strip()
        snapshots = [named] if named in snapshots else snapshots
    if len(snapshots) != 1:
        names = ", ".join(snapshot.name for snapshot in snapshots) or "–"
        raise format_error("cache", path=str(path / "snapshots"), found=names)
    return snapshots[0]


def title_of(path: Path) -> str:
    """Return a model's title by its path; in the Hugging Face cache, that of the model's folder."""
    cached = cached_model(path)
    return cached.rpartition("--")[2] if cached else path.stem


def cached_model(path: Path) -> str:
    """Return the model whose snapshot in the Hugging Face cache lies at `path`; "" elsewhere."""
    match = _CACHED.fullmatch(path.parent.parent.name) if path.parent.name == "snapshots" else None
    return match[1] if match else ""


def load_checkpoint(name_or_path: str | Path, device: str = "cpu") -> LoadedCheckpoint:
    """Load a checkpoint folder and verify it.

    Raises one CheckpointError that names everything missing, damaged or unfit.
    """
    path = checkpoint_path(name_or_path)
    # Every step adds its faults and lets the next ones go on, so that one message holds all of
    # them.
    faults: list[Message] = []
    settings = _read_json(path / CONFIG, faults)
    family = _family_of(settings, faults) if settings is not None else None
    config = _config_of(family, settings, faults) if family and settings is not None else None
    tokenizers = _tokenizers_of(path, family, faults)
    files = tokenizer_files(path, family)
    if family is not None and config is not None:
        faults += vocabulary_faults(files, family, config, tokenizers)
    tensors = _tensors_of(path, faults)
    details = (_read_json(path / CARD, faults) or {}) if (path / CARD).is_file() else {}
    model = None
    if family is not None and config is not None and tensors is not None:
        model = model_of(family, config, tensors, tokenizers, faults)
    if faults or model is None or family is None:
        raise unfit(path, faults, SAME_RUN)
    card = card_of(path, fingerprint_at(path), family, model, details)
    card = replace(card, folder=path.absolute())
    return finish_loading(card, family, model, tokenizers, device)


def is_checkpoint(path: Path) -> bool:
    """Return True if the config.json of `path` names an architecture."""
    return "architecture" in (_read_json(path / CONFIG, []) or {})


def _family_of(settings: dict[str, Any], faults: list[Message]) -> Family | None:
    """Take "architecture" out of `settings`; return its family, or None and a fault."""
    architecture = settings.pop("architecture", None)
    registered = families()
    if isinstance(architecture, str) and architecture in registered:
        return registered[architecture]
    near = difflib.get_close_matches(str(architecture), registered, n=1)
    name = repr(architecture)
    faults.append(
        Message.of("model-checkpoint-architecture-near", name=name, near=repr(near[0]))
        if near
        else Message.of("model-checkpoint-architecture", name=name, known=", ".join(registered))
    )
    # The family may belong to a module that failed to import.
    faults.extend(FAULTS)
    return None


def _config_of(family: Family, settings: dict[str, Any], faults: list[Message]) -> Any:
    """Build the family's config from `settings`; None, with a fault, if they do not fit."""
    try:
        return config_from_dict(family.config, settings, name=CONFIG)
    except CheckpointError as error:
        faults.append(error.message)
        return None


def tokenizer_files(path: Path, family: Family | None) -> dict[str, str]:
    """Return the vocabulary file of each side.

    ``tokenizer.json`` serves both sides; only if it is missing may each side have a file of its
    own.
    """
    sides = family.vocabularies if family else ("source", "target")
    separate = {side: f"{side}_{TOKENIZER}" for side in sides}
    has_separate = len(separate) > 1 and any((path / name).is_file() for name in separate.values())
    if has_separate and not (path / TOKENIZER).is_file():
        return separate
    return dict.fromkeys(sides, TOKENIZER)


def fingerprint_at(path: Path) -> str:
    """Return the fingerprint of the config, weights and vocabularies in a folder."""
    files = (CONFIG, WEIGHTS, *dict.fromkeys(tokenizer_files(path, None).values()))
    return fingerprint_of(
        *((path / name).read_bytes() for name in files if (path / name).is_file())
    )


def _tokenizers_of(
    path: Path, family: Family | None, faults: list[Message]
) -> dict[str, TextTokenizer]:
    """Read the vocabulary of each side; a file that serves both is read once."""
    files = tokenizer_files(path, family)
    special = family.special_tokens if family else SPECIAL
    read = {}
    for name in dict.fromkeys(files.values()):
        if not (path / name).is_file():
            faults.append(Message.of("model-checkpoint-missing", file=name))
            continue
        try:
            read[name] = TextTokenizer.from_file(path / name, special)
        except CheckpointError as error:
            faults.append(error.message)
    return {side: read[name] for side, name in files.items() if name in read}


def _tensors_of(path: Path, faults: list[Message]) -> dict[str, Tensor] | None:
    """Load the weights; None, with a fault, if they are missing or damaged."""
    if not (path / WEIGHTS).is_file():
        faults.append(Message.of("model-checkpoint-missing", file=WEIGHTS))
        return None
    try:
        return safetensors.torch.load_file(path / WEIGHTS)
    except (SafetensorError, OSError, ValueError) as error:
        faults.append(Message.of("model-checkpoint-damaged", file=WEIGHTS, error=str(error)))
        return None


def _read_json(path: Path, faults: list[Message]) -> dict[str, Any] | None:
    """Read a JSON object; None, with a fault, if it is missing or something else."""
    if not path.is_file():
        faults.append(Message.of("model-checkpoint-missing", file=path.name))
        return None
    try:
        values: Any = checked(path.read_bytes(), Any, finite=False)
    except (DamageError, OSError) as error:
        fault = error.fault if isinstance(error, DamageError) else str(error)
        faults.append(Message.of("model-checkpoint-no-json", file=path.name, error=fault))
        return None
    if not isinstance(values, dict):
        name = type(values).__name__
        faults.append(Message.of("model-checkpoint-no-object", file=path.name, type=name))
        return None
    return values


def outline_of(name_or_path: str | Path) -> Outline | None:
    """Return what a checkpoint says of itself without reading its weights; None if unreadable."""
    path = checkpoint_path(name_or_path)
    settings = _read_json(path / CONFIG, [])
    family = _family_of(settings, []) if settings is not None else None
    config = _config_of(family, settings, []) if family and settings is not None else None
    if family is None:
        return None
    details = (_read_json(path / CARD, []) or {}) if (path / CARD).is_file() else {}
    lineage, training = (entry_as(dict, details.get(name), {}) for name in ("lineage", "training"))
    year = lineage.get("year")
    command = entry_as(str, training.get("command"), "")
    words = words_in(entry_as(dict, details.get("words"), {}))
    return Outline(
        name=path.name,
        architecture=family.name,
        capabilities=family.capabilities if config is None else family.offers(config),
        languages=tuple(map(str, entry_as(list, details.get("languages"), []))),
        title=entry_as(str, details.get("title"), path.name),
        titles={language: texts["title"] for language, texts in words.items() if "title" in texts},
        year=year if isinstance(year, int) else None,
        of_lineage=bool(lineage) or LINEAGE in command,
    )


def save_checkpoint(
    path: Path,
    model: nn.Module,
    tokenizer: TextTokenizer | Mapping[str, TextTokenizer],
    *,
    architecture: str = "transformer",
    card: dict[str, Any] | None = None,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write a folder that `load_checkpoint` reads.

    Parameters
    ----------
    path : Path
        The folder; it is created, and files in it are overwritten.
    model : nn.Module
        A model with its config as `config`.
    tokenizer : TextTokenizer or mapping
        One vocabulary for all sides, or one for each of "source" and "target".
    architecture : str
        Name of the family.
    card : dict, optional
        Content of card.json.
    dtype : torch.dtype
        Type of floating-point weights on disk; integer buffers keep theirs.
    """
    path.mkdir(parents=True, exist_ok=True)
    config = {"architecture": architecture, **asdict(config_of(model))}
    (path / CONFIG).write_text(json.dumps(config, indent=2) + "\n")
    _save_vocabularies(path, tokenizer)
    tensors = {
        # safetensors refuses strided views, which `finish_loading` makes of every matrix.
        name: (t.detach().to(dtype) if t.is_floating_point() else t.detach()).contiguous()
        for name, t in stored_tensors(model).items()
    }
    safetensors.torch.save_file(tensors, path / WEIGHTS)
    if card is not None:
        text = json.dumps(card, indent=2, ensure_ascii=False)
        (path / CARD).write_text(text + "\n", encoding="utf-8")


def _save_vocabularies(path: Path, tokenizer: TextTokenizer | Mapping[str, TextTokenizer]) -> None:
    """Write one vocabulary file, or one for each side, into the folder `path`."""
    if isinstance(tokenizer, TextTokenizer):
        vocabularies = {TOKENIZER: tokenizer}
    else:
        vocabularies = {f"{side}_{TOKENIZER}": of_side for side, of_side in tokenizer.items()}
    # An old tokenizer.json would win over new files for each side.
    for stale in path.glob(f"*{TOKENIZER}"):
        stale.unlink()
    for name, vocabulary in vocabularies.items():
        vocabulary.save(path / name)
