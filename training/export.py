"""Export a run as a checkpoint: average the last weights, write card, metrics and formation."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from model.io.assembly import LoadedCheckpoint, set_weights, stored_tensors
from model.io.checkpoint import load_checkpoint, save_checkpoint
from model.io.formation import FORMATION, METRICS
from model.tokenizer import TextTokenizer

from .card import card_of, stored_card, write_card
from .corpora.text_pairs import CorpusError
from .formation import merge_formation, sentences_of
from .objectives.families import model_for
from .runs import metrics_of, settings_of_run
from .settings import family_of


def average_weights(files: list[Path]) -> dict[str, torch.Tensor]:
    """Return the mean of each parameter over saved steps (Vaswani et al. 2017, section 6.1)."""
    total: dict[str, torch.Tensor] = {}
    for file in files:
        for name, tensor in safetensors.torch.load_file(file).items():
            # Sums in float64: the mean of many float32 tensors should not depend on their order.
            total[name] = total[name] + tensor.double() if name in total else tensor.double()
    return {name: (tensor / len(files)).float() for name, tensor in total.items()}


def unpack_checkpoint(checkpoint: Path, settings: dict[str, Any], run: Path) -> None:
    """Restore the folder of a finished run from its checkpoint, to measure it beside other runs.

    The folder holds the checkpoint's weights as those of its last step, and the hardware of its
    training; training cannot continue from it. `settings` are those of the run's config.

    Raises CorpusError if the checkpoint belongs to another run, or if `run` exists already.
    """
    card = stored_card(checkpoint)
    if card.get("name") != settings["name"]:
        raise CorpusError(f"{checkpoint} is no checkpoint of {settings['name']}")
    if run.exists():
        raise CorpusError(f"{run} is there already")
    weights = stored_tensors(load_checkpoint(checkpoint).model)
    run.mkdir(parents=True)
    # Measured here, but trained there: tables name the hardware of the training.
    restored = settings | {"hardware": card["training"]["hardware"]}
    (run / "config.json").write_text(json.dumps(restored, indent=2, ensure_ascii=False), "utf-8")
    for name in ("tokenizer.json", METRICS):
        shutil.copy(checkpoint / name, run / name)
    safetensors.torch.save_file(
        {name: tensor.detach().float().contiguous() for name, tensor in weights.items()},
        run / f"weights-{card['training']['steps']:07d}.safetensors",
    )


def export_run(
    run: Path, target: Path, *, newest: int | None = None, steps: Sequence[int] = ()
) -> dict[str, Any]:
    """Write the checkpoint folder of a run and return its card, scores still empty.

    `newest`: average this many of the newest saved weights; all kept ones by default. `steps`:
    average the weights of these steps instead; a step named twice counts twice.
    """
    settings = settings_of_run(run)
    special = family_of(settings).special_tokens
    tokenizer = TextTokenizer.from_file(run / "tokenizer.json", special)
    # [-0:] is the whole list: without `newest` all files are taken.
    files = sorted(run.glob("weights-*.safetensors"))[-(newest or 0) :]
    if steps:
        files = [run / f"weights-{step:07d}.safetensors" for step in steps]
    if not files:
        raise FileNotFoundError(f"{run} holds no weights-*.safetensors yet")
    model = model_for(settings, tokenizer)
    set_weights(model, average_weights(files))
    card = card_of(settings, metrics_of(run), [int(f.stem.split("-")[1]) for f in files])
    target.mkdir(parents=True, exist_ok=True)
    architecture = family_of(settings).name
    # Half precision halves the file; scores are measured on the rounded weights.
    save_checkpoint(target, model, tokenizer, architecture=architecture, dtype=torch.float16)
    write_card(target, card)
    shutil.copy(run / METRICS, target / METRICS)
    merge_formation(run, target / FORMATION, tokenizer, sentences_of(settings))
    return card


def averaged(run: Path) -> LoadedCheckpoint:
    """Return the checkpoint that a run gives today, as `export` would write it."""
    # By way of files, so that the weights are rounded exactly like those of an exported checkpoint.
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / run.name
        export_run(run, target)
        return load_checkpoint(target)
