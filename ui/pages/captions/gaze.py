"""Scene and caption: for each word, the gaze of the model and the object it should be on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.captions import caption_languages, grammar_of
from core.card import fingerprint_of
from core.gaze import movement
from core.records.attention import Measure
from core.records.scenes import GRID, TRAINED_THINGS, Scene, picture
from ui.components import browser_sent, template
from ui.components.frame import foreign
from ui.components.scene import WordGaze, read_word, scene_view
from ui.frame.admission import give_way
from ui.frame.choices import default_of
from ui.frame.messages import current_words, plain, say, system_name
from ui.frame.problems import telling
from ui.frame.run import Run
from ui.frame.state import get_translator, translated
from ui.kit.controls import choice, kept_choice
from ui.kit.export import export_menu
from ui.kit.layout import caption, controls, finding, settings
from ui.kit.norm import measure_choice, name_lacking, tell_measure, tells_values
from viz.figure import Figure
from viz.gaze import gaze_figure, gaze_table

from .captioning import (
    MODEL,
    SUM,
    SceneCaption,
    caption_of,
    captioners,
    language_of,
    looks_of,
    scene_of,
    thing_name,
)
from .editing import KEY, NOTE, drafted, on_act, place_names, tools

NONE = "none"
BESIDE = f"{KEY}_beside"
KEYS_OF_WORDS = {KEY: "captions_word", BESIDE: "captions_word_beside"}


# The reference at the end of a title.
PAPER = re.compile(r"\s*\([^()]*\d{4}\)$")


def show(run: Run) -> None:
    with controls():
        beside = _model_menus(run)
    measure = measure_choice(run.translator, settings)
    tool = tools()
    draft = drafted(run)
    refused = st.session_state.pop(NOTE, None)
    if refused is not None:  # why the last click did nothing
        st.warning(say(refused), icon=":material/block:")
    if draft != scene_of(run):  # the text was edited, and the model has not read it yet
        finding("captions-empty")
        identity = fingerprint_of({"draft": str(draft), "covered": draft.covered})
        take = partial(on_act, draft, identity)
        _scene(draft, KEY, identity, take, idle="captions-empty", tool=tool)
        return
    described = caption_of(run, measure)
    text = plain(run.translation.text, 300) or say("run-nothing")
    finding("captions-found", text=text, truth=_truth(described), verdict=_verdict(described))
    looks = _picture(described, KEY, tool)
    _warnings(draft)
    _scores(described, looks, KEY)
    if beside != NONE:
        with telling():
            _other(run, beside, measure)


def _model_menus(run: Run) -> str:
    """Draw the menus of the captioner and of the one beside it; return the latter, or `NONE`."""
    # The papers are named in the footer.
    names = {name: PAPER.sub("", title) for name, title in captioners().items()}
    choice(
        MODEL,
        tuple(names),
        # `captioner` settles this menu before the page is drawn.
        default=default_of(MODEL),
        style="select",
        text=lambda name: names.get(name, name),
        width=298,
        title=False,
    )
    others = {name: names[name] for name in names if name != run.choices.checkpoint}
    if not others:
        return NONE
    with settings():
        return choice(
            "captions_beside",
            (NONE, *others),
            default=next(iter(others)),
            style="select",
            text=lambda name: others.get(name, say("captions_beside-none")),
        )


def _other(run: Run, name: str, measure: Measure) -> None:
    # Before a second model runs, newer clicks may end this run.
    give_way()
    other = translated(replace(run.choices, checkpoint=name), get_translator(name))
    described = caption_of(other, measure)
    title = described.run.card.text_in("title", current_words().language)
    st.markdown(f"## {plain(system_name(name, title or name))}")
    text = plain(described.run.translation.text, 300) or say("run-nothing")
    with foreign(language_of(described.run), key=f"{BESIDE}_caption"):
        st.markdown(f"**{text}**")
    st.caption(f"{_truth(described)} {_verdict(described)}")
    _scores(described, _picture(described, BESIDE, ""), BESIDE)


def _warnings(scene: Scene) -> None:
    new = [thing_name(thing) for thing in scene.things if thing.held_out]
    if new:
        st.markdown(
            f":violet-badge[:material/new_releases: {say('captions-held-out')}] "
            + say("captions-held-out-things", things=plain(", ".join(new)), n=len(new))
        )
    least, most = TRAINED_THINGS
    if not scene.usual:
        caption(
            "captions-unusual",
            covered=len(scene.covered),
            n=len(scene.things),
            least=least,
            most=most,
        )


def _picture(described: SceneCaption, key: str, tool: str) -> tuple[WordGaze, ...]:
    """Draw the picture with its words, and return these.

    The open word is that of the address or the last click; in a new caption the first that names a
    thing.
    """
    looks = looks_of(described)
    word = KEYS_OF_WORDS[key]
    identity = fingerprint_of({"run": repr(described.run.identity)})
    # The last entry is the sum over all words.
    ids = (*(str(number) for number in range(1, len(looks))), SUM)
    first = next((id for id, look in zip(ids, looks, strict=True) if look.box), NONE)
    labels = tuple(look.label for look in looks)
    opened = kept_choice(word, (NONE, *ids), default=first, of=labels)

    def take() -> None:
        # A component sends words and tools through one channel.
        chosen = read_word(browser_sent(key, "act"), identity, len(looks))
        if chosen is not None:
            st.session_state[f"{key}_answered"] = chosen.number
            st.session_state[word] = NONE if chosen.word is None else ids[chosen.word]
        elif tool:
            on_act(described.scene, identity)

    _scene(
        described.scene,
        key,
        identity,
        take,
        looks,
        language=language_of(described.run),
        tool=tool,
        measure=described.gaze.measure,
        chosen=None if opened == NONE else ids.index(opened),
    )
    return looks


def _scores(described: SceneCaption, looks: Sequence[WordGaze], key: str) -> None:
    pointed = described.pointed
    sentences = [] if pointed else [say("captions-score-none")]
    if pointed:
        sentences.append(
            described.say(
                "captions-score",
                share=np.mean([word.mass for word in pointed]),
                even=np.mean([word.chance for word in pointed]),
            )
        )
    rows = [row for word in pointed for row in word.rows]
    if len(rows) > 1:
        sentences.append(described.say("captions-moved", moved=movement(described.weights, rows)))
    if key == KEY:
        sentences.append(say("captions-input"))
    st.caption(" ".join(sentences))
    tell_measure(described.gaze, described.error)
    reader = described.run.translator
    if not tells_values(reader):
        name_lacking(reader, f"captions-no-values-{reader.card.config['attention']}")
    measure = described.gaze.measure
    labels = [look.label for look in looks]
    weights = [look.weights for look in looks]
    export_menu(
        partial(_figure, picture(described.scene), looks),
        key=f"{key}_export",
        name=described.say("captions-gaze-name", text=described.run.translation.text),
        numbers=lambda: gaze_table(labels, weights, GRID).rename(columns={"weight": measure}),
    )


def _figure(seen: np.ndarray, looks: Sequence[WordGaze]) -> Figure:
    return gaze_figure(
        seen,
        [look.label for look in looks],
        [look.weights for look in looks],
        grid=GRID,
        notes=[look.share for look in looks],
        boxes=[look.box for look in looks],
    )


def _scene(
    scene: Scene,
    key: str,
    identity: str,
    on_act: Callable[[], None],
    looks: Sequence[WordGaze] = (),
    *,
    idle: str = "captions-idle",
    measure: Measure = "weight",
    **options: Any,
) -> None:
    """Draw the picture of a scene; `options` are those of `scene_view`."""
    names, filled = place_names(scene)
    things = ", ".join(map(thing_name, scene.things))
    scene_view(
        picture(scene),
        looks,
        key=key,
        identity=identity,
        names=names,
        filled=filled,
        words={
            "places": say("captions-places"),
            "words": say("captions-words"),
            "picture": say("captions-picture-alt", things=things, n=len(scene.things)),
            "idle": say(idle, measure=measure),
            "title": template("captions-title", "word", measure=measure),
        },
        on_act=on_act,
        answered=st.session_state.get(f"{key}_answered", 0),
        **options,
    )


# -- words under the picture --------------------------------------------------------------------


def _verdict(described: SceneCaption) -> str:
    """Return for how many words the largest weight is on their object; empty without such words."""
    pointed = described.pointed
    if not pointed:
        return ""
    hits = sum(word.hit for word in pointed)
    return described.say("captions-verdict", n=len(pointed), hits=hits)


def _truth(described: SceneCaption) -> str:
    verdict = described.verdict
    language = language_of(described.run)
    if language not in caption_languages():
        return say("captions-no-language", languages=", ".join(caption_languages()))
    # No relation: the caption is no sentence of the grammar.
    if verdict.relation is None:
        return say("captions-no-grammar")
    if verdict.exact:
        return say("captions-exact")
    words = grammar_of(language).words
    wrong = []
    missing = []
    for phrase in verdict.phrases:
        for part in (part for part, right in phrase.right if not right):
            if value := getattr(phrase, part):
                part_name = say(f"captions-part-{part}")
                wrong.append(say("captions-wrong-part", part=part_name, word=words[part][value]))
            else:
                missing.append(say("captions-missing-pattern", noun=words["noun"][phrase.noun]))
    wrong += missing
    if verdict.relation_true is False:
        wrong.append(say("captions-wrong-relation"))
    if verdict.count_true is False:
        wrong.append(say("captions-wrong-count"))
    return say("captions-wrong", wrong="; ".join(wrong) or say("captions-wrong-same"))
