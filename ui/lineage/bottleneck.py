"""What one vector can hold: the states of the encoder, and a sentence that grows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from analysis.lineage import peak_order, prefixes, state_table
from model import ModelError, Reader
from records import SourceStates
from ui.blocks import figure_block
from ui.reasons import why_not
from ui.shared import cached
from ui.state import Run
from ui.waiting import give_way, interrupted
from ui.words import named, plain, say
from viz.lineage import length_lines, state_picture
from words.numbers import fixed

from .chosen import System, chosen_systems

MOST_LENGTHS = 24
MOST_WORDS = 60  # of what the sentence goes on with, to begin with


def show(run: Run) -> None:
    st.markdown(f"## {say('lineage-growing')}")
    systems = chosen_systems(run)
    _growing(run, systems)
    st.markdown(f"## {say('lineage-states')}")
    if "values" in run.capabilities:
        _states(run, states_of(run))
    else:
        st.info(why_not(run.translator, ("values",)).said, icon=":material/visibility_off:")


# A sentence that grows


def _growing(run: Run, systems: tuple[System, ...]) -> None:
    first, target = run.translation.src.text, _target(run)
    more = st.text_area(
        say("lineage-more"),
        going_on(run),
        key="lineage_more",
        bind="query-params",
        height=100,
        help=say("lineage-more-help"),
    )
    if not target:
        st.info(say("lineage-no-target"), icon=":material/edit:")
        return
    texts = prefixes(first, more, MOST_LENGTHS)
    lines, problems = _lines(systems, texts, target, len(first.split()))
    for problem in problems:
        st.caption(problem)
    if lines.empty:
        return
    opened = next((s.title for s in systems if s.outline.name == run.choices.checkpoint), "")
    figure = length_lines(
        lines,
        [s.title for s in systems if s.title in set(lines["system"])],
        opened,
    )
    st.markdown(say("lineage-growing-of", target=plain(target, 300)))
    figure_block(
        figure,
        key="lineage_lengths",
        alt=say("lineage-growing-alt", n=lines["system"].nunique(), texts=len(texts)),
        name=say("lineage-growing-file", text=first),
        below=_fall_words(lines, opened),
        numbers=lambda: lines,
    )


def _target(run: Run) -> str:
    reference = st.session_state.get("lineage_reference", "")
    return str(reference).strip() or run.translation.text.strip()


def going_on(run: Run) -> str:
    """What the sentence goes on with to begin with: other examples of the languages."""
    own = " ".join(run.translation.src.text.split())
    words: list[str] = []
    for example in run.pack.examples:
        if example.text not in (own, run.example.twin if run.example else ""):
            words += example.text.split()
        if len(words) >= MOST_WORDS:
            break
    return " ".join(words[:MOST_WORDS])


def _lines(
    systems: tuple[System, ...], texts: tuple[tuple[int, str], ...], target: str, n_words: int
) -> tuple[pd.DataFrame, list[str]]:
    """One line a system and length, and what could not be worked out."""
    rows, problems = [], []
    for system in systems:
        give_way()
        title = {"system": system.said()}
        if system.reader is None:
            problems.append(say("lineage-not-loaded", **title))
            continue
        try:
            scores = scores_after(system.reader, tuple(text for _, text in texts), target)
        except ModelError as error:
            problems.append(say("lineage-not-read", why=plain(str(error.message)), **title))
            continue
        means = scores.mean(axis=1)
        fits = np.isfinite(means)
        if not fits.all():
            most = {"n": int(fits.sum()), "most": system.reader.max_source_len}
            problems.append(say("lineage-cut", **most, **title))
        rows += [
            {"system": system.title, "words": n_words + added, "log_p": float(mean)}
            for (added, _), mean, fit in zip(texts, means, fits, strict=True)
            if fit
        ]
    return pd.DataFrame(rows, columns=["system", "words", "log_p"]), problems


@cached("card.fingerprint", max_entries=128)
def scores_after(reader: Reader, texts: tuple[str, ...], target: str) -> np.ndarray:
    """Log-probabilities of the target's tokens after each text, (n texts, T_tgt)."""
    interrupted()
    return reader.score_each(texts, target)


def _fall_words(lines: pd.DataFrame, opened: str) -> str:
    """How far the open system falls, or the one that falls most."""
    ends = lines.groupby("system", sort=False)["log_p"].agg(["first", "last"])
    name = opened if opened in ends.index else (ends["last"] - ends["first"]).idxmin()
    first, last = ends.loc[name]
    return say("lineage-fall", system=plain(name, 120), first=fixed(first), last=fixed(last))


# The states of the encoder


@cached("source_identity", max_entries=64)
def states_of(run: Run) -> SourceStates:
    """What the encoder of the open system holds at each token of the sentence."""
    interrupted()
    return run.translator.source_states(run.translation.src)


def _states(run: Run, found: SourceStates) -> None:
    first = 0
    limit = max(0.1, float(np.abs(found.states).max()))
    with st.container(horizontal=True, wrap=True, gap="medium"):
        for part, n in found.parts:
            states = found.states[:, first : first + n]
            first += n
            order = peak_order(states)
            with st.container(width=460, gap="xsmall"):
                direction = named(f"value-part-{part}", part)
                st.markdown(f"**{direction}**")
                figure_block(
                    state_picture(
                        states,
                        found.src.tokens,
                        order,
                        limit=limit,
                    ),
                    key=f"lineage_states_{part}",
                    alt=say("lineage-states-alt", units=n, n=len(found.src), part=part),
                    name=say("lineage-states-file", part=part, text=found.src.text),
                    caption=say("lineage-states-caption", units=n, part=part),
                    numbers=lambda s=states, o=order: state_table(s, found.src.tokens, o),
                )
