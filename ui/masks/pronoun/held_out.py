"""How often hiding a word flipped the pronoun over many held-out sentences."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from records import CheckpointCard
from ui.kit.blocks import picture, table
from ui.kit.controls import choice
from ui.kit.layout import folded
from ui.masks.stored import command_box
from ui.panels import guided_heads
from ui.state import Run
from ui.stored import source_line
from ui.words import head_at, say
from viz.hiding import flip_rates
from words import numbers

from .places import PLACES
from .setting import ROLES

NOUN, PHRASE, OTHER, CONTROL = "antecedent", "antecedent_phrase", "other_phrase", "control"
# What the noun's phrase is compared with in words, place by place; the table holds the rest.
REPORTED = {"cross_from_pronoun": OTHER, "encoder_from_it": NOUN, "both": CONTROL}


def show_held_out(run: Run) -> None:
    card, pronoun = run.translator.card, run.pack.pronoun
    kinds = {name: rows for name in ("forced", "searched") if not (rows := flips(card, name)).empty}
    if not kinds:
        command_box(run)
        return
    rows = kinds[choice("flips", tuple(kinds), words="masks-pronoun-flips")]
    said = flip_words(rows, pronoun), use_words(card), guided_words(card, rows, pronoun)
    st.markdown("\n\n".join(filter(None, said)))
    shown = named(rows, pronoun)
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
    made = how_words(card), _heads_used(card), source_line(card.interventions)
    with folded("reading"):
        st.caption(" ".join(filter(None, made)))


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


def named(rows: pd.DataFrame, pronoun: str) -> pd.DataFrame:
    """The lines of `flips` with place and hidden word as the page calls them."""
    shown = rows.drop(columns=["where", "word"])
    places = [say(f"masks-pronoun-stored-{where}", pronoun=pronoun) for where in rows["where"]]
    shown.insert(0, "place", places)
    shown.insert(1, "hidden", [say(f"masks-pronoun-role-{word}") for word in rows["word"]])
    return shown


def flip_words(rows: pd.DataFrame, pronoun: str) -> str:
    """How often hiding the noun's phrase flips the pronoun, against one other word a place."""
    sentences = []
    for where, other in REPORTED.items():
        found = rows[rows["where"] == where].set_index("word")
        shares = found["share"].map(numbers.percent)
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
    if not isinstance(weight, float):
        return ""
    best = guided == _stored_head(card, "encoder")
    where = "encoder_from_it_best" if best else "encoder_from_it_guided"
    found = rows[(rows["where"] == where) & rows["word"].str.startswith(NOUN)]
    if found.empty:
        return ""
    row = found.iloc[-1]
    unused = weight >= 0.5 and row["share"] <= 0.05
    return say(
        "masks-pronoun-guided",
        used="no" if unused else "unknown",
        layer=guided[0] + 1,
        head=guided[1] + 1,
        weight=numbers.fixed(weight),
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
    plain, without, alone = (use[name]["value"] for name in ("plain", "without", "alone"))
    needed, suffices = without < 0.9 * plain, alone >= 0.9 * plain
    kinds = {(False, True): "shared", (True, True): "needed", (True, False): "part"}
    shares = {"plain": plain, "without": without, "alone": alone}
    return say(
        "masks-pronoun-use",
        head=head_at("encoder", measured["layer"], measured["head"]),
        n=use["sentences"],
        kind=kinds.get((needed, suffices), "idle"),
        **{name: numbers.percent(share) for name, share in shares.items()},
    )


def how_words(card: CheckpointCard) -> str:
    """How the stored searches were made, and what the control word is."""
    beam = card.interventions["settings"]["decoding"]["beam_size"]
    return f"{say('masks-pronoun-beam', n=beam)} {say('masks-pronoun-control')}"


def _heads_used(card: CheckpointCard) -> str:
    found = {site: _stored_head(card, site) for site in ("encoder", "cross")}
    heads = [head_at(site, *head) for site, head in found.items() if head is not None]
    return say("masks-pronoun-heads-used", heads=", ".join(heads)) if heads else ""


def _stored_head(card: CheckpointCard, site: str) -> tuple[int, int] | None:
    place = card.interventions["pronoun"]["heads"].get(site)
    return None if place is None else (place["layer"], place["head"])
