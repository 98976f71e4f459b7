"""Record how heads form: attention on a dozen sentences at log-spaced training steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from core.replacement import replacement
from model.io.formation import observe
from model.tokenizer import TextTokenizer

from .files import read_as

FREQUENCIES = "frequencies.npy"
SENTENCES = read_as(Path(__file__).parent / "sentences.json", tuple[tuple[str, str], ...])


def sentences_of(settings: dict[str, Any]) -> Sequence[Sequence[str]]:
    """Return the pairs that a run records: those of its config, else `SENTENCES`."""
    return settings["training"].get("formation_sentences", SENTENCES)


def record_formation(
    model: nn.Module,
    tokenizer: TextTokenizer,
    run: Path,
    step: int,
    sentences: Sequence[Sequence[str]] = SENTENCES,
) -> None:
    """Teacher-force every sentence and store the attention and probabilities of this step.

    Writes ``formation/step-<step>.npz``: for sentence i and every site of the model ``<site>_i``
    (L, H, T_q, T_k), ``log_probs_i`` and ``word_gain_i`` (T_tgt,), all float16, and ``likeliest_i``
    (T_tgt,), ids; see `core.formation.Observation`. The word gain of a sentence compares it with
    the one half a list away, so that neighbouring twins are never compared.
    """
    # Recorded in the middle of a training: dropout must be off, and on again afterwards.
    was_training = model.training
    model.eval()
    sources = [tokenizer.encode(source).ids for source, _ in sentences]
    arrays = {}
    for i, (_, target) in enumerate(sentences):
        other = sources[(i + len(sources) // 2) % len(sources)] if len(sources) > 1 else ()
        seen = observe(model, sources[i], tokenizer.encode(target).ids, other)
        for name, weights in seen.weights.items():
            arrays[f"{name}_{i}"] = weights.astype(np.float16)
        arrays[f"log_probs_{i}"] = seen.log_probs.astype(np.float16)
        arrays[f"likeliest_{i}"] = seen.likeliest.astype(np.int32)
        if seen.word_gain is not None:
            arrays[f"word_gain_{i}"] = seen.word_gain.astype(np.float16)
    model.train(was_training)
    folder = run / "formation"
    folder.mkdir(exist_ok=True)
    with replacement(folder / f"step-{step:07d}.npz") as part, part.open("wb") as file:
        np.savez_compressed(file, **arrays)


def record_frequencies(sources: Sequence[Sequence[int]], vocab_size: int, run: Path) -> None:
    """Store the mean number of occurrences of each piece in a training source."""
    counts = np.bincount([piece for ids in sources for piece in ids], minlength=vocab_size)
    folder = run / "formation"
    folder.mkdir(exist_ok=True)
    np.save(folder / FREQUENCIES, (counts / max(len(sources), 1)).astype(np.float32))


def merge_formation(
    run: Path,
    target: Path,
    tokenizer: TextTokenizer,
    sentences: Sequence[Sequence[str]] = SENTENCES,
) -> None:
    """Join the recorded steps into one file.

    ``steps`` (S,); ``sources``, ``targets`` and, for sentence i, ``source_tokens_i``,
    ``target_tokens_i`` as text; ``<site>_i`` (S, L, H, T_q, T_k), ``log_probs_i`` and
    ``word_gain_i`` (S, T_tgt) as float16; ``likeliest_i`` (S, T_tgt) as text; ``frequency_i``
    (T_src,), the mean number of occurrences of each source piece in a training source. Arrays that
    an older run did not record are left out.
    """
    files = sorted((run / "formation").glob("step-*.npz"))
    if not files:
        return
    arrays: dict[str, np.ndarray] = {
        "steps": np.array([int(f.stem.split("-")[1]) for f in files]),
        "sources": np.array([source for source, _ in sentences]),
        "targets": np.array([text for _, text in sentences]),
    }
    for i, (source, target_text) in enumerate(sentences):
        arrays[f"source_tokens_{i}"] = np.array(tokenizer.encode(source).tokens)
        arrays[f"target_tokens_{i}"] = np.array(tokenizer.encode(target_text).tokens)
    counted = run / "formation" / FREQUENCIES
    if counted.is_file():
        frequencies = np.load(counted, allow_pickle=False)
        for i, (source, _) in enumerate(sentences):
            arrays[f"frequency_{i}"] = frequencies[list(tokenizer.encode(source).ids)]
    # Pickled arrays could run code: refuse them.
    parts = [np.load(f, allow_pickle=False) for f in files]
    for key in parts[0].files:
        if not all(key in part.files for part in parts):
            continue
        values = np.stack([part[key] for part in parts])
        if key.startswith("likeliest_"):
            values = np.vectorize(tokenizer.token_of, otypes=[str])(values)
        arrays[key] = values
    np.savez_compressed(target, **arrays)
