"""Why both directions: every piece masked in turn, said from both sides and from the left alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import numbered_labels, token_label
from analysis.maps import NamedMap
from model.masked_words import SIDES
from ui.kit.blocks import head_picker, picture, table
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
    labels = numbered_labels([scene.src.tokens[place] for place in found.places])
    lines = {"token": labels, "both": found.both, "left": found.left, "gain": gains}
    table(
        "masked-sides",
        pd.DataFrame(lines),
        key="masked_sides_table",
        shares=tuple(SIDES),
        ends=(float(min(found.both.min(), found.left.min())), 0.0),
        formats={"both": "%.2f", "left": "%.2f", "gain": "%+.2f"},
        height=470,
        n=len(gains),
        better=int((gains > 0).sum()),
    )
    st.markdown("## " + say("masked-sides-maps"))
    _maps(scene)


def _maps(scene: Scene) -> None:
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
