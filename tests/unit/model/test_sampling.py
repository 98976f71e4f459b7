"""Sampling: what is drawn from, how often, and what the tree says about it."""

import math
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import MinPLogitsWarper, TopKLogitsWarper, TopPLogitsWarper
from unit.model.test_search import SRC, teacher_forced

from core.search import Sampling
from model.sampling import sample_search, sampling_probabilities
from model.search import OUT_OF_LENGTH, STOPPED, greedy_search
from support.models import make_model

VOCAB = 9


def sample(model, **options):
    src = options.pop("src", SRC)
    how = {name: options.pop(name) for name in ("alpha", "penalty", "stop") if name in options}
    return sample_search(model, src, Sampling(**{"n_samples": 20, "max_len": 8, **options}), **how)


def drawn(tree):
    """The ids of every sample, in order."""
    return [tree.hypothesis(end).ids for end in tree.samples]


@pytest.fixture(autouse=True)
def many(monkeypatch):
    """Enough samples to count how often each is drawn."""
    monkeypatch.setattr("core.search.MAX_SAMPLES", 20_000)


@pytest.fixture
def model():
    return make_model(1, vocab_size=VOCAB)


LOG_PROBS = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0.5, 0.3, 0.15, 0.05]),
        ({"temperature": 0.0}, [1, 0, 0, 0]),
        ({"temperature": 1e-30}, [1, 0, 0, 0]),
        ({"temperature": 0.5}, [0.25 / 0.365, 0.09 / 0.365, 0.0225 / 0.365, 0.0025 / 0.365]),
        ({"top_k": 1}, [1, 0, 0, 0]),
        ({"top_k": 2}, [0.625, 0.375, 0, 0]),
        ({"top_k": 99}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_p": 0.01}, [1, 0, 0, 0]),
        ({"top_p": 0.5}, [1, 0, 0, 0]),
        ({"top_p": 0.6}, [0.625, 0.375, 0, 0]),
        ({"top_p": 0.9}, [0.5 / 0.95, 0.3 / 0.95, 0.15 / 0.95, 0]),
        ({"top_k": 2, "top_p": 0.6}, [1, 0, 0, 0]),
        ({"min_p": 1.0}, [1, 0, 0, 0]),
        ({"min_p": 0.2}, [0.5 / 0.95, 0.3 / 0.95, 0.15 / 0.95, 0]),
        ({"min_p": 0.2, "top_p": 0.8}, [0.625, 0.375, 0, 0]),
        ({"min_p": 0.5, "temperature": 0.5}, [1, 0, 0, 0]),
    ],
)
def test_probabilities_by_hand(options, expected):
    found = sampling_probabilities(LOG_PROBS.double(), Sampling(**options))
    torch.testing.assert_close(found, torch.tensor([expected]).double(), atol=1e-6, rtol=0)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), top_p=st.floats(0.01, 0.99))
def test_top_p_keeps_the_smallest_set_that_holds_enough(seed, top_p):
    torch.manual_seed(seed)
    log_probs = (2 * torch.randn(1, 30)).log_softmax(dim=-1)
    kept = sampling_probabilities(log_probs, Sampling(top_p=top_p))[0] > 0
    held = log_probs[0].double().exp()[kept]
    assert float(held.sum()) >= top_p - 1e-6
    assert float(held.sum() - held.min()) < top_p + 1e-6
    assert log_probs[0][kept].min() > log_probs[0][~kept].max()


@pytest.mark.parametrize(
    ("option", "value", "warper"),
    [
        *(("top_p", p, TopPLogitsWarper) for p in (0.1, 0.5, 0.9)),
        *(("top_k", k, TopKLogitsWarper) for k in (1, 3, 40)),
        *(("min_p", p, MinPLogitsWarper) for p in (0.02, 0.1, 0.5, 1.0)),
    ],
)
def test_what_is_cut_equals_transformers(option, value, warper):
    torch.manual_seed(0)
    log_probs = (2 * torch.randn(5, 40)).log_softmax(dim=-1)
    theirs = warper(value)(None, log_probs).softmax(dim=-1)
    ours = sampling_probabilities(log_probs, Sampling(**{option: value})).float()
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=0)


def test_top_p_stops_as_soon_as_there_is_enough():
    even = torch.zeros(1, 2)
    assert sampling_probabilities(even, Sampling(top_p=0.5)).tolist() == [[1.0, 0.0]]
    assert sampling_probabilities(even, Sampling(top_p=0.501)).tolist() == [[0.5, 0.5]]


def test_what_is_forbidden_is_never_drawn_from():
    log_probs = torch.tensor([[-0.1, -math.inf, -3.0]])
    for options in ({}, {"temperature": 10.0}, {"top_p": 0.999}, {"top_k": 2}):
        assert sampling_probabilities(log_probs, Sampling(**options))[0, 1] == 0


@pytest.mark.parametrize("options", [{"temperature": 0.0}, {"temperature": 1e-9}, {"top_k": 1}])
@pytest.mark.parametrize("seed", range(4))
def test_without_choice_every_sample_is_the_greedy_one(seed, options):
    model = make_model(seed, vocab_size=VOCAB)
    greedy = greedy_search(model, SRC, max_len=8)
    assert set(drawn(sample(model, **options))) == {greedy.hypothesis(greedy.best).ids}


def test_samples_are_as_frequent_as_they_are_probable(model):
    n = 20_000
    tree = sample(model, n_samples=n, max_len=2)
    counts = Counter(drawn(tree))
    assert len(counts) > 5
    for ids, count in counts.items():
        p = math.exp(sum(teacher_forced(model, ids)))
        assert abs(count / n - p) < 5 * math.sqrt(p * (1 - p) / n) + 1e-4


@pytest.mark.parametrize("temperature", [0.0, 0.5, 5.0])
def test_a_temperature_changes_how_often_a_token_is_drawn_and_no_log_probability(
    model, temperature
):
    tree = sample(model, temperature=temperature, n_samples=20_000, max_len=1)
    log_probs = torch.tensor([teacher_forced(model, [token])[0] for token in range(VOCAB)])
    expected = (log_probs / max(temperature, 1e-9)).softmax(dim=-1)
    counts = Counter(drawn(tree))
    for token in range(VOCAB):
        assert counts[token,] / 20_000 == pytest.approx(float(expected[token]), abs=0.02)
    for node in tree.nodes[1:]:
        assert node.log_prob == pytest.approx(float(log_probs[node.token_id]), abs=1e-5)


def test_the_seed_alone_says_what_is_drawn(model):
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    first = sample(model, seed=7)
    torch.testing.assert_close(torch.rand(3), expected, atol=0, rtol=0)
    torch.manual_seed(1)
    assert sample(model, seed=7) == first
    assert drawn(sample(model, seed=8)) != drawn(first)


def test_no_sample_ends_before_the_minimum_length(model):
    tree = sample(model, n_samples=100, min_len=4)
    assert min(len(ids) for ids in drawn(tree)) == 4
    assert any(len(ids) < 4 for ids in drawn(sample(model, n_samples=100)))


def test_a_sample_without_end_stops_at_the_greatest_length(model):
    tree = sample(model, max_len=3, n_samples=30)
    unfinished = [end for end in tree.samples if tree.nodes[end].status == "kept"]
    assert unfinished
    assert all(tree.nodes[end].reason == OUT_OF_LENGTH for end in unfinished)
    assert all(tree.nodes[end].step == 3 for end in unfinished)


def test_sampling_can_be_stopped(model):
    answers = iter((False, False, True))
    tree = sample(model, max_len=50, stop=lambda: next(answers))
    assert max(node.step for node in tree.nodes) == 2
    assert {tree.nodes[end].reason for end in tree.samples} <= {None, STOPPED}


@pytest.fixture
def tree(model):
    return sample(model, n_samples=40, alpha=0.6)


def test_what_holds_of_a_tree_of_samples(tree):
    assert (tree.method, tree.beam_size, len(tree.samples)) == ("sampling", 40, 40)
    paths = [tuple(node.token_id for node in tree.path(node.id)) for node in tree.nodes]
    assert len(set(paths)) == len(paths)  # those that begin alike share nodes
    parents = {node.parent for node in tree.nodes}
    assert {node.id for node in tree.nodes if node.id not in parents} == set(tree.samples)
    for number, node in enumerate(tree.nodes):
        assert node.id == number
        if node.parent is not None:
            parent = tree.nodes[node.parent]
            assert parent.id < node.id
            assert node.step == parent.step + 1
            assert node.cum_log_prob == pytest.approx(parent.cum_log_prob + node.log_prob)
            assert node.score == pytest.approx(node.cum_log_prob / ((5 + node.step) / 6) ** 0.6)
    for step in range(1, max(node.step for node in tree.nodes) + 1):
        nodes = tree.at_step(step)
        assert [node.rank for node in nodes] == list(range(len(nodes)))
        totals = [node.cum_log_prob for node in nodes]
        assert totals == sorted(totals, reverse=True)
    assert tree.hypotheses()[0].node == tree.best


@pytest.mark.parametrize(
    "bad",
    [
        *({"max_len": None}, {"alpha": -1.0}, {"alpha": math.nan}, {"penalty": "gnmt"}),
        *({"src": torch.tensor([5, 3])}, {"src": torch.tensor([[5, 3], [4, 3]])}),
    ],
)
def test_bad_arguments_are_refused(model, bad):
    with pytest.raises(ValueError, match=r"expected|must be"):
        sample(model, **bad)
