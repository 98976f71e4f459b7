"""The state of a lesson: the run it is about, and its address with the model's own places in it."""

from __future__ import annotations

import re
from typing import TypeVar

import streamlit as st

from analysis.measures import pair_weights, strongest_head
from model import ModelError
from records import AttentionMap, Decoding
from ui.controls import OPENING
from ui.focus import Head, link_of
from ui.masks.choices import site_between
from ui.state import Choices, Run, by_preference, get_translator, outlines, translated
from words import Message
from words.packs import first_pack

from .book import Step

Value = TypeVar("Value")
_PLACE = re.compile(r"\{(>{0,2})([^{}]+)\}")


class NoAnswer(ModelError):
    """The model on screen has nothing that answers: no such site, no such word in its output."""

    def __init__(self) -> None:
        super().__init__(Message("lesson-no-answer"))


def there(value: Value | None) -> Value:
    if value is None:
        raise NoAnswer
    return value


def lesson_run(screen: Run) -> Run:
    """The run on screen, if its model reads the language of the lessons; else one by the open
    checkpoint or the first that does, as far as one is installed."""
    language, found = first_pack().languages[:1], outlines()

    def fits(name: str) -> bool:
        known = found.get(name)
        return known is not None and known.searches and known.languages[:1] == language

    if screen.translator.card.languages[:1] == language:
        return screen
    opened = st.session_state.get("checkpoint", screen.choices.checkpoint)
    name = next(filter(fits, (opened, *by_preference(found))), None)
    if name is None:
        return screen
    try:
        choices = Choices(name, first_pack().examples[0].text, OPENING)
        return translated(choices, get_translator(name))
    except ModelError:
        return screen


def run_of(screen: Run, step: Step) -> Run:
    """The sentence of a step, run by the model on screen with the search that the step asks for."""
    asked = step.address
    decoding = Decoding(
        int(asked.get("beam", OPENING.beam_size)),
        float(asked.get("alpha", OPENING.alpha)),
        n_runners_up=OPENING.n_runners_up,
    )
    choices = Choices(screen.choices.checkpoint, asked["text"], decoding)
    return screen if choices == screen.choices else translated(choices, screen.translator)


def address_of(run: Run, step: Step) -> dict[str, str]:
    """The address of a step, as it is spelt; what this model has no place for is left out."""
    filled = {}
    for name, value in step.address.items():
        try:
            filled[name] = _PLACE.sub(lambda found, name=name: _spelt(run, name, found), value)
        except NoAnswer:
            continue
    return filled


def _spelt(run: Run, name: str, found: re.Match[str]) -> str:
    beside, word = found.groups()
    if word == "noun_head":
        return ".".join(str(place + 1) for place in noun_head(run)[0])
    places = source_places(run, word) if not beside else (written_place(run, word),)
    after = max(0, len(beside) - 1)  # ``>`` is the row that writes it, ``>>`` that reads it
    return ("." if name == "change" else ",").join(str(place + after + 1) for place in places)


def map_between(run: Run, query: str, key: str) -> AttentionMap:
    return run.record.of(there(site_between(run, query, key)))


def noun_head(run: Run) -> tuple[Head, AttentionMap]:
    """The head that looks most from the pronoun at its noun, as the first page opens it."""
    attention = map_between(run, "source", "source")
    link = there(link_of(run, attention))
    if not link.columns:
        raise NoAnswer
    return strongest_head(pair_weights(attention, link.rows, link.columns)), attention


def source_places(run: Run, word: str) -> tuple[int, ...]:
    """The pieces of a word, or of a special token, of the sentence."""
    src = run.translation.src
    found = src.pieces_of(word) or tuple(i for i, t in enumerate(src.tokens) if t == word)
    return there(found or None)


def written_place(run: Run, word: str) -> int:
    """The row that writes the first piece of a word of the translation."""
    tgt = run.translation.tgt
    return there((tgt.pieces_of(word) if tgt else ()) or None)[0]
