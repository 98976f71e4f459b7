"""The effect of a change: what is worked out, and how it is said."""

from __future__ import annotations

import numpy as np
import pytest
from harness import run, saved, words
from streamlit.testing.v1 import AppTest

from core.attention import TRANSFORMER_SITES
from core.changes import AblatedHead, LiftedMask
from core.effect import most_moved_head
from core.intervention import Intervention, hide
from core.search import Decoding
from model.errors import InterventionError
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


def test_the_change_is_searched_and_read_with_totals_over_the_tokens(view, effect):
    found = view.translator.translate(TEXT, DECODING, intervention=HIDDEN)
    assert effect.output.ids == found.tgt.ids
    assert (effect.output.text, effect.finished) == (found.text, found.finished)
    plain = view.translation
    assert effect.record.tgt.ids == plain.tgt.ids
    _, log_probs = view.translator.read_again(plain.src, plain.tgt, HIDDEN)
    np.testing.assert_array_equal(effect.log_probs, log_probs)
    total = float(np.sum(plain.log_probs, dtype=np.float64))
    assert effect.plain_total == pytest.approx(total, abs=1e-4)
    assert effect.total == pytest.approx(sum(map(float, log_probs)))
    # Cross-attention's rows are named by what they produce.
    assert row_names(plain.attention.cross) == plain.tgt.tokens
    assert row_names(plain.attention.decoder)[1:] == plain.tgt.tokens[:-1]
    with pytest.raises(InterventionError) as caught:
        effect_of(view, hide(*range(len(plain.src))))
    assert caught.value.hint


def test_before_and_after_have_the_same_rows_and_columns_and_hidden_tokens_no_weight(effect):
    for kind in TRANSFORMER_SITES:
        before, after = effect.plain_record.of(kind), effect.record.of(kind)
        assert (before.query_tokens, before.key_tokens) == (after.query_tokens, after.key_tokens)
    assert effect.record.cross.weights[..., 1].max() == 0
    assert effect.plain_record.cross.weights[..., 1].max() > 0


def test_without_a_change_nothing_differs(view):
    same = effect_of(view, Intervention())
    assert same.output.ids == view.translation.tgt.ids
    np.testing.assert_array_equal(same.log_probs, same.plain_log_probs)


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


# How it is said


STRUCK, BOLD = ":violet-background[~~{}~~]", ":green-background[**{}**]"


@pytest.mark.parametrize(
    ("before", "after", "struck", "bold"),
    [
        ("Das Tier", "Die Straße", STRUCK.format("Das Tier"), BOLD.format("Die Straße")),
        ("a b", "a b c", "a b", f"a b {BOLD.format('c')}"),
        ("a x", "b x", f"{STRUCK.format('a')} x", f"{BOLD.format('b')} x"),
        ("](evil)", "y", STRUCK.format(r"\]\(evil\)"), BOLD.format("y")),
    ],
)
def test_lost_words_are_struck_through_and_new_ones_bold(before, after, struck, bold):
    assert word_changes(before, after) == (struck, bold)
    marked = [text.replace("~~", "").replace("**", "") for text in (struck, bold)]
    plain_marks = ":violet-background[{}]", ":green-background[{}]"
    assert [*word_changes(before, after, plain_marks)] == marked


@pytest.mark.parametrize(
    ("before", "after", "lost", "new"),
    [
        ("weil es müde war", "weil sie müde war", "“es”", "“sie”"),
        ("weil es müde war.", "weil das müde war.", "“es”", english("masks-effect-no-pronoun")),
        ("Er sah es", "Sie sah es", "“er”, “es”", "“sie”, “es”"),
        ("weil es müde war", "weil es wach war", "", ""),
    ],
)
def test_a_changed_pronoun_is_named(before, after, lost, new):
    n = 1 + lost.count(",")
    said = english("masks-effect-pronouns", n=n, before=lost, after=new)
    assert pronoun_changes(before, after, GERMAN) == (said if lost else "")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (0.0, "no change"),
        (-0.0004, "changed by less than 0.001"),
        (-2.0, "7.4 times less likely"),
        (30.0, "10¹³ times as likely"),
        (0.05, "+0.05"),
    ],
)
def test_a_change_says_how_many_times_likelier_it_is(change, told):
    assert change_words(change) == told


# On a page

SCRIPT = """
import streamlit as st
from core.changes import AblatedHead, MaskedCell
from core.intervention import Intervention, hide
from core.search import Decoding
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


@pytest.mark.parametrize(
    ("change", "n_charts", "n_errors", "told"),
    [
        (Intervention(), 0, 0, english("masks-effect-none")),
        (hide(*range(20)), 0, 1, ""),
        (Intervention(LiftedMask()), 5, 0, english("masks-effect-peeking")),
    ],
    ids=["none", "impossible", "peeking"],
)
def test_every_change_is_drawn_or_said(page, change, n_charts, n_errors, told):
    shown(page, change)
    assert (len(page.get("vega_lite_chart")), len(page.error)) == (n_charts, n_errors)
    assert told in words(page)


def test_a_change_is_drawn_in_five_charts_with_its_log_probability(page, effect):
    shown(page, HIDDEN)
    assert len(page.get("vega_lite_chart")) == 5
    assert len(saved(page)) == 3
    assert f"{numbers.fixed(effect.plain_total)} → **{numbers.fixed(effect.total)}**" in words(page)
    chosen = tuple(page.selectbox(f"fx_{name}").value for name in ("kind", "layer", "head"))
    assert chosen == most_moved_head(effect.plain_record, effect.record)[0]


def test_the_given_head_is_shown_and_another_can_be_chosen(page):
    shown(page, HIDDEN, kind="decoder", head=(1, 2))
    chosen = [page.selectbox(f"fx_{name}").value for name in ("kind", "layer", "head")]
    assert chosen == ["decoder", 1, 2]
    page.selectbox("fx_head").set_value(3).run()
    assert english("head-name", layer=2, head=4) in words(page)
    shown(page, hide(1), kind="decoder", head=(1, 2))  # the choice outlives the change
    assert page.selectbox("fx_head").value == 3


def test_the_mass_that_moved_is_a_number_on_the_page(page, view):
    change = Intervention(AblatedHead("cross", 0, 0, "uniform"))
    shown(page, change, kind="cross", head=(0, 0))
    effect = effect_of(view, change)
    rows = effect.plain_record.cross.weights[0, 0]
    by_hand = np.mean([np.abs(row - 1 / len(row)).sum() / 2 for row in rows])
    assert f"**{numbers.percent(by_hand)}**" in words(page)
