"""Messages of components from the browser: read as meant, or passed over whole."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from core.interventions.kinds import OverriddenRow
from ui.components import document, heads, ribbons, row, scene
from ui.kit.focus import HeadSelection

NAN, INF = math.nan, math.inf
NO_NUMBER = (None, "3", True, 0.5, NAN, INF)
NO_PLACES = (None, "0", 0, {}, [5], [-1], [0.5], ["1"], [True], [[0]])
NO_PLACE = (-1, 9, 0.5, "1", None, True, [0])
FOCI = {
    "one": {"layer": 1, "head": 3, "rows": [4, 0], "columns": [5]},
    "other": {"layer": 0, "head": 0, "rows": [], "columns": []},
}
PLACES = {"one": HeadSelection(1, 3, (0, 4), (5,)), "other": HeadSelection(0, 0)}
SIZES = {"one": heads.Sizes(2, 4, 5, 6), "other": heads.Sizes(1, 1, 3, 3)}


def foci(name: str, *values: Any) -> list[dict]:
    return [{**FOCI, "one": {**FOCI["one"], name: value}} for value in values]


@dataclass(frozen=True)
class Reads:
    """A reader of one component; what is sent to it beside identity and number, and what it is."""

    read: Callable[[Any, str], Any]
    sent: dict[str, Any]
    means: Any
    senseless: dict[str, tuple] = field(default_factory=dict)
    """By field: what makes no sense there."""


READERS = {
    "heads": Reads(
        lambda value, identity: heads.read_chosen(
            value, identity, SIZES, ("weight", "entropy"), ("all", "next")
        ),
        {"kind": "one", "badge": "entropy", "role": "next", "foci": FOCI},
        heads.HeadsChoice("one", "entropy", PLACES, 3, "next"),
        {
            "kind": ("none such", None, [], {}),
            "badge": ("size", ["weight"], {}, None),
            "role": ("end", None, ["next"]),
            "foci": (
                *(None, [], {"one": FOCI["one"]}, {**FOCI, "other": None}),
                *foci("layer", *NO_PLACE),
                *foci("head", *NO_PLACE),
                *foci("rows", *NO_PLACES),
                *foci("columns", None, [6], [-1], [NAN]),
            ),
        },
    ),
    "ribbons": Reads(
        lambda value, identity: ribbons.read_choice(value, identity, 4, 5, 6),
        {"rows": [1], "columns": [], "side": "query", "heads": [0, 2]},
        ribbons.RibbonChoice((1,), (), "query", (0, 2), 3),
        {"rows": NO_PLACES, "columns": ([6],), "heads": ([4], "01", None), "side": ("both", None)},
    ),
    "document": Reads(
        lambda value, identity: document.read_removal(value, identity, (2, 1)),
        {"sentences": [0], "words": [[1, 0]]},
        document.Removal(document.TakenOut(frozenset({0}), frozenset({(1, 0)})), 3),
        {"sentences": ([3], [True], None), "words": ([[0, 2]], [[0]], [0], None)},
    ),
    "a tool on a scene": Reads(
        scene.read_act,
        {"act": "move", "from": 1, "to": 6},
        scene.Act("move", (0, 1), (1, 2), 3),
        {"act": ("burn", None), "from": (16, "1", None), "to": (16, -1, None)},
    ),
    "a word of a caption": Reads(
        lambda value, identity: scene.read_word(value, identity, 4),
        {"word": 2},
        scene.OpenWord(2, 3),
        {"word": (4, -1, "1", True)},
    ),
    "no word of a caption": Reads(
        lambda value, identity: scene.read_word(value, identity, 4),
        {"word": None},
        scene.OpenWord(None, 3),
    ),
    "row": Reads(
        lambda value, identity: row.read_row(value, identity, (True, True, False)),
        {"weights": [0.25, 0.75, 0]},
        row.GivenRow((0.25, 0.75, 0), 3),
        # The third may not be looked at.
        {"weights": ([1], [2, -1, 0], [0, 0, 0], [0.5, 0, 0.5], [True, 0, 0], [NAN, 1, 0])},
    ),
}


def sent(name: str, **changes: Any) -> Any:
    each = READERS[name]
    return each.read({"identity": "a", "number": 3, **each.sent, **changes}, "a")


@pytest.mark.parametrize("name", READERS)
def test_messages_are_read_and_nonsense_is_passed_over_whole(name):
    reader = READERS[name]
    assert sent(name) == reader.means
    assert sent(name, more={"layer": 99}) == reader.means
    for no_message in (None, [], {}, "choice", 7, True):
        assert reader.read(no_message, "a") is None
    senseless = reader.senseless | {"identity": ("b", None), "number": NO_NUMBER}
    for place, values in senseless.items():
        for value in values:
            assert sent(name, **{place: value}) is None, (place, value)


def test_numbers_that_json_made_floats_are_whole_again_and_more_does_no_harm():
    for name, changes in (
        ("heads", {"number": 3.0}),
        ("heads", {"foci": foci("layer", 1.0)[0]}),
        ("heads", {"foci": foci("rows", [4.0, 0.0])[0]}),
        ("heads", {"foci": {**FOCI, "a site that the model lacks": {"layer": 99}}}),
        ("ribbons", {"rows": [1.0], "number": 3.0}),
    ):
        assert sent(name, **changes) == READERS[name].means, (name, changes)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 30])
def test_a_rounded_row_sums_to_one_and_is_near(n):
    rng = np.random.default_rng(n)
    rows = [rng.random(n) ** power * scale for power in (1, 9) for scale in (1e-300, 1) * 5]
    for weights in (*rows, np.ones(n), np.eye(n)[-1]):
        found = row.rounded(weights.tolist())
        assert sum(found) == pytest.approx(1, abs=1e-9)
        assert min(found) >= 0
        np.testing.assert_allclose(found, weights / weights.sum(), atol=5e-5 * (n + 1))
        OverriddenRow("cross", 0, 0, 0, found)
