"""Beam and exact search against loops, brute force and the invariants of a search tree."""

import itertools
import math
from dataclasses import fields

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.records.search import Budget, Decoding
from model.search.beam import (
    BEYOND_BEAM,
    FORCED,
    NOTHING_FOLLOWS,
    OUT_OF_LENGTH,
    OVERTAKEN,
    SEARCH_ENDED,
    STOPPED,
    TOO_SHORT,
    beam_search,
    top_candidates,
)
from model.search.exact import OUT_OF_EXPANSIONS, OUT_OF_TIME, exact_search
from model.search.exact import STOPPED as EXACT_STOPPED
from support.models import make_model
from support.search import (
    BOS,
    EOS,
    PENALTY,
    SRC,
    TableModel,
    best_of,
    every_sequence,
    teacher_forced,
    total,
)

CHOICES = {field.name for field in fields(Decoding)}


def run(method, model, options):
    decoding = {name: value for name, value in options.items() if name in CHOICES}
    others = {name: value for name, value in options.items() if name not in (*CHOICES, "src")}
    return method(model, options.get("src", SRC), Decoding(**decoding), **others)


def search(model, beam_size=1, alpha=0.0, max_len=8, **options):
    decoding = {"beam_size": beam_size, "alpha": alpha, "max_len": max_len}
    return run(beam_search, model, decoding | options)


def exact(model, **options):
    return run(exact_search, model, {"alpha": 0.0, "max_len": 4} | options)


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Beams as wide as there are outputs."""
    monkeypatch.setattr("core.records.search.MAX_BEAM_SIZE", 10_000)


def best_ids(tree):
    return tree.hypothesis(tree.best).ids


def results(tree):
    return [(hypothesis.ids, hypothesis.score) for hypothesis in tree.hypotheses()]


def reasons(tree, step, status="kept"):
    return [node.reason for node in tree.at_step(step) if node.status == status]


# -- brute force ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_wide_beam_and_exact_search_find_the_best_of_a_transformer(seed):
    """Keys and values must follow their prefixes through the stack."""
    model = make_model(seed, vocab_size=6, d_model=8)
    with torch.no_grad():
        model.embedding.weight.mul_(3)
        model.embedding.weight[EOS].mul_(0.3)
    scored = {ids: sum(teacher_forced(model, ids)) for ids in every_sequence(6, 4)}
    for penalty, alpha in (("none", 0.0), ("length", 1.0), ("wu", 2.0)):
        ids, score = best_of(scored, penalty, alpha)
        options = {"alpha": alpha, "max_len": 4, "penalty": penalty}
        tree = search(model, 1000, **options)
        best = tree.hypothesis(tree.best)
        proven = exact(model, batch_size=3, **options).best
        assert len(tree.at_step(1)) == 6
        assert best.ids == proven.ids == ids
        assert (best.score, proven.score) == pytest.approx((score, score), abs=1e-5)
        assert best.log_probs == pytest.approx(teacher_forced(model, ids), abs=1e-5)


@pytest.mark.parametrize("penalise", ["final", "pruning"])
@pytest.mark.parametrize("penalty", PENALTY)
def test_wide_beam_finds_the_best_of_all_with_its_beginning(penalty, penalise):
    model = TableModel(5, 1)
    scored = {ids: total(model, ids) for ids in every_sequence(5, 4)}
    for prefix in ((), (4, 1)):
        options = {"penalty": penalty, "penalise": penalise, "prefix": prefix}
        tree = search(model, 700, 0.8, 4, **options)
        ids, score = best_of(scored, penalty, 0.8, prefix)
        assert best_ids(tree) == ids
        assert tree.nodes[tree.best].score == pytest.approx(score, abs=1e-5)


def textbook_beam(model, beam_size, alpha, max_len, penalty):
    """A beam in which finished hypotheses keep their places, one dictionary a step."""
    beam = {(): 0.0}

    def score(ids):
        return beam[ids] / PENALTY[penalty](len(ids), alpha) if ids else 0.0

    for _ in range(max_len):
        grown = {}
        for ids, log_prob in beam.items():
            if ids[-1:] == (EOS,):
                grown[ids] = log_prob
                continue
            for token, more in enumerate(model.log_probs((BOS, *ids)).tolist()):
                grown[*ids, token] = log_prob + more
        beam = grown
        beam = {ids: grown[ids] for ids in sorted(grown, key=score, reverse=True)[:beam_size]}
    ended = [ids for ids in beam if ids[-1] == EOS]
    return max(ended or beam, key=score)


@pytest.mark.parametrize("penalty", PENALTY)
def test_pruning_by_score_equals_the_textbook_beam(penalty):
    for seed, beam_size in itertools.product(range(4), (1, 2, 4)):
        model = TableModel(6, seed)
        tree = search(model, beam_size, 1.0, 7, penalty=penalty, penalise="pruning")
        assert best_ids(tree) == textbook_beam(model, beam_size, 1.0, 7, penalty), seed


# -- the tree ------------------------------------------------------------------------------


@st.composite
def searches(draw):
    """A finished search of a random model with random options."""
    max_len, vocab_size = draw(st.integers(1, 6)), draw(st.integers(4, 7))
    word = st.integers(0, vocab_size - 1).filter(lambda token: token != EOS)
    return search(
        TableModel(vocab_size, draw(st.integers(0, 10_000))),
        draw(st.integers(1, 7)),
        draw(st.sampled_from([0.0, 0.6, 1.0, 3.0])),
        max_len,
        n_runners_up=draw(st.integers(0, 5)),
        penalty=draw(st.sampled_from(list(PENALTY))),
        penalise=draw(st.sampled_from(["final", "pruning"])),
        min_len=draw(st.integers(0, max_len)),
        prefix=draw(st.lists(word, max_size=max_len)),
        token_of="<{}>".format,
    )


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(searches())
def test_invariants_of_a_search_tree(tree):
    root, *others = tree.nodes
    assert (root.token_id, root.step, root.cum_log_prob, root.parent) == (BOS, 0, 0.0, None)
    assert [node.id for node in tree.nodes] == list(range(len(tree.nodes)))
    parents = {node.parent for node in others}
    for node in others:
        parent = tree.nodes[node.parent]
        assert parent.id < node.id
        assert parent.status == "kept"
        assert node.token == f"<{node.token_id}>"
        assert node.step == parent.step + 1
        assert node.cum_log_prob == pytest.approx(parent.cum_log_prob + node.log_prob, abs=1e-4)
        penalty = PENALTY[tree.penalty](node.step, tree.alpha)
        assert node.score == pytest.approx(node.cum_log_prob / penalty)
        if node.status != "pruned":
            assert (node.status == "finished") == (node.token_id == EOS)
        if node.status == "finished":
            assert node.step >= tree.min_len
        if node.id not in parents:
            assert bool(node.reason) == (node.status != "finished")
    for step in range(1, tree.max_len + 1):  # keeps the likeliest within the beam
        nodes = sorted(tree.at_step(step), key=lambda node: node.rank)
        totals = [node.cum_log_prob for node in nodes]
        assert totals == sorted(totals, reverse=True)
        assert len({node.rank for node in nodes}) == len(nodes)
        assert sum(node.status == "kept" for node in nodes) <= tree.beam_size
        words = [node for node in nodes if node.token_id != EOS]
        kept = [node.cum_log_prob for node in words if node.status == "kept"]
        pruned = [node.cum_log_prob for node in words if node.status == "pruned"]
        assert not kept or not pruned or min(kept) >= max(pruned)
    hypotheses = results(tree)
    assert [score for _, score in hypotheses] == sorted([s for _, s in hypotheses], reverse=True)
    assert hypotheses[0][0] == best_ids(tree)
    assert len({ids for ids, _ in hypotheses}) == len(hypotheses)


def test_runners_up_are_as_many_as_asked_for_and_do_not_change_the_result():
    trees = [search(TableModel(20, 1), 3, 0.6, 5, n_runners_up=n) for n in (0, 1, 3)]
    assert results(trees[0]) == results(trees[1]) == results(trees[2])
    for tree, n in zip(trees, (0, 1, 3), strict=True):
        for step in range(1, max(node.step for node in tree.nodes) + 1):
            assert reasons(tree, step, "pruned") == [BEYOND_BEAM] * n


# -- lengths and ends ----------------------------------------------------------------------


def test_the_minimum_length_counts_the_end_and_an_early_one_is_too_short():
    model = TableModel(table={(): {EOS: 0.9, 4: 0.1}, (4,): {EOS: 0.6, 5: 0.4}})
    best = [best_ids(search(model, 2, 0.0, 6, min_len=n)) for n in (0, 1, 2, 3)]
    assert best == [(EOS,), (EOS,), (4, EOS), (4, 5, EOS)]
    tree = search(model, 2, 0.0, 3, min_len=2, n_runners_up=1)
    (ended,) = [node for node in tree.at_step(1) if node.token_id == EOS]
    assert (ended.status, ended.reason, ended.rank) == ("pruned", TOO_SHORT, 0)


def test_forced_tokens_have_their_real_rank_and_an_end_or_the_length_ends_them():
    tree = search(TableModel(table={(): {EOS: 0.5, 4: 0.3, 5: 0.2}}), 1, prefix=[5])
    assert tree.prefix == (5,)
    assert (tree.nodes[1].rank, tree.nodes[1].status, tree.nodes[1].reason) == (2, "kept", FORCED)
    ended = search(TableModel(), 3, prefix=(4, EOS), min_len=5)
    assert [(h.ids, h.finished) for h in ended.hypotheses()] == [((4, EOS), True)]
    full = search(TableModel(), 3, max_len=2, prefix=(4, 5))
    assert [h.ids for h in full.hypotheses()] == [(4, 5)]
    assert full.nodes[-1].reason == OUT_OF_LENGTH


@pytest.mark.parametrize(
    ("penalise", "fate"), [("pruning", ("pruned", OVERTAKEN)), ("final", ("finished", None))]
)
def test_a_finished_hypothesis_may_lose_its_place_only_to_pruning(penalise, fate):
    # `</s>` at 0.5; "4 </s>" at 0.499 x 0.95, which wins once length counts.
    table = {(): {EOS: 0.5, 4: 0.499, 5: 0.001}, (4,): {EOS: 0.95, 5: 0.05}}
    tree = search(TableModel(table=table), 2, 3.0, 8, penalty="length", penalise=penalise)
    (first,) = [node for node in tree.at_step(1) if node.token_id == EOS]
    assert (first.status, first.reason) == fate


def test_live_hypotheses_say_why_they_were_not_grown():
    words = [p for n in range(3) for p in itertools.product((4, 5), repeat=n)]
    often, rarely = {4: 0.8, 5: 0.2}, {4: 0.6, 5: 0.4}
    endless = TableModel(table={p: rarely if p[-1:] == (5,) else often for p in words})
    tree = search(endless, 2, max_len=3)
    assert [(h.ids, h.finished) for h in tree.hypotheses()] == [
        ((4, 4, 4), False), ((4, 4, 5), False),
    ]  # fmt: skip
    assert set(reasons(tree, 3)) == {OUT_OF_LENGTH}
    answers = iter((False, False, True))
    stopped = search(endless, 2, max_len=50, stop=lambda: next(answers))
    assert set(reasons(stopped, 2)) == {STOPPED}
    assert [h.ids for h in stopped.hypotheses()] == [(4, 4), (4, 5)]
    ended = search(TableModel(table={(): {EOS: 0.5, 4: 0.4, 5: 0.1}}), 2, 0.0, 5)
    assert reasons(ended, 1) == [SEARCH_ENDED] * 2


def test_search_stops_when_no_live_hypothesis_can_win_and_not_before():
    # After one step 0.9 has ended; the best of the others can never pass 0.09.
    table = {(): {EOS: 0.9, 4: 0.09, 5: 0.01}}
    assert max(n.step for n in search(TableModel(table=table), 2, 0.0, 60).nodes) == 1
    assert best_ids(search(TableModel(table=table), 1, max_len=5)) == (EOS,)
    # 0.5 now, or 0.5 x 0.9: ln 0.5 = -0.69; ln 0.45 = -0.80, divided by 7/6 it is -0.68.
    table = {(): {EOS: 0.5, 4: 0.5}, (4,): {EOS: 0.9, 5: 0.1}}
    trees = [search(TableModel(table=table), 2, alpha, max_len=2) for alpha in (0.0, 1.0)]
    assert list(map(best_ids, trees)) == [(EOS,), (4, EOS)]


def test_only_allowed_tokens_follow_with_their_own_log_probability():
    def allowed(ids):
        return torch.arange(6) == 5 if len(ids) < 2 else torch.tensor([False] * 6)

    model = TableModel()
    tree = search(model, 3, max_len=6, prefix=(4,), allowed=allowed, min_len=6)
    assert [h.ids for h in tree.hypotheses()] == [(4, 5, 5)]
    assert tree.nodes[2].log_prob == pytest.approx(float(model.log_probs((BOS, 4))[5]))
    assert reasons(tree, 3) == [NOTHING_FOLLOWS]
    assert len(search(model, 2, max_len=6, allowed=lambda ids: None).hypotheses()) == 2


@pytest.mark.parametrize("n_classes", [7, 640, 997, 1000])
def test_top_candidates_equal_topk(n_classes):
    """Matrices with and without whole blocks, repeated and infinite entries included."""
    torch.manual_seed(0)
    totals = torch.randn(5, n_classes)
    totals[:, 3] = -math.inf
    for each in (totals, totals.masked_fill(totals < totals.max(), -math.inf)):
        values, indices = top_candidates(each, 10)
        torch.testing.assert_close(values, each.flatten().topk(10).values)
        torch.testing.assert_close(each.flatten()[indices], values)
        assert len(set(indices.tolist())) == 10


# -- exact search --------------------------------------------------------------------------


@pytest.fixture(scope="module", params=range(2))
def case(request):
    model = TableModel(seed=request.param, late=True)
    return model, {ids: total(model, ids) for ids in every_sequence(6, 4)}


@pytest.mark.parametrize(("batch_size", "min_len"), [(1, 0), (16, 0), (16, 2), (16, 4)])
@pytest.mark.parametrize("penalty", PENALTY)
def test_exact_search_finds_the_brute_force_best(case, penalty, batch_size, min_len):
    model, scored = case
    for alpha in (0.6, 2.0):
        options = {"penalty": penalty, "alpha": alpha, "min_len": min_len}
        found = exact(model, batch_size=batch_size, **options)
        ids, score = best_of(scored, penalty, alpha, min_len=min_len)
        assert found.proven
        assert found.best.ids == ids
        assert found.best.score == pytest.approx(score, abs=1e-5)


def test_the_bound_saves_most_prefixes_and_a_known_best_some_more(case):
    """1 + 5 + 25 + 125 prefixes of at most three words could be expanded."""
    model, scored = case
    best = best_of(scored)[0]
    found = exact(model, token_of=lambda i: f"<{i}>")
    assert found.proven
    assert found.expansions < 40
    assert math.fsum(found.best.log_probs) == pytest.approx(scored[best], abs=1e-5)
    assert found.best.tokens == tuple(f"<{i}>" for i in best)
    assert (found.best.finished, found.best.node) == (True, -1)
    assert exact(model, start=best).expansions <= found.expansions
    assert exact(model, budget=Budget(expansions=156)).proven
    for start in ((EOS,), (4, 4, 4, EOS)):
        assert exact(model, start=start).best.ids == best


def test_an_exact_search_within_limits_proves_nothing():
    model, longer = TableModel(late=True), {"alpha": 5.0, "max_len": 40}
    for limit in (0, 1, 2, 7):
        found = exact(model, budget=Budget(expansions=limit), **longer)
        assert (found.proven, found.reason) == (False, OUT_OF_EXPANSIONS)
        assert found.expansions == limit
    assert exact(model, budget=Budget(expansions=0), start=(4, 1, EOS)).best.ids == (4, 1, EOS)
    found = exact(model, budget=Budget(seconds=0.0))
    assert (found.proven, found.reason, found.best) == (False, OUT_OF_TIME, None)
    answers = iter((False, False, False, True))
    found = exact(model, stop=lambda: next(answers), **longer)
    assert (found.proven, found.reason) == (False, EXACT_STOPPED)


SOURCES = ({"src": torch.tensor([5, 3])}, {"src": torch.tensor([[5, 3], [4, 3]])})
BAD = {
    search: (
        *({"max_len": None}, *SOURCES),
        *({"prefix": prefix} for prefix in ((4,) * 9, (EOS, 4), (6,), (-1,))),
    ),
    exact: (
        *({"max_len": None}, {"min_len": 5}, {"alpha": math.nan}, {"penalty": "gnmt"}),
        {"batch_size": 0},
        *({"start": start} for start in ((4, 4), (), (EOS, EOS), (4, 4, 4, 4, EOS))),
        *({"start": (EOS,), "min_len": 2}, {"start": (4, EOS), "prefix": (5,)}),
        *({"prefix": prefix} for prefix in ((4,) * 4, (EOS,), (EOS, 4), (6,), (-1,))),
    ),
}


@pytest.mark.parametrize("method", BAD, ids=lambda method: method.__name__)
def test_bad_arguments_of_a_search_are_refused(method):
    for bad in BAD[method]:
        with pytest.raises(ValueError, match=r"expected|must be|more than max_len"):
            method(TableModel(), **bad)


def test_a_greedy_search_never_reorders_its_only_state(monkeypatch):
    model = make_model(1)
    expected = beam_search(model, SRC, Decoding(1, 0.0, 8))
    monkeypatch.setattr(model, "select", None)
    assert beam_search(model, SRC, Decoding(1, 0.0, 8)) == expected


class WritingModel(TableModel):
    """Model of a foreign family that writes to the state that it is given."""

    def start(self, src):
        return [()]

    def step(self, state, prev):
        log_probs, longer = super().step(state, prev)
        state[:] = longer
        return log_probs, state

    def select(self, state, rows):
        return [state[row] for row in rows.tolist()]


@pytest.mark.parametrize("beam_size", [1, 3])
def test_a_search_leaves_the_state_that_it_starts_from(beam_size):
    model = WritingModel()
    start = model.start(SRC)
    expected = search(TableModel(), beam_size)
    assert [search(model, beam_size, start=start) for _ in range(2)] == [expected, expected]
