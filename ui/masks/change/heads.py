"""Heads switched off."""

from __future__ import annotations

import numpy as np
import streamlit as st

from records import ABLATIONS, AblatedHead, Intervention
from ui.effect.reading import Reading
from ui.kit.controls import button, choice
from ui.masks.built import ablations_of, has_means, set_change, shape_of
from ui.state import Run
from ui.words import say

from .place import Place, site_picker


def show(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    kind = place.kind
    shape = shape_of(run, kind)
    off = ablations_of(change, kind, shape)
    site_picker(run, place)
    means = has_means(run)
    options = [name for name in ABLATIONS if name != "mean" or means]
    if used := [name for name in off.ravel() if name in options]:
        st.session_state["change_how"] = used[0]
    choice(
        "change_how",
        options,
        words="masks-knockout-how",
        style="radio",
        address=False,
        horizontal=True,
        on_change=_take_how,
        args=(run, change, kind),
    )
    if not means:
        st.caption(say("masks-change-no-means"))
    for layer in range(shape[0] if off.size > 1 else 0):
        key = f"change_off_{kind}_{layer}"
        st.session_state[key] = [head for head in range(shape[1]) if off[layer, head]]
        st.pills(
            say("masks-change-heads-of", layer=layer + 1),
            range(shape[1]),
            key=key,
            selection_mode="multi",
            wrap=True,
            format_func=lambda head: str(head + 1),
            on_change=_take_heads,
            args=(run, change, kind, layer),
        )
    count, none = {"n": off.size}, np.full(off.shape, "", dtype=object)
    how = {"values": count, "disabled": not (off != "").any()}
    with st.container(horizontal=True):
        words = "masks-change-all-off"
        button("change_all_off", _all_heads, run, change, kind, words=words, values=count)
        words = "masks-change-all-on"
        button("change_all_on", _set_heads, run, change, kind, none, words=words, **how)


def _take_heads(run: Run, change: Intervention, kind: str, layer: int) -> None:
    off = ablations_of(change, kind, shape_of(run, kind))
    chosen = st.session_state[f"change_off_{kind}_{layer}"]
    wanted = st.session_state.get("change_how", ABLATIONS[0])
    for head in range(off.shape[1]):
        off[layer, head] = (off[layer, head] or wanted) if head in chosen else ""
    _set_heads(run, change, kind, off)


def _take_how(run: Run, change: Intervention, kind: str) -> None:
    off = ablations_of(change, kind, shape_of(run, kind))
    off[off != ""] = st.session_state["change_how"]
    _set_heads(run, change, kind, off)


def _all_heads(run: Run, change: Intervention, kind: str) -> None:
    how = st.session_state.get("change_how", ABLATIONS[0])
    _set_heads(run, change, kind, np.full(shape_of(run, kind)[:2], how, dtype=object))


def _set_heads(run: Run, change: Intervention, kind: str, off: np.ndarray) -> None:
    others = tuple(entry for entry in change.ablated if entry.kind != kind)
    set_change(run, change.replaced(AblatedHead, *others, *shortest_ablations(kind, off)))


def shortest_ablations(kind: str, off: np.ndarray) -> tuple[AblatedHead, ...]:
    """Entries for an (L, H) array of `ablations_of`, with whole layers and sites as one entry."""
    if off.size and off[0, 0] and (off == off[0, 0]).all():
        return (AblatedHead(kind, how=off[0, 0]),)
    found = []
    for layer, heads in enumerate(off):
        if heads[0] and (heads == heads[0]).all():
            found.append(AblatedHead(kind, layer, how=heads[0]))
        else:
            found += [AblatedHead(kind, layer, h, name) for h, name in enumerate(heads) if name]
    return tuple(found)
