"""Heads forming: the attention of a dozen sentences at log-spaced training steps."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import torch
from torch import nn

from model.capture import capture_attention
from model.tokenizer import TextTokenizer

SENTENCES: tuple[tuple[str, str], ...] = (
    (
        "The animal didn't cross the street because it was too tired.",
        "Das Tier überquerte die Straße nicht, weil es zu müde war.",
    ),
    (
        "The animal didn't cross the street because it was too wide.",
        "Das Tier überquerte die Straße nicht, weil sie zu breit war.",
    ),
    (
        "The trophy doesn't fit in the suitcase because it is too big.",
        "Der Pokal passt nicht in den Koffer, weil er zu groß ist.",
    ),
    (
        "The dog did not cross the river because it was too deep.",
        "Der Hund überquerte den Fluss nicht, weil er zu tief war.",
    ),
    ("Where is the key? I can't find it.", "Wo ist der Schlüssel? Ich kann ihn nicht finden."),
    ("I have a cat and it is very old.", "Ich habe eine Katze und sie ist sehr alt."),
    (
        "A man in a blue shirt is standing on a ladder cleaning a window.",
        "Ein Mann in einem blauen Hemd steht auf einer Leiter und putzt ein Fenster.",
    ),
    ("Two dogs are running through the snow.", "Zwei Hunde laufen durch den Schnee."),
    (
        "A little girl is playing with a red ball in the garden.",
        "Ein kleines Mädchen spielt im Garten mit einem roten Ball.",
    ),
    ("I don't know where Tom lives.", "Ich weiß nicht, wo Tom wohnt."),
    ("What did you buy yesterday?", "Was hast du gestern gekauft?"),
    ("She has been learning German for three years.", "Sie lernt seit drei Jahren Deutsch."),
)


@torch.no_grad()
def record_formation(model: nn.Module, tokenizer: TextTokenizer, run: Path, step: int) -> None:
    """Teacher-force every sentence and store weights and log-probabilities of this step.

    Writes ``formation/step-<step>.npz``: for sentence i, ``encoder_i``, ``decoder_i``, ``cross_i``
    (L, H, T_q, T_k) and ``log_probs_i`` (T_tgt,), all float16.
    """
    was_training = model.training
    device = next(model.parameters()).device
    model.eval()
    arrays = {}
    for i, (source, target) in enumerate(SENTENCES):
        src = torch.tensor([tokenizer.encode(source).ids], device=device)
        tgt = tokenizer.encode(target).ids
        tgt_in = torch.tensor([[model.config.bos_id, *tgt[:-1]]], device=device)
        with capture_attention(model) as captured:
            log_probs = model(src, tgt_in).log_softmax(dim=-1)[0]
        for kind in captured.kinds:
            arrays[f"{kind}_{i}"] = captured.weights(kind)[0].astype(np.float16)
        picked = log_probs[torch.arange(len(tgt)), torch.tensor(tgt)]
        arrays[f"log_probs_{i}"] = picked.cpu().numpy().astype(np.float16)
    model.train(was_training)
    folder = run / "formation"
    folder.mkdir(exist_ok=True)
    temporary = folder / "part.tmp"
    with temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)
    os.replace(temporary, folder / f"step-{step:07d}.npz")


def merge_formation(run: Path, target: Path, tokenizer: TextTokenizer) -> None:
    """Join the recorded steps into one file.

    ``steps`` (S,); ``sources``, ``targets`` and, for sentence i, ``source_tokens_i``,
    ``target_tokens_i`` as text; ``encoder_i``, ``decoder_i``, ``cross_i`` (S, L, H, T_q, T_k) and
    ``log_probs_i`` (S, T_tgt) as float16.
    """
    files = sorted((run / "formation").glob("step-*.npz"))
    if not files:
        return
    arrays: dict[str, np.ndarray] = {
        "steps": np.array([int(f.stem.split("-")[1]) for f in files]),
        "sources": np.array([s for s, _ in SENTENCES]),
        "targets": np.array([t for _, t in SENTENCES]),
    }
    for i, (source, target_text) in enumerate(SENTENCES):
        arrays[f"source_tokens_{i}"] = np.array(tokenizer.encode(source).tokens)
        arrays[f"target_tokens_{i}"] = np.array(tokenizer.encode(target_text).tokens)
    parts = [np.load(f) for f in files]
    for key in parts[0].files:
        arrays[key] = np.stack([part[key] for part in parts])
    np.savez_compressed(target, **arrays)
