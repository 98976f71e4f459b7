"""Heads that follow position: whose maps survive other words, and whose the loss of positions."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from analysis.labels import token_labels
from analysis.maps import NamedMap, map_cells
from analysis.position_heads import position_head_table
from records import PositionHeads
from ui.choice import choice
from ui.export import export_menu
from ui.focus import click_count, clicked
from ui.kit.blocks import draw, next_seed, seed_box
from ui.shared import cached
from ui.state import Run
from ui.waiting import long_reading
from ui.words import plain, say, site_name
from viz.labels import full_head_name
from viz.maps import map_row
from viz.position_heads import SELECTION_NAME, head_scatter
from words.numbers import fixed

N_OTHERS = 12
MANY_TOKENS = 60  # beyond, a bar shows that the runs take a while
MAX_SEED = 9999
ROOM = 165  # pixels for the cells of a map; four of them stand beside the dots

Head = tuple[str, int, int]


def show(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = seed_box("position_words", say("position_words-label"), MAX_SEED, width=180)
        st.button(
            say("position_words_next-label"),
            key="position_words_next",
            icon=":material/shuffle:",
            on_click=next_seed,
            args=("position_words", MAX_SEED),
        )
    found = _found(run, seed)
    heads = position_head_table(found)
    places = zip(heads["kind"], heads["layer"] - 1, heads["head"] - 1, strict=True)
    heads.insert(3, "name", [full_head_name(*place) for place in places])
    st.markdown(verdict(heads))
    scatter, maps = st.columns([2, 3])
    with scatter:
        head = _scatter(heads, found.plain.kinds)
    with maps:
        _maps(found, heads, head)
    _table(heads)


def _found(run: Run, seed: int) -> PositionHeads:
    if max(len(run.translation.src), len(run.translation.tgt)) <= MANY_TOKENS:
        return _position_heads(run, seed)
    bar = st.progress(0.5, say("positions-reading-others", n=N_OTHERS))
    found = _position_heads(run, seed)
    bar.empty()
    return found


@cached("identity", max_entries=16)
def _position_heads(run: Run, seed: int) -> PositionHeads:
    src, tgt = run.translation.src, run.translation.tgt
    with long_reading(run.translator):
        return run.translator.position_heads(src, tgt, n_others=N_OTHERS, seed=seed)


def verdict(heads: pd.DataFrame) -> str:
    """Which head follows places most, which words, and how many heads follow places more."""
    first = heads.iloc[0]
    content = heads.sort_values("positions", ascending=False, kind="stable").iloc[0]
    return say(
        "positions-heads-verdict-chance"
        if heads["chance"].notna().any()
        else "positions-heads-verdict",
        first=first["name"],
        words=fixed(first["words"]),
        second=content["name"],
        positions=fixed(content["positions"]),
        places=int((heads["words"] > heads["positions"]).sum()),
        n=len(heads),
    )


def _scatter(heads: pd.DataFrame, sites: Sequence[str]) -> Head:
    """The picture of all heads; returns the one that is open."""
    options = [_key(line) for line in heads.itertuples()]
    names = dict(zip(options, heads["name"], strict=True))
    cell = clicked("position_scatter", SELECTION_NAME)
    if cell and {"kind", "layer", "head"} <= cell.keys():
        wanted = f"{cell['kind']}-{cell['layer'] + 1}-{cell['head'] + 1}"
        if wanted in options:
            st.session_state["position_head"] = wanted
    picture = st.container()
    chosen = choice(
        "position_head",
        options,
        words="position_head",
        style="select",
        text=names.get,
        old={name: option for option, name in names.items()},
    )
    kind, layer, head = chosen.split("-")
    selected = (kind, int(layer) - 1, int(head) - 1)
    figure = head_scatter(
        heads,
        sites,
        selected=selected,
        click=click_count("position_scatter"),
    )
    with picture:
        draw(
            figure,
            key="position_scatter",
            clicks=True,
            alt=say("positions-scatter-alt"),
        )
    export_menu(
        figure,
        key="position_scatter_export",
        name=say("positions-scatter-name"),
        numbers=lambda: heads,
    )
    return selected


def _key(line: tuple) -> str:
    return f"{line.kind}-{line.layer}-{line.head}"


def _maps(found: PositionHeads, heads: pd.DataFrame, place: Head) -> None:
    kind, layer, head = place
    line = heads[
        (heads["kind"] == kind) & (heads["layer"] == layer + 1) & (heads["head"] == head + 1)
    ].iloc[0]
    st.markdown(f"**{line['name'][:1].upper()}{line['name'][1:]}**")
    records = {
        say("positions-map-plain"): found.plain,
        say("positions-map-absent"): found.absent,
        **{
            say("positions-map-others", n=n): record
            for n, record in enumerate(found.shown, start=1)
        },
    }
    site = found.plain.of(kind).site
    produced = not site.is_self
    maps = [
        NamedMap.of(title, record.of(kind), layer, head, produced=produced)
        for title, record in records.items()
    ]
    figure = map_row(maps, kind, room=ROOM)
    draw(
        figure,
        key="position_maps",
        alt=say("positions-head-maps-alt", head=line["name"]),
    )
    st.caption(
        say(
            "positions-head-caption",
            n=N_OTHERS,
            **{name: fixed(line[name]) for name in ("words", "spread", "positions")},
        )
    )
    export_menu(
        figure,
        key="position_maps_export",
        name=say("positions-head-maps-name", head=line["name"]),
        numbers=lambda: map_cells(maps).drop(columns=["panel", "q", "k"]),
    )
    with st.expander(say("position_others-label"), key="position_others", icon=":material/notes:"):
        for number, (src, tgt) in enumerate(found.others, start=1):
            side = tgt if site.key == "target" else src
            st.caption(f"{number}. {plain(' '.join(token_labels(side.tokens)), 600)}")


def _table(heads: pd.DataFrame) -> None:
    columns = {
        name: st.column_config.ProgressColumn(
            say(f"positions-{message}"), min_value=0.0, max_value=1.0, format="%.3f"
        )
        for name, message in (
            ("words", "words"),
            ("positions", "absent"),
            ("sharpness", "sharpness"),
            ("special", "special"),
        )
    }
    columns |= {
        **{name: st.column_config.Column(say(f"figures-{name}")) for name in ("layer", "head")},
        "kind": st.column_config.Column(say("kind")),
        "spread": st.column_config.NumberColumn(say("positions-spread"), format="%.3f"),
        "chance": st.column_config.NumberColumn(say("positions-chance"), format="%.3f"),
    }
    st.dataframe(
        heads.drop(columns=["name"]).assign(kind=[site_name(k, "short") for k in heads["kind"]]),
        key="position_heads_table",
        hide_index=True,
        column_config=columns,
        height=min(36 * (len(heads) + 1), 420),
        alt=say("positions-heads-table-alt"),
    )
