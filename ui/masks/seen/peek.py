"""A decoder without its causal mask: where it looks, and a text it must write."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from analysis.labels import distinct_labels
from analysis.masking import mean_share
from model import ModelError
from records import AttentionMap, Intervention, LiftedMask
from ui.effect import read_again, show_effect
from ui.kit.blocks import figure_block
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
    try:
        record, log_probs = read_again(run, PEEKING)
    except ModelError as error:
        show_problem(error)
        return
    tokens, mask = attention.query_tokens, attention.mask
    peeking = record.of(attention.kind)
    weights = peeking.head(layer, head)
    st.markdown(peek_words(weights, mask, tokens, layer, head))
    figure = outside_figure(
        weights,
        mask,
        tokens,
        tokens,
        kind=attention.site,
        inside_title=say("masks-seen-weight"),
        outside_title=say("masks-seen-later"),
    )
    text = run.translation.src.text
    figure_block(
        figure,
        key="seen_peek_matrix",
        alt=say("masks-seen-peek-alt", layer=layer + 1, head=head + 1),
        name=say("masks-seen-peek-file", head=head_name(layer, head), text=text),
        numbers=lambda: outside_table(weights, mask, tokens, tokens),
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown(f"## {say('masks-seen-peek-most')}")
        shares = mean_share(peeking.weights, mask)
        figure_block(
            ranking_figure(shares, chosen=(layer, head)),
            key="seen_peek_heads",
            alt=say("masks-seen-peek-heads-alt"),
            name=say("masks-seen-peek-heads-file", text=text),
            numbers=lambda: ranking_table(shares),
        )
    with right:
        st.markdown(f"## {say('masks-seen-forced')}")
        own = Forced(run.translation.tgt.tokens, run.translation.log_probs, log_probs)
        _forced_text(run, own)
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
    """The model's own output, or a text of the person's, with the mask and without."""
    text = st.text_input(
        say("masks-seen-target"),
        key="seen_target",
        bind="query-params",
        live="500ms",
        placeholder=say("masks-seen-target-empty"),
    )
    forced, which = own, "own"
    if text.strip():
        try:
            forced, which = forced_on(run, text), "typed"
        except ModelError as error:
            show_problem(error)
            st.caption(say("masks-seen-target-kept"))
    st.markdown(forced_words(forced, which))
    names = say("masks-seen-with-mask"), say("masks-seen-without-mask")
    parts = (forced.tokens, forced.first, forced.second, names)
    figure_block(
        forced_figure(*parts),
        key="seen_forced",
        alt=say("masks-seen-forced-alt"),
        name=say("masks-seen-forced-file", text=run.translation.src.text),
        numbers=lambda: forced_table(*parts).rename(columns={"place": "position"}),
    )


def forced_words(forced: Forced, which: str) -> str:
    """log P of the whole text, "own" or "typed", with the mask and without."""
    before, after = (float(logs.sum(dtype=np.float64)) for logs in (forced.first, forced.second))
    n = len(forced.tokens)
    return say(
        f"masks-seen-forced-{which}-{'falls' if after < before else 'rises'}",
        before=numbers.fixed(before),
        after=numbers.fixed(after),
        before_each=numbers.fixed(before / n),
        after_each=numbers.fixed(after / n),
    )


@cached("translator.card.fingerprint", "choices.text")
def forced_on(run: Run, text: str) -> Forced:
    """Another text as the translation of the sentence, with the mask and without.

    Raises
    ------
    InputError : as for `Translator.score`.
    """
    translator, source = run.translator, run.choices.text
    first, second = (translator.score(source, text, intervention=c) for c in (None, PEEKING))
    return Forced(translator.tokenize(text).tokens, first, second)
