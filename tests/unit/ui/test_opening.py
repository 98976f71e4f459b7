"""The head that opens for a text, against maps made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.records.attention import CROSS, ENCODER, AttentionMap, AttentionSite
from ui.kit.focus import HeadSelection, Link
from ui.pages.attention.opening import Opening, opening_of, words_of
from words.packs import Pack

SOURCE = ("▁the", "▁bri", "ght", "▁cat", ",", "▁it", "</s>")
TARGET = ("▁die", "▁Katze", "</s>")
CAT, IT, END = 3, 5, 6


def encoder(**heads: dict[tuple[int, int], float]) -> AttentionMap:
    """Two heads, each uniform but for the weights of `first` and `second`."""
    return _map(ENCODER, SOURCE, SOURCE, heads)


def cross(**heads: dict[tuple[int, int], float]) -> AttentionMap:
    return _map(CROSS, ("<s>", *TARGET[:-1]), SOURCE, heads, outputs=TARGET)


def _map(
    site: AttentionSite,
    queries: tuple[str, ...],
    keys: tuple[str, ...],
    heads: dict[str, dict[tuple[int, int], float]],
    outputs: tuple[str, ...] | None = None,
) -> AttentionMap:
    weights = np.full((1, 2, len(queries), len(keys)), 1 / len(keys), dtype=np.float32)
    for head, name in enumerate(("first", "second")):
        for (row, key), weight in heads.get(name, {}).items():
            weights[0, head, row] = (1 - weight) / (len(keys) - 1)
            weights[0, head, row, key] = weight
    return AttentionMap(site, weights, queries, keys, output_tokens=outputs)


COREFERENCE = {"encoder": {(0, 0): None, (0, 1): "noun"}}
ALIGNMENT = {"cross": {(0, 0): "aligns", (0, 1): None}}
PREVIOUS = {"encoder": {(0, 0): "previous", (0, 1): None}}
IT_ROW = {"encoder": Link("it", (IT,))}
IT_CAT = {"encoder": Link("it", (IT,), "cat", (CAT,))}
STEPS = {(row, row - 1): 0.9 for row in range(1, len(SOURCE))}


@pytest.mark.parametrize(
    ("maps", "roles", "links", "expected"),
    [
        pytest.param(
            [encoder(first={(IT, CAT): 0.8})],
            COREFERENCE,
            IT_CAT,
            ("encoder", HeadSelection(0, 0, (IT,), (CAT,))),
            id="the noun of an example, at the strongest head",
        ),
        pytest.param(
            [encoder(first={(IT, 0): 0.9}, second={(IT, CAT): 0.6})],
            COREFERENCE,
            IT_ROW,
            ("encoder", HeadSelection(0, 1, (IT,), (CAT,))),
            id="an unknown noun, at the coreference head",
        ),
        pytest.param(
            [encoder(first={(IT, 0): 0.9}, second={(IT, CAT): 0.6})],
            {"encoder": {(0, 1): "noun", (0, 0): "noun"}},
            IT_ROW,
            ("encoder", HeadSelection(0, 1, (IT,), (CAT,))),
            id="of several coreference heads, the best measured",
        ),
        pytest.param(
            [encoder(second={(IT, END): 0.9}), cross(first={(1, CAT): 0.7})],
            COREFERENCE | ALIGNMENT,
            IT_ROW,
            ("cross", HeadSelection(0, 0, (1,), (CAT,))),
            id="a pronoun without a noun gives way to alignment",
        ),
        pytest.param(
            [encoder(), cross(first={(0, 0): 0.9, (1, CAT): 0.5})],
            COREFERENCE | ALIGNMENT,
            {},
            ("cross", HeadSelection(0, 0, (1,), (CAT,))),
            id="of aligned words, the longest pair",
        ),
        pytest.param(
            [encoder(first=STEPS)],
            PREVIOUS,
            {},
            ("encoder", HeadSelection(0, 0)),
            id="a neighbour without any pair",
        ),
        pytest.param(
            [encoder(), cross(second={(1, CAT): 0.9})],
            ALIGNMENT,
            IT_ROW,
            None,
            id="no rule finds a head",
        ),
    ],
)
def test_the_first_rule_that_finds_a_head_opens_it(maps, roles, links, expected):
    assert opening_of(maps, roles, links) == (expected and Opening(*expected))


THEY = ("▁the", "▁bri", "ght", "▁cat", "▁ran", ",", "▁as", "▁They", "▁did", "</s>")
ROW = 7


def test_a_pronoun_of_one_translation_opens_at_the_coreference_head_wherever_that_looks():
    attention = _map(ENCODER, THEY, THEY, {"first": {(ROW, CAT): 0.9}})
    pack = Pack(unmarked=frozenset(["they"]))
    found = Opening("encoder", HeadSelection(0, 1, (ROW,)))
    assert opening_of([attention], COREFERENCE, {}, pack) == found
    assert opening_of([attention], COREFERENCE, {}) is None


def test_a_word_has_all_its_pieces_and_signs_have_none():
    assert words_of(SOURCE) == [(0,), (1, 2), (3,), (5,)]
