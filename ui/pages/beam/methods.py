"""Other ways to a translation: greedy, samples, exact search, and other beam widths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from core.measurements import SEARCH
from core.records.hypotheses import outputs_table
from core.records.search import BeamTree, Decoding, ExactSearch, Sampling
from model import Translator
from ui.frame.messages import plain, say
from ui.frame.model_cache import ask
from ui.kit.blocks import key_of, picture, table
from ui.kit.controls import number, slider
from ui.kit.layout import bar, finding, folded, settings, subtitle
from ui.kit.measurements import stored_box, tell_source
from ui.pages.beam.greedy import MOST_CHARACTERS, tell_greedy
from ui.pages.beam.scene import DIGITS, BeamScene, ledger, outputs
from ui.pages.beam.searches import best_text, exact_message, exact_of, greedy_of, search_again
from viz.outcomes import score_dots
from viz.sweep import MEASURES, sweep_chart
from viz.tree import beam_tree
from words import Message

# Samples; more would not be legible in the tree.
MOST_DRAWN = 50
# Difference in score that proves nothing: float32 sums over a sentence differ by less.
SAME = 5e-4
ICONS = {
    "beam-exact-better-best": ":material/error: ",
    "beam-exact-better-found": ":material/error: ",
    "beam-exact-proven": ":material/verified: ",
    "beam-exact-unproven": ":material/hourglass_disabled: ",
}


def show(scene: BeamScene) -> None:
    run = scene.run
    decoding = scene.run.choices.decoding
    sampling = _sampling(decoding)
    with settings():
        limit = slider("exact_limit", 1, 60, 3)
    greedy = greedy_of(scene.run)
    samples = ask(run.translator, Translator.sample, run.choices.text, sampling)
    exact = exact_of(run, float(limit))
    lines = methods_table(scene.tree, greedy, samples, exact)
    tell_greedy(scene)
    names = [
        f"{name}: {does}"
        for name, does in zip(lines["method"], _strategies(scene.tree, exact), strict=False)
    ]
    _outputs("beam-methods", lines.assign(chosen=False), scene, names)
    message = exact_message(exact, scene.tree)
    st.markdown(ICONS.get(message.id, "") + say(message))
    _samples(scene, samples)
    with folded("table"):
        outputs("beam-methods", lines, hidden=("penalty", "finished"))
        outputs("beam-samples", samples_table(samples), hidden=("penalty",), height=320)


def _strategies(beam: BeamTree, exact: ExactSearch) -> list[str]:
    """Return a few words on each strategy of `methods_table`: how it chooses tokens."""
    proof = "exact" if exact.proven else "exact-given-up"
    return [
        say("beam-method-beam-does", width=beam.beam_size),
        *(say(f"beam-method-{name}-does") for name in ("greedy", "samples", proof)),
    ]


def _outputs(
    id: str, lines: pd.DataFrame, scene: BeamScene, names: Sequence[str] | None = None
) -> None:
    """Draw outputs by their score, named by `names` or else the first column of `lines`."""
    rows = lines[["text", "score", "chosen"]].assign(
        name=lines[lines.columns[0]] if names is None else names
    )
    picture(
        f"{id}-dots",
        score_dots(rows),
        key=f"{key_of(id)}_dots_half",
        wide=True,
        numbers=lines.drop(columns=["tokens", "chosen"]),
        n=len(lines),
        source=scene.source,
    )


def _sampling(decoding: Decoding) -> Sampling:
    """Draw the controls of sampling; its lengths and their penalty are those of the search."""
    # Behind the tabs it would leave the settings no room.
    with bar("sampling"):
        temperature = slider("temperature", 0.0, 3.0, 1.0, 0.1, width=450)
    with settings():
        top_k = number("top_k", 0, 200, 0)
        top_p = number("top_p", 0.05, 1.0, 1.0, 0.05)
        min_p = number("min_p", 0.0, 1.0, 0.0, 0.05)
        seed = number("seed", 0, 10**6, 0)
        n_samples = number("samples", 1, MOST_DRAWN, 8)
    # Others than those of the search would make the scores incomparable.
    return Sampling(
        n_samples,
        temperature,
        top_k,
        top_p,
        min_p,
        seed,
        max_len=decoding.max_len,
        min_len=decoding.min_len,
        alpha=decoding.alpha,
        penalty=decoding.penalty,
    )


def _samples(scene: BeamScene, samples: BeamTree) -> None:
    """Draw all samples as a tree."""
    distinct = len(samples_table(samples))
    subtitle("beam-samples-title", n=len(samples.samples), different=distinct)
    picture(
        # Samples that share a prefix share its nodes, so they draw as a tree.
        "beam-samples-tree",
        beam_tree(samples),
        numbers=lambda: ledger(samples),
        text=best_text(samples),
        source=scene.source,
    )


def methods_table(
    beam: BeamTree, greedy: BeamTree, samples: BeamTree, exact: ExactSearch
) -> pd.DataFrame:
    """Return the `outputs_table` of each method, named in the first column; of samples the best."""
    trees = {
        say("beam-method-beam", width=beam.beam_size): beam,
        say("beam-method-greedy"): greedy,
        say("beam-method-samples", n=len(samples.samples)): samples,
    }
    best = {name: tree.hypothesis(tree.best) for name, tree in trees.items()}
    if exact.best is not None:
        name = "beam-method-exact" if exact.proven else "beam-method-exact-given-up"
        best[say(name)] = exact.best
    lines = outputs_table(list(best.values()))
    lines.insert(0, "method", list(best))
    return lines


def samples_table(tree: BeamTree) -> pd.DataFrame:
    """Return the `outputs_table` of distinct samples, with the number of times each was drawn."""
    lines = outputs_table([tree.hypothesis(node) for node in tree.samples])
    by_tokens = lines.groupby("tokens", sort=False)
    distinct = by_tokens.head(1).reset_index(drop=True)
    distinct.insert(1, "times", by_tokens.size().to_numpy())
    return distinct.sort_values(["times", "score"], ascending=False, ignore_index=True)


# Effect of the beam width: on this sentence, and over the test set.

BEAMS = (1, 2, 3, 5, 10, 20)
FORMATS = {"bleu": "%.1f", "mean_log_prob": "%.2f", "length_ratio": "%.3f", "seconds": "%.3f"}


def show_widths(scene: BeamScene) -> None:
    stored = scene.run.card.measured(SEARCH)
    lines = width_lines(_search_widths(scene))
    rows = sweep_rows(stored.values)
    finding(say(widths_message(lines)) + sweep_fact(stored.values, rows))
    _outputs("beam-width", width_groups(lines, scene.tree.beam_size), scene)
    with folded("table"):
        outputs("beam-width", lines, hidden=("penalty", "finished"))
    if rows.empty:
        stored_box(stored)
        return
    subtitle("beam-width-test-set", n=stored.values["sweep"][0]["sentences"])
    chart = sweep_chart(rows.to_dict("records"), chosen=scene.tree.beam_size)
    picture("beam-sweep", chart, numbers=rows, name=scene.run.card.name)
    with folded("table"):
        table("beam-sweep-table", rows, words="beam-sweep", formats=FORMATS)
    with folded("reading"):
        tell_source(stored)


def sweep_fact(stored: Mapping[str, Any], rows: pd.DataFrame) -> str:
    """Return a second line if the widest beam has less BLEU and shorter outputs than the best."""
    if rows.empty:
        return ""
    # Rounded as in the figure, where several widths may share the highest number.
    bleu = rows["bleu"].round(1)
    best = rows.loc[bleu.idxmax()]
    widths = rows["beam_size"][bleu == bleu.max()].map(str).tolist()
    widest = rows.iloc[-1]
    if bleu.iloc[-1] >= bleu.max() or widest["length_ratio"] >= best["length_ratio"]:
        return ""
    fact = say(
        "beam-width-sweep",
        n=stored["sweep"][0]["sentences"],
        best=_widths(widths),
        several="yes" if len(widths) > 1 else "no",
        high=best["bleu"],
        low=widest["bleu"],
        widest=int(widest["beam_size"]),
    )
    return f"  \n:gray[:small[{fact}]]"


def _widths(names: Sequence[str]) -> str | Message:
    """Return widths as part of a sentence."""
    *first, last = names
    return Message.of("beam-width-and", first=", ".join(first), last=last) if first else last


def _search_widths(scene: BeamScene) -> dict[int, BeamTree]:
    """Search with each of `BEAMS`, and say meanwhile how far it is."""
    # Runners-up are not shown here and would only take time.
    decoding = replace(scene.run.choices.decoding, n_runners_up=0)
    trees = {}
    room = st.empty()
    for n, width in enumerate(BEAMS):
        room.progress(n / len(BEAMS), say("beam-width-searching", width=width))
        trees[width] = search_again(scene.run, replace(decoding, beam_size=width))
    room.empty()
    return trees


def width_lines(trees: Mapping[int, BeamTree]) -> pd.DataFrame:
    """Return the `outputs_table` of searches, the beam width in the first column."""
    lines = outputs_table([tree.hypothesis(tree.best) for tree in trees.values()])
    lines.insert(0, "beam_size", list(trees))
    return lines


def width_groups(lines: pd.DataFrame, searched: int) -> pd.DataFrame:
    """Return one line for each distinct output of `width_lines`, named by all its widths.

    `chosen` is True for the output of the width `searched`.
    """
    by_tokens = lines.groupby("tokens", sort=False)
    groups = by_tokens.head(1).reset_index(drop=True)
    widths = by_tokens["beam_size"].agg(list).tolist()
    groups["beam_size"] = [
        say(
            "beam-width-row",
            widths=", ".join(map(str, group)),
            greedy="yes" if group == [1] else "no",
        )
        for group in widths
    ]
    return groups.assign(chosen=[searched in group for group in widths])


def widths_message(lines: pd.DataFrame) -> Message:
    """Return a message on the narrowest width with the best score, and on the widest one."""
    n_outputs = lines["text"].nunique()
    if n_outputs == 1:
        return Message("beam-width-same")
    # Rounded as in the table, so that the sentence does not contradict it.
    scores = lines["score"].round(DIGITS)
    first = scores.iloc[0]
    last = scores.iloc[-1]
    change = "raises" if last > first else "lowers" if last < first else "keeps"
    best = lines.loc[scores.idxmax()]
    text = plain(best["text"], MOST_CHARACTERS) or Message("beam-empty")
    return Message.of(f"beam-width-{change}", n=n_outputs, best=str(best["beam_size"]), text=text)


def sweep_rows(stored: Mapping[str, Any]) -> pd.DataFrame:
    """Return the measurements over the test set, one line per beam size."""
    names = ["beam_size", *(name for name, *_ in MEASURES)]
    return pd.DataFrame(stored.get("sweep", []), columns=names)
