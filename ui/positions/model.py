"""The trained model with other positions: on the source side, on the target side, or on both."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd
import streamlit as st

from model import Translator
from model.errors import InterventionError
from records import POSITION_MODES, Intervention, PositionMode, Positions, TokenSequence
from ui.choice import choice
from ui.effect import effect_of, show_effect
from ui.export import export_menu
from ui.kit.blocks import draw
from ui.shared import cached
from ui.state import Run, show_problem
from ui.waiting import long_reading
from ui.words import plain, say
from viz.position_heads import offset_lines
from words.numbers import signed

SIDES = ("source", "target")
FIRST_MODE: dict[str, PositionMode] = {"source": "absent", "target": "normal"}
MAX_SEED, MAX_OFFSET, FIRST_OFFSET = 9999, 500, 50
OFFSETS = (0, 1, 2, 5, 10, 20, 35, 50, 75, 100, 130, 160, 200, 250, 300, 350, 400, 450, 500)
PATIENCE = 1.0  # seconds before a bar shows that something is going on


def show(run: Run) -> None:
    left, right = st.columns(2)
    with left:
        source = _chosen(run, "source")
    with right:
        target = _chosen(run, "target")
    change = Intervention(source, target)
    kind = "decoder" if source.mode == "normal" and target.mode != "normal" else "encoder"
    show_effect(run, change, key="positions_effect", kind=kind)
    st.markdown("## " + say("positions-every-change-title"))
    _summary(run, {"source": source, "target": target})
    st.markdown("## " + say("positions-shift-title"))
    _offsets(run, {"source": source, "target": target})


def _chosen(run: Run, side: str) -> Positions:
    """The positions of one side, by its widgets."""
    key = f"position_{side}"
    mode = choice(
        key,
        POSITION_MODES,
        words=key,
        default=FIRST_MODE[side],
        text=lambda mode: say(f"positions-mode-{mode}"),
        wrap=True,
    )
    seed, offset = 0, 0
    if mode == "permuted":
        seed = st.number_input(
            say("positions-permutation-seed"),
            0,
            MAX_SEED,
            0,
            key=f"{key}_seed",
            bind="query-params",
        )
    if mode == "shifted":
        longest = run.translator.max_source_len
        offset = st.slider(
            say("positions-shift-label"),
            0,
            MAX_OFFSET,
            FIRST_OFFSET,
            key=f"{key}_offset",
            bind="query-params",
            help=say("positions-shift-help", n=longest),
        )
    return _positions(run, side, mode, seed, offset)


def _positions(
    run: Run, side: str, mode: PositionMode, seed: int = 0, offset: int = 0
) -> Positions:
    """On the target side the positions of the plain output are rearranged, and those after kept."""
    span = len(run.translation.tgt) if side == "target" else None
    return Positions(mode, offset=offset, seed=seed, span=span, side=side)


# Every mode at once


def _all_changes(run: Run, chosen: dict[str, Positions]) -> list[tuple[str, Positions]]:
    """Every mode but normal for either side, with the seed and offset in use."""
    changes = []
    for side in SIDES:
        mine = chosen[side]
        seed = mine.seed if mine.mode == "permuted" else 0
        offset = mine.offset if mine.mode == "shifted" else FIRST_OFFSET
        changes += [
            (side, _positions(run, side, mode, seed, offset))
            for mode in POSITION_MODES
            if mode != "normal"
        ]
    return changes


def summary_table(run: Run, chosen: dict[str, Positions]) -> pd.DataFrame:
    """One line a side and mode.

    Returns
    -------
    DataFrame with the columns side, positions, output, same (the output is the plain one), log_prob
    (of the plain output under the change) and change (against the plain run).

    Raises
    ------
    InterventionError : a change does not fit the sentence.
    """
    lines = []
    for side, positions in _with_bar(_all_changes(run, chosen), say("positions-translating")):
        effect = effect_of(run, Intervention(positions))
        lines.append(
            {
                "side": side,
                "mode": positions.mode,
                "positions": _name(positions),
                "output": effect.translation.text,
                "same": effect.translation.tgt.ids == run.translation.tgt.ids,
                "log_prob": effect.total,
                "change": effect.total - effect.plain_total,
            }
        )
    return pd.DataFrame(lines)


def _name(positions: Positions) -> str:
    return say(f"positions-changed-{positions.mode}", seed=positions.seed, offset=positions.offset)


def _with_bar(items: list, title: str) -> Iterator:
    """The items one by one, with a bar once they take beyond a second."""
    began, bar = time.perf_counter(), None
    try:
        for done, item in enumerate(items):
            if bar is None and time.perf_counter() - began > PATIENCE:
                bar = st.progress(0.0, title)
            if bar is not None:
                bar.progress(done / len(items), title)
            yield item
    finally:
        if bar is not None:
            bar.empty()


def _summary(run: Run, chosen: dict[str, Positions]) -> None:
    try:
        lines = summary_table(run, chosen)
    except InterventionError as error:
        show_problem(error)
        return
    st.markdown(summary_words(lines))
    st.dataframe(
        lines.drop(columns="mode").assign(
            side=[say(f"positions-{side}") for side in lines["side"]]
        ),
        key="position_summary",
        hide_index=True,
        column_config={
            "side": st.column_config.TextColumn(say("positions-side"), width=70),
            "positions": st.column_config.TextColumn(say("positions-column"), width=150),
            "output": st.column_config.TextColumn(say("positions-output"), width="large"),
            "same": st.column_config.CheckboxColumn(say("positions-same"), width=130),
            "log_prob": st.column_config.NumberColumn(say("positions-plain-log-p"), format="%.2f"),
            "change": st.column_config.NumberColumn(say("positions-change"), format="%+.2f"),
        },
        alt=say("positions-summary-alt"),
    )


def summary_words(lines: pd.DataFrame) -> str:
    """What leaving positions out does on either side."""
    absent = lines[lines["mode"] == "absent"].set_index("side")["change"]
    return say(
        "positions-summary", source=signed(absent["source"]), target=signed(absent["target"])
    )


# Shifting further and further


def _offsets(run: Run, chosen: dict[str, Positions]) -> None:
    lines = _offset_table(run)
    longest = run.translator.max_source_len
    picked = {side: p.offset for side, p in chosen.items() if p.mode == "shifted"}
    extra = [
        {"side": side, "offset": offset, "log_prob": effect_of(run, change).total}
        for side, offset in picked.items()
        if offset not in OFFSETS and (change := Intervention(chosen[side]))
    ]
    if extra:
        lines = pd.concat([lines, pd.DataFrame(extra)], ignore_index=True)
    figure = offset_lines(lines, longest=longest, chosen=picked)
    draw(figure, key="position_offsets", alt=say("positions-offsets-alt"))
    st.caption(say("positions-offsets-caption", text=plain(run.translation.text, 120), n=longest))
    export_menu(
        figure,
        key="position_offsets_export",
        name=say("positions-offsets-name", text=run.record.src.text),
        numbers=lambda: lines,
    )


@cached("identity", spinner="positions-shifting")
def _offset_table(run: Run) -> pd.DataFrame:
    with long_reading(run.translator):
        return offset_table(run.translator, run.translation.src, run.translation.tgt)


def offset_table(translator: Translator, src: TokenSequence, tgt: TokenSequence) -> pd.DataFrame:
    """Log P of `tgt` with the positions of either side shifted: side, offset, log_prob."""
    lines = []
    for side in SIDES:
        for offset in OFFSETS:
            change = Intervention(Positions("shifted", offset=offset, side=side))
            log_probs = translator.read_again(src, tgt, change)[1]
            total = float(log_probs.sum(dtype=np.float64))
            lines.append({"side": side, "offset": offset, "log_prob": total})
    return pd.DataFrame(lines)
