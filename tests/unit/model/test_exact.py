"""Exact search against brute force, and what limits do to it."""

import math
from dataclasses import dataclass, fields

import pytest
import torch
from unit.model.test_search import (
    EOS,
    PENALTY,
    SRC,
    TableModel,
    every_sequence,
    teacher_forced,
    total,
)

from core.search import Decoding
from model.exact import OUT_OF_EXPANSIONS, OUT_OF_TIME, STOPPED, exact_search
from support.models import make_model

VOCAB = 6


@dataclass(frozen=True)
class LateEnds(TableModel):
    """The end is unlikely at first and likely later."""

    def log_probs(self, prefix):
        generator = torch.Generator().manual_seed(hash((self.seed, *prefix)) % 2**32)
        logits = 1.5 * torch.randn(VOCAB, generator=generator)
        logits[EOS] += 2 * len(prefix) - 5
        return logits.log_softmax(dim=-1)


def best_of(log_probs, penalty, alpha, min_len=0):
    """Of hypotheses with their log-probabilities the best, and its score."""
    scores = {
        ids: log_prob / PENALTY[penalty](len(ids), alpha)
        for ids, log_prob in log_probs.items()
        if len(ids) >= min_len
    }
    return max(scores.items(), key=lambda item: item[1])


@pytest.fixture(scope="module", params=range(4))
def case(request):
    model = LateEnds(seed=request.param)
    return model, {ids: total(model, ids) for ids in every_sequence(VOCAB, 4)}


def search(model, **options):
    how = {field.name for field in fields(Decoding)}
    decoding = {"max_len": 4, "alpha": 0.0} | {n: v for n, v in options.items() if n in how}
    rest = {name: value for name, value in options.items() if name not in how}
    return exact_search(model, SRC, Decoding(**decoding), **rest)


@pytest.mark.parametrize(("batch_size", "min_len"), [(1, 0), (16, 0), (16, 2), (16, 4)])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("penalty", PENALTY)
def test_exact_search_finds_the_brute_force_best(case, penalty, alpha, batch_size, min_len):
    model, scored = case
    ids, score = best_of(scored, penalty, alpha, min_len)
    options = {"penalty": penalty, "alpha": alpha, "min_len": min_len}
    found = search(model, batch_size=batch_size, **options)
    assert found.proven
    assert found.best.ids == ids
    assert found.best.score == pytest.approx(score, abs=1e-5)


def test_the_bound_saves_most_prefixes_and_a_known_best_some_more(case):
    """1 + 5 + 25 + 125 prefixes of at most three words could be expanded."""
    model, scored = case
    found, best = search(model), best_of(scored, "none", 0.0)[0]
    assert found.proven
    assert found.expansions < 40
    assert search(model, start=best).expansions <= found.expansions
    assert search(model, max_expansions=156).proven


@pytest.mark.parametrize("start", [(EOS,), (4, 4, 4, EOS)])
def test_any_start_leads_to_the_same_best(case, start):
    model, scored = case
    assert search(model, start=start).best.ids == best_of(scored, "none", 0.0)[0]


def test_the_hypothesis_carries_its_log_probabilities(case):
    model, scored = case
    best = search(model, token_of=lambda i: f"<{i}>").best
    assert math.fsum(best.log_probs) == pytest.approx(scored[best.ids], abs=1e-5)
    assert best.tokens == tuple(f"<{i}>" for i in best.ids)
    assert (best.finished, best.node) == (True, -1)


@pytest.mark.parametrize("seed", range(3))
def test_a_transformers_best_equals_brute_force(seed):
    """Keys and values must follow their prefixes through the stack."""
    model = make_model(seed, vocab_size=VOCAB, d_model=8)
    with torch.no_grad():
        model.embedding.weight.mul_(3)
        model.embedding.weight[EOS].mul_(0.3)
    scores = {ids: sum(teacher_forced(model, ids)) / len(ids) for ids in every_sequence(VOCAB, 4)}
    found = search(model, penalty="length", alpha=1.0, batch_size=3)
    assert found.best.ids == max(scores, key=scores.get)
    assert found.best.score == pytest.approx(max(scores.values()), abs=1e-5)


@pytest.mark.parametrize("limit", [0, 1, 2, 7])
def test_expansions_never_pass_their_limit_and_a_limit_gives_back_the_start(limit):
    found = search(LateEnds(), alpha=5.0, max_len=40, max_expansions=limit)
    assert (found.proven, found.reason) == (False, OUT_OF_EXPANSIONS)
    assert found.expansions == limit
    begun = search(LateEnds(), max_expansions=0, start=(4, 1, EOS))
    assert begun.best.ids == (4, 1, EOS)


def test_a_search_that_is_stopped_or_has_no_time_proves_nothing():
    found = search(LateEnds(), time_limit=0.0)
    assert (found.proven, found.reason, found.best) == (False, OUT_OF_TIME, None)
    answers = iter((False, False, False, True))
    found = search(LateEnds(), alpha=5.0, max_len=40, stop=lambda: next(answers))
    assert (found.proven, found.reason) == (False, STOPPED)


@pytest.mark.parametrize(
    "bad",
    [
        *(
            {"max_len": 0},
            {"max_len": None},
            {"min_len": 5},
            {"alpha": -1.0},
            {"alpha": math.nan},
            {"batch_size": 0},
        ),
        *({"max_expansions": -1}, {"time_limit": math.nan}, {"penalty": "gnmt"}),
        *({"start": (4, 4)}, {"start": ()}, {"start": (EOS, EOS)}, {"start": (4, 4, 4, 4, EOS)}),
        {"start": (EOS,), "min_len": 2},
    ],
)
def test_bad_arguments_are_refused(bad):
    with pytest.raises(ValueError, match=r"expected|more than max_len"):
        search(LateEnds(), **bad)
