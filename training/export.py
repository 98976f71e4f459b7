"""From a run to a checkpoint: average the last weights, write card, metrics and formation."""

from __future__ import annotations

import json
import platform
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from model.checkpoint import save_checkpoint
from model.config import TransformerConfig
from model.tokenizer import TextTokenizer
from model.transformer import Transformer

from .formation import merge_formation

LICENCE = (
    "Weights: research use only. Trained on Multi30k task 1 (captions from Flickr30k, research "
    "use), on Tatoeba sentence pairs (CC BY 2.0 FR, tatoeba.org through manythings.org/anki) and "
    "on generated coreference pairs (MIT, as the code)."
)


def average_weights(files: list[Path]) -> dict[str, torch.Tensor]:
    """The mean of each parameter over several saved steps (Vaswani et al. 2017, section 6.1)."""
    total: dict[str, torch.Tensor] = {}
    for file in files:
        for name, tensor in safetensors.torch.load_file(file).items():
            total[name] = total[name] + tensor.double() if name in total else tensor.double()
    return {name: (tensor / len(files)).float() for name, tensor in total.items()}


def export_run(run: Path, target: Path, *, newest: int | None = None) -> dict[str, Any]:
    """Write the checkpoint folder of a run and return its card, scores still empty.

    Parameters
    ----------
    newest : average this many of the saved weights; all that were kept by default
    """
    settings = json.loads((run / "config.json").read_text())
    tokenizer = TextTokenizer.from_file(run / "tokenizer.json")
    known = {f.name for f in fields(TransformerConfig)}
    config = TransformerConfig(
        vocab_size=tokenizer.vocab_size,
        dropout=settings["training"]["dropout"],
        **{k: v for k, v in settings["model"].items() if k in known},
    )
    files = sorted(run.glob("weights-*.safetensors"))[-(newest or 0) :]
    if not files:
        raise FileNotFoundError(f"{run} holds no weights-*.safetensors yet")
    model = Transformer(config)
    model.load_state_dict(average_weights(files))
    metrics = [json.loads(x) for x in (run / "metrics.jsonl").read_text().splitlines() if x]
    card = card_of(settings, metrics, [int(f.stem.split("-")[1]) for f in files])
    target.mkdir(parents=True, exist_ok=True)
    save_checkpoint(target, model, tokenizer, card=card, dtype=torch.float16)
    shutil.copy(run / "metrics.jsonl", target / "metrics.jsonl")
    merge_formation(run, target / "formation.npz", tokenizer)
    return card


def card_of(settings: dict[str, Any], metrics: list[dict], averaged: list[int]) -> dict[str, Any]:
    """What is known of a run before it is evaluated."""
    steps = [m for m in metrics if "seconds" in m]
    checks = [m for m in metrics if "val_loss" in m]
    return {
        "name": settings["name"],
        "title": settings["title"],
        "description": settings.get("description", ""),
        "languages": settings["languages"],
        "licence": LICENCE,
        "guided": settings["training"].get("guided"),
        "data": settings["data"],
        "training": {
            "command": f"python -m training --config training/configs/{settings['name']}.json",
            "hardware": hardware(),
            "minutes": round(steps[-1]["seconds"] / 60, 1) if steps else 0.0,
            "steps": max((m["step"] for m in metrics), default=0),
            "epochs": steps[-1]["epoch"] if steps else 0,
            "averaged_steps": averaged,
            "last_val_loss": checks[-1]["val_loss"] if checks else None,
            "settings": settings["training"],
        },
        "scores": {},
        "heads": {},
    }


def hardware() -> str:
    """The device of this machine in words."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = names[0].split(":", 1)[1].strip() if names else cpu
    return f"{cpu}, {torch.get_num_threads()} threads"
