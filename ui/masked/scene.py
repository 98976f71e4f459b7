"""The sentence, the words that are masked in it, and the model that says what stood there."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from analysis.transform import Groups, word_groups
from model import MaskedReader
from records import AttentionRecord, BothSides, Guess, RestsOn, TokenSequence
from ui import address
from ui.address import PLACES
from ui.controls import installed_with
from ui.kit.blocks import command_line
from ui.shared import cached
from ui.state import Run
from ui.views import View
from ui.words import plain, say

CONFIG = "training/configs/masked-lm.json"
COMMANDS = (
    f"python -m training --config {CONFIG}",
    "python -m training export --run runs/masked-lm --checkpoint checkpoints/masked-lm",
)
KEY = "masked"
SHORT = 3
MOST_WORDS = 60
"""Words that can be clicked; of a longer sentence the first."""


@dataclass(frozen=True)
class Scene:
    """A sentence as a model of masked words reads it."""

    name: str
    reader: MaskedReader
    src: TokenSequence
    words: Groups  # pieces of every word and sign that can be masked
    chosen: tuple[int, ...] = ()  # which of `words` are masked

    def span(self, word: int) -> tuple[int, int]:
        """Where one of `words` begins and ends in the text."""
        group = self.words[word]
        return self.src.offsets[group[0]][0], self.src.offsets[group[-1]][1]

    @property
    def places(self) -> tuple[int, ...]:
        """The pieces that are masked by choice."""
        return tuple(place for word in self.chosen for place in self.words[word])


def make_scene(run: Run, _view: View) -> Scene | None:
    """What is read; None where nothing can be."""
    name, reader, src = run.choices.checkpoint, run.translator, run.translation.src
    if not isinstance(reader, MaskedReader):
        st.info(say("masked-none"), icon=":material/terminal:")
        for line in COMMANDS:
            command_line(line)
        return None
    assert isinstance(src, TokenSequence)
    typed = set(reader.typed_masks(src))
    words = tuple(
        group
        for group in word_groups(src)
        if not any(src.special[place] or place in typed for place in group)
    )[:MOST_WORDS]
    return Scene(name, reader, src, words)


def masked_model(opened: str) -> str | None:
    """The open checkpoint if it reads masked words, else the first installed one that does."""
    return next(iter(installed_with("masked-words", (opened,))), None)


# -- what is masked --------------------------------------------------------------------------


def chosen_words(scene: Scene) -> tuple[int, ...]:
    """The words that are clicked; at first those of the address, else the last long one."""
    state, src, n = st.session_state, scene.src, len(scene.words)
    spelt = [src.text[slice(*scene.span(word))] for word in range(n)]
    by_history = address.by_history()
    if state.get(f"{KEY}_of") != src.text or by_history:
        # The address speaks of the first sentence, or of the one that the reader went back to.
        first = by_history or f"{KEY}_of" not in state
        asked = (address.read("masked_words", PLACES) or ()) if first else ()
        begin = [] if scene.reader.typed_masks(src) else _begin_with(spelt)
        state[KEY] = [place for place in asked if place < n] or begin
        state[f"{KEY}_of"] = src.text
    chosen = st.pills(
        say("masked-click"),
        range(n),
        key=KEY,
        selection_mode="multi",
        wrap=True,
        format_func=lambda number: plain(spelt[number]),
        help=say("masked-click-help"),
        persist_state="session",
    )
    chosen = tuple(sorted(number for number in chosen if number < n))
    address.write("masked_words", chosen or None, PLACES)
    return chosen


def _begin_with(words: list[str]) -> list[int]:
    return [place for place, word in enumerate(words) if len(word) > SHORT][-1:]


# -- what is worked out ----------------------------------------------------------------------


@cached("card.fingerprint", max_entries=128)
def guessed(
    reader: MaskedReader, src: TokenSequence, places: tuple[int, ...], left_only: bool
) -> tuple[Guess, ...]:
    return reader.guess(src, places, left_only=left_only)


@cached("card.fingerprint", max_entries=64)
def looked(
    reader: MaskedReader, src: TokenSequence, places: tuple[int, ...], left_only: bool
) -> AttentionRecord:
    return reader.attend_to(src, places, left_only=left_only)


@cached("card.fingerprint", max_entries=128)
def rests_on(
    reader: MaskedReader, src: TokenSequence, places: tuple[int, ...], place: int
) -> RestsOn:
    return reader.leave_one_out(src, places, place)


@cached("card.fingerprint", max_entries=64)
def both_sides(reader: MaskedReader, src: TokenSequence) -> BothSides:
    return reader.both_sides(src)
