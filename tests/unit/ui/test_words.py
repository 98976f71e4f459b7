"""Text from outside must come out as text."""

import pytest
from markdown_it import MarkdownIt

from core.records.sources import TokenSequence
from ui.frame.messages import head_name, language_names, plain, token_chips


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "**bold** _italic_ `code` ~~gone~~",
        "[link](javascript:alert(1)) ![image](http://example.com/x.png)",
        "# heading",
        "1. list",
        "> quote | table",
        "$x^2$ :red[red] &amp; \\",
    ],
)
def test_plain_text_survives_markdown_unchanged(text):
    parse = MarkdownIt("commonmark").parse
    (inline,) = [t for t in parse(plain(text)) if t.type == "inline"]
    assert {child.type for child in inline.children} <= {"text", "text_special"}
    assert "".join(child.content for child in inline.children) == text


def test_a_language_goes_by_its_name_and_by_its_code_without_one():
    for code, name in (("de", "German"), ("pt", "Portuguese"), ("zls", "zls"), ("", "target")):
        assert language_names(("en", code)) == ("English", name)


def test_plain_text_is_one_line_not_too_long_and_no_directive():
    shown = plain("a\n\nb " + "c" * 1000, max_length=50)
    assert "\n" not in shown
    assert len(shown) == 50
    assert plain(":red[x]") == r"\:red\[x\]"
    assert head_name(0, 7) == "layer 1, head 8"


def test_chips_show_every_piece_with_its_id_and_mark_the_unknown():
    sequence = TokenSequence(
        "it is 漢", (5, 6, 1, 3), ("▁it", "▁is", "▁漢", "</s>"),
        ((0, 2), (3, 5), (6, 7), (0, 0)), (False, False, True, False),
    )  # fmt: skip
    chips = token_chips(sequence)
    assert ":gray-badge[it 5]" in chips
    assert ":red-badge[? 漢 1]" in chips
    assert chips.count("-badge[") == 4
