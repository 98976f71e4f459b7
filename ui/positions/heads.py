"""Heads that follow position: whose maps survive other words, and whose the loss of positions."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.attention import HEAD, Head, Measure
from core.maps import NamedMap, map_cells
from core.positions import PositionHeads, position_head_table
from core.tokens import token_labels
from model.experiments.order import WITHOUT_POSITIONS, position_heads
from ui.kit.blocks import full_head_menu, next_seed, picture, seed_box, table
from ui.kit.controls import button, click_count
from ui.kit.layout import controls, finding, settings
from ui.norm import in_measure, measure_choice, name_lacking, tell_measure
from ui.state import Run
from ui.words import plain, say, site_name
from viz.labels import full_head_name
from viz.maps import map_row
from viz.position_heads import SELECTION_NAME, head_scatter

N_OTHERS = 12
MAX_SEED = 9999
ROOM = 165  # pixels for the cells of a map; four of them stand beside the dots


def show(run: Run) -> None:
    with controls():
        button("position_words_next", next_seed, "position_words", MAX_SEED, icon="shuffle")
    with settings():
        seed = seed_box("position_words", MAX_SEED, width=180)
    measure = measure_choice(run.translator, settings)
    found = run.ask_pair(position_heads, n_others=N_OTHERS, seed=seed)
    heads = position_head_table(found)
    places = list(zip(heads["kind"], heads["layer"] - 1, heads["head"] - 1, strict=True))
    heads.insert(3, "name", [full_head_name(*place) for place in places])
    finding("positions-heads", head=heads["name"][0], **_told(heads.iloc[0]))
    scatter, beside = st.columns([2, 3])
    with beside:
        clicks = [("position_scatter", SELECTION_NAME, *HEAD)]
        place = full_head_menu("position_head", places, clicks=clicks)
        line = heads.iloc[places.index(place)]
        _maps(run, found, line, place, measure)
    with scatter:
        clicks = click_count("position_scatter")
        picture(
            "position-scatter",
            head_scatter(heads, found.plain.kinds, selected=place, click=clicks),
            clicks=True,
            below=verdict(heads),
            numbers=heads,
        )
    shares = ["words", "positions", "sharpness", "special"]
    table(
        "position-heads-table",
        heads.assign(kind=[site_name(kind, "short") for kind in heads["kind"]]),
        words="positions",
        widths={"kind": 90} | dict.fromkeys(["layer", "head"], 58) | dict.fromkeys(shares, 122),
        shares=shares,
        formats=dict.fromkeys([*shares, "spread", "chance"], "%.3f"),
        hidden=["name"],
        height=420,
    )


def _told(line: pd.Series) -> dict[str, float]:
    return {"n": N_OTHERS} | {name: line[name] for name in ("words", "spread", "positions")}


def verdict(heads: pd.DataFrame) -> str:
    best = heads.loc[heads["positions"].idxmax()]
    return say(
        "positions-heads-verdict",
        head=best["name"],
        positions=best["positions"],
        places=int((heads["words"] > heads["positions"]).sum()),
        n=len(heads),
        chance=bool(heads["chance"].notna().any()),
    )


def _maps(run: Run, found: PositionHeads, line: pd.Series, place: Head, measure: Measure) -> None:
    kind, layer, head = place
    others = {say("positions-map-others", n=n): each for n, each in enumerate(found.shown, start=1)}
    records = {say("positions-map-plain"): found.plain, say("positions-map-absent"): found.absent}
    maps, errors = [], []
    for title, record in (records | others).items():
        change = WITHOUT_POSITIONS if record is found.absent else None
        drawn, error = in_measure(run.translator, record, measure, change)
        attention, errors = drawn.of(kind), [*errors, error]
        at = layer, min(head, attention.n_heads - 1)
        maps.append(NamedMap.of(title, attention, *at, produced=not attention.site.is_self))
    name = line["name"] if measure != "normed" else say("layer-title", layer=layer + 1)
    picture(
        "position-maps",
        map_row(maps, kind, room=ROOM, measure=measure),
        numbers=map_cells(maps),
        leave_out=["panel", "q", "k"],
        head=name,
        measure=measure,
        **_told(line),
    )
    tell_measure(attention, *errors)
    name_lacking(run.translator)
    with st.expander(say("position_others"), key="position_others", icon=":material/notes:"):
        for number, (src, tgt) in enumerate(found.others, start=1):
            side = tgt if attention.site.key == "target" else src
            st.caption(f"{number}. {plain(' '.join(token_labels(side.tokens)), 600)}")
