"""The page of masks: the change that is built, its effect, heads off, a pronoun, what is seen."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.attention_masks import head_stages
from core.interventions.base import ChangeError
from core.interventions.draft import (
    ablations_of,
    forbidden_by,
    read_weights,
    shortest_ablations,
    split,
)
from core.interventions.intervention import Intervention, hide, read_change
from core.interventions.kinds import (
    ABLATIONS,
    AblatedHead,
    LiftedMask,
    MaskedCell,
    NoNorm,
    Positions,
)
from core.pronoun import control_word, phrase_of, word_at, words_of
from core.records.attention import TRANSFORMER_SITES
from core.records.search import Decoding
from core.records.tokens import distinct_labels, head_title
from model.errors import InterventionError
from model.experiments.ablation import ablate_each_head
from model.hooks.interventions import intervening
from support import app as harness
from support.app import DEFAULT, asked, n_charts, press, put, run, says, shown, words
from support.models import ROOT, spell
from ui.frame.run import FrameChoices, Run
from ui.kit import decisions
from ui.kit.effect import change_words
from ui.kit.text_changes import pronoun_changes, word_changes
from ui.pages.masks import ablation, explain
from ui.pages.masks.causal_mask import moved_words, peek_words, written_log_probs
from words import Message, english
from words.packs import pack_of

TEXT, OTHER = "A dog runs through the snow.", "A man plays the guitar."
TIRED = "The animal didn't cross the street because it was too tired."


@pytest.fixture(autouse=True)
def _folder(folder):
    """The app with random weights, but where a test names a model."""


def open_page(look: str = "change", text: str = TEXT, **address: str) -> AppTest:
    known = {"mask_look": look, "text": text, "max_len": "8", "beam": "2", "change": "none"}
    return harness.open_page("masks", **(known | address))


def tool(name: str, **address: str) -> AppTest:
    """A way to change something, with nothing changed."""
    return open_page(change_tool=name, **address)


def change_of(page: AppTest) -> Intervention:
    text = asked(page)["change"]
    return Intervention() if text == "none" else read_change(text)


def listed(page: AppTest) -> list[str]:
    """The parts of the change, as the keys of the buttons that take them out."""
    keys = [each.key for each in page.button if each.key.startswith("change_remove_")]
    return [key.removeprefix("change_remove_") for key in keys]


@pytest.fixture(scope="module")
def view(tiny_translator) -> Run:
    """The sentence with "it" and a translation that is known, whatever the weights."""
    decoding = Decoding(beam_size=1, max_len=8)
    translation = tiny_translator.translate(TIRED, decoding)
    tgt = tiny_translator.tokenize("Das Tier überquerte die Straße nicht, weil es zu müde war.")
    attention, log_probs = tiny_translator.teacher_force(translation.src, tgt)
    translation = replace(translation, tgt=tgt, log_probs=log_probs, attention=attention)
    return Run(FrameChoices("en-de", TIRED, decoding), tiny_translator, translation)


# -- tokens, and the list of changes ---------------------------------------------------------


def test_the_view_opens_with_a_telling_word_hidden_and_nothing_changed_can_be_had():
    for text, hidden in ((TEXT, "runs"), (DEFAULT.text, "animal"), ("Hi.", "Hi")):
        page = harness.open_page("masks", mask_look="change", text=text, max_len="8")
        labels = distinct_labels(page.session_state["run"].translation.src.tokens)
        pieces = [labels[place] for place in page.pills("change_hidden").value]
        assert "".join(pieces).replace("·", "").strip("␣") == hidden
    assert says(page, "masks-change-opening")
    assert "change" not in asked(page)
    press(page, "change_clear")
    assert says(page, "masks-effect-none")
    assert (asked(page)["change"], n_charts(page)) == ("none", 0)
    assert "change" not in asked(press(page, "change_undo"))


def test_the_way_back_to_the_address_of_the_opening_shows_it(monkeypatch):
    monkeypatch.setattr("ui.frame.address.by_history", lambda: True)
    page = harness.open_page("masks", mask_look="change", text=TEXT, max_len="8")
    assert listed(page)
    assert "change" not in asked(page)


def test_a_clicked_token_is_hidden_where_the_menu_says_but_never_all_of_them():
    page = put(tool("tokens"), change_hidden=[1])
    assert listed(page) == ["hide-both-2"]
    assert change_of(put(page, change_where="cross")) == hide(1, where="cross")
    assert page.pills("change_hidden").value == [1]
    put(page, change_where="both")
    put(page, change_hidden=[*range(len(page.pills("change_hidden").options))])
    assert len(page.error) == 1
    assert says(page, "model-change-nothing-left-hint")
    assert says(page, "masks-change-still"), "the last effect stays"
    assert n_charts(page) == 5
    assert not put(page, change_hidden=[1]).error


PLACES = st.sets(st.integers(0, 5))


@given(PLACES, PLACES, st.sampled_from(["encoder", "cross", "both"]), PLACES)
def test_what_is_chosen_to_be_hidden_is_hidden_there(encoder, cross, where, wanted):
    change = hide(*encoder, where="encoder") | hide(*cross, where="cross")
    new = change.hiding(*wanted, where=where)
    assert set(wanted) <= set(new.hidden_from(where))
    if where != "both":
        assert new.hidden_from(where) == tuple(sorted(wanted))
        other = "cross" if where == "encoder" else "encoder"
        assert new.hidden_from(other) == change.hidden_from(other)


def test_undo_takes_back_the_last_step_and_undo_all_everything():
    page = tool("tokens", change="hide-both-2")
    assert page.button("change_undo").disabled
    lifted = hide(1) | Intervention(LiftedMask())
    assert change_of(put(page, change_causal=False)) == lifted
    for button, left in (
        *(("undo", hide(1)), ("clear", Intervention()), ("undo", hide(1))),
        *(("remove_hide-both-2", Intervention()), ("undo", hide(1))),
    ):
        assert change_of(press(page, f"change_{button}")) == left
    assert page.toggle("change_causal").value is True


def test_the_menu_of_places_follows_what_undo_brings_back():
    page = put(tool("tokens"), change_hidden=[1])
    put(page, change_where="cross")
    put(page, change_hidden=[1, 2])
    for hidden, where in (([1], "cross"), ([1], "both")):
        press(page, "change_undo")
        assert page.pills("change_hidden").value == hidden
        assert page.selectbox("change_where").value == where


def test_the_menu_of_positions_names_the_position_that_is_shown():
    page = tool("tokens", change="hide-both-2")
    seen = [page.selectbox("change_effect_position").proto.raw_value]
    for act in ({"change_causal": False}, {"change_hidden": []}, {"change_hidden": [1]}):
        menu = put(page, **act).selectbox("change_effect_position").proto
        # A browser keeps the label that it has until the value is set.
        seen.append(menu.raw_value if menu.set_value else seen[-1])
        assert seen[-1] == menu.options[0]
    assert len({*seen}) > 1


def test_the_next_tokens_are_those_of_a_pronoun_that_changes(monkeypatch):
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(ROOT / "checkpoints"))
    wide = "The animal didn't cross the street because it was too wide."
    page = tool("tokens", text=wide, change="hide-both-8", max_len="40")
    menu = page.selectbox("change_effect_position")
    assert menu.options[0] == english("masks-effect-position-pronoun", token="9 · sie")


def test_two_acts_before_the_page_is_drawn_anew_both_count():
    page = tool("row", change="hide-both-2~peek~mask-cross-1.1-1.2")
    for part in ("hide-both-2", "mask-cross-1.1-1.2"):
        page.button(f"change_remove_{part}").click()
    found = change_of(put(page, change_row_text=numbers_for(page, 0.2, 0, 0.8)))
    assert found.without(*found.overridden) == Intervention(LiftedMask())
    assert len(found.overridden) == 1


def test_what_does_not_fit_is_left_out_with_a_sentence_and_the_rest_is_kept():
    wrong = ("zero-cross-9.1", "nonsense", "mean-cross-1.1", "mask-sideways-1.1-1.1")
    page = tool("tokens", change="~".join(["hide-both-2.60", *wrong]))
    assert change_of(page) == hide(1)
    for part in ("hide-both-60", *wrong):
        assert f"“{part}” in the address was left out" in words(page)
    assert "was left out" not in words(press(page, "change_remove_hide-both-2"))


def test_positions_stay_behind_with_their_sentence_and_come_back_with_it():
    page = put(tool("tokens", change="hide-both-2~peek~zero-cross-1.1"), text=OTHER)
    stays = Intervention(LiftedMask(), AblatedHead("cross", 0, 0))
    assert change_of(page) == stays
    assert change_of(put(page, text=TEXT)) == stays | hide(1)
    page = put(tool("positions", change="target-reversed-2"), text=OTHER)
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


# -- cells, heads, rows, positions, sub-layers -----------------------------------------------


def click_cell(page: AppTest, q: int, k: int) -> AppTest:
    return harness.click(page, "change_matrix", "cell", q=q, k=k)


def test_a_cell_is_forbidden_by_a_click_or_by_keyboard_and_allowed_by_a_second():
    page = tool("cells")
    place = [page.selectbox(f"change_{name}").value for name in ("kind", "layer", "head")]
    assert change_of(run(click_cell(page, 2, 1))).masked == (MaskedCell(*place, 2, 1),)
    assert not change_of(click_cell(page, 2, 1))
    for name, place in (("layer", -1), ("head", -1), ("query", -1), ("key", 2)):
        put(page, **{f"change_{name}": place})
    press(page, "change_toggle_cell")
    assert change_of(page).masked == (MaskedCell("cross", None, None, None, 2),)
    assert page.button("change_toggle_cell").label == english("masks-change-allow")
    assert not change_of(press(page, "change_toggle_cell"))


def test_a_cell_that_is_forbidden_already_is_left_to_that():
    page = tool("cells", change="hide-both-2")
    for kind, cell, why in (("cross", (0, 1), "forbidden"), ("decoder", (0, 3), "causal")):
        click_cell(put(page, change_kind=kind), *cell)
        assert change_of(page) == hide(1)
        assert says(page, f"masks-change-{why}-already")


def below(n: int) -> st.SearchStrategy:
    """A number from zero, or none."""
    return st.none() | st.integers(0, n - 1)


ON_SOURCE = st.sampled_from(["encoder", "cross"])
CELLS = st.builds(MaskedCell, ON_SOURCE, *map(below, (2, 4, 6)), st.integers(0, 5))


@given(st.lists(CELLS, max_size=4), st.sets(st.integers(0, 5), max_size=2))
def test_forbidden_cells_are_those_of_the_model(tiny_translator, cells, hidden):
    change = Intervention(*cells) | hide(*hidden)
    try:
        with intervening(tiny_translator.model, change, n_src=6, n_tgt=6) as changed:
            may_look = {kind: changed.may_look(kind, 6, 6) for kind in ("encoder", "cross")}
    except InterventionError:  # a row is left with nothing
        return
    for kind, seen in may_look.items():
        found = forbidden_by(change, TRANSFORMER_SITES[kind], seen.shape)
        np.testing.assert_array_equal(found, ~seen)


def test_clicked_heads_are_switched_off_and_on_again():
    page = put(tool("heads"), change_off_cross_0=[1, 2])
    assert change_of(page).ablated == (AblatedHead("cross", 0, 1), AblatedHead("cross", 0, 2))
    put(page, change_how="uniform")
    assert {entry.ablation for entry in change_of(page).ablated} == {"uniform"}
    assert not change_of(press(page, "change_all_on"))
    assert len(page.radio("change_how").options) == 2, "no means of the heads are stored"
    put(page, change_how="zero")
    assert change_of(press(page, "change_all_off")).ablated == (AblatedHead("cross"),)
    assert AblatedHead("cross", 0) in change_of(put(page, change_off_cross_1=[0, 1, 2])).ablated


OFF = st.builds(AblatedHead, st.just("cross"), *map(below, (2, 4)), st.sampled_from(ABLATIONS))


@given(st.lists(OFF, max_size=6))
def test_short_entries_switch_off_the_same_heads(heads):
    site = replace(TRANSFORMER_SITES["cross"], n_layers=2, n_heads=4)
    how = ablations_of(Intervention(*heads), site)
    short = Intervention(*shortest_ablations("cross", how))
    np.testing.assert_array_equal(ablations_of(short, site), how)


def row_of(page: AppTest) -> list[str]:
    """The weights in the box."""
    return page.text_input("change_row_text").value.split()


def numbers_for(page: AppTest, *weights: float) -> str:
    return " ".join(f"{w:g}" for w in (*weights, *[0] * (len(row_of(page)) - len(weights))))


def test_a_typed_row_is_given_to_the_model_and_a_bad_one_leaves_it():
    page = tool("row")
    given = change_of(put(page, change_row_text=numbers_for(page, 0.2, 0.8)))
    (row,) = given.overridden
    assert (row.weights[:2], sum(row.weights)) == ((0.2, 0.8), pytest.approx(1))
    assert "**by hand**" in words(page)
    n_keys = {"expected": len(row.weights)}
    for text, id, values in (
        ("0.2 0.8", "count", {"found": 2, **n_keys}),
        ("0.2 zwei", "no-number", {"text": "zwei"}),
        ("", "count", {"found": 0, **n_keys}),
    ):
        put(page, change_row_text=text)
        assert says(page, f"masks-change-row-{id}", **values)
        assert page.text_input("change_row_text").value == text
        assert change_of(page) == given
    for weights, said in (((0.2, 0.7), "0.9"), ((1.5, -0.5), "-0.5")):
        (error,) = put(page, change_row_text=numbers_for(tool("row"), *weights)).error
        assert said in shown(error.value)
    assert "**by hand**" not in words(put(page, change_query=3)), "another query has another row"
    put(put(page, change_kind="decoder"), change_query=2)
    assert len(row_of(page)) == 3  # that are written by then


@pytest.mark.parametrize("text", ["0.2 0.8", "0.2, 0.8", "0.2;0.8", "0,2 0,8", ".2 .8,"])
def test_numbers_are_read_however_they_are_set_apart(text):
    assert read_weights(text, ("a", "b"), (True, True)) == (0.2, 0.8)
    with pytest.raises(ChangeError) as caught:
        read_weights(text, ("a", "b"), (True, False))
    assert caught.value.message == Message.of("masks-change-row-unseen", token="b")


def test_positions_are_changed_on_either_side():
    page = put(tool("positions"), change_source_mode="shifted", change_target_mode="permuted")
    found = change_of(put(put(page, change_source_offset=7), change_target_seed=5))
    span = len(page.session_state["run"].translation.tgt)
    assert found.positions("source") == Positions("shifted", 7)
    assert found.positions("target") == Positions("permuted", seed=5, span=span, side="target")
    put(page, change_source_mode="normal")
    assert not change_of(put(page, change_target_mode="normal"))


def test_a_single_sub_layer_is_left_out_beside_what_is_changed_already():
    page = put(tool("sublayers", change="hide-both-2"), change_part="norm")
    put(page, change_part_stack="decoder", change_part_layer="2", change_part_name="cross")
    wanted = hide(1) | Intervention(NoNorm("decoder", 1, "cross"))
    assert change_of(press(page, "change_leave_out")) == wanted


# -- presets, and what becomes of a pronoun --------------------------------------------------

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
ROLES = {"antecedent": "animal", "other": "street", "control": "because"}


def test_the_door_to_heads_opens_their_tool_without_the_hidden_word_of_the_example():
    page = press(open_page("masks"), "seen_heads")
    assert page.session_state["change_tool"] == "heads"
    assert asked(page)["mask_look"] == "change"
    assert not change_of(page)


def test_a_preset_is_the_intervention_built_by_hand_in_place_of_the_current_one():
    page = tool("tokens", change="peek~hide-both-2")
    n = len(page.session_state["run"].tgt)
    for preset, address in OF_MODEL.items():
        put(page, change_preset=preset)
        assert change_of(page) == read_change(address.format(n=n)), preset
        assert page.pills("change_preset").value == preset
        assert change_of(press(page, "change_undo")) == hide(1) | Intervention(LiftedMask())
        assert not page.pills("change_preset").value
    offered = page.pills("change_preset").options
    assert len(offered) == len(OF_MODEL), "no pronoun is known, so no coreference test"


@pytest.mark.parametrize(
    ("preset", "tool"),
    [("source-absent", "positions"), ("norm", "sublayers"), ("attention-encoder", "heads")],
)
def test_a_preset_opens_the_tool_that_makes_such_changes(preset, tool):
    page = open_page("masks", mask_look="change", change_tool="cells")
    page = put(page, change_preset=preset)
    assert page.session_state["change_tool"] == tool
    assert asked(page).get("change_tool", "tokens") == tool


@pytest.fixture
def shipped(monkeypatch):
    monkeypatch.delenv("ATTENTION_LAB_CHECKPOINTS")


def test_a_coreference_test_hides_its_word(shipped):
    page = open_page("change", TIRED, change="peek")
    tokens = [token.strip("▁") for token in page.session_state["run"].src.tokens]
    for role, word in ROLES.items():
        put(page, change_preset=role)
        assert listed(page) == [f"hide-both-{tokens.index(word) + 1}"]


CONTROLS = {
    ("The dog did not see the old truck because it was red·.", "dog", "truck"): "because",
    # An adjective belongs to its noun, and a comma is no word.
    ("The dog saw the old truck·, it was red·.", "truck", "dog"): "saw",
    ("A dog·, it slept·.", "dog", ""): None,
    ("It slept because the dog ran·.", "dog", ""): None,
    # As many pieces as the noun.
    ("The dach·shund often bark·ed at me so it ran·.", "dachshund", ""): "barked",
}
"""By a sentence, with "·" between the pieces of a word, its noun and the other noun."""
DETERMINERS = frozenset({"the", "a"})


@pytest.mark.parametrize(("sentence", "control"), CONTROLS.items())
def test_the_control_is_the_nearest_word_before_it_with_as_many_pieces(sentence, control):
    text, noun, other = sentence
    pieces = re.findall("▁?[^▁·]+", "▁" + text.replace(" ", "▁"))
    words = words_of(spell(*pieces))
    named = (word_at(words, name) for name in ("it", noun, other))
    found = control_word(words, *named, DETERMINERS)
    assert (found.text if found else None) == control


def test_a_phrase_is_the_noun_with_its_determiner(view):
    words = words_of(view.src)
    found = {word.text: phrase_of(words, word, DETERMINERS) for word in words}
    whole = {"street": "the street", "tired": "tired", "The": "The", "cross": "cross"}
    for noun, phrase in whole.items():
        assert [word.text for word in found[noun]] == phrase.split()


def test_the_pronoun_is_followed_or_else_the_least_sure_token(view):
    found = decisions.pronoun_choice(view)
    assert view.translation.tgt.tokens[found.position] == found.tokens[0] == "▁es"
    assert decisions.forms_at(view, 0) is None
    log_probs = np.full(len(view.translation.tgt), -1.0, np.float32)
    log_probs[3] = -2.0
    other = replace(view.translation, src=view.translator.tokenize(OTHER), log_probs=log_probs)
    assert decisions.telling_position(replace(view, translation=other)) == 3


# -- the effect ------------------------------------------------------------------------------


STRUCK, BOLD = ":violet-background[~~{}~~]", ":green-background[**{}**]"
CHANGED = [
    ("Das Tier", "Die Straße", STRUCK.format("Das Tier"), BOLD.format("Die Straße")),
    ("a b", "a b c", "a b", f"a b {BOLD.format('c')}"),
    ("a x", "b x", f"{STRUCK.format('a')} x", f"{BOLD.format('b')} x"),
    ("](evil)", "y", STRUCK.format(r"\]\(evil\)"), BOLD.format("y")),
]
PRONOUNS = [
    ("weil es müde war", "weil sie müde war", "“es”", "“sie”"),
    ("weil es müde war.", "weil das müde war.", "“es”", english("masks-effect-no-pronoun")),
    ("Er sah es", "Sie sah es", "“er”, “es”", "“sie”, “es”"),
    ("weil es müde war", "weil es wach war", "", ""),
]
FACTORS = {
    0.0: "no change",
    -0.0004: "changes by less than 0.001",
    -2.0: "P falls to 1/7.4 of its value",
    30.0: "P rises to 10¹³ times its value",
    0.05: "+0.05",
}


def test_a_change_is_put_into_words():
    for before, after, struck, bold in CHANGED:
        assert word_changes(before, after) == (struck, bold)
    assert word_changes("a x", "b x", ("[{}]", "({})")) == ("[a] x", "(b) x")
    forms = pack_of(("en", "de")).forms
    for before, after, lost, new in PRONOUNS:
        n = 1 + lost.count(",")
        said = english("masks-effect-pronouns", n=n, before=lost, after=new)
        assert pronoun_changes(before, after, forms) == (said if lost else "")
    for change, told in FACTORS.items():
        assert change_words(change) == told


# -- every head off in turn, and what hiding tokens explains ---------------------------------


def test_a_click_opens_a_head_and_one_beside_it_nothing():
    for look, chart, menu, place, beside, spelt in (
        ("knockout", "knock_bars", "knock_head", ("decoder", 1, 2), ("cross", 9, 0), "decoder 2.3"),
        ("explain", "explain_heads", "explain_head", (1, 2), (0, 9), "2.3"),
    ):
        page, names = open_page(look), ("kind", "layer", "head")[-len(place) :]
        for each in (place, beside, [None] * len(place)):
            harness.click(page, chart, "head", **dict(zip(names, each, strict=True)))
            assert page.selectbox(menu).value == place
        assert asked(page)[menu] == spelt


def test_a_head_can_be_kept_off_in_the_change_that_is_being_built():
    page = press(open_page("knockout", knock_head="cross 2.1"), "knock_keep")
    view_name = english("view-masks-change")
    assert says(page, "masks-knockout-kept", head="cross L2 H1", view=view_name)
    assert asked(page)["change"] == "zero-cross-2.1"


def test_a_rival_that_overtakes_the_pronoun_is_named(tiny_translator, view):
    how = {"position": 0, "choice_ids": (5, 6)}
    found = ablate_each_head(tiny_translator, view.translation.src, view.translation.tgt, **how)
    shares = np.tile([0.9, 0.1], (24, 1)).astype(np.float32)  # 2 layers of 4 heads at 3 sites
    certain = replace(found, choices=("▁es", "▁sie"), choice_probs=shares)
    assert english("masks-knockout-never-overtaken") in ablation.choice_words(certain)
    shares[3] = [0.2, 0.7]
    assert f"{head_title(*found.heads[3])} (sie 70.0%)" in ablation.choice_words(certain)


@pytest.mark.parametrize("how", ["zero", "uniform"])
def test_where_no_weight_moves_the_head_that_is_off_is_shown_and_it_is_said(how):
    """Nothing attends after the cross-attention of the last layer."""
    page = open_page("knockout", knock_how=how, knock_head="cross 2.3")
    names = [f"knockout_effect_{name}" for name in ("kind", "layer", "head")]
    assert [page.selectbox(name).value for name in names] == ["cross", 1, 2]
    assert says(page, "masks-effect-unmoved", measure="weight") is (how == "zero")
    put(page, knockout_effect_head=3)
    other = put(page, knock_how="zero" if how == "uniform" else "uniform")
    assert other.selectbox("knockout_effect_head").value == 3, "a chosen head outlives the change"


def test_what_takes_long_waits_for_the_button():
    page = open_page("explain", "the " * 55, min_len="50", max_len="50", beam="1")
    assert n_charts(page) == 0
    found = page.session_state["run"]
    assert len(found.src) * len(found.tgt) > explain.MOST_AT_ONCE
    assert says(page, "masks-explain-long", source=len(found.src), target=len(found.tgt))
    assert n_charts(press(page, "explain_start")) == 2


# -- what may be seen ------------------------------------------------------------------------


def seen(**address: str) -> AppTest:
    return harness.open_page("masks", mask_look="seen", **address)


def test_the_view_opens_with_the_head_and_row_that_lose_most_to_the_mask():
    page = seen()
    raised = np.exp(page.session_state["run"].record.decoder.scores.astype(float))
    ahead = np.triu(raised / raised.sum(-1, keepdims=True), 1).sum(-1)
    best = np.unravel_index(ahead[..., :-1].mean(-1).argmax(), ahead.shape[:2])
    assert (page.selectbox("seen_layer").value, page.selectbox("seen_head").value) == best
    # The first row has a single key.
    assert page.selectbox("seen_row").value == 1 + ahead[best][1:].argmax()
    put(page, seen_layer=1 - best[0])
    press(page, "seen_best")
    assert (page.selectbox("seen_layer").value, page.selectbox("seen_head").value) == best
    assert "seen_best" not in [button.key for button in page.button]


def test_one_mask_is_off_at_a_time_and_its_effect_is_shown():
    page = put(seen(), seen_peek=False)
    assert asked(page)["seen_peek"] == "true"
    assert says(page, "masks-seen-written", same=True) or says(
        page, "masks-seen-written", same=False
    )
    put(page, seen_padding_mask=False)
    assert page.toggle("seen_peek").value
    assert page.segmented_control("seen_part").value == "padding"
    put(page, seen_peek=False)
    assert page.toggle("seen_padding_mask").value
    assert page.segmented_control("seen_part").value == "causal"


def test_an_address_of_the_decoder_without_its_mask_switches_the_mask_off():
    assert seen(seen_peek="true").toggle("seen_peek").value is False


@pytest.mark.parametrize(("tool", "widget"), [("tokens", "change_hidden"), ("heads", "change_how")])
def test_a_door_leads_to_hidden_words_and_ablated_heads(tool, widget):
    page = press(seen(), f"seen_{tool}")
    assert page.segmented_control("change_tool").value == tool
    assert widget in [each.key for each in (*page.pills, *page.radio)]


def test_a_token_written_without_the_mask_has_the_probability_after_its_prefix(view):
    tgt = view.tgt
    log_probs = written_log_probs(view, tgt)
    assert len(log_probs) == len(tgt)
    cut = {name: getattr(tgt, name)[:4] for name in ("ids", "tokens", "offsets", "unknown")}
    lifted = Intervention(LiftedMask())
    _, forced = view.translator.teacher_force(view.src, replace(tgt, **cut), lifted)
    assert log_probs[3] == pytest.approx(forced[3], abs=1e-4)


def test_a_click_chooses_a_row_that_is_there_which_survives_a_look_at_another_part():
    page = seen()
    for q in (2, 999):
        chosen = {"selection": {"cell": [{"q": q, "k": -1, "click": 0}]}}
        page.session_state["seen_stages"] = chosen
        run(page)
    assert page.selectbox("seen_row").value == 2
    assert asked(page)["seen_row"] == "3"
    put(page, seen_part="both")
    assert put(page, seen_part="causal").selectbox("seen_row").value == 2


def test_a_single_position_has_nothing_to_move():
    alone = np.ones((1, 1), bool)
    assert moved_words(head_stages(0 * alone, alone)) == english("masks-seen-one-position")
    nothing = peek_words(np.ones((1, 1)), alone, ("<s>",), 0, 0)
    assert nothing == english("masks-seen-nothing-later")
