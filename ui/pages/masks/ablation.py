"""Ablation of every head in turn, to see which ones the translation needs."""

from __future__ import annotations

from functools import reduce

import pandas as pd
import streamlit as st

from core.ablation import HeadAblation, choice_facts, knockout_facts, knockout_table
from core.interventions.intervention import Intervention
from core.interventions.kinds import ABLATIONS, AblatedHead
from core.measurements import INTERVENTIONS
from core.records.attention import HEAD, Head
from model.experiments.ablation import ablate_each_head
from ui.frame.messages import head_at, plain, quoted, say, site_name, stated
from ui.frame.state import Run
from ui.kit.blocks import picture, table
from ui.kit.controls import button, choice, click_count
from ui.kit.decisions import TokenForms, pronoun_choice
from ui.kit.effect import MOST_TEXT, pair_words, show_effect
from ui.kit.export import counted_from_one
from ui.kit.layout import caption, control_row, finding, paragraph, settings, subtitle
from ui.kit.measurements import stored_box
from ui.pages.masks.draft import current_change, has_means, set_change, write_address
from viz.ablation import SELECTION_NAME, choice_dots, head_bars

# Gain in log P that is worth a sentence.
SMALL = 0.005
MOST_NAMED = 6
# Pixels of table columns.
WIDTHS = {"name": 110, "changed": 110, "token": 120, "text": 430}


def show(run: Run) -> None:
    # "mean" needs stored means of the head's outputs.
    offered = [ablation for ablation in ABLATIONS if ablation != "mean" or has_means(run)]
    with settings():
        ablation = choice("knock_how", offered)
        order = choice("knock_order", ("ranked", "place"))
        if "mean" not in offered:
            stored_box(run.card.lies(INTERVENTIONS))
    ranked = order == "ranked"
    forms = pronoun_choice(run)
    if forms:
        result = run.ask_pair(
            ablate_each_head, ablation, position=forms.position, choice_ids=forms.ids
        )
    else:
        result = run.ask_pair(ablate_each_head, ablation)
    lines = knockout_table(result)
    above = st.container()
    head = _head_menu(run, result)
    finding(stated("masks-knockout-missed", **knockout_facts(lines)))
    with above:
        _bars(result, lines, head, ranked=ranked)
    if forms is not None:
        _pronoun_dots(result, lines, forms, head, ranked=ranked)
    site_id, layer, head_index = head
    subtitle(
        "masks-knockout-without",
        site=site_name(site_id, "attention"),
        layer=layer + 1,
        head=head_index + 1,
    )
    caption("masks-knockout-search", beam=run.choices.decoding.beam_size)
    # Zero and mean ablation leave the head's weights alone, so the page looks for heads that moved.
    opened = {"site": site_id, "head": (layer, head_index)} if ablation == "uniform" else {}
    show_effect(run, Intervention(AblatedHead(*head, ablation)), key="knockout_effect", **opened)
    _ranking(result, lines)


def _bars(result: HeadAblation, lines: pd.DataFrame, selected: Head, *, ranked: bool) -> None:
    """Draw the change of the output's score without each head."""
    figure = head_bars(
        result.heads,
        lines["change"].to_numpy(),
        title=say("masks-knockout-bars", how=result.ablation),
        pale=~lines["changed"],
        outputs=lines["text"],
        click=click_count("knock_bars"),
        ranked=ranked,
        selected=selected,
    )
    picture(
        "knock-bars",
        figure,
        clicks=True,
        numbers=lambda: counted_from_one(lines),
        how=result.ablation,
        n=len(lines),
    )


def _pronoun_dots(
    result: HeadAblation, lines: pd.DataFrame, forms: TokenForms, selected: Head, *, ranked: bool
) -> None:
    """Draw the probabilities of the pronoun's forms without each head."""
    written, *rivals = map(quoted, forms.labels)
    # Languages join lists in their own ways, so a message joins two at a time.
    rivals = reduce(lambda a, b: say("masks-knockout-rivals", first=a, second=b), rivals)
    subtitle("masks-knockout-choices", written=written, rivals=rivals, how=result.ablation)
    picture(
        "knock-choices",
        choice_dots(result, click=click_count("knock_choices"), ranked=ranked, selected=selected),
        clicks=True,
        numbers=lambda: counted_from_one(lines),
        below=choice_words(result),
        choices=", ".join(forms.labels),
        how=result.ablation,
        n=len(lines),
    )


def choice_words(result: HeadAblation) -> str:
    """Return sentences on the head that the pronoun needs most and on rivals that overtake it."""
    lowest, lost = choice_facts(result)
    heads = [stated("masks-knockout-overtaken-head", **facts) for facts in lost[:MOST_NAMED]]
    overtaken = say(f"masks-knockout-{'' if heads else 'never-'}overtaken", heads=", ".join(heads))
    return f"{stated('masks-knockout-lowest', **lowest)} {overtaken}"


def _head_menu(run: Run, result: HeadAblation) -> Head:
    with control_row():
        head = choice(
            "knock_head",
            result.heads,
            style="select",
            default=result.heads[int(result.changes.argmin())],
            text=lambda head: head_at(*head),
            spell=lambda head: f"{head[0]} {head[1] + 1}.{head[2] + 1}",
            clicks=[(chart, SELECTION_NAME, *HEAD) for chart in ("knock_bars", "knock_choices")],
            width=200,
        )
        off = AblatedHead(*head, result.ablation)
        button("knock_keep", _keep, run, off, icon="push_pin")
    # Told only while the head is still part of the draft.
    building = current_change(run)
    if st.session_state.get("knock_kept") == off and off in building.ablated:
        write_address(building, Intervention())
        sentence = say("masks-knockout-kept", head=head_at(*head), view=say("view-masks-change"))
        st.success(sentence, icon=":material/push_pin:")
    # Greedy outputs, as for all heads; the search follows below.
    before = result.plain_output
    after = result.outputs[result.heads.index(head)]
    if before.ids != after.ids:
        st.markdown(
            pair_words(
                "masks-knockout-greedy-all",
                "masks-knockout-greedy-without",
                before.text,
                after.text,
            )
        )
    else:
        same = plain(after.text, MOST_TEXT) or say("masks-nothing-written")
        paragraph("masks-knockout-greedy-stays", text=same)
    return head


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
