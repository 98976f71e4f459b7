"""Heads forming: a recorded training, step by step, and what was published put to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.bootstrap import COVERED
from analysis.formation import OnFrequent, Pair, WordsFirst, on_frequent, words_first
from analysis.labels import token_label
from model import ModelError
from records import Formation, FormedSentence, Measured
from records.measurements import KNOCK_OUTS
from ui.controls import typed_text
from ui.kit.blocks import command_line, picture, table
from ui.kit.controls import choice, place_menu
from ui.kit.layout import controls, folded, settings, subtitle
from ui.panels import head_of
from ui.state import Run, show_problem
from ui.stored import stored_box
from ui.words import plain, say, site_name, with_interval
from viz.formation import claim_lines
from viz.labels import full_head_name
from words.numbers import fixed, grouped, percent, signed

from .film import Film, pieces_of, show_film, text_of
from .stored import (
    Folder,
    formation_of,
    frames_of,
    of_checkpoint,
    of_small_run,
    settings_of,
    stored_in,
)

RECORD = "python -m training --config CONFIG.json"


def show(run: Run) -> None:
    recordings = _recordings(run)
    if not recordings:
        return
    trained = bool(settings_of(run).get("start_from"))
    # A training that went on from trained weights has no beginning to be seen.
    first, name = "small" if trained else "checkpoint", run.translator.card.name
    with controls():
        which = choice(
            "forming_of",
            list(recordings),
            words="forming_of",
            style="select",
            title=False,
            default=first if first in recordings else next(iter(recordings)),
            text=lambda which: say(f"forming_of-{which}", name=name),
            width=150,
        )
    went_on = trained and which == "checkpoint"
    stored, formation = recordings[which]
    texts = [text_of(sentence.source_tokens) for sentence in formation.sentences]
    own = " ".join(typed_text().split())  # at first what was typed, if it was recorded
    with settings():
        default = texts.index(own) if own in texts else 0
        sentence = place_menu("forming_sentence", texts, words="forming_sentence", default=default)
    film = Film(
        key="forming",
        identity=f"{stored.path}-{stored.stamp}-{sentence}",
        formation=formation,
        sentence=sentence,
        frames=frames_of(stored, sentence),
        pair=_riddle(run, formation.sentences[sentence]),
        marked=_card_heads(run, formation) if which == "checkpoint" else (),
    )
    show_film(film)
    first, last = (grouped(int(step)) for step in formation.steps[[0, -1]])
    began = "training-began-trained" if went_on else "training-began-random"
    st.caption(say(began, n=len(formation.steps), first=first, last=last))
    subtitle("training-claims-title")
    if went_on:
        st.markdown(say("training-claims-went-on"))
    else:
        _words_first(formation)
        _on_frequent(formation)
    subtitle("training-knock-title")
    _knock_outs(run, which, stored)


def _recordings(run: Run) -> dict[str, tuple[Folder, Formation]]:
    found = {}
    own = of_checkpoint(run.choices.checkpoint, run.translator.sites)
    for which, stored in (("checkpoint", own), ("small", of_small_run())):
        try:
            formation = formation_of(stored) if stored else None
        except ModelError as error:
            show_problem(error)
            continue
        if formation is not None and stored is not None:
            found[which] = (stored, formation)
        elif which == "checkpoint":
            with folded("numbers"):
                st.markdown(say("training-no-formation", name=plain(run.translator.card.name)))
                command_line(RECORD)
    return found


def _riddle(run: Run, found: FormedSentence) -> Pair | None:
    tokens = found.source_tokens
    example = run.pack.example_of(text_of(tokens))
    if example is None or not example.antecedent:
        return None
    rows, columns = pieces_of(tokens, example.pronoun), pieces_of(tokens, example.antecedent)
    return (rows, columns) if rows and columns else None


def _card_heads(run: Run, formation: Formation) -> tuple[tuple[str, int, int], ...]:
    found = {site: head_of(run.translator.card.heads.get(site.name)) for site in formation.sites}
    return tuple(
        (site.name, *head)
        for site, head in found.items()
        if head is not None and head[0] < site.n_layers and head[1] < site.n_heads
    )


# -- what was published --------------------------------------------------------------------


def _words_first(formation: Formation) -> None:
    found, steps = words_first(formation), formation.steps
    st.markdown(say("training-words-claim"))
    if found is None:
        windows = any(not site.is_self and not site.normalised for site in formation.sites)
        st.markdown(say("training-claims-window" if windows else "training-words-no-cross"))
        return
    values = {"focus_first": fixed(found.focus[0]), "focus_last": fixed(found.focus[-1])}
    for name, at in (("focus", found.focus_at), ("words", found.knowledge_at)):
        if at is not None:
            values[f"{name}_step"] = grouped(int(steps[at]))
    is_open = found.same < COVERED and found.verdict in ("words-first", "attention-first")
    verdict = say("training-words-open" if is_open else f"training-words-{found.verdict}", **values)
    lines = {"focus": found.focus}
    if found.knowledge is not None:
        lines["knowledge"] = found.knowledge
    elif found.verdict == "not-uniform":
        verdict += " " + say("training-words-unrecorded")
    st.markdown(f"{verdict} {_basis(found)}")
    _claim_figure("words", lines, steps)


def _on_frequent(formation: Formation) -> None:
    found, steps = on_frequent(formation), formation.steps
    st.markdown(say("training-frequent-claim"))
    if found is None:
        windows = any(site.key == "source" and not site.normalised for site in formation.sites)
        st.markdown(say("training-claims-window" if windows else "training-frequent-none"))
        return
    pieces = ", ".join(f"“{plain(token_label(piece))}”" for piece in found.pieces)
    places = {"first": 0, "highest": found.highest, "last": -1}
    ratios = {
        name: with_interval(Measured(*astuple(found.ratio[at]))) for name, at in places.items()
    }
    verdict = found.verdict if found.same >= COVERED else "open"
    told = say(f"training-frequent-{verdict}", step=grouped(int(steps[found.highest])), **ratios)
    known = "training-frequent-pieces" if found.recorded else "training-frequent-guessed"
    st.markdown(f"{told} {_basis(found)} {say(known, pieces=pieces)}")
    _claim_figure("frequent", {"ratio": np.array([each.value for each in found.ratio])}, steps)


def _basis(found: WordsFirst | OnFrequent) -> str:
    sites = ", ".join(site_name(site.name, "attention") for site in found.sites)
    return say("training-claims-basis", n=found.n, sites=sites, same=percent(found.same))


def _claim_figure(name: str, lines: Mapping[str, Any], steps: np.ndarray) -> None:
    titles = {each: say(f"training-claim-{each}") for each in lines}
    figure = claim_lines(lines, steps, titles, at=len(steps) - 1)
    picture(
        "training-claim",
        figure,
        key=f"forming_claim_{name}",
        numbers="curve",
        leave_out=["time"],
        what=", ".join(titles.values()),
    )


# -- heads switched off --------------------------------------------------------------------


def _knock_outs(run: Run, which: str, stored: Folder) -> None:
    lies = stored_in(stored, KNOCK_OUTS)
    found = lies.values
    if not found:
        stored_box(lies)
        return
    if which == "checkpoint" and found.get("run", "") not in ("", run.translator.card.name):
        st.caption(say("training-knock-run", run=plain(found["run"])))
    measures = {"token": found, "pronoun": found.get("pronoun")}
    measured = choice("knock_of", [name for name in measures if measures[name]], words="knock_of")
    steps = found["steps"]
    if measured == "pronoun":
        _pronoun_lines(found["pronoun"], np.array(steps))
    rows = knock_table(steps, measures[measured]["changes"])
    worst = rows.loc[rows["change"].idxmin()]
    fall = {"step": grouped(int(worst["step"])), "drop": fixed(-worst["change"])}
    st.markdown(say(f"training-knock-found-{measured}", n=len(steps), head=worst["name"], **fall))
    wide = rows.pivot_table(index="name", columns="step", values="change", sort=False)
    wide = wide.rename(columns=lambda step: grouped(int(step))).reset_index()
    table(
        "training-knock",
        wide,
        key=f"forming_knock_table_{measured}",
        widths={"name": 240},
        formats=dict.fromkeys(wide.columns[1:], "%.3f"),
        height=330,
    )
    if found["command"]:
        st.caption(say("training-made", command=found["command"]))


def _pronoun_lines(pronoun: dict, steps: np.ndarray) -> None:
    hidden = np.array(pronoun["noun_hidden"])
    needed = np.flatnonzero(hidden <= hidden.min() / 2)
    ends = {"last": signed(hidden[-1]), "other": signed(pronoun["other_hidden"][-1])}
    step = grouped(int(steps[needed[0]]))
    st.markdown(say("training-knock-needed", n=pronoun["sentences"], step=step, **ends))
    lines = {name: np.array(pronoun[name]) for name in ("log_prob", "noun_hidden")}
    _claim_figure("pronoun", lines, steps)


def knock_table(steps: list[int], changes: dict[str, list]) -> pd.DataFrame:
    lines = [
        {"name": full_head_name(kind, layer, head), "step": step, "change": change}
        for kind, values in changes.items()
        for step, at in zip(steps, values, strict=True)
        for layer, heads in enumerate(at)
        for head, change in enumerate(heads)
    ]
    return pd.DataFrame(lines)
