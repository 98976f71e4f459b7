"""What was measured of the captioners: what is true in their captions, and where they look."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.caption_grammar import PARTS
from model import ModelError
from model.checkpoint import checkpoints_folder
from records import Measured
from records.measurements import GAZE
from ui.choice import choice
from ui.kit.blocks import command_line
from ui.state import Run, get_translator, show_problem
from ui.stored import values_of
from ui.words import say, with_interval
from words.numbers import fixed, percent

from .gaze import captioners

KINDS = ("seen", "held_out")
BLIND = ("even", "random", "first")
SAID = ("caption", "thing", *PARTS, "relation")


def show(_run: Run) -> None:
    names = captioners()
    found = {}
    for name in names:
        try:
            fingerprint = get_translator(name).card.fingerprint
        except ModelError as error:
            show_problem(error)
            continue
        if values := values_of(GAZE, checkpoints_folder() / name, fingerprint):
            found[name] = values
    if not found:
        return
    kind = choice("captions_kind", KINDS, words="captions-kind")
    st.markdown("## " + say("captions-measured-true"))
    _table(
        {names[name]: _true_row(values[kind]) for name, values in found.items()},
        "captions_true",
        say("captions-measured-true-alt", n=len(found)),
    )
    how = choice("captions_how", ("read", "own"), words="captions-how")
    st.markdown("## " + say("captions-measured-gaze"))
    rows = {names[name]: _gaze_row(values[kind], how) for name, values in found.items()}
    first = next(iter(found.values()))[kind]
    rows |= {say(f"captions-{name}-row"): _blind_row(first[how], name) for name in BLIND}
    _table(rows, "captions_gaze", say("captions-measured-gaze-alt", n=len(rows)))
    st.caption(
        say(
            "captions-measured-about",
            scenes=first["scenes"],
            beam=next(iter(found.values()))["beam"],
            still=percent(first["still"]),
        )
    )
    with st.expander(say("captions-commands"), icon=":material/terminal:", key="captions_commands"):
        command_line("\n".join(str(values["command"]) for values in found.values()))


def _true_row(values: dict[str, Any]) -> dict[str, str]:
    row = {part: _share(values["exact"][part]) for part in SAID}
    return row | {"bleu": fixed(values["bleu"]["bleu"], 1)}


def _gaze_row(values: dict[str, Any], how: str) -> dict[str, str]:
    row = {part: _share(values[how][part]) for part in PARTS}
    mass = values[how]["all"]["mass"]
    moved, cells = values["movement"], values["cells"]
    return row | {
        "mass": "" if mass is None else percent(mass),
        "movement": "" if moved is None else percent(moved),
        "cells": "" if cells is None else fixed(cells, 1),
    }


def _blind_row(values: dict[str, Any], name: str) -> dict[str, str]:
    """What a gaze reaches that knows no word, one of `BLIND`."""
    row = {part: percent(values[part][name] or 0.0) for part in PARTS}
    row |= {"mass": percent(values["all"][name] or 0.0)}
    return row if name == "random" else row | {"movement": percent(0.0)}


def _share(row: dict[str, Any]) -> str:
    if not row["n"]:
        return ""
    return with_interval(Measured(row["share"], row["low"], row["high"]), percent)


def _table(rows: dict[str, dict[str, str]], key: str, alt: str) -> None:
    frame = pd.DataFrame([{"system": name} | row for name, row in rows.items()]).fillna("")
    columns = {
        name: st.column_config.Column(
            say(f"captions-column-{name}"), width=290 if name == "system" else 164
        )
        for name in frame
    }
    st.dataframe(frame, key=key, hide_index=True, column_config=columns, alt=alt)
