"""Every head switched off in turn: which of them does the translation need?"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from model import ModelError
from records import ABLATIONS, AblatedHead, Ablation, Intervention, KnockOut
from ui.effect import show_effect
from ui.effect.outputs import word_changes
from ui.export import export_menu
from ui.focus import click_count, clicked
from ui.masks.built import current_change, has_means, set_change, write_address
from ui.masks.choices import Choice, pronoun_choice
from ui.masks.results import knocked_out
from ui.masks.stored import COMMAND
from ui.panels import show_figure
from ui.state import Run, is_dark, show_problem
from ui.words import plain
from viz.knockout import (
    SELECTION_NAME,
    Head,
    choice_dots,
    head_bars,
    knockout_table,
)
from viz.labels import head_title, token_label
from viz.overview import KIND_TITLES

HOW_NAMES: dict[Ablation, str] = {
    "zero": "zeros",
    "mean": "its mean output",
    "uniform": "even weights",
}
HOW_WORDS: dict[Ablation, str] = {
    "zero": "each head's output put to zero",
    "mean": "each head's output put to its mean over validation sentences",
    "uniform": "each head's weights made even over what it may see",
}
ORDER_NAMES = {"ranked": "ranked", "place": "by place"}
SMALL = 0.005


def show(run: Run) -> None:
    how, ranked = controls(run)
    choice = pronoun_choice(run)
    position, ids = (choice.position, choice.ids) if choice else (None, ())
    try:
        found = knocked_out(run, how, position, ids)
    except ModelError as error:
        show_problem(error)
        return
    table = knockout_table(found)
    head = _chosen_head(found, table)
    st.markdown(found_words(found, table))
    _bars(run, found, table, head, ranked=ranked)
    if choice is not None:
        _choices(run, found, choice, head, ranked=ranked)
    _one_head(run, found, table, head)
    _ranking(table)


def controls(run: Run) -> tuple[Ablation, bool]:
    """What is put in the place of a head, and whether the heads are ranked."""
    offered = [how for how in ABLATIONS if how != "mean" or has_means(run)]
    if st.session_state.get("knock_how") not in (None, *offered):
        st.session_state["knock_how"] = offered[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = st.segmented_control(
            "In the place of the head",
            offered,
            key="knock_how",
            default=offered[0],
            required=True,
            format_func=HOW_NAMES.get,
            bind="query-params",
            help="Zeros take away all the head would add. Its mean output takes away only what it "
            "says about this sentence. Even weights leave what it carries and take away where it "
            "looks.",
        )
        order = st.segmented_control(
            "Heads",
            list(ORDER_NAMES),
            key="knock_order",
            default="ranked",
            required=True,
            format_func=ORDER_NAMES.get,
            bind="query-params",
        )
    if "mean" not in offered:
        card = run.translator.card
        st.caption(
            "“Its mean output” is not offered: no mean outputs are stored with checkpoint "
            f"{plain(card.name)}. This measures and stores them:"
        )
        st.code(COMMAND.format(card.name), "bash")
    return how or offered[0], (order or "ranked") == "ranked"


def _chosen_head(found: KnockOut, table: pd.DataFrame) -> Head:
    """The head of the last click or of the menu; at first the one that is missed most."""
    names = [head_title(*head) for head in found.heads]
    for chart in ("knock_bars", "knock_choices"):
        cell = clicked(chart, SELECTION_NAME) or {}
        place = tuple(cell.get(name) for name in ("kind", "layer", "head"))
        if place in found.heads:
            st.session_state["knock_head"] = head_title(*place)
    if st.session_state.get("knock_head") not in (None, *names):
        del st.session_state["knock_head"]
    asked = st.session_state.get("knock_head", st.query_params.get("knock_head"))
    if asked in names:
        return found.heads[names.index(asked)]
    return found.heads[int(table["change"].to_numpy().argmin())]


def found_words(found: KnockOut, table: pd.DataFrame) -> str:
    """How many heads change the output, and which is missed most."""
    changed = int(table["changed"].sum())
    worst, best = table.loc[table["change"].idxmin()], table.loc[table["change"].idxmax()]
    text = (
        f"Without one head, the greedy output changes for **{changed} of {len(table)}** heads. "
        f"Missed most: **{worst['name']}**, log P {signed(worst['change'])}, most of it at "
        f"“{plain(worst['token'])}” ({signed(worst['token_change'])})."
    )
    if best["change"] > SMALL:
        text += (
            f" Without {best['name']} the translation becomes likelier: {signed(best['change'])}."
        )
    return text + f" {len(table)} runs in {found.seconds:.2f} s."


def signed(value: float, digits: int = 2) -> str:
    """With its sign, and a true minus; zero has none."""
    text = f"{value:+.{digits}f}"
    return text[1:] if not float(text) else text.replace("-", "−")


def _bars(run: Run, found: KnockOut, table: pd.DataFrame, head: Head, *, ranked: bool) -> None:
    st.markdown(f"##### Change in log P of the translation, {HOW_WORDS[found.how]}")
    figure = head_bars(
        found.heads,
        table["change"].to_numpy(),
        title="change in log P",
        ranked=ranked,
        pale=~table["changed"],
        outputs=table["text"],
        selected=head,
        click=click_count("knock_bars"),
        dark=is_dark(),
    )
    show_figure(
        figure,
        key="knock_bars",
        alt=f"Change in log P of the translation without each of {len(table)} heads; the table "
        "below holds the numbers.",
    )
    st.caption(
        "Strong bars: the greedy output becomes another. Pale bars: it stays. “2.1” is layer 2, "
        "head 1. Click a bar to open its head below."
    )
    export_menu(
        figure,
        key="knock_bars_export",
        name=f"knock-out {found.how} {run.translation.src.text}",
        numbers=lambda: counted_from_one(table),
    )


def _choices(run: Run, found: KnockOut, choice: Choice, head: Head, *, ranked: bool) -> None:
    written, *rivals = (f"“{plain(label)}”" for label in choice.labels)
    st.markdown(
        f"##### Probability of {written} and of {' and '.join(rivals)} in its place, "
        f"{HOW_WORDS[found.how]}"
    )
    figure = choice_dots(found, ranked=ranked, selected=head, click=click_count("knock_choices"))
    show_figure(
        figure,
        key="knock_choices",
        alt=f"Probability of {', '.join(choice.labels)} without each head; dashed lines are those "
        "with all heads.",
    )
    st.markdown(choice_words(found))
    export_menu(
        figure,
        key="knock_choices_export",
        name=f"knock-out {found.how} pronoun {run.translation.src.text}",
        numbers=lambda: counted_from_one(knockout_table(found)),
    )


def choice_words(found: KnockOut) -> str:
    """Which head the written pronoun needs most, and whether a rival overtakes it anywhere."""
    probabilities, plain_ones = found.choice_probs, found.plain_choice_probs
    place = int(probabilities[:, 0].argmin())
    labels = [plain(token_label(choice)) for choice in found.choices]
    text = (
        f"P({labels[0]}) is {plain_ones[0]:.3f} with all heads and lowest, "
        f"**{probabilities[place, 0]:.3f}**, without **{head_title(*found.heads[place])}**."
    )
    lost = [
        f"{head_title(*head)} ({labels[int(row.argmax())]} {row.max():.2f})"
        for head, row in zip(found.heads, probabilities, strict=True)
        if row.argmax() != 0
    ]
    if not lost:
        return text + " No single head decides it: without any of them it stays the likeliest form."
    return text + f" Another form is likelier without {', '.join(lost[:6])}."


def counted_from_one(table: pd.DataFrame) -> pd.DataFrame:
    """The same lines with layers and heads as people count."""
    return table.assign(layer=table["layer"] + 1, head=table["head"] + 1)


def _one_head(run: Run, found: KnockOut, table: pd.DataFrame, head: Head) -> None:
    names = [head_title(*each) for each in found.heads]
    place = found.heads.index(head)
    st.session_state["knock_head"] = names[place]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Head switched off",
            names,
            key="knock_head",
            bind="query-params",
            width=200,
        )
        change = Intervention(ablated=(AblatedHead(*head, found.how),))
        st.button(
            "Keep it off",
            key="knock_keep",
            icon=":material/push_pin:",
            on_click=_keep,
            args=(run, change, head),
        )
    kept, building = st.session_state.get("knock_kept"), current_change(run)
    if kept == head and change.ablated[0] in building.ablated:
        write_address(building)
        st.success(
            f"{names[place].capitalize()} is now off in the change you are building: see “Change "
            "something” above.",
            icon=":material/push_pin:",
        )
    line = table.iloc[place]
    st.markdown(f"##### Without {KIND_TITLES[head[0]]}, layer {head[1] + 1}, head {head[2] + 1}")
    before, after = word_changes(found.plain_output.text, found.outputs[place].text)
    nothing = "*nothing: it ended at once*"
    with st.container(gap="xsmall"):
        if line["changed"]:
            st.markdown(f":violet-badge[greedy, all heads] {before or nothing}")
            st.markdown(f":green-badge[greedy, without it] {after or nothing}")
        else:
            st.markdown(f"The greedy output stays: {before or nothing}")
    beam_size = run.choices.decoding.beam_size
    st.caption(f"Below: the search in use, beam width {beam_size}, with and without this head.")
    # Put to zero or its mean, a head keeps its weights; the page then finds where others moved.
    shown = (
        dict(zip(("kind", "layer", "head"), head, strict=True)) if found.how == "uniform" else {}
    )
    show_effect(run, change, key="knockout_effect", **shown)


def _keep(run: Run, change: Intervention, head: Head) -> None:
    set_change(run, current_change(run) | change)
    st.session_state["knock_kept"] = head


def _ranking(table: pd.DataFrame) -> None:
    st.markdown("##### All heads")
    shown = table.sort_values("change", kind="stable").drop(columns=["kind", "layer", "head"])
    probabilities = [name for name in shown if name.startswith("P(")]
    st.dataframe(
        shown[["name", "change", "changed", *probabilities, "token", "token_change", "text"]],
        key="knock_table",
        hide_index=True,
        column_config={
            "name": st.column_config.TextColumn("head", width=110),
            "change": st.column_config.NumberColumn("change in log P", format="%.3f"),
            "changed": st.column_config.CheckboxColumn("output changes", width=110),
            "token": st.column_config.TextColumn("hardest hit token", width=120),
            "token_change": st.column_config.NumberColumn("its log p", format="%.3f"),
            "text": st.column_config.TextColumn("greedy output without it", width=430),
            **{
                name: st.column_config.NumberColumn(name, format="%.3f", width=80)
                for name in probabilities
            },
        },
        height=min(36 * (len(shown) + 1), 400),
        alt=f"All {len(shown)} heads, the one missed most first; click a title to sort.",
    )
