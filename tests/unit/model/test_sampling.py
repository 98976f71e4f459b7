"""Sampling: probabilities to draw from, frequencies of samples, and their tree."""

import math
from collections import Counter

import pytest
import torch
from transformers import MinPLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from core.records.search import Sampling
from model.search.beam import OUT_OF_LENGTH, STOPPED, greedy_search
from model.search.sampling import sample_search, sampling_probabilities
from support.models import make_model
from support.search import EOS, SRC, teacher_forced

VOCAB = 9


def sample(model, **options):
    src = options.pop("src", SRC)
    names = {"stop", "prefix"} & options.keys()
    others = {name: options.pop(name) for name in names}
    return sample_search(
        model, src, Sampling(**{"n_samples": 20, "max_len": 8, **options}), **others
    )


def drawn(tree):
    """The ids of every sample, in order."""
    return [tree.hypothesis(end).ids for end in tree.samples]


@pytest.fixture(autouse=True)
def many(monkeypatch):
    """Enough samples to count how often each is drawn."""
    monkeypatch.setattr("core.records.search.MAX_SAMPLES", 20_000)


@pytest.fixture
def model():
    return make_model(1, vocab_size=VOCAB)


def test_probabilities_equal_those_by_hand():
    log_probs = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).double().log()
    for options, expected in (
        ({}, [0.5, 0.3, 0.15, 0.05]),
        ({"temperature": 0.0}, [1, 0, 0, 0]),
        ({"temperature": 1e-30}, [1, 0, 0, 0]),
        ({"temperature": 0.5}, [0.25 / 0.365, 0.09 / 0.365, 0.0225 / 0.365, 0.0025 / 0.365]),
        ({"top_k": 99}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_p": 0.01}, [1, 0, 0, 0]),
        ({"top_k": 2, "top_p": 0.6}, [1, 0, 0, 0]),
        ({"min_p": 0.2, "top_p": 0.75}, [0.625, 0.375, 0, 0]),
        ({"min_p": 0.5, "temperature": 0.5}, [1, 0, 0, 0]),
    ):
        found = sampling_probabilities(log_probs, Sampling(**options))
        torch.testing.assert_close(found, torch.tensor([expected]).double(), atol=1e-6, rtol=0)
    even = torch.zeros(1, 2)  # top-p stops as soon as there is enough
    assert sampling_probabilities(even, Sampling(top_p=0.5)).tolist() == [[1.0, 0.0]]
    assert sampling_probabilities(even, Sampling(top_p=0.501)).tolist() == [[0.5, 0.5]]
    forbidden = torch.tensor([[-0.1, -math.inf, -3.0]])
    for options in ({}, {"temperature": 10.0}, {"top_p": 0.999}, {"top_k": 2}):
        assert sampling_probabilities(forbidden, Sampling(**options))[0, 1] == 0


@pytest.mark.parametrize(
    ("option", "values", "warper"),
    [
        ("top_p", (0.1, 0.5, 0.9), TopPLogitsWarper),
        ("top_k", (1, 3, 40), TopKLogitsWarper),
        ("min_p", (0.02, 0.1, 0.5, 1.0), MinPLogitsWarper),
    ],
)
def test_cuts_equal_those_of_transformers(option, values, warper):
    torch.manual_seed(0)
    log_probs = (2 * torch.randn(5, 40)).log_softmax(dim=-1)
    for value in values:
        theirs = warper(value)(None, log_probs).softmax(dim=-1)
        ours = sampling_probabilities(log_probs, Sampling(**{option: value})).float()
        torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=0)


def test_without_choice_every_sample_is_the_greedy_one(model):
    greedy = greedy_search(model, SRC, max_len=8)
    for options in ({"temperature": 0.0}, {"temperature": 1e-9}, {"top_k": 1}):
        assert set(drawn(sample(model, **options))) == {greedy.hypothesis(greedy.best).ids}


def test_samples_are_as_frequent_as_they_are_probable(model):
    n = 20_000
    counts = Counter(drawn(sample(model, n_samples=n, max_len=2)))
    assert len(counts) > 5
    for ids, count in counts.items():
        p = math.exp(sum(teacher_forced(model, ids)))
        assert abs(count / n - p) < 5 * math.sqrt(p * (1 - p) / n) + 1e-4


def test_a_temperature_changes_frequencies_and_no_log_probability(model):
    tree = sample(model, temperature=5.0, n_samples=20_000, max_len=1)
    log_probs = torch.tensor([teacher_forced(model, [token])[0] for token in range(VOCAB)])
    counts = Counter(drawn(tree))
    for token, expected in enumerate((log_probs / 5).softmax(dim=-1).tolist()):
        assert counts[token,] / 20_000 == pytest.approx(expected, abs=0.02)
    for node in tree.nodes[1:]:
        assert node.log_prob == pytest.approx(float(log_probs[node.token_id]), abs=1e-5)


def test_the_seed_alone_decides_what_is_drawn(model):
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    first = sample(model, seed=7)
    torch.testing.assert_close(torch.rand(3), expected, atol=0, rtol=0)
    torch.manual_seed(1)
    assert sample(model, seed=7) == first
    assert drawn(sample(model, seed=8)) != drawn(first)


def test_samples_keep_the_lengths_and_can_be_stopped(model):
    lengths = [min(map(len, drawn(sample(model, n_samples=100, min_len=n)))) for n in (4, 0)]
    assert lengths[0] == 4 > lengths[1]
    tree = sample(model, max_len=3, n_samples=30)
    unfinished = [tree.nodes[end] for end in tree.samples if tree.nodes[end].status == "kept"]
    assert {(node.step, node.reason) for node in unfinished} == {(3, OUT_OF_LENGTH)}
    answers = iter((False, False, True))
    tree = sample(model, max_len=50, stop=lambda: next(answers))
    assert max(node.step for node in tree.nodes) == 2
    assert {tree.nodes[end].reason for end in tree.samples} == {None, STOPPED}


def test_invariants_of_a_tree_of_samples(model):
    tree = sample(model, n_samples=40, alpha=0.6)
    assert (tree.method, tree.beam_size, len(tree.samples)) == ("sampling", 40, 40)
    paths = [tuple(node.token_id for node in tree.path(node.id)) for node in tree.nodes]
    assert len(set(paths)) == len(paths)  # those that begin alike share nodes
    parents = {node.parent for node in tree.nodes}
    assert {node.id for node in tree.nodes if node.id not in parents} == set(tree.samples)
    assert [node.id for node in tree.nodes] == list(range(len(tree.nodes)))
    for node in tree.nodes[1:]:
        parent = tree.nodes[node.parent]
        assert node.step == parent.step + 1
        assert node.cum_log_prob == pytest.approx(parent.cum_log_prob + node.log_prob)
        assert node.score == pytest.approx(node.cum_log_prob / ((5 + node.step) / 6) ** 0.6)
    for step in range(1, tree.nodes[-1].step + 1):
        nodes = sorted(tree.at_step(step), key=lambda node: -node.cum_log_prob)
        assert [node.rank for node in nodes] == list(range(len(nodes)))
    assert tree.hypotheses()[0].node == tree.best


def test_bad_arguments_of_sampling_are_refused(model):
    for bad in (
        {"max_len": None},
        *({"src": torch.tensor([5, 3])}, {"src": torch.tensor([[5, 3], [4, 3]])}),
        *({"prefix": prefix} for prefix in ((4,) * 9, (EOS, 4), (VOCAB,), (-1,))),
    ):
        with pytest.raises(ValueError, match=r"expected|must be"):
            sample(model, **bad)
