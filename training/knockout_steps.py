"""Every head switched off at every step whose weights a run has kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch

from model.errors import ModelError
from model.family import sites_of
from model.formation import KNOCK_OUTS
from model.intervene import intervening
from model.read import read_ids, tensor_of, token_log_probs
from model.tokenizer import TextTokenizer
from records import AblatedHead, Intervention
from words import Message

from .card import hardware
from .families import family_of, model_for
from .formation import sentences_of
from .loop import set_weights
from .rounding import number


def measure(run: Path) -> dict[str, Any]:
    """The mean change of log p a token, by step, site, layer and head; below 0: it is missed.

    A head is switched off by zeros in the place of its output, one at a time. The sentences are
    those that the run records.

    Raises
    ------
    FileNotFoundError : the run has kept no weights.
    ModelError : nothing can be switched off in models of this family.
    """
    settings = json.loads((run / "config.json").read_text())
    tokenizer = TextTokenizer.from_file(run / "tokenizer.json")
    files = sorted(run.glob("weights-*.safetensors"))
    if not files:
        raise FileNotFoundError(f"{run} holds no weights-*.safetensors")
    family = family_of(settings)
    if "change-ablate" not in family.capabilities:
        raise ModelError(
            Message.of(
                "model-lacks", capability="change-ablate", name=run.name, architecture=family.name
            )
        )
    model = model_for(settings, tokenizer).eval()
    pairs = [tuple(tokenizer.encode(text).ids for text in pair) for pair in sentences_of(settings)]
    changes: dict[str, list] = {site.name: [] for site in sites_of(model)}
    for file in files:
        set_weights(model, safetensors.torch.load_file(file))
        for name, values in _changes(model, pairs).items():
            changes[name].append([[number(x) for x in line] for line in values.tolist()])
    return {
        "command": f"python -m training knock-out-steps --run {run.name}",
        "hardware": hardware(),
        "sentences": len(pairs),
        "steps": [int(file.stem.split("-")[1]) for file in files],
        "changes": changes,
    }


@torch.inference_mode()
def _changes(model: Any, pairs: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
    found = {s.name: np.zeros((len(pairs), s.n_layers, s.n_heads)) for s in sites_of(model)}
    for i, (src, tgt) in enumerate(pairs):
        read = tensor_of(model, read_ids(model.config, tgt))
        places = [
            (site.name, layer, head)
            for site in sites_of(model)
            for layer in range(site.n_layers)
            for head in range(site.n_heads)
        ]
        offs = [Intervention(), *(Intervention(AblatedHead(*place)) for place in places)]
        with intervening(model, offs, n_src=len(src), n_tgt=len(tgt)) as changed:
            n = len(offs)
            source = tensor_of(model, src).expand(n, -1)
            means = token_log_probs(changed(source, read.expand(n, -1)), tgt).mean(dim=-1)
        for (name, layer, head), mean in zip(places, (means[1:] - means[0]).tolist(), strict=True):
            found[name][i, layer, head] = mean
    return {name: values.mean(axis=0) for name, values in found.items()}


def write_knock_outs(folder: Path, found: dict[str, Any]) -> None:
    """Store it beside a checkpoint's formation."""
    text = json.dumps(found)
    (folder / KNOCK_OUTS).write_text(text + "\n", encoding="utf-8")


def report(found: dict[str, Any]) -> str:
    """For each step the head that is missed most."""
    lines = []
    for at, step in enumerate(found["steps"]):
        values = {name: np.array(steps[at]) for name, steps in found["changes"].items()}
        name = min(values, key=lambda each: values[each].min())
        layer, head = np.unravel_index(values[name].argmin(), values[name].shape)
        lines.append(
            f"step {step}: {name} {layer + 1}.{head + 1} {values[name].min():+.3f} a token"
        )
    return "\n".join(lines)
