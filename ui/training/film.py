"""All heads of a recorded sentence over the steps of a training, moved in the browser alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from analysis.effect import HeadPlace as Head
from analysis.formation import MEASURES, Pair, formed_at, head_curve, measures_of
from analysis.labels import token_labels
from analysis.measures import strongest_head
from records import AttentionMap, Formation, FormedSentence
from ui.choice import choice
from ui.components.stepper import read_step, stepper
from ui.focus import click_count, clicked
from ui.guard import fragment
from ui.kit.blocks import figure_block
from ui.words import plain, say
from viz.figure import Figure, tables_of
from viz.formation import CURVE, STEP_SIGNAL, expected_tokens, head_lines, one_head
from viz.labels import full_head_name
from viz.overview import SELECTION_NAME, head_film
from words.numbers import fixed, grouped


@dataclass(frozen=True, eq=False)
class Film:
    """What the figures are made of.

    Attributes
    ----------
    key : begins the names of its choices in session and address.
    identity : tells it from another recording or sentence.
    frames : the maps at every recorded step.
    pair : who looks at whom, where the sentence has a riddle.
    marked : heads that the model's card names.
    """

    key: str
    identity: str
    formation: Formation
    sentence: int
    frames: tuple[tuple[AttentionMap, ...], ...]
    pair: Pair | None = None
    marked: tuple[Head, ...] = ()

    @property
    def found(self) -> FormedSentence:
        return self.formation.sentences[self.sentence]

    @property
    def last(self) -> int:
        return len(self.formation.steps) - 1

    def measures(self) -> tuple[str, ...]:
        """Those that say something about one of the sites; what has an answer comes first."""
        known = {
            name
            for site in self.formation.sites
            for name in measures_of(self.formation, self.sentence, site, self.pair)
        }
        first = [name for name in ("answer", "pair") if name in known]
        return (*first, *(name for name in MEASURES if name in known and name not in first))

    def curves(self, measure: str) -> dict[str, np.ndarray]:
        """The measure by site, (S, L, H), of the sites about which it says something."""
        return {
            site.name: head_curve(self.formation, self.sentence, site, measure, self.pair)
            for site in self.formation.sites
            if measure in measures_of(self.formation, self.sentence, site, self.pair)
        }

    def maps(self, kind: str) -> list[AttentionMap]:
        return [next(m for m in frame if m.kind == kind) for frame in self.frames]


def show_film(film: Film) -> None:
    """The step, the expected tokens, all heads, the open one, and the curves of all."""
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    with bar:
        measure = choice(
            f"{film.key}_measure", film.measures(), words="forming_measure", style="select",
            width=300,
        )  # fmt: skip
    curves = film.curves(measure)
    head = _chosen_head(film, curves, bar)
    dial = st.container()
    at = _step(film)
    keys = [_tokens(film, at)]
    left, right = st.columns([6, 5], gap="small")
    with left:
        keys.append(_heads(film, curves, measure, head, at))
    with right:
        keys.append(_one(film, head, at))
    st.markdown(_formed_words(film, curves, head, measure))
    keys.append(_lines(film, curves, measure, head, at))
    with dial:
        fragment(_dial)(film, keys)


# -- the step ------------------------------------------------------------------------------


def _memory(key: str) -> dict:
    return st.session_state.setdefault(f"{key}_memory", {"step": None, "answered": 0})


def _step(film: Film) -> int:
    memory = _memory(film.key)
    if memory.get("identity") != film.identity:
        memory.update(identity=film.identity, step=None)
    step = memory["step"]
    return film.last if step is None else min(step, film.last)


def _dial(film: Film, keys: Sequence[str]) -> None:
    """What moves the step: the figures follow it in the browser."""
    stepper(
        _step(film),
        film.last,
        dict.fromkeys(keys),
        signal=STEP_SIGNAL,
        key=f"{film.key}_dial",
        identity=film.identity,
        answered=_memory(film.key)["answered"],
        words={
            "group": say("training-dial-help"),
            "step": say("training-step"),
            **{name: say(f"beam-tree-{name}") for name in ("back", "play", "pause", "on")},
        },
        names=[say("training-at-step", step=grouped(int(n))) for n in film.formation.steps],
        on_step=partial(_take_step, film.key, film.identity, film.last),
    )


def _take_step(key: str, identity: str, last: int) -> None:
    found = read_step((st.session_state.get(f"{key}_dial") or {}).get("step"), identity, last)
    if found is not None:
        _memory(key)["step"], _memory(key)["answered"] = found


# -- the head ------------------------------------------------------------------------------


def _chosen_head(film: Film, curves: dict[str, np.ndarray], bar) -> Head:
    """The head of the last click, of the menu or of the address; at first the best of its card."""
    heads = {
        f"{site.name}-{layer + 1}-{head + 1}": (site.name, layer, head)
        for site in film.formation.sites
        for layer, head in np.ndindex(site.n_layers, site.n_heads)
    }
    key = f"{film.key}_head"
    for chart, selection in ((f"{film.key}_heads", SELECTION_NAME), (f"{film.key}_lines", CURVE)):
        cell = clicked(chart, selection) or {}
        place = tuple(cell.get(name) for name in ("kind", "layer", "head"))
        for name, head in heads.items():
            if head == place:
                st.session_state[key] = name
    names = {head: name for name, head in heads.items()}
    with bar:
        chosen = choice(
            key,
            tuple(heads),
            words="forming_head",
            style="select",
            default=names.get(_opening(film, curves)),
            text=lambda name: full_head_name(*heads[name]),
            width=330,
        )
    return heads[chosen]


def _opening(film: Film, curves: dict[str, np.ndarray]) -> Head:
    """A head of the card; else the one that does most of what is measured at the end."""
    if film.marked:
        return film.marked[0]
    kind = next(reversed(curves))
    return (kind, *strongest_head(curves[kind][-1]))


# -- the figures ---------------------------------------------------------------------------


def _tokens(film: Film, at: int) -> str:
    key = f"{film.key}_tokens"
    figure = expected_tokens(film.found, at=at)
    target = " ".join(token_labels(film.found.target_tokens[:-1]))
    figure_block(
        figure,
        key=key,
        alt=say("training-tokens-alt", n=len(film.found.target_tokens)),
        name=say("training-tokens-name", text=target),
        caption=say(
            "training-tokens-likeliest" if film.found.likeliest else "training-tokens-unrecorded"
        ),
        numbers=lambda: _with_steps(film, tables_of(figure)["tokens"]).drop(
            columns=["ink", "text"], errors="ignore"
        ),
    )
    return key


def _heads(film: Film, curves: dict[str, np.ndarray], measure: str, head: Head, at: int) -> str:
    key = f"{film.key}_heads"
    frames = []
    for step, maps in enumerate(film.frames):
        badges = {
            m.kind: curves[m.kind][step]
            if m.kind in curves
            else np.full((m.n_layers, m.n_heads), np.nan)
            for m in maps
        }
        frames.append((maps, badges))
    title = say(f"forming_measure-{measure}")
    figure = head_film(
        frames, signal=STEP_SIGNAL, at=at, badge_title=title, selected=head, marked=film.marked,
        click=click_count(key),
    )  # fmt: skip
    figure_block(
        figure,
        key=key,
        alt=say("training-heads-alt", n=len(tables_of(figure)["heads"]) // len(frames)),
        name=say("training-heads-name", measure=title),
        clicks=True,
        numbers=lambda: _numbers_of_heads(film, figure),
    )
    return key


def _one(film: Film, head: Head, at: int) -> str:
    key = f"{film.key}_one"
    kind, layer, place = head
    maps = film.maps(kind)
    alignment = film.found.alignment if "answer" in measures_of(
        film.formation, film.sentence, maps[0].site, film.pair
    ) else ()  # fmt: skip
    name = full_head_name(*head)
    figure = one_head(maps, layer, place, alignment=alignment, at=at)
    figure_block(
        figure,
        key=key,
        alt=say("training-one-alt", head=name),
        name=say("training-one-name", head=name),
        caption=say("training-one-known") if alignment else "",
        numbers=lambda: _with_steps(film, tables_of(figure)["cells"]),
    )
    return key


def _lines(film: Film, curves: dict[str, np.ndarray], measure: str, head: Head, at: int) -> str:
    key = f"{film.key}_lines"
    title = say(f"forming_measure-{measure}")
    figure = head_lines(
        curves, film.formation.steps, selected=head, title=title, click=click_count(key), at=at
    )
    figure_block(
        figure,
        key=key,
        alt=say("training-lines-alt", measure=title),
        name=say("training-lines-name", measure=title),
        clicks=True,
        caption=say("training-lines-caption"),
        numbers=lambda: _with_steps(film, tables_of(figure)["lines"]).drop(
            columns=["selected", "click", "site"]
        ),
    )
    return key


def _formed_words(film: Film, curves: dict[str, np.ndarray], head: Head, measure: str) -> str:
    """When the open head came to do what it does, and how many heads do so at all."""
    steps = film.formation.steps
    kind, layer, place = head
    name, title = full_head_name(*head), say(f"forming_measure-{measure}")
    if kind not in curves:
        return say("training-formed-not-measured", head=name, measure=title)
    own = curves[kind][:, layer, place]
    values = {"head": name, "measure": title, "last": fixed(own[-1])}
    at = formed_at(own)
    every = [formed_at(line) for each in curves.values() for line in each.reshape(len(steps), -1).T]
    late = sum(found is not None and found > 0 for found in every)
    early = sum(found == 0 for found in every)
    if at is None:
        told = say("training-formed-never", **values)
    elif at == 0:
        told = say("training-formed-before", step=grouped(int(steps[0])), **values)
    else:
        told = say(
            "training-formed-at",
            step=grouped(int(steps[at])),
            before=grouped(int(steps[at - 1])),
            **values,
        )
    return told + " " + say("training-formed-all", n=len(every), late=late, early=early)


def _with_steps(film: Film, table: pd.DataFrame) -> pd.DataFrame:
    """The same lines with the steps of the training in the place of their numbers."""
    steps = film.formation.steps[table["time"].to_numpy()]
    return table.drop(columns=["time"]).assign(step=steps)


def _numbers_of_heads(film: Film, figure: Figure) -> pd.DataFrame:
    columns = ["time", "kind", "layer", "head", "number"]
    return _with_steps(film, tables_of(figure)["heads"][columns])


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


def sentence_name(film_sentence: FormedSentence) -> str:
    return plain(text_of(film_sentence.source_tokens), 80)
