"""Ablation of every head in turn, to see which ones the translation needs."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.ablation import HeadAblation, ablation_facts, ablation_table, choice_facts
from core.interventions.intervention import Intervention
from core.interventions.kinds import ABLATIONS, AblatedHead, Ablation
from core.measurements import INTERVENTIONS
from core.records.attention import HEAD, AttentionMap, Head
from model.experiments.ablation import ablate_each_head
from ui.frame.messages import head_at, plain, say, site_name, stated
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.blocks import picture, table
from ui.kit.clicks import click_count, take_click
from ui.kit.controls import button, choice
from ui.kit.decisions import TokenForms, pronoun_choice
from ui.kit.effect import show_effect
from ui.kit.export import counted_from_one
from ui.kit.head_roles import measured_head
from ui.kit.layout import bar, caption, finding, settings, subtitle, wide
from ui.kit.measurements import stored_box
from ui.kit.text_changes import MOST_TEXT, in_one, pair_words
from ui.pages.masks.draft import current_change, has_means, set_change, write_address
from viz.ablation import SELECTION_NAME, head_grid
from viz.labels import full_head_name

# Gain in log P that is worth a sentence.
SMALL = 0.005
# Change of log P below which the output does not need a head.
SPARED = 0.05
MOST_NAMED = 6
# Pixels of table columns.
WIDTHS = {"name": 110, "changed": 110, "token": 120, "text": 430}


def show(run: Run) -> None:
    # "mean" needs stored means of the head's outputs.
    offered = [ablation for ablation in ABLATIONS if ablation != "mean" or has_means(run)]
    forms = pronoun_choice(run)
    menus = bar("knock")
    with menus:
        ablation = choice("knock_how", offered)
    if "mean" not in offered:
        with settings():
            stored_box(run.card.measured(INTERVENTIONS))
    result = _ablated(run, ablation, forms)
    lines = ablation_table(result)
    with menus:
        head = _head_menu(result)
        measure = "all" if forms is None else _measure_menu(forms.labels[0])
    off = AblatedHead(*head, ablation)
    finding(missed_words(result, lines))
    _grid(result, lines, head, measure)
    st.markdown(_greedy_words(result, head))
    button("knock_keep", _keep, run, off, icon="push_pin")
    _tell_kept(run, off)
    if forms is not None:
        st.markdown(f"{choice_words(result)} {spared_words(run, lines)}")
    _without(run, head, off)
    _ranking(result, lines)


def _ablated(run: Run, ablation: Ablation, forms: TokenForms | None) -> HeadAblation:
    """Ablate each head; with `forms` also measure what the pronoun becomes."""
    if forms is None:
        return ask(run.translator, ablate_each_head, run.src, run.tgt, ablation)
    return ask(
        run.translator,
        ablate_each_head,
        run.src,
        run.tgt,
        ablation,
        position=forms.position,
        choice_ids=forms.ids,
    )


def _measure_menu(token: str) -> str:
    """Draw the menu of what is measured: "all" of the output, or the probability of its pronoun."""
    return choice(
        "knock_measure",
        ("all", "pronoun"),
        text=lambda id: say(f"knock_measure-{id}", token=token),
    )


def missed_words(result: HeadAblation, lines: pd.DataFrame) -> str:
    """Return the headline: what the most important head is needed for, and the other heads."""
    facts = ablation_facts(lines)
    site, layer, head = facts["head"]
    words = {**facts, "head": full_head_name(site, layer, head)}
    output = result.outputs[result.heads.index(facts["head"])]
    if output.ids == result.plain_output.ids:
        return say("masks-knockout-missed", **words)
    text = in_one(result.plain_output.text, output.text) or say("masks-nothing-written")
    others = say("masks-knockout-others", others=facts["changed"] - 1, n=facts["n"])
    return f"{say('masks-knockout-needed', text=text, **words)} {others}"


def _grid(result: HeadAblation, lines: pd.DataFrame, selected: Head, measure: str) -> None:
    """Draw the effect of each head on the whole output, or on its pronoun."""
    shares = measure == "pronoun"
    title = say(f"masks-knockout-bars{'-pronoun' if shares else ''}", how=result.ablation)
    figure = head_grid(
        lines,
        result.choice_probs[:, 0] if shares else lines["change"].to_numpy(),
        title=title,
        shares=shares,
        click=click_count("knock_bars"),
        selected=selected,
    )
    with wide("knock"):
        picture(
            "knock-bars",
            figure,
            clicks=True,
            numbers=lambda: counted_from_one(lines),
            how=result.ablation,
            n=len(lines),
        )


def _without(run: Run, head: Head, off: AblatedHead) -> None:
    """Draw the translation that a search writes without the head."""
    site_id, layer, head_index = head
    subtitle(
        "masks-knockout-without",
        site=site_name(site_id, "attention"),
        layer=layer + 1,
        head=head_index + 1,
    )
    caption("masks-knockout-search", beam=run.choices.decoding.beam_size)
    # Zero and mean ablation leave the head's weights alone, so the page looks for heads that moved.
    looks_elsewhere = off.ablation == "uniform"
    show_effect(
        run,
        Intervention(off),
        key="knockout_effect",
        site=site_id if looks_elsewhere else None,
        head=(layer, head_index) if looks_elsewhere else None,
    )


def spared_words(run: Run, lines: pd.DataFrame) -> str:
    """Return a sentence on the coreference head if the output hardly changes without it, or ""."""
    head = next((head for of in run.record.maps if (head := coreference_head(run, of))), None)
    if head is None:
        return ""
    (change,) = lines.loc[(lines[HEAD] == list(head)).all(axis=1), "change"]
    if abs(change) >= SPARED:
        return ""
    return say("masks-knockout-spared", head=full_head_name(*head), change=change)


def coreference_head(run: Run, attention: AttentionMap) -> Head | None:
    """Return the head of this map that follows the antecedent by evaluation, if any."""
    head = measured_head(run.card, attention)
    return None if head is None else (attention.site_id, *head)


def choice_words(result: HeadAblation) -> str:
    """Return sentences on the head that the pronoun needs most and on rivals that overtake it."""
    lowest, lost = choice_facts(result)
    heads = [stated("masks-knockout-overtaken-head", **facts) for facts in lost[:MOST_NAMED]]
    overtaken = say(f"masks-knockout-{'' if heads else 'never-'}overtaken", heads=", ".join(heads))
    return f"{stated('masks-knockout-lowest', **lowest)} {overtaken}"


def _head_menu(result: HeadAblation) -> Head:
    take_click("knock_head", result.heads, "knock_bars", SELECTION_NAME, HEAD)
    return choice(
        "knock_head",
        result.heads,
        style="select",
        # The head whose absence costs the output most.
        default=result.heads[int(result.changes.argmin())],
        text=lambda head: head_at(*head),
        spell=lambda head: f"{head[0]} {head[1] + 1}.{head[2] + 1}",
        width=200,
    )


def _tell_kept(run: Run, off: AblatedHead) -> None:
    """Draw a note while the head that was added is still part of the draft."""
    building = current_change(run)
    # The view of the draft may have removed it since.
    if st.session_state.get("knock_kept") == off and off in building.ablated:
        write_address(building, Intervention())
        head = head_at(off.site, off.layer or 0, off.head or 0)
        sentence = say("masks-knockout-kept", head=head, view=say("view-masks-change"))
        st.success(sentence, icon=":material/push_pin:")


def _greedy_words(result: HeadAblation, head: Head) -> str:
    """Return the greedy outputs with all heads and without this one, as Markdown."""
    before = result.plain_output
    after = result.outputs[result.heads.index(head)]
    if before.ids != after.ids:
        return pair_words(
            "masks-knockout-greedy-all", "masks-knockout-greedy-without", before.text, after.text
        )
    same = plain(after.text, MOST_TEXT) or say("masks-nothing-written")
    return say("masks-knockout-greedy-stays", text=same)


def _keep(run: Run, off: AblatedHead) -> None:
    set_change(run, current_change(run) | Intervention(off))
    st.session_state["knock_kept"] = off


def _ranking(result: HeadAblation, lines: pd.DataFrame) -> None:
    best = lines.loc[lines["change"].idxmax()]
    sentences = [say("masks-knockout-time", n=len(lines), seconds=result.seconds)]
    if best["change"] > SMALL:
        head = tuple(best[HEAD])
        sentences.insert(0, stated("masks-knockout-likelier", head=head, change=best["change"]))
    subtitle("masks-knockout-all")
    st.markdown(" ".join(sentences))
    ranking = lines.sort_values("change", kind="stable")
    ranking["name"] = [head_at(*head) for head in ranking[HEAD].itertuples(index=False)]
    shares = [name for name in ranking if name.startswith("P(")]
    table(
        "knock-table",
        ranking[["name", "change", "changed", *shares, "token", "token_change", "text"]],
        widths=WIDTHS | dict.fromkeys(shares, 80),
        formats=dict.fromkeys(["change", "token_change", *shares], "%.3f"),
        height=400,
    )
