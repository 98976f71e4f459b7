"""Editing of the scene: the text above the page, changed by clicks."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import streamlit as st

from core.records.scenes import (
    COLOURS,
    HOLLOW,
    MOST_THINGS,
    PATTERNS,
    PLACES,
    SHAPES,
    SIZES,
    Scene,
    SceneError,
    Thing,
    crowded_place,
    random_scene,
    read_scene,
)
from model import InputError
from ui.components import browser_sent
from ui.components.scene import TOOLS, Act, read_act
from ui.frame.choices import use_sentence
from ui.frame.messages import say
from ui.frame.run import Run
from ui.kit.controls import button, choice, next_seed
from ui.kit.layout import control_row, settings
from ui.pages.captions.captioning import scene_of, thing_name, word_of
from words import Message

KEY = "captions_scene"
ANSWERED = f"{KEY}_answered"
NOTE = "captions_note"
EMPTY = "captions_empty"
MOST_SEED = 9999
BRUSH = {"size": SIZES, "pattern": PATTERNS, "colour": COLOURS, "shape": SHAPES}
"""Attributes of a thing and their values."""
Place = tuple[int, int]


def drafted(run: Run) -> Scene:
    """Return the scene of the text box as it stands, which the model may not have read yet."""
    text = str(st.session_state.get("text", ""))
    if not text.strip():
        # An empty text cannot name covered places; the session keeps them.
        return st.session_state.get(EMPTY, Scene(()))
    try:
        return read_scene(text)
    except SceneError:
        # Half-typed text: the last scene that could be read stays.
        return scene_of(run)


# -- what a click does ------------------------------------------------------------------------


def changed(scene: Scene, act: Act, brush: Thing) -> Scene:
    """Return the scene after the reader used a tool.

    A placed thing replaces what stands there, but a small thing goes into a hollow one, and a
    hollow one around a small one. Raises InputError if there are too many things.
    """
    if act.start != act.end or act.tool == "move":
        return _moved(scene, act.start, act.end)
    if act.tool == "cover":
        # Symmetric difference: a second click uncovers the place.
        return Scene(scene.things, tuple({*scene.covered} ^ {act.start}))
    here = scene.at(*act.start)
    if act.tool == "remove":
        kept = tuple(thing for thing in scene.things if thing not in here[:1])
        return Scene(kept, tuple(at for at in scene.covered if at != act.start))
    thing = replace(brush, row=act.start[0], column=act.start[1])
    others = tuple(other for other in scene.things if other.place != act.start)
    # Two things may share a place only if one holds the other.
    both = (Scene((*others, standing, thing), scene.covered) for standing in here)
    alone = Scene((*others, thing), scene.covered)
    placed = next((candidate for candidate in both if crowded_place(candidate) is None), alone)
    if len(placed.things) > MOST_THINGS:
        raise InputError(Message.of("captions-refused-many", most=MOST_THINGS))
    return placed


def _moved(scene: Scene, start: Place, end: Place) -> Scene:
    here = scene.at(*start)
    if not here or start == end:
        return scene
    # A hollow thing takes its content along.
    things = tuple(
        replace(thing, row=end[0], column=end[1]) if thing in here else thing
        for thing in scene.things
    )
    moved = Scene(things, scene.covered)
    if crowded_place(moved) is not None:
        row, column = end
        raise InputError(Message.of("captions-refused-taken", row=row + 1, column=column + 1))
    return moved


# -- the tools --------------------------------------------------------------------------------


def tools() -> str:
    """Draw the menus of tools and brush and the buttons for new scenes; return the chosen tool."""
    with control_row():
        tool = choice("captions_tool", TOOLS, title=False)
        for attribute, options in BRUSH.items() if tool == "place" else ():
            choice(
                f"captions_{attribute}",
                options,
                style="select",
                address=False,
                text=word_of,
                title=False,
                width=122,
            )
    with settings():
        button("captions_draw_usual", _draw, False, icon="casino")
        button("captions_draw_held_out", _draw, True, icon="casino")
        button("captions_clear", _use, Scene(()), icon="delete")
    return tool


def place_names(scene: Scene) -> tuple[list[str], list[bool]]:
    """Return for every place its content in words, and True if something stands there."""
    names = []
    filled = []
    for row, column in product(range(PLACES), repeat=2):
        things = ", ".join(map(thing_name, scene.at(row, column)))
        state = "covered" if (row, column) in scene.covered else "filled" if things else "free"
        names.append(say(f"captions-place-{state}", things=things, row=row + 1, column=column + 1))
        filled.append(bool(things))
    return names, filled


def on_act(scene: Scene, identity: str) -> None:
    """Apply a click of the reader to the scene, once; a refused one leaves a note."""
    act = read_act(browser_sent(KEY, "act"), identity)
    if act is None:
        return
    state = st.session_state
    state[ANSWERED] = act.number
    try:
        _use(changed(scene, act, _brush()))
    except InputError as refused:
        state[NOTE] = refused.message


def _brush() -> Thing:
    """Return the thing that the menus describe."""

    def value(attribute: str) -> str:
        return st.session_state.get(f"captions_{attribute}", BRUSH[attribute][0])

    shape = value("shape")
    # Hollow things have no area for a pattern.
    pattern = "plain" if shape in HOLLOW else value("pattern")
    return Thing(size=value("size"), pattern=pattern, colour=value("colour"), shape=shape)


def _use(scene: Scene) -> None:
    """Put a scene into the text box; the covers of an empty scene are kept in the session."""
    st.session_state[EMPTY] = Scene((), scene.covered)
    use_sentence(str(scene) if scene.things else "")


def _draw(held_out: bool) -> None:
    next_seed("captions_seed", MOST_SEED)
    # A text seed: the same number always draws the same scene.
    rng = random.Random(f"page {st.session_state['captions_seed']}")
    _use(random_scene(rng, held_out=held_out))
