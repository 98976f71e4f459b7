"""Decisions of a translation: position, alternatives, and the start of long computations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st

from core.explain import Explanation, needing_position
from core.interventions.intervention import hiding_places
from core.measurements import INTERVENTIONS
from core.records.runs import Translation
from core.records.sources import TokenSequence
from core.records.tokens import SPACE, is_word, numbered_labels, token_label
from model.experiments.explain import explain
from ui.frame.messages import named, site_name
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.controls import button, choice, place_menu
from ui.kit.focus import pronoun_position
from ui.kit.layout import note
from ui.kit.measurements import stored_box

Method = Literal["spearman", "kendall"]
# Cells of source by target above which leave-one-out waits for a button.
MOST_AT_ONCE = 2500


@dataclass(frozen=True)
class TokenForms:
    """Tokens that could stand at a position of the output; the first is the one written."""

    position: int
    ids: tuple[int, ...]
    tokens: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(map(token_label, self.tokens))


def pronoun_choice(run: Run) -> TokenForms | None:
    position = pronoun_position(run)
    return None if position is None else forms_at(run, position)


def forms_at(run: Run, position: int) -> TokenForms | None:
    """Return the written pronoun and its rivals, or None if either is unknown.

    Only forms of a single token count, capitalised like the written one.
    """
    tgt = run.output
    written = tgt.tokens[position].removeprefix(SPACE)
    forms = {tgt.ids[position]: tgt.tokens[position]}
    for form in run.pack.rivals_of(written):
        pieces = run.translator.tokenize(form.capitalize() if written[:1].isupper() else form)
        # 2: the form and </s>.
        if isinstance(pieces, TokenSequence) and len(pieces) == 2 and not pieces.unknown[0]:
            forms.setdefault(pieces.ids[0], pieces.tokens[0])
    if len(forms) == 1:
        return None
    return TokenForms(position, tuple(forms), tuple(forms.values()))


def telling_position(run: Run) -> int:
    """Return the position of the pronoun, else that of the least probable word."""
    position = pronoun_position(run)
    if position is None and isinstance(run.translation, Translation):
        log_probs = run.translation.log_probs
        words = [at for at, token in enumerate(run.output.tokens) if is_word(token)]
        return min(words or range(len(log_probs)), key=log_probs.__getitem__)
    return position or 0


def needing_pronoun_or_word(run: Run, explanation: Explanation) -> int:
    """Return the position of the output that hidden words of the source say most about.

    It is the pronoun if hiding a word at least halves its probability, else the word with the
    largest drop, else `telling_position`.
    """
    position = pronoun_position(run)
    if position is not None:
        drops = np.nan_to_num(explanation.drops[position])
        if drops.max() >= np.log(2) and is_word(explanation.src.tokens[drops.argmax()]):
            return position
    position = needing_position(explanation)
    return telling_position(run) if position is None else position


def hiding_menu(run: Run, key: str, **options: Any) -> str:
    """Draw the menu of `hiding_places` and return the choice; no menu for a single one."""
    places = hiding_places(run.record.sites, run.capabilities)
    if len(places) == 1:
        return places[0]

    def text(where: str) -> str:
        return named(f"explain_hidden-{where}", site_name(where, "attention"))

    return choice(key, places, text=text, **options)


def token_menu(run: Run, key: str, *, default: int, width: int = 220) -> int:
    """Draw a menu of output positions."""
    labels = numbered_labels(run.output.tokens)
    return place_menu(
        key,
        labels,
        width=width,
        default=default,
        spell=labels.__getitem__,
        of=run.identity,
    )


def command_box(run: Run) -> None:
    """Show how to measure hidden words, or say why this model cannot be measured."""
    if "both" in hiding_places(run.record.sites, run.capabilities):
        stored_box(run.card.measured(INTERVENTIONS))
    else:
        note("masks-not-measurable", "straighten")


def go_ahead(view: str, question: object, long: bool, *, source: int, target: int) -> bool:
    """Return True if a computation may start: at once, or, if `long`, after a button.

    Messages are ``<view>_start`` and ``masks-<view>-long``; the latter takes the lengths of
    `source` and `target`.
    """
    # Results that were started once are cached and need no second click.
    started = st.session_state.setdefault(f"{view}_seen", set())
    if long and question not in started and not button(f"{view}_start", icon="play_arrow"):
        note(f"masks-{view}-long", "hourglass_empty", source=source, target=target)
        return False
    started.add(question)
    return True


def explained(run: Run, hidden_from: str, method: Method = "spearman") -> Explanation:
    return ask(run.translator, explain, run.src, run.tgt, hidden_from=hidden_from, method=method)
