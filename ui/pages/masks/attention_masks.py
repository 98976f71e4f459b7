"""Masks of attention: their effect on the softmax, and the model without them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.arithmetic import Strip
from core.attention_masks import (
    HeadStages,
    forced_facts,
    head_stages,
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
from ui.frame.choices import AddressForm, choose
from ui.frame.messages import head_name, page_text, plain, say, site_name, stated
from ui.frame.state import Run, show_problem
from ui.kit.blocks import head_picker, key_of, picture, text_table
from ui.kit.clicks import click_count, take_click
from ui.kit.controls import button, choice, place_menu, text_box, toggle
from ui.kit.effect import (
    both_outputs,
    next_log_probs,
    searched_again,
    site_menu,
    teacher_force,
)
from ui.kit.layout import bar, caption, finding, folded, note, paragraph, subtitle, wide
from ui.pages.masks.draft import begin_empty
from ui.shell.views import offers
from viz.arithmetic import strips_figure
from viz.attention_masks import (
    MaskPanel,
    Step,
    masks_figure,
    masks_table,
    outside_table,
    pair_figure,
    stages_table,
)
from viz.figure import Figure
from words import Spoken
from words.numbers import fixed, scientific

NTH = ("first", "second")
# One sentence alone, padded and masked, padded and not masked.
RUNS = ("alone", "masked", "unmasked")
# Lets the decoder attend to later positions, which training never allowed.
LIFTING = Intervention(LiftedMask())
# The switch tells that the mask is on, the address what was taken away.
LIFTED = AddressForm({"true": False, "false": True}.get, lambda on: str(not on).lower())
FEW_CELLS = 10
STEPS: tuple[Step, ...] = ("score", "exp", "weight")


def show(run: Run) -> None:
    pictures = {"causal": _causal, "padding": _padding, "both": _both}
    pictures[_switches(run)](run)


def _switches(run: Run) -> str:
    """Draw the switches of both masks and the doors to other changes; return the mask shown."""
    offered = offers(run.translator)
    pads = "padding" in offered
    with bar("masks"):
        # What is chosen here can change by the switches after it.
        part = choice("seen_part", ("causal", "padding", "both")) if pads else "causal"
        # The switch needs a model whose mask can be lifted.
        if "change-causal" in offered:
            toggle("seen_peek", True, form=LIFTED, on_change=_switched, args=("causal",))
        if pads:
            toggle("seen_padding_mask", True, on_change=_switched, args=("padding",))
        for tool, need in (("tokens", "leave-out"), ("heads", "change-ablate")):
            if need in offered:
                button(f"seen_{tool}", _open_tool, run, tool, icon="arrow_forward")
    return part


def _open_tool(run: Run, tool: str) -> None:
    """Open the interventions with a tool; the example hides a word, so only that tool keeps it."""
    if tool != "tokens":
        begin_empty(run)
    choose({"mask_look": "change", "change_tool": tool})


def _switched(mask: str) -> None:
    """Show the mask that was switched off; the other one is then on."""
    state = st.session_state
    off = {"causal": not state.get("seen_peek", True)}
    off["padding"] = not state.get("seen_padding_mask", True)
    if off[mask]:
        state["seen_part"] = mask
        other = "seen_padding_mask" if mask == "causal" else "seen_peek"
        if other in state:
            state[other] = True


# Causal mask.


def _causal(run: Run) -> None:
    attention = run.record.causal
    # Of all heads, because the one opened first loses most by the mask.
    all_stages = [[head_stages(scores, attention.mask) for scores in at] for at in attention.scores]
    mean_moved = np.array([[stages.mean_moved for stages in of_layer] for of_layer in all_stages])
    tokens = attention.query_tokens
    best = strongest_head(mean_moved)
    # Drawn only where the mask can be lifted.
    lifted = not st.session_state.get("seen_peek", True) and "change-causal" in run.capabilities
    with bar("seen"):
        layer, head = head_picker("seen", attention.n_layers, attention.n_heads, default=best)
        stages = all_stages[layer][head]
        take_click("seen_row", range(len(tokens)), "seen_stages", "cell", ["q"])
        row = place_menu(
            "seen_row",
            numbered_labels(tokens),
            default=telling_row(stages),
            of=run.identity,
            width=130,
        )
        step: Step = "weight" if lifted else choice("seen_step", STEPS, default="weight")
        open_best("seen", mean_moved, (layer, head))
    if lifted:
        _without_mask(run, attention, (layer, head), row)
        return
    finding(row_words(stages, tokens, row))
    cells = stages_table(stages, tokens, tokens)
    figure = _stages_figure(attention, stages, row, step)
    _show_pair(figure, cells, (layer, head), step)
    st.markdown(moved_words(stages))
    _row_numbers(attention, stages, cells, (layer, head), row)


def _stages_figure(attention: AttentionMap, stages: HeadStages, row: int, step: Step) -> Figure:
    """Return the numbers of a step of the softmax, with the mask and without it."""
    values = {
        "score": (stages.scores, stages.scores),
        "exp": (stages.terms, stages.free_terms),
        "weight": (stages.weights, stages.free_weights),
    }
    return pair_figure(
        values[step],
        attention.mask,
        attention.query_tokens,
        attention.query_tokens,
        titles=(say("masks-seen-with-mask"), say("masks-seen-same-scores")),
        shares=stages.moved,
        step=step,
        row=row,
        click=click_count("seen_stages"),
    )


def _show_pair(
    figure: Figure, cells: pd.DataFrame, head: tuple[int, int], step: Step = "weight"
) -> None:
    """Draw a head with the causal mask beside the same head without it."""
    with wide("seen"):
        picture(
            "seen-stages",
            figure,
            clicks=True,
            numbers=cells,
            step=step,
            layer=head[0] + 1,
            head=head[1] + 1,
        )


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
    subtitle("masks-seen-steps", token=plain(distinct_labels(attention.query_tokens)[row]))
    with strips_room("seen_row", len(attention.query_tokens)):
        picture(
            "seen-row-numbers",
            strips_figure(strips, attention.query_tokens, site=attention.site),
            numbers=cells[cells["q"] == row].reset_index(drop=True),
            row=row + 1,
            difference=difference,
            layer=head[0] + 1,
            head=head[1] + 1,
        )


def strips_room(key: str, n: int) -> AbstractContextManager[Any]:
    """Return the room of strips of `n` cells; few cells would grow too large in a wide one."""
    return wide(key) if n >= FEW_CELLS else nullcontext()


def open_best(key: str, per_head: np.ndarray, opened: tuple[int, int]) -> None:
    """Draw a button to the head with the largest number, unless it is open.

    `key` is that of `ui.kit.blocks.head_picker`; the message ``<key>_best`` names the number.
    """
    best = strongest_head(per_head)
    if best != opened and per_head[best] > 0:
        button(
            f"{key}_best",
            choose,
            {f"{key}_layer": best[0], f"{key}_head": best[1]},
            icon="arrow_forward",
            values={"head": head_name(*best), "share": per_head[best]},
        )


def telling_row(stages: HeadStages) -> int:
    """Return the row that loses most to the mask, other than the first if others lose, too."""
    # The first row has one key, so its weight is 1 whatever the scores are.
    later = stages.moved[1:]
    return int(later.argmax()) + 1 if later.any() else 0


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


@dataclass(frozen=True, eq=False)
class ForcedText:
    """A text and the log-probabilities of its tokens in several runs, (T_tgt,) each by name."""

    tokens: tuple[str, ...]
    runs: dict[str, np.ndarray]


def _without_mask(run: Run, attention: AttentionMap, head: tuple[int, int], row: int) -> None:
    """Draw the decoder without its mask: what it attends to, its probabilities, its output."""
    record, log_probs = teacher_force(run, LIFTING)
    weights = record.of(attention.site_id).head(*head)
    tokens = attention.query_tokens
    cells = outside_table(weights, attention.mask, tokens, tokens)
    output = searched_again(run, LIFTING)
    finding(lifted_words(run, log_probs, output))
    figure = pair_figure(
        (attention.head(*head), weights),
        attention.mask,
        tokens,
        tokens,
        titles=(say("masks-seen-with-mask"), say("masks-seen-whole-decoder")),
        shares=share_outside(weights, attention.mask),
        row=row,
        click=click_count("seen_stages"),
    )
    _show_pair(figure, cells, head)
    st.markdown(peek_words(weights, attention.mask, tokens, *head, run.card.languages[1]))
    subtitle("masks-seen-forced")
    _forced_text(run, {"read": log_probs})
    subtitle("masks-seen-writes")
    st.markdown(both_outputs(run, output))
    with folded("reading"):
        paragraph("masks_seen_peek")


def lifted_words(run: Run, log_probs: np.ndarray, output: TokenSequence) -> str:
    """Return the headline: the token that changes most when read, and the output when written."""
    before = np.exp(run.translation.log_probs.astype(float))
    after = np.exp(log_probs.astype(float))
    most = int(np.abs(after - before).argmax())
    read = say(
        "masks-seen-lifted",
        token=run.spoken("target", distinct_labels(run.tgt.tokens)[most]),
        before=before[most],
        after=after[most],
        way="falls" if after[most] < before[most] else "rises",
    )
    same = output.ids == run.tgt.ids
    return f"{read} {say('masks-seen-written', same=same)}"


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


def _forced_text(run: Run, read: dict[str, np.ndarray]) -> None:
    """Draw a typed text, by default the model's output, with the mask and without it."""
    with bar("target"):
        text = text_box("seen_target", live="500ms", width=560)
    tgt = run.tgt
    runs = {"masked": run.translation.log_probs} | read
    which = "own"
    if text.strip():
        try:
            tgt, runs = _forced_on(run, text)
            which = "typed"
        except ModelError as error:
            show_problem(error)
            caption("seen_target-kept")
    runs["written"] = written_log_probs(run, tgt)
    facts = forced_facts(runs["masked"], runs["read"])
    _show_forced("seen-forced", ForcedText(tgt.tokens, runs), site=DECODER)
    caption("masks-seen-forced-words", whose=which, **facts)


def _forced_on(run: Run, text: str) -> tuple[TokenSequence, dict[str, np.ndarray]]:
    source = run.choices.text
    return run.translator.tokenize(text), {
        "masked": run.ask(Translator.score, source, text, intervention=None),
        "read": run.ask(Translator.score, source, text, intervention=LIFTING),
    }


def written_log_probs(run: Run, tgt: TokenSequence) -> np.ndarray:
    """Return log p of each token of `tgt` without the mask, after its prefix alone, (T_tgt,)."""
    log_probs = [
        next_log_probs(run, LIFTING, tgt.ids[:position])[token_id]
        for position, token_id in enumerate(tgt.ids)
    ]
    return np.asarray(log_probs)


def _show_forced(id: str, forced: ForcedText, *, site: AttentionSite | str) -> None:
    """Draw the probability of each token of a text in several runs, a row for each run."""
    names = {name: say(f"masks-seen-run-{name}") for name in forced.runs}
    shares = {names[name]: np.exp(logs.astype(float)) for name, logs in forced.runs.items()}
    strips = [Strip(name, share, "share") for name, share in shares.items()]
    table = pd.DataFrame(
        {"position": range(1, len(forced.tokens) + 1), "token": distinct_labels(forced.tokens)}
        | {names[name]: logs for name, logs in forced.runs.items()}
    )
    with strips_room(key_of(id), len(forced.tokens)):
        picture(id, strips_figure(strips, forced.tokens, site=site), numbers=table)


# Padding: two sentences of different length in one batch.


def _padding(run: Run) -> None:
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
        _one_head(pair, item)
        _damage(pair, item, runs)


def _second_sentence(run: Run) -> str:
    with bar("second"):
        return text_box("seen_second", run.pack.second, live="500ms", width=420)


def _padding_masks(pair: PaddedPair) -> None:
    panels = []
    for nth, padded in zip(NTH, pair.masked, strict=True):
        keys = _source_maps(padded)[0].key_tokens
        title = say("masks-seen-pad-title-of", nth=nth, n=padded.n_padding)
        panels.append(MaskPanel(title, _real(padded, keys, keys), keys, keys))
    with wide("pad_masks"):
        picture("seen-pad-masks", masks_figure(panels), numbers=lambda: masks_table(panels))


def _both(run: Run) -> None:
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


def _padded_pair(run: Run, text: str) -> PaddedPair | None:
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
    mask = _real(masked, rows, keys)
    shares = share_outside(weights, mask)
    figure = pair_figure(
        (before.head(layer, index), weights),
        mask,
        rows,
        keys,
        site=after.site,
        titles=(say("masks-seen-padding-on"), say("masks-seen-padding-off")),
        shares=shares,
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
    return float(shares.mean())


def _damage(pair: PaddedPair, item: int, runs: dict[str, PaddedRun]) -> None:
    alone, masked, unmasked = runs.values()
    subtitle("masks-seen-damage")
    forced = ForcedText(
        alone.attention.tgt.tokens, {name: run.log_probs for name, run in runs.items()}
    )
    _show_forced("seen-pad-forced", forced, site=_source_maps(masked)[0].site_id)
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
