"""All heads of a recorded sentence over the steps of a training, moved in the browser alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.effect import HeadPlace as Head
from analysis.formation import MEASURES, Pair, formed_at, head_curve, measures_of
from analysis.labels import token_labels
from analysis.measures import strongest_head
from records import AttentionMap, Formation, FormedSentence
from ui.components.stepper import stepper
from ui.focus import click_count, clicked
from ui.guard import fragment
from ui.kit.blocks import picture
from ui.kit.controls import choice
from ui.kit.layout import finding, settings
from ui.words import say
from viz.figure import Figure, tables_of
from viz.formation import CURVE, STEP_SIGNAL, expected_tokens, head_lines, one_head
from viz.labels import full_head_name
from viz.overview import SELECTION_NAME, head_film
from words.numbers import fixed, grouped

PAGE, TILE, LEAST = 944, 44, 230  # pixels of the page, of a head, and of all heads
LEFT_OUT = ["ink", "text", "name", "badge", "selected", "click", "site"]
"""Columns of a figure that are no numbers."""


@dataclass(frozen=True, eq=False)
class Film:
    """What the figures are made of."""

    key: str  # begins the names of its choices in session and address
    identity: str  # tells it from another recording or sentence
    formation: Formation
    sentence: int
    frames: tuple[tuple[AttentionMap, ...], ...]  # at every recorded step
    pair: Pair | None = None  # who looks at whom, where the sentence has a riddle
    marked: tuple[Head, ...] = ()  # by the card of the model

    @property
    def found(self) -> FormedSentence:
        return self.formation.sentences[self.sentence]

    @property
    def last(self) -> int:
        return len(self.formation.steps) - 1

    @cached_property
    def measures(self) -> dict[str, list[str]]:
        """What says something about sites, and their names; what has an answer comes first."""
        known = {measure: [] for measure in ("answer", "pair", *MEASURES)}
        for site in self.formation.sites:
            for measure in measures_of(self.formation, self.sentence, site, self.pair):
                known[measure].append(site.name)
        return {measure: names for measure, names in known.items() if names}

    def curves(self, measure: str) -> dict[str, np.ndarray]:
        """The measure by site, (S, L, H), of the sites about which it says something."""
        return {
            site.name: head_curve(self.formation, self.sentence, site, measure, self.pair)
            for site in self.formation.sites
            if site.name in self.measures[measure]
        }

    def known(self, kind: str) -> Sequence[int]:
        """For each row the column that is right, where the maps of a site have such columns."""
        return self.found.alignment or () if kind in self.measures.get("answer", ()) else ()

    def opening(self) -> tuple[str, Head, int]:
        """A measure and a head that come to do something, and the step at which it has formed: one
        of the card, else that which does most of what is measured at the end."""
        found = []
        for measure in self.measures:
            curves = self.curves(measure)
            kind = next(reversed(curves))
            head = self.marked[0] if self.marked else (kind, *strongest_head(curves[kind][-1]))
            at = formed_at(curves[head[0]][:, head[1], head[2]]) if head[0] in curves else None
            if at:
                return measure, head, at
            found.append((measure, head, self.last))
        return found[0]


def show_film(film: Film, said: str = "") -> None:
    """All heads, the open one, the curves of all and the expected tokens, and what moves them.

    `said` is told above in the place of when the open head formed.
    """
    opens, first, began = film.opening()
    with settings():
        how = {"words": "forming_measure", "style": "select", "default": opens}
        measure = choice(f"{film.key}_measure", tuple(film.measures), **how)
        head = _chosen_head(film, first)
    kind, layer, place = head
    curves, title = film.curves(measure), say(f"forming_measure-{measure}")
    finding(said or _formed_words(film, curves, head, title))
    memory = st.session_state.setdefault(f"{film.key}_memory", {})
    if memory.get("identity") != film.identity:
        memory.update(identity=film.identity, step=None)
    at = began if memory["step"] is None else min(memory["step"], film.last)
    dial = st.container()
    tiles = max(LEAST, (max(m.n_heads for m in film.frames[0]) + 1) * TILE)
    left, right = st.columns([tiles, PAGE - tiles], gap="small")
    clicks = {name: click_count(f"{film.key}_{name}") for name in ("heads", "lines")}
    nothing = {m.kind: np.full((m.n_layers, m.n_heads), np.nan) for m in film.frames[0]}
    with left:
        figure = head_film(
            [
                (maps, nothing | {kind: curve[step] for kind, curve in curves.items()})
                for step, maps in enumerate(film.frames)
            ],
            signal=STEP_SIGNAL,
            at=at,
            badge_title=title,
            selected=head,
            marked=film.marked,
            click=clicks["heads"],
        )
        n = len(tables_of(figure)["heads"]) // len(film.frames)
        _moving(film, "heads", figure, "heads", clicks=True, n=n, measure=title)
    with right:
        known, maps = film.known(kind), [m for frame in film.frames for m in frame]
        of_site = [each for each in maps if each.kind == kind]
        figure = one_head(of_site, layer, place, alignment=known, at=at)
        below = say("training-one-known") if known else ""
        _moving(film, "one", figure, "cells", below=below, head=full_head_name(*head))
    shown = {"selected": head, "title": title, "click": clicks["lines"]}
    figure = head_lines(curves, film.formation.steps, at=at, **shown)
    _moving(film, "lines", figure, "lines", clicks=True, measure=title)
    found = film.found
    told = {"n": len(found.target_tokens), "text": " ".join(token_labels(found.target_tokens[:-1]))}
    told["likeliest"] = "yes" if found.likeliest else "no"
    _moving(film, "tokens", expected_tokens(found, at=at), "tokens", **told)
    with dial:
        fragment(_dial)(film, began)


def _moving(film: Film, name: str, figure: Figure, table: str, **how: Any) -> None:
    def numbers() -> pd.DataFrame:
        rows = tables_of(figure)[table].drop(columns=LEFT_OUT, errors="ignore")
        steps = film.formation.steps[rows["time"].to_numpy()]
        return rows.drop(columns=["time"]).assign(step=steps)

    picture(f"training-{name}", figure, key=f"{film.key}_{name}", numbers=numbers, **how)


def _dial(film: Film, began: int) -> None:
    memory = st.session_state[f"{film.key}_memory"]
    stepper(
        began if memory["step"] is None else min(memory["step"], film.last),
        film.last,
        {f"{film.key}_{name}": None for name in ("tokens", "heads", "one", "lines")},
        signal=STEP_SIGNAL,
        key=f"{film.key}_dial",
        identity=film.identity,
        words={"group": say("training-dial-help"), "step": say("training-step")},
        buttons=True,
        names=[say("training-at-step", step=grouped(int(n))) for n in film.formation.steps],
        on_step=partial(memory.__setitem__, "step"),
    )


def _chosen_head(film: Film, first: Head) -> Head:
    heads = {
        f"{site.name}-{layer + 1}-{head + 1}": (site.name, layer, head)
        for site in film.formation.sites
        for layer, head in np.ndindex(site.n_layers, site.n_heads)
    }
    names = {head: name for name, head in heads.items()}
    key = f"{film.key}_head"
    for chart, selection in ((f"{film.key}_heads", SELECTION_NAME), (f"{film.key}_lines", CURVE)):
        cell = clicked(chart, selection) or {}
        place: Any = tuple(cell.get(name) for name in ("kind", "layer", "head"))
        if place in names:
            st.session_state[key] = names[place]
    chosen = choice(
        key,
        tuple(heads),
        words="forming_head",
        style="select",
        default=names.get(first),
        text=lambda name: full_head_name(*heads[name]),
    )
    return heads[chosen]


def _formed_words(film: Film, curves: dict[str, np.ndarray], head: Head, title: str) -> str:
    steps, (kind, layer, place) = film.formation.steps, head
    values = {"head": full_head_name(*head), "measure": title}
    if kind not in curves:
        return say("training-formed-not-measured", **values)
    own = curves[kind][:, layer, place]
    at, values["last"] = formed_at(own), fixed(own[-1])
    how = "never" if at is None else "at" if at else "before"
    if at is not None:
        values["step"] = grouped(int(steps[at]))
        values["before"] = grouped(int(steps[max(0, at - 1)]))
    every = [formed_at(line) for each in curves.values() for line in each.reshape(len(steps), -1).T]
    formed = {"late": sum(map(bool, every)), "early": every.count(0)}
    told = say(f"training-formed-{how}", **values)
    return told + " " + say("training-formed-all", n=len(every), **formed)


def pieces_of(tokens: Sequence[str], word: str) -> tuple[int, ...]:
    """The pieces that spell a word, the first time that it stands there; none where it does not."""
    groups: list[list[int]] = []
    for place, token in enumerate(tokens):
        if token.startswith("▁") or not groups or not token[:1].isalnum():
            groups.append([])
        groups[-1].append(place)
    for group in groups:
        if "".join(tokens[i] for i in group).lstrip("▁").lower() == word.lower():
            return tuple(group)
    return ()


def text_of(tokens: Sequence[str]) -> str:
    """The text that pieces spell, ``</s>`` left out.

    >>> text_of(("▁I", "▁don", "'", "t", ".", "</s>"))
    "I don't."
    """
    return "".join(tokens[:-1]).replace("▁", " ").strip()
