"""The view in which a person changes something, driven without a browser."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.attention import TRANSFORMER_SITES
from core.building import ablations_of, forbidden_by, read_weights, shortest_ablations, split
from core.change import ChangeError
from core.changes import ABLATIONS, AblatedHead, LiftedMask, MaskedCell, NoNorm, Positions
from core.intervention import Intervention, hide, read_change
from core.tokens import distinct_labels
from model.errors import InterventionError
from model.intervene import intervening
from support import app as harness
from support.app import asked, n_charts, press, put, run, says, shown, words
from words import Message, english

TEXT = "A dog runs through the snow."
OTHER = "A man plays the guitar."
CROSS_SITE = replace(TRANSFORMER_SITES["cross"], n_layers=2, n_heads=4)


pytestmark = pytest.mark.usefixtures("folder")


def open_page(tool: str = "tokens", **address: str) -> AppTest:
    known = {"text": TEXT, "max_len": "8", "mask_look": "change", "change_tool": tool}
    known["change"] = "none"
    return harness.open_page("masks", **(known | address))


def below(n: int) -> st.SearchStrategy:
    """A number from zero, or none."""
    return st.none() | st.integers(0, n - 1)


def click_cell(page: AppTest, q: int, k: int) -> AppTest:
    return harness.click(page, "change_matrix", "cell", q=q, k=k)


def change_of(page: AppTest) -> Intervention:
    text = asked(page)["change"]
    return Intervention() if text == "none" else read_change(text)


def listed(page: AppTest) -> list[str]:
    """The parts of the change, as the keys of the buttons that take them out."""
    keys = [each.key for each in page.button if each.key.startswith("change_remove_")]
    return [key.removeprefix("change_remove_") for key in keys]


# Nothing changed, and tokens


@pytest.mark.parametrize(
    ("text", "hidden"), [(TEXT, "runs"), (harness.DEFAULT.text, "animal"), ("Hi.", "Hi")]
)
def test_the_view_opens_with_a_telling_word_hidden_and_nothing_changed_can_be_had(text, hidden):
    page = harness.open_page("masks", mask_look="change", text=text, max_len="8")
    labels = distinct_labels(page.session_state["run"].translation.src.tokens)
    pieces = [labels[place] for place in page.pills("change_hidden").value]
    assert "".join(pieces).replace("·", "").strip("␣") == hidden
    assert says(page, "masks-change-opening")
    assert n_charts(page) == 5
    assert "change" not in asked(page)
    press(page, "change_clear")
    assert says(page, "masks-change-count", n=0)
    assert says(page, "masks-effect-none")
    assert asked(page)["change"] == "none"
    assert n_charts(page) == 0
    press(page, "change_undo")
    assert "change" not in asked(page)


def test_the_way_back_to_the_address_of_the_opening_shows_it(monkeypatch):
    monkeypatch.setattr("ui.address.by_history", lambda: True)
    page = harness.open_page("masks", mask_look="change", text=TEXT, max_len="8")
    assert listed(page)
    assert "change" not in asked(page)


def test_a_clicked_token_is_hidden_and_moves_along_with_the_place():
    page = put(open_page(), change_hidden=[1])
    assert listed(page) == ["hide-both-2"]
    assert change_of(page) == hide(1)
    assert change_of(put(page, change_where="cross")) == hide(1, where="cross")
    assert page.pills("change_hidden").value == [1]


def test_all_tokens_hidden_is_one_sentence_and_the_last_effect_stays():
    page = open_page(change="hide-both-2")
    put(page, change_hidden=[*range(len(page.pills("change_hidden").options))])
    assert len(page.error) == 1
    assert says(page, "model-change-nothing-left-hint")
    assert says(page, "masks-change-still")
    assert n_charts(page) == 5
    assert not put(page, change_hidden=[1]).error


@given(
    st.sets(st.integers(0, 5)),
    st.sets(st.integers(0, 5)),
    st.sampled_from(["encoder", "cross", "both"]),
    st.sets(st.integers(0, 5)),
)
def test_what_is_chosen_to_be_hidden_is_hidden_there(encoder, cross, where, wanted):
    change = hide(*encoder, where="encoder") | hide(*cross, where="cross")
    new = change.hiding(*wanted, where=where)
    assert set(wanted) <= set(new.hidden_from(where))
    if where != "both":
        assert new.hidden_from(where) == tuple(sorted(wanted))
        other = "cross" if where == "encoder" else "encoder"
        assert new.hidden_from(other) == change.hidden_from(other)


# The list


def test_undo_takes_back_the_last_step_and_undo_all_everything():
    page = open_page(change="hide-both-2")
    assert page.button("change_undo").disabled
    lifted = hide(1) | Intervention(LiftedMask())
    assert change_of(put(page, change_causal=False)) == lifted
    for button, left in (
        *(("undo", hide(1)), ("clear", Intervention()), ("undo", hide(1))),
        *(("remove_hide-both-2", Intervention()), ("undo", hide(1))),
    ):
        assert change_of(press(page, f"change_{button}")) == left
    assert page.toggle("change_causal").value is True


def test_two_acts_before_the_page_is_drawn_anew_both_count():
    page = open_page("row", change="hide-both-2~peek~mask-cross-1.1-1.2")
    for part in ("hide-both-2", "mask-cross-1.1-1.2"):
        page.button(f"change_remove_{part}").click()
    row = numbers_for(page, 0.2, 0, 0.8)
    found = change_of(put(page, change_row_text=row))
    assert found.without(*found.overridden) == Intervention(LiftedMask())
    assert len(found.overridden) == 1


# Address and sentence


def test_what_does_not_fit_is_left_out_with_a_sentence_and_the_rest_is_kept():
    wrong = "zero-cross-9.1 nonsense mean-cross-1.1 mask-cross-1.1-1.99 mask-sideways-1.1-1.1"
    page = open_page(change="~".join(["hide-both-2.60", *wrong.split()]))
    assert change_of(page) == hide(1)
    for part in ("hide-both-60", *wrong.split()):
        assert f"“{part}” in the address was left out" in words(page)
    assert "“zero-cross-9.1” in the address was left out: layer 9 of" in words(page)
    assert "was left out" not in words(press(page, "change_remove_hide-both-2"))


def test_positions_stay_behind_with_their_sentence_and_come_back_with_it():
    page = put(open_page(change="hide-both-2~peek~zero-cross-1.1"), text=OTHER)
    stays = Intervention(LiftedMask(), AblatedHead("cross", 0, 0))
    assert change_of(page) == stays
    assert change_of(put(page, text=TEXT)) == stays | hide(1)
    page = put(open_page("positions", change="target-reversed-2"), text=OTHER)
    span = len(page.session_state["run"].translation.tgt)
    assert change_of(page).positions("target") == Positions("reversed", span=span, side="target")


def test_the_parts_of_a_change_make_up_the_whole():
    change = read_change(
        "peek~hide-both-2~mask-cross-1.1-all.2~mask-cross-1.1-3.2~mask-decoder-1.1-3.1~"
        "mask-encoder-1.1-3.2~zero-cross-1.1~row-encoder-1.1-1-1~row-cross-1.1-1-1~source-absent"
    )
    general, on_source, on_target = split(change)
    assert general | on_source | on_target == change
    assert general == read_change("peek~zero-cross-1.1~source-absent")
    assert on_target == read_change("mask-cross-1.1-3.2~mask-decoder-1.1-3.1~row-cross-1.1-1-1")


# Cells


def test_a_clicked_cell_is_forbidden_once_and_a_second_click_allows_it():
    page = open_page("cells")
    place = [page.selectbox(f"change_{name}").value for name in ("kind", "layer", "head")]
    run(click_cell(page, 2, 1))
    assert change_of(page).masked == (MaskedCell(*place, 2, 1),)
    assert not change_of(click_cell(page, 2, 1))


def test_a_cell_is_forbidden_by_keyboard_in_all_heads():
    page = open_page("cells")
    for name, place in (("layer", -1), ("head", -1), ("query", -1), ("key", 2)):
        put(page, **{f"change_{name}": place})
    press(page, "change_toggle_cell")
    assert change_of(page).masked == (MaskedCell("cross", None, None, None, 2),)
    assert page.button("change_toggle_cell").label == english("masks-change-allow")
    assert not change_of(press(page, "change_toggle_cell"))


@pytest.mark.parametrize(
    ("change", "kind", "cell", "why", "left"),
    [
        ("hide-both-2", "cross", (0, 1), "forbidden", hide(1)),
        ("none", "decoder", (0, 3), "causal", Intervention()),
    ],
)
def test_a_cell_that_is_forbidden_already_is_left_to_that(change, kind, cell, why, left):
    page = click_cell(put(open_page("cells", change=change), change_kind=kind), *cell)
    assert change_of(page) == left
    assert says(page, f"masks-change-{why}-already")


@given(
    st.lists(
        st.builds(
            MaskedCell,
            st.sampled_from(["encoder", "cross"]),
            *map(below, (2, 4, 6)),
            st.integers(0, 5),
        ),
        max_size=4,
    ),
    st.sets(st.integers(0, 5), max_size=2),
)
def test_forbidden_cells_are_those_of_the_model(tiny_translator, cells, hidden):
    change = Intervention(*tuple(cells)) | hide(*hidden)
    try:
        with intervening(tiny_translator.model, change, n_src=6, n_tgt=6) as changed:
            may_look = {kind: changed.may_look(kind, 6, 6) for kind in ("encoder", "cross")}
    except InterventionError:  # a row is left with nothing
        return
    for kind, seen in may_look.items():
        found = forbidden_by(change, TRANSFORMER_SITES[kind], seen.shape)
        np.testing.assert_array_equal(found, ~seen)


# Heads


def test_clicked_heads_are_switched_off_and_on_again():
    page = put(open_page("heads"), change_off_cross_0=[1, 2])
    assert change_of(page).ablated == (AblatedHead("cross", 0, 1), AblatedHead("cross", 0, 2))
    put(page, change_how="uniform")
    assert {entry.how for entry in change_of(page).ablated} == {"uniform"}
    assert not change_of(press(page, "change_all_on"))
    offered = [english(f"knock_how-{how}") for how in ("zero", "uniform")]
    assert page.radio("change_how").options == offered
    assert says(page, "masks-change-no-means")


def test_all_heads_of_cross_attention_off_is_put_into_words():
    page = open_page("heads")
    press(page, "change_all_off")
    assert change_of(page).ablated == (AblatedHead("cross"),)
    note = {"site": english("site-cross-attention"), "of": "cross"}
    assert says(page, "model-change-note-off", **note)
    put(page, change_off_cross_1=[0, 1, 2])
    assert not says(page, "model-change-note-off", **note)
    assert AblatedHead("cross", 0) in change_of(page).ablated


@given(
    st.lists(
        st.builds(AblatedHead, st.just("cross"), *map(below, (2, 4)), st.sampled_from(ABLATIONS)),
        max_size=6,
    )
)
def test_short_entries_switch_off_the_same_heads(heads):
    how = ablations_of(Intervention(*tuple(heads)), CROSS_SITE)
    short = Intervention(*shortest_ablations("cross", how))
    np.testing.assert_array_equal(ablations_of(short, CROSS_SITE), how)


# A row


def type_row(page: AppTest, text: str) -> AppTest:
    return put(page, change_row_text=text)


def row_of(page: AppTest) -> list[str]:
    """The weights in the box."""
    return page.text_input("change_row_text").value.split()


def numbers_for(page: AppTest, *weights: float) -> str:
    return " ".join(f"{w:g}" for w in (*weights, *[0] * (len(row_of(page)) - len(weights))))


def test_a_typed_row_is_given_to_the_model_and_a_bad_one_leaves_it():
    page = open_page("row")
    given = change_of(type_row(page, numbers_for(page, 0.2, 0.8)))
    (row,) = given.overridden
    assert row.weights[:2] == (0.2, 0.8)
    assert sum(row.weights) == pytest.approx(1)
    assert "**by hand**" in words(page)
    for weights, said in (((0.2, 0.7), "0.9"), ((1.5, -0.5), "-0.5")):
        (error,) = type_row(page, numbers_for(page, *weights)).error
        assert said in shown(error.value)
        assert change_of(page) == given
    assert "**by hand**" not in words(put(page, change_query=3)), "another query has another row"
    assert len(change_of(type_row(page, numbers_for(page, 1))).overridden) == 2
    put(put(page, change_kind="decoder"), change_query=2)
    assert len(row_of(page)) == 3  # that are written by then


def test_typed_nonsense_is_one_sentence_and_stays_in_the_box():
    page = open_page("row", change="hide-both-2")
    n_keys = len(row_of(page))
    for text, id, values in (
        ("0.2 0.8", "count", {"found": 2, "expected": n_keys}),
        ("0.2 zwei", "no-number", {"text": "zwei"}),
        ("", "count", {"found": 0, "expected": n_keys}),
    ):
        type_row(page, text)
        assert says(page, f"masks-change-row-{id}", **values)
        assert page.text_input("change_row_text").value == text
        assert change_of(page) == hide(1)


@pytest.mark.parametrize("text", ["0.2 0.8", "0.2, 0.8", "0.2;0.8", "0,2 0,8", ".2 .8,"])
def test_numbers_are_read_however_they_are_set_apart(text):
    assert read_weights(text, ("a", "b"), (True, True)) == (0.2, 0.8)
    assert read_weights(" 1,0 ", ("a", "b"), (True, True)) == (1.0, 0.0)
    with pytest.raises(ChangeError) as caught:
        read_weights(text, ("a", "b"), (True, False))
    assert caught.value.message == Message.of("masks-change-row-unseen", token="b")


# Positions


def test_positions_are_changed_on_either_side():
    page = put(open_page("positions"), change_source_mode="shifted", change_target_mode="permuted")
    found = change_of(put(put(page, change_source_offset=7), change_target_seed=5))
    span = len(page.session_state["run"].translation.tgt)
    assert found.positions("source") == Positions("shifted", 7)
    assert found.positions("target") == Positions("permuted", seed=5, span=span, side="target")
    put(page, change_source_mode="normal")
    assert not change_of(put(page, change_target_mode="normal"))


# Sub-layers


def test_a_single_sub_layer_is_left_out_beside_what_is_changed_already():
    page = put(open_page("sublayers", change="hide-both-2"), change_part="norm")
    put(page, change_part_stack="decoder", change_part_layer="2", change_part_name="cross")
    wanted = hide(1) | Intervention(NoNorm("decoder", 1, "cross"))
    assert change_of(press(page, "change_leave_out")) == wanted


# Presets

OF_MODEL = {
    "residual": "residual-all-all-all",
    "norm": "norm-all-all-all",
    "attention-encoder": "zero-encoder-all.all",
    "attention-decoder": "zero-decoder-all.all",
    "attention-cross": "zero-cross-all.all",
    "source-absent": "source-absent",
    "target-absent": "target-absent",
    "shifted": "source-shifted-50~target-shifted-50",
    "permuted": "source-permuted-0~target-permuted-0-{n}",
}
"""By preset the address of the intervention as a reader builds it."""


@pytest.mark.parametrize("preset", OF_MODEL)
def test_a_preset_is_the_intervention_built_by_hand_in_place_of_the_current_one(preset):
    page = put(open_page(change="peek~hide-both-2"), change_preset=preset)
    n = len(page.session_state["run"].tgt)
    assert change_of(page) == read_change(OF_MODEL[preset].format(n=n))
    assert page.selectbox("change_preset").value == preset
    assert change_of(press(page, "change_undo")) == hide(1) | Intervention(LiftedMask())
    assert page.selectbox("change_preset").value == "own"


def test_without_a_known_pronoun_no_coreference_test_is_a_preset():
    page = open_page()
    offered = page.selectbox("change_preset").options
    assert len(offered) == 1 + len(OF_MODEL)
    coreference = {english(f"change_preset-{role}") for role in ("antecedent", "other", "control")}
    assert not coreference & set(offered)
