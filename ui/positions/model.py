"""The trained model with other positions: on the source side, on the target side, or on both."""

from __future__ import annotations

from itertools import product

import pandas as pd
import streamlit as st

from core.changes import POSITION_MODES, PositionMode, Positions
from core.intervention import Intervention
from model.experiments.order import shifted
from ui.effect import both_outputs, effect_of, reading_of, show_attention, show_probabilities
from ui.guard import guarded
from ui.kit.blocks import picture, seed_box, table
from ui.kit.controls import menu, slider
from ui.kit.layout import controls, finding, note, settings, subtitle
from ui.state import Run
from ui.words import plain, say
from viz.position_offsets import offset_lines

FIRST_MODE: dict[str, PositionMode] = {"source": "absent", "target": "normal"}
MAX_SEED, MAX_OFFSET, FIRST_OFFSET = 9999, 500, 50
OFFSETS = (0, 1, 2, 5, 10, 20, 35, 50, 75, 100, 130, 160, 200, 250, 300, 350, 400, 450, 500)
EFFECT = "positions_effect"


def show(run: Run) -> None:
    chosen = {side: _chosen(run, side) for side in FIRST_MODE}
    with guarded("effect"):
        _effect(run, chosen)
        subtitle("positions-every-change-title")
        with st.spinner(say("positions-translating")):
            lines = summary_table(run, chosen)
        st.markdown(summary_words(lines))
        table(
            "position-summary",
            lines.assign(side=[say(f"positions-{side}") for side in lines["side"]]),
            widths={"side": 70, "positions": 150, "output": 400, "same": 130},
            formats={"log_prob": "%.2f", "change": "%+.2f"},
            hidden=["mode"],
        )
    subtitle("positions-shift-title")
    _offsets(run, chosen)


def _chosen(run: Run, side: str) -> Positions:
    key, seed, offset = f"position_{side}", 0, 0
    with controls() if side == "source" else settings():
        mode = menu(
            key,
            [mode for mode in POSITION_MODES if mode != "shifted" or most_offset(run)],
            default=FIRST_MODE[side],
            text=lambda mode: say(f"{key}-mode", mode=say(f"positions-mode-{mode}")),
            width=210,
        )
    with settings():
        if mode == "permuted":
            seed = seed_box(f"{key}_seed", MAX_SEED, words="positions-permutation-seed")
        if mode == "shifted":
            told = {"words": "positions-shift", "values": {"n": run.translator.max_source_len}}
            most = most_offset(run)
            offset = slider(f"{key}_offset", 0, most, min(FIRST_OFFSET, most), **told)
    return _positions(run, side, mode, seed, offset)


def most_offset(run: Run) -> int:
    """How far positions can be shifted: a learned table ends."""
    if "learned-positions" not in run.capabilities:
        return MAX_OFFSET
    left = run.translator.max_source_len - max(len(run.src), len(run.tgt))
    return max(0, min(MAX_OFFSET, left))


def _positions(run: Run, side: str, mode: PositionMode, seed: int, offset: int) -> Positions:
    """On the target side the positions of the plain output are rearranged, and those after kept."""
    span = len(run.tgt) if side == "target" else None
    return Positions(mode, offset=offset, seed=seed, span=span, side=side)


def _effect(run: Run, chosen: dict[str, Positions]) -> None:
    change = Intervention(*chosen.values())
    if not change:
        note("masks-effect-none", "tune")
        return
    effect = effect_of(run, change)
    finding(both_outputs(run, effect))
    show_probabilities(run, effect, key=EFFECT, beside=True)
    only_target = chosen["source"].mode == "normal"
    show_attention(run, effect, key=EFFECT, kind="decoder" if only_target else "encoder")


def summary_table(run: Run, chosen: dict[str, Positions]) -> pd.DataFrame:
    """One line a side and mode but normal, with the seed and offset in use: whether the output is
    the same, and log P of the plain one under the change."""
    first = min(FIRST_OFFSET, most_offset(run))
    left_out = ("normal",) if first else ("normal", "shifted")
    lines, modes = [], [mode for mode in POSITION_MODES if mode not in left_out]
    for (side, mine), mode in product(chosen.items(), modes):
        offset = mine.offset if mine.mode == "shifted" else first
        effect = effect_of(run, Intervention(_positions(run, side, mode, mine.seed, offset)))
        line = {
            "side": side,
            "mode": mode,
            "positions": say(f"positions-changed-{mode}", seed=mine.seed, offset=offset),
            "output": effect.output.text,
            "same": effect.output.ids == run.tgt.ids,
            "log_prob": effect.total,
            "change": effect.total - effect.plain_total,
        }
        lines.append(line)
    return pd.DataFrame(lines)


def summary_words(lines: pd.DataFrame) -> str:
    absent = lines[lines["mode"] == "absent"].set_index("side")["change"]
    return say("positions-summary", **{side: absent[side] for side in FIRST_MODE})


# Shifting further and further


def _offsets(run: Run, chosen: dict[str, Positions]) -> None:
    lines = offset_table(run)
    picked = {side: each.offset for side, each in chosen.items() if each.mode == "shifted"}
    extra = [
        {"side": side, "offset": offset, "log_prob": reading_of(run, change).total}
        for side, offset in picked.items()
        if offset not in OFFSETS and (change := Intervention(chosen[side]))
    ]
    if extra:
        lines = pd.concat([lines, pd.DataFrame(extra)], ignore_index=True)
    longest = run.translator.max_source_len
    picture(
        "position-offsets",
        offset_lines(lines, longest=longest, chosen=picked),
        numbers=lines,
        output=plain(run.translation.text, 120),
        n=longest,
    )


def offset_table(run: Run) -> pd.DataFrame:
    """Log P of the output with the positions of either side shifted: side, offset, log_prob."""
    offsets = [offset for offset in OFFSETS if offset <= most_offset(run)]
    cells = tuple(product(FIRST_MODE, offsets))
    log_probs = run.ask_pair(shifted, cells)
    return pd.DataFrame(cells, columns=["side", "offset"]).assign(log_prob=log_probs)
