"""The effect of a change: what is worked out, and how it is said."""

from __future__ import annotations

import numpy as np
import pytest

from core.attention import TRANSFORMER_SITES
from core.intervention import hide
from core.search import Decoding
from model.errors import InterventionError
from support.app import open_page, put, words
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
    np.testing.assert_allclose(effect.log_probs, log_probs, rtol=0, atol=1e-5)
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
        (-2.0, "P falls to 1/7.4 of its value"),
        (30.0, "P rises to 10¹³ times its value"),
        (0.05, "+0.05"),
    ],
)
def test_a_change_says_how_many_times_likelier_it_is(change, told):
    assert change_words(change) == told


# On a page


def test_the_mass_that_moved_is_a_number_on_the_page_and_the_chosen_head_outlives_the_change(
    folder,
):
    page = open_page("masks", mask_look="knockout", text=TEXT, knock_how="uniform", max_len="8")
    put(page, knock_head=("cross", 0, 0))
    put(page, knockout_effect_kind="cross")
    put(page, knockout_effect_layer=0, knockout_effect_head=0)
    rows = page.session_state["run"].record.cross.weights[0, 0]
    by_hand = np.mean([np.abs(row - 1 / len(row)).sum() / 2 for row in rows])
    assert f"**{numbers.percent(by_hand)}**" in words(page)
    put(page, knockout_effect_head=3)
    assert english("head-name", layer=1, head=4) in words(page)
    assert put(page, knock_how="zero").selectbox("knockout_effect_head").value == 3
