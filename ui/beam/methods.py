"""Other ways to a translation: greedy, samples, and the exact best one for certain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from analysis.hypotheses import hypothesis_text
from model import ModelError
from records import BeamTree, Decoding, ExactSearch, Sampling
from ui.beam.columns import columns
from ui.beam.scene import BeamScene, best_text, ledger
from ui.beam.searches import exact_of, samples_of, search_again
from ui.kit.blocks import figure_block
from ui.state import show_problem
from ui.words import current_words, plain, say
from viz.beam_tree import beam_tree
from words import Message
from words.numbers import fixed

MOST_DRAWN = 50
SAME = 1e-4
ICONS = {
    "beam-exact-better-best": ":material/error: ",
    "beam-exact-better-found": ":material/error: ",
    "beam-exact-proven": ":material/verified: ",
    "beam-exact-unproven": ":material/hourglass_disabled: ",
}


def show(scene: BeamScene) -> None:
    run = scene.run
    place = st.container()
    title = say("beam-methods-limit")
    limit = st.slider(title, 1, 60, 3, key="exact_limit", bind="query-params", width=420)
    sampling = sampling_controls(run.choices.decoding)
    try:
        greedy = search_again(run, replace(run.choices.decoding, beam_size=1))
        samples = samples_of(run, sampling)
        with place:
            exact = exact_of(run, float(limit))
    except ModelError as error:
        show_problem(error)
        return
    with place:
        _table(methods_table(run.translation.tree, greedy, samples, exact))
        found = exact_message(exact, scene.tree)
        st.markdown(ICONS.get(found.id, "") + current_words().of(found))
    _samples(scene, samples)


def sampling_controls(decoding: Decoding) -> Sampling:
    """How to draw; the lengths are those of the search."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        temperature = _number("temperature", 0.0, 5.0, 1.0, 0.1, width=130)
        top_k = _number("top_k", 0, 200, 0)
        top_p = _number("top_p", 0.05, 1.0, 1.0, 0.05, width=150)
        seed = _number("seed", 0, 10**6, 0, width=130)
        n_samples = _number("samples", 1, MOST_DRAWN, 8)
    return Sampling(n_samples, temperature, top_k, top_p, seed, decoding.max_len, decoding.min_len)


def _number(key: str, *numbers: float, width: int = 120) -> Any:
    id, words = f"beam-methods-{key.replace('_', '-')}", current_words()
    help = words(f"{id}-help") if words.has(f"{id}-help") else None
    return st.number_input(
        words(id), *numbers, key=key, bind="query-params", width=width, help=help
    )


def methods_table(
    beam: BeamTree, greedy: BeamTree, samples: BeamTree, exact: ExactSearch
) -> pd.DataFrame:
    """One line a method: method, text, log_prob, length, score. Of samples the best."""
    trees = {
        say("beam-method-beam", width=beam.beam_size): beam,
        say("beam-method-greedy"): greedy,
        say("beam-method-samples", n=len(samples.samples)): samples,
    }
    found = {name: tree.hypothesis(tree.best) for name, tree in trees.items()}
    if exact.best is not None:
        name = "beam-method-exact" if exact.proven else "beam-method-exact-given-up"
        found[say(name)] = exact.best
    return pd.DataFrame(
        {
            "method": list(found),
            "text": [hypothesis_text(best) for best in found.values()],
            "log_prob": [best.cum_log_prob for best in found.values()],
            "length": [len(best.ids) for best in found.values()],
            "score": [best.score for best in found.values()],
        }
    )


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


def _table(lines: pd.DataFrame) -> None:
    st.dataframe(
        lines,
        key="beam_methods",
        hide_index=True,
        column_config=columns(
            method=st.column_config.TextColumn(say("beam-methods-method"), width=170)
        ),
        alt=say("beam-methods-alt", n=len(lines)),
    )


def samples_table(tree: BeamTree) -> pd.DataFrame:
    """Different outputs among samples: text, times drawn, log_prob, length, score."""
    drawn = [tree.hypothesis(node) for node in tree.samples]
    lines = pd.DataFrame(
        {
            "text": [hypothesis_text(each) for each in drawn],
            "log_prob": [each.cum_log_prob for each in drawn],
            "length": [len(each.ids) for each in drawn],
            "score": [each.score for each in drawn],
            "finished": [each.finished for each in drawn],
            "ids": [each.ids for each in drawn],
        }
    )
    counted = lines.groupby("ids", sort=False).agg(
        text=("text", "first"),
        times=("text", "size"),
        log_prob=("log_prob", "first"),
        length=("length", "first"),
        score=("score", "first"),
        finished=("finished", "first"),
    )
    return counted.sort_values(["times", "score"], ascending=False).reset_index(drop=True)


def _samples(scene: BeamScene, tree: BeamTree) -> None:
    lines = samples_table(tree)
    title = say("beam-samples-title", n=len(tree.samples), different=len(lines))
    st.markdown(f"## {title}")
    st.dataframe(
        lines,
        key="beam_samples",
        hide_index=True,
        column_config=columns(
            times=st.column_config.NumberColumn(say("beam-samples-drawn"), width=70)
        ),
        height=min(35 * (len(lines) + 1) + 3, 320),
        alt=say("beam-samples-alt"),
    )
    figure_block(
        beam_tree(tree),
        key="beam_samples_tree",
        alt=say("beam-samples-tree-alt", text=best_text(tree)),
        name=say("beam-samples-file", source=scene.source),
        numbers=lambda: ledger(tree),
    )
