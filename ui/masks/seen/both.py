"""The causal mask and the padding mask joined, as a decoder in a batch would have them."""

from __future__ import annotations

import streamlit as st

from model.experiments.padding import target_masks
from ui.kit.blocks import figure_block
from ui.masks.choices import causal_map
from ui.state import Run
from ui.words import page_text, say
from viz.masking import MaskPanel, masks_figure, masks_table

from .padding import NTH, output_text, padded_pair, small_words


def show(run: Run) -> None:
    pair = padded_pair(run)
    if pair is None:
        return
    items = [item for item, padded in enumerate(pair.masked) if padded.n_target_padding]
    if not items:
        st.info(page_text("masks_seen_equal_targets"), icon=":material/equal:")
        return
    padded, site = pair.masked[items[0]], causal_map(run).kind
    tokens, n_padding = padded.attention.of(site).key_tokens, padded.n_target_padding
    n_real = len(tokens) - n_padding
    masks = target_masks(n_real, n_padding)
    titles = (say(f"masks-seen-both-{name}") for name in ("causal", "padding", "joined"))
    panels = [MaskPanel(title, m, tokens, tokens) for title, m in zip(titles, masks, strict=True)]
    text = output_text(padded.attention.tgt)
    st.markdown(say("masks-seen-both-reads", nth=NTH[items[0]], text=text, n=n_padding))
    figure_block(
        masks_figure(panels, kind=site),
        key="seen_both_masks",
        alt=say("masks-seen-both-alt"),
        name=say("masks-seen-both-file"),
        numbers=lambda: masks_table(panels),
    )
    causal, _, joined = masks
    st.markdown(
        say(
            "masks-seen-both-differ",
            real=n_real,
            kept=int((causal != joined)[:n_real].sum()),
            padding=n_padding,
            hidden=int((causal != joined)[n_real:].sum()),
            largest=small_words(float(padded.on_padding(site).max())),
        )
    )
    st.markdown(page_text("masks_seen_both"))
