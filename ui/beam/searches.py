"""Searches for the sentence on screen, each done once for all sessions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from records import (
    BeamTree,
    Candidate,
    Decoding,
    ExactSearch,
    Sampling,
    SearchVerdict,
    TreeAttention,
)
from ui.shared import cached
from ui.state import Run
from ui.waiting import interrupted, long_turn

_SENTENCE = ("translator.card.fingerprint", "choices.text")


@cached(*_SENTENCE, max_entries=256)
def search_again(
    run: Run, decoding: Decoding, *, prefix: str = "", prefix_ids: tuple[int, ...] = ()
) -> BeamTree:
    """Another search, with other choices or a given beginning."""
    beginning = {"prefix": prefix, "prefix_ids": prefix_ids}
    return run.translator.search(run.choices.text, decoding, **beginning, stop=interrupted)


@cached(*_SENTENCE, "choices.decoding.alpha", "choices.decoding.penalty")
def samples_of(run: Run, sampling: Sampling) -> BeamTree:
    """Translations drawn at random, scored with the penalty in use."""
    alpha, penalty = run.choices.decoding.alpha, run.choices.decoding.penalty
    how = {"alpha": alpha, "penalty": penalty, "stop": interrupted}
    return run.translator.sample(run.choices.text, sampling, **how)


def exact_of(run: Run, time_limit: float) -> ExactSearch:
    """The best translation there is by the penalty and lengths in use, or by the time limit."""
    best = run.translation.tree.hypothesis(run.translation.tree.best)
    decoding = replace(run.choices.decoding, beam_size=1, n_runners_up=0)
    return _exact(run, decoding, best.ids if best.finished else None, time_limit)


@cached(*_SENTENCE, spinner="beam-exact-searching")
def _exact(
    run: Run, decoding: Decoding, start: tuple[int, ...] | None, time_limit: float
) -> ExactSearch:
    how = {"start": start, "time_limit": time_limit, "stop": interrupted}
    with long_turn():
        return run.translator.exact_search(run.choices.text, decoding, **how)


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree that was searched for the sentence of a run."""

    run: Run
    tree: BeamTree

    @property
    def identity(self) -> tuple:
        """Changes when the model, the sentence or the tokens of the tree change."""
        paths = tuple((node.parent, node.token_id) for node in self.tree.nodes)
        return self.run.translator.card.fingerprint, self.run.choices.text, paths


@cached("identity", max_entries=32)
def tree_attention(grown: Grown) -> TreeAttention:
    """What the decoder looked at to produce each node of a tree."""
    return grown.run.translator.attend_tree(grown.run.choices.text, grown.tree)


@cached(*_SENTENCE, max_entries=512)
def candidates_after(run: Run, prefix_ids: tuple[int, ...], k: int) -> tuple[Candidate, ...]:
    """The `k` likeliest tokens after a beginning."""
    return run.translator.candidates(run.choices.text, prefix_ids, k)


@cached("translator.card.fingerprint", "choices")
def verdict_on(run: Run, reference: str) -> SearchVerdict:
    """Why the search on screen did not return `reference`."""
    choices, tree = run.choices, run.translation.tree
    return run.translator.compare(choices.text, reference, choices.decoding, tree=tree)
