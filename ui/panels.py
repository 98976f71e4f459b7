"""Pieces of pages that show records: the translation, the heads worth opening, one head, a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.measures import (
    BADGES,
    badges_of,
    largest_weight,
    pair_weights,
    strongest_head,
    top_keys,
)
from analysis.transform import SpecialTokens
from records import AttentionKind, AttentionMap, CheckpointCard, Translation
from viz.figure import Figure
from viz.labels import token_label
from viz.overview import KIND_TITLES, head_grid

from .controls import badge_menu, use_sentence
from .examples import Example
from .export import export_menu
from .focus import Focus, Link, change_focus, click_count, focus_of
from .state import is_dark
from .words import head_name, page_text, plain, token_chips

SMALL = 0.2
MOST_TO_SHRINK = 540
MANY_TOKENS = 90
MOST_NAMED = 4
SET_NAMES = {
    "multi30k_test_2016_flickr": "Multi30k test 2016",
    "multi30k_test_2017_flickr": "test 2017",
    "multi30k_test_2018_flickr": "test 2018",
    "tatoeba_val": "Tatoeba validation",
    "coreference": "held-out pronouns",
}


def translation_panel(translation: Translation, languages: tuple[str, str]) -> None:
    """The translation, the pieces on both sides with their ids, and how long it took."""
    text = plain(translation.text, 700)
    source, target = map(plain, languages)
    n_src, n_tgt = len(translation.src), len(translation.tgt)
    with st.container(gap="xsmall"):
        st.markdown(f"#### {text}" if text else "*The model ended the sentence at once.*")
        with st.container(gap="xsmall", height=150 if n_src + n_tgt > MANY_TOKENS else "content"):
            st.markdown(f"**{source}** {token_chips(translation.src)}")
            st.markdown(f"**{target}** {token_chips(translation.tgt)}")
        st.caption(
            f"{translation.seconds * 1000:.0f} ms (search "
            f"{translation.search_seconds * 1000:.0f} ms) · tokens with their ids: {n_src} in, "
            f"{n_tgt} out · beam {translation.tree.beam_size}, score {translation.score:.3f}"
        )
    unknown = sum(translation.src.unknown)
    if unknown:
        st.warning(
            f"{unknown} of {n_src} pieces (red, with a question mark) are not in the vocabulary; "
            "the model sees all of them as the same unknown token.",
            icon=":material/help:",
        )
    if not translation.finished:
        st.warning(
            "The search reached its longest output before the sentence ended, so the translation "
            "stops in the middle.",
            icon=":material/content_cut:",
        )


def twin_button(example: Example | None) -> None:
    """One click to the sentence that differs in one word and turns the answer round."""
    if example and example.twin:
        st.button(
            f"Compare: {plain(example.twin)}",
            key="twin",
            icon=":material/compare_arrows:",
            on_click=use_sentence,
            args=(example.twin,),
        )


def head_hints(
    kind: AttentionKind,
    attention: AttentionMap,
    link: Link | None,
    card: CheckpointCard,
    focus: Focus,
) -> list[tuple[int, int]]:
    """The head for the pronoun in this sentence, and the one that was best over many.

    Returns those of the two that are not open.
    """
    shown = (focus.layer, focus.head)
    heads = []
    if link and link.columns:
        weights = pair_weights(attention, link.rows, link.columns)
        best = strongest_head(weights)
        st.markdown(_link_sentence(kind, attention, link, shown, best))
        heads.append(best)
    measured = _measured_head(card, kind, attention)
    if measured is not None:
        where, sentence = measured
        st.markdown(sentence)
        heads.append(where)
    guided = guided_head(card, kind)
    if guided is not None:
        st.markdown(
            f":orange-badge[guided] {head_name(*guided).capitalize()} of this checkpoint was "
            "*trained* to look from the pronoun to its noun; it did not find that by itself."
        )
    return [head for head in dict.fromkeys(heads) if head != shown]


def open_buttons(kind: AttentionKind, heads: Sequence[tuple[int, int]]) -> None:
    """A button for each head worth opening."""
    for place, (layer, head) in enumerate(heads):
        st.button(
            f"Open {head_name(layer, head)}",
            key=f"{kind}_open_{place}",
            icon=":material/open_in_full:",
            on_click=_open_head,
            args=(kind, layer, head),
        )


def guided_head(card: CheckpointCard, kind: AttentionKind) -> tuple[int, int] | None:
    """The head that was trained to look where it looks, if this kind has one."""
    guided = card.guided or {}
    if guided.get("kind", "encoder") != kind:
        return None
    return _head_in(guided)


def _link_sentence(
    kind: AttentionKind, attention: AttentionMap, link: Link, shown: tuple, best: tuple
) -> str:
    here = pair_weights(attention, link.rows, link.columns)
    there = pair_weights(attention, link.rows, link.other_columns) if link.other_columns else None
    who = f"“{plain(link.row_word)}”"
    if kind == "cross":
        who = f"the position that writes {who}"
    noun = plain(link.column_word)

    def numbers(head: tuple) -> str:
        text = f"**{here[head]:.2f}**"
        if there is not None:
            text += f" (on “{plain(link.other_word)}”: {there[head]:.2f})"
        return text

    n_heads = attention.n_layers * attention.n_heads
    sentence = (
        f"From {who}, {head_name(*best)} looks most at “{noun}” of all {n_heads} heads here: "
        f"{numbers(best)}."
    )
    if here[best] < SMALL:
        sentence += " That is little: no head of this kind makes the link in this sentence."
    if best != shown:
        sentence += f" The open head, {head_name(*shown)}: {numbers(shown)}."
    return sentence


def _measured_head(
    card: CheckpointCard, kind: AttentionKind, attention: AttentionMap
) -> tuple[tuple[int, int], str] | None:
    """The head the evaluation found, with its numbers, when the card has them."""
    entry = card.heads.get(kind)
    if not isinstance(entry, dict):
        return None
    where = _head_in(entry)
    if where is None or where[0] >= attention.n_layers or where[1] >= attention.n_heads:
        return None
    margin, first, second = (_float(entry.get(name)) for name in ("margin", "first", "second"))
    pairs = entry.get("n_pairs")
    over = f"{pairs} held-out sentence pairs" if isinstance(pairs, int) else "held-out pairs"
    if margin is not None and margin < SMALL / 2:
        sentence = (
            f"Over {over}, no head of this kind follows the antecedent; {head_name(*where)} comes "
            "closest"
        )
    else:
        sentence = f"Over {over}, {head_name(*where)} follows the antecedent best"
    if margin is not None:
        sentence += (
            f": on average **{_hundredths(margin)}** more weight on it than on the other noun"
        )
    if first is not None and second is not None:
        halves = _hundredths(first), _hundredths(second)
        sentence += " ({} in one half of the pairs, {} in the other)".format(*halves)
    return where, sentence + "." + _other_kind(card, kind, margin)


def _other_kind(card: CheckpointCard, kind: AttentionKind, margin: float | None) -> str:
    """Where the link is made when it is not made here."""
    other = card.heads.get("cross" if kind == "encoder" else "encoder")
    if margin is None or margin >= SMALL / 2 or not isinstance(other, dict):
        return ""
    where, found = _head_in(other), _float(other.get("margin"))
    if where is None or found is None or found < SMALL:
        return ""
    title = KIND_TITLES["cross" if kind == "encoder" else "encoder"]
    return f" In {title}, {head_name(*where)} does: **{_hundredths(found)}** more."


def _hundredths(number: float) -> str:
    """Two decimals, and no minus before a zero."""
    return f"{round(number, 2) + 0.0:.2f}"


def _head_in(entry: dict[str, Any]) -> tuple[int, int] | None:
    layer, head = entry.get("layer"), entry.get("head")
    if isinstance(layer, int) and isinstance(head, int) and layer >= 0 and head >= 0:
        return layer, head
    return None


def _float(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _open_head(kind: AttentionKind, layer: int, head: int) -> None:
    change_focus(kind, layer=layer, head=head)


def badge_options(focus: Focus) -> dict[str, str]:
    """The numbers to choose from for the space under each head."""
    if focus.rows and focus.columns:
        weight = "weight of the chosen pair"
    elif focus.rows:
        weight = "largest weight of the chosen query"
    else:
        weight = "largest weight, mean of rows"
    return {"weight": weight} | {b.name: b.title for b in BADGES if b.name != "largest"}


def badge_values(
    name: str, attention: AttentionMap, focus: Focus, *, pair: bool, row: bool
) -> np.ndarray:
    """The (L, H) numbers for a choice of `badge_options`; NaN where it says nothing.

    `pair` and `row` tell what the choice "weight" means at the moment: of the chosen pair, of the
    chosen query, or neither.
    """
    nothing = np.full(attention.weights.shape[:2], np.nan)
    if name == "weight":
        return _weight_badges(attention, focus, pair=pair, row=row, nothing=nothing)
    return next((b.of(attention) for b in badges_of(attention) if b.name == name), nothing)


def _weight_badges(
    attention: AttentionMap, focus: Focus, *, pair: bool, row: bool, nothing: np.ndarray
) -> np.ndarray:
    if pair:
        chosen = focus.rows and focus.columns
        return pair_weights(attention, focus.rows, focus.columns) if chosen else nothing
    if row:
        if not focus.rows:
            return nothing
        return attention.weights[:, :, list(focus.rows)].mean(axis=2).max(axis=-1)
    return largest_weight(attention)


def overview_panel(
    maps: Sequence[AttentionMap],
    kind: AttentionKind,
    *,
    marked: Sequence[tuple[AttentionKind, int, int]],
) -> None:
    """All heads as a clickable grid, with the menu for the number under each."""
    focus = focus_of(kind)
    picture = st.container()
    options = badge_options(focus)
    badge = badge_menu(options)
    pair, row = bool(focus.rows and focus.columns), bool(focus.rows)
    grid = head_grid(
        maps,
        {m.kind: badge_values(badge, m, focus_of(m.kind), pair=pair, row=row) for m in maps},
        badge_title=options[badge],
        selected=(kind, focus.layer, focus.head),
        marked=marked,
        click=click_count("grid"),
        dark=is_dark(),
    )
    with picture:
        show_figure(grid, key="grid", alt=grid_alt(maps))
    export_menu(
        grid,
        key="grid_export",
        name=f"overview {options[badge]}",
        numbers=lambda: _numbers_of(grid, options[badge]),
    )


def _numbers_of(grid: Figure, title: str) -> pd.DataFrame:
    """The number under each head, with layers and heads counted from 1."""
    heads = grid.tables["heads"]
    return pd.DataFrame(
        {
            "kind": heads["kind"],
            "layer": heads["layer"] + 1,
            "head": heads["head"] + 1,
            title: heads["number"],
        }
    )


def show_figure(figure: Figure, *, key: str, alt: str) -> None:
    """A clickable figure; what is clicked is read by `ui.focus` at the next run.

    On a narrow screen a small figure shrinks and a large one scrolls in its own box.
    """
    with st.container(key=f"{'shrink' if figure.width <= MOST_TO_SHRINK else 'scroll'}_{key}"):
        st.vega_lite_chart(
            spec=figure.spec,
            key=key,
            on_select="rerun",
            selection_mode=[figure.selection],
            width="content",
            alt=alt,
        )


def show_picture(figure: Figure, *, key: str, alt: str) -> None:
    """A figure nobody clicks."""
    with st.container(key=f"{'shrink' if figure.width <= MOST_TO_SHRINK else 'scroll'}_{key}"):
        st.vega_lite_chart(spec=figure.spec, key=key, width="content", alt=alt)


def row_readout(
    attention: AttentionMap,
    focus: Focus,
    rows: Sequence[int],
    columns: Sequence[int],
    row_tokens: Sequence[str],
    count: int = 5,
) -> None:
    """The chosen query in words: where its weight goes, and the chosen key in it.

    `rows` and `columns` are the chosen ones as positions of `attention`.
    """
    if not rows:
        st.markdown(page_text("no_row"))
        return
    weights = attention.head(focus.layer, focus.head)
    row = weights[list(rows)].mean(axis=0)
    seen = np.ones(len(row), bool) if attention.mask is None else attention.mask[list(rows)].any(0)
    parts = [
        f"{_named(attention.key_tokens, k)} **{row[k]:.2f}**"
        for k in top_keys(row, count)
        if seen[k] and row[k] >= 0.005
    ]
    who = ", ".join(_named(row_tokens, i) for i in rows[:MOST_NAMED])
    if len(rows) > MOST_NAMED:
        who += f" and {len(rows) - MOST_NAMED} more"
    verb = "attend, on average, to" if len(rows) > 1 else "attends to"
    text = f"{who} {verb} → " + ", ".join(parts)
    picked = [k for k in columns if seen[k]]
    if len(picked) == 1:
        rank = 1 + int((row > row[picked[0]]).sum())
        text += (
            f". Chosen: {_named(attention.key_tokens, picked[0])} **{row[picked[0]]:.4f}**, "
            f"rank {rank} of {int(seen.sum())}"
        )
    elif picked:
        text += f". The {len(picked)} chosen keys together: **{row[picked].sum():.4f}**"
    st.markdown(text + ".")


def _named(tokens: Sequence[str], position: int) -> str:
    repeated = tokens.count(tokens[position]) > 1
    place = f" (position {position + 1})" if repeated else ""
    return f"“{plain(token_label(tokens[position]))}”{place}"


def shown_note(hidden_mass: float, words: bool, special: SpecialTokens) -> None:
    """What was done to the weights before they were drawn; nothing when nothing was."""
    notes = []
    if words:
        notes.append("pieces merged into words: summed over keys, averaged over queries")
    if special == "hide":
        notes.append(
            f"special tokens left out, which hold {hidden_mass:.1%} of an average row; the other "
            "weights are as the model computed them, so rows no longer sum to one"
        )
    if special == "renormalise":
        notes.append(
            f"special tokens left out, which hold {hidden_mass:.1%} of an average row, and the "
            "other weights divided by what was left, so that rows sum to one again"
        )
    if notes:
        text = "; ".join(notes)
        st.caption(f":material/tune: {text[:1].upper() + text[1:]}.")


def grid_alt(maps: Sequence[AttentionMap]) -> str:
    parts = [f"{KIND_TITLES[m.kind]} with {m.n_layers} layers by {m.n_heads} heads" for m in maps]
    return (
        f"Overview of all heads: {', '.join(parts)}; each head is a small picture of its weights. "
        "Layer and head can also be chosen in the menus."
    )


def matrix_alt(kind: AttentionKind, attention: AttentionMap) -> str:
    n_rows, n_columns = attention.weights.shape[2:]
    return (
        f"Weights of one head of {KIND_TITLES[kind]}: {n_rows} query rows by {n_columns} key "
        "columns, and below them the weights of one row as bars. The largest weights of the "
        "chosen row are written out as text."
    )


def checkpoint_footer(card: CheckpointCard) -> None:
    """What the model is and what it scored."""
    st.divider()
    parts = [
        f"**{plain(card.title or card.name)}**",
        f"{plain(card.architecture)}, {card.n_params / 1e6:.1f} million parameters",
        f"{plain(card.languages[0])} → {plain(card.languages[1])}",
        *(_score_text(name, score) for name, score in card.scores.items()),
    ]
    st.caption(" · ".join(part for part in parts if part))
    if card.description:
        st.caption(plain(card.description, 1000))
    if card.licence:
        st.caption("Data and licence: " + plain(card.licence, 1000))


def _score_text(name: str, score: Any) -> str:
    if not isinstance(score, dict):
        return ""
    title = SET_NAMES.get(name, name)
    bleu, accuracy = _float(score.get("bleu")), _float(score.get("accuracy"))
    if bleu is not None:
        return f"{plain(title)} {bleu:.1f} BLEU"
    if accuracy is not None:
        return f"{plain(title)} {accuracy:.1%} right"
    return ""
