"""Padding mask: two sentences of different length in one batch, with the mask and without it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.attention_masks import share_outside
from core.records.attention import AttentionMap
from core.records.sources import TokenSequence
from core.weights.measures import strongest_head
from core.weights.padding import PaddedPair, PaddedRun, change_of, largest_on_padding
from model import ModelError
from model.experiments.padding import padded_pair, target_masks
from ui.frame.messages import page_text, plain, say, site_name
from ui.frame.model_cache import ask
from ui.frame.problems import show_problem
from ui.frame.run import Run
from ui.kit.blocks import picture, text_table
from ui.kit.controls import text_box
from ui.kit.head_menus import head_picker, open_best, site_menu
from ui.kit.layout import bar, caption, finding, folded, note, paragraph, subtitle, wide
from ui.pages.masks.forced_text import ForcedText, show_forced
from viz.attention_masks import MaskPanel, masks_figure, masks_table, outside_table, pair_figure
from words.numbers import fixed, scientific

# Names of the two sentences in messages.
NTH = ("first", "second")
# One sentence alone, padded and masked, padded and not masked.
RUNS = ("alone", "masked", "unmasked")


def show_padding(run: Run) -> None:
    """Draw two sentences of one batch with the padding mask, or what padding does without it."""
    text = _second_sentence(run)
    pair = _padded_pair(run, text)
    if pair is None:
        return
    item = pair.shorter
    if item is None:
        # Equal lengths need no padding.
        finding(page_text("masks_seen_equal"))
        _padding_masks(pair)
    elif st.session_state.get("seen_padding_mask", True):
        alone = pair.alone[item].log_prob
        masked = pair.masked[item].log_prob
        finding("masks-seen-pad-on", nth=NTH[item], alone=alone, masked=masked)
        _padding_masks(pair)
    else:
        runs = {name: getattr(pair, name)[item] for name in RUNS}
        finding(
            "masks-seen-pad-found",
            nth=NTH[item],
            masked=runs["masked"].log_prob,
            unmasked=runs["unmasked"].log_prob,
        )
        _show_head(pair, item)
        _show_damage(pair, item, runs)


def show_both(run: Run) -> None:
    """Draw how causal mask and padding mask join in the decoder."""
    text = _second_sentence(run)
    pair = _padded_pair(run, text)
    if pair is None:
        return
    items = [item for item, padded in enumerate(pair.masked) if padded.n_target_padding]
    if not items:
        note("masks_seen_equal_targets", "equal")
        return
    padded = pair.masked[items[0]]
    site = run.record.causal.site_id
    tokens = padded.attention.of(site).key_tokens
    n_padding = padded.n_target_padding
    n_real = len(tokens) - n_padding
    masks = target_masks(n_real, n_padding)
    titles = (say(f"masks-seen-both-{name}") for name in ("causal", "padding", "joined"))
    panels = [MaskPanel(title, m, tokens, tokens) for title, m in zip(titles, masks, strict=True)]
    # Cells that the causal mask leaves and the padding mask takes.
    differ = masks[0] != masks[2]
    finding("masks-seen-both-found", real=n_real, kept=int(differ[:n_real].sum()))
    with wide("both_masks"):
        picture(
            "seen-both-masks", masks_figure(panels, site=site), numbers=lambda: masks_table(panels)
        )
    paragraph(
        "masks-seen-both-told",
        nth=NTH[items[0]],
        text=_text_of(padded.attention.tgt),
        padding=n_padding,
        hidden=int(differ[n_real:].sum()),
        largest=small_words(float(padded.on_padding(site).max())),
    )
    with folded("reading"):
        paragraph("masks_seen_both")


def _second_sentence(run: Run) -> str:
    """Draw the box of the second sentence; return its text."""
    with bar("second"):
        return text_box("seen_second", run.pack.second, live="500ms", width=420)


def _padding_masks(pair: PaddedPair) -> None:
    """Draw the padding mask of either sentence."""
    panels = []
    for nth, padded in zip(NTH, pair.masked, strict=True):
        keys = _source_maps(padded)[0].key_tokens
        title = say("masks-seen-pad-title-of", nth=nth, n=padded.n_padding)
        panels.append(MaskPanel(title, _mask_of(padded, keys, keys), keys, keys))
    with wide("pad_masks"):
        picture("seen-pad-masks", masks_figure(panels), numbers=lambda: masks_table(panels))


def _padded_pair(run: Run, text: str) -> PaddedPair | None:
    try:
        return ask(run.translator, padded_pair, run.src, text)
    except ModelError as error:
        show_problem(error)
        caption("seen_second-fault")
        return None


def _source_maps(padded: PaddedRun) -> list[AttentionMap]:
    return [attention for attention in padded.attention.maps if attention.site.key == "source"]


def _mask_of(padded: PaddedRun, rows: tuple[str, ...], keys: tuple[str, ...]) -> np.ndarray:
    """Return the keys that are tokens of the sentence, bool (n_rows, n_keys)."""
    return np.tile(np.arange(len(keys)) < len(keys) - padded.n_padding, (len(rows), 1))


def _show_head(pair: PaddedPair, item: int) -> None:
    """Draw one head of the shorter sentence with the padding mask and without it."""
    masked = pair.masked[item]
    sites = tuple(attention.site_id for attention in _source_maps(masked))
    with bar("seen_pad"):
        site_id = site_menu("seen_pad", sites, style="segmented", address=True, width="content")
        alone = pair.alone[item].attention.of(site_id)
        free = pair.unmasked[item].on_padding(site_id).mean(axis=-1)
        best = strongest_head(free)
        layer, head = head_picker("seen_pad", alone.n_layers, alone.n_heads, default=best)
        open_best("seen_pad", free, (layer, head))
    after = pair.unmasked[item].attention.of(site_id)
    share = _padding_matrix(masked, after, (layer, head))
    paragraph(
        "masks-seen-pad-share",
        nth=NTH[item],
        rows="produced" if after.output_tokens else "read",
        share=share,
        n=masked.n_padding,
        layer=layer + 1,
        head=head + 1,
    )


def _padding_matrix(masked: PaddedRun, after: AttentionMap, head: tuple[int, int]) -> float:
    """Draw a head with the padding mask beside the same head in `after`, without it.

    Returns the mean share of a row that goes to padding without the mask.
    """
    before = masked.attention.of(after.site_id)
    layer, index = head
    weights = after.head(layer, index)
    keys = after.key_tokens
    rows = after.output_tokens or after.query_tokens
    mask = _mask_of(masked, rows, keys)
    figure = pair_figure(
        {
            say("masks-seen-padding-on"): before.head(layer, index),
            say("masks-seen-padding-off"): weights,
        },
        mask,
        (rows, keys),
        site=after.site,
    )
    with wide("pad"):
        picture(
            "seen-pad-matrix",
            figure,
            numbers=lambda: outside_table(weights, mask, rows, keys),
            site=site_name(after.site_id, "short"),
            layer=layer + 1,
            head=index + 1,
        )
    return float(share_outside(weights, mask).mean())


def _show_damage(pair: PaddedPair, item: int, runs: dict[str, PaddedRun]) -> None:
    """Draw how a missing mask changes log P and output of the sentence `item`."""
    alone, masked, unmasked = runs.values()
    subtitle("masks-seen-damage")
    forced = ForcedText(
        alone.attention.tgt.tokens, {name: run.log_probs for name, run in runs.items()}
    )
    show_forced("seen-pad-forced", forced, site=_source_maps(masked)[0].site_id)
    lines = (
        f"- {say(f'masks-seen-output-{name}', text=_text_of(padded.output))}"
        for name, padded in runs.items()
    )
    st.markdown("\n".join(lines))
    st.markdown(damage_table(alone, masked, unmasked))
    # The longer sentence has no padding, so its changes are rounding errors.
    longer = 1 - item
    caption(
        "masks-seen-longer",
        nth=NTH[longer],
        masked=small_words(change_of(pair.alone[longer], pair.masked[longer])),
        unmasked=small_words(change_of(pair.alone[longer], pair.unmasked[longer])),
    )


def damage_table(alone: PaddedRun, masked: PaddedRun, unmasked: PaddedRun) -> str:
    """Return log P, largest change of a token and weight on padding as a Markdown table."""
    batch = (masked, unmasked)
    rows = {
        "log-prob": [fixed(run.log_prob) for run in (alone, *batch)],
        "change": ["", *(small_words(change_of(alone, run)) for run in batch)],
        "weight": ["", *(small_words(largest_on_padding(run)) for run in batch)],
    }
    return text_table(
        ["", *(say(f"masks-seen-column-{name}") for name in RUNS)],
        ([say(f"masks-seen-damage-{name}"), *cells] for name, cells in rows.items()),
    )


def small_words(value: float) -> str:
    """Format a size that may be mere rounding, such as 1.1e−06."""
    if value == 0:
        return say("masks-seen-nothing")
    return scientific(value) if value < 0.005 else fixed(value, 3)


def _text_of(output: TokenSequence) -> str:
    return plain(output.text, 300) or say("masks-nothing-written")
