"""Runs of the model under an intervention: teacher-forced, searched again, the next token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from core.interventions.intervention import Intervention
from core.records.attention import AttentionRecord
from core.records.search import Candidate, candidates_of
from core.records.sources import TokenSequence
from model import Translator
from ui.frame.model_cache import ask
from ui.frame.run import Run

MOST_BARS = 8  # next tokens shown for each run


@dataclass(frozen=True, eq=False)
class ForcedReading:
    """The original output of one sentence, teacher-forced with and without an intervention."""

    change: Intervention
    record: AttentionRecord  # of the original output, teacher-forced under the change
    log_probs: np.ndarray  # float32 (T_tgt,), natural logarithm, under the change
    plain_record: AttentionRecord
    plain_log_probs: np.ndarray

    @property
    def total(self) -> float:
        # float64: the sum of many float32 logarithms is shown with two decimals.
        return float(self.log_probs.sum(dtype=np.float64))

    @property
    def plain_total(self) -> float:
        return float(self.plain_log_probs.sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class InterventionEffect(ForcedReading):
    """A reading, and the output of a new search under the change."""

    output: TokenSequence  # with ``</s>`` if finished
    finished: bool


def reading_of(run: Run, change: Intervention) -> ForcedReading:
    """Teacher-force the original output under `change` and without it; needs no search."""
    record, log_probs = teacher_force(run, change)
    plain_record, plain_log_probs = teacher_force(run, Intervention())
    return ForcedReading(change, record, log_probs, plain_record, plain_log_probs)


def teacher_force(run: Run, change: Intervention) -> tuple[AttentionRecord, np.ndarray]:
    """Return attention and log-probabilities of the output, teacher-forced under `change`."""
    return ask(run.translator, Translator.teacher_force, run.src, run.tgt, change)


def effect_of(run: Run, change: Intervention) -> InterventionEffect:
    """Return the effect of `change` on the sentence on screen; its arrays are read-only."""
    reading = reading_of(run, change)
    output = searched_again(run, change)
    return InterventionEffect(
        reading.change,
        reading.record,
        reading.log_probs,
        reading.plain_record,
        reading.plain_log_probs,
        output=output,
        finished=run.writer.eos_id in output.ids,
    )


def searched_again(run: Run, change: Intervention) -> TokenSequence:
    """Return the best output of a search under `change`."""
    # Runners-up would cost memory in the cache and are not shown here.
    decoding = replace(run.choices.decoding, n_runners_up=0)
    tree = ask(run.translator, Translator.search, run.choices.text, decoding, intervention=change)
    return run.writer.tokenizer.decode(tree.hypothesis(tree.best).ids)


def next_candidates(
    run: Run, change: Intervention, prefix_ids: Sequence[int]
) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """Return the likeliest next tokens before and after, each with those of the other side."""
    before = next_log_probs(run, Intervention(), prefix_ids)
    after = next_log_probs(run, change, prefix_ids)
    token_of = run.writer.tokenizer.token_of
    likeliest = chain(*(candidates_of(side, token_of, MOST_BARS) for side in (before, after)))
    # The union, so that each bar has its counterpart on the other side.
    wanted = {candidate.token_id for candidate in likeliest}
    return candidates_of(before, token_of, also=wanted), candidates_of(after, token_of, also=wanted)


def next_log_probs(run: Run, change: Intervention, prefix_ids: Sequence[int]) -> np.ndarray:
    """Return the log-probabilities (V,) of the token after `prefix_ids` under `change`."""
    # A tuple, because arguments are part of the cache's key.
    return ask(
        run.translator,
        Translator.next_log_probs,
        run.choices.text,
        tuple(prefix_ids),
        intervention=change,
    )
