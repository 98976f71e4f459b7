"""Compare the time of `run_with_cache` with that of the same pass without a cache.

`python -m benchmarks.activations [--repeats N] [--write]`

Every case tokenises the pair and runs the model once over it; torch has one thread.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

import torch
from typer import Option

from model import Translator, load_translator
from model.teacher_forcing import read_ids, tensor_of
from training.commands import alone

from .cases import SENTENCE
from .commands import Repeats, Write
from .report import Aim, publish
from .timing import interleave

MOST_OF_PLAIN = 1.1
"""Time of a run that caches patterns, relative to a run without a cache."""


def run(checkpoint: str, repeats: int) -> tuple[list[Aim], dict[str, Any]]:
    """Measure everything; return the aims and the values of the template ``activations``."""
    torch.set_num_threads(1)
    translator = load_translator(checkpoint)
    target = translator.translate(SENTENCE).text
    timings = interleave(cases(translator, SENTENCE, target), repeats=repeats)
    plain, patterns, _ = timings.values()
    relative = patterns.median_ms / plain.median_ms
    aims = [Aim("patterns cached, relative to no cache", relative, MOST_OF_PLAIN, "×")]
    return aims, {
        "card": translator.card,
        "repeats": repeats,
        "sentence": repr(SENTENCE),
        "timings": timings,
        "n_names": len(translator.names()),
        "plain": plain,
    }


def cases(translator: Translator, source: str, target: str) -> dict[str, Callable[[], object]]:
    """Return the pass without a cache, with patterns, and with all activations."""

    @torch.inference_mode()
    def without() -> torch.Tensor:
        src = translator.source_of(source, "sentence")
        tgt = translator.target_of(target, "translation")
        read = tensor_of(translator.model, read_ids(translator.model.config, tgt.ids))
        return translator.model(translator.input_of(src), read)

    return {
        "no cache": without,
        "patterns": lambda: translator.run_with_cache(source, target, names="*.pattern"),
        "all activations": lambda: translator.run_with_cache(source, target),
    }


def main(
    checkpoint: Annotated[str, Option(help="a name under checkpoints/, or a path")] = "en-de",
    repeats: Repeats = 100,
    write: Write = False,
) -> None:
    aims, values = run(checkpoint, repeats)
    publish("activations", aims, values, write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.activations", __doc__))
