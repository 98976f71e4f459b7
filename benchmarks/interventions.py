"""Time runs with interventions, one at a time and as a batch.

`python -m benchmarks.interventions [--repeats N] [--write]`

A changed run is compared with the plain one. Ablating every head, or hiding every token, in one
batch is compared with the same changes in one run each. torch has one thread.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import torch
from typer import Option

from core.interventions.intervention import Intervention, hide
from core.interventions.kinds import AblatedHead, LiftedMask, Positions
from core.search import Decoding
from model import load_translator
from model.experiments.ablation import knock_out
from model.experiments.explain import explain
from training.commands import alone

from .cases import SENTENCE
from .commands import Repeats, Write
from .report import Aim, publish
from .timing import interleave

KNOCK_OUT_LIMIT = 1.0  # seconds


@dataclass(frozen=True)
class Job:
    """Work that is done together, and the same work one by one."""

    name: str
    together: Callable[[], object]
    alone: Callable[[], object]


def run(checkpoint: str, repeats: int) -> dict[str, Any]:
    """Measure everything; return the values of the template ``interventions``."""
    torch.set_num_threads(1)
    translator = load_translator(checkpoint)
    plain = translator.translate(SENTENCE)
    greedy = Decoding(beam_size=1, alpha=0.0)
    changes = {
        "plain": None,
        "a token hidden": hide(1),
        "a head at zero": Intervention(AblatedHead("cross", 1, 0)),
        "a head uniform": Intervention(AblatedHead("cross", 1, 0, "uniform")),
        "positions reversed": Intervention(Positions("reversed")),
        "causal mask off": Intervention(LiftedMask()),
    }
    # Reading is the shortest work, so it is repeated most.
    reading = interleave(
        {
            name: lambda change=change: translator.read_again(plain.src, plain.tgt, change)
            for name, change in changes.items()
        },
        repeats=4 * repeats,
    )
    searching = interleave(
        {
            name: lambda change=change: translator.search(SENTENCE, intervention=change)
            for name, change in changes.items()
        },
        repeats=2 * repeats,
    )

    # `heads` is set below, before this is called.
    def heads_alone() -> None:
        for site, layer, head in heads:
            change = Intervention(AblatedHead(site, layer, head))
            translator.read_again(plain.src, plain.tgt, change)
            translator.search(SENTENCE, greedy, intervention=change)

    def tokens_alone() -> None:
        for position in range(len(plain.src)):
            translator.read_again(plain.src, plain.tgt, hide(position))

    knocked = knock_out(translator, plain.src, plain.tgt)
    heads = knocked.heads
    jobs = [
        Job(
            f"every head knocked out, {len(heads)} heads, log P and greedy output",
            lambda: knock_out(translator, plain.src, plain.tgt),
            heads_alone,
        ),
        Job(
            f"every source token hidden, {len(plain.src)} tokens, gradient and rank correlations",
            lambda: explain(translator, plain.src, plain.tgt),
            tokens_alone,
        ),
    ]
    seconds = {}
    for job in jobs:
        taken = interleave(
            {"together": job.together, "alone": job.alone}, repeats=repeats, warmup=1
        )
        seconds[job.name] = tuple(taken[way].median_ms / 1000 for way in ("together", "alone"))
    times = list(seconds.values())
    return {
        "aims": [Aim("every head knocked out", times[0][0], KNOCK_OUT_LIMIT, " s")],
        "card": translator.card,
        "repeats": repeats,
        "sentence": repr(SENTENCE),
        "plain": plain,
        "reading": reading,
        "searching": searching,
        "seconds": seconds,
    }


def main(
    checkpoint: Annotated[str, Option(help="a name under checkpoints/, or a path")] = "en-de",
    repeats: Repeats = 5,
    write: Write = False,
) -> None:
    publish("interventions", write=write, **run(checkpoint, repeats))


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.interventions", __doc__))
