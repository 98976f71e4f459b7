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
from core.records.runs import Translation
from core.records.search import Decoding
from model import Translator, load_translator
from model.experiments.ablation import ablate_each_head
from model.experiments.explain import explain
from training.commands import alone

from .cases import SENTENCE
from .commands import Repeats, Write
from .report import Aim, publish
from .timing import Timing, interleave

KNOCK_OUT_LIMIT = 1.0  # seconds


@dataclass(frozen=True)
class BatchedWork:
    """Work that is done together, and the same work one by one."""

    name: str
    together: Callable[[], object]
    one_by_one: Callable[[], object]


def run(checkpoint: str, repeats: int) -> tuple[list[Aim], dict[str, Any]]:
    """Measure everything; return the aims and the values of the template ``interventions``."""
    torch.set_num_threads(1)
    translator = load_translator(checkpoint)
    plain = translator.translate(SENTENCE)
    reading, searching = _time_single_changes(translator, plain, repeats)
    seconds = {}
    for work in (_every_head(translator, plain), _every_token(translator, plain)):
        cases = {"together": work.together, "one by one": work.one_by_one}
        timings = interleave(cases, repeats=repeats, warmup=1)
        seconds[work.name] = tuple(timings[name].median_ms / 1000 for name in cases)
    heads_together, _ = next(iter(seconds.values()))
    aims = [Aim("every head knocked out", heads_together, KNOCK_OUT_LIMIT, " s")]
    return aims, {
        "card": translator.card,
        "repeats": repeats,
        "sentence": repr(SENTENCE),
        "plain": plain,
        "reading": reading,
        "searching": searching,
        "seconds": seconds,
    }


def _time_single_changes(
    translator: Translator, plain: Translation, repeats: int
) -> tuple[dict[str, Timing], dict[str, Timing]]:
    """Time readings and searches with one change each."""
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
            name: lambda change=change: translator.teacher_force(plain.src, plain.tgt, change)
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
    return reading, searching


def _every_head(translator: Translator, plain: Translation) -> BatchedWork:
    """Return the work of ablating every head, with a reading and a greedy search of each."""
    # The heads that are ablated one by one are those that the batch ablates.
    heads = ablate_each_head(translator, plain.src, plain.tgt).heads
    greedy = Decoding(beam_size=1, alpha=0.0)

    def one_by_one() -> None:
        for site, layer, head in heads:
            change = Intervention(AblatedHead(site, layer, head))
            translator.teacher_force(plain.src, plain.tgt, change)
            translator.search(SENTENCE, greedy, intervention=change)

    return BatchedWork(
        f"every head knocked out, {len(heads)} heads, log P and greedy output",
        together=lambda: ablate_each_head(translator, plain.src, plain.tgt),
        one_by_one=one_by_one,
    )


def _every_token(translator: Translator, plain: Translation) -> BatchedWork:
    """Return the work of hiding every source token; together, with gradient and correlations."""

    def one_by_one() -> None:
        for position in range(len(plain.src)):
            translator.teacher_force(plain.src, plain.tgt, hide(position))

    return BatchedWork(
        f"every source token hidden, {len(plain.src)} tokens, gradient and rank correlations",
        together=lambda: explain(translator, plain.src, plain.tgt),
        one_by_one=one_by_one,
    )


def main(
    checkpoint: Annotated[str, Option(help="a name under checkpoints/, or a path")] = "en-de",
    repeats: Repeats = 5,
    write: Write = False,
) -> None:
    aims, values = run(checkpoint, repeats)
    publish("interventions", aims, values, write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.interventions", __doc__))
