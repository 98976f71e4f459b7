"""Search verdicts, and the step at which a reference fell out, on trees made by hand."""

import dataclasses

import numpy as np
import pytest

from core.records.search import BeamNode, BeamTree
from core.records.sources import TokenSequence
from model.search.beam import (
    BEYOND_BEAM,
    FORCED,
    NO_CHILD_KEPT,
    OUT_OF_LENGTH,
    SEARCH_ENDED,
    TOO_SHORT,
)
from model.search.diagnosis import Scored, falling_out, judge, search_verdict
from words import Message

EOS = 3


def node(id, parent, step, token_id, status="kept", reason=None, score=-1.0):
    return BeamNode(
        id, parent, step, f"t{token_id}", token_id, -0.5, score, score, 0, status, reason
    )


@pytest.fixture
def tree():
    """<s> -> 4 -> (</s> | 5 | 6, pruned); 5 -> </s>; <s> -> 7, which nothing follows."""
    nodes = (
        node(0, None, 0, 2),
        node(1, 0, 1, 4),
        node(2, 0, 1, 7, reason=NO_CHILD_KEPT),
        node(3, 1, 2, EOS, "finished"),
        node(4, 1, 2, 5),
        node(5, 1, 2, 6, "pruned", BEYOND_BEAM),
        node(6, 4, 3, EOS, "finished", score=-0.5),
        node(7, 4, 3, 8, reason=SEARCH_ENDED),
    )
    return BeamTree(nodes, beam_size=2, alpha=0.0, max_len=9, best=6)


def test_a_reference_falls_out_at_the_step_that_lacks_it(tree):
    for ids, expected in (
        ((4, EOS), (None, None)),
        ((4, 5, EOS), (None, None)),
        ((4, 6, EOS), (2, BEYOND_BEAM)),
        ((EOS,), (1, BEYOND_BEAM)),
        ((7, 4, EOS), (2, BEYOND_BEAM)),
        ((4, 5, 9, 9, EOS), (3, BEYOND_BEAM)),
        ((4, 5, 8, EOS), (4, SEARCH_ENDED)),
    ):
        assert falling_out(tree, ids) == expected
    nodes = (*tree.nodes[:7], dataclasses.replace(tree.nodes[7], reason=OUT_OF_LENGTH))
    full = dataclasses.replace(tree, nodes=nodes, max_len=3)
    assert falling_out(full, (4, 5, 8, EOS)) == (4, OUT_OF_LENGTH)
    assert falling_out(dataclasses.replace(tree, min_len=2), (EOS,)) == (1, TOO_SHORT)
    assert falling_out(dataclasses.replace(tree, prefix=(4,)), (9, EOS)) == (1, FORCED)


def test_verdicts_with_and_without_normalisation():
    search, penalty, model = "search error", "length penalty", "model error"
    for log_probs, scores, finished, expected in (
        ((-3, -5), (-3, -5), False, (search, search)),
        ((-3, -5), (-1.5, -1), False, (penalty, search)),
        ((-3, -5), (-1.5, -1), True, (penalty, penalty)),
        ((-5, -3), (-1, -1.5), False, (search, model)),
        ((-5, -3), (-5, -3), False, (model, model)),
        ((-5, -3), (-1, -1.5), True, (model, model)),
        ((-2.99999, -3), (-2.99999, -3), False, (model, model)),
    ):
        reference, output = map(Scored, log_probs, scores)
        assert judge(reference, output, finished=finished) == expected


def pieces(*tokens, unknown=()):
    ids = tuple(EOS if token == "</s>" else int(token) for token in tokens)
    lacks = tuple(token in unknown for token in tokens)
    return TokenSequence("", ids, tokens, ((0, 0),) * len(ids), lacks)


def verdict_of(tree, reference, *, same=False):
    output, log_probs = pieces("4", "5", "</s>"), np.full(3, -0.5, np.float32)
    given = np.full(len(reference), -0.1, np.float32)
    return search_verdict(tree, reference, output, given, log_probs, same=same)


def test_scores_are_divided_by_the_penalty_of_the_tree(tree):
    found = verdict_of(dataclasses.replace(tree, alpha=1.0, penalty="length"), pieces("4", "</s>"))
    scores = (found.reference_log_prob, found.reference_score, found.output_score)
    assert scores == pytest.approx((-0.2, -0.1, -0.5))
    assert (found.verdict, found.plain_verdict) == ("length penalty", "length penalty")


def test_unknown_characters_or_no_end_make_a_verdict_void(tree):
    found = verdict_of(tree, pieces("1", "4", "</s>", unknown=("1",)), same=True)
    assert (found.verdict, found.plain_verdict, found.unknown) == ("void", "void", ("1",))
    assert found.void == Message.of("model-void-unknown", characters="1")
    assert (found.fell_out_at, found.finished) == (None, False)
    found = verdict_of(dataclasses.replace(tree, best=7), pieces("4", "6", "</s>"))
    assert (found.verdict, found.void) == ("void", Message.of("model-void-unfinished", n=9))
