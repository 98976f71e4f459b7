"""The effect of a change: what is worked out, and how it is said."""

from __future__ import annotations

import numpy as np
import pytest
from harness import run, saved, words
from streamlit.testing.v1 import AppTest

from analysis.effect import most_moved_head
from model.errors import InterventionError
from records import (
    TRANSFORMER_SITES,
    AblatedHead,
    Decoding,
    Intervention,
    LiftedMask,
    MaskedCell,
    hide,
)
from ui.effect import (
    Effect,
    change_words,
    effect_of,
    next_candidates,
    pronoun_changes,
    row_names,
    word_changes,
)
from ui.state import Choices, Run
from words import english, numbers
from words.packs import pack_of

TEXT = "A dog runs through the snow."
DECODING = Decoding(beam_size=2, max_len=8)
HIDDEN = hide(1, 2)
GERMAN = pack_of(("en", "de")).forms


@pytest.fixture(scope="module")
def view(tiny_translator) -> Run:
    return Run(
        Choices("en-de", TEXT, DECODING), tiny_translator, tiny_translator.translate(TEXT, DECODING)
    )


@pytest.fixture(scope="module")
def effect(view) -> Effect:
    return effect_of(view, HIDDEN)


# What is worked out


def test_the_translation_is_searched_under_the_change(view, effect):
    found = view.translator.translate(TEXT, DECODING, intervention=HIDDEN)
    assert effect.translation.tgt.ids == found.tgt.ids
    np.testing.assert_allclose(effect.translation.log_probs, found.log_probs)


def test_the_original_output_is_read_again_under_the_change(view, effect):
    assert effect.record.tgt.ids == view.translation.tgt.ids
    _, log_probs = view.translator.read_again(view.translation.src, view.translation.tgt, HIDDEN)
    np.testing.assert_array_equal(effect.log_probs, log_probs)


def test_before_and_after_have_the_same_rows_and_columns(effect):
    for kind in TRANSFORMER_SITES:
        before, after = effect.plain_record.of(kind), effect.record.of(kind)
        assert (before.query_tokens, before.key_tokens) == (after.query_tokens, after.key_tokens)


def test_a_hidden_token_gets_no_weight_after_and_some_before(effect):
    assert effect.record.cross.weights[..., 1].max() == 0
    assert effect.plain_record.cross.weights[..., 1].max() > 0


def test_totals_are_the_sums_of_the_tokens(view, effect):
    assert effect.plain_total == pytest.approx(
        float(np.sum(view.translation.log_probs, dtype=np.float64)), abs=1e-4
    )
    assert effect.total == pytest.approx(sum(map(float, effect.log_probs)))


def test_without_a_change_nothing_differs(view):
    same = effect_of(view, Intervention())
    assert same.translation.tgt.ids == view.translation.tgt.ids
    np.testing.assert_array_equal(same.log_probs, same.plain_log_probs)


def test_shared_arrays_cannot_be_written_into(effect):
    arrays = (effect.log_probs, effect.plain_log_probs, effect.record.cross.weights)
    assert not any(array.flags.writeable for array in arrays)


def test_a_change_that_does_not_fit_is_an_error_with_a_hint(view):
    with pytest.raises(InterventionError) as caught:
        effect_of(view, hide(*range(len(view.translation.src))))
    assert caught.value.hint


def test_next_tokens_hold_the_likeliest_of_both_sides_with_their_true_numbers(view):
    ids = view.translation.tgt.ids[:2]
    size = view.translator.card.config["vocab_size"]
    sides = [
        {c.token_id: c for c in view.translator.candidates(TEXT, ids, size, intervention=change)}
        for change in (None, HIDDEN)
    ]
    wanted = {i for side in sides for i, c in side.items() if c.rank < 8}
    for found, side in zip(next_candidates(view, HIDDEN, ids), sides, strict=True):
        assert {c.token_id for c in found} == wanted
        for each in found:
            assert each.rank == side[each.token_id].rank
            assert each.log_prob == pytest.approx(side[each.token_id].log_prob)


def test_cross_attention_rows_are_named_by_the_token_they_produce(view):
    cross, decoder = view.translation.attention.cross, view.translation.attention.decoder
    assert row_names(cross) == view.translation.tgt.tokens
    assert row_names(decoder)[1:] == view.translation.tgt.tokens[:-1]


# How it is said


def test_lost_words_are_struck_through_and_new_ones_bold():
    before, after = word_changes("Das Tier schläft", "Die Straße schläft")
    assert before == ":violet-background[~~Das Tier~~] schläft"
    assert after == ":green-background[**Die Straße**] schläft"


def test_words_on_one_side_only_are_marked_there_only():
    assert word_changes("a b", "a b c") == ("a b", "a b :green-background[**c**]")


def test_markdown_in_a_translation_shows_as_itself():
    before, _ = word_changes("~~x~~ ](evil)", "y")
    assert "](" not in before.replace("\\]\\(", "")


@pytest.mark.parametrize(
    ("before", "after", "lost", "new"),
    [
        ("weil es müde war", "weil sie müde war", "“es”", "“sie”"),
        ("weil es müde war.", "weil das müde war.", "“es”", english("masks-effect-no-pronoun")),
        ("Er sah es", "Sie sah es", "“er”, “es”", "“sie”, “es”"),
    ],
)
def test_a_changed_pronoun_is_named(before, after, lost, new):
    n = 1 + lost.count(",")
    said = english("masks-effect-pronouns", n=n, before=lost, after=new)
    assert pronoun_changes(before, after, GERMAN) == said


def test_a_pronoun_that_stays_is_not_named():
    assert pronoun_changes("weil es müde war", "weil es wach war", GERMAN) == ""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (0.0, "no change"),
        (-0.0004, "changed by less than 0.001"),
        (-2.0, "7.4 times less likely"),
        (30.0, "10¹³ times as likely"),
    ],
)
def test_a_change_says_how_many_times_likelier_it_is(change, told):
    assert change_words(change) == told


def test_a_change_of_less_than_a_tenth_says_no_factor():
    assert change_words(0.05) == "+0.05"


# On a page

SCRIPT = """
import streamlit as st
from records import AblatedHead, Decoding, Intervention, MaskedCell, hide
from ui.effect import show_effect
from ui.state import Choices, get_translator, translated
text, decoding = "A dog runs through the snow.", Decoding(beam_size=2, max_len=8)
view = translated(Choices("en-de", text, decoding), get_translator("en-de"))
change = st.session_state.get("change", Intervention())
show_effect(view, change, key="fx", **st.session_state.get("where", {}))
st.text("drawn to the end")
"""


@pytest.fixture
def page(folder) -> AppTest:
    return AppTest.from_string(SCRIPT, default_timeout=60)


def shown(page: AppTest, change: Intervention, **where) -> AppTest:
    page.session_state["change"], page.session_state["where"] = change, where
    run(page)
    assert page.text[-1].value == "drawn to the end"
    return page


def test_an_empty_change_says_what_to_do_and_draws_nothing(page):
    shown(page, Intervention())
    assert english("masks-effect-none") in words(page)
    assert not page.get("vega_lite_chart")


def test_a_change_is_drawn_in_five_charts_with_its_log_probability(page, effect):
    shown(page, HIDDEN)
    assert len(page.get("vega_lite_chart")) == 5
    assert len(saved(page)) == 3
    assert f"{numbers.fixed(effect.plain_total)} → **{numbers.fixed(effect.total)}**" in words(page)


def test_an_impossible_change_is_one_sentence(page):
    shown(page, hide(*range(20)))
    assert len(page.error) == 1
    assert not page.get("vega_lite_chart")


def test_a_change_that_leaves_the_output_says_so(page, view):
    masked = Intervention(MaskedCell("decoder", 0, 0, 3, 0))
    if effect_of(view, masked).translation.tgt.ids != view.translation.tgt.ids:
        pytest.skip("this output is so unsure that one cell changes it")
    shown(page, masked)
    assert english("masks-effect-unchanged", text=view.translation.text) in words(page)


def test_the_given_head_is_shown_and_another_can_be_chosen(page):
    shown(page, HIDDEN, kind="decoder", head=(1, 2))
    chosen = [page.selectbox(f"fx_{name}").value for name in ("kind", "layer", "head")]
    assert chosen == ["decoder", 1, 2]
    page.selectbox("fx_head").set_value(3).run()
    assert english("head-name", layer=2, head=4) in words(page)
    shown(page, hide(1), kind="decoder", head=(1, 2))  # the choice outlives the change
    assert page.selectbox("fx_head").value == 3


def test_the_most_moved_head_is_shown_unless_told_otherwise(page, effect):
    shown(page, HIDDEN)
    chosen = tuple(page.selectbox(f"fx_{name}").value for name in ("kind", "layer", "head"))
    assert chosen == most_moved_head(effect.plain_record, effect.record)[0]


def test_a_chosen_position_is_looked_at(page, view):
    shown(page, HIDDEN)
    page.selectbox("fx_position").set_value(4).run()
    assert not page.exception
    assert page.selectbox("fx_position").value == 4
    page.selectbox("fx_position").set_value(-1).run()
    assert page.selectbox("fx_position").value == -1


def test_without_the_causal_mask_the_log_probability_is_put_in_its_place(page):
    shown(page, Intervention(LiftedMask()))
    assert english("masks-effect-peeking") in words(page)


def test_the_mass_that_moved_is_a_number_on_the_page(page, view):
    change = Intervention(AblatedHead("cross", 0, 0, "uniform"))
    shown(page, change, kind="cross", head=(0, 0))
    effect = effect_of(view, change)
    rows = effect.plain_record.cross.weights[0, 0]
    by_hand = np.mean([np.abs(row - 1 / len(row)).sum() / 2 for row in rows])
    assert f"**{numbers.percent(by_hand)}**" in words(page)
