"""Masked words and what may stand there, from both sides beside the left alone."""

from __future__ import annotations

import math

import streamlit as st

from analysis.labels import token_label
from model.masked_words import SIDES
from records import Guess
from ui import address
from ui.kit.blocks import draw
from ui.words import plain, say
from viz.token_bars import candidates_chart
from words.numbers import fixed, grouped, percent

from .rests import show_rests
from .rows import show_rows
from .scene import Scene, guessed, looked

MOST_SHOWN = 6
"""Masked pieces whose candidates are drawn."""


def show(scene: Scene) -> None:
    typed = scene.reader.typed_masks(scene.src)
    places = sorted({*scene.places, *typed})
    if not places:
        st.info(say("masked-click-one"), icon=":material/touch_app:")
        return
    n_pieces = sum(not special for special in scene.src.special)
    if len(places) == n_pieces:
        st.warning(say("masked-all"), icon=":material/visibility_off:")
    found = {
        name: guessed(scene.reader, scene.src, scene.places, left) for name, left in SIDES.items()
    }
    if len(places) > MOST_SHOWN:
        st.caption(say("masked-most", n=len(places), most=MOST_SHOWN))
    if len(places) > 1:
        st.caption(say("masked-apart"))
    for at, place in enumerate(places[:MOST_SHOWN]):
        _piece(scene, place, {name: guesses[at] for name, guesses in found.items()})
    if scene.places:
        show_rests(scene, scene.places[0])
    _rows(scene, places)


def _piece(scene: Scene, place: int, sides: dict[str, Guess]) -> None:
    """One masked piece: what it was, and its candidates from both sides and from the left."""
    own = sides["both"].own
    token = token_label(scene.src.tokens[place])
    title = say("masked-piece", token=plain(token)) if own is not None else say("masked-typed")
    st.markdown(f"**{title}**")
    for column, (name, guess) in zip(st.columns(len(sides)), sides.items(), strict=True):
        with column:
            st.markdown(say(f"masked-{name}") + "  \n" + _told(guess))
            figure = candidates_chart(
                guess.tokens,
                guess.log_probs,
                guess.ids,
                taken=() if own is None else (own,),
                title=say("masked-candidates-axis"),
            )
            best = plain(token_label(guess.tokens[0]))
            draw(
                figure,
                key=f"masked_candidates_{name}_{place}",
                alt=say("masked-candidates-alt", token=best, share=_share(guess.log_probs[0])),
            )


def _told(guess: Guess) -> str:
    if guess.own is None:
        return say("masked-entropy", entropy=fixed(guess.entropy, 2))
    return say(
        "masked-own",
        share=_share(guess.own_log_prob),
        rank=grouped(guess.own_rank),
        entropy=fixed(guess.entropy, 2),
    )


def _share(log_prob: float) -> str:
    return percent(math.exp(log_prob), 1)


def _rows(scene: Scene, places: list[int]) -> None:
    """What every head of the encoder looks at from the first masked place."""
    place = places[0]
    st.markdown("## " + say("masked-heads-title"))
    show_rows(
        looked(scene.reader, scene.src, scene.places, False),
        place,
        key="masked_heads",
        name=say("masked-heads-name"),
        caption=say("masked-heads-caption", place=place + 1),
    )
    values = {"checkpoint": scene.name, "text": _with_masks(scene)}
    if st.button(
        say("masked-open"),
        icon=":material/grid_view:",
        key="masked_open",
        on_click=address.go,
        args=("attention", values),
    ):
        st.rerun()  # the other page lies outside of what a click draws anew


def _with_masks(scene: Scene) -> str:
    """The sentence with ``[MASK]`` typed for every masked word."""
    text, src = scene.src.text, scene.src
    for number in reversed(scene.chosen):
        group = scene.words[number]
        start, end = src.offsets[group[0]][0], src.offsets[group[-1]][1]
        text = text[:start] + " ".join(["[MASK]"] * len(group)) + text[end:]
    return text
