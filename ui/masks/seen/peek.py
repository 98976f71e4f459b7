"""A decoder without its causal mask: where it looks, and a text it must write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from analysis.labels import distinct_labels
from analysis.masking import mean_share
from model import ModelError
from records import DECODER, AttentionMap, AttentionSite, Intervention, LiftedMask
from ui.effect import show_effect
from ui.effect.reading import read_again
from ui.kit.blocks import picture
from ui.kit.controls import text_box
from ui.kit.layout import finding, folded, subtitle
from ui.shared import cached
from ui.state import Run, show_problem
from ui.words import head_name, page_text, plain, say
from viz.masking import (
    forced_figure,
    forced_table,
    outside_figure,
    outside_table,
    ranking_figure,
    ranking_table,
)
from words import numbers

PEEKING = Intervention(LiftedMask())


@dataclass(frozen=True)
class Forced:
    """One text forced on the decoder: its pieces and their log-probabilities in two runs."""

    tokens: tuple[str, ...]
    first: np.ndarray
    second: np.ndarray


def show_peek(run: Run, attention: AttentionMap, layer: int, head: int) -> None:
    """What the decoder looks at without its mask, and what that does to a text it must write."""
    record, log_probs = read_again(run, PEEKING)
    tokens, mask, text = attention.query_tokens, attention.mask, run.translation.src.text
    every = record.of(attention.kind).weights
    weights, shares = every[layer, head], mean_share(every, mask)
    finding(peek_words(weights, mask, tokens, layer, head))
    where = {"kind": attention.site, "layer": layer + 1, "head": head + 1, "text": text}
    show_outside(
        "masks-seen-peek", weights, mask, (tokens, tokens), key="seen_peek_matrix", **where
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        subtitle("masks-seen-peek-most")
        picture(
            "masks-seen-peek-heads",
            ranking_figure(shares, chosen=(layer, head)),
            key="seen_peek_heads",
            numbers=lambda: ranking_table(shares),
            text=text,
        )
    with right:
        subtitle("masks-seen-forced")
        tgt, plain_log_probs = run.translation.tgt, run.translation.log_probs
        _forced_text(run, Forced(tgt.tokens, plain_log_probs, log_probs))
    with folded("reading"):
        st.markdown(page_text("masks_seen_peek"))
    show_effect(run, PEEKING, key="peek", kind=attention.kind, layer=layer, head=head)


def peek_words(
    weights: np.ndarray, mask: np.ndarray, tokens: tuple[str, ...], layer: int, head: int
) -> str:
    """Where the head looks now, and its strongest look ahead."""
    if mask.all():
        return say("masks-seen-nothing-later")
    q, k = np.unravel_index(np.where(mask, -1.0, weights).argmax(), weights.shape)
    names = distinct_labels(tokens)
    return say(
        "masks-seen-peek-words",
        head=head_name(layer, head),
        share=numbers.fixed(mean_share(weights, mask)),
        query=plain(names[q]),
        key=plain(names[k]),
        weight=numbers.fixed(weights[q, k]),
    )


def _forced_text(run: Run, own: Forced) -> None:
    text = text_box("seen_target", words="masks-seen-target", live="500ms")
    forced, which = own, "own"
    if text.strip():
        try:
            forced, which = forced_on(run, text), "typed"
        except ModelError as error:
            show_problem(error)
            st.caption(say("masks-seen-target-kept"))
    st.markdown(forced_words(forced, which))
    names = say("masks-seen-with-mask"), say("masks-seen-without-mask")
    parts = forced.tokens, forced.first, forced.second, names
    show_forced("masks-seen-forced", *parts, key="seen_forced", text=run.translation.src.text)


def show_forced(
    id: str,
    *parts: Any,
    key: str,
    kind: AttentionSite | str = DECODER,
    **values: str,
) -> None:
    """One text in two runs; `parts` and `kind` as `viz.masking.forced_figure` takes them."""
    picture(
        id,
        forced_figure(*parts, kind=kind),
        key=key,
        numbers=lambda: forced_table(*parts).rename(columns={"place": "position"}),
        **values,
    )


def show_outside(
    id: str,
    weights: np.ndarray,
    mask: np.ndarray,
    tokens: tuple[Sequence[str], Sequence[str]],
    *,
    key: str,
    kind: AttentionSite | str,
    hatched: bool = False,
    **values: Any,
) -> None:
    """The weights of one head, those beyond a mask apart; ``<id>-title`` names them."""
    titles = {"inside_title": say("masks-seen-weight"), "outside_title": say(f"{id}-title")}
    picture(
        id,
        outside_figure(weights, mask, *tokens, kind=kind, hatched=hatched, **titles),
        key=key,
        numbers=lambda: outside_table(weights, mask, *tokens),
        **values,
    )


def forced_words(forced: Forced, which: str) -> str:
    """log P of the whole text, "own" or "typed", with the mask and without."""
    before, after = (float(logs.sum(dtype=np.float64)) for logs in (forced.first, forced.second))
    n = len(forced.tokens)
    return say(
        "masks-seen-forced-words",
        whose=which,
        way="falls" if after < before else "rises",
        before=numbers.fixed(before),
        after=numbers.fixed(after),
        before_each=numbers.fixed(before / n),
        after_each=numbers.fixed(after / n),
    )


@cached("translator.card.fingerprint", "choices.text")
def forced_on(run: Run, text: str) -> Forced:
    """Another text as the translation of the sentence, with the mask and without."""
    translator, source = run.translator, run.choices.text
    first, second = (translator.score(source, text, intervention=c) for c in (None, PEEKING))
    return Forced(translator.tokenize(text).tokens, first, second)
