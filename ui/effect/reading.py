"""The original output read again under a change, and the search under it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from records import AttentionRecord, Candidate, Intervention, Translation
from ui.shared import cached
from ui.state import Run
from ui.waiting import interrupted

MOST_BARS = 8  # next tokens of either side
# Next tokens asked for at first, which nearly always hold the other side's likeliest; all of them
# take three times as long.
DEEP, EVERY = 512, 10**9


@dataclass(frozen=True, eq=False)
class Reading:
    """The original output of one sentence, read again under a change and without."""

    change: Intervention
    record: AttentionRecord  # while the original output is teacher-forced under the change
    log_probs: np.ndarray  # float32 (T_tgt,), natural, of the original output under the change
    plain_record: AttentionRecord
    plain_log_probs: np.ndarray

    @property
    def total(self) -> float:
        """log P of the original output under the change."""
        return float(self.log_probs.sum(dtype=np.float64))

    @property
    def plain_total(self) -> float:
        """log P of the original output without the change."""
        return float(self.plain_log_probs.sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Effect(Reading):
    """A reading, and `translation`: the search under the change, with the attention behind its
    own output."""

    translation: Translation


def reading_of(run: Run, change: Intervention) -> Reading:
    """The part of `effect_of` that needs no search."""
    return Reading(change, *read_again(run, change), *read_again(run, Intervention()))


def effect_of(run: Run, change: Intervention) -> Effect:
    """What `change` does to the sentence on screen; nobody may write into its arrays."""
    return Effect(**vars(reading_of(run, change)), translation=searched_again(run, change))


@cached("translator.card.fingerprint", "choices.text", "choices.decoding", max_entries=128)
def searched_again(run: Run, change: Intervention) -> Translation:
    """The search under `change`."""
    text, decoding = run.choices.text, run.choices.decoding
    return run.translator.translate(text, decoding, intervention=change, stop=interrupted)


@cached("identity", max_entries=128)
def read_again(run: Run, change: Intervention) -> tuple[AttentionRecord, np.ndarray]:
    """Attention and log-probabilities of the original output, teacher-forced under `change`."""
    return run.translator.read_again(run.translation.src, run.translation.tgt, change)


def next_candidates(
    run: Run, change: Intervention, prefix_ids: Sequence[int]
) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """The likeliest next tokens before and after, each side with the likeliest of the other."""

    changes, prefix = (Intervention(), change), tuple(prefix_ids)
    firsts = (candidates_under(run, each, prefix) for each in changes)
    wanted = {each.token_id for found in firsts for each in found if each.rank < MOST_BARS}
    sides = (candidates_with(run, each, prefix, wanted) for each in changes)
    return tuple(tuple(each for i, each in found.items() if i in wanted) for found in sides)


def candidates_with(
    run: Run, change: Intervention, prefix_ids: tuple[int, ...], wanted: Collection[int]
) -> dict[int, Candidate]:
    """The likeliest tokens after a beginning, by id; as many as it takes to hold all `wanted`."""
    for count in (DEEP, EVERY):
        found = candidates_under(run, change, prefix_ids, count)
        by_id = {each.token_id: each for each in found}
        if all(token_id in by_id for token_id in wanted):
            break
    return by_id


@cached("translator.card.fingerprint", "choices.text", max_entries=128)
def candidates_under(
    run: Run, change: Intervention, prefix_ids: tuple[int, ...], count: int = DEEP
) -> tuple[Candidate, ...]:
    """The `count` likeliest tokens after a beginning, under `change`."""
    return run.translator.candidates(run.choices.text, prefix_ids, count, intervention=change)
