"""Pronoun and nouns at each site, and the two heads that go together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.records.attention import CROSS, DECODER, ENCODER, AttentionMap, AttentionSite
from core.records.sources import TokenSequence
from support.models import spell
from ui.kit.focus import HeadSelection, Link, SiteFocus, link_at
from ui.pages.attention.linked_heads import linked_heads
from words.packs import ExampleSentence, Pack

TEXT = "The animal didn't cross the street because it was tired"
KNOWN = Pack(
    pronoun="it",
    rivals=(("es", "sie", "er"),),
    examples=(ExampleSentence("riddle", TEXT, "it", "animal", "street", decides="tired"),),
)
UNKNOWN = Pack(pronoun="it", rivals=KNOWN.rivals)


def sequence(text: str) -> TokenSequence:
    """Whole words as pieces."""
    return spell(*(f"▁{word}" for word in text.split()))


WRITTEN = "Das Tier überquerte die Straße nicht weil es müde war"
WORDS = AttentionSite("words", "words", "words")
REGIONS = AttentionSite("regions", "target", "image")


@pytest.mark.parametrize(
    ("site", "pack", "found"),
    [
        (ENCODER, KNOWN, ("it", (7,), (1,), (5,), (9,))),
        (CROSS, KNOWN, ("es", (7,), (1,), (5,), ())),  # the row that produces it
        (DECODER, KNOWN, ("es", (8,), (), (), ())),  # the row that reads it
        (ENCODER, UNKNOWN, ("it", (7,), (), (), ())),
    ],
)
def test_the_pronoun_looks_at_the_nouns_that_are_known(site, pack, found):
    link = link_at(site, sequence(TEXT), sequence(WRITTEN), pack)
    assert (link.row_word, link.rows, link.columns, link.other_columns) == found[:4]
    assert site != ENCODER or link.deciding_columns == found[4]


@pytest.mark.parametrize(
    ("site", "text", "written", "pack"),
    [
        (ENCODER, "A dog and an item", WRITTEN, UNKNOWN),
        (CROSS, TEXT, "Das Tier ist müde", KNOWN),
        (WORDS, TEXT, WRITTEN, KNOWN),
        (REGIONS, TEXT, WRITTEN, UNKNOWN),
        (ENCODER, TEXT, WRITTEN, Pack()),
    ],
)
def test_without_a_pronoun_or_on_another_side_there_is_no_noun(site, text, written, pack):
    link = link_at(site, sequence(text), sequence(written), pack)
    assert link is None or not link.columns
    assert link is None or site not in (ENCODER, CROSS) or not pack.pronoun


@pytest.mark.parametrize(
    ("written", "rows"), [("I want a Beer please beer", (3,)), ("I want some wine", None)]
)
def test_a_written_word_looks_at_the_noun_that_it_renders(written, rows):
    text = "저는 맥주로 하겠습니다"
    pack = Pack(examples=(ExampleSentence("notes", text, antecedent="맥주로", writes="beer"),))
    src, tgt = sequence(text), sequence(written)
    link = link_at(CROSS, src, tgt, pack)
    assert (link and link.rows) == rows
    if rows:
        assert (link.row_word, link.column_word, link.columns) == ("beer", "맥주로", (1,))
    assert link_at(ENCODER, src, tgt, pack) is link_at(DECODER, src, tgt, pack) is None


# Two heads: one finds the noun, the other what decides it


TOKENS = ("▁animal", "▁street", "▁it", "▁tired")
LINK = Link("it", (2,), "animal", (0,), "street", (1,), "tired", (3,))
IT = 2


def attention(rows: dict[tuple[int, int], tuple[float, ...]], site=ENCODER) -> AttentionMap:
    """Two layers of two heads, even but for the given rows of "it"."""
    weights = np.full((2, 2, 4, 4), 0.25, np.float32)
    for place, row in rows.items():
        weights[(*place, IT)] = row
    return AttentionMap(site, weights, TOKENS, TOKENS)


def deciding_head(attention: AttentionMap, link: Link | None) -> tuple[int, int] | None:
    found = linked_heads(attention, link)
    return found[1].head if len(found) > 1 else None


BOTH = attention({(1, 0): (0.9, 0, 0.1, 0), (0, 1): (0.1, 0, 0, 0.9)})


@pytest.mark.parametrize(
    ("attention", "link", "head"),
    [
        (BOTH, LINK, (0, 1)),
        # A head that does both is not its own company.
        (attention({(1, 0): (0.5, 0, 0, 0.5), (0, 1): (0.1, 0.5, 0, 0.4)}), LINK, (0, 1)),
        (attention({(0, 1): (0, 0, 0, 1)}, CROSS), LINK, None),
        (AttentionMap(ENCODER, attention({}).weights / 2, TOKENS, TOKENS), LINK, None),
        *(
            (BOTH, link, None)
            for link in (None, Link("it", (2,)), replace(LINK, deciding_columns=()))
        ),
    ],
)
def test_the_head_of_the_deciding_word_is_found_beside_that_of_the_noun(attention, link, head):
    assert deciding_head(attention, link) == head


@pytest.mark.parametrize(
    ("identity", "has_moved", "keeps"),
    [
        (("model", (4, 5), (9,)), False, True),  # a word hidden: only the output changed
        (("model", (6, 7), (8,)), False, False),
        (("model", (6, 7), (8,)), True, True),
        (("other", (4, 5), (8,)), True, False),
    ],
)
def test_the_open_head_stays_for_the_same_source(identity, has_moved, keeps):
    focus = HeadSelection(1, 7)
    opened = (0, 0) if has_moved else focus.place
    assert SiteFocus(("model", (4, 5), (8,)), focus, opened).keeps_head(identity) == keeps
