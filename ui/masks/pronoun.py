"""A pronoun put to the test: hide its noun, the noun's phrase, other words, and see what comes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.card import CheckpointCard
from core.intervention import Intervention
from core.measurements import INTERVENTIONS
from core.pronoun import (
    NOUN,
    ROLES,
    Hiding,
    Outcome,
    Place,
    Results,
    Word,
    control_word,
    flip_facts,
    flips,
    guided_facts,
    hiding_facts,
    hidings_for,
    joined,
    phrase_of,
    places_for,
    role_name,
    use_facts,
    word_at,
    words_of,
)
from model import InterventionError
from ui.controls import use_sentence
from ui.effect import next_log_probs, searched_again
from ui.guard import guarded
from ui.kit.blocks import picture, table
from ui.kit.controls import choice, several
from ui.kit.layout import finding, folded, note, settings, subtitle
from ui.masks.choices import Choice, choice_at, command_box, token_menu
from ui.panels import guided_heads, head_in
from ui.state import Run
from ui.stored import source_line
from ui.waiting import late_bar
from ui.words import head_at, plain, say, stated
from viz.pronoun import flip_rates, hiding_dots
from words import Spoken
from words.packs import Example

NONE = "none"
# The keys of the menus, which stand in addresses.
MENUS = {
    "pronoun": "test_it",
    "antecedent": "test_noun",
    "antecedent_phrase": "test_phrase",
    "other": "test_other",
    "other_phrase": "test_other_phrase",
    "control": "test_control",
}
WIDTHS = {"hidden": 90, "role": 130, "from": 210, "likeliest": 80, "output": 430}


def show(run: Run) -> None:
    with guarded("sentence"):
        _this_sentence(run)
    subtitle("masks-pronoun-held-out")
    _held_out(run)


# -- this sentence --------------------------------------------------------------------------


# -- what is hidden ------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    pronoun: Word
    hidden: dict[str, Word]  # by role, as in `ROLES`; of a phrase one `Word` of all its positions
    choice: Choice  # what could be written in the pronoun's place


def choose(run: Run, words: Sequence[Word]) -> Setting | None:
    """The words to test, those of a known example at first; None until there is one to hide."""
    labels = {word.label: word for word in words}
    example = run.example or Example("", "")
    pronoun = word_at(words, example.pronoun or run.pack.pronoun)
    noun, other = word_at(words, example.antecedent), word_at(words, example.other)
    opening = {"pronoun": pronoun, "antecedent": noun, "other": other}
    opening["control"] = control_word(words, pronoun, noun, other, run.pack.determiners)
    found: dict[str, Word | None] = {}
    with st.container(horizontal=True):
        for role, word in opening.items():
            label = choice(
                MENUS[role],
                (NONE, *labels),
                style="select",
                default=word.label if word else NONE,
                text=lambda label: say("masks-none") if label == NONE else label,
                width=150,
                of=run.identity,
            )
            found[role] = labels.get(label)
        row = token_menu(run, "test_row", width=150)
    pronoun = found.pop("pronoun")
    if pronoun is None or not any(found.values()):
        return None
    for of in ("antecedent", "other"):
        found[f"{of}_phrase"] = _phrase_menu(run, words, f"{of}_phrase", found[of])
    hidden = {role: word for role in ROLES if (word := found[role]) is not None}
    return Setting(pronoun, hidden, choice_at(run, row))


def _phrase_menu(run: Run, words: Sequence[Word], role: str, noun: Word | None) -> Word | None:
    if noun is None:
        return None
    chosen = several(
        MENUS[role],
        [word.label for word in words],
        [word.label for word in phrase_of(words, noun, run.pack.determiners)],
        placeholder=say("masks-none"),
        help=say("masks-pronoun-menu-phrase-help"),
        of=(run.identity, noun),
    )
    phrase = joined([word for word in words if word.label in chosen])
    return None if phrase is None or phrase.positions == noun.positions else phrase


def places_of(run: Run, setting: Setting) -> tuple[Place, ...]:
    record, (first, *_) = run.record, setting.hidden.values()
    guided = guided_heads(run.card, record.sites[0].name) if record.sites else {}
    known = {at: head_in(record.of(at), head) for at, head in guided.items() if at in record.kinds}
    noun = setting.hidden.get(NOUN, first)
    its, row = setting.pronoun.positions, setting.choice.position
    return places_for(record, run.capabilities, its, row, noun, known)


def _label(setting: Setting, place: Place) -> str:
    told = {"pronoun": setting.pronoun.text, "written": setting.choice.labels[0]}
    head = head_at(*place.head) if place.head else ""
    return say(f"masks-pronoun-place-{place.words}", head=head, **told)


# -- this sentence --------------------------------------------------------------------------


def _this_sentence(run: Run) -> None:
    words = words_of(run.src)
    if not words:
        note("masks-pronoun-no-words", "search_off")
        return
    with settings():
        setting = choose(run, words)
    if setting is None:
        _offer_example(run)
        return
    tests = hidings_for(setting.hidden, places_of(run, setting))
    asked, results, faults = (setting.choice.position, setting.choice.ids), {}, {}
    with late_bar("masks-pronoun-progress") as bar:
        for done, (role, place) in enumerate(tests):
            bar(done / len(tests))
            word = setting.hidden[role]
            try:
                results[role, place.name] = outcome_of(run, place.change(word), *asked)
            except InterventionError as error:
                why = plain(say(error.message), 300)
                told = {"word": plain(word.text), "place": plain(_label(setting, place))}
                faults[say("masks-pronoun-refused", why=why, **told)] = True
    nothing = outcome_of(run, Intervention(), *asked)
    if results:
        tests = [(role, place) for role, place in tests if (role, place.name) in results]
        _found(run, setting, tests, results, nothing)
    for fault in faults:
        st.warning(fault, icon=":material/visibility_off:")


def _offer_example(run: Run) -> None:
    known = next((each for each in run.pack.examples if each.pronoun), None)
    if known is None:
        note("masks-pronoun-choose", "touch_app")
        return
    group = say(f"example-{known.group}")
    note("masks-pronoun-choose-known", "touch_app", group=group)
    st.button(plain(known.text), key="test_example", on_click=use_sentence, args=(known.text,))


def outcome_of(
    run: Run, change: Intervention, position: int, choice_ids: tuple[int, ...]
) -> Outcome:
    log_probs = next_log_probs(run, change, run.tgt.ids[:position])
    probabilities = tuple(math.exp(log_probs[token_id]) for token_id in choice_ids)
    return Outcome(probabilities, searched_again(run, change).text)


def _found(
    run: Run,
    setting: Setting,
    tests: Sequence[Hiding],
    results: Results,
    nothing: Outcome,
) -> None:
    below, labels = "", setting.choice.labels
    if NOUN in setting.hidden:
        said, below = found_words(setting, results, nothing, run.card.languages[0])
        finding(said)
    shares = [f"P({label})" for label in labels]
    lines, rows = [], []
    for role, place in tests:
        result, label = results[role, place.name], _label(setting, place)
        who = {"hidden": setting.hidden[role].text, "role": say(role_name(role))}
        chances = zip(labels, result.probabilities, nothing.probabilities, strict=True)
        names = ("choice", "probability", "plain")
        lines += [
            {**who, "place": label, **dict(zip(names, each, strict=True))} for each in chances
        ]
        row = {**who, "from": label, **dict(zip(shares, result.probabilities, strict=True))}
        rows.append({**row, "likeliest": labels[result.best], "output": result.text})
    dots = pd.DataFrame(lines)
    picture(
        "pronoun-dots",
        hiding_dots(dots),
        below=below,
        numbers=dots,
        choices=", ".join(labels),
        pronoun=setting.pronoun.text,
    )
    table(
        "pronoun-table",
        rows,
        widths=WIDTHS | dict.fromkeys(shares, 80),
        formats=dict.fromkeys(shares, "%.3f"),
        height=400,
    )


def found_words(
    setting: Setting, results: Results, nothing: Outcome, language: str = ""
) -> tuple[str, str]:
    """The verdict with its numbers, and what else is to be said below the picture; as Markdown.

    language : in which the words of the source are read aloud.
    """
    facts = hiding_facts(setting.hidden, setting.choice.labels, results, nothing)
    said = []
    for id, told in facts:
        words = {"pronoun": setting.pronoun.text, "what": told.get("what", "")}
        words = {name: Spoken(word, language) for name, word in words.items()}
        said.append(stated(f"masks-pronoun-{id}", **told | words))
    return " ".join(said[:2]), " ".join(said[2:])


# -- many held-out sentences ----------------------------------------------------------------


def _held_out(run: Run) -> None:
    card, pronoun = run.card, run.pack.pronoun
    stored = card.lies(INTERVENTIONS).values
    every = {name: flips(stored, name) for name in ("forced", "searched")}
    kinds = {name: rows for name, rows in every.items() if not rows.empty}
    if not kinds:
        command_box(run)
        return
    rows = kinds[choice("flips", tuple(kinds))]
    said = flip_words(rows, pronoun), use_words(card), guided_words(card, rows, pronoun)
    st.markdown("\n\n".join(filter(None, said)))
    # The lines of `flips` with place and hidden word as the page calls them.
    shown = rows.drop(columns=["where", "word"])
    places = [say(f"masks-pronoun-stored-{where}", pronoun=pronoun) for where in rows["where"]]
    shown.insert(0, "place", places)
    shown.insert(1, "hidden", [say(role_name(word)) for word in rows["word"]])
    picture("pronoun-flips", flip_rates(shown), numbers=shown, checkpoint=card.name)
    table(
        "pronoun-flips-table",
        shown,
        widths={"place": 210, "hidden": 140, "n": 80, "flips": 60},
        formats=dict.fromkeys(("share", "low", "high", "right"), "percent") | {"log_odds": "%.2f"},
        height=330,
    )
    with folded("reading"):
        st.caption(" ".join(filter(None, (how_words(stored), source_line(stored)))))


def flip_words(rows: pd.DataFrame, pronoun: str) -> str:
    return " ".join(say("masks-pronoun-flip", **facts) for facts in flip_facts(rows, pronoun))


def guided_words(card: CheckpointCard, rows: pd.DataFrame, pronoun: str) -> str:
    """What the guided head's weight on the noun is worth, where both were measured."""
    guided = guided_heads(card, "encoder").get("encoder")
    best = _stored_heads(card.lies(INTERVENTIONS).values).get("encoder")
    facts = guided_facts(rows, guided, _measured(card), best)
    return say("masks-pronoun-guided", pronoun=pronoun, **facts) if facts else ""


def use_words(card: CheckpointCard) -> str:
    facts = use_facts(_measured(card))
    return stated("masks-pronoun-use", **facts) if facts else ""


def _measured(card: CheckpointCard) -> dict[str, Any]:
    measured = card.heads.get("encoder")
    return measured if isinstance(measured, dict) else {}


def how_words(stored: Mapping[str, Any]) -> str:
    """How the stored searches were made, what the control word is, and which heads were best."""
    heads = ", ".join(head_at(site, *head) for site, head in _stored_heads(stored).items())
    beam = stored["settings"]["decoding"]["beam_size"]
    return say("masks-pronoun-how", n=beam, heads=heads or "none")


def _stored_heads(stored: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    heads = stored["pronoun"]["heads"]
    found = {site: place for site in ("encoder", "cross") if (place := heads.get(site))}
    return {site: (place["layer"], place["head"]) for site, place in found.items()}
