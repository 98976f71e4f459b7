"""Labels: every token readable, none able to disturb its neighbours."""

import pytest

from core.tokens import (
    MAX_LABEL,
    cut,
    distinct_labels,
    n_columns,
    numbered_labels,
    token_label,
    visible,
)
from viz.labels import text_width
from words import english


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
    assert distinct_labels(("▁a", "▁a₁", "▁a")) == ["a₂", "a₁", "a₃"]
    numbered = distinct_labels(("▁a",) * 12 + ("▁a₁",) * 2)
    assert len({*numbered}) == 14


HEBREW, ARABIC = "שלום", "كلب"


def apart(text: str) -> str:
    return f"\u2068{text}\u2069"


def test_a_token_that_is_written_from_right_to_left_stands_apart_in_a_sentence():
    assert token_label(f"▁{HEBREW}") == apart(HEBREW)
    assert token_label(ARABIC) == apart(f"·{ARABIC}")
    assert distinct_labels([f"▁{ARABIC}"] * 2) == [f"{apart(ARABIC)}₁", f"{apart(ARABIC)}₂"]
    assert numbered_labels([f"▁{HEBREW}", "▁2"]) == [f"1 · {apart(HEBREW)}", "2 · 2"]
    assert visible(f"{HEBREW} 12") == apart(f"{HEBREW} 12")
    assert english("quoted", text=visible(HEBREW)) == f"“{apart(HEBREW)}”"


def test_what_stands_apart_is_set_apart_once_and_alone():
    label = token_label(f"▁{HEBREW}")
    assert visible(label) == label
    assert visible(f"a {label} 1 {label}.") == f"a {label} 1 {label}."
    assert visible(apart("a")) == "‹2068›a‹2069›"
    assert visible(f"\u2068{HEBREW}") == apart(f"‹2068›{HEBREW}")


def test_isolates_take_no_room_and_are_closed_where_a_text_is_cut():
    label = token_label(f"▁{HEBREW * 9}")
    assert label == apart((HEBREW * 9)[: MAX_LABEL - 1] + "…")
    assert n_columns(label) == MAX_LABEL
    assert text_width(apart(HEBREW), 10) == text_width(HEBREW, 10)
    shown = cut(visible(HEBREW * 9), 10)
    assert (shown.count("\u2068"), shown[-2:]) == (1, "…\u2069")
    assert cut("a" * 12, 10) == "a" * 9 + "…"
