"""The sentence, the words that are masked in it, and the model that says what stood there."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from analysis.transform import Groups, word_groups
from model import MaskedReader
from records import AttentionRecord, BothSides, Guess, RestsOn, TokenSequence
from ui import address
from ui.controls import installed_with
from ui.kit.blocks import command_line
from ui.shared import cached
from ui.state import Run
from ui.views import View
from ui.words import plain, say

NEED = "masked-words"
CONFIG = "training/configs/masked-lm.json"
COMMANDS = (
    f"python -m training --config {CONFIG}",
    "python -m training export --run runs/masked-lm --checkpoint checkpoints/masked-lm",
)
KEY = "masked"
MASKING = "guess"
"""The view in which words are masked by choice."""
SHORT = 3
MOST_WORDS = 60
"""Words that can be clicked; of a longer sentence the first."""


@dataclass(frozen=True)
class Scene:
    """A sentence as a model of masked words reads it.

    Attributes
    ----------
    name : of the checkpoint's folder.
    words : positions of the pieces of every word and sign that can be masked.
    chosen : which of `words` are masked.
    """

    name: str
    reader: MaskedReader
    src: TokenSequence
    words: Groups
    chosen: tuple[int, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The pieces that are masked by choice."""
        return tuple(place for word in self.chosen for place in self.words[word])


def make_scene(run: Run, view: View) -> Scene | None:
    """What is chosen, drawn as far as it can be; None where nothing can be read."""
    name, reader, src = run.choices.checkpoint, run.translator, run.translation.src
    if not isinstance(reader, MaskedReader):
        st.info(say("masked-none"), icon=":material/terminal:")
        for line in COMMANDS:
            command_line(line)
        return None
    if name != st.session_state["checkpoint"]:
        st.caption(say("masked-model", name=plain(masked_models()[name])))
    assert isinstance(src, TokenSequence)
    typed = set(reader.typed_masks(src))
    words = tuple(
        group
        for group in word_groups(src)
        if not any(src.special[place] or place in typed for place in group)
    )[:MOST_WORDS]
    chosen = _chosen(src, words, has_mask=bool(typed)) if view.id == MASKING else ()
    return Scene(name, reader, src, words, chosen)


def masked_model(opened: str) -> str | None:
    """The open checkpoint if it reads masked words, else the first installed one that does."""
    return next(iter(masked_models(opened)), None)


def masked_models(*first: str) -> dict[str, str]:
    """The installed checkpoints that read masked words, and what they are called."""
    return installed_with(NEED, first)


# -- what is masked --------------------------------------------------------------------------


def _chosen(src: TokenSequence, words: Groups, *, has_mask: bool) -> tuple[int, ...]:
    """The words that are clicked; at first those of the address, else the last long one."""
    state = st.session_state
    spelt = [src.text[slice(*_span(src, group))] for group in words]
    if state.get(f"{KEY}_of") != src.text or address.by_history():
        asked = (address.read("masked_words") or ()) if _first() else ()
        sound = [place for place in asked if place < len(words)]
        state[KEY] = sound or ([] if has_mask else _begin_with(spelt))
        state[f"{KEY}_of"] = src.text
    chosen = st.pills(
        say("masked-click"),
        range(len(words)),
        key=KEY,
        selection_mode="multi",
        format_func=lambda number: plain(spelt[number]),
        help=say("masked-click-help"),
        persist_state="session",
    )
    chosen = tuple(sorted(number for number in chosen if number < len(words)))
    address.drawn("masked_words")
    address.write("masked_words", chosen or None)
    return chosen


def _begin_with(words: list[str]) -> list[int]:
    """The last word that is no sign and not among the short ones."""
    return [place for place, word in enumerate(words) if len(word) > SHORT][-1:]


def _first() -> bool:
    """Nothing was chosen before, or the reader went back to this very sentence."""
    return f"{KEY}_of" not in st.session_state or address.by_history()


def _span(src: TokenSequence, group: tuple[int, ...]) -> tuple[int, int]:
    return src.offsets[group[0]][0], src.offsets[group[-1]][1]


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
