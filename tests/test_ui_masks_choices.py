"""Which decision of a translation is looked at, and how it survives what a person types."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import masks_page
import numpy as np
from masks_page import SHORT, TIRED

from ui.masks import choices

view = masks_page.view


def test_the_pronoun_is_followed_with_its_rivals(view):
    found = choices.pronoun_choice(view)
    assert view.translation.tgt.tokens[found.position] == "▁es"
    assert found.tokens[0] == "▁es"
    assert set(found.ids) <= set(range(view.translator.card.config["vocab_size"]))


def test_no_pronoun_is_followed_without_a_pack_nor_at_another_token(view):
    assert choices.forms_at(view, 0) is None
    card = replace(view.translator.card, languages=("en", "xx"))
    other = replace(view, translator=SimpleNamespace(card=card))
    assert (other.pack.pronoun, other.example) == ("", None)
    assert choices.forms_at(other, choices.pronoun_position(view)) is None


def test_any_token_can_be_followed_with_its_likeliest_rivals(view):
    found = choices.choice_at(view, 0)
    likeliest = view.translator.candidates(TIRED, (), 3)
    assert found.ids[0] == view.translation.tgt.ids[0]
    assert set(found.ids[1:]) <= {each.token_id for each in likeliest}
    assert len(set(found.ids)) == 3


def test_without_a_pronoun_the_least_sure_token_tells_most(view):
    log_probs = np.full(len(view.translation.tgt), -1.0, np.float32)
    log_probs[3] = -2.0
    other = replace(view.translation, src=view.translator.tokenize(SHORT), log_probs=log_probs)
    assert choices.telling_position(replace(view, translation=other)) == 3


def test_words_are_whole_and_leave_special_tokens_out(view):
    found = choices.source_words(view)
    assert [word.text for word in found][:4] == ["The", "animal", "didn't", "cross"]
    covered = sorted(i for word in found for i in word.positions)
    assert covered == list(range(len(view.translation.src) - 1))


def test_the_sites_of_a_run_are_found_by_their_sides(view):
    assert choices.site_between(view, "source", "source") == "encoder"
    assert choices.site_between(view, "target", "source") == "cross"
    assert choices.site_between(view, "image", "source") is None
    assert choices.causal_map(view) is view.translation.attention.decoder
