"""Other ways to a translation: greedy, samples, and the exact best one for certain."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from analysis.hypotheses import hypothesis_text
from model import ModelError
from records import BeamTree, Decoding, ExactSearch, Sampling
from ui.beam.node import number
from ui.beam.scene import BeamScene, best_text, ledger
from ui.export import export_menu
from ui.panels import show_picture
from ui.state import Timed, exact_of, samples_of, search_again, show_problem
from ui.words import current_words, plain
from viz.beam_tree import beam_tree

MOST_DRAWN = 50
SAME = 1e-4
COLUMNS = {
    "method": st.column_config.TextColumn("method", width=120),
    "text": st.column_config.TextColumn("output", width=430),
    "log_prob": st.column_config.NumberColumn("log P", format="%.4f"),
    "length": st.column_config.NumberColumn("tokens"),
    "score": st.column_config.NumberColumn("score", format="%.4f"),
    "ms": st.column_config.NumberColumn("ms", format="%.0f"),
}


def show(scene: BeamScene) -> None:
    run = scene.run
    place = st.container()
    limit = st.slider(
        "Give the exact search up after (seconds)",
        1,
        60,
        3,
        key="exact_limit",
        bind="query-params",
        width=420,
    )
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
        beam = Timed(scene.tree, run.translation.search_seconds)
        _table(methods_table(beam, greedy, samples, exact))
        st.markdown(exact_words(exact, scene.tree))
    _samples(scene, samples)


def sampling_controls(decoding: Decoding) -> Sampling:
    """How to draw; the lengths are those of the search."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        temperature = st.number_input(
            "Temperature",
            0.0,
            5.0,
            1.0,
            0.1,
            key="temperature",
            bind="query-params",
            width=130,
            help="Divides the log-probabilities before the draw; 0 always takes the likeliest.",
        )
        top_k = st.number_input(
            "Top k",
            0,
            200,
            0,
            key="top_k",
            bind="query-params",
            width=120,
            help="Draw among the k likeliest tokens only; 0 among all (Fan et al. 2018).",
        )
        top_p = st.number_input(
            "Top p",
            0.05,
            1.0,
            1.0,
            0.05,
            key="top_p",
            bind="query-params",
            width=120,
            help="Draw among the fewest tokens that hold this much probability (Holtzman et al. "
            "2020).",
        )
        seed = st.number_input("Seed", 0, 10**6, 0, key="seed", bind="query-params", width=130)
        n_samples = st.number_input(
            "Samples", 1, MOST_DRAWN, 8, key="samples", bind="query-params", width=120
        )
    return Sampling(n_samples, temperature, top_k, top_p, seed, decoding.max_len, decoding.min_len)


def methods_table(beam: Timed, greedy: Timed, samples: Timed, exact: ExactSearch) -> pd.DataFrame:
    """One line a method: method, text, log_prob, length, score, ms. Of samples the best."""
    tree = samples.tree
    timed = {
        f"beam {beam.tree.beam_size}": beam,
        "greedy (beam 1)": greedy,
        f"best of {len(tree.samples)} samples": samples,
    }
    found = [(name, t.tree.hypothesis(t.tree.best), t.seconds) for name, t in timed.items()]
    if exact.best is not None:
        name = "exact" if exact.proven else "exact, given up"
        found.append((name, exact.best, exact.seconds))
    return pd.DataFrame(
        {
            "method": [name for name, _, _ in found],
            "text": [hypothesis_text(best) for _, best, _ in found],
            "log_prob": [best.cum_log_prob for _, best, _ in found],
            "length": [len(best.ids) for _, best, _ in found],
            "score": [best.score for _, best, _ in found],
            "ms": [seconds * 1000 for _, _, seconds in found],
        }
    )


def exact_words(exact: ExactSearch, tree: BeamTree) -> str:
    """What exact search says about the beam's output."""
    work = f"{exact.expansions} prefixes looked into in {exact.seconds:.2f} s"
    best = tree.hypothesis(tree.best)
    lengths = f"of {max(1, exact.min_len)} to {exact.max_len} tokens"
    gain = exact.best.score - best.score if exact.best is not None else 0.0
    if exact.best is not None and not best.finished:
        proof = "the best of all that end" if exact.proven else "the best found that ends"
        return (
            f"The beam ended nothing {lengths}, so its score says little. "
            f"“{plain(hypothesis_text(exact.best), 700) or '(empty)'}” is {proof} ({work})."
        )
    if exact.best is not None and gain > SAME:
        better = (
            f"“{plain(hypothesis_text(exact.best), 700) or '(empty)'}” scores {number(gain)} more "
            "than the beam's best: a **search error, for certain**."
        )
        proof = " No translation scores more." if exact.proven else " There may be better ones yet."
        return f":material/error: {better}{proof} ({work}.)"
    if exact.proven and exact.best is None:
        return f"No translation {lengths} exists ({work})."
    if exact.proven:
        return (
            f":material/verified: **Proven: no search error.** No translation {lengths} scores "
            f"more than the beam's best, so what is wrong with it is the model's own wish ({work})."
        )
    reason = plain(current_words().of(exact.reason))
    return (
        f":material/hourglass_disabled: **Not proven** ({reason}; {work}). Nothing "
        "better was found, but not everything was looked into."
    )


def _table(lines: pd.DataFrame) -> None:
    st.dataframe(
        lines,
        key="beam_methods",
        hide_index=True,
        column_config=COLUMNS,
        alt=f"{len(lines)} ways to search with output, log-probability, score and time.",
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


def _samples(scene: BeamScene, samples: Timed) -> None:
    tree = samples.tree
    lines = samples_table(tree)
    st.markdown(f"##### {len(tree.samples)} samples, {len(lines)} different")
    st.dataframe(
        lines,
        key="beam_samples",
        hide_index=True,
        column_config=COLUMNS
        | {
            "times": st.column_config.NumberColumn("drawn", width=60),
            "finished": st.column_config.CheckboxColumn("ended", width=60),
        },
        height=min(35 * (len(lines) + 1) + 3, 320),
        alt="The samples, most often drawn first.",
    )
    figure = beam_tree(tree, dark=scene.dark)
    show_picture(
        figure,
        key="beam_samples_tree",
        alt=f"The samples as a tree; the best one is “{best_text(tree)}”.",
    )
    export_menu(
        figure,
        key="beam_samples_export",
        name=f"samples: {scene.source}",
        numbers=lambda: ledger(tree),
    )
