"""Other ways to a translation: greedy, samples, and the exact best one for certain."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from analysis.hypotheses import hypothesis_text, outputs_table
from model import ModelError
from records import BeamTree, Decoding, ExactSearch, Sampling
from ui.beam.scene import BeamScene, best_text, ledger, outputs
from ui.beam.searches import exact_of, samples_of, search_again
from ui.kit.blocks import picture
from ui.kit.controls import number, slider
from ui.kit.layout import controls, finding, settings
from ui.state import show_problem
from ui.words import current_words, plain, say
from viz.beam_tree import beam_tree
from words import Message
from words.numbers import fixed, signed

MOST_DRAWN = 50
SAME = 1e-4
ICONS = {
    "beam-exact-better-best": ":material/error: ",
    "beam-exact-better-found": ":material/error: ",
    "beam-exact-proven": ":material/verified: ",
    "beam-exact-unproven": ":material/hourglass_disabled: ",
}


def show(scene: BeamScene) -> None:
    run, decoding = scene.run, scene.run.choices.decoding
    sampling = sampling_controls(decoding)
    with settings():
        limit = slider("exact_limit", 1, 60, 3, words="beam-methods-limit")
    try:
        greedy = search_again(run, replace(decoding, beam_size=1))
        samples = samples_of(run, sampling)
        exact = exact_of(run, float(limit))
    except ModelError as error:
        show_problem(error)
        return
    lines = methods_table(scene.tree, greedy, samples, exact)
    finding(current_words().of(behind_message(lines["score"])))
    outputs("beam-methods", lines, key="beam_methods", hidden=("penalty", "finished"), n=len(lines))
    found = exact_message(exact, scene.tree)
    st.markdown(ICONS.get(found.id, "") + current_words().of(found))
    drawn = samples_table(samples)
    n = {"n": len(samples.samples), "different": len(drawn)}
    st.markdown(f"## {say('beam-samples-title', **n)}")
    outputs("beam-samples", drawn, key="beam_samples", hidden=("penalty",), height=320)
    picture(
        "beam-samples-tree",
        beam_tree(samples),
        key="beam_samples_tree",
        numbers=lambda: ledger(samples),
        text=best_text(samples),
        source=scene.source,
    )


def sampling_controls(decoding: Decoding) -> Sampling:
    """How to draw; the lengths are those of the search."""
    with controls():
        temperature = number(
            "temperature", 0.0, 5.0, 1.0, 0.1, words="beam-methods-temperature", width=250
        )
    with settings():
        top_k = number("top_k", 0, 200, 0, words="beam-methods-top-k")
        top_p = number("top_p", 0.05, 1.0, 1.0, 0.05, words="beam-methods-top-p")
        seed = number("seed", 0, 10**6, 0, words="beam-methods-seed")
        n_samples = number("samples", 1, MOST_DRAWN, 8, words="beam-methods-samples")
    return Sampling(n_samples, temperature, top_k, top_p, seed, decoding.max_len, decoding.min_len)


def methods_table(
    beam: BeamTree, greedy: BeamTree, samples: BeamTree, exact: ExactSearch
) -> pd.DataFrame:
    """The `outputs_table` of each method, which the first column names; of samples the best."""
    trees = {
        say("beam-method-beam", width=beam.beam_size): beam,
        say("beam-method-greedy"): greedy,
        say("beam-method-samples", n=len(samples.samples)): samples,
    }
    found = {name: tree.hypothesis(tree.best) for name, tree in trees.items()}
    if exact.best is not None:
        name = "beam-method-exact" if exact.proven else "beam-method-exact-given-up"
        found[say(name)] = exact.best
    lines = outputs_table(list(found.values()))
    lines.insert(0, "method", list(found))
    return lines


def behind_message(scores: pd.Series) -> Message:
    """How far greedy search and the best sample are from the beam, the first of these scores."""
    greedy, sample = (signed(scores[place] - scores[0]) for place in (1, 2))
    return Message.of("beam-methods-behind", greedy=greedy, sample=sample)


def exact_message(exact: ExactSearch, tree: BeamTree) -> Message:
    """What exact search says about the beam's output."""
    work = Message.of("beam-exact-work", n=exact.expansions, seconds=fixed(exact.seconds))
    known = {"least": max(1, exact.min_len), "most": exact.max_len, "work": work}
    best = tree.hypothesis(tree.best)
    if exact.best is not None:
        known["text"] = plain(hypothesis_text(exact.best), 700) or Message("beam-empty")
        gain = exact.best.score - best.score
        how = "best" if exact.proven else "found"
        if not best.finished:
            return Message(f"beam-exact-ends-{how}", known)
        if gain > SAME:
            return Message(f"beam-exact-better-{how}", known | {"gain": fixed(gain, 4)})
    if exact.proven:
        return Message("beam-exact-none" if exact.best is None else "beam-exact-proven", known)
    return Message("beam-exact-unproven", known | {"reason": exact.reason})


def samples_table(tree: BeamTree) -> pd.DataFrame:
    """The `outputs_table` of different samples, with times, how often each was drawn."""
    lines = outputs_table([tree.hypothesis(node) for node in tree.samples])
    drawn = lines.groupby("tokens", sort=False)
    counted = drawn.head(1).reset_index(drop=True)
    counted.insert(1, "times", drawn.size().to_numpy())
    return counted.sort_values(["times", "score"], ascending=False, ignore_index=True)
