"""What was measured of the captioners: what is true in their captions, and where they look."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core.captions import PARTS
from core.measurements import GAZE
from core.stored import Interval
from model.checkpoint import checkpoint_path
from ui.kit.blocks import command_line, table
from ui.kit.controls import choice
from ui.kit.layout import caption, controls, finding, folded, subtitle
from ui.state import Run, get_translator, telling
from ui.stored import stored_of
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
        with telling():
            fingerprint = get_translator(name).card.fingerprint
            if values := stored_of(GAZE, checkpoint_path(name), fingerprint).values:
                found[name] = values
    if not found:
        return
    with controls():
        kind = choice("captions_kind", KINDS, wrap=True)
    of_kind = {names[name]: values[kind] for name, values in found.items()}
    title, first = next(iter(of_kind.items()))
    words, beam = first["read"]["noun"], next(iter(found.values()))["beam"]
    shares = {"caption": first["exact"]["caption"]["share"], "noun": words["share"]}
    shares["even"] = words["even"]
    told = {name: "–" if share is None else percent(share) for name, share in shares.items()}
    finding("captions-measured-found", system=title, **told)
    rows = {
        system: {part: _share(values["exact"][part]) for part in SAID}
        | {"bleu": fixed(values["bleu"]["bleu"], 1)}
        for system, values in of_kind.items()
    }
    _table("captions-measured-true", rows)
    subtitle("captions-measured-gaze")
    how = choice("captions_how", ("read", "own"))
    rows = {system: _gaze_row(values, how) for system, values in of_kind.items()}
    rows |= {say(f"captions-{name}-row"): _blind_row(first[how], name) for name in BLIND}
    _table("captions-measured-gaze", rows)
    about = {"scenes": first["scenes"], "still": first["still"]}
    caption("captions-measured-about", beam=beam, **about)
    with folded("reading"):
        command_line("\n".join(str(values["command"]) for values in found.values()))


def _gaze_row(values: dict[str, Any], how: str) -> dict[str, str]:
    row = {part: _share(values[how][part]) for part in PARTS}
    shares = {"mass": values[how]["all"]["mass"], "movement": values["movement"]}
    row |= {name: "" if share is None else percent(share) for name, share in shares.items()}
    return row | {"cells": "" if values["cells"] is None else fixed(values["cells"], 1)}


def _blind_row(values: dict[str, Any], name: str) -> dict[str, str]:
    row = {part: percent(values[part][name] or 0.0) for part in PARTS}
    row |= {"mass": percent(values["all"][name] or 0.0)}
    return row if name == "random" else row | {"movement": percent(0.0)}


def _share(row: dict[str, Any]) -> str:
    if not row["n"]:
        return ""
    return with_interval(Interval(row["share"], row["low"], row["high"]), percent)


def _table(id: str, rows: dict[str, dict[str, str]]) -> None:
    frame = pd.DataFrame([{"system": name} | row for name, row in rows.items()]).fillna("")
    table(id, frame, words="captions-column", width=164, widths={"system": 290})
