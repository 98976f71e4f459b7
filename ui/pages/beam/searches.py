"""Searches for the sentence on screen, each shared by all sessions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.records.hypotheses import hypothesis_text
from core.records.search import BeamTree, Budget, Decoding, ExactSearch, SearchVerdict
from model import Translator
from ui.frame.messages import plain
from ui.frame.model_cache import ask
from ui.frame.run import Run
from words import Message

# Difference in score that counts as none: half of the last decimal.
SAME = 0.005


def best_text(tree: BeamTree) -> str:
    return hypothesis_text(tree.hypothesis(tree.best))


def search_again(run: Run, decoding: Decoding, **beginning: Any) -> BeamTree:
    """Search again with other settings, or from a ``prefix`` or ``prefix_ids``."""
    return ask(run.translator, Translator.search, run.choices.text, decoding, **beginning)


def exact_of(run: Run, time_limit: float) -> ExactSearch:
    """Return the best translation under the settings in use, or the best within `time_limit`."""
    best = run.translation.tree.hypothesis(run.translation.tree.best)
    decoding = replace(run.choices.decoding, beam_size=1, n_runners_up=0)
    return ask(
        run.translator,
        Translator.exact_search,
        run.choices.text,
        decoding,
        # A finished beam result is a lower bound that prunes the search.
        start=best.ids if best.finished else None,
        budget=Budget(seconds=time_limit),
    )


def verdict_on(run: Run, reference: str) -> SearchVerdict:
    """Return the analysis of why the search missed `reference`."""
    choices = run.choices
    return ask(
        run.translator,
        Translator.diagnose_search,
        choices.text,
        reference,
        choices.decoding,
        tree=run.translation.tree,
        key=(choices, reference),
    )


def greedy_of(run: Run) -> BeamTree:
    """Return the greedy search of the sentence: a beam of one hypothesis."""
    return search_again(run, replace(run.choices.decoding, beam_size=1, n_runners_up=0))


def exact_message(exact: ExactSearch, tree: BeamTree) -> Message:
    """Return a message that compares an exact search with the best hypothesis of `tree`."""
    work = Message.of("beam-exact-work", n=exact.expansions, seconds=exact.seconds)
    values = {"least": max(1, exact.min_len), "most": exact.max_len, "work": work}
    best = tree.hypothesis(tree.best)
    # An unproven result is a lower bound: the time limit ended the search.
    if exact.best is not None:
        values["text"] = plain(hypothesis_text(exact.best), 700) or Message("beam-empty")
        gain = exact.best.score - best.score
        certainty = "best" if exact.proven else "found"
        if not best.finished:
            return Message(f"beam-exact-ends-{certainty}", values)
        if gain > SAME:
            return Message(f"beam-exact-better-{certainty}", values | {"gain": gain})
    if exact.proven:
        return Message("beam-exact-none" if exact.best is None else "beam-exact-proven", values)
    return Message("beam-exact-unproven", values | {"reason": exact.reason})
