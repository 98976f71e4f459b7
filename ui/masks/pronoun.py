"""A pronoun put to the test: hide its noun, the noun's phrase, other words, and see what comes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.card import CheckpointCard
from core.hypotheses import hypothesis_text
from core.intervention import UNREAD, Intervention
from model import InterventionError, Translator
from ui.controls import use_sentence
from ui.effect import candidates_with
from ui.guard import guarded
from ui.kit.blocks import picture, table
from ui.kit.controls import choice
from ui.kit.layout import finding, folded, note, settings, subtitle
from ui.masks.choices import command_box, source_words
from ui.masks.hiding import PLACES, ROLES, Hiding, Setting, choose, hidings_for, places_for
from ui.panels import guided_heads
from ui.state import Run
from ui.stored import source_line
from ui.waiting import late_bar
from ui.words import head_at, plain, say
from viz.hiding import flip_rates, hiding_dots

LARGE = 0.1  # a change of probability that counts as one
# In this order the widest place says the least; each has its verdict.
WAYS = (
    "encoder_from_it",
    "cross_from_pronoun",
    "it_and_pronoun",
    "encoder",
    "cross",
    "both",
    UNREAD,
)
WIDTHS = {"hidden": 90, "role": 130, "from": 210, "likeliest": 80, "output": 430}
NOUN, PHRASE, OTHER, CONTROL = "antecedent", "antecedent_phrase", "other_phrase", "control"
# What the noun's phrase is compared with in words, place by place; the table holds the rest.
REPORTED = {"cross_from_pronoun": OTHER, "encoder_from_it": NOUN, "both": CONTROL}


def show(run: Run) -> None:
    with guarded("sentence"):
        _this_sentence(run)
    subtitle("masks-pronoun-held-out")
    _held_out(run)


# -- this sentence --------------------------------------------------------------------------


def _this_sentence(run: Run) -> None:
    words = source_words(run)
    if not words:
        note("masks-pronoun-no-words", "search_off")
        return
    with settings():
        setting = choose(run, words)
    if setting is None:
        _offer_example(run)
        return
    tests = hidings_for(setting, places_for(run, setting))
    asked, results, faults = (setting.choice.position, setting.choice.ids), {}, {}
    with late_bar("masks-pronoun-progress") as bar:
        for done, test in enumerate(tests):
            bar(done / len(tests))
            try:
                results[test.key] = outcome_of(run, test.place.change(test.word), *asked)
            except InterventionError as error:
                why = plain(say(error.message), 300)
                word, place = plain(test.word.text), plain(test.place.label)
                faults[say("masks-pronoun-refused", word=word, place=place, why=why)] = True
    nothing = outcome_of(run, Intervention(), *asked)
    if results:
        _found(run, setting, [test for test in tests if test.key in results], results, nothing)
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


@dataclass(frozen=True)
class Outcome:
    probabilities: tuple[float, ...]  # of each choice, in its place of the translation as it was
    text: str  # that the search then writes

    @property
    def best(self) -> int:
        return int(np.argmax(self.probabilities))


Results = Mapping[tuple[str, str], Outcome]
"""What came of each test, by the role of the word and the name of the place."""


def outcome_of(
    run: Run, change: Intervention, position: int, choice_ids: tuple[int, ...]
) -> Outcome:
    found = candidates_with(run, change, run.tgt.ids[:position], choice_ids)
    text, decoding = run.choices.text, replace(run.choices.decoding, n_runners_up=0)
    tree = run.ask(Translator.search, text, decoding, intervention=change)
    probabilities = tuple(math.exp(found[token_id].log_prob) for token_id in choice_ids)
    return Outcome(probabilities, hypothesis_text(tree.hypothesis(tree.best)))


def _found(
    run: Run, setting: Setting, tests: Sequence[Hiding], results: Results, nothing: Outcome
) -> None:
    below, labels = "", setting.choice.labels
    if NOUN in setting.hidden:
        said, below = found_words(setting, results, nothing)
        finding(said)
    roles = {role: say(f"masks-pronoun-role-{role}") for role in setting.hidden}
    lines = pd.DataFrame(
        {
            "hidden": test.word.text,
            "role": roles[test.role],
            "place": test.place.label,
            "choice": label,
            "probability": probability,
            "plain": before,
        }
        for test in tests
        for label, probability, before in zip(
            labels, results[test.key].probabilities, nothing.probabilities, strict=True
        )
    )
    picture(
        "masks-pronoun-dots",
        hiding_dots(lines),
        key="pronoun_dots",
        below=below,
        numbers=lines,
        choices=", ".join(labels),
        pronoun=setting.pronoun.text,
        text=run.src.text,
    )
    shares = [f"P({label})" for label in labels]
    rows = pd.DataFrame(
        {
            "hidden": test.word.text,
            "role": roles[test.role],
            "from": test.place.label,
            **dict(zip(shares, result.probabilities, strict=True)),
            "likeliest": labels[result.best],
            "output": result.text,
        }
        for test in tests
        for result in (results[test.key],)
    )
    table(
        "masks-pronoun-table",
        rows,
        key="pronoun_table",
        words="masks-pronoun-column",
        widths=WIDTHS | dict.fromkeys(shares, 80),
        formats=dict.fromkeys(shares, "%.3f"),
        height=400,
    )


def found_words(setting: Setting, results: Results, nothing: Outcome) -> tuple[str, str]:
    """The verdict with the probability before and after, at its place or at the widest; and what
    hiding the noun without its phrase leaves there. As Markdown."""
    role = PHRASE if PHRASE in setting.hidden else NOUN
    way = verdict(role, results, nothing)
    place = next((name for name in (way, *reversed(WAYS)) if (role, name) in results), "")
    if not place:
        return "", ""
    written, *_ = labels = [plain(label) for label in setting.choice.labels]
    what, now = plain(setting.hidden[role].text), labels[results[role, place].best]
    before, after = (each.probabilities[0] for each in (nothing, results[role, place]))
    told = {"what": what, "written": written, "before": before, "after": after}
    found = say(f"masks-pronoun-verdict-{way}", pronoun=plain(setting.pronoun.text), what=what)
    said = f"{found} {say('masks-pronoun-instead', **told)}"
    more = [] if now == written else [say("masks-pronoun-overtaken", what=what, now=now)]
    alone = results.get((NOUN, place))
    if role != NOUN and alone is not None:
        rest = "enough" if way != "none" and not _matters(alone, nothing) else "unknown"
        told = {"noun": plain(setting.hidden[NOUN].text), "written": written, "rest": rest}
        more.append(say("masks-pronoun-alone", share=alone.probabilities[0], **told))
    return said, " ".join(more)


def verdict(role: str, results: Results, nothing: Outcome) -> str:
    """The narrowest of the `WAYS` whose hiding takes the pronoun away, or "none"."""
    found = (place for place in WAYS if (role, place) in results)
    return next((place for place in found if _matters(results[role, place], nothing)), "none")


def _matters(result: Outcome, nothing: Outcome) -> bool:
    return nothing.probabilities[0] - result.probabilities[0] >= LARGE


# -- many held-out sentences ----------------------------------------------------------------


def _held_out(run: Run) -> None:
    card, pronoun = run.card, run.pack.pronoun
    kinds = {name: rows for name in ("forced", "searched") if not (rows := flips(card, name)).empty}
    if not kinds:
        command_box(run)
        return
    rows = kinds[choice("flips", tuple(kinds), words="masks-pronoun-flips")]
    said = flip_words(rows, pronoun), use_words(card), guided_words(card, rows, pronoun)
    st.markdown("\n\n".join(filter(None, said)))
    # The lines of `flips` with place and hidden word as the page calls them.
    shown = rows.drop(columns=["where", "word"])
    places = [say(f"masks-pronoun-stored-{where}", pronoun=pronoun) for where in rows["where"]]
    shown.insert(0, "place", places)
    shown.insert(1, "hidden", [say(f"masks-pronoun-role-{word}") for word in rows["word"]])
    picture(
        "masks-pronoun-flips",
        flip_rates(shown),
        key="pronoun_flips",
        numbers=shown,
        checkpoint=card.name,
    )
    table(
        "masks-pronoun-flips-table",
        shown,
        key="pronoun_flips_table",
        words="masks-pronoun-flips-column",
        widths={"place": 210, "hidden": 140, "n": 80, "flips": 60},
        formats=dict.fromkeys(("share", "low", "high", "right"), "percent") | {"log_odds": "%.2f"},
        height=330,
    )
    with folded("reading"):
        st.caption(" ".join(filter(None, (how_words(card), source_line(card.interventions)))))


def flips(card: CheckpointCard, name: str) -> pd.DataFrame:
    """One line for each place and word of the stored flips, in the order of `PLACES` and `ROLES`.

    Columns where, word (ids), n, flips, share, low, high, right (the last four 0 to 1) and log_odds
    (mean change; NaN where it was not measured).
    """
    rows = [
        {
            "where": entry["where"],
            "word": entry["word"],
            **{key: found[key] for key in ("n", "flips", "share", "low", "high")},
            "right": found["share_right"],
            "log_odds": found.get("log_odds_change"),
        }
        for entry in card.interventions.get("pronoun", {}).get(name, [])
        if entry["where"] in PLACES and entry["word"] in ROLES and (found := entry["all"])["n"]
    ]
    rows.sort(key=lambda row: (PLACES.index(row["where"]), ROLES.index(row["word"])))
    columns = ["where", "word", "n", "flips", "share", "low", "high", "right", "log_odds"]
    # What was not measured becomes NaN.
    return pd.DataFrame(rows, columns=columns).astype({"right": float, "log_odds": float})


def flip_words(rows: pd.DataFrame, pronoun: str) -> str:
    """How often hiding the noun's phrase flips the pronoun, against one other word a place."""
    sentences = []
    for where, other in REPORTED.items():
        found = rows[rows["where"] == where].set_index("word")
        shares = found["share"]
        first = next((role for role in (PHRASE, NOUN) if role in shares), "")
        if not first:
            continue
        others = "none"
        if other != first and other in shares:
            told = {"is": "noun" if other == NOUN else "other", "share": shares[other]}
            word = say(f"masks-pronoun-role-{other}")
            others = say("masks-pronoun-flip-other", word=word, **told)
        sentences.append(
            say(
                "masks-pronoun-flip",
                word=say(f"masks-pronoun-role-{first}"),
                place=say(f"masks-pronoun-flip-{where}", pronoun=pronoun),
                share=shares[first],
                n=int(found["n"][first]),
                others=others,
            )
        )
    return " ".join(sentences)


def guided_words(card: CheckpointCard, rows: pd.DataFrame, pronoun: str) -> str:
    """What the guided head's weight on the noun is worth, where both were measured."""
    guided, measured = guided_heads(card, "encoder").get("encoder"), _measured(card)
    weight = measured.get("antecedent")
    if guided is None or guided != (measured.get("layer"), measured.get("head")):
        return ""
    best = guided == _stored_head(card, "encoder")
    where = "encoder_from_it_best" if best else "encoder_from_it_guided"
    found = rows[(rows["where"] == where) & rows["word"].str.startswith(NOUN)]
    if found.empty or not isinstance(weight, float):
        return ""
    row = found.iloc[-1]
    return say(
        "masks-pronoun-guided",
        used="no" if weight >= 0.5 and row["share"] <= 0.05 else "unknown",
        layer=guided[0] + 1,
        head=guided[1] + 1,
        weight=weight,
        word=say(f"masks-pronoun-role-{row['word']}"),
        pronoun=pronoun,
        flips=int(row["flips"]),
        n=int(row["n"]),
    )


def _measured(card: CheckpointCard) -> dict[str, Any]:
    measured = card.heads.get("encoder")
    return measured if isinstance(measured, dict) else {}


def use_words(card: CheckpointCard) -> str:
    """Whether the head of the noun is needed for the pronoun and whether it suffices, if measured.

    It suffices, and the others do without it, where nine of ten right pronouns stay.
    """
    measured = _measured(card)
    use = measured.get("use")
    if not isinstance(use, dict):
        return ""
    shares = {name: use[name]["value"] for name in ("plain", "without", "alone")}
    least = 0.9 * shares["plain"]
    kinds = {(False, True): "shared", (True, True): "needed", (True, False): "part"}
    return say(
        "masks-pronoun-use",
        head=head_at("encoder", measured["layer"], measured["head"]),
        n=use["sentences"],
        kind=kinds.get((shares["without"] < least, shares["alone"] >= least), "idle"),
        **shares,
    )


def how_words(card: CheckpointCard) -> str:
    """How the stored searches were made, what the control word is, and which heads were best."""
    found = {site: _stored_head(card, site) for site in ("encoder", "cross")}
    heads = ", ".join(head_at(site, *head) for site, head in found.items() if head is not None)
    beam = card.interventions["settings"]["decoding"]["beam_size"]
    return say("masks-pronoun-how", n=beam, heads=heads or "none")


def _stored_head(card: CheckpointCard, site: str) -> tuple[int, int] | None:
    """The head that was best when the flips were measured."""
    place = card.interventions["pronoun"]["heads"].get(site)
    return None if place is None else (place["layer"], place["head"])
