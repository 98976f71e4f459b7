"""The padding mask: two sentences of different length in one batch, with it and without."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.masking import share_outside
from analysis.padding import change_of, largest_on_padding
from model import ModelError
from records import AttentionMap, PaddedPair, PaddedRun, TokenSequence
from ui.choice import choice
from ui.kit.blocks import figure_block, head_picker
from ui.shared import cached
from ui.state import Run, show_problem
from ui.words import head_name, page_text, plain, say, site_name
from viz.masking import (
    MaskPanel,
    forced_figure,
    forced_table,
    masks_figure,
    masks_table,
    outside_figure,
    outside_table,
)
from words import numbers

from .heads import open_best

NTH = ("first", "second")


def show(run: Run) -> None:
    pair = padded_pair(run)
    if pair is None:
        return
    _source_masks(pair, run)
    item = pair.shorter
    if item is None:
        st.info(page_text("masks_seen_equal"), icon=":material/equal:")
        return
    _one_head(run, pair, item)
    _damage(pair, item)


def padded_pair(run: Run) -> PaddedPair | None:
    """The sentence on screen with another one; None after saying why there is no other."""
    text = st.text_input(
        say("masks-seen-second"),
        run.pack.second,
        key="seen_second",
        bind="query-params",
        live="500ms",
        placeholder=say("masks-seen-second-empty"),
    )
    try:
        return read_together(run, text)
    except ModelError as error:
        show_problem(error)
        st.caption(say("masks-seen-second-fault"))
        return None


@cached("source_identity", max_entries=32, spinner="masks-seen-reading")
def read_together(run: Run, second: str) -> PaddedPair:
    return run.translator.padded_pair(run.translation.src, second)


def _source_masks(pair: PaddedPair, run: Run) -> None:
    """The mask of the source for both sentences, rows of padding included."""
    panels = []
    for item, padded in enumerate(pair.masked):
        keys = _source_maps(padded)[0].key_tokens
        mask = np.tile(_real(padded, len(keys)), (len(keys), 1))
        title = say(f"masks-seen-{NTH[item]}-title", n=padded.n_padding)
        panels.append(MaskPanel(title, mask, keys, keys))
    figure_block(
        masks_figure(panels),
        key="seen_pad_masks",
        alt=say("masks-seen-pad-masks-alt"),
        name=say("masks-seen-pad-masks-file", text=run.translation.src.text),
        numbers=lambda: masks_table(panels),
    )


def _source_maps(padded: PaddedRun) -> list[AttentionMap]:
    return [attention for attention in padded.attention.maps if attention.site.key == "source"]


def _real(padded: PaddedRun, n_keys: int) -> np.ndarray:
    """Which keys are tokens of the sentence, bool (n_keys,)."""
    return np.arange(n_keys) < n_keys - padded.n_padding


def _one_head(run: Run, pair: PaddedPair, item: int) -> None:
    """One head of the shorter sentence, and how much of it lies on padding."""
    sites = tuple(attention.kind for attention in _source_maps(pair.masked[item]))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        masked = st.toggle(
            say("masks-seen-padding-mask"),
            True,
            key="seen_padding_mask",
            bind="query-params",
            help=say("masks-seen-padding-mask-help"),
        )
        site = choice(
            "seen_pad_kind",
            sites,
            words="kind",
            text=lambda name: site_name(name, "short"),
        )
        alone = pair.alone[item].attention.of(site)
        layer, head = head_picker("seen_pad", alone.n_layers, alone.n_heads, address=True)
        free = pair.unmasked[item].on_padding(site).mean(axis=-1)
        open_best("seen_pad", free, (layer, head))
    padded = (pair.masked if masked else pair.unmasked)[item]
    attention = padded.attention.of(site)
    weights, keys = attention.head(layer, head), attention.key_tokens
    mask = np.tile(_real(padded, len(keys)), (len(attention.query_tokens), 1))
    rows = attention.output_tokens or attention.query_tokens
    st.markdown(
        say(
            "masks-seen-pad-share",
            layer=layer + 1,
            head=head + 1,
            nth=NTH[item],
            rows="produced" if attention.output_tokens else "read",
            share=numbers.fixed(share_outside(weights, mask).mean()),
            n=padded.n_padding,
        )
    )
    figure = outside_figure(
        weights,
        mask,
        rows,
        keys,
        kind=site,
        inside_title=say("masks-seen-weight"),
        outside_title=say("masks-seen-on-padding"),
        hatched=masked,
    )
    figure_block(
        figure,
        key="seen_pad_matrix",
        alt=say("masks-seen-pad-alt", layer=layer + 1, head=head + 1),
        name=say(
            "masks-seen-pad-file",
            site=site_name(site, "short"),
            head=head_name(layer, head),
            mask="on" if masked else "off",
        ),
        numbers=lambda: outside_table(weights, mask, rows, keys),
    )


def _damage(pair: PaddedPair, item: int) -> None:
    """The shorter sentence alone, in the batch with the mask, and without it."""
    alone, masked, unmasked = pair.alone[item], pair.masked[item], pair.unmasked[item]
    site = _source_maps(masked)[0].kind  # for its colours
    st.markdown(f"## {say('masks-seen-damage')}")
    st.markdown(damage_table(alone, masked, unmasked))
    runs = {"alone": alone, "masked": masked, "unmasked": unmasked}
    lines = (
        say(f"masks-seen-output-{name}", text=output_text(padded.output))
        for name, padded in runs.items()
    )
    st.markdown("\n".join(f"- {line}" for line in lines))
    left, right = st.columns([3, 2], gap="medium")
    parts = (
        alone.attention.tgt.tokens,
        masked.log_probs,
        unmasked.log_probs,
        (say("masks-seen-padding-on"), say("masks-seen-padding-off")),
    )
    with left:
        figure_block(
            forced_figure(*parts, kind=site),
            key="seen_pad_forced",
            alt=say("masks-seen-pad-forced-alt"),
            name=say("masks-seen-pad-forced-file"),
            numbers=lambda: forced_table(*parts).rename(columns={"place": "position"}),
        )
    with right:
        st.markdown(longer_words(pair, item))


def damage_table(alone: PaddedRun, masked: PaddedRun, unmasked: PaddedRun) -> str:
    """log P, the largest change of a token and the weight on padding, as a Markdown table."""
    batch = (masked, unmasked)
    columns = ["", *(say(f"masks-seen-column-{name}") for name in ("alone", "masked", "unmasked"))]
    rows = [
        columns,
        [":--", "--:", "--:", "--:"],
        [
            say("masks-seen-damage-log-prob"),
            *(numbers.fixed(padded.log_prob) for padded in (alone, *batch)),
        ],
        [
            say("masks-seen-damage-change"),
            "",
            *(small_words(change_of(alone, padded)) for padded in batch),
        ],
        [
            say("masks-seen-damage-weight"),
            "",
            *(small_words(largest_on_padding(padded)) for padded in batch),
        ],
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def longer_words(pair: PaddedPair, item: int) -> str:
    """What the batch did to the sentence that was not padded."""
    other = 1 - item
    with_mask, without = (
        small_words(change_of(pair.alone[other], runs[other]))
        for runs in (pair.masked, pair.unmasked)
    )
    return say("masks-seen-longer", nth=NTH[other], masked=with_mask, unmasked=without)


def small_words(value: float) -> str:
    """A size that may be nothing but rounding, such as 1.1e-06."""
    if value == 0:
        return say("masks-seen-nothing")
    return numbers.scientific(value) if value < 0.005 else numbers.fixed(value, 3)


def output_text(output: TokenSequence) -> str:
    return plain(output.text, 300) or say("masks-nothing-written")
