"""Heads forming: a recorded training, step by step, and what was published put to it."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pandas as pd
import streamlit as st

from analysis.bootstrap import COVERED
from analysis.formation import OnFrequent, Pair, WordsFirst, on_frequent, words_first
from analysis.labels import token_label
from model import ModelError
from records import Formation, FormedSentence, Measured
from ui.choice import choice
from ui.controls import typed_text
from ui.kit.blocks import command_line, figure_block
from ui.state import Run, show_problem
from ui.stored import stored_box
from ui.words import plain, say, site_name, with_interval
from viz.figure import tables_of
from viz.formation import claim_lines
from viz.labels import full_head_name
from words.numbers import fixed, grouped, percent, signed

from .film import Film, pieces_of, show_film, text_of
from .stored import (
    Stored,
    formation_of,
    frames_of,
    knock_outs_of,
    of_checkpoint,
    of_small_run,
)

RECORD = "python -m training --config CONFIG.json"


def show(run: Run) -> None:
    recordings = _recordings(run)
    if not recordings:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        which = choice(
            "forming_of", tuple(recordings), words="forming_of", text=lambda name: _named(name, run)
        )
        stored, formation = recordings[which]
        sentence = _chosen_sentence(formation)
    st.caption(_began(run, which, formation))
    found = formation.sentences[sentence]
    film = Film(
        key="forming",
        identity=f"{stored.path}-{stored.stamp}-{sentence}",
        formation=formation,
        sentence=sentence,
        frames=frames_of(stored, sentence),
        pair=_riddle(run, found),
        marked=_card_heads(run, formation) if which == "checkpoint" else (),
    )
    show_film(film)
    st.markdown("## " + say("training-claims-title"))
    if _went_on(run, which):
        st.markdown(say("training-claims-went-on"))
    else:
        _words_first(formation)
        _on_frequent(formation)
    st.markdown("## " + say("training-knock-title"))
    _knock_outs(run, which, stored)


def _recordings(run: Run) -> dict[str, tuple[Stored, Formation]]:
    """What there is to show; what is lacking or damaged is said."""
    found = {}
    own = of_checkpoint(run.choices.checkpoint, run.translator.sites)
    name = plain(run.translator.card.name)
    for which, stored in (("checkpoint", own), ("small", of_small_run())):
        try:
            formation = formation_of(stored) if stored else None
        except ModelError as error:
            show_problem(error)
            continue
        if formation is not None:
            found[which] = (stored, formation)
        elif which == "checkpoint":
            st.info(say("training-no-formation", name=name), icon=":material/movie:")
            command_line(RECORD)
    return found


def _named(which: str, run: Run) -> str:
    if which == "checkpoint":
        return say("forming_of-checkpoint", name=plain(run.translator.card.name))
    return say("forming_of-small")


def _chosen_sentence(formation: Formation) -> int:
    """The recorded sentence to show; at first the one that was typed, if it was recorded."""
    texts = [text_of(sentence.source_tokens) for sentence in formation.sentences]
    own = " ".join(typed_text().split())
    places = tuple(range(len(texts)))
    return choice(
        "forming_sentence",
        places,
        words="forming_sentence",
        style="select",
        default=texts.index(own) if own in texts else 0,
        text=lambda place: texts[place],
        spell=lambda place: str(place + 1),
        width=480,
    )


def _began(run: Run, which: str, formation: Formation) -> str:
    """From which weights the training went on, and when it was recorded."""
    return say(
        "training-began-trained" if _went_on(run, which) else "training-began-random",
        n=len(formation.steps),
        first=grouped(int(formation.steps[0])),
        last=grouped(int(formation.steps[-1])),
    )


def _went_on(run: Run, which: str) -> bool:
    """Whether a training began from trained weights."""
    settings = run.translator.card.training.get("settings", {})
    went_on = isinstance(settings, dict) and settings.get("start_from")
    return which == "checkpoint" and bool(went_on)


def _riddle(run: Run, found: FormedSentence) -> Pair | None:
    """The pieces of the pronoun, and of the noun it stands for, where the sentence is a riddle."""
    example = run.pack.example_of(text_of(found.source_tokens))
    if example is None or not example.antecedent:
        return None
    rows, columns = (
        pieces_of(found.source_tokens, word) for word in (example.pronoun, example.antecedent)
    )
    return (rows, columns) if rows and columns else None


def _card_heads(run: Run, formation: Formation) -> tuple[tuple[str, int, int], ...]:
    sites = {site.name: site for site in formation.sites}
    found = []
    for kind, entry in run.translator.card.heads.items():
        site = sites.get(kind)
        if site is None or not isinstance(entry, dict):
            continue
        layer, head = entry.get("layer"), entry.get("head")
        if layer in range(site.n_layers) and head in range(site.n_heads):
            found.append((kind, layer, head))
    return tuple(found)


# -- what was published --------------------------------------------------------------------


def _words_first(formation: Formation) -> None:
    found = words_first(formation)
    st.markdown(say("training-words-claim"))
    if found is None:
        windows = any(not site.is_self and not site.normalised for site in formation.sites)
        st.markdown(say("training-claims-window" if windows else "training-words-no-cross"))
        return
    steps = formation.steps
    values = {"focus_first": fixed(found.focus[0]), "focus_last": fixed(found.focus[-1])}
    for name, at in (("focus", found.focus_at), ("words", found.knowledge_at)):
        if at is not None:
            values[f"{name}_step"] = grouped(int(steps[at]))
    is_open = found.same < COVERED and found.verdict in ("words-first", "attention-first")
    verdict = say("training-words-open" if is_open else f"training-words-{found.verdict}", **values)
    if found.verdict == "not-uniform" and found.knowledge is None:
        verdict += " " + say("training-words-unrecorded")
    st.markdown(f"{verdict} {_basis(found)}")
    lines = {"focus": found.focus}
    if found.knowledge is not None:
        lines["knowledge"] = found.knowledge
    _claim_figure("words", lines, steps)


def _on_frequent(formation: Formation) -> None:
    found = on_frequent(formation)
    st.markdown(say("training-frequent-claim"))
    if found is None:
        windows = any(site.key == "source" and not site.normalised for site in formation.sites)
        st.markdown(say("training-claims-window" if windows else "training-frequent-none"))
        return
    steps = formation.steps
    pieces = ", ".join(f"“{plain(token_label(piece))}”" for piece in found.pieces)
    ratio = np.array([each.value for each in found.ratio])
    first, highest, last = (
        with_interval(Measured(*astuple(found.ratio[at]))) for at in (0, found.highest, -1)
    )
    told = [
        say(
            f"training-frequent-{found.verdict if found.same >= COVERED else 'open'}",
            first=first,
            highest=highest,
            last=last,
            step=grouped(int(steps[found.highest])),
        ),
        _basis(found),
        say(
            "training-frequent-pieces" if found.recorded else "training-frequent-guessed",
            pieces=pieces,
        ),
    ]
    st.markdown(" ".join(told))
    _claim_figure("frequent", {"ratio": ratio}, steps)


def _basis(found: WordsFirst | OnFrequent) -> str:
    """Of what a verdict is told, and how often other sentences would give it."""
    return say(
        "training-claims-basis",
        n=found.n,
        sites=", ".join(site_name(site.name, "attention") for site in found.sites),
        same=percent(found.same),
    )


def _claim_figure(name: str, lines: dict[str, np.ndarray], steps: np.ndarray) -> None:
    titles = {each: say(f"training-claim-{each}") for each in lines}
    figure = claim_lines(
        lines,
        steps,
        titles,
        at=len(steps) - 1,
    )
    figure_block(
        figure,
        key=f"forming_claim_{name}",
        alt=say("training-claim-alt", what=", ".join(titles.values())),
        name=say(f"training-{name}-name"),
        numbers=lambda: tables_of(figure)["curve"].drop(columns=["time"]),
    )


# -- heads switched off --------------------------------------------------------------------


def _knock_outs(run: Run, which: str, stored: Stored) -> None:
    lies = knock_outs_of(stored)
    found = lies.values
    if not found:
        stored_box(lies)
        return
    if which == "checkpoint" and found.get("run", "") not in ("", run.translator.card.name):
        st.caption(say("training-knock-run", run=plain(found["run"])))
    measures = {"token": found, "pronoun": found.get("pronoun")}
    measured = choice(
        "knock_of",
        tuple(name for name, each in measures.items() if each),
        words="knock_of",
    )
    if measured == "pronoun":
        _pronoun_lines(found)
    table = knock_table(found["steps"], measures[measured]["changes"])
    worst = table.loc[table["change"].idxmin()]
    st.markdown(
        say(
            f"training-knock-found-{measured}",
            n=len(found["steps"]),
            head=worst["name"],
            step=grouped(int(worst["step"])),
            drop=fixed(-worst["change"]),
        )
    )
    wide = table.pivot_table(index="name", columns="step", values="change", sort=False)
    wide.columns = [grouped(int(step)) for step in wide.columns]
    wide = wide.reset_index()
    number = st.column_config.NumberColumn
    st.dataframe(
        wide,
        key=f"forming_knock_table_{measured}",
        hide_index=True,
        column_config={
            "name": st.column_config.TextColumn(say("figures-head"), width=240),
            **{step: number(step, format="%.3f") for step in wide.columns[1:]},
        },
        height=min(36 * (len(wide) + 1), 330),
        alt=say("training-knock-alt"),
    )
    if found["command"]:
        st.caption(say("training-made", command=found["command"]))


def _pronoun_lines(found: dict) -> None:
    """From when on the pronoun is known, and needs its noun to be in view of "it"."""
    pronoun, steps = found["pronoun"], found["steps"]
    hidden = np.array(pronoun["noun_hidden"])
    needed = np.flatnonzero(hidden <= hidden.min() / 2)
    st.markdown(
        say(
            "training-knock-needed",
            n=pronoun["sentences"],
            last=signed(hidden[-1]),
            other=signed(pronoun["other_hidden"][-1]),
            step=grouped(int(steps[needed[0]])),
        )
    )
    lines = {name: np.array(pronoun[name]) for name in ("log_prob", "noun_hidden")}
    _claim_figure("pronoun", lines, np.array(steps))


def knock_table(steps: list[int], changes: dict[str, list]) -> pd.DataFrame:
    """One line a head and step: name, step, change."""
    lines = [
        {"name": full_head_name(kind, layer, head), "step": step, "change": change}
        for kind, values in changes.items()
        for step, at in zip(steps, values, strict=True)
        for layer, heads in enumerate(at)
        for head, change in enumerate(heads)
    ]
    return pd.DataFrame(lines)
