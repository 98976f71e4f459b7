"""The view in which a person changes something, driven without a browser."""

from __future__ import annotations

import harness
import numpy as np
import pytest
from harness import asked, n_charts, press, put, run, shown, words
from hypothesis import given
from hypothesis import strategies as st
from masks_page import says
from streamlit.testing.v1 import AppTest

from analysis.labels import distinct_labels
from model import InputError
from model.errors import InterventionError
from model.intervene import intervening
from records import (
    ABLATIONS,
    TRANSFORMER_SITES,
    AblatedHead,
    Intervention,
    LiftedMask,
    MaskedCell,
    OverriddenRow,
    Positions,
    hide,
    read_change,
)
from ui.components.row import read_row, rounded
from ui.effect.attention import row_names
from ui.masks.built import ablations_of, forbidden_by, split
from ui.masks.change.heads import shortest_ablations
from ui.masks.change.row import read_weights
from ui.masks.change.tokens import hidden_instead
from words import Message, english, numbers

TEXT = "A dog runs through the snow."
OTHER = "A man plays the guitar."
SHAPE = (2, 4, 5, 6)


pytestmark = pytest.mark.usefixtures("folder")


def open_page(tool: str = "tokens", **address: str) -> AppTest:
    known = {"text": TEXT, "max_len": "8", "mask_look": "change", "change_tool": tool}
    known["change"] = "none"
    return harness.open_page("masks", **(known | address))


def click_cell(page: AppTest, q: int, k: int) -> AppTest:
    return harness.click(page, "change_matrix", "cell", q=q, k=k)


def change_of(page: AppTest) -> Intervention:
    text = asked(page)["change"]
    return Intervention() if text == "none" else read_change(text)


def listed(page: AppTest) -> list[str]:
    buttons = [b for b in page.button if b.key.startswith("change_remove")]
    return [button.label.replace("\\", "") for button in buttons]


def told(id: str, **values: object) -> str:
    """A part of a change as the list tells it."""
    text = english(f"model-change-words-{id}", **values)
    return text[:1].upper() + text[1:]


def hidden(*sites: str) -> str:
    """The word "dog" hidden from these sites, as the list tells it."""
    names = [english(f"site-{site}") for site in sites]
    where = english("model-sites", others=names[0], last=names[1]) if names[1:] else names[0]
    return told("hidden", token="dog", site=where)


def one_head(site: str, layer: int, head: int) -> str:
    site = english(f"site-{site}-attention")
    return english("model-heads-one", site=site, layer=layer, head=head)


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


def test_an_address_keeps_that_nothing_is_changed():
    page = open_page()
    assert not change_of(page)
    assert n_charts(page) == 0


def test_a_clicked_token_is_hidden_and_stands_in_list_and_address(tiny_translator):
    page = open_page()
    put(page, change_hidden=[1])
    assert change_of(page) == hide(1)
    assert listed(page) == [hidden("encoder", "cross")]
    assert n_charts(page) == 5


def test_the_place_that_tokens_are_hidden_from_moves_them_along():
    page = open_page(change="hide-both-2")
    put(page, change_where="cross")
    assert change_of(page) == hide(1, where="cross")
    assert page.pills("change_hidden").value == [1]


def test_the_effect_is_that_of_the_model_itself(tiny_translator):
    page = open_page(change="hide-both-2")
    view = page.session_state["run"]
    decoding = view.choices.decoding
    found = tiny_translator.translate(TEXT, decoding, intervention=hide(1))
    plain = view.translation
    _, after = tiny_translator.read_again(plain.src, plain.tgt, hide(1))
    assert f"→ **{numbers.fixed(np.sum(after, dtype=np.float64))}**" in words(page)
    unchanged = says(page, "masks-effect-unchanged", text=plain.text)
    assert (found.tgt.ids == plain.tgt.ids) == unchanged


def test_all_tokens_hidden_is_one_sentence_and_the_last_effect_stays():
    page = open_page(change="hide-both-2")
    page.pills("change_hidden").set_value(
        list(range(40))[: len(page.pills("change_hidden").options)]
    )
    run(page)
    assert len(page.error) == 1
    assert says(page, "model-change-nothing-left-hint")
    assert says(page, "masks-change-still")
    assert n_charts(page) == 5
    put(page, change_hidden=[1])
    assert not page.error


@given(
    st.sets(st.integers(0, 5)),
    st.sets(st.integers(0, 5)),
    st.sampled_from(["encoder", "cross", "both"]),
    st.sets(st.integers(0, 5)),
)
def test_what_is_chosen_to_be_hidden_is_hidden_there(encoder, cross, where, wanted):
    change = hide(*encoder, where="encoder") | hide(*cross, where="cross")
    new = hidden_instead(change, where, change.hidden_from(where), tuple(wanted))
    assert set(wanted) <= set(new.hidden_from(where))
    if where != "both":
        assert new.hidden_from(where) == tuple(sorted(wanted))
        other = "cross" if where == "encoder" else "encoder"
        assert new.hidden_from(other) == change.hidden_from(other)


# The list


def test_a_change_taken_out_of_the_list_is_gone():
    page = open_page(change="hide-both-2~peek")
    assert listed(page) == [
        told("lifted", site=english("site-decoder")),
        hidden("encoder", "cross"),
    ]
    press(page, "change_remove_0")
    assert change_of(page) == hide(1)
    assert page.toggle("change_causal").value is True


def test_undo_takes_back_the_last_step_and_undo_all_everything():
    page = open_page(change="hide-both-2")
    assert page.button("change_undo").disabled
    put(page, change_causal=False)
    assert change_of(page) == hide(1) | Intervention(LiftedMask())
    press(page, "change_undo")
    assert change_of(page) == hide(1)
    press(page, "change_clear")
    assert not change_of(page)
    press(page, "change_undo")
    assert change_of(page) == hide(1)


def test_every_kind_of_change_is_said_in_words():
    page = open_page(
        change="hide-cross-2~mask-cross-2.1-3.2~zero-encoder-1.3~uniform-decoder-all.all~"
        "row-encoder-1.2-1-0.25_0.75~source-shifted-3~target-reversed-4"
    )
    view = page.session_state["run"]
    row = distinct_labels(row_names(view.record.of("cross")))[2]
    every = english("model-heads-all", site=english("site-decoder-attention"))
    by_hand = {"more": "no", "row": 1, "query": "A", "weights": "“dog” 0.75, “A” 0.25"}
    cell = {"row": 3, "query": row, "key": "dog"}
    said = [
        hidden("cross"),
        told("cell-query-key", heads=one_head("cross", 2, 1), **cell),
        told("off", heads=one_head("encoder", 1, 3), how="zero"),
        told("off", heads=every, how="uniform"),
        told("row", heads=one_head("encoder", 1, 2), **by_hand),
        told("positions", side="source", mode="shifted", offset=3),
        told("positions", side="target", mode="reversed"),
    ]
    assert sorted(listed(page)) == sorted(said)


# Address and sentence


def test_what_does_not_fit_is_left_out_with_a_sentence_and_the_rest_is_kept():
    page = open_page(
        change="hide-both-2.60~zero-cross-9.1~nonsense~mean-cross-1.1~mask-cross-1.1-1.99~"
        "mask-sideways-1.1-1.1"
    )
    assert change_of(page) == hide(1)
    text = words(page)
    assert "“hide-both-60” in the address was left out" in text
    assert "“zero-cross-9.1” in the address was left out: layer 9 of" in text
    assert "“mask-sideways-1.1-1.1” in the address was left out" in text
    assert "“nonsense” in the address was left out" in text
    assert "“mean-cross-1.1” in the address was left out" in text
    assert "“mask-cross-1.1-1.99” in the address was left out" in text
    press(page, "change_remove_0")
    assert "was left out" not in words(page)


def test_positions_stay_behind_with_their_sentence_and_come_back_with_it():
    page = open_page(change="hide-both-2~peek~zero-cross-1.1")
    put(page, text=OTHER)
    stays = Intervention(LiftedMask(), AblatedHead("cross", 0, 0))
    assert change_of(page) == stays
    put(page, text=TEXT)
    assert change_of(page) == stays | hide(1)


def test_rearranged_target_positions_follow_the_length_of_the_output():
    page = open_page("positions", change="target-reversed-2")
    put(page, text=OTHER)
    span = len(page.session_state["run"].translation.tgt)
    assert change_of(page).positions("target") == Positions("reversed", span=span, side="target")


@pytest.mark.parametrize(("old", "id"), [("A row", "row"), ("Cells", "cells"), ("row", "row")])
def test_an_address_opens_its_tool_by_id_or_by_the_words_of_before(old, id):
    page = open_page(old)
    assert page.segmented_control("change_tool").value == asked(page)["change_tool"] == id


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


def test_a_clicked_cell_is_forbidden_and_a_second_click_allows_it():
    page = open_page("cells")
    place = [page.selectbox(f"change_{name}").value for name in ("kind", "layer", "head")]
    click_cell(page, 2, 1)
    assert change_of(page).masked == (MaskedCell(*place, 2, 1),)
    click_cell(page, 2, 1)
    assert not change_of(page)


def test_a_click_is_taken_once():
    page = open_page("cells")
    click_cell(page, 2, 1)
    run(page)
    assert len(change_of(page).masked) == 1


def test_a_cell_is_forbidden_by_keyboard_in_all_heads():
    page = open_page("cells")
    put(page, change_layer=-1)
    put(page, change_head=-1)
    put(page, change_query=-1)
    put(page, change_key=2)
    press(page, "change_toggle_cell")
    assert change_of(page).masked == (MaskedCell("cross", None, None, None, 2),)
    assert page.button("change_toggle_cell").label == english("masks-change-allow")
    press(page, "change_toggle_cell")
    assert not change_of(page)


def test_a_cell_that_another_change_forbids_is_left_to_that():
    page = open_page("cells", change="hide-both-2")
    click_cell(page, 0, 1)
    assert change_of(page) == hide(1)
    assert says(page, "masks-change-forbidden-already")


def test_a_cell_behind_the_causal_mask_needs_no_mask():
    page = open_page("cells")
    put(page, change_kind="decoder")
    click_cell(page, 0, 3)
    assert not change_of(page)
    assert says(page, "masks-change-causal-already")


entries = st.lists(
    st.builds(
        MaskedCell,
        st.sampled_from(["encoder", "cross"]),
        st.none() | st.integers(0, 1),
        st.none() | st.integers(0, 3),
        st.none() | st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_size=4,
)


@given(entries, st.sets(st.integers(0, 5), max_size=2))
def test_forbidden_cells_are_those_of_the_model(tiny_translator, cells, hidden):
    change = Intervention(*tuple(cells)) | hide(*hidden)
    model = tiny_translator._model
    try:
        with intervening(model, change, n_src=6, n_tgt=6) as changed:
            may_look = {kind: changed.may_look(kind, 6, 6) for kind in ("encoder", "cross")}
    except InterventionError:  # a row is left with nothing
        return
    for kind, seen in may_look.items():
        found = forbidden_by(change, TRANSFORMER_SITES[kind], seen.shape)
        np.testing.assert_array_equal(found, ~seen)


# Heads


def test_clicked_heads_are_switched_off_and_on_again():
    page = open_page("heads")
    put(page, change_off_cross_0=[1, 2])
    assert change_of(page).ablated == (AblatedHead("cross", 0, 1), AblatedHead("cross", 0, 2))
    put(page, change_how="uniform")
    assert {entry.how for entry in change_of(page).ablated} == {"uniform"}
    press(page, "change_all_on")
    assert not change_of(page)


def test_all_heads_of_cross_attention_off_is_put_into_words():
    page = open_page("heads")
    press(page, "change_all_off")
    assert change_of(page).ablated == (AblatedHead("cross"),)
    note = {"site": english("site-cross-attention"), "of": "cross"}
    assert says(page, "model-change-note-off", **note)
    put(page, change_off_cross_1=[0, 1, 2])
    assert not says(page, "model-change-note-off", **note)
    assert AblatedHead("cross", 0) in change_of(page).ablated


def test_the_mean_is_not_on_offer_without_stored_means_and_the_page_says_why():
    page = open_page("heads")
    offered = [english(f"masks-knockout-how-{how}") for how in ("zero", "uniform")]
    assert page.radio("change_how").options == offered
    assert says(page, "masks-change-no-means")


@given(
    st.lists(
        st.builds(
            AblatedHead,
            st.just("cross"),
            st.none() | st.integers(0, 1),
            st.none() | st.integers(0, 3),
            st.sampled_from(ABLATIONS),
        ),
        max_size=6,
    )
)
def test_short_entries_switch_off_the_same_heads(heads):
    change = Intervention(*tuple(heads))
    how = ablations_of(change, "cross", SHAPE)
    short = Intervention(*shortest_ablations("cross", how))
    np.testing.assert_array_equal(ablations_of(short, "cross", SHAPE), how)


# A row


def type_row(page: AppTest, text: str) -> AppTest:
    return put(page, change_row_text=text)


def numbers_for(page: AppTest, *weights: float) -> str:
    count = len(page.text_input("change_row_text").value.split())
    return " ".join(f"{w:g}" for w in (*weights, *[0] * (count - len(weights))))


def test_a_typed_row_is_given_to_the_model():
    page = open_page("row")
    type_row(page, numbers_for(page, 0.2, 0.8))
    (row,) = change_of(page).overridden
    assert row.weights[:2] == (0.2, 0.8)
    assert sum(row.weights) == pytest.approx(1)
    assert "**by hand**" in words(page)


def test_typed_nonsense_is_one_sentence_and_stays_in_the_box():
    page = open_page("row", change="hide-both-2")
    n_keys = len(page.text_input("change_row_text").value.split())
    for text, id, values in (
        ("0.2 0.8", "masks-change-row-count", {"found": 2, "expected": n_keys}),
        ("0.2 zwei", "masks-change-row-no-number", {"text": "zwei"}),
        ("", "masks-change-row-count", {"found": 0, "expected": n_keys}),
    ):
        type_row(page, text)
        assert says(page, id, **values)
        assert page.text_input("change_row_text").value == text
        assert change_of(page) == hide(1)


def test_a_bad_sum_or_a_negative_number_keeps_the_row_that_was_given():
    page = open_page("row")
    before = change_of(type_row(page, numbers_for(page, 0.2, 0.8)))
    for weights, said in (((0.2, 0.7), "0.9"), ((1.5, -0.5), "-0.5")):
        type_row(page, numbers_for(page, *weights))
        (error,) = page.error
        assert said in shown(error.value)
        assert change_of(page) == before


def test_the_row_of_another_query_is_another_row():
    page = open_page("row")
    type_row(page, numbers_for(page, 0.2, 0.8))
    put(page, change_query=3)
    assert "**by hand**" not in words(page)
    type_row(page, numbers_for(page, 1))
    assert len(change_of(page).overridden) == 2


def test_a_decoder_row_has_only_the_keys_that_are_written():
    page = open_page("row")
    put(page, change_kind="decoder")
    put(page, change_query=2)
    assert len(page.text_input("change_row_text").value.split()) == 3


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("0.2 0.8", (0.2, 0.8)),
        ("0.2, 0.8", (0.2, 0.8)),
        ("0.2;0.8", (0.2, 0.8)),
        ("0,2 0,8", (0.2, 0.8)),
        (" 1,0 ", (1.0, 0.0)),
        (".5 .5,", (0.5, 0.5)),
    ],
)
def test_numbers_are_read_however_they_are_set_apart(text, weights):
    assert read_weights(text, ("a", "b"), (True, True)) == weights


def test_a_number_for_a_key_out_of_sight_is_refused():
    with pytest.raises(InputError) as caught:
        read_weights("0.5 0.5", ("a", "b"), (True, False))
    assert caught.value.message == Message.of("masks-change-row-unseen", token="b")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30).filter(lambda row: sum(row) > 0))
def test_a_rounded_row_sums_to_one_and_is_near(row):
    found = rounded(row)
    assert sum(found) == pytest.approx(1, abs=1e-9)
    assert all(weight >= 0 for weight in found)
    assert np.allclose(found, np.array(row) / sum(row), atol=5e-5 * (len(row) + 1))
    OverriddenRow("cross", 0, 0, 0, found)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"identity": "x", "number": 1, "weights": [1, 0]},
        {"identity": "me", "number": "1", "weights": [1, 0]},
        {"identity": "me", "number": 1, "weights": [1]},
        {"identity": "me", "number": 1, "weights": [2, -1]},
        {"identity": "me", "number": 1, "weights": [0, 0]},
        {"identity": "me", "number": 1, "weights": [0.5, 0.5]},  # the second may not be looked at
        {"identity": "me", "number": 1, "weights": [True, 0]},
        {"identity": "me", "number": 1, "weights": [float("nan"), 1]},
    ],
)
def test_a_row_that_makes_no_sense_is_not_taken(value):
    assert read_row(value, "me", (True, False)) is None


def test_a_row_from_the_browser_is_taken_as_it_is():
    found = read_row({"identity": "me", "number": 2, "weights": [0.25, 0.75]}, "me", (True, True))
    assert (found.weights, found.number) == ((0.25, 0.75), 2)


# Positions


def test_positions_are_changed_on_either_side():
    page = open_page("positions")
    put(page, change_source_mode="shifted")
    put(page, change_source_offset=7)
    put(page, change_target_mode="permuted")
    put(page, change_target_seed=5)
    found = change_of(page)
    span = len(page.session_state["run"].translation.tgt)
    assert found.positions("source") == Positions("shifted", 7)
    assert found.positions("target") == Positions("permuted", seed=5, span=span, side="target")
    put(page, change_source_mode="normal")
    put(page, change_target_mode="normal")
    assert not change_of(page)
