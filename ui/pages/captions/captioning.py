"""Captions of scenes: the captioner of the page, its caption, and its gaze word by word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from core.captions import Verdict, caption_languages, read_caption, unjudged
from core.gaze import Pointed, pointing
from core.records.attention import AttentionMap, Measure
from core.records.scenes import Scene, SceneSource, Thing
from ui.components.scene import WordGaze
from ui.frame.checkpoints import outlines
from ui.frame.messages import current_words, say
from ui.frame.run import Run
from ui.kit.checkpoint_labels import installed_with
from ui.kit.controls import kept_choice
from ui.kit.norm import as_measured
from words.numbers import percent

# Captioners of the project, in the order of the menu.
SHIPPED = ("captions-soft", "captions-hard", "captions-mean", "captions-soft-ko")
MODEL = "captions_model"
OPENED = "captions_opened"
SUM = "sum"


def scene_of(run: Run) -> Scene:
    """Return the scene that the model read; an empty one if it read something else."""
    src = run.src
    return src.scene if isinstance(src, SceneSource) else Scene(())


@dataclass(frozen=True, eq=False)
class SceneCaption:
    """A model's caption of a scene, and its gaze (T_tgt, 196)."""

    run: Run
    scene: Scene
    verdict: Verdict
    weights: np.ndarray  # or norms of vectors, as shares of their rows
    pointed: tuple[Pointed, ...]
    gaze: AttentionMap
    error: float | None = None  # of the vectors' sum, if norms are drawn

    def say(self, id: str, **values: Any) -> str:
        """Return a message that names the measure."""
        return say(id, measure=self.gaze.measure, **values)


def caption_of(run: Run, measure: Measure = "weight") -> SceneCaption:
    """Return the caption of a run with its gaze, in weights if its model has no norms."""
    scene = scene_of(run)
    tgt = run.tgt
    run, error = as_measured(run, measure)
    gaze = run.record.of("gaze")
    weights = gaze.weights[0, 0]
    language = language_of(run)
    verdict = unjudged(tgt.text)
    # Only languages with a grammar can be judged.
    if language in caption_languages():
        verdict = read_caption(tgt.text, scene, language)
    pointed = pointing(weights, tgt, verdict.words, scene)
    return SceneCaption(run, scene, verdict, weights, pointed, gaze, error)


def language_of(run: Run) -> str:
    return run.card.languages[1]


def captioners(*first: str) -> dict[str, str]:
    """Return titles of the installed captioners, those of the project first."""
    return installed_with("scene", (*first, *SHIPPED))


def captioner(opened: str) -> str | None:
    """Return the captioner of the page: the chosen one, at first one in the reader's language.

    A captioner that is opened for all pages is opened here too. None if none is installed.
    """
    state = st.session_state
    names = tuple(captioners(opened))
    if not names:
        return None
    installed = outlines()
    language = current_words().language
    speaking = (name for name in names if installed[name].languages[1:] == (language,))
    default = opened if opened in names else next(speaking, names[0])
    if opened in names and state.get(OPENED, opened) != opened:
        state[MODEL] = opened
    state[OPENED] = opened
    return kept_choice(MODEL, names, default=default)


def looks_of(described: SceneCaption) -> tuple[WordGaze, ...]:
    """Return every word with its gaze, and the sum of all gazes last."""
    by_start = {pointed.word.start: pointed for pointed in described.pointed}
    tgt = described.run.tgt
    looks = []
    for word in described.verdict.words:
        rows = tgt.pieces_at(word.start, word.end)
        if not rows:
            # Punctuation of the grammar may have no token of its own.
            continue
        weights = described.weights[list(rows)].mean(axis=0)
        looks.append(_look(word.text, weights, by_start.get(word.start), described))
    return (*looks, _sum_of(described))


def _look(
    text: str, weights: np.ndarray, pointed: Pointed | None, described: SceneCaption
) -> WordGaze:
    if pointed is None:
        free = described.say("captions-note-free", word=text, most=weights.max())
        return WordGaze(text, "", "", free, weights)
    thing = described.scene.things[pointed.word.thing]
    note = described.say(
        "captions-note",
        word=text,
        thing=thing_name(thing),
        share=pointed.mass,
        even=pointed.chance,
        hit="yes" if pointed.hit else "other" if pointed.elsewhere else "no",
    )
    mark = "hit" if pointed.hit else "miss"
    return WordGaze(text, percent(pointed.mass, 0), mark, note, weights, thing.box)


def _sum_of(described: SceneCaption) -> WordGaze:
    """Return the total gaze of each cell over time.

    For weights, the doubly stochastic penalty draws it towards one (Xu et al. 2015, eq. 14).
    """
    weights = described.weights
    total = weights.sum(axis=0)
    note = described.say(
        "captions-note-sum",
        least=total.min(),
        most=total.max(),
        steps=len(weights),
        mean=total.mean(),
    )
    return WordGaze(say("captions-sum"), "", "", note, total)


def word_of(option: str) -> str:
    """Return an attribute's value in the reader's language."""
    return say(f"captions-word-{option}")


def thing_name(thing: Thing) -> str:
    """Return a thing in the reader's language, with the properties that are new to the model."""
    return say(
        f"captions-thing-{'plain' if thing.pattern == 'plain' else 'patterned'}",
        size=word_of(thing.size),
        pattern=word_of(thing.pattern),
        colour=word_of(thing.colour),
        shape=word_of(thing.shape),
    )
