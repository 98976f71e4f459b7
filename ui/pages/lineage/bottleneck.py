"""Bottleneck of one vector: a growing sentence, texts by length, and encoder states."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.lineage import peak_order, prefixes, state_table
from core.records.step import SourceStates
from model import ModelError
from model.experiments.step import score_each, source_states
from ui.frame.admission import give_way
from ui.frame.messages import named, plain, say
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import menu, text_box
from ui.kit.layout import controls, note, settings, subtitle
from viz.lineage import length_lines, state_picture
from words.numbers import percent

from .chosen import ChosenSystem, chosen_systems, tell_ends, tell_others
from .measured import PARTS, show_length

GROWING = "sentence"
MOST_LENGTHS = 24
WHOLE = partial(percent, digits=0)
"""Form of a probability in the finding, as in the view of the systems."""
MOST_WORDS = 60  # of the continuation that the box begins with


def show(run: Run) -> None:
    with controls():
        part = menu("length_part", (GROWING, *PARTS), width=225)
    if part == GROWING:
        _growing(run, chosen_systems(run))
        tell_others(run)
    else:
        show_length(part)
    if "values" in run.capabilities:
        subtitle("lineage-states")
        _states(ask(run.translator, source_states, run.src))


def _growing(run: Run, systems: tuple[ChosenSystem, ...]) -> None:
    first = run.src.text
    reference = st.session_state.get("lineage_reference", "")
    target = str(reference).strip() or run.translation.text.strip()
    with settings():
        more = text_box("lineage_more", going_on(run), height=100)
    if not target:
        note("lineage-no-target", "edit")
        return
    texts = prefixes(first, more, MOST_LENGTHS)
    lines, problems = _lines(systems, texts, target, len(first.split()))
    if not lines.empty:
        tell_ends("lineage-fall", lines, "share", WHOLE, added=texts[-1][0])
        # The open system is highlighted among the curves.
        opened = (s.title for s in systems if s.outline.name == run.choices.checkpoint)
        there = set(lines["system"])
        names = {s.title: s.id for s in systems if s.title in there}
        picture(
            "lineage-growing",
            length_lines(lines, names, next(opened, "")),
            wide=True,
            numbers=lines,
            n=len(names),
            texts=len(texts),
            target=plain(target, 300),
        )
    for problem in problems:
        st.caption(problem)


def going_on(run: Run) -> str:
    """Return the continuation that the box begins with: other examples of the languages."""
    on_screen = (" ".join(run.src.text.split()), run.example.twin if run.example else "")
    texts = [example.text for example in run.pack.examples if example.text not in on_screen]
    return " ".join(" ".join(texts).split()[:MOST_WORDS])


def _lines(
    systems: tuple[ChosenSystem, ...],
    texts: tuple[tuple[int, str], ...],
    target: str,
    n_words: int,
) -> tuple[pd.DataFrame, list[str]]:
    """Return the probability per token of the target for each system and text, and what failed.

    The probability is a geometric mean; the column log_p has its logarithm.
    """
    rows = []
    problems = []
    for system in systems:
        give_way()
        title = plain(system.title, 120)
        if isinstance(system.reader, ModelError):
            problems.append(say("lineage-not-loaded", system=title))
            continue
        try:
            scores = ask(system.reader, score_each, tuple(t for _, t in texts), target)
        except ModelError as error:
            reason = plain(str(error.message))
            problems.append(say("lineage-not-read", why=reason, system=title))
            continue
        means = scores.mean(axis=1)
        # A text beyond a model's limit has no score.
        fits = np.isfinite(means)
        if not fits.all():
            most = system.reader.max_source_len
            problems.append(say("lineage-cut", n=int(fits.sum()), most=most, system=title))
        rows += [
            (system.title, n_words + added, float(mean), float(np.exp(mean)))
            for (added, _), mean, fit in zip(texts, means, fits, strict=True)
            if fit
        ]
    return pd.DataFrame(rows, columns=["system", "words", "log_p", "share"]), problems


def _states(sources: SourceStates) -> None:
    first = 0
    tokens = sources.src.tokens
    # 0.1: states near zero must not fill the colour scale with noise.
    limit = max(0.1, float(np.abs(sources.states).max()))
    # At least two columns, so that a single picture does not fill the page.
    for (part, n), column in zip(
        sources.parts, st.columns(max(2, len(sources.parts))), strict=False
    ):
        states = sources.states[:, first : first + n]
        first += n
        order = peak_order(states)
        with column:
            st.markdown(f"**{named(f'value-part-{part}', part)}**")
            picture(
                "lineage-states",
                state_picture(states, tokens, order, limit=limit),
                key=f"lineage_states_{part}",
                # Bound now, because the loop changes both before a file is asked for.
                numbers=lambda s=states, o=order: state_table(s, tokens, o),
                units=n,
                n=len(tokens),
                part=part,
            )
