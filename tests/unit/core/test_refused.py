"""Refusals by the functions of core, in words that name what is wrong; examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
import re
from dataclasses import replace

import numpy as np

from core.arithmetic import staged
from core.attention_masks import head_stages
from core.bootstrap import compared, draws, mean
from core.explain import measures_table
from core.files import attention_table
from core.interventions.draft import read_weights
from core.interventions.effect import log_prob_changes, next_tokens
from core.interventions.kinds import AblatedHead, HiddenToken, MaskedCell, OverriddenRow, Positions
from core.positions import encoding_table, rotation_error
from core.principal import principal
from core.records.attention import CROSS, AttentionMap
from core.records.hypotheses import length_penalty
from core.records.search import Candidate
from core.records.sources import TokenSequence
from core.records.tokens import candidate_lines, log_prob_lines
from core.weights.aggregate import combine, flow_rows, rollout
from core.weights.links import links
from core.weights.maps import head_rows_cells
from core.weights.pairs import shared_difference
from core.weights.transform import groups_for
from core.word_order import layer_table, strip_tables
from support.figures import PLAIN, map_of
from support.maps import random_attention, random_map, random_record
from support.models import ROOT

RECORD, MAP, LINKED = random_record(n_src=4, n_tgt=3), map_of(PLAIN), random_attention(0)
ALONE = replace(RECORD, maps=(RECORD.cross,))
ROW, SQUARE, GRID = np.ones(3) / 3, np.ones((3, 3)), np.zeros((2, 4))
PAIRS, VALUES = ((0, 0), (1, 2)), encoding_table(4, 2)


def cross_map(**changes):
    """A map of two queries and three keys with something else about it."""
    fits = {"site": CROSS, "weights": np.ones((1, 1, 2, 3)) / 3, "query_tokens": ("<s>", "▁a")}
    return AttentionMap(**(fits | {"key_tokens": ("▁x", "▁y", "▁z")} | changes))


def row(*weights, query=0):
    return OverriddenRow("cross", 0, 0, query, weights)


SIDES = [[Candidate(i, f"▁w{i}", -0.1, 0)] for i in (1, 2)]
REFUSED = [
    ("'median'", combine, MAP, "median"),
    ("encoder vectors", staged, random_map()[0], MAP, 0, 0, 0),
    (r"\(2, 3\) and \(3, 3\)", compared, SQUARE[:2], SQUARE, mean),
    ("one sentence or more", draws, 0),
    ("“1_0” is", read_weights, "1_0", "a", [True]),
    ("3 tokens, but 2 .* before and 3 after", log_prob_changes, PLAIN[:3], ROW[:2], ROW),
    (r"\[3, 4\]", measures_table, "abcd", None, ROW, GRID[0]),
    ("1 row tokens for 6 rows", attention_table, MAP, None, None, "a"),
    ("share is 0", lambda: links(LINKED, 0, share=0)),
    ("share is 1.01", lambda: links(LINKED, 0, share=1.01)),
    ("most is 0", lambda: links(LINKED, 0, most=0)),
    ("expected weights of", head_rows_cells, SQUARE, "abc", "abc"),
    ("expected weights of", head_rows_cells, SQUARE[None], "ab", ""),
    ("without any key", head_stages, SQUARE, SQUARE < 0),
    (r"\(2, 3\)", head_stages, SQUARE, SQUARE[:2] > 0),
    ("expected panels", layer_table, {}, "abcd", "distance"),
    ("expected panels", layer_table, {"a": GRID, "b": GRID[:1]}, "abcd", "distance"),
    ("expected panels", layer_table, {"a": GRID}, "abc", "distance"),
    ("expected vectors of", strip_tables, {"a": np.ones((2, 3, 4))}, ("I", "go"), (1, 0), 2),
    ("cannot compare", shared_difference, MAP, map_of(PLAIN, heads=2), PAIRS, PAIRS),
    ("cannot compare", shared_difference, MAP, replace(MAP, site=CROSS), PAIRS, PAIRS),
    ("'gnmt', expected one of none, length, wu", length_penalty, 3, 0.6, "gnmt"),
    ("even, found 7", encoding_table, 3, 7),
    ("from 0 to 3", rotation_error, VALUES, -1),
    ("from 0 to 3", rotation_error, VALUES, 4),
    ("shape", principal, ROW),
    ("as many", candidate_lines, [], [], []),
    ("as many", candidate_lines, "a", [-1.0], [1, 2]),
    ("2 log-prob.* 1 tokens", log_prob_lines, "a", [-1.0, -2.0]),
    ("target", lambda: groups_for(replace(RECORD, tgt=None), "cross", produced=True)),
    ("2, 1, 2, 2", TokenSequence, "a b", (1, 2), ("a",), ((0, 1), (2, 3))),
    (r"\(L, H, T_q, T_k\)", lambda: cross_map(weights=GRID)),
    (r"\(3, 2\).*\(2, 3\)", lambda: cross_map(weights=np.ones((1, 1, 3, 2)))),
    ("1 output tokens for 2", lambda: cross_map(output_tokens=("▁a",))),
    ("mask", lambda: cross_map(mask=SQUARE > 0)),
    ("head_masks", lambda: cross_map(head_masks=SQUARE[:2] > 0)),
    ("sum to 0.9", row, 0.5, 0.4),
    ("contain -0.5", row, 1.5, -0.5),
    ("finite", row, np.nan, 1.0),
    ("finite", row),
    ("query is None", lambda: row(1.0, query=None)),
    ("'no name'", MaskedCell, "no name", 0, 0, 0, 0),
    ("layer is -1", MaskedCell, "cross", -1, 0, 0, 0),
    ("position is -1", HiddenToken, "cross", -1),
    ("how is 'loud'", AblatedHead, "cross", 0, 0, "loud"),
    ("mode is 'sideways'", Positions, "sideways"),
    ("side is 'words'", lambda: Positions(side="words")),
    ("offset is -1", Positions, "shifted", -1),
    ("seed is -1", lambda: Positions("permuted", seed=-1)),
    ("span is 0", lambda: Positions("reversed", span=0)),
    ("span is 5", lambda: Positions("reversed", span=5).order(4)),
    ("need a number of positions", lambda: Positions("reversed", side="target")),
    ("on itself", rollout, ALONE, "cross"),
    ("on itself", flow_rows, ALONE, "cross", [0]),
    ("2|1", next_tokens, *SIDES),
    ("layer 2 of 2; layers count from 0", attention_table, MAP, 2, 0),
    ("head 3 of 3; heads count from 0", attention_table, MAP, 0, 3),
    ("layer -1 of 2", attention_table, MAP, -1, 0),
    ("head 3 of 3", links, LINKED, 0, (0, 3)),
    ("layer -1 of 1", links, LINKED, -1),
]


def refusal(function, *arguments) -> str:
    try:
        function(*arguments)
    except (ValueError, LookupError) as error:
        return str(error)
    return "nothing"


def test_what_cannot_be_is_refused_by_its_name():
    said = [(told, refusal(*call)) for told, *call in REFUSED]
    assert [(told, text) for told, text in said if not re.search(told, text)] == []


# The caption in that of `core.captions` is one of many and drawn by chance.
MODULES = {
    f"{room}.{path.stem}"
    for room in ("core", "viz", "words")
    for path in (ROOT / room).glob("*.py")
} - {"core.captions"}


def test_the_examples_in_the_docstrings_hold():
    failed = {name: doctest.testmod(importlib.import_module(name)).failed for name in MODULES}
    assert failed == dict.fromkeys(MODULES, 0)
