"""Who is to blame: verdicts and the step at which a reference fell out, on trees made by hand."""

import dataclasses

import numpy as np
import pytest

from core.search import BeamNode, BeamTree
from core.tokens import TokenSequence
from model.search import BEYOND_BEAM, FORCED, NO_CHILD_KEPT, OUT_OF_LENGTH, SEARCH_ENDED, TOO_SHORT
from model.verdict import falling_out, judge, search_verdict
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


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ((4, EOS), (None, None)),
        ((4, 5, EOS), (None, None)),
        ((4, 6, EOS), (2, BEYOND_BEAM)),
        ((9, 4, EOS), (1, BEYOND_BEAM)),
        ((EOS,), (1, BEYOND_BEAM)),
        ((7, 4, EOS), (2, BEYOND_BEAM)),
        ((4, 5, 9, 9, EOS), (3, BEYOND_BEAM)),
        ((4, 5, 8, EOS), (4, SEARCH_ENDED)),
        ((4, 5, 8, 8, 8, EOS), (4, SEARCH_ENDED)),
    ],
)
def test_the_step_at_which_a_reference_falls_out(tree, ids, expected):
    assert falling_out(tree, ids) == expected


def test_a_reference_that_no_search_of_these_rules_finds_says_so(tree):
    nodes = (*tree.nodes[:7], dataclasses.replace(tree.nodes[7], reason=OUT_OF_LENGTH))
    full = dataclasses.replace(tree, nodes=nodes, max_len=3)
    assert falling_out(full, (4, 5, 8, EOS)) == (4, OUT_OF_LENGTH)
    assert falling_out(dataclasses.replace(tree, min_len=2), (EOS,)) == (1, TOO_SHORT)
    assert falling_out(dataclasses.replace(tree, prefix=(4,)), (9, EOS)) == (1, FORCED)


@pytest.mark.parametrize(
    ("log_probs", "scores", "finished", "expected"),
    [
        ((-3, -5), (-3, -5), False, ("search error", "search error")),
        ((-3, -5), (-1.5, -1), False, ("length penalty", "search error")),
        ((-3, -5), (-1.5, -1), True, ("length penalty", "length penalty")),
        ((-5, -3), (-1, -1.5), False, ("search error", "model error")),
        ((-5, -3), (-5, -3), False, ("model error", "model error")),
        ((-5, -3), (-5, -3), True, ("model error", "model error")),
        ((-5, -3), (-1, -1.5), True, ("model error", "model error")),
        ((-3, -3), (-3, -3), False, ("model error", "model error")),
        ((-2.99999, -3), (-2.99999, -3), True, ("model error", "model error")),
    ],
)
def test_verdicts_with_and_without_normalisation(log_probs, scores, finished, expected):
    found = judge(
        finished=finished,
        reference_log_prob=log_probs[0],
        output_log_prob=log_probs[1],
        reference_score=scores[0],
        output_score=scores[1],
    )
    assert found == expected


def pieces(*tokens, unknown=()):
    ids = tuple(EOS if token == "</s>" else int(token) for token in tokens)
    lacks = tuple(token in unknown for token in tokens)
    return TokenSequence("", ids, tokens, ((0, 0),) * len(ids), lacks)


def verdict_of(tree, reference, reference_log_probs, *, same=False, output_log_probs=(-0.5,) * 3):
    return search_verdict(
        tree,
        pieces("9", "</s>"),
        reference,
        pieces("4", "5", "</s>"),
        np.array(reference_log_probs, dtype=np.float32),
        np.array(output_log_probs, dtype=np.float32),
        same=same,
    )


def test_scores_are_divided_by_the_penalty_of_the_tree(tree):
    found = verdict_of(tree, pieces("4", "6", "</s>"), (-0.1, -0.1, -0.1))
    assert (found.verdict, found.fell_out_at, found.fell_out) == ("search error", 2, BEYOND_BEAM)
    log_probs = found.reference_log_prob, found.output_log_prob
    assert log_probs == pytest.approx((-0.3, -1.5))
    normalised = dataclasses.replace(tree, alpha=1.0, penalty="length")
    found = verdict_of(normalised, pieces("4", "</s>"), (-0.2, -1.0))
    assert (found.reference_score, found.output_score) == pytest.approx((-0.6, -0.5))
    assert (found.verdict, found.plain_verdict) == ("length penalty", "length penalty")
    assert found.finished


def test_the_same_text_is_no_error_and_unknown_characters_or_no_end_make_the_verdict_void(tree):
    found = verdict_of(tree, pieces("4", "5", "</s>"), (-0.5,) * 3, same=True)
    assert (found.verdict, found.plain_verdict, found.void) == ("same", "same", None)
    found = verdict_of(tree, pieces("1", "4", "</s>", unknown=("1",)), (-0.1,) * 3, same=True)
    assert (found.verdict, found.plain_verdict, found.unknown) == ("void", "void", ("1",))
    assert found.void == Message.of("model-void-unknown", characters="1")
    assert (found.fell_out_at, found.finished) == (None, False)
    found = verdict_of(dataclasses.replace(tree, best=7), pieces("4", "6", "</s>"), (-0.1,) * 3)
    assert (found.verdict, found.void) == ("void", Message.of("model-void-unfinished", n=9))
