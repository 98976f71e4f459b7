"""Presets of interventions: the coreference test, components and positions left out."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from core.card import CheckpointCard
from core.interventions.base import Change
from core.interventions.intervention import Intervention, hide, hiding_places
from core.interventions.kinds import (
    AblatedHead,
    HiddenToken,
    NoNorm,
    NoResidual,
    Positions,
    UnreadToken,
)
from core.measurements import INTERVENTIONS
from core.pronoun import Word, coreference_words, flip_facts, use_facts, words_of
from core.records.sources import TokenSequence
from ui.frame.messages import say, stated
from ui.frame.run import Run
from ui.kit.decisions import pronoun_choice
from ui.kit.forced_reading import next_log_probs
from ui.kit.layout import bar
from ui.kit.measurements import stored_of
from ui.pages.masks.draft import follow_scope, room_of, set_change

SHIFT = 50  # positions
LEAST_CHANGE = 0.01  # of a pronoun's probability that is worth a sentence
SITES = ("encoder", "decoder", "cross")
TOOLS_OF: dict[type[Change], str] = {
    HiddenToken: "tokens",
    UnreadToken: "tokens",
    AblatedHead: "heads",
    Positions: "positions",
    NoResidual: "sublayers",
    NoNorm: "sublayers",
}
"""Tool in which each kind of change of a preset was made."""


def presets(run: Run) -> dict[str, Intervention]:
    """Return the presets that fit model and sentence, by id."""
    span = len(run.tgt)
    room = room_of(run)
    left_out: dict[str, tuple[Change, ...]] = {
        "residual": (NoResidual(),),
        "norm": (NoNorm(),),
        **{f"attention-{site}": (AblatedHead(site),) for site in SITES},
        "source-absent": (Positions("absent"),),
        "target-absent": (Positions("absent", side="target"),),
        "shifted": tuple(Positions("shifted", SHIFT, side=side) for side in ("source", "target")),
        "permuted": (Positions("permuted"), Positions("permuted", span=span, side="target")),
    }
    candidates = hidings(run) | {id: Intervention(*changes) for id, changes in left_out.items()}
    if "learned-positions" in run.capabilities and max(len(run.src), span) + SHIFT > room.most:
        del candidates["shifted"]  # a learned table has a last position
    return {
        id: change
        for id, change in candidates.items()
        if change.needs <= run.capabilities and not change.faults(room)
    }


def hidings(run: Run) -> dict[str, Intervention]:
    """Return the presets of the coreference test; empty if the antecedent is unknown."""
    places = hiding_places(run.record.sites, run.capabilities)
    words = _tested_words(run) if places else {}
    return {role: hide(*word.positions, where=places[0]) for role, word in words.items()}


def _tested_words(run: Run) -> dict[str, Word]:
    """Return the words of the coreference test by role; empty if the antecedent is unknown."""
    if run.example is None or not isinstance(run.src, TokenSequence):
        return {}
    return coreference_words(words_of(run.src), run.example, run.pack.determiners)


def preset_chips(run: Run, change: Intervention) -> None:
    """Draw the presets as chips; one replaces the draft, and the one that matches it is chosen."""
    offered = presets(run)
    if not offered:
        return
    words = {role: word.text for role, word in _tested_words(run).items()}
    texts = {id: say(f"change_preset-{id}", word=words.get(id, "")) for id in offered}

    def take() -> None:
        chosen = st.session_state["change_preset"]
        # A second click on the chosen chip takes the preset back.
        preset = offered[chosen] if chosen else Intervention()
        set_change(run, preset)
        follow_scope(run)
        for part in preset:
            st.session_state["change_tool"] = TOOLS_OF[type(part)]

    matching = (id for id, preset in offered.items() if preset == change)
    # The draft decides, not the widget, because the other tools also change it.
    st.session_state["change_preset"] = next(matching, None)
    with bar("presets"):
        st.pills(
            say("change_preset"),
            list(offered),
            key="change_preset",
            format_func=texts.__getitem__,
            wrap=True,
            on_change=take,
        )


# Fate of the pronoun.


def pronoun_words(run: Run, change: Intervention, *, unchanged: bool) -> str:
    """Return a sentence on the pronoun after the same prefix, under the change.

    Empty without a pronoun whose antecedent is known, and where only other words change;
    `unchanged` is True if the output stays the same.
    """
    forms = pronoun_choice(run) if hidings(run) else None
    if forms is None:
        return ""
    prefix = run.tgt.ids[: forms.position]

    def probabilities(intervention: Intervention) -> list[float]:
        log_probs = next_log_probs(run, intervention, prefix)
        return [math.exp(log_probs[id]) for id in forms.ids]

    before = probabilities(Intervention())
    after = probabilities(change)
    # The first of equal forms, and that is the one that was written.
    likeliest = after.index(max(after))
    if likeliest == 0 and not unchanged and abs(after[0] - before[0]) < LEAST_CHANGE:
        return ""
    return say(
        "masks-change-pronoun",
        written=run.spoken("target", forms.labels[0]),
        before=before[0],
        after=after[0],
        now=run.spoken("target", forms.labels[likeliest]),
        likeliest=after[likeliest],
        stays=likeliest == 0,
    )


def held_out(run: Run, change: Intervention) -> None:
    """Draw the effect of the same preset on held-out sentences, if it is one of the test's.

    For the antecedent also the dependence on its head; a missing measurement is explained.
    """
    role = next((role for role, preset in hidings(run).items() if preset == change), "")
    if not role:
        return
    stored = stored_of(INTERVENTIONS, run.card)
    if stored.state != "found":
        return
    where = hiding_places(run.record.sites, run.capabilities)[0]
    facts = flip_facts(stored.values, where, role)
    sentences = [say("masks-change-flips", role=role, **facts)] if facts else []
    if role == "antecedent":
        sentences += _use_words(run.card)
    if sentences:
        st.caption(" ".join(sentences))


def _use_words(card: CheckpointCard) -> list[str]:
    measured: Any = card.heads.get("encoder")
    facts = use_facts(measured if isinstance(measured, dict) else {})
    return [stated("masks-pronoun-use", **facts)] if facts else []
