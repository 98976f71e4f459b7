"""Panels that show records: input and output of a run, one row, facts of the model."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.records.runs import Translation
from core.records.scenes import SceneSource
from core.records.sources import DocumentSource, GridSource, Source, TokenSequence
from model import Reader
from model.verify.claims import proof_messages

from ..components.frame import foreign
from ..frame.messages import (
    current_words,
    language_name,
    language_names,
    plain,
    say,
    set_title,
    site_name,
    token_chips,
)
from ..frame.reasons import why_not
from ..frame.run import Run
from ..kit.checkpoint_labels import checkpoint_labels
from ..kit.hidden_words import changed_text, hidden_buttons
from ..kit.layout import caption, folded, warning
from . import text_language
from .checks import numerical_checks

MOST_DOMAINS = 3


def run_panel(run: Run) -> None:
    """Show the output of a run, and warn where its source does not fit the model."""
    translation = run.translation
    languages = run.card.languages
    if translation.tgt:
        text = changed_text(run) if run.change else plain(translation.text, 700)
        with st.container(
            key="translated", horizontal=True, vertical_alignment="center", gap="small"
        ):
            with foreign(languages[1], key="translation", width="content"):
                st.markdown(f"## {text}" if text else say("run-nothing"), width="content")
            # Warnings about the text would repeat those of the plain run.
            if run.change:
                hidden_buttons(run)
                return
    text_language.warn(run)
    if translation.tgt and not translation.finished:
        warning("run-unfinished", "content_cut")


def run_numbers(run: Run) -> None:
    """Draw the input and output tokens of a run with their ids, and the score of the search."""
    translation = run.translation
    src = translation.src
    tgt = translation.tgt
    languages = run.card.languages
    with st.container(gap="xsmall"):
        titles = language_names(languages)
        sides = (src, tgt) if tgt else (src,)
        for name, title, language, side in zip(
            ("read", "written"), titles, languages, sides, strict=False
        ):
            with foreign(language, key=f"{name}_tokens", gap="xsmall"):
                for line in _chips(side):
                    st.markdown(f"**{title}** {line}")
        # A model that writes nothing has no search to tell of.
        if isinstance(translation, Translation):
            caption(
                "run-numbers",
                n_src=len(src),
                n_tgt=len(translation.tgt),
                beam=translation.tree.beam_size,
                score=translation.score,
            )
            return
        caption("run-numbers-read", n=len(src))
        sites = ", ".join(
            say(
                "grid-alt-site",
                site=site_name(site.name, "attention"),
                n_layers=site.n_layers,
                n_heads=site.n_heads,
            )
            for site in run.record.sites
        )
        without = why_not(run.translator, ("any-attention",)).text
        st.caption(say("run-sites", sites=sites) if sites else without)


def _chips(side: Source) -> list[str]:
    if isinstance(side, DocumentSource):
        return [token_chips(sentence) for sentence in side.sentences]
    if isinstance(side, TokenSequence):
        return [token_chips(side)]
    if isinstance(side, SceneSource):
        return [" ".join(f":gray-badge[{plain(str(thing))}]" for thing in side.scene.things)]
    width = side.shape[1] if isinstance(side, GridSource) else len(side)
    cells = [
        f":gray-badge[{plain(token)} {i:g}]" for token, i in zip(side.tokens, side.ids, strict=True)
    ]
    return [" ".join(cells[start : start + width]) for start in range(0, len(cells), width)]


def name_shown_model(reader: Reader) -> None:
    """Name the model of the page where it is not the one that the menu names."""
    name = reader.card.at
    if name != st.session_state["checkpoint"]:
        caption("model-shown", model=plain(checkpoint_labels().get(name, name)))


def checkpoint_footer(reader: Reader) -> None:
    """Draw facts, checks and scores of the model in a folded panel, doubts about it openly."""
    card = reader.card
    for doubt in card.doubts:
        values = {name: plain(str(value)) for name, value in doubt.values.items()}
        warning(doubt.id, "spellcheck", **values)
    fold = folded("about", late=True)
    if fold.open:
        with fold:
            _about(reader)


def _about(reader: Reader) -> None:
    """Draw title, size, languages, scores, description and licence of a model, and its checks."""
    card = reader.card
    proofs = reader.proofs
    title, description, licence = (
        card.text_in(name, current_words().language) for name in ("title", "description", "licence")
    )
    parts = [
        f"**{plain(title or card.name)}**",
        say("model-size", architecture=plain(card.architecture), millions=card.n_params / 1e6)
        if card.n_params  # a recording has none
        else "",
        # A model that stays in one language names it once.
        " → ".join(map(plain, dict.fromkeys(map(language_name, filter(None, card.languages))))),
        *(_score_text(name, score) for name, score in _named_scores(card.scores).items()),
    ]
    st.caption(" · ".join(filter(None, parts)))
    for message in proof_messages(card.format, proofs) if card.format and proofs else ():
        st.caption(plain(say(message), 1000))
    if description:
        st.caption(plain(description, 1000))
    if licence:
        caption("licence", text=plain(licence, 1000))
    numerical_checks(reader)


def _named_scores(scores: dict[str, Any]) -> dict[str, Any]:
    """Return the scores that the panel names: all, or those of the first domains."""
    domains = scores.get("domains")
    # A card may group its scores by domain.
    if not isinstance(domains, dict) or any(_score_text(*score) for score in scores.items()):
        return scores
    return dict(list(domains.items())[:MOST_DOMAINS])


def _score_text(name: str, score: Any) -> str:
    """Return a score as text, with the majority baseline if the card has it."""
    if not isinstance(score, dict):
        return ""
    baseline = ""
    # The card is JSON from anywhere, so the pattern checks its shape.
    match score:
        case {"majority": {"answer": str(word), "value": float(value)}}:
            baseline = say("score-always", word=plain(word), value=value)
    for metric in ("bleu", "accuracy"):
        number = score.get(metric)
        if isinstance(number, int | float):
            return say(f"score-{metric}", set=plain(set_title(name)), value=number) + baseline
    return ""
