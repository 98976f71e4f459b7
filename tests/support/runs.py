"""Data and settings of trainings that are over in seconds."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from model.io.assembly import stored_tensors
from support.models import ROOT

TRAINING = json.loads((ROOT / "training/configs/small.json").read_text("utf-8"))["training"]
"""All that the config of a run says of its training."""
TINY_RUN = {
    "name": "tiny", "title": "Tiny", "languages": ["en", "de"],
    "data": {"sets": [{"folder": "tiny"}]},
    "tokenizer": {"vocab_size": 100},
    "model": {
        "d_model": 16, "n_heads": 2, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 32,
        "max_len": 128,
    },
    "training": {
        "seed": 1, "label_smoothing": 0.1, "batch_tokens": 200, "max_len": 60,
        "warmup": 20, "factor": 1.0, "clip_norm": 1.0, "bf16": False, "max_steps": 20,
        "log_every": 1, "validate_every": 10, "save_every": 5, "patience": 5, "average": 3,
    },
}  # fmt: skip
"""The settings of a run that is over in seconds."""


def write_pairs(path: Path, pairs: Iterable[Sequence[str]]) -> None:
    """Lines of two columns as a set of a training holds them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join("\t".join(each) + "\n" for each in pairs).encode()))


def write_run(
    folder: Path, settings: dict[str, Any], model: torch.nn.Module, tokenizer: Any, step: int
) -> None:
    """A folder as a training leaves it after `step`."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(settings))
    tokenizer.save(folder / "tokenizer.json")
    tensors = {name: tensor.clone() for name, tensor in stored_tensors(model).items()}
    safetensors.torch.save_file(tensors, folder / f"weights-{step:07d}.safetensors")
    line = {"step": step, "seconds": 60.4, "tokens_per_second": 500.0, "epoch": 1}
    (folder / "metrics.jsonl").write_text(json.dumps(line) + "\n")
