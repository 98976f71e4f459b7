"""Checkpoints on disk: JSON and safetensors, never a pickle; every damage named."""

from __future__ import annotations

import difflib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import nn

from records import CheckpointCard, fingerprint_of
from words import Message

from .config import config_from_dict
from .errors import CheckpointError
from .registry import ARCHITECTURES
from .tokenizer import BOS, EOS, PAD, UNK, TextTokenizer

CONFIG, WEIGHTS, TOKENIZER, CARD, SEARCH, INTERVENTIONS = (
    "config.json", "model.safetensors", "tokenizer.json", "card.json", "search.json",
    "interventions.json",
)  # fmt: skip
REQUIRED = (CONFIG, WEIGHTS, TOKENIZER)
FOLDER_VARIABLE = "ATTENTION_LAB_CHECKPOINTS"
SAME_RUN = Message("model-checkpoint-same-run")


@dataclass(frozen=True)
class LoadedCheckpoint:
    """A checkpoint in memory; the model is in evaluation mode and shared by all callers."""

    model: nn.Module
    tokenizer: TextTokenizer
    card: CheckpointCard


def checkpoints_folder() -> Path:
    """``checkpoints/`` of this project, or the folder named by ATTENTION_LAB_CHECKPOINTS."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(__file__).resolve().parent.parent / "checkpoints"


def list_checkpoints(folder: Path | str | None = None) -> list[str]:
    """Names of the checkpoints in `folder`, damaged ones included, "en-de" first."""
    root = Path(folder) if folder else checkpoints_folder()
    if not root.is_dir():
        return []
    names = sorted(p.name for p in root.iterdir() if p.is_dir() and not p.name.startswith("."))
    return sorted(names, key=lambda name: name != "en-de")


def checkpoint_path(name_or_path: str | Path) -> Path:
    """The folder of a name under ``checkpoints/``, or of a path.

    Raises
    ------
    CheckpointError : there is no such folder; names near it are suggested.
    """
    path = Path(name_or_path)
    if path.is_dir():
        return path
    inside = checkpoints_folder() / path
    if inside.is_dir():
        return inside
    known = list_checkpoints()
    near = difflib.get_close_matches(str(name_or_path), known, n=1)
    if near:
        hint = Message.of("model-checkpoint-unknown-near", name=repr(near[0]))
    elif known:
        hint = Message.of("model-checkpoint-unknown-known", names=", ".join(known))
    else:
        hint = Message.of(
            "model-checkpoint-unknown-none",
            files=", ".join(REQUIRED),
            folder=checkpoints_folder().name,
        )
    told = Message.of("model-checkpoint-unknown", name=repr(str(name_or_path)))
    raise CheckpointError(told, hint=hint)


def load_checkpoint(name_or_path: str | Path, device: str = "cpu") -> LoadedCheckpoint:
    """Load and check a checkpoint folder.

    Raises
    ------
    CheckpointError : something is missing, damaged or does not fit; one message names everything
        that is wrong.
    """
    path = checkpoint_path(name_or_path)
    faults: list[Message] = []
    missing = [name for name in REQUIRED if not (path / name).is_file()]
    faults += [Message.of("model-checkpoint-missing", file=name) for name in missing]

    config, architecture = None, None
    settings = _read_json(path / CONFIG, faults) if CONFIG not in missing else None
    if settings is not None:
        architecture = settings.pop("architecture", None)
        if not isinstance(architecture, str) or architecture not in ARCHITECTURES:
            near = difflib.get_close_matches(str(architecture), ARCHITECTURES, n=1)
            name = repr(architecture)
            faults.append(
                Message.of("model-checkpoint-architecture-near", name=name, near=repr(near[0]))
                if near
                else Message.of(
                    "model-checkpoint-architecture", name=name, known=", ".join(ARCHITECTURES)
                )
            )
        else:
            try:
                config = config_from_dict(ARCHITECTURES[architecture][0], settings, name=CONFIG)
            except CheckpointError as error:
                faults.append(error.message)

    tokenizer = None
    if TOKENIZER not in missing:
        try:
            tokenizer = TextTokenizer.from_file(path / TOKENIZER)
        except CheckpointError as error:
            faults.append(error.message)

    tensors = None
    if WEIGHTS not in missing:
        try:
            tensors = safetensors.torch.load_file(path / WEIGHTS)
        except (SafetensorError, OSError, ValueError) as error:
            faults.append(Message.of("model-checkpoint-damaged", file=WEIGHTS, error=str(error)))

    details, searches, interventions = (
        (_read_json(path / name, faults) or {}) if (path / name).is_file() else {}
        for name in (CARD, SEARCH, INTERVENTIONS)
    )

    if config is not None and tokenizer is not None and tokenizer.vocab_size != config.vocab_size:
        sizes = {"n": tokenizer.vocab_size, "expected": config.vocab_size}
        faults.append(Message.of("model-checkpoint-vocabulary", **sizes))
    if config is not None and tokenizer is not None:
        for entry, token in (("pad_id", PAD), ("unk_id", UNK), ("bos_id", BOS), ("eos_id", EOS)):
            if getattr(config, entry) != tokenizer.id_of(token):
                faults.append(
                    Message.of(
                        "model-checkpoint-special",
                        entry=entry,
                        id=getattr(config, entry),
                        token=token,
                        found=tokenizer.id_of(token),
                    )
                )
    model = None
    if config is not None and tensors is not None:
        with torch.device("meta"):
            expected = {
                name: tuple(p.shape)
                for name, p in ARCHITECTURES[architecture][1](config).named_parameters()
            }
        faults += _tensor_faults(expected, tensors)
        if not faults:
            model = ARCHITECTURES[architecture][1](config)
            model.load_state_dict({name: t.float() for name, t in tensors.items()})
    if faults or model is None or tokenizer is None:
        raise CheckpointError(
            Message.of("model-checkpoint-unfit", name=repr(path.name), faults=tuple(faults)),
            hint=SAME_RUN,
        )
    model.eval().to(device)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
        if parameter.dim() == 2:
            # Stored column by column, x W^T reads the weights in order: a third less time for
            # the few rows of a search step. Shapes and values stay as they were.
            parameter.data = parameter.data.t().contiguous().t()
    card = _card(path, architecture, config, model, details, searches, interventions)
    return LoadedCheckpoint(model, tokenizer, card)


def _read_json(path: Path, faults: list[Message]) -> dict[str, Any] | None:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        faults.append(Message.of("model-checkpoint-no-json", file=path.name, error=str(error)))
        return None
    if not isinstance(values, dict):
        found = {"file": path.name, "type": type(values).__name__}
        faults.append(Message.of("model-checkpoint-no-object", **found))
        return None
    return values


def _tensor_faults(expected: dict[str, tuple], tensors: dict[str, torch.Tensor]) -> list[Message]:
    faults = []
    absent = sorted(expected.keys() - tensors.keys())
    foreign = sorted(tensors.keys() - expected.keys())
    if absent:
        faults.append(Message.of("model-checkpoint-lacks", file=WEIGHTS, names=_some(absent)))
    if foreign:
        faults.append(Message.of("model-checkpoint-foreign", file=WEIGHTS, names=_some(foreign)))
    for name in sorted(expected.keys() & tensors.keys()):
        found = tuple(tensors[name].shape)
        if found != expected[name]:
            shapes = {"found": str(found), "expected": str(expected[name])}
            faults.append(Message.of("model-checkpoint-shape", name=name, **shapes))
        elif not bool(torch.isfinite(tensors[name]).all()):
            faults.append(Message.of("model-checkpoint-not-finite", name=name))
    return faults


def _some(names: list[str], most: int = 3) -> Message | str:
    named = ", ".join(names[:most])
    if len(names) <= most:
        return named
    return Message.of("model-checkpoint-more", names=named, n=len(names) - most)


def _card(
    path: Path,
    architecture: str,
    config: Any,
    model: nn.Module,
    details: dict[str, Any],
    searches: dict[str, Any],
    interventions: dict[str, Any],
) -> CheckpointCard:
    fingerprint = fingerprint_of(*((path / name).read_bytes() for name in REQUIRED))
    languages = details.get("languages")
    if not (isinstance(languages, list) and len(languages) == 2):
        languages = ["source", "target"]
    return CheckpointCard(
        name=path.name,
        architecture=architecture,
        languages=(str(languages[0]), str(languages[1])),
        n_params=sum(p.numel() for p in model.parameters()),
        config=asdict(config),
        fingerprint=fingerprint,
        title=_as(str, details.get("title"), path.name),
        description=_as(str, details.get("description"), ""),
        licence=_as(str, details.get("licence"), ""),
        scores=_as(dict, details.get("scores"), {}),
        heads=_as(dict, details.get("heads"), {}),
        guided=details.get("guided") if isinstance(details.get("guided"), dict) else None,
        training=_as(dict, details.get("training"), {}),
        searches=_searches(searches, fingerprint),
        interventions=_measured_of(fingerprint, interventions),
    )


def _measured_of(fingerprint: str, values: dict[str, Any]) -> dict[str, Any]:
    """What was measured of these very weights; numbers of others would be wrong here."""
    return values if values.get("fingerprint") == fingerprint else {}


def _searches(values: dict[str, Any], fingerprint: str) -> dict[str, Any]:
    values = _measured_of(fingerprint, values)
    if not values:
        return {}
    sweep, errors = _as(list, values.get("sweep"), []), _as(dict, values.get("errors"), {})
    kept = {
        name: [row for row in _as(list, errors.get(name), []) if isinstance(row, dict)]
        for name in ("tally", "exact")
    }
    return {
        **values,
        "sweep": [row for row in sweep if isinstance(row, dict)],
        "errors": {**errors, **kept},
    }


def _as(kind: type, value: Any, default: Any) -> Any:
    return value if isinstance(value, kind) else default


def save_checkpoint(
    path: Path,
    model: nn.Module,
    tokenizer: TextTokenizer,
    *,
    architecture: str = "transformer",
    card: dict[str, Any] | None = None,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write a folder that `load_checkpoint` reads; `dtype` is that of the weights on disk."""
    path.mkdir(parents=True, exist_ok=True)
    config = {"architecture": architecture, **asdict(model.config)}
    (path / CONFIG).write_text(json.dumps(config, indent=2) + "\n")
    tokenizer.save(path / TOKENIZER)
    tensors = {n: p.detach().to(dtype).contiguous() for n, p in model.named_parameters()}
    safetensors.torch.save_file(tensors, path / WEIGHTS)
    if card is not None:
        text = json.dumps(card, indent=2, ensure_ascii=False)
        (path / CARD).write_text(text + "\n", encoding="utf-8")
