"""Labels: every token readable, none able to disturb its neighbours."""

import pytest

from core.tokens import MAX_LABEL, distinct_labels, numbered_labels, token_label, visible
from viz.labels import text_width


@pytest.mark.parametrize(
    ("token", "label"),
    [
        ("▁animal", "animal"),
        ("ing", "·ing"),
        (".", "."),
        ("'", "'"),
        ("</s>", "</s>"),
        ("▁", "␣"),
        ("", "␣"),
        ("▁<script>", "<script>"),
    ],
)
def test_a_label_shows_where_the_word_begins(token, label):
    assert token_label(token) == label


def test_a_long_label_is_cut():
    label = token_label("▁" + "x" * 500)
    assert len(label) == MAX_LABEL
    assert label.endswith("…")


@pytest.mark.parametrize("hidden", ["\x00", "\x1b", "\x7f", "\x85", "\u202e", "\u200b", "\u2028"])
def test_control_and_direction_characters_become_visible(hidden):
    shown = visible(f"a{hidden}b")
    assert hidden not in shown
    assert shown.startswith("a")
    assert shown.endswith("b")
    assert len(shown) > 2
    assert hidden not in token_label(f"▁{hidden}")


def test_menu_labels_of_repeated_tokens_differ():
    labels = numbered_labels(["▁the", "▁dog", "▁the"])
    assert labels == ["1 · the", "2 · dog", "3 · the"]


def test_wide_scripts_are_given_more_room():
    assert text_width("漢字", 10) > text_width("ab", 10)


def test_only_words_that_occur_again_are_numbered():
    tokens = ("▁the", "▁dog", "▁the", "the", "</s>")
    assert distinct_labels(tokens) == ["the₁", "dog", "the₂", "·the", "</s>"]
    assert distinct_labels(("▁a",) * 12)[-1] == "a₁₂"
