"""Masked words and what may stand there, from both sides beside the left alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.effect import log_prob_changes
from analysis.labels import numbered_labels, token_label
from analysis.maps import NamedMap
from model.experiments.explain import rank_correlation
from model.masked_words import SIDES
from records import AttentionRecord, Guess
from ui import address
from ui.kit.blocks import head_picker, picture, table
from ui.kit.layout import finding
from ui.masked.measured import measured
from ui.masked.scene import Scene, both_sides, chosen_words, guessed, looked, rests_on
from ui.words import plain, say
from viz.effect import log_prob_bars
from viz.figure import tables_of
from viz.labels import head_name
from viz.maps import head_rows, map_row
from viz.token_bars import candidates_chart
from words.numbers import fixed, grouped, percent, signed

MOST_SHOWN = 6
"""Masked pieces whose candidates are drawn."""


def show(scene: Scene) -> None:
    beside, *columns = st.columns([3, 4, 4])
    with beside:
        scene = replace(scene, chosen=chosen_words(scene))
    places = sorted({*scene.places, *scene.reader.typed_masks(scene.src)})
    if not places:
        finding(say("masked-click-one"))
        return
    found = {
        name: guessed(scene.reader, scene.src, scene.places, left) for name, left in SIDES.items()
    }
    finding(_found(scene, places[0], found["both"][0], found["left"][0]))
    with beside:
        if len(places) == sum(not special for special in scene.src.special):
            st.warning(say("masked-all"), icon=":material/visibility_off:")
        if len(places) > MOST_SHOWN:
            st.caption(say("masked-most", n=len(places), most=MOST_SHOWN))
        if len(places) > 1:
            st.caption(say("masked-apart"))
    for at, place in enumerate(places[:MOST_SHOWN]):
        sides = {name: guesses[at] for name, guesses in found.items()}
        _piece(scene, place, sides, columns if at == 0 else st.columns(2), len(places) > 1)
    if scene.places:
        _rests(scene, scene.places[0])
    _rows(scene, places[0])


def _found(scene: Scene, place: int, both: Guess, left: Guess) -> str:
    if both.own is None:
        best = {"both": both.tokens[0], "left": left.tokens[0]}
        told = {name: plain(token_label(token)) for name, token in best.items()}
        shares = {"both_share": _share(both.log_probs[0]), "left_share": _share(left.log_probs[0])}
        return say("masked-found-typed", **told, **shares)
    return say(
        "masked-found",
        token=plain(token_label(scene.src.tokens[place])),
        both=_share(both.own_log_prob),
        both_rank=grouped(both.own_rank),
        left=_share(left.own_log_prob),
        left_rank=grouped(left.own_rank),
    )


def _piece(
    scene: Scene,
    place: int,
    sides: dict[str, Guess],
    columns: Sequence[DeltaGenerator],
    several: bool,
) -> None:
    own, token = sides["both"].own, token_label(scene.src.tokens[place])
    if several or own is None:
        title = say("masked-typed") if own is None else say("masked-piece", token=plain(token))
        columns[0].markdown(f"**{title}**")
        columns[1].markdown("&nbsp;")
    for column, (name, guess) in zip(columns, sides.items(), strict=True):
        figure = candidates_chart(
            guess.tokens,
            guess.log_probs,
            guess.ids,
            taken=() if own is None else (own,),
            title=say("masked-candidates-axis"),
        )
        with column:
            st.markdown(say(f"masked-{name}"))
            picture(
                "masked-candidates",
                figure,
                key=f"masked_candidates_{name}_{place}",
                below=_told(guess),
                numbers=lambda drawn=figure: tables_of(drawn)["bars"].drop(columns="click"),
                token=plain(token_label(guess.tokens[0])),
                share=_share(guess.log_probs[0]),
                side=name,
            )


def _told(guess: Guess) -> str:
    entropy = fixed(guess.entropy, 2)
    if guess.own is None:
        return say("masked-entropy", entropy=entropy)
    share, rank = _share(guess.own_log_prob), grouped(guess.own_rank)
    return say("masked-own", share=share, rank=rank, entropy=entropy)


def _share(log_prob: float) -> str:
    return percent(math.exp(log_prob), 1)


def _rests(scene: Scene, place: int) -> None:
    found = rests_on(scene.reader, scene.src, scene.places, place)
    st.markdown("## " + say("masked-rests-title"))
    if not found.others:
        st.caption(say("masked-rests-nothing"))
        return
    tokens = [scene.src.tokens[i] for i in found.others]
    changes = found.without - found.log_prob
    least = int(changes.argmin())
    token, drop = plain(token_label(tokens[least])), fixed(-float(changes[least]))
    falls = "found" if changes[least] < 0 else "none"
    told = [say(f"masked-rests-{falls}", token=token, drop=drop)]
    (attention,) = looked(scene.reader, scene.src, scene.places, False).maps
    weights = attention.weights[:, :, place].mean(axis=(0, 1))[list(found.others)]
    number = float(rank_correlation(weights, -changes))
    if not np.isnan(number):  # they have an order
        told.append(say("masked-rests-heads", number=signed(number, 2)))
    sides = tokens, [found.log_prob] * len(tokens), list(map(float, found.without))
    picture(
        "masked-rests",
        log_prob_bars(*sides),
        key="masked_rests",
        below=" ".join(told),
        numbers=lambda: log_prob_changes(*sides),
        n=len(tokens),
    )


def _rows(scene: Scene, place: int) -> None:
    st.markdown("## " + say("masked-heads-title"))
    show_rows("masked-heads", looked(scene.reader, scene.src, scene.places, False), place)
    values = {"checkpoint": scene.name, "text": _with_masks(scene)}
    if st.button(
        say("masked-open"),
        icon=":material/grid_view:",
        key="masked_open",
        on_click=address.go,
        args=("attention", values),
    ):
        st.rerun()  # the other page lies outside of what a click draws anew


def show_rows(id: str, record: AttentionRecord, place: int) -> None:
    """The weights from `place` in every head; `id` is that of the messages, and the key."""
    (attention,) = record.maps
    figure = head_rows(attention.weights[:, :, place], attention.key_tokens, kind=attention.site)
    picture(
        id,
        figure,
        key=id.replace("-", "_"),
        numbers=lambda: tables_of(figure)["cells"],
        n=attention.n_layers * attention.n_heads,
        place=place + 1,
    )


def _with_masks(scene: Scene) -> str:
    text = scene.src.text
    for number in reversed(scene.chosen):
        start, end = scene.span(number)
        text = text[:start] + " ".join(["[MASK]"] * len(scene.words[number])) + text[end:]
    return text


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


PRONOUN = "it"
OTHERWISE = "The animal didn't cross the street because it was too tired."
"""What is read where a sentence has no pronoun."""


def show(scene: Scene) -> None:
    src, told = scene.src, []
    if not src.pieces_of(PRONOUN):
        src = scene.reader.sentence(OTHERWISE)
        told.append(say("masked-it-none", text=plain(OTHERWISE)))
    if found := measured(scene).get("it"):
        told.append(
            say(
                "masked-it-found",
                n=found["sentences"],
                head=head_name(found["layer"], found["head"]),
                margin=signed(found["margin"], 3),
                right=percent(found["right"]["value"], 1),
            )
        )
    first, *others = told or [say("masked-it-caption")]
    finding(first)
    if places := src.pieces_of(PRONOUN):
        show_rows("masked-it", looked(scene.reader, src, (), False), places[0])
    st.markdown("\n\n".join(others))
