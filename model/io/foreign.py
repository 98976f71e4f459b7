"""Open whatever lies at a path: a checkpoint, or foreign files through `model.io.formats`."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import torch

from core.card import fingerprint_of
from words import Message, english, language_code
from words.names import said_by

from ..errors import CheckpointError, ModelError, expect
from .assembly import (
    LoadedCheckpoint,
    card_of,
    listed,
    loaded,
    model_of,
    unfit,
    vocabulary_faults,
)
from .checkpoint import (
    REQUIRED,
    checkpoint_path,
    checkpoints_folders,
    is_checkpoint,
    load_checkpoint,
)
from .formats import Converted, Format, Options, formats, recognised
from .formats.vocabulary import named_languages, spoken
from .registry import families

MOST_FILES = 1000
"""Most files in the folder of a model; a folder with more holds much else."""
POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024  # bytes; a Git LFS pointer has about 130
_OF_FOLDER = (".json", ".safetensors", ".bin", ".spm", ".model", ".yml")
_READ = (*_OF_FOLDER, ".npz", ".pt", ".pth", ".txt", ".argosmodel", ".zip")
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z")
_CACHED = re.compile(r"models--(.+)")
_ON_HUB = re.compile(r"[A-Za-z\d][\w.-]*/[A-Za-z\d][\w.-]*")


def load(
    name_or_path: str | Path, device: str = "cpu", options: Options | None = None
) -> LoadedCheckpoint:
    """Load a checkpoint by name or path, or convert foreign files in memory.

    Parameters
    ----------
    name_or_path : str or Path
    device : str
    options : mapping, optional
        Facts that no file states, by the names of `Format.options`.

    Raises
    ------
    CheckpointError
        Names everything that is wrong, and the command that helps.
    ModelError
        If torch cannot use `device`.
    """
    expect("name_or_path", name_or_path, str, os.PathLike)
    expect("options", options, Mapping, type(None))
    _refuse_device(device)
    path, layout = _recognised_at(checkpoint_path(located(name_or_path)))
    options = options or {}
    name = layout.name if layout else "Attention Lab"
    accepted = layout.options if layout else ()
    if unknown := ", ".join(sorted(options.keys() - {*accepted})):
        raise _refusal("options", names=unknown, format=name, known=", ".join(accepted) or "–")
    try:
        if layout is not None:
            return converted(path, layout, options, device)
        if any((path / file).is_file() for file in REQUIRED):
            return load_checkpoint(path, device)
        raise _unrecognised(path)
    except CheckpointError as error:
        raise _with_advice(error, path, layout) from error
    except Exception as error:  # foreign files may cause anything
        fault = said_by(error)
        raise _refusal("fails", name=repr(path.name), format=name, error=fault) from error


def _recognised_at(path: Path) -> tuple[Path, Format | None]:
    """Return the path of a model and its format, None for a checkpoint or something unknown.

    The path of one file of a folder that is a model as a whole becomes the folder.
    """
    layout = None if is_checkpoint(path) else _layout_of(path)
    if layout is None and path.is_file() and path.suffix in _OF_FOLDER and recognised(path.parent):
        return path.parent, _layout_of(path.parent)
    return path, layout


def _unrecognised(path: Path) -> CheckpointError:
    """Build the error for files of no known format."""
    files = sorted(file.name for file in path.iterdir()) if path.is_dir() else [path.name]
    names = ", ".join(layout.name for layout in formats())
    refusal = _refusal("unknown", name=repr(path.name), found=listed(files), known=names)
    archive = next((file for file in files if file.endswith(_ARCHIVES)), None)
    if archive is None:
        return refusal
    return CheckpointError(refusal.message, hint=Message.of("format-archive", file=archive))


def _with_advice(error: CheckpointError, path: Path, layout: Format | None) -> CheckpointError:
    """Return the error with a hint that fits what lies at `path`."""
    # Files that Git LFS has not fetched explain most errors of a fresh clone, so they are named
    # first.
    pointers = _pointers(path)
    if layout is not None:
        pointers = [file for file in pointers if file in str(error)]
    if pointers:
        return _refusal("pointer", files=listed(pointers), path=str(path))
    advice = error.hint if layout else _lies_here(path) or error.hint
    return CheckpointError(error.message, hint=advice)


def located(name_or_path: str | os.PathLike[str]) -> Path:
    """Return the path that a person means.

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
        raise _refusal("hub", name=text, folder=path.name)
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
        raise _refusal("cache", path=str(path / "snapshots"), found=names)
    return snapshots[0]


def title_of(path: Path) -> str:
    """Return a model's title by its path; in the Hugging Face cache, that of the model's folder."""
    cached = _CACHED.fullmatch(path.parent.parent.name) if path.parent.name == "snapshots" else None
    return cached[1].rpartition("--")[2] if cached else path.stem


def _refuse_device(device: str) -> None:
    """Raise ModelError if torch cannot put a tensor on `device`."""
    expect("device", device, str, torch.device)
    try:
        # Copied back, because an accelerator may fail only when its result is read.
        torch.zeros(1, device=device).cpu()
    except Exception as error:  # torch raises several classes, and asserts
        available = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
        reason = str(error).partition("\n")[0]
        message = Message.of("model-device", device=repr(str(device)), error=reason)
        hint = Message.of("model-device-hint", known=", ".join(available))
        raise ModelError(message, hint=hint) from error


def _pointers(path: Path) -> list[str]:
    """Return the names of readable files that are only Git LFS pointers."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    pointers = []
    for file in files:
        is_small = file.is_file() and file.stat().st_size < _LARGEST_POINTER
        if is_small and file.suffix in _READ and file.read_bytes().startswith(POINTER):
            pointers.append(file.name)
    return pointers


def _refusal(id: str, **values: Any) -> CheckpointError:
    """Build an error with the message ``format-<id>``, and its hint if there is one."""
    hint = Message(f"format-{id}-hint", values) if english.has(f"format-{id}-hint") else None
    return CheckpointError(Message(f"format-{id}", values), hint=hint)


def _layout_of(path: Path) -> Format | None:
    """Return the format of what lies at `path`.

    Raises CheckpointError if a link leads out of the folder, or the folder holds too many files.
    """
    inside = path.rglob("*") if path.is_dir() else iter(())
    # A path such as "/" must not be walked to its end.
    entries = list(islice(inside, MOST_FILES + 1))
    if len(entries) > MOST_FILES:
        raise _refusal("many", name=str(path), n=MOST_FILES)
    # The files of a snapshot in the Hugging Face cache are links into the folder ``blobs`` beside
    # it.
    root = path.resolve()
    cached = root.parent.name == "snapshots" and _CACHED.fullmatch(root.parent.parent.name)
    roots = (root, root.parent.parent / "blobs") if cached else (root,)
    for entry in entries:
        if entry.is_symlink() and not any(map(entry.resolve().is_relative_to, roots)):
            raise _refusal("link", file=str(entry.relative_to(path)), path=str(path))
    return recognised(path)


def _lies_here(path: Path) -> Message | None:
    """Return the command for a foreign file in a folder that is no checkpoint."""
    for file in sorted(path.glob("*")):
        if file.is_file() and recognised(file):
            return Message.of("format-lies-here", file=file.name, path=str(file))
    return None


def converted(path: Path, layout: Format, options: Options, device: str) -> LoadedCheckpoint:
    """Convert what a format reads at `path`, and verify it as a checkpoint is verified."""
    content = layout.read(path, options)
    family = families()["transformer"]
    faults = list(content.config.faults())
    files = dict.fromkeys(content.tokenizers, path.name)
    faults += vocabulary_faults(files, family, content.config, content.tokenizers)
    model = None
    if not faults:
        model = model_of(family, content.config, content.tensors, content.tokenizers, faults)
    if faults or model is None:
        raise unfit(path, faults, Message.of("format-unfit-hint", format=layout.name))
    title = title_of(path)
    languages = [language_code(code) for code in _languages(content, title)]
    details = {"title": title, **content.card, "languages": languages, "format": layout.name}
    # Converted models have no files of ours, so the fingerprint is that of their content.
    fingerprint = fingerprint_of(asdict(content.config), *_marks(content))
    card = card_of(path, fingerprint, family, model, details)
    return loaded(card, family, model, content.tokenizers, device)


def _languages(content: Converted, title: str) -> list[str]:
    """Return the languages of source and target, by the files or else by the model's title."""
    entries = ("source_lang", "target_lang")
    of_files = dict(zip(entries, content.card.get("languages", ()), strict=False))
    # A side without a language is called by its own name.
    of_files = {
        entry: code for entry, code in of_files.items() if code != entry.removesuffix("_lang")
    }
    of_title = {f"{side}_lang": code for side, code in named_languages(title).items()}
    return spoken(of_files, of_title)


def _marks(content: Converted) -> Iterator[bytes]:
    """Yield the bytes that identify vocabularies and weights, for a fingerprint."""
    for side, tokenizer in sorted(content.tokenizers.items()):
        yield f"{side} {tokenizer.spec}".encode()
    for name, tensor in sorted(content.tensors.items()):
        yield name.encode()
        yield hashlib.sha256(tensor.detach().float().contiguous().numpy().tobytes()).digest()
