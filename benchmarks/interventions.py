"""``python -m benchmarks.interventions [--repeats N] [--write]``: what changing the model costs.

torch on one thread; a trace works on as many batches at once as there are cores, as in the app. A
changed run stands beside the plain one; every head knocked out, every link of a trace and every
hidden token beside the same done one run at a time.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import torch
from typer import Option

from core.attention import TRANSFORMER_SITES
from core.changes import AblatedHead, LiftedMask, MaskedCell, Positions
from core.intervention import Intervention, hide
from core.knockout import Decision
from core.runs import Translation
from core.search import Decoding
from model import Translator, load_translator
from model.experiments.explain import explain
from model.experiments.knockout import knock_out
from model.experiments.trace import trace_decision
from training.commands import alone

from .cases import SENTENCE, sentence_of
from .commands import Repeats, Write
from .report import Aim, publish
from .timing import interleave

TRACE_TOKENS = 20
N_SAMPLED_LINKS = 64
KNOCK_OUT_LIMIT, TRACE_LIMIT = 1.0, 10.0  # seconds


@dataclass(frozen=True)
class Job:
    """Something worked out together, and the same one by one.

    `n_alone` runs stand for the `n_runs` there are; `alone` does the former only.
    """

    name: str
    together: Callable[[], object]
    alone: Callable[[], object]
    n_runs: int
    n_alone: int


def run(checkpoint: str, repeats: int) -> dict[str, Any]:
    """Measure everything; the values of the template ``interventions``."""
    torch.set_num_threads(1)
    translator = load_translator(checkpoint)
    plain = translator.translate(SENTENCE)
    long = translator.translate(sentence_of(translator, TRACE_TOKENS))
    greedy = Decoding(beam_size=1, alpha=0.0)
    changes = {
        "plain": None,
        "a token hidden": hide(1),
        "a head at zero": Intervention(AblatedHead("cross", 1, 0)),
        "a head uniform": Intervention(AblatedHead("cross", 1, 0, "uniform")),
        "positions reversed": Intervention(Positions("reversed")),
        "causal mask off": Intervention(LiftedMask()),
    }
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

    def heads_alone() -> None:
        for site, layer, head in heads:
            change = Intervention(AblatedHead(site, layer, head))
            translator.read_again(plain.src, plain.tgt, change)
            translator.search(SENTENCE, greedy, intervention=change)

    def links_alone() -> None:
        for cell in sampled:
            translator.read_again(long.src, long.tgt, Intervention(cell))

    def tokens_alone() -> None:
        for position in range(len(plain.src)):
            translator.read_again(plain.src, plain.tgt, hide(position))

    knocked = knock_out(translator, plain.src, plain.tgt)
    heads = knocked.heads
    decision = _decision(translator, long)
    trace = trace_decision(translator, long.src, long.tgt, decision)
    links = [
        MaskedCell(site, *map(int, at))
        for site in TRANSFORMER_SITES
        for at in np.argwhere(~np.isnan(trace.changes[site]))
    ]
    sampled = random.Random(0).sample(links, N_SAMPLED_LINKS)
    jobs = [
        Job(
            f"every head knocked out, {len(heads)} heads, log P and greedy output",
            lambda: knock_out(translator, plain.src, plain.tgt),
            heads_alone,
            len(heads),
            len(heads),
        ),
        Job(
            f"every link traced, {len(long.src)} source and {len(long.tgt)} target tokens, "
            f"{trace.n_links:,} links",
            lambda: trace_decision(translator, long.src, long.tgt, decision),
            links_alone,
            trace.n_links,
            N_SAMPLED_LINKS,
        ),
        Job(
            f"every source token hidden, {len(plain.src)} tokens, gradient and rank correlations",
            lambda: explain(translator, plain.src, plain.tgt),
            tokens_alone,
            len(plain.src),
            len(plain.src),
        ),
    ]
    seconds = {}
    for job in jobs:
        taken = interleave(
            {"together": job.together, "alone": job.alone}, repeats=repeats, warmup=1
        )
        alone = taken["alone"].median_ms / 1000 * job.n_runs / job.n_alone
        seconds[job.name] = (taken["together"].median_ms / 1000, alone)
    times = list(seconds.values())
    aims = [
        Aim("every head knocked out", times[0][0], KNOCK_OUT_LIMIT, " s"),
        Aim(f"every link traced, {TRACE_TOKENS} tokens", times[1][0], TRACE_LIMIT, " s"),
    ]
    return {
        "aims": aims,
        "card": translator.card,
        "repeats": repeats,
        "sentence": repr(SENTENCE),
        "plain": plain,
        "reading": reading,
        "searching": searching,
        "seconds": seconds,
        "n_sampled": N_SAMPLED_LINKS,
    }


def _decision(translator: Translator, translation: Translation) -> Decision:
    """The last word against its likeliest rival: the whole translation before it matters."""
    tgt = translation.tgt
    position = max(i for i, special in enumerate(tgt.special) if not special)
    first, second = translator.candidates(translation.src.text, tgt.ids[:position], 2)
    rival = second if first.token_id == tgt.ids[position] else first
    return Decision(position, tgt.ids[position], tgt.tokens[position], rival.token_id, rival.token)


def main(
    checkpoint: Annotated[str, Option(help="a name under checkpoints/ or a path")] = "en-de",
    repeats: Repeats = 5,
    write: Write = False,
) -> None:
    publish("interventions", write=write, **run(checkpoint, repeats))


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.interventions", __doc__))
