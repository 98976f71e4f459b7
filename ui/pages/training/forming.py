"""Forming of heads in a recorded training, step by step, beside published claims about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

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
from core.measurements import KNOCK_OUTS
from core.records.attention import HEAD, AttentionMap, Head
from core.records.hypotheses import spelt
from core.records.tokens import token_label, token_labels
from core.weights.measures import strongest_head
from ui.components.stepper import kept_step, stepper
from ui.frame.choices import typed_text
from ui.frame.messages import as_sentence, plain, quoted, say, site_name, with_interval
from ui.frame.problems import telling
from ui.frame.reasons import why_not
from ui.frame.run import Run
from ui.kit.blocks import picture, table
from ui.kit.clicks import click_count, take_click
from ui.kit.controls import choice, menu, place_menu
from ui.kit.guard import fragment
from ui.kit.head_menus import full_head_menu
from ui.kit.head_roles import head_in, head_of
from ui.kit.layout import (
    bar,
    caption,
    command_line,
    controls,
    finding,
    folded,
    paragraph,
    settings,
    subtitle,
)
from ui.kit.measurements import stored_box, tell_source
from viz.figure import Figure, tables_of
from viz.formation import CURVE, STEP_SIGNAL, claim_lines, expected_tokens, head_lines, one_head
from viz.labels import full_head_name
from viz.overview import SELECTION_NAME, head_film
from words.numbers import grouped

from .curves import SMALL, curves_fold, show_curves
from .recordings import (
    PLAIN,
    TrainingFolder,
    formation_of,
    frames_of,
    of_checkpoint,
    of_small_run,
    settings_of,
    stored_in,
)

PAGE = 944  # pixels of the page
TILE = 44  # pixels of one head
MATRIX = 405  # pixels of the open head
STEPPER = 520  # pixels beside the menu of sentences
TILES = (230, 248)  # least and most pixels of all heads together; more heads are drawn smaller
LEFT_OUT = ["ink", "text", "name", "badge", "selected", "click", "site", "risen"]
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
    def recorded(self) -> FormedSentence:
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
        sites = {measure: [] for measure in ("answer", "pair", *MEASURES)}
        for site in self.formation.sites:
            for measure in measures_of(self.formation, self.sentence, site, self.pair):
                sites[measure].append(site.name)
        return {measure: names for measure, names in sites.items() if names}

    def curves(self, measure: str) -> dict[str, np.ndarray]:
        """Return the measure by site, (S, L, H), for the sites that define it."""
        if measure not in self._curves:
            self._curves[measure] = {
                site.name: head_curve(self.formation, self.sentence, site, measure, self.pair)
                for site in self.formation.sites
                if site.name in self.measures[measure]
            }
        return self._curves[measure]

    @cached_property
    def _curves(self) -> dict[str, dict[str, np.ndarray]]:
        """Measures computed so far."""
        return {}

    def alignment_of(self, site_id: str) -> Sequence[int]:
        """Return the right column of each row, if the site has known answers."""
        if site_id not in self.measures.get("answer", ()):
            return ()
        return self.recorded.alignment or ()

    def opening(self) -> tuple[str, Head, int]:
        """Return a measure, a head and the step at which it has formed, to open the view with.

        The head is one of the card, else the one with the largest final value of a measure.
        """
        openings = []
        for measure in self.measures:
            curves = self.curves(measure)
            site_id = next(reversed(curves))
            head = (site_id, *strongest_head(curves[site_id][-1]))
            if self.marked:
                head = self.marked[0]
            at = formed_at(curves[head[0]][:, head[1], head[2]]) if head[0] in curves else None
            # 0 means formed from the start, and None never: neither shows a head forming.
            if at:
                return measure, head, at
            openings.append((measure, head, self.last))
        return openings[0]


def show_film(film: Film, headline: str = "", line: DeltaGenerator | None = None) -> None:
    """Draw all heads, the open one, all curves and the expected tokens, with their stepper.

    `headline` replaces the sentences on the forming of the open head and of all. `line` is where
    the stepper stands, by default one of its own above the figures.
    """
    default_measure, default_head, began = film.opening()
    with settings():
        measure = choice(
            f"{film.key}_measure",
            tuple(film.measures),
            words="forming_measure",
            style="select",
            default=default_measure,
        )
        head = _chosen_head(film, default_head)
    curves = film.curves(measure)
    title = say(f"forming_measure-{measure}")
    finding(headline or _formed_words(film, curves, head, measure))
    step = (f"{film.key}_step", film.last, began)
    at = kept_step(*step, of=film.identity)
    dial = st.container() if line is None else line.container(width=STEPPER)
    # One tile more than heads, for the numbers of the layers.
    least, most = TILES
    tiles = min(most, max(least, (max(m.n_heads for m in film.frames[0]) + 1) * TILE))
    left, middle, right = st.columns([tiles, MATRIX, PAGE - tiles - MATRIX], gap="small")
    with left:
        _all_heads(film, curves, head, at, title)
    with middle:
        _open_head(film, head, at)
    with right:
        _curves(film, curves, head, at, title)
    _expected_tokens(film, at)
    # Alone in a fragment: a step moves the figures in the browser and reruns nothing else.
    with dial:
        fragment(_dial)(film, step)


def _all_heads(
    film: Film, curves: Mapping[str, np.ndarray], head: Head, at: int, title: str
) -> None:
    """Draw the maps of all heads, each with its value of the measure `title`."""
    # Sites without the measure get no number.
    no_values = {m.site_id: np.full((m.n_layers, m.n_heads), np.nan) for m in film.frames[0]}
    figure = head_film(
        [
            (maps, no_values | {site_id: curve[step] for site_id, curve in curves.items()})
            for step, maps in enumerate(film.frames)
        ],
        signal=STEP_SIGNAL,
        at=at,
        badge_title=title,
        selected=head,
        marked=film.marked,
        click=click_count(f"{film.key}_heads"),
    )
    # The table holds every head once a step.
    n = len(tables_of(figure)["heads"]) // len(film.frames)
    _moving(film, "heads", figure, "heads", clicks=True, n=n, measure=title)


def _open_head(film: Film, head: Head, at: int) -> None:
    """Draw the map of the open head, with the known answers if the site has them."""
    site_id, layer, head_index = head
    alignment = film.alignment_of(site_id)
    maps = [m for frame in film.frames for m in frame if m.site_id == site_id]
    figure = one_head(maps, layer, head_index, alignment=alignment, at=at)
    below = say("training-one-known") if alignment else ""
    _moving(film, "one", figure, "cells", below=below, head=full_head_name(*head))


def _curves(film: Film, curves: Mapping[str, np.ndarray], head: Head, at: int, title: str) -> None:
    """Draw the measure `title` of all heads over the training."""
    figure = head_lines(
        curves,
        film.formation.steps,
        at=at,
        selected=head,
        title=title,
        click=click_count(f"{film.key}_lines"),
    )
    _moving(film, "lines", figure, "lines", clicks=True, measure=title)


def _expected_tokens(film: Film, at: int) -> None:
    recorded = film.recorded
    _moving(
        film,
        "tokens",
        expected_tokens(recorded, at=at),
        "tokens",
        n=len(recorded.target_tokens),
        text=" ".join(token_labels(recorded.target_tokens[:-1])),
        likeliest=bool(recorded.likeliest),
    )


def _moving(film: Film, name: str, figure: Figure, table: str, **options: Any) -> None:
    """Draw a figure that the stepper moves; `options` are those of `picture`."""

    def numbers() -> pd.DataFrame:
        rows = tables_of(figure)[table].drop(columns=LEFT_OUT, errors="ignore")
        # `time` is the index of a recorded step; files name the step itself.
        steps = film.formation.steps[rows["time"].to_numpy()]
        return rows.drop(columns=["time"]).assign(step=steps)

    picture(f"training-{name}", figure, key=f"{film.key}_{name}", numbers=numbers, **options)


def _dial(film: Film, step: tuple[str, int, int]) -> None:
    """Draw the stepper; `step` holds its key, its last index and the index it begins with."""
    stepper(
        *step,
        [f"{film.key}_{name}" for name in ("tokens", "heads", "one", "lines")],
        signal=STEP_SIGNAL,
        words="training-step",
        of=film.identity,
        buttons=True,
        names=film.titles,
    )


def _chosen_head(film: Film, default: Head) -> Head:
    heads = [
        (site.name, layer, head)
        for site in film.formation.sites
        for layer, head in np.ndindex(site.n_layers, site.n_heads)
    ]
    key = f"{film.key}_head"
    take_click(key, heads, f"{film.key}_heads", SELECTION_NAME, HEAD)
    take_click(key, heads, f"{film.key}_lines", CURVE, HEAD)
    return full_head_menu(
        key,
        heads,
        words="forming_head",
        default=default if default in heads else None,
    )


def _formed_words(film: Film, curves: Mapping[str, np.ndarray], head: Head, measure: str) -> str:
    """Return what the head learns at which step, and below, smaller, what was recorded."""
    steps = film.formation.steps
    site_id, layer, head_index = head
    name = full_head_name(*head)
    if site_id not in curves:
        title = say(f"forming_measure-{measure}")
        return say("training-formed-not-measured", head=name, measure=title)
    does = say(f"forming_does-{measure}")
    curve = curves[site_id][:, layer, head_index]
    at = formed_at(curve)
    held = ""
    if at is None:
        # The head begins the sentence.
        sentence = say("training-formed-never", head=as_sentence(name), does=does)
    else:
        sentence = say(
            "training-formed-at" if at else "training-formed-before",
            head=name,
            does=does,
            step=steps[at],
            before=steps[max(0, at - 1)],
        )
        if at:
            held = say("training-formed-held", before=curve[at - 1], at=curve[at])
    of_heads = [
        formed_at(line) for of_site in curves.values() for line in of_site.reshape(len(steps), -1).T
    ]
    recorded = say("training-formed-all", n=len(of_heads), late=sum(map(bool, of_heads)))
    facts = " ".join(filter(None, [held, recorded]))
    return f"{sentence}  \n:gray[:small[{facts}]]"


def pieces_of(tokens: Sequence[str], word: str) -> tuple[int, ...]:
    """Return the tokens of the first occurrence of `word`; empty if it does not occur."""
    groups: list[list[int]] = []
    for position, token in enumerate(tokens):
        # Words begin with ▁; punctuation is a word of its own.
        if token.startswith("▁") or not groups or not token[:1].isalnum():
            groups.append([])
        groups[-1].append(position)
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


def _show_heads(run: Run, recordings: Mapping[str, tuple[TrainingFolder, Formation]]) -> None:
    continued = bool(settings_of(run).get("start_from"))
    # A training that continued from trained weights does not show the beginning.
    default = "small" if continued else "checkpoint"
    with controls():
        which = menu(
            "forming_of",
            list(recordings),
            default=default if default in recordings else next(iter(recordings)),
            text=lambda which: say(f"forming_of-{which}", name=run.card.name),
            width=150,
        )
    starts_late = continued and which == "checkpoint"
    folder, formation = recordings[which]
    marked = _card_heads(run, formation) if which == "checkpoint" else ()
    line = bar("forming")
    with line:
        sentence = _sentence_menu(formation)
    show_film(_film(run, folder, formation, sentence, marked), line=line)
    first, last = formation.steps[[0, -1]]
    began = "training-began-trained" if starts_late else "training-began-random"
    caption(began, n=len(formation.steps), first=first, last=last)
    fold = curves_fold()
    if fold.open:
        with fold:
            show_curves(run, paragraph, SMALL + PLAIN if which == "small" else "")
    fold = folded("claims", late=True)
    if fold.open:
        with fold:
            _claims(formation, starts_late=starts_late)
            subtitle("training-knock-title")
            _knock_outs(run, which, folder)


def _claims(formation: Formation, *, starts_late: bool) -> None:
    """Draw two published claims beside this training; `starts_late`: from trained weights."""
    subtitle("training-claims-title")
    if starts_late:
        paragraph("training-claims-went-on")
    else:
        _words_first(formation)
        _on_frequent(formation)


def _sentence_menu(formation: Formation) -> int:
    """Draw the menu of recorded sentences, and return the place of the chosen one."""
    texts = [spelt(sentence.source_tokens[:-1]) for sentence in formation.sentences]
    typed = " ".join(typed_text().split())  # the typed sentence first, if it was recorded
    default = texts.index(typed) if typed in texts else 0
    return place_menu("forming_sentence", texts, default=default, width=390, title=False)


def _film(
    run: Run,
    folder: TrainingFolder,
    formation: Formation,
    sentence: int,
    marked: tuple[Head, ...],
) -> Film:
    """Return the film of a recorded sentence."""
    return Film(
        key="forming",
        identity=f"{folder.path}-{folder.stamp}-{sentence}",
        formation=formation,
        sentence=sentence,
        frames=frames_of(folder, sentence),
        pair=_riddle(run, formation.sentences[sentence]),
        marked=marked,
    )


def _recordings(run: Run) -> dict[str, tuple[TrainingFolder, Formation]]:
    """Return the recordings of the open model and of the small one, and explain what is missing."""
    recordings = {}
    of_model = of_checkpoint(run.choices.checkpoint, run.translator.sites)
    for which, folder in (("checkpoint", of_model), ("small", of_small_run())):
        # A damaged recording of one model must not hide that of the other.
        with telling():
            formation = formation_of(folder) if folder and folder.sites else None
            if formation is not None and folder is not None:
                recordings[which] = (folder, formation)
            elif which == "checkpoint" and not of_model.sites:
                st.caption(why_not(run.translator, ("any-attention",)).text)
            elif which == "checkpoint":
                with folded("numbers"):
                    paragraph("training-no-formation", name=plain(run.card.name))
                    command_line(RECORD)
    return recordings


def _riddle(run: Run, sentence: FormedSentence) -> Pair | None:
    """Return the tokens of pronoun and antecedent; None unless it is an example that has both."""
    tokens = sentence.source_tokens
    example = run.pack.example_of(spelt(tokens[:-1]))
    if example is None or not example.antecedent:
        return None
    rows = pieces_of(tokens, example.pronoun)
    columns = pieces_of(tokens, example.antecedent)
    return (rows, columns) if rows and columns else None


def _card_heads(run: Run, formation: Formation) -> tuple[tuple[str, int, int], ...]:
    """Return the head that the model's card names for each recorded site."""
    heads = []
    for site in formation.sites:
        head = head_in(site, head_of(run.card.heads.get(site.name)))
        if head:
            heads.append((site.name, *head))
    return tuple(heads)


# Published claims.


def _words_first(formation: Formation) -> None:
    claim = words_first(formation)
    steps = formation.steps
    paragraph("training-words-claim")
    if claim is None:
        windows = any(not site.is_self and not site.normalised for site in formation.sites)
        paragraph("training-claims-window" if windows else "training-words-no-cross")
        return
    values = {"focus_first": claim.focus[0], "focus_last": claim.focus[-1]}
    if claim.focus_at is not None:
        values["focus_step"] = steps[claim.focus_at]
    if claim.knowledge_at is not None:
        values["words_step"] = steps[claim.knowledge_at]
    # The claim needs heads that attend alike in nearly all sentences.
    is_open = claim.same < COVERED and claim.verdict in ("words-first", "attention-first")
    verdict = say("training-words-open" if is_open else f"training-words-{claim.verdict}", **values)
    lines = {"focus": claim.focus}
    if claim.knowledge is not None:
        lines["knowledge"] = claim.knowledge
    elif claim.verdict == "not-uniform":
        verdict += " " + say("training-words-unrecorded")
    st.markdown(f"{verdict} {_basis(claim)}")
    _claim_figure("words", lines, steps)


def _on_frequent(formation: Formation) -> None:
    claim = on_frequent(formation)
    steps = formation.steps
    paragraph("training-frequent-claim")
    if claim is None:
        windows = any(site.key == "source" and not site.normalised for site in formation.sites)
        paragraph("training-claims-window" if windows else "training-frequent-none")
        return
    pieces = quoted(*map(token_label, claim.pieces))
    verdict = claim.verdict if claim.same >= COVERED else "open"
    sentence = say(
        f"training-frequent-{verdict}",
        step=steps[claim.highest],
        first=with_interval(claim.ratio[0]),
        highest=with_interval(claim.ratio[claim.highest]),
        last=with_interval(claim.ratio[-1]),
    )
    origin = "training-frequent-pieces" if claim.recorded else "training-frequent-guessed"
    st.markdown(f"{sentence} {_basis(claim)} {say(origin, pieces=pieces)}")
    _claim_figure("frequent", {"ratio": np.array([ratio.value for ratio in claim.ratio])}, steps)


def _basis(claim: WordsFirst | OnFrequent) -> str:
    sites = ", ".join(site_name(site.name, "attention") for site in claim.sites)
    return say("training-claims-basis", n=claim.n, sites=sites, same=claim.same)


def _claim_figure(name: str, lines: Mapping[str, Any], steps: np.ndarray) -> None:
    titles = {line: say(f"training-claim-{line}") for line in lines}
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


def _knock_outs(run: Run, which: str, folder: TrainingFolder) -> None:
    stored = stored_in(folder, KNOCK_OUTS)
    values = stored.values
    if not values:
        stored_box(stored)
        return
    if which == "checkpoint" and values.get("run", "") not in ("", run.card.name):
        caption("training-knock-run", run=plain(values["run"]))
    measures = {"token": values, "pronoun": values.get("pronoun")}
    measured = choice("knock_of", [name for name in measures if measures[name]])
    steps = values["steps"]
    if measured == "pronoun":
        _pronoun_lines(values["pronoun"], np.array(steps))
    rows = knock_table(steps, measures[measured]["changes"])
    # The largest fall of any head at any step.
    head, step = rows.stack().idxmin()
    paragraph(
        f"training-knock-found-{measured}",
        n=len(steps),
        head=head,
        step=step,
        drop=-rows.at[head, step],
    )
    rows = rows.rename(columns=grouped)
    table(
        "training-knock",
        rows.rename_axis("name").reset_index(),
        key=f"forming_knock_table_{measured}",
        widths={"name": 240},
        formats=dict.fromkeys(rows, "%.3f"),
        height=330,
    )
    tell_source(stored)


def _pronoun_lines(pronoun: dict, steps: np.ndarray) -> None:
    hidden = np.array(pronoun["noun_hidden"])
    paragraph(
        "training-knock-needed",
        n=pronoun["sentences"],
        last=hidden[-1],
        other=pronoun["other_hidden"][-1],
        step=steps[half_of_largest(hidden)],
    )
    lines = {name: np.array(pronoun[name]) for name in ("log_prob", "noun_hidden")}
    _claim_figure("pronoun", lines, steps)


def knock_table(steps: list[int], changes: dict[str, list]) -> pd.DataFrame:
    """Return changes by site, (S, L, H), as a table with a line per head and a column per step."""
    lines = {
        full_head_name(site_id, *head): np.array(values)[:, *head]
        for site_id, values in changes.items()
        for head in np.ndindex(np.shape(values)[1:])
    }
    return pd.DataFrame.from_dict(lines, orient="index", columns=steps)
