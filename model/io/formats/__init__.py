"""Foreign model files: recognised by a format, converted into the content of a checkpoint."""

from __future__ import annotations

import hashlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from torch import Tensor

from core.card import fingerprint_of
from words import Message, language_code

from ...config import TransformerConfig
from ...errors import CheckpointError, format_error
from ...tokenizer import TextTokenizer
from ..assembly import (
    LoadedCheckpoint,
    card_of,
    finish_loading,
    listed,
    model_of,
    unfit,
    vocabulary_faults,
)
from ..checkpoint import cached_model, title_of
from ..registry import families
from .vocabulary import named_languages, spoken

MOST_FILES = 1000
"""Most files in the folder of a model; a folder with more holds much else."""
POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024  # bytes; a Git LFS pointer has about 130
# A file of these kinds may be one part of a model that needs the whole folder.
_OF_FOLDER = (".json", ".safetensors", ".bin", ".spm", ".model", ".yml")
# Kinds of files that some format reads; a pointer in place of any other does no harm.
_READ = (*_OF_FOLDER, ".npz", ".pt", ".pth", ".ckpt", ".txt", ".argosmodel", ".zip")
# Archives are named in a refusal and never opened.
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z")
Options = Mapping[str, str]
"""Facts that no file states, given by a person: ``heads``, ``norm``."""


@dataclass(frozen=True)
class Converted:
    """Content of foreign files in the terms of this project."""

    config: TransformerConfig
    tensors: Mapping[str, Tensor]  # by parameter names of `model.families.transformer`
    tokenizers: Mapping[str, TextTokenizer]  # by "source" and "target", one object if shared
    card: Mapping[str, Any] = field(default_factory=dict)  # as card.json: title, languages, guided


@dataclass(frozen=True)
class Format:
    """Layout of files: a renaming of tensors that no other module knows of."""

    name: str  # as people call it: "CTranslate2"
    recognises: Callable[[Path], bool]  # True for a folder or file, by names and first bytes alone
    # Raises CheckpointError, naming the field, if something is missing, damaged or not
    # representable.
    read: Callable[[Path, Options], Converted]
    options: tuple[str, ...] = ()  # names of `Options` that it may need


def formats() -> tuple[Format, ...]:
    """Return every format: the modules of this package with a ``FORMAT``."""
    modules = (import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    return tuple(module.FORMAT for module in modules if hasattr(module, "FORMAT"))


def format_of(path: Path) -> Format | None:
    """Return the format of what lies at `path`, or None if no format recognises it."""
    return next((file_format for file_format in formats() if file_format.recognises(path)), None)


def find_format(path: Path) -> tuple[Path, Format | None]:
    """Return the path of foreign files and their format, None if it is unknown.

    The path of one file of a folder that is a model as a whole becomes the folder.
    """
    file_format = _checked_format(path)
    may_be_part = path.is_file() and path.suffix in _OF_FOLDER
    if file_format is None and may_be_part and format_of(path.parent):
        return path.parent, _checked_format(path.parent)
    return path, file_format


def _checked_format(path: Path) -> Format | None:
    """Return `format_of` what lies at `path`.

    Raises CheckpointError if a link leads out of the folder, or the folder holds too many files.
    """
    inside = path.rglob("*") if path.is_dir() else iter(())
    # A path such as "/" must not be walked to its end.
    entries = list(islice(inside, MOST_FILES + 1))
    if len(entries) > MOST_FILES:
        raise format_error("many", name=str(path), n=MOST_FILES)
    # The files of a snapshot in the Hugging Face cache are links into the folder ``blobs`` beside
    # it.
    root = path.resolve()
    roots = (root, root.parent.parent / "blobs") if cached_model(root) else (root,)
    for entry in entries:
        if entry.is_symlink() and not any(map(entry.resolve().is_relative_to, roots)):
            raise format_error("link", file=str(entry.relative_to(path)), path=str(path))
    return format_of(path)


def convert(path: Path, file_format: Format, options: Options, device: str) -> LoadedCheckpoint:
    """Convert what a format reads at `path`, and verify it as a checkpoint is verified."""
    content = file_format.read(path, options)
    family = families()["transformer"]
    faults = list(content.config.faults())
    files = dict.fromkeys(content.tokenizers, path.name)
    faults += vocabulary_faults(files, family, content.config, content.tokenizers)
    model = None
    # A model of faulty sizes cannot be built.
    if not faults:
        model = model_of(family, content.config, content.tensors, content.tokenizers, faults)
    if faults or model is None:
        raise unfit(path, faults, Message.of("format-unfit-hint", format=file_format.name))
    title = title_of(path)
    languages = [language_code(code) for code in _languages(content, title)]
    details = {"title": title, **content.card, "languages": languages, "format": file_format.name}
    # Converted models have no files of ours, so the fingerprint is that of their content.
    fingerprint = fingerprint_of(asdict(content.config), *_marks(content))
    card = card_of(path, fingerprint, family, model, details)
    return finish_loading(card, family, model, content.tokenizers, device)


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


# -- refusals -------------------------------------------------------------------------------


def unknown_format(path: Path) -> CheckpointError:
    """Build the error for files of no known format."""
    files = sorted(file.name for file in path.iterdir()) if path.is_dir() else [path.name]
    names = ", ".join(file_format.name for file_format in formats())
    refusal = format_error("unknown", name=repr(path.name), found=listed(files), known=names)
    archive = next((file for file in files if file.endswith(_ARCHIVES)), None)
    if archive is None:
        return refusal
    return CheckpointError(refusal.message, hint=Message.of("format-archive", file=archive))


def with_advice(error: CheckpointError, path: Path, file_format: Format | None) -> CheckpointError:
    """Return the error with a hint that fits what lies at `path`."""
    # Files that Git LFS has not fetched explain most errors of a fresh clone, so they are named
    # first.
    pointers = _pointers(path)
    if file_format is not None:
        pointers = [file for file in pointers if file in str(error)]
    if pointers:
        return format_error("pointer", files=listed(pointers), path=str(path))
    advice = error.hint if file_format else _lies_here(path) or error.hint
    return CheckpointError(error.message, hint=advice)


def _pointers(path: Path) -> list[str]:
    """Return the names of readable files that are only Git LFS pointers."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    pointers = []
    for file in files:
        is_small = file.is_file() and file.stat().st_size < _LARGEST_POINTER
        if is_small and file.suffix in _READ and file.read_bytes().startswith(POINTER):
            pointers.append(file.name)
    return pointers


def _lies_here(path: Path) -> Message | None:
    """Return the command for a foreign file in a folder that is no checkpoint."""
    for file in sorted(path.glob("*")):
        if file.is_file() and format_of(file):
            return Message.of("format-lies-here", file=file.name, path=str(file))
    return None
