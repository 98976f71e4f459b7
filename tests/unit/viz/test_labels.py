"""Labels: every token readable, none able to disturb its neighbours."""

import pytest

from core.records.tokens import (
    MAX_LABEL,
    cut,
    distinct_labels,
    n_columns,
    numbered_labels,
    token_label,
    visible,
)
from viz.labels import text_width
from viz.recipes import label_axis
from words import english

HEBREW, ARABIC = "שלום", "كلب"


def apart(text: str) -> str:
    """A text between the signs that isolate its direction."""
    return f"\u2068{text}\u2069"


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
        ("▁" + "x" * 500, "x" * (MAX_LABEL - 1) + "…"),
        (f"▁{HEBREW}", apart(HEBREW)),
        (ARABIC, apart(f"·{ARABIC}")),
        (f"▁{HEBREW * 9}", apart((HEBREW * 9)[: MAX_LABEL - 1] + "…")),
    ],
)
def test_a_label_shows_where_the_word_begins_and_is_cut(token, label):
    assert token_label(token) == label


def test_control_and_direction_characters_become_visible():
    for hidden in "\x00\x1b\x7f\x85\u202e\u200b\u2028":
        shown = visible(f"a{hidden}b")
        assert hidden not in shown + token_label(f"▁{hidden}")
        assert (shown[0], shown[-1]) == ("a", "b")
        assert len(shown) > 2


def test_signs_of_invisible_characters_are_in_every_font():
    assert token_label("\n") == "‹\\n›"
    assert visible("\t\r") == r"‹\t›‹\r›"
    signs = "".join(visible(chr(code)) for code in range(0x20))
    assert set(signs) <= set(r"‹›\nrt0123456789ABCDEF")


def test_repeated_tokens_are_numbered():
    assert numbered_labels(["▁the", "▁dog", "▁the"]) == ["1 · the", "2 · dog", "3 · the"]
    tokens = ("▁the", "▁dog", "▁the", "the", "</s>")
    assert distinct_labels(tokens) == ["the₁", "dog", "the₂", "·the", "</s>"]
    assert distinct_labels(("▁a",) * 12)[-1] == "a₁₂"
    assert distinct_labels(("▁a", "▁a₁", "▁a")) == ["a₂", "a₁", "a₃"]
    assert len({*distinct_labels(("▁a",) * 12 + ("▁a₁",) * 2)}) == 14


def test_words_from_right_to_left_stand_apart_once_and_alone():
    assert distinct_labels([f"▁{ARABIC}"] * 2) == [f"{apart(ARABIC)}₁", f"{apart(ARABIC)}₂"]
    assert numbered_labels([f"▁{HEBREW}", "▁2"]) == [f"1 · {apart(HEBREW)}", "2 · 2"]
    assert english("quoted", text=visible(HEBREW)) == f"“{apart(HEBREW)}”"
    label = apart(HEBREW)
    for text, shown in (
        (f"{HEBREW} 12", apart(f"{HEBREW} 12")),
        (label, label),
        (f"a {label} 1 {label}.", f"a {label} 1 {label}."),
        (apart("a"), "‹2068›a‹2069›"),
        (f"\u2068{HEBREW}", apart(f"‹2068›{HEBREW}")),
    ):
        assert visible(text) == shown


def test_isolates_take_no_room_and_are_closed_where_a_text_is_cut():
    assert n_columns(token_label(f"▁{HEBREW * 9}")) == MAX_LABEL
    assert text_width(apart(HEBREW), 10) == text_width(HEBREW, 10)
    assert text_width("漢字", 10) > text_width("ab", 10)
    shown = cut(visible(HEBREW * 9), 10)
    assert (shown.count("\u2068"), shown[-2:]) == (1, "…\u2069")
    assert cut("a" * 12, 10) == "a" * 9 + "…"


@pytest.mark.parametrize(
    ("step", "angle"),
    [
        (26, -50),
        (14, -50),  # 14 sin 50° = 10.7 pixels between the lines of 10
        (11, -90),  # 8.4 pixels: slanted lines would lie on each other
    ],
)
def test_words_above_columns_stand_upright_where_slanted_ones_would_touch(step, angle):
    assert label_axis("columns", step, slanted=True)["labelAngle"] == angle


@pytest.mark.parametrize(("step", "every"), [(12, 1), (9, 2), (5, 2), (4, 3)])
def test_fewer_labels_are_written_where_a_line_of_text_has_no_room(step, every):
    written = label_axis("rows", step, chosen="mark")["labelExpr"]
    rule = f"datum.value % {every} === 0"
    assert (rule in written) == (every > 1)
    # A marked label is always written.
    assert (f"{rule} || data('rows')[datum.value].mark" in written) == (every > 1)
