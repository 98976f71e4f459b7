"""The padding mask, alone and joined with the causal one: two sentences of different length in one
batch, with it and without."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.masking import share_outside
from analysis.padding import change_of, largest_on_padding
from model import ModelError
from model.experiments.padding import target_masks
from records import AttentionMap, PaddedPair, PaddedRun, TokenSequence
from ui.kit.blocks import head_picker, picture
from ui.kit.controls import choice, text_box, toggle
from ui.kit.layout import control_row, finding, folded, settings
from ui.masks.choices import causal_map
from ui.shared import cached
from ui.state import Run, show_problem
from ui.words import page_text, plain, say, site_name
from viz.masking import MaskPanel, masks_figure, masks_table
from words import numbers

from .causal import open_best
from .peek import show_forced, show_outside

NTH = ("first", "second")
RUNS = ("alone", "masked", "unmasked")


def show(run: Run) -> None:
    pair = _padded_pair(run)
    if pair is None:
        return
    item = pair.shorter
    if item is not None:
        alone, masked, unmasked = (numbers.fixed(each.log_prob) for each in _runs(pair, item))
        found = {"nth": NTH[item], "alone": alone, "masked": masked, "unmasked": unmasked}
        finding(say("masks-seen-pad-found", **found))
    else:
        finding(page_text("masks_seen_equal"))
    panels = []
    for nth, padded in zip(NTH, pair.masked, strict=True):
        keys = _source_maps(padded)[0].key_tokens
        title = say("masks-seen-pad-title-of", nth=nth, n=padded.n_padding)
        panels.append(MaskPanel(title, _real(padded, keys, keys), keys, keys))
    picture(
        "masks-seen-pad-masks",
        masks_figure(panels),
        key="seen_pad_masks",
        numbers=lambda: masks_table(panels),
        text=run.translation.src.text,
    )
    if item is not None:
        _one_head(pair, item)
        _damage(pair, item)


def show_both(run: Run) -> None:
    """Both masks joined, as a decoder in a batch would have them."""
    pair = _padded_pair(run)
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
    differ = masks[0] != masks[2]
    finding(say("masks-seen-both-found", real=n_real, kept=int(differ[:n_real].sum())))
    picture(
        "masks-seen-both",
        masks_figure(panels, kind=site),
        key="seen_both_masks",
        numbers=lambda: masks_table(panels),
    )
    text, largest = _text_of(padded.attention.tgt), float(padded.on_padding(site).max())
    reads = say("masks-seen-both-reads", nth=NTH[items[0]], text=text, n=n_padding)
    hidden = {"padding": n_padding, "hidden": int(differ[n_real:].sum())}
    rest = say("masks-seen-both-differ", largest=small_words(largest), **hidden)
    st.markdown(f"{reads} {rest}")
    with folded("reading"):
        st.markdown(page_text("masks_seen_both"))


def _padded_pair(run: Run) -> PaddedPair | None:
    with settings():
        text = text_box("seen_second", run.pack.second, words="masks-seen-second", live="500ms")
    try:
        return read_together(run, text)
    except ModelError as error:
        show_problem(error)
        st.caption(say("masks-seen-second-fault"))
        return None


@cached("source_identity", max_entries=32, spinner="masks-seen-reading")
def read_together(run: Run, second: str) -> PaddedPair:
    return run.translator.padded_pair(run.translation.src, second)


def _runs(pair: PaddedPair, item: int) -> tuple[PaddedRun, ...]:
    return tuple(getattr(pair, name)[item] for name in RUNS)


def _source_maps(padded: PaddedRun) -> list[AttentionMap]:
    return [attention for attention in padded.attention.maps if attention.site.key == "source"]


def _real(padded: PaddedRun, rows: tuple[str, ...], keys: tuple[str, ...]) -> np.ndarray:
    return np.tile(np.arange(len(keys)) < len(keys) - padded.n_padding, (len(rows), 1))


def _one_head(pair: PaddedPair, item: int) -> None:
    sites = tuple(attention.kind for attention in _source_maps(pair.masked[item]))
    with control_row():
        masked = toggle("seen_padding_mask", True, words="masks-seen-padding-mask")
        short = {site: site_name(site, "short") for site in sites}
        site = choice("seen_pad_kind", sites, words="kind", text=short.__getitem__)
        alone = pair.alone[item].attention.of(site)
        layer, head = head_picker("seen_pad", alone.n_layers, alone.n_heads, address=True)
        free = pair.unmasked[item].on_padding(site).mean(axis=-1)
        open_best("seen_pad", free, (layer, head))
    padded = (pair.masked if masked else pair.unmasked)[item]
    attention = padded.attention.of(site)
    weights, keys = attention.head(layer, head), attention.key_tokens
    rows = attention.output_tokens or attention.query_tokens
    mask = _real(padded, rows, keys)
    where = {"layer": layer + 1, "head": head + 1}
    st.markdown(
        say(
            "masks-seen-pad-share",
            nth=NTH[item],
            rows="produced" if attention.output_tokens else "read",
            share=numbers.fixed(share_outside(weights, mask).mean()),
            n=padded.n_padding,
            **where,
        )
    )
    show_outside(
        "masks-seen-pad",
        weights,
        mask,
        (rows, keys),
        key="seen_pad_matrix",
        kind=site,
        hatched=masked,
        site=short[site],
        hidden="yes" if masked else "no",
        **where,
    )


def _damage(pair: PaddedPair, item: int) -> None:
    alone, masked, unmasked = runs = _runs(pair, item)
    st.markdown(f"## {say('masks-seen-damage')}\n\n{damage_table(*runs)}")
    st.markdown(
        "\n".join(
            f"- {say(f'masks-seen-output-{name}', text=_text_of(padded.output))}"
            for name, padded in zip(RUNS, runs, strict=True)
        )
    )
    names = say("masks-seen-padding-on"), say("masks-seen-padding-off")
    parts = alone.attention.tgt.tokens, masked.log_probs, unmasked.log_probs, names
    left, right = st.columns([3, 2], gap="medium")
    with left:
        kind = _source_maps(masked)[0].kind  # for its colours
        show_forced("masks-seen-pad-forced", *parts, key="seen_pad_forced", kind=kind)
    other, *batch = _runs(pair, 1 - item)
    with_mask, without = (small_words(change_of(other, padded)) for padded in batch)
    right.markdown(say("masks-seen-longer", nth=NTH[1 - item], masked=with_mask, unmasked=without))


def damage_table(alone: PaddedRun, masked: PaddedRun, unmasked: PaddedRun) -> str:
    """log P, the largest change of a token and the weight on padding, as a Markdown table."""
    runs = alone, masked, unmasked
    rows = {
        "log-prob": [numbers.fixed(each.log_prob) for each in runs],
        "change": ["", *(small_words(change_of(alone, each)) for each in runs[1:])],
        "weight": ["", *(small_words(largest_on_padding(each)) for each in runs[1:])],
    }
    lines = [
        ["", *(say(f"masks-seen-column-{name}") for name in RUNS)],
        [":--", "--:", "--:", "--:"],
        *([say(f"masks-seen-damage-{name}"), *cells] for name, cells in rows.items()),
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def small_words(value: float) -> str:
    """A size that may be nothing but rounding, such as 1.1e-06."""
    if value == 0:
        return say("masks-seen-nothing")
    return numbers.scientific(value) if value < 0.005 else numbers.fixed(value, 3)


def _text_of(output: TokenSequence) -> str:
    return plain(output.text, 300) or say("masks-nothing-written")
