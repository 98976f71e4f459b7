"""Ablation of every head in turn: which ones does the translation need?"""

from __future__ import annotations

from functools import reduce
from typing import Any

import pandas as pd
import streamlit as st

from core.ablation import HeadAblation, choice_facts, knockout_facts, knockout_table
from core.attention import HEAD, Head
from core.interventions.intervention import Intervention
from core.interventions.kinds import ABLATIONS, AblatedHead
from core.measurements import INTERVENTIONS
from model.experiments.ablation import ablate_each_head
from ui.effect import MOST_TEXT, pair_words, show_effect
from ui.export import counted_from_one
from ui.kit.blocks import picture, table
from ui.kit.controls import button, choice, click_count
from ui.kit.layout import caption, control_row, finding, paragraph, settings, subtitle
from ui.masks.built import current_change, has_means, set_change, write_address
from ui.masks.choices import pronoun_choice
from ui.state import Run
from ui.stored import stored_box
from ui.words import head_at, plain, quoted, say, site_name, stated
from viz.ablation import SELECTION_NAME, choice_dots, head_bars

# Gain in log P that is worth a sentence.
SMALL = 0.005
MOST_NAMED = 6
# Pixels of table columns.
WIDTHS = {"name": 110, "changed": 110, "token": 120, "text": 430}


def show(run: Run) -> None:
    # "mean" needs stored means of the head's outputs.
    offered = [how for how in ABLATIONS if how != "mean" or has_means(run)]
    with settings():
        how = choice("knock_how", offered)
        order = choice("knock_order", ("ranked", "place"))
        if "mean" not in offered:
            stored_box(run.card.lies(INTERVENTIONS))
    followed = pronoun_choice(run)
    rows = {"position": followed.position, "choice_ids": followed.ids} if followed else {}
    found = run.ask_pair(ablate_each_head, how, **rows)
    lines, above = knockout_table(found), st.container()
    head = _head_menu(run, found)
    looks: dict[str, Any] = {"ranked": order == "ranked", "selected": head}
    told: dict[str, Any] = {"how": how, "n": len(lines)}
    told |= {"clicks": True, "numbers": lambda: counted_from_one(lines)}
    finding(stated("masks-knockout-missed", **knockout_facts(lines)))
    bars = head_bars(
        found.heads,
        lines["change"].to_numpy(),
        title=say("masks-knockout-bars", how=how),
        pale=~lines["changed"],
        outputs=lines["text"],
        click=click_count("knock_bars"),
        **looks,
    )
    with above:
        picture("knock-bars", bars, **told)
    if followed is not None:
        written, *rivals = map(quoted, followed.labels)
        # Languages join lists in their own ways, so a message joins two at a time.
        rivals = reduce(lambda a, b: say("masks-knockout-rivals", first=a, second=b), rivals)
        subtitle("masks-knockout-choices", written=written, rivals=rivals, how=how)
        picture(
            "knock-choices",
            choice_dots(found, click=click_count("knock_choices"), **looks),
            below=choice_words(found),
            choices=", ".join(followed.labels),
            **told,
        )
    place = {"site": site_name(head[0], "attention"), "layer": head[1] + 1, "head": head[2] + 1}
    subtitle("masks-knockout-without", **place)
    caption("masks-knockout-search", beam=run.choices.decoding.beam_size)
    # Zero and mean ablation leave the head's weights alone, so the page looks for heads that moved.
    shown = {"kind": head[0], "head": head[1:]} if how == "uniform" else {}
    show_effect(run, Intervention(AblatedHead(*head, how)), key="knockout_effect", **shown)
    _ranking(found, lines)


def choice_words(found: HeadAblation) -> str:
    """Return sentences on the head that the pronoun needs most and on rivals that overtake it."""
    lowest, lost = choice_facts(found)
    heads = [stated("masks-knockout-overtaken-head", **each) for each in lost[:MOST_NAMED]]
    how = say(f"masks-knockout-{'' if heads else 'never-'}overtaken", heads=", ".join(heads))
    return f"{stated('masks-knockout-lowest', **lowest)} {how}"


def _head_menu(run: Run, found: HeadAblation) -> Head:
    with control_row():
        head = choice(
            "knock_head",
            found.heads,
            style="select",
            default=found.heads[int(found.changes.argmin())],
            text=lambda place: head_at(*place),
            spell=lambda place: f"{place[0]} {place[1] + 1}.{place[2] + 1}",
            clicks=[(chart, SELECTION_NAME, *HEAD) for chart in ("knock_bars", "knock_choices")],
            width=200,
        )
        off = AblatedHead(*head, found.how)
        button("knock_keep", _keep, run, off, icon="push_pin")
    # Told only while the head is still part of the draft.
    building = current_change(run)
    if st.session_state.get("knock_kept") == off and off in building.ablated:
        write_address(building, Intervention())
        said = say("masks-knockout-kept", head=head_at(*head), view=say("view-masks-change"))
        st.success(said, icon=":material/push_pin:")
    # Greedy outputs, as for all heads; the search follows below.
    before, after = found.plain_output, found.outputs[found.heads.index(head)]
    if before.ids != after.ids:
        names = "masks-knockout-greedy-all", "masks-knockout-greedy-without"
        st.markdown(pair_words(*names, before.text, after.text))
    else:
        same = plain(after.text, MOST_TEXT) or say("masks-nothing-written")
        paragraph("masks-knockout-greedy-stays", text=same)
    return head


def _keep(run: Run, off: AblatedHead) -> None:
    set_change(run, current_change(run) | Intervention(off))
    st.session_state["knock_kept"] = off


def _ranking(found: HeadAblation, lines: pd.DataFrame) -> None:
    best = lines.loc[lines["change"].idxmax()]
    said = [say("masks-knockout-time", n=len(lines), seconds=found.seconds)]
    if best["change"] > SMALL:
        likelier = {"head": tuple(best[HEAD]), "change": best["change"]}
        said.insert(0, stated("masks-knockout-likelier", **likelier))
    subtitle("masks-knockout-all")
    st.markdown(" ".join(said))
    shown = lines.sort_values("change", kind="stable")
    shown["name"] = [head_at(*place) for place in shown[HEAD].itertuples(index=False)]
    shares = [name for name in shown if name.startswith("P(")]
    table(
        "knock-table",
        shown[["name", "change", "changed", *shares, "token", "token_change", "text"]],
        widths=WIDTHS | dict.fromkeys(shares, 80),
        formats=dict.fromkeys(["change", "token_change", *shares], "%.3f"),
        height=400,
    )
