"""What cannot be is refused by the functions of core and viz, in words that name it.

And what their docstrings show holds.
"""

from __future__ import annotations

import doctest
import importlib
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from unit.core.test_aggregate import random_record
from unit.core.test_arithmetic import random_map
from unit.core.test_knockout import HEADS, found
from unit.core.test_links import random_attention
from unit.viz.test_formation import curves

from core.aggregate import combine, flow_rows, rollout
from core.arithmetic import staged
from core.attention import CROSS, AttentionMap
from core.bootstrap import compared, mean
from core.changes import AblatedHead, HiddenToken, MaskedCell, OverriddenRow, Positions
from core.effect import log_prob_changes, next_tokens
from core.explain import measures_table
from core.files import attention_table
from core.hypotheses import length_penalty
from core.intervention import Intervention
from core.links import links
from core.maps import head_rows_cells
from core.masking import head_stages
from core.order import layer_table, strip_table
from core.pairs import shared_difference
from core.positions import encoding_table, rotation_error
from core.principal import principal
from core.search import Candidate, Decoding, Sampling
from core.tokens import TokenSequence, candidate_lines, log_prob_lines
from core.transform import groups_for
from support.figures import PLAIN, map_of
from support.models import ROOT
from support.trees import ends_at
from viz.effect import difference_heatmap, log_prob_bars
from viz.encoding import MOST_CURVES, curves_figure
from viz.encoding_space import encoding_surface
from viz.explain import correlation_grid
from viz.knockout import choice_dots, head_bars
from viz.lineage import length_curves
from viz.maps import map_row
from viz.masking import forced_table
from viz.score_lines import score_lines
from viz.sweep import cost_chart, sweep_chart
from viz.token_bars import token_log_probs

RECORD, MAP, LINKED = random_record(n_src=4, n_tgt=3), map_of(PLAIN), random_attention(0)
ROW, SQUARE, NONE = np.ones(3) / 3, np.ones((3, 3)), pd.DataFrame()
PAIRS = ((0, 0), (1, 2))
ENDS, VALUES = ends_at([(-2.0, 4)]), encoding_table(4, 2)
GRID, STRIPS = np.zeros((2, 4)), {"a": np.ones(2), "b": np.ones(3)}


def parts(**changes):
    """A map of two queries and three keys with something else about it."""
    fits = {"site": CROSS, "weights": np.ones((1, 1, 2, 3)) / 3, "query_tokens": ("<s>", "▁a")}
    return lambda: AttentionMap(**(fits | {"key_tokens": ("▁x", "▁y", "▁z")} | changes))


def row(*weights, query=0):
    return lambda: OverriddenRow("cross", 0, 0, query, weights)


REFUSED = {
    "combination": (lambda: combine(MAP, "median"), "'median'"),
    "vectors of another run": (lambda: staged(random_map()[0], MAP, 0, 0, 0), "encoder vectors"),
    "other sentences": (lambda: compared(SQUARE[:2], SQUARE, mean), r"\(2, 3\) and \(3, 3\)"),
    "fewer numbers before": (
        lambda: log_prob_changes(PLAIN[:3], ROW[:2], ROW),
        "3 tokens, but 2 log-probabilities before and 3 after",
    ),
    "a measure too short": (lambda: measures_table("abcd", None, ROW, GRID[0]), r"\[3, 4\]"),
    "row names too few": (lambda: attention_table(MAP, row_tokens="a"), "1 row tokens for 6 rows"),
    "a share of nothing": (lambda: links(LINKED, 0, share=0), "share is 0"),
    "a share above one": (lambda: links(LINKED, 0, share=1.01), "share is 1.01"),
    "no links": (lambda: links(LINKED, 0, most=0), "most is 0"),
    "heads without axes": (lambda: head_rows_cells(SQUARE, "abc", "abc"), "expected weights of"),
    "heads of other keys": (lambda: head_rows_cells(SQUARE[None], "ab", ""), "expected weights of"),
    "a row without keys": (lambda: head_stages(SQUARE, SQUARE < 0), "without any key"),
    "a mask of another shape": (lambda: head_stages(SQUARE, SQUARE[:2] > 0), r"\(2, 3\)"),
    "no panels": (lambda: layer_table({}, "abcd", "distance"), "expected panels"),
    "unequal panels": (
        lambda: layer_table({"a": GRID, "b": GRID[:1]}, "abcd", "distance"),
        "expected panels",
    ),
    "panels of other tokens": (lambda: layer_table({"a": GRID}, "abc", "distance"), "expected"),
    "vectors of other lengths": (lambda: strip_table(STRIPS), "one length"),
    "maps of other heads": (
        lambda: shared_difference(MAP, map_of(PLAIN, heads=2), PAIRS, PAIRS),
        "cannot compare",
    ),
    "maps of other sites": (
        lambda: shared_difference(MAP, replace(MAP, site=CROSS), PAIRS, PAIRS),
        "cannot compare",
    ),
    "penalty": (
        lambda: length_penalty(3, 0.6, "gnmt"),
        "'gnmt', expected one of none, length, wu",
    ),
    "an odd width": (lambda: encoding_table(3, 7), "even, found 7"),
    "an offset below": (lambda: rotation_error(VALUES, -1), "from 0 to 3"),
    "an offset beyond": (lambda: rotation_error(VALUES, 4), "from 0 to 3"),
    "points that are no table": (lambda: principal(ROW), "shape"),
    "no candidates": (lambda: candidate_lines([], [], []), "as many"),
    "candidates of other ids": (lambda: candidate_lines("a", [-1.0], [1, 2]), "as many"),
    "logs of other tokens": (lambda: log_prob_lines("a", [-1.0, -2.0]), "2 log-prob.* 1 tokens"),
    "a missing target": (
        lambda: groups_for(replace(RECORD, tgt=None), "cross", produced=True),
        "target",
    ),
    "ids without tokens": (
        lambda: TokenSequence("a b", (1, 2), ("a",), ((0, 1), (2, 3))),
        "2, 1, 2, 2",
    ),
    "weights without heads": (parts(weights=GRID), r"\(L, H, T_q, T_k\)"),
    "weights of other tokens": (parts(weights=np.ones((1, 1, 3, 2))), r"\(3, 2\).*\(2, 3\)"),
    "outputs too few": (parts(output_tokens=("▁a",)), "1 output tokens for 2"),
    "a mask of other tokens": (parts(mask=SQUARE > 0), "mask"),
    "masks of no heads": (parts(head_masks=SQUARE[:2] > 0), "head_masks"),
    "least above most": (
        lambda: Decoding(min_len=9, max_len=8),
        "min_len is 9, more than max_len, which is 8",
    ),
    "every option of a search": (
        lambda: Decoding(0, -1.0, 0, -1, "a", "b", -1),
        "beam_size.*alpha.*n_runners_up.*penalty.*penalise.*max_len.*min_len",
    ),
    "every option of a sampling": (
        lambda: Sampling(0, -1.0, -1, 0.0, -1.0, -1, 0, -1),
        "n_samples.*temperature.*top_k.*top_p.*min_p.*seed.*max_len.*min_len",
    ),
    "a row that sums to less": (row(0.5, 0.4), "sum to 0.9"),
    "a row below zero": (row(1.5, -0.5), "contain -0.5"),
    "a row of no number": (row(np.nan, 1.0), "finite"),
    "an endless row": (row(np.inf, 0.0), "finite"),
    "an empty row": (row(), "finite"),
    "a row everywhere": (row(1.0, query=None), "query is None"),
    "no name of a site": (lambda: MaskedCell("no name", 0, 0, 0, 0), "'no name'"),
    "a layer below": (lambda: MaskedCell("cross", -1, 0, 0, 0), "layer is -1"),
    "ablation": (lambda: AblatedHead("cross", 0, 0, "loud"), "how is 'loud'"),
    "mode of positions": (lambda: Positions("sideways"), "mode is 'sideways'"),
    "side of positions": (lambda: Positions(side="words"), "side is 'words'"),
    "an offset of positions": (lambda: Positions("shifted", offset=-1), "offset is -1"),
    "a seed below": (lambda: Positions("permuted", seed=-1), "seed is -1"),
    "a span of nothing": (lambda: Positions("reversed", span=0), "span is 0"),
    "a span too long": (lambda: Positions("reversed", span=5).order(4), "span is 5"),
    "a position below": (lambda: Intervention(HiddenToken("cross", -1)), "position is -1"),
    "a target without a span": (
        lambda: Positions("reversed", side="target"),
        "need a number of positions",
    ),
    # -- figures --
    "no tokens": (lambda: log_prob_bars(pd.DataFrame()), "no tokens"),
    "nothing shared": (
        lambda: difference_heatmap((MAP, MAP), (0, 0), ((), PAIRS), PLAIN),
        "no shared",
    ),
    "no curves": (lambda: curves_figure(VALUES, ()), "found 0"),
    "curves": (lambda: curves_figure(VALUES, range(MOST_CURVES + 1)), f"found {MOST_CURVES + 1}"),
    "a row as a surface": (lambda: encoding_surface(GRID[:1]), "found"),
    "a column as a surface": (lambda: encoding_surface(GRID[:, :1]), "found"),
    "correlations": (lambda: correlation_grid(np.zeros((2, 2, 2)), title="ρ"), "L, H"),
    "runs without numbers": (lambda: curves({}, "a"), "expected"),
    "no runs": (lambda: curves({}, ""), "expected"),
    "too many runs": (lambda: curves({}, "abcdefg"), "expected"),
    "values of other heads": (lambda: head_bars(HEADS, ROW, title="c"), "found 3 for 4"),
    "no choice": (lambda: choice_dots(found(position=None)), "no choice"),
    "no curves of length": (
        lambda: length_curves(NONE, "ab", along="words", measure="BLEU"),
        "nothing to draw: 0 rows",
    ),
    "no maps": (lambda: map_row([], "encoder"), "no maps"),
    "runs of other lengths": (lambda: forced_table("a", ROW[:1], ROW[:2], "ab"), "1 tokens, but"),
    "one alpha": (lambda: score_lines(ENDS, (0.5, 0.5)), "two alphas"),
    "no widths": (lambda: sweep_chart([]), "nothing to draw"),
    "widths without a column": (lambda: sweep_chart([{"bleu": 30.0}]), "beam_size"),
    "widths without a measure": (lambda: sweep_chart([{"beam_size": 1, "other": 2}]), "no measure"),
    "searches": (lambda: cost_chart([{"beam_size": 1, "seconds": 0.1}]), "length"),
    "two empty translations": (lambda: token_log_probs([], [], [], []), "no tokens"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_by_its_name(what):
    call, said = REFUSED[what]
    with pytest.raises(ValueError, match=said):
        call()


SIDES = [[Candidate(i, f"▁w{i}", -0.1, 0)] for i in (1, 2)]
MISSING = {
    "rollout": (lambda: rollout(replace(RECORD, maps=(RECORD.cross,)), "cross"), "on itself"),
    "flow": (lambda: flow_rows(replace(RECORD, maps=(RECORD.cross,)), "cross", [0]), "on itself"),
    "token": (lambda: next_tokens(*SIDES), "2|1"),
    "layer of a file": (lambda: attention_table(MAP, 2, 0), "layer 2 of 2; layers count from 0"),
    "head of a file": (lambda: attention_table(MAP, 0, 3), "head 3 of 3; heads count from 0"),
    "layer below": (lambda: attention_table(MAP, -1, 0), "layer -1 of 2"),
    "head of links": (lambda: links(LINKED, 0, (0, 3)), "head 3 of 3"),
    "layer of links": (lambda: links(LINKED, -1), "layer -1 of 1"),
}


@pytest.mark.parametrize("what", MISSING)
def test_what_is_not_there_is_named(what):
    call, said = MISSING[what]
    with pytest.raises(LookupError, match=said):
        call()


# The caption in that of `core.captions` is one of many and drawn by chance.
MODULES = [
    f"{room}.{p.stem}" for room in ("core", "viz", "words") for p in (ROOT / room).glob("*.py")
]


@pytest.mark.parametrize("name", sorted({*MODULES} - {"core.captions"}))
def test_the_examples_in_the_docstrings_hold(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
