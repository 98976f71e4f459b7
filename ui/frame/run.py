"""The run on screen: what the reader chose, and what the model computed for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.card import CheckpointCard
from core.interventions.intervention import Intervention
from core.records.attention import AttentionRecord
from core.records.runs import Reading, Translation
from core.records.search import Decoding
from core.records.sources import Source, TokenSequence
from model import Reader, Translator
from words import Spoken
from words.packs import ExampleSentence, Pack, pack_of

SHOWN = "reader_shown"
"""Session key: the model of the page, if it is not that of the run."""
RUN = "run"
"""Session key: the run on screen."""
RECORDING = "recording"
"""Name of the session's recording in place of a checkpoint."""
UNCHANGED = Intervention()

SEARCH_PAGE = "beam"
"""Id of the page that is about the search."""
OPENING = Decoding(n_runners_up=3)
"""Search settings of a fresh session."""


@dataclass(frozen=True)
class FrameChoices:
    """Choices of the frame around the pages."""

    checkpoint: str
    text: str
    decoding: Decoding
    # The open view reads the sentence, and the frame shows it; no part of what is computed.
    reads: bool = field(default=True, compare=False)


@dataclass(frozen=True)
class Run:
    """The choices that worked and their result."""

    choices: FrameChoices
    translator: Reader  # a `Translator` if it writes a text
    translation: Translation | Reading  # a `Reading` if it writes nothing
    change: Intervention = UNCHANGED  # the intervention under which it was computed

    @property
    def card(self) -> CheckpointCard:
        return self.translator.card

    @property
    def src(self) -> Source:
        return self.translation.src

    @property
    def tgt(self) -> TokenSequence | None:
        """Output tokens, or None if the model writes nothing."""
        return self.translation.tgt

    @property
    def output(self) -> TokenSequence:
        """Output tokens, for views whose needs promise some."""
        if self.tgt is None:
            raise ValueError(f"{self.card.name} writes nothing")
        return self.tgt

    @property
    def writer(self) -> Translator:
        """The model, for views whose needs promise that it writes a text."""
        if not isinstance(self.translator, Translator):
            raise ValueError(f"{self.card.name} writes nothing")
        return self.translator

    @property
    def record(self) -> AttentionRecord:
        """Attention of the run."""
        return self.translation.attention

    @property
    def capabilities(self) -> frozenset[str]:
        """Capabilities of the model, by the names that families declare."""
        return self.translator.capabilities

    @property
    def pack(self) -> Pack:
        """Language pack of the model's pair."""
        return pack_of(self.card.languages)

    def spoken(self, side: str, text: str) -> Spoken:
        """Return a text of the "source" or "target" with its language, for screen readers."""
        # A card may name one language, or none.
        source, target = (*self.card.languages, "", "")[:2]
        return Spoken(text, target if side == "target" else source)

    @property
    def example(self) -> ExampleSentence | None:
        """Facts about the sentence, if it is one of the examples."""
        return self.pack.example_of(self.src.text)

    @property
    def source_identity(self) -> tuple[Any, ...]:
        """Cache key of model and source, whatever the search."""
        return self.card.fingerprint, self.src.ids

    @property
    def identity(self) -> tuple[Any, ...]:
        """Cache key of the tokens on both sides and of the intervention."""
        return *self.source_identity, self.tgt.ids if self.tgt else (), *self.change


def run_on_screen() -> Run | None:
    """Return the run of this session, None before the first one that worked."""
    return st.session_state.get(RUN)
