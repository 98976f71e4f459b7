"""Pieces of pages that show records: what a run read and wrote, one row, what the model is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from analysis.labels import token_label
from analysis.measures import top_keys
from analysis.transform import SpecialTokens
from records import (
    AttentionMap,
    CheckpointCard,
    DocumentSource,
    GridSource,
    Source,
    TokenSequence,
    Translation,
)
from records.scenes import SceneSource
from words import numbers

from . import confidence
from .components.frame import foreign
from .focus import Focus
from .kit.layout import folded
from .reasons import why_not
from .state import Run
from .words import current_words, language_name, page_text, plain, say, site_name, token_chips

MOST_NAMED = 4
MOST_DOMAINS = 3


def run_panel(run: Run) -> None:
    """What a run wrote, how far to trust it, and what is doubtful about it."""
    translation, languages = run.translation, run.translator.card.languages
    if translation.tgt:
        text = plain(translation.text, 700)
        with st.container(
            key="translated", horizontal=True, vertical_alignment="center", gap="small"
        ):
            with foreign(languages[1], key="translation", width="content"):
                st.markdown(f"## {text}" if text else say("run-nothing"), width="content")
            confidence.badge(run)
    confidence.warn(run)
    if translation.tgt and not translation.finished:
        st.warning(say("run-unfinished"), icon=":material/content_cut:")


def run_numbers(run: Run) -> None:
    """The pieces that a run read and wrote, with their ids, and what the search found."""
    translation, languages = run.translation, run.translator.card.languages
    src, tgt = translation.src, translation.tgt
    sides = [*zip(languages, (src, tgt), strict=False)] if tgt else [(languages[0], src)]
    with st.container(gap="xsmall"):
        for name, (language, side) in zip(("read", "written"), sides, strict=False):
            with foreign(language, key=f"{name}_tokens", gap="xsmall"):
                for line in _chips(side):
                    st.markdown(f"**{plain(language_name(language))}** {line}")
        if isinstance(translation, Translation):
            st.caption(search_numbers(translation))
        else:
            st.caption(say("run-numbers-read", n=len(src)))
            st.caption(_sites_told(run))


def _chips(side: Source) -> list[str]:
    """The positions of a source as Markdown: one line a text, a sentence or a row of a grid."""
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


def search_numbers(translation: Translation) -> str:
    """How much was read and written, and what the search found, in one line."""
    return say(
        "run-numbers",
        n_src=len(translation.src),
        n_tgt=len(translation.tgt),
        beam=translation.tree.beam_size,
        score=numbers.fixed(translation.score, 3),
    )


def _sites_told(run: Run) -> str:
    """Where the model pays attention, in one sentence."""
    sites = ", ".join(
        say(
            "grid-alt-site",
            site=site_name(site.name, "attention"),
            n_layers=site.n_layers,
            n_heads=site.n_heads,
        )
        for site in run.record.sites
    )
    return (
        say("run-sites", sites=sites) if sites else why_not(run.translator, ("any-attention",)).said
    )


def row_readout(
    attention: AttentionMap,
    focus: Focus,
    rows: Sequence[int],
    columns: Sequence[int],
    row_tokens: Sequence[str],
    count: int = 5,
) -> str:
    """The chosen query in words, as Markdown: where its weight goes, and the chosen key in it.

    `rows` and `columns` are the chosen ones as positions of `attention`.
    """
    if not rows:
        return page_text("no_row")
    weights = attention.head(focus.layer, focus.head)
    row = weights[list(rows)].mean(axis=0)
    seen = attention.allowed[list(rows)].any(0)
    keys = [
        f"{_named(attention.key_tokens, k)} **{numbers.fixed(row[k])}**"
        for k in top_keys(row, count)
        if seen[k] and row[k] >= 0.005
    ]
    who = ", ".join(_named(row_tokens, i) for i in rows[:MOST_NAMED])
    if len(rows) > MOST_NAMED:
        who = say("row-more", who=who, n=len(rows) - MOST_NAMED)
    sentences = [say("row", who=who, n=len(rows), keys=", ".join(keys))]
    picked = [k for k in columns if seen[k]]
    if len(picked) == 1:
        (key,) = picked
        sentences.append(
            say(
                "row-chosen",
                key=_named(attention.key_tokens, key),
                weight=numbers.fixed(row[key], 4),
                rank=1 + int((row > row[key]).sum()),
                of=int(seen.sum()),
            )
        )
    elif picked:
        together = numbers.fixed(row[picked].sum(), 4)
        sentences.append(say("row-chosen-together", n=len(picked), weight=together))
    return " ".join(sentences)


def _named(tokens: Sequence[str], position: int) -> str:
    token = plain(token_label(tokens[position]))
    if tokens.count(tokens[position]) > 1:
        return say("token-at", token=token, position=position + 1)
    return say("quoted", text=token)


def shown_note(hidden_mass: float, words: bool, special: SpecialTokens) -> None:
    """What was done to the weights before they were drawn; nothing when nothing was."""
    done = (["words"] if words else []) + ([special] if special != "show" else [])
    if done:
        note = say(f"note-{'-'.join(done)}", share=numbers.percent(hidden_mass))
        st.caption(f":material/tune: {note}")


def matrix_alt(attention: AttentionMap) -> str:
    n_rows, n_columns = attention.weights.shape[2:]
    site = site_name(attention.kind, "attention")
    return say("matrix-alt", site=site, n_rows=n_rows, n_columns=n_columns)


def checkpoint_footer(card: CheckpointCard) -> None:
    """What the model is and what it scored, folded; what is doubtful about it is not."""
    title, description, licence = (
        card.told(name, current_words().language) for name in ("title", "description", "licence")
    )
    parts = [
        f"**{plain(title or card.name)}**",
        say(
            "model-size",
            architecture=plain(card.architecture),
            millions=numbers.fixed(card.n_params / 1e6, 1),
        ),
        # What judges a text stays in its language.
        " → ".join(map(plain, dict.fromkeys(card.languages))),
        *(_score_text(name, score) for name, score in _told_scores(card.scores).items()),
    ]
    for doubt in card.doubts:
        told = {name: plain(str(value)) for name, value in doubt.values.items()}
        st.warning(say(doubt.id, **told), icon=":material/spellcheck:")
    with folded("about"):
        st.caption(" · ".join(part for part in parts if part))
        if description:
            st.caption(plain(description, 1000))
        if licence:
            st.caption(say("licence", text=plain(licence, 1000)))


def set_title(name: str, otherwise: str = "") -> str:
    """A set of sentences that was measured on, `otherwise` where it has no message."""
    id = f"set-{name}"
    return say(id) if current_words().has(id) else otherwise or name


def _told_scores(scores: dict[str, Any]) -> dict[str, Any]:
    """The scores of a card; where none is of a set of its own, those of its first domains."""
    domains = scores.get("domains")
    if not isinstance(domains, dict) or any(_score_text(*score) for score in scores.items()):
        return scores
    return dict(list(domains.items())[:MOST_DOMAINS])


def _score_text(name: str, score: Any) -> str:
    if not isinstance(score, dict):
        return ""
    told = plain(set_title(name))
    for kind, write in (("bleu", partial(numbers.fixed, digits=1)), ("accuracy", numbers.percent)):
        value = score.get(kind)
        if isinstance(value, int | float):
            return say(f"score-{kind}", set=told, value=write(value)) + _always_text(score)
    return ""


def _always_text(score: dict[str, Any]) -> str:
    """What the same answer to every sentence gets, where the score tells it."""
    match score:
        case {"majority": {"answer": str(word), "value": float(value)}}:
            return say("score-always", word=plain(word), value=numbers.percent(value))
    return ""


def guided_heads(card: CheckpointCard, first: str) -> dict[str, tuple[int, int]]:
    """By site, the head that was trained to look where it looks; at `first` where none is told."""
    found = head_of(card.guided)
    return {} if found is None else {card.guided.get("kind", first): found}


def head_of(entry: Any) -> tuple[int, int] | None:
    """The layer and head that an entry of a card names; None where it makes no sense."""
    match entry:
        case {"layer": int(layer), "head": int(head)} if layer >= 0 and head >= 0:
            return layer, head
    return None
