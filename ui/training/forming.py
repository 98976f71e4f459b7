"""Forming of heads in a recorded training, moved in the browser, beside published claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.attention import HEAD, AttentionMap, Head
from core.bootstrap import COVERED
from core.formation import (
    MEASURES,
    Formation,
    FormedSentence,
    OnFrequent,
    Pair,
    WordsFirst,
    formed_at,
    half_of_largest,
    head_curve,
    measures_of,
    on_frequent,
    words_first,
)
from core.hypotheses import spelt
from core.measurements import KNOCK_OUTS
from core.measures import strongest_head
from core.tokens import token_label, token_labels
from ui.components.stepper import kept_step, stepper
from ui.controls import typed_text
from ui.guard import fragment
from ui.kit.blocks import command_line, full_head_menu, picture, table
from ui.kit.controls import choice, click_count, menu, place_menu
from ui.kit.layout import caption, controls, finding, folded, paragraph, settings, subtitle
from ui.panels import head_in, head_of
from ui.reasons import why_not
from ui.state import Run, telling
from ui.stored import stored_box, tell_source
from ui.words import plain, quoted, say, site_name, with_interval
from viz.figure import Figure, tables_of
from viz.formation import CURVE, STEP_SIGNAL, claim_lines, expected_tokens, head_lines, one_head
from viz.labels import full_head_name
from viz.overview import SELECTION_NAME, head_film
from words.numbers import grouped

from .curves import SMALL, show_curves
from .stored import (
    PLAIN,
    Folder,
    formation_of,
    frames_of,
    of_checkpoint,
    of_small_run,
    settings_of,
    stored_in,
)

PAGE, TILE, LEAST = 944, 44, 230  # pixels: page, one head, least width of all heads
LEFT_OUT = ["ink", "text", "name", "badge", "selected", "click", "site"]
"""Columns of a figure's table that are for drawing only."""
RECORD = "python -m training --config CONFIG.json"


@dataclass(frozen=True, eq=False)
class Film:
    """Recording of a training on one sentence, from which the figures are drawn."""

    key: str  # prefix of its choices in session and address
    identity: str  # differs for another recording or sentence
    formation: Formation
    sentence: int
    frames: tuple[tuple[AttentionMap, ...], ...]  # maps at every recorded step
    pair: Pair | None = None  # rows and columns of pronoun and noun, if the sentence has them
    marked: tuple[Head, ...] = ()  # from the card of the model

    @property
    def found(self) -> FormedSentence:
        return self.formation.sentences[self.sentence]

    @property
    def last(self) -> int:
        return len(self.formation.steps) - 1

    @property
    def titles(self) -> list[str]:
        """Names of the recorded steps."""
        return [say("training-at-step", step=n) for n in self.formation.steps]

    @cached_property
    def measures(self) -> dict[str, list[str]]:
        """Measures that are defined for some site, with these sites; those with an answer first."""
        known = {measure: [] for measure in ("answer", "pair", *MEASURES)}
        for site in self.formation.sites:
            for measure in measures_of(self.formation, self.sentence, site, self.pair):
                known[measure].append(site.name)
        return {measure: names for measure, names in known.items() if names}

    def curves(self, measure: str) -> dict[str, np.ndarray]:
        """Return the measure by site, (S, L, H), for the sites that define it."""
        return {
            site.name: head_curve(self.formation, self.sentence, site, measure, self.pair)
            for site in self.formation.sites
            if site.name in self.measures[measure]
        }

    def known(self, kind: str) -> Sequence[int]:
        """Return the right column of each row, if the site has known answers."""
        return self.found.alignment or () if kind in self.measures.get("answer", ()) else ()

    def opening(self) -> tuple[str, Head, int]:
        """Return a measure, a head and the step at which it has formed, to open the view with.

        The head is one of the card, else the one with the largest final value of a measure.
        """
        found = []
        for measure in self.measures:
            curves = self.curves(measure)
            kind = next(reversed(curves))
            head = self.marked[0] if self.marked else (kind, *strongest_head(curves[kind][-1]))
            at = formed_at(curves[head[0]][:, head[1], head[2]]) if head[0] in curves else None
            # 0 means formed from the start, and None never: neither shows a head forming.
            if at:
                return measure, head, at
            found.append((measure, head, self.last))
        return found[0]


def show_film(film: Film, said: str = "") -> None:
    """Draw all heads, the open one, all curves and the expected tokens, with their stepper.

    `said` replaces the sentence on the forming of the open head.
    """
    opens, first, began = film.opening()
    with settings():
        how = {"words": "forming_measure", "style": "select", "default": opens}
        measure = choice(f"{film.key}_measure", tuple(film.measures), **how)
        head = _chosen_head(film, first)
    kind, layer, place = head
    curves, title = film.curves(measure), say(f"forming_measure-{measure}")
    finding(said or _formed_words(film, curves, head, title))
    step = f"{film.key}_step", film.last, began
    at = kept_step(*step, of=film.identity)
    dial = st.container()
    tiles = max(LEAST, (max(m.n_heads for m in film.frames[0]) + 1) * TILE)
    left, right = st.columns([tiles, PAGE - tiles], gap="small")
    clicks = {name: click_count(f"{film.key}_{name}") for name in ("heads", "lines")}
    # Sites without the measure get no number.
    nothing = {m.kind: np.full((m.n_layers, m.n_heads), np.nan) for m in film.frames[0]}
    with left:
        figure = head_film(
            [
                (maps, nothing | {kind: curve[step] for kind, curve in curves.items()})
                for step, maps in enumerate(film.frames)
            ],
            signal=STEP_SIGNAL,
            at=at,
            badge_title=title,
            selected=head,
            marked=film.marked,
            click=clicks["heads"],
        )
        n = len(tables_of(figure)["heads"]) // len(film.frames)
        _moving(film, "heads", figure, "heads", clicks=True, n=n, measure=title)
    with right:
        known, maps = film.known(kind), [m for frame in film.frames for m in frame]
        of_site = [each for each in maps if each.kind == kind]
        figure = one_head(of_site, layer, place, alignment=known, at=at)
        below = say("training-one-known") if known else ""
        _moving(film, "one", figure, "cells", below=below, head=full_head_name(*head))
    shown = {"selected": head, "title": title, "click": clicks["lines"]}
    figure = head_lines(curves, film.formation.steps, at=at, **shown)
    _moving(film, "lines", figure, "lines", clicks=True, measure=title)
    found = film.found
    told = {"n": len(found.target_tokens), "text": " ".join(token_labels(found.target_tokens[:-1]))}
    told["likeliest"] = bool(found.likeliest)
    _moving(film, "tokens", expected_tokens(found, at=at), "tokens", **told)
    # Alone in a fragment: a step moves the figures in the browser and reruns nothing else.
    with dial:
        fragment(_dial)(film, step)


def _moving(film: Film, name: str, figure: Figure, table: str, **how: Any) -> None:
    def numbers() -> pd.DataFrame:
        rows = tables_of(figure)[table].drop(columns=LEFT_OUT, errors="ignore")
        # `time` is the index of a recorded step; files name the step itself.
        steps = film.formation.steps[rows["time"].to_numpy()]
        return rows.drop(columns=["time"]).assign(step=steps)

    picture(f"training-{name}", figure, key=f"{film.key}_{name}", numbers=numbers, **how)


def _dial(film: Film, step: tuple[str, int, int]) -> None:
    stepper(
        *step,
        [f"{film.key}_{name}" for name in ("tokens", "heads", "one", "lines")],
        signal=STEP_SIGNAL,
        words="training-step",
        of=film.identity,
        buttons=True,
        names=film.titles,
    )


def _chosen_head(film: Film, first: Head) -> Head:
    heads = [
        (site.name, layer, head)
        for site in film.formation.sites
        for layer, head in np.ndindex(site.n_layers, site.n_heads)
    ]
    charts = (("heads", SELECTION_NAME), ("lines", CURVE))
    how = {"clicks": [(f"{film.key}_{chart}", selection, *HEAD) for chart, selection in charts]}
    how |= {"words": "forming_head", "default": first if first in heads else None}
    return full_head_menu(f"{film.key}_head", heads, **how)


def _formed_words(film: Film, curves: dict[str, np.ndarray], head: Head, title: str) -> str:
    steps, (kind, layer, place) = film.formation.steps, head
    values = {"head": full_head_name(*head), "measure": title}
    if kind not in curves:
        return say("training-formed-not-measured", **values)
    own = curves[kind][:, layer, place]
    at, values["last"] = formed_at(own), own[-1]
    how = "never" if at is None else "at" if at else "before"
    if at is not None:
        values |= {"step": steps[at], "before": steps[max(0, at - 1)]}
    every = [formed_at(line) for each in curves.values() for line in each.reshape(len(steps), -1).T]
    formed = {"late": sum(map(bool, every)), "early": every.count(0)}
    told = say(f"training-formed-{how}", **values)
    return told + " " + say("training-formed-all", n=len(every), **formed)


def pieces_of(tokens: Sequence[str], word: str) -> tuple[int, ...]:
    """Return the tokens of the first occurrence of `word`; empty if it does not occur."""
    groups: list[list[int]] = []
    for place, token in enumerate(tokens):
        # Words begin with ▁; punctuation is a word of its own.
        if token.startswith("▁") or not groups or not token[:1].isalnum():
            groups.append([])
        groups[-1].append(place)
    for group in groups:
        if "".join(tokens[i] for i in group).lstrip("▁").lower() == word.lower():
            return tuple(group)
    return ()


def show(run: Run) -> None:
    """Draw the forming of heads, if a training recorded it, and the learning curves."""
    if recordings := _recordings(run):
        _show_heads(run, recordings)
    else:
        show_curves(run, finding)


def _show_heads(run: Run, recordings: Mapping[str, tuple[Folder, Formation]]) -> None:
    trained = bool(settings_of(run).get("start_from"))
    # A training that continued from trained weights does not show the beginning.
    first, name = "small" if trained else "checkpoint", run.card.name
    with controls():
        which = menu(
            "forming_of",
            list(recordings),
            default=first if first in recordings else next(iter(recordings)),
            text=lambda which: say(f"forming_of-{which}", name=name),
            width=150,
        )
    went_on = trained and which == "checkpoint"
    stored, formation = recordings[which]
    texts = [spelt(sentence.source_tokens[:-1]) for sentence in formation.sentences]
    own = " ".join(typed_text().split())  # the typed sentence first, if it was recorded
    with settings():
        default = texts.index(own) if own in texts else 0
        sentence = place_menu("forming_sentence", texts, default=default)
    film = Film(
        key="forming",
        identity=f"{stored.path}-{stored.stamp}-{sentence}",
        formation=formation,
        sentence=sentence,
        frames=frames_of(stored, sentence),
        pair=_riddle(run, formation.sentences[sentence]),
        marked=_card_heads(run, formation) if which == "checkpoint" else (),
    )
    show_film(film)
    first, last = formation.steps[[0, -1]]
    began = "training-began-trained" if went_on else "training-began-random"
    caption(began, n=len(formation.steps), first=first, last=last)
    show_curves(run, paragraph, SMALL + PLAIN if which == "small" else "")
    subtitle("training-claims-title")
    if went_on:
        paragraph("training-claims-went-on")
    else:
        _words_first(formation)
        _on_frequent(formation)
    subtitle("training-knock-title")
    _knock_outs(run, which, stored)


def _recordings(run: Run) -> dict[str, tuple[Folder, Formation]]:
    found = {}
    own = of_checkpoint(run.choices.checkpoint, run.translator.sites)
    for which, stored in (("checkpoint", own), ("small", of_small_run())):
        with telling():
            formation = formation_of(stored) if stored and stored.sites else None
            if formation is not None and stored is not None:
                found[which] = (stored, formation)
            elif which == "checkpoint" and not own.sites:
                st.caption(why_not(run.translator, ("any-attention",)).text)
            elif which == "checkpoint":
                with folded("numbers"):
                    paragraph("training-no-formation", name=plain(run.card.name))
                    command_line(RECORD)
    return found


def _riddle(run: Run, found: FormedSentence) -> Pair | None:
    tokens = found.source_tokens
    example = run.pack.example_of(spelt(tokens[:-1]))
    if example is None or not example.antecedent:
        return None
    rows, columns = pieces_of(tokens, example.pronoun), pieces_of(tokens, example.antecedent)
    return (rows, columns) if rows and columns else None


def _card_heads(run: Run, formation: Formation) -> tuple[tuple[str, int, int], ...]:
    told = ((site, head_of(run.card.heads.get(site.name))) for site in formation.sites)
    return tuple((site.name, *head) for site, each in told if (head := head_in(site, each)))


# Published claims.


def _words_first(formation: Formation) -> None:
    found, steps = words_first(formation), formation.steps
    paragraph("training-words-claim")
    if found is None:
        windows = any(not site.is_self and not site.normalised for site in formation.sites)
        paragraph("training-claims-window" if windows else "training-words-no-cross")
        return
    values = {"focus_first": found.focus[0], "focus_last": found.focus[-1]}
    for name, at in (("focus", found.focus_at), ("words", found.knowledge_at)):
        if at is not None:
            values[f"{name}_step"] = steps[at]
    # The claim needs heads that attend alike in nearly all sentences.
    is_open = found.same < COVERED and found.verdict in ("words-first", "attention-first")
    verdict = say("training-words-open" if is_open else f"training-words-{found.verdict}", **values)
    lines = {"focus": found.focus}
    if found.knowledge is not None:
        lines["knowledge"] = found.knowledge
    elif found.verdict == "not-uniform":
        verdict += " " + say("training-words-unrecorded")
    st.markdown(f"{verdict} {_basis(found)}")
    _claim_figure("words", lines, steps)


def _on_frequent(formation: Formation) -> None:
    found, steps = on_frequent(formation), formation.steps
    paragraph("training-frequent-claim")
    if found is None:
        windows = any(site.key == "source" and not site.normalised for site in formation.sites)
        paragraph("training-claims-window" if windows else "training-frequent-none")
        return
    pieces = quoted(*map(token_label, found.pieces))
    places = {"first": 0, "highest": found.highest, "last": -1}
    ratios = {name: with_interval(found.ratio[at]) for name, at in places.items()}
    verdict = found.verdict if found.same >= COVERED else "open"
    told = say(f"training-frequent-{verdict}", step=steps[found.highest], **ratios)
    known = "training-frequent-pieces" if found.recorded else "training-frequent-guessed"
    st.markdown(f"{told} {_basis(found)} {say(known, pieces=pieces)}")
    _claim_figure("frequent", {"ratio": np.array([each.value for each in found.ratio])}, steps)


def _basis(found: WordsFirst | OnFrequent) -> str:
    sites = ", ".join(site_name(site.name, "attention") for site in found.sites)
    return say("training-claims-basis", n=found.n, sites=sites, same=found.same)


def _claim_figure(name: str, lines: Mapping[str, Any], steps: np.ndarray) -> None:
    titles = {each: say(f"training-claim-{each}") for each in lines}
    figure = claim_lines(lines, steps, titles, at=len(steps) - 1)
    picture(
        "training-claim",
        figure,
        key=f"forming_claim_{name}",
        numbers="curve",
        leave_out=["time"],
        what=", ".join(titles.values()),
    )


# Ablated heads at every step.


def _knock_outs(run: Run, which: str, stored: Folder) -> None:
    lies = stored_in(stored, KNOCK_OUTS)
    found = lies.values
    if not found:
        stored_box(lies)
        return
    if which == "checkpoint" and found.get("run", "") not in ("", run.card.name):
        caption("training-knock-run", run=plain(found["run"]))
    measures = {"token": found, "pronoun": found.get("pronoun")}
    measured = choice("knock_of", [name for name in measures if measures[name]])
    steps = found["steps"]
    if measured == "pronoun":
        _pronoun_lines(found["pronoun"], np.array(steps))
    rows = knock_table(steps, measures[measured]["changes"])
    # The largest fall of any head at any step.
    head, step = rows.stack().idxmin()
    fall = {"step": step, "drop": -rows.at[head, step]}
    paragraph(f"training-knock-found-{measured}", n=len(steps), head=head, **fall)
    rows = rows.rename(columns=grouped)
    table(
        "training-knock",
        rows.rename_axis("name").reset_index(),
        key=f"forming_knock_table_{measured}",
        widths={"name": 240},
        formats=dict.fromkeys(rows, "%.3f"),
        height=330,
    )
    tell_source(found)


def _pronoun_lines(pronoun: dict, steps: np.ndarray) -> None:
    hidden = np.array(pronoun["noun_hidden"])
    step = steps[half_of_largest(hidden)]
    told = {"last": hidden[-1], "other": pronoun["other_hidden"][-1], "step": step}
    paragraph("training-knock-needed", n=pronoun["sentences"], **told)
    lines = {name: np.array(pronoun[name]) for name in ("log_prob", "noun_hidden")}
    _claim_figure("pronoun", lines, steps)


def knock_table(steps: list[int], changes: dict[str, list]) -> pd.DataFrame:
    """Return changes by site, (S, L, H), as a table with a line per head and a column per step."""
    lines = {
        full_head_name(kind, *place): np.array(values)[:, *place]
        for kind, values in changes.items()
        for place in np.ndindex(np.shape(values)[1:])
    }
    return pd.DataFrame.from_dict(lines, orient="index", columns=steps)
