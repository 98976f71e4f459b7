"""Masks of attention: their effect on the softmax, and the model without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.arithmetic import Strip
from core.attention_masks import (
    HeadStages,
    forced_facts,
    head_stages,
    mean_share,
    peek_facts,
    share_outside,
)
from core.interventions.intervention import Intervention
from core.interventions.kinds import LiftedMask
from core.records.attention import DECODER, AttentionMap, AttentionSite
from core.records.tokens import TokenSequence, distinct_labels, numbered_labels
from core.weights.measures import strongest_head
from core.weights.padding import PaddedPair, PaddedRun, change_of, largest_on_padding
from model import ModelError, Translator
from model.experiments.padding import padded_pair, target_masks
from ui.frame.messages import head_name, page_text, plain, say, site_name, stated
from ui.frame.state import Run, show_problem
from ui.kit.blocks import head_picker, picture, text_table
from ui.kit.controls import button, choice, click_count, place_menu, text_box, toggle
from ui.kit.effect import show_effect, site_menu, teacher_force
from ui.kit.focus import link_of
from ui.kit.layout import caption, control_row, finding, folded, note, paragraph, settings, subtitle
from viz.arithmetic import strips_figure
from viz.attention_masks import (
    MaskPanel,
    forced_figure,
    forced_table,
    masks_figure,
    masks_table,
    outside_figure,
    outside_table,
    ranking_figure,
    ranking_table,
    stages_figure,
    stages_table,
)
from words import Spoken
from words.numbers import fixed, scientific

NTH = ("first", "second")
# One sentence alone, padded and masked, padded and not masked.
RUNS = ("alone", "masked", "unmasked")
# Attends to later positions, which training never allowed.
PEEKING = Intervention(LiftedMask())


def show(run: Run) -> None:
    parts = {"causal": _causal, "padding": _padding, "both": _both}
    offered = tuple(parts) if "padding" in run.capabilities else ("causal",)
    with settings():
        part = choice("seen_part", offered)
    parts[part](run)


# Causal mask.


def _causal(run: Run) -> None:
    attention = run.record.causal
    # Of all heads, for the button to the one that loses most by the mask.
    all_stages = [[head_stages(scores, attention.mask) for scores in at] for at in attention.scores]
    mean_moved = np.array([[stages.mean_moved for stages in of_layer] for of_layer in all_stages])
    tokens = attention.query_tokens
    link = link_of(run, attention)
    with settings():
        with control_row():
            layer, head = head_picker("seen", attention.n_layers, attention.n_heads, address=True)
            row = place_menu(
                "seen_row",
                numbered_labels(tokens),
                clicks=[("seen_stages", "cell", "q")],
                default=link.rows[0] if link else len(tokens) // 2,
                of=run.identity,
                width=160,
            )
        open_best("seen", mean_moved, (layer, head))
        # The switch needs a model whose mask can be lifted.
        peeking = "change-causal" in run.capabilities and toggle("seen_peek")
    stages = all_stages[layer][head]
    if peeking:
        _peek(run, attention, layer, head)
        subtitle("masks-seen-with")
        st.markdown(moved_words(stages))
    else:
        finding(moved_words(stages))
    cells = stages_table(stages, tokens, tokens)
    picture(
        "seen-stages",
        stages_figure(stages, tokens, tokens, row=row, click=click_count("seen_stages")),
        clicks=True,
        numbers=cells,
        layer=layer + 1,
        head=head + 1,
    )
    st.markdown(row_words(stages, tokens, row))
    _row_numbers(attention, stages, cells, (layer, head), row)


def _row_numbers(
    attention: AttentionMap,
    stages: HeadStages,
    cells: pd.DataFrame,
    head: tuple[int, int],
    row: int,
) -> None:
    """Draw one row of a head as strips: scores, mask, exponentials and weights."""
    seen = stages.mask[row]
    strips = (
        Strip("masks-seen-strip-score", stages.scores[row], "signed"),
        Strip("masks-seen-strip-mask", stages.added[row], "mask", seen),
        Strip("masks-seen-strip-exp", stages.terms[row], "share", seen),
        Strip("masks-seen-strip-weight", stages.weights[row], "share", seen),
        Strip("masks-seen-strip-free", stages.free_weights[row], "share"),
    )
    # The strips recompute the softmax in float64; the difference to the model's is told.
    difference = np.abs(stages.weights[row] - attention.head(*head)[row]).max()
    picture(
        "seen-row-numbers",
        strips_figure(strips, attention.query_tokens, site=attention.site),
        numbers=cells[cells["q"] == row].reset_index(drop=True),
        row=row + 1,
        difference=difference,
        layer=head[0] + 1,
        head=head[1] + 1,
    )


def open_best(key: str, per_head: np.ndarray, opened: tuple[int, int]) -> None:
    """Draw a button to the head with the largest number, unless it is open.

    `key` is that of `ui.kit.blocks.head_picker`; the message ``<key>_best`` names the number.
    """
    best = strongest_head(per_head)
    if best != opened and per_head[best] > 0:
        button(
            f"{key}_best",
            st.session_state.update,
            {f"{key}_layer": best[0], f"{key}_head": best[1]},
            icon="arrow_forward",
            values={"head": head_name(*best), "share": per_head[best]},
        )


def moved_words(stages: HeadStages) -> str:
    # Rows that see everything lose nothing to the mask.
    n_rows = int((~stages.mask.all(axis=1)).sum())
    if not n_rows:
        return say("masks-seen-one-position")
    return say("masks-seen-moved", share=stages.mean_moved, n=n_rows)


def row_words(stages: HeadStages, tokens: tuple[str, ...], row: int) -> str:
    last = "-last" if stages.mask[row].all() else ""
    who = plain(distinct_labels(tokens)[row])
    return say(f"masks-seen-row{last}", token=who, share=stages.moved[row])


# Decoder without the mask.


class ForcedText(NamedTuple):
    """A teacher-forced text: its tokens and their log-probabilities in two runs."""

    tokens: tuple[str, ...]
    first: np.ndarray
    second: np.ndarray


def _peek(run: Run, attention: AttentionMap, layer: int, head: int) -> None:
    record, log_probs = teacher_force(run, PEEKING)
    tokens = attention.query_tokens
    mask = attention.mask
    all_weights = record.of(attention.kind).weights
    weights = all_weights[layer, head]
    shares = mean_share(all_weights, mask)
    language = run.card.languages[1]
    finding(peek_words(weights, mask, tokens, layer, head, language))
    _show_outside(
        "seen-peek-matrix",
        weights,
        mask,
        (tokens, tokens),
        map_site=attention.site,
        layer=layer + 1,
        head=head + 1,
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        subtitle("masks-seen-peek-most")
        ranked = ranking_table(shares)
        picture("seen-peek-heads", ranking_figure(ranked, chosen=(layer, head)), numbers=ranked)
    with right:
        subtitle("masks-seen-forced")
        _forced_text(run, ForcedText(run.tgt.tokens, run.translation.log_probs, log_probs))
    with folded("reading"):
        paragraph("masks_seen_peek")
    show_effect(run, PEEKING, key="peek", site=attention.kind, head=(layer, head))


def peek_words(
    weights: np.ndarray,
    mask: np.ndarray,
    tokens: tuple[str, ...],
    layer: int,
    head: int,
    language: str = "",
) -> str:
    """Return a sentence on the head's attention ahead; `language` is that of the tokens."""
    facts = peek_facts(weights, mask, tokens)
    if not facts:
        return say("masks-seen-nothing-later")
    facts["key"] = Spoken(facts["key"], language)
    return stated("masks-seen-peek-words", head=(layer, head), **facts)


def _forced_text(run: Run, output: ForcedText) -> None:
    """Draw a typed text, by default the model's `output`, with and without the mask."""
    text = text_box("seen_target", live="500ms")
    forced = output
    which = "own"
    if text.strip():
        try:
            forced = forced_on(run, text)
            which = "typed"
        except ModelError as error:
            show_problem(error)
            caption("seen_target-kept")
    st.markdown(forced_words(forced, which))
    names = (say("masks-seen-with-mask"), say("masks-seen-without-mask"))
    _show_forced("seen-forced", forced, names)


def _show_forced(
    id: str,
    forced: ForcedText,
    names: tuple[str, str],
    *,
    site: AttentionSite | str = DECODER,
) -> None:
    """Draw a text in two runs with these names, in the colours of a site."""
    picture(
        id,
        forced_figure(*forced, names, site=site),
        numbers=lambda: forced_table(*forced, names).rename(columns={"place": "position"}),
    )


def _show_outside(
    id: str,
    weights: np.ndarray,
    mask: np.ndarray,
    tokens: tuple[Sequence[str], Sequence[str]],
    *,
    map_site: AttentionSite | str,
    hatched: bool = False,
    **values: Any,
) -> None:
    """Draw the weights of a head, those outside a mask apart, titled by ``<id>-title``."""
    picture(
        id,
        outside_figure(
            weights,
            mask,
            *tokens,
            site=map_site,
            hatched=hatched,
            inside_title=say("masks-seen-weight"),
            outside_title=say(f"{id}-title"),
        ),
        numbers=lambda: outside_table(weights, mask, *tokens),
        **values,
    )


def forced_words(forced: ForcedText, which: str) -> str:
    """Return a sentence on log P of a text with and without mask; `which` is "own" or "typed"."""
    facts = forced_facts(forced.first, forced.second)
    return say("masks-seen-forced-words", whose=which, **facts)


def forced_on(run: Run, text: str) -> ForcedText:
    source = run.choices.text
    return ForcedText(
        run.translator.tokenize(text).tokens,
        run.ask(Translator.score, source, text, intervention=None),
        run.ask(Translator.score, source, text, intervention=PEEKING),
    )


# Padding: two sentences of different length in one batch.


def _padding(run: Run) -> None:
    pair = _padded_pair(run)
    if pair is None:
        return
    item = pair.shorter
    if item is not None:
        finding(
            "masks-seen-pad-found",
            nth=NTH[item],
            alone=pair.alone[item].log_prob,
            masked=pair.masked[item].log_prob,
            unmasked=pair.unmasked[item].log_prob,
        )
    else:
        finding(page_text("masks_seen_equal"))
    panels = []
    for nth, padded in zip(NTH, pair.masked, strict=True):
        keys = _source_maps(padded)[0].key_tokens
        title = say("masks-seen-pad-title-of", nth=nth, n=padded.n_padding)
        panels.append(MaskPanel(title, _real(padded, keys, keys), keys, keys))
    # Equal lengths need no padding.
    picture("seen-pad-masks", masks_figure(panels), numbers=lambda: masks_table(panels))
    if item is not None:
        _one_head(pair, item)
        _damage(pair, item)


def _both(run: Run) -> None:
    pair = _padded_pair(run)
    if pair is None:
        return
    items = [item for item, padded in enumerate(pair.masked) if padded.n_target_padding]
    if not items:
        note("masks_seen_equal_targets", "equal")
        return
    padded = pair.masked[items[0]]
    site = run.record.causal.kind
    tokens = padded.attention.of(site).key_tokens
    n_padding = padded.n_target_padding
    n_real = len(tokens) - n_padding
    masks = target_masks(n_real, n_padding)
    titles = (say(f"masks-seen-both-{name}") for name in ("causal", "padding", "joined"))
    panels = [MaskPanel(title, m, tokens, tokens) for title, m in zip(titles, masks, strict=True)]
    differ = masks[0] != masks[2]
    finding("masks-seen-both-found", real=n_real, kept=int(differ[:n_real].sum()))
    picture("seen-both-masks", masks_figure(panels, site=site), numbers=lambda: masks_table(panels))
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


def _padded_pair(run: Run) -> PaddedPair | None:
    with settings():
        text = text_box("seen_second", run.pack.second, live="500ms")
    try:
        return run.ask(padded_pair, run.src, text)
    except ModelError as error:
        show_problem(error)
        caption("seen_second-fault")
        return None


def _source_maps(padded: PaddedRun) -> list[AttentionMap]:
    return [attention for attention in padded.attention.maps if attention.site.key == "source"]


def _real(padded: PaddedRun, rows: tuple[str, ...], keys: tuple[str, ...]) -> np.ndarray:
    """Return the keys that are tokens of the sentence, bool (n_rows, n_keys)."""
    return np.tile(np.arange(len(keys)) < len(keys) - padded.n_padding, (len(rows), 1))


def _one_head(pair: PaddedPair, item: int) -> None:
    sites = tuple(attention.kind for attention in _source_maps(pair.masked[item]))
    with control_row():
        masked = toggle("seen_padding_mask", True)
        site_id = site_menu("seen_pad", sites, style="segmented", address=True, width="content")
        alone = pair.alone[item].attention.of(site_id)
        layer, head = head_picker("seen_pad", alone.n_layers, alone.n_heads, address=True)
        free = pair.unmasked[item].on_padding(site_id).mean(axis=-1)
        open_best("seen_pad", free, (layer, head))
    padded = (pair.masked if masked else pair.unmasked)[item]
    attention = padded.attention.of(site_id)
    weights = attention.head(layer, head)
    keys = attention.key_tokens
    rows = attention.output_tokens or attention.query_tokens
    mask = _real(padded, rows, keys)
    paragraph(
        "masks-seen-pad-share",
        nth=NTH[item],
        rows="produced" if attention.output_tokens else "read",
        share=share_outside(weights, mask).mean(),
        n=padded.n_padding,
        layer=layer + 1,
        head=head + 1,
    )
    _show_outside(
        "seen-pad-matrix",
        weights,
        mask,
        (rows, keys),
        map_site=site_id,
        hatched=masked,
        site=site_name(site_id, "short"),
        hidden=masked,
        layer=layer + 1,
        head=head + 1,
    )


def _damage(pair: PaddedPair, item: int) -> None:
    runs = {name: getattr(pair, name)[item] for name in RUNS}
    alone, masked, unmasked = runs.values()
    subtitle("masks-seen-damage")
    st.markdown(damage_table(alone, masked, unmasked))
    lines = (
        f"- {say(f'masks-seen-output-{name}', text=_text_of(padded.output))}"
        for name, padded in runs.items()
    )
    st.markdown("\n".join(lines))
    forced = ForcedText(alone.attention.tgt.tokens, masked.log_probs, unmasked.log_probs)
    names = (say("masks-seen-padding-on"), say("masks-seen-padding-off"))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _show_forced("seen-pad-forced", forced, names, site=_source_maps(masked)[0].kind)
    # The longer sentence has no padding, so its changes are rounding errors.
    longer = 1 - item
    right.markdown(
        say(
            "masks-seen-longer",
            nth=NTH[longer],
            masked=small_words(change_of(pair.alone[longer], pair.masked[longer])),
            unmasked=small_words(change_of(pair.alone[longer], pair.unmasked[longer])),
        )
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
