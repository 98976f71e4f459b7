"""Train one here: a tiny Transformer on a task whose right alignment is known."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from analysis.formation import holds_from
from analysis.labels import token_labels
from analysis.maps import NamedMap
from model.toy import CONFIG, LAST_STEP, LETTERS, TASKS, ToyState
from records import fingerprint_of
from ui.choice import choice
from ui.guard import fragment
from ui.kit.blocks import draw, seed_box
from ui.state import Run
from ui.waiting import this_session
from ui.words import say
from viz.labels import full_head_name
from viz.maps import map_row
from words.numbers import fixed, grouped, percent

from .film import Film, show_film
from .jobs import Job, trainings

FOUND = 0.5  # mean weight on the right letter from which attention has found it
LEARNT = 0.95  # share of letters that are right
POLL = 1.0  # seconds
MOST_SEED = 999


def show(run: Run) -> None:
    st.markdown(
        say(
            "training-here-what",
            letters=len(LETTERS),
            d_model=CONFIG.d_model,
            heads=CONFIG.n_heads,
            steps=grouped(LAST_STEP),
        )
    )
    job = trainings().of(this_session())
    running = job is not None and job.status == "running"  # asked once: it may end meanwhile
    _controls(running)
    if st.session_state.get("here_refused"):
        st.warning(
            say("training-here-refused", n=trainings().places), icon=":material/hourglass_empty:"
        )
    if job is None:
        st.info(say("training-here-begin"), icon=":material/play_circle:")
    elif running:
        fragment(_live, run_every=POLL)()
    else:
        _over(job)


def _controls(running: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        task = choice("toy_task", TASKS, words="toy_task")
        seed = seed_box(
            "toy_seed", say("training-seed-label"), MOST_SEED, help=say("training-seed-help")
        )
        st.button(
            say("training-here-start"),
            key="toy_start",
            icon=":material/play_arrow:",
            type="primary",
            disabled=running,
            on_click=_start,
            args=(task, int(seed)),
        )
        st.button(
            say("training-here-stop"),
            key="toy_stop",
            icon=":material/stop:",
            disabled=not running,
            on_click=lambda: trainings().stop(this_session()),
        )


def _start(task: str, seed: int) -> None:
    st.session_state["here_refused"] = trainings().start(this_session(), task, seed) is None


def _live() -> None:
    """Where the training stands; drawn again each second until it is over."""
    job = trainings().of(this_session())
    if job is None or job.status != "running":
        st.rerun()
        return
    state = job.state
    if state is None:
        st.progress(0.0, say("training-here-starting"))
        return
    st.progress(
        state.step / LAST_STEP,
        say(
            "training-here-progress",
            step=grouped(state.step),
            last=grouped(LAST_STEP),
            loss="–" if math.isnan(state.loss) else fixed(state.loss, 3),
            right=percent(float(state.accuracy[-1]), 0),
        ),
    )
    st.markdown(found_words(state))
    _latest(job, state)


def _latest(job: Job, state: ToyState) -> None:
    """The heads that look at the source, as they were when they were last recorded."""
    film = film_of(job, state, 0)
    at = film.last
    attention = next(each for each in film.frames[at] if not each.site.is_self)
    on_answer = film.curves("answer")[attention.kind][at]
    maps = [
        NamedMap.of(
            say(
                "training-here-head",
                head=full_head_name(attention.kind, layer, head),
                weight=percent(float(on_answer[layer, head]), 0),
            ),
            attention,
            layer,
            head,
            produced=True,
        )
        for layer, head in np.ndindex(on_answer.shape)
    ]
    source, target = (
        " ".join(token_labels(tokens[:-1]))
        for tokens in (film.found.source_tokens, film.found.target_tokens)
    )
    step = grouped(int(film.formation.steps[at]))
    st.caption(say("training-here-word", source=source, target=target, step=step))
    figure = map_row(maps, attention.kind)
    draw(figure, key="here_live", alt=say("training-here-alt", n=len(maps), step=step))


def _over(job: Job) -> None:
    """What came of the training, and the film of it."""
    state = job.state
    if job.status == "failed" or state is None:
        st.error(say("training-here-failed"), icon=":material/error:")
        return
    st.markdown(
        say(
            f"training-here-{job.status}",
            task=say(f"toy_task-{job.task}"),
            step=grouped(state.step),
            right=percent(float(state.accuracy[-1]), 0),
        )
        + " "
        + found_words(state)
    )
    if len(state.formation.steps) < 2:
        return
    words = tuple(range(len(state.formation.sentences)))
    texts = [" ".join(token_labels(s.source_tokens[:-1])) for s in state.formation.sentences]
    word = choice(
        "toy_word",
        words,
        words="toy_word",
        text=lambda place: texts[place],
        spell=lambda place: str(place + 1),
    )
    show_film(film_of(job, state, word))


def film_of(job: Job, state: ToyState, word: int) -> Film:
    """The record of a training as the figures of recorded trainings take it."""
    formation = state.formation
    identity = {"task": job.task, "seed": job.seed, "word": word, "n": len(formation.steps)}
    frames = tuple(formation.maps(word, at) for at in range(len(formation.steps)))
    return Film("toy", fingerprint_of(identity), formation, word, frames)


def found_words(state: ToyState) -> str:
    """When the letters were learnt, and when a head had found where they stand."""
    steps = state.formation.steps
    best = state.aligned.max(axis=(1, 2))
    place = np.unravel_index(int(state.aligned[-1].argmax()), state.aligned[-1].shape)
    head = full_head_name("cross", int(place[0]), int(place[1]))
    values = {"head": head, "weight": percent(float(best[-1]), 0)}
    found, learnt = holds_from(best, FOUND), holds_from(state.accuracy, LEARNT)
    told = (
        say("training-here-not-found", **values)
        if found is None
        else say("training-here-found", step=grouped(int(steps[found])), **values)
    )
    if learnt is None:
        return told
    return told + " " + say("training-here-learnt", step=grouped(int(steps[learnt])))
