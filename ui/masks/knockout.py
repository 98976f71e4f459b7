"""Every head switched off in turn: which of them does the translation need?"""

from __future__ import annotations

from functools import reduce

import pandas as pd
import streamlit as st

from analysis.knockout import HEAD, Head, knockout_table
from analysis.labels import head_title, token_label
from model import ModelError
from records import ABLATIONS, AblatedHead, Ablation, Intervention, KnockOut
from records.measurements import INTERVENTIONS
from ui import address
from ui.blocks import figure_block
from ui.choice import choice
from ui.effect import show_effect
from ui.effect.outputs import show_pair, word_changes
from ui.export import counted_from_one
from ui.focus import click_count, clicked
from ui.masks.built import current_change, has_means, set_change, write_address
from ui.masks.choices import Choice, pronoun_choice
from ui.masks.results import knocked_out
from ui.state import Run, show_problem
from ui.stored import stored_box
from ui.words import head_at, plain, say, site_name
from viz.knockout import SELECTION_NAME, choice_dots, head_bars
from words import numbers

SMALL = 0.005
MOST_NAMED = 6


def show(run: Run) -> None:
    how, ranked = controls(run)
    followed = pronoun_choice(run)
    position, ids = (followed.position, followed.ids) if followed else (None, ())
    try:
        found = knocked_out(run, how, position, ids)
    except ModelError as error:
        show_problem(error)
        return
    table = knockout_table(found)
    missed_most = found.heads[int(table["change"].to_numpy().argmin())]
    head = _chosen_head(found, missed_most)
    st.markdown(found_words(found, table))
    _bars(run, found, table, head, ranked=ranked)
    if followed is not None:
        _choices(run, found, followed, head, ranked=ranked)
    _one_head(run, found, table, head, missed_most)
    _ranking(table)


def controls(run: Run) -> tuple[Ablation, bool]:
    """What is put in the place of a head, and whether the heads are ranked."""
    offered = [how for how in ABLATIONS if how != "mean" or has_means(run)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = choice("knock_how", offered, words="masks-knockout-how")
        order = choice("knock_order", ("ranked", "place"), words="masks-knockout-order")
    if "mean" not in offered:
        stored_box(run.translator.card.lies(INTERVENTIONS))
    return how, order == "ranked"


def _chosen_head(found: KnockOut, missed_most: Head) -> Head:
    """The head of the last click, of the menu or of the address; at first the one missed most."""
    for chart in ("knock_bars", "knock_choices"):
        cell = clicked(chart, SELECTION_NAME) or {}
        place = tuple(map(cell.get, HEAD))
        if place in found.heads:
            st.session_state["knock_head"] = head_title(*place)
    by_name = {head_title(*head): head for head in found.heads}
    if "knock_head" not in st.session_state or address.by_history():
        asked = address.option("knock_head", by_name)
    else:
        asked = st.session_state["knock_head"]
    return by_name.get(asked, missed_most)


def found_words(found: KnockOut, table: pd.DataFrame) -> str:
    """How many heads change the output, and which is missed most."""
    worst, best = table.loc[table["change"].idxmin()], table.loc[table["change"].idxmax()]
    sentences = [
        say(
            "masks-knockout-missed",
            changed=int(table["changed"].sum()),
            n=len(table),
            head=head_at(*worst[HEAD]),
            change=numbers.signed(worst["change"]),
            token=plain(worst["token"]),
        )
    ]
    if best["change"] > SMALL:
        change = numbers.signed(best["change"])
        sentences.append(say("masks-knockout-likelier", head=head_at(*best[HEAD]), change=change))
    seconds = numbers.fixed(found.seconds)
    sentences.append(say("masks-knockout-time", n=len(table), seconds=seconds))
    return " ".join(sentences)


def _bars(run: Run, found: KnockOut, table: pd.DataFrame, head: Head, *, ranked: bool) -> None:
    st.markdown(f"## {say(f'masks-knockout-bars-{found.how}')}")
    figure = head_bars(
        found.heads,
        table["change"].to_numpy(),
        title=say("masks-knockout-change"),
        ranked=ranked,
        pale=~table["changed"],
        outputs=table["text"],
        selected=head,
        click=click_count("knock_bars"),
    )
    figure_block(
        figure,
        key="knock_bars",
        alt=say("masks-knockout-bars-alt", n=len(table)),
        name=say("masks-knockout-bars-file", how=found.how, text=run.translation.src.text),
        clicks=True,
        caption=say("masks-knockout-bars-caption"),
        numbers=lambda: counted_from_one(table),
    )


def _choices(run: Run, found: KnockOut, followed: Choice, head: Head, *, ranked: bool) -> None:
    written, *rivals = (say("quoted", text=plain(label)) for label in followed.labels)
    rivals = reduce(lambda a, b: say("masks-knockout-rivals", first=a, second=b), rivals)
    title = say(f"masks-knockout-choices-{found.how}", written=written, rivals=rivals)
    st.markdown(f"## {title}")
    figure = choice_dots(
        found,
        ranked=ranked,
        selected=head,
        click=click_count("knock_choices"),
    )
    figure_block(
        figure,
        key="knock_choices",
        alt=say("masks-knockout-choices-alt", choices=", ".join(followed.labels)),
        name=say("masks-knockout-choices-file", how=found.how, text=run.translation.src.text),
        clicks=True,
        below=choice_words(found),
        numbers=lambda: counted_from_one(knockout_table(found)),
    )


def choice_words(found: KnockOut) -> str:
    """Which head the written pronoun needs most, and whether a rival overtakes it anywhere."""
    probabilities = found.choice_probs
    place = int(probabilities[:, 0].argmin())
    labels = [plain(token_label(choice)) for choice in found.choices]
    lowest = say(
        "masks-knockout-lowest",
        written=labels[0],
        plain=numbers.fixed(found.plain_choice_probs[0], 3),
        share=numbers.fixed(probabilities[place, 0], 3),
        head=head_at(*found.heads[place]),
    )
    lost = [
        say(
            "masks-knockout-overtaken-head",
            head=head_at(*head),
            rival=labels[int(row.argmax())],
            share=numbers.fixed(row.max()),
        )
        for head, row in zip(found.heads, probabilities, strict=True)
        if row.argmax() != 0
    ]
    if not lost:
        return f"{lowest} {say('masks-knockout-never-overtaken')}"
    return f"{lowest} {say('masks-knockout-overtaken', heads=', '.join(lost[:MOST_NAMED]))}"


def _one_head(
    run: Run, found: KnockOut, table: pd.DataFrame, head: Head, missed_most: Head
) -> None:
    by_name = {head_title(*each): each for each in found.heads}
    line = table.iloc[found.heads.index(head)]
    change = Intervention(AblatedHead(*head, found.how))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["knock_head"] = head_title(*head)
        choice(
            "knock_head",
            list(by_name),
            words="masks-knockout-head",
            style="select",
            default=head_title(*missed_most),
            text=lambda name: head_at(*by_name[name]),
            filter_mode="fuzzy",
            width=200,
        )
        st.button(
            say("masks-knockout-keep"),
            key="knock_keep",
            icon=":material/push_pin:",
            on_click=_keep,
            args=(run, change, head),
        )
    kept, building = st.session_state.get("knock_kept"), current_change(run)
    if kept == head and change.ablated[0] in building.ablated:
        write_address(building)
        said = say("masks-knockout-kept", head=head_at(*head), view=say("view-masks-change"))
        st.success(said, icon=":material/push_pin:")
    place = {"site": site_name(head[0], "attention"), "layer": head[1] + 1, "head": head[2] + 1}
    st.markdown(f"## {say('masks-knockout-without', **place)}")
    outputs = found.plain_output.text, found.outputs[found.heads.index(head)].text
    with st.container(gap="xsmall"):
        if line["changed"]:
            show_pair("masks-knockout-greedy-all", "masks-knockout-greedy-without", *outputs)
        else:
            same = word_changes(*outputs)[0] or say("masks-nothing-written")
            st.markdown(say("masks-knockout-greedy-stays", text=same))
    st.caption(say("masks-knockout-search", beam=run.choices.decoding.beam_size))
    # Put to zero or its mean, a head keeps its weights; the page then finds where others moved.
    shown = dict(zip(HEAD, head, strict=True)) if found.how == "uniform" else {}
    show_effect(run, change, key="knockout_effect", **shown)


def _keep(run: Run, change: Intervention, head: Head) -> None:
    set_change(run, current_change(run) | change)
    st.session_state["knock_kept"] = head


def _ranking(table: pd.DataFrame) -> None:
    st.markdown(f"## {say('masks-knockout-all')}")
    shown = table.sort_values("change", kind="stable")
    shown["name"] = [head_at(*place) for place in shown[HEAD].itertuples(index=False)]
    probabilities = [name for name in shown if name.startswith("P(")]
    column, number = st.column_config, st.column_config.NumberColumn
    columns = {
        "name": (column.TextColumn, {"width": 110}),
        "change": (number, {"format": "%.3f"}),
        "changed": (column.CheckboxColumn, {"width": 110}),
        "token": (column.TextColumn, {"width": 120}),
        "token_change": (number, {"format": "%.3f"}),
        "text": (column.TextColumn, {"width": 430}),
    }
    st.dataframe(
        shown[["name", "change", "changed", *probabilities, "token", "token_change", "text"]],
        key="knock_table",
        hide_index=True,
        column_config={
            name: kind(say(f"masks-knockout-column-{name}"), **how)
            for name, (kind, how) in columns.items()
        }
        | {name: number(name, format="%.3f", width=80) for name in probabilities},
        height=min(36 * (len(shown) + 1), 400),
        alt=say("masks-knockout-table-alt", n=len(shown)),
    )
