"""Why both directions: every piece masked in turn, said from both sides and from the left alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import numbered_labels, token_label
from analysis.maps import NamedMap
from model.masked_words import SIDES
from records import BothSides
from ui.kit.blocks import head_picker, picture
from ui.kit.layout import finding
from ui.words import plain, say
from viz.figure import tables_of
from viz.maps import map_row
from words.numbers import fixed

from .scene import Scene, both_sides, looked


def show(scene: Scene) -> None:
    found = both_sides(scene.reader, scene.src)
    gains = found.both - found.left
    most = int(np.argmax(gains))
    token = plain(token_label(scene.src.tokens[found.places[most]]))
    sums = {name: fixed(float(getattr(found, name).sum()), 1) for name in SIDES}
    finding(say("masked-sides-found", token=token, **sums))
    _table(scene, found)
    st.caption(say("masked-sides-caption", n=len(gains), better=int((gains > 0).sum())))
    st.markdown("## " + say("masked-sides-maps"))
    _maps(scene)


def _table(scene: Scene, found: BothSides) -> None:
    """log p of every piece, from both sides and from the left."""
    labels = numbered_labels([scene.src.tokens[place] for place in found.places])
    lowest = float(min(found.both.min(), found.left.min()))
    table = pd.DataFrame(
        {"token": labels, "both": found.both, "left": found.left, "gain": found.both - found.left}
    )
    column = st.column_config
    bars = {
        name: column.ProgressColumn(
            say(f"masked-sides-{name}"), min_value=lowest, max_value=0.0, format="%.2f"
        )
        for name in ("both", "left")
    }
    st.dataframe(
        table,
        key="masked_sides_table",
        hide_index=True,
        column_config={
            "token": column.TextColumn(say("masked-sides-token")),
            **bars,
            "gain": column.NumberColumn(say("masked-sides-gain"), format="%+.2f"),
        },
        height=min(36 * (len(table) + 1), 470),
        alt=say("masked-sides-alt"),
    )


def _maps(scene: Scene) -> None:
    """One head beside itself with what stands to the right hidden."""
    site = scene.reader.sites[0]
    with st.container(horizontal=True, gap="small"):
        layer, head = head_picker("masked", site.n_layers, site.n_heads, address=True)
    maps = [
        NamedMap.of(
            say(f"masked-{name}-title"),
            looked(scene.reader, scene.src, (), left).maps[0],
            layer,
            head,
        )
        for name, left in SIDES.items()
    ]
    figure = map_row(maps, site)
    picture(
        "masked-sides-maps",
        figure,
        key="masked_sides_maps",
        numbers=lambda: tables_of(figure)["cells"],
        layer=layer + 1,
        head=head + 1,
    )
