"""Training on the page: a tiny Transformer on a task whose alignment is known."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from core.card import fingerprint_of
from core.formation import holds_from
from core.records.attention import CROSS
from core.records.tokens import token_labels
from model.toy import CONFIG, LAST_STEP, LETTERS, TASKS, ToyState, train_toy
from ui.frame.admission import this_session
from ui.frame.messages import head_code, say
from ui.frame.model_cache import cached
from ui.frame.run import Run
from ui.kit.blocks import draw
from ui.kit.controls import button, menu, place_menu, seed_box
from ui.kit.guard import fragment
from ui.kit.layout import controls, finding, folded, paragraph, settings, warning
from viz.formation import one_head
from viz.labels import full_head_name
from words.numbers import fixed

from .forming import Film, show_film
from .jobs import TrainingJob, trainings

FOUND = 0.5  # mean weight on the right letter at which attention has found it
LEARNT = 0.95  # share of right letters at which the task is learnt
POLL = 1.0  # seconds between two drawings
MOST_SEED = 999
LARGEST = 36.0  # pixels of a cell: two words beside each other on a page, one on a phone


def show(run: Run) -> None:
    job = trainings().of(this_session())
    running = job is not None and job.status == "running"  # read once, because it may end meanwhile
    with controls():
        task = menu("toy_task", TASKS, width=96)
        if running:
            button("toy_stop", trainings().stop, this_session())
        else:
            button("toy_start", _start, type="primary")
    with settings():
        seed = seed_box("toy_seed", MOST_SEED)
    if st.session_state.get("here_refused"):
        warning("training-here-refused", "hourglass_empty", n=trainings().places)
    if job is None:
        state = untrained(run, task, seed)
        finding(untrained_words(state))
        _latest(film_of(task, seed, state, 0), state.aligned[-1])
    elif running:
        fragment(_live, run_every=POLL)()
    elif job.state is None or job.status == "failed":
        st.error(say("training-here-failed"), icon=":material/error:")
    else:
        _over(job, job.state)
    with folded("reading"):
        paragraph(
            "training-here-what",
            steps=LAST_STEP,
            letters=len(LETTERS),
            d_model=CONFIG.d_model,
            heads=CONFIG.n_heads,
        )


def _start() -> None:
    state = st.session_state
    job = trainings().start(this_session(), state["toy_task"], state["toy_seed"])
    # There are few places, and the page says so when it is drawn again.
    state["here_refused"] = job is None


@cached("translator.card.fingerprint")
def untrained(run: Run, task: str, seed: int) -> ToyState:
    # The first state comes before the first step.
    return next(train_toy(task, seed))


def _live() -> None:
    job = trainings().of(this_session())
    # The whole view is drawn anew: its buttons change with the end.
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
            step=state.step,
            last=LAST_STEP,
            loss="–" if math.isnan(state.loss) else fixed(state.loss, 3),
            right=state.accuracy[-1],
        ),
    )
    st.markdown(found_words(state))
    _latest(film_of(job.task, job.seed, state, 0), state.aligned[-1])


def _latest(film: Film, aligned: np.ndarray) -> None:
    """Draw the heads at the last step; `aligned` is their mean weight on the right letter, (L, H).

    The mean is over held-out words, of which the figures show one.
    """
    at = film.last
    recorded = film.recorded
    attention = next(frame for frame in film.frames[at] if not frame.site.is_self)
    on_answer = film.curves("answer")[attention.site_id][at]
    source = " ".join(token_labels(recorded.source_tokens[:-1]))
    target = " ".join(token_labels(recorded.target_tokens[:-1]))
    step = film.formation.steps[at]
    with st.container(horizontal=True):
        for layer, head in np.ndindex(on_answer.shape):
            name = full_head_name(attention.site_id, layer, head)
            weight = on_answer[layer, head]
            with st.container(width="content", gap="xsmall"):
                paragraph(
                    "training-here-head",
                    head=head_code(layer, head),
                    weight=weight,
                    mean=aligned[layer, head],
                )
                # `at=0`: a list of one map has one time.
                alignment = film.alignment_of("cross")
                figure = one_head(
                    [attention],
                    layer,
                    head,
                    alignment=alignment,
                    at=0,
                    largest=LARGEST,
                    numbered=True,
                )
                alt = say("training-one-alt", head=name)
                draw(figure, key=f"here_live_{layer}_{head}", alt=alt)
    word = say("training-here-word", source=source, target=target, step=step)
    st.caption(f"{word}. {say('training-one-known')}")


def _over(job: TrainingJob, state: ToyState) -> None:
    right = state.accuracy[-1]
    task = say(f"toy_task-{job.task}")
    outcome = say(f"training-here-{job.status}", task=task, step=state.step, right=right)
    headline = f"{outcome} {found_words(state)}"
    # Stopped at once, a training has no course to show.
    if len(state.formation.steps) < 2:
        finding(headline)
        return
    sentences = state.formation.sentences
    texts = [" ".join(token_labels(sentence.source_tokens[:-1])) for sentence in sentences]
    with settings():
        word = place_menu("toy_word", texts, style="segmented")
    show_film(film_of(job.task, job.seed, state, word), headline)


def film_of(task: str, seed: int, state: ToyState, word: int) -> Film:
    formation = state.formation
    n = len(state.formation.steps)
    identity = {"task": task, "seed": seed, "word": word, "n": n}
    frames = tuple(formation.maps(word, at) for at in range(n))
    return Film("toy", fingerprint_of(identity), formation, word, frames)


def untrained_words(state: ToyState) -> str:
    """Return a sentence on the best head before training, beside uniform attention."""
    n_keys = state.formation.map_at(0, CROSS, 0).weights.shape[-1]
    return say("training-here-begin", weight=state.aligned[-1].max(), chance=1 / n_keys)


def found_words(state: ToyState) -> str:
    """Return a sentence on the steps at which letters were learnt and a head found their source."""
    steps = state.formation.steps
    best = state.aligned.max(axis=(1, 2))
    layer, head = divmod(int(state.aligned[-1].argmax()), state.aligned.shape[2])
    name = full_head_name("cross", layer, head)
    found_at = holds_from(best, FOUND)
    if found_at is None:
        sentence = say("training-here-not-found", head=name, weight=best[-1])
    else:
        step = steps[found_at]
        sentence = say("training-here-found", step=step, head=name, weight=best[-1])
    learnt_at = holds_from(state.accuracy, LEARNT)
    if learnt_at is None:
        return sentence
    return sentence + " " + say("training-here-learnt", step=steps[learnt_at])
