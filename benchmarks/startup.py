"""Waiting times of a user: from a fresh process to its first translation, then later ones.

Run as ``python -m benchmarks.startup CHECKPOINT SENTENCE N`` it is that process: one JSON line
after the first translation, one after the later ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)


@dataclass(frozen=True)
class Startup:
    """Seconds of one fresh process.

    `to_first`: from starting the interpreter to the end of the first translation. `load_and_first`:
    the part after the imports, which loads the checkpoint and translates. `later`: each further
    translation of the same sentence, every head captured.
    """

    to_first: float
    load_and_first: float
    later: tuple[float, ...]


def measure_startup(checkpoint: Path, sentence: str, *, n_later: int = 20) -> Startup:
    """Start an interpreter on one thread, load `checkpoint` and translate `sentence`."""
    command = [
        sys.executable, "-m", "benchmarks.startup", str(checkpoint), sentence, str(n_later),
    ]  # fmt: skip
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, text=True
    ) as process:
        # The line arrives when the first translation is done: this is the clock's end.
        first = process.stdout.readline()
        to_first = time.perf_counter() - began
        rest = process.stdout.read()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}")
    return Startup(to_first, json.loads(first), tuple(json.loads(rest)))


def _translate(checkpoint: str, sentence: str, n_later: str) -> None:
    """Translate in this process, and print the times."""
    import torch

    from model import load_translator

    torch.set_num_threads(1)
    began = time.perf_counter()
    translator = load_translator(checkpoint)
    translator.translate(sentence)
    print(json.dumps(time.perf_counter() - began), flush=True)
    print(json.dumps([translator.translate(sentence).seconds for _ in range(int(n_later))]))


if __name__ == "__main__":
    _translate(*sys.argv[1:])
