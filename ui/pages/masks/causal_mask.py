"""Causal mask of the decoder: a head with it and without it, and a decoder that looks ahead."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.arithmetic import Strip
from core.attention_masks import HeadStages, Step, forced_facts, head_stages, peek_facts
from core.interventions.intervention import Intervention
from core.interventions.kinds import LiftedMask
from core.records.attention import DECODER, AttentionMap
from core.records.sources import TokenSequence
from core.records.tokens import distinct_labels, numbered_labels
from core.weights.measures import strongest_head
from model import ModelError, Translator
from ui.frame.messages import as_sentence, head_code, plain, say, site_name, stated
from ui.frame.model_cache import ask
from ui.frame.problems import show_problem
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count, take_click
from ui.kit.controls import choice, place_menu, text_box
from ui.kit.forced_reading import next_log_probs, searched_again, teacher_force
from ui.kit.head_menus import head_picker, open_best
from ui.kit.layout import bar, caption, finding, folded, paragraph, subtitle, wide
from ui.kit.text_changes import both_outputs
from ui.pages.masks.forced_text import ForcedText, show_forced, strips_room
from viz.arithmetic import strips_figure
from viz.attention_masks import outside_table, pair_figure, stages_table
from viz.figure import Figure
from words import Spoken

# Lets the decoder attend to later positions, which training never allowed.
LIFTING = Intervention(LiftedMask())
STEPS: tuple[Step, ...] = ("score", "exp", "weight")


def show_causal(run: Run) -> None:
    """Draw a head of the decoder with the causal mask and without it."""
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
    site = as_sentence(site_name(attention.site_id, "attention"))
    finding(f"**{site}, {head_code(layer, head)}**: {row_words(stages, tokens, row)}")
    cells = stages_table(stages, tokens, tokens)
    figure = _stages_figure(attention, stages, row, step)
    _show_pair(figure, cells, (layer, head), step)
    st.markdown(moved_words(stages))
    _row_numbers(attention, stages, cells, (layer, head), row)


def _stages_figure(attention: AttentionMap, stages: HeadStages, row: int, step: Step) -> Figure:
    """Return the numbers of a step of the softmax, with the mask and without it."""
    masked, free = {
        "score": (stages.scores, stages.scores),
        "exp": (stages.terms, stages.free_terms),
        "weight": (stages.weights, stages.free_weights),
    }[step]
    tokens = attention.query_tokens
    return pair_figure(
        {say("masks-seen-with-mask"): masked, say("masks-seen-same-scores"): free},
        attention.mask,
        (tokens, tokens),
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


def _without_mask(run: Run, attention: AttentionMap, head: tuple[int, int], row: int) -> None:
    """Draw the decoder without its mask: what it attends to, its probabilities, its output."""
    record, log_probs = teacher_force(run, LIFTING)
    weights = record.of(attention.site_id).head(*head)
    tokens = attention.query_tokens
    cells = outside_table(weights, attention.mask, tokens, tokens)
    output = searched_again(run, LIFTING)
    finding(lifted_words(run, log_probs, output))
    figure = pair_figure(
        {
            say("masks-seen-with-mask"): attention.head(*head),
            say("masks-seen-whole-decoder"): weights,
        },
        attention.mask,
        (tokens, tokens),
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
    show_forced("seen-forced", ForcedText(tgt.tokens, runs), site=DECODER)
    caption("masks-seen-forced-words", whose=which, **facts)


def _forced_on(run: Run, text: str) -> tuple[TokenSequence, dict[str, np.ndarray]]:
    source = run.choices.text
    return run.translator.tokenize(text), {
        "masked": ask(run.translator, Translator.score, source, text, intervention=None),
        "read": ask(run.translator, Translator.score, source, text, intervention=LIFTING),
    }


def written_log_probs(run: Run, tgt: TokenSequence) -> np.ndarray:
    """Return log p of each token of `tgt` without the mask, after its prefix alone, (T_tgt,)."""
    log_probs = [
        next_log_probs(run, LIFTING, tgt.ids[:position])[token_id]
        for position, token_id in enumerate(tgt.ids)
    ]
    return np.asarray(log_probs)
